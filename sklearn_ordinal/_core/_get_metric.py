"""Look up metrics by their name, function, partial or scorer."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import replace
from functools import partial
from numbers import Number
from typing import Any, NoReturn, TypeAlias

import numpy as np
from sklearn import metrics as sklearn_metrics

from sklearn_ordinal._core._catalogue import (
    METRICS,
    TEMPLATES,
    check_option_values,
    missing_options,
)
from sklearn_ordinal._core._checks import check_number, repeated, shown
from sklearn_ordinal._core._kind import Kind
from sklearn_ordinal._core._kinds import LABELS
from sklearn_ordinal._core._metric import (
    OrdinalMetric,
    check_has_direction,
    metric_for,
    names_of,
    origin_of,
)
from sklearn_ordinal._core._near_names import nearest_name
from sklearn_ordinal._core._scale import as_scale
from sklearn_ordinal._core._wrapped import (
    is_same_scorer,
    is_scorer,
    options_as_text,
    title_of,
    wrapped_function,
    wrapped_in_scorer,
    wrapped_on_rows,
    wrapped_scorer,
)

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
        raise ValueError(f"metric must be a name or a callable, got {shown(metric)}: {way_out}.")
    if is_scorer(metric):
        return _metric_from_scorer(metric)
    function, options = metric, {}
    if isinstance(metric, partial) and not metric.args:
        function, options = metric.func, dict(metric.keywords)
    entry = _catalogued(function, options)
    if entry is None and origin_of(function).startswith("sklearn_ordinal."):
        raise ValueError(
            f"metric must return the value of one metric, which {title_of(function)} does not: "
            f"sklearn_ordinal.get_metric_names() lists the metrics."
        )
    return entry or wrapped_function(metric)


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
    return sorted(METRICS)


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
    kinds: Iterable[Kind] = (LABELS,),
    with_direction: bool = False,
) -> list[OrdinalMetric]:
    """Return the metrics as a list; "all" means the metrics of the package for these kinds.

    A mapping gives the metrics their names. `argument` is the name of the argument in
    errors. If metrics must have a direction, "all" leaves out metrics that have none.
    """
    kinds = tuple(kinds)
    if isinstance(metrics, str) and metrics == "all":
        candidates = (metric_for(metric, kinds) for metric in METRICS.values())
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
        resolved = [metric_for(get_metric(criterion), kinds) for criterion in criteria]
    except ValueError as error:
        text = str(error) if argument == "metric" else f"{argument}: {error}"
        raise ValueError(text) from None
    if isinstance(metrics, Mapping):
        resolved = [
            _renamed(metric, name, argument) for name, metric in zip(metrics, resolved, strict=True)
        ]
    names = [metric.name for metric in resolved]
    twice = repeated(names)
    if twice and len({metric for metric in resolved if metric.name == twice[0]}) > 1:
        raise ValueError(
            f"{argument} has different metrics named {shown(twice[0])}: pass a dict that gives "
            f"each a name of its own."
        )
    if not names or twice:
        found_names = f"{shown(twice[0])} more than once" if twice else "none"
        raise ValueError(
            f"{argument} must name at least one metric, and each once, got {found_names}."
        )
    if with_direction:
        for metric in resolved:
            check_has_direction(metric, argument)
    return resolved


def _renamed(metric: OrdinalMetric, name: Any, argument: str) -> OrdinalMetric:
    """Return a metric with the name that the caller gives it."""
    # Names of losses have no prefix, because the values are not negated.
    prefix = "neg_" if metric.greater_is_better is False else ""
    if not isinstance(name, str) or not name.removeprefix(prefix).strip():
        raise ValueError(f"{argument} must have non-blank strings as keys, got {shown(name)}.")
    name = name.removeprefix(prefix)
    namesake = next((entry for entry in METRICS.values() if name in names_of(entry)), metric)
    if name != metric.name and namesake != metric:
        raise ValueError(
            f"{argument} must not name {metric.name} {shown(name)}, which is another metric: "
            f"choose another name."
        )
    return renamed(metric, name)


def renamed(metric: OrdinalMetric, name: str) -> OrdinalMetric:
    """Return a metric with a given name, which also keeps its original name."""
    if name == metric.name:
        return metric
    return replace(metric, name=name, original_name=metric.original_name or metric.name)


def _named(name: str) -> OrdinalMetric:
    if name in METRICS:
        return METRICS[name]
    for metric in METRICS.values():
        if name in names_of(metric):
            return metric
    sklearn_names = sklearn_metrics.get_scorer_names()
    plain = name.removeprefix("neg_")
    if plain in TEMPLATES:
        _raise_incomplete_name(plain)
    # scikit-learn 1.5 has losses without ``neg_`` among its names.
    for scorer_name in (name, f"neg_{name}", plain):
        if scorer_name in sklearn_names:
            wrapped = wrapped_scorer(sklearn_metrics.get_scorer(scorer_name))
            if scorer_name == name or not wrapped.greater_is_better:
                return replace(wrapped, name=scorer_name.removeprefix("neg_"))
    with_options = _with_options_in_name(name)
    if with_options is not None:
        return with_options
    scorers = (metric.scorer_name for metric in METRICS.values())
    ours = [*METRICS, *(scorer for scorer in scorers if scorer is not None), *TEMPLATES]
    without_options = name.partition("(")[0]
    hint = nearest_name(without_options, ours) or nearest_name(without_options, sklearn_names)
    did_you_mean = f"did you mean {hint!r}? See" if hint else "see"
    raise ValueError(
        f"metric must be a known name, got {shown(name)}: {did_you_mean} get_metric_names()."
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
                f"{shown(values[name])}: pass other metrics by their names."
            )
    base = max(fitting, key=lambda metric: len(metric.options), default=entries[0])
    expected = {**defaults, **base.options}
    extra = {k: v for k, v in options.items() if k not in expected or not _is_same(v, expected[k])}
    if base in fitting and not extra:
        _check_complete(base)
        return METRICS.get(base.name, base)
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
            metric_for(metric, [kind]),
            function=entry.function,
            options=dict(statistic.keywords),
            check=entry.check,
        )
        for metric in METRICS.values()
        for kind, statistic in metric.statistics.items()
        if isinstance(statistic, partial) and statistic.func is statistic_of(entry)
    ]


def known_metrics() -> list[OrdinalMetric]:
    """Return the metrics in the catalogue, followed by the metrics with required options."""
    return [*METRICS.values(), *TEMPLATES.values()]


def _check_complete(metric: OrdinalMetric) -> None:
    missing = missing_options(metric)
    if missing:
        _raise_incomplete(metric.function, missing, metric.options)


def _raise_incomplete_name(name: str) -> NoReturn:
    template = TEMPLATES[name]
    missing = missing_options(template)
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
    as_scale(options["labels"])  # raises if labels are invalid
    metric = _catalogued(function, {k: v for k, v in options.items() if k != "labels"})
    if metric is None:
        return None
    if metric.evidence is not LABELS:
        raise ValueError(
            f"labels is not an option of {metric.name}: pass it where the predictions are passed."
        )
    return wrapped_on_rows(metric, partial(function, **options))


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
        check_number("replace_undefined_by", options["replace_undefined_by"])
    check_option_values(base.check, options)


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
        if metric.evidence is LABELS:
            return wrapped_on_rows(metric, function)
        return wrapped_in_scorer(metric, scorer, 1 if metric.greater_is_better else -1)
    for name in sklearn_metrics.get_scorer_names():
        if is_same_scorer(scorer, sklearn_metrics.get_scorer(name)):
            return _named(name)
    wrapped = wrapped_scorer(scorer)
    if not wrapped.evidence.reads_labels:
        return wrapped
    entry = _catalogued(function, dict(scorer._kwargs))
    if entry is None or entry.greater_is_better != wrapped.greater_is_better:
        return wrapped
    return entry
