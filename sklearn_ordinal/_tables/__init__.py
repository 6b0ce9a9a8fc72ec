"""Counting where a table is: in a dataframe library, a database or a cluster."""

from sklearn_ordinal._tables._pairs import PairTable, TableColumn, count_pairs

__all__ = ["PairTable", "TableColumn", "count_pairs"]
