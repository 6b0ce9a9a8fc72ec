"""What .github says: the steps in CONTRIBUTING.md, in a copy of the checkout, and the workflows."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAME = "ordinal_root_mean_squared_error"
FIND_IT = f"""
import sys
from pathlib import Path
from sklearn.metrics import get_scorer
import sklearn_ordinal

assert Path(sklearn_ordinal.__file__).is_relative_to(Path.cwd()), sklearn_ordinal.__file__
assert {NAME!r} in sklearn_ordinal.get_metric_names()
assert {NAME!r} in sklearn_ordinal.metrics.__all__
assert get_scorer("neg_{NAME}") is not None
sys.path.insert(0, "docs")
import criteria_table, metric_functions
for module, page in ((criteria_table, "criteria.rst"), (metric_functions, "functions.rst")):
    module.write(Path("pages") / page)
    assert {NAME!r} in (Path("pages") / page).read_text(), page
"""


def steps():
    """Return the text that the section on metrics adds to each file."""
    page = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.split("## Add a metric\n")[1].split("\n## ")[0]
    return dict(re.findall(r"`([\w./+-]+)`:\n\n```\w+\n(.*?)```\n", section, flags=re.S))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    copy = tmp_path_factory.mktemp("checkout")
    for folder in ("sklearn_ordinal", "tests", "docs"):
        # Modules that stay as they are need not be compiled again.
        ignored = shutil.ignore_patterns("generated", "_build", "auto_gallery")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", copy)
    for name, text in steps().items():
        path = copy / name
        old = path.read_text(encoding="utf-8")
        if path.name == "__init__.py":
            family = "from sklearn_ordinal.metrics._error import (\n"
            assert old.count(family) == 1
            new = old.replace(family, f"{family}    {text.strip()}\n")
        elif path.name == "measures.rst":
            expression = "``np.sqrt(metrics.ordinal_mean_squared_error(y_true, y_pred))``"
            row = text.replace(f"``metrics.{NAME}(y_true, y_pred)``", expression)
            assert old.count(row) == 1
            new = old.replace(row, text)
        else:
            new = f"{old}\n\n{text}"
        path.write_text(new, encoding="utf-8")
    return copy


def run(checkout, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_metric_touches_four_files():
    assert len(steps()) == 4
    assert all((ROOT / name).exists() for name in steps())


def test_the_metric_is_found_by_name_and_on_the_generated_pages(checkout):
    (checkout / "pages").mkdir()
    run(checkout, "-c", FIND_IT)


def test_the_metric_passes_the_contracts_its_own_test_and_its_doctest(checkout):
    files = ["tests/test_common.py", "tests/test_public.py", "tests/metrics/test_error.py"]
    files += ["tests/test_measures.py", "tests/meta_evaluation/test_properties.py"]
    files += ["sklearn_ordinal/metrics/_error.py"]
    # All that a new metric may break. Contracts and properties of other metrics stay as they are.
    chosen = f"{NAME} or not [ and not importing and not test_properties"
    options = ["-v", "-p", "no:cacheprovider", "-k", chosen]
    output = run(checkout, "-m", "pytest", *options, *files)
    assert re.search(rf"^sklearn_ordinal/.*{NAME} PASSED", output, flags=re.M), output
    n_passed = int(re.search(r"(\d+) passed", output.splitlines()[-1])[1])
    # The contracts of every metric, its docstring, its export and its own test.
    assert n_passed >= 20, output


def test_the_workflows_run_each_step_once():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    steps_of_all = re.search(r"^steps=\((.*)\)$", script, flags=re.M)[1].split()
    checks = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    assert re.search(r"step: \[(.*)\]", checks)[1].split(", ") == steps_of_all
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = workflow.read_text(encoding="utf-8")
        called = re.findall(r"bash \.ci/run (.+)", text)
        assert called
        for step in called:
            assert step == "${{ matrix.step }}" or f"\n{step}() {{\n" in script
