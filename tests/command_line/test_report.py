"""The command ``report`` gives the report of the same data in Python."""

import json
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_ordinal import GroupReport, OrdinalConfusion, OrdinalReport
from sklearn_ordinal._command_line.program import main
from sklearn_ordinal.inference import delta_interval

LABELS = ["low", "mid", "high"]
SCALE = ("--labels", "low,mid,high")
COLUMNS = ("--true", "grade", "--pred", "predicted")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 3, 60)
    predicted = np.clip(grades + rng.integers(-1, 2, 60), 0, 2)
    return pl.DataFrame(
        {
            "id": [f"d{i}" for i in range(60)],
            "grade": [LABELS[i] for i in grades],
            "predicted": [LABELS[i] for i in predicted],
            "weight": rng.integers(1, 4, 60) / 2,
            "country": rng.choice(["fr", "de", "10"], 60),
        }
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *arguments, code=0):
    assert main([*map(str, arguments)]) == code
    return capsys.readouterr()


def result(capsys, *arguments):
    printed = run(capsys, "report", *arguments, "--format", "json")
    return json.loads(printed.out)["result"]


def error(capsys, *arguments):
    printed = run(capsys, "report", *arguments, code=2)
    assert not printed.out
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("sklearn-ordinal: error: ")
    return printed.err.removeprefix("sklearn-ordinal: error: ").rstrip()


def write(folder, name, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    (folder / name).write_bytes(data)
    return name


def expected(data, **options):
    report = OrdinalReport.from_predictions(
        data["grade"].to_list(), data["predicted"].to_list(), labels=LABELS, **options
    )
    return json.loads(json.dumps(report.to_dict()))


def save(data, name):
    suffix = name.rpartition(".")[2]
    {
        "csv": data.write_csv,
        "tsv": lambda path: data.write_csv(path, separator="\t"),
        "parquet": data.write_parquet,
        "jsonl": data.write_ndjson,
        "ndjson": data.write_ndjson,
    }[suffix](name)
    return name


@pytest.mark.parametrize("name", ["a.csv", "a.TSV", "a.parquet", "a.jsonl", "a.ndjson"])
def test_all_file_formats_give_the_report_of_the_data(name, data, folder, capsys):
    save(data, name.lower())
    (folder / name.lower()).rename(folder / name)
    assert result(capsys, name, *COLUMNS, *SCALE) == expected(data)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl"])
def test_weights_are_those_of_the_rows(name, data, capsys):
    found = result(capsys, save(data, name), *COLUMNS, *SCALE, "--weight", "weight")
    assert found == expected(data, sample_weight=data["weight"].to_numpy())


def test_a_weighted_report_has_the_sums_of_the_squared_weights(data, capsys):
    run(
        capsys,
        "report",
        save(data, "a.csv"),
        *COLUMNS,
        *SCALE,
        "--weight=weight",
        "--output=a.json",
    )
    found = OrdinalReport.from_json("a.json").confusion
    expected_squares = np.zeros((3, 4))
    for grade, predicted, weight in data["grade", "predicted", "weight"].iter_rows():
        expected_squares[LABELS.index(grade), LABELS.index(predicted)] += weight**2
    np.testing.assert_array_equal(found.squared_weights, expected_squares)


def test_the_metrics_are_those_that_are_named(data, capsys):
    save(data, "a.csv")
    found = result(capsys, "a.csv", *COLUMNS, *SCALE, "--metrics", "accuracy, cem_ord")
    assert list(found["criteria"]) == ["accuracy", "cem_ord"]
    assert len(result(capsys, "a.csv", *COLUMNS, *SCALE, "--metrics=all")["criteria"]) > 30


def test_groups_are_those_of_group_report(data, capsys):
    save(data, "a.csv")
    found = result(capsys, "a.csv", *COLUMNS, *SCALE, "--metrics=cem_ord", "--by=country")
    options = {"metrics": "cem_ord"}
    table = OrdinalConfusion.from_table(data, *COLUMNS[1::2], labels=LABELS, by="country")
    by_counts = GroupReport.from_confusion(table, by=table.groups, **options)
    assert found == json.loads(json.dumps(by_counts.to_dict()))
    columns = [data[name].to_list() for name in ("grade", "predicted", "country")]
    report = GroupReport.from_predictions(*columns[:2], by=columns[2], labels=LABELS, **options)
    assert found == json.loads(json.dumps(report.to_dict()))


def test_weighted_groups_are_those_of_group_report(data, capsys):
    save(data, "a.csv")
    options = ("--metrics=cem_ord", "--by=country", "--weight=weight")
    found = result(capsys, "a.csv", *COLUMNS, *SCALE, *options)
    report = GroupReport.from_predictions(
        data["grade"].to_list(),
        data["predicted"].to_list(),
        labels=LABELS,
        by=data["country"].to_list(),
        sample_weight=data["weight"].to_numpy(),
        metrics="cem_ord",
    )
    assert found == json.loads(json.dumps(report.to_dict()))


def test_groups_that_are_integers_are_in_their_order(data, capsys):
    countries = pl.Series("country", [(i % 3) * 5 for i in range(60)])
    save(data.with_columns(countries), "a.csv")
    found = result(capsys, "a.csv", *COLUMNS, *SCALE, "--by=country", "--metrics=cem_ord")
    assert list(found["groups"]) == ["0", "5", "10"]


def test_integers_are_classes_without_labels(folder, capsys):
    write(folder, "a.csv", "t,p\n1,1.0\n 2 ,+3\n03,3.\n-1,2\n")
    found = result(capsys, "a.csv", "--true=t", "--pred=p")
    report = OrdinalReport.from_predictions([1, 2, 3, -1], [1, 3, 3, 2], zero_division=0.0)
    assert found["criteria"]["cem_ord"] == report.criteria["cem_ord"]
    assert result(capsys, "a.csv", "--true=t", "--pred=p", "--labels=-1,0,1,2,3") == found


def test_the_order_of_an_enum_in_parquet_is_that_of_the_classes(data, capsys):
    enum = pl.Enum(LABELS)
    save(data.with_columns(pl.col("grade").cast(enum)), "a.parquet")
    if pl.scan_parquet("a.parquet").collect_schema()["grade"] != enum:
        pytest.skip("this version of polars reads an Enum in parquet as a Categorical")
    assert result(capsys, "a.parquet", *COLUMNS) == expected(data)
    other = data.with_columns(
        pl.col("grade").cast(enum), pl.col("predicted").cast(pl.Enum(LABELS[::-1]))
    )
    save(other, "b.parquet")
    assert "have different orders, low, mid, high and high, mid, low: give" in error(
        capsys, "b.parquet", *COLUMNS
    )
    assert result(capsys, "b.parquet", *COLUMNS, *SCALE) == expected(data)


def test_an_ordered_categorical_of_pandas_has_its_order_in_parquet(data, capsys):
    frame = pd.DataFrame({name: data[name].to_list() for name in ("grade", "predicted")})
    frame.astype(pd.CategoricalDtype(LABELS, ordered=True)).to_parquet("a.parquet")
    assert result(capsys, "a.parquet", *COLUMNS) == expected(data)
    frame.astype("category").to_parquet("b.parquet")
    assert "whose order is not known" in error(capsys, "b.parquet", *COLUMNS)
    assert result(capsys, "b.parquet", *COLUMNS, *SCALE) == expected(data)


def test_predictions_of_another_file_are_joined_by_the_ids(data, capsys):
    save(data.drop("predicted"), "gold.csv")
    shuffled = data.select("predicted", document="id").sample(60, shuffle=True, seed=0)
    save(shuffled, "system.jsonl")
    found = result(capsys, "gold.csv", "system.jsonl", "--id=id,document", *COLUMNS, *SCALE)
    assert found == expected(data)
    save(shuffled.rename({"document": "id"}), "system.parquet")
    found = result(
        capsys, "gold.csv", "system.parquet", "--id=id", *COLUMNS, *SCALE, "--weight=weight"
    )
    assert found == expected(data, sample_weight=data["weight"].to_numpy())


def test_missing_predictions_are_an_error_or_counted(data, capsys):
    answers = data["predicted"].to_list()
    answers[3] = answers[9] = None
    incomplete = data.with_columns(pl.Series("predicted", answers))
    counted = expected(incomplete, unanswered="count")
    for name in ("a.csv", "a.parquet", "a.jsonl"):
        save(incomplete, name)
        assert "has 2 of 60 rows without a class: use --unanswered count" in error(
            capsys, name, *COLUMNS, *SCALE
        )
        assert result(capsys, name, *COLUMNS, *SCALE, "--unanswered=count") == counted
    # An empty answer and no answer are the same.
    save(data.drop("predicted"), "gold.csv")
    save(
        incomplete[4:].select("id", "predicted").vstack(data[:3].select("id", "predicted")), "s.csv"
    )
    files = ("gold.csv", "s.csv", "--id=id", *COLUMNS, *SCALE)
    assert error(capsys, *files) == (
        "s.csv has no row for 1 id of gold.csv: 'd3'; --unanswered count accepts missing "
        "predictions."
    )
    assert result(capsys, *files, "--unanswered=count") == counted


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ("1,1\n1,2\n", "1,1\n", "gold.csv has several rows for 1 id: '1'."),
        (
            "".join(f"{i},1\n" for i in range(9)),
            "".join(f"0{i},1\n" for i in range(5)),
            "s.csv has rows for 5 ids not in gold.csv: '00', '01', '02', ...; s.csv has no row for "
            "9 ids of gold.csv: '0', '1', '2', ...; --unanswered count accepts missing "
            "predictions.",
        ),
        (
            "1,1\n2,2\n",
            " 1,1\n2 ,1\n2,2\n,1\n",
            "s.csv has no id in 1 row; s.csv has several rows for 1 id: '2'.",
        ),
    ],
)  # fmt: skip
def test_ids_that_do_not_match_are_counted_and_the_first_are_named(
    gold, system, message, folder, capsys
):
    write(folder, "gold.csv", f"id,t\n{gold}")
    write(folder, "s.csv", f"id,p\n{system}")
    assert error(capsys, "gold.csv", "s.csv", "--id=id", "--true=t", "--pred=p") == message


def test_ids_of_json_lines_with_more_than_64_bits_are_not_rounded(folder, capsys):
    ids = (2**64 - 1, 2**64 - 2, -(2**63))
    write(folder, "a.jsonl", "".join(f'{{"id": {k}, "t": {n}}}\n' for n, k in enumerate(ids)))
    write(folder, "b.jsonl", "".join(f'{{"id": "{k}", "p": {n}}}\n' for n, k in enumerate(ids)))
    columns = ("--id=id", "--true=t", "--pred=p")
    assert result(capsys, "a.jsonl", "b.jsonl", *columns)["accuracy"] == 1.0
    write(folder, "a.jsonl", "".join(f'{{"id": {2**64 + k}, "t": {k}}}\n' for k in range(3)))
    assert error(capsys, "a.jsonl", "b.jsonl", *columns) == (
        "a.jsonl, line 1: 'id' has 20 digits, too many for an exact integer: write it in double "
        "quotes."
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "t,p\n1,1\n2,2,2\n", "a.csv, line 3: has 3 fields, but the first line has 2"),
        ("a.csv", "x,t,p\n1,1,1\n2,2,2,2\n", "a.csv, line 3: has 4 fields, but the first line has"),
        ("a.csv", "t,p\n1,1\n2\n", "a.csv, line 3: has 1 field, but the first line has 2"),
        ("a.csv", "t,p,x\n1,1,\n2,1\n", "a.csv, line 3: has 2 fields, but the first line has 3"),
        ("a.csv", 't,p,x\n1,"1\n2",a\n2,1\n', "a.csv, line 4: has 2 fields"),
        ("a.csv", 't,p,x\n1,1,a\n2,"1,b\n3,1\n', "a.csv, line 3: a double quote is not closed:"),
        ("a.csv", 't,p,x\n1,1,a\n2,1,"b\n3,1\n', "a.csv, line 3: a double quote is not closed:"),
        ("a.csv", b"t,p\n1,1\n2,\xe9\n", "a.csv, line 3: byte 0xe9 is not UTF-8"),
        ("a.csv", "t,p\n1,1\n".encode("utf-16"), "a.csv, line 1: byte 0xff is not UTF-8"),
        ("a.csv", "t,p,x\n1,2,\n,,3\n", "column 't' of a.csv has 1 of 2 rows without a class"),
        ("a.csv", "t,p,x,y\n1,2,,\n,,3,\n", "column 't' of a.csv has 1 of 2 rows without"),
        ("a.csv", "", "a.csv is empty: it needs a line with the names of the columns."),
        ("a.csv", "\n1,1\n", "a.csv, line 1: is blank: it must contain the names of the columns."),
        ("a.csv", "t,p\n", "a.csv has no rows: it must have at least one."),
        ("a.csv", "t,p\n\n\n", "a.csv has no rows: it must have at least one."),
        ("a.csv", "t,p,p\n1,1,1\n", "a.csv has 2 columns 'p': give them different names."),
        (
            "a.csv",
            "t;p\n1;1\n",
            "a.csv has no column 't'; it has 't;p': fields must be separated by ',', not ';'.",
        ),
        ("a.csv", "t\tp\n", "a.csv has no column 't'; it has 't\\tp': fields must be separated by"),
        ("a.tsv", "t,p\n", "a.tsv has no column 't'; it has 't,p': fields must be separated by"),
        ("a.csv", "t,p\r1,1\r", "a.csv, line 1: ends with a lone carriage return: save"),
        ("a.csv", "t,p\n1,1\n".encode("utf-16-le"), "a.csv, line 1: has zero bytes: save the"),
        ("a.csv", "  \n1,1\n", "a.csv, line 1: is blank: it must contain the names"),
        (
            "a.jsonl",
            "[" * 100_000,
            "a.jsonl, line 1: is nested too deeply: write one object per line.",
        ),
        ("a.jsonl", '{"t": 1, "p": 1}\n{"t": 1', "a.jsonl, line 2: is not JSON: Expecting"),
        ("a.jsonl", '{"t": 1, "p": 1}\n\n[1, 1]\n', "a.jsonl, line 3: must be an object such as"),
        ("a.jsonl", '{"t": 1, "p": 1}\n' * 2000 + "}", "a.jsonl, line 2001: is not JSON"),
        ("a.jsonl", b'{"t": 1, "p": 1}\n"\xe9"', "a.jsonl, line 2: byte 0xe9 is not UTF-8"),
        ("a.jsonl", '{"t": 1}\n{"t": 2, "p": NaN}', "a.jsonl, line 2: cannot be read: NaN is not "),
        ("a.jsonl", '{"t": 1, "p": ' + "9" * 5000, "a.jsonl, line 1: cannot be read: Exceeds"),
        ("a.jsonl", '{"t": 1, "p": 1}\n{"t": 2, "p": 1, "x": -Infinity}', "a.jsonl, line 2: canno"),
        ("a.jsonl", '{"t": 1, "p": 1}\n\n{"x": "\\ud83d"}', "a.jsonl, line 3: has a char"),
        ("a.jsonl", '{"t": 1, "p": 1}\n{"t": 2, "p": 1, "x": 1e999}', "a.jsonl, line 2: has a ch"),
        ("a.jsonl", '{"t": 1, "p": 1}\n{"t": 1, "p": 18446744073709551616}', "a.jsonl, line 2: 'p"),
        ("a.jsonl", '{"t": -9223372036854775809, "p": 1}', "a.jsonl, line 1: 't' has 20 digits"),
        ("a.jsonl", "\n", "a.jsonl has no rows: it must have at least one."),
        ("a.jsonl", '{"x": 1, "p": 1}\n', "a.jsonl has no column 't'; it has 'x', 'p'."),
        ("a.parquet", "t,p\n1,1\n", "a.parquet cannot be read: "),
        ("a.parquet", "", "a.parquet cannot be read: "),
        ("a.txt", "t,p\n1,1\n", "a.txt must end in .csv, .tsv, .parquet, .jsonl or .ndjson"),
    ],
)  # fmt: skip
def test_broken_files_are_an_error_that_names_the_line(name, text, message, folder, capsys):
    write(folder, name, text)
    assert error(capsys, name, "--true", "t", "--pred", "p").startswith(message)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", b"\xef\xbb\xbft,p\n1,1\n2,1\n"),
        ("a.csv", b'\xef\xbb\xbf"t","p"\r\n"1","1"\r\n"2","1"\r\n'),
        ("a.csv", " t , p \n1, 1\n2 ,1"),
        ("a.csv", "t,p,x,x,,\n1,1,,,,\n2,1,3,4,5,6\n"),
        ("a.csv", 't,p,x\n1,1,\n2,1,"a ""b"", c\nd"\n'),
        ("a.csv", "t,p\n1,1\n\n2,1\n,\n\n"),
        ("a.tsv", "t\tp\n1\t1\n2\t1\n"),
        ("a[1].csv", "t,p\n1,1\n2,1\n"),
        ("a.jsonl", b'\xef\xbb\xbf{"t": 1, "p": "1"}\r\n\r\n{"p": 1.0, "t": "2", "x": [{}]}'),
        ("a.jsonl", '{"t": 1, "p": 1, "\\u0078": 1}\n  \n{"t": 2, "p": " 1 ", "t": 2}\n'),
        ("a.jsonl", f'{{"t": 1, "p": 1, "x": {2**70}}}\n{{"t": 2, "p": 1, "x": 1e30}}\n'),
    ],
)  # fmt: skip
def test_valid_files_of_any_kind_are_read(name, text, folder, capsys):
    write(folder, name, text)
    found = result(capsys, name, "--true", "t", "--pred", "p")
    assert found["accuracy"] == 0.5
    assert found["macro avg"]["support"] == 2


def test_a_quote_that_polars_refuses_is_named_with_its_line(folder, capsys):
    write(folder, "a.csv", 't,p,x\n1,1,"a ""b"", c\nd"\n2,1,5" screen\n1,1,b\n')
    printed = capsys.readouterr()
    if main(["report", "a.csv", "--true=t", "--pred=p"]) == 2:
        printed = capsys.readouterr()
        assert "a.csv, line 4: a field has a double quote but does not start" in printed.err
    else:  # older versions of polars accept it
        assert "3 samples, 2 classes" in capsys.readouterr().out


def test_a_long_class_is_not_shown_in_full(folder, capsys):
    write(folder, "a.csv", f"t,p,x\n1,1,{'word ' * 99}\n2,2,b\n")
    assert len(error(capsys, "a.csv", "--true=t", "--pred=x")) < 300


@pytest.mark.parametrize(
    "options", [["--pred=x"], ["--pred=p", "--weight=x"], ["--pred=p", "--by=x"]]
)
@pytest.mark.parametrize("values", [[[1], [2]], [{"a": 1}, {"a": 2}], [b"1", b"2"]])
def test_columns_of_lists_structures_and_bytes_are_an_error(options, values, capsys):
    save(pl.DataFrame({"t": [1, 2], "p": [1, 2], "x": values}), "a.parquet")
    message = error(capsys, "a.parquet", "--true=t", *options)
    assert message.startswith("a.parquet: column 'x' must hold text or numbers, got ")


def test_the_order_of_a_type_may_have_spaces_but_no_class_twice(capsys):
    for categories in (["low ", " mid"], ["01", "1"]):
        type_ = pd.CategoricalDtype(categories, ordered=True)
        pd.DataFrame({name: pd.Categorical(categories, dtype=type_) for name in "tp"}).to_parquet(
            f"{len(categories[0])}.parquet"
        )
    assert result(capsys, "4.parquet", "--true=t", "--pred=p")["accuracy"] == 1.0
    assert error(capsys, "2.parquet", "--true=t", "--pred=p") == (
        "the order of its type must name each class once, but these classes are repeated: '1'."
    )


def test_an_ordered_categorical_without_rows_is_an_error(capsys):
    type_ = pd.CategoricalDtype(["a", "b"], ordered=True)
    frame = pd.DataFrame({name: pd.Categorical([], dtype=type_) for name in "tp"})
    frame.to_parquet("a.parquet")
    assert (
        error(capsys, "a.parquet", "--true=t", "--pred=p")
        == "a.parquet has no rows: it must have at least one."
    )


@pytest.mark.parametrize("name", ["^t$", "*", "it's", 'a "b"', "a.b", "$['t']", "é [0] <-#&~>"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_columns_may_have_any_name(name, suffix, capsys):
    save(pl.DataFrame({"t": [1, 2], name: [2, 2]}), f"a.{suffix}")
    assert result(capsys, f"a.{suffix}", "--true=t", "--pred", name)["accuracy"] == 0.5


def test_a_key_that_polars_cannot_find_is_not_taken_for_missing(capsys):
    save(pl.DataFrame({"t": [1, 2], "a\\b": [2, 2]}), "a.jsonl")
    options = ("--true=t", "--pred=a\\b", "--unanswered=count")
    assert error(capsys, "a.jsonl", *options) == (
        r"column 'a\\b' cannot be read from JSON lines: rename it."
    )


def test_classes_after_many_rows_are_seen(folder, capsys):
    rows = "1,1,\n" * 5000
    write(folder, "a.csv", f"t,p,w\n{rows}1,high,x\n")
    assert "have classes that are not integers, 'high', whose order is not known" in error(
        capsys, "a.csv", "--true=t", "--pred=p"
    )
    assert error(capsys, "a.csv", "--true=t", "--pred=p", "--labels=low,high") == (
        "column 't' of a.csv has 5,001 of 5,001 rows with classes that are not among low, high: "
        "'1'; --labels must name all classes, or leave these rows out of the file if the value "
        "means that there is no class."
    )


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ("x", "got 'x'"),
        ("", "got an empty field"),
        ("-1", "got '-1'"),
        ("inf", "got 'inf'"),
    ],
)
def test_bad_weights_are_an_error(weight, message, folder, capsys):
    write(folder, "a.csv", f"t,p,w\n1,1,2\n2,2,{weight}\n")
    for by in ((), ("--by=t",)):
        assert error(capsys, "a.csv", "--true=t", "--pred=p", "--weight=w", *by) == (
            f"a.csv: column 'w' must hold finite, non-negative numbers, {message}."
        )


def test_weights_that_are_all_zero_are_an_error(folder, capsys):
    write(folder, "a.csv", "t,p,w\n1,1,0\n2,2,0\n")
    for by in ((), ("--by=t",)):
        assert error(capsys, "a.csv", "--true=t", "--pred=p", "--weight=w", *by) == (
            "a.csv: column 'w' must hold weights, got zeros only."
        )


def test_metrics_given_several_times_are_all_shown(data, capsys):
    save(data, "a.csv")
    found = result(capsys, "a.csv", *COLUMNS, *SCALE, "--metrics=accuracy", "--metrics=cem_ord")
    assert list(found["criteria"]) == ["accuracy", "cem_ord"]


def test_the_same_problem_of_two_files_is_named_once(folder, capsys):
    write(folder, "a.csv", "id,t,p\n1,1,1\n1,2,2\n")
    assert error(capsys, "a.csv", "a.csv", "--id=id", "--true=t", "--pred=p") == (
        "a.csv has several rows for 1 id: '1'."
    )


def test_the_name_of_a_file_does_not_add_a_way_out(folder, capsys):
    name = write(folder, "has no row for.csv", "id,t,p\n1,1,1\n1,2,2\n")
    assert error(capsys, name, name, "--id=id", "--true=t", "--pred=p") == (
        "has no row for.csv has several rows for 1 id: '1'."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "nowhere.csv does not exist: give the name of a file."),
        (["."], ". is not a file: give the name of a file."),
        (["a.csv", "--weight=x"], "a.csv has no column 'x'; it has 't', 'p', 'c', 'one'."),
        (["a.csv", "--by=c"], "column 'c' of a.csv has 1 of 2 rows without a group: fill them."),
        (["a.csv", "--metrics=cem_odr"], "there is no metric 'cem_odr': did you mean cem_ord"),
        (["a.csv", "--metrics=log_loss"], "log_loss is a metric of probabilities, and the files"),
        (["a.csv", "--labels=1,2,2"], "argument --labels: expected each name once, got '1,2,2'"),
        (["a.csv", "--labels=1\n2"], "argument --labels: expected names in one line, got '1\\n2'"),
        (
            ["a.csv", "--labels=01,1,2"],
            "--labels must name each class once, but these classes are repeated: '1'.",
        ),
        (["a.csv", "--labels", "-x,y"], "argument --labels: expected one argument; if the "),
        (["a.csv", "--by=one"], "column 'one' of a.csv has a single group, '1': leave it out of"),
        (["a.csv", "--by=t,one"], "column 'one' of a.csv has a single group, '1': leave it out of"),
        (["a.csv", "--by=t,x"], "a.csv has no column 'x'; it has 't', 'p', 'c', 'one'."),
        (["a.csv", "--metrics=all,accuracy"], '"all" cannot be combined with names of metrics'),
        (
            ["a.csv", "--metrics=recall", "--labels=1,2,3"],
            "recall of scikit-learn is not defined for the classes 1, 2, 3: choose other metrics.",
        ),
        (["a.csv", "--metric=x"], "unrecognized arguments: --metric=x; see sklearn-ordinal report"),
        (["-"], "standard input cannot be read: give the name of a file."),
        (["a.csv", "--output=new/"], "argument --output: cannot write to 'new/'"),
        (["a.csv", "--labels=1,,2"], "argument --labels: expected names separated by commas"),
        (["a.csv", "--labels=2,3"], "column 't' of a.csv has 1 of 2 rows with classes that are"),
        (["a.csv", "b.csv"], "--id is the column by which FILE and PREDICTIONS are joined"),
        (["a.csv", "--id=t"], "--id is the column by which FILE and PREDICTIONS are joined"),
        (["a.csv", "--format=xml"], "argument --format: invalid choice: 'xml'"),
        (["a.csv", "--output=x/y.html"], "argument --output: cannot write to 'x/y.html'"),
        (["a.csv", "--output=."], "argument --output: cannot write to '.'"),
        (
            ["a.csv", "--output=./a.csv"],
            "argument --output: './a.csv' would replace the input a.csv",
        ),
        (["a.csv", "--pred=t"], "argument --pred: is given more than once: give it once; see "),
        (["years.csv"], "column 't' of years.csv and column 'p' of years.csv have integers from"),
    ],
)
def test_mistakes_of_users_are_one_line(arguments, message, folder, capsys):
    write(folder, "a.csv", "t,p,c,one\n1,1,x,1\n2,2,,1\n")
    write(folder, "years.csv", "t,p\n1950,2001\n1,5000\n")
    columns = ["--true=t", "--pred=p"]
    assert error(capsys, *columns, *arguments).startswith(message)


def test_true_and_pred_are_different_columns(folder, capsys):
    write(folder, "a.csv", "t,p\n1,1\n")
    assert error(capsys, "a.csv", "--true=t", "--pred=t").startswith(
        "--true and --pred are the same column 't' of a.csv"
    )


def test_without_polars_the_command_to_install_it_is_named(folder, capsys, monkeypatch):
    write(folder, "a.csv", "t,p\n1,1\n")
    monkeypatch.setitem(sys.modules, "polars", None)
    assert error(capsys, "a.csv", "--true=t", "--pred=p") == (
        'Reading files needs polars: pip install "sklearn_ordinal[tables]".'
    )


def test_a_warning_of_many_groups_names_the_first_ones(folder, capsys):
    write(folder, "a.csv", "t,p,g\n" + "".join(f"{i % 2},{i % 2},{i}\n" for i in range(9)))
    options = ("--true=t", "--pred=p", "--by=g", "--metrics=accuracy")
    warning = run(capsys, "report", "a.csv", *options).err
    assert "accuracy for 0, 1, 2, 3, 4 and 4 others" in warning


def test_diagnostics_are_the_section_of_the_report(folder, data, capsys):
    data.write_csv(folder / "d.csv")
    found = result(capsys, "d.csv", *COLUMNS, *SCALE, "--diagnostics")["diagnostics"]
    report = OrdinalReport.from_predictions(
        data["grade"], data["predicted"], labels=LABELS, diagnostics=True
    )
    assert found == report.to_dict()["diagnostics"]
    name = "sensitivity(at=0)"
    criteria = result(capsys, "d.csv", *COLUMNS, *SCALE, "--metrics", name)["criteria"]
    assert criteria[name] == found["threshold"]["above 'low'"]["sensitivity"]["value"]
    by = ["--by", "country", "--diagnostics"]
    assert "cannot be combined with --by" in error(capsys, "d.csv", *COLUMNS, *SCALE, *by)
    wrong = error(capsys, "d.csv", *COLUMNS, *SCALE, "--metrics", "sensitivity(at=x)")
    assert "sensitivity" in wrong
    wrong = error(capsys, "d.csv", *COLUMNS, *SCALE, "--metrics", "sensitivity(at=7)")
    assert "at must be below 2" in wrong


def test_intervals_are_those_of_delta_interval(folder, data, capsys):
    clusters = [f"c{i % 15}" for i in range(len(data))]
    strata = [f"s{i % 3}" for i in range(len(data))]
    columns = pl.Series("who", clusters), pl.Series("where", strata)
    data.with_columns(columns).write_csv(folder / "d.csv")
    drawn_with = {
        "--intervals": {},
        "--clusters=who": {"clusters": clusters},
        "--strata=where": {"strata": strata},
    }
    for options, given in (([], {}), (["--weight=weight"], {"sample_weight": data["weight"]})):
        command = ["d.csv", *COLUMNS, *SCALE, *options]
        for more, drawn in drawn_with.items():
            found = result(capsys, *command, more)["intervals"]
            for name, ends in found.items():
                interval = delta_interval(
                    data["grade"], data["predicted"], name, labels=LABELS, **given, **drawn
                )
                expected = [interval.estimate, interval.low, interval.high]
                assert list(ends.values()) == pytest.approx(expected)
        assert list(found) == list(result(capsys, *command)["criteria"])
        assert "intervals" not in result(capsys, *command)


def test_clusters_reach_the_report_of_groups(folder, data, capsys):
    clusters = [f"c{i % 15}" for i in range(len(data))]
    data.with_columns(pl.Series("who", clusters)).write_csv(folder / "d.csv")
    found = result(capsys, "d.csv", *COLUMNS, *SCALE, "--by=country", "--clusters=who")
    report = GroupReport.from_predictions(
        data["grade"],
        data["predicted"],
        by=data["country"],
        labels=LABELS,
        clusters=clusters,
        random_state=0,
    )
    assert found == report.to_dict()
    one = data.with_columns(pl.Series("who", ["c"] * len(data)))
    one.write_csv(folder / "one.csv")
    assert error(capsys, "one.csv", *COLUMNS, *SCALE, "--clusters=who").endswith(
        "column 'who' of one.csv has a single cluster: leave out --clusters."
    )
