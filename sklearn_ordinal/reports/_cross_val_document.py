"""The document of an estimator in cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalMetric
from sklearn_ordinal._documents import (
    Code,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    counted,
    plural,
)
from sklearn_ordinal.model_selection import FitFailure, failures_as_text
from sklearn_ordinal.reports._criteria import metrics_for
from sklearn_ordinal.reports._fold_evidence import n_repetitions, n_times_tested
from sklearn_ordinal.reports._ordinal_document import (
    report_tables,
    threshold_figures,
    value_in_words,
)
from sklearn_ordinal.reports._ordinal_report import OrdinalReport
from sklearn_ordinal.reports._provenance import folds_by, footer
from sklearn_ordinal.reports._sections import (
    confusion_figure,
    errors_figure,
    interval_name,
    notes_on_prevalence,
    range_as_text,
)

if TYPE_CHECKING:
    from sklearn_ordinal.reports._cross_val_report import CrossValReport

# The largest number of characters of an error message in the heading of a collapsed section.
_MOST_OF_AN_ERROR = 120
# As many digits as intervals have in text.
_DIGITS = 3
# Narrow text may leave out further chosen parameters.
_N_CHOSEN = 3


def cross_val_document(report: CrossValReport) -> Document:
    """Return the criteria over the folds, all folds together, and the details of each fold."""
    pooled, of_folds = report.pooled, pooled_in_words(report)
    names, confusion = pooled.target_names, pooled.confusion
    assert confusion is not None
    # Criteria with the same best value share a plot.
    best_at_one = report._best_at_one()
    figures = [best_at_one] if best_at_one else []
    figures += [[name] for name in report.metrics if name not in best_at_one]
    in_full = OrdinalReport._from_evidence(
        pooled.evidence, metrics_for("all", pooled.evidence), {}, None
    )
    classes_table, *criteria_tables = report_tables(in_full)
    means_table, *tables_of_folds = folds_tables(report)
    fold_sections = (
        Section(
            f"Fold {number}",
            (Note("failed"),) if fold is None else report_tables(fold),
            is_detail=True,
        )
        for number, fold in enumerate(report.folds, start=1)
    )
    times = _folds_table(
        "Seconds", {"fit": report.fit_times, "scoring": report.score_times}, details={}
    )
    return Document(
        "Cross-validation",
        (
            Note(f"{folds_in_words(report)}."),
            *notes_on_prevalence(report.prevalence, names),
            *failures_parts(report.failures),
            means_table,
            confusion_figure(confusion, names, of_folds),
            errors_figure(confusion, names, of_folds),
            *tables_of_folds,
            *(_folds_figure(report, criteria) for criteria in figures),
            Section(
                "All folds together",
                (*pooled_notes(report), classes_table, *threshold_figures(pooled)),
            ),
            Section("Every criterion, all folds together", tuple(criteria_tables), is_detail=True),
            Section("Each fold", tuple(fold_sections), is_detail=True),
            Section("Times", (times,), is_detail=True),
        ),
        footer=footer(report.provenance),
        verdict=(Note(_mean_in_words(report)),),
    )


def _mean_in_words(report: CrossValReport) -> str:
    """Return the mean of the first criterion over the folds, and the verdict of all folds."""
    name, mean = next(iter(report.intervals.items()))
    of_folds = "undefined" if np.isnan(mean.estimate) else f"{mean}"
    text = f"The mean of {name} over the folds is {of_folds}."
    metric = report.pooled.metrics.get(name)
    if metric is None or np.isnan(report.pooled.criteria[name]):
        return text
    return f"{text} All folds together, {value_in_words(report.pooled, metric, _DIGITS)}"


def _folds_figure(report: CrossValReport, names: Sequence[str]) -> Figure:
    texts = (f"{name} {report.intervals[name]}" for name in names)
    return Figure(
        partial(report.plot_folds, names),
        "Scores of the folds" if len(names) > 1 else f"Scores of the folds by {names[0]}",
        f"Mean over the folds: {'; '.join(texts)}",
    )


def folds_in_words(report: CrossValReport) -> str:
    """Return the number and size of the folds, and the splitter that made them."""
    by = folds_by(report.provenance)
    classes = f"{report.n_classes} {plural(report.n_classes, 'class')}"
    n_folds, n_samples = len(report.fold_predictions), len(report.y_true)
    n_times = n_repetitions(report.fold_predictions, report.n_test, n_samples)
    if n_times > 1:
        return f"{n_times} x {n_folds // n_times} folds{by}, {n_samples:,} samples, {classes}"
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    samples = f"{size} {plural(sizes[-1], 'sample')}"
    folds = f"{counted(n_folds, 'fold')} of {samples}{by}"
    tested = n_times_tested(report.fold_predictions, n_samples)
    if tested.max() > 1:
        folds += f", {tested.sum():,} predictions of {np.count_nonzero(tested):,} samples"
    return f"{folds}, {classes}"


def pooled_in_words(report: CrossValReport) -> str:
    """Return the part of a caption that describes all folds together."""
    return f", all folds together{', each sample counted once' if _is_repeated(report) else ''}"


def pooled_notes(report: CrossValReport) -> tuple[Note, ...]:
    """Say how samples that are tested several times are counted."""
    text = "Each sample counts once: if it is tested k times, each prediction counts 1/k."
    return (Note(text, is_small=True),) if _is_repeated(report) else ()


def _is_repeated(report: CrossValReport) -> bool:
    return bool(n_times_tested(report.fold_predictions, len(report.y_true)).max() > 1)


def folds_tables(report: CrossValReport) -> tuple[Part, ...]:
    """Return tables of the means over the folds, of the folds, and of what searches have chosen."""
    records = report._records()
    summary = _means_table(records, report.metrics, report.n_classes)
    sizes = {"training samples": report.n_train, "test samples": report.n_test}
    folds = _folds_table("Folds", report.scores, sizes)
    chosen = (_chosen_table(report.chosen_params),) if report.chosen_params else ()
    return summary, *_folds_without_value(records, len(report.n_test)), folds, *chosen


def _folds_without_value(records: Sequence[Mapping[str, Any]], n_folds: int) -> tuple[Note, ...]:
    """Return a note on the criteria whose means leave out folds, if there are any."""
    numbers = {row["criterion"]: row["n_undefined"] for row in records if row["n_undefined"]}
    folds = ", ".join(f"{name} {number} of {n_folds}" for name, number in numbers.items())
    notes = [f"Folds without a value, which the mean leaves out: {folds}."] if numbers else []
    few = [row["criterion"] for row in records if 0 < n_folds - row["n_undefined"] < 3]
    if few:
        notes.append(f"No interval from fewer than three folds with a value: {', '.join(few)}.")
    return tuple(map(Note, notes))


def _chosen_table(chosen: Sequence[Mapping[str, str]]) -> Table:
    """Return a row for each choice of a search, with the folds in which it was made."""
    names = list(dict.fromkeys(name for params in chosen for name in params))
    folds: dict[tuple[str, ...], list[str]] = {}
    for fold, params in enumerate(chosen, start=1):
        if params:
            folds.setdefault(tuple(params.get(name, "") for name in names), []).append(str(fold))
    columns = (
        Column("folds"),
        *(Column(name, is_detail=k >= _N_CHOSEN) for k, name in enumerate(names)),
    )
    rows = sorted(folds.items(), key=lambda item: -len(item[1]))
    return Table(
        "Chosen by the search",
        columns,
        tuple((", ".join(numbers), *values) for values, numbers in rows),
    )


def _means_table(
    records: Sequence[Mapping[str, Any]], metrics: Mapping[str, OrdinalMetric], n_classes: int
) -> Table:
    """Return the mean over the folds of each criterion, from the records of a report."""
    columns = (
        Column("criterion"),
        Column("mean", "number"),
        Column("std", "number", full_name="standard deviation over the folds"),
        Column(interval_name(records[0]["confidence_level"]), "interval"),
        Column("pooled", "number", full_name="value of all folds together"),
        Column("better"),
        Column("range", is_detail=True),
        Column("undefined folds", "number", is_detail=True),
    )
    rows = (
        (
            row["criterion"],
            row["mean"],
            row["std"],
            (row["low"], row["high"]),
            row["pooled"],
            row["better"],
            range_as_text(metrics[row["criterion"]], n_classes),
            row["n_undefined"],
        )
        for row in records
    )
    return Table("Means over the folds", columns, tuple(rows))


def _folds_table(
    title: str,
    scores: Mapping[str, NDArray[np.float64]],
    details: Mapping[str, NDArray[Any]],
) -> Table:
    """Return the numbers of each fold, with columns that narrow text may leave out."""
    columns = {
        **{Column(name, "number"): values for name, values in scores.items()},
        **{Column(name, "number", is_detail=True): values for name, values in details.items()},
    }
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    numbered = ((f"fold {number}", *row) for number, row in enumerate(rows, start=1))
    return Table(title, (Column("fold"), *columns), tuple(numbered))


def failures_parts(failures: Sequence[FitFailure]) -> tuple[Part, ...]:
    """Return a line for each error, and the traceback of each failure as a detail."""
    if not failures:
        return ()
    lines = tuple(Note(f"Failed: {line}") for line in failures_as_text(failures))
    return (*lines, Section("Failed fits", tuple(map(_failure_section, failures)), is_detail=True))


def _failure_section(failure: FitFailure) -> Section:
    error = failure.error.partition("\n")[0][:_MOST_OF_AN_ERROR]
    cut = "" if error == failure.error else "…"
    title = f"{failure.name}, fold {failure.fold + 1}: {error}{cut}"
    return Section(title, (Note(str(failure)), Code(failure.traceback)), is_detail=True)
