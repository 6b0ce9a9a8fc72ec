"""The document of judges beside human raters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from sklearn_ordinal._documents import (
    Cell,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    cell_text,
    counted,
    lowest_and_highest,
    names_in_words,
)
from sklearn_ordinal.inference import (
    FEWEST_HUMANS,
    FEWEST_ITEMS,
    TIE,
    Interval,
    PairedDifference,
    better_system,
    humans_left_out,
    if_otherwise,
    missing_in_words,
    other_result_in_words,
    result_in_words,
)
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._rating_ceilings import reasons_in_words
from sklearn_ordinal.reports._sections import (
    classes_in_words,
    difference_columns,
    interval_name,
    signed_in_words,
)

if TYPE_CHECKING:
    from sklearn_ordinal.reports._judge_report import Footing, JudgeReport

_NUMBER = Column("", "number")
_DIGITS = 3
# Larger values of z are printed with fewer decimals, and explained.
_LARGE = 100


def judge_document(report: JudgeReport) -> Document:
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
        footer=footer(report.provenance),
    )


def _summary(report: JudgeReport) -> str:
    return (
        f"{counted(report.n_items, 'item')}, {counted(len(report.raters), 'human')} "
        f"({names_in_words(report.raters)}), {counted(len(report.judges), 'judge')} "
        f"({names_in_words(report.judges)}), {classes_in_words(report.scale.labels.tolist())}."
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
    return [judge for judge, value in values.items() if value >= highest - TIE]


def _best_sentences(report: JudgeReport, best: list[str]) -> Iterator[str]:
    """Yield the best judge, the judges that it beats or not, and the items without a grade."""
    criterion, is_omitted = next(iter(report.metrics)), report.unanswered == "omit"
    tests = {judge: by_name[report.closeness] for judge, by_name in report.tests.items()}
    missing = [f"{t.n_unanswered:,} of {judge}" for judge, t in tests.items() if t.n_unanswered]
    if best:
        tied = f" (tied with {names_in_words(best[1:])})" if best[1:] else ""
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
            yield f"It is not shown to be better than {names_in_words(unbeaten)}."
        elif others:
            yield f"It is shown to be better than {names_in_words(others)}."
        if better:
            verb = "is" if len(better) == 1 else "are"
            yield (
                f"On the items that both grade, {names_in_words(better)} {verb} shown to be better "
                f"than {best[0]}."
            )
    else:
        yield f"By {criterion}, no judge can be compared with the humans."
    if missing:
        what = "are left out" if is_omitted else "count against the judge"
        yield f"Items without a grade {what}: {names_in_words(missing)}."
        other_best = _best(report, report.otherwise)
        if other_best != best and other_best:
            condition = "counted against the judges" if is_omitted else "were left out"
            yield f"If these items {condition}, {names_in_words(other_best)} would rank first."


def _beats(report: JudgeReport, criterion: str, judge: str, other: str) -> bool:
    """Return whether a judge is shown to be better than another on the items of both."""
    adjusted, firsts = report.adjusted_pvalues(criterion), report.between_judges[criterion]
    if report.judges.index(judge) < report.judges.index(other):
        return better_system(firsts[judge][other], adjusted[judge, other]) == "first"
    return better_system(firsts[other][judge], adjusted[other, judge]) == "second"


def _beside_humans(report: JudgeReport, judge: str, subject: str) -> str:
    """Return whether a judge is better or worse than the humans by the first criterion."""
    difference = _differences(report)[judge]
    if math.isnan(difference.estimate):
        return f"{subject} cannot be compared with the humans."
    verb = {
        "first": "is better than the humans",
        "second": "is worse than the humans",
        None: "does not differ significantly from the humans",
    }[better_system(difference, difference.pvalue)]
    if math.isnan(difference.pvalue):
        verb = "is not tested against the humans"
    return f"{subject} {verb}: judge minus humans is {_in_words(difference)}."


def _in_words(difference: PairedDifference) -> str:
    """Return a difference with its interval and p-value."""
    return signed_in_words(difference, _DIGITS, is_loss=not difference.greater_is_better)


def _test_sentences(
    report: JudgeReport, judge: str, subject: str, name: str, *, is_explained: bool
) -> Iterator[str]:
    """Yield whether a judge passes, what this depends on, and how severe the judge is."""
    tests = report.tests[judge]
    chosen = tests[report.closeness]
    yield result_in_words(chosen, subject, is_explained=is_explained)
    difference = _differences(report)[judge]
    is_worse = better_system(difference, difference.pvalue) == "second"
    if chosen.is_passed and is_worse:
        yield "Passing does not show that it is as good as the humans."
    if chosen.n_unanswered:
        yield missing_in_words(chosen, name)
        yield (
            f"{if_otherwise(chosen)}, judge minus humans would be "
            f"{_in_words(report.otherwise[judge])}, and {other_result_in_words(chosen)}."
        )
    if not math.isnan(chosen.winning_rate):
        others = [name for name in tests if name != report.closeness]
        differ = [name for name in others if tests[name].is_passed != chosen.is_passed]
        verb = "does not pass" if chosen.is_passed else "passes"
        if differ:
            yield f"With closeness {names_in_words(differ)}, it {verb}."
        else:
            yield f"The result is the same with closeness {names_in_words(others)}."
    yield from _each_human_in_words(report, judge)
    severity = report.severity[judge]["all humans"].difference
    if severity.low > 0 or severity.high < 0:
        amount = cell_text(abs(severity.estimate), _NUMBER, _DIGITS)
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
            f"By {criterion}, {judge} is better than {names_in_words(better)} and worse than "
            f"{names_in_words(worse)}, each compared with the other humans. A judge that repeats "
            f"the grades of {'one' if len(worse) > 1 else worse[0]} looks like this, and so does a "
            f"judge that is compared with humans whose grades differ in quality."
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
            Column(interval_name(report.prmse[judge].confidence_level), "interval"),
        )
        yield Table(f"{judge} and the ceiling of predictions of a human", columns, tuple(rows))


def _footing_columns(first: str, footing: Footing) -> tuple[Column, ...]:
    return (
        Column(first),
        Column("human", "number"),
        Column("judge", "number"),
        Column("difference", "number", is_signed=True),
        Column(interval_name(footing.difference.confidence_level), "interval", is_signed=True),
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
    level = interval_name(report.prmse[judge].confidence_level)
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
            [(human, by_human[human]) for human in lowest_and_highest(differences)],
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
    level = interval_name(report.prmse[report.judges[0]].confidence_level)
    columns = (
        Column("criterion"),
        Column("first"),
        Column("second"),
        *difference_columns(level, "Holm"),
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
                f"A group has no winning rate if no human has {FEWEST_ITEMS} items in it that the "
                f"judge and another human grade.",
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
        where = f"in place of {names_in_words(humans)}, who {'is' if len(humans) == 1 else 'are'}"
        if len(humans) == len(report.raters):
            yield f"{names_in_words(names)} {verb} undefined for all humans."
        else:
            yield f"{names_in_words(names)} {verb} undefined {where} not in the means."


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
        for text in reasons_in_words(of_judge):
            yield f"{prefix}{text}"
    n_raters = len(report.raters)
    if n_raters < FEWEST_HUMANS:
        yield f"z is undefined, since it needs at least {FEWEST_HUMANS} humans."
    elif any(_is_large(place) for by_judge in report.z.values() for place in by_judge.values()):
        yield (
            f"A z, or an end of its interval, beyond {_LARGE} means that the pairs of humans agree "
            f"nearly alike, so any judge is many of their standard deviations away: read the "
            f"differences instead."
        )
    yield from humans_left_out(n_raters)
    if any(math.isnan(interval.estimate) for interval in report.prmse.values()):
        yield "PRMSE is undefined, since the estimated variance of the true scores is not positive."
    for judge in report.judges:
        prefix = f"{judge}: " if len(report.judges) > 1 else ""
        for text in report.tests[judge][report.closeness].notes():
            yield f"{prefix}{text}"
    if report.groups_left_out:
        yield (
            f"Groups without an item of positive weight that two humans and a judge grade, left "
            f"out: {names_in_words(report.groups_left_out)}."
        )
