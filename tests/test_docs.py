"""Pages that are made from the code say what the code says."""

import importlib.util
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import sfumato as sf

DOCS = Path(__file__).parents[1] / "docs"


def loaded(name):
    """A tool, which is no part of the package."""
    spec = importlib.util.spec_from_file_location(name, DOCS.parent / "tools" / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_table_of_methods_is_current():
    tool = loaded("methods_table")
    text = tool.PAGE.read_text()
    assert text == tool.page(text), "run: python tools/methods_table.py"


def test_a_picture_is_drawn_anew_only_if_its_numbers_change(tmp_path):
    tool = loaded("readme_picture")
    path = tmp_path / "a.png"
    reports = [
        sf.evaluate({"a": [0, 0, 1], "b": last}, [0, 0, 1], measures=["rand"])
        for last in ([0, 1, 1], [0, 1, 2])
    ]
    assert tool.draw(reports[0], path)
    before = path.read_bytes()
    assert not tool.draw(reports[0], path)
    assert path.read_bytes() == before
    assert tool.draw(reports[1], path)
    assert path.read_bytes() != before


def test_the_guide_names_files_that_exist():
    root = DOCS.parent
    guide = (root / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`([\w/]+\.(?:py|md|bib))`", guide))
    source = root / "src" / "sfumato"
    places = (root, root / "src", root / "tests", source, source / "question", source / "results")
    missing = {name for name in named if not any((place / name).exists() for place in places)}
    assert not missing


def test_the_theory_names_tests_that_exist():
    named = re.findall(r"`(test_\w+)`", (DOCS / "theory.md").read_text("utf-8"))
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.rglob("*.py"))
    assert not [name for name in named if f"def {name}(" not in tests]


PAGES = [path for path in sorted(DOCS.rglob("*.md")) if "{code-cell}" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_cell_of_the_documentation_runs(path, capsys):
    text = path.read_text("utf-8")
    cells = re.findall(r"```\{code-cell\}[^\n]*\n((?:.|\n)*?)```", text)
    code = "\n".join(re.sub(r"^:.*\n", "", cell, flags=re.MULTILINE) for cell in cells)
    assert cells
    exec(compile(code, str(path), "exec"), {})
    plt.close("all")


def test_links_between_pages_lead_somewhere():
    root = DOCS.parent
    for page in (root / "README.md", root / "CONTRIBUTING.md", *DOCS.rglob("*.md")):
        if "auto_examples" in page.parts or "api" in page.parts:
            continue
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
