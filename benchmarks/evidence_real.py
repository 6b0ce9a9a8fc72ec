"""Evidence on real data: criteria evaluated with six data sets and many classifiers.

Each classifier is fitted on a half of the samples and predicts the other half, in repeated
stratified 2-fold cross-validation. The classifiers, with and without decisions for CEM_ORD, are
the systems, and the halves are the test cases. For each criterion there are four questions:

- coverage: does it prefer the systems that all reference metrics prefer?
- robustness between halves: does it order the systems in the same way on both halves of the
  samples?
- robustness between data sets: does it order the systems in the same way on two data sets?
- discriminative power: how many pairs of systems does it separate?
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib.metadata import version

import matplotlib as mpl
import numpy as np
from _real_questions import (
    CEM,
    KEPT,
    QUESTIONS,
    REFERENCES,
    Results,
    agreement_of_data_sets,
    answer,
    mean_of_defined,
)
from _real_summary import (
    UNDEFINED,
    best_first,
    cell,
    choices,
    code,
    ranks_of,
    summary,
    value_with_ends,
)
from _real_systems import DATA_SETS, data_set, models, predictions_of_repetition, systems_of
from _tables import list_table
from _tasks import run_tasks

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import MetricEstimatesDisplay, RankAgreementDisplay

NAME = "Real data"
SEED = 20_261_122
N_REPEATS = 20

FEW_METRICS = (
    CEM,
    "cem_ord_adjusted",
    "accuracy",
    "balanced_accuracy",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
    "mutual_information",
)


def compute(n_jobs: int, part: float) -> Results:
    """Fit all models and answer the questions, with a part of the repetitions."""
    n_repeats = max(2, math.ceil(part * N_REPEATS))
    names = tuple(models())
    tasks = [(name, names, SEED + repeat) for name in DATA_SETS for repeat in range(n_repeats)]
    found = run_tasks(
        predictions_of_repetition, tasks, n_jobs=n_jobs, title="Predictions for real data"
    )
    systems = tuple(system for model in names for system in systems_of(model))
    questions = [
        (name, found[n_repeats * row : n_repeats * (row + 1)], systems, SEED)
        for row, name in enumerate(DATA_SETS)
    ]
    answers = dict(
        zip(
            DATA_SETS,
            run_tasks(answer, questions, n_jobs=n_jobs, title="Criteria on real data"),
            strict=True,
        )
    )
    pairs = run_tasks(
        agreement_of_data_sets,
        [({name: one.systems for name, one in answers.items()}, kept) for kept in KEPT],
        n_jobs=n_jobs,
        title="Pairs of data sets",
    )
    return Results(answers, dict(zip(KEPT, pairs, strict=True)), names, n_repeats)


def outputs(results: Results) -> dict[str, str | Callable[[], mpl.figure.Figure]]:
    """Return the tables and the figures by the name of their files."""
    return {
        "real_data.txt": _table_of_data(results),
        "real_systems.txt": _table_of_systems(results),
        "real_criteria.txt": _table_of_criteria(results),
        "real_differences.txt": _table_of_differences(results),
        "real_coverage.txt": _table_of_coverage(results),
        "real_halves.txt": _table_of_repeats(results, "halves"),
        "real_power.txt": _table_of_repeats(results, "power"),
        "real_references.txt": _table_of_references(results),
        "real_choices.txt": _table_of_choices(results),
        "real_summary.txt": summary(results),
        "real_coverage.svg": lambda: _figure_of_estimates(results, "coverage", "power"),
        "real_robustness.svg": lambda: _figure_of_estimates(results, "halves", "data_sets"),
        "real_agreement.svg": lambda: _figure_of_agreement(results),
    }


# --- tables ----------------------------------------------------------------------------


def _table_of_data(results: Results) -> str:
    rows = []
    for name in results.answers:
        X, y = data_set(name)
        rows.append([name, f"{len(y)}", f"{X.shape[1]}", ", ".join(map(str, np.bincount(y)))])
    header = ["data set", "samples", "features", "samples of each class, in order"]
    return list_table("The data sets", header, rows)


def _table_of_systems(results: Results) -> str:
    """Return the mean rank of each system over the data sets by some criteria."""
    ranks = np.mean([one.agreement.ranks for one in results.answers.values()], axis=0)
    columns = [results.of(metric) for metric in FEW_METRICS]
    library_of = {
        system: _with_version(models()[model][0])
        for model in results.models
        for system in systems_of(model)
    }
    rows = [
        [
            results.systems[row],
            library_of[results.systems[row]],
            *(f"{rank:.1f}" for rank in ranks[row, columns]),
        ]
        for row in np.argsort(ranks[:, results.of(CEM)], kind="stable")
    ]
    title = (
        f"Mean rank of each of {len(rows)} systems over the data sets by some criteria, 1 is best"
    )
    return list_table(title, ["system", "library", *map(code, FEW_METRICS)], rows)


def _with_version(library: str) -> str:
    return library if library == "sklearn_ordinal" else f"{library} {version(library)}"


def _table_of_criteria(results: Results) -> str:
    by_question = [results.estimates(question) for question in QUESTIONS]
    order = best_first(by_question[0])
    rows = [
        [code(results.metrics[row]), *(cell(intervals[row]) for intervals in by_question)]
        for row in order
    ]
    title = (
        "For each criterion the mean over the data sets, or their pairs, with its 95% interval "
        "over data sets, whose ends may be beyond 1, sorted by coverage"
    )
    return list_table(title, ["criterion", *QUESTIONS.values()], rows)


def _table_of_differences(results: Results) -> str:
    by_question = [results.differences(question) for question in QUESTIONS]
    rows = [
        [code(results.metrics[row]), *(_difference(intervals[row]) for intervals in by_question)]
        for row in best_first(by_question[0])
        if results.metrics[row] != CEM
    ]
    title = (
        "Difference of each criterion to CEM_ORD with its 95% interval over data sets, in bold if "
        "it excludes 0, not adjusted for the number of criteria"
    )
    return list_table(title, ["criterion", *QUESTIONS.values()], rows)


def _table_of_coverage(results: Results) -> str:
    order = best_first(results.estimates("coverage"))
    rows = [
        [
            code(results.metrics[row]),
            *(
                cell(one.coverage["paper"].coverage[results.metrics[row]])
                for one in results.answers.values()
            ),
        ]
        for row in order
    ]
    title = "Coverage on each data set with its 95% interval over splits"
    return list_table(title, ["criterion", *results.answers], rows)


def _table_of_repeats(results: Results, question: str) -> str:
    """Return the means of each data set over the repetitions, and the extremes."""
    found = [one.values["all systems"][question] for one in results.answers.values()]
    # fmin and fmax leave out undefined values.
    summaries = [
        (mean_of_defined(values), np.fmin.reduce(values), np.fmax.reduce(values))
        for values in found
    ]
    rows = [
        [
            code(results.metrics[row]),
            *(
                value_with_ends(average[row], low[row], high[row])
                for average, low, high in summaries
            ),
        ]
        for row in best_first(results.estimates(question))
    ]
    title = (
        f"{QUESTIONS[question].capitalize()}, on each data set: the mean, the lowest and the "
        f"highest value of {results.n_repeats} repetitions"
    )
    return list_table(title, ["criterion", *results.answers], rows)


def _table_of_references(results: Results) -> str:
    """Return the coverage with other reference metrics, and of other systems."""
    coverage = {key: results.coverage(key).mean(axis=0) for key in REFERENCES}
    for kept in list(KEPT)[1:]:
        coverage[kept] = results.values("coverage", kept).mean(axis=0)
    ranks = {key: ranks_of(values) for key, values in coverage.items()}
    rows = []
    for row in np.argsort(np.mean(list(ranks.values()), axis=0), kind="stable"):
        metric = results.metrics[row]
        marks = ["†" if metric in REFERENCES.get(key, ()) else "" for key in coverage]
        cells = [
            UNDEFINED if np.isnan(values[row]) else f"{values[row]:.2f} ({ranks[key][row]}){mark}"
            for (key, values), mark in zip(coverage.items(), marks, strict=True)
        ]
        rows.append([code(metric), *cells])
    title = (
        "Mean coverage over the data sets, and the rank of the criterion, with other reference "
        "metrics, marked †, and with those of the paper and other systems, sorted by the mean rank"
    )
    return list_table(title, ["criterion", *coverage], rows)


def _table_of_choices(results: Results) -> str:
    found = choices(results)
    rows = [
        [
            code(results.metrics[row]),
            f"{found.prefers_optimal[row]:.0%}",
            f"{found.best_decides[row]}",
            f"{found.same_best[row]:.0%}",
            f"{found.below_baseline[:, row].mean():.0%}",
        ]
        for row in np.argsort(-found.same_best, kind="stable")
    ]
    title = (
        f"For each criterion, how often it prefers CEM-optimal decisions to what the same "
        f"classifier predicts, over classifiers and data sets; on how many of "
        f"{len(results.answers)} data sets its best system decides for CEM_ORD; how often, over "
        f"data sets and repetitions, the best system by CEM_ORD is the best by it; and how often "
        f"a system that has learned is worse than a baseline"
    )
    header = [
        "criterion",
        "prefers CEM-optimal",
        "best decides for CEM_ORD",
        "best of CEM_ORD is best",
        "worse than a baseline",
    ]
    return list_table(title, header, rows)


# --- figures ---------------------------------------------------------------------------


def _figure_of_estimates(results: Results, *questions: str) -> mpl.figure.Figure:
    intervals = {question: results.estimates(question) for question in questions}
    order = best_first(intervals[questions[0]])
    return (
        MetricEstimatesDisplay(
            {
                QUESTIONS[question]: {results.metrics[row]: of_metric[row] for row in order}
                for question, of_metric in intervals.items()
            },
            label="mean over data sets, 95% interval",
        )
        .plot()
        .figure_
    )


def _figure_of_agreement(results: Results) -> mpl.figure.Figure:
    tau = np.mean([one.agreement.tau for one in results.answers.values()], axis=0)
    return RankAgreementDisplay(tau, names=results.metrics).plot().figure_


# --- cells -----------------------------------------------------------------------------


def _difference(interval: Interval) -> str:
    if math.isnan(interval.estimate):
        return UNDEFINED
    estimate = f"{interval.estimate:+.2f}"
    if not interval.low <= 0 <= interval.high:
        estimate = f"**{estimate}**"
    return f"{estimate} ({interval.low:+.2f} to {interval.high:+.2f})"
