"""Measures of classes, thresholds and groups that reports show in addition to their criteria."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    Counts,
    OrdinalForecasts,
    divide,
    get_metric,
    is_real,
    margins,
    mean_where_defined,
    shown,
    warn_caller,
)
from sklearn_ordinal._documents import names_in_words
from sklearn_ordinal.metrics import (
    bias_per_class,
    decomposition_per_threshold,
    equal_error_rate_per_threshold,
    f1_per_class,
    mean_absolute_error_per_class,
    roc_auc_per_threshold,
    sensitivities,
    within_n_per_class,
)

ZeroDivision: TypeAlias = Literal["warn"] | float


def check_zero_division(zero_division: ZeroDivision) -> float:
    """Return the value that replaces an undefined precision, recall or f1."""
    if isinstance(zero_division, str) and zero_division == "warn":
        return 0.0
    if is_real(zero_division) and (zero_division in (0, 1) or math.isnan(zero_division)):
        return float(zero_division)
    raise ValueError(
        f"zero_division must be 'warn', 0.0, 1.0 or np.nan, got {shown(zero_division)}."
    )


def measures_per_class(counts: Counts) -> dict[str, NDArray[Any]]:
    """Return the measures of each class; undefined values are NaN."""
    _, pred = margins(counts)
    return {
        "precision": divide(np.diagonal(counts), pred),
        "recall": sensitivities(counts),
        "f1-score": f1_per_class(counts),
        "mean_absolute_error": mean_absolute_error_per_class(counts),
        "bias": bias_per_class(counts),
        "within_1": within_n_per_class(counts, n=1),
        "support": _without_rounding(counts.sum(axis=-1)),
    }


def _without_rounding(sizes: NDArray[Any]) -> NDArray[Any]:
    """Return class sizes, rounded where sums of fractions are integers up to rounding errors."""
    if sizes.dtype.kind in "iu":
        return sizes
    integers = np.rint(sizes)
    return np.where(np.isclose(sizes, integers, rtol=1e-12, atol=0), integers, sizes)


def measure_averages(
    per_class: Mapping[str, NDArray[Any]], counts: Counts
) -> dict[str, dict[str, float]]:
    """Return the macro and the weighted average of the measures."""
    support = per_class["support"]
    occurs = (support + counts.sum(axis=0)) > 0
    measures = [name for name in per_class if name != "support"]
    macro = {name: float(mean_where_defined(per_class[name], occurs)) for name in measures}
    weighted = {name: float(mean_where_defined(per_class[name], support)) for name in measures}
    total = support.sum().item()
    return {
        "macro avg": {**macro, "support": total},
        "weighted avg": {**weighted, "support": total},
    }


def warn_undefined_measures(
    per_class: Mapping[str, NDArray[Any]], criteria: Mapping[str, float], names: Sequence[str]
) -> None:
    """Warn about undefined measures and criteria."""
    undefined = [
        f"{column} of {names_in_words(np.array(names)[np.isnan(per_class[column])])} (set to 0.0)"
        for column in ("precision", "recall")
        if per_class and np.isnan(per_class[column]).any()
    ]
    undefined += [name for name, value in criteria.items() if math.isnan(value)]
    if undefined:
        is_unanswered = bool(per_class) and not per_class["support"].any()
        why = "without any prediction" if is_unanswered else "for these data"
        warn_caller(
            f"Undefined {why}: {'; '.join(undefined)}.",
            UndefinedMetricWarning,
            way_out="Pass zero_division= to choose the value of precision and recall, and to "
            "silence this warning.",
        )


def measures_per_threshold(forecasts: OrdinalForecasts) -> dict[str, NDArray[np.float64]]:
    """Return the measures of each threshold; undefined values are NaN."""
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


SIGNED_ERRORS = tuple(
    map(get_metric, ("ordinal_bias", "overestimation_rate", "underestimation_rate"))
)
"""Mean signed error in positions (positive: too high), and shares of too high and too low."""
