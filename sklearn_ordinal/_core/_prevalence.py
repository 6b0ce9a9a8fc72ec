"""Shares of the true classes to which counts are weighted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._checks import as_class_numbers, check_amounts, shown
from sklearn_ordinal._core._probabilities import SUM_TOLERANCE, shown_sum


def check_shares(name: str, shares: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return the share of each class as an array, and raise unless these are valid shares."""
    checked = as_class_numbers(name, shares).astype(np.float64)
    if checked.shape != (n_classes,):
        raise ValueError(
            f"{name} must have shape ({n_classes},), one for each class of the scale, got "
            f"{checked.shape}."
        )
    check_amounts(name, checked)
    if abs(checked.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(
            f"{name} must add up to 1, got {shown_sum(checked.sum())}: divide them by their sum."
        )
    return checked


def check_shares_for_sizes(
    name: str, shares: ArrayLike, sizes: NDArray[Any], labels: NDArray[np.generic]
) -> NDArray[np.float64]:
    """Return the share of each class, and raise if a class without samples has a share."""
    checked = check_shares(name, shares, sizes.shape[-1])
    is_unknown = (sizes == 0) & (checked > 0)
    if is_unknown.any():
        position = np.argwhere(is_unknown)[0]
        where = ""
        if sizes.ndim > 1:
            where = (
                f" in the matrix at {tuple(position[:-1].tolist())}: if each matrix is a cluster, "
                f"count the samples with clusters= instead of by="
            )
        raise ValueError(
            f"{name} must be 0 for a class without samples, whose errors are not known, got "
            f"{checked[position[-1]]:g} for {shown(labels[position[-1]].item())}{where}."
        )
    return checked


def factors_to_shares(
    sizes: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the factor of each true class: (..., n_classes).

    The totals stay the same. Each class gets its share, except that a class without samples
    stays empty.
    """
    totals = sizes.sum(axis=-1, keepdims=True)
    factors: NDArray[np.float64] = shares * totals / np.where(sizes > 0, sizes, 1)
    return factors


def check_evidence_prevalence(prevalence: ArrayLike, evidence: Any) -> NDArray[np.float64]:
    """Return the shares at which to evaluate evidence, and raise if it lacks their classes."""
    if not hasattr(evidence, "class_counts"):
        raise ValueError(
            f"prevalence needs the true classes, which {type(evidence).__name__} does not have: "
            f"leave prevalence out."
        )
    sizes, labels = evidence.class_counts, evidence.scale.labels
    return check_shares_for_sizes("prevalence", prevalence, sizes, labels)


def evidence_at_prevalence(evidence: Any, shares: NDArray[np.float64]) -> Any:
    """Return evidence whose true classes have these shares, with the same total."""
    return evidence.weighted_by_class(factors_to_shares(evidence.class_counts, shares))


def weights_at_prevalence(
    y_true: NDArray[Any], prevalence: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights (n_samples,) that give each class its share and keep the total."""
    sizes: NDArray[Any] = np.bincount(y_true, weights, len(prevalence))
    at_shares: NDArray[np.float64] = weights * factors_to_shares(sizes, prevalence)[y_true]
    return at_shares
