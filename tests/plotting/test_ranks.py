"""The critical-difference diagram."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import compare_ranks
from sklearn_ordinal.plotting import CriticalDifferenceDisplay
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping


def scores_of(n_systems, n_data_sets=30, spread=0.3):
    rng = np.random.default_rng(0)
    return rng.normal(0, 0.1, (n_data_sets, n_systems)) + np.linspace(spread, 0, n_systems)


@pytest.mark.parametrize("method", ["nemenyi", "holm-wilcoxon"])
def test_ranks_groups_and_the_critical_difference_are_those_of_the_comparison(method):
    ranks = compare_ranks(scores_of(7), names=list("gfedcba"), method=method)
    display = CriticalDifferenceDisplay.from_ranks(ranks)
    for system, (line, text) in enumerate(zip(display.lines_, display.text_, strict=True)):
        rank = ranks.average_ranks[system]
        assert line.get_xdata()[:2] == pytest.approx([rank, rank])
        assert line.get_ydata()[0] == 0
        assert text.get_text() == f"{ranks.names[system]} ({rank:.2f})"
        assert text.xy == (line.get_xdata()[2], line.get_ydata()[2])
    rank_of = dict(zip(ranks.names, ranks.average_ranks, strict=True))
    assert len(display.bars_) == len(ranks.groups) > 0
    for bar, group in zip(display.bars_, ranks.groups, strict=True):
        worst, best = bar.get_xdata()
        assert worst == pytest.approx(max(map(rank_of.get, group)), abs=0.13)
        assert best == pytest.approx(min(map(rank_of.get, group)), abs=0.13)
        joined = {name for name, rank in rank_of.items() if best <= rank <= worst}
        assert joined >= set(group)
    if method == "nemenyi":
        left, right = display.critical_difference_.get_xdata()
        assert left - right == pytest.approx(ranks.critical_difference)
    else:
        assert display.critical_difference_ is None


def test_the_best_is_at_the_right_and_the_better_half_is_named_there():
    display = CriticalDifferenceDisplay.from_scores(scores_of(5), names=list("abcde"))
    assert display.ax_.get_xlim() == (5, 1)
    order = np.argsort(display.ranks.average_ranks)
    sides = [display.text_[system].get_ha() for system in order]
    assert sides == ["left"] * 3 + ["right"] * 2
    middle = display.ax_.get_window_extent().x0 + display.ax_.get_window_extent().width / 2
    draw(display)
    assert display.text_[order[0]].get_window_extent().x0 > middle
    assert display.text_[order[-1]].get_window_extent().x1 < middle


def test_losses_are_ranked_the_other_way():
    scores = scores_of(4)
    up = CriticalDifferenceDisplay.from_scores(scores)
    down = CriticalDifferenceDisplay.from_scores(-scores, greater_is_better=False)
    assert (up.ranks.average_ranks == down.ranks.average_ranks).all()


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0])
def test_bars_on_one_level_do_not_meet(spread):
    display = CriticalDifferenceDisplay.from_scores(scores_of(12, spread=spread))
    bars = [(bar.get_ydata()[0], *sorted(bar.get_xdata())) for bar in display.bars_]
    for (y, low, high), (other_y, other_low, other_high) in combinations(bars, 2):
        assert y != other_y or high < other_low or other_high < low


def test_lines_to_names_do_not_cross():
    display = CriticalDifferenceDisplay.from_scores(scores_of(9))
    for line, other in combinations(display.lines_, 2):
        for a, b in ((line, other), (other, line)):
            x, y = a.get_xdata()[0], a.get_ydata()[1]
            level, (low, high) = b.get_ydata()[1], sorted(b.get_xdata()[1:])
            assert not (low < x < high and level < y)


@pytest.mark.parametrize("method", ["nemenyi", "holm-wilcoxon"])
@pytest.mark.parametrize("names", [LONG_NAMES, list("abc"), ["$10", "b", "_c", "d"]])
def test_no_text_overlaps_another_or_is_cut_off(names, method):
    scores = scores_of(len(names), spread=0.2)
    display = CriticalDifferenceDisplay.from_scores(scores, names=names, method=method)
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    assert len(seen) == 2 * len(names) + 1 + (method == "nemenyi")


def test_a_critical_difference_longer_than_the_axis_is_drawn_whole():
    display = CriticalDifferenceDisplay.from_scores(scores_of(3, n_data_sets=2))
    assert display.ranks.critical_difference > 2
    seen = draw(display)
    assert cut_off([*seen, display.critical_difference_], display.figure_) == []
    assert overlapping(seen) == []


def test_axes_that_are_given_are_used():
    figure, (left, right) = plt.subplots(2, 1, figsize=(12, 10), layout="constrained")
    scores = scores_of(12)
    display = CriticalDifferenceDisplay.from_scores(scores, names=LONG_NAMES, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not left.lines
    assert overlapping([text for text in draw(display) if text.axes is right]) == []
    assert plt.get_fignums() == [figure.number]
