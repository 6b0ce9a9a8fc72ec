"""Pairwise comparisons of estimators, without refitting."""

import re
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.metrics import ordinal_mean_absolute_error
from tests.pages import Page

X, Y = (part[::4] for part in load_lev(return_X_y=True))
MODELS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "svm": SVC(),
    "forest": RandomForestClassifier(10, random_state=0),
}
SCORING = ["cem_ord", "neg_ordinal_mean_absolute_error"]


def compare(estimators=MODELS, **options):
    options = {"random_state": 0, "verbose": False, "scoring": SCORING, **options}
    return compare_estimators(estimators, X, Y, **options)


@pytest.fixture(scope="module")
def comparison():
    return compare()


def nadeau_bengio(first, second, n_train, n_test):
    """Return the mean, the ends of the interval and p of the corrected test, by definition."""
    differences = np.subtract(first, second)
    n_folds, mean = len(differences), differences.mean()
    error = np.sqrt((1 / n_folds + n_test / n_train) * differences.var(ddof=1))
    margin = stats.t.ppf(0.975, n_folds - 1) * error
    return mean, mean - margin, mean + margin, 2 * stats.t.sf(abs(mean) / error, n_folds - 1)


def holm(pvalues):
    """Adjust by definition: multiply each p-value by the number of p-values not below it."""
    adjusted, largest = {}, 0
    for n_smaller, i in enumerate(sorted(range(len(pvalues)), key=pvalues.__getitem__)):
        largest = adjusted[i] = max(largest, min(1, (len(pvalues) - n_smaller) * pvalues[i]))
    return [adjusted[i] for i in range(len(pvalues))]


def pairs_of(found):
    return [key[1:3] for key in found.rows]


def adjusted_of(found):
    return [row.adjusted_pvalue for row in found.rows.values()]


def assert_is_the_corrected_test(found, comparison, criterion, sizes):
    scores = comparison.scores[criterion]
    expected = [nadeau_bengio(*(scores[name] for name in pair), *sizes) for pair in pairs_of(found)]
    for difference, (mean, low, high, pvalue) in zip(found.rows.values(), expected, strict=True):
        assert (difference.estimate, difference.low, difference.high) == pytest.approx(
            (mean, low, high)
        )
        assert difference.pvalue == pytest.approx(pvalue)
    np.testing.assert_allclose(adjusted_of(found), holm([row[-1] for row in expected]))


@pytest.mark.parametrize("criterion", [None, *SCORING, ordinal_mean_absolute_error])
def test_all_pairs_of_estimators_are_tested_and_adjusted_together(criterion, comparison):
    found = comparison.pairwise(criterion)
    assert {frozenset(pair) for pair in pairs_of(found)} == set(
        map(frozenset, combinations(MODELS, 2))
    )
    name = "cem_ord" if criterion is None else "ordinal_mean_absolute_error"
    name = "cem_ord" if criterion == "cem_ord" else name
    assert list(found.metrics) == [name]
    assert_is_the_corrected_test(found, comparison, name, (200, 50))
    assert all(difference.favours == "first" for difference in found.rows.values())


@pytest.mark.parametrize("reference", ["svm", "guesses"])
def test_every_other_estimator_and_baseline_is_compared_with_the_reference(reference):
    baselines = {
        "guesses": DummyClassifier(strategy="stratified", random_state=0),
        "other guesses": DummyClassifier(strategy="uniform", random_state=1),
    }
    comparison = compare(baselines=baselines)
    found = comparison.pairwise("cem_ord", reference=reference)
    others = {*MODELS, *baselines} - {reference}
    assert {first for first, _ in pairs_of(found)} == others
    assert {second for _, second in pairs_of(found)} == {reference}
    assert_is_the_corrected_test(found, comparison, "cem_ord", (200, 50))
    assert found.reference == reference


def test_the_verdict_of_a_comparison_has_the_pvalue_of_the_pair_adjusted_for_all_pairs(comparison):
    for criterion, verdict in comparison.verdicts.items():
        scores = comparison.scores[criterion]
        sign = 1 if criterion == "cem_ord" else -1
        best, second, third = sorted(MODELS, key=lambda name: -sign * scores[name].mean())
        pairs = [(best, second), (best, third), (second, third)]
        tests = [nadeau_bengio(*(scores[name] for name in pair), 200, 50) for pair in pairs]
        mean, _, _, _ = tests[0]
        adjusted = holm([test[-1] for test in tests])[0]
        assert verdict.startswith(f"By {criterion}, {best} has the best mean of 3 models, ")
        beats = f"It beats {second}, the second" if adjusted <= 0.05 else f"shown to beat {second}"
        assert f" {beats}" in verdict
        assert f" by {abs(mean):.3f} (" in verdict
        p = "p < 0.001" if adjusted < 0.001 else f"p = {adjusted:.3f}"
        assert f"adjusted {p}" in verdict
        section = comparison.to_text().partition(f"\nEstimators by {criterion} (")[2]
        cell = re.search(rf"\n{best} - {second} .* (.*)\n", section)[1]
        assert p.replace(" = ", "").replace(" < ", "<") == f"p{cell}"


def test_repeated_folds_are_tested_as_in_nadeau_and_bengio():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    comparison = compare(cv=cv)
    found = comparison.pairwise()
    assert len(comparison.scores["cem_ord"]["svm"]) == 15
    assert_is_the_corrected_test(found, comparison, "cem_ord", (200, 50))


def test_the_verdict_names_the_pairs_that_differ(comparison):
    pairs = comparison.pairwise()
    beaten = [key[1:3] for key, row in pairs.rows.items() if row.adjusted_pvalue <= 0.05]
    assert 0 < len(beaten) < 3
    for first, second in beaten:
        assert f"{first} beats {second}" in pairs.verdict
    assert pairs.verdict.count(" beats ") == len(beaten)
    assert pairs.verdict.startswith(f"By cem_ord, {len(beaten)} of 3 pairs ")
    for text in (pairs.to_text(), pairs.to_html(), pairs.to_markdown(), pairs.to_latex()):
        assert "shown to differ" in text
    assert pairs.to_dict()["verdict"] == pairs.verdict


def test_the_verdict_on_a_single_pair_is_short():
    same = compare({"a": MODELS["svm"], "b": MODELS["svm"]}).pairwise()
    assert same.verdict == (
        "By cem_ord, a is not shown to beat b: difference 0.000 (95% interval 0.000 to 0.000, "
        "adjusted p = 1.000)."
    )
    assert adjusted_of(same) == [1]
    different = compare({"stump": MODELS["stump"], "svm": MODELS["svm"]}).pairwise(
        "neg_ordinal_mean_absolute_error"
    )
    assert different.verdict == (
        "By ordinal_mean_absolute_error, svm beats stump: lower by 0.280 (95% interval 0.162 to "
        "0.398, adjusted p = 0.003)."
    )


def test_each_baseline_has_a_row_of_its_own(comparison):
    found = comparison.pairwise(reference="svm")
    assert len(found.rows) == len(found.to_frame()) == 7
    rows = Page(found.to_html()).rows("Differences from svm")
    assert set(rows) == {"stump", "forest", *comparison.baselines}


def test_plots_have_a_row_for_each_pair_with_its_adjusted_pvalue(comparison):
    display = comparison.pairwise().plot()
    assert all(" - " in name for name in display.differences)
    assert "difference from the second (positive is better)" in display.ax_.get_xlabel()
    assert re.fullmatch(r"p [=<] 0\.\d+", display.text_[0].get_text())
    display = comparison.pairwise(reference="svm").plot()
    assert "baseline" not in [text.get_text() for text in display.text_]


def test_undefined_pairs_are_counted_and_never_shown_to_differ():
    def odd_score(estimator, X, y):  # noqa: ARG001
        if isinstance(estimator, SVC):
            raise RuntimeError("never")
        return float(estimator.max_depth == 1)

    models = {**MODELS, "forest": DecisionTreeClassifier(max_depth=2)}
    with pytest.warns(FitFailedWarning):
        pairs = compare(models, baselines=None, scoring=odd_score).pairwise()
    assert np.isnan(adjusted_of(pairs)).sum() == 2
    assert pairs.verdict.endswith("stump beats forest; 2 could not be tested.")
    assert pairs.verdict.startswith("By odd, 1 of 3 pairs is shown to differ:")


@pytest.mark.parametrize(
    ("estimators", "options", "message"),
    [
        (MODELS, {"reference": "tree"}, r"reference must be among \['svm'.*got 'tree'"),
        (MODELS, {"reference": np.array([])}, r"reference must be among .* got array"),
        (MODELS, {"metric": "accuracy"}, "metric must be among"),
        ({"svm": SVC()}, {}, "at least two estimators that could be fitted: pass reference="),
    ],
)
def test_errors_name_the_invalid_argument(estimators, options, message):
    with pytest.raises(ValueError, match=message):
        compare(estimators).pairwise(**options)
