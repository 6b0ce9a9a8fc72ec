"""Tests of the cuts on given scores."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from sklearn_ordinal import tune_thresholds
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.metrics import cem_ord_score, ordinal_mean_absolute_error

RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=14)
SCORE = TRUE + RNG.normal(size=14).round(1)


def all_predictions():
    """Return the predictions of all cuts between 14 scores into four classes."""
    places = [*np.unique(SCORE), np.inf]
    return [
        np.searchsorted(cuts, SCORE, side="right")
        for cuts in combinations_with_replacement(places, 3)
    ]


@pytest.mark.parametrize(
    ("metric", "function", "sign"),
    [
        ("cem_ord", cem_ord_score, 1),
        ("accuracy", lambda true, pred: np.mean(true == pred), 1),
        ("ordinal_mean_absolute_error", ordinal_mean_absolute_error, -1),
        (
            "quadratic_weighted_kappa",
            lambda *y: 1 - np.mean(np.subtract(*y) ** 2) / np.mean(np.subtract.outer(*y) ** 2),
            1,
        ),
    ],
)
def test_no_cuts_are_better(metric, function, sign):
    result = tune_thresholds(TRUE, SCORE, metric=metric)
    best = max(sign * function(TRUE, y_pred) for y_pred in all_predictions())
    assert sign * result.value == pytest.approx(best, abs=1e-12)
    assert function(TRUE, result.predict(SCORE)) == pytest.approx(result.value, abs=1e-12)
    # Each curve has the value where its cut is.
    for cut, places, values in zip(result.thresholds, result.places, result.values, strict=True):
        assert values[places == cut] == pytest.approx(result.value, abs=1e-12)


def test_the_cuts_of_out_of_fold_scores_are_those_of_the_classifier():
    X, y = load_lev(return_X_y=True)
    scores = cross_val_predict(Ridge(), X, y, cv=StratifiedKFold())
    model = TunedOrdinalThresholdClassifierCV(Ridge(), scoring="accuracy").fit(X, y)
    result = tune_thresholds(y, scores, metric="accuracy")
    np.testing.assert_allclose(result.thresholds, model.best_thresholds_, rtol=1e-9)
    assert result.value == pytest.approx(model.best_score_, abs=1e-12)


def test_a_sample_of_weight_two_counts_twice():
    weights = np.arange(14) % 3
    weighted = tune_thresholds(TRUE, SCORE, sample_weight=weights)
    repeated = tune_thresholds(np.repeat(TRUE, weights), np.repeat(SCORE, weights))
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)
    assert "for 9 samples (weighted)." in " ".join(str(weighted).split())


def test_classes_without_samples_are_never_predicted():
    names = ["none", "low", "mid", "high", "top"]
    true = np.array(names)[TRUE % 2 * 2 + 1]
    result = tune_thresholds(true, SCORE, labels=names)
    assert result.thresholds[0] == -np.inf
    assert result.thresholds[3] == np.inf
    assert result.thresholds[1] == result.thresholds[2]
    assert set(result.predict(SCORE)) <= {"low", "high"}
    text = " ".join(str(result).split())
    assert "No sample is of class none, mid and top, so the cuts never predict it." in text
    assert result.plot().legend_.get_texts()[0].get_text().endswith("unused")


def test_other_scores_are_cut():
    result = tune_thresholds(["a", "a", "b"], [1, 2, 3], labels=["a", "b"], metric="accuracy")
    assert result.thresholds.tolist() == [2.5]
    assert result.predict(pd.Series([2.5, 2.4, 9])).tolist() == ["b", "a", "b"]
    with pytest.raises(ValueError, match=r"^y_score must have shape \(n_samples,\), got \(1, 2\)"):
        result.predict([[1, 2]])
    with pytest.raises(ValueError, match=r"^y_score must be finite: sample 1 has nan \(1 of 2"):
        result.predict([1, np.nan])


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (([0, 0], [1, 2]), {"labels": [0, 1]}, "y_true must have samples of at least two classes"),
        (([0, 1], [3, 3]), {}, "y_score must have at least two different values, got 3 for all"),
        (([0, 1], [3, np.inf]), {}, "y_score must be finite"),
        (([0, 1], [3, 4, 5]), {}, "y_true and y_score must have the same length"),
        (([0, 1], [3, 4]), {"metric": "log_loss"}, "metric must be a criterion of predicted"),
        (([0, 1], [3, 4]), {"n_thresholds": 0}, "n_thresholds must be a positive integer"),
    ],
)
def test_bad_input(args, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        tune_thresholds(*args, **options)
