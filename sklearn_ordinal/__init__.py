"""Evaluation of ordinal classifiers for scikit-learn.

Importing this package makes the names of its scorers, such as ``scoring="cem_ord"``, known
to scikit-learn.
"""

from sklearn_ordinal import metrics
from sklearn_ordinal._confusion import OrdinalConfusion
from sklearn_ordinal.model_selection import compare_estimators, cross_val_report
from sklearn_ordinal.report import OrdinalReport, ordinal_report
from sklearn_ordinal.scorers import (
    get_scorer,
    get_scorer_names,
    make_ordinal_scorer,
    register_scorers,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "OrdinalConfusion",
    "OrdinalReport",
    "compare_estimators",
    "cross_val_report",
    "get_scorer",
    "get_scorer_names",
    "make_ordinal_scorer",
    "metrics",
    "ordinal_report",
]

register_scorers()
