"""Samples without a prediction in reports, and the cells where closeness is lost."""

import math

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, make_scorer

from sklearn_ordinal import OrdinalConfusion, OrdinalReport, ordinal_report
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import cem_ord_score, closeness_costs
from tests import reference

TRUE = [0, 1, 2, 2, 1, 0, 2]
PRED = [0, 2, None, 2, 1, None, 1]
CRITERIA = ["cem_ord", "accuracy", "quadratic_weighted_kappa"]


class Abstaining(ClassifierMixin, BaseEstimator):
    """Returns its first feature, in which NaN is a missing prediction."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


def report(y_pred=PRED, **options):
    options = {"zero_division": 0.0, "metrics": CRITERIA, "unanswered": "count", **options}
    return OrdinalReport.from_predictions(TRUE, y_pred, **options)


def views(found):
    return (
        found.to_text(),
        found.to_html(),
        found.to_markdown(),
        found.to_latex(),
        found._repr_html_(),
    )


def test_unanswered_samples_raise_an_error_that_names_the_option():
    with pytest.raises(ValueError, match=r"y_pred has missing values .*unanswered='count'"):
        ordinal_report(TRUE, PRED)
    with pytest.raises(ValueError, match="unanswered must be one of"):
        ordinal_report(TRUE, PRED, unanswered="drop")


def test_closeness_counts_unanswered_samples_and_other_criteria_leave_them_out():
    found = report()
    assert found.criteria["cem_ord"] == cem_ord_score(TRUE, PRED, unanswered="count")
    assert found.criteria["accuracy"] == pytest.approx(3 / 5)
    X = np.array([[np.nan if pred is None else pred] for pred in PRED])
    estimator = Abstaining().fit(X, TRUE)
    of_estimator = OrdinalReport.from_estimator(
        estimator, X, TRUE, unanswered="count", metrics=CRITERIA, zero_division=0.0
    )
    assert of_estimator.criteria == found.criteria


def test_each_view_says_which_samples_the_values_include():
    for view in views(report()):
        assert "7 samples (2 unanswered)" in view
        assert "(of 5 answered)" in view
        assert "2 of 7 unanswered" in view
        assert "all 7" in view
    text = report().to_text()
    rows = {line.split()[0]: line for line in text.partition("Criteria")[2].splitlines() if line}
    assert "all 7" in rows["cem_ord"]
    assert "5 answered" in rows["accuracy"]
    assert "5 answered" in rows["quadratic_weighted_kappa"]
    assert repr(report()) == "OrdinalReport(3 classes, cem_ord=0.54, 2 of 7 unanswered)"
    of_accuracy = report(metrics=["accuracy"])
    assert repr(of_accuracy).endswith("accuracy=0.60, 2 of 7 unanswered left out)")


def test_dicts_and_frames_say_which_samples_the_values_include():
    numbers = report().to_dict()
    assert (numbers["unanswered"], numbers["answered"]) == (2, 5)
    assert numbers["of_answered"] == ["accuracy", "quadratic_weighted_kappa"]
    frame = report().to_frame()
    criteria = frame[frame["class"].isna()].set_index("criterion")["n_left_out"]
    assert criteria.to_dict() == {"cem_ord": 0, "accuracy": 2, "quadratic_weighted_kappa": 2}
    assert (frame[frame["class"].notna()]["n_left_out"] == 2).all()
    assert ordinal_report(TRUE, PRED, unanswered="count", zero_division=0.0, output_dict=True)[
        "of_answered"
    ]


def test_the_option_changes_no_view_if_no_prediction_is_missing():
    counted, plain = (report(TRUE[::-1], unanswered=option) for option in ("count", "raise"))
    assert repr(counted) == repr(plain)
    assert counted.to_text() == plain.to_text()
    assert counted.to_frame().equals(plain.to_frame())
    numbers = counted.to_dict()
    assert (numbers.pop("unanswered"), numbers.pop("answered")) == (0, 7)
    assert numbers.pop("of_answered") == []
    assert numbers == plain.to_dict()


def test_weights_of_unanswered_samples_add_up():
    weight = [1, 1, 0.5, 1, 1, 2, 1]
    for view in views(report(sample_weight=weight)):
        assert "weight 2.5 of 7.5 unanswered" in view
        assert "(of 5 answered)" in view


def test_without_predictions_everything_but_closeness_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="Undefined without any prediction: .*accuracy"):
        found = report([None] * 7, metrics="all", zero_division="warn")
    for name, value in found.criteria.items():
        assert value == 0 if METRICS[name].counts_unanswered else math.isnan(value)
    for view in views(found):
        assert "7 samples (7 unanswered)" in view
        assert "undefined, since no sample has a prediction" in " ".join(view.split())
    assert found.to_dict()["criteria"]["accuracy"] is None
    assert found.losses().sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="at least one sample with a prediction"):
        found.plot_errors()


def test_a_confusion_without_samples_raises():
    nothing = OrdinalConfusion.from_counts(np.zeros((2, 2)), unanswered=[0, 0])
    with pytest.raises(ValueError, match=r"confusion must hold at least one sample\."):
        OrdinalReport.from_confusion(nothing)


def test_the_number_left_out_is_unknown_for_scorers_of_the_estimator():
    def hits(estimator, X, y):
        return accuracy_score(y, np.nan_to_num(estimator.predict(X)))

    hits.__name__ = "hits_score"
    X = np.array([[np.nan if pred is None else pred] for pred in PRED])
    found = OrdinalReport.from_estimator(
        Abstaining().fit(X, TRUE),
        X,
        TRUE,
        unanswered="count",
        metrics=[hits, make_scorer(cem_ord_score)],
    )
    assert found.to_dict()["of_answered"] == []
    assert math.isnan(found.to_frame()["n_left_out"][0])
    note = "5 answered, except hits, which scorers compute from all samples."
    assert note in " ".join(str(found).split())


def test_saved_reports_keep_unanswered_samples(tmp_path):
    found = report()
    found.to_json(tmp_path / "report.json")
    read = OrdinalReport.from_json(tmp_path / "report.json")
    assert read == found
    assert read.to_text(details=True) == found.to_text(details=True)
    assert read.to_dict() == found.to_dict()
    np.testing.assert_array_equal(read.losses(), found.losses())


def test_losses_are_the_shares_of_closeness_lost_in_each_cell():
    y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2]
    y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2]
    losses = OrdinalReport.from_predictions(y_true, y_pred).losses()
    best = -sum(math.log2(reference.ordinal_closeness(y_true, j, j)) for j in y_true)
    expected = np.zeros((3, 3))
    for j, i in zip(y_true, y_pred, strict=True):
        lost = math.log2(
            reference.ordinal_closeness(y_true, i, j) / reference.ordinal_closeness(y_true, j, j)
        )
        expected[j, i] += lost / best
    np.testing.assert_allclose(losses, expected, atol=1e-15)
    assert losses.sum() == pytest.approx(1 - 0.875672553969, abs=1e-12)
    costs = closeness_costs(np.bincount(y_true))
    assert losses[1, 2] == pytest.approx(costs[1, 2] / best)


def test_losses_of_unanswered_samples_are_the_last_column():
    losses = report().losses()
    assert losses.shape == (3, 4)
    bits = 1 - np.log2(np.array([2, 2, 3]) / 7)
    expected = np.array([1, 0, 1]) * bits / (np.array([2, 2, 3]) * bits).sum()
    np.testing.assert_allclose(losses[:, 3], expected)
    assert losses.sum() == pytest.approx(1 - report().criteria["cem_ord"], abs=1e-15)


def test_weighted_losses_add_up():
    weight = [1e-9, 1, 3, 1e9, 2, 0.1, 7]
    found = report(sample_weight=weight)
    assert found.losses().sum() == pytest.approx(1 - found.criteria["cem_ord"], abs=1e-15)


def test_losses_are_shown_only_in_details():
    found = report()
    assert "Where closeness is lost" not in found.to_text()
    text = found.to_text(details=True).partition("Where closeness is lost")[2]
    text = text.partition("Score ladder")[0]
    assert text.splitlines()[-4:-1] == [
        "0     0.000  0.000  0.000       0.157",
        "1     0.000  0.000  0.101       0.000",
        "2     0.000  0.079  0.000       0.124",
    ]
    assert "Where closeness is lost" in found.to_html()
    assert "closeness is lost" not in report(TRUE).to_text(details=True)
    many = OrdinalReport.from_predictions(range(30), range(30)[::-1], zero_division=0.0)
    assert "closeness is lost" not in many.to_text(details=True)
