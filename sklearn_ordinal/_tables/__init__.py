"""Counting where a table is: in a dataframe library, a database, a cluster or a file."""

from sklearn_ordinal._tables._errors import first_of
from sklearn_ordinal._tables._files import SUFFIXES, DataFile, open_file, reading
from sklearn_ordinal._tables._join import NO_ROW, join_rows, problems_of_ids, rows_with_ids
from sklearn_ordinal._tables._pairs import PairTable, TableColumn, count_pairs

__all__ = [
    "NO_ROW",
    "SUFFIXES",
    "DataFile",
    "PairTable",
    "TableColumn",
    "count_pairs",
    "first_of",
    "join_rows",
    "open_file",
    "problems_of_ids",
    "reading",
    "rows_with_ids",
]
