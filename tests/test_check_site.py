"""Each kind of finding of docs/check_site.py, on pages with one defect each.

Skipped if chromium, chromedriver or selenium is missing, unless SKLEARN_ORDINAL_NEEDS_CHROMIUM is
set.
"""

import importlib.util
from pathlib import Path

import pytest

from tests.optional import need_chromium

SCRIPT = Path(__file__).parents[1] / "docs" / "check_site.py"
PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>A page</title><style>
body {{ color: black; background: white; margin: 0 }}
@media (prefers-color-scheme: dark) {{ body {{ color: white; background: black }} }}
{style}
</style></head>
<body><main class="bd-main"><article class="bd-article"><p>Some text</p>{body}</article></main>
</body></html>
"""
WIDE = "<table style='width: 2000px'><tr><td>wide</td></tr></table>"
# The style of a page, its body, and the number of each finding, at two widths in two schemes.
DEFECTS = {
    "none": ("", "<p>more</p>", {}),
    "wide": ("", WIDE, {"is wider than the screen": 4, "has content outside the screen": 4}),
    "scrolled": ("", f"<div style='overflow: auto'>{WIDE}</div>", {"has content to scroll": 2}),
    "faint": ("p {color: #ccc}", "", {"has faint text": 2}),
    "faint in the dark": ("p {color: #333}", "", {"has faint text": 2}),
    "light only": ("body {background: white; color: black}", "", {"is in the other scheme": 2}),
    "type": ("", "<p>_SupportsArray[float]</p>", {"shows private types": 4}),
    "address": ("", "<p>&lt;a.B object at 0x7f0a&gt;</p>", {"shows addresses of objects": 4}),
    "no link": (
        "",
        "<code class='xref'>OrdinalReport</code>",
        {"has references that are not links": 4},
    ),
    "image": (
        "",
        "<img src='https://example.org/a.png' alt='a'>",
        {"requests": 4, "logs an error": 2},
    ),
    "script": ("", "<script>missing()</script>", {"logs an error": 2}),
    "missing image": ("", "<img src='missing.png' alt='a'>", {"logs an error": 2}),
}


@pytest.fixture(scope="module")
def check_site():
    need_chromium()
    spec = importlib.util.spec_from_file_location("check_site", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def findings(check_site, tmp_path_factory):
    """Findings of all pages, each opened at two widths in two schemes."""
    site = tmp_path_factory.mktemp("site")
    pages = [site / f"{name}.html" for name in DEFECTS]
    for page, (style, body, _) in zip(pages, DEFECTS.values(), strict=True):
        page.write_text(PAGE.format(style=style, body=body), encoding="utf-8")
    return check_site.check_pages(pages)


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(findings, name):
    found = [finding for finding in findings if f"/{name}.html" in finding]
    expected = DEFECTS[name][2]
    counted = {kind: sum(f", {kind}: " in finding for finding in found) for kind in expected}
    assert counted == expected
    assert len(found) == sum(expected.values())
