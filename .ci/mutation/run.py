"""Run the mutants of cosmic-ray against the tests, each in a fork of a warm interpreter.

``cosmic-ray exec`` starts Python and imports pandas and SciPy for each mutant, and writes
the mutants into the files. Here a mutant exists in the memory of one child process only.
The session is cosmic-ray's, so ``cr-report`` reads it.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from cosmic_ray.commands import init
from cosmic_ray.modules import filter_paths, find_modules
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BYTES_PER_MUTANT = 4 * 2**30
# Imported once, before the forks: what the tests use, and Hypothesis to report a failure.
IMPORTED_BEFORE = (
    "hypothesis.extra._patching",
    "imblearn.metrics",
    "krippendorff",
    "pandas",
    "polars",
    "scipy.integrate",
    "scipy.stats",
    "skordinal.metrics",
    "sklearn.model_selection",
    "sklearn.multioutput",
    "sklearn.tree",
    "statsmodels.stats.inter_rater",
)

Place = tuple[tuple[int, int], tuple[int, int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", metavar="MODULE", help="as in [tests]")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N mutants per module")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--session", type=Path, help="file to write (default: temporary)")
    parser.add_argument(
        "--again", action="store_true", help="test only the survivors of an existing session"
    )
    parser.add_argument("--examples", type=int, default=20, help="maximum per Hypothesis test")
    arguments = parser.parse_args()
    for name in IMPORTED_BEFORE:
        with suppress(ImportError):
            importlib.import_module(name)
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    config = tomllib.loads((HERE / "cosmic-ray.toml").read_text())
    session = arguments.session or Path(tempfile.mkdtemp()) / "session.sqlite"
    settings = config["cosmic-ray"]
    paths = filter_paths(find_modules(map(Path, settings["module-path"])), [])
    paths = {path for path in paths if str(path) not in settings["excluded-modules"]}
    paths = {path for path in paths if arguments.only is None or path.stem in arguments.only}
    mode = WorkDB.Mode.open if arguments.again else WorkDB.Mode.create
    with use_db(str(session), mode) as database:
        if not arguments.again:
            init(sorted(paths), database, {})
        for path in sorted(paths):
            tests = [test for test in _tests_of(path, config["tests"]) if Path(test).exists()]
            run = _Run(path, tests, settings["timeout"], arguments.examples)
            if outcome := run.outcome_of(path.read_text()):
                print(f"{path}: the tests do not pass without a mutant ({outcome})")
                continue
            if arguments.again:
                items = _survivors(database, path)
            else:
                items = _selected(database, path, settings["filters"]["operators-filter"])
            if arguments.sample is not None and len(items) > arguments.sample:
                items = random.Random(arguments.seed).sample(items, arguments.sample)
            start = time.monotonic()
            _run_all(run, items, arguments.jobs, database)
            _report(database, path, time.monotonic() - start)
    print(f"Session: {session}")


def _tests_of(path: Path, tests: dict[str, list[str]]) -> list[str]:
    """Return the tests of a module, or of its folder if the module has no tests of its own."""
    return tests.get(path.stem, tests[path.parent.name])


def _selected(database: WorkDB, path: Path, operators: dict[str, list[str]]) -> list[WorkItem]:
    """Return the mutants of a module; record those that are filtered out as skipped."""
    excluded = re.compile("|".join(operators["exclude-operators"]))
    tree = ast.parse(path.read_text())
    annotations, signatures = _annotations(tree), _signatures(tree)
    kept = []
    for item in list(database.pending_work_items):
        mutation = item.mutations[0]
        if Path(mutation.module_path) != path:
            continue
        # cosmic-ray takes the star before keyword-only parameters for a product.
        is_star = "Operator_Mul_" in mutation.operator_name and _is_in(mutation, signatures)
        is_excluded = is_star or excluded.match(mutation.operator_name)
        if is_excluded or _is_in(mutation, annotations):
            database.set_result(item.job_id, WorkResult(WorkerOutcome.SKIPPED))
        else:
            kept.append(item)
    return sorted(kept, key=lambda item: (item.mutations[0].start_pos, _name(item)))


def _survivors(database: WorkDB, path: Path) -> list[WorkItem]:
    survivors, source = [], path.read_text()
    for item, result in database.completed_work_items:
        mutation = item.mutations[0]
        if Path(mutation.module_path) != path or result.test_outcome != TestOutcome.SURVIVED:
            continue
        if _mutant(source, mutation) != result.diff:
            raise SystemExit(f"{path} has changed since the session.")
        survivors.append(item)
    return survivors


def _mutant(source: str, mutation: MutationSpec) -> str:
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    mutant: str = mutate_code(source, operator, mutation.occurrence)
    return mutant


def _name(item: WorkItem) -> tuple[str, int]:
    return item.mutations[0].operator_name, item.mutations[0].occurrence


def _is_in(mutation: MutationSpec, places: list[Place]) -> bool:
    return any(start <= mutation.start_pos and mutation.end_pos <= end for start, end in places)


def _annotations(tree: ast.AST) -> list[Place]:
    nodes: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            nodes.append(node.annotation)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            nodes.append(node.value)
        if isinstance(node, ast.FunctionDef):
            nodes.append(node.returns)
        if isinstance(node, ast.Assign) and "Literal[" in ast.unparse(node.value):
            nodes.append(node.value)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        for node in nodes
        if isinstance(node, ast.expr) and node.end_lineno and node.end_col_offset is not None
    ]


def _signatures(tree: ast.AST) -> list[Place]:
    return [
        ((node.lineno, node.col_offset), (node.body[0].lineno, node.body[0].col_offset))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


class _Run:
    """Run the tests of one module, some of which must fail for each mutant of its source."""

    def __init__(self, path: Path, tests: list[str], timeout: float, n_examples: int) -> None:
        self.path, self.tests, self.timeout = path, tests, timeout
        self.n_examples = n_examples
        self.module = ".".join(path.with_suffix("").parts)

    def outcome_of(self, source: str) -> str:
        return self.wait_for(self.start(source), time.monotonic())

    def start(self, source: str) -> int:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_DATA, (BYTES_PER_MUTANT, BYTES_PER_MUTANT))
                with open(os.devnull, "w") as nothing:
                    os.dup2(nothing.fileno(), 1)
                    os.dup2(nothing.fileno(), 2)
                code = self._test(source)
            finally:
                os._exit(code)
        return pid

    def wait_for(self, pid: int, start: float) -> str:
        while (outcome := self.poll(pid, start)) is None:
            time.sleep(0.02)
        return outcome

    def poll(self, pid: int, start: float) -> str | None:
        """Return why the mutant was killed, "" if it survived, None if it is still running."""
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return {0: "", 1: "failed"}.get(code, f"exit {code}")
        if time.monotonic() - start > self.timeout:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "timeout"
        return None

    def _test(self, source: str) -> int:
        sys.meta_path.insert(0, _Finder(self.module, self.path, source))
        # No database and no shrinking: only whether a test fails matters.
        hypothesis.settings.register_profile(
            "mutation",
            deadline=None,
            derandomize=True,
            database=None,
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
            # A busy machine must not kill a mutant.
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.settings.load_profile("mutation")
        options = ["-x", "-q", "-pno:cacheprovider", "--assert=plain", "--tb=no"]
        options.append("--override-ini=addopts=")
        # One file after another: the next is collected only if the mutant is still alive.
        for test in self.tests:
            if code := int(pytest.main([*options, test], plugins=[self])):
                return code
        return 0

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if self._is_of_this_module(item)]
        for item in items:
            self._limit_examples(item)
        # Tests without Hypothesis are the fastest to fail.
        items.sort(key=lambda item: item.get_closest_marker("hypothesis") is not None)

    def _limit_examples(self, item: Any) -> None:
        name = "_hypothesis_internal_use_settings"
        own = getattr(item.obj, name, None)
        if own is not None:
            n_examples = min(self.n_examples, own.max_examples)
            setattr(item.obj, name, hypothesis.settings(own, max_examples=n_examples))

    def _is_of_this_module(self, item: Any) -> bool:
        if item.path.name != "test_common.py":
            return True
        metric = item.callspec.params.get("metric") if hasattr(item, "callspec") else None
        if metric is None:
            return True
        statistic = getattr(metric, "statistic", None)
        if isinstance(statistic, partial):
            statistic = statistic.func
        return getattr(statistic, "__module__", None) == self.module


class _Finder:
    """Import hook that loads one module from the source of a mutant."""

    def __init__(self, module: str, path: Path, source: str) -> None:
        self.module, self.path, self.source = module, path, source

    def find_spec(self, name: str, *_: Any) -> Any:
        if name != self.module:
            return None
        return importlib.util.spec_from_file_location(name, self.path.resolve(), loader=self)

    def create_module(self, _: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, str(self.path.resolve()), "exec"), module.__dict__)


def _run_all(run: _Run, items: list[WorkItem], n_jobs: int, database: WorkDB) -> None:
    source = run.path.read_text()
    pending, running = items[::-1], {}
    while pending or running:
        while pending and len(running) < n_jobs:
            item = pending.pop()
            mutant = _mutant(source, item.mutations[0])
            running[run.start(mutant)] = item, mutant, time.monotonic()
        for pid, (item, mutant, since) in list(running.items()):
            outcome = run.poll(pid, since)
            if outcome is None:
                continue
            del running[pid]
            test_outcome = TestOutcome.KILLED if outcome else TestOutcome.SURVIVED
            # The whole mutant in place of a diff, since cr-report only prints it.
            kept = None if outcome else mutant
            result = WorkResult(WorkerOutcome.NORMAL, outcome, test_outcome, kept)
            database.set_result(item.job_id, result)
        time.sleep(0.005)


def _report(database: WorkDB, path: Path, seconds: float) -> None:
    results = [
        (item.mutations[0], result)
        for item, result in database.completed_work_items
        if Path(item.mutations[0].module_path) == path
        and result.worker_outcome == WorkerOutcome.NORMAL
    ]
    n_left = sum(
        Path(item.mutations[0].module_path) == path for item in database.pending_work_items
    )
    tally = Counter(result.test_outcome for _, result in results)
    print(
        f"{path}: {len(results)} of {len(results) + n_left} mutants, "
        f"{tally[TestOutcome.KILLED]} killed "
        f"({tally[TestOutcome.KILLED] / max(1, len(results)):.1%}), "
        f"{tally[TestOutcome.SURVIVED]} survived, {seconds:.0f} s"
    )
    before = path.read_text().splitlines()
    survivors = [pair for pair in results if pair[1].test_outcome == TestOutcome.SURVIVED]
    for mutation, result in sorted(survivors, key=lambda pair: pair[0].start_pos):
        row = mutation.start_pos[0]
        print(f"  {row}: {mutation.operator_name.removeprefix('core/')}: {before[row - 1].strip()}")
        after = result.diff.splitlines()
        changed = [new for old, new in zip(before, after, strict=False) if old != new][:1]
        print(f"      -> {changed[0].strip() if changed else '?'}", flush=True)


if __name__ == "__main__":
    main()
