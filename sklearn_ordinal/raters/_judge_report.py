"""`compare_judge`: judges beside human raters, and their report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    containers,
    evidence_kinds,
    grading,
    grouping,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Cell,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import (
    _holm_correction,
    _intervals,
    _paired_difference,
)
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.inference._unit_moves import Design, Spread
from sklearn_ordinal.metrics import _true_scores
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.raters import _annotator_test, _rater_intervals
from sklearn_ordinal.raters._annotator_test import (
    AlternativeAnnotatorTest,
    Closeness,
    MissingGrades,
)
from sklearn_ordinal.raters._rater_intervals import PeerGrades
from sklearn_ordinal.reports import _ceilings, _sections
from sklearn_ordinal.reports._sections import Provenance

# Judges and humans, compared with the same humans on the same items
# ------------------------------------------------------------------

# The mean over fewer pairs of humans has no standard deviation.
_FEWEST_HUMANS = 3
_NUMBERS_PER_PART = 2**20


@dataclass(frozen=True, eq=False)
class SameFooting:
    """Values of a metric for each human and for judges beside the same other humans.

    The last human stands for all: the values are the means over the humans whose values are
    defined for the human and for each judge.

    Parameters
    ----------
    metric : OrdinalMetric
        The metric.
    n_classes : int
        Number of classes on the scale.
    values : ndarray of shape (1 + n_judges, n_raters + 1)
        Values of the humans (first row) and of each judge.
    moves : ndarray of shape (1 + n_judges, n_raters + 1, n_patterns)
        How much the weight of an item of each pattern moves each value.
    is_used : ndarray of shape (n_raters + 1, n_patterns)
        Whether the items of each pattern are used.
    numbers : ndarray of shape (n_raters + 1,)
        Number of items of each human.
    design : Design
        How the items were drawn.
    """

    metric: OrdinalMetric
    n_classes: int
    values: Floats
    moves: Floats
    is_used: NDArray[np.bool_]
    numbers: NDArray[np.int64]
    design: Design

    def intervals(self, row: int, level: float) -> list[Interval]:
        """Return the interval of each human's value, or of each value of a judge."""
        spread = self._spread(self.moves[row][None])
        ends = _intervals.delta_ends(
            [self.metric], self.values[row][None], spread, level, self.n_classes
        )
        # Wilson's interval is for samples that are drawn one by one.
        low, high = (np.where(ends.is_wilson, np.nan, end) for end in ends[:2])
        ends = ends._replace(low=low, high=high, is_wilson=np.zeros(low.shape, dtype=np.bool_))
        return ends.intervals(self.values[row], spread.standard_error, level)

    def differences(self, row: int, other: int, level: float) -> list[PairedDifference]:
        """Return the value in a row minus the value in another row, for each human."""
        lowest, highest = self.metric.bounds(self.n_classes)
        moves = self.moves[row] - self.moves[other]
        (errors,), (degrees,), _ = self._spread(moves[None])
        differences = self.values[row] - self.values[other]
        return [
            _intervals.from_error(
                PairedDifference,
                *numbers,
                level,
                (lowest - highest, highest - lowest),
                greater_is_better=self.metric.greater_is_better,
            )
            for numbers in zip(differences.tolist(), errors.tolist(), degrees.tolist(), strict=True)
        ]

    def _spread(self, moves: Floats) -> Spread:
        return self.design.moves(moves, self.is_used, total=1.0).spread()


def same_footing(
    judged: OrdinalRatings,
    n_raters: int,
    judges: Sequence[int],
    metrics: Sequence[OrdinalMetric],
    *,
    counts_missing: bool = False,
) -> Iterator[SameFooting]:
    """Compare each human, and judges, with the other humans, and yield the values of each metric.

    Only items that the human, all these judges and another human grade are used. The grades of the
    other humans are the truth, and each item has its weight in total. Missing grades of judges may
    count against them: metrics that count unanswered samples do so, and for all others the grade
    is the class that is farthest from the grade of each other human.

    Parameters
    ----------
    judged : OrdinalRatings
        The grades of the humans, and of the judges as further raters.
    n_raters : int
        Number of humans.
    judges : sequence of int
        Numbers of the judges, from 0.
    metrics : sequence of OrdinalMetric
        Criteria of counts.
    counts_missing : bool, default=False
        Whether missing grades of judges count.
    """
    humans = np.arange(n_raters)
    columns = [humans, *(np.full(n_raters, n_raters + judge) for judge in judges)]
    peers = PeerGrades.from_ratings(
        judged,
        raters=np.concatenate(columns),
        left_out=np.tile(humans, len(columns)),
        is_peer=np.arange(len(judged.raters)) < n_raters,
        names=tuple(map(str, range(len(columns) * n_raters))),
        counts_missing=counts_missing,
    )
    required = [] if counts_missing else [n_raters + judge for judge in judges]
    peers = _graded_by_all(peers, n_raters, required)
    amounts, n_patterns = evidence_kinds.RATINGS.entry_amounts(judged), len(judged.patterns)
    design = _intervals.design_of(judged)
    weights = peers.amounts().weights
    is_used = np.zeros((len(columns) * n_raters + 1, n_patterns), dtype=np.bool_)
    is_used[peers.comparison, peers.pattern] = is_used[-1, peers.pattern] = True
    # The humans come first; all comparisons of a human use the same items.
    is_used = is_used[[*humans, -1]]
    confusion, n_classes = peers.confusion(), len(judged.scale)
    position = np.arange(n_classes)
    farthest = np.where(2 * position < n_classes - 1, n_classes - 1, 0)
    filled = _filled(confusion, farthest)
    shape = (len(columns), n_raters)
    for metric in metrics:
        # One at a time, since there is a number for each pattern and comparison.
        evidence = confusion if metric.counts_unanswered else filled
        by_cell = evidence_kinds.LABELS.entry_influences([metric], evidence)
        cells = by_cell.influences[0].reshape(-1, n_classes, n_classes + 1)
        if evidence is filled:
            cells[..., n_classes] = cells[:, position, farthest]
        values = by_cell.values[0].reshape(shape)
        is_defined = np.isfinite(values).all(axis=0)
        by_comparison = np.zeros((len(weights), n_patterns))
        by_comparison[peers.comparison, peers.pattern] = (
            peers.influences(cells) / weights[peers.comparison]
        )
        moves = by_comparison.reshape(*shape, n_patterns)
        of_all = moves[:, is_defined].mean(axis=1) if is_defined.any() else moves[:, 0] * np.nan
        yield SameFooting(
            metric,
            n_classes,
            np.c_[values, arithmetic.mean_where_defined(values, is_defined)],
            np.concatenate([moves, of_all[:, None]], axis=1),
            is_used,
            (is_used @ amounts.numbers).astype(np.int64),
            design,
        )


def _filled(confusion: OrdinalConfusion, farthest: NDArray[np.intp]) -> OrdinalConfusion:
    """Return counts in which unanswered samples have the class that is farthest from the truth."""
    if confusion.unanswered is None:
        return confusion
    counts = confusion.counts.copy()
    counts[:, np.arange(len(farthest)), farthest] += confusion.unanswered
    return replace(confusion, counts=counts, unanswered=None)


def _graded_by_all(peers: PeerGrades, n_raters: int, judges: Sequence[int]) -> PeerGrades:
    """Keep the compared grades of items that the human and all these judges grade."""
    is_grade = peers.ratings.patterns >= 0
    has_human = is_grade[peers.pattern, peers.comparison % n_raters]
    has_judges = np.asarray(is_grade[:, judges].all(axis=1))
    keeps = has_human & has_judges[peers.pattern]
    kept = {
        name: getattr(peers, name)[keeps] for name in ("pattern", "comparison", "own", "left_out")
    }
    return replace(peers, **kept)


@np.errstate(divide="ignore", invalid="ignore")
def z_among_humans(
    judged: OrdinalRatings,
    n_raters: int,
    judge: int,
    metrics: Sequence[OrdinalMetric],
    level: float,
) -> list[Interval]:
    """Return the place of a judge among the pairs of humans, for each metric.

    It is the mean value of the judge and each human, minus the mean over the pairs of humans, in
    standard deviations of the pairs; positive if the judge agrees more. The value of a pair is the
    mean of both directions, since a metric may distinguish the truth from the prediction.
    """
    nothing = Interval(math.nan, math.nan, math.nan, level)
    if n_raters < _FEWEST_HUMANS:
        return [nothing for _ in metrics]
    n_classes, n_columns = len(judged.scale), n_raters + 1
    columns = np.r_[np.arange(n_raters), n_raters + judge]
    design = _intervals.design_of(judged)
    is_judged = judged.patterns[:, n_raters + judge] >= 0
    patterns = judged.patterns[:, columns]
    counts = _pair_counts(patterns, np.where(is_judged, judged.weights, 0), n_classes)
    first, second = np.nonzero(~np.eye(n_columns, dtype=np.bool_))
    confusion = OrdinalConfusion(judged.scale, counts[first, second], is_weighted=True)
    totals = confusion.counts.sum(axis=(1, 2))
    results = []
    for metric in metrics:
        by_cell = evidence_kinds.LABELS.entry_influences([metric], confusion)
        values = by_cell.values[0]
        z, derivatives = _standardized(values, bool(metric.greater_is_better))
        cells = by_cell.influences[0].reshape(-1, n_classes, n_classes + 1)[..., :n_classes]
        # Pairs without a common item or a value do not count.
        scaled = np.where(
            derivatives[:, None, None] != 0,
            cells * (derivatives / totals)[:, None, None],
            0,
        )
        by_pattern = np.where(is_judged, _sums_over_pairs(patterns, (first, second), scaled), 0)
        (error,), (degrees,), _ = design.moves(by_pattern[None], is_judged, total=1.0).spread()
        results.append(_intervals.from_error(Interval, z, error, degrees, level))
    return results


def _standardized(values: Floats, greater_is_better: bool) -> tuple[float, Floats]:
    """Return the z of the values of pairs with the judge, and its derivatives by all values.

    Each pair occurs in both directions, whose mean is its value. The judge is the last rater.
    """
    derivatives = np.zeros(len(values))
    size = math.isqrt(len(values)) + 1
    are_different = ~np.eye(size, dtype=np.bool_)
    table = np.zeros((size, size))
    table[are_different] = values
    table = (table + table.T) / 2
    rows, columns = np.triu_indices(size, 1)
    pairs, is_judge = table[rows, columns], columns == size - 1
    of_judge, of_humans = pairs[is_judge], pairs[~is_judge]
    of_judge, of_humans = of_judge[np.isfinite(of_judge)], of_humans[np.isfinite(of_humans)]
    if len(of_humans) < 2 or not len(of_judge):
        return math.nan, derivatives
    mean, deviation = of_humans.mean(), of_humans.std(ddof=1)
    # Equal pairs may differ by rounding errors.
    if deviation <= tolerances.ZERO_SPREAD:
        return math.nan, derivatives
    sign = 1 if greater_is_better else -1
    z = sign * (of_judge.mean() - mean) / deviation
    of_pair = np.zeros((size, size))
    by_judge = sign / (len(of_judge) * deviation)
    by_humans = -sign / (len(of_humans) * deviation) - z * (pairs - mean) / (
        (len(of_humans) - 1) * deviation**2
    )
    by_pair = np.where(is_judge, by_judge, by_humans)
    of_pair[rows, columns] = np.where(np.isfinite(pairs), by_pair, 0)
    derivatives = (of_pair + of_pair.T)[are_different] / 2
    return float(z), derivatives


def _one_hot(patterns: NDArray[np.intp], n_classes: int) -> Floats:
    """Return 1 at the grade of each rater, (n_patterns, n_raters * n_classes)."""
    is_grade: NDArray[np.bool_] = patterns[..., None] == np.arange(n_classes)
    return is_grade.reshape(len(patterns), -1).astype(np.float64)


def _pair_counts(patterns: NDArray[np.intp], weights: Floats, n_classes: int) -> Floats:
    """Return the counts of each pair of raters, (n_raters, n_raters, n_classes, n_classes)."""
    n_raters = patterns.shape[1]
    size = n_raters * n_classes
    counts = np.zeros((size, size))
    for part in arithmetic.slices(len(patterns), max(1, _NUMBERS_PER_PART // size)):
        grades = _one_hot(patterns[part], n_classes)
        counts += (grades * weights[part, None]).T @ grades
    return counts.reshape(n_raters, n_classes, n_raters, n_classes).swapaxes(1, 2)


def _sums_over_pairs(
    patterns: NDArray[np.intp], pairs: tuple[NDArray[np.intp], NDArray[np.intp]], cells: Floats
) -> Floats:
    """Return the sum over pairs for each pattern, from what the cells of each pair add."""
    n_raters, n_classes = patterns.shape[1], cells.shape[-1]
    table = np.zeros((n_raters, n_raters, n_classes, n_classes))
    table[pairs] = cells
    size = n_raters * n_classes
    by_grade = table.swapaxes(1, 2).reshape(size, size)
    sums = np.empty(len(patterns))
    for part in arithmetic.slices(len(patterns), max(1, _NUMBERS_PER_PART // size)):
        grades = _one_hot(patterns[part], n_classes)
        sums[part] = ((grades @ by_grade) * grades).sum(axis=1)
    return sums


def _judge_prmse(ratings: OrdinalRatings, judge: NDArray[np.intp], level: float) -> Interval:
    """Return the PRMSE of the grades of a judge, positions of shape (n_items,), -1 if missing."""
    numbers = _true_scores.grade_numbers(ratings)
    value, influences = _true_scores.prmse_influences(
        ratings, np.where(judge >= 0, numbers[judge], np.nan)
    )
    weight = evidence_kinds.item_weights(ratings)
    is_counted = (ratings.n_grades > 0) & (judge >= 0) & (weight > 0)
    weight, influences = (np.where(is_counted, part, 0) for part in (weight, influences))
    mean = arithmetic.divide(weight @ influences, weight.sum())
    # The entries are the items.
    drawn = evidence_kinds.RATINGS.drawn([ratings])
    design = Design(None, drawn._replace(entry=np.flatnonzero(drawn.has_weight)[None]))
    by_item = np.where(is_counted, influences - mean, 0)
    (error,), (degrees,), _ = design.moves(by_item[None], is_counted, total=1.0).spread()
    return _intervals.from_error(Interval, value, error, degrees, level)


# The document of judges beside human raters
# ------------------------------------------

_NUMBER = Column("", "number")
_DIGITS = 3
# Larger values of z are printed with fewer decimals, and explained.
_LARGE = 100


def _judge_document(report: JudgeReport) -> Document:
    """Return the verdicts, the tables of each judge, and the comparisons of judges and groups."""
    _, *further_criteria = report.metrics
    return Document(
        "Judges beside humans",
        (
            Note(_summary(report)),
            *(part for judge in report.judges for part in _judge_parts(report, judge)),
            *_parts_between_judges(report),
            *_group_parts(report),
            *(Note(text, is_small=True) for text in _notes(report)),
            Section(
                "Each human, by further criteria",
                tuple(
                    _one_criterion(report, judge, name)
                    for judge in report.judges
                    for name in (*further_criteria, "severity")
                ),
                is_detail=True,
            ),
        ),
        verdict=tuple(map(Note, _verdicts(report))),
        footer=_sections.footer(report.provenance),
    )


def _summary(report: JudgeReport) -> str:
    drawn = _sections.drawn_in_words(report.n_clusters, "", report.n_strata)
    return (
        f"{formatting.counted(report.n_items, 'item')}{drawn and ' in '}{drawn}, "
        f"{formatting.counted(len(report.raters), 'human')} "
        f"({formatting.names_in_words(report.raters)}), "
        f"{formatting.counted(len(report.judges), 'judge')} "
        f"({formatting.names_in_words(report.judges)}), "
        f"{_sections.classes_in_words(report.scale.labels.tolist())}."
    )


def _verdicts(report: JudgeReport) -> Iterator[str]:
    """Yield how the best judge compares with the humans, and whether each judge passes."""
    if len(report.judges) == 1:
        (judge,) = report.judges
        subject = "the judge" if judge == "judge" else judge
        start = f"By {next(iter(report.metrics))}, {_beside_humans(report, judge, subject)}"
        yield " ".join([start, *_test_sentences(report, judge, "It", subject, is_explained=True)])
        return
    best = _best(report, _differences(report))
    yield " ".join(_best_sentences(report, best))
    for judge in report.judges:
        is_first = judge == report.judges[0]
        # The first sentence of the report compares the best judge with the humans.
        is_known = judge in best[:1]
        known = [] if is_known else [_beside_humans(report, judge, judge)]
        subject = judge if is_known else "It"
        sentences = _test_sentences(report, judge, subject, judge, is_explained=is_first)
        yield " ".join([*known, *sentences])


def _differences(report: JudgeReport) -> dict[str, PairedDifference]:
    """Return the difference between each judge and the humans, by the first criterion."""
    by_judge = next(iter(report.footing.values()))
    return {judge: by_human["all humans"].difference for judge, by_human in by_judge.items()}


def _best(report: JudgeReport, differences: Mapping[str, PairedDifference]) -> list[str]:
    """Return the judges with the best difference from the humans; none if all are undefined."""
    sign = 1 if next(iter(report.metrics.values())).greater_is_better else -1
    values = {judge: sign * difference.estimate for judge, difference in differences.items()}
    highest = max((value for value in values.values() if not math.isnan(value)), default=math.nan)
    return [judge for judge, value in values.items() if value >= highest - tolerances.TIE]


def _best_sentences(report: JudgeReport, best: list[str]) -> Iterator[str]:
    """Yield the best judge, the judges that it beats or not, and the items without a grade."""
    criterion, is_omitted = next(iter(report.metrics)), report.unanswered == "omit"
    tests = {judge: by_name[report.closeness] for judge, by_name in report.tests.items()}
    missing = [f"{t.n_unanswered:,} of {judge}" for judge, t in tests.items() if t.n_unanswered]
    if best:
        tied = f" (tied with {formatting.names_in_words(best[1:])})" if best[1:] else ""
        on = ", each on the items that it grades," if missing and is_omitted else ""
        subject = f"{best[0]}{tied} ranks first of {len(report.judges)} judges{on} and"
        yield f"By {criterion}, {_beside_humans(report, best[0], subject)}"
        # A judge may rank first because it does not grade the hard items.
        better = [
            judge
            for judge in report.judges
            if judge != best[0] and _beats(report, criterion, judge, best[0])
        ]
        others = [judge for judge in report.judges if judge not in (*best, *better)]
        unbeaten = [judge for judge in others if not _beats(report, criterion, best[0], judge)]
        if unbeaten:
            yield f"It is not shown to be better than {formatting.names_in_words(unbeaten)}."
        elif others:
            yield f"It is shown to be better than {formatting.names_in_words(others)}."
        if better:
            verb = "is" if len(better) == 1 else "are"
            yield (
                f"On the items that both grade, {formatting.names_in_words(better)} {verb} shown "
                f"to be better than {best[0]}."
            )
    else:
        yield f"By {criterion}, no judge can be compared with the humans."
    if missing:
        what = "are left out" if is_omitted else "count against the judge"
        yield f"Items without a grade {what}: {formatting.names_in_words(missing)}."
        other_best = _best(report, report.otherwise)
        if other_best != best and other_best:
            condition = "counted against the judges" if is_omitted else "were left out"
            yield (
                f"If these items {condition}, {formatting.names_in_words(other_best)} would rank "
                "first."
            )


def _beats(report: JudgeReport, criterion: str, judge: str, other: str) -> bool:
    """Return whether a judge is shown to be better than another on the items of both."""
    adjusted, firsts = report.adjusted_pvalues(criterion), report.between_judges[criterion]
    if report.judges.index(judge) < report.judges.index(other):
        return (
            _paired_difference.better_system(firsts[judge][other], adjusted[judge, other])
            == "first"
        )
    return (
        _paired_difference.better_system(firsts[other][judge], adjusted[other, judge]) == "second"
    )


def _beside_humans(report: JudgeReport, judge: str, subject: str) -> str:
    """Return whether a judge is better or worse than the humans by the first criterion."""
    difference = _differences(report)[judge]
    if math.isnan(difference.estimate):
        return f"{subject} cannot be compared with the humans."
    verb = {
        "first": "is better than the humans",
        "second": "is worse than the humans",
        None: "does not differ significantly from the humans",
    }[_paired_difference.better_system(difference, difference.pvalue)]
    if math.isnan(difference.pvalue):
        verb = "is not tested against the humans"
    return f"{subject} {verb}: judge minus humans is {_in_words(difference)}."


def _in_words(difference: PairedDifference) -> str:
    """Return a difference with its interval and p-value."""
    return _sections.signed_in_words(difference, _DIGITS, is_loss=not difference.greater_is_better)


def _test_sentences(
    report: JudgeReport, judge: str, subject: str, name: str, *, is_explained: bool
) -> Iterator[str]:
    """Yield whether a judge passes, what this depends on, and how severe the judge is."""
    tests = report.tests[judge]
    chosen = tests[report.closeness]
    yield _annotator_test.result_in_words(chosen, subject, is_explained=is_explained)
    difference = _differences(report)[judge]
    is_worse = _paired_difference.better_system(difference, difference.pvalue) == "second"
    if chosen.is_passed and is_worse:
        yield "Passing does not show that it is as good as the humans."
    if chosen.n_unanswered:
        yield _annotator_test.missing_in_words(chosen, name)
        yield (
            f"{_annotator_test.if_otherwise(chosen)}, judge minus humans would be "
            f"{_in_words(report.otherwise[judge])}, and "
            f"{_annotator_test.other_result_in_words(chosen)}."
        )
    if not math.isnan(chosen.winning_rate):
        others = [name for name in tests if name != report.closeness]
        differ = [name for name in others if tests[name].is_passed != chosen.is_passed]
        verb = "does not pass" if chosen.is_passed else "passes"
        if differ:
            yield f"With closeness {formatting.names_in_words(differ)}, it {verb}."
        else:
            yield f"The result is the same with closeness {formatting.names_in_words(others)}."
    yield from _each_human_in_words(report, judge)
    severity = report.severity[judge]["all humans"].difference
    if severity.low > 0 or severity.high < 0:
        amount = formatting.cell_text(abs(severity.estimate), _NUMBER, _DIGITS)
        direction = "higher" if severity.estimate > 0 else "lower"
        yield f"It grades {amount} classes {direction} than the humans."


def _judge_parts(report: JudgeReport, judge: str) -> Iterator[Part]:
    """Yield the tables and the plot of a judge."""
    criterion = next(iter(report.metrics))
    yield _criteria_table(report, judge)
    yield _one_criterion(report, judge, criterion)
    yield from _ceiling_tables(report, judge)
    yield _further_table(report, judge)
    test = report.tests[judge][report.closeness].table()
    yield Table(f"{test.title}: {judge}", test.columns, test.rows)
    yield Figure(
        partial(report.plot, judge=judge),
        f"{criterion} of {judge} and of each human, compared with the other humans",
        f"{criterion} against the other humans",
        _one_criterion(report, judge, criterion),
    )


def _each_human_in_words(report: JudgeReport, judge: str) -> Iterator[str]:
    """Say if a judge is better in place of some humans and worse in place of others."""
    criterion = next(iter(report.metrics))
    *by_human, _ = report.footing[criterion][judge].items()
    sign = 1 if report.metrics[criterion].greater_is_better else -1
    ends = {
        human: sorted((sign * footing.difference.low, sign * footing.difference.high))
        for human, footing in by_human
    }
    better = [human for human, (low, _) in ends.items() if low > 0]
    worse = [human for human, (_, high) in ends.items() if high < 0]
    if better and worse:
        yield (
            f"By {criterion}, {judge} is better than {formatting.names_in_words(better)} and worse "
            f"than {formatting.names_in_words(worse)}, each compared with the other humans. A "
            f"judge that repeats the grades of {'one' if len(worse) > 1 else worse[0]} looks like "
            "this, and so does a judge that is compared with humans whose grades differ in "
            "quality."
        )


def _criteria_table(report: JudgeReport, judge: str) -> Table:
    """Return the means over the humans, with a row for each criterion."""
    rows = []
    for name, by_judge in (*report.footing.items(), ("severity", report.severity)):
        *_, of_all = by_judge[judge].values()
        rows.append((name, *_footing_cells(of_all)))
    columns = _footing_columns("criterion", of_all)
    return Table(f"{judge} in place of a human, against the other humans", columns, tuple(rows))


def _ceiling_tables(report: JudgeReport, judge: str) -> Iterator[Table]:
    """Yield the values of the judge beside the ceilings, if a ceiling is defined."""
    rows = []
    for name, by_judge in report.ceilings.items():
        ceiling = by_judge[judge]
        if not ceiling.reason:
            *_, of_all = report.footing[name][judge].values()
            rows.append((name, of_all.judge.estimate, ceiling.bracket, ceiling.interval))
    if rows:
        columns = (
            Column("criterion"),
            Column("judge", "number"),
            Column("ceiling", "interval"),
            Column(_sections.interval_name(report.prmse[judge].confidence_level), "interval"),
        )
        yield Table(f"{judge} and the ceiling of predictions of a human", columns, tuple(rows))


def _footing_columns(first: str, footing: Footing) -> tuple[Column, ...]:
    return (
        Column(first),
        Column("human", "number"),
        Column("judge", "number"),
        Column("difference", "number", is_signed=True),
        Column(
            _sections.interval_name(footing.difference.confidence_level), "interval", is_signed=True
        ),
        Column("p", "pvalue"),
    )


def _footing_cells(footing: Footing) -> tuple[float, float, float, tuple[float, float], float]:
    difference = footing.difference
    return (
        footing.human.estimate,
        footing.judge.estimate,
        difference.estimate,
        (difference.low, difference.high),
        difference.pvalue,
    )


def _further_table(report: JudgeReport, judge: str) -> Table:
    """Return the figures that have no value of a human."""
    test = report.tests[judge][report.closeness]
    rows: list[Row] = [("winning rate", test.winning_rate, None)]
    figures: dict[str, Interval] = {
        "advantage probability": test.advantage_probability,
        "PRMSE": report.prmse[judge],
        **{f"z of {name}": by_judge[judge] for name, by_judge in report.z.items()},
    }
    rows += [(name, *_figure_cells(figure)) for name, figure in figures.items()]
    level = _sections.interval_name(report.prmse[judge].confidence_level)
    columns = (Column("figure"), Column("value", "number"), Column(level, "interval"))
    return Table(f"{judge} among the humans", columns, tuple(rows))


def _figure_cells(figure: Interval) -> tuple[Cell, Cell]:
    """Return a value and its interval, with four digits in all if they are large.

    This concerns z, whose divisor is small if the pairs of humans agree nearly alike.
    """
    if not _is_large(figure):
        return figure.estimate, (figure.low, figure.high)
    value, low, high = (f"{number:.4g}" for number in (figure.estimate, figure.low, figure.high))
    return value, f"{low} to {high}"


def _is_large(figure: Interval) -> bool:
    return any(abs(number) >= _LARGE for number in (figure.estimate, figure.low, figure.high))


def _one_criterion(report: JudgeReport, judge: str, criterion: str) -> Table:
    """Return the values of one criterion for each human, and the means."""
    by_human = dict(report.footing.get(criterion, report.severity)[judge])
    all_humans, of_all = by_human.popitem()
    differences = {human: footing.difference.estimate for human, footing in by_human.items()}
    first, *others = _footing_columns("human left out", of_all)
    columns = (first, Column("items", "number", digits=0, is_detail=True), *others)
    rows, summary = (
        tuple((human, footing.n_items, *_footing_cells(footing)) for human, footing in part)
        for part in (
            [(human, by_human[human]) for human in _annotator_test.lowest_and_highest(differences)],
            [(all_humans, of_all)],
        )
    )
    return Table(f"{criterion} of {judge}, human by human", columns, rows, summary)


def _parts_between_judges(report: JudgeReport) -> Iterator[Part]:
    """Yield the differences between judges, if there are several."""
    if len(report.judges) < 2:
        return
    rows = []
    for name, firsts in report.between_judges.items():
        adjusted = report.adjusted_pvalues(name)
        for first, seconds in firsts.items():
            for second, difference in seconds.items():
                ends = (difference.low, difference.high)
                pvalue = adjusted[first, second]
                rows.append((name, first, second, difference.estimate, ends, pvalue))
    level = _sections.interval_name(report.prmse[report.judges[0]].confidence_level)
    columns = (
        Column("criterion"),
        Column("first"),
        Column("second"),
        *_sections.difference_columns(level, "Holm"),
    )
    items = " on the items that both grade" if report.unanswered == "omit" else ""
    yield Table(f"Differences between judges{items}", columns, tuple(rows))


def _group_parts(report: JudgeReport) -> Iterator[Part]:
    """Yield the differences between judge and humans in each group, by the first criterion."""
    if not report.by_group:
        return
    criterion = next(iter(report.metrics))
    for judge in report.judges:
        rows = []
        for name, group in report.by_group.items():
            *_, of_all = group.footing[criterion][judge].values()
            *_, severity = group.severity[judge].values()
            rate = group.tests[judge][report.closeness].winning_rate
            rows.append(
                (name, of_all.n_items, *_footing_cells(of_all)[:4], severity.judge.estimate, rate)
            )
        first, *others = _footing_columns("group", of_all)
        columns = (
            first,
            Column("items", "number", digits=0),
            *others[:4],
            Column("severity", "number", is_signed=True),
            Column("winning rate", "number", is_detail=True),
        )
        yield Table(f"{criterion} of {judge} in each group", columns, tuple(rows))
        if any(math.isnan(rate) for *_, rate in rows):
            yield Note(
                f"A group has no winning rate if no human has {_annotator_test.FEWEST_ITEMS} "
                "items in it that the judge and another human grade.",
                is_small=True,
                column="winning rate",
            )


def _humans_without_value(report: JudgeReport, judge: str) -> Iterator[str]:
    """Yield which humans are not in the means, since a value is undefined beside the others."""
    by_humans: dict[tuple[str, ...], list[str]] = {}
    for name, by_judge in (*report.footing.items(), ("severity", report.severity)):
        *by_human, _ = by_judge[judge].items()
        undefined = tuple(
            human for human, footing in by_human if math.isnan(footing.difference.estimate)
        )
        if undefined:
            by_humans.setdefault(undefined, []).append(name)
    for humans, names in by_humans.items():
        verb = "is" if len(names) == 1 else "are"
        where = (
            f"in place of {formatting.names_in_words(humans)}, who "
            f"{'is' if len(humans) == 1 else 'are'}"
        )
        if len(humans) == len(report.raters):
            yield f"{formatting.names_in_words(names)} {verb} undefined for all humans."
        else:
            yield f"{formatting.names_in_words(names)} {verb} undefined {where} not in the means."


def _notes(report: JudgeReport) -> Iterator[str]:
    """Yield what is undefined and why, and what is left out."""
    if any(by_name[report.closeness].n_unanswered for by_name in report.tests.values()):
        yield (
            "An item without a grade that counts against a judge has a closeness of 0. For "
            "criteria outside of the closeness family, the judge's grade is the class that is "
            "farthest from the grade of each other human. severity, PRMSE and z leave these items "
            "out."
        )
    for judge in report.judges:
        prefix = f"{judge}: " if len(report.judges) > 1 else ""
        for text in _humans_without_value(report, judge):
            yield f"{prefix}{text}"
    for judge in report.judges:
        of_judge = {name: by_judge[judge] for name, by_judge in report.ceilings.items()}
        prefix = f"{judge}: " if len(report.judges) > 1 else ""
        for text in _ceilings.reasons_in_words(of_judge):
            yield f"{prefix}{text}"
    n_raters = len(report.raters)
    if n_raters < _FEWEST_HUMANS:
        yield f"z is undefined, since it needs at least {_FEWEST_HUMANS} humans."
    elif any(_is_large(place) for by_judge in report.z.values() for place in by_judge.values()):
        yield (
            f"A z, or an end of its interval, beyond {_LARGE} means that the pairs of humans agree "
            f"nearly alike, so any judge is many of their standard deviations away: read the "
            f"differences instead."
        )
    yield from _annotator_test.humans_left_out(n_raters)
    if any(math.isnan(interval.estimate) for interval in report.prmse.values()):
        yield "PRMSE is undefined, since the estimated variance of the true scores is not positive."
    for judge in report.judges:
        prefix = f"{judge}: " if len(report.judges) > 1 else ""
        for text in report.tests[judge][report.closeness].notes():
            yield f"{prefix}{text}"
    if report.groups_left_out:
        yield (
            f"Groups without an item of positive weight that two humans and a judge grade, left "
            f"out: {formatting.names_in_words(report.groups_left_out)}."
        )


# The report of judges beside human raters
# ----------------------------------------

_ALL_HUMANS = "all humans"


@dataclass(frozen=True)
class Footing:
    """The value of a human, and of a judge, beside the same other humans on the same items.

    Parameters
    ----------
    human : Interval
        Value of the human, or the mean over the humans for whom the values are defined.
    judge : Interval
        Value of the judge, or the mean over the humans that are left out.
    difference : PairedDifference
        Value of the judge minus the value of the human.
    n_items : int
        Number of items that the human, the judge and at least one other human grade.

    See Also
    --------
    JudgeReport : Holds the comparison for each judge and human.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20)
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics="accuracy")
    >>> report.footing["accuracy"]["judge"]["rater 1"].n_items
    80
    """

    human: Interval
    judge: Interval
    difference: PairedDifference
    n_items: int


@dataclass(frozen=True, eq=False, repr=False)
class JudgeReport(Views):
    """Judges compared with human raters: the result of `compare_judge`.

    `str` gives the text, and notebooks show tables and a plot.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    raters : tuple of str
        Names of the humans.
    judges : tuple of str
        Names of the judges.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}
        The closeness of the verdict.
    unanswered : {"omit", "count"}
        Whether items without a grade of a judge are left out, or count against the judge.
    n_items : int
        Number of items of positive weight.
    metrics : mapping of str to OrdinalMetric
        The criteria.
    footing : mapping of str to mapping of str to mapping of str to Footing
        For each criterion, judge and human, and for "all humans", the values of human and judge
        against the same other humans.
    severity : mapping of str to mapping of str to Footing
        For each judge and human, the own grade minus the mean of the others' grades, in positions
        on the scale; positive if the grades are higher.
    z : mapping of str to mapping of str to Interval
        For each criterion and judge, the mean value of judge and human minus the mean over the
        pairs of humans, in standard deviations of the pairs; positive if the judge agrees more. NaN
        with fewer than three humans.
    ceilings : mapping of str to mapping of str to Ceiling
        For each criterion and judge, how good a prediction of the grade of a human can be, on the
        items that the judge grades; see `rating_ceilings`.
    prmse : mapping of str to Interval
        For each judge, the share of the variance of the true scores that the grades explain.
    tests : mapping of str to mapping of str to AlternativeAnnotatorTest
        For each judge and closeness, the alternative-annotator test.
    between_judges : mapping of str to mapping of str to mapping of str to PairedDifference
        For each criterion and pair of judges, the value of the first minus the value of the second,
        as means over the humans, on the items that both grade; on all items if missing grades
        count.
    otherwise : mapping of str to PairedDifference
        For each judge, its value minus the value of the humans by the first criterion, as the mean
        over the humans, with the other choice of `unanswered`.
    by_group : mapping of str to JudgeReport
        The report of each group of items; empty without groups.
    groups_left_out : tuple of str
        Groups without an item of positive weight that two humans and a judge grade.
    n_clusters : int, default=None
        Number of clusters in which the items were drawn, None without clusters.
    n_strata : int, default=None
        Number of strata from which the items were drawn, None without strata.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.

    See Also
    --------
    sklearn_ordinal.compare_judge : Make the report.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20)
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics="accuracy")
    >>> print(report.footing["accuracy"]["judge"]["all humans"].judge)
    0.750 (95% interval 0.716 to 0.781)
    """

    scale: OrdinalScale
    raters: tuple[str, ...]
    judges: tuple[str, ...]
    closeness: Closeness
    unanswered: MissingGrades
    n_items: int
    metrics: ByMetric
    footing: ByMetric
    severity: Mapping[str, Mapping[str, Footing]]
    z: ByMetric
    ceilings: ByMetric
    prmse: Mapping[str, Interval]
    tests: Mapping[str, Mapping[str, AlternativeAnnotatorTest]]
    between_judges: ByMetric
    otherwise: Mapping[str, PairedDifference]
    by_group: Mapping[str, JudgeReport]
    groups_left_out: tuple[str, ...] = ()
    n_clusters: int | None = None
    n_strata: int | None = None
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    def __repr__(self) -> str:
        return f"JudgeReport({checks.listed(self.judges)} beside {checks.listed(self.raters)})"

    def adjusted_pvalues(self, criterion: Any = None) -> dict[tuple[str, str], float]:
        """Return the p-values of the differences between judges, adjusted with Holm's method.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.

        Returns
        -------
        dict of tuple of str to float
            The adjusted p-value of each pair of judges.
        """
        firsts = self.between_judges[_sections.selected_metric(self.metrics, criterion).name]
        pairs = [(first, second) for first in firsts for second in firsts[first]]
        pvalues = [firsts[first][second].pvalue for first, second in pairs]
        adjusted = _holm_correction.holm_correction(pvalues) if pvalues else np.zeros(0)
        return dict(zip(pairs, adjusted.tolist(), strict=True))

    def plot(
        self, criterion: Any = None, *, judge: str | None = None, ax: Any = None, **options: Any
    ) -> IntervalsDisplay:
        """Draw the values of a judge and of each human against the same other humans.

        The ceiling of predictions of the grade of a human is shaded.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        judge : str, default=None
            Name of the judge. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `IntervalsDisplay.plot`.

        Returns
        -------
        IntervalsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion or the judge.
        """
        metric = _sections.selected_metric(self.metrics, criterion)
        name = self.judges[0] if judge is None else judge
        if name not in self.judges:
            raise ValueError(
                f"judge must be one of {checks.listed(self.judges)}, got {checks.shown(name)}."
            )
        by_human = self.footing[metric.name][name]
        return IntervalsDisplay(
            list(by_human),
            {
                "human": _intervals_display.as_columns(
                    footing.human for footing in by_human.values()
                ),
                f"{name} in place of the human": _intervals_display.as_columns(
                    footing.judge for footing in by_human.values()
                ),
            },
            label=f"{metric.name} against the other humans",
            band=self.ceilings[metric.name][name].bracket,
            band_name="ceiling",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, and for each judge the criteria on the same footing, the first criterion
            human by human, and the alternative-annotator test; a plot; differences between judges
            and groups. With more than 30 humans, tables have those with the lowest and the highest
            differences.
        """
        return _judge_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the report.

        Returns
        -------
        dict
            "judges": for each judge "test" and "other_tests" (the alternative-annotator tests),
            "prmse", "z" and "ceilings" by criterion, "otherwise" (the difference from the humans
            by the first criterion with the other choice of "unanswered"), and "criteria": for each
            criterion, and "severity", and each human the columns of `to_frame`; "between_judges"
            by criterion; "groups": for each group the same; "n_items", "n_clusters" and
            "n_strata"; "closeness" and "unanswered". Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(self._numbers())
        return numbers

    def _numbers(self) -> dict[str, Any]:
        judges: dict[str, Any] = {
            judge: {
                "test": self.tests[judge][self.closeness].to_dict(),
                "other_tests": {
                    closeness: test.to_dict()
                    for closeness, test in self.tests[judge].items()
                    if closeness != self.closeness
                },
                "prmse": self.prmse[judge].to_dict(),
                "z": {name: by_judge[judge].to_dict() for name, by_judge in self.z.items()},
                "ceilings": {
                    name: by_judge[judge].to_dict() for name, by_judge in self.ceilings.items()
                },
                "otherwise": _difference_columns(self.otherwise[judge]),
                "criteria": {},
            }
            for judge in self.judges
        }
        for record in self._own_records():
            criteria = judges[record.pop("judge")]["criteria"]
            criteria.setdefault(record.pop("criterion"), {})[record.pop("human")] = record
        return {
            "n_items": self.n_items,
            "n_clusters": self.n_clusters,
            "n_strata": self.n_strata,
            "closeness": self.closeness,
            "unanswered": self.unanswered,
            "judges": judges,
            "between_judges": {
                name: [
                    {
                        "first": first,
                        "second": second,
                        **difference.to_dict(),
                        "adjusted_pvalue": self.adjusted_pvalues(name)[first, second],
                    }
                    for first, seconds in firsts.items()
                    for second, difference in seconds.items()
                ]
                for name, firsts in self.between_judges.items()
            },
            "groups": {name: report._numbers() for name, report in self.by_group.items()},
            "groups_left_out": list(self.groups_left_out),
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each judge, criterion and human, of all items and of each group."""
        if not self.by_group:
            return list(self._own_records())
        return [
            {"group": group, **record}
            for group, report in ((None, self), *self.by_group.items())
            for record in report._own_records()
        ]

    def _own_records(self) -> Iterator[dict[str, Any]]:
        for judge in self.judges:
            for name, by_judge in (
                *self.footing.items(),
                (_rater_intervals.SEVERITY.name, self.severity),
            ):
                for human, footing in by_judge[judge].items():
                    yield {
                        "judge": judge,
                        "criterion": name,
                        "human": human,
                        "n_items": footing.n_items,
                        "value_of_human": footing.human.estimate,
                        "value_of_judge": footing.judge.estimate,
                        **_difference_columns(footing.difference),
                    }


def _difference_columns(difference: PairedDifference) -> dict[str, float]:
    return {
        "difference": difference.estimate,
        "low": difference.low,
        "high": difference.high,
        "pvalue": difference.pvalue,
    }


def compare_judge(
    ratings: OrdinalRatings,
    judge: ArrayLike | Mapping[Any, Any],
    *,
    metrics: MetricsLike | None = None,
    closeness: Closeness = "cem_ord",
    epsilon: float = 0.2,
    alpha: float = 0.05,
    unanswered: MissingGrades = "omit",
    by: Any = None,
) -> JudgeReport:
    r"""Compare a judge, such as a program that grades, or several, with human raters.

    Is the judge as good as a human? Its agreement with the consensus of all humans is not
    comparable with the agreement of a human with the others. So each human is left out in turn, and
    both the human and the judge are compared with the remaining humans, on the same items. If the
    judge is exchangeable with the humans, the difference is 0.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades of the humans.
    judge : array-like of shape (n_items,) or mapping
        Grade of the judge for each item, in the order of the items; or, if the items have ids, a
        pandas Series or a mapping from each id to the grade. A Series with the index 0, 1, ... is
        in the order of the items. NaN, None or NA where the judge gives no grade. For several
        judges, a frame with a column for each judge, or a mapping from each name to the grades.
    metrics : str, callable, iterable or dict of them, default=None
        Criteria of counts, in any form that `get_metric` accepts, or "all" for all criteria of
        predicted classes in this package. If None, the six defaults of `cross_val_report`.
    closeness : {"cem_ord", "accuracy", "neg_root_mean_squared_error"}, default="cem_ord"
        The closeness of the verdict, see `alternative_annotator_test`. The report says if another
        closeness leads to another verdict.
    epsilon : float, default=0.2
        How much more often the human may be at least as close as the judge, between 0 and 1; see
        `alternative_annotator_test`.
    alpha : float, default=0.05
        Expected share of false replacements among all replacements. Intervals have the confidence
        level 1 - `alpha`.
    unanswered : {"omit", "count"}, default="omit"
        What to do with items without a grade of a judge: leave them out, or count them against the
        judge. The closeness family counts them with a closeness of 0. By all other criteria, the
        grade is the class that is farthest from the grade of each other human. See
        `alternative_annotator_test` for the test. The severity, the PRMSE and z always leave these
        items out. A judge may look good because it does not grade the items on which it would be
        wrong: the report says how many items these are, and the result with the other choice.
    by : array-like of shape (n_items,) or mapping, default=None
        Group of each item, such as the week or the family of models, in the order of the items, or
        by id.

    Returns
    -------
    JudgeReport
        The comparisons, as text, tables and a plot.

    Raises
    ------
    ValueError
        If the grades of a judge are for other items or not on the scale of the ratings, a judge has
        the name of a human, a criterion is not a function of counts, `by` does not name a group of
        each item, `closeness` or `unanswered` is not known, or a number is out of range.

    See Also
    --------
    sklearn_ordinal.raters.alternative_annotator_test : The test on its own.
    sklearn_ordinal.metrics.prmse_score : The share of the true variance on its own.

    Notes
    -----
    On the same footing, the grades of the other humans are the truth, and each item has its weight
    in total, divided equally among the other humans who grade it. Standard errors take the items as
    independent units, or the clusters of `ratings` within its strata. They come from the influence
    of each item on all humans together, so an item counts once however many humans grade it.
    Differences have intervals from quantiles of the t distribution, and other values on the scale
    that the metric records, with the degrees of freedom that `delta_interval` has.

    The z of a criterion places the mean agreement of the judge and each human among the agreements
    of the pairs of humans [1]_. Its interval is one of items, for these humans. It does not cover
    how z varies from one choice of humans to another, and with three humans, which are three pairs,
    the standard deviation is hardly known. In groups of items, criteria that depend on class sizes
    use the class sizes of the group.

    References
    ----------
    .. [1] S. Han, G. Titericz Junior, T. Balough, W. Zhou (2025), "Judge's verdict: a comprehensive
       analysis of LLM judge capability through human agreement", :doi:`10.48550/arXiv.2510.09738`.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, compare_judge
    >>> ratings = OrdinalRatings.from_ratings(
    ...     [[0, 0, 1], [1, 2, 1], [2, 2, 2], [0, 1, 0]] * 20, raters=["Ann", "Bob", "Cy"]
    ... )
    >>> report = compare_judge(ratings, [0, 1, 2, 0] * 20, metrics=["cem_ord", "accuracy"])
    >>> report.tests["judge"]["cem_ord"].winning_rate
    1.0
    """
    grading.check_ratings(ratings)
    weight = evidence_kinds.item_weights(ratings)
    _annotator_test.check_test_options(closeness, epsilon, alpha, unanswered)
    criteria = _sections.chosen_metrics(metrics, with_direction=True)
    _sections.check_are_of_counts(criteria)
    if any(metric.name == _rater_intervals.SEVERITY.name for metric in criteria):
        raise ValueError("metrics must not have the name 'severity', which the report has.")
    if _ALL_HUMANS in ratings.raters:
        raise ValueError(f"ratings must not have a rater with the name {_ALL_HUMANS!r}: rename it.")
    judges = _read_judges(ratings, judge)
    positions = np.stack(list(judges.values()), axis=1)
    names = tuple(judges)

    def report(part: OrdinalRatings, grades: NDArray[np.intp], **groups: Any) -> JudgeReport:
        return _report(
            part, grades, names, criteria, closeness, epsilon, alpha, unanswered, **groups
        )

    if by is None:
        return report(ratings, positions, by_group={})
    group, group_names = grouping.read_groups(
        containers.joined_by_item("by", by, ratings.items), ratings.n_samples
    )
    by_group, left_out = {}, []
    for number, name in enumerate(group_names):
        items = group == number
        is_graded = (positions[items] >= 0).any(axis=1)
        if not (is_graded & (ratings.n_grades[items] > 1) & (weight[items] > 0)).any():
            left_out.append(name)
            continue
        part = grading.some_items(ratings, items)
        by_group[name] = report(part, positions[items], by_group={})
    return report(ratings, positions, by_group=by_group, groups_left_out=tuple(left_out))


def _read_judges(ratings: OrdinalRatings, judge: Any) -> dict[str, NDArray[np.intp]]:
    """Return the grades of each judge by name, as positions on the scale."""
    columns = checks.column_names(judge)
    if columns is not None:
        judge = {name: judge[name] for name in columns}
    if _is_two_dimensional(judge):
        raise ValueError(
            "judge must hold one grade for each item, got several columns: for several judges, "
            "pass a dict with their names as keys, such as {'first': grades, 'second': grades}."
        )
    # A mapping from ids has a grade for each id, and a mapping from names has columns.
    is_several = isinstance(judge, Mapping) and (not judge or any(map(_is_column, judge.values())))
    if not is_several:
        judge = {"judge": judge}
    elif not judge:
        raise ValueError("judge must have at least one judge, got an empty dict.")
    names = scales.check_names("judge", list(judge))
    for name in checks.repeated([*names, *ratings.raters]):
        raise ValueError(
            f"judge must have names that differ from each other and from the raters' names, got "
            f"{checks.shown(name)}: rename it."
        )
    return {
        name: _annotator_test.read_judge(
            ratings, grades, f"judge[{checks.shown(key)}]" if is_several else "judge"
        )
        for name, (key, grades) in zip(names, judge.items(), strict=True)
    }


def _is_two_dimensional(judge: Any) -> bool:
    """Return whether grades are an array or a list of columns, which have no names."""
    if isinstance(judge, np.ndarray):
        return judge.ndim == 2
    return isinstance(judge, (list, tuple)) and any(map(_is_column, judge))


def _is_column(grades: Any) -> bool:
    return hasattr(grades, "__len__") and not isinstance(grades, (str, bytes))


def _report(
    ratings: OrdinalRatings,
    positions: NDArray[np.intp],
    judges: tuple[str, ...],
    metrics: list[OrdinalMetric],
    closeness: Closeness,
    epsilon: float,
    alpha: float,
    unanswered: MissingGrades,
    **groups: Any,
) -> JudgeReport:
    """Return the report of judges whose grades have shape (n_items, n_judges)."""
    judged, n_raters, level = (
        _annotator_test.join_judges(ratings, positions),
        len(ratings.raters),
        1 - alpha,
    )
    counts_missing = unanswered == "count"
    humans = (*ratings.raters, _ALL_HUMANS)
    footing: dict[str, dict[str, dict[str, Footing]]] = {}
    z, ceilings = (ByMetric({metric.name: {} for metric in metrics}) for _ in range(2))
    otherwise = {}
    for number, judge in enumerate(judges):
        compared = partial(same_footing, judged, n_raters, [number])
        # A missing grade is neither too low nor too high.
        for values in (
            *compared(metrics, counts_missing=counts_missing),
            *compared([_rater_intervals.SEVERITY]),
        ):
            columns = (
                values.intervals(0, level),
                values.intervals(1, level),
                values.differences(1, 0, level),
                values.numbers.tolist(),
            )
            footing.setdefault(values.metric.name, {})[judge] = {
                human: Footing(*row) for human, *row in zip(humans, *columns, strict=True)
            }
        places = z_among_humans(judged, n_raters, number, metrics, level)
        (values,) = compared(metrics[:1], counts_missing=not counts_missing)
        otherwise[judge] = values.differences(1, 0, level)[-1]
        weight = evidence_kinds.item_weights(ratings) * (
            counts_missing | (positions[:, number] >= 0)
        )
        of_judge = _ceilings.ceilings_by_metric(ratings, metrics, level, weight=weight)
        for metric, place in zip(metrics, places, strict=True):
            z[metric.name][judge] = place
            ceilings[metric.name][judge] = of_judge[metric.name]
    between = ByMetric({metric.name: {judge: {} for judge in judges[:-1]} for metric in metrics})
    for (first, name), (second, other) in combinations(enumerate(judges), 2):
        for values in same_footing(
            judged, n_raters, [first, second], metrics, counts_missing=counts_missing
        ):
            of_all = values.differences(1, 2, level)[-1]
            between[values.metric.name][name][other] = of_all
    severity = footing.pop(_rater_intervals.SEVERITY.name)
    return JudgeReport(
        scale=ratings.scale,
        raters=ratings.raters,
        judges=judges,
        closeness=closeness,
        unanswered=unanswered,
        n_items=int(np.count_nonzero(evidence_kinds.item_weights(ratings))),
        metrics=ByMetric({metric.name: metric for metric in metrics}),
        footing=ByMetric(footing),
        severity=severity,
        z=z,
        ceilings=ceilings,
        prmse={
            judge: _judge_prmse(ratings, positions[:, number], level)
            for number, judge in enumerate(judges)
        },
        tests={
            judge: {
                other: _annotator_test.annotator_test(
                    ratings, judged, number, other, epsilon, alpha, unanswered
                )
                for other in get_args(Closeness)
            }
            for number, judge in enumerate(judges)
        },
        between_judges=between,
        otherwise=otherwise,
        **grading.numbers_of_units(ratings),
        provenance=Provenance.of_now(),
        **groups,
    )
