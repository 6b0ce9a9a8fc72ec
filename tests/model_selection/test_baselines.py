"""Baselines that guess, checked against an enumeration of all guesses."""

import itertools
import warnings
from functools import cache

import numpy as np
import pytest
from joblib import parallel_config
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators
from sklearn_ordinal._core.catalogue import metrics_of, score_if_undefined
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import LABELS, PROBABILITIES, SCORES
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from tests.reports.comparisons import table

METRICS = {n: m for n, m in metrics_of(LABELS, PROBABILITIES, SCORES).items() if m.scorer_name}
X = np.arange(11.0)[:, None]
Y = np.array([0, 0, 1, 2, 1, 1, 0, 2, 2, 1, 0])
# The test samples of each fold, and a training fold without the highest class.
TESTS = [np.array([0, 3, 4, 5]), np.array([1, 2, 6, 7, 8])]
SPLITS = [(np.setdiff1d(np.arange(11), test), test) for test in TESTS]
WITHOUT_HIGHEST = [(np.flatnonzero(Y < 2), TESTS[1]), SPLITS[0]]
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
SCALE = OrdinalScale([0, 1, 2])
GUESSES = {
    "stratified": OrdinalDummyClassifier("stratified", random_state=0),
    "uniform": OrdinalDummyClassifier("uniform", random_state=1),
}


def compare(scoring, baselines=GUESSES, splits=SPLITS, **options):
    options = {"baselines": baselines, "scoring": scoring, "cv": splits, "verbose": False} | options
    return compare_estimators(options.pop("estimators", MODELS), X, Y, labels=SCALE, **options)


def shares_of(strategy, train):
    sizes = np.bincount(Y[train], minlength=3)
    return sizes / sizes.sum() if strategy == "stratified" else (sizes > 0) / (sizes > 0).sum()


def evidence_of(metric, y_true, y_pred, strategy, shares):
    return evidence_of_guess(
        metric.evidence.name, tuple(y_true), tuple(y_pred), strategy, tuple(shares)
    )


@cache
def evidence_of_guess(kind, y_true, y_pred, strategy, shares):
    if kind == "labels":
        return OrdinalConfusion.from_predictions(y_true, y_pred, labels=SCALE)
    proba = np.eye(3)[[*y_pred]] if strategy == "stratified" else np.tile(shares, (len(y_pred), 1))
    if kind == "probabilities":
        return OrdinalForecasts.from_probabilities(y_true, proba, labels=SCALE)
    return OrdinalScores.from_scores(y_true, proba @ np.arange(3), labels=SCALE)


def enumerated(value, strategy, train, test):
    """Return the mean and the variance over all guesses, each with its probability."""
    shares = shares_of(strategy, train)
    guesses = list(itertools.product(range(3), repeat=len(test)))
    probabilities = np.array([shares[list(guess)].prod() for guess in guesses])
    values = np.array(
        [
            value(Y[test], np.array(guess), shares) if p else 0.0
            for guess, p in zip(guesses, probabilities, strict=True)
        ]
    )
    mean = probabilities @ values
    return mean, probabilities @ (values - mean) ** 2


def enumerated_metric(metric, strategy, splits):
    def value(y_true, y_pred, shares):
        found = float(metric(evidence_of(metric, y_true, y_pred, strategy, shares)))
        return score_if_undefined(metric) if np.isnan(found) else found

    return np.array([enumerated(value, strategy, *split) for split in splits]).T


@pytest.fixture(
    scope="module", params=[SPLITS, WITHOUT_HIGHEST], ids=["all", "without the highest"]
)
def splits_and_report(request):
    """Return splits and the report of all criteria, whose scores do not depend on each other."""
    with warnings.catch_warnings():
        # A training fold lacks a class, and some criteria are undefined.
        warnings.simplefilter("ignore")
        return request.param, compare([*METRICS.values()], splits=request.param)


@pytest.mark.parametrize("strategy", GUESSES)
@pytest.mark.parametrize("name", METRICS)
def test_scores_of_guesses_are_the_expectation_over_all_of_them(name, strategy, splits_and_report):
    splits, report = splits_and_report
    metric = METRICS[name]
    means, variances = enumerated_metric(metric, strategy, splits)
    if np.isnan(means).any():
        pytest.skip("it is undefined for some guesses, and has no worst value")
    row = table(report, name)[strategy]
    scores = report.scores[name][strategy]
    if row.n_draws == 0:
        assert row.simulation_error == 0
        np.testing.assert_allclose(scores, means, rtol=0, atol=1e-12)
    else:
        assert row.n_draws >= 1000
        errors = np.sqrt(variances / row.n_draws)
        assert (np.abs(scores - means) <= 5 * errors + 1e-12).all()
        expected = np.sqrt((errors**2).sum()) / len(splits)
        assert row.simulation_error == pytest.approx(expected, rel=0.25)
    assert row.score.estimate == pytest.approx(scores.mean())


EXACT = """cem_ord cem_ord_adjusted cem_int accuracy balanced_accuracy ordinal_mean_absolute_error
    macro_averaged_mean_absolute_error quadratic_weighted_kappa linear_weighted_kappa kendall_tau_b
    spearman_correlation concordance threshold_roc_auc ranked_probability_score log_loss
    brier_score ranked_probability_skill expected_cem_ord cem_ord_decision unimodality"""


@pytest.mark.parametrize("name", EXACT.split())
def test_the_expectation_is_exact_where_it_follows_from_the_class_sizes(name):
    rows = table(compare(METRICS[name]), name)
    assert [rows[guess].n_draws for guess in GUESSES] == [0, 0]
    assert rows["tree"].n_draws is None
    assert np.isnan(rows["tree"].simulation_error)


@pytest.mark.parametrize("strategy", GUESSES)
def test_a_function_of_labels_is_the_mean_of_draws_of_predictions(strategy):
    def value(y_true, y_pred, _):
        return balanced_accuracy_score(y_true, y_pred, adjusted=True) ** 2

    def squared_score(y_true, y_pred):
        return value(y_true, y_pred, None)

    report = compare(squared_score)
    row, scores = table(report, "squared")[strategy], report.scores["squared"][strategy]
    means, variances = np.array([enumerated(value, strategy, *split) for split in SPLITS]).T
    assert 16 <= row.n_draws <= 64
    assert (np.abs(scores - means) <= 5 * np.sqrt(variances / row.n_draws)).all()


@pytest.mark.parametrize("dummy", [OrdinalDummyClassifier, DummyClassifier])
@pytest.mark.parametrize("strategy", GUESSES)
def test_a_scorer_is_the_mean_over_random_states(strategy, dummy):
    def value(y_true, y_pred, _):
        return (y_true == y_pred).mean() ** 2

    def squared_accuracy_score(estimator, X, y):
        # Both responses are of one draw, as of a single random state.
        if strategy == "stratified":
            np.testing.assert_array_equal(
                estimator.predict(X), estimator.predict_proba(X).argmax(axis=1)
            )
        return value(y, estimator.predict(X), None)

    report = compare(squared_accuracy_score, {"guess": dummy(strategy=strategy, random_state=0)})
    row, scores = table(report, "squared_accuracy")["guess"], report.scores["squared_accuracy"]
    means, variances = np.array([enumerated(value, strategy, *split) for split in SPLITS]).T
    assert 16 <= row.n_draws <= 64
    assert (np.abs(scores["guess"] - means) <= 5 * np.sqrt(variances / row.n_draws)).all()


def test_uniform_guesses_have_constant_probabilities():
    report = compare("neg_log_loss")
    assert table(report, "log_loss")["uniform"].n_draws == 0
    np.testing.assert_allclose(report.scores["log_loss"]["uniform"], np.log(3))


@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa", "log_loss", "concordance"])
@pytest.mark.parametrize("strategy", GUESSES)
def test_guesses_are_scored_at_the_prevalence(strategy, name):
    metric, prevalence = METRICS[name], np.array([0.2, 0.3, 0.5])
    report = compare(metric, prevalence=prevalence)
    row, scores = table(report, name)[strategy], report.scores[name][strategy]

    def value(y_true, y_pred, shares):
        weights = (prevalence * len(y_true) / np.bincount(y_true, minlength=3))[y_true]
        evidence = evidence_of(metric, y_true, y_pred, strategy, shares)
        if metric.evidence.name == "labels":
            found = metric(evidence.at_prevalence(prevalence))
        else:
            found = metric(evidence.reweighted(weights))
        return 0.0 if np.isnan(found) else float(found)

    means, variances = np.array([enumerated(value, strategy, *split) for split in SPLITS]).T
    n_draws = row.n_draws or np.inf
    assert (np.abs(scores - means) <= 5 * np.sqrt(variances / n_draws) + 1e-12).all()


def test_scores_of_guesses_do_not_depend_on_jobs_or_other_criteria():
    criteria = ["goodman_kruskal_gamma", "f1_macro"]
    alone, both = compare(criteria[:1]), compare(criteria)
    with parallel_config(backend="threading"):
        parallel = compare(criteria, n_jobs=2)
    for strategy in GUESSES:
        values = [report.scores[criteria[0]][strategy] for report in (alone, both, parallel)]
        np.testing.assert_array_equal(values[0], values[1])
        np.testing.assert_array_equal(values[0], values[2])


def test_the_simulation_error_is_small_beside_the_spread_over_the_folds():
    X, y = diabetes_in_grades()
    report = compare_estimators(
        {"linear": LogisticRegression(max_iter=1000)},
        X,
        y,
        baselines={"guess": OrdinalDummyClassifier("stratified", random_state=0)},
        scoring=["goodman_kruskal_gamma", "minimum_sensitivity", "ordinal_classification_index"],
        verbose=False,
    )
    for name in report.metrics:
        rows = table(report, name)
        scores = report.scores[name]
        spread = stats.sem(scores["linear"] - scores["guess"])
        assert 0 < rows["guess"].simulation_error <= spread / 20
        assert rows["guess"].n_draws % 1000 == 0


def diabetes_in_grades():
    X, target = load_diabetes(return_X_y=True)
    return X, np.searchsorted(np.quantile(target, [0.25, 0.5, 0.75]), target)


def test_a_lucky_guess_is_not_the_reference():
    X, y = diabetes_in_grades()
    sample = np.random.default_rng(0).choice(len(y), 100, replace=False)
    # Of many single draws, some are better than any constant by luck.
    draws = {f"draw {i}": OrdinalDummyClassifier("uniform", random_state=i) for i in range(10)}
    report = compare_estimators(
        {"linear": LogisticRegression(max_iter=1000)},
        X[sample],
        y[sample],
        baselines={**draws, "majority": OrdinalDummyClassifier("most_frequent")},
        scoring=["quadratic_weighted_kappa", "goodman_kruskal_gamma"],
        verbose=False,
    )
    lucky = [report.reports[name].intervals["quadratic_weighted_kappa"].estimate for name in draws]
    assert max(lucky) > 0.1
    assert set(report.best_baseline.values()) == {"majority"}
    assert "beats majority" in report.verdicts["quadratic_weighted_kappa"]


def test_a_guess_that_is_better_than_every_constant_is_the_reference():
    baselines = {**GUESSES, "majority": OrdinalDummyClassifier("most_frequent")}
    report = compare(["f1_macro", "accuracy"], baselines)
    rows = table(report, "f1_macro")
    assert rows["stratified"].score.estimate > rows["majority"].score.estimate
    assert report.best_baseline["f1_macro"] in GUESSES


def test_a_constant_is_the_reference_if_a_guess_is_as_good():
    report = compare("quadratic_weighted_kappa", {**GUESSES, "majority": OrdinalDummyClassifier()})
    rows = table(report, "quadratic_weighted_kappa")
    assert [rows[name].rank for name in (*GUESSES, "majority")] == [rows["majority"].rank] * 3
    assert report.best_baseline["quadratic_weighted_kappa"] == "majority"


def test_a_guess_is_the_reference_if_there_are_no_other_baselines():
    report = compare("ordinal_mean_absolute_error")
    scores = report.scores["ordinal_mean_absolute_error"]
    best = min(GUESSES, key=lambda name: scores[name].mean())
    assert report.best_baseline["ordinal_mean_absolute_error"] == best


def test_an_estimator_that_guesses_has_its_expected_score():
    estimators = {"guess": GUESSES["uniform"], **MODELS}
    report = compare("accuracy", None, estimators=estimators)
    np.testing.assert_allclose(report.scores["accuracy"]["guess"], 1 / 3)


def test_a_criterion_that_fails_for_some_draws_keeps_one_draw_which_is_no_reference():
    calls = []

    def fickle_score(y_true, y_pred):  # noqa: ARG001 - the signature of a criterion
        calls.append(y_pred)
        if len(calls) > 12:
            raise RuntimeError("refused")
        return 1.0 if len(calls) > 2 else 0.0

    baselines = {**GUESSES, "majority": OrdinalDummyClassifier()}
    report = compare(fickle_score, baselines)
    row = table(report, "fickle")["uniform"]
    assert (row.n_draws, np.isnan(row.simulation_error)) == (1, True)
    assert report.best_baseline["fickle"] == "majority"
    assert report.failures == ()


def test_a_fold_on_which_a_guess_cannot_be_fitted_has_no_value():
    class Failing(OrdinalDummyClassifier):
        def fit(self, X, y, sample_weight=None):
            if len(y) == len(SPLITS[0][0]):
                raise RuntimeError("refused")
            return super().fit(X, y, sample_weight)

    baselines = {"guess": Failing("uniform", random_state=0), "tree too": MODELS["tree"]}
    with pytest.warns(FitFailedWarning, match="1 of 6 fits failed"):
        report = compare("accuracy", baselines)
    np.testing.assert_allclose(report.scores["accuracy"]["guess"], [np.nan, 1 / 3])
    assert report.best_baseline["accuracy"] == "tree too"


def test_weights_of_the_training_samples_change_the_guesses():
    weight = np.where(Y == 2, 1000.0, 1e-9)
    report = compare("accuracy", params={"sample_weight": weight})
    share_of_highest = [(Y[test] == 2).mean() for test in TESTS]
    np.testing.assert_allclose(report.scores["accuracy"]["stratified"], share_of_highest)


def test_the_report_of_a_guess_is_that_of_one_draw():
    report = compare(["accuracy", "quadratic_weighted_kappa"])
    one_draw = report.reports["stratified"]
    for fold, confusion in enumerate(one_draw.confusions):
        assert confusion.counts.trace() / confusion.counts.sum() == pytest.approx(
            one_draw.scores["accuracy"][fold]
        )
    assert not np.allclose(one_draw.scores["accuracy"], report.scores["accuracy"]["stratified"])


def test_tables_say_how_guesses_are_scored():
    report = compare(["accuracy", "goodman_kruskal_gamma"])
    n_draws = table(report, "goodman_kruskal_gamma")["uniform"].n_draws
    for view in (report.to_text, report.to_markdown, report.to_html, report.to_latex):
        text = " ".join(view().split())
        assert f"uniform from {n_draws:,} draws per fold (simulation error 0.0" in text


def test_the_section_of_a_guess_says_that_it_is_one_draw():
    html = compare("accuracy").to_html()
    assert html.count("This report is about one draw of the guesses in each fold.") == 2


def test_a_comparison_says_how_guesses_were_scored():
    report = compare(["accuracy", "goodman_kruskal_gamma"])
    rows = table(report, "accuracy")
    assert (rows["uniform"].n_draws, rows["tree"].n_draws) == (0, None)
    assert report.draws["accuracy"]["uniform"] == (0, 0)
    assert report.to_frame()["n_draws"].notna().sum() == 4


def test_undefined_draws_are_not_said_to_be_undefined_folds():
    baselines = {"guess": OrdinalDummyClassifier("uniform", random_state=0)}
    report = compare("quadratic_weighted_kappa", baselines, splits=WITHOUT_HIGHEST * 5)
    assert "Undefined values on some folds" not in str(report)


@pytest.mark.parametrize("name", [n for n, m in METRICS.items() if m.evidence is not PROBABILITIES])
def test_criteria_are_centred_at_chance_as_declared(name):
    metric = METRICS[name]
    examples = [([0, 0, 0, 1, 2, 2], [1, 0, 2, 2, 0, 0]), ([0, 2, 2, 1, 2], [1, 1, 1, 2, 0])]
    errors = []
    for y_true, y_pred in examples:
        permuted = set(itertools.permutations(y_pred))
        values = [
            metric(evidence_of(metric, y_true, np.array(guess), "stratified", ()))
            for guess in permuted
        ]
        level = np.nan if metric.chance_level is None else metric.chance_level
        errors.append(abs(np.mean(values) - level))
    assert bool(np.max(errors) < 1e-12) == bool(metric.centred_at_chance)


@pytest.mark.parametrize("name", [n for n, m in METRICS.items() if m.evidence is PROBABILITIES])
def test_criteria_are_additive_as_declared(name):
    metric, rng = METRICS[name], np.random.default_rng(0)
    assert metric.additive
    y_true = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    forecasts = OrdinalForecasts(SCALE, y_true, rng.dirichlet(np.ones(3), 8), np.ones(8))
    # Weights that leave the class sizes as they are.
    a, b = np.ones(8), np.array([2, 0, 1, 1.5, 0.5, 0, 3, 0])
    values = metric(forecasts.reweighted(np.array([a, b, (a + b) / 2])))
    assert values[2] == pytest.approx(values[:2].mean(), abs=1e-12)
    assert values[0] != pytest.approx(values[1], abs=1e-3)
