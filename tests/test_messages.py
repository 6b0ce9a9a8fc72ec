"""Messages in the sources: one line each, with what to do."""

import re
from pathlib import Path

import pytest

from tests.messages import PACKAGE, Message, messages


@pytest.fixture(scope="module")
def listed():
    return list(messages())


def test_each_message_is_one_line_with_a_way_out(listed):
    assert len(listed) > 400
    assert [message for message in listed if message.problems] == []


def test_problems_are_found():
    def problems(text, kind="ValueError"):
        return Message(Path("module.py"), 1, kind, text).problems

    assert problems("samples are missing.") == ("no way out",)
    assert problems("samples are missing: pass at least two.") == ()
    assert problems("samples are\nmissing: pass two.") == ("more than one line",)
    assert problems("{error}") == ()
    assert problems("The names differ: pass others.") == ("a capital",)
    assert problems("names differ. Pass others.") == ("two sentences",)
    assert problems("names must differ, got {names}; pass others.") == (
        "a way out after a semicolon",
    )


def test_each_error_that_the_sources_raise_is_listed(listed):
    sources = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    n_raised = sum(len(re.findall(r"(?:raise|return) \w*Error\((?!\))", text)) for text in sources)
    n_listed = len({(m.path, m.line) for m in listed if m.kind.endswith("Error")})
    assert n_listed >= n_raised > 400
