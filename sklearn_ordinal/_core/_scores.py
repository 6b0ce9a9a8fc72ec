"""Evidence for criteria of rankings: one score per sample."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._arrays import owned, unshared
from sklearn_ordinal._core._checks import as_numbers, check_sample_weight
from sklearn_ordinal._core._encoding import check_same_length, encode_one
from sklearn_ordinal._core._probabilities import (
    DIGITS_OF_PROBABILITIES,
    checked_probabilities,
    read_probabilities,
)
from sklearn_ordinal._core._samples import (
    Samples,
    from_checked,
    with_clusters,
    with_groups,
)
from sklearn_ordinal._core._scale import OrdinalScale
from sklearn_ordinal._core._soft_labels import TrueClasses, read_rows

AnyScores = TypeVar("AnyScores", bound="OrdinalScores")


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalScores(Samples):
    """True classes and one score per sample, over an ordered scale.

    The criteria of rankings are functions of these scores: how well they put samples of
    higher classes above samples of lower classes. Add the samples of parts of the data
    with ``+`` or `sum`, or keep them separate with `stack`.

    Parameters
    ----------
    scale : OrdinalScale or array-like of shape (n_classes,)
        The classes from the lowest to the highest.
    y_true : ndarray of shape (n_samples,)
        Positions of the true classes on the scale.
    y_score : ndarray of shape (n_samples,)
        Scores, higher for higher classes.
    weights : ndarray of shape (..., n_samples)
        Weight of each sample; leading axes are resamples, folds or groups.
    is_weighted : bool, default=False
        Whether the weights are sample weights, not numbers of samples.
    clusters : ndarray of shape (n_samples,), default=None
        Cluster of each sample as an integer. If None, samples are drawn one by one.
    group : ndarray of shape (n_samples,), default=None
        Position of the group of each sample in `groups`. None without groups.
    groups : tuple, default=()
        Name of each entry of the first axis of the weights, without repetitions, such as the
        countries in `by`. If empty, the groups are not known.

    Attributes
    ----------
    labels : ndarray of shape (n_classes,)
        The classes from the lowest to the highest.

    Raises
    ------
    ValueError
        If shapes do not match, a position is not on the scale, a score is not finite,
        or weights are negative or not finite.

    See Also
    --------
    OrdinalForecasts : Probabilities of the classes.
    OrdinalConfusion : Counts of true and predicted classes.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalScores
    >>> OrdinalScores.from_scores([0, 1, 2, 2], [-0.3, 0.1, 0.7, 0.4])
    OrdinalScores of 4 samples over the classes [0, 1, 2]
    """

    _constructor: ClassVar[str] = "from_scores"
    _predictions: ClassVar[str] = "y_score"

    scale: OrdinalScale
    y_true: NDArray[np.intp]
    y_score: NDArray[np.float64]
    weights: NDArray[np.float64]
    is_weighted: bool = False
    clusters: NDArray[np.int64] | None = None
    group: NDArray[np.int64] | None = None
    groups: tuple[Any, ...] = ()
    _shared: dict[Hashable, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._check()
        score = as_numbers("y_score", self.y_score)
        if score.shape != (self.n_samples,):
            raise ValueError(
                f"y_score must have shape ({self.n_samples},), a score for each sample, got "
                f"{score.shape}."
            )
        object.__setattr__(self, "y_score", owned(_checked_scores(score, "y_score"), np.float64))

    @classmethod
    def from_scores(
        cls,
        y_true: TrueClasses,
        y_score: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        by: ArrayLike | None = None,
    ) -> Self:
        """Take true classes and scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), or OrdinalRatings
            True classes, or soft labels; see `OrdinalForecasts.from_probabilities`.
        y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
            Scores, such as values of a decision function or the predictions of a regressor,
            higher for higher classes. Probabilities of the classes are converted to scores:
            their expected positions.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as the patient or the document. Resampling draws
            whole clusters, since samples of the same cluster are not independent.
        by : array-like of shape (n_samples,), default=None
            Group of each sample, such as the country. If None, there are no groups.

        Returns
        -------
        OrdinalScores
            The true classes, scores and weights.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, scores are
            not finite, probabilities are not valid, or the arguments differ in length.
        """
        return read_rows(
            read_scores,
            cls,
            y_true,
            y_score,
            name="y_score",
            labels=labels,
            sample_weight=sample_weight,
            clusters=clusters,
            by=by,
        )


def read_scores(
    kind: type[AnyScores],
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    name: str = "y_score",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    by: ArrayLike | None = None,
    copy: bool = True,
) -> AnyScores:
    """Return scores from arrays; `name` is the name of the scores in errors.

    If the arrays are not copied, the scores change with them, so do not keep the scores.
    """
    score = as_numbers(name, y_score)
    if score.ndim not in (1, 2):
        raise ValueError(
            f"{name} must have shape (n_samples,) or (n_samples, n_classes), got {score.shape}."
        )
    if score.ndim == 2 and not score.shape[1]:
        raise ValueError(f"{name} must have at least one column, got shape {score.shape}.")
    if score.ndim == 2 and score.shape[1] > 1:
        scale, true, proba, weight = read_probabilities(
            y_true, y_score, labels, None, sample_weight, name=name
        )
        try:
            score = expected_positions(checked_probabilities(proba, name=name))
        except ValueError as error:
            raise ValueError(
                f"{name} must hold probabilities if it has several columns, or one score per "
                f"sample: {error}"
            ) from None
    else:
        scale, true = encode_one(
            y_true, labels, name="y_true", **{name: y_score}, sample_weight=sample_weight
        )
        if score.ndim == 2:
            score = score[:, 0]
        check_same_length({"y_true": len(true), name: len(score)})
        weight = check_sample_weight(sample_weight, len(true))
    score = _checked_scores(score, name)
    if copy:
        score, weight = unshared(score, y_score), unshared(weight, sample_weight)
    scores = from_checked(kind, scale, true, score, weight, is_weighted=sample_weight is not None)
    return with_groups(with_clusters(scores, y_true, clusters), y_true, by)


def _checked_scores(score: NDArray[Any], name: str) -> NDArray[np.float64]:
    is_bad = ~np.isfinite(score)
    if is_bad.any():
        raise ValueError(
            f"{name} must be finite: sample {is_bad.argmax()} has {score[is_bad.argmax()]} "
            f"({is_bad.sum()} of {len(score)} samples)."
        )
    return score.astype(np.float64, copy=False)


def expected_positions(y_proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expected position of each sample, rounded so that equal probabilities tie."""
    positions = y_proba @ np.arange(y_proba.shape[1], dtype=np.float64)
    return np.round(positions, DIGITS_OF_PROBABILITIES)
