"""Pages that are made from the code say what the code says."""

import importlib.util
import re
from pathlib import Path

TOOL = Path(__file__).parents[1] / "tools" / "methods_table.py"


def test_the_table_of_methods_is_current():
    spec = importlib.util.spec_from_file_location("methods_table", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = tool.PAGE.read_text()
    assert text == tool.page(text), "run: python tools/methods_table.py"


def test_the_guide_names_files_that_exist():
    root = Path(__file__).parents[1]
    guide = (root / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`([\w/]+\.(?:py|md|bib))`", guide))
    source = root / "src" / "sfumato"
    places = (root, root / "src", root / "tests", source, source / "question", source / "results")
    missing = {name for name in named if not any((place / name).exists() for place in places)}
    assert not missing
