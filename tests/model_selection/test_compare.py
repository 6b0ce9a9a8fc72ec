import pickle
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
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

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import holm_correction
from sklearn_ordinal.metrics import within_n_accuracy_score

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
SCORING = ["cem_ord", "accuracy", "neg_ordinal_mean_absolute_error"]
FOLDS = list(StratifiedKFold(5, shuffle=True, random_state=1).split(X, Y))
MODELS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "svm": SVC(),
}


def compare(estimators=MODELS, y=Y, **options):
    options = {"cv": FOLDS, "scoring": SCORING, "verbose": False, "random_state": 0, **options}
    return compare_estimators(estimators, X, y, **options)


COMPARISON = compare()


@pytest.mark.parametrize("criterion", SCORING)
@pytest.mark.parametrize("name", MODELS)
def test_means_are_those_of_cross_val_score(criterion, name):
    scores = cross_val_score(MODELS[name], X, Y, cv=FOLDS, scoring=criterion)
    np.testing.assert_allclose(COMPARISON.scores[criterion][name], scores)
    row = COMPARISON.table[criterion][name]
    assert row.score.estimate == pytest.approx(scores.mean())


@pytest.mark.parametrize("criterion", SCORING)
def test_differences_follow_nadeau_and_bengio(criterion):
    reference = COMPARISON.best_baseline[criterion]
    assert reference in {"majority class", "median class", "best constant"}
    constant = DummyClassifier(strategy="most_frequent")
    base = cross_val_score(constant, X, Y, cv=FOLDS, scoring=criterion)
    pvalues = []
    for name in MODELS:
        scores = cross_val_score(MODELS[name], X, Y, cv=FOLDS, scoring=criterion)
        differences = scores - base
        error = np.sqrt((1 / 5 + 50 / 200) * differences.var(ddof=1))
        margin = stats.t.ppf(0.975, 4) * error
        pvalues.append(2 * stats.t.sf(abs(differences.mean()) / error, 4))
        found = COMPARISON.table[criterion][name].difference
        assert found.estimate == pytest.approx(differences.mean())
        assert (found.low, found.high) == pytest.approx(
            (differences.mean() - margin, differences.mean() + margin)
        )
        assert found.pvalue == pytest.approx(pvalues[-1])
    adjusted = [COMPARISON.table[criterion][name].adjusted_pvalue for name in MODELS]
    np.testing.assert_allclose(adjusted, holm_correction(pvalues))


def test_the_best_baseline_is_the_one_of_the_highest_mean():
    for criterion, rows in COMPARISON.table.items():
        best = max(COMPARISON.baselines, key=lambda name: rows[name].score.estimate)
        reference = COMPARISON.best_baseline[criterion]
        assert rows[reference].score.estimate == rows[best].score.estimate
        assert rows[reference].difference is None


def test_ranks_are_by_mean_with_ties_sharing_the_better_place():
    rows = COMPARISON.table["cem_ord"]
    means = [row.score.estimate for row in rows.values()]
    expected = stats.rankdata(-np.array(means), method="min")
    assert [row.rank for row in rows.values()] == expected.tolist()
    assert COMPARISON.winners["cem_ord"] == (list(rows)[int(np.argmax(means))],)


def test_the_default_baselines_are_these():
    assert COMPARISON.baselines == (
        "majority class",
        "stratified guesses",
        "uniform guesses",
        "median class",
        "best constant",
    )
    assert list(COMPARISON.reports) == [*MODELS, *COMPARISON.baselines]


def test_the_best_constant_is_the_best_by_the_first_criterion():
    report = compare(scoring=["neg_macro_averaged_mean_absolute_error", "cem_ord"])
    # The middle of five classes has the least macro-averaged error.
    constant = DummyClassifier(strategy="constant", constant=2)
    expected = cross_val_score(
        constant, X, Y, cv=FOLDS, scoring="neg_macro_averaged_mean_absolute_error"
    )
    row = report.table["neg_macro_averaged_mean_absolute_error"]["best constant"]
    assert row.score.estimate == pytest.approx(expected.mean())


def test_probabilities_of_a_region_that_holds_every_difference_are_certain():
    wide, narrow = compare(rope=5.0), compare(rope=0.0)
    for name in MODELS:
        row = wide.table["cem_ord"][name]
        assert row.probability_equivalent == pytest.approx(1, abs=1e-3)
        row = narrow.table["cem_ord"][name]
        difference = row.difference
        # Without a region, the posterior is the t distribution of the test.
        assert row.probability_worse == pytest.approx(difference.pvalue / 2)


def test_constant_baselines_score_zero_where_zero_is_chance():
    report = compare(scoring="kendall_tau_b")
    assert report.table["kendall_tau_b"]["majority class"].score.estimate == 0
    assert np.isnan(report.reports["majority class"].scores["kendall_tau_b"]).all()


def test_baselines_may_be_given():
    report = compare({"tree": MODELS["tree"]}, baselines={"stump": MODELS["stump"]})
    assert report.baselines == ("stump",)
    assert report.best_baseline["cem_ord"] == "stump"


def test_without_baselines_the_first_estimator_is_the_reference():
    report = compare(baselines=None)
    assert report.best_baseline == dict.fromkeys(SCORING, "stump")
    assert report.baselines == ()
    row = report.table["cem_ord"]
    assert row["stump"].difference is None
    assert row["tree"].adjusted_pvalue >= row["tree"].difference.pvalue


def test_repeated_folds_count_each_score():
    report = compare(cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0))
    assert len(report.reports["tree"].folds) == 15
    assert report.reports["tree"].pooled.confusion.counts.sum() == 3 * len(Y)


def test_strings_with_labels_give_the_same_table():
    report = compare(y=GRADES[Y], labels=GRADES, baselines="default")
    # Trees break ties by the order of the classes, which is alphabetical for strings.
    for name in ("svm", "majority class", "median class", "best constant"):
        expected = COMPARISON.table["cem_ord"][name].score.estimate
        assert report.table["cem_ord"][name].score.estimate == pytest.approx(expected)


def test_the_result_does_not_depend_on_the_number_of_jobs():
    assert str(compare(n_jobs=2)) == str(COMPARISON)


def test_a_failing_estimator_loses_no_other():
    models = {**MODELS, "broken": SVC(C=-1)}
    with pytest.warns(FitFailedWarning, match=r"5 of 45 fits failed.*\n.*SVC\(C=-1\)") as record:
        report = compare(models)
    assert record[0].filename == __file__
    assert [failure.name for failure in report.failures] == ["broken"] * 5
    assert "broken" not in report.reports
    assert report.to_frame().equals(COMPARISON.to_frame())
    assert str(report).count("Failed: broken, fold 1, 2, 3, 4, 5, SVC(C=-1)") == 1


def test_params_reach_the_estimators_and_not_the_default_baselines():
    weight = np.where(Y == 4, 1000.0, 1.0)
    report = compare({"tree": MODELS["tree"]}, params={"sample_weight": weight})
    fitted = DecisionTreeClassifier(max_depth=4, random_state=0)
    accuracy = np.mean(
        [(fitted.fit(X[a], Y[a], weight[a]).predict(X[b]) == Y[b]).mean() for a, b in FOLDS]
    )
    assert report.table["accuracy"]["tree"].score.estimate == pytest.approx(accuracy)
    assert (
        report.table["accuracy"]["majority class"].score
        == COMPARISON.table["accuracy"]["majority class"].score
    )


def test_metadata_is_routed_to_each_estimator_that_requests_it():
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
    assert report.table["accuracy"]["plain"].score == COMPARISON.table["accuracy"]["tree"].score
    assert report.table["accuracy"]["weighted"].score != report.table["accuracy"]["plain"].score


def test_the_text_has_a_table_per_criterion_that_fits_a_terminal():
    text = str(COMPARISON)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert "neg_ordinal_mean_absolute_error (-4 to 0, higher is better)" in lines
    assert sum(line.startswith("rank ") for line in lines) == len(SCORING)
    first = lines[4].split()
    assert first[0] == "1"
    assert text.endswith("\n")


def test_it_says_whether_the_criteria_agree_on_the_winner():
    agreeing = compare(scoring="accuracy")
    (winner,) = agreeing.winners["accuracy"]
    assert str(agreeing).splitlines()[-1] == f"Highest mean by accuracy: {winner}."
    # A low constant is exact more often, the middle is nearer on average.
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
    assert "The criteria disagree on the highest mean: low by accuracy; middle by" in str(
        disagreeing
    ).replace("\n", " ").replace("  ", " ")


def test_frame_and_dict_hold_the_same_numbers():
    numbers = COMPARISON.to_dict()
    frame = COMPARISON.to_frame("accuracy")
    assert frame["rank"].is_monotonic_increasing
    row = numbers["criteria"]["accuracy"]["estimators"]["tree"]
    assert frame.loc["tree"].to_dict() == row
    assert numbers["criteria"]["accuracy"]["winners"] == [frame.index[0]]
    assert numbers["reports"]["svm"] == COMPARISON.reports["svm"].to_dict()
    with pytest.raises(ValueError, match="criterion must be one of"):
        COMPARISON.to_frame("f1_macro")


def test_comparisons_pickle():
    assert str(pickle.loads(pickle.dumps(COMPARISON))) == str(COMPARISON)


@pytest.mark.parametrize(
    ("estimators", "options", "message"),
    [
        ({}, {}, "estimators must be a dict"),
        ([SVC()], {}, "estimators must be a dict"),
        ({"a": SVC()}, {"baselines": None}, "two at least"),
        ({"median class": SVC()}, {}, "names of baselines: median class"),
        ({"a": SVC()}, {"baselines": "none"}, "baselines must be"),
        ({"a": SVC()}, {"scoring": "ordinal_mean_absolute_error"}, "'neg_ordinal_mean"),
        ({"a": SVC()}, {"scoring": []}, "scoring must name"),
        ({"a": SVC()}, {"scoring": ["roc_auc"]}, "got 'roc_auc'"),
        ({"a": SVC()}, {"scoring": None}, "scoring must hold"),
        ({"a": SVC()}, {"scoring": ["cem_ord", "cem_ord"]}, "each once"),
        ({"a": SVC()}, {"rope": {"cem_ord": 1}}, "rope must have one number for each of"),
        ({1: SVC()}, {}, "strings as names"),
        ({"a": SVC()}, {"baselines": {2: SVC()}}, "baselines must have strings"),
        ({"a": SVC()}, {"rope": -1}, "rope"),
        ({"a": SVC()}, {"confidence_level": 2}, "confidence_level"),
    ],
)
def test_bad_arguments_are_named(estimators, options, message):
    with pytest.raises(ValueError, match=message):
        compare(estimators, **options)


class Flaky(DecisionTreeClassifier):
    """Refuses training data that do not begin with a certain row."""

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
    rows = report.table["accuracy"]
    assert rows["flaky"].score.estimate > rows["tree"].score.estimate
    assert rows["flaky"].rank == len(rows)
    assert report.winners["accuracy"] == ("tree",)
    assert f"flaky ({len(works_on(FLAKY))} of 5 folds)" in str(report)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_baseline_that_fails_on_some_folds_is_not_the_reference():
    report = compare(
        {"tree": MODELS["tree"]}, cv=SHIFTED, baselines={"flaky": FLAKY, "stump": MODELS["stump"]}
    )
    assert set(report.best_baseline.values()) == {"stump"}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("baselines", [None, {"lost": Flaky()}])
def test_without_a_reference_there_are_no_tests(baselines):
    models = dict(MODELS) if baselines else {"lost": Flaky(), **MODELS}
    report = compare(models, baselines=baselines)
    assert set(report.best_baseline.values()) == {None}
    assert report.to_frame()[["difference", "pvalue", "adjusted_pvalue"]].isna().all(axis=None)
    assert "What the others are compared with could not be fitted" in str(report)
    assert report.winners == COMPARISON.winners


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_if_no_estimator_can_be_fitted_baselines_alone_are_no_comparison():
    with pytest.raises(ValueError, match=r"(?s)No estimator could be fitted.*data are refused"):
        compare({"broken": Flaky()})


def test_equal_means_are_tied_and_not_in_disagreement():
    report = compare(
        {"weak": MODELS["stump"], "strong": MODELS["tree"]},
        baselines=None,
        scoring=["minimum_sensitivity", "cem_ord"],
    )
    assert report.winners["minimum_sensitivity"] == ("weak", "strong")
    assert "Highest mean by all 2 criteria: strong." in str(report)
    constant = compare({"mine": DummyClassifier(strategy="most_frequent")}, scoring="accuracy")
    assert "mine and majority class and median class and best constant (tied)" in " ".join(
        str(constant).split()
    )


def test_differences_by_rounding_are_none():
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
    rows = report.table["neg_uniform_ordinal_classification_index"]
    assert rows["high"].difference.pvalue == 1
    assert rows["high"].rank == rows["low"].rank == 1


def test_default_baselines_ask_for_no_metadata():
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
    with pytest.raises(TypeError, match="Cannot clone object"):
        compare({"never fitted": Flaky(), "no estimator": "svm"})


def test_criteria_may_be_functions_with_options_and_have_ropes_of_their_own():
    within_two = partial(within_n_accuracy_score, n=2)
    name = "within_n_accuracy(n=2)"
    report = compare(
        scoring=[within_two, "neg_ordinal_mean_squared_error"],
        rope={name: 0.0, "neg_ordinal_mean_squared_error": 100.0},
    )
    assert report.scoring == (name, "neg_ordinal_mean_squared_error")
    assert report.table["neg_ordinal_mean_squared_error"]["svm"].probability_equivalent > 0.999
    predicted = cross_val_predict(SVC(), X, Y, cv=FOLDS)
    expected = np.mean([(np.abs(Y[test] - predicted[test]) <= 2).mean() for _, test in FOLDS])
    assert report.table[name]["svm"].score.estimate == pytest.approx(expected)


def test_undefined_values_that_count_as_zero_are_named():
    text = " ".join(str(compare(scoring="kendall_tau_b")).split())
    assert "count as 0: majority class, median class, best constant." in text


def test_long_names_have_a_line_of_their_own():
    report = compare({"support vectors with the radial kernel " * 3: SVC()}, scoring=SCORING)
    lines = str(report).splitlines()
    assert max(len(line) for line in lines if "support vectors" not in line) <= 80


def test_logistic_regression_on_all_of_lev_beats_every_baseline():
    data, target = load_lev(return_X_y=True)
    report = compare_estimators(
        {"logistic": make_pipeline(StandardScaler(), LogisticRegression())},
        data,
        target,
        verbose=False,
    )
    row = report.table["cem_ord"]["logistic"]
    assert row.rank == 1
    assert row.difference.low > 0
    assert row.adjusted_pvalue < 0.05
