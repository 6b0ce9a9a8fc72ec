"""The number of samples that shows a difference: statsmodels, Connor (1987) and simulations."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    get_metric,
    required_samples,
)
from sklearn_ordinal.inference import delta_interval, paired_difference

RNG = np.random.default_rng(0)
Y_TRUE = RNG.choice(4, size=240, p=[0.2, 0.4, 0.3, 0.1])
FIRST = np.clip(Y_TRUE + RNG.choice([-1, 0, 1], 240, p=[0.15, 0.7, 0.15]), 0, 3)
SECOND = np.clip(Y_TRUE + RNG.choice([-2, -1, 0, 1], 240, p=[0.1, 0.2, 0.5, 0.2]), 0, 3)
PREDICTIONS = {"first": FIRST, "second": SECOND}
PILOT = OrdinalConfusion.from_systems(Y_TRUE, PREDICTIONS)
HALF_WIDTH = {"half_width": 0.02, "design": "unpaired"}
Z_SQUARED = (norm.ppf(0.975) + norm.ppf(0.8)) ** 2


def shares(accuracy):
    return OrdinalConfusion.from_counts(np.diag([accuracy, 0.0]) + np.diag([1 - accuracy], 1))


def two_classes(n_first_right, n_second_right, n_both_right, n_both_wrong):
    """Return two systems on two classes; all but one sample are of the first class."""
    numbers = [n_first_right, n_second_right, n_both_right, n_both_wrong, 1]
    y_true, first, second = (
        np.repeat(classes, numbers)
        for classes in ([0, 0, 0, 0, 1], [0, 1, 0, 1, 1], [1, 0, 0, 1, 1])
    )
    return OrdinalConfusion.from_systems(y_true, {"first": first, "second": second})


class TestOtherFormulas:
    @pytest.mark.parametrize(("p", "q"), [(0.6, 0.7), (0.5, 0.52), (0.9, 0.8)])
    def test_unpaired_accuracies_are_two_proportions(self, p, q):
        power = pytest.importorskip("statsmodels.stats.power")
        pilot = OrdinalConfusion.stack([shares(p), shares(q)])
        result = required_samples(pilot, "accuracy", difference=abs(p - q), design="unpaired")
        deviation = math.sqrt(p * (1 - p) + q * (1 - q))
        expected = power.normal_sample_size_one_tail(
            abs(p - q), 0.8, 0.025, std_null=deviation, std_alternative=deviation
        )
        assert result.n_required == math.ceil(expected)
        # The usual formula has the variance under equal proportions in one of its terms.
        proportion = pytest.importorskip("statsmodels.stats.proportion")
        pooled = proportion.samplesize_proportions_2indep_onetail(
            p - q, q, 0.8, alternative="two-sided"
        )
        assert result.n_required == pytest.approx(pooled, rel=0.02, abs=2)

    @pytest.mark.parametrize("accuracy", [0.6, 0.95])
    @pytest.mark.parametrize("half_width", [0.1, 0.01])
    def test_the_half_width_of_an_accuracy_is_that_of_a_proportion(self, accuracy, half_width):
        proportion = pytest.importorskip("statsmodels.stats.proportion")
        expected = proportion.samplesize_confint_proportion(accuracy, half_width, alpha=0.1)
        result = required_samples(
            shares(accuracy), "accuracy", half_width=half_width, alpha=0.1, design="unpaired"
        )
        assert result.n_required == math.ceil(expected - 1e-9)

    def test_paired_accuracies_are_mcnemars_test(self):
        # Connor (1987), formula for a given share of discordant pairs and a given difference.
        pilot = two_classes(140, 100, 500, 59)
        discordant, difference = 240 / 800, 40 / 800
        result = required_samples(pilot, "accuracy", difference=difference, random_state=0)
        variance = 800 / 799 * (discordant - difference**2)
        assert result.n_required == math.ceil(Z_SQUARED * variance / difference**2)
        connor = (
            norm.ppf(0.975) * math.sqrt(discordant) + norm.ppf(0.8) * math.sqrt(variance)
        ) ** 2 / difference**2
        assert connor / 1.01 < result.n_required <= connor

    @pytest.mark.parametrize(("power", "expected"), [(0.9, 237), (0.8, 177)])
    def test_paired_accuracies_have_the_number_of_another_package(self, power, expected):
        # The examples of size.test.prop.ps of the R package statpsych: proportions 0.6 and 0.7, or
        # 0.4 and 0.3, with a correlation of 0.5.
        n_right = round(1e5 * (0.6 * 0.7 + 0.5 * math.sqrt(0.24 * 0.21)))
        n_first_right, n_second_right = 60_000 - n_right, 70_000 - n_right
        n_wrong = 100_000 - n_right - n_first_right - n_second_right
        pilot = two_classes(n_first_right, n_second_right, n_right, n_wrong)
        result = required_samples(
            pilot, "accuracy", difference=0.1, power=power, n_pilot_resamples=9, random_state=0
        )
        assert result.n_required == expected

    @pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa", "f1_macro"])
    def test_the_standard_deviation_is_that_of_the_jackknife(self, name):
        metric, n = get_metric(name), 240
        left_out = [
            np.subtract(
                *(
                    metric.from_predictions(
                        np.delete(Y_TRUE, k), np.delete(y_pred, k), labels=range(4)
                    )
                    for y_pred in (FIRST, SECOND)
                )
            )
            for k in range(n)
        ]
        result = required_samples(PILOT, metric, difference=0.05, random_state=0)
        assert result.standard_deviation.estimate == pytest.approx(
            (n - 1) * np.std(left_out, ddof=1), rel=0.02
        )


class TestSimulation:
    """Samples from a population whose standard deviation is known."""

    @pytest.mark.parametrize("name", ["cem_ord", "linear_weighted_kappa", "accuracy"])
    def test_a_paired_test_reaches_the_power(self, name):
        true = paired_difference(PILOT, metrics=name, method="delta").estimate
        n = required_samples(PILOT, name, difference=abs(true), random_state=0).n_required
        rng, n_significant = np.random.default_rng(1), 0
        for _ in range(400):
            drawn = rng.integers(240, size=n)
            test = paired_difference(
                Y_TRUE[drawn], FIRST[drawn], SECOND[drawn], name, method="delta", labels=range(4)
            )
            n_significant += test.pvalue <= 0.05
        # Three standard errors of a share of 0.8, and a little more for the normal quantiles.
        assert n_significant / 400 == pytest.approx(0.8, abs=0.07)

    def test_an_unpaired_test_reaches_the_power(self):
        metric = get_metric("cem_ord")
        values = metric(PILOT)
        n = required_samples(
            PILOT, metric, difference=abs(values[0] - values[1]), design="unpaired", power=0.9
        ).n_required
        rng = np.random.default_rng(0)
        systems = [
            rng.multinomial(n, c.ravel() / 240, 2000).reshape(-1, 4, 4) for c in PILOT.counts
        ]
        drawn = [OrdinalConfusion.from_counts(counts) for counts in systems]
        variances = [
            (c.counts * metric.influence(c).cells ** 2).sum(axis=(1, 2)) / n**2 for c in drawn
        ]
        z = (metric(drawn[0]) - metric(drawn[1])) / np.sqrt(sum(variances))
        assert np.mean(np.abs(z) > norm.ppf(0.975)) == pytest.approx(0.9, abs=0.025)

    def test_intervals_reach_the_half_width(self):
        n = required_samples(PILOT["second"], "cem_ord", **HALF_WIDTH).n_required
        rng = np.random.default_rng(0)
        cells = PILOT["second"].counts
        drawn = rng.multinomial(n, cells.ravel() / 240, 100).reshape(-1, 4, 4)
        intervals = delta_interval(OrdinalConfusion.from_counts(drawn)).values()
        widths = [interval.high - interval.low for interval in intervals]
        assert np.mean(widths) / 2 == pytest.approx(0.02, rel=0.02)

    def test_the_range_is_that_of_pilots_drawn_again(self):
        result = required_samples(PILOT, "cem_ord", difference=0.05, random_state=0)
        rng, numbers = np.random.default_rng(1), []
        for _ in range(600):
            drawn = rng.integers(240, size=240)
            error = paired_difference(
                Y_TRUE[drawn], FIRST[drawn], SECOND[drawn], method="delta", labels=range(4)
            ).standard_error
            numbers.append(Z_SQUARED * 240 * error**2 / 0.05**2)
        assert result.n_range == pytest.approx(np.quantile(numbers, [0.025, 0.975]), rel=0.08)
        assert result.n_range[0] < result.n_required < result.n_range[1]

    def test_a_small_pilot_has_a_wide_range(self):
        few = OrdinalConfusion.from_systems(
            Y_TRUE[::6], {name: y_pred[::6] for name, y_pred in PREDICTIONS.items()}
        )
        small = required_samples(few, "cem_ord", difference=0.05, random_state=0)
        large = required_samples(PILOT, "cem_ord", difference=0.05, random_state=0)
        assert np.ptp(small.n_range) > 1.5 * np.ptp(large.n_range)
        assert (small.n_pilot, large.n_pilot) == ((40,), (240,))


class TestPilots:
    @pytest.mark.parametrize("name", ["accuracy", "cem_ord", "quadratic_weighted_kappa"])
    def test_as_many_samples_as_in_the_pilot_have_the_standard_error_of_the_pilot(self, name):
        pilot = OrdinalConfusion.from_predictions(Y_TRUE[:20], SECOND[:20])
        result = required_samples(pilot, name, random_state=0, **HALF_WIDTH)
        error = delta_interval(pilot, metrics=name).standard_error
        planned = result.standard_deviation.estimate / math.sqrt(20)
        assert planned == pytest.approx(error, rel=1e-12)

    def test_weights_of_rows_and_sums_of_them_are_the_same(self):
        weights = RNG.uniform(0.5, 2, 240)
        rows = OrdinalConfusion.from_predictions(Y_TRUE, FIRST, sample_weight=weights)
        sums = OrdinalConfusion(
            rows.scale,
            rows.counts,
            True,
            sample_counts=rows.sample_counts,
            squared_weights=rows.squared_weights,
        )
        results = [
            required_samples(pilot, "cem_ord", random_state=0, **HALF_WIDTH)
            for pilot in (rows, sums)
        ]
        assert results[0] == results[1]
        error = delta_interval(rows).standard_error
        deviation = results[0].standard_deviation.estimate
        assert deviation == pytest.approx(error * math.sqrt(240), rel=1e-12)

    def test_weights_that_vary_need_more_samples(self):
        weights = RNG.choice([0.2, 3.0], 240)
        options = {"difference": 0.05, "random_state": 0}
        weighted = OrdinalConfusion.from_systems(Y_TRUE, PREDICTIONS, sample_weight=weights)
        equal = OrdinalConfusion.from_systems(Y_TRUE, PREDICTIONS, sample_weight=np.full(240, 2.5))
        unweighted = required_samples(PILOT, "cem_ord", **options)
        assert required_samples(equal, "cem_ord", **options).n_required == unweighted.n_required
        heavier = required_samples(weighted, "cem_ord", **options)
        assert heavier.n_required > 1.3 * unweighted.n_required

    def test_clusters_are_counted_instead_of_samples(self):
        clusters = np.arange(240) // 3
        pilot = OrdinalConfusion.from_systems(Y_TRUE, PREDICTIONS, clusters=clusters)
        result = required_samples(pilot, "cem_ord", difference=0.05, random_state=0)
        error = paired_difference(pilot, method="delta").standard_error
        deviation = result.standard_deviation.estimate
        assert deviation == pytest.approx(error * math.sqrt(80), rel=1e-12)
        assert (result.unit, result.n_pilot) == ("cluster", (80,))
        assert "clusters show a difference of 0.05" in str(result)
        each = required_samples(pilot, "cem_ord", difference=0.05, design="unpaired")
        assert each.n_pilot == (80, 80)

    def test_unanswered_samples_count_as_samples(self):
        # One error among ten answers, and as many samples without an answer.
        y_true, y_pred = np.repeat([0, 1], 100), np.repeat([0, 1], 100).astype(object)
        y_pred[:10] = 1
        y_pred[50:150] = None
        pilot = OrdinalConfusion.from_predictions(y_true, y_pred, unanswered="count")
        answered = OrdinalConfusion.from_counts(pilot.counts)
        both = [
            required_samples(
                c, "accuracy", random_state=0, **HALF_WIDTH
            ).standard_deviation.estimate
            for c in (pilot, answered)
        ]
        assert both[0] == pytest.approx(math.sqrt(2) * both[1])
        counting = required_samples(pilot, "cem_ord", random_state=0, **HALF_WIDTH)
        error = delta_interval(pilot).standard_error
        assert counting.standard_deviation.estimate == pytest.approx(error * math.sqrt(200))

    @pytest.mark.parametrize("name", ["accuracy", "cem_ord", "quadratic_weighted_kappa"])
    def test_at_given_class_sizes_only_the_variation_within_classes_counts(self, name):
        counts = PILOT["first"].counts
        sizes, rates = counts.sum(axis=1), np.diag(counts) / counts.sum(axis=1)
        weighted = np.array([0.1, 0.2, 0.3, 0.4])
        pilot = PILOT["first"].at_prevalence(weighted)
        result = required_samples(pilot, name, random_state=0, **HALF_WIDTH)
        error = delta_interval(pilot, metrics=name).standard_error
        deviation = result.standard_deviation.estimate
        assert deviation == pytest.approx(error * math.sqrt(240), rel=1e-9)
        if name == "accuracy":
            variance = 240 / 239 * (weighted**2 * rates * (1 - rates) / sizes).sum()
            assert deviation == pytest.approx(math.sqrt(240 * variance), rel=1e-9)
        assert result.n_range[0] < result.n_required < result.n_range[1]

    @pytest.mark.parametrize("is_clustered", [False, True])
    def test_systems_and_clusters_have_their_standard_errors_at_given_class_sizes(
        self, is_clustered
    ):
        clusters = np.arange(240) // 3 if is_clustered else None
        systems = OrdinalConfusion.from_systems(
            Y_TRUE, PREDICTIONS, sample_weight=RNG.uniform(0.5, 2, 240), clusters=clusters
        )
        pilot = systems.at_prevalence([0.1, 0.2, 0.3, 0.4])
        result = required_samples(pilot, "cem_ord", random_state=0, **DIFFERENCE)
        error = paired_difference(pilot, method="delta").standard_error
        (n_units,) = result.n_pilot
        assert n_units == (80 if is_clustered else 240)
        expected = error * math.sqrt(n_units)
        assert result.standard_deviation.estimate == pytest.approx(expected, rel=1e-9)
        assert result.n_range[0] < result.n_required < result.n_range[1]

    def test_pilots_that_are_drawn_again_have_the_given_class_sizes(self):
        y_true, y_pred, shares = Y_TRUE[:80], FIRST[:80], np.array([0.1, 0.2, 0.3, 0.4])
        pilot = OrdinalConfusion.from_predictions(y_true, y_pred).at_prevalence(shares)
        result = required_samples(
            pilot, "accuracy", random_state=0, n_pilot_resamples=9999, **HALF_WIDTH
        )
        rng, deviations = np.random.default_rng(0), np.empty(9999)
        for k in range(len(deviations)):
            drawn = rng.integers(80, size=80)
            sizes = np.bincount(y_true[drawn], minlength=4)
            rates = np.bincount(y_true[drawn], y_pred[drawn] == y_true[drawn], 4) / sizes
            deviations[k] = math.sqrt(80**2 / 79 * (shares**2 * rates * (1 - rates) / sizes).sum())
        ends = result.standard_deviation.low, result.standard_deviation.high
        np.testing.assert_allclose(ends, np.quantile(deviations, [0.025, 0.975]), rtol=0.01)

    def test_unanswered_samples_have_an_influence_at_given_class_sizes(self):
        answers = FIRST.astype(object)
        answers[::5] = None
        counted = OrdinalConfusion.from_predictions(Y_TRUE, answers, unanswered="count")
        pilot = counted.at_prevalence([0.1, 0.2, 0.3, 0.4])
        result = required_samples(pilot, "accuracy", random_state=0, **HALF_WIDTH)
        assert result.n_required > 2

    def test_a_matrix_stands_for_both_systems_of_an_unpaired_design(self):
        options = {"difference": 0.05, "design": "unpaired", "random_state": 0}
        first = PILOT["first"]
        alone = required_samples(first, "cem_ord", **options)
        twice = required_samples(OrdinalConfusion.stack([first, first]), "cem_ord", **options)
        assert alone.n_required == twice.n_required
        assert (alone.n_pilot, twice.n_pilot) == ((240,), (240, 240))
        joint = required_samples(PILOT, "cem_ord", **options)
        separate = OrdinalConfusion.stack([PILOT["first"], PILOT["second"]])
        assert joint.n_required == required_samples(separate, "cem_ord", **options).n_required

    def test_expected_shares_have_no_range(self):
        counts = PILOT["first"].counts
        drawn = required_samples(PILOT["first"], "cem_ord", random_state=0, **HALF_WIDTH)
        pilot = OrdinalConfusion.from_counts(counts / counts.sum())
        result = required_samples(pilot, "cem_ord", **HALF_WIDTH)
        # Shares that are known have no correction for the number of samples.
        deviation = drawn.standard_deviation.estimate * math.sqrt(239 / 240)
        assert result.standard_deviation.estimate == pytest.approx(deviation, rel=1e-9)
        assert result.n_required == math.ceil((norm.ppf(0.975) * deviation / 0.02) ** 2)
        assert np.isnan(result.n_range).all()
        text = " ".join(str(result).split())
        assert "The shares of the pilot are taken as known, so this number has no range." in text
        assert "of pilots" not in text
        assert result.plot().band_ is None
        unanswered = OrdinalConfusion.from_counts(
            counts / 300, unanswered=np.bincount(Y_TRUE[:60], minlength=4) / 300
        )
        more = required_samples(unanswered, "accuracy", **HALF_WIDTH)
        answered = required_samples(pilot, "accuracy", **HALF_WIDTH)
        assert more.n_required == pytest.approx(answered.n_required * 300 / 240, abs=1)

    def test_undefined_pilots_are_left_out_of_the_range(self):
        # A pilot without the single sample of class 1 and without the error has no kappa.
        pilot = OrdinalConfusion.from_predictions([0] * 30 + [1], [0] * 29 + [1, 1])
        result = required_samples(pilot, "quadratic_weighted_kappa", random_state=0, **HALF_WIDTH)
        n_undefined = result.standard_deviation.n_undefined
        assert n_undefined / 999 == pytest.approx((29 / 31) ** 31, abs=0.04)
        assert f"The range leaves out {n_undefined} pilots for which" in " ".join(
            str(result).split()
        )

    def test_without_any_defined_pilot_there_is_no_range(self):
        pilot = OrdinalConfusion.from_predictions([0] * 30 + [1], [0] * 29 + [1, 1])
        results = [
            required_samples(
                pilot,
                "quadratic_weighted_kappa",
                n_pilot_resamples=1,
                random_state=seed,
                **HALF_WIDTH,
            )
            for seed in range(40)
        ]
        result = next(r for r in results if r.standard_deviation.n_undefined)
        assert "is undefined if the 31 samples of the pilot are drawn again." in " ".join(
            str(result).split()
        )
        assert result.plot().band_ is None

    def test_own_criteria_of_counts_are_taken(self):
        def right(counts):
            return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

        own = OrdinalMetric("share_right", right)
        result = required_samples(PILOT, own, difference=0.05, random_state=0)
        assert result.criterion == "share_right"
        accuracy = required_samples(PILOT, "accuracy", difference=0.05, random_state=0)
        assert result.n_required == accuracy.n_required


class TestViews:
    result = required_samples(PILOT, "cem_ord", difference=0.05, power=0.9, random_state=0)
    width = required_samples(PILOT["first"], "accuracy", random_state=0, **HALF_WIDTH)

    def test_the_first_sentences_say_the_number_and_its_range(self):
        text = " ".join(str(self.result).split())
        low, high = self.result.n_range
        assert text.startswith(
            f"{self.result.n_required} samples show a difference of 0.05 in cem_ord with a power "
            f"of 90%, by a two-sided paired test at the level 0.05. If the 240 samples of the "
            f"pilot are drawn again, the number is between {low} and {high} in 95% of 999 pilots."
        )
        assert " ".join(str(self.width).split()).startswith(
            f"{self.width.n_required:,} samples give a 95% interval of accuracy with a half width "
            f"of 0.02."
        )

    def test_a_small_difference_is_not_rounded_to_0(self):
        text = str(required_samples(PILOT, "cem_ord", difference=0.001, random_state=0))
        differences = [line.split()[-1] for line in text.splitlines() if line.count(".") == 4]
        assert differences == ["0.0020", "0.0014", "0.0010", "0.0007", "0.0005"]

    def test_a_number_of_samples_has_one_row(self):
        result = required_samples(PILOT, "cem_ord", difference=0.9, random_state=0)
        assert result.n_required == 2
        assert result.to_frame()["n_samples"].tolist() == [2, 4, 8]

    def test_the_table_says_what_other_numbers_of_samples_reach(self):
        frame = self.result.to_frame()
        n = self.result.n_required
        assert frame["n_samples"].tolist() == [math.ceil(k * n) for k in (0.25, 0.5, 1, 2, 4)]
        assert frame["power"].iloc[2] == pytest.approx(0.9, abs=0.002)
        assert frame["smallest_difference"].iloc[[2, 4]].tolist() == pytest.approx(
            [0.05, 0.025], rel=0.01
        )
        assert (frame["power_low"] < frame["power"]).all()
        assert (frame["power"] < frame["power_high"]).all()
        widths = self.width.to_frame()
        assert widths["half_width"].iloc[[0, 2]].tolist() == pytest.approx([0.04, 0.02], rel=0.01)
        assert (widths["half_width_low"] < widths["half_width_high"]).all()

    def test_the_plot_marks_the_required_number(self):
        display = self.result.plot()
        assert display.required == (self.result.n_required, 0.9)
        at_required = np.interp(self.result.n_required, display.n_samples, display.values)
        assert at_required == pytest.approx(0.9, abs=0.005)
        assert display.ax_.get_ylabel() == "Power"
        assert self.width.plot().ax_.get_ylabel() == "Half width"
        each = required_samples(PILOT, "cem_ord", difference=0.05, design="unpaired")
        assert each.plot().ax_.get_xlabel() == "Samples of each system"
        n = each.n_required
        assert f"{n:,} samples of each system, {2 * n:,} in all, show a difference" in " ".join(
            str(each).split()
        )

    def test_the_result_has_a_name_and_the_range_in_its_dict(self):
        assert repr(self.result) == f"RequiredSamples(cem_ord, n_required={self.result.n_required})"
        numbers = self.result.to_dict()
        assert (numbers["n_low"], numbers["n_high"]) == self.result.n_range

    def test_a_range_that_is_not_finite_is_refused(self):
        low, high = self.result.n_required, self.result.n_range[1]
        difference = 0.05 * math.sqrt((low + high) / 2 / 2**53)
        with pytest.raises(ValueError, match="difference must be large enough for a finite"):
            required_samples(PILOT, "cem_ord", difference=difference, power=0.9, random_state=0)

    def test_a_small_number_is_only_a_rough_guide(self):
        result = required_samples(PILOT, "accuracy", difference=0.9, random_state=0)
        assert result.n_required < 30
        assert "the closed form is only a rough guide" in " ".join(str(result).split())
        nearly_all = required_samples(PILOT, "cem_ord", difference=1, random_state=0)
        assert nearly_all.n_required == 2


def forecasts(y_pred, seed):
    amounts = 1 + 3 * np.eye(4)[y_pred] + np.random.default_rng(seed).random((240, 4))
    y_proba = amounts / amounts.sum(axis=1, keepdims=True)
    return OrdinalForecasts.from_probabilities(Y_TRUE, y_proba)


FORECASTS = {name: forecasts(y_pred, k) for k, (name, y_pred) in enumerate(PREDICTIONS.items())}


class TestProbabilitiesAndScores:
    def test_the_standard_deviation_of_a_mean_loss_is_that_of_the_losses(self):
        losses = [
            -np.log(evidence.y_proba[np.arange(240), evidence.y_true])
            for evidence in FORECASTS.values()
        ]
        options = {"difference": 0.05, "random_state": 0}
        paired = required_samples(FORECASTS, "log_loss", **options).standard_deviation
        assert paired.estimate == pytest.approx(np.std(losses[0] - losses[1], ddof=1), rel=1e-9)
        unpaired = required_samples(
            list(FORECASTS.values()), "log_loss", design="unpaired", **options
        )
        expected = math.hypot(*np.std(losses, axis=1, ddof=1))
        assert unpaired.standard_deviation.estimate == pytest.approx(expected, rel=1e-9)
        alone = required_samples(FORECASTS["second"], "log_loss", random_state=0, **HALF_WIDTH)
        assert alone.standard_deviation.estimate == pytest.approx(
            np.std(losses[1], ddof=1), rel=1e-9
        )
        rng = np.random.default_rng(1)
        drawn = rng.choice(losses[0] - losses[1], (2000, 240)).std(axis=1, ddof=1)
        assert (paired.low, paired.high) == pytest.approx(
            np.quantile(drawn, [0.025, 0.975]).tolist(), rel=0.03
        )

    @pytest.mark.parametrize("name", ["ranked_probability_score", "concordance"])
    @pytest.mark.parametrize("options", [{}, {"clusters": np.arange(240) // 3}])
    def test_it_is_that_of_the_difference_in_closed_form(self, name, options):
        pilot = {
            key: OrdinalForecasts.from_probabilities(Y_TRUE, evidence.y_proba, **options)
            for key, evidence in FORECASTS.items()
        }
        result = required_samples(pilot, name, difference=0.05, random_state=0)
        n_units = 80 if options else 240
        error = paired_difference(pilot, metrics=name, method="delta").standard_error
        deviation = result.standard_deviation.estimate
        assert deviation == pytest.approx(error * math.sqrt(n_units), rel=1e-9)
        assert (result.n_pilot, result.unit) == ((n_units,), "cluster" if options else "sample")
        assert result.n_range[0] < result.n_required < result.n_range[1]


PERFECT = OrdinalConfusion.from_counts(np.diag([5, 5, 5]))
DIFFERENCE = {"difference": 0.05}
UNPAIRED = {"difference": 0.05, "design": "unpaired"}


@pytest.mark.parametrize(
    ("pilot", "metric", "options", "message"),
    [
        (PERFECT, "cem_ord", HALF_WIDTH, "pilot must have errors, got one in which all samples"),
        (
            OrdinalConfusion.from_systems(Y_TRUE, {"a": FIRST, "b": FIRST}),
            "cem_ord",
            DIFFERENCE,
            "pilot must have samples on which the systems differ, got systems whose cem_ord no",
        ),
        (
            OrdinalConfusion.from_systems([0], {"a": [0], "b": [1]}),
            "cem_ord",
            DIFFERENCE,
            "pilot must have at least two samples of positive weight, got 1: collect more",
        ),
        (
            OrdinalConfusion.from_predictions([0], [1]),
            "cem_ord",
            HALF_WIDTH,
            "pilot must have at least two samples of positive weight, got 1: collect more",
        ),
        (
            OrdinalConfusion.from_predictions([0, 1], [1, 0], sample_weight=[0.0, 2.0]),
            "cem_ord",
            HALF_WIDTH,
            "pilot must have at least two samples of positive weight, got 1: collect more",
        ),
        (
            OrdinalConfusion.from_predictions([0, 1], [1, 0], clusters=["a", "a"]),
            "cem_ord",
            HALF_WIDTH,
            "clusters must have at least 2 values for samples",
        ),
        (PILOT, "cem_ord", {"difference": 0}, "difference must be a positive number, in the unit"),
        (PILOT, "cem_ord", {"difference": -0.1}, "got -0.1: pass the smallest one that matters"),
        (PILOT, "cem_ord", {"difference": "x"}, "difference must be a positive number"),
        (PILOT, "cem_ord", {"difference": 1.5}, "difference must be at most 1, since cem_ord is"),
        (
            PILOT["first"],
            "quadratic_weighted_kappa",
            HALF_WIDTH | {"half_width": 1.1},
            "half_width must be at most 1, since quadratic_weighted_kappa is from -1 to 1, got 1.1",
        ),
        (PILOT, "cem_ord", {"difference": 1e-300}, "difference must be large enough for a finite"),
        (PILOT, "cem_ord", {}, "difference or half_width must be given, and not both, got neither"),
        (PILOT, "cem_ord", {**DIFFERENCE, "half_width": 0.1}, "and not both, got both: pass"),
        (
            PILOT["first"],
            "cem_ord",
            {"half_width": 0.1},
            "design must be 'unpaired' for half_width, .* got 'paired': pass design='unpaired'",
        ),
        (
            PILOT["first"],
            "cem_ord",
            HALF_WIDTH | {"half_width": 0},
            "half_width must be a positive",
        ),
        (PILOT, "cem_ord", DIFFERENCE | {"power": 1}, "power must be a number between 0 and 1"),
        (PILOT, "cem_ord", DIFFERENCE | {"power": 0.0}, "power must be a number between 0 and 1"),
        (PILOT, "cem_ord", DIFFERENCE | {"power": 0.05}, "power must be greater than alpha, 0.05"),
        (PILOT, "cem_ord", DIFFERENCE | {"alpha": 0}, "alpha must be a number between 0 and 1"),
        (PILOT, "cem_ord", DIFFERENCE | {"alpha": 1}, "alpha must be a number between 0 and 1"),
        (
            PILOT,
            "cem_ord",
            DIFFERENCE | {"design": "both"},
            "design must be one of",
        ),
        (
            PILOT,
            "cem_ord",
            DIFFERENCE | {"n_pilot_resamples": 0},
            "n_pilot_resamples must be a pos",
        ),
        (PILOT, "log_loss", DIFFERENCE, "pilot must hold probabilities for log_loss, got"),
        ({}, "log_loss", DIFFERENCE, "pilot must hold probabilities for log_loss, got"),
        (
            FORECASTS,
            "cem_ord_decision",
            DIFFERENCE,
            "metric must have an influence of each sample, which cem_ord_decision does not have",
        ),
        (
            FORECASTS["first"],
            "log_loss",
            DIFFERENCE,
            "must hold the evidence of 2 systems for design='paired', got 1: pass two in a dict",
        ),
        (FORECASTS, "log_loss", HALF_WIDTH, "evidence of 1 system for half_width, got 2: pass one"),
        (
            [FORECASTS["first"]] * 3,
            "log_loss",
            UNPAIRED,
            "evidence of 1 or 2 systems for design='unpaired', got 3",
        ),
        (
            [FORECASTS["first"], OrdinalForecasts.from_probabilities([0, 1, 2, 3], np.eye(4))],
            "log_loss",
            DIFFERENCE,
            "evidence of several systems must be on the same samples",
        ),
        (
            [FORECASTS["first"]] * 2,
            "ranked_probability_score",
            DIFFERENCE,
            "pilot must have samples on which the systems differ",
        ),
        (
            OrdinalForecasts.from_probabilities([0], [[0.5, 0.5]], labels=[0, 1]),
            "ranked_probability_score",
            HALF_WIDTH,
            "pilot must have at least two samples of positive weight, got 1",
        ),
        (
            OrdinalConfusion.from_counts([[3, 1], [1, 3]]),
            "minimum_sensitivity",
            HALF_WIDTH,
            "but minimum_sensitivity has no derivative for the pilot, as at a tie of classes",
        ),
        (
            OrdinalConfusion.from_counts([[3, 1], [0, 0]]),
            "quadratic_weighted_kappa",
            HALF_WIDTH,
            "pilot",
        ),
        (
            OrdinalConfusion.from_counts([[3, 0], [0, 0]]),
            "quadratic_weighted_kappa",
            HALF_WIDTH,
            "but quadratic_weighted_kappa is undefined for the pilot: choose another criterion",
        ),
        (
            OrdinalConfusion.from_counts(PILOT["first"].counts * 1.5),
            "cem_ord",
            HALF_WIDTH,
            "pilot must hold numbers of samples, or weights .*, got sums of weights that add up to",
        ),
        (
            OrdinalConfusion.from_predictions([0, 0], [0, 0]),
            "cem_ord",
            HALF_WIDTH,
            "pilot must have at least two classes, got only the class 0: pass labels= with all",
        ),
        (
            PILOT["first"],
            "cem_ord",
            DIFFERENCE,
            "counted together for design='paired', got one conf",
        ),
        (
            OrdinalConfusion.from_counts(PILOT.counts),
            "cem_ord",
            DIFFERENCE,
            "got a stack of 2, which does not show on which samples they differ: pass what",
        ),
        (
            OrdinalConfusion(PILOT.scale, PILOT.counts, has_systems=True),
            "cem_ord",
            DIFFERENCE,
            "pilot must hold the samples of the two systems for design='paired'",
        ),
        (PILOT, "cem_ord", HALF_WIDTH, r"got a stack of 2: take one, as in pilot\['first'\]"),
        (
            OrdinalConfusion.stack([PERFECT] * 3),
            "cem_ord",
            UNPAIRED,
            r"or a stack of two for design='unpaired', got a stack of 3: take one, as in pilot\[0",
        ),
        (Y_TRUE, "cem_ord", DIFFERENCE, "pilot must be an OrdinalConfusion, got"),
        (
            OrdinalForecasts.from_probabilities([0, 1], [[0.5, 0.5], [0.1, 0.9]]),
            "cem_ord",
            DIFFERENCE,
            "pilot must be an OrdinalConfusion, got .*: make one with OrdinalConfusion.from_sys",
        ),
        (PILOT, "unknown", DIFFERENCE, "metric.*unknown"),
        (PILOT, "cem_ord", DIFFERENCE | {"random_state": "odd"}, "random_state must be"),
    ],
)
def test_what_has_no_number_of_samples_raises_in_one_line(pilot, metric, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        required_samples(pilot, metric, **options)
    assert "\n" not in str(caught.value)
