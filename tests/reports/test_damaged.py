"""Saved results that were damaged, and results constructed from wrong parts."""

import copy
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal import OrdinalReport, ordinal_metric
from sklearn_ordinal._core import METRICS
from sklearn_ordinal.inference import GroupDifference, Interval, PairedDifference
from sklearn_ordinal.model_selection import FitFailure, FoldPredictions
from sklearn_ordinal.reports import (
    ModelComparison,
    Provenance,
    SystemsReport,
)
from tests.reports.damaged import (
    DAMAGES,
    damaged,
    outcome,
    outcome_of_file,
    places,
    saved_results,
    value_at,
)
from tests.reports.results import CLASSES, Y, results

NAMES = (
    "report",
    "probabilities",
    "folds",
    "folds at a prevalence",
    "comparison",
    "pairs",
    "systems",
    "groups",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_result_is_refused_or_can_be_drawn(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    kind, content = saved_results()[name]
    assert outcome(kind, content, tmp_path / "a.json") == "drawn"
    rng, where, n_refused = np.random.default_rng(0), places(content), 0
    for _ in range(25):
        place, damage = where[rng.integers(len(where))], DAMAGES[rng.integers(len(DAMAGES))]
        changed = damaged(content, place, damage)
        if changed is not None:
            n_refused += outcome(kind, changed, tmp_path / "a.json") == "refused"
    assert n_refused > 10


@pytest.mark.parametrize("name", ["report", "pairs", "systems"])
def test_bytes_that_were_changed_or_lost_are_refused_or_can_be_drawn(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    kind, content = saved_results()[name]
    path, rng = tmp_path / "a.json", np.random.default_rng(1)
    outcome(kind, content, path)
    whole = path.read_bytes()
    for position in rng.integers(len(whole), size=8):
        path.write_bytes(whole[:position])
        assert outcome_of_file(kind, path) == "refused"
        flipped = whole[position] ^ (1 << int(rng.integers(8)))
        path.write_bytes(whole[:position] + bytes([flipped]) + whole[position + 1 :])
        assert outcome_of_file(kind, path) in ("refused", "drawn")


WRONG = {
    "evidence": ("report", ("fields", "evidence"), None),
    "no evidence": ("report", ("fields", "evidence", "tuple"), []),
    "digits": ("report", ("fields", "digits"), "x"),
    "many digits": ("report", ("fields", "digits"), 10**9),
    "criteria": ("report", ("fields", "criteria", "dict", "cem_ord"), 9.99),
    "precision": ("report", ("fields", "per_class", "dict", "precision", "array", 0), 1.5),
    "target_names": ("report", ("fields", "target_names", "tuple", 0), "b"),
    "position": ("folds", ("fields", "y_true", "array", 0), 10**15),
    "test": ("folds", ("fields", "fold_predictions", "tuple", 0, "fields", "test", "array", 0), 99),
    "scores": ("folds", ("fields", "scores", "dict", "cem_ord", "array", 0), 9.99),
    "best_baseline": ("comparison", ("fields", "best_baseline", "dict", "cem_ord"), "other"),
    "adjusted_pvalues": ("pairs", ("fields", "adjusted_pvalues", "array", 0), -1.0),
    "unit": ("systems", ("fields", "unit"), "x"),
    "n_resamples": ("groups", ("fields", "n_resamples"), -1),
    "n_permutations": ("groups", ("fields", "n_permutations"), -1),
    "class_counts": ("groups", ("fields", "class_counts", "array", 0), -1),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_value_in_a_file_is_named(case, tmp_path):
    name, place, wrong = WRONG[case]
    kind, content = saved_results()[name]
    path, changed = tmp_path / "a.json", copy.deepcopy(content)
    value_at(changed, place[:-1])[place[-1]] = wrong
    path.write_text(json.dumps(changed), encoding="utf-8")
    reason = f"is not a complete {kind.__name__}, write it again with to_json: .*{place[1]}"
    with pytest.raises(ValueError, match=reason):
        kind.from_json(path)


NAN = math.nan


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Interval(0.5, 0.6, 0.4, 0.95), "low must be at most high, 0.4, got 0.6"),
        (lambda: Interval(0.5, 0.4, 0.6, 95), "confidence_level must be a number between 0 and 1"),
        (lambda: Interval("x", 0.4, 0.6, 0.95), "estimate must be a number, got 'x'"),
        (lambda: Interval(0.5, 0.4, 0.6, 0.95, -1), "n_undefined must be a non-negative integer"),
        (lambda: Interval(0.5, 0.4, 0.6, 0.95, n_left_out=NAN), "n_left_out must be in"),
        (lambda: Interval(0.5, 0.4, 0.6, 0.95, n_left_out=-1), "n_left_out must be a non-negative"),
        (lambda: Interval(0.5, 0.4, 0.6, 0.95, method=1), "method must be a str or None"),
        (lambda: PairedDifference(0, 0, 0, 0.95, pvalue=-1), r"pvalue must be in \[0, 1\], got -1"),
        (lambda: GroupDifference(-1, -2, 0, 0.95), r"estimate must be in \[0, inf\], got -1"),
        (
            lambda: GroupDifference(1, 0, 2, 0.95, lower_group=None),
            "lower_group must be a str, got",
        ),
        (lambda: FoldPredictions(np.array([0]), np.array([0, 1])), r"y_pred must have shape \(1\)"),
        (lambda: FoldPredictions([0], np.array([0])), "test must be an array of integers"),
        (
            lambda: FoldPredictions(np.array([0]), np.array([0]), np.array([[0.5, 0.4]])),
            "y_proba must have rows that add up to 1",
        ),
        (
            lambda: FoldPredictions(np.array([0]), np.array([0]), y_score=np.array([np.inf])),
            "y_score must be in",
        ),
        (lambda: FitFailure("a", -1, "", {}, "", ""), "fold must be a non-negative integer"),
        (lambda: FitFailure("a", 0, "", {"C": 1}, "", ""), r"params\['C'\] must be a str, got 1"),
        (lambda: Provenance("now", {1: "2"}), "versions must have strings as keys"),
        (
            lambda: ModelComparison(Interval(0, 0, 0, 0.5), None, NAN, NAN, NAN, NAN, 0),
            "rank must be a positive integer",
        ),
    ],
)
def test_a_result_cannot_be_made_of_wrong_parts(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def changes(name):
    report = results()[name]
    first = next(iter(report.metrics))
    return {
        "report": [
            {"evidence": ()},
            {"target_names": tuple(CLASSES[1:])},
            {"criteria": {}},
            {"criteria": dict.fromkeys(report.metrics, 9.99)},
            {"per_class": {}},
            {"averages": {}},
            {"per_threshold": {"roc_auc": np.ones(4)}},
            {"prevalence": np.ones(5)},
            {"digits": True},
            {"provenance": "today"},
        ],
        "cross-validation": [
            {"y_true": np.full(len(Y), 5)},
            {"fold_predictions": (None, None, None)},
            {"scores": {}},
            {"n_test": np.array([-1, 2, 3])},
            {"fit_times": np.zeros(2)},
            {"failures": ("failed",)},
        ],
        "comparison": [
            {"reports": {}},
            {"baselines": ("other",)},
            {"rope": dict.fromkeys(report.metrics, -1.0)},
            {"best_baseline": dict.fromkeys(report.metrics, 1)},
        ],
        "pairs": [
            {"pairs": ()},
            {"pairs": (("a", "b", "c"),)},
            {"pairs": (("a", "a"),)},
            {"metrics": {"other": report.metrics[first]}},
            {"metrics": {**report.metrics, **results()["report"].metrics}},
            {"n_folds": 0},
        ],
        "groups": [
            {"group_names": ("one",)},
            {"group_names": ("one", "one", "two")},
            {"weights": {"cem_ord": np.ones(2)}},
            {"differences": {key: {} for key in results()["groups"].by_group}},
        ],
        "systems": [
            {"pvalues": dict.fromkeys(report.metrics, np.arange(9.0).reshape(3, 3) / 9)},
            {"n_units": 0},
            {"unit": "page"},
        ],
    }[name]


@pytest.mark.parametrize(
    "name", ["report", "cross-validation", "comparison", "pairs", "groups", "systems"]
)
def test_a_report_cannot_be_made_of_parts_that_do_not_fit(name):
    report = results()[name]
    assert replace(report) == report
    for change in changes(name):
        with pytest.raises(ValueError, match=next(iter(change)).rstrip("s")) as caught:
            replace(report, **change)
        assert "\n" not in str(caught.value)


def test_the_range_of_a_users_metric_is_not_held_against_its_values():
    @ordinal_metric(greater_is_better=True, bounds=(0.0, 1.0))
    def share_in_percent_score(counts):
        return 100 * np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    try:
        report = OrdinalReport.from_predictions([0, 1], [0, 1], metrics="share_in_percent")
    finally:
        METRICS.pop("share_in_percent", None)
    assert report.criteria["share_in_percent"] == 100


def test_an_estimate_may_be_outside_of_its_interval_and_ends_may_be_unknown():
    # The percentile interval is that of the resamples, which may be biased.
    assert Interval(0.9, 0.5, 0.8, 0.95).high == 0.8
    assert math.isnan(Interval(0.9, math.nan, 0.95, 0.95).low)
    assert Interval(math.inf, -math.inf, math.inf, 0.95).estimate == math.inf
    # Rounding errors.
    assert Interval(0.3, 0.1 + 0.2, 0.3, 0.95).low > 0.3


def test_a_file_of_the_first_release_is_read():
    report = SystemsReport.from_json(Path(__file__).with_name("systems_0.1.0.json"))
    assert not any("power" in verdict for verdict in report.verdicts.values())
    assert report.systems == ("one", "two")
    assert report.scores["cem_ord"]["two"].estimate == 1
    assert "two" in report.to_text(details=True)


def test_a_report_of_the_first_release_has_counts_and_probabilities():
    report = OrdinalReport.from_json(Path(__file__).with_name("report_0.1.0.json"))
    confusion, forecasts = report.evidence
    assert (report.confusion, report.forecasts) == (confusion, forecasts)
    for name, part in (("cem_ord", confusion), ("ranked_probability_score", forecasts)):
        assert report.metrics[name](part) == report.criteria[name]
    assert "above 'a'" in report.to_text()


def test_a_file_of_the_first_release_calls_clusters_groups(tmp_path):
    text = Path(__file__).with_name("systems_0.1.0.json").read_text(encoding="utf-8")
    path = tmp_path / "groups.json"
    path.write_text(text.replace('"unit": "sample"', '"unit": "group"'), encoding="utf-8")
    assert SystemsReport.from_json(path).unit == "cluster"
