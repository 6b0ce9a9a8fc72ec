"""The share of pairs of systems that each metric separates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    ByMetric,
    MetricLike,
    MetricsLike,
    RandomState,
    Values,
    as_generator,
    check_choice,
    check_count,
    check_share,
    shown,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.inference import TIE, holm_correction, scale_of
from sklearn_ordinal.meta_evaluation._estimates_document import (
    estimates_display,
    power_document,
    power_estimates,
)
from sklearn_ordinal.meta_evaluation._ordinal_systems import (
    OrdinalSystems,
    PredictedPositions,
    as_systems,
)
from sklearn_ordinal.meta_evaluation._pair_tests import sample_pvalues, test_case_pvalues
from sklearn_ordinal.meta_evaluation._system_values import evaluate_systems
from sklearn_ordinal.plotting import IntervalsDisplay

Unit = Literal["test cases", "samples"]


@dataclass(frozen=True, eq=False)
class DiscriminativePower(Views):
    """The pairs of systems that metrics separate.

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
    separating_differences : ndarray of shape (n_metrics,)
        Smallest difference, in the unit of the metric, such that every pair of systems with at
        least this difference is separated; NaN if the pair with the largest difference is not
        separated.
    unit : {"test cases", "samples"}
        The units that are resampled.
    alpha : float
        Significance level of the tests.
    n_test_cases : int
        Number of test cases.
    n_resamples : int
        Number of resamples.
    n_undefined : mapping of str to int
        Number of undefined values of each metric, counted over systems and test cases.
        Undefined values are replaced as in scorers.
    n_undefined_resampled : mapping of str to int, default={}
        Number of undefined values of each metric in the resamples, if samples are resampled.

    Attributes
    ----------
    shares : ndarray of shape (n_metrics,)
        Share of the pairs that each metric separates.
    adjusted_shares : ndarray of shape (n_metrics,)
        Share of the pairs that each metric separates after Holm's correction for the number of
        pairs.
    n_pairs : int
        Number of pairs.

    See Also
    --------
    discriminative_power : Compute the discriminative power of metrics.

    Examples
    --------
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
    >>> power.separated("accuracy")
    (('exact', 'near'), ('exact', 'far'))
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pvalues: NDArray[np.float64]
    separating_differences: NDArray[np.float64]
    unit: Unit
    alpha: float
    n_test_cases: int
    n_resamples: int
    n_undefined: Mapping[str, int]
    n_undefined_resampled: Mapping[str, int] = field(default_factory=dict)

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return math.comb(len(self.systems), 2)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of the pairs that each metric separates."""
        shares: Values = (self._pair_pvalues() <= self.alpha).mean(axis=-1)
        return shares

    @property
    def adjusted_shares(self) -> NDArray[np.float64]:
        """Share of the pairs that each metric separates after Holm's correction.

        NaN if there are too few resamples: the smallest possible p-value,
        ``1 / (n_resamples + 1)``, multiplied by the number of pairs, must be at most `alpha`.
        """
        if self._n_resamples_for_holm > self.n_resamples:
            return np.full(len(self.metrics), np.nan)
        adjusted = [holm_correction(pvalues) for pvalues in self._pair_pvalues()]
        shares: Values = (np.stack(adjusted) <= self.alpha).mean(axis=-1)
        return shares

    def separated(self, metric: MetricLike) -> tuple[tuple[str, str], ...]:
        """Return the pairs of systems that a metric separates.

        Parameters
        ----------
        metric : str or callable
            One of the metrics.

        Returns
        -------
        tuple of tuple of str
            Names of the systems of each pair.

        Raises
        ------
        ValueError
            If the metric is not among those that were evaluated.
        """
        by_metric = ByMetric(zip(self.metrics, self.pvalues, strict=True))
        pvalues = by_metric[by_metric.name_of(metric)]
        pairs = np.argwhere(np.triu(pvalues <= self.alpha, k=1)).tolist()
        return tuple((self.systems[first], self.systems[second]) for first, second in pairs)

    def plot(self, ax: Any = None) -> IntervalsDisplay:
        """Plot the share of each metric, before and after Holm's correction.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        IntervalsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        estimates = power_estimates(self)
        if self.n_resamples < self._n_resamples_for_holm:
            estimates = estimates[:1]
        label = f"share of pairs separated at level {self.alpha:g}"
        return estimates_display(estimates, label).plot(ax, legend=len(estimates) > 1)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The shares, largest first, and a note on the tests of the pairs.
        """
        return power_document(self)

    @property
    def _n_resamples_for_holm(self) -> int:
        """The smallest number of resamples with which Holm's correction can separate a pair."""
        return math.ceil(self.n_pairs / self.alpha * (1 - TIE)) - 1

    def _pair_pvalues(self) -> NDArray[np.float64]:
        """Return the p-values of shape (n_metrics, n_pairs)."""
        pvalues: Values = self.pvalues[:, *np.triu_indices(len(self.systems), k=1)]
        return pvalues

    def _records(self) -> list[dict[str, Any]]:
        columns = zip(
            self.metrics,
            self.shares.tolist(),
            self.adjusted_shares.tolist(),
            self.separating_differences.tolist(),
            strict=True,
        )
        return [
            {
                "criterion": name,
                "share": share,
                "adjusted_share": adjusted,
                "separating_difference": difference,
                "n_undefined": self.n_undefined[name],
                "n_undefined_resampled": self.n_undefined_resampled.get(name, 0),
            }
            for name, share, adjusted, difference in columns
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "criteria" is a dict of dicts with "share", "adjusted_share",
            "separating_difference", "n_undefined" and "n_undefined_resampled". "pvalues" is a
            dict of lists of shape (n_systems, n_systems), and "systems" a list of names. The
            other keys are "unit", "alpha", "n_pairs", "n_test_cases" and "n_resamples".
            Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "criteria": {record.pop("criterion"): record for record in self._records()},
                "pvalues": dict(zip(self.metrics, self.pvalues.tolist(), strict=True)),
                "systems": list(self.systems),
                "unit": self.unit,
                "alpha": self.alpha,
                "n_pairs": self.n_pairs,
                "n_test_cases": self.n_test_cases,
                "n_resamples": self.n_resamples,
            }
        )
        return numbers


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
    >>> print(discriminative_power(systems, metrics=metrics, random_state=0))
    cem_ord and ordinal_mean_absolute_error have the largest share of separated
    pairs, 1.000.
    <BLANKLINE>
    Share of the 6 pairs of systems separated at level 0.05
    criterion                    share  after Holm  separating difference
    cem_ord                      1.000       1.000                  0.022
    ordinal_mean_absolute_error  1.000       1.000                  0.063
    accuracy                     0.833       0.833                  0.045
    <BLANKLINE>
    Paired bootstrap tests of 4 systems on 20 test cases, with 9,999 resamples of
    the test cases. P-values are adjusted for the number of pairs only in the column
    'after Holm'. All pairs with at least the separating difference are separated.
    """
    systems = as_systems(systems)
    check_choice("unit", unit, Unit)
    level = check_share("alpha", alpha)
    rng = as_generator(random_state)
    n_test_cases = len(systems.test_cases)
    check_count("n_resamples", n_resamples, at_least=1, size=n_test_cases)
    if unit == "test cases" and n_test_cases < 2:
        raise ValueError(
            "systems must have at least 2 test cases, got 1: resample samples with unit='samples'."
        )
    evaluation = evaluate_systems(systems, metrics)
    if unit == "test cases":
        pvalues = test_case_pvalues(evaluation.values, rng, n_resamples)
        n_undefined_resampled = dict.fromkeys(evaluation.names, 0)
    else:
        predictions = _known_predictions(systems)
        pvalues, n_undefined_resampled = sample_pvalues(
            systems, predictions, evaluation, rng, n_resamples
        )
    return DiscriminativePower(
        metrics=evaluation.names,
        systems=systems.names,
        pvalues=pvalues,
        separating_differences=_separating_differences(evaluation.values, pvalues <= level),
        unit=unit,
        alpha=level,
        n_test_cases=n_test_cases,
        n_resamples=n_resamples,
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
            f"{shown(systems.test_cases[sizes.argmin()])}: leave it out, or pass unit='test cases'."
        )
    return predictions


def _separating_differences(values: Values, is_separated: NDArray[np.bool_]) -> Values:
    """Return, for each metric, the difference at and above which all pairs are separated."""
    means = values.mean(axis=0).T
    pairs = np.triu_indices(means.shape[1], k=1)
    differences = np.abs(means[:, pairs[0]] - means[:, pairs[1]])
    largest = np.where(is_separated[:, *pairs], -np.inf, differences).max(axis=-1, keepdims=True)
    is_larger = differences > largest + TIE * scale_of(means, axis=-1)[:, None]
    smallest: Values = np.where(is_larger, differences, np.inf).min(axis=-1)
    return np.where(np.isinf(smallest), np.nan, smallest)
