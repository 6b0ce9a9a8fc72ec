"""The document of estimators on several data sets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    names_in_words,
)
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import headline
from sklearn_ordinal.reports._verdicts import placed_verdicts

if TYPE_CHECKING:
    from sklearn_ordinal.reports._data_sets_report import DataSetsReport


def data_sets_document(report: DataSetsReport) -> Document:
    """Return the verdicts, a section for each criterion, and what failed."""
    at_the_top, at_tables = placed_verdicts(
        {name: f"By {name}, o{report.ranks[name].verdict()[1:]}" for name in report.metrics}
    )
    return Document(
        "Estimators on several data sets",
        (
            *(Note(text) for text in _failures(report)),
            *(
                Section(
                    headline(metric, report.n_classes),
                    (*at_tables[name], *_criterion_parts(report, name)),
                )
                for name, metric in report.metrics.items()
            ),
            *(Note(text, is_small=True) for text in _notes(report)),
        ),
        verdict=at_the_top,
        footer=footer(report.provenance),
    )


def _failures(report: DataSetsReport) -> list[str]:
    """Say which estimators failed on which data sets."""
    texts = []
    for name, comparison in report.comparisons.items():
        failed = list(dict.fromkeys(failure.name for failure in comparison.failures))
        if failed:
            texts.append(
                f"Failed on {name}: {names_in_words(failed)}; see comparisons[{name!r}].failures."
            )
    return texts


def _criterion_parts(report: DataSetsReport, criterion: str) -> tuple[Part, ...]:
    ranks = report.ranks[criterion]
    best_first = np.argsort(ranks.average_ranks, kind="stable").tolist()
    table = _means_table(report, criterion)
    return (
        table,
        *(Note(f"No significant difference: {', '.join(group)}") for group in ranks.groups),
        Figure(
            partial(report.plot, criterion),
            f"Average ranks by {criterion}; a bar joins estimators that do not differ "
            f"significantly",
            f"Average ranks by {criterion} over {ranks.n_data_sets} data sets, 1 is best",
            Table(
                "Average ranks",
                (Column("estimator"), Column("rank", "number", digits=2)),
                tuple((report.estimators[k], float(ranks.average_ranks[k])) for k in best_first),
            ),
        ),
        _shown_table(report, criterion),
        Section("P-values on each data set", (_pvalues_table(report, criterion),), is_detail=True),
    )


def _means_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the mean of each estimator on each data set, with the best in bold."""
    scores, places = report.scores[criterion], report._places(criterion)
    rows = tuple(
        (name, *values) for name, values in zip(report.comparisons, scores.tolist(), strict=True)
    )
    ranks = report.ranks[criterion].average_ranks
    # Estimators that failed share the last place. A single other one was compared with none.
    has_place = places <= len(report.estimators)
    are_compared = has_place & (has_place.sum(axis=1, keepdims=True) > 1)
    is_best = are_compared & (places == places.min(axis=1, keepdims=True))
    bold = {(int(i), int(k) + 1) for i, k in np.argwhere(is_best)}
    if are_compared.any():
        bold |= {(len(rows), int(k) + 1) for k in np.flatnonzero(ranks == ranks.min())}
    columns = (Column("data set"), *(Column(name, "number") for name in report.estimators))
    return Table(
        "Means over the folds",
        columns,
        rows,
        (("average rank", *ranks.tolist()),),
        frozenset(bold),
    )


def _shown_table(report: DataSetsReport, criterion: str) -> Table:
    """Return on how many data sets each estimator is shown to be better or worse."""
    n_data_sets = len(report.comparisons)
    rows = tuple(
        (name, n_better, n_worse, n_data_sets - n_better - n_worse)
        for name, (n_better, n_worse) in zip(
            report.estimators[1:], report._n_shown(criterion), strict=True
        )
    )
    return Table(
        f"Data sets on which the difference from {report.estimators[0]} is shown",
        (
            Column("estimator"),
            Column("better", "number"),
            Column("worse", "number"),
            Column("not shown", "number"),
        ),
        rows,
    )


def _pvalues_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the adjusted p-value of each difference from the first estimator."""
    return Table(
        f"Adjusted p-values of the differences from {report.estimators[0]}",
        (Column("data set"), *(Column(name, "pvalue") for name in report.estimators[1:])),
        tuple(
            (name, *(np.nan if row is None else row.adjusted_pvalue for row in rows[1:]))
            for name, rows in report._rows(criterion).items()
        ),
    )


def _notes(report: DataSetsReport) -> list[str]:
    if not any(np.isnan(scores).any() for scores in report.scores.values()):
        return []
    return ["An estimator without a value on some fold has the last rank on its data set."]
