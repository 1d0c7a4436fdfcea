"""Both ends at every level: which levels are solved, and what that tells of the others."""

from dataclasses import replace

import numpy as np

from objectives import objective_of
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_ends import Searches, level_ends
from sfumato.algorithms.tables.level_types import level_types


def test_levels_between_equal_ends_are_not_solved():
    # 200 levels, but against a single class there is no information at any of them.
    levels = np.linspace(1.0, 0.005, 200)
    objective = objective_of("mutual_information", 200, (2, 1))
    valued = []

    def watched(tables):
        valued.append(len(tables))
        return objective.of_tables(tables)

    types = level_types(
        np.column_stack([np.ones(200), levels]), np.ones((200, 1)), np.ones(200, int), levels
    )
    found = level_ends(
        replace(objective, of_tables=watched),
        types,
        np.full(200, 0.005),
        Budget(1000, threads=1),
        Searches(most_levels=200, first_nodes=10, more_nodes=20_000),
    )
    assert len(found.lows) == 200
    assert not found.lows.any()
    assert not found.highs.any()
    assert sum(valued) == 2 * 2  # both ends at two levels
