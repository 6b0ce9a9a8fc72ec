"""The picture of the scores of folds."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, cross_val_report
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import FoldScoresDisplay
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping

X, Y = load_lev(return_X_y=True)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
SCORING = ("cem_ord", "neg_ordinal_mean_absolute_error", "kendall_tau_b")


class FailsOnFew(DecisionTreeClassifier):
    """A tree that wants 500 samples."""

    def fit(self, X, y):
        if len(X) < 500:
            raise ValueError("too few")
        return super().fit(X, y)


@pytest.fixture(scope="module")
def comparison():
    models = {"tree": TREE, "stump": DecisionTreeClassifier(max_depth=1)}
    return compare_estimators(models, X, Y, scoring=SCORING, random_state=0)


@pytest.fixture(scope="module")
def report():
    return cross_val_report(TREE, X, Y)


def row_names(display):
    return [label.get_text() for label in display.ax_.get_yticklabels()]


def synthetic(names, **options):
    rng = np.random.default_rng(0)
    scores = {name: rng.random(10) for name in names}
    intervals = {
        name: Interval(v.mean(), v.mean() - 0.1, v.mean() + 0.1, 0.9) for name, v in scores.items()
    }
    return FoldScoresDisplay(scores, intervals, **options)


@pytest.mark.parametrize("criterion", SCORING)
def test_the_points_of_models_are_the_scores_of_their_folds(comparison, criterion):
    display = FoldScoresDisplay.from_report(comparison, criterion=criterion)
    row = row_names(display).index("tree")
    expected = cross_val_score(TREE, X, Y, scoring=criterion)
    assert display.points_[row].get_xdata() == pytest.approx(expected)
    assert display.ax_.get_xlabel() == f"{criterion} (higher is better)"


@pytest.mark.parametrize("criterion", SCORING)
def test_means_and_intervals_are_those_of_the_table_best_first(comparison, criterion):
    display = FoldScoresDisplay.from_report(comparison, criterion=criterion)
    table = comparison.table[criterion]
    names = row_names(display)
    assert sorted(names) == sorted(table)
    assert sorted(table[name].rank for name in names) == [table[name].rank for name in names]
    for row, name in enumerate(names):
        score = table[name].score
        assert display.means_[row].get_xdata() == pytest.approx([score.estimate])
        assert display.lines_[row].get_xdata() == pytest.approx([score.low, score.high])
        assert display.text_[row].get_text() == (
            f"{score.estimate:.3f} [{score.low:.3f}, {score.high:.3f}]"
        )
    assert display.ax_.yaxis_inverted()


def test_the_first_criterion_is_drawn_by_default_and_baselines_are_hollow(comparison):
    display = FoldScoresDisplay.from_report(comparison)
    assert display.ax_.get_xlabel().startswith(SCORING[0])
    for mean, name in zip(display.means_, row_names(display), strict=True):
        assert (mean.get_markerfacecolor() == display.ax_.get_facecolor()) == (
            name in comparison.baselines
        )
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["fold", "mean, 95% interval", "baseline"]


def test_rows_of_a_cross_validation_are_criteria_of_which_one_is_best(report):
    display = FoldScoresDisplay.from_report(report)
    assert row_names(display) == [
        "cem_ord",
        "accuracy",
        "within_1_accuracy",
        "quadratic_weighted_kappa",
        "kendall_tau_b",
    ]
    for row, name in enumerate(row_names(display)):
        assert display.points_[row].get_xdata() == pytest.approx(report.scores[name])
        assert display.means_[row].get_xdata() == [report.intervals[name].estimate]


def test_a_cross_validation_of_losses_alone_shows_the_first():
    report = cross_val_report(TREE, X, Y, metrics=["ordinal_mean_absolute_error"])
    display = FoldScoresDisplay.from_report(report)
    assert list(display.scores) == ["ordinal_mean_absolute_error (lower is better)"]


def test_losses_say_so_beside_scores(report):
    names = ["cem_ord", "macro_averaged_mean_absolute_error"]
    display = FoldScoresDisplay.from_report(report, criterion=names)
    assert list(display.scores) == [
        "cem_ord",
        "macro_averaged_mean_absolute_error (lower is better)",
    ]
    one = FoldScoresDisplay.from_report(report, criterion=names[1])
    assert list(one.scores) == list(display.scores)[1:]


def test_folds_that_failed_have_no_point_and_are_counted():
    samples = np.arange(1000)
    cv = [
        (samples[:500], samples[500:]),
        (samples[500:], samples[:500]),
        (samples[:400], samples[400:]),
    ]
    with pytest.warns(FitFailedWarning):
        report = cross_val_report(FailsOnFew(max_depth=2), X, Y, cv=cv)
    display = FoldScoresDisplay.from_report(report, criterion="cem_ord")
    assert np.isnan(display.points_[0].get_xdata()).tolist() == [False, False, True]
    assert display.text_[0].get_text().endswith(", 1 of 3 undefined")


@pytest.mark.parametrize("names", [LONG_NAMES, ["a"], ["$10", "_hidden"]])
def test_no_text_overlaps_another_or_is_cut_off(names):
    display = synthetic(names, baselines=names[-1:]).plot()
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    assert [name.replace("\n", " ") for name in row_names(display)] == names


def test_points_and_intervals_of_rows_stay_apart():
    display = synthetic(list("abc")).plot()
    for row in range(3):
        ys = display.points_[row].get_ydata()
        assert row - 0.5 < display.means_[row].get_ydata()[0] < ys.min()
        assert ys.max() < row + 0.5
        assert (np.diff(ys) > 0).all()


def test_axes_that_are_given_are_used():
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6), layout="constrained")
    display = synthetic(LONG_NAMES).plot(right, legend=False)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.get_legend() is None
    assert not left.lines
    assert overlapping([text for text in draw(display) if text.axes is right]) == []
    assert plt.get_fignums() == [figure.number]


def test_options_reach_the_drawing(comparison, report):
    for source in (comparison, report):
        display = FoldScoresDisplay.from_report(source, legend=False)
        assert display.ax_.get_legend() is None


def test_a_report_without_folds_is_an_error_that_says_which_to_make(report):
    with pytest.raises(ValueError, match="got OrdinalReport: make one with cross_val_report or"):
        FoldScoresDisplay.from_report(report.pooled)


def test_a_criterion_that_the_report_does_not_have_is_an_error(comparison, report):
    with pytest.raises(ValueError, match="criterion must be one of"):
        FoldScoresDisplay.from_report(comparison, criterion="accuracy")
    for criterion in ("cem_int", ["cem_ord", "cem_int"], []):
        with pytest.raises(ValueError, match="criterion must be among"):
            FoldScoresDisplay.from_report(report, criterion=criterion)


def test_names_that_differ_are_an_error():
    interval = Interval(0.5, 0.4, 0.6, 0.95)
    for scores, intervals in [({}, {}), ({"a": [0.5]}, {"b": interval})]:
        with pytest.raises(ValueError, match="must have the same names, one at least"):
            FoldScoresDisplay(scores, intervals)
