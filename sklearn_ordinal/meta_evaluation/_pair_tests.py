"""Bootstrap tests of all pairs of systems, on the same resamples for all metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import IntegerArray, OrdinalConfusion, UnitDraws, Values, slices
from sklearn_ordinal.inference import TIE, scale_of
from sklearn_ordinal.meta_evaluation._ordinal_systems import OrdinalSystems, PredictedPositions
from sklearn_ordinal.meta_evaluation._system_values import Evaluation, evaluate_systems

_CELLS_AT_ONCE = 2**20
_WEIGHTS_AT_ONCE = 2**22
_NUMBERS_IN_CACHE = 2**17


def test_case_pvalues(values: Values, rng: np.random.Generator, n_resamples: int) -> Values:
    """Return the p-value of each metric and pair, from resamples of the test cases.

    Values have shape (n_test_cases, n_systems, n_metrics). The p-values have shape (n_metrics,
    n_systems, n_systems), with 1 on the diagonals.
    """
    n_test_cases, n_systems, n_metrics = values.shape
    weights = (UnitDraws(n_test_cases)(rng, n_resamples) / n_test_cases).T
    first, second = np.triu_indices(n_systems, k=1)
    pvalues = np.ones((n_metrics, n_systems, n_systems))
    for metric, metric_values in enumerate(np.moveaxis(values, -1, 0)):
        margin = float(TIE * scale_of(metric_values))
        for part in slices(len(first), _NUMBERS_IN_CACHE // n_resamples):
            a, b = first[part], second[part]
            n_as_large = _n_as_large(metric_values[:, a] - metric_values[:, b], weights, margin)
            pvalues[metric, a, b] = pvalues[metric, b, a] = (1 + n_as_large) / (1 + n_resamples)
    return pvalues


def _n_as_large(
    differences: Values, weights: NDArray[np.float64], margin: float
) -> NDArray[np.int64]:
    """Count, for each pair, the resamples with a t statistic at least as large as the observed one.

    The square of t = mean / (std / sqrt(n)) increases with mean**2 / mean_square. This ratio avoids
    dividing by the standard deviation of a resample, which may be zero.
    """
    mean = differences.mean(axis=0)
    is_equal = np.abs(mean) <= margin
    mean_square = np.where(is_equal, 1, (differences**2).mean(axis=0))
    shifted = differences - mean
    shifted[np.abs(shifted) <= margin] = 0
    means = shifted.T @ weights
    # Compare strictly with a slightly smaller value, since 0 / 0 is not a large t statistic.
    bounds = (shifted**2 * (mean**2 / mean_square * (1 - TIE))).T @ weights
    is_as_large = np.square(means, out=means) > bounds
    n_as_large: NDArray[np.int64] = np.count_nonzero(is_as_large, axis=-1)
    n_as_large[is_equal] = weights.shape[1]
    return n_as_large


def sample_pvalues(
    systems: OrdinalSystems,
    predictions: PredictedPositions,
    evaluation: Evaluation,
    rng: np.random.Generator,
    n_resamples: int,
) -> tuple[Values, dict[str, int]]:
    """Return the p-value of each metric and pair, from resamples of the samples of each test case.

    The p-values have shape (n_metrics, n_systems, n_systems), with 1 on the diagonals. Also
    return the number of undefined values of each metric in the resamples.
    """
    observed = evaluation.values.mean(axis=0)
    margins = TIE * scale_of(evaluation.values, axis=(0, 1))
    n_systems, n_metrics = observed.shape
    n_as_large = np.zeros((n_systems, n_systems, n_metrics), dtype=np.int64)
    n_undefined = np.zeros(n_metrics, dtype=np.int64)
    for resampled in _evaluated_resamples(systems, predictions, evaluation, rng, n_resamples):
        shifted = resampled.values - observed
        for first in range(n_systems):
            difference = np.abs(observed[first] - observed) - margins
            is_as_large = np.abs(shifted[:, first, None] - shifted) >= difference
            n_as_large[first] += np.count_nonzero(is_as_large, axis=0)
        n_undefined += list(resampled.n_undefined.values())
    pvalues = (1 + np.moveaxis(n_as_large, -1, 0)) / (1 + n_resamples)
    return pvalues, dict(zip(evaluation.names, n_undefined.tolist(), strict=True))


def _evaluated_resamples(
    systems: OrdinalSystems,
    predictions: PredictedPositions,
    evaluation: Evaluation,
    rng: np.random.Generator,
    n_resamples: int,
) -> Iterator[Evaluation]:
    """Yield means over the test cases, with resamples in place of test cases on the first axis."""
    scale, n_systems, n_classes = systems.confusion.scale, len(systems.names), systems.n_classes
    samples = [
        np.flatnonzero(predictions.test_case == number) for number in range(len(systems.test_cases))
    ]
    tables = [
        _table(predictions.y_true[rows], predictions.y_pred[:, rows], n_classes) for rows in samples
    ]
    step = _CELLS_AT_ONCE // (n_systems * n_classes**2)
    step = min(step, _WEIGHTS_AT_ONCE // max(map(len, samples)))
    for part in slices(n_resamples, step):
        size = part.stop - part.start
        parts = []
        for rows, table in zip(samples, tables, strict=True):
            weights = UnitDraws(len(rows))(rng, size).T.astype(np.float64)
            counts = (table @ weights).reshape(n_systems, n_classes, n_classes, size)
            resampled_systems = OrdinalSystems(OrdinalConfusion(scale, np.moveaxis(counts, -1, 0)))
            parts.append(evaluate_systems(resampled_systems, evaluation.metrics))
        yield Evaluation(
            evaluation.metrics,
            np.mean([part.values for part in parts], axis=0),
            {name: sum(part.n_undefined[name] for part in parts) for name in evaluation.names},
        )


def _table(y_true: IntegerArray, y_pred: IntegerArray, n_classes: int) -> Any:
    """Return the cell of each sample in the counts of all systems, as a sparse indicator."""
    n_systems, n_samples = y_pred.shape
    cells = (np.arange(n_systems)[:, None] * n_classes + y_true) * n_classes + y_pred
    columns = np.tile(np.arange(n_samples), n_systems)
    return csr_array(
        (np.ones(cells.size), (cells.ravel(), columns)),
        shape=(n_systems * n_classes**2, n_samples),
    )
