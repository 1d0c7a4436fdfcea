"""Commands run in a folder that holds the files of the module."""

import pytest
from typer.testing import CliRunner

from sfumato.cli import app


@pytest.fixture
def folder(tmp_path, monkeypatch, request):
    """Where the test runs, with ``FILES`` as csv."""
    for name, content in getattr(request.module, "FILES", {}).items():
        (tmp_path / f"{name}.csv").write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *arguments, **options: CliRunner().invoke(app, list(arguments), **options)
