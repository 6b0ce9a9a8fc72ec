"""The alternative-annotator test written plainly, item by item, as its authors describe it."""

import math

import numpy as np
from scipy import stats

from tests import degrees_of_freedom


def closeness_of(grade, others, closeness, shares):
    """Return how close a grade is to the grades of the other humans.

    None is a missing grade that counts.
    """
    if grade is None and closeness != "neg_root_mean_squared_error":
        return 0.0
    if grade is None:
        farthest = [max(other, len(shares) - 1 - other) for other in others]
        return -math.sqrt(sum(distance**2 for distance in farthest) / len(others))
    if closeness == "accuracy":
        return sum(grade == other for other in others) / len(others)
    if closeness == "neg_root_mean_squared_error":
        return -math.sqrt(sum((grade - other) ** 2 for other in others) / len(others))
    information = 0.0
    for other in others:
        low, high = min(grade, other), max(grade, other)
        between = sum(shares[k] for k in range(low, high + 1)) - shares[grade] / 2
        information -= math.log2(between)
    return information / len(others)


def alternative_annotators(
    grades, judge, closeness, epsilon, alpha, n_classes, *, counts_missing=False
):
    """Return the winning rate, the advantage probability and the raw p-values.

    `grades` has a row of positions for each item, and None where a human gives no grade.
    """
    # The items that the test can use: two humans grade them, and the judge does or counts.
    used = [
        [grade for grade in row if grade is not None]
        for row, of_judge in zip(grades, judge, strict=True)
        if of_judge is not None or counts_missing
    ]
    given = [grade for row in used if len(row) > 1 for grade in row]
    shares = [given.count(k) / len(given) for k in range(n_classes)]
    pvalues, advantages = {}, []
    for human in range(len(grades[0])):
        indicators, wins = [], []
        for row, of_judge in zip(grades, judge, strict=True):
            others = [g for k, g in enumerate(row) if k != human and g is not None]
            is_left_out = of_judge is None and not counts_missing
            if row[human] is None or is_left_out or not others:
                continue
            judge_value = closeness_of(of_judge, others, closeness, shares)
            human_value = closeness_of(row[human], others, closeness, shares)
            judge_wins = judge_value >= human_value - 1e-12
            human_wins = human_value >= judge_value - 1e-12
            wins.append(judge_wins)
            indicators.append(float(human_wins) - float(judge_wins))
        if len(indicators) < 30:
            continue
        if len(set(indicators)) == 1:
            pvalues[human] = 0.0 if indicators[0] < epsilon else 1.0
        else:
            test = stats.ttest_1samp(indicators, epsilon, alternative="less")
            degrees = degrees_of_freedom.of_sample(indicators)[1]
            pvalues[human] = stats.t.cdf(test.statistic, degrees)
        advantages.append(np.mean(wins))
    if not pvalues:
        return math.nan, math.nan, pvalues
    ordered = sorted(pvalues.values())
    harmonic = sum(1 / i for i in range(1, len(ordered) + 1))
    passed = [i for i, p in enumerate(ordered, 1) if p <= i * alpha / (len(ordered) * harmonic)]
    return max(passed, default=0) / len(ordered), float(np.mean(advantages)), pvalues
