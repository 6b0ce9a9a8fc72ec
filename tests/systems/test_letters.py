"""Compact letter displays, against their definition, brute force and a published example."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal.systems._pair_tests import compact_letters


@st.composite
def differences(draw, most_systems=12):
    n_systems = draw(st.integers(1, most_systems))
    return symmetric(n_systems, draw(st.integers(0, 2 ** (n_systems * (n_systems - 1) // 2) - 1)))


def symmetric(n_systems, bits):
    """Return the pairs that differ, one for each bit of a number."""
    is_different = np.zeros((n_systems, n_systems), dtype=bool)
    for number, (i, j) in enumerate(itertools.combinations(range(n_systems), 2)):
        is_different[i, j] = is_different[j, i] = bits >> number & 1
    return is_different


def of_pairs(n_systems, pairs):
    is_different = np.zeros((n_systems, n_systems), dtype=bool)
    for i, j in pairs:
        is_different[i, j] = is_different[j, i] = True
    return is_different


def sets(letters):
    """Return the letters of each system, also those with a number."""
    found = []
    for text in letters:
        starts = [position for position, sign in enumerate(text) if sign.isalpha()]
        found.append({text[i:j] for i, j in zip(starts, [*starts[1:], None], strict=True)})
    return found


def share_what_they_should(letters, is_different):
    return all(
        bool(letters[i] & letters[j]) == (not is_different[i, j])
        for i, j in itertools.combinations(range(len(letters)), 2)
    )


def fewest_letters(is_different):
    """Try all sets of groups without a different pair, the smallest sets first."""
    n_systems = len(is_different)
    groups = [
        set(group)
        for size in range(1, n_systems + 1)
        for group in itertools.combinations(range(n_systems), size)
        if not any(is_different[i, j] for i, j in itertools.combinations(group, 2))
    ]
    groups = [group for group in groups if not any(group < other for other in groups)]
    pairs = {(i, j) for i, j in np.ndindex(is_different.shape) if not is_different[i, j]}
    return next(
        len(chosen)
        for n_letters in itertools.count(1)
        for chosen in itertools.combinations(groups, n_letters)
        if pairs <= {pair for group in chosen for pair in itertools.product(group, group)}
    )


@given(differences())
def test_systems_share_a_letter_if_and_only_if_they_are_not_told_apart(is_different):
    letters = sets(compact_letters(is_different))
    assert all(letters)
    assert share_what_they_should(letters, is_different)


@given(differences(most_systems=8))
def test_no_letter_can_be_left_out(is_different):
    letters = sets(compact_letters(is_different))
    for letter in set.union(*letters):
        rest = [of_system - {letter} for of_system in letters]
        assert not (all(rest) and share_what_they_should(rest, is_different))


def test_up_to_five_systems_have_the_fewest_letters_possible():
    for n_systems in (1, 2, 3, 4, 5):
        for bits in range(2 ** (n_systems * (n_systems - 1) // 2)):
            is_different = symmetric(n_systems, bits)
            n_letters = len(set.union(*sets(compact_letters(is_different))))
            assert n_letters == fewest_letters(is_different)


def test_a_pair_with_one_system_in_a_group_needs_no_further_letter():
    is_different = of_pairs(6, [(0, 5), (1, 2), (1, 5), (3, 4), (4, 5)])
    letters = sets(compact_letters(is_different))
    assert share_what_they_should(letters, is_different)
    assert len(set.union(*letters)) == fewest_letters(is_different)


def test_runs_of_ranked_systems_have_a_letter_each_from_the_best_on():
    # Systems differ if they are more than two ranks apart.
    ranks = np.arange(6)
    letters = compact_letters(np.abs(ranks - ranks[:, None]) > 2)
    assert letters == ["a", "ab", "abc", "bcd", "cd", "d"]


def test_no_differences_give_one_letter_and_all_differences_one_each():
    assert compact_letters(symmetric(4, 0)) == ["a"] * 4
    letters = compact_letters(~np.eye(54, dtype=bool))
    assert letters[:2] + letters[25:28] + letters[52:] == ["a", "b", "z", "a2", "b2", "a3", "b3"]


def test_many_separate_pairs_that_differ_need_few_letters():
    # All groups without a different pair would be 2 ** 50.
    is_different = of_pairs(100, [(i, i + 1) for i in range(0, 100, 2)])
    letters = sets(compact_letters(is_different))
    assert share_what_they_should(letters, is_different)
    assert len(set.union(*letters)) <= 100


def test_letters_of_a_published_table_of_means():
    # Mean yields of 15 varieties of maize and Tukey's difference, Instituto de Ciencia y
    # Tecnologia Agricolas, Guatemala (University of Florida, UF00080557, table IV-4).
    means = [5.52, 5.46, 5.01, 4.93, 4.83, 4.81, 4.80, 4.72, 4.57, 4.55, 4.54, 4.00, 3.14, 2.92]
    means = np.array([*means, 2.59])
    letters = ["a"] * 2 + ["ab"] * 9 + ["bc", "cd", "cd", "d"]
    assert compact_letters(np.abs(means - means[:, None]) > 1.31) == letters


def test_letters_of_the_examples_of_multcompview():
    # Of the help page of multcompLetters, with the systems in the order of their names.
    assert compact_letters(of_pairs(3, [(1, 2)])) == ["ab", "a", "b"]
    assert compact_letters(of_pairs(4, [(0, 1), (0, 2), (1, 3)])) == ["a", "b", "bc", "ac"]
