"""What a package index shows of the package."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_every_link_of_the_readme_is_absolute_on_a_package_index():
    core = pytest.importorskip("hatchling.metadata.core")
    manager = pytest.importorskip("hatchling.plugin.manager").PluginManager()
    markdown = pytest.importorskip("readme_renderer.markdown")
    metadata = core.ProjectMetadata(str(ROOT), manager).core
    page = markdown.render(metadata.readme)
    links = re.findall(r'(?:href|src)="([^#"].*?)"', page)
    assert all(link.startswith("https://") for link in (*links, *metadata.urls.values()))
    files = f"{metadata.urls['Source']}/blob/v{metadata.version}/"
    assert f'src="{files.replace("/blob/", "/raw/")}docs/_static/two_graders.svg"' in page
    paths = [link.removeprefix(files) for link in links if link.startswith(files)]
    assert len(paths) > 10
    assert all((ROOT / path).exists() for path in paths)
