"""Intervals of criteria that compare each rater with the others.

The pairs of grades of an item are not independent, so items are what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from sklearn_ordinal._core import arithmetic, evidence_kinds, grading
from sklearn_ordinal._core.arithmetic import Floats, Positions
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import EntryAmounts, EntryInfluences
from sklearn_ordinal._core.resampling import CountLayout, Units
from sklearn_ordinal.inference import _bootstrap, _intervals, _unit_moves
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._unit_moves import GroupUnits, Spread
from sklearn_ordinal.metrics import _error
from sklearn_ordinal.reports import _sections

# Grades of a rater beside the grades of other raters for the same items, as counts
# ---------------------------------------------------------------------------------

# Tables of grades by class are computed in parts of about this size.
_NUMBERS_PER_PART = 2**20


@dataclass(frozen=True, eq=False)
class PeerGrades:
    """Raters, each compared with peers who grade the same items.

    The grades of the peers are the truth, and the grade of the rater is the prediction. Each item
    has its weight in total, divided equally among the peers who grade it. Items that the rater or
    all peers leave out do not count.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades.
    pattern : ndarray of shape (n_grades,)
        For each compared grade, the pattern that it is in. Grades are in the order of the patterns.
    comparison : ndarray of shape (n_grades,)
        The comparison that the grade belongs to, from 0.
    own : ndarray of shape (n_grades,)
        The grade, as a position on the scale; the number of classes for a missing grade that
        counts.
    left_out : ndarray of shape (n_grades,)
        The grade of the peer who is left out of this comparison, -1 if there is none.
    peer_counts : ndarray of shape (n_patterns, n_classes)
        Number of grades of the peers in each class, including the peer who is left out.
    names : tuple of str
        The name of each comparison.
    """

    ratings: OrdinalRatings
    pattern: Positions
    comparison: Positions
    own: Positions
    left_out: Positions
    peer_counts: Floats
    names: tuple[str, ...]

    @classmethod
    def from_ratings(
        cls,
        ratings: OrdinalRatings,
        *,
        raters: Positions | None = None,
        left_out: Positions | None = None,
        is_peer: NDArray[np.bool_] | None = None,
        names: tuple[str, ...] | None = None,
        counts_missing: bool = False,
    ) -> Self:
        """Compare each rater with all other raters, or choose the raters and their peers.

        Parameters
        ----------
        ratings : OrdinalRatings
            The grades, for one weight of each pattern.
        raters : ndarray of shape (n_comparisons,), default=None
            Column of the rater who is compared. If None, each rater once.
        left_out : ndarray of shape (n_comparisons,), default=None
            Column of the rater who is not a peer in this comparison. If None, the compared rater,
            who is never their own peer. A judge and human j have the same peers if j is left out
            of both comparisons, and the judge is not a peer of anyone.
        is_peer : ndarray of shape (n_raters,), default=None
            Which raters are peers. If None, all raters.
        names : tuple of str, default=None
            Name of each comparison. If None, the names of the raters.
        counts_missing : bool, default=False
            Whether a missing grade of the compared rater is a grade without a class.
        """
        raters = np.arange(len(ratings.raters)) if raters is None else raters
        left_out = raters if left_out is None else left_out
        names = tuple(ratings.raters[k] for k in raters) if names is None else names
        patterns = ratings.patterns
        peers = patterns if is_peer is None else np.where(is_peer, patterns, -1)
        peer_counts = grading.grade_counts(peers, len(ratings.scale))
        excluded = peers[:, left_out]
        n_peers = peer_counts.sum(axis=1)[:, None] - (excluded >= 0)
        own = patterns[:, raters]
        if counts_missing:
            own = np.where(own >= 0, own, len(ratings.scale))
        pattern, comparison = np.nonzero((own >= 0) & (n_peers > 0))
        return cls(
            ratings,
            pattern,
            comparison,
            own[pattern, comparison],
            excluded[pattern, comparison],
            peer_counts,
            names,
        )

    def confusion(self) -> OrdinalConfusion:
        """Return a matrix for each comparison: rows the grades of the peers, columns the rater's.

        Missing grades that count are unanswered.

        The pairs of grades of an item are not independent, so the matrices are marked as clustered:
        their intervals need the items, as in `amounts` and `influences`.
        """
        n_classes, n_comparisons = len(self.ratings.scale), len(self.names)
        weight = self.ratings.weights[self.pattern]
        n_columns = n_classes + bool((self.own == n_classes).any())
        own = self.comparison * n_columns + self.own
        counts = np.zeros((n_comparisons * n_columns, n_classes))
        for part, shares in self._peer_shares():
            rows = (weight[part], (own[part], np.arange(len(shares))))
            counts += csr_array(rows, shape=(len(counts), len(shares))) @ shares
        by_peer = counts.reshape(n_comparisons, n_columns, n_classes).swapaxes(1, 2)
        return OrdinalConfusion(
            self.ratings.scale,
            by_peer[..., :n_classes],
            is_weighted=True,
            unanswered=by_peer[..., n_classes] if n_columns > n_classes else None,
            groups=self.names,
            is_clustered=True,
            has_systems=True,
        )

    def amounts(self) -> EntryAmounts:
        """Return the items of each comparison: (n_comparisons,)."""
        by_pattern = evidence_kinds.RATINGS.entry_amounts(self.ratings)
        return EntryAmounts(*(self._sums(amounts[self.pattern]) for amounts in by_pattern))

    def influences(self, cells: Floats) -> Floats:
        """Return the mean of the influences of the cells over the pairs of each compared grade.

        The influence of an item on the value of its comparison is this mean, and 0 if the item is
        not compared.

        Parameters
        ----------
        cells : ndarray of shape (n_comparisons, n_classes, n_columns)
            Influence of each cell on the value of each comparison, or any other value of a cell;
            a last column for missing grades that count, if there are some.

        Returns
        -------
        ndarray of shape (n_grades,)
            The mean for each compared grade, in the order of `pattern` and `comparison`.
        """
        means = np.empty(len(self.pattern))
        by_own = np.ascontiguousarray(cells.swapaxes(1, 2))
        for part, shares in self._peer_shares():
            values = by_own[self.comparison[part], self.own[part]]
            # A cell without pairs may have no influence.
            means[part] = np.where(shares > 0, shares * values, 0).sum(axis=1)
        return means

    def units(self) -> Units[CountLayout]:
        """Return the items to resample, with the counts of each comparison as a system.

        Items without a comparison are drawn as well, since they may have any grades.
        """
        scale, units = self.ratings.scale, grading.item_units(self.ratings)
        n_classes = len(scale)
        start = (self.comparison * n_classes**2 + self.own)[:, None]
        rows = start + np.arange(n_classes) * n_classes
        indices, data, lengths = [], [], np.zeros(len(self.ratings.patterns) + 1, dtype=np.intp)
        for part, shares in self._peer_shares():
            occurs = shares > 0
            indices.append(rows[part][occurs])
            data.append(shares[occurs])
            lengths[1:] += np.bincount(
                self.pattern[part], occurs.sum(axis=1), len(self.ratings.patterns)
            ).astype(np.intp)
        tables = csc_array(
            (np.concatenate(data), np.concatenate(indices), np.cumsum(lengths)),
            shape=(len(self.names) * n_classes**2, len(self.ratings.patterns)),
        )
        layout = CountLayout(scale, is_weighted=True, has_unanswered=False)
        return Units(units.sizes, (tables @ units.tables).tocsr(), layout, units.stratum)

    def _sums(self, values: Floats) -> Floats:
        """Add up values of the compared grades: (n_comparisons,)."""
        return np.bincount(self.comparison, values, len(self.names)).astype(np.float64, copy=False)

    def _peer_shares(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the share of each class in the grades of the peers, for some compared grades."""
        n_classes = len(self.ratings.scale)
        for part in arithmetic.slices(len(self.pattern), _NUMBERS_PER_PART // n_classes):
            counts = self.peer_counts[self.pattern[part]]
            rows = np.flatnonzero(self.left_out[part] >= 0)
            counts[rows, self.left_out[part][rows]] -= 1
            yield part, counts / counts.sum(axis=1, keepdims=True)


# Intervals of criteria that compare each rater with the others
# -------------------------------------------------------------

ByRater = dict[str, dict[str, Interval]]
"""The interval of each rater, by the name of the metric and the name of the rater."""


SEVERITY = OrdinalMetric(
    "severity",
    _error.bias,
    value_range=_error.bias_bounds,
    interval_scale="linear",
    gradient=_error.bias_gradient,
)
"""The bias of a rater, in classes. The rows of the counts are the grades of the other raters."""


def check_criteria(metrics: Sequence[OrdinalMetric]) -> None:
    """Raise unless the criteria of a report with the severity are of counts and named otherwise."""
    _sections.check_are_of_counts(metrics)
    if any(metric.name == SEVERITY.name for metric in metrics):
        raise ValueError("metrics must not have the name 'severity', which the report has.")


def _spread(peers: PeerGrades, by_entry: EntryInfluences) -> Spread:
    """Return the standard errors of the values of each comparison: (n_metrics, n)."""
    n_classes = len(peers.ratings.scale)
    # The last column is for samples without a prediction, which ratings do not have.
    shape = (*by_entry.influences.shape[:-1], n_classes, n_classes + 1)
    cells = by_entry.influences.reshape(shape)[..., :n_classes]
    influences = np.stack([peers.influences(of_metric) for of_metric in cells])
    influences /= peers.amounts().weights[peers.comparison]
    design, shape = _intervals.design_of(peers.ratings), (len(peers.names), 1)
    row, group, cluster, stratum = np.arange(len(peers.pattern)), peers.comparison, None, None
    if design.drawn is None:
        assert design.amounts is not None
        amounts = EntryAmounts(*(amount[peers.pattern] for amount in design.amounts))
    else:
        drawn = design.drawn
        # The number of each grade, by the item and the comparison.
        grades = csr_array(
            (row, (peers.pattern, peers.comparison)),
            shape=(len(peers.ratings.patterns), len(peers.names)),
        )[drawn.entry[0]].tocoo()
        item, group, row = grades.row, grades.col.astype(np.intp), grades.data
        amounts = EntryAmounts.of_weights(drawn.weight[item])
        # Comparisons are independent samples: each has units of its own.
        pairs = group.astype(np.int64) * design.n_units + drawn.unit[item]
        cluster = np.unique(pairs, return_inverse=True)[1]
        stratum = None if drawn.stratum is None else drawn.stratum[item]
    true, is_counted = np.zeros_like(group), np.ones(len(row), dtype=np.bool_)
    units = GroupUnits.of_rows(group, true, is_counted, amounts, cluster, shape, stratum=stratum)
    # There is no value of all comparisons together.
    overall, slopes = np.zeros(len(row)), np.zeros(shape)
    spreads = [
        units.moves(values, moves[row], overall, slopes).value_spread()
        for values, moves in zip(by_entry.values, influences, strict=True)
    ]
    return Spread(*(np.stack(column)[:, 1:] for column in zip(*spreads, strict=True)))


def delta_rater_intervals(
    metrics: Sequence[OrdinalMetric], peers: PeerGrades, confidence_level: float
) -> ByRater:
    """Return the interval of each comparison in closed form, by metric and by name."""
    # A stack has a dict of intervals for each metric.
    intervals: Any = _intervals.named_intervals(
        metrics, peers.confusion(), partial(_spread, peers), confidence_level
    )
    by_rater: ByRater = intervals
    return by_rater


def severity_pvalues(peers: PeerGrades) -> Floats:
    """Return the p-value of the severity of each rater, NaN without a standard error."""
    by_entry = evidence_kinds.LABELS.entry_influences([SEVERITY], peers.confusion())
    (error,), (degrees,), _ = _spread(peers, by_entry)
    return _unit_moves.t_pvalues(by_entry.values[0], error, degrees)


def bootstrap_rater_intervals(
    metrics: Sequence[OrdinalMetric],
    peers: PeerGrades,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> ByRater:
    """Return the bootstrap interval of each comparison, by metric and by name."""
    units = peers.units()
    estimates = _bootstrap.values_of(metrics, [units.all_together()])[..., 0]
    resampled = _bootstrap.values_of(metrics, units.resampled(rng, n_resamples))
    accelerations, _ = _bootstrap.accelerations_and_influences(metrics, units)
    n_unanswered = [0.0] * len(peers.names)
    intervals = _bootstrap.resampled_intervals(
        metrics, estimates, resampled, accelerations, n_unanswered, confidence_level
    )
    by_rater = {
        name: dict(zip(peers.names, of_metric, strict=True))
        for name, of_metric in intervals.items()
    }
    _bootstrap.warn_about_undefined(_named_by_rater(by_rater), n_resamples)
    return by_rater


def _named_by_rater(by_rater: Mapping[str, Mapping[str, Interval]]) -> dict[str, Interval]:
    return {
        f"{name} of {rater}": interval
        for name, of_metric in by_rater.items()
        for rater, interval in of_metric.items()
    }
