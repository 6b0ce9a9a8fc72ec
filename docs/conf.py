"""Configuration of the documentation: ``sphinx-build -W --keep-going docs docs/_build``."""

import sys
from pathlib import Path
from pydoc import locate

sys.path.insert(0, str(Path(__file__).parent))

import code_layout
import coverage_figure
import criteria_table
import decision_tree
import metric_functions
from sphinx_gallery.sorting import ExplicitOrder

import sklearn_ordinal

project = "sklearn_ordinal"
copyright = "2026, the sklearn_ordinal developers"
release = version = sklearn_ordinal.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "family_links",
    "line_breaks",
    "linked_expressions",
    "mathml",
    "short_names",
    "signatures",
]
html_math_renderer = "mathml"
included = ["generated/code_layout.rst", "generated/criteria_table.rst", "generated/decision_tree.rst"]
exclude_patterns = ["_build", "changes/*", "gallery/*", *included]
plot_formats = ["svg"]
plot_html_show_source_link = plot_html_show_formats = False
plot_include_source = True
default_role = "py:obj"
autosummary_generate = True


def is_defined_here(name, member):
    """Return whether a class has a member from this package, maybe from a private base class."""
    definers = [base for base in locate(name).__mro__ if member in vars(base)]
    return any(base.__module__.split(".")[0] == "sklearn_ordinal" for base in definers[:1])


# Names that people search for and that no title contains; pages have the directive "index" for them.
search_words = {
    "quadratic_weighted_kappa_score": "QWK",
    "ranked_probability_score": "RPS",
    "macro_averaged_mean_absolute_error": "AMAE",
    "cem_ord_score": "cem_ord",
}
autosummary_context = {"is_defined_here": is_defined_here, "search_words": search_words}
# Sphinx warns that it cannot keep the function above for the next build, and of sources that no page
# cites: docstrings cite most of them. tests/test_docs.py checks the bibliography.
suppress_warnings = ["config.cache", "ref.citation"]
# The extension "signatures" writes them.
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
templates_path = ["_templates"]
numpydoc_show_class_members = False
# One parameter per line where the signature does not fit one line.
maximum_signature_line_length = 80
# The inventories contain the names that the pages link to, so that a build needs no network.
intersphinx_mapping = {
    project: (address, f"inventories/{project}.inv")
    for project, address in {
        "python": "https://docs.python.org/3",
        "numpy": "https://numpy.org/doc/stable",
        "scipy": "https://docs.scipy.org/doc/scipy",
        "sklearn": "https://scikit-learn.org/stable",
        "joblib": "https://joblib.readthedocs.io/en/stable",
    }.items()
}
copybutton_selector = "div.highlight pre, table.measures code"
copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
# The order of the examples.
gallery = [
    "grid_search",
    "string_grades",
    "group_cross_validation",
    "repeated_comparison",
    "ranks_over_data_sets",
    "optimal_decisions",
    "tuned_cuts",
    "competition",
    "threshold_calibration",
    "required_samples",
    "prediction_sets",
    "shared_task",
    "groups",
    "rating_by_month",
    "nightly_check",
    "raters",
    "judges",
    "ceilings",
    "soft_labels",
    "duckdb",
    "lightgbm",
    "own_criterion",
]
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("sklearn_ordinal",),
    "reference_url": {"sklearn_ordinal": None},
    "within_subsection_order": ExplicitOrder([f"plot_{name}.py" for name in gallery]),
    "abort_on_example_error": True,
    # As many examples run at the same time as ``sphinx-build -j`` allows.
    "parallel": True,
    # Only what the examples print, not the value of their last line.
    "capture_repr": (),
    "image_srcset": ["2x"],
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    # Durations differ between builds.
    "min_reported_time": 1e6,
    "write_computation_times": False,
}
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}
html_title = "sklearn_ordinal"
html_favicon = "_static/favicon.svg"
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_align": "left",
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "search": [], "contributing": [], "changelog": []}
html_sidebars |= {"design/decisions": [], "design/layout": []}
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_show_sourcelink = False
# Summaries are fetched, and browsers do not fetch files for pages that are opened from a disk.
html_show_search_summary = False
html_search_scorer = str(Path(__file__).parent / "scorer.js")

generated = Path(__file__).parent / "generated"
code_layout.write(generated)
coverage_figure.write(generated)
criteria_table.write(generated / "criteria_table.rst")
decision_tree.write(generated)
metric_functions.write(generated / "metric_functions.rst")
