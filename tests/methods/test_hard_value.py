"""Two hard partitions, up to the sizes where a dense table would not fit."""

from math import log

import numpy as np
import pytest
from sklearn import metrics

import sfumato as sf
from variants import RATIOS_OF_INFORMATION, RATIOS_OF_PAIRS

N = 100_000
SINGLETONS = np.arange(N)
EXPECTED = dict.fromkeys(
    ["rand", *RATIOS_OF_PAIRS, *RATIOS_OF_INFORMATION, "adjusted_mutual_information"], 1.0
) | {
    "fowlkes_mallows": 0.0,
    "mutual_information": log(N),
    "variation_of_information": 0.0,
    "normalized_variation_of_information": 0.0,
}


@pytest.mark.parametrize("measure", EXPECTED)
def test_a_hundred_thousand_singletons_need_no_dense_table(measure):
    shuffled = np.random.default_rng(0).permutation(N)
    found = sf.compare(SINGLETONS, shuffled, measure=measure)
    assert found.is_exact
    assert found.mean == pytest.approx(EXPECTED[measure], rel=1e-12)


@pytest.mark.parametrize("measure", ["partition_distance", "purity"])
def test_a_measure_that_needs_the_layout_says_that_the_table_is_too_large(measure):
    with pytest.raises(
        sf.CostError, match=f"^{measure} needs the whole table of 100,000 x 100,000"
    ):
        sf.compare(SINGLETONS, SINGLETONS, measure=measure)


def test_a_sparse_table_gives_the_same_values_as_a_dense_one():
    rng = np.random.default_rng(1)
    a, b = rng.integers(40, size=300), rng.integers(50, size=300)  # 2,000 cells, 300 objects
    table = np.zeros((40, 50), dtype=np.int64)
    np.add.at(table, (a, b), 1)
    for name in EXPECTED:
        dense = float(sf.measures()[name].of_tables(table))
        assert sf.compare(a, b, measure=name).mean == pytest.approx(dense, rel=1e-12)


def test_a_million_objects_equal_scikit_learn():
    rng = np.random.default_rng(2)
    a, b = rng.integers(5, size=10**6), rng.integers(7, size=10**6)
    found = sf.compare(a, b)
    assert found.mean == metrics.rand_score(b, a)
    assert found.method == "hard_value"


def test_every_engine_gives_two_hard_partitions_their_value():
    for engine in ("auto", "exact", "closed_form", "sampled", sf.Sampled(tolerance=0.1)):
        found = sf.compare([0, 0, 1], [0, 1, 1], engine=engine)
        assert (found.lower, found.upper, found.guarantee) == (1 / 3, 1 / 3, "exact")
        assert found.n_samples is None
