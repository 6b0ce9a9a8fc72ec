"""What a judge or another system says about the items that several raters grade."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import checks, containers, evidence_kinds, grading, scales
from sklearn_ordinal._core.grading import OrdinalRatings

# The squares of larger scores may overflow.
_LARGEST_SCORE = 1e100


def item_weights(ratings: OrdinalRatings) -> NDArray[np.float64]:
    """Return the weight of each item, 1 without weights; raise if it is not known."""
    evidence_kinds.RATINGS.entry_amounts(ratings)
    weight = ratings.sample_weight
    return np.ones(ratings.n_samples) if weight is None else weight


def read_judge(ratings: OrdinalRatings, judge: Any, name: str = "judge") -> NDArray[np.intp]:
    """Return the grade of a judge for each item as a position on the scale, -1 where missing."""
    if isinstance(judge, (str, bytes)) or not hasattr(judge, "__len__"):
        raise ValueError(
            f"{name} must hold a grade for each of the {ratings.n_samples:,} items of ratings, got "
            f"{checks.shown(judge)}: pass a list, an array or a Series."
        )
    if isinstance(judge, Mapping) and np.ndim(next(iter(judge.values()), 0)):
        raise ValueError(
            f"{name} must be a single judge, with a grade for each item, got a dict of arrays: "
            f"pass several judges to compare_judge."
        )
    values = containers.joined_by_item(
        name, judge, ratings.items, ", with None where there is no grade"
    )
    column, is_present = containers.read_present(values, name)
    _check_each_item(name, is_present.shape, ratings)
    positions = np.full(ratings.n_samples, -1, dtype=np.intp)
    if not is_present.any():
        raise ValueError(f"{name} must grade at least one item, but all its grades are missing.")
    positions[is_present] = scales.encode_columns([column], ratings.labels).columns[0]
    return positions


def read_item_scores(
    ratings: OrdinalRatings, scores: Any, name: str = "y_score"
) -> NDArray[np.float64]:
    """Return the score of each item, which must be finite where the item has a grade."""
    values = checks.as_numbers(name, containers.joined_by_item(name, scores, ratings.items)).astype(
        np.float64
    )
    _check_each_item(name, values.shape, ratings)
    is_missing = ~np.isfinite(values) & (ratings.n_grades > 0)
    if np.isnan(values).all():
        raise ValueError(
            f"{name} must have a score for each item with a grade, but all are NaN: "
            f"check how the scores are joined with the items."
        )
    if is_missing.any():
        raise ValueError(
            f"{name} must be finite for each item with a grade, got {values[is_missing][0]} for "
            f"{int(is_missing.sum()):,} of {ratings.n_samples:,} items: drop these items."
        )
    largest = np.nanmax(np.abs(values), initial=0)
    if largest > _LARGEST_SCORE:
        raise ValueError(
            f"{name} must be in the unit of the grades, at most {_LARGEST_SCORE:g} in absolute "
            f"value, got {largest:g}."
        )
    return values


def _check_each_item(name: str, shape: tuple[int, ...], ratings: OrdinalRatings) -> None:
    if shape != (ratings.n_samples,):
        raise ValueError(
            f"{name} must have a value for each of the {ratings.n_samples:,} items of ratings, got "
            f"shape {shape}."
        )


def join_judges(ratings: OrdinalRatings, judges: NDArray[np.intp]) -> OrdinalRatings:
    """Return ratings with the grades of judges as further raters, who are named by number.

    `judges`, of shape (n_items, n_judges), has the position of each grade, -1 where it is missing.
    """
    number, first = grading.number_rows(
        ratings.pattern, len(ratings.patterns), judges, len(ratings.scale) + 1
    )
    patterns = np.concatenate([ratings.patterns[ratings.pattern[first]], judges[first]], axis=1)
    names = tuple(map(str, range(patterns.shape[1])))
    return OrdinalRatings(
        ratings.scale, patterns, number, names, sample_weight=ratings.sample_weight
    )
