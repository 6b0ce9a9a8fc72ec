"""Scorers by name, for scikit-learn's ``scoring=``."""

from sklearn_ordinal.scorers._scorers import make_ordinal_scorer
from sklearn_ordinal.scorers._scorers import register_scorers as register_scorers

__all__ = [
    "make_ordinal_scorer",
]
