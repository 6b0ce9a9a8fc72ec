"""The kinds of evidence: labels, rows of labels, probabilities, scores, ratings and estimators."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._arrays import divide, read_only
from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._confusion import (
    OrdinalConfusion,
    cell_amounts,
    cell_weights,
    check_has_items,
    check_one_matrix,
    n_unanswered,
    samples_counted_in,
    shared_result,
    systems_on_members,
)
from sklearn_ordinal._core._counting import Counts, Unanswered, Values, count, read_answers
from sklearn_ordinal._core._entries import (
    DrawnSamples,
    EntryAmounts,
    EntryInfluences,
    within_classes,
)
from sklearn_ordinal._core._forecasts import OrdinalForecasts, read_forecasts
from sklearn_ordinal._core._influence import Influence, cell_influences
from sklearn_ordinal._core._kind import Kind, Respond
from sklearn_ordinal._core._protocols import Criterion, Evidence, Resampling, Statistic, TestedFold
from sklearn_ordinal._core._ratings import RATINGS
from sklearn_ordinal._core._responses import estimator_forecasts, estimator_scores
from sklearn_ordinal._core._scale import OrdinalScale
from sklearn_ordinal._core._scores import OrdinalScores, read_scores
from sklearn_ordinal._core._shared_results import has_shared
from sklearn_ordinal._core._units import system_units

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
        check_has_items(confusion)
        if confusion.has_fixed_shares:
            raise ValueError(
                "confusion must not be weighted to given shares to be resampled, since the factors "
                "of the classes would differ between resamples: use delta_interval or "
                "method='delta', or pass the counts before at_prevalence."
            )
        return system_units(confusion)

    def check_one(self, evidence: OrdinalConfusion) -> None:
        check_one_matrix(evidence, may_be_unanswered=True)

    def amount(self, evidence: OrdinalConfusion) -> float:
        amount: float = evidence.counts.sum().item() + n_unanswered(evidence)
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

    def evaluate(
        self,
        statistic: Statistic,
        y_true: ArrayLike,
        predicted: ArrayLike,
        labels: Any,
        sample_weight: ArrayLike | None,
        unanswered: Unanswered = "raise",
    ) -> float:
        # Do not make an OrdinalConfusion, which takes longer than counting a few hundred samples.
        columns = {"y_true": y_true, "y_pred": predicted}
        counts, missing, _ = count(read_answers(columns, labels, sample_weight, unanswered))
        if missing is None:
            return float(statistic(counts))
        return float(statistic(counts, unanswered=missing))

    def values(self, metric: Criterion, evidence: OrdinalConfusion) -> Any:
        options: dict[str, Any] = {}
        unanswered = self._counted_unanswered(metric, evidence)
        if unanswered is not None:
            options["unanswered"] = unanswered
        if has_shared(metric.statistic):
            options["shared"] = partial(shared_result, evidence)
        return metric.statistic(evidence.counts, **options)

    def influence(self, metric: Criterion, evidence: OrdinalConfusion) -> Influence:
        values = np.asarray(self.values(metric, evidence), dtype=np.float64)[None]
        unanswered = self._counted_unanswered(metric, evidence)
        by_column = cell_influences([metric], values, evidence.counts, unanswered, everywhere=True)
        n_classes = len(evidence.scale)
        return Influence(
            read_only(by_column[0, ..., :n_classes]),
            None if unanswered is None else read_only(by_column[0, ..., n_classes]),
        )

    def entry_influences(
        self, metrics: Sequence[Criterion], evidence: OrdinalConfusion
    ) -> EntryInfluences:
        values = np.array([self.values(metric, evidence) for metric in metrics], dtype=np.float64)
        unanswered = self._counted_unanswered(metrics[0], evidence)
        by_column = cell_influences(metrics, values, evidence.counts, unanswered)
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
            share = divide(counted, total)[..., None]
            # Elsewhere there are only rounding errors.
            influences = np.where(is_counted.ravel(), influences * share, 0)
        if evidence.has_fixed_shares:
            weights = _entry_weights(evidence)
            influences = within_classes(influences, weights, n_classes)
        return EntryInfluences(values, influences, is_counted.ravel())

    def entry_amounts(self, evidence: OrdinalConfusion) -> EntryAmounts:
        check_has_items(evidence)
        amounts = cell_amounts(evidence)
        if amounts is None:
            raise ValueError(
                "confusion must hold the number and the squared weights of the samples in each "
                "cell, which floats do not tell, since they may be sums of weights: pass numbers "
                "of samples as integers, count the samples with OrdinalConfusion.from_predictions "
                "or OrdinalConfusion.from_table, or pass sample_counts and squared_weights to "
                "OrdinalConfusion."
            )
        return EntryAmounts(*(part.reshape(*part.shape[:-2], -1) for part in amounts))

    def entry_classes(self, evidence: OrdinalConfusion) -> NDArray[np.intp]:
        n_classes = len(evidence.scale)
        return np.arange(n_classes).repeat(n_classes + 1)

    def drawn(self, systems: Sequence[OrdinalConfusion]) -> DrawnSamples:
        # One confusion matrix holds the counts of all systems.
        (confusion,) = systems
        check_has_items(confusion)
        samples = samples_counted_in(confusion)
        if samples is None or samples.group is not None:
            raise ValueError(
                "confusion must hold samples that were drawn one by one, or one matrix with its "
                "samples, but these counts do not tell which samples are in one cluster: pass what "
                "OrdinalConfusion.from_predictions returns for all samples, without by=, or one "
                "part of it, as in confusion[name]."
            )
        n_classes = len(samples.scale)
        true, predicted = np.divmod(samples.cells, samples.n_columns)
        entry = true * (n_classes + 1) + np.minimum(predicted, n_classes)
        cluster = None if samples.cluster is None else samples.cluster.astype(np.intp)
        return DrawnSamples(entry, samples.weight, cluster, samples.has_weight)

    def on_members(
        self, systems: Sequence[OrdinalConfusion], members: NDArray[np.bool_]
    ) -> tuple[OrdinalConfusion, ...]:
        (confusion,) = systems
        return (systems_on_members(confusion, members),)

    def with_groups_as_clusters(
        self, stack: OrdinalConfusion
    ) -> tuple[OrdinalConfusion, DrawnSamples]:
        check_has_items(stack)
        weights = _entry_weights(stack)
        cluster, entry = weights.nonzero()
        weight = weights[cluster, entry]
        has_weight = np.ones(len(weight), dtype=np.bool_)
        return stack.pooled(), DrawnSamples(entry[None], weight, cluster, has_weight)

    def is_clustered(self, evidence: OrdinalConfusion) -> bool:
        return evidence.is_clustered

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
    weights = cell_weights(confusion)
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
        return read_forecasts(OrdinalForecasts, y_true, predicted, copy=False, **reading)

    def of_estimator(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        respond: Respond | None = None,
        **reading: Any,
    ) -> OrdinalForecasts:
        """Return the probabilities, whose columns are matched through ``classes_``."""
        return estimator_forecasts(estimator, X, y_true, respond=respond, **reading)

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
        return read_scores(OrdinalScores, y_true, predicted, copy=False, **reading)

    def of_estimator(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        respond: Respond | None = None,
        **reading: Any,
    ) -> OrdinalForecasts | OrdinalScores:
        """Return the probabilities, whose expected positions are scores, or else the scores."""
        reader = estimator_forecasts if hasattr(estimator, "predict_proba") else estimator_scores
        return reader(estimator, X, y_true, respond=respond, **reading)

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> OrdinalScores:
        n_classes = len(scale)
        scores, weights = np.arange(n_classes, dtype=np.float64), np.ones((*stack, n_classes))
        return OrdinalScores(scale, np.arange(n_classes), scores, weights)

    def accepted(self, evidence: Evidence, name: str) -> OrdinalScores:
        if isinstance(evidence, OrdinalForecasts):
            return evidence.to_scores()
        accepted: OrdinalScores = super().accepted(evidence, name)
        return accepted


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
ESTIMATOR = _Estimator()

KINDS: list[Kind] = [LABELS, ROWS, PROBABILITIES, SCORES, RATINGS, ESTIMATOR]
"""All kinds. If two kinds have the same name, metrics are defined for the first."""


def own_kind(evidence: Any) -> Kind | None:
    """Return the kind that this evidence belongs to, None if it is not evidence."""
    return next(
        (kind for kind in KINDS if kind.accepts and isinstance(evidence, kind.accepts[0])), None
    )


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
    kind = own_kind(systems[0])
    assert kind is not None
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
    raise ValueError(f"evidence must be one of {names}, got {shown(name)}.")
