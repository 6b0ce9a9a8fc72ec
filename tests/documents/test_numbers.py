"""Cells as text."""

import json
import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pytest

from sklearn_ordinal._documents.document_parts import Column
from sklearn_ordinal._documents.formatting import amount_as_text, cell_text
from sklearn_ordinal._documents.json_files import plain

NUMBER = Column("value", "number")
SIGNED = Column("difference", "number", is_signed=True)
INTERVAL = Column("interval", "interval")
PVALUE = Column("p", "pvalue")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (math.nan, "-"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (0.12345, "0.123"),
        (-0.0001, "0.000"),
        (-0.0006, "-0.001"),
        (1234567, "1234567"),
        (9_999.4, "9999.400"),
        (9_999.9996, "10000"),
        (1_676_000.5, "1676000"),
        (-20_000.4, "-20000"),
        (1e300, "1e+300"),
        (np.float64(0.5), "0.500"),
        (np.float32(0.5), "0.500"),
        (np.int64(7), "7"),
        ("a - b", "a - b"),
    ],
)
def test_a_number_has_the_digits_of_the_document_unless_it_is_large(cell, text):
    assert cell_text(cell, NUMBER, 3) == text


def test_the_digits_of_a_column_override_those_of_the_document():
    column = Column("value", "number", digits=1)
    assert cell_text(0.25001, column, 3) == "0.3"
    assert cell_text(3, column, 3) == "3"


@pytest.mark.parametrize(
    ("cell", "text"),
    [(0.209, "+0.209"), (-0.209, "-0.209"), (-0.00001, "0.000"), (0.0, "0.000"), (3, "+3")],
)
def test_signed_numbers_have_a_plus_if_positive(cell, text):
    assert cell_text(cell, SIGNED, 3) == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ((0.719, 0.777), "0.719 to 0.777"),
        ((0, 3), "0 to 3"),
        ((math.nan, 0.5), "-"),
        ((0.5, np.float64("nan")), "-"),
        ((-math.inf, 1.0), "-inf to 1.000"),
        (math.nan, "-"),
        (None, ""),
    ],
)
def test_intervals_show_both_ends_or_are_undefined(cell, text):
    assert cell_text(cell, INTERVAL, 3) == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ((0.75, 0.719, 0.777), "0.750 (0.719 to 0.777)"),
        ((-0.0001, math.nan, 0.5), "0.000"),
        ((math.nan, math.nan, math.nan), "-"),
        ((2, 1, math.inf), "2 (1 to inf)"),
        (None, ""),
    ],
)
def test_estimates_show_their_interval_if_there_is_one(cell, text):
    assert cell_text(cell, Column("value", "estimate"), 3) == text


def test_intervals_of_differences_are_signed():
    column = Column("difference", "interval", is_signed=True)
    assert cell_text((0.18, 0.239), column, 3) == "+0.180 to +0.239"


@pytest.mark.parametrize(
    ("cell", "text"),
    [(0.00099, "<0.001"), (0.0, "<0.001"), (0.001, "0.001"), (1.0, "1.000"), (math.nan, "-")],
)
def test_pvalues_have_three_digits_or_are_shown_as_less_than_0_001(cell, text):
    assert cell_text(cell, PVALUE, 6) == text


@dataclass(frozen=True)
class Pair:
    low: float
    labels: np.ndarray


def test_plain_values_can_be_written_as_strict_json():
    value = {
        1: Pair(np.float32(0.5), np.array(["a", "b"])),
        "undefined": (math.nan, np.array([[1.0, math.inf]])),
        "others": [np.bool_(True), np.int8(3), None, Decimal("0.10"), {"x"}],
        "days": np.array(["2026-01-31"], dtype="datetime64[D]"),
    }
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == {
        "1": {"low": 0.5, "labels": ["a", "b"]},
        "undefined": [None, [[1.0, None]]],
        "others": [True, 3, None, "0.10", ["x"]],
        "days": ["2026-01-31"],
    }


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (7, "7"),
        (12_345_678, "12,345,678"),
        (12_345_678.9, "12,345,679"),
        (999.96, "1000"),
        (12.3456, "12.35"),
        (0.5, "0.5"),
        (3.0, "3"),
        (0.000012345678, "0.00001235"),
    ],
)
def test_amounts_have_four_digits_and_all_those_before_the_point(amount, text):
    assert amount_as_text(amount) == text
