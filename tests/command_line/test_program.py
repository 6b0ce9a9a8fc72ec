"""The program: its help, its exit codes and where its output goes."""

import csv
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import warnings

import pytest

from sklearn_ordinal import OrdinalReport, __version__
from sklearn_ordinal._command_line import data_files, program
from sklearn_ordinal._command_line.program import main
from sklearn_ordinal._documents import html_pages
from tests.optional import only_on_posix

ROWS = "id,grade,predicted\n1,low,low\n2,mid,high\n3,high,high\n4,low,mid\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


def test_the_version_is_that_of_the_package(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sklearn-ordinal {__version__}\n"


@pytest.mark.parametrize(
    "command",
    [[], ["report"], ["check"], ["compare"], ["agreement"], ["judge"], ["metrics"], ["demo"]],
)
def test_help_fits_80_columns_and_commands_have_an_example(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command, "--help"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    if command:
        assert re.search(rf"^examples?:\n  sklearn-ordinal {command[0]}\b", text, flags=re.M)
    else:
        names = re.findall(r"^    (\w+)", text.partition("  COMMAND\n")[2], flags=re.M)
        assert re.findall(r"^  sklearn-ordinal (\w+)", text, flags=re.M) == names


def test_an_error_is_one_line_and_exit_code_2(file, capsys):
    assert main(["report", file, "--true", "grade"]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err == (
        "sklearn-ordinal: error: the following arguments are required: --pred; see "
        "sklearn-ordinal report --help.\n"
    )


OPTIONS = ("--true=grade", "--pred=predicted", "--labels=low,mid,high")


@pytest.fixture
def report():
    y_true, y_pred = ["low", "mid", "high", "low"], ["low", "high", "high", "mid"]
    labels = ["low", "mid", "high"]
    return OrdinalReport.from_predictions(y_true, y_pred, labels=labels, zero_division=0.0)


def written(capsys, *arguments):
    assert main(["report", *arguments, *OPTIONS]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    return printed.out


def test_text_is_that_of_the_report_with_a_hint_for_the_command_line(file, report, capsys):
    hint = 'Pass intervals=True to see intervals, and metrics="all" to see every criterion.'
    assert hint in str(report)
    expected = str(report).replace(
        hint, "--intervals adds intervals. --metrics all shows every criterion."
    )
    expected = expected.replace("see OrdinalReport.to_markdown()", "see --format markdown")
    assert written(capsys, file) == expected


def test_json_has_the_numbers_of_the_report(file, report, capsys):
    content = json.loads(written(capsys, file, "--format=json"))
    assert content["result"] == json.loads(json.dumps(report.to_dict()))
    assert content["fields"].keys() == json.loads(report.to_json())["fields"].keys()


def test_csv_has_the_rows_of_the_frame(file, report, capsys):
    rows = list(csv.DictReader(io.StringIO(written(capsys, file, "--format=csv"))))
    frame = report.to_frame()
    assert list(rows[0]) == list(frame.columns)
    assert len(rows) == len(frame)


@pytest.mark.parametrize(
    ("name", "render"),
    [
        ("a.md", OrdinalReport.to_markdown),
        ("a.tex", OrdinalReport.to_latex),
        ("a.JSON", None),
        ("a.out", OrdinalReport.to_text),
    ],
)
def test_the_suffix_of_the_file_is_the_format(name, render, file, report, tmp_path, capsys):
    path = tmp_path / name
    assert written(capsys, file, "--output", str(path)) == ""
    text = path.read_text(encoding="utf-8")
    if render is None:
        assert json.loads(text)["type"] == "OrdinalReport"
    else:
        assert text.splitlines()[:9] == render(report).splitlines()[:9]
    written(capsys, file, "--output", str(path), "--format=csv")
    assert path.read_text(encoding="utf-8") == written(capsys, file, "--format=csv")


def test_a_page_of_html_is_that_of_the_report(file, tmp_path, capsys, monkeypatch):
    # Without the plots, which take long.
    monkeypatch.setattr(html_pages, "as_page", lambda document: document.verdict[0].text)
    written(capsys, file, "--output", str(tmp_path / "a.html"))
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("cem_ord is ")


@pytest.mark.parametrize(
    ("options", "title", "evaluated"),
    [
        (
            [],
            "Ordinal report: {0} (grade, predicted)",
            "Evaluated: {0}, with the columns grade (true classes), predicted (predicted classes).",
        ),
        (
            ["--by=country", "--by=sex", "--weight=w"],
            "Groups: {0} (grade, predicted, country, sex, w)",
            "Evaluated: {0}, with the columns grade (true classes), predicted (predicted classes), "
            "country (groups), sex (groups), w (weights).",
        ),
        (
            ["{0}", "--id=id", "--clusters=sex"],
            "Ordinal report: {0} (grade, predicted, sex, id)",
            "Evaluated: {0}, with the columns grade (true classes), predicted (predicted "
            "classes), sex (clusters), id (ids).",
        ),
    ],
)
def test_a_page_of_html_says_which_files_and_columns_were_evaluated(
    options, title, evaluated, tmp_path, capsys, monkeypatch
):
    path = tmp_path / "a.csv"
    grades = ["low", "mid", "high"]
    rows = [f"{i},{grades[i % 3]},{grades[i % 4 % 3]},{i // 24},{i % 2},1" for i in range(48)]
    path.write_text("\n".join(["id,grade,predicted,country,sex,w", *rows]), encoding="utf-8")
    pages = []
    monkeypatch.setattr(html_pages, "as_page", lambda document: pages.append(document) or "")
    arguments = [*(option.format(path) for option in options), "--metrics=accuracy"]
    written(capsys, str(path), *arguments, "--format=html")
    assert pages[0].title == title.format(path)
    assert pages[0].about[-1].text == evaluated.format(path)
    # Text is short, and whoever reads it has called the command.
    assert str(path) not in written(capsys, str(path), *arguments)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_is_never_replaced_as_a_file(name, file, capsys):
    assert written(capsys, file, "--output", name) == written(capsys, file)


def test_a_character_that_standard_output_does_not_have_is_named(tmp_path, capsys, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("t,p\nhöh,höh\nmid,mid\n", encoding="utf-8")
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(["report", str(path), "--true=t", "--pred=p", "--labels=höh,mid"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("sklearn-ordinal: error: standard output is ascii, which does not have")
    stdout.flush()
    assert stdout.buffer.getvalue() == b""


def test_closed_streams_are_no_error(file, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["report", file, *OPTIONS]) == 0


@only_on_posix
def test_a_file_is_replaced_as_a_whole_or_not_at_all(file, tmp_path, capsys):
    path = tmp_path / "report.md"
    path.write_text("before", encoding="utf-8")
    assert main(["report", file, "--true=grade", "--pred=id", "--output", str(path)]) == 2
    capsys.readouterr()
    assert path.read_text(encoding="utf-8") == "before"
    path.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP)
    written(capsys, file, "--output", str(path))
    assert path.read_text(encoding="utf-8") == written(capsys, file, "--format=markdown")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(found.name for found in tmp_path.iterdir()) == ["report.md", "results.csv"]


@only_on_posix
def test_a_file_is_never_readable_by_more_than_its_target(file, tmp_path, capsys, monkeypatch):
    path = tmp_path / "report.md"
    path.touch()
    path.chmod(0o600)
    modes = []
    replace = os.replace

    def record(source, target):
        modes.append(stat.S_IMODE(os.stat(source).st_mode))
        replace(source, target)

    opened = os.open

    def record_open(name, flags, mode=0o777, **options):
        descriptor = opened(name, flags, mode, **options)
        if str(name).endswith(".tmp"):
            modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    monkeypatch.setattr(os, "replace", record)
    monkeypatch.setattr(os, "open", record_open)
    written(capsys, file, "--output", str(path))
    assert modes == [0o600, 0o600]


@only_on_posix
def test_sigterm_leaves_no_file_behind_and_is_exit_code_143(file, tmp_path):
    code = (
        "import os, signal, sys\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
        "from sklearn_ordinal._command_line.program import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    output = tmp_path / "results" / "report.md"
    output.parent.mkdir()
    command = [sys.executable, "-c", code, "report", file, *OPTIONS, "--output", str(output)]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, b"", b"")
    assert list(output.parent.iterdir()) == []


def test_handlers_of_signals_are_as_before(file, capsys):
    before = signal.getsignal(signal.SIGTERM)
    written(capsys, file)
    assert signal.getsignal(signal.SIGTERM) is before


def test_formulas_stay_as_they_are_in_csv(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("t,p\n=1+1,=1+1\n-2,-2\n", encoding="utf-8")
    assert (
        main(["report", str(path), "--true=t", "--pred=p", "--labels==1+1,-2", "--format=csv"]) == 0
    )
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {"=1+1", "-2"} <= {row["class"] for row in rows}


@pytest.mark.parametrize("command", [["report", "", *OPTIONS], ["compare", "", "a", "b"]])
def test_an_empty_name_of_a_file_is_named(command, capsys):
    assert main(command) == 2
    assert "the name of a file is empty" in capsys.readouterr().err


def test_the_output_is_checked_before_the_work(file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sklearn_ordinal._command_line.data_files.open_file", None)
    path = str(tmp_path / "no" / "report.html")
    assert main(["report", file, *OPTIONS, "--output", path]) == 2
    assert "cannot write to" in capsys.readouterr().err


def test_warnings_are_one_line_and_without_advice_for_python(file, capsys):
    assert (
        main(["report", file, "--true=grade", "--pred=predicted", "--labels=low,mid,high,top"]) == 0
    )
    assert capsys.readouterr().err == (
        "sklearn-ordinal: warning: Undefined for these data: precision of top (set to 0.0); "
        "recall of top (set to 0.0).\n"
    )


def test_a_warning_is_shown_once_and_not_those_for_developers(capsys, monkeypatch):
    def run(_):
        for _ in range(2):
            warnings.warn("Two\n  lines.", UserWarning, stacklevel=1)

    monkeypatch.setattr(program, "_parser", lambda: _Stub(run))
    assert main(["report"]) == 0
    assert capsys.readouterr().err == "sklearn-ordinal: warning: Two lines.\n"


class _Stub:
    """A parser whose command is a function."""

    def __init__(self, run):
        self.run = run

    def parse_known_args(self, _):
        return self, []


def test_an_interrupt_is_quiet_and_exit_code_130(capsys, monkeypatch):
    def run(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_parser", lambda: _Stub(run))
    assert main(["report"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_full_device_is_named(file, capsys):
    if not os.path.exists("/dev/full"):
        pytest.skip("/dev/full is a device of Linux")
    assert main(["report", file, *OPTIONS, "--output=/dev/full"]) == 2
    error = "sklearn-ordinal: error: /dev/full: No space left on device\n"
    assert capsys.readouterr().err == error


def test_an_error_of_the_system_names_the_file(capsys, monkeypatch):
    def run(_):
        with open("nowhere/file", encoding="utf-8"):
            """Not reached."""

    monkeypatch.setattr(program, "_parser", lambda: _Stub(run))
    assert main(["report"]) == 2
    error = "sklearn-ordinal: error: nowhere/file: No such file or directory\n"
    assert capsys.readouterr().err == error


@only_on_posix
def test_a_closed_pipe_is_quiet(file):
    command = [sys.executable, "-W", "error", "-m", "sklearn_ordinal", "report", file, *OPTIONS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_on_a_terminal_and_gone_at_the_end(file, capsys, monkeypatch):
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    written_without = written(capsys, file)
    assert terminal.getvalue() == ""
    monkeypatch.setattr(data_files, "_SECONDS_BEFORE", 0.0)
    assert written(capsys, file) == written_without
    *_, shown, gone, rest = terminal.getvalue().split("\r")
    assert shown == "4 rows read"
    assert gone == " " * len(shown)
    assert rest == ""
