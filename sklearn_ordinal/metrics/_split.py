"""Binary measures of each class against the rest, or of each threshold of the scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import arithmetic, checks, confusion_counts, counting, evidence_reading
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import ClassReadingOptions
from sklearn_ordinal._documents import formatting
from sklearn_ordinal.metrics import _multioutput

Split = Literal["class", "threshold"]
Average = Literal["macro", "micro", "weighted", "samples"]
Function = TypeVar("Function", bound=Callable[..., Any])

_SPLITS: Mapping[Split, str] = {"threshold": "thresholds", "class": "classes"}


class _Cells(NamedTuple):
    """True and false positives and false and true negatives of each split, and their rates."""

    tp: Values
    fp: Values
    fn: Values
    tn: Values

    @property
    def n_samples(self) -> Values:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def tpr(self) -> Values:
        return arithmetic.divide(self.tp, self.tp + self.fn)

    @property
    def tnr(self) -> Values:
        return arithmetic.divide(self.tn, self.tn + self.fp)

    @property
    def fpr(self) -> Values:
        return arithmetic.divide(self.fp, self.fp + self.tn)

    @property
    def fnr(self) -> Values:
        return arithmetic.divide(self.fn, self.fn + self.tp)

    @property
    def ppv(self) -> Values:
        return arithmetic.divide(self.tp, self.tp + self.fp)

    @property
    def npv(self) -> Values:
        return arithmetic.divide(self.tn, self.tn + self.fn)

    def f_beta(self, beta: float) -> Values:
        weight = beta**2
        return arithmetic.divide(
            (1 + weight) * self.tp, (1 + weight) * self.tp + weight * self.fn + self.fp
        )

    def swapped(self) -> _Cells:
        """Exchange the positive and the negative class."""
        return _Cells(self.tn, self.fn, self.fp, self.tp)


def _matthews_correlation(c: _Cells) -> Values:
    norm = np.sqrt(c.tp + c.fp) * np.sqrt(c.tp + c.fn) * np.sqrt(c.tn + c.fp) * np.sqrt(c.tn + c.fn)
    return arithmetic.divide(c.tp * c.tn - c.fp * c.fn, norm)


def _discriminant_power(c: _Cells) -> Values:
    odds = arithmetic.divide(c.tp * c.tn, c.fp * c.fn)
    with np.errstate(divide="ignore"):
        power = np.sqrt(3) / np.pi * np.log(odds)
    return np.where(odds > 0, power, np.nan)


def _adjusted_geometric_mean(c: _Cells) -> Values:
    negatives = c.fp + c.tn
    mean = (np.sqrt(c.tpr * c.tnr) + c.tnr * negatives) / (1 + negatives)
    return np.where(c.tpr == 0, 0, mean)


def _optimization_precision(c: _Cells) -> Values:
    return arithmetic.divide(c.tp + c.tn, c.n_samples) - arithmetic.divide(
        np.abs(c.tpr - c.tnr), c.tpr + c.tnr
    )


# Definitions and names follow Tharwat (2020).
_MEASURES: Mapping[str, Callable[[_Cells], Values]] = {
    "accuracy": lambda c: arithmetic.divide(c.tp + c.tn, c.n_samples),
    "error_rate": lambda c: arithmetic.divide(c.fp + c.fn, c.n_samples),
    "sensitivity": lambda c: c.tpr,
    "specificity": lambda c: c.tnr,
    "false_positive_rate": lambda c: c.fpr,
    "false_negative_rate": lambda c: c.fnr,
    "precision": lambda c: c.ppv,
    "negative_predictive_value": lambda c: c.npv,
    "false_discovery_rate": lambda c: arithmetic.divide(c.fp, c.fp + c.tp),
    "false_omission_rate": lambda c: arithmetic.divide(c.fn, c.fn + c.tn),
    "positive_likelihood_ratio": lambda c: arithmetic.divide(c.tpr, c.fpr),
    "negative_likelihood_ratio": lambda c: arithmetic.divide(c.fnr, c.tnr),
    "diagnostic_odds_ratio": lambda c: arithmetic.divide(c.tp * c.tn, c.fp * c.fn),
    "youden_j": lambda c: c.tpr + c.tnr - 1,
    "matthews_correlation": _matthews_correlation,
    "discriminant_power": _discriminant_power,
    "f1": lambda c: c.f_beta(1),
    "adjusted_f": lambda c: np.sqrt(c.f_beta(2) * c.swapped().f_beta(0.5)),
    "markedness": lambda c: c.ppv + c.npv - 1,
    "balanced_accuracy": lambda c: (c.tpr + c.tnr) / 2,
    "balanced_error_rate": lambda c: (c.fpr + c.fnr) / 2,
    "geometric_mean": lambda c: np.sqrt(c.tpr * c.tnr),
    "adjusted_geometric_mean": _adjusted_geometric_mean,
    "optimization_precision": _optimization_precision,
    "jaccard": lambda c: arithmetic.divide(c.tp, c.tp + c.fp + c.fn),
}


def _cells(counts: Counts, split: Split) -> _Cells:
    """Return the four cells of each class against the rest, or of each threshold."""
    # Sums over the cells below or above each cell. The first word refers to the true class, the
    # second to the predicted class.
    below_below, above_above = arithmetic.lower_sums(counts), _flipped(counts, (-2, -1))
    below_above, above_below = _flipped(counts, (-1,)), _flipped(counts, (-2,))
    if split == "threshold":
        # The threshold between classes k and k + 1 has class k on one side and class k + 1 on the
        # other.
        return _Cells(
            tp=_diagonal(above_above)[..., :-1],
            fp=_diagonal(below_above, offset=-1),
            fn=_diagonal(above_below, offset=1),
            tn=_diagonal(below_below)[..., 1:],
        )
    errors = np.where(np.eye(counts.shape[-1], dtype=bool), 0, counts)
    elsewhere = below_below + above_above + below_above + above_below
    return _Cells(
        tp=_diagonal(counts).astype(np.float64),
        fp=errors.sum(axis=-2, dtype=np.float64),
        fn=errors.sum(axis=-1, dtype=np.float64),
        tn=_diagonal(elsewhere),
    )


# The sums of cells whose product is a measure, each by its true and its predicted side, with the
# power of the sum; None for both sides.
_FACTORS: Mapping[str, Sequence[tuple[bool | None, bool | None, int]]] = {
    "sensitivity": [(True, True, 1), (True, None, -1)],
    "specificity": [(False, False, 1), (False, None, -1)],
    "precision": [(True, True, 1), (None, True, -1)],
    "negative_predictive_value": [(False, False, 1), (None, False, -1)],
    "positive_likelihood_ratio": [
        (True, True, 1),
        (True, None, -1),
        (False, True, -1),
        (False, None, 1),
    ],
    "negative_likelihood_ratio": [
        (True, False, 1),
        (True, None, -1),
        (False, False, -1),
        (False, None, 1),
    ],
}


def _sum_cells(n_classes: int, measure: str, at: int, split: Split) -> list[NDArray[np.bool_]]:
    """Return which cells belong to each sum whose product is a measure."""
    position = np.arange(n_classes)
    is_positive = position > at if split == "threshold" else position == at
    both = np.ones(n_classes, dtype=np.bool_)
    sides = {True: is_positive, False: ~is_positive, None: both}
    return [sides[true][:, None] & sides[predicted] for true, predicted, _ in _FACTORS[measure]]


def _split_measure(counts: Counts, *, measure: str, at: int, split: Split = "threshold") -> Values:
    n_splits = counts.shape[-1] - (split == "threshold")
    if at >= n_splits:
        raise ValueError(
            f"at must be below {n_splits}, the number of {_SPLITS[split]}, got {checks.shown(at)}."
        )
    # Unlike differences, sums of the cells are exactly zero if no sample is in them.
    return _MEASURES[measure](_Cells(*(cell[..., at] for cell in _cells(counts, split))))


def _split_measure_gradient(
    counts: Counts, *, measure: str, at: int, split: Split = "threshold"
) -> Values:
    cells = np.stack(_sum_cells(counts.shape[-1], measure, at, split))
    powers = np.array([power for *_, power in _FACTORS[measure]])
    sums = np.einsum("...jk,ijk->...i", counts, cells)
    factors = np.where(powers > 0, sums, arithmetic.divide(1.0, sums))
    gradient = np.zeros(counts.shape)
    for i, power in enumerate(powers):
        # The derivative of the product by one sum.
        others = np.delete(factors, i, axis=-1).prod(axis=-1)
        derivative = others if power > 0 else -others * factors[..., i] ** 2
        gradient += derivative[..., None, None] * cells[i]
    return gradient


def _share_of(
    n_classes: int, *, measure: str, at: int, split: Split = "threshold"
) -> NDArray[np.bool_]:
    _, counted = _sum_cells(n_classes, measure, at, split)
    return counted


def _check_split_options(
    measure: Any = "sensitivity", at: Any = 0, split: Any = "threshold"
) -> None:
    if not isinstance(measure, str) or measure not in _FACTORS:
        raise ValueError(f"measure must be one of {list(_FACTORS)}, got {checks.shown(measure)}.")
    checks.check_integer("at", at, at_least=0)
    checks.check_choice("split", split, Split)


def _recorded_by_measure(function: Function) -> Function:
    """Add a metric for each measure, which differ in their range and direction."""
    for measure, factors in _FACTORS.items():
        is_share = len(factors) == 2
        ordinal_metric(
            _split_measure,
            name="positive_predictive_value" if measure == "precision" else measure,
            greater_is_better=measure != "negative_likelihood_ratio",
            bounds=(0.0, 1.0) if is_share else (0.0, math.inf),
            gradient=partial(_split_measure_gradient, measure=measure),
            share_of=partial(_share_of, measure=measure) if is_share else None,
            check=_check_split_options,
            an_error_costs="as much as any other error on this side, if it crosses the threshold",
            prefer="if a decision is made at one threshold, or about one class",
            measure=measure,
        )(function)
    return function


@_recorded_by_measure
def split_measure(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    measure: str,
    at: int,
    split: Split = "threshold",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute a diagnostic measure of one threshold, or of one class against the rest.

    As metrics, these measures have intervals: `get_metric` takes names such as
    "sensitivity(at=1)" and "negative_predictive_value(at=2, split='class')". The precision is named
    "positive_predictive_value" there. The interval of a share counts only the samples that it is
    a share of, and the interval of a likelihood ratio is symmetric in its logarithm [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    measure : str
        "sensitivity", "specificity", "precision", "negative_predictive_value",
        "positive_likelihood_ratio" or "negative_likelihood_ratio".
    at : int
        Position on the scale, from 0. The classes above this position are positive, or with
        ``split="class"`` the class at this position.
    split : {"threshold", "class"}, default="threshold"
        Whether the positive classes are all classes above the position, or the class there.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Share in [0, 1], or ratio in [0, inf). For the negative likelihood ratio, 0 is best;
        otherwise higher is better. NaN, with an `UndefinedMetricWarning`, if the denominator is 0.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, `measure` or `split` is not
        known, or `at` is not a position of a threshold or class.

    See Also
    --------
    split_measures : More measures, for all thresholds or classes.
    sklearn.metrics.class_likelihood_ratios : Both ratios of two classes.

    References
    ----------
    .. [1] D. L. Simel, G. P. Samsa, D. B. Matchar (1991), "Likelihood ratios with confidence:
       sample size estimation for diagnostic test studies", Journal of Clinical Epidemiology
       44(8), :doi:`10.1016/0895-4356(91)90128-V`.

    Examples
    --------
    The samples of class 2 are found in half of the cases:

    >>> from sklearn_ordinal.metrics import split_measure
    >>> y_true, y_pred = [0, 1, 2, 2, 0, 1], [0, 2, 2, 1, 0, 0]
    >>> split_measure(y_true, y_pred, measure="sensitivity", at=1)
    0.5

    >>> from sklearn_ordinal.inference import delta_interval
    >>> print(delta_interval(y_true * 20, y_pred * 20, "sensitivity(at=1)"))
    0.500 (95% interval 0.343 to 0.657)
    """
    _check_split_options(measure, at, split)
    statistic = partial(_split_measure, measure=measure, at=at, split=split)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(value, math.nan, measure, f"no sample is in its denominator at {at}")


def _flipped(counts: Counts, axes: tuple[int, ...]) -> Values:
    return np.flip(arithmetic.lower_sums(np.flip(counts, axes)), axes)


def _diagonal(matrix: Counts, offset: int = 0) -> Values:
    return np.diagonal(matrix, offset, axis1=-2, axis2=-1)


@counting.takes_reading(ClassReadingOptions)
def split_measures(
    y_true: ArrayLike | OrdinalConfusion,
    y_pred: ArrayLike | None = None,
    *,
    split: Split = "class",
    measures: Sequence[str] | None = None,
    average: Average | None = None,
    **reading: Unpack[ClassReadingOptions],
) -> dict[str, Any]:
    """Compute binary measures of each class against the rest, or of each threshold.

    Names and definitions follow [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or OrdinalConfusion
        True classes; of shape (n_samples, n_outputs) if `average` is "samples"; or counts in
        place of `y_true`, `y_pred` and the options that say how they are read. Samples without a
        prediction are left out, with a warning.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted classes; of shape (n_samples, n_outputs) if `average` is "samples".
    **reading
    split : {"class", "threshold"}, default="class"
        The positive classes. "class": each class in turn, against all others.
        "threshold": all classes above a threshold between two neighbouring classes,
        against the classes below it. Ignored if `average` is "samples".
    measures : sequence of str, default=None
        Names of the measures, by default all: accuracy, error_rate, sensitivity,
        specificity, false_positive_rate, false_negative_rate, precision,
        negative_predictive_value, false_discovery_rate, false_omission_rate,
        positive_likelihood_ratio, negative_likelihood_ratio, diagnostic_odds_ratio,
        youden_j, matthews_correlation, discriminant_power, f1, adjusted_f, markedness,
        balanced_accuracy, balanced_error_rate, geometric_mean, adjusted_geometric_mean,
        optimization_precision and jaccard.
    average : {"macro", "micro", "weighted", "samples"}, default=None
        How to average over the splits. "macro": the mean over the splits where the measure
        is defined. "weighted": the same mean, weighted by the positive samples of each
        split. "micro": the measure of the cells summed over the splits. "samples": the
        measure over the outputs of each sample, averaged over the samples, as in
        scikit-learn with ``zero_division=np.nan``. Each output has two classes, 0 and 1 or
        the classes in `labels`, and the higher class is positive. None: no average.

    Returns
    -------
    dict of str to ndarray
        For each measure, an array of shape (n_classes,), or (n_classes - 1,) for
        thresholds; a float if averaged. Ratios to zero and logarithms of zero are
        undefined: they are NaN, or left out of an average, with an `UndefinedMetricWarning`
        that names the measures.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, an option is not
        known, or `average` is "samples" and the outputs have other classes than 0 and 1
        or the two classes in `labels`.

    See Also
    --------
    split_measure : One measure of one threshold or class, as a metric with intervals.
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
    names = list(_MEASURES) if measures is None else _checked_names(measures)
    checks.check_choice("split", split, Split)
    checks.check_choice("average", average, Average, or_none=True)
    if average == "samples":
        if isinstance(y_true, OrdinalConfusion) or y_pred is None:
            raise ValueError(
                "y_true and y_pred must be arrays of several outputs if average='samples'."
            )
        counting.check_no_class_options(reading, "if average='samples'")
        cells, weight = _sample_cells(y_true, y_pred, **counting.without_class_options(reading))
    else:
        confusion = evidence_reading.read_confusion(y_true, y_pred, reading)
        if confusion_counts.n_unanswered(confusion):
            amount = formatting.amount_as_text(confusion_counts.n_unanswered(confusion))
            checks.warn_caller(f"split_measures leaves out {amount} without a prediction.")
        cells = _cells(confusion.counts, split)
        weight = cells.tp + cells.fn if average == "weighted" else np.ones(len(cells.tp))
        if average == "micro":
            cells = _Cells(*(cell.sum(axis=-1) for cell in cells))
    values = {name: _MEASURES[name](cells) for name in names}
    undefined = [name for name, value in values.items() if np.isnan(value).any()]
    if average in ("macro", "weighted", "samples"):
        values = {
            name: arithmetic.mean_where_defined(value, weight) for name, value in values.items()
        }
    if undefined:
        checks.warn_caller(
            f"Undefined for some splits of these data: {', '.join(undefined)}.",
            UndefinedMetricWarning,
        )
    return {name: value if value.ndim else float(value) for name, value in values.items()}


def _checked_names(measures: Sequence[str]) -> list[str]:
    names = list(checks.iterate("measures", measures, "names"))
    for name in names:
        if not isinstance(name, str) or name not in _MEASURES:
            raise ValueError(f"measures must be among {list(_MEASURES)}, got {checks.shown(name)}.")
    return names


def _sample_cells(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[_Cells, Values]:
    """Return the four cells over the binary outputs of each sample, and the sample weights."""
    outputs = _multioutput.encode_outputs(y_true, y_pred, labels)
    for output in outputs:
        if output.n_positions > 2:
            scale, _ = output.on_scale()
            raise ValueError(
                f"average='samples' needs outputs of the classes 0 and 1, or labels=[low, high], "
                f"got {checks.shown(scale.labels.tolist())}."
            )
    true, pred = (np.column_stack([output.columns[i] for output in outputs]) == 1 for i in (0, 1))
    outcomes = (true & pred, ~true & pred, true & ~pred, ~true & ~pred)
    cells = _Cells(*(outcome.sum(axis=-1, dtype=np.float64) for outcome in outcomes))
    return cells, checks.check_sample_weight(sample_weight, len(true))
