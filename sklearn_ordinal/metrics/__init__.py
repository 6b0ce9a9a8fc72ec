"""Metric functions of labels: ``f(y_true, y_pred, *, labels=None, sample_weight=None)``."""

# ruff: noqa: I001 - the catalogue, and so each report, has the order of these imports.
from sklearn_ordinal.metrics._closeness import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    proximity_matrix,
)
from sklearn_ordinal.metrics._accuracy import within_n_accuracy_score
from sklearn_ordinal.metrics._error import (
    macro_averaged_mean_absolute_error,
    ordinal_mean_absolute_error,
)
from sklearn_ordinal.metrics._agreement import (
    linear_weighted_kappa_score,
    quadratic_weighted_kappa_score,
)
from sklearn_ordinal.metrics._association import kendall_tau_score

__all__ = [
    "cem_int_score",
    "cem_nom_score",
    "cem_ord_flat_score",
    "cem_ord_score",
    "kendall_tau_score",
    "linear_weighted_kappa_score",
    "macro_averaged_mean_absolute_error",
    "ordinal_mean_absolute_error",
    "proximity_matrix",
    "quadratic_weighted_kappa_score",
    "within_n_accuracy_score",
]
