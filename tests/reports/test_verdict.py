"""The verdicts at the beginning of a comparison."""

import dataclasses
import math
import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import PairedDifference
from tests.pages import Page
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
MODELS = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0), "svm": SVC()}
FIRST_TEST = next(StratifiedKFold(5).split(X, Y))[1]
EVIDENCE = r"\(95% interval -?\d\.\d{3} to -?\d\.\d{3}, adjusted p [=<] 0\.\d+\)"


def compare(estimators=MODELS, X=X, y=Y, **options):
    return compare_estimators(
        estimators, X, y, **{"random_state": 0, "verbose": False, "cv": 5, **options}
    )


@pytest.fixture(scope="module")
def comparison():
    return compare(scoring=["cem_ord", "neg_ordinal_mean_absolute_error"])


def with_rows(comparison, level=0.95, **rows):
    """Return the verdict for given differences: (estimate, low, high, adjusted p)."""
    (criterion,) = comparison.metrics
    greater_is_better = comparison.metrics[criterion].greater_is_better
    changed = dict(comparison.rows)
    for name, (estimate, low, high, pvalue) in rows.items():
        changed[criterion, name, comparison.best_baseline[criterion], "difference"] = (
            PairedDifference(
                estimate,
                low,
                high,
                level,
                adjusted_pvalue=pvalue,
                greater_is_better=greater_is_better,
            )
        )
    return dataclasses.replace(comparison, rows=changed).verdicts[criterion]


def of_tree_and_stump(scoring):
    return compare(
        {"tree": MODELS["tree"]}, baselines={"stump": DummyClassifier()}, cv=2, scoring=scoring
    )


@pytest.fixture(scope="module")
def gain():
    return of_tree_and_stump("cem_ord")


@pytest.fixture(scope="module")
def loss():
    return of_tree_and_stump("neg_ordinal_mean_absolute_error")


@pytest.mark.parametrize(
    ("direction", "row", "expected"),
    [
        (
            "gain",
            (0.2091, 0.1802, 0.2394, 0.0004),
            "By cem_ord, tree beats stump, the best baseline, by 0.209 (95% interval 0.180 to "
            "0.239, adjusted p < 0.001).",
        ),
        (
            "gain",
            (0.012, -0.010, 0.034, 0.21),
            "By cem_ord, tree is not shown to beat stump, the best baseline: higher by 0.012 "
            "(95% interval -0.010 to 0.034, adjusted p = 0.210).",
        ),
        (
            "gain",
            (-0.012, -0.034, 0.010, 0.21),
            "By cem_ord, tree is not shown to beat stump, the best baseline: lower by 0.012 "
            "(95% interval -0.010 to 0.034, adjusted p = 0.210).",
        ),
        (
            "gain",
            (-0.05, -0.07, -0.03, 0.003),
            "By cem_ord, tree is not shown to beat stump, the best baseline: it is worse, "
            "lower by 0.050 (95% interval 0.030 to 0.070, adjusted p = 0.003).",
        ),
        (
            "gain",
            (0.1, math.nan, math.nan, math.nan),
            "By cem_ord, tree is not shown to beat stump, the best baseline: higher by 0.100 on "
            "fewer than three folds, which cannot be tested.",
        ),
        (
            "loss",
            (-0.516, -0.576, -0.456, 0.0001),
            "By ordinal_mean_absolute_error, tree beats stump, the best baseline: lower by 0.516 "
            "(95% interval 0.456 to 0.576, adjusted p < 0.001).",
        ),
        (
            "loss",
            (-0.012, -0.034, 0.010, 0.21),
            "By ordinal_mean_absolute_error, tree is not shown to beat stump, the best baseline: "
            "lower by 0.012 (95% interval -0.010 to 0.034, adjusted p = 0.210; lower is better).",
        ),
        (
            "loss",
            (0.012, -0.010, 0.034, 0.21),
            "By ordinal_mean_absolute_error, tree is not shown to beat stump, the best baseline: "
            "higher by 0.012 (95% interval -0.010 to 0.034, adjusted p = 0.210; lower is better).",
        ),
        (
            "loss",
            (0.05, 0.03, 0.07, 0.003),
            "By ordinal_mean_absolute_error, tree is not shown to beat stump, the best baseline: "
            "it is worse, higher by 0.050 (95% interval 0.030 to 0.070, adjusted p = 0.003; lower "
            "is better).",
        ),
        (
            "loss",
            (0.1, math.nan, math.nan, math.nan),
            "By ordinal_mean_absolute_error, tree is not shown to beat stump, the best baseline: "
            "higher by 0.100 (lower is better) on fewer than three folds, which cannot be "
            "tested.",
        ),
        (
            "loss",
            (0.0, 0.0, 0.0, 1.0),
            "By ordinal_mean_absolute_error, tree is not shown to beat stump, the best baseline: "
            "difference 0.000 (95% interval 0.000 to 0.000, adjusted p = 1.000).",
        ),
    ],
)
def test_a_verdict_gives_the_difference_and_its_uncertainty(direction, row, expected, request):
    assert with_rows(request.getfixturevalue(direction), tree=row) == expected


@pytest.mark.parametrize(("level", "is_shown"), [(0.95, False), (0.9, True), (0.92, True)])
def test_the_adjusted_pvalue_is_compared_with_one_minus_the_confidence_level(level, is_shown, gain):
    # The interval is not adjusted and excludes zero at every level.
    sentence = with_rows(gain, level, tree=(0.1, 0.01, 0.19, 0.07))
    assert ("beats" in sentence) == is_shown
    assert ("not shown" in sentence) != is_shown
    assert f"({100 * level:g}% interval" in sentence


def test_an_adjusted_pvalue_that_is_the_level_is_significant(gain):
    # 1 - 0.9 is less than 0.1 by rounding.
    assert "beats" in with_rows(gain, 0.9, tree=(0.1, 0.01, 0.19, 0.1))


def test_each_view_begins_with_the_verdicts(comparison):
    verdicts = list(comparison.verdicts.values())
    best = table(comparison, "cem_ord")["svm"]
    second = comparison.one(estimator="svm", against="tree")
    adjusted = second.adjusted_pvalue
    assert verdicts[0] == (
        f"By cem_ord, svm has the best mean of 2 models, {best.score.estimate:.3f} (95% interval "
        f"{best.score.low:.3f} to {best.score.high:.3f}). It is not shown to beat tree, the "
        f"second: higher by {second.estimate:.3f} (95% interval {second.low:.3f} to "
        f"{second.high:.3f}, adjusted p = {adjusted:.3f}). It beats majority class, the best "
        f"baseline, by {best.difference.estimate:.3f} (95% interval {best.difference.low:.3f} to "
        f"{best.difference.high:.3f}, adjusted p = {best.adjusted_pvalue:.3f})."
    )
    assert verdicts[1].startswith("By ordinal_mean_absolute_error, svm has the best mean of 2 m")
    first = f"{verdicts[0]} Ranked first by both criteria: svm."
    for text in (comparison.to_text(), comparison.to_markdown(), comparison.to_latex()):
        plain = re.sub(r"\\(begin|end)\{sloppypar\}|\\allowbreak\{\}", "", text).replace("\\", "")
        assert " ".join(plain.split()).startswith(first)
        assert verdicts[1] in " ".join(plain.split())
    for text in (comparison.to_html(), comparison._repr_html_()):
        assert Page(text).texts["p"].startswith(first.replace(". Ranked", ".Ranked"))
    assert list(comparison.to_dict()["verdicts"].values()) == verdicts


@pytest.mark.parametrize("order", [list(MODELS), list(reversed(MODELS))])
def test_without_baselines_the_best_is_compared_with_the_second(order):
    comparison = compare({name: MODELS[name] for name in order}, baselines=None)
    assert re.fullmatch(
        r"By cem_ord, svm has the best mean of 2 models, 0\.\d+ \(.*\)\. It is not shown to beat "
        rf"tree, the second: higher by .* {EVIDENCE}\.",
        comparison.verdicts["cem_ord"],
    )
    # A table of differences from the first would have other p-values than the table of pairs.
    page = Page(comparison.to_html())
    assert "adjusted p" not in page.rows("Estimators by cem_ord")["svm"]
    assert list(page.rows("Pairs of models")) == ["svm - tree"]


def test_tied_estimators_are_all_named():
    models = {"a": MODELS["svm"], "tree": MODELS["tree"], "b": MODELS["svm"]}
    verdict = compare(models).verdicts["cem_ord"]
    assert re.match(
        r"By cem_ord, a and b are tied for the best mean of 3 models, 0\.\d{3}\. a is not shown to "
        r"beat b: difference 0\.000 \(.* p = 1\.000\)\. a beats majority class, the best baseline",
        verdict,
    )


def test_estimators_that_are_equal_in_practice_are_called_so():
    almost = DummyClassifier(strategy="constant", constant=2)
    models, wide = {"almost": almost}, {"rope": 0.02}
    verdict = compare(models, baselines={"other": DummyClassifier()}, **wide).verdicts["cem_ord"]
    assert verdict.endswith(
        "almost and other are equal in practice: with probability 1.00, they differ by at most "
        "0.02."
    )
    verdict = compare({"svm": MODELS["svm"]}, **wide).verdicts["cem_ord"]
    assert "in practice" not in verdict


def test_more_than_five_models_have_no_table_of_pairs_but_the_text_says_where_it_is():
    models = {f"tree {depth}": DecisionTreeClassifier(max_depth=depth) for depth in range(1, 7)}
    comparison = compare(models, cv=3)
    assert "Pairs of models" not in comparison.to_markdown(details=True)
    assert comparison.to_text().endswith("pairwise() tests the 15 pairs of models.\n")
    del models["tree 6"]
    comparison = compare(models, cv=3)
    for text in (comparison.to_text(), comparison.to_markdown(), comparison.to_latex()):
        assert text.count("Pairs of models") == 1
    assert sum(against in models for _, _, against, _ in comparison.rows) == 10


class Refusing(DecisionTreeClassifier):
    """Fails if the first training sample is one of the refused ones."""

    def __init__(self, refused=()):
        super().__init__(max_depth=4, random_state=0)
        self.refused = refused

    def fit(self, X, y):
        if X[0, 0] in self.refused:
            raise RuntimeError("these data are refused")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize(
    ("n_refused", "expected"),
    [
        (1, r"flaky beats .* adjusted p [<=] 0\.\d+, from 4 of 5 folds\)\."),
        (4, r"flaky is not shown to beat .*: higher by 0\.\d+ on fewer than three .*"),
    ],
)
def test_a_verdict_mentions_missing_folds(n_refused, expected):
    numbered = np.c_[np.arange(len(Y)), X]
    folds = [(np.roll(np.flatnonzero(Y >= 0), -i), np.arange(i, 250, 5)) for i in range(5)]
    flaky = Refusing(tuple(range(n_refused)))
    baselines = {"constant": DummyClassifier()}
    comparison = compare({"flaky": flaky}, numbered, cv=folds, baselines=baselines)
    pair = comparison.pairwise(reference="constant")
    for verdict in (comparison.verdicts["cem_ord"], pair.verdict):
        assert re.fullmatch(f"By cem_ord, {expected}", verdict)


def test_a_criterion_without_values_is_not_tested():
    def never_score(estimator, X, y):  # noqa: ARG001
        raise RuntimeError("never")

    with pytest.warns(FitFailedWarning):
        comparison = compare(scoring=[never_score, "cem_ord"])
    assert comparison.verdicts["never"] == "By never, no model has a value on any fold."
    assert "beats" in comparison.verdicts["cem_ord"]


def test_a_baseline_is_not_called_the_best_if_others_are_as_good():
    comparison = compare({"svm": MODELS["svm"]}, scoring=["kendall_tau_b", "cem_ord"])
    # Constants and guesses have the level of chance by a rank correlation.
    reference = comparison.best_baseline["kendall_tau_b"]
    words = f"{reference}, one of the best baselines"
    assert comparison.verdicts["kendall_tau_b"].startswith(f"By kendall_tau_b, svm beats {words}, ")
    text = " ".join(str(comparison).split())
    assert f"differences from {words} (positive is better)" in text
    # Baselines with the same predictions share a row.
    assert " the best baseline, " in comparison.verdicts["cem_ord"]


def test_values_on_different_folds_are_not_tested():
    def odd_score(estimator, X, y):  # noqa: ARG001
        # Only one of the two estimators has values.
        if isinstance(estimator, SVC):
            return 1.0
        raise RuntimeError("never")

    with pytest.warns(FitFailedWarning):
        comparison = compare({"svm": MODELS["svm"]}, scoring=odd_score)
    assert comparison.verdicts["odd"] == (
        "By odd, svm is not shown to beat majority class, the best baseline: no fold has a value "
        "for both."
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_an_estimator_without_a_value_is_never_the_best():
    first = X[:50]

    def odd_loss(estimator, X, y):  # noqa: ARG001
        if isinstance(estimator, SVC) or (estimator.max_depth == 4 and (first == X).all()):
            raise RuntimeError("never")
        return 0.5

    folds = [(np.arange(250), np.arange(start, start + 50)) for start in range(0, 250, 50)]
    models = {"svm": MODELS["svm"], "tree": MODELS["tree"]}
    baselines = {"stump": DecisionTreeClassifier(max_depth=1)}
    comparison = compare(models, cv=folds, scoring=odd_loss, baselines=baselines)
    assert comparison.ranks["odd_loss"]["svm"] == 3
    assert comparison.verdicts["odd_loss"] == (
        "By odd_loss, tree is the only one with a value of 2 models, 0.500 (95% interval 0.500 to "
        "0.500, 1 undefined left out). It is not shown to beat stump, the best baseline: "
        "difference 0.000 (95% interval 0.000 to 0.000, adjusted p = 1.000, from 4 of 5 folds). "
        "tree and stump are equal in practice: with probability 1.00, they differ by at most 0.01."
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_nothing_is_tested_if_only_the_reference_could_be_fitted():
    comparison = compare({"tree": MODELS["tree"], "broken": SVC(C=-1)}, baselines=None)
    assert comparison.verdicts["cem_ord"] == (
        "By cem_ord, nothing could be tested, since no estimator to compare with tree was fitted."
    )


def test_identical_baselines_share_a_row_but_keep_their_numbers(comparison):
    shared = "majority class = median class = best constant"
    guesses = ["stratified guesses", "uniform guesses"]
    (cem_ord, _) = comparison.metrics
    page = Page(comparison.to_html())
    assert set(page.rows(f"Estimators by {cem_ord}")) == {*MODELS, shared, *guesses}
    text = comparison.to_text()
    assert text.count(f"\n{shared[:29]}") == 2
    assert "\nmedian class" not in text
    display = comparison.plot()
    names = [label.get_text().replace("\n", " ") for label in display.ax_.get_yticklabels()]
    assert names == [*list(page.rows(f"Estimators by {cem_ord}"))]
    assert set(comparison.plot_differences().differences) == {*MODELS}
    rows = table(comparison, "cem_ord")
    assert list(rows) == [*MODELS, *comparison.baselines]
    assert rows["median class"].score == rows["majority class"].score
    means = comparison.to_frame().query("against.isna()")
    assert len(means) == 2 * len(rows)


def test_baselines_that_differ_on_one_fold_have_separate_rows():
    folds = [(np.arange(250), np.arange(125)), (np.arange(250), np.arange(125, 250))]
    baselines = {
        "a": DummyClassifier(strategy="constant", constant=2),
        "b": Swapped(),
        "c": DummyClassifier(strategy="constant", constant=2),
    }
    comparison = compare({"tree": MODELS["tree"]}, baselines=baselines, cv=folds)
    assert set(comparison.plot().scores) == {"tree", "a = c", "b"}


class Swapped(DummyClassifier):
    """Predicts a different class for one sample."""

    def __init__(self):
        super().__init__(strategy="constant", constant=2)

    def predict(self, X):
        predicted = super().predict(X)
        predicted[-1] = 1 if len(X) == 125 and X[-1, 0] == globals()["X"][-1, 0] else 2
        return predicted


def test_baselines_with_equal_predictions_share_a_row_unless_probabilities_are_used():
    y = np.tile([0, 0, 0, 1, 2], 20)
    baselines = {
        "prior": DummyClassifier(strategy="prior"),
        "most frequent": DummyClassifier(strategy="most_frequent"),
    }
    comparison = compare_estimators(
        {"tree": MODELS["tree"]},
        np.arange(100)[:, None],
        y,
        baselines=baselines,
        scoring=["cem_ord", "neg_log_loss"],
        cv=5,
        verbose=False,
    )
    assert "prior = most frequent" in comparison.plot("cem_ord").scores
    assert {"prior", "most frequent"} <= comparison.plot("log_loss").scores.keys()


def test_a_mean_that_is_infinite_is_not_shown_to_beat_a_finite_one():
    def odd_loss(y_true, y_pred):
        is_first = np.array_equal(y_true, Y[FIRST_TEST])
        is_constant = len(np.unique(y_pred)) == 1
        return np.inf if is_first and not is_constant else float(np.abs(y_true - y_pred).mean())

    models = {"tree": MODELS["tree"]}
    report = compare(models, scoring=odd_loss, baselines={"constant": DummyClassifier()})
    assert 0 < np.isinf(report.scores["odd_loss"]["tree"]).sum() < 5
    assert report.verdicts["odd_loss"] == (
        "By odd_loss, tree is not shown to beat constant, the best baseline: a mean is infinite, "
        "so the difference cannot be tested."
    )
    row = table(report, "odd_loss")["tree"]
    assert np.isnan([row.difference.pvalue, row.adjusted_pvalue, row.probability_better]).all()
    pairwise = report.pairwise(reference="constant")
    assert "tree is not shown to beat constant: " in pairwise.verdict
    assert "tree" in str(report)
