"""Raters and judges: agreement, consensus, ceilings, and judges beside humans."""

from sklearn_ordinal.raters._agreement_report import AgreementReport
from sklearn_ordinal.raters._agreement_report import RatersDisplay as RatersDisplay
from sklearn_ordinal.raters._agreement_report import agreement_report as agreement_report
from sklearn_ordinal.raters._annotator_test import (
    AlternativeAnnotatorTest,
    alternative_annotator_test,
)
from sklearn_ordinal.raters._consensus import Consensus
from sklearn_ordinal.raters._consensus import consensus as consensus
from sklearn_ordinal.raters._judge_assisted_interval import JudgeAssistedInterval
from sklearn_ordinal.raters._judge_assisted_interval import (
    judge_assisted_interval as judge_assisted_interval,
)
from sklearn_ordinal.raters._judge_report import Footing as Footing
from sklearn_ordinal.raters._judge_report import JudgeReport
from sklearn_ordinal.raters._judge_report import compare_judge as compare_judge
from sklearn_ordinal.raters._rating_ceilings import RatingCeilings
from sklearn_ordinal.raters._rating_ceilings import rating_ceilings as rating_ceilings

__all__ = [
    "AgreementReport",
    "AlternativeAnnotatorTest",
    "Consensus",
    "JudgeAssistedInterval",
    "JudgeReport",
    "RatingCeilings",
    "alternative_annotator_test",
]
