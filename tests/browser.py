"""A real browser for tests of pages: Debian's chromium, without a screen and without a network."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


@contextmanager
def opened(*flags: str) -> Iterator[Any]:
    """A browser with a profile of its own; the test is skipped where there is none."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("there is no chromium")
    from selenium import webdriver

    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # A sanitizer that is loaded before all else is not for the browser.
        clean = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        service = webdriver.ChromeService(executable_path=driver, env=clean)
        window = webdriver.Chrome(options=options, service=service)
        try:
            yield window
        finally:
            window.quit()
