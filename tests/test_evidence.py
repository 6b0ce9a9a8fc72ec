"""The scripts of benchmarks/ that write the evidence in the documentation."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
COUNTED = """
from pathlib import Path


def squared(number, log):
    with Path(log).open("a") as file:
        print(number, file=file)
    if number == 3 and Path(log).with_suffix(".stop").exists():
        raise KeyboardInterrupt
    return number**2
"""


@pytest.fixture
def load(monkeypatch, tmp_path):
    """Return a function that imports a script, which stores its results in a new directory."""
    pytest.importorskip("matplotlib")
    known = set(sys.modules)
    monkeypatch.syspath_prepend(BENCHMARKS)
    import _tasks

    monkeypatch.setattr(_tasks, "CHECKPOINTS", tmp_path / "checkpoints")
    yield importlib.import_module
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or ".").parent == BENCHMARKS:
            del sys.modules[name]


def test_an_interrupted_run_goes_on_where_it_stopped(load, monkeypatch, tmp_path):
    tasks = load("_tasks")
    (tmp_path / "counted_tasks.py").write_text(COUNTED)
    monkeypatch.syspath_prepend(tmp_path)
    squared = load("counted_tasks").squared
    log = tmp_path / "log"
    arguments = [(number, str(log)) for number in range(1, 6)]
    log.with_suffix(".stop").touch()
    with pytest.raises(KeyboardInterrupt):
        tasks.run_tasks(squared, arguments, n_jobs=1, title="squares")
    log.with_suffix(".stop").unlink()
    for _ in range(2):
        found = tasks.run_tasks(squared, arguments, n_jobs=1, title="squares")
        assert found == [1, 4, 9, 16, 25]
    assert log.read_text().split() == ["1", "2", "3", "3", "4", "5"]


def test_figures_are_the_same_in_each_run(load, tmp_path):
    import matplotlib.pyplot as plt

    def figure():
        found, ax = plt.subplots()
        ax.plot([0, 1])
        return found

    evidence = load("evidence")
    for run in ("first", "second"):
        evidence.write(tmp_path / run, {"line.svg": figure, "table.txt": "text"})
    first, second = (tmp_path / run / "line.svg" for run in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert b"<dc:date>" not in first.read_bytes()
    assert (tmp_path / "first" / "table.txt").read_text() == "text\n"


def test_the_synthetic_part_writes_tables_and_a_figure(load, monkeypatch, tmp_path):
    evidence, part = load("evidence"), load("evidence_synthetic")
    readings = [("standard deviation", False, 0.2), ("variance", True, 0.2)]
    monkeypatch.setattr(part, "READINGS", readings)
    monkeypatch.setattr(part, "N_TEST_CASES", 5)
    results = part.compute(n_jobs=1, part=0.1)
    assert list(results) == readings
    assert results[readings[0]]["cem_ord"].shape == (2, 6)
    evidence.write(tmp_path, part.outputs(results))
    assert sorted(path.name for path in tmp_path.glob("synthetic_*")) == [
        "synthetic_best.txt",
        "synthetic_catalogue.txt",
        "synthetic_coverage.svg",
        "synthetic_coverage.txt",
        "synthetic_names.txt",
        "synthetic_readings.txt",
        "synthetic_summary.txt",
    ]
    table = (tmp_path / "synthetic_coverage.txt").read_text(encoding="utf-8")
    assert "(0.91)" in table
    assert table.count("* -") == 1 + 15
