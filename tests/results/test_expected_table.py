"""Expected counts against the literal definition."""

from itertools import pairwise, product

import numpy as np
import pytest

import sfumato as sf

TRUTH = ["x", "y", "y", "x"]
COLUMNS = np.array([0, 1, 1, 0])


def count(clustering, i, j):
    return sum(c == i and t == j for c, t in zip(clustering, COLUMNS, strict=True))


def test_fuzzy_counts_have_the_mean_and_the_spread_of_all_clusterings():
    memberships = np.array([[0.5, 0.5], [0.25, 0.75], [1, 0], [0.1, 0.9]])
    found = sf.compare(memberships, TRUTH).expected_table()
    weights = {
        clustering: np.prod([memberships[x, c] for x, c in enumerate(clustering)])
        for clustering in product(range(2), repeat=4)
    }
    for i, j in product(range(2), repeat=2):
        counts = {clustering: count(clustering, i, j) for clustering in weights}
        mean = sum(weights[c] * counts[c] for c in weights)
        variance = sum(weights[c] * (counts[c] - mean) ** 2 for c in weights)
        possible = [counts[c] for c in weights if weights[c] > 0]
        assert found.lower[i, j] == found.upper[i, j] == pytest.approx(mean)
        assert found.stds[i, j] == pytest.approx(variance**0.5)
        assert (found.least[i, j], found.most[i, j]) == (min(possible), max(possible))
    assert found.expected == pytest.approx(found.lower)


def test_evidential_counts_have_lower_and_upper_expectations_over_all_sets():
    sets = [(0,), (1,), (0, 1)]
    masses = np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0.125, 0.5, 0.375], [1, 0, 0]])
    partition = sf.EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]])
    found = sf.compare(partition, TRUTH).expected_table()
    lower, upper = np.zeros((2, 2, 2))
    for chosen in product(range(3), repeat=4):
        weight = np.prod([masses[x, s] for x, s in enumerate(chosen)])
        within = list(product(*(sets[s] for s in chosen)))
        for i, j in product(range(2), repeat=2):
            counts = [count(clustering, i, j) for clustering in within]
            lower[i, j] += weight * min(counts)
            upper[i, j] += weight * max(counts)
    assert found.lower == pytest.approx(lower)
    assert found.upper == pytest.approx(upper)


@pytest.mark.parametrize("t_norm", ["min", "product", "lukasiewicz"])
def test_counts_by_a_t_norm_are_choquet_expectations_of_the_joint_possibility(t_norm):
    degrees = np.array([[1, 0.25], [0.5, 1], [0.75, 1], [1, 0.5]])
    partition = sf.PossibilisticPartition(degrees, t_norm=t_norm)
    found = sf.compare(partition, TRUTH).expected_table()

    def joint(given):
        match t_norm:
            case "min":
                return min(given)
            case "product":
                return float(np.prod(given))
            case _:
                return max(0.0, sum(given) - len(given) + 1)

    possible = {
        clustering: joint([degrees[x, c] for x, c in enumerate(clustering)])
        for clustering in product(range(2), repeat=4)
    }
    levels = sorted({0.0, *possible.values()})
    for i, j in product(range(2), repeat=2):
        lower = upper = 0.0
        for low, high in pairwise(levels):
            counts = [count(c, i, j) for c, degree in possible.items() if degree >= high]
            lower += (high - low) * min(counts)
            upper += (high - low) * max(counts)
        assert found.lower[i, j] == pytest.approx(lower)
        assert found.upper[i, j] == pytest.approx(upper)


def test_counts_of_a_rough_partition_are_sets_and_hard_ones_are_counts():
    rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1], [1, 1]], names=["a", "b"])
    found = sf.compare(rough, TRUTH).expected_table()
    assert found.lower.tolist() == found.least.tolist() == [[1, 0], [0, 1]]
    assert found.upper.tolist() == found.most.tolist() == [[2, 1], [1, 2]]
    assert found.row_names == ("a", "b")
    hard = sf.compare([0, 0, 1, 1], TRUTH).expected_table()
    assert hard.lower.tolist() == hard.upper.tolist() == [[1, 1], [1, 1]]
    assert not hard.stds.any()
    assert (hard.certainty == 1).all()


def test_a_table_is_printed_framed_and_turned():
    found = sf.pairwise({"a": [0, 0, 1, 1], "b": [[0.5, 0.5]] * 4})
    forward = found["a", "b"].expected_table()
    assert found["b", "a"].expected_table().lower.tolist() == forward.lower.T.tolist()
    assert forward.to_frame()["lower"].tolist() == [1.0] * 4
    assert repr(forward).splitlines()[0].split() == ["0", "1"]
    assert "<td>1.0</td>" in forward._repr_html_()


def test_too_many_cells_are_refused():
    many = np.arange(4000)
    with pytest.raises(sf.InputError, match="4,000 by 4,000 clusters"):
        sf.compare(many, many).expected_table()
