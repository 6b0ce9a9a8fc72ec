"""`OrdinalRatings`: the grades of each item by several raters as evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import arithmetic, checks, containers, dataframes, sampling, scales
from sklearn_ordinal._core.containers import LabelColumn
from sklearn_ordinal._core.resampling import Units
from sklearn_ordinal._core.saving import SavedEvidence
from sklearn_ordinal._core.scales import OrdinalScale

T = TypeVar("T")
Repeats = Literal["raise", "runs"]

# How R and pandas name row numbers when they write them as a column.
_NAMES_OF_IDS = {"rownames", "id", "index", "unnamed: 0"}
# Fewer grades may be consecutive integers by chance.
_FEWEST_NUMBERED = 6
# Codes of several grades stay below this number.
_LARGEST_CODE = 2**62
# Finding the codes that occur in a table of this length is faster than sorting them.
_LONGEST_TABLE = 2**20


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalRatings(SavedEvidence):
    """Grades that several raters give to the same items, over an ordered scale.

    Not every rater has to grade every item. Items with the same grades by the same raters have the
    same pattern, and the coefficients of agreement are computed from the patterns.

    Parameters
    ----------
    scale : OrdinalScale or array-like of shape (n_classes,)
        The classes from the lowest to the highest.
    patterns : ndarray of shape (n_patterns, n_raters)
        The distinct combinations of grades, as positions on the scale; -1 where a rater gives no
        grade.
    pattern : ndarray of shape (n_items,)
        The row of each item in `patterns`.
    raters : tuple of str
        Names of the raters.
    items : ndarray of shape (n_items,), default=None
        Id of each item. None if the items are known by their order only.
    sample_weight : ndarray of shape (n_items,), default=None
        Weight of each item. If None, each item has the weight 1.
    weights : ndarray of shape (..., n_patterns), default=None
        Total weight of the items of each pattern; leading axes are resamples. If None, it is
        computed from `pattern` and `sample_weight`.
    clusters : ndarray of shape (n_items,), default=None
        Cluster of each item as an integer, if items were drawn together, such as the answers of a
        patient. If None, items were drawn one by one.
    strata : ndarray of shape (n_items,), default=None
        Stratum of each item as an integer, if a fixed number of items, or of clusters, was drawn
        from each stratum. If None, all items are one random sample.

    Attributes
    ----------
    labels : ndarray of shape (n_classes,)
        The classes from the lowest to the highest.
    n_samples : int
        Number of items.
    n_grades : ndarray of shape (n_items,)
        Number of grades of each item. Items with fewer than two grades do not show agreement.
    class_shares : ndarray of shape (n_items, n_classes)
        Share of each class among the grades of each item, NaN for an item without a grade.

    Raises
    ------
    ValueError
        If there is a single rater or a single class, no item has two grades, positions are not on
        the scale, ids are repeated, or weights are negative or not finite.

    See Also
    --------
    sklearn_ordinal.metrics.agreement_score : Coefficients of agreement.
    OrdinalConfusion : Counts of true and predicted classes.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings
    >>> OrdinalRatings.from_ratings([[1, 1, 2], [3, 3, None], [2, 3, 3], [None, 1, None]])
    OrdinalRatings of 4 items by 3 raters over the classes [1, 2, 3], 1 item with a single grade
    """

    scale: OrdinalScale
    patterns: NDArray[np.intp]
    pattern: NDArray[np.intp]
    raters: tuple[str, ...]
    items: NDArray[Any] | None = None
    sample_weight: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] = None  # type: ignore[assignment]
    clusters: NDArray[np.int64] | None = None
    strata: NDArray[np.int64] | None = None
    _shared: dict[Hashable, Any] = field(init=False, default_factory=dict)

    way_out_of_arrays: ClassVar[str] = (
        "make one grade of each item with consensus, count predictions against it with "
        "OrdinalConfusion.from_soft_labels, or pass it to a metric of agreement, as in "
        "get_metric('krippendorff_alpha')(ratings)"
    )

    # With ufuncs disabled, arithmetic with arrays is an error. Its result would lose the classes.
    __array_ufunc__ = None

    def __post_init__(self) -> None:
        scale = scales.checked_scale(self.scale)
        patterns = _positions("patterns", self.patterns, 2, -1, len(scale))
        pattern = _positions("pattern", self.pattern, 1, 0, len(patterns))
        fields: dict[str, Any] = {
            "scale": scale,
            "patterns": arithmetic.owned(patterns, np.intp),
            "pattern": arithmetic.owned(pattern, np.intp),
            "raters": _checked_raters(self.raters, patterns.shape[1]),
        }
        if self.items is not None:
            fields["items"] = _checked_items(self.items, len(pattern))
        if self.sample_weight is not None:
            weight = _checked_weight(self.sample_weight, len(pattern), "pattern")
            fields["sample_weight"] = arithmetic.owned(weight, np.float64)
        if self.weights is None:
            weights = np.bincount(pattern, fields.get("sample_weight"), len(patterns))
            fields["weights"] = arithmetic.read_only(weights.astype(np.float64))
        else:
            fields["weights"] = _checked_weights(self.weights, len(patterns))
        for name, numbers in zip(("clusters", "strata"), sampling.drawn_with(self), strict=True):
            if numbers is not None:
                of_items = f"{len(pattern):,} items", "OrdinalRatings.from_ratings"
                checked = sampling.checked_numbers(name, numbers, pattern.shape, *of_items)
                # Numbers from 0 without gaps.
                fields[name] = arithmetic.read_only(_numbered(checked)[0])
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        _check_some_agreement(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrdinalRatings):
            return NotImplemented
        return checks.have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickle through the constructor: pickled arrays would come back writeable.
        return type(self), (
            self.scale,
            self.patterns,
            self.pattern,
            self.raters,
            self.items,
            self.sample_weight,
            self.weights,
            self.clusters,
            self.strata,
        )

    @classmethod
    def from_ratings(
        cls,
        ratings: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        raters: Sequence[str] | None = None,
        sample_weight: ArrayLike | Mapping[Any, float] | None = None,
        clusters: ArrayLike | Mapping[Any, Any] | None = None,
        strata: ArrayLike | Mapping[Any, Any] | None = None,
    ) -> Self:
        """Take a table with a row for each item and a column for each rater.

        Parameters
        ----------
        ratings : array-like of shape (n_items, n_raters)
            Grades; NaN, None or NA where a rater gives no grade. The columns of a frame name the
            raters, and the index of a pandas frame names the items, unless it is 0, 1, ...
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        raters : sequence of str, default=None
            Names of the raters. If None, the names of the columns, or "rater 1", "rater 2", ...
            With names, no warning questions whether the columns are raters.
        sample_weight : array-like of shape (n_items,) or mapping, default=None
            Non-negative weight of each item, in the order of the items; or, if the items have ids,
            a pandas Series or a mapping from each id to its weight. A Series with the index 0, 1,
            ... is in the order of the items.
        clusters : array-like of shape (n_items,) or mapping, default=None
            Cluster of each item, such as the patient or the document, in the order of the items or
            by id. Standard errors and resamples take whole clusters, since items of the same
            cluster are not independent.
        strata : array-like of shape (n_items,) or mapping, default=None
            Stratum of each item, if a fixed number of items, or of clusters, was drawn from each
            stratum. The squared standard errors of the strata add up. There is no correction for
            finite populations.

        Returns
        -------
        OrdinalRatings
            The distinct patterns of grades, and the pattern of each item.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a grade is not in `labels`, there is a single
            rater or a single class, no item has two grades, a cluster has items in several strata,
            or a stratum has a single item or cluster of positive weight.

        Warns
        -----
        UserWarning
            If `raters` is None, and there are more columns than rows, of which there are at least
            two; or a column is named "rownames", "id", "index" or "Unnamed: 0"; or a column numbers
            at least six items: its values are different consecutive integers, and exceed the range
            of the others.
        """
        scale, positions, names = _read_ratings(ratings, labels)
        if raters is None:
            _warn_if_not_raters(scale, positions, checks.column_names(ratings))
        else:
            names = _checked_raters(scales.check_names("raters", raters), positions.shape[1])
        items = _frame_ids(ratings)
        return cls._from_positions(scale, positions, names, items, sample_weight, clusters, strata)

    @classmethod
    def from_table(
        cls,
        frame: Any,
        item: str = "item",
        rater: str = "rater",
        grade: str = "grade",
        *,
        labels: ArrayLike | None = None,
        sample_weight: str | None = None,
        clusters: str | None = None,
        strata: str | None = None,
        repeats: Repeats = "raise",
    ) -> Self:
        """Take a table with a row for each grade.

        Parameters
        ----------
        frame : DataFrame, LazyFrame or table
            A table of any library that `OrdinalConfusion.from_table` supports.
        item : str, default="item"
            Column of the ids of the items. The items are sorted by their ids.
        rater : str, default="rater"
            Column of the raters.
        grade : str, default="grade"
            Column of the grades. A row without a grade is the same as no row, except that its item
            and its rater count.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : str, default=None
            Column of the weights of the items, which must be the same in all rows of an item.
        clusters : str, default=None
            Column of the clusters of the items, see `from_ratings`; the same in all rows of an
            item.
        strata : str, default=None
            Column of the strata of the items, see `from_ratings`; the same in all rows of an item.
        repeats : {"raise", "runs"}, default="raise"
            What several grades of a rater for the same item mean. "raise": an error. "runs":
            repeated runs, as of a judge that is a program. Each run counts as a rater, and the
            runs of a rater are numbered in the order of the rows.

        Returns
        -------
        OrdinalRatings
            The distinct patterns of grades, and the pattern of each item.

        Raises
        ------
        ValueError
            If a column is not in the table, items or raters are missing, the order of the classes
            is unknown, a grade is not in `labels`, a rater grades an item twice, weights, clusters
            or strata differ within an item, there is a single rater or a single class, no item has
            two grades, a cluster has items in several strata, or a stratum has a single item or
            cluster of positive weight.
        """
        checks.check_choice("repeats", repeats, Repeats)
        # Check this first, since reading the rows may take a long time.
        labels = None if labels is None else scales.as_scale(labels)
        columns = {"item": item, "rater": rater, "grade": grade}
        of_items = {"sample_weight": sample_weight, "clusters": clusters, "strata": strata}
        columns |= {name: column for name, column in of_items.items() if column is not None}
        table = dataframes.read_grades(frame, columns)
        n_rows = len(table.is_present)
        number, items = scales.encode_values(table.item, n_rows, f"item={checks.shown(item)}")
        column, raters = scales.encode_values(table.rater, n_rows, f"rater={checks.shown(rater)}")
        ids, names = (
            containers.array_from_labels(list(items)),
            scales.check_names(f"rater={checks.shown(rater)}", raters),
        )
        if twice := checks.repeated(names):
            raise ValueError(
                f"rater={checks.shown(rater)} must have names that differ as strings, but "
                f"{checks.shown(twice[0])} stands for several raters: rename them."
            )
        by_item = {
            name: None
            if values is None
            else _values_of_items(f"{name}={checks.shown(of_items[name])}", values, number, items)
            for name, values in (
                ("sample_weight", table.weight),
                ("clusters", table.clusters),
                ("strata", table.strata),
            )
        }
        number, column = number[table.is_present], column[table.is_present]
        run = _run_numbers(number * len(names) + column)
        if run.any():
            if repeats == "raise":
                first, n_others = run.argmax(), int((run == 1).sum()) - 1
                pairs = "pair" if n_others == 1 else "pairs"
                others = f", and {n_others:,} more such {pairs}" if n_others else ""
                raise ValueError(
                    f"frame must have at most one grade of each rater for each item, but rater "
                    f"{checks.shown(names[column[first]])} grades item "
                    f"{checks.shown(items[number[first]])} several times{others}: pass "
                    "repeats='runs' if these are repeated runs."
                )
            column, names = _raters_by_run(column, run, names)
        scale, positions = _encode([table.grade], labels)
        grades = np.full((len(items), len(names)), -1, dtype=np.intp)
        grades[number, column] = positions[0]
        return cls._from_positions(scale, grades, names, ids, **by_item)

    @classmethod
    def _from_positions(
        cls,
        scale: OrdinalScale,
        positions: NDArray[np.intp],
        raters: tuple[str, ...],
        items: NDArray[Any] | None,
        sample_weight: Any,
        clusters: Any,
        strata: Any,
    ) -> Self:
        patterns, pattern = _distinct_rows(positions, len(scale) + 1)
        weight = cluster = stratum = None
        if sample_weight is not None:
            values = containers.joined_by_item("sample_weight", sample_weight, items)
            weight = _checked_weight(values, len(pattern), "ratings")
        if clusters is not None:
            values = _joined_units("clusters", clusters, items, len(pattern))
            cluster = scales.encode_groups(values, len(pattern), "clusters")
        if strata is not None:
            values = _joined_units("strata", strata, items, len(pattern))
            has_weight = np.ones(len(pattern), dtype=np.bool_) if weight is None else weight > 0
            stratum = scales.encode_strata(values, has_weight, cluster, "items")
        return cls(
            scale, patterns, pattern, raters, items, weight, clusters=cluster, strata=stratum
        )

    @property
    def labels(self) -> NDArray[Any]:
        """The classes from the lowest to the highest."""
        return self.scale.labels

    @property
    def is_weighted(self) -> bool:
        """Whether the items have weights."""
        return self.sample_weight is not None

    @property
    def n_samples(self) -> int:
        """Number of items."""
        return len(self.pattern)

    @property
    def n_grades(self) -> NDArray[np.intp]:
        """Number of grades of each item."""
        n_grades: NDArray[np.intp] = (self.patterns >= 0).sum(axis=1)[self.pattern]
        return n_grades

    @property
    def class_shares(self) -> NDArray[np.float64]:
        """Share of each class among the grades of each item: (n_items, n_classes).

        These are the soft labels of the items. The row of an item without a grade is NaN.
        """
        counts = grade_counts(self.patterns, len(self.scale))
        return arithmetic.divide(counts, counts.sum(axis=1, keepdims=True))[self.pattern]

    def shared(self, compute: Callable[[Self], T]) -> T:
        """Return the result of a function, computed once for these patterns with any weights.

        Parameters
        ----------
        compute : callable
            Function of the evidence that does not use the weights.

        Returns
        -------
        object
            The result, shared with evidence of the same patterns with other weights.
        """
        if not isinstance(compute, Hashable) or not callable(compute):
            raise ValueError(
                f"compute must be a function of the evidence, got {checks.shown(compute)}."
            )
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        result: T = self._shared[compute]
        return result

    def reweighted(self, weights: NDArray[np.float64]) -> Self:
        """Return the same patterns with other weights.

        Parameters
        ----------
        weights : ndarray of shape (..., n_patterns)
            Total weight of the items of each pattern, not negative. If all are 0, metrics are
            undefined.

        Returns
        -------
        OrdinalRatings
            The patterns with these weights.

        Raises
        ------
        ValueError
            If there is not one weight for each pattern, or a weight is negative or not finite.
        """
        copied = object.__new__(type(self))
        for name, value in vars(self).items():
            object.__setattr__(copied, name, value)
        checked = _checked_weights(weights, len(self.patterns))
        object.__setattr__(copied, "weights", checked)
        return copied

    def __repr__(self) -> str:
        stack = " x ".join(map(str, self.weights.shape[:-1]))
        stacked = f", stack of {stack}," if stack else ""
        unused = np.bincount(np.minimum(self.n_grades, 2), minlength=2)
        clauses = [
            f", {number:,} {'item' if number == 1 else 'items'} with {grades}"
            for number, grades in zip(unused[:2], ("no grade", "a single grade"), strict=True)
            if number
        ]
        noun = "item" if self.n_samples == 1 else "items"
        drawn = sampling.drawn_in_words(self.clusters, self.strata)
        classes = checks.listed(self.labels)
        return (
            f"{type(self).__name__}{stacked} of {self.n_samples:,} {noun}{drawn} by "
            f"{len(self.raters)} raters over the classes {classes}{''.join(clauses)}"
        )


def _positions(
    name: str, values: Any, ndim: int, lowest: int, n_positions: int
) -> NDArray[np.integer[Any]]:
    """Return integers from `lowest` to the last position, in an array of `ndim` axes."""
    array = checks.as_numbers(name, values)
    if array.ndim != ndim or array.dtype.kind not in "iu" or not array.size:
        raise ValueError(
            f"{name} must be an array of integers with {ndim} {'axis' if ndim == 1 else 'axes'}, "
            f"got {array.dtype} of shape {array.shape}: pass grades to OrdinalRatings.from_ratings."
        )
    if array.min() < lowest or array.max() >= n_positions:
        places = "on the scale, or -1" if ndim == 2 else "of rows of patterns"
        raise ValueError(
            f"{name} must hold positions {places}, from {lowest} to {n_positions - 1}, got "
            f"{array.min()} to {array.max()}."
        )
    return array


def _checked_raters(raters: Any, n_raters: int) -> tuple[str, ...]:
    names = scales.check_names("raters", raters)
    if len(names) != n_raters or len(set(names)) < n_raters:
        raise ValueError(
            f"raters must name each of the {n_raters} raters, with different names, got "
            f"{checks.listed(names)}."
        )
    return names


def _checked_items(items: Any, n_items: int) -> NDArray[Any]:
    containers.check_no_missing(items, "items", "give each item an id")
    array = containers.as_array(items, "items")
    ids = containers.array_from_labels(array.tolist())
    try:
        n_distinct = len(set(ids.tolist()))
    except TypeError as error:
        raise ValueError(f"items must hold ids such as numbers or strings: {error}.") from None
    if ids.shape != (n_items,) or n_distinct < n_items:
        raise ValueError(
            f"items must name each of the {n_items:,} items in pattern, with different ids, got "
            f"{checks.listed(ids)}: pass a table with a row for each grade to "
            "OrdinalRatings.from_table."
        )
    return arithmetic.read_only(ids)


def _checked_weight(weight: Any, n_items: int, source: str) -> NDArray[np.float64]:
    """Return the weight of each item of an argument."""
    array = checks.as_numbers("sample_weight", weight)
    if array.shape != (n_items,):
        raise ValueError(
            f"sample_weight must have shape ({n_items},), a weight for each item in {source}, got "
            f"{array.shape}."
        )
    return checks.check_weights("sample_weight", array, n_items)


def _checked_weights(weights: Any, n_patterns: int) -> NDArray[np.float64]:
    array = checks.as_numbers("weights", weights)
    if not array.ndim or array.shape[-1] != n_patterns:
        raise ValueError(
            f"weights must have shape (..., {n_patterns}), a weight for each pattern, got "
            f"{array.shape}."
        )
    checks.check_amounts("weights", array)
    return arithmetic.owned(array, np.float64)


def _check_some_agreement(ratings: OrdinalRatings) -> None:
    """Raise if there is nothing to agree or to disagree about."""
    if len(ratings.raters) < 2:
        raise ValueError(
            "ratings must have a column for each of at least two raters, got one rater."
        )
    if len(ratings.scale) < 2:
        raise ValueError(
            "ratings must be on a scale of at least two classes, got "
            f"{checks.listed(ratings.labels)}: pass labels=[...] with all classes."
        )
    n_grades, about = ratings.n_grades, ""
    if ratings.sample_weight is not None:
        n_grades, about = n_grades[ratings.sample_weight > 0], " of positive weight"
    if n_grades.max() < 2:
        n_items = f"none of the {len(n_grades):,} items" if len(n_grades) > 1 else "the item"
        has = "has more than" if len(n_grades) > 1 else "has"
        raise ValueError(
            f"ratings must have at least one item{about} with two grades, but {n_items}{about} "
            f"{has} {n_grades.max()}."
        )


def _read_ratings(
    ratings: Any, labels: Any
) -> tuple[OrdinalScale, NDArray[np.intp], tuple[str, ...]]:
    """Return the scale, the positions of the grades (-1: none), and the names of the raters."""
    columns = _frame_columns(ratings)
    if columns is None:
        column, is_present = _flat_grades(ratings)
        scale, (grades,) = _encode([column], labels)
        positions: NDArray[np.intp] = np.full(is_present.shape, -1, dtype=np.intp)
        positions[is_present] = grades
        return scale, positions, tuple(f"rater {k + 1}" for k in range(positions.shape[1]))
    if not columns:
        raise ValueError("ratings must have a column for each of at least two raters, got none.")
    read = [
        containers.read_present(values, f"ratings[{checks.shown(name)}]")
        for name, values in columns
    ]
    try:
        scale, encoded = _encode([column for column, _ in read], labels)
    except ValueError as error:
        ids = [f"ratings[{checks.shown(name)}]" for name, _ in columns if _is_name_of_ids(name)]
        way_out = f" Drop {ids[0]} if it holds ids rather than grades." if ids else ""
        raise ValueError(f"{error}{way_out}") from None
    positions = np.full((len(read[0][1]), len(read)), -1, dtype=np.intp)
    for k, ((_, is_present), grades) in enumerate(zip(read, encoded, strict=True)):
        positions[is_present, k] = grades
    return scale, positions, _checked_raters([name for name, _ in columns], len(columns))


def _warn_if_not_raters(
    scale: OrdinalScale, positions: NDArray[np.intp], names: Sequence[Any] | None
) -> None:
    """Warn if a column does not look like the grades of a rater, or if the rows do."""
    n_items, n_raters = positions.shape
    # A single row is no rater: at least two are needed.
    if n_raters > n_items > 1:
        checks.warn_caller(
            f"ratings has more columns, which are the raters, than rows, which are the items: "
            f"{n_raters:,} and {n_items:,}. If the rows are the raters, pass the transpose, such "
            f"as ratings.T; if not, name all {n_raters:,} raters with raters=."
        )
    for k in range(n_raters):
        is_id = names is not None and _is_name_of_ids(names[k])
        if is_id or _numbers_the_items(scale, positions, k):
            finding = "has the name of ids" if is_id else "numbers the items"
            which = f"column {k + 1}" if k else "the first column"
            which = which if names is None else f"the column {checks.shown(names[k])}"
            checks.warn_caller(
                f"ratings has {which}, which {finding} but is read as a rater: drop it, or if it "
                f"is a rater, name all {n_raters:,} raters with raters=."
            )


def _is_name_of_ids(name: Any) -> bool:
    return str(name).strip().casefold() in _NAMES_OF_IDS


def _numbers_the_items(scale: OrdinalScale, positions: NDArray[np.intp], column: int) -> bool:
    """Return whether a column has consecutive integers, some beyond the range of other columns.

    Ranks are consecutive too, but have the same range in all columns.
    """
    n_items = len(positions)
    if n_items < _FEWEST_NUMBERED or len(scale) < n_items or scales.run_start(scale.labels) is None:
        return False
    own, others = positions[:, column], np.delete(positions, column, axis=1)
    others = others[others >= 0]
    is_run = own.min() >= 0 and np.array_equal(np.sort(own) - own.min(), np.arange(n_items))
    return bool(
        is_run and (own.min() < others.min(initial=n_items) or own.max() > others.max(initial=0))
    )


def _frame_columns(ratings: Any) -> list[tuple[Any, Any]] | None:
    """Return the names and values of the columns of a frame, None for arrays and lists."""
    checks.check_in_memory("ratings", ratings)
    names = checks.column_names(ratings)
    if names is None:
        return None
    if hasattr(ratings, "iloc"):
        return [(name, ratings.iloc[:, k]) for k, name in enumerate(names)]
    return [(name, ratings[name]) for name in names]


def _frame_ids(ratings: Any) -> NDArray[Any] | None:
    """Return the index of a pandas frame as ids, None for 0, 1, ... and for other tables."""
    if not hasattr(ratings, "iloc") or containers.is_default_index(ratings.index):
        return None
    if ratings.index.nlevels > 1:
        raise ValueError(
            f"ratings must have an index with one level, the ids of the items, got "
            f"{ratings.index.nlevels} levels: join them to one id, as in "
            f"ratings.set_axis(ratings.index.map(str)), or drop them with reset_index(drop=True)."
        )
    if ratings.index.hasnans:
        raise ValueError(
            "ratings must have an index without missing values, the ids of the items: fill them, "
            "or drop the index with reset_index(drop=True)."
        )
    if not ratings.index.is_unique:
        repeated = ratings.index.tolist()[ratings.index.duplicated().argmax()]
        raise ValueError(
            "ratings must have an index with a different id for each item, but "
            f"{checks.shown(repeated)} occurs several times: drop the index with "
            "reset_index(drop=True), or pass a table with a row for each grade to "
            "OrdinalRatings.from_table."
        )
    return containers.array_from_labels(list(ratings.index))


def _flat_grades(ratings: Any) -> tuple[LabelColumn, NDArray[np.bool_]]:
    """Return the grades of an array or of lists, and the mask (n_items, n_raters) of grades."""
    if isinstance(ratings, (list, tuple)):
        # NumPy would turn a missing value among strings into a string.
        rows = [_row(row) for row in ratings]
        if len({len(row) for row in rows}) > 1:
            raise ValueError("ratings must have rows of the same length, one value for each rater.")
        shape = (len(rows), len(rows[0]) if rows else 0)
        flat: Any = [value for row in rows for value in row]
    else:
        containers.check_no_evidence(ratings, "ratings")
        array = (
            ratings if isinstance(ratings, np.ndarray) else containers.as_array(ratings, "ratings")
        )
        if array.ndim != 2:
            finding = array.shape if array.ndim else checks.shown(ratings)
            raise ValueError(
                f"ratings must have shape (n_items, n_raters), got {finding}: pass a table with a "
                f"row for each grade to OrdinalRatings.from_table."
            )
        shape, flat = array.shape, array.ravel()
    column, is_present = containers.read_present(flat, "ratings")
    return column, is_present.reshape(shape)


def _row(row: Any) -> list[Any]:
    # A set has no order, and the values of a dict belong to names.
    is_sequence = hasattr(row, "__len__") and hasattr(row, "__getitem__")
    if not is_sequence or isinstance(row, (str, bytes, Mapping)):
        raise ValueError(
            f"ratings must have shape (n_items, n_raters), got {checks.shown(row)} in place of a "
            "row: pass a table with a row for each grade to OrdinalRatings.from_table."
        )
    return list(row)


def _encode(
    columns: Sequence[LabelColumn], labels: Any
) -> tuple[OrdinalScale, list[NDArray[np.intp]]]:
    """Return the scale, and the positions of the grades in each column, which may be empty."""
    known = [column for column in columns if len(column.values) or column.is_ordered]
    if not any(len(column.values) for column in columns):
        raise ValueError("ratings must have at least one item with two grades, but have no grade.")
    scale, positions = scales.encode_columns(known, labels).on_scale()
    by_column = iter(positions)
    nothing = np.zeros(0, dtype=np.intp)
    is_known = (len(column.values) > 0 or column.is_ordered for column in columns)
    return scale, [next(by_column) if known_here else nothing for known_here in is_known]


def _distinct_rows(
    positions: NDArray[np.intp], n_codes: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the distinct rows of positions from -1 to n_codes - 2, and the number of each row."""
    number, first = number_rows(np.zeros(len(positions), dtype=np.int64), 1, positions, n_codes)
    return positions[first], number


def number_rows(
    code: NDArray[np.int64], size: int, positions: NDArray[np.intp], n_codes: int
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return the number of each row among the distinct rows, and the first row of each number.

    A row is a code from 0 to size - 1, followed by positions from -1 to n_codes - 2.
    """
    for k in range(positions.shape[1]):
        if size > _LARGEST_CODE // n_codes:
            code, size = _without_gaps(code, size)
        code = code * n_codes + (positions[:, k] + 1)
        size *= n_codes
    number, n_distinct = _without_gaps(code, size)
    first = np.empty(n_distinct, dtype=np.intp)
    # The last assignment to a number stays, which is its first row.
    first[number[::-1]] = np.arange(len(code))[::-1]
    return number, first


def _without_gaps(code: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], int]:
    """Return codes from 0 without gaps in the same order, and their number."""
    if size > max(_LONGEST_TABLE, len(code)):
        distinct, number = np.unique(code, return_inverse=True)
        return number.astype(np.int64), len(distinct)
    occurs = np.zeros(size, dtype=np.bool_)
    occurs[code] = True
    return (np.cumsum(occurs) - 1)[code], int(np.count_nonzero(occurs))


def _run_numbers(pair: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return for each row how many rows of the same pair of item and rater come before it."""
    order = np.argsort(pair, kind="stable")
    is_first = np.ones(len(pair), dtype=np.bool_)
    is_first[1:] = pair[order][1:] != pair[order][:-1]
    start = np.maximum.accumulate(np.where(is_first, np.arange(len(pair)), 0))
    run = np.empty(len(pair), dtype=np.intp)
    run[order] = np.arange(len(pair)) - start
    return run


def _raters_by_run(
    column: NDArray[np.int64], run: NDArray[np.intp], names: tuple[str, ...]
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return a column for each run of each rater, and the names of the columns."""
    n_runs = np.ones(len(names), dtype=np.intp)
    np.maximum.at(n_runs, column, run + 1)
    first = np.cumsum(n_runs) - n_runs
    by_run = tuple(
        f"{name}, run {number + 1}" if runs > 1 else name
        for name, runs in zip(names, n_runs.tolist(), strict=True)
        for number in range(runs)
    )
    return first[column] + run, by_run


def _values_of_items(
    name: str, values: Any, number: NDArray[np.int64], items: Sequence[Any]
) -> NDArray[Any]:
    """Return the value of each item, given the value and the item of each row."""
    codes, distinct = scales.encode_values(values, len(number), name)
    of_item = np.zeros(len(items), dtype=np.intp)
    of_item[number] = codes
    differs = of_item[number] != codes
    if differs.any():
        item = checks.shown(items[number[differs.argmax()]])
        raise ValueError(
            f"{name} must be the same in all rows of an item, but differs for item {item}."
        )
    return containers.array_from_labels(list(distinct))[of_item]


def _joined_units(name: str, values: Any, items: NDArray[Any] | None, n_items: int) -> Any:
    """Return the clusters or strata of the items in the order of the items."""
    joined = containers.joined_by_item(name, values, items)
    n_values = len(containers.read_column(joined, name).values)
    if n_values != n_items:
        raise ValueError(
            f"{name} must have a value for each of the {n_items:,} items of ratings, got "
            f"{n_values:,}."
        )
    return joined


@dataclass(frozen=True, eq=False)
class _PatternLayout:
    """Amounts are the weights of patterns of ratings, for one system."""

    ratings: OrdinalRatings

    @property
    def n_entries(self) -> int:
        """Number of patterns."""
        return len(self.ratings.patterns)

    def evidence(self, amounts: NDArray[np.float64]) -> tuple[OrdinalRatings, ...]:
        """Return the ratings with weights of shape (n_stack, n_patterns)."""
        return (self.ratings.reweighted(amounts.T),)

    def entries(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values of the patterns."""
        return values

    def n_unanswered(self, evidence: tuple[OrdinalRatings, ...]) -> list[float]:
        """Return zero: items without a grade are not drawn."""
        return [0 for _ in evidence]


def by_class_counts(ratings: OrdinalRatings) -> OrdinalRatings:
    """Return the grades of each item in ascending order, which merges many patterns.

    Exchangeable coefficients have the same values, and fewer kinds of items are faster to draw.
    """
    ascending = np.sort(ratings.patterns, axis=1)
    patterns, number = _distinct_rows(ascending, len(ratings.scale) + 1)
    return on_patterns(ratings, patterns, number[ratings.pattern])


def on_patterns(
    ratings: OrdinalRatings, patterns: NDArray[np.intp], pattern: NDArray[np.intp], **others: Any
) -> OrdinalRatings:
    """Return the same items with other grades, given the pattern of each."""
    changed: dict[str, Any] = {"patterns": patterns, "pattern": pattern, "weights": None, **others}
    return replace(ratings, **changed)


def numbers_of_items(ratings: OrdinalRatings) -> dict[str, Any]:
    """Return the number of items of positive weight by their number of grades, and of units."""
    weight = ratings.sample_weight
    has_weight = np.ones(ratings.n_samples, dtype=np.bool_) if weight is None else weight > 0
    by_grades = np.bincount(ratings.n_grades[has_weight], minlength=len(ratings.raters) + 1)
    return {
        "n_items_by_grades": by_grades.astype(np.int64),
        "n_without_weight": int(np.count_nonzero(~has_weight)),
        "total_weight": None if weight is None else float(weight.sum()),
        **numbers_of_units(ratings),
    }


def numbers_of_units(ratings: OrdinalRatings) -> dict[str, Any]:
    """Return the number of clusters and strata of the items of positive weight, None without."""
    has_weight = slice(None) if ratings.sample_weight is None else ratings.sample_weight > 0
    return {
        f"n_{name}": None if numbers is None else len(np.unique(numbers[has_weight]))
        for name, numbers in (("clusters", ratings.clusters), ("strata", ratings.strata))
    }


def with_item_weights(ratings: OrdinalRatings, weight: NDArray[np.float64]) -> OrdinalRatings:
    """Return ratings with other weights of the items, all of which may be 0."""
    of_patterns = np.bincount(ratings.pattern, weight, len(ratings.patterns))
    copied = ratings.reweighted(of_patterns.astype(np.float64))
    object.__setattr__(copied, "sample_weight", arithmetic.owned(weight, np.float64))
    return copied


def on_common_patterns(
    first: OrdinalRatings, second: OrdinalRatings
) -> tuple[OrdinalRatings, OrdinalRatings]:
    """Return two ratings of the same items, whose patterns belong together row by row."""
    scales.check_same_scale(first.scale, second.scale)
    for name in ("n_samples", "items", "sample_weight", "clusters", "strata"):
        if not np.array_equal(getattr(first, name), getattr(second, name)):
            noun = {"n_samples": "numbers of items", "items": "ids", "sample_weight": "weights"}
            raise ValueError(
                f"ratings to be compared must be of the same items in the same order, got "
                f"different {noun.get(name, name)}: use report_change for different items."
            )
    number, rows = number_rows(
        first.pattern,
        len(first.patterns),
        second.patterns[second.pattern],
        len(second.scale) + 1,
    )
    a, b = (
        on_patterns(ratings, ratings.patterns[ratings.pattern[rows]], number)
        for ratings in (first, second)
    )
    return a, b


def pooled(first: OrdinalRatings, second: OrdinalRatings) -> OrdinalRatings:
    """Return the items of both ratings by the same raters, with the patterns of the first first."""
    return OrdinalRatings(
        first.scale,
        np.concatenate([first.patterns, second.patterns]),
        np.concatenate([first.pattern, second.pattern + len(first.patterns)]),
        first.raters,
        weights=np.concatenate([first.weights, second.weights]),
    )


def some_items(ratings: OrdinalRatings, is_member: NDArray[np.bool_]) -> OrdinalRatings:
    """Return ratings of some of the items, with all patterns."""
    of_members: dict[str, Any] = {
        name: None if values is None else values[is_member]
        for name in ("pattern", "items", "sample_weight", "clusters", "strata")
        for values in [getattr(ratings, name)]
    }
    return replace(ratings, **{**of_members, "weights": None})


def grade_counts(patterns: NDArray[np.intp], n_classes: int) -> NDArray[np.float64]:
    """Return the number of grades of each pattern in each class, (n_patterns, n_classes)."""
    pattern, rater = np.nonzero(patterns >= 0)
    cells = pattern * n_classes + patterns[pattern, rater]
    counts = np.bincount(cells, minlength=len(patterns) * n_classes)
    return counts.reshape(len(patterns), n_classes).astype(np.float64)


def check_ratings(ratings: Any) -> None:
    """Raise unless a value is ratings with one weight for each pattern."""
    if not isinstance(ratings, OrdinalRatings):
        raise ValueError(
            f"ratings must be OrdinalRatings, got {checks.shown(ratings)}: make them with "
            f"OrdinalRatings.from_ratings or from_table."
        )
    stack = ratings.weights.shape[:-1]
    if stack:
        raise ValueError(
            f"ratings must have one weight for each pattern, got a stack of shape {stack}: pass "
            f"what OrdinalRatings.from_ratings returns."
        )


def check_each_item(name: str, shape: tuple[int, ...], ratings: OrdinalRatings) -> None:
    """Raise unless there is a value for each item."""
    if shape != (ratings.n_samples,):
        raise ValueError(
            f"{name} must have a value for each of the {ratings.n_samples:,} items of ratings, got "
            f"shape {shape}."
        )


def item_units(ratings: OrdinalRatings) -> Units[_PatternLayout]:
    """Return the items with a grade and a positive weight, or their clusters.

    Items with the same pattern, weight and stratum are of the same kind.
    """
    weight = np.ones(ratings.n_samples) if ratings.sample_weight is None else ratings.sample_weight
    items = np.flatnonzero((ratings.n_grades > 0) & (weight > 0))
    pattern, weight, n_patterns = ratings.pattern[items], weight[items], len(ratings.patterns)
    code, size = pattern.astype(np.int64), n_patterns
    if ratings.clusters is not None:
        code, size = _numbered(ratings.clusters[items])
    elif ratings.sample_weight is not None:
        level, n_levels = _numbered(weight)
        code, size = code * n_levels + level, size * n_levels
    stratum = None
    if ratings.strata is not None:
        # Kinds are in the order of the strata.
        stratum, n_strata = _numbered(ratings.strata[items])
        code, size = stratum * size + code, size * n_strata
    kind, _ = _without_gaps(code, size)
    _, first, sizes = np.unique(kind, return_index=True, return_counts=True)
    checks.check_n_units(
        "ratings" if ratings.clusters is None else "clusters",
        int(sizes.sum()) if ratings.clusters is None else len(sizes),
    )
    if ratings.clusters is None:
        pattern, weight, kind = pattern[first], weight[first], np.arange(len(first))
    else:
        sizes = np.ones_like(sizes)
    tables = csr_array((weight, (pattern, kind)), shape=(n_patterns, len(sizes)))
    of_kind = None if stratum is None else stratum[first]
    return Units(sizes, tables, _PatternLayout(ratings), of_kind)


def _numbered(values: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """Return the position of each value among the distinct values, and their number."""
    distinct, position = np.unique(values, return_inverse=True)
    return position.astype(np.int64), len(distinct)
