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
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from contextlib import suppress
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
from coverage import CoverageData

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
    parser.add_argument("--only", action="append", metavar="MODULE", help="name of its file")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N mutants in all")
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
    config = tomllib.loads((HERE / "cosmic-ray.toml").read_text(encoding="utf-8"))
    session = arguments.session or Path(tempfile.mkdtemp()) / "session.sqlite"
    settings = config["cosmic-ray"]
    paths = filter_paths(find_modules(map(Path, settings["module-path"])), [])
    paths = {path for path in paths if str(path) not in settings["excluded-modules"]}
    paths = {path for path in paths if arguments.only is None or path.stem in arguments.only}
    mode = WorkDB.Mode.open if arguments.again else WorkDB.Mode.create
    with use_db(str(session), mode) as database:
        if not arguments.again:
            init(sorted(paths), database, {})
        if arguments.again:
            items = {path: _survivors(database, path) for path in paths}
        else:
            items = _selected(database, settings["filters"]["operators-filter"])
        mutants = [(path, item) for path in sorted(items) for item in items[path]]
        if arguments.sample is not None and len(mutants) > arguments.sample:
            mutants = random.Random(arguments.seed).sample(mutants, arguments.sample)
        tests_of_line = _tests_of_line(settings["tests"])
        for path in sorted({path for path, _ in mutants}):
            run = _Run(path, tests_of_line[path], settings["timeout"], arguments.examples)
            start = time.monotonic()
            chosen = [item for path_of_item, item in mutants if path_of_item == path]
            _run_all(run, chosen, arguments.jobs, database)
            _report(database, path, time.monotonic() - start)
    print(f"Session: {session}")


def _tests_of_line(tests: list[str]) -> dict[Path, dict[int, set[str]]]:
    """Run the tests, and return for each line of each module the tests that execute it."""
    with tempfile.TemporaryDirectory() as folder:
        data_file = Path(folder, "coverage")
        options = ["-q", "-n2", "--cov", "--cov-context=test", "--cov-report="]
        options.append("--cov-fail-under=0")
        environment = {**os.environ, "COVERAGE_FILE": str(data_file)}
        subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests], env=environment, check=True
        )
        data = CoverageData(str(data_file))
        data.read()
        return {
            Path(name).relative_to(ROOT): {
                line: {context.rpartition("|")[0] for context in contexts} - {""}
                for line, contexts in data.contexts_by_lineno(name).items()
            }
            for name in data.measured_files()
        }


def _lines_of(tree: ast.AST, line: int) -> range:
    """Return the lines of the innermost statement at a line, without the statements in it."""
    statements = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)
    ]
    if not statements:
        return range(line, line + 1)
    statement = max(statements, key=lambda node: node.lineno)
    body = getattr(statement, "body", None)
    end = max(body[0].lineno, line + 1) if body else (statement.end_lineno or line) + 1
    return range(statement.lineno, end)


def _selected(database: WorkDB, operators: dict[str, list[str]]) -> dict[Path, list[WorkItem]]:
    """Return the mutants by module, without those that are filtered out."""
    excluded = re.compile("|".join(operators["exclude-operators"]))
    by_path = defaultdict(list)
    for item in list(database.pending_work_items):
        by_path[Path(item.mutations[0].module_path)].append(item)
    return {path: _kept(path, items, excluded) for path, items in by_path.items()}


def _kept(path: Path, items: list[WorkItem], excluded: re.Pattern[str]) -> list[WorkItem]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    annotations, signatures = _annotations(tree), _signatures(tree)
    kept = []
    for item in items:
        mutation = item.mutations[0]
        # cosmic-ray takes the star before keyword-only parameters for a product.
        is_star = "Operator_Mul_" in mutation.operator_name and _is_in(mutation, signatures)
        if not (is_star or excluded.match(mutation.operator_name) or _is_in(mutation, annotations)):
            kept.append(item)
    return sorted(kept, key=lambda item: (item.mutations[0].start_pos, _name(item)))


def _survivors(database: WorkDB, path: Path) -> list[WorkItem]:
    survivors, source = [], path.read_text(encoding="utf-8")
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

    def __init__(
        self, path: Path, tests_of_line: dict[int, set[str]], timeout: float, n_examples: int
    ) -> None:
        self.path, self.tests_of_line, self.timeout = path, tests_of_line, timeout
        self.n_examples = n_examples
        self.module = ".".join(path.with_suffix("").parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.tests: set[str] = set()

    def start(self, source: str, line: int) -> int:
        """Start the tests that execute a line; for one that runs at import, those of the module."""
        lines = _lines_of(self.tree, line)
        tests = set().union(*(self.tests_of_line.get(at, ()) for at in lines))
        self.tests = tests or set().union(*self.tests_of_line.values())
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_DATA, (BYTES_PER_MUTANT, BYTES_PER_MUTANT))
                with open(os.devnull, "w", encoding="utf-8") as nothing:
                    os.dup2(nothing.fileno(), 1)
                    os.dup2(nothing.fileno(), 2)
                code = self._test(source)
            finally:
                os._exit(code)
        return pid

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
        options.append("--override-ini=addopts=-p tests.one_thread -p tests.isolation")
        files = sorted({test.partition("::")[0] for test in self.tests})
        return int(pytest.main([*options, *files], plugins=[self]))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]
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
    source = run.path.read_text(encoding="utf-8")
    pending, running = items[::-1], {}
    while pending or running:
        while pending and len(running) < n_jobs:
            item = pending.pop()
            mutant = _mutant(source, item.mutations[0])
            pid = run.start(mutant, item.mutations[0].start_pos[0])
            running[pid] = item, mutant, time.monotonic()
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
    tally = Counter(result.test_outcome for _, result in results)
    print(
        f"{path}: {len(results)} mutants, "
        f"{tally[TestOutcome.KILLED]} killed "
        f"({tally[TestOutcome.KILLED] / max(1, len(results)):.1%}), "
        f"{tally[TestOutcome.SURVIVED]} survived, {seconds:.0f} s"
    )
    before = path.read_text(encoding="utf-8").splitlines()
    survivors = [pair for pair in results if pair[1].test_outcome == TestOutcome.SURVIVED]
    for mutation, result in sorted(survivors, key=lambda pair: pair[0].start_pos):
        row = mutation.start_pos[0]
        print(f"  {row}: {mutation.operator_name.removeprefix('core/')}: {before[row - 1].strip()}")
        after = result.diff.splitlines()
        changed = [new for old, new in zip(before, after, strict=False) if old != new][:1]
        print(f"      -> {changed[0].strip() if changed else '?'}", flush=True)


if __name__ == "__main__":
    main()
