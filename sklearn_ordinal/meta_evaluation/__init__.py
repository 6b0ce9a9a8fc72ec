"""Evaluation of the metrics themselves, on predictions of several systems."""

from sklearn_ordinal.meta_evaluation._discriminative_power import (
    DiscriminativePower,
    discriminative_power,
)
from sklearn_ordinal.meta_evaluation._metric_coverage import (
    MetricCoverage,
    metric_coverage,
    unanimous_improvement_ratio,
)
from sklearn_ordinal.meta_evaluation._metric_robustness import MetricRobustness, metric_robustness
from sklearn_ordinal.meta_evaluation._ordinal_systems import OrdinalSystems, make_ordinal_systems
from sklearn_ordinal.meta_evaluation._properties import Counterexample as Counterexample
from sklearn_ordinal.meta_evaluation._properties import PropertyReport, check_properties
from sklearn_ordinal.meta_evaluation._rank_agreement import RankAgreement, rank_agreement

__all__ = [
    "DiscriminativePower",
    "MetricCoverage",
    "MetricRobustness",
    "OrdinalSystems",
    "PropertyReport",
    "RankAgreement",
    "check_properties",
    "discriminative_power",
    "make_ordinal_systems",
    "metric_coverage",
    "metric_robustness",
    "rank_agreement",
    "unanimous_improvement_ratio",
]
