"""Evaluation of the criteria themselves, on systems whose predictions they judge."""

from sklearn_ordinal.meta_evaluation._synthetic import make_ordinal_systems
from sklearn_ordinal.meta_evaluation._systems import OrdinalSystems

__all__ = ["OrdinalSystems", "make_ordinal_systems"]
