"""One result of each kind, with long names and with undefined values."""

import math
import warnings
from functools import cache

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalRatings,
    OrdinalReport,
    agreement_report,
    compare_estimators,
    compare_judge,
    compare_on_data_sets,
    compare_systems,
    consensus,
    cross_val_report,
    judge_assisted_interval,
    prediction_set_report,
    rating_ceilings,
    report_change,
    required_samples,
    score_ladder,
    tune_thresholds,
)
from sklearn_ordinal._documents.document_parts import Figure, Section, computed
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import (
    GroupDifference,
    Interval,
    PairedDifference,
    PosteriorProbabilities,
    compare_ranks,
)
from sklearn_ordinal.inference._intervals import Contrast
from sklearn_ordinal.metrics import ranked_probability_decomposition
from sklearn_ordinal.model_selection._folds import FitFailure
from sklearn_ordinal.raters import alternative_annotator_test

X, Y = (part[::5] for part in load_lev(return_X_y=True))
# At least 60 characters long, and still distinct if only their ends are cut off.
CLASSES = [
    f"the {grade} of the five grades that a lecturer can get & has to_live_with"
    for grade in ("worst", "second worst", "middle", "second best", "best")
]
LABELS = np.array(CLASSES)
TREE = "a decision tree of no more than three levels, grown on the training samples"
SVM = "a support vector machine with 100% of the parameters left as_they_are by default"
TREES = {TREE: DecisionTreeClassifier(max_depth=3, random_state=0), SVM: SVC()}
OWN = "share_of_the_answers_that_are_exactly_those_which_the_lecturers_got"


def share_of_the_answers_that_are_exactly_those_which_the_lecturers_got_score(y_true, y_pred):
    return np.mean(y_true == y_pred)


def unknown_error(y_true, y_pred):  # noqa: ARG001
    return math.nan


METRICS = [
    share_of_the_answers_that_are_exactly_those_which_the_lecturers_got_score,
    "neg_ordinal_mean_absolute_error",
    "cem_ord",
]
# The log loss is undefined for a support vector machine without probabilities.
UNDEFINED = ["neg_log_loss", "kendall_tau_b", unknown_error]


def cross_validation(estimator=TREES[TREE], y=LABELS[Y], **options):
    options = {"labels": CLASSES, "cv": 3, "scoring": METRICS, "verbose": False, **options}
    return cross_val_report(estimator, X, y, **options)


def comparison(**options):
    options = {"labels": CLASSES, "cv": 3, "scoring": METRICS, "verbose": False, **options}
    return compare_estimators(TREES, X, LABELS[Y], random_state=0, **options)


def ordinal_report(y_true=LABELS[Y], y_pred=LABELS[Y[::-1]], **options):
    options = {"labels": CLASSES, "zero_division": 0.0, **options}
    return OrdinalReport.from_predictions(y_true, y_pred, **options)


REGIONS = [
    f"the {region} of the country, where lecturers are graded by hand & with_care"
    for region in ("north", "south", "far west")
]


def groups(y_true=LABELS[Y], y_pred=LABELS[Y[::-1]], by=None, **options):
    """Return a report of three groups, of which the last one has two samples of one class."""
    group = np.arange(len(y_true)) % 2
    group[np.flatnonzero(y_true == y_true[0])[:2]] = 2
    options = {"labels": CLASSES, "metrics": METRICS, "n_permutations": 19, **options}
    return GroupReport.from_predictions(
        y_true, y_pred, by=np.array(REGIONS)[group] if by is None else by, random_state=0, **options
    )


def probabilities():
    """Return probabilities of the classes, of which the second best is impossible."""
    y_proba = np.random.default_rng(0).dirichlet([1, 2, 3, 0.5, 1], len(Y))
    y_proba[:, 3] = 0
    return y_proba / y_proba.sum(axis=1, keepdims=True)


def ranks(**options):
    names = [TREE, SVM, "chance"]
    scores = [[0.8, 0.7, 0.6], [0.9, 0.6, 0.5], [0.7, 0.8, 0.4], [0.9, 0.8, 0.3]]
    return compare_ranks(scores, names=names, **options)


def systems(predictions=None, **options):
    """Return the report of three systems, of which one leaves samples unanswered."""
    y_pred = LABELS[Y[::-1]].astype(object)
    y_pred[::9] = None
    predictions = predictions or {TREE: LABELS[Y], SVM: y_pred, "chance": LABELS[0 * Y + 2]}
    options = {"labels": CLASSES, "metrics": METRICS, "n_resamples": 99, **options}
    return compare_systems(LABELS[Y], predictions, unanswered="count", random_state=0, **options)


def annotators(n_items=None, **options):
    """Return the test of a judge beside three humans, of whom one grades a few items only."""
    grades = np.stack([LABELS[Y], LABELS[np.roll(Y, 1)], LABELS[Y[::-1]]], axis=1).astype(object)
    grades[20:, 2] = None
    ratings = OrdinalRatings.from_ratings(
        grades[:n_items], labels=CLASSES, raters=[TREE, SVM, "chance"]
    )
    return alternative_annotator_test(ratings, LABELS[Y][:n_items], **options)


def judges(n_items=None, **options):
    """Return two judges beside three humans, of whom one grades a few items only."""
    grades = np.stack([LABELS[Y], LABELS[np.roll(Y, 1)], LABELS[Y[::-1]]], axis=1).astype(object)
    grades[20:, 2] = None
    ratings = OrdinalRatings.from_ratings(
        grades[:n_items], labels=CLASSES, raters=["Ann & Bob", SVM, "chance"]
    )
    own = {"judge": LABELS[Y][:n_items], TREE: LABELS[np.roll(Y, 3)][:n_items]}
    by = np.array(REGIONS[:2])[np.arange(len(Y)) % 2]
    options = {"metrics": METRICS[1:], "by": by, **options}
    return compare_judge(ratings, own, **options)


@cache
def results():
    """Return results by name."""
    rare = (np.arange(len(Y)), np.flatnonzero(Y == 0))
    with warnings.catch_warnings():
        # Some criteria fail.
        warnings.simplefilter("ignore", FitFailedWarning)
        # Some systems are equal.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return {
            "interval": Interval(0.7512, 0.7018, 0.7931, 0.95, n_undefined=3),
            "undefined interval": Interval(math.nan, -math.inf, math.inf, 0.95),
            "difference": PairedDifference(
                0.0281, 0.0032, 0.0523, 0.95, pvalue=0.031, greater_is_better=False
            ),
            "undefined difference": PairedDifference(math.nan, math.nan, math.nan, 0.95),
            "groups": groups(),
            "undefined groups": groups(metrics=["kendall_tau_b", "cem_ord", unknown_error]),
            "groups at a prevalence": groups(prevalence=[0.2] * 5, metrics=METRICS[1:]),
            "unanswered groups": groups(
                y_pred=[None, *LABELS[Y[::-1]][1:]],
                unanswered="count",
                sample_weight=1.5 + 0 * Y,
                metrics=METRICS[1:],
            ),
            "groups by probabilities": groups(
                y_pred=None,
                y_proba=probabilities(),
                metrics=["ranked_probability_score", "cem_ord_decision"],
            ),
            "difference of groups": GroupDifference(
                0.12,
                0.03,
                0.22,
                0.95,
                pvalue=0.008,
                lower_group=TREE,
                higher_group=SVM,
                n_left_out=3,
            ),
            "undefined difference of groups": GroupDifference(math.nan, math.nan, math.nan, 0.95),
            "probabilities": PosteriorProbabilities(0.0121, 0.1453, 0.8426),
            "undefined probabilities": PosteriorProbabilities(math.nan, math.nan, math.nan, 5),
            "ranks": ranks(),
            "ranks without a critical difference": ranks(method="holm-wilcoxon"),
            "unanswered difference": PairedDifference(
                0.02, -0.01, 0.05, 0.95, n_left_out=2.5, n_left_out_b=3
            ),
            "report": ordinal_report(),
            "unanswered report": ordinal_report(
                y_pred=[None, *LABELS[Y[::-1]][1:]], unanswered="count"
            ),
            "report with probabilities": ordinal_report(y_proba=probabilities()),
            "undefined report": ordinal_report(LABELS[[1, 1]], LABELS[[1, 1]]),
            "cross-validation": cross_validation(),
            "undefined cross-validation": cross_validation(
                TREES[SVM], scoring=UNDEFINED, cv=[rare, rare]
            ),
            "comparison": comparison(),
            "undefined comparison": comparison(scoring=UNDEFINED),
            "predictions": cross_validation().fold_predictions[0],
            "predictions with probabilities": cross_validation(
                scoring="neg_log_loss"
            ).fold_predictions[1],
            "failure": FitFailure(TREE, 1, "SVC(C=-1)", {"C": "-1"}, "ValueError: C < 0", "trace"),
            "provenance": comparison().provenance,
            "pairs": comparison().pairwise(),
            "decomposition": ranked_probability_decomposition(
                LABELS[Y], TREES[TREE].fit(X, Y).predict_proba(X), labels=CLASSES
            ),
            "annotators": annotators(),
            "undefined annotators": annotators(20, closeness="accuracy"),
            "judges": judges(),
            "undefined judges": judges(14, by=None),
            "footing": judges().footing["cem_ord"][TREE][SVM],
            "systems": systems(),
            "undefined systems": systems(metrics=UNDEFINED[1:]),
            "systems in groups": systems(
                by=np.where(
                    np.arange(len(Y)) == 0, "one sample", np.array(REGIONS)[np.arange(len(Y)) % 3]
                )
            ),
            "ladder": score_ladder(
                OrdinalConfusion.from_predictions(LABELS[Y], LABELS[Y[::-1]], labels=CLASSES),
                ["kendall_tau_b", "cem_ord", "f1_macro"],
                random_state=0,
            ),
            "undefined ladder": score_ladder(
                metrics=["kendall_tau_b", "cem_ord"], class_counts=[0, 1.5, 0], labels=CLASSES[:3]
            ),
            "contrast": Contrast(-0.02, -0.05, 0.01, 0.95, pvalue=0.2, adjusted_pvalue=0.4),
            "change": report_change(ordinal_report(), ordinal_report(y_pred=LABELS[Y])),
            "undefined change": report_change(
                ordinal_report(),
                OrdinalConfusion.from_predictions(
                    LABELS[[1, 1, 3]], LABELS[[1, 1, 1]], labels=CLASSES
                ),
                ["kendall_tau_b", "cem_ord"],
            ),
            "contrasts": groups().contrasts(),
            "undefined contrasts": groups(metrics=UNDEFINED[1:]).contrasts(weights="linear"),
            "consensus": consensus(ratings()),
            "raters": agreement_report(ratings(), metrics=["cem_ord", "kendall_tau_b"]),
            "undefined raters": agreement_report(
                OrdinalRatings.from_ratings(
                    [[CLASSES[0]] * 3] * 3, labels=CLASSES, raters=[TREE, SVM, "chance"]
                ),
                weights=np.eye(5),
            ),
            "ceiling": rating_ceilings(ratings(), "cem_ord").ceilings["cem_ord"],
            "ceilings": rating_ceilings(
                ratings(),
                ["quadratic_weighted_kappa", "cem_ord", "kendall_tau_b", "accuracy"],
            ),
            "undefined ceilings": rating_ceilings(
                OrdinalRatings.from_ratings(
                    [[CLASSES[0]] * 3] * 3, labels=CLASSES, raters=[TREE, SVM, "chance"]
                ),
                ["quadratic_weighted_kappa", "accuracy", "kendall_tau_b"],
            ),
            "required samples": required_samples(
                OrdinalConfusion.from_systems(
                    LABELS[Y], {TREE: LABELS[Y[::-1]], SVM: LABELS[Y // 2]}, labels=CLASSES
                ),
                "macro_averaged_mean_absolute_error",
                difference=0.05,
                n_pilot_resamples=99,
                random_state=0,
            ),
            "undefined required samples": required_samples(
                OrdinalConfusion.from_counts(np.full((5, 5), 0.04), labels=CLASSES),
                "cem_ord",
                half_width=0.001,
                design="unpaired",
            ),
            "data sets": compare_on_data_sets(
                {**TREES, "chance": DummyClassifier()},
                {
                    "first half": (X[::2], LABELS[Y[::2]]),
                    "second half": (X[1::2], LABELS[Y[1::2]]),
                },
                labels=dict.fromkeys(["first half", "second half"], CLASSES),
                cv=2,
                scoring=METRICS,
                verbose=False,
            ),
            "thresholds": tune_thresholds(
                LABELS[Y], Y + np.arange(len(Y)) % 7 / 4, metric="f1_macro", labels=CLASSES
            ),
            "undefined thresholds": tune_thresholds(
                LABELS[Y % 3 + 1], Y, metric="spearman_correlation", labels=CLASSES
            ),
            "prediction sets": prediction_sets(nominal=0.8, n_calibration=99),
            "undefined prediction sets": prediction_sets(
                nominal=0.5, by=np.array(REGIONS)[np.arange(len(Y)) % 3]
            ),
            "prediction sets at two levels": prediction_sets(n_levels=2, nominal=[0.5, 0.8]),
            "judge-assisted intervals": assisted(
                ["cem_ord_flat", "macro_averaged_mean_absolute_error"]
            ),
            "undefined judge-assisted intervals": assisted(["purity", "cem_ord_flat"]),
            "undefined pairs": comparison(scoring=UNDEFINED).pairwise("log_loss", reference=SVM),
        }


def prediction_sets(n_levels=1, **options):
    """Return a report of sets, some of which are empty, with a class that never occurs."""
    sets = np.random.default_rng(0).random((len(Y), 5, n_levels)) < 0.6
    y_true = LABELS[np.where(Y == 4, 3, Y)]
    return prediction_set_report(y_true, sets, labels=CLASSES, **options)


def assisted(metrics):
    """Return judge-assisted intervals of classes with long names."""
    y_true = np.where(np.arange(len(Y)) % 7 == 0, None, LABELS[Y])
    return judge_assisted_interval(y_true, LABELS[Y // 2], LABELS[Y], metrics, labels=CLASSES)


def ratings():
    """Return grades by raters with long names, with missing grades."""
    grades = np.stack([LABELS[Y], LABELS[Y[::-1]], LABELS[Y // 2]], axis=1).astype(object)
    grades[::7, 2] = grades[::21, 0] = grades[::42, 1] = None
    return OrdinalRatings.from_ratings(grades, labels=CLASSES, raters=[TREE, SVM, "chance"])


def figures_of(parts):
    """Yield the figures among the parts of a document or section, those of its sections too."""
    for part in parts:
        if isinstance(part, Figure):
            yield part
        elif isinstance(part, Section):
            yield from figures_of(computed(part.parts))


NAMES = [
    f"{prefix}{name}"
    for name in ("interval", "difference", "probabilities", "report", "cross-validation", "pairs")
    for prefix in ("", "undefined ")
]
NAMES += ["groups", "undefined groups", "groups at a prevalence", "unanswered groups"]
NAMES += ["groups by probabilities"]
NAMES += ["difference of groups", "undefined difference of groups"]
NAMES += ["failure", "provenance"]
NAMES += ["predictions", "predictions with probabilities", "decomposition"]
NAMES += ["unanswered difference", "unanswered report", "report with probabilities"]
NAMES += ["annotators", "undefined annotators", "judges", "undefined judges"]
NAMES += ["comparison", "undefined comparison", "ranks", "ranks without a critical difference"]
NAMES += ["systems in groups", "systems", "undefined systems", "ladder", "undefined ladder"]
NAMES += ["required samples", "undefined required samples"]
NAMES += ["thresholds", "undefined thresholds", "data sets"]
NAMES += ["raters", "undefined raters", "consensus"]
NAMES += ["ceilings", "undefined ceilings"]
NAMES += ["prediction sets", "undefined prediction sets"]
NAMES += ["judge-assisted intervals", "undefined judge-assisted intervals"]
