"""The form of the examples in docs/gallery; with ``-m gallery``, they are run as well."""

import ast
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))
NOT_IN_THE_PLOT_EXTRA = ("duckdb", "lightgbm", "skordinal", "statsmodels")

each_example = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)


def imports_of(script):
    """Return pairs of a module and a name that is imported from it, None for the module."""
    nodes = list(ast.walk(ast.parse(script.read_text(encoding="utf-8"))))
    modules = [node for node in nodes if isinstance(node, ast.Import)]
    names = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return [(alias.name, None) for node in modules for alias in node.names] + [
        (node.module, alias.name) for node in names for alias in node.names
    ]


def test_there_are_at_least_twelve_examples():
    assert len(SCRIPTS) >= 12


def test_each_example_has_its_place_in_the_order_of_the_gallery():
    """Without a place, the documentation cannot be built."""
    conf = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    order = re.search(r"^gallery = (\[.*?\])$", conf, flags=re.M | re.S)[1]
    assert sorted(f"plot_{name}" for name in ast.literal_eval(order)) == [
        script.stem for script in SCRIPTS
    ]


@each_example
def test_an_example_has_a_title_and_says_what_it_shows(script):
    title, underline, blank, *text = ast.get_docstring(
        ast.parse(script.read_text(encoding="utf-8"))
    ).splitlines()
    assert underline == "=" * len(title)
    assert blank == ""
    assert len(" ".join(text)) > 100


@each_example
def test_an_example_has_text_between_its_blocks_and_a_plot(script):
    source = script.read_text(encoding="utf-8")
    assert len(re.findall(r"^# %%\n# \w", source, flags=re.M)) >= 2
    assert source.endswith("plt.show()\n")


@each_example
def test_an_example_uses_public_names_only(script):
    for module, name in imports_of(script):
        if module.startswith("sklearn_ordinal") and name:
            assert name in importlib.import_module(module).__all__, (module, name)


@each_example
def test_an_example_names_the_packages_that_it_needs(script):
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
    imported = {module.split(".")[0] for module, _ in imports_of(script)}
    assert [name for name in imported.intersection(NOT_IN_THE_PLOT_EXTRA) if name not in text] == []


@pytest.mark.gallery
@each_example
def test_an_example_runs_without_warnings(script, tmp_path):
    for module, _ in imports_of(script):
        if module.split(".")[0] in NOT_IN_THE_PLOT_EXTRA:
            pytest.importorskip(module)
    # plt.show() warns on a desktop, where there is a display that agg does not use.
    ignored = "ignore:FigureCanvasAgg is non-interactive:UserWarning"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", ignored, str(script)],
        cwd=tmp_path,
        env=os.environ | {"MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
