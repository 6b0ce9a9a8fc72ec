"""Agreement beyond chance, also of several raters: Krippendorff's alpha, Scott's pi, Gwet's AC2.

Coefficients of several raters are sums over the distinct patterns of grades, so their time does not
depend on the number of items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    confusion_counts,
    counting,
    evidence_kinds,
    grading,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import Property, ordinal_metric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal.metrics import _gradients, _kappa
from sklearn_ordinal.metrics._kappa import Weighting, Weights

# Coefficients of the agreement of several raters, as statistics of `OrdinalRatings`
# ----------------------------------------------------------------------------------

Level = Literal["nominal", "ordinal", "interval"]
Coefficient = Literal[
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
]

_LEVEL_WEIGHTS: Mapping[Level, Weighting] = {"nominal": "identity", "interval": "quadratic"}
"""The weights for the levels at which disagreement does not depend on the grades."""

# Tables of pairs of classes are computed in parts of about this size, which stay in the cache.
_ENTRIES_PER_PART = 2**18


def _check_rater_options(coefficient: str, weights: Any, level: Any) -> None:
    """Raise unless a coefficient takes these options, and their values are valid."""
    checks.check_choice("coefficient", coefficient, Coefficient)
    checks.check_choice("level", level, Level, or_none=True)
    if coefficient == "kendall_w" and not (weights is None and level is None):
        name, value = ("level", level) if weights is None else ("weights", weights)
        raise ValueError(
            f"{name} must be left out for kendall_w, which is computed from ranks, got "
            f"{checks.shown(value)}."
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
    _kappa.check_agreement_weights(weights)


def _check_bound_rater_options(coefficient: str, weights: Any = None, level: Any = None) -> None:
    """Raise unless options that are bound to a metric are valid, also the values of a matrix."""
    _check_rater_options(coefficient, weights, level)
    if weights is not None:
        _kappa.check_bound_weights(weights)


def _rater_agreement(
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
        values = _krippendorff_alpha_of_ratings(ratings, weight, weights, level or "ordinal")
    elif coefficient == "kendall_w":
        values = _kendall_w(ratings, weight)
    else:
        disagreement = _scaled_disagreement(len(ratings.scale), weights)
        observed = _observed_disagreement(ratings, weight, disagreement)
        expected = _EXPECTED[coefficient](ratings, weight, disagreement)
        values = arithmetic.clip_rounding(1 - arithmetic.divide(observed, expected), -np.inf, 1)
    return values.reshape(stack)


def _scaled_disagreement(n_classes: int, weights: Weights | None) -> NDArray[np.float64]:
    """Return one minus the weights of agreement, from 0 to 1; None stands for "quadratic"."""
    weights = "quadratic" if weights is None else weights
    disagreement = _kappa.disagreement_matrix(n_classes, weights)
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
    grade, class_counts = patterns[pattern, rater], grading.grade_counts(patterns, n_classes)
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
    for part in arithmetic.slices(len(counts), _ENTRIES_PER_PART // n_classes**2):
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
    return arithmetic.divide(weight @ of_pattern, weight @ has_pair)


def _pair_disagreement(
    patterns: _Patterns, disagreement: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean disagreement of the pairs of each pattern, and 1 where there is a pair."""
    n_pairs = patterns.n_grades * (patterns.n_grades - 1)
    has_pair = (n_pairs > 0).astype(np.float64)
    return _costs(patterns, disagreement) / np.maximum(n_pairs, 1), has_pair


def _krippendorff_alpha_of_ratings(
    ratings: OrdinalRatings, weight: Values, weights: Weights | None, level: Level
) -> Values:
    n_others = ratings.shared(_patterns).n_grades - 1
    per_grade = np.divide(1, n_others, out=np.zeros_like(n_others), where=n_others > 0)
    # Krippendorff's coincidence matrix, whose margins count the grades that have a pair.
    pairs = _pairs(ratings, weight * per_grade)
    n_values = arithmetic.total(pairs)
    share = arithmetic.divide(pairs.sum(axis=-1), n_values[:, None])
    if weights is None and level == "ordinal":
        position = np.cumsum(share, axis=-1) - share / 2
        disagreement = (position[:, :, None] - position[:, None, :]) ** 2
    else:
        disagreement = _fixed_disagreement(len(ratings.scale), weights, level)
    observed = arithmetic.divide(arithmetic.total(pairs * disagreement), n_values)
    expected = arithmetic.total(share[:, :, None] * share[:, None, :] * disagreement)
    # Two values are drawn without replacement.
    alpha = 1 - arithmetic.divide(observed, expected) * arithmetic.divide(n_values - 1, n_values)
    lowest = -1.0 if weights is None or isinstance(weights, str) else -np.inf
    return np.where(n_values > 1, arithmetic.clip_rounding(alpha, lowest, 1), np.nan)


def _fixed_disagreement(
    n_classes: int, weights: Weights | None, level: Level
) -> NDArray[np.float64]:
    """Return the disagreement of two classes that does not depend on the grades."""
    return _scaled_disagreement(n_classes, _LEVEL_WEIGHTS[level] if weights is None else weights)


def _mean_shares(ratings: OrdinalRatings, weight: Values) -> Values:
    """Return the mean over the items with a grade of the share of each class, (n_stack, K)."""
    patterns = ratings.shared(_patterns)
    has_grade = patterns.n_grades > 0
    shares = patterns.class_counts[has_grade] / patterns.n_grades[has_grade, None]
    weight = weight[:, has_grade]
    return arithmetic.divide(weight @ shares, weight.sum(axis=1, keepdims=True))


def _fleiss(ratings: OrdinalRatings, weight: Values, disagreement: NDArray[np.float64]) -> Values:
    share = _mean_shares(ratings, weight)
    return arithmetic.total(share[:, :, None] * share[:, None, :] * disagreement)


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
    return arithmetic.divide(of_all - with_themselves, n_raters * (n_raters - 1))


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
    is_defined = largest > tolerances.ROUNDING_OF_SUMS * np.abs(cubes)
    w = arithmetic.divide(
        12 * (weight * deviations**2).sum(axis=1), np.where(is_defined, largest, 0)
    )
    return arithmetic.clip_rounding(w, 0, 1)


def _rater_agreement_gradient(
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
        disagreement = _scaled_disagreement(len(ratings.scale), weights)
        patterns = ratings.shared(_patterns)
        of_pattern, has_pair = _pair_disagreement(patterns, disagreement)
        amount = (weight @ has_pair)[:, None]
        observed = arithmetic.divide(weight @ of_pattern, amount[:, 0])[:, None]
        expected = _EXPECTED[coefficient](ratings, weight, disagreement)[:, None]
        by_observed = arithmetic.divide(of_pattern - observed * has_pair, amount)
        by_expected = _EXPECTED_GRADIENTS[coefficient](ratings, weight, disagreement)
        gradient = arithmetic.divide(
            observed * arithmetic.divide(by_expected, expected) - by_observed, expected
        )
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
    own = arithmetic.divide(patterns.class_counts, patterns.n_grades[:, None])
    own[~has_grade] = 0
    changes = by_share @ own.T - (by_share * share).sum(axis=-1, keepdims=True)
    return np.where(has_grade, arithmetic.divide(changes, (weight @ has_grade)[:, None]), 0)


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
    return arithmetic.divide(of_pattern, n_raters * (n_raters - 1))


def _alpha_gradient(
    ratings: OrdinalRatings, weight: Values, weights: Weights | None, level: Level
) -> Values:
    patterns = ratings.shared(_patterns)
    n_others = patterns.n_grades - 1
    has_pair = n_others > 0
    per_grade = np.divide(1, n_others, out=np.zeros_like(n_others), where=has_pair)
    grades = patterns.class_counts * has_pair[:, None]
    pairs = _pairs(ratings, weight * per_grade)
    counts, n_values = pairs.sum(axis=-1), arithmetic.total(pairs)[:, None]
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
    observed = arithmetic.total(pairs * disagreement)[:, None]
    expected = arithmetic.total(counts[:, :, None] * counts[:, None, :] * disagreement)[:, None]
    by_observed = observed_of * per_grade + observed_moved
    by_count = np.einsum("skl,sl->sk", np.broadcast_to(disagreement, pairs.shape), counts)
    by_expected = 2 * by_count @ grades.T + expected_moved
    n_grades = patterns.n_grades * has_pair
    changes = (n_values - 1) * (by_observed - observed * arithmetic.divide(by_expected, expected))
    return -arithmetic.divide(n_grades * observed + changes, expected)


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
    ratio = arithmetic.divide(squares, largest)[:, None]
    gradient = 12 * arithmetic.divide(by_squares - ratio * by_largest, largest[:, None])
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


# Agreement beyond chance, of truth and prediction or of several raters
# ---------------------------------------------------------------------

_NO_PAIR = "the weights sum to at most half a sample"


def _ac2_properties(weights: Weights | None = "quadratic") -> set[Property] | None:
    is_named = isinstance(weights, str) or weights is None
    return {"symmetric", "differentiable", "exchangeable"} if is_named else None


def _shares(counts: Counts) -> Values:
    """Return the share of each class in the pooled true and predicted values."""
    true, pred = arithmetic.margins(counts)
    return arithmetic.divide(true + pred, 2 * arithmetic.total(counts)[..., None])


def _scott_pi(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    disagreement = _kappa.disagreement_matrix(counts.shape[-1], weights)
    true, pred = arithmetic.margins(counts)
    observed = arithmetic.weighted_total(counts, disagreement)
    expected = _expected_disagreement(true + pred, disagreement)
    pi = 1 - arithmetic.divide(observed, arithmetic.total(counts) * expected)
    return arithmetic.clip_rounding(pi, *_kappa.agreement_bounds(counts.shape[-1], weights))


def _scott_pi_gradient(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    true, pred = arithmetic.margins(counts)
    pooled = (true + pred) / 2
    disagreement = _kappa.disagreement_matrix(counts.shape[-1], weights)
    return _gradients.chance_corrected_gradient(counts, disagreement, pooled, pooled)


def _krippendorff_alpha(counts: Counts, *, level: Level = "ordinal") -> Values:
    if level == "ordinal":
        # Two positions differ by the share of the classes in between plus half the shares of the
        # two classes.
        share = _shares(counts)
        position = np.cumsum(share, axis=-1) - share / 2
        disagreement = position[..., :, None] - position[..., None, :]
        disagreement *= disagreement
        disagreement *= counts
        observed = arithmetic.total(disagreement)
        # The mean position is 1/2.
        expected = 2 * np.add.reduce(share * (position - 0.5) ** 2, axis=-1)
    else:
        disagreement = _kappa.disagreement_matrix(counts.shape[-1], _LEVEL_WEIGHTS[level])
        true, pred = arithmetic.margins(counts)
        observed = arithmetic.weighted_total(counts, disagreement)
        expected = _expected_disagreement(true + pred, disagreement)
    alike = arithmetic.divide(observed, arithmetic.total(counts) * expected)
    # Pairs are drawn without replacement, unlike for Scott's pi.
    n_values = 2 * arithmetic.total(counts)
    alpha = 1 - alike * arithmetic.divide(n_values - 1, n_values)
    return np.where(n_values > 1, arithmetic.clip_rounding(alpha, -1, 1), np.nan)


def _krippendorff_alpha_gradient(counts: Counts, *, level: Level = "ordinal") -> Values:
    if level == "ordinal":
        pi, by_pi = _ordinal_pi_and_gradient(counts)
    else:
        pi = _scott_pi(counts, weights=_LEVEL_WEIGHTS[level])
        by_pi = _scott_pi_gradient(counts, weights=_LEVEL_WEIGHTS[level])
    # Without replacement, alpha = pi + (1 - pi) / n_values, and each sample has two values.
    n_values = 2 * arithmetic.total(counts)[..., None, None]
    unlike = arithmetic.divide(1 - pi[..., None, None], n_values)
    return by_pi - arithmetic.divide(by_pi + 2 * unlike, n_values)


def _ordinal_pi_and_gradient(counts: Counts) -> tuple[Values, Values]:
    """Return pi for the disagreement at the ordinal level, and its derivatives."""
    n_samples = arithmetic.total(counts)
    cells = arithmetic.divide(counts, 2 * n_samples[..., None, None])
    true, pred = arithmetic.margins(cells)
    share = true + pred
    position = np.add.accumulate(share, axis=-1) - share / 2
    distance = position[..., :, None] - position[..., None, :]
    weighted = cells * distance
    observed = arithmetic.total(weighted * distance)
    expected = np.add.reduce(share * (position - 0.5) ** 2, axis=-1)
    # A sample in a class moves the positions of this class, by half, and of all higher classes.
    pull = np.add.reduce(weighted, axis=-1) - np.add.reduce(weighted, axis=-2)
    by_share = pull - 2 * np.add.accumulate(pull, axis=-1)
    # The expected disagreement is (1 - sum(share**3)) / 12.
    ratio = arithmetic.divide(observed, expected)
    by_share -= ratio[..., None] * (1 - share) * (1 + share) / 4
    changed = distance**2 + by_share[..., :, None] + by_share[..., None, :]
    return 1 - ratio, arithmetic.divide(changed, (-2 * n_samples * expected)[..., None, None])


def _expected_disagreement(sizes: Values, disagreement: NDArray[np.float64]) -> Values:
    """Return the mean disagreement of two values drawn independently from classes (..., K)."""
    return arithmetic.divide(
        arithmetic.weighted_pairs(sizes, sizes, disagreement), np.add.reduce(sizes, axis=-1) ** 2
    )


def _gwet_ac2(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    n_classes = counts.shape[-1]
    disagreement = _kappa.disagreement_matrix(n_classes, weights)
    if isinstance(weights, str):
        disagreement = arithmetic.divide(disagreement, disagreement.max())
    agreement = 1 - disagreement
    observed = arithmetic.divide(arithmetic.total(counts * agreement), arithmetic.total(counts))
    share = _shares(counts)
    spread = (share * (1 - share)).sum(axis=-1)
    expected = arithmetic.divide(agreement.sum() * spread, n_classes * (n_classes - 1))
    return arithmetic.divide(observed - expected, 1 - expected)


def _gwet_ac2_gradient(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    n_classes = counts.shape[-1]
    disagreement = _kappa.disagreement_matrix(n_classes, weights)
    if isinstance(weights, str):
        disagreement = arithmetic.divide(disagreement, disagreement.max())
    n_samples = arithmetic.total(counts)[..., None, None]
    observed = arithmetic.divide(
        arithmetic.total(counts * disagreement)[..., None, None], n_samples
    )
    share = _shares(counts)
    squares = np.add.reduce(share * share, axis=-1)[..., None, None]
    guesses = arithmetic.divide((1 - disagreement).sum(), n_classes * (n_classes - 1))
    expected = 1 - guesses * (1 - squares)
    by_spread = 2 * squares - share[..., :, None] - share[..., None, :]
    changed = observed - disagreement - arithmetic.divide(observed * guesses, expected) * by_spread
    return arithmetic.divide(changed, n_samples * expected)


def _exchangeable_properties(weights: Weights = "quadratic") -> set[Property] | None:
    """Return the properties of a coefficient whose chance agreement is that of pooled grades."""
    properties = _kappa.agreement_properties(weights)
    return None if properties is None else {*properties, "exchangeable"}


def _alpha_properties(
    level: Level = "ordinal", weights: Weights | None = None
) -> set[Property] | None:
    if weights is None and level == "ordinal":
        return {"invariant", "symmetric", "differentiable", "exchangeable", "pairable items"}
    properties = _exchangeable_properties(_LEVEL_WEIGHTS[level] if weights is None else weights)
    return None if properties is None else {*properties, "pairable items"}


@ordinal_metric(
    _scott_pi,
    greater_is_better=True,
    bounds=_kappa.agreement_bounds,
    gradient=_scott_pi_gradient,
    check=_kappa.check_bound_weights,
    chance_level=0.0,
    properties=_exchangeable_properties,
    an_error_costs="its weight, by default the squared number of classes, relative to pooled "
    "chance",
    prefer="for two raters assumed to have the same class distribution",
)
def scott_pi_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: Weights = "quadratic",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Scott's pi, plain or weighted.

    Like weighted kappa, but chance agreement is estimated from the pooled classes of
    truth and prediction, as if both came from the same distribution [1]_. Distance is
    measured in positions on the scale:

    .. math:: \pi = 1 - \sum_{ij} (1 - w_{ij}) C_{ij} /
        \Big(N \sum_{ij} (1 - w_{ij}) p_i p_j\Big), \qquad p_i = (n_i + c_i) / 2N

    where :math:`w_{ij}` is the weight of agreement, :math:`C_{ij}` of the :math:`N` samples
    belong to class :math:`i` and are predicted as :math:`j`, and :math:`n_i` and
    :math:`c_i` are the sizes of true and predicted class :math:`i`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    weights : str or array-like of shape (n_classes, n_classes), default="quadratic"
        Weights of agreement. A name says how disagreement grows with the distance
        :math:`d` of two classes: "identity", 1 if they differ; "linear", :math:`d`;
        "quadratic", :math:`d^2`; "ordinal", :math:`d (d + 1) / 2`; "radical",
        :math:`\sqrt{d}`. In terms of the grades :math:`k` and :math:`l`, from 1 to
        :math:`K`: "ratio", :math:`d^2 / (k + l)^2`; "circular", :math:`\sin^2(\pi d / K)`,
        for scales such as hours, whose ends meet; "bipolar",
        :math:`d^2 / ((k + l - 2) (2K - k - l))`, where errors near an end weigh more. A
        matrix must be symmetric and have a row and a column for each class, 1 on the
        diagonal, and values from 0 (no agreement) to 1 elsewhere [2]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement, at most 1, and at least -1 unless `weights` is a matrix. 1 is best, 0 is
        agreement by chance. NaN with an `UndefinedMetricWarning` if `y_true` and `y_pred`
        contain a single class, or only classes that agree fully according to the matrix.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is neither a known name nor a matrix of weights of agreement.

    See Also
    --------
    quadratic_weighted_kappa_score : Chance from separate class distributions.
    krippendorff_alpha_score : Pairs drawn without replacement.

    References
    ----------
    .. [1] W. A. Scott (1955), "Reliability of content analysis: the case of nominal
       scale coding", Public Opinion Quarterly 19(3), :doi:`10.1086/266577`.
    .. [2] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics, chapter 3.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import scott_pi_score
    >>> scott_pi_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6363...
    """
    _kappa.check_agreement_weights(weights)
    statistic = partial(_scott_pi, weights=weights)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "Scott's pi", _kappa.why_undefined(weights)
    )


def _check_level(level: Any) -> None:
    checks.check_choice("level", level, Level)


@ordinal_metric(
    _krippendorff_alpha,
    greater_is_better=True,
    bounds=_kappa.agreement_bounds,
    gradient=_krippendorff_alpha_gradient,
    check=_check_level,
    chance_level=0.0,
    properties=_alpha_properties,
    an_error_costs="the disagreement of its two classes, relative to the disagreement expected by "
    "chance from the pooled true and predicted classes; by default, the squared number of values "
    "between the two classes",
    prefer="for two raters and few samples",
    statistics={
        evidence_kinds.RATINGS: partial(_rater_agreement, coefficient="krippendorff_alpha")
    },
    gradients={evidence_kinds.RATINGS: _rater_agreement_gradient},
)
def krippendorff_alpha_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    level: Level = "ordinal",
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Krippendorff's alpha, with truth and prediction as two coders.

    Alpha is one minus the ratio of the observed to the expected disagreement. The expected
    disagreement is the disagreement of two values drawn without replacement from the pooled
    true and predicted values [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    level : {"nominal", "ordinal", "interval"}, default="ordinal"
        Disagreement of two classes. "nominal": 1 if they differ. "ordinal": the squared
        number of values between them, where values of the two classes themselves count
        half. "interval": the squared distance in positions on the scale.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in (-1, 1]. 1 is best, 0 is agreement by chance. NaN with an
        `UndefinedMetricWarning` if `y_true` and `y_pred` contain a single class, or the
        weights sum to at most half a sample.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `level` is
        not known.

    See Also
    --------
    agreement_score : Krippendorff's alpha of several raters.
    scott_pi_score : Pairs drawn with replacement.
    quadratic_weighted_kappa_score : Chance from separate class distributions.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] K. Krippendorff (2011), "Computing Krippendorff's alpha-reliability",
       University of Pennsylvania, https://repository.upenn.edu/asc_papers/43.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import krippendorff_alpha_score
    >>> krippendorff_alpha_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.5625
    """
    _check_level(level)
    statistic = partial(_krippendorff_alpha, level=level)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "Krippendorff's alpha", f"{_kappa.ONE_CLASS}, or {_NO_PAIR}"
    )


def _uniform_chance_bounds(n_classes: int, weights: Weights | None = None) -> tuple[float, float]:
    """Return the value if no two raters agree at all and all classes are equally likely, and 1."""
    if n_classes < 2:
        return -np.inf, 1.0
    disagreement = _scaled_disagreement(n_classes, weights)
    mean = disagreement.mean()
    return (float(1 - disagreement.max() / mean) if mean > 0 else -np.inf), 1.0


@ordinal_metric(
    _gwet_ac2,
    greater_is_better=True,
    # The disagreement expected by chance is smallest if the shares of the classes are equal. Items
    # with a single grade may make them so, whatever the others are.
    bounds=_uniform_chance_bounds,
    gradient=_gwet_ac2_gradient,
    check=_kappa.check_bound_weights,
    chance_level=0.0,
    properties=_ac2_properties,
    an_error_costs="its weight, by default the squared number of classes, relative to the spread "
    "over the classes",
    prefer="for two raters, if one class is very large",
    exceptions={"an empty class at an end": "the number of classes is part of the definition"},
    statistics={evidence_kinds.RATINGS: partial(_rater_agreement, coefficient="gwet_ac2")},
    gradients={evidence_kinds.RATINGS: _rater_agreement_gradient},
)
def gwet_ac2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: Weights = "quadratic",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Gwet's agreement coefficient AC2, or AC1 without weights.

    Chance agreement is estimated from the spread of the pooled classes of truth and
    prediction over the scale. Unlike the chance agreement of kappa, it stays low if one
    class is very large [1]_. The number of classes on the scale enters the formula: pass
    `labels` if a fold may lack a class. Distance is measured in positions on the scale:

    .. math:: \mathrm{AC2} = \frac{P - E}{1 - E}, \qquad
        P = \frac{1}{N} \sum_{ij} w_{ij} C_{ij}, \qquad
        E = \frac{\sum_{ij} w_{ij}}{K (K - 1)} \sum_i p_i (1 - p_i)

    where :math:`w_{ij}` is the weight of agreement, from 0 to 1, :math:`C_{ij}` of the
    :math:`N` samples belong to class :math:`i` and are predicted as :math:`j`, :math:`K`
    is the number of classes, and :math:`p_i` is the share of class :math:`i` in the pooled
    truth and prediction.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    weights : str or array-like of shape (n_classes, n_classes), default="quadratic"
        Weights of agreement. A name says how disagreement grows with the distance
        :math:`d` of two classes: "identity", 1 if they differ (AC1); "linear",
        :math:`d`; "quadratic", :math:`d^2`; "ordinal", :math:`d (d + 1) / 2`; "radical",
        :math:`\sqrt{d}`. In terms of the grades :math:`k` and :math:`l`, from 1 to
        :math:`K`: "ratio", :math:`d^2 / (k + l)^2`; "circular", :math:`\sin^2(\pi d / K)`,
        for scales such as hours, whose ends meet; "bipolar",
        :math:`d^2 / ((k + l - 2) (2K - k - l))`, where errors near an end weigh more. A
        matrix must be symmetric and have a row and a column for each class, 1 on the
        diagonal, and values from 0 (no agreement) to 1 elsewhere [2]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement, at most 1, and at least 1 minus the largest divided by the mean disagreement
        :math:`1 - w_{ij}` of all pairs of classes: -2 for three classes and -3 for five, by
        default. 1 is best, 0 is the agreement by chance that this coefficient estimates. NaN with
        an `UndefinedMetricWarning` if the scale has a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is neither a known name nor a matrix of weights of agreement.

    See Also
    --------
    agreement_score : AC2 of several raters.
    quadratic_weighted_kappa_score : Chance from separate class distributions.
    scott_pi_score : Chance from the pooled classes.

    References
    ----------
    .. [1] K. L. Gwet (2008), "Computing inter-rater reliability and its variance in the
       presence of high agreement", British Journal of Mathematical and Statistical
       Psychology 61(1), :doi:`10.1348/000711006X126600`.
    .. [2] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics, chapter 3.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import gwet_ac2_score
    >>> gwet_ac2_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6666...
    """
    _kappa.check_agreement_weights(weights)
    statistic = partial(_gwet_ac2, weights=weights)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "Gwet's AC2", "the scale has a single class"
    )


_COSTS = "its weight, by default the squared number of classes between two grades of an item, "


def _brennan_prediger_properties(weights: Weights | None = None) -> set[Property] | None:
    if not isinstance(weights, str) and weights is not None:
        return None
    # The agreement by chance is fixed, so the value falls with the disagreement of two grades.
    by_distance: dict[str, set[Property]] = {"identity": {"monotonic"}, "circular": set()}
    monotonic = by_distance.get(weights or "quadratic", {"monotonic", "strictly monotonic"})
    return {*monotonic, "differentiable", "exchangeable", "pairable items"}


@ordinal_metric(
    _rater_agreement,
    name="kendall_w",
    coefficient="kendall_w",
    evidence=evidence_kinds.RATINGS,
    gradient=_rater_agreement_gradient,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_check_bound_rater_options,
    properties={"invariant", "differentiable", "complete items"},
    an_error_costs="the squared distance of the rank sums of the items to those of equal rankings",
    prefer="for raters who rank the items, each by a standard of their own",
)
@ordinal_metric(
    _rater_agreement,
    name="brennan_prediger",
    coefficient="brennan_prediger",
    evidence=evidence_kinds.RATINGS,
    gradient=_rater_agreement_gradient,
    greater_is_better=True,
    bounds=_uniform_chance_bounds,
    check=_check_bound_rater_options,
    chance_level=0.0,
    properties=_brennan_prediger_properties,
    an_error_costs=_COSTS + "relative to raters who guess all classes equally often",
    prefer="for several raters, to compare studies whose class distributions differ",
)
@ordinal_metric(
    _rater_agreement,
    name="conger_kappa",
    coefficient="conger_kappa",
    evidence=evidence_kinds.RATINGS,
    gradient=_rater_agreement_gradient,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    check=_check_bound_rater_options,
    chance_level=0.0,
    interval_scale="fisher",
    an_error_costs=_COSTS + "relative to chance from each rater's own class distribution",
    prefer="for several raters, each with a class distribution of their own",
)
@ordinal_metric(
    _rater_agreement,
    name="fleiss_kappa",
    coefficient="fleiss_kappa",
    evidence=evidence_kinds.RATINGS,
    gradient=_rater_agreement_gradient,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    check=_check_bound_rater_options,
    chance_level=0.0,
    properties=_exchangeable_properties,
    interval_scale="fisher",
    an_error_costs=_COSTS + "relative to chance from the pooled classes",
    prefer="for several raters who are interchangeable",
)
def agreement_score(
    ratings: OrdinalRatings | OrdinalConfusion,
    coefficient: Coefficient,
    *,
    weights: Weights | None = None,
    level: Level | None = None,
) -> float:
    r"""Compute a coefficient of the agreement of several raters, who may leave items out.

    All coefficients but Krippendorff's alpha [2]_ and Kendall's W compare the observed
    disagreement, the mean over the items of the mean over their pairs of grades, with the
    disagreement :math:`D_e` expected by chance [1]_:

    .. math:: 1 - \frac{1}{D_e N} \sum_i \frac{1}{r_i (r_i - 1)} \sum_{kl} (1 - w_{kl})
        \, r_{ik} (r_{il} - [k = l])

    where :math:`w_{kl}` is the weight of agreement of two grades, :math:`r_{ik}` of the
    :math:`r_i` grades of item :math:`i` are in class :math:`k`, and :math:`N` items have at least
    two grades. The coefficients differ in the grades that are expected by chance: "fleiss_kappa"
    draws both from the pooled grades, "conger_kappa" from the grades of two different raters,
    "brennan_prediger" from all classes of the scale, and "gwet_ac2" from all classes, in the
    share of the cases in which raters guess according to Gwet.

    Parameters
    ----------
    ratings : OrdinalRatings or OrdinalConfusion
        The grades of several raters. For "krippendorff_alpha" and "gwet_ac2", also a confusion
        matrix, whose rows and columns are two raters.
    coefficient : str
        The coefficient: "krippendorff_alpha", "gwet_ac2", "fleiss_kappa", "conger_kappa",
        "brennan_prediger" or "kendall_w". For two raters, "conger_kappa" is Cohen's kappa and
        "fleiss_kappa" is Scott's pi.
    weights : str or array-like of shape (n_classes, n_classes), default=None
        Weights of agreement: "identity", "linear", "quadratic", "ordinal", "radical", "ratio",
        "circular", "bipolar" or a matrix, as in `gwet_ac2_score`. If None, "quadratic", and for
        "krippendorff_alpha" the disagreement that `level` names. "kendall_w" takes no weights.
    level : {"nominal", "ordinal", "interval"}, default=None
        Disagreement of two grades in "krippendorff_alpha", as in `krippendorff_alpha_score`. If
        None, "ordinal", unless `weights` are given.

    Returns
    -------
    float
        Agreement, at most 1. 1 is best, 0 is agreement by chance. "kendall_w" lies in [0, 1], and
        0 means that the raters' ranks cancel out. NaN, with an `UndefinedMetricWarning`, if all
        grades are in a single class, or in classes that agree fully according to a matrix, or
        no item has the grades that the coefficient needs.

    Raises
    ------
    ValueError
        If the coefficient is unknown or needs other evidence, `weights` are neither a known name
        nor a matrix of weights of agreement, or `level` is passed for another coefficient or
        together with `weights`.

    Warns
    -----
    UserWarning
        If "kendall_w" leaves out items that some raters do not grade.

    See Also
    --------
    krippendorff_alpha_score : Krippendorff's alpha of two columns of classes.
    gwet_ac2_score : Gwet's AC2 of two columns of classes.
    weighted_kappa_score : Cohen's kappa of two columns of classes.

    Notes
    -----
    Items with a single grade show no agreement. In "gwet_ac2", "fleiss_kappa" and "conger_kappa",
    their grades count for the agreement expected by chance. "krippendorff_alpha" and
    "brennan_prediger" leave them out, also in their standard errors, and "kendall_w" needs items
    with a grade by every rater.

    "gwet_ac2" and "brennan_prediger" depend on the number of classes of the scale, also of classes
    without a grade. The weights of items count as frequencies: an item of weight 2 is two items.

    Kendall's W is corrected for ties [3]_. It is Friedman's statistic divided by
    :math:`m (n - 1)`, for :math:`m` raters and :math:`n` items.

    "fleiss_kappa" and "conger_kappa" are too low in small samples of classes of very different
    sizes. In simulations of three raters and 20 items, they are too low by 0.04 to 0.05 if the
    classes have 73%, 17%, 8% and 2% of the grades, and 95% intervals contain the true value in 82%
    of the samples. With 60%, 25%, 10% and 5%, they are too low by 0.03 to 0.04, and the intervals
    contain it in 88%. For "krippendorff_alpha", they contain it in 87% and 94%, and for "gwet_ac2"
    in 95%. For "kendall_w", the sample are the items that all raters grade.

    References
    ----------
    .. [1] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics.
    .. [2] K. Krippendorff (2011), "Computing Krippendorff's alpha-reliability",
       University of Pennsylvania, https://repository.upenn.edu/asc_papers/43.
    .. [3] M. G. Kendall, B. Babington Smith (1939), "The problem of m rankings", Annals of
       Mathematical Statistics 10(3), :doi:`10.1214/aoms/1177732186`.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings
    >>> from sklearn_ordinal.metrics import agreement_score
    >>> ratings = OrdinalRatings.from_ratings(
    ...     [[1, 1, 2], [3, 3, None], [2, 3, 3], [None, 1, None], [1, 1, 1]]
    ... )
    >>> agreement_score(ratings, "krippendorff_alpha")
    0.7955...
    >>> agreement_score(ratings, "fleiss_kappa", weights="linear")
    0.6462...
    """
    _check_rater_options(coefficient, weights, level)
    if isinstance(ratings, OrdinalConfusion):
        ratings = _two_raters(ratings, coefficient)
    grading.check_ratings(ratings)
    value = _rater_agreement(ratings, coefficient=coefficient, weights=weights, level=level)
    reason = "all grades of the items that it uses are in classes that agree fully"
    if coefficient == "kendall_w":
        reason = "fewer than two items are graded by all raters, or no rater tells them apart"
        _warn_about_incomplete(ratings)
    return checks.or_undefined(float(value), math.nan, coefficient, reason)


def _two_raters(confusion: OrdinalConfusion, coefficient: str) -> OrdinalRatings:
    """Return the rows and columns of a confusion matrix as the grades of two raters."""
    if coefficient not in ("krippendorff_alpha", "gwet_ac2"):
        raise ValueError(
            f"ratings must be OrdinalRatings for {coefficient}, got an OrdinalConfusion: make them "
            f"with OrdinalRatings.from_ratings, or use a kappa of two columns of classes."
        )
    confusion_counts.check_one_matrix(confusion, may_be_unanswered=True)
    n_classes = len(confusion.scale)
    cells = np.indices((n_classes, n_classes)).reshape(2, -1).T
    return OrdinalRatings(
        confusion.scale,
        cells,
        np.arange(len(cells)),
        ("y_true", "y_pred"),
        weights=confusion.counts.reshape(-1),
    )


def _warn_about_incomplete(ratings: OrdinalRatings) -> None:
    n_complete = int((ratings.n_grades == len(ratings.raters)).sum())
    n_left_out = ratings.n_samples - n_complete
    if n_left_out:
        checks.warn_caller(
            f"kendall_w leaves out {n_left_out:,} of {ratings.n_samples:,} items, which not all "
            f"raters grade.",
            way_out="The other coefficients use items with at least two grades.",
        )
