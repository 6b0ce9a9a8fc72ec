"""The program that mypy and pyright check in `.ci/run types` runs, so its annotations hold."""

import matplotlib.pyplot as plt
import pytest

from tests import typed_user

# In resamples of six samples, some criteria are undefined.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")


def test_metrics():
    typed_user.compute_metrics()


def test_evidence():
    typed_user.read_evidence()


def test_reports(tmp_path):
    typed_user.report_predictions(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "report.json"}


def test_inference():
    typed_user.infer()


def test_estimators():
    typed_user.fit_estimators()
    plt.close("all")
