"""Bounds of differences over all compatible clusterings, against the list of all of them."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from oracle import compatible, value
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.measures import as_measure
from sfumato.question.composite import difference_query
from strategies import build, random_side

CLOSE = 1e-9
MEASURES = ("rand", "variation_of_information", "partition_distance", "adjusted_rand", "purity")


def ends(sides, measure):
    a, b, truth = ([*compatible(_sets(side))] for side in sides)
    found = [value(measure, x, t) - value(measure, y, t) for t in truth for x in a for y in b]
    return min(found), max(found)


def _sets(side):
    return tuple(frozenset({i}) for i in side[1]) if side[0] == "hard" else side[1]


@pytest.mark.parametrize("measure", MEASURES)
def test_bounds_hold_every_value_and_attained_values_are_values(measure):
    rng = np.random.default_rng(0)
    for kinds in product(("hard", "rough"), repeat=3):
        for n, k in ((3, 3), (4, 2)):
            sides = [random_side(rng, kind, n, k) for kind in kinds]
            query = difference_query(*map(build, sides), as_measure(measure), "expectation")
            if query.theory == "hard":
                continue
            found = relaxed_ends(query.objective, query.joint.rough_batch)
            low, high = ends(sides, measure)
            assert found.low_bounds[0] - CLOSE <= low <= found.lows[0] + CLOSE
            assert found.highs[0] - CLOSE <= high <= found.high_bounds[0] + CLOSE


def test_what_both_candidates_share_cancels():
    """The truth of a tenth of the objects is open, and hardly moves the difference."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=300)
    mask = np.eye(3, dtype=bool)[labels]
    mask[:30] = True
    a = np.where(rng.random(300) < 0.1, rng.integers(3, size=300), labels)
    b = np.where(rng.random(300) < 0.3, rng.integers(3, size=300), labels)
    sides = sf.HardPartition(a), sf.HardPartition(b), sf.RoughPartition(mask)
    for measure in ("rand", "partition_distance"):
        query = difference_query(*sides, as_measure(measure), "range")
        found = relaxed_ends(query.objective, query.joint.rough_batch)
        alone = [sf.compare(side, sides[2], measure=measure) for side in sides[:2]]
        apart = alone[0].width + alone[1].width
        assert found.high_bounds[0] - found.low_bounds[0] < 0.7 * apart
        assert found.lows[0] - found.low_bounds[0] < 0.1 * apart
