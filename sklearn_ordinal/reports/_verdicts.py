"""What comparisons show, in sentences: by each criterion, and by all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sklearn_ordinal._core import OrdinalMetric
from sklearn_ordinal.documents import Note, names_in_words
from sklearn_ordinal.inference import difference_in_words
from sklearn_ordinal.reports._model_comparison import ModelComparison, best_first

# The most criteria that have a sentence each at the top of a report.
_FEW_CRITERIA = 6


def verdict(
    metric: OrdinalMetric,
    rows: Mapping[str, ModelComparison],
    reference: str | None,
    *,
    baselines: Collection[str],
    role: str,
    n_folds: int,
) -> str:
    """Say whether the estimator of the best rank is shown to beat the reference, and its role."""
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
    n_defined = n_folds - difference.n_undefined
    remarks = [f"from {n_defined} of {n_folds} folds"] if difference.n_undefined else []
    if np.isinf([row.score.estimate, rows[reference].score.estimate]).any():
        remarks = ["a mean is infinite, so the difference cannot be tested"]
    elif not n_defined:
        remarks = ["no fold has a value of both"]
    elif np.isnan(row.adjusted_pvalue):
        remarks = ["on one fold, which cannot be tested"]
    sentence = difference_in_words(
        difference,
        _with_ties(others, rows),
        reference,
        role=role,
        adjusted_pvalue=row.adjusted_pvalue,
        remarks=remarks,
    )
    return f"{by}, {sentence}."


def _with_ties(names: Sequence[str], rows: Mapping[str, ModelComparison]) -> str:
    """Return the first name, with those that share its rank."""
    tied = [name for name in names[1:] if rows[name].rank == rows[names[0]].rank]
    return f"{names[0]} (tied with {', '.join(tied)})" if tied else names[0]


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


def agreement(winners: Mapping[str, Sequence[str]], what: str = "estimators") -> str:
    """Say which estimators or systems have rank 1, and whether the criteria agree.

    All that are tied by a criterion are named.
    """
    first_ranks = {criterion: tuple(names) for criterion, names in winners.items() if names}
    if not first_ranks:
        return "No criterion has a value."
    n_criteria, first = len(first_ranks), next(iter(first_ranks))
    if len(set(first_ranks.values())) == 1:
        every = {1: first, 2: "both criteria"}.get(n_criteria, f"all {n_criteria} criteria")
        return f"Ranked first by {every}: {_tied_in_words(first_ranks[first])}."
    if n_criteria > _FEW_CRITERIA:
        numbers = Counter(first_ranks.values()).most_common()
        parts = [f"{_tied_in_words(names)} by {n} of {n_criteria}" for names, n in numbers]
    else:
        parts = [f"{_tied_in_words(names)} by {name}" for name, names in first_ranks.items()]
    if set(first_ranks[first]).intersection(*first_ranks.values()):
        return f"Ranked first: {'; '.join(parts)}."
    return f"The criteria rank different {what} first: {'; '.join(parts)}."


def _tied_in_words(names: Sequence[str]) -> str:
    return f"{names_in_words(names)}{' (tied)' if len(names) > 1 else ''}"
