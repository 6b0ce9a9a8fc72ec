"""The score ladder: the worst value, guesses, the best constant, the predictions, the best."""

import itertools
import math
import re
import warnings

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student_t
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score, f1_score

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalReport,
    get_metric,
    rating_ceilings,
    score_ladder,
)
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import bootstrap_interval, delta_interval
from sklearn_ordinal.metrics import cem_ord_score, closeness_costs
from tests import degrees_of_freedom

REFERENCES = ["worst", "uniform_guesses", "stratified_guesses", "best_constant"]
_, LEV = load_lev(return_X_y=True)
PUBLISHED = {
    "2 equal classes": ([1, 1], [0.208, 0.604, 0.604, 0.604]),
    "3 equal classes": ([1] * 3, [0.197, 0.528, 0.528, 0.591]),
    "5 equal classes": ([20] * 5, [0.140, 0.468, 0.468, 0.530]),
    "5 equal shares": ([0.2] * 5, [0.140, 0.468, 0.468, 0.530]),
    "11 equal classes": ([1] * 11, [0.100, 0.402, 0.402, 0.456]),
    "LEV": (np.bincount(LEV), [0.086, 0.426, 0.479, 0.538]),
    # Ratings of the survey of Fair (1978), which statsmodels ships.
    "marriage": ([99, 348, 993, 2242, 2684], [0.139, 0.445, 0.495, 0.550]),
    "99 of 100": ([99, 1], [0.016, 0.508, 0.930, 0.938]),
}
SUMS_OF_COSTS = [
    "cem_ord",
    "cem_int",
    "cem_nom",
    "cem_ord_flat",
    "within_1_accuracy",
    "accuracy",
    "balanced_accuracy",
    "ordinal_mean_absolute_error",
    "ordinal_mean_squared_error",
    "macro_averaged_mean_absolute_error",
    "macro_averaged_mean_squared_error",
]
LABEL_METRICS = [n for n, m in METRICS.items() if m.evidence is LABELS and m.scorer_name]
Y_TRUE = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 2, 2]
Y_PRED = [0, 2, 2, 1, 1, 1, 0, 1, 2, 0, 0, 2]
CONFUSION = OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED)
RATINGS = OrdinalRatings.from_ratings(np.stack([Y_TRUE, Y_PRED, np.roll(Y_TRUE, 3)], axis=1))
OTHER_RATINGS = OrdinalRatings.from_ratings([[0, 1], [3, 3]])


def all_predictions(class_counts):
    """Return the counts of all predictions of the samples, as a stack."""
    rows = [compositions(size, len(class_counts)) for size in class_counts]
    return np.array(list(itertools.product(*rows)))


def compositions(size, n_parts):
    """Return all ways to divide a number of samples among the predicted classes."""
    if n_parts == 1:
        return [(size,)]
    return [
        (first, *rest)
        for first in range(size + 1)
        for rest in compositions(size - first, n_parts - 1)
    ]


def mean_of_all_guesses(metric, class_counts, shares):
    """Return the mean of a metric over all guesses of each sample, by their probabilities."""
    y_true = np.repeat(np.arange(len(class_counts)), class_counts)
    mean = 0.0
    for guess in itertools.product(range(len(class_counts)), repeat=len(y_true)):
        counts = np.zeros((len(class_counts),) * 2, dtype=int)
        np.add.at(counts, (y_true, guess), 1)
        mean += np.prod(shares[[*guess]]) * metric(OrdinalConfusion.from_counts(counts))
    return mean


@pytest.mark.parametrize("name", PUBLISHED)
def test_values_of_cem_ord_are_the_known_ones(name):
    class_counts, expected = PUBLISHED[name]
    values = score_ladder(metrics="cem_ord", class_counts=class_counts).references["cem_ord"]
    assert [round(values[reference], 3) for reference in REFERENCES] == expected
    assert values["best"] == 1


@pytest.mark.parametrize("class_counts", [[2, 1, 3], [1, 4], [3, 0, 2], [0, 2, 0, 1]])
@pytest.mark.parametrize("name", SUMS_OF_COSTS)
def test_no_predictions_are_worse_than_the_worst_or_better_than_the_best(name, class_counts):
    metric = get_metric(name)
    values = metric(OrdinalConfusion.from_counts(all_predictions(class_counts)))
    worst, best = values.min(), values.max()
    if not metric.greater_is_better:
        worst, best = best, worst
    references = score_ladder(metrics=name, class_counts=class_counts).references[name]
    assert references["worst"] == pytest.approx(worst, abs=1e-15)
    assert references["best"] == best


@pytest.mark.parametrize("class_counts", [[20, 7, 30, 9], [1, 1, 98], [5, 0, 3]])
def test_in_the_worst_predictions_each_sample_is_at_the_farther_end(class_counts):
    sizes = np.array(class_counts)
    y_true = np.repeat(np.arange(len(sizes)), sizes)
    with np.errstate(invalid="ignore"):
        costs = closeness_costs(sizes)[y_true]
    y_pred = np.where(costs[:, 0] >= costs[:, -1], 0, len(sizes) - 1)
    expected = cem_ord_score(y_true, y_pred, labels=range(len(sizes)))
    ladder = score_ladder(metrics="cem_ord", class_counts=class_counts)
    assert ladder.references["cem_ord"]["worst"] == pytest.approx(expected, abs=1e-15)


def test_cem_ord_is_0_only_with_two_true_classes_and_empty_classes_beyond_them():
    def worst(class_counts):
        ladder = score_ladder(metrics="cem_ord", class_counts=class_counts)
        return ladder.references["cem_ord"]["worst"]

    assert worst([0, 2, 5, 0]) == pytest.approx(0, abs=1e-15)
    assert worst([2, 5]) > 0.1
    assert worst([0, 2, 1, 5, 0]) > 0.01


@pytest.mark.parametrize("name", LABEL_METRICS)
def test_guesses_have_the_mean_of_all_guesses(name):
    class_counts, metric = [2, 1, 2], get_metric(name)
    is_defined = not np.isnan(
        metric(OrdinalConfusion.from_counts(all_predictions(class_counts)))
    ).any()
    ladder = score_ladder(metrics=name, class_counts=class_counts, random_state=0)
    assert (ladder.n_draws[name] == 0) == (ladder.simulation_error[name] == 0)
    # The mean over the guesses for which a criterion is defined has another denominator.
    if is_defined:
        for key, shares in (("uniform", np.ones(3) / 3), ("stratified", np.array([2, 1, 2]) / 5)):
            expected = mean_of_all_guesses(metric, class_counts, shares)
            error = max(1e-12, 4.5 * ladder.simulation_error[name])
            assert ladder.references[name][f"{key}_guesses"] == pytest.approx(expected, abs=error)


def test_simulated_guesses_are_the_mean_of_scikit_learns_metric():
    rng = np.random.default_rng(1)
    y_true = np.repeat([0, 1, 2], [20, 10, 30])
    scores = [f1_score(y_true, rng.integers(0, 3, 60), average="macro") for _ in range(150)]
    ladder = score_ladder(metrics="f1_macro", class_counts=[20, 10, 30], random_state=0)
    assert ladder.n_draws["f1_macro"] >= 1000
    assert 0 < ladder.simulation_error["f1_macro"] < 0.001
    error = 5 * np.std(scores) / math.sqrt(len(scores))
    uniform = ladder.references["f1_macro"]["uniform_guesses"]
    assert uniform == pytest.approx(np.mean(scores), abs=error)


@pytest.mark.parametrize("name", ["cem_ord", "f1_macro", "ordinal_mean_absolute_error"])
def test_the_best_constant_has_the_best_value_of_all_constants(name):
    metric, class_counts = get_metric(name), [3, 0, 4, 5]
    y_true = np.repeat([0, 2, 3], [3, 4, 5])
    values = [
        metric.from_predictions(y_true, np.full(12, constant), labels=[0, 1, 2, 3])
        for constant in (0, 2, 3)
    ]
    best = max(values) if metric.greater_is_better else min(values)
    ladder = score_ladder(metrics=name, class_counts=class_counts, random_state=0)
    assert ladder.references[name]["best_constant"] == pytest.approx(best, abs=1e-12)


def test_the_value_has_the_bootstrap_interval_of_the_same_seed():
    names = ["cem_ord", "quadratic_weighted_kappa"]
    ladder = score_ladder(CONFUSION, names, random_state=3)
    expected = bootstrap_interval(CONFUSION, metrics=names, random_state=3)
    assert {**ladder.scores} == {**expected}
    kappa = cohen_kappa_score(Y_TRUE, Y_PRED, weights="quadratic")
    assert ladder.scores["quadratic_weighted_kappa"].estimate == pytest.approx(kappa)


def test_without_evidence_there_is_no_value_and_with_it_the_references_are_the_same():
    with_value = score_ladder(CONFUSION, random_state=0)
    without = score_ladder(class_counts=[4, 3, 5], random_state=0)
    for name, values in without.references.items():
        assert with_value.references[name] == pytest.approx(values, nan_ok=True)
    assert not without.scores
    assert "value" not in without.to_frame()
    assert "value" in with_value.to_frame()


@pytest.mark.filterwarnings("error")
def test_unanswered_samples_are_in_the_class_sizes_of_the_criteria_that_count_them():
    y_pred = [None, *Y_PRED[1:]]
    confusion = OrdinalConfusion.from_predictions(Y_TRUE, y_pred, unanswered="count")
    ladder = score_ladder(confusion, ["cem_ord", "balanced_accuracy", "f1_macro"], random_state=0)
    all_samples = score_ladder(metrics="cem_ord", class_counts=[4, 3, 5])
    assert ladder.references["cem_ord"] == all_samples.references["cem_ord"]
    assert ladder.class_counts.tolist() == [4, 3, 5]
    assert ladder.scores["balanced_accuracy"].n_left_out == 1
    assert "(1 unanswered)" in str(ladder)
    assert "The worst predictions, guesses and constants answer each sample," in str(
        ladder
    ).replace("\n", " ")
    accuracy = score_ladder(confusion, "accuracy", random_state=0).references["accuracy"]
    assert accuracy["best_constant"] == pytest.approx(5 / 11)


def test_without_any_answer_only_the_criteria_that_count_unanswered_samples_have_values():
    confusion = OrdinalConfusion.from_predictions([0, 1, 2], [None] * 3, unanswered="count")
    with pytest.warns(UndefinedMetricWarning):
        ladder = score_ladder(confusion, ["cem_ord", "accuracy"], random_state=0)
    assert all(math.isnan(value) for value in ladder.references["accuracy"].values())
    assert ladder.scores["cem_ord"].estimate == 0
    assert 0 < ladder.references["cem_ord"]["worst"] < 1


def test_weights_of_equal_size_change_nothing():
    weighted = OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, sample_weight=[2.0] * 12)
    names = ["cem_ord", "accuracy", "f1_macro"]
    ladder = score_ladder(weighted, names, random_state=0)
    unweighted = score_ladder(CONFUSION, names, random_state=0)
    for name in names:
        for reference, value in unweighted.references[name].items():
            error = 5 * ladder.simulation_error[name] + 1e-12
            assert ladder.references[name][reference] == pytest.approx(
                value, abs=error, nan_ok=True
            )
    assert not math.isnan(ladder.scores["cem_ord"].low)


def test_guesses_of_weighted_samples_are_drawn_sample_by_sample():
    y_true, weight = [0, 0, 1, 2], [1.0, 5.0, 2.0, 3.0]
    confusion = OrdinalConfusion.from_predictions(y_true, y_true, sample_weight=weight)
    metric = get_metric("f1_macro")
    expected = np.mean(
        [
            metric.from_predictions(y_true, guess, labels=[0, 1, 2], sample_weight=weight)
            for guess in itertools.product(range(3), repeat=4)
        ]
    )
    ladder = score_ladder(confusion, metric, random_state=0)
    error = 4.5 * ladder.simulation_error["f1_macro"]
    assert ladder.references["f1_macro"]["uniform_guesses"] == pytest.approx(expected, abs=error)


def test_sums_of_weights_have_no_interval_and_only_exact_guesses():
    confusion = OrdinalConfusion.from_counts(CONFUSION.counts * 1.5)
    ladder = score_ladder(confusion, ["cem_ord", "quadratic_weighted_kappa", "f1_macro"])
    cem, kappa = ladder.references["cem_ord"], ladder.references["quadratic_weighted_kappa"]
    assert cem == pytest.approx(score_ladder(CONFUSION).references["cem_ord"])
    assert math.isnan(kappa["uniform_guesses"])
    assert kappa["best"] == 1
    assert math.isnan(ladder.scores["cem_ord"].low)
    text = " ".join(str(ladder).split())
    assert "For quadratic_weighted_kappa and f1_macro, guesses would have to be drawn" in text
    assert "There is no interval of cem_ord, quadratic_weighted_kappa and f1_macro." in text
    assert "95% interval" not in text


def test_sums_of_squared_weights_suffice_for_intervals():
    weights = np.linspace(0.5, 2, len(Y_TRUE))
    rows = OrdinalConfusion.from_predictions(Y_TRUE, Y_PRED, sample_weight=weights)
    sums = OrdinalConfusion(
        rows.scale,
        rows.counts,
        True,
        sample_counts=rows.sample_counts,
        squared_weights=rows.squared_weights,
    )
    names = ["cem_ord", "f1_macro"]
    ladder = score_ladder(sums, names, random_state=0)
    for name, expected in delta_interval(rows, metrics=names).items():
        assert (ladder.scores[name].low, ladder.scores[name].high) == pytest.approx(
            (expected.low, expected.high), rel=1e-12
        )
        assert ladder.scores[name].method == "delta"
    assert "95% interval" in str(ladder)


def test_the_ladder_of_a_report_has_intervals_at_fixed_shares():
    right, sizes, shares = np.array([80, 12, 3]), np.array([90, 30, 10]), np.array([0.2, 0.3, 0.5])
    counts = np.diag(right)
    counts[[0, 1, 2], [1, 0, 1]] = sizes - right
    confusion = OrdinalConfusion.from_counts(counts)
    report = OrdinalReport.from_confusion(confusion, metrics=["accuracy"], prevalence=shares)
    row = report.to_frame().set_index("criterion").loc["accuracy"]
    # The variance of a mean over classes with fixed shares, on the scale of the log-odds.
    rates, n_samples = right / sizes, sizes.sum()
    value = shares @ rates
    variance = shares**2 @ (rates * (1 - rates) / sizes) * n_samples / (n_samples - 1)
    # The right and the wrong samples of each class, with the weight of the class.
    by_class = np.stack([1 - rates, -rates], axis=1) * (shares / sizes)[:, None]
    moves = np.repeat(by_class, np.stack([right, sizes - right], axis=1).ravel())
    weights = np.repeat(shares / sizes, sizes)
    _, degrees = degrees_of_freedom.of_samples([moves], [weights])
    margin = student_t.ppf(0.975, degrees) * math.sqrt(variance) / (value * (1 - value))
    ends = expit(logit(value) + np.array([-margin, margin]))
    assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-12)


def test_other_class_sizes_are_those_of_the_counts_at_this_prevalence():
    shares = [0.2, 0.3, 0.5]
    ladder = score_ladder(CONFUSION.at_prevalence(shares), "cem_ord", random_state=0)
    expected = score_ladder(metrics="cem_ord", class_counts=shares)
    assert ladder.references["cem_ord"] == pytest.approx(expected.references["cem_ord"])


def test_clusters_at_other_class_sizes_have_an_interval_in_closed_form():
    y_true, y_pred = np.tile([0, 0, 1, 1, 2, 2], 20), np.tile([0, 1, 1, 1, 2, 0], 20)
    y_pred[::7] = 1
    options = {"labels": range(3), "clusters": np.arange(120) // 9}
    counts = OrdinalConfusion.from_predictions(y_true, y_pred, **options)
    at_shares = counts.at_prevalence([0.2, 0.3, 0.5])
    interval = score_ladder(at_shares, "cem_ord", random_state=0).scores["cem_ord"]
    expected = delta_interval(at_shares, metrics="cem_ord")
    assert (interval.low, interval.high) == (expected.low, expected.high)
    # A single cluster does not vary.
    alone = OrdinalConfusion.from_predictions([0, 1], [0, 0], clusters=[1, 1])
    ladder = score_ladder(alone.at_prevalence([0.5, 0.5]), "cem_ord", random_state=0)
    assert math.isnan(ladder.scores["cem_ord"].low)


def test_with_a_single_class_all_values_are_the_best_or_undefined():
    confusion = OrdinalConfusion.from_predictions([0, 0], [0, 0])
    with pytest.warns(UndefinedMetricWarning):
        ladder = score_ladder(confusion, ["cem_ord", "quadratic_weighted_kappa"], random_state=0)
    assert set(ladder.references["cem_ord"].values()) == {1.0}
    assert all(math.isnan(v) for v in ladder.references["quadratic_weighted_kappa"].values())
    assert "-" in str(ladder)


def test_a_single_sample_has_no_interval():
    ladder = score_ladder(OrdinalConfusion.from_predictions([1], [0]), "cem_ord", random_state=0)
    assert math.isnan(ladder.scores["cem_ord"].low)
    assert "There is no interval of cem_ord." in str(ladder)


def test_guesses_and_constants_take_the_classes_that_occur():
    values = score_ladder(metrics="accuracy", class_counts=[5, 0, 5]).references["accuracy"]
    assert values["uniform_guesses"] == 0.5
    text = " ".join(str(score_ladder(class_counts=[5, 0, 5])).split())
    assert "Guesses and constants take only the classes that occur in the truth." in text


@pytest.mark.parametrize(
    ("metric", "class_counts", "expected"),
    [
        ("accuracy", [6, 3, 3], "accuracy: the best constant has 0.500, stratified guesses 0.375."),
        (
            "kendall_tau_b",
            [6, 3, 3],
            "kendall_tau_b: stratified guesses have 0.000, constants have no value.",
        ),
        ("kendall_tau_b", [0, 3, 0], "kendall_tau_b has no value for guesses."),
    ],
)
def test_without_predictions_the_verdict_says_what_constants_and_guesses_have(
    metric, class_counts, expected
):
    ladder = score_ladder(metrics=metric, class_counts=class_counts)
    assert " ".join(str(ladder).split()).startswith(expected)


def test_the_verdict_compares_predictions_with_the_best_constant():
    confusion = OrdinalConfusion.from_counts([[4, 1, 1], [0, 3, 0], [1, 2, 0]])
    ladder = score_ladder(confusion, ["accuracy", "cem_ord"], random_state=0)
    text = " ".join(str(ladder).split())
    ends = f"{ladder.scores['accuracy'].low:.3f} to {ladder.scores['accuracy'].high:.3f}"
    assert text.startswith(
        f"accuracy is 0.583 (95% interval {ends}), better than 0.500 for the best constant."
    )


def test_labels_name_the_classes():
    ladder = score_ladder(class_counts=[4, 3, 5], labels=["low", "mid", "high"])
    assert "\n12 samples, 3 classes from low (lowest) to high (highest).\n" in str(ladder)
    assert ladder.to_dict()["classes"] == ["low", "mid", "high"]


def test_the_notes_say_what_is_missing_simulated_and_undefined():
    ladder = score_ladder(CONFUSION, ["cem_ord", "kendall_tau_b", "f1_macro"], random_state=0)
    text = " ".join(str(ladder).split())
    assert "and not for kendall_tau_b and f1_macro." in text
    assert "For f1_macro, the values of guesses are means of up to" in text
    assert "Undefined for every constant class: kendall_tau_b." in text


def own_share(counts):
    return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))


def test_own_criteria_of_counts_are_taken():
    metric = OrdinalMetric("own_share", own_share)
    ladder = score_ladder(CONFUSION, metric, random_state=0)
    expected = score_ladder(CONFUSION, "accuracy", random_state=0).references["accuracy"]
    values, error = ladder.references[metric.name], 5 * ladder.simulation_error[metric.name]
    assert values["best_constant"] == expected["best_constant"]
    assert values["uniform_guesses"] == pytest.approx(expected["uniform_guesses"], abs=error)
    assert math.isnan(values["worst"])


def distance_score(y_true, y_pred):
    return 1.0 - np.mean(np.abs(np.subtract(y_true, y_pred)))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((), {}, "evidence or class_counts must be given, and not both, got neither: pass an"),
        ((CONFUSION,), {"class_counts": [4, 3, 5]}, "and not both, got both"),
        ((CONFUSION,), {"labels": [0, 1, 2]}, "labels must be left out if evidence is passed"),
        ((Y_TRUE,), {}, "evidence must be an OrdinalConfusion, got"),
        (
            (OrdinalForecasts.from_probabilities([0, 1], [[0.5, 0.5], [0.1, 0.9]]),),
            {},
            "evidence must be an OrdinalConfusion, got",
        ),
        (
            (OrdinalConfusion.from_counts([np.eye(2, dtype=int)] * 2),),
            {},
            "confusion must hold one matrix, got a stack",
        ),
        ((), {"class_counts": [[1, 2]]}, r"class_counts must have shape \(n_classes,\), got"),
        ((), {"class_counts": [0, 0]}, "class_counts must not be zero for every class"),
        ((), {"class_counts": [1, -1]}, "class_counts must not be negative"),
        ((), {"class_counts": [1, 2], "labels": [0, 1, 2]}, "labels must name each of the 2"),
        ((CONFUSION, "log_loss"), {}, "metrics must be criteria of counts, got log_loss, which"),
        ((CONFUSION, distance_score), {}, "which needs the labels of each sample: define it as"),
        ((CONFUSION, "unknown"), {}, "metrics: .*unknown"),
        ((Y_TRUE, Y_PRED), {}, "evidence must be an OrdinalConfusion, got .*from_predictions"),
        ((CONFUSION,), {"random_state": "odd"}, "random_state must be"),
        (
            (RATINGS,),
            {},
            "evidence must be an OrdinalConfusion, got .* the grades of raters as ratings=",
        ),
        ((CONFUSION,), {"ratings": [[0, 1]]}, "ratings must be OrdinalRatings, got"),
        ((), {"ratings": RATINGS, "class_counts": [1, 2, 3]}, "class_counts must be left out with"),
        ((), {"ratings": RATINGS, "labels": [0, 1, 2]}, "labels must be left out if ratings"),
        ((CONFUSION,), {"ratings": OTHER_RATINGS}, "ratings must be on the scale of the evidence"),
    ],
)
def test_what_has_no_ladder_raises_in_one_line(arguments, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        score_ladder(*arguments, **options)
    assert "\n" not in str(caught.value)


def test_intervals_are_in_the_table_of_the_ladder():
    ladder = score_ladder(CONFUSION, ["cem_ord", "f1_macro"], random_state=0)
    assert repr(ladder) == "ScoreLadder(cem_ord, f1_macro)"
    for name, score in ladder.scores.items():
        (row,) = [line for line in str(ladder).splitlines() if line.startswith(f"{name}  ")]
        assert f"  {score.estimate:.3f}  {score.low:.3f} to {score.high:.3f}  " in row


def test_the_plot_has_a_row_for_each_value_best_first():
    ladder = score_ladder(CONFUSION, ["cem_ord", "ordinal_mean_absolute_error"], random_state=0)
    display = ladder.plot("ordinal_mean_absolute_error")
    assert display.names[0] == "best value"
    assert display.names[-1] == "worst value"
    assert display.ax_.get_xlabel() == "ordinal_mean_absolute_error (lower is better)"
    assert ladder.plot().label == "cem_ord (higher is better)"


def test_with_ratings_the_ladder_has_the_ceilings_beside_the_value():
    names = ["cem_ord", "ordinal_mean_absolute_error", "quadratic_weighted_kappa", "f1_macro"]
    ladder = score_ladder(CONFUSION, names, ratings=RATINGS, random_state=0)
    without = score_ladder(CONFUSION, names, random_state=0)
    expected = rating_ceilings(RATINGS, names).ceilings
    assert ladder.ceilings == expected
    assert (ladder.references, ladder.scores) == (without.references, without.scores)
    rows = ladder.to_frame().set_index("criterion")
    for name in names[:3]:
        low, high = expected[name].bracket
        assert tuple(rows.loc[name, ["ceiling_low", "ceiling_high"]]) == (low, high)
        between = expected[name].values["between_raters"].estimate
        assert rows.loc[name, "between_raters"] == between
        assert f"{low:.3f} to {high:.3f}" in str(ladder)
        display = ladder.plot(name)
        row = display.names.index("ceiling")
        assert display.lines_[row].get_xdata().tolist() == [low, high]
        assert "one rater against another" in display.names
    assert math.isnan(rows.loc["f1_macro", "ceiling_low"])
    assert "ceiling" not in ladder.plot("f1_macro").names
    assert "The ceiling of f1_macro is not stated: it is not a sum of costs" in " ".join(
        str(ladder).split()
    )
    assert "For quadratic_weighted_kappa, the ceiling is approximate" in " ".join(
        str(ladder).split()
    )
    assert "ceiling" not in str(without)


def test_ratings_alone_have_the_class_sizes_of_their_grades():
    """Items with a single grade do not count, and each other item counts once."""
    ratings = OrdinalRatings.from_ratings([[0, 0], [1, 2], [2, 2], [2, None]], labels=range(3))
    ladder = score_ladder(ratings=ratings, metrics=["cem_ord", "accuracy"])
    assert ladder.class_counts.tolist() == [1, 0.5, 1.5]
    expected = score_ladder(class_counts=[1, 0.5, 1.5], metrics=["cem_ord", "accuracy"])
    assert ladder.references == expected.references
    assert ladder.scores == {}
    assert ladder.ceilings["accuracy"].values["in_sample"].estimate == pytest.approx(2.5 / 3)


class TestReport:
    report = OrdinalReport.from_predictions(Y_TRUE, Y_PRED, zero_division=0.0)

    def test_the_ladder_is_in_html_and_in_text_on_request(self):
        assert "From the worst value to the best" in self.report.to_html()
        assert "From the worst value to the best" in self.report.to_text(details=True)
        assert "From the worst value to the best" not in self.report.to_text()

    def test_the_rows_of_the_criteria_in_the_frame_have_the_ladder(self):
        frame = self.report.to_frame().query("`class`.isna()").set_index("criterion")
        ladder = score_ladder(self.report.confusion, random_state=0)
        for name, values in ladder.references.items():
            assert frame.loc[name, [*values]].tolist() == pytest.approx(
                [*values.values()], nan_ok=True
            )
            assert frame.loc[name, "low"] == pytest.approx(ladder.scores[name].low)

    @pytest.mark.filterwarnings("error")
    def test_text_does_not_compute_the_ladder(self, monkeypatch):
        monkeypatch.setattr("sklearn_ordinal.reports._ladder.count_ladder", lambda *_: 1 / 0)
        self.report.to_text()
        assert "accuracy" in self.report._repr_html_()

    def test_text_names_a_view_that_has_the_columns_that_are_left_out(self):
        report = OrdinalReport.from_predictions(Y_TRUE, Y_PRED, zero_division=0.0)
        (hint,) = set(re.findall(r"to_markdown\(.*?\)", report.to_text(details=True)))
        assert hint == "to_markdown(details=True)"
        header = (
            "| criterion | worst | uniform | stratified | constant | value | 95% interval | best |"
        )
        assert header in report.to_markdown(details=True)

    def test_with_many_classes_intervals_are_in_closed_form(self):
        y = np.arange(130) % 13
        report = OrdinalReport.from_predictions(
            y, np.roll(y, 20), metrics=["cem_ord", "f1_macro"], zero_division=0.0
        )
        rows = report.to_frame().set_index("criterion")
        expected = delta_interval(report.confusion, metrics="cem_ord")
        assert rows.loc["cem_ord", ["low", "high"]].tolist() == [expected.low, expected.high]
        assert math.isnan(rows.loc["f1_macro", "low"])
        assert "There is no interval of f1_macro." in report.to_text(details=True)

    def test_criteria_of_probabilities_are_left_out(self):
        forecasts = OrdinalForecasts.from_probabilities([0, 1], [[0.5, 0.5], [0.1, 0.9]])
        frame = OrdinalReport.from_predictions(forecasts, zero_division=0.0).to_frame()
        assert "worst" not in frame

    def test_undefined_values_do_not_warn_again(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            report = OrdinalReport.from_predictions([1, 1], [1, 1], zero_division=0.0)
            assert "Score ladder" in report.to_text(details=True)
            assert "worst" in report.to_frame()


def test_class_sizes_too_small_to_compute_with_raise():
    with pytest.raises(
        ValueError, match="class_counts must be 0 or at least 1e-300, got 1e-320: pa"
    ):
        score_ladder(class_counts=[1e-320, 1])
    ladder = score_ladder(metrics="cem_ord", class_counts=[1e-300, 1])
    assert ladder.references["cem_ord"]["best"] == 1


def test_the_worst_predictions_of_a_class_with_a_negligible_weight_are_known():
    evidence = OrdinalConfusion.from_counts(np.diag([1e-320, 1, 1e5]))
    metric = "macro_averaged_mean_absolute_error"
    worst = score_ladder(evidence, metric, random_state=0).references[metric]["worst"]
    # The largest errors of the classes are 2, 1 and 2.
    assert worst == pytest.approx(5 / 3)


def test_all_criteria_are_computed_from_the_same_draws():
    metrics = {"first": "f1_macro", "second": "f1_macro", "neediest": "maximum_mean_absolute_error"}
    ladder = score_ladder(metrics=metrics, class_counts=[50, 10, 300, 90], random_state=0)
    assert ladder.references["first"] == ladder.references["second"]
    assert ladder.n_draws["first"] < ladder.n_draws["neediest"]
    alone = score_ladder(metrics="f1_macro", class_counts=[50, 10, 300, 90], random_state=0)
    uniform = alone.references["f1_macro"]["uniform_guesses"]
    assert ladder.references["first"]["uniform_guesses"] == uniform


def test_hundreds_of_classes_have_fewer_draws(monkeypatch):
    monkeypatch.setattr("sklearn_ordinal.model_selection._baselines._MOST_CELLS", 2**20)
    ladder = score_ladder(metrics="purity", class_counts=[1] * 200, random_state=0)
    assert ladder.n_draws["purity"] == 2**20 // 200**2
