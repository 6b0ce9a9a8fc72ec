"""`report_change` between old and new samples: whether a criterion got worse, and why."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Note, Part, Section, Table
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
from sklearn_ordinal.reports import _sections, _sentences, _values
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key

_OLD, _NEW, _AT_OLD_SHARES = "old", "new", "new at old class shares"
# Each part of a change is the difference of two values.
_PARTS = {
    "all causes": (_NEW, _OLD),
    "predictions": (_AT_OLD_SHARES, _OLD),
    "class sizes": (_NEW, _AT_OLD_SHARES),
}
_CLASS_ERROR = "mean_absolute_error"
# With more classes, or other criteria, the table of classes is a detail.
_FEW_CLASSES = 5

# The difference between two independent samples, split into rates and class sizes
# --------------------------------------------------------------------------------


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

    def value_and_moves(self, metric: OrdinalMetric) -> tuple[float, Values, NDArray[np.bool_]]:
        """Return the value of a metric, its moves, and which entries it counts.

        The moves are those of samples of weight 1: the derivatives by the weight of each entry.
        """
        return _value_and_moves(metric, self.evidence, self.weights)

    def at_shares(self, metric: OrdinalMetric, shares: Values) -> tuple[float, Values, Values]:
        """Return the value at other class shares, its moves, and its derivatives by the shares.

        A sample moves the value by its own weight, and since it changes the factor of its class.
        """
        sizes = self.class_counts
        factors = confusion_counts.factors_to_shares(sizes, shares)[self.true]
        evidence = confusion_counts.evidence_at_prevalence(self.evidence, shares)
        value, moves, _ = _value_and_moves(metric, evidence, self.weights * factors)
        means = arithmetic.divide(np.bincount(self.true, self.weights * moves, len(sizes)), sizes)
        means[sizes == 0] = 0
        return value, factors * (moves - means[self.true]), sizes.sum() * means

    def moves(self, of_entries: Values, is_counted: NDArray[np.bool_]) -> Moves:
        """Return the moves of units, given how far a sample of weight 1 in each entry moves."""
        return self.design.moves(of_entries[None], is_counted, total=1.0)


def _rows_of_change(
    metric: OrdinalMetric, old: _SampledEvidence, new: _SampledEvidence, confidence_level: float
) -> dict[Key, Interval]:
    """Return the values of a metric, their difference, and its parts.

    The value of the new samples at the old shares depends on both samples: the old samples decide
    the shares. Its derivatives by the weights of all samples give the standard errors of the parts.
    If the new samples lack a class of the old samples, the parts are NaN; if there are no true
    classes, there are none.
    """
    old_value, old_moves, is_old_counted = old.value_and_moves(metric)
    new_value, new_moves, is_new_counted = new.value_and_moves(metric)
    sizes = old.class_counts
    if (
        old.true is None
        or not np.isfinite([old_value, new_value]).all()
        or ((sizes > 0) & (new.class_counts == 0)).any()
    ):
        shared_value, by_new, by_old = math.nan, new_moves, old_moves
    else:
        shared_value, by_new, by_share = new.at_shares(metric, sizes / sizes.sum())
        by_old = (by_share / sizes.sum())[old.true]
    lowest, highest = metric.bounds(len(sizes))

    def moved(of_new: Values, of_old: Values) -> Moves:
        return new.moves(of_new, is_new_counted).beside(old.moves(of_old, is_old_counted))

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
    values = {
        time: _intervals.delta_interval(
            side.evidence, metrics=metric, confidence_level=confidence_level
        )
        for time, side in ((_OLD, old), (_NEW, new))
    }
    parts = {"all causes": contrast(difference, moved(new_moves, -old_moves), at_pooled=True)}
    if old.true is not None:
        values[_AT_OLD_SHARES] = Interval(shared_value, math.nan, math.nan, confidence_level)
        parts["predictions"] = contrast(rates, moved(by_new, by_old - old_moves))
        parts["class sizes"] = contrast(
            difference - rates,
            moved(new_moves - by_new, -by_old),
            both_vary=False,
        )
    return {
        **{(metric.name, time, None, None, VALUE): value for time, value in values.items()},
        **{(metric.name, *_PARTS[part], None, DIFFERENCE): row for part, row in parts.items()},
    }


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


def _rows_of_classes(
    old: _SampledEvidence, new: _SampledEvidence, names: Sequence[str], confidence_level: float
) -> dict[Key, Interval]:
    """Return the mean absolute error of each class, and its changes with adjusted p-values.

    Both samples are counts. The errors are distances in positions on the scale. They are averages
    over the answered samples of the class, and NaN without any.
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
    rows: dict[Key, Interval] = {
        (_CLASS_ERROR, time, None, name, VALUE): Interval(
            error, math.nan, math.nan, confidence_level
        )
        for time, of_classes in zip((_OLD, _NEW), errors.tolist(), strict=True)
        for name, error in zip(names, of_classes, strict=True)
    }
    return rows | {
        (_CLASS_ERROR, _NEW, _OLD, name, DIFFERENCE): replace(contrast, adjusted_pvalue=pvalue)
        for name, contrast, pvalue in zip(names, contrasts, adjusted.tolist(), strict=True)
    }


def _value_and_moves(
    metric: OrdinalMetric, evidence: Any, weights: Values
) -> tuple[float, Values, NDArray[np.bool_]]:
    kind = metric.evidence
    by_entry = kind.entry_influences([metric], kind.accepted(evidence, metric.name))
    (value,) = catalogue.replace_undefined(metric, by_entry.values).tolist()
    is_counted = by_entry.is_counted
    # Entries without samples move nothing.
    influences = np.where(is_counted & (weights > 0), by_entry.influences[0], 0)
    return value, arithmetic.divide(influences, weights[is_counted].sum()), is_counted


# The change between old and new samples: whether a criterion got worse, and why
# ------------------------------------------------------------------------------


class _Answers(ByMetric):
    """An answer for each of several criteria, which is no condition itself."""

    def __bool__(self) -> bool:
        raise ValueError(
            f"worse_than has an answer for each of the {len(self)} criteria, which cannot be used "
            f"as one condition: take one, as in worse_than()[{checks.shown(next(iter(self)))}], or "
            "pass worse_than().values() to any."
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChangeReport(_values.Values):
    """The differences between new and old samples, and where they come from.

    Returned by `report_change`. `str` gives the text, and notebooks show tables and a plot. Keys
    may have any form that `get_metric` accepts.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values and differences. A key has the criterion; "old", "new" or "new at old class
        shares"; for a difference, which of these values is subtracted; None, or a class for its
        mean absolute error; and "value" or "difference". The values at the old class shares and
        of classes have no intervals: their differences do.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    inferred : tuple of str
        The criteria whose differences the default text shows with intervals and tests: those that
        are passed as ``metrics=``, or the first. All others are values there.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    class_counts : ndarray of shape (2, n_classes)
        Number, or weight, of the samples of each true class: of the old and of the new samples. An
        item with several grades belongs to each class with its share of them.
    is_weighted : bool
        Whether some samples have weights.
    margin : float
        Loss that is tolerated, in the unit of the criteria.

    Attributes
    ----------
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
    class_changes : mapping of str to Contrast
        Change of the mean absolute error of each class by its name, in positions on the scale, with
        p-values that are adjusted for the number of classes. Empty without predicted classes.
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

    axes = ("criterion", "time", "against", "class", "what")
    _title = "Change"

    target_names: tuple[str, ...]
    class_counts: NDArray[np.float64]
    is_weighted: bool
    margin: float

    @property
    def old_scores(self) -> ByMetric:
        """Value of the old samples, by criterion name."""
        return ByMetric(self._along("criterion", time=_OLD))

    @property
    def new_scores(self) -> ByMetric:
        """Value of the new samples, by criterion name."""
        return ByMetric(self._along("criterion", time=_NEW))

    @property
    def differences(self) -> ByMetric:
        """Value of the new samples minus the value of the old samples, by criterion name."""
        return self._part("all causes")

    @property
    def rates(self) -> ByMetric:
        """The part of the difference that is due to the predictions, by criterion name."""
        return self._part("predictions")

    @property
    def class_sizes(self) -> ByMetric:
        """The rest of the difference, which is due to other class shares, by criterion name."""
        return self._part("class sizes")

    def _part(self, part: str) -> ByMetric:
        time, against = _PARTS[part]
        return ByMetric(self._along("criterion", time=time, against=against, what=DIFFERENCE))

    @property
    def class_changes(self) -> dict[str, Contrast]:
        """Change of the mean absolute error of each class; empty without predicted classes."""
        return self._of_classes(_NEW, against=_OLD, what=DIFFERENCE)

    def _of_classes(self, time: str, **members: str) -> dict[str, Any]:
        """Return the mean absolute errors of the classes, or their changes."""
        return self._along("class", criterion=_CLASS_ERROR, time=time, **members)

    @property
    def worse_classes(self) -> tuple[str, ...]:
        """The classes whose mean absolute error is significantly larger than before."""
        return tuple(
            name
            for name, change in self.class_changes.items()
            if change.estimate > 0 and change.is_shown
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
        answers = _Answers({name: self._is_worse(name, tolerated) for name in self.metrics})
        return answers if len(answers) > 1 else next(iter(answers.values()))

    def _is_worse(self, criterion: str, margin: float) -> bool | None:
        return _paired_difference.is_worse(
            self.one(criterion=criterion, time=_NEW, against=_OLD, what=DIFFERENCE),
            self.metrics[criterion].greater_is_better,
            margin,
        )

    def __repr__(self) -> str:
        values = [f"{name} {row.estimate:+z.3f}" for name, row in self.differences.items()]
        return f"ChangeReport({checks.in_repr(values)})"

    def _display(self, criterion: str) -> ComparisonDisplay:
        parts = self._parts(criterion)
        return ComparisonDisplay(
            parts,
            adjusted_pvalues={part: row.pvalue for part, row in parts.items()},
            criterion=criterion,
            reference="the old samples",
            greater_is_better=self.metrics[criterion].greater_is_better,
        )

    def _parts(self, criterion: str) -> dict[str, Contrast]:
        """Return the difference of a criterion and its parts, if the samples have parts."""
        parts = {part: self._part(part) for part in _PARTS}
        return {part: rows[criterion] for part, rows in parts.items() if rows}

    def _sentences(self) -> Iterator[str]:
        """Say whether the new samples are worse by the first criterion, why, and in which class."""
        first, *others = self.inferred
        yield _sentences.change_verdict(
            self.metrics[first],
            self._along("time", criterion=first),
            self._parts(first),
            self.missing_classes,
            margin=self.margin,
            digits=self.digits,
        )
        if others:
            yield _sentences.change_claims(
                [(self.metrics[name], self.differences[name]) for name in others], self.margin
            )
        if self.class_changes:
            yield _sentences.worse_classes_verdict(
                {name: self.class_changes[name] for name in self.worse_classes},
                self._of_classes(_OLD),
                self._of_classes(_NEW),
                self.digits,
            )

    def _views(self) -> Iterator[Part]:
        others = [name for name in self.metrics if name not in self.inferred]
        yield from map(self._differences_table, self.inferred)
        if others:
            yield self._matrix("Values of the other criteria", others)
            tables = map(self._differences_table, others)
            notes = _intervals.notes_on_pvalues(self.differences[name] for name in others)
            yield Section(
                "Differences by the other criteria", (*tables, *map(Note, notes)), is_detail=True
            )
        if self.class_changes:
            classes = self._classes_table()
            yield Section("Classes", (classes,), is_detail=True) if self._hint() else classes
        blocks = (
            _sections.intervals(rows, self.digits, time)
            for time, rows in ((_OLD, self.old_scores), (_NEW, self.new_scores))
        )
        table = _sections.table("Old and new values", "criterion", list(self.metrics), *blocks)
        yield Section("Values with intervals", (table,), is_detail=True)

    def _differences_table(self, criterion: str) -> Table:
        """Return the difference of a criterion and its parts, from one value to another."""
        parts = {
            part: row
            for part, row in self._parts(criterion).items()
            if part == "all causes" or not self.missing_classes
        }
        values = self._along("time", criterion=criterion)
        digits = _intervals.digits_of_intervals(parts.values(), self.digits)
        return _sections.table(
            self._headline(criterion),
            "due to",
            list(parts),
            _sections.estimates("from", {part: values[_PARTS[part][1]] for part in parts}, digits),
            _sections.estimates("to", {part: values[_PARTS[part][0]] for part in parts}, digits),
            _sections.differences(parts, self.digits),
        )

    def _classes_table(self) -> Table:
        shares = (self.class_counts / self.class_counts.sum(axis=1, keepdims=True)).tolist()
        return _sections.table(
            "Mean absolute error of each class, in positions on the scale",
            "class",
            self.target_names,
            *(
                _sections.block(
                    Column(f"{time} share", "number", is_detail=True),
                    dict(zip(self.target_names, of_time, strict=True)),
                )
                for time, of_time in zip((_OLD, _NEW), shares, strict=True)
            ),
            *(_sections.estimates(time, self._of_classes(time)) for time in (_OLD, _NEW)),
            _sections.differences(self.class_changes, self.digits, "change"),
        )

    def _notes(self) -> Iterator[str]:
        unit = "samples" if self.rates else "items"
        unit = "total weight" if self.is_weighted else unit
        old, new = map(formatting.amount_as_text, self.class_counts.sum(axis=1).tolist())
        classes = _sections.classes_in_words(self.target_names)
        yield f"{old} old and {new} new {unit}, {classes}."
        if not self.rates:
            yield "The difference may have any cause, such as other items: it is not split."
        elif not self.missing_classes:
            yield "Predictions: the difference at the old class shares. Class sizes: the rest."
        yield from _intervals.notes_on_pvalues(self.differences[name] for name in self.inferred)

    def _hint(self) -> str:
        are_many = self.class_changes and self.n_classes > _FEW_CLASSES
        return super()._hint() or ("Pass details=True for the classes." if are_many else "")

    def _facts(self) -> dict[str, Any]:
        return {
            "margin": self.margin,
            "class_counts": {
                time: dict(zip(self.target_names, counts, strict=True))
                for time, counts in zip((_OLD, _NEW), self.class_counts.tolist(), strict=True)
            },
        }

    def _extras(self, key: Key) -> dict[str, Any]:
        is_tested = key[1:] == (_NEW, _OLD, None, DIFFERENCE)
        return {"worse": self._is_worse(str(key[0]), self.margin) if is_tested else None}


@checks.lists_parameters
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
        there are no two reports, the defaults of `OrdinalReport`. The text has the differences of
        all criteria that are named, or of the first.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the criteria: a criterion counts as worse if the
        whole interval of its difference is worse than the margin. If it is 0, the p-value decides.
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
    rows: dict[Key, Interval] = {}
    for metric in criteria:
        old_part, new_part = (sampled[id(metric.evidence.pick(side.evidence))] for side in sides)
        rows |= _rows_of_change(metric, old_part, new_part, level)
    old_names, new_names = (side.target_names for side in sides)
    names = old_names if old_names == new_names else tuple(map(str, scale.labels.tolist()))
    counts = [evidence_kinds.LABELS.pick(side.evidence) for side in sides]
    if None not in counts:
        old_part, new_part = (sampled[id(part)] for part in counts)
        rows |= _rows_of_classes(old_part, new_part, names, level)
    first_parts = [side.evidence[0] for side in sides]
    return ChangeReport(
        rows=rows,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        inferred=_sections.inferred_criteria(metrics, criteria),
        n_classes=len(names),
        provenance=Provenance.of_now(),
        target_names=names,
        class_counts=np.array([sampled[id(part)].class_counts for part in first_parts]),
        is_weighted=any(part.is_weighted for part in first_parts),
        margin=tolerated,
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
        if metric.name == _CLASS_ERROR:
            raise ValueError(
                f"metrics must not have the name {_CLASS_ERROR!r}, which the errors of the classes "
                f"have: give the criterion another name."
            )
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
