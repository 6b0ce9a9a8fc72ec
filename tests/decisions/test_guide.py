"""What the user guide says about decisions on real data, checked against its tables."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "decisions.rst"
TABLES = GUIDE.with_suffix(".txt")
MODELS = ["logistic regression", "random forest", "gradient boosting"]
DATA = ["LEV", "SWD", "PID", "ESL", "ERA", "marriage"]


def read_tables():
    """Return, for each table, the cells of each model and kind of decisions by column."""
    text = TABLES.read_text(encoding="utf-8")
    for table in text.split(".. list-table:: ")[1:]:
        _, header, *rows = (re.split(r"\n +- ", row.strip()) for row in table.split("\n   * - "))
        assert header == ["model", "decisions", *DATA, "mean"]
        yield {
            (model, decisions): dict(zip(header[2:], cells, strict=True))
            for model, decisions, *cells in rows
        }


@pytest.fixture(scope="module")
def tables():
    cem, of_optimal, accuracy, error = read_tables()
    return {"cem": cem, "of_optimal": of_optimal, "accuracy": accuracy, "error": error}


def change(cell):
    return float(cell.strip("*").partition("*")[0].partition(" ")[0])


def interval(cell):
    return tuple(map(float, re.search(r"\((.*) to (.*)\)", cell).groups()))


def test_intervals_that_exclude_zero_are_bold(tables):
    for table in tables.values():
        for cells in table.values():
            for name in DATA:
                if "(" in cells[name]:
                    low, high = interval(cells[name])
                    # The numbers are rounded.
                    if abs(low) > 0.001 and abs(high) > 0.001:
                        assert cells[name].startswith("**") == (low * high > 0)


@pytest.mark.parametrize("model", MODELS)
def test_optimal_decisions_earn_something_on_average_and_nowhere_lose_for_certain(tables, model):
    cells = tables["cem"][model, "CEM-optimal"]
    assert change(cells["mean"]) > 0
    assert all(interval(cells[name])[1] > 0 for name in DATA)


@pytest.mark.parametrize("model", MODELS)
def test_the_page_prints_the_mean_gain_of_the_table(tables, model):
    gain = tables["cem"][model, "CEM-optimal"]["mean"].replace("*", "")
    assert f"- {model} {gain}" in GUIDE.read_text(encoding="utf-8")


def test_optimal_decisions_score_lower_where_the_page_says(tables):
    lower = {
        (model, name)
        for model in MODELS
        for name in DATA
        if change(tables["cem"][model, "CEM-optimal"][name]) < 0
    }
    forest, boosting = "random forest", "gradient boosting"
    assert lower == {(forest, "LEV"), (boosting, "LEV"), (boosting, "ESL")}


@pytest.mark.parametrize("model", MODELS)
def test_balanced_class_weights_earn_less_on_every_data_set_and_cost_more_on_average(tables, model):
    balanced, optimal = (model, '``class_weight="balanced"``'), (model, "CEM-optimal")
    assert all(change(tables["of_optimal"][balanced][name]) < 0 for name in DATA)
    accuracy, error = (
        [change(tables[name][key]["mean"]) for key in (balanced, optimal)]
        for name in ("accuracy", "error")
    )
    assert accuracy[0] < accuracy[1]
    assert error[0] > error[1]


@pytest.mark.parametrize("model", MODELS)
def test_tuned_cuts_earn_no_more_than_optimal_decisions_on_average(tables, model):
    assert change(tables["of_optimal"][model, "tuned cuts"]["mean"]) <= 0
