"""Fits on folds: predictions, failures, and baselines that ignore the features."""

from sklearn_ordinal.model_selection._baselines import ExpectedScores as ExpectedScores
from sklearn_ordinal.model_selection._baselines import default_baselines as default_baselines
from sklearn_ordinal.model_selection._baselines import expected_scores as expected_scores
from sklearn_ordinal.model_selection._baselines import guessed_folds as guessed_folds
from sklearn_ordinal.model_selection._counted_guesses import CountedGuesses as CountedGuesses
from sklearn_ordinal.model_selection._counted_guesses import WeightedSamples as WeightedSamples
from sklearn_ordinal.model_selection._counted_guesses import expected_guesses as expected_guesses
from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier
from sklearn_ordinal.model_selection._dummy import best_constant as best_constant
from sklearn_ordinal.model_selection._evaluation import Evaluation as Evaluation
from sklearn_ordinal.model_selection._evaluation import make_evaluation as make_evaluation
from sklearn_ordinal.model_selection._failures import FitFailure as FitFailure
from sklearn_ordinal.model_selection._failures import failures_as_text as failures_as_text
from sklearn_ordinal.model_selection._fold_predictions import FoldPredictions as FoldPredictions
from sklearn_ordinal.model_selection._fold_predictions import has_evidence as has_evidence
from sklearn_ordinal.model_selection._folds import FoldResult as FoldResult
from sklearn_ordinal.model_selection._folds import FoldResults as FoldResults
from sklearn_ordinal.model_selection._folds import cause_as_text as cause_as_text
from sklearn_ordinal.model_selection._folds import fit_on_folds as fit_on_folds
from sklearn_ordinal.model_selection._progress import progress_bar as progress_bar

__all__ = ["OrdinalDummyClassifier"]
