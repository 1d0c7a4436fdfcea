"""Pairs of sets with everything that can be drawn from them, and policies, by plain loops.

A policy sends every pair of sets to one of its cells.
"""

from itertools import islice, product
from math import prod

import numpy as np

from by_method import question
from strategies import build, random_pairs


def open_pairs(seed, second, how_many):
    """Pairs of sets of small evidential sides, some of which leave a choice."""
    sides = random_pairs(seed, "evidential", second, n_clusters=(2, 3), most_pairs=120)
    found = (question(build(a), build(b)).joint.set_pairs for a, b in sides)
    return islice(
        (pairs for pairs in found if (np.diff(pairs.cell_starts)[pairs.pairs] > 1).any()), how_many
    )


def all_draws(pairs):
    """Probability of each draw, its pairs of sets, and its tables as cells of the objects."""
    entries = [
        range(start, stop)
        for start, stop, count in zip(pairs.starts, pairs.starts[1:], pairs.counts, strict=False)
        for _ in range(count)
    ]
    for drawn in map(list, product(*entries)):
        own = pairs.pairs[drawn]
        reach = (pairs.cells[pairs.cell_starts[at] : pairs.cell_starts[at + 1]] for at in own)
        yield prod(pairs.masses[drawn]), own, list(product(*reach))


def any_policy(pairs, rng):
    """A cell for each pair of sets, at random: what is tested needs no good policy."""
    bounds = zip(pairs.cell_starts, pairs.cell_starts[1:], strict=False)
    return np.array([rng.choice(pairs.cells[start:stop]) for start, stop in bounds])
