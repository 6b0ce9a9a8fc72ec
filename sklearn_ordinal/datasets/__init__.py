"""A small real ordinal data set, for examples and tests."""

from sklearn_ordinal.datasets._lev import load_lev

__all__ = [
    "load_lev",
]
