"""Scales, confusion matrices, metrics, and the validation of user input."""
