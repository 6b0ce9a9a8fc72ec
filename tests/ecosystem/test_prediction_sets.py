"""Prediction sets of other packages, which docs/guide/prediction_sets.rst shows between the marks.

MAPIE is also a second opinion. The tests are skipped where the packages are missing: ``pip install
".[test-all]"``.
"""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from sklearn_ordinal import prediction_set_report
from sklearn_ordinal.datasets import load_lev


@pytest.fixture(scope="module")
def split():
    """Return samples for calibration and for the test, and a model that is fitted on others."""
    X, y = load_lev(return_X_y=True)
    X_train, X_rest, y_train, y_rest = train_test_split(X, y, train_size=300, random_state=0)
    model = RandomForestClassifier(min_samples_leaf=3, random_state=0).fit(X_train, y_train)
    return model, *train_test_split(X_rest, y_rest, train_size=200, random_state=0)


def conformal(split, levels):
    """Return split conformal sets in their definition, one level after the other."""
    model, X_cal, X_test, y_cal, _ = split
    scores = np.sort(1 - model.predict_proba(X_cal)[np.arange(len(y_cal)), y_cal])
    ranks = [int(np.ceil((len(y_cal) + 1) * level)) for level in levels]
    return 1 - model.predict_proba(X_test)[:, :, None] <= scores[np.array(ranks) - 1]


def test_mapie(split):
    pytest.importorskip("mapie")
    model, X_cal, X_test, y_cal, y_test = split
    # [mapie]
    from mapie.classification import SplitConformalClassifier

    levels = [0.8, 0.9]
    mapie = SplitConformalClassifier(model, confidence_level=levels, prefit=True)
    mapie.conformalize(X_cal, y_cal)
    _, sets = mapie.predict_set(X_test)
    report = prediction_set_report(y_test, sets, nominal=levels, n_calibration=len(y_cal))
    # [end]
    own = prediction_set_report(
        y_test, conformal(split, levels), nominal=levels, n_calibration=len(y_cal)
    )
    assert str(report) == str(own)


def test_crepes(split):
    pytest.importorskip("crepes")
    model, X_cal, X_test, y_cal, y_test = split
    # [crepes]
    from crepes import WrapClassifier

    crepes = WrapClassifier(model)
    crepes.calibrate(X_cal, y_cal)
    sets = crepes.predict_set(X_test, labels=False, confidence=0.9, smoothing=False)
    report = prediction_set_report(y_test, sets, nominal=0.9, n_calibration=len(y_cal))
    # [end]
    own = prediction_set_report(
        y_test, conformal(split, [0.9]), nominal=0.9, n_calibration=len(y_cal)
    )
    assert str(report) == str(own)
    as_labels = crepes.predict_set(X_test, confidence=0.9, smoothing=False)
    with pytest.raises(
        ValueError, match="got rows of different lengths: pass for each class whether"
    ):
        prediction_set_report(y_test, as_labels)


def test_coverage_and_size_are_those_of_mapie():
    metrics = pytest.importorskip("mapie.metrics.classification")
    rng = np.random.default_rng(0)
    y, sets = rng.integers(0, 5, 300), rng.random((300, 5, 3)) < [0.3, 0.5, 0.8]
    report = prediction_set_report(y, sets)
    coverage = [level[0].estimate for level in report.coverage]
    assert coverage == pytest.approx(metrics.classification_coverage_score(y, sets))
    sizes = metrics.classification_mean_width_score(sets)
    assert report.measures["size"][:, 0] == pytest.approx(sizes)


def test_the_interval_score_is_that_of_mapie():
    metrics = pytest.importorskip("mapie.metrics.regression")
    rng = np.random.default_rng(0)
    y, lower = rng.integers(0, 7, 300), rng.integers(0, 5, 300)
    upper = lower + rng.integers(0, 3, 300)
    report = prediction_set_report(y, (lower, upper), nominal=0.8)
    bounds = np.stack([lower, upper], axis=1)[:, :, None]
    score = metrics.regression_mwi_score(y, bounds, 0.8)
    assert report.measures["interval_score"][0, 0] == pytest.approx(score)
