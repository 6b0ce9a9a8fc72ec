"""Reports on ordinal predictions."""

from sklearn_ordinal.report._report import OrdinalReport, ordinal_report

__all__ = ["OrdinalReport", "ordinal_report"]
