"""Laws of the columns of a table, how they are merged, and what is left out."""

from collections import Counter

import numpy as np
import pytest

from literal import law_of_tables
from sfumato.algorithms.laws.column_laws import column_law, column_work, drop_threshold
from sfumato.algorithms.laws.ratio_laws import joint_pairs, weighted_pairs
from sfumato.algorithms.laws.split_table import bound_split, split_table
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.algorithms.tables.pair_counts import pair_counts
from strategies import random_memberships


# A law on few rows fills a box; one on many rows is kept as a list.
@pytest.mark.parametrize(("count", "n_rows"), [(100, (2, 3, 4)), (20, (7, 8))])
def test_column_laws_equal_enumeration(count, n_rows):
    rng = np.random.default_rng(0)
    for _ in range(count):
        n, k = int(rng.integers(1, 6 if max(n_rows) < 5 else 5)), int(rng.choice(n_rows))
        rows = random_memberships(rng, n, k)
        rows[1:2] = np.eye(k)[0]  # a sure object only moves the origin
        law = column_law(rows, max_lost_mass=0.0)
        found = dict(zip(map(tuple, law.values.tolist()), law.masses.tolist(), strict=True))
        tables, masses = law_of_tables(rows, np.ones((n, 1)))
        expected = dict(zip(map(tuple, tables[:, :, 0].tolist()), masses.tolist(), strict=True))
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=1e-14)
        assert law.lost_mass == 0


def test_a_column_law_comes_most_probable_first_and_loses_no_more_than_allowed():
    rng = np.random.default_rng(1)
    for allowed in (0.0, 1e-12, 1e-6, 1e-2):
        for k in (1, 2, 3, 12):
            rows = random_memberships(rng, 8, k)
            found = column_law(rows, max_lost_mass=allowed)
            assert (np.diff(found.masses) <= 0).all()
            assert (found.values.sum(axis=1) == 8).all()
            assert 0 <= found.lost_mass <= allowed
            assert found.masses.sum() + found.lost_mass == pytest.approx(1, abs=1e-12)
            assert column_work(rows, np.zeros(8, dtype=np.int64), 1, max_lost_mass=allowed) >= 0


def test_products_below_the_threshold_hold_no_more_than_allowed():
    rng = np.random.default_rng(2)
    for _ in range(300):
        left, right = (rng.dirichlet(np.full(30, 0.2)) for _ in range(2))
        left, right = left[left > 0], right[right > 0]
        allowed = 10.0 ** rng.uniform(-12, -1)
        products = np.outer(left, right)
        assert products[products < drop_threshold(left, right, allowed)].sum() <= allowed


@pytest.mark.parametrize("allowed", [0.0, 1e-12, 1e-3])
def test_joint_and_weighted_pairs_equal_enumeration(allowed):
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, k1, k2 = int(rng.integers(2, 6)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        rows, codes = random_memberships(rng, n, k1), rng.integers(0, k2, n)
        split = split_table(rows, codes, k2, pair_counts, max_lost_mass=allowed)
        shared_rows, shared_cells, masses, lost = joint_pairs(split)
        law = Counter()
        for table, mass in zip(*law_of_tables(rows, np.eye(k2)[codes]), strict=True):
            law[int(pair_counts(table.sum(axis=1))), int(pair_counts(table.ravel()))] += mass
        keys = zip(shared_rows.tolist(), shared_cells.tolist(), strict=True)
        found = dict(zip(keys, masses.tolist(), strict=True))
        assert found.keys() <= law.keys()
        missing = sum(mass - found.get(key, 0.0) for key, mass in law.items())
        assert max(abs(mass - found.get(key, 0.0)) for key, mass in law.items()) <= allowed + 1e-14
        assert missing <= lost + 1e-14
        assert lost <= allowed
        weighted, masses, _ = weighted_pairs(split, row_weight=1, cell_weight=-2)
        sums = Counter()
        for (row, cell), mass in found.items():
            sums[row - 2 * cell] += mass
        assert dict(zip(weighted.tolist(), masses, strict=True)) == pytest.approx(
            sums, abs=2 * allowed + 1e-14
        )


def test_the_bound_holds_what_is_visited():
    rng = np.random.default_rng(4)
    for n, k1, k2 in ((30, 2, 4), (40, 3, 3), (20, 4, 2), (12, 5, 3)):
        rows, codes = random_memberships(rng, n, k1), rng.integers(0, k2, n)
        cost = bound_split(rows, codes, k2, pair_counts, max_lost_mass=1e-12)
        split = split_table(rows, codes, k2, pair_counts, max_lost_mass=1e-12)
        visited = np.multiply.outer(split.masses, split.last_masses) >= split.drop
        assert len(split.masses) <= cost.states
        assert visited.sum() <= 1.1 * cost.pairs


def test_a_table_with_given_margins_has_them():
    rng = np.random.default_rng(5)
    for _ in range(100):
        table = rng.integers(0, 4, (int(rng.integers(1, 5)), int(rng.integers(1, 5))))
        found = table_with_margins(table.sum(axis=1), table.sum(axis=0))
        assert (found >= 0).all()
        assert (found.sum(axis=1) == table.sum(axis=1)).all()
        assert (found.sum(axis=0) == table.sum(axis=0)).all()
