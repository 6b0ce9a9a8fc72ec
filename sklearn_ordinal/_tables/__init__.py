"""Counting where a table is: in a dataframe library, a database, a cluster or a file."""

from sklearn_ordinal._tables._files import scan_file
from sklearn_ordinal._tables._pairs import PairTable, TableColumn, count_pairs

__all__ = ["PairTable", "TableColumn", "count_pairs", "scan_file"]
