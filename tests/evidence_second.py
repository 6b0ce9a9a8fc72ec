"""The quantities of the evidence once more, in loops over samples, classes, systems and pairs.

Written from the guide, with nothing of the package or of benchmarks/. Tables of counts are lists of
rows, rows are true classes, and values are NaN if they are undefined.
"""

import math

import numpy as np
from scipy import optimize, stats
from sklearn.metrics import mutual_info_score

from tests import degrees_of_freedom

# --- criteria, which also take complex counts -------------------------------------------


def counted(y_true, y_pred, n_classes):
    counts = [[0.0] * n_classes for _ in range(n_classes)]
    for true, predicted in zip(y_true, y_pred, strict=True):
        counts[true][predicted] += 1
    return counts


def _cells(counts):
    """Return the cells that occur, with their counts."""
    return [(j, i, count) for j, row in enumerate(counts) for i, count in enumerate(row) if count]


def _between(sizes, true, predicted):
    """Count half of the predicted class, and all after it up to and with the true class."""
    if true == predicted:
        return sizes[true] / 2
    step = 1 if true > predicted else -1
    return sizes[predicted] / 2 + sum(sizes[k] for k in range(predicted + step, true + step, step))


def cem_ord(counts):
    sizes = [sum(row) for row in counts]
    earned = possible = 0
    for true, predicted, count in _cells(counts):
        earned -= count * np.log2(_between(sizes, true, predicted) / sum(sizes))
        possible -= count * np.log2(sizes[true] / 2 / sum(sizes))
    return earned / possible


def accuracy(counts):
    return sum(row[true] for true, row in enumerate(counts)) / sum(map(sum, counts))


def mean_absolute_error(counts):
    return sum(count * abs(j - i) for j, i, count in _cells(counts)) / sum(map(sum, counts))


def macro_mean_absolute_error(counts):
    errors = [
        sum(count * abs(true - k) for k, count in enumerate(row)) / sum(row)
        for true, row in enumerate(counts)
        if sum(row)
    ]
    return sum(errors) / len(errors)


def quadratic_kappa(counts):
    rows, columns = list(map(sum, counts)), np.sum(counts, axis=0)
    observed = expected = 0
    for j, of_class in enumerate(counts):
        for i, count in enumerate(of_class):
            observed += (j - i) ** 2 * count
            expected += (j - i) ** 2 * rows[j] * columns[i] / sum(rows)
    return 1 - observed / expected if expected else math.nan


def _concordant_minus_discordant(counts):
    difference, lower = 0, [0] * len(counts)
    for row in counts:
        for k, count in enumerate(row):
            difference += count * (sum(lower[:k]) - sum(lower[k + 1 :]))
        lower = [size + count for size, count in zip(lower, row, strict=True)]
    return difference


def kendall_tau_a(counts):
    n = sum(map(sum, counts))
    return _concordant_minus_discordant(counts) / (n * (n - 1) / 2)


def kendall_tau_b(counts):
    n, product = sum(map(sum, counts)), 1
    for side in (np.array(counts), np.transpose(counts)):
        product *= (n**2 - sum(sum(line) ** 2 for line in side)) / 2
    return _concordant_minus_discordant(counts) / product**0.5 if product else math.nan


# The criterion, and whether higher values are better.
CRITERIA = {
    "cem_ord": (cem_ord, True),
    "accuracy": (accuracy, True),
    "ordinal_mean_absolute_error": (mean_absolute_error, False),
    "quadratic_weighted_kappa": (quadratic_kappa, True),
    "macro_averaged_mean_absolute_error": (macro_mean_absolute_error, False),
    "kendall_tau_b": (kendall_tau_b, True),
}


def oriented(name, counts):
    """Return the value, such that higher is better."""
    criterion, greater_is_better = CRITERIA[name]
    return criterion(counts) if greater_is_better else -criterion(counts)


def reference_values(counts):
    """Return accuracy, Kendall's tau-a and mutual information."""
    information = mutual_info_score(None, None, contingency=np.array(counts))
    return accuracy(counts), kendall_tau_a(counts), information


# --- systems on test cases: lists of test cases of systems ------------------------------


def unanimous_improvement_ratio(first, second):
    ratio = 0
    for a, b in zip(first, second, strict=True):
        ratio += all(x >= y or math.isclose(x, y) for x, y in zip(a, b, strict=True))
        ratio -= all(x <= y or math.isclose(x, y) for x, y in zip(a, b, strict=True))
    return ratio / len(first)


def coverage(values, references):
    """Return Spearman's correlation of differences and ratios over pairs in both orders."""
    means = np.mean(values, axis=0)
    differences, ratios = [], []
    for a in range(len(means)):
        for b in range(len(means)):
            if a != b:
                of_a, of_b = ([case[system] for case in references] for system in (a, b))
                differences.append(round(means[a] - means[b], 12))
                ratios.append(unanimous_improvement_ratio(of_a, of_b))
    return stats.spearmanr(differences, ratios).statistic


def agreement_of_halves(values, half):
    """Return Kendall's tau-b of the orders by means over some test cases, and over the others."""
    inside = [case for t, case in enumerate(values) if t in half]
    outside = [case for t, case in enumerate(values) if t not in half]
    means = [np.round(np.mean(cases, axis=0), 12) for cases in (inside, outside)]
    return stats.kendalltau(*means).statistic


def bootstrap_p_value(differences, n_resamples, rng):
    """Test a mean difference over test cases by studentised resamples."""

    def t(z):
        return abs(np.mean(z)) / np.std(z, ddof=1) * len(z) ** 0.5 if np.any(z) else 0.0

    observed, shifted = t(differences), np.subtract(differences, np.mean(differences))
    at_least = sum(t(rng.choice(shifted, len(shifted))) >= observed for _ in range(n_resamples))
    return (1 + at_least) / (1 + n_resamples)


# --- systems on samples -----------------------------------------------------------------


def references_of_probabilities(y_true, y_pred, proba):
    """Return accuracy within one class, and two losses of probabilities, negated."""
    within = squared = ranked = 0
    for true, predicted, row in zip(y_true, y_pred, proba, strict=True):
        within += abs(true - predicted) <= 1
        squared += (sum(k * p for k, p in enumerate(row)) - true) ** 2
        ranked += sum((sum(row[: k + 1]) - (true <= k)) ** 2 for k in range(len(row) - 1))
    return within / len(y_true), -squared / len(y_true), -ranked / len(y_true)


def agreement(values, references):
    """Return the share of pairs that a criterion orders as all references do; a tie is half."""
    shares = []
    for value, of_value in zip(values, references, strict=True):
        for other, of_other in zip(values, references, strict=True):
            if all(x > y for x, y in zip(of_value, of_other, strict=True)):
                shares.append((1 + (value > other) - (value < other)) / 2)
    return sum(shares) / len(shares) if shares else math.nan


def influences(criterion, y_true, y_pred, n_classes):
    """Return the influence of each sample: derivatives by a complex step, less their mean."""
    counts, of_cell = counted(y_true, y_pred, n_classes), {}
    for true, predicted, _ in _cells(counts):
        shares = [[count / len(y_true) + 0j for count in row] for row in counts]
        shares[true][predicted] += 1e-30j
        of_cell[true, predicted] = criterion(shares).imag / 1e-30
    of_samples = [of_cell[cell] for cell in zip(y_true, y_pred, strict=True)]
    return [one - math.fsum(of_samples) / len(of_samples) for one in of_samples]


def standard_error(first, second):
    """Return the standard error of a difference, given the influences of two systems."""
    n = len(first)
    return math.sqrt(
        math.fsum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / n / (n - 1)
    )


def paired_interval(criterion, y_true, first, second, n_classes):
    """Return the difference, the ends of its 95% interval, and the p-value."""
    a, b = (criterion(counted(y_true, y_pred, n_classes)) for y_pred in (first, second))
    of_systems = [influences(criterion, y_true, y_pred, n_classes) for y_pred in (first, second)]
    error = standard_error(*of_systems)
    _, degrees = degrees_of_freedom.of_means(np.subtract(*of_systems))
    reach = stats.t.ppf(0.975, degrees) * error
    p_value = degrees_of_freedom.two_sided((a - b) / error, degrees)
    return a - b, a - b - reach, a - b + reach, p_value


# --- decisions, for rows of probabilities and the class sizes of the training samples ---


def closeness_costs(sizes):
    """Return the bits that errors cost, by the true class, if it occurs."""
    return {
        j: [math.log2(_between(sizes, j, i) / (sizes[j] / 2)) for i in range(len(sizes))]
        for j, size in enumerate(sizes)
        if size
    }


def least_cost(proba, sizes):
    costs, decisions = closeness_costs(sizes), []
    for row in proba:
        expected = {i: sum(row[j] * of_class[i] for j, of_class in costs.items()) for i in costs}
        decisions.append(min(expected, key=expected.get))
    return decisions


def prior_corrected(proba, sizes, exponent):
    present = [k for k, size in enumerate(sizes) if size]
    return [
        max(present, key=lambda k: row[k] / (sizes[k] / sum(sizes)) ** exponent) for row in proba
    ]


def tuned_exponent(proba, y, sizes):
    def score(tenths):
        return cem_ord(counted(y, prior_corrected(proba, sizes, tenths / 10), len(sizes)))

    return max(range(11), key=score) / 10


def at_temperature(proba, temperature):
    powers = [[p ** (1 / temperature) for p in row] for row in proba]
    return [[p / sum(row) for p in row] for row in powers]


def tuned_temperature(proba, y):
    def log_loss(log_temperature):
        rows = at_temperature(np.maximum(proba, 1e-9), math.exp(log_temperature))
        return -sum(math.log(row[true]) for row, true in zip(rows, y, strict=True))

    return math.exp(optimize.minimize_scalar(log_loss, bounds=(-2, 2), method="bounded").x)


def expected_positions(proba):
    return [sum(k * p for k, p in enumerate(row)) for row in proba]


def tuned_cuts(scores, y, sizes):
    """Return the lowest of the cuts with the highest CEM_ORD, by dynamic programming."""
    costs, distinct = closeness_costs(sizes), sorted(set(scores))
    pays = {score: dict.fromkeys(costs, 0.0) for score in distinct}
    for score, true in zip(scores, y, strict=True):
        for k in costs:
            pays[score][k] += costs[true][k]
    # The least cost of all scores from this one on, and the class of this one, by the lowest class
    # that is allowed. The highest of equally good classes has the lowest cuts.
    least, choices = dict.fromkeys(costs, 0.0), {}
    for score in reversed(distinct):
        exactly, best = {k: pays[score][k] + least[k] for k in costs}, (math.inf, None)
        for k in sorted(costs, reverse=True):
            if exactly[k] < best[0] - 1e-9:
                best = exactly[k], k
            least[k], choices[score, k] = best
    lowest_of, floor = {}, min(costs)
    for score in distinct:
        floor = choices[score, floor]
        lowest_of.setdefault(floor, score)
    cuts = []
    for k in range(1, len(sizes)):
        just_above_all = math.nextafter(distinct[-1], math.inf)
        above = min((s for c, s in lowest_of.items() if c >= k), default=just_above_all)
        below = max((score for score in distinct if score < above), default=above)
        cuts.append(above if above == just_above_all else (below + above) / 2)
    return cuts


def cut(scores, cuts):
    return [sum(score >= one for one in cuts) for score in scores]
