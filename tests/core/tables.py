"""Tables, and what the counts of tables of any library must satisfy."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa

from sklearn_ordinal import OrdinalConfusion

NAMES = ["low", "mid", "high"]
TYPES = {
    "integers": pa.int64(),
    "floats": pa.float64(),
    "strings": pa.string(),
    "enums": pa.dictionary(pa.int8(), pa.string(), ordered=True),
    "booleans": pa.bool_(),
}


def arrow_table(table, kind="strings"):
    types = {"grade": TYPES[kind], "predicted": TYPES[kind], "w": pa.float64(), "g": pa.string()}
    return pa.table({name: as_arrow(values, types[name]) for name, values in table.items()})


def as_arrow(values, arrow_type):
    if not pa.types.is_dictionary(arrow_type):
        return pa.array(values, arrow_type)
    codes = [None if value is None else NAMES.index(value) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), NAMES, ordered=True)


def awkward(classes, missing):
    """Return a table with each class, missing predictions and a group without any weight."""
    low, high = classes[0], classes[-1]
    return {
        "grade": [low, high, high, low, high, high, low],
        "predicted": [high, missing, None, low, high, missing, low],
        "w": [0.5, 2.0, 0.25, 1.0, 0.125, 1.0, 0.0],
        "g": ["z", "y", "z", "z", "y", "z", "x"],
    }


AWKWARD = {
    "integers": awkward([-2, 1], None),
    "floats": awkward([-2.0, 1.0], math.nan),
    "strings": awkward(NAMES, None),
    "enums": awkward(NAMES, None),
    "booleans": awkward([False, True], None),
}


def counted(frame, **options):
    return OrdinalConfusion.from_table(frame, "grade", "predicted", **options)


def check_counts(engine, kind, columns, *, is_weighted, is_grouped):
    """Compare the counts of a table with those of its columns, and with a loop over its rows."""
    is_weighted &= any(columns["w"])
    labels = NAMES if kind == "strings" else None
    y_true = columns["grade"]
    if kind == "enums":
        y_true = pd.Categorical(y_true, NAMES, ordered=True)
    expected = OrdinalConfusion.from_predictions(
        y_true,
        columns["predicted"],
        labels=labels,
        sample_weight=columns["w"] if is_weighted else None,
        unanswered="count",
    )
    found = counted(
        engine(arrow_table(columns, kind)),
        labels=labels,
        sample_weight="w" if is_weighted else None,
        by="g" if is_grouped else None,
        unanswered="count",
    )
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert found.counts.dtype == expected.counts.dtype
    assert found.is_weighted == expected.is_weighted
    assert found.groups == (tuple(sorted(set(columns["g"]))) if is_grouped else ())
    np.testing.assert_array_equal(found.pooled() if is_grouped else found, expected)
    np.testing.assert_array_equal(
        found.unanswered.sum(axis=0) if is_grouped else found.unanswered, expected.unanswered
    )
    if is_grouped:
        check_groups(found, columns)
    if is_weighted:
        check_numbers_and_squares(found, columns)


def check_numbers_and_squares(found, columns):
    classes, groups = found.labels.tolist(), found.groups or (None,)
    numbers = np.zeros((len(groups), len(classes), len(classes) + 1))
    squares = np.zeros(numbers.shape)
    for true, pred, weight, group in zip(*columns.values(), strict=True):
        if not weight:
            continue
        is_missing = pred is None or pred != pred
        k = groups.index(group) if found.groups else 0
        cell = k, classes.index(true), -1 if is_missing else classes.index(pred)
        numbers[cell] += 1
        squares[cell] += weight**2
    if not found.groups:
        numbers, squares = numbers[0], squares[0]
    np.testing.assert_array_equal(found.sample_counts, numbers)
    np.testing.assert_array_equal(found.squared_weights, squares)


def check_groups(found, columns):
    classes = found.labels.tolist()
    counts, unanswered = np.zeros_like(found.counts), np.zeros_like(found.unanswered)
    for true, pred, weight, group in zip(*columns.values(), strict=True):
        amount = weight if found.is_weighted else 1
        if not amount:
            continue
        k, j = found.groups.index(group), classes.index(true)
        if pred is None or pred != pred:
            unanswered[k, j] += amount
        else:
            counts[k, j, classes.index(pred)] += amount
    np.testing.assert_array_equal(found.counts, counts)
    np.testing.assert_array_equal(found.unanswered, unanswered)


def check_odd_names(engine):
    y_true, y_pred, weight, group = names = ("p.q", "it's `true`", 'a "weight"', "n rows")
    values = [[0, 1, 1], [0, 0, 1], [1.0, 2.0, 3.0], [7, 7, 8]]
    frame = engine(pa.table(dict(zip(names, values, strict=True))))
    found = OrdinalConfusion.from_table(frame, y_true, y_pred, sample_weight=weight, by=group)
    assert found.groups == (7, 8)
    assert found.counts.tolist() == [[[1, 0], [2, 0]], [[0, 0], [0, 3]]]
