"""Settings of all tests."""

import importlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from tests import pages

# Plots need no screen.
os.environ["MPLBACKEND"] = "Agg"

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

# The same examples in each run, and no failures on a busy machine.
settings.register_profile(
    "deterministic",
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")


@pytest.fixture(scope="session", autouse=True)
def _describe_figures():
    """Leave out the drawings of pages, which take long, unless a test has `drawn_figures`."""
    with pages.with_described_figures():
        yield


@pytest.fixture(autouse=True)
def _seed():
    """Draw the same numbers in each run, also where a test leaves out `random_state`."""
    np.random.seed(0)  # noqa: NPY002, since None stands for this state in scikit-learn


@pytest.fixture
def drawn_figures():
    """Draw the figures of pages."""
    with pages.with_drawn_figures():
        yield


@pytest.fixture
def load(monkeypatch, tmp_path):
    """Return a function that imports a script of benchmarks/, which stores in a new directory."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(BENCHMARKS)
    import _tasks

    monkeypatch.setattr(_tasks, "CHECKPOINTS", tmp_path / "checkpoints")
    yield importlib.import_module
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or ".").parent == BENCHMARKS:
            del sys.modules[name]
