"""Settings of all tests."""

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
