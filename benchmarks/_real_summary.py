"""A summary in words of the conclusions that the real data support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from _real_questions import CEM, KEPT, QUESTIONS, REFERENCES, Floats, Results
from _real_systems import BASELINES, OPTIMAL, TUNED
from numpy.typing import NDArray
from scipy.stats import rankdata

from sklearn_ordinal.inference import Interval

ADJUSTED = "cem_ord_adjusted"
UNDEFINED = "undefined"
# The largest number of criteria that are named in a sentence.
_MOST_NAMES = 8


@dataclass(frozen=True)
class Choices:
    """Systems that the criteria choose.

    Parameters
    ----------
    same_best : ndarray of shape (n_metrics,)
        Share of data sets and repetitions in which the best system by CEM_ORD is also the best by
        the criterion.
    prefers_optimal : ndarray of shape (n_metrics,)
        Share of classifiers and data sets for which CEM-optimal decisions are better than the
        predictions of the classifier.
    best_decides : ndarray of shape (n_metrics,)
        Number of data sets on which the best system, or each of the best systems, makes CEM-optimal
        decisions.
    below_baseline : ndarray of shape (n_data_sets, n_metrics)
        Share of the systems that have learned from the features but are worse than the best
        baseline.
    """

    same_best: Floats
    prefers_optimal: Floats
    best_decides: NDArray[np.int64]
    below_baseline: Floats


def choices(results: Results) -> Choices:
    """Return which systems the criteria choose."""
    answers = results.answers.values()
    systems = np.array(results.systems)
    is_best = np.array(
        [_is_best(one.ranks) for of_data in answers for one in of_data.agreement_of_repeats]
    )
    best_by_cem = is_best[..., results.of(CEM)].argmax(axis=1)
    ranks = np.array([of_data.agreement.ranks for of_data in answers])
    optimal = np.flatnonzero(np.char.endswith(systems, OPTIMAL))
    own = [results.systems.index(systems[row].removesuffix(OPTIMAL)) for row in optimal]
    decides = np.array([name.endswith((OPTIMAL, TUNED)) for name in results.systems])
    is_baseline = np.isin(systems, BASELINES)
    best_baseline = ranks[:, is_baseline].min(axis=1, keepdims=True)
    return Choices(
        np.mean(is_best[np.arange(len(is_best)), best_by_cem], axis=0),
        np.mean(ranks[:, optimal] < ranks[:, own], axis=(0, 1)),
        np.all(decides[:, None] | ~_is_best(ranks), axis=1).sum(axis=0),
        np.mean(ranks[:, ~is_baseline] > best_baseline, axis=1),
    )


def _is_best(ranks: Floats) -> NDArray[np.bool_]:
    return ranks == ranks.min(axis=-2, keepdims=True)


def summary(results: Results) -> str:
    """Return a list of the conclusions for and against CEM_ORD."""
    means = {
        question: np.array([one.estimate for one in results.estimates(question)])
        for question in QUESTIONS
    }
    lines = [
        *(_of_question(results, question) for question in QUESTIONS),
        _by_reference(results),
        _by_data_set(results),
        _by_systems(results),
        _dominance(results, means),
        _chance(results, means),
        _changes(results),
        _decisions(results),
        _without_merit(results, means),
        _undefined(results),
        _verdict(results, means),
    ]
    return "\n".join(f"- {line}" for line in lines if line)


def _of_question(results: Results, question: str) -> str:
    cem = results.of(CEM)
    intervals = results.estimates(question)
    values = np.array([interval.estimate for interval in intervals])
    highest = ", ".join(
        f"{code(results.metrics[row])} {values[row]:.2f}" for row in best_first(intervals)[:3]
    )
    differences = results.differences(question)
    above = [row for row, one in enumerate(differences) if one.low > 0]
    below = [row for row, one in enumerate(differences) if one.high < 0]
    return (
        f"{QUESTIONS[question].capitalize()}: CEM_ORD has {cell(intervals[cem])} and rank "
        f"{ranks_of(values)[cem]} of {len(values)}; the highest are {highest}. Beyond the spread "
        f"over data sets, {_named(results, above)} higher and {_named(results, below)} lower."
    )


def _by_reference(results: Results) -> str:
    cem = results.of(CEM)
    found = []
    for reference in REFERENCES:
        coverage = results.coverage(reference).mean(axis=0)
        found.append(f"{reference} {coverage[cem]:.2f} (rank {ranks_of(coverage)[cem]})")
    return f"Coverage of CEM_ORD by the set of reference metrics: {', '.join(found)}."


def _by_data_set(results: Results) -> str:
    coverage = results.coverage("paper")
    cem = results.of(CEM)
    each = ", ".join(
        f"{name} {row[cem]:.2f} (rank {ranks_of(row)[cem]})"
        for name, row in zip(results.answers, coverage, strict=True)
    )
    left_out = {
        name: ranks_of(np.delete(coverage, row, axis=0).mean(axis=0))[cem]
        for row, name in enumerate(results.answers)
    }
    best, worst = min(left_out, key=left_out.__getitem__), max(left_out, key=left_out.__getitem__)
    return (
        f"Coverage of CEM_ORD by data set, with the reference metrics of the paper: {each}. Its "
        f"rank is {left_out[best]} without {best} and {left_out[worst]} without {worst}."
    )


def _by_systems(results: Results) -> str:
    found = []
    for kept in list(KEPT)[1:]:
        ranks = []
        for question, name in QUESTIONS.items():
            values = np.array([one.estimate for one in results.estimates(question, kept)])
            ranks.append(f"{ranks_of(values)[results.of(CEM)]} ({name})")
        found.append(f"{kept} {', '.join(ranks)}")
    return f"Rank of CEM_ORD with other systems: {'; '.join(found)}."


def _dominance(results: Results, means: dict[str, Floats]) -> str:
    values = np.array(list(means.values()))
    cem = values[:, [results.of(CEM)]]
    above = np.flatnonzero(np.all(values > cem, axis=0)).tolist()
    below = np.flatnonzero(np.all(values < cem, axis=0)).tolist()
    return (
        f"By all four questions, {_named(results, above)} higher than CEM_ORD and "
        f"{_named(results, below)} lower."
    )


def _chance(results: Results, means: dict[str, Floats]) -> str:
    below = choices(results).below_baseline
    shares = []
    for metric in (CEM, ADJUSTED, "accuracy", "ordinal_mean_absolute_error"):
        of_metric = below[:, results.of(metric)]
        where = [
            f"{share:.0%} on {name}"
            for name, share in zip(results.answers, of_metric, strict=True)
            if share
        ]
        shares.append(f"by {code(metric)} {_and(where, none='none')}")
    adjusted = ", ".join(
        f"{name} {means[question][results.of(ADJUSTED)]:.2f}"
        for question, name in QUESTIONS.items()
    )
    return (
        f"Systems that have learned and are worse than a baseline: {'; '.join(shares)}. The form "
        f"that is adjusted for chance, {code(ADJUSTED)}, has {adjusted}."
    )


def _decisions(results: Results) -> str:
    found = choices(results)
    shares = ", ".join(
        f"{found.prefers_optimal[results.of(metric)]:.0%} of the cases by {code(metric)}"
        for metric in (
            CEM,
            "accuracy",
            "ordinal_mean_absolute_error",
            "macro_averaged_mean_absolute_error",
            "kendall_tau_a",
        )
    )
    others = np.delete(found.same_best, results.of(CEM))
    return (
        f"CEM-optimal decisions are better than those of the classifier itself in {shares}. "
        f"The best system by another criterion is that of CEM_ORD in {np.median(others):.0%} of "
        f"the repetitions for the median criterion, and in at most {others.max():.0%}."
    )


def _changes(results: Results) -> str:
    agreements = [one.agreement for one in results.answers.values()]
    n_pairs = len(results.systems) * (len(results.systems) - 1) / 2
    changed = [len(one.changed_winners.pairs) / n_pairs for one in agreements]
    n_best = [len(np.unique(one.ranks.argmin(axis=0))) for one in agreements]
    return (
        f"The winner changes with the criterion for {min(changed):.0%} to {max(changed):.0%} of "
        f"the pairs of systems of a data set, and the criteria choose {min(n_best)} to "
        f"{max(n_best)} different systems as the best."
    )


def _undefined(results: Results) -> str:
    halves = np.concatenate(
        [one.values["all systems"]["halves"] for one in results.answers.values()]
    )
    missing = np.isnan(halves).sum(axis=0)
    found = ", ".join(
        f"{code(name)} {number}"
        for name, number in zip(results.metrics, missing, strict=True)
        if number
    )
    if not found:
        return ""
    return (
        f"Robustness between halves is undefined where all systems are tied, of {len(halves)} "
        f"repetitions on all data sets: {found}."
    )


def _without_merit(results: Results, means: dict[str, Floats]) -> str:
    """Say which criteria prefer a baseline to every system, and how they fare."""
    below = choices(results).below_baseline.min(axis=0)
    found = [
        f"{code(results.metrics[row])}, with rank "
        + ", ".join(
            f"{ranks_of(means[question])[row]} by {QUESTIONS[question]}"
            for question in ("halves", "data_sets", "power")
        )
        for row in np.flatnonzero(below == 1)
    ]
    if not found:
        return ""
    return (
        f"Robustness and power do not show that a criterion measures what matters. On each data "
        f"set, a baseline is the best system by {'; '.join(found)}."
    )


def _verdict(results: Results, means: dict[str, Floats]) -> str:
    n_metrics = len(results.metrics)
    values = {
        f"coverage ({reference})": results.coverage(reference).mean(axis=0)
        for reference in REFERENCES
    }
    values |= {QUESTIONS[name]: one for name, one in means.items() if name != "coverage"}
    ranks = {name: ranks_of(one)[results.of(CEM)] for name, one in values.items()}
    first = [name for name, rank in ranks.items() if rank <= n_metrics / 4]
    last = [name for name, rank in ranks.items() if rank > n_metrics / 2]
    return (
        f"CEM_ORD is in the first quarter of the criteria by {_and(first)}, and in the second half "
        f"by {_and(last)}."
    )


def _named(results: Results, rows: Sequence[int]) -> str:
    if not rows:
        return "no criterion is"
    if len(rows) > _MOST_NAMES:
        return f"{len(rows)} criteria are"
    names = _and([code(results.metrics[row]) for row in rows])
    return f"{names} {'is' if len(rows) == 1 else 'are'}"


def _and(names: Sequence[str], none: str = "none of these") -> str:
    if not names:
        return none
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


# --- numbers ---------------------------------------------------------------------------


def best_first(intervals: Sequence[Interval]) -> list[int]:
    """Return the positions sorted by the estimate, with undefined estimates last."""
    order: list[int] = np.argsort([-one.estimate for one in intervals], kind="stable").tolist()
    return order


def ranks_of(values: Floats) -> NDArray[np.int64]:
    """Return the ranks, 1 for the highest value; equal values have the better rank."""
    ranks: NDArray[np.int64] = rankdata(-np.nan_to_num(values, nan=-np.inf), "min").astype(int)
    return ranks


def cell(interval: Any) -> str:
    """Return an estimate and its interval."""
    return value_with_ends(interval.estimate, interval.low, interval.high)


def value_with_ends(value: float, low: float, high: float) -> str:
    """Return a value with the two values that it lies between."""
    return UNDEFINED if np.isnan(value) else f"{value:.2f} ({low:.2f} to {high:.2f})"


def code(metric: str) -> str:
    return f"``{metric}``"
