"""The tables of docs/reference/raters.rst, and the differences they name.

Each package is a second opinion, and its tests are skipped where it is missing. irrCAC needs an old
SciPy and RSMTool an old NumPy, so the values of both are stored.
"""

from functools import partial
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, get_metric, metrics
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.metrics import agreement_score

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "raters.rst"
GRADES = [
    [1, 1, 2], [3, 3, 3], [2, 3, 3], [1, 1, 1], [4, 4, 3], [2, 2, 2],
    [4, 4, 4], [1, 2, 1], [3, 4, 4], [2, 2, 4], [3, 3, 3], [1, 1, 1],
]  # fmt: skip
COUNTS = [[5, 1, 0], [2, 4, 1], [0, 2, 6]]
# Value and standard error, from irrCAC 0.4.4: the estimates "coefficient_value" and "se" of gwet(),
# fleiss(), conger(), bp() and krippendorff() of irrCAC.raw.CAC(pandas.DataFrame(GRADES),
# weights=..., digits=12, categories=[1, 2, 3, 4]).
RAW = {
    "identity": [
        (0.556164383562, 0.134577716944),
        (0.553719008264, 0.132549430719),
        (0.555555555556, 0.130936882031),
        (0.555555555556, 0.134005042035),
        (0.566115702479, 0.132549430719),
    ],
    "quadratic": [
        (0.802117263844, 0.091095182510),
        (0.799504950495, 0.098407893565),
        (0.801104972376, 0.096258058421),
        (0.800000000000, 0.087617165423),
        (0.805074257426, 0.098407893565),
    ],
    "ratio": [
        (0.795665292151, 0.083654266718),
        (0.800229696473, 0.087005033627),
        (0.801598218468, 0.085330104781),
        (0.793793132647, 0.082516244586),
        (0.805778871571, 0.087005033627),
    ],
}
# The same of cohen(), scott(), gwet(), krippendorff() and pa2() of
# irrCAC.table.CAC(pandas.DataFrame(COUNTS), weights=..., digits=12).
TABLE = {
    "identity": [
        (0.571428571429, 0.147266398605),
        (0.570698466780, 0.148011118408),
        (0.571792693288, 0.147868239377),
        (0.580919931857, 0.148011118408),
        (0.714285714286, 0.098580794192),
    ],
    "quadratic": [
        (0.785714285714, 0.084882031333),
        (0.784982935154, 0.085686200568),
        (0.786440677966, 0.074060962638),
        (0.790102389078, 0.085686200568),
        (0.928571428571, 0.024645198548),
    ],
}
# From prmse_true(SYSTEM, numpy.array(HUMANS)) of rsmtool.utils.prmse, version 12.
SYSTEM = [1.2, 2.9, 2.5, 1.8, 2.6, 2.2]
HUMANS = [[1, 1, 2], [3, np.nan, 3], [2, 3, 3], [1, np.nan, np.nan], [4, 4, 3], [2, 2, np.nan]]
PRMSE = 0.7762406015037595


def peer(name):
    return pytest.importorskip(name, reason="a second opinion")


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_each_level_has_the_value_of_krippendorff(level):
    krippendorff = peer("krippendorff")
    rng = np.random.default_rng(0)
    grades = np.clip(rng.integers(1, 6, (40, 1)) + rng.integers(-1, 2, (40, 4)), 1, 5)
    grades = np.where(rng.random(grades.shape) < 0.2, np.nan, grades)
    expected = krippendorff.alpha(reliability_data=grades.T, level_of_measurement=level)
    options = {"weights": level} if level == "ratio" else {"level": level}
    ratings = OrdinalRatings.from_ratings(grades)
    assert agreement_score(ratings, "krippendorff_alpha", **options) == pytest.approx(expected)


def test_counts_of_grades_have_the_value_of_krippendorff():
    krippendorff = peer("krippendorff")
    counts = np.array([[2, 1, 0], [0, 0, 2], [0, 1, 2], [0, 1, 0], [3, 0, 0]])
    expected = krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal")
    assert round(expected, 4) == 0.7956  # on the page
    columns = zip_longest(*(np.repeat([1, 2, 3], row) for row in counts))
    ratings = OrdinalRatings.from_ratings(list(zip(*columns, strict=True)))
    ours = agreement_score(ratings, "krippendorff_alpha")
    assert ours == pytest.approx(expected)


def test_krippendorff_takes_the_differences_of_labels_and_raises_for_a_single_class():
    krippendorff = peer("krippendorff")
    grades = np.array([[10, 20], [20, 20], [40, 40], [10, 10.0]])
    theirs = krippendorff.alpha(grades.T, level_of_measurement="interval")
    ratings = OrdinalRatings.from_ratings(grades, labels=[10, 20, 40])
    ours = agreement_score(ratings, "krippendorff_alpha", level="interval")
    steps = np.searchsorted([10, 20, 40], grades).astype(float)
    assert ours == pytest.approx(krippendorff.alpha(steps.T, level_of_measurement="interval"))
    assert ours != pytest.approx(theirs)
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha([[1.0, 1.0], [1.0, 1.0]])
    single = OrdinalRatings.from_ratings([[1, 1], [1, 1]], labels=[0, 1])
    with pytest.warns(UndefinedMetricWarning):
        value = agreement_score(single, "krippendorff_alpha")
    assert np.isnan(value)


@pytest.mark.parametrize("weights", RAW)
def test_complete_grades_have_the_values_and_the_standard_errors_of_irrcac(weights):
    ratings = OrdinalRatings.from_ratings(GRADES)
    names = ["gwet_ac2", "fleiss_kappa", "conger_kappa", "brennan_prediger", "krippendorff_alpha"]
    for name, (value, error) in zip(names, RAW[weights], strict=True):
        assert f'coefficient="{name}"' in PAGE.read_text("utf-8")
        metric = get_metric(partial(agreement_score, coefficient=name, weights=weights))
        interval = delta_interval(ratings, metrics=metric)
        assert interval.estimate == pytest.approx(value, abs=1e-11)
        # Alpha has another correction for few items.
        apart = 0.005 if name == "krippendorff_alpha" else 1e-11
        assert interval.standard_error == pytest.approx(error, abs=apart)


@pytest.mark.parametrize("weights", TABLE)
def test_tables_have_the_values_of_irrcac_and_another_factor_in_the_standard_errors(weights):
    confusion = OrdinalConfusion.from_counts(COUNTS)
    functions = [metrics.weighted_kappa_score, metrics.scott_pi_score, metrics.gwet_ac2_score]
    *coefficients, (alpha, _), (agreement, _) = TABLE[weights]
    n = np.sum(COUNTS)
    for function, (value, error) in zip(functions, coefficients, strict=True):
        interval = delta_interval(confusion, metrics=partial(function, weights=weights))
        assert interval.estimate == pytest.approx(value, abs=1e-11)
        assert interval.standard_error == pytest.approx(error * np.sqrt(n / (n - 1)), abs=1e-11)
    ours = agreement_score(confusion, "krippendorff_alpha", weights=weights)
    assert ours == pytest.approx(alpha, abs=1e-11)
    squares = np.subtract.outer(range(3), range(3)) ** 2 / 4
    costs = squares if weights == "quadratic" else 1 - np.eye(3)
    loss = get_metric(partial(metrics.expected_cost_loss, cost_matrix=costs))
    assert 1 - loss(confusion) == pytest.approx(agreement, abs=1e-11)


def test_prmse_is_that_of_rsmtool():
    ratings = OrdinalRatings.from_ratings(HUMANS)
    assert metrics.prmse_score(ratings, SYSTEM) == pytest.approx(PRMSE, abs=1e-12)
    prmse = peer("rsmtool.utils.prmse")
    assert prmse.prmse_true(np.array(SYSTEM), np.array(HUMANS)) == pytest.approx(PRMSE)


def test_other_functions_have_the_values_of_rsmtool():
    rsmtool = peer("rsmtool.utils.metrics")
    y_true, y_pred = np.array(GRADES)[:, :2].T
    expected = rsmtool.quadratic_weighted_kappa(y_true, y_pred)
    assert metrics.quadratic_weighted_kappa_score(y_true, y_pred) == pytest.approx(expected)
    expected = rsmtool.agreement(y_true, y_pred)
    assert 100 * sklearn.metrics.accuracy_score(y_true, y_pred) == pytest.approx(expected)
    expected = rsmtool.agreement(y_true, y_pred, tolerance=1)
    assert 100 * metrics.within_n_accuracy_score(y_true, y_pred) == pytest.approx(expected)
