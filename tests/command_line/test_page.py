"""The chapters on the command line show what the commands print."""

import contextlib
import doctest
import io
import re
import shlex
import textwrap
from pathlib import Path

import pytest

from sklearn_ordinal._command_line.program import main

ROOT = Path(__file__).parents[2]
NAMES = ("guide/command_line", "reference/command_line_files", "guide/change")
PAGES = [ROOT / "docs" / f"{name}.rst" for name in NAMES]
BLOCK = re.compile(
    r"^\.\. code-block:: (\w+)\n(?:   :caption: (.*)\n)?\n((?:   .*\n|\n)+)", flags=re.M
)


def blocks():
    """Return language, caption and content of each block of code on the pages."""
    found = [block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    return [(kind, caption, textwrap.dedent(text).strip("\n")) for kind, caption, text in found]


def commands(text):
    """Yield each command of a block with what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, printed = re.fullmatch(r"((?:.*\\\n)*.*)\n?((?s:.*))", part).groups()
        yield shlex.split(command.replace("\\\n", " ")), printed.strip("\n")


def run(command, code=0):
    """Return the exit code of a command, and what it prints on both streams."""
    if command == ["echo", "$?"]:
        return 0, str(code)
    if command[:2] == ["head", "-n"]:
        lines = Path(command[3]).read_text(encoding="utf-8").splitlines()
        return 0, "\n".join(lines[: int(command[2])])
    program, *arguments = command
    assert program == "sklearn-ordinal"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = main(arguments)
    return code, printed.getvalue()


@pytest.mark.filterwarnings("ignore")
def test_each_command_prints_what_the_pages_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, n_commands = 0, 0
    for kind, caption, text in blocks():
        if kind == "python":
            exec(text, {})
        elif caption:
            Path(caption).write_text(f"{text}\n", encoding="utf-8")
        else:
            for command, shown in commands(text):
                code, printed = run(command, code)
                is_same = doctest.OutputChecker().check_output(
                    f"{shown}\n", f"{printed.strip()}\n", doctest.ELLIPSIS
                )
                assert is_same, f"{shlex.join(command)} prints\n{printed}"
                n_commands += 1
    assert n_commands > 10
    assert Path("ranking.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.filterwarnings("ignore")
def test_the_commands_of_the_readme_run_on_the_files_of_the_pages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(next(text for kind, _, text in blocks() if kind == "python"), {})
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^sklearn-ordinal .*", readme, flags=re.M)
    assert [command.split()[1] for command in found] == ["report", "compare"]
    for command in found:
        # Plots take a while, and the pages have them.
        assert run(shlex.split(command.replace(" --output ranking.html", "")))[0] == 0
