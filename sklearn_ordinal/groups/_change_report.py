"""`report_change` between old and new samples: whether a criterion got worse, and why."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    arithmetic,
    catalogue,
    checks,
    confusion_counts,
    evidence_kinds,
    grading,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Figure, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal._documents.writing import FilePath
from sklearn_ordinal.inference import (
    _holm_correction,
    _intervals,
    _paired_difference,
    _unit_moves,
)
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._unit_moves import Design, Moves
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._sections import Provenance

# The difference between two independent samples, split into rates and class sizes
# --------------------------------------------------------------------------------


class _Change(NamedTuple):
    """The difference of a metric between old and new samples, and its two parts."""

    difference: Contrast
    """The value of the new samples minus the value of the old samples."""
    rates: Contrast
    """The same difference at the class shares of the old samples."""
    class_sizes: Contrast
    """The rest of the difference, which is due to other class shares."""


class _Moves(NamedTuple):
    """How much samples of weight 1 move a value: the derivatives by the weight of each entry."""

    by_entry: Values
    is_counted: Any
    """Whether the metric counts the samples of each entry."""


@dataclass(frozen=True, eq=False)
class _SampledEvidence:
    """Evidence, and how its samples were drawn.

    Parameters
    ----------
    evidence : Evidence
        Evidence of one system.
    weights : ndarray of shape (n_entries,)
        Weight of the samples in each entry.
    true : ndarray of shape (n_entries,) or None
        Position of the true class of each entry; None for ratings, which have no true classes.
    design : Design
        How the samples were drawn.
    """

    evidence: Any
    weights: Values
    true: Any
    design: Design

    @classmethod
    def from_evidence(cls, evidence: Evidence) -> _SampledEvidence:
        """Return evidence with the units in which its samples were drawn.

        Raises
        ------
        ValueError
            If the samples are in clusters that were not kept, or the counts are sums of weights
            without the sums of squared weights.
        """
        kind = evidence_kinds.kind_of(evidence)
        weights, design = kind.entry_amounts(evidence).weights, _intervals.design_of(evidence)
        are_ratings = isinstance(evidence, OrdinalRatings)
        true = None if are_ratings else kind.entry_classes(evidence)
        return cls(evidence, weights, true, design)

    @property
    def class_counts(self) -> Values:
        """Number, or weight, of the samples of each true class, or of the items by grade."""
        if isinstance(self.evidence, OrdinalRatings):
            items = evidence_kinds.item_weights(self.evidence)
            return np.asarray(items @ np.nan_to_num(self.evidence.class_shares))
        return np.asarray(self.evidence.class_counts, dtype=np.float64)

    def at_shares(self, metric: OrdinalMetric, shares: Values) -> tuple[float, _Moves, Values]:
        """Return the value at other class shares, its moves, and its derivatives by the shares.

        A sample moves the value by its own weight, and since it changes the factor of its class.
        """
        sizes = self.class_counts
        factors = confusion_counts.factors_to_shares(sizes, shares)[self.true]
        evidence = confusion_counts.evidence_at_prevalence(self.evidence, shares)
        value, moves = _value_and_moves(metric, evidence, self.weights * factors)
        total = np.bincount(self.true, self.weights * moves.by_entry, len(sizes))
        means = arithmetic.divide(total, sizes)
        means[sizes == 0] = 0
        by_sample = factors * (moves.by_entry - means[self.true])
        return value, moves._replace(by_entry=by_sample), sizes.sum() * means

    def moves(self, of_entries: Values, is_counted: NDArray[np.bool_]) -> Moves:
        """Return the moves of units, given how far a sample of weight 1 in each entry moves."""
        return self.design.moves(of_entries[None], is_counted, total=1.0)


def _infer_change(
    metric: OrdinalMetric, old: _SampledEvidence, new: _SampledEvidence, confidence_level: float
) -> _Change:
    """Return the difference of a metric between old and new samples, and its parts.

    The value of the new samples at the old shares depends on both samples: the old samples decide
    the shares. Its derivatives by the weights of all samples give the standard errors of the parts.
    If the new samples lack a class of the old samples, or there are no true classes, the parts are
    NaN.
    """
    (old_value, old_moves), (new_value, new_moves) = (
        _value_and_moves(metric, side.evidence, side.weights) for side in (old, new)
    )
    sizes = old.class_counts
    if (
        old.true is None
        or not np.isfinite([old_value, new_value]).all()
        or ((sizes > 0) & (new.class_counts == 0)).any()
    ):
        shared_value, by_new, by_old = math.nan, new_moves, old_moves
    else:
        shared_value, by_new, by_share = new.at_shares(metric, sizes / sizes.sum())
        by_old = _Moves((by_share / sizes.sum())[old.true], old_moves.is_counted)
    lowest, highest = metric.bounds(len(sizes))

    def moved(of_new: Values, of_old: Values) -> Moves:
        return new.moves(of_new, new_moves.is_counted).beside(
            old.moves(of_old, old_moves.is_counted)
        )

    def contrast(
        estimate: float, moves: Moves, *, both_vary: bool = True, at_pooled: bool = False
    ) -> Contrast:
        (error,), (degrees,), (is_lent,) = moves.spread_of_difference(both_vary=both_vary)
        pvalue = None
        # The influences on all samples vary even if all samples of a side are right. Grades of
        # different raters cannot be pooled.
        can_pool = getattr(old.evidence, "raters", ()) == getattr(new.evidence, "raters", ())
        if at_pooled and can_pool and not is_lent:
            pooled, *of_pooled = _pooled_moves(metric, old, new)
            of_error, freedom, _ = moved(*of_pooled).spread_of_difference()
            pvalue = _unit_moves.t_pvalues(np.array([pooled]), of_error, freedom).item()
        bounds = lowest - highest, highest - lowest
        return _intervals.from_error(
            Contrast, estimate, error, degrees, confidence_level, bounds, pvalue=pvalue
        )

    difference = new_value - old_value
    rates = shared_value - old_value
    return _Change(
        contrast(difference, moved(new_moves.by_entry, -old_moves.by_entry), at_pooled=True),
        contrast(rates, moved(by_new.by_entry, by_old.by_entry - old_moves.by_entry)),
        contrast(
            difference - rates,
            moved(new_moves.by_entry - by_new.by_entry, -by_old.by_entry),
            both_vary=False,
        ),
    )


def _pooled_moves(
    metric: OrdinalMetric, old: _SampledEvidence, new: _SampledEvidence
) -> tuple[float, Values, Values]:
    """Return the difference of the mean influences on the value of all samples, and its moves."""
    pooled = _pooled(old.evidence, new.evidence)
    by_entry = metric.evidence.entry_influences(
        [metric], metric.evidence.accepted(pooled, metric.name)
    )
    # The entries are cells, or the old samples before the new ones.
    n_old, n_new = len(old.weights), len(new.weights)
    entry = np.r_[np.arange(n_old), np.arange(n_new) + len(by_entry.is_counted) - n_new]
    weight = np.where(by_entry.is_counted[entry], np.r_[old.weights, new.weights], 0)
    (of_old, of_new), moves = _unit_moves.moves_of_means(
        by_entry.influences[0, entry], weight, np.repeat([0, 1], [n_old, n_new]), 2
    )
    return of_new - of_old, moves[n_old:], -moves[:n_old]


def _pooled(old: Any, new: Any) -> Any:
    """Return the evidence of both samples together."""
    if isinstance(old, OrdinalRatings):
        return grading.pooled(old, new)
    if isinstance(old, OrdinalConfusion):
        missing = [part.unanswered for part in (old, new) if part.unanswered is not None]
        return OrdinalConfusion(
            old.scale,
            old.counts + new.counts,
            old.is_weighted or new.is_weighted,
            np.sum(missing, axis=0) if missing else None,
        )
    stack = type(old).stack([side.part(np.arange(len(side.weights))) for side in (old, new)])
    return stack.reweighted(stack.weights.sum(axis=0))


def _class_error_changes(
    old: _SampledEvidence, new: _SampledEvidence, confidence_level: float
) -> tuple[Values, list[Contrast]]:
    """Return the mean absolute error of each class, and its changes with adjusted p-values.

    Both samples are counts. The errors, (2, n_classes), are distances in positions on the scale.
    They are averages over the answered samples of the class, and NaN without any.
    """
    n_classes = len(old.class_counts)
    position = np.arange(n_classes)
    # The last column holds unanswered samples.
    distances = np.pad(np.abs(position[:, None] - position), ((0, 0), (0, 1)))
    # The answered samples of each class.
    is_counted = np.repeat(np.eye(n_classes, dtype=np.bool_), n_classes + 1, axis=1)
    is_counted[:, n_classes :: n_classes + 1] = False
    means, moves = [], []
    for sample in (old, new):
        weights = np.where(is_counted, sample.weights, 0)
        total = weights.sum(axis=1)
        means.append(arithmetic.divide(weights @ distances.ravel(), total))
        deviations = arithmetic.divide(distances.ravel() - means[-1][:, None], total[:, None])
        moves.append(sample.moves(np.where(is_counted, deviations, 0), is_counted))
    errors = np.stack(means)
    (error,), (degrees,), _ = moves[0].beside(moves[1]).spread_of_difference()
    contrasts = [
        _intervals.from_error(Contrast, *numbers, confidence_level, (1 - n_classes, n_classes - 1))
        for numbers in zip(
            (errors[1] - errors[0]).tolist(), error.tolist(), degrees.tolist(), strict=True
        )
    ]
    adjusted = _holm_correction.holm_correction([contrast.pvalue for contrast in contrasts])
    return errors, [
        replace(contrast, adjusted_pvalue=pvalue)
        for contrast, pvalue in zip(contrasts, adjusted.tolist(), strict=True)
    ]


def _value_and_moves(metric: OrdinalMetric, evidence: Any, weights: Values) -> tuple[float, _Moves]:
    kind = metric.evidence
    by_entry = kind.entry_influences([metric], kind.accepted(evidence, metric.name))
    (value,) = catalogue.replace_undefined(metric, by_entry.values).tolist()
    is_counted = by_entry.is_counted
    # Entries without samples move nothing.
    influences = np.where(is_counted & (weights > 0), by_entry.influences[0], 0)
    return value, _Moves(arithmetic.divide(influences, weights[is_counted].sum()), is_counted)


# The change between old and new samples: whether a criterion got worse, and why
# ------------------------------------------------------------------------------

_DIGITS = 3
_QUESTION = "These are differences of values, whatever their cause, such as other class sizes"

_PARTS = {"differences": "difference", "rates": "rates", "class_sizes": "class_sizes"}


class _Answers(ByMetric):
    """An answer for each of several criteria, which is no condition itself."""

    def __bool__(self) -> bool:
        raise ValueError(
            f"worse_than has an answer for each of the {len(self)} criteria, which cannot be used "
            f"as one condition: take one, as in worse_than()[{checks.shown(next(iter(self)))}], or "
            "pass worse_than().values() to any."
        )


@dataclass(frozen=True, eq=False, repr=False)
class ChangeReport(Views):
    """The differences between new and old samples, and where they come from.

    Returned by `report_change`. `str` gives the text, and notebooks show tables and a plot. Keys
    may have any form that `get_metric` accepts.

    Parameters
    ----------
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    class_counts : ndarray of shape (2, n_classes)
        Number, or weight, of the samples of each true class: of the old and of the new samples. An
        item with several grades belongs to each class with its share of them.
    is_weighted : bool
        Whether some samples have weights.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    old_scores : mapping of str to Interval
        Value of the old samples for each criterion name.
    new_scores : mapping of str to Interval
        Value of the new samples.
    differences : mapping of str to Contrast
        Value of the new samples minus the value of the old samples, with interval and test.
    rates : mapping of str to Contrast
        The part of the difference that is due to the predictions: the difference if the new samples
        had the class shares of the old samples. NaN if the new samples lack a class of the old
        samples, and empty for ratings, which have no true classes.
    class_sizes : mapping of str to Contrast
        The rest of the difference, which is due to other class shares.
    class_errors : ndarray of shape (2, n_classes) or None
        Mean absolute error of each class, in positions on the scale, for the old and the new
        samples; None without predicted classes.
    class_changes : mapping of str to Contrast
        Change of the mean absolute error of each class by its name, with p-values that are adjusted
        for the number of classes. Empty without predicted classes.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the criteria.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    worse_classes : tuple of str
        The classes whose mean absolute error is significantly larger than before.
    missing_classes : tuple of str
        The classes that the old samples have and the new samples lack.

    See Also
    --------
    sklearn_ordinal.report_change : Make the report.
    sklearn_ordinal.inference.paired_difference : Compare systems on the same samples.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, report_change
    >>> last_week = OrdinalConfusion.from_counts([[80, 15, 5], [10, 70, 20], [5, 15, 80]])
    >>> this_week = OrdinalConfusion.from_counts([[40, 25, 15], [10, 60, 30], [5, 25, 90]])
    >>> report = report_change(last_week, this_week, "cem_ord")
    >>> print(report.differences["cem_ord"])
    -0.100 (95% interval -0.150 to -0.051), p < 0.001
    >>> report.worse_classes
    ('0',)
    """

    target_names: tuple[str, ...]
    class_counts: NDArray[np.float64]
    is_weighted: bool
    metrics: ByMetric
    old_scores: ByMetric
    new_scores: ByMetric
    differences: ByMetric
    rates: ByMetric
    class_sizes: ByMetric
    class_errors: NDArray[np.float64] | None
    class_changes: Mapping[str, Contrast]
    margin: float = 0.0
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    @property
    def worse_classes(self) -> tuple[str, ...]:
        """The classes whose mean absolute error is significantly larger than before."""
        return tuple(
            name
            for name, change in self.class_changes.items()
            if change.estimate > 0
            and _holm_correction.is_rejected(change.adjusted_pvalue, change.confidence_level)
        )

    @property
    def missing_classes(self) -> tuple[str, ...]:
        """The classes that the old samples have and the new samples lack."""
        old, new = self.class_counts > 0
        return tuple(np.array(self.target_names, dtype=object)[old & ~new].tolist())

    def worse_than(self, margin: float | None = None) -> Any:
        """Return whether the value of the new samples is shown to be worse than before.

        The p-value of the difference decides, or its two-sided interval if there is a margin. At a
        level of 95% and with hundreds of samples on both sides, a criterion that has not got worse
        by more than the margin is called worse in about 2.5% of the cases at most. The criteria are
        not adjusted for their number.

        Parameters
        ----------
        margin : float, default=None
            Loss that is tolerated, in the unit of the criteria. If None, the `margin` of the
            report.

        Returns
        -------
        bool or None, or mapping of str to bool or None
            True if the value is shown to be worse by more than the margin, False if it is shown not
            to be, and None if the samples cannot tell, or neither higher nor lower values are
            better. If the report has several criteria, a mapping with the answer for each
            criterion, which cannot be used as a condition itself.

        Raises
        ------
        ValueError
            If the margin is negative or not a finite number.
        """
        tolerated = self.margin if margin is None else _paired_difference.checked_margin(margin)
        answers = self._are_worse(tolerated)
        return answers if len(answers) > 1 else next(iter(answers.values()))

    def _are_worse(self, margin: float) -> _Answers:
        """Return whether each criterion is shown to be worse by more than a margin."""
        return _Answers(
            {
                name: _paired_difference.is_worse(
                    self.differences[name], metric.greater_is_better, margin
                )
                for name, metric in self.metrics.items()
            }
        )

    def __repr__(self) -> str:
        values = [f"{name} {self.differences[name].estimate:+.3f}" for name in self.metrics]
        return f"ChangeReport({checks.in_repr(values)})"

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> ComparisonDisplay:
        """Draw the difference of one criterion and its two parts.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ComparisonDisplay.plot`.

        Returns
        -------
        ComparisonDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        metric = _sections.selected_metric(self.metrics, criterion)
        rows = {
            title.replace("_", " "): getattr(self, part)[metric.name]
            for part, title in _PARTS.items()
            if getattr(self, part)
        }
        return ComparisonDisplay(
            rows,
            adjusted_pvalues={title: row.pvalue for title, row in rows.items()},
            criterion=metric.name,
            reference="the old samples",
            greater_is_better=metric.greater_is_better,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, the differences and their parts, a plot of the first criterion, and the
            classes.
        """
        differences = _differences_table(self)
        first = next(iter(self.metrics))
        return Document(
            "Change",
            (
                Note(_samples_in_words(self)),
                *map(Note, _notes_on_classes(self)),
                differences,
                *map(Note, _intervals.notes_on_pvalues(self.differences.values())),
                *_part_tables(self),
                Figure(
                    self.plot,
                    f"Change of {first}",
                    f"Difference between new and old samples by {first}, and its parts",
                    differences,
                ),
                *_classes_table(self),
            ),
            verdict=tuple(map(Note, (*change_verdicts(self), _question(self)))),
            digits=_DIGITS,
            footer=_sections.footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict with "worse", the answer of `worse_than`, and with
            "old", "new", "difference", "rates" and "class_sizes"; "classes": for each class a dict
            with "old_count", "new_count", and with predicted classes "old_error", "new_error" and
            "change"; "margin". Undefined values are None.
        """
        worse = self._are_worse(self.margin)
        numbers: dict[str, Any] = json_files.plain(
            {
                "margin": self.margin,
                "criteria": {
                    name: {
                        "worse": worse[name],
                        **{what: asdict(value) for what, value in self._values(name).items()},
                    }
                    for name in self.metrics
                },
                "classes": {
                    name: {
                        "old_count": self.class_counts[0, k],
                        "new_count": self.class_counts[1, k],
                        **self._class_numbers(k, name),
                    }
                    for k, name in enumerate(self.target_names)
                },
            }
        )
        return numbers

    def _values(self, name: str) -> dict[str, Interval]:
        """Return the values and differences of a criterion by what they are."""
        values = {"old": self.old_scores[name], "new": self.new_scores[name]}
        parts = {title: getattr(self, part) for part, title in _PARTS.items()}
        return values | {title: by_name[name] for title, by_name in parts.items() if by_name}

    def _class_numbers(self, k: int, name: str) -> dict[str, Any]:
        if self.class_errors is None:
            return {}
        old_error, new_error = self.class_errors[:, k].tolist()
        change = asdict(self.class_changes[name])
        return {"old_error": old_error, "new_error": new_error, "change": change}

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each value and difference, and for the change of each class."""
        rows: list[tuple[str, str, str | None, Interval]] = [
            (name, what, None, value)
            for name in self.metrics
            for what, value in self._values(name).items()
        ]
        changes = self.class_changes.items()
        rows += [("mean_absolute_error", "change", name, change) for name, change in changes]
        return [
            {
                "criterion": criterion,
                "what": what,
                "class": name,
                "estimate": value.estimate,
                "low": value.low,
                "high": value.high,
                "confidence_level": value.confidence_level,
                "pvalue": getattr(value, "pvalue", None),
                "adjusted_pvalue": getattr(value, "adjusted_pvalue", None),
            }
            for criterion, what, name, value in rows
        ]


def report_change(
    old: OrdinalReport | Evidence | FilePath,
    new: OrdinalReport | Evidence | FilePath,
    metrics: MetricsLike | None = None,
    *,
    margin: float = 0.0,
    confidence_level: float = 0.95,
) -> ChangeReport:
    r"""Report how a criterion differs between old and new samples, and why.

    The old samples may be the samples of last week, or of the standard that a model has to meet.
    They are other samples than the new ones: for two systems on the same samples, use
    `paired_difference`.

    The difference :math:`f(p) - f(p^0)` between the shares :math:`p_{ji}` of the new samples in the
    cells of the confusion matrix, rows true, and the shares :math:`p^0_{ji}` of the old samples is
    the sum of two parts:

    .. math:: \underbrace{f(\tilde p) - f(p^0)}_{\text{rates}} +
        \underbrace{f(p) - f(\tilde p)}_{\text{class sizes}}, \qquad
        \tilde p_{ji} = \frac{q^0_j}{q_j} p_{ji}

    where :math:`q_j` are the shares of the true classes, so that :math:`\tilde p` are the new
    samples, weighted to the old class shares.

    Parameters
    ----------
    old : OrdinalReport, evidence, str or path-like
        The samples to compare with: a report, an `OrdinalConfusion` or other evidence with true
        classes, or the file of a report that `OrdinalReport.to_json` or the command
        ``sklearn-ordinal report --format json`` has written. `OrdinalRatings` of other items have
        coefficients of agreement, whose differences are not split.
    new : OrdinalReport, evidence, str or path-like
        The new samples, in one of the same forms.
    metrics : str, callable, iterable or dict of them, default=None
        The criteria, in any form that `get_metric` accepts, or "all" for all criteria that can be
        computed and have influences. If None, the criteria of both reports that have influences; if
        there are no two reports, the defaults of `OrdinalReport`.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the criteria: a criterion counts as worse if the
        whole interval of its difference is worse than the margin.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    ChangeReport
        Values, differences with intervals and tests, their parts, and the changes of the classes.

    Raises
    ------
    ValueError
        If the scales differ, the evidence is a stack or weighted to given class shares, a criterion
        is not known or has no influences, counts are sums of weights without the sums of squared
        weights, or samples are in clusters that were not kept.
    OSError
        If a file cannot be read.

    Warns
    -----
    UndefinedMetricWarning
        If a criterion is undefined for the old or for the new samples.

    See Also
    --------
    ordinal_report : Report on one set of samples.
    sklearn_ordinal.inference.paired_difference : Compare systems on the same samples.
    GroupReport : Compare groups of samples.

    Notes
    -----
    The intervals are computed in closed form, from the derivatives of both parts by the weight of
    each old and each new sample, see `delta_interval`. The old class shares are estimated from the
    old samples, so the old samples also move the value at the old shares. The degrees of freedom
    are combined from those of both sides as in Welch's test. If all samples of one side are right,
    or all are wrong, they are taken to vary as much as the samples of the other side.

    The p-value of a difference asks whether the mean influence on the value of all samples differs
    between the sides. For a mean over the samples, such as the accuracy, it comes from the same t
    statistic as the interval. For other criteria it holds in smaller samples than the interval, so
    the two may disagree, and the p-value counts.

    For predicted classes, the change of the mean absolute error of each class is tested with the
    same degrees of freedom. The p-values are adjusted for the number of classes with Holm's method.

    Files and reports keep counts, which do not tell which samples belong to the same cluster, such
    as a patient. If there are clusters, pass `OrdinalConfusion.from_predictions` with ``clusters=``
    on both sides.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalConfusion, report_change
    >>> last_week = OrdinalConfusion.from_counts([[80, 15, 5], [10, 70, 20], [5, 15, 80]])
    >>> this_week = OrdinalConfusion.from_counts([[40, 25, 15], [10, 60, 30], [5, 25, 90]])
    >>> report = report_change(last_week, this_week, "cem_ord", margin=0.01)
    >>> report.worse_than()
    True
    >>> print(report.rates["cem_ord"])
    -0.104 (95% interval -0.154 to -0.055), p < 0.001
    """
    sides = [_read_side(name, source) for name, source in (("old", old), ("new", new))]
    scale, new_scale = (side.evidence[0].scale for side in sides)
    if scale != new_scale:
        raise ValueError(
            f"old and new must be on the same scale, got {checks.listed(scale.labels)} and "
            f"{checks.listed(new_scale.labels)}: make both with the same labels=."
        )
    tolerated = _paired_difference.checked_margin(margin)
    level = checks.check_share("confidence_level", confidence_level)
    criteria = _chosen(metrics, *sides)
    sampled: dict[int, _SampledEvidence] = {}
    for name, side in zip(("old", "new"), sides, strict=True):
        for part in side.evidence:
            with _problems_of(name):
                sampled[id(part)] = _SampledEvidence.from_evidence(part)
        if sampled[id(side.evidence[0])].design.n_units < 2:
            raise ValueError(f"{name} must have at least two samples of positive weight, got one.")
    changes: dict[str, _Change] = {}
    scores: list[dict[str, Interval]] = [{}, {}]
    for metric in criteria:
        parts = [metric.evidence.pick(side.evidence) for side in sides]
        for part, by_name in zip(parts, scores, strict=True):
            by_name[metric.name] = _intervals.delta_interval(
                part, metrics=metric, confidence_level=level
            )
        old_part, new_part = (sampled[id(part)] for part in parts)
        changes[metric.name] = _infer_change(metric, old_part, new_part, level)
    errors, class_changes = None, {}
    counts = [evidence_kinds.LABELS.pick(side.evidence) for side in sides]
    old_names, new_names = (side.target_names for side in sides)
    names = old_names if old_names == new_names else tuple(map(str, scale.labels.tolist()))
    if None not in counts:
        old_counts, new_counts = (sampled[id(part)] for part in counts)
        errors, by_class = _class_error_changes(old_counts, new_counts, level)
        class_changes = dict(zip(names, by_class, strict=True))
    first_parts = [side.evidence[0] for side in sides]
    has_parts = not isinstance(first_parts[0], OrdinalRatings)
    return ChangeReport(
        target_names=names,
        class_counts=np.array([sampled[id(part)].class_counts for part in first_parts]),
        is_weighted=any(part.is_weighted for part in first_parts),
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        old_scores=ByMetric(scores[0]),
        new_scores=ByMetric(scores[1]),
        differences=ByMetric({name: change.difference for name, change in changes.items()}),
        rates=ByMetric({name: change.rates for name, change in changes.items() if has_parts}),
        class_sizes=ByMetric(
            {name: change.class_sizes for name, change in changes.items() if has_parts}
        ),
        class_errors=errors,
        class_changes=class_changes,
        margin=tolerated,
        provenance=Provenance.of_now(),
    )


class _Side(NamedTuple):
    """The evidence of the old or of the new samples, and the criteria of their report."""

    evidence: tuple[Any, ...]
    metrics: Mapping[str, OrdinalMetric] | None
    target_names: tuple[str, ...]


@contextmanager
def _problems_of(name: str) -> Iterator[None]:
    """Say which samples the evidence belongs to that is refused."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _read_side(name: str, source: Any) -> _Side:
    """Return the evidence of a report, a file or evidence."""
    if isinstance(source, (str, os.PathLike)):
        source = OrdinalReport.from_json(source)
    if isinstance(source, OrdinalReport):
        has_fixed_shares = source.prevalence is not None
        side = _Side(source.evidence, source.metrics, source.target_names)
    else:
        kind = evidence_kinds.own_kind(source)
        if kind is None:
            raise ValueError(
                f"{name} must be an OrdinalReport, the file of one, or an OrdinalConfusion or "
                f"other evidence, got {checks.shown(source)}."
            )
        with _problems_of(name):
            kind.check_one(source)
        has_fixed_shares = getattr(source, "has_fixed_shares", False)
        side = _Side((source,), None, tuple(map(str, source.scale.labels.tolist())))
    if has_fixed_shares:
        raise ValueError(
            f"{name} must have the observed class sizes, got samples that are weighted to given "
            f"shares: leave out prevalence= or at_prevalence, since the rates are compared at the "
            f"same class shares."
        )
    return side


def _chosen(metrics: MetricsLike | None, old: _Side, new: _Side) -> list[OrdinalMetric]:
    """Return the criteria that can be computed for both sides."""
    if metrics is None and old.metrics is not None and new.metrics is not None:
        both = [
            metric
            for name, metric in old.metrics.items()
            if metric == new.metrics.get(name) and metric.has_influence is not False
        ]
        if not both:
            raise ValueError(
                "metrics must be given, since the reports have no criterion in common that has "
                "influences."
            )
        return both
    criteria = _sections.metrics_for(metrics, old.evidence)
    if metrics is None or (isinstance(metrics, str) and metrics == "all"):
        common = [
            metric
            for metric in criteria
            if metric.has_influence is not False and metric.evidence.pick(new.evidence) is not None
        ]
        if not common:
            raise ValueError(
                f"old and new must hold evidence of one kind, got "
                f"{type(old.evidence[0]).__name__} and {type(new.evidence[0]).__name__}."
            )
        return common
    for metric in criteria:
        if metric.has_influence is False:
            raise ValueError(
                f"metrics must have influences, which {metric.name} does not: leave it out."
            )
        for name, side in (("old", old), ("new", new)):
            if metric.evidence.pick(side.evidence) is None:
                raise ValueError(
                    f"{name} must hold {metric.evidence.noun} for {metric.name}: pass them, or "
                    f"leave the criterion out."
                )
    return criteria


def _question(report: ChangeReport) -> str:
    if report.missing_classes or not report.rates:
        return f"{_QUESTION}."
    return f"{_QUESTION}; the rates are about the errors within true classes."


def change_verdicts(report: ChangeReport) -> Iterator[str]:
    """Yield a sentence for each criterion that says whether its value is worse than before."""
    for name, is_worse in report._are_worse(report.margin).items():
        metric, difference = report.metrics[name], report.differences[name]
        if math.isnan(difference.estimate):
            yield f"By {name}, the samples cannot be compared, since a value is undefined."
            continue
        claim = _paired_difference.worse_in_words(is_worse, "the new value", report.margin)
        if not _sections.has_direction(metric):
            claim = "neither higher nor lower values are better"
        digits = _intervals.digits_of_intervals([difference], _DIGITS)
        old, new = (
            formatting.cell_text(scores[name].estimate, Column("", "number"), digits)
            for scores in (report.old_scores, report.new_scores)
        )
        is_loss = metric.greater_is_better is False
        yield (
            f"By {name}, {claim}: {old} before and {new} now, a difference of "
            f"{_sections.signed_in_words(difference, digits, is_loss=is_loss)}."
        )


def change_parts(report: ChangeReport, name: str) -> str:
    """Describe the rates and the class sizes of a criterion, or why there are none."""
    if report.missing_classes:
        return _reason_without_parts(report)
    return " ".join(
        f"{title}: {_part_in_words(part)}."
        for title, part in (
            ("Rates", report.rates[name]),
            ("Class sizes", report.class_sizes[name]),
        )
    )


def _part_in_words(part: Contrast) -> str:
    if math.isnan(part.estimate):
        return "undefined"
    return _sections.signed_in_words(part, _intervals.digits_of_intervals([part], _DIGITS))


def _samples_in_words(report: ChangeReport) -> str:
    unit = "samples" if report.rates else "items"
    unit = "total weight" if report.is_weighted else unit
    old, new = (
        formatting.amount_as_text(amount) for amount in report.class_counts.sum(axis=1).tolist()
    )
    return f"{old} old and {new} new {unit}, {_sections.classes_in_words(report.target_names)}."


def _notes_on_classes(report: ChangeReport) -> Iterator[str]:
    if report.missing_classes and report.rates:
        yield _reason_without_parts(report)
    if report.class_changes:
        worse = formatting.names_in_words(report.worse_classes or ("none",))
        yield f"Classes shown to have a larger mean absolute error than before: {worse}."


def _reason_without_parts(report: ChangeReport) -> str:
    missing = report.missing_classes
    return (
        f"The differences are not split into rates and class sizes, since the new samples lack "
        f"the {formatting.plural(len(missing), 'class')} {formatting.names_in_words(missing)}."
    )


def _differences_table(report: ChangeReport) -> Table:
    digits = _intervals.digits_of_intervals(report.differences.values(), _DIGITS)
    level = next(iter(report.differences.values())).confidence_level
    columns = (
        Column("criterion"),
        Column("old", "number", digits),
        Column("new", "number", digits),
        *_difference_columns(level, digits),
        Column("better", is_detail=True),
    )
    rows = tuple(
        (
            name,
            report.old_scores[name].estimate,
            report.new_scores[name].estimate,
            *_difference_cells(difference),
            _sections.better_sign(report.metrics[name]),
        )
        for name, difference in report.differences.items()
    )
    return Table("Differences between new and old samples", columns, rows)


def _part_tables(report: ChangeReport) -> tuple[Table, ...]:
    """Return the parts of the differences, if they are defined."""
    if report.missing_classes or not report.rates:
        return ()
    return (
        _part_table("Rates: differences at the class shares of the old samples", report.rates),
        _part_table("Class sizes: the rest of the differences", report.class_sizes),
    )


def _part_table(title: str, contrasts: Mapping[str, Contrast]) -> Table:
    level = next(iter(contrasts.values())).confidence_level
    digits = _intervals.digits_of_intervals(contrasts.values(), _DIGITS)
    columns = (Column("criterion"), *_difference_columns(level, digits))
    rows = tuple((name, *_difference_cells(part)) for name, part in contrasts.items())
    return Table(title, columns, rows)


def _difference_columns(level: float, digits: int) -> tuple[Column, ...]:
    return (
        Column("difference", "number", digits, is_signed=True),
        Column(_sections.interval_name(level), "interval", digits, is_signed=True),
        Column("p", "pvalue"),
    )


def _difference_cells(difference: Contrast) -> tuple[float, tuple[float, float], float]:
    return difference.estimate, (difference.low, difference.high), difference.pvalue


def _classes_table(report: ChangeReport) -> tuple[Table, ...]:
    """Return the changes of the classes, if there are predicted classes."""
    if report.class_errors is None:
        return ()
    changes = report.class_changes
    level = next(iter(changes.values())).confidence_level
    shares = report.class_counts / report.class_counts.sum(axis=1, keepdims=True)
    digits = _intervals.digits_of_intervals(changes.values(), _DIGITS)
    _, interval, _ = _difference_columns(level, digits)
    columns = (
        Column("class"),
        Column("old share", "number", is_detail=True),
        Column("new share", "number", is_detail=True),
        Column("old", "number", digits),
        Column("new", "number", digits),
        Column("change", "number", digits, is_signed=True),
        interval,
        Column("adjusted p", "pvalue"),
    )
    rows = tuple(
        (
            name,
            *shares[:, k].tolist(),
            *report.class_errors[:, k].tolist(),
            change.estimate,
            (change.low, change.high),
            change.adjusted_pvalue,
        )
        for k, (name, change) in enumerate(changes.items())
    )
    return (Table("Mean absolute error of each class, in positions on the scale", columns, rows),)
