"""The report of groups of samples, with the conventions of fairlearn's MetricFrame."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    OrdinalConfusion,
    OrdinalMetric,
    RandomState,
    as_generator,
    check_array,
    check_choice,
    check_dict,
    check_distinct_names,
    check_instance,
    check_integer,
    check_shares_of_sizes,
    check_target_names,
)
from sklearn_ordinal.inference import (
    MANY_UNDEFINED,
    Against,
    GroupDifference,
    GroupedRows,
    GroupedUnits,
    GroupInference,
    Interval,
    check_resampling,
    infer_groups,
)
from sklearn_ordinal.metrics import weights_of_groups
from sklearn_ordinal.reports._checks import (
    check_digits,
    check_estimates,
    check_metrics,
    check_prevalence,
    check_provenance,
)
from sklearn_ordinal.reports._group_estimators import GroupReportOfEstimators
from sklearn_ordinal.reports._group_measures import MEASURES
from sklearn_ordinal.reports._group_views import GroupReportViews
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._saved import saved
from sklearn_ordinal.reports._stacklevel import stacklevel_of_the_caller

# The most groups that a warning names.
_MOST_NAMES = 5


@saved
@dataclass(frozen=True, eq=False, repr=False)
class GroupReport(GroupReportOfEstimators, GroupReportViews):
    """Criteria of each group of samples, with intervals and tests of their differences.

    Make one with `from_predictions`, `from_estimator`, `from_cross_val` or `from_confusion`; `str`
    gives the text, notebooks show tables. The names are those of
    ``fairlearn.metrics.MetricFrame``.

    Parameters
    ----------
    group_names : tuple of str
        Name of each group.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    confusion : OrdinalConfusion or None
        Counts of each group, of shape (n_groups, n_classes, n_classes); None without predicted
        classes.
    class_counts : ndarray of shape (n_groups, n_classes)
        Number, or weight, of the samples of each group and true class, the unanswered included.
    metrics : mapping of str to OrdinalMetric
        The criteria.
    overall : mapping of str to Interval
        Value of all samples, by the name of the criterion; for predicted classes also "bias"
        (mean signed error, in positions on the scale; positive: predicted too high), "too_high"
        and "too_low" (shares of the predictions).
    by_group : mapping of str to mapping of str to Interval
        Value of each group, by the name of the criterion and that of the group.
    minima : mapping of str to Interval
        Smallest value of a group, see `group_min`.
    maxima : mapping of str to Interval
        Largest value of a group, see `group_max`.
    differences : mapping of str to mapping of str to GroupDifference
        Largest differences, by the name of the criterion and the method, see `difference`.
    ratios : mapping of str to mapping of str to Interval
        Smallest ratios, by the name of the criterion and the method, see `ratio`.
    weights : mapping of str to ndarray of shape (n_groups,)
        For the criteria of the closeness family, the weights by which the overall value is
        the mean of the groups.
    exchanged : str
        What the permutations of the test exchange between groups.
    n_resamples : int
        Number of resamples, and of permutations.
    prevalence : ndarray of shape (n_classes,), default=None
        Share of each true class at which all values are.
    digits : int, default=2
        Number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.
    group_sizes : ndarray of shape (n_groups,), default=None
        Number of samples of each group, those of weight zero left out, if `class_counts` are
        weights. None if it is not known.

    Attributes
    ----------
    n_samples : dict of str to int
        Number of samples of each group; None if it is not known, as of saved sums of weights.
    total_weights : dict of str to float
        Sum of the weights of the samples of each group, without weights their number.

    Raises
    ------
    ValueError
        If fields are of another type or do not fit each other, or a value is outside its
        range.

    See Also
    --------
    ordinal_report : The report as text or dict in one call.
    OrdinalReport : The report of all samples.

    Notes
    -----
    Closeness depends on the sizes of the classes. All groups have those of all samples as the
    reference, in each resample too, so that the overall value is the mean of the groups,
    weighted by what perfect predictions for them earn. A group with other class sizes may
    still have another value although the predictions for each class are as good: pass
    `prevalence` to compare groups at the same class sizes.

    The same holds for the closeness of probabilities, where the class sizes of all samples also
    decide for a class. Other criteria of probabilities are those of each group alone: the ranked
    probability skill has the class shares of the group as its reference, unless a reference is an
    option of the criterion.

    The intervals of all figures are from the same resamples of all samples, or clusters; criteria
    of probabilities and scores have resamples and permutations of their own.
    Those of the smallest and largest value, of differences and of ratios are derived from
    intervals of all groups, or pairs of groups, that hold together with the confidence level
    [1]_. The largest difference is positive in almost every resample although groups may not
    differ, so that quantiles of its own values would rarely contain 0.

    The p-value is that of a permutation test: samples of the same true class are exchanged
    between groups. The hypothesis is that the predictions for a class do not depend on the
    group, which is known as separation, or equalized odds. The statistic is the largest
    deviation of a pair from the difference that its class sizes explain, which is that of
    groups with the rates of all samples within each class. Differences from other class sizes
    are not evidence against the hypothesis. The test is of all groups together; another pair
    than the one with the largest difference may be the reason for a small p-value, unless the
    class sizes are equal or `prevalence` is given. With clusters, whole clusters are exchanged
    if each is in a single group, else samples of the same cluster and true class. Unless each
    cluster has a single true class, exchanges of whole clusters do not keep the class sizes, so
    that other class sizes are evidence then.

    References
    ----------
    .. [1] M. Mandel, R. A. Betensky (2008), "Simultaneous confidence intervals based on the
       percentile bootstrap approach", Computational Statistics and Data Analysis 52(4),
       :doi:`10.1016/j.csda.2007.07.005`.

    Examples
    --------
    >>> from sklearn_ordinal import GroupReport
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> region = ["north", "south", "south", "north", "north"] * 20
    >>> report = GroupReport.from_predictions(
    ...     y_true, y_pred, by=region, metrics="cem_ord", random_state=0
    ... )
    >>> print(report.by_group["cem_ord"]["north"])
    1.000 (95% interval 1.000 to 1.000)
    >>> report.difference()["cem_ord"].between
    'south to north'
    """

    group_names: tuple[str, ...]
    target_names: tuple[str, ...]
    confusion: OrdinalConfusion | None
    class_counts: NDArray[Any]
    metrics: Mapping[str, OrdinalMetric]
    overall: Mapping[str, Interval]
    by_group: Mapping[str, Mapping[str, Interval]]
    minima: Mapping[str, Interval]
    maxima: Mapping[str, Interval]
    differences: Mapping[str, Mapping[str, GroupDifference]]
    ratios: Mapping[str, Mapping[str, Interval]]
    weights: Mapping[str, NDArray[np.float64]]
    exchanged: str
    n_resamples: int
    prevalence: NDArray[np.float64] | None = None
    digits: int = 2
    provenance: Provenance | None = field(default=None, compare=False)
    group_sizes: NDArray[np.int64] | None = None

    _by_metric: ClassVar[tuple[str, ...]] = (
        "overall",
        "by_group",
        "minima",
        "maxima",
        "differences",
        "ratios",
        "weights",
    )

    def __post_init__(self) -> None:
        check_distinct_names("group_names", self.group_names)
        check_distinct_names("target_names", self.target_names)
        n_groups, n_classes = len(self.group_names), len(self.target_names)
        if n_groups < 2 or not n_classes:
            raise ValueError(
                f"group_names must have at least two groups and target_names a class, got "
                f"{n_groups} and {n_classes}."
            )
        check_array("class_counts", self.class_counts, (n_groups, n_classes), 0, may_be_nan=False)
        check_metrics(self.metrics)
        check_instance("confusion", self.confusion, OrdinalConfusion, or_none=True)
        known: dict[str, OrdinalMetric] = dict(self.metrics)
        if self.confusion is not None:
            shape = (n_groups, n_classes, n_classes)
            check_array("confusion", self.confusion.counts, shape)
            known |= {metric.name: metric for metric in MEASURES}
        for field_name in ("overall", "minima", "maxima"):
            check_dict(field_name, getattr(self, field_name), Interval, keys=known)
        for field_name in ("by_group", "differences", "ratios"):
            check_dict(field_name, getattr(self, field_name), Mapping, keys=known)
        for name, metric in known.items():
            groups, methods = self.by_group[name], get_args(Against)
            check_estimates(f"by_group[{name!r}]", groups, metric, n_classes, keys=self.group_names)
            for field_name in ("overall", "minima", "maxima"):
                values = {name: getattr(self, field_name)[name]}
                check_estimates(field_name, values, metric, n_classes)
            differences, ratios = self.differences[name], self.ratios[name]
            check_dict(f"differences[{name!r}]", differences, GroupDifference, keys=methods)
            check_dict(f"ratios[{name!r}]", ratios, Interval, keys=methods)
        check_dict("weights", self.weights, np.ndarray)
        for name, weights in self.weights.items():
            check_array(f"weights[{name!r}]", weights, (n_groups,), 0)
        if self.group_sizes is not None:
            check_array("group_sizes", self.group_sizes, (n_groups,), 0, kinds="iu")
        check_instance("exchanged", self.exchanged, str)
        check_integer("n_resamples", self.n_resamples, at_least=1)
        check_prevalence(self.prevalence, n_classes)
        check_digits(self.digits)
        check_provenance(self.provenance)

    @classmethod
    def _of_units(
        cls,
        units: Sequence[GroupedUnits | GroupedRows],
        names: tuple[str, ...],
        *,
        target_names: Sequence[str] | None,
        metrics: Sequence[OrdinalMetric],
        prevalence: ArrayLike | None,
        confidence_level: float,
        n_resamples: int,
        random_state: RandomState,
        digits: int,
    ) -> Self:
        level = check_resampling(confidence_level, n_resamples)
        check_integer("digits", digits, at_least=0)
        rng = as_generator(random_state)
        scale, class_counts = units[0].scale, units[0].class_counts()
        shares, confusion, every = None, None, list(metrics)
        if prevalence is not None:
            sizes = class_counts.sum(axis=0)
            shares = check_shares_of_sizes("prevalence", prevalence, sizes, scale.labels)
        if isinstance(units[0], GroupedUnits):
            confusion = units[0].confusion()
            every += MEASURES
        inferred: dict[str, GroupInference] = {}
        for each in units:
            of_labels = isinstance(each, GroupedUnits)
            own = [metric for metric in every if (metric.evidence == "labels") == of_labels]
            found_of_own = infer_groups(
                own,
                each,
                names,
                rng,
                prevalence=shares,
                confidence_level=level,
                n_resamples=n_resamples,
            )
            inferred |= zip([metric.name for metric in own], found_of_own, strict=True)
        found = {metric.name: inferred[metric.name] for metric in every}
        weights = {m.name: weights_of_groups(m, class_counts) for m in metrics if shares is None}
        report = cls(
            group_names=names,
            target_names=check_target_names(target_names, scale),
            confusion=confusion,
            class_counts=class_counts,
            metrics=ByMetric({metric.name: metric for metric in metrics}),
            overall=ByMetric({name: one.overall for name, one in found.items()}),
            by_group=ByMetric(
                {name: dict(zip(names, one.by_group, strict=True)) for name, one in found.items()}
            ),
            minima=ByMetric({name: one.group_min for name, one in found.items()}),
            maxima=ByMetric({name: one.group_max for name, one in found.items()}),
            differences=ByMetric({name: one.differences for name, one in found.items()}),
            ratios=ByMetric({name: one.ratios for name, one in found.items()}),
            weights=ByMetric({name: w for name, w in weights.items() if w is not None}),
            exchanged=units[0].exchanged,
            n_resamples=n_resamples,
            prevalence=shares,
            digits=digits,
            provenance=Provenance.of_now(),
            group_sizes=units[0].n_samples() if class_counts.dtype.kind == "f" else None,
        )
        report._warn_of_undefined()
        return report

    def group_min(self) -> Mapping[str, Interval]:
        """Return the smallest value of a group, whether higher or lower is better.

        Returns
        -------
        mapping of str to Interval
            The value by the name of the criterion, NaN unless it is defined for two groups.
        """
        return self.minima

    def group_max(self) -> Mapping[str, Interval]:
        """Return the largest value of a group, whether higher or lower is better.

        Returns
        -------
        mapping of str to Interval
            The value by the name of the criterion, NaN unless it is defined for two groups.
        """
        return self.maxima

    def difference(self, method: Against = "between_groups") -> Mapping[str, GroupDifference]:
        """Return the largest absolute difference.

        Parameters
        ----------
        method : {"between_groups", "to_overall"}, default="between_groups"
            Between two groups, or between a group and all samples.

        Returns
        -------
        mapping of str to GroupDifference
            The difference by the name of the criterion, with a p-value and the two groups. It
            is NaN unless the criterion is defined for two groups.

        Raises
        ------
        ValueError
            If the method is not known.
        """
        check_choice("method", method, Against)
        return ByMetric({name: of[method] for name, of in self.differences.items()})

    def ratio(self, method: Against = "between_groups") -> Mapping[str, Interval]:
        """Return the smallest ratio, at most 1.

        Parameters
        ----------
        method : {"between_groups", "to_overall"}, default="between_groups"
            Of one group to another, or of a group and all samples, the lower to the higher.

        Returns
        -------
        mapping of str to Interval
            The ratio by the name of the criterion, NaN if a value is negative, or unless the
            criterion is defined for two groups.

        Raises
        ------
        ValueError
            If the method is not known.
        """
        check_choice("method", method, Against)
        return ByMetric({name: of[method] for name, of in self.ratios.items()})

    def _warn_of_undefined(self) -> None:
        undefined = []
        for name, values in self.by_group.items():
            groups = [group for group, one in values.items() if np.isnan(one.estimate)]
            often = [
                group
                for group, one in values.items()
                if group not in groups and one.n_undefined > MANY_UNDEFINED * self.n_resamples
            ]
            if groups:
                undefined.append(f"{name} for {_first(groups)}")
            if often:
                undefined.append(f"{name} for many resamples of {_first(often)}")
        if undefined:
            warnings.warn(
                f"Undefined: {'; '.join(undefined)}.",
                UndefinedMetricWarning,
                stacklevel=stacklevel_of_the_caller(),
            )


def _first(names: Sequence[str]) -> str:
    n_more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {n_more:,} more" if n_more > 0 else "")
