"""Searches in a fitted estimator: what they chose, and whether they could choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

_METHODS = ("fit", "predict", "predict_proba", "transform")
_PLAIN = {int, float, bool, str, bytes, type(None)}


def check_searches(fitted: Any) -> None:
    """Raise if all scores of a search in a fitted estimator are NaN.

    scikit-learn warns and takes the first candidate, so the results would not come from a search.
    """
    for part in _parts(fitted):
        if _has_no_score(part):
            name = type(part).__name__
            raise ValueError(
                f"{name} has NaN as the score of every candidate, so there was nothing to choose "
                f"from: see the warnings of its fit, or pass error_score='raise' to it."
            )


def chosen_params(fitted: Any) -> dict[str, str]:
    """Return the parameters that searches in a fitted estimator have chosen, as text.

    The parameters of several searches are numbered, since they may have the same names.
    """
    results = (getattr(part, "best_params_", None) for part in _parts(fitted))
    choices = [result for result in results if isinstance(result, Mapping)]
    return {
        f"{number}. {key}" if len(choices) > 1 else str(key): " ".join(str(value).split())
        for number, choice in enumerate(choices, start=1)
        for key, value in choice.items()
    }


def _has_no_score(estimator: Any) -> bool:
    results = getattr(estimator, "cv_results_", None)
    if isinstance(results, Mapping):
        refit = getattr(estimator, "refit", None)
        names = [f"mean_test_{refit}"] if isinstance(refit, str) else list(results)
        means = [results[n] for n in names if n.startswith("mean_test_") and n in results]
        if means:
            return all(np.isnan(np.asarray(values, dtype=np.float64)).all() for values in means)
    best = getattr(estimator, "best_score_", None)
    return isinstance(best, (float, np.floating)) and bool(np.isnan(best))


def _parts(fitted: Any) -> Iterator[Any]:
    """Yield an estimator and the estimators among its attributes, at any depth."""
    visited: dict[int, Any] = {}
    todo = [fitted]
    while todo:
        part = todo.pop()
        if type(part) in _PLAIN or id(part) in visited:
            continue
        inside: Iterable[Any]
        if isinstance(part, Mapping):
            inside = part.values()
        elif isinstance(part, (list, tuple, set)):
            inside = part
        elif isinstance(part, np.ndarray):
            inside = part.ravel().tolist() if part.dtype == object else ()
        elif not isinstance(part, type) and any(hasattr(part, name) for name in _METHODS):
            yield part
            inside = vars(part).values() if hasattr(part, "__dict__") else ()
        else:
            continue
        # Keep the objects, so that no other object gets the same id.
        visited[id(part)] = part
        todo.extend(inside)
