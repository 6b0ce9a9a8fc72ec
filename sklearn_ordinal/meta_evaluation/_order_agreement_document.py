"""Documents of the agreement of criteria on the order of systems, and of changed winners."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    counted,
)
from sklearn_ordinal.meta_evaluation._estimates_document import undefined_notes

if TYPE_CHECKING:
    from sklearn_ordinal.meta_evaluation._changed_winners import ChangedWinners
    from sklearn_ordinal.meta_evaluation._order_agreement import RankAgreement

# With more criteria, the matrix of Kendall's tau, the ranks, and the criteria that prefer each
# system of a pair are details.
_FEW_CRITERIA = 8
_MOST_SYSTEMS, _MOST_PAIRS = 50, 10


def agreement_document(agreement: RankAgreement) -> Document:
    """Return Kendall's tau of the criteria, changed winners, and the ranks of the systems."""
    # Similar criteria stand next to each other, as in the plot.
    order = agreement._display().order.tolist()
    matrix, ranks = _tau_matrix(agreement, order), _ranks(agreement, order)
    figure = Figure(
        agreement.plot,
        "Kendall's tau; lines join criteria, and groups of them, at their mean tau",
        f"Kendall's tau: {_tau_in_words(agreement)}",
    )
    of_winners = agreement.changed_winners.document()
    winners = (*of_winners.verdict, *of_winners.parts)
    parts: tuple[Part, ...]
    if len(agreement.metrics) <= _FEW_CRITERIA:
        parts = (matrix, figure, *ranks, *winners)
    else:
        parts = (
            _closest_criteria(agreement, order),
            figure,
            *winners,
            Section("Kendall's tau of all pairs of criteria", (matrix,), is_detail=True),
            Section("Ranks of the systems", ranks, is_detail=True),
        )
    means = Section("Means of the systems", _means(agreement, order), is_detail=True)
    verdict, *notes = _summary(agreement)
    return Document(
        "Agreement of criteria on the order of systems", (*notes, *parts, means), verdict=(verdict,)
    )


def _summary(agreement: RankAgreement) -> tuple[Note, ...]:
    cases = counted(agreement.n_test_cases, "test case")
    texts = [
        f"{len(agreement.metrics)} criteria order {len(agreement.systems)} systems by their mean "
        f"over {cases}. Kendall's tau: {_tau_in_words(agreement)}."
    ]
    groups = "; ".join(", ".join(group) for group in agreement.groups)
    if groups:
        texts.append(f"The same order (tau = 1): {groups}.")
    is_undefined = np.isnan(np.diagonal(agreement.tau))
    undefined = [agreement.metrics[i] for i in np.flatnonzero(is_undefined)]
    if undefined:
        texts.append(f"Undefined, since all systems are tied: {', '.join(undefined)}.")
    n_values = agreement.n_test_cases * len(agreement.systems)
    return (*map(Note, texts), *undefined_notes(agreement.n_undefined, n_values))


def _tau_in_words(agreement: RankAgreement) -> str:
    pairs = np.triu_indices(len(agreement.metrics), 1)
    tau = agreement.tau[pairs]
    if np.isnan(tau).all():
        return "undefined for all pairs of criteria"
    lowest = int(np.nanargmin(tau))
    first, second = (agreement.metrics[positions[lowest]] for positions in pairs)
    return f"median {np.nanmedian(tau):.3f}, lowest {tau[lowest]:.3f} between {first} and {second}"


def _tau_matrix(agreement: RankAgreement, order: list[int]) -> Table:
    names = agreement.metrics
    return Table(
        "Kendall's tau between the orders of the systems",
        (Column("criterion"), *(Column(names[i], "number") for i in order)),
        tuple((names[i], *agreement.tau[i, order].tolist()) for i in order),
    )


def _closest_criteria(agreement: RankAgreement, order: list[int]) -> Table:
    """Return the mean tau of each criterion, and its most and least similar criteria."""
    names = agreement.metrics
    tau = np.where(np.eye(len(names), dtype=bool), np.nan, agreement.tau)
    rows: list[Row] = []
    for i in order:
        if np.isnan(tau[i]).all():
            rows.append((names[i], math.nan, math.nan, None, math.nan, None))
            continue
        closest, farthest = int(np.nanargmax(tau[i])), int(np.nanargmin(tau[i]))
        mean, highest, lowest = np.nanmean(tau[i]), tau[i, closest], tau[i, farthest]
        rows.append(
            (
                names[i],
                float(mean),
                float(highest),
                names[closest],
                float(lowest),
                names[farthest],
            )
        )
    return Table(
        "Kendall's tau of each criterion with the others",
        (
            Column("criterion"),
            Column("mean", "number"),
            Column("highest", "number"),
            Column("closest"),
            Column("lowest", "number"),
            Column("farthest"),
        ),
        tuple(rows),
    )


def _ranks(agreement: RankAgreement, order: list[int]) -> tuple[Part, ...]:
    names = ["mean", *(agreement.metrics[i] for i in order)]
    return _systems_table(
        agreement,
        "Ranks of the systems, 1 is best, sorted by the mean over the criteria",
        tuple(Column(name, "number", digits=1) for name in names),
        np.column_stack([agreement.ranks.mean(axis=1), agreement.ranks[:, order]]),
    )


def _means(agreement: RankAgreement, order: list[int]) -> tuple[Part, ...]:
    return _systems_table(
        agreement,
        "Means of the criteria over the test cases, sorted by the mean rank",
        tuple(Column(agreement.metrics[i], "number") for i in order),
        agreement.values[:, order],
    )


def _systems_table(
    agreement: RankAgreement,
    title: str,
    columns: tuple[Column, ...],
    numbers: NDArray[np.float64],
) -> tuple[Part, ...]:
    """Return a table with a row for each system, or for the systems with the best mean ranks."""
    order = np.argsort(agreement.ranks.mean(axis=1), kind="stable")
    best = order[:_MOST_SYSTEMS].tolist()
    rows = tuple((agreement.systems[i], *numbers[i].tolist()) for i in best)
    table = Table(title, (Column("system"), *columns), rows)
    n_more = len(agreement.systems) - len(best)
    more = Note(f"And {n_more} more systems: see to_dict.")
    return (table, more) if n_more else (table,)


def winners_document(winners: ChangedWinners) -> Document:
    """Return the number of pairs, a table of the first pairs, and the criteria on each side."""
    n_all = math.comb(len(winners.systems), 2)
    count = Note(
        f"The criteria prefer different systems in {len(winners.pairs):,} of "
        f"{counted(n_all, 'pair')} of systems."
    )
    title = "Preferences that change with the criterion"
    if not len(winners.pairs):
        return Document(title, (), verdict=(count,))
    records = winners._records(_MOST_PAIRS)
    keys = ("first", "second", "n_prefer_first", "n_prefer_second", "n_tied")
    table = Table(
        "Pairs in which the preferred system changes, the most evenly divided first",
        (
            Column("first"),
            Column("second"),
            Column("prefer first", "number"),
            Column("prefer second", "number"),
            Column("tied", "number"),
        ),
        tuple(tuple(record[key] for key in keys) for record in records),
    )
    parts: list[Part] = [table]
    n_more = len(winners.pairs) - len(records)
    if n_more:
        parts.append(Note(f"And {n_more} more: see to_frame and to_dict."))
    preferences = tuple(Note(_preferences_in_words(record)) for record in records)
    if len(winners.metrics) > _FEW_CRITERIA:
        parts.append(Section("Preferences by criterion", preferences, is_detail=True))
    else:
        parts.extend(preferences)
    return Document(title, tuple(parts), verdict=(count,))


def _preferences_in_words(record: dict[str, Any]) -> str:
    parts = [
        f"the first by {', '.join(record['prefer_first'])}",
        f"the second by {', '.join(record['prefer_second'])}",
        *([f"tied by {', '.join(record['tied'])}"] if record["tied"] else []),
    ]
    return f"{record['first']} against {record['second']}: {'; '.join(parts)}."
