"""Scorers by name, for scikit-learn's ``scoring=``."""

from sklearn_ordinal.scorers._scorers import make_ordinal_scorer

__all__ = [
    "make_ordinal_scorer",
]
