"""Criteria of scikit-learn and of users, wrapped as metrics.

Criteria that are not functions of counts are evaluated on rows of labels or on the fitted
estimator.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sklearn_metrics
from sklearn.base import BaseEstimator, ClassifierMixin

from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._counting import Values
from sklearn_ordinal._core._forecasts import OrdinalForecasts
from sklearn_ordinal._core._kinds import ESTIMATOR, PROBABILITIES, ROWS
from sklearn_ordinal._core._metric import OrdinalMetric
from sklearn_ordinal._core._scores import OrdinalScores

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
            raise ValueError(f"{title} must return a number, got {shown(value)}.") from None


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


def wrapped_in_scorer(metric: OrdinalMetric, scorer: Any, sign: int) -> OrdinalMetric:
    """Return a metric of probabilities or scores, evaluated by a scorer with its own labels."""
    wrapped = WrappedFunction(metric.name, scorer, sign)
    return replace(metric, statistic=ScorerOnEvidence(wrapped), function=scorer, scorer=wrapped)


def wrapped_on_rows(metric: OrdinalMetric, function: Callable[..., Any]) -> OrdinalMetric:
    """Return a metric of predicted classes, evaluated by a function with its own labels."""
    wrapped = WrappedFunction(metric.name, function)
    return replace(metric, statistic=wrapped, function=function, evidence=ROWS)


def is_wrapped(metric: OrdinalMetric) -> bool:
    """Return whether a metric calls a function of a user or another package directly."""
    return isinstance(metric.statistic, (WrappedFunction, ScorerOnEvidence))


def is_scorer(scorer: Any) -> bool:
    """Return whether an object was created by `make_scorer`."""
    return hasattr(scorer, "_score_func") and hasattr(scorer, "_sign")


def is_same_scorer(a: Any, b: Any) -> bool:
    """Return whether two scorers compute the same score."""
    attributes = ("_score_func", "_sign", "_kwargs", "_response_method")
    return all(getattr(a, name, None) == getattr(b, name, None) for name in attributes)


def wrapped_scorer(scorer: Any) -> OrdinalMetric:
    """Wrap a scorer created by `make_scorer`, or its metric if it uses predicted labels."""
    function, options = scorer._score_func, dict(scorer._kwargs)
    methods = getattr(scorer, "_response_method", "predict")
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    bound = partial(function, **options) if options else function
    name, greater_is_better = name_of(bound), scorer._sign > 0
    if methods == ("predict",):
        statistic = WrappedFunction(name, bound)
        return OrdinalMetric(name, statistic, bound, greater_is_better, evidence=ROWS)
    wrapped = WrappedFunction(name, scorer, int(np.sign(scorer._sign)))
    if "predict_proba" not in methods:
        return _estimator_metric(wrapped, greater_is_better)
    return OrdinalMetric(
        name,
        ScorerOnEvidence(wrapped),
        scorer,
        greater_is_better,
        evidence=PROBABILITIES,
        scorer=wrapped,
    )


def _estimator_metric(wrapped: WrappedFunction, greater_is_better: bool) -> OrdinalMetric:
    """Return a metric of a function that is called with the fitted estimator."""
    return OrdinalMetric(
        wrapped.name,
        wrapped,
        wrapped.function,
        greater_is_better,
        evidence=ESTIMATOR,
        scorer=wrapped,
    )


def wrapped_function(function: Callable[..., Any]) -> OrdinalMetric:
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
        return OrdinalMetric(name, wrapped, function, greater_is_better, evidence=ROWS)
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
    arguments = [*map(shown, function.args), options_as_text(function.keywords)]
    return f"{name}({', '.join(filter(None, arguments))})"


def options_as_text(options: Mapping[str, Any]) -> str:
    """Format options as in a function call."""
    values = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in options.items()}
    return ", ".join(f"{name}={shown(value)}" for name, value in values.items())
