"""Reading the grades of several raters, and resampling their items."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, compare_judge
from sklearn_ordinal._core.evidence_kinds import RATINGS
from sklearn_ordinal.metrics import agreement_score, prmse_score

GRADES = [[1, 1, 2], [3, 3, None], [1, 1, 2], [None, 1, None], [None, None, None]]
LABELS = ["low", "mid", "high"]


def matrix_of(ratings):
    """Return the grades as labels, None where there is none."""
    positions = ratings.patterns[ratings.pattern]
    return [[None if k < 0 else ratings.labels[k].item() for k in row] for row in positions]


def test_items_with_the_same_grades_have_the_same_pattern():
    ratings = OrdinalRatings.from_ratings(GRADES)
    assert matrix_of(ratings) == GRADES
    assert len(ratings.patterns) == 4
    assert ratings.pattern[0] == ratings.pattern[2]
    assert sorted(ratings.weights) == [1, 1, 1, 2]
    assert ratings.n_grades.tolist() == [3, 2, 3, 1, 0]
    assert ratings.n_samples == 5
    assert ratings.raters == ("rater 1", "rater 2", "rater 3")
    assert ratings.items is None
    assert not ratings.is_weighted
    assert repr(ratings) == (
        "OrdinalRatings of 5 items by 3 raters over the classes [1, 2, 3], 1 item with no grade, "
        "1 item with a single grade"
    )
    assert "stack of 2 x 1," in repr(ratings.reweighted(np.ones((2, 1, 4))))
    assert repr(OrdinalRatings.from_ratings([[1, 2]])).startswith("OrdinalRatings of 1 item by 2 r")


AS_WORDS = [[None if g is None else LABELS[g - 1] for g in item] for item in GRADES]
CATEGORIES = pd.CategoricalDtype(LABELS, ordered=True)
FLOATS = np.array(GRADES, dtype=float)


@pytest.mark.parametrize(
    ("grades", "options"),
    [
        (FLOATS, {}),
        (FLOATS.astype(np.float32), {}),
        (np.array(GRADES, dtype=object), {}),
        (np.ma.masked_invalid(FLOATS), {}),
        (pd.DataFrame(FLOATS), {}),
        (pd.DataFrame(FLOATS).astype("Int64"), {}),
        (pl.DataFrame(GRADES, orient="row"), {}),
        (pl.DataFrame(GRADES, orient="row").to_arrow(), {}),
        (AS_WORDS, {"labels": LABELS}),
        ([[np.nan if g is None else g for g in item] for item in AS_WORDS], {"labels": LABELS}),
        (np.array(AS_WORDS, dtype=object), {"labels": LABELS}),
        (pd.DataFrame(AS_WORDS), {"labels": LABELS}),
        (pd.DataFrame(AS_WORDS).astype(CATEGORIES), {}),
        (pl.DataFrame(AS_WORDS, orient="row").cast(pl.Enum(LABELS)), {}),
    ],
)
def test_every_container_is_read_alike(grades, options):
    ratings = OrdinalRatings.from_ratings(grades, **options)
    expected = OrdinalRatings.from_ratings(GRADES)
    np.testing.assert_array_equal(
        ratings.patterns[ratings.pattern], expected.patterns[expected.pattern]
    )
    assert ratings.labels.tolist() in ([1, 2, 3], LABELS)


def test_frames_name_the_raters_and_the_items():
    frame = pd.DataFrame(FLOATS, index=list("vwxyz"), columns=["Ann", "Bob", "Cy"])
    ratings = OrdinalRatings.from_ratings(frame)
    assert ratings.raters == ("Ann", "Bob", "Cy")
    assert ratings.items.tolist() == list("vwxyz")
    assert OrdinalRatings.from_ratings(frame.reset_index(drop=True)).items is None
    renamed = OrdinalRatings.from_ratings(frame, raters=["a", "b", "c"])
    assert renamed.raters == ("a", "b", "c")
    empty_column = frame.assign(Dan=np.nan)
    assert OrdinalRatings.from_ratings(empty_column).raters[3] == "Dan"


def test_weights_are_joined_by_id():
    frame = pd.DataFrame(FLOATS, index=list("vwxyz"))
    by_id = {"z": 5.0, "y": 4.0, "x": 3.0, "w": 2.0, "v": 1.0}
    for weight in (by_id, pd.Series(by_id), [1.0, 2, 3, 4, 5]):
        ratings = OrdinalRatings.from_ratings(frame, sample_weight=weight)
        assert ratings.sample_weight.tolist() == [1, 2, 3, 4, 5]
        assert ratings.is_weighted
        # Items 0 and 2 have the same pattern.
        assert ratings.weights[ratings.pattern].tolist() == [4, 2, 4, 4, 5]


def long_frame(grades=GRADES):
    return pd.DataFrame(
        [
            {"item": f"i{i}", "rater": f"r{j}", "grade": grade, "w": i + 1.0}
            for i, item in enumerate(grades)
            for j, grade in enumerate(item)
        ]
    ).sample(frac=1, random_state=0)


@pytest.mark.parametrize("engine", ["pandas", "polars", "lazy polars", "pyarrow", "duckdb"])
def test_tables_of_any_engine_are_read_alike(engine):
    frame = long_frame()
    if engine == "pyarrow":
        frame = pl.from_pandas(frame).to_arrow()
    elif "polars" in engine:
        frame = pl.from_pandas(frame)
        frame = frame.lazy() if "lazy" in engine else frame
    elif engine == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        frame = duckdb.from_df(frame)
    ratings = OrdinalRatings.from_table(frame, sample_weight="w")
    assert matrix_of(ratings) == GRADES
    assert ratings.items.tolist() == ["i0", "i1", "i2", "i3", "i4"]
    assert ratings.raters == ("r0", "r1", "r2")
    assert ratings.sample_weight.tolist() == [1, 2, 3, 4, 5]


def test_rows_that_are_not_in_the_table_are_missing_grades():
    frame = long_frame().dropna().rename(columns={"item": "id", "rater": "by", "grade": "g"})
    ratings = OrdinalRatings.from_table(frame, "id", "by", "g")
    assert matrix_of(ratings) == GRADES[:4]
    assert not ratings.is_weighted


def test_an_enum_declares_the_order_of_the_grades_of_a_table():
    words = pl.from_pandas(long_frame(AS_WORDS)).with_columns(pl.col("grade").cast(pl.Enum(LABELS)))
    assert matrix_of(OrdinalRatings.from_table(words)) == AS_WORDS


def test_repeated_grades_are_runs_of_a_rater():
    rows = [(1, "judge", 0), (1, "judge", 1), (1, "human", 1), (2, "judge", 2), (2, "human", 2)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "grade"])
    message = (
        "at most one grade of each rater for each item, but rater 'judge' grades item 1 several "
        "times: pass repeats='runs'"
    )
    with pytest.raises(ValueError, match=message):
        OrdinalRatings.from_table(frame)
    with pytest.raises(ValueError, match="several times, and 2 more such pairs: pass repeats="):
        OrdinalRatings.from_table(pd.concat([frame, frame[2:4]]))
    with pytest.raises(ValueError, match="several times, and 1 more such pair: pass repeats="):
        OrdinalRatings.from_table(pd.concat([frame, frame[2:3]]))
    ratings = OrdinalRatings.from_table(frame, repeats="runs")
    assert ratings.raters == ("human", "judge, run 1", "judge, run 2")
    assert matrix_of(ratings) == [[1, 0, 1], [2, 2, None]]


def test_many_raters_have_patterns_without_overflow():
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 7, (40, 90))
    names = list(map(str, range(90)))
    ratings = OrdinalRatings.from_ratings(np.vstack([grades, grades[::-1]]), raters=names)
    assert len(ratings.patterns) == 40
    assert matrix_of(ratings) == [*grades.tolist(), *grades[::-1].tolist()]


def test_raters_in_rows_are_questioned_unless_the_raters_are_named():
    rows = np.array([[1, 2, 3, 3, 2], [1, 2, 3, 2, 2]])
    message = (
        r"5 and 2\. If the rows are the raters, pass the transpose, such as ratings\.T; if not, "
        r"name all 5 raters with raters="
    )
    with pytest.warns(UserWarning, match=message):
        OrdinalRatings.from_ratings(rows)
    OrdinalRatings.from_ratings(rows, raters=list("abcde"))
    OrdinalRatings.from_ratings(rows.T)
    OrdinalRatings.from_ratings(rows[:, :2])
    # A single row is not a rater.
    OrdinalRatings.from_ratings(rows[:1], labels=[1, 2, 3])


@pytest.mark.parametrize("name", ["rownames", "id", "ID", " index", "Unnamed: 0"])
def test_a_column_with_the_name_of_ids_is_questioned(name):
    frame = pd.DataFrame({name: [3, 1, 2, 2], "Ann": [1, 2, 3, 1], "Bob": [1, 2, 3, 2]})
    message = (
        f"the column {name!r}, which has the name of ids but is read as a rater: drop it, or if it "
        f"is a rater, name all 3 raters with raters="
    )
    with pytest.warns(UserWarning, match=message):
        OrdinalRatings.from_ratings(frame)
    with pytest.warns(UserWarning, match=message):
        OrdinalRatings.from_ratings(pl.from_pandas(frame))
    OrdinalRatings.from_ratings(frame, raters=["a", "b", "c"])
    OrdinalRatings.from_ratings(frame.drop(columns=name))
    text = frame.assign(**{name: ["p0", "p1", "p2", "p3"]})
    for labels in (None, [1, 2, 3]):
        with pytest.raises(ValueError, match=rf"Drop ratings\[{name!r}\] if it holds ids rather"):
            OrdinalRatings.from_ratings(text, labels=labels)
    with pytest.raises(ValueError, match=r"or encode the classes as integers\.$"):
        OrdinalRatings.from_ratings(text.rename(columns={name: "Cy"}))


@pytest.mark.parametrize("first", [0, 1, 101])
@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_a_column_that_numbers_the_items_is_questioned(first, order):
    number, grades = np.arange(first, first + 20)[order], np.array([[1, 2, 1], [3, 3, 2]] * 10)
    message = "which numbers the items but is read as a rater: drop it, or if it is a rater, name"
    with pytest.warns(UserWarning, match=f"ratings has the first column, {message} all 4 raters"):
        OrdinalRatings.from_ratings(np.c_[number, grades])
    with pytest.warns(UserWarning, match=f"ratings has column 4, {message} all 4 raters"):
        OrdinalRatings.from_ratings(np.c_[grades, number].tolist())
    OrdinalRatings.from_ratings(grades)
    OrdinalRatings.from_ratings(np.c_[number, grades], raters=["a", "b", "c", "d"])


def test_grades_and_ranks_do_not_number_the_items():
    rng = np.random.default_rng(0)
    # Raters rank the items, one without ties and one with ties.
    ranks = [rng.permutation(20), np.arange(20), np.r_[0, 0, np.arange(2, 20)]]
    OrdinalRatings.from_ratings(np.transpose(ranks))
    # Few items may have consecutive grades by chance.
    OrdinalRatings.from_ratings([[1, 1], [2, 2], [3, 3], [4, 3], [5, 4]])
    OrdinalRatings.from_ratings([[k, 1] if k != 9 else [None, 1] for k in range(20)])
    letters = list("abcdefgh")
    OrdinalRatings.from_ratings([[letter, "a"] for letter in letters], labels=letters)


def test_honest_grades_are_rarely_taken_for_numbers_of_items():
    """Few items on a scale of many classes are the hardest case."""
    rng, n_tables, n_warnings = np.random.default_rng(0), 1_000, 0
    for _ in range(n_tables):
        n_items, n_classes = rng.integers(6, 12), rng.choice([7, 11, 101])
        truth = rng.integers(n_classes, size=(n_items, 1))
        grades = np.clip(truth + rng.integers(-1, 2, (n_items, 4)), 0, n_classes - 1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            OrdinalRatings.from_ratings(grades, labels=range(n_classes))
        n_warnings += len(caught)
    assert n_warnings <= 2


def test_ratings_are_equal_by_value_and_pickled_read_only():
    ratings = OrdinalRatings.from_ratings(GRADES, sample_weight=[1, 2, 3, 4, 5])
    copied = pickle.loads(pickle.dumps(ratings))
    assert copied == ratings
    assert hash(copied) == hash(ratings)
    assert copied != OrdinalRatings.from_ratings(GRADES)
    assert ratings != "ratings"
    for array in (copied.patterns, copied.pattern, copied.weights, copied.sample_weight):
        assert not array.flags.writeable


def test_what_does_not_depend_on_weights_is_computed_once():
    ratings = OrdinalRatings.from_ratings(GRADES)
    calls = []
    ratings.shared(calls.append)
    ratings.reweighted(np.zeros(4)).shared(calls.append)
    assert len(calls) == 1
    with pytest.raises(ValueError, match="compute must be a function of the evidence, got 3"):
        ratings.shared(3)
    with pytest.raises(ValueError, match=r"weights must have shape \(..., 4\), .* got \(3,\)"):
        ratings.reweighted(np.ones(3))


@pytest.mark.parametrize(
    ("weight", "finding"),
    [
        (np.nan, "weights must be finite, got NaN or infinite values"),
        (np.inf, "weights must be finite, got NaN or infinite values"),
        (-1.0, "weights must not be negative, the smallest is -1"),
    ],
)
def test_other_weights_are_checked_as_the_first_are(weight, finding):
    ratings = OrdinalRatings.from_ratings(GRADES)
    for weights in ([1, 1, weight, 1], [[1, 1, 1, 1], [1, weight, 1, 1]]):
        with pytest.raises(ValueError, match=finding):
            ratings.reweighted(weights)


def test_metrics_of_ratings_of_weight_zero_are_undefined():
    ratings = OrdinalRatings.from_ratings(GRADES).reweighted(np.zeros(4))
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(agreement_score(ratings, "krippendorff_alpha"))


@pytest.mark.parametrize("weight", [None, [1, 1, 2, 1, 1], [1, 1, 0, 1, 1]])
def test_a_resample_draws_items_with_a_grade(weight):
    ratings = OrdinalRatings.from_ratings(GRADES, sample_weight=weight)
    units = RATINGS.units([ratings])
    assert units.n_units == (4 if weight is None or weight[2] else 3)
    assert units.n_unanswered() == [0]
    ((only, kinds),) = units.each()
    np.testing.assert_array_equal(only.sizes[kinds], units.sizes)
    (together,) = units.all_together()
    is_graded = (ratings.patterns >= 0).any(axis=1)
    np.testing.assert_array_equal(together.weights, np.where(is_graded, ratings.weights, 0)[None])
    (resampled,) = next(units.resampled(np.random.default_rng(0), 50))
    assert resampled.weights.shape == (50, 4)
    if weight is None:
        assert set(resampled.weights.sum(axis=1)) == {4}
    (without,) = next(units.without_one())
    assert len(without.weights) == len(units.sizes)


@pytest.mark.parametrize(
    ("grades", "options", "message"),
    [
        ([[1], [2]], {}, "ratings must have a column for each of at least two raters, got one"),
        (pd.DataFrame(index=[0, 1]), {}, "at least two raters, got none"),
        ([[1, None], [None, 2]], {}, "one item with two grades, but none of the 2 items has more"),
        ([[1, None]], {"labels": [1, 2]}, "one item with two grades, but the item has 1"),
        (
            [[1, 2], [1, None], [None, 2]],
            {"sample_weight": [0, 1, 1]},
            "one item of positive weight with two grades, but none of the 2 items of positive wei",
        ),
        ([{1, 2}, {2, 3}], {}, r"got \{1, 2\} in place of a row"),
        ([{"a": 1, "b": 2}], {}, r"got \{'a': 1, 'b': 2\} in place of a row"),
        (
            pd.DataFrame([[1, 2]], index=pd.MultiIndex.from_tuples([(1, 2)])),
            {},
            "ratings must have an index with one level, .* got 2 levels: join them to one id",
        ),
        ([[None, None]], {}, "one item with two grades, but have no grade"),
        (pd.DataFrame({"a": [None], "b": [None]}), {}, "two grades, but have no grade"),
        ([[3, 3], [3, 3]], {}, r"a scale of at least two classes, got \[3\]: pass labels"),
        ([[1, 4]], {"labels": [1, 2, 3]}, r"ratings has classes that are not in labels: \[4\]"),
        ([["a", "b"]], {}, "ratings has string labels .*whose order is not known"),
        ([[0.5, 1]], {}, "ratings must contain classes, got continuous values"),
        ([1, 2, 3], {}, r"shape \(n_items, n_raters\), got 1 in place of a row: pass a table"),
        (["ab", "ba"], {}, r"shape \(n_items, n_raters\), got 'ab' in place of a row"),
        (np.arange(3), {}, r"ratings must have shape \(n_items, n_raters\), got \(3,\): pass a"),
        ([[1, 2], [1]], {}, "ratings must have rows of the same length"),
        ([], {}, "ratings must not be empty"),
        ([[1, 2]], {"raters": ["a"]}, r"raters must name each of the 2 raters, .* got \['a'\]"),
        ([[1, 2]], {"raters": ["a", "a"]}, "raters must name each of the 2 raters, with diff"),
        (pl.LazyFrame({"a": [1], "b": [2]}), {}, "ratings must hold its values, got a LazyFrame"),
        ([[1, 2]], {"raters": 3}, "raters must be a sequence of names, got 3"),
        (
            pd.DataFrame([[1, 2], [1, 2], [2, 2]], index=[7, 8, 8]),
            {},
            "ratings must have an index with a different id for each item, but 8 occurs several",
        ),
        (
            [[1, 2]],
            {"sample_weight": [1, 2]},
            r"sample_weight must have shape \(1,\), a .* in ratings, got \(2,\)",
        ),
        ([[1, 2]], {"sample_weight": [-1]}, "sample_weight must not be negative"),
        ([[1, 2]], {"sample_weight": {"x": 1}}, "sample_weight .* the items have no ids, but is a"),
        (
            pd.DataFrame([[1, 2], [1, 2]], index=["x", "y"]),
            {"sample_weight": {"x": 1}},
            "sample_weight must have a value for each item, but 1 of 2 items has none",
        ),
        (
            pd.DataFrame([[1, 2], [1, 2]], index=["x", None]),
            {},
            "ratings must have an index without missing values, the ids of the items: fill them",
        ),
        (
            OrdinalConfusion.from_predictions([0, 1], [1, 0]),
            {},
            "ratings must be an array, got OrdinalConfusion: pass it to a metric",
        ),
    ],
)
def test_ratings_without_agreement_or_order_are_refused(grades, options, message):
    with pytest.raises(ValueError, match=message) as error:
        OrdinalRatings.from_ratings(grades, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"item": "id"}, "item must be a column of frame, got 'id'; it has"),
        ({}, {"grade": 3}, "grade must be the name of a column, a string, got 3"),
        ({}, {"repeats": "mean"}, "repeats must be one of .*'runs'.*, got 'mean'"),
        ({"item": None}, {}, "item='item' has missing values .*: fill them or filter"),
        ({"rater": None}, {}, "rater='rater' has missing values .*: fill them or filter"),
        ({"rater": "r"}, {"repeats": "raise"}, "at most one grade of each rater"),
        (
            {"rater": [1, "1", "r"] * 5},
            {},
            "rater='rater' must have names that differ as strings, but '1' stands for several",
        ),
        ({"item": range(15)}, {}, "at least one item with two grades, but none of the 15 items"),
        (
            {"w": range(15)},
            {"sample_weight": "w"},
            "the same in all rows of an item, but differs f",
        ),
        ({"w": -1}, {"sample_weight": "w"}, "sample_weight='w' must not be negative"),
        ({"w": "x"}, {"sample_weight": "w"}, "sample_weight='w' must hold numbers"),
        ({}, {"labels": [1, 2]}, r"grade='grade' has classes that are not in labels: \[3\]"),
    ],
)
def test_tables_that_are_not_clear_are_refused(change, options, message):
    frame = long_frame().sort_values(["item", "rater"]).assign(**change)
    with pytest.raises(ValueError, match=message) as error:
        OrdinalRatings.from_table(frame, **options)
    assert "\n" not in str(error.value)


def test_a_table_without_rows_is_refused():
    with pytest.raises(ValueError, match="frame must have at least one row"):
        OrdinalRatings.from_table(long_frame()[:0])


def arguments(**changes):
    fields = {
        "scale": [0, 1, 2],
        "patterns": np.array([[0, 1], [2, -1]]),
        "pattern": np.array([0, 1, 1]),
        "raters": ("a", "b"),
    }
    return {**fields, **changes}


def test_the_constructor_takes_patterns():
    ratings = OrdinalRatings(**arguments(items=["x", "y", "z"]))
    assert ratings.weights.tolist() == [1, 2]
    assert ratings.labels.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scale": [0, 0]}, "scale must be an OrdinalScale or its labels"),
        ({"patterns": [[0.5, 1]]}, "patterns must be an array of integers with 2 axes, got float"),
        (
            {"patterns": [0, 1]},
            r"patterns must be an array of integers with 2 axes, .*\(2,\): pass",
        ),
        (
            {"patterns": [[0, 3], [0, 0]]},
            "patterns must hold positions on the scale, or -1, from -1 to 2, got 0",
        ),
        ({"pattern": [[0]]}, "pattern must be an array of integers with 1 axis, got int"),
        ({"pattern": [2]}, "pattern must hold positions of rows of patterns, from 0 to 1, got 2"),
        ({"raters": ("a",)}, "raters must name each of the 2 raters"),
        ({"items": [1, None, 2]}, "items has missing values .*: give each item an id"),
        ({"items": [{}, 1, 2]}, "items must hold ids such as numbers or strings: unhashable"),
        ({"sample_weight": [1, 1]}, r"sample_weight must have shape \(3,\), a .* in pattern, got"),
        ({"items": [1, 1, 2]}, "items must name each of the 3 items in pattern, with diff"),
        ({"sample_weight": [0, 0, 0]}, "sample_weight must not be all zero"),
        ({"weights": np.ones(3)}, r"weights must have shape \(..., 2\), a weight for each pattern"),
        ({"weights": [np.nan, 1]}, "weights must be finite"),
    ],
)
def test_fields_that_do_not_match_are_refused(changes, message):
    with pytest.raises(ValueError, match=message) as error:
        OrdinalRatings(**arguments(**changes))
    assert "\n" not in str(error.value)


def test_arithmetic_with_arrays_is_refused():
    ratings = OrdinalRatings.from_ratings(GRADES)
    with pytest.raises(TypeError):
        np.ones(2) * ratings
    with pytest.raises(ValueError, match="ratings must be an array, got OrdinalRatings: make on"):
        OrdinalRatings.from_ratings(ratings)
    assert agreement_score(ratings, "gwet_ac2") < 1


def test_values_of_other_items_are_left_out_with_a_warning():
    frame = pd.DataFrame([[1, 2], [2, 2]], index=["a", "b"])
    weight = {"c": 5.0, "b": 2.0, "a": 1.0, "d": 7.0}
    finding = "sample_weight has values for 2 items that are not in the ratings, such as 'c'"
    with pytest.warns(UserWarning, match=finding):
        ratings = OrdinalRatings.from_ratings(frame, sample_weight=weight)
    assert ratings.sample_weight.tolist() == [1, 2]


SIX = pd.DataFrame([[1, 1], [2, 3], [3, 3], [2, 2], [1, 1], [3, 2]])
JUDGE = pd.Series([1.0, 2, 3, 2, 1, 3])
ORDERS = {
    "reversed": lambda values: values[::-1],
    "shuffled": lambda values: values.sample(frac=1, random_state=0),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "ids",
    [
        range(6),
        range(0, 12, 2),
        list("abcdef"),
        [5, 3, 9, 1, 7, 2],
        [5.0, 4, 3, 2, 1, 0],
        pd.date_range("2023-01-01", periods=6),
    ],
)
def test_series_in_any_order_are_joined_by_id(ids, order):
    """A reversed default index is a RangeIndex, too."""
    wide = SIX.set_axis(list(ids))
    long = wide.rename_axis("item").reset_index().melt("item", var_name="rater")
    ratings = OrdinalRatings.from_table(long, grade="value")
    judge = JUDGE.set_axis(list(ids))
    in_order, moved = judge.loc[ratings.items].to_numpy(), ORDERS[order](judge)
    assert prmse_score(ratings, moved) == prmse_score(ratings, in_order)
    expected = compare_judge(ratings, in_order, metrics="accuracy", by=in_order > 1)
    assert compare_judge(ratings, moved, metrics="accuracy", by=moved > 1) == expected
    by_frame = pd.DataFrame({"grade": moved > 1})
    assert compare_judge(ratings, moved, metrics="accuracy", by=by_frame) == expected
    if list(ids) != list(range(6)):
        weighted = OrdinalRatings.from_ratings(wide, sample_weight=moved)
        assert weighted.sample_weight.tolist() == judge.tolist()


@pytest.mark.parametrize("order", ORDERS)
def test_series_in_another_order_are_refused_if_the_items_have_no_ids(order):
    ratings, moved = OrdinalRatings.from_ratings(SIX), ORDERS[order](JUDGE)
    assert ratings.items is None
    message = r"{} must be in the order of the items, since the items have no ids, but has an index"
    for name, read in {
        "judge": lambda: compare_judge(ratings, moved),
        r"judge\['a'\]": lambda: compare_judge(ratings, {"a": moved}),
        "y_score": lambda: prmse_score(ratings, moved),
        "by": lambda: compare_judge(ratings, JUDGE, metrics="accuracy", by=moved),
        "sample_weight": lambda: OrdinalRatings.from_ratings(SIX, sample_weight=moved),
    }.items():
        with pytest.raises(ValueError, match=message.format(name)) as error:
            read()
        assert "\n" not in str(error.value)
    # An index with the values 0, 1, ... need not be a RangeIndex.
    assert prmse_score(ratings, moved.sort_index()) == prmse_score(ratings, JUDGE.to_numpy())


def test_a_default_index_is_not_taken_for_ids_in_another_order():
    ratings = OrdinalRatings.from_ratings(SIX[::-1])
    message = r"y_score has the index 0, 1, ..., and the ids of the items are the same numbers in a"
    with pytest.raises(ValueError, match=message):
        prmse_score(ratings, JUDGE)
    assert prmse_score(ratings, JUDGE.to_dict()) == prmse_score(ratings, JUDGE.to_numpy()[::-1])
    # All ids occur, and the lengths differ, so the index does not stand for the order.
    some = OrdinalRatings.from_ratings(SIX[::2])
    with pytest.warns(UserWarning, match="y_score has values for 3 items that are not in the rat"):
        assert prmse_score(some, JUDGE) == prmse_score(some, JUDGE.to_numpy()[::2])


def test_several_values_of_an_item_are_refused():
    frame = pd.DataFrame([[1, 2], [2, 2]], index=["a", "b"])
    weight = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "b"])
    with pytest.raises(ValueError, match="one value for each item, but has several for 'b'"):
        OrdinalRatings.from_ratings(frame, sample_weight=weight)


def test_an_item_that_several_values_have_is_named_without_its_type():
    frame = pd.DataFrame([[1, 2], [2, 2]], index=[5, 6])
    weight = pd.Series([1.0, 2.0, 3.0], index=[5, 6, 6])
    with pytest.raises(ValueError, match="but has several for 6"):
        OrdinalRatings.from_ratings(frame, sample_weight=weight)


def test_the_way_out_for_an_index_in_another_order_works():
    ratings = OrdinalRatings.from_ratings(SIX)
    shuffled = JUDGE.sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match=r"y_score must be in .*: pass y_score.sort_index\(\), or"):
        prmse_score(ratings, shuffled)
    assert prmse_score(ratings, shuffled.sort_index()) == prmse_score(ratings, JUDGE)


def test_ids_of_another_type_are_named_beside_the_ids_of_the_items():
    frame = pd.DataFrame([[1, 2], [2, 2]], index=[5, 6])
    message = "2 of 2 items have none, such as 5: the ids in y_score are such as '5'; use the same"
    with pytest.raises(ValueError, match=message):
        prmse_score(OrdinalRatings.from_ratings(frame), {"5": 1, "6": 2})
