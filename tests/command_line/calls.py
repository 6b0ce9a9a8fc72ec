"""Calls of a command, and what it prints."""

import json

from sklearn_ordinal._command_line.program import main


def run(command, capsys, *arguments):
    """Return the result of the command and what it printed on stderr."""
    assert main([command, *arguments, "--format=json"]) == 0
    printed = capsys.readouterr()
    return json.loads(printed.out)["result"], printed.err


def error_of(command, capsys, *arguments):
    """Return the only line that the command prints."""
    assert main([command, *arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    (line,) = printed.err.splitlines()
    return line.removeprefix("sklearn-ordinal: error: ")
