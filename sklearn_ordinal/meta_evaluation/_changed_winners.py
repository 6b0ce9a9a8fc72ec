"""Pairs of systems for which one criterion prefers the first and another the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import slices
from sklearn_ordinal._documents import Document, Views
from sklearn_ordinal.meta_evaluation._order_agreement_document import winners_document

Positions = NDArray[np.intp]
Signs = NDArray[np.int8]

# The size of temporary arrays, which have a row for each pair and a column for each criterion.
_PAIRS_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class ChangedWinners(Views):
    """Pairs of systems for which the criteria prefer different systems.

    In each of these pairs, at least one criterion prefers the first system and at least one
    prefers the second. A criterion that ties the two systems prefers neither. Pairs on which
    the criteria are divided most evenly come first: pairs with the most criteria on the smaller
    side, and among these, pairs with the fewest criteria on the larger side. Remaining ties are
    in the order of the systems. `RankAgreement` has them as its attribute `changed_winners`.

    Parameters
    ----------
    metrics : tuple of str
        Names of the criteria.
    systems : tuple of str
        Names of the systems.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the first and the second system of each pair.
    preferences : ndarray of shape (n_pairs, n_criteria)
        1 if a criterion prefers the first system of a pair, -1 if it prefers the second, 0 if
        it ties them.

    Attributes
    ----------
    n_prefer_first : ndarray of shape (n_pairs,)
        Number of criteria that prefer the first system of each pair.
    n_prefer_second : ndarray of shape (n_pairs,)
        Number of criteria that prefer the second system of each pair.
    n_tied : ndarray of shape (n_pairs,)
        Number of criteria that tie the two systems.

    See Also
    --------
    rank_agreement : Compute the agreement of criteria on the order of all systems.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, rank_agreement
    >>> y_true = [0, 0, 1, 1, 2, 2, 2]
    >>> predictions = {"near": [1, 0, 1, 0, 2, 2, 1], "far": [0, 0, 1, 1, 0, 2, 0]}
    >>> systems = OrdinalSystems.from_predictions(y_true, predictions)
    >>> metrics = ["accuracy", "cem_ord", "ordinal_mean_absolute_error"]
    >>> print(rank_agreement(systems, metrics=metrics).changed_winners)
    The criteria prefer different systems in 1 of 1 pair of systems.
    <BLANKLINE>
    Pairs in which the preferred system changes, the most evenly divided first
    first  second  prefer first  prefer second  tied
    near   far                1              2     0
    <BLANKLINE>
    near against far: the first by ordinal_mean_absolute_error; the second by
    accuracy, cem_ord.
    <BLANKLINE>
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: Positions
    preferences: Signs

    @property
    def n_prefer_first(self) -> Positions:
        """Number of criteria that prefer the first system of each pair."""
        return self._n_preferences(1)

    @property
    def n_prefer_second(self) -> Positions:
        """Number of criteria that prefer the second system of each pair."""
        return self._n_preferences(-1)

    @property
    def n_tied(self) -> Positions:
        """Number of criteria that tie the two systems."""
        return self._n_preferences(0)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The number of pairs, a table of the first pairs, and the criteria that prefer each
            system.
        """
        return winners_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the pairs as a dict.

        Returns
        -------
        dict
            "metrics" and "systems" are lists of names. "pairs" is a list with a dict for each
            pair, with the keys "first", "second", "n_prefer_first", "n_prefer_second" and
            "n_tied", and with lists of the names of criteria as "prefer_first", "prefer_second"
            and "tied".
        """
        return {
            "metrics": list(self.metrics),
            "systems": list(self.systems),
            "pairs": self._records(),
        }

    def _records(self, n_pairs: int | None = None) -> list[dict[str, Any]]:
        """Return a record for each pair, or for the first `n_pairs`."""
        names = np.array(self.metrics, dtype=object)
        return [
            {
                "first": self.systems[first],
                "second": self.systems[second],
                "n_prefer_first": n_first,
                "n_prefer_second": n_second,
                "n_tied": n_tied,
                "prefer_first": names[signs > 0].tolist(),
                "prefer_second": names[signs < 0].tolist(),
                "tied": names[signs == 0].tolist(),
            }
            for (first, second), signs, n_first, n_second, n_tied in zip(
                self.pairs[:n_pairs].tolist(),
                self.preferences[:n_pairs],
                self.n_prefer_first[:n_pairs].tolist(),
                self.n_prefer_second[:n_pairs].tolist(),
                self.n_tied[:n_pairs].tolist(),
                strict=True,
            )
        ]

    def _n_preferences(self, sign: int) -> Positions:
        numbers: Positions = np.count_nonzero(self.preferences == sign, axis=1)
        return numbers

    def __repr__(self) -> str:
        return f"ChangedWinners({len(self.pairs)} pairs of {len(self.systems)} systems)"


def find_changed_winners(
    ranks: NDArray[np.float64], metrics: tuple[str, ...], systems: tuple[str, ...]
) -> ChangedWinners:
    """Return the pairs whose winner changes, from ranks of shape (n_systems, n_criteria)."""
    all_pairs = np.stack(np.triu_indices(len(systems), 1), axis=1)
    parts = []
    for part in slices(len(all_pairs), _PAIRS_AT_ONCE):
        pairs = all_pairs[part]
        # Rank 1 is the best.
        preferences = np.sign(ranks[pairs[:, 1]] - ranks[pairs[:, 0]]).astype(np.int8)
        is_changed = (preferences > 0).any(axis=1) & (preferences < 0).any(axis=1)
        parts.append((pairs[is_changed], preferences[is_changed]))
    pairs, preferences = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    winners = ChangedWinners(metrics, systems, pairs, preferences)
    sides = winners.n_prefer_first, winners.n_prefer_second
    order = np.lexsort((np.maximum(*sides), -np.minimum(*sides)))
    return ChangedWinners(metrics, systems, pairs[order], preferences[order])
