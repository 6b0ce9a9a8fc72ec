"""Judges beside humans, written plainly: loops over items from the definitions, with weights.

Grades are positions on the scale, in a row for each item; None stands for a missing grade.
"""

import math
from itertools import combinations

from scipy import stats

from tests import degrees_of_freedom


def others_of(row, human):
    """Return the grades of the other humans."""
    return [grade for k, grade in enumerate(row) if k != human and grade is not None]


def compared(rows, judge, weights, human):
    """Return (row, the judge's grade, weight) of the items that a footing uses."""
    return [
        (row, of_judge, weight)
        for row, of_judge, weight in zip(rows, judge, weights, strict=True)
        if weight > 0 and row[human] is not None and of_judge is not None and others_of(row, human)
    ]


def quadratic_kappa(pairs, n_classes):
    """Return Cohen's kappa with quadratic weights of (true, predicted, weight)."""
    counts = [[0.0] * n_classes for _ in range(n_classes)]
    for true, predicted, weight in pairs:
        counts[true][predicted] += weight
    rows, columns = ([sum(part) for part in view] for view in (counts, zip(*counts, strict=True)))
    cells = [(i, j, (i - j) ** 2) for i in range(n_classes) for j in range(n_classes)]
    observed = sum(counts[i][j] * d for i, j, d in cells)
    expected = sum(rows[i] * columns[j] * d for i, j, d in cells)
    return 1 - observed * sum(rows) / expected if expected else math.nan


def footing(rows, judge, weights, human, n_classes):
    """Return the kappa of a human, and of the judge, with the other humans."""
    pairs = {"human": [], "judge": []}
    for row, of_judge, weight in compared(rows, judge, weights, human):
        others = others_of(row, human)
        for other in others:
            pairs["human"].append((other, row[human], weight / len(others)))
            pairs["judge"].append((other, of_judge, weight / len(others)))
    return {name: quadratic_kappa(part, n_classes) for name, part in pairs.items()}


def severity(rows, judge, weights, human):
    """Return the weighted mean of the judge's grade minus the mean of the other humans."""
    items = compared(rows, judge, weights, human)
    differences = [
        weight * (of_judge - sum(others_of(row, human)) / len(others_of(row, human)))
        for row, of_judge, weight in items
    ]
    return sum(differences) / sum(weight for *_, weight in items)


def z_among_humans(rows, judge, weights, n_classes):
    """Return the place of the judge among the pairs of humans."""

    def value(first, second):
        items = [
            (row, weight)
            for row, weight in zip(graded, weights_of_graded, strict=True)
            if row[first] is not None and row[second] is not None
        ]
        pairs = [(row[first], row[second], weight) for row, weight in items]
        return quadratic_kappa(pairs, n_classes)

    is_judged = [grade is not None for grade in judge]
    graded = [[*row, own] for row, own, is_in in zip(rows, judge, is_judged, strict=True) if is_in]
    weights_of_graded = [weight for weight, is_in in zip(weights, is_judged, strict=True) if is_in]
    n_humans = len(rows[0])
    humans = [value(*pair) for pair in combinations(range(n_humans), 2)]
    mean = sum(humans) / len(humans)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in humans) / (len(humans) - 1))
    return (sum(value(k, n_humans) for k in range(n_humans)) / n_humans - mean) / deviation


def proximity(predicted, true, sizes):
    """Return the closeness of CEM_ORD."""
    low, high = min(predicted, true), max(predicted, true)
    return -math.log2((sum(sizes[low : high + 1]) - sizes[predicted] / 2) / sum(sizes))


def annotator_test(rows, judge, weights, n_classes, epsilon, alpha):
    """Return the p-value of each human, the winning rate and the advantage probability.

    Closeness is that of CEM_ORD. All humans are tested.
    """
    sizes = [0.0] * n_classes
    for row, of_judge, weight in zip(rows, judge, weights, strict=True):
        grades = [grade for grade in row if grade is not None]
        if of_judge is not None and len(grades) > 1:
            for grade in grades:
                sizes[grade] += weight
    pvalues, advantages = [], []
    for human in range(len(rows[0])):
        differences, wins, used = [], [], []
        for row, of_judge, weight in compared(rows, judge, weights, human):
            others = others_of(row, human)
            by_judge, by_human = (
                sum(proximity(grade, other, sizes) for other in others) / len(others)
                for grade in (of_judge, row[human])
            )
            judge_wins, human_wins = by_judge >= by_human - 1e-12, by_human >= by_judge - 1e-12
            differences.append(human_wins - judge_wins)
            wins.append(judge_wins)
            used.append(weight)
        total = sum(used)
        mean = sum(w * d for w, d in zip(used, differences, strict=True)) / total
        moves = [w * (d - mean) / total for w, d in zip(used, differences, strict=True)]
        variance, degrees = degrees_of_freedom.of_sample(moves, used)
        pvalues.append(stats.t.cdf((mean - epsilon) / math.sqrt(variance), degrees))
        advantages.append(sum(w for w, is_win in zip(used, wins, strict=True) if is_win) / total)
    # Benjamini and Yekutieli reject the hypotheses up to the last p-value below its limit.
    n_tests = len(pvalues)
    limit = alpha / (n_tests * sum(1 / i for i in range(1, n_tests + 1)))
    passed = [i for i, pvalue in enumerate(sorted(pvalues), 1) if pvalue <= i * limit]
    return pvalues, max(passed, default=0) / n_tests, sum(advantages) / n_tests


def prmse(rows, judge, weights):
    """Return the PRMSE of the judge's positions, by the formulas of Loukina et al. (2020)."""
    items = [
        ([grade for grade in row if grade is not None], own, weight)
        for row, own, weight in zip(rows, judge, weights, strict=True)
        if own is not None and weight > 0 and any(grade is not None for grade in row)
    ]
    n_items = sum(weight for *_, weight in items)
    n_grades = sum(weight * len(grades) for grades, _, weight in items)
    grand = sum(weight * sum(grades) for grades, _, weight in items) / n_grades
    within = between = squared = squares = 0.0
    for grades, own, weight in items:
        mean, number = sum(grades) / len(grades), len(grades)
        within += weight * sum((grade - mean) ** 2 for grade in grades)
        between += weight * number * (mean - grand) ** 2
        squared += weight * number * (mean - own) ** 2
        squares += weight * number**2
    of_errors = within / (n_grades - n_items)
    of_truth = (between - (n_items - 1) * of_errors) / (n_grades - squares / n_grades)
    return 1 - (squared - n_items * of_errors) / n_grades / of_truth
