"""What holds for partitions of every kind."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from sfumato.errors import InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    PossibilisticPartition,
    RoughPartition,
)
from strategies import build, possibilistic_sides

KINDS = ["hard", "rough", "fuzzy", "possibilistic", "evidential"]


def law(*strategies):
    """Like given, without a time limit for each example: the machine may be busy."""
    return lambda test: settings(deadline=None)(given(*strategies)(test))


def partitions(kind=None):
    """Small ones of one kind, or of any, in every reading."""
    sizes = {"n_objects": st.integers(1, 4), "n_clusters": st.integers(1, 3)}
    if kind is not None:
        return getattr(strategies, f"{kind}_partitions")(**sizes)
    joint = (possibilistic_sides(**sizes, t_norm=norm) for norm in ("product", "lukasiewicz"))
    return st.one_of(strategies.partitions(**sizes), *(side.map(build) for side in joint))


def arrays_of(partition):
    values = list(partition.__getstate__().values())
    statements = partition.statements()
    values += [getattr(statements, slot) for slot in type(statements).__slots__]
    values += [part for value in values if isinstance(value, tuple) for part in value]
    return [value for value in values if isinstance(value, np.ndarray)]


@law(partitions())
def test_arrays_are_read_only_also_after_copying(partition):
    partition.statements()  # fills what is computed once
    for version in (partition, copy.deepcopy(partition), pickle.loads(pickle.dumps(partition))):
        assert version == partition
        assert arrays_of(version)
        assert not any(array.flags.writeable for array in arrays_of(version))
        with pytest.raises(AttributeError, match="never changes"):
            version.names = ()
        with pytest.raises(AttributeError, match="never changes"):
            del version.names


@pytest.mark.parametrize("kind", KINDS)
def test_partitions_cannot_be_hashed(kind):
    with pytest.raises(TypeError, match="unhashable"):
        hash(one_of_each()[kind])


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("rng", ["x", 1.5, True, -1])
def test_samples_need_a_random_source(kind, rng):
    with pytest.raises(InputError, match="rng must be a Generator"):
        one_of_each()[kind].sample(rng)


@pytest.mark.parametrize(
    ("row", "build", "shares"),
    [
        ([1, 1, 1], RoughPartition, {(0,): 1 / 3, (1,): 1 / 3, (2,): 1 / 3}),
        ([0, 0.2, 0, 0.8, 0], FuzzyPartition, {(1,): 0.2, (3,): 0.8}),
        (
            [1, 0.5, 0.25],
            PossibilisticPartition,
            {(0,): 0.5, (0, 1): 0.25, (0, 1, 2): 0.25},
        ),
        (
            [1, 0.25],
            lambda rows: PossibilisticPartition(rows).to_evidential(),
            {(0,): 0.75, (0, 1): 0.25},
        ),
        (
            [0.25, 0.75],
            lambda rows: EvidentialPartition(rows, [[1, 0], [1, 1]]),
            {(0,): 0.25, (0, 1): 0.75},
        ),
    ],
    ids=["rough", "fuzzy", "possibilistic", "listed", "evidential"],
)
def test_samples_follow_what_is_said(row, build, shares):
    partition = build(np.tile(row, (20_000, 1)))
    drawn = partition.sample(0).support()
    columns = np.array(drawn.names)
    sets = [tuple(columns[members].tolist()) for members in drawn.sets.to_mask(drawn.n_clusters)]
    found = dict(zip(sets, np.bincount(drawn.codes) / 20_000, strict=True))
    # Five standard deviations, at most, of a mean of 20,000 indicators.
    assert found == pytest.approx(shares, abs=5 * 0.5 / np.sqrt(20_000))
    assert partition.sample(3) == partition.sample(np.random.default_rng(3))


@pytest.mark.parametrize(
    "ask",
    [
        HardPartition([0, 1]).equivalent,
        RoughPartition([[1, 1], [1, 0]]).is_compatible,
        FuzzyPartition([[0.5, 0.5], [1, 0]]).probability,
        PossibilisticPartition([[1, 0.5], [1, 0]], t_norm="min").possibility,
        EvidentialPartition([[0.5, 0.5], [1, 0]], [[1, 0], [1, 1]]).mass,
    ],
    ids=KINDS,
)
def test_another_partition_must_have_these_objects_and_clusters(ask):
    with pytest.raises(InputError, match="2 and 3 objects"):
        ask(HardPartition([0, 1, 1]))
    if "equivalent" not in str(ask):  # there names do not matter
        with pytest.raises(InputError, match="Cluster 'c' is not one of this partition's clusters"):
            ask(HardPartition([0, "c"]))


def one_of_each():
    return {
        "hard": HardPartition([0, 1]),
        "rough": RoughPartition([[1, 1], [1, 0]]),
        "fuzzy": FuzzyPartition([[0.5, 0.5], [1, 0]]),
        "possibilistic": PossibilisticPartition([[1, 0.5], [1, 0]]),
        "evidential": EvidentialPartition([[0.5, 0.5], [1, 0]], [[1, 0], [1, 1]]),
    }


@pytest.mark.parametrize(
    ("build", "array"),
    [
        (HardPartition, np.array([0, 1, 1])),
        (HardPartition, np.array(["a", "b"])),
        (RoughPartition, np.array([[True, False], [True, True]])),
        (FuzzyPartition, np.array([[0.5, 0.5], [1.0, 0.0]])),
        (PossibilisticPartition, np.array([[1.0, 0.5], [1.0, 0.0]])),
        (lambda masses: EvidentialPartition(masses, np.eye(2)), np.array([[0.5, 0.5], [1, 0]])),
        (lambda sets: EvidentialPartition([[0.5, 0.5]], sets), np.array([[1, 0], [1, 1]]) > 0),
    ],
)
def test_changing_the_input_later_changes_nothing(build, array):
    before = build(array)
    expected = copy.deepcopy(before)
    array[:] = array[::-1].copy()
    array[0] = array[1]
    assert before == expected
    array.flags.writeable = True  # the caller's array was not frozen either


@law(partitions())
def test_statements_say_what_the_evidential_form_says(partition):
    if partition.kind == "possibilistic":
        partition = partition.with_t_norm(None)
    statements, masses = partition.statements(), partition.to_evidential().masses
    sets = partition.to_evidential().focal_sets
    assert (statements.weights > 0).all()
    assert len(statements.codes) == partition.n_objects
    assert set(statements.codes.tolist()) == set(range(len(statements.starts) - 1))
    for x, code in enumerate(statements.codes):
        said = {}
        for entry in range(statements.starts[code], statements.starts[code + 1]):
            s = statements.sets[entry]
            members = statements.set_members[
                statements.set_starts[s] : statements.set_starts[s + 1]
            ]
            assert list(members) == sorted(members)
            said[tuple(members.tolist())] = statements.weights[entry]
        positive = np.flatnonzero(masses[x])
        assert said == {tuple(np.flatnonzero(sets[i]).tolist()): masses[x, i] for i in positive}


@law(partitions(kind="hard"))
def test_hard_is_a_special_case_of_all(hard):
    assert hard.to_fuzzy().to_evidential() == hard.to_evidential()
    assert hard.to_rough().to_evidential() == hard.to_evidential()
    assert np.array_equal(hard.to_fuzzy().memberships, np.eye(hard.n_clusters)[hard.codes])
    assert hard.simplest() is hard.harden() is hard.sample(0) is hard
    for other in (hard, hard.to_rough(), hard.to_fuzzy(), hard.to_evidential()):
        assert other.simplest() == hard
        assert other.simplest().names == hard.names
        assert other.harden() == hard
        assert other.sample(0).simplest() == hard
        assert other.support() == hard.to_rough()
        assert other.pignistic() == hard.to_fuzzy()
    possibilistic = PossibilisticPartition(hard.to_fuzzy().memberships, names=hard.names)
    assert possibilistic.to_evidential() == hard.to_evidential()
    assert possibilistic.simplest() == hard


@pytest.mark.parametrize("kind", KINDS)
@law(st.data())
def test_special_cases_agree_with_the_general_one(kind, data):
    partition = data.draw(partitions(kind))
    if partition.kind == "possibilistic":
        partition = partition.with_t_norm(None)
    general = partition.to_evidential()
    assert general.support() == partition.support()
    assert general.simplest() == partition.simplest()
    assert np.allclose(
        general.pignistic().memberships, partition.pignistic().memberships, rtol=0, atol=4e-16
    )
    if partition.kind != "possibilistic":
        assert general.pignistic() == partition.pignistic()
    if partition.kind in ("rough", "possibilistic"):
        # Masses of nested sets are differences, added up again.
        assert np.allclose(general.plausibility(), partition.plausibility(), rtol=0, atol=4e-16)
        assert np.allclose(general.belief(), partition.belief(), rtol=0, atol=4e-16)


@law(partitions())
def test_reading_own_arrays_back_gives_the_same_partition(partition):
    match partition:
        case HardPartition():
            again = HardPartition(partition.labels)
        case RoughPartition():
            again = RoughPartition(partition.mask, names=partition.names)
        case FuzzyPartition():
            again = FuzzyPartition(partition.memberships)
        case PossibilisticPartition():
            again = PossibilisticPartition(partition.memberships, t_norm=partition.t_norm)
        case _:
            general = EvidentialPartition(partition.masses, partition.focal_sets)
            assert np.array_equal(general.masses, partition.masses)
            again = partition
    assert again == partition
    assert again.kind == "evidential" or again.notes == ()


@law(partitions(kind="rough"))
def test_the_number_of_compatible_partitions_is_that_of_the_enumeration(rough):
    listed = [tuple(hard.labels.tolist()) for hard in rough.compatible()]
    assert len(set(listed)) == len(listed) == rough.n_compatible
    assert type(rough.n_compatible) is int
    clusterings = itertools.product(range(rough.n_clusters), repeat=rough.n_objects)
    agreeing = [labels for labels in clusterings if rough.is_compatible(HardPartition(labels))]
    assert agreeing == sorted(listed)


@law(partitions(kind="fuzzy"))
def test_probabilities_of_all_hard_partitions_add_up_to_one(fuzzy):
    clusterings = itertools.product(range(fuzzy.n_clusters), repeat=fuzzy.n_objects)
    total = math.fsum(fuzzy.probability(HardPartition(labels)) for labels in clusterings)
    assert total == pytest.approx(1, abs=1e-14)


@law(partitions(kind="evidential"))
def test_masses_of_the_focal_partitions_add_up_to_one(evidential):
    listed = list(evidential.focal_partitions())
    assert math.fsum(mass for _, mass in listed) == pytest.approx(1, abs=1e-14)
    for rough, mass in listed:
        assert mass > 0
        assert evidential.mass(rough) == mass


@law(partitions(kind="possibilistic"))
def test_some_hard_partition_is_fully_possible(possibilistic):
    minimum = possibilistic.with_t_norm("min")
    assert minimum.possibility(minimum.harden()) == 1.0
    for alpha in minimum.levels():
        for hard in minimum.cut(float(alpha)).compatible():
            assert minimum.possibility(hard) >= alpha


@law(partitions(), st.integers(0, 2**32 - 1))
def test_samples_lie_within_the_support(partition, seed):
    if partition.kind == "possibilistic" and partition.t_norm in ("product", "lukasiewicz"):
        return
    drawn = partition.sample(seed).support()
    support = partition.support()
    columns = [support.names.index(name) for name in drawn.names]
    assert not (drawn.mask & ~support.mask[:, columns]).any()
    assert partition.sample(seed) == partition.sample(seed)


@law(partitions(), st.randoms(use_true_random=False))
def test_taking_objects_reorders_what_is_said(partition, random):
    order = [random.randrange(partition.n_objects) for _ in range(5)]
    taken = partition.take(np.array(order))
    assert taken.n_objects == 5
    assert taken.kind == partition.kind
    before, after = partition.pignistic(), taken.pignistic()
    columns = [before.names.index(name) for name in after.names]
    assert np.array_equal(before.memberships[np.ix_(order, columns)], after.memberships)
    inverse = np.argsort(np.arange(partition.n_objects)[::-1])
    assert partition.take(inverse).take(inverse) == partition


@law(partitions())
def test_the_representation_names_kind_and_size(partition):
    text = repr(partition)
    assert text.startswith(f"{type(partition).__name__}({partition.n_objects} object")
    assert "\n" not in text


@pytest.mark.parametrize("kind", KINDS)
@law(st.data())
def test_sizes_are_limited_by_objects_that_must_and_that_may_belong(kind, data):
    partition = data.draw(partitions(kind))
    limits = partition.statements().size_limits()
    mask = partition.support().mask
    sure = mask & (mask.sum(axis=1, keepdims=True) == 1)
    assert limits.least.tolist() == sure.sum(axis=0).tolist()
    assert limits.most.tolist() == mask.sum(axis=0).tolist()


def test_a_possibility_that_rounding_swallows_is_not_ruled_out():
    limits = FuzzyPartition([[1.0, 1e-300], [0.0, 1.0]]).statements().size_limits()
    assert (limits.least.tolist(), limits.most.tolist()) == ([0.0, 1.0], [1.0, 2.0])
