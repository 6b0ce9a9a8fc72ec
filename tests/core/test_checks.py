"""Weights and options: one vocabulary of errors."""

import math
from typing import Literal

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._core import (
    as_numbers,
    check_choice,
    check_floats,
    check_integer,
    check_rope,
    check_share,
    check_size,
)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1, 1], "sample_weight must not be negative"),
        ([1, np.nan, 1], "sample_weight must be finite"),
        ([1, np.inf, 1], "sample_weight must be finite"),
        ([0, 0, 0], "sample_weight must not be all zero"),
        ([1, 1], r"sample_weight must have shape \(3,\)"),
        ([[1], [1], [1]], r"sample_weight must have shape \(3,\)"),
        (["a", "b", "c"], "sample_weight must hold numbers"),
        (1.0, r"sample_weight must have shape \(3,\)"),
        ([1e308] * 3, "sample_weight must add up to a number from 1e-60 to 1e"),
        ([1e-200] * 3, "sample_weight must add up to a number from 1e-60 to 1e"),
    ],
)
def test_bad_weights_are_an_error(weight, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_predictions([0, 1, 2], [0, 1, 2], sample_weight=weight)


@pytest.mark.parametrize("total", [1e-60, 1e60])
def test_the_smallest_and_the_largest_total_weight_count(total):
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])
    assert confusion.counts.tolist() == [[total]]


@pytest.mark.parametrize("total", [0.9e-60, 1.1e60])
def test_a_total_weight_beyond_them_is_an_error(total):
    with pytest.raises(ValueError, match="must add up to a number from 1e-60 to 1e"):
        OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])


@pytest.mark.parametrize(
    ("check", "good", "bad", "message"),
    [
        (check_share, [0.5, 1e-9, np.float32(0.25)], [0, 1, -1, "a", None], "between 0 and 1"),
        (check_size, [1, 0.5, np.int64(3)], [0, -1, math.inf, math.nan, "a"], "positive number"),
    ],
)
def test_shares_and_sizes_are_floats_within_their_range(check, good, bad, message):
    for value in good:
        assert check("share", value) == value
        assert type(check("share", value)) is float
    for value in bad:
        with pytest.raises(ValueError, match=f"share must be a {message}|{message}"):
            check("share", value)


def test_a_rope_is_not_negative():
    assert [check_rope(rope) for rope in (0, 0.5)] == [0.0, 0.5]
    for rope in (-0.1, math.inf, math.nan, "a", None):
        with pytest.raises(ValueError, match="rope must be a number that is not negative"):
            check_rope(rope)


def test_a_choice_is_one_of_its_type():
    check_choice("kind", "b", Literal["a", "b"])
    for value in ("c", None, 1, ["a"]):
        with pytest.raises(ValueError, match=r"kind must be one of \('a', 'b'\), got"):
            check_choice("kind", value, Literal["a", "b"])


@pytest.mark.parametrize(("at_least", "kind"), [(0, "non-negative"), (1, "positive")])
def test_an_integer_is_no_boolean_and_large_enough(at_least, kind):
    check_integer("n", np.int8(at_least), at_least=at_least)
    for value in (at_least - 1, True, 1.0, "1", None):
        with pytest.raises(ValueError, match=f"n must be a {kind} integer, got {value!r}"):
            check_integer("n", value, at_least=at_least)


def test_floats_have_their_dimensions_and_may_be_undefined():
    assert np.isnan(check_floats("scores", [[1, np.nan]], ndim=2)[0, 1])
    for values, message in (
        ([1.0], "scores must be two-dimensional, got shape"),
        ([[np.inf]], "scores must not be infinite"),
        ([["a"]], "scores must hold numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            check_floats("scores", values, ndim=2)


def test_numbers_by_class_come_without_names_of_their_own():
    assert as_numbers([1, 2], "sizes").dtype.kind == "i"
    assert as_numbers(np.array([1, 2.5], dtype=object), "sizes").tolist() == [1, 2.5]
    with pytest.raises(ValueError, match="sizes must be a plain array in the order of the classes"):
        as_numbers(pd.Series([1, 2], index=["b", "a"]), "sizes")
    with pytest.raises(ValueError, match="sizes must hold numbers"):
        as_numbers(["a"], "sizes")
