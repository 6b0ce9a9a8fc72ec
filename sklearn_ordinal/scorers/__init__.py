"""Scorers by name, for scikit-learn's ``scoring=``."""

from sklearn_ordinal.scorers._order import bind_order as bind_order
from sklearn_ordinal.scorers._registration import register_scorers, unregister_scorers
from sklearn_ordinal.scorers._scorers import get_scorer, get_scorer_names, make_ordinal_scorer

__all__ = [
    "get_scorer",
    "get_scorer_names",
    "make_ordinal_scorer",
    "register_scorers",
    "unregister_scorers",
]
