"""Results as JSON and back."""

import json
import math
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_ordinal.documents import dump, encoded, load


@dataclass(frozen=True, eq=False)
class Outer:
    value: object
    doubled: object = field(init=False, default=None)


@dataclass(frozen=True)
class Inner:
    low: float
    high: float


@dataclass(frozen=True)
class Custom:
    """Stored as the square of its number."""

    number: int

    def _to_json_fields(self):
        return {"square": self.number**2}

    @classmethod
    def _from_json_fields(cls, fields):
        return cls(math.isqrt(fields["square"]))


KNOWN = (Outer, Inner, Custom)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
DTYPES = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(),
    hnp.unsigned_integer_dtypes(),
    hnp.floating_dtypes(sizes=(16, 32, 64)),
    hnp.unicode_string_dtypes(max_len=5),
)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3))
VALUES = st.recursive(
    SCALARS | ARRAYS | st.builds(Inner, st.floats(), st.floats()),
    lambda items: (
        st.lists(items, max_size=3)
        | st.lists(items, max_size=3).map(tuple)
        | st.dictionaries(st.text(), items, max_size=3)
    ),
    max_leaves=8,
)


def round_trip(value, path):
    dump(Outer(value), path, package_version="1.0", known_types=KNOWN)
    return load(path, Outer, KNOWN).value


def assert_same(found, expected):
    """Compare values and types; NaN equals NaN."""
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        assert_same(found.ravel().tolist(), expected.ravel().tolist())
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            assert_same(*pair)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        assert_same(list(found.values()), list(expected.values()))
    elif isinstance(expected, Inner):
        assert_same((found.low, found.high), (expected.low, expected.high))
    elif isinstance(expected, float | np.floating) and math.isnan(expected):
        assert math.isnan(found)
    else:
        assert found == expected
        assert str(found) == str(expected)


@given(VALUES)
def test_values_survive_a_round_trip(tmp_path_factory, value):
    assert_same(round_trip(value, tmp_path_factory.mktemp("json") / "a.json"), value)


@pytest.mark.parametrize(
    "value",
    [
        np.array(["a", 1, 0.5, True, None, math.inf], dtype=object),
        np.array([["a"], ["b"]], dtype=object),
        np.empty((0, 3), dtype=object),
        np.array([1.5, 2.5], dtype=">f8"),
        np.array([[1, 2], [3, 4]], order="F"),
        np.float64(0.1),
        np.float32("nan"),
        np.int8(3),
        np.bool_(True),
        np.str_("é"),
        "half \ud800",
        {"tuple": [1], "float": "nan"},
        10**40,
        -0.0,
    ],
)
def test_special_values_survive_a_round_trip(tmp_path, value):
    assert_same(round_trip(value, tmp_path / "a.json"), value)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Decimal("0.1"), "decimal.Decimal"),
        ({1: 2}, "keys are not all strings"),
        ({"a", "b"}, "builtins.set"),
        (np.array(["2026-01-31"], dtype="datetime64[D]"), "dtype datetime64"),
        (np.array([Decimal(1)], dtype=object), "dtype object"),
        (np.array([1j]), "dtype complex128"),
        (np.longdouble(1), "longdouble"),
        (np.zeros(2, dtype=[("a", "f8")]), "numpy.ndarray"),
        (np.ma.masked_array([1.0]), "MaskedArray"),
        (print, "builtin_function"),
    ],
)
def test_unsupported_values_are_named_and_the_old_file_is_kept(tmp_path, value, name):
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(ValueError, match=f"{name}.*cannot be written to JSON|{name}"):
        round_trip(value, path)
    assert path.read_text() == "old"


def test_dataclasses_that_are_not_results_are_rejected(tmp_path):
    with pytest.raises(ValueError, match="Inner cannot be written to JSON"):
        dump(Outer(Inner(0, 1)), tmp_path / "a", package_version="1", known_types=(Outer,))


def test_results_may_define_what_is_stored(tmp_path):
    assert round_trip(Custom(12), tmp_path / "a.json") == Custom(12)
    assert encoded(Custom(12)) == {"type": "Custom", "fields": {"square": 144}}


def test_the_file_is_strict_json_with_its_format_and_versions(tmp_path):
    path = tmp_path / "a.json"
    dump(Outer(Inner(math.nan, 1)), path, package_version="1.2", known_types=KNOWN)

    def refuse(constant):
        raise AssertionError(constant)

    assert json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse) == {
        "format": "sklearn_ordinal",
        "schema_version": 1,
        "package_version": "1.2",
        "result": {
            "type": "Outer",
            "fields": {"value": {"type": "Inner", "fields": {"low": {"float": "nan"}, "high": 1}}},
        },
    }


def test_encoded_values_distinguish_types_and_nan_equals_nan():
    assert encoded(Inner(math.nan, 1.0)) == encoded(Inner(math.nan, 1.0))
    assert encoded((1,)) != encoded([1])
    assert encoded(np.zeros(2)) != encoded(np.zeros(2, dtype=np.float32))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"format": "other"}',
        '{"format": "sklearn_ordinal"}',
        "[" * 9999,
        '{"format": "sklearn_ordinal", "schema_version": 1, "result": {}}',
    ],
)
def test_other_files_are_rejected(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"other\.json is not JSON of sklearn_ordinal"):
        load(path, Inner, KNOWN)


def changed(path, **changes):
    dump(Inner(0.0, 1.0), path, package_version="9.9", known_types=KNOWN)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **changes}))
    return path


def test_the_error_for_files_of_newer_versions_says_to_update(tmp_path):
    path = changed(tmp_path / "a.json", schema_version=2)
    message = r"written by a newer version of sklearn_ordinal, 9\.9: update sklearn_ordinal\."
    with pytest.raises(ValueError, match=message):
        load(path, Inner, KNOWN)


def test_the_error_for_another_type_of_result_names_its_reader(tmp_path):
    path = changed(tmp_path / "a.json")
    with pytest.raises(ValueError, match=r"holds an Inner: read it with Inner\.from_json\."):
        load(path, Outer, KNOWN)


@pytest.mark.parametrize(
    "fields",
    [
        {"low": 0.0},
        {"low": 0.0, "high": 1.0, "middle": 0.5},
        {"low": {"type": "Unknown", "fields": {}}, "high": 1.0},
        {"low": {"float": "much"}, "high": 1.0},
        {"low": {"other": 1}, "high": 1.0},
        {"low": {"array": [1, 2], "dtype": "<i8", "shape": [3]}, "high": 1.0},
        {"low": {"array": [1], "dtype": "datetime64[D]", "shape": [1]}, "high": 1.0},
        None,
    ],
)
def test_damaged_results_are_rejected(tmp_path, fields):
    path = changed(tmp_path / "a.json", result={"type": "Inner", "fields": fields})
    with pytest.raises(ValueError, match="is not a complete Inner"):
        load(path, Inner, KNOWN)
