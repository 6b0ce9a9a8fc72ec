"""Counts of PySpark dataframes, in local mode."""

import math
import shutil

import pytest
from hypothesis import given, settings

from sklearn_ordinal import OrdinalConfusion
from tests.core.test_table import NAMES, check_counts, check_groups, tables

pyspark_sql = pytest.importorskip(
    "pyspark.sql", reason="PySpark is not installed: pip install 'pyspark>=4'"
)
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="PySpark needs Java 17"),
    # Of PySpark, about its own imports, threads and sockets.
    pytest.mark.filterwarnings("ignore"),
]
TYPES = {
    "integers": "long",
    "floats": "double",
    "strings": "string",
    "booleans": "boolean",
}


@pytest.fixture(scope="module")
def in_spark():
    session = (
        pyspark_sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )

    def frame(table, kind):
        schema = f"grade {TYPES[kind]}, predicted {TYPES[kind]}, w double, g string"
        return session.createDataFrame(list(zip(*table.values(), strict=True)), schema)

    yield frame
    session.stop()


@settings(max_examples=5)
@given(tables().filter(lambda table: table[0] != "enums"))
def test_spark_has_the_counts_of_its_columns(in_spark, table):
    check_counts(in_spark, table, is_weighted=True)
    check_groups(in_spark, table)


def test_spark_names_bad_weights_with_their_number(in_spark):
    table = {
        "grade": ["low"] * 5,
        "predicted": ["mid"] * 5,
        "w": [math.nan, None, -1.0, math.inf, -math.inf],
        "g": ["a"] * 5,
    }
    with pytest.raises(ValueError, match="got 2 missing and 2 negative and 1 infinite of 5"):
        OrdinalConfusion.from_table(
            in_spark(table, "strings"), "grade", "predicted", labels=NAMES, sample_weight="w"
        )
