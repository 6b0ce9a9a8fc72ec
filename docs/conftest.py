"""Leave out pages whose examples need a package that the extra test does not install."""

from importlib.util import find_spec

_NEEDS = {"guide/tables.rst": "duckdb"}
collect_ignore = [page for page, package in _NEEDS.items() if find_spec(package) is None]
