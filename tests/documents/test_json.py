"""Results as JSON and back."""

import io
import json
import math
import tracemalloc
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_ordinal import __version__
from sklearn_ordinal._documents import Views, as_json, encoded, load, write_text


class Saved(Views):
    def to_dict(self):
        return {"half": 0.5}

    def _saved_fields(self):
        return encoded(self, KNOWN)["fields"]


@dataclass(frozen=True, eq=False)
class Outer(Saved):
    value: object
    doubled: object = field(init=False, default=None)


@dataclass(frozen=True, eq=False)
class Inner(Saved):
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
    write_text(path, as_json(Outer(value)))
    return load(path, Outer, KNOWN).value


def assert_same(found, expected):
    """Compare values and types; NaN equals NaN."""
    assert type(found) is type(expected)
    if isinstance(expected, np.ndarray):
        # Strings come back as wide as the longest, whatever the width of the array was.
        is_same = found.dtype.kind == "U" == expected.dtype.kind or found.dtype == expected.dtype
        assert is_same
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
        ({1: 2}, "other keys than strings"),
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
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match=f"{name}.*cannot be written to JSON|{name}"):
        round_trip(value, path)
    assert path.read_text(encoding="utf-8") == "old"


def test_dataclasses_that_are_not_results_are_rejected():
    with pytest.raises(ValueError, match="Inner cannot be written to JSON"):
        encoded(Outer(Inner(0, 1)), (Outer,))


def test_results_may_define_what_is_stored(tmp_path):
    assert round_trip(Custom(12), tmp_path / "a.json") == Custom(12)
    assert encoded(Custom(12)) == {"type": "Custom", "fields": {"square": 144}}


def test_json_has_the_numbers_of_the_dict_and_the_exact_fields():
    def refuse(constant):
        raise AssertionError(constant)

    assert json.loads(as_json(Outer(Inner(math.nan, 1))), parse_constant=refuse) == {
        "format": "sklearn_ordinal",
        "type": "Outer",
        "schema_version": 2,
        "package_version": __version__,
        "result": {"half": 0.5},
        "fields": {"value": {"type": "Inner", "fields": {"low": {"float": "nan"}, "high": 1}}},
    }


def test_numbers_are_on_lines_of_their_own_and_fields_on_one_line():
    text = as_json(Outer(Inner(0, 1)))
    assert '\n    "half": 0.5\n  },\n  "fields": {"value": {"type": "Inner", ' in text
    assert text.endswith("}\n}\n")


def test_results_without_fields_cannot_be_read_back(tmp_path):
    path = changed(tmp_path / "a.json", type="MetricCatalogue")
    with pytest.raises(ValueError, match="cannot read back, MetricCatalogue: pass a file written"):
        load(path, Inner, KNOWN)
    path = changed(tmp_path / "a.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["fields"]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match="is not a complete Inner"):
        load(path, Inner, KNOWN)


def test_open_files_are_read(tmp_path):
    path = changed(tmp_path / "a.json")
    with open(path, encoding="utf-8") as text, open(path, "rb") as data:
        for file in (text, data, io.StringIO(path.read_text(encoding="utf-8"))):
            assert load(file, Inner, KNOWN) == Inner(0.0, 1.0)
    with pytest.raises(ValueError, match="the file was not written by sklearn_ordinal"):
        load(io.StringIO("text"), Inner, KNOWN)


def test_the_text_of_a_result_is_not_taken_for_a_path(tmp_path):
    text = changed(tmp_path / "a.json").read_text(encoding="utf-8")
    message = r"^path must be a path .*: pass io.StringIO\(text\)\.$"
    for long_text in (text, text + " " * 5000):
        with pytest.raises(ValueError, match=message):
            load(long_text, Inner, KNOWN)


def test_files_of_version_1_are_read(tmp_path):
    result = encoded(Inner(0.0, 1.0), KNOWN)
    content = {"format": "sklearn_ordinal", "schema_version": 1, "package_version": "0.1.0"}
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**content, "result": result}), encoding="utf-8")
    assert load(path, Inner, KNOWN) == Inner(0.0, 1.0)


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
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"other\.json was not written by sklearn_ordinal"):
        load(path, Inner, KNOWN)


def changed(path, **changes):
    content = json.loads(as_json(Inner(0.0, 1.0)))
    path.write_text(json.dumps({**content, **changes}), encoding="utf-8")
    return path


def test_the_error_for_files_of_newer_versions_says_to_update(tmp_path):
    path = changed(tmp_path / "a.json", schema_version=3, package_version="9.9")
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
        {"low": {"array": [1], "dtype": "<f16", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1], "dtype": "i4,f8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1], "dtype": 8, "shape": [1]}, "high": 1.0},
        {"low": {"array": ["1"], "dtype": "<f8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [None], "dtype": "<f8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1.5], "dtype": "<i8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [True], "dtype": "<i8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [300], "dtype": "|u1", "shape": [1]}, "high": 1.0},
        {"low": {"array": [10**30], "dtype": "<i8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [10**400], "dtype": "<f8", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1e300], "dtype": "<f4", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1], "dtype": "<U1", "shape": [1]}, "high": 1.0},
        {"low": {"array": [[1]], "dtype": "object", "shape": [1]}, "high": 1.0},
        {"low": {"array": [1, 2], "dtype": "<i8", "shape": [-1]}, "high": 1.0},
        {"low": {"array": [1], "dtype": "<i8", "shape": [True]}, "high": 1.0},
        {"low": {"array": [1], "dtype": "<i8", "shape": [1] * 99}, "high": 1.0},
        {"low": {"array": [], "dtype": "<i8", "shape": [0, 10**30]}, "high": 1.0},
        {"low": {"array": "12", "dtype": "<U1", "shape": [2]}, "high": 1.0},
        {"low": {"scalar": [1], "dtype": "<i8"}, "high": 1.0},
        {"low": {"float": "1e5"}, "high": 1.0},
        {"low": {"float": 1.0}, "high": 1.0},
        {"low": {"tuple": {}}, "high": 1.0},
        {"low": {"dict": []}, "high": 1.0},
        {"low": {"dict": {}, "tuple": []}, "high": 1.0},
        {"low": {"type": ["Inner"], "fields": {}}, "high": 1.0},
        [],
        None,
    ],
)
def test_damaged_results_are_rejected(tmp_path, fields):
    path = changed(tmp_path / "a.json", fields=fields)
    with pytest.raises(ValueError, match="is not a complete Inner, write it again") as caught:
        load(path, Inner, KNOWN)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("schema_version", [0, -1, True, 1.0, "1", None])
def test_versions_that_were_never_written_are_rejected(tmp_path, schema_version):
    path = changed(tmp_path / "a.json", schema_version=schema_version)
    with pytest.raises(ValueError, match="because it has no valid version or result"):
        load(path, Inner, KNOWN)


def test_a_result_that_this_version_does_not_have_is_named(tmp_path):
    path = changed(tmp_path / "a.json", type="New\n\x1b")
    with pytest.raises(ValueError, match=r"cannot read back, New \\x1b: pass a file written"):
        load(path, Inner, KNOWN)


@pytest.mark.parametrize(
    ("part", "replacement", "reason"),
    [
        ('"low": 0.0', '"low": 1e999999', "too large for a float"),
        ('"low": 0.0', '"low": 0.0, "low": 1.0', "the same key twice"),
        ('"low": 0.0', '"low": ' + "9" * 5000, "integer"),
        ('"low": 0.0', '"low": ' + "[" * 110 + "]" * 110, "nested in more than 100 levels"),
        ('"low": 0.0', '"low": ' + "[" * 99_999 + "]" * 99_999, "recursion"),
        ('"format"', '\ufeff"format"', "JSON"),
        ('"low": 0.0', "", "JSON"),
    ],
)
def test_json_that_is_never_written_is_rejected(tmp_path, part, replacement, reason):
    path = changed(tmp_path / "a.json")
    text = path.read_text(encoding="utf-8")
    assert part in text
    path.write_text(text.replace(part, replacement), encoding="utf-8")
    with pytest.raises(ValueError, match=reason) as caught:
        load(path, Inner, KNOWN)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"\x00", b"\x80"])
def test_bytes_that_are_not_json_are_rejected(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="was not written by sklearn_ordinal"):
        load(path, Inner, KNOWN)


def test_paths_that_cannot_be_read_raise_an_os_error(tmp_path):
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(OSError, match=str(path)):
            load(path, Inner, KNOWN)


@pytest.mark.parametrize(
    ("items", "dtype"),
    [(["a", "b"], "<U400000000"), (["a"] * 3000 + ["b" * 3000], "<U3000")],
)
def test_memory_is_that_of_the_file_and_not_of_a_dtype(tmp_path, items, dtype):
    array = {"array": items, "dtype": dtype, "shape": [len(items)]}
    fields = {"low": array, "high": 1.0}
    path = changed(tmp_path / "a.json", fields=fields)
    tracemalloc.start()
    try:
        result = load(path, Inner, KNOWN)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.low.tolist() == items
    assert peak < 100_000 + 50 * path.stat().st_size


def test_strings_are_stored_with_the_width_of_the_longest(tmp_path):
    narrow, wide = (np.array(["a", "bcd"], dtype=f"<U{width}") for width in (3, 400))
    assert encoded(wide) == encoded(narrow)
    assert round_trip(wide, tmp_path / "a.json").dtype == narrow.dtype
    skewed = np.array(["a"] * 3000 + ["b" * 3000])
    assert encoded(round_trip(skewed, tmp_path / "a.json")) == encoded(skewed)
