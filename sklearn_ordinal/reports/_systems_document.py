"""The document of the report of systems on one test set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    counted,
)
from sklearn_ordinal.inference import TIE, is_rejected
from sklearn_ordinal.reports._group_names import OVERALL
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import (
    better_sign,
    difference_cells,
    difference_columns,
    headline,
    interval_name,
    parts_in_words,
)
from sklearn_ordinal.reports._verdicts import agreement, placed_verdicts

if TYPE_CHECKING:
    from sklearn_ordinal.reports._systems_report import SystemsReport

# If there are more pairs, only the pairs with the best system are shown.
_MOST_PAIRS = 45
_LEFT_OUT = (
    "Each system's unanswered samples are left out, so a system gains by not answering hard "
    "samples."
)


def systems_document(report: SystemsReport) -> Document:
    """Return the verdicts, the systems for each criterion, and the agreement of the criteria."""
    ranks, letters = report.ranks, report.letters
    at_the_top, at_tables = placed_verdicts(report.verdicts)
    return Document(
        "Systems on one test set",
        (
            Note(
                f"{counted(len(report.systems), 'system')} on {_samples(report)}{_groups(report)}."
            ),
            *([Note(agreement(report.winners, "systems"))] if len(report.tau) > 1 else []),
            *(
                Section(
                    headline(metric, report.n_classes),
                    (*at_tables[name], *_criterion_parts(report, name, ranks[name], letters[name])),
                )
                for name, metric in report.metrics.items()
            ),
            *_agreement_parts(report),
            *_group_parts(report),
            *_too_few_resamples(report),
        ),
        verdict=at_the_top,
        footer=footer(report.provenance),
    )


def _samples(report: SystemsReport) -> str:
    size = counted(report.n_samples, "sample")
    if report.total_weight is not None:
        size += f" with a total weight of {amount_as_text(report.total_weight)}"
    if report.unit == "sample":
        return size
    return f"{size} in {parts_in_words(report.n_units, report.unit, [report.cluster_name])}"


def _groups(report: SystemsReport) -> str:
    n_groups = len(report.groups) + len(report.groups_left_out)
    return f", {parts_in_words(n_groups, 'group', report.by)}" if n_groups else ""


def _criterion_parts(
    report: SystemsReport,
    criterion: str,
    ranks: dict[str, int],
    letters: dict[str, str],
    place: str = "",
) -> tuple[Part, ...]:
    """Return the ranked table, its plot and the pairs; `place` names the group in titles."""
    scores = report.scores[criterion]
    names = report.best_first(criterion)
    has_unanswered = any(report.n_unanswered.values())
    columns = (
        Column("system"),
        *((Column("rank", "number"),) if ranks else ()),
        Column("value", "number"),
        Column(interval_name(report.confidence_level), "interval"),
        *((Column("letters"),) if ranks else ()),
        *((Column("unanswered", "number"),) if has_unanswered else ()),
    )
    cells = tuple(
        (
            name,
            *((ranks[name],) if ranks else ()),
            scores[name].estimate,
            (scores[name].low, scores[name].high),
            *((letters[name],) if ranks else ()),
            *((report.n_unanswered[name],) if has_unanswered else ()),
        )
        for name in names
    )
    order, marks = (", best first", "intervals and letters") if ranks else ("", "intervals")
    systems = Table(f"Systems by {criterion}{place}{order}", columns, cells)
    return (
        systems,
        *(Note(text, is_small=True) for text in _left_out(report, criterion)),
        Figure(
            partial(report.plot, criterion),
            f"Systems by {criterion}{place}, with {marks}",
            f"Value and {'letters' if ranks else 'interval'} of each system by {criterion}{place}",
            systems,
        ),
        Section(
            f"Pairs of systems by {criterion}{place}",
            _pairs_parts(report, criterion, names),
            is_detail=True,
        ),
    )


def _left_out(report: SystemsReport, criterion: str) -> list[str]:
    leaves_out = any(score.n_left_out for score in report.scores[criterion].values())
    texts = [_LEFT_OUT] if leaves_out else []
    n_undefined = report.n_undefined[criterion]
    if n_undefined:
        texts.append(
            f"Pairs are tested without {n_undefined:,} of {report.n_resamples:,} resamples, on "
            f"which a system has no finite value."
        )
    return texts


def _pairs_parts(report: SystemsReport, criterion: str, names: Sequence[str]) -> tuple[Part, ...]:
    """Return the differences of all pairs, or only from the best system if there are many."""
    pairs, order = list(combinations(names, 2)), "first minus second"
    n_pairs = len(pairs)
    if n_pairs > _MOST_PAIRS:
        values = report.scores[criterion]
        best = next((name for name in names if np.isfinite(values[name].estimate)), names[0])
        pairs = [(best, name) for name in names if name != best]
        order = "the best minus each other"
    differences = [report.difference(*pair, criterion) for pair in pairs]
    table = Table(
        f"Differences, {order} ({better_sign(report.metrics[criterion])})",
        (
            Column("first"),
            Column("second"),
            *difference_columns(f"joint {interval_name(report.confidence_level)}", "max t"),
        ),
        tuple(
            (*pair, *difference_cells(difference, difference.pvalue))
            for pair, difference in zip(pairs, differences, strict=True)
        ),
    )
    if n_pairs == len(pairs):
        return (table,)
    return (table, Note(f"to_dict returns all {n_pairs:,} pairs."))


def _agreement_parts(report: SystemsReport) -> tuple[Part, ...]:
    tau = report.tau
    if len(tau) < 2:
        return ()
    table = Table(
        "Kendall's tau between the orders of the systems",
        (Column("criterion"), *(Column(name, "number") for name in tau)),
        tuple((name, *row.values()) for name, row in tau.items()),
    )
    return (Section("Agreement of the criteria", (table,)),)


def _group_parts(report: SystemsReport) -> Iterator[Part]:
    """Yield the systems in all groups by the main criterion, and the report of each group."""
    if not report.groups:
        return
    criterion = next(iter(report.metrics))
    yield Section(f"Groups by {criterion}", tuple(_groups_tables(report, criterion)))
    for group, of_group in report.groups.items():
        ranks, letters = of_group.ranks, of_group.letters
        yield Section(
            f"Group {group}",
            (
                Note(f"{_samples(of_group)}."),
                *map(Note, of_group.verdicts.values()),
                *(
                    part
                    for name in of_group.metrics
                    for part in _criterion_parts(
                        of_group, name, ranks[name], letters[name], f" in {group}"
                    )
                ),
            ),
        )


def _groups_tables(report: SystemsReport, criterion: str) -> Iterator[Part]:
    """Yield the values, and the ranks if there are any, of each system in each group."""
    reports = (report, *report.groups.values())
    names = report.best_first(criterion)
    columns = (
        Column("system"),
        *(Column(name, "number") for name in (OVERALL, *report.groups)),
    )
    all_ranks, winners = (
        [of_group.ranks[criterion] for of_group in reports],
        [of_group.winners[criterion] for of_group in reports],
    )
    n_values = [
        sum(not np.isnan(score.estimate) for score in of_group.scores[criterion].values())
        for of_group in reports
    ]
    best = frozenset(
        (names.index(name), k + 1)
        for k, in_group in enumerate(winners)
        for name in in_group
        if n_values[k] > 1
    )
    if all_ranks[0]:
        yield Table(
            f"Ranks by {criterion} in each group",
            columns,
            tuple((name, *(ranks[name] for ranks in all_ranks)) for name in names),
            bold=best,
        )
    yield Table(
        f"Values of {criterion} in each group",
        columns,
        tuple(
            (name, *(of_group.scores[criterion][name].estimate for of_group in reports))
            for name in names
        ),
        (("samples", *(of_group.n_samples for of_group in reports)),),
        best,
    )
    if report.groups_left_out:
        reasons = "; ".join(f"{name} ({why})" for name, why in report.groups_left_out.items())
        yield Note(f"Systems are not compared in {reasons}.")


def _too_few_resamples(report: SystemsReport) -> tuple[Part, ...]:
    smallest = 1 / (report.n_resamples + 1)
    if is_rejected(smallest, report.confidence_level):
        return ()
    resamples = counted(report.n_resamples, "resample")
    n_needed = ceil((1 - TIE) / (1 - report.confidence_level)) - 1
    return (
        Note(
            f"With {resamples}, no p-value is below {smallest:.3g}, so that no difference can be "
            f"significant: at least {n_needed:,} are needed."
        ),
    )
