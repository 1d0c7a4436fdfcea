"""A single answer: its numbers, its words, its pictures."""

import json
from dataclasses import replace
from math import isnan

import pytest

import sfumato as sf

TRUTH = [0, 0, 1, 1]
ROUGH = sf.RoughPartition.from_sets([{0}, {0}, {0, 1}, {1}])
FUZZY = sf.FuzzyPartition([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]])
EVIDENTIAL = sf.EvidentialPartition(
    [[1, 0, 0], [0.5, 0, 0.5], [0, 1, 0], [0, 1, 0]], [[1, 0], [0, 1], [1, 1]]
)
POSSIBILISTIC = sf.PossibilisticPartition([[1, 0], [1, 0.5], [0, 1], [0, 1]], t_norm="min")
KINDS = {"hard": TRUTH, "rough": ROUGH, "fuzzy": FUZZY, "min": POSSIBILISTIC, "mass": EVIDENTIAL}
every_kind = pytest.mark.parametrize("kind", KINDS)


def exact(kind, **options):
    return sf.compare(KINDS[kind], TRUTH, engine="exact", **options)


def test_a_rough_answer_is_an_interval_without_a_mean():
    found = exact("rough")
    assert (found.lower, found.upper) == (0.5, 1.0)
    assert (found.mean, found.std) == (None, None)
    assert (found.midpoint, found.width) == (0.75, 0.5)
    assert (found.lower_std, found.upper_std) == (0.0, 0.0)
    assert found.is_exact
    assert found.error == 0.0
    assert found.kinds == ("rough", "hard")


def test_a_fuzzy_answer_is_a_mean_with_a_spread():
    found = exact("fuzzy")  # 1 or 1/2, evenly
    assert found.lower == found.upper == found.mean == float(found) == pytest.approx(0.75)
    assert found.std == found.lower_std == found.upper_std == pytest.approx(0.25)
    assert found.width == 0.0


def test_an_evidential_answer_keeps_ambiguity_and_spread_apart():
    found = exact("mass")  # half of the mass leaves 1/2 and 1 open
    assert (found.lower, found.upper) == (0.75, 1.0)
    assert (found.lower_std, found.upper_std) == (0.25, 0.0)
    assert found.mean is None


def test_hurwicz_weighs_the_worse_end_by_pessimism():
    similarity, distance = exact("rough"), exact("rough", measure="partition_distance")
    assert [similarity.hurwicz(p) for p in (1.0, 0.0, 0.5)] == [0.5, 1.0, 0.75]
    assert (distance.lower, distance.upper) == (0.0, pytest.approx(1 / 3))
    assert distance.hurwicz(1.0) == distance.upper  # a large distance is the worse
    assert distance.hurwicz(0.0) == 0.0
    for pessimism in (-0.1, 1.1, float("nan"), "x", None, [0.5], True, 0.5j):
        with pytest.raises(sf.InputError, match="pessimism must lie between 0 and 1"):
            similarity.hurwicz(pessimism)


def test_an_interval_is_not_a_number():
    with pytest.raises(
        sf.UnsupportedError, match=r"interval \[0\.5000, 1\.0000\], not as a number: use \.lower"
    ):
        float(exact("rough"))
    with pytest.raises(TypeError):
        float(exact("fuzzy", quantity="range"))


def test_the_error_is_the_widest_distance_to_a_bracket():
    found = sf.compare(ROUGH, TRUTH, engine=sf.Sampled(n_samples=50), rng=0)
    assert (found.lower_bracket, found.upper_bracket) == ((0.0, 0.5), (1.0, 1.0))
    assert found.error == 0.5


@every_kind
@pytest.mark.parametrize("quantity", ["expectation", "range", "distribution"])
def test_a_dictionary_is_plain_enough_for_json(kind, quantity):
    for engine in (sf.Exact(), sf.Sampled(n_samples=20)):
        found = sf.compare(KINDS[kind], TRUTH, quantity=quantity, engine=engine, rng=0)
        content = json.loads(json.dumps(found.to_dict()))
        assert content["lower"] == found.lower
        assert content["quantity"] == quantity
        assert content["guarantee"] == found.guarantee
        assert content["n_samples"] == found.n_samples
        assert content["notes"] == list(found.notes)


@every_kind
def test_a_frame_has_one_row(kind):
    frame = exact(kind).to_frame()
    assert len(frame) == 1
    assert list(frame.columns) == list(exact(kind).to_dict())
    assert frame.loc[0, "lower"] == exact(kind).lower


def test_the_distribution_is_there_when_asked_for():
    assert exact("fuzzy").distribution is None
    assert exact("fuzzy", quantity="range").distribution is None
    asked = exact("fuzzy", quantity="distribution")
    assert asked.distribution.values.tolist() == [0.5, 1.0]
    assert asked.mean == asked.distribution.lower == 0.75


def test_the_words_name_measure_kinds_value_trust_and_method():
    assert repr(exact("rough")).startswith("<rand of rough against hard: [0.5000, 1.0000] (exact; ")
    assert repr(exact("fuzzy")).startswith("<rand of fuzzy against hard: 0.7500 (exact; ")
    drawn = sf.compare(FUZZY, TRUTH, engine=sf.Sampled(n_samples=100), rng=0)
    assert f"(+-{drawn.error:.2g} at 95%; sample, " in repr(drawn)


def test_inner_ends_come_with_a_warning():
    found = sf.compare(ROUGH, TRUTH, engine=sf.Sampled(n_samples=3), rng=0)
    assert "inner; the true ends may lie further out; sample, " in repr(found)
    assert "the true ends may lie further out" not in repr(exact("rough"))


def test_the_long_form_lists_the_notes():
    lines = str(exact("min")).splitlines()
    assert lines[0] == repr(exact("min"))[1:-1] or lines[0].startswith("rand of possibilistic")
    assert lines[1:] == [f"  note: {note}" for note in exact("min").notes]
    assert "t-norm min" in lines[1]


def test_html_escapes_everything():
    measure = sf.Measure.from_function(
        lambda table: 0.5, name="<b>&share</b>", better="higher", bounds=(0, 1)
    )
    page = exact("min", measure=measure)._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;share&lt;/b&gt;" in page
    assert page.startswith("<table>")
    assert "note" in page


def counting(found, name, calls):
    """The same answer, which notes every time that it has to find something."""
    find = getattr(found, name)
    return replace(found, **{name: lambda: calls.append(name) or find()})


def test_the_pignistic_mean_is_found_once_when_asked_for():
    calls = []
    found = counting(exact("rough"), "find_pignistic", calls)
    assert (found.lower, found.upper, str(found) != "", calls) == (0.5, 1.0, True, [])
    # The ambiguous object goes either way with 1/2: the value is 1 or 1/2.
    assert found.pignistic == found.pignistic == pytest.approx(0.75)
    assert calls == ["find_pignistic"]
    precise = counting(exact("fuzzy"), "find_pignistic", calls)
    assert precise.pignistic == pytest.approx(0.75)
    assert len(calls) == 1  # a mean is its own pignistic mean


def test_the_standard_deviation_is_found_once_when_asked_for():
    calls = []
    found = counting(sf.compare(KINDS["fuzzy"], TRUTH), "find_std", calls)
    assert (found.mean, str(found) != "", calls) == (pytest.approx(0.75), True, [])
    assert found.std == found.lower_std == found.upper_std == pytest.approx(0.25)
    assert calls == ["find_std"]


def test_notes_of_the_partitions_come_with_the_answer():
    scaled = sf.PossibilisticPartition([[0.5, 0.25], [1, 0], [0, 1], [0, 1]], t_norm="min")
    notes = sf.compare(scaled, TRUTH).notes
    assert any("divided by their maximum" in note for note in notes)
    assert len(set(notes)) == len(notes)


def test_answers_never_change():
    with pytest.raises(AttributeError):
        exact("rough").lower = 0.0


@pytest.mark.parametrize("quantity", ["expectation", "distribution"])
def test_one_draw_says_nothing_of_a_spread(quantity):
    one = sf.Sampled(n_samples=1)
    found = sf.compare([[0.5, 0.5], [0.2, 0.8]], [0, 1], engine=one, quantity=quantity, rng=0)
    assert isnan(found.std)
    assert "one draw says nothing of a spread" in found.notes[-1]
    possible = sf.PossibilisticPartition([[1, 0.5], [0.2, 1]], t_norm="min")
    assert isnan(sf.compare(possible, [0, 1], engine=one, quantity=quantity, rng=0).lower_std)
    rough = sf.compare(sf.RoughPartition([[1, 1], [0, 1]]), [0, 1], engine=one, rng=0)
    assert (rough.lower_std, rough.upper_std) == (0.0, 0.0)  # a set of values has none
