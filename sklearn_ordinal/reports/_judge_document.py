"""The document of judges beside human raters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    cell_text,
    counted,
    names_in_words,
)
from sklearn_ordinal.inference import FEWEST_HUMANS, Interval
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import difference_columns, interval_name

if TYPE_CHECKING:
    from sklearn_ordinal.reports._judge_report import Footing, JudgeReport

_NUMBER, _SIGNED = Column("", "number"), Column("", "number", is_signed=True)
_DIGITS = 3


def judge_document(report: JudgeReport) -> Document:
    """Return the verdicts, the tables of each judge, and the comparisons of judges and groups."""
    return Document(
        "Judges beside humans",
        (
            Note(_summary(report)),
            *(Note(_verdict(report, judge)) for judge in report.judges),
            *(part for judge in report.judges for part in _judge_parts(report, judge)),
            *_parts_between_judges(report),
            *_group_parts(report),
            *(Note(text, is_small=True) for text in _notes(report)),
            Section(
                "Each human",
                tuple(
                    _one_criterion(report, judge, name)
                    for judge in report.judges
                    for name in (*report.metrics, "severity")
                ),
                is_detail=True,
            ),
        ),
        footer=footer(report.provenance),
    )


def _summary(report: JudgeReport) -> str:
    labels = report.scale.labels.tolist()
    return (
        f"{counted(report.n_items, 'item')}, {counted(len(report.raters), 'human')} "
        f"({names_in_words(report.raters)}), {counted(len(report.judges), 'judge')} "
        f"({names_in_words(report.judges)}), {len(labels)} classes from {labels[0]} (lowest) to "
        f"{labels[-1]} (highest)."
    )


def _verdict(report: JudgeReport, judge: str) -> str:
    """Return whether a judge passes, what other closenesses say, and how severe it is."""
    tests = report.tests[judge]
    chosen = tests[report.closeness]
    sentences = [chosen.verdict()]
    if not math.isnan(chosen.winning_rate):
        others = [name for name in tests if name != report.closeness]
        differ = [name for name in others if tests[name].is_passed != chosen.is_passed]
        verb = "does not pass" if chosen.is_passed else "passes"
        if differ:
            sentences.append(f"With {names_in_words(differ)}, it {verb}.")
        else:
            sentences.append(f"The verdict is the same with {names_in_words(others)}.")
    *_, of_all = report.severity[judge].values()
    difference = of_all.difference
    if difference.low > 0 or difference.high < 0:
        amount = cell_text(abs(difference.estimate), _NUMBER, _DIGITS)
        direction = "higher" if difference.estimate > 0 else "lower"
        sentences.append(f"It grades {amount} classes {direction} than the humans.")
    prefix = f"{judge}: " if len(report.judges) > 1 else ""
    return prefix + " ".join(sentences)


def _judge_parts(report: JudgeReport, judge: str) -> Iterator[Part]:
    """Yield the tables and the plot of a judge."""
    table = _criteria_table(report, judge)
    yield table
    yield _further_table(report, judge)
    test = report.tests[judge][report.closeness].table()
    yield Table(f"{test.title}: {judge}", test.columns, test.rows)
    criterion = next(iter(report.metrics))
    yield Figure(
        partial(report.plot, judge=judge),
        f"{criterion} of {judge} and of each human beside the other humans",
        f"{criterion} beside the other humans",
        _one_criterion(report, judge, criterion),
    )


def _criteria_table(report: JudgeReport, judge: str) -> Table:
    """Return the means over the humans, with a row for each criterion."""
    rows = []
    for name, by_judge in (*report.footing.items(), ("severity", report.severity)):
        *_, of_all = by_judge[judge].values()
        rows.append((name, *_footing_cells(of_all)))
    columns = _footing_columns("criterion", of_all)
    return Table(f"{judge} in place of a human, beside the other humans", columns, tuple(rows))


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
    rows: list[tuple[str, float, tuple[float, float] | None]] = [
        ("winning rate", test.winning_rate, None)
    ]
    figures: dict[str, Interval] = {
        "advantage probability": test.advantage_probability,
        "PRMSE": report.prmse[judge],
        **{f"z of {name}": by_judge[judge] for name, by_judge in report.z.items()},
    }
    rows += [(name, figure.estimate, (figure.low, figure.high)) for name, figure in figures.items()]
    level = interval_name(report.prmse[judge].confidence_level)
    columns = (Column("figure"), Column("value", "number"), Column(level, "interval"))
    return Table(f"{judge} among the humans", columns, tuple(rows))


def _one_criterion(report: JudgeReport, judge: str, criterion: str) -> Table:
    """Return the values of one criterion for each human."""
    by_judge = report.footing.get(criterion, report.severity)
    *_, of_all = by_judge[judge].values()
    first, *others = _footing_columns("human left out", of_all)
    columns = (first, Column("items", "number", digits=0, is_detail=True), *others)
    rows = tuple(
        (human, footing.n_items, *_footing_cells(footing))
        for human, footing in by_judge[judge].items()
    )
    return Table(f"{criterion} of {judge}", columns, rows)


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
    yield Table("Differences between judges on the items that both grade", columns, tuple(rows))


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


def _notes(report: JudgeReport) -> Iterator[str]:
    """Yield how to read the tables, what is undefined and why, and what is left out."""
    yield (
        "human, judge: each human is left out in turn, and the human and the judge are compared "
        "with the other humans on the same items; the means over the humans. severity: own grade "
        "minus the mean grade of the others, in classes. Intervals and tests are those of items, "
        "and p-values are not adjusted for the number of criteria."
    )
    n_raters = len(report.raters)
    if n_raters < FEWEST_HUMANS:
        yield f"z is undefined, since it needs at least {FEWEST_HUMANS} humans."
    else:
        n_pairs = n_raters * (n_raters - 1) // 2
        yield (
            f"z: mean agreement of the judge with each human, minus the mean over the {n_pairs} "
            f"pairs of humans, in standard deviations of these pairs; positive is more agreement. "
            f"Han et al. (2025) call a judge between -1 and 1 human-like and above 1 "
            f"super-consistent, whatever the interval. z is undefined if all pairs agree alike."
        )
    if any(math.isnan(interval.estimate) for interval in report.prmse.values()):
        yield "PRMSE is undefined, since the estimated variance of the true scores is not positive."
    else:
        yield "PRMSE: share of the variance of the true scores; as an estimate, it may exceed 1."
    for judge in report.judges:
        prefix = f"{judge}: " if len(report.judges) > 1 else ""
        for text in report.tests[judge][report.closeness].notes():
            # The first note, which explains the test, is the same for all judges.
            is_about_items = text.startswith(("Left out", "Not tested"))
            if is_about_items or judge == report.judges[0]:
                yield f"{prefix}{text}" if is_about_items else text
    if report.groups_left_out:
        yield (
            f"Groups without an item of positive weight that two humans and a judge grade, left "
            f"out: {names_in_words(report.groups_left_out)}."
        )
    if report.by_group:
        yield "Criteria that depend on class sizes use the class sizes of each group."
