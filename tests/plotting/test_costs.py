"""The costs of errors side by side."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.plotting import ErrorCostDisplay
from tests.plotting.looks import LONG_NAMES, contrast, draw, luminance, overlapping

COSTS = {
    "accuracy": 1.0 - np.eye(3),
    "ordinal_mean_absolute_error": [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]],
    "undefined": [[0, 0.004, -0.25], [np.nan, 0, np.nan], [1, 1, 0]],
}


def distances(n_classes):
    far = np.abs(np.subtract.outer(range(n_classes), range(n_classes)))
    return far / (n_classes - 1)


def texts_of(display):
    return [[[text.get_text() for text in row] for row in panel] for panel in display.text_]


def test_each_criterion_has_a_panel_with_its_values():
    display = ErrorCostDisplay(COSTS, target_names=["low", "mid", "high"]).plot()
    assert [panel.get_title().replace("\n", "") for panel in display.axes_] == list(COSTS)
    assert texts_of(display)[1] == [
        ["", "0.50", "1.00"],
        ["0.50", "", "0.50"],
        ["1.00", "0.50", ""],
    ]
    assert texts_of(display)[2] == [["", "0.00", "-0.25"], ["-", "", "-"], ["1.00", "1.00", ""]]


def test_rows_and_columns_are_named_at_the_edges():
    names = ["low", "mid", "high"]
    display = ErrorCostDisplay(COSTS, target_names=names).plot()
    # Two panels above one; the second has none below.
    draw(display)
    rows, columns = (
        [
            [label.get_text() for label in axis.get_ticklabels() if label.get_visible()]
            for axis in axes
        ]
        for axes in (
            [panel.yaxis for panel in display.axes_],
            [panel.xaxis for panel in display.axes_],
        )
    )
    assert rows == [names, [], names]
    assert columns == [[], names, names]
    assert [panel.get_xlabel() for panel in display.axes_] == ["", *2 * ["Predicted class"]]
    assert display.axes_[0].get_ylim() == (2.5, -0.5)


def test_costs_have_one_colour_scale_for_all_panels():
    display = ErrorCostDisplay({"a": [[0, 1], [0.5, 0]], "b": [[0, 0.5], [0.25, 0]]}).plot()
    a, b = (image.get_array() for image in display.im_)
    assert (a[1, 0] == b[0, 1]).all()
    # From light to dark, also in grey.
    assert luminance(b[1, 0]) > luminance(b[0, 1]) > luminance(a[0, 1])
    handles = display.figure_.axes[-1].get_legend().get_patches()
    assert tuple(handles[1].get_facecolor()[:3]) == pytest.approx(tuple(a[1, 0]))
    assert tuple(handles[2].get_facecolor()[:3]) == pytest.approx(tuple(a[0, 1]))


def test_correct_predictions_and_undefined_costs_are_white():
    display = ErrorCostDisplay(COSTS).plot()
    colors = display.im_[2].get_array()
    is_white = (colors == 1).all(axis=-1)
    assert (is_white == np.eye(3, dtype=bool) | np.isnan(COSTS["undefined"])).all()


def test_values_are_readable_on_their_cells():
    display = ErrorCostDisplay({"a": distances(12)}).plot()
    colors = display.im_[0].get_array()
    for position in np.ndindex(12, 12):
        text = display.text_[0][position]
        assert not text.get_text() or contrast(text.get_color(), colors[position]) >= 4.5


def test_a_new_figure_has_room_for_names_and_values():
    costs = {f"criterion_number_{k}": distances(12) for k in range(3)}
    display = ErrorCostDisplay(costs, target_names=LONG_NAMES).plot()
    assert overlapping(draw(display)) == []
    assert display.text_ is not None


def test_values_are_left_out_of_small_cells():
    _, ax = plt.subplots(figsize=(3.4, 2.6), layout="constrained")
    assert ErrorCostDisplay({name: distances(12) for name in "abcd"}).plot(ax).text_ is None


def test_axes_outside_a_grid_raise():
    ax = plt.figure().add_axes((0, 0, 1, 1))
    with pytest.raises(ValueError, match="ax must belong to a grid of axes: create it with plt"):
        ErrorCostDisplay(COSTS).plot(ax)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ErrorCostDisplay({"a": [[0]]}), r"at least 2 x 2, got shape \(1, 1\) for 'a'"),
        (
            lambda: ErrorCostDisplay([[0, 1], [1, 0]]),
            "costs must be a dict with names as keys, got a list",
        ),
        (lambda: ErrorCostDisplay({}), "costs must have at least one criterion, got none"),
        (lambda: ErrorCostDisplay({"a": [0, 1]}), r"costs\['a'\] must"),
        (lambda: ErrorCostDisplay({"a": np.zeros((2, 3))}), r"square matrices of one size"),
        (
            lambda: ErrorCostDisplay({"a": np.zeros((2, 2)), "b": np.zeros((3, 3))}),
            r"one size, .* got shape \(3, 3\) for 'b'",
        ),
        (
            lambda: ErrorCostDisplay({"a": [[0, 4], [2, 0]]}),
            "at most 1, got 4 for 'a': divide them by their maximum",
        ),
        (lambda: ErrorCostDisplay({"a": [[0, np.inf], [1, 0]]}), "must not be infinite"),
        (lambda: ErrorCostDisplay(COSTS, target_names=["low"]), "target_names must name each"),
    ],
)
def test_bad_input_raises_one_line(make, message):
    with pytest.raises(ValueError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)
