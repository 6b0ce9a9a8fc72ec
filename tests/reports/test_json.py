"""Reports written as JSON, and computed again from their files."""

import copy
import io
import json
import sys
from functools import partial

import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, make_scorer
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScores,
    ordinal_metric,
    report_change,
)
from sklearn_ordinal.metrics import cem_ord_score, expected_cost_loss, within_n_accuracy_score
from tests.reports.damaged import DAMAGES, damaged, outcome, places, saved, value_at
from tests.reports.results import results

RNG = np.random.default_rng(0)
N = 60
TRUE = np.arange(N) % 3
PRED = np.clip(TRUE + RNG.integers(-1, 2, N), 0, 2)
PROBA = RNG.dirichlet([1, 2, 1], N)
WEIGHT = RNG.uniform(0.1, 2, N)
CLUSTERS = np.arange(N) // 4
SHARES = [0.2, 0.3, 0.5]
NAMES = np.array(["low", "mid", "high"])
COUNTED = OrdinalConfusion.from_predictions(
    ["a", "b", "b", "c"],
    ["a", "c", None, "c"],
    labels=["c", "b", "a"],
    sample_weight=[0.1, 2, 1 / 3, 1],
    unanswered="count",
)


def read(report):
    return OrdinalReport.from_json(io.StringIO(report.to_json()))


def predicted(**options):
    return OrdinalReport.from_predictions(TRUE, PRED, **options)


REPORTS = {
    "classes": lambda: predicted(),
    "strings": lambda: OrdinalReport.from_predictions(NAMES[TRUE], NAMES[PRED], labels=NAMES),
    "short integers": lambda: OrdinalReport.from_predictions(TRUE.astype(np.int8), PRED),
    "fractions": lambda: OrdinalReport.from_predictions(TRUE / 2, PRED / 2, labels=[0, 0.5, 1]),
    "all": lambda: predicted(metrics="all", intervals=True, diagnostics=True),
    "undefined": lambda: OrdinalReport.from_predictions([0, 0], [0, 1], zero_division=np.nan),
    "unanswered": lambda: OrdinalReport.from_confusion(COUNTED, zero_division=1.0, digits=4),
    "probabilities": lambda: predicted(y_proba=PROBA, metrics="all", intervals=True),
    "weights": lambda: predicted(y_proba=PROBA, sample_weight=WEIGHT, target_names=["a", "b", "c"]),
    "shares": lambda: predicted(y_proba=PROBA, prevalence=SHARES, intervals=True),
    "weights and shares": lambda: predicted(
        sample_weight=WEIGHT, prevalence=SHARES, intervals=True, diagnostics=True
    ),
    "clusters": lambda: OrdinalReport.from_confusion(
        OrdinalConfusion.from_predictions(TRUE, PRED, clusters=CLUSTERS)
    ),
    "clustered forecasts": lambda: OrdinalReport.from_predictions(
        OrdinalForecasts.from_probabilities(TRUE, PROBA, clusters=CLUSTERS), intervals=True
    ),
    "float16": lambda: OrdinalReport.from_predictions(
        OrdinalForecasts.from_probabilities(TRUE, PROBA.astype(np.float16))
    ),
    "scores": lambda: OrdinalReport.from_predictions(OrdinalScores.from_scores(TRUE, PROBA[:, 2])),
    "ratings": lambda: OrdinalReport.from_predictions(
        OrdinalRatings.from_ratings(np.c_[TRUE, PRED, TRUE[::-1]]), intervals=True
    ),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_computed_again_from_its_file(name, tmp_path):
    report = REPORTS[name]()
    report.to_json(tmp_path / "report.json")
    assert report.to_json() == (tmp_path / "report.json").read_text(encoding="utf-8")
    found = OrdinalReport.from_json(tmp_path / "report.json")
    assert found == report
    assert found.evidence == report.evidence
    assert dict(found.metrics) == dict(report.metrics)
    assert found.provenance == report.provenance
    assert found.to_dict() == report.to_dict()
    assert found.to_frame().equals(report.to_frame())
    assert found.to_text(details=True) == report.to_text(details=True)
    assert found.to_json() == report.to_json()


CRITERIA = {
    "option": partial(within_n_accuracy_score, n=2),
    "option of an entry": partial(cem_ord_score, adjusted=True),
    "list": partial(cem_ord_score, class_counts=[5, 4, 3]),
    "array": partial(cem_ord_score, class_counts=np.array([5, 4, 3])),
    "costs": partial(expected_cost_loss, cost_matrix=[[0, 1, 2], [1, 0, 1], [2, 1, 0]]),
    "replacement": partial(cem_ord_score, adjusted=True, replace_undefined_by=-1.0),
    "name with an option": "sensitivity(at=1)",
    "scikit-learn's by name": "f1_weighted",
}


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
def test_criteria_keep_their_options_and_the_names_that_a_user_gives(criterion):
    for metrics in ([criterion], {"mine": criterion}):
        report = predicted(metrics=metrics)
        found = read(report)
        assert dict(found.criteria) == dict(report.criteria)
        assert dict(found.metrics) == dict(report.metrics)


def own_loss(y_true, y_pred):
    return np.mean(y_true != y_pred)


@pytest.mark.parametrize(
    ("criterion", "name"),
    [
        (own_loss, "own_loss"),
        (partial(f1_score, average="macro", zero_division=0.0), r"f1\(average='macro', zero_div"),
        (partial(cem_ord_score, labels=[0, 1, 2]), "cem_ord"),
        ({"f1": make_scorer(f1_score, average="macro", zero_division=0.0)}, "f1"),
    ],
)
def test_criteria_that_are_not_defined_here_are_left_out(criterion, name):
    report = predicted(metrics=criterion)
    with pytest.warns(
        UserWarning, match=f"^criteria are left out .* in the file: {name}"
    ) as caught:
        found = read(report)
    assert caught[0].filename == __file__
    assert not found.criteria
    assert "precision" in found.to_text()
    assert "precision" in found.to_html()


def test_the_other_criteria_stay_and_a_change_can_be_computed_from_the_evidence(tmp_path):
    report = predicted(metrics=[own_loss, "accuracy"])
    report.to_json(tmp_path / "report.json")
    with pytest.warns(UserWarning, match="in the file: own_loss"):
        found = OrdinalReport.from_json(tmp_path / "report.json")
    assert dict(found.criteria) == {"accuracy": report.criteria["accuracy"]}
    with pytest.warns(UserWarning, match="in the file: own_loss"):
        change = report_change(tmp_path / "report.json", report.confusion, "cem_ord")
    assert change.differences["cem_ord"].estimate == 0


def test_criteria_that_need_the_estimator_are_left_out():
    X = TRUE[:, None] + WEIGHT[:, None]
    tree = DecisionTreeClassifier(max_depth=2).fit(X, TRUE)
    scorer = make_scorer(log_loss, greater_is_better=False, response_method="predict_proba")

    def depth_score(estimator, X, y):  # noqa: ARG001
        return estimator.get_depth()

    report = OrdinalReport.from_estimator(
        tree, X, TRUE, metrics=["accuracy", scorer, depth_score], zero_division=0.0
    )
    with pytest.warns(UserWarning, match="in the file: depth"):
        found = read(report)
    assert dict(found.criteria) == {
        name: report.criteria[name] for name in ("accuracy", "log_loss")
    }


def test_a_registered_metric_is_found_while_it_is_registered():
    @ordinal_metric(greater_is_better=False)
    def share_of_errors_error(counts):
        return 1 - np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    report = predicted(metrics=["share_of_errors_error", "accuracy"])
    assert read(report) == report
    del sklearn_ordinal._core.catalogue.METRICS["share_of_errors_error"]
    with pytest.warns(UserWarning, match="in the file: share_of_errors_error"):
        assert list(read(report).criteria) == ["accuracy"]


@pytest.mark.parametrize(
    "confusion",
    [
        OrdinalConfusion.from_predictions(TRUE, PRED, clusters=CLUSTERS),
        OrdinalConfusion.from_predictions(PROBA, PRED),
    ],
)
def test_intervals_of_samples_that_the_file_lacks_are_left_out(confusion):
    report = OrdinalReport.from_confusion(confusion, intervals=True, diagnostics=True)
    with pytest.warns(UserWarning, match="^intervals and diagnostics are left out, since"):
        found = read(report)
    assert dict(found.criteria) == dict(report.criteria)
    assert (found.n_clusters, found.diagnostics) == (report.n_clusters, None)
    assert not found.intervals


def test_ceilings_are_not_computed_again():
    ratings = OrdinalRatings.from_ratings(np.c_[TRUE, PRED, TRUE[::-1]])
    report = OrdinalReport.from_predictions(ratings, PRED)
    assert report.ceilings
    assert {**read(report).to_dict(), "ceilings": report.to_dict()["ceilings"]} == report.to_dict()


@pytest.mark.parametrize("name", ["report", "cross-validation", "comparison", "judges"])
def test_the_file_names_its_schema_and_the_package(name, tmp_path):
    results()[name].to_json(tmp_path / "report.json")
    content = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert content["format"] == "sklearn_ordinal"
    assert content["schema_version"] == 1
    assert content["package_version"] == sklearn_ordinal.__version__
    assert content["type"] == type(results()[name]).__name__
    assert content["result"] == results()[name].to_dict()
    assert ("fields" in content) == (name == "report")


def test_a_report_of_another_type_is_not_read():
    text = results()["cross-validation"].to_json()
    with pytest.raises(ValueError, match="holds CrossValReport and not OrdinalReport: pass a file"):
        OrdinalReport.from_json(io.StringIO(text))


def test_reports_with_different_numbers_are_not_equal():
    assert predicted() == predicted(digits=3)
    assert predicted() != predicted(zero_division=0.0, metrics="accuracy")


@pytest.mark.parametrize("name", ["report", "report of probabilities"])
def test_a_damaged_report_is_refused_or_can_be_drawn(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    kind, content = saved()[name]
    assert outcome(kind, content, tmp_path / "a.json") == "used"
    rng, where, n_refused = np.random.default_rng(0), places(content), 0
    for _ in range(50):
        place, damage = where[rng.integers(len(where))], DAMAGES[rng.integers(len(DAMAGES))]
        changed = damaged(content, place, damage)
        if changed is not None:
            n_refused += outcome(kind, changed, tmp_path / "a.json") == "refused"
    assert n_refused > 20


@pytest.mark.parametrize(
    ("place", "wrong", "reason"),
    [
        (("evidence",), [], "evidence must contain at least one OrdinalConfusion"),
        (("evidence", 0, "type"), "Unknown", "Unknown"),
        (("evidence", 0, "fields", "labels", "array", 0), "b", "labels must name each class once"),
        (("metrics", 0, "options"), [], "argument after"),
        (("target_names", 0), "b", "target_names must differ"),
        (("digits",), "x", "digits must be"),
        (("digits",), 10**9, "digits must be at most"),
        (("zero_division",), "x", "zero_division must be"),
        (("intervals",), 1, "intervals must be"),
        (("prevalence",), [0.5, 0.6, 0.1], "prevalence must add up to 1"),
        (("n_clusters",), 0, "n_clusters must be"),
        (("cluster_name",), 1, "cluster_name must be"),
        (("provenance", "dict", "date"), 1, "provenance must consist of strings"),
        (("another",), 1, "another"),
    ],
)
def test_a_wrong_value_in_a_file_is_named(place, wrong, reason):
    _, content = saved()["report"]
    changed = copy.deepcopy(content)
    value_at(changed["fields"], place[:-1])[place[-1]] = wrong
    message = f"is not a complete OrdinalReport, write it again with to_json: .*{reason}"
    with pytest.raises(ValueError, match=message):
        OrdinalReport.from_json(io.StringIO(json.dumps(changed)))
