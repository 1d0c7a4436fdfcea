"""The gallery shows every picture; the documentation runs all of it."""

import ast
import runpy
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
SCRIPTS = sorted(GALLERY.glob("plot_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_script_has_a_title(script):
    title, line, *_ = (ast.get_docstring(ast.parse(script.read_text())) or "").splitlines()
    assert set(line) == {"="}
    assert len(line) == len(title)


@pytest.mark.parametrize("name", ["plot_01_grammar", "plot_03_interval", "plot_11_flow"])
def test_quick_scripts_run(name):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    runpy.run_path(str(GALLERY / f"{name}.py"))
    assert pyplot.get_fignums()
    pyplot.close("all")
