"""Metric metadata, the catalogue, and the path from labels to a value.

Scorers, report rows, documentation tables and contract tests follow from `METRICS`.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from numbers import Real
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer_names

from sklearn_ordinal._core._checks import check_bool
from sklearn_ordinal._core._confusion import OrdinalConfusion, Values, count
from sklearn_ordinal._core._encoding import encode

Evidence = Literal["labels", "probabilities", "scores", "estimator"]
Property = Literal["invariant", "monotonic", "imbalance", "symmetric"]
Contract = Literal["best if perfect", "an empty class at an end", "reversal"]
Bounds: TypeAlias = tuple[float, float] | Callable[..., tuple[float, float]]
Properties: TypeAlias = Collection[Property] | Callable[..., Collection[Property]]
Statistic: TypeAlias = Callable[..., Any]
"""A pure function of counts: (..., K, K) -> (...), NaN where undefined."""
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, repr=False, eq=False)
class OrdinalMetric:
    """A metric: a function with its options, and what is known of it.

    `get_metric` finds one, `ordinal_metric` makes one. Called with an
    `OrdinalConfusion`, it gives the value.

    Parameters
    ----------
    name : str
        Name in reports and results; with ``neg_`` in front if lower is better, the name
        of the scorer.
    statistic : callable or None
        From counts of shape (..., n_classes, n_classes) to values of shape (...), NaN
        where undefined. It may take ``unanswered=``, the samples of each true class
        without a prediction; other statistics leave them out. None if the metric is not
        a function of counts.
    function : callable, default=None
        The public function of labels, if there is one.
    greater_is_better : bool, default=True
        Direction.
    value_range : tuple of float or callable, default=(-inf, inf)
        Smallest and largest possible value, or a function of the number of classes, and
        of the options that it names, which returns them.
    chance_level : float, default=None
        Value of agreement by chance, as the metric estimates chance, where it does.
    properties : collection of str or callable, default=None
        Which of "invariant", "monotonic", "imbalance" and "symmetric" hold, or a
        function of the options that it names, which returns them. None if they are not
        known.
    an_error_costs : str, default=""
        What an error costs by this metric.
    prefer : str, default=""
        When to prefer it.
    exceptions : mapping of str to str, default={}
        Contracts of all metrics that this one does not keep, each with the reason.
    evidence : {"labels", "probabilities", "scores", "estimator"}, default="labels"
        What the metric is a function of.
    options : mapping, default={}
        Options of `function` that are fixed.

    See Also
    --------
    get_metric : Find a metric by its name, its function or its scorer.
    ordinal_metric : Make a metric of a statistic on counts.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, get_metric
    >>> metric = get_metric("cem_ord")
    >>> metric(OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1]))
    0.6678...
    >>> metric.bounds(n_classes=3), metric.ordinal_invariant
    ((0.0, 1.0), True)
    """

    name: str
    statistic: Statistic | None
    function: Callable[..., Any] | None = None
    greater_is_better: bool = True
    value_range: Bounds = (-math.inf, math.inf)
    chance_level: float | None = None
    properties: Properties | None = None
    an_error_costs: str = ""
    prefer: str = ""
    exceptions: Mapping[Contract, str] = field(default_factory=dict)
    evidence: Evidence = "labels"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrdinalMetric):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        # The name has the options in it.
        origin = origin_of(self.function or self.statistic)
        return type(self), self.name, self.greater_is_better, self.evidence, origin

    @property
    def is_sklearns(self) -> bool:
        """Whether scikit-learn publishes the function, and has a scorer for it."""
        return origin_of(self.function).startswith("sklearn.")

    def __call__(self, confusion: OrdinalConfusion) -> Any:
        """Return the value for a confusion matrix, or the values for a stack.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (..., n_classes, n_classes).

        Returns
        -------
        float or ndarray of shape (...)
            The value of each matrix, NaN where undefined.

        Raises
        ------
        ValueError
            If `confusion` is not an `OrdinalConfusion`, or the metric is not a function
            of labels.
        """
        if not isinstance(confusion, OrdinalConfusion):
            raise ValueError(
                f"confusion must be an OrdinalConfusion, got {type(confusion).__name__}; make one "
                f"with OrdinalConfusion.from_predictions or from_counts."
            )
        values = np.asarray(self._values(confusion), dtype=np.float64)
        replacement = self.options.get("replace_undefined_by", math.nan)
        if not math.isnan(replacement):
            values = np.where(np.isnan(values), replacement, values)
        return values if values.ndim else float(values)

    def from_predictions(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the value for labels.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        float
            The value, NaN with an `UndefinedMetricWarning` where it is undefined.

        Raises
        ------
        ValueError
            If the order of the classes is not known or a class is not in `labels`.
        """
        confusion = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=labels, sample_weight=sample_weight
        )
        reason = "see the documentation of the metric for when that is"
        return or_undefined(self(confusion), math.nan, self.name, reason)

    @property
    def scorer_name(self) -> str:
        """Name of the scorer, of which higher is better."""
        return self.name if self.greater_is_better else f"neg_{self.name}"

    @property
    def ordinal_invariant(self) -> bool | None:
        """Whether recoding the classes in order changes nothing; None if not known."""
        return self._has("invariant")

    @property
    def ordinal_monotonic(self) -> bool | None:
        """Whether a prediction nearer to the truth is never worse; None if not known."""
        return self._has("monotonic")

    @property
    def imbalance_aware(self) -> bool | None:
        """Whether the same error costs more in a smaller class; None if not known."""
        return self._has("imbalance")

    @property
    def symmetric(self) -> bool | None:
        """Whether truth and prediction may be exchanged; None if not known."""
        return self._has("symmetric")

    @property
    def counts_unanswered(self) -> bool:
        """Whether samples without a prediction count as errors; others leave them out."""
        return self.statistic is not None and _takes_unanswered(self.statistic)

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the smallest and the largest possible value.

        Parameters
        ----------
        n_classes : int
            Number of classes on the scale.

        Returns
        -------
        tuple of float
            Lowest and highest value, infinite where no bound is known.
        """
        bounds: tuple[float, float] = _of_options(self.value_range, self.options, n_classes)
        return bounds

    def _values(self, confusion: OrdinalConfusion) -> Values:
        assert self.statistic is not None
        values: Values
        if confusion.unanswered is not None and self.counts_unanswered:
            values = self.statistic(confusion.counts, unanswered=confusion.unanswered)
        else:
            values = self.statistic(confusion.counts)
        return values

    def _has(self, name: Property) -> bool | None:
        if self.properties is None:
            return None
        return name in _of_options(self.properties, self.options)


def _of_options(fact: Any, options: Mapping[str, Any], *arguments: Any) -> Any:
    """Return a fact, or compute it from the options that its function names."""
    if not callable(fact):
        return fact
    taken = inspect.signature(fact).parameters.keys() & options.keys()
    return fact(*arguments, **{name: options[name] for name in taken})


@cache
def _takes_unanswered(statistic: Statistic) -> bool:
    return "unanswered" in inspect.signature(statistic).parameters


METRICS: dict[str, OrdinalMetric] = {}
"""Every metric of the package, and those made with `ordinal_metric`, by name."""

when_added: list[Callable[[OrdinalMetric], None]] = []
"""What is called with each metric that is added from now on, such as to make a scorer."""


def add_to_catalogue(metric: OrdinalMetric) -> None:
    """Record a metric under its name, which must be new unless its function is defined again."""
    _check_name(metric)
    METRICS[metric.name] = metric
    for call in when_added:
        call(metric)


def _check_name(metric: OrdinalMetric) -> None:
    name = metric.name
    if not isinstance(name, str) or not name or name.startswith("<"):
        raise ValueError(f"name must be a name for a metric, got {name!r}.")
    origin = origin_of(metric.function or metric.statistic)
    for known in METRICS.values():
        taken = {known.name, known.scorer_name} & {name, metric.scorer_name}
        if taken and origin_of(known.function or known.statistic) != origin:
            raise ValueError(f"There is already a metric or scorer named {min(taken)!r}.")
    if origin.startswith("sklearn"):
        # Names of this package that scikit-learn has already are left to scikit-learn.
        return
    taken = {name, metric.scorer_name} & set(get_scorer_names())
    if taken and name not in METRICS:
        raise ValueError(f"There is already a scorer named {min(taken)!r} in scikit-learn.")


def origin_of(function: Any) -> str:
    """Return the module and the name of a function, options and scorers taken off."""
    function = getattr(function, "_score_func", function)
    function = function.func if isinstance(function, partial) else function
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    return f"{module}.{name}"


def ordinal_metric(
    statistic: Statistic | None = None,
    *,
    greater_is_better: bool,
    bounds: Bounds = (-math.inf, math.inf),
    name: str | None = None,
    chance_level: float | None = None,
    properties: Properties | None = None,
    an_error_costs: str = "",
    prefer: str = "",
    exceptions: Mapping[Contract, str] | None = None,
    **options: Any,
) -> Callable[[Function], Function]:
    """Make a metric: record it in the catalogue and return the function unchanged.

    It decorates a statistic on counts. The metric then is a scorer by name, may be named
    in reports, intervals and comparisons, and `get_metric` finds it. With `statistic`, it
    decorates the public function of labels instead, as the metrics of this package do.

    Parameters
    ----------
    statistic : callable, default=None
        From counts of shape (..., n_classes, n_classes), rows true, columns predicted,
        to values of shape (...), NaN where undefined. If None, the decorated function.
    greater_is_better : bool
        Direction.
    bounds : tuple of float or callable, default=(-inf, inf)
        Smallest and largest possible value, or a function of the number of classes, and
        of the options that it names, which returns them.
    name : str, default=None
        Name of the metric. If None, that of the decorated function without ``_score``.
    chance_level : float, default=None
        Value of agreement by chance, if the metric estimates chance. Scorers replace
        undefined values by 0 if it is 0.
    properties : collection of str or callable, default=None
        Which of "invariant", "monotonic", "imbalance" and "symmetric" hold, see
        `OrdinalMetric`. None if they are not known.
    an_error_costs : str, default=""
        What an error costs by this metric.
    prefer : str, default=""
        When to prefer it.
    exceptions : mapping of str to str, default=None
        Contracts of all metrics that this one does not keep, each with the reason.
    **options : dict
        Options of the function, and of the statistic, that are fixed.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ValueError
        If there is a metric of that name.

    See Also
    --------
    get_metric : Find a metric.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import get_metric, ordinal_metric, OrdinalConfusion
    >>> @ordinal_metric(greater_is_better=False, bounds=(0.0, 1.0))
    ... def share_too_high_error(counts):
    ...     return np.triu(counts, 1).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
    >>> confusion = OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1])
    >>> get_metric("share_too_high_error")(confusion)
    0.25
    """

    def record(function: Function) -> Function:
        counted = statistic or function
        if statistic is None:
            _check_statistic(function, options)
            _check_facts(greater_is_better, bounds, properties)
        add_to_catalogue(
            OrdinalMetric(
                name=name or function.__name__.removesuffix("_score"),
                statistic=partial(counted, **options) if options else counted,
                function=None if statistic is None else function,
                greater_is_better=greater_is_better,
                value_range=bounds,
                chance_level=chance_level,
                properties=properties,
                an_error_costs=an_error_costs,
                prefer=prefer,
                exceptions=exceptions or {},
                options=options,
            )
        )
        return function

    return record


def _check_statistic(statistic: Statistic, options: Mapping[str, Any]) -> None:
    """Raise unless a user's statistic takes its options and a stack of counts."""
    _, *parameters = inspect.signature(statistic).parameters
    unknown = sorted(options.keys() - set(parameters))
    if unknown:
        raise ValueError(f"{statistic.__name__} has no option {', '.join(unknown)}.")
    try:
        with np.errstate(all="ignore"):
            shape = np.shape(statistic(np.ones((2, 3, 3)), **options))
        found = f"shape {shape}"
    except Exception as error:
        shape, found = None, f"{type(error).__name__}: {error}"
    if shape != (2,):
        raise ValueError(
            f"{statistic.__name__} must return values of shape (2,) for counts of shape (2, 3, 3), "
            f"as sums over axis=(-2, -1) do, got {found}."
        )


def _check_facts(greater_is_better: Any, bounds: Any, properties: Any) -> None:
    check_bool("greater_is_better", greater_is_better)
    if not callable(bounds):
        is_pair = isinstance(bounds, (tuple, list)) and len(bounds) == 2
        if not is_pair or not all(isinstance(b, Real) for b in bounds) or bounds[0] >= bounds[1]:
            raise ValueError(f"bounds must be the lowest and the highest value, got {bounds!r}.")
    known = get_args(Property)
    if properties is not None and not callable(properties) and set(properties) - set(known):
        raise ValueError(f"properties must be among {known}, got {sorted(properties)}.")


def evaluate(
    statistic: Statistic,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> float:
    """Return the statistic of the labels' counts, NaN where it is undefined."""
    counts, _, _ = count(encode({"y_true": y_true, "y_pred": y_pred}, labels), sample_weight)
    return float(statistic(counts))


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value; where it is NaN, the replacement, with a warning if that is NaN too."""
    if not isinstance(replace_undefined_by, Real):
        raise ValueError(f"replace_undefined_by must be a number, got {replace_undefined_by!r}.")
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        # 3: the caller of the public function.
        warnings.warn(f"{name} is undefined: {reason}.", UndefinedMetricWarning, stacklevel=3)
    return float(replace_undefined_by)
