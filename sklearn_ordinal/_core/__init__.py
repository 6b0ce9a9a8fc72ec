"""Checks of arguments, the order of the classes, evidence, and the catalogue of metrics."""
