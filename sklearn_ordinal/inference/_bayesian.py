"""Posterior probabilities of differences that matter in practice."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from sklearn_ordinal._core import check_rope
from sklearn_ordinal._documents import Column, Document, Note, Table, Views, plain
from sklearn_ordinal.inference._corrected_t import fold_differences, fold_mean
from sklearn_ordinal.inference._ties import TIE


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
                name for name, value in rows if math.isclose(value, highest, rel_tol=TIE)
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
        numbers: dict[str, Any] = plain(asdict(self))
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
    rope = check_rope(rope)
    folds = fold_mean(fold_differences(scores_a, scores_b), n_train, n_test)
    if folds.standard_error == 0:
        worse, better = float(folds.mean < -rope), float(folds.mean > rope)
        return PosteriorProbabilities(worse, 1.0 - worse - better, better, folds.n_undefined)
    # 1/n + rho / (1 - rho) is the 1/n + n_test / n_train of the corrected test.
    posterior = stats.t(folds.degrees_of_freedom, folds.mean, folds.standard_error)
    with np.errstate(over="ignore"):  # a rope may be far wider than the posterior
        worse, better = float(posterior.cdf(-rope)), float(posterior.sf(rope))
        equivalent = float(posterior.cdf(rope)) - worse
    return PosteriorProbabilities(worse, equivalent, better, folds.n_undefined)
