"""Intervals of several outputs of the same persons, such as the items of a questionnaire."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    catalogue,
    checks,
    confusion_counts,
    counting,
    evidence_reading,
    lookup,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.lookup import ByName, MetricLike
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal.inference import _intervals, _unit_moves
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._unit_moves import Design
from sklearn_ordinal.metrics import _multioutput

_MEAN = "mean"


class _Output(NamedTuple):
    """The value of an output, and how far each person moves it."""

    confusion: OrdinalConfusion
    value: float
    totals: Values
    """How far each person, or cluster of persons, moves the value; the sum is zero."""
    weights: Values
    """Weight of each person or cluster, 0 if the output does not count it."""
    starts: IntegerArray | None
    """The first person or cluster of each stratum, None without strata."""
    has_single_samples: bool
    """Whether there are no clusters of persons."""


@counting.takes_reading(SampleReadingOptions)
def multioutput_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: MetricLike = "cem_ord",
    *,
    aggregate: ArrayLike | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[SampleReadingOptions],
) -> dict[Any, Interval]:
    """Compute the confidence interval of the mean over several outputs, and of each output.

    The outputs are answers of the same persons, such as the Likert items of a questionnaire, and
    depend on each other: a person who is judged too high on an item is often judged too high on
    others. The interval of the mean adds up what a person contributes over all outputs [1]_, so it
    is correct however strong the dependence is, without resampling.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_outputs)
        True classes, with a row for each person.
    y_pred : array-like of shape (n_samples, n_outputs)
        Predicted classes. With ``unanswered="count"``, single answers may be missing.
    metric : str, callable or OrdinalMetric, default="cem_ord"
        Anything that `get_metric` accepts, if it is a metric of predicted classes that has
        influences.
    **reading
    aggregate : array-like of shape (n_outputs,), default=None
        Weights of the outputs in the mean. If None, all have the same weight.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    dict of Interval
        The interval of the mean under "mean", and of each output under the name of its column, or
        its position if the columns have no names. The ends are NaN, with an
        `UndefinedMetricWarning`, where `delta_interval` has none.

    Raises
    ------
    ValueError
        If an array is not two-dimensional, the order of the classes is unknown, the metric has no
        influences, a column is named "mean", or there are fewer than two persons.

    See Also
    --------
    delta_interval : The interval for a single output.
    sklearn_ordinal.metrics.multioutput_score : The mean, or the value of each output.

    Notes
    -----
    The options are the same as in `delta_interval`. `clusters` are needed only if persons depend
    on each other, such as the pupils of a school, or have several rows. If all answers to an
    output are right, its share has Wilson's interval, as in `delta_interval`; the mean then counts
    persons, not answers.

    References
    ----------
    .. [1] K.-Y. Liang, S. L. Zeger (1986), "Longitudinal data analysis using generalized linear
       models", Biometrika 73(1), :doi:`10.1093/biomet/73.1.13`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.inference import multioutput_interval
    >>> y_true = np.array([[0, 2], [1, 1], [2, 0], [1, 2]] * 20)
    >>> y_pred = np.array([[0, 2], [1, 0], [1, 0], [1, 2]] * 20)
    >>> print(multioutput_interval(y_true, y_pred, "accuracy"))
    mean: 0.750 (95% interval 0.690 to 0.802)
    0: 0.750 (95% interval 0.641 to 0.834)
    1: 0.750 (95% interval 0.641 to 0.834)
    """
    (criterion,) = lookup.get_metrics([metric], argument="metric")
    _intervals.check_have_influences([criterion], "choose a metric that has", argument="metric")
    level = checks.check_share("confidence_level", confidence_level)
    pairs = _multioutput.output_pairs(y_true, y_pred)
    weights = np.ones(len(pairs))
    if aggregate is not None:
        weights = checks.check_weights("aggregate", aggregate, len(pairs))
    names = _multioutput.output_names(y_true) or list(range(len(pairs)))
    if _MEAN in names:
        raise ValueError(
            "y_true must not have a column named 'mean', the name of the mean: rename it."
        )
    outputs = [_output(criterion, *pair, reading) for pair in pairs]
    by_name, reasons = ByName(), {}
    by_name[_MEAN], reasons[f"the mean of {criterion.name}"] = _interval(
        criterion, outputs, weights / weights.sum(), level
    )
    for name, output in zip(names, outputs, strict=True):
        by_name[name], reasons[f"{criterion.name} of output {name}"] = _interval(
            criterion, [output], np.ones(1), level
        )
    _intervals.warn_about_missing_ends(reasons)
    return by_name


def _output(
    metric: OrdinalMetric, y_true: Any, y_pred: Any, reading: SampleReadingOptions
) -> _Output:
    options: dict[str, Any] = {**reading}
    is_clustered = options.get("clusters") is not None
    if not is_clustered:
        # Counts keep the samples of clusters.
        options["clusters"] = np.arange(len(y_true))
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred, **options)
    evidence_reading.check_metrics_take(confusion, [metric])
    kind = metric.evidence
    by_entry, drawn = kind.entry_influences([metric], confusion), kind.drawn([confusion])
    if not is_clustered:
        drawn = drawn._replace(cluster=None)
    drawn.count_units()  # raises if there are fewer than two
    moves = Design(None, drawn).moves(by_entry.influences, by_entry.is_counted)
    return _Output(
        confusion,
        float(catalogue.replace_undefined(metric, by_entry.values)[0]),
        moves.by_row[0] * moves.amounts.weights,
        np.where(moves.is_counted, moves.amounts.weights, 0),
        moves.starts,
        not is_clustered,
    )


def _interval(
    metric: OrdinalMetric, outputs: Sequence[_Output], shares: Values, level: float
) -> tuple[Interval, int]:
    """Return the interval of the mean of outputs, and why it has no ends, 0 if it has."""
    bounds = np.array([metric.bounds(len(output.confusion.scale)) for output in outputs])
    of_mean = replace(metric, value_range=tuple((shares @ bounds).tolist()))
    chosen = [(share, output) for share, output in zip(shares, outputs, strict=True) if share]
    totals = sum(share * output.totals for share, output in chosen)
    weights = sum(share * output.weights for share, output in chosen)
    values = shares @ [output.value for output in outputs]
    moves = _unit_moves.of_units(totals[None], weights, weights > 0, outputs[0].starts)
    if outputs[0].has_single_samples and outputs[0].confusion.is_weighted:
        # The counts of single samples do not hold fourth powers of their weights either.
        amounts = moves.amounts._replace(fourths=np.full(weights.shape, np.nan))
        moves = moves._replace(amounts=amounts)
    spread = moves.spread()
    # A single person tells nothing about the output.
    if any(np.count_nonzero(output.weights) < 2 for _, output in chosen):
        unknown = np.array([math.nan])
        spread = spread._replace(standard_error=unknown, degrees_of_freedom=np.zeros(1))
    ends = _intervals.delta_ends(
        [of_mean], np.array([values]), spread, level, len(outputs[0].confusion.scale)
    )
    n_left_out = (
        0
        if metric.counts_unanswered
        else sum(confusion_counts.n_unanswered(o.confusion) for o in outputs)
    )
    (interval,) = ends.intervals(values, spread.standard_error, level, n_left_out)
    return interval, int(ends.reason[0])
