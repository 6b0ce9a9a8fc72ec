"""`compare_judge`: judges beside human raters, and their report."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
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
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Figure, Note, Part, Section, Table
from sklearn_ordinal.inference import (
    _holm_correction,
    _intervals,
    _paired_difference,
)
from sklearn_ordinal.inference._intervals import Contrast, Interval
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
from sklearn_ordinal.reports._sections import Block, Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key, Values

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


# The sentences and tables of judges beside human raters
# ------------------------------------------------------

_SEVERITY = _rater_intervals.SEVERITY.name
_ALL_HUMANS = "all humans"


def _digits(report: JudgeReport) -> int:
    """Return the digits that the differences from the humans need."""
    differences = (
        _of_all(report, criterion, judge).difference
        for criterion in report.inferred
        for judge in report.judges
    )
    return _intervals.digits_of_intervals(differences, report.digits)


def _sentences(report: JudgeReport) -> Iterator[str]:
    """Yield how the best judge compares with the humans, and which judges can replace them."""
    yield " ".join([*_best_sentences(report), *_missing_in_words(report)])
    is_single = len(report.judges) == 1
    subjects = {judge: "It" if is_single else judge for judge in report.judges}
    remarks = (text for judge, name in subjects.items() for text in _remarks(report, judge, name))
    yield " ".join([*_test_sentences(report, subjects), *remarks])


def _differences(report: JudgeReport) -> dict[str, PairedDifference]:
    """Return the difference between each judge and the humans, by the first criterion."""
    criterion = next(iter(report.metrics))
    return {judge: _of_all(report, criterion, judge).difference for judge in report.judges}


def _ranked(report: JudgeReport, differences: Mapping[str, PairedDifference]) -> list[str]:
    """Return the judges from the best difference from the humans to the worst, undefined last."""
    sign = -1 if next(iter(differences.values())).greater_is_better else 1
    values = [sign * difference.estimate for difference in differences.values()]
    return [report.judges[k] for k in np.argsort(values, kind="stable")]


def _best(report: JudgeReport, differences: Mapping[str, PairedDifference]) -> list[str]:
    """Return the judges with the best difference from the humans; none if all are undefined."""
    best = differences[_ranked(report, differences)[0]].estimate
    return [
        judge
        for judge, difference in differences.items()
        if abs(difference.estimate - best) <= tolerances.TIE
    ]


def _names(report: JudgeReport) -> dict[str, str]:
    """Return what sentences call each judge."""
    return {judge: "the judge" if judge == "judge" else judge for judge in report.judges}


def _missing(report: JudgeReport) -> dict[str, AlternativeAnnotatorTest]:
    """Return the tests of the judges that do not grade all items."""
    tests = {judge: by_name[report.closeness] for judge, by_name in report.tests.items()}
    return {judge: test for judge, test in tests.items() if test.n_unanswered}


def _best_sentences(report: JudgeReport) -> Iterator[str]:
    """Yield how the best judge compares with the humans, and with the other judges."""
    criterion, differences = next(iter(report.metrics)), _differences(report)
    best, subject = _best(report, differences), _names(report)[report.judges[0]]
    if not best:
        subject = "no judge" if len(report.judges) > 1 else subject
        verb = "can" if len(report.judges) > 1 else "cannot"
        yield f"By {criterion}, {subject} {verb} be compared with the humans."
        return
    if len(report.judges) > 1:
        tied = f" (tied with {formatting.names_in_words(best[1:])})" if best[1:] else ""
        is_omitted = _missing(report) and report.unanswered == "omit"
        on = ", each on the items that it grades," if is_omitted else ""
        subject = f"{best[0]}{tied} ranks first of {len(report.judges)} judges{on} and"
    difference = differences[best[0]]
    side, smallest = _side(difference), difference.smallest_difference
    verb = f"is {side} than" if side else "does not differ significantly from"
    if math.isnan(difference.pvalue):
        verb = "is not tested against"
    yield (
        f"By {criterion}, {subject} {verb} the humans: judge minus humans is "
        f"{_in_words(report, difference)}."
    )
    if not side and smallest > 0:
        amount = formatting.cell_text(smallest, Column("", "number"), _digits(report))
        yield f"With 80% power, these items show differences of {amount} or more."
    # A judge may rank first because it does not grade the hard items.
    better = [judge for judge in report.judges if _beats(report, criterion, judge, best[0])]
    others = [judge for judge in report.judges if judge not in (*best, *better)]
    unbeaten = [judge for judge in others if not _beats(report, criterion, best[0], judge)]
    if others:
        shown = "is not shown" if unbeaten else "is shown"
        yield f"It {shown} to be better than {formatting.names_in_words(unbeaten or others)}."
    if better:
        yield (
            f"On the items that both grade, {_subject_in_words(better)} shown to be better than "
            f"{best[0]}."
        )
    for side in ("better", "worse"):
        judges = [judge for judge in (*better, *others) if _side(differences[judge]) == side]
        if judges:
            yield f"{_subject_in_words(judges)} {side} than the humans."


def _subject_in_words(judges: Sequence[str]) -> str:
    return f"{formatting.names_in_words(judges)} {'is' if len(judges) == 1 else 'are'}"


def _missing_in_words(report: JudgeReport) -> Iterator[str]:
    """Yield how many items have no grade, and what the other choice would change."""
    missing, names, best = _missing(report), _names(report), _best(report, report.otherwise)
    consequences = [
        f"{judge} minus humans would be {_in_words(report, report.otherwise[judge])}, and "
        f"{_annotator_test.other_result_in_words(test, names[judge])}"
        for judge, test in missing.items()
    ]
    if best and best != _best(report, _differences(report)):
        consequences.insert(0, f"{formatting.names_in_words(best)} would rank first")
    if missing:
        by_name = {names[judge]: test for judge, test in missing.items()}
        yield _annotator_test.missing_in_words(by_name, consequences)


def _side(difference: PairedDifference) -> str:
    """Return whether a judge is significantly "better" or "worse" than the humans, or neither."""
    which = _paired_difference.better_system(difference)
    return {"first": "better", "second": "worse", None: ""}[which]


def _beats(report: JudgeReport, criterion: str, judge: str, other: str) -> bool:
    """Return whether a judge is shown to be better than another on the items of both."""
    is_better, firsts = bool(report.metrics[criterion].greater_is_better), report.between_judges
    for first, second in ((judge, other), (other, judge)):
        contrast = firsts[criterion].get(first, {}).get(second)
        if contrast and contrast.is_shown:
            return bool((contrast.estimate > 0) == (is_better == (first == judge)))
    return False


def _in_words(report: JudgeReport, difference: PairedDifference) -> str:
    """Return a difference with its interval and p-value."""
    return _sections.signed_in_words(
        difference, _digits(report), is_loss=not difference.greater_is_better
    )


def _test_sentences(report: JudgeReport, subjects: Mapping[str, str]) -> Iterator[str]:
    """Yield which judges pass, what the test tolerates, and if another closeness matters."""
    tests = {judge: report.tests[judge][report.closeness] for judge in subjects}
    yield _annotator_test.results_in_words({subjects[judge]: test for judge, test in tests.items()})
    tested = [judge for judge, test in tests.items() if not math.isnan(test.winning_rate)]
    if not tested:
        return
    yield _annotator_test.tolerance_in_words(tests[tested[0]].epsilon)
    differences = _differences(report)
    worse = [j for j in tested if tests[j].is_passed and _side(differences[j]) == "worse"]
    if worse:
        who = "it is" if len(subjects) == 1 else _subject_in_words(worse)
        yield f"Passing does not show that {who} as good as the humans."
    others = [name for name in get_args(Closeness) if name != report.closeness]
    is_same = True
    for judge in tested:
        is_passed, results = tests[judge].is_passed, report.tests[judge]
        differ = [name for name in others if results[name].is_passed != is_passed]
        if differ:
            is_same, verb = False, "does not pass" if is_passed else "passes"
            yield f"{subjects[judge]} {verb} with closeness {formatting.names_in_words(differ)}."
    if is_same:
        yield f"The result is the same with closeness {formatting.names_in_words(others)}."


def _remarks(report: JudgeReport, judge: str, subject: str) -> Iterator[str]:
    """Yield whom a judge resembles, and how severe it is."""
    yield from _each_human_in_words(report, judge)
    severity = _of_all(report, _SEVERITY, judge).difference
    if severity.low > 0 or severity.high < 0:
        digits = _intervals.digits_of_intervals([severity], report.digits)
        amount = formatting.cell_text(abs(severity.estimate), Column("", "number"), digits)
        direction = "higher" if severity.estimate > 0 else "lower"
        yield f"{subject} grades {amount} classes {direction} than the humans."


def _each_human_in_words(report: JudgeReport, judge: str) -> Iterator[str]:
    """Say if a judge is better in place of some humans and worse in place of others."""
    criterion = next(iter(report.metrics))
    *by_human, _ = report.footing[criterion][judge].items()
    better, worse = (
        [human for human, footing in by_human if _side(footing.difference) == side]
        for side in ("better", "worse")
    )
    if better and worse:
        yield (
            f"By {criterion}, {judge} is better than {formatting.names_in_words(better)} and worse "
            f"than {formatting.names_in_words(worse)}, each compared with the other humans. A "
            f"judge that repeats the grades of {'one' if len(worse) > 1 else worse[0]} looks like "
            "this, and so does a judge that is compared with humans whose grades differ in "
            "quality."
        )


def _of_all(report: JudgeReport, criterion: str, judge: str) -> Footing:
    """Return the means over the humans, by a criterion or the severity."""
    footing: Footing = report.footing[criterion][judge][_ALL_HUMANS]
    return footing


def _main_tables(report: JudgeReport) -> Iterator[Table]:
    """Yield the criteria of one judge, or the judges by each inferred criterion and the values."""
    if len(report.judges) == 1:
        yield _criteria_table(report, report.judges[0], report.inferred)
        return
    for criterion in report.inferred:
        footings = {judge: _of_all(report, criterion, judge) for judge in report.judges}
        ranked = _ranked(report, {judge: each.difference for judge, each in footings.items()})
        blocks = _footing_blocks(report, footings, own="value")
        if criterion == report.inferred[0]:
            tests = {judge: report.tests[judge][report.closeness] for judge in ranked}
            numbers = {j: _annotator_test.number_replaced(test) for j, test in tests.items()}
            blocks.append(_sections.block(Column("can replace"), numbers))
        title = f"{criterion} of each judge in place of a human, against the other humans"
        yield _sections.table(title, "judge", ranked, *blocks)
    names = [name for name in report.metrics if name not in report.inferred]
    if names:
        names.append(_SEVERITY)
        humans = {name: _of_all(report, name, report.judges[0]).human for name in names}
        # Judges that leave out different items are compared with different values of the humans.
        blocks = [] if _missing(report) else [_sections.estimates("human", humans)]
        yield report._matrix("Values of the judges by further criteria", names, *blocks)


def _footing_blocks(
    report: JudgeReport,
    footings: Mapping[str, Footing],
    inferred: Collection[str] = (),
    *,
    own: str = "judge",
) -> list[Block]:
    """Return the columns of human and judge, and of their differences, by default in all rows."""
    differences = {
        name: footing.difference
        for name, footing in footings.items()
        if name in inferred or not inferred
    }
    digits = _intervals.digits_of_intervals(differences.values(), report.digits)
    of_human = {name: footing.human for name, footing in footings.items()}
    of_judge = {name: footing.judge for name, footing in footings.items()}
    return [
        _sections.estimates("human", of_human, digits),
        _sections.estimates(own, of_judge, digits),
        _sections.differences(differences, report.digits),
    ]


def _criteria_table(report: JudgeReport, judge: str, inferred: Sequence[str]) -> Table:
    """Return the means over the humans, with differences for the criteria that are inferred."""
    footings = {name: _of_all(report, name, judge) for name in report.footing}
    blocks = _footing_blocks(report, footings, [*inferred, _SEVERITY])
    title = f"{judge} in place of a human, against the other humans"
    return _sections.table(title, "criterion", list(footings), *blocks)


def _figure(report: JudgeReport, judge: str) -> Figure:
    criterion = next(iter(report.metrics))
    return Figure(
        partial(report.plot, judge=judge),
        f"{criterion} of {judge} and of each human, compared with the other humans",
        f"{criterion} against the other humans",
        _one_criterion(report, judge, criterion),
    )


def _judge_section(report: JudgeReport, judge: str) -> Section:
    """Return all figures of a judge."""
    first, *further = report.footing
    test = report.tests[judge][report.closeness].table()
    is_drawn = judge == _ranked(report, _differences(report))[0]
    return Section(
        judge,
        (
            _criteria_table(report, judge, tuple(report.metrics)),
            _one_criterion(report, judge, first),
            *(() if is_drawn else (_figure(report, judge),)),
            replace(test, title=f"{test.title}: {judge}"),
            *_ceiling_tables(report, judge),
            _further_table(report, judge),
            *(Note(text, is_small=True) for text in _notes_on_figures(report, judge)),
            *(_one_criterion(report, judge, name) for name in further),
        ),
        is_detail=True,
    )


def _ceiling_tables(report: JudgeReport, judge: str) -> Iterator[Table]:
    """Yield the values of the judge beside the ceilings, if a ceiling is defined."""
    ceilings = {name: by_judge[judge] for name, by_judge in report.ceilings.items()}
    ceilings = {name: ceiling for name, ceiling in ceilings.items() if not ceiling.reason}
    if ceilings:
        judged = {name: _of_all(report, name, judge).judge for name in ceilings}
        brackets = {name: ceiling.bracket for name, ceiling in ceilings.items()}
        level = Column(_sections.interval_name(report.confidence_level), "interval")
        yield _sections.table(
            f"{judge} and the ceiling of predictions of a human",
            "criterion",
            list(ceilings),
            _sections.estimates("judge", judged),
            _sections.block(Column("ceiling", "interval"), brackets),
            _sections.block(level, {name: ceiling.interval for name, ceiling in ceilings.items()}),
        )


def _further_table(report: JudgeReport, judge: str) -> Table:
    """Return the figures that have no value of a human."""
    test, nan = report.tests[judge][report.closeness], math.nan
    figures = {
        "winning rate": Interval(test.winning_rate, nan, nan, report.confidence_level),
        "advantage probability": test.advantage_probability,
        "PRMSE": report.prmse[judge],
        **{f"z of {name}": by_judge[judge] for name, by_judge in report.z.items()},
    }
    title = f"{judge} among the humans"
    return _sections.table(
        title, "figure", list(figures), _sections.intervals(figures, report.digits)
    )


def _one_criterion(report: JudgeReport, judge: str, criterion: str) -> Table:
    """Return the values of one criterion for each human, and the means."""
    footings = report.footing[criterion][judge]
    differences = {human: footing.difference.estimate for human, footing in footings.items()}
    del differences[_ALL_HUMANS]
    column = Column("items", "number", digits=0, is_detail=True)
    return _sections.table(
        f"{criterion} of {judge}, human by human",
        "human left out",
        _annotator_test.lowest_and_highest(differences),
        _sections.block(column, {human: footing.n_items for human, footing in footings.items()}),
        *_footing_blocks(report, footings),
        summary=[_ALL_HUMANS],
    )


def _section_between_judges(report: JudgeReport) -> Section:
    items = " on the items that both grade" if report.unanswered == "omit" else ""
    tables = []
    for name, firsts in report.between_judges.items():
        contrasts = {
            f"{first} - {second}": contrast
            for first, seconds in firsts.items()
            for second, contrast in seconds.items()
        }
        block = _sections.differences(contrasts, report.digits)
        tables.append(_sections.table(f"{name}{items}", "judges", list(contrasts), block))
    return Section("Differences between judges", tables, is_detail=True)


def _group_table(report: JudgeReport) -> Table:
    """Return the judges beside the humans in each group, by the first criterion."""
    criterion, are_several = next(iter(report.metrics)), len(report.judges) > 1
    footings = {
        f"{name}: {judge}" if are_several else name: _of_all(group, criterion, judge)
        for name, group in report.by_group.items()
        for judge in report.judges
    }
    n_items = {row: footing.n_items for row, footing in footings.items()}
    return _sections.table(
        f"{criterion} in each group",
        "group: judge" if are_several else "group",
        list(footings),
        _sections.block(Column("items", "number", digits=0), n_items),
        *_footing_blocks(report, footings, own="value" if are_several else "judge"),
    )


def _humans_without_value(report: JudgeReport, judge: str) -> Iterator[str]:
    """Yield which humans are not in the means, since a value is undefined beside the others."""
    by_humans: dict[tuple[str, ...], list[str]] = {}
    for name, by_judge in report.footing.items():
        *by_human, _ = by_judge[judge].items()
        undefined = tuple(
            human for human, footing in by_human if math.isnan(footing.difference.estimate)
        )
        if undefined:
            by_humans.setdefault(undefined, []).append(name)
    for humans, names in by_humans.items():
        where = f"in place of {formatting.names_in_words(humans)}, and not in the means"
        if len(humans) == len(report.raters):
            where = "for all humans"
        yield f"Undefined {where}: {formatting.names_in_words(names)}."


def _notes(report: JudgeReport) -> Iterator[str]:
    """Yield what is not in the values, each note once for all judges that it holds for."""
    judges_of: dict[str, list[str]] = {}
    for judge in report.judges:
        test = report.tests[judge][report.closeness]
        for text in (*_humans_without_value(report, judge), *test.notes()):
            judges_of.setdefault(text, []).append(judge)
    for text, judges in judges_of.items():
        are_all = len(judges) == len(report.judges)
        yield text if are_all else f"{formatting.names_in_words(judges)}: {text}"
    if report.groups_left_out:
        yield (
            f"Groups without an item of positive weight that two humans and a judge grade, left "
            f"out: {formatting.names_in_words(report.groups_left_out)}."
        )


def _notes_on_figures(report: JudgeReport, judge: str) -> Iterator[str]:
    """Yield which figures of a judge are undefined and why, and what tables leave out."""
    if report.tests[judge][report.closeness].n_unanswered:
        yield (
            "An item without a grade that counts against a judge has a closeness of 0. For "
            "criteria outside of the closeness family, the judge's grade is the class that is "
            "farthest from the grade of each other human. severity, PRMSE and z leave these items "
            "out."
        )
    yield from _ceilings.reasons_in_words(
        {name: by_judge[judge] for name, by_judge in report.ceilings.items()}
    )
    n_raters = len(report.raters)
    if n_raters < _FEWEST_HUMANS:
        yield f"z is undefined, since it needs at least {_FEWEST_HUMANS} humans."
    yield from _annotator_test.humans_left_out(n_raters)
    if math.isnan(report.prmse[judge].estimate):
        yield "PRMSE is undefined, since the estimated variance of the true scores is not positive."


# The report of judges beside human raters
# ----------------------------------------

# What rows hold besides the value of a judge, and its difference from a human or another judge.
_HUMAN, _Z, _PRMSE, _OTHERWISE = "human", "z", "PRMSE", "difference with the other unanswered"


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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgeReport(Values):
    """Judges compared with human raters: the result of `compare_judge`.

    `str` gives the text, and notebooks show tables and a plot.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values, see `to_frame`. A key has the criterion or "severity", the judge, what it is
        against, the group of items or None, and what the number is. Against a human, or None for
        the mean over the humans, "value" and "human" are the values of the judge and of the human
        against the same other humans. A "difference" is from the human, or from another judge.
        Against None there are also "z", the "PRMSE", the values at the ceilings, and the
        difference with the other choice of `unanswered`.
    metrics : mapping of str to OrdinalMetric
        The criteria.
    inferred : tuple of str
        The criteria whose differences from the humans are in the text without details: those that
        the caller names, or the first of the defaults.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.
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
    n_compared : mapping of tuple to int
        Number of items by the criterion, the judge, the human or None, and the group or None.
    ceilings : mapping of str to mapping of str to Ceiling
        For each criterion and judge, how good a prediction of the grade of a human can be, on the
        items that the judge grades; see `rating_ceilings`.
    tests : mapping of str to mapping of str to AlternativeAnnotatorTest
        For each judge and closeness, the alternative-annotator test.
    by_group : mapping of str to JudgeReport, default={}
        The report of each group of items; empty without groups.
    groups_left_out : tuple of str, default=()
        Groups without an item of positive weight that two humans and a judge grade.
    n_clusters : int, default=None
        Number of clusters in which the items were drawn, None without clusters.
    n_strata : int, default=None
        Number of strata from which the items were drawn, None without strata.

    Attributes
    ----------
    footing : mapping of str to mapping of str to mapping of str to Footing
        For each criterion, and for "severity", each judge and human, and for "all humans", the
        values of human and judge against the same other humans.
    severity : mapping of str to mapping of str to Footing
        For each judge and human, the own grade minus the mean of the others' grades, in positions
        on the scale; positive if the grades are higher.
    z : mapping of str to mapping of str to Interval
        For each criterion and judge, the mean value of judge and human minus the mean over the
        pairs of humans, in standard deviations of the pairs; positive if the judge agrees more. NaN
        with fewer than three humans.
    prmse : mapping of str to Interval
        For each judge, the share of the variance of the true scores that the grades explain.
    between_judges : mapping of str to mapping of str to mapping of str to Contrast
        For each criterion and pair of judges, the value of the first minus the value of the second,
        as means over the humans, on the items that both grade; on all items if missing grades
        count. P-values are adjusted with Holm's method.
    otherwise : mapping of str to PairedDifference
        For each judge, its value minus the value of the humans by the first criterion, as the mean
        over the humans, with the other choice of `unanswered`.

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

    axes = ("criterion", "judge", "against", "group", "what")
    _title = "Judges beside humans"

    scale: OrdinalScale
    raters: tuple[str, ...]
    judges: tuple[str, ...]
    closeness: Closeness
    unanswered: MissingGrades
    n_items: int
    n_compared: Mapping[Key, int]
    ceilings: ByMetric
    tests: Mapping[str, Mapping[str, AlternativeAnnotatorTest]]
    by_group: Mapping[str, JudgeReport] = field(default_factory=dict)
    groups_left_out: tuple[str, ...] = ()
    n_clusters: int | None = None
    n_strata: int | None = None
    digits: int = 2

    @cached_property
    def footing(self) -> ByMetric:
        """The values of human and judge, by criterion or "severity", judge and human."""

        def footing(*at: str | None) -> Footing:
            numbers: Any = (self.rows[*at, None, what] for what in (_HUMAN, VALUE, DIFFERENCE))
            human, own, difference = numbers
            return Footing(human, own, difference, self.n_compared[*at, None])

        humans: dict[str, str | None] = {**dict.fromkeys(self.raters), _ALL_HUMANS: None}
        humans |= {rater: rater for rater in self.raters}
        return ByMetric(
            {
                name: {
                    judge: {human: footing(name, judge, key) for human, key in humans.items()}
                    for judge in self.judges
                }
                for name in (*self.metrics, _SEVERITY)
            }
        )

    @property
    def severity(self) -> Mapping[str, Mapping[str, Footing]]:
        """The own grade minus the mean of the others' grades, by judge and human."""
        severity: Mapping[str, Mapping[str, Footing]] = self.footing[_SEVERITY]
        return severity

    @property
    def z(self) -> ByMetric:
        """The place of each judge among the pairs of humans, by criterion."""
        return ByMetric({n: self._along("judge", criterion=n, what=_Z) for n in self.metrics})

    @property
    def prmse(self) -> Mapping[str, Interval]:
        """The share of the variance of the true scores that each judge explains."""
        return self._along("judge", what=_PRMSE)

    @cached_property
    def between_judges(self) -> ByMetric:
        """The first judge minus the second, by criterion."""
        pairs: dict[str, Any] = {
            name: {judge: {} for judge in self.judges} for name in self.metrics
        }
        for (criterion, first, second, group, _), row in self.rows.items():
            if second in self.judges and group is None:
                pairs[str(criterion)][first][second] = row
        return ByMetric(pairs)

    @property
    def otherwise(self) -> Mapping[str, PairedDifference]:
        """Each judge minus the humans with the other choice of `unanswered`."""
        return self._along("judge", criterion=next(iter(self.metrics)), what=_OTHERWISE)

    def plot(
        self, metric: Any = None, *, judge: str | None = None, ax: Any = None, **options: Any
    ) -> IntervalsDisplay:
        """Draw the values of a judge and of each human against the same other humans.

        The ceiling of predictions of the grade of a human is shaded.

        Parameters
        ----------
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        judge : str, default=None
            Name of the judge. If None, the best by the first criterion.
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
        criterion = _sections.selected_metric(self.metrics, metric).name
        judge = _ranked(self, _differences(self))[0] if judge is None else judge
        if judge not in self.judges:
            raise ValueError(
                f"judge must be one of {checks.listed(self.judges)}, got {checks.shown(judge)}."
            )
        footings = self.footing[criterion][judge]
        values = {
            "human": [footing.human for footing in footings.values()],
            f"{judge} in place of the human": [footing.judge for footing in footings.values()],
        }
        return IntervalsDisplay(
            list(footings),
            {title: _intervals_display.as_columns(column) for title, column in values.items()},
            label=f"{criterion} against the other humans",
            band=self.ceilings[criterion][judge].bracket,
            band_name="ceiling",
        ).plot(ax, **options)

    def _sentences(self) -> Iterator[str]:
        return _sentences(self)

    def _figures(self, table: Table | None) -> Iterator[Figure]:
        # The main table does not have the humans one by one.
        del table
        yield _figure(self, _ranked(self, _differences(self))[0])

    def _views(self) -> Iterator[Part]:
        yield from _main_tables(self)
        if self.by_group:
            yield _group_table(self)
        for judge in self.judges:
            yield _judge_section(self, judge)
        if len(self.judges) > 1:
            yield _section_between_judges(self)

    def _notes(self) -> Iterator[str]:
        drawn = _sections.drawn_in_words(self.n_clusters, "", self.n_strata)
        yield (
            f"{formatting.counted(self.n_items, 'item')}{drawn and ' in '}{drawn}, "
            f"{formatting.counted(len(self.raters), 'human')} "
            f"({formatting.names_in_words(self.raters)}), "
            f"{formatting.counted(len(self.judges), 'judge')} "
            f"({formatting.names_in_words(self.judges)}), "
            f"{_sections.classes_in_words(self.scale.labels.tolist())}."
        )
        yield from _notes(self)

    def _facts(self) -> dict[str, Any]:
        return {
            "n_items": self.n_items,
            "n_clusters": self.n_clusters,
            "n_strata": self.n_strata,
            "closeness": self.closeness,
            "unanswered": self.unanswered,
            "tests": {
                judge: {closeness: test.to_dict() for closeness, test in tests.items()}
                for judge, tests in self.tests.items()
            },
            "without_ceiling": {
                name: {judge: each.reason for judge, each in by_judge.items() if each.reason}
                for name, by_judge in self.ceilings.items()
            },
            "groups": {name: report._facts() for name, report in self.by_group.items()},
            "groups_left_out": list(self.groups_left_out),
        }

    def _extras(self, key: Key) -> dict[str, Any]:
        is_compared = key[-1] in (VALUE, _HUMAN, DIFFERENCE)
        return {"n_items": self.n_compared.get(key[:-1]) if is_compared else None}


@checks.lists_parameters
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
    _rater_intervals.check_criteria(criteria)
    if _ALL_HUMANS in ratings.raters:
        raise ValueError(f"ratings must not have a rater with the name {_ALL_HUMANS!r}: rename it.")
    judges = _read_judges(ratings, judge)
    positions = np.stack(list(judges.values()), axis=1)
    report = partial(
        _report,
        judges=tuple(judges),
        metrics=criteria,
        inferred=_sections.inferred_criteria(metrics, criteria),
        closeness=closeness,
        epsilon=epsilon,
        alpha=alpha,
        unanswered=unanswered,
    )
    whole = report(ratings, positions)
    if by is None:
        return whole
    group, group_names = grouping.read_groups(
        containers.joined_by_item("by", by, ratings.items), ratings.n_samples
    )
    by_group, left_out = {}, []
    rows, n_compared = dict(whole.rows), dict(whole.n_compared)
    for number, name in enumerate(group_names):
        items = group == number
        is_graded = (positions[items] >= 0).any(axis=1)
        if not (is_graded & (ratings.n_grades[items] > 1) & (weight[items] > 0)).any():
            left_out.append(name)
            continue
        part = report(grading.some_items(ratings, items), positions[items])
        rows |= {(*at, name, what): row for (*at, _, what), row in part.rows.items()}
        n_compared |= {(*at, name): n_items for (*at, _), n_items in part.n_compared.items()}
        by_group[name] = part
    return replace(
        whole,
        rows=rows,
        n_compared=n_compared,
        by_group=by_group,
        groups_left_out=tuple(left_out),
    )


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
    *,
    judges: tuple[str, ...],
    metrics: list[OrdinalMetric],
    closeness: Closeness,
    epsilon: float,
    alpha: float,
    unanswered: MissingGrades,
    inferred: tuple[str, ...],
) -> JudgeReport:
    """Return the report of judges whose grades have shape (n_items, n_judges)."""
    judged, n_raters = _annotator_test.join_judges(ratings, positions), len(ratings.raters)
    level, counts_missing = 1 - alpha, unanswered == "count"
    rows: dict[Key, Interval] = {}
    n_compared: dict[Key, int] = {}
    ceilings = ByMetric({metric.name: {} for metric in metrics})
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
            for human, *numbers in zip((*ratings.raters, None), *columns, strict=True):
                at = (values.metric.name, judge, human, None)
                rows[*at, _HUMAN], rows[*at, VALUE], rows[*at, DIFFERENCE], n_compared[at] = numbers
        places = z_among_humans(judged, n_raters, number, metrics, level)
        (values,) = compared(metrics[:1], counts_missing=not counts_missing)
        of_all = judge, None, None
        rows[metrics[0].name, *of_all, _OTHERWISE] = values.differences(1, 0, level)[-1]
        rows[None, *of_all, _PRMSE] = _judge_prmse(ratings, positions[:, number], level)
        weight = evidence_kinds.item_weights(ratings) * (
            counts_missing | (positions[:, number] >= 0)
        )
        of_judge = _ceilings.ceilings_by_metric(ratings, metrics, level, weight=weight)
        for metric, place in zip(metrics, places, strict=True):
            rows[metric.name, *of_all, _Z] = place
            ceiling = ceilings[metric.name][judge] = of_judge[metric.name]
            for prediction, value in ceiling.values.items():
                rows[metric.name, *of_all, prediction] = value
    pairs = list(combinations(range(len(judges)), 2))
    of_pairs = [
        list(same_footing(judged, n_raters, pair, metrics, counts_missing=counts_missing))
        for pair in pairs
    ]
    for k, metric in enumerate(metrics):
        differences = [of_pair[k].differences(1, 2, level)[-1] for of_pair in of_pairs]
        pvalues = [difference.pvalue for difference in differences]
        adjusted = _holm_correction.holm_correction(pvalues).tolist() if pvalues else []
        for (first, second), each, pvalue in zip(pairs, differences, adjusted, strict=True):
            at = (metric.name, judges[first], judges[second], None)
            rows[*at, DIFFERENCE] = Contrast(
                **_intervals.numbers_of(each), pvalue=each.pvalue, adjusted_pvalue=pvalue
            )
    return JudgeReport(
        rows=rows,
        metrics=ByMetric({metric.name: metric for metric in metrics}),
        inferred=inferred,
        n_classes=len(ratings.scale),
        scale=ratings.scale,
        raters=ratings.raters,
        judges=judges,
        closeness=closeness,
        unanswered=unanswered,
        n_items=int(np.count_nonzero(evidence_kinds.item_weights(ratings))),
        n_compared=n_compared,
        ceilings=ceilings,
        tests={
            judge: {
                other: _annotator_test.annotator_test(
                    ratings, judged, number, other, epsilon, alpha, unanswered
                )
                for other in get_args(Closeness)
            }
            for number, judge in enumerate(judges)
        },
        **grading.numbers_of_units(ratings),
        provenance=Provenance.of_now(),
    )
