"""Holm's correction of the p-values of several tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, tolerances


def is_rejected(
    adjusted_pvalues: NDArray[np.float64] | float, confidence_level: float
) -> NDArray[np.bool_]:
    """Return whether each p-value is at most 1 - confidence_level; False for undefined p-values."""
    # Due to rounding, 1 - 0.9 is less than 0.1, and p-values of resamples may be exactly 0.1.
    return np.asarray(adjusted_pvalues <= (1 - confidence_level) * (1 + tolerances.TIE))


def holm_correction(pvalues: ArrayLike) -> NDArray[np.float64]:
    r"""Adjust the p-values of several tests with Holm's method.

    If tests with an adjusted p-value of at most :math:`\alpha` are rejected, the
    probability of any false rejection is at most :math:`\alpha`, whatever the dependence
    between the tests. The :math:`i`-th smallest of :math:`m` p-values becomes [1]_:

    .. math:: \tilde p_{(i)} = \min\Big(1, \max_{j \le i}\, (m - j + 1)\, p_{(j)}\Big)

    Parameters
    ----------
    pvalues : array-like of shape (n_tests,)
        P-values in [0, 1]. NaN marks a test that could not be performed; it stays NaN and
        is not counted.

    Returns
    -------
    ndarray of shape (n_tests,)
        Adjusted p-values in [0, 1], in the order of `pvalues`.

    Raises
    ------
    ValueError
        If `pvalues` is not a one-dimensional array of numbers in [0, 1].

    See Also
    --------
    corrected_t_test : Test a single difference.
    compare_ranks : Compare all pairs of systems over several data sets.

    References
    ----------
    .. [1] S. Holm (1979), "A simple sequentially rejective multiple test procedure",
       Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> from sklearn_ordinal.inference import holm_correction
    >>> holm_correction([0.01, 0.04, 0.03, 0.005])
    array([0.03, 0.06, 0.06, 0.02])
    """
    raw = checks.check_floats("pvalues", pvalues, ndim=1)
    outside = raw[(raw < 0) | (raw > 1)]
    if outside.size:
        raise ValueError(f"pvalues must be in [0, 1], got {outside[0]}.")
    # NaN sorts last.
    ascending = np.argsort(raw, kind="stable")[: np.count_nonzero(~np.isnan(raw))]
    n_left = np.arange(len(ascending), 0, -1)
    adjusted = np.full(raw.shape, np.nan)
    adjusted[ascending] = np.minimum(np.maximum.accumulate(n_left * raw[ascending]), 1.0)
    return adjusted


def adjusted_differences_from_all(pvalues: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p-values of the differences of groups from all samples.

    The differences of two groups are one hypothesis.
    """
    adjusted = holm_correction(pvalues)
    return adjusted if len(adjusted) > 2 else np.asarray(pvalues, dtype=np.float64)
