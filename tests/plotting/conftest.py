"""Plots use a non-interactive backend and are closed after each test."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def no_figure_is_left():
    from matplotlib import pyplot as plt

    yield
    plt.close("all")
