"""Values as JSON and back."""

import io
import json
import math
import tracemalloc
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_ordinal import __version__
from sklearn_ordinal._documents.json_files import as_json, decoded, encoded, load
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal._documents.writing import replace_file

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
    SCALARS | ARRAYS,
    lambda items: (
        st.lists(items, max_size=3)
        | st.lists(items, max_size=3).map(tuple)
        | st.dictionaries(st.text(), items, max_size=3)
    ),
    max_leaves=8,
)


def round_trip(value, path):
    replace_file(path, as_json("Thing", fields={"value": encoded("value", value)}))
    return load_values(path)["value"]


def load_values(source):
    return load(
        source, "Thing", lambda fields: {name: decoded(value) for name, value in fields.items()}
    )


def assert_same(found, expected):
    """Compare values and types; NaN equals NaN."""
    if isinstance(expected, np.generic):
        expected = expected.item()
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
    ("value", "finding"),
    [
        (Decimal("0.1"), r"Decimal\('0.1'\)"),
        ({1: 2}, "{1: 2}"),
        ({"a"}, "{'a'}"),
        (np.array(["2026-01-31"], dtype="datetime64[D]"), r"datetime64\('2026-01-31'\)"),
        (np.array([1, Decimal(1)], dtype=object), r"Decimal\('1'\)"),
        (np.array([1j]), "1j"),
        (np.longdouble(1), "1"),
        (np.zeros(2, dtype=[("a", "f8")]), "0"),
        (np.ma.masked_array([1.0]), "masked_array"),
        (print, "<built-in function print>"),
    ],
)
def test_unsupported_values_are_named_and_the_old_file_is_kept(tmp_path, value, finding):
    path = tmp_path / "a.json"
    path.write_text("old", encoding="utf-8")
    message = "^value must consist of numbers and strings to be written to JSON, got .*"
    with pytest.raises(ValueError, match=message + finding):
        round_trip(value, path)
    assert path.read_text(encoding="utf-8") == "old"


class Halves(Views):
    def to_dict(self):
        return {"half": 0.5}


def test_json_has_the_numbers_of_the_dict(tmp_path):
    content = {
        "format": "sklearn_ordinal",
        "type": "Halves",
        "schema_version": 1,
        "package_version": __version__,
        "result": {"half": 0.5},
    }
    text = json.dumps(content, indent=2) + "\n"
    assert Halves().to_json() == text
    Halves().to_json(tmp_path / "a.json")
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == text
    with pytest.raises(
        ValueError, match="holds Halves and not Thing: pass a file written by Thing"
    ):
        load_values(tmp_path / "a.json")


def test_results_are_equal_if_their_dicts_are():
    assert Halves() == Halves()
    assert Halves() != "half"


def test_numbers_are_on_lines_of_their_own_and_fields_on_one_line():
    fields = {"low": encoded("low", np.array([math.nan, 1.0]))}
    text = as_json("Thing", fields=fields, result={"half": 0.5})
    assert '\n    "half": 0.5\n  },\n  "fields": {"low": {"array": [{"float": "nan"}, ' in text
    assert text.endswith("}\n}\n")


def test_open_files_are_read(tmp_path):
    path = changed(tmp_path / "a.json")
    with open(path, encoding="utf-8") as text, open(path, "rb") as data:
        for file in (text, data, io.StringIO(path.read_text(encoding="utf-8"))):
            assert load_values(file) == {"low": 0.0, "high": 1.0}
    with pytest.raises(ValueError, match="the file was not written by sklearn_ordinal"):
        load_values(io.StringIO("text"))


def test_the_text_of_a_result_is_not_taken_for_a_path(tmp_path):
    text = changed(tmp_path / "a.json").read_text(encoding="utf-8")
    message = r"^path must be a path .*: pass io.StringIO\(text\)\.$"
    for long_text in (text, text + " " * 5000):
        with pytest.raises(ValueError, match=message):
            load_values(long_text)


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
        load_values(path)


def changed(path, **changes):
    content = json.loads(as_json("Thing", fields={"low": 0.0, "high": 1.0}))
    path.write_text(json.dumps({**content, **changes}), encoding="utf-8")
    return path


def test_the_error_for_files_of_newer_versions_says_to_update(tmp_path):
    path = changed(tmp_path / "a.json", schema_version=2, package_version="9.9")
    message = r"written by a newer version of sklearn_ordinal, 9\.9: update sklearn_ordinal\."
    with pytest.raises(ValueError, match=message):
        load_values(path)


@pytest.mark.parametrize(
    "fields",
    [
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
        {"low": {"float": "1e5"}, "high": 1.0},
        {"low": {"float": 1.0}, "high": 1.0},
        {"low": {"tuple": {}}, "high": 1.0},
        {"low": {"dict": []}, "high": 1.0},
        {"low": {"dict": {}, "tuple": []}, "high": 1.0},
        [],
        None,
    ],
)
def test_damaged_results_are_rejected(tmp_path, fields):
    path = changed(tmp_path / "a.json", fields=fields)
    with pytest.raises(ValueError, match="is not a complete Thing, write it again") as caught:
        load_values(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("schema_version", [0, -1, True, 1.0, "1", None])
def test_versions_that_were_never_written_are_rejected(tmp_path, schema_version):
    path = changed(tmp_path / "a.json", schema_version=schema_version)
    with pytest.raises(ValueError, match="because it has no valid version or type"):
        load_values(path)


def test_the_name_of_another_type_is_safe_to_print(tmp_path):
    path = changed(tmp_path / "a.json", type="New\n\x1b")
    with pytest.raises(ValueError, match=r"holds New \\x1b and not Thing: pass a file written by"):
        load_values(path)


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
        load_values(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"\x00", b"\x80"])
def test_bytes_that_are_not_json_are_rejected(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="was not written by sklearn_ordinal"):
        load_values(path)


def test_paths_that_cannot_be_read_raise_an_os_error(tmp_path):
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(OSError, match=str(path)):
            load_values(path)


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
        result = load_values(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result["low"].tolist() == items
    assert peak < 100_000 + 50 * path.stat().st_size


def test_strings_are_stored_with_the_width_of_the_longest(tmp_path):
    narrow, wide = (np.array(["a", "bcd"], dtype=f"<U{width}") for width in (3, 400))
    assert encoded("wide", wide) == encoded("narrow", narrow)
    assert round_trip(wide, tmp_path / "a.json").dtype == narrow.dtype
    skewed = np.array(["a"] * 3000 + ["b" * 3000])
    found = round_trip(skewed, tmp_path / "a.json")
    assert (found.dtype, found.tolist()) == (np.dtype(object), skewed.tolist())
