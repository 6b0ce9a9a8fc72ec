"""Evidence on which criterion to trust: properties, synthetic systems and real data.

Run ``python benchmarks/evidence.py --n-jobs 2`` from the checkout, with the extra benchmarks. It
takes less than thirty minutes on two cores and writes the tables and figures of
docs/guide/evidence. The result depends on the seeds and not on the number of processes. An
interrupted run continues where it stopped.

Each part is a module ``evidence_<part>.py`` with

- ``NAME``, the title of the part,
- ``SEED``, the seed of its random numbers,
- ``compute(n_jobs, part)``, which returns results as a dict of dicts, lists, arrays, texts and
  numbers, best through ``_tasks.run_tasks``. They are stored in ``benchmarks/results/<part>.json``
  with the machine, the versions and the date,
- ``outputs(results)``, which takes stored results, where arrays are lists and undefined values are
  None. It returns a dict: text in reStructuredText for a name that ends with ``.txt``, and a
  function that returns a matplotlib figure for a name that ends with ``.svg``.

``--stored`` writes the tables and figures again from the stored results.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from _machine import describe_machine
from _tasks import CHECKPOINTS

import sklearn_ordinal

PARTS = (
    "properties",
    "violations",
    "synthetic",
    "readings",
    "decisions",
    "folds",
    "real",
    "intervals",
)
RESULTS = Path(__file__).parent / "results"
# Stored numbers have this many decimals, more than any table shows.
DECIMALS = 6
DOCUMENTATION = Path(__file__).parents[1] / "docs" / "guide" / "evidence"
TRIAL = CHECKPOINTS / "trial"
Outputs: TypeAlias = dict[str, str | Callable[[], mpl.figure.Figure]]

LIBRARIES = ("scikit-learn", "numpy", "scipy")


def main() -> None:
    mpl.use("Agg")
    arguments = _parse_arguments()
    is_trial = arguments.part != 1
    directory, results_directory = (TRIAL, TRIAL) if is_trial else (DOCUMENTATION, RESULTS)
    for name in arguments.only or PARTS:
        module = importlib.import_module(f"evidence_{name}")
        path = results_directory / f"{name}.json"
        if arguments.stored:
            stored = json.loads(path.read_text(encoding="utf-8"))
        else:
            results = module.compute(arguments.n_jobs, arguments.part)
            run = _provenance(name, module, arguments.part)
            stored = store(path, {"run": run, "results": results})
        write(directory, module.outputs(stored["results"]))
        write(directory, {f"{name}_run.txt": stored["run"]})
    print(f"The tables and figures are in {directory}.")


def store(path: Path, stored: dict[str, Any]) -> Any:
    """Write results as JSON, and return what is read from it."""
    text = json.dumps(plain(stored), allow_nan=False, indent=None)
    # A line per dict keeps the differences of two runs readable.
    for start in ('"', "{"):
        text = text.replace(f"}}, {start}", f"}},\n{start}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")
    return json.loads(text)


def plain(value: Any) -> Any:
    """Return arrays as lists, numbers with few decimals, and undefined values as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, float):
        return round(value, DECIMALS) if np.isfinite(value) else None
    return value


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n-jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--part",
        type=float,
        default=1,
        help="part of the repetitions, to try it; writes to benchmarks/results/evidence/trial",
    )
    parser.add_argument(
        "--only", action="append", choices=PARTS, help="parts to run; may be repeated"
    )
    parser.add_argument(
        "--stored", action="store_true", help="compute nothing: read what an earlier run stored"
    )
    return parser.parse_args()


def write(directory: Path, outputs: Outputs) -> None:
    """Write tables as text, and figures as SVG that is identical in each run."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, output in outputs.items():
        if isinstance(output, str):
            (directory / name).write_text(output + "\n", encoding="utf-8")
        else:
            with mpl.rc_context({"svg.hashsalt": name}):
                figure = output()
                figure.savefig(directory / name, metadata={"Date": None})
                plt.close(figure)


def _provenance(name: str, module: ModuleType, part: float) -> str:
    option = "" if part == 1 else f" --part {part:g}"
    versions = [f"sklearn_ordinal {sklearn_ordinal.__version__}"]
    versions += [f"{library} {version(library)}" for library in LIBRARIES]
    return (
        f"Written by ``python benchmarks/evidence.py --only {name}{option}`` on "
        f"{datetime.now(tz=UTC):%Y-%m-%d} on {describe_machine()}, with seed {module.SEED}, "
        f"{', '.join(versions)} and Python {platform.python_version()}."
    )


if __name__ == "__main__":
    main()
