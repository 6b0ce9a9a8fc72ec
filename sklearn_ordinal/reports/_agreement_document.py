"""The document of the report on the agreement of several raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._core import OrdinalMetric
from sklearn_ordinal._documents import (
    MOST_ROWS,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    counted,
    names_in_words,
)
from sklearn_ordinal.inference import is_rejected
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import (
    headline,
    interval_name,
    intervals_table,
    rated_items_in_words,
)

if TYPE_CHECKING:
    from sklearn_ordinal.reports._agreement_report import AgreementReport

# Equal values may differ by rounding errors.
_ROUNDING = 1e-12


def agreement_document(report: AgreementReport) -> Document:
    """Return sentences, the coefficients, the raters for each criterion, and a plot."""
    first, *others = report.metrics.values()
    severity = _severity_table(report)
    items = rated_items_in_words(
        report.n_items_by_grades,
        n_without_weight=report.n_without_weight,
        total_weight=report.total_weight,
        labels=report.scale.labels.tolist(),
        use_of_single_grades="not in the observed agreement",
    )
    verdicts = (
        _agreement_in_words(report),
        *_severity_in_words(report),
        *_lowest_in_words(report),
    )
    return Document(
        "Agreement of raters",
        (
            Note(items),
            _coefficient_table(report),
            *(Note(text, is_small=True) for text in _coefficient_notes(report)),
            *_numbers_of_grades(report),
            Section(
                "Each rater against the others",
                (
                    severity,
                    *_left_out(report),
                    *_alone(report),
                    _rater_table(report, first),
                    Figure(
                        report.plot,
                        "Severity and agreement of the raters",
                        f"Severity of each rater against {first.name} with the others",
                        severity,
                    ),
                    *(_rater_table(report, metric) for metric in others),
                ),
            ),
        ),
        verdict=tuple(map(Note, verdicts)),
        footer=footer(report.provenance),
    )


def _agreement_in_words(report: AgreementReport) -> str:
    alpha = report.coefficients["krippendorff_alpha"]
    if np.isnan(alpha.estimate):
        return "krippendorff_alpha is undefined: all grades that it uses are in one class."
    if np.isnan(alpha.low):
        return f"krippendorff_alpha is {alpha.estimate:.3f}, without an interval."
    start = "The raters agree more than by chance"
    if alpha.low <= 0:
        start = "The raters do not clearly agree more than by chance"
    if alpha.high < 0:
        start = "The raters agree less than by chance"
    return f"{start}: krippendorff_alpha is {alpha}, where 0 is agreement by chance."


def _severity_in_words(report: AgreementReport) -> list[str]:
    """Name the raters whose grades are lower or higher than those of the others."""
    pvalues = np.array(list(report.severity_pvalues.values()))
    is_tested = ~np.isnan(pvalues)
    if not is_tested.any():
        return []
    is_different = is_rejected(pvalues, report.confidence_level)
    values = np.array([interval.estimate for interval in report.severity.values()])
    sides = {
        "lower": is_different & (values < 0),
        "higher": is_different & (values > 0),
    }
    clauses: list[str] = []
    for side, is_on_side in sides.items():
        names = [report.raters[k] for k in np.argsort(-np.abs(values)) if is_on_side[k]]
        if names:
            verb = "gives" if len(names) == 1 else "give"
            others = "" if clauses else " than the others"
            clauses.append(f"{names_in_words(names)} {verb} {side} grades{others}")
    level = f"{1 - report.confidence_level:.3g}"
    if not clauses:
        return [f"No rater gives clearly lower or higher grades than the others (level {level})."]
    return [f"{', and '.join(clauses)} (level {level}, adjusted for all raters)."]


def _lowest_in_words(report: AgreementReport) -> list[str]:
    """Name the rater, or the raters, with the worst value of the first criterion."""
    metric = next(iter(report.metrics.values()))
    raters = _lowest_first(report, metric)
    values = np.array([report.scores[metric.name][rater].estimate for rater in raters])
    is_worst = np.isclose(values, values[0], rtol=0, atol=_ROUNDING)
    # Two raters have the same value by a symmetric criterion.
    if is_worst[~np.isnan(values)].all():
        return []
    worst = "lowest" if metric.greater_is_better else "highest"
    names, score = raters[: int(is_worst.sum())], report.scores[metric.name][raters[0]]
    verb = "has" if len(names) == 1 else "have"
    value = f"{score}" if len(names) == 1 and score.low <= score.high else f"{values[0]:.3f}"
    # The raters may differ by chance, so this names a value and not a fact about the rater.
    return [f"{names_in_words(names)} {verb} the {worst} {metric.name} with the others, {value}."]


def _coefficient_table(report: AgreementReport) -> Table:
    chance = len(report.raters)
    return Table(
        "Coefficients of agreement",
        (
            Column("coefficient"),
            Column("value", "number"),
            Column(interval_name(report.confidence_level), "interval"),
            Column("chance", "number"),
        ),
        tuple(
            (
                name,
                interval.estimate,
                (interval.low, interval.high),
                1 / chance if name == "kendall_w" else 0.0,
            )
            for name, interval in report.coefficients.items()
        ),
    )


def _coefficient_notes(report: AgreementReport) -> list[str]:
    is_named = isinstance(report.weights, str)
    weights = f"{report.weights} weights" if is_named else "a matrix of weights"
    n_complete = report.n_items_by_grades[-1].item()
    complete = f"{counted(n_complete, 'item')} that all raters grade"
    if n_complete < 2:
        complete += f", which {'is' if n_complete == 1 else 'are'} too few"
    return [
        f"krippendorff_alpha is at the {report.level} level; kendall_w uses the {complete}. The "
        f"other coefficients have {weights}."
    ]


def _numbers_of_grades(report: AgreementReport) -> tuple[Part, ...]:
    """Return how many items have how many grades, unless all have the same number."""
    numbers = np.flatnonzero(report.n_items_by_grades)
    if len(numbers) == 1:
        return ()
    n_items = report.n_items_by_grades[numbers]
    if len(numbers) > MOST_ROWS:
        middle = numbers[np.searchsorted(np.cumsum(n_items), n_items.sum() / 2)]
        text = f"The items have {numbers[0]} to {numbers[-1]} grades, and the median is {middle}."
        return (Note(text, is_small=True),)
    return (
        Table(
            "Items by their number of grades",
            (Column("grades", "number", digits=0), Column("items", "number", digits=0)),
            tuple(zip(numbers.tolist(), n_items.tolist(), strict=True)),
        ),
    )


def _severity_table(report: AgreementReport) -> Table:
    pvalues = report.severity_pvalues
    raters = _by_severity(report)
    return Table(
        "Severity, from the lowest grades to the highest",
        (
            Column("rater"),
            Column("items", "number", digits=0),
            Column("severity", "number", is_signed=True),
            Column(interval_name(report.confidence_level), "interval", is_signed=True),
            Column("p (Holm)", "pvalue"),
        ),
        tuple(
            (
                rater,
                report.n_compared[rater],
                report.severity[rater].estimate,
                (report.severity[rater].low, report.severity[rater].high),
                pvalues[rater],
            )
            for rater in raters
        ),
    )


def _by_severity(report: AgreementReport) -> list[str]:
    """Return the raters by severity, or those farthest from 0 if there are many."""

    def distance(rater: str) -> float:
        value = report.severity[rater].estimate
        return -np.inf if np.isnan(value) else abs(value)

    def value(rater: str) -> float:
        estimate = report.severity[rater].estimate
        return np.inf if np.isnan(estimate) else estimate

    farthest = sorted(report.raters, key=distance, reverse=True)[:MOST_ROWS]
    return sorted(farthest, key=value)


def _rater_table(report: AgreementReport, metric: OrdinalMetric) -> Table:
    raters, scores = _lowest_first(report, metric)[:MOST_ROWS], report.scores[metric.name]
    by_rater = {rater: scores[rater] for rater in raters}
    return intervals_table(headline(metric, report.n_classes), by_rater, "rater")


def _lowest_first(report: AgreementReport, metric: OrdinalMetric) -> list[str]:
    """Return the raters from the lowest agreement to the highest; undefined values come last."""
    scores = report.scores[metric.name]
    sign = 1 if metric.greater_is_better else -1

    def rank(rater: str) -> tuple[bool, float]:
        value = scores[rater].estimate
        return bool(np.isnan(value)), 0.0 if np.isnan(value) else sign * value

    return sorted(report.raters, key=rank)


def _left_out(report: AgreementReport) -> tuple[Part, ...]:
    n_raters = len(report.raters)
    if n_raters <= MOST_ROWS:
        return ()
    return (
        Note(
            f"The tables have {MOST_ROWS} of {n_raters} raters: those with the severity "
            f"farthest from 0, and with the lowest agreement. to_frame and to_dict return all."
        ),
    )


def _alone(report: AgreementReport) -> tuple[Note, ...]:
    """Say which raters have no severity."""
    alone = [rater for rater in report.raters if not report.n_compared[rater]]
    if not alone:
        return ()
    verb = "grades" if len(alone) == 1 else "grade"
    text = f"{names_in_words(alone)} {verb} no item that another rater grades."
    return (Note(text, is_small=True),)
