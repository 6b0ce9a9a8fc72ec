"""Reports and measures take evidence in place of arrays, with the same result."""

import pickle

import numpy as np
import pytest

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    compare_systems,
    get_metric,
    ordinal_report,
)
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import SCORES
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.metrics import split_measures

N = 80
RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=N)
PRED = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(4, size=N))
GAPS = [None if i % 7 == 0 else int(pred) for i, pred in enumerate(PRED)]
PROBA = RNG.dirichlet(np.ones(4), size=N)
READING = {
    "plain": {},
    "labels": {"labels": range(5)},
    "weights": {"sample_weight": np.arange(N) % 5},
    "unanswered": {"unanswered": "count"},
}
QUIET = {"zero_division": 0.0}


@pytest.mark.parametrize("reading", READING.values(), ids=READING)
def test_reports_on_counts_are_those_on_the_arrays(reading):
    pred = GAPS if "unanswered" in reading else PRED
    confusion = OrdinalConfusion.from_predictions(TRUE, pred, **reading)
    assert ordinal_report(confusion, **QUIET) == ordinal_report(TRUE, pred, **reading, **QUIET)
    by_arrays = OrdinalReport.from_predictions(TRUE, pred, **reading, **QUIET)
    assert OrdinalReport.from_predictions(confusion, **QUIET) == by_arrays
    assert OrdinalReport.from_confusion(confusion, **QUIET) == by_arrays


def test_reports_on_counts_and_forecasts_are_those_on_the_arrays():
    weight = np.arange(N) % 5
    expected = ordinal_report(TRUE, PRED, y_proba=PROBA, sample_weight=weight, **QUIET)
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, sample_weight=weight)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, sample_weight=weight)
    assert ordinal_report(confusion, y_proba=forecasts, **QUIET) == expected


def test_a_report_on_probabilities_alone_has_their_criteria_and_thresholds():
    both = OrdinalReport.from_predictions(TRUE, PRED, y_proba=PROBA, **QUIET)
    report = OrdinalReport.from_predictions(both.forecasts)
    assert report.confusion is None
    assert report.criteria == {
        name: both.criteria[name]
        for name, metric in both.metrics.items()
        if metric.evidence.argument == "y_proba"
    }
    whole = both.to_dict()
    assert report.to_dict() == {"criteria": report.criteria, "thresholds": whole["thresholds"]}
    text = ordinal_report(both.forecasts)
    _, summary, *_, thresholds, _ = text.split("\n\n")
    assert summary == both.to_text().split("\n\n")[1]
    assert thresholds in both.to_text()
    assert "Classes," not in text
    assert set(report.to_frame()["criterion"]) == {*report.criteria, *both.per_threshold}
    html = report.to_html()
    assert "Calibration at the thresholds" in html
    assert "True and predicted classes" not in html


def test_a_report_on_scores_alone_has_all_their_criteria(tmp_path):
    scores = OrdinalForecasts.from_probabilities(TRUE, PROBA).to_scores()
    report = OrdinalReport.from_predictions(scores)
    assert report.criteria["concordance"] == get_metric("concordance")(scores)
    assert report.metrics.keys() == metrics_of(SCORES).keys()
    report.to_json(tmp_path / "report.json")
    assert OrdinalReport.from_json(tmp_path / "report.json") == report
    text = ordinal_report(scores, metrics="concordance")
    assert text.split("\n\n")[2].startswith("Criteria of scores\ncriterion")
    shares = [0.1, 0.2, 0.3, 0.4]
    assert OrdinalReport.from_predictions(scores, prevalence=shares).prevalence.tolist() == shares


CLUSTERS = {"clusters": np.arange(N) // 4}
REGION = np.array(["south", "north", "west"])[np.arange(N) % 3]


@pytest.mark.parametrize(
    "reading",
    [*READING.values(), CLUSTERS, {**CLUSTERS, "sample_weight": np.arange(N) % 5}],
    ids=[*READING, "clusters", "clusters and weights"],
)
@pytest.mark.parametrize("by", [REGION, REGION.astype(object), np.arange(N) % 2 == 0], ids=str)
def test_reports_of_counted_groups_are_those_of_the_arrays(reading, by):
    pred = GAPS if "unanswered" in reading else PRED
    options = {"metrics": ["cem_ord", "accuracy"], "n_permutations": 30, "random_state": 0}
    confusion = OrdinalConfusion.from_predictions(TRUE, pred, by=by, **reading)
    expected = GroupReport.from_predictions(TRUE, pred, by=by, **reading, **options)
    for evidence in (confusion, pickle.loads(pickle.dumps(confusion))):
        assert GroupReport.from_confusion(evidence, **options) == expected


def test_each_counted_group_has_the_counts_of_its_samples():
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, by=REGION, sample_weight=TRUE + 1)
    assert confusion.groups == ("north", "south", "west")
    for k, region in enumerate(confusion.groups):
        part = region == REGION
        alone = OrdinalConfusion.from_predictions(
            TRUE[part], PRED[part], labels=range(4), sample_weight=TRUE[part] + 1
        )
        np.testing.assert_array_equal(confusion.counts[k], alone.counts)
        assert confusion.n_samples[k] == alone.n_samples


@pytest.mark.parametrize("split", ["class", "threshold"])
def test_measures_of_counts_are_those_of_the_arrays(split):
    weight = np.arange(N) % 5
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, sample_weight=weight)
    expected = split_measures(TRUE, PRED, sample_weight=weight, split=split)
    measures = split_measures(confusion, split=split)
    assert measures.keys() == expected.keys()
    for name, values in measures.items():
        np.testing.assert_array_equal(values, expected[name])


CONFUSION = OrdinalConfusion.from_predictions(TRUE, PRED)
GROUPS = OrdinalConfusion.from_predictions(TRUE, PRED, by=REGION)
FORECASTS_OF_GROUPS = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=REGION)
FORECASTS_OF_HALF = OrdinalForecasts.from_probabilities(TRUE[::2], PROBA[::2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ordinal_report(CONFUSION, PRED), "y_pred must be left out if evidence"),
        (lambda: ordinal_report(CONFUSION, labels=[0]), "labels must be left out if evidence"),
        (lambda: ordinal_report(CONFUSION, y_proba=PROBA), "y_proba must be an OrdinalForecasts"),
        (
            lambda: ordinal_report(CONFUSION, y_proba=FORECASTS_OF_HALF),
            r"weights of y_true, whose true classes have the sizes \[\d+\.0, .*the sizes \[\d",
        ),
        (
            lambda: ordinal_report(FORECASTS_OF_HALF, y_proba=FORECASTS_OF_HALF),
            "y_proba must be left out if y_true is OrdinalForecasts, which holds the probabilities",
        ),
        (
            lambda: GroupReport.from_predictions(GROUPS, y_proba=FORECASTS_OF_HALF),
            "y_proba must be evidence of groups, got OrdinalForecasts",
        ),
        (
            lambda: GroupReport.from_predictions(
                OrdinalConfusion.from_predictions(
                    TRUE, PRED, by=REGION, clusters=np.arange(N) // 2
                ),
                y_proba=FORECASTS_OF_GROUPS,
            ),
            "y_true and y_proba must both be made with clusters=, or both without",
        ),
        (
            lambda: GroupReport.from_predictions(
                OrdinalConfusion.from_predictions(TRUE, PRED, by=REGION), by=REGION
            ),
            "by must be left out, or name each of the 3 groups of the evidence .* got 80 names",
        ),
        (
            lambda: GroupReport.from_predictions(CONFUSION, by=REGION),
            "OrdinalConfusion.from_predictions and by=",
        ),
        (
            lambda: GroupReport.from_predictions(FORECASTS_OF_HALF, by=REGION),
            "y_true must be evidence of groups, got OrdinalForecasts of .* and by=",
        ),
        (
            lambda: ordinal_report(FORECASTS_OF_HALF, metrics="cem_ord"),
            "must be an OrdinalConfusion for cem_ord, got OrdinalForecasts",
        ),
        (
            lambda: OrdinalReport.from_predictions(FORECASTS_OF_HALF).losses(),
            "losses needs predicted classes: pass y_pred=",
        ),
        (
            lambda: ordinal_report(OrdinalForecasts.stack([FORECASTS_OF_HALF] * 2)),
            "must have one weight for each sample, got a stack",
        ),
        (lambda: ordinal_report([CONFUSION, FORECASTS_OF_HALF]), "at least one OrdinalConfusion"),
        (
            lambda: GroupReport.from_predictions(CONFUSION, by=REGION),
            r"confusion must be an OrdinalConfusion with counts of shape \(n_groups, .* and by=",
        ),
        (
            lambda: GroupReport.from_predictions(TRUE, by=REGION, y_proba=FORECASTS_OF_HALF),
            "y_proba must be an array if y_true is one, got OrdinalForecasts",
        ),
        (
            lambda: GroupReport.from_predictions(GROUPS, y_proba=PROBA),
            "y_proba must be OrdinalForecasts or OrdinalScores if y_true is an OrdinalConfusion",
        ),
        (
            lambda: GroupReport.from_predictions(FORECASTS_OF_GROUPS, y_proba=FORECASTS_OF_GROUPS),
            "y_proba must be left out if y_true is OrdinalForecasts",
        ),
        (lambda: GroupReport.from_predictions([GROUPS, GROUPS]), "y_true must be .* got list"),
        (
            lambda: GroupReport.from_predictions(
                GROUPS, y_proba=OrdinalForecasts.from_probabilities(TRUE[::-1], PROBA, by=REGION)
            ),
            "y_proba must be for the samples, groups and weights of y_true",
        ),
        (lambda: GroupReport.from_predictions(TRUE, PRED), "by must be given, unless y_true is"),
        (lambda: split_measures(CONFUSION, sample_weight=[1]), "sample_weight must be left out"),
        (lambda: split_measures(TRUE), "y_pred must be given, unless"),
        (
            lambda: split_measures(FORECASTS_OF_HALF),
            "must be an OrdinalConfusion here, got Ordinal",
        ),
        (
            lambda: compare_systems(
                {"a": FORECASTS_OF_GROUPS, "b": FORECASTS_OF_GROUPS}, metrics="concordance"
            ),
            "must have one weight for each sample, got a stack",
        ),
        (lambda: split_measures(CONFUSION, average="samples"), "must be arrays of several outputs"),
        (
            lambda: GroupReport.from_confusion(
                OrdinalConfusion.from_systems(TRUE, {"a": PRED, "b": TRUE})
            ),
            "got several systems on the same samples: compare them with compare_systems",
        ),
    ],
)
def test_evidence_that_does_not_suffice_is_refused_with_the_reason(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_report_does_not_keep_the_samples_of_its_counts():
    weighted = OrdinalConfusion.from_predictions(TRUE, PRED, sample_weight=np.ones(N))
    report = OrdinalReport.from_confusion(weighted)
    with pytest.raises(ValueError, match="do not tell which samples to draw"):
        bootstrap_interval(report.confusion)
    assert bootstrap_interval(weighted, n_resamples=9, random_state=0).n_undefined == 0
