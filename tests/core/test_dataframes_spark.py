"""Counts of PySpark dataframes, in local mode.

Skipped if PySpark or Java is missing, unless SKLEARN_ORDINAL_NEEDS_SPARK is set.
"""

import math
import shutil

import pyarrow as pa
import pytest

from tests.core.tables import (
    AWKWARD,
    NAMES,
    arrow_table,
    check_counts,
    check_odd_names,
    counted,
)
from tests.optional import skip_without

# Of PySpark, about its own imports, threads and sockets.
pytestmark = pytest.mark.filterwarnings("ignore")
TYPES = {
    pa.int64(): "long",
    pa.float64(): "double",
    pa.string(): "string",
    pa.bool_(): "boolean",
}


@pytest.fixture(scope="module")
def in_spark():
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        skip_without("SPARK", "PySpark is not installed: pip install 'pyspark>=4,<5'")
    if shutil.which("java") is None:
        skip_without("SPARK", "PySpark needs Java 17 or later")
    session = (
        SparkSession.builder.master("local[1]")
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
