"""Saved results that were damaged, and reports constructed from wrong parts."""

import copy
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal import OrdinalReport, ordinal_metric
from sklearn_ordinal._core import METRICS
from sklearn_ordinal.reports import SystemsReport
from tests.reports.damaged import (
    DAMAGES,
    damaged,
    outcome,
    outcome_of_file,
    places,
    saved_results,
    value_at,
)
from tests.reports.results import CLASSES, results


@pytest.mark.parametrize("name", ["report", "probabilities"])
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


def test_bytes_that_were_changed_or_lost_are_refused_or_can_be_drawn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    kind, content = saved_results()["report"]
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


def test_a_report_cannot_be_made_of_parts_that_do_not_fit():
    report = results()["report"]
    assert replace(report) == report
    for change in (
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
    ):
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
