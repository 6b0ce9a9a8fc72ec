"""Scorers by name, for scikit-learn's ``scoring=``."""

from sklearn_ordinal.scorers._order import bind_order as bind_order
from sklearn_ordinal.scorers._registration import register_scorers as register_scorers
from sklearn_ordinal.scorers._scorers import make_ordinal_scorer

__all__ = [
    "make_ordinal_scorer",
]
