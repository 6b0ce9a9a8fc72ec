"""The kinds of evidence: labels, rows of labels, probabilities, scores, ratings and estimators.

Evidence answers questions about existing data. A kind answers questions that arise before there
is data: how to make evidence from what a user or an estimator returns, which evidence suffices
for a metric, and how to call its function.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    confusion_counts,
    containers,
    counting,
    forecasting,
    grading,
    influence_functions,
    resampling,
    sampling,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts, Statistic, Values
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import (
    Criterion,
    DrawnSamples,
    EntryAmounts,
    EntryInfluences,
    Evidence,
    Influence,
)
from sklearn_ordinal._core.resampling import Resampling, Rows
from sklearn_ordinal._core.scales import OrdinalScale

# What a kind of evidence answers, with the answers that suffice for most evidence of samples
# -------------------------------------------------------------------------------------------

Respond = Callable[[str], Any]
"""A function that returns the response of a method of an estimator, given its name."""
_REASON_IF_UNDEFINED = "see the documentation of the metric for when that is"


class TestedFold(Protocol):
    """A fitted estimator, and the samples that it is tested on."""

    @property
    def fitted(self) -> Any:
        """The fitted estimator."""

    @property
    def X(self) -> Any:  # noqa: N802 - the name of scikit-learn
        """Features."""

    @property
    def y(self) -> Any:
        """True classes."""

    @property
    def y_pred(self) -> Any:
        """Predicted classes."""

    @property
    def weight(self) -> NDArray[np.float64] | None:
        """Sample weights, None if all samples count the same."""


class Kind:
    """The kind of evidence that a metric is computed from. Each kind has a single instance."""

    name: ClassVar[str]
    """Name in saved files. Different kinds may share a name, so compare the objects."""
    noun: ClassVar[str]
    """The name of the predictions in messages."""
    title: ClassVar[str]
    """Title of a table of metrics of this kind."""
    inputs: ClassVar[str]
    """Description of the predictions that users may pass."""
    argument: ClassVar[str | None] = None
    """The argument that holds the predictions."""
    truth: ClassVar[str] = "y_true"
    """The argument that holds the true classes, or evidence in place of all arguments."""
    accepts: ClassVar[tuple[type, ...]] = ()
    """The classes of evidence that suffice, starting with its own."""
    methods: ClassVar[tuple[str, ...]] = ()
    """Methods of an estimator that return the predictions, in order of preference."""
    own_properties: ClassVar[frozenset[str]] = frozenset()
    """Properties of metrics that have no meaning for some other kinds."""
    reads_labels: ClassVar[bool] = False
    """Whether metrics are functions of labels, and may put the labels in an order of their own."""
    takes_stacks: ClassVar[bool] = True
    """Whether a statistic evaluates a stack in one call, and not one matrix after the other."""
    takes_differences: ClassVar[bool] = False
    """Whether influences can be computed from differences, for metrics without a gradient."""
    stack_hint: ClassVar[str] = ""
    """Text for messages: an example of a stack, and an expression that keeps its leading axis."""

    # How messages refer to evidence, and to its constructors.
    _evidence: ClassVar[str] = "evidence"
    _constructors: ClassVar[str] = "its constructors"

    _instance: ClassVar[Kind]

    def __new__(cls) -> Kind:
        # Return the only instance, also when unpickling.
        if "_instance" not in vars(cls):
            cls._instance = super().__new__(cls)
        return cls._instance

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return type(self).__name__.removeprefix("_").upper()

    def fits(self, shape: tuple[int, ...]) -> bool:  # noqa: ARG002
        """Whether "all" includes the metrics of this kind, for an array of predictions."""
        return False

    def read(
        self,
        y_true: ArrayLike,  # noqa: ARG002 - some evidence is not made from two columns
        predicted: ArrayLike,  # noqa: ARG002
        **reading: Any,  # noqa: ARG002
    ) -> Evidence:
        """Return evidence from true classes and predictions, with options such as `labels`."""
        raise ValueError(
            f"{self.noun} are not read from two columns: pass {self.accepts[0].__name__}."
        )

    def of_estimator(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        respond: Respond | None = None,
        labels: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Any:
        """Return evidence from the responses of a fitted estimator.

        `respond` returns the response of a method, given its name. If None, the method is called.
        """
        respond = respond or (lambda method: getattr(estimator, method)(X))
        return self._of_responses(
            estimator, respond, y_true, labels=labels, sample_weight=sample_weight
        )

    def _of_responses(
        self,
        estimator: Any,
        respond: Respond,
        y_true: ArrayLike,
        *,
        labels: Any,
        sample_weight: ArrayLike | None,
    ) -> Evidence:
        if not self.methods:
            raise ValueError(
                f"{self.noun} are not predicted by an estimator: pass evidence in place of it."
            )
        available = [name for name in self.methods if hasattr(estimator, name)]
        predicted = respond((available or self.methods[-1:])[0])
        return self.read(y_true, predicted, labels=labels, sample_weight=sample_weight)

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> Evidence:
        """Return one perfectly predicted sample of each class, for trying out statistics."""
        raise NotImplementedError

    def pick(self, available: Iterable[Evidence | None]) -> Any:
        """Return the first evidence that suffices, or None."""
        for part in available:
            if isinstance(part, self.accepts):
                return part
        return None

    def units(
        self,
        systems: Sequence[Any],
        metrics: Sequence[Criterion] = (),  # noqa: ARG002 - few metrics merge units
    ) -> Resampling:
        """Return the units to resample of one system, or of several on the same samples.

        Units that none of the metrics tells apart may be of the same kind, if there are metrics.
        """
        return Rows.from_systems(systems)

    def check_one(self, evidence: Any) -> None:
        """Raise if evidence is a stack."""
        stack = evidence.weights.shape[:-1]
        if stack:
            raise ValueError(
                f"evidence must have one weight for each sample, got a stack of shape {stack}: "
                f"pass one part of it."
            )

    def amount(self, evidence: Any) -> float:
        """Return the number of samples, or their total weight."""
        amount: float = evidence.weights.sum().item()
        return amount

    def accepted(self, evidence: Evidence, name: str) -> Any:
        """Return the evidence that a metric of this name needs, or raise."""
        if isinstance(evidence, self.accepts[0]):
            return evidence
        return self._refuse(evidence, name, self._constructors)

    def _refuse(self, evidence: Evidence, name: str, constructors: str) -> NoReturn:
        raise ValueError(
            f"{self._evidence} must be {checks.with_article(self.accepts[0].__name__)} for {name}, "
            f"got {type(evidence).__name__}: make one with {constructors}."
        )

    def evaluate(
        self,
        statistic: Statistic,
        y_true: ArrayLike,
        predicted: ArrayLike,
        labels: Any,
        sample_weight: ArrayLike | None,
    ) -> float:
        """Return the statistic of the evidence of predictions, NaN if it is undefined."""
        evidence = self.read(y_true, predicted, labels=labels, sample_weight=sample_weight)
        return float(statistic(evidence))

    def values(self, metric: Criterion, evidence: Any) -> Any:
        """Return the values of a metric for accepted evidence, NaN where undefined."""
        return metric.statistic(evidence)

    def influence(self, metric: Criterion, evidence: Any) -> Any:
        """Return how much one more sample like each sample moves the value: (..., n_samples)."""
        if metric.gradient is None:
            raise ValueError(
                f"{metric.name} has no influences, since its derivatives by the weights of samples "
                f"are not known: has_influence says which metrics have them."
            )
        influences: Values = arithmetic.read_only(
            self.entry_influences([metric], evidence).influences[0]
        )
        return influences

    def entry_influences(self, metrics: Sequence[Criterion], evidence: Any) -> EntryInfluences:
        """Return the influences on metrics, which count the same entries of the evidence."""
        values = np.array([self.values(metric, evidence) for metric in metrics], dtype=np.float64)
        influences = influence_functions.sample_influences(metrics, values, evidence)
        return EntryInfluences(values, influences, np.ones(influences.shape[-1], dtype=np.bool_))

    def entry_amounts(self, evidence: Any) -> EntryAmounts:
        """Return the weights and numbers of the samples in each entry, or raise if not known."""
        return EntryAmounts.of_weights(evidence.weights)

    def entry_classes(self, evidence: Any) -> NDArray[np.intp]:
        """Return the position of the true class of each entry: (n_entries,)."""
        positions: NDArray[np.intp] = evidence.y_true
        return positions

    def drawn(self, systems: Sequence[Any]) -> DrawnSamples:
        """Return the samples of one system, or of several on the same samples."""
        has_weight, (clusters, strata) = systems[0].weights > 0, sampling.drawn_with(systems[0])
        if has_weight.ndim > 1:
            raise ValueError(
                f"evidence must have one weight for each sample if samples are in clusters or "
                f"strata, got a stack of shape {has_weight.shape[:-1]}: pass one part of it."
            )
        (rows,) = has_weight.nonzero()
        cluster = None if clusters is None else np.unique(clusters[rows], return_inverse=True)[1]
        stratum = None if strata is None else strata[rows]
        entry = np.tile(rows, (len(systems), 1))
        return DrawnSamples(entry, systems[0].weights[rows], cluster, has_weight, stratum)

    def on_members(self, systems: Sequence[Any], members: NDArray[np.bool_]) -> tuple[Any, ...]:
        """Return systems on some of their samples."""
        return tuple(sampling.designed_part(system, members) for system in systems)

    def with_groups_as_clusters(self, stack: Any) -> tuple[Any, DrawnSamples]:
        """Return all samples of the groups of a stack, each group of which is a cluster."""
        pooled = stack.reweighted(stack.weights.sum(axis=0))
        drawn = self.drawn([pooled])
        cluster = np.unique(stack.group[drawn.has_weight], return_inverse=True)[1]
        return pooled, drawn._replace(cluster=cluster)

    def has_design(self, evidence: Any) -> bool:
        """Whether samples were drawn in clusters or from strata."""
        return sampling.has_design(evidence)

    def stack_shape(self, evidence: Any) -> tuple[int, ...]:
        """Return the shape of a stack, () if the evidence is not a stack."""
        shape: tuple[int, ...] = evidence.weights.shape[:-1]
        return shape

    def unanswered(self, evidence: Any) -> Values | None:  # noqa: ARG002
        """Return the samples without a prediction in each part of a stack, None if not counted."""
        return None

    def score(
        self, metric: Criterion, y_true: ArrayLike, predicted: ArrayLike, **reading: Any
    ) -> float:
        """Return the value for predictions, NaN where it is undefined."""
        value: float = metric(self.read(y_true, predicted, **reading))
        return value

    def value(
        self, metric: Criterion, y_true: ArrayLike, predicted: ArrayLike, **reading: Any
    ) -> float:
        """Return the value for predictions, NaN with a warning where it is undefined."""
        value = self.score(metric, y_true, predicted, **reading)
        return checks.or_undefined(value, math.nan, metric.name, _REASON_IF_UNDEFINED)

    def of_fold(self, metric: Criterion, fold: TestedFold) -> float | None:
        """Return the value if it must be computed on the fold itself, None if evidence suffices."""
        if metric.scorer is None:
            return None
        return metric.scorer(fold.fitted, fold.X, fold.y)

    def counts_unanswered(self, metric: Criterion) -> bool:  # noqa: ARG002
        """Whether samples without a prediction count as errors."""
        return False

    def takes_weights(self, metric: Criterion) -> bool:  # noqa: ARG002
        """Whether a metric can be evaluated with sample weights."""
        return True


# Functions of samples get one row for each sample.
_MOST_ROWS = 10**8


class _OfCounts(Kind):
    """Base class of the kinds whose evidence is an `OrdinalConfusion`."""

    name = "labels"
    noun = "predicted classes"
    title = "Criteria of predicted classes"
    inputs = "predicted classes"
    argument = "y_pred"
    accepts = (OrdinalConfusion,)
    methods = ("predict",)
    own_properties = frozenset({"symmetric", "counts unanswered"})
    _evidence = "confusion"
    _constructors = "OrdinalConfusion.from_predictions or from_counts"

    def read(self, y_true: ArrayLike, predicted: ArrayLike, **reading: Any) -> OrdinalConfusion:
        return OrdinalConfusion.from_predictions(y_true, predicted, **reading)

    def units(
        self,
        systems: Sequence[OrdinalConfusion],
        metrics: Sequence[Criterion] = (),  # noqa: ARG002
    ) -> Resampling:
        # One confusion matrix holds the counts of all systems.
        (confusion,) = systems
        confusion_counts.check_has_items(confusion)
        if confusion.has_fixed_shares:
            raise ValueError(
                "confusion must not be weighted to given shares to be resampled, since the factors "
                "of the classes would differ between resamples: use delta_interval or "
                "method='delta', or pass the counts before at_prevalence."
            )
        return resampling.system_units(confusion)

    def check_one(self, evidence: OrdinalConfusion) -> None:
        confusion_counts.check_one_matrix(evidence, may_be_unanswered=True)

    def amount(self, evidence: OrdinalConfusion) -> float:
        amount: float = evidence.counts.sum().item() + confusion_counts.n_unanswered(evidence)
        return amount

    def accepted(self, evidence: Evidence, name: str) -> OrdinalConfusion:
        if isinstance(evidence, OrdinalConfusion):
            return evidence
        constructors = self._constructors
        if isinstance(evidence, OrdinalForecasts):
            constructors = "to_confusion, which returns soft counts"
        return self._refuse(evidence, name, constructors)


class _Labels(_OfCounts):
    takes_differences = True
    stack_hint = "counts of shape (2, 3, 3), as sums over axis=(-2, -1) do"

    def fits(self, shape: tuple[int, ...]) -> bool:
        return not _has_columns(shape)

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalConfusion:
        counts = np.eye(len(scale))
        return OrdinalConfusion(scale, np.broadcast_to(counts, (*stack, *counts.shape)))

    def score(
        self, metric: Criterion, y_true: ArrayLike, predicted: ArrayLike, **reading: Any
    ) -> float:
        if containers.is_soft(y_true):
            return super().score(metric, y_true, predicted, **reading)
        # An OrdinalConfusion takes longer than counting a few hundred samples.
        value = counting.evaluate(metric.statistic, y_true, predicted, **reading)
        if math.isnan(value):
            return float(metric.options.get("replace_undefined_by", math.nan))
        return value

    def values(self, metric: Criterion, evidence: OrdinalConfusion) -> Any:
        options: dict[str, Any] = {}
        unanswered = self._counted_unanswered(metric, evidence)
        if unanswered is not None:
            options["unanswered"] = unanswered
        if arithmetic.has_shared(metric.statistic):
            options["shared"] = partial(confusion_counts.shared_result, evidence)
        return metric.statistic(evidence.counts, **options)

    def influence(self, metric: Criterion, evidence: OrdinalConfusion) -> Influence:
        values = np.asarray(self.values(metric, evidence), dtype=np.float64)[None]
        unanswered = self._counted_unanswered(metric, evidence)
        by_column = influence_functions.cell_influences(
            [metric], values, evidence.counts, unanswered, everywhere=True
        )
        n_classes = len(evidence.scale)
        return Influence(
            arithmetic.read_only(by_column[0, ..., :n_classes]),
            None if unanswered is None else arithmetic.read_only(by_column[0, ..., n_classes]),
        )

    def entry_influences(
        self, metrics: Sequence[Criterion], evidence: OrdinalConfusion
    ) -> EntryInfluences:
        values = np.array([self.values(metric, evidence) for metric in metrics], dtype=np.float64)
        unanswered = self._counted_unanswered(metrics[0], evidence)
        by_column = influence_functions.cell_influences(
            metrics, values, evidence.counts, unanswered
        )
        n_classes = len(evidence.scale)
        is_counted = np.ones((n_classes, n_classes + 1), dtype=np.bool_)
        if unanswered is None:
            is_counted[:, n_classes] = False
            no_influence = np.zeros((*by_column.shape[:-1], 1))
            by_column = np.concatenate([by_column, no_influence], axis=-1)
        influences = by_column.reshape(*values.shape, is_counted.size)
        counted_cells = metrics[0].counted_cells(n_classes)
        if counted_cells is not None:
            # The influence on the share of these samples, as if there were no others.
            is_counted[:, :n_classes] = counted_cells
            total = evidence.counts.sum(axis=(-2, -1))
            counted = evidence.counts[..., counted_cells].sum(axis=-1)
            share = arithmetic.divide(counted, total)[..., None]
            # Elsewhere there are only rounding errors.
            influences = np.where(is_counted.ravel(), influences * share, 0)
        if evidence.has_fixed_shares:
            weights = _entry_weights(evidence)
            influences = influence_functions.within_classes(influences, weights, n_classes)
        return EntryInfluences(values, influences, is_counted.ravel())

    def entry_amounts(self, evidence: OrdinalConfusion) -> EntryAmounts:
        confusion_counts.check_has_items(evidence)
        amounts = confusion_counts.cell_amounts(evidence)
        if amounts is None:
            raise ValueError(
                "confusion must hold the number and the squared weights of the samples in each "
                "cell, which floats do not tell, since they may be sums of weights: pass numbers "
                "of samples as integers, count the samples with OrdinalConfusion.from_predictions "
                "or OrdinalConfusion.from_table, or pass sample_counts and squared_weights to "
                "OrdinalConfusion."
            )
        weights, numbers, squares = (part.reshape(*part.shape[:-2], -1) for part in amounts)
        # Samples of the same weight have squares that add up to as little as possible.
        mean = arithmetic.divide(weights, numbers)
        is_known = squares <= (1 + tolerances.SUMS_OF_SQUARES) * weights * mean
        with np.errstate(over="ignore", under="ignore"):
            fourths = np.where(numbers > 0, np.where(is_known, numbers * mean**4, np.nan), 0)
        return EntryAmounts(numbers, weights, squares, fourths)

    def entry_classes(self, evidence: OrdinalConfusion) -> NDArray[np.intp]:
        n_classes = len(evidence.scale)
        return np.arange(n_classes).repeat(n_classes + 1)

    def drawn(self, systems: Sequence[OrdinalConfusion]) -> DrawnSamples:
        # One confusion matrix holds the counts of all systems.
        (confusion,) = systems
        confusion_counts.check_has_items(confusion)
        samples = confusion_counts.samples_counted_in(confusion)
        if samples is None or samples.group is not None:
            raise ValueError(
                "confusion must hold samples that were drawn one by one, or one matrix with its "
                "samples, but these counts do not tell their clusters or strata: pass what "
                "OrdinalConfusion.from_predictions returns for all samples, without by=, or one "
                "part of it, as in confusion[name]."
            )
        n_classes = len(samples.scale)
        true, predicted = np.divmod(samples.cells, samples.n_columns)
        entry = true * (n_classes + 1) + np.minimum(predicted, n_classes)
        cluster = None if samples.cluster is None else samples.cluster.astype(np.intp)
        return DrawnSamples(entry, samples.weight, cluster, samples.has_weight, samples.stratum)

    def on_members(
        self, systems: Sequence[OrdinalConfusion], members: NDArray[np.bool_]
    ) -> tuple[OrdinalConfusion, ...]:
        (confusion,) = systems
        return (confusion_counts.systems_on_members(confusion, members),)

    def with_groups_as_clusters(
        self, stack: OrdinalConfusion
    ) -> tuple[OrdinalConfusion, DrawnSamples]:
        confusion_counts.check_has_items(stack)
        weights = _entry_weights(stack)
        cluster, entry = weights.nonzero()
        weight = weights[cluster, entry]
        has_weight = np.ones(len(weight), dtype=np.bool_)
        return stack.pooled(), DrawnSamples(entry[None], weight, cluster, has_weight)

    def has_design(self, evidence: OrdinalConfusion) -> bool:
        return confusion_counts.has_design(evidence)

    def stack_shape(self, evidence: OrdinalConfusion) -> tuple[int, ...]:
        return evidence.counts.shape[:-2]

    def unanswered(self, evidence: OrdinalConfusion) -> Values | None:
        return None if evidence.unanswered is None else evidence.unanswered.sum(axis=-1)

    def _counted_unanswered(self, metric: Criterion, evidence: OrdinalConfusion) -> Counts | None:
        """Return the unanswered samples, None if there are none or the metric leaves them out."""
        is_counted = evidence.unanswered is not None and self.counts_unanswered(metric)
        return evidence.unanswered if is_counted else None

    def counts_unanswered(self, metric: Criterion) -> bool:
        return "unanswered" in inspect.signature(metric.statistic).parameters


def _entry_weights(confusion: OrdinalConfusion) -> Values:
    """Return the weight of the samples in each entry: (..., n_entries)."""
    weights = confusion_counts.cell_weights(confusion)
    return weights.reshape(*weights.shape[:-2], -1)


class _Rows(_OfCounts):
    """True and predicted labels as they were passed, for functions that need no order.

    For a confusion matrix, the rows are the labels of each cell, repeated by the count of the
    cell.
    """

    reads_labels = True
    takes_stacks = False

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalConfusion:
        counts = np.eye(len(scale), dtype=np.int64)
        return OrdinalConfusion(scale, np.broadcast_to(counts, (*stack, *counts.shape)))

    def values(self, metric: Criterion, evidence: OrdinalConfusion) -> Values:
        counts, stack = evidence.counts, evidence.counts.shape[:-2]
        if evidence.unanswered is not None and self.counts_unanswered(metric):
            # Unanswered samples are passed as predictions of an additional class.
            counts = np.concatenate([counts, evidence.unanswered[..., None]], axis=-1)
        matrices = counts.reshape(-1, *counts.shape[-2:])
        with warnings.catch_warnings():
            if stack:
                # The caller counts the undefined values of a stack, such as resamples.
                warnings.simplefilter("ignore")
            values = [self._matrix_value(metric, matrix, evidence) for matrix in matrices]
        return np.array(values, dtype=np.float64).reshape(stack)

    def _matrix_value(
        self, metric: Criterion, counts: Counts, confusion: OrdinalConfusion
    ) -> float:
        true, pred = np.nonzero(counts)
        if not len(true):
            return math.nan
        labels, predicted, options = confusion.labels, confusion.labels, {}
        if counts.shape[0] < counts.shape[1]:
            predicted, options = np.array([*predicted, None]), {"unanswered": "count"}
        sizes = counts[true, pred]
        # Unweighted counts that are not integers are means over repetitions.
        if confusion.is_weighted or (sizes % 1).any():
            self._check_weights(metric)
            value = metric.statistic(labels[true], predicted[pred], sample_weight=sizes, **options)
            return float(value)
        sizes = np.rint(sizes).astype(np.int64)
        if sizes.sum() > _MOST_ROWS:
            raise ValueError(
                f"{metric.name} is a function of samples, and counts add up to {sizes.sum():,}, "
                f"more than {_MOST_ROWS:,}: pass counts as floats if it takes sample_weight."
            )
        true, pred = np.repeat(true, sizes), np.repeat(pred, sizes)
        return float(metric.statistic(labels[true], predicted[pred], **options))

    def value(
        self,
        metric: Criterion,
        y_true: ArrayLike,
        predicted: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        **reading: Any,  # noqa: ARG002 - the labels need no order
    ) -> float:
        """Return the value for labels as they are passed."""
        if sample_weight is None:
            return float(metric.statistic(y_true, predicted))
        self._check_weights(metric)
        return float(metric.statistic(y_true, predicted, sample_weight=sample_weight))

    def of_fold(self, metric: Criterion, fold: TestedFold) -> float:
        return self.value(metric, fold.y, fold.y_pred, sample_weight=fold.weight)

    def _check_weights(self, metric: Criterion) -> None:
        if not self.takes_weights(metric):
            raise ValueError(
                f"{metric.name} takes no sample_weight, so it cannot be evaluated with weights: "
                f"leave sample_weight out, or use another metric."
            )

    def counts_unanswered(self, metric: Criterion) -> bool:
        # Parameters of this name mean something else in other packages.
        function = getattr(metric.function, "func", metric.function)
        is_ours = (getattr(function, "__module__", None) or "").startswith("sklearn_ordinal.")
        return is_ours and "unanswered" in _parameters(metric)

    def takes_weights(self, metric: Criterion) -> bool:
        return "sample_weight" in _parameters(metric)


def _has_columns(shape: tuple[int, ...]) -> bool:
    """Return whether predictions of a shape are probabilities, with a column for each class."""
    return len(shape) == 2 and shape[1] > 1


def _parameters(metric: Criterion) -> Any:
    assert metric.function is not None
    return inspect.signature(metric.function).parameters


class _Probabilities(Kind):
    name = "probabilities"
    noun = "probabilities"
    title = "Criteria of probabilities"
    inputs = "probabilities of the classes"
    argument = "y_proba"
    accepts = (OrdinalForecasts,)
    methods = ("predict_proba",)
    own_properties = frozenset({"strictly proper"})
    stack_hint = (
        "forecasts with weights of shape (2, 3), as the means that forecasts.mean(values) returns "
        "do"
    )
    _constructors = "OrdinalForecasts.from_probabilities"

    def fits(self, shape: tuple[int, ...]) -> bool:
        return _has_columns(shape)

    def read(self, y_true: ArrayLike, predicted: ArrayLike, **reading: Any) -> OrdinalForecasts:
        return forecasting.read_forecasts(
            OrdinalForecasts, y_true, predicted, copy=False, **reading
        )

    def _of_responses(
        self,
        estimator: Any,
        respond: Respond,
        y_true: ArrayLike,
        *,
        labels: Any,
        sample_weight: ArrayLike | None,
    ) -> OrdinalForecasts:
        """Return the probabilities, whose columns are matched through ``classes_``."""
        name = f"the output of predict_proba of {type(estimator).__name__}"
        scale, true, proba, weight = sampling.read_probabilities(
            y_true, respond("predict_proba"), labels, estimator.classes_, sample_weight, name=name
        )
        proba = sampling.checked_probabilities(proba, name=name)
        is_weighted = sample_weight is not None
        return sampling.from_checked(
            OrdinalForecasts, scale, true, proba, weight, is_weighted=is_weighted
        )

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalForecasts:
        n_classes = len(scale)
        weights = np.ones((*stack, n_classes))
        return OrdinalForecasts(scale, np.arange(n_classes), np.eye(n_classes), weights)


class _Scores(Kind):
    name = "scores"
    noun = "scores"
    title = "Criteria of rankings, by scores or probabilities"
    inputs = "scores, or probabilities of the classes"
    argument = "y_proba"
    accepts = (OrdinalScores, OrdinalForecasts)
    methods = ("predict_proba", "decision_function", "predict")
    stack_hint = (
        "scores with weights of shape (2, 3), as the means that scores.mean(values) returns do"
    )
    _constructors = "OrdinalScores.from_scores"

    def fits(self, shape: tuple[int, ...]) -> bool:
        return _has_columns(shape)

    def read(self, y_true: ArrayLike, predicted: ArrayLike, **reading: Any) -> OrdinalScores:
        return forecasting.read_scores(OrdinalScores, y_true, predicted, copy=False, **reading)

    def _of_responses(
        self,
        estimator: Any,
        respond: Respond,
        y_true: ArrayLike,
        *,
        labels: Any,
        sample_weight: ArrayLike | None,
    ) -> Evidence:
        """Return the probabilities, whose expected positions are scores, or else the scores.

        The scores are the values of a one-dimensional `decision_function`, or else what `predict`
        returns.
        """
        if hasattr(estimator, "predict_proba"):
            return PROBABILITIES._of_responses(
                estimator, respond, y_true, labels=labels, sample_weight=sample_weight
            )
        y_score = None
        if hasattr(estimator, "decision_function"):
            y_score = _decision_values(estimator, respond("decision_function"), y_true, labels)
        if y_score is None:
            y_score = _predicted_scores(estimator, respond("predict"), y_true, labels)
        return OrdinalScores.from_scores(
            y_true, y_score, labels=labels, sample_weight=sample_weight
        )

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalScores:
        n_classes = len(scale)
        scores, weights = np.arange(n_classes, dtype=np.float64), np.ones((*stack, n_classes))
        return OrdinalScores(scale, np.arange(n_classes), scores, weights)

    def accepted(self, evidence: Evidence, name: str) -> OrdinalScores:
        if isinstance(evidence, OrdinalForecasts):
            return evidence.to_scores()
        accepted: OrdinalScores = super().accepted(evidence, name)
        return accepted


def _decision_values(
    estimator: Any, decision: Any, y_true: ArrayLike, labels: Any
) -> NDArray[Any] | None:
    """Return the values of a decision function, turned so that they are higher for higher classes.

    Return None if there is a value for each class.
    """
    values = checks.as_numbers("decision_function", decision)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        return None
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return values
    return in_scale_order(values, _positions("classes_", classes, y_true, labels), classes)


def in_scale_order(
    decision: NDArray[Any], positions: NDArray[Any], classes: ArrayLike
) -> NDArray[Any]:
    """Return one decision value per sample, turned so that it is higher for higher classes.

    The values are higher for later classes of the estimator, whose positions on the scale are
    given. Classes that are strings are in alphabetical order in the estimator.
    """
    steps = np.diff(positions.astype(np.intp))
    if (steps > 0).all():
        return decision
    if (steps < 0).all():
        return -decision
    raise ValueError(
        f"estimator has one decision value per sample for its classes in the order "
        f"{checks.listed(np.asarray(classes))}, not in the order of the scale: fit it to classes "
        f"encoded as integers, from the lowest to the highest."
    )


def _predicted_scores(estimator: Any, y_pred: Any, y_true: ArrayLike, labels: Any) -> NDArray[Any]:
    """Return the positions of predicted classes, or the predictions of a regressor."""
    if not is_regressor(estimator):
        return _positions("y_pred", y_pred, y_true, labels)
    classes = scales.encode_one(y_true, labels, name="y_true")[0].labels
    if classes.dtype.kind not in "biuf" or (np.diff(classes.astype(np.float64)) <= 0).any():
        raise ValueError(
            f"labels must be increasing numbers if the estimator is a regressor, such as "
            f"{type(estimator).__name__}, since its predictions are the scores, got "
            f"{classes.tolist()}."
        )
    return checks.as_numbers("y_pred", y_pred)


def _positions(name: str, values: Any, y_true: ArrayLike, labels: Any) -> NDArray[np.float64]:
    """Return the positions of classes on the scale of the true classes."""
    columns = [containers.read_column(y_true, "y_true"), containers.read_column(values, name)]
    return scales.encode_columns(columns, labels).columns[1].astype(np.float64)


class _Ratings(Kind):
    name = "ratings"
    noun = "ratings"
    title = "Criteria of ratings by several raters"
    inputs = "ratings of items by several raters"
    argument = "ratings"
    truth = "ratings"
    accepts = (OrdinalRatings,)
    stack_hint = "ratings with weights of shape (2, 3), as sums over the patterns do"
    _constructors = "OrdinalRatings.from_ratings or from_table"

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalRatings:
        n_classes = len(scale)
        positions = np.arange(n_classes)
        weights = np.ones((*stack, n_classes))
        patterns = np.stack([positions, positions], axis=1)
        return OrdinalRatings(scale, patterns, positions, ("a", "b"), weights=weights)

    def units(
        self, systems: Sequence[OrdinalRatings], metrics: Sequence[Criterion] = ()
    ) -> Resampling:
        (ratings,) = systems
        is_merged = metrics and all(metric.exchangeable for metric in metrics)
        return grading.item_units(grading.by_class_counts(ratings) if is_merged else ratings)

    def drawn(self, systems: Sequence[OrdinalRatings]) -> DrawnSamples:
        # The entries are the patterns, and the samples are the items.
        first = systems[0]
        weight = item_weights(first)
        (items,) = np.nonzero(weight)
        cluster, stratum = first.clusters, first.strata
        return DrawnSamples(
            np.stack([ratings.pattern[items] for ratings in systems]),
            weight[items],
            None if cluster is None else np.unique(cluster[items], return_inverse=True)[1],
            weight > 0,
            None if stratum is None else stratum[items],
        )

    def entry_influences(
        self, metrics: Sequence[Criterion], evidence: OrdinalRatings
    ) -> EntryInfluences:
        # The entries are the patterns. No coefficient uses items without a grade.
        least = 2 if all(metric.needs_pairable_items for metric in metrics) else 1
        if all(metric.needs_complete_items for metric in metrics):
            least = len(evidence.raters)
        is_used = (evidence.patterns >= 0).sum(axis=1) >= least
        used = evidence.reweighted(np.where(is_used, evidence.weights, 0))
        values, influences, _ = super().entry_influences(metrics, used)
        return EntryInfluences(values, np.where(is_used, influences, 0), is_used)

    def entry_amounts(self, evidence: OrdinalRatings) -> EntryAmounts:
        weight, n_patterns = evidence.sample_weight, len(evidence.patterns)
        if not np.array_equal(evidence.weights, np.bincount(evidence.pattern, weight, n_patterns)):
            raise ValueError(
                "evidence must hold the weights of its items, since other weights of patterns do "
                "not tell the number of items: pass what OrdinalRatings.from_ratings returns."
            )
        weight = np.ones(evidence.n_samples) if weight is None else weight
        with np.errstate(over="ignore", under="ignore"):
            numbers, squares, fourths = (
                np.bincount(evidence.pattern, values, n_patterns).astype(np.float64)
                for values in (weight > 0, weight**2, weight**4)
            )
        return EntryAmounts(numbers, evidence.weights, squares, fourths)


class _Estimator(Kind):
    """A fitted estimator and samples, for scorers that need more than predictions."""

    name = "estimator"
    noun = "the fitted estimator"
    title = "Criteria of fitted estimators"
    inputs = "a fitted estimator"

    def accepted(self, evidence: Evidence, name: str) -> NoReturn:  # noqa: ARG002
        self._refuse_predictions(name)

    def value(
        self,
        metric: Criterion,
        y_true: ArrayLike,  # noqa: ARG002 - always raises
        predicted: ArrayLike,  # noqa: ARG002
        **reading: Any,  # noqa: ARG002
    ) -> NoReturn:
        self._refuse_predictions(metric.name)

    def _refuse_predictions(self, name: str) -> NoReturn:
        raise ValueError(
            f"{name} needs the fitted estimator, not predictions: leave it out, or use a function "
            f"that takes the estimator."
        )

    def takes_weights(self, metric: Criterion) -> bool:  # noqa: ARG002
        return False


LABELS = _Labels()
ROWS = _Rows()
PROBABILITIES = _Probabilities()
SCORES = _Scores()
RATINGS = _Ratings()
ESTIMATOR = _Estimator()

KINDS: list[Kind] = [LABELS, ROWS, PROBABILITIES, SCORES, RATINGS, ESTIMATOR]
"""All kinds. If two kinds have the same name, metrics are defined for the first."""


def own_kind(evidence: Any) -> Kind | None:
    """Return the kind that this evidence belongs to, None if it is not evidence."""
    return next(
        (kind for kind in KINDS if kind.accepts and isinstance(evidence, kind.accepts[0])), None
    )


def kind_of(evidence: Any) -> Kind:
    """Return the kind that this evidence belongs to, once it is known to be evidence."""
    kind = own_kind(evidence)
    assert kind is not None
    return kind


def kinds_in(data: Any) -> tuple[Kind, ...]:
    """Return the kinds of metrics that "all" stands for, given evidence or predictions.

    If there are several systems, the first system decides.
    """
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, (list, tuple)) and data and own_kind(data[0]) is not None:
        data = data[0]
    if own_kind(data) is not None:
        return tuple(kind for kind in KINDS if kind.pick([data]) is not None)
    shape = getattr(data, "shape", None)
    if not isinstance(shape, tuple):
        rows = data if isinstance(data, (list, tuple)) else ()
        shape = (len(rows), *np.shape(rows[0])) if rows else ()
    return tuple(kind for kind in KINDS if kind.fits(shape))


def resampling_units(evidence: Any, metrics: Sequence[Criterion] = ()) -> Resampling:
    """Return the units to resample of one system, or of a tuple of systems on the same samples.

    If metrics are given, units that none of them tells apart may be of the same kind.
    """
    kind, systems = _kind_of_systems(evidence)
    return kind.units(systems, metrics)


def drawn_samples(evidence: Any) -> DrawnSamples:
    """Return the samples of one system, or of a tuple of systems on the same samples."""
    kind, systems = _kind_of_systems(evidence)
    return kind.drawn(systems)


def evidence_on_members(evidence: Any, members: NDArray[np.bool_]) -> Any:
    """Return systems on some of their samples, in the form in which they are passed."""
    kind, systems = _kind_of_systems(evidence)
    part = kind.on_members(systems, members)
    return part if isinstance(evidence, tuple) else part[0]


def _kind_of_systems(evidence: Any) -> tuple[Kind, tuple[Any, ...]]:
    systems = evidence if isinstance(evidence, tuple) else (evidence,)
    kind = kind_of(systems[0])
    return kind, systems


def common_kind(kinds: Collection[Kind]) -> Kind:
    """Return the kind whose evidence suffices for metrics of all kinds, or raise."""
    ordered = [kind for kind in KINDS if kind in kinds]
    for kind in ordered:
        if all(kind.accepts[0] in other.accepts for other in ordered):
            return kind
    first, second, *_ = ordered
    raise ValueError(
        f"metrics must take the same predictions, but some take {first.noun} and others "
        f"{second.noun}: call the function once for each."
    )


def kind_named(name: Any) -> Kind:
    """Return the kind that metrics of this name are defined for, or raise."""
    named = {kind.name: kind for kind in reversed(KINDS) if kind.accepts}
    if isinstance(name, str) and name in named:
        return named[name]
    names = ", ".join(map(repr, sorted(named)))
    raise ValueError(f"evidence must be one of {names}, got {checks.shown(name)}.")


def item_weights(ratings: OrdinalRatings) -> NDArray[np.float64]:
    """Return the weight of each item, 1 without weights; raise if it is not known."""
    RATINGS.entry_amounts(ratings)
    weight = ratings.sample_weight
    return np.ones(ratings.n_samples) if weight is None else weight
