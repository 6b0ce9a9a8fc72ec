"""Calls of everything public with one odd argument: ``python -m tests.odd_input --seconds 480``.

The public functions, classes and methods are found from ``__all__``. The base call takes a valid
value for each parameter from a table by parameter name; then one argument after the other is
replaced. Each call either returns or raises a ValueError or TypeError of this package, or of the
validation of scikit-learn or NumPy, that names the argument in one line.

With ``SKLEARN_ORDINAL_ODD_SEED=1`` and other seeds, other samples and odd numbers are drawn.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import inspect
import io
import math
import os
import random
import re
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal as so
from sklearn_ordinal import (
    decisions,
    inference,
    meta_evaluation,
    model_selection,
    plotting,
    raters,
)
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.scorers._scorers import withdraw

try:
    import array_api_strict
except ImportError:
    array_api_strict = None

ROOT = Path(so.__file__).parent
KNOWN = set(METRICS)
FAMILIES = {
    "evidence": "",
    "metrics": ".metrics",
    "scorers": ".scorers",
    "inference": ".inference",
    "reports": ".reports",
    "decisions": ".decisions",
    "groups": ".groups",
    "systems": ".systems",
    "raters": ".raters",
    "prediction_sets": ".prediction_sets",
    "model_selection": ".model_selection",
    "plotting": ".plotting",
    "meta_evaluation": ".meta_evaluation",
    "datasets": ".datasets",
}

TRUE = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
PRED = [0, 2, 2, 1, 1, 1, 0, 1, 2, 0, 0, 2]
OTHER = [2, 1, 2, 0, 0, 2, 1, 1, 2, 0, 1, 1]
N = len(TRUE)
CLUSTERS = ["c1", "c1", "c2", "c2", "c3", "c3", "c4", "c4", "c5", "c5", "c6", "c6"]
BY = ["a", "a", "a", "b", "b", "b"] * 2
WEIGHTS = [1.0, 2.0, 1.5] * 4
NOISE = np.arange(N) % 5
# Odd values, and the positions of odd items in arrays.
WORD, NEGATIVE, NEGATIVE_FLOAT, LARGE, TOO_LARGE, LARGE_INTEGER = "odd", -1, -0.5, 1e308, 400, 2**64
FIRST, MIDDLE, LAST = 0, N // 2, -1
if SEED := int(os.environ.get("SKLEARN_ORDINAL_ODD_SEED", "0")):
    _rng = np.random.default_rng(SEED)
    TRUE, PRED, OTHER, CLUSTERS, BY = (
        _rng.permutation(values).tolist() for values in (TRUE, PRED, OTHER, CLUSTERS, BY)
    )
    WEIGHTS = _rng.uniform(0.5, 3, N).tolist()
    NOISE = _rng.permutation(NOISE)
    WORD = "".join(_rng.choice(list("odbcgkpqxyz-_ .ø"), 6))
    NEGATIVE, NEGATIVE_FLOAT = -int(_rng.integers(1, 10**6)), -float(_rng.exponential())
    LARGE, TOO_LARGE = 10.0 ** _rng.uniform(305, 308.25), int(_rng.integers(309, 500))
    LARGE_INTEGER = 2**64 + int(_rng.integers(2**62))
    FIRST, MIDDLE, LAST = _rng.permutation(N)[:3].tolist()
PROBA = (np.eye(3)[PRED] * 0.7 + 0.1).tolist()
SCORES = [p + 0.01 * i for i, p in enumerate(PRED)]
X = np.c_[PRED, NOISE].astype(float)


def _tree() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0)


def _fitted() -> DecisionTreeClassifier:
    return _tree().fit(X, TRUE)


def _boosting() -> Any:
    # Loaded only here, since LightGBM is optional.
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=2, min_child_samples=1, n_jobs=1, verbose=-1)


def _statistic(counts: Any) -> Any:
    return counts.sum(axis=(-2, -1))


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="odd_input"))


@cache
def _saved(owner: str) -> str:
    path = str(_folder() / f"{owner}.json")
    receiver(owner).to_json(path)
    return path


# A valid value for each parameter, by its name: functions, since some values are mutable.
VALID: dict[str, Callable[[], Any]] = {
    "axis": lambda: "criterion",
    "y_true": lambda: TRUE,
    "y_pred": lambda: PRED,
    "y_pred_a": lambda: PRED,
    "y_pred_b": lambda: OTHER,
    "y_proba": lambda: PROBA,
    "y_score": lambda: SCORES,
    "y_soft": lambda: PROBA[::-1],
    "per_item": lambda: True,
    "sets": lambda: (np.array(PROBA) > 0.2).tolist(),
    "nominal": lambda: 0.8,
    "n_calibration": lambda: 19,
    "ratings": lambda: np.c_[TRUE, PRED, OTHER].tolist(),
    "judge": lambda: OTHER,
    "closeness": lambda: "accuracy",
    "epsilon": lambda: 0.2,
    "coefficient": lambda: "krippendorff_alpha",
    "rule": lambda: "mode",
    "raters": lambda: ["r1", "r2", "r3"],
    "y_above": lambda: [[0.9, 0.5], [0.6, 0.2], [0.3, 0.1]] * 4,
    "decision": lambda: SCORES,
    "thresholds": lambda: [0.5, 1.5],
    "y": lambda: TRUE,
    "X": lambda: X,
    "labels": lambda: [0, 1, 2],
    "classes": lambda: [0, 1, 2],
    "label": lambda: 1,
    "lowest": lambda: 0,
    "n_classes": lambda: 3,
    "sample_weight": lambda: WEIGHTS,
    "weights": lambda: WEIGHTS,
    "values": lambda: np.array(WEIGHTS),
    "members": lambda: np.arange(4),
    "compute": lambda: lambda evidence: evidence,
    "factors": lambda: np.array([1.0, 2.0, 0.5]),
    "shares": lambda: [0.2, 0.3, 0.5],
    "prevalence": lambda: [0.2, 0.3, 0.5],
    "class_counts": lambda: [4, 4, 4],
    "cost_matrix": lambda: [[0, 1, 2], [1, 0, 1], [2, 1, 0]],
    "counts": lambda: [[3, 1, 0], [1, 2, 1], [0, 1, 3]],
    "clusters": lambda: CLUSTERS,
    "margin": lambda: 0.01,
    "strata": lambda: ["s1"] * 6 + ["s2"] * 6,
    "by": lambda: BY,
    "groups": lambda: CLUSTERS,
    "unanswered": lambda: "raise",
    "target_names": lambda: ["low", "mid", "high"],
    "predictions": lambda: {"a": PRED, "b": OTHER},
    "frame": lambda: pd.DataFrame({"y_true": TRUE, "y_pred": PRED, "w": WEIGHTS, "g": BY}),
    "batches": lambda: [(TRUE[:6], PRED[:6]), (TRUE[6:], PRED[6:])],
    "confusion": lambda: so.OrdinalConfusion.from_predictions(TRUE, PRED),
    "pilot": lambda: receiver("OrdinalConfusion"),
    "confusions": lambda: [so.OrdinalConfusion.from_predictions(TRUE, PRED)] * 2,
    "evidence": lambda: [so.OrdinalForecasts.from_probabilities(TRUE, PROBA)] * 2,
    "estimator": _fitted,
    "cv_results": lambda: {
        "estimator": [_fitted()] * 2,
        "indices": {"test": [[0, 1, 2], [3, 4, 5]]},
    },
    "estimators": lambda: {"tree": _tree()},
    "data_sets": lambda: {"one": (X, TRUE), "two": (X, PRED)},
    "report": lambda: receiver("CrossValReport"),
    "systems": lambda: receiver("OrdinalSystems"),
    "metric": lambda: "cem_ord",
    "metrics": lambda: ["cem_ord", "quadratic_weighted_kappa"],
    "reference_metrics": lambda: ["accuracy"],
    "scoring": lambda: "cem_ord",
    "criterion": lambda: "cem_ord",
    "measures": lambda: ["f1"],
    "name": lambda: "cem_ord",
    "names": lambda: ["a", "b", "c"],
    "test_cases": lambda: ["d1", "d2"],
    "kinds": lambda: ["rand", "prox"],
    "error_rates": lambda: [0.2, 0.5],
    "baselines": lambda: ["most_frequent"],
    "needs": lambda: ["distances"],
    "first": lambda: "a",
    "second": lambda: "b",
    "reference": lambda: [0.2, 0.3, 0.5],
    "scores": lambda: [0.5, 0.6, 0.55, 0.7],
    "scores_a": lambda: [0.5, 0.6, 0.55, 0.7],
    "scores_b": lambda: [0.45, 0.5, 0.6, 0.62],
    "pvalues": lambda: [0.01, 0.2, 0.04],
    "n_train": lambda: 8,
    "n_test": lambda: 4,
    "rope": lambda: 0.01,
    "alpha": lambda: 0.05,
    "power": lambda: 0.8,
    "half_width": lambda: 0.1,
    "confidence_level": lambda: 0.9,
    "n_resamples": lambda: 9,
    "n_permutations": lambda: 9,
    "n_pilot_resamples": lambda: 9,
    "n_splits": lambda: 3,
    "n_samples": lambda: 20,
    "n_test_cases": lambda: 3,
    "n_random": lambda: 3,
    "max_matrices": lambda: 20,
    "max_distance": lambda: 1,
    "n_thresholds": lambda: 5,
    "n_jobs": lambda: None,
    "n": lambda: 1,
    "base": lambda: 2.0,
    "beta": lambda: 0.5,
    "gamma": lambda: 1.0,
    "spread": lambda: (1.0, 2.0),
    "temperature": lambda: 0.5,
    "random_state": lambda: 0,
    "cv": lambda: 2,
    "params": lambda: None,
    "digits": lambda: 3,
    "title": lambda: "title",
    "path": lambda: str(_folder() / "written"),
    "ax": lambda: None,
    "constant": lambda: 1,
    "strategy": lambda: "prior",
    "replace_undefined_by": lambda: 0.0,
    "score_name": lambda: "Score",
    "values_format": lambda: ".2f",
    "xticks_rotation": lambda: "vertical",
    "verbose": lambda: None,
    "statistic": lambda: _statistic,
    "function": lambda: _statistic,
    "bounds": lambda: (0.0, 1.0),
    "greater_is_better": lambda: True,
    "interval_method": lambda: "bca",
    "interval_scale": lambda: "logit",
    "chance_level": lambda: 0.0,
    "properties": lambda: None,
    "an_error_costs": lambda: "",
    "prefer": lambda: "",
    "exceptions": lambda: None,
    "costs": lambda: None,
    "gradient": lambda: None,
    "share_of": lambda: None,
    "check": lambda: None,
    "statistics": lambda: None,
    "gradients": lambda: None,
    "ceiling": lambda: (0.2, 0.4),
    "multioutput": lambda: None,
}
# Valid values of parameters whose name has another meaning in this function.
OVERRIDES: dict[tuple[str, str], Callable[[], Any]] = {
    ("paired_difference", "method"): lambda: "percentile",
    ("OrdinalConfusion.from_table", "y_true"): lambda: "y_true",
    ("OrdinalConfusion.from_table", "y_pred"): lambda: "y_pred",
    ("OrdinalConfusion.from_table", "sample_weight"): lambda: "w",
    ("OrdinalConfusion.from_table", "by"): lambda: "g",
    ("OrdinalConfusion.from_systems", "predictions"): lambda: {"a": PRED, "b": OTHER},
    ("OrdinalConfusion.from_counts", "unanswered"): lambda: [0, 1, 0],
    ("OrdinalSystems.from_predictions", "predictions"): lambda: {"a": PRED, "b": OTHER},
    ("OrdinalSystems.from_predictions", "y_true"): lambda: TRUE,
    ("OrdinalSystems.from_predictions", "names"): lambda: (),
    ("unanimous_improvement_ratio", "scores_a"): lambda: [[0.5, 0.6], [0.4, 0.7], [0.3, 0.6]],
    ("unanimous_improvement_ratio", "scores_b"): lambda: [[0.4, 0.6], [0.5, 0.6], [0.3, 0.5]],
    ("OrdinalSystems.from_predictions", "test_cases"): lambda: None,
    ("OrdinalSystems.from_counts", "counts"): lambda: [[np.eye(3, dtype=int).tolist()] * 2] * 2,
    ("OrdinalSystems.from_counts", "names"): lambda: ["a", "b"],
    ("OrdinalSystems.subset", "names"): lambda: list(receiver("OrdinalSystems").names[:2]),
    ("compare_ranks", "scores"): lambda: [[0.5, 0.6, 0.1], [0.4, 0.7, 0.2], [0.3, 0.6, 0.4]],
    ("GroupReport.from_confusion", "confusion"): lambda: so.OrdinalConfusion.from_predictions(
        TRUE, PRED, by=BY
    ),
    ("GroupReport.from_confusion", "by"): lambda: None,
    ("OrdinalForecasts.reweighted", "weights"): lambda: np.array(WEIGHTS),
    ("OrdinalScores.reweighted", "weights"): lambda: np.array(WEIGHTS),
    ("OrdinalRatings.from_table", "frame"): lambda: pd.DataFrame(
        {
            "item": [*range(6)] * 2,
            "rater": ["a"] * 6 + ["b"] * 6,
            "grade": TRUE,
            "w": [1.0, 2.0] * 6,
        }
    ),
    ("OrdinalRatings.from_table", "sample_weight"): lambda: "w",
    ("OrdinalRatings.from_table", "repeats"): lambda: "runs",
    ("OrdinalRatings.reweighted", "weights"): lambda: receiver("OrdinalRatings").weights,
    ("agreement_score", "ratings"): lambda: receiver("OrdinalRatings"),
    ("consensus", "ratings"): lambda: receiver("OrdinalRatings"),
    ("agreement_report", "ratings"): lambda: receiver("OrdinalRatings"),
    ("agreement_report", "weights"): lambda: "linear",
    ("rating_ceilings", "ratings"): lambda: receiver("OrdinalRatings"),
    ("agreement_score", "weights"): lambda: "linear",
    ("agreement_score", "level"): lambda: None,
    ("prmse_score", "ratings"): lambda: receiver("OrdinalRatings"),
    ("manhattan_error", "sample_weight"): lambda: None,
    ("wasserstein_error", "sample_weight"): lambda: None,
    ("compare_judge", "ratings"): lambda: receiver("OrdinalRatings"),
    ("alternative_annotator_test", "ratings"): lambda: receiver("OrdinalRatings"),
    ("judge_assisted_interval", "y_true"): lambda: [*TRUE * 3, *[None] * N],
    ("judge_assisted_interval", "y_pred"): lambda: PRED * 4,
    ("judge_assisted_interval", "judge"): lambda: OTHER * 4,
    ("gwet_ac2_score", "weights"): lambda: "linear",
    ("scott_pi_score", "weights"): lambda: "linear",
    ("weighted_kappa_score", "weights"): lambda: "linear",
    ("uniform_ordinal_classification_index", "beta"): lambda: 0.5,
    ("proximity_matrix", "scale"): lambda: "ordinal",
    ("ordinal_metric", "name"): lambda: None,
    ("prediction_set_report", "sample_weight"): lambda: None,
    ("prediction_set_report", "clusters"): lambda: None,
    ("required_samples", "difference"): lambda: None,
    ("required_samples", "design"): lambda: "unpaired",
    ("report_change", "old"): lambda: receiver("OrdinalReport"),
    ("report_change", "new"): lambda: receiver("OrdinalConfusion"),
    ("score_ladder", "evidence"): lambda: receiver("OrdinalConfusion"),
    ("score_ladder", "class_counts"): lambda: None,
    ("score_ladder", "labels"): lambda: None,
    ("score_ladder", "ratings"): lambda: receiver("OrdinalRatings"),
    ("OrdinalMetric.influence", "evidence"): lambda: receiver("OrdinalConfusion"),
    ("OrdinalScores.stack", "evidence"): lambda: [receiver("OrdinalScores")] * 2,
    ("compare_estimators", "baselines"): lambda: None,
    ("compare_on_data_sets", "estimators"): lambda: {"a": _tree(), "b": _tree(), "c": _tree()},
    ("compare_on_data_sets", "labels"): lambda: {"one": [0, 1, 2]},
    ("all_threshold_loss", "decision"): lambda: np.c_[SCORES, np.array(SCORES) - 1].tolist(),
    ("all_threshold_loss", "thresholds"): lambda: None,
    ("immediate_threshold_loss", "decision"): lambda: np.c_[SCORES, np.array(SCORES) - 1].tolist(),
    ("immediate_threshold_loss", "thresholds"): lambda: None,
    ("margin_loss", "y_true"): lambda: [0, 1] * 6,
    ("margin_loss", "labels"): lambda: [0, 1],
    ("margin_loss", "thresholds"): lambda: [0.5],
    ("ThresholdTuningDisplay.from_estimator", "estimator"): lambda: receiver("Tuned"),
    ("OrdinalConfusionMatrixDisplay.plot", "normalize"): lambda: "true",
    ("split_measure", "measure"): lambda: "sensitivity",
    ("split_measure", "at"): lambda: 0,
    ("split_measures", "average"): lambda: "macro",
    ("bootstrap_interval", "method"): lambda: "percentile",
    ("CemBoostingClassifier", "estimator"): _boosting,
    ("ordinal_metric", "evidence"): lambda: "labels",
    ("ComparisonReport.pairwise", "reference"): lambda: "tree",
    ("GroupReport.plot", "metric"): lambda: None,
    ("GroupReport.contrasts", "reference"): lambda: None,
    ("GroupReport.contrasts", "weights"): lambda: {"a": 1.0, "b": -1.0},
    ("multioutput_score", "y_true"): lambda: np.c_[TRUE, OTHER].tolist(),
    ("multioutput_score", "y_pred"): lambda: np.c_[PRED, TRUE].tolist(),
    ("multioutput_interval", "y_true"): lambda: np.c_[TRUE, OTHER].tolist(),
    ("multioutput_interval", "y_pred"): lambda: np.c_[PRED, TRUE].tolist(),
    ("multioutput_interval", "aggregate"): lambda: [1.0, 2.0],
    ("exact_match_score", "y_true"): lambda: np.c_[TRUE, OTHER].tolist(),
    ("exact_match_score", "y_pred"): lambda: np.c_[PRED, TRUE].tolist(),
}
# Options without which the call would take long, or another argument would not be read.
ALWAYS = {
    "n_resamples",
    "n_permutations",
    "n_pilot_resamples",
    "n_splits",
    "random_state",
    "cv",
    "n_random",
    "max_matrices",
    "metrics",
    "n_test_cases",
    "n_samples",
    "kinds",
    "error_rates",
    "n_thresholds",
    "reference_metrics",
}
NEEDED = {
    ("GroupReport.from_predictions", "by"),
    ("CemBoostingClassifier", "estimator"),
    ("ComparisonReport.pairwise", "reference"),
    ("required_samples", "half_width"),
    ("required_samples", "design"),
    ("score_ladder", "evidence"),
    ("prediction_set_report", "nominal"),
}
# An instance of each class: its attributes are valid arguments of the constructor.
RECEIVERS: dict[str, Callable[[], Any]] = {
    "OrdinalScale": lambda: so.OrdinalScale.from_labels([0, 1, 2]),
    "OrdinalConfusion": lambda: so.OrdinalConfusion.from_predictions(TRUE, PRED),
    "OrdinalForecasts": lambda: so.OrdinalForecasts.from_probabilities(TRUE, PROBA),
    "OrdinalRatings": lambda: so.OrdinalRatings.from_ratings(
        np.c_[TRUE, PRED, OTHER], sample_weight=WEIGHTS
    ),
    "OrdinalScores": lambda: so.OrdinalScores.from_scores(TRUE, SCORES),
    "OrdinalMetric": lambda: so.get_metric("cem_ord"),
    "OrdinalReport": lambda: so.OrdinalReport.from_predictions(TRUE, PRED, y_proba=PROBA),
    "GroupReport": lambda: so.GroupReport.from_predictions(
        TRUE, PRED, by=BY, n_permutations=9, random_state=0
    ),
    "CrossValReport": lambda: so.cross_val_report(_tree(), X, TRUE, cv=2),
    "ComparisonReport": lambda: so.compare_estimators({"tree": _tree()}, X, TRUE, cv=2),
    "SystemsReport": lambda: so.compare_systems(
        TRUE, {"a": PRED, "b": OTHER}, n_resamples=9, random_state=0
    ),
    "RankedProbabilityDecomposition": lambda: so.metrics.ranked_probability_decomposition(
        TRUE, PROBA
    ),
    "AlternativeAnnotatorTest": lambda: raters.alternative_annotator_test(
        so.OrdinalRatings.from_ratings(np.tile(np.c_[TRUE, PRED, OTHER], (5, 1))), np.tile(PRED, 5)
    ),
    "GroupDifference": lambda: receiver("GroupReport").difference()["cem_ord"],
    "PosteriorProbabilities": lambda: inference.bayesian_correlated_t_test(
        [0.5, 0.6, 0.7], [0.4, 0.6, 0.5], n_train=20, n_test=10
    ),
    "Interval": lambda: inference.Interval(0.5, 0.4, 0.6, 0.95),
    "PairedDifference": lambda: inference.PairedDifference(0.5, 0.4, 0.6, 0.95, pvalue=0.1),
    "RankComparison": lambda: inference.compare_ranks(
        [[0.5, 0.6, 0.1], [0.4, 0.7, 0.2], [0.3, 0.6, 0.4]], names=["a", "b", "c"]
    ),
    "ComparisonDisplay": lambda: plotting.ComparisonDisplay(
        {"a": receiver("PairedDifference")},
        adjusted_pvalues={"a": 0.5},
        criterion="c",
        reference="r",
    ),
    "CoverageCurveDisplay": lambda: plotting.CoverageCurveDisplay(receiver("OrdinalForecasts")),
    "OrdinalDetCurveDisplay": lambda: plotting.OrdinalDetCurveDisplay(receiver("OrdinalForecasts")),
    "OrdinalPrecisionRecallDisplay": lambda: plotting.OrdinalPrecisionRecallDisplay(
        receiver("OrdinalForecasts")
    ),
    "OrdinalRocCurveDisplay": lambda: plotting.OrdinalRocCurveDisplay(receiver("OrdinalForecasts")),
    "ThresholdCalibrationDisplay": lambda: plotting.ThresholdCalibrationDisplay(
        receiver("OrdinalForecasts"), n_resamples=9, random_state=0
    ),
    "CriticalDifferenceDisplay": lambda: plotting.CriticalDifferenceDisplay(
        {"a": 1.2, "b": 1.8}, n_data_sets=5, critical_difference=0.9
    ),
    "ErrorCostDisplay": lambda: plotting.ErrorCostDisplay({"c": np.eye(3)}),
    "ErrorDistributionDisplay": lambda: plotting.ErrorDistributionDisplay(
        receiver("OrdinalConfusion")
    ),
    "FoldScoresDisplay": lambda: plotting.FoldScoresDisplay(
        {"a": [0.1, 0.2]}, {"a": receiver("Interval")}
    ),
    "OrdinalConfusionMatrixDisplay": lambda: plotting.OrdinalConfusionMatrixDisplay(
        receiver("OrdinalConfusion")
    ),
    "ThresholdTuningDisplay": lambda: plotting.ThresholdTuningDisplay(
        [[0.1, 0.2, 0.3], [1.1, 1.2, 1.3]], [[0.5, 0.6, 0.5], [0.4, 0.5, 0.7]], [0.2, 1.3]
    ),
    "CemBoostingClassifier": lambda: decisions.CemBoostingClassifier(_boosting()).fit(X, TRUE),
    "Tuned": lambda: decisions.TunedOrdinalThresholdClassifierCV(
        _tree(), cv=2, n_thresholds=5, store_cv_results=True
    ).fit(X, TRUE),
    "OptimalDecisionClassifier": lambda: decisions.OptimalDecisionClassifier(_tree()).fit(X, TRUE),
    "TunedOrdinalThresholdClassifierCV": lambda: decisions.TunedOrdinalThresholdClassifierCV(
        _tree(), cv=2, n_thresholds=5
    ).fit(X, TRUE),
    "OrdinalDummyClassifier": lambda: model_selection.OrdinalDummyClassifier().fit(X, TRUE),
    "OrdinalSystems": lambda: meta_evaluation.make_ordinal_systems(
        n_test_cases=3,
        n_samples=20,
        n_classes=3,
        kinds=("rand", "prox"),
        error_rates=(0.2, 0.5),
        random_state=0,
    ),
    "DiscriminativePower": lambda: meta_evaluation.discriminative_power(
        receiver("OrdinalSystems"), metrics=["cem_ord"], n_resamples=9, random_state=0
    ),
    "MetricCoverage": lambda: meta_evaluation.metric_coverage(
        receiver("OrdinalSystems"), metrics=["cem_ord"], reference_metrics=["accuracy"]
    ),
    "MetricRobustness": lambda: meta_evaluation.metric_robustness(
        receiver("OrdinalSystems"), metrics=["cem_ord"], n_splits=3, random_state=0
    ),
    "RankAgreement": lambda: meta_evaluation.rank_agreement(
        receiver("OrdinalSystems"), metrics=["cem_ord", "accuracy"]
    ),
    "PropertyReport": lambda: meta_evaluation.check_properties(
        "cem_ord", n_classes=3, max_matrices=20, n_random=3
    ),
}


@cache
def receiver(name: str) -> Any:
    """Return an instance of a public class, built once."""
    return RECEIVERS[name]()


class Opaque:
    """A value of which nothing is known."""


def odd_values(valid: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield a kind, a variant and a value for an argument, given its valid value."""
    yield "None", "None", None
    yield "string", "word", WORD
    yield "string", "empty", ""
    yield "string", "list of words", [WORD] * N
    yield "bytes", "word", WORD.encode()
    yield "bytes", "list", [WORD.encode()] * N
    yield "NaN", "float", math.nan
    yield "NaN", "NA", pd.NA
    yield "NaN", "NaT", pd.NaT
    yield "NaN", "list", [math.nan] * N
    yield "negative", "integer", NEGATIVE
    yield "negative", "float", NEGATIVE_FLOAT
    yield "negative", "list", [float(NEGATIVE)] * N
    yield "huge", "1e308", LARGE
    yield "huge", "infinite", math.inf
    yield "huge", "10**400", 10**TOO_LARGE
    yield "huge", "2**64", LARGE_INTEGER
    yield "huge", "list", [LARGE] * N
    yield "empty", "list", []
    yield "empty", "dict", {}
    yield "empty", "(n, 0)", np.zeros((N, 0))
    yield "empty", "(0, 3)", np.zeros((0, 3))
    yield "ragged", "list", [[1], [2, 3]]
    yield "ragged", "polars", pl.Series([[1], [2, 3]])
    yield "masked", "constant", np.ma.masked
    yield "masked", "whole", np.ma.masked_all(3)
    yield "type", "bool", True
    yield "type", "complex", 1j
    yield "type", "date", datetime(2020, 1, 1)
    yield "type", "duration", np.timedelta64(1, "s")
    yield "type", "timedelta", timedelta(1)
    yield "type", "object", Opaque()
    yield "type", "class", Opaque
    yield "type", "set", {1, 2}
    yield "type", "iterator", iter([1, 2])
    yield "type", "function", _statistic
    yield "type", "sparse", csr_array(np.eye(3))
    yield "type", "frame", pd.DataFrame({"odd": [1, 2]})
    yield "type", "0-d", np.array(1.5)
    yield "type", "four axes", np.zeros((2, 2, 2, 2))
    yield "type", "slice", slice(2)
    if isinstance(valid, dict) and valid:
        first = next(iter(valid))
        for kind, odd in {
            "None": None,
            "string": WORD,
            "NaN": math.nan,
            "type": Opaque(),
            "empty": [],
        }.items():
            yield kind, "value of a dict", valid | {first: odd}
        yield "type", "key of a dict", valid | {(): valid[first]}
    if not isinstance(valid, (list, tuple, np.ndarray)) or len(valid) == 0:
        return
    try:
        array = np.array(valid)
    except ValueError:
        return
    if array.dtype == object:
        items = list(valid)
        yield "wrong length", "shorter", items[:-1]
        yield "None", "item", [None, *items[1:]]
        yield "string", "item", [WORD, *items[1:]]
        yield "NaN", "item", [math.nan, *items[1:]]
        return
    yield "wrong length", "shorter", array[:-1]
    yield "wrong length", "longer", np.concatenate([array, array])
    yield "wrong length", "one", array[:1]
    if array.dtype.kind in "biuf":
        spoiled = array.astype(float)
        spoiled.flat[FIRST % array.size] = math.nan
        yield "NaN", "item", spoiled
        yield "NaN", "nested list", spoiled.tolist()
        spoiled = array.astype(float)
        spoiled.flat[LAST % array.size] = math.inf
        yield "huge", "infinite item", spoiled
        spoiled = array.astype(float)
        spoiled.flat[FIRST % array.size] = LARGE
        yield "huge", "item", spoiled
        yield "huge", "integers", np.full(array.shape, 2**62)
        yield "huge", "scaled", np.where(array > 0, LARGE, 0.0)
        spoiled = array.astype(float)
        spoiled.flat[MIDDLE % array.size] = NEGATIVE_FLOAT - 1
        yield "negative", "item", spoiled
        yield "negative", "all", -1 - array.astype(float)
        yield "type", "complex items", array + 1j
        yield "type", "dates", np.full(array.shape, np.datetime64("2020-01-01"))
        yield "type", "0-1 booleans", array > 0
    mixed = array.astype(object)
    mixed.flat[FIRST % array.size] = None
    yield "None", "item", mixed
    mixed = array.astype(object)
    mixed.flat[FIRST % array.size] = Opaque()
    yield "type", "item", mixed
    mixed = array.astype(object)
    mixed.flat[FIRST % array.size] = WORD
    yield "string", "item", mixed
    yield "string", "numerals", array.astype(str)
    yield "bytes", "numerals", np.char.encode(array.astype(str))
    masked = np.ma.array(array, mask=np.zeros(array.shape, dtype=bool))
    masked.mask.flat[0] = True
    masked[(0,) * array.ndim] = np.ma.masked
    yield "masked", "item", masked
    yield "masked", "all items", np.ma.masked_all(array.shape, dtype=array.dtype)
    yield "clean", "masked array without a mask", np.ma.array(array)
    yield "clean", "tuple", tuple(valid)
    yield "clean", "list", array.tolist()
    yield "clean", "objects", array.astype(object)
    yield "ragged", "last row", [*array.tolist()[:-1], [[1, 2], 3]]
    yield "(n, 1)", "column", array.reshape(*array.shape, 1)
    if array.ndim == 1:
        yield "clean", "polars", pl.Series(array)
        yield "misaligned", "Series", pd.Series(array, index=range(len(array), 0, -1))
        yield "misaligned", "Series of names", pd.Series(array, index=[f"r{i}" for i in array])
    if array.ndim == 2:
        yield (
            "misaligned",
            "frame",
            pd.DataFrame(
                array, index=range(len(array), 0, -1), columns=range(array.shape[1], 0, -1)
            ),
        )
    if array_api_strict is not None and array.dtype.kind in "biuf":
        device = array_api_strict.asarray(array, device=array_api_strict.Device("device1"))
        yield "device", "array", device
        # SciPy reads this when it is imported.
        if os.environ.get("SCIPY_ARRAY_API"):
            yield "device", "dispatched", device


@dataclass(frozen=True)
class Function:
    """A public function, constructor or method."""

    family: str
    name: str
    owner: str | None

    def callable(self) -> Callable[..., Any]:
        """Return the function, bound to an instance where it is a method."""
        package = importlib.import_module(f"sklearn_ordinal{FAMILIES[self.family]}")
        head, _, method = self.name.partition(".")
        item = getattr(package, head)
        if not method:
            return item
        is_method = not isinstance(inspect.getattr_static(item, method), classmethod)
        return getattr(receiver(head) if is_method else item, method)

    def valid(self, name: str) -> Any:
        """Return a valid value of a parameter."""
        if (self.name, name) in OVERRIDES:
            return OVERRIDES[self.name, name]()
        if self.name == self.owner:
            instance = receiver(self.owner)
            if hasattr(instance, name):
                return getattr(instance, name)
        if self.name.endswith(".from_json"):
            return _saved(self.owner or "")
        if name in VALID:
            return VALID[name]()
        default = self.parameters()[name].default
        if isinstance(default, (str, bool, int, float)):
            return default
        raise LookupError(f"{self.name} has the parameter {name}: add a valid value to VALID.")

    def parameters(self) -> dict[str, inspect.Parameter]:
        """Return the parameters that have a name."""
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        parameters = inspect.signature(self.callable()).parameters
        # Methods that are there only if an estimator has them show `self`.
        return {n: p for n, p in parameters.items() if p.kind not in kinds and n != "self"}

    def base(self, *, full: bool = False) -> dict[str, Any]:
        """Return valid arguments: those without which it does not work, or the usual ones."""
        used = ALWAYS | ({"labels", "sample_weight"} if full else set())
        return {
            name: self.valid(name)
            for name, parameter in self.parameters().items()
            if parameter.default is parameter.empty
            or (self.name == self.owner and self.family not in {"decisions", "model_selection"})
            or name in used
            or (self.name, name) in NEEDED
            or (name in ("y_pred", "y_pred_a", "y_pred_b", "predictions", "y_score"))
            or (name == "y_proba" and "y_pred" not in self.parameters())
        }

    @property
    def is_fast(self) -> bool:
        """Whether a call takes less than a millisecond or so."""
        is_plain = self.owner is None or self.owner in {
            "OrdinalConfusion",
            "OrdinalForecasts",
            "OrdinalRatings",
            "OrdinalScores",
            "OrdinalScale",
            "Interval",
            "PairedDifference",
            "OrdinalMetric",
            "OrdinalDummyClassifier",
        }
        slow = {"compare_estimators", "cross_val_report", "ordinal_report", "compare_systems"}
        families = {"evidence", "metrics", "scorers", "inference"}
        return is_plain and self.family in families and self.name not in slow


def functions() -> Iterator[Function]:
    """Yield everything public that can be called, from ``__all__``."""
    known = set()
    for family, package in FAMILIES.items():
        module = importlib.import_module(f"sklearn_ordinal{package}")
        for name in module.__all__:
            item = getattr(module, name)
            needs_lightgbm = name == "CemBoostingClassifier"
            if needs_lightgbm and importlib.util.find_spec("lightgbm") is None:
                continue
            if inspect.ismodule(item) or id(item) in known:
                continue
            known.add(id(item))
            if not inspect.isclass(item):
                yield Function(family, name, None)
                continue
            # Functions make results, which do not check their fields. Their views are the same
            # methods, so that some results stand for all.
            if not issubclass(item, Views):
                yield Function(family, name, name)
            elif name not in RECEIVERS:
                continue
            for method in dir(item):
                value = getattr(item, method)
                is_ours = (getattr(value, "__module__", "") or "").startswith("sklearn_ordinal")
                is_public = not method.startswith("_") and callable(value) and is_ours
                # Some methods are there only if the estimator has them.
                if is_public and hasattr(receiver(name), method):
                    yield Function(family, f"{name}.{method}", name)


@dataclass(frozen=True)
class Call:
    """A call with one odd argument."""

    function: Function
    parameter: str
    kind: str
    variant: str
    is_full: bool
    value: Any

    def __str__(self) -> str:
        base = "all arguments" if self.is_full else "required arguments"
        return f"{self.function.name}({self.parameter}={self.kind}: {self.variant}; {base})"

    def run(self) -> tuple[str, str]:
        """Return a problem, or "" if the call is clear, and what was returned or raised."""
        arguments = self.function.base(full=self.is_full) | {self.parameter: self.value}
        outcome = outcome_of(self.function, arguments, is_dispatched=self.variant == "dispatched")
        if isinstance(outcome, Exception):
            return problem_of(outcome, self), f"{type(outcome).__name__}: {outcome}"
        value, leaked = outcome
        if leaked:
            return "warning leaks", leaked
        if self.kind == "clean" or self.variant == "dispatched":
            valid = self.function.base(full=self.is_full)
            valid[self.parameter] = self.function.valid(self.parameter)
            expected = outcome_of(self.function, valid)
            if not isinstance(expected, Exception) and not equal(value, expected[0]):
                return "another value", f"{value!r:.80} instead of {expected[0]!r:.80}"
        if isinstance(value, float) and not math.isfinite(value) and not _is_undefined(self, value):
            return "not finite", repr(value)
        return "", f"returns {type(value).__name__}"


def _is_undefined(call: Call, value: float) -> bool:
    # NaN comes with a warning, which is documented; infinite losses are documented.
    return math.isnan(value) or call.parameter in {"replace_undefined_by", "cost_matrix"}


def equal(value: Any, expected: Any) -> bool:
    """Return whether a number or an array is the same; other results are not compared."""
    if isinstance(value, (float, np.ndarray)):
        return bool(np.allclose(value, expected, rtol=1e-9, atol=1e-12, equal_nan=True))
    return type(value) is type(expected)


def outcome_of(
    function: Function, arguments: dict[str, Any], *, is_dispatched: bool = False
) -> Exception | tuple[Any, str]:
    """Return what a call raises, or what it returns with the warning that leaks from it."""
    compute = function.callable()
    dispatched = config_context(array_api_dispatch=True) if is_dispatched else _nothing()
    with warnings.catch_warnings(record=True) as caught, dispatched, _quiet():
        warnings.simplefilter("always")
        try:
            value = compute(**arguments)
            if function.name == "ordinal_metric":
                value = value(_statistic)
            # Estimators check their parameters when they are fitted.
            if function.name == function.owner and hasattr(value, "fit"):
                value.fit(X, TRUE)
        except Exception as error:
            return error
        finally:
            if function.name == "ordinal_metric":
                for name in METRICS.keys() - KNOWN:
                    withdraw({METRICS.pop(name).scorer_name})
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    leaks = [warning for warning in caught if _leaks(warning)]
    return value, f"{leaks[0].category.__name__}: {leaks[0].message}" if leaks else ""


def _nothing() -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _leaks(warning: warnings.WarningMessage) -> bool:
    if issubclass(warning.category, UndefinedMetricWarning):
        return False
    is_theirs = (RuntimeWarning, DeprecationWarning, FutureWarning, PendingDeprecationWarning)
    return issubclass(warning.category, is_theirs)


# Parameters that may be the path of a file.
_FILES = {"path", "old", "new"}
_FILE_NAMES = rf"path|{re.escape(WORD)}|odd|Is a directory|.*No such file.*"
# What an error may say instead of the name of the parameter.
OTHER_NAMES = {
    # Readers of true classes call them y_true.
    "y": r"y|y_true",
    # The file is named.
    "path": _FILE_NAMES,
    "old": rf"old|{_FILE_NAMES}",
    "new": rf"new|{_FILE_NAMES}",
    "scale": r"scale|labels",
    "cv": r"cv|n_splits",
    "estimators": r"estimators|'tree'",
    # Its number is named, as in "y_true of batch 0".
    "batches": r"batch(es)?",
}
# Arguments that must match: an error may name the other.
MATCHING = {
    ("expected_cost_loss", "y_true"): "cost_matrix",
    ("expected_cost_loss", "y_pred"): "cost_matrix",
    # The evidence that the metric needs is named.
    ("OrdinalMetric.influence", "evidence"): "confusion",
}
# Parameters with a value for each sample: an error about their lengths names one of them.
PER_SAMPLE = [
    *("y_true", "y_pred", "y_pred_a", "y_pred_b", "y_proba", "y_score", "y_above", "decision"),
    *("sample_weight", "weights", "by", "clusters", "strata", "groups", "predictions", "X", "y"),
    *("scores_a", "scores_b", "thresholds", "scores", "best_thresholds"),
]


def problem_of(error: Exception, call: Call) -> str:
    """Return what is unclear about the error of a call, "" if nothing is."""
    parameter = call.parameter
    # Files that cannot be read or written raise an OSError, as documented.
    is_file_error = isinstance(error, OSError) and parameter in _FILES
    if not isinstance(error, (ValueError, TypeError)) and not is_file_error and parameter != "X":
        return f"raises {type(error).__name__}"
    text = str(error)
    # Like scikit-learn's, this message has the traceback of the first fit that failed.
    if re.match(r"(All \d+ fits failed|No estimator could be fitted)", text):
        return ""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    path = frame.tb_frame.f_code.co_filename if frame is not None else ""
    if parameter == "X" and not path.startswith(str(ROOT)):
        return ""  # The features belong to the estimator that is wrapped.
    names = OTHER_NAMES.get(parameter, re.escape(parameter))
    names = rf"{names}|{MATCHING.get((call.function.name, parameter), names)}"
    if parameter in PER_SAMPLE:
        names = "|".join([names, *PER_SAMPLE])
    names_it = re.search(rf"(?<!\w)({names})(?!\w)", text) is not None
    is_validation = names_it and re.search(r"[/\\](sklearn|numpy|lightgbm)[/\\]", path)
    if not path.startswith(str(ROOT)) and not is_validation and not is_file_error:
        return "raised outside the package"
    if "\n" in text:
        return "more than one line"
    return "" if names_it else "does not name the argument"


def calls() -> Iterator[Call]:
    """Yield all calls, in the order of ``__all__``."""
    for function in functions():
        for parameter in function.parameters():
            for is_full in (False, True):
                if is_full and function.base().keys() == function.base(full=True).keys():
                    continue
                for kind, variant, value in odd_values(function.valid(parameter)):
                    yield Call(function, parameter, kind, variant, is_full, value)


def main() -> None:
    """Run calls in a random order for some seconds and print how many are clear."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default="", help="text in the names of the functions")
    parser.add_argument("--fast", action="store_true", help="leave out calls of milliseconds")
    arguments = parser.parse_args()
    os.chdir(_folder())
    everything = [
        call
        for call in calls()
        if arguments.only in str(call) and (call.function.is_fast or not arguments.fast)
    ]
    random.Random(0).shuffle(everything)

    def too_long(*_: Any) -> None:
        raise TimeoutError("takes longer than 10 seconds")

    signal.signal(signal.SIGALRM, too_long)
    start = time.process_time()
    records = []
    unclear: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    seconds: Counter[str] = Counter()
    for call in everything:
        if time.process_time() - start > arguments.seconds:
            break
        began = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, 10)
        problem, finding = call.run()
        signal.setitimer(signal.ITIMER_REAL, 0)
        seconds[call.function.name] += time.process_time() - began
        records.append((call.function.family, call.kind, not problem))
        if problem:
            key = call.function.name, call.parameter, problem
            unclear[key].append(f"{call.kind}: {call.variant}: {' '.join(finding.split())[:150]}")
    for (name, parameter, problem), findings in sorted(unclear.items()):
        print(f"{name}({parameter}) {problem} [{len(findings)}]")
        for finding in findings[:4]:
            print(f"      {finding}")
    table = pd.DataFrame(records, columns=["family", "kind", "clear"])
    for column in ("family", "kind"):
        print(table.groupby(column)["clear"].agg(calls="size", clear="sum", share="mean"))
    print("slow:", [(name, round(second, 1)) for name, second in seconds.most_common(25)])
    print(
        f"{len(table)} of {len(everything)} calls, {100 * table['clear'].mean():.2f}% clear, "
        f"{time.process_time() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
