"""Everything public is clear about odd arguments: it names the argument, or returns a value.

By default, a seeded sample of the calls is run, with a smaller share of those that take
milliseconds. All of them run with ``SKLEARN_ORDINAL_ODD_INPUT=all``, and
``python -m tests.odd_input`` prints a table.
"""

import os
import zlib

from tests.odd_input import calls, functions

SHARE_OF_FAST, SHARE_OF_SLOW = 0.37, 0.02
# Calls that are not clear yet, by function and parameter: the function "" stands for all.
UNCLEAR = {
    ("", "y"): "scikit-learn's validation of y does not name it",
    ("", "cv"): "scikit-learn reads splits",
    ("", "random_state"): "scikit-learn reads the seeds of estimators",
    ("", "n_resamples"): "2**64 resamples are computed until memory or patience ends",
    ("", "n_test_cases"): "2**64 matrices do not fit into memory",
    ("", "n_splits"): "2**64 splits do not fit into memory",
    ("", "n_random"): "2**64 matrices do not fit into memory",
    **dict.fromkeys(
        [
            *(
                (f"Ordinal{name}.{m}", "values")
                for name in ("Forecasts", "Scores")
                for m in ("mean", "total")
            ),
            *(
                (name, side)
                for name in ("corrected_t_test", "bayesian_correlated_t_test")
                for side in ("scores_a", "scores_b", "rope")
            ),
            ("corrected_t_interval", "scores"),
            ("expected_cost_loss", "cost_matrix"),
            ("TunedOrdinalThresholdClassifierCV.predict_log_proba", "X"),
        ],
        "a RuntimeWarning of NumPy leaks",
    ),
    **dict.fromkeys(
        [
            *(
                (f"Ordinal{name}", field)
                for name in ("Forecasts", "Scores")
                for field in ("scale", "y_true")
            ),
            *((f"Ordinal{name}.stack", "evidence") for name in ("Forecasts", "Scores")),
            *(
                (f"{name}_loss", "base")
                for name in ("all_threshold", "immediate_threshold", "margin")
            ),
            *(("ordinal_metric", option) for option in ("exceptions", "name", "properties")),
            ("OrdinalConfusion", "groups"),
            ("SystemsReport", "n_unanswered"),
            ("OrdinalConfusion.from_batches", "batches"),
            ("OrdinalConfusion.stack", "confusions"),
            ("GroupReport.from_confusion", "by"),
            *(
                (f"{name}Display.from_predictions", "y_true")
                for name in (
                    "CoverageCurve",
                    "OrdinalDetCurve",
                    "OrdinalPrecisionRecall",
                    "OrdinalRocCurve",
                    "ThresholdCalibration",
                )
            ),
            ("ErrorDistributionDisplay.plot", "max_distance"),
            ("expected_cost_loss", "y_true"),
            ("expected_cost_loss", "y_pred"),
            ("make_ordinal_scorer", "name"),
        ],
        "an error is raw, or names another argument",
    ),
    **{
        (f"Ordinal{name}.shared", "compute"): "errors of the function are raised as they are"
        for name in ("Forecasts", "Scores")
    },
}


def is_in_sample(call):
    # Whether a call is drawn does not depend on the other calls, such as those of new functions.
    share = SHARE_OF_FAST if call.function.is_fast else SHARE_OF_SLOW
    return zlib.crc32(str(call).encode()) < share * 2**32


def test_each_parameter_has_a_valid_value():
    for function in functions():
        for parameter in function.parameters():
            function.valid(parameter)


def test_calls_with_an_odd_argument_are_clear(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sample = list(calls())
    if os.environ.get("SKLEARN_ORDINAL_ODD_INPUT") != "all":
        sample = [call for call in sample if is_in_sample(call)]
    known = [{("", call.parameter), (call.function.name, call.parameter)} for call in sample]
    unclear = [
        (str(call), *problem)
        for call, names in zip(sample, known, strict=True)
        if not names & UNCLEAR.keys() and (problem := call.run())[0]
    ]
    assert not unclear, "\n".join(map(str, unclear))
