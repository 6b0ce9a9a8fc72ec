"""Intervals and tests for metrics, cross-validation scores and data sets."""

from sklearn_ordinal.inference._bootstrap import bootstrap_interval
from sklearn_ordinal.inference._fold_tests import (
    PosteriorProbabilities,
    bayesian_correlated_t_test,
    corrected_t_interval,
    corrected_t_test,
)
from sklearn_ordinal.inference._group_values import GroupDifference
from sklearn_ordinal.inference._holm_correction import holm_correction
from sklearn_ordinal.inference._intervals import Interval, delta_interval
from sklearn_ordinal.inference._multioutput_interval import multioutput_interval
from sklearn_ordinal.inference._paired_difference import PairedDifference, paired_difference
from sklearn_ordinal.inference._ranks import RankComparison, compare_ranks

__all__ = [
    "GroupDifference",
    "Interval",
    "PairedDifference",
    "PosteriorProbabilities",
    "RankComparison",
    "bayesian_correlated_t_test",
    "bootstrap_interval",
    "compare_ranks",
    "corrected_t_interval",
    "corrected_t_test",
    "delta_interval",
    "holm_correction",
    "multioutput_interval",
    "paired_difference",
]
