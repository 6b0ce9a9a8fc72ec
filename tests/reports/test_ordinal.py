"""The report, checked against scikit-learn's and by hand."""

import dataclasses
import math
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import (
    accuracy_score,
    classification_report,
    cohen_kappa_score,
    f1_score,
    log_loss,
    mean_absolute_error,
    mean_squared_error,
    roc_auc_score,
)
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    cross_val_report,
    make_ordinal_scorer,
    metrics,
    ordinal_report,
)
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.metrics import cem_ord_score

METRICS = metrics_of(LABELS)

LIKERT = [
    "strongly disagree",
    "disagree",
    "rather disagree",
    "neutral",
    "rather agree",
    "agree",
    "strongly agree",
]
pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)


def likert(n_samples=500):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 7, n_samples)
    y_pred = np.clip(y_true + rng.integers(-2, 3, n_samples), 0, 6)
    return np.array(LIKERT)[y_true], np.array(LIKERT)[y_pred]


def assert_same(found, expected):
    """Compare numbers, where None stands for the NaN of scikit-learn."""
    np.testing.assert_allclose(np.nan if found is None else found, expected)


@settings(deadline=None)
@given(pairs, st.sampled_from([0.0, 1.0, np.nan]), st.booleans())
def test_precision_recall_and_f1_match_scikit_learn(rows, zero_division, weighted):
    y_true, y_pred = np.array(rows).T
    weight = np.arange(1, len(rows) + 1) / 2 if weighted else None
    options = {"sample_weight": weight, "output_dict": True, "zero_division": zero_division}
    ours = ordinal_report(y_true, y_pred, **options)
    theirs = classification_report(y_true, y_pred, **options)
    for name in map(str, np.unique(rows)):
        for column in ("precision", "recall", "f1-score", "support"):
            assert_same(ours[name][column], theirs[name][column])
    # If no defined value has weight, scikit-learn averages without weights; ours is NaN.
    averages = ["macro avg"] if np.isnan(zero_division) else ["macro avg", "weighted avg"]
    for name in averages:
        for column in ("precision", "recall", "f1-score", "support"):
            assert_same(ours[name][column], theirs[name][column])
    assert ours["accuracy"] == pytest.approx(theirs["accuracy"])


@settings(deadline=None)
@given(pairs)
def test_ordinal_measures_of_a_class_match_computing_them_from_its_samples(rows):
    y_true, y_pred = np.array(rows).T
    report = ordinal_report(y_true, y_pred, output_dict=True, zero_division=0.0)
    for grade in np.unique(y_true):
        error = (y_pred - y_true)[y_true == grade]
        row = report[str(grade)]
        assert row["ordinal_mean_absolute_error"] == pytest.approx(np.abs(error).mean())
        assert row["ordinal_bias"] == pytest.approx(error.mean())
        assert row["within_1_accuracy"] == pytest.approx((np.abs(error) <= 1).mean())
        assert row["support"] == len(error)
    weighted = report["weighted avg"]
    assert weighted["ordinal_mean_absolute_error"] == pytest.approx(np.abs(y_pred - y_true).mean())
    assert weighted["ordinal_bias"] == pytest.approx((y_pred - y_true).mean())
    macro = metrics.macro_averaged_mean_absolute_error(y_true, y_pred)
    assert report["macro avg"]["ordinal_mean_absolute_error"] == pytest.approx(macro)


def test_criteria_equal_the_metric_functions():
    y_true, y_pred = likert()
    report = OrdinalReport.from_predictions(y_true, y_pred, labels=LIKERT, metrics="all")
    assert list(report.criteria) == list(METRICS)
    assert report.criteria["cem_ord"] == metrics.cem_ord_score(y_true, y_pred, labels=LIKERT)
    tau = metrics.kendall_tau_score(y_true, y_pred, labels=LIKERT, variant="c")
    assert report.criteria["kendall_tau_c"] == tau


def test_a_class_that_does_not_occur_has_a_row_but_does_not_change_averages():
    y_true, y_pred = [0, 1, 1, 3], [0, 1, 3, 3]
    narrow = ordinal_report([0, 1, 1, 2], [0, 1, 2, 2], output_dict=True)
    wide = ordinal_report(y_true, y_pred, labels=range(5), output_dict=True, zero_division=0.0)
    assert wide["2"]["support"] == wide["4"]["support"] == 0
    assert wide["4"]["ordinal_mean_absolute_error"] is None
    for column in ("precision", "recall", "f1-score"):
        assert wide["macro avg"][column] == pytest.approx(narrow["macro avg"][column])


def test_the_function_returns_the_text_of_the_report():
    names = ["low", "mid", "high"]
    options = {"target_names": names, "metrics": ["cem_ord", "ordinal_mean_absolute_error"]}
    text = ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1], **options)
    pairs_of_lines = ((line.split("  ")[0], line.split()[1:]) for line in text.splitlines() if line)
    rows = dict(reversed(list(pairs_of_lines)))
    assert rows["class"][:3] == ["precision", "recall", "f1-score"]
    assert rows["mid"] == ["0.50", "0.50", "0.50", "0.50", "0.50", "1.00", "2"]
    assert rows["high"] == ["0.50", "0.50", "0.50", "0.50", "-0.50", "1.00", "2"]
    assert rows["accuracy"] == ["0.60", "5"]
    assert rows["macro avg"] == ["avg", "0.67", "0.67", "0.67", "0.33", "0.00", "1.00", "5"]
    assert rows["cem_ord"] == ["0.75", "0", "to", "1", "higher"]
    assert rows["ordinal_mean_absolute_error"] == ["0.40", "0", "to", "2", "lower"]
    assert "5 samples, 3 classes from low (lowest) to high (highest)." in text
    finer = ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1], digits=4)
    assert "0.6667" in finer


def verdict(report):
    return " ".join(note.text for note in report.document().verdict)


# The majority class, 1, is the best constant by accuracy, and the median, 2, by the absolute error.
SPREAD = np.repeat([0, 1, 2, 3, 4], [3, 9, 6, 5, 2])


@pytest.mark.parametrize(
    ("metric", "score", "best"),
    [
        ("accuracy", accuracy_score, max),
        ("ordinal_mean_absolute_error", mean_absolute_error, min),
        ("ordinal_mean_squared_error", mean_squared_error, min),
        ("f1_macro", partial(f1_score, average="macro", zero_division=0.0), max),
    ],
)
def test_the_verdict_compares_the_value_with_the_best_constant(metric, score, best):
    values = {k: float(score(SPREAD, np.full(len(SPREAD), k))) for k in range(5)}
    constant = best(values, key=values.get)
    y_pred = SPREAD.copy()
    y_pred[::7] = 4 - y_pred[::7]
    report = OrdinalReport.from_predictions(SPREAD, y_pred, metrics=metric, digits=3)
    better = "lower is better" if best is min else ""
    ending = f"; {better}." if better else "."
    assert verdict(report) == (
        f"{metric} is {score(SPREAD, y_pred):.3f}, better than {values[constant]:.3f} for always "
        f"predicting {constant}, the best constant{ending}"
    )


def test_the_verdict_says_if_a_constant_is_better_or_as_good():
    make = partial(OrdinalReport.from_predictions, SPREAD, metrics="accuracy", digits=1)
    assert verdict(make(4 - SPREAD)) == (
        "accuracy is 0.2, worse than 0.4 for always predicting 1, the best constant."
    )
    assert verdict(make(np.ones(25, int), zero_division=0.0)) == (
        "accuracy is 0.4, the same as for always predicting 1, the best constant."
    )
    # Different values are never printed as equal.
    y_pred = np.where(np.arange(25) < 2, SPREAD, 1)
    y_pred[3] = 0
    assert verdict(make(y_pred, zero_division=0.0)) == (
        "accuracy is 0.40, better than 0.36 for always predicting 1, the best constant."
    )


def test_the_verdict_has_the_interval_if_there_is_one():
    report = OrdinalReport.from_predictions(SPREAD, 4 - SPREAD, metrics="cem_ord", intervals=True)
    interval = report.intervals["cem_ord"]
    ends = f"{interval.low:.2f} to {interval.high:.2f}"
    assert f"cem_ord is {interval.estimate:.2f} (95% interval {ends}), worse" in verdict(report)


def test_constants_of_the_verdict_answer_all_samples_of_criteria_that_count_unanswered_ones():
    y_pred = [None, *SPREAD[1:]]
    report = OrdinalReport.from_predictions(
        SPREAD, y_pred, metrics=["cem_ord", "accuracy"], unanswered="count"
    )
    constants = [cem_ord_score(SPREAD, np.full(25, k), labels=range(5)) for k in range(5)]
    assert f"better than {max(constants):.2f} for always" in verdict(report)
    report = OrdinalReport.from_predictions(
        SPREAD, y_pred, metrics="accuracy", unanswered="count", digits=4
    )
    assert f"better than {9 / 24:.4f} for always" in verdict(report)


def test_a_verdict_without_constants_says_which_values_are_better():
    make = partial(OrdinalReport.from_predictions, SPREAD, SPREAD, zero_division=0.0)
    assert verdict(make(metrics="kendall_tau_b")) == "kendall_tau_b is 1.00; higher is better."
    proba = np.full((25, 5), 0.2)
    forecasts = OrdinalForecasts.from_probabilities(SPREAD, proba)
    of_proba = OrdinalReport.from_predictions(forecasts, metrics="log_loss")
    assert verdict(of_proba) == f"log_loss is {math.log(5):.2f}; lower is better."
    many = np.arange(101)
    of_many = OrdinalReport.from_predictions(many, many, metrics="cem_ord")
    assert verdict(of_many) == "cem_ord is 1.00; higher is better."
    undefined = OrdinalReport.from_predictions(
        [1, 1], [1, 1], labels=[0, 1], metrics="kendall_tau_b", zero_division=0.0
    )
    assert verdict(undefined) == "kendall_tau_b is undefined."


def test_one_sample_and_one_class_are_singular():
    found = OrdinalReport.from_predictions([0], [0], labels=[0], metrics="accuracy")
    assert "\n1 sample, 1 class from 0 (lowest) to 0 (highest).\n" in str(found)
    assert repr(found) == "OrdinalReport(1 class, accuracy=1.00)"
    more = OrdinalReport.from_predictions([0, 1], [0, 1], sample_weight=[0.5, 0.5])
    assert "\n2 samples with a total weight of 1, 2 classes from 0 (lowest)" in str(more)


def test_support_is_the_sum_of_weights():
    report = OrdinalReport.from_predictions([0, 1], [0, 1], sample_weight=[0.5, 2])
    assert report.to_dict()["1"]["support"] == 2.0
    assert "2.50" in str(report)


def test_one_warning_lists_the_undefined_values():
    with pytest.warns(UndefinedMetricWarning) as record:
        report = OrdinalReport.from_predictions([0, 1], [0, 0], labels=[0, 1, 2])
    assert len(record) == 1
    message = str(record[0].message)
    assert "precision of 1 and 2 (set to 0.0); recall of 2 (set to 0.0)" in message
    assert "kendall_tau_b" in message
    assert report.per_class["precision"].tolist() == [0.5, 0, 0]
    assert math.isnan(report.criteria["kendall_tau_b"])


def test_the_warning_about_undefined_values_names_a_few_of_many_classes():
    with pytest.warns(UndefinedMetricWarning, match=r"recall of 2, 3, 4, 5, 6 and 93 others \("):
        OrdinalReport.from_predictions([0, 1], [0, 1], labels=range(100), metrics="accuracy")


def share_too_high_error(y_true, y_pred):
    return np.mean(np.greater(y_pred, y_true))


def test_a_report_has_six_criteria_by_default_and_says_how_to_see_the_others():
    X, y = load_lev(return_X_y=True)
    y_pred = np.repeat(2, len(y))
    default = cross_val_report(DummyClassifier(), X, y, cv=2, verbose=False).metrics
    report = OrdinalReport.from_predictions(y, y_pred, zero_division=0.0)
    assert list(report.criteria) == list(default)
    lines = ordinal_report(y, y_pred, zero_division=0.0).splitlines()
    assert len(lines) <= 30
    assert (
        lines[-1]
        == 'Pass intervals=True to see intervals, and metrics="all" to see every criterion.'
    )
    assert "metrics=" not in ordinal_report(y, y_pred, zero_division=0.0, metrics="all")
    assert lines[-1].replace('"', "&quot;") in report._repr_html_()
    for file in (report.to_html(), report.to_markdown(), report.to_latex()):
        assert "metrics=" not in file


def test_a_report_has_the_selected_criteria():
    y_true, y_pred = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
    weight = [1, 2, 3, 4, 5]
    chosen = [cohen_kappa_score, "f1_weighted", partial(f1_score, average="micro")]
    report = OrdinalReport.from_predictions(y_true, y_pred, sample_weight=weight, metrics=chosen)
    kappa = cohen_kappa_score(y_true, y_pred, sample_weight=weight)
    assert report.criteria["cohen_kappa"] == pytest.approx(kappa)
    f1 = f1_score(y_true, y_pred, average="weighted", sample_weight=weight)
    assert report.criteria["f1_weighted"] == pytest.approx(f1)
    accuracy = np.average(np.equal(y_true, y_pred), weights=weight)
    assert report.criteria[chosen[2]] == pytest.approx(accuracy)
    assert report.to_dict()["accuracy"] == pytest.approx(accuracy)
    assert "accuracy" not in report.criteria
    assert repr(report) == f"OrdinalReport(3 classes, cohen_kappa={kappa:.2f})"
    own = ordinal_report(y_true, y_pred, metrics=share_too_high_error, output_dict=True)
    assert own["criteria"] == {"share_too_high_error": 0.2}


def test_criteria_on_probabilities_need_the_estimator():
    X, y = load_lev(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    options = {"metrics": ["neg_log_loss", "cem_ord", "roc_auc_ovr"], "zero_division": 0.0}
    report = OrdinalReport.from_estimator(model, X, y, **options)
    assert report.criteria["log_loss"] == pytest.approx(log_loss(y, model.predict_proba(X)))
    assert report.criteria["cem_ord"] == metrics.cem_ord_score(y, model.predict(X))
    message = "log_loss needs probabilities, .* use OrdinalReport.from_estimator, cross_val_report"
    with pytest.raises(ValueError, match=message):
        ordinal_report(y, y, **options)
    with pytest.raises(ValueError, match="sample_weight cannot be used with roc_auc_ovr"):
        OrdinalReport.from_estimator(model, X, y, sample_weight=np.ones(len(y)), **options)


def f1_of_an_unpredicted_class_score(y_true, y_pred):
    return f1_score(y_true, y_pred, labels=[7], average="macro")


def test_zero_division_also_silences_warnings_of_user_criteria():
    with pytest.warns(UndefinedMetricWarning, match="F-score is ill-defined"):
        ordinal_report([0, 1], [0, 1], metrics=f1_of_an_unpredicted_class_score)
    ordinal_report([0, 1], [0, 1], metrics=f1_of_an_unpredicted_class_score, zero_division=0.0)


X, MODEL = np.zeros((2, 1)), DummyClassifier(strategy="most_frequent").fit(np.zeros((2, 1)), [0, 1])
WARNING = {
    "ordinal_report": lambda: ordinal_report([0, 1], [0, 0]),
    "predictions": lambda: OrdinalReport.from_predictions([0, 1], [0, 0]),
    "estimator": lambda: OrdinalReport.from_estimator(MODEL, X, [0, 1]),
    "confusion": lambda: OrdinalReport.from_confusion(
        OrdinalConfusion.from_counts([[1, 0], [1, 0]])
    ),
}


@pytest.mark.parametrize("make", WARNING.values(), ids=WARNING)
def test_the_warning_points_at_the_caller(make):
    with pytest.warns(UndefinedMetricWarning, match="precision of 1") as record:
        make()
    assert [warning.filename for warning in record] == [__file__]


@pytest.mark.parametrize("zero_division", [0.0, 1.0, 0, 1, np.nan])
def test_zero_division_replaces_undefined_values_without_a_warning(zero_division):
    report = OrdinalReport.from_predictions([0, 1], [0, 0], zero_division=zero_division)
    np.testing.assert_equal(report.per_class["precision"][1], float(zero_division))


def test_frames_have_a_row_for_each_criterion_and_each_measure_of_a_class():
    chosen = ["accuracy", "ordinal_mean_absolute_error"]
    options = {"metrics": chosen, "zero_division": 0.0}
    frame = OrdinalReport.from_predictions([0, 1, 2], [0, 2, 2], **options).to_frame()
    of_criteria = frame[frame["class"].isna()].set_index("criterion")
    assert list(of_criteria.index) == chosen
    error = of_criteria.loc["ordinal_mean_absolute_error"]
    assert error["value"] == pytest.approx(1 / 3)
    assert (error["better"], error["lowest"], error["highest"]) == ("lower", 0, 2)
    assert of_criteria.loc["accuracy", "better"] == "higher"
    bias = frame[frame["criterion"] == "ordinal_bias"].set_index("class")["value"]
    assert bias.to_dict() == pytest.approx(
        {"0": 0, "1": 1, "2": 0, "macro avg": 1 / 3, "weighted avg": 1 / 3}
    )


@pytest.mark.parametrize(
    "either",
    [
        "ordinal_mean_absolute_error",
        "neg_ordinal_mean_absolute_error",
        metrics.ordinal_mean_absolute_error,
        make_ordinal_scorer("neg_ordinal_mean_absolute_error"),
    ],
    ids=["name", "scorer name", "function", "scorer"],
)
def test_criteria_are_found_by_any_identifier_of_the_metric(either):
    report = OrdinalReport.from_predictions([0, 1, 2], [0, 2, 2], metrics=either, zero_division=0.0)
    assert report.criteria[either] == pytest.approx(1 / 3)
    assert report.metrics[either].name == "ordinal_mean_absolute_error"


def test_from_estimator_and_from_confusion_match_from_predictions():
    X, y = np.zeros((6, 1)), [0, 1, 1, 1, 2, 3]
    model = DummyClassifier().fit(X, y)
    options = {"labels": range(5), "zero_division": 0.0, "target_names": list("abcde")}
    y_proba = np.tile([1 / 6, 3 / 6, 1 / 6, 1 / 6, 0], (6, 1))
    expected = str(OrdinalReport.from_predictions(y, [1] * 6, y_proba=y_proba, **options))
    weighted = OrdinalReport.from_estimator(model, X, y, sample_weight=[1] * 6, **options)
    assert str(OrdinalReport.from_estimator(model, X, y, **options)) == expected
    assert weighted.confusion.is_weighted
    confusion = OrdinalConfusion.from_predictions(y, [1] * 6, labels=range(5))
    expected = str(OrdinalReport.from_predictions(y, [1] * 6, **options))
    del options["labels"]
    assert str(OrdinalReport.from_confusion(confusion, **options)) == expected


def test_ordered_categories_determine_order_and_names():
    y = pd.Categorical(["mid", "low", "high"], ["low", "mid", "high"], ordered=True)
    assert OrdinalReport.from_predictions(y, y).target_names == ("low", "mid", "high")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target_names": ["a"]}, r"target_names must name each of the 2 classes \[0, 1\], got 1"),
        ({"target_names": ["a", "a"]}, "target_names must differ from each other"),
        ({"zero_division": 2}, "zero_division must be 'warn', 0.0, 1.0 or np.nan, got 2"),
        ({"zero_division": "no"}, "zero_division must be 'warn'"),
        ({"target_names": "ab"}, "target_names must be a sequence of names .* got str"),
        ({"target_names": {1: "b", 0: "a"}}, "target_names must be a sequence .* got dict"),
        ({"zero_division": np.array([1, 2])}, "zero_division must be 'warn'"),
        ({"target_names": 5}, "target_names must be a sequence of names .* got int"),
        ({"metrics": []}, "metrics must name at least one metric"),
        ({"metrics": "cem"}, "metrics: metric must be a known name, got 'cem': did you mean"),
        ({"metrics": None, "digits": None}, "digits must be a non-negative integer, got None"),
        ({"target_names": np.array("ab")}, "target_names must be a sequence of names"),
        ({"zero_division": True}, "zero_division must be 'warn', 0.0, 1.0 or np.nan, got True"),
        ({"output_dict": "no"}, "output_dict must be True or False, got 'no'"),
        ({"digits": True}, "digits must be a non-negative integer, got True"),
        ({"digits": -1}, "digits must be a non-negative integer, got -1"),
        ({"digits": 1075}, "digits must be at most 1,074"),
        ({"digits": 1.5}, "digits must be a non-negative integer, got 1.5"),
    ],
)
def test_invalid_options_raise(options, message):
    with pytest.raises(ValueError, match=message):
        ordinal_report([0, 1], [0, 1], **options)


def test_a_confusion_that_is_not_one_matrix_with_samples_raises():
    with pytest.raises(ValueError, match=r"got a stack of shape \(2, 2, 2\)"):
        OrdinalReport.from_confusion(OrdinalConfusion.from_counts(np.ones((2, 2, 2), int)))
    with pytest.raises(ValueError, match="confusion must be an OrdinalConfusion, got ndarray"):
        OrdinalReport.from_confusion(np.eye(3))
    with pytest.raises(ValueError, match="at least one sample"):
        OrdinalReport.from_confusion(OrdinalConfusion.from_counts([[0, 0], [0, 0]]))


def test_reports_are_frozen():
    report = OrdinalReport.from_predictions([0, 1, 2], [0, 2, 2], zero_division=0.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.digits = 3
    assert repr(report) == f"OrdinalReport(3 classes, cem_ord={report.criteria['cem_ord']:.2f})"


def test_a_class_can_have_the_name_of_an_average_but_not_in_the_dict():
    report = OrdinalReport.from_predictions([0, 1], [0, 1], target_names=["accuracy", "good"])
    assert "accuracy " in str(report)
    assert set(report.to_frame()["class"].dropna()) >= {"accuracy", "good"}
    with pytest.raises(ValueError, match="other keys of the dict, got accuracy: rename the class"):
        report.to_dict()


def test_labels_with_the_same_text_get_distinct_names():
    report = OrdinalReport.from_predictions([1, "1"], [1, "1"], labels=[1, "1"])
    assert report.target_names == ("1", "'1'")


def test_booleans_stay_booleans():
    report = OrdinalReport.from_predictions([True, False, True], [True, True, False])
    assert report.target_names == ("False", "True")
    assert report.confusion.labels.dtype == bool


def spread(n_classes, n_samples=3000):
    rng = np.random.default_rng(0)
    y_true = rng.integers(n_classes, size=n_samples)
    y_pred = np.clip(np.rint(y_true + rng.normal(0, 3, n_samples)), 0, n_classes - 1)
    return y_true, y_pred.astype(int)


def test_the_text_has_the_worst_and_the_largest_of_many_classes():
    y_true, y_pred = spread(100)
    report = OrdinalReport.from_predictions(y_true, y_pred, labels=range(100))
    errors = pd.Series(abs(y_true - y_pred)).groupby(y_true).mean()
    worst = errors.sort_values(ascending=False, kind="stable").index[:10]
    sizes = np.bincount(y_true)
    largest = np.argsort(-sizes, kind="stable")[:5]
    text = report.to_text()
    assert len(text.splitlines()) < 45
    assert "The 5 of 100 classes with the largest support\n" in text
    _, first, second, *_ = re.split(r"\n\nThe \d+ .*\n.*\n", text)
    rows = [line.split() for line in first.splitlines()]
    assert [int(row[0]) for row in rows] == list(worst)
    assert [float(row[4]) for row in rows] == pytest.approx(list(errors[worst]), abs=0.005)
    rows = [line.split() for line in second.splitlines()[:5]]
    assert [(int(row[0]), int(row[-1])) for row in rows] == [(k, sizes[k]) for k in largest]
    # The averages are of all classes.
    assert re.search(rf"^macro avg .* {errors.mean():.2f} .* 3000$", text, flags=re.M)
    assert "to_text(details=True), to_html and to_frame have all classes." in text
    for whole in (report.to_text(details=True), report.to_markdown(details=True)):
        _, _, rows = whole.partition("All classes\n")
        classes = re.findall(r"^(?:\| )?(\d+) .*\d", rows, flags=re.M)
        assert classes[:100] == [str(k) for k in range(100)]


def test_the_text_has_the_worst_of_many_thresholds():
    rng = np.random.default_rng(0)
    y_true, y_proba = rng.integers(40, size=500), rng.dirichlet(np.ones(40), size=500)
    forecasts = OrdinalForecasts.from_probabilities(y_true, y_proba, labels=range(40))
    report = OrdinalReport.from_predictions(forecasts)
    text = report.to_text()
    _, rows = text.split("\n\nThe 10 of 39 thresholds with the smallest AUC\n")
    found = re.findall(r"^above '(\d+)' ", rows, flags=re.M)
    position = (y_proba * np.arange(40)).sum(axis=1)
    areas = [roc_auc_score(y_true > k, position) for k in range(39)]
    assert found == [str(k) for k in np.argsort(areas, kind="stable")[:10]]
    assert "have all classes" in text
    assert report.to_text(details=True).count("\nabove ") == 10 + 39


@pytest.mark.parametrize("n_classes", [20, 21])
def test_up_to_20_classes_are_all_in_the_text(n_classes):
    text = ordinal_report(*spread(n_classes), labels=range(n_classes), zero_division=0.0)
    rows = re.findall(r"^\d+ +\d.*\d$", text, flags=re.M)
    assert len(rows) == {20: 20, 21: 15}[n_classes]
    assert ("have all classes" in text) == (n_classes == 21)


def test_intervals_of_criteria_that_weight_classes_alike_name_small_classes():
    y_true = [0] * 50 + [1] * 20 + [2] * 9
    y_pred = [0, 0, 1, 1, 2] * 10 + [1, 1, 0, 2] * 5 + [2, 2, 1] * 3
    macro = "macro_averaged_mean_absolute_error"
    for chosen, named in (
        (["cem_ord", macro], macro),
        ("f1_macro", "f1_macro"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("cem_ord", ""),
    ):
        report = OrdinalReport.from_predictions(y_true, y_pred, metrics=chosen, intervals=True)
        text = " ".join(report.to_text().split())
        assert ("Classes with fewer than 10 samples: 2 (9)." in text) == bool(named)
        assert (f"intervals of {named}, which weight all classes alike," in text) == bool(named)
        assert all(np.isfinite(interval.low) for interval in report.intervals.values())
        # Without intervals, and with samples enough, there is nothing to say.
        without = OrdinalReport.from_predictions(y_true, y_pred, metrics=chosen)
        enough = OrdinalReport.from_predictions(
            [*y_true, 2], [*y_pred, 2], metrics=chosen, intervals=True
        )
        weighted = OrdinalReport.from_predictions(
            y_true, y_pred, metrics=chosen, intervals=True, sample_weight=[5.0] * 79
        )
        assert "fewer than 10" not in f"{without}{enough}"
        assert ("2 (9)" in str(weighted)) == bool(named)


def test_small_negative_values_are_printed_without_a_sign():
    name = "ordinal_bias"
    y_true, y_pred = [1] * 1000, [1] * 999 + [0]
    report = OrdinalReport.from_predictions(
        y_true, y_pred, labels=range(3), metrics=name, intervals=True, zero_division=0.0
    )
    assert report.criteria[name] == -0.001
    printed = f"{report!r}{report}{report.intervals[name]._with_digits(2)}{report.to_markdown()}"
    assert "0.00" in printed
    assert "-0.00" not in printed
