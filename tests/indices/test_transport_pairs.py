from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import literal_pairs
import sfumato as sf
from sfumato.errors import InputError
from sfumato.indices import denoeux, transport_pairs, zhou
from sfumato.indices.transport_pairs import _Masses, _transport
from strategies import build, fuzzy_sides, groups_of_sides, hard_sides, sides

ALPHAS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
QUARTERS = st.lists(st.sampled_from(literal_pairs.SETS), min_size=4, max_size=4).map(
    lambda units: {name: units.count(name) / 4 for name in literal_pairs.SETS}
)


def in_order(m):
    arrays = (np.array(m[name]) for name in ("same", "different", "either", "empty"))
    return _Masses(*arrays)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@settings(max_examples=250, deadline=None)
@given(QUARTERS, QUARTERS)
def test_the_closed_form_is_the_cheapest_transport(alpha, m, w):
    found = _transport(in_order(m), in_order(w), float(alpha))
    assert float(found) == pytest.approx(float(literal_pairs.transport(m, w, alpha)), abs=1e-15)


def program(m, w, alpha):
    """The transport as a linear program, for masses of any size."""
    from scipy.optimize import linprog

    costs = [0, 1, 1, 1, 1, 0, 1, alpha, 1, 1, 0, alpha, 1, alpha, alpha, 0]
    sums = np.vstack([np.kron(np.eye(4), np.ones(4)), np.kron(np.ones(4), np.eye(4))])
    right = [one[name] for one in (m, w) for name in literal_pairs.SETS]
    return linprog(costs, A_eq=sums[:-1], b_eq=right[:-1]).fun


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8])
@settings(max_examples=25, deadline=None)
@given(groups_of_sides(sides, sides))
def test_values_are_those_of_a_program_per_pair(alpha, pair):
    a, b = map(build, pair)
    found = transport_pairs(a, b, alpha=alpha)
    if a.n_objects == 1:
        assert found == 1.0
        return
    expected = 1 - literal_pairs.mean_over_pairs(*pair, lambda m, w: program(m, w, alpha))
    # The program keeps its equations up to 1e-7.
    assert found == pytest.approx(expected, rel=0, abs=1e-6)
    assert transport_pairs(b, a, alpha=alpha) == pytest.approx(found, rel=0, abs=1e-12)
    assert transport_pairs(a, a, alpha=alpha) == pytest.approx(1, rel=0, abs=1e-12)
    assert -1e-12 <= found <= 1 + 1e-12


def indicator(masses, cluster):
    """What is said of one object and one cluster."""
    found = dict.fromkeys(literal_pairs.SETS, 0.0)
    for members, mass in masses.items():
        if not members:
            found["empty"] += mass
        elif members == {cluster}:
            found["same"] += mass
        else:
            found["either" if cluster in members else "different"] += mass
    return found


def literal_distance(first, second, n_clusters, alpha):
    """Every one-to-one matching of as many clusters, those without objects included."""
    of_a, of_b = map(literal_pairs.object_masses, (first, second))
    costs = np.zeros((n_clusters, n_clusters))
    for x, y in zip(of_a, of_b, strict=True):
        for i in range(n_clusters):
            for j in range(n_clusters):
                m, w = indicator(x, i), indicator(y, j)
                costs[i, j] += _transport(in_order(m), in_order(w), alpha)
    orders = map(list, permutations(range(n_clusters)))
    best = min(costs[range(n_clusters), order].sum() for order in orders)
    return best / (2 * len(of_a))


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@settings(max_examples=40, deadline=None)
@given(groups_of_sides(sides, sides))
def test_the_partition_distance_matches_clusters_one_to_one(alpha, pair):
    pair = [as_codes(side) for side in pair]
    a, b = map(build, pair)
    found = transport_pairs(a, b, alpha=alpha, index="partition_distance")
    expected = literal_distance(*pair, max(a.n_clusters, b.n_clusters), alpha)
    assert found == pytest.approx(expected, rel=0, abs=1e-12)
    itself = transport_pairs(a, a, alpha=alpha, index="partition_distance")
    assert itself == pytest.approx(0, abs=1e-12)


def as_codes(side):
    """Labels from 0 on: a hard partition has no clusters without objects."""
    if side[0] != "hard":
        return side
    return ("hard", tuple(np.unique(side[1], return_inverse=True)[1].tolist()))


@settings(max_examples=40, deadline=None)
@given(groups_of_sides(hard_sides, hard_sides))
def test_hard_partitions_get_their_rand_and_their_partition_distance(pair):
    a, b = map(build, pair)
    for alpha in (0, 0.4, 1):
        rand = sf.compare(a, b).mean
        assert transport_pairs(a, b, alpha=alpha) == pytest.approx(rand, rel=0, abs=1e-12)
        distance = sf.compare(a, b, measure=sf.PartitionDistance("n")).mean
        found = transport_pairs(a, b, alpha=alpha, index="partition_distance")
        assert found == pytest.approx(distance, rel=0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups_of_sides(fuzzy_sides, fuzzy_sides))
def test_between_fuzzy_partitions_it_is_another_index(pair):
    a, b = map(build, pair)
    for alpha in (0.0, 1.0):
        rand = denoeux(a, b, distance="belief")
        assert transport_pairs(a, b, alpha=alpha) == pytest.approx(rand, rel=0, abs=1e-12)
        found = transport_pairs(a, b, alpha=alpha, index="partition_distance")
        assert found == pytest.approx(zhou(a, b, normalized=True), rel=0, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(groups_of_sides(sides, sides, sides), st.sampled_from([0.5, 0.7, 1.0]))
def test_it_is_a_pseudometric_for_alpha_from_one_half(three, alpha):
    a, b, c = map(build, three)
    for form, flip in (("rand", 1), ("partition_distance", 0)):

        def apart(first, second, form=form, flip=flip):
            return abs(flip - transport_pairs(first, second, alpha=alpha, index=form))

        if form == "rand" or a.n_clusters == b.n_clusters == c.n_clusters:
            assert apart(a, c) <= apart(a, b) + apart(b, c) + 1e-12


def test_it_is_no_metric_for_a_smaller_alpha():
    together, apart = [0, 0], [0, 1]
    vague = sf.RoughPartition(np.ones((2, 2)))
    for alpha in (0.0, 0.4):
        to_vague = 1 - transport_pairs(together, vague, alpha=alpha)
        from_vague = 1 - transport_pairs(vague, apart, alpha=alpha)
        assert to_vague + from_vague < 1 - transport_pairs(together, apart, alpha=alpha)


def test_blocks_and_sums_agree_against_a_hard_side(monkeypatch):
    rng = np.random.default_rng(0)
    sets = np.array([[code >> cluster & 1 for cluster in range(3)] for code in range(8)])
    a = sf.EvidentialPartition(rng.dirichlet(np.ones(8), 300), sets)
    truth = rng.integers(0, 4, 300)
    by_sums = transport_pairs(a, truth, alpha=0.3)
    monkeypatch.setattr("sfumato.indices.formulas.mass_products.MOST_CELLS", 0)
    assert transport_pairs(a, truth, alpha=0.3) == pytest.approx(by_sums, rel=0, abs=1e-12)


def test_clusters_in_excess_count():
    # The published code gives 0: it leaves the cluster without a partner out.
    found = transport_pairs([0, 0, 1, 1], [0, 0, 0, 0], index="partition_distance")
    assert found == 0.5


@pytest.mark.parametrize("alpha", [-0.1, 1.5, "half", None])
def test_wrong_alphas_are_refused(alpha):
    with pytest.raises(InputError, match=r"transport_pairs\(alpha=...\) takes a number from 0"):
        transport_pairs([0, 1], [0, 1], alpha=alpha)
