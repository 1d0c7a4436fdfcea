"""Draws that all pairs of candidates share: against all readings of each draw."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from oracle import compatible, value
from sfumato.algorithms.sampling.sources.contests import draw_contest
from sfumato.api.ranking.contenders import Contenders
from sfumato.api.ranking.shared_draws import Field
from sfumato.partitions.reading.reading_options import Reading
from strategies import build, random_side

PAIRS = [(0, 1), (1, 2), (0, 2)]


def field(sides, truth, measure):
    named = dict(zip("abc", sides, strict=True))
    return Field(Contenders.read(named, truth, measure, Reading(None, -1, "raise")))


def drawn(sides, truth, measure, n_draws, seed=0):
    contest = field(sides, truth, measure).contest(PAIRS)
    return draw_contest(contest, n_draws, np.random.SeedSequence(seed))


@pytest.mark.parametrize(
    "measure", ["rand", "adjusted_rand", "partition_distance", "purity", "mutual_information"]
)
def test_the_ends_of_rough_partitions_lie_in_their_brackets(measure):
    rng = np.random.default_rng(5)
    for _ in range(6):
        sides = [random_side(rng, "rough", 4, 2) for _ in range(4)]
        *candidates, truth = [list(compatible(side[1])) for side in sides]
        ends = drawn([build(side) for side in sides[:3]], build(sides[3]), measure, 2)
        for at, (i, j) in enumerate(PAIRS):
            values = [
                value(measure, a, t) - value(measure, b, t)
                for t in truth
                for a, b in product(candidates[i], candidates[j])
            ]
            low, high, low_gap, high_gap = (end[0, at] for end in ends)
            assert low - 1e-9 <= min(values) <= low + low_gap + 1e-9
            assert high - high_gap - 1e-9 <= max(values) <= high + 1e-9


def test_differences_of_drawn_clusterings_add_up():
    rng = np.random.default_rng(1)
    *sides, truth = (rng.dirichlet(np.ones(3), 20) for _ in range(4))
    lows, highs, low_gaps, high_gaps = drawn(sides, truth, "adjusted_rand", 50)
    assert np.allclose(lows[:, 0] + lows[:, 1], lows[:, 2])
    assert np.array_equal(lows, highs)
    assert not low_gaps.any()
    assert not high_gaps.any()
    assert lows.std(axis=0).min() > 0


def test_means_of_drawn_clusterings_are_the_expectations():
    rng = np.random.default_rng(3)
    *sides, truth = (rng.dirichlet(np.ones(3), 25) for _ in range(4))
    lows = drawn(sides, truth, "rand", 4000)[0]
    means = [sf.compare(side, truth).mean for side in sides]
    for at, (i, j) in enumerate(PAIRS):
        error = 4 * lows[:, at].std() / 4000**0.5
        assert abs(lows[:, at].mean() - (means[i] - means[j])) < error


def test_one_level_holds_for_all_objects_and_players():
    """Two equal possibilistic candidates have the same sets in every draw."""
    rng = np.random.default_rng(4)
    possible = sf.PossibilisticPartition(rng.random((30, 3)), t_norm="min")
    other = rng.dirichlet(np.ones(3), 30)
    truth = rng.integers(3, size=30)
    lows, highs, *_ = drawn([possible, possible, other], truth, "rand", 200)
    assert np.allclose(lows[:, 0], -highs[:, 0])
    # The lower the level, the wider the ends: all objects open up together.
    width = np.sort(highs[:, 0] - lows[:, 0])
    assert width[0] < 0.2 * width[-1]
    apart = drawn([possible.with_t_norm(None)] * 2 + [other], truth, "rand", 200)
    assert np.std(apart[1][:, 0] - apart[0][:, 0]) < 0.3 * width.std()


def test_only_the_candidates_of_asked_pairs_are_drawn():
    rng = np.random.default_rng(4)
    sides = [rng.dirichlet(np.ones(3), 10) for _ in range(3)]
    contest = field(sides, rng.integers(3, size=10), "rand").contest([(0, 2)])
    assert len(contest.candidates) == 2
    assert contest.pairs == ((0, 1),)


def test_pairs_of_many_clusters_list_only_drawn_pairs_of_sets():
    rng = np.random.default_rng(8)
    k, n = 12, 40
    sides = [build(random_side(rng, "evidential", n, k)) for _ in range(3)]
    truth = build(random_side(rng, "rough", n, k))
    lows, highs, low_gaps, high_gaps = drawn(sides, truth, "rand", 3)
    assert (lows + low_gaps <= highs - high_gaps + 1e-9).all()
    assert lows.shape == (3, 3)
    assert (lows < highs).all()
