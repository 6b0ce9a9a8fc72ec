"""Coefficients of agreement in groups of items, and how far the groups differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sklearn_ordinal._core import arithmetic, evidence_kinds, lookup
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import EntryAmounts
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal.inference import _group_values, _intervals
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._unit_moves import GroupMoves, GroupUnits, Spread


class AgreementInGroups(NamedTuple):
    """The values of a coefficient in all items and in each group, and what moves them."""

    metric: OrdinalMetric
    n_classes: int
    moves: GroupMoves

    def intervals(self, level: float) -> list[Interval]:
        """Return the interval of each group, without ends where it has none."""
        spread = Spread(*(numbers[1:] for numbers in self.moves.value_spread()))
        values = self.moves.values[1:]
        ends = _intervals.delta_ends([self.metric], values[None], spread, level, self.n_classes)
        return ends.intervals(values, spread.standard_error, level)

    def contrasts(
        self, groups: Sequence[str], reference: str | None, level: float
    ) -> dict[str, Contrast]:
        """Return the value of each group minus that of all items, or of a reference group."""
        rows = _group_values.weights_of_differences(groups, reference, "items")
        return _group_values.contrasts_of_groups(*self, rows, level)


def agreement_in_groups(
    metrics: Mapping[str, OrdinalMetric],
    ratings: OrdinalRatings,
    group: IntegerArray,
    n_groups: int,
) -> dict[str, AgreementInGroups]:
    """Return the values of each coefficient in groups of items, given the group of each item."""
    weight, n_patterns = evidence_kinds.item_weights(ratings), len(ratings.patterns)
    row, cluster, stratum = group * n_patterns + ratings.pattern, ratings.clusters, ratings.strata
    amounts = EntryAmounts.of_weights(weight)
    by_group = np.bincount(row, weight, n_groups * n_patterns).reshape(n_groups, n_patterns)
    if cluster is None and stratum is None:
        # The items of a group and pattern are alike.
        distinct, position = np.unique(row, return_inverse=True)
        amounts = EntryAmounts(
            *(np.bincount(position, amount).astype(np.float64) for amount in amounts)
        )
        group, pattern = np.divmod(distinct, n_patterns)
    else:
        pattern = ratings.pattern
        cluster = np.arange(len(pattern)) if cluster is None else cluster
    stack = ratings.reweighted(np.vstack([ratings.weights, by_group]))
    results = {}
    of_ratings = lookup.get_metrics(
        list(metrics.values()), argument="metrics", kinds=(evidence_kinds.RATINGS,)
    )
    for name, metric in zip(metrics, of_ratings, strict=True):
        values, influences, is_counted = evidence_kinds.RATINGS.entry_influences([metric], stack)
        totals = np.where(is_counted, stack.weights, 0).sum(axis=-1, keepdims=True)
        moves = arithmetic.divide(influences[0], totals)
        units = GroupUnits.of_rows(
            group,
            np.zeros_like(group),
            is_counted[pattern],
            amounts,
            cluster,
            (n_groups, 1),
            stratum=stratum,
        )
        own, overall = moves[1 + group, pattern], moves[0, pattern]
        of_groups = units.moves(values[0], own, overall, np.zeros((n_groups, 1)))
        results[name] = AgreementInGroups(metric, len(ratings.scale), of_groups.with_pooled())
    return results
