"""The commands in the tutorial on shared tasks print what the tutorial shows."""

import doctest
import re
import shlex
from pathlib import Path

from sklearn_ordinal._command_line import main

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "shared_task.rst"


def table_rows(text, start, end):
    """Return the lines of the first table between two lines, without indentation."""
    between = text.split(start, maxsplit=1)[1].split(end, maxsplit=1)[0]
    return [line.strip() for line in between.strip().splitlines()]


def test_the_commands_print_the_tables_of_the_page(monkeypatch, capsys):
    page = PAGE.read_text(encoding="utf-8")
    files, rest = page.split("Before the systems arrive")
    namespace = {}
    for example in doctest.DocTestParser().get_examples(files):
        exec(example.source, namespace)
    monkeypatch.chdir(namespace["folder"])
    found = re.findall(r"^   \$ sklearn-ordinal ((?:.*\\\n)*.*)", page, flags=re.M)
    to_text, to_latex = (shlex.split(command.replace("\\\n", " ")) for command in found)

    assert main(to_text) == 0
    of_text = ("Systems by cem_ord, best first", "baseline  ")
    assert table_rows(capsys.readouterr().out, *of_text) == table_rows(rest, *of_text)

    assert main(to_latex) == 0
    of_latex = (r"\toprule", r"\bottomrule")
    written = Path("ranking.tex").read_text(encoding="utf-8")
    assert table_rows(written, *of_latex) == table_rows(rest, *of_latex)
    monkeypatch.undo()
    namespace["temporary"].cleanup()
