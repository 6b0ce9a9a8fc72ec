"""Intervals, tests and posterior probabilities for scores of folds, which share training data."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import stdtr, stdtrit

from sklearn_ordinal._core import checks, tolerances
from sklearn_ordinal._documents import json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference

# Intervals and tests for cross-validation scores, whose folds share training data
# --------------------------------------------------------------------------------

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
    n_train, n_test = _check_size("n_train", n_train), _check_size("n_test", n_test)
    defined = values[~np.isnan(values)]
    n_folds, n_undefined = len(defined), int(np.isnan(values).sum())
    mean = float(defined.mean()) if n_folds else math.nan
    if n_folds < _FEWEST_FOLDS:
        return MeanOfFolds(mean, math.nan, n_folds - 1, n_undefined)
    # Rounding would give equal values a small positive variance.
    is_constant = np.ptp(defined) <= tolerances.TIE * np.abs(defined).max()
    variance = 0.0 if is_constant else float(defined.var(ddof=1))
    standard_error = math.sqrt(_mean_variance(n_folds, n_train, n_test) * variance)
    return MeanOfFolds(mean, standard_error, n_folds - 1, n_undefined)


def _check_size(name: str, value: float) -> float:
    """Return a number of samples, which may be a mean over folds."""
    if not checks.is_real(value) or not 0 < value < np.inf:
        raise ValueError(
            f"{name} must be a positive number, such as the mean over the folds, "
            f"got {checks.shown(value)}."
        )
    return float(value)


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


def _fold_differences(scores_a: ArrayLike, scores_b: ArrayLike) -> NDArray[np.float64]:
    """Return the differences: NaN if a score is NaN, 0 if scores are equal up to rounding."""
    a, b = _fold_scores("scores_a", scores_a), _fold_scores("scores_b", scores_b)
    if a.shape != b.shape:
        raise ValueError(
            f"scores_a and scores_b must come from the same folds, got {len(a)} and {len(b)} "
            f"scores."
        )
    margin = tolerances.TIE * np.nanmax(np.abs([*a, *b]), initial=0.0)
    return np.where(np.abs(a - b) <= margin, 0.0, a - b)


def _fold_scores(name: str, scores: ArrayLike) -> NDArray[np.float64]:
    """Return scores, which may be NaN, whose variance can be computed."""
    values = checks.check_floats(name, scores, ndim=1)
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
    level = checks.check_share("confidence_level", confidence_level)
    folds = fold_mean(_fold_scores("scores", scores), n_train, n_test)
    margin = _margin(folds, level)
    return Interval(
        folds.mean,
        folds.mean - margin,
        folds.mean + margin,
        level,
        folds.n_undefined,
        method=_METHOD,
        standard_error=folds.standard_error,
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
    checks.check_bool("greater_is_better", greater_is_better)
    level = checks.check_share("confidence_level", confidence_level)
    folds = fold_mean(_fold_differences(scores_a, scores_b), n_train, n_test)
    margin = _margin(folds, level)
    return PairedDifference(
        folds.mean,
        folds.mean - margin,
        folds.mean + margin,
        level,
        folds.n_undefined,
        method=_METHOD,
        standard_error=folds.standard_error,
        pvalue=_two_sided_pvalue(folds),
        greater_is_better=greater_is_better,
    )


def _margin(folds: MeanOfFolds, level: float) -> float:
    return float(-stdtrit(folds.degrees_of_freedom, (1 - level) / 2) * folds.standard_error)


def _two_sided_pvalue(folds: MeanOfFolds) -> float:
    if folds.standard_error == 0:
        return float(folds.mean == 0)
    # As `scipy.stats.t`, whose overhead would be felt for many pairs of estimators.
    return float(2 * stdtr(folds.degrees_of_freedom, -abs(folds.mean) / folds.standard_error))


# Posterior probabilities of differences that matter in practice
# --------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PosteriorProbabilities(Views):
    """Probabilities that one estimator is worse than, equivalent to, or better than another.

    Parameters
    ----------
    worse : float
        Probability that the first estimator is worse than the second, by more than half the
        width of the region of practical equivalence.
    equivalent : float
        Probability that the difference lies in the region of practical equivalence.
    better : float
        Probability that the first estimator is better than the second, by more than half the
        width of the region of practical equivalence.
    n_undefined : int, default=0
        Number of folds for which the difference is undefined; they are left out.

    See Also
    --------
    bayesian_correlated_t_test : Compute the probabilities from scores of the same folds.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PosteriorProbabilities
    >>> print(PosteriorProbabilities(worse=0.012, equivalent=0.145, better=0.843))
    worse 0.012, equivalent 0.145, better 0.843
    """

    worse: float
    equivalent: float
    better: float
    n_undefined: int = 0

    def __str__(self) -> str:
        return f"worse {self.worse:.3f}, equivalent {self.equivalent:.3f}, better {self.better:.3f}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table.
        """
        rows = (
            ("worse", self.worse),
            ("equivalent", self.equivalent),
            ("better", self.better),
        )
        columns = (Column("the first is"), Column("probability", "number"))
        verdict = "The probabilities are undefined."
        if not math.isnan(self.better):
            highest = max(probability for _, probability in rows)
            most_probable = [
                name for name, value in rows if math.isclose(value, highest, rel_tol=tolerances.TIE)
            ]
            each = " each" if len(most_probable) > 1 else ""
            verdict = (
                f"Most probably, the first is {' or '.join(most_probable)} (probability "
                f"{highest:.3f}{each})."
            )
        return Document(
            "Posterior probabilities",
            (Table("Posterior probabilities", columns, rows),),
            verdict=(Note(verdict),),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the probabilities as a dict.

        Returns
        -------
        dict
            Values of the attributes by name; undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(asdict(self))
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(self)]


def bayesian_correlated_t_test(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    rope: float = 0.01,
) -> PosteriorProbabilities:
    r"""Compute the probability that one estimator is better than another in practice.

    The probabilities apply to the estimators as fitted on this data. They do not say which
    learning algorithm is better on other samples; for scores on several data sets, see
    `compare_ranks`.

    Let :math:`\bar d` and :math:`s^2` be the mean and variance of :math:`n` differences, and
    :math:`\rho = n_{\mathrm{test}} / (n_{\mathrm{train}} + n_{\mathrm{test}})` the correlation
    of folds that share training samples. The posterior of the true difference is then a
    Student t distribution with :math:`n - 1` degrees of freedom [1]_:

    .. math:: \mathrm{St}\Big(n - 1,\ \bar d,\ \Big(\frac{1}{n} +
        \frac{\rho}{1 - \rho}\Big) s^2\Big)

    The probabilities are the masses of this distribution below, within and above the region of
    practical equivalence.

    Parameters
    ----------
    scores_a : array-like of shape (n_folds,)
        Scores of the first estimator, one per fold over all repetitions. Higher is
        better.
    scores_b : array-like of shape (n_folds,)
        Scores of the second estimator on the same folds. Folds in which either score is NaN
        are left out and counted.
    n_train : float
        Number of training samples of a fold, or its mean over the folds.
    n_test : float
        Number of test samples of a fold, or its mean over the folds.
    rope : float, default=0.01
        Half the width of the region of practical equivalence: differences of at most this
        size, in the unit of the scores, do not matter. With 0, every difference matters.

    Returns
    -------
    PosteriorProbabilities
        Probabilities that the first estimator is worse than the second, equivalent to it, or
        better, which add up to 1. The probabilities are NaN if fewer than three folds are
        defined. If all differences are equal, one of the probabilities is 1.

    Raises
    ------
    ValueError
        If the scores are not one-dimensional numbers of the same folds, `n_train` or
        `n_test` is not positive, or `rope` is negative.

    See Also
    --------
    corrected_t_test : Test for a difference, using the same t distribution.
    compare_ranks : Compare systems over several data sets.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017), "Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis", Journal of
       Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from sklearn_ordinal.inference import bayesian_correlated_t_test
    >>> a, b = [0.71, 0.74, 0.69, 0.73, 0.75], [0.66, 0.70, 0.67, 0.66, 0.70]
    >>> print(bayesian_correlated_t_test(a, b, n_train=80, n_test=20, rope=0.02))
    worse 0.003, equivalent 0.047, better 0.950
    """
    rope = checks.check_rope(rope)
    folds = fold_mean(_fold_differences(scores_a, scores_b), n_train, n_test)
    if folds.standard_error == 0:
        worse, better = float(folds.mean < -rope), float(folds.mean > rope)
        return PosteriorProbabilities(worse, 1.0 - worse - better, better, folds.n_undefined)
    # 1/n + rho / (1 - rho) is the 1/n + n_test / n_train of the corrected test.
    posterior = stats.t(folds.degrees_of_freedom, folds.mean, folds.standard_error)
    with np.errstate(over="ignore"):  # a rope may be far wider than the posterior
        worse, better = float(posterior.cdf(-rope)), float(posterior.sf(rope))
        equivalent = float(posterior.cdf(rope)) - worse
    return PosteriorProbabilities(worse, equivalent, better, folds.n_undefined)
