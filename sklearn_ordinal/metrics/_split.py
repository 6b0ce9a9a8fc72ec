"""Binary measures of each class against the rest, or of each threshold of the scale."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._confusion import Counts, OrdinalConfusion, Values
from sklearn_ordinal._labels import check_choice, check_sample_weight, encode_outputs
from sklearn_ordinal.metrics._arrays import divide, margins, total

Split = Literal["class", "threshold"]
Average = Literal["macro", "micro", "weighted", "samples"]

# True positives, false positives, false negatives, true negatives.
_Cells: TypeAlias = tuple[Values, Values, Values, Values]
_Measure: TypeAlias = Callable[[Values, Values, Values, Values], Values]


def _true_positive_rate(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    return divide(tp, tp + fn)


def _true_negative_rate(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    return divide(tn, tn + fp)


def _balanced_accuracy(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    return (_true_positive_rate(tp, fp, fn, tn) + _true_negative_rate(tp, fp, fn, tn)) / 2


def _positive_likelihood_ratio(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    return divide(_true_positive_rate(tp, fp, fn, tn), divide(fp, fp + tn))


def _negative_likelihood_ratio(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    return divide(divide(fn, fn + tp), _true_negative_rate(tp, fp, fn, tn))


def _matthews_correlation(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    norm = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return divide(tp * tn - fp * fn, norm)


def _discriminant_power(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    odds = divide(tp * tn, fp * fn)
    with np.errstate(divide="ignore"):
        power = np.sqrt(3) / np.pi * np.log(odds)
    return np.where(odds > 0, power, np.nan)


def _f_beta(beta: float, tp: Values, fp: Values, fn: Values) -> Values:
    return divide((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)


def _adjusted_f(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    # The second factor is that of the exchanged classes.
    adjusted: Values = np.sqrt(_f_beta(2, tp, fp, fn) * _f_beta(0.5, tn, fn, fp))
    return adjusted


def _geometric_mean(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    rates = _true_positive_rate(tp, fp, fn, tn), _true_negative_rate(tp, fp, fn, tn)
    mean: Values = np.sqrt(rates[0] * rates[1])
    return mean


def _adjusted_geometric_mean(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    negatives = fp + tn
    mean = _geometric_mean(tp, fp, fn, tn) + _true_negative_rate(tp, fp, fn, tn) * negatives
    return np.where(_true_positive_rate(tp, fp, fn, tn) == 0, 0, mean / (1 + negatives))


def _optimization_precision(tp: Values, fp: Values, fn: Values, tn: Values) -> Values:
    rates = _true_positive_rate(tp, fp, fn, tn), _true_negative_rate(tp, fp, fn, tn)
    imbalance = divide(np.abs(rates[0] - rates[1]), rates[0] + rates[1])
    return divide(tp + tn, tp + fp + fn + tn) - imbalance


# Definitions and names follow Tharwat (2020).
_MEASURES: Mapping[str, _Measure] = {
    "accuracy": lambda tp, fp, fn, tn: divide(tp + tn, tp + fp + fn + tn),
    "error_rate": lambda tp, fp, fn, tn: divide(fp + fn, tp + fp + fn + tn),
    "sensitivity": _true_positive_rate,
    "specificity": _true_negative_rate,
    "false_positive_rate": lambda tp, fp, fn, tn: divide(fp, fp + tn),
    "false_negative_rate": lambda tp, fp, fn, tn: divide(fn, fn + tp),
    "precision": lambda tp, fp, fn, tn: divide(tp, tp + fp),
    "negative_predictive_value": lambda tp, fp, fn, tn: divide(tn, tn + fn),
    "false_discovery_rate": lambda tp, fp, fn, tn: divide(fp, fp + tp),
    "false_omission_rate": lambda tp, fp, fn, tn: divide(fn, fn + tn),
    "positive_likelihood_ratio": _positive_likelihood_ratio,
    "negative_likelihood_ratio": _negative_likelihood_ratio,
    "diagnostic_odds_ratio": lambda tp, fp, fn, tn: divide(tp * tn, fp * fn),
    "youden_j": lambda *cells: 2 * _balanced_accuracy(*cells) - 1,
    "matthews_correlation": _matthews_correlation,
    "discriminant_power": _discriminant_power,
    "f1": lambda tp, fp, fn, tn: _f_beta(1, tp, fp, fn),
    "adjusted_f": _adjusted_f,
    "markedness": lambda tp, fp, fn, tn: divide(tp, tp + fp) + divide(tn, tn + fn) - 1,
    "balanced_accuracy": _balanced_accuracy,
    "balanced_error_rate": lambda *cells: 1 - _balanced_accuracy(*cells),
    "geometric_mean": _geometric_mean,
    "adjusted_geometric_mean": _adjusted_geometric_mean,
    "optimization_precision": _optimization_precision,
    "jaccard": lambda tp, fp, fn, tn: divide(tp, tp + fp + fn),
}


def _cells(counts: Counts, split: Split) -> _Cells:
    """Return the four cells of each class against the rest, or of each threshold."""
    counts = counts.astype(np.float64)
    n_samples = total(counts)[..., None]
    if split == "class":
        tp = np.diagonal(counts, axis1=-2, axis2=-1)
        true, pred = margins(counts)
    else:
        # above[i, j]: samples whose truth is at least i and whose prediction at least j.
        reversed_sums = np.cumsum(np.cumsum(counts[..., ::-1, ::-1], axis=-2), axis=-1)
        above = reversed_sums[..., ::-1, ::-1]
        tp = np.diagonal(above, axis1=-2, axis2=-1)[..., 1:]
        true, pred = above[..., 1:, 0], above[..., 0, 1:]
    return tp, pred - tp, true - tp, n_samples - true - pred + tp


def split_measures(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    split: Split = "class",
    measures: Sequence[str] | None = None,
    average: Average | None = None,
) -> dict[str, Any]:
    """Compute binary measures of each class against the rest, or of each threshold.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes; of shape (n_samples, n_outputs) if `average` is "samples".
    y_pred : array-like of shape (n_samples,)
        Predicted classes; of shape (n_samples, n_outputs) if `average` is "samples".
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    split : {"class", "threshold"}, default="class"
        What counts as positive: one class, against all others; or all classes above a
        threshold between two neighbours, against those below. Not used if `average` is
        "samples".
    measures : sequence of str, default=None
        Names of the measures, by default all: accuracy, error_rate, sensitivity,
        specificity, false_positive_rate, false_negative_rate, precision,
        negative_predictive_value, false_discovery_rate, false_omission_rate,
        positive_likelihood_ratio, negative_likelihood_ratio, diagnostic_odds_ratio,
        youden_j, matthews_correlation, discriminant_power, f1, adjusted_f, markedness,
        balanced_accuracy, balanced_error_rate, geometric_mean, adjusted_geometric_mean,
        optimization_precision and jaccard.
    average : {"macro", "micro", "weighted", "samples"}, default=None
        How to average over the splits. "macro": the mean of those where the measure is
        defined. "weighted": the same, weighted by their positive samples. "micro": the
        measure of the sums of their cells. "samples": of several outputs of two classes
        each, the mean over the samples of the measure of their outputs, the higher
        class positive. None: no average.

    Returns
    -------
    dict of str to ndarray
        For each measure an array of shape (n_classes,), or (n_classes - 1,) for
        thresholds, or a float if averaged. Ratios of zero to zero and to zero are
        undefined: NaN with an `UndefinedMetricWarning` that names the measures.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, an option is not
        known, or outputs of more than two classes are averaged over samples.

    See Also
    --------
    sklearn.metrics.precision_recall_fscore_support : Three of these measures.

    References
    ----------
    .. [1] A. Tharwat (2020), "Classification assessment methods", Applied Computing and
       Informatics 17(1), :doi:`10.1016/j.aci.2018.08.003`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import split_measures
    >>> split_measures([0, 1, 2, 2], [0, 2, 2, 1], measures=["sensitivity"])
    {'sensitivity': array([1. , 0. , 0.5])}
    >>> split_measures([0, 1, 2, 2], [0, 2, 2, 1], split="threshold", measures=["f1"])
    {'f1': array([1. , 0.5])}
    """
    names = list(_MEASURES) if measures is None else list(measures)
    check_choice("split", split, Split)
    for name in names:
        if name not in _MEASURES:
            raise ValueError(f"measures must be among {list(_MEASURES)}, got {name!r}.")
    if average is not None:
        check_choice("average", average, Average)
    if average == "samples":
        cells, weight = _cells_of_samples(y_true, y_pred, labels, sample_weight)
    else:
        counts = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=labels, sample_weight=sample_weight
        ).counts
        cells = _cells(counts, split)
        weight = cells[0] + cells[2] if average == "weighted" else np.ones(len(cells[0]))
        if average == "micro":
            cells = tuple(cell.sum(axis=-1) for cell in cells)
    values = {name: _MEASURES[name](*cells) for name in names}
    if average in ("macro", "weighted", "samples"):
        values = {name: _mean_where_defined(value, weight) for name, value in values.items()}
    undefined = [name for name, value in values.items() if np.isnan(value).any()]
    if undefined:
        warnings.warn(
            f"Undefined for some splits of these data: {', '.join(undefined)}.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
    return {name: value if value.ndim else float(value) for name, value in values.items()}


def _cells_of_samples(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[_Cells, Values]:
    """Return the four cells of the two-valued outputs of each sample, and its weight."""
    outputs = encode_outputs(y_true, y_pred, labels)
    if any(positions.n_positions > 2 for positions in outputs):
        raise ValueError(
            "average='samples' needs outputs of two classes: integers 0 and 1, or labels=[low, high]."
        )
    true = np.column_stack([positions.y_true for positions in outputs]) == 1
    pred = np.column_stack([positions.y_pred for positions in outputs]) == 1
    cells = (true & pred, ~true & pred, true & ~pred, ~true & ~pred)
    weight = np.ones(len(true))
    if sample_weight is not None:
        weight = check_sample_weight(sample_weight, len(true))
    tp, fp, fn, tn = (cell.sum(axis=-1, dtype=np.float64) for cell in cells)
    return (tp, fp, fn, tn), weight


def _mean_where_defined(values: Values, weight: Values) -> Values:
    weight = np.where(np.isnan(values), 0, weight)
    return divide(np.nansum(values * weight, axis=-1), weight.sum(axis=-1))
