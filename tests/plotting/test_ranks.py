"""The critical difference diagram."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import compare_ranks
from sklearn_ordinal.plotting import CriticalDifferenceDisplay
from tests.plotting.looks import LONG_NAMES, draw, overlapping


def scores_of(n_systems, n_data_sets=30, spread=0.3):
    rng = np.random.default_rng(0)
    return rng.normal(0, 0.1, (n_data_sets, n_systems)) + np.linspace(spread, 0, n_systems)


def diagram(scores, ax=None, **options):
    ranks = compare_ranks(scores, **options)
    return CriticalDifferenceDisplay(
        dict(zip(ranks.names, ranks.average_ranks, strict=True)),
        n_data_sets=ranks.n_data_sets,
        groups=ranks.groups,
        critical_difference=ranks.critical_difference,
    ).plot(ax)


@pytest.mark.parametrize("method", ["nemenyi", "holm-wilcoxon"])
def test_ranks_groups_and_critical_difference_match_the_comparison(method):
    options = {"names": list("gfedcba"), "method": method}
    ranks = compare_ranks(scores_of(7), **options)
    display = diagram(scores_of(7), **options)
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


def test_the_best_system_and_the_names_of_the_better_half_are_on_the_right():
    display = diagram(scores_of(5), names=list("abcde"))
    assert display.ax_.get_xlim() == (5, 1)
    order = np.argsort(list(display.average_ranks.values()))
    sides = [display.text_[system].get_ha() for system in order]
    assert sides == ["left"] * 3 + ["right"] * 2
    middle = display.ax_.get_window_extent().x0 + display.ax_.get_window_extent().width / 2
    draw(display)
    assert display.text_[order[0]].get_window_extent().x0 > middle
    assert display.text_[order[-1]].get_window_extent().x1 < middle


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0])
def test_bars_at_the_same_height_do_not_overlap(spread):
    display = diagram(scores_of(12, spread=spread))
    bars = [(bar.get_ydata()[0], *sorted(bar.get_xdata())) for bar in display.bars_]
    for (y, low, high), (other_y, other_low, other_high) in combinations(bars, 2):
        assert y != other_y or high < other_low or other_high < low


def test_lines_to_names_do_not_cross():
    display = diagram(scores_of(9))
    for line, other in combinations(display.lines_, 2):
        for a, b in ((line, other), (other, line)):
            x, y = a.get_xdata()[0], a.get_ydata()[1]
            level, (low, high) = b.get_ydata()[1], sorted(b.get_xdata()[1:])
            assert not (low < x < high and level < y)


@pytest.mark.parametrize("names", [LONG_NAMES, ["$10", "b", "_c", "d"]])
def test_a_new_figure_has_room_for_its_texts(names):
    display = diagram(scores_of(len(names), spread=0.2), names=names)
    assert overlapping(draw(display)) == []


def test_the_plot_is_drawn_on_the_given_axes():
    figure, (left, right) = plt.subplots(2, 1, figsize=(12, 10), layout="constrained")
    scores = scores_of(12)
    display = diagram(scores, names=LONG_NAMES, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not left.lines
    assert plt.get_fignums() == [figure.number]


def test_the_title_has_the_number_of_data_sets():
    display = CriticalDifferenceDisplay({"a": 1.2, "b": 1.8}, n_data_sets=17).plot()
    assert any("over 17 data sets" in text.get_text() for text in display.ax_.texts)


def test_groups_and_critical_difference_are_optional():
    display = CriticalDifferenceDisplay({"worse": 2.0, "better": 1.0}, n_data_sets=5).plot()
    assert [text.get_text() for text in display.text_] == ["worse (2.00)", "better (1.00)"]
    assert [text.get_ha() for text in display.text_] == ["right", "left"]
    assert display.bars_ == []
    assert display.critical_difference_ is None


@pytest.mark.parametrize("groups", [["dc", "ba", "cb"], ["ab", "bc", "cd"]])
def test_groups_can_be_in_any_order(groups):
    ranks = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    display = CriticalDifferenceDisplay(
        ranks, n_data_sets=9, groups=[list(group) for group in groups]
    ).plot()
    for bar, group in zip(display.bars_, groups, strict=True):
        ends = sorted(ranks[name] for name in group)
        assert sorted(bar.get_xdata()) == pytest.approx(ends, abs=0.1)
    level = {
        "".join(sorted(group)): bar.get_ydata()[0]
        for bar, group in zip(display.bars_, groups, strict=True)
    }
    assert level["ab"] == level["cd"] < level["bc"]


@pytest.mark.parametrize(
    ("ranks", "options", "message"),
    [
        ({}, {}, r"average_ranks must have at least two systems, got \[\]: add"),
        ({"a": 1}, {}, r"average_ranks must have at least two systems, got \['a'\]: add"),
        ({"a": 1, "b": 2}, {"n_data_sets": 0}, "n_data_sets must be a positive integer, got 0"),
        (
            {"a": 1, "b": 2},
            {"groups": [["a", "b"], ["a", "c"]]},
            r"groups has names that are not in average_ranks: \['c'\]: use names from \['a', 'b'\]",
        ),
        (
            {"a": 1, "b": 2},
            {"groups": ["ab"]},
            "groups must be sequences of names, got 'ab': put the names",
        ),
        (
            {"a": 1, "b": 2},
            {"groups": [["a"]]},
            r"groups must have at least two systems each, got \['a'\]: leave out",
        ),
    ],
)
def test_invalid_arguments_raise(ranks, options, message):
    with pytest.raises(ValueError, match=message):
        CriticalDifferenceDisplay(ranks, **{"n_data_sets": 4} | options)
