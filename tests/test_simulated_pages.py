"""The chapters that show simulations say what the tables beside their sentences show."""

import re
from pathlib import Path

import numpy as np
import pytest

from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.metrics import agreement_score

GUIDE = Path(__file__).parents[1] / "docs" / "guide"


@pytest.fixture
def numbers_in(load):
    """Return a function that reads the numbers in the cells of a table, by the name of the row."""
    read = load("_tables").read_list_tables

    def numbers(name, place=0):
        _, (_, *rows) = read((GUIDE / f"{name}.txt").read_text(encoding="utf-8"))[place]
        return {
            row: [[float(number) for number in re.findall(r"-?\d+\.?\d*", cell)] for cell in cells]
            for row, *cells in rows
        }

    return numbers


def page(name):
    return " ".join((GUIDE / f"{name}.rst").read_text(encoding="utf-8").split())


def rounded(value):
    return f"{np.floor(value + 0.5):.0f}"


def span(values, unit="%"):
    """Return the lowest and the highest value as a sentence gives them."""
    return f"{rounded(np.min(values))}{unit} to {rounded(np.max(values))}%"


def test_equal_groups_differ_as_rarely_as_the_chapter_says(numbers_in):
    table, text = numbers_in("equal_groups"), page("group_tests")
    assert f"``p (errors)`` is at most 0.05 in {span([of[0] for of in table.values()])}" in text
    equal = {name: cells for name, cells in table.items() if "class sizes" not in name}
    small = equal.pop("groups of 100, 100, 5")
    others = np.array(list(equal.values()))
    assert f"``p (values)`` is at most 0.05 in {span(others[:, 1])}" in text
    assert f"of 5 samples among groups of 100, in {span(small[1])}" in text
    assert f"starts at 0 for {span(others[:, 2])}" in text
    assert f"this share is {span(small[2])}" in text


def test_uncertainty_is_as_hard_to_know_as_the_chapter_says(numbers_in):
    text = page("uncertainty")
    tables = [numbers_in(f"uncertainty_{name}") for name in ("coverage", "ratings", "contrasts")]
    covered, of_ratings, sizes = (
        {name: [number for cell in cells for number in cell] for name, cells in table.items()}
        for table in tables
    )
    uneven = np.array([cells for name, cells in covered.items() if "of 1 to 60" in name])
    assert f"are covered in {span(uneven)} of the data sets" in text
    assert f"cover {span(covered['200 samples, log-normal weights'])}" in text
    four = covered["200 samples, four with 99.5% of the weight"]
    assert f"they cover only {span(four)}" in text
    few, more = (covered[f"{number} samples, skewed"] for number in (30, 100))
    assert f"in {rounded(few[4])}%, and the quadratic weighted kappa in {rounded(few[1])}%" in text
    assert f"with 100 samples, in {rounded(more[4])}% and {rounded(more[1])}%" in text
    assert f"in this simulation in {rounded(of_ratings['20 items, skewed'][0])}%" in text
    same_closeness = sizes.pop("200 and 200, same CEM_ORD, other classes")
    assert f"different in {rounded(max(same_closeness))}%" in text
    found = [size for of_groups in sizes.values() for size in of_groups]
    assert f"found different in {span(found)} of the data sets" in text
    notes = " ".join(delta_interval.__doc__.split())
    assert f"quadratic weighted kappa in {rounded(few[1])}% of the data sets" in notes
    assert f"error in {rounded(few[4])}%" in notes
    assert f"in {span(covered['200 samples, log-normal weights'])}; if four" in notes
    assert f"in {span(four)}." in notes


def test_equal_systems_differ_as_rarely_as_the_chapter_says(numbers_in):
    table, text = numbers_in("equal_systems"), page("systems")
    shares = [share for cells in table.values() for share, _ in cells]
    assert f"{span(shares)} of the experiments" in text
    kappa, error = table["100"][-1]
    assert kappa + 2 * error < 5
    assert "conservative for the quadratic weighted kappa with 100 samples" in text


def test_changes_are_covered_and_called_worse_as_the_chapter_says(numbers_in):
    text, coverage, alarms = (
        page("change"),
        numbers_in("coverage_change"),
        numbers_in("coverage_change", 1),
    )
    assert f"true value in {span(list(coverage.values()))}" in text
    large = [alarms["300 and 300"], alarms["1,000 and 1,000"]]
    assert f"worse in {span(large)} of the data sets" in text
    *criteria, (any_class,) = alarms["100 and 1,000"]
    assert f"worse in {span(criteria)}, and some class in {rounded(any_class)}%" in text


def test_few_grades_of_rare_classes_are_covered_as_the_pages_say(numbers_in):
    table = numbers_in("coverage_uneven_ratings")
    both = np.array(list(table.values()))[..., 0].reshape(-1, 2, 3)
    bias = dict(zip(table, both[..., 1], strict=True))
    shares = {
        name: [rounded(share) for share in cells]
        for name, cells in zip(table, both[..., 2], strict=True)
    }
    text, notes = page("coverage"), " ".join(agreement_score.__doc__.split())
    kappas = ("fleiss_kappa", "conger_kappa")
    lowest = min(-bias[name].max() for name in kappas)
    highest = max(-bias[name].min() for name in kappas)
    assert f"are then too low by {lowest:.2f} to {highest:.2f} on average" in text
    assert shares["fleiss_kappa"] == shares["conger_kappa"] == ["82", "88"]
    assert "the closed form covers their true values in only 82% or 88% of the data sets" in text
    alpha, w = shares["krippendorff_alpha"], shares["kendall_w"]
    assert f"``krippendorff_alpha`` in {alpha[0]}% or {alpha[1]}%" in text
    assert f"``kendall_w`` in {w[0]}% or {w[1]}%" in text
    assert {*shares["gwet_ac2"], *shares["brennan_prediger"]} == {"95"}
    for place, lost in enumerate(("82% of the samples", "88%")):
        low, high = sorted(-bias[name][place] for name in kappas)
        assert f"too low by {low:.2f} to {high:.2f}" in notes
        assert lost in notes
    assert f'For "krippendorff_alpha", they contain it in {alpha[0]}% and {alpha[1]}%' in notes
    assert "in 82% of simulated data sets of 20 items and three raters" in page("agreement")


def test_judges_shorten_intervals_as_the_chapter_says(numbers_in):
    text, values, coverage = (
        page("judges"),
        numbers_in("judge_assisted"),
        numbers_in("judge_assisted", 1),
    )
    assert {cells[1][2] for cells in values.values()} == {0}
    assert "the true value in 0.0% of the data sets" in text
    good, biased, useless = (
        [cells[3][0] for name, cells in values.items() if name.startswith(judge)]
        for judge in ("good", "biased", "useless")
    )
    assert f"narrower by {span(good, '')}" in text
    assert f"biased judge by {span(biased, '')}" in text
    assert f"useless judge by at most {max(useless)}%" in text
    is_short = [name.endswith(("kappa", "absolute_error")) for name in coverage]
    shares = np.array(list(coverage.values()))
    fine, short = shares[np.logical_not(is_short)], shares[is_short]
    of_50, of_200, both, humans = 0, 2, 0, 2
    assert f"the true value in {span(fine[:, of_200, both], '')} of the data sets" in text
    assert f"contain it in {span(short[:, of_200, both], '')}" in text
    assert f"humans alone in {span(short[:, of_200, humans], '')}" in text
    shares_of_50 = span(short[:, of_50, both], ""), span(short[:, of_50, humans], "")
    assert " and ".join(shares_of_50) in text


def test_soft_labels_are_covered_as_the_chapter_says(numbers_in):
    table, text = numbers_in("coverage_soft_labels"), page("soft_labels")
    shares = np.array(list(table.values()))
    lowest = np.array(table["macro_averaged_mean_absolute_error"])[:, 0].min()
    of_items = shares[..., :2]
    assert np.count_nonzero(of_items == lowest) == 1
    assert f"the true value in {span(of_items[of_items > lowest])} of the data sets" in text
    assert f"{rounded(lowest)}% for 50 answers of skewed classes" in text
    assert f"{span(shares[..., 2])} (:doc:`coverage`)" in text


def test_judges_pass_as_often_as_the_chapter_says(numbers_in):
    (equal, of_equal), _, (severity, of_harsh), *_ = numbers_in("power_judges").items()
    text = page("judges")
    assert equal == "0.00"
    assert "With 50 items, a judge that errs like the humans fails about as often" in text
    assert min(of_equal[1]) > 40
    assert max(of_equal[1]) <= 60
    assert f"A judge that is {severity[1:]} classes too low is worse than the humans by" in text
    differences, *passes = of_harsh
    assert max(differences) < 0.2
    assert (np.diff(passes, axis=0) > 0).all()


def test_ceilings_are_covered_as_the_chapter_says(numbers_in):
    covered = [cell[2] for cells in numbers_in("ceilings").values() for cell in cells[2:]]
    assert min(covered) > 95
    assert "covers the true ceiling more often than the confidence level says" in page("ceilings")
    for simulated, by_formula in numbers_in("ceilings_kappa")["five classes"][1:]:
        assert simulated < by_formula


def test_soft_labels_and_judges_are_covered_as_the_chapter_on_coverage_says(numbers_in):
    text = page("coverage")
    soft_labels = numbers_in("coverage_soft_labels")
    of_items = np.array(list(soft_labels.values()))[..., :2]
    closed_form, bootstrap, _ = soft_labels["macro_averaged_mean_absolute_error"][2]
    assert f"true value in {span(of_items[of_items > closed_form])} of the data sets" in text
    assert f"covers {rounded(closed_form)}%, and the bootstrap {rounded(bootstrap)}%" in text
    judges = np.array(list(numbers_in("coverage_judges").values()))[..., 0]
    from_50_items = [1, 2, 4, 5]
    assert f"{span(judges[:, from_50_items])} of the data sets with at least 50 items" in text
    assert f"{span(judges[:, [0, 3]])} with 20 items" in text
