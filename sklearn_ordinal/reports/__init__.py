"""Results for predictions, folds and comparisons, and their documents."""

from sklearn_ordinal.reports._ceilings import Ceiling as Ceiling
from sklearn_ordinal.reports._comparison import ComparisonReport, PairwiseComparison
from sklearn_ordinal.reports._comparison import compare_estimators as compare_estimators
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._cross_val import cross_val_report as cross_val_report
from sklearn_ordinal.reports._ladder import ScoreLadder
from sklearn_ordinal.reports._ladder import score_ladder as score_ladder
from sklearn_ordinal.reports._ordinal import OrdinalReport
from sklearn_ordinal.reports._ordinal import ordinal_report as ordinal_report
from sklearn_ordinal.reports._sections import Provenance as Provenance

__all__ = [
    "ComparisonReport",
    "CrossValReport",
    "OrdinalReport",
    "PairwiseComparison",
    "ScoreLadder",
]
