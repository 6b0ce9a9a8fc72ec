"""Values of several metrics for several systems, with undefined values replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import MetricsLike, OrdinalMetric, get_metrics, score_if_undefined
from sklearn_ordinal.inference import scale_of
from sklearn_ordinal.meta_evaluation._ordinal_systems import (
    OrdinalSystems,
    check_label_metric,
    counts_in_parts,
)

# Sums and squares of larger values would overflow.
_LARGEST = 1e100


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Values of metrics for each test case and system.

    Parameters
    ----------
    metrics : tuple of OrdinalMetric
        The metrics.
    values : ndarray of shape (n_test_cases, n_systems, n_metrics)
        Values in the unit of each metric. An undefined value is replaced as in scorers: by 0 if
        this is the chance level, otherwise by the worst value.
    n_undefined : mapping of str to int
        Number of undefined values of each metric.
    """

    metrics: tuple[OrdinalMetric, ...]
    values: NDArray[np.float64]
    n_undefined: Mapping[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The values, negated if lower is better."""
        return self.values * [1 if metric.greater_is_better else -1 for metric in self.metrics]


def evaluate_systems(
    systems: OrdinalSystems,
    metrics: MetricsLike,
    *,
    argument: str = "metrics",
    min_metrics: int = 1,
) -> Evaluation:
    """Evaluate metrics of predicted classes for each test case and system."""
    checked = [
        check_label_metric(metric, argument)
        for metric in get_metrics(metrics, argument=argument, with_direction=True)
    ]
    if len(checked) < min_metrics:
        raise ValueError(
            f"{argument} must have at least {min_metrics} metrics, got {len(checked)}."
        )
    parts, columns = counts_in_parts(systems), []
    for metric in checked:
        with naming_failures(metric, argument):
            columns.append(np.concatenate([metric(part) for part in parts]))
    values = np.stack(columns, axis=-1)
    largest = np.nan_to_num(np.abs(values), posinf=np.inf).max(axis=(0, 1))
    if (largest > _LARGEST).any():
        first = int(np.argmax(largest > _LARGEST))
        amount = "infinite" if np.isinf(largest[first]) else f"{largest[first]:.3g} in size"
        raise ValueError(
            f"{argument}: {checked[first].name} is {amount} for a system on a test case, so it has "
            f"no mean over the test cases: leave out the metric, or bound it."
        )
    is_undefined = np.isnan(values)
    n_undefined = is_undefined.sum(axis=(0, 1)).tolist()
    replacements = [score_if_undefined(metric) for metric in checked]
    for metric, number, replacement in zip(checked, n_undefined, replacements, strict=True):
        if number and np.isnan(replacement):
            raise ValueError(
                f"{argument}: {metric.name} is undefined for {number} of "
                f"{values[..., 0].size} values and has no worst value to replace them: leave out "
                f"the metric, or the systems or test cases for which it is undefined."
            )
    return Evaluation(
        tuple(checked),
        np.where(is_undefined, replacements, values),
        {metric.name: number for metric, number in zip(checked, n_undefined, strict=True)},
    )


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores divided by the largest score of each metric; metrics are on the last axis.

    Rounding errors are then relative to 1, so scores of all metrics are compared in the same way.
    """
    return scores / scale_of(scores, axis=tuple(range(scores.ndim - 1)))


@contextmanager
def naming_failures(metric: OrdinalMetric, argument: str) -> Iterator[None]:
    """Re-raise an error of a metric with the names of the argument and of the metric."""
    try:
        yield
    except Exception as error:
        reason = " ".join(str(error).split())
        raise ValueError(
            f"{argument}: {metric.name} raised {type(error).__name__}: {reason}"
        ) from error
