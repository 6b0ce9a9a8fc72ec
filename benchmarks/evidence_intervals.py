"""Coverage of the intervals of margin losses, systems and groups, and of all intervals together.

`evidence.py` runs it. The populations are those of `_simulation.py`. Four systems share half of
their predictions, or of their signals. Three groups of different sizes have other class shares and
other errors. Other kinds of intervals were simulated by the scripts named coverage_*.py and by
judge_assisted.py: their tables are read from the documentation.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import coverage_closed_form
import matplotlib.pyplot as plt
import numpy as np
from _simulation import (
    DECAY,
    N_CLASSES,
    N_SAMPLES_OF_POPULATION,
    NOISE,
    NOISE_OF_WORSE,
    SHARES,
    Labels,
    Numbers,
    predictions,
    probabilities,
    shares_of_predictions,
    signals,
)
from _tables import ListTable, list_table, read_list_tables
from _tasks import run_tasks
from matplotlib.figure import Figure
from scipy.integrate import trapezoid
from sklearn.exceptions import UndefinedMetricWarning
from threadpoolctl import threadpool_limits

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScores,
    compare_systems,
    get_metric,
)
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference

NAME = "Coverage of intervals"
SEED = 20_261_130
SAMPLE_SIZES = (80, 300, 1_000)
N_RESAMPLES = 499
N_DATA_SETS = 500
BATCH = 50
# The criteria of predicted classes that the tables of coverage do not have.
SIGNED = ("ordinal_bias", "overestimation_rate", "underestimation_rate")
OF_LABELS = (
    "cem_ord",
    "accuracy",
    "ordinal_mean_absolute_error",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
)
OF_FORECASTS = ("ranked_probability_score", "log_loss", "concordance")
# Two of the four systems are equal.
DECAYS, NOISES = (DECAY, DECAY, 1.1, 0.9), (NOISE, NOISE, 0.95, NOISE_OF_WORSE)
PAIRS = list(combinations(range(len(DECAYS)), 2))
GROUPS = ("A", "B", "C")
SHARES_OF_GROUPS = (0.5, 0.3, 0.2)
DECAYS_OF_GROUPS, NOISES_OF_GROUPS = (DECAY, 1.1, 0.9), (NOISE, 0.95, NOISE_OF_WORSE)
# Logarithms by which the share of a class grows with its position, relative to `SHARES`.
TILTS = (0.0, -0.2, 0.2)
THRESHOLDS = np.arange(N_CLASSES - 1) + 0.5
# The threshold of the loss of two classes.
CUT = 2


# --- populations -----------------------------------------------------------------------


def systems_of_labels(y_true: Labels, rng: np.random.Generator) -> dict[str, Labels]:
    """Return the predictions of systems that share half of them."""
    shared = predictions(y_true, DECAY, rng)
    return {
        str(k): np.where(rng.random(len(y_true)) < 0.5, shared, predictions(y_true, decay, rng))
        for k, decay in enumerate(DECAYS)
    }


def systems_of_signals(y_true: Labels, rng: np.random.Generator) -> list[tuple[Numbers, Numbers]]:
    """Return signals and their noise for systems that have half of them in common."""
    shared = signals(y_true, NOISE, rng)
    systems = []
    for noise in NOISES:
        is_shared = rng.random(len(y_true)) < 0.5
        own = signals(y_true, noise, rng)
        systems.append((np.where(is_shared, shared, own), np.where(is_shared, NOISE, noise)))
    return systems


def systems_of_probabilities(
    y_true: Labels, truth: str, rng: np.random.Generator
) -> dict[str, Numbers]:
    """Return the probabilities that systems give the classes."""
    return {
        str(k): probabilities(signal, noise[:, None], SHARES[truth], rng)
        for k, (signal, noise) in enumerate(systems_of_signals(y_true, rng))
    }


def true_values_of_systems(truth: str) -> Numbers:
    """Return the values of the systems by criteria of labels, (n_systems, n_criteria)."""
    values = []
    for decay in DECAYS:
        rows = (shares_of_predictions(DECAY) + shares_of_predictions(decay)) / 2
        population = OrdinalConfusion.from_counts(1e9 * SHARES[truth][:, None] * rows)
        values.append([get_metric(name)(population) for name in OF_LABELS])
    return np.array(values)


def true_values_of_forecasts(truth: str) -> Numbers:
    """Return the values of the systems by criteria of probabilities, in a large sample."""
    rng = np.random.default_rng([SEED, 0])
    y_true = rng.choice(N_CLASSES, size=N_SAMPLES_OF_POPULATION, p=SHARES[truth])
    values = []
    for y_proba in systems_of_probabilities(y_true, truth, rng).values():
        population = OrdinalForecasts.from_probabilities(y_true, y_proba, labels=range(N_CLASSES))
        values.append([get_metric(name)(population) for name in OF_FORECASTS])
    # Systems with equal noise are equal in the population.
    return np.array(
        [
            np.mean(
                [value for value, other in zip(values, NOISES, strict=True) if other == noise],
                axis=0,
            )
            for noise in NOISES
        ]
    )


def class_shares_of_groups(truth: str) -> Numbers:
    """Return the share of each class (columns) in each group (rows)."""
    shares = SHARES[truth] * np.exp(np.outer(TILTS, np.arange(N_CLASSES)))
    return shares / shares.sum(axis=1, keepdims=True)


def draw_groups(truth: str, n_samples: int, rng: np.random.Generator) -> tuple[Labels, Labels]:
    """Return the group and the true class of samples."""
    group = rng.choice(len(GROUPS), size=n_samples, p=SHARES_OF_GROUPS)
    below = class_shares_of_groups(truth).cumsum(axis=1)[group]
    return group, (rng.random((n_samples, 1)) > below[:, :-1]).sum(axis=1)


def labels_of_groups(group: Labels, y_true: Labels, rng: np.random.Generator) -> Labels:
    """Return predictions with the errors of each group."""
    by_group = [predictions(y_true, decay, rng) for decay in DECAYS_OF_GROUPS]
    return np.choose(group, by_group)


def probabilities_of_groups(
    group: Labels, y_true: Labels, truth: str, rng: np.random.Generator
) -> Numbers:
    """Return probabilities of a system that does not know the groups."""
    noise = np.array(NOISES_OF_GROUPS)[group]
    return probabilities(signals(y_true, noise, rng), noise[:, None], SHARES[truth], rng)


def true_values_of_groups(truth: str) -> dict[str, list[float]]:
    """Return the value of all samples and of each group by each criterion."""
    cells = class_shares_of_groups(truth)[:, :, None] * np.array(
        [shares_of_predictions(decay) for decay in DECAYS_OF_GROUPS]
    )
    counts = np.rint(1e9 * np.array(SHARES_OF_GROUPS)[:, None, None] * cells)
    confusion = OrdinalConfusion.from_counts(counts.astype(np.int64))
    of_labels = GroupReport.from_confusion(
        confusion, by=GROUPS, metrics=OF_LABELS, n_permutations=0
    )
    rng = np.random.default_rng([SEED, 1])
    group, y_true = draw_groups(truth, N_SAMPLES_OF_POPULATION, rng)
    y_proba = probabilities_of_groups(group, y_true, truth, rng)
    of_forecasts = _report(OF_FORECASTS, y_true, group, y_proba=y_proba)
    return {
        name: [
            interval.estimate
            for interval in (report.overall[name], *report.by_group[name].values())
        ]
        for report in (of_labels, of_forecasts)
        for name in report.overall
    }


# --- margin losses ---------------------------------------------------------------------

# Penalties of the margin, the distance from a threshold, which is negative on the wrong side.
PENALTIES: Mapping[str, Callable[[Numbers], Numbers]] = {
    "logistic": lambda margin: np.logaddexp(0, -margin),
    "hinge": lambda margin: np.maximum(1 - margin, 0),
    "exponential": lambda margin: np.exp(-margin),
}
KINDS_OF_LOSSES = ("all_threshold_loss", "immediate_threshold_loss", "margin_loss")
LOSSES = [(kind, penalty) for kind in KINDS_OF_LOSSES for penalty in PENALTIES]


def losses_of_samples(kind: str, penalty: str, y_true: Labels, decision: Numbers) -> Numbers:
    """Return the loss of each sample, whose weighted mean is a loss of `sklearn_ordinal.metrics`.

    The loss of two classes is that of the classes from `CUT` on against the rest.
    """
    positions = np.arange(N_CLASSES - 1)
    is_above = y_true[:, None] > positions
    margins = np.where(is_above, 1, -1) * (decision[:, None] - THRESHOLDS)
    counted = {
        "all_threshold_loss": np.ones_like(is_above),
        # The thresholds below and above the true class.
        "immediate_threshold_loss": (positions == y_true[:, None] - 1)
        | (positions == y_true[:, None]),
        "margin_loss": np.broadcast_to(positions == CUT - 1, is_above.shape),
    }[kind]
    losses: Numbers = (PENALTIES[penalty](margins) * counted).sum(axis=1)
    return losses


def as_metric(kind: str, penalty: str) -> OrdinalMetric:
    """Return a margin loss as a criterion of scores, as `ordinal_metric` makes it for a user."""

    def losses(scores: OrdinalScores) -> Numbers:
        return losses_of_samples(kind, penalty, scores.y_true, scores.y_score)

    def statistic(scores: OrdinalScores) -> Any:
        return scores.mean(scores.shared(losses))

    def gradient(scores: OrdinalScores) -> Numbers:
        """Return the derivative of the mean by the weight of each sample."""
        difference = scores.shared(losses) - statistic(scores)[..., None]
        derivatives: Numbers = difference / scores.weights.sum(axis=-1, keepdims=True)
        return derivatives

    return OrdinalMetric(
        f"{kind}, {penalty}",
        statistic,
        greater_is_better=False,
        value_range=(0, math.inf),
        evidence="scores",
        gradient=gradient,
    )


def true_values_of_losses(truth: str) -> Numbers:
    """Return the loss of each system in the population, (n_systems, n_losses)."""
    # The trapezoidal rule needs a fine grid where a penalty has a kink or a jump.
    z = np.linspace(-9, 9, 40_001)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    by_noise = {
        noise: np.array(
            [
                sum(
                    share
                    * trapezoid(
                        density
                        * losses_of_samples(kind, penalty, np.full(len(z), k), k + noise * z),
                        z,
                    )
                    for k, share in enumerate(SHARES[truth])
                )
                for kind, penalty in LOSSES
            ]
        )
        for noise in set(NOISES)
    }
    return np.array([(by_noise[NOISE] + by_noise[noise]) / 2 for noise in NOISES])


# --- simulations -----------------------------------------------------------------------

ALL_PAIRS = "compare_systems, all pairs"
INTERVALS = {
    "signed": ("bootstrap_interval", "delta_interval"),
    "losses": (
        "bootstrap_interval",
        "delta_interval",
        "paired_difference, percentile",
        "paired_difference, delta",
        ALL_PAIRS,
    ),
    "systems": (ALL_PAIRS,),
    "groups": (
        *(f"{group} from overall" for group in GROUPS),
        *(f"{group} from {GROUPS[0]}" for group in GROUPS[1:]),
        "largest between groups",
        "largest from overall",
    ),
}
CRITERIA = {
    "signed": SIGNED,
    "losses": tuple(f"{kind}, {penalty}" for kind, penalty in LOSSES),
    "systems": (*OF_LABELS, *OF_FORECASTS),
    "groups": (*OF_LABELS, *SIGNED, *OF_FORECASTS),
}


def compute(n_jobs: int, part: float) -> dict[str, Any]:
    """Return by kind and setting the share of data sets whose interval holds the true value.

    The shares have the shape (criteria, intervals), in the order of `CRITERIA` and `INTERVALS`.
    """
    n_data_sets = math.ceil(part * N_DATA_SETS)
    populations = [(kind, truth) for kind in INTERVALS for truth in SHARES]
    values = run_tasks(true_values, populations, n_jobs=n_jobs, title=f"{NAME}, populations")
    tasks = [
        (kind, truth, n_samples, of_population, begin, min(BATCH, n_data_sets - begin))
        for (kind, truth), of_population in zip(populations, values, strict=True)
        for n_samples in SAMPLE_SIZES
        for begin in range(0, n_data_sets, BATCH)
    ]
    held = run_tasks(held_of_data_sets, tasks, n_jobs=n_jobs, title=NAME)
    results: dict[str, Any] = {kind: {} for kind in INTERVALS}
    for (kind, truth, n_samples, *_), of_batch in zip(tasks, held, strict=True):
        results[kind].setdefault(f"{truth}, {n_samples:,}", []).append(of_batch)
    return {
        kind: {
            setting: {
                "n_data_sets": sum(map(len, batches)),
                "shares": np.mean(np.concatenate(batches), axis=0),
            }
            for setting, batches in settings.items()
        }
        for kind, settings in results.items()
    }


def true_values(kind: str, truth: str) -> Any:
    """Return the values of a population that the intervals of a kind should contain."""
    if kind == "signed":
        counts = 1e9 * SHARES[truth][:, None] * shares_of_predictions()
        population = OrdinalConfusion.from_counts(counts)
        return np.array([get_metric(name)(population) for name in SIGNED])
    if kind == "losses":
        return true_values_of_losses(truth)
    if kind == "systems":
        return np.hstack([true_values_of_systems(truth), true_values_of_forecasts(truth)])
    return true_values_of_groups(truth)


def held_of_data_sets(
    kind: str, truth: str, n_samples: int, values: Any, begin: int, number: int
) -> Numbers:
    """Return whether intervals hold the true values, (n_data_sets, criteria, intervals)."""
    simulation = {
        "signed": _held_signed,
        "losses": _held_losses,
        "systems": _held_systems,
        "groups": _held_groups,
    }[kind]
    setting = [list(INTERVALS).index(kind), list(SHARES).index(truth), n_samples]
    with threadpool_limits(1), warnings.catch_warnings():
        # An undefined interval counts as an interval that does not contain the true value.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return np.array(
            [
                simulation(
                    truth, n_samples, values, np.random.default_rng([SEED, *setting, begin + k])
                )
                for k in range(number)
            ],
            dtype=np.float64,
        )


def _held_signed(
    truth: str, n_samples: int, values: Numbers, rng: np.random.Generator
) -> list[list[bool]]:
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    data = (y_true, predictions(y_true, DECAY, rng), list(SIGNED))
    by_method = [
        bootstrap_interval(
            *data, labels=range(N_CLASSES), n_resamples=N_RESAMPLES, random_state=rng
        ),
        delta_interval(*data, labels=range(N_CLASSES)),
    ]
    return [
        [_holds(intervals[name], value) for intervals in by_method]
        for name, value in zip(SIGNED, values, strict=True)
    ]


def _held_losses(
    truth: str, n_samples: int, values: Numbers, rng: np.random.Generator
) -> list[list[bool]]:
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    systems = [signal for signal, _ in systems_of_signals(y_true, rng)]
    first, last = systems[0], systems[-1]
    metrics = {f"{kind}, {penalty}": as_metric(kind, penalty) for kind, penalty in LOSSES}
    resampling: dict[str, Any] = {
        "labels": range(N_CLASSES),
        "n_resamples": N_RESAMPLES,
        "random_state": rng,
    }
    of_one = (
        bootstrap_interval(y_true, first, metrics, **resampling),
        delta_interval(y_true, first, metrics, labels=range(N_CLASSES)),
    )
    of_two = (
        paired_difference(y_true, first, last, metrics, **resampling),
        paired_difference(y_true, first, last, metrics, labels=range(N_CLASSES), method="delta"),
    )
    named = {str(k): {"y_proba": signal} for k, signal in enumerate(systems)}
    report = compare_systems(y_true, named, metrics=metrics, **resampling)
    return [
        [
            *(_holds(intervals[name], of_systems[0]) for intervals in of_one),
            *(_holds(intervals[name], of_systems[0] - of_systems[-1]) for intervals in of_two),
            _holds_all_pairs(report, name, of_systems),
        ]
        for name, of_systems in zip(metrics, values.T, strict=True)
    ]


def _held_systems(
    truth: str, n_samples: int, values: Numbers, rng: np.random.Generator
) -> list[list[bool]]:
    y_true = rng.choice(N_CLASSES, size=n_samples, p=SHARES[truth])
    classes = systems_of_labels(y_true, rng)
    shares = systems_of_probabilities(y_true, truth, rng)
    report = compare_systems(
        y_true,
        {name: {"y_pred": classes[name], "y_proba": shares[name]} for name in classes},
        metrics=[*OF_LABELS, *OF_FORECASTS],
        labels=range(N_CLASSES),
        n_resamples=N_RESAMPLES,
        random_state=rng,
    )
    return [
        [_holds_all_pairs(report, name, of_systems)]
        for name, of_systems in zip(CRITERIA["systems"], values.T, strict=True)
    ]


def _holds_all_pairs(report: Any, name: str, of_systems: Numbers) -> bool:
    """Return whether the simultaneous intervals of all pairs contain their differences."""
    return all(
        _holds(report.difference(str(i), str(j), name), of_systems[i] - of_systems[j])
        for i, j in PAIRS
    )


def _held_groups(
    truth: str, n_samples: int, values: Mapping[str, Sequence[float]], rng: np.random.Generator
) -> list[list[bool]]:
    group, y_true = draw_groups(truth, n_samples, rng)
    y_pred = labels_of_groups(group, y_true, rng)
    y_proba = probabilities_of_groups(group, y_true, truth, rng)
    report = _report((*OF_LABELS, *OF_FORECASTS), y_true, group, y_pred=y_pred, y_proba=y_proba)
    from_overall, from_first = (
        report.contrasts(reference=reference).contrasts for reference in (None, GROUPS[0])
    )
    between, largest_from_overall = map(report.difference, ("between_groups", "to_overall"))
    held = []
    for name in CRITERIA["groups"]:
        overall, *of_groups = values[name]
        held.append(
            [
                *(
                    _holds(from_overall[name][key], value - overall)
                    for key, value in zip(GROUPS, of_groups, strict=True)
                ),
                *(
                    _holds(from_first[name][key], value - of_groups[0])
                    for key, value in zip(GROUPS[1:], of_groups[1:], strict=True)
                ),
                _holds(between[name], max(of_groups) - min(of_groups)),
                _holds(
                    largest_from_overall[name], max(abs(value - overall) for value in of_groups)
                ),
            ]
        )
    return held


def _report(metrics: Sequence[str], y_true: Labels, group: Labels, **options: Any) -> GroupReport:
    return GroupReport.from_predictions(
        y_true,
        by=np.array(GROUPS)[group],
        metrics=list(metrics),
        labels=range(N_CLASSES),
        n_permutations=0,
        **options,
    )


def _holds(interval: Any, value: float) -> bool:
    """Return whether an interval contains a value; an undefined interval does not."""
    return bool(interval.low <= value <= interval.high)


# --- tables and answers ----------------------------------------------------------------

ENOUGH, FEWEST_SAMPLES, FEWEST_ITEMS = 0.93, 80, 50
# The last one stands for a criterion without such intervals.
VERDICTS = ("*yes*", "*cannot tell*", "*no*", "none")
BOOTSTRAP, CLOSED_FORM = "``bootstrap_interval``", "``delta_interval``"
# How an answer names the criteria, by the evidence that they are computed from.
CRITERIA_OF = {
    "labels": "Predicted classes",
    "probabilities": "Probabilities",
    "scores": "Rankings",
}
# The intervals that the question is about, in its order; those of other tables follow.
ASKED = (
    *CRITERIA_OF.values(),
    "Margin losses",
    "Pairs of four systems",
    "Groups",
    "Raters",
)
TABLES = coverage_closed_form.OUTPUT.parent


class Setting(NamedTuple):
    """The coverage of an interval in one setting."""

    intervals: str
    criterion: str
    setting: str
    share: float
    n_data_sets: int

    @property
    def fails(self) -> bool:
        """Whether the coverage is less than 93% by more than two standard errors."""
        error = math.sqrt(ENOUGH * (1 - ENOUGH) / self.n_data_sets)
        return self.share < ENOUGH - 2 * error


def outputs(results: Mapping[str, Any]) -> dict[str, str | Callable[[], Figure]]:
    """Return the tables, the answers and the figure by the name of their files."""
    by_intervals: dict[str, list[Setting]] = {}
    for setting in (*settings_of_tables(), *settings_of_results(results)):
        by_intervals.setdefault(setting.intervals, []).append(setting)
    asked = [name for first in ASKED for name in by_intervals if name.startswith(first)]
    others = [name for name in by_intervals if name not in asked]
    return {
        "intervals_answer.txt": "\n".join(answer(by_intervals[name]) for name in asked),
        "intervals_others.txt": "\n".join(answer(by_intervals[name]) for name in others),
        "intervals_criteria.txt": answers_by_criterion(
            [
                setting
                for name in asked
                if name.startswith(tuple(CRITERIA_OF.values()))
                for setting in by_intervals[name]
            ]
        ),
        "intervals_failed.txt": _table_of_failures([by_intervals[n] for n in (*asked, *others)]),
        "intervals_signed.txt": _table(
            results["signed"], "signed", "Coverage of 95% intervals of signed criteria"
        ),
        "intervals_losses.txt": _table(
            results["losses"], "losses", "Coverage of 95% intervals of margin losses"
        ),
        "intervals_systems.txt": _table(
            results["systems"],
            "systems",
            "Share of data sets on which the simultaneous 95% intervals of all pairs of four "
            "systems contain the true differences",
        ),
        "intervals_groups.txt": _table_of_groups(results["groups"]),
        "intervals_coverage.svg": lambda: _figure([by_intervals[name] for name in asked]),
    }


def answer(settings: Sequence[Setting]) -> str:
    """Return the answer to the question for one kind of intervals, by its rule."""
    lowest = min(settings, key=lambda setting: setting.share)
    n_enough = sum(setting.share >= ENOUGH for setting in settings)
    failed = [setting for setting in settings if setting.fails]
    criteria = ", ".join(dict.fromkeys(f"``{setting.criterion}``" for setting in failed))
    failures = f": {len(failed)} below, of {criteria}" if failed else ""
    return (
        f"- {lowest.intervals}: at least 93% in {n_enough} of {len(settings)} settings, "
        f"{_percent(lowest.share)}% at lowest (``{lowest.criterion}``, {lowest.setting}); "
        f"{verdict(settings)}{failures}."
    )


def verdict(settings: Sequence[Setting]) -> str:
    """Return whether the coverage is at least 93%, by the rule of the question."""
    yes, cannot_tell, no, _ = VERDICTS
    if any(setting.fails for setting in settings):
        return no
    return yes if all(setting.share >= ENOUGH for setting in settings) else cannot_tell


def answers_by_criterion(settings: Sequence[Setting]) -> str:
    """Return which criteria have which answers, by both methods."""
    by_criterion: dict[str, dict[str, list[Setting]]] = {}
    for setting in settings:
        method = setting.intervals.partition(", ")[2]
        by_method = by_criterion.setdefault(setting.criterion, {BOOTSTRAP: [], CLOSED_FORM: []})
        by_method[method].append(setting)
    by_verdicts: dict[tuple[str, ...], list[str]] = {}
    for criterion, by_method in by_criterion.items():
        verdicts = tuple(verdict(of) if of else VERDICTS[-1] for of in by_method.values())
        by_verdicts.setdefault(verdicts, []).append(f"``{criterion}``")
    return list_table(
        "Criteria by the answers for their intervals",
        [BOOTSTRAP, CLOSED_FORM, "criteria"],
        [
            [*verdicts, ", ".join(criteria)]
            for verdicts, criteria in sorted(
                by_verdicts.items(), key=lambda item: [*map(VERDICTS.index, item[0])]
            )
        ],
    )


def settings_of_results(results: Mapping[str, Any]) -> Iterator[Setting]:
    """Yield the settings of the simulation."""
    for kind, by_setting in results.items():
        for setting, found in by_setting.items():
            for criterion, shares in zip(CRITERIA[kind], found["shares"], strict=True):
                for interval, share in zip(INTERVALS[kind], shares, strict=True):
                    intervals, *difference = _names(kind, interval)
                    named = ", ".join([*difference, setting])
                    yield Setting(intervals, criterion, named, share, found["n_data_sets"])


def _names(kind: str, interval: str) -> list[str]:
    """Return the name of the intervals in an answer, and the difference that they are of."""
    if kind == "groups":
        return ["Groups, ``GroupReport``", interval]
    if interval == ALL_PAIRS:
        return ["Pairs of four systems, ``compare_systems``"]
    if kind == "signed":
        return [f"{CRITERIA_OF['labels']}, ``{interval}``"]
    function, _, method = interval.partition(", ")
    return [f"Margin losses, ``{function}``{method and f', {method}'}"]


def settings_of_tables() -> Iterator[Setting]:
    """Yield the settings in the tables of coverage that other scripts write."""
    coverage, of_two, *_ = _tables_of("coverage")
    closed_form, of_forecasts, *designs, closed_form_of_two = _tables_of("coverage_closed_form")
    for method, table in (
        (BOOTSTRAP, coverage),
        (CLOSED_FORM, closed_form),
        (CLOSED_FORM, of_forecasts),
    ):
        for setting in _settings(method, table):
            criteria = CRITERIA_OF[get_metric(setting.criterion).evidence.name]
            setting = setting._replace(intervals=f"{criteria}, {method}")
            if table is closed_form:
                n_data_sets = coverage_closed_form.n_data_sets_of(setting.criterion)
                setting = setting._replace(n_data_sets=n_data_sets)
            yield setting
    yield from _settings("Two systems, ``paired_difference``, percentile", of_two)
    title, rows = closed_form_of_two
    by_criterion = title, [list(column) for column in zip(*rows, strict=True)]
    yield from _settings("Two systems, ``paired_difference``, delta", by_criterion, 0)
    for table in designs:
        yield from _settings(f"Clusters, weights or strata, {CLOSED_FORM}", table, 0)
        yield from _settings(f"Clusters, weights or strata, {BOOTSTRAP}", table, 1)
    of_items: dict[str, Any] = {"fewest": FEWEST_ITEMS}
    for method, table in zip((CLOSED_FORM, BOOTSTRAP), _tables_of("coverage_ratings"), strict=True):
        yield from _settings(f"Raters, {method}", table, **of_items)
    (soft_labels,) = _tables_of("coverage_soft_labels")
    for place, method in enumerate((CLOSED_FORM, BOOTSTRAP)):
        yield from _settings(f"Soft labels, {method}", soft_labels, place, **of_items)
    judges, _ = _tables_of("coverage_judges")
    yield from _settings("Judges, ``compare_judge``", judges, 0, **of_items)
    _, judge_assisted = _tables_of("judge_assisted")
    yield from _settings("Judges, ``judge_assisted_interval``", judge_assisted)
    changes, _ = _tables_of("coverage_change")
    for place, what in enumerate(("difference", "rates", "class sizes")):
        for setting in _settings("Changes, ``report_change``", changes, place):
            yield setting._replace(setting=f"{what}, {setting.setting}")


def _tables_of(name: str) -> list[ListTable]:
    return read_list_tables((TABLES / f"{name}.txt").read_text(encoding="utf-8"))


def _settings(
    intervals: str, table: ListTable, place: int | None = None, fewest: int = FEWEST_SAMPLES
) -> Iterator[Setting]:
    """Yield the settings of a table with enough samples, from the figure in bold or at a place."""
    title, (header, *rows) = table
    (n_data_sets,) = re.findall(r"\(([\d,]+) data sets", title)
    for criterion, *cells in rows:
        for column, cell in zip(header[1:], cells, strict=True):
            sizes = [int(size.replace(",", "")) for size in re.findall(r"\d[\d,]*", column)]
            figures = cell.split(" / ")
            if place is None:
                figures = [figure.strip("*") for figure in figures if figure.startswith("**")]
            else:
                figures = figures[place : place + 1]
            # A design has no number of samples in its name: it has at least 200.
            if min(sizes, default=fewest) >= fewest and figures not in ([], ["none"]):
                yield Setting(
                    intervals,
                    criterion,
                    column,
                    float(figures[0]) / 100,
                    int(n_data_sets.replace(",", "")),
                )


def _table_of_failures(by_intervals: Sequence[Sequence[Setting]]) -> str:
    rows = []
    for settings in by_intervals:
        failed: dict[str, list[str]] = {}
        for setting in settings:
            if setting.fails:
                failed.setdefault(setting.criterion, []).append(
                    f"{setting.setting}: {_percent(setting.share)}"
                )
        for number, (criterion, cells) in enumerate(failed.items()):
            rows.append(["" if number else settings[0].intervals, criterion, "; ".join(cells)])
    return list_table(
        "All settings whose coverage is less than 93% by more than two standard errors, in percent",
        ["intervals", "criterion", "settings"],
        rows,
    )


def _table(by_setting: Mapping[str, Any], kind: str, title: str) -> str:
    cells = np.moveaxis(np.array([found["shares"] for found in by_setting.values()]), 1, 0)
    methods = f": {' / '.join(INTERVALS[kind])}" if len(INTERVALS[kind]) > 1 else ""
    return list_table(
        f"{title}{methods}, {_how(by_setting)}",
        ["criterion", *by_setting],
        [
            [name, *(" / ".join(map(_percent, shares)) for shares in of_criterion)]
            for name, of_criterion in zip(CRITERIA[kind], cells, strict=True)
        ],
    )


def _table_of_groups(by_setting: Mapping[str, Any]) -> str:
    rows = []
    for k, criterion in enumerate(CRITERIA["groups"]):
        for j, interval in enumerate(INTERVALS["groups"]):
            cells = [_percent(found["shares"][k][j]) for found in by_setting.values()]
            rows.append(["" if j else criterion, interval, *cells])
    return list_table(
        "Coverage of 95% intervals of the differences of three groups in ``GroupReport``, "
        f"{_how(by_setting, has_resamples=False)}",
        ["criterion", "difference", *by_setting],
        rows,
    )


def _figure(by_intervals: Sequence[Sequence[Setting]]) -> Figure:
    """Plot the coverage of each kind of intervals: all settings, and those that are below."""
    figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
    for share, style in ((ENOUGH, "--"), (0.95, "-")):
        ax.axvline(100 * share, color="0.6", linewidth=0.8, linestyle=style)
    for row, settings in enumerate(by_intervals):
        shares = [100 * setting.share for setting in settings]
        ax.plot([min(shares), max(shares)], [row, row], color="0.6", linewidth=1.5)
        ax.plot(np.quantile(shares, [0.1, 0.9]), [row, row], color="0.3", linewidth=5)
        below = [100 * setting.share for setting in settings if setting.fails]
        ax.plot(below, [row] * len(below), "o", color="#c04000", markersize=4)
    names = [settings[0].intervals.replace("``", "") for settings in by_intervals]
    ax.set_yticks(range(len(names)), names, fontsize="small")
    ax.invert_yaxis()
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    ax.set_xlabel("data sets whose interval contains the true value, in percent")
    return figure


def _how(by_setting: Mapping[str, Any], *, has_resamples: bool = True) -> str:
    (n_data_sets,) = {found["n_data_sets"] for found in by_setting.values()}
    error = _percent(math.sqrt(0.95 * 0.05 / n_data_sets))
    resamples = f", {N_RESAMPLES} resamples" if has_resamples else ""
    return (
        f"in percent, with a standard error of {error} at 95% ({n_data_sets} data sets{resamples})"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
