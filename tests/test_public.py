"""The public API: names and docstrings."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from numpydoc.validate import validate
from sklearn.metrics import get_scorer, get_scorer_names

import sklearn_ordinal
from sklearn_ordinal._core import METRICS

SURFACE = {
    "sklearn_ordinal": [
        "GroupReport",
        "OrdinalConfusion",
        "OrdinalForecasts",
        "OrdinalMetric",
        "OrdinalReport",
        "OrdinalScale",
        "OrdinalScores",
        "compare_estimators",
        "compare_systems",
        "cross_val_report",
        "get_metric",
        "get_metric_names",
        "make_ordinal_scorer",
        "metrics",
        "ordinal_metric",
        "ordinal_report",
    ],
    "sklearn_ordinal.datasets": ["load_lev"],
    "sklearn_ordinal.decisions": [
        "OptimalDecisionClassifier",
        "TunedOrdinalThresholdClassifierCV",
        "cem_objective",
    ],
    "sklearn_ordinal.documents": [
        "Code",
        "Column",
        "Document",
        "Figure",
        "Note",
        "Section",
        "Table",
    ],
    "sklearn_ordinal.inference": [
        "GroupDifference",
        "Interval",
        "PairedDifference",
        "PosteriorProbabilities",
        "RankComparison",
        "bayesian_correlated_t_test",
        "bootstrap_interval",
        "compare_ranks",
        "corrected_t_interval",
        "corrected_t_test",
        "holm_correction",
        "paired_difference",
    ],
    "sklearn_ordinal.meta_evaluation": [
        "ChangedWinners",
        "Counterexample",
        "DiscriminativePower",
        "MetricCoverage",
        "MetricRecommendation",
        "MetricRobustness",
        "OrdinalSystems",
        "PropertyReport",
        "PropertyTable",
        "RankAgreement",
        "check_properties",
        "discriminative_power",
        "make_ordinal_systems",
        "metric_coverage",
        "metric_robustness",
        "rank_agreement",
        "recommend_metrics",
        "unanimous_improvement_ratio",
    ],
    "sklearn_ordinal.model_selection": [
        "FitFailure",
        "FoldPredictions",
        "OrdinalDummyClassifier",
    ],
    "sklearn_ordinal.plotting": [
        "ComparisonDisplay",
        "CoverageCurveDisplay",
        "CriticalDifferenceDisplay",
        "ErrorCostDisplay",
        "ErrorDistributionDisplay",
        "FoldScoresDisplay",
        "MetricEstimatesDisplay",
        "OrdinalConfusionMatrixDisplay",
        "OrdinalDetCurveDisplay",
        "OrdinalPrecisionRecallDisplay",
        "OrdinalRocCurveDisplay",
        "RankAgreementDisplay",
        "SystemsDisplay",
        "ThresholdCalibrationDisplay",
        "ThresholdTuningDisplay",
    ],
    "sklearn_ordinal.reports": [
        "ComparisonReport",
        "CrossValReport",
        "GroupReport",
        "ModelComparison",
        "OrdinalReport",
        "PairwiseComparison",
        "Provenance",
        "SystemsReport",
    ],
    "sklearn_ordinal.scorers": [
        "make_ordinal_scorer",
        "register_scorers",
    ],
}
# Functions of `sklearn_ordinal.metrics` that are not in the catalogue.
OTHER_METRIC_FUNCTIONS = {
    "RankedProbabilityDecomposition",
    "all_threshold_loss",
    "immediate_threshold_loss",
    "margin_loss",
    "equal_error_rate",
    "exact_match_score",
    "expected_cost_loss",
    "multioutput_score",
    "closeness_costs",
    "proximity_matrix",
    "ranked_probability_decomposition",
    "reliability_sensitivity",
    "split_measures",
}
# Methods need no extended summary, no example and no "See Also".
NOT_FOR_METHODS = {"ES01", "EX01", "SA01"}
# Summaries may wrap; descriptions in "See Also" and of returns may be fragments.
NOT_REQUIRED = {"ES01", "GL01", "SA03", "SS06", "RT02"}


def public_objects():
    surface = {**SURFACE, "sklearn_ordinal.metrics": sklearn_ordinal.metrics.__all__}
    for module_name, names in surface.items():
        for name in names:
            item = getattr(importlib.import_module(module_name), name)
            if inspect.ismodule(item):
                continue
            yield f"{module_name}.{name}"
            for method, _ in inspect.getmembers(item) if inspect.isclass(item) else ():
                if not method.startswith("_") and callable(getattr(item, method)):
                    yield f"{module_name}.{name}.{method}"


def test_the_public_names_are_these():
    modules = ["sklearn_ordinal"] + [
        module.name
        for module in pkgutil.iter_modules(sklearn_ordinal.__path__, "sklearn_ordinal.")
        if not module.name.split(".")[1].startswith("_")
    ]
    names = {name: sorted(importlib.import_module(name).__all__) for name in modules}
    del names["sklearn_ordinal.metrics"]
    assert names == SURFACE


def our_functions():
    functions = [metric.function for metric in METRICS.values()]
    return {f.__name__ for f in functions if f.__module__.startswith("sklearn_ordinal.")}


def test_the_public_names_of_metrics_are_the_functions_of_the_catalogue():
    # The only private function of the catalogue returns one of three values.
    public = our_functions() - {"_reliability_sensitivity_f_score"}
    assert set(sklearn_ordinal.metrics.__all__) == public | OTHER_METRIC_FUNCTIONS


def test_the_scorers_are_the_metrics_that_scikit_learn_does_not_have():
    losses = {name for name, metric in METRICS.items() if not metric.greater_is_better}
    expected = {f"neg_{name}" if name in losses else name for name in METRICS}
    expected -= {"accuracy", "balanced_accuracy", "f1_macro", "neg_log_loss", "neg_brier_score"}
    module = "sklearn_ordinal.scorers"
    ours = {n for n in get_scorer_names() if type(get_scorer(n)).__module__.startswith(module)}
    assert ours == expected


def test_the_reference_lists_every_public_name():
    page = (Path(__file__).parents[1] / "docs" / "api.rst").read_text(encoding="utf-8")
    names = {name for names in SURFACE.values() for name in names} - {"metrics"}
    assert {name for name in names if not re.search(rf"^   (\w+\.)?{name}$", page, re.M)} == set()


@pytest.mark.parametrize("name", list(public_objects()))
def test_docstrings_are_numpydoc(name):
    is_method = name.rsplit(".", 2)[1][0].isupper()
    exempt = NOT_REQUIRED | (NOT_FOR_METHODS if is_method else set())
    problems = [error for error in validate(name)["errors"] if error[0] not in exempt]
    assert problems == []


def test_importing_and_scoring_need_no_optional_library():
    command = (
        "import sys; sys.modules.update(pandas=None, polars=None, matplotlib=None);"
        "import sklearn_ordinal as so; import sklearn_ordinal.plotting;"
        "print(so.metrics.cem_ord_score([0, 1], [0, 1]));"
        "print(so.ordinal_report([0, 1], [0, 1]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("1.0\n")
