"""Run the tasks of the evidence in processes, and store each result when it is finished."""

from __future__ import annotations

import hashlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from joblib import Memory, Parallel, delayed
from sklearn.exceptions import ConvergenceWarning

import sklearn_ordinal

T = TypeVar("T")

CHECKPOINTS = Path(__file__).parent / "results" / "evidence"


def run_tasks(
    function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], *, n_jobs: int, title: str
) -> list[T]:
    """Return the result of a function for the arguments of each task.

    Results that an earlier run stored are read, unless the sources of sklearn_ordinal or of the
    function itself have changed. If other code that the function uses changes, delete
    `CHECKPOINTS`, or pass the values that may change as arguments.
    """
    memory = Memory(CHECKPOINTS / _version_of_sources(), verbose=0)
    stored = memory.cache(function)
    results = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(stored)(*task) for task in tasks
    )
    return list(_with_progress(results, len(tasks), title))


@contextmanager
def ignoring_warnings_of_fits() -> Iterator[None]:
    """Ignore what scikit-learn warns of when many models are fitted to small samples."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class in y", UserWarning)
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _version_of_sources() -> str:
    package = Path(inspect.getfile(sklearn_ordinal)).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _with_progress(results: Iterable[T], n_results: int, title: str) -> Iterator[T]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        for number, result in enumerate(results, start=1):
            print(f"{title}: {number} of {n_results}", file=sys.stderr, flush=True)
            yield result
    else:
        yield from tqdm(results, desc=title, total=n_results)
