"""Soft labels: true classes as a distribution for each item, or as the grades of several raters.

An item becomes rows, one for each class that has a share of it. A row is a sample of this class
with the predictions of the item, and the share is its weight. The rows of an item are drawn
together, as a cluster. Everything that is computed from samples with weights and clusters can
therefore be computed from soft labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._checks import as_numbers, check_choice, check_sample_weight, listed
from sklearn_ordinal._core._containers import (
    Column,
    as_array,
    check_no_evidence,
    check_same_order,
    one_column,
    raise_missing,
    read_column,
    read_present,
    series_name,
)
from sklearn_ordinal._core._counting import CountedSamples, Unanswered
from sklearn_ordinal._core._encoding import (
    COUNT_UNANSWERED,
    check_same_length,
    declared_scale,
    encode_columns,
    encode_groups,
    encode_values,
)
from sklearn_ordinal._core._integer_run import IntegerArray
from sklearn_ordinal._core._item_values import joined_by_item
from sklearn_ordinal._core._probabilities import check_column_names, checked_probabilities
from sklearn_ordinal._core._samples import AnySamples, grouped, on_rows
from sklearn_ordinal._core._scale import OrdinalScale, as_scale
from sklearn_ordinal._core._warnings import warn_caller

_GRADES_OF_RATERS = (
    ", or make OrdinalRatings of it if its columns are the grades of raters, not shares of classes"
)


class HasClassShares(Protocol):
    """What ratings have in common with soft labels."""

    @property
    def class_shares(self) -> NDArray[np.float64]:
        """Share of each class among the grades of each item: (n_items, n_classes)."""


TrueClasses: TypeAlias = ArrayLike | HasClassShares
"""True classes of shape (n_samples,); or soft labels, which are distributions or ratings."""


class ItemRows(NamedTuple):
    """The rows of all items, in the order of the items."""

    item: NDArray[np.intp]
    true: NDArray[np.intp]
    """The class, as a position on the scale."""
    weight: NDArray[np.float64]
    """The share of the class, times the weight of the item."""


@dataclass(frozen=True, eq=False)
class SoftLabels:
    """The share of each class in each item.

    Parameters
    ----------
    name : str
        The argument that they were passed as.
    shares : ndarray of shape (n_items, n_classes)
        Rows that add up to 1, or zeros for an item without a grade.
    passed : object
        What was passed: an array or a frame of distributions, or ratings.
    scale : OrdinalScale, default=None
        The classes. If None, they depend on `labels` or on the predictions.
    items : ndarray of shape (n_items,), default=None
        Id of each item, by which other arguments are joined.
    sample_weight : ndarray of shape (n_items,), default=None
        Weight of each item.
    """

    name: str
    shares: NDArray[np.float64]
    passed: Any
    scale: OrdinalScale | None = None
    items: NDArray[Any] | None = None
    sample_weight: NDArray[np.float64] | None = None

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.shares)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        n_classes: int = self.shares.shape[1]
        return n_classes

    def by_item(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments in the order of the items: those of ratings are joined by id.

        The arguments beside distributions must have the same index, as beside classes.
        """
        if self.scale is None:
            check_same_order({self.name: self.passed, **values})
            return dict(values)
        return {name: joined_by_item(name, value, self.items) for name, value in values.items()}

    def classes(self, labels: Any, columns: Sequence[Column] = ()) -> OrdinalScale:
        """Return the scale that `labels` or the predicted classes declare, or raise.

        Without either, the classes are 0, 1, ..., as in `OrdinalConfusion.from_counts`.
        """
        if self.scale is not None:
            if labels is not None and as_scale(labels) != self.scale:
                raise ValueError(
                    f"labels must be left out if {self.name} is ratings, whose classes are "
                    f"{listed(self.scale.labels)}, got {listed(as_scale(labels).labels)}."
                )
            return self.scale
        scale = declared_scale(columns, labels)
        if scale is None:
            # The run of integers that are predicted is the scale only if it has all classes.
            scale = (
                encode_columns(columns, None).on_scale()[0]
                if columns
                else OrdinalScale.from_run(0, self.n_classes)
            )
        if len(scale) != self.n_classes:
            if labels is not None:
                raise ValueError(
                    f"labels must name each of the {self.n_classes} columns of {self.name}, from "
                    f"the lowest class to the highest, got {listed(scale.labels)}."
                )
            names = ", ".join(column.name for column in columns)
            raise ValueError(
                f"{self.name} must have a column for each class, but it has {self.n_classes} "
                f"columns, and {names} has the classes {listed(scale.labels)}: pass labels= with "
                f"all classes from the lowest to the highest."
            )
        in_words = "the classes, from the lowest,"
        check_column_names(self.name, self.passed, scale.labels.tolist(), in_words)
        return scale

    @property
    def is_graded(self) -> NDArray[np.bool_]:
        """Whether each item has a share of some class."""
        return np.asarray(self.shares.any(axis=1))

    def item_weights(self, sample_weight: Any) -> NDArray[np.float64]:
        """Return the weight of each item, ones if there are no weights."""
        if self.sample_weight is None:
            weights = check_sample_weight(sample_weight, self.n_items)
        elif sample_weight is not None:
            raise ValueError(
                f"sample_weight must be left out if {self.name} is ratings with weights of the "
                f"items."
            )
        else:
            weights = self.sample_weight
        is_graded = self.is_graded
        if not is_graded.all():
            warn_caller(
                f"{self.name} has no grade of {int((~is_graded).sum()):,} of {self.n_items:,} "
                f"items: left out."
            )
        if not weights[is_graded].any():
            raise ValueError("sample_weight must not be zero for all items with a grade.")
        return weights

    def rows(self, sample_weight: Any) -> ItemRows:
        """Return the rows of all items."""
        item, true = np.nonzero(self.shares > 0)
        weights = self.item_weights(sample_weight)
        return ItemRows(item, true, self.shares[item, true] * weights[item])


def is_soft(y_true: Any) -> bool:
    """Return whether true classes are distributions over several classes, or ratings."""
    if hasattr(type(y_true), "class_shares"):
        return True
    shape = getattr(y_true, "shape", None)
    if isinstance(shape, tuple):
        return len(shape) == 2 and shape[1] > 1
    if not isinstance(y_true, (list, tuple)) or not len(y_true):
        return False
    first = y_true[0]
    if isinstance(first, np.ndarray):
        return first.ndim > 0 and len(first) > 1
    return isinstance(first, (list, tuple)) and len(first) > 1


def read_soft_labels(y_soft: Any, name: str = "y_true") -> SoftLabels:
    """Read distributions over the classes, or the grades of raters.

    Items without a grade have no share of any class.
    """
    if hasattr(type(y_soft), "class_shares"):
        shares = np.nan_to_num(y_soft.class_shares)
        return SoftLabels(name, shares, y_soft, y_soft.scale, y_soft.items, y_soft.sample_weight)
    check_no_evidence(y_soft, name)
    proba = as_numbers(name, y_soft)
    if proba.ndim and not len(proba):
        raise ValueError(f"{name} must not be empty.")
    if proba.ndim != 2 or proba.shape[1] < 2:
        raise ValueError(
            f"{name} must have shape (n_samples, n_classes), a distribution over the classes for "
            f"each sample, or be OrdinalRatings, got shape {proba.shape}."
        )
    shares = checked_probabilities(proba, name=name, way_out=_GRADES_OF_RATERS)
    # Rounding errors below zero would lead to negative weights.
    return SoftLabels(name, np.maximum(shares, 0), y_soft)


def read_item_predictions(
    soft: SoftLabels,
    predictions: Mapping[str, Any],
    labels: Any,
    unanswered: Unanswered = "raise",
) -> tuple[OrdinalScale, list[NDArray[np.intp]]]:
    """Return the scale, and the class that each system predicts for each item.

    Missing predictions have the position after the last class.
    """
    check_choice("unanswered", unanswered, Unanswered)
    answers = {name: read_present(y_pred, name) for name, y_pred in predictions.items()}
    lengths = {name: len(is_answered) for name, (_, is_answered) in answers.items()}
    check_same_length({soft.name: soft.n_items, **lengths})
    for name, (_, is_answered) in answers.items():
        if unanswered == "raise" and not is_answered.all():
            raise_missing(name, COUNT_UNANSWERED)
    columns = [column for column, _ in answers.values() if column.is_ordered or len(column.values)]
    scale = soft.classes(labels, columns)
    positions = [np.full(soft.n_items, len(scale), dtype=np.intp) for _ in answers]
    for predicted, (column, is_answered) in zip(positions, answers.values(), strict=True):
        if is_answered.any():
            predicted[is_answered] = scale.encode(column)
    return scale, positions


def read_item_probabilities(
    y_soft: Any, y_proba: Any, labels: Any, sample_weight: Any
) -> tuple[SoftLabels, NDArray[np.float64], NDArray[np.float64]]:
    """Return soft labels, and the predicted probabilities and the weight of each item."""
    soft = read_soft_labels(y_soft, "y_soft")
    check_no_evidence(y_proba, "y_proba")
    joined = soft.by_item({"y_proba": y_proba, "sample_weight": sample_weight})
    scale = soft.classes(labels)
    proba = as_numbers("y_proba", joined["y_proba"])
    if proba.ndim != 2 or proba.shape[1] != len(scale):
        raise ValueError(
            f"y_proba must have shape (n_samples, {len(scale)}), a probability for each class of "
            f"y_soft, got shape {proba.shape}."
        )
    check_same_length({"y_soft": soft.n_items, "y_proba": len(proba)})
    in_words = "the classes, from the lowest,"
    check_column_names("y_proba", joined["y_proba"], scale.labels.tolist(), in_words)
    weight = soft.item_weights(joined["sample_weight"])
    return soft, checked_probabilities(proba, name="y_proba"), weight


def counted_rows(
    soft: SoftLabels,
    predictions: Mapping[str, Any],
    *,
    by: Any = None,
    labels: Any = None,
    sample_weight: Any = None,
    unanswered: Unanswered = "raise",
    clusters: Any = None,
) -> tuple[CountedSamples, tuple[Any, ...]]:
    """Return the rows as counted samples in clusters, and the names of the groups in `by`."""
    per_item = {"sample_weight": sample_weight, "by": by, "clusters": clusters}
    joined = soft.by_item({**predictions, **per_item})
    by_system = {name: joined[name] for name in predictions}
    scale, systems = read_item_predictions(soft, by_system, labels, unanswered)
    rows = soft.rows(joined["sample_weight"])
    has_weight = rows.weight > 0
    item, true, weight = rows.item[has_weight], rows.true[has_weight], rows.weight[has_weight]
    n_columns = len(scale) + (unanswered == "count")
    cells = np.stack([true * n_columns + predicted[item] for predicted in systems])
    group, groups = None, ()
    if by is not None:
        group, groups = encode_values(joined["by"], soft.n_items, "by")
        group = group[item]
    cluster = _drawn_items(soft, joined["clusters"])[item]
    samples = CountedSamples(
        scale,
        cells.astype(np.int64, copy=False),
        n_columns,
        weight,
        has_weight,
        True,
        _without_gaps(cluster),
        group,
        item,
        series_name(clusters),
    )
    return samples, groups


def read_rows(
    read: Callable[..., AnySamples],
    kind: type[AnySamples],
    y_true: Any,
    predicted: Any,
    *,
    name: str,
    labels: Any = None,
    sample_weight: Any = None,
    clusters: Any = None,
    by: Any = None,
    **options: Any,
) -> AnySamples:
    """Return probabilities or scores that a function reads, for the rows of soft labels if any."""
    if not is_soft(y_true):
        options |= {"labels": labels, "sample_weight": sample_weight}
        return read(kind, y_true, predicted, name=name, clusters=clusters, by=by, **options)
    soft = read_soft_labels(y_true)
    per_item = {"sample_weight": sample_weight, "by": by, "clusters": clusters}
    joined = soft.by_item({name: predicted, **per_item})
    scale = soft.classes(labels)
    # The true classes of the items are replaced by those of the rows.
    lowest = np.full(soft.n_items, scale.labels[0])
    items = read(kind, lowest, joined[name], name=name, labels=scale, **options)
    item, true, weight = soft.rows(joined["sample_weight"])
    cluster = _drawn_items(soft, joined["clusters"])[item]
    evidence = on_rows(items, item, true, weight, cluster, series_name(clusters))
    if by is None:
        return evidence
    group, groups = encode_values(joined["by"], soft.n_items, "by")
    return grouped(evidence, group[item], groups)


def groups_by_item(y_true: Any, by: Any) -> tuple[Any, int]:
    """Return groups in the order of the samples, and the number of samples.

    A Series is joined by id if ratings have ids. Groups in several columns must be in their order.
    """
    if not is_soft(y_true):
        return by, len(read_column(y_true, "y_true").values)
    soft = read_soft_labels(y_true)
    is_column = getattr(by, "ndim", None) == 1
    return (soft.by_item({"by": by})["by"] if is_column else by), soft.n_items


def values_on_rows(y_true: Any, name: str, values: Any) -> Any:
    """Return the values of samples unchanged, or repeat those of items for the rows of soft labels.

    The rows are those of positive share, in the order of the items.
    """
    if not is_soft(y_true):
        return values
    soft = read_soft_labels(y_true)
    joined = as_array(one_column(soft.by_item({name: values})[name]), name)
    check_same_length({"y_true": soft.n_items, name: len(joined)})
    return joined[np.nonzero(soft.shares > 0)[0]]


def _drawn_items(soft: SoftLabels, clusters: Any) -> NDArray[np.int64]:
    """Return the cluster that each item is drawn with; without clusters, each item is alone."""
    if clusters is None:
        return np.arange(soft.n_items, dtype=np.int64)
    return encode_groups(clusters, soft.n_items, "clusters")


def _without_gaps(numbers: IntegerArray) -> IntegerArray:
    """Return integers from 0 in the same order, all of which occur."""
    occurs = np.bincount(numbers) > 0
    return (np.cumsum(occurs) - 1)[numbers]
