"""List every message that a user can meet: ``python tests/messages.py``.

Messages are read from the sources: the texts of exceptions, warnings and errors of the command
line. What is inserted at run time is shown as an expression in braces. A message that is built by a
function or kept in a name is listed with the text that it has in the same module.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "sklearn_ordinal"
# What to do, what a value must be, or from which names to choose.
_WORDS = """
    add build call check choose close convert correct define drop encode evaluate fit give
    import install keep leave list merge name pass put read remove rename save select see try
    update use write
    expected instead must needs? required requires? should supported
    at.least at.most did.you.mean it.has labels.are options.are parameters.are are.known lists.all
"""
# These texts are inserted, and listed where they are written.
_INSERTED = r"\{(self\.)?(_?way_out|_?WAYS_OUT|what|reason)\}|: ?\{[^{}]*\}$"
WAY_OUT = re.compile(rf"\b({'|'.join(_WORDS.split())})\b|{_INSERTED}", re.IGNORECASE)
# The way out follows a colon, unless there is one before it, such as that of another error.
_LATE_WAY_OUT = re.compile(r"^[^:]*; (?:call|give|leave|make|pass|use) ")


@dataclass(frozen=True)
class Message:
    """A text in the sources, with the kind of exception or warning, such as "ValueError"."""

    path: Path
    line: int
    kind: str
    text: str

    @property
    def problems(self) -> tuple[str, ...]:
        """What a reader would miss; nothing of texts that another message inserts."""
        # Like scikit-learn's, this warning has a line for each fit that failed.
        has_lines = "\n" in self.text and self.kind != "FitFailedWarning"
        outside_braces = re.sub(r"\{.*?\}", "", self.text)
        is_inserted = self.text[:1].islower() and not self.text.endswith(".")
        is_whole = not is_inserted and re.search("[a-z]", outside_braces)
        # A warning may only say what is undefined and why, and scikit-learn words AttributeErrors.
        needs_way_out = self.kind.endswith("Error") and self.kind != "AttributeError"
        has_no_way_out = is_whole and needs_way_out and not WAY_OUT.search(self.text)
        # A message begins with the argument. Names of classes and scikit-learn's words for failed
        # fits have a capital.
        first_word = outside_braces.lstrip().partition(" ")[0]
        is_sentence = re.fullmatch("[A-Z][a-z]+", first_word) and self.kind != "ImportError"
        is_of_fits = first_word in {"All", "No"}
        found = {
            "more than one line": has_lines,
            "no way out": has_no_way_out,
            "a capital": bool(is_sentence) and self.text[:1] != "{" and not is_of_fits,
            "two sentences": bool(re.search(r"[a-z)\]}]\. [A-Z]", outside_braces))
            and not is_of_fits,
            "a way out after a semicolon": bool(_LATE_WAY_OUT.search(outside_braces)),
        }
        return tuple(problem for problem, is_found in found.items() if is_found)


def messages() -> Iterator[Message]:
    """Yield all messages, in the order of the sources."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from _of_module(path)


def _of_module(path: Path) -> Iterator[Message]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = _texts_in_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and (kind := _kind(node)):
            for text in _texts(_message(node), texts):
                yield Message(path, node.lineno, kind, text)


def _kind(call: ast.Call) -> str | None:
    """Return the name of the exception or warning, or None if the call has no message."""
    name = _name(call.func)
    if name.endswith("Error") and name[0].isupper():
        return name
    if name in {"error", "_say"}:
        return "command line"
    if name == "warn":
        return _name(call.args[1]) if len(call.args) > 1 else "UserWarning"
    return None


def _message(call: ast.Call) -> ast.expr:
    # OSError begins with a number, and _say with "error" or "warning".
    return call.args[1 if _name(call.func) in {"OSError", "_say"} else 0]


def _name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _texts_in_names(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Return what is assigned to each name, and what each function returns."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
        if isinstance(node, ast.FunctionDef):
            returned = [
                part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value
            ]
            found.setdefault(f"{node.name}()", []).extend(returned)
    return found


def _texts(node: ast.expr, known: dict[str, list[ast.expr]]) -> list[str]:
    """Return the texts that an expression can have."""
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body, known), *_texts(node.orelse, known)]
    if isinstance(node, ast.Name) and node.id in known:
        without = {name: values for name, values in known.items() if name != node.id}
        return [text for value in known[node.id] for text in _texts(value, without)]
    if isinstance(node, ast.Call) and (name := f"{_name(node.func)}()") in known:
        without = {key: values for key, values in known.items() if key != name}
        return [text for value in known[name] for text in _texts(value, without)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        firsts, seconds = _texts(node.left, known), _texts(node.right, known)
        return [first + second for first in firsts for second in seconds]
    if isinstance(node, ast.JoinedStr):
        return ["".join(_part(part) for part in node.values)]
    return [_part(node)]


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    expression = node.value if isinstance(node, ast.FormattedValue) else node
    return f"{{{ast.unparse(expression)}}}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", action="store_true", help="only those with a problem")
    arguments = parser.parse_args()
    for message in messages():
        if arguments.problems and not message.problems:
            continue
        place = f"{message.path.relative_to(PACKAGE.parent)}:{message.line}"
        problems = f" [{', '.join(message.problems)}]" if message.problems else ""
        print(f"{place}: {message.kind}: {message.text}{problems}")


if __name__ == "__main__":
    main()
