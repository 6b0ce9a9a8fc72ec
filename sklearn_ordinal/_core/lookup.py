"""Look up metrics by name, function, partial or scorer, and wrap criteria of users.

Criteria that are not functions of counts are evaluated on rows of labels or on the fitted
estimator.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from numbers import Number
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sklearn_metrics
from sklearn.base import BaseEstimator, ClassifierMixin

from sklearn_ordinal._core import catalogue, checks, evidence_kinds, scales
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores

# Criteria of scikit-learn and of users, wrapped as metrics
# ---------------------------------------------------------

_SUFFIXES = {"_score": True, "_error": False, "_loss": False}
# The method of an estimator whose result is passed to a parameter with this name.
_METHODS_FOR = {
    "y_score": "predict_proba",
    "y_scores": "predict_proba",
    "y_proba": "predict_proba",
    "y_prob": "predict_proba",
    "pred_decision": "decision_function",
}


@dataclass(frozen=True)
class WrappedFunction:
    """A function of a user or another package, multiplied by a sign: -1 for negated losses."""

    name: str
    function: Callable[..., Any]
    sign: int = 1

    def __call__(self, *arguments: Any, **options: Any) -> float:
        """Return the value as a float."""
        value = self.function(*arguments, **options)
        try:
            return self.sign * float(value)
        except (TypeError, ValueError):
            title = title_of(self.function)
            raise ValueError(f"{title} must return a number, got {checks.shown(value)}.") from None


@dataclass(frozen=True)
class ScorerOnEvidence:
    """A scorer, called with an estimator whose responses come from the evidence."""

    scorer: WrappedFunction

    def __call__(self, evidence: OrdinalForecasts | OrdinalScores) -> Values:
        """Return the value for each set of weights."""
        stack = evidence.weights.shape[:-1]
        with warnings.catch_warnings():
            if stack:
                # The caller counts the undefined values of a stack, such as resamples.
                warnings.simplefilter("ignore")
            values = [
                self._value(evidence, weights)
                for weights in evidence.weights.reshape(-1, evidence.n_samples)
            ]
        return np.array(values, dtype=np.float64).reshape(stack)

    def _value(
        self, evidence: OrdinalForecasts | OrdinalScores, weights: NDArray[np.float64]
    ) -> float:
        labels, y_true = evidence.labels, evidence.labels[evidence.y_true]
        estimator: Any = _EstimatorOfScores()
        responses: NDArray[np.float64]
        if isinstance(evidence, OrdinalForecasts):
            # A scorer of scikit-learn expects columns in the order of the sorted classes.
            order = np.argsort(labels)
            estimator, responses = _Forecaster(labels[order]), evidence.y_proba[:, order]
        else:
            responses = evidence.y_score
        if evidence.is_weighted or (weights % 1).any():
            return self.scorer(estimator, responses, y_true, sample_weight=weights)
        # Samples are repeated, since not all scorers take weights.
        rows = np.repeat(np.arange(len(y_true)), weights.astype(np.intp))
        if not len(rows):
            return math.nan
        return self.scorer(estimator, responses[rows], y_true[rows])


class _Forecaster(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose features are its probabilities."""

    def __init__(self, classes_: NDArray[Any]) -> None:
        self.classes_ = classes_

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of the classes."""
        return X


class _EstimatorOfScores(BaseEstimator):  # type: ignore[misc]
    """An estimator whose features are its decision values."""

    def decision_function(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores."""
        return X


def _wrapped_in_scorer(metric: OrdinalMetric, scorer: Any, sign: int) -> OrdinalMetric:
    """Return a metric of probabilities or scores, evaluated by a scorer with its own labels."""
    wrapped = WrappedFunction(metric.name, scorer, sign)
    return replace(metric, statistic=ScorerOnEvidence(wrapped), function=scorer, scorer=wrapped)


def _wrapped_on_rows(metric: OrdinalMetric, function: Callable[..., Any]) -> OrdinalMetric:
    """Return a metric of predicted classes, evaluated by a function with its own labels."""
    wrapped = WrappedFunction(metric.name, function)
    return replace(metric, statistic=wrapped, function=function, evidence=evidence_kinds.ROWS)


def is_wrapped(metric: OrdinalMetric) -> bool:
    """Return whether a metric calls a function of a user or another package directly."""
    return isinstance(metric.statistic, (WrappedFunction, ScorerOnEvidence))


def _is_scorer(scorer: Any) -> bool:
    """Return whether an object was created by `make_scorer`."""
    return hasattr(scorer, "_score_func") and hasattr(scorer, "_sign")


def _is_same_scorer(a: Any, b: Any) -> bool:
    """Return whether two scorers compute the same score."""
    attributes = ("_score_func", "_sign", "_kwargs", "_response_method")
    return all(getattr(a, name, None) == getattr(b, name, None) for name in attributes)


def _wrapped_scorer(scorer: Any) -> OrdinalMetric:
    """Wrap a scorer created by `make_scorer`, or its metric if it uses predicted labels."""
    function, options = scorer._score_func, dict(scorer._kwargs)
    methods = getattr(scorer, "_response_method", "predict")
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    bound = partial(function, **options) if options else function
    name, greater_is_better = name_of(bound), scorer._sign > 0
    if methods == ("predict",):
        statistic = WrappedFunction(name, bound)
        return OrdinalMetric(
            name, statistic, bound, greater_is_better, evidence=evidence_kinds.ROWS
        )
    wrapped = WrappedFunction(name, scorer, int(np.sign(scorer._sign)))
    if "predict_proba" not in methods:
        return _estimator_metric(wrapped, greater_is_better)
    return OrdinalMetric(
        name,
        ScorerOnEvidence(wrapped),
        scorer,
        greater_is_better,
        evidence=evidence_kinds.PROBABILITIES,
        scorer=wrapped,
    )


def _estimator_metric(wrapped: WrappedFunction, greater_is_better: bool) -> OrdinalMetric:
    """Return a metric of a function that is called with the fitted estimator."""
    return OrdinalMetric(
        wrapped.name,
        wrapped,
        wrapped.function,
        greater_is_better,
        evidence=evidence_kinds.ESTIMATOR,
        scorer=wrapped,
    )


def _wrapped_function(function: Callable[..., Any]) -> OrdinalMetric:
    """Wrap a function of a user or of another package."""
    required = _required_parameters(function)
    _refuse_probability_functions(function, required)
    if required[:1] == ["X"] or (len(required) == 3 and "y_pred" in required):
        raise ValueError(
            f"metric must be a function of (y_true, y_pred) or (estimator, X, y), "
            f"{title_of(function)} takes ({', '.join(required)}): bind the others with "
            f"functools.partial."
        )
    if len(required) not in (2, 3):
        raise ValueError(
            f"metric must have two required parameters (y_true, y_pred) or three (estimator, X, "
            f"y), {title_of(function)} has {len(required)}: {', '.join(required) or 'none'}."
        )
    is_of_labels = len(required) == 2 and required[0] != "estimator"
    greater_is_better = _direction(function, can_be_scorer=is_of_labels)
    name, sign = name_of(function), 1
    if name.startswith("neg_") and not greater_is_better:
        # As in scikit-learn, the prefix means a negated loss.
        name, sign = name.removeprefix("neg_"), -1
    wrapped = WrappedFunction(name, function, sign)
    if is_of_labels:
        return OrdinalMetric(
            name, wrapped, function, greater_is_better, evidence=evidence_kinds.ROWS
        )
    return _estimator_metric(wrapped, greater_is_better)


def _required_parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the positional parameters without a default."""
    _refuse_unknown_options(function)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise ValueError(
            f"metric must show its parameters, which {title_of(function)} does not: wrap it in a "
            f"function of (y_true, y_pred)."
        ) from None
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    required = [p for p in parameters if p.default is p.empty and p.kind not in variable]
    keywords = [p.name for p in required if p.kind is inspect.Parameter.KEYWORD_ONLY]
    if keywords:
        raise ValueError(
            f"metric must have no required option, {title_of(function)} has {', '.join(keywords)}: "
            f"bind it with functools.partial."
        )
    return [p.name for p in required]


def _refuse_unknown_options(function: Any) -> None:
    if not isinstance(function, partial):
        return
    try:
        parameters = inspect.signature(function.func).parameters
    except (TypeError, ValueError):
        return
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    unknown = sorted(function.keywords.keys() - parameters.keys())
    if unknown and not takes_any:
        raise ValueError(
            f"{title_of(function)} has no option {', '.join(unknown)}: "
            f"its parameters are {', '.join(parameters)}."
        )


def _refuse_probability_functions(function: Any, required: list[str]) -> None:
    """Raise for functions, such as scikit-learn's ``log_loss``, that do not take labels."""
    function = function.func if isinstance(function, partial) else function
    # Functions made by exec may have None as their module.
    if (getattr(function, "__module__", None) or "").startswith("sklearn."):
        for name in sklearn_metrics.get_scorer_names():
            scorer = sklearn_metrics.get_scorer(name)
            if (
                getattr(scorer, "_score_func", None) is function
                and scorer._response_method != "predict"
            ):
                raise ValueError(
                    f"{title_of(function)} takes probabilities, not labels: pass the name of its "
                    f"scorer, {name!r}."
                )
    if len(required) == 2 and required[1] in _METHODS_FOR:
        direction = "" if _direction(function) else "greater_is_better=False, "
        raise ValueError(
            f"{title_of(function)} takes {required[1]}, not labels: pass make_scorer("
            f"{title_of(function)}, {direction}response_method={_METHODS_FOR[required[1]]!r})."
        )


def _direction(function: Any, *, can_be_scorer: bool = True) -> bool:
    title = title_of(function)
    for suffix, greater_is_better in _SUFFIXES.items():
        if title.endswith(suffix):
            return greater_is_better
    scorer = f"pass make_scorer({title}, greater_is_better=...), or " if can_be_scorer else ""
    raise ValueError(
        f"metric must show whether higher is better, but {title} does not: {scorer}give it a "
        f"name that ends in _score, _error or _loss."
    )


def title_of(function: Any) -> str:
    """Return the name of a function without its options."""
    function = function.func if isinstance(function, partial) else function
    return str(getattr(function, "__name__", type(function).__name__))


def name_of(function: Any) -> str:
    """Return the metric name of a function, including its options."""
    name = title_of(function).removesuffix("_score")
    if not isinstance(function, partial) or not (function.args or function.keywords):
        return name
    arguments = [*map(checks.shown, function.args), options_as_text(function.keywords)]
    return f"{name}({', '.join(filter(None, arguments))})"


def options_as_text(options: Mapping[str, Any]) -> str:
    """Format options as in a function call."""
    values = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in options.items()}
    return ", ".join(f"{name}={checks.shown(value)}" for name, value in values.items())


# Look up metrics by their name, function, partial or scorer
# ----------------------------------------------------------

MetricLike: TypeAlias = str | Callable[..., Any]
SeveralMetrics: TypeAlias = Iterable[MetricLike] | Mapping[str, MetricLike]
MetricsLike: TypeAlias = MetricLike | SeveralMetrics
"""A metric, several metrics, or several metrics under names that the caller gives them."""


def get_metric(metric: Any) -> OrdinalMetric:
    """Get a metric by its name, its function, or its scorer.

    Every argument named ``metric``, ``metrics`` or ``scoring`` accepts the same values.
    Arguments that take several metrics also accept a dict ``{name: metric}``, whose names
    are shown and are the keys of the results, and "all", which stands for all metrics of
    this package that can be computed from the given predictions: predicted classes,
    probabilities or scores.

    Parameters
    ----------
    metric : str, callable or OrdinalMetric
        The name of a metric or scorer, with or without ``neg_``; a name with options, as reports
        show it, such as "sensitivity(at=1)"; a metric function, or a
        `functools.partial` that sets its options. Names and objects of scikit-learn's
        scorers are accepted too, and so is any function. A function with three required
        parameters is a scorer ``f(estimator, X, y)``; a function with two is a metric
        ``f(y_true, y_pred)`` of the labels as they were passed. The direction is the sign of
        the scorer or follows from the end of the name: higher is better for ``_score``,
        lower for ``_error`` and ``_loss``.

    Returns
    -------
    OrdinalMetric
        The metric.

    Raises
    ------
    ValueError
        If there is no such metric, an option is unknown or invalid, or the direction of a
        function is unknown.

    See Also
    --------
    get_metric_names : The names of all metrics.
    make_ordinal_scorer : The scorer of a metric.

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
        is_label = isinstance(metric, (Number, np.generic))
        names = "sklearn_ordinal.get_metric_names() lists the names"
        way_out = "check the order of the arguments" if is_label else names
        raise ValueError(
            f"metric must be a name or a callable, got {checks.shown(metric)}: {way_out}."
        )
    if _is_scorer(metric):
        return _metric_from_scorer(metric)
    function, options = metric, {}
    if isinstance(metric, partial) and not metric.args:
        function, options = metric.func, dict(metric.keywords)
    entry = _catalogued(function, options)
    if entry is None and catalogue.origin_of(function).startswith("sklearn_ordinal."):
        raise ValueError(
            f"metric must return the value of one metric, which {title_of(function)} does not: "
            f"sklearn_ordinal.get_metric_names() lists the metrics."
        )
    return entry or _wrapped_function(metric)


def get_metric_names() -> list[str]:
    """Get the names of all metrics of this package.

    Returns
    -------
    list of str
        Names, sorted.

    See Also
    --------
    get_metric : Get the metric with a given name.
    make_ordinal_scorer : The scorer of a metric.

    Examples
    --------
    >>> from sklearn_ordinal import get_metric_names
    >>> get_metric_names()[:3]
    ['accuracy', 'balanced_accuracy', 'brennan_prediger']
    """
    return sorted(catalogue.METRICS)


def is_several(metric: Any) -> bool:
    """Return whether an argument contains several metrics rather than being one."""
    if isinstance(metric, (str, bytes)) or callable(metric):
        return False
    if isinstance(metric, np.ndarray):
        return metric.ndim > 0
    return isinstance(metric, Iterable)


def get_metrics(
    metrics: Any,
    *,
    argument: str = "metric",
    kinds: Iterable[Kind] = (evidence_kinds.LABELS,),
    with_direction: bool = False,
) -> list[OrdinalMetric]:
    """Return the metrics as a list; "all" means the metrics of the package for these kinds.

    A mapping gives the metrics their names. `argument` is the name of the argument in
    errors. If metrics must have a direction, "all" leaves out metrics that have none.
    """
    kinds = tuple(kinds)
    if isinstance(metrics, str) and metrics == "all":
        candidates = (catalogue.metric_for(metric, kinds) for metric in catalogue.METRICS.values())
        return [
            metric
            for metric in candidates
            if metric.evidence in kinds
            and not (with_direction and metric.greater_is_better is None)
        ]
    if isinstance(metrics, Set):
        raise ValueError(
            f"{argument} must be a metric or a list of them, in order, got a "
            f"{type(metrics).__name__}."
        )
    criteria = metrics.values() if isinstance(metrics, Mapping) else metrics
    if not is_several(criteria):
        criteria = [criteria]
    try:
        resolved = [catalogue.metric_for(get_metric(criterion), kinds) for criterion in criteria]
    except ValueError as error:
        text = str(error) if argument == "metric" else f"{argument}: {error}"
        raise ValueError(text) from None
    if isinstance(metrics, Mapping):
        resolved = [
            _renamed(metric, name, argument) for name, metric in zip(metrics, resolved, strict=True)
        ]
    names = [metric.name for metric in resolved]
    twice = checks.repeated(names)
    if twice and len({metric for metric in resolved if metric.name == twice[0]}) > 1:
        raise ValueError(
            f"{argument} has different metrics named {checks.shown(twice[0])}: pass a dict that "
            "gives each a name of its own."
        )
    if not names or twice:
        found_names = f"{checks.shown(twice[0])} more than once" if twice else "none"
        raise ValueError(
            f"{argument} must name at least one metric, and each once, got {found_names}."
        )
    if with_direction:
        for metric in resolved:
            catalogue.check_has_direction(metric, argument)
    return resolved


def _renamed(metric: OrdinalMetric, name: Any, argument: str) -> OrdinalMetric:
    """Return a metric with the name that the caller gives it."""
    # Names of losses have no prefix, because the values are not negated.
    prefix = "neg_" if metric.greater_is_better is False else ""
    if not isinstance(name, str) or not name.removeprefix(prefix).strip():
        raise ValueError(
            f"{argument} must have non-blank strings as keys, got {checks.shown(name)}."
        )
    name = name.removeprefix(prefix)
    if name == metric.name:
        return metric
    namesake = next(
        (entry for entry in catalogue.METRICS.values() if name in catalogue.names_of(entry)), metric
    )
    if namesake != metric:
        raise ValueError(
            f"{argument} must not name {metric.name} {checks.shown(name)}, which is another "
            "metric: choose another name."
        )
    return replace(metric, name=name, original_name=metric.original_name or metric.name)


def _named(name: str) -> OrdinalMetric:
    if name in catalogue.METRICS:
        return catalogue.METRICS[name]
    for metric in catalogue.METRICS.values():
        if name in catalogue.names_of(metric):
            return metric
    sklearn_names = sklearn_metrics.get_scorer_names()
    plain = name.removeprefix("neg_")
    if plain in catalogue.TEMPLATES:
        _raise_incomplete_name(plain)
    # scikit-learn 1.5 has losses without ``neg_`` among its names.
    for scorer_name in (name, f"neg_{name}", plain):
        if scorer_name in sklearn_names:
            wrapped = _wrapped_scorer(sklearn_metrics.get_scorer(scorer_name))
            if scorer_name == name or not wrapped.greater_is_better:
                return replace(wrapped, name=scorer_name.removeprefix("neg_"))
    with_options = _with_options_in_name(name)
    if with_options is not None:
        return with_options
    scorers = (metric.scorer_name for metric in catalogue.METRICS.values())
    ours = [
        *catalogue.METRICS,
        *(scorer for scorer in scorers if scorer is not None),
        *catalogue.TEMPLATES,
    ]
    without_options = name.partition("(")[0]
    hint = checks.nearest_name(without_options, ours) or checks.nearest_name(
        without_options, sklearn_names
    )
    did_you_mean = f"did you mean {hint!r}? See" if hint else "see"
    raise ValueError(
        f"metric must be a known name, got {checks.shown(name)}: {did_you_mean} get_metric_names()."
    )


def _catalogued(function: Any, options: Mapping[str, Any]) -> OrdinalMetric | None:
    """Return the metric of a function with options, None if it is not in the catalogue."""
    entries = [
        metric for metric in known_metrics() if function in (metric.function, statistic_of(metric))
    ]
    if not entries:
        return None
    entries += _entries_on_other_evidence(entries[0])
    if options.get("labels") is not None:
        return _with_labels(function, options)
    parameters = inspect.signature(function).parameters
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    values = {**defaults, **options}
    # An option that tells several metrics of one function apart, and has no default.
    unset = [name for name in entries[0].options if values.get(name) is inspect.Parameter.empty]
    if unset:
        _raise_incomplete(function, unset)
    fitting = [
        metric
        for metric in entries
        if all(_is_same(values.get(name), value) for name, value in metric.options.items())
    ]
    for name in entries[0].options:
        if not fitting and defaults.get(name) is inspect.Parameter.empty:
            known = [metric.options[name] for metric in entries]
            raise ValueError(
                f"{name} must be one of {known} in a partial of {title_of(function)}, got "
                f"{checks.shown(values[name])}: pass other metrics by their names."
            )
    base = max(fitting, key=lambda metric: len(metric.options), default=entries[0])
    expected = {**defaults, **base.options}
    extra = {k: v for k, v in options.items() if k not in expected or not _is_same(v, expected[k])}
    if base in fitting and not extra:
        _check_complete(base)
        return catalogue.METRICS.get(base.name, base)
    if base.is_sklearns:
        return None
    _check_options(function, base, defaults, options)
    _check_complete(replace(base, options={**base.options, **extra}))
    name = base.name if base in fitting else title_of(function).removesuffix("_score")
    return _with_options(base, {**base.options, **extra}, f"{name}({options_as_text(extra)})")


def _entries_on_other_evidence(entry: OrdinalMetric) -> list[OrdinalMetric]:
    """Return metrics of other functions whose statistic of other evidence is that of an entry.

    They are the options of the entry's function that have a name, and a function, of their own.
    """
    return [
        replace(
            catalogue.metric_for(metric, [kind]),
            function=entry.function,
            options=dict(statistic.keywords),
            check=entry.check,
        )
        for metric in catalogue.METRICS.values()
        for kind, statistic in metric.statistics.items()
        if isinstance(statistic, partial) and statistic.func is statistic_of(entry)
    ]


def known_metrics() -> list[OrdinalMetric]:
    """Return the metrics in the catalogue, followed by the metrics with required options."""
    return [*catalogue.METRICS.values(), *catalogue.TEMPLATES.values()]


def _check_complete(metric: OrdinalMetric) -> None:
    missing = catalogue.missing_options(metric)
    if missing:
        _raise_incomplete(metric.function, missing, metric.options)


def _raise_incomplete_name(name: str) -> NoReturn:
    template = catalogue.TEMPLATES[name]
    missing = catalogue.missing_options(template)
    # A cost matrix does not fit into a name.
    if not template.options:
        _raise_incomplete(template.function, missing)
    options = ", ".join(f"{option}=..." for option in missing)
    raise ValueError(f"{name} needs {', '.join(missing)}: pass '{name}({options})'.")


def _raise_incomplete(
    function: Any, missing: Sequence[str], given: Mapping[str, Any] | None = None
) -> NoReturn:
    title = title_of(function)
    options = [options_as_text(given)] if given else []
    options += [f"{name}=..." for name in missing]
    raise ValueError(
        f"{title} needs {', '.join(missing)}: pass "
        f"functools.partial({title}, {', '.join(options)})."
    )


def _with_options_in_name(name: str) -> OrdinalMetric | None:
    """Return the metric with a name that contains options, as reports show it."""
    parts = re.fullmatch(r"(\w+)\((.+)\)", name)
    if parts is None:
        return None
    base, text = parts.groups()
    entries = (
        entry
        for entry in known_metrics()
        if not entry.is_sklearns
        and base in (entry.name, title_of(entry.function).removesuffix("_score"))
    )
    entry = next(entries, None)
    try:
        call = ast.parse(f"metric({text})", mode="eval").body
        keywords = call.keywords if isinstance(call, ast.Call) and not call.args else []
        options = {str(word.arg): ast.literal_eval(word.value) for word in keywords}
    except (SyntaxError, ValueError):
        return None
    if entry is None or entry.function is None or not options:
        return None
    return get_metric(partial(entry.function, **{**entry.options, **options}))


def statistic_of(metric: OrdinalMetric) -> Any:
    """Return the statistic of a metric without its options."""
    statistic = metric.statistic
    return statistic.func if isinstance(statistic, partial) else statistic


def _with_labels(function: Any, options: Mapping[str, Any]) -> OrdinalMetric | None:
    """Return a metric with a fixed order of the classes."""
    scales.as_scale(options["labels"])  # raises if labels are invalid
    metric = _catalogued(function, {k: v for k, v in options.items() if k != "labels"})
    if metric is None:
        return None
    if metric.evidence is not evidence_kinds.LABELS:
        raise ValueError(
            f"labels is not an option of {metric.name}: pass it where the predictions are passed."
        )
    return _wrapped_on_rows(metric, partial(function, **options))


def _is_same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if not np.isscalar(a) or not np.isscalar(b) or isinstance(a, bool) != isinstance(b, bool):
        return False
    return bool(a == b) or (a != a and b != b)


def _check_options(
    function: Any, base: OrdinalMetric, defaults: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """Raise unless a function or a statistic has these options and accepts their values."""
    is_statistic = function is not base.function
    data = {"y_true", "y_pred", "y_proba", "y_score", "ratings", "labels", "sample_weight"}
    if is_statistic:
        data = {next(iter(defaults))}
    if "unanswered" in options:
        raise ValueError(
            "unanswered is not an option of a metric: pass it where the predictions are passed."
        )
    option_names = sorted(defaults.keys() - data - {"unanswered"})
    refused = sorted(options.keys() - set(option_names))
    if refused:
        raise ValueError(
            f"{title_of(function)} has no option {', '.join(refused)}: "
            f"its options are {', '.join(option_names) or 'none'}."
        )
    if "replace_undefined_by" in options:
        checks.check_number("replace_undefined_by", options["replace_undefined_by"])
    catalogue.check_option_values(base.check, options)


def _with_options(base: OrdinalMetric, options: dict[str, Any], name: str) -> OrdinalMetric:
    # Arrays and lists that the caller changes later must not change the metric.
    options = deepcopy(options)
    computed = {k: v for k, v in options.items() if k != "replace_undefined_by"}
    statistic = partial(statistic_of(base), **computed)
    statistics = {kind: partial(other, **computed) for kind, other in base.statistics.items()}
    return replace(base, name=name, statistic=statistic, statistics=statistics, options=options)


def _metric_from_scorer(scorer: Any) -> OrdinalMetric:
    """Return the metric of a scorer: from the catalogue, from scikit-learn, or wrapped."""
    function = scorer._score_func
    metric = getattr(function, "metric", None)
    if isinstance(metric, OrdinalMetric) and function.multioutput is None:
        if function.scale is None:
            return metric
        if metric.evidence is evidence_kinds.LABELS:
            return _wrapped_on_rows(metric, function)
        return _wrapped_in_scorer(metric, scorer, 1 if metric.greater_is_better else -1)
    for name in sklearn_metrics.get_scorer_names():
        if _is_same_scorer(scorer, sklearn_metrics.get_scorer(name)):
            return _named(name)
    wrapped = _wrapped_scorer(scorer)
    if not wrapped.evidence.reads_labels:
        return wrapped
    entry = _catalogued(function, dict(scorer._kwargs))
    if entry is None or entry.greater_is_better != wrapped.greater_is_better:
        return wrapped
    return entry


# Mappings from names and from metrics to values, which print a line for each value
# ---------------------------------------------------------------------------------


class ByName(dict[Any, Any]):
    """Values by name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __str__(self) -> str:
        """Return a line for each value, as for printing it alone."""
        return "\n".join(_lines(self))


class ByMetric(ByName):
    """Values by metric name, with lookup by anything that `get_metric` accepts."""

    def __missing__(self, metric: Any) -> Any:
        try:
            return self[self.name_of(metric)]
        except ValueError as error:
            raise KeyError(str(error)) from None

    def __contains__(self, metric: Any) -> bool:
        try:
            self.name_of(metric)
        except ValueError:
            return False
        return True

    def get(self, metric: Any, default: Any = None) -> Any:
        """Return the values of a metric, or the default."""
        try:
            return self[metric]
        except KeyError:
            return default

    def name_of(self, metric: Any, argument: str = "metric") -> str:
        """Return the key of a metric; `argument` is the name of the argument in errors."""
        names = self.keys()
        if isinstance(metric, str) and metric in names:
            return metric
        try:
            name = get_metric(metric).name
        except ValueError:
            # Only this mapping knows the name of a user's criterion.
            name = metric.removeprefix("neg_") if isinstance(metric, str) else ""
            name = "" if name in catalogue.METRICS else name
        if name not in names:
            first_names = list(names)[:5]
            more = ", ..." if len(names) > len(first_names) else ""
            raise ValueError(
                f"{argument} must be among [{', '.join(map(checks.shown, first_names))}{more}], "
                f"got {checks.shown(metric)}."
            )
        return name


def _lines(values: Mapping[Any, Any], start: str = "") -> Iterator[str]:
    """Yield a line for each value, which starts with its name or its names in nested mappings."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _lines(value, f"{start}{name}, ")
        else:
            yield f"{start}{name}: {value}"
