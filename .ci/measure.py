"""Measure the structure of the package in a checkout.

python .ci/measure.py            this checkout
python .ci/measure.py PATH       another checkout, for example of an older commit
python .ci/measure.py --list     also names what was counted, with its place

These figures describe a redesign before and after. They are reported, not aimed at, and no check
depends on them: a figure that falls because lines become denser or behaviour is lost is no
improvement.

Rules. Public names and the files entered are found by running the package, all other figures by
reading the syntax of sklearn_ordinal/**/*.py.

lines of code
    Lines with at least one token of a statement. Blank lines, comments, and strings that are
    statements of their own (docstrings) do not count. A statement of three lines counts as three.
lines that ask for the kind
    Lines that choose by the kind of evidence: a comparison (==, !=, in, not in, is, is not), or a
    case of a match, with a word of KIND_WORDS or a name of KIND_NAMES; a table by kind (a literal
    dictionary with at least two of these as keys, counted once); an attribute `is_<word>`, which is
    the same switch by another name; and isinstance or issubclass with a class of KIND_CLASSES, or
    with a variable of the package that holds several of them. The last are also given on their own,
    since the class of what a user passed must be asked somewhere.
bases with one child
    Classes of the package with exactly one direct subclass in the package. Protocols do not count.
modules with "unanswered", modules with "prevalence"
    Modules whose code, without docstrings and comments, contains the word.
private functions with one caller
    Functions and methods whose name starts with one underscore, and that the package mentions once
    outside their own body: by that name in the same module, as an attribute anywhere, or in an
    import. Their share is of all functions and methods, functions within functions left out.
functions with _of_
    Functions and methods, also within functions, with `_of_` in their name.
pronoun variables
    Assigned names (assignments, loops, with, comprehensions, :=; not parameters) that are a word of
    PRONOUNS, also after underscores. Their share is of all assigned names.
module names in several packages
    Names of modules, without `__init__` and `__main__`, that occur in at least two folders.
public names
    Different names in `__all__` of the package and of its public packages, read after an import.
files entered
    Files of the package in which a call enters a function, in a new process, after everything was
    imported and the same call was made once: `cem_ord_score` of two lists of integers, the text of
    `ordinal_report` of the same lists, and the HTML of `compare_estimators` of two classifiers in
    five folds. Bodies of modules and classes do not count.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

KIND_WORDS = {"labels", "rows", "probabilities", "scores", "estimator"}
KIND_NAMES = {word.upper() for word in KIND_WORDS} | {"RATINGS"}
KIND_CLASSES = {
    "OrdinalConfusion",
    "OrdinalForecasts",
    "OrdinalScores",
    "OrdinalRatings",
    "RowMetric",
    "EstimatorMetric",
    "WrappedMetric",
}
PRONOUNS_AND_DETERMINERS = """
    all any both each either every it its itself neither none one ones other others own same some
    such that them these they this those what which who whole whom whose
"""
PARTICIPLES = """
    asked called chosen drawn found given got held kept known listed made meant named passed put
    read said seen shown taken told used wanted
"""
PRONOUNS = {*PRONOUNS_AND_DETERMINERS.split(), *PARTICIPLES.split()}

CALLS = {
    "cem_ord_score": """
from sklearn_ordinal.metrics import cem_ord_score
y_true, y_pred = [0, 1, 2, 2, 1, 0], [0, 2, 2, 1, 1, 0]
call = lambda: cem_ord_score(y_true, y_pred)
""",
    "ordinal_report to text": """
from sklearn_ordinal.reports import ordinal_report
y_true, y_pred = [0, 1, 2, 2, 1, 0], [0, 2, 2, 1, 1, 0]
call = lambda: str(ordinal_report(y_true, y_pred))
""",
    "compare_estimators to HTML": """
import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
try:
    from sklearn_ordinal.reports import compare_estimators
except ImportError:
    from sklearn_ordinal.reports import compare_estimators
generator = np.random.default_rng(0)
X = generator.normal(size=(100, 2))
y = np.digitize(X[:, 0] + generator.normal(size=100), [-1, 1])
estimators = {"linear": LogisticRegression(), "prior": DummyClassifier()}
call = lambda: compare_estimators(estimators, X, y, cv=5).to_html()
""",
}

IMPORT = """
import importlib, inspect, json, pathlib, sys, warnings
warnings.simplefilter("ignore")
package = pathlib.Path(sys.argv[1], "sklearn_ordinal").resolve()
folders = [path.parent.name for path in package.glob("*/__init__.py")]
names = ["sklearn_ordinal." + folder for folder in folders if not folder.startswith("_")]
imported = list(map(importlib.import_module, ["sklearn_ordinal", *names]))
assert pathlib.Path(imported[0].__file__).is_relative_to(package)
"""

PUBLIC_NAMES = """
print(json.dumps(sorted({name for module in imported for name in module.__all__})))
"""

TRACE = """
call()
files = set()
def profile(frame, event, _):
    if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        files.add(frame.f_code.co_filename)
sys.setprofile(profile)
call()
sys.setprofile(None)
inside = [file for file in files if pathlib.Path(file).is_relative_to(package)]
print(json.dumps(sorted(pathlib.Path(file).relative_to(package).as_posix() for file in inside)))
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A module of the package: its place, its tree, and its lines of code by number."""

    path: str
    tree: ast.Module
    code: dict[int, str]

    def place(self, node: ast.AST) -> str:
        """Return the file and line of a node."""
        return f"{self.path}:{node.lineno}"  # type: ignore[attr-defined]


def modules(package: Path) -> list[Module]:
    """Read all modules of the package."""
    read = []
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        read.append(Module(path.relative_to(package).as_posix(), tree, lines_of_code(path, tree)))
    return read


def lines_of_code(path: Path, tree: ast.Module) -> dict[int, str]:
    """Return the text of the code of each line that has some."""
    in_docstrings = {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for number in range(node.lineno, node.end_lineno + 1)
    }
    skipped = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
    code: dict[int, str] = defaultdict(str)
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in skipped and token.start[0] not in in_docstrings:
                for number, text in enumerate(token.string.split("\n"), token.start[0]):
                    code[number] += text + " "
    return code


def asks_for_kind(node: ast.AST, tables: set[str]) -> bool:
    """Whether a node chooses by the kind of evidence."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        return any(map(is_kind, operands))
    if isinstance(node, ast.match_case):
        return any(is_kind(part) for part in ast.walk(node.pattern))
    if isinstance(node, ast.Dict):
        return sum(key is not None and is_kind(key) for key in node.keys) > 1
    if isinstance(node, ast.Attribute):
        return node.attr.removeprefix("is_") in KIND_WORDS and node.attr.startswith("is_")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
        classes = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
        is_check = node.func.id in ("isinstance", "issubclass")
        return is_check and bool(classes & (KIND_CLASSES | tables))
    return False


def is_kind(node: ast.AST) -> bool:
    """Whether an expression is a word or an object of a kind, or a tuple, list or set with one."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_kind, node.elts))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value in KIND_WORDS
    if isinstance(node, ast.Name):
        return node.id in KIND_NAMES
    return isinstance(node, ast.Attribute) and node.attr in KIND_NAMES


def class_tables(read: list[Module]) -> set[str]:
    """Return the variables of modules that hold several classes of kinds, for isinstance."""
    names = set()
    for module in read:
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.BinOp):
                classes = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
                if len(classes & KIND_CLASSES) > 1:
                    names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def lines_that_ask(read: list[Module]) -> list[str]:
    """Return the places of the lines that ask for the kind."""
    tables = class_tables(read)
    places = {}
    for module in read:
        for node in ast.walk(module.tree):
            if asks_for_kind(node, tables):
                at = node.pattern if isinstance(node, ast.match_case) else node
                places[module.place(at)] = module.code[at.lineno].strip()  # type: ignore[attr-defined]
    return [f"{place}  {text}" for place, text in places.items()]


def bases_with_one_child(read: list[Module]) -> list[str]:
    """Return each class that exactly one other class of the package extends."""
    places, children = {}, defaultdict(set)
    for module in read:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                bases = {last_name(base) for base in node.bases}
                if "Protocol" not in bases:
                    places[node.name] = module.place(node)
                for base in bases:
                    children[base].add(node.name)
    return [
        f"{places[base]}  {base} of {child}"
        for base, (child, *rest) in children.items()
        if base in places and not rest
    ]


def last_name(node: ast.AST) -> str:
    """Return the name of a base: `Base` for `Base`, `module.Base` and `Base[float]`."""
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def modules_with(word: str, read: list[Module]) -> list[str]:
    """Return the modules whose code contains a word."""
    return [m.path for m in read if any(word in text for text in m.code.values())]


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield functions and methods, without functions within functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node
        else:
            yield from functions(node)


def mentions(tree: ast.AST) -> Counter[str]:
    """Count names that are read, attributes, and names that are imported."""
    counts: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            counts[node.id] += 1
        elif isinstance(node, ast.Attribute):
            counts["." + node.attr] += 1
        elif isinstance(node, ast.ImportFrom):
            counts.update("import " + alias.name for alias in node.names)
    return counts


def private_with_one_caller(read: list[Module]) -> list[str]:
    """Return the private functions and methods that the package mentions once."""
    by_module = {module.path: mentions(module.tree) for module in read}
    everywhere = sum(by_module.values(), Counter())
    places = []
    for module in read:
        for function in functions(module.tree):
            name = function.name
            if not name.startswith("_") or name.startswith("__"):
                continue
            inside = mentions(function)
            count = by_module[module.path][name] - inside[name]
            count += everywhere["." + name] - inside["." + name] + everywhere["import " + name]
            if count == 1:
                places.append(f"{module.place(function)}  {name}")
    return places


def functions_with_of(read: list[Module]) -> list[str]:
    """Return the functions with `_of_` in their name."""
    return [
        f"{module.place(node)}  {node.name}"
        for module in read
        for node in ast.walk(module.tree)
        if isinstance(node, Function) and "_of_" in node.name
    ]


def assigned_names(read: list[Module]) -> list[tuple[str, str]]:
    """Return each assigned name with its place."""
    return [
        (node.id, module.place(node))
        for module in read
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def names_in_several_packages(read: list[Module]) -> list[str]:
    """Return the module names that occur in at least two folders, with the folders."""
    folders = defaultdict(list)
    for module in read:
        folder, _, file = module.path.rpartition("/")
        if file not in ("__init__.py", "__main__.py"):
            folders[file].append(folder or ".")
    return [f"{file}  {', '.join(at)}" for file, at in sorted(folders.items()) if len(at) > 1]


def printed(checkout: Path, code: str) -> list[str]:
    """Return the list that code prints in a new process, after it imported the package."""
    run = subprocess.run(
        [sys.executable, "-c", IMPORT + code, str(checkout)],
        env=os.environ | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        sys.exit(f"This code failed in {checkout}:\n{code}\n{run.stderr}")
    return json.loads(run.stdout)


def measure(checkout: Path) -> dict[str, tuple[str, list[str]]]:
    """Return the figures by their names: what is printed, and what was counted."""
    read = modules(checkout / "sklearn_ordinal")
    by_package: Counter[str] = Counter()
    for module in read:
        package, slash, _ = module.path.partition("/")
        by_package[package if slash else "(top)"] += len(module.code)
    n_functions = sum(1 for module in read for _ in functions(module.tree))
    private = private_with_one_caller(read)
    assigned = assigned_names(read)
    pronouns = [f"{place}  {name}" for name, place in assigned if name.lstrip("_") in PRONOUNS]
    figures: dict[str, tuple[str, list[str]]] = {
        "lines of code": (f"{by_package.total():,}", []),
        **{f"    {name}": (f"{count:,}", []) for name, count in sorted(by_package.items())},
        "modules": (str(len(read)), []),
    }
    asking = lines_that_ask(read)
    counted = {
        "lines that ask for the kind": asking,
        "bases with one child": bases_with_one_child(read),
        'modules with "unanswered"': modules_with("unanswered", read),
        'modules with "prevalence"': modules_with("prevalence", read),
        "private functions with one caller": private,
        "functions with _of_": functions_with_of(read),
        "pronoun variables": pronouns,
        "module names in several packages": names_in_several_packages(read),
        "public names": printed(checkout, PUBLIC_NAMES),
        **{f"files entered: {name}": printed(checkout, CALLS[name] + TRACE) for name in CALLS},
    }
    by_class = sum("isinstance (" in line or "issubclass (" in line for line in asking)
    shares = {
        "lines that ask for the kind": f"{by_class} by class",
        "private functions with one caller": f"{len(private) / n_functions:.1%} of {n_functions:,}",
        "pronoun variables": f"{len(pronouns) / len(assigned):.1%} of {len(assigned):,}",
    }
    for name, items in counted.items():
        share = f" ({shares[name]})" if name in shares else ""
        figures[name] = (f"{len(items)}{share}", items)
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the structure of the package.")
    here = Path(__file__).parent.parent
    parser.add_argument("checkout", nargs="?", type=Path, default=here, metavar="PATH")
    parser.add_argument("--list", action="store_true", help="name what was counted")
    arguments = parser.parse_args()
    for name, (figure, items) in measure(arguments.checkout.resolve()).items():
        print(f"{name:44}{figure}")
        if arguments.list:
            print(*(f"        {item}" for item in items), sep="\n", end="\n" if items else "")


if __name__ == "__main__":
    main()
