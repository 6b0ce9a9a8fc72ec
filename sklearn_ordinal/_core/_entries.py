"""The entries of evidence: the cells of counts, or the samples with probabilities or scores.

The entries of a confusion matrix are its cells in the order of the rows, with a last column for the
unanswered samples. All other evidence has an entry for each sample.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._arrays import divide
from sklearn_ordinal._core._checks import check_n_units
from sklearn_ordinal._core._counting import Values


class EntryInfluences(NamedTuple):
    """The values of metrics of some evidence, and the influence of each entry of the evidence."""

    values: Values
    """Of shape (n_metrics, ...), NaN where undefined."""
    influences: Values
    """Of shape (n_metrics, ..., n_entries), NaN where a value has no derivative.

    Entries without samples have no weight, whatever their influence is.
    """
    is_counted: NDArray[np.bool_]
    """Of shape (n_entries,): whether the metrics count the samples of the entry."""


class EntryAmounts(NamedTuple):
    """The samples in each entry, each of shape (..., n_entries)."""

    weights: Values
    """Sum of the weights."""
    numbers: Values
    """Number of samples."""
    squares: Values
    """Sum of the squared weights."""


class DrawnSamples(NamedTuple):
    """The samples of positive weight, and the units that they were drawn with."""

    entry: NDArray[np.intp]
    """Entry of each sample in the evidence of each system: (n_systems, n_samples)."""
    weight: Values
    """Weight of each sample; or there are several samples in each row, with their total weight."""
    cluster: NDArray[np.intp] | None
    """Cluster of each sample as an integer from 0, None if samples were drawn one by one."""
    has_weight: NDArray[np.bool_]
    """Of shape (n_samples_in_all,): which of all samples have a positive weight."""

    @property
    def noun(self) -> str:
        """The name of the units in messages."""
        return "samples" if self.cluster is None else "clusters"

    @property
    def unit(self) -> NDArray[np.intp]:
        """The unit that each sample was drawn with, as an integer from 0."""
        return np.arange(len(self.weight)) if self.cluster is None else self.cluster

    def count_units(self) -> int:
        """Return the number of units, or raise if there are fewer than two."""
        n_units = int(self.unit.max(initial=-1)) + 1
        check_n_units("y_true" if self.cluster is None else "clusters", n_units)
        return n_units


def within_classes(influences: Values, weights: Values, n_classes: int) -> Values:
    """Return influences if the true classes have fixed shares: minus the means of the classes.

    The factor of a class depends on the number of all its samples, so unanswered samples that a
    metric leaves out have an influence too.

    Parameters
    ----------
    influences : ndarray of shape (..., n_entries)
        Influence of a sample in each entry of the counts.
    weights : ndarray of shape (..., n_entries)
        Weight of the samples in each entry.
    n_classes : int
        Number of classes.
    """
    by_class = influences.reshape(*influences.shape[:-1], n_classes, -1)
    weights = weights.reshape(*weights.shape[:-1], n_classes, -1)
    means = divide((weights * by_class).sum(axis=-1), weights.sum(axis=-1))
    return (by_class - means[..., None]).reshape(influences.shape)
