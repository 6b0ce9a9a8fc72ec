"""The document of the report of one system."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    KINDS,
    LABELS,
    METRICS,
    ByMetric,
    OrdinalConfusion,
    OrdinalMetric,
    amount_as_text,
    as_generator,
    metrics_of,
    n_unanswered,
    own_kind,
    threshold_names,
)
from sklearn_ordinal._documents import (
    Column,
    DeferredParts,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    cell_text,
)
from sklearn_ordinal.inference import Interval
from sklearn_ordinal.model_selection import best_constant
from sklearn_ordinal.reports._criteria import kinds_accepting, takes_labels
from sklearn_ordinal.reports._diagnostics import diagnostics_section
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._rating_ceilings import Ceiling, ceiling_notes
from sklearn_ordinal.reports._score_ladder import ScoreLadder, count_ladder, score_ladder_parts
from sklearn_ordinal.reports._sections import (
    answered_as_text,
    confusion_figure,
    direction_as_text,
    errors_figure,
    has_direction,
    interval_name,
    n_left_out,
    notes_on_prevalence,
    parts_in_words,
    range_as_text,
    samples_in_words,
    total_as_text,
    unanswered_parts,
)
from sklearn_ordinal.reports._verdicts import value_verdict

if TYPE_CHECKING:
    from sklearn_ordinal.reports._ordinal_report import OrdinalReport

# Wider tables, and plots with more curves, are hard to read.
_MOST_CLASSES_SHOWN = 12
# With more classes, the values of all constants take longer than the report.
_MOST_CONSTANTS = 30
# Above this number, floats do not represent every integer.
_LARGEST_INTEGER = 1e15


def ordinal_document(report: OrdinalReport) -> Document:
    """Return the classes, the criteria, the thresholds if there are probabilities, and plots."""
    evidence, confusion = report.evidence[0], report.confusion
    kind = own_kind(evidence)
    assert kind is not None
    n_missing = 0 if confusion is None else n_unanswered(confusion)
    which = f" ({amount_as_text(n_missing)} unanswered)" if n_missing else ""
    if report.n_clusters is not None:
        which += f" in {parts_in_words(report.n_clusters, 'cluster', [report.cluster_name])}"
    summary = samples_in_words(
        kind.amount(evidence),
        report.target_names,
        is_weighted=evidence.is_weighted,
        n_samples=evidence.n_samples,
        which=which,
    )
    return Document(
        "Ordinal report",
        (
            Note(summary),
            *notes_on_prevalence(report.prevalence, report.target_names),
            *report_tables(report),
            *_figures(report),
            *_diagnostics_parts(report),
            *_losses_parts(report),
            *_ladder_parts(report),
        ),
        digits=report.digits,
        footer=footer(report.provenance),
        hint=_hint(report),
        verdict=_verdict(report),
    )


def _verdict(report: OrdinalReport) -> tuple[Note, ...]:
    """Return the value of the first criterion, if possible one to be compared with constants."""
    metrics = (*_ladder_metrics(report), *report.metrics.values())
    return tuple(Note(value_in_words(report, metric, report.digits)) for metric in metrics[:1])


def value_in_words(report: OrdinalReport, metric: OrdinalMetric, digits: int) -> str:
    """Say whether the value of a criterion is better than the value of the best constant."""
    nan = np.nan
    score = report.intervals.get(metric.name)
    if score is None:
        score = Interval(report.criteria[metric.name], nan, nan, 0.95)
    best = _best_constant(report, metric)
    constant, which = nan, ""
    if best is not None:
        position, constant = best
        which = f"always predicting {report.target_names[position]}, the best constant"
    return value_verdict(metric, score, constant, which, digits)


def _best_constant(report: OrdinalReport, metric: OrdinalMetric) -> tuple[int, float] | None:
    """Return the class that is best to predict for all samples, and its value."""
    confusion = report.confusion
    if (
        confusion is None
        or metric not in _ladder_metrics(report)
        or report.n_classes > _MOST_CONSTANTS
    ):
        return None
    sizes = confusion.counts.sum(axis=1)
    if metric.counts_unanswered and confusion.unanswered is not None:
        sizes = sizes + confusion.unanswered
    if not sizes.any():
        return None
    with warnings.catch_warnings():
        # A criterion may be undefined for constants.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        position = best_constant(confusion.scale, sizes, metric)
        counts = np.zeros_like(confusion.counts)
        counts[:, position] = sizes
        constants = OrdinalConfusion(confusion.scale, counts, confusion.is_weighted)
        return position, float(metric(constants))


def report_tables(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the tables of the classes, of the criteria and of the thresholds."""
    return (
        *classes_parts(report),
        *_criteria_tables(report),
        *(Note(text, is_small=True) for text in ceiling_notes(report.ceilings)),
        *_thresholds_tables(report),
    )


def classes_parts(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the table of the classes, and a note if predictions are missing."""
    if report.confusion is None:
        return ()
    table = _classes_table(report, report.confusion)
    return (table, *unanswered_parts(report.metrics, report.confusion))


def _classes_table(report: OrdinalReport, confusion: OrdinalConfusion) -> Table:
    """Return the measures of each class, and their averages.

    The support is the number of samples. If there are weights, the support is their sum, and
    the number of samples is added if known.
    """
    per_class = report.per_class
    numbers = confusion.sample_counts
    columns = (
        Column("class"),
        Column("precision", "number"),
        Column("recall", "number"),
        Column("f1-score", "number"),
        Column("MAE", "number", full_name="mean absolute error, in classes"),
        Column("bias", "number", full_name="mean signed error; positive: predicted too high"),
        Column("within 1", "number", full_name="share predicted at most one class away"),
        *((Column("n", "number"),) if numbers is not None else ()),
        Column("weight" if confusion.is_weighted else "support", "number"),
    )
    *measures, _ = per_class
    support, total = per_class["support"], report.averages["macro avg"]["support"]
    # Weights that add up to integers are written as integers.
    if total < _LARGEST_INTEGER and bool((support % 1 == 0).all()):
        support, total = support.astype(np.int64), int(total)
    sizes = [support]
    totals: list[float | None] = [total]
    if numbers is not None:
        answered = numbers[:, :-1].sum(axis=1)
        # An item with soft labels is in several classes, so that their numbers have no total.
        n_answered = None if confusion.has_soft_labels else answered.sum().item()
        sizes, totals = [answered, support], [n_answered, total]
    values = [*(per_class[measure] for measure in measures), *sizes]
    rows = zip(report.target_names, *(column.tolist() for column in values), strict=True)
    accuracy = {"f1-score": float(METRICS["accuracy"](confusion))}
    summary: list[Row] = [("accuracy", *map(accuracy.get, measures), *totals)]
    for name, average in report.averages.items():
        summary.append((name, *(average[measure] for measure in measures), *totals))
    title = "Classes, from the lowest to the highest"
    if n_unanswered(confusion):
        title += f" (of {answered_as_text(confusion)})"
    return Table(title, columns, tuple(rows), tuple(summary))


def _criteria_tables(report: OrdinalReport) -> tuple[Table, ...]:
    """Return a table of the criteria of labels, and a table for each other argument."""
    by_argument: dict[str | None, list[OrdinalMetric]] = {}
    for metric in report.metrics.values():
        argument = LABELS.argument if takes_labels(metric) else metric.evidence.argument
        by_argument.setdefault(argument, []).append(metric)
    arguments = [kind.argument for kind in KINDS]
    return tuple(
        _criteria_table(_criteria_title(by_argument[argument], report), metrics, report)
        for argument, metrics in sorted(
            by_argument.items(), key=lambda item: arguments.index(item[0])
        )
    )


def _criteria_title(metrics: Sequence[OrdinalMetric], report: OrdinalReport) -> str:
    if takes_labels(metrics[0]):
        return "Criteria"
    # Scores may be computed from probabilities, which come first in KINDS and name the table.
    kinds = {metric.evidence for metric in metrics}
    available = {own_kind(kind.pick(report.evidence)) for kind in kinds}
    return f"Criteria of {next(kind.noun for kind in KINDS if kind in kinds | available)}"


def _criteria_table(title: str, metrics: Sequence[OrdinalMetric], report: OrdinalReport) -> Table:
    """Return the value of each criterion with its range and direction.

    If samples lack a prediction, a column says which samples the value is computed from.
    """
    confusion = report.confusion
    is_split = confusion is not None and bool(n_unanswered(confusion))
    has_ceilings = any(metric.name in report.ceilings for metric in metrics)
    # All intervals of a report have the same level.
    levels = {interval.confidence_level for interval in report.intervals.values()}
    columns = (
        Column("criterion"),
        Column("value", "number"),
        *(Column(interval_name(level), "interval") for level in levels),
        *((Column("ceiling", "interval"),) if has_ceilings else ()),
        *((Column("of"),) if is_split else ()),
        Column("range"),
        Column("better"),
        Column("an error costs", is_detail=True),
    )
    rows = (
        (
            metric.name,
            report.criteria[metric.name],
            *((_ends(report, metric),) if levels else ()),
            *((_bracket(report, metric),) if has_ceilings else ()),
            *((_samples_as_text(metric, confusion),) if confusion is not None and is_split else ()),
            range_as_text(metric, report.n_classes),
            direction_as_text(metric),
            metric.an_error_costs,
        )
        for metric in metrics
    )
    return Table(title, columns, tuple(rows))


def _ends(report: OrdinalReport, metric: OrdinalMetric) -> tuple[float, float] | None:
    interval: Interval | None = report.intervals.get(metric.name)
    return None if interval is None else (interval.low, interval.high)


def _bracket(report: OrdinalReport, metric: OrdinalMetric) -> tuple[float, float] | None:
    ceiling: Ceiling | None = report.ceilings.get(metric.name)
    return None if ceiling is None else ceiling.bracket


def _samples_as_text(metric: OrdinalMetric, confusion: OrdinalConfusion) -> str:
    n_missing = n_left_out(metric, confusion)
    if n_missing is None:
        return ""
    return answered_as_text(confusion) if n_missing else f"all {total_as_text(confusion)}"


def _thresholds_tables(report: OrdinalReport) -> tuple[Table, ...]:
    """Return the measures of each threshold, if there are any."""
    if not report.per_threshold:
        return ()
    columns = {
        "prevalence": Column("prevalence", "number"),
        "roc_auc": Column("AUC", "number", full_name="area under the ROC curve"),
        "equal_error_rate": Column("EER", "number", full_name="equal error rate"),
        # The parts of a small score need one more digit.
        "miscalibration": Column("miscalibration", "number", report.digits + 1),
        "discrimination": Column("discrimination", "number", report.digits + 1),
        # Uncertainty depends only on the prevalence.
        "uncertainty": Column("uncertainty", "number", report.digits + 1, is_detail=True),
    }
    values = (report.per_threshold[name].tolist() for name in columns)
    rows = zip(threshold_names(report.target_names), *values, strict=True)
    title = "Thresholds, from the lowest to the highest"
    return (Table(title, (Column("threshold"), *columns.values()), tuple(rows)),)


def _diagnostics_parts(report: OrdinalReport) -> tuple[Section, ...]:
    if report.diagnostics is None or report.confusion is None:
        return ()
    return (diagnostics_section(report.diagnostics, report.target_names, report.confusion),)


def _losses_parts(report: OrdinalReport) -> tuple[Section, ...]:
    if report.confusion is None:
        return ()
    losses = report.losses()
    if not losses.any() or report.n_classes > _MOST_CLASSES_SHOWN:
        return ()
    predicted = [*report.target_names, "unanswered"][: losses.shape[1]]
    columns = (
        Column("true"),
        *(Column(name, "number", digits=report.digits + 1) for name in predicted),
    )
    rows = zip(report.target_names, *losses.T.tolist(), strict=True)
    table = Table("Share of CEM_ORD lost by each kind of error", columns, tuple(rows))
    return (Section("Where closeness is lost", (table,), is_detail=True),)


def _ladder_parts(report: OrdinalReport) -> tuple[Section, ...]:
    """Return the score ladder, which is only computed for the formats that have it."""
    if not _ladder_metrics(report):
        return ()

    def parts() -> tuple[Part, ...]:
        ladder = report_ladder(report)
        assert ladder is not None
        if report.n_clusters is not None and not report.intervals:
            # Reports do not keep the clusters of the samples.
            return score_ladder_parts(
                ladder, "Pass intervals=True to a report of clusters to add them."
            )
        return score_ladder_parts(ladder)

    return (Section("Score ladder", DeferredParts(parts), is_detail=True),)


def report_ladder(report: OrdinalReport) -> ScoreLadder | None:
    """Return the score ladder of the criteria of counts, None if there are none.

    It has the intervals of the report, if the report has any. Otherwise, with many classes, the
    intervals are in closed form, since their resamples would take longer than all else.
    """
    metrics = _ladder_metrics(report)
    if report.confusion is None or not metrics:
        return None
    with warnings.catch_warnings():
        # Warnings about undefined values were shown when the report was made.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return count_ladder(
            report.confusion,
            metrics,
            # The seed makes pages and frames reproducible.
            as_generator(0),
            has_resamples=report.n_classes <= _MOST_CLASSES_SHOWN,
            ceilings=_ladder_ceilings(report, metrics),
            intervals=report.intervals,
        )


def _ladder_ceilings(report: OrdinalReport, metrics: Sequence[OrdinalMetric]) -> ByMetric | None:
    if not report.ceilings:
        return None
    return ByMetric({metric.name: report.ceilings[metric.name] for metric in metrics})


def _ladder_metrics(report: OrdinalReport) -> list[OrdinalMetric]:
    """Return the criteria that are functions of counts and have a direction."""
    if report.confusion is None:
        return []
    return [
        metric
        for metric in report.metrics.values()
        if metric.evidence is LABELS and metric.scorer is None and has_direction(metric)
    ]


def _figures(report: OrdinalReport) -> tuple[Figure, ...]:
    confusion, names = report.confusion, report.target_names
    if confusion is None:
        return threshold_figures(report)
    if not confusion.counts.any():
        return ()
    return (
        confusion_figure(confusion, names),
        errors_figure(confusion, names),
        *threshold_figures(report),
    )


def threshold_figures(report: OrdinalReport) -> tuple[Figure, ...]:
    if report.forecasts is None or not 1 < report.n_classes <= _MOST_CLASSES_SHOWN:
        return ()
    areas, miscalibrations = (
        "; ".join(
            f"{name} {cell_text(value, Column(measure, 'number'), report.digits + 1)}"
            for name, value in zip(
                threshold_names(report.target_names),
                report.per_threshold[measure].tolist(),
                strict=True,
            )
        )
        for measure in ("roc_auc", "miscalibration")
    )
    return (
        Figure(report.plot_roc, "ROC curves of the thresholds", f"Areas: {areas}"),
        Figure(
            # The seed makes the page reproducible.
            partial(report.plot_calibration, random_state=0, n_resamples=200),
            "Calibration at the thresholds",
            f"Miscalibration: {miscalibrations}",
        ),
    )


def _hint(report: OrdinalReport) -> str:
    computable = metrics_of(*kinds_accepting(report.evidence))
    is_complete = computable.keys() <= report.metrics.keys()
    return "" if is_complete else 'Pass metrics="all" to see every criterion.'
