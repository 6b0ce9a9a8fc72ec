"""The constructors of a confusion matrix, from labels, probabilities, counts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._batches import count_batches
from sklearn_ordinal._core._checks import as_numbers_of_classes, check_amounts, check_choice
from sklearn_ordinal._core._counting import (
    Counts,
    Unanswered,
    count_answered,
    counts_on_scale,
    sample_counts,
)
from sklearn_ordinal._core._encoding import encode
from sklearn_ordinal._core._probabilities import (
    checked_probabilities,
    read_probabilities,
    soft_counts,
)
from sklearn_ordinal._core._scale import OrdinalScale, as_scale
from sklearn_ordinal._core._table import count_table


class Constructors:
    """The class methods of `OrdinalConfusion` that read what a user passes.

    `OrdinalConfusion` is the only subclass. It checks and holds the counts; its methods that read
    labels and tables are here to keep both modules short.
    """

    # As the dataclass `OrdinalConfusion` defines it.
    if TYPE_CHECKING:

        def __init__(
            self,
            scale: OrdinalScale,
            counts: Counts,
            is_weighted: bool = False,
            unanswered: Counts | None = None,
            groups: tuple[Any, ...] = (),
            sample_counts: NDArray[np.int64] | None = None,
        ) -> None: ...

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        unanswered: Unanswered = "raise",
    ) -> Self:
        """Count true and predicted classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction (NaN, None or NA in `y_pred`):
            raise an error, or count them separately by their true class.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes).

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, values are
            missing, or the arguments differ in length.
        """
        check_choice("unanswered", unanswered, Unanswered)
        if unanswered == "count":
            return cls(*count_answered(y_true, y_pred, labels, sample_weight))
        encoded = encode({"y_true": y_true, "y_pred": y_pred}, labels, sample_weight=sample_weight)
        counts, scale = counts_on_scale(encoded, sample_weight)
        if sample_weight is None:
            return cls(scale, counts)
        numbers = sample_counts(encoded, sample_weight)
        return cls(scale, counts, is_weighted=True, sample_counts=numbers)

    @classmethod
    def from_probabilities(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        normalize_rows: bool = False,
    ) -> Self:
        """Count each sample for each class with its probability: soft counts.

        A criterion that is linear in the counts has its expected value on soft counts, for
        classes that are drawn from the probabilities; `OrdinalMetric` says which ones are.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_proba : array-like of shape (n_samples, n_columns)
            Probabilities of the classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        classes : array-like of shape (n_columns,), default=None
            The class of each column, in any order, such as ``classes_`` of a classifier; a
            class without a column has probability 0. If None, the columns are those of all
            classes from the lowest to the highest.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        normalize_rows : bool, default=False
            Whether to divide each row by its sum, for probabilities that were rounded.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes), which are fractions.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, rows are not
            probabilities, or the columns do not fit the classes.
        """
        scale, true, proba, weight = read_probabilities(
            y_true, y_proba, labels, classes, sample_weight, normalize_rows
        )
        counts = soft_counts(true, checked_probabilities(proba), weight)
        return cls(scale, counts, sample_weight is not None)

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        unanswered: ArrayLike | None = None,
    ) -> Self:
        """Create a confusion matrix, or a stack, from counts.

        Parameters
        ----------
        counts : array-like of shape (..., n_classes, n_classes)
            Non-negative counts or sums of weights, rows true, columns predicted.
        labels : array-like of shape (n_classes,), default=None
            The classes from the lowest to the highest, by default 0, 1, ...
        unanswered : array-like of shape (..., n_classes), default=None
            Number, or weight, of the samples of each true class without a prediction,
            which are not in `counts`.

        Returns
        -------
        OrdinalConfusion
            The counts and their scale. Integers are numbers of samples, floats are sums
            of weights.

        Raises
        ------
        ValueError
            If the counts are not finite, non-negative square matrices, the total of a
            matrix is neither zero nor between 1e-60 and 1e60, `labels` does not name the
            rows, or `unanswered` has another shape or negative numbers.
        """
        array = as_numbers_of_classes("counts", counts)
        if array.ndim < 2 or array.shape[-1] != array.shape[-2] or not array.shape[-1]:
            raise ValueError(
                f"counts must have shape (..., n_classes, n_classes), got {array.shape}."
            )
        check_amounts("counts", array, axis=(-2, -1))
        scale = OrdinalScale.from_run(0, array.shape[-1]) if labels is None else as_scale(labels)
        if len(scale) != array.shape[-1]:
            raise ValueError(
                f"labels must name each of the {array.shape[-1]} classes in counts, "
                f"got {len(scale)} labels."
            )
        missing = None if unanswered is None else as_numbers_of_classes("unanswered", unanswered)
        is_weighted = array.dtype.kind == "f" or (missing is not None and missing.dtype.kind == "f")
        dtype = np.float64 if is_weighted else np.int64
        return cls(
            scale,
            array.astype(dtype),
            is_weighted,
            None if missing is None else missing.astype(dtype),
        )

    @classmethod
    def from_table(
        cls,
        frame: Any,
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        *,
        labels: ArrayLike | None = None,
        sample_weight: str | None = None,
        by: str | Sequence[str] | None = None,
        unanswered: Unanswered = "raise",
    ) -> Self:
        """Count the rows of a table where the table is.

        The library of the table, such as a database, counts the pairs of true and predicted
        classes. Only one row for each pair of classes in each group is read from it. The
        same counts as by `from_predictions` come back; sums of weights may differ by rounding
        errors. Needs narwhals: ``pip install "sklearn_ordinal[tables]"``.

        Parameters
        ----------
        frame : dataframe, table or relation
            A dataframe of pandas, polars (eager or lazy), Dask or PySpark, a table of
            pyarrow or Ibis, a relation of DuckDB, or any other table that narwhals supports.
        y_true : str, default="y_true"
            The column of true classes.
        y_pred : str, default="y_pred"
            The column of predicted classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from the type of the
            columns, such as an ordered Categorical or an ENUM, or from integers; required for
            strings.
        sample_weight : str, default=None
            The column of non-negative weights.
        by : str or sequence of str, default=None
            The columns that divide the rows into groups, such as countries or folds, each
            with its own matrix. If None, one matrix is counted.
        unanswered : {"raise", "count"}, default="raise"
            What to do with rows without a prediction (null or NaN): raise an error, or count
            them separately by their true class.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes), or with `by` a stack of shape (n_groups,
            n_classes, n_classes), sorted by group. Its `groups` are the values of the column,
            or tuples of the values of several columns.

        Raises
        ------
        ImportError
            If narwhals is not installed.
        ValueError
            If a column does not exist, the order of the classes is unknown, a class is not in
            `labels`, classes, weights or groups are missing, weights are negative or not
            finite, or there are no rows.
        """
        check_choice("unanswered", unanswered, Unanswered)
        return cls(*count_table(frame, y_true, y_pred, labels, sample_weight, by, unanswered))

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[Sequence[ArrayLike]],
        *,
        labels: ArrayLike | None = None,
        unanswered: Unanswered = "raise",
    ) -> Self:
        """Count true and predicted classes that come in batches.

        Each batch is counted and forgotten. The result does not depend on the order of the
        batches, nor on how samples are divided among them. A sum of weights is the exact sum,
        rounded once, as by `math.fsum`.

        Parameters
        ----------
        batches : iterable of tuples
            Pairs (y_true, y_pred), or triples (y_true, y_pred, sample_weight), of array-likes
            of shape (n_samples,), as `from_predictions` takes them. Batches may be empty.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype, which must be the same in all batches, or from the integers of all batches;
            required for strings.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction (NaN, None or NA in `y_pred`):
            raise an error, or count them separately by their true class.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes).

        Raises
        ------
        ValueError
            If there are no samples, some batches have weights and others do not, dtypes
            declare different orders, or a batch is not valid input of `from_predictions`.
        """
        check_choice("unanswered", unanswered, Unanswered)
        return cls(*count_batches(batches, labels, unanswered))
