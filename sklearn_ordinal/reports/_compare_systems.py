"""Systems on one test set, compared in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    LABELS,
    PROBABILITIES,
    SCORES,
    ByMetric,
    Evidence,
    Kind,
    MetricsLike,
    OrdinalConfusion,
    OrdinalMetric,
    RandomState,
    SampleReadingOptions,
    SystemsEvidence,
    TrueClasses,
    are_of_labels,
    as_generator,
    check_named,
    check_nothing_beside,
    clusters_in,
    drawn_samples,
    evidence_on_members,
    get_metrics,
    groups_by_item,
    is_evidence,
    kinds_in,
    named_entries,
    options_on_scale,
    read_systems,
    sample_clusters,
    samples_counted_in,
    shown,
    systems_on_the_same_samples,
    takes_reading,
    values_on_rows,
    warn_caller,
)
from sklearn_ordinal._documents import counted
from sklearn_ordinal.inference import (
    Interval,
    check_resampling,
    resample_systems,
    warn_about_undefined,
)
from sklearn_ordinal.reports._group_names import group_columns, read_groups
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._systems_report import SystemsReport


@takes_reading(SampleReadingOptions)
def compare_systems(
    y_true: TrueClasses | OrdinalConfusion | Mapping[str, Evidence],
    predictions: Mapping[str, Any] | None = None,
    *,
    metrics: MetricsLike = "cem_ord",
    by: Any = None,
    n_resamples: int = 9999,
    confidence_level: float = 0.95,
    random_state: RandomState = None,
    **reading: Unpack[SampleReadingOptions],
) -> SystemsReport:
    r"""Rank systems on one test set, and test all pairs of them.

    All systems are evaluated on the same resamples of the samples, or of clusters of them. The
    intervals are bootstrap intervals, as in `bootstrap_interval`. All pairs are tested by the
    step-down maximum of t [1]_: the difference of a pair, divided by its standard error, is
    compared with the largest such value in the resamples, centred at zero, among all pairs that
    have not been found to differ. This controls the probability of any false difference among all
    pairs, and takes the dependence between systems into account. Holm's method would multiply
    p-values by the number of pairs, so that even the smallest p-value that the resamples
    allow may not be significant.

    Systems that do not differ significantly share a letter [2]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, which are a distribution over the classes for each sample, or
        the grades of several raters as `OrdinalRatings`; or evidence of all systems on the same
        samples, passed instead of the arrays and their options, such as `labels`: the counts of
        `OrdinalConfusion.from_systems`, or a dict that maps the names of the systems to
        `OrdinalForecasts` or `OrdinalScores`.
    predictions : dict of str to array-like or dict, default=None
        The predictions of each system, keyed by name: classes of shape (n_samples,); probabilities
        of the classes, from the lowest to the highest, of shape (n_samples, n_classes); or both, as
        ``{"y_pred": classes, "y_proba": probabilities}``. Criteria of rankings also take scores of
        shape (n_samples,), as ``{"y_proba": scores}``. There must be at least two systems.
    **reading
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts, starting with the main criterion; or
        "all" for all criteria of this package that can be computed from the predictions of every
        system. Criteria of predicted classes and criteria of probabilities may be combined. The two
        kinds use separate resamples.
    by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict, default=None
        Group of each sample, such as its language. If not None, the systems are also ranked on the
        samples of each group; with several columns, each combination that occurs is a group.
    n_resamples : int, default=9999
        Number of resamples.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1. Pairs are tested at the level
        ``1 - confidence_level``, such as 0.05.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for reproducible reports.

    Returns
    -------
    SystemsReport
        For each criterion, the ranked systems with intervals and letters, and the differences of
        all pairs with simultaneous intervals and adjusted p-values; and the agreement of the
        criteria on the order of the systems. With `by`, `groups` has the report of each group.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a system lacks the predictions that a criterion takes,
        the order of the classes is unknown, a metric is unknown, systems predict different numbers
        of samples, `by` does not name a group of each sample or the systems can be compared in no
        group, or a number is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If a value or an interval is undefined, if a metric is undefined for more than 5% of the
        resamples, or if the systems cannot be compared in a group.

    See Also
    --------
    sklearn_ordinal.inference.paired_difference : Compare two systems with a randomisation test.
    sklearn_ordinal.inference.compare_ranks : Compare systems over several data sets.
    compare_estimators : Compare estimators by cross-validation.

    Notes
    -----
    With soft labels, whole samples are drawn, with all their shares. As in `bootstrap_interval`,
    means over the samples are expected values over the grades, and other metrics have the value of
    the expected counts.

    The tests of a criterion leave out resamples in which a system has no value. Systems
    with the same values on all resamples never differ significantly.

    The standard error of a difference is computed from the influences of the samples or
    clusters, in each resample if there are up to 2,000 of them, or more for fewer than 100
    systems. A criterion without influences in closed form has them from the jackknife with up to
    2,000 samples or clusters, or 500 for criteria of probabilities and scores. With more samples,
    its standard error is the standard deviation over the resamples. The user guide shows the
    share of simulations in which any of 20 equal systems differ significantly.

    The report of a group is the report of its samples alone on the scale of all samples, with the
    same `random_state` if that is an int. The tests are not adjusted for the number of groups. A
    group with fewer than two samples, or clusters if there are any, or in which no system has a
    finite value, is in `groups_left_out`.

    References
    ----------
    .. [1] J. P. Romano, M. Wolf (2005), "Stepwise multiple testing as formalized data
       snooping", Econometrica 73(4), :doi:`10.1111/j.1468-0262.2005.00615.x`.
    .. [2] H.-P. Piepho (2004), "An algorithm for a letter-based representation of all-pairwise
       comparisons", Journal of Computational and Graphical Statistics 13(2),
       :doi:`10.1198/1061860043515`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import compare_systems
    >>> y_true = np.arange(300) % 3
    >>> predictions = {
    ...     "good": np.where(np.arange(300) % 10 < 8, y_true, 1),
    ...     "fair": np.where(np.arange(300) % 10 < 7, y_true, 1),
    ...     "poor": np.where(np.arange(300) % 10 < 3, y_true, 1),
    ... }
    >>> report = compare_systems(y_true, predictions, random_state=0)
    >>> print(report.verdicts["cem_ord"])
    By cem_ord, good has the highest value, 0.918 (95% interval 0.894 to 0.939), and
    beats all others (largest adjusted p < 0.001).

    The same systems in each of two groups:

    >>> language = np.where(np.arange(300) < 200, "de", "fr")
    >>> report = compare_systems(y_true, predictions, by=language, random_state=0)
    >>> {group: part.ranks["cem_ord"]["good"] for group, part in report.groups.items()}
    {'de': 1, 'fr': 1}
    """
    confidence_level = check_resampling(confidence_level, n_resamples)
    if is_evidence(y_true, predictions):
        check_nothing_beside(reading, predictions=predictions, by=by)
        systems = _systems_from_evidence(y_true, metrics)
    else:
        systems = _read_systems(y_true, predictions, metrics, reading)
    # One seed for each kind, so that the results of a kind do not depend on metrics of other kinds.
    seeds = as_generator(random_state).integers(2**63, size=2)
    ranked = partial(
        _ranked, seeds=seeds, confidence_level=confidence_level, n_resamples=n_resamples
    )
    if by is None:
        report = ranked(systems)
        warn_about_undefined(_intervals_by_title(report), n_resamples)
        return report
    group, names = read_groups(*groups_by_item(y_true, by), y_true)
    columns = group_columns(by, len(group))
    group = values_on_rows(y_true, "by", group)
    drawn = drawn_samples(systems.any_evidence)
    reports: dict[str, SystemsReport] = {}
    left_out: dict[str, str] = {}
    for number, name in enumerate(names):
        members = group == number
        n_units = len(np.unique(drawn.unit[members[drawn.has_weight]]))
        if n_units < 2:
            noun = "cluster" if systems.are_clustered else "sample"
            left_out[name] = f"{counted(n_units, noun)} of positive weight, of at least 2"
            continue
        part = systems.on_members(members)
        part_report = ranked(part)
        if _has_values(part_report):
            reports[name] = part_report
        else:
            left_out[name] = _reason_without_values(part)
    if not reports:
        name, reason = next(iter(left_out.items()))
        raise ValueError(
            f"by must name a group in which the systems can be compared, got none of "
            f"{len(names):,}, such as {shown(name)} ({reason}): merge groups."
        )
    report = ranked(systems, groups=reports, groups_left_out=left_out, by=columns)
    intervals = _intervals_by_title(report)
    for name, part_report in reports.items():
        intervals |= _intervals_by_title(part_report, f" in {name}")
    warn_about_undefined(intervals, n_resamples)
    if left_out:
        reasons = "; ".join(f"{name} ({reason})" for name, reason in left_out.items())
        warn_caller(f"Systems are not compared in {reasons}.", UndefinedMetricWarning)
    return report


def _ranked(
    systems: _Systems,
    *,
    seeds: NDArray[np.int64],
    confidence_level: float,
    n_resamples: int,
    **groups: Any,
) -> SystemsReport:
    """Resample systems on the same samples, and return their report."""
    criteria, names = systems.metrics, systems.names
    by_kind = [
        resample_systems(
            of_kind,
            evidence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=np.random.default_rng(seed),
        )
        for of_kind, evidence, seed in (
            (systems.label_metrics, systems.counted, seeds[0]),
            (systems.other_metrics, systems.forecasts, seeds[1]),
        )
        if evidence is not None
    ]
    scores = {
        name: dict(zip(names, intervals, strict=True))
        for resampled in by_kind
        for name, intervals in resampled.intervals.items()
    }
    tests = {name: test for resampled in by_kind for name, test in resampled.tests.items()}
    first = by_kind[0]
    return SystemsReport(
        scale=first.scale,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        scores=ByMetric({metric.name: scores[metric.name] for metric in criteria}),
        pvalues=ByMetric({metric.name: tests[metric.name].pvalues for metric in criteria}),
        margins=ByMetric({metric.name: tests[metric.name].margins for metric in criteria}),
        standard_errors=ByMetric(
            {metric.name: tests[metric.name].standard_errors for metric in criteria}
        ),
        n_undefined=ByMetric({metric.name: tests[metric.name].n_undefined for metric in criteria}),
        n_unanswered=dict(zip(names, first.n_unanswered, strict=True)),
        n_samples=first.n_samples,
        total_weight=first.total_weight,
        n_units=first.n_units,
        # The items of soft labels are clusters of rows, but each of them is a single sample.
        unit="cluster" if systems.are_clustered and first.n_units < first.n_samples else "sample",
        n_resamples=n_resamples,
        provenance=Provenance.of_now(),
        cluster_name=systems.cluster_name,
        **groups,
    )


def _intervals_by_title(report: SystemsReport, place: str = "") -> dict[str, Interval]:
    """Return the interval of each criterion and system, by its name in a warning."""
    return {
        f"{name} of {system}{place}": score
        for name, by_system in report.scores.items()
        for system, score in by_system.items()
    }


def _has_values(report: SystemsReport) -> bool:
    """Return whether some system has a finite value by some criterion."""
    return any(np.isfinite(score.estimate) for score in _intervals_by_title(report).values())


def _reason_without_values(systems: _Systems) -> str:
    """Say why no system has a value."""
    evidence = systems.any_evidence
    first = evidence[0] if isinstance(evidence, tuple) else evidence[evidence.groups[0]]
    occurring = first.scale.labels[first.class_counts > 0].tolist()
    is_single = len(occurring) == 1
    reason = f", since all samples are of class {shown(occurring[0])}" if is_single else ""
    return f"no system has a finite value{reason}"


class _Systems(NamedTuple):
    """The systems on the same samples, for each kind of metric."""

    names: tuple[str, ...]
    metrics: list[OrdinalMetric]
    label_metrics: list[OrdinalMetric]
    other_metrics: list[OrdinalMetric]
    counted: SystemsEvidence | None = None
    forecasts: SystemsEvidence | None = None

    @property
    def any_evidence(self) -> SystemsEvidence:
        """The evidence of one of the kinds, all of which have the same samples."""
        evidence = self.forecasts if self.counted is None else self.counted
        assert evidence is not None
        return evidence

    def on_members(self, members: NDArray[np.bool_]) -> _Systems:
        """Return the systems on some of the samples."""
        parts = {
            name: evidence_on_members(evidence, members)
            for name, evidence in (("counted", self.counted), ("forecasts", self.forecasts))
            if evidence is not None
        }
        return self._replace(**parts)

    @property
    def cluster_name(self) -> str:
        """The name of the column of clusters, empty if it is not known."""
        evidence = self.any_evidence
        return clusters_in(evidence[0] if isinstance(evidence, tuple) else evidence)[1]

    @property
    def are_clustered(self) -> bool:
        """Whether whole clusters of samples are drawn."""
        evidence = self.any_evidence
        if isinstance(evidence, OrdinalConfusion):
            samples = samples_counted_in(evidence)
            return samples is not None and samples.cluster is not None
        return sample_clusters(evidence[0]) is not None


def _systems_from_evidence(evidence: Any, metrics: MetricsLike) -> _Systems:
    """Return systems that were passed as evidence."""
    criteria = _chosen(metrics, kinds_in(evidence))
    systems = systems_on_the_same_samples(evidence, criteria)
    if isinstance(systems, OrdinalConfusion):
        names = systems.groups
    else:
        check_named("evidence", evidence)
        names = tuple(evidence)
    if are_of_labels(criteria):
        return _Systems(names, criteria, criteria, [], counted=systems)
    return _Systems(names, criteria, [], criteria, forecasts=systems)


def _chosen(metrics: MetricsLike, kinds: Sequence[Kind]) -> list[OrdinalMetric]:
    """Return the criteria; "all" means those that rank systems."""
    is_all = isinstance(metrics, str) and metrics == "all"
    return get_metrics(metrics, argument="metrics", kinds=kinds, with_direction=is_all)


def _read_systems(
    y_true: Any, predictions: Any, metrics: MetricsLike, reading: SampleReadingOptions
) -> _Systems:
    """Read the predicted classes and probabilities of systems that the metrics need."""
    classes, probabilities = _by_kind(predictions)
    kinds: list[Kind] = [LABELS] if len(classes) == len(predictions) else []
    kinds += [PROBABILITIES, SCORES] if len(probabilities) == len(predictions) else []
    criteria = _chosen(metrics, kinds)
    label_metrics = [metric for metric in criteria if metric.evidence.argument == LABELS.argument]
    other_metrics = [metric for metric in criteria if metric.evidence.argument != LABELS.argument]
    _check_complete(label_metrics, classes, predictions)
    _check_complete(other_metrics, probabilities, predictions)
    systems = _Systems(tuple(predictions), criteria, label_metrics, other_metrics)
    if label_metrics:
        counted: Any = read_systems(
            label_metrics, y_true, named_entries("predictions", classes), reading
        )
        systems = systems._replace(counted=counted)
        # All criteria use the scale of the predicted classes, and only predicted classes may be
        # missing.
        reading = options_on_scale(reading, counted.scale)
    if other_metrics:
        forecasts = read_systems(
            other_metrics, y_true, named_entries("predictions", probabilities), reading
        )
        systems = systems._replace(forecasts=forecasts)
    return systems


def _by_kind(predictions: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the predicted classes and the probabilities of the systems that have them."""
    if predictions is None:
        raise ValueError(
            "predictions must be given, unless y_true is evidence that holds all systems, such as "
            "OrdinalConfusion.from_systems returns."
        )
    check_named("predictions", predictions)
    if len(predictions) < 2:
        raise ValueError(
            f"predictions must have at least two systems, got {len(predictions)}: for a "
            f"single system, use sklearn_ordinal.inference.bootstrap_interval."
        )
    by_argument: dict[str | None, dict[str, Any]] = {"y_pred": {}, "y_proba": {}}
    for name, predicted in predictions.items():
        if not isinstance(predicted, Mapping):
            # Evidence of another kind, such as ratings, is neither classes nor probabilities.
            by_argument.get(kinds_in(predicted)[0].argument, {})[name] = predicted
            continue
        if not predicted or not by_argument.keys() >= predicted.keys():
            raise ValueError(
                f"predictions[{shown(name)}] must be an array or a dict of 'y_pred' and "
                f"'y_proba', got a dict of {shown(list(predicted))}."
            )
        for argument, column in predicted.items():
            by_argument[argument][name] = column
    return by_argument["y_pred"], by_argument["y_proba"]


def _check_complete(
    metrics: Sequence[OrdinalMetric],
    predicted: Mapping[str, Any],
    predictions: Mapping[str, Any],
) -> None:
    """Raise if a metric needs a kind of predictions that a system does not have."""
    lacking = [name for name in predictions if name not in predicted]
    if metrics and lacking:
        raise ValueError(
            f"metrics has {metrics[0].name}, which takes {metrics[0].evidence.inputs}, but "
            f"predictions[{shown(lacking[0])}] has none: pass {{'y_pred': classes, 'y_proba': "
            f"probabilities or scores}} for each system, or leave the metric out."
        )
