"""Everything public is clear about odd arguments: it names the argument, or returns a value.

By default, a seeded sample of the calls is run, with a smaller share of those that take
milliseconds. All of them run with ``SKLEARN_ORDINAL_ODD_INPUT=all``, and
``python -m tests.odd_input`` prints a table.
"""

import os
import zlib

from tests.odd_input import calls, functions

SHARE_OF_FAST, SHARE_OF_SLOW = 0.12, 0.01
# Errors that rightly do not name the argument, by function, parameter and kind of value.
OTHER_ERRORS = {
    ("OrdinalForecasts.shared", "compute", "type"): "errors of a user's function are not replaced",
    ("OrdinalRatings.shared", "compute", "type"): "errors of a user's function are not replaced",
    ("OrdinalScores.shared", "compute", "type"): "errors of a user's function are not replaced",
    ("CemBoostingClassifier", "estimator", "None"): "None is valid; LightGBM needs more samples",
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
    unclear = [
        (str(call), *problem)
        for call in sample
        if (call.function.name, call.parameter, call.kind) not in OTHER_ERRORS
        and (problem := call.run())[0]
    ]
    assert not unclear, "\n".join(map(str, unclear))
