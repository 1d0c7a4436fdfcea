"""What goes wrong in other packages must not go wrong here; one test for each trap."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.metrics import adjusted_rand_score, rand_score

import sfumato as sf

MEASURES = sf.measures()
LABELS = [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("name", sorted(set(MEASURES) - {"mutual_information"}))
@pytest.mark.parametrize(
    "labels",
    [LABELS, [1, 3, 5, 5, 3, 1], [-1, -1, 0, 0, 1, 1], list("abbcca"), [7] * 6],
    ids=["plain", "gaps", "minus one", "text", "one cluster"],
)
def test_identical_hard_partitions_agree_completely(name, labels):
    found = sf.compare(labels, labels, measure=name).mean
    assert found == (1 if MEASURES[name].better == "higher" else 0)


@pytest.mark.parametrize("labels", [[1, 3, 5, 5, 3, 1], [-1, 0, 0, 1, 1, -1], list("xyzzyx")])
def test_names_of_labels_do_not_matter(labels):
    codes = np.unique(labels, return_inverse=True)[1]
    for name in MEASURES:
        first, second = (sf.compare(side, LABELS, measure=name).mean for side in (labels, codes))
        assert first == second


def test_numbers_of_clusters_may_differ():
    other = [0, 1, 2, 3, 4, 4]
    found = sf.compare(other, LABELS, measure="ari").mean
    assert found == pytest.approx(adjusted_rand_score(LABELS, other))
    # A matching keeps one object in each of three pairs of clusters: (6 - 3) / 5.
    for first, second in ((other, LABELS), (LABELS, other)):
        assert sf.compare(first, second, measure="pd").mean == pytest.approx(3 / 5)


def test_pair_counts_beyond_integers_of_64_bits():
    half = 5_000_000
    labels = np.repeat([0, 1], half)
    other = np.repeat([0, 1, 1, 1], half // 2)
    assert sf.compare(labels, labels).mean == 1.0
    n, pairs = 2 * half, 2 * half * (2 * half - 1) // 2
    table = [[half // 2, half // 2], [0, half]]
    together = sum(cell * (cell - 1) // 2 for row in table for cell in row)
    rows, columns = 2 * (half * (half - 1) // 2), half // 2 * (half // 2 - 1) // 2
    columns += (n - half // 2) * (n - half // 2 - 1) // 2
    exact = (pairs + 2 * together - rows - columns) / pairs
    assert sf.compare(labels, other).mean == pytest.approx(exact, rel=1e-15)


def test_a_fuzzy_partition_is_not_at_distance_0_from_itself():
    fuzzy = sf.FuzzyPartition([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
    assert sf.compare(fuzzy, fuzzy, measure="pd").mean > 0
    assert sf.compare(fuzzy, fuzzy, measure="rand").mean < 1


def test_uniform_memberships_are_independent_of_everything():
    uniform = np.full((6, 3), 1 / 3)
    found = sf.compare(uniform, LABELS)
    # Each pair is together with probability 1/3, whatever the truth says.
    together = sum(a == b for i, a in enumerate(LABELS) for b in LABELS[:i]) / 15
    assert found.mean == pytest.approx(together / 3 + (1 - together) * 2 / 3)


def test_one_cluster_of_memberships_has_a_value():
    assert sf.compare(np.ones((6, 1)), LABELS).mean == pytest.approx(rand_score([0] * 6, LABELS))


def test_nan_rows_are_named_and_can_be_read():
    memberships = np.array([[0.5, 0.5], [np.nan, np.nan], [0.0, 1.0]])
    with pytest.raises(sf.InputError, match="row 1, column 0 is nan"):
        sf.compare(memberships, [0, 1, 1])
    found = sf.compare(memberships, [0, 1, 1], missing="unknown")
    assert found.lower < found.upper


def test_mass_of_object_0_on_the_empty_set_is_not_cluster_0():
    masses, sets = [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]], [[0, 0], [1, 0], [0, 1]]
    found = sf.EvidentialPartition(masses, sets)
    assert found.plausibility().tolist() == [[1, 0], [0, 1]]
    assert found.empty_mass.tolist() == [0.5, 0]
    with pytest.raises(sf.InputError, match="row 0 has all its mass on the empty set"):
        sf.EvidentialPartition([[1.0, 0.0, 0.0]], sets)


def test_possibilities_below_1_are_divided_by_their_maximum_with_a_note():
    found = sf.PossibilisticPartition([[0.5, 0.25], [1.0, 0.0]])
    assert found.memberships.tolist() == [[1, 0.5], [1, 0]]
    assert "divided by their maximum" in found.notes[0]
    with pytest.raises(sf.InputError, match="row 0 is all zero"):
        sf.PossibilisticPartition([[0.0, 0.0]])


@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_matrix])
def test_transposed_memberships_are_never_turned_silently(make):
    turned = make([[0.9, 0.2, 0.3, 0.5], [0.1, 0.8, 0.7, 0.5]])
    with pytest.raises(sf.InputError, match=r"the transpose \(\.T\)"):
        sf.compare(turned, [0, 1])
    square = make([[0.9, 0.3], [0.1, 0.7]])
    with pytest.raises(sf.InputError, match=r"the transpose \(\.T\)"):
        sf.compare(square, [0, 1])


def test_soft_input_is_not_hardened_silently():
    memberships = np.array([[0.6, 0.4]] * 3 + [[0.4, 0.6]] * 3)
    truth = [0, 0, 0, 1, 1, 1]
    assert sf.compare(memberships.argmax(axis=1), truth, measure="ari").mean == 1.0
    assert sf.compare(memberships, truth, measure="ari").mean < 0.2
