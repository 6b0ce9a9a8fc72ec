"""Provenance of results: shown on HTML pages, saved in files, ignored by comparisons."""

import html
import platform
import re
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal
from sklearn_ordinal import OrdinalReport, compare_estimators, cross_val_report
from sklearn_ordinal._documents.document_parts import Document, Note
from sklearn_ordinal._documents.html_pages import as_fragment
from sklearn_ordinal._documents.latex import as_latex
from sklearn_ordinal._documents.markdown import as_markdown
from sklearn_ordinal._documents.plain_text import as_text
from sklearn_ordinal.datasets import load_lev
from tests.reports.results import NAMES, results

X, Y = (part[::10] for part in load_lev(return_X_y=True))
TREE = DecisionTreeClassifier(max_depth=2, random_state=7)
VERSIONS = (
    f"sklearn_ordinal {sklearn_ordinal.__version__}, scikit-learn {sklearn.__version__}, "
    f"NumPy {np.__version__}, Python {platform.python_version()}."
)
HALVES = [(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))]


class EvenAndOdd:
    """A splitter without parameters in its repr."""

    def split(self, X, y=None, groups=None):  # noqa: ARG002
        even = np.arange(len(X)) % 2 == 0
        yield even, ~even
        yield ~even, even

    def get_n_splits(self, X=None, y=None, groups=None):  # noqa: ARG002
        return 2


def validated(estimator=TREE, **options):
    return cross_val_report(estimator, X, Y, verbose=False, **{"cv": 2, **options})


def compared(**options):
    estimators = {"tree": TREE, "scaled": make_pipeline(StandardScaler(), TREE)}
    return compare_estimators(estimators, X, Y, cv=2, random_state=0, verbose=False, **options)


def footer(result):
    return re.search(r"<footer>(.*)</footer>\n</main>", result.to_html(), flags=re.S)[1]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "StratifiedKFold"),
        ({"cv": RepeatedStratifiedKFold(n_splits=2, n_repeats=2)}, "RepeatedStratifiedKFold"),
        ({"groups": np.arange(100) // 2}, "StratifiedGroupKFold"),
        ({"cv": HALVES}, "a list of splits"),
        ({"cv": EvenAndOdd()}, "EvenAndOdd"),
    ],
)
def test_the_first_line_names_the_splitter(options, name):
    for view in (validated(**options).to_text(), validated(**options)._repr_html_()):
        assert re.search(rf"folds.* by {name}, ", view)


def test_a_comparison_names_the_splitter():
    assert "2 folds of 50 samples by StratifiedKFold, 5 classes.\n" in str(compared())


def test_the_footer_of_a_comparison_has_folds_estimators_versions_and_date():
    texts = [html.unescape(text) for text in re.findall(r"<p.*?>(.*?)</p>", footer(compared()))]
    assert "Folds: StratifiedKFold(n_splits=2, random_state=None, shuffle=False)." in texts
    (tree,) = [text for text in texts if text.startswith("tree: ")]
    for parameter in ("DecisionTreeClassifier(", "max_depth=2", "random_state=7", "ccp_alpha=0.0"):
        assert parameter in tree
    assert any(text.startswith("scaled: Pipeline(memory=None, steps=[") for text in texts)
    assert any("OrdinalDummyClassifier(" in text for text in texts if "guesses" in text)
    assert (
        re.fullmatch(r"Made on \d{4}-\d\d-\d\d \d\d:\d\d UTC with (.*)", texts[-1])[1] == VERSIONS
    )


def test_the_footer_of_a_cross_validation_has_its_full_estimator():
    steps = [StandardScaler() for _ in range(20)]
    long = footer(
        validated(make_pipeline(*steps, TREE), cv=StratifiedGroupKFold(2), groups=range(100))
    )
    assert long.count("StandardScaler(copy=True, with_mean=True, with_std=True)") == 20
    assert "random_state=7" in long
    assert "Folds: StratifiedGroupKFold(n_splits=2, random_state=None, shuffle=False)." in long
    assert VERSIONS in long


def test_the_footer_of_a_report_has_versions_date_and_any_estimator():
    assert footer(OrdinalReport.from_predictions(Y, Y)).count("<p") == 1
    assert VERSIONS in footer(OrdinalReport.from_predictions(Y, Y))
    report = OrdinalReport.from_estimator(TREE.fit(X, Y), X, Y, zero_division=0.0)
    assert "estimator: DecisionTreeClassifier(" in footer(report)


class Unshown:
    """An estimator whose repr has no parameters, or raises an error."""

    def __init__(self, message=""):
        self.message = message

    def __repr__(self):
        if self.message:
            raise RuntimeError(self.message)
        return object.__repr__(self)

    def predict(self, X):
        return np.zeros(len(X), int)


@pytest.mark.parametrize("message", ["", "cannot be shown"])
def test_an_estimator_without_a_representation_is_shown_by_its_type(message):
    report = OrdinalReport.from_estimator(Unshown(message), X, Y, zero_division=0.0)
    assert report.provenance.estimators == {"estimator": "Unshown"}


def test_reports_of_folds_share_the_provenance_of_the_cross_validation():
    report = validated()
    assert report.pooled.provenance is report.folds[0].provenance is report.provenance
    comparison = compared()
    assert comparison.provenance.estimators.keys() == comparison.reports.keys()
    assert list(comparison.reports["tree"].provenance.estimators) == ["tree"]


@pytest.mark.parametrize("make", [validated, compared])
def test_provenance_is_ignored_by_equality(make):
    result = make()
    earlier = replace(result.provenance, date="2001-02-03 04:05 UTC", versions={"Python": "2.7"})
    assert replace(result, provenance=earlier) == result
    assert "Made on 2001-02-03 04:05 UTC with Python 2.7." in footer(
        replace(result, provenance=earlier)
    )


def test_pages_of_results_without_provenance_say_when_they_were_written(tmp_path):
    report = replace(OrdinalReport.from_predictions(Y, Y), provenance=None)
    assert "Written on 2" in footer(report)
    report.to_json(tmp_path / "report.json")
    assert OrdinalReport.from_json(tmp_path / "report.json").provenance is None
    assert "\n2 folds of 50 samples, 5" in replace(validated(), provenance=None).to_text()


def test_other_formats_have_no_footer():
    document = Document("Title", (Note("text"),), footer=(Note("the footer"),))
    for render in (as_fragment, as_latex, as_markdown, as_text):
        assert "the footer" not in render(document)


def test_the_date_is_the_time_of_evaluation(monkeypatch):
    class Clock:
        @staticmethod
        def now(zone):
            return datetime(2030, 1, 2, 3, 4, tzinfo=zone)

    monkeypatch.setattr("sklearn_ordinal._documents.views.datetime", Clock)
    report = validated()
    monkeypatch.undo()
    assert report.provenance.date == "2030-01-02 03:04 UTC"
    assert report.pooled.provenance.date == "2030-01-02 03:04 UTC"


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_every_result_ends_with_versions_and_a_date(name):
    last = re.sub("<[^>]*>", "", html.unescape(footer(results()[name]))).strip().splitlines()[-1]
    assert re.match(r"(Made|Written) on \d{4}-\d\d-\d\d \d\d:\d\d UTC with ", last)
    assert last.endswith(VERSIONS)
