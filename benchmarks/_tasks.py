"""Tasks of the evidence: in processes, with progress, each stored as soon as it is finished."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from joblib import Memory, Parallel, delayed

import sklearn_ordinal

T = TypeVar("T")

CHECKPOINTS = Path(__file__).parent / "results" / "evidence"


def run_tasks(
    function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], *, n_jobs: int, title: str
) -> list[T]:
    """Return the result of a function for the arguments of each task.

    Results that an earlier run stored are read, unless the sources of sklearn_ordinal or of the
    module of the function have changed. The function is one of a module, and its result depends
    on nothing but its arguments.
    """
    memory = Memory(CHECKPOINTS / _version_of_sources(function), verbose=0)
    stored = memory.cache(function)
    results = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(stored)(*task) for task in tasks
    )
    return list(_with_progress(results, len(tasks), title))


def _version_of_sources(function: Callable[..., Any]) -> str:
    package = Path(inspect.getfile(sklearn_ordinal)).parent
    digest = hashlib.sha256()
    for path in [*sorted(package.rglob("*.py")), Path(inspect.getfile(function))]:
        digest.update(path.name.encode() + path.read_bytes())
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
