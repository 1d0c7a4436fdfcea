"""Files are written whole or not at all, and JSON is JSON."""

import json
import math

from sfumato.io import json_text, write_text


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "found.json"
    path.write_text("old")
    write_text(path, "größe")
    assert path.read_text(encoding="utf-8") == "größe"
    assert list(tmp_path.iterdir()) == [path]


def test_infinite_and_undefined_numbers_become_null():
    text = json_text({"a": [math.inf, (math.nan, 1.5)], 2: None, "b": True})
    assert json.loads(text) == {"a": [None, [None, 1.5]], "2": None, "b": True}
