"""The paper's statements that are true, as properties of what the package returns."""

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import sfumato as sf
from oracle import canonical, classes, compatible, support
from strategies import (
    build,
    evidential_sides,
    fuzzy_sides,
    groups_of_sides,
    hard_sides,
    rough_sides,
)

METRICS = ("rand", "partition_distance", "variation_of_information")
SMALL = {"n_objects": st.integers(1, 4), "n_clusters": st.integers(1, 3)}
ATOL = 1e-12
metrics = pytest.mark.parametrize("metric", METRICS)
laws = settings(deadline=None, max_examples=30)


def interval(a, b, metric: str) -> tuple[float, float]:
    """Lower and upper expectation of a distance; Rand counts as 1 - Rand."""
    found = sf.compare(build(a), build(b), measure=metric, engine="exact")
    return (1 - found.upper, 1 - found.lower) if metric == "rand" else (found.lower, found.upper)


def distance(metric: str, c1, c2) -> float:
    value = oracle.value(metric, canonical(c1), canonical(c2))
    return 1 - value if metric == "rand" else value


def sets(*members):
    return ("rough", tuple(frozenset(s) for s in members))


# --- Rough partitions: Proposition 1 and Corollary 1 -----------------------------------------


@metrics
@laws
@given(pair=groups_of_sides(rough_sides, rough_sides, **SMALL))
def test_the_lower_end_is_zero_iff_some_clusterings_are_equivalent(metric, pair):
    share_one = bool(classes(support(pair[0])) & classes(support(pair[1])))
    assert (interval(*pair, metric)[0] < ATOL) == share_one
    assert interval(pair[0], pair[0], metric)[0] == pytest.approx(0, abs=ATOL)


@metrics
def test_the_lower_end_breaks_the_triangle_inequality(metric):
    together, unsure, apart = sets({0}, {0}), sets({0}, {0, 1}), sets({0}, {1})
    assert interval(together, unsure, metric)[0] == 0
    assert interval(unsure, apart, metric)[0] == 0
    assert interval(together, apart, metric)[0] > 0.5


@metrics
@laws
@given(pair=groups_of_sides(rough_sides, hard_sides, **SMALL))
def test_the_upper_end_against_hard_is_the_hausdorff_distance(metric, pair):
    rough, (truth,) = classes(support(pair[0])), compatible(support(pair[1]))
    farthest = max(distance(metric, c, truth) for c in rough)  # the other way it is the nearest
    assert interval(*pair, metric)[1] == pytest.approx(farthest, abs=ATOL)


# --- Evidential and fuzzy partitions: Theorems 1 and 4 ---------------------------------------


@metrics
@laws
@given(pair=groups_of_sides(evidential_sides, evidential_sides, **SMALL))
def test_all_mass_is_on_zero_iff_all_clusterings_are_equivalent(metric, pair):
    found = sf.compare(
        *map(build, pair), measure=metric, quantity="distribution", engine="exact"
    ).distribution
    on_zero = found.belief(at_least=1 - ATOL) if metric == "rand" else found.belief(at_most=ATOL)
    every = classes(support(pair[0])) | classes(support(pair[1]))
    assert (on_zero > 1 - ATOL) == (len(every) == 1)
    assert (interval(*pair, metric)[1] < ATOL) == (len(every) == 1)  # (M1b), modulo equivalence


@metrics
@pytest.mark.parametrize("kind", [evidential_sides, rough_sides, fuzzy_sides])
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_upper_expectation_obeys_the_triangle_inequality(metric, kind, data):
    sizes = {"n_objects": st.integers(1, 3), "n_clusters": st.integers(1, 3)}
    a, b, c = data.draw(groups_of_sides(kind, kind, kind, **sizes))
    direct = interval(a, c, metric)[1]
    assert direct <= interval(a, b, metric)[1] + interval(b, c, metric)[1] + ATOL


@laws
@given(side=evidential_sides(**SMALL, empty="dempster"))
def test_conditioning_objects_is_conditioning_the_joint_mass(side):
    """Drop every focal partition with an empty set, divide by what is left."""
    rows = [{s: m for s, m in row.items() if m > 0} for row in side[1]]
    joint = {
        tuple(s for s, _ in chosen): prod(m for _, m in chosen)
        for chosen in product(*(row.items() for row in rows))
    }
    kept = {rough: m for rough, m in joint.items() if all(rough)}
    total = sum(kept.values())
    truth = (0,) * len(rows)
    worst = sum(
        m / total * max(distance("rand", c, truth) for c in compatible(rough))
        for rough, m in kept.items()
    )
    assert interval(side, ("hard", truth), "rand")[1] == pytest.approx(worst, abs=ATOL)
