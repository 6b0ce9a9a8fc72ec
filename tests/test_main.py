"""The demonstration prints what the package computes."""

import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def output():
    command = [sys.executable, "-W", "error", "-m", "sklearn_ordinal"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_it_fits_a_terminal(output):
    assert max(map(len, output.splitlines())) <= 80


def test_it_reports_each_fold_and_all_together(output):
    assert re.findall(r"^Fold (\d) of 5", output, flags=re.M) == list("12345")
    supports = [int(n) for n in re.findall(r"^ +accuracy +[\d.]+ +(\d+)$", output, flags=re.M)]
    assert supports == [200] * 5 + [1000]


def test_the_closing_line_says_what_the_table_holds(output):
    rows = re.findall(r"^(\w[\w ]+?)((?: +-?\d\.\d{3}){6})$", output, flags=re.M)
    scores = {name: [float(x) for x in numbers.split()] for name, numbers in rows}
    assert len(scores) == 5
    searched = scores.pop("grid search on cem_ord")
    best = max(scores, key=lambda name: scores[name][0])
    closing = " ".join(output.strip().split("\n\n")[-1].split())
    assert f"best baseline, {best}: {searched[0]:.3f} against {scores[best][0]:.3f}" in closing
    # Holds for this seed: the model does beat the baselines.
    assert "cem_ord is above" in closing
