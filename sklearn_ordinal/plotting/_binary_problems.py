"""Binary problems on an ordered scale: one for each threshold, or each class against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import DIGITS_OF_PROBABILITIES, OrdinalForecasts, OrdinalScores

Split = Literal["threshold", "class"]


@dataclass(frozen=True)
class BinaryProblem:
    """Samples labelled positive or negative, with scores that are higher for positive samples."""

    is_positive: NDArray[np.bool_]
    score: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def is_defined(self) -> bool:
        """Whether there are positive and negative samples."""
        return bool(self.is_positive.any() and not self.is_positive.all())


def check_one_set(
    argument: str,
    evidence: OrdinalForecasts | OrdinalScores,
    kinds: tuple[type, ...] = (OrdinalForecasts, OrdinalScores),
) -> None:
    """Raise if evidence is of another kind, is a stack, or has a scale with a single class."""
    if not isinstance(evidence, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"{argument} must be {names}, got {type(evidence).__name__}: pass arrays to "
            f"from_predictions."
        )
    if evidence.weights.ndim != 1:
        raise ValueError(
            f"{argument} must be one set of samples, got weights of shape "
            f"{evidence.weights.shape}: plot each part of a stack separately."
        )
    if evidence.n_classes < 2:
        raise ValueError(
            "y_true must have at least two classes, since a single class has no threshold: pass "
            "labels= with all classes from the lowest to the highest."
        )


def probability_above(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    """Return P(y > k) for each threshold k: (n_samples, n_classes - 1)."""
    above = np.cumsum(forecasts.y_proba[:, :0:-1], axis=1)[:, ::-1]
    return np.clip(np.round(above, DIGITS_OF_PROBABILITIES), 0.0, 1.0)


def binary_problems(
    evidence: OrdinalForecasts | OrdinalScores, split: Split
) -> list[BinaryProblem]:
    """Return a binary problem for each threshold, or for each class against the rest."""
    check_one_set("evidence", evidence)
    position = np.arange(evidence.n_classes)
    if split == "class":
        if isinstance(evidence, OrdinalScores):
            raise ValueError(
                "split='class' needs probabilities of shape (n_samples, n_classes), got scores, "
                "which do not separate a class in the middle from the rest: pass probabilities, "
                "or split='threshold'."
            )
        is_positive = evidence.y_true[:, None] == position
        scores = np.round(evidence.y_proba, DIGITS_OF_PROBABILITIES)
    else:
        is_positive = evidence.y_true[:, None] > position[:-1]
        if isinstance(evidence, OrdinalForecasts):
            scores = probability_above(evidence)
        else:
            scores = np.broadcast_to(evidence.y_score[:, None], is_positive.shape)
    used = evidence.weights > 0
    weights = evidence.weights[used]
    return [
        BinaryProblem(positive[used], score[used], weights)
        for positive, score in zip(is_positive.T, scores.T, strict=True)
    ]
