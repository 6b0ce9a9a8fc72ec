"""Content of the HTML pages of reports, beyond the contract of all results."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalConfusion, OrdinalReport, compare_estimators, cross_val_report
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.datasets import load_lev
from tests.pages import Page, numbers, with_drawn_figures
from tests.reports.comparisons import table
from tests.reports.results import figures_of

X, Y = (part[::5] for part in load_lev(return_X_y=True))
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
METRICS = ["cem_ord", "kendall_tau_b", "ordinal_mean_absolute_error"]
NAMES = ["<script>alert(1)</script>", 'a "quoted" & <b>bold</b> name', "--> ]]> $x_1$", "fine"]
COUNTS = [[5, 2, 0, 0], [1, 9, 3, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
# Hypothesis also draws strings that occur in the source.
RESERVED = {"accuracy", "criteria", "thresholds", "unanswered", "macro avg", "weighted avg"}
TEXTS = st.text(st.characters(exclude_categories=["C"]), min_size=1)
MEASURES = {
    "precision": "precision",
    "recall": "recall",
    "f1-score": "f1-score",
    "ordinal_mean_absolute_error": "MAE",
    "ordinal_bias": "bias",
    "within_1_accuracy": "within 1",
    "support": "support",
}
OF_ESTIMATORS = {"estimate": "mean", "low": "95% interval"}
OF_DIFFERENCES = {
    "estimate": "difference",
    "low": "95% interval",
    "adjusted_pvalue": "adjusted p",
}
IN_PRACTICE = {
    "probability_worse": "P (worse)",
    "probability_equivalent": "P (equal)",
    "probability_better": "P (better)",
}


class Refusing(ClassifierMixin, BaseEstimator):
    """Fails if the training data begin with the refused row; by default, always."""

    def __init__(self, refused=None, message="these <data> are refused"):
        self.refused = refused
        self.message = message

    def fit(self, X, y):
        if self.refused is None or (X[0] == self.refused).all():
            raise RuntimeError(self.message)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def single(**options):
    confusion = OrdinalConfusion.from_counts(COUNTS)
    options = {"target_names": NAMES, "zero_division": 0.0, **options}
    return OrdinalReport.from_confusion(confusion, **options)


def cross_validation(estimator=TREE, **options):
    options = {"cv": 3, "scoring": METRICS, "verbose": False, **options}
    return cross_val_report(estimator, X, Y, **options)


def comparison(**options):
    estimators = {"<b>tree</b>": TREE, "stump": DecisionTreeClassifier(max_depth=1)}
    scoring = ["cem_ord", "neg_ordinal_mean_absolute_error"]
    options = {"cv": 3, "scoring": scoring, "random_state": 0, "verbose": False, **options}
    return compare_estimators(estimators, X, Y, **options)


@pytest.fixture(scope="module")
def compared():
    return comparison()


@pytest.fixture(scope="module")
def page(compared):
    return Page(compared.to_html())


def assert_numbers(row, expected, columns):
    """Compare unrounded numbers of cells with those of a dict, where None is undefined."""
    found = numbers(row)
    for key, column in columns.items():
        value = np.nan if expected[key] is None else expected[key]
        np.testing.assert_equal(found[column], value)


def assert_holds_cross_validation(page, report, number=0):
    expected, folds = report.to_dict(), page.rows("Folds", number)
    assert_holds_means(page, report, number)
    for name, row in expected["criteria"].items():
        for fold, value in zip(folds.values(), row["folds"], strict=True):
            assert_numbers(fold, {name: value}, {name: name})
    assert_holds_folds(folds, expected, {"training samples": "n_train", "test samples": "n_test"})


def assert_holds_means(page, report, number=0):
    expected, summary = report.to_dict()["criteria"], page.rows("Means over the folds", number)
    assert list(summary) == list(expected)
    columns = {**{name: name for name in ("mean", "std", "pooled")}, "low": "95% interval"}
    for name, row in expected.items():
        assert_numbers(summary[name], row, columns)


def assert_holds_folds(folds, expected, columns):
    for column, name in columns.items():
        for fold, value in zip(folds.values(), expected[name], strict=True):
            assert_numbers(fold, {name: value}, {name: column})


def assert_holds_report(page, report, number=0):
    criteria = page.rows("Criteria", number)
    for name, value in report.to_dict()["criteria"].items():
        assert_numbers(criteria[name], {name: value}, {name: "value"})
    assert_holds_classes(page, report, number)


def assert_holds_classes(page, report, number=0):
    expected = report.to_dict()
    classes = page.rows("Classes", number)
    assert list(classes) == [*report.target_names, "accuracy", "macro avg", "weighted avg"]
    for name in (*report.target_names, "macro avg", "weighted avg"):
        assert_numbers(classes[name], expected[name], MEASURES)
    assert numbers(classes["accuracy"])["f1-score"] == expected["accuracy"]


def descriptions(page):
    return [attrs["aria-label"] for tag, attrs in page.tags if tag == "svg"]


def test_a_report_contains_the_numbers_of_its_dict():
    report = single(metrics="all")
    page = Page(report.to_html())
    assert page.texts["h1"] == "Ordinal report: 21 samples, 4 classes"
    assert_holds_report(page, report)
    error = page.rows("Criteria")["ordinal_mean_absolute_error"]
    assert error["range"][0] == "0 to 3"
    sentence = "ordinal_mean_absolute_error is at best 0 and never above 3. Cost of an error: the"
    assert sentence in report.to_html().partition("How to read the criteria</summary>")[2]


def test_a_page_says_how_to_read_the_first_criterion():
    for metric, sentence in {
        "accuracy": "accuracy is at best 1 and never below 0. Cost of an error: 1, whatever the",
        "ordinal_mean_absolute_error": "ordinal_mean_absolute_error is at best 0 and never above 3",
        "kendall_tau_b": "kendall_tau_b is at best 1, never below -1 and 0 on average by chance.",
        "ordinal_bias": "ordinal_bias ranges from -3 to 3 and neither higher nor lower is better.",
        share_of_first_score: "share_of_first has no known range and higher is better.",
    }.items():
        report = single(metrics=[metric])
        page = report.to_html()
        assert sentence in page.partition("<table")[0]
        assert sentence not in report.to_text()
        assert sentence.partition(".")[0] in report.to_text(details=True).replace("\n", " ")


def share_of_first_score(y_true, y_pred):
    return np.mean(np.asarray(y_pred) == np.min(y_true))


def test_a_cross_validation_contains_the_numbers_of_its_dict():
    report = cross_validation()
    page = Page(report.to_html())
    assert page.texts["h1"] == "Cross-validation"
    assert_holds_cross_validation(page, report)
    seconds = {"fit": "fit_times", "scoring": "score_times"}
    assert_holds_folds(page.rows("Seconds"), report.to_dict(), seconds)
    for number, each in enumerate([report.pooled, *report.folds]):
        assert_holds_report(page, each, number)
    assert list(page.rows("Criteria")) == list(metrics_of(LABELS))
    assert list(page.rows("Criteria", 1)) == METRICS


def test_a_comparison_contains_the_numbers_of_its_dict(compared, page):
    expected = compared.to_dict()
    assert page.texts["h1"].startswith("Comparison of estimators: 3 folds of ")
    for number, criterion in enumerate(compared.metrics):
        by_key = {
            (row["estimator"], row["against"]): row
            for row in expected["values"]
            if row["criterion"] == criterion
        }
        rows, means = (page.rows(f"{what} by {criterion}") for what in ("Estimators", "Means"))
        assert list(rows) == list(means)
        ranks = {name: int(row["rank"][0].partition("-")[0]) for name, row in means.items()}
        assert list(ranks.values()) == sorted(ranks.values())
        row_of = {name: row for row in rows for name in row.split(" = ")}
        assert row_of.keys() == compared.reports.keys()
        against = expected["best_baseline"][criterion]
        for name, row in row_of.items():
            assert_numbers(means[row], by_key[name, None], OF_ESTIMATORS)
            assert ranks[row] == by_key[name, None]["rank"]
            if name in compared.baselines:
                assert rows[row]["adjusted p"] == ("baseline", None)
                assert rows[row]["difference"][0] == ""
            else:
                assert_numbers(rows[row], by_key[name, against], OF_DIFFERENCES)
        (pair,) = page.rows("Pairs of models", number).values()
        first, second = (name for name in row_of if name not in compared.baselines)
        columns = {"estimate": "difference", "adjusted_pvalue": "adjusted p"}
        assert_numbers(pair, by_key[first, second], columns)
        practical = page.rows(f"Practical differences by {criterion}")
        assert list(practical) == [
            f"{first} - {against}",
            f"{second} - {against}",
            f"{first} - {second}",
        ]
        for title, cells in practical.items():
            assert_numbers(cells, by_key[tuple(title.split(" - "))], IN_PRACTICE)
    assert len(rows) == len(compared.reports) - 2
    shown = [compared.reports[row.split(" = ")[0]] for row in page.rows("Estimators by cem_ord")]
    for number, each in enumerate(shown):
        assert_holds_cross_validation(page, each, number)
        assert_holds_classes(page, each.pooled, number)


@settings(max_examples=30)
@given(
    st.lists(TEXTS.filter(lambda name: name not in RESERVED), min_size=4, max_size=4, unique=True)
)
def test_any_name_is_escaped_and_unchanged(names):
    page = Page(single(target_names=names)._repr_html_())
    assert list(page.rows("Classes"))[:4] == names
    assert {tag for tag, _ in page.tags} == {
        *("div", "style", "table", "caption", "span", "thead", "tbody", "tr", "th", "td", "wbr"),
        *("p", "figure", "img", "figcaption"),
    }


@pytest.mark.usefixtures("drawn_figures")
def test_unprintable_characters_are_escaped_in_every_view():
    report = single(target_names=["\x1b[31mred", "\u202ekcab", "be\x07ll", "two\nlines"])
    views = [report.to_text(), report.to_markdown(), report.to_latex(), report.to_html()]
    for view in (*views, report._repr_html_()):
        assert not {"\x1b", "\u202e", "\x07"} & set(view)
        assert all(word in view for word in ("x1b", "u202e", "x07"))
    assert not any("two\nlines" in view for view in views[:3])


@pytest.mark.usefixtures("drawn_figures")
def test_a_very_long_name_does_not_widen_text_and_plots():
    report = single(target_names=[*NAMES[:3], "x" * 10_000])
    assert max(map(len, report.to_text().splitlines())) <= 80
    assert "x" * 10_000 in report.to_html()
    for draw in (report.plot_confusion_matrix, report.plot_errors):
        assert max(draw().figure_.get_size_inches()) < 20
    plt.close("all")


def test_samples_without_a_prediction_are_mentioned():
    confusion = OrdinalConfusion.from_predictions(
        [0, 1, 1], [0, 1, None], labels=[0, 1], unanswered="count"
    )
    report = OrdinalReport.from_confusion(confusion, zero_division=0.0)
    for view in (report.to_html(), report.to_text(), report.to_markdown(), report.to_latex()):
        assert "1 of 3 unanswered" in view


def test_sums_of_weights_are_not_in_scientific_notation():
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1_676_000.5, 2])
    report = OrdinalReport.from_confusion(confusion)
    for view in (report.to_html(), report.to_text(), report.to_markdown(), report.to_latex()):
        assert "1676002" in view


def test_figures_of_a_report_have_text_alternatives():
    matrix, errors, ladder = descriptions(Page(single().to_html()))
    assert matrix.startswith("Confusion matrix of 4 classes: 67% of the predictions")
    assert matrix.endswith(", 100% at most one class away.")
    assert errors.startswith("Predictions of each true class: ")
    assert 'a "quoted" & <b>bold</b> name 69% correct, 8% too low, 23% too high' in errors
    values = ", ".join(
        rf"{name} 0\.\d\d" for name in ("worst", "uniform", "stratified", "constant", "value")
    )
    assert re.fullmatch(
        rf"Values on the score ladder of cem_ord\. cem_ord: {values}, 95% interval 0\.\d\d to "
        rf"0\.\d\d, best 1\.00\.",
        ladder,
    )


def test_the_text_alternative_of_errors_says_which_classes_have_no_samples():
    confusion = OrdinalConfusion.from_counts([[1, 0, 1], [0, 0, 0], [2, 1, 1]])
    report = OrdinalReport.from_confusion(confusion, zero_division=0.0)
    _, errors, _ = descriptions(Page(report.to_html()))
    assert errors == (
        "Predictions of each true class: 0 50% correct, 0% too low, 50% too high; "
        "1 has no samples; 2 25% correct, 75% too low, 0% too high"
    )


def test_a_plot_of_a_large_matrix_has_no_numbers():
    confusion = OrdinalConfusion.from_counts(np.ones((41, 41), int))
    matrix = next(figures_of(OrdinalReport.from_confusion(confusion).document().parts)).draw()
    assert matrix.text_ is None


@pytest.mark.parametrize("metrics", ["cem_ord", "ordinal_mean_absolute_error", METRICS])
def test_criteria_with_best_value_1_share_a_figure(metrics):
    page = Page(cross_validation(scoring=metrics).to_html())
    assert len(descriptions(page)) == (4 if metrics is METRICS else 3)
    assert "True and predicted classes, all folds together" in page.texts["figcaption"]


def test_a_comparison_shows_differences_and_folds_of_each_criterion(compared, page):
    differences, folds = descriptions(page)[:-1:2], descriptions(page)[1:-1:2]
    captions = page.texts["figcaption"]
    for number, criterion in enumerate(compared.metrics):
        row = table(compared, criterion)["stump"]
        described = {folds[number], differences[number]}
        numbers_of_row = f"{row.score.estimate:.3f}, difference {row.difference.estimate:+.3f}, "
        assert all(f"stump: mean {numbers_of_row}" in text for text in described)
        reference = compared.best_baseline[criterion]
        assert f"Differences from {reference} by {criterion}," in captions
        assert f"Scores of the folds by {criterion}" in captions
    winner = compared.winners["cem_ord"][0]
    assert f"True and predicted classes by {winner}, all folds together" in captions


def test_a_failed_fold_is_shown_with_its_traceback():
    with pytest.warns(FitFailedWarning, match="1 of 3 fits failed"):
        report = cross_validation(Refusing(X[1]), cv=[([0, 1], [2, 3]), ([1, 0], [4]), ([2], [5])])
    page = Page(report.to_html())
    assert_holds_cross_validation(page, report)
    assert "estimator, fold 2: RuntimeError: these <data> are refused" in page.texts["summary"]
    assert str(report.failures[0]) in page.texts["p"]
    assert "RuntimeError: these <data> are refused" in page.texts["pre"]
    text = report.to_text(details=True)
    assert "Traceback (most recent call last):" in text
    assert "failed" in text.partition("Fold 2")[2].partition("Fold 3")[0]


def test_long_errors_have_a_short_summary_and_are_in_full_below():
    message = "much " * 100 + "\nmore"
    with pytest.warns(FitFailedWarning, match="1 of 2 fits failed"):
        report = cross_validation(Refusing(X[1], message), cv=[([0, 1], [2, 3]), ([1, 0], [4])])
    page = Page(report.to_html())
    assert f"estimator, fold 2: {f'RuntimeError: {message}'[:120]}…" in page.texts["summary"]
    assert message in page.texts["p"]


def test_without_baselines_the_means_have_intervals():
    page = Page(comparison(baselines=None).to_html())
    for criterion in ("cem_ord", "ordinal_mean_absolute_error"):
        for row in page.rows(f"Estimators by {criterion}").values():
            assert list(row) == ["mean", "95% interval"]


def test_there_are_no_differences_if_the_reference_could_not_be_fitted():
    with pytest.warns(FitFailedWarning, match="fits failed"):
        report = comparison(baselines={"absent": Refusing()})
    page = Page(report.to_html())
    assert "Differences from" not in page.texts["figcaption"]
    assert not any("difference" in row for row in page.rows("Estimators by cem_ord").values())
    assert "Failed: absent, fold 1, 2, 3" in page.texts["p"]


@pytest.mark.usefixtures("drawn_figures")
def test_the_same_report_gives_the_same_bytes():
    report = single()
    assert report.to_html() == report.to_html()


def test_notebooks_show_tables_and_no_details(compared):
    report = cross_validation()
    fragment = Page(report._repr_html_())
    assert_holds_means(fragment, report)
    assert [table["caption"] for table in fragment.tables][1:] == [
        "Classes, from the lowest to the highest"
    ]
    of_comparison = Page(compared._repr_html_())
    # The estimators and their pairs.
    assert len(of_comparison.tables) == 2 * len(compared.metrics)
    assert "<b>tree</b>" in of_comparison.rows("Estimators by cem_ord")
    for found in (fragment, of_comparison):
        assert {"script", "svg", "b", "details"}.isdisjoint({tag for tag, _ in found.tags})


def test_undefined_values_are_dashes():
    report = cross_validation(DummyClassifier(), scoring=["kendall_tau_b"])
    page = Page(report.to_html())
    row = page.rows("Means over the folds")["kendall_tau_b"]
    assert row["mean"][0] == row["95% interval"][0] == "-"
    assert (
        "Folds without a value, which the mean leaves out: kendall_tau_b 3 of 3."
        in (page.texts["p"])
    )


def test_the_errors_of_many_classes_are_drawn_once_for_all_screens():
    classes = np.arange(100)
    report = OrdinalReport.from_predictions(classes, np.roll(classes, 1))
    with with_drawn_figures():
        page = Page(report.to_html())
    of_errors = [
        attrs
        for tag, attrs in page.tags
        if tag == "svg" and attrs["aria-label"].startswith("Predictions of each true class")
    ]
    assert len(of_errors) == 1
    # A screen of 400 pixels is 300 points wide.
    assert float(of_errors[0]["style"].removeprefix("min-width: ").removesuffix("pt")) < 300
