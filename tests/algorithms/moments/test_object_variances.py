"""Effects of single objects on a random value, against the list of all tables."""

import numpy as np
import pytest

from literal import law_of_tables, three_sums
from sfumato.algorithms.moments.object_variances import moved_variances, pair_variances
from sfumato.measures import measures


def literal_variances(a, b, value):
    """Var(E[d | cell of x]) for each x, from all tables if x is surely in each of its cells."""

    def mean(*sides):
        tables, masses = law_of_tables(*sides)
        return masses @ value(tables)

    found = np.zeros(len(a))
    for x, i, j in np.ndindex(len(a), a.shape[1], b.shape[1]):
        sure = a.copy(), b.copy()
        sure[0][x], sure[1][x] = np.eye(a.shape[1])[i], np.eye(b.shape[1])[j]
        found[x] += a[x, i] * b[x, j] * (mean(*sure) - mean(a, b)) ** 2
    return found


def drawn_variances(a, b, types, value, n_draws):
    rng = np.random.default_rng(0)
    return moved_variances(
        a, b, types, value, n_draws=n_draws, rng=rng, progress=lambda share: None
    )


def sides(n, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.dirichlet([1, 1], n), rng.dirichlet([1, 1], n)
    a[0], b[0] = [1, 0], [0, 1]
    b[1] = [1, 0]
    return a, b


@pytest.mark.parametrize("slopes", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.5, 0.25, -1.0)])
def test_the_formula_for_squares_is_the_definition(slopes):
    a, b = sides(5, seed=0)

    expected = literal_variances(a, b, lambda tables: slopes @ three_sums(tables, "square"))
    assert pair_variances(a, b, slopes) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("measure", ["jaccard", "purity", "variation_of_information"])
def test_moves_in_draws_come_close_to_the_definition(measure):
    a, b = sides(5, seed=1)
    value = measures()[measure].of_tables
    expected = literal_variances(a, b, value)
    found = drawn_variances(a, b, np.arange(5) - 1, value, 40_000)
    assert np.abs(found - expected[1:]).max() < 0.02 * expected.max()


def test_objects_without_influence_have_no_share_but_for_chance():
    a = np.full((6, 2), 0.5)
    value = measures()["rand"].of_tables
    found = drawn_variances(a, a, np.zeros(6, dtype=np.int64), value, 2000)
    assert found == pytest.approx([0.0], abs=1e-20)
