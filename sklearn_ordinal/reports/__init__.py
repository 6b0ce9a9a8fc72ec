"""Results for predictions, folds and comparisons, and their documents."""

from sklearn_ordinal.reports._agreement_report import AgreementReport as AgreementReport
from sklearn_ordinal.reports._agreement_report import agreement_report as agreement_report
from sklearn_ordinal.reports._change_report import ChangeReport as ChangeReport
from sklearn_ordinal.reports._change_report import change_parts as change_parts
from sklearn_ordinal.reports._change_report import change_verdicts as change_verdicts
from sklearn_ordinal.reports._change_report import report_change as report_change
from sklearn_ordinal.reports._compare_estimators import compare_estimators as compare_estimators
from sklearn_ordinal.reports._compare_on_data_sets import (
    compare_on_data_sets as compare_on_data_sets,
)
from sklearn_ordinal.reports._compare_systems import compare_systems as compare_systems
from sklearn_ordinal.reports._comparison_report import ComparisonReport
from sklearn_ordinal.reports._consensus import Consensus as Consensus
from sklearn_ordinal.reports._consensus import consensus as consensus
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._cross_val_report import cross_val_report as cross_val_report
from sklearn_ordinal.reports._data_sets_report import DataSetsReport as DataSetsReport
from sklearn_ordinal.reports._group_contrasts import GroupContrasts as GroupContrasts
from sklearn_ordinal.reports._group_report import GroupReport
from sklearn_ordinal.reports._judge_assisted_interval import (
    JudgeAssistedInterval as JudgeAssistedInterval,
)
from sklearn_ordinal.reports._judge_assisted_interval import (
    judge_assisted_interval as judge_assisted_interval,
)
from sklearn_ordinal.reports._judge_report import Footing as Footing
from sklearn_ordinal.reports._judge_report import JudgeReport as JudgeReport
from sklearn_ordinal.reports._judge_report import compare_judge as compare_judge
from sklearn_ordinal.reports._model_comparison import ModelComparison as ModelComparison
from sklearn_ordinal.reports._ordinal_report import OrdinalReport
from sklearn_ordinal.reports._ordinal_report import ordinal_report as ordinal_report
from sklearn_ordinal.reports._pairwise_comparison import PairwiseComparison as PairwiseComparison
from sklearn_ordinal.reports._prediction_sets import PredictionSetReport as PredictionSetReport
from sklearn_ordinal.reports._prediction_sets import (
    prediction_set_report as prediction_set_report,
)
from sklearn_ordinal.reports._provenance import Provenance as Provenance
from sklearn_ordinal.reports._rating_ceilings import Ceiling as Ceiling
from sklearn_ordinal.reports._rating_ceilings import RatingCeilings as RatingCeilings
from sklearn_ordinal.reports._rating_ceilings import rating_ceilings as rating_ceilings
from sklearn_ordinal.reports._required_samples import RequiredSamples as RequiredSamples
from sklearn_ordinal.reports._required_samples import required_samples as required_samples
from sklearn_ordinal.reports._score_ladder import ScoreLadder as ScoreLadder
from sklearn_ordinal.reports._score_ladder import score_ladder as score_ladder
from sklearn_ordinal.reports._sections import direction_as_text as direction_as_text
from sklearn_ordinal.reports._systems_report import SystemsReport
from sklearn_ordinal.reports._tuned_thresholds import TunedThresholds as TunedThresholds
from sklearn_ordinal.reports._tuned_thresholds import tune_thresholds as tune_thresholds

__all__ = [
    "AgreementReport",
    "ChangeReport",
    "ComparisonReport",
    "Consensus",
    "CrossValReport",
    "DataSetsReport",
    "GroupContrasts",
    "GroupReport",
    "JudgeAssistedInterval",
    "JudgeReport",
    "OrdinalReport",
    "PairwiseComparison",
    "PredictionSetReport",
    "RatingCeilings",
    "RequiredSamples",
    "ScoreLadder",
    "SystemsReport",
    "TunedThresholds",
]
