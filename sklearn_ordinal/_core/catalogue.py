"""`OrdinalMetric`, the decorator `ordinal_metric`, and the catalogue of all metrics.

Scorers, report rows, documentation tables and contract tests are generated from
`METRICS`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Never, TypeAlias, TypeVar, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer_names

from sklearn_ordinal._core import checks, evidence_kinds
from sklearn_ordinal._core.arithmetic import Statistic
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import Evidence, Gradient, Influence
from sklearn_ordinal._core.scales import OrdinalScale

# A metric: a function with its options and metadata
# --------------------------------------------------

Property = Literal[
    "invariant",
    "monotonic",
    "strictly monotonic",
    "imbalance",
    "prevalence invariant",
    "symmetric",
    "bilinear",
    "additive",
    "centred at chance",
    "strictly proper",
    "differentiable",
    "exchangeable",
    "complete items",
    "pairable items",
]
DIRECTED_PROPERTIES: Mapping[str, Property] = {
    "ordinal_monotonic": "monotonic",
    "strictly_monotonic": "strictly monotonic",
    "imbalance_aware": "imbalance",
    "strictly_proper": "strictly proper",
}
"""Attributes that say which values are better, so that they mean nothing without a direction."""
IntervalMethod = Literal["bca", "percentile", "basic"]
IntervalScale = Literal["logit", "fisher", "linear"]
Contract = Literal["best if perfect", "an empty class at an end", "reversal"]
Bounds: TypeAlias = tuple[float, float] | Callable[..., tuple[float, float]]
Properties: TypeAlias = Collection[Property] | Callable[..., Collection[Property] | None]
Costs: TypeAlias = Callable[..., NDArray[np.float64] | None]
"""A function of the sizes of the true classes: (..., K) -> (..., K, K), rows true."""


@dataclass(frozen=True, repr=False, eq=False)
class OrdinalMetric:
    """A metric function with its options and metadata.

    Use `get_metric` to find a metric and `ordinal_metric` to define one. Calling a metric
    with its evidence returns its value: an `OrdinalConfusion` for metrics of labels,
    `OrdinalForecasts` for metrics of probabilities, `OrdinalScores` for metrics of scores,
    `OrdinalRatings` for coefficients of the agreement of several raters.

    Parameters
    ----------
    name : str
        Name in reports and results. It is also the name of the scorer, if there is one, prefixed
        by ``neg_`` if lower is better.
    statistic : callable
        Function from counts of shape (..., n_classes, n_classes) to values of shape (...), NaN
        where undefined. It may take ``unanswered=``, the samples of each true class without a
        prediction; other statistics leave them out. For other evidence, it is a function of
        `OrdinalForecasts` or `OrdinalScores`. A criterion of another package is called
        directly, with labels or with a fitted estimator.
    function : callable, default=None
        The public function of labels, probabilities or scores, if there is one.
    greater_is_better : bool or None, default=True
        Whether higher values are better. None if the metric has no direction, since neither higher
        nor lower values are better, as for a bias. Such a metric has no scorer.
    value_range : tuple of float or callable, default=(-inf, inf)
        Smallest and largest possible value, or a function that takes the number of
        classes and any options of the metric and returns these two values.
    chance_level : float, default=None
        Expected value of random agreement, if the metric estimates it.
    properties : collection of str or callable, default=None
        Properties of the metric: any of "invariant", "monotonic", "strictly monotonic",
        "imbalance", "prevalence invariant", "symmetric", "bilinear" (a sum over pairs of
        samples of different true classes), "additive" (a sum over samples, given the sizes of
        the true classes), "centred at chance" (the mean over all permutations of the
        predictions is `chance_level`), "strictly proper", "differentiable" (the value has a
        derivative by the count of each cell with samples, except for rare counts such as ties of
        a maximum), "exchangeable" (exchanging two grades of the same item changes nothing, so it
        does not matter which rater gives which grade), "complete items" (items that some
        raters do not grade are left out) and "pairable items" (items with a single grade are left
        out). The first six are about data in which every class occurs in the truth. If the
        properties depend on the options of the metric, pass a function that takes these options
        and returns the properties. None if the properties are not known.
    an_error_costs : str, default=""
        What an error costs according to this metric.
    prefer : str, default=""
        When to prefer it.
    exceptions : mapping of str to str, default={}
        General contracts that this metric does not fulfil, with the reasons.
    interval_method : {"bca", "percentile", "basic"}, default="bca"
        How `bootstrap_interval` computes the interval by default.
    interval_scale : {"logit", "fisher", "linear"}, default="logit"
        Scale on which `delta_interval` is symmetric about the value. "logit": the log-odds within
        the bounds, which keep the interval inside. If only one bound is finite, the logarithm of
        the distance to it takes the place of the log-odds. "fisher": Fisher's transformation, the
        log-odds between -1 and 1, for metrics that are at most 1 and rarely below -1; where they
        are, the logarithm of the distance to 1. "linear": the value itself.
    evidence : {"labels", "probabilities", "scores", "ratings"} or Kind, default="labels"
        What the metric is computed from.
    options : mapping, default={}
        Fixed options of `function`.
    costs : callable, default=None
        Function that returns the cost of each error up to a factor, of shape (..., n_classes,
        n_classes), rows true. It takes the sizes of the true classes, of shape (..., n_classes),
        and any options of the metric. The value of the metric is a constant minus or plus the
        total cost, where both may depend on the sizes. None if there are no such costs, as for
        ratios whose denominator depends on the predictions.
    gradient : callable, default=None
        Function that returns the derivative of the statistic of counts by each count, of shape
        (..., n_classes, n_classes), not finite where there is none. It takes the same arguments as
        the statistic; with ``unanswered=``, a last column has the derivatives by the unanswered
        samples. For other evidence, it returns the derivative by the weight of each sample, of
        shape (..., n_samples). If None, `influence` computes the derivatives of a statistic of
        counts from differences, and other metrics have no influences.
    share_of : callable, default=None
        If the value is the share of some of the samples, such as the sensitivity of the positive
        ones, a function that takes the number of classes and any options of the metric and returns
        in which cells these samples are, of shape (n_classes, n_classes). Intervals in closed form
        then count only these samples.
    check : callable, default=None
        Function that takes any options of the metric and raises a ValueError if a value
        is invalid. None if the options are not checked before they are used.
    original_name : str, default=""
        The name of the metric before the caller gave it `name`, as in
        ``metrics={name: metric}``; empty if it has not been renamed.
    scorer : callable, default=None
        Function of a fitted estimator, samples and true classes that returns the value. Criteria
        of other packages are evaluated with it wherever there is an estimator.
    statistics : mapping of Kind to callable, default={}
        Functions like `statistic` of other kinds of evidence that the metric can be computed from,
        such as ratings by more than two raters.
    gradients : mapping of Kind to callable, default={}
        Functions like `gradient`, of the same kinds of evidence.

    See Also
    --------
    get_metric : Find a metric by its name, its function or its scorer.
    ordinal_metric : Define a metric by a statistic on counts.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, get_metric
    >>> metric = get_metric("cem_ord")
    >>> metric(OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1]))
    0.6678...
    >>> metric.bounds(n_classes=3), metric.ordinal_invariant
    ((0.0, 1.0), True)
    """

    name: str
    statistic: Statistic
    function: Callable[..., Any] | None = None
    greater_is_better: bool | None = True
    value_range: Bounds = (-math.inf, math.inf)
    chance_level: float | None = None
    properties: Properties | None = None
    an_error_costs: str = ""
    prefer: str = ""
    exceptions: Mapping[Contract, str] = field(default_factory=dict)
    interval_method: IntervalMethod = "bca"
    interval_scale: IntervalScale = "logit"
    evidence: Kind = evidence_kinds.LABELS
    options: Mapping[str, Any] = field(default_factory=dict)
    costs: Costs | None = None
    gradient: Gradient | None = None
    share_of: Callable[..., NDArray[np.bool_]] | None = None
    check: Callable[..., Any] | None = None
    original_name: str = ""
    scorer: Callable[[Any, Any, Any], float] | None = None
    statistics: Mapping[Kind, Statistic] = field(default_factory=dict)
    gradients: Mapping[Kind, Gradient] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(
                f"name must be a string that names the metric, got {checks.shown(self.name)}."
            )
        if not callable(self.statistic):
            raise ValueError(
                f"statistic must be a function of evidence, got {checks.shown(self.statistic)}."
            )
        checks.check_choice("interval_method", self.interval_method, IntervalMethod)
        checks.check_choice("interval_scale", self.interval_scale, IntervalScale)
        if not isinstance(self.evidence, Kind):
            object.__setattr__(self, "evidence", evidence_kinds.kind_named(self.evidence))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({checks.shown(self.name)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrdinalMetric):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        origin = origin_of(self.function or self.statistic)
        # The name contains the options, shortened if they are long.
        options = {
            k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in self.options.items()
        }
        names = self.name, self.original_name
        return type(self.evidence), names, self.greater_is_better, origin, repr(options)

    @property
    def is_sklearns(self) -> bool:
        """Whether the function, and the scorer, belong to scikit-learn."""
        return origin_of(self.function).startswith("sklearn.")

    def __call__(self, evidence: Evidence, *arrays: Never) -> Any:
        """Return the value for evidence, or the values for a stack.

        Parameters
        ----------
        evidence : OrdinalConfusion, OrdinalForecasts, OrdinalScores or OrdinalRatings
            What the metric is computed from. Metrics of scores also take forecasts, which
            are converted to scores: their expected positions.

        Returns
        -------
        float or ndarray of shape (...)
            The value of each matrix, or for each set of weights, NaN where undefined.

        Raises
        ------
        ValueError
            If the metric is not computed from this kind of evidence.
        """
        if arrays:
            raise TypeError(
                f"{self.name} takes evidence, got {1 + len(arrays)} arguments: pass arrays to "
                f"its method from_predictions."
            )
        metric = self._on(evidence)
        kind = metric.evidence
        accepted = kind.accepted(evidence, self.name)
        values = np.asarray(kind.values(metric, accepted), dtype=np.float64)
        values = replace_undefined(self, values)
        return values if values.ndim else float(values)

    def _on(self, evidence: Any) -> OrdinalMetric:
        """Return the metric with the statistic for this evidence."""
        if not self.statistics or isinstance(evidence, self.evidence.accepts):
            return self
        return metric_for(self, [evidence_kinds.own_kind(evidence)])

    def from_predictions(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the value for predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,) or (n_samples, n_classes)
            What the metric needs: predicted classes, probabilities of the classes from the
            lowest to the highest, or scores.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        float
            The value, NaN with an `UndefinedMetricWarning` where it is undefined.

        Raises
        ------
        ValueError
            If the order of the classes is not known or a class is not in `labels`.
        """
        return self.evidence.value(self, y_true, y_pred, labels=labels, sample_weight=sample_weight)

    @property
    def scorer_name(self) -> str | None:
        """Name of the scorer, for which higher is better; None if there is no scorer."""
        has_no_direction = self.greater_is_better is None
        if has_no_direction or (self.scorer is None and not self.evidence.methods):
            return None
        return self.name if self.greater_is_better else f"neg_{self.name}"

    @property
    def ordinal_invariant(self) -> bool | None:
        """Whether order-preserving recoding of the classes changes nothing; None if unknown."""
        return self._has("invariant")

    @property
    def ordinal_monotonic(self) -> bool | None:
        """Whether a prediction closer to the truth is never worse; None if unknown."""
        return self._has("monotonic")

    @property
    def strictly_monotonic(self) -> bool | None:
        """Whether a prediction closer to the truth is always better; None if unknown."""
        return self._has("strictly monotonic")

    @property
    def imbalance_aware(self) -> bool | None:
        """Whether the same error costs more in a smaller class; None if unknown."""
        return self._has("imbalance")

    @property
    def prevalence_invariant(self) -> bool | None:
        """Whether the shares of the true classes do not matter; None if unknown."""
        return self._has("prevalence invariant")

    @property
    def symmetric(self) -> bool | None:
        """Whether exchanging truth and prediction changes nothing; None if unknown.

        None for metrics of probabilities and scores, where there is nothing to exchange.
        """
        is_known = "symmetric" in self.evidence.own_properties
        return self._has("symmetric") if is_known else None

    @property
    def strictly_proper(self) -> bool | None:
        """Whether only the true probabilities have the best expected value; None if unknown."""
        return self._has("strictly proper")

    @property
    def additive(self) -> bool | None:
        """Whether the value is a sum over samples, given the class sizes; None if unknown."""
        return self._has("additive")

    @property
    def centred_at_chance(self) -> bool | None:
        """Whether the mean over permuted predictions is `chance_level`; None if unknown."""
        # The value of always guessing one class is undefined, so it would count as different from
        # chance.
        is_replaced = "replace_undefined_by" in self.options
        return None if is_replaced else self._has("centred at chance")

    @property
    def exchangeable(self) -> bool | None:
        """Whether exchanging two grades of the same item changes nothing; None if unknown."""
        return self._has("exchangeable")

    @property
    def needs_complete_items(self) -> bool | None:
        """Whether items that some raters do not grade are left out; None if unknown."""
        return self._has("complete items")

    @property
    def needs_pairable_items(self) -> bool | None:
        """Whether items with a single grade are left out; None if unknown."""
        return self._has("pairable items")

    @property
    def has_influence(self) -> bool | None:
        """Whether `influence` is defined, except at ties of a maximum or minimum; None if unknown.

        Metrics of probabilities and scores have influences if they have a `gradient`.
        """
        if self.gradient is not None:
            return True
        return self._has("differentiable") if self.evidence.takes_differences else False

    @property
    def expected_on_soft_counts(self) -> bool:
        """Whether the value of soft counts is the expected value for sampled classes.

        For each sample, a class is sampled from its probabilities; see
        `OrdinalConfusion.from_probabilities`. The equality holds for metrics that have a
        `cost_matrix`, for bilinear metrics and for additive metrics of counts.
        """
        matrix = self.options.get("cost_matrix")
        n_classes = 2 if matrix is None else len(matrix)
        is_sum = self.additive and self.evidence.takes_differences
        is_expected = bool(self._has("bilinear") or is_sum)
        return is_expected or self.cost_matrix(np.ones(n_classes)) is not None

    @property
    def counts_unanswered(self) -> bool:
        """Whether samples without a prediction count as errors; otherwise they are left out."""
        return self.evidence.counts_unanswered(self)

    @property
    def takes_weights(self) -> bool:
        """Whether the metric can be evaluated with sample weights."""
        return self.evidence.takes_weights(self)

    def cost_matrix(self, class_counts: ArrayLike) -> NDArray[np.float64] | None:
        """Return what each error costs, if the value is linear in the counts.

        Given the sizes of the true classes, the best predictions have the lowest total cost.

        Parameters
        ----------
        class_counts : array-like of shape (..., n_classes)
            Number, or weight, of the samples of each true class, from the lowest class to
            the highest.

        Returns
        -------
        ndarray of shape (..., n_classes, n_classes) or None
            Costs up to a positive factor, rows true, columns predicted; without leading axes
            if they do not depend on the sizes. Errors of a class without samples may have an
            infinite cost. None if the metric is not a sum of costs.
        """
        sizes = checks.as_class_numbers("class_counts", class_counts).astype(np.float64, copy=False)
        if not sizes.ndim or not sizes.shape[-1]:
            raise ValueError(
                f"class_counts must have shape (..., n_classes), got shape {sizes.shape}."
            )
        checks.check_amounts("class_counts", sizes)
        costs: NDArray[np.float64] | None = _fact_value(self.costs, self.options, sizes)
        return costs

    def counted_cells(self, n_classes: int) -> NDArray[np.bool_] | None:
        """Return in which cells the samples are that the value is a share of.

        Parameters
        ----------
        n_classes : int
            Number of classes on the scale.

        Returns
        -------
        ndarray of shape (n_classes, n_classes) or None
            The cells, rows true; None if the value is computed from all samples.
        """
        cells: NDArray[np.bool_] | None = _fact_value(self.share_of, self.options, n_classes)
        return cells

    @overload
    def influence(self, evidence: OrdinalConfusion) -> Influence: ...
    @overload
    def influence(
        self, evidence: OrdinalForecasts | OrdinalScores | OrdinalRatings
    ) -> NDArray[np.float64]: ...
    def influence(
        self, evidence: OrdinalConfusion | OrdinalForecasts | OrdinalScores | OrdinalRatings
    ) -> Influence | NDArray[np.float64]:
        r"""Return how much one more sample moves the value, by cell or for each sample.

        The influence of a sample is the derivative of the value by the share of such samples, minus
        the mean of these derivatives over the samples: one more sample like it changes the value
        of `n` samples by about the influence divided by `n` [1]_. The variance of the value over
        samples of this size is about the mean squared influence divided by `n`.

        The derivatives are exact for metrics with a `gradient`, as all metrics of this package that
        have influences. For other metrics of counts, they are computed from differences.

        Parameters
        ----------
        evidence : OrdinalConfusion, OrdinalForecasts, OrdinalScores or OrdinalRatings
            What the metric is computed from. For a stack, the influence on the value of each part
            is returned.

        Returns
        -------
        Influence or ndarray of shape (..., n_samples)
            For metrics of counts, the influence of each cell: its ``cells`` of shape (...,
            n_classes, n_classes) have mean zero under the counts. Its ``unanswered`` of shape
            (..., n_classes) is None unless the metric counts unanswered samples and the confusion
            matrix has them. Cells without samples are NaN if the derivative is not finite there, as
            in a true class without samples. The whole matrix is NaN if the value is undefined or
            has no derivative, as a maximum at a tie, with an `UndefinedMetricWarning` in this case.

            For metrics of probabilities and scores, the influence of each sample, with weighted
            mean zero; for metrics of ratings, the influence of an item with each pattern. NaN if
            the value is undefined.

        Raises
        ------
        ValueError
            If the metric is not computed from such evidence, or has no influences.

        References
        ----------
        .. [1] F. R. Hampel (1974), "The influence curve and its role in robust estimation",
           Journal of the American Statistical Association 69(346),
           :doi:`10.1080/01621459.1974.10482962`.

        Examples
        --------
        The mean absolute error is 0.5, and an error by two classes counts 2:

        >>> from sklearn_ordinal import OrdinalConfusion, OrdinalScores, get_metric
        >>> confusion = OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1])
        >>> get_metric("ordinal_mean_absolute_error").influence(confusion).cells
        array([[-0.5,  0.5,  1.5],
               [ 0.5, -0.5,  0.5],
               [ 1.5,  0.5, -0.5]])

        The third score is too low, which puts one of five pairs in the wrong order:

        >>> scores = OrdinalScores.from_scores([0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8])
        >>> get_metric("concordance").influence(scores).round(2)
        array([ 0.32, -0.48, -0.32,  0.48])
        """
        metric = self._on(evidence)
        kind = metric.evidence
        evidence = kind.accepted(evidence, self.name)
        influence: Influence | NDArray[np.float64] = kind.influence(metric, evidence)
        if isinstance(influence, Influence):
            is_lost = np.isnan(influence.cells).all(axis=(-2, -1))
            if (is_lost & np.isfinite(kind.values(metric, evidence))).any():
                checks.warn_caller(
                    f"The influences of {self.name} are NaN, since the value has no derivative for "
                    f"these counts, as at a tie of classes.",
                    UndefinedMetricWarning,
                )
        return influence

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the smallest and the largest possible value.

        Parameters
        ----------
        n_classes : int
            Number of classes on the scale.

        Returns
        -------
        tuple of float
            Lowest and highest value, infinite where no bound is known.

        Raises
        ------
        ValueError
            If `n_classes` is not a positive integer.
        """
        checks.check_integer("n_classes", n_classes, at_least=1)
        bounds: tuple[float, float] = _fact_value(self.value_range, self.options, n_classes)
        return bounds

    def _has(self, name: Property) -> bool | None:
        if self.greater_is_better is None and name in DIRECTED_PROPERTIES.values():
            return None
        properties = _fact_value(self.properties, self.options)
        return None if properties is None else name in properties


def _fact_value(fact: Any, options: Mapping[str, Any], *arguments: Any) -> Any:
    """Return a fact; if it is a function, call it with the options that it takes."""
    if not callable(fact):
        return fact
    # Reading the signature takes longer than most facts.
    names = inspect.signature(fact).parameters.keys() & options.keys() if options else ()
    return fact(*arguments, **{name: options[name] for name in names})


def metric_for(metric: OrdinalMetric, kinds: Collection[Kind | None]) -> OrdinalMetric:
    """Return the metric as a function of evidence of these kinds, unchanged if it is or is not."""
    kind = next((kind for kind in metric.statistics if kind in kinds), None)
    if kind is None or metric.evidence in kinds:
        return metric
    return replace(
        metric,
        evidence=kind,
        statistic=metric.statistics[kind],
        gradient=metric.gradients.get(kind),
        statistics={},
        gradients={},
        costs=None,
    )


def replace_undefined(metric: OrdinalMetric, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace undefined values as the options of the metric say."""
    replacement = metric.options.get("replace_undefined_by", math.nan)
    return values if math.isnan(replacement) else np.where(np.isnan(values), replacement, values)


def check_has_direction(metric: OrdinalMetric, argument: str) -> None:
    """Raise if neither higher nor lower values of a metric are better."""
    if metric.greater_is_better is None:
        raise ValueError(
            f"{argument} must have a direction, which {metric.name} does not, since neither higher "
            f"nor lower values are better: choose another criterion, and report the value and "
            f"interval of this one."
        )


def names_of(metric: OrdinalMetric) -> set[str]:
    """Return the names by which a metric is found: its own and the name of its scorer."""
    return {metric.name} if metric.scorer_name is None else {metric.name, metric.scorer_name}


def origin_of(function: Any) -> str:
    """Return the module and name of a function, unwrapped from partials and scorers."""
    function = getattr(function, "_score_func", function)
    function = function.func if isinstance(function, partial) else function
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    return f"{module}.{name}"


def score_if_undefined(metric: OrdinalMetric) -> float:
    """Return the value that replaces undefined values when candidates are compared.

    It is 0 if the chance level is 0, otherwise the worst value, or NaN if there is no
    worst value.
    """
    if metric.chance_level == 0:
        return 0.0
    if callable(metric.value_range) or metric.greater_is_better is None:
        return math.nan
    worst = metric.value_range[0 if metric.greater_is_better else 1]
    return worst if math.isfinite(worst) else math.nan


# The catalogue of metrics, and the decorator that records one
# ------------------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])

METRICS: dict[str, OrdinalMetric] = {}
"""Every metric of the package, and every metric made with `ordinal_metric`, by name."""

TEMPLATES: dict[str, OrdinalMetric] = {}
"""Metrics with a required option, by function name; they cannot be looked up by metric name."""

_TRIED_SCALE = OrdinalScale.from_run(0, 3)

when_added: list[Callable[[OrdinalMetric], None]] = []
"""Functions that are called with each metric added later, for example to register scorers."""


def add_to_catalogue(metric: OrdinalMetric) -> None:
    """Add a metric under a new name, or redefine a metric of the same function."""
    _check_name(metric)
    METRICS[metric.name] = metric
    for call in when_added:
        call(metric)


def _check_name(metric: OrdinalMetric) -> None:
    name = metric.name
    if name.startswith("<"):
        raise ValueError(f"name must be a string that names the metric, got {checks.shown(name)}.")
    origin, names = origin_of(metric.function or metric.statistic), names_of(metric)
    for entry in METRICS.values():
        clash = names_of(entry) & names
        if clash and origin_of(entry.function or entry.statistic) != origin:
            raise ValueError(
                f"name must not be the name of another metric or its scorer, got {min(clash)!r}: "
                f"choose another name."
            )
    if origin.startswith("sklearn"):
        # These are scorers of scikit-learn already.
        return
    clash = names.intersection(get_scorer_names())
    if clash and name not in METRICS:
        raise ValueError(
            f"name must not be the name of a scikit-learn scorer, got {min(clash)!r}: choose "
            f"another name."
        )


def ordinal_metric(
    statistic: Statistic | None = None,
    *,
    greater_is_better: bool | None,
    bounds: Bounds = (-math.inf, math.inf),
    name: str | None = None,
    chance_level: float | None = None,
    properties: Properties | None = None,
    an_error_costs: str = "",
    prefer: str = "",
    exceptions: Mapping[Contract, str] | None = None,
    interval_method: IntervalMethod = "bca",
    interval_scale: IntervalScale = "logit",
    costs: Costs | None = None,
    gradient: Gradient | None = None,
    share_of: Callable[..., Any] | None = None,
    check: Callable[..., Any] | None = None,
    evidence: str | Kind = evidence_kinds.LABELS,
    statistics: Mapping[Kind, Statistic] | None = None,
    gradients: Mapping[Kind, Gradient] | None = None,
    **options: Any,
) -> Callable[[Function], Function]:
    """Define a metric: add it to the catalogue and return the function unchanged.

    The decorated function is a statistic on counts, or on other evidence. `get_metric` then
    finds the metric, and its name is accepted as a scorer and in reports, intervals and
    comparisons. If `statistic` is given, the decorated function is the public function of
    labels, probabilities or scores instead, as in the metrics of this package.

    Parameters
    ----------
    statistic : callable, default=None
        Function from counts of shape (..., n_classes, n_classes), rows true, columns
        predicted, to values of shape (...), NaN where undefined; or from `OrdinalForecasts`
        or `OrdinalScores`, whose weights have the leading axes. If None, the decorated
        function.
    greater_is_better : bool or None
        Whether higher values are better. None if neither higher nor lower values are, as for a
        bias: such a metric has intervals and differences, but no scorer and no ranks.
    bounds : tuple of float or callable, default=(-inf, inf)
        Smallest and largest possible value, or a function that takes the number of
        classes and any options of the metric and returns these two values.
    name : str, default=None
        Name of the metric. If None, the name of the decorated function without ``_score``.
    chance_level : float, default=None
        Expected value of random agreement, if the metric estimates it. If it is 0, scorers
        replace undefined values by 0; otherwise by the worst value in `bounds`.
    properties : collection of str or callable, default=None
        Properties of the metric: any of "invariant", "monotonic", "strictly monotonic",
        "imbalance", "prevalence invariant", "symmetric", "bilinear", "additive", "centred
        at chance", "strictly proper", "differentiable", "exchangeable", "complete items" and
        "pairable items"; see `OrdinalMetric`. If the properties depend on the options of the
        metric, pass a function that takes these options and returns the properties. None if the
        properties are not known.
    an_error_costs : str, default=""
        What an error costs according to this metric.
    prefer : str, default=""
        When to prefer it.
    exceptions : mapping of str to str, default=None
        General contracts that this metric does not fulfil, with the reasons.
    interval_method : {"bca", "percentile", "basic"}, default="bca"
        How `bootstrap_interval` computes the interval by default. For means over classes,
        "percentile" covers the true value more often if some classes are rare.
    interval_scale : {"logit", "fisher", "linear"}, default="logit"
        Scale on which `delta_interval` is symmetric about the value; see `OrdinalMetric`.
    costs : callable, default=None
        Function that returns the cost of each error, given the sizes of the true classes,
        if the metric is a sum of costs; see `OrdinalMetric`.
    gradient : callable, default=None
        Function that returns the derivative of the statistic by each count, or by the weight of
        each sample, in their shape; see `OrdinalMetric`. If None, influences of counts are computed
        from differences.
    share_of : callable, default=None
        Function that returns in which cells the samples are that the value is a share of; see
        `OrdinalMetric`. None if the value is not a share, or a share of all samples.
    check : callable, default=None
        Function that takes any options of the metric and raises a ValueError if a value
        is invalid. It checks the options that a user binds with `functools.partial`.
    evidence : {"labels", "probabilities", "scores", "ratings"} or Kind, default="labels"
        What the statistic is computed from: counts of labels, `OrdinalForecasts`,
        `OrdinalScores` or `OrdinalRatings`.
    statistics : mapping of Kind to callable, default=None
        Statistics of other kinds of evidence that the metric can be computed from.
    gradients : mapping of Kind to callable, default=None
        Functions that return the derivatives of these statistics.
    **options : dict
        Fixed options of the function and of the statistic.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ValueError
        If the name is taken, or an argument is invalid.

    See Also
    --------
    get_metric : Find a metric.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import get_metric, ordinal_metric, OrdinalConfusion
    >>> @ordinal_metric(greater_is_better=False, bounds=(0.0, 1.0))
    ... def share_too_high_error(counts):
    ...     return np.triu(counts, 1).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
    >>> confusion = OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1])
    >>> get_metric("share_too_high_error")(confusion)
    0.25
    """
    if statistic is not None and not callable(statistic):
        raise ValueError(f"statistic must be a function of counts, got {checks.shown(statistic)}.")
    kind = evidence if isinstance(evidence, Kind) else evidence_kinds.kind_named(evidence)
    _check_facts(
        greater_is_better, bounds, chance_level, properties, interval_method, interval_scale
    )
    if gradient is not None and not callable(gradient):
        raise ValueError(f"gradient must be a function of evidence, got {checks.shown(gradient)}.")
    if exceptions is not None:
        checks.check_mapping("exceptions", exceptions)
    for name_of_mapping, mapping in (("statistics", statistics), ("gradients", gradients)):
        if mapping is not None:
            checks.check_mapping(name_of_mapping, mapping)
    if share_of is not None and not callable(share_of):
        raise ValueError(
            f"share_of must be a function of the number of classes, got {checks.shown(share_of)}."
        )
    if check is not None and not callable(check):
        raise ValueError(f"check must be a function of options, got {checks.shown(check)}.")

    def record(function: Function) -> Function:
        if not callable(function):
            raise ValueError(
                f"ordinal_metric must decorate a function, got {checks.shown(function)}."
            )
        counted = statistic or function
        _check_fixed_options(counted, options)
        check_option_values(check, options)
        metric = OrdinalMetric(
            name=function.__name__.removesuffix("_score") if name is None else name,
            statistic=partial(counted, **options) if options else counted,
            function=None if statistic is None else function,
            greater_is_better=greater_is_better,
            value_range=bounds,
            chance_level=chance_level,
            properties=properties,
            an_error_costs=an_error_costs,
            prefer=prefer,
            exceptions={} if exceptions is None else exceptions,
            interval_method=interval_method,
            interval_scale=interval_scale,
            evidence=kind,
            options=options,
            costs=costs,
            gradient=gradient,
            share_of=share_of,
            check=check,
            statistics={} if statistics is None else statistics,
            gradients={} if gradients is None else gradients,
        )
        if check is not None:
            _check_has_an_option(check, function)
        if statistic is None:
            _check_statistic(metric, function)
            if costs is not None and not callable(costs):
                raise ValueError(
                    f"costs must be a function of class sizes, got {checks.shown(costs)}."
                )
        if missing_options(metric):
            TEMPLATES[metric.name] = metric
        else:
            add_to_catalogue(metric)
        return function

    return record


def missing_options(metric: OrdinalMetric) -> list[str]:
    """Return the options that have no default and are not given."""
    parameters = inspect.signature(metric.function or metric.statistic).parameters
    return [
        name
        for name, parameter in parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
        and parameter.default is parameter.empty
        and name not in metric.options
    ]


def metrics_of(*kinds: Kind) -> dict[str, OrdinalMetric]:
    """Return the metrics of some kinds by name."""
    return {name: metric for name, metric in METRICS.items() if metric.evidence in kinds}


def _check_fixed_options(statistic: Statistic, options: Mapping[str, Any]) -> None:
    """Raise if an option is not a parameter of the statistic."""
    parameters = inspect.signature(statistic).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    names = [parameter.name for parameter in parameters][1:]
    unknown = [name for name in options if name not in names]
    if unknown:
        title = getattr(statistic, "__name__", "the statistic")
        raise ValueError(
            f"{title} has no option {', '.join(unknown)}: its options are "
            f"{', '.join(names) or 'none'}."
        )


def check_option_values(check: Callable[..., Any] | None, options: Mapping[str, Any]) -> None:
    """Call a metric's check, if any, with the options that it takes."""
    if check is not None:
        checked = inspect.signature(check).parameters.keys() & options.keys()
        if checked:
            check(**{name: options[name] for name in checked})


def _check_has_an_option(check: Callable[..., Any], function: Function) -> None:
    """Raise if no parameter of a check is an option, since the check would never be called."""
    options, checked = (list(inspect.signature(f).parameters) for f in (function, check))
    if not set(options).intersection(checked):
        raise ValueError(
            f"check must have a parameter that is an option of {function.__name__}, got "
            f"{checks.listed(checked)}: its parameters are {checks.listed(options)}."
        )


def _check_statistic(metric: OrdinalMetric, statistic: Statistic) -> None:
    """Raise unless a user's statistic accepts its options and a stack of evidence."""
    options = metric.options
    _, *parameters = inspect.signature(statistic).parameters
    unknown = sorted(options.keys() - set(parameters))
    if unknown:
        raise ValueError(
            f"{statistic.__name__} has no option {', '.join(unknown)}; "
            f"its options are {', '.join(parameters) or 'none'}."
        )
    try:
        with np.errstate(all="ignore"):
            shape = np.shape(metric(metric.evidence.example(_TRIED_SCALE, (2,))))
        result = f"shape {shape}"
    except Exception as error:
        shape, result = None, f"{type(error).__name__}: {error}"
    if shape != (2,):
        raise ValueError(
            f"{statistic.__name__} must return values of shape (2,) for "
            f"{metric.evidence.stack_hint}, got {result}."
        )
    if metric.gradient is not None:
        try:
            kind = metric.evidence
            kind.influence(metric, kind.example(_TRIED_SCALE, (2,)))
        except ValueError:
            raise
        except Exception as error:
            raise ValueError(
                f"gradient must return derivatives of {metric.name}, got {type(error).__name__}: "
                f"{error}."
            ) from error


def _check_facts(
    greater_is_better: Any,
    bounds: Any,
    chance_level: Any,
    properties: Any,
    interval_method: Any,
    interval_scale: Any,
) -> None:
    checks.check_bool("greater_is_better", greater_is_better, or_none=True)
    if chance_level is not None and not (
        checks.is_real(chance_level) and math.isfinite(chance_level)
    ):
        raise ValueError(
            f"chance_level must be a finite number, or None if it is not known, got "
            f"{checks.shown(chance_level)}."
        )
    checks.check_choice("interval_method", interval_method, IntervalMethod)
    checks.check_choice("interval_scale", interval_scale, IntervalScale)
    if not callable(bounds):
        is_pair = isinstance(bounds, (tuple, list)) and len(bounds) == 2
        if not is_pair or not all(map(checks.is_real, bounds)) or bounds[0] >= bounds[1]:
            raise ValueError(
                f"bounds must be the lowest and the highest value, got {checks.shown(bounds)}."
            )
    choices = get_args(Property)
    if properties is None or callable(properties):
        return
    is_collection = isinstance(properties, (list, tuple, Set))
    if not is_collection or not all(isinstance(p, str) and p in choices for p in properties):
        raise ValueError(
            f"properties must be a collection of {choices}, got {checks.shown(properties)}."
        )
