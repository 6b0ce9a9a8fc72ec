"""Metric functions of predicted classes, probabilities and scores."""

# ruff: noqa: I001 - the catalogue, and so each report, has the order of these imports.
from sklearn_ordinal.metrics._closeness import (
    cem_int_score as cem_int_score,
    cem_nom_score as cem_nom_score,
    cem_ord_flat_score as cem_ord_flat_score,
    cem_ord_score as cem_ord_score,
    closeness_costs as closeness_costs,
    proximity_matrix as proximity_matrix,
)
from sklearn_ordinal.metrics._accuracy import (
    extreme_sensitivity_score as extreme_sensitivity_score,
    geometric_mean_score as geometric_mean_score,
    minimum_sensitivity_score as minimum_sensitivity_score,
    within_n_accuracy_score as within_n_accuracy_score,
)
from sklearn_ordinal.metrics._error import (
    macro_averaged_mean_absolute_error as macro_averaged_mean_absolute_error,
    macro_averaged_mean_squared_error as macro_averaged_mean_squared_error,
    maximum_mean_absolute_error as maximum_mean_absolute_error,
    ordinal_mean_absolute_error as ordinal_mean_absolute_error,
    ordinal_mean_squared_error as ordinal_mean_squared_error,
    ordinal_bias as ordinal_bias,
    overestimation_rate as overestimation_rate,
    underestimation_rate as underestimation_rate,
)
from sklearn_ordinal.metrics._cost import (
    expected_cost_loss as expected_cost_loss,
)
from sklearn_ordinal.metrics._kappa import (
    linear_weighted_kappa_score as linear_weighted_kappa_score,
    quadratic_weighted_kappa_score as quadratic_weighted_kappa_score,
    weighted_kappa_score as weighted_kappa_score,
)
from sklearn_ordinal.metrics._agreement import (
    agreement_score as agreement_score,
    gwet_ac2_score as gwet_ac2_score,
    krippendorff_alpha_score as krippendorff_alpha_score,
    scott_pi_score as scott_pi_score,
)
from sklearn_ordinal.metrics._true_scores import (
    prmse_score as prmse_score,
)
from sklearn_ordinal.metrics._association import (
    goodman_kruskal_gamma_score as goodman_kruskal_gamma_score,
    kendall_tau_score as kendall_tau_score,
    somers_d_score as somers_d_score,
    cosine_similarity_score as cosine_similarity_score,
    pearson_correlation_score as pearson_correlation_score,
    spearman_correlation_score as spearman_correlation_score,
    reliability_sensitivity as reliability_sensitivity,
)
from sklearn_ordinal.metrics._information import (
    inverse_purity_score as inverse_purity_score,
    mutual_information_score as mutual_information_score,
    purity_score as purity_score,
)
from sklearn_ordinal.metrics._path import (
    ordinal_classification_index as ordinal_classification_index,
    uniform_ordinal_classification_index as uniform_ordinal_classification_index,
)
from sklearn_ordinal.metrics._ranked_probability import (
    ranked_probability_score as ranked_probability_score,
    ranked_probability_skill_score as ranked_probability_skill_score,
)
from sklearn_ordinal.metrics._probability import (
    cem_ord_decision_score as cem_ord_decision_score,
    expected_cem_ord_score as expected_cem_ord_score,
    unimodality_score as unimodality_score,
)
from sklearn_ordinal.metrics._miscalibration import (
    RankedProbabilityDecomposition as RankedProbabilityDecomposition,
    ranked_probability_decomposition as ranked_probability_decomposition,
)
from sklearn_ordinal.metrics._distribution_errors import (
    manhattan_error as manhattan_error,
    wasserstein_error as wasserstein_error,
)
from sklearn_ordinal.metrics._multioutput import (
    exact_match_score as exact_match_score,
    multioutput_score as multioutput_score,
)
from sklearn_ordinal.metrics._split import (
    split_measure as split_measure,
    split_measures as split_measures,
)
from sklearn_ordinal.metrics._ranking import (
    concordance_score as concordance_score,
    mean_pairwise_roc_auc_score as mean_pairwise_roc_auc_score,
    ranking_error as ranking_error,
    threshold_roc_auc_score as threshold_roc_auc_score,
    volume_under_surface_score as volume_under_surface_score,
    equal_error_rate as equal_error_rate,
)
from sklearn_ordinal.metrics._margin import (
    all_threshold_loss as all_threshold_loss,
    immediate_threshold_loss as immediate_threshold_loss,
    margin_loss as margin_loss,
)

_SUFFIXES = ("_score", "_error", "_loss", "_index")
_OTHERS = (
    "RankedProbabilityDecomposition",
    "closeness_costs",
    "equal_error_rate",
    "ordinal_bias",
    "overestimation_rate",
    "proximity_matrix",
    "ranked_probability_decomposition",
    "reliability_sensitivity",
    "split_measure",
    "split_measures",
    "underestimation_rate",
)

# Every metric imported above is public. Names of modules begin with an underscore.
__all__ = sorted(
    name
    for name in globals()
    if name in _OTHERS or (name.endswith(_SUFFIXES) and not name.startswith("_"))
)
