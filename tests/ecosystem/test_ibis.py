"""Counts of tables of Ibis, which DuckDB computes here.

Skipped where Ibis is missing: ``pip install ".[test-all]"``.
"""

import math

import pytest

from tests.core.tables import (
    AWKWARD,
    NAMES,
    arrow_table,
    check_counts,
    check_odd_names,
    counted,
)

ibis = pytest.importorskip("ibis")
# Of Ibis, about libraries that are newer than itself.
pytestmark = pytest.mark.filterwarnings("ignore")


# Ibis has no ordered types.
@pytest.mark.parametrize("kind", ["integers", "floats", "strings", "booleans"])
@pytest.mark.parametrize("is_weighted", [True, False])
def test_tables_of_ibis_have_the_counts_of_their_columns(kind, is_weighted):
    check_counts(
        ibis.memtable, kind, AWKWARD[kind], is_weighted=is_weighted, is_grouped=is_weighted
    )


def test_columns_of_ibis_may_have_any_name():
    check_odd_names(ibis.memtable)


def test_ibis_names_bad_weights_with_their_number():
    table = {
        "grade": ["low"] * 5,
        "predicted": ["mid"] * 5,
        "w": [math.nan, None, -1.0, math.inf, -math.inf],
    }
    with pytest.raises(ValueError, match="got 2 missing and 2 negative and 1 infinite of 5"):
        counted(ibis.memtable(arrow_table(table)), labels=NAMES, sample_weight="w")
