"""One object, one cluster, all singletons: the values at 0/0."""

import numpy as np
import pytest

from sfumato.measures import (
    AdjustedMutualInformation,
    NormalizedVariationOfInformation,
    Rand,
    measures,
)
from sfumato.measures.normalized_mutual_information import AVERAGES

ONE_CLUSTER_AGAINST_TWO = [[3, 2]]
SINGLETONS_TWICE = np.eye(4, dtype=int).tolist()
SINGLETONS_AGAINST_TWO = [[1, 0], [1, 0], [0, 1], [0, 1]]
TABLES = [
    [[1]],  # one object
    [[1, 1]],  # two objects, joined and split
    [[2]],  # joined twice
    [[1, 0], [0, 1]],  # split twice
    [[5, 0], [0, 0]],  # one cluster twice
    ONE_CLUSTER_AGAINST_TWO,
    SINGLETONS_TWICE,
    [[1], [1], [1], [1]],  # singletons against one cluster
    SINGLETONS_AGAINST_TWO,
]
LOG2 = float(np.log(2))
H = float(-(0.6 * np.log(0.6) + 0.4 * np.log(0.4)))  # entropy of sizes 3 and 2
EXPECTED = {
    "rand": [1, 0, 1, 1, 1, 4 / 10, 1, 0, 4 / 6],
    "adjusted_rand": [1, 0, 1, 1, 1, 0, 1, 0, 0],
    "jaccard": [1, 0, 1, 1, 1, 4 / 10, 1, 0, 0],
    "dice": [1, 0, 1, 1, 1, 8 / 14, 1, 0, 0],
    "fowlkes_mallows": [0, 0, 1, 0, 1, np.sqrt(0.4), 0, 0, 0],
    "partition_distance": [0, 1, 0, 0, 0, 2 / 4, 0, 1, 2 / 3],
    "mutual_information": [0, 0, 0, LOG2, 0, 0, 2 * LOG2, 0, LOG2],
    "normalized_mutual_information": [1, 0, 1, 1, 1, 0, 1, 0, 2 / 3],
    "adjusted_mutual_information": [1, 0, 1, 1, 1, 0, 1, 0, 0],
    "homogeneity": [1, 0, 1, 1, 1, 0, 1, 1, 1],
    "completeness": [1, 1, 1, 1, 1, 1, 1, 0, 1 / 2],
    "v_measure": [1, 0, 1, 1, 1, 0, 1, 0, 2 / 3],
    "variation_of_information": [0, LOG2, 0, 0, 0, H, 0, 2 * LOG2, LOG2],
    "normalized_variation_of_information": [0, 1, 0, 0, 0, H / np.log(5), 0, 1, 1 / 2],
    "purity": [1, 1 / 2, 1, 1, 1, 3 / 5, 1, 1, 1],
}


def test_every_registered_measure_has_its_row():
    assert set(EXPECTED) == set(measures())


@pytest.mark.parametrize("name", EXPECTED)
def test_degenerate_tables_have_the_stated_values(name):
    values = [float(measures()[name].of_tables(np.array(table))) for table in TABLES]
    assert values == pytest.approx(EXPECTED[name], rel=0, abs=1e-15)  # an ulp where logs divide


@pytest.mark.parametrize("average", AVERAGES)
def test_adjusted_mutual_information_is_one_or_zero_where_chance_leaves_no_choice(average):
    measure = AdjustedMutualInformation(average)
    assert float(measure.of_tables(np.array(SINGLETONS_TWICE))) == 1.0
    assert float(measure.of_tables(np.array(SINGLETONS_AGAINST_TWO))) == 0.0
    assert float(measure.of_tables(np.array(SINGLETONS_AGAINST_TWO).T)) == 0.0
    assert float(measure.of_tables(np.array(ONE_CLUSTER_AGAINST_TWO))) == 0.0


def test_joint_entropy_of_zero_gives_distance_zero():
    measure = NormalizedVariationOfInformation(by="joint_entropy")
    values = [float(measure.of_tables(np.array(table))) for table in TABLES]
    assert values == pytest.approx([0, 1, 0, 0, 0, 1, 0, 1, 1 / 2], rel=0, abs=1e-15)


def test_rand_over_all_pairs_counts_every_object_with_itself():
    values = [float(Rand(pairs="all").of_tables(np.array(table))) for table in TABLES[:3]]
    assert values == [1.0, 2 / 4, 1.0]


def test_independent_clusterings_share_exactly_no_information():
    table = np.outer([3, 7, 11], [2, 5]) * 13
    for name in ("mutual_information", "normalized_mutual_information", "homogeneity"):
        assert float(measures()[name].of_tables(table)) == 0.0
