"""Laws of evidential comparisons: what must contain what, and what must be equal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracle import Side
from strategies import (
    build,
    evidential_sides,
    fuzzy_sides,
    groups_of_sides,
    hard_sides,
    rough_sides,
)

ATOL = 1e-12
SMALL = {"n_objects": st.integers(2, 4), "n_clusters": st.integers(1, 3)}
laws = settings(deadline=None, max_examples=25)
both_measures = pytest.mark.parametrize("measure", ["rand", "partition_distance"])
both_engines = pytest.mark.parametrize("engine", ["exact", "bounds"])


def compare(a, b, measure: str, engine: str) -> sf.Comparison:
    return sf.compare(build(a), build(b), measure=measure, engine=engine)


@both_measures
@both_engines
@laws
@given(pair=groups_of_sides(evidential_sides, evidential_sides, **SMALL))
def test_the_ends_are_ordered_and_hold_the_pignistic_mean(measure, engine, pair):
    found = compare(*pair, measure, engine)
    assert found.lower <= found.upper + ATOL
    pignistic = sf.compare(*map(build, pair), measure=measure, engine="exact").pignistic
    assert found.lower - ATOL <= pignistic <= found.upper + ATOL


@both_measures
@laws
@given(pair=groups_of_sides(evidential_sides, hard_sides, **SMALL))
def test_yager_contains_dempster(measure, pair):
    (_, rows, _, k), truth = pair
    dempster, yager = (
        compare(("evidential", rows, empty, k), truth, measure, "exact")
        for empty in ("dempster", "yager")
    )
    assert yager.lower <= dempster.lower + ATOL
    assert yager.upper >= dempster.upper - ATOL


def refined(side: Side, place: int, member: int, share: float) -> Side:
    """Some mass of one object moves from its largest set to one cluster of that set."""
    _, rows, empty, k = side
    x = place % len(rows)
    row = {s: m for s, m in rows[x].items() if s}
    large = max((s for s, m in row.items() if m > 0), key=len)
    small = frozenset({sorted(large)[member % len(large)]})
    moved = share * row[large]
    row[large] -= moved
    row[small] = row.get(small, 0.0) + moved
    row[frozenset()] = rows[x].get(frozenset(), 0.0)
    return ("evidential", tuple(row if i == x else old for i, old in enumerate(rows)), empty, k)


@both_measures
@laws
@given(
    pair=groups_of_sides(evidential_sides, hard_sides, **SMALL),
    place=st.integers(0, 3),
    member=st.integers(0, 2),
    share=st.sampled_from([0.25, 0.5, 1.0]),
)
def test_moving_mass_to_a_subset_narrows_the_interval(measure, pair, place, member, share):
    side, truth = pair
    wide = compare(side, truth, measure, "exact")
    narrow = compare(refined(side, place, member, share), truth, measure, "exact")
    assert wide.lower <= narrow.lower + ATOL
    assert narrow.upper <= wide.upper + ATOL


@both_measures
@laws
@given(data=st.data())
def test_fuzzy_and_rough_partitions_written_as_masses_keep_their_answer(measure, data):
    kind = data.draw(st.sampled_from([fuzzy_sides, rough_sides]))
    side, truth = data.draw(groups_of_sides(kind, hard_sides, **SMALL))
    plain = compare(side, truth, measure, "exact")
    as_masses = sf.compare(build(side).to_evidential(), build(truth), measure=measure)
    assert (as_masses.lower, as_masses.upper) == pytest.approx(
        (plain.lower, plain.upper), abs=ATOL, rel=0
    )


@both_measures
@laws
@given(pair=groups_of_sides(evidential_sides, fuzzy_sides, **SMALL))
def test_swapping_the_sides_keeps_certified_brackets(measure, pair):
    one, other = compare(*pair, measure, "bounds"), compare(*pair[::-1], measure, "bounds")
    true = compare(*pair, measure, "exact")
    for found in (one, other):
        assert found.lower_bracket[0] - ATOL <= true.lower <= found.lower_bracket[1] + ATOL
        assert found.upper_bracket[0] - ATOL <= true.upper <= found.upper_bracket[1] + ATOL
