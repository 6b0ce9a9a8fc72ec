"""The report on the agreement of raters: worked values, SciPy, and what it says."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalRatings, agreement_report
from sklearn_ordinal.inference import bootstrap_interval, delta_interval
from sklearn_ordinal.metrics import agreement_score
from tests import degrees_of_freedom

# Seven items, three raters; the values are exact fractions.
GRADES = [[1, 2, 2], [2, 3, 3], [0, 1, 1], [3, 4, 4], [2, 2, 3], [1, 3, 2], [3, 4, 3]]
NAMES = ["Ann", "Bob", "Cy"]
RATINGS = OrdinalRatings.from_ratings(GRADES, raters=NAMES)
ERROR = "ordinal_mean_absolute_error"
REPORT = agreement_report(RATINGS, metrics=["quadratic_weighted_kappa", ERROR])


def simulated(n_items=60, n_raters=4, share_missing=0.3, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n_items)
    severity = np.linspace(-0.8, 0.4, n_raters)
    grades = np.rint(truth[:, None] + severity + rng.normal(0, 0.8, (n_items, n_raters)))
    return np.where(rng.random(grades.shape) < share_missing, np.nan, np.clip(grades, 0, 4))


def differences(grades):
    """Return for each rater the own grade minus the mean of the others, item by item."""
    frame = pd.DataFrame(grades)
    return [(frame[k] - frame.drop(columns=k).mean(axis=1)).dropna() for k in frame]


def as_text(report, details=False):
    return " ".join(report.to_text(details=details).split())


def test_the_raters_have_the_worked_values():
    severity = [interval.estimate for interval in REPORT.severity.values()]
    assert severity == pytest.approx([-13 / 14, 4 / 7, 5 / 14], abs=1e-14)
    kappa = [interval.estimate for interval in REPORT.scores["quadratic_weighted_kappa"].values()]
    assert kappa == pytest.approx([176 / 281, 27 / 41, 158 / 221], abs=1e-14)
    errors = [interval.estimate for interval in REPORT.scores[ERROR].values()]
    assert errors == pytest.approx([13 / 14, 5 / 7, 9 / 14], abs=1e-14)
    assert REPORT.confusion["Ann"].counts.sum() == pytest.approx(7)


def test_exact_and_adjacent_grades_are_always_reported():
    assert list(REPORT.metrics)[2:] == ["accuracy", "within_1_accuracy"]
    only = agreement_report(RATINGS, metrics="accuracy")
    assert list(only.metrics) == ["accuracy", "within_1_accuracy"]
    shares = [interval.estimate for interval in only.scores["accuracy"].values()]
    assert shares == pytest.approx([1 / 7, 5 / 14, 5 / 14])


def test_severity_has_the_t_statistic_of_scipy_with_holms_adjustment():
    grades = simulated()
    report = agreement_report(OrdinalRatings.from_ratings(grades), confidence_level=0.9)
    pvalues, largest, adjusted = [], 0.0, {}
    for interval, of_items in zip(report.severity.values(), differences(grades), strict=True):
        test = stats.ttest_1samp(of_items, 0)
        _, degrees = degrees_of_freedom.of_means(of_items)
        assert interval.estimate / interval.standard_error == pytest.approx(test.statistic)
        ends = stats.t.interval(0.9, degrees, of_items.mean(), stats.sem(of_items))
        assert (interval.low, interval.high) == pytest.approx(ends)
        pvalues.append(degrees_of_freedom.two_sided(test.statistic, degrees))
    # Holm's method in a loop.
    for rank, k in enumerate(np.argsort(pvalues)):
        largest = max(largest, min(1.0, (4 - rank) * pvalues[k]))
        adjusted[k] = largest
    severity = list(report.severity.values())
    assert [contrast.pvalue for contrast in severity] == pytest.approx(pvalues)
    expected = [adjusted[k] for k in range(4)]
    assert [contrast.adjusted_pvalue for contrast in severity] == pytest.approx(expected)


def test_bootstrap_intervals_of_the_severity_are_near_those_of_scipy():
    grades = simulated(share_missing=0)
    report = agreement_report(
        OrdinalRatings.from_ratings(grades), metrics="accuracy", n_resamples=1999, random_state=0
    )
    for interval, values in zip(report.severity.values(), differences(grades), strict=True):
        expected = stats.bootstrap((values,), np.mean, n_resamples=1999, random_state=1)
        ends = expected.confidence_interval
        assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high), abs=0.04)
        assert interval.standard_error == pytest.approx(values.sem())
    assert report.n_resamples == 1999


def test_coefficients_are_those_of_the_functions():
    ratings = OrdinalRatings.from_ratings(simulated())
    report = agreement_report(ratings, weights="linear", level="interval")
    for name, interval in report.coefficients.items():
        options = {"weights": "linear"}
        if name == "krippendorff_alpha":
            options = {"level": "interval"}
        elif name == "kendall_w":
            options = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            expected = agreement_score(ratings, name, **options)
        assert interval.estimate == pytest.approx(expected)
    default = agreement_report(ratings)
    assert default.coefficients["gwet_ac2"] == delta_interval(ratings, metrics="gwet_ac2")
    resampled = agreement_report(ratings, n_resamples=99, random_state=3)
    names = list(resampled.coefficients)
    expected = bootstrap_interval(ratings, metrics=names, n_resamples=99, random_state=3)
    assert dict(resampled.coefficients) == dict(expected)


def test_a_matrix_of_weights_is_kept():
    matrix = np.eye(5)
    report = agreement_report(RATINGS, weights=matrix)
    fleiss = agreement_score(RATINGS, "fleiss_kappa", weights="identity")
    assert report.coefficients["fleiss_kappa"].estimate == pytest.approx(fleiss)
    assert "a matrix of weights" in as_text(report, details=True)


@pytest.mark.filterwarnings("ignore:There is no interval")
def test_items_that_are_not_used_are_counted_and_said():
    grades = [[1, 2, None], [2, 2, 3], [3, None, None], [None, None, None], [1, 1, 1], [2, 3, 3]]
    weight = [1, 1, 1, 1, 0, 2.5]
    ratings = OrdinalRatings.from_ratings(grades, sample_weight=weight, raters=NAMES)
    report = agreement_report(ratings, metrics="accuracy")
    assert report.n_items_by_grades.tolist() == [1, 1, 1, 2]
    assert (report.n_items, report.n_without_weight) == (5, 1)
    assert report.n_graded == {"Ann": 4, "Bob": 3, "Cy": 2}
    assert report.n_compared == {"Ann": 3, "Bob": 3, "Cy": 2}
    text = as_text(report)
    assert (
        "5 items with a total weight of 6.5, 3 raters, 3 classes from 1 (lowest) to 3 (highest). 3 "
        "items with at least two grades. 1 item with a single grade: not in the observed "
        "agreement. 1 item without a grade: not used. 1 item of weight 0: not used." in text
    )
    assert report.to_dict()["total_weight"] == 6.5
    assert "with at least two grades" not in as_text(REPORT)


def test_kendalls_w_needs_items_that_all_raters_grade():
    grades = [[1, 2, None], [2, 3, None], [None, 1, 1], [3, None, 3], [1, None, 2], [2, 2, None]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = agreement_report(OrdinalRatings.from_ratings(grades), metrics="accuracy")
    assert np.isnan(report.coefficients["kendall_w"].estimate)
    assert "kendall_w uses the 0 items that all raters grade, which are too few" in as_text(
        report, details=True
    )
    assert "brennan_prediger 0" in as_text(report)
    assert "kendall_w" not in as_text(report)


def test_the_rater_with_the_highest_error_is_named():
    text = as_text(agreement_report(RATINGS, metrics="macro_averaged_mean_absolute_error"))
    assert "Ann has the highest macro_averaged_mean_absolute_error with the others, " in text


def test_raters_who_differ_are_named_first():
    text = as_text(REPORT)
    assert text.startswith(
        "The raters do not clearly agree more than by chance: krippendorff_alpha is 0.65 (95% "
        "interval -0.07 to 0.92), where 0 is agreement by chance and 1 is perfect agreement. Ann "
        "gives lower grades than the others (level 0.05, adjusted for all raters). Ann has the "
        "lowest quadratic_weighted_kappa with the others, 0.63 (95% interval 0.15 to 0.87)."
    )
    grades = simulated(400)
    grades[:, 1] = np.clip(grades[:, 1] + 2, 0, 4)
    both = as_text(agreement_report(OrdinalRatings.from_ratings(grades, raters=list("abcd"))))
    assert (
        "a and c give lower grades than the others, and b and d give higher grades (level 0.05, "
        "adjusted for all raters)." in both
    )


def test_the_intervals_of_further_coefficients_are_details():
    report = agreement_report(RATINGS)
    value = f"gwet_ac2 {report.coefficients['gwet_ac2'].estimate:.2f}"
    assert f"Other coefficients of agreement: {value}, " in as_text(report)
    assert f"{value} " in as_text(report, details=True).split("coefficient value 95%")[1]
    assert "accuracy is 0.14 to 0.36" in as_text(report)
    assert "accuracy (0 to 1" not in as_text(report)
    named = as_text(agreement_report(RATINGS, metrics=["cem_ord", "accuracy"]))
    assert "accuracy (0 to 1, higher is better) rater value 95% interval Ann 0.14" in named


def test_agreement_by_chance_and_below_is_said():
    rng = np.random.default_rng(0)
    by_chance = OrdinalRatings.from_ratings(rng.integers(0, 3, (50, 3)))
    text = as_text(agreement_report(by_chance))
    assert text.startswith("The raters do not clearly agree more than by chance")
    assert "No rater gives clearly lower or higher grades than the others (level 0.05)." in text
    opposite = OrdinalRatings.from_ratings([[0, 2], [2, 0], [0, 2], [1, 1], [2, 0], [0, 1]] * 5)
    assert as_text(agreement_report(opposite)).startswith("The raters agree less than by chance")


def test_undefined_values_are_said():
    same = OrdinalRatings.from_ratings([[1, 1, 1]] * 5, labels=[0, 1])
    with pytest.warns(UndefinedMetricWarning, match="There is no interval"):
        text = as_text(agreement_report(same))
    assert text.startswith("krippendorff_alpha is undefined: all grades that it uses are in one")
    perfect = OrdinalRatings.from_ratings([[0, 0], [1, 1], [2, 2]])
    with pytest.warns(UndefinedMetricWarning, match="There is no interval"):
        text = as_text(agreement_report(perfect))
    assert text.startswith("krippendorff_alpha is 1.000, without an interval.")


def test_a_rater_who_grades_alone_is_said():
    grades = [[1, 2, None], [2, 2, None], [0, 1, None], [2, 1, None], [None, None, 1]]
    with pytest.warns(UndefinedMetricWarning, match=r"the value is undefined .*severity of Cy"):
        report = agreement_report(OrdinalRatings.from_ratings(grades, raters=NAMES))
    assert np.isnan(report.severity["Cy"].estimate)
    text = as_text(report)
    assert "Cy grades no item that another rater grades." in text
    assert report.plot().text_.keys() == {"Ann", "Bob"}


def test_ties_for_the_lowest_agreement_are_not_said_of_one_rater():
    grades = np.array([[1, 2, 2], [2, 3, 3], [3, 3, 3], [1, 1, 1], [2, 1, 1], [3, 2, 2]])

    def sentence(columns):
        text = " ".join(str(agreement_report(OrdinalRatings.from_ratings(columns))).split())
        return next((s for s in text.split(". ") if "with the others, " in s), None)

    # Two raters always have the same kappa.
    assert sentence(grades[:, :2]) is None
    assert sentence(grades).startswith("rater 1 has the lowest quadratic_weighted_kappa with the")
    assert sentence(grades[:, [0, 0, 1, 1, 1]]).startswith("rater 1 and rater 2 have the lowest")


@pytest.mark.parametrize(
    "interval",
    [
        agreement_report,
        lambda ratings: agreement_report(ratings, n_resamples=9, random_state=0),
        lambda ratings: delta_interval(ratings, metrics="gwet_ac2"),
        lambda ratings: bootstrap_interval(ratings, metrics="gwet_ac2", random_state=0),
    ],
)
def test_a_single_item_has_no_interval(interval):
    message = "ratings must have at least 2 graded items of positive weight, got 1"
    with pytest.raises(ValueError, match=message):
        interval(OrdinalRatings.from_ratings([[1, 2]]))


def test_warnings_name_raters_as_a_sentence_does():
    ratings = OrdinalRatings.from_ratings([[1, 1, 1], [2, 2, 2]], raters=["a", "b", "c"])
    names = "severity of a, b and c"
    with (
        pytest.warns(UndefinedMetricWarning, match="krippendorff_alpha"),
        pytest.warns(UndefinedMetricWarning, match=names),
    ):
        agreement_report(ratings)


@pytest.mark.filterwarnings("ignore:ratings has more columns")
def test_tables_of_many_raters_have_those_with_the_lowest_agreement():
    report = agreement_report(OrdinalRatings.from_ratings(simulated(30, 40)), metrics="accuracy")
    text = as_text(report)
    assert "The tables have 30 of 40 raters" in text
    assert len(report.to_frame()) == 6 + 40 * 3
    lowest = min(report.raters, key=lambda rater: report.scores["accuracy"][rater].estimate)
    assert text.count(f"{lowest} ") >= 2


def test_the_frame_has_a_row_for_each_value():
    frame = REPORT.to_frame()
    row = frame.query("rater == 'Bob' and criterion == 'severity'").iloc[0]
    assert row["estimate"] == pytest.approx(4 / 7)
    assert row["n_items"] == 7
    assert row["adjusted_pvalue"] == REPORT.severity["Bob"].adjusted_pvalue
    assert frame["rater"].isna().sum() == 6
    assert repr(REPORT).startswith("AgreementReport(3 raters, krippendorff_alpha, gwet_ac2")


def test_matrices_of_raters_have_no_intervals_as_if_pairs_were_samples():
    for interval in (delta_interval, bootstrap_interval):
        with pytest.raises(ValueError, match="confusion must hold"):
            interval(REPORT.confusion["Ann"], metrics="accuracy")


def test_the_plot_shows_any_criterion():
    display = REPORT.plot("within_1_accuracy")
    assert display.criterion == "within_1_accuracy"
    assert display.points_.get_xdata() == pytest.approx([-13 / 14, 4 / 7, 5 / 14])
    with pytest.raises(ValueError, match="metric must be among"):
        REPORT.plot("cem_ord")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ratings": GRADES}, r"ratings must be OrdinalRatings, got \[\["),
        ({"metrics": "log_loss"}, "metrics must be criteria of counts, got log_loss, which needs"),
        ({"metrics": "fleiss_kappa"}, "metrics must be criteria of counts, got fleiss_kappa"),
        ({"metrics": "neg_mean_absolute_error"}, "labels of each sample: pass ordinal_mean_abs"),
        ({"weights": "cubic"}, "weights must be one of"),
        ({"weights": np.eye(3)}, "weights must have shape"),
        ({"weights": np.array(1.5)}, "weights must have shape"),
        ({"level": "ratio"}, "level must be one of"),
        ({"n_resamples": -1}, "n_resamples must be a non-negative integer, got -1"),
        ({"confidence_level": 1}, "confidence_level must be"),
    ],
)
def test_odd_arguments_are_named(options, message):
    with pytest.raises(ValueError, match=message) as error:
        agreement_report(**{"ratings": RATINGS, **options})
    assert "\n" not in str(error.value)
