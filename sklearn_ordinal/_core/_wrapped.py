"""Criteria of scikit-learn and of users, wrapped as metrics.

Criteria that are not functions of counts are evaluated on rows of labels or on the fitted
estimator.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as sklearn_metrics
from sklearn.base import BaseEstimator, ClassifierMixin

from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._confusion import OrdinalConfusion
from sklearn_ordinal._core._counting import Counts, Values
from sklearn_ordinal._core._evaluate import Evidence
from sklearn_ordinal._core._forecasts import OrdinalForecasts
from sklearn_ordinal._core._metric import OrdinalMetric, origin_of

_SUFFIXES = {"_score": True, "_error": False, "_loss": False}
# The method whose results are passed to parameters of these names.
_METHODS_FOR = {
    "y_score": "predict_proba",
    "y_scores": "predict_proba",
    "y_proba": "predict_proba",
    "y_prob": "predict_proba",
    "pred_decision": "decision_function",
}
# Functions of samples get a row for each of them.
_MOST_ROWS = 10**8


@dataclass(frozen=True, repr=False, eq=False)
class RowMetric(OrdinalMetric):
    """A criterion ``f(y_true, y_pred)`` that is not from the catalogue, evaluated on rows.

    The value is that of `function` times `sign`. The rows of a confusion matrix are the
    labels of each cell, repeated as often as the cell counts.
    """

    sign: int = 1

    @property
    def counts_unanswered(self) -> bool:
        """Whether samples without a prediction count as errors, else they are left out."""
        is_ours = origin_of(self.function).startswith("sklearn_ordinal.")
        return is_ours and "unanswered" in inspect.signature(self.function).parameters  # type: ignore[arg-type]

    def of_rows(
        self, y_true: Any, y_pred: Any, sample_weight: ArrayLike | None = None, **options: Any
    ) -> float:
        """Return the value for labels as they were passed."""
        assert self.function is not None
        if sample_weight is None:
            return self.sign * _as_float(self.name, self.function(y_true, y_pred, **options))
        if not self.takes_sample_weight:
            raise ValueError(
                f"{self.name} takes no sample_weight, so it cannot be evaluated with weights: "
                f"leave sample_weight out, or use another metric."
            )
        value = self.function(y_true, y_pred, sample_weight=sample_weight, **options)
        return self.sign * _as_float(self.name, value)

    @property
    def takes_sample_weight(self) -> bool:
        """Whether the function takes weights."""
        assert self.function is not None
        return "sample_weight" in inspect.signature(self.function).parameters

    def from_predictions(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Any = None,  # noqa: ARG002 - the criterion takes labels as they are
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the value for labels, which need no order."""
        return self.of_rows(y_true, y_pred, sample_weight)

    def _values(self, evidence: Any) -> Values:
        confusion: OrdinalConfusion = evidence
        counts, stack = confusion.counts, confusion.counts.shape[:-2]
        if confusion.unanswered is not None and self.counts_unanswered:
            # They are passed as predictions of an additional class.
            counts = np.concatenate([counts, confusion.unanswered[..., None]], axis=-1)
        matrices = counts.reshape(-1, *counts.shape[-2:])
        with warnings.catch_warnings():
            if stack:
                # The caller counts the undefined values of a stack, such as resamples.
                warnings.simplefilter("ignore")
            values = [self._of_matrix(counts, confusion) for counts in matrices]
        return np.array(values, dtype=np.float64).reshape(stack)

    def _of_matrix(self, counts: Counts, confusion: OrdinalConfusion) -> float:
        true, pred = np.nonzero(counts)
        if not len(true):
            return math.nan
        predicted, options = confusion.labels, {}
        if counts.shape[0] < counts.shape[1]:
            predicted, options = np.array([*predicted, None]), {"unanswered": "count"}
        sizes = counts[true, pred]
        # Unweighted counts that are not integers are means over repetitions.
        if confusion.is_weighted or (sizes % 1).any():
            return self.of_rows(confusion.labels[true], predicted[pred], sizes, **options)
        sizes = np.rint(sizes).astype(np.int64)
        if sizes.sum() > _MOST_ROWS:
            raise ValueError(
                f"{self.name} is a function of samples, and counts add up to {sizes.sum():,}, more "
                f"than {_MOST_ROWS:,}: pass counts as floats if it takes sample_weight."
            )
        true, pred = np.repeat(true, sizes), np.repeat(pred, sizes)
        return self.of_rows(confusion.labels[true], predicted[pred], **options)


@dataclass(frozen=True, repr=False, eq=False)
class EstimatorMetric(OrdinalMetric):
    """A criterion ``f(estimator, X, y)`` that is not from the catalogue.

    The value is that of the scorer `function` times `sign`.
    """

    sign: int = 1

    def of_estimator(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the value of a fitted estimator."""
        assert self.function is not None
        return self.sign * _as_float(self.name, self.function(estimator, X, y))

    def of_forecasts(self, forecasts: OrdinalForecasts) -> float:
        """Return the value of probabilities with one weight for each sample."""
        assert self.function is not None
        # A scorer of scikit-learn expects columns in the order of the sorted classes.
        order = np.argsort(forecasts.labels)
        estimator = _Forecaster(forecasts.labels[order])
        weights = {"sample_weight": forecasts.weights} if forecasts.is_weighted else {}
        y_true, y_proba = forecasts.labels[forecasts.y_true], forecasts.y_proba[:, order]
        return self.sign * _as_float(
            self.name, self.function(estimator, y_proba, y_true, **weights)
        )

    def from_predictions(
        self,
        y_true: ArrayLike,  # noqa: ARG002 - refused, whatever the predictions are
        y_pred: ArrayLike,  # noqa: ARG002
        *,
        labels: Any = None,  # noqa: ARG002
        sample_weight: ArrayLike | None = None,  # noqa: ARG002
    ) -> float:
        """Raise, since predictions do not suffice."""
        raise ValueError(self.refusal)

    def _checked(self, _: Evidence) -> Evidence:
        raise ValueError(self.refusal)

    @property
    def refusal(self) -> str:
        """Why the criterion cannot be evaluated on predictions alone."""
        what = "probabilities of " if self.evidence == "probabilities" else ""
        return (
            f"{self.name} needs {what}the fitted estimator, not predictions: use "
            f"OrdinalReport.from_estimator, cross_val_report or compare_estimators."
        )


class _Forecaster(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose features are its probabilities."""

    def __init__(self, classes_: NDArray[Any]) -> None:
        self.classes_ = classes_

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of the classes."""
        return X


def _as_float(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must return a number, got {shown(value)}.") from None


def is_scorer(scorer: Any) -> bool:
    """Return whether an object was created by `make_scorer`."""
    return hasattr(scorer, "_score_func") and hasattr(scorer, "_sign")


def is_same_scorer(a: Any, b: Any) -> bool:
    """Return whether two scorers compute the same score."""
    attributes = ("_score_func", "_sign", "_kwargs", "_response_method")
    return all(getattr(a, name, None) == getattr(b, name, None) for name in attributes)


def wrapped_scorer(scorer: Any) -> RowMetric | EstimatorMetric:
    """Wrap a scorer created by `make_scorer`, or its metric if it uses predicted labels."""
    function, options = scorer._score_func, dict(scorer._kwargs)
    methods = getattr(scorer, "_response_method", "predict")
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    bound = partial(function, **options) if options else function
    name, greater_is_better = name_of(bound), scorer._sign > 0
    if methods == ("predict",):
        return RowMetric(name, None, bound, greater_is_better)
    return EstimatorMetric(
        name,
        None,
        scorer,
        greater_is_better,
        evidence="probabilities" if "predict_proba" in methods else "estimator",
        sign=int(np.sign(scorer._sign)),
    )


def wrapped_function(function: Callable[..., Any]) -> RowMetric | EstimatorMetric:
    """Wrap a function of a user or of another package."""
    required = _required_parameters(function)
    _refuse_functions_of_probabilities(function, required)
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
    if is_of_labels:
        return RowMetric(name, None, function, greater_is_better, sign=sign)
    return EstimatorMetric(name, None, function, greater_is_better, evidence="estimator", sign=sign)


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
            f"{title_of(function)} has no option {', '.join(unknown)}; "
            f"its parameters are {', '.join(parameters)}."
        )


def _refuse_functions_of_probabilities(function: Any, required: list[str]) -> None:
    """Raise for functions, such as scikit-learn's ``log_loss``, that do not take labels."""
    function = function.func if isinstance(function, partial) else function
    # Functions made by exec may have the module None.
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
        f"metric must tell whether higher is better, which {title} does not: {scorer}let its name "
        f"end in _score, _error or _loss."
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
