"""Coefficients of the agreement of several raters, as statistics of `OrdinalRatings`.

They are sums over the distinct patterns of grades, so their time does not depend on the number of
items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import (
    OrdinalRatings,
    Values,
    check_choice,
    clip_rounding,
    divide,
    grade_counts,
    shown,
    slices,
    total,
)
from sklearn_ordinal.metrics._weights import (
    Weighting,
    Weights,
    check_agreement_weights,
    check_bound_weights,
    disagreement_matrix,
)

Level = Literal["nominal", "ordinal", "interval"]
Coefficient = Literal[
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
]

LEVEL_WEIGHTS: Mapping[Level, Weighting] = {"nominal": "identity", "interval": "quadratic"}
"""The weights for the levels at which disagreement does not depend on the grades."""

# Tables of pairs of classes are computed in parts of about this size, which stay in the cache.
_ENTRIES_PER_PART = 2**18
# Relative rounding error of sums of cubed ranks.
_ROUNDING = 1e-12


def check_rater_options(coefficient: str, weights: Any, level: Any) -> None:
    """Raise unless a coefficient takes these options, and their values are valid."""
    check_choice("coefficient", coefficient, Coefficient)
    check_choice("level", level, Level, or_none=True)
    if coefficient == "kendall_w" and not (weights is None and level is None):
        name, value = ("level", level) if weights is None else ("weights", weights)
        raise ValueError(
            f"{name} must be left out for kendall_w, which is computed from ranks, got "
            f"{shown(value)}."
        )
    if level is not None and coefficient != "krippendorff_alpha":
        raise ValueError(
            f"level must be left out for {coefficient}, got {level!r}: pass weights= to say how "
            f"far two grades disagree."
        )
    if weights is None:
        return
    if level is not None:
        raise ValueError(
            "level and weights must not be passed together, since both say how far two grades "
            "disagree: leave one out."
        )
    check_agreement_weights(weights)


def check_bound_rater_options(coefficient: str, weights: Any = None, level: Any = None) -> None:
    """Raise unless options that are bound to a metric are valid, also the values of a matrix."""
    check_rater_options(coefficient, weights, level)
    if weights is not None:
        check_bound_weights(weights)


def rater_agreement(
    ratings: OrdinalRatings,
    *,
    coefficient: Coefficient,
    weights: Weights | None = None,
    level: Level | None = None,
) -> Values:
    """Return a coefficient of agreement for weights of the patterns of shape (..., n_patterns)."""
    stack = ratings.weights.shape[:-1]
    weight = ratings.weights.reshape(-1, ratings.weights.shape[-1])
    if coefficient == "krippendorff_alpha":
        values = _krippendorff_alpha(ratings, weight, weights, level or "ordinal")
    elif coefficient == "kendall_w":
        values = _kendall_w(ratings, weight)
    else:
        disagreement = scaled_disagreement(len(ratings.scale), weights)
        observed = _observed_disagreement(ratings, weight, disagreement)
        expected = _EXPECTED[coefficient](ratings, weight, disagreement)
        values = clip_rounding(1 - divide(observed, expected), -np.inf, 1)
    return values.reshape(stack)


def scaled_disagreement(n_classes: int, weights: Weights | None) -> NDArray[np.float64]:
    """Return one minus the weights of agreement, from 0 to 1; None stands for "quadratic"."""
    weights = "quadratic" if weights is None else weights
    disagreement = disagreement_matrix(n_classes, weights)
    return disagreement / disagreement.max() if isinstance(weights, str) else disagreement


class _Patterns(NamedTuple):
    """What the coefficients need to know about the patterns."""

    class_counts: NDArray[np.float64]
    """Number of grades in each class, (n_patterns, n_classes)."""
    n_grades: NDArray[np.float64]
    """Number of grades, (n_patterns,)."""
    is_grade: Any
    """A sparse array (n_patterns, n_raters * n_classes), 1 at the grade of each rater."""


def _patterns(ratings: OrdinalRatings) -> _Patterns:
    patterns, n_classes = ratings.patterns, len(ratings.scale)
    pattern, rater = np.nonzero(patterns >= 0)
    grade, class_counts = patterns[pattern, rater], grade_counts(patterns, n_classes)
    is_grade = csr_array(
        (np.ones(len(grade)), (pattern, rater * n_classes + grade)),
        shape=(len(patterns), patterns.shape[1] * n_classes),
    )
    return _Patterns(class_counts, class_counts.sum(axis=1), is_grade)


def _pairs(ratings: OrdinalRatings, weight: Values) -> Values:
    """Return the weight of the ordered pairs of grades of the same item, (n_stack, K, K).

    `weight`, of shape (n_stack, n_patterns), is that of each pair of a pattern.
    """
    counts, n_classes = ratings.shared(_patterns).class_counts, len(ratings.scale)
    pairs = np.zeros((len(weight), n_classes**2))
    for part in slices(len(counts), _ENTRIES_PER_PART // n_classes**2):
        grades = counts[part]
        of_pattern = grades[:, :, None] * grades[:, None, :]
        # A grade makes no pair with itself.
        np.einsum("pkk->pk", of_pattern)[...] -= grades
        pairs += weight[:, part] @ of_pattern.reshape(len(grades), -1)
    return pairs.reshape(-1, n_classes, n_classes)


def _observed_disagreement(
    ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]
) -> Values:
    """Return the mean over the items with two or more grades of the mean over their pairs."""
    of_pattern, has_pair = _pair_disagreement(ratings.shared(_patterns), disagreement)
    return divide(weight @ of_pattern, weight @ has_pair)


def _pair_disagreement(
    patterns: _Patterns, disagreement: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean disagreement of the pairs of each pattern, and 1 where there is a pair."""
    n_pairs = patterns.n_grades * (patterns.n_grades - 1)
    has_pair = (n_pairs > 0).astype(np.float64)
    return _costs(patterns, disagreement) / np.maximum(n_pairs, 1), has_pair


def _krippendorff_alpha(
    ratings: OrdinalRatings, weight: Values, weights: Weights | None, level: Level
) -> Values:
    n_others = ratings.shared(_patterns).n_grades - 1
    per_grade = np.divide(1, n_others, out=np.zeros_like(n_others), where=n_others > 0)
    # Krippendorff's coincidence matrix, whose margins count the grades that have a pair.
    pairs = _pairs(ratings, weight * per_grade)
    n_values = total(pairs)
    share = divide(pairs.sum(axis=-1), n_values[:, None])
    if weights is None and level == "ordinal":
        position = np.cumsum(share, axis=-1) - share / 2
        disagreement = (position[:, :, None] - position[:, None, :]) ** 2
    else:
        disagreement = _fixed_disagreement(len(ratings.scale), weights, level)
    observed = divide(total(pairs * disagreement), n_values)
    expected = total(share[:, :, None] * share[:, None, :] * disagreement)
    # Two values are drawn without replacement.
    alpha = 1 - divide(observed, expected) * divide(n_values - 1, n_values)
    lowest = -1.0 if weights is None or isinstance(weights, str) else -np.inf
    return np.where(n_values > 1, clip_rounding(alpha, lowest, 1), np.nan)


def _fixed_disagreement(
    n_classes: int, weights: Weights | None, level: Level
) -> NDArray[np.float64]:
    """Return the disagreement of two classes that does not depend on the grades."""
    return scaled_disagreement(n_classes, LEVEL_WEIGHTS[level] if weights is None else weights)


def _mean_shares(ratings: OrdinalRatings, weight: Values) -> Values:
    """Return the mean over the items with a grade of the share of each class, (n_stack, K)."""
    patterns = ratings.shared(_patterns)
    has_grade = patterns.n_grades > 0
    shares = patterns.class_counts[has_grade] / patterns.n_grades[has_grade, None]
    weight = weight[:, has_grade]
    return divide(weight @ shares, weight.sum(axis=1, keepdims=True))


def _fleiss(ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]) -> Values:
    share = _mean_shares(ratings, weight)
    return total(share[:, :, None] * share[:, None, :] * disagreement)


def _gwet(ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]) -> Values:
    share, n_classes = _mean_shares(ratings, weight), len(ratings.scale)
    spread = (share * (1 - share)).sum(axis=-1)
    expected: Values = 1 - (1 - disagreement).sum() * spread / (n_classes * (n_classes - 1))
    return expected


def _brennan_prediger(
    ratings: OrdinalRatings,  # noqa: ARG001 - each class is equally likely
    weight: Values,
    disagreement: NDArray[np.float64],
) -> Values:
    return np.full(len(weight), disagreement.mean())


def _conger(ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]) -> Values:
    """Return the mean disagreement of independent grades of two different raters."""
    counts = _rater_counts(ratings, weight)
    n_grades = counts.sum(axis=-1, keepdims=True)
    # Raters without a grade in a resample have no shares.
    share = np.where(n_grades > 0, counts / np.where(n_grades > 0, n_grades, 1), 0)
    n_raters = (n_grades > 0).sum(axis=(1, 2))
    pooled = share.sum(axis=1)
    of_all = ((pooled @ disagreement) * pooled).sum(axis=-1)
    with_themselves = ((share @ disagreement) * share).sum(axis=(1, 2))
    return divide(of_all - with_themselves, n_raters * (n_raters - 1))


def _rater_counts(ratings: OrdinalRatings, weight: Values) -> Values:
    """Return the weight of the items that each rater puts into each class, (n_stack, m, K)."""
    counts = (ratings.shared(_patterns).is_grade.T @ weight.T).T
    return np.ascontiguousarray(counts).reshape(len(weight), -1, len(ratings.scale))


def _kendall_w(ratings: OrdinalRatings, weight: Values) -> Values:
    """Return Kendall's coefficient of concordance of the items that all raters grade."""
    patterns, n_raters = ratings.shared(_patterns), len(ratings.raters)
    weight = np.where(patterns.n_grades == n_raters, weight, 0)
    n_items = weight.sum(axis=1)
    counts = _rater_counts(ratings, weight)
    # Items with the same grade by a rater share the mean of their ranks.
    ranks = np.cumsum(counts, axis=-1) - (counts - 1) / 2
    rank_sums = (patterns.is_grade @ ranks.reshape(len(weight), -1).T).T
    deviations = rank_sums - n_raters * (n_items[:, None] + 1) / 2
    cubes = n_raters**2 * (n_items**3 - n_items)
    largest = cubes - n_raters * (counts**3 - counts).sum(axis=(1, 2))
    is_defined = largest > _ROUNDING * np.abs(cubes)
    w = divide(12 * (weight * deviations**2).sum(axis=1), np.where(is_defined, largest, 0))
    return clip_rounding(w, 0, 1)


def rater_agreement_gradient(
    ratings: OrdinalRatings,
    *,
    coefficient: Coefficient,
    weights: Weights | None = None,
    level: Level | None = None,
) -> Values:
    """Return the derivatives of a coefficient by the weight of each pattern, (..., n_patterns)."""
    weight = ratings.weights.reshape(-1, ratings.weights.shape[-1])
    if coefficient == "krippendorff_alpha":
        gradient = _alpha_gradient(ratings, weight, weights, level or "ordinal")
    elif coefficient == "kendall_w":
        gradient = _kendall_gradient(ratings, weight)
    else:
        disagreement = scaled_disagreement(len(ratings.scale), weights)
        patterns = ratings.shared(_patterns)
        of_pattern, has_pair = _pair_disagreement(patterns, disagreement)
        amount = (weight @ has_pair)[:, None]
        observed = divide(weight @ of_pattern, amount[:, 0])[:, None]
        expected = _EXPECTED[coefficient](ratings, weight, disagreement)[:, None]
        by_observed = divide(of_pattern - observed * has_pair, amount)
        by_expected = _EXPECTED_GRADIENTS[coefficient](ratings, weight, disagreement)
        gradient = divide(observed * divide(by_expected, expected) - by_observed, expected)
    return gradient.reshape(ratings.weights.shape)


def _costs(patterns: _Patterns, disagreement: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the total disagreement of the ordered pairs of grades of each pattern."""
    costs: NDArray[np.float64] = np.einsum(
        "pk,kl,pl->p", patterns.class_counts, disagreement, patterns.class_counts, optimize=True
    )
    return costs


def _share_changes(ratings: OrdinalRatings, weight: Values, by_share: Values) -> Values:
    """Return the derivatives of a function of the mean shares by the weight of each pattern."""
    patterns, share = ratings.shared(_patterns), _mean_shares(ratings, weight)
    has_grade = patterns.n_grades > 0
    own = divide(patterns.class_counts, patterns.n_grades[:, None])
    own[~has_grade] = 0
    changes = by_share @ own.T - (by_share * share).sum(axis=-1, keepdims=True)
    return np.where(has_grade, divide(changes, (weight @ has_grade)[:, None]), 0)


def _fleiss_gradient(
    ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]
) -> Values:
    by_share = 2 * _mean_shares(ratings, weight) @ disagreement
    return _share_changes(ratings, weight, by_share)


def _gwet_gradient(
    ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]
) -> Values:
    n_classes = len(ratings.scale)
    factor = (1 - disagreement).sum() / (n_classes * (n_classes - 1))
    by_share = factor * (2 * _mean_shares(ratings, weight) - 1)
    return _share_changes(ratings, weight, by_share)


def _brennan_prediger_gradient(
    ratings: OrdinalRatings,  # noqa: ARG001 - the expected disagreement is constant
    weight: Values,
    disagreement: NDArray[np.float64],  # noqa: ARG001
) -> Values:
    return np.zeros_like(weight)


def _conger_gradient(
    ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]
) -> Values:
    counts = _rater_counts(ratings, weight)
    n_grades = counts.sum(axis=-1, keepdims=True)
    share = np.where(n_grades > 0, counts / np.where(n_grades > 0, n_grades, 1), 0)
    n_raters = (n_grades > 0).sum(axis=(1, 2))[:, None]
    of_others = (share.sum(axis=1, keepdims=True) - share) @ disagreement
    changes = of_others - (share * of_others).sum(axis=-1, keepdims=True)
    by_grade = np.where(n_grades > 0, 2 * changes / np.where(n_grades > 0, n_grades, 1), 0)
    of_pattern = (ratings.shared(_patterns).is_grade @ by_grade.reshape(len(weight), -1).T).T
    return divide(of_pattern, n_raters * (n_raters - 1))


def _alpha_gradient(
    ratings: OrdinalRatings, weight: Values, weights: Weights | None, level: Level
) -> Values:
    patterns = ratings.shared(_patterns)
    n_others = patterns.n_grades - 1
    has_pair = n_others > 0
    per_grade = np.divide(1, n_others, out=np.zeros_like(n_others), where=has_pair)
    grades = patterns.class_counts * has_pair[:, None]
    pairs = _pairs(ratings, weight * per_grade)
    counts, n_values = pairs.sum(axis=-1), total(pairs)[:, None]
    # alpha = 1 - (n - 1) observed / expected, both without their divisors.
    if weights is None and level == "ordinal":
        # The positions of the grades are sums of counts, which each item changes.
        position = np.cumsum(counts, axis=-1) - counts / 2
        apart = position[:, :, None] - position[:, None, :]
        disagreement = apart**2
        moved = np.cumsum(grades, axis=-1) - grades / 2
        products = counts[:, :, None] * counts[:, None, :]
        observed_moved = 4 * (pairs * apart).sum(axis=-1) @ moved.T
        expected_moved = 4 * (products * apart).sum(axis=-1) @ moved.T
        observed_of = np.einsum(
            "pk,skl,pl->sp", patterns.class_counts, disagreement, grades, optimize=True
        )
    else:
        matrix = _fixed_disagreement(len(ratings.scale), weights, level)
        disagreement = matrix[None]
        observed_moved = expected_moved = np.zeros((1, 1))
        observed_of = _costs(patterns, matrix)[None]
    observed = total(pairs * disagreement)[:, None]
    expected = total(counts[:, :, None] * counts[:, None, :] * disagreement)[:, None]
    by_observed = observed_of * per_grade + observed_moved
    by_count = np.einsum("skl,sl->sk", np.broadcast_to(disagreement, pairs.shape), counts)
    by_expected = 2 * by_count @ grades.T + expected_moved
    n_grades = patterns.n_grades * has_pair
    changes = (n_values - 1) * (by_observed - observed * divide(by_expected, expected))
    return -divide(n_grades * observed + changes, expected)


def _kendall_gradient(ratings: OrdinalRatings, weight: Values) -> Values:
    patterns, n_raters = ratings.shared(_patterns), len(ratings.raters)
    is_complete = patterns.n_grades == n_raters
    weight = np.where(is_complete, weight, 0)
    n_items = weight.sum(axis=1)
    counts = _rater_counts(ratings, weight)
    ranks = np.cumsum(counts, axis=-1) - (counts - 1) / 2
    rank_sums = (patterns.is_grade @ ranks.reshape(len(weight), -1).T).T
    deviations = rank_sums - n_raters * (n_items[:, None] + 1) / 2
    squares = (weight * deviations**2).sum(axis=1)
    largest = n_raters**2 * (n_items**3 - n_items)
    largest = largest - n_raters * (counts**3 - counts).sum(axis=(1, 2))
    # Another item moves the ranks of higher grades by 1, and those of the same grade by a half.
    of_grades = _rater_counts(ratings, weight * deviations)
    above = of_grades.sum(axis=-1, keepdims=True) - np.cumsum(of_grades, axis=-1) + of_grades / 2
    ties = 3 * counts**2 - 1
    moved, of_ties = (
        (patterns.is_grade @ part.reshape(len(weight), -1).T).T for part in (above, ties)
    )
    by_squares = deviations**2 + 2 * moved
    by_largest = n_raters**2 * (3 * n_items**2 - 1)[:, None] - n_raters * of_ties
    ratio = divide(squares, largest)[:, None]
    gradient = 12 * divide(by_squares - ratio * by_largest, largest[:, None])
    return np.where(is_complete, gradient, 0)


_EXPECTED_GRADIENTS: Mapping[
    str, Callable[[OrdinalRatings, Values, NDArray[np.float64]], Values]
] = {
    "gwet_ac2": _gwet_gradient,
    "fleiss_kappa": _fleiss_gradient,
    "conger_kappa": _conger_gradient,
    "brennan_prediger": _brennan_prediger_gradient,
}
_EXPECTED: Mapping[str, Callable[[OrdinalRatings, Values, NDArray[np.float64]], Values]] = {
    "gwet_ac2": _gwet,
    "fleiss_kappa": _fleiss,
    "conger_kappa": _conger,
    "brennan_prediger": _brennan_prediger,
}
