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
    assert len(examples()) == 2
    for code, expected in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue().strip() == expected.strip()


def test_the_readme_shows_the_three_commands():
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"```\n(python -m pip .*?)\n```", text)
    wanted = ("python -m sklearn_ordinal", "python -m pytest", "sphinx-build -W --keep-going docs")
    # .ci/run takes the first two by their number.
    for command, what in zip(commands, wanted, strict=True):
        assert f" && {what}" in command


def test_it_is_short_and_the_first_screen_shows_a_report():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120
    first_screen = lines[:45]
    assert "Classes, from the lowest to the highest" in first_screen
    assert any(line.startswith("kendall_tau_b ") for line in first_screen)


def test_the_readme_and_the_site_say_how_to_cite():
    front_page = README.parent / "docs" / "index.rst"
    for page in (README, front_page):
        text = page.read_text(encoding="utf-8")
        assert re.search(
            r'Cite the package as "The sklearn_ordinal developers, .* with its version', text
        )
    assert "10.18653/v1/2020.acl-main.363" in README.read_text(encoding="utf-8")
    assert "[Amigo2020]_" in front_page.read_text(encoding="utf-8")
