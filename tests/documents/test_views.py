"""The views that results inherit, and the files they write."""

import errno
import os
import stat
import sys
from dataclasses import dataclass

import pytest

from sklearn_ordinal._documents.document_parts import Column, Document, Section, Table
from sklearn_ordinal._documents.html_pages import as_fragment, as_page
from sklearn_ordinal._documents.latex import as_latex
from sklearn_ordinal._documents.markdown import as_markdown
from sklearn_ordinal._documents.plain_text import as_text
from sklearn_ordinal._documents.views import Views
from tests.optional import only_on_posix
from tests.pages import Page

FILES = ["to_html", "to_markdown", "to_latex"]


@dataclass(frozen=True)
class Grades(Views):
    """A result."""

    value: float = 0.123456
    name: str = "é"

    def document(self):
        columns = (Column("name"), Column("value", "number"))
        return Document("Grades", (Table("Values", columns, ((self.name, self.value),)),))

    def to_dict(self):
        return {self.name: self.value}

    def _records(self):
        return [{"name": self.name, "value": self.value}]


def test_the_string_of_a_result_is_its_text():
    assert str(Grades()) == Grades().to_text() == as_text(Grades().document())
    assert repr(Grades()).startswith("Grades(value=")


def test_notebooks_show_the_fragment():
    assert Grades()._repr_html_() == as_fragment(Grades().document())


@pytest.mark.parametrize("method", ["to_text", *FILES])
def test_digits_are_as_requested(method):
    assert "0.12346" in getattr(Grades(), method)(digits=5)
    assert "0.123" in getattr(Grades(), method)()


@pytest.mark.parametrize("method", ["to_text", *FILES])
@pytest.mark.parametrize("digits", [-1, 2.0, True, "3"])
def test_invalid_digits_are_rejected(method, digits):
    with pytest.raises(ValueError, match="digits must be a non-negative integer, got"):
        getattr(Grades(), method)(digits=digits)


@pytest.mark.parametrize("method", ["to_text", *FILES])
@pytest.mark.parametrize("digits", [1075, 10**6])
def test_more_digits_than_a_float_has_are_rejected(method, digits):
    with pytest.raises(ValueError, match=r"^digits must be at most 1,074, which show each float"):
        getattr(Grades(), method)(digits=digits)


@pytest.mark.parametrize("method", ["to_text", "to_markdown", "to_latex"])
@pytest.mark.parametrize("details", ["no", 1, None])
def test_details_must_be_a_boolean(method, details):
    with pytest.raises(ValueError, match="details must be True or False, got"):
        getattr(Grades(), method)(details=details)


@pytest.mark.parametrize("render", [as_text, as_markdown, as_latex, as_page, as_fragment])
def test_a_part_that_no_format_knows_is_an_error_and_not_left_out(render):
    with pytest.raises(TypeError, match="a Table, Figure, Note, Code or Section, got str"):
        render(Document("Grades", (Section("Values", ("0.5",)),)))


def test_the_title_of_a_page_can_be_set():
    assert Page(Grades().to_html(title="<Mine>")).texts["h1"] == "<Mine>"
    assert Page(Grades().to_html()).texts["h1"] == "Grades"
    with pytest.raises(ValueError, match="title must be a string, got 3"):
        Grades().to_html(title=3)


@pytest.mark.parametrize("method", FILES)
def test_files_contain_what_is_returned_without_a_path(tmp_path, method):
    write = getattr(Grades(), method)
    assert write(tmp_path / "file") is None
    assert (tmp_path / "file").read_bytes() == write().encode("utf-8")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("method", FILES)
def test_a_failure_keeps_the_old_file_and_leaves_no_other(tmp_path, method, monkeypatch):
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def refuse(*_):
        raise OSError(errno.ENOSPC, "the disk is full", "the temporary file")

    monkeypatch.setattr(os, "replace", refuse)
    # Windows refuses to replace a file that is open, so this error, too, has to name the file.
    with pytest.raises(OSError, match=r"the disk is full: .*file'$"):
        getattr(Grades(), method)(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["file"]


@only_on_posix
def test_files_have_the_permissions_of_the_old_file_or_of_a_new_one(tmp_path):
    (tmp_path / "plain").write_text("", encoding="utf-8")
    Grades().to_html(tmp_path / "new")
    (tmp_path / "old").write_text("", encoding="utf-8")
    (tmp_path / "old").chmod(0o640)
    Grades().to_html(tmp_path / "old")
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    assert modes["new"] == modes["plain"]
    assert modes["old"] == 0o640


def test_paths_may_be_bytes(tmp_path):
    Grades().to_html(os.fsencode(tmp_path / "page"))
    assert os.listdir(tmp_path) == ["page"]


def test_symbolic_links_are_kept(tmp_path):
    (tmp_path / "target").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    Grades().to_html(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text(encoding="utf-8") == Grades().to_html()


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.report\.html'$"):
        Grades().to_html(tmp_path / "nowhere" / "report.html")
    # Windows takes a folder for a file without permissions.
    with pytest.raises((IsADirectoryError, PermissionError)):
        Grades().to_html(tmp_path)


def test_frames_are_in_long_form():
    frame = Grades().to_frame()
    assert frame.to_dict("records") == [{"name": "é", "value": 0.123456}]


def test_to_frame_without_pandas_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    message = "to_frame needs pandas: pip install pandas, or use to_dict."
    with pytest.raises(ImportError, match=message):
        Grades().to_frame()
