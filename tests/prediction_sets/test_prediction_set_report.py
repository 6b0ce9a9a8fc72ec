"""The report of prediction sets."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import betabinom, binomtest

from sklearn_ordinal import OrdinalConfusion, prediction_set_report

# The sets 1100 0110 0011 1010 0111.
SETS = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 1, 1]])
Y_TRUE = [0, 2, 1, 1, 3]
N = 400
rng = np.random.default_rng(0)
Y = rng.integers(0, 5, N)
MEMBERS = rng.random((N, 5, 2)) < [0.45, 0.75]
LOWER = np.clip(Y + rng.integers(-2, 2, N), 0, 4)
UPPER = np.clip(LOWER + rng.integers(0, 3, N), 0, 4)
BY = np.array(["north", "south", "west"])[rng.integers(0, 3, N)]
WEIGHTS = rng.integers(0, 4, N).astype(float)


def measure(report, name, row=0, level=0):
    return report.measures[name][level, row]


def test_the_worked_example():
    report = prediction_set_report(Y_TRUE, SETS)
    assert report.coverage[0][0].estimate == pytest.approx(3 / 5)
    values = {
        "size": 11 / 5,
        "contiguous": 4 / 5,
        "distance": 2 / 5,
        "miss_distance": 1,
        "too_high": 1 / 5,
        "too_low": 0,
        "in_gap": 1 / 5,
        "empty": 0,
        "singletons": 0,
    }
    for name, value in values.items():
        assert measure(report, name) == pytest.approx(value), name
    assert np.isnan(measure(report, "interval_score"))


def test_the_worked_verdict():
    """42 of 50 are covered, with 99 calibration samples at the level 0.9."""
    sets = np.zeros((50, 2), dtype=bool)
    sets[:42, 0] = True
    report = prediction_set_report([0] * 49 + [1], sets, nominal=0.9, n_calibration=99)
    (pvalue,) = report.pvalues
    assert pvalue == pytest.approx(0.163242, abs=5e-7)
    assert pvalue == pytest.approx(betabinom.cdf(42, 50, 90, 10))
    assert "contain at most 42 of 50 true classes with a probability of 0.163" in " ".join(
        str(report).split()
    )


def test_split_conformal_sets_have_uniform_verdicts():
    """The verdict of sets that keep their level is below a level about as often as it says."""
    generator = np.random.default_rng(0)
    pvalues = []
    for _ in range(200):
        calibration, test = generator.random(99), generator.random(60)
        is_covered = test <= np.sort(calibration)[89]
        sets = np.zeros((60, 2), dtype=bool)
        sets[:, 0] = is_covered
        (pvalue,) = prediction_set_report(
            [0] * 60, sets, labels=[0, 1], nominal=0.9, n_calibration=99
        ).pvalues
        pvalues.append(pvalue)
    below = [np.mean(np.array(pvalues) <= level) for level in (0.05, 0.2, 0.5)]
    # The number of covered samples is an integer, so only some verdicts are possible.
    possible = betabinom.cdf(np.arange(61), 60, 90, 10)
    expected = [possible[possible <= level].max() for level in (0.05, 0.2, 0.5)]
    assert below == pytest.approx(expected, abs=0.08)


def by_hand(y, members, weights, nominal=None):
    """Return the measures sample by sample."""
    rows = []
    for true, row in zip(y, members, strict=True):
        classes = np.flatnonzero(row)
        distance = np.abs(classes - true).min() if len(classes) else np.nan
        rows.append(
            {
                "coverage": float(true in classes),
                "size": len(classes),
                "empty": float(not len(classes)),
                "singletons": float(len(classes) == 1),
                "contiguous": float(len(classes) > 0 and np.ptp(classes) + 1 == len(classes)),
                "too_low": float(len(classes) > 0 and classes.max() < true),
                "too_high": float(len(classes) > 0 and classes.min() > true),
                "in_gap": float(
                    len(classes) > 0
                    and true not in classes
                    and classes.min() < true < classes.max()
                ),
                "distance": distance,
                "miss_distance": distance if distance > 0 else np.nan,
                **(
                    {"interval_score": np.ptp(classes) + 2 / (1 - nominal) * distance}
                    if nominal
                    else {}
                ),
            }
        )
    frame = pd.DataFrame(rows)
    has_value = frame.notna()
    return ((frame * weights[:, None]).sum() / (has_value * weights[:, None]).sum()).to_dict()


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("n_classes", [5, 11, 21, 70])
def test_each_measure_is_the_mean_over_the_samples_of_each_row(weights, n_classes):
    """With many classes, sets are numbered in other ways."""
    generator = np.random.default_rng(n_classes)
    y = generator.integers(0, n_classes, N)
    members = generator.random((N, n_classes, 2)) < [0.05, 2 / n_classes]
    report = prediction_set_report(
        y, members, labels=range(n_classes), sample_weight=weights, by=BY
    )
    given = np.ones(N) if weights is None else weights
    parts = [
        np.ones(N, bool),
        *(y == k for k in range(n_classes)),
        *(name == BY for name in report.group_names),
    ]
    for level in range(2):
        for row, part in enumerate(parts):
            if not given[part].any():
                assert np.isnan(report.coverage[level][row].estimate)
                continue
            expected = by_hand(y[part], members[part, :, level], given[part])
            assert report.coverage[level][row].estimate == pytest.approx(expected.pop("coverage"))
            for name, value in expected.items():
                assert measure(report, name, row, level) == pytest.approx(value, nan_ok=True)


def test_kinds_of_misses_covered_and_empty_sets_add_up_to_1():
    report = prediction_set_report(Y, MEMBERS)
    names = ("too_low", "too_high", "in_gap", "empty")
    total = sum(report.measures[name] for name in names)
    total += [[interval.estimate for interval in level] for level in report.coverage]
    assert total == pytest.approx(1)


def test_bounds_are_the_sets_of_all_classes_in_between():
    members = (np.arange(5) >= LOWER[:, None]) & (np.arange(5) <= UPPER[:, None])
    options = {"nominal": 0.8, "by": BY, "clusters": rng.integers(0, 60, N)}
    report = prediction_set_report(Y, (LOWER, UPPER), **options)
    other = prediction_set_report(Y, members, **options)
    assert report.coverage[0][0].estimate == other.coverage[0][0].estimate
    assert str(report) == str(other)
    expected = by_hand(Y, members, np.ones(N), 0.8)
    assert measure(report, "interval_score") == pytest.approx(expected["interval_score"])


def test_the_classes_of_bounds_are_on_the_scale():
    report = prediction_set_report(
        ["b", "c"], (["a", "b"], ["b", "b"]), labels=["a", "b", "c"], nominal=0.5
    )
    assert report.class_names == ("a", "b", "c")
    assert measure(report, "interval_score") == pytest.approx((1 + 4) / 2)
    # The bounds extend the scale of integers.
    assert prediction_set_report([1, 2], ([0, 1], [3, 2])).class_names == ("0", "1", "2", "3")


def test_many_classes_are_counted_by_the_pairs_that_occur():
    y = np.arange(0, 2_000, 7)
    lower = y - 1
    report = prediction_set_report(y, (lower, y - 1 + (y % 2)), labels=range(-1, 2_000))
    assert report.coverage[0][0].estimate == pytest.approx(np.mean(y % 2))


def test_a_level_has_the_values_that_it_has_alone():
    both = prediction_set_report(Y, MEMBERS, nominal=[0.5, 0.8], n_calibration=99)
    for level, nominal in enumerate([0.5, 0.8]):
        alone = prediction_set_report(Y, MEMBERS[:, :, level], nominal=nominal, n_calibration=99)
        assert [i.low for i in alone.coverage[0]] == [i.low for i in both.coverage[level]]
        assert alone.worst_class[0].high == both.worst_class[level].high
        assert alone.pvalues[0] == both.pvalues[level]
        for name, values in both.measures.items():
            np.testing.assert_array_equal(values[level], alone.measures[name][0])


def test_integer_weights_repeat_samples():
    repeated = np.repeat(np.arange(N), WEIGHTS.astype(int))
    weighted = prediction_set_report(Y, MEMBERS, sample_weight=WEIGHTS)
    plain = prediction_set_report(Y[repeated], MEMBERS[repeated])
    for name, values in weighted.measures.items():
        np.testing.assert_allclose(values, plain.measures[name])
    # But they are not as many samples.
    assert weighted.n_samples[0] == np.count_nonzero(WEIGHTS) < plain.n_samples[0]
    first, second = weighted.coverage[0][0], plain.coverage[0][0]
    assert first.estimate == pytest.approx(second.estimate)
    assert first.low < second.low < second.high < first.high


def test_equal_weights_change_no_interval():
    plain = prediction_set_report(Y, MEMBERS, by=BY)
    weighted = prediction_set_report(Y, MEMBERS, by=BY, sample_weight=np.full(N, 0.25))
    for one, other in zip(plain.coverage[0], weighted.coverage[0], strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_clusters_of_one_sample_change_no_interval():
    plain = prediction_set_report(Y, MEMBERS, by=BY)
    clustered = prediction_set_report(Y, MEMBERS, by=BY, clusters=np.arange(N))
    for one, other in zip(plain.coverage[1], clustered.coverage[1], strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_repeated_samples_in_clusters_say_little_more_than_once():
    repeated = np.repeat(np.arange(N), 5)
    once = prediction_set_report(Y, MEMBERS)
    alone = prediction_set_report(Y[repeated], MEMBERS[repeated])
    together = prediction_set_report(Y[repeated], MEMBERS[repeated], clusters=repeated)
    for first, second, third in zip(
        once.coverage[0], together.coverage[0], alone.coverage[0], strict=True
    ):
        assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=0.005)
        assert second.low < third.low < third.high < second.high


def test_intervals_are_exact_binomial_intervals_by_row():
    report = prediction_set_report(Y, MEMBERS[:, :, 0], by=BY)
    covered = MEMBERS[np.arange(N), Y, 0]
    parts = [Y >= 0, *(k == Y for k in range(5)), *(name == BY for name in report.group_names)]
    for interval, part in zip(report.coverage[0], parts, strict=True):
        exact = binomtest(int(covered[part].sum()), int(part.sum())).proportion_ci(0.95)
        assert (interval.low, interval.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert report.worst_group[0].estimate == min(i.estimate for i in report.coverage[0][6:])


@pytest.mark.parametrize(
    "sets",
    [
        SETS.tolist(),
        SETS.astype(bool),
        SETS.astype(float),
        SETS.astype(np.uint8)[:, :, None],
        np.asfortranarray(SETS),
        pd.DataFrame(SETS),
        pd.DataFrame(SETS.astype(bool), columns=[0, 1, 2, 3]),
        pl.DataFrame(SETS, schema=["0", "1", "2", "3"]),
    ],
)
def test_memberships_may_have_many_forms(sets):
    assert str(prediction_set_report(Y_TRUE, sets)) == str(prediction_set_report(Y_TRUE, SETS))


def test_what_is_passed_is_not_changed():
    sets, weights = SETS.copy(), np.arange(5.0)
    prediction_set_report(Y_TRUE, sets, sample_weight=weights)
    assert (sets == SETS).all()
    assert weights.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("sets", "options", "message"),
    [
        (SETS[:, :3], {}, r"sets must have a column for each of the 4 classes \[0, 1, 2, 3\] in "),
        (SETS[:, :2], {}, r"highest, or a tuple \(lower, upper\) of the lowest and highest class"),
        (SETS, {"labels": range(5)}, "got 4 columns: pass labels= with all classes"),
        (SETS * 2, {}, "sets must hold booleans, or 0 and 1, got 2: for classes, pass a tuple"),
        (SETS * 0.5, {}, "sets must hold booleans, or 0 and 1, got 0.5"),
        (np.where(SETS, np.nan, 0), {}, "sets must hold booleans, or 0 and 1, got nan"),
        (SETS[:4], {}, "y_true and sets must have the same length, got 5 and 4"),
        (SETS[0], {}, r"sets must have shape \(n_samples, n_classes\) or"),
        (SETS[..., None][..., :0], {}, r"got shape \(5, 4, 0\)"),
        ([["a", "b"]] * 5, {}, "sets must hold numbers"),
        ([[0], [1, 2], [2], [1], [3]], {}, "sets must have a column for each class, got rows of"),
        (
            [{0}, {1, 2}, {2}, {1}, {3}],
            {},
            "got sets of classes: pass for each class whether it is",
        ),
        ([(0,), (1, 2), (2,), (1,), (3,)], {}, "got rows of different lengths: pass for each"),
        (
            SETS,
            {"nominal": []},
            "nominal must have one level for each level of the sets, 1 in all, got 0",
        ),
        (pd.DataFrame(SETS, columns=[3, 2, 1, 0]), {}, "sets has columns named"),
        ((Y_TRUE, Y_TRUE, Y_TRUE), {}, "got a tuple of 3 items"),
        (
            (np.array(Y_TRUE), SETS[:, :, None]),
            {},
            r"shape \(5,\) and \(5, 4, 1\): pass memberships without the tuple, such as sets\[1\]",
        ),
        (
            ([1, 2, 1, 1, 3], [0, 2, 1, 1, 3]),
            {},
            r"lower class above the upper class, got \[1, 0\] ",
        ),
        ((Y_TRUE, [0, 2, 1, 1, 9]), {"labels": range(4)}, r"sets\[1\] has classes that are not in"),
        ((Y_TRUE, Y_TRUE[:3]), {}, r"y_true, sets\[0\] and sets\[1\] must have the same length"),
        (SETS, {"nominal": 1.0}, "nominal must be a number between 0 and 1, got 1.0"),
        (SETS, {"nominal": 90}, "nominal must be a number between 0 and 1, got 90"),
        (SETS, {"nominal": "a"}, "nominal must be a sequence of levels, or one level, got 'a'"),
        (
            OrdinalConfusion.from_counts(np.eye(4)),
            {},
            "sets must be an array, got OrdinalConfusion: pass it to a metric",
        ),
        (SETS, {"nominal": [0.5, 0.9]}, "one level for each level of the sets, 1 in all, got 2"),
        (
            SETS[:, :, None].repeat(2, 2),
            {"nominal": 0.9},
            "one level for each level of the sets, 2 in all, got 1",
        ),
        (SETS, {"n_calibration": 99}, "n_calibration must come with the nominal level"),
        (SETS, {"nominal": 0.9, "n_calibration": 0}, "n_calibration must be a positive integer"),
        (SETS, {"nominal": 0.9, "n_calibration": 8}, "n_calibration must be at least 9 for sets"),
        (
            SETS,
            {"nominal": 0.9, "n_calibration": 99, "sample_weight": [1] * 5},
            "n_calibration must be left out with sample_weight",
        ),
        (
            SETS,
            {"nominal": 0.9, "n_calibration": 99, "clusters": [1, 1, 2, 2, 3]},
            "n_calibration must be left out with clusters",
        ),
        (SETS, {"sample_weight": [1, 2]}, r"sample_weight must have shape \(5,\)"),
        (SETS, {"clusters": [1, 2]}, "clusters must have a value for each of the 5 samples"),
        (SETS, {"by": ["a"] * 5}, "by must name at least 2 groups"),
    ],
)
def test_odd_arguments_raise(sets, options, message):
    with pytest.raises(ValueError, match=message):
        prediction_set_report(Y_TRUE, sets, **options)


def test_nine_calibration_samples_suffice_for_the_level_09():
    report = prediction_set_report(Y_TRUE, SETS, nominal=0.9, n_calibration=9)
    assert report.pvalues[0] == pytest.approx(betabinom.cdf(3, 5, 9, 1))


def test_the_text_starts_with_sentences():
    report = prediction_set_report(Y, (LOWER, UPPER), nominal=0.9, n_calibration=199, by=BY)
    text = str(report)
    assert all(len(line) <= 80 for line in text.splitlines())
    in_one_line = " ".join(text.split())
    for part in (
        "400 samples, 5 classes from 0 (lowest) to 4 (highest).",
        "of the sets contain the true class (95% interval",
        "at a nominal level of 90%.",
        "which is evidence against this level.",
        "The lowest coverage of a class is",
        "so at least one class has a coverage below 90%.",
        "The lowest coverage of a group is",
        "have classes without a gap. The mean interval score is",
        "of the sets miss the true class:",
        "Coverage by class and group",
    ):
        assert part in in_one_line, part


def test_sets_without_misses_and_ties_of_the_lowest_coverage():
    text = " ".join(str(prediction_set_report(range(5), np.ones((5, 5)))).split())
    assert "No set misses the true class." in text
    assert "The lowest coverage of a class is 100.0%, for 5 classes (95% interval" in text
    text = " ".join(str(prediction_set_report([0, 1, 1], [[0, 0], [1, 1], [1, 1]])).split())
    assert "100.0% of the sets" not in text
    assert "33.3% of the sets miss the true class: all of them are empty." in text
    assert "The nearest class" not in text


def test_several_levels_are_columns_of_the_table():
    report = prediction_set_report(Y, MEMBERS, nominal=[0.5, 0.8], n_calibration=199)
    text, in_markdown = str(report), report.to_markdown()
    assert text.startswith(f"{100 * report.coverage[0][0].estimate:.1f}% of the sets contain the")
    assert "coverage at 0.5  coverage at 0.8" in text
    for level, nominal in enumerate([0.5, 0.8]):
        assert f" {report.worst_class[level].estimate:.3f} " in text
        assert f"95% interval at {nominal}" in in_markdown
        assert f"classes at {nominal}" in in_markdown
    unnamed = str(prediction_set_report(Y, MEMBERS))
    assert "of the sets of level 2 contain" in unnamed
    assert "coverage, level 1  coverage, level 2" in unnamed


def test_sets_with_gaps_have_no_interval_score():
    text = str(prediction_set_report(Y_TRUE, SETS, nominal=0.8))
    assert "There is no interval score, since some sets are empty or have gaps." in text


def test_weights_and_clusters_are_mentioned():
    report = prediction_set_report(
        Y, MEMBERS[:, :, 0], sample_weight=WEIGHTS, clusters=Y // 2 + 9 * (np.arange(N) // 8)
    )
    assert "Intervals use the effective number of samples." in str(report)
    assert "total weight" in str(report)


def test_a_plot_has_a_row_for_each_class():
    report = prediction_set_report(Y, MEMBERS, nominal=[0.5, 0.8])
    assert repr(report).startswith("PredictionSetReport(400 samples, coverage 0.")
    display = report.plot(level=1)
    assert display.nominal == 0.8
    assert [line.get_xdata()[0] for line in display.estimates_] == [
        interval.estimate for interval in report.coverage[1][1:6]
    ]
    with pytest.raises(ValueError, match="level must be less than 2, got 2"):
        report.plot(2)


def test_bounds_of_weight_0_are_left_out():
    weights = np.where(np.arange(N) % 3, 2.0, 0.0)
    kept = weights > 0
    weighted = prediction_set_report(Y, (LOWER, UPPER), labels=range(5), sample_weight=weights)
    alone = prediction_set_report(Y[kept], (LOWER[kept], UPPER[kept]), labels=range(5))
    for name, values in weighted.measures.items():
        np.testing.assert_allclose(values, alone.measures[name])
    assert weighted.coverage[0][0].low == pytest.approx(alone.coverage[0][0].low)
