"""Contracts that every kind keeps, on its own example."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import OrdinalMetric, OrdinalScale, get_metric, ordinal_metric
from sklearn_ordinal._core import ESTIMATOR, KINDS, METRICS, kind_named, metrics_of

SCALE = OrdinalScale(["poor", "fair", "good"])
OF_DATA = [kind for kind in KINDS if kind.accepts]
WITH_METRICS = [kind for kind in KINDS if metrics_of(kind)]


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_a_copy_of_a_kind_is_the_same_object(kind):
    assert pickle.loads(pickle.dumps(kind)) is kind
    assert copy.deepcopy(kind) is kind
    assert kind != kind.name


@pytest.mark.parametrize("kind", OF_DATA, ids=repr)
def test_the_example_of_a_kind_is_evidence_that_it_accepts(kind):
    example = kind.example(SCALE, (4, 2))
    assert isinstance(example, kind.accepts[0])
    assert kind.accepted(example, "mine") is example
    assert kind.pick([None, example]) is example
    np.testing.assert_array_equal(example.class_counts, np.ones((4, 2, 3)))
    assert not example.is_weighted


@pytest.mark.parametrize("kind", OF_DATA, ids=repr)
def test_factors_of_classes_multiply_the_weights_of_true_classes(kind):
    weighted = kind.example(SCALE, (2,)).weighted_by_class(np.array([0.0, 0.5, 2.0]))
    np.testing.assert_array_equal(weighted.class_counts, [[0, 0.5, 2]] * 2)
    assert weighted.is_weighted


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_best_for_the_example_of_its_kind(name):
    metric = METRICS[name]
    if "best if perfect" in metric.exceptions:
        pytest.skip(metric.exceptions["best if perfect"])
    low, high = metric.bounds(3)
    best = high if metric.greater_is_better else low
    values = metric(metric.evidence.example(SCALE, (2,)))
    assert values == pytest.approx([best, best])


@pytest.mark.parametrize("kind", WITH_METRICS, ids=repr)
def test_evidence_of_another_kind_is_refused_by_name(kind):
    metric = next(iter(metrics_of(kind).values()))
    for other in OF_DATA:
        example = other.example(SCALE)
        if not isinstance(example, kind.accepts):
            with pytest.raises(ValueError, match=f"must be an .* for {metric.name}, got") as error:
                metric(example)
            assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.methods], ids=repr)
def test_the_responses_of_an_estimator_are_evidence_of_the_kind(kind):
    y = np.array([0, 1, 2, 2])
    model = DummyClassifier(strategy="prior").fit(np.zeros((4, 1)), y)
    assert isinstance(kind.of_estimator(model, np.zeros((4, 1)), y), kind.accepts)


@pytest.mark.parametrize("kind", WITH_METRICS, ids=repr)
def test_metrics_are_defined_for_the_name_of_a_kind(kind):
    assert kind_named(kind.name) is kind
    assert OrdinalMetric("mine", np.sum, evidence=kind.name).evidence is kind


@pytest.mark.parametrize("name", ["estimator", "rows", "", None, 3])
def test_metrics_are_not_defined_for_other_names(name):
    with pytest.raises(ValueError, match="evidence must be one of 'labels', 'prob"):
        ordinal_metric(greater_is_better=True, evidence=name)


def test_a_metric_of_estimators_refuses_predictions():
    metric = get_metric(depth_score)
    assert metric.evidence is ESTIMATOR
    for call in (
        lambda: metric(OF_DATA[0].example(SCALE)),
        lambda: metric.from_predictions([0, 1], [0, 1]),
    ):
        with pytest.raises(ValueError, match="depth needs the fitted estimator, not predictions"):
            call()


def depth_score(estimator, X, y):  # noqa: ARG001
    return estimator.get_depth()
