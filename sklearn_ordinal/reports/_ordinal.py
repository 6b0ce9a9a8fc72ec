"""`ordinal_report`: the predictions of one system, laid out like a classification report."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import IO, Any, Literal, Self, TypeAlias, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    arithmetic,
    catalogue,
    checks,
    confusion_counts,
    containers,
    counting,
    evidence_kinds,
    evidence_reading,
    lookup,
    sampling,
    saving,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import ReadingOptions, SampleReadingOptions
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._documents import formatting, json_files, views
from sklearn_ordinal._documents.document_parts import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal._documents.writing import FilePath
from sklearn_ordinal.inference import _intervals
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.metrics import _accuracy, _closeness, _error, _miscalibration, _ranking, _split
from sklearn_ordinal.model_selection import _dummy
from sklearn_ordinal.plotting._calibration_display import ThresholdCalibrationDisplay
from sklearn_ordinal.plotting._confusion_display import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
)
from sklearn_ordinal.plotting._curve_displays import OrdinalRocCurveDisplay
from sklearn_ordinal.reports import _ceilings, _ladder, _sections, _sentences
from sklearn_ordinal.reports._ladder import ScoreLadder
from sklearn_ordinal.reports._sections import Provenance

# Measures of classes, thresholds and groups that reports show in addition to their criteria
# ------------------------------------------------------------------------------------------

ZeroDivision: TypeAlias = Literal["warn"] | float


def _check_zero_division(zero_division: ZeroDivision) -> float:
    """Return the value that replaces an undefined precision, recall or f1."""
    if isinstance(zero_division, str) and zero_division == "warn":
        return 0.0
    if checks.is_real(zero_division) and (zero_division in (0, 1) or math.isnan(zero_division)):
        return float(zero_division)
    raise ValueError(
        f"zero_division must be 'warn', 0.0, 1.0 or np.nan, got {checks.shown(zero_division)}."
    )


def _measures_per_class(counts: Counts) -> dict[str, NDArray[Any]]:
    """Return the measures of each class; undefined values are NaN."""
    _, pred = arithmetic.margins(counts)
    return {
        "precision": arithmetic.divide(np.diagonal(counts), pred),
        "recall": _accuracy.sensitivities(counts),
        "f1-score": _accuracy.f1_per_class(counts),
        "ordinal_mean_absolute_error": _error.mean_absolute_error_per_class(counts),
        "ordinal_bias": _error.bias_per_class(counts),
        "within_1_accuracy": _accuracy.within_n_per_class(counts, n=1),
        "support": _without_rounding(counts.sum(axis=-1)),
    }


def _without_rounding(sizes: NDArray[Any]) -> NDArray[Any]:
    """Return class sizes, rounded where sums of fractions are integers up to rounding errors."""
    if sizes.dtype.kind in "iu":
        return sizes
    integers = np.rint(sizes)
    return np.where(
        np.isclose(sizes, integers, rtol=tolerances.ROUNDING_OF_SUMS, atol=0), integers, sizes
    )


def _measure_averages(
    per_class: Mapping[str, NDArray[Any]], counts: Counts
) -> dict[str, dict[str, float]]:
    """Return the macro and the weighted average of the measures."""
    support = per_class["support"]
    weights = {"macro avg": (support + counts.sum(axis=0)) > 0, "weighted avg": support}
    measures = [name for name in per_class if name != "support"]
    values = np.array([per_class[name] for name in measures])
    averages = {
        title: arithmetic.mean_where_defined(values, weight).tolist()
        for title, weight in weights.items()
    }
    total = support.sum().item()
    return {
        title: {**dict(zip(measures, means, strict=True)), "support": total}
        for title, means in averages.items()
    }


def _warn_undefined_measures(
    per_class: Mapping[str, NDArray[Any]], criteria: Mapping[str, float], names: Sequence[str]
) -> None:
    """Warn about undefined measures and criteria."""
    undefined = [
        f"{column} of {formatting.names_in_words(np.array(names)[np.isnan(per_class[column])])} "
        "(set to 0.0)"
        for column in ("precision", "recall")
        if per_class and np.isnan(per_class[column]).any()
    ]
    undefined += [name for name, value in criteria.items() if math.isnan(value)]
    if undefined:
        is_unanswered = bool(per_class) and not per_class["support"].any()
        why = "without any prediction" if is_unanswered else "for these data"
        checks.warn_caller(
            f"Undefined {why}: {'; '.join(undefined)}.",
            UndefinedMetricWarning,
            way_out="Pass zero_division= to choose the value of precision and recall, and to "
            "silence this warning.",
        )


def _measures_per_threshold(forecasts: OrdinalForecasts) -> dict[str, NDArray[np.float64]]:
    """Return the measures of each threshold; undefined values are NaN."""
    sizes = forecasts.class_counts
    above = sizes[::-1].cumsum()[-2::-1]
    decomposition = _miscalibration.decomposition_per_threshold(forecasts)
    return {
        "prevalence": arithmetic.divide(above, sizes.sum()),
        "roc_auc": _ranking.roc_auc_per_threshold(forecasts.to_scores()),
        "equal_error_rate": _ranking.equal_error_rate_per_threshold(forecasts.to_scores()),
        "miscalibration": decomposition.miscalibration,
        "discrimination": decomposition.discrimination,
        "uncertainty": decomposition.uncertainty,
    }


SIGNED_ERRORS = tuple(
    map(lookup.get_metric, ("ordinal_bias", "overestimation_rate", "underestimation_rate"))
)
"""Mean signed error in positions (positive: too high), and shares of too high and too low."""


# Diagnostic measures of thresholds and classes with intervals, a section of a report
# -----------------------------------------------------------------------------------

Diagnostics: TypeAlias = Mapping[str, Mapping[str, tuple[Interval, ...]]]
"""For "threshold" and "class", the interval of each measure for each threshold or class."""

_MEASURES = (
    "sensitivity",
    "specificity",
    "precision",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)
_NAMES = {"precision": "positive_predictive_value"}
_HEADERS = ("sensitivity", "specificity", "PPV", "NPV", "LR+", "LR-")
_TITLES = {
    "threshold": "Classes above each threshold against those below",
    "class": "Each class against the rest",
}


def _diagnostics_with_intervals(confusion: OrdinalConfusion) -> Diagnostics:
    """Return the measures of each threshold and class, with intervals in closed form."""
    n_classes = len(confusion.scale)
    sizes: dict[Literal["threshold", "class"], int] = {
        "threshold": n_classes - 1,
        "class": n_classes,
    }
    metrics = {
        (split, measure, at): lookup.get_metric(
            partial(_split.split_measure, measure=measure, at=at, split=split)
        )
        for split, size in sizes.items()
        for measure in _MEASURES
        for at in range(size)
    }
    with warnings.catch_warnings():
        # A note in the report says where there are no intervals.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        intervals = _intervals.delta_interval(confusion, metrics=list(metrics.values()))
    return {
        split: {
            _NAMES.get(measure, measure): tuple(
                intervals[metrics[split, measure, at].name] for at in range(size)
            )
            for measure in _MEASURES
        }
        for split, size in sizes.items()
    }


def _diagnostics_by_name(
    diagnostics: Diagnostics, target_names: Sequence[str]
) -> dict[str, dict[str, dict[str, Interval]]]:
    """Return the interval for each split, threshold or class, and measure."""
    names = {"threshold": scales.threshold_names(target_names), "class": target_names}
    return {
        split: {
            name: {measure: intervals[place] for measure, intervals in by_measure.items()}
            for place, name in enumerate(names[split])
        }
        for split, by_measure in diagnostics.items()
    }


def _value_and_ends(interval: Interval) -> dict[str, float]:
    return {"value": interval.estimate, "low": interval.low, "high": interval.high}


def _diagnostics_section(
    diagnostics: Diagnostics, target_names: Sequence[str], confusion: OrdinalConfusion
) -> Section:
    """Return a matrix of the thresholds, one of the classes, and what is left out."""
    level = _sections.interval_name(diagnostics["class"]["sensitivity"][0].confidence_level)
    tables: list[Part] = []
    for split, rows in _diagnostics_by_name(diagnostics, target_names).items():
        columns = (Column(split), *(Column(header, "estimate") for header in _HEADERS))
        cells: tuple[Row, ...] = tuple(
            (name, *((value.estimate, value.low, value.high) for value in row.values()))
            for name, row in rows.items()
        )
        # A single class has no thresholds.
        tables += [Table(f"{_TITLES[split]}, with {level}s", columns, cells)] if rows else []
    names = "PPV, NPV, LR+, LR-: positive and negative predictive values and likelihood ratios."
    notes = [Note(names, is_small=True)]
    if confusion.is_clustered:
        text = "A measure whose samples are all in one cluster has no interval."
        notes.append(Note(text, is_small=True))
    if confusion_counts.n_unanswered(confusion):
        notes.append(Note(f"These measures use only the {_sections.answered_as_text(confusion)}."))
    return Section("Diagnostic measures", (*tables, *notes))


# The document of the report of one system
# ----------------------------------------

# Wider tables, and plots with more curves, are hard to read.
_MOST_CLASSES_SHOWN = 12
# With more classes, the values of all constants take longer than the report.
_MOST_CONSTANTS = 100
MOST_ROWS = 20
"""With more classes, tables show the worst and the largest of them, or the worst thresholds."""


def _ordinal_document(report: OrdinalReport) -> Document:
    """Return the classes, the criteria, the thresholds if there are probabilities, and plots."""
    evidence, confusion = report.evidence[0], report.confusion
    kind = evidence_kinds.kind_of(evidence)
    n_missing = 0 if confusion is None else confusion_counts.n_unanswered(confusion)
    which = f" ({formatting.amount_as_text(n_missing)} unanswered)" if n_missing else ""
    drawn = _sections.drawn_in_words(report.n_clusters, report.cluster_name, report.n_strata)
    which += drawn and f" in {drawn}"
    summary = _sections.samples_in_words(
        kind.amount(evidence),
        report.target_names,
        is_weighted=evidence.is_weighted,
        n_samples=evidence.n_samples,
        which=which,
    )
    metrics = (*_ladder_metrics(report), *report.metrics.values())[:1]
    return Document(
        _sections.page_title("Ordinal report", summary),
        (
            Note(summary),
            *_sections.notes_on_prevalence(report.prevalence, report.target_names),
            *report_tables(report),
            *_figures(report),
            *_diagnostics_parts(report),
            *_all_rows_parts(report),
            Section(
                "How to read the criteria",
                lambda: [
                    _sections.about_criterion(metric, report.n_classes)
                    for metric in report.metrics.values()
                ],
                is_detail=True,
            ),
            *_losses_parts(report),
            *_ladder_parts(report),
        ),
        digits=report.digits,
        footer=_sections.footer(report.provenance),
        hint=_hint(report),
        # If possible, the first criterion can be compared with constants.
        verdict=tuple(Note(value_in_words(report, metric, report.digits)) for metric in metrics),
        about=tuple(_sections.about_criterion(metric, report.n_classes) for metric in metrics),
    )


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
    ceiling = report.ceilings.get(metric.name)
    return _sentences.value_verdict(metric, score, constant, which, ceiling, digits)


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
    if confusion.unanswered is not None and metric.counts_unanswered:
        sizes = sizes + confusion.unanswered
    if not sizes.any():
        return None
    with warnings.catch_warnings():
        # A criterion may be undefined for constants.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        position = _dummy.best_constant(confusion.scale, sizes, metric)
        counts = np.zeros_like(confusion.counts)
        counts[:, position] = sizes
        constants = OrdinalConfusion(confusion.scale, counts, confusion.is_weighted)
        return position, float(metric(constants))


def report_tables(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the tables of the classes, of the criteria and of the thresholds."""
    return (*classes_parts(report), *criteria_parts(report))


def criteria_parts(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the tables of the criteria and of the thresholds, and notes on them.

    If there are many thresholds, there are only the worst.
    """
    thresholds = _thresholds_tables(report)
    if report.n_classes > MOST_ROWS:
        areas = report.per_threshold.get("roc_auc", np.empty(0))
        thresholds = [
            _first_rows(table, areas, 10, "thresholds with the smallest AUC")
            for table in thresholds
        ]
    return (
        *_criteria_tables(report),
        *_notes_on_intervals(report),
        *(Note(text, is_small=True) for text in _ceilings.ceiling_notes(report.ceilings)),
        *thresholds,
    )


def classes_parts(report: OrdinalReport) -> tuple[Part, ...]:
    """Return the table of the classes, and a note if predictions are missing.

    If there are many classes, there is a table of the worst, and a table of the largest.
    """
    if report.confusion is None:
        return ()
    table = _classes_table(report, report.confusion)
    notes = _sections.unanswered_parts(report.metrics, report.confusion)
    if report.n_classes <= MOST_ROWS:
        return (table, *notes)
    errors, support = report.per_class["ordinal_mean_absolute_error"], report.per_class["support"]
    worst = _first_rows(table, -errors, 10, "classes with the largest MAE")
    largest = _first_rows(table, -support, 5, "classes with the largest support")
    return (replace(worst, summary=()), largest, *notes)


def _first_rows(table: Table, keys: NDArray[Any], number: int, what: str) -> Table:
    """Return the rows of a table with the smallest keys. NaN come last."""
    places = np.argsort(keys, kind="stable")[:number]
    title = f"The {number} of {len(keys)} {what}"
    return replace(table, title=title, rows=tuple(table.rows[place] for place in places))


def _all_rows_parts(report: OrdinalReport) -> tuple[Section, ...]:
    if report.n_classes <= MOST_ROWS:
        return ()

    def tables() -> list[Table]:
        classes = [] if report.confusion is None else [_classes_table(report, report.confusion)]
        return [*classes, *_thresholds_tables(report)]

    return (Section("All classes", tables, is_detail=True),)


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
        Column("MAE", "number", full_name="ordinal_mean_absolute_error, in classes"),
        Column("bias", "number", full_name="ordinal_bias; positive: predicted too high"),
        Column("within 1", "number", full_name="within_1_accuracy: at most one class away"),
        *((Column("n", "number"),) if numbers is not None else ()),
        Column("weight" if confusion.is_weighted else "support", "number"),
    )
    *measures, _ = per_class
    support, total = per_class["support"], report.averages["macro avg"]["support"]
    # Weights that add up to integers are written as integers.
    if total < formatting.TOO_LARGE and bool((support % 1 == 0).all()):
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
    accuracy = {"f1-score": float(catalogue.METRICS["accuracy"](confusion))}
    summary: list[Row] = [("accuracy", *map(accuracy.get, measures), *totals)]
    for name, average in report.averages.items():
        summary.append((name, *(average[measure] for measure in measures), *totals))
    title = "Classes, from the lowest to the highest"
    if confusion_counts.n_unanswered(confusion):
        title += f" (of {_sections.answered_as_text(confusion)})"
    return Table(title, columns, tuple(rows), tuple(summary))


def _criteria_tables(report: OrdinalReport) -> tuple[Table, ...]:
    """Return a table of the criteria of labels, and a table for each other argument."""
    by_argument: dict[str | None, list[OrdinalMetric]] = {}
    for metric in report.metrics.values():
        argument = (
            evidence_kinds.LABELS.argument
            if _sections.takes_labels(metric)
            else metric.evidence.argument
        )
        by_argument.setdefault(argument, []).append(metric)
    arguments = [kind.argument for kind in evidence_kinds.KINDS]
    return tuple(
        _criteria_table(_criteria_title(by_argument[argument], report), metrics, report)
        for argument, metrics in sorted(
            by_argument.items(), key=lambda item: arguments.index(item[0])
        )
    )


def _criteria_title(metrics: Sequence[OrdinalMetric], report: OrdinalReport) -> str:
    if _sections.takes_labels(metrics[0]):
        return "Criteria"
    # Scores may be computed from probabilities, which come first in KINDS and name the table.
    kinds = {metric.evidence for metric in metrics}
    available = {evidence_kinds.own_kind(kind.pick(report.evidence)) for kind in kinds}
    return (
        "Criteria of "
        f"{next(kind.noun for kind in evidence_kinds.KINDS if kind in kinds | available)}"
    )


def _notes_on_intervals(report: OrdinalReport) -> tuple[Note, ...]:
    """Say which classes are too small for the intervals of some criteria."""
    confusion = report.confusion
    if not report.intervals or confusion is None:
        return ()
    if confusion.is_weighted and confusion.sample_counts is None:
        return ()
    # The last column has the unanswered samples.
    numbers = confusion.sample_counts
    sizes = confusion.counts.sum(axis=1) if numbers is None else numbers[:, :-1].sum(axis=1)
    metrics = [report.metrics[name] for name in report.intervals]
    return _sections.notes_on_rare_classes(metrics, sizes, report.target_names)


def _criteria_table(title: str, metrics: Sequence[OrdinalMetric], report: OrdinalReport) -> Table:
    """Return the value of each criterion with its range and direction.

    If samples lack a prediction, a column says which samples the value is computed from.
    """
    confusion, n_classes = report.confusion, report.n_classes
    names = [metric.name for metric in metrics]
    values = {name: report.criteria[name] for name in names}
    blocks = [
        _sections.block(Column("value", "number"), values),
        _sections.ends(
            {name: report.intervals[name] for name in names if name in report.intervals}
        ),
    ]
    brackets = {name: report.ceilings[name].bracket for name in names if name in report.ceilings}
    if brackets:
        blocks.append(_sections.block(Column("ceiling", "interval"), brackets))
    if confusion is not None and confusion_counts.n_unanswered(confusion):
        amounts = {metric.name: _samples_as_text(metric, confusion) for metric in metrics}
        blocks.append(_sections.block(Column("of"), amounts))
    ranges = {metric.name: _sections.range_as_text(metric, n_classes) for metric in metrics}
    directions = {metric.name: _sections.direction_as_text(metric) for metric in metrics}
    return _sections.table(
        title,
        "criterion",
        names,
        *blocks,
        _sections.block(Column("range"), ranges),
        _sections.block(Column("better"), directions),
    )


def _samples_as_text(metric: OrdinalMetric, confusion: OrdinalConfusion) -> str:
    n_missing = _sections.n_left_out(metric, confusion)
    if n_missing is None:
        return ""
    return (
        _sections.answered_as_text(confusion)
        if n_missing
        else f"all {_sections.total_as_text(confusion)}"
    )


def _thresholds_tables(report: OrdinalReport) -> list[Table]:
    """Return the measures of each threshold, if there are any."""
    if not report.per_threshold:
        return []
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
    rows = zip(scales.threshold_names(report.target_names), *values, strict=True)
    title = "Thresholds, from the lowest to the highest"
    return [Table(title, (Column("threshold"), *columns.values()), tuple(rows))]


def _diagnostics_parts(report: OrdinalReport) -> tuple[Section, ...]:
    if report.diagnostics is None or report.confusion is None:
        return ()
    return (_diagnostics_section(report.diagnostics, report.target_names, report.confusion),)


def _losses_parts(report: OrdinalReport) -> tuple[Section, ...]:
    if report.confusion is None or report.n_classes > _MOST_CLASSES_SHOWN:
        return ()

    def tables() -> tuple[Table, ...]:
        losses = report.losses()
        predicted = [*report.target_names, "unanswered"][: losses.shape[1]]
        columns = (
            Column("true"),
            *(Column(name, "number", digits=report.digits + 1) for name in predicted),
        )
        rows = zip(report.target_names, *losses.T.tolist(), strict=True)
        table = Table("Share of CEM_ORD lost by each kind of error", columns, tuple(rows))
        return (table,) if losses.any() else ()

    return (Section("Where closeness is lost", tables, is_detail=True),)


def _ladder_parts(report: OrdinalReport) -> tuple[Section, ...]:
    """Return the score ladder, which is only computed for the formats that have it."""
    if not _ladder_metrics(report):
        return ()

    def parts() -> tuple[Part, ...]:
        ladder = _report_ladder(report)
        assert ladder is not None
        if report.n_clusters is not None and not report.intervals:
            # Reports do not keep the clusters of the samples.
            return _ladder.score_ladder_parts(
                ladder, "Pass intervals=True to a report of clusters to add them."
            )
        return _ladder.score_ladder_parts(ladder)

    return (Section("Score ladder", parts, is_detail=True),)


def _report_ladder(report: OrdinalReport) -> ScoreLadder | None:
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
        return _ladder.count_ladder(
            report.confusion,
            metrics,
            # The seed makes pages and frames reproducible.
            checks.as_generator(0),
            has_resamples=report.n_classes <= _MOST_CLASSES_SHOWN,
            ceilings=ByMetric({metric.name: report.ceilings[metric.name] for metric in metrics})
            if report.ceilings
            else None,
            intervals=report.intervals,
        )


def _ladder_metrics(report: OrdinalReport) -> list[OrdinalMetric]:
    """Return the criteria that are functions of counts and have a direction."""
    if report.confusion is None:
        return []
    return [
        metric
        for metric in report.metrics.values()
        if metric.evidence is evidence_kinds.LABELS
        and metric.scorer is None
        and _sections.has_direction(metric)
    ]


def _figures(report: OrdinalReport) -> tuple[Figure, ...]:
    confusion, names = report.confusion, report.target_names
    if confusion is None:
        return threshold_figures(report)
    if not confusion.counts.any():
        return ()
    return (
        _sections.confusion_figure(confusion, names),
        _sections.errors_figure(confusion, names),
        *threshold_figures(report),
    )


def threshold_figures(report: OrdinalReport) -> tuple[Figure, ...]:
    if report.forecasts is None or not 1 < report.n_classes <= _MOST_CLASSES_SHOWN:
        return ()

    def described(title: str, measure: str) -> str:
        values = zip(
            scales.threshold_names(report.target_names),
            report.per_threshold[measure].tolist(),
            strict=True,
        )
        column = Column(measure, "number")
        texts = (
            f"{name} {formatting.cell_text(value, column, report.digits + 1)}"
            for name, value in values
        )
        return f"{title}: {'; '.join(texts)}"

    return (
        Figure(
            report.plot_roc,
            "ROC curves of the thresholds",
            partial(described, "Areas", "roc_auc"),
        ),
        Figure(
            # The seed makes the page reproducible.
            partial(report.plot_calibration, random_state=0, n_resamples=200),
            "Calibration at the thresholds",
            partial(described, "Miscalibration", "miscalibration"),
        ),
    )


def _hint(report: OrdinalReport) -> str:
    hints = []
    if report.n_classes > MOST_ROWS and (report.per_class or report.per_threshold):
        hints.append("to_text(details=True), to_html and to_frame have all classes.")
    options = [] if report.intervals else ["intervals=True to see intervals"]
    computable = catalogue.metrics_of(*_sections.kinds_accepting(report.evidence))
    if not computable.keys() <= report.metrics.keys():
        options.append('metrics="all" to see every criterion')
    if options:
        hints.append(f"Pass {', and '.join(options)}.")
    return " ".join(hints)


# The report of the predictions of one system, laid out like a classification report
# ----------------------------------------------------------------------------------

# The keys of `to_dict` that are not classes.
_NOT_FOR_CLASSES = {
    "accuracy",
    "macro avg",
    "weighted avg",
    "criteria",
    "thresholds",
    "intervals",
    "diagnostics",
    "unanswered",
    "answered",
    "of_answered",
    "prevalence",
    "ceilings",
}


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalReport(Views):
    """Measures of each class, their averages, and the values of criteria.

    Create it with `from_predictions`, `from_estimator` or `from_confusion`. `str` gives the text,
    and notebooks show a table and a plot.

    Parameters
    ----------
    evidence : tuple of evidence
        The evidence from which all numbers are computed: an `OrdinalConfusion`, `OrdinalForecasts`,
        both, or other evidence. All of it is on one scale.
    target_names : tuple of str
        Name of each class, from the lowest to the highest.
    per_class : mapping of str to ndarray of shape (n_classes,)
        Measures of each class: "precision", "recall", "f1-score", "ordinal_mean_absolute_error"
        (mean distance between the predictions and the class, in positions on the scale),
        "ordinal_bias" (mean signed error; positive if the predictions are too high),
        "within_1_accuracy" (share of predictions at most one class away) and "support". Empty
        without predicted classes.
    averages : mapping of str to mapping of str to float
        "macro avg" and "weighted avg" of these measures. Empty without predicted classes.
    criteria : mapping of str to float
        The value for each criterion name, NaN where undefined.
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    digits : int, default=2
        Number of digits after the decimal point in text and tables.
    per_threshold : mapping of str to ndarray of shape (n_classes - 1,), default={}
        Measures of each threshold between neighbouring classes, if there are
        probabilities: "prevalence" (share of the samples above it), "roc_auc" and
        "equal_error_rate" (of the expected position), and "miscalibration",
        "discrimination" and "uncertainty", the parts of the ranked probability score.
    prevalence : ndarray of shape (n_classes,), default=None
        Class shares to which the evidence is weighted. If None, the observed class sizes are used.
    diagnostics : mapping of str to mapping of str to tuple of Interval, default=None
        For "threshold" and "class", the sensitivity, specificity, positive and negative predictive
        value, and positive and negative likelihood ratio, with an interval for each threshold or
        class from the lowest to the highest. None unless they were asked for.
    ceilings : mapping of str to Ceiling, default={}
        How good a prediction of the grade of a rater can be, for each criterion of predicted
        classes, if the true classes are the grades of several raters; see `rating_ceilings`.
    intervals : mapping of str to Interval, default={}
        The 95% interval of each criterion that has influences, if intervals were asked for.
    n_clusters : int, default=None
        Number of clusters in which the samples were drawn, None without clusters.
    cluster_name : str, default=""
        Name of the column of clusters, such as "patient"; empty if it is not known. It is ignored
        when reports are compared.
    n_strata : int, default=None
        Number of strata from which the samples were drawn, None without strata.
    zero_division : float, default=0.0
        Value of an undefined precision, recall or f1.
    provenance : Provenance, default=None
        How the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    confusion : OrdinalConfusion or None
        The counts, if there are predicted classes.
    forecasts : OrdinalForecasts or None
        The probabilities, if there are any.

    See Also
    --------
    ordinal_report : Return the report as text or dict in one call.
    sklearn.metrics.classification_report : Precision, recall and f1 of nominal classes.

    Notes
    -----
    Every class of the scale has a row, even if it does not occur. Precision, recall and
    f1 are averaged over the classes that occur as true or predicted classes, and the other
    measures over the classes that occur as true classes. A class that never occurs
    therefore changes no average.

    Text and tables have a row for each class if there are at most 20. For more classes, they show
    the 10 classes with the largest mean absolute error, the 5 with the most samples, and the 10
    thresholds with the smallest area under the ROC curve; ``to_text(details=True)``, the HTML page,
    the dict and the frame have all of them.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalReport
    >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
    >>> report.criteria["cem_ord"]
    0.7486...
    >>> report.per_class["ordinal_bias"]
    array([ 0. ,  0.5, -0.5])
    """

    evidence: tuple[Evidence, ...]
    target_names: tuple[str, ...]
    per_class: Mapping[str, NDArray[Any]]
    averages: Mapping[str, Mapping[str, float]]
    criteria: Mapping[str, float]
    metrics: Mapping[str, OrdinalMetric] = field(default_factory=dict)
    digits: int = 2
    per_threshold: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    prevalence: NDArray[np.float64] | None = None
    diagnostics: Diagnostics | None = None
    ceilings: ByMetric = field(default_factory=ByMetric)
    intervals: ByMetric = field(default_factory=ByMetric)
    n_clusters: int | None = None
    cluster_name: str = ""
    n_strata: int | None = None
    zero_division: float = 0.0
    provenance: Provenance | None = None

    @classmethod
    def from_json(cls, path: FilePath | IO[str]) -> Self:
        """Read a report that `to_json` or the command ``sklearn-ordinal`` has written.

        The report is computed again from the evidence in the file.

        Parameters
        ----------
        path : str, path-like or file object
            The file, or a file that is open for reading, such as ``sys.stdin``.

        Returns
        -------
        OrdinalReport
            The report, without `ceilings`, which need the grades of the raters.

        Raises
        ------
        ValueError
            If the file does not contain a report, is damaged, or was written by a newer version.
        OSError
            If the file cannot be read.

        Warns
        -----
        UserWarning
            If criteria are left out, since they are not defined here, such as your own functions,
            or need the estimator; or intervals and diagnostics are left out, since the file keeps
            neither clusters nor soft labels of the samples.
        """
        return json_files.load(path, cls.__name__, cls._from_saved)

    def _saved_fields(self) -> dict[str, Any]:
        options = {
            "target_names": list(self.target_names),
            "digits": self.digits,
            "intervals": len(self.intervals) > 0,
            "diagnostics": self.diagnostics is not None,
            "zero_division": self.zero_division,
            # The evidence is already weighted to these shares.
            "prevalence": self.prevalence,
            "n_clusters": self.n_clusters,
            "cluster_name": self.cluster_name,
            "n_strata": self.n_strata,
            "provenance": None if self.provenance is None else self.provenance.to_dict(),
        }
        return {
            "evidence": [
                {"type": type(part).__name__, "fields": saving.evidence_to_json(part)}
                for part in self.evidence
            ],
            "metrics": [_sections.metric_to_json(metric) for metric in self.metrics.values()],
            **{name: json_files.encoded(name, value) for name, value in options.items()},
        }

    @classmethod
    def _from_saved(cls, fields: dict[str, Any]) -> Self:
        """Return the report that was saved, from fields that may be damaged."""
        readers = {
            reader.__name__: reader for kind in evidence_kinds.KINDS for reader in kind.accepts
        }
        evidence = [
            saving.evidence_from_json(readers[p["type"]], p["fields"]) for p in fields["evidence"]
        ]
        _check_evidence(evidence)
        found = {m["name"]: _sections.metric_from_json(m, evidence) for m in fields["metrics"]}
        if unknown := [name for name, metric in found.items() if metric is None]:
            checks.warn_caller(
                f"criteria are left out that are not defined here, or need more than the evidence "
                f"in the file: {', '.join(unknown)}.",
                way_out="Pass your own functions and the evidence of the report to "
                "OrdinalReport.from_predictions.",
            )
        options = {
            name: json_files.decoded(value)
            for name, value in fields.items()
            if name not in ("evidence", "metrics")
        }
        names = "prevalence", "n_clusters", "cluster_name", "n_strata"
        facts = {name: options.pop(name) for name in names}
        provenance = _sections.provenance_from_json(options.pop("provenance"))
        has_lost_samples = any(
            isinstance(part, OrdinalConfusion)
            and (confusion_counts.has_design(part) or part.has_soft_labels)
            for part in evidence
        )
        if has_lost_samples and (options["intervals"] or options["diagnostics"]):
            options |= {"intervals": False, "diagnostics": False}
            checks.warn_caller(
                "intervals and diagnostics are left out, since the file does not keep the "
                "clusters, strata or soft labels of the samples."
            )
        metrics = [metric for metric in found.values() if metric is not None]
        report = cls._from_evidence(evidence, metrics, {}, provenance, ceilings=None, **options)
        if facts["prevalence"] is not None:
            facts["prevalence"] = confusion_counts.check_shares(
                "prevalence", facts["prevalence"], report.n_classes
            )
        for name in ("n_clusters", "n_strata"):
            if facts[name] is not None:
                checks.check_integer(name, facts[name], at_least=1)
        if not isinstance(facts["cluster_name"], str):
            raise ValueError(
                f"cluster_name must be a str, got {checks.shown(facts['cluster_name'])}."
            )
        return replace(report, **facts)

    @property
    def confusion(self) -> OrdinalConfusion | None:
        """The counts of true and predicted classes, None if there are no predicted classes."""
        return cast(OrdinalConfusion | None, evidence_kinds.LABELS.pick(self.evidence))

    @property
    def forecasts(self) -> OrdinalForecasts | None:
        """The probabilities, None if there are none."""
        return cast(OrdinalForecasts | None, evidence_kinds.PROBABILITIES.pick(self.evidence))

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_predictions(
        cls,
        y_true: TrueClasses | Evidence,
        y_pred: ArrayLike | None = None,
        *,
        y_proba: ArrayLike | OrdinalForecasts | None = None,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Report on predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
            True classes; or soft labels, as in `OrdinalConfusion.from_soft_labels`; or an
            `OrdinalConfusion`, `OrdinalForecasts` or other evidence, passed
            instead of the arrays and their options, such as `labels`.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes.
        **reading
        y_proba : array-like of shape (n_samples, n_classes) or OrdinalForecasts, default=None
            Predicted probabilities of the classes from the lowest to the highest, for the criteria
            of probabilities and the measures of the thresholds. Pass `OrdinalForecasts` if `y_true`
            is an `OrdinalConfusion`.
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report` for
            predicted classes, six criteria of probabilities for probabilities, and all criteria for
            other evidence.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`,
            `prevalence` does not have a share for each class, rows of `y_proba` are not
            probabilities of these classes, a criterion is not known or needs the estimator or
            probabilities that are not given, or `target_names` does not name each class once.
        """
        evidence = _read_evidence(y_true, y_pred, y_proba, reading)
        criteria = _sections.metrics_for(metrics, evidence)
        ceilings = ByMetric()
        # At other class sizes, the best predictions are others.
        if isinstance(y_true, OrdinalRatings) and y_pred is not None and prevalence is None:
            ceilings = _ceilings_of_items(y_true, criteria, reading.get("sample_weight"))
        return cls._from_evidence(
            evidence,
            criteria,
            {},
            Provenance.of_now(),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
            digits=digits,
            zero_division=zero_division,
            ceilings=ceilings,
        )

    @classmethod
    @counting.takes_reading(SampleReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
        **reading: Unpack[SampleReadingOptions],
    ) -> Self:
        """Report on the predictions of a fitted estimator.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            True classes.
        **reading
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`, and six
            criteria of probabilities if the estimator has `predict_proba`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, a criterion is not
            known, a criterion that needs the estimator is combined with weights or a prevalence, or
            `target_names` does not name each class once.
        AttributeError
            If a criterion needs probabilities and the estimator has no `predict_proba`.
        """
        checks.check_fitted(estimator)
        kinds = _sections.available_kinds([estimator])
        criteria = _sections.chosen_metrics(metrics, kinds, default_kinds=kinds)
        scorers = {m.name: m.scorer for m in criteria if m.scorer is not None}
        weighting = {"sample_weight": reading.get("sample_weight"), "prevalence": prevalence}
        for name, value in weighting.items():
            if scorers and value is not None:
                raise ValueError(
                    f"{name} cannot be used with {next(iter(scorers))}, whose scorer is called "
                    f"without weights: leave one of the two out."
                )
        values = {name: scorer(estimator, X, y) for name, scorer in scorers.items()}
        other_metrics = [metric for metric in criteria if not _sections.takes_labels(metric)]
        needed = {metric.evidence for metric in other_metrics if metric.name not in values}
        # The thresholds are shown whenever there are probabilities.
        needed |= {evidence_kinds.PROBABILITIES}.intersection(kinds)
        parts: list[Evidence] = []
        if needed:
            options = counting.without_class_options(reading)
            drawn_with = {name: options.pop(name, None) for name in ("clusters", "strata")}
            evidence: Any = evidence_kinds.common_kind(needed).of_estimator(
                estimator, X, y, **options
            )
            if isinstance(evidence, OrdinalForecasts):
                evidence = sampling.with_columns(evidence, y, **drawn_with)
                parts = [evidence]
                reading["labels"] = cast(Any, evidence.scale)
            else:
                if prevalence is not None:
                    shares = confusion_counts.check_shares(
                        "prevalence", prevalence, len(evidence.scale)
                    )
                    evidence = confusion_counts.evidence_at_prevalence(evidence, shares)
                values |= {
                    metric.name: metric(evidence)
                    for metric in criteria
                    if metric.evidence.pick([evidence]) is not None
                }
        confusion = OrdinalConfusion.from_predictions(y, estimator.predict(X), **reading)
        return cls._from_evidence(
            (confusion, *parts),
            criteria,
            values,
            Provenance.of_now(estimators={"estimator": estimator}),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        target_names: Sequence[str] | None = None,
        metrics: MetricsLike | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = "warn",
    ) -> Self:
        """Report on counts, for example the pooled counts of all folds.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Names to show for the classes, in the order of the scale.
        metrics : str, callable, iterable or dict of them, default=None
            The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
            package that can be computed. If None, the six defaults of `cross_val_report`.
        prevalence : array-like of shape (n_classes,), default=None
            Share of each true class, from the lowest to the highest. All measures and criteria are
            computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed
            class sizes are used.
        intervals : bool, default=False
            Whether to add the 95% interval of each criterion in closed form, see
            `~sklearn_ordinal.inference.delta_interval`. If the samples come in clusters, such as
            patients, pass an `OrdinalConfusion` that was created with them.
        diagnostics : bool, default=False
            Whether to add the sensitivity, specificity, predictive values and likelihood ratios of
            each threshold and class, with 95% intervals; see `split_measure`. If the samples come
            in clusters, such as patients, pass an `OrdinalConfusion` that was created with them.
        digits : int, default=2
            Number of digits after the decimal point in text and tables.
        zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
            Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
            warning; any other value also silences the warning about undefined criteria.

        Returns
        -------
        OrdinalReport
            The report.

        Raises
        ------
        ValueError
            If the counts are a stack of matrices or contain no samples, a criterion is not
            known or needs the estimator, or `target_names` does not name each class
            once.
        """
        confusion_counts.check_one_matrix(confusion, may_be_unanswered=True)
        return cls._from_evidence(
            (confusion,),
            _sections.chosen_metrics(metrics),
            {},
            Provenance.of_now(),
            target_names=target_names,
            prevalence=prevalence,
            intervals=intervals,
            diagnostics=diagnostics,
            digits=digits,
            zero_division=zero_division,
        )

    @classmethod
    def _from_evidence(
        cls,
        evidence: Sequence[Evidence],
        metrics: Collection[OrdinalMetric],
        values: Mapping[str, float],
        provenance: Provenance | None,
        *,
        target_names: Sequence[str] | None = None,
        prevalence: ArrayLike | None = None,
        intervals: bool = False,
        diagnostics: bool = False,
        digits: int = 2,
        zero_division: ZeroDivision = 0.0,
        ceilings: ByMetric | None = None,
    ) -> Self:
        """Report on evidence, where the values of some criteria are already known."""
        _check_evidence(evidence)
        shares = None
        if prevalence is not None:
            shares, *_ = (
                confusion_counts.check_evidence_prevalence(prevalence, part) for part in evidence
            )
            # Counts record that their shares are fixed, on which their standard errors depend.
            evidence = [
                part.at_prevalence(shares)
                if isinstance(part, OrdinalConfusion)
                else confusion_counts.evidence_at_prevalence(part, shares)
                for part in evidence
            ]
        checks.check_bool("intervals", intervals)
        checks.check_bool("diagnostics", diagnostics)
        views.check_digits(digits)
        names = scales.check_target_names(target_names, evidence[0].scale)
        numbers = confusion_counts.numbers_of_units(evidence[0])
        replacement = _check_zero_division(zero_division)
        is_silent = zero_division != "warn"
        criteria = _criteria_values(metrics, evidence, values, is_silent=is_silent)
        confusion, forecasts = (
            evidence_kinds.LABELS.pick(evidence),
            evidence_kinds.PROBABILITIES.pick(evidence),
        )
        if diagnostics and confusion is None:
            raise ValueError(
                "diagnostics must be False without predicted classes: pass y_pred, or the classes "
                "that the probabilities decide for."
            )
        per_class = {} if confusion is None else _measures_per_class(confusion.counts)
        if not is_silent:
            _warn_undefined_measures(per_class, criteria, names)
        for column in per_class.keys() & {"precision", "recall", "f1-score"}:
            per_class[column] = np.where(
                np.isnan(per_class[column]), replacement, per_class[column]
            )
        return cls(
            evidence=tuple(
                confusion_counts.without_samples(part) if part is confusion else part
                for part in evidence
            ),
            target_names=names,
            per_class=per_class,
            averages={} if confusion is None else _measure_averages(per_class, confusion.counts),
            criteria=criteria,
            metrics=ByMetric({metric.name: metric for metric in metrics}),
            digits=digits,
            per_threshold={} if forecasts is None else _measures_per_threshold(forecasts),
            prevalence=shares,
            ceilings=ByMetric() if ceilings is None else ceilings,
            provenance=provenance,
            intervals=_criteria_intervals(metrics, evidence) if intervals else ByMetric(),
            diagnostics=_diagnostics_with_intervals(confusion) if diagnostics else None,
            **numbers,
            zero_division=replacement,
        )

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    def __repr__(self) -> str:
        values = (f"{name}={value:z.{self.digits}f}" for name, value in self.criteria.items())
        facts = [
            f"{self.n_classes} {formatting.plural(self.n_classes, 'class')}",
            *islice(values, 1),
        ]
        confusion = self.confusion
        if confusion is not None and confusion_counts.n_unanswered(confusion):
            first = islice(self.metrics.values(), 1)
            left_out = any(_sections.n_left_out(metric, confusion) for metric in first)
            facts.append(
                _sections.unanswered_as_text(confusion) + (" left out" if left_out else "")
            )
        return f"OrdinalReport({checks.in_repr(facts)})"

    def losses(self) -> NDArray[np.float64]:
        """Return the share of CEM_ORD that is lost by the samples of each cell.

        The shares add up to 1 - CEM_ORD. The share of a cell is its number of samples times
        the cost that `closeness_costs` returns for it, divided by the total closeness of perfect
        predictions.

        Returns
        -------
        ndarray of shape (n_classes, n_classes) or (n_classes, n_classes + 1)
            Losses in [0, 1], rows true, columns predicted: 0 on the diagonal. If the confusion
            counts samples without a prediction, the last column holds their losses.

        Raises
        ------
        ValueError
            If the report has no predicted classes.

        Examples
        --------
        >>> from sklearn_ordinal import OrdinalReport
        >>> report = OrdinalReport.from_predictions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
        >>> report.losses().round(3)
        array([[0.   , 0.   , 0.   ],
               [0.   , 0.   , 0.126],
               [0.   , 0.126, 0.   ]])
        """
        confusion = self._required_confusion("losses")
        return _closeness.closeness_losses(confusion.counts, confusion.unanswered)

    def plot_confusion_matrix(
        self, *, ax: Any = None, **options: Any
    ) -> OrdinalConfusionMatrixDisplay:
        """Draw the confusion matrix.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `OrdinalConfusionMatrixDisplay.plot`.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no predicted classes.
        """
        confusion = self._required_confusion("plot_confusion_matrix")
        return OrdinalConfusionMatrixDisplay.from_confusion(
            confusion, target_names=self.target_names, ax=ax, **options
        )

    def plot_errors(self, *, ax: Any = None, **options: Any) -> ErrorDistributionDisplay:
        """Draw the shares of predictions for each class that are too low or too high.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ErrorDistributionDisplay.plot`.

        Returns
        -------
        ErrorDistributionDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no predicted classes.
        """
        confusion = self._required_confusion("plot_errors")
        return ErrorDistributionDisplay.from_confusion(
            confusion, target_names=self.target_names, ax=ax, **options
        )

    def plot_roc(
        self, *, split: Literal["threshold", "class"] = "threshold", ax: Any = None
    ) -> OrdinalRocCurveDisplay:
        """Draw the ROC curves of the thresholds, or of the classes.

        Parameters
        ----------
        split : {"threshold", "class"}, default="threshold"
            Whether to draw a curve for each threshold, with samples ranked by their expected
            position on the scale, or for each class against the rest, with samples ranked by the
            probability of the class.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        OrdinalRocCurveDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or `split` is not known.
        """
        forecasts = self._required_forecasts("plot_roc")
        # With scores, the areas of the thresholds equal the areas in the table.
        checks.check_choice("split", split, Literal["threshold", "class"])
        evidence = forecasts if split == "class" else forecasts.to_scores()
        display = OrdinalRocCurveDisplay(evidence, split=split, target_names=self.target_names)
        return display.plot(ax)

    def plot_calibration(self, *, ax: Any = None, **options: Any) -> ThresholdCalibrationDisplay:
        """Draw how well the probabilities are calibrated at each threshold.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ThresholdCalibrationDisplay`, such as `random_state`.

        Returns
        -------
        ThresholdCalibrationDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report has no probabilities, or an option is not valid.
        """
        forecasts = self._required_forecasts("plot_calibration")
        options = {"target_names": self.target_names, **options}
        return ThresholdCalibrationDisplay(forecasts, **options).plot(ax)

    def _required_confusion(self, method: str) -> OrdinalConfusion:
        if self.confusion is None:
            raise ValueError(
                f"{method} needs predicted classes: pass y_pred= or an OrdinalConfusion to "
                f"OrdinalReport.from_predictions."
            )
        return self.confusion

    def _required_forecasts(self, method: str) -> OrdinalForecasts:
        if self.forecasts is None:
            raise ValueError(
                f"{method} needs probabilities: pass y_proba= to OrdinalReport.from_predictions, "
                f"or use OrdinalReport.from_estimator with an estimator that has predict_proba."
            )
        return self.forecasts

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The classes (with predicted classes), the criteria, the thresholds (with probabilities),
            and plots.
        """
        return _ordinal_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers in the layout of `classification_report`.

        Returns
        -------
        dict
            For each class name, "macro avg" and "weighted avg": a dict of the measures, where
            classes also have "n_samples" if the samples have weights; "accuracy": a float;
            "criteria": a dict of floats. If there are probabilities, "thresholds": for each
            threshold a dict of its measures. If there are intervals, "intervals": for each
            criterion with an interval, a dict of "value", "low" and "high". If there are diagnostic
            measures, "diagnostics": for "threshold" and "class", a dict by the name of the
            threshold or class of dicts by the measure of "value", "low" and "high". If samples
            without a prediction are counted, "unanswered" and "answered": the number of samples
            without and with a prediction, and "of_answered": a list of the criteria that use only
            the answered samples, as accuracy and the measures of the classes do. If a prevalence
            was given, "prevalence": a list with the share of each true class. If the true classes
            are grades of several raters, "ceilings": for each criterion of predicted classes what
            `Ceiling.to_dict` returns. Undefined values are None. Without predicted classes, only
            "criteria", "intervals", "thresholds" and "prevalence".

        Raises
        ------
        ValueError
            If a class has the name of another key.
        """
        clashing = sorted(_NOT_FOR_CLASSES.intersection(self.target_names))
        if clashing:
            raise ValueError(
                f"target_names must differ from the other keys of the dict, got "
                f"{', '.join(clashing)}: rename the class, or use to_frame."
            )
        confusion = self.confusion
        numbers = {**self._classes_to_dict(), "criteria": dict(self.criteria)}
        if self.per_threshold:
            names = scales.threshold_names(self.target_names)
            numbers["thresholds"] = _by_name(names, self.per_threshold)
        if self.intervals:
            numbers["intervals"] = {
                name: _value_and_ends(interval) for name, interval in self.intervals.items()
            }
        if self.diagnostics is not None:
            by_name = _diagnostics_by_name(self.diagnostics, self.target_names)
            numbers["diagnostics"] = {
                split: {
                    name: {measure: _value_and_ends(value) for measure, value in row.items()}
                    for name, row in rows.items()
                }
                for split, rows in by_name.items()
            }
        if confusion is not None and confusion.unanswered is not None:
            numbers["unanswered"] = confusion_counts.n_unanswered(confusion)
            numbers["answered"] = confusion.counts.sum().item()
            numbers["of_answered"] = [
                name
                for name, metric in self.metrics.items()
                if _sections.n_left_out(metric, confusion)
            ]
        if self.prevalence is not None:
            numbers["prevalence"] = self.prevalence
        if self.ceilings:
            numbers["ceilings"] = {
                name: ceiling.to_dict() for name, ceiling in self.ceilings.items()
            }
        plain_numbers: dict[str, Any] = json_files.plain(numbers)
        return plain_numbers

    def _classes_to_dict(self) -> dict[str, Any]:
        if self.confusion is None:
            return {}
        # If the support is a sum of weights, add the number of answered samples of each class.
        numbers = self.confusion.sample_counts
        sizes = {} if numbers is None else {"n_samples": numbers[:, :-1].sum(axis=1)}
        return {
            **_by_name(self.target_names, {**self.per_class, **sizes}),
            "accuracy": float(catalogue.METRICS["accuracy"](self.confusion)),
            **self.averages,
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion, then for each measure of a class or threshold."""
        class_rows = [
            {"criterion": measure, "class": name, "value": value}
            for measure, values in self.per_class.items()
            for name, value in zip(self.target_names, values.tolist(), strict=True)
        ]
        average_rows = [
            {"criterion": measure, "class": name, "value": value}
            for name, average in self.averages.items()
            for measure, value in average.items()
        ]
        measures = [*class_rows, *average_rows]
        criteria = [self._criterion_record(name) for name in self.criteria]
        ladder = _report_ladder(self)
        for record in criteria:
            name = record["criterion"]
            if ladder is not None and name in ladder.metrics:
                score = ladder.scores[name]
                record |= {"low": score.low, "high": score.high, **ladder.references[name]}
            if name in self.intervals:
                interval = self.intervals[name]
                record |= {"low": interval.low, "high": interval.high}
        confusion = self.confusion
        if confusion is not None and confusion_counts.n_unanswered(confusion):
            for record in measures:
                record["n_left_out"] = confusion_counts.n_unanswered(confusion)
            for record in criteria:
                metric = self.metrics[record["criterion"]]
                record["n_left_out"] = _sections.n_left_out(metric, confusion)
        return [*criteria, *measures, *self._threshold_records(), *self._diagnostic_records()]

    def _criterion_record(self, name: str) -> dict[str, Any]:
        lowest, highest = self.metrics[name].bounds(self.n_classes)
        return {
            "criterion": name,
            "class": None,
            "value": self.criteria[name],
            "better": _sections.direction_as_text(self.metrics[name]),
            "lowest": lowest,
            "highest": highest,
            **_ceilings.ceiling_record(self.ceilings.get(name)),
        }

    def _threshold_records(self) -> list[dict[str, Any]]:
        names = scales.threshold_names(self.target_names)
        return [
            {"criterion": measure, "class": None, "threshold": name, "value": value}
            for measure, values in self.per_threshold.items()
            for name, value in zip(names, values.tolist(), strict=True)
        ]

    def _diagnostic_records(self) -> list[dict[str, Any]]:
        if self.diagnostics is None:
            return []
        return [
            {
                "criterion": measure,
                "class": name if split == "class" else None,
                "threshold": name if split == "threshold" else None,
                **_value_and_ends(interval),
            }
            for split, rows in _diagnostics_by_name(self.diagnostics, self.target_names).items()
            for name, row in rows.items()
            for measure, interval in row.items()
        ]


class _ReportOptions(SampleReadingOptions, total=False):
    """The options of `ordinal_report`, except the one that its return type depends on."""

    y_proba: ArrayLike | OrdinalForecasts | None
    target_names: Sequence[str] | None
    metrics: MetricsLike | None
    prevalence: ArrayLike | None
    intervals: bool
    diagnostics: bool
    digits: int
    zero_division: ZeroDivision


@overload
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    output_dict: Literal[False] = False,
    **options: Unpack[_ReportOptions],
) -> str: ...
@overload
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    output_dict: Literal[True],
    **options: Unpack[_ReportOptions],
) -> dict[str, Any]: ...
@counting.takes_reading(SampleReadingOptions)
def ordinal_report(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    *,
    y_proba: ArrayLike | OrdinalForecasts | None = None,
    target_names: Sequence[str] | None = None,
    metrics: MetricsLike | None = None,
    prevalence: ArrayLike | None = None,
    intervals: bool = False,
    diagnostics: bool = False,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
    **reading: Unpack[SampleReadingOptions],
) -> str | dict[str, Any]:
    """Report on ordinal predictions, as `classification_report` does for nominal ones.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, as in `OrdinalConfusion.from_soft_labels`; or an
        `OrdinalConfusion`, `OrdinalForecasts` or other evidence, passed instead of the arrays and
        their options, such as `labels`.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted classes. They may be omitted only if `y_true` is evidence.
    **reading
    y_proba : array-like of shape (n_samples, n_classes) or OrdinalForecasts, default=None
        Predicted probabilities of the classes from the lowest to the highest, for the
        criteria of probabilities and the measures of the thresholds.
    target_names : sequence of str, default=None
        Names to show for the classes, in the order of the scale.
    metrics : str, callable, iterable or dict of them, default=None
        The criteria, in any form that `get_metric` accepts, or "all" for all criteria of this
        package that can be computed. If None, the six defaults of `cross_val_report` for predicted
        classes, six criteria of probabilities for probabilities, and all criteria for other
        evidence.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest. All measures and criteria are
        computed at these shares; see `OrdinalConfusion.at_prevalence`. If None, the observed class
        sizes are used.
    intervals : bool, default=False
        Whether to add the 95% interval of each criterion in closed form.
    diagnostics : bool, default=False
        Whether to add the sensitivity, specificity, predictive values and likelihood ratios of each
        threshold and class, with 95% intervals.
    digits : int, default=2
        Number of digits after the decimal point in the text.
    output_dict : bool, default=False
        If True, return a dict instead of text.
    zero_division : {"warn", 0.0, 1.0, np.nan}, default="warn"
        Value of an undefined precision, recall or f1. "warn" stands for 0.0 with a
        warning; any other value also silences the warning about undefined criteria.

    Returns
    -------
    str or dict
        For each class precision, recall, f1, mean absolute error (MAE) and bias in positions on the
        scale, share within 1 class, and support; their averages; and each chosen criterion with its
        range and direction. If there are more than 20 classes, the text only has the 10 with the
        largest MAE and the 5 with the most samples. With probabilities, also for each threshold
        between neighbouring classes the prevalence, area under the ROC curve (AUC), equal error
        rate (EER), and the miscalibration, discrimination and uncertainty components of the ranked
        probability score.

    Raises
    ------
    ValueError
        If the order of the classes is not known, a class is not in `labels`, rows of
        `y_proba` are not probabilities of these classes, a criterion is not known or
        needs the estimator or probabilities that are not given, `target_names` does not
        name each class once, `y_pred` is missing, or another option is not valid.

    See Also
    --------
    OrdinalReport : The report as an object.
    GroupReport : Compare groups of samples, such as countries.

    Examples
    --------
    >>> from sklearn_ordinal import ordinal_report
    >>> print(ordinal_report([0, 1, 2, 2, 1], [0, 2, 2, 1, 1]))
    cem_ord is 0.75, better than 0.59 for always predicting 1, the best constant.
    <BLANKLINE>
    5 samples, 3 classes from 0 (lowest) to 2 (highest).
    ...
    """
    checks.check_bool("output_dict", output_dict)
    report = OrdinalReport.from_predictions(
        y_true,
        y_pred,
        y_proba=y_proba,
        target_names=target_names,
        metrics=metrics,
        prevalence=prevalence,
        intervals=intervals,
        diagnostics=diagnostics,
        digits=digits,
        zero_division=zero_division,
        **reading,
    )
    return report.to_dict() if output_dict else report.to_text()


def _check_evidence(evidence: Sequence[Any]) -> None:
    """Raise unless the items are evidence on the same scale, and not stacks."""
    kinds = [evidence_kinds.own_kind(part) for part in evidence]
    if not kinds or None in kinds:
        raise ValueError(
            f"evidence must contain at least one OrdinalConfusion or other evidence, and nothing "
            f"else, got {checks.shown(evidence)}."
        )
    for kind, part in zip(kinds, evidence, strict=True):
        assert kind is not None
        kind.check_one(part)
        if part.scale != evidence[0].scale:
            raise ValueError(
                f"evidence must be on one scale, got {checks.listed(evidence[0].scale.labels)} and "
                f"{checks.listed(part.scale.labels)}."
            )


def _read_evidence(
    y_true: Any, y_pred: Any, y_proba: Any, reading: ReadingOptions
) -> tuple[Evidence, ...]:
    """Return the evidence that was passed, or read counts and probabilities from arrays."""
    if not evidence_reading.is_evidence(y_true, y_pred):
        if evidence_reading.is_evidence(y_proba):
            raise ValueError(
                f"y_proba must be an array if y_true is one, got {type(y_proba).__name__}: pass an "
                f"OrdinalConfusion for y_true."
            )
        confusion = evidence_reading.read_confusion(y_true, y_pred, reading)
        if y_proba is None:
            return (confusion,)
        options = counting.options_on_scale(reading, confusion.scale)
        return confusion, OrdinalForecasts.from_probabilities(y_true, y_proba, **options)
    evidence_reading.check_nothing_beside(reading, y_pred=y_pred)
    if y_proba is None:
        return (y_true,)
    if isinstance(y_true, OrdinalForecasts):
        raise ValueError(
            f"y_proba must be left out if y_true is OrdinalForecasts, which holds the "
            f"probabilities, got {checks.shown(y_proba)}."
        )
    if not isinstance(y_proba, OrdinalForecasts):
        raise ValueError(
            f"y_proba must be an OrdinalForecasts if y_true is an {type(y_true).__name__}, got "
            f"{checks.shown(y_proba)}: make one with OrdinalForecasts.from_probabilities."
        )
    _check_same_classes(y_true, y_proba)
    return y_true, y_proba


def _ceilings_of_items(
    ratings: OrdinalRatings, metrics: Iterable[OrdinalMetric], sample_weight: Any
) -> ByMetric:
    """Return the ceilings of the criteria of counts for items with these weights."""
    weight = None
    if sample_weight is not None:
        joined = containers.joined_by_item("sample_weight", sample_weight, ratings.items)
        weight = np.asarray(joined, dtype=np.float64)
    rated = filter(_ceilings.may_have_ceiling, metrics)
    return _ceilings.ceilings_by_metric(ratings, rated, _ceilings.CEILING_LEVEL, weight=weight)


def _check_same_classes(evidence: Any, forecasts: OrdinalForecasts) -> None:
    """Raise if the class sizes show that the forecasts are for different samples or weights."""
    if forecasts.weights.ndim > 1 or forecasts.scale != evidence.scale:
        return  # Creating the report raises an error.
    sizes, forecast = getattr(evidence, "class_counts", None), forecasts.class_counts
    if sizes is not None and not tolerances.are_same_sizes(sizes, forecast):
        raise ValueError(
            f"y_proba must be for the samples and weights of y_true, whose true classes have the "
            f"sizes {checks.listed(sizes)}, got the sizes {checks.listed(forecast)}."
        )


def _criteria_values(
    metrics: Iterable[OrdinalMetric],
    evidence: Sequence[Evidence],
    values: Mapping[str, float],
    *,
    is_silent: bool,
) -> ByMetric:
    """Return a dict with the value of each metric, computed unless it is in `values`."""
    with warnings.catch_warnings():
        if is_silent:
            # Criteria from other packages issue their own warnings.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        return ByMetric(
            {
                metric.name: values[metric.name]
                if metric.name in values
                else _criterion_value(metric, evidence)
                for metric in metrics
            }
        )


def _criteria_intervals(
    metrics: Collection[OrdinalMetric], evidence: Sequence[Evidence]
) -> ByMetric:
    """Return the interval of each criterion with influences, in closed form."""
    intervals: dict[str, Interval] = {}
    with warnings.catch_warnings():
        # Undefined ends are shown as such.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for part in evidence:
            batch = [m for m in metrics if m.has_influence and m.evidence.pick(evidence) is part]
            if batch:
                intervals |= _intervals.delta_interval(part, metrics=batch)
    return ByMetric({m.name: intervals[m.name] for m in metrics if m.name in intervals})


def _criterion_value(metric: OrdinalMetric, evidence: Sequence[Evidence]) -> float:
    sufficient = metric.evidence.pick(evidence)
    needs_probabilities = metric.evidence.argument == evidence_kinds.PROBABILITIES.argument
    if (
        sufficient is None
        and evidence_kinds.LABELS.pick(evidence) is not None
        and needs_probabilities
    ):
        needed = " or ".join(sorted({evidence_kinds.PROBABILITIES.noun, metric.evidence.noun}))
        raise ValueError(
            f"{metric.name} needs {needed}, but only labels are given: pass y_proba= to "
            f"OrdinalReport.from_predictions, or use OrdinalReport.from_estimator, "
            f"cross_val_report or compare_estimators, which have the estimator."
        )
    # If the evidence does not suffice, the metric raises an error that says what to pass.
    return float(metric(evidence[0] if sufficient is None else sufficient))


def _by_name(
    names: Sequence[str], columns: Mapping[str, NDArray[Any]]
) -> dict[str, dict[str, Any]]:
    """Return a dict of the measures for each class or threshold."""
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return {
        name: dict(zip(columns, row, strict=True)) for name, row in zip(names, rows, strict=True)
    }
