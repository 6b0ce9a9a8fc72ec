"""`OrdinalForecasts` and `OrdinalScores`: samples with probabilities or scores as evidence."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, sampling, scales, tolerances
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.sampling import Samples, TrueClasses
from sklearn_ordinal._core.scales import OrdinalScale

# Evidence for criteria of rankings: one score per sample
# -------------------------------------------------------

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
    strata : ndarray of shape (n_samples,), default=None
        Stratum of each sample as an integer, from each of which a fixed number of samples, or of
        clusters, was drawn. If None, all samples are one random sample.
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
    strata: NDArray[np.int64] | None = None
    group: NDArray[np.int64] | None = None
    groups: tuple[Any, ...] = ()
    _shared: dict[Hashable, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._check()
        score = checks.as_numbers("y_score", self.y_score)
        if score.shape != (self.n_samples,):
            raise ValueError(
                f"y_score must have shape ({self.n_samples},), a score for each sample, got "
                f"{score.shape}."
            )
        object.__setattr__(
            self, "y_score", arithmetic.owned(_checked_scores(score, "y_score"), np.float64)
        )

    @classmethod
    def from_scores(
        cls,
        y_true: TrueClasses,
        y_score: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        strata: ArrayLike | None = None,
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
        strata : array-like of shape (n_samples,), default=None
            Stratum of each sample, if a fixed number of samples, or of clusters, was drawn from
            each stratum. Resampling draws within the strata.
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
        return sampling.read_rows(
            read_scores,
            cls,
            y_true,
            y_score,
            name="y_score",
            labels=labels,
            sample_weight=sample_weight,
            clusters=clusters,
            strata=strata,
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
    strata: ArrayLike | None = None,
    by: ArrayLike | None = None,
    copy: bool = True,
) -> AnyScores:
    """Return scores from arrays; `name` is the name of the scores in errors.

    If the arrays are not copied, the scores change with them, so do not keep the scores.
    """
    score = checks.as_numbers(name, y_score)
    if score.ndim not in (1, 2):
        raise ValueError(
            f"{name} must have shape (n_samples,) or (n_samples, n_classes), got {score.shape}."
        )
    if score.ndim == 2 and not score.shape[1]:
        raise ValueError(f"{name} must have at least one column, got shape {score.shape}.")
    if score.ndim == 2 and score.shape[1] > 1:
        scale, true, proba, weight = sampling.read_probabilities(
            y_true, y_score, labels, None, sample_weight, name=name
        )
        try:
            score = expected_positions(sampling.checked_probabilities(proba, name=name))
        except ValueError as error:
            raise ValueError(
                f"{name} must hold probabilities if it has several columns, or one score per "
                f"sample: {error}"
            ) from None
    else:
        scale, true = scales.encode_one(
            y_true, labels, name="y_true", **{name: y_score}, sample_weight=sample_weight
        )
        if score.ndim == 2:
            score = score[:, 0]
        scales.check_same_length({"y_true": len(true), name: len(score)})
        weight = checks.check_sample_weight(sample_weight, len(true))
    score = _checked_scores(score, name)
    if copy:
        score, weight = (
            arithmetic.unshared(score, y_score),
            arithmetic.unshared(weight, sample_weight),
        )
    scores = sampling.from_checked(
        kind, scale, true, score, weight, is_weighted=sample_weight is not None
    )
    return sampling.with_columns(scores, y_true, clusters=clusters, strata=strata, by=by)


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
    return np.round(positions, tolerances.DIGITS_OF_PROBABILITIES)


# Evidence with the probabilities of all classes for each sample
# --------------------------------------------------------------

AnyForecasts = TypeVar("AnyForecasts", bound="OrdinalForecasts")


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalForecasts(Samples):
    """True classes and probabilities of all classes, over an ordered scale.

    The criteria of probabilities are functions of these forecasts. Add the samples of parts
    of the data with ``+`` or `sum`, or keep them separate with `stack`.

    Parameters
    ----------
    scale : OrdinalScale or array-like of shape (n_classes,)
        The classes from the lowest to the highest.
    y_true : ndarray of shape (n_samples,)
        Positions of the true classes on the scale.
    y_proba : ndarray of shape (n_samples, n_classes)
        Probabilities, columns in the order of the scale.
    weights : ndarray of shape (..., n_samples)
        Weight of each sample; leading axes are resamples, folds or groups.
    is_weighted : bool, default=False
        Whether the weights are sample weights, not numbers of samples.
    clusters : ndarray of shape (n_samples,), default=None
        Cluster of each sample as an integer. If None, samples are drawn one by one.
    strata : ndarray of shape (n_samples,), default=None
        Stratum of each sample as an integer, from each of which a fixed number of samples, or of
        clusters, was drawn. If None, all samples are one random sample.
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
        If shapes do not match, a position is not on the scale, rows are not
        probabilities, or weights are negative or not finite.

    See Also
    --------
    OrdinalScores : One score per sample.
    OrdinalConfusion : Counts of true and predicted classes.

    Notes
    -----
    Probabilities are stored as float64, so criteria do not depend on the dtype that was passed.
    If a true class has probability 0, "log_loss" uses a probability of 2e-16, as
    `sklearn.metrics.log_loss` does for float64; for arrays of float32, scikit-learn uses 1e-7.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalForecasts, get_metric
    >>> forecasts = OrdinalForecasts.from_probabilities(
    ...     ["low", "high"], [[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]], labels=["low", "mid", "high"]
    ... )
    >>> forecasts
    OrdinalForecasts of 2 samples over the classes ['low', 'mid', 'high']
    >>> forecasts.to_confusion().counts
    array([[0.7, 0.2, 0.1],
           [0. , 0. , 0. ],
           [0. , 0.5, 0.5]])
    """

    _constructor: ClassVar[str] = "from_probabilities"
    _predictions: ClassVar[str] = "y_proba"

    scale: OrdinalScale
    y_true: NDArray[np.intp]
    y_proba: NDArray[np.float64]
    weights: NDArray[np.float64]
    is_weighted: bool = False
    clusters: NDArray[np.int64] | None = None
    strata: NDArray[np.int64] | None = None
    group: NDArray[np.int64] | None = None
    groups: tuple[Any, ...] = ()
    _shared: dict[Hashable, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._check_all()

    @classmethod
    def _from_saved(cls, values: dict[str, Any]) -> Self:
        """Return saved forecasts, whose probabilities may have been saved as float16."""
        forecasts = object.__new__(cls)
        for name, value in {**values, "_shared": {}}.items():
            object.__setattr__(forecasts, name, value)
        forecasts._check_all(np.float16)
        return forecasts

    def _check_all(self, dtype: DTypeLike | None = None) -> None:
        self._check()
        proba = checks.as_numbers("y_proba", self.y_proba)
        if proba.shape != (self.n_samples, self.n_classes):
            raise ValueError(
                f"y_proba must have shape ({self.n_samples}, {self.n_classes}), got {proba.shape}."
            )
        proba = sampling.checked_probabilities(proba, dtype=dtype)
        object.__setattr__(self, "y_proba", arithmetic.owned(proba, np.float64))

    @classmethod
    def from_probabilities(
        cls,
        y_true: TrueClasses,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        by: ArrayLike | None = None,
    ) -> Self:
        """Take true classes and probabilities, and put the columns in the order of the scale.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), or OrdinalRatings
            True classes. Or soft labels: a distribution over the classes for each sample, or the
            grades of several raters. Each class with a share of a sample counts as a row with the
            share as its weight, and the rows of the same sample are a cluster.
        y_proba : array-like of shape (n_samples, n_columns)
            Probabilities of the classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        classes : array-like of shape (n_columns,), default=None
            The class of each column, in any order, such as ``classes_`` of a classifier; a
            class without a column has probability 0. If None, the columns are all classes from
            the lowest to the highest.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as the patient or the document. Resampling draws whole
            clusters, since samples of the same cluster are not independent.
        strata : array-like of shape (n_samples,), default=None
            Stratum of each sample, if a fixed number of samples, or of clusters, was drawn from
            each stratum. Resampling draws within the strata.
        by : array-like of shape (n_samples,), default=None
            Group of each sample, such as the country. If None, there are no groups.

        Returns
        -------
        OrdinalForecasts
            The true classes, probabilities and weights.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, a row does
            not add up to 1 within 1e-6 (in float32 and float16, within the square root of
            the precision of the dtype) or has negative or missing values, or the number or
            the names of the columns do not match the classes.

        Notes
        -----
        With soft labels, a criterion that is a mean over the samples, such as the ranked
        probability score or the log loss, is its expected value over the grades, which includes the
        spread of the grades of a sample. Criteria of rankings compare all pairs of rows, and two
        classes of the same sample are a tie.

        The criteria use the probabilities as they are, even if they do not add up to exactly 1.
        If they are rounded further, divide each row by its sum.
        """
        return sampling.read_rows(
            read_forecasts,
            cls,
            y_true,
            y_proba,
            name="y_proba",
            labels=labels,
            classes=classes,
            sample_weight=sample_weight,
            clusters=clusters,
            strata=strata,
            by=by,
        )

    @classmethod
    def from_cumulative(
        cls,
        y_true: ArrayLike,
        y_above: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        by: ArrayLike | None = None,
    ) -> Self:
        r"""Take true classes and the probabilities of being above each class but the highest.

        Cumulative models, such as CORAL networks [1]_, have an output :math:`P(y > k)` for
        each threshold of the scale. The probability of a class is the difference of two
        neighbouring outputs.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_above : array-like of shape (n_samples, n_classes - 1)
            Probabilities of being above each class but the highest, columns in the order of
            the scale. They must not rise from column to column. Two classes may have a
            single column of shape (n_samples,).
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as the patient or the document. Resampling draws whole
            clusters, since samples of the same cluster are not independent.
        strata : array-like of shape (n_samples,), default=None
            Stratum of each sample, if a fixed number of samples, or of clusters, was drawn from
            each stratum. Resampling draws within the strata.
        by : array-like of shape (n_samples,), default=None
            Group of each sample, such as the country. If None, there are no groups.

        Returns
        -------
        OrdinalForecasts
            The true classes, probabilities of the classes, and weights.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, the number of
            columns differs from the number of thresholds, or a value is missing, is not between
            0 and 1, or is higher than the value before it.

        See Also
        --------
        OrdinalForecasts.from_probabilities : Take a probability for each class.

        Notes
        -----
        Values that rise by at most 1e-6, or leave [0, 1] by at most 1e-6, are treated as
        rounding errors and replaced by the running minimum, so each row of probabilities is
        non-negative and adds up to 1. Networks with an independent output for each threshold may
        predict larger rises. ``np.minimum.accumulate(y_above, axis=1)`` removes them.

        The outputs of CORN networks [2]_ are conditional, :math:`P(y > k \mid y \ge k)`.
        Their cumulative products ``np.cumprod(outputs, axis=1)`` are :math:`P(y > k)`.

        References
        ----------
        .. [1] W. Cao, V. Mirjalili, S. Raschka (2020), "Rank consistent ordinal regression
           for neural networks with application to age estimation", Pattern Recognition
           Letters 140, :doi:`10.1016/j.patrec.2020.11.008`.
        .. [2] X. Shi, W. Cao, S. Raschka (2023), "Deep neural networks for rank-consistent
           ordinal regression based on conditional probabilities", Pattern Analysis and
           Applications 26, :doi:`10.1007/s10044-023-01181-9`.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalForecasts, get_metric
        >>> forecasts = OrdinalForecasts.from_cumulative(
        ...     ["low", "high"], [[0.25, 0.125], [1.0, 0.5]], labels=["low", "mid", "high"]
        ... )
        >>> forecasts.y_proba
        array([[0.75 , 0.125, 0.125],
               [0.   , 0.5  , 0.5  ]])
        >>> get_metric("ranked_probability_score")(forecasts)
        0.1640625
        """
        scale, true, proba, weight = sampling.read_cumulative(
            y_true, y_above, labels, sample_weight
        )
        forecasts = cls(scale, true, proba, weight, sample_weight is not None)
        return sampling.with_columns(forecasts, y_true, clusters=clusters, strata=strata, by=by)

    def to_scores(self) -> OrdinalScores:
        """Return the expected positions as scores.

        Returns
        -------
        OrdinalScores
            Expected position of each sample on the scale, rounded to 12 digits so that
            equal probabilities are tied.
        """
        scores = self.shared(_scores)
        converted: OrdinalScores = sampling.reweighted(scores, self.weights)
        object.__setattr__(converted, "clusters", self.clusters)
        object.__setattr__(converted, "strata", self.strata)
        return sampling.with_groups_like(converted, self)

    def to_confusion(self) -> OrdinalConfusion:
        """Return soft counts: each sample counts in every class with the probability of that class.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (..., n_classes, n_classes). On these counts, criteria that are
            linear in the counts equal their expected value for classes sampled from the
            probabilities.
        """
        counts = sampling.soft_counts(self.y_true, self.y_proba, self.weights)
        return OrdinalConfusion(
            self.scale,
            counts,
            # Sums of probabilities may be integers, but they are no numbers of samples.
            self.is_weighted or not sampling.are_certain(self.y_proba),
            groups=self.groups,
            is_clustered=self.clusters is not None,
            is_stratified=self.strata is not None,
        )


def read_forecasts(
    kind: type[AnyForecasts],
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    name: str = "y_proba",
    labels: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    by: ArrayLike | None = None,
    copy: bool = True,
) -> AnyForecasts:
    """Return forecasts from arrays; `name` is the name of the probabilities in errors.

    If the arrays are not copied, the forecasts change with them, so do not keep the
    forecasts.
    """
    scale, true, proba, weight = sampling.read_probabilities(
        y_true, y_proba, labels, classes, sample_weight, name=name
    )
    proba = sampling.checked_probabilities(proba, name=name)
    if copy:
        true, proba = arithmetic.unshared(true, y_true), arithmetic.unshared(proba, y_proba)
        weight = arithmetic.unshared(weight, sample_weight)
    forecasts = sampling.from_checked(
        kind, scale, true, proba, weight, is_weighted=sample_weight is not None
    )
    return sampling.with_columns(forecasts, y_true, clusters=clusters, strata=strata, by=by)


def _scores(forecasts: OrdinalForecasts) -> OrdinalScores:
    return OrdinalScores(
        forecasts.scale,
        forecasts.y_true,
        expected_positions(forecasts.y_proba),
        np.ones(forecasts.n_samples),
        forecasts.is_weighted,
    )
