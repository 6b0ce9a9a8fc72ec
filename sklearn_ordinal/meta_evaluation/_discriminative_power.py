"""The share of pairs of systems that each metric separates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import arithmetic, checks, tolerances
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.lookup import MetricsLike
from sklearn_ordinal._core.resampling import UnitDraws
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal.inference import _holm_correction
from sklearn_ordinal.meta_evaluation import _ordinal_systems
from sklearn_ordinal.meta_evaluation._ordinal_systems import (
    Evaluation,
    OrdinalSystems,
    PredictedPositions,
)

Unit = Literal["test cases", "samples"]

_CELLS_AT_ONCE = 2**20
_WEIGHTS_AT_ONCE = 2**22
_NUMBERS_IN_CACHE = 2**17


@dataclass(frozen=True, eq=False)
class DiscriminativePower:
    """The shares of pairs of systems that metrics separate.

    `discriminative_power` returns an instance of this class. A pair is separated if its p-value
    is at most `alpha`.

    Parameters
    ----------
    metrics : tuple of str
        Names of the metrics.
    systems : tuple of str
        Names of the systems.
    pvalues : ndarray of shape (n_metrics, n_systems, n_systems)
        P-value of each pair for each metric, not adjusted for the number of pairs; 1 on the
        diagonals.
    shares : ndarray of shape (n_metrics,)
        Share of the pairs that each metric separates.
    adjusted_shares : ndarray of shape (n_metrics,)
        Share of the pairs that each metric separates after Holm's correction for the number of
        pairs. NaN if there are too few resamples: the smallest possible p-value,
        ``1 / (n_resamples + 1)``, multiplied by the number of pairs, must be at most `alpha`.
    separating_differences : ndarray of shape (n_metrics,)
        Smallest difference, in the unit of the metric, such that every pair of systems with at
        least this difference is separated; NaN if the pair with the largest difference is not
        separated.
    n_undefined : mapping of str to int
        Number of undefined values of each metric, counted over systems and test cases.
        Undefined values are replaced as in scorers.
    n_undefined_resampled : mapping of str to int
        Number of undefined values of each metric in the resamples, if samples are resampled.

    See Also
    --------
    discriminative_power : Compute the discriminative power of metrics.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, discriminative_power
    >>> systems = OrdinalSystems.from_predictions(
    ...     [0, 1, 2, 3] * 10,
    ...     {
    ...         "exact": [0, 1, 2, 3] * 10,
    ...         "near": [0, 1, 2, 2, 0, 2, 2, 3] * 5,
    ...         "far": [0, 1, 2, 0, 0, 3, 2, 3] * 5,
    ...     },
    ... )
    >>> power = discriminative_power(
    ...     systems, metrics=["cem_ord", "accuracy"], unit="samples", random_state=0
    ... )
    >>> power.shares
    array([1.        , 0.66666667])
    >>> accuracy = power.pvalues[power.metrics.index("accuracy")]
    >>> [systems.names[i] for i in np.flatnonzero(accuracy[0] <= 0.05)]
    ['near', 'far']
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pvalues: NDArray[np.float64]
    shares: NDArray[np.float64]
    adjusted_shares: NDArray[np.float64]
    separating_differences: NDArray[np.float64]
    n_undefined: Mapping[str, int]
    n_undefined_resampled: Mapping[str, int]


def discriminative_power(
    systems: Any,
    *,
    metrics: MetricsLike = "all",
    unit: Unit = "test cases",
    alpha: float = 0.05,
    n_resamples: int = 9999,
    random_state: RandomState = None,
) -> DiscriminativePower:
    r"""Compute the share of pairs of systems that each metric separates.

    A metric with more discriminative power finds more differences between systems from the same
    data [1]_. Each pair is tested with a bootstrap test. All pairs and all metrics are
    evaluated on the same resamples.

    If test cases are drawn, this is the test of [1]_. Let :math:`z_i` be the differences of two
    systems on the :math:`n` test cases. The statistic is
    :math:`t(z) = \bar z / (s_z / \sqrt n)`. Its distribution under the null hypothesis is
    estimated from resamples :math:`w^*` of the shifted differences :math:`w_i = z_i - \bar z`:

    .. math:: p = \frac{1 + \#\{|t(w^*)| \ge |t(z)|\}}{1 + B}

    where :math:`B` is the number of resamples and :math:`t = 0` if all differences are 0.

    If samples are drawn, they are drawn within each test case, together with the predictions of
    all systems. Let :math:`d` be the difference of the means of two systems over the test
    cases, and :math:`d^*` this difference in a resample. The distribution is shifted as well
    [2]_, but not studentised:

    .. math:: p = \frac{1 + \#\{|d^* - d| \ge |d|\}}{1 + B}

    Parameters
    ----------
    systems : OrdinalSystems, OrdinalConfusion or array-like
        At least two systems: an `OrdinalSystems`, or counts of shape (n_test_cases,
        n_systems, n_classes, n_classes).
    metrics : str, callable, iterable or dict of them, default="all"
        Metrics of predicted classes: anything that `get_metric` accepts, or "all" for all metrics
        of this package.
    unit : {"test cases", "samples"}, default="test cases"
        The units that are resampled. With "test cases", the result generalises to other test
        cases of the same kind, and at least two test cases are needed. With "samples", the
        result generalises to other samples of the same test cases, and a single test case is
        enough; `systems` must then contain the predictions, as it does after
        `OrdinalSystems.from_predictions`.
    alpha : float, default=0.05
        Significance level of the tests, between 0 and 1.
    n_resamples : int, default=9999
        Number of resamples. The smallest possible p-value is ``1 / (n_resamples + 1)``.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for reproducible results.

    Returns
    -------
    DiscriminativePower
        For each metric, the share of the pairs that it separates, in [0, 1], the share after
        Holm's correction, and the p-value of each pair. Undefined values are counted, and
        replaced as in scorers.

    Raises
    ------
    ValueError
        If there are fewer than two systems, or fewer than two test cases, or samples of a test
        case, to resample; if the predictions are required but not known, a metric needs more
        than predicted classes, or an option is out of range.

    See Also
    --------
    sklearn_ordinal.inference.paired_difference : Test a single pair on the same samples.
    sklearn_ordinal.inference.compare_ranks : Test systems by their ranks on test cases.

    Notes
    -----
    The p-values are not adjusted for the number of pairs, so at the level 0.05 about one in
    twenty pairs of equivalent systems is separated. With Holm's correction, the probability
    that any pair of equivalent systems is separated is at most `alpha`. The share after this
    correction is undefined if there are too few resamples.

    Discriminative power is not evidence that a metric measures what matters. It grows with any
    consistent difference, and is 1 for a metric that depends only on the name of the system.

    References
    ----------
    .. [1] T. Sakai (2006), "Evaluating evaluation metrics based on the bootstrap", SIGIR
       2006, 525-532, :doi:`10.1145/1148170.1148261`.
    .. [2] S. Riezler, J. T. Maxwell (2005), "On some pitfalls in automatic evaluation and
       significance testing for MT", ACL workshop on intrinsic and extrinsic evaluation
       measures, 57-64, https://aclanthology.org/W05-0908.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import discriminative_power, make_ordinal_systems
    >>> systems = make_ordinal_systems(
    ...     n_test_cases=20, kinds=["rand", "prox"], error_rates=[0.3, 0.4], random_state=0
    ... )
    >>> metrics = ["cem_ord", "ordinal_mean_absolute_error", "accuracy"]
    >>> power = discriminative_power(systems, metrics=metrics, random_state=0)
    >>> power.shares.round(3)
    array([1.   , 1.   , 0.833])
    >>> power.separating_differences.round(3)
    array([0.022, 0.063, 0.045])
    """
    systems = _ordinal_systems.as_systems(systems)
    checks.check_choice("unit", unit, Unit)
    level = checks.check_share("alpha", alpha)
    rng = checks.as_generator(random_state)
    n_test_cases = len(systems.test_cases)
    checks.check_count("n_resamples", n_resamples, at_least=1, size=n_test_cases)
    if unit == "test cases" and n_test_cases < 2:
        raise ValueError(
            "systems must have at least 2 test cases, got 1: resample samples with unit='samples'."
        )
    evaluation = _ordinal_systems.evaluate_systems(systems, metrics)
    if unit == "test cases":
        pvalues = _test_case_pvalues(evaluation.values, rng, n_resamples)
        n_undefined_resampled = dict.fromkeys(evaluation.names, 0)
    else:
        predictions = _known_predictions(systems)
        pvalues, n_undefined_resampled = _sample_pvalues(
            systems, predictions, evaluation, rng, n_resamples
        )
    of_pairs = pvalues[:, *np.triu_indices(len(systems.names), k=1)]
    adjusted_shares = np.full(len(of_pairs), np.nan)
    if of_pairs.shape[1] / (1 + n_resamples) <= level * (1 + tolerances.TIE):
        adjusted = np.stack([_holm_correction.holm_correction(of_metric) for of_metric in of_pairs])
        adjusted_shares = (adjusted <= level).mean(axis=-1)
    return DiscriminativePower(
        metrics=evaluation.names,
        systems=systems.names,
        pvalues=pvalues,
        shares=(of_pairs <= level).mean(axis=-1),
        adjusted_shares=adjusted_shares,
        separating_differences=_separating_differences(evaluation.values, pvalues <= level),
        n_undefined=evaluation.n_undefined,
        n_undefined_resampled=n_undefined_resampled,
    )


def _known_predictions(systems: OrdinalSystems) -> PredictedPositions:
    predictions = systems.predictions
    if predictions is None:
        raise ValueError(
            "systems must have the predictions of each sample for unit='samples', got counts: pass "
            "OrdinalSystems.from_predictions(y_true, predictions)."
        )
    sizes = np.bincount(predictions.test_case)
    if sizes.min() < 2:
        raise ValueError(
            f"systems must have at least 2 samples of each test case for unit='samples', got 1 of "
            f"{checks.shown(systems.test_cases[sizes.argmin()])}: leave it out, or pass unit='test "
            "cases'."
        )
    return predictions


def _separating_differences(values: Values, is_separated: NDArray[np.bool_]) -> Values:
    """Return, for each metric, the difference at and above which all pairs are separated."""
    means = values.mean(axis=0).T
    pairs = np.triu_indices(means.shape[1], k=1)
    differences = np.abs(means[:, pairs[0]] - means[:, pairs[1]])
    largest = np.where(is_separated[:, *pairs], -np.inf, differences).max(axis=-1, keepdims=True)
    is_larger = (
        differences > largest + tolerances.TIE * tolerances.scale_of(means, axis=-1)[:, None]
    )
    smallest: Values = np.where(is_larger, differences, np.inf).min(axis=-1)
    return np.where(np.isinf(smallest), np.nan, smallest)


def _test_case_pvalues(values: Values, rng: np.random.Generator, n_resamples: int) -> Values:
    """Return the p-value of each metric and pair, from resamples of the test cases.

    Values have shape (n_test_cases, n_systems, n_metrics). The p-values have shape (n_metrics,
    n_systems, n_systems), with 1 on the diagonals.
    """
    n_test_cases, n_systems, n_metrics = values.shape
    weights = (UnitDraws(n_test_cases)(rng, n_resamples) / n_test_cases).T
    first, second = np.triu_indices(n_systems, k=1)
    pvalues = np.ones((n_metrics, n_systems, n_systems))
    for metric, metric_values in enumerate(np.moveaxis(values, -1, 0)):
        margin = float(tolerances.TIE * tolerances.scale_of(metric_values))
        for part in arithmetic.slices(len(first), _NUMBERS_IN_CACHE // n_resamples):
            a, b = first[part], second[part]
            n_as_large = _n_as_large(metric_values[:, a] - metric_values[:, b], weights, margin)
            pvalues[metric, a, b] = pvalues[metric, b, a] = (1 + n_as_large) / (1 + n_resamples)
    return pvalues


def _n_as_large(
    differences: Values, weights: NDArray[np.float64], margin: float
) -> NDArray[np.int64]:
    """Count, for each pair, the resamples with a t statistic at least as large as the observed one.

    The square of t = mean / (std / sqrt(n)) increases with mean**2 / mean_square. This ratio avoids
    dividing by the standard deviation of a resample, which may be zero.
    """
    mean = differences.mean(axis=0)
    is_equal = np.abs(mean) <= margin
    mean_square = np.where(is_equal, 1, (differences**2).mean(axis=0))
    shifted = differences - mean
    shifted[np.abs(shifted) <= margin] = 0
    means = shifted.T @ weights
    # Compare strictly with a slightly smaller value, since 0 / 0 is not a large t statistic.
    bounds = (shifted**2 * (mean**2 / mean_square * (1 - tolerances.TIE))).T @ weights
    is_as_large = np.square(means, out=means) > bounds
    n_as_large: NDArray[np.int64] = np.count_nonzero(is_as_large, axis=-1)
    n_as_large[is_equal] = weights.shape[1]
    return n_as_large


def _sample_pvalues(
    systems: OrdinalSystems,
    predictions: PredictedPositions,
    evaluation: Evaluation,
    rng: np.random.Generator,
    n_resamples: int,
) -> tuple[Values, dict[str, int]]:
    """Return the p-value of each metric and pair, from resamples of the samples of each test case.

    The p-values have shape (n_metrics, n_systems, n_systems), with 1 on the diagonals. Also
    return the number of undefined values of each metric in the resamples.
    """
    observed = evaluation.values.mean(axis=0)
    margins = tolerances.TIE * tolerances.scale_of(evaluation.values, axis=(0, 1))
    n_systems, n_metrics = observed.shape
    n_as_large = np.zeros((n_systems, n_systems, n_metrics), dtype=np.int64)
    n_undefined = np.zeros(n_metrics, dtype=np.int64)
    for resampled in _evaluated_resamples(systems, predictions, evaluation, rng, n_resamples):
        shifted = resampled.values - observed
        for first in range(n_systems):
            difference = np.abs(observed[first] - observed) - margins
            is_as_large = np.abs(shifted[:, first, None] - shifted) >= difference
            n_as_large[first] += np.count_nonzero(is_as_large, axis=0)
        n_undefined += list(resampled.n_undefined.values())
    pvalues = (1 + np.moveaxis(n_as_large, -1, 0)) / (1 + n_resamples)
    return pvalues, dict(zip(evaluation.names, n_undefined.tolist(), strict=True))


def _evaluated_resamples(
    systems: OrdinalSystems,
    predictions: PredictedPositions,
    evaluation: Evaluation,
    rng: np.random.Generator,
    n_resamples: int,
) -> Iterator[Evaluation]:
    """Yield means over the test cases, with resamples in place of test cases on the first axis."""
    scale, n_systems, n_classes = systems.confusion.scale, len(systems.names), systems.n_classes
    samples = [
        np.flatnonzero(predictions.test_case == number) for number in range(len(systems.test_cases))
    ]
    tables = [
        _table(predictions.y_true[rows], predictions.y_pred[:, rows], n_classes) for rows in samples
    ]
    step = _CELLS_AT_ONCE // (n_systems * n_classes**2)
    step = min(step, _WEIGHTS_AT_ONCE // max(map(len, samples)))
    for part in arithmetic.slices(n_resamples, step):
        size = part.stop - part.start
        parts = []
        for rows, table in zip(samples, tables, strict=True):
            weights = UnitDraws(len(rows))(rng, size).T.astype(np.float64)
            counts = (table @ weights).reshape(n_systems, n_classes, n_classes, size)
            resampled_systems = OrdinalSystems(OrdinalConfusion(scale, np.moveaxis(counts, -1, 0)))
            parts.append(_ordinal_systems.evaluate_systems(resampled_systems, evaluation.metrics))
        yield Evaluation(
            evaluation.metrics,
            np.mean([part.values for part in parts], axis=0),
            {name: sum(part.n_undefined[name] for part in parts) for name in evaluation.names},
        )


def _table(y_true: IntegerArray, y_pred: IntegerArray, n_classes: int) -> Any:
    """Return the cell of each sample in the counts of all systems, as a sparse indicator."""
    n_systems, n_samples = y_pred.shape
    cells = (np.arange(n_systems)[:, None] * n_classes + y_true) * n_classes + y_pred
    columns = np.tile(np.arange(n_samples), n_systems)
    return csr_array(
        (np.ones(cells.size), (cells.ravel(), columns)),
        shape=(n_systems * n_classes**2, n_samples),
    )
