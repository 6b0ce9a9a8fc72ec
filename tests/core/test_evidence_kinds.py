"""Contracts that every kind keeps, on its own example."""

import copy
import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import (
    OrdinalMetric,
    OrdinalReport,
    OrdinalScale,
    compare_systems,
    cross_val_report,
    get_metric,
    ordinal_metric,
    ordinal_report,
)
from sklearn_ordinal._core.catalogue import METRICS, metrics_of
from sklearn_ordinal._core.evidence_kinds import ESTIMATOR, KINDS, Kind, common_kind, kind_named
from sklearn_ordinal._core.saving import SavedEvidence
from sklearn_ordinal.inference import bootstrap_interval

SCALE = OrdinalScale(["poor", "fair", "good"])
OF_DATA = [kind for kind in KINDS if kind.accepts]
WITH_CLASSES = [kind for kind in OF_DATA if hasattr(kind.example(SCALE), "class_counts")]
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
    assert not example.is_weighted


@pytest.mark.parametrize("kind", WITH_CLASSES, ids=repr)
def test_the_example_of_a_kind_has_one_sample_of_each_class(kind):
    np.testing.assert_array_equal(kind.example(SCALE, (4, 2)).class_counts, np.ones((4, 2, 3)))


@pytest.mark.parametrize("kind", WITH_CLASSES, ids=repr)
def test_factors_of_classes_multiply_the_weights_of_true_classes(kind):
    weighted = kind.example(SCALE, (2,)).weighted_by_class(np.array([0.0, 0.5, 2.0]))
    np.testing.assert_array_equal(weighted.class_counts, [[0, 0.5, 2]] * 2)
    assert weighted.is_weighted


@pytest.mark.parametrize("kind", WITH_CLASSES, ids=repr)
def test_a_resample_of_a_kind_has_as_many_samples(kind):
    units = kind.units((whole_numbers(kind.example(SCALE)),))
    (together,) = units.all_together()
    np.testing.assert_array_equal(together.class_counts, [[1, 1, 1]])
    (without_one,) = next(units.without_one())
    np.testing.assert_array_equal(without_one.class_counts.sum(axis=-1), [2, 2, 2])
    for (resamples,) in units.resampled(np.random.default_rng(0), 5):
        assert isinstance(resamples, kind.accepts[0])
        np.testing.assert_array_equal(resamples.class_counts.sum(axis=-1), np.full(5, 3))


def whole_numbers(evidence):
    """Return the example of a kind with counts that are integers, as samples have them."""
    if not hasattr(evidence, "counts"):
        return evidence
    return replace(evidence, counts=evidence.counts.astype(int))


@pytest.mark.parametrize(
    ("shape", "names"),
    [((4,), ["labels"]), ((4, 1), ["labels"]), ((4, 3), ["probabilities", "scores"])],
)
def test_the_shape_of_an_array_decides_which_kinds_all_stands_for(shape, names):
    fitting = [kind for kind in KINDS if kind.fits(shape)]
    assert [kind.name for kind in fitting] == names
    assert all(kind.argument for kind in fitting)


@pytest.mark.parametrize(
    ("names", "common"),
    [
        (["scores"], "scores"),
        (["scores", "probabilities"], "probabilities"),
        (["labels"], "labels"),
        (["labels", "probabilities"], None),
    ],
)
def test_the_evidence_of_the_common_kind_suffices_for_all(names, common):
    kinds = {kind_named(name) for name in names}
    if common is None:
        with pytest.raises(
            ValueError, match="some take predicted classes and others probabilities"
        ):
            common_kind(kinds)
        return
    evidence = common_kind(kinds).example(SCALE)
    assert isinstance(evidence, kind_named(common).accepts[0])
    assert all(kind.pick([evidence]) is evidence for kind in kinds)


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


@dataclass(frozen=True, eq=False)
class ToyRatings(SavedEvidence):
    """Ratings of items by several raters: positions on the scale, -1 where there is none."""

    scale: OrdinalScale
    ratings: np.ndarray
    weights: np.ndarray
    is_weighted: bool = False

    @property
    def n_samples(self):
        return len(self.ratings)

    def reweighted(self, weights):
        return replace(self, weights=weights)


class Toys(Kind):
    name = argument = "toy ratings"
    noun = inputs = "ratings"
    title = "Criteria of ratings"
    accepts = (ToyRatings,)

    def example(self, scale, stack=()):
        positions = np.arange(len(scale))
        return ToyRatings(scale, np.c_[positions, positions], np.ones((*stack, len(scale))))


def largest_disagreement_error(ratings):
    """Return the mean distance between the lowest and the highest rating of an item."""
    rated = np.where(ratings.ratings < 0, np.nan, ratings.ratings)
    distances = np.nanmax(rated, axis=1) - np.nanmin(rated, axis=1)
    return ratings.weights @ distances / ratings.weights.sum(axis=-1)


@pytest.fixture
def ratings():
    """Some ratings, while their kind and a criterion of it are registered."""
    kind = Toys()
    KINDS.append(kind)
    ordinal_metric(greater_is_better=False, evidence="toy ratings")(largest_disagreement_error)
    yield ToyRatings(SCALE, np.array([[0, 1, 1], [2, 2, -1], [0, -1, 2]] * 5), np.ones(15))
    del METRICS["largest_disagreement_error"]
    KINDS.remove(kind)


def test_a_new_kind_has_metrics_intervals_and_reports(ratings, tmp_path):
    name = "largest_disagreement_error"
    assert get_metric(name)(ratings) == 1
    assert get_metric(name).scorer_name is None
    interval = bootstrap_interval(ratings, metrics=name, random_state=0)
    assert interval.low < interval.estimate < interval.high
    assert bootstrap_interval(ratings, metrics="all", random_state=0) == interval
    report = OrdinalReport.from_predictions(ratings)
    assert report.to_dict() == {"criteria": {name: 1}}
    assert report.to_frame()["criterion"].tolist() == [name]
    text = ordinal_report(ratings, metrics=name)
    assert text == report.to_text()
    assert "Criteria of ratings" in text
    assert "Criteria of ratings" in report.to_html()
    report.to_json(tmp_path / "report.json")
    for copied in (
        OrdinalReport.from_json(tmp_path / "report.json"),
        pickle.loads(pickle.dumps(report)),
    ):
        assert copied == report
        np.testing.assert_array_equal(copied.evidence[0].ratings, ratings.ratings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda ratings: ordinal_report(ratings, prevalence=[0.2, 0.3, 0.5]),
            "prevalence needs the true classes, which ToyRatings does not have",
        ),
        (
            lambda ratings: ordinal_report(ratings, metrics="cem_ord"),
            "must be an OrdinalConfusion for cem_ord, got ToyRatings: make one with",
        ),
        (
            lambda ratings: bootstrap_interval(ratings, metrics="cem_ord"),
            "metrics has cem_ord, which takes predicted classes, but the evidence is ToyRatin",
        ),
        (lambda ratings: ordinal_report(ratings, [0]), "y_pred must be left out"),
        (
            lambda _: ordinal_report([0, 1], [0, 1], metrics="largest_disagreement_error"),
            "evidence must be a ToyRatings for largest_disagreement_error, got OrdinalConfu",
        ),
        (
            lambda _: cross_val_report(
                DummyClassifier(),
                np.zeros((6, 1)),
                [0, 1, 2] * 2,
                cv=2,
                scoring="largest_disagreement_error",
            ),
            "largest_disagreement_error needs ratings, which no estimator predicts: leave it out",
        ),
        (
            lambda _: OrdinalReport.from_estimator(
                DummyClassifier().fit([[0], [0]], [0, 1]),
                [[0], [0]],
                [0, 1],
                metrics="largest_disagreement_error",
            ),
            "some take probabilities and others ratings: call the function once for each",
        ),
        (
            lambda ratings: compare_systems([0, 1], {"a": ratings, "b": ratings}),
            r"takes predicted classes, but predictions\['a'\] has none",
        ),
        (
            lambda ratings: ordinal_report(replace(ratings, weights=np.ones((2, 15)))),
            "must have one weight for each sample, got a stack",
        ),
        (
            lambda _: get_metric("largest_disagreement_error").from_predictions([0, 1], [0, 1]),
            "ratings are not read from two columns: pass ToyRatings",
        ),
        (
            lambda _: get_metric("largest_disagreement_error")(OF_DATA[0].example(SCALE)),
            "evidence must be a ToyRatings for largest_disagreement_error, got OrdinalConfu",
        ),
    ],
)
def test_what_a_new_kind_does_not_have_is_refused(ratings, call, message):
    with pytest.raises(ValueError, match=message) as error:
        call(ratings)
    assert "\n" not in str(error.value)
