"""The consensus of several raters, against pandas and SciPy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sklearn_ordinal import OrdinalRatings, consensus

RNG = np.random.default_rng(0)
GRADES = np.where(RNG.random((200, 5)) < 0.5, np.nan, RNG.integers(0, 4, (200, 5)))
RATINGS = OrdinalRatings.from_ratings(GRADES, labels=range(4))


def without_missing(grades):
    return [None if np.isnan(grade) else int(grade) for grade in grades]


def test_the_median_is_the_lower_median_of_pandas():
    frame, result = pd.DataFrame(GRADES), consensus(RATINGS)
    lower, upper = (frame.quantile(0.5, axis=1, interpolation=k) for k in ("lower", "higher"))
    assert result.grades.tolist() == without_missing(lower)
    assert result.is_tied.tolist() == (lower < upper).tolist()
    assert result.n_ties == (lower < upper).sum()
    n_grades = frame.notna().sum(axis=1)
    assert result.n_even == (n_grades.isin([2, 4])).sum()
    assert result.n_single == (n_grades == 1).sum()
    assert result.n_without_grade == (n_grades == 0).sum() > 0


def test_the_mode_is_the_lowest_mode_of_scipy():
    graded = GRADES[~np.isnan(GRADES).all(axis=1)]
    result = consensus(OrdinalRatings.from_ratings(graded, labels=range(4)), "mode")
    modes = stats.mode(graded, axis=1, nan_policy="omit").mode
    assert result.grades.tolist() == np.asarray(modes, dtype=float).tolist()
    n_modes = np.array([len(pd.Series(item).mode()) for item in graded])
    assert result.is_tied.tolist() == (n_modes > 1).tolist()


def test_the_consensus_is_in_the_order_and_with_the_classes_of_the_items():
    frame = pd.DataFrame(
        {"a": ["high", "low", "mid"], "b": ["high", "low", "low"]}, index=["z", "x", "y"]
    )
    result = consensus(OrdinalRatings.from_ratings(frame, labels=["low", "mid", "high"]))
    assert result.grades.tolist() == ["high", "low", "low"]
    rows = result.to_frame()
    assert rows["item"].tolist() == ["z", "x", "y"]
    assert rows["is_tied"].tolist() == [False, False, True]
    assert result.to_dict()["items"][2] == {
        "item": "y",
        "grade": "low",
        "n_grades": 2,
        "is_tied": True,
    }


def test_integers_stay_integers_if_each_item_has_a_grade():
    result = consensus(OrdinalRatings.from_ratings([[1, 2], [3, 3]]))
    assert result.grades.dtype.kind == "i"
    assert repr(result) == "Consensus('median' of 2 items, 1 tie)"


def test_ties_and_unconfirmed_grades_are_said():
    grades = [[1, 1, 2, 2], [3, 1, None, None], [2, None, None, None], [None] * 4]
    text = " ".join(str(consensus(OrdinalRatings.from_ratings(grades))).split())
    assert text.startswith("The consensus of 4 items is the lower median of the grades.")
    assert (
        "2 items have an even number of grades. The two middle grades differ in 2 of them, and the "
        "lower one is taken. 1 item has a single grade, which is taken. 1 item has no grade, and "
        "no consensus." in text
    )
    by_mode = " ".join(str(consensus(OrdinalRatings.from_ratings(grades), "mode")).split())
    assert "2 items have several classes with the most grades, and the lowest" in by_mode


@pytest.mark.parametrize(
    ("grades", "rule", "expected"),
    [
        ([[1, 1, 2], [1, 2, 2]], "median", ""),
        ([[1, 1, 2], [1, 2, 2]], "mode", ""),
        (
            [[1, 1], [2, 2]],
            "median",
            "2 items have an even number of grades. The two middle grades "
            "are equal in all of them.",
        ),
        (
            [[1, 1], [2, None]],
            "median",
            "1 item has an even number of grades. Its two middle "
            "grades are equal. 1 item has a single grade, which is taken.",
        ),
        (
            [[1, 3], [3, None]],
            "median",
            "1 item has an even number of grades. Its two middle "
            "grades differ, and the lower one is taken. 1 item has a single grade, which is taken.",
        ),
    ],
)
def test_sentences_are_about_items_that_occur(grades, rule, expected):
    raters = ["Ann", "Bob", "Cy", "Di"][: len(grades[0])]
    ratings = OrdinalRatings.from_ratings(grades, labels=[1, 2, 3], raters=raters)
    text = " ".join(str(consensus(ratings, rule)).split())
    _, _, sentences = text.partition(" of the grades. ")
    assert sentences.partition("Items by their consensus")[0].strip() == expected


@pytest.mark.parametrize("labels", [[1, 2, 3], ["low", "mid", "high"]])
@pytest.mark.parametrize("rule", ["median", "mode"])
def test_a_consensus_has_the_labels_and_items(labels, rule):
    grades = [[labels[0], labels[1]], [labels[2], None], [None, None]]
    frame = pd.DataFrame(grades, index=["x", "y", "z"], dtype=object)
    result = consensus(OrdinalRatings.from_ratings(frame, labels=labels), rule)
    assert result.grades.tolist() == [labels[0], labels[2], None]
    assert result.items.tolist() == ["x", "y", "z"]


def test_odd_arguments_are_named():
    with pytest.raises(ValueError, match=r"ratings must be OrdinalRatings, got \[\[1, 2\]\]: make"):
        consensus([[1, 2]])
    with pytest.raises(ValueError, match="rule must be one of"):
        consensus(RATINGS, "mean")
