"""Coverage and sizes of prediction sets of five classes."""

from __future__ import annotations

import numpy as np
from _cases import CallTime, Case, at_least, unless_installed
from numpy.typing import NDArray

from sklearn_ordinal import prediction_set_report

N_CLASSES = 5


def grades_and_sets(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, N_CLASSES, n_samples)
    return y_true, rng.dirichlet(np.ones(N_CLASSES), n_samples) > 0.15


def mapie_coverage_and_size(y_true: NDArray[np.int64], sets: NDArray[np.bool_]) -> list[float]:
    from mapie.metrics.classification import (
        classification_coverage_score,
        classification_mean_width_score,
    )

    levels = sets[:, :, None]
    return [
        classification_coverage_score(y_true, levels).item(),
        classification_mean_width_score(levels).item(),
    ]


def coverage_and_size(y_true: NDArray[np.int64], sets: NDArray[np.bool_]) -> list[float]:
    report = prediction_set_report(y_true, sets)
    return [report.coverage[0][0].estimate, report.measures["size"][0, 0].item()]


CASES: list[Case] = [
    CallTime(
        "prediction sets / MAPIE",
        peer=mapie_coverage_and_size,
        ours=coverage_and_size,
        data=grades_and_sets,
        demands={1_000_000: at_least(2)},
        left_out=unless_installed("mapie"),
    ),
]
