"""Double quotes in csv and tsv files: no row is lost, whatever they mean."""

import csv
import io
import json
import random

import pandas as pd
import pytest

from sklearn_ordinal._command_line.data_files import open_file, reading
from sklearn_ordinal._command_line.program import main

pytest.importorskip("polars", reason="reads files")

REPORT = ("--true=gold", "--pred=pred")
TRUE, PRED = [1, 2, 3, 1, 2, 3, 3], [1, 2, 2, 1, 3, 3, 1]
SEPARATORS = {"tsv": "\t", "csv": ","}
PLAIN = "plain text"
# Texts of a column, and the lines of the file where quotes do not enclose a field.
TEXTS_THAT_ARE_NOT_QUOTED = {
    "opened and closed in other lines": (['"I love it', PLAIN, 'the end"', PLAIN], "line 2"),
    "opened and closed before more text": (['"I love it', PLAIN, 'the" end', PLAIN], "line 2"),
    "opened in two lines": (['"a', '"b', PLAIN, PLAIN], "lines 2, 3"),
    "never closed": ([PLAIN, PLAIN, '"a', PLAIN], "line 4"),
    "in the last line": ([PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, '"a'], "line 8"),
    "closed before the end": ([PLAIN, '"Great" she said', PLAIN], "line 3"),
    "a single quote": ([PLAIN, '"', PLAIN], "line 3"),
    "doubled and open": (['""a', PLAIN, PLAIN], "line 2"),
    "four lines": (['"a', '"b', '"c', '"d'], "lines 2, 3, 4, ..."),
}
TEXTS_THAT_ARE_READ = {
    "in the middle": ['a 5" screen', PLAIN, 'he said "fine" then left'],
    "at the end": ['the end"', PLAIN, PLAIN, 'another end"'],
    "around a field": ['"quoted"', '""', PLAIN],
    "doubled": ['"a ""b"" c"', 'x""y', '""""'],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(texts, suffix, place="last", newline="\n"):
    """Return lines with the text as it is, without any quoting."""
    texts = [*texts, *[PLAIN] * (len(TRUE) - len(texts))]
    rows = [("gold", "pred", "text"), *zip(TRUE, PRED, texts, strict=True)]
    if place != "last":
        order = (2, 0, 1) if place == "first" else (0, 2, 1)
        rows = [[row[k] for k in order] for row in rows]
    separator = SEPARATORS[suffix]
    return "".join(separator.join(map(str, row)) + newline for row in rows)


def counts(capsys, name, *options, code=0):
    """Return the counts of a report, as a list of pairs, and what is written to stderr."""
    assert main(["report", name, *REPORT, *options, "--format=json"]) == code
    printed = capsys.readouterr()
    if code:
        return None, printed.err
    return json.loads(printed.out)["result"], printed.err


def write(folder, name, text):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return name


def expected(folder, capsys):
    """Return the counts of the rows without any text."""
    rows = "".join(f"{t},{p}\n" for t, p in zip(TRUE, PRED, strict=True))
    return counts(capsys, write(folder, "expected.csv", f"gold,pred\n{rows}"))[0]


def values(name, column, quotes=None):
    file = open_file(name, quotes)
    with reading(file):
        return file.select({"x": column}).collect()["x"].to_list()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
@pytest.mark.parametrize("case", TEXTS_THAT_ARE_NOT_QUOTED)
def test_quotes_that_would_join_lines_are_text_in_tsv_and_an_error_in_csv(
    case, place, newline, folder, capsys
):
    texts, lines = TEXTS_THAT_ARE_NOT_QUOTED[case]
    write(folder, "a.tsv", table(texts, "tsv", place, newline))
    found, err = counts(capsys, "a.tsv")
    assert found == expected(folder, capsys)
    assert err.count("\n") == 1
    assert f"warning: a.tsv, {lines}: double quotes do not enclose a single field" in err
    assert counts(capsys, "a.tsv", "--quotes=none") == (found, "")
    write(folder, "a.csv", table(texts, "csv", place, newline))
    _, err = counts(capsys, "a.csv", code=2)
    assert f"error: a.csv, {lines}: double quotes do not enclose a single field" in err
    assert "--quotes none" in err
    assert counts(capsys, "a.csv", "--quotes=none") == (found, "")


@pytest.mark.parametrize("place", ["first", "middle", "last"])
@pytest.mark.parametrize("suffix", SEPARATORS)
@pytest.mark.parametrize("case", TEXTS_THAT_ARE_READ)
def test_quotes_within_a_line_are_read_as_the_csv_module_reads_them(
    case, suffix, place, folder, capsys
):
    text = table(TEXTS_THAT_ARE_READ[case], suffix, place)
    name = write(folder, f"a.{suffix}", text)
    assert counts(capsys, name) == (expected(folder, capsys), "")
    records = csv.DictReader(io.StringIO(text), delimiter=SEPARATORS[suffix])
    assert [value or "" for value in values(name, "text")] == [row["text"] for row in records]


def test_standard_quotes_join_lines_if_they_are_asked_for(folder, capsys):
    write(folder, "a.tsv", table(['"I love it', PLAIN, 'the end"', PLAIN], "tsv"))
    assert values("a.tsv", "text", "standard")[0] == "I love it\n2\t2\tplain text\n3\t2\tthe end"
    assert values("a.tsv", "text", "none")[0] == '"I love it'
    write(folder, "a.tsv", table(['"a'], "tsv"))
    assert (
        "line 2: a double quote is not closed"
        in counts(capsys, "a.tsv", "--quotes=standard", code=2)[1]
    )


@pytest.mark.parametrize("suffix", SEPARATORS)
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_ALL])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_pandas_writes_is_read_as_pandas_reads_it(
    suffix, quoting, encoding, newline, folder, capsys
):
    texts = ["two\nlines", 'said "no"', "a, b", "tab\there", "", '"', "\n\n1,2,3\n"]
    frame = pd.DataFrame({"gold": TRUE, "text": texts, "pred": PRED})
    options = {"sep": SEPARATORS[suffix], "quoting": quoting, "encoding": encoding}
    frame.to_csv(f"a.{suffix}", index=False, lineterminator=newline, **options)
    assert counts(capsys, f"a.{suffix}") == (expected(folder, capsys), "")
    assert [value or "" for value in values(f"a.{suffix}", "text")] == texts


@pytest.mark.parametrize("texts", [[PLAIN] * 7, ["two\nlines", 'said ""no""', "a, b"]])
def test_what_r_writes_is_read(texts, folder, capsys):
    rows = zip(TRUE, PRED, [*texts, *[PLAIN] * 7], strict=False)
    lines = [f'"{k}","{t}","{p}","{text}"\n' for k, (t, p, text) in enumerate(rows, start=1)]
    write(folder, "a.csv", '"","gold","pred","text"\n' + "".join(lines))
    assert counts(capsys, "a.csv") == (expected(folder, capsys), "")


def test_a_quoted_separator_in_every_line_is_no_other_field(folder, capsys):
    rows = "".join(f'"a,b",{t},{p}\n' for t, p in zip(TRUE, PRED, strict=True))
    write(folder, "a.csv", f'"x,y",gold,pred\n{rows}')
    assert counts(capsys, "a.csv") == (expected(folder, capsys), "")
    # Two sentences, of which the first opens a quote and the second closes it.
    rows = "".join(f'{t}\t{p}\t"a\tb"\n' for t, p in zip(TRUE, PRED, strict=True))
    write(folder, "a.tsv", f"gold\tpred\tfirst\tsecond\n{rows}")
    found, err = counts(capsys, "a.tsv")
    assert (found, "lines 2, 3, 4, ..." in err) == (expected(folder, capsys), True)


@pytest.mark.parametrize("blank", ["\n", "\r\n"])
def test_blank_lines_are_skipped_where_quotes_are_text(blank, folder, capsys):
    text = table(['"I love it', PLAIN, 'the end"'], "tsv").replace("\n2\t2", f"\n{blank}2\t2", 1)
    write(folder, "a.tsv", text + blank)
    assert counts(capsys, "a.tsv")[0] == expected(folder, capsys)


def test_two_thousand_rows_with_a_quote_in_every_hundredth_are_all_read(folder, monkeypatch):
    rows = [f"{k % 3}\t{k % 2}\t{chr(34) * (k % 100 == 0)}text {k}" for k in range(2_000)]
    write(folder, "a.tsv", "gold\tpred\ttext\n" + "\n".join(rows))
    # A few lines of the file at a time.
    monkeypatch.setattr("sklearn_ordinal._command_line.data_files._CHUNK", 1_000)
    with pytest.warns(UserWarning, match=r"lines 2, 102, 202, \.\.\.: double quotes"):
        found = values("a.tsv", "text")
    assert found == [row.split("\t")[2] for row in rows]


def test_a_short_line_is_named_where_quotes_are_text(folder, capsys):
    write(folder, "a.csv", 'gold,pred,text\n1,1,"a\n2,1\n')
    assert (
        "a.csv, line 2: a double quote is not closed: close or remove it, or use --quotes "
        in (counts(capsys, "a.csv", code=2)[1])
    )
    _, err = counts(capsys, "a.csv", "--quotes=none", code=2)
    assert "a.csv, line 3: has 2 fields, but the first line has 3; with double quotes as " in err


def test_bytes_that_are_not_utf8_are_named_where_quotes_are_text(folder, capsys):
    write(folder, "a.tsv", b'gold\tpred\ttext\n1\t1\t"a \xe9\n2\t1\tb"\n')
    assert "a.tsv, line 2: byte 0xe9 is not UTF-8" in counts(capsys, "a.tsv", code=2)[1]


# The columns of one row, as text without any quoting.
SHAPES = (
    "{id}\t{gold}\t{pred}\tharbour\t{text}",
    "{id}\t{gold}\t{pred}\t{text}",
    "{text}\t{id}\t{gold}\t{pred}",
    '{id}\t{gold}\t{pred}\t{text}\the said "so" twice',
    '{id}\t{gold}\t{pred}\t"{text}\t{text}"',
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
def test_unquoted_tsv_files_of_shared_tasks_are_read_whole(shape, seed, folder, capsys):
    rng = random.Random(seed)
    words = ["good", "so", "it's", '"great', 'fine"', '"', '""', '5"', '"no"', "😀", "#tag", "a,b"]
    names = {"id": "id", "gold": "gold", "pred": "pred"}
    lines, rows = [shape.format(text="text", **names)], ["gold,pred"]
    for k in range(400):
        text = " ".join(rng.choices(words, [8, 8, 4, 1, 1, 0.2, 0.2, 1, 1, 1, 2, 2], k=8))
        gold, pred = rng.randrange(-2, 3), rng.randrange(-2, 3)
        lines.append(shape.format(id=628949369883000832 + k, gold=gold, pred=pred, text=text))
        rows.append(f"{gold},{pred}")
    write(folder, "a.tsv", "\n".join(lines))
    write(folder, "b.csv", "\n".join(rows))
    assert counts(capsys, "a.tsv")[0] == counts(capsys, "b.csv")[0]


def test_every_command_reads_files_alike(folder, capsys):
    quoted = ['"a', "b", 'c"']
    rows = [f"i{k}\t{k % 3}\t{quoted[k % 3]}\n" for k in range(12)]
    for name in ("gold", "first", "second"):
        write(folder, f"{name}.tsv", "id\tgrade\ttext\n" + "".join(rows))
    lines = [
        f"i{k}\t{rater}\t{(k + j) % 3}\t{quoted[k % 3]}\n"
        for k in range(12)
        for j, rater in enumerate("xyz")
    ]
    write(folder, "grades.tsv", "item\trater\tgrade\ttext\n" + "".join(lines))
    write(folder, "judge.tsv", "item\tgrade\ttext\n" + "".join(rows))
    commands = [
        ["compare", "gold.tsv", "first.tsv", "second.tsv", "--true=grade", "--pred=grade"],
        ["report", "gold.tsv", "first.tsv", "--id=id", "--true=grade", "--pred=grade"],
        ["agreement", "grades.tsv"],
        ["judge", "grades.tsv", "judge.tsv"],
    ]
    for command in commands:
        assert main(command) == 0
        printed = capsys.readouterr()
        n_files = sum(argument.endswith(".tsv") for argument in command)
        assert printed.err.count("double quotes do not enclose") == n_files
        assert main([*command, "--quotes=none"]) == 0
        again = capsys.readouterr()
        assert (again.out, "double quotes" in again.err) == (printed.out, False)
        for file in folder.glob("*.tsv"):
            text = file.read_text(encoding="utf-8").replace(",", " ").replace("\t", ",")
            file.with_suffix(".csv").write_text(text, encoding="utf-8")
        as_csv = [argument.replace(".tsv", ".csv") for argument in command]
        assert main(as_csv) == 2
        assert "--quotes none" in capsys.readouterr().err
        assert main([*as_csv, "--quotes=none"]) == 0
        assert capsys.readouterr().out == printed.out
