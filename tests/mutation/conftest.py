"""Not part of the tests: needs cosmic-ray and an hour."""

collect_ignore = ["run.py"]
