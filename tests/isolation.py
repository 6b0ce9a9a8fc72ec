"""Remove the metrics that a test or doctest adds to the catalogue, and close its figures."""

import sys

import pytest


@pytest.fixture(autouse=True)
def _leave_the_catalogue_as_it_was():
    # Imported here, since this plugin is loaded before coverage is measured.
    from sklearn.metrics import get_scorer_names

    from sklearn_ordinal._core.catalogue import METRICS
    from sklearn_ordinal.scorers._scorers import register_scorers, withdraw

    known, names = dict(METRICS), get_scorer_names()
    yield
    if list(METRICS) != list(known) or get_scorer_names() != names:
        withdraw(set(get_scorer_names()))
        METRICS.clear()
        METRICS.update(known)
        register_scorers()


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
