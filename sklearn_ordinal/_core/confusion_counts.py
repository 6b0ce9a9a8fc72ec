"""`OrdinalConfusion`: counts of true and predicted classes on an ordered scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    containers,
    counting,
    dataframes,
    sampling,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.counting import CountedSamples, SampleReadingOptions, Unanswered
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._core.saving import SavedEvidence
from sklearn_ordinal._core.scales import OrdinalScale

# Shares of the true classes to which counts are weighted
# -------------------------------------------------------


def check_shares(name: str, shares: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return the share of each class as an array, and raise unless these are valid shares."""
    checked = checks.as_class_numbers(name, shares).astype(np.float64)
    if checked.shape != (n_classes,):
        raise ValueError(
            f"{name} must have shape ({n_classes},), one for each class of the scale, got "
            f"{checked.shape}."
        )
    checks.check_amounts(name, checked)
    if abs(checked.sum() - 1) > tolerances.PASSED_SHARE:
        raise ValueError(
            f"{name} must add up to 1, got {sampling.shown_sum(checked.sum())}: divide them by "
            "their sum."
        )
    return checked


def check_shares_for_sizes(
    name: str, shares: ArrayLike, sizes: NDArray[Any], labels: NDArray[np.generic]
) -> NDArray[np.float64]:
    """Return the share of each class, and raise if a class without samples has a share."""
    checked = check_shares(name, shares, sizes.shape[-1])
    is_unknown = (sizes == 0) & (checked > 0)
    if is_unknown.any():
        position = np.argwhere(is_unknown)[0]
        where = ""
        if sizes.ndim > 1:
            where = (
                f" in the matrix at {tuple(position[:-1].tolist())}: if each matrix is a cluster, "
                f"count the samples with clusters= instead of by="
            )
        raise ValueError(
            f"{name} must be 0 for a class without samples, whose errors are not known, got "
            f"{checked[position[-1]]:g} for {checks.shown(labels[position[-1]].item())}{where}."
        )
    return checked


def factors_to_shares(
    sizes: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the factor of each true class: (..., n_classes).

    The totals stay the same. Each class gets its share, except that a class without samples
    stays empty.
    """
    totals = sizes.sum(axis=-1, keepdims=True)
    factors: NDArray[np.float64] = shares * totals / np.where(sizes > 0, sizes, 1)
    return factors


def check_evidence_prevalence(prevalence: ArrayLike, evidence: Any) -> NDArray[np.float64]:
    """Return the shares at which to evaluate evidence, and raise if it lacks their classes."""
    if not hasattr(evidence, "class_counts"):
        raise ValueError(
            f"prevalence needs the true classes, which {type(evidence).__name__} does not have: "
            f"leave prevalence out."
        )
    sizes, labels = evidence.class_counts, evidence.scale.labels
    return check_shares_for_sizes("prevalence", prevalence, sizes, labels)


def evidence_at_prevalence(evidence: Any, shares: NDArray[np.float64]) -> Any:
    """Return evidence whose true classes have these shares, with the same total."""
    return evidence.weighted_by_class(factors_to_shares(evidence.class_counts, shares))


def weights_at_prevalence(
    y_true: NDArray[Any], prevalence: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights (n_samples,) that give each class its share and keep the total."""
    sizes: NDArray[Any] = np.bincount(y_true, weights, len(prevalence))
    at_shares: NDArray[np.float64] = weights * factors_to_shares(sizes, prevalence)[y_true]
    return at_shares


# Counts of true and predicted classes on an ordered scale
# --------------------------------------------------------

T = TypeVar("T")
AnyConfusion = TypeVar("AnyConfusion", bound="OrdinalConfusion")


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalConfusion(SavedEvidence):
    """Confusion matrix, or a stack of them, over an ordered scale.

    Almost every ordinal criterion is a function of these counts. Add the counts of parts
    of the data with ``+`` or `sum`, or keep them separate with `stack`. `numpy.asarray`
    returns the counts; arithmetic with arrays raises a TypeError.

    Parameters
    ----------
    scale : OrdinalScale or array-like of shape (n_classes,)
        The classes from the lowest to the highest.
    counts : ndarray of shape (..., n_classes, n_classes)
        Number, or weight, of the samples of each true class (rows) that were
        predicted as each class (columns). Means over repetitions may be fractions.
    is_weighted : bool
        Whether the counts are sums of sample weights.
    unanswered : ndarray of shape (..., n_classes), default=None
        Number, or weight, of the samples of each true class that have no prediction, if
        they are counted. The closeness family counts them as errors with a closeness of 0,
        and the other metrics leave them out.
    groups : tuple, default=()
        The group of each matrix along the first axis of a stack, without repetitions, such as the
        countries that `from_table` has counted separately. If empty, the groups are not known.
    sample_counts : ndarray of shape (..., n_classes, n_classes + 1), default=None
        Number of samples of positive weight in each cell if the counts are sums of weights;
        the last column is for unanswered samples. None if the numbers are not known, or if the
        counts themselves are numbers of samples.
    squared_weights : ndarray of shape (..., n_classes, n_classes + 1), default=None
        Sum of the squared weights of the samples in each cell if the counts are sums of weights;
        the last column is for unanswered samples. Together with `counts` and `sample_counts`,
        these sums determine the standard error of a value without the samples. None if the sums
        are not known, as in `from_counts` with sums of weights: intervals from such counts are
        refused. Also None if the counts themselves are numbers of samples, where each weight is 1.
    is_clustered : bool, default=False
        Whether the samples come in clusters, such as patients. Intervals then need the samples,
        which `from_predictions` and `from_systems` keep and files do not.
    is_stratified : bool, default=False
        Whether a fixed number of samples, or of clusters, was drawn from each stratum. Intervals
        then need the samples too.
    has_systems : bool, default=False
        Whether the matrices of a stack belong to several systems on the same samples, so that
        they cannot be pooled.
    has_fixed_shares : bool, default=False
        Whether each true class has a given share of the total, as after `at_prevalence`, so that
        the weight of a sample depends on how many samples its class has. Intervals in closed form
        then count only the variation within the true classes.
    has_soft_labels : bool, default=False
        Whether the true classes are soft labels, so that a sample is in several cells. Intervals
        then need the samples, which `from_predictions` and `from_systems` keep, and which
        `from_soft_labels`, sums and files do not.

    Attributes
    ----------
    n_samples : int, ndarray of shape (...) or None
        Number of samples of each matrix, including unanswered samples, regardless of their
        weights. None if the number is not known, as for sums of weights in `from_counts`.
    labels : ndarray of shape (n_classes,)
        The classes from the lowest to the highest.
    class_counts : ndarray of shape (..., n_classes)
        Number, or weight, of the samples of each true class, including unanswered
        samples.

    Raises
    ------
    ValueError
        If a label is repeated, the shape of the counts does not match the labels, or
        counts are negative, not finite, or add up to more than 1e60 or to less than 1e-60
        but not to zero.

    See Also
    --------
    OrdinalReport : The criteria computed from the counts.
    get_metric : Find a metric, which returns its value for a confusion matrix.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion
    >>> confusion = OrdinalConfusion.from_predictions(
    ...     ["low", "mid", "high", "high"], ["low", "high", "high", "mid"],
    ...     labels=["low", "mid", "high"],
    ... )
    >>> confusion
    OrdinalConfusion of 4 samples, rows true, columns predicted
          low  mid  high
     low    1    0     0
     mid    0    0     1
    high    0    1     1
    >>> confusion.class_counts
    array([1., 1., 2.])
    """

    scale: OrdinalScale
    counts: Counts
    is_weighted: bool = False
    unanswered: Counts | None = None
    groups: tuple[Any, ...] = ()
    sample_counts: NDArray[np.int64] | None = None
    squared_weights: Values | None = None
    is_clustered: bool = False
    is_stratified: bool = False
    has_systems: bool = False
    has_fixed_shares: bool = False
    has_soft_labels: bool = False
    # The samples that were counted, for resampling where the counts do not suffice: samples with
    # weights, clusters, strata, and several systems on the same samples.
    _samples: CountedSamples | None = field(default=None, init=False)
    # Results of `shared_result`.
    _shared: dict[Callable[[Counts], Any], Any] = field(default_factory=dict, init=False)

    way_out_of_arrays: ClassVar[str] = "pass it to a metric, as in get_metric('cem_ord')(confusion)"

    # Disable ufuncs, so that arithmetic with arrays raises an error instead of losing the classes.
    __array_ufunc__ = None

    def __post_init__(self) -> None:
        checks.check_bool("is_weighted", self.is_weighted)
        checks.check_bool("is_clustered", self.is_clustered)
        checks.check_bool("is_stratified", self.is_stratified)
        checks.check_bool("has_systems", self.has_systems)
        checks.check_bool("has_fixed_shares", self.has_fixed_shares)
        checks.check_bool("has_soft_labels", self.has_soft_labels)
        if self.has_soft_labels and not self.is_weighted:
            raise ValueError(
                "has_soft_labels must be False if is_weighted is False: the shares of a sample are "
                "weights."
            )
        scale, counts = (
            scales.checked_scale(self.scale),
            checks.as_class_numbers("counts", self.counts),
        )
        if counts.shape[-2:] != (len(scale), len(scale)):
            raise ValueError(
                f"counts must have shape (..., n_classes, n_classes) for the {len(scale)} classes "
                f"of the scale, got {counts.shape}."
            )
        if self.has_systems and counts.ndim == 2:
            raise ValueError("has_systems must be False for one matrix: stack one for each system.")
        checks.check_amounts("counts", counts, axis=(-2, -1))
        counts = _widest(counts)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "counts", counts)
        if self.unanswered is not None:
            unanswered = checks.as_class_numbers("unanswered", self.unanswered)
            if unanswered.shape != counts.shape[:-1]:
                raise ValueError(
                    f"unanswered must have shape {counts.shape[:-1]}, got {unanswered.shape}."
                )
            checks.check_amounts("unanswered", unanswered)
            unanswered = _widest(unanswered)
            object.__setattr__(self, "unanswered", unanswered)
        object.__setattr__(self, "groups", scales.checked_groups(self.groups, counts.shape[:-2]))
        if self.sample_counts is not None:
            object.__setattr__(self, "sample_counts", self._checked_sample_counts())
        if self.squared_weights is not None:
            object.__setattr__(self, "squared_weights", self._checked_squared_weights())

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        # Clusters, strata and pairs of systems decide intervals and tests. The single weights in a
        # cell decide only resampled ones, and `from_table` and `from_batches` do not keep them.
        are_equal = checks.have_equal_fields(self, other)
        if are_equal and (has_design(self) or self.has_systems):
            return _have_equal_samples(self._samples, other._samples)
        return are_equal

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickle through the constructor: pickled arrays would come back writeable.
        arguments = (
            self.scale,
            self.counts,
            self.is_weighted,
            self.unanswered,
            self.groups,
            self.sample_counts,
            self.squared_weights,
            self.is_clustered,
            self.is_stratified,
            self.has_systems,
            self.has_fixed_shares,
            self.has_soft_labels,
        )
        return type(self), arguments, self._samples

    def __setstate__(self, samples: CountedSamples) -> None:
        _keep_samples(self, samples)

    def _checked_sample_counts(self) -> NDArray[np.int64]:
        numbers = checks.as_class_numbers("sample_counts", self.sample_counts)
        shape = (*self.counts.shape[:-1], self.counts.shape[-1] + 1)
        if numbers.shape != shape or numbers.dtype.kind not in "iu":
            raise ValueError(
                f"sample_counts must hold integers of shape {shape}, the last column for the "
                f"unanswered samples, got {numbers.dtype} of shape {numbers.shape}."
            )
        if not self.is_weighted:
            raise ValueError(
                "sample_counts must be left out if is_weighted is False: the counts are numbers "
                "of samples."
            )
        checks.check_amounts("sample_counts", numbers, axis=(-2, -1))
        return arithmetic.owned(numbers, np.int64)

    def _checked_squared_weights(self) -> Values:
        squares = checks.as_class_numbers("squared_weights", self.squared_weights)
        shape = (*self.counts.shape[:-1], self.counts.shape[-1] + 1)
        if squares.shape != shape:
            raise ValueError(
                f"squared_weights must have shape {shape}, the last column for the unanswered "
                f"samples, got {squares.shape}."
            )
        if not self.is_weighted:
            raise ValueError(
                "squared_weights must be left out if is_weighted is False: each sample has the "
                "weight 1."
            )
        if self.sample_counts is None:
            raise ValueError("squared_weights must come with sample_counts, got None: pass both.")
        # The squares of n weights that add up to w are smallest if each weight is w / n
        # (Cauchy-Schwarz), and largest if all weights but one are zero.
        is_occupied = self.sample_counts > 0
        largest = np.where(is_occupied, self._with_unanswered() ** 2.0, 0)
        smallest = largest / np.maximum(self.sample_counts, 1)
        lowest = smallest * (1 - tolerances.SUMS_OF_SQUARES) - tolerances.LOST_SQUARES
        highest = largest * (1 + tolerances.SUMS_OF_SQUARES) + tolerances.LOST_SQUARES
        is_possible = (
            (squares >= np.maximum(lowest, 0))
            & (squares <= highest)
            & ((squares == 0) | is_occupied)
        )
        if not is_possible.all():
            cell = tuple(np.argwhere(~is_possible)[0].tolist())
            raise ValueError(
                f"squared_weights must be from {smallest[cell]:g} to {largest[cell]:g} in the cell "
                f"at {cell}, according to its number and weight of samples, got {squares[cell]:g}."
            )
        return arithmetic.owned(squares, np.float64)

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_predictions(
        cls,
        y_true: TrueClasses,
        y_pred: ArrayLike,
        *,
        by: ArrayLike | None = None,
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Count true and predicted classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), or OrdinalRatings
            True classes. Or soft labels: a distribution over the classes for each sample, or the
            grades of several raters. Each class with a share of a sample counts as a row with the
            share as its weight, and the rows of the same sample are a cluster.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        **reading
        by : array-like of shape (n_samples,), default=None
            Group of each sample, such as the country, each with its own matrix. If None, one
            matrix is counted.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes), or with `by` a stack of shape (n_groups,
            n_classes, n_classes), whose `groups` are the values in `by`.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, values are
            missing, or the arguments differ in length.
        """
        if containers.is_soft(y_true):
            soft, columns = sampling.read_soft_labels(y_true), {"y_pred": y_pred}
            samples, groups = sampling.counted_rows(soft, columns, by=by, **reading)
            if by is not None:
                return _confusion_with_samples(cls, samples, groups)
            return _confusion_with_samples(cls, samples, tuple(columns))["y_pred"]
        return _confusion_of_columns(cls, {"y_true": y_true, "y_pred": y_pred}, by, **reading)

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_systems(
        cls,
        y_true: TrueClasses,
        predictions: Mapping[str, ArrayLike],
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Count the classes that several systems predict for the same samples.

        The counts of each system alone do not show on which samples two systems differ. These
        counts keep that information, which `paired_difference` and `compare_systems` need.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), or OrdinalRatings
            True classes, or soft labels; see `from_predictions`.
        predictions : dict of str to array-like of shape (n_samples,)
            Predicted classes of each system by its name.
        **reading

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_systems, n_classes, n_classes), whose `groups` are the names of the
            systems.

        Raises
        ------
        ValueError
            If there are no systems, the order of the classes is unknown, a class is not in
            `labels`, values are missing, or the arguments differ in length.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalConfusion
        >>> from sklearn_ordinal.inference import paired_difference
        >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
        >>> predictions = {
        ...     "first": [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10,
        ...     "second": [0, 2, 2, 2, 0, 0, 1, 1, 0, 1] * 10,
        ... }
        >>> systems = OrdinalConfusion.from_systems(y_true, predictions)
        >>> print(paired_difference(systems, metrics="accuracy", random_state=0))
        the first is higher by 0.200 (95% interval 0.130 to 0.280, p < 0.001)
        """
        checks.check_named("predictions", predictions)
        if not predictions:
            raise ValueError("predictions must have at least one system, got none.")
        columns = checks.named_entries("predictions", predictions)
        return joint_confusion(cls, y_true, columns, tuple(predictions), **reading)

    @classmethod
    def from_probabilities(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Count each sample in every class with the probability of that class: soft counts.

        On soft counts, a criterion that is linear in the counts equals its expected value for
        classes sampled from the probabilities. `OrdinalMetric` says which criteria are
        linear.

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
            The class of each column, in any order, such as the ``classes_`` of a classifier; a
            class without a column has probability 0. If None, the columns are all classes from
            the lowest to the highest.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes), which are fractions. They are sums of weights,
            unless all probabilities are 0 or 1, so that intervals from them are refused.

        Raises
        ------
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, rows are not
            probabilities, or the columns do not match the classes.
        """
        scale, true, proba, weight = sampling.read_probabilities(
            y_true, y_proba, labels, classes, sample_weight
        )
        proba = sampling.checked_probabilities(proba)
        # Sums of probabilities may be integers, but they are no numbers of samples.
        is_weighted = sample_weight is not None or not sampling.are_certain(proba)
        return cls(scale, sampling.soft_counts(true, proba, weight), is_weighted)

    @classmethod
    def from_soft_labels(
        cls,
        y_soft: TrueClasses,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Count each sample in every true class with the share of that class: expected counts.

        These are the expected counts if the true class of each sample is drawn from its
        distribution, or is the grade of one of its raters. A criterion that is a mean over the
        samples, such as the accuracy or the mean absolute error, has its expected value over such
        draws. All others, such as kappa and CEM_ORD, have the value of the expected counts, which
        is not the mean of their values for the draws.

        Parameters
        ----------
        y_soft : array-like of shape (n_samples, n_classes), or OrdinalRatings
            For each sample, a distribution over the classes from the lowest to the highest, or the
            grades of several raters, each of whom has the same share. Items without a grade are
            left out, with a warning.
        y_pred : array-like of shape (n_samples,)
            Predicted classes. If the items of ratings have ids, also a pandas Series or a mapping
            from each id to its class.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from the ratings, from an
            ordered dtype of `y_pred`, or from integers if all of them are predicted; required
            otherwise.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes), which are fractions, with `has_soft_labels`.
            They do not tell which shares belong to the same sample, so that intervals from them
            are refused. Pass `y_soft` itself to `delta_interval` or `bootstrap_interval`, or to
            `from_predictions`, whose counts keep their samples.

        Raises
        ------
        ValueError
            If rows of `y_soft` are not distributions, the classes are unknown, a predicted class
            is not among them, a prediction is missing, or the arguments differ in length.

        Warns
        -----
        UserWarning
            If items of ratings have no grade.

        See Also
        --------
        OrdinalConfusion.from_probabilities : Count predicted probabilities.
        OrdinalRatings.class_shares : The soft labels of ratings.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalConfusion, get_metric
        >>> y_soft = [[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]]
        >>> confusion = OrdinalConfusion.from_soft_labels(y_soft, [0, 2, 1])
        >>> confusion.counts
        array([[0.8, 0.2, 0. ],
               [0.2, 0.2, 0.5],
               [0. , 0.6, 0.5]])
        >>> round(get_metric("ordinal_mean_absolute_error")(confusion), 6)
        0.5
        """
        soft = sampling.read_soft_labels(y_soft, "y_soft")
        joined = soft.by_item({"y_pred": y_pred, "sample_weight": sample_weight})
        scale, (predicted,) = sampling.read_item_predictions(
            soft, {"y_pred": joined["y_pred"]}, labels
        )
        weights = soft.item_weights(joined["sample_weight"])[:, None] * soft.shares
        cells = np.arange(len(scale)) * len(scale) + predicted[:, None]
        counts = np.bincount(cells.ravel(), weights.ravel(), len(scale) ** 2)
        counts = counts.reshape(len(scale), len(scale))
        return cls(scale, counts, True, has_soft_labels=True)

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
            rows, or `unanswered` has the wrong shape or negative numbers.
        """
        array = checks.as_class_numbers("counts", counts)
        if array.ndim < 2 or array.shape[-1] != array.shape[-2] or not array.shape[-1]:
            raise ValueError(
                f"counts must have shape (..., n_classes, n_classes), got {array.shape}."
            )
        checks.check_amounts("counts", array, axis=(-2, -1))
        scale = (
            OrdinalScale.from_run(0, array.shape[-1]) if labels is None else scales.as_scale(labels)
        )
        if len(scale) != array.shape[-1]:
            raise ValueError(
                f"labels must name each of the {array.shape[-1]} classes in counts, "
                f"got {len(scale)} labels."
            )
        missing = None if unanswered is None else checks.as_class_numbers("unanswered", unanswered)
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
        """Count the rows of a table in the library that holds it.

        The library of the table, such as a database, counts the pairs of true and predicted
        classes. Only one row for each pair of classes in each group is read from the library.
        The counts are the same as with `from_predictions`; sums of weights may differ by
        rounding errors. In frames of pandas, polars or pyarrow, which are in memory, the columns
        are counted like arrays. Needs narwhals: ``pip install "sklearn_ordinal[tables]"``.

        Clusters are not counted in the library, since there may be nearly as many clusters, each
        with its own counts, as rows: read the columns and pass them to `from_predictions`.

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
        checks.check_choice("unanswered", unanswered, Unanswered)
        by = () if by is None else (by,) if isinstance(by, str) else scales.check_names("by", by)
        in_memory = dataframes.columns_in_memory(frame, y_true, y_pred, sample_weight, by)
        if in_memory is None:
            # Check labels first, since counting the rows may take a long time.
            scale = None if labels is None else scales.as_scale(labels)
            pairs = dataframes.count_pairs(frame, y_true, y_pred, sample_weight, by)
            return cls(
                *dataframes.counted_pairs(
                    pairs, y_true, y_pred, scale, sample_weight, by, unanswered
                )
            )
        columns, groups = in_memory
        confusion = _confusion_of_columns(
            cls,
            {
                f"y_true={checks.shown(y_true)}": columns["y_true"],
                f"y_pred={checks.shown(y_pred)}": columns["y_pred"],
            },
            columns.get("by"),
            labels=labels,
            sample_weight=columns.get("sample_weight"),
            unanswered=unanswered,
        )
        # Like the counts of other tables, these do not keep the samples.
        return replace(confusion, groups=groups)

    @classmethod
    def from_batches(
        cls,
        batches: Iterable[Sequence[ArrayLike]],
        *,
        labels: ArrayLike | None = None,
        unanswered: Unanswered = "raise",
    ) -> Self:
        """Count true and predicted classes that come in batches.

        Each batch is counted and discarded. The result does not depend on the order of the
        batches, nor on how samples are divided among them, except for rounding errors in sums
        of weights.

        Parameters
        ----------
        batches : iterable of tuples
            Pairs (y_true, y_pred) or triples (y_true, y_pred, sample_weight) of array-likes
            of shape (n_samples,), as in `from_predictions`. Batches may be empty.
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
        checks.check_choice("unanswered", unanswered, Unanswered)
        return cls(*dataframes.count_batches(batches, labels, unanswered))

    @property
    def labels(self) -> NDArray[Any]:
        """The classes from the lowest to the highest."""
        return self.scale.labels

    @property
    def class_counts(self) -> Values:
        """Number, or weight, of the samples of each true class, including unanswered samples."""
        sizes: Values = self.counts.sum(axis=-1, dtype=np.float64) + self._n_unanswered
        return sizes

    @property
    def n_samples(self) -> Any:
        """Number of samples of each matrix, including unanswered samples; None if not known."""
        if self.has_soft_labels:
            # The numbers of samples in the cells add up to more, since a sample is in several.
            return None if self._samples is None else _item_counts(self)
        numbers = self._known_sample_counts()
        if numbers is None:
            return None
        totals = numbers.sum(axis=(-2, -1))
        return totals if totals.ndim else int(totals)

    def _known_sample_counts(self) -> NDArray[np.int64] | None:
        """Return the number of samples in each cell, with a last column for unanswered samples."""
        if self.is_weighted:
            return self.sample_counts
        counts = self._with_unanswered()
        if counts.dtype.kind == "f" and (counts % 1).any():
            return None
        return counts.astype(np.int64, copy=False)

    def _known_squared_weights(self) -> Values | None:
        """Return the sum of squared weights in each cell, with a column as in `sample_counts`."""
        if self.is_weighted:
            return self.squared_weights
        # Each sample has the weight 1, so that the sum of the squares is the number.
        numbers = self._known_sample_counts()
        return None if numbers is None else numbers.astype(np.float64)

    @classmethod
    def stack(cls, confusions: Iterable[OrdinalConfusion]) -> Self:
        """Stack matrices on the same scale along a new first axis.

        Parameters
        ----------
        confusions : iterable of OrdinalConfusion
            One matrix per fold, group or system.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_confusions, ..., n_classes, n_classes).

        Raises
        ------
        ValueError
            If there are no matrices, or their scales or shapes differ.
        """
        confusions = list(checks.iterate("confusions", confusions, "OrdinalConfusion"))
        if not confusions or not all(isinstance(c, OrdinalConfusion) for c in confusions):
            raise ValueError(
                "confusions must contain at least one OrdinalConfusion and nothing else."
            )
        for confusion in confusions[1:]:
            scales.check_same_scale(confusions[0].scale, confusion.scale)
        _check_no_design(confusions)
        if len({confusion.counts.shape for confusion in confusions}) > 1:
            shapes = [confusion.counts.shape for confusion in confusions]
            raise ValueError(f"confusions must have counts of one shape, got {shapes}.")
        counts = arithmetic.read_only(np.stack([confusion.counts for confusion in confusions]))
        unanswered = None
        if any(confusion.unanswered is not None for confusion in confusions):
            unanswered = np.stack([confusion._n_unanswered for confusion in confusions])
        is_weighted = any(confusion.is_weighted for confusion in confusions)
        numbers, squares = _combined(confusions, np.stack) if is_weighted else (None, None)
        return cls(
            confusions[0].scale,
            counts,
            is_weighted,
            unanswered,
            sample_counts=numbers,
            squared_weights=squares,
            has_systems=any(confusion.has_systems for confusion in confusions)
            or _have_common_samples(confusions),
            has_fixed_shares=all(confusion.has_fixed_shares for confusion in confusions),
            has_soft_labels=any(confusion.has_soft_labels for confusion in confusions),
        )

    def pooled(self) -> Self:
        """Return the sum of the matrices of a stack.

        Returns
        -------
        OrdinalConfusion
            Counts of shape (n_classes, n_classes).

        Raises
        ------
        ValueError
            If integer counts add up to 2**63 or more, or the matrices belong to several systems
            on the same samples.
        """
        if self.has_systems:
            name = repr(self.groups[0]) if self.groups else "0"
            raise ValueError(
                "confusion must hold different samples to be pooled, got several systems on the "
                "same samples, which would count as often as there are systems: take one, as in "
                f"confusion[{name}]."
            )
        if not self.is_weighted:
            checks.check_amounts("the pooled counts", self.counts, axis=None)
            checks.check_amounts("the pooled unanswered", self._n_unanswered, axis=None)
        stack = tuple(range(self.counts.ndim - 2))
        pooled = with_arrays(
            self, lambda array: array.sum(axis=stack), groups=(), has_fixed_shares=False
        )
        if self._samples is not None and not self.has_fixed_shares:
            _keep_samples(pooled, self._samples._replace(group=None))
        return pooled

    def __getitem__(self, group: Any) -> Self:
        """Return the matrix of a group or system by its name, or by its position without names."""
        k = scales.group_position(group, self.groups, self.counts.shape[:-2])
        has_systems = self.has_systems and self.counts.ndim > 3
        part = with_arrays(self, lambda array: array[k], groups=(), has_systems=has_systems)
        if self._samples is not None and part.counts.ndim == 2:
            _keep_samples(part, counting.matrix_samples(self._samples, k))
        return part

    # A loop could be over names, as for a dict, or over matrices, as for an array.
    __iter__ = None

    def at_prevalence(self, shares: ArrayLike) -> Self:
        """Return the counts at other class sizes, with the same rates within each true class.

        The samples of each true class are weighted so that the class has a given share of the
        total. Values of a metric on two data sets with different class sizes are then
        comparable, if classifiers make the same errors within a class regardless of its size.

        Parameters
        ----------
        shares : array-like of shape (n_classes,)
            Share of each true class, from the lowest to the highest; they add up to 1.

        Returns
        -------
        OrdinalConfusion
            Weighted counts of the same shape and total, with `has_fixed_shares`: the factor of a
            class depends on the number of its samples, so intervals in closed form count only the
            variation within the classes, of clusters and of the differences of systems too. Sums of
            such counts no longer have fixed shares, and their intervals are wider. They cannot be
            resampled, since the factors would differ between resamples.

        Raises
        ------
        ValueError
            If the shares are negative, do not add up to 1, their number differs from the number
            of classes, or a class without samples has a positive share.
        """
        sizes = self.class_counts
        checked_shares = check_shares_for_sizes("shares", shares, sizes, self.labels)
        factors = factors_to_shares(sizes, checked_shares)
        weighted = self._weighted_by_class(factors, has_fixed_shares=True)
        if self._samples is not None and self._samples.group is None:
            # All systems have the same true classes.
            factors = factors.reshape(-1, len(self.scale))[0]
            _keep_samples(weighted, counting.samples_weighted_by_class(self._samples, factors))
        return weighted

    def weighted_by_class(self, factors: NDArray[np.float64]) -> Self:
        """Return the counts with each true class multiplied by its factor.

        Parameters
        ----------
        factors : ndarray of shape (..., n_classes)
            Non-negative factors, from the lowest class to the highest.

        Returns
        -------
        OrdinalConfusion
            Weighted counts of the same shape.
        """
        return self._weighted_by_class(
            checks.check_factors(factors, len(self.scale)), has_fixed_shares=self.has_fixed_shares
        )

    def _weighted_by_class(self, factors: NDArray[np.float64], *, has_fixed_shares: bool) -> Self:
        unanswered = None if self.unanswered is None else self.unanswered * factors
        numbers, squares = self._known_sample_counts(), self._known_squared_weights()
        if numbers is not None:
            numbers = numbers * (factors > 0)[..., None]
        if squares is not None:
            squares = squares * factors[..., None] ** 2
        return replace(
            self,
            counts=arithmetic.read_only(self.counts * factors[..., None]),
            is_weighted=True,
            unanswered=unanswered,
            sample_counts=numbers,
            squared_weights=squares,
            has_fixed_shares=has_fixed_shares,
        )

    def __add__(self, other: OrdinalConfusion) -> Self:
        if not isinstance(other, OrdinalConfusion):
            checks.raise_cannot_be_added(self, other)
        scales.check_same_scale(self.scale, other.scale)
        _check_no_design([self, other])
        if self.groups != other.groups:
            raise ValueError(
                f"groups must be the same in the same order to add stacks, got "
                f"{checks.listed(self.groups)} and {checks.listed(other.groups)}: add their "
                "pooled() matrices."
            )
        is_weighted = self.is_weighted or other.is_weighted
        unanswered = None
        if self.unanswered is not None or other.unanswered is not None:
            unanswered = self._n_unanswered + other._n_unanswered
        if not is_weighted:
            amounts = np.concatenate([self.counts, other.counts], axis=-1)
            checks.check_amounts("the sum of the counts", amounts, axis=(-2, -1))
            amounts = np.concatenate([self._n_unanswered, other._n_unanswered], axis=-1)
            checks.check_amounts("the sum of the unanswered", amounts)
        numbers, squares = _combined([self, other], sum) if is_weighted else (None, None)
        counts = self.counts + other.counts
        return type(self)(
            self.scale,
            counts,
            is_weighted,
            unanswered,
            self.groups,
            numbers,
            squares,
            has_systems=self.has_systems or other.has_systems,
            has_soft_labels=self.has_soft_labels or other.has_soft_labels,
        )

    __radd__ = checks.added_to_zero

    @property
    def _n_unanswered(self) -> Counts:
        if self.unanswered is None:
            return np.zeros(self.counts.shape[:-1], dtype=self.counts.dtype)
        return self.unanswered

    def _with_unanswered(self) -> Counts:
        """Return the counts with a last column for unanswered samples."""
        return np.concatenate([self.counts, self._n_unanswered[..., None]], axis=-1)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Counts:
        if copy is False:
            return np.asarray(self.counts, dtype=dtype)
        return np.array(self.counts, dtype=dtype)

    def __repr__(self) -> str:
        if self.counts.ndim > 2:
            stack = " x ".join(map(str, self.counts.shape[:-2]))
            kind = "systems" if self.has_systems else "groups"
            groups = f" and the {kind} {checks.listed(self.groups)}" if self.groups else ""
            if self.has_systems and not self.groups:
                groups = " of several systems"
            return (
                f"OrdinalConfusion, stack of {stack} over the classes {self.labels.tolist()}"
                f"{groups}{self._drawn_in_words()}"
            )
        names = [checks.printable(str(label)) for label in self.labels.tolist()]
        number = "{:.6g}" if self.counts.dtype.kind == "f" else "{}"
        cells = [[number.format(cell) for cell in row] for row in self.counts.tolist()]
        width = max(map(len, [*names, *(cell for row in cells for cell in row)]))
        lines = ["".join(f"{text:>{width + 2}}" for text in row) for row in [names, *cells]]
        margin = max(map(len, names))
        rows = [f"{name:>{margin}}{line}" for name, line in zip(["", *names], lines, strict=True)]
        total = number.format(self.counts.sum().item())
        unit = "total weight" if self.is_weighted else "samples"
        size = f"{total} {unit}"
        missing = None if self.unanswered is None else self.unanswered.sum().item()
        if self.has_soft_labels:
            of_samples = "" if self.n_samples is None else f" of {self.n_samples} samples"
            size = f"soft labels{of_samples} with a {unit} of {total}"
        if self.sample_counts is not None and not self.has_soft_labels:
            *answered, unanswered = self.sample_counts.sum(axis=0).tolist()
            size = f"{sum(answered)} samples with a {unit} of {total}"
            if missing is not None:
                size += f" and {unanswered} unanswered with one of {number.format(missing)}"
        elif missing is not None:
            size += f" and {number.format(missing)} unanswered"
        size += self._drawn_in_words()
        return "\n".join([f"OrdinalConfusion of {size}, rows true, columns predicted", *rows])

    def _drawn_in_words(self) -> str:
        if not has_design(self):
            return ""
        if self._samples is None:
            nouns = {"clusters": self.is_clustered, "strata": self.is_stratified}
            names = " and ".join(noun for noun, is_known in nouns.items() if is_known)
            return f" in {names} that were not kept"
        return sampling.drawn_in_words(self._samples.cluster, self._samples.stratum)


def _confusion_of_columns(
    kind: type[AnyConfusion],
    columns: Mapping[str, Any],
    by: ArrayLike | None,
    **reading: Unpack[SampleReadingOptions],
) -> AnyConfusion:
    """Return the counts of true and predicted classes, which errors name by the keys."""
    answers = counting.read_answers(columns, by=by, **reading)
    drawn_with = reading.get("clusters"), reading.get("strata")
    if by is not None:
        group, groups = scales.encode_values(by, len(answers.encoded.columns[0]), "by")
        samples = counting.counted_samples(answers, *drawn_with)
        samples = samples._replace(group=group[samples.has_weight])
        return _confusion_with_samples(kind, samples, groups)
    is_clustered, is_stratified = (numbers is not None for numbers in drawn_with)
    confusion = kind(
        *counting.counted(answers), is_clustered=is_clustered, is_stratified=is_stratified
    )
    if answers.weight is not None or has_design(confusion):
        _keep_samples(confusion, counting.counted_samples(answers, *drawn_with))
    return confusion


def joint_confusion(
    kind: type[AnyConfusion],
    y_true: TrueClasses,
    predictions: Mapping[str, Any],
    names: tuple[str, ...],
    **reading: Unpack[SampleReadingOptions],
) -> AnyConfusion:
    """Return the counts of systems, with their samples; errors name systems by the keys."""
    if containers.is_soft(y_true):
        samples, _ = sampling.counted_rows(
            sampling.read_soft_labels(y_true), predictions, **reading
        )
        return _confusion_with_samples(kind, samples, names)
    answers = counting.read_answers({"y_true": y_true, **predictions}, **reading)
    return _confusion_with_samples(
        kind,
        counting.counted_samples(answers, reading.get("clusters"), reading.get("strata")),
        names,
    )


def _confusion_with_samples(
    kind: type[AnyConfusion], samples: CountedSamples, names: tuple[Any, ...]
) -> AnyConfusion:
    """Return the counts of each system, or of each group of one system, and their samples."""
    n_classes, n_columns = len(samples.scale), samples.n_columns
    matrix = np.arange(len(samples.cells))[:, None] if samples.group is None else samples.group
    cells = (matrix * samples.n_cells + samples.cells).ravel()
    shape = len(names), n_classes, n_columns

    def sums(amounts: NDArray[np.float64] | None) -> Counts:
        return np.bincount(cells, amounts, np.prod(shape)).reshape(shape)

    counts = numbers = sums(None)
    sample_counts = squared_weights = None
    if samples.is_weighted:
        weight = np.tile(samples.weight, len(samples.cells))
        counts = sums(weight)
        all_columns = (0, 0), (0, 0), (0, n_classes + 1 - n_columns)
        sample_counts = np.pad(numbers, all_columns)
        squared_weights = np.pad(sums(weight**2), all_columns)
    confusion = kind(
        samples.scale,
        counts[..., :n_classes],
        samples.is_weighted,
        counts[..., n_classes] if samples.has_unanswered else None,
        names,
        sample_counts,
        squared_weights,
        is_clustered=samples.cluster is not None,
        is_stratified=samples.stratum is not None,
        has_systems=samples.group is None,
        has_soft_labels=samples.item is not None,
    )
    _keep_samples(confusion, samples)
    return confusion


def systems_on_members(confusion: OrdinalConfusion, members: NDArray[np.bool_]) -> OrdinalConfusion:
    """Return the counts of systems on some of the samples, including those of weight zero."""
    samples = confusion._samples
    assert samples is not None
    part = counting.some_samples(samples, members[samples.has_weight])
    return _confusion_with_samples(type(confusion), part, confusion.groups)


def _item_counts(confusion: OrdinalConfusion) -> Any:
    """Return the number of samples with soft labels of each matrix, from the counted samples."""
    samples, stack = confusion._samples, confusion.counts.shape[:-2]
    assert samples is not None
    if samples.group is not None:
        return samples.item_counts(samples.group, *stack)
    (n_items,) = samples.item_counts(np.zeros_like(samples.item), 1).tolist()
    return np.full(stack, n_items) if stack else n_items


def _keep_samples(confusion: OrdinalConfusion, samples: CountedSamples) -> None:
    """Attach samples to the counts that were made from them, as read-only arrays."""
    arrays: dict[str, Any] = {
        name: arithmetic.read_only(value)
        for name, value in samples._asdict().items()
        if isinstance(value, np.ndarray)
    }
    object.__setattr__(confusion, "_samples", samples._replace(**arrays))


def _have_equal_samples(first: CountedSamples | None, other: CountedSamples | None) -> bool:
    """Return whether resamples of both are the same, whatever the order of the samples."""
    if first is None or other is None:
        return first is other
    return np.array_equal(_sorted_samples(first), _sorted_samples(other))


def _sorted_samples(samples: CountedSamples) -> NDArray[np.float64]:
    """Return the cells, weight, units and group of each sample as a column, in one order."""
    facts = [*samples.cells, samples.weight, samples.cluster, samples.stratum, samples.group]
    columns = np.array([fact for fact in facts if fact is not None], dtype=np.float64)
    return columns[:, np.lexsort(columns)]


def _have_common_samples(confusions: Sequence[OrdinalConfusion]) -> bool:
    """Return whether some matrices are of systems that `from_systems` counted together."""
    # The matrices of such systems share the memory of the weights, unless they are copies.
    weights = [c._samples.weight.ctypes.data for c in confusions if c._samples is not None]
    return len(set(weights)) < len(weights)


def shared_result(confusion: OrdinalConfusion, compute: Callable[[Counts], T]) -> T:
    """Return the result of a function of the counts, computed once for these counts."""
    if compute not in confusion._shared:
        confusion._shared[compute] = compute(confusion.counts)
    result: T = confusion._shared[compute]
    return result


def samples_counted_in(confusion: OrdinalConfusion) -> CountedSamples | None:
    """Return the counted samples, None if cells of samples that were drawn one by one suffice."""
    return confusion._samples


def has_design(confusion: OrdinalConfusion) -> bool:
    """Whether samples were drawn in clusters or from strata."""
    return confusion.is_clustered or confusion.is_stratified


def numbers_of_units(evidence: Any) -> dict[str, Any]:
    """Return the number of clusters, the name of their column, and the number of strata.

    Only samples of positive weight count. The numbers are None without clusters, or strata.
    """
    samples: Any = evidence._samples if isinstance(evidence, OrdinalConfusion) else evidence
    if isinstance(samples, CountedSamples):
        has_weight, item, name = ..., samples.item, samples.cluster_name
        units = samples.cluster, samples.stratum
    elif sampling.has_design(samples):
        has_weight, item, name = samples.weights > 0, samples._item, samples._cluster_name
        units = sampling.drawn_with(samples)
    else:
        return {"n_clusters": None, "cluster_name": "", "n_strata": None}
    n_clusters, n_strata = (None if of is None else len(np.unique(of[has_weight])) for of in units)
    # The rows of an item with soft labels are drawn together, but are a single sample.
    if item is not None and n_clusters == len(np.unique(item[has_weight])):
        n_clusters, name = None, ""
    return {"n_clusters": n_clusters, "cluster_name": name, "n_strata": n_strata}


def check_has_items(confusion: OrdinalConfusion, name: str = "confusion") -> None:
    """Raise if the counts add up soft labels, so that they cannot have intervals."""
    if confusion.has_soft_labels and confusion._samples is None:
        raise ValueError(
            f"{name} must tell which shares belong to the same item, but counts of soft labels "
            f"hold no items: pass y_soft and y_pred in place of the counts, or count them with "
            f"OrdinalConfusion.from_predictions."
        )


def cell_amounts(confusion: OrdinalConfusion) -> tuple[Values, Values, Values] | None:
    """Return the weight, the number and the squared weights of the samples in each cell.

    Each has shape (..., n_classes, n_classes + 1), the last column for unanswered samples. None if
    the counts do not tell the numbers or the squared weights.
    """
    numbers, squares = confusion._known_sample_counts(), confusion._known_squared_weights()
    if numbers is None or squares is None:
        return None
    return cell_weights(confusion), numbers.astype(np.float64), squares


def cell_weights(confusion: OrdinalConfusion) -> Values:
    """Return the weight of the samples in each cell: (..., n_classes, n_classes + 1).

    The last column is for unanswered samples.
    """
    return confusion._with_unanswered().astype(np.float64, copy=False)


def with_arrays(
    confusion: AnyConfusion, change: Callable[[NDArray[Any]], NDArray[Any]], **facts: Any
) -> AnyConfusion:
    """Return counts without their samples, with a change of the leading axes of all arrays."""
    names = "counts", "unanswered", "sample_counts", "squared_weights"
    arrays = {name: getattr(confusion, name) for name in names}
    changed: dict[str, Any] = {
        name: array if array is None else change(array) for name, array in arrays.items()
    }
    return replace(confusion, **changed, **facts)


def without_samples(confusion: OrdinalConfusion) -> OrdinalConfusion:
    """Return the counts without their samples, for results that are not resampled again."""
    return confusion if confusion._samples is None else replace(confusion)


def _check_no_design(confusions: Sequence[OrdinalConfusion]) -> None:
    """Raise if samples are in clusters or strata, which sums and stacks of counts would lose."""
    for confusion in confusions:
        if has_design(confusion):
            raise ValueError(
                "confusions must not have clusters or strata to be added, stacked or pooled, since "
                "these may have samples in several of them: count all samples at once with "
                "OrdinalConfusion.from_predictions."
            )


def _combined(
    confusions: Sequence[OrdinalConfusion], combine: Callable[[list[Any]], Any]
) -> tuple[NDArray[np.int64] | None, Values | None]:
    """Stack or add up numbers of samples and squared weights, None unless known for all counts."""
    numbers = [confusion._known_sample_counts() for confusion in confusions]
    squares = [confusion._known_squared_weights() for confusion in confusions]
    return (
        None if any(array is None for array in numbers) else combine(numbers),
        None if any(array is None for array in squares) else combine(squares),
    )


def _widest(counts: Counts) -> Counts:
    """Return int64 or float64, in which sums of narrow integers cannot overflow."""
    return arithmetic.owned(counts, np.float64 if counts.dtype.kind == "f" else np.int64)


def check_one_matrix(confusion: OrdinalConfusion, *, may_be_unanswered: bool = False) -> None:
    """Raise unless the counts are a single matrix of at least one sample."""
    if not isinstance(confusion, OrdinalConfusion):
        raise ValueError(
            f"confusion must be an OrdinalConfusion, got {type(confusion).__name__}: "
            f"make one with OrdinalConfusion.from_counts."
        )
    if confusion.counts.ndim != 2:
        name = repr(confusion.groups[0]) if confusion.groups else "0"
        way_out = f"take one, as in confusion[{name}]"
        # Pooling the counts of systems would count each sample several times.
        if not confusion.has_systems:
            way_out += ", or add them up with pooled()"
        raise ValueError(
            f"confusion must hold one matrix, got a stack of shape {confusion.counts.shape}"
            f"{' of several systems' if confusion.has_systems else ''}: {way_out}."
        )
    if confusion.counts.any() or (may_be_unanswered and n_unanswered(confusion)):
        return
    condition = " with a prediction" if n_unanswered(confusion) else ""
    raise ValueError(f"confusion must hold at least one sample{condition}.")


def n_unanswered(confusion: OrdinalConfusion) -> float:
    """Return the total number, or weight, of samples without a prediction."""
    amount: float = 0 if confusion.unanswered is None else confusion.unanswered.sum().item()
    return amount
