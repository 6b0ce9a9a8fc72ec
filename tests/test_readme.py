"""The examples in the README print what it shows."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def examples():
    pattern = r"```python\n(.*?)```\n\n```text\n(.*?)```"
    return re.findall(pattern, README.read_text(encoding="utf-8"), flags=re.S)


def test_examples_print_what_the_readme_shows():
    namespace = {}
    assert len(examples()) == 4
    for code, expected in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue().strip() == expected.strip()


def test_the_readme_shows_the_two_commands():
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"```\n(python -m pip .*?)\n```", text)
    assert len(commands) == 2
