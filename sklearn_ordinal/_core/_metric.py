"""A metric: a function with its options and metadata."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Never, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core._checks import (
    as_class_numbers,
    check_amounts,
    check_choice,
    check_integer,
    shown,
)
from sklearn_ordinal._core._confusion import OrdinalConfusion
from sklearn_ordinal._core._forecasts import OrdinalForecasts
from sklearn_ordinal._core._influence import Gradient, Influence
from sklearn_ordinal._core._kind import Kind
from sklearn_ordinal._core._kinds import LABELS, kind_named, own_kind
from sklearn_ordinal._core._protocols import Evidence, Statistic
from sklearn_ordinal._core._ratings import OrdinalRatings
from sklearn_ordinal._core._scores import OrdinalScores
from sklearn_ordinal._core._warnings import warn_caller

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
        does not matter which rater gives which grade) and "complete items" (items that some
        raters do not grade are left out). The first six are about data in which every class
        occurs in the truth. If the properties depend on the options of the metric, pass a
        function that takes these options and returns the properties. None if the properties are
        not known.
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
    evidence: Kind = LABELS
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
                f"name must be a string that names the metric, got {shown(self.name)}."
            )
        if not callable(self.statistic):
            raise ValueError(
                f"statistic must be a function of evidence, got {shown(self.statistic)}."
            )
        check_choice("interval_method", self.interval_method, IntervalMethod)
        check_choice("interval_scale", self.interval_scale, IntervalScale)
        if not isinstance(self.evidence, Kind):
            object.__setattr__(self, "evidence", kind_named(self.evidence))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shown(self.name)})"

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
        return metric_for(self, [own_kind(evidence)])

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
        sizes = as_class_numbers("class_counts", class_counts).astype(np.float64, copy=False)
        if not sizes.ndim or not sizes.shape[-1]:
            raise ValueError(
                f"class_counts must have shape (..., n_classes), got shape {sizes.shape}."
            )
        check_amounts("class_counts", sizes)
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
                warn_caller(
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
        check_integer("n_classes", n_classes, at_least=1)
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
