"""Counts of tables, by the library that holds the table."""

import math
import re
import sys
from datetime import date
from decimal import Decimal
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion
from tests.core.tables import (
    AWKWARD,
    NAMES,
    TYPES,
    arrow_table,
    check_counts,
    check_odd_names,
    counted,
)

# Of narwhals, to users of Dask: a part of it will need another package.
pytestmark = pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning")

NULLABLE = {
    pa.int64(): pd.Int64Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}


def without_dictionaries(table):
    """Return the table with dictionaries as strings, and the names of these columns."""
    names = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    for name in names:
        column = table[name].cast(pa.string())
        table = table.set_column(table.column_names.index(name), name, column)
    return table, names


def in_nullable_pandas(table):
    return table.to_pandas(types_mapper=NULLABLE.get)


def in_polars(table):
    table, names = without_dictionaries(table)
    return pl.from_arrow(table).with_columns(pl.col(names).cast(pl.Enum(NAMES)))


@cache
def connection():
    """Return a connection to DuckDB, whose older relations do not keep theirs open."""
    return pytest.importorskip("duckdb").connect()


def in_duckdb(table):
    table, names = without_dictionaries(table)
    enums = ", ".join(f"{name}::ENUM('low', 'mid', 'high') AS {name}" for name in names)
    relation = connection().from_arrow(table)
    return relation.project(f"* REPLACE ({enums})") if names else relation


def in_dask(table):
    dd = pytest.importorskip("dask.dataframe")
    # Dask makes strings of booleans that are Python objects.
    has_booleans = pa.bool_() in table.schema.types
    frame = in_nullable_pandas(table) if has_booleans else table.to_pandas()
    return dd.from_pandas(frame, npartitions=2)


ENGINES = {
    "pandas": lambda table: table.to_pandas(),
    "pandas, nullable": in_nullable_pandas,
    "polars": in_polars,
    "polars, lazy": lambda table: in_polars(table).lazy(),
    "pyarrow": lambda table: table,
    "duckdb": in_duckdb,
    "dask": in_dask,
}
VALUES = {
    "integers": st.integers(-2, 4),
    "floats": st.integers(-2, 4).map(float),
    "strings": st.sampled_from(NAMES),
    "enums": st.sampled_from(NAMES),
    "booleans": st.booleans(),
}


@pytest.fixture(autouse=True)
def _dask_in_this_thread():
    try:
        import dask
    except ImportError:
        yield
        return
    with dask.config.set(scheduler="synchronous"):
        yield


@st.composite
def tables(draw):
    """Tables with missing predictions, weights of zero and groups."""
    kind = draw(st.sampled_from(list(TYPES)))
    grade = VALUES[kind]
    missing = st.sampled_from([None, math.nan]) if kind == "floats" else st.none()
    # Sums of eighths are exact, in any order.
    weight = st.integers(0, 16).map(lambda eighths: eighths / 8)
    row = st.tuples(grade, grade | missing, weight, st.sampled_from("zyx"))
    columns = zip(*draw(st.lists(row, min_size=1, max_size=30)), strict=True)
    return kind, dict(zip(["grade", "predicted", "w", "g"], map(list, columns), strict=True))


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "dask"])
@settings(max_examples=20)
@given(tables(), st.booleans(), st.booleans())
def test_tables_have_the_counts_of_their_columns(engine, table, is_weighted, is_grouped):
    check_counts(ENGINES[engine], *table, is_weighted=is_weighted, is_grouped=is_grouped)


# Dask takes longer to plan an aggregation than the others to count.
@pytest.mark.parametrize("kind", TYPES)
def test_dask_has_the_counts_of_its_columns(kind):
    check_counts(in_dask, kind, AWKWARD[kind], is_weighted=True, is_grouped=True)


TABLE = {
    "grade": ["low", "mid", "high", "high", "low", "mid"],
    "predicted": ["low", "high", "high", "mid", "low", "mid"],
    "w": [1.0, 0.5, 0.25, 2.0, 1.0, 0.0],
    "g": ["b", "a", "b", "a", "b", "a"],
}


def changed(**columns):
    return TABLE | {
        name: [values.get(k, value) for k, value in enumerate(TABLE[name])]
        for name, values in columns.items()
    }


def in_memory(engine):
    return engine in ("pandas", "pandas, nullable", "polars", "pyarrow")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (
            changed(predicted={0: None, 4: None, 5: None}),
            {"labels": NAMES},
            r"y_pred='predicted' has missing values \(NaN, None or NA\), 3 of 6: pass unanswered",
        ),
        (
            changed(grade={0: None, 4: None}),
            {"labels": NAMES},
            r"y_true='grade' has missing values \(NaN, None or NA\), 2 of 6: (drop|fill)",
        ),
        (
            changed(predicted={1: "top", 2: "top", 3: "none"}),
            {"labels": NAMES},
            r"y_pred='predicted' has classes that are not in labels: \['none', 'top'\], 3 of 6 "
            r"values; labels are \['low', 'mid', 'high'\]",
        ),
        (
            changed(w={0: -1.0, 1: -math.inf, 2: math.inf, 3: None, 4: math.nan}),
            {"labels": NAMES, "sample_weight": "w"},
            (
                r"sample_weight='w' must hold finite, non-negative numbers, got 2 missing and 2 "
                r"negative and 1 infinite of 6 weights",
                "sample_weight must be finite, got NaN or infinite values",
            ),
        ),
        (
            changed(w=dict.fromkeys(range(6), 0.0)),
            {"labels": NAMES, "sample_weight": "w"},
            ("sample_weight='w' must not be all zero", "sample_weight must not be all zero"),
        ),
        (
            changed(g={0: None, 1: None}),
            {"labels": NAMES, "by": "g"},
            r"by='g' has missing values \(NaN, None or NA\)",
        ),
        (
            changed(w={0: math.nan}),
            {"labels": NAMES, "sample_weight": "w"},
            ("got 1 missing of 6 weights", "sample_weight must be finite"),
        ),
        (
            changed(w={0: 1e308, 4: 1.5e308}),
            {"labels": NAMES, "sample_weight": "w"},
            ("got an infinite sum of 6 weights", "sample_weight must add up to a number from"),
        ),
        (
            changed(w={0: 1e61}),
            {"labels": NAMES, "sample_weight": "w"},
            ("sample_weight='w' must add up to", "sample_weight must add up to a number from"),
        ),
        (
            changed(w=dict.fromkeys((1, 3, 5), 1e-70)),
            {"labels": NAMES, "sample_weight": "w", "by": "g"},
            ("sample_weight='w' must add up to", "counts must add up to a number from 1e-60 to"),
        ),
        (TABLE, {}, "y_true='grade' has string labels .* whose order is not known"),
        (TABLE, {"by": "country"}, "by must be a column of frame, got 'country'; it has 'grade'"),
        (TABLE, {"sample_weight": "u"}, "sample_weight must be a column of frame, got 'u'"),
        (
            TABLE,
            {"labels": NAMES, "sample_weight": "g"},
            (
                "sample_weight='g' must hold numbers, got String",
                "sample_weight must hold numbers, got ('b'|strings)",
            ),
        ),
        ({name: [] for name in TABLE}, {"labels": NAMES}, "frame must have at least one row"),
    ],
)
def test_what_cannot_be_counted_is_named_with_its_number(engine, table, options, message):
    if isinstance(message, tuple):
        message = message[in_memory(engine)]
    with pytest.raises(ValueError, match=message):
        counted(ENGINES[engine](arrow_table(table)), **options)


@pytest.mark.parametrize("engine", ENGINES)
def test_nan_and_null_are_missing_alike(engine):
    table = {
        "grade": [0.0, 0.0, 1.0, 2.0],
        "predicted": [math.nan, None, 1.0, 1.0],
        "w": [1.0, 1.0, 1.0, 1.0],
        "g": ["a", "a", "a", "a"],
    }
    frame = ENGINES[engine](arrow_table(table, "floats"))
    found = counted(frame, unanswered="count")
    assert found.unanswered.tolist() == [2, 0, 0]
    assert found.counts.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match="2 of 4"):
        counted(frame)


@pytest.mark.parametrize("engine", ENGINES)
def test_booleans_are_weights(engine):
    table = {"grade": [0, 1, 1], "predicted": [0, 0, 1], "w": [True, False, True]}
    found = counted(ENGINES[engine](pa.table(table)), sample_weight="w")
    assert found.counts.tolist() == [[1, 0], [0, 1]]
    assert found.is_weighted


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dtype", [pa.float64(), pa.float32(), pa.int64(), pa.uint8()])
def test_squared_weights_are_sums_of_floats_for_any_type_of_weights(engine, dtype):
    # The squares of the integers do not fit into 8 bits, nor into the 24 bits of float32.
    weight = [200, 1, 3, 250] if pa.types.is_integer(dtype) else [0.1, 2.5e10, 1 / 3, 7.0]
    table = {"grade": [0, 0, 1, 1], "predicted": [0, 0, 1, 0], "w": pa.array(weight, dtype)}
    found = counted(ENGINES[engine](pa.table(table)), sample_weight="w")
    first, second, third, fourth = (float(value) for value in table["w"].to_pylist())
    expected = [[first**2 + second**2, 0, 0], [fourth**2, third**2, 0]]
    np.testing.assert_allclose(found.squared_weights, expected, rtol=1e-12)


@pytest.mark.parametrize("reader", ["duckdb", "polars"])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.5, 0.25, math.nan], "got 1 missing of 3"),
        ([-1.5, math.nan, None], "got 2 missing and 1 negative of 3"),
        ([math.inf, math.nan, -math.inf], "got 1 missing and 1 negative and 1 infinite of 3"),
    ],
)
def test_bad_weights_in_files_are_counted(reader, weights, message, tmp_path):
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"grade": [0, 0, 0], "w": weights}).write_parquet(path)
    library = pytest.importorskip(reader)
    frame = library.read_parquet(str(path)) if reader == "duckdb" else pl.scan_parquet(path)
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_table(frame, "grade", "grade", sample_weight="w")


@pytest.mark.parametrize("engine", ["pandas", "polars", "polars, lazy", "pyarrow", "duckdb"])
def test_labels_of_32_bits_are_found_as_in_arrays(engine):
    # As a float of 32 bits, 0.1 is another number.
    column = pa.array([0.1, 0.5, 0.1], pa.float32())
    frame = ENGINES[engine](pa.table({"grade": column, "predicted": column}))
    assert counted(frame, labels=[0.1, 0.5]).counts.tolist() == [[2, 0], [0, 1]]
    with pytest.raises(ValueError, match=r"not in labels: \[0.5\], 1 of 3 values"):
        counted(frame, labels=[0.1, 0.2])


def test_labels_are_checked_before_rows_are_counted():
    def count(_rows):
        pytest.fail("rows are read")

    frame = pl.LazyFrame(TABLE).map_batches(count)
    with pytest.raises(
        ValueError, match="labels must name each class once, but these classes are repeated: low"
    ):
        counted(frame, labels=["low", "low"])


@pytest.mark.parametrize("engine", ENGINES)
def test_labels_override_the_order_of_the_type(engine):
    frame = ENGINES[engine](arrow_table(TABLE, "enums"))
    assert counted(frame).labels.tolist() == NAMES
    assert counted(frame, labels=NAMES[::-1]).labels.tolist() == NAMES[::-1]


LARGE = 2**53 + 1  # not a float
DAYS = [date(2024, 1, 1), date(2024, 1, 2)]


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_may_have_any_name(engine):
    check_odd_names(ENGINES[engine])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["*", "^y_.*$"])
def test_names_of_columns_are_no_patterns(engine, name):
    table = pa.table({"y_pred": [0, 0, 1], name: [0, 1, 1]})
    found = OrdinalConfusion.from_table(ENGINES[engine](table), name)
    assert found.counts.tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_may_have_the_names_of_the_aggregation_and_several_roles(engine):
    table = pa.table({"len": [0, 1], "weight": [1, 1], "y_pred": [2.0, 3.0], "n_rows": [0, 0]})
    frame = ENGINES[engine](table)
    found = OrdinalConfusion.from_table(frame, "len", "weight", sample_weight="y_pred", by="n_rows")
    assert found.counts.tolist() == [[[0, 2], [0, 3]]]
    found = OrdinalConfusion.from_table(frame, "len", "len", sample_weight="len", by="len")
    assert found.counts.tolist() == [[[0]], [[1]]]


@pytest.mark.parametrize("engine", ["pandas, nullable", "polars, lazy", "pyarrow", "duckdb"])
@pytest.mark.parametrize(
    ("arrow_type", "classes", "labels"),
    [
        (pa.int64(), [LARGE - 1, LARGE], None),
        (pa.uint64(), [2**63, 2**63 + 1], None),
        (pa.date32(), DAYS, DAYS),
        (pa.decimal128(5, 1), [Decimal("1.0"), Decimal("2.0")], [1, 2]),
        (pa.binary(), [b"a", b"b"], [b"a", b"b"]),
    ],
)
def test_values_of_any_type_are_exact(engine, arrow_type, classes, labels):
    low, high = classes
    columns = {"grade": [low, high, high], "predicted": [high, None, low]}
    table = pa.table({name: pa.array(values, arrow_type) for name, values in columns.items()})
    found = counted(ENGINES[engine](table), labels=labels, unanswered="count")
    assert found.labels.tolist() == (classes if labels is None else labels)
    assert found.counts.tolist() == [[0, 1], [1, 0]]
    assert found.unanswered.tolist() == [0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_null_and_nan_are_not_groups(engine):
    table = {"grade": [0, 0, 1], "predicted": [0, 1, 1], "g": [None, math.nan, 1.0]}
    with pytest.raises(ValueError, match="by='g' has missing values"):
        counted(ENGINES[engine](pa.table(table)), by="g")


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_unordered_categories_are_refused(library):
    frame = pa.table({name: pa.array(TABLE[name]).dictionary_encode() for name in TABLE})
    with pytest.raises(ValueError, match="y_true='grade' has unordered categories"):
        counted(ENGINES[library](frame))


def test_ordered_dictionaries_in_pandas_declare_the_order():
    frame = arrow_table(TABLE, "enums").to_pandas(types_mapper=pd.ArrowDtype)
    found = counted(frame)
    assert found.labels.tolist() == NAMES
    assert found.counts.tolist() == [[2, 0, 0], [0, 1, 1], [0, 1, 1]]


@pytest.mark.parametrize("engine", ["polars", "pyarrow", "duckdb"])
def test_nested_columns_are_refused(engine):
    frame = ENGINES[engine](pa.table({"grade": [[1], [2]], "predicted": [[1], [1]]}))
    with pytest.raises(ValueError, match="y_true='grade' must hold one value in each row, got Li"):
        counted(frame)


def test_names_of_columns_are_strings():
    frame = pd.DataFrame({0: [0, 1], 1: [1, 1]})
    with pytest.raises(ValueError, match="y_true must be the name of a column, a string, got 0"):
        OrdinalConfusion.from_table(frame, 0, 1)
    values = pl.Series([0, 1])
    with pytest.raises(ValueError, match=r"y_pred must be the name of a column.* got shape: .*:"):
        OrdinalConfusion.from_table(frame, "0", values)
    with pytest.raises(ValueError, match="sample_weight must be the name of a column"):
        OrdinalConfusion.from_table(frame, "0", "1", sample_weight=[1.0, 2.0])


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_columns_with_the_same_name_are_refused(library):
    names = ["grade", "predicted", "grade"]
    if library == "pandas":
        frame = pd.DataFrame([[0, 1, 1]], columns=names)
    else:
        frame = pa.table([pa.array([value]) for value in (0, 1, 1)], names=names)
    with pytest.raises(
        ValueError, match=r"^frame must have columns with different names: .* times"
    ):
        counted(frame)


def test_lists_in_a_column_of_pandas_are_refused():
    frame = pd.DataFrame({"grade": [[0], [1]], "predicted": [0, 1]})
    with pytest.raises(
        ValueError, match=r"y_true='grade' has labels of type list \[\[0\], \[1\]\]"
    ):
        counted(frame)


def test_types_that_are_ordered_differently_are_refused():
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.sql("SELECT 'a'::ENUM('a', 'b') AS grade, 'a'::ENUM('b', 'a') AS predicted")
    with pytest.raises(ValueError, match="ordered differently"):
        counted(frame)


def test_groups_of_several_columns_are_tuples_in_order():
    frame = pl.DataFrame(
        {
            "grade": [0, 1, 1, 0],
            "predicted": [0, 1, 0, 1],
            "country": ["PL", "ES", "ES", "PL"],
            "size": pl.Series(["s", "l", "s", "s"], dtype=pl.Enum(["s", "l"])),
        }
    )
    found = counted(frame, by=["country", "size"])
    assert found.groups == (("ES", "s"), ("ES", "l"), ("PL", "s"))
    assert found.counts.tolist() == [[[0, 0], [1, 0]], [[0, 0], [0, 1]], [[1, 1], [0, 0]]]
    assert counted(frame, by="grade").groups == (0, 1)
    np.testing.assert_array_equal(found.pooled(), counted(frame))


@pytest.mark.parametrize("engine", [*ENGINES][:-1])
def test_groups_are_python_objects(engine):
    frame = pl.DataFrame(
        {
            "grade": [0, 1, 1],
            "predicted": [0, 1, 0],
            "day": [date(2024, 1, day) for day in (3, 1, 3)],
            "part": [True, False, True],
            "number": [2, 1, 2],
        }
    )
    native = {
        "pandas": frame.to_pandas,
        "pandas, nullable": lambda: frame.to_pandas().convert_dtypes(dtype_backend="pyarrow"),
        "polars": lambda: frame,
        "polars, lazy": frame.lazy,
        "pyarrow": frame.to_arrow,
        "duckdb": lambda: connection().from_arrow(frame.to_arrow()),
    }
    (first, *others), (last, *same) = counted(native[engine](), by=["day", "part", "number"]).groups
    assert others == [False, 1]
    assert same == [True, 2]
    assert [type(value) for value in same] == [bool, int]
    # In pandas, days are timestamps.
    assert [getattr(day, "date", lambda day=day: day)() for day in (first, last)] == [
        date(2024, 1, 1),
        date(2024, 1, 3),
    ]


def test_groups_of_timestamps_that_are_python_objects_stay_timestamps():
    days = pd.Series(pd.to_datetime(DAYS), dtype=object)
    frame = pd.DataFrame({"grade": [0, 1], "predicted": [0, 1], "day": days})
    groups = counted(frame, by="day").groups
    assert [type(day) for day in groups] == [pd.Timestamp, pd.Timestamp]
    assert groups == tuple(days)


COLUMNS = {
    "integers beside None": pd.Series([LARGE, LARGE - 1, None, LARGE], dtype=object),
    "large nullable integers": pd.Series([LARGE, LARGE - 1, None, LARGE], dtype="Int64"),
    "large Arrow integers": pd.Series([LARGE, LARGE - 1, None, LARGE], dtype="int64[pyarrow]"),
    "large polars integers": pl.Series([LARGE, LARGE - 1, None, LARGE]),
    "large pyarrow integers": pa.array([LARGE, LARGE - 1, None, LARGE]),
    "floats": pd.Series([2.0, 1.0, math.nan, 2.0]),
    "polars floats": pl.Series([2.0, 1.0, math.nan, 2.0]),
    "objects": pd.Series(["b", "a", None, "b"], dtype=object),
    "strings": pd.Series(["b", "a", None, "b"], dtype="str"),
    "nullable strings": pd.Series(["b", "a", None, "b"], dtype="string"),
    "polars strings": pl.Series(["b", "a", None, "b"]),
    "polars categories": pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
    "pyarrow strings": pa.array(["b", "a", None, "b"]),
    "unordered categories": pd.Series(pd.Categorical(["b", "a", None, "b"], ["b", "a"])),
    "ordered categories": pd.Series(
        pd.Categorical(["b", "a", None, "b"], ["b", "a"], ordered=True)
    ),
    "digits": pd.Series(["2", "1", None, "2"]),
    "booleans": pd.Series([True, False, None, True], dtype=object),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_columns_in_a_frame_are_counted_like_columns(column):
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    y_true, y_pred = column[:2], column[2:]
    if isinstance(column, pd.Series):
        y_pred = y_pred.reset_index(drop=True)
    frame = make[type(column).__module__.split(".")[0]]({"grade": y_true, "predicted": y_pred})
    values = column.to_pylist() if isinstance(column, pa.Array) else column.to_list()
    found = counted(frame, labels=values[:2], unanswered="count")
    assert found.labels.tolist() == values[:2]
    assert found.counts.tolist() == [[0, 0], [1, 0]]
    assert found.unanswered.tolist() == [1, 0]
    for options in ({"unanswered": "count"}, {}, {"labels": values[:1], "unanswered": "count"}):
        of_frame = outcome(counted, frame, **options)
        of_columns = outcome(OrdinalConfusion.from_predictions, y_true, y_pred, **options)
        assert of_frame == of_columns
    assert "not in labels" in of_frame


def outcome(function, *args, **options):
    """Return what a function counts, or its error without the name of the column."""
    try:
        found = function(*args, **options)
    except ValueError as error:
        return re.sub("^(y_[a-z]+)='[a-z]*'", r"\1", str(error))
    return [found.labels.tolist(), found.counts.tolist(), found.unanswered.tolist()]


def test_wide_integers_of_databases_are_integers():
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.sql("SELECT 1::HUGEINT AS grade, 2::TINYINT AS predicted")
    assert counted(frame).labels.tolist() == [1, 2]


def test_a_column_of_probabilities_is_refused():
    frame = pl.DataFrame({"grade": [0, 1], "predicted": [0.25, 0.5]})
    with pytest.raises(ValueError, match="y_pred='predicted' must contain classes, got contin"):
        counted(frame)


def test_only_so_many_rows_are_read(monkeypatch):
    monkeypatch.setattr("sklearn_ordinal._core.dataframes.MAX_ROWS", 3)
    with pytest.raises(ValueError, match="more than 3 different rows of grade, predicted"):
        counted(pl.DataFrame({"grade": range(4), "predicted": range(4)}).lazy())


@pytest.mark.parametrize("frame", [[1, 2], {"grade": [0]}, np.eye(2), pl.Series([0])])
def test_a_frame_is_a_table(frame):
    with pytest.raises(ValueError, match="frame must be a table that narwhals supports"):
        counted(frame)


@pytest.mark.parametrize("reader", ["duckdb", "polars"])
def test_files_are_counted_without_reading_them_first(reader, tmp_path):
    path = tmp_path / "rows.parquet"
    rng = np.random.default_rng(0)
    grade, predicted = rng.integers(5, size=(2, 10_000))
    pl.DataFrame({"grade": grade, "predicted": predicted}).write_parquet(path)
    library = pytest.importorskip(reader)
    frame = library.read_parquet(str(path)) if reader == "duckdb" else pl.scan_parquet(path)
    expected = OrdinalConfusion.from_predictions(grade, predicted)
    np.testing.assert_array_equal(counted(frame), expected)


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if not in_memory(engine)])
def test_one_aggregation_returns_a_row_for_each_pair(engine, monkeypatch):
    import narwhals

    sizes, collect = [], narwhals.LazyFrame.collect

    def recorded(*args, **options):
        rows = collect(*args, **options)
        sizes.append(len(rows))
        return rows

    monkeypatch.setattr(narwhals.LazyFrame, "collect", recorded)
    grade, predicted = np.random.default_rng(0).integers(3, size=(2, 1_000)).tolist()
    table = {"grade": grade, "predicted": predicted, "w": [0.5] * 1_000, "g": ["a", "b"] * 500}
    found = counted(ENGINES[engine](arrow_table(table, "integers")), sample_weight="w", by="g")
    assert sizes == [2 * 3 * 3]
    assert found.counts.sum() == 500


def test_workers_of_a_cluster_count(tmp_path):
    distributed = pytest.importorskip("distributed")
    dask, dd = pytest.importorskip("dask"), pytest.importorskip("dask.dataframe")
    grade, predicted = np.random.default_rng(0).integers(5, size=(2, 1_000))
    frame = pd.DataFrame({"grade": grade, "predicted": predicted})
    expected = OrdinalConfusion.from_predictions(grade, predicted)
    with (
        dask.config.set(scheduler=None),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster),
    ):
        found = counted(dd.from_pandas(frame, npartitions=4))
    np.testing.assert_array_equal(found, expected)


def test_the_extra_is_named_where_narwhals_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ImportError, match=r'pip install "sklearn_ordinal\[tables\]"'):
        counted(pl.DataFrame(TABLE))
