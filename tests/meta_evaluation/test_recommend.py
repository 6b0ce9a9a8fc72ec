"""Recommended criteria: what errors cost, which needs are met, and what is said about them."""

import math
import warnings
from functools import partial
from typing import get_args

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score, make_scorer, mean_absolute_error

from sklearn_ordinal import OrdinalMetric, get_metric
from sklearn_ordinal._core import PROBABILITIES, SCORES, metrics_of
from sklearn_ordinal.meta_evaluation import recommend_metrics
from sklearn_ordinal.meta_evaluation._needs import Need
from sklearn_ordinal.metrics import closeness_costs, expected_cost_loss

SIZES = [5, 1, 3, 2]
Y = np.repeat(np.arange(4), SIZES)
LABELS = ["poor", "fair", "good", "great"]
NEEDS = get_args(Need)


def with_direction(*kinds):
    found = metrics_of(*kinds).items()
    return {name: metric for name, metric in found if metric.greater_is_better is not None}


OF_LABELS = with_direction(get_metric("cem_ord").evidence)
OF_PROBABILITIES = metrics_of(PROBABILITIES)
METRICS = with_direction(get_metric("cem_ord").evidence, PROBABILITIES, SCORES)


def costs_of(metric, y=Y, **options):
    found = recommend_metrics(y, needs="chance", metrics=metric, **options)
    return found.costs[0]


def note_with(found, text):
    notes = [note for note in found.notes if text in note]
    assert len(notes) == 1, found.notes
    return notes[0]


# What errors cost.


def value_of(metric, y_true, y_pred, n_classes):
    """Return the value for rows, by the public function where it is ours."""
    if metric.evidence.name == "probabilities":
        y_pred = np.eye(n_classes)[y_pred]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        if metric.is_sklearns:
            return metric.from_predictions(y_true, y_pred, labels=range(n_classes))
        return metric.function(y_true, y_pred, labels=range(n_classes), **metric.options)


@pytest.mark.parametrize("name", METRICS)
def test_losses_are_those_of_rows_with_one_error(name):
    metric = METRICS[name]
    perfect = value_of(metric, Y, Y, 4)
    expected = np.zeros((4, 4))
    for true, predicted in np.argwhere(~np.eye(4, dtype=bool)):
        wrong = Y.copy()
        wrong[np.flatnonzero(true == Y)[0]] = predicted
        value = value_of(metric, Y, wrong, 4)
        expected[true, predicted] = perfect - value if metric.greater_is_better else value - perfect
    found = recommend_metrics(Y, needs="chance", metrics=name)
    assert found.losses[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    worst = np.nanmax(expected)
    assert found.costs[0] == pytest.approx(expected / (worst or 1), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    "cost_matrix",
    [
        # A correct prediction may cost something, and an error less.
        [[1, 3, 0, 2], [4, 0, 1, 5], [2, 1, 0, 3], [1, 6, 2, 1]],
        [[0, 1, np.inf, 2], [4, 0, 1, np.inf], [np.inf, 1, 0, 3], [1, 6, 2, 0]],
        np.where(np.eye(4), 0, np.inf),
        np.zeros((4, 4)),
    ],
)
@pytest.mark.parametrize("labels", [range(4), [2, 0, 3, 1]])
def test_losses_of_costs_that_users_pass_are_those_of_rows_with_one_error(cost_matrix, labels):
    metric = partial(expected_cost_loss, cost_matrix=cost_matrix, labels=labels)
    expected = np.zeros((4, 4))
    for true, predicted in np.argwhere(~np.eye(4, dtype=bool)):
        wrong = Y.copy()
        wrong[np.flatnonzero(true == Y)[0]] = predicted
        expected[true, predicted] = metric(Y, wrong) - metric(Y, Y)
    found = recommend_metrics(Y, needs="chance", metrics={"costs": metric})
    assert found.losses[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_costs_by_accuracy_are_equal_and_those_by_mean_absolute_error_are_distances():
    assert (costs_of("accuracy") == 1 - np.eye(4)).all()
    far = np.abs(np.subtract.outer(range(4), range(4)))
    assert costs_of("ordinal_mean_absolute_error") == pytest.approx(far / 3)


@pytest.mark.parametrize("sizes", [SIZES, [1, 200, 30], [10, 10], [3, 1, 4, 1, 5, 9, 2, 6]])
def test_costs_by_cem_ord_are_closeness_costs(sizes):
    costs = closeness_costs(sizes)
    found = costs_of("cem_ord", np.repeat(np.arange(len(sizes)), sizes))
    assert found == pytest.approx(costs / costs.max())


def test_errors_of_a_class_without_samples_are_undefined():
    found = recommend_metrics(Y, needs="chance", metrics=["accuracy", "cem_ord"], labels=range(5))
    assert np.isnan(found.losses[:, 4]).all()
    assert not np.isnan(found.losses[:, :4]).any()
    assert "Without samples: 4." in note_with(found, "Without samples")


def test_undefined_values_after_an_error_stay_undefined_and_are_said():
    # After the error the predictions are constant.
    found = recommend_metrics([0, 0, 1], needs="chance", metrics="kendall_tau_b")
    assert np.isnan(found.losses[0, 1, 0])
    assert found.losses[0, 0, 1] == pytest.approx(0.5)
    note = note_with(found, "Undefined after an error")
    assert note == "Undefined after an error: kendall_tau_b (1 of 2 kinds of error)."


def test_a_criterion_that_is_undefined_meets_nothing():
    found = recommend_metrics([0, 0, 0], needs="chance", metrics="kendall_tau_b", labels=[0, 1, 2])
    assert found.recommended == ()
    assert found.reasons == (("it is undefined for any error on these classes",),)


def own_score(y_true, y_pred):
    return np.mean((y_true == "great") == (y_pred == "great"))


def test_criteria_of_users_and_of_scikit_learn_have_costs():
    names = np.array(LABELS)[Y]
    found = recommend_metrics(names, needs="chance", metrics=[own_score], labels=LABELS)
    is_great = np.arange(4) == 3
    assert (found.costs[0] == (is_great[:, None] != is_great)).all()
    assert found.metrics == ("own",)
    kappa = costs_of(make_scorer(cohen_kappa_score))
    assert kappa.max() == 1
    errors = make_scorer(mean_absolute_error, greater_is_better=False)
    assert costs_of(errors) == pytest.approx(costs_of("ordinal_mean_absolute_error"))


def test_one_sample_has_the_mean_weight_of_its_class():
    # With weights that make all classes equally heavy, means over samples are means over classes.
    balanced = (1 / np.array(SIZES))[Y]
    expected = costs_of("macro_averaged_mean_absolute_error")
    found = recommend_metrics(
        Y, needs="chance", metrics="ordinal_mean_absolute_error", sample_weight=balanced
    )
    assert found.costs[0] == pytest.approx(expected)
    assert found.class_counts == pytest.approx(np.ones(4))
    uneven = costs_of("cem_ord", [0, 0, 1, 2, 2], sample_weight=[0.5, 1.5, 1, 3, 1])
    expected = closeness_costs([2, 1, 4]) * [[1], [1], [2]]
    assert uneven == pytest.approx(expected / expected.max())


def test_samples_of_weight_zero_are_no_samples():
    weights = np.where(Y == 1, 0, 1)
    found = recommend_metrics(Y, needs="chance", metrics="cem_ord", sample_weight=weights)
    assert np.isnan(found.losses[0, 1]).all()
    assert "Without samples: 1." in note_with(found, "Without samples")


def _infinite(forecasts):
    wrong = forecasts.y_proba[np.arange(forecasts.n_samples), forecasts.y_true] == 0
    steps = np.abs(forecasts.to_scores().y_score - forecasts.y_true)
    is_far = (forecasts.weights[..., wrong & (steps > 1)] > 0).any(axis=-1)
    return np.where(is_far, np.inf, forecasts.mean(steps))


def test_next_to_an_infinite_loss_others_cost_nothing():
    metric = OrdinalMetric("own_loss", _infinite, greater_is_better=False, evidence="probabilities")
    found = recommend_metrics(Y, needs="probabilities", metrics=[metric])
    far = np.abs(np.subtract.outer(range(4), range(4)))
    assert (found.costs[0] == (far > 1)).all()
    assert found.losses[0, 0, 1] == pytest.approx(1 / len(Y))
    assert "own_loss (6 of 12 kinds of error)" in note_with(found, "Infinitely worse")


def test_the_logarithmic_loss_of_an_impossible_class_is_that_of_scikit_learn():
    found = recommend_metrics(Y, needs="probabilities", metrics="log_loss")
    assert (found.costs[0] == 1 - np.eye(4)).all()
    assert found.losses[0, 0, 1] == pytest.approx(-math.log(np.finfo(float).eps) / len(Y))


def wrong_way_score(y_true, y_pred):
    return np.mean(y_true != y_pred)


def test_a_criterion_that_an_error_improves_is_named():
    found = recommend_metrics(Y, needs="chance", metrics=wrong_way_score)
    assert (found.losses[0] <= 0).all()
    assert "wrong_way (12 of 12 kinds of error)" in note_with(found, "Better after an error")


# Which needs are met.


def expected_to_meet(need, metric):
    """Return whether recorded facts meet a need."""
    return {
        "order only": metric.ordinal_invariant and metric.strictly_monotonic,
        "distances": metric.ordinal_invariant is False and metric.strictly_monotonic,
        "small classes": metric.imbalance_aware,
        "chance": metric.chance_level is not None,
        "across data sets": metric.prevalence_invariant,
        "probabilities": metric.evidence.name == "probabilities" and metric.name != "unimodality",
    }[need]


@pytest.mark.parametrize("need", [need for need in NEEDS if need != "neighbours"])
def test_a_need_is_met_by_exactly_the_criteria_with_the_recorded_facts(need):
    found = recommend_metrics(Y, needs=need, metrics=[*METRICS])
    expected = {name for name, metric in METRICS.items() if expected_to_meet(need, metric)}
    assert set(found.recommended) == expected
    assert {name for name, missed in found.missed.items() if missed} == METRICS.keys() - expected


def test_criteria_that_users_of_each_need_expect():
    def recommended(*needs):
        return set(recommend_metrics(Y, needs=needs).recommended)

    assert recommended("order only") == {"cem_ord", "cem_ord_flat"}
    assert recommended("order only", "small classes") == {"cem_ord"}
    assert "ordinal_mean_absolute_error" in recommended("distances")
    # Not monotonic, and not prevalence invariant.
    assert "cem_ord_adjusted" in recommended("chance")
    assert "cem_ord_adjusted" not in recommended("order only") | recommended("across data sets")
    assert "balanced_accuracy" in recommended("across data sets", "small classes")
    assert "cem_ord" not in recommended("across data sets")


def test_neighbours_are_judged_by_what_errors_cost_on_these_classes():
    found = recommend_metrics(Y, needs="neighbours")
    far = np.abs(np.subtract.outer(range(4), range(4)))
    for name, costs in zip(found.metrics, found.costs, strict=True):
        pairs = [(row[d == 1].max(), row[d > 1].min()) for row, d in zip(costs, far, strict=True)]
        is_near = all(near <= (0.5 + 1e-9) * beyond for near, beyond in pairs)
        assert is_near == (found.missed[name] == ()), name
    assert found.recommended[0] == "within_1_accuracy"
    assert {"ordinal_mean_absolute_error", "ordinal_mean_squared_error"} < set(found.recommended)
    assert {"accuracy", "cem_nom"} < found.missed.keys() - set(found.recommended)
    reason = dict(zip(found.metrics, found.reasons, strict=True))
    assert reason["within_1_accuracy"] == ("an error by one class costs nothing here",)
    assert "up to 50% of an error by two or more" in reason["ordinal_mean_absolute_error"][0]


def test_neighbours_that_cost_slightly_more_than_half_are_said_to():
    # The largest share is 0.504, which is rounded to 50%.
    found = recommend_metrics(
        np.repeat([0, 1, 2], [19, 8, 39]), needs="neighbours", metrics="linear_weighted_kappa"
    )
    assert found.recommended == ()
    assert "costs more than half of an error by two or more here: up to 50%" in found.reasons[0][0]


def lower_is_near_score(y_true, y_pred):
    """An error by one class costs, one by more does not."""
    return np.mean(np.abs(y_true - y_pred) != 1)


def test_neighbours_that_cost_more_than_far_classes_are_not_near():
    found = recommend_metrics(Y, needs="neighbours", metrics=lower_is_near_score)
    assert found.recommended == ()
    assert "something here although a larger error costs nothing" in found.reasons[0][0]


def test_criteria_of_unknown_properties_meet_no_need_that_asks_for_one():
    needs = ["order only", "distances", "small classes", "across data sets"]
    found = recommend_metrics(Y, needs=needs, metrics=wrong_way_score)
    assert not found.meets.any()
    assert all("is not known" in reason for reason in found.reasons[0])


def test_a_criterion_by_which_no_error_costs_anything_meets_nothing():
    found = recommend_metrics(Y, needs="probabilities")
    assert found.missed["unimodality"] == ("probabilities",)
    within = recommend_metrics([0, 1, 1], needs="neighbours", metrics="within_1_accuracy")
    assert within.reasons == (("no error costs anything on these classes",),)
    assert (within.costs == 0).all()


def test_strictly_proper_criteria_of_probabilities_come_first():
    found = recommend_metrics(Y, needs="probabilities")
    proper = [name for name, metric in METRICS.items() if metric.strictly_proper]
    assert list(found.recommended[: len(proper)]) == proper
    assert "expected_cem_ord" in found.recommended[len(proper) :]
    reason = dict(zip(found.metrics, found.reasons, strict=True))["expected_cem_ord"][0]
    assert "but is not strictly proper" in reason


def test_criteria_of_probabilities_are_considered_if_they_are_needed():
    assert set(recommend_metrics(Y, needs="chance").metrics) == set(OF_LABELS)
    found = recommend_metrics(Y, needs=["chance", "probabilities"])
    assert set(found.metrics) == {*OF_LABELS, *OF_PROBABILITIES}
    assert found.recommended == ("ranked_probability_skill",)


def test_criteria_that_miss_fewer_needs_come_first_in_the_order_of_the_catalogue():
    found = recommend_metrics(Y, needs=["order only", "small classes"])
    n_missed = [len(missed) for missed in found.missed.values()]
    assert n_missed == sorted(n_missed)
    for number in range(3):
        names = [name for name, missed in found.missed.items() if len(missed) == number]
        assert names == [name for name in OF_LABELS if name in names]


@pytest.mark.parametrize("step", [1, -1])
def test_equal_shares_of_neighbours_keep_the_order_of_the_metrics(step):
    y = np.repeat(np.arange(4), [11, 4, 13, 16])
    weights = np.array([2.6, 1.5, 2.7, 2.3])[y]
    # The cost of an error is the number of classes for each true class, up to a factor.
    names = [
        "ordinal_mean_absolute_error",
        "macro_averaged_mean_absolute_error",
        "maximum_mean_absolute_error",
    ][::step]
    found = recommend_metrics(y, needs="neighbours", metrics=names, sample_weight=weights)
    assert list(found.metrics) == names


# What is said about them.


def test_contradictory_needs_are_named():
    found = recommend_metrics(Y, needs=["order only", "small classes", "distances"])
    assert found.recommended == ()
    note = note_with(found, "None of these criteria meets both")
    assert "both 'order only' and 'distances': they contradict each other" in note
    assert "No criterion meets every need." in found.to_text()


def test_needs_that_the_catalogue_does_not_combine_are_named():
    found = recommend_metrics(Y, needs=["chance", "order only", "small classes"])
    assert found.notes[0] == "None of these criteria meets both 'chance' and 'order only'."
    alone = recommend_metrics(Y, needs=["chance", "small classes"], metrics=["accuracy", "cem_ord"])
    assert alone.notes[0] == "None of these criteria meets 'chance'."
    three = recommend_metrics(
        Y,
        needs=["order only", "small classes", "across data sets"],
        metrics=["cem_ord", "balanced_accuracy"],
    )
    assert "both 'order only' and 'across data sets'" in three.notes[0]


def test_any_two_needs_but_not_all_may_be_met():
    metrics = [
        OrdinalMetric(f"own_{place}", METRICS["accuracy"].statistic, properties=properties)
        for place, properties in enumerate(
            [
                {"invariant", "strictly monotonic", "imbalance"},
                {"imbalance", "prevalence invariant"},
                {"invariant", "strictly monotonic", "prevalence invariant"},
            ]
        )
    ]
    found = recommend_metrics(
        Y, needs=["order only", "small classes", "across data sets"], metrics=metrics
    )
    assert found.notes[0] == "Any two of the needs can be met together, but not all."


def test_small_classes_are_named_with_what_one_error_costs():
    found = recommend_metrics(Y, needs="small classes", metrics=["accuracy", "balanced_accuracy"])
    note = note_with(found, "has only 1 sample")
    assert note.startswith("'1' has only 1 sample, ")
    # One of four sensitivities falls from 1 to 0. Accuracy does not count small classes more.
    assert note.endswith("a single error costs up to 0.25 by balanced_accuracy.")
    large = recommend_metrics(np.repeat(Y, 10), needs="small classes")
    assert not any("has only" in note for note in large.notes)


def test_classes_of_equal_size_are_no_small_classes():
    text = "All classes that occur have the same size"
    equal = recommend_metrics([0, 0, 1, 1, 2, 2], needs="small classes")
    assert note_with(equal, text)
    assert not any(text in note for note in recommend_metrics(Y, needs="small classes").notes)
    other = recommend_metrics([0, 0, 1, 1], needs="chance")
    assert not any(text in note for note in other.notes)


def test_two_classes_have_no_distances():
    text = "With two classes, every error is by one class"
    assert note_with(recommend_metrics([0, 1, 1], needs="distances"), text)
    assert not any(text in note for note in recommend_metrics(Y, needs="distances").notes)
    found = recommend_metrics([0, 1, 1], needs="neighbours", metrics="accuracy")
    assert found.reasons[0][0].startswith("no true class has defined errors by one class")


def test_the_text_says_which_facts_meet_and_miss_the_needs():
    found = recommend_metrics(
        np.array(LABELS)[Y], needs=["order only", "small classes"], labels=LABELS
    )
    text = " ".join(found.to_text().split())
    assert "Sizes of the classes: poor (5), fair (1), good (3), great (2)." in text
    assert "cem_ord: meets 'order only' (ordinal invariant: recoding the classes in " in text
    assert "cem_ord_flat: misses 'small classes' (not imbalance-aware: the same " in text
    # Those that miss both are details.
    assert "kendall_tau_b" not in text
    assert "kendall_tau_b" in found.to_text(details=True)
    assert "poor as great" in text


def test_long_tables_of_errors_are_details():
    found = recommend_metrics(np.arange(6), needs="order only")
    assert "0 as 4" not in found.to_text()
    assert "0 as 4" in found.to_text(details=True)


def test_the_plot_shows_the_criteria_that_meet_most_or_those_asked_for():
    found = recommend_metrics(Y, needs=["order only", "small classes"])
    assert list(found.plot().costs) == ["cem_ord"]
    assert list(recommend_metrics(Y, needs="chance").plot().costs) == list(
        recommend_metrics(Y, needs="chance").recommended[:6]
    )
    some = found.plot(metrics=["accuracy", get_metric("cem_ord").function])
    assert list(some.costs) == ["accuracy", "cem_ord"]
    assert some.target_names == ("0", "1", "2", "3")
    assert (some.costs["accuracy"] == 1 - np.eye(4)).all()
    assert list(found.plot(metrics="cem_nom").costs) == ["cem_nom"]
    with pytest.raises(ValueError, match="metrics must be among"):
        found.plot(metrics="concordance")
    with pytest.raises(ValueError, match="at least one criterion, and each once, got none"):
        found.plot(metrics=[])
    with pytest.raises(ValueError, match="and each once, got 'accuracy' more than once"):
        found.plot(metrics=["accuracy", "accuracy"])
    plt.close("all")


# Bad input.


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        ("order", r"needs must be among \['order only', .*'neighbours'\], got 'order': did you"),
        (["chance", "money"], r"needs must be among \['order only', .*\], got 'money'\.$"),
        ("neighbors", "did you mean 'neighbours'"),
        ([], r"needs must name at least one of \['order only', .*\], got none"),
        (["chance", "chance"], r"needs must have each of \[.*\] at most once, got 'chance' twice"),
        (None, r"needs must be a sequence of values from \['order only', .*\], got None"),
        ({"chance"}, "needs must be a sequence of values from"),
        ({"chance": 1}, "needs must be a sequence of values from"),
        ([3], "got 3"),
        ([["chance"]], r"got \['chance'\]"),
    ],
)
def test_bad_needs_raise_an_error_that_lists_them(needs, message):
    with pytest.raises(ValueError, match=message) as raised:
        recommend_metrics(Y, needs=needs)
    assert "\n" not in str(raised.value)


def test_a_single_need_may_be_a_string_and_several_any_sequence():
    assert recommend_metrics(Y, needs="chance").needs == ("chance",)
    assert recommend_metrics(Y, needs=np.array(["chance"])) == recommend_metrics(Y, needs="chance")


def needs_estimator_score(estimator, X, y):  # noqa: ARG001
    return 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: recommend_metrics([0, 0], needs="chance"), "y must have at least 2 classes"),
        (lambda: recommend_metrics(LABELS, needs="chance"), "labels"),
        (
            lambda: recommend_metrics(Y, needs="chance", metrics=needs_estimator_score),
            "metrics must be computed from predictions, but needs_estimator needs the fitted",
        ),
        (
            lambda: recommend_metrics(Y, needs="chance", metrics="roc_auc_ovr"),
            "roc_auc_ovr needs the fitted",
        ),
        (lambda: recommend_metrics(Y, needs="chance", metrics=[]), "metrics must name at least"),
        (
            lambda: recommend_metrics(Y, needs="chance", metrics=own_score, sample_weight=Y + 0.5),
            "own takes no sample_weight",
        ),
        (lambda: recommend_metrics(Y, needs="chance", sample_weight=[1]), "sample_weight"),
    ],
)
def test_bad_input_raises_one_line(call, message):
    with pytest.raises(ValueError, match=message) as raised:
        call()
    assert "\n" not in str(raised.value)
