"""The document of a score ladder."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Table,
    cell_text,
    counted,
    names_in_words,
)
from sklearn_ordinal.reports._ceilings_document import ceiling_notes
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import interval_name, intervals_table, samples_in_words
from sklearn_ordinal.reports._verdicts import value_verdict

if TYPE_CHECKING:
    from sklearn_ordinal.reports._score_ladder import ScoreLadder

_DIGITS = 3
_HOW_TO_READ = (
    "worst: the worst value of predictions for all samples of these classes. uniform, stratified: "
    "the expected value of random guesses, where all classes are equally likely, or as likely as "
    "in the truth. constant: the best value of always predicting one class. best: the value of "
    "perfect predictions."
)
_TO_GET_INTERVALS = (
    "bootstrap_interval computes intervals from the labels of at least two samples, or from what "
    "OrdinalConfusion.from_predictions returns for them."
)
_REFERENCE_TITLES = {
    "worst": "worst",
    "uniform_guesses": "uniform",
    "stratified_guesses": "stratified",
    "best_constant": "constant",
}


def score_ladder_document(ladder: ScoreLadder) -> Document:
    """Return the samples, the ladder and how it was made."""
    return Document(
        "Score ladder",
        (Note(_summary(ladder)), *score_ladder_parts(ladder)),
        footer=footer(ladder.provenance),
        verdict=(Note(_verdict(ladder)),),
    )


def _verdict(ladder: ScoreLadder) -> str:
    """Compare the value of the first criterion, or random guesses, with the best constant."""
    name, metric = next(iter(ladder.metrics.items()))
    constant = ladder.references[name]["best_constant"]
    if ladder.scores:
        return value_verdict(metric, ladder.scores[name], constant, "the best constant", _DIGITS)
    guesses = ladder.references[name]["stratified_guesses"]
    best, expected = (
        cell_text(value, Column("", "number"), _DIGITS) for value in (constant, guesses)
    )
    if np.isnan(guesses):
        return f"{name} has no value for guesses."
    if np.isnan(constant):
        return f"{name}: stratified guesses have {expected}, constants have no value."
    return f"{name}: the best constant has {best}, stratified guesses {expected}."


def _summary(ladder: ScoreLadder) -> str:
    amount = ladder.class_counts.sum().item()
    names = [str(label) for label in ladder.scale.labels.tolist()]
    if ladder.is_weighted and math.isclose(amount, 1):
        classes = counted(len(names), "class")
        return f"Shares of {classes} from {names[0]} (lowest) to {names[-1]} (highest)."
    unanswered = amount_as_text(ladder.n_unanswered)
    which = f" ({unanswered} unanswered)" if ladder.n_unanswered else ""
    return samples_in_words(amount, names, is_weighted=ladder.is_weighted, which=which)


def score_ladder_parts(
    ladder: ScoreLadder, to_get_intervals: str = _TO_GET_INTERVALS
) -> tuple[Part, ...]:
    """Return the table of the ladder, the intervals, the plot of the first criterion, and notes.

    If criteria have no interval, the sentence `to_get_intervals` says how to get them.
    """
    table = _table(ladder)
    criterion = next(iter(ladder.metrics))
    intervals = {name: score for name, score in ladder.scores.items() if not np.isnan(score.low)}
    return (
        table,
        *((intervals_table("Intervals of the values", intervals),) if intervals else ()),
        Figure(
            ladder.plot,
            f"Score ladder of {criterion}",
            f"Values on the score ladder of {criterion}",
            _first_row(ladder, table),
        ),
        *(Note(text, is_small=True) for text in _notes(ladder, to_get_intervals)),
    )


def _table(ladder: ScoreLadder) -> Table:
    columns = (
        Column("criterion"),
        *(Column(title, "number") for title in _REFERENCE_TITLES.values()),
        *((Column("value", "number"),) if ladder.scores else ()),
        *((Column("ceiling", "interval"),) if ladder.ceilings else ()),
        # For most criteria, the best value is the end of their range.
        Column("best", "number", is_detail=True),
    )
    rows = (
        (
            name,
            *(values[reference] for reference in _REFERENCE_TITLES),
            *((ladder.scores[name].estimate,) if ladder.scores else ()),
            *((ladder.ceilings[name].bracket,) if ladder.ceilings else ()),
            values["best"],
        )
        for name, values in ladder.references.items()
    )
    return Table("From the worst value to the best", columns, tuple(rows))


def _first_row(ladder: ScoreLadder, table: Table) -> Table:
    """Return the values of the first criterion, with the interval if there is one."""
    *values, best = table.rows[0]
    *columns, _ = table.columns
    score = next(iter(ladder.scores.values()), None)
    if score is not None and not np.isnan(score.low):
        columns.append(Column(interval_name(score.confidence_level), "interval"))
        values.append((score.low, score.high))
    return Table(table.title, (*columns, Column("best", "number")), ((*values, best),))


def _notes(ladder: ScoreLadder, to_get_intervals: str) -> list[str]:
    """Return how to read the ladder, and why values are missing."""
    texts = [_HOW_TO_READ]
    if ladder.ceilings:
        texts += ceiling_notes(ladder.ceilings)
    references = ladder.references
    no_worst = [
        name
        for name, values in references.items()
        if np.isnan(values["worst"]) and not np.isnan(values["best"])
    ]
    if no_worst:
        texts.append(
            f"The worst value is only known for criteria that are sums of costs, and not for "
            f"{names_in_words(no_worst)}."
        )
    simulated = [name for name, n_draws in ladder.n_draws.items() if n_draws]
    if simulated:
        n_draws = max(ladder.n_draws[name] for name in simulated)
        error = max(ladder.simulation_error[name] for name in simulated)
        texts.append(
            f"For {names_in_words(simulated)}, the values of guesses are means of up to "
            f"{counted(n_draws, 'random draw')}, with a standard error of at most {error:.2g}. All "
            f"other values of guesses are exact."
        )
    no_guesses = [
        name
        for name, values in references.items()
        if np.isnan(values["uniform_guesses"]) and not np.isnan(values["best"])
    ]
    if no_guesses:
        texts.append(
            f"For {names_in_words(no_guesses)}, guesses would have to be drawn, which needs "
            f"numbers of samples, or the samples that OrdinalConfusion.from_predictions counts."
        )
    no_constant = [
        name
        for name, values in references.items()
        if np.isnan(values["best_constant"]) and not np.isnan(values["best"])
    ]
    if no_constant:
        texts.append(f"Undefined for every constant class: {names_in_words(no_constant)}.")
    if (ladder.class_counts == 0).any():
        texts.append("Guesses and constants take only the classes that occur in the truth.")
    if ladder.n_unanswered:
        texts.append(
            "The worst predictions, guesses and constants answer each sample, so a value may lie "
            "below the worst one. Criteria that leave unanswered samples out are computed from the "
            "class sizes of the answered samples."
        )
    no_intervals = [
        name
        for name, score in ladder.scores.items()
        if np.isnan(score.low) and not np.isnan(score.estimate)
    ]
    if no_intervals:
        texts.append(f"There is no interval of {names_in_words(no_intervals)}. {to_get_intervals}")
    return texts
