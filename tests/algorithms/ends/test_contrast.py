"""Bounds of differences over all compatible clusterings, against the list of all of them."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from literal import all_tables, bit_masks, three_sums
from oracle import d_R, support
from sfumato.algorithms.ends.ratio_lines import ratio_line
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.measures import as_measure
from sfumato.question.query import Query, difference_query
from strategies import build, random_side

CLOSE = 1e-9
MEASURES = (
    "rand",
    "variation_of_information",
    "partition_distance",
    "adjusted_rand",
    "jaccard",
    "fowlkes_mallows",
    "normalized_mutual_information",
    "adjusted_mutual_information",
    "purity",
)


def ends(sides, measure):
    found = d_R(map(support, sides), measure)
    return min(found), max(found)


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
    for measure in (
        "rand",
        "partition_distance",
        "purity",
        "adjusted_rand",
        "fowlkes_mallows",
        "normalized_mutual_information",
        "adjusted_mutual_information",
    ):
        query = difference_query(*sides, as_measure(measure), "range")
        found = relaxed_ends(query.objective, query.joint.rough_batch)
        alone = [sf.compare(side, sides[2], measure=measure) for side in sides[:2]]
        apart = sum(one.upper_bracket[1] - one.lower_bracket[0] for one in alone)
        assert found.high_bounds[0] - found.low_bounds[0] < 0.7 * apart
        assert found.lows[0] - found.low_bounds[0] < 0.1 * apart


@pytest.mark.parametrize(
    "measure",
    ["adjusted_rand", "jaccard", "fowlkes_mallows", "normalized_mutual_information", "v_measure"],
)
def test_ratios_lie_within_the_slack_of_their_lines(measure):
    rng = np.random.default_rng(4)
    n_checked = 0
    for n, k in ((6, 2), (7, 3)) * 6:
        mask = np.eye(k, dtype=bool)[rng.integers(k, size=(2, n))] | (rng.random((2, n, k)) < 0.2)
        sides = (sf.RoughPartition(side) for side in mask)
        asked = Query.of(*sides, as_measure(measure), "expectation")
        if asked.theory != "rough" or asked.is_turned:
            continue
        batch, family = asked.joint.rough_batch, asked.objective.family
        found = relaxed_ends(asked.objective, batch)
        line = ratio_line(family, batch, found.low_bounds, found.high_bounds)
        if not np.isfinite(line.slack[0]):
            continue
        n_checked += 1
        tables = all_tables(*map(bit_masks, mask), [1] * n, (k, k))
        along = line.offset[0] + line.weights[0] @ three_sums(tables, family.psi)
        off = along - asked.objective.of_tables(tables)
        assert (np.abs(off) <= line.slack[0] + CLOSE).all()
    assert n_checked >= 3
