"""Systems on one test set: ranks, letters, verdicts and what may be passed."""

import itertools
import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, compare_systems, get_metric
from sklearn_ordinal.inference import paired_difference

RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=400)


def with_errors(share, seed):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(400) < share, rng.integers(4, size=400), TRUE)


def probabilities(y_pred):
    return np.eye(4)[y_pred] * 0.7 + 0.075


GOOD, FAIR, POOR = with_errors(0.1, 1), with_errors(0.12, 2), with_errors(0.7, 3)
SYSTEMS = {"poor": POOR, "good": GOOD, "fair": FAIR}


def compare(predictions=SYSTEMS, y_true=TRUE, **options):
    return compare_systems(y_true, predictions, **options)


def test_systems_are_ranked_and_share_letters_unless_they_differ_significantly():
    report = compare(metrics=["cem_ord", "ordinal_mean_absolute_error"])
    for criterion in report.metrics:
        assert report.ranks[criterion] == {"poor": 3, "good": 1, "fair": 2}
        assert report.letters[criterion] == {"poor": "b", "good": "a", "fair": "a"}
        assert report.winners[criterion] == ("good",)
        for name, pred in SYSTEMS.items():
            value = get_metric(criterion).from_predictions(TRUE, pred)
            assert report.scores[criterion][name].estimate == pytest.approx(value, rel=1e-12)
    assert report.tau["cem_ord"]["ordinal_mean_absolute_error"] == 1
    score = report.scores["cem_ord"]["good"]
    assert report.verdicts["cem_ord"] == (
        f"By cem_ord, good has the highest value, {score}; fair does not differ significantly "
        f"(adjusted p = {report.difference('good', 'fair').pvalue:.3f}). With 80% power, these "
        f"samples show differences of "
        f"{report.difference('good', 'fair').smallest_difference:.3f} or more."
    )


def test_the_text_explains_letters_and_two_systems_have_none():
    note = "\n\nSystems that share a letter do not differ significantly. Joint intervals hold\n"
    several = compare(metrics=["cem_ord", "accuracy"])
    assert str(several).count(note) == 1
    assert str(several).count("  letters\n") == 2
    two = compare({"good": GOOD, "fair": FAIR})
    assert "letter" not in str(two)
    assert set(two.letters["cem_ord"]) == {"good", "fair"}
    assert "letter" not in two._display("cem_ord").label
    assert "letter" in several._display("cem_ord").label
    # A signed error ranks no systems.
    assert "letter" not in str(compare(metrics="ordinal_bias"))


def test_the_text_shows_the_interval_of_each_difference_and_leaves_out_those_of_values():
    report = compare()
    (row,) = (line for line in str(report).splitlines() if line.startswith("poor "))
    difference = report.difference("poor", "good")
    assert f" {difference.low:+.3f} to {difference.high:+.3f} " in row
    assert "1 column left out (95% interval of value): see SystemsReport" in str(report)


def test_the_smallest_difference_of_two_systems_is_about_that_of_a_single_test():
    predictions = {name: SYSTEMS[name] for name in ("good", "fair")}
    report = compare(predictions, n_resamples=999, random_state=0)
    single = paired_difference(TRUE, *predictions.values(), method="delta")
    pair = report.difference("good", "fair")
    assert pair.standard_error == pytest.approx(single.standard_error, rel=0.02)
    assert pair.smallest_difference == pytest.approx(single.smallest_difference, rel=0.05)


def test_the_smallest_difference_of_many_pairs_is_larger():
    many = {**SYSTEMS, **{f"system {i}": with_errors(0.3, 10 + i) for i in range(6)}}
    of_many, of_few = (
        compare(systems, n_resamples=999).difference("good", "fair")
        for systems in (many, {name: SYSTEMS[name] for name in ("good", "fair")})
    )
    assert of_many.standard_error == pytest.approx(of_few.standard_error, rel=1e-9)
    assert of_many.smallest_difference > 1.1 * of_few.smallest_difference


def test_a_verdict_on_several_systems_has_the_largest_of_their_smallest_differences():
    predictions = {f"system {i}": with_errors(0.1, 10 + i) for i in range(9)}
    report = compare(predictions)
    best, *others = report.best_first()
    differences = [report.difference(best, name) for name in others]
    close = [pair.smallest_difference for pair in differences if pair.pvalue > 0.05]
    assert report.verdicts["cem_ord"].endswith(f"differences of {max(close):.3f} or more.")


def test_equal_systems_have_no_smallest_difference():
    report = compare({"one": SYSTEMS["good"], "same": SYSTEMS["good"]})
    assert math.isnan(report.difference("one", "same").smallest_difference)


def test_pvalues_of_two_systems_are_close_to_those_of_the_randomisation_test():
    for share in (0.12, 0.15, 0.2):
        other = with_errors(share, 5)
        report = compare({"a": GOOD, "b": other}, n_resamples=4999, random_state=0)
        expected = paired_difference(TRUE, GOOD, other, "cem_ord", random_state=0).pvalue
        assert report.pvalues["cem_ord"][0, 1] == pytest.approx(expected, abs=0.03)


def test_ties_share_a_rank_and_a_letter():
    report = compare({"poor": POOR, "one": GOOD, "other": GOOD.copy()})
    assert report.ranks["cem_ord"] == {"poor": 3, "one": 1, "other": 1}
    assert report.letters["cem_ord"] == {"poor": "b", "one": "a", "other": "a"}
    score = report.scores["cem_ord"]["one"].estimate
    assert report.verdicts["cem_ord"] == (
        f"By cem_ord, one and other have the highest value, {score:.3f}, and beat poor "
        f"by {report.difference('one', 'poor').estimate:.3f} (adjusted p < 0.001)."
    )


def test_the_order_of_systems_does_not_change_ranks_letters_and_pvalues():
    report = compare()
    turned = compare(dict(reversed(SYSTEMS.items())))
    assert turned.ranks == report.ranks
    assert turned.letters == report.letters


def test_systems_may_leave_different_samples_unanswered():
    gaps = GOOD.astype(object)
    gaps[:40] = None
    report = compare({"good": GOOD, "gaps": gaps}, metrics=["cem_ord", "accuracy"],
                     unanswered="count", labels=range(4))  # fmt: skip
    assert report.n_unanswered == {"good": 0, "gaps": 40}
    assert report.ranks["cem_ord"] == {"good": 1, "gaps": 2}
    text = str(report)
    assert "unanswered" in text
    assert "gains by not answering" in " ".join(text.split())
    with pytest.raises(ValueError, match=r"predictions\['gaps'\] has .* unanswered='count'"):
        compare({"good": GOOD, "gaps": gaps}, labels=range(4))


def test_labels_and_probabilities_may_be_mixed():
    both = {
        name: {"y_pred": pred, "y_proba": probabilities(pred)} for name, pred in SYSTEMS.items()
    }
    report = compare(both, metrics=["ranked_probability_score", "cem_ord"])
    assert list(report.metrics) == ["ranked_probability_score", "cem_ord"]
    assert report.ranks["ranked_probability_score"] == report.ranks["cem_ord"]
    assert report.letters["ranked_probability_score"] == report.letters["cem_ord"]
    only = {name: probabilities(pred) for name, pred in SYSTEMS.items()}
    alone = compare(only, metrics="ranked_probability_score")
    assert alone.scores["ranked_probability_score"] == report.scores["ranked_probability_score"]


def test_all_stands_for_what_every_system_has():
    mixed = {"both": {"y_pred": GOOD, "y_proba": probabilities(GOOD)}, "labels": FAIR}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        report = compare(mixed, metrics="all", n_resamples=9)
    assert {metric.evidence.name for metric in report.metrics.values()} == {"labels"}


def test_any_row_of_the_frame_is_found_by_its_members():
    report = compare(metrics=["cem_ord", "accuracy"], by=np.arange(400) % 2)
    frame = report.to_frame()
    axes = ["criterion", "system", "against", "group"]
    for row in frame.to_dict("records"):
        members = {axis: row[axis] for axis in axes if isinstance(row[axis], str)}
        found = report.one(**members)
        np.testing.assert_equal([found.estimate, found.low], [row["estimate"], row["low"]])
    with pytest.raises(ValueError, match="first must be the name of a system, got 'none'"):
        report.one(system="none", against="good")
    with pytest.raises(ValueError, match=r"group must be among .*'0'.*, got 'north'"):
        report.one(system="good", group="north")


def test_a_note_says_that_p_counts_where_a_joint_interval_contains_0():
    rng = np.random.default_rng(9)
    true = rng.integers(0, 5, 600)
    systems = {
        name: np.where(rng.random(600) < share, true, (true + 1) % 5)
        for name, share in {"a": 0.86, "b": 0.814, "c": 0.7}.items()
    }
    report = compare_systems(true, systems, metrics="accuracy")
    difference = report.one(system="a", against="b")
    assert difference.low <= 0 < difference.estimate
    assert difference.is_shown
    note = "pairs that are already shown to differ: a and b."
    assert " ".join(str(report).split()).count(note) == 1


def test_each_verdict_is_next_to_its_table():
    criteria = ["cem_ord", "purity", "accuracy"]
    report = compare(metrics=criteria, n_resamples=19)
    text = " ".join(str(report).split())
    first = "Ranked first by all 3 criteria: good. 3 systems on 400 samples."
    assert text.startswith(f"{report.verdicts['cem_ord']} {first}")
    for criterion, verdict in report.verdicts.items():
        assert text.count(verdict) == 1
        table = text.index(f"Systems by {criterion} (")
        assert text.index(verdict) < table


def test_many_criteria_that_disagree_are_counted():
    far, near = TRUE.copy(), np.clip(TRUE + (np.arange(400) % 4 == 0), 0, 3)
    far[:40] = 3 - far[:40]
    criteria = ["accuracy", "purity", "inverse_purity", "mutual_information", "balanced_accuracy"]
    criteria += ["within_1_accuracy", "maximum_mean_absolute_error"]
    report = compare({"far": far, "near": near}, metrics=criteria, n_resamples=19)
    numbers = sorted(
        (sum(names == (name,) for names in report.winners.values()) for name in ("far", "near")),
        reverse=True,
    )
    assert sum(numbers) == 7
    text = " ".join(str(report).split())
    disagreement = text.split("The criteria rank different systems first: ")[1].split(".")[0]
    assert [int(part.split()[-3]) for part in disagreement.split("; ")] == numbers


@pytest.mark.parametrize("read", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_of_predictions_is_an_error_that_says_how_to_pass_it(read):
    predictions = read(SYSTEMS)
    with pytest.raises(
        ValueError, match="predictions must be a dict with names as keys, got a "
    ) as error:
        compare(predictions)
    way_out = str(error.value).split("pass ")[1].rstrip(".")
    assert compare(eval(way_out, {"predictions": predictions})) == compare()


def test_groups_are_drawn_as_a_whole():
    clusters = np.arange(400) // 10
    report = compare(clusters=clusters)
    assert (report.n_units, report.unit) == (40, "cluster")
    assert report.n_samples == 400
    assert "3 systems on 400 samples in 40 clusters." in str(report)
    weighted = compare(clusters=clusters, sample_weight=np.full(400, 0.5))
    assert (weighted.n_samples, weighted.total_weight) == (400, 200.0)
    assert "3 systems on 400 samples with a total weight of 200 in 40 clusters." in str(weighted)


def test_weighted_values_are_those_of_the_metric():
    weight = np.arange(400) % 5
    report = compare(sample_weight=weight)
    for name, pred in SYSTEMS.items():
        expected = get_metric("cem_ord").from_predictions(TRUE, pred, sample_weight=weight)
        assert report.scores["cem_ord"][name].estimate == pytest.approx(expected, rel=1e-12)


def test_a_seed_gives_the_same_report_and_another_criterion_changes_nothing():
    options = {"n_resamples": 199, "random_state": 3}
    report = compare(**options)
    assert compare(**options) == report
    both = compare(metrics=["cem_ord", "accuracy"], **options)
    assert both.scores["cem_ord"] == report.scores["cem_ord"]
    np.testing.assert_array_equal(both.pvalues["cem_ord"], report.pvalues["cem_ord"])
    assert compare(**options | {"random_state": 4}) != report
    # Without resamples, there is nothing random.
    assert compare(random_state=3) == compare(random_state=4)


def test_a_system_without_a_value_is_last_and_has_no_letters():
    constant = np.full(400, 2)
    undefined = r"the value is undefined \(kendall_tau_b of constant\)"
    with pytest.warns(UndefinedMetricWarning, match=undefined):
        report = compare({"constant": constant, **SYSTEMS}, metrics="kendall_tau_b")
    assert report.ranks["kendall_tau_b"]["constant"] == 4
    assert report.letters["kendall_tau_b"]["constant"] == ""
    assert report.letters["kendall_tau_b"]["good"] == "a"
    with pytest.warns(UndefinedMetricWarning):
        report = compare(
            {"constant": constant, "poor": POOR, "good": GOOD}, metrics="kendall_tau_b"
        )
    assert report.verdicts["kendall_tau_b"].endswith(
        ", and beats all others that have a finite value (adjusted p < 0.001): poor, the next, by "
        f"{report.difference('good', 'poor').estimate:.3f}."
    )
    with pytest.warns(UndefinedMetricWarning):
        report = compare({"a": constant, "good": GOOD}, metrics="kendall_tau_b")
    score = report.scores["kendall_tau_b"]["good"]
    assert report.verdicts["kendall_tau_b"] == f"By kendall_tau_b, only good has a value, {score}."
    with pytest.warns(UndefinedMetricWarning):
        report = compare({"a": constant, "b": constant}, metrics="kendall_tau_b")
    assert report.winners["kendall_tau_b"] == ()
    assert report.verdicts["kendall_tau_b"] == "By kendall_tau_b, no system has a value."


def unbounded_loss(y_true, y_pred):
    errors = np.mean(np.asarray(y_true) != np.asarray(y_pred))
    return np.inf if errors > 0.3 else errors


def unbounded_score(y_true, y_pred):
    return -unbounded_loss(y_true, y_pred)


def test_scores_of_minus_infinity_are_last():
    with pytest.warns(UndefinedMetricWarning):
        report = compare(metrics=unbounded_score, n_resamples=19)
    assert report.ranks["unbounded"] == {"poor": 3, "good": 1, "fair": 2}


def test_infinite_losses_are_last_and_not_tested():
    with pytest.warns(UndefinedMetricWarning):
        report = compare(metrics=unbounded_loss, n_resamples=19)
    assert report.ranks["unbounded_loss"] == {"poor": 3, "good": 1, "fair": 2}
    assert report.letters["unbounded_loss"]["poor"] == ""
    pairs = found_pairs(report, "unbounded_loss").values()
    assert [difference is None for difference, *_ in pairs] == [False, True, True]


def test_the_report_says_if_there_are_too_few_resamples_for_a_significant_difference():
    text = " ".join(str(compare(n_resamples=18)).split())
    assert "With 18 resamples, no p-value is below 0.0526, so that no difference can be" in text
    assert "at least 19 are needed." in text
    assert set(compare(n_resamples=18).letters["cem_ord"].values()) == {"a"}
    assert "are needed" not in str(compare(n_resamples=19))


def test_a_pvalue_that_is_the_level_tells_systems_apart():
    # 1 - 0.9 is less than 0.1 by rounding.
    options = {"confidence_level": 0.9, "random_state": 1}
    report = compare({"good": GOOD, "poor": POOR}, n_resamples=9, **options)
    found = report.difference("good", "poor")
    assert found.pvalue == 0.1
    assert found.low > 0
    assert report.letters["cem_ord"] == {"good": "a", "poor": "b"}
    assert report.verdicts["cem_ord"].endswith(
        f"and beats poor by {found.estimate:.3f} (adjusted p = 0.100)."
    )
    assert "are needed" not in str(report)
    few = compare({"good": GOOD, "poor": POOR}, n_resamples=8, **options)
    assert "at least 9 are needed." in " ".join(str(few).split())


def test_values_that_are_zero_up_to_rounding_have_an_interval():
    # The kappa of a constant prediction is 0, and up to 2e-16 for some sums of weights.
    rng = np.random.default_rng(16)
    y_true, constant, weight = rng.integers(3, size=20), np.full(20, 1), rng.random(20)
    report = compare(
        {"constant": constant, "perfect": y_true},
        y_true,
        metrics="quadratic_weighted_kappa",
        sample_weight=weight,
        n_resamples=19,
    )
    found = report.scores["quadratic_weighted_kappa"]["constant"]
    assert (found.low, found.high) == pytest.approx((0, 0), abs=1e-12)


def test_many_systems_are_told_by_number():
    predictions = {f"system {i}": with_errors(0.1, 10 + i) for i in range(9)}
    assert (
        "and 3 others do not differ significantly (smallest"
        in compare(predictions).verdicts["cem_ord"]
    )


def test_differences_are_those_of_the_values_with_joint_intervals():
    report = compare(metrics=["cem_ord", "ordinal_mean_absolute_error"], confidence_level=0.9)
    for criterion, metric in report.metrics.items():
        for first, second in itertools.permutations(SYSTEMS, 2):
            values = [metric.from_predictions(TRUE, SYSTEMS[name]) for name in (first, second)]
            found = report.difference(first, second, criterion)
            assert found.estimate == pytest.approx(values[0] - values[1], rel=1e-9)
            position = [report.systems.index(name) for name in (first, second)]
            assert found.pvalue == report.pvalues[criterion][*position]
            assert found.confidence_level == 0.9
            assert found.greater_is_better == metric.greater_is_better
            # Not the reverse: the tests go on after the largest differences are found.
            assert found.low <= 0 <= found.high or found.pvalue <= 0.1
    assert report.difference("good", "fair").estimate == found_pairs(report)["good", "fair"][0]
    same = report.difference("good", "good")
    assert (same.estimate, same.low, same.high) == (0, 0, 0)


def found_pairs(report, criterion="cem_ord"):
    return {
        (row["system"], row["against"]): (row["estimate"], row["low"], row["high"])
        for row in report.to_dict()["values"]
        if (row["criterion"], row["what"]) == (criterion, "difference")
    }


def test_resampled_intervals_of_two_systems_are_close_to_those_of_paired_differences():
    report = compare({"good": GOOD, "fair": FAIR}, n_resamples=1999, random_state=0)
    expected = paired_difference(TRUE, GOOD, FAIR, "cem_ord", n_resamples=1999, random_state=0)
    found = report.difference("good", "fair")
    assert found.low == pytest.approx(expected.low, abs=0.004)
    assert found.high == pytest.approx(expected.high, abs=0.004)
    assert found_pairs(report)["good", "fair"] == (found.estimate, found.low, found.high)


def test_the_difference_of_unknown_systems_raises():
    with pytest.raises(ValueError, match="first must be the name of a system, got 'best': the"):
        compare().difference("best", "good")
    with pytest.raises(ValueError, match="second must be the name of a system, got 3: the"):
        compare().difference("good", 3)


def test_resamples_without_a_value_of_a_system_are_counted():
    rare = np.where(np.isin(np.arange(400), [3, 30, 300, 303]), 1, 2)
    report = compare({"rare": rare, "good": GOOD}, metrics="kendall_tau_b", n_resamples=199)
    n_undefined = report.scores["kendall_tau_b"]["rare"].n_undefined
    assert n_undefined > 0
    assert report.n_undefined["kendall_tau_b"] == n_undefined
    assert report.difference("rare", "good").n_undefined == n_undefined
    assert "resamples, on which a system has no finite value" in " ".join(str(report).split())


def test_details_have_all_pairs_of_ten_systems_and_those_with_the_best_of_more():
    predictions = {f"system {i}": with_errors(0.1, i) for i in range(11)}
    report = compare(predictions, n_resamples=39)
    best, *others = report.best_first()
    text = report.to_text(details=True)
    rows = [line for line in text.splitlines() if line.startswith(best) and "p =" not in line]
    assert sum(f" {name} " in line for name in others for line in rows) == 10
    assert "to_frame returns all 55 pairs." in text
    assert len(found_pairs(report)) == 55
    first_ten = dict(list(predictions.items())[:10])
    text = compare(first_ten, n_resamples=39).to_text(details=True)
    assert sum(line.count("system ") == 2 for line in text.splitlines()) == 45


def test_ranks_of_unanswered_and_tied_systems_are_those_of_each_alone():
    rng = np.random.default_rng(5)
    answers = {}
    for i in range(6):
        pred = with_errors(0.1 * (i % 4), i).astype(object)
        pred[rng.random(400) < 0.1 * (i % 3)] = None
        answers[f"system {i}"] = pred
    answers["copy"] = answers["system 2"].copy()
    report = compare(answers, metrics=["cem_ord", "accuracy"], labels=range(4), n_resamples=19,
                     unanswered="count")  # fmt: skip
    for criterion, metric in report.metrics.items():
        values = {}
        for name, pred in answers.items():
            is_answered = np.array([one is not None for one in pred])
            if criterion == "accuracy":
                values[name] = np.mean(TRUE[is_answered] == pred[is_answered])
            else:
                confusion = OrdinalConfusion.from_predictions(
                    TRUE, pred, labels=range(4), unanswered="count"
                )
                values[name] = metric(confusion)
        expected = {
            name: 1 + sum(other > value + 1e-9 for other in values.values())
            for name, value in values.items()
        }
        assert report.ranks[criterion] == expected
        assert expected["copy"] == expected["system 2"]
        assert report.pvalues[criterion][2, 6] == 1
    # Only the value of all samples counts what is missing.
    assert report.ranks["cem_ord"] != report.ranks["accuracy"]


@pytest.mark.parametrize("clusters", [None, np.arange(400) // 4])
@pytest.mark.parametrize("weight", [None, 1.0 + np.arange(400) % 2])
def test_perfect_and_equal_systems_are_compared_with_groups_and_weights(clusters, weight):
    predictions = {"perfect": TRUE, "other": TRUE.copy(), "poor": POOR}
    report = compare(predictions, clusters=clusters, sample_weight=weight)
    assert np.isnan(report.scores["cem_ord"]["perfect"].low)
    assert "A value that no sample moves, as of perfect or constant" in " ".join(
        str(report).split()
    )
    assert report.letters["cem_ord"] == {"perfect": "a", "other": "a", "poor": "b"}
    same = report.difference("perfect", "other")
    assert (same.low, same.high, same.pvalue) == (0, 0, 1)
    assert report.difference("perfect", "poor").low > 0


def test_a_test_set_of_one_class_is_compared_by_what_is_defined():
    first, second = np.where(RNG.random((2, 400)) < [[0.1], [0.6]], 1, 2)
    report = compare(
        {"first": first, "second": second},
        np.full(400, 2),
        metrics=["accuracy", "ordinal_mean_absolute_error"],
        labels=range(4),
    )
    assert report.winners == {"accuracy": ("first",), "ordinal_mean_absolute_error": ("first",)}
    assert report.pvalues["accuracy"][0, 1] < 1e-9


def test_probabilities_have_a_column_for_each_class_that_is_predicted():
    both = {"y_pred": np.where(np.arange(400) == 0, 4, GOOD), "y_proba": probabilities(GOOD)}
    with pytest.raises(ValueError, match=r"a column for each of the 5 classes \[0, 1, 2, 3, 4\]"):
        compare({"a": both, "b": both}, metrics=["cem_ord", "ranked_probability_score"])


@pytest.mark.parametrize(
    ("predictions", "options", "message"),
    [
        ([GOOD, FAIR], {}, "predictions must be a dict with names as keys, got a list"),
        ({"a": GOOD}, {}, "predictions must have at least two systems, got 1: for a single"),
        ({1: GOOD, "b": FAIR}, {}, "predictions must have strings as names, got 1"),
        ({"a": GOOD, "b": {}}, {}, r"predictions\['b'\] must be an array or a dict of 'y_pred'"),
        ({"a": GOOD, "b": {"proba": 1}}, {}, r"got a dict of \['proba'\]"),
        ({"a": GOOD, "b": FAIR[1:]}, {}, r"predictions\['b'\]"),
        (
            {"a": GOOD, "b": probabilities(FAIR)},
            {},
            r"metrics has cem_ord, which takes predicted classes, but predictions\['b'\] has none",
        ),
        (
            SYSTEMS,
            {"metrics": "log_loss"},
            "takes probabilities of the classes, but predictions",
        ),
        (
            {"a": np.linspace(0, 1, len(TRUE)), "b": np.linspace(1, 2, len(TRUE))},
            {"metrics": "concordance"},
            "takes scores, .* pass {'y_pred': classes, 'y_proba': probabilities or scores} for",
        ),
        (SYSTEMS, {"metrics": "cem"}, "metrics: "),
        (SYSTEMS, {"n_resamples": 0}, "n_resamples must be"),
        (SYSTEMS, {"confidence_level": 95}, "confidence_level must be"),
        (SYSTEMS, {"unanswered": "drop"}, "unanswered must be"),
    ],
)
def test_what_cannot_be_compared_raises(predictions, options, message):
    with pytest.raises(ValueError, match=message):
        compare(predictions, **options)


REGIONS = np.array(["north", "south"])[np.arange(400) % 2]


def test_the_systems_of_a_group_are_those_of_its_samples():
    weights, clusters = 1 + np.arange(400) % 3, np.arange(400) // 4
    report = compare(by=REGIONS, sample_weight=weights, clusters=clusters)
    alone = compare(sample_weight=weights, clusters=clusters)
    assert report.scores == alone.scores
    assert list(report.groups) == ["north", "south"]
    for number, group in enumerate(report.groups.values()):
        rows = np.arange(400) % 2 == number
        for name, predicted in SYSTEMS.items():
            value = get_metric("cem_ord").from_predictions(
                TRUE[rows], predicted[rows], labels=range(4), sample_weight=weights[rows]
            )
            assert group.scores["cem_ord"][name].estimate == pytest.approx(value, rel=1e-12)
        assert group.n_samples == 200
        assert group.unit == "cluster"
        assert group.n_classes == report.n_classes
    rows = report.to_dict()["values"]
    of_north = [{**row, "group": None} for row in rows if row["group"] == "north"]
    assert of_north == report.groups["north"].to_dict()["values"]
    # Three values and three pairs.
    groups = [row["group"] for row in rows]
    assert [groups.count(name) for name in (None, "north", "south")] == [6, 6, 6]


def test_groups_keep_classes_that_their_samples_lack():
    low = np.where(TRUE < 2, "few classes", "all others")
    report = compare(by=low, metrics="ordinal_mean_absolute_error")
    rows = TRUE < 2
    value = np.abs(GOOD[rows] - TRUE[rows]).mean()
    group = report.groups["few classes"]
    assert group.scores["ordinal_mean_absolute_error"]["good"].estimate == pytest.approx(value)
    assert group.n_classes == 4


def test_a_group_that_cannot_be_compared_is_named_with_the_reason():
    by = np.where(np.arange(400) == 7, "single", REGIONS)
    with pytest.warns(UndefinedMetricWarning, match="not compared in single"):
        report = compare(by=by)
    assert list(report.groups) == ["north", "south"]
    assert set(report.groups_left_out) == {"single"}
    assert "Systems are not compared in single (1 sample" in " ".join(str(report).split())


def test_groups_of_several_columns_and_of_both_kinds_of_predictions():
    predictions = {
        name: {"y_pred": predicted, "y_proba": probabilities(predicted)}
        for name, predicted in SYSTEMS.items()
    }
    by = {"region": REGIONS, "half": np.arange(400) // 200}
    report = compare(predictions, by=by, metrics=["cem_ord", "ranked_probability_score"])
    assert list(report.groups) == ["north, 0", "north, 1", "south, 0", "south, 1"]
    assert [*report.groups["south, 1"].metrics] == ["cem_ord", "ranked_probability_score"]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (np.zeros(400, dtype=int), "by must name at least 2 groups, got only '0'"),
        (REGIONS[:-1], "by .*400"),
        (["overall", "rest"] * 200, "none of them 'overall'"),
    ],
)
def test_groups_that_are_none_are_refused(by, message):
    with pytest.raises(ValueError, match=message):
        compare(by=by)
