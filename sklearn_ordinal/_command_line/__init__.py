"""The command line: predictions in files, without a line of Python."""

from sklearn_ordinal._command_line._metric_views import documented_function, source_of
from sklearn_ordinal._command_line._program import main

__all__ = ["documented_function", "main", "source_of"]
