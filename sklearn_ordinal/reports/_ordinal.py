"""The report of one confusion matrix, in the form of scikit-learn's classification report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    ByMetric,
    EstimatorMetric,
    MetricsLike,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    check_dict,
    check_distinct_names,
    check_fitted,
    check_instance,
    check_integer,
    check_one_matrix,
    check_shares,
    check_shares_of_sizes,
    check_target_names,
    evidence_of,
)
from sklearn_ordinal.reports._checks import (
    check_digits,
    check_metrics,
    check_prevalence,
    check_provenance,
    check_score,
)
from sklearn_ordinal.reports._criteria import (
    ALL_KINDS,
    chosen_metrics,
    kinds_of_criteria,
    metrics_of_predictions,
    values_of_evidence,
)
from sklearn_ordinal.reports._measures import (
    ZeroDivision,
    averages_of,
    check_measures,
    check_zero_division,
    measures_per_class,
    warn_of_undefined_measures,
)
from sklearn_ordinal.reports._ordinal_views import OrdinalReportViews
from sklearn_ordinal.reports._prevalence import samples_at_prevalence
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._saved import saved
from sklearn_ordinal.reports._thresholds import check_thresholds, measures_per_threshold


@saved
@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport(OrdinalReportViews):
    """Measures of each class, their averages, and the values of criteria.

    Make one with `from_predictions`, `from_estimator` or `from_confusion`; `str` gives
    the text, notebooks show a table.

    Parameters
    ----------
    confusion : OrdinalConfusion
        The counts from which all numbers are computed.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    per_class : mapping of str to ndarray of shape (n_classes,)
        Measures of each class: "precision", "recall", "f1-score",
        "mean_absolute_error" (mean distance, in positions on the scale, of the samples
        of the class), "bias" (their mean signed error; positive: predicted too high),
        "within_1" (share of them at most one class away) and "support".
    averages : mapping of str to mapping of str to float
        "macro avg" and "weighted avg" of these measures.
    criteria : mapping of str to float
        The value of each criterion by its name, NaN where undefined.
    metrics : mapping of str to OrdinalMetric
        These criteria.
    digits : int, default=2
        Number of digits after the decimal point in text and tables.
    forecasts : OrdinalForecasts, default=None
        The probabilities from which criteria of probabilities and the measures of the
        thresholds are computed.
    per_threshold : mapping of str to ndarray of shape (n_classes - 1,), default={}
        Measures of each threshold between neighbouring classes, if there are
        probabilities: "prevalence" (share of the samples above it), "roc_auc" and
        "equal_error_rate" (of the expected position), and "miscalibration",
        "discrimination" and "uncertainty", the parts of the ranked probability score.
    prevalence : ndarray of shape (n_classes,), default=None
        Share of each true class to which the counts and forecasts are weighted; None if the
        classes have their own sizes.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.

    Raises
    ------
    ValueError
        If fields are of another type or do not fit each other, or a value is outside its
        range.

    See Also
    --------
    ordinal_report : The same as text or dict in one call.
    sklearn.metrics.classification_report : Precision, recall and f1 without order.

    Notes
    -----
    Every class of the scale has a row, even if it does not occur. Precision, recall and
    f1 are averaged over the classes that occur as true or predicted classes, the other
    measures over the true classes, so a class that never occurs changes no average.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalReport
    >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
    >>> report.criteria["cem_ord"]
    0.7486...
    >>> report.per_class["bias"]
    array([ 0. ,  0.5, -0.5])
    """

    confusion: OrdinalConfusion
    target_names: tuple[str, ...]
    per_class: Mapping[str, NDArray[Any]]
    averages: Mapping[str, Mapping[str, float]]
    criteria: Mapping[str, float]
    metrics: Mapping[str, OrdinalMetric] = field(default_factory=dict)
    digits: int = 2
    forecasts: OrdinalForecasts | None = None
    per_threshold: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    prevalence: NDArray[np.float64] | None = None
    provenance: Provenance | None = field(default=None, compare=False)

    _by_metric: ClassVar[tuple[str, ...]] = ("criteria",)

    def __post_init__(self) -> None:
        check_instance("confusion", self.confusion, OrdinalConfusion)
        check_one_matrix(self.confusion, may_be_unanswered=True)
        scale, size = self.confusion.scale, len(self.confusion.scale)
        check_distinct_names("target_names", self.target_names)
        check_target_names(self.target_names, scale)
        check_measures(self.per_class, self.averages, size)
        check_metrics(self.metrics, at_least=0)
        check_dict("criteria", self.criteria, object, keys=self.metrics)
        for name, metric in self.metrics.items():
            check_score(f"criteria[{name!r}]", self.criteria[name], metric, size)
        check_digits(self.digits)
        check_instance("forecasts", self.forecasts, OrdinalForecasts, or_none=True)
        if self.forecasts is not None and (
            self.forecasts.scale != scale or self.forecasts.weights.ndim != 1
        ):
            raise ValueError(
                f"forecasts must be on the scale of confusion and no stack, got {self.forecasts!r}."
            )
        check_thresholds(self.per_threshold, 0 if self.forecasts is None else size)
        check_prevalence(self.prevalence, size)
        check_provenance(self.provenance)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        y_proba: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        unanswered: Literal["raise", "count"] = "raise",
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        y_proba : array-like of shape (n_samples, n_classes), default=None
            Predicted probabilities of the classes from the lowest to the highest, for the
            criteria of probabilities and the measures of the thresholds.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction (NaN, None or NA in `y_pred`):
            raise an error, or count them. Counted, they are errors that earn nothing in
            the closeness family; the other criteria, and the measures of the classes,
            leave them out, and each view says so.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the
            package that can be computed. If None, the six of `cross_val_report`, and with
            `y_proba` six of probabilities.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all measures and
            criteria are computed, see `OrdinalConfusion.at_prevalence`. If None, the classes
            have their own sizes.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`,
            `prevalence` does not have a share for each class, rows of `y_proba` are not
            probabilities of these classes, a criterion is not known or needs the estimator or
            probabilities that are not given, or `target_names` does not name each class once.
        """
        confusion = OrdinalConfusion.from_predictions(
            y_true, y_pred, labels=labels, sample_weight=sample_weight, unanswered=unanswered
        )
        scale: Any = confusion.scale
        forecasts = None
        if y_proba is not None:
            forecasts = OrdinalForecasts.from_probabilities(
                y_true, y_proba, labels=scale, sample_weight=sample_weight
            )
        return cls._of_evidence(
            confusion,
            metrics_of_predictions(metrics, ("labels",) if forecasts is None else ALL_KINDS),
            {},
            Provenance.of_now(),
            forecasts=forecasts,
            target_names=target_names,
            prevalence=prevalence,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        unanswered: Literal["raise", "count"] = "raise",
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on the predictions of a fitted estimator.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction (NaN, None or NA predicted):
            raise an error, or count them. Counted, they are errors that earn nothing in
            the closeness family; the other criteria, and the measures of the classes,
            leave them out, and each view says so.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the
            package that can be computed. If None, the six of `cross_val_report`, and six
            of probabilities if the estimator has `predict_proba`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all measures and
            criteria are computed, see `OrdinalConfusion.at_prevalence`. If None, the classes
            have their own sizes.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, a
            criterion is not known, or needs the estimator although there are weights or a
            prevalence, or `target_names` does not name each class once.
        AttributeError
            If a criterion needs probabilities and the estimator has no `predict_proba`.
        """
        check_fitted(estimator)
        kinds = kinds_of_criteria([estimator])
        chosen = metrics_of_predictions(metrics, kinds)
        of_estimator = [metric for metric in chosen if isinstance(metric, EstimatorMetric)]
        for name, value in {"sample_weight": sample_weight, "prevalence": prevalence}.items():
            if of_estimator and value is not None:
                raise ValueError(
                    f"{name} cannot be used with {of_estimator[0].name}, whose scorer is called "
                    f"without weights: leave one of the two out."
                )
        known = {metric.name: metric.of_estimator(estimator, X, y) for metric in of_estimator}
        needed = {metric.evidence for metric in chosen if metric.name not in known}
        forecasts, scale = None, cast(Any, labels)
        if "probabilities" in kinds or needed & {"probabilities", "scores"}:
            evidence = evidence_of(
                "probabilities" if "probabilities" in needed else "scores",
                estimator,
                X,
                y,
                labels=labels,
                sample_weight=sample_weight,
            )
            if isinstance(evidence, OrdinalForecasts):
                forecasts, scale = evidence, evidence.scale
            else:
                if prevalence is not None:
                    shares = check_shares("prevalence", prevalence, len(evidence.scale))
                    evidence = samples_at_prevalence(evidence, shares)
                of_scores = (metric for metric in chosen if metric.evidence == "scores")
                known |= {metric.name: metric(evidence) for metric in of_scores}
        confusion = OrdinalConfusion.from_predictions(
            y,
            estimator.predict(X),
            labels=scale,
            sample_weight=sample_weight,
            unanswered=unanswered,
        )
        return cls._of_evidence(
            confusion,
            chosen,
            known,
            Provenance.of_now(estimators={"estimator": estimator}),
            forecasts=forecasts,
            target_names=target_names,
            prevalence=prevalence,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on counts, for example of all folds together.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the
            package. If None, the six of `cross_val_report`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all measures and
            criteria are computed, see `OrdinalConfusion.at_prevalence`. If None, the classes
            have their own sizes.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of a precision, recall or f1 that is undefined. "warn" is 0.0 with a
            warning; the others also silence the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the counts are a stack of matrices or hold no samples, a criterion is not
            known or needs the estimator, or `target_names` does not name each class
            once.
        """
        return cls._of_evidence(
            confusion,
            chosen_metrics(metrics),
            {},
            Provenance.of_now(),
            target_names=target_names,
            prevalence=prevalence,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def _of_evidence(
        cls,
        confusion: OrdinalConfusion,
        metrics: Iterable[OrdinalMetric],
        known: Mapping[str, float],
        provenance: Provenance | None,
        *,
        forecasts: OrdinalForecasts | None = None,
        target_names: Sequence[str] | None = None,
        prevalence: ArrayLike | None = None,
        digits: int = 2,
        zero_division: ZeroDivision = 0.0,
    ) -> Self:
        """Report on evidence, with the values of criteria that are known already."""
        check_one_matrix(confusion, may_be_unanswered=True)
        shares = None
        if prevalence is not None:
            shares = check_shares_of_sizes(
                "prevalence", prevalence, confusion.class_counts, confusion.labels
            )
            confusion = confusion.at_prevalence(shares)
            if forecasts is not None:
                forecasts = samples_at_prevalence(forecasts, shares)
        check_integer("digits", digits, at_least=0)
        names = check_target_names(target_names, confusion.scale)
        replacement = check_zero_division(zero_division)
        per_class = measures_per_class(confusion.counts)
        is_silent = zero_division != "warn"
        criteria = values_of_evidence(metrics, confusion, forecasts, known, is_silent=is_silent)
        if not is_silent:
            warn_of_undefined_measures(per_class, criteria, names)
        for column in ("precision", "recall", "f1-score"):
            per_class[column] = np.where(
                np.isnan(per_class[column]), replacement, per_class[column]
            )
        return cls(
            confusion=confusion,
            target_names=names,
            per_class=per_class,
            averages=averages_of(per_class, confusion.counts),
            criteria=criteria,
            metrics=ByMetric({metric.name: metric for metric in metrics}),
            digits=digits,
            forecasts=forecasts,
            per_threshold={} if forecasts is None else measures_per_threshold(forecasts),
            prevalence=shares,
            provenance=provenance,
        )
