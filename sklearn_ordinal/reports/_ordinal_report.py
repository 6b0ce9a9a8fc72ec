"""The report of the predictions of one system, laid out like a classification report."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, Any, Literal, Self, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    KINDS,
    LABELS,
    METRICS,
    PROBABILITIES,
    ByMetric,
    ClassReadingOptions,
    Evidence,
    MetricsLike,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalRatings,
    ReadingOptions,
    TrueClasses,
    check_bool,
    check_choice,
    check_evidence_prevalence,
    check_fitted,
    check_instance,
    check_integer,
    check_nothing_beside,
    check_one_matrix,
    check_shares,
    check_target_names,
    clusters_in,
    common_kind,
    evidence_at_prevalence,
    evidence_from_json,
    evidence_to_json,
    in_repr,
    is_evidence,
    joined_by_item,
    listed,
    n_unanswered,
    options_on_scale,
    own_kind,
    read_confusion,
    shown,
    takes_reading,
    threshold_names,
    warn_caller,
    without_class_options,
    without_samples,
)
from sklearn_ordinal._documents import (
    Document,
    FilePath,
    Views,
    check_digits,
    decoded,
    encoded,
    load,
    plain,
    plural,
)
from sklearn_ordinal.inference import Interval, delta_interval
from sklearn_ordinal.metrics import closeness_losses
from sklearn_ordinal.plotting import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
    OrdinalRocCurveDisplay,
    ThresholdCalibrationDisplay,
)
from sklearn_ordinal.reports._criteria import (
    available_kinds,
    chosen_metrics,
    metric_from_json,
    metric_to_json,
    metrics_for,
    takes_labels,
)
from sklearn_ordinal.reports._diagnostics import (
    Diagnostics,
    diagnostic_records,
    diagnostics_to_dict,
    diagnostics_with_intervals,
)
from sklearn_ordinal.reports._measures import (
    ZeroDivision,
    check_zero_division,
    measure_averages,
    measures_per_class,
    measures_per_threshold,
    warn_undefined_measures,
)
from sklearn_ordinal.reports._ordinal_document import ordinal_document, report_ladder
from sklearn_ordinal.reports._provenance import Provenance, provenance_from_json
from sklearn_ordinal.reports._rating_ceilings import (
    CEILING_LEVEL,
    ceiling_record,
    ceilings_by_metric,
    may_have_ceiling,
)
from sklearn_ordinal.reports._sections import direction_as_text, n_left_out, unanswered_as_text

# The keys of `to_dict` that are not classes.
_NOT_FOR_CLASSES = {
    "accuracy",
    "macro avg",
    "weighted avg",
    "criteria",
    "thresholds",
    "intervals",
    "diagnostics",
    "unanswered",
    "answered",
    "of_answered",
    "prevalence",
    "ceilings",
}


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport(Views):
    """Measures of each class, their averages, and the values of criteria.

    Create it with `from_predictions`, `from_estimator` or `from_confusion`. `str` gives the text,
    and notebooks show a table and a plot.

    Parameters
    ----------
    evidence : tuple of evidence
        The evidence from which all numbers are computed: an `OrdinalConfusion`, `OrdinalForecasts`,
        both, or other evidence. All of it is on one scale.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    per_class : mapping of str to ndarray of shape (n_classes,)
        Measures of each class: "precision", "recall", "f1-score",
        "mean_absolute_error" (mean distance between the predictions and the class, in positions on
        the scale), "bias" (mean signed error; positive if the predictions are too high), "within_1"
        (share of predictions at most one class away) and "support". Empty without predicted
        classes.
    averages : mapping of str to mapping of str to float
        "macro avg" and "weighted avg" of these measures. Empty without predicted classes.
    criteria : mapping of str to float
        The value for each criterion name, NaN where undefined.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    digits : int, default=2
        Number of digits after the decimal point in text and tables.
    per_threshold : mapping of str to ndarray of shape (n_classes - 1,), default={}
        Measures of each threshold between neighbouring classes, if there are
        probabilities: "prevalence" (share of the samples above it), "roc_auc" and
        "equal_error_rate" (of the expected position), and "miscalibration",
        "discrimination" and "uncertainty", the parts of the ranked probability score.
    prevalence : ndarray of shape (n_classes,), default=None
        Class shares to which the evidence is weighted. If None, the observed class sizes are used.
    diagnostics : mapping of str to mapping of str to tuple of Interval, default=None
        For "threshold" and "class", the sensitivity, specificity, positive and negative predictive
        value, and positive and negative likelihood ratio, with an interval for each threshold or
        class from the lowest to the highest. None unless they were asked for.
    ceilings : mapping of str to Ceiling, default={}
        How good a prediction of the grade of a rater can be, for each criterion of predicted
        classes, if the true classes are the grades of several raters; see `rating_ceilings`.
    intervals : mapping of str to Interval, default={}
        The 95% interval of each criterion that has influences, if intervals were asked for.
    n_clusters : int, default=None
        Number of clusters in which the samples were drawn, None without clusters.
    cluster_name : str, default=""
        Name of the column of clusters, such as "patient"; empty if it is not known. It is ignored
        when reports are compared.
    zero_division : float, default=0.0
        Value of an undefined precision, recall or f1.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    confusion : OrdinalConfusion or None
        The counts, if there are predicted classes.
    forecasts : OrdinalForecasts or None
        The probabilities, if there are any.

    See Also
    --------
    ordinal_report : Return the report as text or dict in one call.
    sklearn.metrics.classification_report : Precision, recall and f1 of nominal classes.

    Notes
    -----
    Every class of the scale has a row, even if it does not occur. Precision, recall and
    f1 are averaged over the classes that occur as true or predicted classes, and the other
    measures over the classes that occur as true classes. A class that never occurs
    therefore changes no average.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalReport
    >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
    >>> report.criteria["cem_ord"]
    0.7486...
    >>> report.per_class["bias"]
    array([ 0. ,  0.5, -0.5])
    """

    evidence: tuple[Evidence, ...]
    target_names: tuple[str, ...]
    per_class: Mapping[str, NDArray[Any]]
    averages: Mapping[str, Mapping[str, float]]
    criteria: Mapping[str, float]
    metrics: Mapping[str, OrdinalMetric] = field(default_factory=dict)
    digits: int = 2
    per_threshold: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    prevalence: NDArray[np.float64] | None = None
    diagnostics: Diagnostics | None = None
    ceilings: ByMetric = field(default_factory=ByMetric)
    intervals: ByMetric = field(default_factory=ByMetric)
    n_clusters: int | None = None
    cluster_name: str = ""
    zero_division: float = 0.0
    provenance: Provenance | None = None

    @classmethod
    def from_json(cls, path: FilePath | IO[str]) -> Self:
        """Read a report that `to_json` or the command ``sklearn-ordinal`` has written.

        The report is computed again from the evidence in the file.

        Parameters
        ----------
        path : str, path-like or file object
            The file, or a file that is open for reading, such as ``sys.stdin``.

        Returns
        -------
        OrdinalReport
            The report, without `ceilings`, which need the grades of the raters.

        Raises
        ------
        ValueError
            If the file does not contain a report, is damaged, or was written by a newer version.
        OSError
            If the file cannot be read.

        Warns
        -----
        UserWarning
            If criteria are left out, since they are not defined here, such as your own functions,
            or need the estimator; or intervals and diagnostics are left out, since the file keeps
            neither clusters nor soft labels of the samples.
        """
        return load(path, cls.__name__, cls._from_saved)

    def _saved_fields(self) -> dict[str, Any]:
        options = {
            "target_names": list(self.target_names),
            "digits": self.digits,
            "intervals": len(self.intervals) > 0,
            "diagnostics": self.diagnostics is not None,
            "zero_division": self.zero_division,
            # The evidence is already weighted to these shares.
            "prevalence": self.prevalence,
            "n_clusters": self.n_clusters,
            "cluster_name": self.cluster_name,
            "provenance": None if self.provenance is None else self.provenance.to_dict(),
        }
        return {
            "evidence": [
                {"type": type(part).__name__, "fields": evidence_to_json(part)}
                for part in self.evidence
            ],
            "metrics": [metric_to_json(metric) for metric in self.metrics.values()],
            **{name: encoded(name, value) for name, value in options.items()},
        }

    @classmethod
    def _from_saved(cls, fields: dict[str, Any]) -> Self:
        """Return the report that was saved, from fields that may be damaged."""
        readers = {reader.__name__: reader for kind in KINDS for reader in kind.accepts}
        evidence = [evidence_from_json(readers[p["type"]], p["fields"]) for p in fields["evidence"]]
        _check_evidence(evidence)
        found = {m["name"]: metric_from_json(m, evidence) for m in fields["metrics"]}
        if unknown := [name for name, metric in found.items() if metric is None]:
            warn_caller(
                f"criteria are left out that are not defined here, or need more than the evidence "
                f"in the file: {', '.join(unknown)}.",
                way_out="Pass your own functions and the evidence of the report to "
                "OrdinalReport.from_predictions.",
            )
        options = {
            name: decoded(value)
            for name, value in fields.items()
            if name not in ("evidence", "metrics")
        }
        facts = {name: options.pop(name) for name in ("prevalence", "n_clusters", "cluster_name")}
        provenance = provenance_from_json(options.pop("provenance"))
        has_lost_samples = any(
            isinstance(part, OrdinalConfusion) and (part.is_clustered or part.has_soft_labels)
            for part in evidence
        )
        if has_lost_samples and (options["intervals"] or options["diagnostics"]):
            options |= {"intervals": False, "diagnostics": False}
            warn_caller(
                "intervals and diagnostics are left out, since the file does not keep the clusters "
                "or soft labels of the samples."
            )
        metrics = [metric for metric in found.values() if metric is not None]
        report = cls._from_evidence(evidence, metrics, {}, provenance, ceilings=None, **options)
        if facts["prevalence"] is not None:
            facts["prevalence"] = check_shares("prevalence", facts["prevalence"], report.n_classes)
        if facts["n_clusters"] is not None:
            check_integer("n_clusters", facts["n_clusters"], at_least=1)
        check_instance("cluster_name", facts["cluster_name"], str)
        return replace(report, **facts)

    @property
    def confusion(self) -> OrdinalConfusion | None:
        """The counts of true and predicted classes, None if there are no predicted classes."""
        return cast(OrdinalConfusion | None, LABELS.pick(self.evidence))

    @property
    def forecasts(self) -> OrdinalForecasts | None:
        """The probabilities, None if there are none."""
        return cast(OrdinalForecasts | None, PROBABILITIES.pick(self.evidence))

    @classmethod
    @takes_reading(ClassReadingOptions)
    def from_predictions(
        cls,
        y_true: TrueClasses | Evidence,
        y_pred: ArrayLike | None = None,
        *,
        y_proba: ArrayLike | OrdinalForecasts | None = None,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
        **reading: Unpack[ClassReadingOptions],
    ) -> Self:
        """Report on predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
            True classes; or soft labels, as in `OrdinalConfusion.from_soft_labels`; or an
            `OrdinalConfusion`, `OrdinalForecasts` or other evidence, passed
            instead of the arrays and their options, such as `labels`.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes.
        **reading
        y_proba : array-like of shape (n_samples, n_classes) or OrdinalForecasts, default=None
            Predicted probabilities of the classes from the lowest to the highest, for the criteria
            of probabilities and the measures of the thresholds. Pass `OrdinalForecasts` if `y_true`
            is an `OrdinalConfusion`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report` for
            predicted classes, six criteria of probabilities for probabilities, and all criteria for
            other evidence.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`. If the samples come in clusters, such as
            patients, pass an `OrdinalConfusion` that was created with them.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`. If the samples come
            in clusters, such as patients, pass an `OrdinalConfusion` that was created with them.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

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
        evidence = _read_evidence(y_true, y_pred, y_proba, reading)
        criteria = metrics_for(metrics, evidence)
        ceilings = ByMetric()
        # At other class sizes, the best predictions are others.
        if isinstance(y_true, OrdinalRatings) and y_pred is not None and prevalence is None:
            ceilings = _ceilings(y_true, criteria, reading.get("sample_weight"))
        return cls._from_evidence(
            evidence,
            criteria,
            {},
            Provenance.of_now(),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
            digits=digits,
            zero_division=zero_division,
            ceilings=ceilings,
        )

    @classmethod
    @takes_reading(ClassReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
        **reading: Unpack[ClassReadingOptions],
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
        **reading
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`, and six
            criteria of probabilities if the estimator has `predict_proba`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`. If the samples come in clusters, such as
            patients, pass an `OrdinalConfusion` that was created with them.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`. If the samples come
            in clusters, such as patients, pass an `OrdinalConfusion` that was created with them.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, a criterion is not
            known, a criterion that needs the estimator is combined with weights or a prevalence, or
            `target_names` does not name each class once.
        AttributeError
            If a criterion needs probabilities and the estimator has no `predict_proba`.
        """
        check_fitted(estimator)
        kinds = available_kinds([estimator])
        criteria = chosen_metrics(metrics, kinds, default_kinds=kinds)
        scorers = {m.name: m.scorer for m in criteria if m.scorer is not None}
        weighting = {"sample_weight": reading.get("sample_weight"), "prevalence": prevalence}
        for name, value in weighting.items():
            if scorers and value is not None:
                raise ValueError(
                    f"{name} cannot be used with {next(iter(scorers))}, whose scorer is called "
                    f"without weights: leave one of the two out."
                )
        values = {name: scorer(estimator, X, y) for name, scorer in scorers.items()}
        other_metrics = [metric for metric in criteria if not takes_labels(metric)]
        needed = {metric.evidence for metric in other_metrics if metric.name not in values}
        # The thresholds are shown whenever there are probabilities.
        needed |= {PROBABILITIES}.intersection(kinds)
        parts: list[Evidence] = []
        if needed:
            evidence: Any = common_kind(needed).of_estimator(
                estimator, X, y, **without_class_options(reading)
            )
            if isinstance(evidence, OrdinalForecasts):
                parts = [evidence]
                reading["labels"] = cast(Any, evidence.scale)
            else:
                if prevalence is not None:
                    shares = check_shares("prevalence", prevalence, len(evidence.scale))
                    evidence = evidence_at_prevalence(evidence, shares)
                values |= {
                    metric.name: metric(evidence)
                    for metric in criteria
                    if metric.evidence.pick([evidence]) is not None
                }
        confusion = OrdinalConfusion.from_predictions(y, estimator.predict(X), **reading)
        return cls._from_evidence(
            (confusion, *parts),
            criteria,
            values,
            Provenance.of_now(estimators={"estimator": estimator}),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
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
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on counts, for example the pooled counts of all folds.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`. If the samples come in clusters, such as
            patients, pass an `OrdinalConfusion` that was created with them.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`. If the samples come
            in clusters, such as patients, pass an `OrdinalConfusion` that was created with them.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the counts are a stack of matrices or contain no samples, a criterion is not
            known or needs the estimator, or `target_names` does not name each class
            once.
        """
        check_one_matrix(confusion, may_be_unanswered=True)
        return cls._from_evidence(
            (confusion,),
            chosen_metrics(metrics),
            {},
            Provenance.of_now(),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def _from_evidence(
        cls,
        evidence: Sequence[Evidence],
        metrics: Iterable[OrdinalMetric],
        values: Mapping[str, float],
        provenance: Provenance | None,
        *,
        target_names: Sequence[str] | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = 0.0,
        ceilings: ByMetric | None = None,
    ) -> Self:
        """Report on evidence, where the values of some criteria are already known."""
        _check_evidence(evidence)
        shares = None
        if prevalence is not None:
            shares, *_ = (check_evidence_prevalence(prevalence, part) for part in evidence)
            # Counts record that their shares are fixed, on which their standard errors depend.
            evidence = [
                part.at_prevalence(shares)
                if isinstance(part, OrdinalConfusion)
                else evidence_at_prevalence(part, shares)
                for part in evidence
            ]
        check_bool("intervals", intervals)
        check_bool("diagnostics", diagnostics)
        check_digits(digits)
        names = check_target_names(target_names, evidence[0].scale)
        n_clusters, cluster_name = clusters_in(evidence[0])
        replacement = check_zero_division(zero_division)
        is_silent = zero_division != "warn"
        criteria = _criteria_values(metrics, evidence, values, is_silent=is_silent)
        confusion, forecasts = LABELS.pick(evidence), PROBABILITIES.pick(evidence)
        if diagnostics and confusion is None:
            raise ValueError(
                "diagnostics must be False without predicted classes: pass y_pred, or the classes "
                "that the probabilities decide for."
            )
        per_class = {} if confusion is None else measures_per_class(confusion.counts)
        if not is_silent:
            warn_undefined_measures(per_class, criteria, names)
        for column in per_class.keys() & {"precision", "recall", "f1-score"}:
            per_class[column] = np.where(
                np.isnan(per_class[column]), replacement, per_class[column]
            )
        return cls(
            evidence=tuple(
                without_samples(part) if part is confusion else part for part in evidence
            ),
            target_names=names,
            per_class=per_class,
            averages={} if confusion is None else measure_averages(per_class, confusion.counts),
            criteria=criteria,
            metrics=ByMetric({metric.name: metric for metric in metrics}),
            digits=digits,
            per_threshold={} if forecasts is None else measures_per_threshold(forecasts),
            prevalence=shares,
            ceilings=ByMetric() if ceilings is None else ceilings,
            provenance=provenance,
            intervals=_criteria_intervals(metrics, evidence) if intervals else ByMetric(),
            diagnostics=diagnostics_with_intervals(confusion) if diagnostics else None,
            n_clusters=n_clusters,
            cluster_name=cluster_name,
            zero_division=replacement,
        )

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    def __repr__(self) -> str:
        values = (f"{name}={value:.{self.digits}f}" for name, value in self.criteria.items())
        facts = [f"{self.n_classes} {plural(self.n_classes, 'class')}", *islice(values, 1)]
        confusion = self.confusion
        if confusion is not None and n_unanswered(confusion):
            first = islice(self.metrics.values(), 1)
            left_out = any(n_left_out(metric, confusion) for metric in first)
            facts.append(unanswered_as_text(confusion) + (" left out" if left_out else ""))
        return f"OrdinalReport({in_repr(facts)})"

    def losses(self) -> NDArray[np.float64]:
        """Return the share of CEM_ORD that is lost by the samples of each cell.

        The shares add up to 1 - CEM_ORD. The share of a cell is its number of samples times
        the cost that `closeness_costs` returns for it, divided by the total closeness of perfect
        predictions.

        Returns
        -------
        ndarray of shape (n_classes, n_classes) or (n_classes, n_classes + 1)
            Losses in [0, 1], rows true, columns predicted: 0 on the diagonal. If the confusion
            counts samples without a prediction, the last column holds their losses.

        Raises
        ------
        ValueError
            If the report has no predicted classes.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalReport
        >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
        >>> report.losses().round(3)
        array([[0.   , 0.   , 0.   ],
               [0.   , 0.   , 0.126],
               [0.   , 0.126, 0.   ]])
        """
        confusion = self._required_confusion("losses")
        return closeness_losses(confusion.counts, confusion.unanswered)

    def plot_confusion_matrix(
        self, *, ax: Any = None, **options: Any
    ) -> OrdinalConfusionMatrixDisplay:
        """Draw the confusion matrix.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `OrdinalConfusionMatrixDisplay.plot`.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no predicted classes.
        """
        confusion = self._required_confusion("plot_confusion_matrix")
        return OrdinalConfusionMatrixDisplay.from_confusion(
            confusion, target_names=self.target_names, ax=ax, **options
        )

    def plot_errors(self, *, ax: Any = None, **options: Any) -> ErrorDistributionDisplay:
        """Draw the shares of predictions for each class that are too low or too high.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ErrorDistributionDisplay.plot`.

        Returns
        -------
        ErrorDistributionDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no predicted classes.
        """
        confusion = self._required_confusion("plot_errors")
        return ErrorDistributionDisplay.from_confusion(
            confusion, target_names=self.target_names, ax=ax, **options
        )

    def plot_roc(
        self, *, split: Literal["threshold", "class"] = "threshold", ax: Any = None
    ) -> OrdinalRocCurveDisplay:
        """Draw the ROC curves of the thresholds, or of the classes.

        Parameters
        ----------
        split : {"threshold", "class"}, default="threshold"
            Whether to draw a curve for each threshold, with samples ranked by their expected
            position on the scale, or for each class against the rest, with samples ranked by the
            probability of the class.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        OrdinalRocCurveDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or `split` is not known.
        """
        forecasts = self._required_forecasts("plot_roc")
        # With scores, the areas of the thresholds equal the areas in the table.
        check_choice("split", split, Literal["threshold", "class"])
        evidence = forecasts if split == "class" else forecasts.to_scores()
        display = OrdinalRocCurveDisplay(evidence, split=split, target_names=self.target_names)
        return display.plot(ax)

    def plot_calibration(self, *, ax: Any = None, **options: Any) -> ThresholdCalibrationDisplay:
        """Draw how well the probabilities are calibrated at each threshold.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ThresholdCalibrationDisplay`, such as `random_state`.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or an option is not valid.
        """
        forecasts = self._required_forecasts("plot_calibration")
        options = {"target_names": self.target_names, **options}
        return ThresholdCalibrationDisplay(forecasts, **options).plot(ax)

    def _required_confusion(self, method: str) -> OrdinalConfusion:
        if self.confusion is None:
            raise ValueError(
                f"{method} needs predicted classes: pass y_pred= or an OrdinalConfusion to "
                f"OrdinalReport.from_predictions."
            )
        return self.confusion

    def _required_forecasts(self, method: str) -> OrdinalForecasts:
        if self.forecasts is None:
            raise ValueError(
                f"{method} needs probabilities: pass y_proba= to OrdinalReport.from_predictions, "
                f"or use OrdinalReport.from_estimator with an estimator that has predict_proba."
            )
        return self.forecasts

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The classes (with predicted classes), the criteria, the thresholds (with probabilities),
            and plots.
        """
        return ordinal_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers in the layout of `classification_report`.

        Returns
        -------
        dict
            For each class name, "macro avg" and "weighted avg": a dict of the measures, where
            classes also have "n_samples" if the samples have weights; "accuracy": a float;
            "criteria": a dict of floats. If there are probabilities, "thresholds": for each
            threshold a dict of its measures. If there are intervals, "intervals": for each
            criterion with an interval, a dict of "value", "low" and "high". If there are diagnostic
            measures, "diagnostics": for "threshold" and "class", a dict by the name of the
            threshold or class of dicts by the measure of "value", "low" and "high". If samples
            without a prediction are counted, "unanswered" and "answered": the number of samples
            without and with a prediction, and "of_answered": a list of the criteria that use only
            the answered samples, as accuracy and the measures of the classes do. If a prevalence
            was given, "prevalence": a list with the share of each true class. If the true classes
            are grades of several raters, "ceilings": for each criterion of predicted classes what
            `Ceiling.to_dict` returns. Undefined values are None. Without predicted classes, only
            "criteria", "intervals", "thresholds" and "prevalence".

        Raises
        ------
        ValueError
            If a class has the name of another key.
        """
        clashing = sorted(_NOT_FOR_CLASSES.intersection(self.target_names))
        if clashing:
            raise ValueError(
                f"target_names must differ from the other keys of the dict, got "
                f"{', '.join(clashing)}: rename the class, or use to_frame."
            )
        confusion = self.confusion
        numbers = {**self._classes_to_dict(), "criteria": dict(self.criteria)}
        if self.per_threshold:
            names = threshold_names(self.target_names)
            numbers["thresholds"] = _by_name(names, self.per_threshold)
        if self.intervals:
            numbers["intervals"] = {
                name: {"value": interval.estimate, "low": interval.low, "high": interval.high}
                for name, interval in self.intervals.items()
            }
        if self.diagnostics is not None:
            numbers["diagnostics"] = diagnostics_to_dict(self.diagnostics, self.target_names)
        if confusion is not None and confusion.unanswered is not None:
            numbers["unanswered"] = n_unanswered(confusion)
            numbers["answered"] = confusion.counts.sum().item()
            numbers["of_answered"] = [
                name for name, metric in self.metrics.items() if n_left_out(metric, confusion)
            ]
        if self.prevalence is not None:
            numbers["prevalence"] = self.prevalence
        if self.ceilings:
            numbers["ceilings"] = {
                name: ceiling.to_dict() for name, ceiling in self.ceilings.items()
            }
        plain_numbers: dict[str, Any] = plain(numbers)
        return plain_numbers

    def _classes_to_dict(self) -> dict[str, Any]:
        if self.confusion is None:
            return {}
        # If the support is a sum of weights, add the number of answered samples of each class.
        numbers = self.confusion.sample_counts
        sizes = {} if numbers is None else {"n_samples": numbers[:, :-1].sum(axis=1)}
        return {
            **_by_name(self.target_names, {**self.per_class, **sizes}),
            "accuracy": float(METRICS["accuracy"](self.confusion)),
            **self.averages,
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion, then for each measure of a class or threshold."""
        class_rows = [
            {"criterion": measure, "class": name, "value": value}
            for measure, values in self.per_class.items()
            for name, value in zip(self.target_names, values.tolist(), strict=True)
        ]
        average_rows = [
            {"criterion": measure, "class": name, "value": value}
            for name, average in self.averages.items()
            for measure, value in average.items()
        ]
        measures = [*class_rows, *average_rows]
        criteria = [self._criterion_record(name) for name in self.criteria]
        ladder = report_ladder(self)
        for record in criteria:
            name = record["criterion"]
            if ladder is not None and name in ladder.metrics:
                score = ladder.scores[name]
                record |= {"low": score.low, "high": score.high, **ladder.references[name]}
            if name in self.intervals:
                interval = self.intervals[name]
                record |= {"low": interval.low, "high": interval.high}
        confusion = self.confusion
        if confusion is not None and n_unanswered(confusion):
            for record in measures:
                record["n_left_out"] = n_unanswered(confusion)
            for record in criteria:
                metric = self.metrics[record["criterion"]]
                record["n_left_out"] = n_left_out(metric, confusion)
        return [*criteria, *measures, *self._threshold_records(), *self._diagnostic_records()]

    def _criterion_record(self, name: str) -> dict[str, Any]:
        lowest, highest = self.metrics[name].bounds(self.n_classes)
        return {
            "criterion": name,
            "class": None,
            "value": self.criteria[name],
            "better": direction_as_text(self.metrics[name]),
            "lowest": lowest,
            "highest": highest,
            **ceiling_record(self.ceilings.get(name)),
        }

    def _threshold_records(self) -> list[dict[str, Any]]:
        names = threshold_names(self.target_names)
        return [
            {"criterion": measure, "class": None, "threshold": name, "value": value}
            for measure, values in self.per_threshold.items()
            for name, value in zip(names, values.tolist(), strict=True)
        ]

    def _diagnostic_records(self) -> list[dict[str, Any]]:
        if self.diagnostics is None:
            return []
        return [
            {
                "criterion": measure,
                "class": name if split == "class" else None,
                "threshold": name if split == "threshold" else None,
                "value": interval.estimate,
                "low": interval.low,
                "high": interval.high,
            }
            for split, name, measure, interval in diagnostic_records(
                self.diagnostics, self.target_names
            )
        ]


class _ReportOptions(ClassReadingOptions, total=False):
    """The options of `ordinal_report`, except the one that its return type depends on."""

    y_proba: ArrayLike | OrdinalForecasts | None
    target_names: Sequence[str] | None
    metrics: MetricsLike | None
    prevalence: ArrayLike | None
    intervals: bool
    diagnostics: bool
    digits: int
    zero_division: ZeroDivision


@overload
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    output_dict: Literal[False] = False,
    **options: Unpack[_ReportOptions],
) -> str: ...
@overload
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    output_dict: Literal[True],
    **options: Unpack[_ReportOptions],
) -> dict[str, Any]: ...
@takes_reading(ClassReadingOptions)
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    y_proba: ArrayLike | OrdinalForecasts | None = None,
    target_names: Sequence[str] | None = None,
    metrics: MetricsLike | None = None,
    prevalence: ArrayLike | None = None,
    intervals: bool = False,
    diagnostics: bool = False,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
    **reading: Unpack[ClassReadingOptions],
) -> str | dict[str, Any]:
    """Report on ordinal predictions, as `classification_report` does for nominal ones.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, as in `OrdinalConfusion.from_soft_labels`; or an
        `OrdinalConfusion`, `OrdinalForecasts` or other evidence, passed instead of the arrays and
        their options, such as `labels`.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted classes. They may be omitted only if `y_true` is evidence.
    **reading
    y_proba : array-like of shape (n_samples, n_classes) or OrdinalForecasts, default=None
        Predicted probabilities of the classes from the lowest to the highest, for the
        criteria of probabilities and the measures of the thresholds.
    target_names : sequence of str, default=None
        Names to show for the classes, in the order of the scale.
    metrics : str, callable, iterable or dict of them, default=None
        The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
        package that can be computed. If None, the six defaults of `cross_val_report` for predicted
        classes, six criteria of probabilities for probabilities, and all criteria for other
        evidence.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest. All measures and criteria are
        computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed class
        sizes are used.
    intervals : bool, default=False
        Whether to add the 95% interval of each criterion in closed form.
    diagnostics : bool, default=False
        Whether to add the sensitivity, specificity, predictive values and likelihood ratios of each
        threshold and class, with 95% intervals.
    digits : int, default=2
        Number of digits after the decimal point in the text.
    output_dict : bool, default=False
        If True, return a dict instead of text.
    zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
        Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
        warning; any other value also silences the warning about undefined criteria.

    Returns
    -------
    str or dict
        For each class precision, recall, f1, mean absolute error (MAE) and bias in positions on the
        scale, share within 1 class, and support; their averages; and each chosen criterion with its
        range and direction. With probabilities, also for each threshold between neighbouring
        classes the prevalence, area under the ROC curve (AUC), equal error rate (EER), and the
        miscalibration, discrimination and uncertainty components of the ranked probability score.

    Raises
    ------
    ValueError
        If the order of the classes is not known, a class is not in `labels`, rows of
        `y_proba` are not probabilities of these classes, a criterion is not known or
        needs the estimator or probabilities that are not given, `target_names` does not
        name each class once, `y_pred` is missing, or another option is not valid.

    See Also
    --------
    OrdinalReport : The report as an object.
    GroupReport : Compare groups of samples, such as countries.

    Examples
    --------
    >>> from sklearn_ordinal import ordinal_report
    >>> print(ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1]))
    cem_ord is 0.75, better than 0.59 for always predicting 1, the best constant.
    <BLANKLINE>
    5 samples, 3 classes from 0 (lowest) to 2 (highest).
    ...
    """
    check_bool("output_dict", output_dict)
    report = OrdinalReport.from_predictions(
        y_true,
        y_pred,
        y_proba=y_proba,
        target_names=target_names,
        metrics=metrics,
        prevalence=prevalence,
        intervals=intervals,
        diagnostics=diagnostics,
        digits=digits,
        zero_division=zero_division,
        **reading,
    )
    return report.to_dict() if output_dict else report.to_text()


def _check_evidence(evidence: Sequence[Any]) -> None:
    """Raise unless the items are evidence on the same scale, and not stacks."""
    kinds = [own_kind(part) for part in evidence]
    if not kinds or None in kinds:
        raise ValueError(
            f"evidence must contain at least one OrdinalConfusion or other evidence, and nothing "
            f"else, got {shown(evidence)}."
        )
    for kind, part in zip(kinds, evidence, strict=True):
        assert kind is not None
        kind.check_one(part)
        if part.scale != evidence[0].scale:
            raise ValueError(
                f"evidence must be on one scale, got {listed(evidence[0].scale.labels)} and "
                f"{listed(part.scale.labels)}."
            )


def _read_evidence(
    y_true: Any, y_pred: Any, y_proba: Any, reading: ReadingOptions
) -> tuple[Evidence, ...]:
    """Return the evidence that was passed, or read counts and probabilities from arrays."""
    if not is_evidence(y_true, y_pred):
        if is_evidence(y_proba):
            raise ValueError(
                f"y_proba must be an array if y_true is one, got {type(y_proba).__name__}: pass an "
                f"OrdinalConfusion for y_true."
            )
        confusion = read_confusion(y_true, y_pred, reading)
        if y_proba is None:
            return (confusion,)
        options = options_on_scale(reading, confusion.scale)
        return confusion, OrdinalForecasts.from_probabilities(y_true, y_proba, **options)
    check_nothing_beside(reading, y_pred=y_pred)
    if y_proba is None:
        return (y_true,)
    if isinstance(y_true, OrdinalForecasts):
        raise ValueError(
            f"y_proba must be left out if y_true is OrdinalForecasts, which holds the "
            f"probabilities, got {shown(y_proba)}."
        )
    if not isinstance(y_proba, OrdinalForecasts):
        raise ValueError(
            f"y_proba must be an OrdinalForecasts if y_true is an {type(y_true).__name__}, got "
            f"{shown(y_proba)}: make one with OrdinalForecasts.from_probabilities."
        )
    _check_same_classes(y_true, y_proba)
    return y_true, y_proba


def _ceilings(
    ratings: OrdinalRatings, metrics: Iterable[OrdinalMetric], sample_weight: Any
) -> ByMetric:
    """Return the ceilings of the criteria of counts for items with these weights."""
    weight = None
    if sample_weight is not None:
        joined = joined_by_item("sample_weight", sample_weight, ratings.items)
        weight = np.asarray(joined, dtype=np.float64)
    rated = filter(may_have_ceiling, metrics)
    return ceilings_by_metric(ratings, rated, CEILING_LEVEL, weight=weight)


def _check_same_classes(evidence: Any, forecasts: OrdinalForecasts) -> None:
    """Raise if the class sizes show that the forecasts are for different samples or weights."""
    if forecasts.weights.ndim > 1 or forecasts.scale != evidence.scale:
        return  # Creating the report raises an error.
    sizes, forecast = getattr(evidence, "class_counts", None), forecasts.class_counts
    if sizes is not None and not np.allclose(sizes, forecast):
        raise ValueError(
            f"y_proba must be for the samples and weights of y_true, whose true classes have the "
            f"sizes {listed(sizes)}, got the sizes {listed(forecast)}."
        )


def _criteria_values(
    metrics: Iterable[OrdinalMetric],
    evidence: Sequence[Evidence],
    values: Mapping[str, float],
    *,
    is_silent: bool,
) -> ByMetric:
    """Return a dict with the value of each metric, computed unless it is in `values`."""
    with warnings.catch_warnings():
        if is_silent:
            # Criteria from other packages issue their own warnings.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        return ByMetric(
            {
                metric.name: values[metric.name]
                if metric.name in values
                else _criterion_value(metric, evidence)
                for metric in metrics
            }
        )


def _criteria_intervals(metrics: Iterable[OrdinalMetric], evidence: Sequence[Evidence]) -> ByMetric:
    """Return the interval of each criterion with influences, in closed form."""
    intervals: dict[str, Interval] = {}
    with warnings.catch_warnings():
        # Undefined ends are shown as such.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for metric in metrics:
            sufficient = metric.evidence.pick(evidence)
            if sufficient is not None and metric.has_influence:
                intervals |= delta_interval(sufficient, metrics=[metric])
    return ByMetric(intervals)


def _criterion_value(metric: OrdinalMetric, evidence: Sequence[Evidence]) -> float:
    sufficient = metric.evidence.pick(evidence)
    needs_probabilities = metric.evidence.argument == PROBABILITIES.argument
    if sufficient is None and LABELS.pick(evidence) is not None and needs_probabilities:
        needed = " or ".join(sorted({PROBABILITIES.noun, metric.evidence.noun}))
        raise ValueError(
            f"{metric.name} needs {needed}, but only labels are given: pass y_proba= to "
            f"OrdinalReport.from_predictions, or use OrdinalReport.from_estimator, "
            f"cross_val_report or compare_estimators, which have the estimator."
        )
    # If the evidence does not suffice, the metric raises an error that says what to pass.
    return float(metric(evidence[0] if sufficient is None else sufficient))


def _by_name(
    names: Sequence[str], columns: Mapping[str, NDArray[Any]]
) -> dict[str, dict[str, Any]]:
    """Return a dict of the measures for each class or threshold."""
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return {
        name: dict(zip(columns, row, strict=True)) for name, row in zip(names, rows, strict=True)
    }
