"""Evaluation of ordinal classifiers for scikit-learn.

Importing this package makes the names of its scorers, such as ``scoring="cem_ord"``, known
to scikit-learn.
"""

from sklearn_ordinal import metrics
from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScale,
    OrdinalScores,
    get_metric,
    get_metric_names,
    ordinal_metric,
)
from sklearn_ordinal._version import __version__ as __version__
from sklearn_ordinal.reports import (
    GroupReport,
    OrdinalReport,
    compare_estimators,
    compare_systems,
    cross_val_report,
    ordinal_report,
)
from sklearn_ordinal.scorers import make_ordinal_scorer, register_scorers

__all__ = [
    "GroupReport",
    "OrdinalConfusion",
    "OrdinalForecasts",
    "OrdinalMetric",
    "OrdinalReport",
    "OrdinalScale",
    "OrdinalScores",
    "compare_estimators",
    "compare_systems",
    "cross_val_report",
    "get_metric",
    "get_metric_names",
    "make_ordinal_scorer",
    "metrics",
    "ordinal_metric",
    "ordinal_report",
]

register_scorers()
