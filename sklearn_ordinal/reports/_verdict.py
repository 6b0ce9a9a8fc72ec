"""What comparisons show, in sentences: by each criterion, and by all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sklearn_ordinal._core import OrdinalMetric
from sklearn_ordinal.documents import Column, Note, as_percent, cell_text, pvalue_in_words
from sklearn_ordinal.inference import PairedDifference, is_rejected
from sklearn_ordinal.reports._model_comparison import ModelComparison, best_first

# The most criteria that have a sentence each at the top of a report.
_FEW_CRITERIA = 6


def verdict(
    metric: OrdinalMetric,
    rows: Mapping[str, ModelComparison],
    reference: str | None,
    *,
    baselines: Collection[str],
    n_folds: int,
) -> str:
    """Say whether the best estimator is shown to beat the reference, and by how much."""
    by = f"By {metric.name}"
    if all(np.isnan(row.score.estimate) for row in rows.values()):
        return f"{by}, nothing could be tested: it has no value on any fold."
    if reference is None:
        return (
            f"{by}, nothing could be tested: what the others are compared with could not be fitted."
        )
    others = [name for name, _ in best_first(rows) if name not in baselines and name != reference]
    if not others:
        return f"{by}, nothing could be tested: only {reference} could be fitted."
    row = rows[others[0]]
    difference = row.difference
    assert difference is not None
    against = f"{reference}, {'the best baseline' if baselines else 'the reference'}"
    best = _with_ties(others, rows)
    is_significant = bool(is_rejected(row.adjusted_pvalue, difference.confidence_level))
    if is_significant and difference.favours == "first":
        start = f"{by}, {best} beats {against}{', ' if metric.greater_is_better else ': '}"
    else:
        start = f"{by}, {best} is not shown to beat {against}: "
        start += "it is worse, " if is_significant else ""
    if np.isinf([row.score.estimate, rows[reference].score.estimate]).any():
        return f"{start}a mean is infinite, so the difference cannot be tested."
    n_defined = n_folds - difference.n_undefined
    if not n_defined:
        return f"{start}no fold has a value of both."
    words, estimate, low, high = _size(difference, metric, is_significant=is_significant)
    if np.isnan(row.adjusted_pvalue):
        return f"{start}{words} {estimate} on one fold, which cannot be tested."
    folds = f", from {n_defined} of {n_folds} folds" if difference.n_undefined else ""
    return (
        f"{start}{words} {estimate} ({as_percent(difference.confidence_level)} interval {low} to "
        f"{high}, adjusted {pvalue_in_words(row.adjusted_pvalue)}{folds})."
    )


def _with_ties(names: Sequence[str], rows: Mapping[str, ModelComparison]) -> str:
    """Return the first name, with those that share its rank."""
    tied = [name for name in names[1:] if rows[name].rank == rows[names[0]].rank]
    return f"{names[0]} (tied with {', '.join(tied)})" if tied else names[0]


def _size(
    difference: PairedDifference, metric: OrdinalMetric, *, is_significant: bool
) -> tuple[str, str, str, str]:
    """Return words for a difference, and its size and interval as they follow these words."""
    words, sign = "difference", 1
    if difference.estimate != 0 and (is_significant or not metric.greater_is_better):
        sign = 1 if difference.estimate > 0 else -1
        words = "by" if metric.greater_is_better else f"{'higher' if sign > 0 else 'lower'} by"
    ends = sorted((sign * difference.low, sign * difference.high))
    numbers = (sign * difference.estimate, *ends)
    estimate, low, high = (cell_text(number, Column("", "number"), 3) for number in numbers)
    return words, estimate, low, high


def placed_verdicts(
    verdicts: Mapping[str, str],
) -> tuple[tuple[Note, ...], dict[str, tuple[Note, ...]]]:
    """Return the verdicts at the top of a report, and those in the section of each criterion.

    Of many criteria, only the first has its verdict at the top.
    """
    if len(verdicts) <= _FEW_CRITERIA:
        return tuple(map(Note, verdicts.values())), dict.fromkeys(verdicts, ())
    first, *others = verdicts
    hint = f"The verdicts by the other {len(others)} criteria are next to their tables."
    in_sections = {criterion: (Note(verdicts[criterion]),) for criterion in others}
    return (Note(verdicts[first]), Note(hint)), {first: (), **in_sections}


def agreement(winners: Mapping[str, Sequence[str]], what: str = "mean") -> str:
    """Say which estimator or system is best, and whether the criteria agree."""
    winners = {criterion: names for criterion, names in winners.items() if names}
    if not winners:
        return "No criterion has a value."
    common = [
        name
        for name in next(iter(winners.values()))
        if all(name in names for names in winners.values())
    ]
    if common:
        every = {1: next(iter(winners)), 2: "both criteria"}.get(
            len(winners), f"all {len(winners)} criteria"
        )
        return f"Best {what} by {every}: {_listed(common)}."
    if len(winners) > _FEW_CRITERIA:
        numbers = Counter(map(_listed, winners.values())).most_common()
        each = "; ".join(f"{names} by {number} of {len(winners)}" for names, number in numbers)
    else:
        each = "; ".join(f"{_listed(names)} by {criterion}" for criterion, names in winners.items())
    return f"The criteria disagree on the best {what}: {each}."


def _listed(names: Sequence[str]) -> str:
    return f"{' and '.join(names)} (tied)" if len(names) > 1 else names[0]
