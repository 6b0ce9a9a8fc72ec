"""Plots as narrow as the column of a paper, and plots with many long names."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts
from sklearn_ordinal.inference import Interval, PairedDifference
from sklearn_ordinal.plotting import (
    ComparisonDisplay,
    CoverageCurveDisplay,
    CriticalDifferenceDisplay,
    ErrorCostDisplay,
    ErrorDistributionDisplay,
    FoldScoresDisplay,
    MetricEstimatesDisplay,
    OrdinalConfusionMatrixDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
    PredictionSetsDisplay,
    RequiredSamplesDisplay,
    ScoreLadderDisplay,
    SystemsDisplay,
    ThresholdCalibrationDisplay,
)
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping, row_names

COLUMN = (3.4, 2.6)
SYSTEMS = ["majority class, median class, best constant", *LONG_NAMES[1:]]


def confusion(n):
    counts = np.random.default_rng(0).integers(0, 400, (n, n)) + 900 * np.eye(n, dtype=int)
    return OrdinalConfusion.from_counts(counts)


def matrix(names):
    return OrdinalConfusionMatrixDisplay(confusion(len(names)), target_names=names)


def errors(names):
    return ErrorDistributionDisplay(confusion(len(names)), target_names=names)


def folds(names):
    rng, means = np.random.default_rng(0), np.linspace(0.8, 0.3, len(names))
    return FoldScoresDisplay(
        {name: rng.normal(mean, 0.04, 10) for name, mean in zip(names, means, strict=True)},
        {
            name: Interval(mean, mean - 0.03, mean + 0.03, 0.95)
            for name, mean in zip(names, means, strict=True)
        },
        baselines=names[:1],
        score_name="ordinal_mean_absolute_error",
    )


def comparison(names):
    means = np.linspace(0.4, -0.3, len(names))
    return ComparisonDisplay(
        {
            name: PairedDifference(mean, mean - 0.04, mean + 0.05, 0.95)
            for name, mean in zip(names, means, strict=True)
        },
        adjusted_pvalues=dict.fromkeys(names, 0.0234),
        criterion="ordinal_mean_absolute_error",
        reference=SYSTEMS[0],
        rope=0.01,
        baselines=names[:1],
    )


def systems(names):
    scores = {
        name: Interval(mean, mean - 0.03, mean + 0.03, 0.95)
        for name, mean in zip(names, np.linspace(0.8, 0.3, len(names)), strict=True)
    }
    letters = dict.fromkeys(names, "abc")
    return SystemsDisplay(scores, letters, criterion="ordinal_mean_absolute_error")


def ladder(names):
    references = dict(zip(names, np.linspace(0.1, 1, len(names)), strict=True))
    return ScoreLadderDisplay(references, criterion="ordinal_mean_absolute_error")


def sets(names):
    means = np.linspace(0.95, 0.7, len(names))
    return PredictionSetsDisplay(
        [Interval(mean, mean - 0.06, mean + 0.04, 0.95) for mean in means],
        np.linspace(1, len(names), len(names)),
        target_names=names,
        nominal=0.9,
    )


def required(names):
    n_samples = 1_000 * np.arange(1, 30)
    return RequiredSamplesDisplay(
        n_samples,
        n_samples / 30_000,
        (n_samples / 40_000, n_samples / 30_000),
        required=(24_000, 0.8),
        criterion=max(names, key=len),
        unit="samples of each system",
    )


def estimates(names):
    means = np.linspace(0.8, 0.3, len(names))
    kind = {
        name: Interval(mean, mean - 0.03, mean + 0.03, 0.95)
        for name, mean in zip(names, means, strict=True)
    }
    return MetricEstimatesDisplay(
        {"halves of the test cases, 95% of splits": kind, "data sets": kind},
        label="Kendall's tau-b",
    )


def ranks(names):
    average = np.linspace(1.2, len(names) - 0.2, len(names))
    return CriticalDifferenceDisplay(
        dict(zip(names, average, strict=True)),
        n_data_sets=20,
        groups=[names[:2], names[-2:]],
        critical_difference=1.6,
    )


def costs(names):
    far = np.abs(np.subtract.outer(range(len(names)), range(len(names)))) / (len(names) - 1)
    criteria = ["cem_ord", "accuracy", "macro_averaged_mean_absolute_error", "kendall_tau_b"]
    powers = dict(zip(criteria, [0.5, 0, 1, 2], strict=True))
    return ErrorCostDisplay(
        {name: np.where(far, far**power, 0) for name, power in powers.items()}, target_names=names
    )


def forecasts(n):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, n, 300)
    distance = y_true[:, None] + rng.normal(0, 1, (300, 1)) - np.arange(n)
    amounts = np.exp(-(distance**2) / 2)
    return OrdinalForecasts.from_probabilities(
        y_true, amounts, labels=range(n), normalize_rows=True
    )


def thresholds_of(display):
    # One class more than there are names of thresholds, as in the other plots.
    return lambda names: display(forecasts(len(names) + 1), target_names=[*names, "highest"])


def classes_of(display):
    return lambda names: display(forecasts(len(names)), split="class", target_names=names)


CURVES = {
    "roc": thresholds_of(OrdinalRocCurveDisplay),
    "roc of classes": classes_of(OrdinalRocCurveDisplay),
    "precision-recall": thresholds_of(OrdinalPrecisionRecallDisplay),
    "det": thresholds_of(OrdinalDetCurveDisplay),
    "coverage": thresholds_of(CoverageCurveDisplay),
}


def calibration(names):
    return ThresholdCalibrationDisplay(
        forecasts(len(names) + 1),
        target_names=[*names, "highest"],
        n_resamples=5,
        random_state=0,
    )


ROWS = {
    "errors": errors,
    "folds": folds,
    "comparison": comparison,
    "systems": systems,
    "estimates": estimates,
    "ladder": ladder,
    "sets": sets,
}
PLOTS = {"matrix": matrix, **ROWS, "ranks": ranks, "costs": costs}
PLOTS["required"] = required
PLOTS |= {**CURVES, "calibration": calibration}
# All curves have one layout, and those of thresholds the longest names.
LAYOUTS = [name for name in PLOTS if name not in (*CURVES, "required") or name == "roc"]
EVERY_PLOT = pytest.mark.parametrize("display_of", PLOTS.values(), ids=PLOTS)
EVERY_LAYOUT = pytest.mark.parametrize("display_of", [PLOTS[name] for name in LAYOUTS], ids=LAYOUTS)


def share_of_axes(display):
    axes, figure = display.ax_.get_window_extent(), display.figure_.bbox
    return axes.width * axes.height / figure.width / figure.height


def check(display, least_share):
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    legend = display.ax_.get_legend()
    if legend is not None:
        assert cut_off([legend], display.figure_) == []
        assert not legend.get_window_extent().padded(-1).overlaps(display.ax_.get_window_extent())
    assert share_of_axes(display) >= least_share
    # The smallest texts are four-digit values in a 12 x 12 matrix.
    assert min(text.get_fontsize() for text in seen) >= 5


# The least share of the figure that the axes take: of a new figure, and in a column of a paper with
# five and with twelve long names.
LEAST_SHARE_OF_NEW, LEAST_SHARE, LEAST_SHARE_OF_TWELVE = 0.4, 0.3, 0.25


@pytest.fixture(scope="module", params=LAYOUTS)
def crowded(request):
    """Draw a plot with twelve long names in a column of a paper."""
    _, ax = plt.subplots(figsize=COLUMN, layout="constrained")
    return PLOTS[request.param](SYSTEMS).plot(ax)


def test_plots_of_many_long_names_fit_in_a_column_of_a_paper(crowded):
    check(crowded, LEAST_SHARE_OF_TWELVE)


def test_names_are_shortened_in_the_plot_but_not_in_the_display(crowded):
    assert any("…" in text.get_text() for text in draw(crowded))
    whole = [getattr(crowded, name, ()) for name in ("target_names", "intervals", "names")]
    whole += [getattr(crowded, name, ()) for name in ("differences", "average_ranks", "scores")]
    whole += [getattr(crowded, "references", ())]
    whole += getattr(crowded, "estimates", {}).values()
    assert SYSTEMS in [list(names)[: len(SYSTEMS)] for names in whole]


@EVERY_LAYOUT
@pytest.mark.parametrize("names", [SYSTEMS[:5], list("abc")], ids=["5 long", "3"])
def test_plots_fit_in_a_column_of_a_paper_with_a_tight_layout(display_of, names):
    _, ax = plt.subplots(figsize=COLUMN, layout="tight")
    # Tight layouts have wider margins.
    check(display_of(names).plot(ax), 0.75 * LEAST_SHARE)


@EVERY_PLOT
@pytest.mark.parametrize("names", [SYSTEMS[:5], SYSTEMS], ids=["5 long", "12 long"])
@pytest.mark.parametrize("size", [(6.4, 4.8), COLUMN], ids=["default", "column"])
def test_nothing_is_cut_off_in_a_figure_without_a_layout(display_of, names, size):
    figure, ax = plt.subplots(figsize=size)
    position = ax.get_position().bounds
    display = display_of(names).plot(ax)
    seen = draw(display)
    assert cut_off(seen, figure) == []
    assert overlapping(seen) == []
    legend = ax.get_legend()
    if legend is not None:
        # Legends stay in the axes, which stay where they are.
        box, axes = legend.get_window_extent(), ax.bbox.padded(1)
        assert (axes.min <= box.min).all()
        assert (box.max <= axes.max).all()
    assert ax.get_position().bounds == position


@EVERY_LAYOUT
def test_plots_side_by_side_do_not_overlap_without_a_layout(display_of):
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2))
    displays = [display_of(SYSTEMS[:5]).plot(ax) for ax in axes]
    seen = draw(displays[0])
    assert overlapping(seen) == []
    assert cut_off(seen, figure) == []


@EVERY_LAYOUT
def test_drawing_does_not_change_the_limits_of_axes(display_of):
    _, ax = plt.subplots()
    display = display_of(SYSTEMS[:5]).plot(ax)
    limits = ax.get_xlim(), ax.get_ylim()
    draw(display)
    assert (ax.get_xlim(), ax.get_ylim()) == limits


@EVERY_LAYOUT
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_the_figure_of_given_axes_is_not_changed(display_of, layout):
    figure, axes = plt.subplots(1, 2, figsize=(6.8, 2.6), layout=layout)
    engine, position = figure.get_layout_engine(), axes[0].get_position().bounds
    neighbour = axes[1].get_position().bounds
    display = display_of(SYSTEMS[:5]).plot(axes[0])
    assert display.ax_ is axes[0]
    assert display.figure_ is figure
    assert figure.get_layout_engine() is engine
    assert figure.get_size_inches().tolist() == [6.8, 2.6]
    assert axes[0].get_position().bounds == position
    assert axes[1].get_position().bounds == neighbour
    assert figure.axes == [*axes]
    assert figure.legends == []


@EVERY_LAYOUT
@pytest.mark.parametrize("names", [list("abc"), SYSTEMS], ids=["3", "12 long"])
def test_new_figures_are_at_most_eight_inches_wide(display_of, names):
    display = display_of(names).plot()
    assert display.figure_.get_size_inches()[0] <= 8
    check(display, LEAST_SHARE_OF_NEW)


@EVERY_PLOT
def test_plots_of_five_long_names_fit_in_a_column_of_a_paper(display_of):
    _, ax = plt.subplots(figsize=COLUMN, layout="constrained")
    check(display_of(SYSTEMS[:5]).plot(ax), LEAST_SHARE)


@EVERY_LAYOUT
@pytest.mark.parametrize("size", [6, 18])
def test_plots_fit_in_a_column_of_a_paper_at_any_font_size(display_of, size):
    # Of what styles change, only sizes move texts.
    with plt.style.context({"font.size": size}):
        _, ax = plt.subplots(figsize=COLUMN, layout="constrained")
        check(display_of(SYSTEMS[:5]).plot(ax), LEAST_SHARE)


@EVERY_LAYOUT
@pytest.mark.parametrize("add", ["subfigure", "grid"])
def test_plots_fit_in_axes_of_larger_figures(display_of, add):
    if add == "subfigure":
        figure = plt.figure(figsize=(6.8, 2.6), layout="constrained")
        ax = figure.subfigures(1, 2)[1].subplots()
    else:
        ax = plt.subplots(2, 2, figsize=(6.8, 5.2), layout="constrained")[1][1, 0]
    display = display_of(SYSTEMS[:5]).plot(ax)
    seen = [text for text in draw(display) if text.axes is ax]
    assert overlapping(seen) == []
    assert cut_off(seen, ax.figure) == []


@pytest.mark.parametrize(("layout", "when"), [(None, "after"), ("constrained", "before")])
@EVERY_LAYOUT
def test_titles_of_axes_do_not_collide_with_legends(display_of, layout, when):
    _, ax = plt.subplots(figsize=COLUMN, layout=layout)
    if when == "before":
        ax.set_title("A title")
    display = display_of(list("abc")).plot(ax)
    if when == "after":
        ax.set_title("A title")
    seen = draw(display)
    assert overlapping(seen) == []
    if layout is not None:
        assert cut_off(seen, display.figure_) == []


@EVERY_LAYOUT
def test_shortened_names_differ(display_of):
    names = [f"gradient boosting with {n} trees" for n in range(1001, 1008)]
    _, ax = plt.subplots(figsize=COLUMN, layout="constrained")
    display = display_of(names).plot(ax)
    draw(display)
    texts = display.text_ if display_of is ranks else display.ax_.get_yticklabels()
    if display_of in CURVES.values():
        texts = display.legend_.get_texts()[: len(names)]
    elif display_of is costs:
        # In small panels, every second class has a name, in each row of panels.
        texts = texts[: len(texts) // 2]
        names = names[: len(texts)]
    elif display_of is calibration:
        texts = [panel.title for panel in display.axes_]
    # Without the numbers that follow the names of curves.
    assert len({text.get_text().partition("':")[0] for text in texts}) == len(names)


@EVERY_LAYOUT
def test_names_of_thousands_of_characters_do_not_enlarge_the_figure(display_of):
    names = [f"{letter * 5000} {letter * 5000}" for letter in "abc"]
    display = display_of(names).plot()
    assert (display.figure_.get_size_inches() < 12).all()
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []


@EVERY_LAYOUT
def test_control_characters_in_names_are_escaped(display_of):
    display = display_of(["a\nb", "c\x1b[31m", "d\u202ee"]).plot()
    seen = " ".join(text.get_text() for text in draw(display))
    assert "a\\nb" in seen
    assert r"c\x1b[31m" in seen
    assert r"d\u202ee" in seen


@EVERY_PLOT
@pytest.mark.parametrize(
    ("ax", "message"),
    [
        (3, "ax must be matplotlib axes, got 3: pass one of the axes of a figure, or None"),
        ([], r"ax must be matplotlib axes, got \[\]: pass"),
        ("polar", "ax must be rectilinear axes, got polar axes: create it without projection"),
    ],
)
def test_invalid_axes_raise(display_of, ax, message):
    if ax == "polar":
        ax = plt.figure().add_subplot(projection="polar")
    with pytest.raises(ValueError, match=message):
        display_of(["a", "b"]).plot(ax)


@EVERY_LAYOUT
def test_rcparams_are_unchanged(display_of):
    before = plt.rcParams.copy()
    _, ax = plt.subplots(figsize=COLUMN)
    display_of(SYSTEMS[:3]).plot(ax)
    display_of(SYSTEMS[:3]).plot()
    assert plt.rcParams == before


INTERVAL = Interval(0.5, 0.4, 0.6, 0.95)
DIFFERENCE = PairedDifference(0.1, 0.0, 0.2, 0.95)


def compared(**options):
    options = {"criterion": "cem_ord", "reference": "b", "adjusted_pvalues": {"a": 0.5}} | options
    return ComparisonDisplay({"a": DIFFERENCE}, **options)


@pytest.mark.parametrize(
    ("draw_it", "message"),
    [
        (lambda: matrix(["a", "b"]).plot(legend="no"), "legend must be True or False, got 'no'"),
        (lambda: matrix(["a", "b"]).plot(proximity=2), "proximity must be True or False, got 2"),
        (lambda: matrix(["a", "b"]).plot(include_values=None), "include_values must be True or"),
        (lambda: matrix(["a", "b"]).plot(values_format=2), "values_format must be a format speci"),
        (lambda: errors(["a", "b"]).plot(legend=None), "legend must be True or False, got None"),
        (lambda: compared().plot(legend=1), "legend must be True or False, got 1"),
        (lambda: compared(rope=-1), "rope must be"),
        (lambda: compared(baselines="a"), "baselines must be a list of names, got 'a': put"),
        (lambda: compared(baselines=3), "baselines must be a list of names, got 3: put"),
        (lambda: compared(greater_is_better="no"), "greater_is_better must be True, False or None"),
        (
            lambda: compared(adjusted_pvalues=[0.5]),
            "adjusted_pvalues must be a dict with names as keys, got a list",
        ),
        (
            lambda: FoldScoresDisplay([0.5], {}),
            "scores must be a dict with names as keys, got a list",
        ),
        (
            lambda: FoldScoresDisplay({"a": [0.5]}, {"a": INTERVAL}, score_name=None),
            "score_name must be a string, got None",
        ),
        (
            lambda: CriticalDifferenceDisplay([1, 2], n_data_sets=3),
            "average_ranks must be a dict with names as keys, got a list",
        ),
    ],
)
def test_arguments_of_wrong_types_raise(draw_it, message):
    with pytest.raises(ValueError, match=message):
        draw_it()


def test_names_can_be_numbers():
    display = FoldScoresDisplay({3: [0.4, 0.6]}, {3: INTERVAL}).plot()
    assert row_names(display) == ["3"]
