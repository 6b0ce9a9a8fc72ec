"""Evaluation of ordinal classifiers for scikit-learn.

The classes of an ordinal classifier have an order, such as grades, ratings
or severities. The order of strings is never guessed: pass ``labels=`` from
the lowest class to the highest, or use integers or an ordered dtype.

Start with one of six functions:

- ``metrics.cem_ord_score(y_true, y_pred)`` is one value of one criterion.
- ``ordinal_report(y_true, y_pred)`` prints criteria and measures of each
  class; with ``by=``, it compares groups of samples.
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
