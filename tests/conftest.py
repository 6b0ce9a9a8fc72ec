"""Settings of all tests."""

import pytest
from hypothesis import HealthCheck, settings

# The same examples in each run, and no failures on a busy machine.
settings.register_profile(
    "deterministic",
    max_examples=50,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")


@pytest.fixture
def without_plots(monkeypatch):
    """Leave the figures of pages empty, which take long to draw, except for their captions."""
    monkeypatch.setattr("sklearn_ordinal.documents._html.as_svg", lambda *_: "<svg></svg>")
