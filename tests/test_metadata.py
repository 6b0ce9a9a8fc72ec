"""What a package index shows of the package."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def metadata():
    core = pytest.importorskip("hatchling.metadata.core")
    manager = pytest.importorskip("hatchling.plugin.manager").PluginManager()
    return core.ProjectMetadata(str(ROOT), manager).core


def test_every_link_of_the_readme_is_absolute_on_a_package_index(metadata):
    markdown = pytest.importorskip("readme_renderer.markdown")
    page = markdown.render(metadata.readme)
    links = re.findall(r'(?:href|src)="([^#"].*?)"', page)
    assert all(link.startswith("https://") for link in (*links, *metadata.urls.values()))
    files = f"{metadata.urls['Source']}/blob/v{metadata.version}/"
    assert f'src="{files.replace("/blob/", "/raw/")}docs/_static/two_graders.svg"' in page
    paths = [link.removeprefix(files) for link in links if link.startswith(files)]
    assert len(paths) > 10
    assert all((ROOT / path).exists() for path in paths)


def test_the_licence_of_the_values_of_lev_is_among_the_licences(metadata):
    assert metadata.license_files == ["LICENSE", "LICENSE.skordinal"]
    notice = (ROOT / "LICENSE.skordinal").read_text(encoding="utf-8")
    assert notice.startswith("BSD 3-Clause License\n\nCopyright (c) 2025, The skordinal developers")
