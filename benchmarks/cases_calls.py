"""Small calls: weights, scorers, printed reports and start-up, all in CPU time."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from _cases import CallTime, Case, ImportTime, at_least, at_most, grows_at_most
from cases_counting import NAMES, integers
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, classification_report, get_scorer

from sklearn_ordinal import OrdinalReport
from sklearn_ordinal.metrics import cem_ord_score

Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
SCORER: Any = get_scorer("cem_ord")
CpuTime = partial(CallTime, same_result=False, clock=time.process_time)


class Predicted:
    """A fitted classifier that knows its predictions."""

    classes_ = np.arange(len(NAMES))

    def __init__(self, y_pred: NDArray[np.int64]) -> None:
        self.y_pred = y_pred

    def predict(self, X: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002
        return self.y_pred


def with_weights(n_samples: int) -> Columns:
    return (*integers(n_samples), np.random.default_rng(0).random(n_samples))


def cells_with_weights(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    y_true, y_pred, weight = with_weights(n_samples)
    return y_true * len(NAMES) + y_pred, weight


def fitted_with_weights(n_samples: int) -> tuple[Predicted, *Columns]:
    y_true, y_pred, weight = with_weights(n_samples)
    return Predicted(y_pred), y_true[:, None], y_true, weight


def fitted(n_samples: int) -> tuple[Any, ...]:
    return fitted_with_weights(n_samples)[:-1]


def weighted_accuracy(*columns: Any) -> float:
    y_true, y_pred, weight = columns
    return float(accuracy_score(y_true, y_pred, sample_weight=weight))


def weighted_cem_ord(*columns: Any) -> float:
    y_true, y_pred, weight = columns
    return cem_ord_score(y_true, y_pred, sample_weight=weight)


def weighted_score(*arguments: Any) -> Any:
    *arguments, weight = arguments
    return SCORER(*arguments, sample_weight=weight)


def printed(y_true: Any, y_pred: Any, **options: bool) -> str:
    return str(OrdinalReport.from_predictions(y_true, y_pred, **options))


CASES: list[Case] = [
    CpuTime(
        "weighted cem_ord / accuracy",
        peer=weighted_accuracy,
        ours=weighted_cem_ord,
        data=with_weights,
        demands={200: at_least(9)},
    ),
    CpuTime(
        "weighted cem_ord / bincount",
        peer=partial(np.bincount, minlength=len(NAMES) ** 2),
        peer_data=cells_with_weights,
        ours=weighted_cem_ord,
        data=with_weights,
        demands={1_000_000: at_most(1.5)},
    ),
    CpuTime(
        "scorer / its function",
        peer=cem_ord_score,
        peer_data=integers,
        ours=SCORER,
        data=fitted,
        demands={200: grows_at_most(2.9)},
        same_result=True,
    ),
    CpuTime(
        "weighted scorer / its function",
        peer=weighted_cem_ord,
        peer_data=with_weights,
        ours=weighted_score,
        data=fitted_with_weights,
        demands={200: grows_at_most(2.7)},
        same_result=True,
    ),
    CpuTime(
        "print / classification_report",
        peer=classification_report,
        ours=printed,
        data=integers,
        demands={1_000: at_least(2.8)},
    ),
    CpuTime(
        "print with intervals / without",
        peer=printed,
        ours=partial(printed, intervals=True),
        data=integers,
        demands={1_000: grows_at_most(3.8)},
    ),
    ImportTime(
        "import / sklearn.metrics",
        peer="import sklearn.metrics",
        ours="import sklearn_ordinal",
        demand=at_most(1.5),
    ),
]
