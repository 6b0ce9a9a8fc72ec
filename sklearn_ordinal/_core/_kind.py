"""What a kind of evidence answers, with the answers that suffice for most evidence of samples.

Evidence answers questions about existing data. A kind answers questions that arise before there
is data: how to make evidence from what a user or an estimator returns, which evidence suffices
for a metric, and how to call its function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core._arrays import read_only
from sklearn_ordinal._core._checks import with_article
from sklearn_ordinal._core._counting import Values
from sklearn_ordinal._core._entries import DrawnSamples, EntryAmounts, EntryInfluences
from sklearn_ordinal._core._influence import sample_influences
from sklearn_ordinal._core._protocols import Criterion, Evidence, Resampling, Statistic, TestedFold
from sklearn_ordinal._core._rows import Rows
from sklearn_ordinal._core._samples import clustered_part, sample_clusters
from sklearn_ordinal._core._scale import OrdinalScale
from sklearn_ordinal._core._warnings import or_undefined

Respond = Callable[[str], Any]
"""A function that returns the response of a method of an estimator, given its name."""
_REASON_IF_UNDEFINED = "see the documentation of the metric for when that is"


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
    has_heavy_tails: ClassVar[bool] = False
    """Whether a few samples make up most of the variance, as items with rare disagreement do."""
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
        **reading: Any,
    ) -> Evidence:
        """Return evidence from the responses of a fitted estimator.

        `respond` returns the response of a method, given its name. If None, the method is called.
        """
        if not self.methods:
            raise ValueError(
                f"{self.noun} are not predicted by an estimator: pass evidence in place of it."
            )
        available = [name for name in self.methods if hasattr(estimator, name)]
        method = available[0] if available else self.methods[-1]
        predicted = getattr(estimator, method)(X) if respond is None else respond(method)
        return self.read(y_true, predicted, **reading)

    def example(self, scale: OrdinalScale, stack: tuple[int, ...] = ()) -> Evidence:
        """Return one perfectly predicted sample of each class, for trying out statistics."""
        raise NotImplementedError

    def pick(self, available: Iterable[Evidence | None]) -> Any:
        """Return the first evidence that suffices, or None."""
        return next((part for part in available if isinstance(part, self.accepts)), None)

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
            f"{self._evidence} must be {with_article(self.accepts[0].__name__)} for {name}, got "
            f"{type(evidence).__name__}: make one with {constructors}."
        )

    def evaluate(
        self,
        statistic: Statistic,
        y_true: ArrayLike,
        predicted: ArrayLike,
        labels: Any,
        sample_weight: ArrayLike | None,
    ) -> float:
        """Return the statistic of predictions, NaN if it is undefined."""
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
        influences: Values = read_only(self.entry_influences([metric], evidence).influences[0])
        return influences

    def entry_influences(self, metrics: Sequence[Criterion], evidence: Any) -> EntryInfluences:
        """Return the influences on metrics, which count the same entries of the evidence."""
        values = np.array([self.values(metric, evidence) for metric in metrics], dtype=np.float64)
        influences = sample_influences(metrics, values, evidence)
        return EntryInfluences(values, influences, np.ones(influences.shape[-1], dtype=np.bool_))

    def entry_amounts(self, evidence: Any) -> EntryAmounts:
        """Return the weights and numbers of the samples in each entry, or raise if not known."""
        weights = evidence.weights
        return EntryAmounts(weights, (weights > 0).astype(np.float64), weights**2)

    def entry_classes(self, evidence: Any) -> NDArray[np.intp]:
        """Return the position of the true class of each entry: (n_entries,)."""
        positions: NDArray[np.intp] = evidence.y_true
        return positions

    def drawn(self, systems: Sequence[Any]) -> DrawnSamples:
        """Return the samples of one system, or of several on the same samples."""
        has_weight, clusters = systems[0].weights > 0, sample_clusters(systems[0])
        if has_weight.ndim > 1:
            raise ValueError(
                f"evidence must have one weight for each sample if samples are in clusters, got a "
                f"stack of shape {has_weight.shape[:-1]}: pass one part of it."
            )
        (rows,) = has_weight.nonzero()
        cluster = None if clusters is None else np.unique(clusters[rows], return_inverse=True)[1]
        entry = np.tile(rows, (len(systems), 1))
        return DrawnSamples(entry, systems[0].weights[rows], cluster, has_weight)

    def on_members(self, systems: Sequence[Any], members: NDArray[np.bool_]) -> tuple[Any, ...]:
        """Return systems on some of their samples."""
        return tuple(clustered_part(system, members) for system in systems)

    def with_groups_as_clusters(self, stack: Any) -> tuple[Any, DrawnSamples]:
        """Return all samples of the groups of a stack, each group of which is a cluster."""
        pooled = stack.reweighted(stack.weights.sum(axis=0))
        drawn = self.drawn([pooled])
        cluster = np.unique(stack.group[drawn.has_weight], return_inverse=True)[1]
        return pooled, drawn._replace(cluster=cluster)

    def is_clustered(self, evidence: Any) -> bool:
        """Whether samples are in clusters."""
        return sample_clusters(evidence) is not None

    def stack_shape(self, evidence: Any) -> tuple[int, ...]:
        """Return the shape of a stack, () if the evidence is not a stack."""
        shape: tuple[int, ...] = evidence.weights.shape[:-1]
        return shape

    def unanswered(self, evidence: Any) -> Values | None:  # noqa: ARG002
        """Return the samples without a prediction in each part of a stack, None if not counted."""
        return None

    def value(
        self,
        metric: Criterion,
        y_true: ArrayLike,
        predicted: ArrayLike,
        **reading: Any,
    ) -> float:
        """Return the value for predictions, NaN with a warning where it is undefined."""
        evidence = self.read(y_true, predicted, **reading)
        value, reason = metric(evidence), _REASON_IF_UNDEFINED
        return or_undefined(value, math.nan, metric.name, reason)

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
