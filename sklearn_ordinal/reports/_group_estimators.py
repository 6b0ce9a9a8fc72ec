"""The constructors of a report of groups, from estimators and the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    IntegerArray,
    Kind,
    MetricsLike,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScores,
    RandomState,
    Unanswered,
    check_fitted,
    encode_groups,
    evidence_of,
)
from sklearn_ordinal.inference import WITHIN_CLASSES
from sklearn_ordinal.reports._criteria import ALL_KINDS, chosen_metrics, kinds_of_criteria
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._fold_evidence import (
    joined_predictions,
    joined_probabilities,
    normalized_rows,
)
from sklearn_ordinal.reports._group_constructors import GroupReportConstructors
from sklearn_ordinal.reports._group_names import read_groups
from sklearn_ordinal.reports._provenance import Provenance


class GroupReportOfEstimators(GroupReportConstructors):
    """The class methods of `GroupReport` that read what estimators predict."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        by: Any,
        labels: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        unanswered: Unanswered = "raise",
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 9999,
        random_state: RandomState = None,
        digits: int = 2,
    ) -> Self:
        """Report on the predictions of a fitted estimator for groups of samples.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict
            Group of each sample to compare, see `from_predictions`. It does not have to be one
            of the features.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as the patient, see `from_predictions`.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction, see `from_predictions`.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the package that
            can be computed. If None, the six of `cross_val_report`. If one of them needs
            probabilities, the estimator must have `predict_proba`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `from_predictions`.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_resamples : int, default=9999
            Number of resamples for the intervals and of permutations for the test.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers. Pass an int for the same report each time.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If `estimator` is not a fitted classifier, or for the reasons of `from_predictions`.
        AttributeError
            If a criterion needs probabilities and the estimator has no `predict_proba`.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or for more than 5% of the resamples.
        """
        check_fitted(estimator)
        chosen = chosen_metrics(metrics, kinds_of_criteria([estimator]))
        needed = {metric.evidence for metric in chosen}
        y_proba, scale = None, cast(Any, labels)
        if needed & {"probabilities", "scores"}:
            evidence = evidence_of(
                "probabilities" if "probabilities" in needed else "scores",
                estimator,
                X,
                y,
                labels=labels,
            )
            y_proba, scale = _predicted(evidence), evidence.scale
        report: Any = cls.from_predictions(
            y,
            estimator.predict(X),
            by=by,
            y_proba=y_proba,
            labels=scale,
            target_names=target_names,
            sample_weight=sample_weight,
            clusters=clusters,
            unanswered=unanswered,
            metrics=chosen,
            prevalence=prevalence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=random_state,
            digits=digits,
        )
        provenance = Provenance.of_now(estimators={"estimator": estimator})
        with_provenance: Self = replace(report, provenance=provenance)
        return with_provenance

    @classmethod
    def from_cross_val(
        cls,
        report: CrossValReport,
        *,
        by: Any,
        target_names: Sequence[str] | None = None,
        clusters: ArrayLike | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        confidence_level: float = 0.95,
        n_resamples: int = 9999,
        random_state: RandomState = None,
        digits: int = 2,
    ) -> Self:
        """Report on the predictions for the test samples of all folds, for groups of samples.

        Nothing is fitted again. A sample counts once: if it is tested k times, each of its
        predictions counts 1 / k, and they are drawn and exchanged together. The intervals are
        about the fitted estimators; they do not contain what other training samples would change.

        Parameters
        ----------
        report : CrossValReport
            The result of `cross_val_report`, or one of the reports of a comparison.
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict
            Group of each sample that was passed to `cross_val_report`, in the same order, see
            `from_predictions`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each of these samples, such as the patient, see `from_predictions`. Often
            the ``groups`` of the cross-validation.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the package that
            can be computed. If None, those of the report. The folds keep probabilities if one of
            the criteria of the report needs them.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `from_predictions`. If None, that of the report.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_resamples : int, default=9999
            Number of resamples for the intervals and of permutations for the test.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers. Pass an int for the same report each time.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If `report` is not a CrossValReport, `by` does not name 2 to 1,000 groups, samples
            are tested several times and their clusters are in several groups, or a criterion
            needs the estimator, or probabilities that were not kept.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, such as one without tested samples,
            or for more than 5% of the resamples.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_ordinal import GroupReport, cross_val_report
        >>> from sklearn_ordinal.datasets import load_lev
        >>> X, y = load_lev(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
        >>> folds = cross_val_report(tree, X, y, metrics="cem_ord")
        >>> is_clear = ["clear" if grade > 2 else "unclear" for grade in X[:, 0]]
        >>> report = GroupReport.from_cross_val(folds, by=is_clear, random_state=0)
        >>> print(report.difference()["cem_ord"])
        0.002 (95% interval 0.000 to 0.047), p = 0.615, from unclear to clear
        """
        if not isinstance(report, CrossValReport):
            raise ValueError(
                f"report must be a CrossValReport, such as that of cross_val_report or an entry of "
                f"ComparisonReport.reports, got {type(report).__name__}."
            )
        n_samples, labels = len(report.y_true), report.scale.labels
        group, names = read_groups(by, n_samples)
        sample, y_pred, n_times = joined_predictions(report.fold_predictions)
        y_proba = joined_probabilities(report.fold_predictions)
        kinds: tuple[Kind, ...] = ("labels",) if y_proba is None else ALL_KINDS
        if y_proba is not None and y_proba.ndim == 1:
            kinds = ("labels", "scores")
        chosen = chosen_metrics(report.metrics.values() if metrics is None else metrics, kinds)
        of_rows = [metric for metric in chosen if metric.evidence in ("probabilities", "scores")]
        for metric in of_rows:
            if metric.evidence not in kinds:
                raise ValueError(
                    f"metrics must be criteria of what the folds keep, got {metric.name}, which "
                    f"needs {metric.evidence}: pass it to cross_val_report as well."
                )
        is_repeated = bool(n_times.max() > 1)
        unit = sample if is_repeated else None
        if clusters is not None:
            unit = encode_groups(clusters, n_samples, "clusters")[sample]
            _check_clusters(unit, group[sample], is_repeated=is_repeated)
        found: Any = cls._of_samples(
            labels[report.y_true[sample]],
            labels[y_pred],
            y_proba if of_rows else None,
            group[sample],
            names,
            labels=report.scale,
            sample_weight=1 / n_times if is_repeated else None,
            clusters=unit,
            target_names=target_names,
            metrics=chosen,
            prevalence=report.prevalence if prevalence is None else prevalence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=random_state,
            digits=digits,
        )
        exact: dict[str, Any] = {}
        if is_repeated:
            # Sums of fractions 1 / k are multiples of 1 / lcm, up to rounding.
            multiple = np.lcm.reduce(n_times)
            counts = np.round(found.confusion.counts * multiple) / multiple
            exact = {
                "confusion": OrdinalConfusion(report.scale, counts),
                "class_counts": np.rint(found.class_counts).astype(np.int64),
                "group_sizes": None,
                "exchanged": WITHIN_CLASSES if clusters is None else found.exchanged,
            }
        of_folds: Self = replace(found, provenance=report.provenance, **exact)
        return of_folds


def _check_clusters(cluster: IntegerArray, group: IntegerArray, *, is_repeated: bool) -> None:
    """Raise if samples are tested several times and a cluster has samples in several groups."""
    pairs = np.unique(np.stack([cluster, group]), axis=1)
    if is_repeated and pairs.shape[1] > len(np.unique(cluster)):
        raise ValueError(
            "clusters must each be in a single group if samples are tested several times: "
            "leave clusters out, or pass a report in which each sample is tested once."
        )


def _predicted(evidence: OrdinalForecasts | OrdinalScores) -> NDArray[np.float64]:
    """Return probabilities or scores that can be checked again."""
    if isinstance(evidence, OrdinalScores):
        return evidence.y_score
    return normalized_rows(evidence.y_proba)
