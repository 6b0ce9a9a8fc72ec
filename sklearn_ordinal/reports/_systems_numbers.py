"""Ranks, letters, differences and verdicts of systems on one test set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ByMetric, OrdinalScale, shown
from sklearn_ordinal.documents import names_in_words, pvalue_in_words
from sklearn_ordinal.inference import (
    PairedDifference,
    compact_letters,
    is_rejected,
    kendall_tau,
    ranks_of,
)
from sklearn_ordinal.plotting import SystemsDisplay
from sklearn_ordinal.reports._criteria import metric_of
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._saved import SavedViews


class SystemsNumbers(SavedViews):
    """Ranks, letters and differences from the numbers of a `SystemsReport`."""

    scale: OrdinalScale
    metrics: ByMetric
    scores: ByMetric
    pvalues: ByMetric
    margins: ByMetric
    n_undefined: ByMetric
    n_unanswered: Mapping[str, float]
    n_samples: int
    total_weight: float | None
    n_units: int
    unit: str
    n_resamples: int
    provenance: Provenance | None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.n_unanswered)

    @property
    def confidence_level(self) -> float:
        """Confidence level of the intervals; the tests have the level that is left."""
        first = next(iter(self.scores.values()))
        return float(first[self.systems[0]].confidence_level)

    @property
    def ranks(self) -> ByMetric:
        """Rank of each system by each criterion, 1 is best."""
        return ByMetric({name: self._ranks(name) for name in self.metrics})

    @property
    def letters(self) -> ByMetric:
        """Letters of each system by each criterion."""
        return ByMetric({name: self._letters(name) for name in self.metrics})

    @property
    def winners(self) -> ByMetric:
        """Names of the systems of rank 1 by each criterion."""
        return ByMetric({name: self._winners(name) for name in self.metrics})

    @property
    def tau(self) -> ByMetric:
        """Kendall's tau-b between the orders of the systems by each pair of criteria."""
        ranks = [list(self._ranks(name).values()) for name in self.metrics]
        values = kendall_tau(np.array(ranks, dtype=np.float64).T).tolist()
        return ByMetric(
            {
                name: ByMetric(zip(self.metrics, row, strict=True))
                for name, row in zip(self.metrics, values, strict=True)
            }
        )

    @property
    def verdicts(self) -> ByMetric:
        """Which system has the best value by each criterion, and which do not differ from it."""
        return ByMetric({name: self._verdict(name) for name in self.metrics})

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> SystemsDisplay:
        """Draw the systems by one criterion, best first.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `SystemsDisplay.plot`.

        Returns
        -------
        SystemsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        metric = metric_of(self.metrics, criterion)
        names = self.best_first(criterion)
        return SystemsDisplay(
            {name: self.scores[metric.name][name] for name in names},
            self._letters(metric.name),
            criterion=metric.name,
            greater_is_better=metric.greater_is_better,
        ).plot(ax, **options)

    def difference(self, first: str, second: str, criterion: Any = None) -> PairedDifference:
        """Return the difference of two systems.

        Parameters
        ----------
        first : str
            Name of the first system.
        second : str
            Name of the second system, whose value is subtracted.
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.

        Returns
        -------
        PairedDifference
            The difference, its simultaneous interval, and the adjusted p-value. NaN for a
            system without a finite value, and the ends also if there are too few resamples for
            the confidence level.

        Raises
        ------
        ValueError
            If the report does not have the systems or the criterion.
        """
        metric = metric_of(self.metrics, criterion)
        for argument, name in (("first", first), ("second", second)):
            if name not in self.systems:
                raise ValueError(
                    f"{argument} must be the name of a system, got {shown(name)}: the systems are "
                    f"{names_in_words(self.systems)}."
                )
        pair = self.systems.index(first), self.systems.index(second)
        scores = [self.scores[metric.name][name] for name in (first, second)]
        # Two infinite losses have no difference, and one that is infinite is not tested.
        values = [one.estimate if np.isfinite(one.estimate) else np.nan for one in scores]
        difference = values[0] - values[1]
        margin = 0.0 if first == second else self.margins[metric.name][pair]
        return PairedDifference(
            difference,
            difference - margin,
            difference + margin,
            self.confidence_level,
            n_undefined=self.n_undefined[metric.name],
            pvalue=float(self.pvalues[metric.name][pair]),
            greater_is_better=metric.greater_is_better,
            n_left_out=scores[0].n_left_out,
            n_left_out_b=scores[1].n_left_out,
            method="max t",
        )

    def best_first(self, criterion: Any = None) -> list[str]:
        """Return the names of the systems in the order of their ranks.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.

        Returns
        -------
        list of str
            The names, those of ties in the order of `systems`.

        Raises
        ------
        ValueError
            If the report does not have the criterion.
        """
        return sorted(
            self.systems, key=self._ranks(metric_of(self.metrics, criterion).name).__getitem__
        )

    def _ranks(self, criterion: str) -> dict[str, int]:
        scores = self.scores[criterion]
        values = np.array([scores[name].estimate for name in self.systems])
        ranks = ranks_of(values, greater_is_better=self.metrics[criterion].greater_is_better)
        return dict(zip(self.systems, ranks.tolist(), strict=True))

    def _winners(self, criterion: str) -> tuple[str, ...]:
        scores = self.scores[criterion]
        return tuple(
            name
            for name, rank in self._ranks(criterion).items()
            if rank == 1 and not np.isnan(scores[name].estimate)
        )

    def _letters(self, criterion: str) -> dict[str, str]:
        scores = self.scores[criterion]
        tested = [name for name in self.best_first(criterion) if np.isfinite(scores[name].estimate)]
        positions = [self.systems.index(name) for name in tested]
        pvalues = self.pvalues[criterion][np.ix_(positions, positions)]
        is_different = is_rejected(pvalues, self.confidence_level)
        letters = compact_letters(is_different) if tested else []
        found = dict(zip(tested, letters, strict=True))
        return {name: found.get(name, "") for name in self.systems}

    def _verdict(self, criterion: str) -> str:
        best, scores = self._winners(criterion), self.scores[criterion]
        if not best:
            return f"By {criterion}, no system has a value."
        is_tied = len(best) > 1
        direction = "highest" if self.metrics[criterion].greater_is_better else "lowest"
        # The intervals of systems that are tied may differ.
        value = f"{scores[best[0]].estimate:.3f}" if is_tied else str(scores[best[0]])
        start = f"By {criterion}, {names_in_words(best)} {'have' if is_tied else 'has'}"
        start += f" the {direction} value, {value}"
        others = [name for name in self.best_first(criterion) if name not in best]
        is_finite = np.isfinite(scores[best[0]].estimate)
        tested = [name for name in others if is_finite and np.isfinite(scores[name].estimate)]
        if not tested:
            return f"{start}."
        # A system differs from systems that are tied if it differs from each of them.
        pairs = np.ix_([*map(self.systems.index, best)], [*map(self.systems.index, tested)])
        pvalues = self.pvalues[criterion][pairs].max(axis=0)
        is_close = ~is_rejected(pvalues, self.confidence_level)
        if is_close.any():
            close = [name for name, is_one in zip(tested, is_close, strict=True) if is_one]
            verb = f"{'does' if len(close) == 1 else 'do'} not differ significantly"
            whom = " from at least one of them" if is_tied else ""
            test = _adjusted("smallest", pvalues[is_close])
            return f"{start}; {names_in_words(close)} {verb}{whom} {test}."
        whom = "all others" if tested == others else "all others that have a finite value"
        whom = others[0] if len(others) == 1 else whom
        test = _adjusted("largest", pvalues)
        return f"{start}, and {'beat' if is_tied else 'beats'} {whom} {test}."


def _adjusted(which: Literal["smallest", "largest"], pvalues: NDArray[np.float64]) -> str:
    """Return the smallest or largest of adjusted p-values, in brackets."""
    defined = pvalues[~np.isnan(pvalues)]
    extreme = {"smallest": np.min, "largest": np.max}[which]
    pvalue = pvalue_in_words(float(extreme(defined)) if defined.size else np.nan)
    return f"({f'{which} ' if len(pvalues) > 1 else ''}adjusted {pvalue})"
