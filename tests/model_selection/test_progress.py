"""Progress bars in terminals, in notebooks, and on request."""

import io
import sys
import types
import warnings

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import compare_estimators, cross_val_report

pytest.importorskip("tqdm")

X, Y = np.zeros((30, 1)), np.tile([0, 1, 2], 10)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def run(monkeypatch, stderr=None, **options):
    """Return the output on stderr, which is a pipe by default."""
    stderr = io.StringIO() if stderr is None else stderr
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        cross_val_report(DummyClassifier(), X, Y, cv=3, **options)
    return stderr.getvalue()


@pytest.fixture
def notebook(monkeypatch):
    """A notebook without widgets, as tqdm detects it on import."""

    class ZMQInteractiveShell:
        kernel = object()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = ZMQInteractiveShell
    ipykernel = types.ModuleType("ipykernel.zmqshell")
    for name in list(sys.modules):
        if name in ("tqdm.auto", "tqdm.autonotebook", "tqdm.notebook"):
            monkeypatch.delitem(sys.modules, name)
    for name in ("ipywidgets", "IPython.html", "IPython.html.widgets"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipykernel.zmqshell", ipykernel)


@pytest.mark.parametrize(("verbose", "is_shown"), [(None, False), (True, True), (False, False)])
def test_a_pipe_shows_a_bar_only_on_request(verbose, is_shown, monkeypatch):
    assert ("3/3" in run(monkeypatch, verbose=verbose)) == is_shown


@pytest.mark.parametrize(("verbose", "is_shown"), [(None, True), (True, True), (False, False)])
def test_a_terminal_shows_a_bar_unless_disabled(verbose, is_shown, monkeypatch):
    assert ("3/3" in run(monkeypatch, Terminal(), verbose=verbose)) == is_shown


@pytest.mark.usefixtures("notebook")
@pytest.mark.parametrize(("verbose", "is_shown"), [(None, True), (True, True), (False, False)])
def test_a_notebook_shows_a_bar_without_a_warning_about_widgets(verbose, is_shown, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ("3/3" in run(monkeypatch, verbose=verbose)) == is_shown


@pytest.mark.usefixtures("notebook")
def test_tqdm_warns_in_the_simulated_notebook():
    with pytest.warns(Warning, match="IProgress not found"):
        import tqdm.autonotebook  # noqa: F401


def test_the_bar_counts_the_fits_of_all_estimators(capsys):
    compare_estimators(
        {"a": DummyClassifier()}, X, Y, cv=3, baselines={"b": DummyClassifier()}, verbose=True
    )
    assert "6/6" in capsys.readouterr().err


def test_without_tqdm_only_verbose_true_warns(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    for verbose in (None, False):
        assert run(monkeypatch, Terminal(), verbose=verbose) == ""
    with pytest.warns(UserWarning, match=r'tqdm.* pip install "sklearn_ordinal\[prog') as record:
        cross_val_report(DummyClassifier(), X, Y, cv=3, verbose=True)
    assert record[0].filename == __file__


@pytest.mark.parametrize("verbose", ["no", 2, 0.0])
def test_invalid_values_of_verbose_raise(verbose, monkeypatch):
    with pytest.raises(ValueError, match="verbose must be True, False or None"):
        run(monkeypatch, verbose=verbose)
