"""The contract of every result: its views, its numbers and its copies."""

import importlib
import json
import math
import pickle
import pkgutil
import re
from dataclasses import is_dataclass
from functools import cache

import pytest

import sklearn_ordinal
from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalScale,
    OrdinalScores,
)
from sklearn_ordinal._core.influence_functions import Influence
from sklearn_ordinal._documents.document_parts import Code, Document, computed
from sklearn_ordinal._documents.html_pages import as_page
from sklearn_ordinal.decisions import TunedThresholds
from sklearn_ordinal.groups import ChangeReport, GroupContrasts, GroupReport, RequiredSamples
from sklearn_ordinal.inference import (
    GroupDifference,
    Interval,
    PosteriorProbabilities,
    RankComparison,
)
from sklearn_ordinal.inference._intervals import Contrast
from sklearn_ordinal.meta_evaluation import (
    DiscriminativePower,
    MetricCoverage,
    MetricRobustness,
    OrdinalSystems,
    PropertyReport,
    RankAgreement,
)
from sklearn_ordinal.metrics import RankedProbabilityDecomposition
from sklearn_ordinal.model_selection._folds import FitFailure, FoldPredictions
from sklearn_ordinal.prediction_sets import PredictionSetReport
from sklearn_ordinal.raters import (
    AgreementReport,
    AlternativeAnnotatorTest,
    Consensus,
    JudgeAssistedInterval,
    JudgeReport,
    RatingCeilings,
)
from sklearn_ordinal.reports import (
    ComparisonReport,
    CrossValReport,
    OrdinalReport,
    PairwiseComparison,
    Provenance,
    ScoreLadder,
)
from sklearn_ordinal.reports._values import Values
from sklearn_ordinal.systems import DataSetsReport, SystemsReport
from tests.pages import Page
from tests.reports.results import (
    CLASSES,
    NAMES,
    OWN,
    REGIONS,
    SVM,
    TREE,
    figures_of,
    results,
)

EACH = pytest.mark.parametrize("name", NAMES)
# Rows of each kind of result, and columns of its frame whose full values its pages contain.
ROWS = {
    Interval: set(),
    PosteriorProbabilities: {"worse", "equivalent", "better"},
    RankComparison: {TREE, SVM, "chance"},
    AlternativeAnnotatorTest: {TREE, SVM, "chance"},
    JudgeReport: {"judge", TREE},
    OrdinalReport: {*CLASSES, "macro avg", "cem_ord"},
    GroupReport: {*REGIONS, "overall"},
    CrossValReport: {*CLASSES},
    ComparisonReport: {TREE},
    PairwiseComparison: set(),
    FitFailure: {"C"},
    FoldPredictions: set(),
    Provenance: set(),
    SystemsReport: {TREE, SVM, "chance"},
    Consensus: {*CLASSES},
    AgreementReport: {TREE, SVM, "chance"},
    PredictionSetReport: {*CLASSES, "overall"},
    RatingCeilings: {"accuracy", "quadratic_weighted_kappa"},
    JudgeAssistedInterval: {"cem_ord_flat, both"},
    RequiredSamples: set(),
    ChangeReport: {"all causes"},
    TunedThresholds: {*CLASSES},
    GroupContrasts: set(),
    DataSetsReport: {"first half", "average rank"},
    ScoreLadder: {"kendall_tau_b", "cem_ord"},
    RankedProbabilityDecomposition: {f"above '{name}'" for name in CLASSES[:-1]},
}
SHOWN = {
    Interval: ["estimate"],
    PosteriorProbabilities: ["worse", "equivalent", "better"],
    RankComparison: ["estimate"],
    AlternativeAnnotatorTest: ["estimate", "adjusted_pvalue"],
    JudgeReport: [],
    OrdinalReport: ["value"],
    GroupReport: [],
    CrossValReport: ["mean", "std", "pooled"],
    ComparisonReport: ["estimate"],
    PairwiseComparison: ["estimate", "adjusted_pvalue"],
    FitFailure: [],
    FoldPredictions: [],
    Provenance: [],
    SystemsReport: ["rank"],
    Consensus: [],
    AgreementReport: [],
    PredictionSetReport: ["coverage", "size"],
    # The ends of a ceiling are in one cell.
    RatingCeilings: [],
    JudgeAssistedInterval: ["estimate"],
    RequiredSamples: [],
    ChangeReport: [],
    TunedThresholds: ["true", "predicted"],
    GroupContrasts: ["estimate"],
    # The differences of each data set are in `comparisons`.
    DataSetsReport: [],
    ScoreLadder: ["worst", "uniform_guesses", "stratified_guesses", "best_constant", "best"],
    RankedProbabilityDecomposition: ["miscalibration", "discrimination", "uncertainty", "score"],
}


# Public dataclasses without views.
NO_RESULTS = {
    DiscriminativePower,
    Influence,
    MetricCoverage,
    MetricRobustness,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalScale,
    OrdinalScores,
    OrdinalSystems,
    PropertyReport,
    RankAgreement,
}


def public_results():
    """Return every public dataclass that is a result."""
    names = [each.name for each in pkgutil.iter_modules(sklearn_ordinal.__path__)]
    public = [f"sklearn_ordinal.{name}" for name in names if not name.startswith("_")]
    modules = [sklearn_ordinal, *map(importlib.import_module, public)]
    exported = {getattr(module, name) for module in modules for name in module.__all__}
    classes = {each for each in exported if isinstance(each, type) and is_dataclass(each)}
    return {each for each in classes - NO_RESULTS if "._documents." not in each.__module__}


def test_every_public_result_is_tested():
    assert public_results() <= {type(result) for result in results().values()}


# Values and parts of results, which have nothing to say beyond their table.
WITHOUT_VERDICT = (
    Contrast,
    FoldPredictions,
    GroupDifference,
    Interval,
    Provenance,
)


def of_kind(result, table):
    return next(value for kind, value in table.items() if isinstance(result, kind))


def from_dict(result, row):
    """Return the values that a row of the frame should have, from the dict of the result."""
    numbers = result.to_dict()
    if isinstance(result, Values):
        # Rows of groups are those of their own reports.
        members = [row[axis] for axis in result.axes]
        return next(r for r in numbers["values"] if [r[axis] for axis in result.axes] == members)
    if isinstance(result, RankComparison):
        return {"system": row["system"], "estimate": numbers["average_ranks"][row["system"]]}
    if isinstance(result, AlternativeAnnotatorTest):
        return numbers["humans"][row["human"]]
    if isinstance(result, OrdinalReport):
        if row.get("threshold") is not None:
            return {"value": numbers["thresholds"][row["threshold"]][row["criterion"]]}
        if row["class"] is None:
            return {"value": numbers["criteria"][row["criterion"]]}
        return {"value": numbers[row["class"]][row["criterion"]]}
    if isinstance(result, CrossValReport):
        found = numbers["criteria"][row["criterion"]]
        return {key: value for key, value in found.items() if key != "folds"}
    if isinstance(result, ScoreLadder):
        return numbers["criteria"][row["criterion"]]
    if isinstance(result, Consensus):
        return next(r for r in numbers["items"] if r["item"] == row["item"])
    if isinstance(result, RequiredSamples):
        return next(r for r in numbers["rows"] if r["n_samples"] == row["n_samples"])
    if isinstance(result, TunedThresholds):
        return next(r for r in numbers["rows"] if r["class"] == row["class"])
    if isinstance(result, PredictionSetReport):
        rows = numbers["levels"][row["level"]]["rows"]
        return next(r for r in rows if (r["part"], r["name"]) == (row["part"], row["name"]))
    if isinstance(result, FoldPredictions):
        position = numbers["test"].index(row["sample"])
        proba = {} if result.y_proba is None else numbers["y_proba"][position]
        return {
            "y_pred": numbers["y_pred"][position],
            **{f"proba_{i}": share for i, share in enumerate(proba)},
        }
    if isinstance(result, RankedProbabilityDecomposition):
        position = numbers["labels"].index(row["threshold"].removeprefix("above '")[:-1])
        parts = of_kind(result, SHOWN)
        return {part: numbers[part][position] for part in parts}
    if isinstance(result, Provenance):
        facts = {**numbers, **numbers["versions"], **numbers["estimators"]}
        return {"value": facts[row["what"]]}
    return numbers


def as_rows(frame):
    """Return the rows of a frame, with None for values that JSON lacks."""
    rows = frame.astype(object).to_dict("records")
    return [
        {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in row.items()
        }
        for row in rows
    ]


def rows_of_page(page):
    return [name for table in Page(page).tables for name, _ in table["rows"]]


def rows_of_markdown(text):
    tables = re.findall(r"(?:^\|.*\n?)+", text, re.M)
    # The first two lines are the header and the rule.
    lines = [line for table in tables for line in table.splitlines()[2:]]
    return [unescaped(re.split(r"(?<!\\) \| ", line[2:])[0]) for line in lines]


def rows_of_latex(text):
    # Lines of long cells end at spaces, which are left out, and after underscores.
    text = re.sub(r"\\begin\{tabular\}\[[tb]\]\{@\{\}.@\{\}\}(.*?)\\end\{tabular\}", r"\1", text)
    text = re.sub(r"(?<=_) \\\\ ", "", text)
    text = re.sub(r" \\\\(?= )", "", text)
    tables = re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.S)
    lines = [line for table in tables for line in table.splitlines() if line != r"\midrule"]
    cells = [unescaped(re.split(r"(?<!\\) & ", line)[0]) for line in lines]
    # Undefined values are en dashes.
    return ["-" if cell == "--" else cell for cell in cells]


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text)


@cache
def page_of(name):
    """Return the page of a result, whose figures are described but not drawn."""
    return results()[name].to_html()


@cache
def figures_by_result():
    """Return for each result the figures that no result before it has.

    Two figures are the same if the same method of the same class draws them, and both results
    have undefined values or neither has.
    """
    kinds, figures = set(), {}
    for name, result in results().items():
        document = getattr(result, "document", None)
        figures[name] = []
        for figure in figures_of(document().parts) if document else ():
            method = getattr(figure.draw, "func", figure.draw)
            drawn = method.__self__
            owner = drawn if isinstance(drawn, type) else type(drawn)
            kind = (owner, method.__name__, name.startswith("undefined "))
            if kind not in kinds:
                figures[name].append(figure)
            kinds.add(kind)
    return figures


@EACH
@pytest.mark.parametrize("options", [{}, {"digits": 6, "details": True}], ids=["plain", "details"])
def test_text_has_at_most_80_columns(name, options):
    text = results()[name].to_text(**options)
    assert text.endswith("\n")
    code = set(lines_of_code(results()[name].document().parts))
    assert max(len(line) for line in text.splitlines() if line not in code) <= 80


def lines_of_code(parts):
    """Return the lines of tracebacks and examples, which stay as they are."""
    return [
        line.rstrip()
        for part in parts
        for line in (
            part.text.splitlines()
            if isinstance(part, Code)
            else lines_of_code(computed(getattr(part, "parts", ())))
        )
    ]


@EACH
def test_every_view_begins_with_the_verdict(name):
    result = results()[name]
    verdict = result.document().verdict
    assert (not verdict) == (type(result) in WITHOUT_VERDICT)
    words = [word for note in verdict for word in note.text.split()]
    assert "nan" not in words
    assert result.to_text().split()[: len(words)] == words
    for text in (page_of(name), result._repr_html_()):
        page = Page(text)
        blocks = [item for item in page.tags if item[0] in ("h1", "p", "table", "h2")]
        start = blocks[0][0] == "h1"
        of_verdict = [attrs.get("class") == "verdict" for _, attrs in blocks[start:]]
        assert of_verdict == sorted(of_verdict, reverse=True)
        assert sum(of_verdict) == len(verdict)
        assert page.texts["p"].startswith("".join(note.text for note in verdict))


@EACH
def test_html_markdown_and_latex_have_the_same_rows_with_full_names(name):
    result = results()[name]
    expected = rows_of_page(result._repr_html_())
    assert of_kind(result, ROWS) <= set(expected)
    assert rows_of_markdown(result.to_markdown()) == expected
    assert rows_of_latex(result.to_latex()) == expected
    details = rows_of_page(page_of(name))
    assert rows_of_markdown(result.to_markdown(details=True)) == details
    assert rows_of_latex(result.to_latex(details=True)) == details


@EACH
@pytest.mark.usefixtures("drawn_figures")
def test_every_kind_of_figure_can_be_drawn(name):
    for figure in figures_by_result()[name]:
        page = Page(as_page(Document(name, (figure,))))
        assert [tag for tag, _ in page.tags].count("svg") == 1
        assert "path" in dict(page.tags)


@EACH
def test_text_has_the_same_rows_with_shortened_names(name):
    result = results()[name]
    lines = result.to_text().splitlines()
    for row in rows_of_page(result._repr_html_()):
        shown = row if len(row) < 40 else row[:8]
        assert any(line.startswith(shown) for line in lines)
        # Notes have whole names, also at the start of a line.
        assert len(row) < 60 or not any(line.startswith(f"{row}  ") for line in lines)


@EACH
def test_pages_and_fragments_contain_the_unrounded_numbers(name):
    result = results()[name]
    for text in (page_of(name), result._repr_html_()):
        cells = (attrs.get("data-value") for _, attrs in Page(text).tags)
        values = {float(value) for value in cells if value is not None}
        for row in as_rows(result.to_frame()):
            for column in of_kind(result, SHOWN):
                assert row[column] is None or row[column] in values


@EACH
def test_dicts_are_strict_json(name):
    numbers = results()[name].to_dict()
    assert json.loads(json.dumps(numbers, allow_nan=False)) == numbers


@EACH
def test_frames_are_in_long_format_with_the_numbers_of_the_dict(name):
    result = results()[name]
    frame = result.to_frame()
    rows = as_rows(frame)
    for row in rows:
        expected = from_dict(result, row)
        assert {key: row[key] for key in expected} == expected
    keys = (
        "criterion",
        "grades",
        "estimator",
        "against",
        "class",
        "predicted",
        "system",
        "first",
        "second",
        "sample",
        "what",
        "time",
        "against",
        "threshold",
        "property",
        "group",
        "human",
        "judge",
        "against",
        "n_samples",
        "item",
        "rater",
        "level",
        "part",
        "name",
        "prediction",
        "data_set",
    )
    keys = [key for key in keys if key in frame]
    assert not frame.duplicated(keys or None).any()
    if isinstance(result, ComparisonReport):
        estimators = [*result.reports]
        assert {(row["criterion"], row["estimator"]) for row in rows} == {
            (criterion, estimator) for criterion in result.metrics for estimator in estimators
        }


@EACH
def test_copies_are_equal(name):
    result = results()[name]
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert copied.to_text(details=True) == result.to_text(details=True)


@EACH
def test_results_with_different_numbers_are_not_equal(name):
    others = [other for key, other in results().items() if key != name]
    assert all(results()[name] != other for other in others)


def test_undefined_values_are_none_in_dicts():
    assert results()["undefined interval"].to_dict() == {
        "estimate": None,
        "low": None,
        "high": None,
        "confidence_level": 0.95,
        "n_undefined": 0,
        "n_left_out": 0,
        "method": None,
        "standard_error": None,
    }
    criteria = results()["undefined cross-validation"].to_dict()["criteria"]
    assert criteria["log_loss"]["folds"] == [None, None]
    assert criteria["unknown_error"]["mean"] is None


def test_losses_keep_their_names_and_positive_values_in_all_views():
    result = results()["comparison"]
    criterion = "ordinal_mean_absolute_error"
    assert list(result.to_dict()["criteria"]) == [OWN, criterion, "cem_ord"]
    assert set(result.to_frame()["criterion"]) == {OWN, criterion, "cem_ord"}
    means = result.to_frame().query("criterion == @criterion and against.isna()")["estimate"]
    assert means.min() > 0
    assert "neg_" not in result.to_text(details=True)
