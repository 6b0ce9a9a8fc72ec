"""What differs on Windows, as far as it can be tested elsewhere.

The encoding of standard output, the line ends and marks of files that its programs write, its
paths, its limits, and that no text is read or written in the encoding of the machine.
"""

import ast
import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from sklearn_ordinal import OrdinalReport
from sklearn_ordinal._command_line import system_files
from sklearn_ordinal._command_line.program import main

ROOT = Path(__file__).parents[2]
LABELS = "--labels=low,mid,haut élevé"
ROWS = "id,t,p,g\r\n1,low,mid,a\r\n2,mid,mid,b\r\n3,haut élevé,low,a\r\n4,low,low,b\r\n"
GRADES = "item,rater,grade\r\n" + "".join(
    f"{item},{rater},{grade}\r\n"
    for rater, given in {"x": "112312", "y": "122321", "z": "112212"}.items()
    for item, grade in enumerate(given)
)
REPORT = ["report", "rows.csv", "--true=t", "--pred=p", LABELS]
FORMATS = ("json", "html", "markdown", "latex", "csv")
# Console encodings of Windows, and the plain locale of Unix.
ENCODINGS = ("cp1252", "cp850", "cp932", "ascii")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "rows.csv": ROWS,
        "gold.csv": "id,t\r\n1,1\r\n2,2\r\n3,3\r\n4,1\r\n",
        "first.csv": "id,p\r\n1,1\r\n2,2\r\n3,2\r\n4,1\r\n",
        "second.csv": "id,p\r\n1,2\r\n2,2\r\n3,1\r\n4,1\r\n",
        "grades.csv": GRADES,
        "judge.csv": "item,grade\r\n" + "".join(f"{i},{g}\r\n" for i, g in enumerate("112322")),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")


def printed(monkeypatch, arguments, encoding, newline="\r\n"):
    """Return the bytes that a command writes to a redirected standard output of Windows."""
    stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline=newline)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(arguments) == 0
    return stdout.buffer.getvalue()


@pytest.mark.parametrize("format_", FORMATS)
def test_redirected_files_are_those_of_output_in_any_encoding(format_, monkeypatch):
    command = [*REPORT, f"--format={format_}"]
    assert main([*command, "--output=file"]) == 0
    expected = Path("file").read_bytes()
    # The date of a page or of JSON may be that of the next minute.
    assert len(expected) == len(printed(monkeypatch, command, "cp1252"))
    if format_ in {"csv", "latex", "markdown"}:
        assert expected == printed(monkeypatch, command, "cp1252")
    assert b"\r" not in expected
    assert "élevé" in expected.decode("utf-8") or format_ == "latex"


COMMANDS = [
    ["compare", "gold.csv", "first.csv", "second.csv", "--n-resamples=99"],
    ["agreement", "grades.csv"],
    ["judge", "grades.csv", "judge.csv"],
    ["metrics"],
    ["metrics", "cem_ord"],
]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_prints_text_in_the_encodings_of_consoles(command, encoding, monkeypatch):
    text = printed(monkeypatch, command, encoding)
    assert text.count(b"\n") == text.count(b"\r\n") > 5
    text.decode(encoding)


def test_a_shortened_name_is_marked_with_a_character_that_the_console_has(monkeypatch):
    rows = [f"{name * 70},{t},{p}" for name in "ab" for t, p in ((1, 2), (2, 2), (3, 1))]
    Path("groups.csv").write_text("\n".join(["group,t,p", *rows]), encoding="utf-8")
    command = ["report", "groups.csv", "--true=t", "--pred=p", "--by=group"]
    assert "a…".encode("cp1252") in printed(monkeypatch, command, "cp1252")
    assert b"aa~ " in printed(monkeypatch, command, "ascii")


def test_the_program_runs_in_the_encoding_of_the_environment():
    groups = "group,t,p\n" + "".join(f"{g},{i % 3},{i % 2}\n" for i in range(9) for g in "až")
    Path("groups.csv").write_text(groups, encoding="utf-8")
    command = ["report", "groups.csv", "--true=t", "--pred=p", "--by=group", "--format=csv"]
    ended = subprocess.run(
        [sys.executable, "-m", "sklearn_ordinal", *command],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0
    assert ",ž," in ended.stdout.decode("utf-8")


@pytest.mark.parametrize("command", COMMANDS[:3])
def test_line_ends_and_the_byte_order_mark_of_windows_change_nothing(command, capsys):
    assert main([*command, "--format=csv"]) == 0
    expected = capsys.readouterr().out
    for path in Path().glob("*.csv"):
        text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
        path.write_text(text, encoding="utf-8", newline="\n")
    assert main([*command, "--format=csv"]) == 0
    assert capsys.readouterr().out == expected
    for path in Path().glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8-sig", newline="\r\n")
    assert main([*command, "--format=csv"]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_report_that_powershell_has_redirected_is_read(encoding, capsys):
    assert main([*REPORT, "--format=json"]) == 0
    text = capsys.readouterr().out
    Path("this.json").write_text(text, encoding=encoding, newline="\r\n")
    report = OrdinalReport.from_json("this.json")
    with open("this.json", encoding="utf-8" if encoding == "utf-8-sig" else encoding) as file:
        assert OrdinalReport.from_json(file) == report
    assert main(["report", "rows.csv", "--true=t", "--pred=p", LABELS, "--output=last.json"]) == 0
    assert OrdinalReport.from_json("last.json") == report
    assert main(["check", "this.json", "--against=last.json", "--metric=accuracy"]) == 0


def test_csv_files_are_read_where_a_c_long_has_32_bits(monkeypatch, capsys):
    limit_of = csv.field_size_limit

    def field_size_limit(limit):
        if limit > 2**31 - 1:
            raise OverflowError("Python int too large to convert to C long")
        return limit_of(limit)

    monkeypatch.setattr(csv, "field_size_limit", field_size_limit)
    assert main(REPORT) == 0
    assert "\n4 samples, " in capsys.readouterr().out


class _WindowsPath(PureWindowsPath):
    """A path of Windows whose files are not looked up."""

    def exists(self):
        return False

    is_dir = exists


def test_systems_are_named_by_paths_of_windows(monkeypatch):
    monkeypatch.setattr(system_files, "Path", _WindowsPath)
    paths = [r"C:\runs\small model.csv", "D:/runs/large.v2.jsonl", r"\\server\share\third.tsv"]
    systems = system_files.find_systems(paths, "gold.csv")
    assert systems == dict(zip(["small model", "large.v2", "third"], paths, strict=True))


def test_any_path_object_is_written_and_read():
    report = OrdinalReport.from_predictions([0, 1, 2], [0, 2, 2], zero_division=0.0)
    path = PureWindowsPath("report of today.json")
    report.to_json(path)
    assert OrdinalReport.from_json(path) == report


def calls_without_encoding(path):
    """Yield the lines that open text in the encoding of the machine."""
    source = path.read_text(encoding="utf-8")
    if not re.search(r"open\(|(read|write)_text\(", source):
        return
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        if not re.search(r"^open$|\.(open|read_text|write_text)$", name) or name == "os.open":
            continue
        constants = {value.value for value in call.args if isinstance(value, ast.Constant)}
        is_named = any(keyword.arg == "encoding" for keyword in call.keywords)
        if not is_named and not constants & {"rb", "wb", "xb", "utf-8"}:
            yield f"{path.relative_to(ROOT)}:{call.lineno}"


def test_no_text_is_read_or_written_in_the_encoding_of_the_machine():
    folders = ["sklearn_ordinal", "tests", "benchmarks", "docs", ".ci"]
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 300
    assert [call for path in paths for call in calls_without_encoding(path)] == []
