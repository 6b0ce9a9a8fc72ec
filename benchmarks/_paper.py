"""What Tables 2 and 3 of the source of CEM_ORD say: properties, and coverage on synthetic systems.

E. Amigo, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz (2020), "An
Effectiveness Metric for Ordinal Classification: Formal Properties and Experimental Results", ACL.
doi:10.18653/v1/2020.acl-main.363.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from sklearn_ordinal.metrics import weighted_kappa_score

# --- Table 2: the properties of each criterion, by the name of the metric here -----------------

# Monotonicity in the source is strict.
CLAIMED = ("ordinal_invariant", "strictly_monotonic", "imbalance_aware")
_INVARIANT, _MONOTONIC, _IMBALANCE = (frozenset({name}) for name in CLAIMED)
# "Kappa" is unweighted kappa; the source does not say which weights weighted kappa has, so its one
# row is three criteria here. The loss of Rennie and Srebro is a function of decision values and
# thresholds, and no criterion of predicted classes.
CLAIMS: Mapping[str, frozenset[str]] = {
    "accuracy": _INVARIANT,
    "within_1_accuracy": _INVARIANT,
    "kendall_tau_a": _INVARIANT,
    "ordinal_classification_index": _INVARIANT,
    "balanced_accuracy": _INVARIANT | _IMBALANCE,
    "weighted_kappa(weights='identity')": _INVARIANT | _IMBALANCE,
    "f1_macro": _INVARIANT | _IMBALANCE,
    "kendall_tau_b": _INVARIANT | _IMBALANCE,
    "spearman_correlation": _INVARIANT | _IMBALANCE,
    "reliability_sensitivity_f": _INVARIANT | _IMBALANCE,
    "mutual_information": _INVARIANT | _IMBALANCE,
    "purity": _INVARIANT | _IMBALANCE,
    "inverse_purity": _INVARIANT | _IMBALANCE,
    "cem_nom": _INVARIANT | _IMBALANCE,
    "ordinal_mean_absolute_error": _MONOTONIC,
    "ordinal_mean_squared_error": _MONOTONIC,
    "cosine_similarity": _MONOTONIC,
    "macro_averaged_mean_absolute_error": _MONOTONIC | _IMBALANCE,
    "macro_averaged_mean_squared_error": _MONOTONIC | _IMBALANCE,
    "linear_weighted_kappa": _MONOTONIC | _IMBALANCE,
    "quadratic_weighted_kappa": _MONOTONIC | _IMBALANCE,
    "ordinal_weighted_kappa": _MONOTONIC | _IMBALANCE,
    "cem_int": _MONOTONIC | _IMBALANCE,
    "pearson_correlation": frozenset(),
    "cem_ord": _INVARIANT | _MONOTONIC | _IMBALANCE,
}

# --- Table 3: the coverage of each criterion on synthetic systems ------------------------------

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
