"""Classifiers that decide from probabilities or scores."""

__all__: list[str] = []
