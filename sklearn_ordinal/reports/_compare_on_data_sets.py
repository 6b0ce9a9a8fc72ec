"""Compare estimators on several data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    MetricsLike,
    check_classifier,
    check_mapping,
    check_named,
    check_share,
    shown,
)
from sklearn_ordinal.model_selection import progress_bar
from sklearn_ordinal.reports._compare_estimators import compare_estimators
from sklearn_ordinal.reports._comparison_report import ComparisonReport
from sklearn_ordinal.reports._data_sets_report import DataSetsReport
from sklearn_ordinal.reports._provenance import Provenance


def compare_on_data_sets(
    data_sets: Mapping[str, tuple[Any, ArrayLike]],
    estimators: Mapping[str, Any],
    *,
    scoring: MetricsLike = "cem_ord",
    cv: Any = None,
    labels: Mapping[str, ArrayLike] | None = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    verbose: bool | None = None,
) -> DataSetsReport:
    """Compare estimators on several data sets, by their ranks.

    Folds of one data set say little about whether one learning algorithm is better than another on
    other data. Here, the data sets are the sample: on each of them, the estimators are compared in
    cross-validation and ranked by their means, and Friedman's and Nemenyi's tests compare the ranks
    [1]_. Within each data set, corrected resampled t-tests compare the estimators with the first.

    Parameters
    ----------
    data_sets : dict of str to tuple (X, y)
        Features and true classes of at least two data sets, by name.
    estimators : dict of str to estimator instance
        At least three estimators by name, cloned for each fold. The first is the reference of the
        tests within each data set. Regressors are rounded, as in `compare_estimators`. Friedman's
        and Nemenyi's tests are not for two: compare their means with `scipy.stats.wilcoxon`.
    scoring : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts. The first is the main criterion.
    cv : int or cross-validation generator, default=None
        Number of stratified folds, by default 5, or a splitter.
    labels : dict of str to array-like, default=None
        For data sets whose classes are strings, all classes from the lowest to the highest, by the
        name of the data set. Others have an ordered dtype or integers.
    alpha : float, default=0.05
        Significance level of the tests.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn.
    verbose : bool or None, default=None
        Whether to show a progress bar over the data sets. If None, it is shown in notebooks and
        where stderr is a terminal, if tqdm is installed.

    Returns
    -------
    DataSetsReport
        The means with the best of each data set in bold, average ranks with tests and diagram, and
        the comparison on each data set.

    Raises
    ------
    ValueError
        If there are fewer than two data sets or three estimators, the order of the classes of a
        data set is not known, every fit on a data set fails, or an option is invalid. The message
        names the data set.

    Warns
    -----
    FitFailedWarning
        If an estimator fails on a fold. It has the last rank on this data set.

    See Also
    --------
    compare_estimators : Compare estimators, with baselines, on one data set.
    sklearn_ordinal.inference.compare_ranks : Compare scores that are there.

    References
    ----------
    .. [1] J. Demsar (2006), "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_on_data_sets
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> data_sets = {f"part {k + 1}": (X[k::4], y[k::4]) for k in range(4)}
    >>> models = {
    ...     "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    ...     "bayes": GaussianNB(),
    ...     "majority": DummyClassifier(),
    ... }
    >>> report = compare_on_data_sets(data_sets, models, cv=3)
    >>> report.ranks["cem_ord"].average_ranks
    array([1.75, 1.25, 3.  ])
    """
    check_share("alpha", alpha)
    if not isinstance(data_sets, Mapping) or len(data_sets) < 2:
        raise ValueError(
            f"data_sets must be a dict from names to (X, y), with at least two, got "
            f"{shown(data_sets)}: compare on one with compare_estimators."
        )
    check_named("data_sets", data_sets)
    for name, data in data_sets.items():
        if not isinstance(data, tuple) or len(data) != 2:
            raise ValueError(f"data_sets[{shown(name)}] must be a tuple (X, y), got {shown(data)}.")
    if not isinstance(estimators, Mapping) or len(estimators) < 3:
        raise ValueError(
            f"estimators must be a dict from names to at least three estimators, got "
            f"{shown(estimators)}: add a baseline, such as OrdinalDummyClassifier(), or for two, "
            f"pass their means on each data set, from compare_estimators, to scipy.stats.wilcoxon."
        )
    check_named("estimators", estimators)
    for name, estimator in estimators.items():
        check_classifier(f"estimators[{shown(name)}]", estimator)
    if labels is not None:
        check_mapping("labels", labels)
        unknown = [name for name in labels if name not in data_sets]
        if unknown:
            raise ValueError(
                f"labels must be for data sets among {list(data_sets)}, got {unknown}."
            )
    orders = {} if labels is None else labels
    confidence_level = 1 - alpha
    bar = progress_bar(verbose)
    comparisons: dict[str, ComparisonReport] = {}
    for name in bar(data_sets, len(data_sets)):
        X, y = data_sets[name]
        try:
            comparisons[name] = compare_estimators(
                estimators,
                X,
                y,
                baselines=None,
                scoring=scoring,
                cv=cv,
                labels=orders.get(name),
                confidence_level=confidence_level,
                n_jobs=n_jobs,
                verbose=False,
            )
        except ValueError as error:
            raise ValueError(f"data_sets[{shown(name)}]: {error}") from error
    first = next(iter(comparisons.values()))
    return DataSetsReport(
        metrics=first.metrics,
        estimators=tuple(estimators),
        comparisons=comparisons,
        alpha=float(alpha),
        provenance=Provenance.of_now(estimators=estimators),
    )
