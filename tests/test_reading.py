"""Every verb has the options of reading, and takes evidence in place of arrays."""

import importlib
import inspect
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    OrdinalScores,
    compare_systems,
    metrics,
    ordinal_report,
)
from sklearn_ordinal._core.counting import READING_OPTIONS
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from sklearn_ordinal.metrics import split_measures
from sklearn_ordinal.plotting import (
    CoverageCurveDisplay,
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
    ThresholdCalibrationDisplay,
)

N = 60
RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=N)
FIRST, SECOND = (np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(4, size=N)) for _ in range(2))
PROBA, OTHER_PROBA = (RNG.dirichlet(np.ones(4), size=N) for _ in range(2))
BY = np.array(["north", "south"])[np.arange(N) % 2]
OPTIONS = {"n_resamples": 20, "random_state": 0}
TESTED = {"n_permutations": 20, "random_state": 0}
COUNT, READ = OrdinalConfusion.from_predictions, OrdinalForecasts.from_probabilities
COUNT_ALL = OrdinalConfusion.from_systems


def drawn(display):
    """Return what a display computed from its evidence."""
    plt.close(display.figure_)
    arrays = {k: v for k, v in vars(display).items() if not k.endswith("_")}
    for name in ("evidence", "forecasts", "confusion"):
        arrays.pop(name, None)
    if isinstance(display, (OrdinalConfusionMatrixDisplay, ErrorDistributionDisplay)):
        arrays["counts"] = display.confusion.counts
    return arrays


def displays(display, predicted, read, **options):
    return (
        lambda **reading: drawn(display.from_predictions(TRUE, predicted, **reading, **options)),
        lambda **reading: drawn(
            display.from_predictions(read(TRUE, predicted, **reading), **options)
        ),
    )


# The two ways to call each verb, given the options of reading.
VERBS = {
    "bootstrap_interval": (
        lambda **reading: bootstrap_interval(TRUE, FIRST, **reading, **OPTIONS),
        lambda **reading: bootstrap_interval(COUNT(TRUE, FIRST, **reading), **OPTIONS),
    ),
    "delta_interval": (
        lambda **reading: delta_interval(TRUE, FIRST, **reading).to_dict(),
        lambda **reading: delta_interval(COUNT(TRUE, FIRST, **reading)).to_dict(),
    ),
    "paired_difference": (
        lambda **reading: paired_difference(TRUE, FIRST, SECOND, **reading, **OPTIONS),
        lambda **reading: paired_difference(
            COUNT_ALL(TRUE, {"a": FIRST, "b": SECOND}, **reading), **OPTIONS
        ),
    ),
    "compare_systems": (
        lambda **reading: compare_systems(
            TRUE, {"a": FIRST, "b": SECOND}, **reading, **OPTIONS
        ).to_dict(),
        lambda **reading: compare_systems(
            COUNT_ALL(TRUE, {"a": FIRST, "b": SECOND}, **reading), **OPTIONS
        ).to_dict(),
    ),
    "split_measures": (
        lambda **reading: split_measures(TRUE, FIRST, **reading),
        lambda **reading: split_measures(COUNT(TRUE, FIRST, **reading)),
    ),
    "ordinal_report": (
        lambda **reading: ordinal_report(TRUE, FIRST, **reading),
        lambda **reading: ordinal_report(COUNT(TRUE, FIRST, **reading)),
    ),
    "OrdinalReport.from_predictions": (
        lambda **reading: OrdinalReport.from_predictions(TRUE, FIRST, **reading).to_dict(),
        lambda **reading: OrdinalReport.from_predictions(COUNT(TRUE, FIRST, **reading)).to_dict(),
    ),
    "GroupReport.from_predictions": (
        lambda **reading: GroupReport.from_predictions(
            TRUE, FIRST, by=BY, y_proba=PROBA, **reading, **TESTED
        ).to_dict(),
        lambda **reading: GroupReport.from_predictions(
            COUNT(TRUE, FIRST, by=BY, **reading),
            y_proba=READ(TRUE, PROBA, by=BY, **reading),
            **TESTED,
        ).to_dict(),
    ),
    **{
        f"{display.__name__}.from_predictions": displays(display, FIRST, COUNT)
        for display in (OrdinalConfusionMatrixDisplay, ErrorDistributionDisplay)
    },
    **{
        f"{display.__name__}.from_predictions": displays(display, PROBA, READ)
        for display in (
            CoverageCurveDisplay,
            OrdinalDetCurveDisplay,
            OrdinalPrecisionRecallDisplay,
            OrdinalRocCurveDisplay,
        )
    },
    "ThresholdCalibrationDisplay.from_predictions": displays(
        ThresholdCalibrationDisplay, PROBA, READ, n_resamples=20, random_state=0
    ),
}
FROM_ESTIMATORS = {name.replace("predictions", "estimator") for name in VERBS if "." in name}
CONSTRUCTORS = {
    "OrdinalConfusion.from_predictions",
    "OrdinalConfusion.from_systems",
}
# Options of probabilities stand between theirs, they are read from columns of a table, or they are
# about items, whose weights may be joined by id.
OTHER_CONSTRUCTORS = {
    "OrdinalConfusion.from_probabilities",
    "OrdinalConfusion.from_soft_labels",
    "OrdinalConfusion.from_table",
    "OrdinalForecasts.from_cumulative",
    "OrdinalForecasts.from_probabilities",
    "OrdinalRatings.from_ratings",
    "OrdinalRatings.from_table",
    "OrdinalScores.from_scores",
}
# Metrics have signatures of their own, and neither sets nor scores to cut are predicted classes.
OTHERS = {
    "OrdinalMetric.from_predictions",
    "multioutput_interval",
    "prediction_set_report",
    "tune_thresholds",
}


def readers():
    """Return all public functions and methods that take weights and an order of the classes."""
    found = {}
    packages = "", ".inference", ".meta_evaluation", ".plotting", ".reports", ".metrics"
    packages += ".groups", ".systems", ".raters", ".prediction_sets", ".decisions"
    for package in packages:
        module = importlib.import_module(f"sklearn_ordinal{package}")
        for name in module.__all__:
            item = getattr(module, name)
            functions = {name: item}
            if inspect.isclass(item):
                functions = {f"{name}.{k}": v for k, v in inspect.getmembers(item, callable)}
            found |= {k: v for k, v in functions.items() if not k.split(".")[-1].startswith("_")}
    return {
        name: function
        for name, function in found.items()
        if callable(function)
        # The curves of folds have the tests of estimators on each fold.
        and not name.endswith(".from_cv_results")
        and {"labels", "sample_weight"} <= inspect.signature(function).parameters.keys()
        and (name == "split_measures" or name not in metrics.__all__)
    }


READERS = {
    name: item for name, item in readers().items() if name not in OTHER_CONSTRUCTORS | OTHERS
}


def test_the_verbs_are_these():
    """A new verb needs a row in the table above, in which it takes evidence as well."""
    assert READERS.keys() == VERBS.keys() | FROM_ESTIMATORS | CONSTRUCTORS


@pytest.mark.parametrize("name", READERS)
def test_a_verb_has_the_options_of_reading_with_their_documentation(name):
    function = READERS[name]
    parameters = inspect.signature(function).parameters
    docscrape = pytest.importorskip("numpydoc.docscrape", reason="reads docstrings")
    entries = docscrape.NumpyDocString(function.__doc__)["Parameters"]
    documented = {entry.name: entry for entry in entries}
    assert "reading" not in parameters
    assert "**reading" not in documented
    for option, (default, entry) in READING_OPTIONS.items():
        if option in parameters:
            assert parameters[option].default == default
            assert parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
            text = "\n".join([documented[option].type, *documented[option].desc])
            assert text.split() == entry.split()


@pytest.mark.parametrize("name", READERS)
def test_options_that_a_verb_takes_depend_on_what_it_reads_and_draws(name):
    options = READING_OPTIONS.keys() & inspect.signature(READERS[name]).parameters.keys()
    parameters = inspect.signature(READERS[name]).parameters
    drawing = {"n_resamples", "n_permutations", "intervals", "confidence_level"}
    draws = not parameters.keys().isdisjoint(drawing)
    of_samples = {"CoverageCurve", "OrdinalDetCurve", "OrdinalRocCurve", "OrdinalPrecisionRecall"}
    of_samples.add("ThresholdCalibration")
    if name.partition("Display")[0] in of_samples:
        assert options == {"labels", "sample_weight"}
    elif draws or name in CONSTRUCTORS:
        assert options == READING_OPTIONS.keys()
    else:
        assert options == READING_OPTIONS.keys() - {"clusters", "strata"}


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("reading", [{}, {"sample_weight": np.arange(N) % 5 + 1.0}], ids=str)
def test_a_verb_has_the_same_result_for_arrays_and_evidence(name, reading):
    by_arrays, by_evidence = VERBS[name]
    np.testing.assert_equal(by_evidence(**reading), by_arrays(**reading))


def test_reports_of_groups_take_evidence_of_each_kind():
    options = {"random_state": 0, "metrics": "concordance"}
    for read, predicted in ((READ, PROBA), (OrdinalScores.from_scores, PROBA[:, 3])):
        expected = GroupReport.from_predictions(TRUE, y_proba=predicted, by=BY, **options)
        found = GroupReport.from_predictions(read(TRUE, predicted, by=BY), **options)
        assert found.to_dict() == expected.to_dict()
    expected = GroupReport.from_predictions(TRUE, FIRST, y_proba=PROBA, by=BY, random_state=0)
    evidence = {"y_true": COUNT(TRUE, FIRST, by=BY), "y_proba": READ(TRUE, PROBA, by=BY)}
    found = GroupReport.from_predictions(**evidence, random_state=0)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("name", VERBS)
def test_an_unknown_option_is_refused_in_the_name_of_the_verb(name):
    by_arrays, _ = VERBS[name]
    message = rf"^{name}\(\) got an unexpected keyword argument 'weight': did you mean 'sample_w"
    with pytest.raises(TypeError, match=message):
        by_arrays(weight=[1])


def test_an_unknown_option_that_is_near_no_other_is_answered_with_all_options():
    expected = (
        "OrdinalRocCurveDisplay.from_predictions() got an unexpected keyword argument 'colour': "
        "its parameters are y_true, y_score, labels, sample_weight, split, target_names, ax."
    )
    with pytest.raises(TypeError) as error:
        OrdinalRocCurveDisplay.from_predictions(TRUE, PROBA, colour="red")
    assert str(error.value) == expected
    expected = (
        "ErrorDistributionDisplay.from_confusion() got an unexpected keyword argument 'colour': "
        "its parameters are confusion, target_names, ax, legend."
    )
    with pytest.raises(TypeError) as error:
        ErrorDistributionDisplay.from_confusion(COUNT(TRUE, FIRST), colour="red")
    assert str(error.value) == expected


def test_verbs_can_be_pickled():
    for verb in (bootstrap_interval, ordinal_report, GroupReport.from_predictions):
        assert pickle.loads(pickle.dumps(verb)) == verb
