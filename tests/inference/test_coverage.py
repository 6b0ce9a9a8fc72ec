"""The coverage of the intervals in the user guide, which determines their default methods."""

import re
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal._core.catalogue import METRICS

TABLES = Path(__file__).parents[2] / "docs" / "guide" / "coverage.txt"
METHODS = ("bca", "percentile", "basic")


def cells_of_tables():
    """Return the cells of each metric in the tables of intervals and of differences."""
    text = TABLES.read_text(encoding="utf-8")
    tables = [table.split("\n   * - ") for table in text.split(".. list-table:: ")[1:3]]
    return [
        {row[0]: row[1:] for row in (re.split(r"\n +- ", row.strip()) for row in rows[1:])}
        for rows in tables
    ]


# A metric that was added after the last run of the benchmark has no row yet.
NAMES = [name for name in cells_of_tables()[0] if name in METRICS]


@pytest.fixture(scope="module")
def coverage():
    return cells_of_tables()


def shares(cells):
    """Coverage by "bca", "percentile" and "basic" in each setting, in percent."""
    return np.array([[float(share.strip("*")) for share in cell.split(" / ")] for cell in cells])


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_shows_coverage_for_several_sizes_and_two_class_distributions(name, coverage):
    sizes = ["even, 30", "even, 80", "even, 300", "skewed, 30", "skewed, 80", "skewed, 300"]
    larger = ["even, 1000", "skewed, 1000"]
    for table, columns in zip(coverage, (sizes + larger, sizes), strict=True):
        if name in table:
            assert table["metric"] == columns
            assert shares(table[name]).shape == (len(columns), 3)


@pytest.mark.parametrize("name", NAMES)
def test_the_coverage_of_the_default_method_is_bold(name, coverage):
    for table, default in zip(coverage, (METRICS[name].interval_method, "percentile"), strict=True):
        for cell in table.get(name, ()):
            in_bold = [share.startswith("**") for share in cell.split(" / ")]
            assert in_bold == [method == default for method in METHODS]


@pytest.mark.parametrize("name", NAMES)
def test_the_default_method_is_the_one_with_the_better_coverage(name, coverage):
    # Coverage above the nominal level counts as nominal. With 1,000 samples, the methods agree.
    bca, percentile, _ = np.minimum(shares(coverage[0][name][:6]), 95).mean(axis=0)
    assert METRICS[name].interval_method == ("percentile" if percentile > bca + 1 else "bca")


def test_the_guide_names_each_metric_whose_intervals_have_low_coverage(coverage):
    page = (TABLES.parent / "coverage.rst").read_text(encoding="utf-8")
    section = page.split("What to watch for\n")[1].partition(".. include")[0]
    of_one, _, of_differences = section.partition("The intervals of differences")
    for table, text, differs in zip(coverage, (of_one, of_differences), (False, True), strict=True):
        for name in (name for name in NAMES if name in table):
            method = "percentile" if differs else METRICS[name].interval_method
            lowest = shares(table[name])[:, METHODS.index(method)].min()
            assert lowest >= 90 or f"``{name}``" in text, (name, lowest)
