"""Pages that are made from the code say what the code says."""

import importlib.util
from pathlib import Path

TOOL = Path(__file__).parents[1] / "tools" / "methods_table.py"


def test_the_table_of_methods_is_current():
    spec = importlib.util.spec_from_file_location("methods_table", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = tool.PAGE.read_text()
    assert text == tool.page(text), "run: python tools/methods_table.py"
