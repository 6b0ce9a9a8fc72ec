"""The values of docs/reference/sources.rst, and how the wrong values of documents come about."""

import re
from fractions import Fraction
from math import log2, sqrt
from pathlib import Path

import numpy as np
import pytest

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "sources.rst").read_text(
    encoding="utf-8"
)
ROW = re.compile(r"   \* - (.+)\n     - (.+)\n     - ``(.+)``\n     - (\S+)\n")
ITEMS = {name: row for name, *row in ROW.findall(TEXT)}


def run_examples():
    """Return the names that the examples of the page define."""
    names = {}
    lines = re.findall(r"^(?:>>>|\.\.\.) (.+)$", TEXT, flags=re.M)
    exec("\n".join(lines), names)
    return names


NAMES = run_examples()


def test_each_row_of_the_page_is_read():
    assert len(ITEMS) == TEXT.count("\n   * - ") - TEXT.count(".. list-table::") == 20


@pytest.mark.parametrize("name", ITEMS)
def test_each_expression_has_its_value_and_wrong_printed_values_are_bold(name):
    printed, expression, value = ITEMS[name]
    assert eval(expression, NAMES) == pytest.approx(float(value), abs=5.1e-5)
    if printed != "\\-":
        is_wrong = float(printed.strip("*")) != pytest.approx(float(value), abs=5.1e-5)
        assert printed.startswith("**") == is_wrong


def test_closeness_counts_half_of_the_predicted_class_and_what_lies_between():
    assert float(ITEMS["information in bits, first conference"][2]) == pytest.approx(
        -log2((90 / 2 + 193 + 105) / 402), abs=5e-5
    )
    assert float(ITEMS["information in bits, second conference"][2]) == pytest.approx(
        -log2((10 / 2 + 3 + 10) / 376), abs=5e-5
    )


def test_a_slice_without_the_higher_class_gives_the_value_of_the_tutorial():
    y_true, y_pred = NAMES["y_true"], NAMES["y_pred"]
    counts = np.bincount(y_true)

    def information(true, predicted):
        between = counts[min(true, predicted) : max(true, predicted)].sum()
        return -log2((counts[predicted] / 2 + between) / len(y_true))

    ratio = sum(map(information, y_true, y_pred)) / sum(map(information, y_true, y_true))
    assert ratio == pytest.approx(float(ITEMS["CEM_ORD, by code"][0].strip("*")), abs=5e-5)


def test_wrong_formulas_give_the_wrong_values_of_the_survey():
    tp, fp, fn = 70, 20, 30
    recall, precision = tp / (tp + fn), tp / (tp + fp)
    correlation = (tp / 200 - recall * precision) / sqrt(
        recall * precision * (1 - recall) * (1 - precision)
    )
    assert correlation == pytest.approx(-1.02, abs=5e-3)
    true, predicted = (tp + fn) / 200, (tp + fp) / 200
    assert (tp / 200 - true * predicted) / sqrt(
        true * predicted * (1 - true) * (1 - predicted)
    ) == pytest.approx(float(ITEMS["Matthews correlation"][2]), abs=5e-5)
    assert 2 * tp / (2 * tp + fn + fn) == 0.7
    assert 2 * tp / (2 * tp + fp + fn) == pytest.approx(float(ITEMS["F1"][2]), abs=5e-5)


def test_losses_of_the_tree_follow_their_definitions():
    leaves = [(-1, 20, 40), (1, 10, 5), (2, 20, 5)]
    penalties = {
        "0-1 loss": lambda margin: margin <= 0,
        "hinge loss": lambda margin: max(0, 1 - margin),
        "logistic loss, base 2": lambda margin: log2(1 + np.exp(-margin)),
        "exponential loss": lambda margin: np.exp(-margin),
        "squared loss": lambda margin: (1 - margin) ** 2,
    }
    for name, penalty in penalties.items():
        total = sum(p * penalty(score) + n * penalty(-score) for score, p, n in leaves)
        assert total / 100 == pytest.approx(float(ITEMS[name][2]), abs=5e-5), name
    errors = sum(
        n * p * (Fraction(1, 2) if high == low else 1)
        for high, _, n in leaves
        for low, p, _ in leaves
        if high >= low
    )
    assert errors == 725
