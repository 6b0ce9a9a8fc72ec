"""Plots use a non-interactive backend."""

import matplotlib

matplotlib.use("Agg")
