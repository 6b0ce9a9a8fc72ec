"""From whatever names a metric to the metric: names, functions, partials, scorers."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from sklearn import metrics as sklearn_metrics

from sklearn_ordinal._core._metric import METRICS, OrdinalMetric
from sklearn_ordinal._core._strangers import (
    RowMetric,
    options_as_text,
    wrapped_function,
    wrapped_scorer,
)

MetricLike: TypeAlias = str | Callable[..., Any]


def get_metric(metric: Any) -> OrdinalMetric:
    """Get a metric by its name, its function, or its scorer.

    Every argument named ``metric``, ``metrics`` or ``scoring`` takes just the same.

    Parameters
    ----------
    metric : str, callable or OrdinalMetric
        The name of a metric or of a scorer, with or without ``neg_``; a metric function,
        or a `functools.partial` of one with options. Names and objects of scikit-learn's
        scorers are taken too, and functions: with three required parameters a scorer
        ``f(estimator, X, y)``, with two a metric ``f(y_true, y_pred)`` of the labels as
        they were passed. Their direction is the sign of the scorer, or follows from the
        end of the name: higher is better for ``_score``, lower for ``_error`` and
        ``_loss``.

    Returns
    -------
    OrdinalMetric
        The metric.

    Raises
    ------
    ValueError
        If there is no such metric, an option is not known or has a bad value, or the
        direction of a function is not known.

    See Also
    --------
    get_metric_names : The names.
    get_scorer : The scorer of a metric.

    Examples
    --------
    >>> from functools import partial
    >>> from sklearn_ordinal import get_metric
    >>> from sklearn_ordinal.metrics import cem_ord_score
    >>> get_metric(partial(cem_ord_score, adjusted=True))
    OrdinalMetric('cem_ord_adjusted')
    >>> get_metric("neg_ordinal_mean_absolute_error").greater_is_better
    False
    """
    if isinstance(metric, OrdinalMetric):
        return metric
    if isinstance(metric, str):
        return _named(metric)
    if not callable(metric):
        raise ValueError(
            f"metric must be a name or a callable, got {_shown(metric)}: "
            f"sklearn_ordinal.get_metric_names() lists the names."
        )
    if hasattr(metric, "_score_func") and hasattr(metric, "_sign"):
        return _of_scorer(metric)
    function, options = metric, {}
    if isinstance(metric, partial) and not metric.args:
        function, options = metric.func, dict(metric.keywords)
    return _catalogued(function, options) or wrapped_function(metric)


def get_metric_names() -> list[str]:
    """Get the names of all metrics of this package.

    Returns
    -------
    list of str
        Names, sorted.

    See Also
    --------
    get_metric : The metric of a name.
    get_scorer_names : The names of the scorers.

    Examples
    --------
    >>> from sklearn_ordinal import get_metric_names
    >>> get_metric_names()[:3]
    ['accuracy', 'balanced_accuracy', 'cem_int']
    """
    return sorted(METRICS)


def is_several(metric: Any) -> bool:
    """Return whether there are metrics, not one."""
    return not isinstance(metric, str) and not callable(metric) and isinstance(metric, Iterable)


def get_metrics(metrics: Any, *, argument: str = "metric") -> list[OrdinalMetric]:
    """Return each metric, or the one; `argument` is what errors name."""
    if isinstance(metrics, (Mapping, set, frozenset)):
        raise ValueError(
            f"{argument} must be a metric or a list of them, in order, got a "
            f"{type(metrics).__name__}."
        )
    try:
        found = [get_metric(one) for one in (metrics if is_several(metrics) else [metrics])]
    except ValueError as error:
        text = str(error) if argument == "metric" else f"{argument}: {error}"
        raise ValueError(text) from None
    names = [one.name for one in found]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"{argument} must name at least one metric, and each once, got {names}.")
    return found


class ByMetric(dict[Any, Any]):
    """Values by the name of their metric, found by whatever `get_metric` takes."""

    def __missing__(self, metric: Any) -> Any:
        try:
            return self[self.name_of(metric)]
        except ValueError as error:
            raise KeyError(str(error)) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def name_of(self, metric: Any, argument: str = "metric") -> str:
        """Return the name under which the values of a metric are; `argument` is for errors."""
        if isinstance(metric, str) and metric in self:
            return metric
        try:
            name = get_metric(metric).name
        except ValueError:
            name = ""
        if name not in self:
            raise ValueError(f"{argument} must be among {list(self)}, got {metric!r}.")
        return name


# --- names -----------------------------------------------------------------------------


def _named(name: str) -> OrdinalMetric:
    for metric in METRICS.values():
        if name in (metric.name, metric.scorer_name):
            return metric
    known = sklearn_metrics.get_scorer_names()
    for scorer_name in (name, f"neg_{name}"):
        if scorer_name in known:
            scorer = sklearn_metrics.get_scorer(scorer_name)
            return replace(_of_scorer(scorer), name=scorer_name.removeprefix("neg_"))
    names = [*METRICS, *(metric.scorer_name for metric in METRICS.values()), *known]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(
        f"metric must be the name of a metric, got {_shown(name)}: {hint}"
        f"sklearn_ordinal.get_metric_names() lists them."
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


# --- functions of this package, with options -------------------------------------------


def _catalogued(function: Any, options: Mapping[str, Any]) -> OrdinalMetric | None:
    """Return the metric of a function with options, None if the catalogue does not have it."""
    entries = [metric for metric in METRICS.values() if _is_of(metric, function)]
    if not entries:
        return None
    if options.get("labels") is not None:
        return _with_labels(function, options)
    parameters = inspect.signature(function).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    given = {**defaults, **options}
    fitting = [
        metric
        for metric in entries
        if all(_is_same(given.get(name), value) for name, value in metric.options.items())
    ]
    base = max(fitting, key=lambda metric: len(metric.options), default=entries[0])
    expected = {**defaults, **base.options}
    extra = {k: v for k, v in options.items() if k not in expected or not _is_same(v, expected[k])}
    if base in fitting and not extra:
        return base
    if function.__module__.startswith("sklearn."):
        return None
    _check_options(function, defaults, options)
    name = base.name if base in fitting else function.__name__.removesuffix("_score")
    return _with_options(base, {**base.options, **extra}, f"{name}({options_as_text(extra)})")


def _with_labels(function: Any, options: Mapping[str, Any]) -> OrdinalMetric | None:
    """Return a metric that brings its own order of the classes."""
    others = {name: value for name, value in options.items() if name != "labels"}
    metric = _catalogued(function, others)
    if metric is None:
        return None
    facts = {field.name: getattr(metric, field.name) for field in fields(OrdinalMetric)}
    return RowMetric(**{**facts, "statistic": None, "function": partial(function, **options)})


def _is_of(metric: OrdinalMetric, function: Any) -> bool:
    return function in (metric.function, metric.statistic)


def _is_same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if np.ndim(a) or np.ndim(b):
        return False
    return bool(a == b) or (a != a and b != b)


def _check_options(
    function: Callable[..., Any], defaults: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    own = set(defaults) - {"y_true", "y_pred", "labels", "sample_weight", "counts"}
    refused = sorted(options.keys() - own)
    if refused:
        raise ValueError(
            f"{function.__name__} has no option {', '.join(refused)}; "
            f"its options are {', '.join(sorted(own)) or 'none'}."
        )
    # The public function refuses bad values. Its classes are those with a size, if it has sizes.
    classes, labels = [0, 1], None
    sizes = options.get("class_counts")
    if sizes is not None and np.ndim(sizes) == 1 and np.asarray(sizes).dtype.kind in "iuf":
        classes, labels = np.flatnonzero(sizes).tolist() or [0], range(len(np.asarray(sizes)))
    silenced = {"replace_undefined_by": 0.0} if "replace_undefined_by" in own else {}
    function(classes, classes, labels=labels, **{**silenced, **options})


def _with_options(base: OrdinalMetric, options: dict[str, Any], name: str) -> OrdinalMetric:
    statistic: Any = base.statistic
    statistic = statistic.func if isinstance(statistic, partial) else statistic
    computed = {k: v for k, v in options.items() if k != "replace_undefined_by"}
    return replace(base, name=name, statistic=partial(statistic, **computed), options=options)


def _of_scorer(scorer: Any) -> OrdinalMetric:
    """Return the metric of a scorer, the catalogue's if it has it."""
    wrapped = wrapped_scorer(scorer)
    if not isinstance(wrapped, RowMetric):
        return wrapped
    function = scorer._score_func
    ours = getattr(function, "unbound_metric", None)
    known = ours or _catalogued(function, dict(scorer._kwargs))
    if known is None or known.greater_is_better != wrapped.greater_is_better:
        return wrapped
    found: OrdinalMetric = known
    return found
