"""Leave out the files that need packages that the extra "test" does not install."""

from importlib.util import find_spec

_NEEDS = {"guide/tables.rst": "duckdb"}
collect_ignore = [page for page, package in _NEEDS.items() if find_spec(package) is None]
# The scripts that build and check the site have no examples, and need the extras docs and browser.
collect_ignore_glob = ["*.py"]
