"""Comparisons of estimators, checked against cross_val_score and the corrected t-test."""

import sys
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from joblib import parallel_config
from scipy import stats
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    RepeatedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalScale, compare_estimators, get_metric, make_ordinal_scorer
from sklearn_ordinal._core import containers
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal._core.evidence_kinds import RATINGS
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import holm_correction
from sklearn_ordinal.metrics import ordinal_mean_absolute_error, within_n_accuracy_score
from tests.pages import Page
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
# Scorer names, and the sign that turns a score into the value of the metric.
SIGNS = {"cem_ord": 1, "accuracy": 1, "neg_ordinal_mean_absolute_error": -1}
SCORING = list(SIGNS)
FOLDS = list(StratifiedKFold(5, shuffle=True, random_state=1).split(X, Y))
MODELS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "svm": SVC(),
}


def compare(estimators=MODELS, y=Y, **options):
    options = {"cv": FOLDS, "scoring": SCORING, "verbose": False, "random_state": 0, **options}
    return compare_estimators(estimators, X, y, **options)


@pytest.fixture(scope="module")
def comparison():
    return compare()


@pytest.mark.parametrize("criterion", SCORING)
@pytest.mark.parametrize("name", MODELS)
def test_means_match_cross_val_score(criterion, name, comparison):
    scores = SIGNS[criterion] * cross_val_score(MODELS[name], X, Y, cv=FOLDS, scoring=criterion)
    np.testing.assert_allclose(comparison.scores[criterion][name], scores)
    row = table(comparison, criterion)[name]
    assert row.score.estimate == pytest.approx(scores.mean())


@pytest.mark.parametrize("criterion", SCORING)
def test_differences_follow_nadeau_and_bengio(criterion, comparison):
    reference = comparison.best_baseline[criterion]
    assert reference in {"majority class", "median class", "best constant"}
    constant = DummyClassifier(strategy="most_frequent")
    sign = SIGNS[criterion]
    base = sign * cross_val_score(constant, X, Y, cv=FOLDS, scoring=criterion)
    pvalues = []
    for name in MODELS:
        scores = sign * cross_val_score(MODELS[name], X, Y, cv=FOLDS, scoring=criterion)
        differences = scores - base
        error = np.sqrt((1 / 5 + 50 / 200) * differences.var(ddof=1))
        margin = stats.t.ppf(0.975, 4) * error
        pvalues.append(2 * stats.t.sf(abs(differences.mean()) / error, 4))
        found = comparison.one(
            criterion=criterion, estimator=name, against=comparison.best_baseline[criterion]
        )
        assert found.estimate == pytest.approx(differences.mean())
        assert (found.low, found.high) == pytest.approx(
            (differences.mean() - margin, differences.mean() + margin)
        )
        assert found.pvalue == pytest.approx(pvalues[-1])
        assert found.favours == ("first" if sign * differences.mean() > 0 else "second")
    adjusted = [
        comparison.one(
            criterion=criterion, estimator=name, against=comparison.best_baseline[criterion]
        ).adjusted_pvalue
        for name in MODELS
    ]
    np.testing.assert_allclose(adjusted, holm_correction(pvalues))


def test_the_best_baseline_has_the_best_mean(comparison):
    for criterion, sign in SIGNS.items():
        rows = table(comparison, criterion)
        best = max(comparison.baselines, key=lambda name: sign * rows[name].score.estimate)
        reference = comparison.best_baseline[criterion]
        assert rows[reference].score.estimate == rows[best].score.estimate
        assert rows[reference].difference is None


@pytest.mark.parametrize("criterion", SCORING)
def test_ranks_follow_the_means_and_ties_share_the_better_rank(criterion, comparison):
    rows = table(comparison, criterion)
    goodness = SIGNS[criterion] * np.array([row.score.estimate for row in rows.values()])
    expected = stats.rankdata(-goodness, method="min")
    assert [row.rank for row in rows.values()] == expected.tolist()
    assert comparison.winners[criterion] == (list(rows)[int(np.argmax(goodness))],)


def test_the_lowest_loss_is_ranked_first_and_is_probably_better():
    report = compare(scoring=["neg_ordinal_mean_absolute_error", "cem_ord"], rope=0.05)
    assert list(report.metrics) == ["ordinal_mean_absolute_error", "cem_ord"]
    losses = {name: values.mean() for name, values in report.scores[SCORING[2]].items()}
    rows = table(report, "ordinal_mean_absolute_error")
    assert min(rows, key=lambda name: rows[name].rank) == min(losses, key=losses.get)
    assert report.to_frame()["estimator"][0] == min(losses, key=losses.get)
    reference = report.best_baseline["ordinal_mean_absolute_error"]
    assert losses[reference] == min(losses[name] for name in report.baselines)
    constant = DummyClassifier(strategy="most_frequent")
    for name, model in MODELS.items():
        # The scorers are negated, so a positive difference is an improvement.
        gained = np.subtract(
            *(
                cross_val_score(each, X, Y, cv=FOLDS, scoring=SCORING[2])
                for each in (model, constant)
            )
        )
        error = np.sqrt((1 / 5 + 50 / 200) * gained.var(ddof=1))
        posterior = stats.t(4, gained.mean(), error)
        assert rows[name].difference.estimate == pytest.approx(-gained.mean())
        assert rows[name].probability_better == pytest.approx(posterior.sf(0.05))
        assert rows[name].probability_worse == pytest.approx(posterior.cdf(-0.05))
    assert rows["svm"].probability_better > 0.9


def test_texts_say_which_sign_is_better(comparison):
    text = str(comparison)
    # Differences from the best baseline, and of pairs, for each criterion.
    assert text.count("(negative is better)") == 2
    assert text.count("(positive is better)") == 4
    assert "Estimators by ordinal_mean_absolute_error (0 to 4, lower is better)" in text


@pytest.mark.parametrize(
    "either",
    [
        "ordinal_mean_absolute_error",
        "neg_ordinal_mean_absolute_error",
        ordinal_mean_absolute_error,
        make_ordinal_scorer("neg_ordinal_mean_absolute_error"),
        get_metric("ordinal_mean_absolute_error"),
    ],
    ids=["name", "scorer name", "function", "scorer", "metric"],
)
def test_results_are_found_by_any_identifier_of_the_metric(either, comparison):
    name = "ordinal_mean_absolute_error"
    for found in ("metrics", "scores", "ranks", "best_baseline", "rope", "winners"):
        by_metric = getattr(comparison, found)
        assert list(by_metric) == ["cem_ord", "accuracy", name]
        assert by_metric[either] == by_metric[name]
    ropes = {"accuracy": 0.5, either: 0.25, "cem_ord": 0.125}
    assert dict(compare({"tree": MODELS["tree"]}, rope=ropes).rope) == {
        "accuracy": 0.5,
        name: 0.25,
        "cem_ord": 0.125,
    }


@pytest.mark.parametrize("criterion", ["f1_macro", "no metric", len])
def test_a_criterion_that_was_not_requested_raises(criterion, comparison):
    with pytest.raises(KeyError, match="metric must be among"):
        comparison.scores[criterion]


def test_the_default_baselines(comparison):
    assert comparison.baselines == (
        "majority class",
        "stratified guesses",
        "uniform guesses",
        "median class",
        "best constant",
    )
    assert list(comparison.reports) == [*MODELS, *comparison.baselines]


def test_the_best_constant_is_the_best_by_the_first_criterion():
    report = compare(scoring=["macro_averaged_mean_absolute_error", "cem_ord"])
    # The middle one of five classes has the lowest macro-averaged error.
    constant = DummyClassifier(strategy="constant", constant=2)
    expected = cross_val_score(
        constant, X, Y, cv=FOLDS, scoring="neg_macro_averaged_mean_absolute_error"
    )
    row = table(report, "macro_averaged_mean_absolute_error")["best constant"]
    assert row.score.estimate == pytest.approx(-expected.mean())


AXES = ["criterion", "estimator", "against", "what"]
NUMBERS = ["estimate", "low", "high", "standard_error", "pvalue", "adjusted_pvalue"]


def test_frames_have_a_row_for_each_mean_and_each_difference(comparison):
    frame, pairs = comparison.to_frame(), comparison.pairwise().to_frame()
    for found in (frame, pairs):
        assert [*found][:10] == [*AXES, *NUMBERS]
        assert not found.duplicated(AXES).any()
    for criterion, sign in SIGNS.items():
        reference = comparison.best_baseline[criterion]
        of_criterion = frame[frame["criterion"] == comparison.metrics[criterion].name]
        rows = of_criterion.set_index(["estimator", "against"])
        constant = DummyClassifier(strategy="most_frequent")
        base = sign * cross_val_score(constant, X, Y, cv=FOLDS, scoring=criterion)
        for model, estimator in MODELS.items():
            scores = sign * cross_val_score(estimator, X, Y, cv=FOLDS, scoring=criterion)
            mean = rows.loc[model].iloc[0]
            difference = rows.loc[(model, reference)]
            for row, values in ((mean, scores), (difference, scores - base)):
                assert row["estimate"] == pytest.approx(values.mean())
                error = np.sqrt((1 / 5 + 50 / 200) * values.var(ddof=1))
                assert row["standard_error"] == pytest.approx(error)
            assert np.isnan(mean["pvalue"])
            assert difference["adjusted_pvalue"] >= difference["pvalue"]
        # The means, the differences from the best baseline, and three pairs.
        assert len(rows) == len(comparison.reports) + len(MODELS) + 3


def test_a_rope_wider_than_every_difference_makes_equivalence_certain():
    wide, narrow = compare(rope=5.0), compare(rope=0.0)
    for name in MODELS:
        row = table(wide, "cem_ord")[name]
        assert row.probability_equivalent == pytest.approx(1, abs=1e-3)
        row = table(narrow, "cem_ord")[name]
        difference = row.difference
        # With rope=0, the posterior is the t distribution of the test.
        assert row.probability_worse == pytest.approx(difference.pvalue / 2)


def test_constant_baselines_score_zero_if_undefined_and_zero_is_chance():
    report = compare(scoring="kendall_tau_b")
    assert report.one(criterion="kendall_tau_b", estimator="majority class").estimate == 0
    assert np.isnan(report.reports["majority class"].scores["kendall_tau_b"]).all()


def test_baselines_can_be_passed():
    report = compare({"tree": MODELS["tree"]}, baselines={"stump": MODELS["stump"]})
    assert report.baselines == ("stump",)
    assert report.best_baseline["cem_ord"] == "stump"


def test_without_baselines_pairs_of_estimators_are_compared():
    report = compare(baselines=None)
    assert set(report.best_baseline.values()) == {None}
    assert report.baselines == ()
    pairs = {key[1:3] for key in report.rows if key[2] is not None}
    assert set(map(frozenset, pairs)) == set(map(frozenset, combinations(MODELS, 2)))


def test_repeated_folds_have_a_score_each_and_count_samples_once():
    report = compare(cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0))
    assert len(report.reports["tree"].folds) == 15
    assert report.reports["tree"].pooled.confusion.counts.sum() == pytest.approx(len(Y))


def test_strings_with_labels_give_the_same_table(comparison):
    report = compare(y=GRADES[Y], labels=GRADES, baselines="default")
    # Trees break ties by the order of the classes, which is alphabetical for strings.
    for name in ("svm", "majority class", "median class", "best constant"):
        expected = comparison.one(criterion="cem_ord", estimator=name).estimate
        assert report.one(criterion="cem_ord", estimator=name).estimate == pytest.approx(expected)


def test_result_does_not_depend_on_n_jobs(comparison):
    with parallel_config(backend="threading"):
        assert str(compare(n_jobs=2)) == str(comparison)


def test_a_failing_estimator_does_not_affect_the_others(comparison):
    models = {**MODELS, "broken": SVC(C=-1)}
    with pytest.warns(FitFailedWarning, match=r"5 of 45 fits failed.*\n.*SVC\(C=-1\)") as record:
        report = compare(models)
    assert record[0].filename == __file__
    assert [failure.name for failure in report.failures] == ["broken"] * 5
    assert "broken" not in report.reports
    assert report.to_frame().equals(comparison.to_frame())
    assert " ".join(str(report).split()).count("Failed: broken, fold 1, 2, 3, 4, 5, SVC(C=-1)") == 1


def test_params_are_passed_to_the_estimators_but_not_to_the_default_baselines(comparison):
    weight = np.where(Y == 4, 1000.0, 1.0)
    report = compare({"tree": MODELS["tree"]}, params={"sample_weight": weight})
    fitted = DecisionTreeClassifier(max_depth=4, random_state=0)
    accuracy = np.mean(
        [(fitted.fit(X[a], Y[a], weight[a]).predict(X[b]) == Y[b]).mean() for a, b in FOLDS]
    )
    assert report.one(criterion="accuracy", estimator="tree").estimate == pytest.approx(accuracy)
    assert report.one(criterion="accuracy", estimator="majority class") == comparison.one(
        criterion="accuracy", estimator="majority class"
    )


def test_metadata_is_routed_to_each_estimator_that_requests_it(comparison):
    weight = np.where(Y == 4, 1000.0, 1.0)
    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(max_depth=4, random_state=0)
        models = {
            "weighted": tree.set_fit_request(sample_weight=True),
            "plain": DecisionTreeClassifier(max_depth=4, random_state=0).set_fit_request(
                sample_weight=False
            ),
        }
        report = compare(models, baselines=None, params={"sample_weight": weight})
    assert report.one(criterion="accuracy", estimator="plain") == comparison.one(
        criterion="accuracy", estimator="tree"
    )
    assert report.one(criterion="accuracy", estimator="weighted") != report.one(
        criterion="accuracy", estimator="plain"
    )


def test_each_criterion_names_its_best_estimator():
    # The low constant is correct more often; the middle one is closer on average.
    y = np.tile([0, 0, 0, 2, 3, 4, 4], 20)
    models = {
        "low": DummyClassifier(strategy="constant", constant=0),
        "middle": DummyClassifier(strategy="constant", constant=2),
    }
    disagreeing = compare_estimators(
        models,
        np.zeros((len(y), 1)),
        y,
        baselines=None,
        scoring=["accuracy", "neg_ordinal_mean_absolute_error"],
        verbose=False,
    )
    assert disagreeing.verdicts["accuracy"].startswith("By accuracy, low has the best mean of 2")
    assert disagreeing.verdicts["ordinal_mean_absolute_error"].startswith(
        "By ordinal_mean_absolute_error, middle has the best mean of 2 models, "
    )


@pytest.mark.parametrize(
    ("estimators", "options", "message"),
    [
        ({}, {}, "estimators must be a dict"),
        ([SVC()], {}, "estimators must be a dict"),
        ({"a": SVC()}, {"baselines": None}, "at least two"),
        ({"median class": SVC()}, {}, "names of baselines: median class"),
        ({"a": SVC()}, {"baselines": "none"}, "baselines must be"),
        ({"a": SVC()}, {"scoring": []}, "scoring must name"),
        ({"a": SVC()}, {"scoring": ["roc_auk"]}, "scoring: metric must be .* 'roc_auk': did you"),
        ({"a": SVC()}, {"scoring": None}, "scoring: metric must be a name or a callable"),
        ({"a": SVC()}, {"scoring": ["log_loss", "neg_log_loss"]}, "each once"),
        ({"a": SVC()}, {"scoring": ["cem_ord", "cem_ord"]}, "each once"),
        (
            {"a": SVC()},
            {"scoring": {"cem_ord", "accuracy"}},
            "scoring must be .* got a set",
        ),
        ({"a": SVC()}, {"scoring": frozenset(["cem_ord"])}, "scoring must be .* in order, got a f"),
        ({"a": SVC()}, {"scoring": {"accuracy": "cem_ord"}}, "scoring must not name cem_ord"),
        ({"a": SVC()}, {"rope": {"cem_ord": 1}}, "rope must have one number for each of"),
        ({1: SVC()}, {}, "strings as names"),
        ({"a": SVC()}, {"baselines": {2: SVC()}}, "baselines must have strings"),
        ({"a": SVC()}, {"rope": -1}, "rope"),
        ({"a": SVC()}, {"confidence_level": 2}, "confidence_level"),
    ],
)
def test_errors_name_the_invalid_argument(estimators, options, message):
    with pytest.raises(ValueError, match=message):
        compare(estimators, **options)


class Flaky(DecisionTreeClassifier):
    """Fails unless the training data begin with the accepted row."""

    def __init__(self, accepted=None, max_depth=4, random_state=0):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.accepted = accepted

    def fit(self, X, y, sample_weight=None):
        if self.accepted is None or not (X[0] == self.accepted).all():
            raise RuntimeError("these data are refused")
        return super().fit(X, y, sample_weight)


SHIFTED = [(np.roll(train, -7 * i), test) for i, (train, test) in enumerate(FOLDS)]
EASIEST = max(
    range(5),
    key=lambda i: (
        MODELS["tree"]
        .fit(*(a[FOLDS[i][0]] for a in (X, Y)))
        .score(*(a[FOLDS[i][1]] for a in (X, Y)))
    ),
)
FLAKY = Flaky(X[SHIFTED[EASIEST][0][0]])


def works_on(flaky):
    return [i for i in range(5) if (X[SHIFTED[i][0][0]] == flaky.accepted).all()]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_an_estimator_that_fails_on_some_folds_cannot_win():
    assert 0 < len(works_on(FLAKY)) < 5
    report = compare({"tree": MODELS["tree"], "flaky": FLAKY}, cv=SHIFTED, scoring="accuracy")
    rows = table(report, "accuracy")
    assert rows["flaky"].score.estimate > rows["tree"].score.estimate
    assert rows["flaky"].rank == len(rows)
    assert report.winners["accuracy"] == ("tree",)
    row = Page(report.to_html()).rows("Estimators by accuracy")["flaky"]
    assert row["undefined folds"][0] == str(5 - len(works_on(FLAKY)))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_the_sentence_says_that_the_best_is_one_of_those_with_all_folds():
    report = compare(
        {"stump": MODELS["stump"], "flaky": FLAKY}, cv=SHIFTED, scoring="accuracy", baselines=None
    )
    assert report.one(estimator="flaky").estimate > report.one(estimator="stump").estimate
    assert report.verdicts["accuracy"].startswith(
        "By accuracy, stump has the best mean of 1 with a value on every fold, of 2 models, "
    )


def test_a_second_place_may_be_shared():
    models = {"svm": MODELS["svm"], "a": MODELS["stump"], "b": MODELS["stump"]}
    assert "It beats a, tied for second" in compare(models, scoring="cem_ord").verdicts["cem_ord"]


def test_the_hint_names_the_argument():
    text = " ".join(str(compare({"tree": MODELS["tree"]}, scoring="all", cv=2)).split())
    assert "Name criteria in scoring= to show their intervals and tests" in text


def test_names_with_dashes_keep_their_pairs():
    names = ["a", "b - c", "a - b", "c"]
    models = dict(zip(names, [MODELS["stump"], *MODELS.values()], strict=True))
    table_of_pairs = compare(models, scoring="cem_ord").document()
    (pairs,) = (p for p in table_of_pairs.parts if getattr(p, "title", "").startswith("Pairs"))
    assert len(pairs.rows) == 6


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"estimator": "oak"}, "estimator must be among .*'svm'.*, got 'oak'"),
        ({"estimator": "svm", "against": "oak"}, "against must be among .*, got 'oak'"),
        ({"model": "svm"}, "axis must be among .*'estimator'.*, got 'model'"),
        ({"criterion": "nonsense"}, "criterion must be"),
        ({"criterion": np.array(["x"])}, "criterion must be"),
        ({"estimator": "stump", "against": "tree"}, "there is no row with .* as in .* against="),
    ],
)
def test_a_row_that_is_not_there_is_an_error_that_names_the_axis(members, message, comparison):
    with pytest.raises(ValueError, match=message):
        comparison.one(**members)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_baseline_that_fails_on_some_folds_is_not_the_reference():
    report = compare(
        {"tree": MODELS["tree"]}, cv=SHIFTED, baselines={"flaky": FLAKY, "stump": MODELS["stump"]}
    )
    assert set(report.best_baseline.values()) == {"stump"}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("baselines", [None, {"lost": Flaky()}])
def test_nothing_is_tested_if_the_reference_cannot_be_fitted(baselines, comparison):
    models = dict(MODELS) if baselines else {"lost": Flaky(), **MODELS}
    report = compare(models, baselines=baselines)
    assert set(report.best_baseline.values()) == {None}
    assert {key[2] for key in report.rows} <= {None, *MODELS}
    (expected, *_) = comparison.verdicts["cem_ord"].split(" It beats majority class")
    assert report.verdicts["cem_ord"] == expected
    assert report.winners == comparison.winners


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_it_raises_if_only_baselines_can_be_fitted():
    with pytest.raises(ValueError, match=r"(?s)No estimator could be fitted.*data are refused"):
        compare({"broken": Flaky()})


def test_equal_means_are_ties_and_not_disagreements():
    report = compare(
        {"weak": MODELS["stump"], "strong": MODELS["tree"]},
        baselines=None,
        scoring=["minimum_sensitivity", "cem_ord"],
    )
    assert report.winners["minimum_sensitivity"] == ("weak", "strong")
    assert report.verdicts["minimum_sensitivity"].startswith(
        "By minimum_sensitivity, weak and strong are tied for the best mean of 2 models, 0.000. "
    )
    constant = compare({"mine": DummyClassifier(strategy="most_frequent")}, scoring="accuracy")
    equal = ("mine", "majority class", "median class", "best constant")
    assert constant.winners["accuracy"] == equal


def test_rounding_differences_count_as_zero():
    y = np.repeat([0, 1, 2], 20)
    folds = [(np.arange(60), np.arange(60))] * 5
    low, high = y.copy(), y.copy()
    low[:3], high[-3:] = 1, 1

    class Fixed(ClassifierMixin, BaseEstimator):
        def __init__(self, answers=None):
            self.answers = answers

        def fit(self, _, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.array(self.answers)[X[:, 0]]

    report = compare_estimators(
        {"low": Fixed(tuple(low)), "high": Fixed(tuple(high))},
        np.arange(60)[:, None],
        y,
        cv=folds,
        baselines=None,
        scoring=["neg_uniform_ordinal_classification_index"],
        verbose=False,
    )
    rows = table(report, "neg_uniform_ordinal_classification_index")
    name = "uniform_ordinal_classification_index"
    assert report.one(criterion=name, estimator="low", against="high").pvalue == 1
    assert rows["high"].rank == rows["low"].rank == 1


def test_default_baselines_request_no_metadata():
    weight = np.where(Y == 4, 1000.0, 1.0)
    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(max_depth=4, random_state=0)
        report = compare(
            {"tree": tree.set_fit_request(sample_weight=True)}, params={"sample_weight": weight}
        )
    plain = compare({"tree": MODELS["tree"]}, params={"sample_weight": weight})
    assert str(report) == str(plain)


@pytest.mark.parametrize("options", [{"rope": "x"}, {"confidence_level": 95}])
def test_arguments_are_checked_before_the_first_fit(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        compare({"never fitted": Flaky()}, **options)
    with pytest.raises(ValueError, match=r"^'no estimator' must be a classifier .* got a str.$"):
        compare({"never fitted": Flaky(), "no estimator": "svm"})


def test_all_stands_for_the_metrics_of_the_package():
    report = compare({"tree": MODELS["tree"]}, baselines={"stump": MODELS["stump"]}, scoring="all")
    assert list(report.scores) == [
        n
        for n, metric in METRICS.items()
        if metric.evidence is not RATINGS and metric.greater_is_better is not None
    ]
    # The verdicts would fill pages.
    first, *others = report.verdicts.values()
    text = " ".join(str(report).split())
    assert text.startswith(f"{first} 5 folds of")
    assert not any(verdict in text for verdict in others)


class Continuous(ClassifierMixin, Ridge):
    """Claims to be a classifier."""


def test_an_error_about_predictions_is_one_line():
    message = (
        r"No estimator could be fitted. The first error: ValueError: .*, got continuous values.*$"
    )
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match=message) as info:
        compare({"continuous": Continuous()}, cv=2)
    assert "\n" not in str(info.value)


def test_criteria_can_be_functions_with_options_and_have_their_own_rope():
    within_two = partial(within_n_accuracy_score, n=2)
    name = "within_n_accuracy(n=2)"
    report = compare(
        scoring=[within_two, "neg_ordinal_mean_squared_error"],
        rope={name: 0.0, "neg_ordinal_mean_squared_error": 100.0},
    )
    assert list(report.metrics) == [name, "ordinal_mean_squared_error"]
    assert table(report, "neg_ordinal_mean_squared_error")["svm"].probability_equivalent > 0.999
    predicted = cross_val_predict(SVC(), X, Y, cv=FOLDS)
    expected = np.mean([(np.abs(Y[test] - predicted[test]) <= 2).mean() for _, test in FOLDS])
    assert report.one(criterion=name, estimator="svm").estimate == pytest.approx(expected)


def test_undefined_values_that_count_as_zero_are_named():
    text = " ".join(str(compare(scoring="kendall_tau_b")).split())
    assert "counted as 0: majority class, median class, best constant." in text


def test_logistic_regression_on_all_of_lev_beats_every_baseline():
    data, target = load_lev(return_X_y=True)
    report = compare_estimators(
        {"logistic": make_pipeline(StandardScaler(), LogisticRegression())},
        data,
        target,
        verbose=False,
        random_state=0,
    )
    row = table(report, "cem_ord")["logistic"]
    assert row.rank == 1
    assert row.difference.low > 0
    assert row.adjusted_pvalue < 0.05


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_criterion_without_values_has_no_winner():
    def never_score(estimator, X, y):  # noqa: ARG001
        raise RuntimeError("never")

    report = compare({"tree": MODELS["tree"]}, scoring=[never_score, "cem_ord"])
    assert report.winners["never"] == ()
    assert report.winners["cem_ord"] == ("tree",)
    assert report.verdicts["never"] == "By never, no model has a value on any fold."


def test_an_infinite_mean_is_worse_than_every_finite_one():
    def odd_loss(y_true, y_pred):
        is_constant = len(np.unique(y_pred)) == 1
        return np.inf if is_constant else float(np.abs(y_true - y_pred).mean())

    report = compare(scoring=odd_loss)
    rows = table(report, "odd_loss")
    means = [row.score.estimate for row in rows.values()]
    assert np.isinf(means).any()
    np.testing.assert_array_equal(
        [row.rank for row in rows.values()], stats.rankdata(means, method="min")
    )
    assert report.best_baseline["odd_loss"] == "stratified guesses"
    assert "counted as 0" not in str(report)


@pytest.mark.parametrize(
    ("y", "labels"), [(Y, None), (GRADES[Y], GRADES)], ids=["integers", "strings"]
)
def test_labels_are_inspected_once_and_predictions_once_per_fit(y, labels, monkeypatch):
    inspected, checked = [], []
    read_column, from_labels = containers.read_column, OrdinalScale.from_labels

    def read(values, name):
        inspected.append(name)
        return read_column(values, name)

    def check(labels):
        checked.append(labels)
        return from_labels(labels)

    for name, module in list(sys.modules.items()):
        if name.startswith("sklearn_ordinal.") and hasattr(module, "read_column"):
            monkeypatch.setattr(module, "read_column", read)
    monkeypatch.setattr(OrdinalScale, "from_labels", check)
    report = compare({"tree": MODELS["tree"]}, y, labels=labels, scoring="cem_ord")
    assert len(report.reports) == 6
    assert inspected
    # y, and the predictions of six estimators on five folds.
    assert len(inspected) - inspected.count("labels") <= 1 + 6 * 5
    assert inspected.count("labels") == len(checked) == (labels is not None)
