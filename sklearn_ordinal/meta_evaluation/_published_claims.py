"""What the source of CEM_ORD says about the properties of metrics.

E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), ACL 2020, Table 2,
doi:10.18653/v1/2020.acl-main.363. Monotonicity in the source is strict.
"""

from __future__ import annotations

from collections.abc import Mapping

from sklearn_ordinal.meta_evaluation._property_changes import PropertyName

SOURCE = "Amigo et al. (2020), Table 2"
CLAIMED: tuple[PropertyName, ...] = (
    "ordinal_invariant",
    "strictly_monotonic",
    "imbalance_aware",
)

_NONE: frozenset[PropertyName] = frozenset()
_INVARIANT: frozenset[PropertyName] = frozenset({"ordinal_invariant"})
_MONOTONIC: frozenset[PropertyName] = frozenset({"strictly_monotonic"})
_IMBALANCE: frozenset[PropertyName] = frozenset({"imbalance_aware"})

# The claims by the names of the metrics. "Kappa" is unweighted kappa; the source does not say which
# weights weighted kappa has.
CLAIMS: Mapping[str, frozenset[PropertyName]] = {
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
    "pearson_correlation": _NONE,
    "cem_ord": _INVARIANT | _MONOTONIC | _IMBALANCE,
}
NOT_HERE = (
    "Two criteria of the source are not in the catalogue: the loss of Rennie and Srebro, which is "
    "a function of decision values and thresholds (all_threshold_loss, immediate_threshold_loss), "
    'and Cohen\'s kappa without weights, which partial(weighted_kappa_score, weights="identity") '
    "stands for."
)
