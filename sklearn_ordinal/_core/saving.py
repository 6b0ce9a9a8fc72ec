"""Save evidence as JSON, and read it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import IO, Any, Self, overload

from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal._documents import json_files, writing
from sklearn_ordinal._documents.writing import FilePath


class SavedEvidence:
    """Methods to write evidence as JSON and to read it back."""

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: FilePath) -> None: ...
    def to_json(self, path: FilePath | None = None) -> str | None:
        """Return the evidence as JSON that `from_json` reads back, or write it.

        Counts are written without the samples that were counted, so that resampling the samples
        again, with their weights, clusters or systems, needs the samples.

        Parameters
        ----------
        path : str or path-like, default=None
            The file to write as UTF-8. An existing file is replaced only once the new one
            is complete.

        Returns
        -------
        str or None
            The JSON, or None if it is written to `path`.

        Raises
        ------
        ValueError
            If labels, groups or items are neither numbers nor strings.
        OSError
            If the file cannot be written. An existing file is then left unchanged.
        """
        text = json_files.as_json(type(self).__name__, fields=evidence_to_json(self))
        return writing.returned_or_written(text, path)

    @classmethod
    def from_json(cls, path: FilePath | IO[str]) -> Self:
        """Read evidence that `to_json` has written.

        Parameters
        ----------
        path : str, path-like or file object
            The file, or a file that is open for reading, such as ``sys.stdin``.

        Returns
        -------
        evidence
            The evidence.

        Raises
        ------
        ValueError
            If the file does not contain such evidence, is damaged, or was written by a newer
            version.
        OSError
            If the file cannot be read.
        """
        evidence: Self = json_files.load(path, cls.__name__, partial(evidence_from_json, cls))
        return evidence

    @classmethod
    def _from_saved(cls, values: dict[str, Any]) -> Self:
        """Return evidence made from fields of a file, which the constructor checks."""
        return cls(**values)


def evidence_to_json(evidence: Any) -> dict[str, Any]:
    """Return the fields of evidence as JSON, with labels in place of the scale."""
    names = [field.name for field in fields(evidence) if field.init and field.name != "scale"]
    values = {"labels": evidence.scale.labels} | {name: getattr(evidence, name) for name in names}
    return {name: json_files.encoded(name, value) for name, value in values.items()}


def evidence_from_json(kind: type[Any], saved: Mapping[str, Any]) -> Any:
    """Return evidence of a class, made from JSON that `evidence_to_json` has returned."""
    values = {name: json_files.decoded(value) for name, value in saved.items()}
    values["scale"] = OrdinalScale(values.pop("labels"))
    return kind._from_saved(values)
