"""The demonstration prints what the package computes."""

import contextlib
import io
import re

import pytest

from sklearn_ordinal._command_line.program import main


def run(*arguments):
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        assert main(list(map(str, arguments))) == 0
    assert errors.getvalue() == ""
    return printed.getvalue()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return tmp_path_factory.mktemp("demonstration") / "comparison.html"


@pytest.fixture(scope="module")
def short(page):
    return run("--html", page)


@pytest.fixture(scope="module")
def output():
    return run("--full")


def test_it_fits_a_terminal(short, output):
    # The last line names the file.
    lines = short.splitlines()[:-1]
    assert len(lines) <= 66
    assert max(map(len, [*lines, *output.splitlines()])) <= 80


def test_the_result_comes_first_and_where_to_read_more_comes_last(short, output):
    lines = short.splitlines()
    assert lines[0].startswith("By cem_ord, grid search has the best mean of 2 models, ")
    positions = [
        lines.index(line)
        for line in (
            next(line for line in lines if line.startswith("Estimators by cem_ord (0 to 1")),
            "Classes, from the lowest to the highest",
        )
    ]
    assert positions == sorted(positions)
    assert positions[0] < 12
    assert "--full" in lines[-4]
    # Nothing that only Python understands, and no file that an installed package lacks.
    assert "sklearn-ordinal metrics" in lines[-3]
    assert not any("metrics=" in line or "README" in line for line in lines)
    # The numbers are the same as in the full output.
    of_search = [line for line in lines if line.startswith(("grid search  ", "grid search - "))]
    assert len(of_search) == 2
    assert set(of_search) <= set(output.splitlines())


def test_it_reports_each_fold_and_the_pooled_folds(output):
    assert re.findall(r"^Fold (\d)$", output, flags=re.M) == list("12345")
    supports = [int(n) for n in re.findall(r"^accuracy +[\d.]+ +(\d+)$", output, flags=re.M)]
    assert supports == [1000] + [200] * 5


def test_the_comparison_agrees_with_the_folds(output):
    folds = re.search(r"^fold +cem_ord .*\n((?:fold \d .*\n){5})\n", output, flags=re.M)
    values = [float(line.split()[2]) for line in folds[1].splitlines()]
    mean = float(re.search(r"^cem_ord +([\d.]+)", output, flags=re.M)[1])
    assert sum(values) / 5 == pytest.approx(mean, abs=1e-3)
    comparison = output.split("compared with logistic regression and baselines")[1]
    of_cem_ord = comparison.split("\nPairs of models")[0]
    rows = re.findall(r"^(\w[\w =()…]+?) {2,}(\d\.\d{3}) ", of_cem_ord, flags=re.M)
    means = [float(mean) for _, mean in rows]
    assert len(rows) == 5
    assert means == sorted(means, reverse=True)
    # With this seed, the model beats the baselines.
    assert rows[0] == ("grid search", f"{mean:.3f}")
    assert re.search(r"^grid search +\d\.\d{3} +\+\d\.\d{3} .* <?0\.0\d\d$", of_cem_ord, re.M)


@pytest.mark.parametrize("name", ["nowhere/report.html", ""])
def test_an_unwritable_file_is_an_error_at_once(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sklearn_ordinal.datasets._lev.load_lev", None)
    assert main(["--html", str(tmp_path / name)]) == 2
    assert "argument --html: cannot write to" in capsys.readouterr().err


def test_it_writes_the_report_if_requested(short, page):
    assert short.endswith(f"\nWritten to {page}\n")
    assert "grid search" in page.read_text(encoding="utf-8")
