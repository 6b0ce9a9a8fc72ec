"""Odd commands end with exit code 0, or with 2 and one line; no file is left behind."""

import random
import warnings

import pytest

pl = pytest.importorskip("polars", reason="reads files")

from sklearn_ordinal._command_line.program import main  # noqa: E402

SEED, N_COMMANDS = 0, 400
CLASSES = ("low", "mid", "high")
GOOD = "id,grade,answer,weight,country\n" + "".join(
    f"d{i},{CLASSES[i % 3]},{CLASSES[i * i % 3]},{i + 1},{'ab'[i % 2]}\n" for i in range(12)
)
CONTENTS = {
    "good.csv": GOOD,
    "other.csv": GOOD.replace(",low,mid", ",low,high"),
    "integers.csv": GOOD.replace("low", "1").replace("mid", "2.0").replace("high", "03"),
    "letters.tsv": GOOD.replace(",", "\t"),
    "wrong_suffix.txt": GOOD,
    "semicolons.csv": GOOD.replace(",", ";"),
    "empty.csv": "",
    "header.csv": "id,grade,answer,weight,country\n",
    "blank.csv": "\n\n\n",
    "ragged.csv": GOOD + "d12,low\n",
    "long.csv": GOOD + "d12,low,low,1,a,b,c\n",
    "quote.csv": GOOD + 'd12,"low,low,1,a\n',
    "twice.csv": GOOD + "d0,low,low,1,a\n",
    "columns.csv": GOOD.replace("answer", "grade"),
    "gaps.csv": GOOD + "d12,low,,1,\n,mid,mid,,b\n",
    "typos.csv": GOOD + "d12,low,lwo,1,a\n",
    "weights.csv": GOOD + "d12,low,low,-3,a\nd13,low,low,much,b\n",
    "huge.csv": "id,grade,answer\na,1,99999999999999999999\nb,-5,2\n",
    "single.csv": "id,grade,answer\na,low,low\n",
    "grades.csv": "item,rater,grade,weight\n"
    + "".join(f"i{k // 3},{'abc'[k % 3]},{CLASSES[k * k % 5 % 3]},{k // 3}\n" for k in range(36)),
    "judge.csv": "item,grade\n" + "".join(f"i{k},{CLASSES[k % 3]}\n" for k in range(12)),
    "formula.csv": "id,grade,answer\n=1+1,=cmd,+1\n@a,-1,=cmd\n",
    "lines.jsonl": '{"id": "d0", "grade": "low", "answer": "mid"}\n{"id": "d1", "grade": "mid"}\n',
    "broken.jsonl": '{"id": "d0", "grade"\n',
    "list.jsonl": '["d0", "low"]\n',
    "nested.jsonl": '{"id": "d0", "grade": ["low"], "answer": {"a": 1}}\n',
    "not.parquet": "PAR1 is not enough",
    "ünïcode.csv": GOOD.replace("low", "tief ü").replace("country", "läñd"),
    "name with spaces.csv": GOOD,
    "glob*[a].csv": GOOD,
}
COLUMNS = (
    "id",
    "grade",
    "answer",
    "weight",
    "country",
    "läñd",
    "",
    " ",
    "no",
    "^g.*$",
    "*",
    "-",
    "=1",
)
LABELS = (
    "low,mid,high", "high,mid,low", "low,mid", "low,mid,high,top", "1,2,3", "3,2,1", "low",
    "low,low", "", ",", "a,b", '"low,mid",high', "tief ü,mid,high", "=cmd,-1,+1", "1.0,02,3",
)  # fmt: skip
METRICS = (
    "cem_ord", "accuracy", "all", "cem_ord,accuracy", "quadratic_weighted_kappa", "qwk", "",
    "neg_ordinal_mean_absolute_error", "log_loss", "roc_auc", "expected_cost_loss", "all,cem_ord",
    "ranked_probability_score", "f1", "f1_macro", "r2", "cem_ord,cem_ord", "krippendorff_alpha",
)  # fmt: skip
NUMBERS = ("9", "1", "0", "-1", "1.5", "x", "", "99999999999", "٣", "1e3", "nan")
SHARES = ("0.9", "0.5", "0", "1", "2", "-0.1", "nan", "x", "", "0.9999999999999999")
FORMATS = ("text", "json", "markdown", "latex", "csv", "xml", "")
OUTPUTS = ("out.md", "out.json", "out.tex", "out.csv", "out", "-", "", ".", "no/out.md", "good.csv")
STRAY = (
    "--",
    "-x",
    "--no-option",
    "--labels",
    "--pred",
    "extra",
    "\x00",
    "\n",
    "🎓",
    "-h",
    "--version",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    for name, content in CONTENTS.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "bytes.csv").write_bytes(GOOD.replace("low", "tief ü").encode("latin-1"))
    (folder / "nul.csv").write_bytes(GOOD.encode() + b"\x00\x00,\xff\n")
    (folder / "folder").mkdir()
    for name in ("good.csv", "other.csv"):
        (folder / "folder" / name).write_text(CONTENTS[name], encoding="utf-8")
    (folder / "nothing").mkdir()
    (folder / "unreadable.csv").write_text(GOOD, encoding="utf-8")
    (folder / "unreadable.csv").chmod(0)
    pl.DataFrame({"id": ["a", "b"], "grade": [1, 2], "answer": [[1], [2]]}).write_parquet(
        folder / "lists.parquet"
    )
    return folder


def odd_command(rng, files):
    """Return a command that is valid, nearly valid or nonsense."""

    def one(usual, odd, share=0.25):
        return rng.choice(odd) if rng.random() < share else usual

    def option(name, usual, odd, given=0.5):
        value = one(usual, odd)
        several = [[f"{name}={value}"], [name, value], []]
        return several[0 if rng.random() < 0.7 else 1] if rng.random() < given else several[2]

    any_file = [*files, "folder", "nothing", "no.csv", "", "-", ".", "/dev/null", "~", "\x00.csv"]
    commands = ["report", "report", "compare", "compare", "agreement", "judge", "metrics"]
    command = one(rng.choice(commands), STRAY, 0.02)
    arguments = [command]
    if command == "metrics":
        arguments += one([], [[name] for name in METRICS], 0.7)
        arguments += option("--format", "text", FORMATS)
    elif command == "agreement":
        arguments.append(one("grades.csv", any_file))
        arguments += option("--labels", "low,mid,high", LABELS, 0.9)
        for name in ("item", "rater", "grade"):
            arguments += option(f"--{name}", name, COLUMNS, 0.4)
        arguments += option("--weight", "weight", COLUMNS, 0.3)
        arguments += option("--repeats", "runs", ("raise", "no", ""), 0.4)
        arguments += option("--metrics", "cem_ord,accuracy", METRICS, 0.6)
        arguments += option("--weights", "linear", ("ratio", "cubic", ""), 0.3)
        arguments += option("--level", "interval", ("ratio", ""), 0.3)
        arguments += option("--n-resamples", "9", NUMBERS, 0.3)
        arguments += option("--format", rng.choice(FORMATS[:5]), FORMATS)
        arguments += option("--output", "out.md", OUTPUTS, 0.3)
    elif command == "judge":
        arguments += [one("grades.csv", any_file), one("judge.csv", any_file)]
        arguments += option("--labels", "low,mid,high", LABELS, 0.9)
        for name in ("item", "grade"):
            arguments += option(f"--{name}", name, COLUMNS, 0.2)
        arguments += option("--by", "weight", COLUMNS, 0.3)
        arguments += option("--metrics", "cem_ord,accuracy", METRICS, 0.4)
        arguments += option("--closeness", "accuracy", ("kappa", ""), 0.3)
        arguments += option("--epsilon", "0", NUMBERS, 0.3)
        arguments += option("--alpha", "0.1", NUMBERS, 0.3)
        arguments += option("--format", rng.choice(FORMATS[:5]), FORMATS)
    else:
        arguments.append(one("good.csv", any_file, 0.6))
        arguments += option("--labels", "low,mid,high", LABELS, 0.9)
        arguments += option("--true", "grade", COLUMNS, 0.9)
        arguments += option("--pred", "answer", COLUMNS, 0.9)
        arguments += option("--weight", "weight", COLUMNS, 0.25)
        arguments += option("--unanswered", "count", ("error", "no", ""), 0.4)
        arguments += option("--unknown", "count", ("error", "no", ""), 0.4)
        arguments += option("--metrics", "cem_ord,accuracy", METRICS, 0.6)
        arguments += option("--format", rng.choice(FORMATS[:5]), FORMATS)
        arguments += option("--output", "out.md", OUTPUTS, 0.3)
    if command == "report":
        if rng.random() < 0.4:
            arguments.insert(2, one("other.csv", any_file, 0.6))
            arguments += option("--id", "id", ("id,id", "a,b,c", *COLUMNS), 0.9)
        arguments += option("--by", "country", COLUMNS, 0.25)
        arguments += option("--clusters", "weight", COLUMNS, 0.15)
    elif command == "compare":
        systems = [one("other.csv", any_file, 0.6) for _ in range(rng.randrange(4))]
        arguments[2:2] = one(["integers.csv", "folder"], [systems], 0.6)
        arguments += [f"--n-resamples={one('9', NUMBERS)}"]
        arguments += option("--confidence-level", "0.9", SHARES, 0.3)
        arguments += option("--clusters", "country", COLUMNS, 0.2)
        arguments += option("--problems", "out.csv", OUTPUTS, 0.2)
        arguments += option("--id", "id", ("id,id", "a,b,c", *COLUMNS), 0.3)
    if rng.random() < 0.1:
        arguments.insert(rng.randrange(len(arguments) + 1), rng.choice(STRAY))
    return arguments


def test_odd_commands_end_with_0_or_with_one_line_that_says_what_was_found(
    folder, capsys, monkeypatch
):
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()
              and path.name != "unreadable.csv"}  # fmt: skip
    rng = random.Random(SEED)
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    codes = []
    for _ in range(N_COMMANDS):
        arguments = odd_command(rng, files)
        # No warning of NumPy or pandas passes as one of ours.
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            code = main(arguments)
        printed = capsys.readouterr()
        lines = printed.err.splitlines()
        errors = [line for line in lines if line.startswith("sklearn-ordinal: error: ")]
        others = [line for line in lines if not line.startswith("sklearn-ordinal: ")]
        assert (code, len(errors)) in {(0, 0), (2, 1)}, (arguments, printed.err)
        assert not others, (arguments, printed.err)
        if code == 2:
            assert printed.out == "", arguments
            message = errors[0].removeprefix("sklearn-ordinal: error: ")
            assert message == errors[0][24:].strip(), arguments
            assert len(message) > 15, (arguments, message)
            assert "object at 0x" not in message, (arguments, message)
        codes.append(code)
        left = {path for path in folder.rglob("*") if path.is_file()} - set(before)
        left -= {folder / "unreadable.csv"}
        assert left <= {folder / name for name in OUTPUTS[:5]}, (arguments, left)
        # Only a list of problems is of use after an error.
        lists_problems = any(argument.startswith("--problems") for argument in arguments)
        assert code == 0 or not left or lists_problems, (arguments, left)
        for path in left:
            path.unlink()
    assert {path: path.read_bytes() for path in before} == before
    # The generator is of use only if both ends are frequent.
    assert 0.1 < codes.count(0) / len(codes) < 0.9
