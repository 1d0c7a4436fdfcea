"""Draws in blocks of fixed size."""

import numpy as np
import pytest

from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks


def run(
    n_draws, *, block=10, threads=1, deadline=None, work=None, progress=lambda share: None, **how
):
    def sizes_and_first_draw(size, seed):
        return size, int(np.random.default_rng(seed).integers(10**9))

    started = Run(np.random.default_rng(0), deadline or Deadline(), progress, threads)
    return draw_in_blocks(work or sizes_and_first_draw, n_draws, started, block=block, **how)


@pytest.mark.parametrize(
    ("n_draws", "sizes"), [(1, [1]), (10, [10]), (25, [10, 10, 5]), (30, [10, 10, 10])]
)
def test_blocks_make_up_the_draws(n_draws, sizes):
    assert [size for size, _ in run(n_draws)] == sizes


def test_blocks_grow_from_one_draw_only_where_time_is_limited():
    hurried = run(60, deadline=Deadline(1e6), begins_small=True)
    assert [size for size, _ in hurried] == [1, 2, 3, 4, 6, 8, 10, 10, 10, 6]
    assert [size for size, _ in run(25, begins_small=True)] == [10, 10, 5]


def test_every_block_has_its_own_seed_whatever_the_threads():
    one, two = run(200, threads=1), run(200, threads=2)
    assert one == two
    assert len({draw for _, draw in one}) == 20


def test_more_draws_repeat_the_first_blocks():
    assert run(200)[:5] == run(50)


def test_past_the_deadline_only_the_first_block_runs():
    assert len(run(200, deadline=Deadline(-1.0))) == 1


def test_progress_rises_to_one():
    shares: list[float] = []
    run(45, progress=shares.append)
    assert shares == pytest.approx([10 / 45, 20 / 45, 30 / 45, 40 / 45, 1.0])


def test_an_error_in_a_block_comes_out():
    def fail(size, seed):
        raise ZeroDivisionError("in a block")

    with pytest.raises(ZeroDivisionError, match="in a block"):
        run(30, work=fail, threads=2)


def test_few_blocks_are_handed_out_before_they_are_needed():
    rng = np.random.default_rng(0)
    started = Run(rng, Deadline(-1.0), lambda share: None, 2)
    draw_in_blocks(lambda size, seed: size, 10**9, started, block=1)
    assert rng.bit_generator.seed_seq.n_children_spawned < 20
