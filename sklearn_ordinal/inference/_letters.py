"""Compact letter display: systems share a letter unless they differ significantly."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]


def compact_letters(is_different: Flags) -> list[str]:
    """Return the letters of each system, such as "ab".

    Two systems share a letter if and only if they do not differ significantly. No letter is
    redundant. If 26 letters are not enough, they continue with a2, b2, ..., z2, a3.

    Parameters
    ----------
    is_different : ndarray of shape (n_systems, n_systems)
        Whether two systems differ significantly. The array is symmetric and False on the
        diagonal. The letters are in alphabetical order if the systems are in the order of their
        rank.

    Returns
    -------
    list of str
        The letters of each system, at least one.
    """
    groups = _groups(is_different)
    letters = np.array([_letter(position) for position in range(len(groups))], dtype=object)
    return ["".join(letters[has_letter]) for has_letter in groups.T]


def _groups(is_different: Flags) -> Flags:
    """Return whether each letter belongs to each system, (n_letters, n_systems).

    This is the insert-and-absorb algorithm of H.-P. Piepho (2004), "An algorithm for a
    letter-based representation of all-pairwise comparisons", Journal of Computational and
    Graphical Statistics 13(2), doi:10.1198/1061860043515.
    """
    n_systems = len(is_different)
    groups = np.ones((1, n_systems), dtype=np.bool_)
    for first, second in np.argwhere(np.triu(is_different)):
        has_both = groups[:, first] & groups[:, second]
        remaining, without_first = groups[~has_both], groups[has_both]
        without_second = without_first.copy()
        without_first[:, first] = without_second[:, second] = False
        split = np.concatenate([without_first, without_second])
        is_absorbed = (split[:, None] <= remaining).all(axis=-1).any(axis=-1)
        groups = np.concatenate([remaining, split[~is_absorbed]])
        # There can be as many as 2 ** (n_systems / 2) maximal groups. Without redundant groups,
        # there are no more groups than pairs.
        if len(groups) > n_systems:
            groups = _without_redundant(groups)
    groups = _without_redundant(groups)
    order: NDArray[np.intp] = np.lexsort(~groups.T[::-1])
    return groups[order]


def _without_redundant(groups: Flags) -> Flags:
    """Leave out groups whose pairs and single systems are all in other groups as well."""
    n_shared = groups.T.astype(np.int64) @ groups
    is_needed = np.ones(len(groups), dtype=np.bool_)
    for number in np.argsort(groups.sum(axis=1), kind="stable"):
        pairs = np.outer(groups[number], groups[number])
        if (n_shared[pairs] > 1).all():
            is_needed[number] = False
            n_shared -= pairs
    return groups[is_needed]


def _letter(position: int) -> str:
    repetition, letter = divmod(position, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(repetition + 1) if repetition else "")
