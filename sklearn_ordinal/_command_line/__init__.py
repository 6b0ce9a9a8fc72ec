"""The command line: predictions in files, without a line of Python."""

from sklearn_ordinal._command_line._parser import main

__all__ = ["main"]
