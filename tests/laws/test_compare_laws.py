"""What must not change an answer, and which answers must contain which."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import sfumato as sf
from brackets import assert_held
from oracle import Side
from strategies import (
    build,
    evidential_sides,
    groups_of_sides,
    hard_sides,
    rough_sides,
    sides,
)

NAMES = tuple(oracle.MEASURES)
SMALL = {"n_objects": st.integers(1, 4), "n_clusters": st.integers(1, 3)}
ATOL = 1e-12
every_measure = pytest.mark.parametrize("measure", NAMES)
laws = settings(deadline=None, max_examples=10)


def ends(a, b, measure: str, quantity: str = "expectation") -> tuple[float, float]:
    a, b = (build(side) if isinstance(side, tuple) else side for side in (a, b))
    found = sf.compare(a, b, measure=measure, quantity=quantity, engine="exact")
    return found.lower, found.upper


def same(expected):
    return pytest.approx(expected, abs=ATOL, rel=0)


def assert_holds(wide, narrow):
    """One interval lies within another."""
    assert wide[0] - ATOL <= narrow[0]
    assert narrow[1] <= wide[1] + ATOL


def relabel(side: Side, seed: int) -> Side:
    """The same side with its clusters renamed."""
    new = np.random.default_rng(seed).permutation(6).tolist()
    match side[0]:
        case "hard":
            return ("hard", tuple(new[label] for label in side[1]))
        case "rough":
            return ("rough", tuple(frozenset(new[i] for i in s) for s in side[1]))
        case "evidential":
            rows = tuple({frozenset(new[i] for i in s): m for s, m in r.items()} for r in side[1])
            return (*side[:1], rows, "dempster", 6)
        case _:
            order = np.random.default_rng(seed).permutation(len(side[1][0])).tolist()
            return (side[0], tuple(tuple(row[i] for i in order) for row in side[1]), *side[2:])


def reorder(side: Side, order: list[int]) -> Side:
    return (side[0], tuple(side[1][x] for x in order), *side[2:])


@every_measure
@laws
@given(
    pair=groups_of_sides(sides, sides, **SMALL),
    seed=st.integers(0, 99),
)
def test_the_names_of_clusters_do_not_matter(measure, pair, seed):
    pair = tuple((*s[:2], "dempster", s[3]) if s[0] == "evidential" else s for s in pair)
    renamed = [relabel(side, seed) for side in pair]
    assert ends(*renamed, measure) == same(ends(*pair, measure))


@every_measure
@laws
@given(pair=groups_of_sides(sides, sides, **SMALL), seed=st.integers(0, 99))
def test_the_order_of_objects_does_not_matter(measure, pair, seed):
    order = np.random.default_rng(seed).permutation(len(pair[0][1])).tolist()
    moved = [reorder(side, order) for side in pair]
    for quantity in ("expectation", "range"):
        assert ends(*moved, measure, quantity) == same(ends(*pair, measure, quantity))


@pytest.mark.parametrize(
    "measure", [name for name in NAMES if name not in ("purity", "completeness")]
)
@laws
@given(pair=groups_of_sides(sides, sides, **SMALL))
def test_swapping_sides_changes_nothing_or_swaps_homogeneity_and_completeness(measure, pair):
    swapped = "completeness" if measure == "homogeneity" else measure
    assert ends(*pair[::-1], swapped) == same(ends(*pair, measure))


@every_measure
@laws
@given(pair=groups_of_sides(hard_sides, sides, **SMALL))
def test_a_hard_partition_is_the_same_as_any_other_kind(measure, pair):
    labels = pair[0][1]
    n_clusters = 1 + max(labels)
    rows = tuple(tuple(float(i == label) for i in range(n_clusters)) for label in labels)
    masses = tuple({frozenset({label}): 1.0} for label in labels)
    other_kinds = [
        ("rough", tuple(frozenset({label}) for label in labels)),
        ("fuzzy", rows),
        ("possibilistic", rows, None),
        ("evidential", masses, "dempster", n_clusters),
    ]
    expected = ends(*pair, measure)
    for side in other_kinds:
        assert ends(side, pair[1], measure) == same(expected)


@every_measure
@laws
@given(pair=groups_of_sides(evidential_sides, sides, **SMALL))
def test_yagers_interval_holds_dempsters(measure, pair):
    (_, rows, _, k), other = pair
    dempster = ends(("evidential", rows, "dempster", k), other, measure)
    assert_holds(ends(("evidential", rows, "yager", k), other, measure), dempster)


@every_measure
@laws
@given(pair=groups_of_sides(*[evidential_sides] * 2, **SMALL))
def test_the_pignistic_mean_lies_between_the_expectations(measure, pair):
    found = sf.compare(*map(build, pair), measure=measure, engine="exact")
    assert found.lower - ATOL <= found.pignistic <= found.upper + ATOL


def test_the_pignistic_mean_can_leave_the_interval_of_a_joint_possibility():
    rows = [[1, 0.5]] * 4 + [[1, 0]]
    found = sf.compare(
        sf.PossibilisticPartition(rows, t_norm="min"), [0] * 5, measure="rand", engine="exact"
    )
    # Below level 1/2 at worst 6 of 10 pairs are apart. Sharing gives each of four objects 1/4 of
    # the second cluster, independently: 6 pairs apart with 3/8, 4 pairs with 1/4.
    assert (found.lower, found.upper) == same((0.7, 1.0))
    assert found.pignistic == same(0.675)


@every_measure
@laws
@given(
    pair=groups_of_sides(rough_sides, rough_sides, **SMALL),
    cluster=st.integers(0, 3),
    place=st.integers(0, 3),
)
def test_enlarging_a_rough_set_widens_the_interval(measure, pair, cluster, place):
    (_, narrow), other = pair
    x = place % len(narrow)
    wide = tuple(s | {cluster} if i == x else s for i, s in enumerate(narrow))
    assert_holds(ends(("rough", wide), other, measure), ends(pair[0], other, measure))


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


@every_measure
@laws
@given(
    pair=groups_of_sides(evidential_sides, hard_sides, **SMALL),
    place=st.integers(0, 3),
    member=st.integers(0, 2),
    share=st.sampled_from([0.25, 0.5, 1.0]),
)
def test_moving_mass_to_a_subset_narrows_the_interval(measure, pair, place, member, share):
    side, truth = pair
    narrow = refined(side, place, member, share)
    assert_holds(ends(side, truth, measure), ends(narrow, truth, measure))


@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
@laws
@given(pair=groups_of_sides(evidential_sides, sides, **SMALL))
def test_certified_brackets_hold_the_exact_ends_from_either_side(measure, pair):
    exact = sf.compare(*map(build, pair), measure=measure, engine="exact")
    for first, second in (pair, pair[::-1]):
        assert_held(
            sf.compare(build(first), build(second), measure=measure, engine="bounds"), exact
        )
