"""The share of each object in the uncertainty, against its definition."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from sfumato.measures import measures


def literal_shares_of_variance(memberships, truth, measure):
    """Var(E[d | x]) / Var(d), by listing all clusterings."""
    n, k = memberships.shape
    columns = np.unique(truth, return_inverse=True)[1]
    clusterings = np.array(list(product(range(k), repeat=n)))
    weights = memberships[np.arange(n), clusterings].prod(axis=1)
    tables = np.zeros((len(clusterings), k, columns.max() + 1), dtype=np.int64)
    for x in range(n):
        tables[np.arange(len(clusterings)), clusterings[:, x], columns[x]] += 1
    values = measures()[measure].of_tables(tables)
    mean = values @ weights
    variance = (values - mean) ** 2 @ weights
    shares = []
    for x in range(n):
        given = [
            (weights[here].sum(), values[here] @ weights[here] / weights[here].sum())
            for i in range(k)
            if weights[here := clusterings[:, x] == i].sum() > 0
        ]
        shares.append(sum(w * (m - mean) ** 2 for w, m in given) / variance)
    return np.array(shares)


@pytest.mark.parametrize("measure", ["rand", "variation_of_information", "partition_distance"])
def test_fuzzy_shares_are_first_order_shares_of_the_variance(measure):
    rng = np.random.default_rng(0)
    memberships = rng.dirichlet(np.ones(2), 6)
    memberships[2] = [1, 0]
    truth = [0, 0, 1, 1, 0, 1]
    found = sf.compare(memberships, truth, measure=measure).contributions()
    expected = literal_shares_of_variance(memberships, truth, measure)
    assert found == pytest.approx(expected, abs=1e-9)
    assert found[2] == 0.0
    assert found.sum() <= 1.0 + 1e-9


def test_rough_shares_are_what_knowing_the_object_takes_off_the_width():
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]], dtype=bool)
    truth = [0, 0, 1, 1, 1]
    whole = sf.compare(sf.RoughPartition(mask), truth)
    found = whole.contributions()
    for x in (1, 3):
        widths = []
        for i in (0, 1):
            known = mask.copy()
            known[x] = np.arange(2) == i
            widths.append(sf.compare(sf.RoughPartition(known), truth).width)
        assert found[x] == pytest.approx(1 - max(widths) / whole.width)
    assert found[[0, 2, 4]].tolist() == [0, 0, 0]


def test_hard_partitions_leave_nothing_open_and_others_are_refused():
    assert sf.compare([0, 1], [0, 0]).contributions().tolist() == [0, 0]
    evidential = sf.EvidentialPartition([[0.5, 0.5], [1, 0]], [[1, 0], [1, 1]])
    with pytest.raises(sf.UnsupportedError, match="pignistic"):
        sf.compare(evidential, [0, 1]).contributions()
