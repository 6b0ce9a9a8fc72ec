"""What is known of each metric, and the one road from labels to a value.

Scorers, report rows, documentation tables and contract tests are made from `METRICS`.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._confusion import Counts, OrdinalConfusion, Values, count
from sklearn_ordinal._labels import encode

Property = Literal["invariant", "monotonic", "imbalance", "symmetric"]
Contract = Literal["best if perfect", "an empty class at an end", "reversal"]
Bounds: TypeAlias = tuple[float, float] | Callable[[int], tuple[float, float]]
Function = TypeVar("Function", bound=Callable[..., Any])


class Statistic(Protocol):
    """A pure function of counts: (..., K, K) -> (...), NaN where undefined."""

    def __call__(self, counts: Counts, /) -> Values: ...


@dataclass(frozen=True)
class OrdinalMetric:
    """What the catalogue knows of one metric.

    Parameters
    ----------
    name : str
        Name in `METRICS`, in reports and, with ``neg_`` in front if lower is better,
        as a scorer.
    statistic : callable
        From counts of shape (..., K, K) to values of shape (...).
    function : callable
        The public function of labels, or None where scikit-learn publishes it, with a
        scorer of the same name.
    greater_is_better : bool
        Direction.
    bounds : tuple of float, or callable
        Smallest and largest possible value, or a function of the number of classes that
        returns them.
    chance_level : float or None
        Value of agreement by chance, as the metric estimates chance, where it does.
    properties : collection of str
        Which of these hold, as tests over random counts show. "invariant": recoding the
        classes in order changes nothing. "monotonic": a prediction nearer to its true
        class never makes the value worse. "imbalance": the same error costs more in a
        smaller class. "symmetric": truth and prediction may be exchanged.
    an_error_costs : str
        What an error costs by this metric.
    prefer : str
        When to prefer it.
    exceptions : mapping of str to str
        Contracts of all metrics that this one does not keep, each with the reason.
    counts_unanswered : bool
        Whether the statistic takes ``unanswered=``, the samples of each true class
        without a prediction. The others leave them out.
    options : mapping
        Options of `function` that this entry fixes.
    """

    name: str
    statistic: Statistic
    function: Callable[..., Any] | None
    greater_is_better: bool
    bounds: Bounds
    chance_level: float | None = None
    properties: Collection[Property] = ()
    an_error_costs: str = ""
    prefer: str = ""
    exceptions: Mapping[Contract, str] = field(default_factory=dict)
    counts_unanswered: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scorer_name(self) -> str:
        """Name of the scorer, of which higher is better."""
        return self.name if self.greater_is_better else f"neg_{self.name}"

    def of(self, confusion: OrdinalConfusion) -> Values:
        """Return the value of each matrix of a confusion."""
        if self.counts_unanswered and confusion.unanswered is not None:
            statistic: Any = self.statistic
            values: Values = statistic(confusion.counts, unanswered=confusion.unanswered)
            return values
        return self.statistic(confusion.counts)

    def range_over(self, n_classes: int) -> tuple[float, float]:
        """Return the smallest and the largest possible value on a scale of `n_classes`."""
        return self.bounds(n_classes) if callable(self.bounds) else self.bounds


METRICS: dict[str, OrdinalMetric] = {}
"""Every metric of the package by name."""


def add_to_catalogue(metric: OrdinalMetric) -> None:
    """Record a metric under its name, which must be new."""
    if metric.name in METRICS:
        raise ValueError(f"There is already a metric named {metric.name!r}.")
    METRICS[metric.name] = metric


def ordinal_metric(
    statistic: Callable[..., Values],
    *,
    greater_is_better: bool,
    bounds: Bounds,
    chance_level: float | None = None,
    properties: Collection[Property] = (),
    an_error_costs: str,
    prefer: str,
    exceptions: Mapping[Contract, str] | None = None,
    counts_unanswered: bool = False,
    name: str | None = None,
    **options: Any,
) -> Callable[[Function], Function]:
    """Record a metric in the catalogue and return its public function unchanged.

    `name` is by default the function's without ``_score``; `options` are those of the
    function, and of the statistic, that this entry fixes.
    """

    def record(function: Function) -> Function:
        add_to_catalogue(
            OrdinalMetric(
                name=name or function.__name__.removesuffix("_score"),
                statistic=partial(statistic, **options) if options else statistic,
                function=function,
                greater_is_better=greater_is_better,
                bounds=bounds,
                chance_level=chance_level,
                properties=properties,
                an_error_costs=an_error_costs,
                prefer=prefer,
                exceptions=exceptions or {},
                counts_unanswered=counts_unanswered,
                options=options,
            )
        )
        return function

    return record


def find_metric(metric: str | Callable[..., Any]) -> OrdinalMetric:
    """Return the entry of a name or of a public function, options bound by `partial`."""
    if isinstance(metric, partial):
        return _with_options(metric)
    if isinstance(metric, str) and metric in METRICS:
        return METRICS[metric]
    for known in METRICS.values():
        if known.function is metric and callable(metric):
            defaults = inspect.signature(metric).parameters
            if all(defaults[name].default == value for name, value in known.options.items()):
                return known
    raise ValueError(
        f"metric must be a metric function or one of {', '.join(METRICS)}, without neg_, "
        f"got {metric!r}."
    )


def _with_options(metric: partial[Any]) -> OrdinalMetric:
    known = find_metric(metric.func)
    statistic: Any = known.statistic
    statistic = statistic.func if isinstance(statistic, partial) else statistic
    # The statistic trusts class_counts, which only the public function can check.
    taken = inspect.signature(statistic).parameters.keys() - {"class_counts", "unanswered"}
    refused = sorted(metric.keywords.keys() - taken)
    name = metric.func.__name__
    if refused or metric.args:
        raise ValueError(
            f"metric must have only options of {name} bound to it that do not depend on the "
            f"samples, got {', '.join(refused) or 'positional arguments'}."
        )
    metric([0, 1], [0, 1])  # refuses a bad value
    options = ", ".join(f"{key}={value!r}" for key, value in metric.keywords.items())
    return replace(
        known,
        name=f"{name.removesuffix('_score')}({options})",
        statistic=partial(statistic, **{**known.options, **metric.keywords}),
        options={**known.options, **metric.keywords},
    )


def evaluate(
    statistic: Statistic,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> float:
    """Return the statistic of the labels' counts, for metrics that are always defined."""
    counts, _, _ = count(encode(y_true, y_pred, labels), sample_weight)
    return float(statistic(counts))


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value; where it is NaN, the replacement, with a warning if that is NaN too."""
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        # 3: the caller of the public function.
        warnings.warn(f"{name} is undefined: {reason}.", UndefinedMetricWarning, stacklevel=3)
    return float(replace_undefined_by)
