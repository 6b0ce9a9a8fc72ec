"""Documents that compare estimators with the best baseline, or in pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

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
    names_in_words,
    plural,
)
from sklearn_ordinal.inference import width_after_repetition
from sklearn_ordinal.reports._cross_val_report import (
    CrossValReport,
    failures_parts,
    folds_in_words,
    folds_tables,
    pooled_in_words,
    pooled_notes,
)
from sklearn_ordinal.reports._model_comparison import (
    ModelComparison,
    differences_table,
    estimators_table,
    with_draws,
)
from sklearn_ordinal.reports._ordinal_document import classes_parts
from sklearn_ordinal.reports._provenance import folds_by, footer
from sklearn_ordinal.reports._sections import (
    better_sign,
    confusion_figure,
    difference_cells,
    difference_columns,
    headline,
    interval_name,
    notes_on_prevalence,
)
from sklearn_ordinal.reports._verdicts import agreement, placed_verdicts

if TYPE_CHECKING:
    from sklearn_ordinal.reports._comparison_report import ComparisonReport
    from sklearn_ordinal.reports._pairwise_comparison import PairwiseComparison

# Splitters that scikit-learn can repeat.
_REPEATABLE = ("KFold", "StratifiedKFold")
_N_REPETITIONS = 5


def comparison_document(report: ComparisonReport) -> Document:
    """Return the verdicts, a section for each criterion, and the details of each estimator."""
    at_the_top, at_tables = placed_verdicts(report.verdicts)
    any_report = next(iter(report.reports.values()))
    # If the first criterion has no value for any estimator, the first estimator is shown.
    winners = report.winners[next(iter(report.metrics))]
    winner = (*winners, *report.reports)[0]
    pooled = report.reports[winner].pooled
    assert pooled.confusion is not None
    estimator_sections = (
        Section(
            f"{title} ({_role(report, name)})",
            (
                *_single_draw_notes(report.table[criterion][name] for criterion in report.table),
                *folds_tables(report.reports[name]),
                *pooled_notes(report.reports[name]),
                *classes_parts(report.reports[name].pooled),
            ),
            is_detail=True,
        )
        for name, title in distinct_rows(report.reports, _titles_by_all_criteria(report)).items()
    )
    return Document(
        "Comparison of estimators",
        (
            Note(f"{folds_in_words(any_report)}."),
            *_notes_on_rounding(report),
            *notes_on_prevalence(any_report.prevalence, pooled.target_names),
            *(
                (Note(agreement(report.winners)),)
                if len(report.metrics) > 1 or len(winners) > 1
                else ()
            ),
            *failures_parts(report.failures),
            *(
                Section(
                    headline(metric, any_report.n_classes),
                    (*at_tables[name], *_criterion_parts(report, name)),
                )
                for name, metric in report.metrics.items()
            ),
            *(_difference_notes(report) if any(report.best_baseline.values()) else ()),
            confusion_figure(
                pooled.confusion,
                pooled.target_names,
                f" by {winner}{pooled_in_words(report.reports[winner])}",
            ),
            Section("Each estimator", tuple(estimator_sections), is_detail=True),
        ),
        verdict=at_the_top,
        footer=footer(report.provenance),
    )


def _notes_on_rounding(report: ComparisonReport) -> tuple[Note, ...]:
    """Say which estimators are regressors."""
    names = [name for name in report.rounded if name in report.reports]
    if not names:
        return ()
    verb = "is a regressor" if len(names) == 1 else "are regressors"
    return (
        Note(
            f"{names_in_words(names)} {verb}: predictions are rounded to the nearest class. "
            f"TunedOrdinalThresholdClassifierCV chooses other cuts."
        ),
    )


def _role(report: ComparisonReport, name: str) -> str:
    if name in report.baselines:
        return "baseline"
    # If there are no baselines, all criteria have the same estimator as the reference.
    is_reference = not report.baselines and name in report.best_baseline.values()
    return "reference" if is_reference else "model"


def _titles_by_all_criteria(report: ComparisonReport) -> dict[str, str]:
    """Return the titles of rows. Baselines share a row only if they can for all criteria."""
    by_criterion = [
        row_titles(report.reports, scores, report.baselines) for scores in report.scores.values()
    ]
    titles = {name: {row[name] for row in by_criterion} for name in report.reports}
    return {name: shared.pop() if len(shared) == 1 else name for name, shared in titles.items()}


def _criterion_parts(report: ComparisonReport, criterion: str) -> tuple[Part, ...]:
    rows = report.table[criterion]
    titles = with_folds(with_draws(report._row_titles(criterion), rows), report.scores[criterion])
    roles = {name: _role(report, name) for name in titles}
    zeros = _counted_as_zero(report, criterion)
    means = estimators_table(f"Estimators by {criterion}, best first", rows, titles, roles)
    return (
        means,
        *_guess_notes(rows),
        *((Note(zeros, is_small=True),) if zeros else ()),
        *_differences_parts(report, criterion),
        Figure(
            partial(report.plot_folds, criterion),
            f"Scores of the folds by {criterion}",
            f"Mean over the folds by {criterion}",
            means,
        ),
    )


def _differences_parts(report: ComparisonReport, criterion: str) -> tuple[Part, ...]:
    reference = report.best_baseline[criterion]
    titles = with_folds(
        report._row_titles(criterion, has_reference=False), report.scores[criterion]
    )
    if reference is None or not titles:
        return ()
    rows = report.table[criterion]
    role = report._reference_role(criterion)
    differences = differences_table(
        f"Differences from {reference}, {role} ({better_sign(report.metrics[criterion])})",
        rows,
        titles,
        untested=report.baselines,
    )
    return (
        differences,
        Figure(
            partial(report.plot_differences, criterion),
            f"Differences from {reference} by {criterion}, with intervals",
            f"Differences from {reference} by {criterion}",
            differences,
        ),
    )


def _counted_as_zero(report: ComparisonReport, criterion: str) -> str:
    """Return a note on the estimators with undefined values, which count as chance."""
    names = [
        name
        for name, scores in report.scores[criterion].items()
        if report.table[criterion][name].n_draws is None
        and (np.isnan(report.reports[name].scores[criterion]) & ~np.isnan(scores)).any()
    ]
    return f"Undefined values on some folds, counted as 0: {', '.join(names)}." if names else ""


def _difference_notes(report: ComparisonReport) -> tuple[Note, ...]:
    """Say what counts as equal, and how precise the folds are."""
    any_report = next(iter(report.reports.values()))
    level = next(iter(any_report.intervals.values())).confidence_level
    ropes = [f"{half_width:g}" for half_width in report.rope.values()]
    region = ropes[0]
    if len(set(ropes)) > 1:
        pairs = zip(ropes, report.rope, strict=True)
        region = f"the region of practical equivalence ({', '.join(map(' by '.join, pairs))})"
    sentences = (
        f"P (better): probability that the estimator is better by more than {region}.",
        _about_wide_intervals(report),
        "" if report.failures else _about_repetition(any_report, level),
    )
    return (Note(" ".join(filter(None, sentences)), is_small=True),)


def _about_wide_intervals(report: ComparisonReport) -> str:
    """Say which intervals of differences are wider than the region of practical equivalence."""
    texts, are_all = [], True
    for criterion, rows in report.table.items():
        widths = {
            name: row.difference.high - row.difference.low
            for name, row in rows.items()
            if row.difference is not None and name not in report.baselines
        }
        region = 2 * report.rope[criterion]
        wide = [name for name, width in widths.items() if width > region > 0]
        are_all &= len(wide) == len(widths) > 0
        if wide:
            names = "all" if len(wide) == len(widths) else names_in_words(wide)
            texts.append(f"{names} by {criterion}")
    if not texts:
        return ""
    if are_all:
        return "All intervals are too wide to show equality within this region."
    return f"Intervals that are too wide to show equality within this region: {'; '.join(texts)}."


def _about_repetition(report: CrossValReport, confidence_level: float) -> str:
    """If the folds can be repeated, say how wide the intervals from repeated folds would be."""
    splitter = folds_by(report.provenance).removeprefix(" by ")
    n_folds = len(report.fold_predictions)
    # Folds of single samples would be the same in each repetition.
    if splitter not in _REPEATABLE or report.n_test.max() == 1:
        return ""
    width = width_after_repetition(
        _N_REPETITIONS,
        n_folds=n_folds,
        n_train=report.n_train.mean(),
        n_test=report.n_test.mean(),
        confidence_level=confidence_level,
    )
    return (
        f"{n_folds} folds leave {n_folds - 1} {plural(n_folds - 1, 'degree')} of freedom; "
        f"{_N_REPETITIONS} x {n_folds} folds of the same spread would give intervals {width:.0%} "
        f"as wide."
    )


def _guess_notes(rows: Mapping[str, ModelComparison]) -> tuple[Note, ...]:
    """Say how baselines that guess are scored, if a score is not exact."""
    guesses = {name: row for name, row in rows.items() if row.n_draws is not None}
    if not guesses:
        return ()
    if all(row.n_draws == 0 for row in guesses.values()):
        return ()
    parts = (f"{name} {_draws_in_words(row)}" for name, row in guesses.items())
    text = f"Guesses are scored by their expected value over the draws: {'; '.join(parts)}."
    return (Note(text, is_small=True),)


def _draws_in_words(row: ModelComparison) -> str:
    if not row.n_draws:
        return "exactly"
    if row.n_draws == 1:
        return "by one draw per fold, since the criterion fails for other draws"
    return f"from {row.n_draws:,} draws per fold (simulation error {row.simulation_error:.2g})"


def _single_draw_notes(rows: Iterable[ModelComparison]) -> tuple[Note, ...]:
    """Say that the report of a baseline that guesses is about one of its draws."""
    if all(row.n_draws is None for row in rows):
        return ()
    return (
        Note(
            "This report is about one draw of the guesses in each fold. The tables of the "
            "comparison have the expected values over all draws."
        ),
    )


def pairwise_document(pairwise: PairwiseComparison) -> Document:
    """Return the verdict about pairs of estimators, a table and a plot."""
    table = _pairs_table(pairwise)
    return Document(
        f"Pairs by {pairwise.criterion}",
        (
            table,
            Figure(
                pairwise.plot_differences,
                f"Differences by {pairwise.criterion}, with intervals",
                table.title,
                table,
            ),
        ),
        verdict=(Note(pairwise.verdict),),
        footer=footer(pairwise.provenance),
    )


def _pairs_table(pairwise: PairwiseComparison) -> Table:
    is_pair = pairwise.reference is None
    interval = interval_name(pairwise.differences[0].confidence_level)
    names = ("first", "second") if is_pair else ("estimator",)
    columns = (
        *map(Column, names),
        *difference_columns(interval, "Holm"),
        Column("undefined folds", "number", is_detail=True),
        Column("p", "pvalue", is_detail=True),
    )
    rows: tuple[Row, ...] = tuple(
        (
            *pair[: len(names)],
            *difference_cells(difference, pvalue),
            difference.n_undefined,
            difference.pvalue,
        )
        for pair, difference, pvalue in pairwise._rows()
    )
    order = ", first minus second"
    if pairwise.reference is not None:
        order = f" from {pairwise._row_name(pairwise.reference)}"
    return Table(f"Differences{order} ({better_sign(pairwise._metric)})", columns, rows)


def row_titles(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    baselines: Collection[str],
) -> dict[str, str]:
    """Return the title of the row in which tables and plots show each estimator.

    Baselines with the same predictions and the same scores on every fold share a row.
    """
    rows: list[list[str]] = []
    for name in reports:
        for row in rows:
            is_baseline = name in baselines and row[0] in baselines
            if is_baseline and _are_the_same(reports, scores, name, row[0]):
                row.append(name)
                break
        else:
            rows.append([name])
    return {name: " = ".join(row) for row in rows for name in row}


def distinct_rows(names: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each row, keyed by the first of the names that share it."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(titles[name], name)
    return {name: title for title, name in first.items()}


def with_folds(
    titles: Mapping[str, str], scores: Mapping[str, NDArray[np.float64]]
) -> dict[str, str]:
    """Return titles, with the number of folds if a mean is over only some of the folds."""
    n_folds = np.count_nonzero(~np.all([np.isnan(values) for values in scores.values()], axis=0))
    n_defined = {name: np.count_nonzero(~np.isnan(scores[name])) for name in titles}
    return {
        name: title
        if n_defined[name] == n_folds
        else f"{title} ({n_defined[name]} of {n_folds} folds)"
        for name, title in titles.items()
    }


def _are_the_same(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    first: str,
    second: str,
) -> bool:
    # Criteria of probabilities may differ although the predicted classes are the same.
    if not np.array_equal(scores[first], scores[second], equal_nan=True):
        return False
    folds = zip(reports[first].fold_predictions, reports[second].fold_predictions, strict=True)
    return all(
        a is b if a is None or b is None else np.array_equal(a.y_pred, b.y_pred) for a, b in folds
    )
