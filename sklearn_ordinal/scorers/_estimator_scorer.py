"""Scorers that call the estimator.

`make_scorer` does not suffice: its scorers hide the order of the classes, pass one column of
probabilities for two classes, drop ``classes_``, and refuse estimators that are not marked as
classifiers. So this module extends a private class of scikit-learn; `_registration` is the only
other module that uses private parts. Without that class, the scorers are plain callables, which
work alone but share no predictions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.base import is_classifier

try:
    from sklearn.metrics._scorer import _BaseScorer as BaseScorer
except ImportError:

    class BaseScorer:  # type: ignore[no-redef]
        """The base class of scorers for versions of scikit-learn without its private class."""

        def __init__(
            self, score_func: Any, sign: int, kwargs: dict[str, Any], response_method: Any
        ) -> None:
            self._score_func = score_func
            self._sign = sign
            self._kwargs = kwargs
            self._response_method = response_method

        def __call__(self, estimator: Any, X: Any, y_true: Any, **params: Any) -> float:
            score: float = self._score(None, estimator, X, y_true, **params)  # type: ignore[attr-defined]
            return score


class OrdinalScorer(BaseScorer):  # type: ignore[misc]
    """A scorer of the responses of an estimator.

    Parameters
    ----------
    score_function : ScoreFunction
        The metric and the order of the classes.
    """

    def __init__(self, score_function: Any) -> None:
        metric = score_function.metric
        sign, methods = 1 if metric.greater_is_better else -1, metric.evidence.methods
        super().__init__(score_function, sign, {}, methods if len(methods) > 1 else methods[0])

    def __repr__(self) -> str:
        return repr(self._score_func)

    def _score(
        self,
        method_caller: Callable[..., Any] | None,
        estimator: Any,
        X: Any,
        y_true: Any,
        *,
        sample_weight: Any = None,
    ) -> float:
        respond = partial(_response, method_caller, estimator, X)
        value = self._score_func.of_estimator(
            estimator, X, y_true, respond=respond, sample_weight=sample_weight
        )
        # Adding zero turns the -0.0 of a perfect loss into 0.0.
        return float(self._sign * value) + 0.0


def _response(method_caller: Callable[..., Any] | None, estimator: Any, X: Any, method: str) -> Any:
    """Return the response of a method, computed once for scorers evaluated together."""
    if not hasattr(estimator, method):
        # Raise the same error in every version of scikit-learn, also for regressors.
        name = type(estimator).__name__
        raise AttributeError(f"{name} has none of the following attributes: {method}.")
    # `method_caller` is a partial whose first argument is the dict of shared responses. If nothing
    # is shared, `method_caller` is None or this argument is None.
    cache, *_ = getattr(method_caller, "args", None) or [None]
    if method_caller is None or type(cache) is not dict:
        return getattr(estimator, method)(X)
    if method == "predict" or (is_classifier(estimator) and len(estimator.classes_) > 2):
        return method_caller(estimator, method, X)
    # For two classes, scikit-learn returns one column, or values for the class that it chooses.
    key = f"{method} of all classes"
    if key not in cache:
        cache[key] = getattr(estimator, method)(X)
    return cache[key]
