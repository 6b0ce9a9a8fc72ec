"""Configuration of the documentation: ``sphinx-build -W docs docs/_build``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import criteria_table
import metric_functions
import sklearn_ordinal

project = "sklearn_ordinal"
copyright = "2026, the sklearn_ordinal developers"
release = version = sklearn_ordinal.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.mathjax",
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
]
exclude_patterns = ["_build", "changes/*", "generated/criteria_table.rst"]
plot_formats = ["svg"]
plot_html_show_source_link = plot_html_show_formats = False
plot_include_source = True
default_role = "py:obj"
autosummary_generate = True
templates_path = ["_templates"]
numpydoc_show_class_members = False
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}
html_theme = "alabaster"
html_theme_options = {"page_width": "96%", "body_max_width": "none", "font_size": "15px"}

generated = Path(__file__).parent / "generated"
criteria_table.write(generated / "criteria_table.rst")
metric_functions.write(generated / "metric_functions.rst")
