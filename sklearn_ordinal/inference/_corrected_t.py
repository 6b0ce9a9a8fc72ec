"""Intervals and tests for cross-validation scores, whose folds share training data."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_ordinal._core import check_bool, check_floats, check_share, check_size
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.inference._ties import TIE

_METHOD = "corrected t"
# With two folds, the quantile of the t distribution is 12.7, so that the interval says nothing.
_FEWEST_FOLDS = 3
# Squares of larger scores would overflow.
_LARGEST_SCORE = 1e100


class MeanOfFolds(NamedTuple):
    """A mean over folds and its standard error, NaN if too few folds are defined."""

    mean: float
    standard_error: float
    degrees_of_freedom: int
    n_undefined: int


def fold_mean(values: NDArray[np.float64], n_train: float, n_test: float) -> MeanOfFolds:
    """Return the mean with the corrected standard error of Nadeau and Bengio."""
    n_train, n_test = check_size("n_train", n_train), check_size("n_test", n_test)
    defined = values[~np.isnan(values)]
    n_folds, n_undefined = len(defined), int(np.isnan(values).sum())
    mean = float(defined.mean()) if n_folds else math.nan
    if n_folds < _FEWEST_FOLDS:
        return MeanOfFolds(mean, math.nan, n_folds - 1, n_undefined)
    # Rounding would give equal values a small positive variance.
    is_constant = np.ptp(defined) <= TIE * np.abs(defined).max()
    variance = 0.0 if is_constant else float(defined.var(ddof=1))
    standard_error = math.sqrt(_mean_variance(n_folds, n_train, n_test) * variance)
    return MeanOfFolds(mean, standard_error, n_folds - 1, n_undefined)


def _mean_variance(n_folds: int, n_train: float, n_test: float) -> float:
    """Return the variance of a mean over folds, relative to the variance of the folds."""
    return 1 / n_folds + n_test / n_train


def width_after_repetition(
    n_repetitions: int, *, n_folds: int, n_train: float, n_test: float, confidence_level: float
) -> float:
    """Return the width of an interval from repeated folds, relative to a single repetition.

    The standard deviation over the folds is assumed to be the same in both cases.
    """
    widths = [
        stats.t.isf((1 - confidence_level) / 2, n - 1)
        * math.sqrt(_mean_variance(n, n_train, n_test))
        for n in (n_repetitions * n_folds, n_folds)
    ]
    return float(widths[0] / widths[1])


def fold_differences(scores_a: ArrayLike, scores_b: ArrayLike) -> NDArray[np.float64]:
    """Return the differences: NaN if a score is NaN, 0 if scores are equal up to rounding."""
    a, b = _fold_scores("scores_a", scores_a), _fold_scores("scores_b", scores_b)
    if a.shape != b.shape:
        raise ValueError(
            f"scores_a and scores_b must come from the same folds, got {len(a)} and {len(b)} "
            f"scores."
        )
    margin = TIE * np.nanmax(np.abs([*a, *b]), initial=0.0)
    return np.where(np.abs(a - b) <= margin, 0.0, a - b)


def _fold_scores(name: str, scores: ArrayLike) -> NDArray[np.float64]:
    """Return scores, which may be NaN, whose variance can be computed."""
    values = check_floats(name, scores, ndim=1)
    is_too_large = np.abs(values) > _LARGEST_SCORE
    if is_too_large.any():
        raise ValueError(
            f"{name} must be at most {_LARGEST_SCORE:g} in absolute value, so that squares do not "
            f"overflow, got {values[is_too_large][0]:g}: rescale them."
        )
    return values


def corrected_t_interval(
    scores: ArrayLike, *, n_train: float, n_test: float, confidence_level: float = 0.95
) -> Interval:
    r"""Compute the corrected resampled t interval of cross-validation scores.

    The folds share training samples, so their scores vary less than scores on independent
    data would. The variance of the mean of :math:`n` scores with variance :math:`s^2` is
    estimated as [1]_:

    .. math:: \Big(\frac{1}{n} + \frac{n_{\mathrm{test}}}{n_{\mathrm{train}}}\Big) s^2

    and the interval uses the t distribution with :math:`n - 1` degrees of freedom. The
    interval describes the models that were fitted on this data, not the performance of the
    learning algorithm on other samples.

    Parameters
    ----------
    scores : array-like of shape (n_folds,)
        One score per fold, over all repetitions. NaN marks a fold that failed or for which
        the metric is undefined; such folds are left out and counted.
    n_train : float
        Number of training samples of a fold, or its mean over the folds.
    n_test : float
        Number of test samples of a fold, or its mean over the folds.
    confidence_level : float, default=0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Interval
        The mean of the scores and its interval, in the unit of the scores. The ends are
        not clipped to the range of the metric. The ends are NaN if fewer than three scores
        are defined, and equal the mean if all scores are equal.

    Raises
    ------
    ValueError
        If `scores` is not a one-dimensional array of numbers, `n_train` or `n_test` is not
        positive, or `confidence_level` is not between 0 and 1.

    See Also
    --------
    corrected_t_test : Test the difference between two estimators.
    bootstrap_interval : Compute the interval of a metric for given predictions.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), "Inference for the generalization error", Machine
       Learning 52, 239-281, :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import corrected_t_interval
    >>> print(corrected_t_interval([0.71, 0.74, 0.69, 0.73, 0.75], n_train=80, n_test=20))
    0.724 (95% interval 0.679 to 0.769)
    """
    level = check_share("confidence_level", confidence_level)
    folds = fold_mean(_fold_scores("scores", scores), n_train, n_test)
    margin = _margin(folds, level)
    return Interval(
        folds.mean,
        folds.mean - margin,
        folds.mean + margin,
        level,
        folds.n_undefined,
        method=_METHOD,
    )


def corrected_t_test(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    confidence_level: float = 0.95,
    greater_is_better: bool = True,
) -> PairedDifference:
    """Test whether two estimators, as fitted on this data, differ in their scores on folds.

    This is the corrected resampled t-test [1]_, a paired t-test whose variance accounts for the
    training samples that the folds share, as in `corrected_t_interval`. The result applies to
    the models fitted on this data, not to the learning algorithms. In simulations with repeated
    folds and skewed classes, it finds equally good algorithms different in up to 12% of the data
    sets at the level of 5%, which chance may explain. To test whether one algorithm is better than
    another, use `compare_ranks` with scores on several data sets.

    Parameters
    ----------
    scores_a : array-like of shape (n_folds,)
        Scores of the first estimator, one per fold over all repetitions.
    scores_b : array-like of shape (n_folds,)
        Scores of the second estimator on the same folds. Folds where either score is NaN
        are left out and counted.
    n_train : float
        Number of training samples of a fold, or its mean over the folds.
    n_test : float
        Number of test samples of a fold, or its mean over the folds.
    confidence_level : float, default=0.95
        Confidence level of the interval, between 0 and 1.
    greater_is_better : bool, default=True
        Whether higher scores are better. False for errors and losses that are not negated.

    Returns
    -------
    PairedDifference
        The mean of ``scores_a - scores_b``, its interval and a two-sided p-value. The interval
        is in the unit of the scores and is not clipped to any range. Ends and p-value are NaN
        if fewer than three folds are defined. If all differences are equal, the interval has zero
        width, and the p-value is 1 if the differences are zero and 0 otherwise. Such a p-value
        only shows that the folds agree.

    Raises
    ------
    ValueError
        If the scores are not one-dimensional numbers of the same folds, `n_train` or
        `n_test` is not positive, or `confidence_level` is not between 0 and 1.

    See Also
    --------
    bayesian_correlated_t_test : Probability that a difference matters in practice.
    holm_correction : Adjust the p-values of several such tests.
    compare_ranks : Compare systems over several data sets.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), "Inference for the generalization error", Machine
       Learning 52, 239-281, :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import corrected_t_test
    >>> a, b = [0.71, 0.74, 0.69, 0.73, 0.75], [0.66, 0.70, 0.67, 0.66, 0.70]
    >>> print(corrected_t_test(a, b, n_train=80, n_test=20))
    the first is higher by 0.046 (95% interval 0.012 to 0.080, p = 0.020)
    """
    check_bool("greater_is_better", greater_is_better)
    level = check_share("confidence_level", confidence_level)
    folds = fold_mean(fold_differences(scores_a, scores_b), n_train, n_test)
    margin = _margin(folds, level)
    return PairedDifference(
        folds.mean,
        folds.mean - margin,
        folds.mean + margin,
        level,
        folds.n_undefined,
        method=_METHOD,
        pvalue=_two_sided_pvalue(folds),
        greater_is_better=greater_is_better,
    )


def _margin(folds: MeanOfFolds, level: float) -> float:
    return float(stats.t.isf((1 - level) / 2, folds.degrees_of_freedom) * folds.standard_error)


def _two_sided_pvalue(folds: MeanOfFolds) -> float:
    if folds.standard_error == 0:
        return float(folds.mean == 0)
    return float(2 * stats.t.sf(abs(folds.mean) / folds.standard_error, folds.degrees_of_freedom))
