"""How many objects each cluster can hold, for every kind of partition."""

import numpy as np
import pytest

import sfumato as sf

PARTITIONS = [
    sf.HardPartition([0, 0, 1, 2]),
    sf.RoughPartition.from_sets([{0}, {0, 1}, {1, 2}, {2}]),
    sf.FuzzyPartition([[1, 0, 0], [0.5, 0.5, 0], [0, 1e-300, 1], [0, 0, 1]]),
    sf.PossibilisticPartition([[1, 0, 0], [1, 0.1, 0], [0, 0.2, 1], [0, 0, 1]]),
    sf.EvidentialPartition(
        [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0.5, 0, 0.5], [0, 1, 0, 0]],
        [[1, 0, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]],
    ),
]


@pytest.mark.parametrize("partition", PARTITIONS, ids=lambda partition: partition.kind)
def test_sizes_are_limited_by_objects_that_must_and_that_may_belong(partition):
    limits = partition.statements().size_limits()
    mask = partition.support().mask
    sure = mask & (mask.sum(axis=1, keepdims=True) == 1)
    assert limits.least.tolist() == sure.sum(axis=0).tolist()
    assert limits.most.tolist() == mask.sum(axis=0).tolist()


def test_a_possibility_that_rounding_swallows_is_not_ruled_out():
    tiny = sf.FuzzyPartition(np.array([[1.0, 1e-300], [0.0, 1.0]]))
    limits = tiny.statements().size_limits()
    assert (limits.least.tolist(), limits.most.tolist()) == ([0.0, 1.0], [1.0, 2.0])
