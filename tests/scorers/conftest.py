"""Data, a second implementation of CEM_ORD, and fresh interpreters."""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedKFold

ROOT = Path(__file__).parents[2]
GUARD_AGAINST_HANGING = 1800  # seconds, generous for busy machines
IMPORT_SKLEARN = """
import sklearn.ensemble, sklearn.experimental.enable_halving_search_cv
import sklearn.feature_selection, sklearn.inspection, sklearn.isotonic, sklearn.linear_model
import sklearn.metrics, sklearn.model_selection, sklearn.pipeline, sklearn.tree
import sklearn.utils.parallel
"""


@pytest.fixture(scope="session")
def y():
    """Return positions 0..3 of four classes of unequal size."""
    return np.random.default_rng(0).permutation(np.repeat([0, 1, 2, 3], [15, 40, 25, 20]))


@pytest.fixture(scope="session")
def X(y):  # noqa: N802 - scikit-learn's name for the features
    """Return two informative features and one of noise."""
    noise = np.random.default_rng(1).normal(size=(len(y), 3))
    return noise * [0.7, 1.5, 1.0] + np.c_[y, y, np.zeros(len(y))]


@pytest.fixture(scope="session")
def grades():
    """Return names whose alphabetical order is wrong: fair, good, great, poor."""
    return ["poor", "fair", "good", "great"]


@pytest.fixture(scope="session")
def y_named(y, grades):
    """Return the classes as strings, whose order is not known."""
    return np.array(grades)[y]


@pytest.fixture(scope="session")
def y_binary(y):
    """Return two classes."""
    return (y > 1).astype(int)


@pytest.fixture(scope="session")
def splits(X, y):
    """Return the three folds that every hand calculation shares with scikit-learn."""
    return list(StratifiedKFold(3).split(X, y))


@pytest.fixture(scope="session")
def exact_cem():
    """Return CEM_ORD computed from its definition, sample by sample and without arrays."""

    def cem(y_true, y_pred):
        y_true, y_pred = np.asarray(y_true).tolist(), np.asarray(y_pred).tolist()
        n_of = Counter(y_true)

        def closeness(pred, true):
            between = range(pred + 1, true + 1) if pred < true else range(true, pred)
            n_between = n_of[pred] / 2 + sum(n_of[k] for k in between)
            return -math.log2(n_between / len(y_true))

        return sum(map(closeness, y_pred, y_true)) / sum(map(closeness, y_true, y_true))

    return cem


@pytest.fixture(scope="session")
def by_hand(exact_cem, grades):
    """Return a scorer of positions, or of names, that shares no code with the package."""

    def positions(y):
        return [grades.index(label) if isinstance(label, str) else int(label) for label in y]

    def cem(y_true, y_pred, sample_weight=None):
        assert sample_weight is None or (sample_weight == 1).all()
        return exact_cem(positions(y_true), positions(y_pred))

    return make_scorer(cem)


@pytest.fixture(scope="session")
def losses_by_hand(grades):
    """Return the ranked probability score of each sample, class by class and without arrays."""

    def losses(estimator, X, y):
        order = grades if isinstance(np.asarray(y)[0], str) else sorted({*y, *estimator.classes_})
        for row, true in zip(estimator.predict_proba(X).tolist(), np.asarray(y), strict=True):
            of_class = dict(zip(estimator.classes_, row, strict=True))
            reached = [sum(of_class.get(c, 0) for c in order[: k + 1]) for k in range(len(order))]
            yield sum((p - (order.index(true) <= k)) ** 2 for k, p in enumerate(reached[:-1]))

    return losses


@pytest.fixture(scope="session")
def neg_rps_by_hand(losses_by_hand):
    """Return a scorer of probabilities that shares no code with the package."""

    def neg_rps(estimator, X, y, sample_weight=None):
        losses = list(losses_by_hand(estimator, X, y))
        return -np.average(losses, weights=sample_weight)

    return neg_rps


@pytest.fixture(scope="session")
def concordance_by_hand(grades):
    """Return a scorer of scores, pair by pair, that shares no code with the package."""

    def position(label):
        return grades.index(label) if isinstance(label, str) else int(label)

    def concordance(estimator, X, y, sample_weight=None):
        assert sample_weight is None or (sample_weight == 1).all()
        if hasattr(estimator, "predict_proba"):
            positions = [position(label) for label in estimator.classes_]
            scores = (estimator.predict_proba(X) @ positions).round(12)
        else:
            scores = [position(label) for label in estimator.predict(X)]
        ranked = list(zip(map(position, y), scores, strict=True))
        pairs = [(a, b) for t, a in ranked for u, b in ranked if t < u]
        return sum((a < b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else 0.0

    return concordance


@pytest.fixture(scope="session")
def run_python():
    """Return a function that runs code in a new, strict interpreter.

    The code gets its argument as `given` and returns what it assigns to `result`, both as JSON.
    """

    def run(code, given=None, **environment):
        code = (
            "import json, sys\n"
            "given = json.load(sys.stdin)\n"
            f"{code}\n"
            "print(json.dumps(result), file=sys.__stdout__)\n"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **environment},
            timeout=GUARD_AGAINST_HANGING,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


FORK_FOR_EACH_LINE = f"""
import json, os, sys, traceback, warnings
{IMPORT_SKLEARN}
for line in sys.stdin:
    code, given = json.loads(line)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if not child:
        names = {{"__name__": "__main__", "given": given, "sys": sys}}
        try:
            exec(code, names)
            answer = {{"result": names["result"]}}
        except BaseException:
            answer = {{"error": traceback.format_exc()}}
        print(json.dumps(answer), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(json.dumps({{"error": "The interpreter died."}}), flush=True)
"""


@pytest.fixture(scope="session")
def run_after_sklearn(run_python):
    """Return `run_python` for interpreters that have imported scikit-learn, not the package.

    If the platform can fork, they share that import, which takes longer than any test.
    """
    if not hasattr(os, "fork"):
        yield lambda code, given=None: run_python(f"{IMPORT_SKLEARN}\n{code}", given)
        return
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", FORK_FOR_EACH_LINE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as interpreter:

        def run(code, given=None):
            print(json.dumps([code, given]), file=interpreter.stdin, flush=True)
            answer = json.loads(interpreter.stdout.readline())
            assert "error" not in answer, answer["error"]
            return answer["result"]

        yield run
        interpreter.stdin.close()
