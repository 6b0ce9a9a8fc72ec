"""The catalogue of metrics, and the decorator that records one.

Scorers, report rows, documentation tables and contract tests are generated from
`METRICS`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any, TypeVar, get_args

import numpy as np
from sklearn.metrics import get_scorer_names

from sklearn_ordinal._core._checks import (
    check_bool,
    check_choice,
    check_mapping,
    is_real,
    listed,
    shown,
)
from sklearn_ordinal._core._influence import Gradient
from sklearn_ordinal._core._kind import Kind
from sklearn_ordinal._core._kinds import LABELS, kind_named
from sklearn_ordinal._core._metric import (
    Bounds,
    Contract,
    Costs,
    IntervalMethod,
    IntervalScale,
    OrdinalMetric,
    Properties,
    Property,
    names_of,
    origin_of,
)
from sklearn_ordinal._core._protocols import Statistic
from sklearn_ordinal._core._scale import OrdinalScale

Function = TypeVar("Function", bound=Callable[..., Any])

METRICS: dict[str, OrdinalMetric] = {}
"""Every metric of the package, and every metric made with `ordinal_metric`, by name."""

TEMPLATES: dict[str, OrdinalMetric] = {}
"""Metrics with a required option, by function name; they cannot be looked up by metric name."""

_TRIED_SCALE = OrdinalScale.from_run(0, 3)

when_added: list[Callable[[OrdinalMetric], None]] = []
"""Functions that are called with each metric added later, for example to register scorers."""


def add_to_catalogue(metric: OrdinalMetric) -> None:
    """Add a metric under a new name, or redefine a metric of the same function."""
    _check_name(metric)
    METRICS[metric.name] = metric
    for call in when_added:
        call(metric)


def _check_name(metric: OrdinalMetric) -> None:
    name = metric.name
    if name.startswith("<"):
        raise ValueError(f"name must be a string that names the metric, got {shown(name)}.")
    origin, names = origin_of(metric.function or metric.statistic), names_of(metric)
    for entry in METRICS.values():
        clash = names_of(entry) & names
        if clash and origin_of(entry.function or entry.statistic) != origin:
            raise ValueError(
                f"name must not be the name of another metric or its scorer, got {min(clash)!r}: "
                f"choose another name."
            )
    if origin.startswith("sklearn"):
        # These are scorers of scikit-learn already.
        return
    clash = names.intersection(get_scorer_names())
    if clash and name not in METRICS:
        raise ValueError(
            f"name must not be the name of a scikit-learn scorer, got {min(clash)!r}: choose "
            f"another name."
        )


def ordinal_metric(
    statistic: Statistic | None = None,
    *,
    greater_is_better: bool | None,
    bounds: Bounds = (-math.inf, math.inf),
    name: str | None = None,
    chance_level: float | None = None,
    properties: Properties | None = None,
    an_error_costs: str = "",
    prefer: str = "",
    exceptions: Mapping[Contract, str] | None = None,
    interval_method: IntervalMethod = "bca",
    interval_scale: IntervalScale = "logit",
    costs: Costs | None = None,
    gradient: Gradient | None = None,
    share_of: Callable[..., Any] | None = None,
    check: Callable[..., Any] | None = None,
    evidence: str | Kind = LABELS,
    statistics: Mapping[Kind, Statistic] | None = None,
    gradients: Mapping[Kind, Gradient] | None = None,
    **options: Any,
) -> Callable[[Function], Function]:
    """Define a metric: add it to the catalogue and return the function unchanged.

    The decorated function is a statistic on counts, or on other evidence. `get_metric` then
    finds the metric, and its name is accepted as a scorer and in reports, intervals and
    comparisons. If `statistic` is given, the decorated function is the public function of
    labels, probabilities or scores instead, as in the metrics of this package.

    Parameters
    ----------
    statistic : callable, default=None
        Function from counts of shape (..., n_classes, n_classes), rows true, columns
        predicted, to values of shape (...), NaN where undefined; or from `OrdinalForecasts`
        or `OrdinalScores`, whose weights have the leading axes. If None, the decorated
        function.
    greater_is_better : bool or None
        Whether higher values are better. None if neither higher nor lower values are, as for a
        bias: such a metric has intervals and differences, but no scorer and no ranks.
    bounds : tuple of float or callable, default=(-inf, inf)
        Smallest and largest possible value, or a function that takes the number of
        classes and any options of the metric and returns these two values.
    name : str, default=None
        Name of the metric. If None, the name of the decorated function without ``_score``.
    chance_level : float, default=None
        Expected value of random agreement, if the metric estimates it. If it is 0, scorers
        replace undefined values by 0; otherwise by the worst value in `bounds`.
    properties : collection of str or callable, default=None
        Properties of the metric: any of "invariant", "monotonic", "strictly monotonic",
        "imbalance", "prevalence invariant", "symmetric", "bilinear", "additive", "centred
        at chance", "strictly proper", "differentiable", "exchangeable" and "complete items";
        see `OrdinalMetric`. If the properties depend on the options of the metric, pass a
        function that takes these options and returns the properties. None if the properties
        are not known.
    an_error_costs : str, default=""
        What an error costs according to this metric.
    prefer : str, default=""
        When to prefer it.
    exceptions : mapping of str to str, default=None
        General contracts that this metric does not fulfil, with the reasons.
    interval_method : {"bca", "percentile", "basic"}, default="bca"
        How `bootstrap_interval` computes the interval by default. For means over classes,
        "percentile" covers the true value more often if some classes are rare.
    interval_scale : {"logit", "fisher", "linear"}, default="logit"
        Scale on which `delta_interval` is symmetric about the value; see `OrdinalMetric`.
    costs : callable, default=None
        Function that returns the cost of each error, given the sizes of the true classes,
        if the metric is a sum of costs; see `OrdinalMetric`.
    gradient : callable, default=None
        Function that returns the derivative of the statistic by each count, or by the weight of
        each sample, in their shape; see `OrdinalMetric`. If None, influences of counts are computed
        from differences.
    share_of : callable, default=None
        Function that returns in which cells the samples are that the value is a share of; see
        `OrdinalMetric`. None if the value is not a share, or a share of all samples.
    check : callable, default=None
        Function that takes any options of the metric and raises a ValueError if a value
        is invalid. It checks the options that a user binds with `functools.partial`.
    evidence : {"labels", "probabilities", "scores", "ratings"} or Kind, default="labels"
        What the statistic is computed from: counts of labels, `OrdinalForecasts`,
        `OrdinalScores` or `OrdinalRatings`.
    statistics : mapping of Kind to callable, default=None
        Statistics of other kinds of evidence that the metric can be computed from.
    gradients : mapping of Kind to callable, default=None
        Functions that return the derivatives of these statistics.
    **options : dict
        Fixed options of the function and of the statistic.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ValueError
        If the name is taken, or an argument is invalid.

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
    if statistic is not None and not callable(statistic):
        raise ValueError(f"statistic must be a function of counts, got {shown(statistic)}.")
    kind = evidence if isinstance(evidence, Kind) else kind_named(evidence)
    _check_facts(
        greater_is_better, bounds, chance_level, properties, interval_method, interval_scale
    )
    if gradient is not None and not callable(gradient):
        raise ValueError(f"gradient must be a function of evidence, got {shown(gradient)}.")
    if exceptions is not None:
        check_mapping("exceptions", exceptions)
    for name_of_mapping, mapping in (("statistics", statistics), ("gradients", gradients)):
        if mapping is not None:
            check_mapping(name_of_mapping, mapping)
    if share_of is not None and not callable(share_of):
        raise ValueError(
            f"share_of must be a function of the number of classes, got {shown(share_of)}."
        )
    if check is not None and not callable(check):
        raise ValueError(f"check must be a function of options, got {shown(check)}.")

    def record(function: Function) -> Function:
        if not callable(function):
            raise ValueError(f"ordinal_metric must decorate a function, got {shown(function)}.")
        counted = statistic or function
        _check_fixed_options(counted, options)
        check_option_values(check, options)
        metric = OrdinalMetric(
            name=function.__name__.removesuffix("_score") if name is None else name,
            statistic=partial(counted, **options) if options else counted,
            function=None if statistic is None else function,
            greater_is_better=greater_is_better,
            value_range=bounds,
            chance_level=chance_level,
            properties=properties,
            an_error_costs=an_error_costs,
            prefer=prefer,
            exceptions={} if exceptions is None else exceptions,
            interval_method=interval_method,
            interval_scale=interval_scale,
            evidence=kind,
            options=options,
            costs=costs,
            gradient=gradient,
            share_of=share_of,
            check=check,
            statistics={} if statistics is None else statistics,
            gradients={} if gradients is None else gradients,
        )
        if check is not None:
            _check_has_an_option(check, function)
        if statistic is None:
            _check_statistic(metric, function)
            if costs is not None and not callable(costs):
                raise ValueError(f"costs must be a function of class sizes, got {shown(costs)}.")
        if missing_options(metric):
            TEMPLATES[metric.name] = metric
        else:
            add_to_catalogue(metric)
        return function

    return record


def missing_options(metric: OrdinalMetric) -> list[str]:
    """Return the options that have no default and are not given."""
    parameters = inspect.signature(metric.function or metric.statistic).parameters
    return [
        name
        for name, parameter in parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
        and parameter.default is parameter.empty
        and name not in metric.options
    ]


def metrics_of(*kinds: Kind) -> dict[str, OrdinalMetric]:
    """Return the metrics of some kinds by name."""
    return {name: metric for name, metric in METRICS.items() if metric.evidence in kinds}


def _check_fixed_options(statistic: Statistic, options: Mapping[str, Any]) -> None:
    """Raise if an option is not a parameter of the statistic."""
    parameters = inspect.signature(statistic).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    names = [parameter.name for parameter in parameters][1:]
    unknown = [name for name in options if name not in names]
    if unknown:
        title = getattr(statistic, "__name__", "the statistic")
        raise ValueError(
            f"{title} has no option {', '.join(unknown)}: its options are "
            f"{', '.join(names) or 'none'}."
        )


def check_option_values(check: Callable[..., Any] | None, options: Mapping[str, Any]) -> None:
    """Call a metric's check, if any, with the options that it takes."""
    if check is not None:
        checked = inspect.signature(check).parameters.keys() & options.keys()
        if checked:
            check(**{name: options[name] for name in checked})


def _check_has_an_option(check: Callable[..., Any], function: Function) -> None:
    """Raise if no parameter of a check is an option, since the check would never be called."""
    options, checked = (list(inspect.signature(f).parameters) for f in (function, check))
    if not set(options).intersection(checked):
        raise ValueError(
            f"check must have a parameter that is an option of {function.__name__}, got "
            f"{listed(checked)}: its parameters are {listed(options)}."
        )


def _check_statistic(metric: OrdinalMetric, statistic: Statistic) -> None:
    """Raise unless a user's statistic accepts its options and a stack of evidence."""
    options = metric.options
    _, *parameters = inspect.signature(statistic).parameters
    unknown = sorted(options.keys() - set(parameters))
    if unknown:
        raise ValueError(
            f"{statistic.__name__} has no option {', '.join(unknown)}; "
            f"its options are {', '.join(parameters) or 'none'}."
        )
    try:
        with np.errstate(all="ignore"):
            shape = np.shape(metric(metric.evidence.example(_TRIED_SCALE, (2,))))
        result = f"shape {shape}"
    except Exception as error:
        shape, result = None, f"{type(error).__name__}: {error}"
    if shape != (2,):
        raise ValueError(
            f"{statistic.__name__} must return values of shape (2,) for "
            f"{metric.evidence.stack_hint}, got {result}."
        )
    if metric.gradient is not None:
        try:
            kind = metric.evidence
            kind.influence(metric, kind.example(_TRIED_SCALE, (2,)))
        except ValueError:
            raise
        except Exception as error:
            raise ValueError(
                f"gradient must return derivatives of {metric.name}, got {type(error).__name__}: "
                f"{error}."
            ) from error


def _check_facts(
    greater_is_better: Any,
    bounds: Any,
    chance_level: Any,
    properties: Any,
    interval_method: Any,
    interval_scale: Any,
) -> None:
    check_bool("greater_is_better", greater_is_better, or_none=True)
    if chance_level is not None and not (is_real(chance_level) and math.isfinite(chance_level)):
        raise ValueError(
            f"chance_level must be a finite number, or None if it is not known, got "
            f"{shown(chance_level)}."
        )
    check_choice("interval_method", interval_method, IntervalMethod)
    check_choice("interval_scale", interval_scale, IntervalScale)
    if not callable(bounds):
        is_pair = isinstance(bounds, (tuple, list)) and len(bounds) == 2
        if not is_pair or not all(map(is_real, bounds)) or bounds[0] >= bounds[1]:
            raise ValueError(
                f"bounds must be the lowest and the highest value, got {shown(bounds)}."
            )
    choices = get_args(Property)
    if properties is None or callable(properties):
        return
    is_collection = isinstance(properties, (list, tuple, Set))
    if not is_collection or not all(isinstance(p, str) and p in choices for p in properties):
        raise ValueError(f"properties must be a collection of {choices}, got {shown(properties)}.")
