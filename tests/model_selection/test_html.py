"""Cross-validation reports and comparisons as HTML."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, cross_val_report
from sklearn_ordinal.datasets import load_lev
from tests.pages import Page, numbers

X, Y = (part[::5] for part in load_lev(return_X_y=True))
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
METRICS = ["cem_ord", "kendall_tau_b", "ordinal_mean_absolute_error"]
COLUMNS = {
    "mean": "mean",
    "low": "mean, low",
    "high": "mean, high",
    "difference": "difference",
    "difference_low": "difference, low",
    "difference_high": "difference, high",
    "pvalue": "p",
    "adjusted_pvalue": "p (Holm)",
    "probability_worse": "P (worse)",
    "probability_equivalent": "P (equal)",
    "probability_better": "P (better)",
    "rank": "rank",
}


class Refusing(ClassifierMixin, BaseEstimator):
    """Refuses data that begin with a certain row."""

    def __init__(self, refused):
        self.refused = refused

    def fit(self, X, y):
        if (X[0] == self.refused).all():
            raise RuntimeError("these <data> are refused")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def cross_validation(estimator=TREE, **options):
    options = {"cv": 3, "metrics": METRICS, "verbose": False, **options}
    return cross_val_report(estimator, X, Y, **options)


def comparison(**options):
    estimators = {"<b>tree</b>": TREE, "stump": DecisionTreeClassifier(max_depth=1)}
    scoring = ["cem_ord", "neg_ordinal_mean_absolute_error"]
    options = {"cv": 3, "scoring": scoring, "random_state": 0, "verbose": False, **options}
    return compare_estimators(estimators, X, Y, **options)


@pytest.fixture(scope="module")
def compared():
    return comparison()


def written(report, path, **options):
    report.to_html(path / "report.html", **options)
    return Page((path / "report.html").read_text(encoding="utf-8"))


def assert_holds_cross_validation(page, report, number=0):
    expected = report.to_dict()
    summary, folds = page.rows("Means over the folds", number), page.rows("Folds", number)
    assert list(summary) == list(expected["criteria"])
    for name, row in expected["criteria"].items():
        found = numbers(summary[name])
        assert found["undefined folds"] == row["n_undefined"]
        for column in ("mean", "std", "low", "high", "pooled"):
            np.testing.assert_equal(found[column], row[column])
        np.testing.assert_equal([fold[name][1] for fold in folds.values()], row["folds"])
    for column, name in {
        "training samples": "n_train",
        "test samples": "n_test",
        "fit, seconds": "fit_times",
        "scoring, seconds": "score_times",
    }.items():
        np.testing.assert_equal([fold[column][1] for fold in folds.values()], expected[name])


def assert_holds_report(page, report, number):
    expected = report.to_dict()
    criteria = {name: row["value"][1] for name, row in page.rows("Criteria", number).items()}
    np.testing.assert_equal(criteria, expected["criteria"])
    classes = page.rows("Classes", number)
    for name in (*report.target_names, "macro avg", "weighted avg"):
        np.testing.assert_equal([*numbers(classes[name]).values()], [*expected[name].values()])


def test_a_cross_validation_holds_the_numbers_of_its_dict(tmp_path):
    report = cross_validation()
    page = written(report, tmp_path, title="Trees & more")
    assert page.texts["h1"] == page.texts["title"] == "Trees & more"
    assert_holds_cross_validation(page, report)
    for number, each in enumerate([report.pooled, *report.folds]):
        assert_holds_report(page, each, number)


def test_a_comparison_holds_the_numbers_of_its_dict(tmp_path, compared):
    page, expected = written(compared, tmp_path), compared.to_dict()["criteria"]
    assert page.texts["h1"] == "Comparison of estimators"
    for criterion, numbers_of_criterion in expected.items():
        rows = page.rows(f"Estimators by {criterion}")
        ranks = [row["rank"][1] for row in rows.values()]
        assert ranks == sorted(ranks)
        assert rows.keys() == numbers_of_criterion["estimators"].keys()
        for name, row in numbers_of_criterion["estimators"].items():
            found = numbers(rows[name])
            np.testing.assert_equal(found, {COLUMNS[key]: value for key, value in row.items()})
        assert rows["stump"]["role"][0] == "model"
        assert rows[numbers_of_criterion["best_baseline"]]["role"][0] == "best baseline"
    for number, each in enumerate(compared.reports.values()):
        assert_holds_cross_validation(page, each, number)
        assert_holds_report(page, each.pooled, number)


def test_a_failed_fold_is_named_with_its_traceback(tmp_path):
    with pytest.warns(FitFailedWarning, match="1 of 3 fits failed"):
        report = cross_validation(Refusing(X[1]), cv=[([0, 1], [2, 3]), ([1, 0], [4]), ([2], [5])])
    page = written(report, tmp_path)
    assert_holds_cross_validation(page, report)
    assert "estimator, fold 2: RuntimeError: these <data> are refused" in page.texts["summary"]
    assert str(report.failures[0]) in page.texts["p"]
    assert "RuntimeError: these <data> are refused" in page.texts["pre"]
    assert "failed" in page.texts["p"]


def test_long_errors_begin_on_one_line_and_are_whole_below(tmp_path):
    message = "much " * 100 + "\nmore"

    class Talkative(Refusing):
        def fit(self, X, y):
            if (X[0] == self.refused).all():
                raise RuntimeError(message)
            return super().fit(X, y)

    with pytest.warns(FitFailedWarning, match="1 of 2 fits failed"):
        report = cross_validation(Talkative(X[1]), cv=[([0, 1], [2, 3]), ([1, 0], [4])])
    page = written(report, tmp_path)
    summary = page.texts["summary"].partition("Fold 1")[0]
    assert summary == f"estimator, fold 2: {f'RuntimeError: {message}'[:120]}…"
    assert message in page.texts["p"]


def test_tables_that_scroll_have_names_of_their_own(tmp_path, compared):
    for report in (compared, cross_validation()):
        page = written(report, tmp_path)
        boxes = [attrs for _, attrs in page.tags if attrs.get("class") == "scroll"]
        assert {box["role"] for box in boxes} == {"group"}
        assert len({box["aria-label"] for box in boxes}) == len(boxes)


@pytest.mark.parametrize("metrics", ["cem_ord", "ordinal_mean_absolute_error", METRICS])
def test_criteria_of_which_1_is_best_share_a_picture(tmp_path, metrics):
    pytest.importorskip("matplotlib")
    page = written(cross_validation(metrics=metrics), tmp_path)
    n_pictures = 4 if metrics is METRICS else 3
    assert [tag for tag, _ in page.tags].count("svg") == n_pictures
    assert "True and predicted classes, all folds together" in page.texts["figcaption"]


def test_a_comparison_shows_differences_folds_and_the_matrix_of_the_winner(tmp_path, compared):
    pytest.importorskip("matplotlib")
    page = written(compared, tmp_path)
    descriptions = [attrs["aria-label"] for tag, attrs in page.tags if tag == "svg"]
    assert len(descriptions) == 4
    for criterion, description in zip(compared.scoring, descriptions, strict=False):
        assert f"stump {compared.table[criterion]['stump'].difference}" in description
        reference = compared.best_baseline[criterion]
        assert f"Differences from {reference} by {criterion}," in page.texts["figcaption"]
    assert f"stump {compared.table['cem_ord']['stump'].score}" in descriptions[2]
    assert "folds by cem_ord, the first of the criteria" in page.texts["figcaption"]
    assert (
        f"True and predicted classes by {compared.winners['cem_ord'][0]}"
        in page.texts["figcaption"]
    )


def test_without_baselines_the_first_estimator_is_the_reference(tmp_path):
    page = written(comparison(baselines=None), tmp_path)
    rows = page.rows("Estimators by cem_ord")
    assert rows["<b>tree</b>"]["role"][0] == "reference"
    assert "difference from <b>tree</b>, the reference" in page.texts["p"]
    assert "Differences from <b>tree</b> by cem_ord" in page.texts["figcaption"]


def test_without_a_reference_that_could_be_fitted_there_are_no_pictures_of_differences(tmp_path):
    pytest.importorskip("matplotlib")

    class Absent(Refusing):
        def fit(self, *_):
            raise RuntimeError("never")

    with pytest.warns(FitFailedWarning, match="fits failed"):
        report = comparison(baselines={"absent": Absent(None)})
    page = written(report, tmp_path)
    assert "Differences from" not in page.texts["figcaption"]
    assert "could not be fitted" in page.texts["p"]


def test_the_same_report_gives_the_same_bytes(tmp_path, compared):
    compared.to_html(tmp_path / "a.html")
    compared.to_html(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_notebooks_show_the_tables_alone(compared):
    report = cross_validation()
    page = Page(report._repr_html_())
    assert_holds_cross_validation(page, report)
    assert [table["caption"] for table in page.tables][1:] == ["Folds"]
    both = Page(compared._repr_html_())
    assert len(both.tables) == 2
    assert "<b>tree</b>" in both.rows("Estimators by cem_ord")
    for found in (page, both):
        assert {"script", "svg", "b"}.isdisjoint({tag for tag, _ in found.tags})


def test_what_is_undefined_says_so(tmp_path):
    report = cross_validation(DummyClassifier(), metrics=["kendall_tau_b"])
    row = written(report, tmp_path).rows("Means over the folds")["kendall_tau_b"]
    assert row["mean"][0] == "nan"
    assert row["undefined folds"] == ("3", 3.0)
