"""The tables of docs/reference/coming_from.rst, row by row, and the differences they name.

Each package is a second opinion, and its tests are skipped where it is missing. dlordinal and
ordinal-xai require torch, but not for their metrics:
``pip install --no-deps dlordinal ordinal-xai``.
"""

import importlib
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import cross_validate

from sklearn_ordinal import OrdinalReport, metrics
from sklearn_ordinal.datasets import load_lev

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "coming_from.rst"
OPTIONS = re.compile(r"(?s)(\S+?`+)(?:\s+with\s+``(.+?)``)?\Z")

rng = np.random.default_rng(0)
Y_TRUE = np.repeat(range(4), [9, 14, 20, 7])
Y_PRED = np.where(rng.random(len(Y_TRUE)) < 0.5, Y_TRUE, rng.integers(0, 4, len(Y_TRUE)))
Y_PROBA = rng.dirichlet(np.ones(4), len(Y_TRUE))
DISTANCES = {i: {j: abs(i - j) for j in range(4)} for i in range(4)}


def rows_of(section):
    """Return the rows of the tables of a section, each as its three cells."""
    text = re.search(rf"(?s)\n{section}\n-+\n(.*?)(?=\n[^\n]+\n---|\Z)", PAGE.read_text("utf-8"))[1]
    cells = [re.split(r"\n     - ?", row) for row in re.split(r"\n   \* - ", text)[1:]]
    cells = [[re.sub(r"\n\n.*", "", cell, flags=re.S) for cell in row] for row in cells]
    return [row for row in cells if "here" not in row[1][:4]]


def called(cell, module=None):
    """Return the value of the function of a cell, such as "`f` with ``option=1``"."""
    name, options = OPTIONS.match(cell.strip()).groups()
    name = name.strip("`~")
    if module is None:
        module = metrics if name.startswith("sklearn_ordinal") else sklearn.metrics
    function = getattr(module, name.split(".")[-1])
    keywords = eval(f"dict({' '.join(options.split())})") if options else {}
    of_probabilities = name.endswith("ranked_probability_score")
    value = function(Y_TRUE, Y_PROBA if of_probabilities else Y_PRED, **keywords)
    if isinstance(value, dict):
        [value] = value.values()
    return value


def peer(name):
    return pytest.importorskip(name, reason="a second opinion")


@pytest.mark.parametrize("package", ["skordinal", "dlordinal", "imbalanced-learn"])
def test_each_row_has_the_same_value_in_both_packages(package):
    module = peer({"imbalanced-learn": "imblearn"}.get(package, package) + ".metrics")
    rows = rows_of(package)
    assert len(rows) >= 5
    for theirs, ours, _ in rows:
        assert called(ours) == pytest.approx(called(theirs, module)), theirs


@pytest.mark.parametrize("package", ["skordinal", "dlordinal", "imbalanced-learn"])
def test_each_metric_of_the_package_is_on_the_page(package):
    module = peer({"imbalanced-learn": "imblearn"}.get(package, package) + ".metrics")
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in module.__all__ if f"``{name}``" not in text] == []


def test_each_row_has_the_same_value_in_ordinal_xai():
    module = peer("ordinal_xai.utils.evaluation_metrics")
    rows = rows_of("ordinal-xai")
    assert len(rows) >= 10
    for theirs, ours, _ in rows:
        is_same = called(ours) == pytest.approx(called(theirs, module))
        assert is_same == (theirs != "``cem``"), theirs


def test_each_metric_of_ordinal_xai_is_on_the_page():
    module = peer("ordinal_xai.utils.evaluation_metrics")
    text = PAGE.read_text(encoding="utf-8")
    names = [
        name
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    ]
    assert [name for name in names if name[0] != "_" and f"``{name}``" not in text] == []


def test_ordinal_xai_counts_half_of_the_lower_class_in_its_cem():
    module = peer("ordinal_xai.utils.evaluation_metrics")
    too_low = np.minimum(Y_TRUE, Y_PRED)
    assert metrics.cem_ord_score(Y_TRUE, too_low) == pytest.approx(module.cem(Y_TRUE, too_low))
    too_high = [0, 0, 2, 2], [0, 1, 2, 2]
    assert module.cem(*too_high) == 1
    assert metrics.cem_ord_score(*too_high) == pytest.approx(0.875)
    with pytest.raises(KeyError):
        module.cem([1, 1, 2], [0, 1, 2])


def test_ordinal_xai_takes_labels_as_numbers_and_closes_gaps():
    module = peer("ordinal_xai.utils.evaluation_metrics")
    y_true, y_pred, labels = [10, 20, 30], [20, 20, 30], [10, 20, 30]
    assert module.adjacent_accuracy(y_true, y_pred) == pytest.approx(2 / 3)
    assert metrics.within_n_accuracy_score(y_true, y_pred, labels=labels) == 1
    y_true, y_pred = [1, 1, 4, 4, 2], [1, 4, 4, 1, 1]
    closed = metrics.quadratic_weighted_kappa_score(y_true, y_pred, labels=[1, 2, 4])
    assert module.weighted_kappa(y_true, y_pred) == pytest.approx(closed)
    assert metrics.quadratic_weighted_kappa_score(y_true, y_pred) != pytest.approx(closed)
    y_true, y_proba = [1, 2], [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3]]
    theirs = module.ranked_probability_score(y_true, y_proba)
    ours = metrics.ranked_probability_score(y_true, y_proba, labels=[1, 2, 3])
    assert ours == pytest.approx(theirs)
    theirs = module.ranked_probability_score(y_true, y_proba, zero_indexed=True)
    ours = metrics.ranked_probability_score(y_true, y_proba, labels=range(3))
    assert ours == pytest.approx(theirs)


def test_each_row_has_the_same_value_in_pycm():
    pycm = peer("pycm")
    matrix = pycm.ConfusionMatrix(Y_TRUE.tolist(), Y_PRED.tolist())
    factors = {"DP": np.log(10)}
    different = {"AGM", "weighted_alpha"}
    rows = rows_of("PyCM")
    assert len(rows) >= 40
    for theirs, ours, difference in rows:
        if ours.startswith('``"'):
            [measure] = re.findall(r'"(\w+)"', ours)
            expected = metrics.split_measures(Y_TRUE, Y_PRED, measures=[measure])[measure]
        else:
            expected = called(ours)
        for name in re.findall(r"``(\w+)``", theirs):
            value = getattr(matrix, name)
            if inspect.ismethod(value):
                value = value(weight=DISTANCES)
            if isinstance(value, dict):
                value = np.array(list(value.values()))
            value = value * factors.get(name, 1)
            assert (value == pytest.approx(expected)) is (name not in different), name
            assert difference or name not in different


def test_each_statistic_of_pycm_is_on_the_page():
    matrix = peer("pycm").ConfusionMatrix(Y_TRUE.tolist(), Y_PRED.tolist())
    text = PAGE.read_text(encoding="utf-8")
    params = importlib.import_module("pycm.params")
    names = [*params.CLASS_PARAMS.values(), *params.OVERALL_PARAMS.values()]
    assert all(hasattr(matrix, name) for name in names)
    not_named = {name for name in names if f"``{name}``" not in text}
    assert not_named == {f"SOA{i}" for i in range(2, 10)}


def test_pycms_adjusted_geometric_mean_takes_the_share_of_the_negatives():
    matrix = peer("pycm").ConfusionMatrix(Y_TRUE.tolist(), Y_PRED.tolist())
    names = ["geometric_mean", "specificity"]
    mean, specificity = metrics.split_measures(Y_TRUE, Y_PRED, measures=names).values()
    share = 1 - np.bincount(Y_TRUE) / len(Y_TRUE)
    assert list(matrix.AGM.values()) == pytest.approx((mean + specificity * share) / (1 + share))


def test_pycms_weighted_alpha_squares_the_mean_share_of_a_true_and_a_predicted_class():
    matrix = peer("pycm").ConfusionMatrix(Y_TRUE.tolist(), Y_PRED.tolist())
    squared = np.subtract.outer(range(4), range(4)) ** 2
    value = matrix.weighted_alpha(
        weight={i: dict(enumerate(squared[i].tolist())) for i in range(4)}
    )
    shares = np.array([np.bincount(y) / len(y) for y in (Y_TRUE, Y_PRED)])
    agreement = 1 - squared / 9
    observed = np.mean(agreement[Y_TRUE, Y_PRED])
    observed += (1 - observed) / (2 * len(Y_TRUE))

    def alpha(expected):
        return (observed - np.sum(expected * agreement)) / (1 - np.sum(expected * agreement))

    assert value == pytest.approx(alpha((np.add.outer(*shares) / 2) ** 2))
    mean = shares.mean(axis=0)
    ours = metrics.krippendorff_alpha_score(Y_TRUE, Y_PRED, level="interval")
    assert ours == pytest.approx(alpha(np.outer(mean, mean)))


def test_pycm_has_no_macro_average_if_a_class_is_undefined():
    matrix = peer("pycm").ConfusionMatrix([0, 0, 1], [0, 2, 1])
    assert matrix.TPR_Macro == "None"
    with pytest.warns(UndefinedMetricWarning, match="sensitivity"):
        ours = metrics.split_measures(
            [0, 0, 1], [0, 2, 1], measures=["sensitivity"], average="macro"
        )
    assert ours == {"sensitivity": 0.75}


@pytest.mark.parametrize(
    ("package", "theirs", "ours", "closed", "kept"),
    [
        ("skordinal", "accuracy_off1_score", "within_n_accuracy_score", 1, 0.75),
        (
            "skordinal",
            "average_mean_absolute_error",
            "macro_averaged_mean_absolute_error",
            0.25,
            0.75,
        ),
        ("skordinal", "maximum_mean_absolute_error", "maximum_mean_absolute_error", 0.5, 1.5),
        ("dlordinal", "accuracy_off1", "within_n_accuracy_score", 1, 0.75),
        ("dlordinal", "amae", "macro_averaged_mean_absolute_error", 0.25, 0.75),
        ("dlordinal", "mmae", "maximum_mean_absolute_error", 0.5, 1.5),
    ],
)
def test_other_packages_close_the_gap_of_a_grade_that_does_not_occur(
    package, theirs, ours, closed, kept
):
    y_true, y_pred = [1, 1, 4, 4], [1, 1, 4, 1]
    assert getattr(peer(f"{package}.metrics"), theirs)(y_true, y_pred) == closed
    assert getattr(metrics, ours)(y_true, y_pred) == kept


def test_skordinals_weighted_kappa_closes_the_gap_too():
    skordinal = peer("skordinal.metrics")
    y_true, y_pred = [1, 1, 4, 4, 2], [1, 4, 4, 1, 1]
    assert skordinal.weighted_kappa(y_true, y_pred) == pytest.approx(0)
    assert skordinal.weighted_kappa(y_true, y_pred, labels=[1, 2, 3, 4]) == pytest.approx(2 / 37)
    assert metrics.linear_weighted_kappa_score(y_true, y_pred) == pytest.approx(2 / 37)


@pytest.mark.parametrize("package", ["skordinal", "dlordinal"])
def test_integers_without_labels_are_numbers_of_columns_in_other_packages(package):
    module = peer(f"{package}.metrics")
    y_proba = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3]]
    theirs = module.ranked_probability_score([0, 1], y_proba)
    with pytest.raises(ValueError, match="a column for each of the 2 classes"):
        metrics.ranked_probability_score([0, 1], y_proba)
    ours = metrics.ranked_probability_score([0, 1], y_proba, labels=range(3))
    assert ours == pytest.approx(theirs)


def test_dlordinal_drops_samples_that_are_predicted_as_a_class_that_is_never_true():
    dlordinal = peer("dlordinal.metrics")
    y_true, y_pred = np.array([0, 0, 1, 3]), np.array([0, 2, 1, 3])
    assert dlordinal.accuracy_off1(y_true, y_pred) == 1
    assert metrics.within_n_accuracy_score(y_true, y_pred) == 0.75


def test_dlordinal_takes_the_largest_column_of_two_dimensional_input():
    dlordinal = peer("dlordinal.metrics")
    y_true, y_proba = np.array([0, 1, 2]), np.eye(3)[[0, 2, 2]]
    theirs = dlordinal.amae(y_true, y_proba)
    assert metrics.macro_averaged_mean_absolute_error(y_true, y_proba.argmax(axis=1)) == theirs
    with pytest.raises(ValueError, match="y_pred"):
        metrics.macro_averaged_mean_absolute_error(y_true, y_proba)


def test_imbalanced_learn_raises_for_a_class_that_is_only_predicted():
    imblearn = peer("imblearn.metrics")
    with pytest.raises(ValueError, match="0 sample"):
        imblearn.macro_averaged_mean_absolute_error([0, 0, 1], [0, 2, 1])
    assert metrics.macro_averaged_mean_absolute_error([0, 0, 1], [0, 2, 1]) == 0.5
    with pytest.warns(UndefinedMetricWarning, match="set to 0"):
        theirs = imblearn.sensitivity_score([0, 0, 1], [0, 2, 1], average=None)
    assert theirs[2] == 0
    with pytest.warns(UndefinedMetricWarning, match="sensitivity"):
        ours = metrics.split_measures([0, 0, 1], [0, 2, 1], measures=["sensitivity"])
    assert np.isnan(ours["sensitivity"][2])


def test_pycm_leaves_constant_predictions_undefined():
    pycm = peer("pycm")
    y_true, y_pred = [0, 1, 2, 2], [1, 1, 1, 1]
    matrix = pycm.ConfusionMatrix(y_true, y_pred)
    assert matrix.Overall_MCC == matrix.PPV_Macro == matrix.NPV_Macro == "None"
    assert sklearn.metrics.matthews_corrcoef(y_true, y_pred) == 0
    assert sklearn.metrics.precision_score(
        y_true, y_pred, average="macro", zero_division=0
    ) == pytest.approx(1 / 12)


def test_pycms_weighted_kappa_without_weights_is_kappa():
    matrix = peer("pycm").ConfusionMatrix(Y_TRUE.tolist(), Y_PRED.tolist())
    with pytest.warns(RuntimeWarning, match="unweighted kappa"):
        assert matrix.weighted_kappa() == matrix.Kappa


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_class_that_is_only_predicted_has_sensitivity_0_in_two_packages():
    dlordinal, imblearn = peer("dlordinal.metrics"), peer("imblearn.metrics")
    y_true, y_pred = np.array([0, 0, 1]), np.array([0, 2, 1])
    assert dlordinal.minimum_sensitivity(y_true, y_pred) == 0
    assert dlordinal.gmsec(y_true, y_pred) == dlordinal.gmes(y_true, y_pred) == 0
    assert dlordinal.mes(y_true, y_pred) == 0.25
    assert imblearn.geometric_mean_score(y_true, y_pred) == 0
    assert metrics.minimum_sensitivity_score(y_true, y_pred) == 0.5
    assert metrics.extreme_sensitivity_score(y_true, y_pred) == 0.5
    assert metrics.geometric_mean_score(y_true, y_pred) == pytest.approx(0.5**0.5)


def test_skordinal_takes_the_extremes_of_the_classes_that_are_true():
    skordinal = peer("skordinal.metrics")
    y_true, y_pred = [0, 0, 1], [0, 2, 1]
    assert skordinal.gmsec(y_true, y_pred) == pytest.approx(0.5**0.5)
    assert skordinal.mean_extreme_sensitivity(y_true, y_pred) == 0.75
    assert metrics.extreme_sensitivity_score(y_true, y_pred) == 0.5


@pytest.mark.parametrize(
    ("name", "scoring"),
    [("LogisticAT", ["cem_ord", "neg_ranked_probability_score"]), ("SVOR", ["cem_ord"])],
)
def test_skordinals_classifiers_work_with_scorers_and_reports(name, scoring):
    classifier = getattr(peer("skordinal.classifiers"), name)()
    X, y = load_lev(return_X_y=True)
    scores = cross_validate(classifier, X[:200], y[:200], cv=2, scoring=scoring)
    assert all(np.isfinite(scores[f"test_{criterion}"]).all() for criterion in scoring)
    report = OrdinalReport.from_estimator(classifier.fit(X[:200], y[:200]), X, y, zero_division=0.0)
    value = metrics.cem_ord_score(y, classifier.predict(X))
    assert report.criteria["cem_ord"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("kendalls_tau", "kendall_tau_score"), ("spearmans_rho", "spearman_correlation_score")],
)
def test_skordinals_correlations_with_constant_predictions_are_0(theirs, ours):
    assert getattr(peer("skordinal.metrics"), theirs)([0, 1, 2], [1, 1, 1]) == 0
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(getattr(metrics, ours)([0, 1, 2], [1, 1, 1]))
    assert getattr(metrics, ours)([0, 1, 2], [1, 1, 1], replace_undefined_by=0) == 0


def test_errors_are_steps_on_the_scale_whatever_the_labels():
    skordinal, imblearn = peer("skordinal.metrics"), peer("imblearn.metrics")
    y_true, y_pred, labels = [10, 20, 30], [10, 30, 30], [10, 20, 30]
    assert skordinal.mean_absolute_error(y_true, y_pred) == pytest.approx(10 / 3)
    assert imblearn.macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(10 / 3)
    for ours in (metrics.ordinal_mean_absolute_error, metrics.macro_averaged_mean_absolute_error):
        assert ours(y_true, y_pred, labels=labels) == pytest.approx(1 / 3)


def test_imbalanced_learns_macro_average_of_geometric_means_is_of_the_rates():
    imblearn = peer("imblearn.metrics")
    names = ["sensitivity", "specificity", "geometric_mean"]
    rates = metrics.split_measures(Y_TRUE, Y_PRED, measures=names, average="macro")
    theirs = imblearn.geometric_mean_score(Y_TRUE, Y_PRED, average="macro")
    assert theirs == pytest.approx((rates["sensitivity"] * rates["specificity"]) ** 0.5)
    assert theirs != pytest.approx(rates["geometric_mean"])


def test_imbalanced_learns_specificity_mixes_weights_and_numbers_of_samples():
    imblearn = peer("imblearn.metrics")
    y_true, y_pred, weight = [0, 0, 1, 2, 2, 1], [0, 1, 1, 2, 1, 1], [1, 2, 3, 1, 2, 2]
    options = {"average": None, "sample_weight": weight}
    assert imblearn.specificity_score(y_true, y_pred, **options).min() == -3
    ours = metrics.split_measures(y_true, y_pred, measures=["specificity"], sample_weight=weight)
    repeated = np.repeat(y_true, weight), np.repeat(y_pred, weight)
    expected = imblearn.specificity_score(*repeated, average=None)
    assert ours["specificity"] == pytest.approx(expected)


def test_the_index_of_balanced_accuracy_equals_imbalanced_learns():
    imblearn = peer("imblearn.metrics")
    index = imblearn.make_index_balanced_accuracy(alpha=0.1)(imblearn.geometric_mean_score)
    theirs = index([0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 2, 2, 2, 0], average=None)
    assert theirs.round(4).tolist() == [0.5262, 0.4028, 0.5262]  # on the page
