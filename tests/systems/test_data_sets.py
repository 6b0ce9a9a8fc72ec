"""Estimators on several data sets, checked against SciPy and scikit-learn."""

import numpy as np
import pytest
from joblib import Memory
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, compare_on_data_sets
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.systems import DataSetsReport

X, Y = load_lev(return_X_y=True)
DATA = {f"part {k}": (X[k::5], Y[k::5]) for k in range(5)}
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": TREE, "majority": DummyClassifier()}
OPTIONS = {"cv": 3, "verbose": False}


class Counting(ClassifierMixin, BaseEstimator):
    """Counts its fits, and fails if the first feature has a certain mean."""

    n_fits = 0

    def __init__(self, refused=-1.0):
        self.refused = refused

    def fit(self, X, y):
        type(self).n_fits += 1
        if X.shape[0] == self.refused:
            raise RuntimeError("these data are refused")
        self.model_ = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


def test_means_ranks_and_friedmans_test():
    report = compare_on_data_sets(MODELS, DATA, scoring=["cem_ord", "accuracy"], **OPTIONS)
    means = np.array(
        [
            [cross_val_score(m, *data, cv=3, scoring="cem_ord").mean() for m in MODELS.values()]
            for data in DATA.values()
        ]
    )
    np.testing.assert_allclose(report.scores["cem_ord"], means)
    ranks = stats.rankdata(-means, axis=1)
    np.testing.assert_allclose(report.ranks["cem_ord"].average_ranks, ranks.mean(axis=0))
    expected = stats.friedmanchisquare(*ranks.T)
    assert report.ranks["cem_ord"].pvalue == pytest.approx(expected.pvalue)
    rows = report.to_frame().query("criterion == 'cem_ord' and data_set == 'part 2'")
    alone = compare_estimators(MODELS, *DATA["part 2"], baselines=None, **OPTIONS)
    tree = alone.pairwise(reference="bayes").one(estimator="tree", against="bayes")
    score = alone.one(estimator="tree")
    (mean, difference) = rows.query("estimator == 'tree'").to_dict("records")
    assert (mean["estimate"], mean["low"]) == (score.estimate, score.low)
    assert (difference["against"], difference["estimate"]) == ("bayes", tree.estimate)
    assert difference["adjusted_pvalue"] == tree.adjusted_pvalue


def test_the_first_sentence_says_who_is_best_and_whom_it_beats():
    report = compare_on_data_sets(MODELS, DATA, **OPTIONS)
    ranks = stats.rankdata(-report.scores["cem_ord"], axis=1).mean(axis=0)
    quantile = stats.studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2)
    critical = quantile * np.sqrt(3 * 4 / (6 * len(DATA)))
    best, *others = (list(MODELS)[k] for k in np.argsort(ranks))
    beaten = [name for name in others if ranks[list(MODELS).index(name)] - ranks.min() >= critical]
    assert len(beaten) == 1
    (other,) = set(others) - set(beaten)
    (note,) = report.document().verdict
    assert note.text.startswith(
        f"By cem_ord, over 5 data sets, {best} has the best average rank, {ranks.min():.2f}, and "
        f"is shown to beat {beaten[0]}, but not {other} (Nemenyi's test at level 0.05: average "
        f"ranks must differ by {critical:.2f}). "
    )
    # Ranks with intervals, and the tests on each data set, are details.
    assert "Average ranks by cem_ord" not in str(report)
    assert "Average ranks by cem_ord" in report.to_text(details=True)


def test_the_best_of_each_data_set_is_bold():
    report = compare_on_data_sets(MODELS, DATA, **OPTIONS)
    for i, values in enumerate(report.scores["cem_ord"]):
        best = f"{values.max():.3f}"
        cells = [f"\\textbf{{{v:.3f}}}" if f"{v:.3f}" == best else f"{v:.3f}" for v in values]
        assert f"part {i} & {' & '.join(cells)} \\\\" in report.to_latex()
        assert (
            f"| part {i} | {' | '.join(cells)} |".replace("\\textbf{", "**").replace("}", "**")
            in report.to_markdown()
        )
        assert f"<b>{best}</b>" in report.to_html()


def test_the_only_estimator_that_did_not_fail_is_not_bold():
    size = len(DATA["part 1"][1])
    other = X[: size // 2], Y[: size // 2]
    models = {"tree": TREE} | {f"counting {k}": Counting(refused=size // 4) for k in range(2)}
    with pytest.warns(FitFailedWarning):
        report = compare_on_data_sets(models, {**DATA, "other": other}, cv=2, verbose=False)
    value = report.scores["cem_ord"][5, 0]
    assert f"other & {value:.3f} & -- & -- " in report.to_latex()
    assert f"| other | {value:.3f} | - | - |" in report.to_markdown()
    assert f"<b>{value:.3f}</b>" not in report.to_html()
    assert "\\textbf" in report.to_latex()
    data = {"other": other, "again": (X[-(size // 2) :], Y[-(size // 2) :])}
    with pytest.warns(FitFailedWarning):
        report = compare_on_data_sets(models, data, cv=2, verbose=False)
    assert "\\textbf" not in report.to_latex()


def test_an_estimator_that_fails_has_the_last_rank_and_an_empty_cell():
    size = len(DATA["part 1"][1])
    data = {**DATA, "other": (X[: size // 2], Y[: size // 2])}
    models = {**MODELS, "counting": Counting(refused=size // 4)}
    with pytest.warns(FitFailedWarning):
        report = compare_on_data_sets(models, data, cv=2, verbose=False)
    assert np.isnan(report.scores["cem_ord"][5, 3])
    frame = report.to_frame().query("data_set == 'other'")
    assert frame.query("estimator == 'counting'")["place"].tolist() == [5]
    assert "Failed on other: counting; see comparisons['other'].failures." in str(report)
    assert "\nother" in str(report)


def test_comparisons_are_cached_by_joblib(tmp_path):
    models = {**MODELS, "counting": Counting()}
    expected = compare_on_data_sets(models, DATA, **OPTIONS)
    for n_fits in (3 * len(DATA), 0):
        Counting.n_fits = 0
        compare = Memory(tmp_path, verbose=0).cache(compare_estimators)
        comparisons = {
            name: compare(models, X, y, baselines=None, **OPTIONS) for name, (X, y) in DATA.items()
        }
        assert Counting.n_fits == n_fits
        report = DataSetsReport.from_comparisons(comparisons, list(models))
        np.testing.assert_array_equal(report.scores["cem_ord"], expected.scores["cem_ord"])


def test_a_fold_without_any_value_leaves_the_order_of_the_others():
    def part_score(y_true, y_pred):
        return np.nan if len(y_true) % 2 else float((y_true == y_pred).mean())

    sizes = {"a": 201, "b": 203}
    data = {name: (X[:size], Y[:size]) for name, size in sizes.items()}
    report = compare_on_data_sets(MODELS, data, scoring=part_score, cv=2, verbose=False)
    expected = stats.rankdata(-report.scores["part"], axis=1).mean(axis=0)
    np.testing.assert_allclose(report.ranks["part"].average_ranks, expected)
    assert len(set(expected)) > 1


def test_comparisons_that_do_not_fit_together_are_refused():
    fitting = {
        name: compare_estimators(MODELS, *data, baselines=None, **OPTIONS)
        for name, data in list(DATA.items())[:2]
    }
    other = compare_estimators(
        MODELS, *DATA["part 1"], baselines=None, confidence_level=0.9, **OPTIONS
    )
    from_comparisons, names = DataSetsReport.from_comparisons, list(MODELS)
    with pytest.raises(ValueError, match=r"^comparisons must map at least two names"):
        from_comparisons({"a": next(iter(fitting.values()))}, names)
    with pytest.raises(ValueError, match=r"must be of the estimators .* without baselines, got"):
        from_comparisons(fitting, names[:2])
    with pytest.raises(ValueError, match=r"the level 0.95, as the first, got .* the level 0.9"):
        from_comparisons({**fitting, "other": other}, names)


@pytest.mark.parametrize(
    ("data", "models", "options", "message"),
    [
        ({"a": (X, Y)}, MODELS, {}, r"data_sets must be a dict from names to \(X, y\)"),
        ({"a": (X, Y), "b": X}, MODELS, {}, r"data_sets\['b'\] must be a tuple \(X, y\)"),
        ({"a": (X, Y), "b": (X, Y[:9])}, MODELS, {}, r"data_sets\['b'\]: X and y must have"),
        (
            DATA,
            {"a": TREE, "b": TREE},
            {},
            "estimators must be .* at least three .* for two, .*wilcoxon",
        ),
        (DATA, MODELS, {"labels": {"z": [0]}}, "labels must be for data sets among"),
        (DATA, MODELS, {"alpha": 2}, "alpha must"),
    ],
)
def test_bad_input(data, models, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        compare_on_data_sets(models, data, **{**OPTIONS, **options})
