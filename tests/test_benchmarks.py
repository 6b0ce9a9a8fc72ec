"""The page that a full run of the benchmarks writes."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
ROW = {
    "name": "count int64",
    "n_samples": 1_000_000,
    "peer": 0.1,
    "ours": 0.0025,
    "unit": "s",
    "ratio": 40.0,
    "ratio_unit": "x",
    "middle_half": [38.0, 41.0],
    "n_pairs": 9,
    "demand": ">= 50 x",
    "is_met": False,
}
MACHINE = {
    "started": "2026-01-31T12:00:00+00:00",
    "system": "Linux x86_64, 2 CPUs",
    "python": "3.12.1",
    "versions": {"numpy": "2.1.0", "duckdb": None},
}


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("_page")


def test_a_demand_on_a_task_of_this_package_is_marked(page):  # noqa: ARG001 - finds the modules
    demand = importlib.import_module("_cases").grows_at_most(3)
    assert str(demand) == "growth <= 3 x"
    assert demand.is_met(demand.ratio(peer=1.0, ours=2.9))
    assert not demand.is_met(demand.ratio(peer=1.0, ours=3.1))


def test_the_page_has_a_row_for_what_was_measured(page, tmp_path):
    left_out = {"name": "report, csv", "left_out": "polars is not installed"}
    page.write_page({"machine": MACHINE, "rows": [ROW, left_out]}, tmp_path / "page.txt")
    text = (tmp_path / "page.txt").read_text(encoding="utf-8")
    cells = [line.partition("- ")[2] for line in text.splitlines() if "- " in line]
    assert cells[len(page.HEADER) :] == [
        "count int64",
        "1,000,000",
        "100 ms",
        "2.5 ms",
        "40 x",
        "38 to 41",
        ">= 50 x (not met)",
    ]


def test_the_page_says_where_and_when_it_was_measured(page, tmp_path):
    page.write_page({"machine": MACHINE, "rows": [ROW]}, tmp_path / "page.txt")
    last = (tmp_path / "page.txt").read_text(encoding="utf-8").splitlines()[-1]
    for part in ("2026-01-31", "Linux x86_64, 2 CPUs", "numpy 2.1.0", "Python 3.12.1"):
        assert part in last
    assert "duckdb" not in last
