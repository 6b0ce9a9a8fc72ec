"""Counts of PySpark dataframes, in local mode."""

import math
import shutil

import pyarrow as pa
import pytest

from tests.core.test_table import (
    AWKWARD,
    NAMES,
    arrow_table,
    check_counts,
    check_odd_names,
    counted,
)

pyspark_sql = pytest.importorskip(
    "pyspark.sql", reason="PySpark is not installed: pip install 'pyspark>=4'"
)
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="PySpark needs Java 17"),
    # Of PySpark, about its own imports, threads and sockets.
    pytest.mark.filterwarnings("ignore"),
]
TYPES = {
    pa.int64(): "long",
    pa.float64(): "double",
    pa.string(): "string",
    pa.bool_(): "boolean",
}


@pytest.fixture(scope="module")
def in_spark():
    session = (
        pyspark_sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )

    def frame(table):
        names = ["`" + name.replace("`", "``") + "`" for name in table.column_names]
        types = [TYPES[column.type] for column in table.columns]
        schema = ", ".join(map(" ".join, zip(names, types, strict=True)))
        return session.createDataFrame(list(zip(*table.to_pydict().values(), strict=True)), schema)

    yield frame
    session.stop()


@pytest.mark.parametrize("kind", ["integers", "floats", "strings", "booleans"])
def test_spark_has_the_counts_of_its_columns(in_spark, kind):
    check_counts(in_spark, kind, AWKWARD[kind], is_weighted=True, is_grouped=True)


def test_spark_names_bad_weights_with_their_number(in_spark):
    table = {
        "grade": ["low"] * 5,
        "predicted": ["mid"] * 5,
        "w": [math.nan, None, -1.0, math.inf, -math.inf],
    }
    with pytest.raises(ValueError, match="got 2 missing and 2 negative and 1 infinite of 5"):
        counted(in_spark(arrow_table(table)), labels=NAMES, sample_weight="w")


def test_columns_of_spark_may_have_any_name(in_spark):
    check_odd_names(in_spark)
