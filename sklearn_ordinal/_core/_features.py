"""The features that an estimator was fitted on."""

from __future__ import annotations

from typing import Any


def take_features(wrapper: Any, estimator: Any) -> None:
    """Set the number and names of the features, if a fitted estimator has them."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(wrapper, name, getattr(estimator, name))
        elif hasattr(wrapper, name):
            delattr(wrapper, name)
