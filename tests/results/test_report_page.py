"""The report page as text: what it says, and that it holds all it needs and runs nothing."""

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.results.report import Report

RNG = np.random.default_rng(2)
N = 12
TRUTH = np.repeat([0, 1, 2], N // 3)
CLOSE = 0.8 * np.eye(3)[TRUTH] + 0.2 * RNG.dirichlet(np.ones(3), N)
HOSTILE = "</script><script>alert(1)</script>"


def page_of(report, folder, **options):
    path = folder / "report.html"
    report.to_html(path, **options)
    return path.read_text("utf-8")


@pytest.fixture(scope="module")
def report():
    candidates = {
        "close": CLOSE,
        "vague": RNG.dirichlet(np.ones(3), N),
        "rough": sf.RoughPartition(CLOSE > 0.1),
        "hard": TRUTH,
    }
    return sf.evaluate(candidates, TRUTH, measures=["adjusted_rand", "partition_distance"], rng=5)


@pytest.fixture(scope="module")
def page(report, tmp_path_factory):
    return page_of(report, tmp_path_factory.mktemp("page"), provenance={"command": "none"})


@pytest.fixture
def no_pictures(monkeypatch):
    """Pages as without matplotlib: pictures take most of the time, and not every fact is in one."""
    monkeypatch.setattr("sfumato.results.report_page.find_spec", lambda name: None)


class Collector(HTMLParser):
    """Tags with their attributes, and the text of the page, as a browser would see them."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.texts = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def parsed(page):
    collector = Collector()
    collector.feed(page)
    return collector


def test_the_verdict_says_who_is_first_how_sure_and_what_is_open(page, report):
    (verdict,) = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert verdict == (
        "hard comes first by the adjusted Rand index: 1.000 (exact), better than 2 of 3 others. "
        "Not decided: rough."
    ) or verdict.endswith("better than 3 of 3 others.")
    upper = report["rough", "adjusted_rand"].upper
    assert ("Not decided: rough" in verdict) == (upper >= 1)


@pytest.mark.usefixtures("no_pictures")
def test_one_candidate_gets_its_sentence(tmp_path):
    report = sf.evaluate({"close": CLOSE}, TRUTH, measures=["adjusted_rand"])
    page = page_of(report, tmp_path)
    assert f'<p class="verdict">{report["close", "adjusted_rand"].sentence("close")}</p>' in page


def test_tables_hold_the_numbers_of_the_report(page, report):
    texts = parsed(page).texts
    for known in report.known():
        assert known.value_text().replace("-", "−") in texts["td"]
    assert texts["caption"] == ["adjusted Rand index ", "partition distance ", "Against hard "]


def test_sections_sentences_and_provenance_are_there(page, report):
    texts = parsed(page).texts
    assert texts["h2"] == [
        "Candidates against the reference",
        "Which is better, and how sure?",
        "Which objects make it uncertain?",
        "Where do the objects go?",
        "How to read it",
        "For a paper",
        "Provenance",
    ]
    facts = dict(zip(texts["dt"], texts["dd"], strict=True))
    assert facts["seed"] == "5"
    assert facts["objects"] == str(N)
    assert facts["command"] == "none"
    assert "hard_value: hard by adjusted_rand, hard by partition_distance" in facts["plan"]
    assert re.fullmatch(r"FuzzyPartition\(.*\), sha256 [0-9a-f]{64}", facts["candidate close"])
    assert f"sfumato {sf.__version__}" in facts["versions"]
    said = report["close", "adjusted_rand"].sentence("close")
    assert said in texts["blockquote"]


def test_a_whole_answer_is_drawn_if_it_was_asked_for(tmp_path):
    report = sf.evaluate(
        {"close": CLOSE}, TRUTH, measures=["adjusted_rand"], quantity="distribution"
    )
    assert "The whole answers" in page_of(report, tmp_path)


def test_the_page_holds_all_it_needs_and_forbids_the_rest(page):
    tags = parsed(page).tags
    policy = dict(
        part.strip().split(" ", 1)
        for tag, attributes in tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        for part in attributes["content"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"].startswith("'sha256-")
    names = ("src", "href", "xlink:href", "action", "data", "poster", "srcset")
    links = [attributes[name] for _, attributes in tags for name in names if name in attributes]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(http" not in page
    assert "@import" not in page
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]


def test_links_and_ids_fit_and_no_id_is_used_twice(page):
    tags = parsed(page).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    names = ("href", "xlink:href")
    targets = {tag[name][1:] for _, tag in tags for name in names if name in tag}
    assert targets <= set(ids)


def test_names_of_users_are_text_wherever_they_stand(tmp_path):
    labels = np.array([HOSTILE, 'b" onload="alert(2)', "c & <i>"])[TRUTH]
    candidate = sf.FuzzyPartition(CLOSE, names=[HOSTILE, "<img src=x onerror=alert(3)>", "$a_b$"])
    report = sf.evaluate({HOSTILE: candidate, "b": labels}, labels, measures=["adjusted_rand"])
    objects = [HOSTILE] * N
    page = page_of(report, tmp_path, title=HOSTILE, labels=objects, provenance={HOSTILE: HOSTILE})
    tags = parsed(page).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [tag for tag, _ in tags if tag in ("img", "i")]
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    assert "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_page_of_ten_candidates_and_many_objects_is_small(tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 100_000)
    sure = 0.7 * np.eye(4)[truth]
    candidates = {
        f"candidate {at}": sure + 0.3 * rng.dirichlet(np.ones(4), 100_000) for at in range(10)
    }
    report = sf.evaluate(candidates, truth, measures=["rand", "partition_distance"])
    page = page_of(report, tmp_path)
    assert len(page.encode()) < 1_000_000


def test_tables_stand_in_the_order_of_the_forest_and_name_the_best_of_each(tmp_path):
    turned = np.array([0, 1, 1, 2, 2, 2])
    truth = np.array([0, 0, 1, 1, 2, 2])
    candidates = {"a": [0, 0, 0, 0, 1, 1], "b": turned, "c": [0, 1, 2, 3, 4, 5], "d": [0] * 6}
    report = sf.evaluate(candidates, truth, measures=["completeness", "homogeneity"])
    text = page_of(report, tmp_path)
    names = re.findall(r'<th scope="row">(\w)</th>', text)
    order = report.display().order
    assert names[: 2 * len(order)] == 2 * order  # a table of the ranking follows
    best = re.findall(r'<tr class="best"><th scope="row">(\w)</th>', text)
    assert best == ["c"]  # surely best by homogeneity, and last by completeness


def test_minus_signs_are_the_same_in_tables_verdict_and_pictures(tmp_path):
    truth = np.array([0, 0, 1, 1])
    bad = {"a": [0, 1, 0, 1], "b": [1, 0, 1, 0]}
    text = page_of(sf.evaluate(bad, truth, measures=["adjusted_rand"]), tmp_path)
    shown = re.sub(
        r"<style>.*?</style>|<script>.*?</script>|<blockquote>.*?</blockquote>", "", text
    )
    values = re.findall(r"[>: ]([-−]0\.500)", shown)
    assert len(values) >= 5
    assert set(values) == {"−0.500"}


@pytest.mark.usefixtures("no_pictures")
def test_what_is_said_of_all_candidates_is_said_once(tmp_path):
    truth = sf.PossibilisticPartition(CLOSE / CLOSE.max(axis=1, keepdims=True), t_norm="min")
    candidates = {"a": TRUTH, "b": CLOSE, "c": sf.RoughPartition(CLOSE > 0.1)}
    report = sf.evaluate(candidates, truth, measures=["rand"])
    said = [note for note in report.notes if "one joint possibility" in note]
    assert len(said) == 1
    assert said[0].startswith("all candidates, rand: ")
    assert page_of(report, tmp_path).count("one joint possibility") == 1


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("has_ids", [True, False])
def test_the_page_says_how_rows_were_aligned(tmp_path, has_ids):
    ids = [f"o{at}" for at in range(N)]
    truth = pd.Series(TRUTH, index=ids)
    fuzzy = pd.DataFrame(CLOSE, index=ids) if has_ids else CLOSE
    text = page_of(sf.evaluate({"a": fuzzy}, truth, measures=["rand"]), tmp_path)
    assert ("Rows were aligned by ids." in text) == has_ids
    assert ("Rows were taken as they stand" in text) == (not has_ids)


def test_a_page_of_very_many_candidates_names_some_and_counts_the_rest(tmp_path):
    rng = np.random.default_rng(0)
    mask = np.ones((N, 3), dtype=bool)
    vague = {f"candidate {at}": sf.RoughPartition(mask) for at in range(60)}
    hard = {f"hard {at}": rng.integers(0, 3, N) for at in range(240)}
    report = sf.evaluate({**vague, **hard}, TRUTH, measures=["adjusted_rand"])
    text = page_of(report, tmp_path)
    assert len(text.encode()) < 1_000_000
    (verdict,) = re.findall(r'<p class="verdict">(.*?)</p>', text)
    assert re.search(r"Not decided: .* and \d+ others\.", verdict)
    assert text.count("<blockquote>") == 21
    assert "and 280 more." in text


def test_a_page_of_one_object_or_of_equal_or_infinite_values_is_written(tmp_path):
    lone = sf.evaluate({"a": [0], "b": [1]}, [0], measures=["rand", "purity"])
    assert "comes first" in page_of(lone, tmp_path)
    found = sf.compare(CLOSE, TRUTH, measure="adjusted_mutual_information")
    rows = {
        ("a", "ami"): dataclasses.replace(found, lower=-np.inf, upper=0.5, is_precise=False),
        ("b", "ami"): found,
    }
    text = page_of(Report(rows), tmp_path)
    assert "[−inf, 0.500]" in text
    assert 'data-value="-Infinity"' in text
    assert not re.findall(r'data-value="[^"]*(?:inf|nan)', text)


def test_odd_letters_are_marked_and_the_page_is_still_utf_8(tmp_path):
    names = ["\x00\x1b[31m", "\ud800", "名前"]
    candidate = sf.FuzzyPartition(CLOSE, names=names)
    report = sf.evaluate({names[0]: candidate, names[1]: TRUTH}, TRUTH, measures=["rand"])
    text = page_of(report, tmp_path, labels=[names[1]] * N)
    assert "\x00" not in text
    assert "名前" in text
    assert "�[31m" in text


def test_labels_must_be_as_many_as_objects(report, tmp_path):
    with pytest.raises(sf.InputError, match="There are 12 objects, but 3 labels"):
        report.to_html(tmp_path / "report.html", labels=["a", "b", "c"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_pictures")
def test_a_page_needs_no_matplotlib(report, tmp_path):
    page = page_of(report, tmp_path)
    assert "<svg" not in page
    assert "matplotlib is not installed" in page


@pytest.mark.usefixtures("no_pictures")
def test_indices_have_their_place_too(tmp_path):
    report = sf.evaluate({"close": CLOSE, "hard": TRUTH}, TRUTH, measures=["indices.campello"])
    assert "hard comes first by the campello index" in page_of(report, tmp_path)


def bars_of(page):
    return re.findall(r"object (\w+): [\d.]+%", page)


def test_objects_are_named_by_their_ids_in_the_order_of_each_candidate(tmp_path):
    ids = np.array([f"o{at}" for at in range(N)])
    truth = pd.Series(TRUTH, index=ids)
    memberships = np.eye(3)[TRUTH]
    memberships[4] = 1 / 3  # the only object that is uncertain
    turned = pd.DataFrame(memberships, index=ids)[::-1]
    report = sf.evaluate({"a": turned, "b": turned[::-1]}, truth, measures=["rand"])
    assert bars_of(page_of(report, tmp_path)) == ["o4", "o4"]
    with pytest.raises(sf.InputError, match="differ in the ids or the order of their objects"):
        page_of(report, tmp_path, labels=ids)
    lone = sf.evaluate({"a": turned, "b": turned}, truth, measures=["rand"])
    names = [f"p{at}" for at in range(N)]
    assert bars_of(page_of(lone, tmp_path, labels=names)) == ["p7", "p7"]


def test_objects_without_ids_keep_their_rows_where_some_are_dropped(tmp_path):
    memberships = np.eye(3)[TRUTH]
    memberships[4] = 1 / 3
    truth = [None, None, *TRUTH[2:].tolist()]
    report = sf.evaluate({"a": memberships}, truth, measures=["rand"], missing="drop")
    assert bars_of(page_of(report, tmp_path)) == ["4"]
    assert report["a", "rand"].objects.tolist() == [*range(2, N)]
    pairs = sf.pairwise({"a": memberships, "b": truth}, missing="drop")
    assert pairs["b", "a"].objects.tolist() == [*range(2, N)]
