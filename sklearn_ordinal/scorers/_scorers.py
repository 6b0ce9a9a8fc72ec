"""Scorer objects, created from the catalogue of metrics."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    METRICS,
    Evidence,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScale,
    as_numbers,
    as_scale,
    check_choice,
    check_weights,
    encode_one,
    get_metric,
    listed,
    options_as_text,
    or_undefined,
    output_pairs,
    score_if_undefined,
    statistic_of,
    title_of,
    unknown_order_finding,
    warn_caller,
    without_code_warnings,
)
from sklearn_ordinal.metrics import aggregated, output_values
from sklearn_ordinal.scorers._estimator_scorer import OrdinalScorer
from sklearn_ordinal.scorers._scorer_names import metric_named

Scorer: TypeAlias = Callable[..., float]

# A search turns errors into NaN, and shows this in its warning.
_FOR_SEARCHES = 'In a search, pass error_score="raise", so that it stops at such an error.'


@dataclass(frozen=True, repr=False)
class ScoreFunction:
    """A metric with an order of the classes and a replacement for undefined values.

    This is a class rather than a partial because its signature must not have `labels`:
    LogisticRegressionCV passes the sorted classes to score functions that have it.

    `codes` are integers that an estimator passes in place of the strings of `scale`, each at the
    position of its class.
    """

    metric: OrdinalMetric
    scale: OrdinalScale | None = None
    multioutput: ArrayLike | None = None
    codes: OrdinalScale | None = None

    def __post_init__(self) -> None:
        # This is an attribute because a property could not be pickled by value.
        object.__setattr__(self, "__name__", self.metric.name)

    def __repr__(self) -> str:
        return self._call(None if self.scale is None else listed(self.scale.labels))

    def __call__(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
    ) -> float:
        try:
            with without_code_warnings():
                return self._value(y_true, y_pred, sample_weight)
        except ValueError as error:
            # Raise here, since cross-validation repeats the traceback for each fold.
            if message := self.message_for_unknown_order(y_true):
                raise ValueError(message) from None
            error.add_note(_FOR_SEARCHES)
            raise

    def scale_for(self, y_true: ArrayLike) -> OrdinalScale | None:
        """Return the scale of the classes as they are passed, which may be codes."""
        if self.codes is not None and np.asarray(y_true).dtype.kind in "iu":
            return self.codes
        return self.scale

    def message_for_unknown_order(self, y_true: ArrayLike) -> str | None:
        """Return the message if the order of the classes is not known, else None."""
        if self.scale is not None:
            return None
        columns = [y_true]
        if self.multioutput is not None:
            columns = [true for true, _ in output_pairs(y_true, y_true)]
        findings = [unknown_order_finding(column, "y_true") for column in columns]
        finding = next(filter(None, findings), None)
        return finding and (
            f"{finding}: pass scoring={self._call('[...]')}, with all classes from the lowest to "
            f'the highest; pass error_score="raise" too, so that a search stops at such an error.'
        )

    def _call(self, labels: str | None) -> str:
        """Return the call of `make_ordinal_scorer` with these labels."""
        metric, options = self.metric, self.metric.options
        name = title_of(metric.function or statistic_of(metric))
        if metric.name in METRICS:
            name, defaults = repr(metric.scorer_name), METRICS[metric.name].options
            options = {k: value for k, value in options.items() if k not in defaults}
        arguments = [name, options_as_text(options)] if options else [name]
        if labels is not None:
            arguments.append(f"labels={labels}")
        if self.multioutput is not None:
            arguments.append(f"multioutput={self.multioutput!r}")
        return f"make_ordinal_scorer({', '.join(arguments)})"

    def _value(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
    ) -> float:
        labels = self.scale_for(y_true)
        if OrdinalForecasts in self.metric.evidence.accepts and np.ndim(y_pred) != 1:
            # Without the estimator, the columns are assumed to be in sorted order, like its
            # classes.
            scale, _ = encode_one(y_true, labels, name="y_true")
            classes = sorted(scale.labels.tolist())
            forecasts = OrdinalForecasts.from_probabilities(
                y_true, y_pred, labels=scale, classes=classes, sample_weight=sample_weight
            )
            return self._value_of(forecasts)
        if self.multioutput is None:
            kind = self.metric.evidence
            return self._value_of(
                kind.read(y_true, y_pred, labels=labels, sample_weight=sample_weight)
            )
        values = output_values(self.metric, y_true, y_pred, labels, sample_weight)
        return float(aggregated(np.array([*map(self._defined, values)]), self.multioutput))

    def of_estimator(
        self,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        respond: Callable[[str], Any],
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the value for the responses of a fitted estimator."""
        if self.multioutput is not None:
            return self(y_true, respond("predict"), sample_weight=sample_weight)
        try:
            with without_code_warnings():
                evidence = self.metric.evidence.of_estimator(
                    estimator,
                    X,
                    y_true,
                    labels=self.scale_for(y_true),
                    sample_weight=sample_weight,
                    respond=respond,
                )
        except ValueError as error:
            if message := self.message_for_unknown_order(y_true):
                raise ValueError(message) from None
            error.add_note(_FOR_SEARCHES)
            raise
        return self._value_of(evidence)

    def _value_of(self, evidence: Evidence) -> float:
        return self._defined(float(self.metric(evidence)))

    def _defined(self, value: float) -> float:
        """Return the value, or what replaces it with a warning if it is undefined."""
        if not math.isnan(value):
            return value
        name, replacement = self.metric.name, score_if_undefined(self.metric)
        if math.isnan(replacement) or "replace_undefined_by" in self.metric.options:
            reason = "see the documentation of the metric for when that is"
            return or_undefined(value, math.nan, name, reason)
        # A constant text, which Python shows once unless its record is reset in between.
        warn_caller(
            f"{name} is undefined for some samples, such as those of a fold with a single class, "
            f"and scored as {replacement:g} there.",
            UndefinedMetricWarning,
            way_out="Pass replace_undefined_by= to make_ordinal_scorer to score it differently.",
        )
        return replacement


def make_ordinal_scorer(
    name: str | Callable[..., Any],
    *,
    labels: Any = None,
    multioutput: ArrayLike | None = None,
    **options: Any,
) -> Scorer:
    """Make a scorer with a given order of the classes, or with other options.

    Parameters
    ----------
    name : str or callable
        Name of the scorer, such as "cem_ord" or "neg_ordinal_mean_absolute_error", or the
        function of a metric. A function that needs an option is passed as a `functools.partial`.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken in each fold from an
        ordered dtype or from integers; required for strings.
    multioutput : "mean" or array-like of shape (n_outputs,), default=None
        How to aggregate the outputs of two-dimensional targets: by their mean, or by a
        mean with these weights. If None, targets are one-dimensional.
    **options : dict
        Options of the metric function, such as ``n=2`` for "within_1_accuracy".

    Returns
    -------
    callable
        Scorer with the signature ``scorer(estimator, X, y)``. Losses are negated, so
        higher is better. It can be pickled and is accepted wherever scikit-learn takes
        ``scoring=``. If the metric needs probabilities, their columns are matched to the
        ``classes_`` of the estimator.

    Raises
    ------
    ValueError
        If `name` is unknown, the metric has no such option, an option is invalid,
        `labels` are not one-dimensional and distinct, or `multioutput` is invalid or given
        for a metric of probabilities or scores.

    See Also
    --------
    sklearn.metrics.get_scorer : A scorer by its name, without options.
    get_metric_names : The names of the metrics; names of losses get the prefix ``neg_``.

    Notes
    -----
    An undefined value, such as a correlation with constant predictions, is scored as 0.0
    if this is the chance level of the metric, else as its worst value, if it has one, with
    an `UndefinedMetricWarning`. Therefore a constant candidate loses a search instead of
    breaking it. Perfect predictions of a fold with a single class are scored in the same way.
    Pass ``replace_undefined_by`` to score undefined values differently and without a warning.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_ordinal import make_ordinal_scorer
    >>> X, y = [[0], [1], [2], [3]], ["low", "mid", "mid", "high"]
    >>> scorer = make_ordinal_scorer("cem_ord", labels=["low", "mid", "high"])
    >>> scorer(DummyClassifier().fit(X, y), X, y)
    0.6
    """
    metric = metric_named(name)
    if options:
        function = metric.function or statistic_of(metric)
        metric = get_metric(partial(function, **{**metric.options, **options}))
    if isinstance(multioutput, str):
        check_choice("multioutput", multioutput, Literal["mean"])
    elif multioutput is not None:
        weights = np.atleast_1d(as_numbers("multioutput", multioutput))
        multioutput = tuple(check_weights("multioutput", weights, weights.size).tolist())
    if not metric.evidence.methods:
        raise ValueError(
            f"name must be a metric of what an estimator predicts, but {metric.name} needs "
            f"{metric.evidence.noun}."
        )
    if multioutput is not None and OrdinalConfusion not in metric.evidence.accepts:
        raise ValueError(
            f"multioutput must be None for {metric.scorer_name}, which needs "
            f"{metric.evidence.noun}, not labels."
        )
    scale = None if labels is None else as_scale(labels)
    score_function = ScoreFunction(metric, scale, multioutput)
    if scale is not None:
        # Evaluate once, since cross-validation would turn the error of a bad option into NaN.
        metric(metric.evidence.example(scale))
    scorer = OrdinalScorer(score_function)
    # The learning and validation curves of scikit-learn label their axes with this name.
    scorer.__name__ = metric.scorer_name
    return cast(Scorer, scorer)
