"""The interfaces of evidence, metrics and resampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._scale import OrdinalScale

Statistic: TypeAlias = Callable[..., Any]
"""A pure function of counts (..., K, K), or of other evidence, to (...), NaN where undefined."""


class Evidence(Protocol):
    """The data that a metric is computed from, on a scale; or a stack of such data.

    The kind determines what else can be done with evidence. Units of samples need the `weights`
    and `reweighted` of the samples, and a prevalence needs `class_counts` and
    `weighted_by_class`.
    """

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""

    @property
    def is_weighted(self) -> bool:
        """Whether samples have weights."""

    @property
    def n_samples(self) -> Any:
        """Number of samples, None if it is not known."""


class Criterion(Protocol):
    """The attributes of a metric that kinds and resampling units need."""

    @property
    def name(self) -> str:
        """Name in messages."""

    @property
    def evidence(self) -> Any:
        """The kind of evidence that the metric is a function of."""

    @property
    def statistic(self) -> Statistic:
        """Function that the kind calls with its evidence."""

    @property
    def gradient(self) -> Callable[..., Any] | None:
        """Function that returns the derivatives of the statistic, if there is one."""

    def counted_cells(self, n_classes: int) -> NDArray[np.bool_] | None:
        """Return in which cells the samples are that the value is a share of, None for all."""

    @property
    def exchangeable(self) -> bool | None:
        """Whether exchanging two grades of the same item changes nothing; None if unknown."""

    @property
    def needs_complete_items(self) -> bool | None:
        """Whether items that some raters do not grade are left out; None if unknown."""

    @property
    def function(self) -> Callable[..., Any] | None:
        """The public function, or the function of another package."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Fixed options of the function."""

    @property
    def scorer(self) -> Callable[[Any, Any, Any], float] | None:
        """Function of a fitted estimator, samples and true classes, if there is one."""

    def __call__(self, evidence: Evidence) -> Any:
        """Return the value for evidence."""


class TestedFold(Protocol):
    """A fitted estimator, and the samples that it is tested on."""

    @property
    def fitted(self) -> Any:
        """The fitted estimator."""

    @property
    def X(self) -> Any:  # noqa: N802 - the name of scikit-learn
        """Features."""

    @property
    def y(self) -> Any:
        """True classes."""

    @property
    def y_pred(self) -> Any:
        """Predicted classes."""

    @property
    def weight(self) -> NDArray[np.float64] | None:
        """Sample weights, None if all samples count the same."""


class Resampling(Protocol):
    """Samples or groups of samples that are drawn, left out or exchanged as units.

    The methods return or yield the evidence of each system, as stacks of resamples.
    """

    @property
    def n_units(self) -> int:
        """Number of units."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of times that each entry of the stacks of `without_one` counts."""

    def each(self) -> Iterator[tuple[Resampling, NDArray[np.intp]]]:
        """Yield the units of each system alone, and the new number of each kind."""

    @property
    def kind_sizes(self) -> NDArray[np.int64]:
        """Number of units of each kind that `drawn` draws."""

    def sums(self, systems: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the weighted sums of values over one unit of each kind: (n_systems, n_kinds).

        The values of each system have an entry for each entry of its evidence.
        """

    def n_unanswered(self) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""

    def all_together(self) -> Sequence[Any]:
        """Return all samples, as a stack of one."""

    def without_one(self) -> Iterator[Sequence[Any]]:
        """Yield stacks whose entries each leave out one unit, or one block of units."""

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Any]]:
        """Yield stacks of resamples, each with as many units as there are, drawn at random."""

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.integer]]:
        """Yield the draws of each kind by `resampled`, given the same `rng`: (n_kinds, size)."""

    def of_swapped(self, metric: Criterion) -> Criterion:
        """Return the metric to evaluate on the evidence that `swapped` yields."""

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Any]]:
        """Yield stacks with the predictions of some units exchanged between two systems."""
