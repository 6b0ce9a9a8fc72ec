"""Metric functions of labels: ``f(y_true, y_pred, *, labels=None, sample_weight=None)``."""

# ruff: noqa: I001 - the catalogue, and so each report, has the order of these imports.
from sklearn_ordinal.metrics._closeness import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    proximity_matrix,
)
from sklearn_ordinal.metrics._accuracy import (
    extreme_sensitivity_score,
    geometric_mean_score,
    minimum_sensitivity_score,
    within_n_accuracy_score,
)
from sklearn_ordinal.metrics._error import (
    macro_averaged_mean_absolute_error,
    macro_averaged_mean_squared_error,
    maximum_mean_absolute_error,
    ordinal_mean_absolute_error,
    ordinal_mean_squared_error,
)
from sklearn_ordinal.metrics._agreement import (
    gwet_ac2_score,
    krippendorff_alpha_score,
    linear_weighted_kappa_score,
    quadratic_weighted_kappa_score,
    scott_pi_score,
)
from sklearn_ordinal.metrics._association import (
    cosine_similarity_score,
    goodman_kruskal_gamma_score,
    kendall_tau_score,
    pearson_correlation_score,
    reliability_sensitivity,
    somers_d_score,
    spearman_correlation_score,
)
from sklearn_ordinal.metrics._information import (
    inverse_purity_score,
    mutual_information_score,
    purity_score,
)
from sklearn_ordinal.metrics._path import (
    ordinal_classification_index,
    uniform_ordinal_classification_index,
)
from sklearn_ordinal.metrics._multioutput import exact_match_score, multioutput_score
from sklearn_ordinal.metrics._split import split_measures

__all__ = [
    "cem_int_score",
    "cem_nom_score",
    "cem_ord_flat_score",
    "cem_ord_score",
    "cosine_similarity_score",
    "exact_match_score",
    "extreme_sensitivity_score",
    "geometric_mean_score",
    "goodman_kruskal_gamma_score",
    "gwet_ac2_score",
    "inverse_purity_score",
    "kendall_tau_score",
    "krippendorff_alpha_score",
    "linear_weighted_kappa_score",
    "macro_averaged_mean_absolute_error",
    "macro_averaged_mean_squared_error",
    "maximum_mean_absolute_error",
    "minimum_sensitivity_score",
    "multioutput_score",
    "mutual_information_score",
    "ordinal_classification_index",
    "ordinal_mean_absolute_error",
    "ordinal_mean_squared_error",
    "pearson_correlation_score",
    "proximity_matrix",
    "purity_score",
    "quadratic_weighted_kappa_score",
    "reliability_sensitivity",
    "scott_pi_score",
    "somers_d_score",
    "spearman_correlation_score",
    "split_measures",
    "uniform_ordinal_classification_index",
    "within_n_accuracy_score",
]
