"""Not part of the test suite: needs cosmic-ray and about an hour."""

collect_ignore = ["run.py"]
