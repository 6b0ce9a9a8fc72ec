"""Evidence with a row per sample: probabilities, weights, clusters, and soft labels.

With soft labels, an item becomes rows, one for each class that has a share of it. A row is a sample
of this class with the predictions of the item, and the share is its weight. The rows of an item are
drawn together, as a cluster. Everything that is computed from samples with weights and clusters can
therefore be computed from soft labels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import arithmetic, checks, containers, scales, tolerances
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.containers import LabelColumn
from sklearn_ordinal._core.counting import CountedSamples, Unanswered
from sklearn_ordinal._core.saving import SavedEvidence
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale

# Read probabilities of the classes: columns in the order of the scale, rows that add up to 1
# -------------------------------------------------------------------------------------------

# Advice that callers add to errors if a user passed the probabilities.
_PASS_CLASSES = "pass classes= with the class of each column to OrdinalForecasts.from_probabilities"
_OR_PASS_CLASSES = f", or {_PASS_CLASSES}"


def read_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    classes: ArrayLike | None,
    sample_weight: ArrayLike | None,
    *,
    name: str = "y_proba",
) -> tuple[OrdinalScale, NDArray[np.intp], NDArray[Any], NDArray[np.float64]]:
    """Return the scale, the true positions, the probabilities by class, and the weights.

    The probabilities keep their dtype, on which the tolerance of `checked_probabilities` depends.
    `name` is the name of the argument in errors.
    """
    containers.check_same_order({"y_true": y_true, name: y_proba, "sample_weight": sample_weight})
    columns = [containers.read_column(y_true, "y_true")]
    proba = checks.as_numbers(name, y_proba)
    _check_shape(proba, name)
    if classes is not None:
        columns.append(containers.read_column(classes, "classes"))
    scales.check_same_length({"y_true": len(columns[0].values), name: len(proba)})
    encoded = scales.encode_columns(columns, labels)
    scale, positions = encoded.on_scale()
    if classes is not None:
        in_order = scale.labels[positions[1]]
        check_column_names(name, y_proba, in_order.tolist(), "classes", _OR_PASS_CLASSES)
        checks.refuse_bad_numbers(proba, name)
        proba = scale.align(proba, in_order)
    else:
        _check_n_columns(proba, scale, name, is_declared=encoded.scale is not None)
        in_words = "the classes, from the lowest,"
        check_column_names(name, y_proba, scale.labels.tolist(), in_words, _OR_PASS_CLASSES)
    return scale, positions[0], proba, checks.check_sample_weight(sample_weight, len(proba))


def read_cumulative(
    y_true: ArrayLike,
    y_above: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[OrdinalScale, NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Return the scale, the true positions, the probabilities by class, and the weights.

    The columns of `y_above` are the probabilities of being above each class but the highest.
    """
    above = checks.as_numbers("y_above", y_above)
    if above.ndim == 1:
        above = above[:, None]
    if above.ndim != 2 or not above.shape[1]:
        raise ValueError(f"y_above must have shape (n_samples, n_classes - 1), got {above.shape}.")
    encoded = scales.encode(
        {"y_true": y_true}, labels, y_above=y_above, sample_weight=sample_weight
    )
    scale, (positions,) = encoded.on_scale()
    scales.check_same_length({"y_true": len(positions), "y_above": len(above)})
    _check_n_thresholds(above, scale)
    proba = _differences(above.astype(np.float64, copy=False))
    return scale, positions, proba, checks.check_sample_weight(sample_weight, len(proba))


def checked_probabilities(
    proba: NDArray[Any],
    *,
    name: str = "y_proba",
    dtype: DTypeLike | None = None,
    way_out: str = "",
) -> NDArray[np.float64]:
    """Return rows of probabilities as float64, or raise an error that names the first bad row.

    `dtype` sets the tolerance, if it is not the dtype of the array.
    """
    tolerance = tolerances.passed_share_of(proba.dtype if dtype is None else np.dtype(dtype))
    for part in arithmetic.slices(len(proba), arithmetic.ROWS_IN_CACHE):
        rows = proba[part]
        # Add class by class, so that each sum runs over a long row. A comparison with NaN is false.
        with np.errstate(over="ignore"):
            sums = np.array(rows.T, dtype=np.float64, order="C").sum(axis=0)
        is_one = sums.max() - 1 <= tolerance and 1 - sums.min() <= tolerance
        if not (is_one and rows.min() >= tolerances.SMALLEST_PROBABILITY):
            _refuse_bad_sums(proba, tolerance, name, way_out)
    return proba.astype(np.float64, copy=False)


def _differences(above: NDArray[Any]) -> NDArray[np.float64]:
    """Return class probabilities, from the probabilities of being above each class but the last."""
    is_bad = ~np.isfinite(above).all(axis=1)
    checks.refuse_rows(above, is_bad, "y_above must be finite", "has NaN or infinite values")
    excess = np.maximum(-above, above - 1)
    is_bad = (excess > tolerances.PASSED_SHARE).any(axis=1)
    row = is_bad.argmax()
    finding = f"contains {above[row, excess[row].argmax()]:.6g}"
    way_out = "; if these are logits, convert them to probabilities"
    checks.refuse_rows(above, is_bad, "y_above must be between 0 and 1", finding, way_out)
    _refuse_rises(above)
    # Remove rounding errors, so that no class has a negative probability.
    steps = np.zeros((len(above), above.shape[1] + 2))
    steps[:, 0] = 1
    steps[:, 1:-1] = np.minimum.accumulate(np.clip(above, 0, 1), axis=1)
    return steps[:, :-1] - steps[:, 1:]


def _refuse_rises(above: NDArray[Any]) -> None:
    rises = np.diff(above, axis=1) > tolerances.PASSED_SHARE
    is_bad = np.asarray(rises.any(axis=1))
    if is_bad.any():
        row = is_bad.argmax()
        lower, upper = above[row, rises[row].argmax() :][:2]
        finding = f"rises from {lower:.6g} to {upper:.6g}"
        way_out = (
            "; pass 1 - y_above if the columns are P(y <= k), or np.minimum.accumulate(y_above, "
            "axis=1) if the thresholds are predicted independently"
        )
        checks.refuse_rows(
            above, is_bad, "y_above must not rise from column to column", finding, way_out
        )


def shown_sum(total: float) -> str:
    """Format a sum for a message, as 1 and its deviation if it is close to 1."""
    deviation = total - 1
    if abs(deviation) >= 1e-3 or not deviation:
        return f"{total:.6g}"
    return f"1 {'-' if deviation < 0 else '+'} {abs(deviation):.2g}"


def _refuse_bad_sums(proba: NDArray[Any], tolerance: float, name: str, way_out: str) -> None:
    checks.refuse_bad_numbers(proba, name)
    with np.errstate(over="ignore"):
        sums = proba.sum(axis=1, dtype=np.float64)
    is_bad = np.abs(sums - 1) > tolerance
    finding = f"adds up to {shown_sum(sums[is_bad.argmax()])}"
    way_out = (
        f", more than {tolerance:.1g} from 1; if the probabilities are rounded, divide each row by "
        f"its sum{way_out}"
    )
    checks.refuse_rows(proba, is_bad, f"{name} must have rows that add up to 1", finding, way_out)


def _check_shape(proba: NDArray[Any], name: str) -> None:
    if proba.ndim == 1:
        raise ValueError(
            f"{name} must have shape (n_samples, n_classes), got {proba.shape}: for the "
            f"probabilities p of the higher of two classes, pass numpy.column_stack([1 - p, p])."
        )
    if proba.ndim != 2 or not proba.shape[1]:
        raise ValueError(f"{name} must have shape (n_samples, n_classes), got {proba.shape}.")


def _check_n_columns(
    proba: NDArray[Any], scale: OrdinalScale, name: str, *, is_declared: bool
) -> None:
    if proba.shape[1] == len(scale):
        return
    source = "" if is_declared else " in y_true"
    way_out = _PASS_CLASSES
    if not is_declared and proba.shape[1] > len(scale):
        way_out = "pass labels= with all classes from the lowest to the highest"
    elif proba.shape[1] == len(scale) - 1:
        way_out += ", or use OrdinalForecasts.from_cumulative if the columns are P(y > k)"
    raise ValueError(
        f"{name} must have a column for each of the {len(scale)} classes "
        f"{checks.listed(scale.labels)}{source}, got {proba.shape[1]} columns: {way_out}."
    )


def _check_n_thresholds(above: NDArray[Any], scale: OrdinalScale) -> None:
    n_columns = above.shape[1]
    if n_columns == len(scale) - 1:
        return
    way_out = (
        f"pass labels= with the {n_columns + 1} classes that the columns divide, from the lowest "
        f"to the highest"
    )
    if n_columns == len(scale):
        way_out += (
            ", or probabilities of the classes themselves to OrdinalForecasts.from_probabilities"
        )
    raise ValueError(
        "y_above must have a column for each class but the highest of "
        f"{checks.listed(scale.labels)}, got {n_columns} columns: {way_out}."
    )


def check_column_names(
    name: str, frame: Any, classes: Sequence[Any], what: str, way_out: str = ""
) -> None:
    """Raise if the columns of a data frame are named after classes but not in their order."""
    columns = checks.column_names(frame)
    if columns is None or callable(columns) or isinstance(frame, np.ndarray):
        return
    names, expected = list(map(_text_of, columns)), list(map(_text_of, classes))
    if names == expected or not set(names) & set(expected) or _is_default(columns, expected):
        return
    raise ValueError(
        f"{name} has columns named {checks.listed(map(str, columns))}, but {what} are "
        f"{checks.listed(classes)}: put the columns in this order{way_out}."
    )


def _text_of(value: Any) -> str:
    """Return a text that is the same for equal numbers, such as the class 1 and the name "1.0"."""
    try:
        return str(float(value))
    except (TypeError, ValueError, OverflowError):
        return str(value)


def _is_default(columns: Any, expected: list[str]) -> bool:
    """Return whether the names of columns are 0, 1, ... without being classes."""
    if type(columns).__name__ == "RangeIndex":
        return True
    numbers = list(range(len(columns)))
    return list(columns) == numbers and set(map(_text_of, numbers)) != set(expected)


def are_certain(y_proba: NDArray[np.float64]) -> bool:
    """Return whether all probabilities are 0 or 1, so that soft counts are numbers of samples."""
    return not ((y_proba > 0) & (y_proba < 1)).any()


def soft_counts(
    y_true: NDArray[np.intp], y_proba: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Add up the probabilities of the samples of each true class: (..., n) to (..., K, K)."""
    n_samples, n_classes = y_proba.shape
    cells = y_true[:, None] * n_classes + np.arange(n_classes)
    row_ends = np.arange(0, n_samples * n_classes + 1, n_classes)
    # Rounding errors below zero would lead to negative counts.
    proba = np.maximum(y_proba, 0)
    rows = csr_array(
        (proba.ravel(), cells.ravel(), row_ends), shape=(n_samples, n_classes * n_classes)
    )
    counts = rows.T @ weights.reshape(-1, n_samples).T
    return np.asarray(counts.T.reshape(*weights.shape[:-1], n_classes, n_classes))


# The base of evidence per sample: true classes, and weights with leading axes
# ----------------------------------------------------------------------------

# Faster than a product with a matrix of few long rows. NumPy 1 does not have it.
_dot: Callable[..., Any] = getattr(np, "vecdot", np.matmul)

# The fields that say how samples were drawn: whole clusters, within strata.
_DRAWN_WITH = "clusters", "strata"

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
    strata: NDArray[np.int64] | None
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
        checks.check_bool("is_weighted", self.is_weighted)
        scale, y_true = scales.checked_scale(self.scale), containers.as_array(self.y_true, "y_true")
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
        weights = checks.as_numbers("weights", self.weights)
        if not weights.ndim or weights.shape[-1] != len(y_true):
            raise ValueError(
                f"weights must have shape (..., {len(y_true)}), a weight for each sample, got "
                f"{weights.shape}."
            )
        checks.check_amounts("weights", weights)
        for name, numbers in zip(_DRAWN_WITH, drawn_with(self), strict=True):
            if numbers is not None:
                of_samples = f"{len(y_true)} samples", f"{type(self).__name__}.{self._constructor}"
                array = checked_numbers(name, numbers, y_true.shape, *of_samples)
                object.__setattr__(self, name, arithmetic.owned(array, np.int64))
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "y_true", arithmetic.owned(y_true, np.intp))
        object.__setattr__(self, "weights", arithmetic.owned(weights, np.float64))
        object.__setattr__(self, "groups", scales.checked_groups(self.groups, weights.shape[:-1]))
        self._check_group()

    def _check_group(self) -> None:
        if not self.groups:
            if self.group is not None:
                raise ValueError(
                    f"group must be None, since groups is empty, got {checks.shown(self.group)}."
                )
            return
        group = np.asarray(self.group)
        is_position = group.dtype.kind in "iu" and group.shape == self.y_true.shape
        if not is_position or group.min() < 0 or group.max() >= len(self.groups):
            raise ValueError(
                f"group must hold the position in groups, from 0 to {len(self.groups) - 1}, of "
                f"each of the {self.n_samples} samples, got {checks.shown(self.group)}: pass by= "
                f"to {type(self).__name__}.{self._constructor}."
            )
        object.__setattr__(self, "group", arithmetic.owned(group, np.int64))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return checks.have_equal_fields(self, other)

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
                "strata": self.strata,
                "group": self.group,
                "groups": self.groups,
                "_item": self._item,
                "_cluster_name": self._cluster_name,
            },
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            is_array = isinstance(value, np.ndarray)
            object.__setattr__(self, name, arithmetic.read_only(value) if is_array else value)

    @classmethod
    def _from_checked(cls, scale: OrdinalScale, *arrays_and_is_weighted: Any) -> Self:
        """Return evidence from arrays that were checked before, in the order of the fields.

        The tolerance for the sum of probabilities depends on the dtype in which they were passed,
        so rows of float32 may not pass the check a second time.
        """
        evidence = object.__new__(cls)
        *arrays, is_weighted = arrays_and_is_weighted
        values = [scale, *map(arithmetic.read_only, arrays), is_weighted, None, None, None, (), {}]
        for attribute, value in zip(fields(cls), values, strict=True):  # type: ignore[arg-type]
            object.__setattr__(evidence, attribute.name, value)
        return evidence

    @property
    def labels(self) -> NDArray[Any]:
        """The classes from the lowest to the highest."""
        return self.scale.labels

    def __getitem__(self, group: Any) -> Self:
        """Return the samples of a group by its name, or by its position if it has no name."""
        k = scales.group_position(group, self.groups, self.weights.shape[:-1])
        if self.group is None:
            return reweighted(self, self.weights[k])
        return designed_part(reweighted(self, self.weights[k]), np.flatnonzero(self.group == k))

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
        array: NDArray[Any] = values if is_plain else checks.as_numbers(name, values)
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
            raise ValueError(
                f"compute must be a function of the evidence, got {checks.shown(compute)}."
            )
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
        checked = checks.as_numbers("weights", weights).astype(np.float64, copy=False)
        checks.check_amounts("weights", checked)
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
        members = checks.as_numbers("members", members)
        is_mask = members.dtype.kind == "b" and members.shape == (self.n_samples,)
        is_inside = members.dtype.kind in "iu" and (
            not members.size or -self.n_samples <= members.min() <= members.max() < self.n_samples
        )
        if members.ndim != 1 or not (is_mask or is_inside):
            raise ValueError(
                f"members must be positions of samples from 0 to {self.n_samples - 1}, got "
                f"{checks.shown(members)}."
            )
        part = self._from_checked(
            self.scale,
            self.y_true[members],
            self._predicted[members],
            self.weights[..., members],
            self.is_weighted,
        )
        if self._item is not None:
            object.__setattr__(part, "_item", arithmetic.read_only(self._item[members]))
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
        checked_factors = checks.check_factors(factors, self.n_classes)
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
        parts = list(checks.iterate("evidence", evidence, cls.__name__))
        if not parts or not all(isinstance(part, cls) for part in parts):
            raise ValueError(f"evidence must contain at least one {cls.__name__} and nothing else.")
        for part in parts[1:]:
            scales.check_same_scale(parts[0].scale, part.scale)
        if any(has_design(part) for part in parts):
            raise ValueError(
                f"evidence must not have clusters or strata to be added or stacked, since they may "
                f"have samples in several parts: pass all samples at once to "
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
            checks.raise_cannot_be_added(self, other)
        parts = self._parts([self, other])
        return self._joined(parts, np.concatenate([part.weights for part in parts], axis=-1))

    __radd__ = checks.added_to_zero

    def __repr__(self) -> str:
        stack = " x ".join(map(str, self.weights.shape[:-1]))
        stacked = f", stack of {stack}," if stack else ""
        drawn = drawn_in_words(self.clusters, self.strata)
        groups = f" and the groups {checks.listed(self.groups)}" if self.groups else ""
        number = f"{self.n_samples} samples"
        if self._item is not None:
            number = f"soft labels of {len(np.unique(self._item))} samples"
        return (
            f"{type(self).__name__}{stacked} of {number}{drawn} over the classes "
            f"{checks.listed(self.labels)}{groups}"
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


def with_columns(
    evidence: AnySamples,
    y_true: ArrayLike,
    *,
    clusters: ArrayLike | None,
    strata: ArrayLike | None,
    by: ArrayLike | None = None,
) -> AnySamples:
    """Return newly made evidence with its clusters, strata and groups, unless they are None.

    Groups have weights of their own.
    """
    containers.check_same_order(
        {"y_true": y_true, "clusters": clusters, "strata": strata, "by": by}
    )
    n_samples = evidence.n_samples
    if clusters is not None:
        numbers = scales.encode_groups(clusters, n_samples, "clusters")
        object.__setattr__(evidence, "clusters", arithmetic.owned(numbers, np.int64))
        object.__setattr__(evidence, "_cluster_name", containers.series_name(clusters))
    if strata is not None:
        numbers = scales.encode_strata(strata, evidence.weights > 0, evidence.clusters)
        object.__setattr__(evidence, "strata", arithmetic.owned(numbers, np.int64))
    return evidence if by is None else grouped(evidence, *scales.encode_values(by, n_samples, "by"))


def grouped(evidence: AnySamples, group: NDArray[np.int64], groups: tuple[Any, ...]) -> AnySamples:
    """Return newly made evidence with weights for each group, given the group of each sample."""
    weights = np.where(group == np.arange(len(groups))[:, None], evidence.weights, 0.0)
    parted = reweighted(evidence, weights)
    object.__setattr__(parted, "group", arithmetic.owned(group, np.int64))
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
    strata: NDArray[np.int64] | None,
    cluster_name: str,
) -> AnySamples:
    """Return a sample for each row of some items, given the item of each row."""
    rows = evidence._from_checked(evidence.scale, y_true, evidence._predicted[item], weights, True)
    object.__setattr__(rows, "clusters", arithmetic.owned(clusters, np.int64))
    if strata is not None:
        object.__setattr__(rows, "strata", arithmetic.owned(strata, np.int64))
    object.__setattr__(rows, "_item", arithmetic.read_only(item))
    object.__setattr__(rows, "_cluster_name", cluster_name)
    return rows


def count_samples(evidence: Samples) -> int:
    """Return the number of samples, or of items with soft labels, that have a positive weight."""
    has_weight, item = evidence.weights > 0, evidence._item
    return int(np.count_nonzero(has_weight)) if item is None else len(np.unique(item[has_weight]))


def checked_numbers(
    name: str, numbers: Any, shape: tuple[int, ...], samples: str, constructor: str
) -> NDArray[np.integer]:
    """Return clusters or strata of this shape, and raise unless they are integers."""
    array = checks.as_numbers(name, numbers)
    if array.shape != shape or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must hold an integer for each of the {samples}, got "
            f"{checks.shown(numbers)}: pass other names to {constructor}."
        )
    return array


def drawn_with(evidence: Any) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
    """Return the cluster and the stratum of each sample; None for samples drawn one by one."""
    clusters, strata = (getattr(evidence, name, None) for name in _DRAWN_WITH)
    return clusters, strata


def has_design(evidence: Any) -> bool:
    """Whether samples were drawn in clusters or from strata."""
    return any(numbers is not None for numbers in drawn_with(evidence))


def drawn_in_words(clusters: IntegerArray | None, strata: IntegerArray | None) -> str:
    """Return the numbers of clusters and strata as in " in 8 clusters of 2 strata"."""
    numbers = [
        f"{len(np.unique(column))} {noun}"
        for noun, column in (("clusters", clusters), ("strata", strata))
        if column is not None
    ]
    return f" in {' of '.join(numbers)}" if numbers else ""


def designed_part(evidence: AnySamples, members: NDArray[Any]) -> AnySamples:
    """Return some of the samples, with their clusters and strata."""
    part = evidence.part(members)
    for name in _DRAWN_WITH:
        numbers = getattr(evidence, name)
        if numbers is not None:
            object.__setattr__(part, name, arithmetic.read_only(numbers[members]))
    object.__setattr__(part, "_cluster_name", evidence._cluster_name)
    return part


def without_design(evidence: AnySamples) -> AnySamples:
    """Return the same samples without clusters and strata, for a caller that keeps these."""
    if not has_design(evidence):
        return evidence
    independent = reweighted(evidence, evidence.weights)
    for name in _DRAWN_WITH:
        object.__setattr__(independent, name, None)
    return independent


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
    object.__setattr__(copied, "weights", arithmetic.read_only(weights))
    object.__setattr__(copied, "_amounts", amounts)
    object.__setattr__(copied, "group", None)
    object.__setattr__(copied, "groups", ())
    return copied


# Soft labels: true classes as a distribution for each item, or as the grades of several raters
# ---------------------------------------------------------------------------------------------

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
    clusters, strata : ndarray of shape (n_items,), default=None
        Cluster and stratum of each item as integers.
    """

    name: str
    shares: NDArray[np.float64]
    passed: Any
    scale: OrdinalScale | None = None
    items: NDArray[Any] | None = None
    sample_weight: NDArray[np.float64] | None = None
    clusters: NDArray[np.int64] | None = None
    strata: NDArray[np.int64] | None = None

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
            containers.check_same_order({self.name: self.passed, **values})
            return dict(values)
        return {
            name: containers.joined_by_item(name, value, self.items)
            for name, value in values.items()
        }

    def classes(self, labels: Any, columns: Sequence[LabelColumn] = ()) -> OrdinalScale:
        """Return the scale that `labels` or the predicted classes declare, or raise.

        Without either, the classes are 0, 1, ..., as in `OrdinalConfusion.from_counts`.
        """
        if self.scale is not None:
            if labels is not None and scales.as_scale(labels) != self.scale:
                raise ValueError(
                    f"labels must be left out if {self.name} is ratings, whose classes are "
                    f"{checks.listed(self.scale.labels)}, got "
                    f"{checks.listed(scales.as_scale(labels).labels)}."
                )
            return self.scale
        scale = scales.declared_scale(columns, labels)
        if scale is None:
            # The run of integers that are predicted is the scale only if it has all classes.
            scale = (
                scales.encode_columns(columns, None).on_scale()[0]
                if columns
                else OrdinalScale.from_run(0, self.n_classes)
            )
        if len(scale) != self.n_classes:
            if labels is not None:
                raise ValueError(
                    f"labels must name each of the {self.n_classes} columns of {self.name}, from "
                    f"the lowest class to the highest, got {checks.listed(scale.labels)}."
                )
            names = ", ".join(column.name for column in columns)
            raise ValueError(
                f"{self.name} must have a column for each class, but it has {self.n_classes} "
                f"columns, and {names} has the classes {checks.listed(scale.labels)}: pass labels= "
                "with all classes from the lowest to the highest."
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
            weights = checks.check_sample_weight(sample_weight, self.n_items)
        elif sample_weight is not None:
            raise ValueError(
                f"sample_weight must be left out if {self.name} is ratings with weights of the "
                f"items."
            )
        else:
            weights = self.sample_weight
        is_graded = self.is_graded
        if not is_graded.all():
            checks.warn_caller(
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


def read_soft_labels(y_soft: Any, name: str = "y_true") -> SoftLabels:
    """Read distributions over the classes, or the grades of raters.

    Items without a grade have no share of any class.
    """
    if hasattr(type(y_soft), "class_shares"):
        shares = np.nan_to_num(y_soft.class_shares)
        by_item = y_soft.items, y_soft.sample_weight, *drawn_with(y_soft)
        return SoftLabels(name, shares, y_soft, y_soft.scale, *by_item)
    containers.check_no_evidence(y_soft, name)
    proba = checks.as_numbers(name, y_soft)
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
    checks.check_choice("unanswered", unanswered, Unanswered)
    answers = {name: containers.read_present(y_pred, name) for name, y_pred in predictions.items()}
    lengths = {name: len(is_answered) for name, (_, is_answered) in answers.items()}
    scales.check_same_length({soft.name: soft.n_items, **lengths})
    for name, (_, is_answered) in answers.items():
        if unanswered == "raise" and not is_answered.all():
            containers.raise_missing(name, scales.COUNT_UNANSWERED)
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
    containers.check_no_evidence(y_proba, "y_proba")
    joined = soft.by_item({"y_proba": y_proba, "sample_weight": sample_weight})
    scale = soft.classes(labels)
    proba = checks.as_numbers("y_proba", joined["y_proba"])
    if proba.ndim != 2 or proba.shape[1] != len(scale):
        raise ValueError(
            f"y_proba must have shape (n_samples, {len(scale)}), a probability for each class of "
            f"y_soft, got shape {proba.shape}."
        )
    scales.check_same_length({"y_soft": soft.n_items, "y_proba": len(proba)})
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
    strata: Any = None,
) -> tuple[CountedSamples, tuple[Any, ...]]:
    """Return the rows as counted samples in clusters, and the names of the groups in `by`."""
    per_item = {"sample_weight": sample_weight, "by": by, "clusters": clusters, "strata": strata}
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
        group, groups = scales.encode_values(joined["by"], soft.n_items, "by")
        group = group[item]
    cluster, stratum = _drawn_items(soft, rows, joined)
    samples = CountedSamples(
        scale,
        cells.astype(np.int64, copy=False),
        n_columns,
        weight,
        has_weight,
        True,
        _without_gaps(cluster[item]),
        group,
        item,
        containers.series_name(clusters),
        None if stratum is None else stratum[item],
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
    strata: Any = None,
    by: Any = None,
    **options: Any,
) -> AnySamples:
    """Return probabilities or scores that a function reads, for the rows of soft labels if any."""
    if not containers.is_soft(y_true):
        options |= {"labels": labels, "sample_weight": sample_weight, "strata": strata}
        return read(kind, y_true, predicted, name=name, clusters=clusters, by=by, **options)
    soft = read_soft_labels(y_true)
    per_item = {"sample_weight": sample_weight, "by": by, "clusters": clusters, "strata": strata}
    joined = soft.by_item({name: predicted, **per_item})
    scale = soft.classes(labels)
    # The true classes of the items are replaced by those of the rows.
    lowest = np.full(soft.n_items, scale.labels[0])
    items = read(kind, lowest, joined[name], name=name, labels=scale, **options)
    rows = soft.rows(joined["sample_weight"])
    item = rows.item
    cluster, stratum = _drawn_items(soft, rows, joined)
    evidence = on_rows(
        items,
        item,
        rows.true,
        rows.weight,
        cluster[item],
        None if stratum is None else stratum[item],
        containers.series_name(clusters),
    )
    if by is None:
        return evidence
    group, groups = scales.encode_values(joined["by"], soft.n_items, "by")
    return grouped(evidence, group[item], groups)


def groups_by_item(y_true: Any, by: Any) -> tuple[Any, int]:
    """Return groups in the order of the samples, and the number of samples.

    A Series is joined by id if ratings have ids. Groups in several columns must be in their order.
    """
    if not containers.is_soft(y_true):
        return by, len(containers.read_column(y_true, "y_true").values)
    soft = read_soft_labels(y_true)
    is_column = getattr(by, "ndim", None) == 1
    return (soft.by_item({"by": by})["by"] if is_column else by), soft.n_items


def values_on_rows(y_true: Any, name: str, values: Any) -> Any:
    """Return the values of samples unchanged, or repeat those of items for the rows of soft labels.

    The rows are those of positive share, in the order of the items.
    """
    if not containers.is_soft(y_true):
        return values
    soft = read_soft_labels(y_true)
    joined = containers.as_array(containers.one_column(soft.by_item({name: values})[name]), name)
    scales.check_same_length({"y_true": soft.n_items, name: len(joined)})
    return joined[np.nonzero(soft.shares > 0)[0]]


def _drawn_items(
    soft: SoftLabels, rows: Any, joined: Mapping[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the cluster of each item, which is the item itself without clusters, and its stratum.

    The stratum is None without strata.
    """
    cluster, stratum = drawn_with(soft)
    for name in _DRAWN_WITH:
        if has_design(soft) and joined[name] is not None:
            raise ValueError(
                f"{name} must be left out if {soft.name} is ratings with clusters or strata of the "
                f"items."
            )
    if joined["clusters"] is not None:
        cluster = scales.encode_groups(joined["clusters"], soft.n_items, "clusters")
    if joined["strata"] is not None:
        has_weight = np.bincount(rows.item, rows.weight, soft.n_items) > 0
        stratum = scales.encode_strata(joined["strata"], has_weight, cluster)
    return (np.arange(soft.n_items) if cluster is None else cluster), stratum


def _without_gaps(numbers: IntegerArray) -> IntegerArray:
    """Return integers from 0 in the same order, all of which occur."""
    occurs = np.bincount(numbers) > 0
    return (np.cumsum(occurs) - 1)[numbers]
