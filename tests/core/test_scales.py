"""The classes from the lowest to the highest."""

import copy
import dataclasses
import datetime
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalScale, metrics, ordinal_report
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.inference import bootstrap_interval
from tests.core.examples import EXPECTED, NAMES, PRED, PRED_NAMES, TRUE, TRUE_NAMES, count

SCALE = OrdinalScale.from_labels(NAMES)

# --- labels= ---------------------------------------------------------------------------


def test_labels_may_omit_a_category_that_does_not_occur():
    y = pd.Categorical(["low", "high"], NAMES, ordered=True)
    assert count(y, y, labels=["low", "high"]).counts.tolist() == [[1, 0], [0, 1]]


def test_labels_of_an_ordered_dtype_must_follow_its_order():
    dtype = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    for labels in (
        pd.Series(["mid", "low"], dtype=dtype).unique(),
        pd.Series(["mid", "low"], dtype=dtype),
        pl.Series(["mid", "low"], dtype=pl.Enum(["low", "mid", "high"])),
    ):
        with pytest.raises(ValueError, match=r"in the order \['mid', 'low'\], but their dtype"):
            OrdinalScale.from_labels(labels)
    assert OrdinalScale.from_labels(pd.Series(["low", "high"], dtype=dtype)).labels.tolist() == [
        "low",
        "high",
    ]
    unordered = pd.Categorical(["low", "high"])
    assert OrdinalScale.from_labels(unordered).labels.tolist() == ["low", "high"]


def test_labels_may_be_numbers_with_gaps_or_fractions():
    assert count([10, 30, 20], [10, 20, 20], labels=[10, 20, 30]).counts[2, 1] == 1
    assert count([0.5, 1.5], [1.5, 1.5], labels=[0.5, 1.5]).counts.tolist() == [[0, 1], [0, 1]]
    assert count([1, 5], [5, 5], labels=[5, 1]).counts.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("lowest", [-1, 0, 1, 5])
def test_labels_may_be_consecutive_integers_starting_anywhere(lowest):
    y_true, y_pred = np.array(TRUE) + lowest, np.array(PRED) + lowest
    confusion = count(y_true, y_pred, labels=range(lowest, lowest + 3))
    assert confusion.labels.tolist() == [lowest, lowest + 1, lowest + 2]
    assert confusion.counts.tolist() == EXPECTED
    assert count([lowest], [lowest], labels=[lowest]).counts.tolist() == [[1]]


def test_narrow_integers_match_labels_up_to_their_largest_value():
    y = np.array([63, 64, 127], dtype=np.int8)
    counts = count(y, y, labels=range(128)).counts
    assert np.flatnonzero(np.diagonal(counts)).tolist() == y.tolist()


def test_labels_may_be_any_hashable_objects():
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    assert count(days, days, labels=days).counts.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("labels", [range(3), (0, 1, 2), pd.Index([0, 1, 2]), pl.Series([0, 1, 2])])
def test_labels_may_be_any_sequence(labels):
    assert count(TRUE, PRED, labels=labels).counts.tolist() == EXPECTED


def test_classes_outside_labels_are_named_in_the_error():
    with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \['huge'\]"):
        count(["low"], ["huge"], labels=NAMES)
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[-1, 3\]"):
        count([-1, 3], [0, 0], labels=range(3))
    with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \[3\]"):
        count([0], [3], labels=range(3))
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[15\]"):
        count([15], [10], labels=[10, 20])
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[1\]"):
        count([1], ["low"], labels=NAMES)


def test_a_fraction_does_not_match_an_integer_label():
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[0.5\]"):
        count([0.5, 1.0], [0.25, 1], labels=[0.25, 1])
    with pytest.raises(ValueError, match="y_true must contain classes, got continuous values"):
        count([0.5, 1.0], [0, 1], labels=[0, 1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "labels must not be empty"),
        ([0, 1, 1], "labels must name each class once, but these classes are repeated: 1"),
        ([0, None], "labels has missing values"),
        ([[0, 1]], "labels must be one-dimensional"),
        ({0, 1}, "labels must be a sequence, such as a list, got a set"),
        ("abc", "labels must be one-dimensional"),
        (range(100_000), "labels must name at most 10,000 classes, got 100,000"),
    ],
)
def test_invalid_labels_are_an_error(labels, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0, 1], labels=labels)


def test_large_signed_and_unsigned_integers_match_exactly():
    labels = [2**60, 2**60 + 1, 2**60 + 9]
    y = np.array(labels, dtype=np.uint64)
    assert count(y, y[[0, 0, 2]], labels=labels).counts.tolist() == [
        [1, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
    ]


def test_narrow_floats_match_labels_with_the_same_decimal_form():
    y = np.array([0.1, 0.2, 0.3], dtype=np.float32)
    assert count(y, y, labels=[0.1, 0.2, 0.3]).counts.tolist() == np.eye(3).tolist()


def test_labels_name_at_most_ten_thousand_classes():
    assert len(OrdinalScale.from_labels(range(10_000))) == 10_000
    with pytest.raises(ValueError, match="at most 10,000 classes, got 10,001"):
        OrdinalScale.from_labels(range(10_001))


# --- OrdinalScale ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        NAMES,
        tuple(NAMES),
        np.array(NAMES),
        pd.Index(NAMES),
        pl.Series(NAMES),
        pd.Categorical(NAMES, sorted(NAMES)),
        pd.Series(pd.Categorical(NAMES, NAMES, ordered=True)),
        pl.Series(NAMES, dtype=pl.Enum(NAMES)),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_a_scale_can_be_made_from_any_sequence(labels):
    scale = OrdinalScale.from_labels(labels)
    assert scale.labels.tolist() == NAMES
    assert len(scale) == 3
    assert scale == SCALE
    assert hash(scale) == hash(SCALE)


def test_a_scale_may_be_consecutive_integers():
    assert OrdinalScale.from_run(-1, 3).labels.tolist() == [-1, 0, 1]
    assert OrdinalScale.from_run(-1, 3) == OrdinalScale.from_labels([-1, 0, 1])
    assert OrdinalScale.from_run(2**64 - 2, 2).labels.tolist() == [2**64 - 2, 2**64 - 1]
    assert OrdinalScale.from_labels([0.0, 1.0]).encode([1, 0]).tolist() == [1, 0]


def test_scales_are_equal_if_their_classes_are():
    assert OrdinalScale.from_labels(NAMES[::-1]) != SCALE
    assert OrdinalScale.from_labels(NAMES[:2]) != SCALE
    assert SCALE != NAMES
    assert len({SCALE, OrdinalScale.from_labels(NAMES), OrdinalScale.from_labels(NAMES[:2])}) == 2


@pytest.mark.parametrize(
    ("labels", "y"),
    [
        (NAMES, ["high", "low", "low"]),
        (NAMES, pd.Categorical(["high", "low", "low"])),
        (NAMES, pl.Series(["high", "low", "low"], dtype=pl.Enum(NAMES))),
        ([10, 20, 30], [30, 10, 10]),
        ([0.5, 1.5, 2.5], np.array([2.5, 0.5, 0.5], dtype=np.float32)),
        ([5, 6, 7], np.array([7, 5, 5], dtype=np.uint8)),
        ([7, 6, 5], [5, 7, 7]),
        ([True, 5, "x"], np.array(["x", True, True], dtype=object)),
    ],
)
def test_labels_are_encoded_as_positions(labels, y):
    scale = OrdinalScale.from_labels(labels)
    assert scale.encode(y).tolist() == [2, 0, 0]
    assert [scale.position(label) for label in np.asarray(y, dtype=object)[:2]] == [2, 0]


@pytest.mark.parametrize("label", ["top", 0, None, ["low"], float("nan")])
def test_a_label_off_the_scale_is_rejected(label):
    with pytest.raises(ValueError, match=r"label must be on the scale \['low', 'mid', 'high'\]"):
        SCALE.position(label)
    with pytest.raises(ValueError, match=r"y has (classes that are not in labels|missing values)"):
        SCALE.encode(np.array([*NAMES, label], dtype=object)[:4] if label != ["low"] else [0])


def test_probabilities_are_aligned_with_the_scale():
    proba = np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3]])
    aligned = SCALE.align(proba, ["high", "low", "mid"])
    assert aligned.tolist() == [[0.2, 0.7, 0.1], [0.4, 0.3, 0.3]]
    assert SCALE.align(proba[:, :2], ["high", "low"]).tolist() == [[0.2, 0, 0.1], [0.4, 0, 0.3]]
    assert SCALE.align(pd.DataFrame(proba), np.array(NAMES)).tolist() == proba.tolist()
    assert OrdinalScale.from_run(0, 4).align(proba, [0, 1, 3])[0].tolist() == [0.1, 0.2, 0, 0.7]


@pytest.mark.parametrize(
    ("y_proba", "classes", "message"),
    [
        ([[0.5, 0.5]], ["low", "top"], "classes has classes that are not in labels"),
        ([[0.5, 0.5]], NAMES, r"y_proba must have a column for each of the 3 classes, got"),
        ([0.5, 0.5], ["low", "mid"], r"y_proba must have a column for each of the 2 classes, got"),
        ([[0.5, 0.5]], ["low", "low"], "classes must name each class once"),
        ([["a", "b"]], ["low", "mid"], "y_proba must hold numbers"),
        ([[0, np.inf]], ["low", "mid"], "y_proba must be finite: row 0 has NaN or infinite values"),
        (np.ma.array([[0.5, 0.5]], mask=[[1, 0]]), ["low", "mid"], "y_proba must be finite: row 0"),
        ([[1.5, -0.5]], ["low", "mid"], "y_proba must not be negative: row 0 contains -0.5"),
    ],
)
def test_probabilities_of_other_classes_are_rejected(y_proba, classes, message):
    with pytest.raises(ValueError, match=message):
        SCALE.align(y_proba, classes)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda scale: pickle.loads(pickle.dumps(scale))]
)
@pytest.mark.parametrize("labels", [NAMES, [0, 1, 2], [datetime.date(2020, 1, 1), "late"]])
def test_a_copy_is_equal_and_read_only(copied, labels):
    scale = OrdinalScale.from_labels(labels)
    assert copied(scale) == scale
    assert not copied(scale).labels.flags.writeable
    assert copied(scale).labels.tolist() == labels


def test_a_scale_cannot_be_changed():
    labels = np.array(["no", "yes"])
    scale = OrdinalScale.from_labels(labels)
    with pytest.raises(ValueError, match="read-only"):
        scale.labels[0] = "x"
    with pytest.raises(dataclasses.FrozenInstanceError):
        scale.labels = labels
    labels[0] = "x"
    assert scale.labels.tolist() == ["no", "yes"]


def test_a_scale_passed_as_labels_is_not_checked_again(monkeypatch):
    scale = OrdinalScale.from_labels(NAMES)
    monkeypatch.setattr(OrdinalScale, "from_labels", None)
    assert count(TRUE_NAMES, PRED_NAMES, labels=scale).scale is scale
    assert OrdinalConfusion.from_counts(EXPECTED, labels=scale).scale is scale
    assert OrdinalConfusion(scale, EXPECTED).scale is scale


def test_is_an_array_like_of_its_labels():
    scale = OrdinalScale.from_labels([1, 2, 4])
    assert np.asarray(scale).tolist() == [1, 2, 4]
    assert np.asarray(scale, dtype=float).dtype == float
    np.array(scale)[0] = 5
    assert scale.labels[0] == 1


@pytest.mark.parametrize(
    "metric", [m for m in metrics_of(LABELS).values() if not m.is_sklearns], ids=str
)
def test_each_function_accepts_a_scale_as_labels(metric):
    options = {**metric.options, "labels": SCALE}
    found = metric.function(TRUE_NAMES, PRED_NAMES, **options)
    assert found == metric.function(TRUE, PRED, **metric.options)
    assert metric.from_predictions(TRUE_NAMES, PRED_NAMES, labels=SCALE) == pytest.approx(found)


def test_reports_intervals_and_multioutput_accept_a_scale_as_labels():
    named, plain = {"labels": SCALE}, {"labels": NAMES}
    for call in (
        lambda how: ordinal_report(TRUE_NAMES, PRED_NAMES, zero_division=0.0, **how),
        lambda how: bootstrap_interval(
            TRUE_NAMES, PRED_NAMES, "accuracy", n_resamples=20, random_state=0, **how
        ),
        lambda how: metrics.multioutput_score(
            [[label] for label in TRUE_NAMES], [[label] for label in PRED_NAMES], "accuracy", **how
        ),
    ):
        assert call(named) == call(plain)


def test_classes_that_only_differ_in_code_points_are_refused():
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    with pytest.raises(ValueError, match=r"^labels must look different.*normalize\('NFC', label\)"):
        OrdinalScale.from_labels([composed, decomposed, "z"])
    scale = OrdinalScale.from_labels([composed, "z"])
    with pytest.raises(ValueError, match=r"not in labels: .*: apply unicodedata\.normalize"):
        scale.encode([decomposed, "z"])
    # Without accents, the same characters may be repeated in other words.
    assert len(OrdinalScale.from_labels(["cafe", composed, 1])) == 3
