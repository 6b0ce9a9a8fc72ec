"""Evaluation of ordinal classifiers for scikit-learn.

The classes of an ordinal classifier have an order, such as grades, ratings
or severities. The order of strings is never guessed: pass ``labels=`` from
the lowest class to the highest, or use integers or an ordered dtype.

Start with one of six functions:

- ``metrics.cem_ord_score(y_true, y_pred)`` is one value of one criterion.
- ``ordinal_report(y_true, y_pred)`` prints criteria and measures of each
  class, and ``GroupReport`` compares groups of samples.
- ``cross_val_report(estimator, X, y)`` evaluates an estimator on folds.
- ``compare_estimators({"svm": svm}, X, y)`` compares estimators with each
  other and with baselines.
- ``compare_systems(y_true, {"a": a_pred, "b": b_pred})`` ranks predictions
  of several systems.
- ``agreement_report(OrdinalRatings.from_ratings(grades))`` says how far
  several raters agree.

Importing the package makes the names of its scorers, such as
``scoring="cem_ord"``, known to scikit-learn. The command
``sklearn-ordinal`` evaluates predictions in files.

More questions about predictions:

- ``score_ladder(OrdinalConfusion.from_predictions(y_true, y_pred))``: is a
  value good? Compare it with the worst value, guesses and constants.
- ``report_change(last_week, this_week)``: are new samples worse, and why?
- ``required_samples(pilot, "cem_ord", difference=0.02)``: how many samples
  show a difference?
- ``tune_thresholds(y_true, y_score)`` cuts scores into classes where a
  criterion is best.
- ``prediction_set_report(y_true, sets)`` evaluates sets of classes, such as
  conformal sets.
- ``compare_on_data_sets`` compares estimators on several data sets.

Raters and judges:

- ``consensus`` turns the grades of several raters into true classes.
- ``compare_judge(ratings, judge)`` compares a judge with human raters.
- ``rating_ceilings(ratings)`` says how good a prediction of the grade of a
  rater can be.
- ``judge_assisted_interval(y_true, y_pred, judge, "cem_ord")`` uses a judge
  where only few items are graded by humans.

Criteria and modules:

- ``get_metric_names()`` lists the criteria, and ``metrics`` has their
  functions. ``make_ordinal_scorer("cem_ord", labels=...)`` is a scorer for
  strings.
- ``meta_evaluation.check_properties`` searches for counterexamples to the
  properties of a criterion.
- ``inference`` has intervals and tests, ``plotting`` the plots.
- ``decisions`` has classifiers that decide for a criterion, and
  ``model_selection`` the baseline.
"""

from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING

from sklearn_ordinal import metrics as metrics
from sklearn_ordinal._core.catalogue import OrdinalMetric as OrdinalMetric
from sklearn_ordinal._core.catalogue import ordinal_metric as ordinal_metric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion as OrdinalConfusion
from sklearn_ordinal._core.forecasting import OrdinalForecasts as OrdinalForecasts
from sklearn_ordinal._core.forecasting import OrdinalScores as OrdinalScores
from sklearn_ordinal._core.grading import OrdinalRatings as OrdinalRatings
from sklearn_ordinal._core.lookup import get_metric as get_metric
from sklearn_ordinal._core.lookup import get_metric_names as get_metric_names
from sklearn_ordinal._core.scales import OrdinalScale as OrdinalScale
from sklearn_ordinal._version import __version__ as __version__
from sklearn_ordinal.scorers import make_ordinal_scorer as make_ordinal_scorer
from sklearn_ordinal.scorers._scorers import register_scorers as _register_scorers

# Packages that are imported on first use, and their names that are public here as well.
_ON_FIRST_USE = {
    "datasets": [],
    "decisions": ["tune_thresholds"],
    "groups": ["GroupReport", "report_change", "required_samples"],
    "inference": [],
    "meta_evaluation": [],
    "model_selection": [],
    "plotting": [],
    "prediction_sets": ["prediction_set_report"],
    "raters": [
        "agreement_report",
        "compare_judge",
        "consensus",
        "judge_assisted_interval",
        "rating_ceilings",
    ],
    "reports": [
        "OrdinalReport",
        "compare_estimators",
        "cross_val_report",
        "ordinal_report",
        "score_ladder",
    ],
    "systems": ["compare_on_data_sets", "compare_systems"],
}

# One package at a time: threads that load packages which import each other may see half of them.
_LOADING = RLock()

if TYPE_CHECKING:
    from sklearn_ordinal import datasets as datasets
    from sklearn_ordinal import decisions as decisions
    from sklearn_ordinal import groups as groups
    from sklearn_ordinal import inference as inference
    from sklearn_ordinal import meta_evaluation as meta_evaluation
    from sklearn_ordinal import model_selection as model_selection
    from sklearn_ordinal import plotting as plotting
    from sklearn_ordinal import prediction_sets as prediction_sets
    from sklearn_ordinal import raters as raters
    from sklearn_ordinal import reports as reports
    from sklearn_ordinal import systems as systems
    from sklearn_ordinal.decisions import tune_thresholds as tune_thresholds
    from sklearn_ordinal.groups import GroupReport as GroupReport
    from sklearn_ordinal.groups import report_change as report_change
    from sklearn_ordinal.groups import required_samples as required_samples
    from sklearn_ordinal.prediction_sets import prediction_set_report as prediction_set_report
    from sklearn_ordinal.raters import agreement_report as agreement_report
    from sklearn_ordinal.raters import compare_judge as compare_judge
    from sklearn_ordinal.raters import consensus as consensus
    from sklearn_ordinal.raters import judge_assisted_interval as judge_assisted_interval
    from sklearn_ordinal.raters import rating_ceilings as rating_ceilings
    from sklearn_ordinal.reports import OrdinalReport as OrdinalReport
    from sklearn_ordinal.reports import compare_estimators as compare_estimators
    from sklearn_ordinal.reports import cross_val_report as cross_val_report
    from sklearn_ordinal.reports import ordinal_report as ordinal_report
    from sklearn_ordinal.reports import score_ladder as score_ladder
    from sklearn_ordinal.systems import compare_on_data_sets as compare_on_data_sets
    from sklearn_ordinal.systems import compare_systems as compare_systems
else:
    __all__ = sorted(
        [
            "OrdinalConfusion",
            "OrdinalForecasts",
            "OrdinalMetric",
            "OrdinalRatings",
            "OrdinalScale",
            "OrdinalScores",
            "get_metric",
            "get_metric_names",
            "make_ordinal_scorer",
            "metrics",
            "ordinal_metric",
            *(name for names in _ON_FIRST_USE.values() for name in names),
        ]
    )

    def __getattr__(name: str) -> object:
        for package, names in _ON_FIRST_USE.items():
            if name == package or name in names:
                with _LOADING:
                    module = import_module(f"{__name__}.{package}")
                return module if name == package else getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *_ON_FIRST_USE, *__all__})


_register_scorers()
