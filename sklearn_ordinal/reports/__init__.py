"""Results of evaluation, each with its document: of predictions, folds and comparisons."""

from sklearn_ordinal.reports._compare_systems import compare_systems
from sklearn_ordinal.reports._comparison import ComparisonReport
from sklearn_ordinal.reports._criteria import chosen_metrics as chosen_metrics
from sklearn_ordinal.reports._criteria import kinds_of_criteria as kinds_of_criteria
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._failures import FitFailure
from sklearn_ordinal.reports._failures import failures_as_text as failures_as_text
from sklearn_ordinal.reports._groups import GroupReport
from sklearn_ordinal.reports._model_comparison import ModelComparison
from sklearn_ordinal.reports._model_comparison import comparable as comparable
from sklearn_ordinal.reports._model_comparison import finite as finite
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._ordinal_report import ordinal_report
from sklearn_ordinal.reports._pairwise import PairwiseComparison
from sklearn_ordinal.reports._predictions import FoldPredictions
from sklearn_ordinal.reports._predictions import confusion_of as confusion_of
from sklearn_ordinal.reports._predictions import has_evidence as has_evidence
from sklearn_ordinal.reports._predictions import pooled_confusion as pooled_confusion
from sklearn_ordinal.reports._predictions import pooled_value as pooled_value
from sklearn_ordinal.reports._predictions import samples_of as samples_of
from sklearn_ordinal.reports._predictions import samples_of_fold as samples_of_fold
from sklearn_ordinal.reports._prevalence import samples_at_prevalence as samples_at_prevalence
from sklearn_ordinal.reports._prevalence import weights_at_prevalence as weights_at_prevalence
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._sections import direction_as_text as direction_as_text
from sklearn_ordinal.reports._systems import SystemsReport

__all__ = [
    "ComparisonReport",
    "CrossValReport",
    "FitFailure",
    "FoldPredictions",
    "GroupReport",
    "ModelComparison",
    "OrdinalReport",
    "PairwiseComparison",
    "Provenance",
    "SystemsReport",
    "compare_systems",
    "ordinal_report",
]
