"""Evidence in files: what is written is read back, and what is damaged is refused."""

import copy
import json
import tracemalloc
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScores,
    get_metric,
)
from tests.reports.damaged import (
    DAMAGES,
    damaged,
    outcome,
    outcome_of_file,
    places,
    saved,
    value_at,
)

EVIDENCE = ("confusion", "forecasts", "scores", "ratings")
RNG = np.random.default_rng(0)
TRUE = np.arange(30) % 3
PRED = np.clip(TRUE + RNG.integers(-1, 2, 30), 0, 2)
PROBA = RNG.dirichlet([1, 2, 1], 30)
NAMES = np.array(["low", "mid", "high"])


@pytest.mark.parametrize(
    "evidence",
    [
        OrdinalConfusion.from_predictions(TRUE, PRED),
        OrdinalConfusion.from_predictions(NAMES[TRUE], NAMES[PRED], labels=NAMES, by=PRED),
        OrdinalConfusion.from_predictions(TRUE / 2, PRED / 2, labels=[0, 0.5, 1]).at_prevalence(
            [0.2, 0.3, 0.5]
        ),
        OrdinalConfusion.from_soft_labels(PROBA, PRED),
        OrdinalForecasts.from_probabilities(TRUE, PROBA, by=PRED, clusters=TRUE),
        OrdinalForecasts.from_probabilities(TRUE, PROBA.astype(np.float16)),
        OrdinalScores.from_scores(TRUE, PROBA[:, 2], sample_weight=PROBA[:, 0]),
        OrdinalRatings.from_ratings(pd.DataFrame({"a": [0, 1], "b": [1, None]}, index=["x", "y"])),
        OrdinalRatings.from_ratings(np.c_[TRUE, PRED], sample_weight=PROBA[:, 0]),
    ],
)
def test_evidence_survives_a_round_trip(evidence, tmp_path):
    path = tmp_path / "evidence.json"
    evidence.to_json(path)
    assert evidence.to_json() == path.read_text(encoding="utf-8")
    found = type(evidence).from_json(path)
    assert found == evidence
    assert found.labels.dtype == evidence.labels.dtype
    for name, value in vars(evidence).items():
        if isinstance(value, np.ndarray):
            assert not getattr(found, name).flags.writeable
    content = json.loads(path.read_text(encoding="utf-8"))
    assert (content["type"], set(content)) == (
        type(evidence).__name__,
        {"format", "type", "schema_version", "package_version", "fields"},
    )


def test_counts_that_cannot_be_added_or_resampled_are_known_as_such(tmp_path):
    clustered = OrdinalConfusion.from_predictions(TRUE, PRED, clusters=PRED)
    clustered.to_json(tmp_path / "a.json")
    found = OrdinalConfusion.from_json(tmp_path / "a.json")
    assert found.is_clustered
    assert get_metric("cem_ord")(found) == get_metric("cem_ord")(clustered)


@pytest.mark.parametrize(
    "labels",
    [
        [date(2026, 1, 30), date(2026, 1, 31)],
        [Decimal("0.1"), Decimal("0.2")],
        list(pd.interval_range(0, 2)),
    ],
)
def test_labels_that_are_neither_numbers_nor_strings_are_refused(labels, tmp_path):
    y = np.array([*labels, labels[0]], dtype=object)
    evidence = OrdinalConfusion.from_predictions(y, y, labels=labels)
    report = OrdinalReport.from_confusion(evidence, zero_division=0.0)
    for part in (evidence, report):
        with pytest.raises(
            ValueError, match=r"^labels must consist of numbers and strings .*\.$"
        ) as caught:
            part.to_json(tmp_path / "a.json")
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", EVIDENCE)
def test_damaged_evidence_is_refused_or_can_be_used(name, tmp_path):
    kind, content = saved()[name]
    assert outcome(kind, content, tmp_path / "a.json") == "used"
    rng, where, n_refused = np.random.default_rng(0), places(content), 0
    for _ in range(100):
        place, damage = where[rng.integers(len(where))], DAMAGES[rng.integers(len(DAMAGES))]
        changed = damaged(content, place, damage)
        if changed is not None:
            n_refused += outcome(kind, changed, tmp_path / "a.json") == "refused"
    assert n_refused > 50


@pytest.mark.parametrize("name", EVIDENCE)
def test_bytes_that_were_changed_or_lost_are_refused_or_can_be_used(name, tmp_path):
    kind, content = saved()[name]
    path, rng = tmp_path / "a.json", np.random.default_rng(1)
    outcome(kind, content, path)
    whole = path.read_bytes()
    for position in rng.integers(len(whole) - 2, size=8):
        path.write_bytes(whole[:position])
        assert outcome_of_file(kind, path) == "refused"
        flipped = whole[position] ^ (1 << int(rng.integers(8)))
        path.write_bytes(whole[:position] + bytes([flipped]) + whole[position + 1 :])
        assert outcome_of_file(kind, path) in ("refused", "used")


ARRAY = {"array": [0.5, 2.0], "dtype": "<f8", "shape": [2]}
FLOATS = {"array": [0.5] * 24, "dtype": "<f8", "shape": [24]}
INTEGERS = {"array": [0] * 24, "dtype": "<i8", "shape": [24]}
WRONG = [
    # Shapes.
    ("confusion", ("counts",), ARRAY, "counts must have shape"),
    ("confusion", ("labels", "array"), [0, 1], "has shape"),
    ("confusion", ("unanswered",), ARRAY, "unanswered must have shape"),
    ("confusion", ("sample_counts",), ARRAY, "sample_counts must hold integers of shape"),
    ("confusion", ("squared_weights",), ARRAY, "squared_weights must have shape"),
    ("confusion", ("groups",), {"tuple": ["n"]}, "groups must name each entry"),
    ("forecasts", ("y_proba",), ARRAY, "y_proba must have shape"),
    ("forecasts", ("weights",), ARRAY, "weights must have shape"),
    ("forecasts", ("clusters",), ARRAY, "clusters must hold an integer for each"),
    ("scores", ("y_score",), ARRAY, "y_score must have shape"),
    ("scores", ("y_true",), ARRAY, "y_true must be a one-dimensional array of positions"),
    ("scores", ("group",), INTEGERS, "group must be None, since groups is empty"),
    ("ratings", ("patterns",), INTEGERS, "patterns must be an array of integers with 2 axes"),
    ("ratings", ("sample_weight",), ARRAY, "sample_weight must have shape"),
    ("ratings", ("weights",), ARRAY, "weights must have shape"),
    ("ratings", ("raters",), {"tuple": ["a"]}, "raters must name each of the 3 raters"),
    ("ratings", ("items",), INTEGERS, "items must name each of the 24 items"),
    # Types.
    ("confusion", ("counts", "array", 0), "x", "items of another type"),
    ("confusion", ("is_weighted",), 1, "is_weighted must be"),
    ("confusion", ("is_weighted",), False, "sample_counts must be left out"),
    ("confusion", ("has_systems",), None, "has_systems must be"),
    ("confusion", ("labels",), None, "labels must be"),
    ("forecasts", ("y_true",), FLOATS, "y_true must be a one-dimensional array of positions"),
    ("forecasts", ("group",), FLOATS, "group must hold the position in groups"),
    ("scores", ("y_score",), "0.5", "y_score must hold numbers"),
    ("ratings", ("pattern",), FLOATS, "pattern must be an array of integers with 1 axis"),
    # Ranges.
    ("confusion", ("counts", "array", 0), -1.0, "counts must not be negative"),
    ("confusion", ("counts", "array", 0), {"float": "inf"}, "counts must be finite"),
    ("confusion", ("sample_counts", "array", 0), -1, "sample_counts must not be negative"),
    ("confusion", ("squared_weights", "array", 0), 1e9, "squared_weights must be from"),
    ("confusion", ("labels", "array", 0), 1, "labels must name each class once"),
    ("forecasts", ("y_true", "array", 0), 10**15, "y_true must contain positions on the scale"),
    ("forecasts", ("y_proba", "array", 0), 1.5, "y_proba must"),
    ("forecasts", ("y_proba", "array", 0), -0.5, "y_proba must"),
    ("forecasts", ("weights", "array", 0), {"float": "nan"}, "weights must be finite"),
    ("forecasts", ("group", "array", 0), 2, "group must hold the position in groups"),
    ("forecasts", ("groups",), {"tuple": ["n", "n"]}, "groups must name each entry once"),
    ("scores", ("y_score", "array", 0), {"float": "inf"}, "y_score must be finite"),
    ("scores", ("weights", "array", 0), -1.0, "weights must not be negative"),
    ("ratings", ("patterns", "array", 0), -2, "patterns must hold positions on the scale"),
    ("ratings", ("pattern", "array", 0), 24, "pattern must hold positions of rows"),
    ("ratings", ("sample_weight", "array", 0), -1.0, "sample_weight must"),
    # Sizes.
    ("confusion", ("counts", "shape", 0), 10**9, "has shape"),
    ("forecasts", ("y_true", "dtype"), "<i800000000", "no array is written with dtype"),
    ("ratings", ("labels",), {"array": ["a"] * 3, "dtype": "<U9", "shape": [2]}, "has shape"),
]


@pytest.mark.parametrize(("name", "place", "wrong", "reason"), WRONG)
def test_a_wrong_value_in_a_file_is_named(name, place, wrong, reason, tmp_path):
    kind, content = saved()[name]
    path, changed = tmp_path / "a.json", copy.deepcopy(content)
    value_at(changed["fields"], place[:-1])[place[-1]] = wrong
    path.write_text(json.dumps(changed), encoding="utf-8")
    message = f"is not a complete {kind.__name__}, write it again with to_json: .*{reason}"
    with pytest.raises(ValueError, match=message) as caught:
        kind.from_json(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", EVIDENCE)
def test_files_of_other_evidence_are_refused(name, tmp_path):
    kind, _ = saved()[name]
    for other, (cls, content) in saved().items():
        if cls is not kind:
            path = tmp_path / f"{other}.json"
            path.write_text(json.dumps(content), encoding="utf-8")
            message = f"holds {cls.__name__} and not {kind.__name__}: pass a file written by"
            with pytest.raises(ValueError, match=message):
                kind.from_json(path)


def test_one_long_label_does_not_make_the_others_long(tmp_path):
    kind, content = saved()["confusion"]
    labels = ["a" * 3000, *map(str, range(3000))]
    array = {"array": labels, "dtype": "<U3000", "shape": [len(labels)]}
    path = tmp_path / "a.json"
    text = json.dumps({**content, "fields": {**content["fields"], "labels": array}})
    path.write_text(text, encoding="utf-8")
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="counts must have shape"):
            kind.from_json(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000 + 50 * path.stat().st_size
