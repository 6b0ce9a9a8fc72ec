"""All metrics of labels of 500 systems on 100 test cases, compared with a loop."""

from __future__ import annotations

import warnings

import numpy as np
from _cases import CallMegabytes, CallTime, Case, at_least, within_megabytes
from cases_metrics import OF_LABELS
from numpy.typing import NDArray

from sklearn_ordinal import get_metric
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    RankAgreement,
    make_ordinal_systems,
    rank_agreement,
)

N_SYSTEMS = 500
N_SAMPLES_PER_TEST_CASE = 200
N_CLASSES = 11
# All pairs of a system and a test case take about the same time, so a share of them is enough.
PART_OF_LOOP = 1 / 1_000

Table = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def predictions(n_samples: int) -> Table:
    """Return true classes, predictions with a column for each system, and test cases."""
    kinds = ("maj", "rand", "tDisp", "oDisp", "prox")
    systems = make_ordinal_systems(
        n_test_cases=n_samples // N_SAMPLES_PER_TEST_CASE,
        n_samples=N_SAMPLES_PER_TEST_CASE,
        n_classes=N_CLASSES,
        kinds=kinds,
        error_rates=np.linspace(0.01, 1, N_SYSTEMS // len(kinds)),
        random_state=0,
    )
    positions = systems.predictions
    return positions.y_true, np.ascontiguousarray(positions.y_pred.T), positions.test_case


def loop_over_functions(
    y_true: NDArray[np.int64], y_pred: NDArray[np.int64], test_cases: NDArray[np.int64]
) -> list[float]:
    """Call the function of each metric for a share of the systems and test cases."""
    metrics = [get_metric(name) for name in OF_LABELS]
    n_test_cases = test_cases.max() + 1
    n_pairs = round(PART_OF_LOOP * N_SYSTEMS * n_test_cases)
    pairs = np.random.default_rng(0).integers([N_SYSTEMS, n_test_cases], size=(n_pairs, 2))
    values = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for system, test_case in pairs:
            rows = test_cases == test_case
            for metric in metrics:
                scale = {} if metric.is_sklearns else {"labels": range(N_CLASSES)}
                values.append(
                    metric.function(y_true[rows], y_pred[rows, system], **metric.options, **scale)
                )
    return values


def count_and_compare(
    y_true: NDArray[np.int64], y_pred: NDArray[np.int64], test_cases: NDArray[np.int64]
) -> RankAgreement:
    """Evaluate all metrics for all systems and test cases, and compare the orders of systems."""
    systems = OrdinalSystems.from_predictions(y_true, y_pred, test_cases=test_cases)
    return rank_agreement(systems)


CASES: list[Case] = [
    CallTime(
        "rank agreement / loop",
        peer=loop_over_functions,
        ours=count_and_compare,
        data=predictions,
        demands={100 * N_SAMPLES_PER_TEST_CASE: at_least(10)},
        same_result=False,
        part_of_peer=PART_OF_LOOP,
    ),
    CallMegabytes(
        "memory of rank agreement",
        ours=count_and_compare,
        data=predictions,
        demands={100 * N_SAMPLES_PER_TEST_CASE: within_megabytes(4_000)},
    ),
]
