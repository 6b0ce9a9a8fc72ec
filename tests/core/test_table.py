"""Counts of tables, by the library that holds the table."""

import math
import sys
from datetime import date
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion

pytest.importorskip("narwhals")

# Of narwhals, to users of Dask: a part of it will need another package.
pytestmark = pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning")

NAMES = ["low", "mid", "high"]
TYPES = {
    "integers": pl.Int64,
    "floats": pl.Float64,
    "strings": pl.String,
    "enums": pl.Enum(NAMES),
    "booleans": pl.Boolean,
}


def in_polars(table, kind):
    types = {"grade": TYPES[kind], "predicted": TYPES[kind], "w": pl.Float64, "g": pl.String}
    return pl.DataFrame(
        {name: pl.Series(values, dtype=types[name]) for name, values in table.items()}
    )


def in_pandas(table, kind):
    frame = pd.DataFrame(table)
    if kind == "enums":
        for name in ("grade", "predicted"):
            frame[name] = pd.Categorical(table[name], NAMES, ordered=True)
    return frame


def in_nullable_pandas(table, kind):
    # Some versions of pandas warn when they try to make integers of infinite floats.
    with np.errstate(invalid="ignore"):
        return in_pandas(table, kind).convert_dtypes()


def in_pyarrow(table, kind):
    arrow = in_polars(table, "strings" if kind == "enums" else kind).to_arrow()
    if kind == "enums":
        # Not by polars, whose older versions do not say that an Enum is ordered.
        for number, name in enumerate(["grade", "predicted"]):
            codes = [None if value is None else NAMES.index(value) for value in table[name]]
            column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), NAMES, ordered=True)
            arrow = arrow.set_column(number, name, column)
    return arrow


def in_dask(table, kind):
    dd = pytest.importorskip("dask.dataframe")
    frame = in_pandas(table, kind)
    # Dask makes strings of booleans that are Python objects.
    return dd.from_pandas(frame.convert_dtypes() if kind == "booleans" else frame, npartitions=3)


@cache
def connection():
    """Return a connection to DuckDB, whose older relations do not keep theirs open."""
    return pytest.importorskip("duckdb").connect()


def in_duckdb(table, kind):
    connection().register(
        "rows_", in_polars(table, "strings" if kind == "enums" else kind).to_arrow()
    )
    names = dict.fromkeys(table, "")
    if kind == "enums":
        names |= dict.fromkeys(["grade", "predicted"], "::ENUM('low', 'mid', 'high')")
    return connection().sql(
        f"SELECT {', '.join(f'{name}{cast} AS {name}' for name, cast in names.items())} FROM rows_"
    )


ENGINES = {
    "pandas": in_pandas,
    "pandas, nullable": in_nullable_pandas,
    "polars": in_polars,
    "polars, lazy": lambda table, kind: in_polars(table, kind).lazy(),
    "pyarrow": in_pyarrow,
    "duckdb": in_duckdb,
    "dask": in_dask,
}
IN_PROCESS = [engine for engine in ENGINES if engine != "dask"]
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


def counted(frame, **options):
    return OrdinalConfusion.from_table(frame, "grade", "predicted", **options)


def check_counts(engine, table, is_weighted):
    kind, columns = table
    labels = NAMES if kind == "strings" else None
    y_true = columns["grade"]
    if kind == "enums":
        y_true = pd.Categorical(y_true, NAMES, ordered=True)
    is_weighted &= any(columns["w"])
    expected = OrdinalConfusion.from_predictions(
        y_true,
        columns["predicted"],
        labels=labels,
        sample_weight=columns["w"] if is_weighted else None,
        unanswered="count",
    )
    found = counted(
        engine(columns, kind),
        labels=labels,
        sample_weight="w" if is_weighted else None,
        unanswered="count",
    )
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.unanswered, expected.unanswered)
    assert found.counts.dtype == expected.counts.dtype
    assert found.is_weighted == expected.is_weighted
    assert found.groups == ()


def check_groups(engine, table):
    kind, columns = table
    labels = NAMES if kind == "strings" else None
    found = counted(engine(columns, kind), labels=labels, by="g", unanswered="count")
    assert found.groups == tuple(sorted(set(columns["g"])))
    classes = found.labels.tolist()
    counts, unanswered = np.zeros_like(found.counts), np.zeros_like(found.unanswered)
    rows = zip(columns["grade"], columns["predicted"], columns["g"], strict=True)
    for true, pred, group in rows:
        k, j = found.groups.index(group), classes.index(true)
        if pred is None or pred != pred:
            unanswered[k, j] += 1
        else:
            counts[k, j, classes.index(pred)] += 1
    np.testing.assert_array_equal(found.counts, counts)
    np.testing.assert_array_equal(found.unanswered, unanswered)


@pytest.mark.parametrize("engine", IN_PROCESS)
@given(tables(), st.booleans())
def test_tables_have_the_counts_of_their_columns(engine, table, is_weighted):
    check_counts(ENGINES[engine], table, is_weighted)


@pytest.mark.parametrize("engine", IN_PROCESS)
@given(tables())
def test_groups_are_counted_one_by_one(engine, table):
    check_groups(ENGINES[engine], table)


# Building a graph of tasks takes longer than the counting.
@settings(max_examples=8)
@given(tables(), st.booleans())
def test_dask_has_the_counts_of_its_columns(table, is_weighted):
    check_counts(in_dask, table, is_weighted)
    check_groups(in_dask, table)


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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (
            changed(predicted={0: None, 4: None, 5: None}),
            {"labels": NAMES},
            r"y_pred='predicted' has 3 of 6 rows without a value \(null or NaN\): pass unanswered",
        ),
        (
            changed(grade={0: None, 4: None}),
            {"labels": NAMES, "unanswered": "count"},
            r"y_true='grade' has 2 of 6 rows without a value",
        ),
        (
            changed(predicted={1: "top", 2: "top", 3: "none"}),
            {"labels": NAMES},
            r"y_pred='predicted' has 3 of 6 rows with classes that are not in labels: "
            r"\['none', 'top'\]; labels are \['low', 'mid', 'high'\]",
        ),
        (
            changed(w={0: -1.0, 1: -math.inf, 2: math.inf, 3: None}),
            {"labels": NAMES, "sample_weight": "w"},
            r"sample_weight='w' must hold finite, non-negative numbers, got 1 missing and 2 "
            r"negative and 1 infinite of 6 weights",
        ),
        (
            changed(w=dict.fromkeys(range(6), 0.0)),
            {"labels": NAMES, "sample_weight": "w"},
            "sample_weight='w' must not be all zero",
        ),
        (
            changed(g={0: None, 1: None}),
            {"labels": NAMES, "by": "g"},
            "by='g' has 2 of 6 rows without a value",
        ),
        (TABLE, {}, "y_true='grade' has string labels .* whose order is not known"),
        (TABLE, {"by": "country"}, "by must be a column of frame, got 'country'; it has 'grade'"),
        (TABLE, {"sample_weight": "u"}, "sample_weight must be a column of frame, got 'u'"),
        (
            TABLE,
            {"labels": NAMES, "sample_weight": "g"},
            "sample_weight='g' must hold numbers, got String",
        ),
        ({name: [] for name in TABLE}, {"labels": NAMES}, "frame must have at least one row"),
    ],
)
def test_what_cannot_be_counted_is_named_with_its_number(engine, table, options, message):
    with pytest.raises(ValueError, match=message):
        counted(ENGINES[engine](table, "strings"), **options)


@pytest.mark.parametrize("engine", IN_PROCESS)
def test_nan_and_null_are_missing_alike(engine):
    table = {
        "grade": [0.0, 0.0, 1.0, 2.0],
        "predicted": [math.nan, None, 1.0, 1.0],
        "w": [1.0, 1.0, 1.0, 1.0],
        "g": ["a", "a", "a", "a"],
    }
    found = counted(ENGINES[engine](table, "floats"), unanswered="count")
    assert found.unanswered.tolist() == [2, 0, 0]
    assert found.counts.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]
    with pytest.raises(ValueError, match="2 of 4 rows"):
        counted(ENGINES[engine](table, "floats"))


@pytest.mark.parametrize("engine", ENGINES)
def test_labels_override_the_order_of_the_type(engine):
    frame = ENGINES[engine](TABLE, "enums")
    assert counted(frame).labels.tolist() == NAMES
    assert counted(frame, labels=NAMES[::-1]).labels.tolist() == NAMES[::-1]


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


@pytest.mark.parametrize("engine", IN_PROCESS)
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


def test_wide_integers_of_databases_are_integers():
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.sql("SELECT 1::HUGEINT AS grade, 2::TINYINT AS predicted")
    assert counted(frame).labels.tolist() == [1, 2]


def test_columns_may_have_any_name():
    frame = pl.DataFrame({"n_rows": [0, 1], "weight": [1, 1], "y_pred": [2.0, 3.0]})
    found = OrdinalConfusion.from_table(frame, "n_rows", "weight", sample_weight="y_pred")
    assert found.counts.tolist() == [[0.0, 2.0], [0.0, 3.0]]


def test_a_column_of_probabilities_is_refused():
    frame = pl.DataFrame({"grade": [0, 1], "predicted": [0.25, 0.5]})
    with pytest.raises(ValueError, match="y_pred='predicted' must contain classes, got contin"):
        counted(frame)


def test_only_so_many_rows_are_read(monkeypatch):
    monkeypatch.setattr("sklearn_ordinal._tables._pairs.MAX_ROWS", 3)
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


@pytest.mark.parametrize("engine", ENGINES)
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
    found = counted(ENGINES[engine](table, "integers"), sample_weight="w", by="g")
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
