"""Counting and single metrics, compared with scikit-learn and a C loop."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from _c_loop import count_in_c, unless_compiler
from _cases import (
    CallMemory,
    CallTime,
    Case,
    ImportTime,
    at_least,
    at_most,
    grows_at_most,
    unless_installed,
)
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal.metrics import cem_ord_score, quadratic_weighted_kappa_score

NAMES = ["very low", "low", "medium", "high", "very high"]

count = OrdinalConfusion.from_predictions
cohen_kappa = partial(cohen_kappa_score, weights="quadratic")


def integers(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return classes with shares 1:2:3:4:5, and predictions, half of which are random."""
    rng = np.random.default_rng(0)
    shares = np.arange(1, len(NAMES) + 1) / sum(range(1, len(NAMES) + 1))
    y_true, drawn = rng.choice(len(NAMES), size=(2, n_samples), p=shares)
    return y_true, np.where(rng.random(n_samples) < 0.5, y_true, drawn)


def object_strings(n_samples: int) -> tuple[NDArray[np.object_], ...]:
    names = np.array(NAMES, dtype=object)
    return tuple(names[y] for y in integers(n_samples))


def pandas_strings(n_samples: int, dtype: Any) -> tuple[Any, ...]:
    from pandas import Series

    return tuple(Series(y, dtype=dtype) for y in object_strings(n_samples))


def polars_strings(n_samples: int) -> tuple[Any, ...]:
    from polars import Series

    return tuple(Series(y.tolist()) for y in object_strings(n_samples))


def count_factorized(*columns: Any) -> OrdinalConfusion:
    from pandas import factorize

    positions = []
    for column in columns:
        codes, names = factorize(column)
        positions.append(np.array([NAMES.index(name) for name in names])[codes])
    return count(*positions, labels=range(len(NAMES)))


def count_as_enum(*columns: Any) -> OrdinalConfusion:
    from polars import Enum

    return count(*(column.cast(Enum(NAMES)) for column in columns))


def codes(n_samples: int) -> tuple[NDArray[np.int8], ...]:
    return tuple(y.astype(np.int8) for y in integers(n_samples))


def categoricals(n_samples: int) -> tuple[object, ...]:
    from pandas import Categorical

    return tuple(
        Categorical.from_codes(y, categories=NAMES, ordered=True) for y in codes(n_samples)
    )


CASES: list[Case] = [
    CallTime(
        "count int64",
        peer=confusion_matrix,
        ours=count,
        data=integers,
        demands={1_000_000: at_least(30), 10_000_000: at_least(30)},
    ),
    CallTime(
        "count int64 / C loop",
        peer=partial(count_in_c, n_classes=len(NAMES)),
        ours=count,
        data=integers,
        demands={1_000_000: at_most(4)},
        left_out=unless_compiler(),
    ),
    CallTime(
        "count object strings",
        peer=partial(confusion_matrix, labels=NAMES),
        ours=partial(count, labels=NAMES),
        data=object_strings,
        demands={1_000_000: at_least(25)},
    ),
    *(
        CallTime(
            f"count pandas {name} / factorize",
            peer=count_factorized,
            ours=partial(count, labels=NAMES),
            data=partial(pandas_strings, dtype=dtype),
            demands={1_000_000: at_most(1.5)},
            left_out=unless_installed("pandas"),
            clock=time.process_time,
        )
        for name, dtype in (("objects", object), ("str", "str"), ("string", "string"))
    ),
    CallTime(
        "count polars String / Enum",
        peer=count_as_enum,
        ours=partial(count, labels=NAMES),
        data=polars_strings,
        demands={1_000_000: at_most(2)},
        left_out=unless_installed("polars"),
        clock=time.process_time,
    ),
    CallTime(
        "count Categorical / codes",
        peer=count,
        peer_data=codes,
        ours=count,
        data=categoricals,
        demands={1_000_000: grows_at_most(1.3)},
        left_out=unless_installed("pandas"),
    ),
    CallTime(
        "cem_ord",
        peer=cohen_kappa,
        ours=cem_ord_score,
        data=integers,
        demands={200: at_least(25), 1_000_000: at_least(30)},
        same_result=False,
    ),
    CallTime(
        "quadratic_weighted_kappa",
        peer=cohen_kappa,
        ours=quadratic_weighted_kappa_score,
        data=integers,
        demands={200: at_least(25), 1_000_000: at_least(30)},
    ),
    CallTime(
        "cem_ord / accuracy_score",
        peer=accuracy_score,
        ours=cem_ord_score,
        data=integers,
        demands={200: at_least(12)},
        same_result=False,
        clock=time.process_time,
    ),
    CallTime(
        "QWK / accuracy_score",
        peer=accuracy_score,
        ours=quadratic_weighted_kappa_score,
        data=integers,
        demands={200: at_least(8)},
        same_result=False,
    ),
    CallMemory(
        "memory, count int64",
        peer=confusion_matrix,
        ours=count,
        data=integers,
        demands={10_000_000: at_most(1)},
    ),
    ImportTime(
        "import, beside model_selection",
        peer="import sklearn.model_selection",
        ours="import sklearn.model_selection, sklearn_ordinal",
        demand=at_most(1.10),
    ),
]
