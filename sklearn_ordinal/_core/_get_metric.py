"""From whatever names a metric to the metric: names, functions, scorers, partials.

Criteria of scikit-learn and of users are wrapped, so that they are taken wherever the metrics
of the catalogue are.
"""

from __future__ import annotations

import difflib
import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics as sklearn_metrics

from sklearn_ordinal._core._confusion import Counts, OrdinalConfusion, Values
from sklearn_ordinal._core._metric import METRICS, Need, OrdinalMetric

MetricLike: TypeAlias = str | Callable[..., Any]
_SUFFIXES = {"_score": True, "_error": False, "_loss": False}
_NAME_OF_SCORES = {"y_score", "y_scores", "y_proba", "y_prob", "pred_decision"}


@dataclass(frozen=True, repr=False)
class RowMetric(OrdinalMetric):
    """A criterion ``f(y_true, y_pred)`` that is not from the catalogue, evaluated on rows.

    For a confusion, the rows are the labels of each cell, as often as the cell counts.
    """

    @property
    def needs(self) -> Need:
        """What the value is computed from."""
        return "rows"

    def of_rows(self, y_true: Any, y_pred: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the value for labels as they were passed."""
        assert self.function is not None
        weight = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self.function(y_true, y_pred, **weight))

    def _values(self, confusion: OrdinalConfusion) -> Values:
        n_classes = len(confusion.scale)
        stack = confusion.counts.shape[:-2]
        matrices = confusion.counts.reshape(-1, n_classes, n_classes)
        if confusion.is_weighted and not self._takes_weights:
            raise ValueError(
                f"{self.name} takes no sample_weight, so it cannot be evaluated on weighted counts."
            )
        with warnings.catch_warnings():
            if stack:
                # Of a stack, such as resamples, what is undefined is counted by the caller.
                warnings.simplefilter("ignore")
            values = [self._of_matrix(counts, confusion) for counts in matrices]
        return np.array(values, dtype=np.float64).reshape(stack)

    def _of_matrix(self, counts: Counts, confusion: OrdinalConfusion) -> float:
        true, pred = np.nonzero(counts)
        if not len(true):
            return math.nan
        sizes = counts[true, pred]
        if confusion.is_weighted:
            return self.of_rows(confusion.labels[true], confusion.labels[pred], sizes)
        sizes = np.rint(sizes).astype(np.int64)
        rows = np.repeat(true, sizes), np.repeat(pred, sizes)
        return self.of_rows(confusion.labels[rows[0]], confusion.labels[rows[1]])

    @property
    def _takes_weights(self) -> bool:
        assert self.function is not None
        return "sample_weight" in inspect.signature(self.function).parameters


@dataclass(frozen=True, repr=False)
class EstimatorMetric(OrdinalMetric):
    """A criterion ``f(estimator, X, y)`` that is not from the catalogue.

    `function` is the scorer; its value times `sign` is the value of the metric.
    """

    sign: int = 1

    @property
    def needs(self) -> Need:
        """What the value is computed from."""
        return "estimator"

    def of_estimator(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the value of a fitted estimator."""
        assert self.function is not None
        return self.sign * float(self.function(estimator, X, y))

    def _values(self, _: OrdinalConfusion) -> Values:
        raise ValueError(self.refusal)

    @property
    def refusal(self) -> str:
        """Why the criterion cannot be evaluated where there are labels only."""
        what = "probabilities" if self.evidence == "probabilities" else "the fitted estimator"
        return (
            f"{self.name} needs {what}, but only labels are given: use cross_val_report or "
            f"compare_estimators, which have the estimator."
        )


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
    return _catalogued(function, options) or _of_function(metric)


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
    return _with_options(base, {**base.options, **extra}, f"{name}({_as_text(extra)})")


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


def _as_text(options: Mapping[str, Any]) -> str:
    values = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in options.items()}
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


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


# --- criteria of scikit-learn and of users ---------------------------------------------


def _of_scorer(scorer: Any) -> OrdinalMetric:
    """Wrap a scorer of scikit-learn's; one that predicts labels is its metric."""
    function, options = scorer._score_func, dict(scorer._kwargs)
    methods = getattr(scorer, "_response_method", "predict")
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    greater_is_better = scorer._sign > 0
    if methods == ("predict",):
        ours = getattr(function, "unbound_metric", None)
        if isinstance(ours, OrdinalMetric):
            return ours
        known = _catalogued(function, options)
        if known is not None and known.greater_is_better == greater_is_better:
            return known
        bound = partial(function, **options) if options else function
        return RowMetric(_name_of(bound), None, bound, greater_is_better)
    return EstimatorMetric(
        _name_of(partial(function, **options)),
        None,
        scorer,
        greater_is_better,
        evidence="probabilities" if "predict_proba" in methods else "estimator",
        sign=int(np.sign(scorer._sign)),
    )


def _of_function(function: Callable[..., Any]) -> OrdinalMetric:
    """Wrap a function of a user, or of another package."""
    required = _required_parameters(function)
    _refuse_functions_of_probabilities(function, required)
    name, sign = _name_of(function), 1
    if name.startswith("neg_"):
        name, sign = name.removeprefix("neg_"), -1
    if len(required) == 3:
        greater_is_better = _direction(function)
        return EstimatorMetric(
            name, None, function, greater_is_better, evidence="estimator", sign=sign
        )
    if len(required) == 2:
        return RowMetric(_name_of(function), None, function, _direction(function))
    raise ValueError(
        f"metric must have two required parameters (y_true, y_pred) or three (estimator, X, y), "
        f"{_title(function)} has {len(required)}: {', '.join(required) or 'none'}."
    )


def _required_parameters(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ValueError(
            f"metric must show its parameters, which {_title(function)} does not: wrap it in a "
            f"function of (y_true, y_pred)."
        ) from None
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty and parameter.kind not in variable
    ]


def _refuse_functions_of_probabilities(function: Any, required: list[str]) -> None:
    """Raise for functions, such as scikit-learn's ``log_loss``, that do not take labels."""
    function = function.func if isinstance(function, partial) else function
    if getattr(function, "__module__", "").startswith("sklearn."):
        for name in sklearn_metrics.get_scorer_names():
            scorer = sklearn_metrics.get_scorer(name)
            if (
                getattr(scorer, "_score_func", None) is function
                and scorer._response_method != "predict"
            ):
                raise ValueError(
                    f"{_title(function)} takes probabilities, not labels: pass the name of its "
                    f"scorer, {name!r}."
                )
    if len(required) == 2 and required[1] in _NAME_OF_SCORES:
        raise ValueError(
            f"{_title(function)} takes {required[1]}, not labels: pass "
            f"make_scorer({_title(function)}, response_method='predict_proba')."
        )


def _direction(function: Any) -> bool:
    title = _title(function)
    for suffix, greater_is_better in _SUFFIXES.items():
        if title.endswith(suffix):
            return greater_is_better
    raise ValueError(
        f"metric must tell whether higher is better, which {title} does not: pass "
        f"make_scorer({title}, greater_is_better=...), or let its name end in _score, _error or "
        f"_loss."
    )


def _title(function: Any) -> str:
    function = function.func if isinstance(function, partial) else function
    return str(getattr(function, "__name__", type(function).__name__))


def _name_of(function: Any) -> str:
    options = function.keywords if isinstance(function, partial) else {}
    name = _title(function).removesuffix("_score")
    return f"{name}({_as_text(options)})" if options else name
