"""scikit-learn's checks of estimators, one test each."""

import pytest
from sklearn.utils import estimator_checks


def each_check(estimators, expected_failures):
    """Return a mark that runs a test with each estimator, by name, and each of its checks.

    Checks that are expected to fail, with the reason, must fail.
    """
    return pytest.mark.parametrize(
        ("estimator", "check"),
        [
            pytest.param(
                instance,
                check,
                id=f"{name}-{check.func.__name__}",
                marks=_expecting(expected_failures[name].get(check.func.__name__)),
            )
            for name, estimator in estimators.items()
            for instance, check in _checks_of(estimator)
        ],
    )


def _checks_of(estimator):
    if hasattr(estimator_checks, "estimator_checks_generator"):  # scikit-learn 1.6
        return estimator_checks.estimator_checks_generator(estimator)
    return estimator_checks.check_estimator(estimator, generate_only=True)


def _expecting(failure):
    return [] if failure is None else [pytest.mark.xfail(reason=failure, strict=True)]
