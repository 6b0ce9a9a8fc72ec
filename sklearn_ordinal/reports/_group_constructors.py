"""The constructors of a report of groups, from predictions and counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    IntegerArray,
    MetricsLike,
    OrdinalConfusion,
    OrdinalMetric,
    RandomState,
    Unanswered,
    check_choice,
    read_column,
)
from sklearn_ordinal.inference import GroupedRows, GroupedUnits
from sklearn_ordinal.reports._criteria import criteria_of_groups
from sklearn_ordinal.reports._group_names import read_groups


class GroupReportConstructors:
    """The class methods of `GroupReport` that read what a user passes."""

    if TYPE_CHECKING:

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
        ) -> Self: ...

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None = None,
        *,
        by: Any,
        y_proba: ArrayLike | None = None,
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
        """Report on the predictions for groups of samples.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes. If None, the criteria are those of `y_proba`.
        by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict
            Group of each sample to compare, such as the country or the sex. Of several columns,
            also as a dict or a list of them, the groups are the combinations that occur; their
            names are joined by commas.
        y_proba : array-like of shape (n_samples, n_classes), default=None
            Predicted probabilities of the classes from the lowest to the highest, for the
            criteria of probabilities and scores. If all of these are criteria of scores, one
            score per sample will do.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as the patient or the document, which is called
            `groups` in `bootstrap_interval`. Whole clusters are drawn, since samples of the
            same cluster are not independent. A cluster may have samples in several groups.
        unanswered : {"raise", "count"}, default="raise"
            What to do with samples without a prediction (NaN, None or NA in `y_pred`):
            raise an error, or count them. Counted, they are errors that earn nothing in
            the closeness family; the other criteria leave them out, and each view says so.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, as `get_metric` takes them, or "all" for every one of the package that
            can be computed. If None, the six of `cross_val_report`, and with `y_proba` six of
            probabilities.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest, at which all values are
            computed, see `OrdinalConfusion.at_prevalence`. A group without samples of a class
            with a positive share has no value. If None, each group has its own class sizes.
        confidence_level : float, default=0.95
            Confidence level of the intervals, between 0 and 1.
        n_resamples : int, default=9999
            Number of resamples for the intervals and of permutations for the test. With
            probabilities, the time of the permutations grows with the number of groups.
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
            If the order of the classes is not known, a class is not in `labels`, a criterion
            is not known or needs predictions that are not given, or the estimator, rows of
            `y_proba` are not probabilities, `by` does not name 2 to 1,000 groups,
            `prevalence` does not have a share for each class, or another option is not
            valid.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or for more than 5% of the resamples.
        """
        n_samples = len(read_column(y_true, "y_true").values)
        group, names = read_groups(by, n_samples, y_true)
        return cls._of_samples(
            y_true,
            y_pred,
            y_proba,
            group,
            names,
            labels=labels,
            sample_weight=sample_weight,
            clusters=clusters,
            unanswered=unanswered,
            target_names=target_names,
            metrics=metrics,
            prevalence=prevalence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=random_state,
            digits=digits,
        )

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
        n_resamples: int = 9999,
        random_state: RandomState = None,
        digits: int = 2,
    ) -> Self:
        """Report on the counts of groups, for example from a database.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Numbers of samples of each group, of shape (n_groups, n_classes, n_classes).
        by : sequence of str or of tuple of str, default=None
            Name of each group. If None, those of `OrdinalConfusion.groups`, which `from_table`
            sets.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria of labels, as `get_metric` takes them, or "all" for every one of the
            package. If None, the six of `cross_val_report`.
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
            If the counts are not a stack of matrices or are weighted, so that it is not known
            what to draw, the groups have no names, a criterion is not one of labels, or another
            option is not valid.

        Warns
        -----
        UndefinedMetricWarning
            If a criterion is undefined for a group, or for more than 5% of the resamples.
        """
        if not isinstance(confusion, OrdinalConfusion) or confusion.counts.ndim != 3:
            counts = getattr(confusion, "counts", None)
            found = type(confusion).__name__ if counts is None else f"shape {np.shape(counts)}"
            raise ValueError(
                f"confusion must be an OrdinalConfusion with counts of shape (n_groups, n_classes, "
                f"n_classes), got {found}: make one with OrdinalConfusion.stack."
            )
        if confusion.is_weighted:
            raise ValueError(
                "confusion must hold numbers of samples, got sums of weights, from which samples "
                "cannot be drawn: use GroupReport.from_predictions."
            )
        by = confusion.groups if by is None else by
        if not len(by):
            raise ValueError("by must name the groups, since the confusion does not.")
        group, names = read_groups(by, len(confusion.counts))
        if len(names) < len(group):
            raise ValueError(f"by must name each group once, got {', '.join(map(str, by))}.")
        in_order = np.argsort(group)
        unanswered = None if confusion.unanswered is None else confusion.unanswered[in_order]
        ordered = OrdinalConfusion(
            confusion.scale, confusion.counts[in_order], unanswered=unanswered
        )
        return cls._of_units(
            [GroupedUnits.of_confusion(ordered)],
            names,
            target_names=target_names,
            metrics=criteria_of_groups(metrics),
            prevalence=prevalence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=random_state,
            digits=digits,
        )

    @classmethod
    def _of_samples(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None,
        y_proba: ArrayLike | None,
        group: IntegerArray,
        names: tuple[str, ...],
        *,
        labels: Any,
        sample_weight: ArrayLike | None,
        clusters: ArrayLike | None,
        metrics: MetricsLike | None,
        unanswered: Unanswered = "raise",
        **options: Any,
    ) -> Self:
        """Report on samples whose groups are given as integers from 0."""
        chosen = criteria_of_groups(
            metrics, has_labels=y_pred is not None, has_probabilities=y_proba is not None
        )
        check_choice("unanswered", unanswered, Unanswered)
        common: dict[str, Any] = {"sample_weight": sample_weight, "clusters": clusters}
        common["n_groups"] = len(names)
        units: list[GroupedUnits | GroupedRows] = []
        scale: Any = labels
        if y_pred is not None:
            units.append(
                GroupedUnits.of_samples(
                    y_true, y_pred, group, labels=labels, unanswered=unanswered, **common
                )
            )
            scale = units[0].scale
        if y_proba is not None:
            of_rows = [metric for metric in chosen if metric.evidence != "labels"]
            units.append(
                GroupedRows.of_samples(of_rows, y_true, y_proba, group, labels=scale, **common)
            )
        return cls._of_units(units, names, metrics=chosen, **options)
