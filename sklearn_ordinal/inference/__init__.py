"""Intervals and tests for metrics, cross-validation scores and data sets."""

from sklearn_ordinal.inference._results import Interval, PairedDifference

__all__ = ["Interval", "PairedDifference"]
