"""The LaTeX of every result stays between the margins of the class article.

Its tables are measured with the font Computer Modern of Matplotlib. All results are also compiled,
unless LaTeX is missing and SKLEARN_ORDINAL_NEEDS_LATEX is not set.
"""

import re
import subprocess
from functools import cache
from pathlib import Path

import matplotlib
import pytest
from matplotlib.ft2font import FT2Font

from sklearn_ordinal._command_line._metric_views import MetricCatalogue, MetricDescription
from sklearn_ordinal._core import METRICS
from sklearn_ordinal._documents._latex import _escaped
from sklearn_ordinal._documents._latex_layout import text_width
from tests.documents.test_latex import typeset
from tests.optional import need_latex
from tests.reports.results import NAMES, results

# Points in a line of the class article at 10 pt, on A4 as on letter paper.
LINE = 345
# Computer Modern has wider letters at 9 and at 8 pt than at 10 pt, and another gap of columns.
SIZES = {"": (10, 6), r"\small": (9 * 1.028, 3), r"\footnotesize": (8 * 1.062, 3)}
DOCUMENT = r"""\documentclass[%s]{article}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage[T1]{fontenc}
\begin{document}
%s
\end{document}
"""


@cache
def font():
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", "cmr10.ttf")
    font = FT2Font(str(path))
    font.set_size(10, 72)
    return font


@cache
def width_of(text):
    """Return the width of text at 10 pt, in points of TeX."""
    if bold := re.fullmatch(r"\\textbf\{(.*)\}", text):
        # The digits of the bold font are 5.75 points wide, and those of the others 5 points.
        return 1.15 * width_of(bold[1])
    # The font of Matplotlib has no minus sign and no underscore of its own.
    text = text.replace("$-$", "+").replace("--", "0").replace("\\_", "n")
    font().set_text(typeset(text))
    return font().get_width_height()[0] / 64 * 72.27 / 72


def tables_of(latex):
    """Yield the size of type, the layout and the rows of each tabular and longtable."""
    size = ""
    pattern = (
        r"\{?(\\small|\\footnotesize)\\setlength|^\\(?:begin\{table\}|end\{longtable\})"
        r"|^\\begin\{(?:tabular|longtable)\}\{(.*)\}\n((?s:.*?))\\end\{(?:tabular|longtable)\}"
    )
    for match in re.finditer(pattern, latex, flags=re.M):
        declared, layout, body = match.groups()
        if layout is None:
            size = declared or ""
            continue
        rows = [
            re.split(r"(?<!\\) & ", re.sub(r" (\\\\|\\tabularnewline)$", "", line))
            for line in body.splitlines()
            if " & " in line
        ]
        yield size, re.findall(r"[lr]|p\{([\d.]+)em\}", layout), rows
        if latex[match.start() :].startswith(r"\begin{longtable}"):
            size = ""


def total_width(size, layout, rows):
    """Return the width of a table in points; a wrapped column has the width of its layout."""
    points, gap = SIZES[size]
    total = 2 * gap * len(layout)
    for i, wrapped in enumerate(layout):
        if wrapped:
            total += float(wrapped) * points
        else:
            total += max(width_of(row[i]) for row in rows) * points / 10
    return total


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_tables_are_as_wide_as_a_line_at_most(name, details):
    for size, layout, rows in tables_of(results()[name].to_latex(details=details)):
        assert all(len(row) == len(layout) for row in rows)
        assert total_width(size, layout, rows) <= LINE


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


@pytest.mark.parametrize("encoding", ["OT1", "T1"])
def test_compiled_text_is_at_most_as_wide_as_estimated(encoding, tmp_path):
    need_latex()
    texts = [chr(code) for code in range(33, 127)]
    texts += ["…", "±", "≤", "≥", "∞", "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}", "é", "ß"]
    texts += [text for name, metric in METRICS.items() for text in (name, metric.an_error_costs)]
    texts = list(filter(None, texts))
    lines = "".join(
        f"\\settowidth{{\\measured}}{{{_escaped(text)}}}\\typeout{{width \\the\\measured}}\n"
        for text in texts
    )
    content = (DOCUMENT % ("10pt", "\\newlength{\\measured}\n" + lines)).replace("T1", encoding)
    path = tmp_path / "names.tex"
    path.write_text(content, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", path.name]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
    points = map(float, re.findall(r"^width ([\d.]+)pt", log, flags=re.M))
    measured = dict(zip(texts, points, strict=True))
    estimated = {text: 10 * text_width(text) for text in texts}
    assert [text for text in texts if measured[text] > estimated[text] + 0.01] == []
    names = [text for text in texts if len(text) > 10]
    assert all(measured[name] > 0.75 * estimated[name] for name in names)
