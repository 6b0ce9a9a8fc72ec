"""Values by group: intervals, differences between groups, and their permutation test."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import stdtrit
from scipy.stats import random_table

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    confusion_counts,
    evidence_kinds,
    influence_functions,
    lookup,
    resampling,
    sampling,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import CountedSamples
from sklearn_ordinal._core.evidence_reading import Forecasts
from sklearn_ordinal._core.influence_functions import EntryAmounts, SortedUnits
from sklearn_ordinal._core.resampling import CountLayout, Rows
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Document, Note
from sklearn_ordinal.inference import _holm_correction, _intervals
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._unit_moves import GroupMoves, GroupUnits, Spread
from sklearn_ordinal.metrics import _closeness, _probability

# Metric values of groups, comparable with each other and with the value of all samples
# -------------------------------------------------------------------------------------

# Whether the gain of a perfect prediction is a logarithm. The gain is the same on all three scales.
_HAS_LOGARITHM: dict[Callable[..., Any] | None, bool] = {
    _closeness.cem_ord_score: True,
    _closeness.cem_int_score: True,
    _closeness.cem_nom_score: True,
    _closeness.cem_ord_flat_score: False,
    _probability.cem_ord_decision_score: True,
    _probability.expected_cem_ord_score: True,
}


@dataclass(frozen=True, eq=False)
class GroupedSamples:
    """Probabilities or scores of all samples, and of the samples of each group.

    Parameters
    ----------
    all_samples : OrdinalForecasts or OrdinalScores
        All samples, with weights of shape (..., n_samples).
    groups : tuple of OrdinalForecasts or OrdinalScores
        The samples of each group, with weights of shape (..., n_samples_of_group).
    members : tuple of ndarray or slice
        Positions of the samples of each group among all samples.
    """

    all_samples: Forecasts
    groups: tuple[Forecasts, ...]
    members: tuple[NDArray[np.intp] | slice, ...]


def group_values(
    metric: OrdinalMetric,
    groups: OrdinalConfusion | GroupedSamples,
    prevalence: NDArray[np.float64] | None = None,
) -> Values:
    """Return the value of all groups together and of each group: (1 + n_groups, ...).

    For the closeness measures, the class sizes of all groups together are the
    reference.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric of labels, or of the probabilities or scores.
    groups : OrdinalConfusion or GroupedSamples
        Counts of shape (n_groups, ..., n_classes, n_classes), or probabilities or scores.
    prevalence : ndarray of shape (n_classes,), default=None
        Shares of the true classes to which all groups are weighted. The value is NaN for a
        group that has no sample of a class with a positive share.
    """
    if isinstance(groups, GroupedSamples):
        return _sample_values(metric, groups, prevalence)
    total = confusion_counts.with_arrays(groups, lambda array: array.sum(axis=0))
    of_group = _group_metric(metric, total.class_counts, prevalence)
    return np.concatenate(
        [
            _weighted_values(metric, total, prevalence)[None],
            _weighted_values(of_group, groups, prevalence),
        ]
    )


def group_weights(metric: OrdinalMetric, class_counts: NDArray[Any]) -> Values | None:
    """Return group weights for which the weighted mean of the groups is the value of all samples.

    The weight of a group is its share of what perfect predictions earn: (n_groups,
    ...). Return None if the metric has no such weights.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric.
    class_counts : ndarray of shape (n_groups, ..., n_classes)
        Number, or weight, of the samples of each group and true class.
    """
    if metric.function not in _HAS_LOGARITHM or metric.options.get("adjusted"):
        return None
    sizes = np.asarray(class_counts, dtype=np.float64)
    reference = metric.options.get("class_counts")
    reference = _closeness.check_reference(
        sizes.sum(axis=0) if reference is None else reference, sizes
    )
    log = _HAS_LOGARITHM[metric.function]
    earned = np.sum(sizes * _closeness.perfect_closeness(reference, sizes, log=log), axis=-1)
    return arithmetic.divide(earned, earned.sum(axis=0))


def _sample_values(
    metric: OrdinalMetric, samples: GroupedSamples, prevalence: NDArray[np.float64] | None
) -> Values:
    all_samples = samples.all_samples
    of_group = _group_metric(metric, all_samples.class_counts, prevalence)
    values = [
        _weighted_values(
            resampling.with_rows(of_group, members, all_samples.n_samples), group, prevalence
        )
        for group, members in zip(samples.groups, samples.members, strict=True)
    ]
    return np.stack(np.broadcast_arrays(_weighted_values(metric, all_samples, prevalence), *values))


def _group_metric(
    metric: OrdinalMetric, sizes: NDArray[np.float64], prevalence: NDArray[np.float64] | None
) -> OrdinalMetric:
    """Return the metric for single groups, with the class sizes of all groups as its reference.

    Only the closeness measures have a reference. If the metric was passed with a reference,
    that reference is kept. At a common prevalence, all groups have the same reference
    anyway.
    """
    if prevalence is not None or not _has_reference(metric):
        return metric
    return replace(metric, statistic=partial(metric.statistic, class_counts=sizes))


def _has_reference(metric: OrdinalMetric) -> bool:
    """Return whether the class sizes of all groups are the reference of a metric."""
    if lookup.is_wrapped(metric) or metric.options.get("class_counts") is not None:
        return False
    return "class_counts" in inspect.signature(metric.statistic).parameters


def _weighted_values(
    metric: OrdinalMetric,
    evidence: OrdinalConfusion | Forecasts,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the values of a metric, weighted to a prevalence if it is given."""
    is_unknown: NDArray[np.bool_] | bool = False
    if prevalence is not None:
        sizes = evidence.class_counts
        is_unknown = ((sizes == 0) & (prevalence > 0)).any(axis=-1)
        evidence = evidence.weighted_by_class(confusion_counts.factors_to_shares(sizes, prevalence))
    # A group may have no samples, in particular in a resample.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(is_unknown, np.nan, metric(evidence))


# Permutations of the groups of one data set
# ------------------------------------------

_NUMBERS_PER_STACK = 2**20
# With fewer units per kind, exchanging unit by unit is faster than drawing a table.
_UNITS_PER_KIND = 5
WITHIN_CLASSES = "samples of the same true class"
_WITHIN_CLUSTERS = "samples of the same cluster and true class"
WHOLE_CLUSTERS = "whole clusters"


@dataclass(frozen=True, eq=False)
class GroupedUnits:
    """Samples, or clusters of samples, of all groups, which a permutation exchanges.

    Parameters
    ----------
    layout : CountLayout
        How counts become evidence, with a matrix for each group.
    of_kinds : ndarray of shape (n_groups, n_kinds)
        Number of units of each kind in each group.
    tables : sparse array of shape (K * n_columns, n_kinds)
        Counts of one unit of each kind.
    stratum : ndarray of shape (n_kinds,)
        The stratum of each kind. Units are exchanged within their stratum.
    exchanged : str
        Description of the units that a permutation exchanges between groups.
    """

    layout: CountLayout
    of_kinds: NDArray[np.int64]
    tables: Any
    stratum: IntegerArray
    exchanged: str

    @classmethod
    def _from_samples(
        cls, samples: CountedSamples, group: IntegerArray, n_groups: int
    ) -> GroupedUnits:
        """Make the units from counted samples, given the group of each sample."""
        cluster = samples.cluster
        true = samples.cells[0] // samples.n_columns
        if cluster is not None:
            checks.check_n_units("clusters", int(cluster.max()) + 1)
        exchange = _exchange_of(cluster, group, true, len(samples.scale))
        if exchange.is_of_clusters:
            kind, stratum = exchange.unit, exchange.stratum
            tables = resampling.kind_tables(samples.cells, samples.weight, kind, samples.n_cells)
            # A cluster is a single unit, regardless of how many samples it has.
            sizes = np.zeros((n_groups, len(stratum)), dtype=np.int64)
            sizes[exchange.group, np.arange(len(stratum))] = 1
        else:
            # Without clusters, the cell of a sample determines its stratum.
            kind, first, tables = _kinds(samples, None if cluster is None else exchange.stratum)
            stratum = exchange.stratum[first]
            sizes = np.bincount(group * len(stratum) + kind, minlength=n_groups * len(stratum))
            sizes = sizes.reshape(n_groups, -1)
        return cls(resampling.count_layout(samples), sizes, tables, stratum, exchange.what)

    @classmethod
    def from_confusion(
        cls, groups: OrdinalConfusion, position: IntegerArray, n_groups: int | None = None
    ) -> GroupedUnits:
        """Make the units from a stack of counts, given the new position of each group.

        There may be more groups than matrices, some of them without samples.
        """
        samples = confusion_counts.samples_counted_in(groups)
        n_groups = n_groups or len(position)
        if samples is not None and samples.group is not None:
            return cls._from_samples(samples, position[samples.group], n_groups)
        counts = resampling.cell_counts(_confusion_by_group(groups, position, n_groups))
        flat = counts.reshape(len(counts), -1)
        cells = np.flatnonzero(flat.any(axis=0))
        return cls(
            CountLayout(groups.scale, False, groups.unanswered is not None),
            flat[:, cells],
            resampling.cell_tables(cells, flat.shape[1]),
            cells // counts.shape[-1],
            WITHIN_CLASSES,
        )

    def expected(self) -> Iterator[tuple[slice, OrdinalConfusion]]:
        """Yield all groups, with their mean counts over all permutations as a stack of one."""
        _, stratum = np.unique(self.stratum, return_inverse=True)
        n_of_kinds = self.of_kinds.sum(axis=0)
        # Number of units of each group in each stratum.
        of_groups = np.stack([np.bincount(stratum, numbers) for numbers in self.of_kinds])
        shares = of_groups / of_groups.sum(axis=0)
        counts = self.tables @ (shares[:, stratum] * n_of_kinds).T
        yield slice(None), self.layout.stacked(counts.T.reshape(-1, 1))

    def permuted(self, rng: np.random.Generator, n_permutations: int) -> Iterator[OrdinalConfusion]:
        """Yield stacks with the units exchanged at random between groups, within their strata."""
        n_groups, n_cells = len(self.of_kinds), self.tables.shape[0]
        order = np.argsort(self.stratum, kind="stable")
        strata = np.split(order, np.flatnonzero(np.diff(self.stratum[order])) + 1)
        largest = n_groups * max(n_cells, *map(len, strata))
        for part in arithmetic.slices(n_permutations, _NUMBERS_PER_STACK // largest):
            counts = np.zeros((part.stop - part.start, n_groups, n_cells))
            for kinds in strata:
                counts += self._exchanged(rng, kinds, len(counts))
            yield self.layout.stacked(counts.reshape(len(counts), -1).T)

    def _exchanged(
        self, rng: np.random.Generator, kinds: NDArray[np.intp], n: int
    ) -> NDArray[np.float64]:
        """Return random counts (n, n_groups, n_cells) of a stratum; each group keeps its size."""
        sizes, tables = self.of_kinds[:, kinds], self.tables[:, kinds]
        of_groups, of_kinds = sizes.sum(axis=1), sizes.sum(axis=0)
        if len(kinds) == 1 or np.count_nonzero(of_groups) == 1:
            group_sizes = np.broadcast_to(sizes, (n, *sizes.shape)).reshape(-1, len(kinds)).T
            counts = tables @ group_sizes.astype(np.float64)
        elif of_kinds.sum() < _UNITS_PER_KIND * len(kinds):
            group = np.repeat(np.arange(len(sizes)), of_groups)
            group = rng.permuted(np.broadcast_to(group, (n, len(group))), axis=1)
            of_units = tables[:, np.repeat(np.arange(len(kinds)), of_kinds)]
            counts = (of_units @ _members(group, len(sizes))).toarray()
        else:
            group_sizes = random_table(of_groups, of_kinds).rvs(n, random_state=rng)
            counts = tables @ np.reshape(group_sizes, (-1, len(kinds))).T.astype(np.float64)
        exchanged: NDArray[np.float64] = counts.T.reshape(n, len(sizes), -1)
        return exchanged


def _confusion_by_group(
    groups: OrdinalConfusion, position: IntegerArray, n_groups: int
) -> OrdinalConfusion:
    """Return the counts without their samples, given the new position of each group.

    Positions that no group has are groups without samples.
    """

    def placed(amounts: NDArray[Any]) -> NDArray[Any]:
        in_order = np.zeros((n_groups, *amounts.shape[1:]), dtype=amounts.dtype)
        in_order[position] = amounts
        return in_order

    return confusion_counts.with_arrays(groups, placed, groups=(), is_stratified=False)


def _members(group: NDArray[np.intp], n_groups: int) -> Any:
    """Return a sparse array (n_units, n * n_groups) that is 1 at the group of each unit."""
    n, n_units = group.shape
    members = (np.arange(n)[:, None] * n_groups + group).T.ravel()
    row_ends = np.arange(0, members.size + 1, n)
    return csr_array((np.ones(members.size), members, row_ends), shape=(n_units, n * n_groups))


def _kinds(
    samples: CountedSamples, within: IntegerArray | None
) -> tuple[IntegerArray, NDArray[np.intp], Any]:
    """Return the kind of each sample, and the first sample and the counts of each kind.

    Samples of the same kind have the same cell and weight, and the same `within` if it is given.
    """
    kind = resampling.sample_kinds(samples.cells, samples.n_columns, samples.weight)
    if within is not None:
        kind = np.unique(kind, return_inverse=True)[1]
        kind = kind * (within.max() + 1) + within
    _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
    tables = resampling.kind_tables(
        samples.cells[:, first], samples.weight[first], np.arange(len(first)), samples.n_cells
    )
    return kind, first, tables


class Exchange(NamedTuple):
    """The units that a permutation exchanges: samples of positive weight, or clusters."""

    unit: IntegerArray
    """The unit of each sample."""
    group: IntegerArray
    """The group of each unit."""
    stratum: IntegerArray
    """The stratum of each unit. Units are exchanged within their stratum."""
    what: str
    """Description of the units."""
    is_of_clusters: bool


def _exchange_of(
    cluster: IntegerArray | None, group: IntegerArray, true: IntegerArray, n_classes: int
) -> Exchange:
    """Return the units to exchange, given the cluster, group and true class of each sample."""
    samples = np.arange(len(true))
    if cluster is None:
        return Exchange(samples, group, true, WITHIN_CLASSES, False)
    n_clusters = int(cluster.max()) + 1
    groups = np.unique(np.stack([cluster, group]), axis=1)
    if groups.shape[1] > n_clusters:
        return Exchange(samples, group, cluster * n_classes + true, _WITHIN_CLUSTERS, False)
    # The stratum of a cluster is its true class. If any cluster has several classes, all clusters
    # are in one stratum.
    classes = np.unique(np.stack([cluster, true]), axis=1)
    stratum, unit = classes[1], "clusters of the same true class"
    if classes.shape[1] > n_clusters:
        stratum, unit = np.zeros(n_clusters, dtype=np.intp), WHOLE_CLUSTERS
    return Exchange(cluster, groups[1], stratum, unit, True)


def _tested_by(exchanged: str) -> str:
    """Return what differs between the groups if a test that exchanges units between them rejects.

    Samples of the same true class keep the class sizes of the groups. Whole clusters do not.
    """
    return {
        _WITHIN_CLUSTERS: "errors within clusters and true classes",
        WHOLE_CLUSTERS: "errors or class sizes of clusters",
    }.get(exchanged, "errors within true classes")


# Permutations of probabilities or scores of the groups of one data set
# ---------------------------------------------------------------------

_WEIGHTS_PER_STACK = 2**21


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Samples, or clusters of samples, of all groups, which a permutation exchanges.

    Parameters
    ----------
    rows : Rows
        All samples, and the units that they were drawn with.
    members : tuple of ndarray
        Positions of the samples of each group.
    groups : tuple of OrdinalForecasts or OrdinalScores
        The samples of each group.
    unit : ndarray of shape (n_samples,)
        The exchangeable unit of each sample; arbitrary for a sample of weight zero.
    group_of_unit : ndarray of shape (n_units,)
        The group of each exchangeable unit.
    stratum : ndarray of shape (n_units,)
        The stratum of each unit. Units are exchanged within their stratum.
    exchanged : str
        Description of the units that a permutation exchanges between groups.
    """

    rows: Rows
    members: tuple[NDArray[np.intp], ...]
    groups: tuple[Forecasts, ...]
    unit: NDArray[np.intp]
    group_of_unit: IntegerArray
    stratum: IntegerArray
    exchanged: str

    @classmethod
    def from_samples(cls, samples: Forecasts, group: IntegerArray, n_groups: int) -> GroupedRows:
        """Make the units from probabilities or scores, given the group number of each sample."""
        rows = Rows.from_systems((samples,))
        has_weight = samples.weights > 0
        cluster = None
        if samples.clusters is not None and rows.unit_of_row is not None:
            cluster = rows.unit_of_row[has_weight]
        exchange = _exchange_of(
            cluster, group[has_weight], samples.y_true[has_weight], samples.n_classes
        )
        unit = np.zeros(len(group), dtype=np.intp)
        unit[has_weight] = exchange.unit
        members = tuple(np.flatnonzero(group == g) for g in range(n_groups))
        groups = tuple(samples.part(positions) for positions in members)
        strata = np.unique(exchange.stratum, return_inverse=True)[1]
        return cls(rows, members, groups, unit, exchange.group, strata, exchange.what)

    @property
    def samples(self) -> Forecasts:
        """All samples."""
        samples: Forecasts = self.rows.systems[0]
        return samples

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""
        return self.samples.scale

    def class_counts(self) -> NDArray[Any]:
        """Return the number, or weight, of the samples of each group and true class."""
        counts = np.stack([group.class_counts for group in self.groups])
        return counts if self.samples.is_weighted else counts.astype(np.int64)

    def n_samples(self) -> NDArray[np.int64]:
        """Return the number of samples with positive weight in each group."""
        return np.array([sampling.count_samples(group) for group in self.groups])

    def permuted(self, rng: np.random.Generator, n_permutations: int) -> Iterator[GroupedSamples]:
        """Yield stacks with the units exchanged at random between groups, within their strata."""
        order = np.argsort(self.stratum, kind="stable")
        stratum, group = self.stratum[order], self.group_of_unit[order]
        # A stack is at most as many times as large as it has permutations.
        length = math.isqrt(_WEIGHTS_PER_STACK // self.samples.n_samples)
        for part in arithmetic.slices(n_permutations, length):
            keys = stratum + rng.random((part.stop - part.start, len(stratum)))
            permuted_groups = np.empty(keys.shape, dtype=group.dtype)
            permuted_groups[:, order] = group[np.argsort(keys, axis=1)]
            yield self._of_members(permuted_groups[:, self.unit])

    def expected(self) -> Iterator[tuple[slice, GroupedSamples]]:
        """Yield a few groups at a time, with their mean weights over all permutations."""
        samples, n_of_strata = self.samples, np.bincount(self.stratum)
        stratum_of_row = self.stratum[self.unit]
        for part in arithmetic.slices(len(self.groups), _WEIGHTS_PER_STACK // samples.n_samples):
            n_of_groups = [
                np.bincount(self.stratum[self.group_of_unit == g], minlength=len(n_of_strata))
                for g in range(part.start, part.stop)
            ]
            shares = np.stack(n_of_groups) / n_of_strata
            weights = samples.weights * shares[:, None, stratum_of_row]
            groups = tuple(sampling.reweighted(samples, of_group) for of_group in weights)
            yield part, GroupedSamples(samples, groups, (slice(None),) * len(groups))

    def _of_members(self, group_of_row: IntegerArray) -> GroupedSamples:
        """Return groups of the samples that are in the group in any of the permutations.

        The total size of the groups does not depend on their number.
        """
        samples, n_samples = self.samples, self.samples.n_samples
        keys = group_of_row * n_samples + np.arange(n_samples)
        # Many metrics need a sample. A group of samples without weight gets one, of weight zero.
        of_groups = n_samples * np.arange(len(self.groups))
        distinct = np.unique(np.concatenate([keys.ravel(), of_groups]))
        weights = np.zeros((len(keys), len(distinct)))
        columns = np.searchsorted(distinct, keys)
        np.put_along_axis(weights, columns, samples.weights[None], axis=1)
        starts = np.searchsorted(distinct, of_groups[1:])
        members = tuple(np.split(distinct % n_samples, starts))
        groups = tuple(
            sampling.reweighted(samples.part(positions), of_group)
            for positions, of_group in zip(members, np.split(weights, starts, axis=1), strict=True)
        )
        return GroupedSamples(samples, groups, members)


# The largest difference between groups
# -------------------------------------


# Names of groups in a sentence are cut to this width, so that they stay different if they can.
_LONGEST_NAME = 50


@dataclass(frozen=True, eq=False)
class GroupDifference(Contrast):
    """The largest difference between groups, with an interval and the tests of two questions.

    The interval and `adjusted_pvalue` are about the values, whatever the cause of a difference,
    such as other class sizes. `errors_pvalue` is about the errors within true classes.

    Parameters
    ----------
    estimate : float
        The largest difference, non-negative and in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples for which the metric is undefined in a group; they are left out.
    pvalue : float, default=nan
        NaN, since the largest difference is not tested alone.
    adjusted_pvalue : float, default=nan
        P-value of the test of whether the values of any groups differ: the smallest adjusted
        p-value of their differences from all samples, see `GroupReport.contrasts`.
    errors_pvalue : float, default=nan
        P-value of the test of whether what `tested` names differs between any groups; NaN without
        a test.
    lower_group : str, default=""
        The group with the lower value. For a difference from the value of all samples, either
        `lower_group` or `higher_group` is "overall". Both are empty if the difference is
        undefined.
    higher_group : str, default=""
        The group with the higher value.
    tested : str, default="errors"
        What the test is about, such as "errors within true classes".
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction, which the metric leaves out.
    method : str, default=None
        How the interval was computed.
    standard_error : float, default=None
        Standard error of the difference, None if it was not computed.

    Attributes
    ----------
    between : str
        The names of the two groups, such as "north to south"; long names are cut.

    See Also
    --------
    sklearn_ordinal.GroupReport : Compute differences between groups.

    Examples
    --------
    >>> from sklearn_ordinal.inference import GroupDifference
    >>> groups = {"lower_group": "north", "higher_group": "south"}
    >>> tests = {"adjusted_pvalue": 0.02, "errors_pvalue": 0.3}
    >>> tests["tested"] = "errors within true classes"
    >>> print(GroupDifference(0.12, 0.03, 0.22, 0.95, **tests, **groups))
    0.120 (95% interval 0.030 to 0.220), from north to south; values: p = 0.020; errors within true
    classes: p = 0.300
    """

    errors_pvalue: float = float("nan")
    lower_group: str = ""
    higher_group: str = ""
    tested: str = "errors"

    @property
    def between(self) -> str:
        """The names of the two groups, such as "north to south", or an empty string."""
        if not self.lower_group:
            return ""
        names = [formatting.visible(name) for name in (self.lower_group, self.higher_group)]
        return " to ".join(formatting.cut_names(names, _LONGEST_NAME))

    def __str__(self) -> str:
        between = f", from {self.between}" if self.between else ""
        # Without a test, there is no p-value that could be undefined.
        tests = "".join(
            f"; {tested}: {formatting.pvalue_in_words(pvalue)}"
            for tested, pvalue in self._tests().items()
        )
        return f"{self._with_digits(3)}{between}{tests}"

    def _tests(self) -> dict[str, float]:
        pvalues = {"values": self.adjusted_pvalue, self.tested: self.errors_pvalue}
        return {tested: pvalue for tested, pvalue in pvalues.items() if not math.isnan(pvalue)}

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and notes that name the two groups and what the test is about.
        """
        tests = self._tests()
        columns = [Column(f"p ({tested.partition(' ')[0]})", "pvalue") for tested in tests]
        notes = [f"From {self.between}."] if self.between else []
        if not math.isnan(self.errors_pvalue):
            notes.append(f"The second p: {self.tested}.")
        return Document(
            "Largest difference between groups",
            (
                self._table("difference", *columns, cells=tuple(tests.values())),
                *map(Note, notes),
                *self._notes(),
            ),
        )


# The tests of groups, and the results that they are added to
# -----------------------------------------------------------

Against = Literal["between_groups", "to_overall"]


@dataclass(frozen=True, eq=False)
class GroupInference:
    """The intervals of one metric.

    Parameters
    ----------
    overall : Interval
        Interval of the value of all samples.
    by_group : tuple of Interval
        Interval of the value of each group.
    group_min : Interval
        Interval of the smallest value of a group.
    group_max : Interval
        Interval of the largest value of a group.
    differences : mapping of str to GroupDifference
        The largest difference between groups, and the largest difference of a group from the
        value of all samples.
    ratios : mapping of str to Interval
        The smallest ratio between groups, and the smallest ratio of a group to the value of all
        samples.
    moves : GroupMoves
        How far samples move these values, for contrasts.
    """

    overall: Interval
    by_group: tuple[Interval, ...]
    group_min: Interval
    group_max: Interval
    differences: Mapping[str, GroupDifference]
    ratios: Mapping[str, Interval]
    moves: GroupMoves

    def with_pvalue(self) -> GroupInference:
        """Add the p-value of the test of errors within true classes, in closed form."""
        pvalue, tested = self.moves.observed_minus_expected().pvalue, _tested_by(WITHIN_CLASSES)
        differences = {
            against: replace(difference, errors_pvalue=pvalue, tested=tested)
            for against, difference in self.differences.items()
        }
        return replace(self, differences=differences)


def with_pvalues(
    inferences: Sequence[GroupInference],
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits | GroupedRows,
    rng: np.random.Generator,
    *,
    prevalence: NDArray[np.float64] | None,
    n_permutations: int,
) -> list[GroupInference]:
    """Add the p-values of the permutation test of each metric, computed on the same permutations.

    The time and the memory of a permutation are linear in the number of samples and of groups.
    """
    shape = len(metrics), 1 + len(inferences[0].by_group), n_permutations
    permuted = _stack_values(metrics, units.permuted(rng, n_permutations), shape, prevalence)
    expected = _expected(metrics, units, permuted, prevalence)
    return [
        _tested(inference, trials, explained, _tested_by(units.exchanged))
        for inference, trials, explained in zip(inferences, permuted, expected, strict=True)
    ]


def _stack_values(
    metrics: Sequence[OrdinalMetric],
    stacks: Iterable[OrdinalConfusion | GroupedSamples],
    shape: tuple[int, int, int],
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the values of all stacks: (n_metrics, 1 + n_groups, total size of the stacks)."""
    values, start = np.empty(shape), 0
    for groups in stacks:
        for of_metric, metric in zip(values, metrics, strict=True):
            stack_values = group_values(metric, groups, prevalence)
            of_metric[:, start : start + stack_values.shape[1]] = stack_values
        start += stack_values.shape[1]
    return values


# The difference of infinite losses, which a user's metric may return, is undefined.
@np.errstate(invalid="ignore")
def _tested(
    inference: GroupInference, permuted: Values, expected: Values, tested: str
) -> GroupInference:
    """Add the p-values to comparisons of the groups for which the metric is defined."""
    if np.isnan(inference.differences["between_groups"].estimate):
        return inference
    intervals = inference.overall, *inference.by_group
    estimates = np.array([interval.estimate for interval in intervals])
    is_defined = ~np.isnan(estimates)
    defined = estimates[is_defined], permuted[is_defined], expected[is_defined]
    differences = {
        against: replace(
            inference.differences[against],
            errors_pvalue=_pvalue(*defined, against),
            tested=tested,
        )
        for against in get_args(Against)
    }
    return replace(inference, differences=differences)


def _largest_difference(values: Values, against: Against) -> Any:
    """Return the largest absolute difference, NaN where it is undefined."""
    groups = values[1:]
    if against == "to_overall":
        return np.abs(groups - values[0]).max(axis=0)
    return groups.max(axis=0) - groups.min(axis=0)


def _pvalue(values: Values, permuted: Values, expected: Values, against: Against) -> float:
    """Return the permutation p-value.

    It is the share of permutations, counting the observed groups as one, in which the largest
    deviation of the groups from their expected values is at least as large as the observed one.
    """
    observed = _largest_difference(values - expected, against)
    trials = _largest_difference(permuted - expected[:, None], against)
    margin = tolerances.TIE * tolerances.scale_of(values)
    n_as_far = np.count_nonzero(trials >= observed - margin)
    return float((1 + n_as_far) / (1 + np.count_nonzero(~np.isnan(trials))))


def _expected(
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits | GroupedRows,
    permuted: Values,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the expected values of groups that make the same errors within each class.

    The expected values have shape (n_metrics, 1 + n_groups). Each metric is computed from the
    mean counts over all permutations, or from the mean weights. If a metric does not accept
    fractional counts, the mean of its values over the random permutations is used.
    """
    values = np.full(permuted.shape[:2], np.nan)
    from_stacks = []
    for of_metric, metric in zip(values, metrics, strict=True):
        if metric.takes_weights:
            from_stacks.append((of_metric, metric))
    for part, groups in units.expected() if from_stacks else ():
        for of_metric, metric in from_stacks:
            expected = group_values(metric, groups, prevalence)[:, 0]
            of_metric[0], of_metric[1:][part] = expected[0], expected[1:]
    n_defined = (~np.isnan(permuted)).sum(axis=-1)
    means = np.nansum(permuted, axis=-1) / np.where(n_defined, n_defined, np.nan)
    return np.where(np.isnan(values), means, values)


# Closed-form intervals of groups, and of the differences between them, from influences
# -------------------------------------------------------------------------------------

_SIMULTANEOUS = "simultaneous delta"
# Of many pairs of groups, this many are compared in full for each end of an interval.
_N_PAIRS = 50
# Step of a class size, relative to the size. The error of the central difference of fourth order is
# about this number to the power of 4.
_STEP = 1e-3
_OFFSETS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS_OF_OFFSETS = np.array([1.0, -8.0, 8.0, -1.0]) / 12
# An array with this many differences fits in the CPU cache.
_NUMBERS_PER_PART = 2**16


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Counts of groups, and the samples in clusters, for intervals in closed form.

    Parameters
    ----------
    counts : OrdinalConfusion
        Counts of shape (n_groups, K, K), without their samples.
    weights : ndarray of shape (n_groups, K, K + 1)
        Weight of the samples in each cell, the last column for unanswered samples.
    cell : ndarray of shape (n_cells,)
        Position in `weights` of each cell with samples.
    amounts : EntryAmounts
        The samples of each cell, or each sample if they were drawn in clusters or from strata.
    row : ndarray of shape (n_samples,) or None
        Position in `cell` of each sample.
    cluster : ndarray of shape (n_samples,) or None
        The cluster of each sample.
    stratum : ndarray of shape (n_samples,) or None
        The stratum of each sample, if there are strata.
    group_sizes : ndarray of shape (n_groups,)
        Number of samples of each group, regardless of their weights.
    """

    counts: OrdinalConfusion
    weights: Values
    cell: IntegerArray
    amounts: EntryAmounts
    row: IntegerArray | None
    cluster: IntegerArray | None
    stratum: IntegerArray | None
    group_sizes: NDArray[np.int64]

    @classmethod
    def from_confusion(
        cls, groups: OrdinalConfusion, position: IntegerArray, n_groups: int | None = None
    ) -> GroupedCounts:
        """Take a stack of counts, given the new position of each group.

        There may be more groups than matrices, some of them without samples.
        """
        samples = confusion_counts.samples_counted_in(groups)
        counts = _confusion_by_group(groups, position, n_groups or len(position))
        # Without its samples, the counts of soft labels would be refused.
        confusion_counts.check_has_items(groups)
        amounts = evidence_kinds.LABELS.entry_amounts(replace(counts, has_soft_labels=False))
        n_samples = amounts.numbers.sum()
        if n_samples < 2:
            raise ValueError(f"confusion must have at least 2 samples, got {n_samples:.0f}.")
        weights = amounts.weights.reshape(*counts.counts.shape[:-1], -1)
        stratum = None
        if (
            samples is not None
            and samples.group is not None
            and confusion_counts.has_design(groups)
        ):
            true, column = np.divmod(samples.cells[0], samples.n_columns)
            weight, stratum = samples.weight, samples.stratum
            cluster = np.arange(len(weight)) if samples.cluster is None else samples.cluster
            of_sample = position[samples.group], true, column
            cell, row = np.unique(
                np.ravel_multi_index(of_sample, weights.shape), return_inverse=True
            )
            amounts = EntryAmounts.of_weights(weight)
        else:
            # Most cells of many classes are empty.
            cluster, row, cell = None, None, np.flatnonzero(amounts.numbers)
            amounts = EntryAmounts(*(part.ravel()[cell] for part in amounts))
        group_sizes = np.zeros(len(counts.counts), dtype=np.int64)
        group_sizes[position] = groups.n_samples
        return cls(counts, weights, cell, amounts, row, cluster, stratum, group_sizes)

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""
        return self.counts.scale

    def class_counts(self) -> NDArray[Any]:
        """Return the number, or weight, of the samples of each group and true class."""
        sizes = self.counts.class_counts
        return sizes if self.counts.is_weighted else sizes.astype(np.int64)

    def n_samples(self) -> NDArray[np.int64]:
        """Return the number of samples of each group, regardless of their weights."""
        return self.group_sizes

    def units(
        self, is_counted: NDArray[np.bool_], prevalence: NDArray[np.float64] | None
    ) -> GroupUnits:
        """Return the samples or clusters, given which cells of a group count."""
        group, true, _ = np.unravel_index(self.cell, self.weights.shape)
        factor = None
        if prevalence is not None:
            sizes = self.counts.class_counts
            factor = confusion_counts.factors_to_shares(sizes, prevalence)[group, true]
        return GroupUnits.of_rows(
            group,
            true,
            is_counted.ravel()[self.cell % is_counted.size],
            self.amounts,
            self.cluster,
            self.weights.shape[:2],
            factor,
            self.row,
            self.stratum,
        )


def infer_from_influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    names: Sequence[str],
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
) -> list[GroupInference]:
    """Return the intervals of each metric in closed form, without p-values."""
    inferences: dict[str, GroupInference] = {}
    for _, batch in _intervals.metrics_by_kind(metrics, groups.counts):
        inferred = _inferred(batch, groups, names, prevalence, confidence_level)
        inferences |= zip([metric.name for metric in batch], inferred, strict=True)
    return [inferences[metric.name] for metric in metrics]


@np.errstate(divide="ignore", invalid="ignore")
def _inferred(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    names: Sequence[str],
    prevalence: NDArray[np.float64] | None,
    level: float,
) -> list[GroupInference]:
    """Return the intervals of metrics that count the same samples."""
    n_classes, missing = len(groups.scale), groups.counts.unanswered
    counts_unanswered = metrics[0].counts_unanswered and missing is not None
    is_counted = np.ones((n_classes, n_classes + 1), dtype=np.bool_)
    is_counted[:, n_classes] = counts_unanswered
    counted_cells = metrics[0].counted_cells(n_classes)
    if counted_cells is not None:
        is_counted[:, :n_classes] = counted_cells
    units = groups.units(is_counted, prevalence)
    n_left_out = np.zeros(len(units.numbers))
    if missing is not None and not counts_unanswered:
        n_left_out[1:] = missing.sum(axis=1)
        n_left_out[0] = n_left_out[1:].sum()
    if not groups.counts.is_weighted:
        n_left_out = n_left_out.astype(np.int64)
    values = np.array([group_values(metric, groups.counts, prevalence) for metric in metrics])
    pooled, weights = groups.counts.pooled(), groups.weights.reshape(len(groups.weights), -1)
    of_groups = [_group_metric(metric, pooled.class_counts, prevalence) for metric in metrics]
    own = _entry_moves(of_groups, groups.counts, weights, is_counted.ravel(), prevalence)
    overall = _entry_moves(metrics, pooled, weights.sum(axis=0), is_counted.ravel(), prevalence)
    overall = overall[:, None].repeat(len(weights), axis=1)
    if groups.counts.has_fixed_shares:
        overall = influence_functions.within_classes(overall, weights, n_classes)
    own, overall = (moves.reshape(len(metrics), -1)[:, groups.cell] for moves in (own, overall))
    slopes = [_slopes_of_counts(metric, groups.counts, prevalence) for metric in metrics]
    facts = {
        "is_at_shares": prevalence is not None or groups.counts.has_fixed_shares,
        "is_tested": not groups.counts.has_fixed_shares,
    }
    return [
        _inference(metric, units, moved, n_left_out, names, level, **facts)
        for metric, *moved in zip(metrics, values, own, overall, slopes, strict=True)
    ]


@np.errstate(divide="ignore", invalid="ignore")
def infer_from_sample_influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedRows,
    names: Sequence[str],
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
) -> list[GroupInference]:
    """Return the intervals of metrics of probabilities or scores in closed form."""
    samples, n_classes = groups.samples, len(groups.scale)
    together = GroupedSamples(samples, groups.groups, groups.members)
    values = np.array([group_values(metric, together, prevalence) for metric in metrics])
    weights, n_groups = samples.weights, len(groups.groups)
    group, is_drawn = np.zeros(len(weights), dtype=np.intp), weights > 0
    own = np.zeros((len(metrics), len(weights)))
    for number, (members, of_group) in enumerate(zip(groups.members, groups.groups, strict=True)):
        group[members] = number
        of_metrics = [
            resampling.with_rows(
                _group_metric(metric, samples.class_counts, prevalence), members, len(weights)
            )
            for metric in metrics
        ]
        own[:, members] = _entry_moves(
            of_metrics, of_group, of_group.weights, is_drawn[members], prevalence
        )
    factor = None
    if prevalence is not None:
        sizes = np.stack([of_group.class_counts for of_group in groups.groups])
        by_class = confusion_counts.factors_to_shares(sizes, prevalence)
        factor = by_class[group, samples.y_true]
    units = GroupUnits.of_rows(
        group,
        samples.y_true,
        is_drawn,
        evidence_kinds.kind_of(samples).entry_amounts(samples),
        groups.rows.unit_of_row,
        (n_groups, n_classes),
        factor,
        stratum=groups.rows.stratum_of_row,
    )
    overall = _entry_moves(metrics, samples, weights, is_drawn, prevalence)
    slopes = [_slopes_of_rows(metric, groups, prevalence) for metric in metrics]
    n_left_out = np.zeros(len(units.numbers), dtype=np.int64)
    return [
        _inference(
            metric,
            units,
            moved,
            n_left_out,
            names,
            confidence_level,
            is_at_shares=prevalence is not None,
        )
        for metric, *moved in zip(metrics, values, own, overall, slopes, strict=True)
    ]


def _inference(
    metric: OrdinalMetric,
    units: GroupUnits,
    moved: Sequence[Values],
    n_left_out: NDArray[Any],
    names: Sequence[str],
    level: float,
    *,
    is_at_shares: bool,
    is_tested: bool = True,
) -> GroupInference:
    """Return the intervals of the values, and of the differences between groups.

    The values, and how far samples move them, are those that `GroupUnits.moves` takes.
    """
    values, own, overall, slopes = moved
    moves = replace(units.moves(values, own, overall, slopes), is_tested=is_tested)
    if not is_at_shares:
        moves = moves.with_pooled()
    spread, n_classes = moves.value_spread(), units.n_classes
    ends = _intervals.delta_ends([metric], values[None], spread, level, n_classes)
    intervals = ends.intervals(values, spread.standard_error, level, n_left_out)
    return _compared(metric, intervals, spread, moves, names)


def _entry_moves(
    metrics: Sequence[OrdinalMetric],
    evidence: OrdinalConfusion | Forecasts,
    weights: Values,
    is_counted: NDArray[np.bool_],
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return how much a sample of weight 1 in each entry moves the values of evidence.

    The moves have shape (n_metrics, ..., n_entries), given the weights of the samples in the
    entries. They are 0 in entries without weight, and NaN for metrics without influences.
    """
    moves, factors = np.full((len(metrics), *weights.shape), np.nan), np.ones(weights.shape)
    if not weights.any():
        return moves
    classes = SortedUnits(evidence_kinds.kind_of(evidence).entry_classes(evidence))
    if prevalence is not None:
        by_class = confusion_counts.factors_to_shares(evidence.class_counts, prevalence)
        evidence = evidence.weighted_by_class(by_class)
        factors = by_class[..., classes.of_row]
    by_kind: dict[Any, list[int]] = {}
    for k, metric in enumerate(metrics):
        if metric.has_influence is not False:
            by_kind.setdefault(metric.evidence, []).append(k)
    for kind, known in by_kind.items():
        batch = [metrics[k] for k in known]
        accepted = kind.accepted(evidence, batch[0].name)
        moves[known] = kind.entry_influences(batch, accepted).influences
    if prevalence is not None:
        # The shares of the true classes are fixed, so only deviations from their means count.
        means = arithmetic.divide(classes.sums(weights * moves), classes.sums(weights))
        moves -= means[..., classes.of_row]
    total = np.where(is_counted, weights * factors, 0).sum(axis=-1, keepdims=True)
    return np.where(weights > 0, moves * factors / total, 0)


def _slopes_of_counts(
    metric: OrdinalMetric, groups: OrdinalConfusion, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return the derivatives of the values of groups by the class sizes of all groups.

    They have shape (n_groups, n_classes), and are 0 unless these sizes are the reference of the
    metric.
    """
    sizes = groups.class_counts.sum(axis=0)
    if groups.has_fixed_shares or _group_metric(metric, sizes, prevalence) is metric:
        return np.zeros(groups.class_counts.shape)

    def values(moved: Values) -> Values:
        at_sizes = _group_metric(metric, moved, prevalence)

        def of_groups(part: slice) -> Values:
            unanswered = groups.unanswered
            if unanswered is not None:
                unanswered = np.repeat(unanswered[part, None], len(moved), axis=1)
            counts = np.repeat(groups.counts[part, None], len(moved), axis=1)
            stack = OrdinalConfusion(groups.scale, counts, groups.is_weighted, unanswered)
            return np.asarray(at_sizes(stack))

        # With many classes, the counts of many groups would take much memory.
        length = max(1, _NUMBERS_PER_STACK // (moved.size * groups.counts.shape[-1]))
        return np.concatenate(
            [of_groups(part) for part in arithmetic.slices(len(groups.counts), length)]
        )

    return _reference_slopes(sizes, values)


def _slopes_of_rows(
    metric: OrdinalMetric, groups: GroupedRows, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return the derivatives of the values of groups by the class sizes of all groups."""
    sizes = groups.samples.class_counts
    if not metric.has_influence or _group_metric(metric, sizes, prevalence) is metric:
        return np.zeros((len(groups.groups), len(sizes)))
    return _reference_slopes(
        sizes,
        lambda moved: np.array(
            [[_group_metric(metric, at, None)(group) for at in moved] for group in groups.groups]
        ),
    )


def _reference_slopes(sizes: Values, values: Callable[[Values], Values]) -> Values:
    """Return the derivatives (n_groups, n_classes) of values by the class sizes.

    The values, of shape (n_groups, n), are a function of n class sizes (n, n_classes).
    """
    occurs = np.flatnonzero(sizes)
    step = _STEP * sizes[occurs]
    moved = np.tile(sizes, (len(occurs), len(_OFFSETS), 1))
    moved[np.arange(len(occurs)), :, occurs] += step[:, None] * _OFFSETS
    at_offsets = values(moved.reshape(-1, len(sizes)))
    by_class = at_offsets.reshape(-1, len(occurs), len(_OFFSETS)) @ _WEIGHTS_OF_OFFSETS
    slopes = np.zeros((len(by_class), len(sizes)))
    slopes[:, occurs] = np.nan_to_num(by_class / step)
    return slopes


@np.errstate(divide="ignore", invalid="ignore")
def mean_over_groups(
    metric: OrdinalMetric, by_group: Sequence[Interval], moves: GroupMoves, weights: Values
) -> Interval:
    """Return the mean of the values of groups, with weights that add up to 1.

    Values of a correlation are averaged as Fisher's z, NaN if it is infinite.
    """
    n_classes, level = moves.units.n_classes, by_group[0].confidence_level
    mean, slopes = _intervals.mean_of_values(metric, moves.values[1:], weights, n_classes)
    contrast = np.r_[0, slopes][None]
    error, degrees = moves.spread(np.where(np.isfinite(contrast), contrast, 0))
    # For a mean of proportions, as many samples as have its variance if all are equal.
    parts = np.where(weights > 0, weights**2 / moves.units.n_effective[1:], 0)
    spread = Spread(error, degrees, 1 / parts.sum(keepdims=True))
    ends = _intervals.delta_ends([metric], np.array([mean]), spread, level, n_classes)
    n_left_out = sum(interval.n_left_out for interval in by_group)
    return ends.intervals(np.array([mean]), error, level, n_left_out)[0]


def weights_of_differences(names: Sequence[str], reference: Any, noun: str) -> dict[str, Values]:
    """Return the weights of the value of all samples and of each group, by the compared group.

    All other groups are compared with the reference, or all groups with all samples, which `noun`
    calls "samples" or "items".
    """
    name_of_reference = None if reference is None else str(reference)
    if name_of_reference is not None and name_of_reference not in names:
        raise ValueError(
            f"reference must be one of the groups {checks.listed(names)}, or None for all {noun}, "
            f"got {checks.shown(reference)}."
        )
    overall, *of_groups = np.eye(1 + len(names))
    base = overall
    if name_of_reference is not None:
        base = of_groups[names.index(name_of_reference)]
    rows = zip(names, of_groups, strict=True)
    return {name: of_group - base for name, of_group in rows if name != name_of_reference}


def contrasts_of_groups(
    metric: OrdinalMetric,
    n_classes: int,
    moves: GroupMoves,
    rows: Mapping[str, Values],
    level: float,
    *,
    is_adjusted: bool = True,
    **facts: Any,
) -> dict[str, Contrast]:
    """Return weighted sums of the value of all samples and of each group, with their tests.

    The p-values are adjusted for all of them, unless a sum is tested alone.
    """
    weights = np.array([*rows.values()])
    errors, degrees, pvalues = moves.contrasts(weights)
    # Values with the weight 0 may be undefined.
    estimates = np.where(weights == 0, 0, weights * moves.values).sum(axis=1)
    pvalues = np.where(np.isnan(estimates), np.nan, pvalues)
    adjust = _holm_correction.holm_correction
    if weights[:, 0].any():
        adjust = _holm_correction.adjusted_differences_from_all
    adjusted = adjust(pvalues) if is_adjusted else np.full(len(pvalues), np.nan)
    lowest, highest = metric.bounds(n_classes)
    largest = (highest - lowest) * np.maximum(weights, 0).sum(axis=1)
    columns = (estimates, errors, degrees, largest, pvalues, adjusted)
    return {
        row: _intervals.from_error(
            Contrast,
            value,
            error,
            df,
            level,
            (-limit, limit),
            pvalue=pvalue,
            adjusted_pvalue=of_all,
            **facts,
        )
        for row, value, error, df, limit, pvalue, of_all in zip(
            rows, *(column.tolist() for column in columns), strict=True
        )
    }


def _compared(
    metric: OrdinalMetric,
    intervals: list[Interval],
    spread: Spread,
    moves: GroupMoves,
    names: Sequence[str],
) -> GroupInference:
    """Compare the groups for which the metric is defined."""
    level, values, n_classes = intervals[0].confidence_level, moves.values, moves.units.n_classes
    of_all: dict[str, Any] = {"n_left_out": intervals[0].n_left_out, "method": _SIMULTANEOUS}
    is_defined = ~np.isnan(values)
    pvalues = np.where(np.isnan(values[0] - values[1:]), np.nan, moves.pvalues_from_all())
    adjusted = _holm_correction.adjusted_differences_from_all(pvalues)
    # A comparison needs the value of all samples and the values of at least two groups.
    if is_defined.sum() < 3 or not is_defined[0]:
        all_nan = (np.nan, np.nan, np.nan)
        undefined = Interval(*all_nan, level, **of_all)
        difference = GroupDifference(*all_nan, level, **of_all)
        return GroupInference(
            intervals[0],
            tuple(intervals[1:]),
            undefined,
            undefined,
            dict.fromkeys(get_args(Against), difference),
            dict.fromkeys(get_args(Against), undefined),
            moves,
        )
    chosen = np.flatnonzero(is_defined[1:])
    of_defined = Spread(*(numbers[is_defined] for numbers in spread))
    names = [name for name, defined in zip(("overall", *names), is_defined, strict=True) if defined]
    low, high = _group_ends(metric, values[is_defined], of_defined, level, n_classes)
    lowest, highest = metric.bounds(n_classes)
    differences = {}
    ends = _largest_ends(values, np.ones(len(values)), moves, spread, chosen, level)
    for against in get_args(Against):
        lower, higher = _largest_difference_pairs(values[is_defined])[against]
        low_of_largest, high_of_largest = np.minimum(ends[against], highest - lowest).tolist()
        differences[against] = GroupDifference(
            float(_largest_difference(values[is_defined], against)),
            low_of_largest,
            high_of_largest,
            level,
            adjusted_pvalue=float(np.fmin.reduce(adjusted)),
            lower_group=names[lower],
            higher_group=names[higher],
            **of_all,
        )
    of_ratios = _ratios(values, moves, spread, chosen, level)
    ratios = {
        against: Interval(ratio, low_of_ratio, high_of_ratio, level, **of_all)
        for against, (ratio, low_of_ratio, high_of_ratio) in of_ratios.items()
    }
    values = values[is_defined]
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        Interval(values[1:].min(), low.min(), high.min(), level, **of_all),
        Interval(values[1:].max(), low.max(), high.max(), level, **of_all),
        differences,
        ratios,
        moves,
    )


def _largest_difference_pairs(values: Values) -> dict[str, tuple[int, int]]:
    """Return the positions of the lower and the higher value of the largest differences.

    The first value is for all samples, and the others are for the groups.
    """
    order = np.argsort(tolerances.dense_ranks(values[1:]), kind="stable") + 1
    overall = np.full(len(values) - 1, values[0])
    distances = tolerances.dense_ranks(
        np.abs(values[1:] - overall), tolerances.rounding_margins(values[1:], overall)
    )
    lower, higher = sorted((0, 1 + int(np.argmax(distances))), key=lambda k: float(values[k]))
    return {
        "between_groups": (int(order[0]), int(order[-1])),
        "to_overall": (lower, higher),
    }


def _simultaneous_level(level: float, n_values: int) -> float:
    """Return the level of each interval for which all hold together with a level (Sidak, 1967)."""
    simultaneous: float = level ** (1 / n_values)
    return simultaneous


def _group_ends(
    metric: OrdinalMetric, values: Values, spread: Spread, level: float, n_classes: int
) -> tuple[Values, Values]:
    """Return the ends of simultaneous intervals of the values of groups."""
    of_groups = Spread(*(numbers[1:] for numbers in spread))
    level_of_one = _simultaneous_level(level, len(values) - 1)
    ends = _intervals.delta_ends([metric], values[None, 1:], of_groups, level_of_one, n_classes)
    # A group in which all samples are alike has a standard error of 0.
    is_exact = np.isnan(ends.low[0]) & np.isfinite(of_groups.standard_error)
    return np.where(is_exact, values[1:], ends.low[0]), np.where(is_exact, values[1:], ends.high[0])


def _largest_ends(
    values: Values,
    factors: Values,
    moves: GroupMoves,
    spread: Spread,
    chosen: IntegerArray,
    level: float,
) -> dict[str, tuple[float, float]]:
    """Return the ends of the intervals of the largest differences, from those of all pairs.

    If all intervals of differences contain the true differences, the largest difference is at least
    the distance from 0 to the farthest interval, and at most the distance from 0 to the farthest
    end of an interval. The first value is for all samples, and the others are for the groups. Their
    derivatives by the values that the samples move are `factors`.
    """
    n_groups, identity = len(chosen), np.diag(factors)
    of_one = np.abs(factors) * spread.standard_error
    pairs_by_against, shares = [], []
    for against in get_args(Against):
        n_pairs = n_groups if against == "to_overall" else n_groups * (n_groups - 1) // 2
        shares.append((1 + _simultaneous_level(level, n_pairs)) / 2)
        # Without a spread, there are no degrees of freedom.
        quantiles = stdtrit(spread.degrees_of_freedom, shares[-1])
        margins = np.where(of_one == 0, 0, quantiles * of_one)
        pairs_by_against.append(_farthest_pairs(values, margins, chosen + 1, against))
    lengths = [len(pairs) for pairs in pairs_by_against]
    pairs, share = np.concatenate(pairs_by_against), np.repeat(shares, lengths)
    distances = np.abs(values[pairs[:, 0]] - values[pairs[:, 1]])
    error, degrees = moves.spread(identity[pairs[:, 0]] - identity[pairs[:, 1]])
    # Nothing shows how uncertain a difference is that no unit moves, unless the groups are alike.
    without_error = np.where(distances <= tolerances.TIE * tolerances.scale_of(values), 0, np.nan)
    is_zero = error <= tolerances.ZERO_SPREAD
    margins = np.where(is_zero, without_error, stdtrit(degrees, share) * error)
    starts = [0, lengths[0]]
    low = np.maximum.reduceat(np.maximum(distances - margins, 0), starts)
    high = np.maximum.reduceat(distances + margins, starts)
    return dict(zip(get_args(Against), zip(low.tolist(), high.tolist(), strict=True), strict=True))


def _farthest_pairs(
    values: Values, margins: Values, chosen: IntegerArray, against: Against
) -> NDArray[np.intp]:
    """Return the pairs of values whose intervals may start, or end, farthest from 0: (n_pairs, 2).

    There are at most `_N_PAIRS` for each, found with the margins of independent values.
    """
    is_to_overall = against == "to_overall"
    length = _NUMBERS_PER_PART // (1 if is_to_overall else len(chosen))
    best: list[NDArray[np.intp]] = [np.empty((2, 0), dtype=np.intp)] * 2
    ends: list[Values] = [np.empty(0)] * 2
    for part in arithmetic.slices(len(chosen), length):
        first = chosen[part, None]
        others = np.array([0]) if is_to_overall else chosen[part.start :]
        distances = np.abs(values[first] - values[others])
        both = np.sqrt(margins[first] ** 2 + margins[others] ** 2)
        is_pair = (first < others) | (others == 0)
        for k, sign in enumerate((-1, 1)):
            found = distances + sign * both
            least = ends[k].min() if len(ends[k]) == _N_PAIRS else -np.inf
            rows, columns = np.nonzero(is_pair & ~(found < least))
            pairs = np.stack([first[rows, 0], others[columns]])
            # A pair without an interval leaves the largest difference without one.
            found = np.r_[ends[k], np.nan_to_num(found[rows, columns], nan=np.inf)]
            candidates = np.hstack([best[k], pairs])
            largest = np.argpartition(found, -min(_N_PAIRS, len(found)))[-_N_PAIRS:]
            ends[k], best[k] = found[largest], candidates[:, largest]
    return np.unique(np.hstack(best), axis=1).T


def _ratios(
    values: Values,
    moves: GroupMoves,
    spread: Spread,
    chosen: IntegerArray,
    level: float,
) -> dict[str, tuple[float, float, float]]:
    """Return the smallest ratios and their ends.

    The logarithm of the smallest ratio is minus the largest difference of logarithms. The ratio is
    undefined for negative values, and if all values are 0.
    """
    # Rounding errors of either sign are 0.
    values = np.where(np.abs(values) <= tolerances.TIE * tolerances.scale_of(values), 0.0, values)
    logs = np.log(values)
    of_defined = logs[np.r_[0, chosen + 1]]
    largest: dict[str, float] = {
        against: float(_largest_difference(of_defined, against)) for against in get_args(Against)
    }
    ends = dict.fromkeys(largest, (np.nan, np.nan))
    if np.isfinite(list(largest.values())).any():
        ends = _largest_ends(logs, 1 / values, moves, spread, chosen, level)
    ratios = {}
    for against, (low, high) in ends.items():
        is_finite = np.isfinite(largest[against])
        ratio, *of_ratio = np.exp([-largest[against], -high, -low]).tolist()
        low_of_ratio, high_of_ratio = of_ratio if is_finite else (math.nan, math.nan)
        ratios[against] = ratio, low_of_ratio, high_of_ratio
    return ratios
