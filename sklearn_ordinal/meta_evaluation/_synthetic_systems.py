"""Synthetic systems with known kinds and rates of errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    IntegerArray,
    OrdinalScale,
    RandomState,
    as_generator,
    as_numbers,
    check_bool,
    check_choice,
    check_count,
    check_integer,
    check_names,
    repeated,
    shown,
)
from sklearn_ordinal.meta_evaluation._ordinal_systems import OrdinalSystems, PredictedPositions

ErrorKind: TypeAlias = Literal["maj", "rand", "tDisp", "oDisp", "prox"]

# The mean and standard deviations as shares of the distance from the lowest to the highest class.
# With 11 classes, the mean is the fourth class, and the standard deviation is 1 to 3 classes.
_MEAN, _SPREAD = 0.3, (0.1, 0.3)


def make_ordinal_systems(
    *,
    n_test_cases: int = 100,
    n_samples: int = 200,
    n_classes: int = 11,
    kinds: Sequence[ErrorKind] = get_args(ErrorKind),
    error_rates: ArrayLike = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    spread: tuple[float, float] | None = None,
    wrap_around: bool = False,
    random_state: RandomState = None,
) -> OrdinalSystems:
    r"""Make systems with known kinds and rates of errors.

    The defaults reproduce the experiment that introduced CEM_ORD [1]_: 100 test cases of 200
    samples in 11 classes, and five kinds of system at ten error rates each. The true classes of
    a test case are drawn from a normal distribution and rounded to the nearest class. The mean
    of the distribution is the fourth class, and its standard deviation is drawn uniformly for
    each test case.

    Independently for each sample, a system predicts either the true class or, with a
    probability equal to the error rate, the class that its kind assigns:

    - ``"maj"``: the class of the mean, which is the most frequent class.
    - ``"rand"``: any class, drawn with equal probabilities.
    - ``"tDisp"``, displaced tags: the class after the true class; the highest class stays.
    - ``"oDisp"``, displaced order: the true class of a later sample, with samples sorted by
      their true classes. It is later by a tenth of the number of samples, rounded up.
    - ``"prox"``, proximity: the true class of the sample that lies, in the same order, midway
      between the sample and a second sample, which is drawn at random.

    The assigned class can be the true class, so the expected accuracy is at least one minus
    the error rate.

    Parameters
    ----------
    n_test_cases : int, default=100
        Number of test cases.
    n_samples : int, default=200
        Number of samples of each test case.
    n_classes : int, default=11
        Number of classes, at least 2. The classes are the integers from 0.
    kinds : sequence of {"maj", "rand", "tDisp", "oDisp", "prox"}, default=all
        Kinds of systems.
    error_rates : array-like of shape (n_error_rates,), default=(0.1, 0.2, ..., 1.0)
        Error rates in [0, 1]. There is a system of each kind for each error rate, for example
        ``"prox 0.3"``.
    spread : tuple of two floats, default=None
        Lowest and highest standard deviation of the true classes, measured in classes. If None,
        0.1 and 0.3 times ``n_classes - 1``, which is 1 and 3 for 11 classes. The mean is always
        0.3 times ``n_classes - 1`` above the lowest class.
    wrap_around : bool, default=False
        For ``"oDisp"``, whether the first sample follows the last one. If False, the last tenth
        of the samples is assigned the class of the last sample.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for reproducible systems.

    Returns
    -------
    OrdinalSystems
        A system for each kind and error rate, with its predictions. The samples of a test case
        are sorted by their true classes.

    Raises
    ------
    ValueError
        If a number is out of range, a kind is unknown, or a kind or an error rate occurs
        twice.

    See Also
    --------
    OrdinalSystems : Predictions of several systems for several test cases.

    Notes
    -----
    The source does not say whether the spread is a standard deviation or a variance, or which
    sample follows the last one. For a variance from 1 to 3, pass ``spread=(1, 3**0.5)``.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz (2020), "An
       Effectiveness Metric for Ordinal Classification: Formal Properties and Experimental
       Results", ACL, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import make_ordinal_systems
    >>> systems = make_ordinal_systems(error_rates=[0.1, 0.5], random_state=0)
    >>> systems
    OrdinalSystems of 100 test cases, 10 systems and 11 classes
    >>> systems.names[:4]
    ('maj 0.1', 'maj 0.5', 'rand 0.1', 'rand 0.5')
    >>> accuracy = systems.subset(["rand 0.1", "rand 0.5"]).evaluate("accuracy")
    >>> accuracy.mean(axis=0).round(2)
    array([0.91, 0.55])
    """
    check_count("n_samples", n_samples, at_least=1)
    check_bool("wrap_around", wrap_around)
    scale = _scale(n_classes)
    kind_names = _checked_kinds(kinds)
    rates = _checked_rates(error_rates)
    size = int(n_samples) * len(kind_names) * len(rates)
    check_count("n_test_cases", n_test_cases, at_least=1, size=size)
    low, high = _checked_spread(spread, n_classes)
    rng = as_generator(random_state)

    deviation = rng.uniform(low, high, size=(n_test_cases, 1))
    positions = rng.normal(_MEAN * (n_classes - 1), deviation, size=(n_test_cases, n_samples))
    y_true = np.sort(np.clip(np.rint(positions), 0, n_classes - 1).astype(np.intp), axis=-1)
    shape = len(rates), n_test_cases, n_samples
    predicted = []
    for kind in kind_names:
        assigned = _assigned(kind, y_true, shape, n_classes, wrap_around, rng)
        is_drawn = rng.random(shape) < rates[:, None, None]
        predicted.append(np.where(is_drawn, assigned, y_true))
    predictions = PredictedPositions(
        y_true.ravel(),
        np.concatenate(predicted).reshape(-1, y_true.size),
        np.repeat(np.arange(n_test_cases), n_samples),
    )
    return OrdinalSystems(
        predictions.count(scale, n_test_cases),
        tuple(f"{kind} {rate:g}" for kind in kind_names for rate in rates),
        predictions=predictions,
    )


def _assigned(
    kind: str,
    y_true: IntegerArray,
    shape: tuple[int, int, int],
    n_classes: int,
    wrap_around: bool,
    rng: np.random.Generator,
) -> IntegerArray:
    """Return the positions that a kind of system assigns to samples sorted by their class."""
    n_samples = shape[-1]
    rank = np.arange(n_samples)
    if kind == "maj":
        return np.full_like(y_true, np.rint(_MEAN * (n_classes - 1)))
    if kind == "rand":
        return rng.integers(n_classes, size=shape)
    if kind == "tDisp":
        return np.minimum(y_true + 1, n_classes - 1)
    if kind == "oDisp":
        later = rank + math.ceil(n_samples / 10)
        return y_true[:, later % n_samples if wrap_around else np.minimum(later, n_samples - 1)]
    midway = (rank + rng.integers(n_samples, size=shape)) // 2
    return np.take_along_axis(y_true[None], midway, axis=-1)


def _scale(n_classes: int) -> OrdinalScale:
    check_integer("n_classes", n_classes, at_least=1)
    if n_classes == 1:
        raise ValueError("n_classes must be at least 2, got 1.")
    return OrdinalScale.from_run(0, n_classes)


def _checked_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    names = check_names("kinds", kinds)
    for name in names:
        check_choice("kinds", name, ErrorKind)
    _check_once("kinds", names)
    return names


def _checked_rates(error_rates: ArrayLike) -> NDArray[np.float64]:
    rates = as_numbers("error_rates", error_rates).astype(np.float64)
    if rates.ndim != 1:
        raise ValueError(
            f"error_rates must be a sequence of numbers, such as [0.1, 0.5], got "
            f"{shown(error_rates)}."
        )
    outside = rates[~((rates >= 0) & (rates <= 1))]
    if outside.size:
        raise ValueError(f"error_rates must be in [0, 1], got {outside[0]:g}.")
    # Compare error rates as they are formatted in the names of systems.
    _check_once("error_rates", tuple(f"{rate:g}" for rate in rates))
    return rates


def _check_once(argument: str, values: tuple[str, ...]) -> None:
    if not values:
        raise ValueError(f"{argument} must have at least one value, got none.")
    if twice := repeated(values):
        raise ValueError(f"{argument} must have each value once, got {shown(twice[0])} twice.")


def _checked_spread(spread: tuple[float, float] | None, n_classes: int) -> tuple[float, float]:
    if spread is None:
        low, high = _SPREAD
        return low * (n_classes - 1), high * (n_classes - 1)
    limits = as_numbers("spread", spread)
    if limits.shape != (2,) or not 0 <= limits[0] <= limits[1] < np.inf:
        raise ValueError(
            f"spread must be the lowest and the highest standard deviation, such as (1, 3), got "
            f"{shown(spread)}."
        )
    return float(limits[0]), float(limits[1])
