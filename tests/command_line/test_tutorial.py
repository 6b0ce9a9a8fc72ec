"""The commands in the tutorials print what the tutorials show."""

import doctest
import re
import shlex
from pathlib import Path

from sklearn_ordinal._command_line.program import main

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"


def table_rows(text, start, end):
    """Return the lines of the first table between two lines, without indentation."""
    between = text.split(start, maxsplit=1)[1].split(end, maxsplit=1)[0]
    return [line.strip() for line in between.strip().splitlines()]


def write_files(text):
    """Run the first block of a page, and return its names."""
    namespace = {}
    for example in doctest.DocTestParser().get_examples(text):
        exec(example.source, namespace)
    return namespace


def commands(page):
    """Return the arguments of each command on a page."""
    matches = re.findall(r"^   \$ sklearn-ordinal ((?:.*\\\n)*.*)", page, flags=re.M)
    return [shlex.split(command.replace("\\\n", " ")) for command in matches]


def test_the_commands_print_the_tables_of_the_page(monkeypatch, capsys):
    page = (TUTORIALS / "shared_task.rst").read_text(encoding="utf-8")
    files, rest = page.split("Before the systems arrive")
    namespace = write_files(files)
    monkeypatch.chdir(namespace["folder"])
    to_text, to_latex, in_forums, *reports = commands(page)

    assert main(to_text) == 0
    of_text = ("Systems by cem_ord (0 to 1, higher is better), best first", "baseline  ")
    assert table_rows(capsys.readouterr().out, *of_text) == table_rows(rest, *of_text)

    assert main(to_latex) == 0
    of_latex = (r"\midrule", r"\bottomrule")
    written = Path("ranking.tex").read_text(encoding="utf-8")
    assert table_rows(written, *of_latex) == table_rows(rest, *of_latex)
    assert Path("problems.csv").read_text(encoding="utf-8") == "file,problem,id,answer\n"

    assert main(in_forums) == 0
    in_text = ("Values of cem_ord in each group", "baseline  ")
    assert table_rows(capsys.readouterr().out, *in_text) == table_rows(rest, *in_text)

    assert len(reports) == 2
    for report in reports:
        assert main(report) == 0
        assert "95% interval" in capsys.readouterr().out
    monkeypatch.undo()
    namespace["temporary"].cleanup()


def test_the_command_prints_the_verdicts_on_judges_of_the_page(monkeypatch, capsys):
    page = (TUTORIALS / "judges.rst").read_text(encoding="utf-8")
    files, rest = page.split("Before the judges grade")
    namespace = write_files(files)
    monkeypatch.chdir(namespace["folder"])
    (command,) = commands(page)
    pattern = command.index("judges/*.csv")
    command[pattern : pattern + 1] = sorted(map(str, Path("judges").glob("*.csv")))

    assert main(command) == 0
    shown = re.search(r"By cem_ord, echo ranks.*?\(highest\)\.\n", rest, flags=re.S)[0]
    verdicts = " ".join(shown.replace("<BLANKLINE>", "").split())
    assert verdicts in " ".join(capsys.readouterr().out.split())
    monkeypatch.undo()
    namespace["temporary"].cleanup()
