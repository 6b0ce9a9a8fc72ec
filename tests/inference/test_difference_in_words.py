"""Sentences on differences."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal.inference import PairedDifference
from sklearn_ordinal.inference._paired_difference import verdict_in_words

NUMBERS = st.floats(-2, 2)
ESTIMATES = NUMBERS.filter(bool)
PVALUES = st.one_of(st.floats(0, 1), st.just(math.nan))
VICTORY = re.compile(r"beats|best|better|favour|wins")


@pytest.mark.parametrize(
    ("difference", "sentence"),
    [
        (
            PairedDifference(0.046, 0.012, 0.080, 0.95, pvalue=0.02),
            "the first is higher by 0.046 (95% interval 0.012 to 0.080, p = 0.020)",
        ),
        (
            PairedDifference(-0.011, -0.035, 0.013, 0.95, pvalue=0.382),
            "no significant difference (the second is higher by 0.011, 95% interval -0.013 to "
            "0.035, p = 0.382)",
        ),
        (
            PairedDifference(-0.073, -0.1, -0.04, 0.9, pvalue=1e-4, greater_is_better=False),
            "the first is lower by 0.073 (90% interval 0.040 to 0.100, p < 0.001; lower is better)",
        ),
        (
            PairedDifference(0.0, -0.1, 0.1, 0.95, 3, pvalue=1.0, n_left_out=2),
            "no significant difference (equal values, 95% interval -0.100 to 0.100, p = 1.000, 3 "
            "undefined left out, 2 and 0 unanswered left out)",
        ),
        (
            PairedDifference(0.0001, -0.1, 0.1, 0.95, pvalue=0.9),
            "no significant difference (the first is higher by less than 0.001, 95% interval "
            "-0.100 to 0.100, p = 0.900)",
        ),
        (
            PairedDifference(0.1, math.nan, math.nan, 0.95),
            "not tested (the first is higher by 0.100, 95% interval undefined, p undefined)",
        ),
        (PairedDifference(*[math.nan] * 3, 0.95), "undefined"),
        (PairedDifference(*[math.nan] * 3, 0.95, 5), "undefined (5 undefined left out)"),
    ],
)
def test_a_difference_in_words(difference, sentence):
    assert str(difference) == sentence
    assert f"{sentence[0].upper()}{sentence[1:].partition(', 3 undefined')[0]}" in " ".join(
        difference.to_text().split()
    ) or math.isnan(difference.estimate)


@given(estimate=ESTIMATES, low=NUMBERS, high=NUMBERS, pvalue=PVALUES, greater=st.booleans())
def test_no_system_wins_without_a_significant_difference(estimate, low, high, pvalue, greater):
    difference = PairedDifference(
        estimate, min(low, high), max(low, high), 0.95, pvalue=pvalue, greater_is_better=greater
    )
    adjusted = replace(difference, adjusted_pvalue=pvalue)
    is_significant = pvalue <= 0.05
    assert ("no significant difference" in str(difference)) == (pvalue > 0.05)
    verdict = verdict_in_words(adjusted, "a", "b", role="", remarks=())
    if not is_significant:
        assert not VICTORY.search(str(difference))
    a_is_better = (estimate > 0) == greater
    assert verdict.startswith("a beats b") == (is_significant and a_is_better)
    assert ("it is worse" in verdict) == (is_significant and not a_is_better)


@given(estimate=ESTIMATES, low=NUMBERS, high=NUMBERS, pvalue=st.floats(0, 1), greater=st.booleans())
def test_both_sentences_have_the_digits_of_the_table(estimate, low, high, pvalue, greater):
    difference = PairedDifference(
        estimate, min(low, high), max(low, high), 0.95, pvalue=pvalue, greater_is_better=greater
    )
    cells = difference.to_text().splitlines()[-1].replace("<", "")
    expected = {number.lstrip("+-") for number in re.findall(r"[-+]?\d+\.\d+", cells)}
    adjusted = replace(difference, adjusted_pvalue=pvalue)
    verdict = verdict_in_words(adjusted, "the first", "the second", role="", remarks=())
    for sentence in (str(difference), verdict):
        found = {number.lstrip("-") for number in re.findall(r"-?\d+\.\d+", sentence)}
        assert found <= expected | {"0.001"}
        assert expected - found <= {"0.000"}
