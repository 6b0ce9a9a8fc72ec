"""Classes of what results contain, draw and return, for annotations and ``isinstance``."""

from sklearn_ordinal._core import Influence
from sklearn_ordinal._documents import Code, Column, Document, Figure, Note, Section, Table
from sklearn_ordinal.inference import (
    AlternativeAnnotatorTest,
    Contrast,
    GroupDifference,
    PosteriorProbabilities,
)
from sklearn_ordinal.meta_evaluation import ChangedWinners, Counterexample, PropertyTable
from sklearn_ordinal.model_selection import FitFailure, FoldPredictions
from sklearn_ordinal.plotting import (
    MetricEstimatesDisplay,
    PredictionSetsDisplay,
    RankAgreementDisplay,
    RatersDisplay,
    RequiredSamplesDisplay,
    ScoreLadderDisplay,
    SystemsDisplay,
)
from sklearn_ordinal.reports import (
    AgreementReport,
    Ceiling,
    ChangeReport,
    Consensus,
    Footing,
    JudgeReport,
    ModelComparison,
    PairwiseComparison,
    PredictionSetReport,
    Provenance,
    RatingCeilings,
    RequiredSamples,
    ScoreLadder,
    TunedThresholds,
)

__all__ = [
    "AgreementReport",
    "AlternativeAnnotatorTest",
    "Ceiling",
    "ChangeReport",
    "ChangedWinners",
    "Code",
    "Column",
    "Consensus",
    "Contrast",
    "Counterexample",
    "Document",
    "Figure",
    "FitFailure",
    "FoldPredictions",
    "Footing",
    "GroupDifference",
    "Influence",
    "JudgeReport",
    "MetricEstimatesDisplay",
    "ModelComparison",
    "Note",
    "PairwiseComparison",
    "PosteriorProbabilities",
    "PredictionSetReport",
    "PredictionSetsDisplay",
    "PropertyTable",
    "Provenance",
    "RankAgreementDisplay",
    "RatersDisplay",
    "RatingCeilings",
    "RequiredSamples",
    "RequiredSamplesDisplay",
    "ScoreLadder",
    "ScoreLadderDisplay",
    "Section",
    "SystemsDisplay",
    "Table",
    "TunedThresholds",
]
