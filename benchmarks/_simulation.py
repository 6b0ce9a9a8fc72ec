"""Populations with known values of the criteria, and the mean of a simulation over data sets.

Truth and prediction are drawn from known proportions of the cells. The true value of a metric is
its value in this population, which it approaches as the sample grows. The classes are of equal size
("even") or of the sizes in `SHARES` ("skewed"); a prediction is less likely the farther it is from
the true class. Probabilities are the posterior probabilities of the classes given a signal, the
true class with normal noise; random errors are added to them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric, get_metric_names

SEED = 20_230_614
LEVEL, N_RESAMPLES = 0.05, 999
NAMES_OF_LABELS = [
    name for name in get_metric_names() if get_metric(name).evidence.name == "labels"
]
NAMES_OF_FORECASTS = [
    name
    for name in get_metric_names()
    if get_metric(name).evidence.name in ("probabilities", "scores")
]
N_CLASSES = 5
SHARES = {
    "even": np.full(N_CLASSES, 0.2),
    "skewed": np.array([0.5, 0.25, 0.15, 0.07, 0.03]),
}
# Predictions of the worse of two systems decay more slowly with the distance from the truth.
DECAY, DECAY_OF_WORSE = 1.3, 0.9
NOISE, NOISE_OF_WORSE, ERROR_OF_LOGARITHMS = 0.8, 1.1, 0.5
N_SAMPLES_OF_POPULATION = 1_000_000


Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
Simulation = Callable[[np.random.Generator], Numbers]


def shares_of_predictions(decay: float = DECAY) -> Numbers:
    """Return, for each true class (rows), the share of each prediction."""
    position = np.arange(N_CLASSES)
    likelihood = np.exp(-decay * np.abs(position[:, None] - position))
    return likelihood / likelihood.sum(axis=1, keepdims=True)


def predictions(y_true: Labels, decay: float, rng: np.random.Generator) -> Labels:
    """Return predicted classes."""
    below = shares_of_predictions(decay).cumsum(axis=1)[y_true]
    return (rng.random((len(y_true), 1)) > below[:, :-1]).sum(axis=1)


def systems(y_true: Labels, decay_of_second: float, rng: np.random.Generator) -> list[Labels]:
    """Return the predictions of two systems, half of them shared, as trained systems often do."""
    shared = predictions(y_true, DECAY, rng)
    return [
        np.where(rng.random(len(y_true)) < 0.5, shared, predictions(y_true, decay, rng))
        for decay in (DECAY, decay_of_second)
    ]


def signals(y_true: Labels, noise: Numbers | float, rng: np.random.Generator) -> Numbers:
    """Return the true classes with noise."""
    return y_true + rng.normal(scale=noise, size=len(y_true))


def probabilities(
    signal: Numbers, noise: Numbers | float, shares: Numbers, rng: np.random.Generator
) -> Numbers:
    """Return the probabilities of the classes given a signal, with errors like a model's."""
    density = shares * np.exp(-(((signal[:, None] - np.arange(N_CLASSES)) / noise) ** 2) / 2)
    density *= rng.lognormal(sigma=ERROR_OF_LOGARITHMS, size=density.shape)
    return density / density.sum(axis=1, keepdims=True)


def systems_of_forecasts(
    y_true: Labels, shares: Numbers, noise_of_second: float, rng: np.random.Generator
) -> list[Numbers]:
    """Return the probabilities of two systems, half of whose signals come from the same samples."""
    is_shared = rng.random(len(y_true)) < 0.5
    first, second = signals(y_true, NOISE, rng), signals(y_true, noise_of_second, rng)
    second = np.where(is_shared, first, second)
    noise = np.where(is_shared, NOISE, noise_of_second)[:, None]
    return [
        probabilities(first, NOISE, shares, rng),
        probabilities(second, noise, shares, rng),
    ]


def true_values(shares: Numbers, shares_of_predictions: Numbers) -> Numbers:
    """Return the value of each metric of labels in the population."""
    # With so many samples, metrics that depend on the number of samples are close to their limit.
    population = OrdinalConfusion.from_counts(1e9 * shares[:, None] * shares_of_predictions)
    return np.array([get_metric(name)(population) for name in NAMES_OF_LABELS])


@cache
def true_values_of_forecasts(truth: str) -> Numbers:
    """Return the value of each metric of forecasts, (n_systems, n_metrics), in a large sample."""
    rng, shares = np.random.default_rng(SEED), SHARES[truth]
    y_true = rng.choice(N_CLASSES, size=N_SAMPLES_OF_POPULATION, p=shares)
    values = []
    for y_proba in systems_of_forecasts(y_true, shares, NOISE_OF_WORSE, rng):
        population = OrdinalForecasts.from_probabilities(y_true, y_proba, labels=range(N_CLASSES))
        values.append([get_metric(name)(population) for name in NAMES_OF_FORECASTS])
    return np.array(values)


def share_of_data_sets(
    simulation: Simulation, n_data_sets: int, seed: Sequence[int], n_jobs: int
) -> Numbers:
    """Return the mean of a simulation over data sets, each with its own random numbers."""
    seeds = np.random.SeedSequence(SEED, spawn_key=tuple(seed)).spawn(n_data_sets)
    results = Parallel(n_jobs=n_jobs)(delayed(_simulate)(simulation, seed) for seed in seeds)
    mean: Numbers = np.mean(results, axis=0)
    return mean


def _simulate(simulation: Simulation, seed: np.random.SeedSequence) -> Numbers:
    with warnings.catch_warnings():
        # An undefined interval counts as an interval that contains nothing.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        # Folds of a skewed truth may lack a class.
        warnings.filterwarnings("ignore", "The least populated class in y", UserWarning)
        return simulation(np.random.default_rng(seed))
