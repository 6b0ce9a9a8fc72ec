"""The pairs of systems that metrics separate, as a result with its views."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ByMetric, MetricLike, Values
from sklearn_ordinal.documents import Column, Document, Figure, Note, Table, Views, counted, plain
from sklearn_ordinal.inference import TIE, Interval, holm_correction
from sklearn_ordinal.meta_evaluation._system_values import undefined_notes
from sklearn_ordinal.plotting import MetricEstimatesDisplay

Unit = Literal["test cases", "samples"]


@dataclass(frozen=True, eq=False)
class DiscriminativePower(Views):
    """The pairs of systems that metrics separate.

    `discriminative_power` returns one. A pair is separated if its p-value is at most
    `alpha`.

    Parameters
    ----------
    metrics : tuple of str
        Names of the metrics.
    systems : tuple of str
        Names of the systems.
    pvalues : ndarray of shape (n_metrics, n_systems, n_systems)
        P-value of each pair by each metric, not adjusted for the number of pairs; 1 on the
        diagonals.
    separating_differences : ndarray of shape (n_metrics,)
        Smallest difference of two systems such that no pair with an equal or larger
        difference is not separated, in the unit of the metric; NaN if the pair with the
        largest difference is not separated.
    unit : {"test cases", "samples"}
        What is resampled.
    alpha : float
        Level of the tests.
    n_test_cases : int
        Number of test cases.
    n_resamples : int
        Number of resamples.
    n_undefined : mapping of str to int
        Number of the values of each metric, for a system on a test case, that are undefined
        and replaced as in scorers.
    n_undefined_resampled : mapping of str to int, default={}
        The same for the values in the resamples of samples.

    Attributes
    ----------
    shares : ndarray of shape (n_metrics,)
        Share of the pairs that each metric separates.
    adjusted_shares : ndarray of shape (n_metrics,)
        The same after Holm's correction for the number of pairs.
    n_pairs : int
        Number of pairs.

    See Also
    --------
    discriminative_power : From the predictions of the systems.

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
        shares: Values = (self._of_pairs() <= self.alpha).mean(axis=-1)
        return shares

    @property
    def adjusted_shares(self) -> NDArray[np.float64]:
        """Share of the pairs that each metric separates after Holm's correction.

        NaN if the resamples are too few: the smallest possible p-value, ``1 / (n_resamples +
        1)``, times the number of pairs must be at most `alpha`.
        """
        if self._n_resamples_for_holm() > self.n_resamples:
            return np.full(len(self.metrics), np.nan)
        adjusted = [holm_correction(pvalues) for pvalues in self._of_pairs()]
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

    def plot(self, ax: Any = None) -> MetricEstimatesDisplay:
        """Plot the share of each metric, before and after Holm's correction.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        MetricEstimatesDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        kinds = {"share": self.shares}
        order = _largest_first(self.shares)
        if self.n_resamples >= self._n_resamples_for_holm():
            kinds["share after Holm's correction"] = self.adjusted_shares
        return MetricEstimatesDisplay(
            {
                kind: {
                    self.metrics[metric]: Interval(shares[metric], math.nan, math.nan, 0.95)
                    for metric in order
                }
                for kind, shares in kinds.items()
            },
            label=f"share of pairs separated at level {self.alpha:g}",
        ).plot(ax, legend=len(kinds) > 1)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The shares, largest first, and how the pairs were tested.
        """
        columns = (
            Column("criterion"),
            Column("share", "number"),
            Column("after Holm", "number"),
            Column("separating difference", "number"),
        )
        records = self._records()
        keys = "criterion", "share", "adjusted_share", "separating_difference"
        rows = [
            tuple(records[metric][key] for key in keys) for metric in _largest_first(self.shares)
        ]
        n_values = self.n_test_cases * len(self.systems)
        return Document(
            "Discriminative power",
            (
                Table(
                    f"Share of the {self.n_pairs:,} pairs of systems separated at level "
                    f"{self.alpha:g}",
                    columns,
                    tuple(rows),
                ),
                Note(self._description()),
                Figure(
                    self.plot,
                    "Share of the pairs of systems that each metric separates",
                    "; ".join(f"{name} {share:.3f}" for name, share, *_ in rows),
                ),
                *undefined_notes(self.n_undefined, n_values),
                *undefined_notes(
                    self.n_undefined_resampled,
                    n_values * self.n_resamples,
                    where="on a test case in a resample",
                ),
            ),
        )

    def _description(self) -> str:
        drawn = "test cases" if self.unit == "test cases" else "samples of each test case"
        text = (
            f"Paired bootstrap tests of {len(self.systems)} systems on "
            f"{counted(self.n_test_cases, 'test case')}, with {self.n_resamples:,} resamples "
            f"of the {drawn}. P-values are those of single pairs and not adjusted, except after "
            f"Holm. All pairs with at least the separating difference are separated."
        )
        needed = self._n_resamples_for_holm()
        if needed > self.n_resamples:
            text += f" Holm's correction for {self.n_pairs:,} pairs needs {needed:,} resamples."
        return text

    def _n_resamples_for_holm(self) -> int:
        return math.ceil(self.n_pairs / self.alpha * (1 - TIE)) - 1

    def _of_pairs(self) -> NDArray[np.float64]:
        """Return the p-values of shape (n_metrics, n_pairs)."""
        of_pairs: Values = self.pvalues[:, *np.triu_indices(len(self.systems), k=1)]
        return of_pairs

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
            "criteria" a dict of dicts with "share", "adjusted_share",
            "separating_difference", "n_undefined" and "n_undefined_resampled"; "pvalues" a
            dict of lists of shape (n_systems, n_systems); "systems" a list of names;
            "unit", "alpha", "n_pairs", "n_test_cases" and "n_resamples"; None where
            undefined.
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


def _largest_first(shares: Values) -> list[int]:
    order: list[int] = np.argsort(-shares, kind="stable").tolist()
    return order
