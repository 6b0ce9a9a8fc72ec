"""Worked examples of criteria of probabilities."""

from pathlib import Path

import numpy as np

A, B, C = (0.6, 0.3, 0.1), (0.2, 0.5, 0.3), (0.1, 0.3, 0.6)
# Eight samples with three distinct forecasts.
FEW_TRUE = np.array([0, 1, 2, 2, 1, 2, 0, 0])
FEW = np.array([A, B, C, B, A, C, B, A])
# Four forecasts, each of three samples.
FOUR_TRUE = np.array([0, 1, 1, 0, 0, 2, 0, 1, 2, 2, 2, 1])
FOUR = np.repeat([(0.7, 0.2, 0.1), (0.5, 0.3, 0.2), (0.3, 0.4, 0.3), (0.1, 0.2, 0.7)], 3, axis=0)


def hpc_cv():
    """Return classes and cross-validated probabilities of 3,467 computing jobs.

    The data set hpc_cv of the R package modeldata (MIT licence), with probabilities rounded to
    six digits.
    """
    data = np.load(Path(__file__).parent / "hpc_cv.npz")
    return data["y_true"].astype(int), data["millionths"] / 1e6


def random_probabilities(n_samples=60, n_classes=4, seed=0):
    """Return true classes, probabilities and weights, some of which are 0."""
    rng = np.random.default_rng(seed)
    y_proba = rng.dirichlet(np.ones(n_classes), n_samples)
    y_true = rng.integers(n_classes, size=n_samples)
    return y_true, y_proba, rng.integers(0, 4, n_samples)
