"""Lists of lists stored flat, against lists of lists."""

from itertools import pairwise, product

import numpy as np

from sfumato.algorithms.tables.ragged import cross, gather


def random_lists(rng, n_lists):
    sizes = rng.integers(0, 4, size=n_lists)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return starts, [list(range(a, b)) for a, b in pairwise(starts)]


def as_lists(offsets, entries):
    return [entries[a:b].tolist() for a, b in pairwise(offsets)]


def test_gathered_entries_are_those_of_the_chosen_lists_in_order():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        starts, lists = random_lists(rng, 6)
        chosen = rng.integers(6, size=int(rng.integers(0, 9)))
        assert as_lists(*gather(starts, chosen)) == [lists[i] for i in chosen]


def test_crossed_entries_are_all_pairs_of_two_lists():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        (a_starts, a), (b_starts, b) = random_lists(rng, 5), random_lists(rng, 4)
        a_chosen, b_chosen = rng.integers(5, size=7), rng.integers(4, size=7)
        offsets, a_entries, b_entries = cross(a_starts, a_chosen, b_starts, b_chosen)
        found = list(zip(as_lists(offsets, a_entries), as_lists(offsets, b_entries), strict=True))
        expected = [list(product(a[i], b[j])) for i, j in zip(a_chosen, b_chosen, strict=True)]
        assert [list(zip(*pair, strict=True)) for pair in found] == expected
