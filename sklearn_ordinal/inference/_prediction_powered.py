"""Values from the grades of a few items by humans and of many items by a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from sklearn_ordinal._core import (
    LABELS,
    OrdinalConfusion,
    OrdinalMetric,
    PartlyGradedItems,
    Values,
    listed,
    replace_undefined,
)
from sklearn_ordinal._documents import names_in_words
from sklearn_ordinal.inference._delta_interval import (
    SingleSamples,
    Spread,
    check_have_influences,
    delta_ends,
    rounding_error,
)
from sklearn_ordinal.inference._interval import Interval

Floats = NDArray[np.float64]


class AssistedValue(NamedTuple):
    """The value of a metric with the help of a judge, and without the humans or the judge."""

    assisted: Interval
    humans: Interval
    """What the humans alone give, from the items that they grade."""
    judge: Interval
    """What the judge alone would have said, with its grades of all items as the truth."""
    tuning: float
    """The weight of the grades of the judge, between 0 and 1: lambda in the source."""
    is_one_step: bool
    """Whether the value is computed from the derivatives at the counts of the humans."""


class _Powered(NamedTuple):
    """The tuned weights of the judge and the values that they lead to: (n_metrics, ...)."""

    tuning: Floats
    counts: Floats
    one_step: Floats
    standard_error: Floats


def assisted_values(
    metrics: Sequence[OrdinalMetric], items: PartlyGradedItems, level: float
) -> dict[str, AssistedValue]:
    """Return the value of each metric by its name; raise where a judge cannot help.

    Parameters
    ----------
    metrics : sequence of OrdinalMetric
        Metrics of counts with influences.
    items : PartlyGradedItems
        The counts.
    level : float
        Confidence level of the intervals.
    """
    check_have_influences(metrics, "pass it to bootstrap_interval, with the graded items")
    humans = OrdinalConfusion(items.scale, items.human_counts)
    judge = OrdinalConfusion(items.scale, items.judge_counts + items.judge_only)
    # The derivatives of a metric at the counts of the humans, minus their mean, which does not
    # matter since the corrections of the counts add up to 0.
    gradients = np.array([metric.evidence.influence(metric, humans).cells for metric in metrics])
    gradients = _needed_derivatives(metrics, gradients, items)
    by_humans, by_judge = (_intervals_alone(metrics, alone, level) for alone in (humans, judge))
    values = np.array([interval.estimate for interval in by_humans])
    powered = _powered(gradients, items, values)
    estimates, is_one_step = _estimates(metrics, powered, items)
    intervals = _assisted_intervals(metrics, estimates, powered.standard_error, items, level)
    columns = (intervals, by_humans, by_judge, powered.tuning.tolist(), is_one_step.tolist())
    return {
        metric.name: AssistedValue(*row) for metric, *row in zip(metrics, *columns, strict=True)
    }


def _needed_derivatives(
    metrics: Sequence[OrdinalMetric], gradients: Floats, items: PartlyGradedItems
) -> Floats:
    """Return the derivatives, all NaN for a metric that lacks one in a cell that the judge fills.

    Raise if such a cell is in a class that the judge gives and no human.
    """
    human_counts = items.human_counts
    is_filled = items.judge_counts + items.judge_only > 0
    lacks = ~np.isfinite(gradients) & is_filled
    # A whole matrix is NaN if the value is undefined, or has no derivative for the humans.
    lacks[np.isnan(gradients[:, human_counts > 0]).any(axis=-1)] = False
    is_unseen = human_counts.sum(axis=1) == 0
    if lacks[:, is_unseen].any():
        names = [
            metric.name
            for metric, lacking in zip(metrics, lacks[:, is_unseen], strict=True)
            if lacking.any()
        ]
        classes = items.scale.labels[is_unseen & lacks.any(axis=(0, 2))]
        raise ValueError(
            f"judge has classes that no human's grade in y_true has, {listed(classes)}, where "
            f"{names_in_words(names)} {'has' if len(names) == 1 else 'have'} no finite derivative: "
            f"have humans grade such items, merge these classes with others, or leave these "
            f"metrics out."
        )
    return np.where(lacks.any(axis=(1, 2), keepdims=True), np.nan, gradients)


def _intervals_alone(
    metrics: Sequence[OrdinalMetric], confusion: OrdinalConfusion, level: float
) -> list[Interval]:
    """Return the intervals of `delta_interval`, NaN where there are none, without warnings."""
    by_entry = LABELS.entry_influences(metrics, confusion)
    spread = SingleSamples(LABELS.entry_amounts(confusion)).spread(by_entry)
    values = _with_replacements(metrics, by_entry.values)
    ends = delta_ends(metrics, values, spread, level, len(confusion.scale))
    methods = np.where(ends.is_wilson, "wilson", "delta")
    return _as_intervals(values, ends.low, ends.high, spread.standard_error, methods, level)


def _with_replacements(metrics: Sequence[OrdinalMetric], values: Values) -> Floats:
    return np.array([replace_undefined(m, v) for m, v in zip(metrics, values, strict=True)])


def _as_intervals(
    values: Floats, low: Floats, high: Floats, errors: Floats, methods: NDArray[Any], level: float
) -> list[Interval]:
    columns = (column.tolist() for column in (values, low, high, methods, errors))
    return [
        Interval(value, start, end, level, method=method, standard_error=error)
        for value, start, end, method, error in zip(*columns, strict=True)
    ]


@np.errstate(invalid="ignore")
def _powered(gradients: Floats, items: PartlyGradedItems, values: Floats) -> _Powered:
    """Return what PPI++ makes of the derivatives: the formulas of `judge_assisted_interval`."""
    n_graded, n_judge_only = items.n_graded, items.n_judge_only
    human, judge, predicted = items.combinations
    shares = items.numbers / n_graded
    by_human, by_judge = gradients[:, human, predicted], gradients[:, judge, predicted]
    judge_mean = by_judge @ shares
    by_human = by_human - (by_human @ shares)[:, None]
    by_judge = by_judge - judge_mean[:, None]
    unseen_mean, unseen_variance = _moments(gradients, items.judge_only)
    _, all_variance = _moments(gradients, items.judge_counts + items.judge_only)
    n_items = n_graded + n_judge_only
    covariance = (by_human * by_judge) @ shares
    variance = (1 + n_graded / n_judge_only) * all_variance * n_items / (n_items - 1)
    # A judge whose derivatives do not vary has no covariance either.
    tuning = np.clip(covariance / np.where(variance == 0, 1, variance), 0, 1)
    remaining = (by_human - tuning[:, None] * by_judge) ** 2 @ shares
    squared_error = tuning**2 * unseen_variance / n_judge_only + remaining / n_graded
    correction = n_graded / n_judge_only * items.judge_only - items.judge_counts
    return _Powered(
        tuning,
        np.asarray(items.human_counts + tuning[:, None, None] * correction, dtype=np.float64),
        values + tuning * (unseen_mean - judge_mean),
        np.sqrt(squared_error),
    )


def _moments(gradients: Floats, counts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return the mean and the variance of the derivatives over the items with these counts."""
    occurs = counts > 0
    shares, derivatives = counts[occurs] / counts.sum(), gradients[:, occurs]
    mean = derivatives @ shares
    return mean, (derivatives - mean[:, None]) ** 2 @ shares


@np.errstate(all="ignore")
def _estimates(
    metrics: Sequence[OrdinalMetric], powered: _Powered, items: PartlyGradedItems
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the values at the corrected counts, or in one step, and which are in one step."""
    values = np.array(
        [metric.statistic(counts) for metric, counts in zip(metrics, powered.counts, strict=True)],
        dtype=np.float64,
    )
    values = _with_replacements(metrics, values)
    lowest, highest = _bounds(metrics, len(items.scale))
    # A class of negative size has no meaning, although some statistics have a value there.
    class_sizes = powered.counts.sum(axis=-1)
    is_lost = (items.human_counts.sum(axis=-1) > 0) & (class_sizes <= 0)
    is_outside = ~((values >= lowest) & (values <= highest))
    is_one_step = is_outside | (is_lost | (class_sizes < 0)).any(axis=-1)
    # The values of sums over the items are the same.
    is_one_step &= ~np.isclose(values, powered.one_step, rtol=0, atol=1e-12)
    values = np.where(is_one_step, powered.one_step, values)
    return np.clip(values, lowest, highest), is_one_step & np.isfinite(values)


def _assisted_intervals(
    metrics: Sequence[OrdinalMetric],
    estimates: Floats,
    errors: Floats,
    items: PartlyGradedItems,
    level: float,
) -> list[Interval]:
    """Return intervals on the same scales as those of `delta_interval`."""
    n_graded, n_classes = items.n_graded, len(items.scale)
    sizes = np.full(errors.shape, float(n_graded))
    ends = delta_ends(metrics, estimates, Spread(errors, sizes - 1, sizes), level, n_classes)
    methods = np.where(ends.is_wilson, "wilson", "prediction-powered")
    # A corrected value may lie at the end of its range, or is cut off there, although it has a
    # standard error. The log-odds are infinite there, so the interval is symmetric.
    is_at_the_end = np.isnan(ends.low) | ends.is_wilson
    is_at_the_end &= errors > rounding_error(estimates, sizes)
    margin = stdtrit(n_graded - 1, (1 + level) / 2) * errors
    lowest, highest = _bounds(metrics, n_classes)
    low = np.where(is_at_the_end, np.maximum(estimates - margin, lowest), ends.low)
    high = np.where(is_at_the_end, np.minimum(estimates + margin, highest), ends.high)
    methods[is_at_the_end] = "prediction-powered"
    return _as_intervals(estimates, low, high, errors, methods, level)


def _bounds(metrics: Sequence[OrdinalMetric], n_classes: int) -> Floats:
    """Return the lowest and the highest value of each metric: (2, n_metrics)."""
    return np.array([metric.bounds(n_classes) for metric in metrics]).T
