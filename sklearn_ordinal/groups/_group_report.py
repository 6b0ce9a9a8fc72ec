"""`GroupReport`: groups of samples, with the conventions of fairlearn's MetricFrame."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    checks,
    confusion_counts,
    containers,
    counting,
    evidence_kinds,
    evidence_reading,
    grouping,
    lookup,
    sampling,
    scales,
    tolerances,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.evidence_reading import Forecasts
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal._documents import formatting, views
from sklearn_ordinal._documents.document_parts import Column, Note, Part, Section, Table
from sklearn_ordinal.groups import _group_contrasts
from sklearn_ordinal.groups._group_contrasts import GroupContrasts
from sklearn_ordinal.inference import _group_values, _intervals
from sklearn_ordinal.inference._group_values import (
    Against,
    GroupDifference,
    GroupedCounts,
    GroupedRows,
    GroupedUnits,
    GroupInference,
)
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._unit_moves import GroupMoves
from sklearn_ordinal.reports import _cross_val, _ordinal, _sections, _sentences, _values
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, Key, Values

# Intervals of groups with fewer samples are too short.
_FEW_SAMPLES = 20
# How much higher a criterion is for the best constant of each group than for the best constant, and
# than in the groups, if a note says so.
_GAIN_OF_CONSTANTS = 0.1
# With more cells, the values of all constants in all groups take longer than the report.
_MOST_CELLS_OF_CONSTANTS = 2**20
# With more groups, the default text shows those with the lowest and the highest values.
_MOST_GROUPS, _N_ENDS = 20, 5

VALUE, _SMALLEST, _LARGEST = _values.VALUE, "smallest value", "largest value"
_DIFFERENCES: Mapping[Against, str] = {
    "between_groups": "largest difference between groups",
    "to_overall": "largest difference from all samples",
}
_RATIOS: Mapping[Against, str] = {
    "between_groups": "smallest ratio between groups",
    "to_overall": "smallest ratio to all samples",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GroupReport(Values):
    """Criteria of each group of samples, with intervals and tests of their differences.

    Create it with `from_predictions`, `from_estimator`, `from_cross_val` or `from_confusion`. `str`
    gives the text, and notebooks show tables and a plot. The names follow
    ``fairlearn.metrics.MetricFrame``.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values and what compares them, see `to_frame`. A key has the criterion, the group or
        None for all samples, None, and what the number is, such as "value".
    metrics : mapping of str to OrdinalMetric
        The criteria; for predicted classes also "ordinal_bias", "overestimation_rate" and
        "underestimation_rate".
    inferred : tuple of str
        The criteria whose intervals and tests the default text shows: those that are passed as
        ``metrics=``, or the first. All others are values there.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.
    group_names : tuple of str
        Name of each group.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    confusion : OrdinalConfusion or None
        Counts of each group, of shape (n_groups, n_classes, n_classes); None without predicted
        classes.
    class_counts : ndarray of shape (n_groups, n_classes)
        Number of samples of each group and true class, or the sum of their weights. Unanswered
        samples are included.
    weights : mapping of str to ndarray of shape (n_groups,)
        For the criteria of the closeness family, the weight of each group. With these weights, the
        mean over the groups is the overall value.
    exchanged : str
        What a permutation test exchanges between groups, for example "whole clusters"; empty
        without permutations.
    n_permutations : int or None
        Number of permutations; None if the test of errors within true classes has a closed form,
        and 0 without a test.
    prevalence : ndarray of shape (n_classes,), default=None
        Class shares to which all groups are weighted. If None, the observed class sizes of each
        group are used.
    group_sizes : ndarray of shape (n_groups,), default=None
        Number of samples of each group if they have weights, without samples of weight zero. None
        if there are no weights, or if the number is not known.
    moves : mapping of str to object, default={}
        For each criterion name, what `contrasts` needs. It is not saved.
    by : tuple of str, default=()
        Names of the columns that define the groups, such as ("region", "sex"); empty if they are
        not known. They are ignored when reports are compared.
    n_clusters : int, default=None
        Number of clusters in which the samples were drawn, None without clusters.
    cluster_name : str, default=""
        Name of the column of clusters, such as "patient"; empty if it is not known. It is ignored
        when reports are compared.
    n_strata : int, default=None
        Number of strata from which the samples were drawn, None without strata.

    Attributes
    ----------
    overall : mapping of str to Interval
        Value over all samples for each criterion name.
    by_group : mapping of str to mapping of str to Interval
        Value of each group, keyed by criterion name and group name.
    n_samples : dict of str to int
        Number of samples of each group; None if it is not known, for example if the counts were
        saved as sums of weights.
    total_weights : dict of str to float
        Sum of the sample weights in each group, or the number of samples if there are no weights.
    is_weighted : bool
        Whether the samples have weights.

    See Also
    --------
    ordinal_report : Return the report as text or dict in one call.
    OrdinalReport : The report of all samples.

    Notes
    -----
    Closeness depends on the class sizes. For every group, it is computed with the class sizes of
    all samples. The overall value is therefore a weighted mean over the groups, where the weight of
    a group is the total closeness of perfect predictions for its samples. Groups with different
    class sizes may still have different values although the predictions for each class are equally
    good. Pass `prevalence` to compare groups at the same class sizes.

    The same holds for the closeness of probabilities, where the class sizes of all samples also
    decide which class is predicted. Other criteria of probabilities use only the samples of the
    group. The ranked probability skill, for example, uses the class shares of the group as its
    reference, unless the criterion has a reference as an option.

    The intervals are computed in closed form, see `delta_interval`. A criterion without influences,
    such as `cem_ord_decision_score`, has no intervals here: `bootstrap_interval` computes one for
    the samples of each group. For criteria that average over the classes, such as the
    macro-averaged mean absolute error, intervals in closed form are too short if a class is rare:
    with 30 samples of skewed classes, they contain the true value in 79% of the data sets, and
    those of `bootstrap_interval` in 90%. The intervals of the smallest and largest value, of
    differences and of ratios are derived from simultaneous intervals for all groups, or all pairs
    of groups, which have the degrees of freedom of `contrasts`, at the level for which all of them
    hold jointly according to Sidak's inequality [1]_. Intervals of ratios are intervals of
    differences of logarithms.

    The intervals and ``adjusted_pvalue`` of `difference` answer whether the values differ, whatever
    the cause, such as other class sizes. This p-value is the smallest adjusted p-value of
    `contrasts`, which compare each group with all samples. ``errors_pvalue`` answers another
    question, whether the errors within the true classes differ. The hypothesis is that the
    predictions for a class do not depend on the group, which is known as separation, or
    equalized odds. The test compares the sum of the influences of the samples of each group on
    the overall value with the sum that is expected from its class sizes, so that differences in
    class sizes are not evidence against the hypothesis. Its p-value is close to the p-value of
    all permutations of the samples of each true class between the groups: the sums have the
    variance and the skewness over these permutations, and Pearson's distribution of type III.
    The smallest p-value of a group is adjusted for the number of groups. With clusters, the
    variance of the sums comes from the clusters. The test covers all groups jointly: a small
    p-value may come from a different pair than the one with the largest difference, unless the
    class sizes are equal or `prevalence` is given.

    With `n_permutations`, the p-value comes from random permutations instead, which also test
    criteria without influences. The statistic is then the largest deviation of a pair of groups
    from the difference that they would have if the predictions for each class were distributed as
    they are among all samples. With clusters, whole clusters are exchanged if each is in a single
    group. Otherwise, samples of the same cluster and true class are exchanged. Exchanging whole
    clusters changes the class sizes of the groups unless each cluster has a single true class.
    Differences in class sizes are then evidence against the hypothesis.

    References
    ----------
    .. [1] Z. Sidak (1967), "Rectangular confidence regions for the means of multivariate normal
       distributions", Journal of the American Statistical Association 62(318),
       :doi:`10.1080/01621459.1967.10482935`.

    Examples
    --------
    >>> from sklearn_ordinal import GroupReport
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> region = ["north", "south", "south", "south"] * 25
    >>> report = GroupReport.from_predictions(y_true, y_pred, by=region, metrics="cem_ord")
    >>> print(report.by_group["cem_ord"]["north"])
    0.886 (95% interval 0.748 to 0.953)
    >>> report.difference()["cem_ord"].between
    'south to north'
    """

    axes = ("criterion", "group", "against", "what")
    _title = "Groups"

    group_names: tuple[str, ...]
    target_names: tuple[str, ...]
    confusion: OrdinalConfusion | None
    class_counts: NDArray[Any]
    weights: Mapping[str, NDArray[np.float64]]
    exchanged: str
    n_permutations: int | None
    digits: int = 2
    prevalence: NDArray[np.float64] | None = None
    group_sizes: NDArray[np.int64] | None = None
    moves: Mapping[str, GroupMoves] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    n_clusters: int | None = None
    cluster_name: str = ""
    n_strata: int | None = None

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_predictions(
        cls,
        y_true: TrueClasses | Evidence,
        y_pred: ArrayLike | None = None,
        *,
        by: Any = None,
        y_proba: ArrayLike | Forecasts | None = None,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        confidence_level: float = 0.95,
        n_permutations: int | None = None,
        random_state: RandomState = None,
        digits: int = 2,
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Make a report on the predictions for groups of samples.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
            True classes; or soft labels, which are a distribution over the classes for each sample,
            or the grades of several raters as `OrdinalRatings`: the samples are drawn and
            exchanged whole, and values are expected values or values of the expected counts, as in
            `bootstrap_interval`; or an `OrdinalConfusion`, `OrdinalForecasts` or `OrdinalScores`
            that was created with `by`, passed instead of the arrays and their options, such as
            `labels`.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes. If None, only criteria of `y_proba` are computed.
        **reading
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict, default=None
            Group of each sample, such as the country or the sex. With several columns, which may
            also be a dict or a list of columns, each combination that occurs is a group, and its
            name joins the values with commas. If evidence is passed, `by` may give its groups new
            names. Views show the names of the columns if `by` is a dict, a data frame or a Series
            with a name.
        y_proba : array-like of shape (n_samples, n_classes) or evidence, default=None
            Predicted probabilities of the classes from the lowest to the highest, for the criteria
            of probabilities and scores. One score per sample is enough if all of them are criteria
            of scores. Pass `OrdinalForecasts` or `OrdinalScores` if `y_true` is an
            `OrdinalConfusion`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`, and six
            criteria of probabilities if `y_proba` is given.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `OrdinalConfusion.at_prevalence`. If a group has no samples of a class
            with a positive share, its values are undefined. If None, the observed class sizes of
            each group are used.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_permutations : int, default=None
            Number of random permutations for the test of errors within true classes, or 0 for no
            test. If None, the test has a closed form. Permutations also test criteria without
            influences. They need the samples, which counts that are sums of weights do not have.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers of the permutations. Pass an int for the same
            report each time. Without permutations, there are no random numbers.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, a criterion
            is not known or needs the estimator or predictions that are not given, rows of
            `y_proba` are not probabilities, `by` does not name 2 to 1,000 groups,
            `prevalence` does not have a share for each class, or another option is not
            valid.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or has no interval in a group.
        """
        options: dict[str, Any] = {
            "target_names": target_names,
            "prevalence": prevalence,
            "confidence_level": confidence_level,
            "n_permutations": n_permutations,
            "random_state": random_state,
            "digits": digits,
        }
        if evidence_reading.is_evidence(y_true, y_pred, y_proba):
            evidence_reading.check_nothing_beside(reading, y_pred=y_pred)
            evidence = [y_true] if y_proba is None else [y_true, y_proba]
            _check_kinds(evidence)
            return cls._from_evidence(evidence, by, metrics=metrics, **options)
        if evidence_reading.is_evidence(y_proba):
            raise ValueError(
                f"y_proba must be an array if y_true is one, got {type(y_proba).__name__}: pass "
                f"an OrdinalConfusion for y_true."
            )
        if by is None:
            raise ValueError("by must be given, unless y_true is evidence that was made with by=.")
        group, names = grouping.read_groups(*sampling.groups_by_item(y_true, by), y_true)
        return cls._from_arrays(
            y_true,
            y_pred,
            y_proba,
            group,
            names,
            reading,
            metrics=metrics,
            columns=grouping.group_columns(by, len(group)),
            **options,
        )

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        by: Any,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        confidence_level: float = 0.95,
        n_permutations: int | None = None,
        random_state: RandomState = None,
        digits: int = 2,
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Make a report on the predictions of a fitted estimator for groups of samples.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict
            Group of each sample, see `from_predictions`. It does not have to be one of the
            features.
        **reading
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`. If one of
            them needs probabilities, the estimator must have `predict_proba`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `from_predictions`.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_permutations : int, default=None
            Number of random permutations for the test of errors within true classes, or 0 for no
            test. If None, the test has a closed form, see `from_predictions`.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers of the permutations. Pass an int for the same
            report each time. Without permutations, there are no random numbers.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If `estimator` is not a fitted classifier, or another argument is not valid, see
            `from_predictions`.
        AttributeError
            If a criterion needs probabilities and the estimator has no `predict_proba`.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or has no interval in a group.
        """
        checks.check_fitted(estimator)
        criteria = _sections.chosen_metrics(metrics, _sections.available_kinds([estimator]))
        needed = {metric.evidence for metric in criteria if not _sections.takes_labels(metric)}
        y_proba = None
        if needed:
            evidence: Any = evidence_kinds.common_kind(needed).of_estimator(
                estimator,
                X,
                y,
                labels=reading.get("labels"),
            )
            y_proba = _predicted(evidence)
            reading["labels"] = evidence.scale
        report: Any = cls.from_predictions(
            y,
            estimator.predict(X),
            by=by,
            y_proba=y_proba,
            target_names=target_names,
            metrics=criteria,
            prevalence=prevalence,
            confidence_level=confidence_level,
            n_permutations=n_permutations,
            random_state=random_state,
            digits=digits,
            **reading,
        )
        provenance = Provenance.of_now(estimators={"estimator": estimator})
        inferred = _sections.inferred_criteria(metrics, criteria)
        with_provenance: Self = replace(report, provenance=provenance, inferred=inferred)
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
        n_permutations: int | None = None,
        random_state: RandomState = None,
        digits: int = 2,
    ) -> Self:
        """Make a report on the out-of-fold predictions for groups of samples.

        No estimator is fitted again. Each sample counts once: if it is tested k times, each of its
        predictions counts 1 / k, and its predictions are drawn and exchanged together. The
        intervals are about the fitted estimators. They do not reflect that other training samples
        would give other estimators.

        Parameters
        ----------
        report : CrossValReport
            The result of `cross_val_report`, or one of the reports of a comparison.
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict
            Group of each sample, in the order in which the samples were passed to
            `cross_val_report`, see `from_predictions`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each of these samples, such as the patient, see `from_predictions`. It is
            often the ``groups`` of the cross-validation.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the criteria of `report`. The folds keep
            probabilities only if a criterion of `report` needs them.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `from_predictions`. If None, the prevalence of `report`.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_permutations : int, default=None
            Number of random permutations for the test of errors within true classes, or 0 for no
            test. If None, the test has a closed form, see `from_predictions`.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers of the permutations. Pass an int for the same
            report each time. Without permutations, there are no random numbers.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If `report` is not a CrossValReport, `by` does not name 2 to 1,000 groups, a cluster is
            in several groups although samples are tested several times, or a criterion needs the
            estimator or probabilities that were not kept.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, such as one without tested samples, or has no
            interval in a group.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_ordinal import GroupReport, cross_val_report
        >>> from sklearn_ordinal.datasets import load_lev
        >>> X, y = load_lev(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
        >>> folds = cross_val_report(tree, X, y, scoring="cem_ord")
        >>> is_clear = ["clear" if grade > 2 else "unclear" for grade in X[:, 0]]
        >>> report = GroupReport.from_cross_val(folds, by=is_clear)
        >>> print(report.difference()["cem_ord"])
        0.002 (95% interval 0.000 to 0.046), from unclear to clear; values: p = 0.764; errors
        within true classes: p = 0.616
        """
        if not isinstance(report, CrossValReport):
            raise ValueError(
                f"report must be a CrossValReport, such as a result of cross_val_report or an "
                f"entry of ComparisonReport.reports, got {type(report).__name__}."
            )
        n_samples, labels = len(report.y_true), report.scale.labels
        group, names = grouping.read_groups(by, n_samples)
        sample, y_pred, n_times = _cross_val.joined_predictions(report.fold_predictions)
        y_proba = _cross_val.joined_probabilities(report.fold_predictions)
        kinds: tuple[Kind, ...] = (
            (evidence_kinds.LABELS,) if y_proba is None else _sections.ALL_KINDS
        )
        if y_proba is not None and y_proba.ndim == 1:
            kinds = (evidence_kinds.LABELS, evidence_kinds.SCORES)
        criteria = _sections.chosen_metrics(
            report.metrics.values() if metrics is None else metrics, kinds
        )
        row_metrics = [metric for metric in criteria if not _sections.takes_labels(metric)]
        for metric in row_metrics:
            if metric.evidence not in kinds:
                raise ValueError(
                    f"metrics must be criteria that the folds keep predictions for, got "
                    f"{metric.name}, which needs {metric.evidence.noun}: pass it to "
                    f"cross_val_report as well."
                )
        is_repeated = bool(n_times.max() > 1)
        unit = sample if is_repeated else None
        if clusters is not None:
            unit = scales.encode_groups(clusters, n_samples, "clusters")[sample]
            _check_clusters(unit, group[sample], is_repeated=is_repeated)
        reading: Any = {
            "labels": report.scale,
            "sample_weight": 1 / n_times if is_repeated else None,
            "clusters": unit,
        }
        grouped: Any = cls._from_arrays(
            labels[report.y_true[sample]],
            labels[y_pred],
            y_proba if row_metrics else None,
            group[sample],
            names,
            reading,
            target_names=target_names,
            metrics=criteria,
            prevalence=report.prevalence if prevalence is None else prevalence,
            confidence_level=confidence_level,
            n_permutations=n_permutations,
            random_state=random_state,
            digits=digits,
            columns=grouping.group_columns(by, n_samples),
        )
        # The predictions of a sample are drawn together, but are a single sample.
        exact: dict[str, Any] = {
            "n_clusters": None if clusters is None else grouped.n_clusters,
            "cluster_name": containers.series_name(clusters),
        }
        if is_repeated:
            # Up to rounding, sums of fractions 1 / k are multiples of 1 / lcm.
            multiple = np.lcm.reduce(n_times)
            counts = np.round(grouped.confusion.counts * multiple) / multiple
            exact |= {
                # The predictions of a sample in several folds are a cluster.
                "confusion": OrdinalConfusion(report.scale, counts, is_clustered=True),
                "class_counts": np.rint(grouped.class_counts).astype(np.int64),
                "group_sizes": None,
                "exchanged": _group_values.WITHIN_CLASSES
                if clusters is None and grouped.n_permutations
                else grouped.exchanged,
            }
        exact["inferred"] = _sections.inferred_criteria(metrics, criteria)
        with_provenance: Self = replace(grouped, provenance=report.provenance, **exact)
        return with_provenance

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        by: Any = None,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        confidence_level: float = 0.95,
        n_permutations: int | None = None,
        random_state: RandomState = None,
        digits: int = 2,
    ) -> Self:
        """Make a report on the counts of groups, for example from a database.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of each group, of shape (n_groups, n_classes, n_classes): numbers of samples,
            the counts of `OrdinalConfusion.from_predictions` with `by`, whose samples may have
            weights and clusters, or sums of weights with ``sample_counts`` and
            ``squared_weights``, as `OrdinalConfusion.from_table` returns them.
        by : sequence of str or of tuple of str, or dict, default=None
            Name of each group. If None, the names in `OrdinalConfusion.groups`, which
            `OrdinalConfusion.from_table` and `OrdinalConfusion.from_predictions` set. A dict, as in
            ``by={"country": confusion.groups}``, also names the columns, see `from_predictions`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria of labels, in any form that `get_metric` accepts, or "all" for all
            criteria of labels in this package. If None, the six defaults of `cross_val_report`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `from_predictions`.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_permutations : int, default=None
            Number of random permutations for the test of errors within true classes, or 0 for no
            test. If None, the test has a closed form, see `from_predictions`.
        random_state : int, RandomState instance, Generator or None, default=None
            Seed or source of the random numbers of the permutations. Pass an int for the same
            report each time. Without permutations, there are no random numbers.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.

        Returns
        -------
        GroupReport
            The report.

        Raises
        ------
        ValueError
            If the counts are not a stack of matrices; if they are sums of weights without the
            sums of squared weights, or without their samples although `n_permutations` is
            positive; or if the groups have no names, a criterion needs more
            than labels, or another option is not valid.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or has no interval in a group.
        """
        if not isinstance(confusion, OrdinalConfusion):
            raise ValueError(
                f"confusion must be an OrdinalConfusion with counts of shape (n_groups, n_classes, "
                f"n_classes), got {type(confusion).__name__}: make one with "
                f"OrdinalConfusion.from_predictions and by=, or OrdinalConfusion.stack."
            )
        return cls._from_evidence(
            [confusion],
            by,
            metrics=metrics,
            target_names=target_names,
            prevalence=prevalence,
            confidence_level=confidence_level,
            n_permutations=n_permutations,
            random_state=random_state,
            digits=digits,
        )

    @classmethod
    def _from_arrays(
        cls,
        y_true: Any,
        y_pred: Any,
        y_proba: Any,
        group: IntegerArray,
        names: tuple[str, ...],
        reading: SampleReadingOptions,
        *,
        metrics: MetricsLike | None,
        n_permutations: int | None,
        **options: Any,
    ) -> Self:
        """Make a report on samples whose groups are integers from 0."""
        columns = {"y_pred": y_pred, "y_proba": y_proba}
        criteria = _group_metrics(metrics, [name for name in columns if columns[name] is not None])
        _check_permutations(n_permutations, len(names))
        units: list[_UnitsOfGroups] = []
        evidence: list[Evidence] = []
        if y_pred is not None:
            confusion = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, **reading)
            # Groups without tested samples have no matrix.
            position = np.array(confusion.groups, dtype=np.int64)
            units.append(_counted_units(confusion, position, n_permutations, len(names)))
            evidence.append(confusion)
            reading = counting.options_on_scale(reading, confusion.scale)
        if y_proba is not None:
            kinds = [metric.evidence for metric in criteria if not _sections.takes_labels(metric)]
            samples = evidence_reading.read_samples(kinds, y_true, y_proba, reading, name="y_proba")
            group_of_row = sampling.values_on_rows(y_true, "by", group)
            rows = GroupedRows.from_samples(samples, group_of_row, len(names))
            units.append(_UnitsOfGroups(rows, rows))
            evidence.append(samples)
        return cls._from_units(
            units,
            names,
            evidence[0],
            metrics=criteria,
            inferred=_sections.inferred_criteria(metrics, criteria),
            n_permutations=n_permutations,
            **options,
        )

    @classmethod
    def _from_evidence(
        cls,
        evidence: Sequence[Any],
        by: Any,
        *,
        metrics: MetricsLike | None,
        n_permutations: int | None,
        **options: Any,
    ) -> Self:
        """Report on evidence of groups: counts, forecasts or scores, or counts and one of these."""
        groups = [
            _named_groups(name, part, part.groups if by is None else by)
            for name, part in zip(("y_true", "y_proba"), evidence, strict=False)
        ]
        all_names = [names for _, names in groups]
        arguments = {
            str(kind.argument) for kind in _sections.ALL_KINDS if kind.pick(evidence) is not None
        }
        criteria = _group_metrics(metrics, arguments)
        _check_permutations(n_permutations, len(all_names[0]))
        units: list[_UnitsOfGroups] = []
        of_all: list[Evidence] = []
        for part, (position, names) in zip(evidence, groups, strict=True):
            if isinstance(part, OrdinalConfusion):
                units.append(_counted_units(part, position, n_permutations))
            else:
                group = position[part.group]
                part = part.reweighted(part.weights.sum(axis=0))
                rows = GroupedRows.from_samples(part, group, len(names))
                units.append(_UnitsOfGroups(rows, rows))
            of_all.append(part)
        _check_same_samples(units, of_all, all_names)
        return cls._from_units(
            units,
            all_names[0],
            of_all[0],
            metrics=criteria,
            inferred=_sections.inferred_criteria(metrics, criteria),
            n_permutations=n_permutations,
            columns=() if by is None else grouping.group_columns(by, len(all_names[0])),
            **options,
        )

    @classmethod
    def _from_units(
        cls,
        units: Sequence[_UnitsOfGroups],
        names: tuple[str, ...],
        evidence: Evidence,
        *,
        columns: tuple[str, ...],
        target_names: Sequence[str] | None,
        metrics: Sequence[OrdinalMetric],
        inferred: tuple[str, ...],
        prevalence: ArrayLike | None,
        confidence_level: float,
        n_permutations: int | None,
        random_state: RandomState,
        digits: int,
    ) -> Self:
        """Make a report on the units of groups, with predicted classes first.

        The evidence is that of the first units, and `columns` are the names of the columns that
        define the groups.
        """
        level = checks.check_share("confidence_level", confidence_level)
        views.check_digits(digits)
        rng = checks.as_generator(random_state)
        first, first_exchanged = units[0]
        scale, class_counts = first.scale, first.class_counts()
        shares, confusion, all_metrics = None, None, list(metrics)
        if prevalence is not None:
            sizes = class_counts.sum(axis=0)
            shares = confusion_counts.check_shares_for_sizes(
                "prevalence", prevalence, sizes, scale.labels
            )
        if not isinstance(first, GroupedRows):
            confusion = first.counts
            all_metrics += [metric for metric in _ordinal.SIGNED_ERRORS if metric not in metrics]
        by_unit: dict[str, GroupInference] = {}
        for drawn, exchanged in units:
            has_labels = not isinstance(drawn, GroupedRows)
            unit_metrics = [m for m in all_metrics if _sections.takes_labels(m) == has_labels]
            options: Any = {"prevalence": shares, "confidence_level": level}
            if isinstance(drawn, GroupedCounts):
                inferences = _group_values.infer_from_influences(
                    unit_metrics, drawn, names, **options
                )
            else:
                inferences = _group_values.infer_from_sample_influences(
                    unit_metrics, drawn, names, **options
                )
            if n_permutations is None:
                inferences = [inference.with_pvalue() for inference in inferences]
            elif n_permutations and exchanged is not None:
                inferences = _group_values.with_pvalues(
                    inferences,
                    unit_metrics,
                    exchanged,
                    rng,
                    prevalence=shares,
                    n_permutations=n_permutations,
                )
            by_unit |= zip([metric.name for metric in unit_metrics], inferences, strict=True)
        by_metric = {metric.name: by_unit[metric.name] for metric in all_metrics}
        weights = {
            m.name: _group_values.group_weights(m, class_counts) for m in metrics if shares is None
        }
        report = cls(
            rows=dict(_rows(names, by_metric, all_metrics, len(scale))),
            metrics=ByMetric({metric.name: metric for metric in all_metrics}),
            inferred=inferred,
            n_classes=len(scale),
            group_names=names,
            target_names=scales.check_target_names(target_names, scale),
            confusion=confusion,
            class_counts=class_counts,
            weights=ByMetric({name: w for name, w in weights.items() if w is not None}),
            exchanged=first_exchanged.exchanged if first_exchanged and n_permutations else "",
            n_permutations=n_permutations,
            prevalence=shares,
            digits=digits,
            provenance=Provenance.of_now(),
            group_sizes=first.n_samples() if class_counts.dtype.kind == "f" else None,
            moves={name: inference.moves for name, inference in by_metric.items()},
            by=columns,
            **confusion_counts.numbers_of_units(evidence),
        )
        report._warn_undefined()
        return report

    def _warn_undefined(self) -> None:
        undefined, without_interval = [], []
        for name, intervals in self.by_group.items():
            groups = [g for g, interval in intervals.items() if np.isnan(interval.estimate)]
            without = [
                group
                for group, interval in intervals.items()
                if group not in groups and np.isnan(interval.low)
            ]
            if groups:
                undefined.append(f"{name} for {formatting.names_in_words(groups)}")
            # Views name criteria that never have an interval.
            has_none = self.metrics[name].has_influence is False
            if without and not has_none:
                without_interval.append(f"{name} for {formatting.names_in_words(without)}")
        if undefined:
            checks.warn_caller(
                f"Undefined: {'; '.join(undefined)}.",
                UndefinedMetricWarning,
            )
        if without_interval:
            checks.warn_caller(
                f"There is no interval in closed form, since the standard error is 0 or unknown, "
                f"or the value is at the end of its range: {'; '.join(without_interval)}.",
                UndefinedMetricWarning,
                way_out="Where a maximum or minimum has ties, bootstrap_interval has one for the "
                "samples of each group.",
            )

    @property
    def n_samples(self) -> dict[str, int | None]:
        """Number of samples of each group, including unanswered ones; None if it is not known."""
        if not self.is_weighted:
            return self.total_weights
        if self.group_sizes is None:
            return dict.fromkeys(self.group_names)
        return dict(zip(self.group_names, self.group_sizes.tolist(), strict=True))

    @property
    def total_weights(self) -> dict[str, Any]:
        """Sum of the sample weights in each group; without weights, the number of samples."""
        return dict(zip(self.group_names, self.class_counts.sum(axis=-1).tolist(), strict=True))

    @property
    def is_weighted(self) -> bool:
        """Whether the samples have weights."""
        return self.class_counts.dtype.kind == "f"

    @cached_property
    def overall(self) -> Mapping[str, Interval]:
        """Value over all samples, by criterion name."""
        return self._by_criterion(VALUE)

    @cached_property
    def by_group(self) -> Mapping[str, Mapping[str, Interval]]:
        """Value of each group, by criterion name and group name."""
        names = self.members("criterion")
        return ByMetric({name: self._along("group", criterion=name) for name in names})

    def _by_criterion(self, what: str) -> ByMetric:
        """Return the row of each criterion that all groups share."""
        return ByMetric(self._along("criterion", what=what))

    def group_min(self) -> Mapping[str, Interval]:
        """Return the smallest value of any group, whether higher or lower is better.

        Returns
        -------
        mapping of str to Interval
            The value for each criterion name, NaN if it is defined for fewer than two groups.
        """
        return self._by_criterion(_SMALLEST)

    def group_max(self) -> Mapping[str, Interval]:
        """Return the largest value of any group, whether higher or lower is better.

        Returns
        -------
        mapping of str to Interval
            The value for each criterion name, NaN if it is defined for fewer than two groups.
        """
        return self._by_criterion(_LARGEST)

    def difference(self, method: Against = "between_groups") -> Mapping[str, GroupDifference]:
        """Return the largest absolute difference.

        Parameters
        ----------
        method : {"between_groups", "to_overall"}, default="between_groups"
            Whether differences are between two groups, or between a group and all samples.

        Returns
        -------
        mapping of str to GroupDifference
            The difference for each criterion name, with its p-value and the two groups. It
            is NaN if the criterion is defined for fewer than two groups.

        Raises
        ------
        ValueError
            If the method is not known.
        """
        checks.check_choice("method", method, Against)
        return self._by_criterion(_DIFFERENCES[method])

    def contrasts(
        self,
        *,
        reference: Any = None,
        weights: Mapping[Any, float] | Literal["linear"] | None = None,
    ) -> GroupContrasts:
        """Return the signed difference of each group from a reference, or one weighted contrast.

        The degrees of freedom come from what each sample or cluster moves the contrast, see
        `sklearn_ordinal.inference.delta_interval`. Each group is a sample of its own, and the
        samples are combined as in Welch's test. Groups that share clusters, directly or through
        other groups, are one sample of their clusters. The intervals are not simultaneous. The
        p-values of all groups are adjusted with Holm's method; the differences of two groups from
        all samples are a single hypothesis.

        The p-value asks whether the mean influence on the value of all samples differs between the
        groups. For a mean over the samples, such as the accuracy, it comes from the same t
        statistic as the interval. For other criteria it holds in smaller groups than the interval:
        the influence is that of all samples, in which rare classes occur. Where the two disagree,
        the p-value counts.

        The t-tests of many small groups reject equal groups too often: if there are five groups or
        more, half of them with fewer than 50 samples for each group, differences from all samples
        have the p-value of permutations of all samples, as the errors within true classes have
        theirs of permutations within the classes. The hypothesis is then that true and predicted
        classes have the same joint distribution in all groups. A small group with a wider spread
        is also evidence against it. With clusters, there are always t-tests. At a common
        ``prevalence``, values differ if and only if the errors within true classes differ, and the
        p-value comes from permutations within the classes.

        Parameters
        ----------
        reference : str or other value of `by`, default=None
            The group that all other groups are compared with. If None, each group is
            compared with all samples, to which it belongs.
        weights : mapping of groups to float, or "linear", default=None
            Weights of groups that add up to 0, for the sum of the values times their weights;
            groups that are left out have the weight 0. "linear" tests whether the values of ordered
            groups, such as months, rise or fall in their order: with the scores 1 to G of the
            groups, the contrast is the slope of a straight line, the mean change from a group to
            the next. The order is the same as in `group_names`: numbers, dates and ordered
            categories are in their order, and strings in alphabetical order.

        Returns
        -------
        GroupContrasts
            The contrasts for each criterion name, as text, tables and a plot.

        Raises
        ------
        ValueError
            If `reference` or a key of `weights` is not a group, both are given, or the weights do
            not add up to 0.
        """
        by_row = _group_contrasts.weights_by_row(self.group_names, reference, weights)
        against = grouping.OVERALL if reference is None else str(reference)
        against = against if weights is None else ""
        rows: dict[Key, Contrast] = {}
        for name in self.overall:
            for row, contrast in self._contrasts(name, by_row, is_adjusted=weights is None).items():
                key: Key = (name, row, against, DIFFERENCE) if against else (name, None, None, row)
                rows[key] = contrast
        hypothesis = next(iter(self.moves.values())).hypothesis
        if hypothesis == "distributions" and against != grouping.OVERALL:
            hypothesis = "values"
        by_group: dict[str, float] = {}
        if weights is not None:
            (by_value,) = by_row.values()
            by_group = dict(zip(self.group_names, by_value[1:].tolist(), strict=True))
        return GroupContrasts(
            rows=rows,
            metrics=self.metrics,
            inferred=self.inferred,
            n_classes=self.n_classes,
            reference=against,
            weights=by_group,
            digits=self.digits,
            hypothesis=hypothesis,
            provenance=Provenance.of_now(),
        )

    def _contrasts(
        self, name: str, by_row: Mapping[str, NDArray[np.float64]], *, is_adjusted: bool = True
    ) -> dict[str, Contrast]:
        """Return weighted sums of the values of all samples and of the groups by a criterion."""
        of_all = self.overall[name]
        return _group_values.contrasts_of_groups(
            self.metrics[name],
            self.n_classes,
            self.moves[name],
            by_row,
            of_all.confidence_level,
            is_adjusted=is_adjusted,
            n_left_out=of_all.n_left_out,
        )

    def mean(self, *, weights: Literal["equal", "samples"] = "equal") -> Mapping[str, Interval]:
        """Return the mean of the values of the groups.

        The value of all samples also depends on the differences between groups. If the groups have
        different scales, such as essay prompts with grades from 0 to 3 and from 0 to 60, always
        predicting the median of the prompt has a high kappa on all samples, and 0 in each prompt.

        The standard error comes from what each sample or cluster moves the mean. Kappas and
        correlations, whose values are between -1 and 1, are averaged as Fisher's z, the inverse
        hyperbolic tangent, and the mean is transformed back. The closeness measures of the groups
        use the class sizes of all samples, unlike the means of `compare_systems`, which are of
        reports of single groups.

        Parameters
        ----------
        weights : {"equal", "samples"}, default="equal"
            Whether each group counts the same, or as much as its number of samples or the sum of
            their weights.

        Returns
        -------
        mapping of str to Interval
            The mean for each criterion name. It is NaN if a group has no value, or if a kappa or
            correlation is -1 or 1 in a group, so that z is infinite.

        Raises
        ------
        ValueError
            If `weights` is not known.

        Warns
        -----
        UndefinedMetricWarning
            If the mean is undefined for a criterion.

        Examples
        --------
        >>> from sklearn_ordinal import GroupReport
        >>> y_true, y_pred = [0, 1, 1, 0, 2, 3, 3, 2] * 9, [0, 1, 1, 1, 2, 3, 2, 2] * 9
        >>> prompt = ["A", "A", "A", "A", "B", "B", "B", "B"] * 9
        >>> report = GroupReport.from_predictions(
        ...     y_true, y_pred, by=prompt, metrics="quadratic_weighted_kappa"
        ... )
        >>> print(report.overall["quadratic_weighted_kappa"])
        0.875 (95% interval 0.811 to 0.919)
        >>> print(report.mean()["quadratic_weighted_kappa"])
        0.500 (95% interval 0.301 to 0.657)
        """
        checks.check_choice("weights", weights, Literal["equal", "samples"])
        shares = np.array([*self.total_weights.values()], dtype=np.float64)
        shares = np.ones(len(shares)) if weights == "equal" else shares
        means, undefined = {}, []
        for name, by_group in self.by_group.items():
            means[name] = _group_values.mean_over_groups(
                self.metrics[name],
                [*by_group.values()],
                self.moves[name],
                shares / shares.sum(),
            )
            if np.isnan(means[name].estimate):
                values = {group: value.estimate for group, value in by_group.items()}
                groups = [group for group, value in values.items() if np.isnan(value)]
                groups = groups or [group for group, value in values.items() if abs(value) == 1]
                undefined.append(f"{name} for {formatting.names_in_words(groups)}")
        if undefined:
            checks.warn_caller(
                f"Undefined means, since groups have no value, or a kappa or correlation of 1 or "
                f"-1: {'; '.join(undefined)}.",
                UndefinedMetricWarning,
            )
        return ByMetric(means)

    def ratio(self, method: Against = "between_groups") -> Mapping[str, Interval]:
        """Return the smallest ratio of two values, which is at most 1.

        Parameters
        ----------
        method : {"between_groups", "to_overall"}, default="between_groups"
            Whether the ratio is between two groups, or between a group and all samples. The lower
            value is divided by the higher one.

        Returns
        -------
        mapping of str to Interval
            The ratio for each criterion that cannot be negative. It is NaN if the criterion is
            defined for fewer than two groups.

        Raises
        ------
        ValueError
            If the method is not known.
        """
        checks.check_choice("method", method, Against)
        return self._by_criterion(_RATIOS[method])

    def _sentences(self) -> Iterator[str]:
        """Say whether groups differ by the first criterion: their values, and then their errors."""
        name, difference = next(iter(self.difference().items()))
        values = self.by_group[name]
        yield _sentences.groups_verdict(
            name,
            difference,
            # The differences of two groups from all samples are a single one, between them.
            _sentences.on_each_side(self._from_all[name]) if len(values) > 2 else {},
            is_complete=not any(np.isnan(value.estimate) for value in values.values()),
            is_of_clusters=self.exchanged == _group_values.WHOLE_CLUSTERS,
            digits=self.digits,
        )

    @cached_property
    def _from_all(self) -> Mapping[str, Mapping[str, Contrast]]:
        """Differences of the groups from all samples, which sentence, tables and notes share."""
        by_row = _group_values.weights_of_differences(self.group_names, None, "samples")
        return {name: self._contrasts(name, by_row) for name in self.overall}

    def _views(self) -> Iterator[Part]:
        names = self.members("criterion")
        shown = self._ends() if len(self.group_names) > _MOST_GROUPS else self.group_names
        others = [name for name in names if name not in self.inferred]
        for name in self.inferred:
            yield self._groups_table(name, shown)
        all_values = [self._matrix("Values of the other criteria", others)] if others else []
        if shown is self.group_names:
            yield from all_values
        weights = [
            _sections.block(Column(name, "number"), of_groups)
            for name, of_groups in self._weights_by_group().items()
        ]
        of_weights = _sections.table("Weight in overall", "group", self.group_names, *weights)
        in_details = others if shown is self.group_names else names
        yield Section(
            "Differences between groups",
            (
                *map(self._differences_table, get_args(Against)),
                *([of_weights] if weights else []),
                *map(Note, self._hypotheses()),
            ),
            is_detail=True,
        )
        if in_details:
            tables = (self._groups_table(name, self.group_names) for name in in_details)
            yield Section("All groups by criterion", (*tables,), is_detail=True)
        extremes = (
            _sections.table(
                what.capitalize(), "criterion", list(rows), _sections.intervals(rows, self.digits)
            )
            for what in (_SMALLEST, _LARGEST, *_RATIOS.values())
            if (rows := self._by_criterion(what))
        )
        yield Section("Extremes and ratios", tuple(extremes), is_detail=True)

    def _ends(self) -> list[str]:
        """Return the groups with the lowest and the highest values of the first criterion."""
        values = self.by_group[self.inferred[0]]
        defined = [name for name, value in values.items() if not np.isnan(value.estimate)]
        ascending = sorted(defined, key=lambda name: values[name].estimate)
        return list(dict.fromkeys([*ascending[:_N_ENDS], *ascending[-_N_ENDS:]]))

    def _groups_table(self, name: str, groups: Sequence[str]) -> Table:
        """Return the values of a criterion, and their differences from the value of all samples."""
        overall, values = self.overall[name], self.by_group[name]
        with_overall = {**values, grouping.OVERALL: overall}
        blocks = [_sections.intervals(with_overall, self.digits, is_detail=len(values) > 2)]
        sizes = {**self.n_samples, grouping.OVERALL: _n_samples(self)}
        if self.is_weighted:
            totals = {**self.total_weights, grouping.OVERALL: self.class_counts.sum().item()}
            column = Column("total weight", "number", is_detail=True)
            blocks.insert(0, _sections.block(column, totals))
        if None not in self.n_samples.values():
            blocks.insert(0, _sections.block(Column("samples", "number", digits=0), sizes))
        if len(values) > 2:
            blocks.append(_sections.differences(self._from_all[name], self.digits, "from overall"))
        if overall.n_left_out:
            column = Column("unanswered left out", "number", is_detail=True)
            left_out = {group: value.n_left_out for group, value in with_overall.items()}
            blocks.append(_sections.block(column, left_out))
        title = self._headline(name)
        if len(groups) < len(values):
            title += f": the lowest and the highest of {len(values):,} groups"
        return _sections.table(title, "group", groups, *blocks, summary=[grouping.OVERALL])

    def _differences_table(self, method: Against) -> Table:
        rows = self.difference(method)
        pvalues = {"p (values)": {name: row.adjusted_pvalue for name, row in rows.items()}}
        if self.n_permutations != 0:
            is_of_clusters = self.exchanged == _group_values.WHOLE_CLUSTERS
            column = "p (clusters)" if is_of_clusters else "p (errors)"
            pvalues[column] = {name: row.errors_pvalue for name, row in rows.items()}
        blocks = [
            _sections.intervals(rows, self.digits, "difference"),
            *(_sections.block(Column(name, "pvalue"), cells) for name, cells in pvalues.items()),
            _sections.block(Column("lower"), {name: row.lower_group for name, row in rows.items()}),
            _sections.block(
                Column("higher"), {name: row.higher_group for name, row in rows.items()}
            ),
        ]
        return _sections.table(_DIFFERENCES[method].capitalize(), "criterion", list(rows), *blocks)

    def _weights_by_group(self) -> dict[str, dict[str, float]]:
        return {
            name: dict(zip(self.group_names, weights.tolist(), strict=True))
            for name, weights in self.weights.items()
        }

    def _notes(self) -> Iterator[str]:
        parts = [
            _sections.parts_in_words(len(self.group_names), "group", self.by),
            _sections.drawn_in_words(self.n_clusters, self.cluster_name, self.n_strata),
        ]
        yield _sections.samples_in_words(
            self.class_counts.sum().item(),
            self.target_names,
            is_weighted=self.is_weighted,
            n_samples=_n_samples(self),
            which=f" in {', '.join(filter(None, parts))}",
        )
        for note in _sections.notes_on_prevalence(self.prevalence, self.target_names):
            yield note.text
        if self.confusion is not None:
            for note in _sections.unanswered_parts(self.metrics, self.confusion.pooled()):
                yield note.text
        metrics = [self.metrics[name] for name in self.inferred]
        sizes = self.class_counts.sum(axis=0)
        for note in _sections.notes_on_rare_classes(metrics, sizes, self.target_names):
            yield note.text
        yield from _notes(self)

    def _hypotheses(self) -> Iterator[str]:
        """Yield the hypotheses of the p-values, and what the overall value is."""
        for moves in list(self.moves.values())[:1]:
            yield f"p (values): the hypothesis is that {_sentences.HYPOTHESES[moves.hypothesis]}."
        if self.n_permutations != 0 and self.exchanged != _group_values.WHOLE_CLUSTERS:
            yield (
                "p (errors): the hypothesis is that the predictions for each true class have the "
                "same distribution in all groups, whatever the class sizes."
            )
        if self.weights:
            yield (
                f"{', '.join(self.weights)}: computed for every group with the class sizes of all "
                f"samples, so that the overall value is the mean over the groups, weighted by "
                f"their weight in overall."
            )

    def _facts(self) -> dict[str, Any]:
        return {
            "groups": self.n_samples,
            **({"total_weights": self.total_weights} if self.is_weighted else {}),
            "prevalence": self.prevalence,
            "exchanged": self.exchanged,
            "weights": self._weights_by_group(),
        }

    def _extras(self, key: Key) -> dict[str, Any]:
        row = self.rows[key]
        # Rows that are no differences have neither a test nor groups.
        names = "errors_pvalue", "lower_group", "higher_group"
        values = {name: getattr(row, name, None) for name in names}
        return {name: None if value == "" else value for name, value in values.items()}


def _group_metrics(
    metrics: MetricsLike | None, arguments: Collection[str] = ("y_pred",)
) -> list[OrdinalMetric]:
    """Return the metrics of a report of groups; raise if some cannot be computed."""
    kinds = [kind for kind in _sections.ALL_KINDS if kind.argument in arguments]
    if not kinds:
        raise ValueError("y_pred or y_proba must be given, got neither.")
    criteria = _sections.chosen_metrics(metrics, kinds, default_kinds=kinds)
    reserved = {measure.name: measure for measure in _ordinal.SIGNED_ERRORS}
    for metric in criteria:
        kind = metric.evidence
        if kind.argument not in arguments:
            can_be_passed = kind.argument in {kind.argument for kind in _sections.ALL_KINDS}
            way_out = f"pass {kind.argument}= to GroupReport.from_predictions"
            raise ValueError(
                f"metrics must be criteria that can be computed from the predictions, "
                f"got {metric.name}, which needs {kind.noun}: "
                f"{way_out if can_be_passed else 'leave it out'}."
            )
        if reserved.get(metric.name, metric) != metric:
            raise ValueError(
                f"metrics must not contain a criterion with the name {checks.shown(metric.name)}, "
                "since every report of groups has a measure of this name: give it another name."
            )
    if "y_proba" in arguments and all(_sections.takes_labels(metric) for metric in criteria):
        raise ValueError(
            f"y_proba must be left out if no criterion needs probabilities or scores, got "
            f"metrics={', '.join(metric.name for metric in criteria)}."
        )
    return criteria


def _check_kinds(evidence: Sequence[Any]) -> None:
    """Raise unless evidence is counts, forecasts or scores, or counts and one of these."""
    y_true, *others = evidence
    forecasts = OrdinalForecasts, OrdinalScores
    if not isinstance(y_true, (OrdinalConfusion, *forecasts)):
        raise ValueError(
            f"y_true must be arrays, or an OrdinalConfusion, OrdinalForecasts or OrdinalScores of "
            f"groups, got {type(y_true).__name__}."
        )
    for y_proba in others:
        if not isinstance(y_true, OrdinalConfusion):
            raise ValueError(
                f"y_proba must be left out if y_true is {type(y_true).__name__}, which holds the "
                f"predictions, got {checks.shown(y_proba)}."
            )
        if not isinstance(y_proba, forecasts):
            raise ValueError(
                f"y_proba must be OrdinalForecasts or OrdinalScores if y_true is an "
                f"OrdinalConfusion, got {checks.shown(y_proba)}: make one with by=."
            )


def _named_groups(name: str, evidence: Any, by: Any) -> tuple[IntegerArray, tuple[str, ...]]:
    """Return the position of each group of evidence in a report, and the names in this order."""
    if isinstance(evidence, OrdinalConfusion):
        _check_group_counts(evidence)
        n_groups = len(evidence.counts)
    elif evidence.group is None:
        raise ValueError(
            f"{name} must be evidence of groups, got {evidence!r}: make it with "
            f"{type(evidence).__name__}.{evidence._constructor} and by=."
        )
    else:
        n_groups = len(evidence.groups)
    try:
        n_names = len(by)
    except TypeError:  # also for arrays without axes
        raise ValueError(f"by must be a sequence of names, got {checks.shown(by)}.") from None
    if not n_names:
        raise ValueError("by must name the groups, since the confusion has no group names.")
    if not isinstance(by, Mapping) and n_names != n_groups:
        raise ValueError(
            f"by must be left out, or name each of the {n_groups} groups of the evidence that is "
            f"passed, got {n_names} names."
        )
    position, names = grouping.read_groups(by, n_groups)
    if len(names) < len(position):
        raise ValueError(f"by must name each group once, got {', '.join(map(str, by))}.")
    return position, names


def _check_group_counts(confusion: OrdinalConfusion) -> None:
    """Raise unless the counts tell which samples are in each group."""
    if confusion.counts.ndim != 3:
        raise ValueError(
            f"confusion must be an OrdinalConfusion with counts of shape (n_groups, n_classes, "
            f"n_classes), got shape {confusion.counts.shape}: make one with "
            f"OrdinalConfusion.from_predictions and by=, or OrdinalConfusion.stack."
        )
    confusion_counts.check_has_items(confusion)
    samples = confusion_counts.samples_counted_in(confusion)
    if confusion.has_systems:
        raise ValueError(
            "confusion must hold groups of different samples, got several systems on the same "
            "samples: compare them with compare_systems."
        )
    if samples is None and confusion_counts.has_design(confusion):
        raise ValueError(
            "confusion must hold samples that are drawn one by one, but counts of samples in "
            "clusters or strata do not tell how they were drawn: pass what "
            "OrdinalConfusion.from_predictions returns with by=."
        )


def _are_sums_of_weights(evidence: Any) -> bool:
    """Return whether counts are sums of weights whose samples are not known."""
    are_counts = isinstance(evidence, OrdinalConfusion)
    return (
        are_counts
        and evidence.is_weighted
        and confusion_counts.samples_counted_in(evidence) is None
    )


class _UnitsOfGroups(NamedTuple):
    """The units that intervals come from, and the units that the test exchanges, if any."""

    drawn: GroupedCounts | GroupedRows
    exchanged: GroupedUnits | GroupedRows | None


def _counted_units(
    confusion: OrdinalConfusion,
    position: IntegerArray,
    n_permutations: int | None,
    n_groups: int | None = None,
) -> _UnitsOfGroups:
    """Return counts of groups for intervals in closed form, and units to exchange."""
    drawn = GroupedCounts.from_confusion(confusion, position, n_groups)
    if not n_permutations:
        return _UnitsOfGroups(drawn, None)
    if _are_sums_of_weights(confusion):
        raise ValueError(
            f"n_permutations must be None or 0 if the counts are sums of weights without their "
            f"samples, which cannot be exchanged, got {n_permutations}: leave it out, or pass what "
            f"OrdinalConfusion.from_predictions returns with by=."
        )
    return _UnitsOfGroups(drawn, GroupedUnits.from_confusion(confusion, position, n_groups))


def _check_permutations(n_permutations: int | None, n_groups: int) -> None:
    if n_permutations is not None:
        checks.check_count("n_permutations", n_permutations, at_least=0, size=n_groups)


def _check_same_samples(
    units: Sequence[_UnitsOfGroups],
    evidence: Sequence[Evidence],
    names: Sequence[tuple[str, ...]],
) -> None:
    """Raise if groups or class sizes show that the evidence is about different samples."""
    first, *others = [part.drawn for part in units]
    for other, other_names in zip(others, names[1:], strict=True):
        sizes, other_sizes = first.class_counts(), other.class_counts()
        if (
            other_names != names[0]
            or other.scale != first.scale
            or not tolerances.are_same_sizes(sizes, other_sizes)
        ):
            raise ValueError(
                "y_proba must be for the samples, groups and weights of y_true, got other groups "
                "or other class sizes."
            )
    numbers = list(map(confusion_counts.numbers_of_units, evidence))
    for noun in ("clusters", "strata"):
        if len({of_part[f"n_{noun}"] is None for of_part in numbers}) > 1:
            raise ValueError(
                f"y_true and y_proba must both be made with {noun}=, or both without, got one "
                f"with {noun}."
            )


def _check_clusters(cluster: IntegerArray, group: IntegerArray, *, is_repeated: bool) -> None:
    """Raise if samples are tested several times and a cluster has samples in several groups."""
    pairs = np.unique(np.stack([cluster, group]), axis=1)
    if is_repeated and pairs.shape[1] > len(np.unique(cluster)):
        raise ValueError(
            "clusters must each be in a single group if samples are tested several times: "
            "leave clusters out, or pass a report in which each sample is tested once."
        )


def _predicted(evidence: OrdinalForecasts | OrdinalScores) -> NDArray[np.float64]:
    """Return scores, or probabilities normalized so that they pass a second check."""
    if isinstance(evidence, OrdinalScores):
        return evidence.y_score
    return _cross_val.normalized_rows(evidence.y_proba)


def _rows(
    names: Sequence[str],
    by_metric: Mapping[str, GroupInference],
    metrics: Sequence[OrdinalMetric],
    n_classes: int,
) -> Iterator[tuple[Key, Interval]]:
    """Yield the values of all criteria, and what compares them."""
    lowest = {metric.name: metric.bounds(n_classes)[0] for metric in metrics}
    for name, of in by_metric.items():
        yield (name, None, None, VALUE), of.overall
        for group, value in zip(names, of.by_group, strict=True):
            yield (name, group, None, VALUE), value
        yield (name, None, None, _SMALLEST), of.group_min
        yield (name, None, None, _LARGEST), of.group_max
        for method, what in _DIFFERENCES.items():
            yield (name, None, None, what), of.differences[method]
        # Ratios of values of either sign say nothing.
        for method, what in _RATIOS.items() if lowest[name] >= 0 else ():
            yield (name, None, None, what), of.ratios[method]


def _n_samples(report: GroupReport) -> int | None:
    """Return the total number of samples, or None if it is not known."""
    if not report.is_weighted:
        return int(report.class_counts.sum())
    return None if report.group_sizes is None else int(report.group_sizes.sum())


def _notes(report: GroupReport) -> Iterator[str]:
    """Yield the notes that readers need to interpret the groups."""
    if report.n_permutations == 0:
        yield "Errors within true classes are not tested: leave n_permutations out to test them."
    elif np.count_nonzero(report.class_counts, axis=0).max() < 2:
        yield "Errors within true classes cannot be compared: no class occurs in two groups."
    hypotheses = {moves.hypothesis for moves in report.moves.values()} - {"values"}
    for hypothesis in hypotheses if len(report.group_names) > 2 else ():
        yield f"adjusted p: the hypothesis is that {_sentences.HYPOTHESES[hypothesis]}."
    # The standard error of a criterion without a derivative is NaN, and that of equal samples is 0.
    errors = {
        name: np.array(
            [value.standard_error for value in (report.overall[name], *values.values())],
            dtype=np.float64,
        )
        for name, values in report.by_group.items()
    }
    without = [
        name
        for name, of_values in errors.items()
        if np.isnan(of_values).all() and not np.isnan(report.overall[name].estimate)
    ]
    if without:
        tests = " and p-values", ", and n_permutations=9999 tests errors within true classes"
        and_pvalues, by_permutations = tests if report.n_permutations is None else ("", "")
        yield (
            f"Without intervals{and_pvalues}, since there is no closed form: {', '.join(without)}. "
            f"bootstrap_interval computes an interval for the samples of each group"
            f"{by_permutations}."
        )
    shown: list[Contrast] = [report.difference()[name] for name in report.inferred]
    if len(report.group_names) > 2:
        shown += [row for name in report.inferred for row in report._from_all[name].values()]
    yield from _intervals.notes_on_pvalues(shown)
    yield from _notes_on_constants(report)
    yield from _notes_on_small_groups(report)
    undefined: dict[tuple[str, ...], list[str]] = {}
    for name, values in report.by_group.items():
        groups = tuple(group for group, value in values.items() if np.isnan(value.estimate))
        undefined.setdefault(groups, []).append(name)
    for groups, criteria in undefined.items():
        if groups:
            yield (
                f"Undefined for {formatting.names_in_words(groups)}, so that smallest and largest "
                f"values, differences and ratios leave them out: {', '.join(criteria)}."
            )


def _notes_on_constants(report: GroupReport) -> Iterator[str]:
    """Yield a note if differences between groups make a criterion high on all samples.

    The constant prediction of a group is the median or most frequent class of its samples,
    whichever the criterion prefers.
    """
    confusion, n_groups = report.confusion, len(report.group_names)
    is_large = 2 * n_groups * report.n_classes**2 > _MOST_CELLS_OF_CONSTANTS
    if confusion is None or report.prevalence is not None or is_large or confusion.has_fixed_shares:
        return
    sizes = confusion.counts.sum(axis=2).astype(np.float64)
    # All samples together are one more group.
    sizes = np.concatenate([sizes, sizes.sum(axis=0, keepdims=True)])
    is_below = sizes.cumsum(axis=1) < sizes.sum(axis=1, keepdims=True) / 2
    constant = np.stack([is_below.sum(axis=1), sizes.argmax(axis=1)], axis=1)
    # Of shape (n_groups + 1, 2, n_classes, n_classes).
    counts = sizes[:, None, :, None] * np.eye(report.n_classes)[constant][:, :, None]
    found = {}
    for name, metric in report.metrics.items():
        is_of_labels = _sections.takes_labels(metric) and not lookup.is_wrapped(metric)
        if not (is_of_labels and metric.greater_is_better):
            continue
        with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
            # A criterion may be undefined for constants.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            values = metric(OrdinalConfusion(confusion.scale, counts, is_weighted=True))
            best = np.nan_to_num(values, nan=-np.inf).argmax(axis=1)
            of_groups = counts[np.arange(n_groups), best[:-1]]
            overall, *within = _group_values.group_values(
                metric, OrdinalConfusion(confusion.scale, of_groups, is_weighted=True)
            ).tolist()
        mean = np.mean([value for value in within if not np.isnan(value)] or [np.nan])
        is_higher = overall - np.fmax(values[-1, best[-1]], mean) >= _GAIN_OF_CONSTANTS
        if is_higher and not np.isnan(mean):
            found[name] = overall, mean
    for name, (overall, mean) in list(found.items())[:1]:
        group = report.by[0] if len(report.by) == 1 else "group"
        others = [other for other in found if other != name]
        too = f", as may those of {formatting.names_in_words(others)}" if others else ""
        yield (
            f"Predicting a constant class for each {group} reaches {overall:.2f} by {name} on all "
            f"samples, and {mean:.2f} within each {group} on average, so the value on all samples "
            f"may come from differences between groups{too}: see the mean over the groups, "
            f"GroupReport.mean."
        )


def _notes_on_small_groups(report: GroupReport) -> Iterator[str]:
    small = [
        f"{group} ({size})"
        for group, size in report.n_samples.items()
        if size is not None and size < _FEW_SAMPLES
    ]
    if small:
        yield (
            f"Groups with fewer than {_FEW_SAMPLES} samples, whose intervals are too short: "
            f"{formatting.names_in_words(small)}."
        )
    missing = {
        group: [name for name, size in zip(report.target_names, sizes, strict=True) if not size]
        for group, sizes in zip(report.group_names, report.class_counts, strict=True)
    }
    lacking = [
        f"{group} ({formatting.names_in_words(names)})" for group, names in missing.items() if names
    ]
    if lacking:
        yield f"Groups without samples of some true classes: {formatting.names_in_words(lacking)}."
