"""Rankings of systems, and comparisons on several data sets."""

from sklearn_ordinal.systems._data_sets import DataSetsReport
from sklearn_ordinal.systems._data_sets import compare_on_data_sets as compare_on_data_sets
from sklearn_ordinal.systems._systems_report import SystemsReport
from sklearn_ordinal.systems._systems_report import compare_systems as compare_systems

__all__ = [
    "DataSetsReport",
    "SystemsReport",
]
