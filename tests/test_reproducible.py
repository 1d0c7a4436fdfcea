"""One seed, one answer."""

import numpy as np
import pytest

import sfumato as sf
from strategies import SHARE

N = 30
_RNG = np.random.default_rng(0)
FUZZY = _RNG.dirichlet(np.ones(3), size=N)
TRUTH = FUZZY.argmax(axis=1)
POSSIBLE = FUZZY / FUZZY.max(axis=1, keepdims=True)
SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
EVIDENTIAL = sf.EvidentialPartition(_RNG.dirichlet(np.ones(4), size=N), SETS)
SIDES = {
    "fuzzy": FUZZY,
    "rough": sf.RoughPartition(FUZZY > 0.2),
    "evidential": EVIDENTIAL,
    "min": sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
    "product": sf.PossibilisticPartition(POSSIBLE, t_norm="product"),
}
every_side = pytest.mark.parametrize("side", SIDES)


def answer(side, *, rng, threads=None):
    ask = {"measure": SHARE, "quantity": "distribution", "rng": rng}
    engine = sf.Auto(threads=threads, tolerance=0.03, max_tables=1)
    return sf.compare(SIDES[side], TRUTH, engine=engine, **ask)


def content(found):
    """Everything but the time."""
    return (
        found.to_dict() | {"seconds": None},
        [part.tolist() for part in found.distribution.ends],
        found.distribution.support.tolist(),
        found.pignistic,
    )


@every_side
def test_threads_do_not_change_a_bit(side):
    one, two, all_of_them = (answer(side, rng=7, threads=threads) for threads in (1, 2, None))
    assert one.method == "sample"
    assert one.guarantee == ("confidence" if side == "fuzzy" else "inner")
    assert one.n_samples > 1024 or side in ("evidential", "min")  # several blocks
    assert content(one) == content(two) == content(all_of_them)


@every_side
def test_a_seed_is_the_generator_of_it_and_others_give_other_draws(side):
    generator = np.random.default_rng(7)
    first, same, later, other = (answer(side, rng=rng) for rng in (7, generator, generator, 8))
    assert content(first) == content(same)
    assert content(first) != content(later)  # the generator moves on
    assert content(first) != content(other)


def test_without_a_seed_answers_differ():
    assert content(answer("fuzzy", rng=None)) != content(answer("fuzzy", rng=None))


def test_drawn_rough_partitions_do_not_depend_on_threads():
    small = sf.EvidentialPartition(EVIDENTIAL.masses[:8], SETS)
    ask = {"measure": SHARE, "quantity": "distribution", "rng": 3}
    engines = (sf.Auto(threads=threads, max_tables=1_500_000) for threads in (1, 2))
    one, two = (sf.compare(small, TRUTH[:8], engine=engine, **ask) for engine in engines)
    assert one.method == "sample"
    assert one.n_samples > 2 * 1024  # several blocks
    assert content(one) == content(two)


def test_exact_answers_need_no_seed():
    small = FUZZY[:6]
    first, second = (
        sf.compare(small, TRUTH[:6], measure=SHARE, engine="exact", rng=seed) for seed in (1, None)
    )
    assert first.to_dict() | {"seconds": None} == second.to_dict() | {"seconds": None}
