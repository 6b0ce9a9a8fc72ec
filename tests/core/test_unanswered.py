"""Samples without a prediction."""

from array import array
from collections import deque
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalReport
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal._core.lookup import get_metric
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.metrics import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    linear_weighted_kappa_score,
)
from tests import reference

METRICS = metrics_of(LABELS)

TRUE = [0, 1, 2, 2, 1, 0, 2]
PRED = [0, 2, None, 2, 1, None, 1]
ANSWERED = [k for k, pred in enumerate(PRED) if pred is not None]
NAMES = ["low", "mid", "high"]
METRICS = metrics_of(LABELS)


def arrow_nan():
    floats = pd.Series([0.0 if pred is None else 1.0 for pred in PRED], dtype="double[pyarrow]")
    # 0 / 0 is NaN, not NA.
    return pd.Series(PRED, dtype="double[pyarrow]").fillna(0) / floats


def nullable_nan():
    floats = pd.Series([0.0 if pred is None else 1.0 for pred in PRED], dtype="Float64")
    return pd.Series(PRED, dtype="Float64").fillna(0) / floats


def count(y_true=TRUE, y_pred=PRED, **options):
    return OrdinalConfusion.from_predictions(y_true, y_pred, unanswered="count", **options)


def test_missing_predictions_are_an_error_unless_counted():
    with pytest.raises(ValueError, match="y_pred has missing values"):
        OrdinalConfusion.from_predictions(TRUE, PRED)
    with pytest.raises(ValueError, match="unanswered must be one of"):
        OrdinalConfusion.from_predictions(TRUE, PRED, unanswered="drop")


@pytest.mark.parametrize(
    "y_pred",
    [
        PRED,
        tuple(PRED),
        np.array(PRED, dtype=float),
        np.array(PRED, dtype=object),
        np.ma.array([pred or 0 for pred in PRED], mask=[pred is None for pred in PRED]),
        np.ma.array(
            [np.nan if pred is None else pred for pred in PRED], mask=[0, 0, 1, 0, 0, 0, 0]
        ),
        pd.Series(PRED, dtype="Int64"),
        pd.Series(PRED),
        pd.Series(PRED, index=list("gfedcba")),
        pl.Series(PRED),
        pl.Series(PRED, dtype=pl.Float64),
        pl.Series([np.nan if pred is None else float(pred) for pred in PRED]),
        pl.DataFrame({"pred": PRED}),
        pd.DataFrame({"pred": PRED}),
        pd.Series(PRED, dtype="double[pyarrow]"),
        arrow_nan(),
        nullable_nan(),
        pd.Index(PRED),
        pd.array(PRED, dtype="Int64"),
        deque(PRED),
        array("d", [np.nan if pred is None else pred for pred in PRED]),
        np.array(PRED, dtype=float)[:, None],
        np.array(PRED, dtype=object)[:, None],
        [[pred] for pred in PRED],
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_unanswered_samples_are_counted_by_true_class(y_pred):
    confusion = count(y_pred=y_pred)
    assert confusion.counts.tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
    assert confusion.unanswered.tolist() == [1, 0, 1]
    assert confusion.counts.dtype == confusion.unanswered.dtype == np.int64
    assert "5 samples and 2 unanswered" in repr(confusion)


@pytest.mark.parametrize(
    "ordered", ["labels", "categorical truth", "categorical predictions", "enum"]
)
def test_missing_predictions_do_not_change_where_the_order_comes_from(ordered):
    true = np.array([NAMES[k] for k in TRUE], dtype=object)
    pred = np.array([None if k is None else NAMES[k] for k in PRED], dtype=object)
    options = {"labels": NAMES} if ordered == "labels" else {}
    if ordered == "categorical truth":
        true = pd.Categorical(true, NAMES, ordered=True)
    elif ordered == "categorical predictions":
        pred = pd.Series(pd.Categorical(pred, NAMES, ordered=True))
    elif ordered == "enum":
        pred = pl.Series(pred.tolist(), dtype=pl.Enum(NAMES))
    confusion = count(true, pred, **options)
    assert confusion.counts.tolist() == [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
    assert confusion.unanswered.tolist() == [1, 0, 1]


def test_strings_in_a_deque_may_be_missing():
    for nothing in (None, np.nan):
        confusion = count(NAMES, deque(["low", nothing, "high"]), labels=NAMES)
        assert confusion.unanswered.tolist() == [0, 1, 0]


def test_a_class_with_only_unanswered_samples_is_on_the_scale():
    confusion = count([5, 6, 9], [5, 5, None])
    assert confusion.labels.tolist() == [5, 6, 7, 8, 9]
    assert confusion.unanswered.tolist() == [0, 0, 0, 0, 1]
    assert confusion.counts.sum() == 2


def test_large_unsigned_integers_may_be_missing():
    true = np.array([2**64 - 3, 2**64 - 1], dtype=np.uint64)
    confusion = count(true, pd.Series([2**64 - 2, None], dtype="UInt64"))
    assert confusion.labels.tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    assert confusion.unanswered.tolist() == [0, 0, 1]


def test_weights_of_unanswered_samples_are_summed_separately():
    confusion = count(sample_weight=[1, 1, 0.5, 1, 1, 2, 1])
    assert confusion.is_weighted
    assert confusion.unanswered.tolist() == [2, 0, 0.5]
    assert confusion.counts.sum() == 5


def test_a_missing_true_class_is_an_error():
    with pytest.raises(ValueError, match=r"y_true has missing values .*drop or fill"):
        count([0, None], [0, 1])
    with pytest.raises(ValueError, match="must have the same length, got 2 and 3"):
        count([0, 1], [0, 1, None])


@pytest.mark.parametrize(
    "y_pred",
    [
        range(7),
        range(-2, 5),
        deque(TRUE),
        array("i", TRUE),
        np.array(TRUE)[:, None],
        pd.DataFrame({"pred": TRUE}),
        [[pred] for pred in TRUE],
        deque(["low"] * 7),
        range(6),
        5,
        None,
        np.float64("nan"),
        "low",
        [],
        range(0),
        np.ones((7, 2)),
        np.ones((7, 1, 1)),
        pd.DataFrame({"a": TRUE, "b": TRUE}),
        pl.DataFrame({"a": TRUE, "b": TRUE}),
        [[1, 2]] * 7,
        [[1], [1, 2]],
        [0.5] * 7,
        [np.inf] * 7,
        {"a": 1},
    ],
    ids=str,
)
def test_without_missing_predictions_the_option_changes_nothing(y_pred):
    outcomes = []
    for unanswered in ("raise", "count"):
        try:
            confusion = OrdinalConfusion.from_predictions(TRUE, y_pred, unanswered=unanswered)
        except ValueError as error:
            outcomes.append(str(error))
        else:
            outcomes.append([confusion.labels.tolist(), confusion.counts.tolist()])
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    "nothing",
    [
        [None] * 7,
        [np.nan] * 7,
        np.full(7, np.nan),
        pd.Series([None] * 7),
        pd.Series([None] * 7, dtype="Int64"),
        pd.Series([None] * 7, dtype="string"),
        pd.Series(pd.Categorical([None] * 7, ["a", "b"])),
        pl.Series([None] * 7),
        pl.Series([None] * 7, dtype=pl.String),
        pd.Series([pd.NaT] * 7),
        np.ma.array(TRUE, mask=True),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
def test_without_any_predictions_the_score_is_zero_or_undefined(nothing):
    confusion = count(y_pred=nothing)
    assert confusion.counts.sum() == 0
    assert confusion.unanswered.tolist() == [2, 2, 3]
    for function in (cem_ord_score, cem_ord_flat_score, cem_int_score, cem_nom_score):
        assert function(TRUE, nothing, unanswered="count") == 0
    assert cem_ord_score(TRUE, nothing, adjusted=True, unanswered="count") == 0
    assert cem_ord_score(TRUE, nothing, class_counts=[1, 1, 1], unanswered="count") == 0
    for name, metric in METRICS.items():
        assert metric.counts_unanswered or np.isnan(metric(confusion)), name


def test_the_order_may_come_from_predictions_that_are_all_missing():
    true = ["low", "high"]
    nothing = pd.Categorical([None, None], NAMES, ordered=True)
    assert count(true, nothing).unanswered.tolist() == [1, 0, 1]


@pytest.mark.parametrize("function", [cem_ord_score, cem_int_score, bootstrap_interval])
def test_the_error_for_missing_predictions_names_the_option(function):
    arguments = ("cem_ord",) if function is bootstrap_interval else ()
    with pytest.raises(ValueError, match=r"y_pred has missing values .* unanswered='count'"):
        function(TRUE, PRED, *arguments)


@pytest.mark.parametrize("unanswered", ["drop", None, 1, ["count"]])
def test_other_values_of_unanswered_are_an_error(unanswered):
    with pytest.raises(ValueError, match=r"unanswered must be one of \('raise', 'count'\)"):
        cem_ord_score(TRUE, PRED, unanswered=unanswered)


def test_a_metric_with_bound_labels_counts_unanswered_samples():
    metric = get_metric(partial(cem_ord_score, labels=NAMES))
    true, pred = ([None if k is None else NAMES[k] for k in y] for y in (TRUE, PRED))
    for weight in (None, [1, 1, 0.5, 1, 1, 2, 1]):
        confusion = count(true, pred, labels=NAMES, sample_weight=weight)
        assert metric(confusion) == pytest.approx(METRICS["cem_ord"](confusion))
        stack = OrdinalConfusion.stack([confusion, confusion])
        assert metric(stack) == pytest.approx(METRICS["cem_ord"](stack))
    assert metric.counts_unanswered
    assert not get_metric(partial(linear_weighted_kappa_score, labels=NAMES)).counts_unanswered
    assert metric(count(true, [None] * 7, labels=NAMES)) == 0


def test_unanswered_is_not_an_option_of_a_metric():
    with pytest.raises(ValueError, match="unanswered is not an option of a metric"):
        get_metric(partial(cem_ord_score, unanswered="count"))


def test_the_closeness_functions_equal_the_definition_over_rows():
    closeness = {
        cem_ord_score: (reference.ordinal_closeness, True),
        cem_ord_flat_score: (reference.ordinal_closeness, False),
        cem_int_score: (reference.interval_closeness, True),
        cem_nom_score: (reference.nominal_closeness, True),
    }
    rng = np.random.default_rng(0)
    for _ in range(50):
        true = rng.integers(0, 4, 12).tolist()
        pred = [None if rng.random() < 0.3 else int(p) for p in rng.integers(0, 4, 12)]
        for function, (share, log) in closeness.items():
            expected = reference.cem(true, pred, share, log=log)
            assert function(true, pred, unanswered="count") == pytest.approx(expected, abs=1e-12)


def test_a_sample_without_a_prediction_costs_its_information_in_bits():
    # Four classes: an unanswered sample loses its share of the total of 1 - log2 f.
    true = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    bits = 1 - np.log2(np.bincount(true) / 10)[true]
    for k in range(10):
        pred = [None if i == k else t for i, t in enumerate(true)]
        expected = 1 - bits[k] / bits.sum()
        assert cem_ord_score(true, pred, unanswered="count") == pytest.approx(expected)


def test_abstaining_never_pays():
    pred = [0, 2, 2, 2, 1, 0, 1]
    for function in (cem_ord_score, cem_ord_flat_score, cem_int_score, cem_nom_score):
        for k in range(7):
            fewer = [None if i == k else p for i, p in enumerate(pred)]
            assert function(TRUE, fewer, unanswered="count") <= function(TRUE, pred)


def test_the_closeness_family_counts_unanswered_samples_as_zero():
    closeness = {
        "cem_ord": (reference.ordinal_closeness, True),
        "cem_ord_flat": (reference.ordinal_closeness, False),
        "cem_int": (reference.interval_closeness, True),
        "cem_nom": (reference.nominal_closeness, True),
    }
    for name, (share, log) in closeness.items():

        def proximity(i, j, share=share, log=log):
            return -np.log2(float(share(TRUE, i, j))) if log else 1 - float(share(TRUE, i, j))

        earned = sum(proximity(PRED[k], TRUE[k]) for k in ANSWERED)
        best = sum(proximity(j, j) for j in TRUE)
        assert METRICS[name](count()) == pytest.approx(earned / best)


@pytest.mark.parametrize("name", [name for name, m in METRICS.items() if not m.counts_unanswered])
def test_the_other_metrics_leave_out_unanswered_samples(name):
    true, pred = ([y[k] for k in ANSWERED] for y in (TRUE, PRED))
    expected = METRICS[name].statistic(OrdinalConfusion.from_predictions(true, pred).counts)
    assert METRICS[name](count()) == expected


@pytest.mark.parametrize(
    "metric",
    [m for m in METRICS.values() if m.function.__module__.startswith("sklearn_ordinal.")],
    ids=lambda m: m.name,
)
def test_each_docstring_says_how_unanswered_samples_count(metric):
    if metric.name == "reliability_sensitivity_f":
        return
    says = "closeness of 0" if metric.counts_unanswered else "are left out"
    assert says in " ".join(metric.function.__doc__.split())


def test_unanswered_samples_are_added_stacked_and_pooled():
    both = count() + OrdinalConfusion.from_predictions([0, 2], [0, 2])
    assert both.unanswered.tolist() == [1, 0, 1]
    assert (count() + count()).unanswered.tolist() == [2, 0, 2]
    stack = OrdinalConfusion.stack(
        [count(), count(), OrdinalConfusion.from_counts(np.eye(3, dtype=int))]
    )
    assert stack.unanswered.tolist() == [[1, 0, 1], [1, 0, 1], [0, 0, 0]]
    assert stack.pooled().unanswered.tolist() == [2, 0, 2]
    stacks = OrdinalConfusion.stack([stack, OrdinalConfusion.from_counts(np.ones((3, 3, 3)))])
    assert stacks.unanswered.tolist() == [stack.unanswered.tolist(), np.zeros((3, 3)).tolist()]
    values = METRICS["cem_ord"](stack)
    assert values[0] == METRICS["cem_ord"](count())
    assert values[2] == 1


def test_a_report_includes_and_mentions_unanswered_samples():
    report = OrdinalReport.from_confusion(count(), zero_division=0.0)
    assert report.criteria["cem_ord"] == METRICS["cem_ord"](count())
    assert "2 of 7 unanswered" in str(report)
    assert "2 of 7 unanswered" in report._repr_html_()
    assert report.to_dict()["unanswered"] == 2
    assert "unanswered" not in OrdinalReport.from_predictions([0, 1], [0, 1]).to_dict()


def test_the_adjusted_measure_is_zero_for_one_class_with_unanswered_samples():
    confusion = OrdinalConfusion.from_predictions([0, 0, 1], [0, 0, None], unanswered="count")
    assert METRICS["cem_ord_adjusted"](confusion) == 0


def test_the_adjusted_measure_of_one_class_is_undefined_only_if_all_are_answered():
    # Rounding makes chance, 0.1 * 0.1 / 0.1 of 0.1 samples, not quite 1.
    counts = np.zeros((2, 3, 3))
    counts[:, 2, 2] = 0.1
    stack = OrdinalConfusion(range(3), counts, True, unanswered=[[0, 0, 0], [1, 0, 0]])
    answered, with_unanswered = METRICS["cem_ord_adjusted"](stack)
    assert np.isnan(answered)
    assert with_unanswered == pytest.approx(0, abs=1e-12)


def test_unanswered_must_be_numbers_that_fit_the_counts():
    for unanswered, message in (
        ([-1, 2], "unanswered must not be negative, the smallest is -1"),
        ([1, np.nan], "unanswered must be finite"),
        ([1, 2, 3], r"unanswered must have shape \(2,\), got \(3,\)"),
        ([[1, 2], [1, 2]], r"unanswered must have shape \(2,\), got \(2, 2\)"),
    ):
        with pytest.raises(ValueError, match=message):
            OrdinalConfusion([0, 1], np.eye(2), unanswered=unanswered)


def test_from_counts_takes_unanswered():
    confusion = OrdinalConfusion.from_counts(np.eye(2, dtype=int), unanswered=[1, 0])
    assert confusion.unanswered.dtype == np.int64
    assert METRICS["cem_ord"](confusion) == cem_ord_score(
        [0, 0, 1], [0, None, 1], unanswered="count"
    )
    weighted = OrdinalConfusion.from_counts(np.eye(2, dtype=int), unanswered=[0.5, 0])
    assert weighted.is_weighted
    assert weighted.counts.dtype == np.float64
    stack = OrdinalConfusion.from_counts(np.ones((4, 2, 2)), unanswered=np.ones((4, 2)))
    assert stack.unanswered.shape == (4, 2)
    nothing = OrdinalConfusion.from_counts(np.zeros((2, 2)), labels=["a", "b"], unanswered=[2, 1])
    assert METRICS["cem_ord"](nothing) == 0
    with pytest.raises(ValueError, match=r"unanswered must have shape \(2,\), got \(3,\)"):
        OrdinalConfusion.from_counts(np.eye(2), unanswered=[1, 2, 3])
    with pytest.raises(ValueError, match="unanswered must not be negative"):
        OrdinalConfusion.from_counts(np.eye(2), unanswered=[-1, 2])


def test_a_stack_needs_unanswered_for_each_matrix():
    with pytest.raises(ValueError, match=r"unanswered must have shape \(4, 2\), got \(2,\)"):
        OrdinalConfusion([0, 1], np.ones((4, 2, 2)), unanswered=[1, 2])


def test_unanswered_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        count().unanswered[0] = 3


def test_a_class_of_zero_weight_does_not_extend_the_scale():
    weight = [0, 1, 1, 0]
    confusion = count([-5, -3, -2, -1], [-5, -3, None, -1], sample_weight=weight)
    assert confusion.labels.tolist() == [-3, -2]
    assert confusion.counts.tolist() == [[1, 0], [0, 0]]
    assert confusion.unanswered.tolist() == [0, 1]


def test_unanswered_is_none_for_a_stack_of_parts_without_it():
    part = OrdinalConfusion.from_predictions([0, 1], [0, 1])
    assert OrdinalConfusion.stack([part, part]).unanswered is None
    assert (part + part).unanswered is None
    assert OrdinalConfusion.stack([part, part]).pooled().unanswered is None


@pytest.mark.parametrize("wrap", [lambda codes: codes, lambda codes: pa.chunked_array([codes])])
def test_a_dictionary_without_any_prediction_declares_the_order(wrap):
    codes = pa.DictionaryArray.from_arrays(pa.array([None], pa.int8()), NAMES, ordered=True)
    confusion = count(pd.Categorical(["mid"], NAMES, ordered=True), wrap(codes))
    assert confusion.labels.tolist() == NAMES
    assert confusion.unanswered.tolist() == [0, 1, 0]


@pytest.mark.parametrize("labels", [NAMES[::-1], ["high", "mid", "low", "top"]])
def test_labels_override_the_order_of_a_dtype_without_any_prediction(labels):
    y_true = pd.Categorical(["low", "high"], NAMES, ordered=True)
    y_pred = pd.Categorical([None, None], NAMES, ordered=True)
    confusion = count(y_true, y_pred, labels=labels)
    assert confusion.labels.tolist() == labels
    assert confusion.unanswered.tolist() == [1, 0, 1, 0][: len(labels)]
    assert not confusion.counts.any()
