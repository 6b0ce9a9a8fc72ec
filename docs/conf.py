"""Configuration of the documentation: ``sphinx-build -W docs docs/_build``."""

import sklearn_ordinal

project = "sklearn_ordinal"
copyright = "2026, the sklearn_ordinal developers"
release = version = sklearn_ordinal.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.mathjax",
    "numpydoc",
]
exclude_patterns = ["_build", "changes/*"]
default_role = "py:obj"
autosummary_generate = True
numpydoc_show_class_members = False
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}
html_theme = "alabaster"
