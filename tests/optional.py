"""Programs and packages that few machines have: tests that need them are skipped elsewhere.

Where an environment variable such as SKLEARN_ORDINAL_NEEDS_CHROMIUM is set, they fail instead.
"""

import importlib.util
import os
import shutil

import pytest

# Windows has no permissions for groups, no SIGTERM that a program can catch, and other errors for
# folders and closed pipes.
only_on_posix = pytest.mark.skipif(os.name != "posix", reason="for permissions, signals and pipes")


def skip_without(what, reason):
    """Skip the test, or fail if the environment needs "CHROMIUM", "LATEX" or "SPARK"."""
    if os.environ.get(f"SKLEARN_ORDINAL_NEEDS_{what}"):
        pytest.fail(reason)
    pytest.skip(reason)


def need_chromium():
    """Skip the test unless Chromium, its driver and selenium are installed."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if importlib.util.find_spec("selenium") is None:
        missing.append("selenium")
    if missing:
        skip_without("CHROMIUM", f"not installed: {', '.join(missing)}")


def need_latex():
    """Skip the test unless LaTeX is installed."""
    if shutil.which("pdflatex") is None:
        skip_without("LATEX", "not installed: pdflatex")
