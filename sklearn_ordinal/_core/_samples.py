"""The base of evidence per sample: true classes, and weights with leading axes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core._arrays import owned, read_only
from sklearn_ordinal._core._checks import (
    added_to_zero,
    as_numbers,
    check_amounts,
    check_bool,
    check_factors,
    iterate,
    listed,
    raise_cannot_be_added,
    shown,
)
from sklearn_ordinal._core._containers import as_array, check_same_order, series_name
from sklearn_ordinal._core._counting import Values
from sklearn_ordinal._core._encoding import encode_groups, encode_values
from sklearn_ordinal._core._fields import have_equal_fields
from sklearn_ordinal._core._names import checked_groups, group_position
from sklearn_ordinal._core._saved import SavedEvidence
from sklearn_ordinal._core._scale import OrdinalScale, check_same_scale, checked_scale

# Faster than a product with a matrix of few long rows. NumPy 1 does not have it.
_dot: Callable[..., Any] = getattr(np, "vecdot", np.matmul)

T = TypeVar("T")
AnySamples = TypeVar("AnySamples", bound="Samples")


class Samples(SavedEvidence):
    """Samples with a true class and weights, whose leading axes are resamples or groups."""

    # The class method that takes labels, and the field of the predictions.
    _constructor: ClassVar[str]
    _predictions: ClassVar[str]

    scale: OrdinalScale
    y_true: NDArray[np.intp]
    weights: NDArray[np.float64]
    is_weighted: bool
    clusters: NDArray[np.int64] | None
    group: NDArray[np.int64] | None
    groups: tuple[Any, ...]
    # Results of `shared`, which do not depend on the weights.
    _shared: dict[Hashable, Any]
    # Sums of the weights, if known.
    _amounts: Values | None = None
    # The item of each sample if these are the rows of soft labels.
    _item: NDArray[np.intp] | None = None
    # The name of the column of clusters, if it is known.
    _cluster_name: str = ""

    way_out_of_arrays: ClassVar[str] = "pass it to a metric, as in get_metric(name)(evidence)"

    # With ufuncs disabled, arithmetic with arrays is an error. Its result would lose the classes.
    __array_ufunc__ = None

    @property
    def _predicted(self) -> NDArray[np.float64]:
        predicted: NDArray[np.float64] = getattr(self, self._predictions)
        return predicted

    def _check(self) -> None:
        """Check the fields that both kinds of evidence share, and make the arrays read-only."""
        check_bool("is_weighted", self.is_weighted)
        scale, y_true = checked_scale(self.scale), as_array(self.y_true, "y_true")
        if y_true.ndim != 1 or y_true.dtype.kind not in "iu" or not len(y_true):
            raise ValueError(
                f"y_true must be a one-dimensional array of positions on the scale: pass labels to "
                f"{type(self).__name__}.{self._constructor}."
            )
        if y_true.min() < 0 or y_true.max() >= len(scale):
            raise ValueError(
                f"y_true must contain positions on the scale, from 0 to {len(scale) - 1}, got "
                f"{y_true.min()} to {y_true.max()}."
            )
        weights = as_numbers("weights", self.weights)
        if not weights.ndim or weights.shape[-1] != len(y_true):
            raise ValueError(
                f"weights must have shape (..., {len(y_true)}), a weight for each sample, got "
                f"{weights.shape}."
            )
        check_amounts("weights", weights)
        if self.clusters is not None:
            clusters = as_numbers("clusters", self.clusters)
            if clusters.shape != y_true.shape or clusters.dtype.kind not in "iu":
                raise ValueError(
                    f"clusters must hold an integer for each of the {len(y_true)} samples, got "
                    f"{shown(self.clusters)}: pass other names to "
                    f"{type(self).__name__}.{self._constructor}."
                )
            object.__setattr__(self, "clusters", owned(clusters, np.int64))
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "y_true", owned(y_true, np.intp))
        object.__setattr__(self, "weights", owned(weights, np.float64))
        object.__setattr__(self, "groups", checked_groups(self.groups, weights.shape[:-1]))
        self._check_group()

    def _check_group(self) -> None:
        if not self.groups:
            if self.group is not None:
                raise ValueError(
                    f"group must be None, since groups is empty, got {shown(self.group)}."
                )
            return
        group = np.asarray(self.group)
        is_position = group.dtype.kind in "iu" and group.shape == self.y_true.shape
        if not is_position or group.min() < 0 or group.max() >= len(self.groups):
            raise ValueError(
                f"group must hold the position in groups, from 0 to {len(self.groups) - 1}, of "
                f"each of the {self.n_samples} samples, got {shown(self.group)}: pass by= to "
                f"{type(self).__name__}.{self._constructor}."
            )
        object.__setattr__(self, "group", owned(group, np.int64))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, pickled arrays would come back writeable.
        return (
            type(self)._from_checked,
            (
                self.scale,
                self.y_true,
                self._predicted,
                self.weights,
                self.is_weighted,
            ),
            {
                "clusters": self.clusters,
                "group": self.group,
                "groups": self.groups,
                "_item": self._item,
                "_cluster_name": self._cluster_name,
            },
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            is_array = isinstance(value, np.ndarray)
            object.__setattr__(self, name, read_only(value) if is_array else value)

    @classmethod
    def _from_checked(cls, scale: OrdinalScale, *arrays_and_is_weighted: Any) -> Self:
        """Return evidence from arrays that were checked before, in the order of the fields.

        The tolerance for the sum of probabilities depends on the dtype in which they were passed,
        so rows of float32 may not pass the check a second time.
        """
        evidence = object.__new__(cls)
        *arrays, is_weighted = arrays_and_is_weighted
        values = [scale, *map(read_only, arrays), is_weighted, None, None, (), {}]
        for attribute, value in zip(fields(cls), values, strict=True):  # type: ignore[arg-type]
            object.__setattr__(evidence, attribute.name, value)
        return evidence

    @property
    def labels(self) -> NDArray[Any]:
        """The classes from the lowest to the highest."""
        return self.scale.labels

    def __getitem__(self, group: Any) -> Self:
        """Return the samples of a group by its name, or by its position if it has no name."""
        k = group_position(group, self.groups, self.weights.shape[:-1])
        if self.group is None:
            return reweighted(self, self.weights[k])
        return clustered_part(reweighted(self, self.weights[k]), np.flatnonzero(self.group == k))

    # A loop could be over names, as for a dict, or over evidence, as for a list.
    __iter__ = None

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.y_true)

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def class_counts(self) -> Values:
        """Number, or weight, of the samples of each true class: (..., n_classes)."""
        return self.total(self.shared(_membership))

    def total(self, values: Any) -> Values:
        """Return the weighted sum of values over the samples.

        Parameters
        ----------
        values : ndarray or sparse array of shape (n_samples,) or (n_samples, n_values)
            One value, or several, per sample.

        Returns
        -------
        ndarray of shape (...) or (..., n_values)
            The sums, with the leading axes of the weights. Sums that exceed the largest float
            are infinite.
        """
        with np.errstate(over="ignore"):
            return self._sums(values)

    def _sums(self, values: Any) -> Values:
        if not hasattr(values, "toarray"):
            values = self._per_sample("values", values, (1, 2))
            return np.asarray((_dot if values.ndim == 1 else np.matmul)(self.weights, values))
        if values.ndim != 2 or values.shape[0] != self.n_samples:
            raise ValueError(
                f"values must have shape ({self.n_samples}, n_values), got {values.shape}."
            )
        # Sparse arrays take two-dimensional weights only.
        sums = values.T @ self.weights.reshape(-1, self.n_samples).T
        return np.asarray(sums.T.reshape(*self.weights.shape[:-1], values.shape[1]))

    def _per_sample(self, name: str, values: Any, dimensions: tuple[int, ...]) -> NDArray[Any]:
        """Return an array of numbers with an entry on its first axis for each sample."""
        # Statistics pass plain arrays of numbers, so only the shape is checked.
        is_plain = type(values) is np.ndarray and values.dtype.kind in "biuf"
        array: NDArray[Any] = values if is_plain else as_numbers(name, values)
        if array.ndim not in dimensions or len(array) != self.n_samples:
            shapes = [f"({self.n_samples},)", f"({self.n_samples}, n_values)"]
            raise ValueError(
                f"{name} must have shape {' or '.join(shapes[: max(dimensions)])}, got "
                f"{array.shape}."
            )
        return array

    def mean(self, values: NDArray[np.float64]) -> Values:
        """Return the weighted mean of values over the samples.

        Parameters
        ----------
        values : ndarray of shape (n_samples,)
            One value per sample.

        Returns
        -------
        ndarray of shape (...)
            The means, NaN where the weights are all zero. Rounding errors may take a mean
            out of the range of the values.
        """
        if not isinstance(values, np.ndarray) or values.ndim != 1:
            values = self._per_sample("values", values, (1,))
        amount = self.weights.sum(axis=-1) if self._amounts is None else self._amounts
        if np.ndim(amount) or not amount > 0:
            amount = np.where(amount > 0, amount, np.nan)
        try:
            with np.errstate(over="raise"):
                return np.asarray(np.divide(self._sums(values), amount))
        except FloatingPointError:
            # The sum exceeds the largest float, which a mean of finite values cannot. Division by
            # a power of two is exact.
            exponent = np.frexp(np.nanmax(amount))[1]
            sums = self._sums(np.ldexp(values, -exponent))
            return np.asarray(np.ldexp(np.divide(sums, amount), exponent))

    def shared(self, compute: Callable[[Self], T]) -> T:
        """Return the result of a function, computed once for these samples with any weights.

        Parameters
        ----------
        compute : callable
            Function of the evidence that does not use the weights, such as the loss of
            each sample or the order of the scores.

        Returns
        -------
        object
            The result, shared with evidence of the same samples with other weights.
        """
        is_function = isinstance(compute, Hashable) and not isinstance(compute, type)
        if not is_function or not callable(compute):
            raise ValueError(f"compute must be a function of the evidence, got {shown(compute)}.")
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        result: T = self._shared[compute]
        return result

    def reweighted(self, weights: NDArray[np.float64]) -> Self:
        """Return the same samples with other weights.

        Parameters
        ----------
        weights : ndarray of shape (..., n_samples)
            Non-negative weights, such as the number of times that each sample is drawn.

        Returns
        -------
        OrdinalForecasts or OrdinalScores
            The evidence, which shares everything that does not depend on the weights.

        Raises
        ------
        ValueError
            If there is not a weight for each sample, or a weight is negative or not finite.
        """
        checked = as_numbers("weights", weights).astype(np.float64, copy=False)
        check_amounts("weights", checked)
        return reweighted(self, checked)

    def part(self, members: NDArray[np.intp]) -> Self:
        """Return some of the samples, such as a group, without clusters.

        Parameters
        ----------
        members : ndarray of shape (n_members,)
            Positions of the samples.

        Returns
        -------
        OrdinalForecasts or OrdinalScores
            The samples, with their weights.
        """
        members = as_numbers("members", members)
        is_mask = members.dtype.kind == "b" and members.shape == (self.n_samples,)
        is_inside = members.dtype.kind in "iu" and (
            not members.size or -self.n_samples <= members.min() <= members.max() < self.n_samples
        )
        if members.ndim != 1 or not (is_mask or is_inside):
            raise ValueError(
                f"members must be positions of samples from 0 to {self.n_samples - 1}, got "
                f"{shown(members)}."
            )
        part = self._from_checked(
            self.scale,
            self.y_true[members],
            self._predicted[members],
            self.weights[..., members],
            self.is_weighted,
        )
        if self._item is not None:
            object.__setattr__(part, "_item", read_only(self._item[members]))
        return part

    def weighted_by_class(self, factors: NDArray[np.float64]) -> Self:
        """Return the samples with the weights of each true class multiplied by its factor.

        Parameters
        ----------
        factors : ndarray of shape (..., n_classes)
            Non-negative factors, from the lowest class to the highest.

        Returns
        -------
        OrdinalForecasts or OrdinalScores
            The weighted samples.
        """
        checked_factors = check_factors(factors, self.n_classes)
        weighted = reweighted(self, self.weights * checked_factors[..., self.y_true])
        object.__setattr__(weighted, "is_weighted", True)
        return with_groups_like(weighted, self)

    @classmethod
    def stack(cls, evidence: Iterable[Self]) -> Self:
        """Stack evidence on the same scale along a new first axis.

        Parameters
        ----------
        evidence : iterable of OrdinalForecasts or OrdinalScores
            One item per fold, group or system, all of the same kind; their samples may
            differ.

        Returns
        -------
        OrdinalForecasts or OrdinalScores
            The samples of all items, and weights of shape (n_stacked, ..., n_samples_of_all),
            which are zero for the samples of the other items.

        Raises
        ------
        ValueError
            If there is no evidence, or kinds, scales or leading axes differ.
        """
        parts = cls._parts(evidence)
        n_all = sum(part.n_samples for part in parts)
        weights = np.zeros((len(parts), *parts[0].weights.shape[:-1], n_all))
        start = 0
        for k, part in enumerate(parts):
            weights[k, ..., start : start + part.n_samples] = part.weights
            start += part.n_samples
        return cls._joined(parts, weights)

    @classmethod
    def _parts(cls, evidence: Iterable[Self]) -> list[Self]:
        parts = list(iterate("evidence", evidence, cls.__name__))
        if not parts or not all(isinstance(part, cls) for part in parts):
            raise ValueError(f"evidence must contain at least one {cls.__name__} and nothing else.")
        for part in parts[1:]:
            check_same_scale(parts[0].scale, part.scale)
        if any(part.clusters is not None for part in parts):
            raise ValueError(
                f"evidence must not have clusters to be added or stacked, since a cluster may have "
                f"samples in several parts: pass all samples at once to "
                f"{cls.__name__}.{cls._constructor}."
            )
        shapes = [part.weights.shape[:-1] for part in parts]
        if len(set(shapes)) > 1:
            raise ValueError(
                f"evidence must have weights with the same leading axes, got {shapes}."
            )
        return parts

    @classmethod
    def _joined(cls, parts: list[Self], weights: NDArray[np.float64]) -> Self:
        return cls._from_checked(
            parts[0].scale,
            np.concatenate([part.y_true for part in parts]),
            np.concatenate([part._predicted for part in parts]),
            weights,
            any(part.is_weighted for part in parts),
        )

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, type(self)):
            raise_cannot_be_added(self, other)
        parts = self._parts([self, other])
        return self._joined(parts, np.concatenate([part.weights for part in parts], axis=-1))

    __radd__ = added_to_zero

    def __repr__(self) -> str:
        stack = " x ".join(map(str, self.weights.shape[:-1]))
        stacked = f", stack of {stack}," if stack else ""
        clusters = ""
        if self.clusters is not None:
            clusters = f" in {len(np.unique(self.clusters))} clusters"
        groups = f" and the groups {listed(self.groups)}" if self.groups else ""
        number = f"{self.n_samples} samples"
        if self._item is not None:
            number = f"soft labels of {len(np.unique(self._item))} samples"
        return (
            f"{type(self).__name__}{stacked} of {number}{clusters} over the classes "
            f"{listed(self.labels)}{groups}"
        )


def from_checked(
    kind: type[AnySamples],
    scale: OrdinalScale,
    y_true: NDArray[np.intp],
    predicted: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    is_weighted: bool = False,
) -> AnySamples:
    """Return evidence from checked arrays, whose probabilities may have been float32."""
    return kind._from_checked(scale, y_true, predicted, weights, is_weighted)


def with_clusters(
    evidence: AnySamples, y_true: ArrayLike, clusters: ArrayLike | None
) -> AnySamples:
    """Return new evidence with its samples in clusters, unless the clusters are None."""
    if clusters is not None:
        check_same_order({"y_true": y_true, "clusters": clusters})
        numbers = encode_groups(clusters, evidence.n_samples, "clusters")
        object.__setattr__(evidence, "clusters", owned(numbers, np.int64))
        object.__setattr__(evidence, "_cluster_name", series_name(clusters))
    return evidence


def with_groups(evidence: AnySamples, y_true: ArrayLike, by: ArrayLike | None) -> AnySamples:
    """Return newly made evidence with weights for each group, unless `by` is None."""
    if by is None:
        return evidence
    check_same_order({"y_true": y_true, "by": by})
    return grouped(evidence, *encode_values(by, evidence.n_samples, "by"))


def grouped(evidence: AnySamples, group: NDArray[np.int64], groups: tuple[Any, ...]) -> AnySamples:
    """Return newly made evidence with weights for each group, given the group of each sample."""
    weights = np.where(group == np.arange(len(groups))[:, None], evidence.weights, 0.0)
    parted = reweighted(evidence, weights)
    object.__setattr__(parted, "group", owned(group, np.int64))
    object.__setattr__(parted, "groups", groups)
    return parted


def with_groups_like(evidence: AnySamples, other: Samples) -> AnySamples:
    """Return newly made evidence with the groups of other evidence of the same samples."""
    object.__setattr__(evidence, "_item", other._item)
    object.__setattr__(evidence, "group", other.group)
    object.__setattr__(evidence, "groups", other.groups)
    object.__setattr__(evidence, "_cluster_name", other._cluster_name)
    return evidence


def on_rows(
    evidence: AnySamples,
    item: NDArray[np.intp],
    y_true: NDArray[np.intp],
    weights: NDArray[np.float64],
    clusters: NDArray[np.int64],
    cluster_name: str,
) -> AnySamples:
    """Return a sample for each row of some items, given the item of each row."""
    rows = evidence._from_checked(evidence.scale, y_true, evidence._predicted[item], weights, True)
    object.__setattr__(rows, "clusters", owned(clusters, np.int64))
    object.__setattr__(rows, "_item", read_only(item))
    object.__setattr__(rows, "_cluster_name", cluster_name)
    return rows


def count_samples(evidence: Samples) -> int:
    """Return the number of samples, or of items with soft labels, that have a positive weight."""
    has_weight, item = evidence.weights > 0, evidence._item
    return int(np.count_nonzero(has_weight)) if item is None else len(np.unique(item[has_weight]))


def sample_clusters(evidence: Any) -> NDArray[np.int64] | None:
    """Return the cluster of each sample as an integer, None if samples are drawn one by one."""
    clusters: NDArray[np.int64] | None = getattr(evidence, "clusters", None)
    return clusters


def clustered_part(evidence: AnySamples, members: NDArray[Any]) -> AnySamples:
    """Return some of the samples, with their clusters."""
    part = evidence.part(members)
    if evidence.clusters is not None:
        object.__setattr__(part, "clusters", read_only(evidence.clusters[members]))
        object.__setattr__(part, "_cluster_name", evidence._cluster_name)
    return part


def without_clusters(evidence: AnySamples) -> AnySamples:
    """Return the same samples without clusters, for a caller that keeps the clusters itself."""
    if sample_clusters(evidence) is None:
        return evidence
    unclustered = reweighted(evidence, evidence.weights)
    object.__setattr__(unclustered, "clusters", None)
    return unclustered


def sample_predictions(evidence: Samples) -> tuple[str, NDArray[np.float64]]:
    """Return the name of the predictions, such as "y_proba", and the predictions."""
    return evidence._predictions, evidence._predicted


def constructor_name(evidence: Samples) -> str:
    """Return the name of the class method that makes evidence of labels and predictions."""
    return evidence._constructor


def _membership(evidence: Samples) -> Any:
    """Return a sparse array (n_samples, n_classes) that is 1 at the true class of each sample."""
    n_samples = evidence.n_samples
    return csr_array(
        (np.ones(n_samples), evidence.y_true, np.arange(n_samples + 1)),
        shape=(n_samples, evidence.n_classes),
    )


def reweighted(
    evidence: T, weights: NDArray[np.float64], amounts: NDArray[np.float64] | None = None
) -> T:
    """Return the same samples with other weights, which are not checked.

    Resampling passes many large arrays of weights. Evidence of other kinds has its own method.
    """
    if not isinstance(evidence, Samples):
        other: Any = evidence
        return cast(T, other.reweighted(weights))
    if weights.shape[-1:] != (evidence.n_samples,):
        raise ValueError(
            f"weights must have shape (..., {evidence.n_samples}), a weight for each sample, got "
            f"{weights.shape}."
        )
    # Bypass the constructor, which would check the samples again for each resample.
    copied = object.__new__(type(evidence))
    for name, value in vars(evidence).items():
        object.__setattr__(copied, name, value)
    object.__setattr__(copied, "weights", read_only(weights))
    object.__setattr__(copied, "_amounts", amounts)
    object.__setattr__(copied, "group", None)
    object.__setattr__(copied, "groups", ())
    return copied
