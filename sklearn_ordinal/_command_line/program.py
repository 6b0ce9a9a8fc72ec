"""The program ``sklearn-ordinal``: its commands, and how it shows errors and warnings."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from sklearn_ordinal import _version
from sklearn_ordinal._command_line import (
    agreement_command,
    check_command,
    compare_command,
    demo_command,
    judge_command,
    metrics_command,
    report_command,
)

_PROGRAM = "sklearn-ordinal"
_COMMANDS = (
    report_command,
    check_command,
    compare_command,
    agreement_command,
    judge_command,
    metrics_command,
    demo_command,
)
_DESCRIPTION = """\
Evaluate ordinal classifiers: classes with an order, such as grades or stages.

Without a command, the demonstration runs. "sklearn-ordinal COMMAND --help"
describes a command."""
_EXAMPLES = """\
examples:
  sklearn-ordinal report results.csv --true grade --pred predicted
  sklearn-ordinal check this.json --against last.json --metric cem_ord
  sklearn-ordinal compare gold.csv systems/ --labels low,mid,high
  sklearn-ordinal agreement grades.csv --item essay --rater teacher --grade mark
  sklearn-ordinal judge grades.csv judge.csv --labels low,mid,high
  sklearn-ordinal metrics cem_ord
  sklearn-ordinal demo"""
_INTERRUPTED, _TERMINATED = 130, 143


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    It is 0, or what the command returns, 2 after an error, and 130 or 143 if the program is ended.
    """
    arguments, exit_code = list(sys.argv[1:] if arguments is None else arguments), 0
    if not arguments or _is_demo_option(arguments[0]):
        arguments = ["demo", *arguments]
    try:
        with _cleaned_up_after_sigterm(), _warnings_in_one_line():
            options, unknown = _parser().parse_known_args(arguments)
            if unknown:
                raise ValueError(
                    f"unrecognized arguments: {' '.join(unknown)}; see {_PROGRAM} {arguments[0]} "
                    f"--help."
                )
            exit_code = int(options.run(options) or 0)
            if sys.stdout is not None:
                sys.stdout.flush()
    except SystemExit as stop:  # of --help, --version and SIGTERM
        return int(stop.code or 0)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe, so nothing may be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, ImportError) as error:
        _say("error", _message_of(error))
        return 2
    return exit_code


def _is_demo_option(argument: str) -> bool:
    return argument.startswith("-") and argument not in {"-h", "--help", "--version"}


class _Once(argparse.Action):
    """Store a value, unless the option was given before: the first value would be lost."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        given = vars(namespace).setdefault("given", set())
        if option_string is not None and self.dest in given:
            parser.error(f"argument {option_string}: is given more than once: give it once")
        given.add(self.dest)
        setattr(namespace, self.dest, values if self.nargs != 0 else True)


class _FlagOnce(_Once):
    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, default=False, **options)


class _Extend(argparse.Action):
    """Add names to those that were given before, each of them once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        names = [*(getattr(namespace, self.dest) or []), *values]
        if len(set(names)) < len(names):
            text = ",".join(names)
            parser.error(f"argument {option_string}: expected each name once, got {text!r}")
        setattr(namespace, self.dest, names)


class _Parser(argparse.ArgumentParser):
    """A parser that prints errors on one line and keeps the line breaks of help texts.

    Options are given once, but for those with the action "extend".
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **options,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.register("action", None, _Once)
        self.register("action", "extend", _Extend)
        self.register("action", "store_true", _FlagOnce)

    def error(self, message: str) -> NoReturn:
        if message == "argument --labels: expected one argument":
            message += "; if the lowest class begins with a hyphen, write --labels=-1,0,1"
        raise ValueError(f"{message}; see {self.prog} --help.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=_PROGRAM, description=_DESCRIPTION, epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"{_PROGRAM} {_version.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_command(commands)
    return parser


def _message_of(error: Exception) -> str:
    """Return the message of an error on one line."""
    if isinstance(error, OSError):
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror or error}"
    if isinstance(error, UnicodeEncodeError):
        return (
            f"standard output is {error.encoding}, which does not have "
            f"{error.object[error.start]!r}: set PYTHONIOENCODING=utf-8, or write to a file."
        )
    return str(error)


@contextmanager
def _cleaned_up_after_sigterm() -> Iterator[None]:
    """Raise SystemExit at SIGTERM, so that incomplete files are removed."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may set handlers.
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise SystemExit(_TERMINATED)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        # None means that the handler was not set in Python, so Python cannot restore it.
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Show each warning for users once, on one line and without the line of source code."""
    texts: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        text = str(getattr(message, "finding", message))
        if text not in texts:
            texts.add(text)
            _say("warning", text)

    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=UserWarning)
        warnings.showwarning = show
        yield


def _say(kind: str, message: str) -> None:
    print(f"{_PROGRAM}: {kind}: {' '.join(message.split())}", file=sys.stderr)
