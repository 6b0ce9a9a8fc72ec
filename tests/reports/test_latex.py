"""The LaTeX of every result compiles and stays between the margins of the class article.

Skipped if LaTeX is missing and SKLEARN_ORDINAL_NEEDS_LATEX is not set.
"""

import re
import subprocess
from functools import cache

import pytest

from sklearn_ordinal._command_line.metrics_command import MetricCatalogue, MetricDescription
from sklearn_ordinal._core.catalogue import METRICS
from tests.optional import need_latex
from tests.reports.results import NAMES, results

DOCUMENT = r"""\documentclass[%s]{article}
\usepackage{booktabs}
\usepackage{adjustbox}
\usepackage[T1]{fontenc}
\begin{document}
%s
\end{document}
"""


@cache
def contents():
    """Return the LaTeX of all results, with and without details."""
    metrics = ["cem_ord", "quadratic_weighted_kappa", "log_loss"]
    views = [
        *(results()[name] for name in NAMES),
        MetricCatalogue(METRICS),
        *(MetricDescription(METRICS[name]) for name in metrics),
    ]
    return {
        details: "\n\\clearpage\n".join(view.to_latex(details=details) for view in views)
        for details in (False, True)
    }


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("options", ["a4paper", "letterpaper", "a4paper,11pt", "letterpaper,12pt"])
def test_compiled_results_stay_between_the_margins(options, details, tmp_path):
    need_latex()
    path = tmp_path / "results.tex"
    path.write_text(DOCUMENT % (options, contents()[details]), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
    assert process.returncode == 0, log[-2000:]
    overfull = re.findall(r"^Overfull \\hbox \(([\d.]+)pt.*", log, flags=re.M)
    assert [points for points in overfull if float(points) > 1] == []
    assert "Float too large" not in log
