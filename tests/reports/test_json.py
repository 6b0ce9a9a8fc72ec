"""Reports written as JSON and read back."""

import json
from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import f1_score, log_loss, make_scorer
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import OrdinalConfusion, OrdinalReport, ordinal_metric
from sklearn_ordinal.metrics import cem_ord_score, within_n_accuracy_score
from sklearn_ordinal.reports import ComparisonReport, CrossValReport
from tests.reports.results import (
    CLASSES,
    Y,
    comparison,
    cross_validation,
    ordinal_report,
    results,
)

REPORTS = [
    f"{prefix}{name}"
    for name in ("report", "cross-validation", "comparison", "groups")
    for prefix in ("", "undefined ")
]


class Refusing(DecisionTreeClassifier):
    """Fails on training data of a given size."""

    def __init__(self, refused=None):
        super().__init__(max_depth=3, random_state=0)
        self.refused = refused

    def fit(self, X, y):
        if len(X) == self.refused:
            raise RuntimeError("these data are refused")
        return super().fit(X, y)


def read_back(report, path):
    report.to_json(path / "report.json")
    assert report.to_json() == (path / "report.json").read_text(encoding="utf-8")
    return type(report).from_json(path / "report.json")


def assert_round_trip(report, path):
    found = read_back(report, path)
    assert found == report
    assert found.to_dict() == report.to_dict()
    assert found.to_text(details=True) == report.to_text(details=True)
    return found


@pytest.mark.parametrize("name", REPORTS)
def test_reports_survive_a_round_trip(name, tmp_path):
    assert_round_trip(results()[name], tmp_path)


def test_integer_and_string_labels_survive_a_round_trip(tmp_path):
    for y, labels in ((Y, None), (Y.astype(np.int8), range(6)), (np.array(CLASSES)[Y], CLASSES)):
        report = cross_validation(y=y, labels=labels)
        found = assert_round_trip(report, tmp_path)
        assert found.scale == report.scale
        assert found.scale.labels.dtype == report.scale.labels.dtype
        assert found.predictions.equals(report.predictions)


def test_reports_with_different_options_are_not_equal(tmp_path):
    report = ordinal_report()
    path = tmp_path / "report.json"
    report.to_json(path)
    content = path.read_text(encoding="utf-8")
    path.write_text(content.replace('"digits": 2', '"digits": 3'), encoding="utf-8")
    assert OrdinalReport.from_json(path) != report


def test_weights_and_unanswered_samples_survive_a_round_trip(tmp_path):
    y_true, y_pred = ["a", "b", "b", "c"], ["a", "c", None, "c"]
    confusion = OrdinalConfusion.from_predictions(
        y_true, y_pred, labels=["c", "b", "a"], sample_weight=[0.1, 2, 1 / 3, 1], unanswered="count"
    )
    report = OrdinalReport.from_confusion(confusion, zero_division=np.nan, digits=4)
    found = assert_round_trip(report, tmp_path)
    assert found.confusion.is_weighted
    np.testing.assert_array_equal(found.confusion.unanswered, confusion.unanswered)
    assert found.confusion.labels.tolist() == ["c", "b", "a"]


def test_failed_folds_survive_a_round_trip(tmp_path):
    folds = [(np.arange(100), np.arange(100, 200)), (np.arange(50), np.arange(50, 200))]
    with pytest.warns(FitFailedWarning, match="1 of 2 fits failed"):
        report = cross_validation(Refusing(50), cv=folds)
    found = assert_round_trip(report, tmp_path)
    assert found.folds[1] is None
    assert "these data are refused" in found.failures[0].traceback
    assert np.isnan(found.fit_times[1])


def test_probabilities_survive_a_round_trip_but_estimators_do_not(tmp_path):
    report = cross_validation(scoring="neg_log_loss", return_estimator=True)
    found = assert_round_trip(report, tmp_path)
    assert found.estimators is None
    assert found.predictions.equals(report.predictions)
    assert any(column.startswith("proba_") for column in found.predictions)


CRITERIA = {
    "option": partial(within_n_accuracy_score, n=2),
    "option of an entry": partial(cem_ord_score, adjusted=True),
    "list": partial(cem_ord_score, class_counts=[5, 4, 3, 2, 1]),
    "array": partial(cem_ord_score, class_counts=np.array([5, 4, 3, 2, 1])),
    "replacement": partial(cem_ord_score, adjusted=True, replace_undefined_by=-1.0),
    "order of the classes": partial(cem_ord_score, labels=CLASSES),
    "scikit-learn's by name": "f1_weighted",
    "scikit-learn's of probabilities": "roc_auc_ovr",
    "scikit-learn's with an option": partial(f1_score, average="macro", zero_division=0.0),
    "scorer": make_scorer(
        log_loss, greater_is_better=False, response_method="predict_proba", normalize=True
    ),
}


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_criteria_with_options_survive_a_round_trip(criterion, tmp_path):
    report = cross_validation(scoring=[criterion])
    found = assert_round_trip(report, tmp_path)
    np.testing.assert_array_equal(found.scores[criterion], report.scores[criterion])


@pytest.mark.parametrize("criterion", [CRITERIA["option"], CRITERIA["list"], "accuracy"])
def test_criteria_of_the_package_can_be_evaluated_after_reading(criterion, tmp_path):
    found = read_back(cross_validation(scoring=[criterion]), tmp_path)
    (name,) = found.metrics
    assert found.metrics[name](found.pooled.confusion) == found.pooled_scores[name]


def own_loss(y_true, y_pred):
    return np.mean(y_true != y_pred)


def accuracy_score(y_true, y_pred):
    return 1 - own_loss(y_true, y_pred)


def estimator_score(estimator, X, y):
    return np.mean(estimator.predict(X) == y)


@pytest.mark.parametrize("criterion", [own_loss, accuracy_score, estimator_score])
def test_user_criteria_keep_their_values_and_direction(criterion, tmp_path):
    for report in (cross_validation(scoring=[criterion]), comparison(scoring=[criterion])):
        found = assert_round_trip(report, tmp_path)
        name = criterion.__name__.removesuffix("_score")
        assert found.metrics[name].greater_is_better == (criterion is not own_loss)
        assert found.to_frame().equals(report.to_frame())


def test_evaluating_a_user_criterion_after_reading_raises(tmp_path):
    found = read_back(cross_validation(scoring=[own_loss]), tmp_path)
    with pytest.raises(ValueError, match="own_loss"):
        found.metrics["own_loss"](found.pooled.confusion)


def test_a_registered_metric_need_not_be_registered_when_read(tmp_path):
    @ordinal_metric(greater_is_better=False)
    def share_of_errors_error(counts):
        return 1 - np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    report = ordinal_report(metrics=["share_of_errors_error", "accuracy"])
    report.to_json(tmp_path / "report.json")
    del sklearn_ordinal._core.METRICS["share_of_errors_error"]
    found = OrdinalReport.from_json(tmp_path / "report.json")
    assert found == report
    expected = 1 - report.criteria["accuracy"]
    assert found.criteria["share_of_errors_error"] == pytest.approx(expected)
    assert not found.metrics["share_of_errors_error"].greater_is_better


@pytest.mark.parametrize("name", ["report", "cross-validation", "comparison", "judges"])
def test_the_file_names_its_schema_and_the_package(name, tmp_path):
    results()[name].to_json(tmp_path / "report.json")
    content = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert content["format"] == "sklearn_ordinal"
    assert content["schema_version"] == 2
    assert content["package_version"] == sklearn_ordinal.__version__
    assert content["type"] == type(results()[name]).__name__
    assert content["result"] == results()[name].to_dict()


def test_reading_a_report_of_another_type_raises(tmp_path):
    path = tmp_path / "report.json"
    results()["cross-validation"].to_json(path)
    message = r"holds a CrossValReport: read it with CrossValReport\.from_json"
    for kind in (OrdinalReport, ComparisonReport):
        with pytest.raises(ValueError, match=message):
            kind.from_json(path)
    results()["report"].to_json(path)
    with pytest.raises(ValueError, match=r"holds an OrdinalReport: read it with OrdinalReport"):
        CrossValReport.from_json(path)


def changed(path, change):
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_reading_a_file_of_a_newer_version_raises(tmp_path):
    path = tmp_path / "report.json"
    results()["report"].to_json(path)
    changed(path, lambda content: content.update(schema_version=3, package_version="99.0"))
    with pytest.raises(ValueError, match=r"newer version of sklearn_ordinal, 99\.0: update"):
        OrdinalReport.from_json(path)


@pytest.mark.parametrize("name", ["report", "cross-validation", "comparison", "judges"])
def test_reading_a_file_that_lacks_a_field_raises(name, tmp_path):
    report, path = results()[name], tmp_path / "report.json"
    report.to_json(path)
    changed(path, lambda content: content["fields"].pop("metrics"))
    with pytest.raises(ValueError, match=f"not a complete {type(report).__name__}"):
        type(report).from_json(path)


def test_labels_unsupported_by_json_raise_and_keep_the_old_file(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old", encoding="utf-8")
    days = np.array(["2026-01-30", "2026-01-31"], dtype="datetime64[D]").astype(object)
    report = OrdinalReport.from_predictions(days, days, labels=days, zero_division=0.0)
    with pytest.raises(ValueError, match="cannot be written to JSON"):
        report.to_json(path)
    assert path.read_text(encoding="utf-8") == "old"
