"""Count rows in the place where they are stored: a data frame, a database, a cluster or a file."""

from sklearn_ordinal._tables._data_files import (
    SUFFIXES,
    DataFile,
    Quotes,
    column_of,
    open_file,
    reading,
)
from sklearn_ordinal._tables._join import id_problem, join_rows, rows_with_ids
from sklearn_ordinal._tables._pairs import PairTable, TableColumn, collect_grades, count_pairs
from sklearn_ordinal._tables._table_problems import Problem, first_of

__all__ = [
    "SUFFIXES",
    "DataFile",
    "PairTable",
    "Problem",
    "Quotes",
    "TableColumn",
    "collect_grades",
    "column_of",
    "count_pairs",
    "first_of",
    "id_problem",
    "join_rows",
    "open_file",
    "reading",
    "rows_with_ids",
]
