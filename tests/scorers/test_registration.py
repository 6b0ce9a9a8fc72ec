"""Names in scikit-learn's private tables: added, found by other processes, taken back."""

import base64
import copy
import inspect
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import get_scorer_names, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.parallel import _FuncWrapper

import sklearn_ordinal
from sklearn_ordinal.scorers import register_scorers, unregister_scorers
from tests.scorers.conftest import IMPORT_SKLEARN

# What scikit-learn holds of scorer names: the table, the constraints, the pickled tasks.
SNAPSHOT = """
def snapshot():
    from sklearn.metrics import _scorer
    from sklearn.utils import parallel
    from sklearn.utils._param_validation import StrOptions

    def constraints(item):
        for attribute in ("_parameter_constraints", "_skl_parameter_constraints"):
            for name, values in (vars(item).get(attribute) or {}).items():
                for value in values if isinstance(values, list) else ():
                    if isinstance(value, StrOptions):
                        yield name, sorted(value.options)

    found = {
        f"{module_name}.{item_name}.{parameter}": options
        for module_name, module in sorted(sys.modules.items())
        if module_name.startswith("sklearn.")
        for item_name, item in vars(module).items()
        if hasattr(item, "__dict__")
        for parameter, options in constraints(item)
    }
    return [sorted(_scorer._SCORERS), found, sorted(vars(parallel._FuncWrapper))]
"""


GRID = {"max_depth": [1, 3]}
QUIET = (
    {"use_legacy_attributes": False, "l1_ratios": (0.0,)}
    if "use_legacy_attributes" in inspect.signature(LogisticRegressionCV).parameters
    else {}
)


def tree(max_depth=3):
    return DecisionTreeClassifier(max_depth=max_depth, random_state=0)


# --- the order of the imports ----------------------------------------------------------


@pytest.mark.parametrize(
    "imports",
    [f"{IMPORT_SKLEARN}import sklearn_ordinal", f"import sklearn_ordinal{IMPORT_SKLEARN}"],
    ids=["scikit-learn first", "package first"],
)
def test_every_consumer_works_in_either_order_of_the_imports(imports, run_python):
    options = ["-q", "-p", "no:cacheprovider", "-k", "takes and not skore"]
    run_python(
        f"{imports}\nimport pytest\nresult = pytest.main(given)\nassert result == 0",
        [*options, str(Path(__file__).with_name("test_consumers.py"))],
    )


# --- nothing else is changed -----------------------------------------------------------


def test_unregistering_leaves_scikit_learn_as_it_was(run_after_sklearn):
    before, during, after, late = run_after_sklearn(
        f"""
{SNAPSHOT}
from sklearn.metrics import _scorer
scorers = dict(_scorer._SCORERS)
before = snapshot()
import sklearn_ordinal
from sklearn_ordinal.scorers import register_scorers, unregister_scorers
during = snapshot()
for name, scorer in scorers.items():
    assert _scorer._SCORERS[name] is scorer, name
unregister_scorers()
after = snapshot()
register_scorers()
register_scorers()
unregister_scorers()
unregister_scorers()
result = [before, during, after, snapshot()]
"""
    )
    assert during != before
    assert after == before
    assert late == before


def test_unregistering_reaches_modules_imported_later(run_python, run_after_sklearn):
    before = run_after_sklearn(f"{SNAPSHOT}\nresult = snapshot()")
    after = run_python(
        f"""
import sklearn_ordinal
{IMPORT_SKLEARN}
sklearn_ordinal.scorers.unregister_scorers()
{SNAPSHOT}
result = snapshot()
"""
    )
    assert after == before


def test_an_unregistered_string_is_refused_again(X, y):
    unregister_scorers()
    try:
        with pytest.raises(ValueError, match="'scoring' parameter of cross_val_score must be"):
            cross_val_score(tree(), X, y, scoring="cem_ord")
        assert not set(get_scorer_names()) & set(sklearn_ordinal.get_scorer_names())
    finally:
        register_scorers()
    assert np.isfinite(cross_val_score(tree(), X, y, scoring="cem_ord", cv=3)).all()


def test_no_name_is_taken_from_scikit_learn(run_after_sklearn):
    """As if a later scikit-learn published a scorer of this name."""
    during, after, others = run_after_sklearn(
        """
from sklearn.metrics import _scorer, check_scoring, get_scorer, get_scorer_names
theirs = _scorer._SCORERS["cem_ord"] = get_scorer("accuracy")
for constraint in check_scoring._skl_parameter_constraints["scoring"]:
    if hasattr(constraint, "options"):
        constraint.options = constraint.options | {"cem_ord"}
import sklearn_ordinal
during = _scorer._SCORERS["cem_ord"] is theirs
others = "cem_int" in get_scorer_names()
sklearn_ordinal.scorers.unregister_scorers()
result = [during, _scorer._SCORERS["cem_ord"] is theirs, others]
"""
    )
    assert during
    assert after
    assert others


def test_what_others_put_into_scikit_learn_stays(run_after_sklearn):
    result = run_after_sklearn(
        """
import pickle
from sklearn.metrics import _scorer
from sklearn.utils.parallel import _FuncWrapper

def theirs(self):
    return {**vars(self), "theirs": 1}

_FuncWrapper.__getstate__ = theirs
import sklearn_ordinal
from sklearn_ordinal.scorers import register_scorers, unregister_scorers
mine = _scorer._SCORERS["cem_ord"] = sklearn_ordinal.get_scorer("cem_int")
register_scorers()
kept = [_scorer._SCORERS["cem_ord"] is mine]
loaded = pickle.loads(pickle.dumps(_FuncWrapper(len)))
kept.append(vars(loaded)["theirs"] == 1)
unregister_scorers()
kept.append(_scorer._SCORERS["cem_ord"] is mine)
kept.append(vars(_FuncWrapper)["__getstate__"] is theirs)
result = kept
"""
    )
    assert result == [True] * 4


def test_modules_of_others_are_not_touched(run_after_sklearn):
    """Modules that raise, import or change when they are looked at are left alone."""
    result = run_after_sklearn(
        """
import types
from sklearn.metrics import get_scorer_names
from sklearn.utils._param_validation import StrOptions

class Lazy(types.ModuleType):
    def __getattribute__(self, name):
        if name not in ("__spec__", "__class__"):
            raise RuntimeError(f"{name} of a lazy module was asked for")
        return super().__getattribute__(name)

class Search:
    _parameter_constraints = {"scoring": [StrOptions(set(get_scorer_names()))]}

theirs = types.ModuleType("sklearn_lookalike")
theirs.Search = Search
options = Search._parameter_constraints["scoring"][0].options
sys.modules |= {"lazy": Lazy("lazy"), "sklearn_lookalike": theirs, "blocked": None}
before = dict(sys.modules)
import sklearn_ordinal
changed = [name for name, module in before.items() if sys.modules.get(name) is not module]
untouched = Search._parameter_constraints["scoring"][0].options is options
new = {name.partition(".")[0] for name in sys.modules.keys() - before.keys()}
imported = new - sys.stdlib_module_names - {"numpy", "scipy", "sklearn"}
result = [changed, untouched, sorted(imported)]
"""
    )
    assert result == [[], True, ["sklearn_ordinal"]]


@pytest.mark.parametrize("entry", ["None", "object()", "Namespace(x=1)"])
def test_odd_entries_among_the_modules_do_no_harm(entry, run_after_sklearn):
    result = run_after_sklearn(
        f"""
from argparse import Namespace
import sklearn
sys.modules["sklearn.odd_entry"] = {entry}
import sklearn_ordinal
result = "cem_ord" in sklearn.metrics.get_scorer_names()
"""
    )
    assert result


def test_the_lists_of_names_are_exchanged_and_not_changed():
    """A thread that iterates over the old one is not disturbed."""
    (constraint,) = {
        constraint
        for constraint in GridSearchCV._parameter_constraints["scoring"]
        if hasattr(constraint, "options")
    }
    options = constraint.options
    copy = set(options)
    unregister_scorers()
    try:
        assert options == copy
        assert constraint.options < copy
    finally:
        register_scorers()


def test_registering_under_threads_that_score_does_no_harm(X, y):
    def scores(_):
        return [cross_val_score(tree(1), X, y, scoring="accuracy", cv=2) for _ in range(10)]

    def register(_):
        for _ in range(10):
            unregister_scorers()
            register_scorers()

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(scores, 0) for _ in range(3)] + [pool.submit(register, 0)]
        for future in working:
            future.result()
    assert np.isfinite(cross_val_score(tree(), X, y, scoring="cem_ord", cv=2)).all()


# --- a scikit-learn without the private tables -----------------------------------------

# A copy of the module lacks the name, so that scikit-learn itself works on.
WITHOUT = """
import types
from {package} import {module} as original

lacking = types.ModuleType(original.__name__)
vars(lacking).update(vars(original))
del lacking.{name}
sys.modules[original.__name__] = {package}.{module} = lacking
"""
WITHOUT_MODULE = "del {0}.{1}; sys.modules['{0}.{1}'] = None"

MISSING = {
    "table of scorers": WITHOUT.format(
        package="sklearn.metrics", module="_scorer", name="_SCORERS"
    ),
    "class of the tasks": WITHOUT.format(
        package="sklearn.utils", module="parallel", name="_FuncWrapper"
    ),
    "constraints of functions": """
import types

for module in [module for name, module in sys.modules.items() if name.startswith("sklearn.")]:
    for item in vars(module).values():
        if isinstance(item, types.FunctionType):
            vars(item).pop("_skl_parameter_constraints", None)
""",
    "names in the constraints": """
import gc
from sklearn.utils._param_validation import Options

Options.is_satisfied_by = lambda self, value: value in self.renamed
for constraint in [item for item in gc.get_objects() if isinstance(item, Options)]:
    constraint.renamed = vars(constraint).pop("options")
""",
    "module of the scorers": WITHOUT_MODULE.format("sklearn.metrics", "_scorer"),
    "module of the tasks": WITHOUT_MODULE.format("sklearn.utils", "parallel"),
}


@pytest.mark.parametrize("missing", MISSING)
def test_without_a_private_name_importing_warns_once_and_the_objects_work(
    missing, X, y, by_hand, run_after_sklearn
):
    messages, score = run_after_sklearn(
        f"""
import warnings
import numpy as np, sklearn

X, y = np.array(given[0]), np.array(given[1])
model = sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
{MISSING[missing]}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import sklearn_ordinal
search = sklearn.model_selection.GridSearchCV(
    model, {{"max_depth": [3]}}, scoring=sklearn_ordinal.get_scorer("cem_ord")
)
score = search.fit(X, y).score(X, y)
sklearn_ordinal.scorers.unregister_scorers()
result = [[str(warning.message) for warning in caught], score]
""",
        [X.tolist(), y.tolist()],
    )
    assert len(messages) == 1, messages
    assert "pass scoring=sklearn_ordinal.get_scorer('cem_ord')" in messages[0]
    assert sklearn.__version__ in messages[0]
    assert score == pytest.approx(by_hand(tree().fit(X, y), X, y))


# --- other processes -------------------------------------------------------------------


def best_scores(search, X, y, n_jobs):
    """Return what each fold of an outer cross-validation saw as its best."""
    results = cross_validate(
        search, X, y, cv=2, scoring="accuracy", n_jobs=n_jobs, return_estimator=True,
        error_score="raise",
    )  # fmt: skip
    return [estimator.best_score_ for estimator in results["estimator"]]


# Consumers as functions of data, scoring and n_jobs. Those of the first group resolve
# the string in the worker, the others before they send tasks.
CONSUMERS = {
    "GridSearchCV nested": lambda X, y, scoring, n_jobs: best_scores(
        GridSearchCV(tree(), GRID, cv=2, scoring=scoring, error_score="raise"), X, y, n_jobs
    ),
    "HalvingGridSearchCV nested": lambda X, y, scoring, n_jobs: best_scores(
        HalvingGridSearchCV(
            tree(), GRID, cv=2, random_state=0, scoring=scoring, error_score="raise"
        ), X, y, n_jobs
    ),
    "TunedThresholdClassifierCV nested": lambda X, y, scoring, n_jobs: best_scores(
        TunedThresholdClassifierCV(tree(), cv=2, scoring=scoring, random_state=0),
        X, (y > 1).astype(int), n_jobs,
    ),
    "SequentialFeatureSelector in a Pipeline nested": lambda X, y, scoring, n_jobs: [
        pipeline[0].get_support().tolist()
        for pipeline in cross_validate(
            make_pipeline(
                SequentialFeatureSelector(tree(), n_features_to_select=1, cv=2, scoring=scoring),
                tree(),
            ),
            X, y, cv=2, n_jobs=n_jobs, return_estimator=True, error_score="raise",
        )["estimator"]
    ],
    "LogisticRegressionCV": lambda X, y, scoring, n_jobs: float(
        LogisticRegressionCV(
            Cs=[1.0], cv=3, max_iter=1000, scoring=scoring, n_jobs=n_jobs, **QUIET
        ).fit(X, y).score(X, y)
    ),
    "RFECV": lambda X, y, scoring, n_jobs: RFECV(tree(), cv=2, scoring=scoring, n_jobs=n_jobs)
    .fit(X, y).cv_results_["mean_test_score"].tolist(),
    "cross_validate": lambda X, y, scoring, n_jobs: cross_validate(
        tree(), X, y, cv=2, scoring={"name": scoring}, n_jobs=n_jobs, error_score="raise"
    )["test_name"].tolist(),
    "cross_val_score": lambda X, y, scoring, n_jobs: cross_val_score(
        tree(), X, y, cv=2, scoring=scoring, n_jobs=n_jobs, error_score="raise"
    ).tolist(),
    "learning_curve": lambda X, y, scoring, n_jobs: learning_curve(
        tree(), X, y, cv=2, train_sizes=[40], scoring=scoring, n_jobs=n_jobs, error_score="raise"
    )[2].tolist(),
    "validation_curve": lambda X, y, scoring, n_jobs: validation_curve(
        tree(), X, y, param_name="max_depth", param_range=[1, 3], cv=2, scoring=scoring,
        n_jobs=n_jobs, error_score="raise",
    )[1].tolist(),
    "permutation_test_score": lambda X, y, scoring, n_jobs: permutation_test_score(
        tree(), X, y, cv=2, n_permutations=2, random_state=0, scoring=scoring, n_jobs=n_jobs
    )[1].tolist(),
    "permutation_importance": lambda X, y, scoring, n_jobs: permutation_importance(
        tree().fit(X, y), X, y, n_repeats=2, random_state=0, scoring=scoring, n_jobs=n_jobs
    ).importances.tolist(),
    "GridSearchCV": lambda X, y, scoring, n_jobs: float(
        GridSearchCV(tree(), GRID, cv=2, scoring=scoring, n_jobs=n_jobs, error_score="raise")
        .fit(X, y).best_score_
    ),
    "RandomizedSearchCV": lambda X, y, scoring, n_jobs: float(
        RandomizedSearchCV(
            tree(), GRID, n_iter=2, cv=2, random_state=0, scoring=scoring, n_jobs=n_jobs,
            error_score="raise",
        ).fit(X, y).best_score_
    ),
}  # fmt: skip

RUN_IN_WORKERS = """
import multiprocessing
import joblib, numpy as np
from joblib.externals.loky import get_reusable_executor
from tests.scorers.conftest import knows_the_package
from tests.scorers.test_registration import CONSUMERS

# Each pool of multiprocessing forks anew from a process with these, to spare time.
multiprocessing.set_forkserver_preload(["sklearn.model_selection", "sklearn.inspection"])
X, y, runs = np.array(given[0]), np.array(given[1]), given[2]
result, known = [], {}
for backend, consumer in runs:
    get_reusable_executor().shutdown(wait=True)
    with joblib.parallel_backend(backend, n_jobs=2):
        if backend not in known:
            asked = joblib.Parallel()(joblib.delayed(knows_the_package)() for _ in range(4))
            known[backend] = any(asked)
        result.append(CONSUMERS[consumer](X, y, "cem_ord", 2))
get_reusable_executor().shutdown(wait=True)
result = [known, result]
"""

RUNS = [
    *(("multiprocessing", consumer) for consumer in CONSUMERS),
    *(("loky", consumer) for consumer in ["GridSearchCV nested", "cross_validate"]),
    ("threading", "GridSearchCV nested"),
]


@pytest.fixture(scope="module")
def in_workers(X, y, run_python):
    # Neither way of starting a process hands it what its parent has imported.
    method = "forkserver" if hasattr(os, "fork") else "spawn"
    given = [X.tolist(), y.tolist(), RUNS]
    return run_python(RUN_IN_WORKERS, given, JOBLIB_START_METHOD=method)


def test_new_workers_do_not_know_the_package_of_their_parent(in_workers):
    assert in_workers[0] == {"multiprocessing": False, "loky": False, "threading": True}


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_new_workers_resolve_the_string(run, in_workers, X, y, exact_cem):
    consumer = CONSUMERS[run[1]]
    expected = consumer(X, y, make_scorer(exact_cem), None)
    assert_allclose(in_workers[1][RUNS.index(run)], expected)


LOAD_TASK = """
import base64, pickle

task = pickle.loads(base64.b64decode(given))
names = sys.modules["sklearn.metrics"].get_scorer_names()
result = [task.function([2, 3]), "sklearn_ordinal" in sys.modules, "cem_ord" in names]
"""

HIDE_PACKAGE = """
class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] == "sklearn_ordinal"
        return None if hidden else self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
"""


@pytest.fixture
def task():
    return _FuncWrapper(sum)


def test_a_loaded_task_registers_the_names(task, run_after_sklearn):
    given = base64.b64encode(pickle.dumps(task)).decode()
    assert run_after_sklearn(LOAD_TASK, given) == [5, True, True]


def test_a_worker_without_the_package_loads_the_task(task, run_after_sklearn):
    given = base64.b64encode(pickle.dumps(task)).decode()
    assert run_after_sklearn(HIDE_PACKAGE + LOAD_TASK, given) == [5, False, False]


def test_a_task_is_copied_and_pickled_again_like_any_other(task):
    for copied in [copy.deepcopy(task), copy.copy(task), pickle.loads(pickle.dumps(task))]:
        assert copied.function is sum
        assert pickle.loads(pickle.dumps(copied)).function is sum


def test_a_loaded_task_is_pickled_again_without_the_names(task):
    loaded = pickle.loads(pickle.dumps(task))
    unregister_scorers()
    try:
        assert pickle.loads(pickle.dumps(loaded)).function is sum
    finally:
        register_scorers()


def test_an_unregistered_task_carries_nothing_of_the_package(task):
    unregister_scorers()
    try:
        assert b"sklearn_ordinal" not in pickle.dumps(task)
    finally:
        register_scorers()
    assert b"sklearn_ordinal" in pickle.dumps(task)
