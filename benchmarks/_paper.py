"""Published coverage of the criteria on synthetic systems, and the metrics to compare.

From Table 3 of E. Amigo, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz (2020), "An
Effectiveness Metric for Ordinal Classification: Formal Properties and Experimental Results", ACL.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from sklearn_ordinal.metrics import weighted_kappa_score

# The kind of systems that each column leaves out.
COLUMNS: Mapping[str, str | None] = {
    "all": None,
    "without rand": "rand",
    "without prox": "prox",
    "without maj": "maj",
    "without tDisp": "tDisp",
    "without oDisp": "oDisp",
}
# The metric of each row.
METRICS: Mapping[str, Any] = {
    "Acc": "accuracy",
    "Kendall": "kendall_tau_a",
    "MI": "mutual_information",
    "F": "f1_macro",
    "MAAC": "balanced_accuracy",
    "Kappa": partial(weighted_kappa_score, weights="identity"),
    "Acc with 1": "within_1_accuracy",
    "MAE": "ordinal_mean_absolute_error",
    "MAE m": "macro_averaged_mean_absolute_error",
    "MSE": "ordinal_mean_squared_error",
    "MSE m": "macro_averaged_mean_squared_error",
    "Pearson": "pearson_correlation",
    "Spearman": "spearman_correlation",
    "CEM": "cem_ord",
    "CEM flat": "cem_ord_flat",
}
PRINTED = np.array(
    [
        [0.81, 0.77, 0.78, 0.78, 0.94, 0.77],
        [0.84, 0.81, 0.82, 0.82, 0.93, 0.82],
        [0.84, 0.82, 0.84, 0.82, 0.93, 0.82],
        [0.83, 0.80, 0.82, 0.81, 0.93, 0.81],
        [0.83, 0.81, 0.82, 0.79, 0.91, 0.81],
        [0.81, 0.78, 0.79, 0.77, 0.94, 0.77],
        [0.79, 0.75, 0.77, 0.80, 0.85, 0.79],
        [0.84, 0.82, 0.83, 0.87, 0.86, 0.84],
        [0.74, 0.73, 0.74, 0.80, 0.76, 0.73],
        [0.89, 0.87, 0.87, 0.88, 0.93, 0.88],
        [0.83, 0.80, 0.80, 0.82, 0.90, 0.83],
        [0.77, 0.79, 0.74, 0.73, 0.83, 0.79],
        [0.72, 0.67, 0.69, 0.77, 0.76, 0.70],
        [0.91, 0.89, 0.90, 0.90, 0.95, 0.89],
        [0.87, 0.84, 0.86, 0.88, 0.89, 0.87],
    ]
)
