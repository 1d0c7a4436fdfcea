"""The section of a report page that ranks the candidates."""

import numpy as np

import sfumato as sf
from sfumato.results.ranking_section import ranking_section

RNG = np.random.default_rng(3)
TRUTH = sf.RoughPartition.from_sets([{0, 1}, {0}, {0}, {1}, {1}, {0, 1}])
NAMED = {"a-1": [0, 0, 0, 1, 1, 0], "b <i>": [0, 0, 1, 1, 0, 1]}


def parts_of(report, measure="rand"):
    return ranking_section(report, measure, has_pictures=False).parts


def report_of(named, truth=TRUTH, measures=("rand",)):
    return sf.evaluate(named, truth, measures=list(measures))


def test_the_page_ranks_by_the_first_measure(tmp_path):
    report = report_of(NAMED)
    report.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<a href="#ranking">ranking</a>' in page
    assert "a-1 is best in expectation by the Rand index: D = [0.067, 0.600]" in page
    rows = [line for line in page.split("<tr>") if line.startswith('<th scope="row">b &lt;i&gt;')]
    assert ">worse</td>" in rows[-1]
    assert "b <i>" not in page


def test_one_candidate_and_an_index_have_no_ranking():
    assert parts_of(report_of({"a": NAMED["a-1"]})) == ()
    named = {"a": NAMED["a-1"], "b": [0, 1, 0, 1, 0, 1]}
    report = report_of(named, [0, 0, 0, 1, 1, 1], [sf.indices.campello])
    ((_, measure), *_) = report.comparisons
    assert parts_of(report, measure) == ()


def test_many_candidates_are_left_to_the_reader():
    named = {str(at): RNG.integers(2, size=6) for at in range(9)}
    (said,) = parts_of(report_of(named, [0, 0, 0, 1, 1, 1]))
    assert "more than 8 candidates" in said


def test_a_refused_ranking_says_why():
    rough = sf.RoughPartition([[1, 1], [1, 0], [0, 1]])
    possible = sf.PossibilisticPartition([[1, 0.5], [0.2, 1], [1, 0.9]], t_norm="product")
    named = {"a": possible, "b": possible.with_t_norm("lukasiewicz")}
    (said,) = parts_of(report_of(named, rough))
    assert "No ranking: a against b: The partitions are read with two t-norms" in said
