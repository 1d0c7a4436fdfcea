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


def answer(side, *, rng, threads=None, quantity="distribution", max_tables=1):
    engine = sf.Auto(threads=threads, tolerance=0.03, max_tables=max_tables)
    return sf.compare(SIDES[side], TRUTH, measure=SHARE, quantity=quantity, engine=engine, rng=rng)


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
def test_the_same_seed_gives_the_same_answer_as_an_integer_and_as_a_generator(side):
    first, second = answer(side, rng=7), answer(side, rng=7)
    from_generator = answer(side, rng=np.random.default_rng(7))
    assert content(first) == content(second) == content(from_generator)


@every_side
def test_other_seeds_give_other_draws(side):
    assert content(answer(side, rng=7)) != content(answer(side, rng=8))


@every_side
def test_a_generator_moves_on(side):
    generator = np.random.default_rng(7)
    first, second = answer(side, rng=generator), answer(side, rng=generator)
    assert content(first) != content(second)


def test_without_a_seed_answers_differ():
    assert content(answer("fuzzy", rng=None)) != content(answer("fuzzy", rng=None))


def test_drawn_rough_partitions_do_not_depend_on_threads():
    small = sf.EvidentialPartition(EVIDENTIAL.masses[:8], SETS)
    one, two = (
        sf.compare(
            small,
            TRUTH[:8],
            measure=SHARE,
            quantity="distribution",
            engine=sf.Auto(threads=threads, max_tables=1_500_000),
            rng=3,
        )
        for threads in (1, 2)
    )
    assert one.method == "sample"
    assert one.n_samples > 2 * 1024  # several blocks
    assert content(one) == content(two)


def test_exact_answers_need_no_seed():
    small = FUZZY[:6]
    first, second = (
        sf.compare(small, TRUTH[:6], measure=SHARE, engine="exact", rng=seed) for seed in (1, None)
    )
    assert first.to_dict() | {"seconds": None} == second.to_dict() | {"seconds": None}
