"""Names are strings, whatever container holds them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScale,
    compare_on_data_sets,
    compare_systems,
    cross_val_report,
    report_change,
    score_ladder,
)
from sklearn_ordinal._core.lookup import get_metrics
from sklearn_ordinal.inference import GroupDifference, compare_ranks
from sklearn_ordinal.meta_evaluation import OrdinalSystems

NAMES = ("a", "b", "c")
LABELS = [0, 1, 2]


def systems(names):
    return OrdinalSystems.from_predictions(LABELS, np.zeros((3, 3), int), names=names).names


def raters(names):
    return OrdinalRatings.from_ratings([[0, 1, 2], [1, 1, 2]], raters=names).raters


def classes(names):
    confusion = OrdinalConfusion.from_predictions(LABELS, LABELS)
    return OrdinalReport.from_confusion(confusion, target_names=names).target_names


def ranked(names):
    return compare_ranks([[1, 2, 3], [2, 1, 3]], names=names).names


def groups(names):
    return OrdinalConfusion(OrdinalScale(LABELS), np.ones((3, 3, 3), int), groups=names).groups


CALLS = {
    "names": [systems, ranked],
    "raters": [raters],
    "target_names": [classes],
    "groups": [groups],
}
ALL = [(argument, call) for argument, calls in CALLS.items() for call in calls]
CONTAINERS = {
    "list": list,
    "generator": lambda names: (name for name in names),
    "array": np.array,
    "array of objects": lambda names: np.array(names, dtype=object),
    "Series": pd.Series,
    "Index": pd.Index,
    "Categorical": pd.Categorical,
    "polars": pl.Series,
    "polars categories": lambda names: pl.Series(names, dtype=pl.Categorical),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda names: pa.chunked_array([names]),
    "pyarrow dictionary": lambda names: pa.array(names).dictionary_encode(),
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.parametrize("call", [call for _, call in ALL])
def test_names_are_the_same_strings_in_any_container(call, container):
    found = call(container(NAMES))
    assert found == NAMES
    assert {type(name) for name in found} <= {str, np.str_}


@pytest.mark.parametrize(
    "container",
    [
        list,
        lambda names: np.array(names, dtype=object),
        pd.Series,
        lambda names: pd.Series(names, dtype="string"),
        pl.Series,
        pa.array,
        lambda _: np.ma.array(NAMES, mask=[0, 1, 0]),
        lambda _: ["a", np.datetime64("NaT"), "c"],
        lambda _: ["a", float("nan"), "c"],
    ],
)
@pytest.mark.parametrize(("argument", "call"), ALL)
def test_missing_names_are_refused(argument, call, container):
    with pytest.raises(ValueError, match=f"^{argument} must not have missing values, got"):
        call(container(["a", None, "c"]))


@pytest.mark.parametrize(
    "names", [[b"a", b"b", b"c"], np.array([b"a", b"b", b"c"]), [["a"], "b", "c"]]
)
@pytest.mark.parametrize(("argument", "call"), ALL[:-1])
def test_what_is_no_name_is_refused(argument, call, names):
    with pytest.raises(ValueError, match=f"^{argument} must be strings, got"):
        call(names)


@pytest.mark.parametrize(("argument", "call"), ALL)
def test_frames_are_refused_as_names(argument, call):
    for frame in (pd.DataFrame({"name": NAMES}), pa.table({"name": NAMES})):
        with pytest.raises(ValueError, match=f"^{argument} must be a sequence of names"):
            call(frame)
    with pytest.raises(ValueError, match=f"^{argument} must be a sequence of names.* got <?Lazy"):
        call(pl.LazyFrame({"name": NAMES}))


def test_names_in_tables_are_checked_in_the_same_way():
    frame = pl.DataFrame({"item": [1, 1], "rater": [b"a", b"b"], "grade": [0, 1]})
    with pytest.raises(ValueError, match=r"^rater='rater' must be strings, got b'a'"):
        OrdinalRatings.from_table(frame)
    with pytest.raises(ValueError, match=r"^by must be strings, got b'a'"):
        GroupReport.from_predictions([0, 1], [0, 1], by=[b"a", b"b"])
    grades = pd.DataFrame([[0, 1], [1, 1]], columns=["a", None])
    with pytest.raises(ValueError, match=r"^raters must not have missing values, got"):
        OrdinalRatings.from_ratings(grades)
    with pytest.raises(ValueError, match=r"^names of predictions must not have missing values"):
        OrdinalSystems.from_predictions([0, 1], grades)


def test_many_names_are_checked_at_once():
    # Comparing each with each would take minutes.
    names = [*map(str, range(100_000)), "7"]
    with pytest.raises(ValueError, match=r"^names must have 3 names, each once, got '7' "):
        systems(names)
    with pytest.raises(ValueError, match=r"^labels must name each class once.* repeated: 7"):
        OrdinalScale.from_labels([*range(9_999), 7])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_repr_shows_a_name_on_one_line_and_cuts_it():
    name = "a\x1b[31m\n" + "b" * 200
    metrics = {name: "cem_ord"}
    predictions = [0, 1, 2, 0, 1, 1], [0, 1, 1, 0, 2, 1]
    confusion = OrdinalConfusion.from_predictions(*predictions)
    by, X = [0, 1] * 3, np.arange(6)[:, None]
    results = [
        get_metrics(metrics)[0],
        OrdinalReport.from_predictions(*predictions, metrics=metrics, zero_division=0),
        score_ladder(confusion, metrics),
        GroupReport.from_predictions(*predictions, by=by, metrics=metrics, n_permutations=0),
        report_change(confusion, confusion, metrics),
        cross_val_report(DummyClassifier(), X, [0, 1] * 3, cv=3, scoring=metrics),
        compare_on_data_sets(
            {name: DummyClassifier(), "b": DummyClassifier(), "c": DummyClassifier()},
            {"first": (X, [0, 1] * 3), "second": (X, [0, 1, 1] * 2)},
            cv=2,
            scoring=metrics,
        ),
    ]
    for result in results:
        text = repr(result)
        assert r"a\x1b[31m\nbbb" in text
        assert text.isprintable()
        assert len(text) < 150
    difference = GroupDifference(0.1, 0, 0.2, 0.95, lower_group=name, higher_group="\u202e")
    for text in (str(difference), *difference.to_text().splitlines()):
        assert text.isprintable()
        assert name[-60:] not in text


@pytest.mark.parametrize(
    "call",
    [
        lambda name: GroupReport.from_predictions([0, 1], [0, 1], by=[name, name]),
        lambda name: GroupReport.from_predictions([0, 1], [0, 1], by=[0, 1], **{name: 1}),
        lambda name: OrdinalScale.from_labels([name, name]),
        lambda name: OrdinalConfusion.from_table(pd.DataFrame({"a": [1]}), name, "a"),
        lambda name: OrdinalConfusion.from_table(pd.DataFrame({name: [1, None]}), name, name),
        lambda name: OrdinalConfusion.from_predictions([0], [0], labels=[name, 1]),
        lambda name: OrdinalRatings.from_ratings(pd.DataFrame({name: [[1]], "b": [1]})),
        lambda name: OrdinalConfusion.from_table(
            pd.DataFrame({"a": [1], name: ["x"]}), "a", "a", sample_weight=name
        ),
        lambda name: OrdinalSystems.from_predictions([1, 2], {name: [1, 2]}).subset(["d"]),
        lambda name: score_ladder([1, 2], metrics={name: "accuracy"}).plot("kendall_tau"),
        lambda name: ranked([name, name, name]),
        lambda name: systems([name, name, name]),
        lambda name: raters([name, name, name]),
        lambda name: classes([name, name, name]),
        lambda name: compare_systems([1, 2], {name: [1, 2], "b": [1]}),
        lambda name: compare_systems([1, 2], {name: [1], "b": [1, 2]}),
        lambda name: compare_systems([1, 2], {name: {"y": [1, 2]}, "b": [1, 2]}),
        lambda name: OrdinalSystems.from_predictions([1, 2], {name: [1], "b": [1, 2]}),
        lambda name: OrdinalConfusion.from_systems([1, 2], {name: [1], "b": [1, 2]}),
        lambda name: GroupReport.from_predictions([0, 1], [0, 1], by={name: [0], "b": [0, 1]}),
        lambda name: compare_on_data_sets({name: 1, "b": 1, "c": 1}, {}),
    ],
)
def test_long_values_are_cut_in_messages(call):
    with pytest.raises((ValueError, TypeError)) as error:
        call("x" * 100_000)
    assert len(str(error.value)) < 500


def test_the_path_of_a_file_that_cannot_be_read_is_cut():
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1])
    with pytest.raises(OSError, match="xxx…") as error:
        report_change("x" * 100_000, confusion)
    assert len(str(error.value)) < 300


def test_systems_whose_cut_names_are_equal_are_all_compared():
    first, second, third = ("x" * 60 + end for end in "abc")
    y_true = [0, 1, 1, 0]
    predictions = {first: [0, 1, 1, 0], second: [1, 0, 0, 1]}
    report = compare_systems(y_true, predictions, metrics="accuracy", n_resamples=9)
    accuracy = [score.estimate for score in report.scores["accuracy"].values()]
    assert accuracy == [1, 0]
    assert OrdinalConfusion.from_systems(y_true, predictions).counts.shape == (2, 2, 2)
    assert OrdinalSystems.from_predictions(y_true, predictions).names == (first, second)
    with pytest.raises(ValueError, match=r"predictions\['x+….*\(number 3\)"):
        OrdinalSystems.from_predictions(y_true, {**predictions, third: [0]})
