"""What a package index shows: README and addresses, made from the repository in pyproject.toml."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class IndexPage(MetadataHookInterface):
    """Make the links of README absolute, since an index shows it without the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        repository = self.config["repository"]
        files, images = (f"{repository}/{view}/v{metadata['version']}/" for view in ("blob", "raw"))
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        readme = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\1{images}", readme)
        readme = re.sub(r"(\]\()(?!\w+:)", rf"\1{files}", readme)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = {
            "Documentation": f"{files}docs/index.rst",
            "Source": repository,
            "Changelog": f"{files}docs/changelog.rst",
            "Issues": f"{repository}/issues",
            "Paper on CEM_ORD": "https://doi.org/10.18653/v1/2020.acl-main.363",
        }
