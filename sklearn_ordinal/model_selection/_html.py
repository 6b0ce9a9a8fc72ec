"""The HTML of cross-validation reports and of comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from sklearn_ordinal.model_selection._text import (
    agreement,
    counted_as_zero,
    folds_in_words,
    headline,
    how_to_read,
    name_with_folds,
    p_as_text,
)
from sklearn_ordinal.plotting import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.plotting._folds import names_best_at_one
from sklearn_ordinal.report._document import details, paragraph, preformatted, section
from sklearn_ordinal.report._html import Cell, number_cell, report_tables, table
from sklearn_ordinal.report._pictures import (
    Picture,
    confusion_picture,
    errors_picture,
    pictures,
)
from sklearn_ordinal.report._text import criterion_cells

if TYPE_CHECKING:
    from sklearn_ordinal.model_selection._comparison import ComparisonReport
    from sklearn_ordinal.model_selection._cross_val import CrossValReport
    from sklearn_ordinal.model_selection._folds import FitFailure

DIGITS = 3
# In characters, as long as it is not asked for.
_MOST_OF_AN_ERROR = 120
_NUMBERS = {
    "mean": "mean",
    "low": "mean, low",
    "high": "mean, high",
    "difference": "difference",
    "difference_low": "difference, low",
    "difference_high": "difference, high",
    "pvalue": "p",
    "adjusted_pvalue": "p (Holm)",
    "probability_worse": "P (worse)",
    "probability_equivalent": "P (equal)",
    "probability_better": "P (better)",
}


def cross_val_tables(report: CrossValReport, *, whose: str = "") -> str:
    """Return a table of the means over the folds and one of the folds."""
    criteria, n_classes = report._criteria(), report.n_classes
    summary = []
    for name, row in criteria.items():
        columns = ("mean", "std", "low", "high", "pooled", "n_undefined")
        values = [number_cell(row[column], DIGITS) for column in columns]
        texts = criterion_cells(report.metrics[name], row["mean"], n_classes, DIGITS)[2:]
        summary.append([Cell(name), *values, *map(Cell, texts)])
    by_fold = {
        **{name: row["folds"] for name, row in criteria.items()},
        "training samples": report.n_train.tolist(),
        "test samples": report.n_test.tolist(),
        "fit, seconds": report.fit_times.tolist(),
        "scoring, seconds": report.score_times.tolist(),
    }
    folds = [
        [Cell(f"fold {number}", number), *(number_cell(value, DIGITS) for value in values)]
        for number, values in enumerate(zip(*by_fold.values(), strict=True), start=1)
    ]
    heads = ["mean", "std", "low", "high", "pooled", "undefined folds", "range", "better"]
    level = f"{100 * next(iter(criteria.values()))['confidence_level']:g}%"
    caption = f"Means over the folds, from low to high their {level} interval"
    return table(caption, ["criterion", *heads], summary, whose=whose) + table(
        "Folds", ["fold", *by_fold], folds, whose=whose
    )


def cross_val_parts(report: CrossValReport) -> list[str]:
    """Return the parts of the document of a cross-validation."""
    # Those with the same best value share a picture.
    shared = names_best_at_one(report)
    alone = [[name] for name in report.metrics if name not in shared]
    names = [f"Fold {number}" for number in range(1, len(report.folds) + 1)]
    folds = [
        details(name, paragraph("failed") if fold is None else report_tables(fold, whose=name))
        for name, fold in zip(names, report.folds, strict=True)
    ]
    return [
        paragraph(f"{folds_in_words(report)}."),
        _failures(report.failures),
        section("Over the folds", cross_val_tables(report)),
        pictures(
            *(_folds_picture(report, names) for names in [shared, *alone] if names),
            confusion_picture(report.pooled, ", all folds together"),
            errors_picture(report.pooled, ", all folds together"),
        ),
        section("All folds together", report_tables(report.pooled, with_costs=True)),
        section("Each fold", *folds),
    ]


def comparison_tables(report: ComparisonReport) -> str:
    """Return the table of each criterion, best estimator first."""
    return "".join(
        _comparison_table(report, criterion, numbers)
        for criterion, numbers in report._criteria().items()
    )


def comparison_parts(report: ComparisonReport) -> list[str]:
    """Return the parts of the document of a comparison."""
    reports, first, winners = report.reports, report.scoring[0], report.winners
    winner = winners[first][0]
    any_report = next(iter(reports.values()))
    metrics = {metric.scorer_name: metric for metric in any_report.metrics.values()}
    sections = [
        section(
            headline(criterion, metrics[criterion], any_report.n_classes),
            _comparison_table(report, criterion, numbers),
            _how_to_read(report, criterion),
        )
        for criterion, numbers in report._criteria().items()
    ]
    estimators = [
        details(
            f"{name} ({_role(report, first, name)})",
            cross_val_tables(estimator_report, whose=name),
            "<h3>All folds together</h3>\n",
            report_tables(estimator_report.pooled, whose=name),
        )
        for name, estimator_report in reports.items()
    ]
    return [
        paragraph(f"{folds_in_words(any_report)}."),
        paragraph(agreement(winners)),
        _failures(report.failures),
        *sections,
        pictures(
            *(
                picture
                for criterion in report.scoring
                for picture in _differences_pictures(report, criterion)
            ),
            _models_picture(report, first),
            confusion_picture(reports[winner].pooled, f" by {winner}, all folds together"),
        ),
        section("Each estimator", *estimators),
    ]


def _comparison_table(report: ComparisonReport, criterion: str, numbers: Mapping[str, Any]) -> str:
    estimators = numbers["estimators"]
    rows = [
        [
            Cell(name_with_folds(report, criterion, name)),
            Cell(str(row["rank"]), row["rank"]),
            *(_number_or_blank(column, row[column]) for column in _NUMBERS),
            Cell(_role(report, criterion, name)),
        ]
        for name, row in sorted(estimators.items(), key=lambda item: item[1]["rank"])
    ]
    caption = f"Estimators by {criterion}, best first"
    return table(caption, ["estimator", "rank", *_NUMBERS.values(), "role"], rows)


def _number_or_blank(column: str, value: float) -> Cell:
    # The best baseline has no difference from itself, and baselines are not on trial.
    if math.isnan(value) and column not in ("mean", "low", "high"):
        return Cell("", value)
    return Cell(p_as_text(value), value) if "pvalue" in column else number_cell(value, DIGITS)


def _how_to_read(report: ComparisonReport, criterion: str) -> str:
    reference = report.best_baseline[criterion]
    if reference is None:
        return paragraph(how_to_read(report), is_note=True)
    kind = "the best baseline" if report.baselines else "the reference"
    level = f"{100 * report.table[criterion][reference].score.confidence_level:g}%"
    return paragraph(
        f"Mean over the folds, and difference from {reference}, {kind}; low and high are the "
        f"ends of {level} intervals. p and p (Holm) are those of the corrected resampled t-test, "
        f"the latter adjusted for the number of estimators and not for the number of criteria. "
        f"P (better), P (equal) and P (worse) are the probabilities that the difference is above, "
        f"within and below ±{report.rope[criterion]:g}. {counted_as_zero(report, criterion)}",
        is_note=True,
    )


def _differences_pictures(report: ComparisonReport, criterion: str) -> list[Picture]:
    differences = {
        name: row.difference
        for name, row in report.table[criterion].items()
        if row.difference is not None
    }
    if not differences:
        return []
    texts = (f"{name} {difference}" for name, difference in differences.items())
    return [
        Picture(
            partial(ComparisonDisplay.from_report, report, criterion=criterion),
            f"Differences from {report.best_baseline[criterion]} by {criterion}, with intervals",
            f"Difference from {report.best_baseline[criterion]}: {'; '.join(texts)}",
        )
    ]


def _models_picture(report: ComparisonReport, criterion: str) -> Picture:
    texts = (f"{name} {row.score}" for name, row in report.table[criterion].items())
    place = ", the first of the criteria" if len(report.scoring) > 1 else ""
    return Picture(
        partial(FoldScoresDisplay.from_report, report, criterion=criterion),
        f"Scores of the folds by {criterion}{place}",
        f"Mean over the folds: {'; '.join(texts)}",
    )


def _folds_picture(report: CrossValReport, names: Sequence[str]) -> Picture:
    texts = (f"{name} {report.intervals[name]}" for name in names)
    return Picture(
        partial(FoldScoresDisplay.from_report, report, criterion=names),
        "Scores of the folds" if len(names) > 1 else f"Scores of the folds by {names[0]}",
        f"Mean over the folds: {'; '.join(texts)}",
    )


def _failures(failures: Sequence[FitFailure]) -> str:
    if not failures:
        return ""
    # Errors and their sources may be long, so only their beginning is shown at first.
    return section("Failed fits", *map(_failure, failures))


def _failure(failure: FitFailure) -> str:
    error = failure.error.partition("\n")[0][:_MOST_OF_AN_ERROR]
    cut = "" if error == failure.error else "…"
    return details(
        f"{failure.name}, fold {failure.fold + 1}: {error}{cut}",
        paragraph(str(failure)),
        preformatted(failure.traceback),
    )


def _role(report: ComparisonReport, criterion: str, name: str) -> str:
    if name == report.best_baseline[criterion]:
        return "best baseline" if report.baselines else "reference"
    return "baseline" if name in report.baselines else "model"
