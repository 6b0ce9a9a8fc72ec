"""Messages in the sources: one line each, with what to do."""

import re
from pathlib import Path

from tests.messages import PACKAGE, Message, messages


def test_each_message_is_one_line_with_a_way_out():
    found = list(messages())
    assert len(found) > 400
    assert [message for message in found if message.problems] == []


def test_problems_are_found():
    def problems(text, kind="ValueError"):
        return Message(Path("module.py"), 1, kind, text).problems

    assert problems("There are no samples.") == ("no way out",)
    assert problems("There are no samples: pass at least two.") == ()
    assert problems("There are no\nsamples: pass two.") == ("more than one line",)
    assert problems("{error}") == ()


def test_each_error_that_the_sources_raise_is_listed():
    sources = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    n_raised = sum(len(re.findall(r"(?:raise|return) \w*Error\((?!\))", text)) for text in sources)
    n_listed = len({(m.path, m.line) for m in messages() if m.kind.endswith("Error")})
    assert n_listed >= n_raised > 400
