"""The public API: names and docstrings."""

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
import typing
from operator import attrgetter
from pathlib import Path

import pytest
from numpydoc.validate import validate
from sklearn.metrics import get_scorer, get_scorer_names

import sklearn_ordinal
from sklearn_ordinal._core.catalogue import METRICS

RETURNED = "Annotate what a function or a method returns."
# Why a user needs each public name.
SURFACE = {
    "sklearn_ordinal": {
        "GroupReport": "Compare groups of samples, such as countries.",
        "OrdinalConfusion": "Count predicted classes once, and ask anything of the counts.",
        "OrdinalForecasts": "Hold probabilities of the classes, for criteria of probabilities.",
        "OrdinalMetric": "Annotate a criterion, or look up what is known about it.",
        "OrdinalRatings": "Hold the grades of several raters, for criteria of agreement.",
        "OrdinalReport": "Read a saved report, or make one from counts or an estimator.",
        "OrdinalScale": "Say the order of the classes once.",
        "OrdinalScores": "Hold scores of samples, for criteria of rankings.",
        "agreement_report": "Ask how far several raters agree, and who differs.",
        "compare_estimators": "Compare estimators with each other and with baselines.",
        "compare_judge": "Ask whether a judge is as good as human raters.",
        "compare_on_data_sets": "Compare estimators on several data sets.",
        "compare_systems": "Rank the systems of a shared task.",
        "consensus": "Turn the grades of several raters into true classes.",
        "cross_val_report": "Evaluate an estimator on folds.",
        "get_metric": "Turn a name, function or scorer into a criterion.",
        "get_metric_names": "See which criteria there are.",
        "judge_assisted_interval": "Use a judge where only few items are graded by humans.",
        "make_ordinal_scorer": "Bind the order of the classes, or options, to a scorer.",
        "metrics": "Reach the functions of all criteria.",
        "ordinal_metric": "Define a criterion of counts.",
        "ordinal_report": "Evaluate predictions.",
        "prediction_set_report": "Ask whether conformal sets keep their level, and for whom.",
        "rating_ceilings": "Ask how good a prediction of a human's grade can be.",
        "report_change": "Ask whether new samples are worse than old ones, and why.",
        "required_samples": "Plan how many samples to collect.",
        "score_ladder": "Ask whether a value is good for these class sizes.",
        "tune_thresholds": "Cut scores that are there into classes.",
    },
    "sklearn_ordinal.datasets": {"load_lev": "Try everything on ratings of lecturers."},
    "sklearn_ordinal.decisions": {
        "CemBoostingClassifier": "Boost trees for CEM_ORD in searches and comparisons.",
        "OptimalDecisionClassifier": "Predict the classes of least expected cost.",
        "TunedOrdinalThresholdClassifierCV": "Cut the scores of a model into classes.",
        "cem_objective": "Boost trees for CEM_ORD.",
        "TunedThresholds": RETURNED,
    },
    "sklearn_ordinal.groups": {
        "GroupReport": "The same as at the top, beside the other results.",
        **dict.fromkeys(["ChangeReport", "GroupContrasts", "RequiredSamples"], RETURNED),
    },
    "sklearn_ordinal.inference": {
        "Interval": "Annotate an interval, or hand one from elsewhere to a plot.",
        "PairedDifference": "Annotate a difference, or hand one from elsewhere to a plot.",
        "RankComparison": "Annotate a comparison of ranks.",
        "bayesian_correlated_t_test": "Ask how probable it is that a model is better.",
        "bootstrap_interval": "Ask how sure a value is.",
        "compare_ranks": "Compare models over data sets by their ranks.",
        "corrected_t_interval": "Ask how sure the mean over folds is.",
        "corrected_t_test": "Test a difference over folds.",
        "delta_interval": "Ask how sure a value is, from counts of any size.",
        "holm_correction": "Adjust p-values for their number.",
        "multioutput_interval": "Ask how sure the mean over the items of a questionnaire is.",
        "paired_difference": "Test whether a system is better on the same samples.",
        **dict.fromkeys(
            ["GroupDifference", "PosteriorProbabilities"],
            RETURNED,
        ),
    },
    "sklearn_ordinal.meta_evaluation": {
        "DiscriminativePower": "Annotate the separated pairs of systems.",
        "MetricCoverage": "Annotate the coverage of criteria.",
        "MetricRobustness": "Annotate the robustness of criteria.",
        "OrdinalSystems": "Hold the predictions of systems on the same samples.",
        "PropertyReport": "Annotate the properties of a criterion.",
        "RankAgreement": "Annotate the agreement of criteria.",
        "check_properties": "Search for counterexamples to the properties of a criterion.",
        "discriminative_power": "Ask how many pairs of systems a criterion separates.",
        "make_ordinal_systems": "Draw systems of known quality.",
        "metric_coverage": "Ask how well a criterion agrees with unanimous improvements.",
        "metric_robustness": "Ask whether a criterion orders systems alike on other samples.",
        "rank_agreement": "Ask which criteria order systems alike.",
        "unanimous_improvement_ratio": "Compare two systems by several criteria at once.",
    },
    "sklearn_ordinal.model_selection": {
        "OrdinalDummyClassifier": "Know what a model has to beat.",
    },
    "sklearn_ordinal.plotting": {
        "ComparisonDisplay": "Draw differences from elsewhere.",
        "CoverageCurveDisplay": "Draw what abstaining gains.",
        "CriticalDifferenceDisplay": "Draw ranks from elsewhere.",
        "ErrorCostDisplay": "Draw what errors cost.",
        "ErrorDistributionDisplay": "Draw how far off predictions are.",
        "FoldScoresDisplay": "Draw scores of folds from elsewhere.",
        "OrdinalConfusionMatrixDisplay": "Draw a confusion matrix in the order of the classes.",
        "OrdinalDetCurveDisplay": "Draw the errors at each threshold.",
        "OrdinalPrecisionRecallDisplay": "Draw precision and recall at each threshold.",
        "OrdinalRocCurveDisplay": "Draw the ROC curve of each threshold.",
        "ThresholdCalibrationDisplay": "Draw the calibration at each threshold.",
        "ThresholdTuningDisplay": "Draw what other cuts would score.",
    },
    "sklearn_ordinal.prediction_sets": {"PredictionSetReport": RETURNED},
    "sklearn_ordinal.raters": {
        "alternative_annotator_test": "Ask whether a judge can replace human raters.",
        **dict.fromkeys(
            [
                "AgreementReport",
                "AlternativeAnnotatorTest",
                "Consensus",
                "JudgeAssistedInterval",
                "JudgeReport",
                "RatingCeilings",
            ],
            RETURNED,
        ),
    },
    "sklearn_ordinal.reports": {
        "ComparisonReport": "Annotate a comparison of estimators.",
        "CrossValReport": "Annotate a report of folds.",
        "OrdinalReport": "The same as at the top, beside the other reports.",
        **dict.fromkeys(["PairwiseComparison", "ScoreLadder"], RETURNED),
    },
    "sklearn_ordinal.scorers": {"make_ordinal_scorer": "The same as at the top."},
    "sklearn_ordinal.systems": {
        "SystemsReport": "Annotate a ranking of systems.",
        "DataSetsReport": RETURNED,
    },
}
# Names of `sklearn_ordinal.metrics` beside the catalogue, which says when to prefer each.
OTHER_METRIC_FUNCTIONS = {
    "RankedProbabilityDecomposition": "Read a saved decomposition.",
    "all_threshold_loss": "Judge scores by the margins of all thresholds.",
    "closeness_costs": "Decide, or train, by the costs of CEM_ORD.",
    "equal_error_rate": "Ask where both errors of a threshold are equal.",
    "exact_match_score": "Ask in how many samples all outputs are right.",
    "expected_cost_loss": "Judge by costs of one's own.",
    "immediate_threshold_loss": "Judge scores by the margins of the nearest thresholds.",
    "manhattan_error": "Compare predicted with true distributions, class by class.",
    "margin_loss": "Judge scores by a margin loss of one's own.",
    "multioutput_score": "Judge several outputs by one criterion.",
    "prmse_score": "Ask how well a system predicts the true scores behind several grades.",
    "proximity_matrix": "See how close CEM takes two classes to be.",
    "split_measure": "Judge a threshold, or a class, by its sensitivity or a likelihood ratio.",
    "ranked_probability_decomposition": "Ask what a ranked probability score is made of.",
    "reliability_sensitivity": "Judge groups by reliability and sensitivity.",
    "split_measures": "Judge each threshold as a question of two classes.",
    "wasserstein_error": "Compare predicted with true distributions on the scale.",
}
# Beyond these, a new name must replace one. Functions of metrics do not count: more are welcome.
MOST_NAMES = 75
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
    assert names == {name: sorted(surface) for name, surface in SURFACE.items()}


def test_a_user_has_a_reason_for_each_public_name():
    reasons = [reason for names in SURFACE.values() for reason in names.values()]
    reasons += OTHER_METRIC_FUNCTIONS.values()
    reasons += [metric.prefer for metric in METRICS.values()]
    assert all(re.match("[A-Za-z]", reason) for reason in reasons)


def test_there_are_no_more_public_names_than_a_user_can_survey():
    """Classes that are only returned are not counted."""
    reasons = [item for names in SURFACE.values() for item in names.items()]
    names = {name for name, reason in reasons if reason != RETURNED}
    assert len(names) <= MOST_NAMES


def test_data_come_before_criteria_in_every_signature():
    """Criteria are called `metrics`, `metric`, or `scoring` where estimators are fitted."""
    data = {"y_true", "y_pred", "y_proba", "X", "y", "systems", "estimator", "estimators"}
    criteria = {"metrics", "metric", "scoring"}
    n_checked = 0
    for module in map(importlib.import_module, SURFACE):
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function):
                continue
            parameters = list(inspect.signature(function).parameters)
            named = criteria.intersection(parameters)
            if named and data.intersection(parameters):
                n_checked += 1
                first = min(map(parameters.index, named))
                assert first > max(map(parameters.index, data.intersection(parameters))), name
                assert ("scoring" in named) == bool({"X", "data_sets"} & {*parameters}), name
    assert n_checked > 10


def our_functions():
    functions = [metric.function for metric in METRICS.values()]
    return {f.__name__ for f in functions if f.__module__.startswith("sklearn_ordinal.")}


def test_the_public_names_of_metrics_are_the_functions_of_the_catalogue():
    # The only private function of the catalogue returns one of three values.
    public = our_functions() - {"_reliability_sensitivity_f_score"}
    assert set(sklearn_ordinal.metrics.__all__) == public | OTHER_METRIC_FUNCTIONS.keys()


def test_the_scorers_are_the_metrics_that_scikit_learn_does_not_have():
    expected = {metric.scorer_name for metric in METRICS.values() if metric.scorer_name}
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
    # Fields that begin with an underscore are not public.
    private = re.compile(r"Parameters \{('_\w+'(, )?)+\} not documented")
    assert [error for error in problems if not private.fullmatch(error[1])] == []


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


def test_help_begins_with_six_functions_and_fits_a_terminal():
    overview = inspect.getdoc(sklearn_ordinal)
    start, rest = overview.split("Start with one of six functions:\n\n")[1].split("\n\n", 1)
    first = re.findall(r"^- ``([\w.]+)\(", start, flags=re.M)
    assert first == [
        "metrics.cem_ord_score",
        "ordinal_report",
        "cross_val_report",
        "compare_estimators",
        "compare_systems",
        "agreement_report",
    ]
    # They are on the first screen, below the name, which pydoc indents by four.
    assert len(overview.partition(rest)[0].splitlines()) < 24
    assert max(map(len, overview.splitlines())) <= 76


def test_the_names_in_help_exist():
    overview = inspect.getdoc(sklearn_ordinal)
    names = re.findall(r"``([a-z_][\w.]+)(?:``|\()", overview)
    assert len(names) > 20
    for name in names:
        try:
            importlib.import_module(f"sklearn_ordinal.{name}")
        except ImportError:
            attrgetter(name)(sklearn_ordinal)


def test_sources_and_type_hints_of_public_objects_can_be_inspected():
    # With the public package as their __module__, as in NumPy and pandas, help() would not show
    # private modules, but neither the source nor the annotations of a class could be read.
    for package, names in SURFACE.items():
        for name in names:
            item = getattr(importlib.import_module(package), name)
            assert inspect.getsource(item)
            if not inspect.ismodule(item):
                typing.get_type_hints(item)


def test_every_dependency_is_imported():
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = Path(sklearn_ordinal.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    for requirement in project["dependencies"]:
        name = re.match(r"[\w-]+", requirement)[0]
        module = {"scikit-learn": "sklearn"}.get(name, name)
        assert re.search(rf"^ *(import|from) {module}\b", source, flags=re.M), requirement
