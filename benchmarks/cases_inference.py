"""Bootstrap intervals, compared with resampling rows and with a classification report."""

from __future__ import annotations

from functools import partial

import numpy as np
from _cases import CallMegabytes, CallTime, Case, at_least, at_most, within_megabytes
from cases_counting import count, integers
from numpy.typing import NDArray
from sklearn.metrics import classification_report

from sklearn_ordinal import get_metric, get_metric_names
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.metrics import ranked_probability_score

METRIC = "cem_ord"
METRICS_OF_LABELS = [name for name in get_metric_names() if get_metric(name).evidence == "labels"]
N_RESAMPLES = 10_000
# All resamples of rows take the same time, so a share of them is enough.
PART_OF_ROWS = 1 / 100
LABELS = range(5)


def interval_of_rows(y_true: NDArray[np.int64], y_pred: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a percentile interval from a share of the resamples, row by row."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(round(N_RESAMPLES * PART_OF_ROWS)):
        rows = rng.integers(len(y_true), size=len(y_true))
        values.append(get_metric(METRIC)(count(y_true[rows], y_pred[rows])))
    return np.quantile(values, [0.025, 0.975])


def forecasts(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return true classes, and probabilities of five classes."""
    rng = np.random.default_rng(0)
    return rng.integers(len(LABELS), size=n_samples), rng.dirichlet(np.ones(len(LABELS)), n_samples)


def interval_of_rows_of_probabilities(
    y_true: NDArray[np.int64], y_proba: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a percentile interval from a share of the resamples, row by row."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(round(N_RESAMPLES * PART_OF_ROWS)):
        rows = rng.integers(len(y_true), size=len(y_true))
        values.append(ranked_probability_score(y_true[rows], y_proba[rows], labels=LABELS))
    return np.quantile(values, [0.025, 0.975])


bootstrap_of_probabilities = partial(
    bootstrap_interval,
    metric="ranked_probability_score",
    labels=LABELS,
    n_resamples=N_RESAMPLES,
    random_state=0,
)

CASES: list[Case] = [
    CallTime(
        "bootstrap interval / rows",
        peer=interval_of_rows,
        ours=partial(bootstrap_interval, metric=METRIC, n_resamples=N_RESAMPLES, random_state=0),
        data=integers,
        demands={100_000: at_least(300)},
        same_result=False,
        part_of_peer=PART_OF_ROWS,
    ),
    CallTime(
        "bootstrap RPS / rows",
        peer=interval_of_rows_of_probabilities,
        ours=bootstrap_of_probabilities,
        data=forecasts,
        demands={100_000: at_least(20)},
        same_result=False,
        part_of_peer=PART_OF_ROWS,
    ),
    CallMegabytes(
        "memory of bootstrap RPS",
        ours=bootstrap_of_probabilities,
        data=forecasts,
        demands={100_000: within_megabytes(4 * 100_000 * len(LABELS) * 8 / 1e6)},
    ),
    CallTime(
        "all intervals / class. report",
        peer=classification_report,
        ours=partial(
            bootstrap_interval,
            metric=METRICS_OF_LABELS,
            n_resamples=N_RESAMPLES,
            random_state=0,
        ),
        data=integers,
        demands={1_000_000: at_most(1)},
        same_result=False,
    ),
]
