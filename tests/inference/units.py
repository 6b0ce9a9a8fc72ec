"""Units to resample, from the arrays of one system or more."""

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import resampling_units


def count_units(y_true, *systems, **reading):
    """Return the units of the predicted classes of systems."""
    if len(systems) == 1:
        return resampling_units(OrdinalConfusion.from_predictions(y_true, *systems, **reading))
    predictions = {f"system {i}": system for i, system in enumerate(systems)}
    return resampling_units(OrdinalConfusion.from_systems(y_true, predictions, **reading))
