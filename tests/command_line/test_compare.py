"""The command ``compare``: systems in files, on one test set."""

from functools import partial

import numpy as np
import polars as pl
import pytest

from sklearn_ordinal import compare_systems, get_metric, get_metric_names
from sklearn_ordinal._command_line.data_files import DataFile
from sklearn_ordinal._command_line.program import main
from tests.command_line import calls

LABELS = ["low", "mid", "high"]
N = 60
# As in the files, sorted by the ids as text.
IDS = sorted(f"d{i}" for i in range(N))
_RNG = np.random.default_rng(0)
Y = _RNG.integers(0, 3, N)
PREDICTIONS = {
    name: np.where(_RNG.random(N) < share, _RNG.integers(0, 3, N), Y)
    for name, share in (("good", 0.1), ("fair", 0.3), ("poor", 0.8))
}
FAST = ["--n-resamples=99"]
NAMED = [*FAST, "--labels=low,mid,high"]


def texts(codes):
    return np.array(LABELS)[codes].tolist()


def write(path, columns, order=None):
    """Write columns to a file of any type, with the rows in another order."""
    frame = pl.DataFrame(columns)
    frame = frame[_RNG.permutation(len(frame))] if order is None else frame[order]
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to a folder with a gold file and a folder of three systems in different formats."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "systems").mkdir()
    write(tmp_path / "gold.csv", {"id": IDS, "grade": texts(Y)})
    for name, suffix in (("good", ".csv"), ("fair", ".tsv"), ("poor", ".jsonl")):
        columns = {"id": IDS, "answer": texts(PREDICTIONS[name])}
        write(tmp_path / "systems" / f"{name}{suffix}", columns)
    return tmp_path


run = partial(calls.run, "compare")


def error_of(capsys, *arguments):
    assert main(["compare", *arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    *_, last = printed.err.splitlines()
    return last.removeprefix("sklearn-ordinal: error: ")


def expected(predictions=None, y_true=None, labels=LABELS, **options):
    if predictions is None:
        # The files of a folder are sorted by their names.
        predictions = {name: texts(PREDICTIONS[name]) for name in ("fair", "good", "poor")}
    options = {"labels": labels, "n_resamples": 99, "random_state": 0, **options}
    return compare_systems(texts(Y) if y_true is None else y_true, predictions, **options).to_dict()


@pytest.mark.usefixtures("folder")
def test_a_folder_is_compared_as_compare_systems_compares_arrays(capsys):
    result, warnings = run(capsys, "gold.csv", "systems", *NAMED)
    assert result == expected()
    assert not warnings


@pytest.mark.usefixtures("folder")
def test_files_may_be_named_one_by_one_and_metrics_several_times(capsys):
    files = [f"systems/{name}" for name in ("poor.jsonl", "good.csv")]
    metrics = ["--metrics", "accuracy,cem_ord", "--metrics", "quadratic_weighted_kappa"]
    result, _ = run(capsys, "gold.csv", *files, *NAMED, *metrics)
    predictions = {name: texts(PREDICTIONS[name]) for name in ("poor", "good")}
    assert result == expected(
        predictions, metrics=["accuracy", "cem_ord", "quadratic_weighted_kappa"]
    )


def test_options_reach_compare_systems(folder, capsys):
    clusters, strata = [i % 20 for i in range(N)], ["ab"[i % 2] for i in range(N)]
    weights = 0.5 + np.arange(N) % 3
    write(
        folder / "gold.csv",
        {
            "doc": IDS,
            "grade": texts(Y),
            "who": clusters,
            "where": strata,
            "weight": weights,
            "note": IDS,
        },
    )
    options = ["--id=doc,id", "--true=grade", "--pred=answer", "--weight=weight", "--clusters=who"]
    options += ["--strata=where", "--confidence-level=0.9", "--random-state=3"]
    result, _ = run(capsys, "gold.csv", "systems", *NAMED, *options)
    assert result == expected(
        sample_weight=weights,
        clusters=list(map(str, clusters)),
        strata=strata,
        confidence_level=0.9,
        random_state=3,
    )
    assert result["unit"] == "cluster"


def test_groups_are_ranked_too(folder, capsys):
    numbers = [9 + i % 2 for i in range(N)]
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y), "part": numbers})
    result, _ = run(capsys, "gold.csv", "systems", *NAMED, "--true=grade", "--by=part")
    assert result == expected(by=numbers)
    assert list(result["groups"]) == ["9", "10"]
    assert main(["compare", "gold.csv", "systems", *NAMED, "--true=grade", "--by=part"]) == 0
    assert "Values of cem_ord in each group" in capsys.readouterr().out


def test_margins_and_means_of_groups_reach_compare_systems(folder, capsys):
    parts = np.arange(N) % 2
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y), "part": parts})
    options = ["--labels=low,mid,high", "--true=grade", "--margin=0.2"]
    result, _ = run(capsys, "gold.csv", "systems", *options)
    assert result == expected(margin=0.2, n_resamples=None)
    assert (result["margin"], result["n_resamples"]) == (0.2, None)
    options += ["--by=part", "--overall=mean of groups"]
    result, _ = run(capsys, "gold.csv", "systems", *options)
    by = {"by": parts, "overall": "mean of groups"}
    assert result == expected(margin=0.2, n_resamples=None, **by)
    for left, right in ((["--by=part"], "need --by"), ([], "leave out --n-resamples")):
        others = [*options, "--n-resamples=9"]
        kept = [option for option in others if option not in left]
        assert right in error_of(capsys, "gold.csv", "systems", *kept)


@pytest.mark.usefixtures("folder")
def test_metric_all_is_all_metrics_of_predicted_classes_with_a_direction(capsys):
    files = ["systems/good.csv", "systems/fair.tsv"]
    options = ["--labels=low,mid,high", "--n-resamples=2", "--metrics=all"]
    result, _ = run(capsys, "gold.csv", *files, *options)
    of_labels = [name for name in get_metric_names() if get_metric(name).evidence.name == "labels"]
    ranking = [name for name in of_labels if get_metric(name).greater_is_better is not None]
    assert sorted(result["criteria"]) == ranking


def test_integers_need_no_labels_and_may_have_a_decimal_point(folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": Y})
    for name in ("good", "fair"):
        write(folder / f"{name}.csv", {"id": IDS, "grade": PREDICTIONS[name].astype(float)})
    result, _ = run(capsys, "gold.csv", "good.csv", "fair.csv", *FAST)
    predictions = {name: PREDICTIONS[name] for name in ("good", "fair")}
    assert result == expected(predictions, Y, labels=None)


def test_the_order_of_an_enum_is_that_of_the_classes(folder, capsys):
    grades = pl.Series(texts(Y), dtype=pl.Enum(LABELS))
    write(folder / "gold.parquet", {"id": IDS, "grade": grades})
    result, _ = run(capsys, "gold.parquet", "systems", *FAST)
    assert result == expected()


def test_missing_predictions_are_counted_only_if_asked_for(folder, capsys):
    is_missing = np.arange(N) % 10 == 3
    answers = [None if none else text for none, text in zip(is_missing, texts(Y), strict=True)]
    # An empty field, and no row at all.
    write(folder / "systems" / "empty.csv", {"id": IDS, "answer": answers})
    present = np.flatnonzero(~is_missing)
    write(folder / "systems" / "short.csv", {"id": IDS, "answer": texts(Y)}, order=present)
    missing = sorted(np.array(IDS)[is_missing].tolist())
    assert error_of(capsys, "gold.csv", "systems", *NAMED) == (
        f"2 of 5 systems have problems: systems/short.csv has no row for 6 ids of gold.csv: "
        f"{', '.join(map(repr, missing[:3]))}, ...; column 'answer' of systems/empty.csv has 6 of "
        f"60 rows without a class: use --unanswered count to accept them; --unanswered "
        f"count accepts missing predictions; --problems FILE lists all problems."
    )
    result, _ = run(capsys, "gold.csv", "systems", *NAMED, "--unanswered=count")
    predictions = {name: texts(PREDICTIONS[name]) for name in ("fair", "good", "poor")}
    predictions |= {"empty": answers, "short": answers}
    predictions = {name: predictions[name] for name in sorted(predictions)}
    assert result == expected(predictions, unanswered="count")
    assert n_unanswered(result)["short"] == 6


def n_unanswered(result):
    rows = [row for row in result["values"] if row["what"] == "value"]
    return {row["system"]: row["n_unanswered"] for row in rows}


def test_all_systems_with_problems_are_in_one_message(folder, capsys):
    write(folder / "systems" / "twice.csv", {"id": [*IDS, "d0", "d7"], "answer": ["low"] * (N + 2)})
    write(folder / "systems" / "other.csv", {"id": [*IDS[1:], "x1"], "answer": ["low"] * N})
    write(folder / "systems" / "typo.csv", {"id": IDS, "answer": ["hihg", *texts(Y)[1:]]})
    (folder / "systems" / "broken.csv").write_text("id,answer\nd0,low,mid\n", encoding="utf-8")
    text = error_of(capsys, "gold.csv", "systems", *NAMED, "--unanswered=count")
    assert text.startswith("4 of 7 systems have problems: ")
    for part in (
        "systems/broken.csv, line 2: has 3 fields",
        "systems/other.csv has rows for 1 id not in gold.csv: 'x1'",
        "systems/twice.csv has several rows for 2 ids: 'd0', 'd7'",
        "column 'answer' of systems/typo.csv has 1 of 60 rows with classes that are not among "
        "low, mid, high: 'hihg'",
    ):
        assert part in text


def test_every_file_with_a_problem_is_named(folder, capsys):
    for number in range(7):
        write(folder / f"s{number}.csv", {"id": ["x"], "answer": ["low"]})
    text = error_of(capsys, "gold.csv", *(f"s{i}.csv" for i in range(7)), *NAMED)
    assert text.startswith("7 of 7 systems have problems: s0.csv has rows for 1 id not in gold.csv")
    assert all(f"s{number}.csv has rows for" in text for number in range(7))
    assert "; --unanswered count accepts missing predictions; --problems FILE lists " in text


def test_answers_that_are_no_label_are_counted_as_unanswered_if_asked_for(folder, capsys):
    answers = [*texts(Y)[:-2], "I do not know", None]
    write(folder / "systems" / "chat.csv", {"id": IDS, "answer": answers})
    text = error_of(capsys, "gold.csv", "systems", *NAMED, "--unanswered=count")
    assert "'I do not know'; --labels must name all classes, or use --unknown count" in text
    result, _ = run(capsys, "gold.csv", "systems", *NAMED, "--unanswered=count", "--unknown=count")
    predictions = {**PREDICTIONS, "chat": [*answers[:-2], None, None]}
    predictions = {
        name: predictions[name] if name == "chat" else texts(predictions[name])
        for name in sorted(predictions)
    }
    assert result == expected(predictions, unanswered="count")
    assert n_unanswered(result)["chat"] == 2


def test_answers_that_are_no_integer_leave_the_others_integers(folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": Y})
    write(folder / "a.csv", {"id": IDS, "grade": [*map(str, Y[:-1]), "?"]})
    write(folder / "b.csv", {"id": IDS, "grade": [f"{y}.0" for y in Y]})
    options = ("--labels=0,1,2", "--unknown=count", *FAST)
    result, _ = run(capsys, "gold.csv", "a.csv", "b.csv", *options)
    assert n_unanswered(result) == {"a": 1, "b": 0}


def test_other_answers_need_an_order_and_other_true_classes_stay_an_error(folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": Y})
    for name in ("a.csv", "b.csv"):
        write(folder / name, {"id": IDS, "grade": Y})
    files = ("gold.csv", "a.csv", "b.csv", "--unknown=count")
    assert error_of(capsys, *files).endswith("highest with --labels.")
    text = error_of(capsys, *files, "--labels=0,1")
    assert (
        "column 'grade' of gold.csv has 20 of 60 rows with classes that are not among 0, 1" in text
    )
    assert "--unknown" not in text


def test_missing_answers_stay_an_error_if_only_unknown_answers_are_counted(folder, capsys):
    write(folder / "systems" / "chat.csv", {"id": IDS, "answer": [*texts(Y)[:-2], "?", None]})
    text = error_of(capsys, "gold.csv", "systems", *NAMED, "--unknown=count")
    assert "1 of 60 rows without a class: use --unanswered count" in text


def test_all_kinds_of_problems_of_a_file_are_named(folder, capsys):
    answers = [None, "lwo", *texts(Y)[2:]]
    write(folder / "systems" / "both.csv", {"id": IDS, "answer": answers})
    write(folder / "systems" / "ids.csv", {"id": ["x1", *IDS[1:]], "answer": answers})
    text = error_of(capsys, "gold.csv", "systems", *NAMED)
    assert text.startswith("2 of 5 systems have problems: ")
    for name in ("both", "ids"):
        unknown = f"column 'answer' of systems/{name}.csv has 1 of 60 rows with classes that are"
        assert f"{unknown} not among low, mid, high: 'lwo'" in text
    assert "column 'answer' of systems/both.csv has 1 of 60 rows without a class" in text
    assert "systems/ids.csv has no row for 1 id of gold.csv" in text


def test_a_file_lists_every_id_and_answer_with_a_problem(folder, capsys):
    answers = [None, "lwo", *texts(Y)[4:], "low", "high", "low", "mid"]
    ids = [*IDS[2:], IDS[3], "x2", "x1", None]
    columns = {"id": ids, "answer": answers}
    write(folder / "systems" / "many.csv", columns, order=np.arange(len(ids)))
    (folder / "systems" / "broken.csv").write_text("id,answer\nd0,low,mid\n", encoding="utf-8")
    command = ["gold.csv", "systems", *NAMED]
    text = error_of(capsys, *command, "--problems=list.csv")
    assert text.endswith("; list.csv lists all problems.")
    frame = pl.read_csv(folder / "list.csv")
    assert frame.columns == ["file", "problem", "id", "answer"]
    (broken, message, *_), *rows = frame.rows()
    assert broken == "systems/broken.csv"
    assert message.startswith("systems/broken.csv, line 2: has 3 fields")
    assert rows == [
        ("systems/many.csv", *row)
        for row in (
            ("no id", None, "mid"),
            ("no row", IDS[0], None),
            ("no row", IDS[1], None),
            ("no answer", IDS[2], None),
            ("id occurs before", IDS[3], "low"),
            ("not a class", IDS[3], "lwo"),
            ("not in gold.csv", "x1", "low"),
            ("not in gold.csv", "x2", "high"),
        )
    ]
    # Answers that are counted are no problem.
    error_of(capsys, *command, "--problems=list.csv", "--unanswered=count", "--unknown=count")
    problems = pl.read_csv(folder / "list.csv")["problem"][1:].to_list()
    assert problems == ["no id", "id occurs before", "not in gold.csv", "not in gold.csv"]


def test_the_list_of_problems_knows_classes_without_labels(folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": Y})
    write(folder / "a.csv", {"id": IDS, "grade": ["?", *map(str, Y[1:])]})
    write(folder / "b.csv", {"id": IDS, "grade": [f"{y}.0" for y in Y]})
    error_of(capsys, "gold.csv", "a.csv", "b.csv", *FAST, "--problems=list.csv")
    assert pl.read_csv("list.csv").rows() == [("a.csv", "not a class", IDS[0], "?")]
    # The order in the type of a system is the order of all systems.
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y)})
    write(folder / "a.parquet", {"id": IDS, "grade": pl.Series(texts(Y), dtype=pl.Enum(LABELS))})
    error_of(capsys, "gold.csv", "a.parquet", "b.csv", *FAST, "--problems=list.csv")
    assert pl.read_csv("list.csv")["problem"].to_list() == ["not a class"] * N
    # Without an order, the gold file has the problem.
    text = error_of(capsys, "gold.csv", "a.csv", "b.csv", *FAST, "--problems=list.csv")
    assert text.startswith("column 'grade' of gold.csv has classes that are not integers")


@pytest.mark.usefixtures("folder")
def test_the_list_of_problems_has_only_its_header_if_there_are_none(folder, capsys):
    result, _ = run(capsys, "gold.csv", "systems", *NAMED, "--problems=list.csv")
    assert result == expected()
    assert (folder / "list.csv").read_text(encoding="utf-8") == "file,problem,id,answer\n"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--problems=gold.csv"], "argument --problems: 'gold.csv' would replace the input gold"),
        (["--problems=-"], "argument --problems: expected the name of a file, got '-'."),
        (["--problems=no/list.csv"], "argument --problems: cannot write to 'no/list.csv': give a"),
        (["--problems=a.csv", "--output=a.csv"], "--problems and --output must be different files"),
    ],
)
def test_the_list_of_problems_replaces_no_other_file(options, message, capsys):
    assert error_of(capsys, "gold.csv", "systems", *NAMED, *options).startswith(message)


def test_problems_of_the_gold_file_come_alone(folder, capsys):
    write(folder / "gold.csv", {"id": ["d0", "d0", None], "grade": ["low", "mid", "mid"]})
    assert error_of(capsys, "gold.csv", "systems", *NAMED) == (
        "gold.csv has no id in 1 row; gold.csv has several rows for 1 id: 'd0'."
    )
    write(folder / "gold.csv", {"id": IDS, "grade": [None, *texts(Y)[1:]]})
    assert error_of(capsys, "gold.csv", "systems", *NAMED).startswith(
        "column 'grade' of gold.csv has 1 of 60 rows without a class: leave them out or fill them."
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("weight", "gold.csv: column 'more' must hold finite, non-negative numbers, got an empty "),
        ("clusters", "column 'more' of gold.csv has 1 of 60 rows without a cluster: fill them."),
        ("strata", "column 'more' of gold.csv has 1 of 60 rows without a stratum: fill them."),
        ("by", "column 'more' of gold.csv has 1 of 60 rows without a group: fill them."),
    ],
)
def test_missing_weights_clusters_and_groups_are_refused(option, message, folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y), "more": [None, *range(1, N)]})
    text = error_of(capsys, "gold.csv", "systems", *NAMED, "--true=grade", f"--{option}=more")
    assert text.startswith(message)


def test_types_with_different_orders_are_refused(folder, capsys):
    for name, order in (("a", LABELS), ("b", LABELS[::-1])):
        answers = pl.Series(texts(Y), dtype=pl.Enum(order))
        write(folder / f"{name}.parquet", {"id": IDS, "answer": answers})
    text = error_of(capsys, "gold.csv", "a.parquet", "b.parquet", *FAST)
    assert "have different orders, low, mid, high and high, mid, low" in text


@pytest.mark.usefixtures("folder")
def test_strings_without_an_order_ask_for_it(capsys):
    text = error_of(capsys, "gold.csv", "systems", *FAST)
    assert "classes that are not integers, 'high', 'low', 'mid', whose order is not known" in text
    assert "--labels low,mid,high" in text


def test_ids_are_compared_as_text(folder, capsys):
    numbers = list(range(N))
    write(folder / "gold.parquet", {"id": numbers, "grade": texts(Y)})
    for name in ("a", "b"):
        write(folder / f"{name}.csv", {"id": numbers, "answer": texts(PREDICTIONS["good"])})
    result, _ = run(capsys, "gold.parquet", "a.csv", "b.csv", *NAMED)
    assert result["winners"]["cem_ord"] == ["a", "b"]
    write(folder / "c.csv", {"id": [f"{i:03d}" for i in numbers], "answer": texts(Y)})
    text = error_of(capsys, "gold.parquet", "a.csv", "c.csv", *NAMED)
    assert "c.csv has rows for 60 ids not in gold.parquet: '000', '001', '002', ..." in text


def test_other_files_of_a_folder_are_no_systems(folder, capsys):
    (folder / "systems" / ".hidden.csv").write_text("nothing", encoding="utf-8")
    result, warnings = run(capsys, "gold.csv", "systems", *NAMED)
    assert not warnings
    (folder / "systems" / "notes.md").write_text("nothing", encoding="utf-8")
    (folder / "systems" / "old").mkdir()
    write(folder / "systems" / "gold.csv", {"id": IDS, "grade": texts(Y)})
    result, warnings = run(capsys, "systems/gold.csv", "systems", *NAMED)
    assert result == expected()
    assert warnings.splitlines() == [
        "sklearn-ordinal: warning: systems also has 2 files of other types, not systems: "
        "'notes.md', 'old'.",
        "sklearn-ordinal: warning: systems/gold.csv is the gold file, so it is not a system.",
    ]


def test_systems_of_the_same_name_are_refused(folder, capsys):
    write(folder / "good.parquet", {"id": IDS, "answer": texts(Y)})
    assert error_of(capsys, "gold.csv", "systems", "good.parquet", *NAMED) == (
        "systems/good.csv and good.parquet would both be named 'good': rename one of them."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["systems/good.csv"], "compare needs at least two systems, got 1: "),
        (
            ["empty"],
            "empty has no file that ends in .csv, .tsv, .parquet, .jsonl or .ndjson: "
            "name the folder with the files of the systems.",
        ),
        (["systems", "--metrics=log_loss"], "log_loss is a metric of probabilities, and the "),
        (["systems", "--metrics=cem_rod"], "there is no metric 'cem_rod': did you mean cem_ord,"),
        (["systems", "--metrics=cem_ord,cem_ord"], "argument --metrics: expected each name once"),
        (["systems", "--id=a,b,c"], "argument --id: expected a column, or "),
        (
            ["systems", "--weight=grade", "--true=grade"],
            "gold.csv: column 'grade' must hold ",
        ),
        (["systems", "--n-resamples=0"], "argument --n-resamples: expected a positive in"),
        (["nowhere"], "nowhere does not exist: give the name of a file."),
        (["systems", "--confidence-level=95"], "argument --confidence-level: expected a number be"),
        (["systems", "--random-state=-1"], "argument --random-state: expected an integer from 0"),
        (["systems", "--metrics=max_error"], "max_error of scikit-learn is not defined for the cl"),
        (
            ["systems", "nowhere.csv"],
            "1 of 4 systems has problems: nowhere.csv does not exist: give the name of a file.",
        ),
        (["systems", "systems/good.csv"], "systems/good.csv is given twice: leave one out."),
        (["systems", "--id=doc"], "gold.csv has no column 'doc'; it has 'id', 'grade'."),
        (["systems", "--id=id,doc"], "3 of 3 systems have problems: systems/fair.tsv has no colu"),
    ],
)
def test_errors_name_what_is_wrong(arguments, message, folder, capsys):
    (folder / "empty").mkdir()
    assert error_of(capsys, "gold.csv", *NAMED, *arguments).startswith(message)


def test_columns_are_taken_by_default_only_if_there_is_no_choice(folder, capsys):
    write(folder / "wide.csv", {"id": IDS, "answer": texts(Y), "confidence": [0.5] * N})
    text = error_of(capsys, "gold.csv", "systems", "wide.csv", *NAMED)
    assert (
        "wide.csv has the columns 'answer', 'confidence' besides the ids: name the column "
        "of predicted classes with --pred"
    ) in text
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y), "rater": IDS})
    assert error_of(capsys, "gold.csv", "systems", *NAMED) == (
        "gold.csv has the columns 'grade', 'rater' besides the ids: name the column of "
        "true classes with --true."
    )


def test_too_many_integers_are_those_of_the_gold_file(folder, capsys):
    write(folder / "gold.csv", {"id": IDS, "grade": [0, *[5000] * (N - 1)]})
    for name in ("a", "b"):
        write(folder / f"{name}.csv", {"id": IDS, "answer": [0] * N})
    assert error_of(capsys, "gold.csv", "a.csv", "b.csv", *FAST).startswith(
        "column 'grade' of gold.csv has integers from 0 to 5000, which are too many classes:"
    )


@pytest.mark.usefixtures("folder")
def test_all_formats_rank_the_systems(capsys):
    for name, mark in (("text", "good  "), ("markdown", "| good |"), ("latex", "good &")):
        assert main(["compare", "gold.csv", "systems", *NAMED, "--format", name]) == 0
        assert mark in capsys.readouterr().out
    assert main(["compare", "gold.csv", "systems", *NAMED, "--format=csv"]) == 0
    header, first, *_ = capsys.readouterr().out.splitlines()
    assert header.startswith("criterion,system,against,group,what,estimate,low,high,standard_error")
    assert first.startswith("cem_ord,good,,,value,")


@pytest.mark.usefixtures("folder")
def test_each_file_is_read_once(capsys, monkeypatch):
    n_rows = {}
    look_at = DataFile._look_at

    def counting(file, batch, *arguments):
        n_rows[file.path] = n_rows.get(file.path, 0) + len(batch)
        return look_at(file, batch, *arguments)

    monkeypatch.setattr(DataFile, "_look_at", counting)
    run(capsys, "gold.csv", "systems", *NAMED)
    names = ("gold.csv", "systems/fair.tsv", "systems/good.csv", "systems/poor.jsonl")
    assert n_rows == dict.fromkeys(names, N)


def with_countries(folder, countries):
    write(folder / "gold.csv", {"id": IDS, "grade": texts(Y), "country": countries})
    return ["gold.csv", "systems", *NAMED, "--true=grade", "--by=country"]


def test_groups_are_compared_as_compare_systems_compares_them(folder, capsys):
    countries = ["FR" if i % 3 else "IT" for i in range(N)]
    result, printed = run(capsys, *with_countries(folder, countries))
    assert not printed
    assert result == expected(by=countries)
    assert list(result["groups"]) == ["FR", "IT"]
    countries = [i % 11 for i in range(N)]
    result, _ = run(capsys, *with_countries(folder, countries))
    assert list(result["groups"]) == list(map(str, range(11)))


def test_the_column_of_groups_is_not_taken_for_that_of_the_classes(folder, capsys):
    arguments = with_countries(folder, [i % 2 for i in range(N)])
    arguments.remove("--true=grade")
    result, _ = run(capsys, *arguments)
    assert list(result["groups"]) == ["0", "1"]


@pytest.mark.parametrize("form", ["text", "html", "markdown", "latex", "csv"])
def test_every_format_has_the_groups(folder, capsys, form):
    arguments = with_countries(folder, ["FR" if i % 3 else "IT" for i in range(N)])
    assert main(["compare", *arguments, f"--format={form}"]) == 0
    printed = capsys.readouterr().out
    assert "FR" in printed
    assert ("in each group" in printed) == (form != "csv")


def test_a_group_without_a_comparison_is_a_warning_and_a_note(folder, capsys):
    arguments = with_countries(folder, ["FR" if i else "IT" for i in range(N)])
    assert main(["compare", *arguments]) == 0
    printed = capsys.readouterr()
    text = "Systems are not compared in IT (1 sample of positive weight, of at least 2)."
    assert text in printed.out
    assert text in printed.err


def test_groups_that_cannot_be_used_are_errors(folder, capsys):
    def error(countries, *more):
        return error_of(capsys, *with_countries(folder, countries), *more)

    half = ["FR" if i % 3 else "IT" for i in range(N)]
    assert error(["FR"] * N) == (
        "column 'country' of gold.csv has a single group: leave it out of --by."
    )
    assert error([None, *half[1:]]) == (
        "column 'country' of gold.csv has 1 of 60 rows without a group: fill them."
    )
    assert error(half, "--by=contry").startswith("gold.csv has no column 'contry'")
    assert error(list(range(N))).startswith("by must name a group in which the systems can be")
