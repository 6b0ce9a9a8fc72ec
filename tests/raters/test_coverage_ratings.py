"""The coverage of intervals of agreement in the user guide, which determines their scales."""

import re
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal import get_metric

TABLES = Path(__file__).parents[2] / "docs" / "guide" / "coverage_ratings.txt"
SCALES = ("logit", "fisher", "linear")
METHODS = ("bca", "percentile")


def rows_of_tables():
    """Return the cells of the rows of both tables, by the coefficient and its classes."""
    tables = TABLES.read_text(encoding="utf-8").split(".. list-table:: ")[1:]
    rows = [
        [re.split(r"\n +- ", row.strip()) for row in text.split("\n   * - ")[2:]] for text in tables
    ]
    return [{name: cells for name, *cells in table} for table in rows]


CLOSED, RESAMPLED = rows_of_tables()
COEFFICIENTS = sorted({name.partition(",")[0] for name in CLOSED})


def shares(table, coefficient):
    """Return the coverage of each variant in each setting, (n_settings, n_variants)."""
    cells = [cell for shape in ("even", "skewed") for cell in table[f"{coefficient}, {shape}"]]
    return np.array([[float(share.strip("*")) for share in cell.split(" / ")] for cell in cells])


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_recorded_scales_and_methods_are_bold_and_cover_best(coefficient):
    metric = get_metric(coefficient)
    for table, variants, recorded in (
        (CLOSED, SCALES, metric.interval_scale),
        (RESAMPLED, METHODS, metric.interval_method),
    ):
        for shape in ("even", "skewed"):
            for cell in table[f"{coefficient}, {shape}"]:
                in_bold = [share.startswith("**") for share in cell.split(" / ")]
                assert in_bold == [variant == recorded for variant in variants]
        # Coverage above the nominal level counts as nominal.
        means = np.minimum(shares(table, coefficient), 95).mean(axis=0)
        assert means[variants.index(recorded)] >= means.max() - 0.25
