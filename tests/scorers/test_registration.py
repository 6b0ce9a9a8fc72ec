"""Names in scikit-learn's private tables: added, and found by other processes."""

import base64
import copy
import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.parallel import _FuncWrapper

from sklearn_ordinal.scorers._scorers import register_scorers
from tests.scorers.conftest import IMPORT_SKLEARN
from tests.scorers.consumers import NESTED, PARALLEL, run_all, tree

# Where scikit-learn keeps scorer names: the table, the constraints, the pickled tasks.
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


# --- both import orders, and other processes -------------------------------------------

# Consumers whose workers resolve the string of a criterion of labels, probabilities or scores.
# multiprocessing starts new processes for each consumer; loky has one pool for all, whose workers
# have not imported the package before the first task.
RPS = "neg_ranked_probability_score"
# It hands thresholded labels to the metric.
OF_LABELS = "TunedThresholdClassifierCV nested"
RUNS = [
    ("multiprocessing", "GridSearchCV nested", "cem_ord"),
    *(("loky", name, "cem_ord") for name in [*NESTED, *PARALLEL]),
    *(("loky", name, RPS) for name in NESTED if name != OF_LABELS),
    *(("loky", name, "concordance") for name in NESTED if name != OF_LABELS),
    ("threading", "GridSearchCV nested", "cem_ord"),
]
PACKAGE_FIRST = f"""
import sklearn_ordinal
{IMPORT_SKLEARN}
import itertools, multiprocessing
import joblib, numpy as np
from tests.scorers.consumers import CONSUMERS, knows_the_package, run_all

# To save time, each multiprocessing pool forks from a process that has imported these.
multiprocessing.set_forkserver_preload(["tests.scorers.consumers"])
X, y, runs = np.array(given[0]), np.array(given[1]), given[2]
here, known, in_workers = run_all(X, y, "cem_ord"), {{}}, []
for backend, consumers in itertools.groupby(runs, lambda run: run[0]):
    with joblib.parallel_backend(backend, n_jobs=2):
        asked = joblib.Parallel()(joblib.delayed(knows_the_package)() for _ in range(4))
        known[backend] = any(asked)
        for _, name, scoring in consumers:
            values = CONSUMERS[name](X, y, scoring=scoring, n_jobs=2)
            in_workers.append(np.asarray(values).tolist())
joblib.externals.loky.get_reusable_executor().shutdown(wait=True)
result = [here, known, in_workers]
"""


@pytest.fixture(scope="session")
def package_first(X, y, run_python):
    """Return the results of an interpreter that imported the package before scikit-learn."""
    # With either start method, a process does not inherit the imports of its parent.
    method = "forkserver" if hasattr(os, "fork") else "spawn"
    given = [X.tolist(), y.tolist(), RUNS]
    return run_python(PACKAGE_FIRST, given, JOBLIB_START_METHOD=method)


@pytest.fixture(scope="session")
def expected(X, y, by_hand):
    return run_all(X, y, by_hand)


def test_every_consumer_works_if_the_package_is_imported_first(package_first, expected):
    for name, values in package_first[0].items():
        assert_allclose(values, expected[name], err_msg=name)


def test_every_consumer_works_if_scikit_learn_is_imported_first(X, y, expected, run_after_sklearn):
    found = run_after_sklearn(
        """
import numpy as np, sklearn_ordinal
from tests.scorers.consumers import run_all
result = run_all(np.array(given[0]), np.array(given[1]), "cem_ord")
""",
        [X.tolist(), y.tolist()],
    )
    for name, values in found.items():
        assert_allclose(values, expected[name], err_msg=name)


def test_new_workers_have_not_imported_the_package(package_first):
    assert package_first[1] == {"multiprocessing": False, "loky": False, "threading": True}


def test_new_workers_resolve_the_string(
    package_first, expected, X, y, neg_rps_by_hand, concordance_by_hand
):
    by_hand = {RPS: neg_rps_by_hand, "concordance": concordance_by_hand}
    for run, values in zip(RUNS, package_first[2], strict=True):
        _, name, scoring = run
        if scoring in by_hand:
            right = NESTED[name](X, y, scoring=by_hand[scoring])
        else:
            right = expected[name]
        assert_allclose(values, right, err_msg=" ".join(run))


# --- nothing else is changed -----------------------------------------------------------


def test_registering_adds_the_names_and_nothing_else(run_after_sklearn):
    before, during, again, ours = run_after_sklearn(
        f"""
{SNAPSHOT}
from sklearn.metrics import _scorer
scorers = dict(_scorer._SCORERS)
before = snapshot()
import sklearn_ordinal
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.scorers._scorers import register_scorers
during = snapshot()
for name, scorer in scorers.items():
    assert _scorer._SCORERS[name] is scorer, name
register_scorers()
ours = sorted(
    metric.scorer_name
    for metric in METRICS.values()
    if metric.scorer_name and not metric.is_sklearns
)
result = [before, during, snapshot(), ours]
"""
    )
    names, constraints, attributes = before
    with_ours = {
        where: sorted({*options, *ours}) if "accuracy" in options else options
        for where, options in constraints.items()
    }
    assert during == [sorted({*names, *ours}), with_ours, sorted([*attributes, "__getstate__"])]
    assert again == during


def test_a_name_of_scikit_learn_is_not_replaced(run_after_sklearn):
    """As if a later version of scikit-learn had a scorer of this name."""
    result = run_after_sklearn(
        """
from sklearn.metrics import _scorer, check_scoring, get_scorer, get_scorer_names
theirs = _scorer._SCORERS["cem_ord"] = get_scorer("accuracy")
for constraint in check_scoring._skl_parameter_constraints["scoring"]:
    if hasattr(constraint, "options"):
        constraint.options = constraint.options | {"cem_ord"}
import sklearn_ordinal
result = [_scorer._SCORERS["cem_ord"] is theirs, "cem_int" in get_scorer_names()]
"""
    )
    assert result == [True] * 2


def test_reimporting_the_package_replaces_its_scorers(
    run_after_sklearn,
):
    result = run_after_sklearn(
        """
import pickle
import sklearn_ordinal
from sklearn.metrics import get_scorer
from sklearn.utils.parallel import _FuncWrapper
for name in [name for name in sys.modules if name.startswith("sklearn_ordinal")]:
    del sys.modules[name]
import sklearn_ordinal.scorers
score_function = get_scorer("cem_ord")._score_func
result = [type(score_function) is sys.modules["sklearn_ordinal.scorers._scorers"].ScoreFunction]
pickle.dumps(get_scorer("cem_ord"))
registration = sys.modules["sklearn_ordinal.scorers._scorers"]
result.append(registration._former_getstate == [])
"""
    )
    assert result == [True, True]


def test_a_module_of_metrics_may_be_reloaded(run_after_sklearn):
    result = run_after_sklearn(
        """
import importlib
import sklearn_ordinal
from sklearn.metrics import get_scorer, get_scorer_names
before = get_scorer_names()
module = importlib.reload(sys.modules["sklearn_ordinal.metrics._closeness"])
function = get_scorer("cem_ord")._score_func.metric.function
result = [function is module.cem_ord_score, get_scorer_names() == before]
"""
    )
    assert result == [True, True]


def test_changes_that_others_make_to_scikit_learn_are_kept(run_after_sklearn):
    result = run_after_sklearn(
        """
import pickle
from sklearn.metrics import _scorer
from sklearn.utils.parallel import _FuncWrapper

def theirs(self):
    return {**vars(self), "theirs": 1}

_FuncWrapper.__getstate__ = theirs
import sklearn_ordinal
from sklearn_ordinal.scorers._scorers import register_scorers
mine = _scorer._SCORERS["cem_ord"] = sklearn_ordinal.make_ordinal_scorer("cem_int")
register_scorers()
kept = [_scorer._SCORERS["cem_ord"] is mine]
loaded = pickle.loads(pickle.dumps(_FuncWrapper(len)))
kept.append(vars(loaded)["theirs"] == 1)
result = kept
"""
    )
    assert result == [True] * 2


def test_modules_of_other_packages_are_not_touched(run_after_sklearn):
    """Modules that raise, import or change when they are inspected are left alone."""
    result = run_after_sklearn(
        """
import types
from argparse import Namespace
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
sys.modules |= {"sklearn.odd": Namespace(x=1), "sklearn.odder": object(), "sklearn.none": None}
before = dict(sys.modules)
import sklearn_ordinal
changed = [name for name, module in before.items() if sys.modules.get(name) is not module]
untouched = Search._parameter_constraints["scoring"][0].options is options
new = {name.partition(".")[0] for name in sys.modules.keys() - before.keys()}
imported = new - sys.stdlib_module_names - {"numpy", "scipy", "sklearn"}
result = [changed, untouched, sorted(imported), "cem_ord" in get_scorer_names()]
"""
    )
    assert result == [[], True, ["sklearn_ordinal"], True]


def test_the_sets_of_names_are_replaced_and_not_modified():
    """A thread that iterates over the old set is not affected."""
    (constraint,) = {
        constraint
        for constraint in GridSearchCV._parameter_constraints["scoring"]
        if hasattr(constraint, "options")
    }
    options, before = constraint.options, set(constraint.options)
    register_scorers()
    assert options == before
    assert constraint.options is not options


def test_registering_while_threads_score_is_safe(X, y):
    def scores(_):
        return [cross_val_score(tree(1), X, y, scoring="accuracy", cv=2) for _ in range(10)]

    def register(_):
        for _ in range(10):
            register_scorers()

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(scores, 0) for _ in range(3)] + [pool.submit(register, 0)]
        for future in working:
            future.result()
    assert np.isfinite(cross_val_score(tree(), X, y, scoring="cem_ord", cv=2)).all()


# --- a scikit-learn without the private tables -----------------------------------------

# The name is removed from a copy of the module, so scikit-learn itself keeps working.
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
    "class of the scorers": WITHOUT.format(
        package="sklearn.metrics", module="_scorer", name="_BaseScorer"
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
def test_without_a_private_name_importing_warns_once_and_scorer_objects_work(
    missing, X, y, by_hand, neg_rps_by_hand, run_after_sklearn
):
    messages, *scores = run_after_sklearn(
        f"""
import warnings
import numpy as np, sklearn

X, y = np.array(given[0]), np.array(given[1])
model = sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
{MISSING[missing]}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import sklearn_ordinal
scores = [
    sklearn.model_selection.GridSearchCV(
        model, {{"max_depth": [3]}}, scoring=sklearn_ordinal.make_ordinal_scorer(name)
    ).fit(X, y).score(X, y)
    for name in ("cem_ord", "neg_ranked_probability_score")
]
result = [[str(warning.message) for warning in caught], *scores]
""",
        [X.tolist(), y.tolist()],
    )
    assert len(messages) == 1, messages
    assert "pass scoring=sklearn_ordinal.make_ordinal_scorer('cem_ord')" in messages[0]
    assert sklearn.__version__ in messages[0]
    model = tree().fit(X, y)
    assert scores == pytest.approx([by_hand(model, X, y), neg_rps_by_hand(model, X, y)])


# --- tasks -----------------------------------------------------------------------------

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


def test_loading_a_task_registers_the_names_if_the_package_is_installed(task, run_after_sklearn):
    given = base64.b64encode(pickle.dumps(task)).decode()
    assert run_after_sklearn(LOAD_TASK, given) == [5, True, True]
    assert run_after_sklearn(HIDE_PACKAGE + LOAD_TASK, given) == [5, False, False]


def test_tasks_can_be_copied_and_pickled(task):
    assert b"sklearn_ordinal" in pickle.dumps(task)
    copies = [copy.deepcopy(task), copy.copy(task), pickle.loads(pickle.dumps(task))]
    assert all(pickle.loads(pickle.dumps(copied)).function is sum for copied in copies)
