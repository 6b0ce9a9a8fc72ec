"""What the user guide says about decisions on real data, checked against the stored results."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "benchmarks" / "results" / "decisions.json").read_text("utf-8"))[
    "results"
]
# Data sets that were looked at before the questions were written down.
EXPLORATORY = {"LEV", "SWD", "ERA", "marriage", "diamonds cut", "diamonds clarity"}
EXPLORATORY |= {"DoctorContacts", "GSSvocab"}
MODE, OPTIMAL, CUTS, BALANCED, OBJECTIVE = 0, 1, 5, 6, 7
CEM, ACCURACY = 0, 1
SETTINGS = [(size, model) for size in RESULTS for model in RESULTS[size]]


def changes(size, model, decisions, metric=CEM):
    """Return the change from the most probable class on each confirming data set."""
    scores = [
        np.array(of_data["scores"], dtype=float)[:, metric]
        for name, of_data in RESULTS[size][model].items()
        if name not in EXPLORATORY
    ]
    return np.array([score[decisions] - score[MODE] for score in scores])


@pytest.mark.parametrize(("size", "model"), SETTINGS)
def test_optimal_decisions_earn_something_on_average_at_a_cost_in_accuracy(size, model):
    assert ttest_1samp(changes(size, model, OPTIMAL), 0).confidence_interval().low > 0
    for decisions in (OPTIMAL, CUTS):
        assert changes(size, model, decisions, ACCURACY).mean() < 0


@pytest.mark.parametrize(("size", "model"), SETTINGS)
def test_balanced_class_weights_are_not_better_and_cost_more_in_accuracy(size, model):
    assert ttest_1samp(changes(size, model, BALANCED), 0).confidence_interval().low < 0
    costs = [changes(size, model, k, ACCURACY).mean() for k in (OPTIMAL, CUTS)]
    assert changes(size, model, BALANCED, ACCURACY).mean() < min(costs)


def test_training_for_the_objective_needs_many_samples():
    gains = {
        size: [changes(size, "gradient boosting", k).mean() for k in (OBJECTIVE, OPTIMAL)]
        for size in RESULTS
    }
    for size in ("500", "2000"):
        objective, optimal = gains[size]
        assert objective < optimal
    assert gains["15000"][0] == pytest.approx(gains["15000"][1], abs=0.005)


def test_on_some_data_sets_there_is_no_gain():
    gains = np.concatenate([changes(size, model, OPTIMAL) for size, model in SETTINGS])
    assert (gains <= 0).any()
