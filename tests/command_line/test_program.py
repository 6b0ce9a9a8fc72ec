"""The program: its help, its exit codes and where its output goes."""

import json
import re

import pytest

from sklearn_ordinal import OrdinalReport, __version__
from sklearn_ordinal._command_line import main

ROWS = "id,grade,predicted\n1,low,low\n2,mid,high\n3,high,high\n4,low,mid\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_the_version_is_that_of_the_package(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sklearn-ordinal {__version__}\n"


@pytest.mark.parametrize("command", [[], ["report"], ["demo"]])
def test_help_fits_80_columns_and_commands_have_an_example(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command, "--help"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    if command:
        assert re.search(rf"^examples?:\n  sklearn-ordinal {command[0]} ", text, flags=re.M)


def test_an_error_is_one_line_and_exit_code_2(file, capsys):
    assert main(["report", file, "--true", "grade"]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err == (
        "sklearn-ordinal: error: the following arguments are required: --pred; see "
        "sklearn-ordinal report --help.\n"
    )


def test_json_has_the_dict_of_the_report(file, capsys):
    options = ["--true=grade", "--pred=predicted", "--labels=low,mid,high", "--format=json"]
    assert main(["report", file, *options]) == 0
    content = json.loads(capsys.readouterr().out)
    report = OrdinalReport.from_predictions(
        ["low", "mid", "high", "low"], ["low", "high", "high", "mid"],
        labels=["low", "mid", "high"], zero_division=0.0,
    )  # fmt: skip
    assert content["type"] == "OrdinalReport"
    assert content["result"]["criteria"]["cem_ord"] == report.to_dict()["criteria"]["cem_ord"]
