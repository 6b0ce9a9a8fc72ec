"""Intervals and tests for metrics, cross-validation scores and data sets."""

from sklearn_ordinal.inference._alternative_annotator import FEWEST_ITEMS as FEWEST_ITEMS
from sklearn_ordinal.inference._alternative_annotator import (
    AlternativeAnnotatorTest as AlternativeAnnotatorTest,
)
from sklearn_ordinal.inference._alternative_annotator import Closeness as Closeness
from sklearn_ordinal.inference._alternative_annotator import MissingGrades as MissingGrades
from sklearn_ordinal.inference._alternative_annotator import alternative_annotator_test
from sklearn_ordinal.inference._alternative_annotator import annotator_test as annotator_test
from sklearn_ordinal.inference._alternative_annotator import (
    check_test_options as check_test_options,
)
from sklearn_ordinal.inference._alternative_annotator import humans_left_out as humans_left_out
from sklearn_ordinal.inference._alternative_annotator import if_otherwise as if_otherwise
from sklearn_ordinal.inference._alternative_annotator import missing_in_words as missing_in_words
from sklearn_ordinal.inference._alternative_annotator import (
    other_result_in_words as other_result_in_words,
)
from sklearn_ordinal.inference._alternative_annotator import result_in_words as result_in_words
from sklearn_ordinal.inference._bayesian import PosteriorProbabilities as PosteriorProbabilities
from sklearn_ordinal.inference._bayesian import bayesian_correlated_t_test
from sklearn_ordinal.inference._best_predictions import SharedItems as SharedItems
from sklearn_ordinal.inference._best_predictions import finite_costs as finite_costs
from sklearn_ordinal.inference._bootstrap import bootstrap_interval
from sklearn_ordinal.inference._bootstrap import check_resampling as check_resampling
from sklearn_ordinal.inference._bootstrap import warn_about_undefined as warn_about_undefined
from sklearn_ordinal.inference._change import Change as Change
from sklearn_ordinal.inference._change import SampledEvidence as SampledEvidence
from sklearn_ordinal.inference._change import class_error_changes as class_error_changes
from sklearn_ordinal.inference._change import infer_change as infer_change
from sklearn_ordinal.inference._contrast import Contrast as Contrast
from sklearn_ordinal.inference._contrast import digits_of_intervals as digits_of_intervals
from sklearn_ordinal.inference._corrected_t import corrected_t_interval, corrected_t_test
from sklearn_ordinal.inference._corrected_t import width_after_repetition as width_after_repetition
from sklearn_ordinal.inference._delta_interval import delta_interval
from sklearn_ordinal.inference._group_difference import GroupDifference as GroupDifference
from sklearn_ordinal.inference._group_influences import GroupedCounts as GroupedCounts
from sklearn_ordinal.inference._group_influences import (
    infer_from_influences as infer_from_influences,
)
from sklearn_ordinal.inference._group_influences import (
    infer_from_sample_influences as infer_from_sample_influences,
)
from sklearn_ordinal.inference._group_moments import GroupMoments as GroupMoments
from sklearn_ordinal.inference._group_permutations import Against as Against
from sklearn_ordinal.inference._group_permutations import GroupInference as GroupInference
from sklearn_ordinal.inference._group_permutations import with_pvalues as with_pvalues
from sklearn_ordinal.inference._grouped_rows import GroupedRows as GroupedRows
from sklearn_ordinal.inference._groups import WHOLE_CLUSTERS as WHOLE_CLUSTERS
from sklearn_ordinal.inference._groups import WITHIN_CLASSES as WITHIN_CLASSES
from sklearn_ordinal.inference._groups import GroupedUnits as GroupedUnits
from sklearn_ordinal.inference._holm_correction import holm_correction
from sklearn_ordinal.inference._holm_correction import is_rejected as is_rejected
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._kendall_tau import kendall_tau as kendall_tau
from sklearn_ordinal.inference._kendall_tau import ranks_of as ranks_of
from sklearn_ordinal.inference._letters import compact_letters as compact_letters
from sklearn_ordinal.inference._multioutput_interval import multioutput_interval
from sklearn_ordinal.inference._paired_difference import Z_OF_POWER as Z_OF_POWER
from sklearn_ordinal.inference._paired_difference import PairedDifference, paired_difference
from sklearn_ordinal.inference._paired_difference import better_system as better_system
from sklearn_ordinal.inference._paired_difference import difference_in_words as difference_in_words
from sklearn_ordinal.inference._paired_difference import (
    smallest_difference_in_words as smallest_difference_in_words,
)
from sklearn_ordinal.inference._pilot_spread import StudyDesign as StudyDesign
from sklearn_ordinal.inference._pilot_spread import pilot_spread as pilot_spread
from sklearn_ordinal.inference._prediction_powered import assisted_values as assisted_values
from sklearn_ordinal.inference._ranks import RankComparison, compare_ranks
from sklearn_ordinal.inference._rater_intervals import SEVERITY as SEVERITY
from sklearn_ordinal.inference._rater_intervals import (
    bootstrap_rater_intervals as bootstrap_rater_intervals,
)
from sklearn_ordinal.inference._rater_intervals import (
    delta_rater_intervals as delta_rater_intervals,
)
from sklearn_ordinal.inference._same_footing import FEWEST_HUMANS as FEWEST_HUMANS
from sklearn_ordinal.inference._same_footing import judge_prmse as judge_prmse
from sklearn_ordinal.inference._same_footing import same_footing as same_footing
from sklearn_ordinal.inference._same_footing import z_among_humans as z_among_humans
from sklearn_ordinal.inference._share_intervals import Shares as Shares
from sklearn_ordinal.inference._share_intervals import share_intervals as share_intervals
from sklearn_ordinal.inference._share_intervals import (
    smallest_share_interval as smallest_share_interval,
)
from sklearn_ordinal.inference._step_down import step_down_tests as step_down_tests
from sklearn_ordinal.inference._systems import resample_systems as resample_systems
from sklearn_ordinal.inference._ties import TIE as TIE
from sklearn_ordinal.inference._ties import dense_ranks as dense_ranks
from sklearn_ordinal.inference._ties import merge_ties as merge_ties
from sklearn_ordinal.inference._ties import scale_of as scale_of

__all__ = [
    "AlternativeAnnotatorTest",
    "GroupDifference",
    "Interval",
    "PairedDifference",
    "PosteriorProbabilities",
    "RankComparison",
    "alternative_annotator_test",
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
