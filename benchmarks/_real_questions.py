"""Answers of real data to questions about criteria, and their variation over data sets."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from _real_systems import BASELINES, OPTIMAL, TUNED, Predictions, data_set
from numpy.typing import NDArray
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.meta_evaluation import (
    DiscriminativePower,
    MetricCoverage,
    OrdinalSystems,
    RankAgreement,
    discriminative_power,
    metric_coverage,
    metric_robustness,
    rank_agreement,
)

Floats = NDArray[np.float64]

CEM = "cem_ord"
N_RESAMPLES = 999

QUESTIONS: Mapping[str, str] = {
    "coverage": "coverage",
    "halves": "robustness, halves",
    "data_sets": "robustness, data sets",
    "power": "discriminative power",
}
# Sets of reference metrics for the coverage. The first set is from the paper.
REFERENCES: Mapping[str, tuple[str, ...]] = {
    "paper": ("accuracy", "kendall_tau_a", "mutual_information"),
    "distances": (
        "ordinal_mean_absolute_error",
        "macro_averaged_mean_absolute_error",
        "linear_weighted_kappa",
    ),
    "small classes": ("balanced_accuracy", "f1_macro", "macro_averaged_mean_absolute_error"),
    "one of each": (
        "accuracy",
        "balanced_accuracy",
        "ordinal_mean_absolute_error",
        "kendall_tau_b",
    ),
}
# Subsets of the systems, which show whether the answers depend on the choice of systems.
KEPT: Mapping[str, Callable[[str], bool]] = {
    "all systems": lambda _: True,
    "without decisions for CEM_ORD": lambda system: not system.endswith((OPTIMAL, TUNED)),
    "without baselines": lambda system: system not in BASELINES,
}


@dataclass(frozen=True)
class Answers:
    """Answers of one data set.

    Parameters
    ----------
    systems : OrdinalSystems
        The counts.
    coverage : dict of str to MetricCoverage
        The coverage for each set of reference metrics.
    values : dict of str to dict of str to ndarray
        For each subset of systems and each question: the coverage with the reference
        metrics of the paper, (n_metrics,), and the values of each repetition, (n_repeats,
        n_metrics), of "halves", NaN where all systems are tied on both, and of "power".
    agreement : RankAgreement
        Agreement of the criteria on all splits.
    agreement_of_repeats : list of RankAgreement
        The same for each repetition.
    """

    systems: OrdinalSystems
    coverage: dict[str, MetricCoverage]
    values: dict[str, dict[str, Floats]]
    agreement: RankAgreement
    agreement_of_repeats: list[RankAgreement]


def systems_of_repeats(
    name: str, repeats: Sequence[tuple[Predictions, Predictions]], names_of_systems: Sequence[str]
) -> OrdinalSystems:
    """Return the systems, whose test cases are the halves of the samples in each repetition."""
    y = data_set(name)[1]
    predicted = np.concatenate([predictions for _, predictions in repeats], axis=1).astype(int)
    return OrdinalSystems.from_predictions(
        np.tile(y[: len(repeats[0][0])], len(repeats)),
        dict(zip(names_of_systems, predicted, strict=True)),
        test_cases=np.concatenate(
            [2 * number + half.astype(int) for number, (half, _) in enumerate(repeats)]
        ),
        labels=range(y.max() + 1),
    )


def answer(
    name: str,
    repeats: Sequence[tuple[Predictions, Predictions]],
    names_of_systems: Sequence[str],
    seed: int,
) -> Answers:
    """Answer the questions for one data set."""
    systems = systems_of_repeats(name, repeats, names_of_systems)
    of_repeats = [systems_of_repeats(name, [repeat], names_of_systems) for repeat in repeats]
    with _ignoring_ties():
        coverage = {
            key: metric_coverage(
                systems, reference_metrics=reference, n_resamples=N_RESAMPLES, random_state=seed
            )
            for key, reference in REFERENCES.items()
        }
    power = [
        discriminative_power(one, unit="samples", n_resamples=N_RESAMPLES, random_state=seed)
        for one in of_repeats
    ]
    return Answers(
        OrdinalSystems(systems.confusion, systems.names, systems.test_cases),
        coverage,
        {
            key: {
                "coverage": _coverage(_kept(systems, is_kept)),
                "halves": np.array([_halves(_kept(one, is_kept)) for one in of_repeats]),
                "power": np.array([_share_separated(one, is_kept) for one in power]),
            }
            for key, is_kept in KEPT.items()
        },
        rank_agreement(systems),
        [rank_agreement(one) for one in of_repeats],
    )


def agreement_of_data_sets(systems: Mapping[str, OrdinalSystems], kept: str) -> Floats:
    """Return the agreement of each pair of data sets, (n_data_sets, n_data_sets, n_metrics)."""
    found = [_kept(one, KEPT[kept]) for one in systems.values()]
    agreement = []
    with _ignoring_ties():
        for row, first in enumerate(found):
            for column, second in enumerate(found):
                if row < column:
                    both = metric_robustness({"first": first, "second": second}, n_splits=1)
                    agreement.append([one.estimate for one in both.data_sets.values()])
    pairs = np.triu_indices(len(found), k=1)
    values = np.full((len(found), len(found), len(agreement[0])), np.nan)
    values[pairs] = values[pairs[::-1]] = agreement
    return values


def _kept(systems: OrdinalSystems, is_kept: Callable[[str], bool]) -> OrdinalSystems:
    return systems.subset(filter(is_kept, systems.names))


def _coverage(systems: OrdinalSystems) -> Floats:
    with _ignoring_ties():
        found = metric_coverage(systems, reference_metrics=REFERENCES["paper"])
    return np.array([one.estimate for one in found.coverage.values()])


def _halves(systems: OrdinalSystems) -> Floats:
    """Return the agreement of the orders on both halves, which are the only test cases."""
    with _ignoring_ties():
        found = metric_robustness(systems, n_splits=1)
    return np.array([one.estimate for one in found.halves.values()])


def _share_separated(power: DiscriminativePower, is_kept: Callable[[str], bool]) -> Floats:
    kept = np.flatnonzero([is_kept(name) for name in power.systems])
    first, second = np.triu_indices(len(kept), k=1)
    pvalues = power.pvalues[:, kept[first], kept[second]]
    shares: Floats = np.mean(pvalues <= power.alpha, axis=-1)
    return shares


@contextmanager
def _ignoring_ties() -> Iterator[None]:
    """Ignore warnings about criteria by which all systems are tied."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        yield


# --- over data sets --------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """Answers of all data sets, with the models and systems.

    Parameters
    ----------
    answers : dict of str to Answers
        The answers for each data set.
    data_sets : dict of str to ndarray of shape (n_data_sets, n_data_sets, n_metrics)
        Agreement of pairs of data sets, for each subset of systems.
    models : tuple of str
        Names of the models.
    n_repeats : int
        Number of repetitions.
    """

    answers: dict[str, Answers]
    data_sets: dict[str, Floats]
    models: tuple[str, ...]
    n_repeats: int

    @property
    def metrics(self) -> tuple[str, ...]:
        return self._first.agreement.metrics

    @property
    def systems(self) -> tuple[str, ...]:
        return self._first.systems.names

    @property
    def _first(self) -> Answers:
        return next(iter(self.answers.values()))

    def of(self, metric: str) -> int:
        """Return the position of a criterion."""
        return self.metrics.index(metric)

    def coverage(self, reference: str) -> Floats:
        """Return the coverage on each data set, (n_data_sets, n_metrics)."""
        return np.array(
            [
                [found.estimate for found in one.coverage[reference].coverage.values()]
                for one in self.answers.values()
            ]
        )

    def values(self, question: str, kept: str = "all systems") -> Floats:
        """Return the values of (n_data_sets, n_metrics), or with two axes of data sets."""
        if question == "data_sets":
            return self.data_sets[kept]
        found = [one.values[kept][question] for one in self.answers.values()]
        return np.array([mean_of_defined(np.atleast_2d(values)) for values in found])

    def estimates(self, question: str, kept: str = "all systems") -> list[Interval]:
        """Return the mean of each criterion over the data sets, or over their pairs."""
        return jackknife(self.values(question, kept))

    def differences(self, question: str) -> list[Interval]:
        """Return the mean difference of each criterion from CEM_ORD."""
        values = self.values(question)
        return jackknife(values - values[..., [self.of(CEM)]])


def jackknife(values: Floats) -> list[Interval]:
    """Return the mean over data sets, or their pairs, with the interval for other data sets.

    The data sets are left out in turn. For a mean over data sets, this is the usual interval of
    Student's t; pairs of data sets depend on each other if they share one. A criterion that is
    undefined on a data set has no mean.
    """
    n_data_sets = len(values)
    is_of_pairs = values.ndim == 3
    statistic = _mean_of_pairs if is_of_pairs else _mean_of_data_sets
    left_out = []
    for number in range(n_data_sets):
        part = np.delete(values, number, axis=0)
        left_out.append(statistic(np.delete(part, number, axis=1) if is_of_pairs else part))
    spread = np.std(left_out, axis=0) * np.sqrt(n_data_sets - 1)
    half_width = stats.t.ppf(0.975, n_data_sets - 1) * spread
    return [
        Interval(estimate, estimate - half, estimate + half, 0.95)
        for estimate, half in zip(statistic(values), half_width, strict=True)
    ]


def _mean_of_data_sets(values: Floats) -> Floats:
    average: Floats = values.mean(axis=0)
    return average


def _mean_of_pairs(values: Floats) -> Floats:
    return _mean_of_data_sets(values[np.triu_indices(len(values), k=1)])


def mean_of_defined(values: Floats) -> Floats:
    """Return the mean over the first axis of the values that are defined, NaN if none is."""
    found: Floats = np.ma.masked_invalid(values).mean(axis=0).filled(np.nan)
    return found
