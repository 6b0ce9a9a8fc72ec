"""The public surface: names, signatures, docstrings."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest
from numpydoc.validate import validate

import sklearn_ordinal

SURFACE = {
    "sklearn_ordinal": [
        "OrdinalConfusion",
        "OrdinalMetric",
        "OrdinalReport",
        "OrdinalScale",
        "compare_estimators",
        "cross_val_report",
        "get_metric",
        "get_metric_names",
        "get_scorer",
        "get_scorer_names",
        "make_ordinal_scorer",
        "metrics",
        "ordinal_metric",
        "ordinal_report",
    ],
    "sklearn_ordinal.datasets": ["load_lev"],
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
    "sklearn_ordinal.metrics": [
        "cem_int_score",
        "cem_nom_score",
        "cem_ord_flat_score",
        "cem_ord_score",
        "cosine_similarity_score",
        "exact_match_score",
        "extreme_sensitivity_score",
        "geometric_mean_score",
        "goodman_kruskal_gamma_score",
        "gwet_ac2_score",
        "inverse_purity_score",
        "kendall_tau_score",
        "krippendorff_alpha_score",
        "linear_weighted_kappa_score",
        "macro_averaged_mean_absolute_error",
        "macro_averaged_mean_squared_error",
        "maximum_mean_absolute_error",
        "minimum_sensitivity_score",
        "multioutput_score",
        "mutual_information_score",
        "ordinal_classification_index",
        "ordinal_mean_absolute_error",
        "ordinal_mean_squared_error",
        "pearson_correlation_score",
        "proximity_matrix",
        "purity_score",
        "quadratic_weighted_kappa_score",
        "reliability_sensitivity",
        "scott_pi_score",
        "somers_d_score",
        "spearman_correlation_score",
        "split_measures",
        "uniform_ordinal_classification_index",
        "within_n_accuracy_score",
    ],
    "sklearn_ordinal.model_selection": [
        "ComparisonReport",
        "CrossValReport",
        "FitFailure",
        "ModelComparison",
        "OrdinalDummyClassifier",
        "compare_estimators",
        "cross_val_report",
    ],
    "sklearn_ordinal.plotting": [
        "ComparisonDisplay",
        "CriticalDifferenceDisplay",
        "ErrorDistributionDisplay",
        "FoldScoresDisplay",
        "OrdinalConfusionMatrixDisplay",
    ],
    "sklearn_ordinal.report": ["OrdinalReport", "ordinal_report"],
    "sklearn_ordinal.scorers": [
        "get_scorer",
        "get_scorer_names",
        "make_ordinal_scorer",
        "register_scorers",
        "unregister_scorers",
    ],
}
SCORERS = [
    "cem_int",
    "cem_nom",
    "cem_ord",
    "cem_ord_adjusted",
    "cem_ord_flat",
    "cosine_similarity",
    "extreme_sensitivity",
    "geometric_mean",
    "goodman_kruskal_gamma",
    "gwet_ac2",
    "inverse_purity",
    "kendall_tau_a",
    "kendall_tau_b",
    "kendall_tau_c",
    "krippendorff_alpha",
    "linear_weighted_kappa",
    "minimum_sensitivity",
    "mutual_information",
    "neg_macro_averaged_mean_absolute_error",
    "neg_macro_averaged_mean_squared_error",
    "neg_maximum_mean_absolute_error",
    "neg_ordinal_classification_index",
    "neg_ordinal_mean_absolute_error",
    "neg_ordinal_mean_squared_error",
    "neg_uniform_ordinal_classification_index",
    "pearson_correlation",
    "purity",
    "quadratic_weighted_kappa",
    "reliability_sensitivity_f",
    "scott_pi",
    "somers_d",
    "spearman_correlation",
    "within_1_accuracy",
]
# No extended summary or example is demanded of methods, nor "See Also" of them.
NOT_FOR_METHODS = {"ES01", "EX01", "SA01"}
# Summaries may wrap; descriptions in "See Also" and of returns may be fragments.
NOT_DEMANDED = {"ES01", "GL01", "SA03", "SS06", "RT02"}


def public_objects():
    for module_name, names in SURFACE.items():
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
    assert {name: sorted(importlib.import_module(name).__all__) for name in modules} == SURFACE


def test_the_scorer_names_are_these():
    assert sklearn_ordinal.get_scorer_names() == SCORERS


@pytest.mark.parametrize("name", list(public_objects()))
def test_docstrings_are_numpydoc(name):
    is_method = name.rsplit(".", 2)[1][0].isupper()
    exempt = NOT_DEMANDED | (NOT_FOR_METHODS if is_method else set())
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
