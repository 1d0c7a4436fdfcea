"""The report page in a real browser: nothing is loaded, nothing of users runs, tables sort."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

import sfumato as sf
from browser import opened

RNG = np.random.default_rng(4)
HOSTILE = "</script><script>document.title = 'harmed'</script>"
IMAGE = "<img src=x onerror=alert(1)>"
TRUTH = np.array([HOSTILE, "b", "c"])[np.repeat([0, 1, 2], 4)]
MEMBERSHIPS = RNG.dirichlet(np.ones(3), 12)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    candidates = {
        HOSTILE: sf.FuzzyPartition(MEMBERSHIPS, names=[HOSTILE, IMAGE, "d"]),
        "rough": sf.RoughPartition(MEMBERSHIPS > 0.3),
        "hard": TRUTH,
    }
    report = sf.evaluate(candidates, TRUTH, measures=["adjusted_rand", "partition_distance"])
    report.to_html(path, title="A page", labels=[HOSTILE] * 12)
    return path


@pytest.fixture(scope="module")
def browser():
    with opened("--window-size=1200,900") as window:
        yield window


@pytest.fixture
def window(browser, page):
    browser.get(page.as_uri())
    return browser


def test_nothing_is_complained_of_and_nothing_is_loaded(browser, page):
    browser.get("about:blank")
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.get(page.as_uri())
    asked = [
        message["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"]
        == "Network.requestWillBeSent"
    ]
    assert asked == [page.as_uri()]
    assert browser.get_log("browser") == []


def test_names_of_users_are_shown_not_run(window):
    assert window.title == "A page"
    assert HOSTILE in window.find_element("tag name", "body").text
    assert window.execute_script("return document.scripts.length") == 1
    assert window.execute_script("return document.images.length") == 0


def test_tables_are_sorted_by_click_and_by_key(window):
    table = window.find_element("css selector", "table.sortable")
    names = lambda: [row.text for row in table.find_elements("css selector", "tbody th")]  # noqa: E731
    values = lambda: [  # noqa: E731
        float(cell.get_attribute("data-value"))
        for cell in table.find_elements("css selector", "tbody td:nth-child(3)")
    ]
    head = table.find_elements("css selector", "thead th")[2]
    button = head.find_element("tag name", "button")
    before = names()
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert values() == sorted(values())
    button.send_keys("\n")
    assert head.get_attribute("aria-sort") == "descending"
    assert values() == sorted(values(), reverse=True)
    assert sorted(names()) == sorted(before)


def test_everything_is_reached_by_key(window):
    order = []
    for _ in range(12):
        window.switch_to.active_element.send_keys("\ue004")
        order.append(window.switch_to.active_element.text)
    assert order[0] == "Skip to the results"
    assert "candidates" in order
    assert "provenance" in order


def test_screen_readers_find_names_for_pictures_tables_and_regions(window):
    tree = window.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {}
    for node in tree:
        if not node.get("ignored"):
            name = node.get("name", {}).get("value", "")
            roles.setdefault(node["role"]["value"], []).append(name)
    for role in ("image", "table", "region", "navigation", "heading", "columnheader", "rowheader"):
        assert roles.get(role), role
        assert all(roles[role]), role


def contrast(first, second):
    def light(colour):
        channels = np.array([int(part) for part in colour[4:-1].split(",")[:3]]) / 255
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted([light(first), light(second)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_legible_in_light_and_dark(window, mode):
    window.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": mode}]},
    )
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    ground = window.execute_script(style, "body", "backgroundColor")
    for place in ("body", ".scope", "a", "figcaption", "th"):
        assert contrast(window.execute_script(style, place, "color"), ground) >= 4.5
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@contextmanager
def emulated(window, width, height, *, mobile, media=""):
    """The page on a screen of another size, or on paper."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
    try:
        yield
    finally:
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_phone_sees_one_column_and_scrolls_no_page_sideways(window):
    with emulated(window, 390, 800, mobile=True):
        assert window.execute_script("return document.documentElement.scrollWidth") <= 390
        assert not window.find_element("css selector", ".broad").is_displayed()
        assert window.find_element("css selector", ".narrow").is_displayed()


def test_no_table_is_cut_off_on_paper(window):
    with emulated(window, 700, 1000, mobile=False, media="print"):
        assert window.execute_script("return document.documentElement.scrollWidth") <= 700
        ends = window.execute_script(
            "return Array.from(document.querySelectorAll('table'))"
            ".map(table => table.getBoundingClientRect().right)"
        )
        assert ends
        assert max(ends) <= 700


def test_without_scripts_all_is_there_but_sorting(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(page.as_uri())
        assert browser.find_elements("css selector", "th button") == []
        rows = "section[aria-labelledby=candidates] tbody tr"
        assert len(browser.find_elements("css selector", rows)) == 6
        assert "For a paper" in browser.find_element("tag name", "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
