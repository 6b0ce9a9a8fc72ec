"""Measures of each threshold between two neighbouring classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalForecasts, check_array, check_dict, divide, threshold_names
from sklearn_ordinal.documents import Column, Table
from sklearn_ordinal.metrics import (
    decomposition_per_threshold,
    equal_error_rate_per_threshold,
    roc_auc_per_threshold,
)

_MEASURES = (
    "prevalence",
    "roc_auc",
    "equal_error_rate",
    "miscalibration",
    "discrimination",
    "uncertainty",
)


def measures_per_threshold(forecasts: OrdinalForecasts) -> dict[str, NDArray[np.float64]]:
    """Return the measures of each threshold, NaN where undefined."""
    sizes = forecasts.class_counts
    above = sizes[::-1].cumsum()[-2::-1]
    decomposition = decomposition_per_threshold(forecasts)
    return {
        "prevalence": divide(above, sizes.sum()),
        "roc_auc": roc_auc_per_threshold(forecasts.to_scores()),
        "equal_error_rate": equal_error_rate_per_threshold(forecasts.to_scores()),
        "miscalibration": decomposition.miscalibration,
        "discrimination": decomposition.discrimination,
        "uncertainty": decomposition.uncertainty,
    }


def check_thresholds(per_threshold: Any, n_classes: int) -> None:
    """Raise unless a field has the measures of each threshold, none without probabilities."""
    keys = _MEASURES if n_classes else ()
    check_dict("per_threshold", per_threshold, np.ndarray, keys=keys)
    for measure, values in per_threshold.items():
        check_array(f"per_threshold[{measure!r}]", values, (n_classes - 1,), 0, 1)


def thresholds_table(
    target_names: Sequence[str], per_threshold: Mapping[str, NDArray[Any]], digits: int
) -> Table:
    """Return the measures of each threshold."""
    columns = {
        "prevalence": Column("prevalence", "number"),
        "roc_auc": Column("AUC", "number"),
        "equal_error_rate": Column("EER", "number"),
        # The parts of a small score need a digit more.
        "miscalibration": Column("miscalibration", "number", digits + 1),
        "discrimination": Column("discrimination", "number", digits + 1),
        # It depends only on the prevalence.
        "uncertainty": Column("uncertainty", "number", digits + 1, is_detail=True),
    }
    values = (per_threshold[name].tolist() for name in columns)
    rows = zip(threshold_names(target_names), *values, strict=True)
    title = "Thresholds, from the lowest to the highest"
    return Table(title, (Column("threshold"), *columns.values()), tuple(rows))
