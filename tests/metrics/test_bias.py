"""Criteria without a direction, against NumPy by hand, and where they are refused."""

import io
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import GridSearchCV, cross_val_score

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalRatings,
    agreement_report,
    compare_estimators,
    compare_judge,
    compare_systems,
    cross_val_report,
    get_metric,
    make_ordinal_scorer,
    ordinal_report,
    report_change,
    score_ladder,
)
from sklearn_ordinal.decisions import OptimalDecisionClassifier, TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.groups import GroupReport
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.meta_evaluation import check_properties
from sklearn_ordinal.metrics import ordinal_bias, overestimation_rate, underestimation_rate
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from sklearn_ordinal.reports import OrdinalReport
from tests import degrees_of_freedom

NAMES = ["ordinal_bias", "overestimation_rate", "underestimation_rate"]
RNG = np.random.default_rng(0)
TRUE = RNG.integers(5, size=240)
PRED = np.clip(TRUE + RNG.choice([-2, -1, 0, 1], size=240, p=[0.1, 0.2, 0.5, 0.2]), 0, 4)
OTHER = np.clip(TRUE + RNG.choice([0, 1], size=240), 0, 4)
WEIGHT = RNG.integers(1, 4, size=240).astype(float)
X = RNG.normal(size=(240, 2))
ERRORS = {
    "ordinal_bias": lambda error: error,
    "overestimation_rate": lambda error: error > 0,
    "underestimation_rate": lambda error: error < 0,
}


@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_the_weighted_mean_of_signed_errors(name):
    function = get_metric(name).function
    terms = ERRORS[name](PRED - TRUE)
    assert function(TRUE, PRED) == pytest.approx(terms.mean())
    weighted = function(TRUE, PRED, sample_weight=WEIGHT)
    assert weighted == pytest.approx((terms * WEIGHT).sum() / WEIGHT.sum())
    assert np.isnan(get_metric(name)(OrdinalConfusion.from_counts(np.zeros((3, 3)))))


def test_positions_count_not_the_numbers_that_label_the_classes():
    assert ordinal_bias([10, 50], [50, 50], labels=[10, 20, 50]) == 1
    assert overestimation_rate(["mild"], ["severe"], labels=["mild", "severe"]) == 1
    assert underestimation_rate(["mild"], ["severe"], labels=["mild", "severe"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_influence_of_a_sample_is_its_term_minus_the_mean(name):
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED)
    influence = get_metric(name).influence(confusion).cells[TRUE, PRED]
    terms = ERRORS[name](PRED - TRUE)
    np.testing.assert_allclose(influence, terms - terms.mean(), atol=1e-12)


def test_the_interval_of_the_bias_is_that_of_a_mean():
    interval, error = delta_interval(TRUE, PRED, "ordinal_bias"), PRED - TRUE
    _, degrees = degrees_of_freedom.of_means(error)
    expected = stats.t.interval(0.95, degrees, error.mean(), stats.sem(error))
    np.testing.assert_allclose([interval.low, interval.high], expected, rtol=1e-12)
    resampled = bootstrap_interval(TRUE, PRED, "ordinal_bias", random_state=0, n_resamples=999)
    np.testing.assert_allclose([resampled.low, resampled.high], expected, atol=0.03)


def test_a_rate_of_zero_has_wilsons_interval():
    interval = delta_interval(TRUE, TRUE, "overestimation_rate")
    assert (interval.estimate, interval.low, interval.method) == (0, 0, "wilson")
    assert interval.high == pytest.approx(stats.binomtest(0, 240).proportion_ci(method="wilson")[1])


def test_a_paired_difference_names_the_higher_value_and_favours_neither():
    difference = paired_difference(TRUE, PRED, OTHER, "ordinal_bias", method="delta")
    moved = PRED - OTHER
    _, degrees = degrees_of_freedom.of_means(moved)
    expected = stats.t.interval(0.95, degrees, moved.mean(), stats.sem(moved))
    np.testing.assert_allclose([difference.low, difference.high], expected, rtol=1e-12)
    assert difference.favours is None
    assert difference.greater_is_better is None
    assert str(difference).startswith("the second is higher by 0.483 (")
    assert "better" not in str(difference)
    assert "favours" not in str(difference.document())
    same = paired_difference(TRUE, PRED, PRED, "ordinal_bias", n_resamples=19, random_state=0)
    assert "equal values" in str(same)


def test_groups_have_the_values_of_their_samples():
    by = np.arange(240) % 2
    report = GroupReport.from_predictions(
        TRUE, PRED, by=by, metrics=NAMES, n_permutations=19, random_state=0
    )
    for name in NAMES:
        for group in (0, 1):
            terms = ERRORS[name](PRED - TRUE)[by == group]
            assert report.by_group[name][str(group)].estimate == pytest.approx(terms.mean())
    assert list(report.overall) == NAMES
    assert "(0 to 1, neither higher nor lower is better)" in str(report)


SYSTEMS = {"a": PRED, "b": OTHER, "c": TRUE}


def test_systems_have_values_and_intervals_but_no_ranks_or_letters():
    options = {"n_resamples": 99, "random_state": 0}
    report = compare_systems(TRUE, SYSTEMS, metrics=["cem_ord", *NAMES], **options)
    assert report.ranks["ordinal_bias"] == report.letters["ordinal_bias"] == {}
    assert report.winners["ordinal_bias"] == ()
    assert list(report.tau) == ["cem_ord"]
    assert report.best_first("ordinal_bias") == ["a", "b", "c"]
    assert report.difference("a", "b", "ordinal_bias").favours is None
    text = str(report)
    assert "ordinal_bias (-4 to 4, neither higher nor lower is better)" in text
    assert max(map(len, text.splitlines())) <= 80
    table = text.split("Systems by ordinal_bias ")[1].splitlines()[1:]
    assert table[0].split() == ["system", "value", "95%", "interval"]
    assert report.verdicts["ordinal_bias"].startswith("By ordinal_bias, systems are not ranked: ")
    only = compare_systems(TRUE, SYSTEMS, metrics="ordinal_bias", **options)
    assert "letter" not in str(only)
    assert only.to_dict()["criteria"]["ordinal_bias"]["better"] == "neither"
    assert {row["rank"] for row in only.to_dict()["values"]} == {None}
    assert "<th>rank" not in only.to_html()
    assert "& rank" not in only.to_latex()
    assert "neither higher nor lower is better" in only.plot().ax_.get_xlabel()
    assert list(compare_systems(TRUE, SYSTEMS, metrics="all", **options).metrics) == [
        name
        for name in ordinal_report(TRUE, PRED, metrics="all", output_dict=True)["criteria"]
        if name not in NAMES
    ]


def test_systems_without_a_value_have_no_extremes():
    @np.errstate(invalid="ignore")
    def nothing(counts):
        return counts.sum(axis=(-2, -1)) * np.nan

    metric = type(get_metric("cem_ord"))("nothing", nothing, greater_is_better=None)
    with pytest.warns(UserWarning, match="nothing"):
        report = compare_systems(TRUE, SYSTEMS, metrics=metric, n_resamples=19, random_state=0)
    assert report.verdicts["nothing"] == "By nothing, no system has a value."


MODEL = LogisticRegression()
RATINGS = OrdinalRatings.from_ratings(np.c_[TRUE, PRED, OTHER], raters=["a", "b", "c"])
REFUSALS = {
    "make_ordinal_scorer": lambda name: make_ordinal_scorer(name),
    "make_ordinal_scorer of a function": lambda name: make_ordinal_scorer(
        get_metric(name).function
    ),
    "compare_estimators": lambda name: compare_estimators({"a": MODEL}, X, TRUE, scoring=name),
    "cross_val_report": lambda name: cross_val_report(MODEL, X, TRUE, scoring=["cem_ord", name]),
    "score_ladder": lambda name: score_ladder(OrdinalConfusion.from_predictions(TRUE, PRED), name),
    "agreement_report": lambda name: agreement_report(RATINGS, metrics=name),
    "compare_judge": lambda name: compare_judge(RATINGS, PRED, metrics=name),
    "optimal decisions": lambda name: OptimalDecisionClassifier(MODEL, metric=name).fit(X, TRUE),
    "tuned cuts": lambda name: TunedOrdinalThresholdClassifierCV(MODEL, scoring=name).fit(X, TRUE),
    "best constant": lambda name: OrdinalDummyClassifier("best_constant", metric=name).fit(X, TRUE),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("name", NAMES)
def test_what_searches_or_ranks_refuses_them_in_one_line(refusal, name):
    reason = f"must have a direction, which {name} does not, since neither higher nor lower values"
    with pytest.raises(ValueError, match=reason) as error:
        refusal(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scoring", [lambda name: name, lambda name: ["accuracy", name]])
def test_searches_of_scikit_learn_say_why_they_refuse_them(name, scoring):
    search = GridSearchCV(MODEL, {"C": [1]}, scoring=scoring(name), refit="accuracy")
    with pytest.raises(ValueError, match=name) as error:
        search.fit(X, TRUE)
    assert "\n" not in str(error.value)


def test_a_name_as_scoring_is_answered_with_the_reason():
    for fit in (
        lambda: GridSearchCV(MODEL, {"C": [1]}, scoring="ordinal_bias").fit(X, TRUE),
        lambda: cross_val_score(MODEL, X, TRUE, scoring="ordinal_bias"),
    ):
        with pytest.raises(ValueError, match=r"^scoring must have a direction, which ordinal_bias"):
            fit()
    assert "ordinal_bias" not in get_scorer_names()
    (names,) = [
        option.options
        for option in GridSearchCV._parameter_constraints["scoring"]
        if hasattr(option, "options")
    ]
    assert type(pickle.loads(pickle.dumps(names))) is set


@pytest.mark.parametrize("name", NAMES)
def test_properties_that_need_a_direction_are_neither_recorded_nor_searched(name):
    metric, report = get_metric(name), check_properties(name, max_matrices=200, n_random=20)
    for name in ("ordinal_monotonic", "strictly_monotonic", "imbalance_aware"):
        assert getattr(metric, name) is getattr(report, name) is None
    for name in ("ordinal_invariant", "prevalence_invariant", "symmetric"):
        assert getattr(metric, name) == getattr(report, name)


def test_a_report_shows_them_without_a_direction():
    report = OrdinalReport.from_predictions(TRUE, PRED, metrics=["ordinal_bias"])
    assert report.to_dict()["criteria"]["ordinal_bias"] == pytest.approx((PRED - TRUE).mean())
    assert OrdinalReport.from_json(io.StringIO(report.to_json())) == report
    assert "neither" in str(report)


def test_a_change_has_a_difference_but_is_neither_better_nor_worse():
    old, new = (OrdinalConfusion.from_predictions(TRUE, pred) for pred in (PRED, OTHER))
    report = report_change(old, new, metrics="ordinal_bias")
    expected = (OTHER - TRUE).mean() - (PRED - TRUE).mean()
    assert report.differences["ordinal_bias"].estimate == pytest.approx(expected)
    assert report.worse_than() is None
    text = " ".join(str(report).split())
    assert "shown to differ, where neither higher nor lower values are better: -0.067 bef" in text
    assert "(neither sign is better)" in report.plot().ax_.get_xlabel()
