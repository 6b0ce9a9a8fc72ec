"""Classifiers that decide from probabilities or scores."""
