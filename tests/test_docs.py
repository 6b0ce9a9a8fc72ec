"""Generated pages of the documentation."""

import importlib.util
import re
from pathlib import Path

from sklearn_ordinal._core import METRICS

DOCS = Path(__file__).parents[1] / "docs"


def test_the_table_of_criteria_has_a_full_row_for_each_metric(tmp_path):
    spec = importlib.util.spec_from_file_location("criteria_table", DOCS / "criteria_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(tmp_path / "table.rst")
    text = (tmp_path / "table.rst").read_text(encoding="utf-8")
    rows = [re.findall(r"- (.*)", row) for row in text.split("   * -")[1:]]
    assert len(rows) == 1 + len(METRICS)
    for name, metric in METRICS.items():
        row = next(row for row in text.split("   * -")[2:] if f"`{name}" in row)
        assert row.count("\n     -") == len(module.HEADER) - 1
        assert metric.prefer in row
        assert re.search(r"\(\d{4}\)|scikit-learn", row)
