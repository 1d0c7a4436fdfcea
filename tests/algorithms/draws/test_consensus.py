"""Losses and point estimates of draws against their definitions."""

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import oracle
import sfumato as sf
from sfumato.algorithms.draws import consensus as module
from sfumato.algorithms.draws.consensus import consensus, draw_losses
from sfumato.algorithms.draws.draw_list import distinct_draws, pair_tables, relabelled

LITERAL = {
    "vi": oracle.variation_of_information,
    "binder": lambda a, b: 1 - oracle.rand(a, b),
    "adjusted_rand": lambda a, b: 1 - oracle.adjusted_rand(a, b),
}
every_loss = pytest.mark.parametrize("loss", LITERAL)


def chain(seed, s, n, k, noise):
    rng = np.random.default_rng(seed)
    draws = np.repeat(rng.integers(0, k, n)[None], s, axis=0)
    moved = rng.random((s, n)) < noise
    draws[moved] = rng.integers(0, k + 1, moved.sum())
    return draws


def listed(labels, weights=None):
    codes, sizes = relabelled(labels, int(labels.max()) + 1)
    weights = np.full(len(labels), 1 / len(labels)) if weights is None else weights
    return distinct_draws(codes, weights, sizes)


@every_loss
@pytest.mark.parametrize("n", [1, 2, 7])
def test_losses_are_those_of_the_definition(loss, n):
    rng = np.random.default_rng(n)
    draws, center = rng.integers(0, 3, (20, n)), rng.integers(0, 3, n)
    codes, _ = relabelled(draws, 3)
    expected = [LITERAL[loss](tuple(center), tuple(row)) for row in draws]
    assert draw_losses(codes, center, loss) == pytest.approx(expected, abs=1e-12)


def test_losses_are_those_of_sklearn():
    draws = chain(0, 10, 200, 4, 0.3)
    codes, _ = relabelled(draws, 5)
    expected = [1 - adjusted_rand_score(draws[0], row) for row in draws]
    assert draw_losses(codes, draws[0], "adjusted_rand") == pytest.approx(expected, abs=1e-12)


def clusterings(n):
    """Every clustering of n objects, once."""
    for labels in product(range(n), repeat=n):
        if all(label <= max((-1, *labels[:at])) + 1 for at, label in enumerate(labels)):
            yield labels


@every_loss
def test_the_search_finds_the_best_of_all_clusterings_of_a_few_objects(loss):
    for seed in range(10):
        draws = chain(seed, 12, 6, 3, 0.4)
        found = consensus(listed(draws), loss, 8, np.random.default_rng(0))
        means = [
            np.mean([LITERAL[loss](candidate, tuple(row)) for row in draws])
            for candidate in clusterings(6)
        ]
        own = np.mean([LITERAL[loss](tuple(found.codes), tuple(row)) for row in draws])
        assert found.loss == pytest.approx(own, abs=1e-12)
        assert found.loss == pytest.approx(min(means), abs=1e-12)


@every_loss
def test_no_draw_is_better_than_the_estimate(loss):
    rng = np.random.default_rng(1)
    draws = rng.integers(0, 5, (40, 30))  # nothing in common: draws are good estimates
    weights = rng.dirichlet(np.full(40, 0.1))
    found = consensus(listed(draws, weights), loss, 1, np.random.default_rng(0))
    codes, _ = relabelled(draws, 5)
    means = [weights @ draw_losses(codes, row, loss) for row in draws]
    assert found.loss <= min(means) + 1e-12
    assert found.n_checked == len(listed(draws, weights).weights)


def test_the_estimate_of_a_clear_chain_is_what_it_moves_around():
    draws = chain(3, 50, 120, 4, 0.15)
    truth = chain(3, 50, 120, 4, 0.0)[0]
    for loss in LITERAL:
        found = consensus(listed(draws), loss, 4, np.random.default_rng(0))
        assert adjusted_rand_score(truth, found.codes) == 1.0


def test_equal_draws_count_once_with_the_sum_of_their_weights():
    labels = np.array([[0, 0, 1], [1, 1, 0], [0, 1, 2], [2, 2, 2]])
    found = listed(labels, np.array([0.25, 0.25, 0.5, 0.0]))
    assert found.codes.tolist() == [[0, 0, 1], [0, 1, 2]]
    assert found.weights.tolist() == [0.5, 0.5]
    assert (found.sizes.tolist(), found.n_clusters) == ([2, 3], 3)


def test_tables_of_pairs_count_objects():
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 3, (4, 9)).astype(np.int32) for _ in range(2))
    first, second = rng.integers(0, 4, (2, 6))
    tables = pair_tables(a, b, first, second, (3, 3))
    for table, i, j in zip(tables, first, second, strict=True):
        expected = np.zeros((3, 3), int)
        np.add.at(expected, (a[i], b[j]), 1)
        assert table.tolist() == expected.tolist()


def test_a_seed_gives_the_same_estimate():
    draws = listed(chain(4, 30, 50, 5, 0.5))
    first, second = (consensus(draws, "vi", 4, np.random.default_rng(7)) for _ in range(2))
    assert first.loss == second.loss
    assert first.codes.tolist() == second.codes.tolist()


def test_memory_is_stated_before_it_is_used(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1e3)
    with pytest.raises(sf.CostError, match=r"50 draws of 60 objects needs about .* GB"):
        consensus(listed(chain(5, 50, 60, 3, 0.3)), "vi", 4, np.random.default_rng(0))


def test_too_many_draws_are_compared_with_the_nearest_only(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 50 * 60 * 10)
    drawn = sf.DrawnPartition(chain(5, 50, 60, 3, 0.3))
    found = consensus(drawn.distinct, "vi", 4, np.random.default_rng(0))
    assert found.n_checked == 10
    assert "than that of the 10 draws nearest to it" in drawn.point_estimate(rng=0).notes[0]
