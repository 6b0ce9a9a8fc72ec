"""The heat map and the dendrogram of the agreement of criteria."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection

from sklearn_ordinal._core import LABELS, metrics_of
from sklearn_ordinal.plotting import RankAgreementDisplay
from tests.plotting.looks import (
    LONG_NAMES,
    contrast,
    cut_off,
    draw,
    luminance,
    overlapping,
    row_names,
)
from tests.plotting.test_style import AS_SEEN_WITH, cielab

NAN = np.nan
# Two groups, (a, c) and (b, d), of which a and b are the closest.
TAU = np.array(
    [[1, 0.3, 0.8, -0.1], [0.3, 1, 0.2, 0.9], [0.8, 0.2, 1, 0.0], [-0.1, 0.9, 0.0, 1]], dtype=float
)
MANY = list(metrics_of(LABELS))


def random_tau(n_criteria, seed=0):
    """Return Kendall's tau between random orders of 20 systems, some of them similar."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_criteria, 4)) @ rng.normal(size=(4, 20))
    scores += rng.normal(size=(n_criteria, 20))
    signs = np.sign(scores[:, :, None] - scores[:, None]).reshape(n_criteria, -1)
    return signs @ signs.T / (20 * 19)


def test_similar_criteria_are_neighbours():
    display = RankAgreementDisplay(TAU, names=list("abcd")).plot()
    assert row_names(display) == list("cabd")
    assert display.order.tolist() == [2, 0, 1, 3]
    assert [label.get_text() for label in display.ax_.get_xticklabels()][:4] == list("cabd")
    np.testing.assert_array_equal(display.tau, TAU)


def test_the_first_criterion_is_in_the_upper_half():
    for seed in range(5):
        display = RankAgreementDisplay(random_tau(9, seed), names=list("abcdefghi"))
        assert display.order.tolist().index(0) <= 4


def test_the_dendrogram_joins_groups_at_their_mean_tau():
    display = RankAgreementDisplay(TAU, names=list("abcd")).plot()
    places, labels = display.ax_.get_xticks()[4:], display.ax_.get_xticklabels()[4:]
    # The mean of the four values between the groups is 0.1.
    assert [label.get_text() for label in labels] == ["1", ".10"]
    x, y = display.line_.get_data()
    tau = 1 - 0.9 * (x - places[0]) / (places[1] - places[0])
    joins = {round(value, 12) for value in tau[~np.isnan(tau)]}
    assert joins == {1, 0.9, 0.8, 0.1}
    # Each criterion has a line in its row of the heat map.
    assert sorted(y[np.isclose(tau, 1)].tolist()) == [0, 1, 2, 3]
    # The closest are joined at the middle of their rows.
    assert set(y[np.isclose(tau, 0.1)].tolist()) == {0.5, 2.5}


def test_values_have_two_decimals_unless_they_are_exact():
    tau = np.eye(5)
    tau[0, 1:] = tau[1:, 0] = [0.999, -0.999, -0.001, -0.346]
    tau[1, 2] = tau[2, 1] = -1
    display = RankAgreementDisplay(tau, names=list("abcde")).plot()
    texts = np.empty((5, 5), dtype=object)
    for place in np.ndindex(5, 5):
        texts[tuple(display.order[list(place)])] = display.text_[place].get_text()
    assert texts[0].tolist() == ["1", "1.0", "-1.0", ".00", "-.35"]
    assert texts[1].tolist() == ["1.0", "1", "-1", "0", "0"]


def test_opposite_values_are_equally_dark_and_differ_in_hue():
    tau = np.full((4, 4), NAN)
    tau[:3, :3] = [[1, 0.6, 0], [0.6, 1, -0.6], [0, -0.6, 1]]
    display = RankAgreementDisplay(tau, names=list("abcd")).plot()
    assert row_names(display) == list("cabd")
    colors = np.asarray(display.im_.get_array())
    positive, negative = colors[1, 2], colors[0, 2]
    assert luminance(positive) == pytest.approx(luminance(negative), rel=1e-3)
    assert positive[2] > positive[0] + 0.1
    assert negative[0] > negative[2] + 0.1
    assert colors[3, 0].tolist() == [1, 1, 1]


@pytest.mark.parametrize("deficiency", AS_SEEN_WITH)
def test_signs_are_distinct_for_colour_blind_readers(deficiency):
    tau = np.array([[1, 0.5, -0.5], [0.5, 1, 0], [-0.5, 0, 1]])
    display = RankAgreementDisplay(tau, names=list("abc")).plot()
    colors = np.asarray(display.im_.get_array())
    shown = {text.get_text(): colors[place] for place, text in np.ndenumerate(display.text_)}
    linear = {
        text: np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
        for text, color in shown.items()
    }
    seen = {
        text: cielab(np.clip(np.array(AS_SEEN_WITH[deficiency]) @ color, 0, 1))
        for text, color in linear.items()
    }
    # A difference of 2.3 is just noticeable.
    assert np.linalg.norm(seen[".50"] - seen["-.50"]) > 15
    assert np.linalg.norm(seen[".50"] - seen["0"]) > 15


def test_criteria_that_are_undefined_come_last_and_are_not_joined():
    tau = np.full((5, 5), NAN)
    tau[np.ix_([0, 1, 3, 4], [0, 1, 3, 4])] = TAU
    display = RankAgreementDisplay(tau, names=list("abxcd")).plot()
    assert row_names(display) == list("cabdx")
    assert {text.get_text() for text in display.text_[-1]} == {"-"}
    assert display.ax_.get_legend().get_texts()[-1].get_text() == "undefined"
    assert np.nanmax(display.line_.get_ydata()) == 3


@pytest.mark.parametrize("n_defined", [0, 1])
def test_fewer_than_two_defined_criteria_have_no_dendrogram(n_defined):
    tau = np.full((2, 2), NAN)
    tau[:n_defined, :n_defined] = 1
    display = RankAgreementDisplay(tau, names=list("ab")).plot()
    assert display.line_ is None
    assert row_names(display) == ["a", "b"]
    assert len(display.ax_.get_xticks()) == 2


def test_criteria_with_the_same_order_are_joined_at_one():
    display = RankAgreementDisplay(np.ones((3, 3)), names=list("abc")).plot()
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["a", "b", "c", "1"]
    assert np.nanmax(display.line_.get_xdata()) == display.ax_.get_xticks()[-1]


@pytest.mark.parametrize("n_criteria", [20, len(MANY)])
def test_many_metrics_have_names_in_a_new_figure_and_values_where_they_fit(n_criteria):
    display = RankAgreementDisplay(random_tau(n_criteria), names=MANY[:n_criteria]).plot()
    seen = draw(display)
    assert (display.figure_.get_size_inches() <= [8, 10]).all()
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    names = row_names(display)
    assert len(set(names)) == n_criteria
    assert all(name in MANY for name in names if "…" not in name)
    assert min(text.get_fontsize() for text in seen) >= 5
    if n_criteria == len(MANY):
        assert display.text_ is None
        return
    cells = display.ax_.get_window_extent().width / np.ptp(display.ax_.get_xlim())
    texts = display.text_.ravel()
    assert max(text.get_window_extent().width for text in texts) <= cells
    background = np.asarray(display.im_.get_array()).reshape(-1, 3)
    pairs = zip(texts, background, strict=True)
    assert min(contrast(text.get_color(), color) for text, color in pairs) >= 4.5


def test_cells_too_small_for_values_mark_negative_ones():
    _, ax = plt.subplots(figsize=(7, 6), layout="constrained")
    tau = random_tau(len(MANY))
    display = RankAgreementDisplay(tau, names=MANY).plot(ax)
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    assert display.text_ is None
    (marks,) = (lines for lines in ax.collections if len(lines.get_segments()) == np.sum(tau < 0))
    ordered = tau[np.ix_(display.order, display.order)]
    for segment in marks.get_segments():
        column, row = segment.mean(axis=0).astype(int)
        assert ordered[row, column] < 0
        assert np.ptp(segment, axis=0).tolist() == [1, 1]
    hatches = [patch.get_hatch() for patch in ax.get_legend().get_patches()]
    assert [bool(hatch) for hatch in hatches] == [False, False, False, True, True]


def test_values_need_no_marks():
    display = RankAgreementDisplay(TAU, names=LONG_NAMES[:4]).plot()
    assert not any(patch.get_hatch() for patch in display.ax_.get_legend().get_patches())
    grid = [lines for lines in display.ax_.collections if isinstance(lines, LineCollection)]
    assert len(grid) == 2


@pytest.mark.parametrize(
    ("tau", "names", "message"),
    [
        (np.ones((2, 3)), "ab", r"tau must have a row and a column .*, got shape \(2, 3\)"),
        (np.ones((1, 1)), "a", r"at least two criteria, got shape \(1, 1\)"),
        (np.ones(3), "abc", r"tau must be .*, got shape \(3,\)"),
        (np.eye(2), ["a"], r"names must name each of the 2 criteria once, got \['a'\]"),
        (np.eye(2), ["a", "a"], r"names must name each of the 2 criteria once"),
        (np.eye(2), "ab c", "names must be a sequence of names, got 'ab c'"),
        (
            [[1, 0.5], [0.2, 1]],
            ["a", "b"],
            "tau must be symmetric, got 0.5 for 'a' and 'b', but 0.2 for 'b' and 'a'",
        ),
        (
            [[1, 1.5], [1.5, 1]],
            ["a", "b"],
            "tau must be between -1 and 1, .*, got 1.5 for 'a' and 'b'",
        ),
        ([[0.5, 0], [0, 1]], ["a", "b"], "1 on the diagonal, got 0.5 for 'a' and 'a'"),
        ([[1, NAN], [NAN, 1]], ["a", "b"], "tau must be NaN in .*, got nan for 'a' and 'b'"),
        ([[NAN, 0], [0, 1]], ["a", "b"], "tau must be NaN in .*, got 0.0 for 'a' and 'b'"),
    ],
)
def test_invalid_arguments_raise(tau, names, message):
    names = list(names) if isinstance(names, str) and " " not in names else names
    with pytest.raises(ValueError, match=message) as error:
        RankAgreementDisplay(tau, names=names)
    assert "\n" not in str(error.value)
