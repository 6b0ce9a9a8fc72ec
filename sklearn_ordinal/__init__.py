"""Evaluation of ordinal classifiers for scikit-learn.

The classes of an ordinal classifier have an order, such as grades, ratings or severities. The order
of strings is never guessed: pass ``labels=`` from the lowest class to the highest, or use integers
or an ordered dtype.

One value of one criterion::

    from sklearn_ordinal.metrics import cem_ord_score
    cem_ord_score(["low", "mid", "high"], ["low", "high", "high"], labels=["low", "mid", "high"])

Predictions that you have:

- ``ordinal_report(y_true, y_pred)`` prints measures of each class and criteria; with ``by=``, it
  compares groups of samples.
- ``score_ladder(OrdinalConfusion.from_predictions(y_true, y_pred))`` shows what the values mean:
  the worst value, guesses, the best constant, the predictions, the best value.
- ``report_change(last_week, this_week)`` says whether new samples are worse, and why.
- ``required_samples(pilot, "cem_ord", difference=0.02)`` says how many samples show a difference.
- ``tune_thresholds(y_true, y_score)`` cuts scores into classes where a criterion is best.
- ``prediction_set_report(y_true, sets)`` evaluates sets of classes, such as conformal sets.
- ``compare_systems(y_true, {"a": a_pred, "b": b_pred})`` ranks several systems.
- ``agreement_report(OrdinalRatings.from_ratings(grades))`` says how far several raters agree, and
  ``consensus`` turns their grades into true classes.
- ``compare_judge(ratings, judge)`` compares a judge with several human raters.
- ``rating_ceilings(ratings)`` says how good a prediction of the grade of a rater can be.
- ``judge_assisted_interval(y_true, y_pred, judge, "cem_ord")`` uses a judge where only few items
  are graded by humans.
- ``sklearn_ordinal.inference`` has intervals and tests, ``sklearn_ordinal.plotting`` the plots.

Estimators of scikit-learn:

- ``cross_val_report(estimator, X, y)`` evaluates an estimator on folds.
- ``compare_estimators({"svm": svm}, X, y)`` compares estimators with each other and with baselines;
  ``compare_on_data_sets`` does so on several data sets.
- Importing this package makes the names of its scorers, such as ``scoring="cem_ord"``, known to
  scikit-learn. ``make_ordinal_scorer("cem_ord", labels=...)`` is a scorer for strings.
- ``sklearn_ordinal.decisions`` has classifiers that decide for a criterion, and
  ``sklearn_ordinal.model_selection`` the baseline.

Criteria:

- ``get_metric_names()`` lists them, and ``help(sklearn_ordinal.metrics)`` their functions.
- ``sklearn_ordinal.meta_evaluation.recommend_metrics`` says which criteria suit a task.

The command ``sklearn-ordinal`` evaluates predictions in files.
"""

from sklearn_ordinal import metrics
from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalScale,
    OrdinalScores,
    get_metric,
    get_metric_names,
    ordinal_metric,
)
from sklearn_ordinal._version import __version__ as __version__
from sklearn_ordinal.reports import (
    GroupReport,
    OrdinalReport,
    agreement_report,
    compare_estimators,
    compare_judge,
    compare_on_data_sets,
    compare_systems,
    consensus,
    cross_val_report,
    judge_assisted_interval,
    ordinal_report,
    prediction_set_report,
    rating_ceilings,
    report_change,
    required_samples,
    score_ladder,
    tune_thresholds,
)
from sklearn_ordinal.scorers import make_ordinal_scorer, register_scorers

__all__ = [
    "GroupReport",
    "OrdinalConfusion",
    "OrdinalForecasts",
    "OrdinalMetric",
    "OrdinalRatings",
    "OrdinalReport",
    "OrdinalScale",
    "OrdinalScores",
    "agreement_report",
    "compare_estimators",
    "compare_judge",
    "compare_on_data_sets",
    "compare_systems",
    "consensus",
    "cross_val_report",
    "get_metric",
    "get_metric_names",
    "judge_assisted_interval",
    "make_ordinal_scorer",
    "metrics",
    "ordinal_metric",
    "ordinal_report",
    "prediction_set_report",
    "rating_ceilings",
    "report_change",
    "required_samples",
    "score_ladder",
    "tune_thresholds",
]

register_scorers()
