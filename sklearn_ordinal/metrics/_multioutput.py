"""Metrics of several ordinal targets, such as the aspects of a review."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import checks, containers, counting, lookup, scales
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import ReadingOptions
from sklearn_ordinal._core.scales import Encoded

Aggregate = Literal["mean", "none"] | ArrayLike


# For type checkers, the string "none" is an array-like as well.
@overload
def multioutput_score(  # type: ignore[overload-overlap]
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Callable[..., Any],
    *,
    aggregate: Literal["none"],
    **reading: Unpack[ReadingOptions],
) -> NDArray[np.float64]: ...
@overload
def multioutput_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Callable[..., Any],
    *,
    aggregate: Aggregate = "mean",
    **reading: Unpack[ReadingOptions],
) -> float: ...
def multioutput_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str | Callable[..., Any],
    *,
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
    aggregate: Aggregate = "mean",
) -> float | NDArray[np.float64]:
    """Compute a metric of several ordinal targets.

    The metric is computed for each output, as for the labels of multi-label
    classification [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_outputs)
        True classes.
    y_pred : array-like of shape (n_samples, n_outputs)
        Predicted classes. Missing predictions raise a ValueError.
    metric : str, callable or OrdinalMetric
        Anything that `get_metric` accepts: a name such as "cem_ord", a metric function, or a
        `functools.partial` of one with options.
    labels : array-like of shape (n_classes,), default=None
        All classes of each output from the lowest to the highest. If None, taken for
        each output from an ordered dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    aggregate : {"mean", "none"} or array-like of shape (n_outputs,), default="mean"
        How to aggregate over the outputs: by their mean, not at all, or by a mean with these
        weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Value in the range of the metric; an array if `aggregate` is "none". NaN where
        the metric is undefined for an output, unless `metric` sets ``replace_undefined_by``.

    Raises
    ------
    ValueError
        If the metric is not known, an array is not two-dimensional, the order of the
        classes is not known, a class is not in `labels`, or the weights in `aggregate`
        do not match the outputs.

    See Also
    --------
    exact_match_score : Proportion of samples with all outputs correct.

    References
    ----------
    .. [1] G. Tsoumakas, I. Katakis (2007), "Multi-label classification: an overview",
       International Journal of Data Warehousing and Mining 3(3),
       :doi:`10.4018/jdwm.2007070101`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import multioutput_score
    >>> y_true, y_pred = [[0, 2], [1, 1], [2, 0]], [[0, 2], [1, 0], [1, 0]]
    >>> multioutput_score(y_true, y_pred, "accuracy", aggregate="none")
    array([0.66666667, 0.66666667])
    """
    if isinstance(aggregate, str):
        checks.check_choice("aggregate", aggregate, Literal["mean", "none"])
    checked_metric = lookup.get_metric(metric)
    values = output_values(checked_metric, y_true, y_pred, labels, sample_weight)
    if np.isnan(values).any():
        outputs = ", ".join(map(str, np.flatnonzero(np.isnan(values))))
        checks.warn_caller(
            f"{checked_metric.name} is undefined for output {outputs}.",
            UndefinedMetricWarning,
        )
    return aggregated(values, aggregate)


def output_values(
    metric: OrdinalMetric,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: Any,
    sample_weight: ArrayLike | None,
) -> NDArray[np.float64]:
    """Return the value of each output, NaN where it is undefined."""
    if metric.evidence.reads_labels:
        return _evaluate_rows(metric, y_true, y_pred, sample_weight)
    return _evaluate_counts(metric, y_true, y_pred, labels, sample_weight)


def aggregated(values: NDArray[np.float64], aggregate: Aggregate) -> float | NDArray[np.float64]:
    """Return the values of the outputs, or their mean."""
    if isinstance(aggregate, str):
        return values if aggregate == "none" else float(values.mean())
    weight = checks.check_weights("aggregate", aggregate, len(values))
    return float((values * weight)[weight > 0].sum() / weight.sum())


def _evaluate_rows(
    metric: OrdinalMetric, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> NDArray[np.float64]:
    pairs = output_pairs(y_true, y_pred)
    for true, pred in pairs:
        scales.check_same_length({"y_true": len(true), "y_pred": len(pred)})
        if sample_weight is not None:
            checks.check_sample_weight(sample_weight, len(true))
    return np.array([metric.from_predictions(*pair, sample_weight=sample_weight) for pair in pairs])


def _evaluate_counts(
    metric: OrdinalMetric,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: Any,
    sample_weight: ArrayLike | None,
) -> NDArray[np.float64]:
    confusions = [
        OrdinalConfusion(scale, counts, sample_weight is not None)
        for counts, scale in (
            counting.counts_on_scale(encoded, sample_weight)
            for encoded in encode_outputs(y_true, y_pred, labels)
        )
    ]
    if all(confusion.scale == confusions[0].scale for confusion in confusions):
        values: NDArray[np.float64] = metric(OrdinalConfusion.stack(confusions))
        return values
    # Each output with integer classes has its own scale.
    return np.array([metric(confusion) for confusion in confusions])


def exact_match_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the proportion of samples with all outputs correct.

    Also known as subset accuracy [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_outputs)
        True classes.
    y_pred : array-like of shape (n_samples, n_outputs)
        Predicted classes. Missing predictions raise a ValueError.
    labels : array-like of shape (n_classes,), default=None
        All classes of each output from the lowest to the highest. If None, taken for
        each output from an ordered dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Proportion of the samples, or of their weight, in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If an array is not two-dimensional, the order of the classes is not known, or a
        class is not in `labels`.

    See Also
    --------
    multioutput_score : A metric for each output, or its mean.
    sklearn.metrics.accuracy_score : The same proportion for outputs of two classes.

    References
    ----------
    .. [1] G. Tsoumakas, I. Katakis (2007), "Multi-label classification: an overview",
       International Journal of Data Warehousing and Mining 3(3),
       :doi:`10.4018/jdwm.2007070101`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import exact_match_score
    >>> exact_match_score([[0, 2], [1, 1]], [[0, 2], [1, 0]])
    0.5
    """
    outputs = encode_outputs(y_true, y_pred, labels)
    is_right = np.all([np.equal(*output.columns) for output in outputs], axis=0)
    if sample_weight is None:
        return float(is_right.mean())
    weight = checks.check_sample_weight(sample_weight, len(is_right))
    return float((is_right * weight).sum() / weight.sum())


def encode_outputs(y_true: ArrayLike, y_pred: ArrayLike, labels: Any = None) -> list[Encoded]:
    """Encode the pair of columns of each output of two-dimensional labels."""
    scale = labels if labels is None else scales.as_scale(labels)
    return [
        scales.encode({"y_true": true, "y_pred": pred}, scale)
        for true, pred in output_pairs(y_true, y_pred)
    ]


def output_pairs(y_true: ArrayLike, y_pred: ArrayLike) -> list[tuple[Any, Any]]:
    """Return the columns of two-dimensional labels as pairs of true and predicted."""
    names = [names for y in (y_true, y_pred) if (names := output_names(y)) is not None]
    if len(names) == 2 and names[0] != names[1]:
        raise ValueError(
            f"y_true and y_pred must have the same columns in the same order, got {names[0]} and "
            f"{names[1]}: select them by name, or pass arrays to pair them by position."
        )
    true, pred = _outputs(y_true, "y_true"), _outputs(y_pred, "y_pred")
    for name, outputs in (("y_true", true), ("y_pred", pred)):
        if not outputs:
            raise ValueError(f"{name} must have shape (n_samples, n_outputs), got no outputs.")
    if len(true) != len(pred):
        raise ValueError(
            f"y_true and y_pred must have the same number of outputs, "
            f"got {len(true)} and {len(pred)}."
        )
    return list(zip(true, pred, strict=True))


def output_names(y: Any) -> list[Any] | None:
    """Return the names of the columns of a frame, None if they have none."""
    names = checks.column_names(y)
    # A pandas frame without names has a RangeIndex, which has a step.
    return None if names is None or hasattr(names, "step") else list(names)


def _outputs(y: Any, name: str) -> list[Any]:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(y, pandas.DataFrame):
        return [y.iloc[:, output] for output in range(y.shape[1])]
    if polars is not None and isinstance(y, polars.DataFrame):
        return list(y.get_columns())
    if isinstance(y, (list, tuple)) and y and all(isinstance(row, (list, tuple)) for row in y):
        if len(set(map(len, y))) == 1:
            # Read column by column, since NumPy would turn rows of mixed types into strings.
            return [list(column) for column in zip(*y, strict=True)]
        raise ValueError(
            f"{name} must have shape (n_samples, n_outputs), got rows of different lengths."
        )
    array = containers.as_array(y, name)
    if array.ndim != 2 or not array.shape[1]:
        raise ValueError(
            f"{name} must have shape (n_samples, n_outputs), got {array.shape}: "
            f"for a single output, call the metric directly."
        )
    return list(array.T)
