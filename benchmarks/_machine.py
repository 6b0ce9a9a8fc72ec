"""The machine and the software versions of a result."""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path


def describe_machine() -> str:
    """Return the system, the processor and the number of CPUs, such as "Linux x86_64, 2 CPUs"."""
    system = f"{platform.system()} {platform.machine()}"
    cpus = f"{os.cpu_count()} CPUs"
    return ", ".join(part for part in (system, _processor(), cpus) if part)


def versions_of(packages: Iterable[str]) -> dict[str, str | None]:
    """Return the version of each module, or None for one that is not installed.

    The version is read from the imported module, because the installed version may change during
    the run.
    """
    return {
        package: importlib.import_module(package).__version__ if find_spec(package) else None
        for package in packages
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if not information.exists():
        return platform.processor()
    lines = information.read_text(encoding="utf-8").splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "")
