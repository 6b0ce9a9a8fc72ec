"""Predictions of several systems for several test cases, given or synthetic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    arithmetic,
    catalogue,
    checks,
    containers,
    lookup,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.lookup import MetricLike, MetricsLike
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting

# Predictions of several systems for several test cases, as counts on one scale
# -----------------------------------------------------------------------------

# Statistics create several temporary arrays of the size of the counts. Arrays of this size fit in
# the cache.
_CELLS_AT_ONCE = 2**16
# Sums and squares of larger values would overflow.
_LARGEST = 1e100


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalSystems:
    """Predictions of several systems for the samples of several test cases.

    A test case is a set of samples that every system has classified, for example the data set
    of a shared task, the test part of a fold, or the answers to one question.

    Parameters
    ----------
    confusion : OrdinalConfusion
        Counts of shape (n_test_cases, n_systems, n_classes, n_classes).
    names : sequence of str, default=()
        Names of the systems. If empty, the positions, counted from 0.
    test_cases : sequence of str, default=()
        Names of the test cases. If empty, the positions, counted from 0.
    predictions : PredictedPositions or None, default=None
        The predictions that were counted, if they are known, for example after
        `from_predictions`.

    Raises
    ------
    ValueError
        If the counts have the wrong shape or contain samples without a prediction, names are
        repeated, the number of names does not match the counts, or the systems differ in the
        samples of a test case.

    See Also
    --------
    make_ordinal_systems : Make synthetic systems.
    rank_agreement : Compute how well metrics agree on the order of the systems.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems
    >>> y_true = [0, 1, 2, 2, 0, 1, 1, 2]
    >>> predictions = {"one": [0, 1, 2, 1, 0, 1, 2, 2], "other": [0, 1, 1, 1, 0, 0, 2, 2]}
    >>> systems = OrdinalSystems.from_predictions(
    ...     y_true, predictions, test_cases=["a", "a", "a", "a", "b", "b", "b", "b"]
    ... )
    >>> systems
    OrdinalSystems of 2 test cases, 2 systems and 3 classes
    >>> systems.evaluate("accuracy")
    array([[0.75, 0.5 ],
           [0.75, 0.5 ]])
    """

    confusion: OrdinalConfusion
    names: tuple[str, ...] = ()
    test_cases: tuple[str, ...] = ()
    predictions: PredictedPositions | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.confusion, OrdinalConfusion) or self.confusion.counts.ndim != 4:
            shape = getattr(getattr(self.confusion, "counts", None), "shape", None)
            raise ValueError(
                f"confusion must be an OrdinalConfusion with counts of shape (n_test_cases, "
                f"n_systems, n_classes, n_classes), got {shape or checks.shown(self.confusion)}."
            )
        if self.confusion.unanswered is not None and self.confusion.unanswered.any():
            raise ValueError(
                f"confusion must have a prediction for each sample, got "
                f"{self.confusion.unanswered.sum():g} unanswered: leave out the samples that not "
                f"all systems have classified."
            )
        n_test_cases, n_systems = self.confusion.counts.shape[:2]
        object.__setattr__(self, "names", _names("names", self.names, n_systems))
        object.__setattr__(self, "test_cases", _names("test_cases", self.test_cases, n_test_cases))
        self._check_same_samples()

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike,
        *,
        labels: Any = None,
        names: Sequence[str] = (),
        test_cases: Sequence[str] = (),
    ) -> Self:
        """Make systems from counts.

        Parameters
        ----------
        counts : array-like of shape (n_test_cases, n_systems, n_classes, n_classes)
            Number, or weight, of the samples of each true class (rows) that each system
            predicted as each class (columns); or an OrdinalConfusion for each test case.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, the classes of the confusions, or
            the integers from 0.
        names : sequence of str, default=()
            Names of the systems. If empty, the positions, counted from 0.
        test_cases : sequence of str, default=()
            Names of the test cases. If empty, the positions, counted from 0.

        Returns
        -------
        OrdinalSystems
            The systems.

        Raises
        ------
        ValueError
            If the counts are not finite and non-negative, have the wrong shape, or differ in the
            samples of a test case.
        """
        confusion = _stacked(counts) if labels is None else None
        if confusion is None:
            confusion = OrdinalConfusion.from_counts(counts, labels=labels)
        return cls(
            confusion,
            scales.check_names("names", names),
            scales.check_names("test_cases", test_cases),
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        predictions: Any,
        *,
        test_cases: ArrayLike | None = None,
        labels: Any = None,
        names: Sequence[str] = (),
    ) -> Self:
        """Make systems from a table of predictions with a column for each system.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        predictions : mapping, DataFrame or array-like of shape (n_samples, n_systems)
            Predicted classes: a dict or a frame with a column for each system, or an array whose
            columns are named by `names`.
        test_cases : array-like of shape (n_samples,), default=None
            Test case of each sample. If None, all samples are one test case.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        names : sequence of str, default=()
            Names of the systems. If empty, the names of the columns, or their positions, counted
            from 0.

        Returns
        -------
        OrdinalSystems
            The systems.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, the columns differ in length or have the
            same name, or a prediction is missing.
        """
        columns = _prediction_columns(
            predictions, len(containers.read_column(y_true, "y_true").values)
        )
        arguments = checks.named_entries("predictions", columns)
        encoded = scales.encode({"y_true": y_true, **arguments}, labels, test_cases=test_cases)
        scale, (true, *predicted) = encoded.on_scale()
        test_case, test_case_names = _number_test_cases(test_cases, len(true))
        # Copy the array, since the user may change it later; np.stack copies the other inputs.
        positions = PredictedPositions(true.copy(), np.stack(predicted), test_case)
        return cls(
            positions.count(scale, len(test_case_names)),
            scales.check_names("names", names) or tuple(columns),
            tuple(test_case_names),
            positions,
        )

    def subset(self, names: Iterable[str]) -> OrdinalSystems:
        """Return some of the systems.

        Parameters
        ----------
        names : iterable of str
            Names of the systems to keep, in order.

        Returns
        -------
        OrdinalSystems
            The systems.

        Raises
        ------
        ValueError
            If `names` is empty, a name is repeated, or a name does not belong to any system.
        """
        names = scales.check_names("names", names)
        if not names:
            raise ValueError("names must have at least one of the systems, got none.")
        position_of = {name: position for position, name in enumerate(self.names)}
        unknown = [name for name in names if name not in position_of]
        if unknown:
            raise ValueError(
                f"names must be among the systems {checks.listed(self.names)}, got "
                f"{checks.shown(unknown[0])}."
            )
        systems = [position_of[name] for name in names]
        predictions = self.predictions
        return OrdinalSystems(
            OrdinalConfusion(
                self.confusion.scale, self.confusion.counts[:, systems], self.confusion.is_weighted
            ),
            names,
            self.test_cases,
            predictions
            and PredictedPositions(
                predictions.y_true, predictions.y_pred[systems], predictions.test_case
            ),
        )

    def evaluate(self, metric: MetricLike) -> Values:
        """Return the value of a metric for each test case and system.

        Parameters
        ----------
        metric : str or callable
            A metric of predicted classes: anything that `get_metric` accepts.

        Returns
        -------
        ndarray of shape (n_test_cases, n_systems)
            Values in the unit of the metric; NaN if the metric is undefined.

        Raises
        ------
        ValueError
            If there is no such metric, or it needs more than predicted classes.
        """
        checked_metric = _check_label_metric(lookup.get_metric(metric), "metric")
        return np.concatenate([checked_metric(part) for part in _counts_in_parts(self)])

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.confusion.scale)

    def __repr__(self) -> str:
        return (
            f"OrdinalSystems of {formatting.counted(len(self.test_cases), 'test case')}, "
            f"{formatting.counted(len(self.names), 'system')} and "
            f"{self.n_classes} {formatting.plural(self.n_classes, 'class')}"
        )

    def _check_same_samples(self) -> None:
        sizes = self.confusion.class_counts
        if not sizes.size:
            raise ValueError(
                f"counts must have at least one test case and one system, got shape "
                f"{self.confusion.counts.shape}."
            )
        differs = ~np.isclose(sizes, sizes[:, :1], rtol=tolerances.TIE, atol=0).all(axis=-1)
        if differs.any():
            test_case, system = np.argwhere(differs)[0]
            raise ValueError(
                f"counts must be of the same samples for all systems, but for test case "
                f"{checks.shown(self.test_cases[test_case])} the true classes have the sizes "
                f"{sizes[test_case, system].tolist()} for {checks.shown(self.names[system])} and "
                f"{sizes[test_case, 0].tolist()} for {checks.shown(self.names[0])}: leave out "
                "samples that not all systems have classified."
            )
        empty = np.flatnonzero(~sizes[:, 0].any(axis=-1))
        if empty.size:
            raise ValueError(
                f"counts must have samples for each test case, but "
                f"{checks.shown(self.test_cases[empty[0]])} has none: leave it out."
            )


@dataclass(frozen=True, eq=False)
class PredictedPositions:
    """True and predicted classes as positions on a scale.

    Parameters
    ----------
    y_true : ndarray of shape (n_samples,)
        Positions of the true classes.
    y_pred : ndarray of shape (n_systems, n_samples)
        Positions of the classes that each system predicts.
    test_case : ndarray of shape (n_samples,)
        Position of the test case of each sample, counted from 0.
    """

    y_true: IntegerArray
    y_pred: IntegerArray
    test_case: IntegerArray

    def count(self, scale: OrdinalScale, n_test_cases: int) -> OrdinalConfusion:
        """Return the counts, of shape (n_test_cases, n_systems, n_classes, n_classes)."""
        n_classes = len(scale)
        row = (self.test_case * n_classes + self.y_true) * n_classes
        # The systems are the last axis in memory, so that sums over classes add long contiguous
        # arrays.
        counts = np.empty((n_test_cases * n_classes**2, len(self.y_pred)), dtype=np.int64)
        for system, predicted in enumerate(self.y_pred):
            counts[:, system] = np.bincount(row + predicted, minlength=len(counts))
        counts.setflags(write=False)  # so that the confusion need not copy them
        by_cell = counts.reshape(n_test_cases, n_classes, n_classes, len(self.y_pred))
        return OrdinalConfusion(scale, np.moveaxis(by_cell, -1, 1))


def _prediction_columns(predictions: Any, n_samples: int) -> dict[str, Any]:
    """Return a dict with the predictions of each system."""
    table: Any = predictions
    checks.check_in_memory("predictions", predictions)
    if isinstance(predictions, Mapping):
        keys = list(predictions)
    elif hasattr(predictions, "columns"):
        keys = list(checks.column_names(predictions))
    else:
        table = _column_array(predictions, n_samples).T
        keys = list(range(len(table)))
    names = scales.check_names("names of predictions", keys)
    if not names:
        raise ValueError("predictions must have a column for each system, got none.")
    if twice := checks.repeated(names):
        raise ValueError(
            f"predictions must have one column for each name, got {checks.shown(twice[0])} more "
            "than once: rename it."
        )
    return {name: table[key] for name, key in zip(names, keys, strict=True)}


def _column_array(predictions: Any, n_samples: int) -> NDArray[Any]:
    expected = (
        "predictions must have a column for each system: a dict, a frame or an array of shape "
        "(n_samples, n_systems)"
    )
    try:
        array = np.asarray(predictions)
    except ValueError:
        raise ValueError(f"{expected}, got rows of different lengths.") from None
    if array.ndim != 2:
        raise ValueError(f"{expected}, got shape {array.shape}.")
    if len(array) != n_samples:
        way_out = ": transpose it" if array.shape[1] == n_samples else ""
        raise ValueError(f"{expected}, got shape {array.shape} for {n_samples} samples{way_out}.")
    return array


def _number_test_cases(
    test_cases: ArrayLike | None, n_samples: int
) -> tuple[NDArray[np.intp], list[str]]:
    """Return the position of each sample's test case, and the names in order of occurrence."""
    if test_cases is None:
        return np.zeros(n_samples, dtype=np.intp), ["0"]
    numbers, values = scales.encode_values(test_cases, n_samples, "test_cases")
    order = np.argsort(np.unique(numbers, return_index=True)[1])
    return np.argsort(order)[numbers], [str(values[k]) for k in order]


def _counts_in_parts(systems: OrdinalSystems) -> list[OrdinalConfusion]:
    """Return the counts in parts of a few test cases each, on which metrics are evaluated."""
    confusion, counts = systems.confusion, systems.confusion.counts
    return [
        OrdinalConfusion(confusion.scale, counts[part], confusion.is_weighted)
        for part in arithmetic.slices(len(counts), _CELLS_AT_ONCE // counts[0].size)
    ]


def as_systems(systems: Any, argument: str = "systems", *, min_systems: int = 2) -> OrdinalSystems:
    """Return the argument of a user as systems; it may also be a stack of confusions, or counts."""
    if isinstance(systems, Mapping):
        raise ValueError(
            f"{argument} must be counts of shape (n_test_cases, n_systems, n_classes, n_classes) "
            f"or an OrdinalSystems, got a mapping: pass OrdinalSystems.from_predictions(y_true, "
            "predictions)."
        )
    try:
        checked = _read(systems)
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None
    if len(checked.names) < min_systems:
        raise ValueError(
            f"{argument} must have at least {min_systems} systems, got {len(checked.names)}."
        )
    return checked


def _read(systems: Any) -> OrdinalSystems:
    if isinstance(systems, OrdinalSystems):
        return systems
    stacked = _stacked(systems)
    if stacked is not None:
        return OrdinalSystems(stacked)
    counts = checks.as_numbers("counts", systems)
    if counts.ndim != 4:
        raise ValueError(
            f"counts must have shape (n_test_cases, n_systems, n_classes, n_classes), got "
            f"{counts.shape}: for predictions, pass OrdinalSystems.from_predictions(y_true, "
            f"predictions)."
        )
    return OrdinalSystems.from_counts(counts)


def _stacked(counts: Any) -> OrdinalConfusion | None:
    """Return a confusion, or a list of confusions as a stack; None for any other argument."""
    if isinstance(counts, OrdinalConfusion):
        return counts
    is_list = isinstance(counts, (list, tuple))
    if is_list and any(isinstance(item, OrdinalConfusion) for item in counts):
        return OrdinalConfusion.stack(counts)
    return None


def _check_label_metric(metric: OrdinalMetric, argument: str) -> OrdinalMetric:
    """Return the metric; raise if it needs more than counts."""
    if OrdinalConfusion not in metric.evidence.accepts:
        raise ValueError(
            f"{argument} must be computed from predicted classes, since systems are counts of "
            f"classes; {metric.name} needs {metric.evidence.noun}."
        )
    return metric


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Values of metrics for each test case and system.

    Parameters
    ----------
    metrics : tuple of OrdinalMetric
        The metrics.
    values : ndarray of shape (n_test_cases, n_systems, n_metrics)
        Values in the unit of each metric. An undefined value is replaced as in scorers: by 0 if
        this is the chance level, otherwise by the worst value.
    n_undefined : mapping of str to int
        Number of undefined values of each metric.
    """

    metrics: tuple[OrdinalMetric, ...]
    values: NDArray[np.float64]
    n_undefined: Mapping[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The values, negated if lower is better."""
        return self.values * [1 if metric.greater_is_better else -1 for metric in self.metrics]


def evaluate_systems(
    systems: OrdinalSystems,
    metrics: MetricsLike,
    *,
    argument: str = "metrics",
    min_metrics: int = 1,
) -> Evaluation:
    """Evaluate metrics of predicted classes for each test case and system."""
    checked = [
        _check_label_metric(metric, argument)
        for metric in lookup.get_metrics(metrics, argument=argument, with_direction=True)
    ]
    if len(checked) < min_metrics:
        raise ValueError(
            f"{argument} must have at least {min_metrics} metrics, got {len(checked)}."
        )
    parts, columns = _counts_in_parts(systems), []
    for metric in checked:
        try:
            columns.append(np.concatenate([metric(part) for part in parts]))
        except Exception as error:
            reason = " ".join(str(error).split())
            raise ValueError(
                f"{argument}: {metric.name} raised {type(error).__name__}: {reason}"
            ) from error
    values = np.stack(columns, axis=-1)
    largest = np.nan_to_num(np.abs(values), posinf=np.inf).max(axis=(0, 1))
    if (largest > _LARGEST).any():
        first = int(np.argmax(largest > _LARGEST))
        amount = "infinite" if np.isinf(largest[first]) else f"{largest[first]:.3g} in size"
        raise ValueError(
            f"{argument}: {checked[first].name} is {amount} for a system on a test case, so it has "
            f"no mean over the test cases: leave out the metric, or bound it."
        )
    is_undefined = np.isnan(values)
    n_undefined = is_undefined.sum(axis=(0, 1)).tolist()
    replacements = [catalogue.score_if_undefined(metric) for metric in checked]
    for metric, number, replacement in zip(checked, n_undefined, replacements, strict=True):
        if number and np.isnan(replacement):
            raise ValueError(
                f"{argument}: {metric.name} is undefined for {number} of "
                f"{values[..., 0].size} values and has no worst value to replace them: leave out "
                f"the metric, or the systems or test cases for which it is undefined."
            )
    return Evaluation(
        tuple(checked),
        np.where(is_undefined, replacements, values),
        {metric.name: number for metric, number in zip(checked, n_undefined, strict=True)},
    )


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores divided by the largest score of each metric; metrics are on the last axis.

    Rounding errors are then relative to 1, so scores of all metrics are compared in the same way.
    """
    return scores / tolerances.scale_of(scores, axis=tuple(range(scores.ndim - 1)))


def _names(argument: str, names: Sequence[str], size: int) -> tuple[str, ...]:
    checked = scales.check_names(argument, names) or tuple(map(str, range(size)))
    twice = checks.repeated(checked)
    if len(checked) != size or twice:
        number = f"{checks.shown(twice[0])} more than once" if twice else str(len(checked))
        raise ValueError(f"{argument} must have {size} names, each once, got {number}.")
    return checked


# Synthetic systems with known kinds and rates of errors
# ------------------------------------------------------

ErrorKind: TypeAlias = Literal["maj", "rand", "tDisp", "oDisp", "prox"]

# The mean and standard deviations as shares of the distance from the lowest to the highest class.
# With 11 classes, the mean is the fourth class, and the standard deviation is 1 to 3 classes.
_MEAN, _SPREAD = 0.3, (0.1, 0.3)


def make_ordinal_systems(
    *,
    n_test_cases: int = 100,
    n_samples: int = 200,
    n_classes: int = 11,
    kinds: Sequence[ErrorKind] = get_args(ErrorKind),
    error_rates: ArrayLike = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    spread: tuple[float, float] | None = None,
    wrap_around: bool = False,
    random_state: RandomState = None,
) -> OrdinalSystems:
    r"""Make systems with known kinds and rates of errors.

    The defaults reproduce the experiment that introduced CEM_ORD [1]_: 100 test cases of 200
    samples in 11 classes, and five kinds of system at ten error rates each. The true classes of
    a test case are drawn from a normal distribution and rounded to the nearest class. The mean
    of the distribution is the fourth class, and its standard deviation is drawn uniformly for
    each test case.

    Independently for each sample, a system predicts either the true class or, with a
    probability equal to the error rate, the class that its kind assigns:

    - ``"maj"``: the class of the mean, which is the most frequent class.
    - ``"rand"``: any class, drawn with equal probabilities.
    - ``"tDisp"``, displaced tags: the class after the true class; the highest class stays.
    - ``"oDisp"``, displaced order: the true class of a later sample, with samples sorted by
      their true classes. It is later by a tenth of the number of samples, rounded up.
    - ``"prox"``, proximity: the true class of the sample that lies, in the same order, midway
      between the sample and a second sample, which is drawn at random.

    The assigned class can be the true class, so the expected accuracy is at least one minus
    the error rate.

    Parameters
    ----------
    n_test_cases : int, default=100
        Number of test cases.
    n_samples : int, default=200
        Number of samples of each test case.
    n_classes : int, default=11
        Number of classes, at least 2. The classes are the integers from 0.
    kinds : sequence of {"maj", "rand", "tDisp", "oDisp", "prox"}, default=all
        Kinds of systems.
    error_rates : array-like of shape (n_error_rates,), default=(0.1, 0.2, ..., 1.0)
        Error rates in [0, 1]. There is a system of each kind for each error rate, for example
        ``"prox 0.3"``.
    spread : tuple of two floats, default=None
        Lowest and highest standard deviation of the true classes, measured in classes. If None,
        0.1 and 0.3 times ``n_classes - 1``, which is 1 and 3 for 11 classes. The mean is always
        0.3 times ``n_classes - 1`` above the lowest class.
    wrap_around : bool, default=False
        For ``"oDisp"``, whether the first sample follows the last one. If False, the last tenth
        of the samples is assigned the class of the last sample.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for reproducible systems.

    Returns
    -------
    OrdinalSystems
        A system for each kind and error rate, with its predictions. The samples of a test case
        are sorted by their true classes.

    Raises
    ------
    ValueError
        If a number is out of range, a kind is unknown, or a kind or an error rate occurs
        twice.

    See Also
    --------
    OrdinalSystems : Predictions of several systems for several test cases.

    Notes
    -----
    The source does not say whether the spread is a standard deviation or a variance, or which
    sample follows the last one. For a variance from 1 to 3, pass ``spread=(1, 3**0.5)``.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz (2020), "An
       Effectiveness Metric for Ordinal Classification: Formal Properties and Experimental
       Results", ACL, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import make_ordinal_systems
    >>> systems = make_ordinal_systems(error_rates=[0.1, 0.5], random_state=0)
    >>> systems
    OrdinalSystems of 100 test cases, 10 systems and 11 classes
    >>> systems.names[:4]
    ('maj 0.1', 'maj 0.5', 'rand 0.1', 'rand 0.5')
    >>> accuracy = systems.subset(["rand 0.1", "rand 0.5"]).evaluate("accuracy")
    >>> accuracy.mean(axis=0).round(2)
    array([0.91, 0.55])
    """
    checks.check_count("n_samples", n_samples, at_least=1)
    checks.check_bool("wrap_around", wrap_around)
    scale = _scale(n_classes)
    kind_names = _checked_kinds(kinds)
    rates = _checked_rates(error_rates)
    size = int(n_samples) * len(kind_names) * len(rates)
    checks.check_count("n_test_cases", n_test_cases, at_least=1, size=size)
    low, high = _checked_spread(spread, n_classes)
    rng = checks.as_generator(random_state)

    deviation = rng.uniform(low, high, size=(n_test_cases, 1))
    positions = rng.normal(_MEAN * (n_classes - 1), deviation, size=(n_test_cases, n_samples))
    y_true = np.sort(np.clip(np.rint(positions), 0, n_classes - 1).astype(np.intp), axis=-1)
    shape = len(rates), n_test_cases, n_samples
    predicted = []
    for kind in kind_names:
        assigned = _assigned(kind, y_true, shape, n_classes, wrap_around, rng)
        is_drawn = rng.random(shape) < rates[:, None, None]
        predicted.append(np.where(is_drawn, assigned, y_true))
    predictions = PredictedPositions(
        y_true.ravel(),
        np.concatenate(predicted).reshape(-1, y_true.size),
        np.repeat(np.arange(n_test_cases), n_samples),
    )
    return OrdinalSystems(
        predictions.count(scale, n_test_cases),
        tuple(f"{kind} {rate:g}" for kind in kind_names for rate in rates),
        predictions=predictions,
    )


def _assigned(
    kind: str,
    y_true: IntegerArray,
    shape: tuple[int, int, int],
    n_classes: int,
    wrap_around: bool,
    rng: np.random.Generator,
) -> IntegerArray:
    """Return the positions that a kind of system assigns to samples sorted by their class."""
    n_samples = shape[-1]
    rank = np.arange(n_samples)
    if kind == "maj":
        return np.full_like(y_true, np.rint(_MEAN * (n_classes - 1)))
    if kind == "rand":
        return rng.integers(n_classes, size=shape)
    if kind == "tDisp":
        return np.minimum(y_true + 1, n_classes - 1)
    if kind == "oDisp":
        later = rank + math.ceil(n_samples / 10)
        return y_true[:, later % n_samples if wrap_around else np.minimum(later, n_samples - 1)]
    midway = (rank + rng.integers(n_samples, size=shape)) // 2
    return np.take_along_axis(y_true[None], midway, axis=-1)


def _scale(n_classes: int) -> OrdinalScale:
    checks.check_integer("n_classes", n_classes, at_least=1)
    if n_classes == 1:
        raise ValueError("n_classes must be at least 2, got 1.")
    return OrdinalScale.from_run(0, n_classes)


def _checked_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    names = scales.check_names("kinds", kinds)
    for name in names:
        checks.check_choice("kinds", name, ErrorKind)
    _check_once("kinds", names)
    return names


def _checked_rates(error_rates: ArrayLike) -> NDArray[np.float64]:
    rates = checks.as_numbers("error_rates", error_rates).astype(np.float64)
    if rates.ndim != 1:
        raise ValueError(
            f"error_rates must be a sequence of numbers, such as [0.1, 0.5], got "
            f"{checks.shown(error_rates)}."
        )
    outside = rates[~((rates >= 0) & (rates <= 1))]
    if outside.size:
        raise ValueError(f"error_rates must be in [0, 1], got {outside[0]:g}.")
    # Compare error rates as they are formatted in the names of systems.
    _check_once("error_rates", tuple(f"{rate:g}" for rate in rates))
    return rates


def _check_once(argument: str, values: tuple[str, ...]) -> None:
    if not values:
        raise ValueError(f"{argument} must have at least one value, got none.")
    if twice := checks.repeated(values):
        raise ValueError(
            f"{argument} must have each value once, got {checks.shown(twice[0])} twice."
        )


def _checked_spread(spread: tuple[float, float] | None, n_classes: int) -> tuple[float, float]:
    if spread is None:
        low, high = _SPREAD
        return low * (n_classes - 1), high * (n_classes - 1)
    limits = checks.as_numbers("spread", spread)
    if limits.shape != (2,) or not 0 <= limits[0] <= limits[1] < np.inf:
        raise ValueError(
            f"spread must be the lowest and the highest standard deviation, such as (1, 3), got "
            f"{checks.shown(spread)}."
        )
    return float(limits[0]), float(limits[1])
