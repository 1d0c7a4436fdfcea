"""Control variates: centred, and within their limits."""

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from sfumato.algorithms.sampling.control_variates import count_controls, square_controls, together
from sfumato.algorithms.tables.sampler import FocalSampler

RNG = np.random.default_rng(0)


def controls(n_objects):
    sides = [RNG.dirichlet(np.full(k, 0.5), size=n_objects) for k in (3, 2)]
    sides[0][0] = [1.0, 0.0, 0.0]  # an object without a choice on one side
    asked = question(*sides, "jaccard")
    joint, objective = asked.joint, asked.objective
    model = joint.focal_model
    sampler = FocalSampler(model, 5000)
    counted = count_controls(model, sampler)
    squares = square_controls(*joint.probabilities, objective.n_objects, objective.shape)
    counts = sampler.draw(5000, np.random.SeedSequence(1))
    tables = np.zeros((5000, objective.n_cells), dtype=np.int64)
    tables[:, model.pairs.labels[model.pairs.cells]] += counts
    tables += model.base
    return counted, squares, counts, tables.reshape(-1, *objective.shape)


@pytest.mark.parametrize("n_objects", [4, 60])
def test_drawn_controls_have_mean_zero_and_stay_within_their_limits(n_objects):
    counted, squares, counts, tables = controls(n_objects)
    assert (tables.sum(axis=(1, 2)) == n_objects).all()
    both = together(counted, squares)
    values = both.of(counts, tables)
    errors = 5 * values.std(axis=0) / np.sqrt(len(values)) + 1e-12
    assert (np.abs(values.mean(axis=0)) <= errors).all()
    for _ in range(20):
        slopes = RNG.normal(size=both.size)
        low, high, rest = both.limits(slopes)
        corrections = values @ slopes
        assert low <= corrections.min() <= corrections.max() <= high
        assert 0.0 <= rest <= 1e-12
        first = counted.limits(slopes[: counted.size])
        second = squares.limits(slopes[counted.size :])
        assert (low, high) == pytest.approx((first.low + second.low, first.high + second.high))


def test_the_limits_of_few_objects_are_attained():
    # Two objects choose between two clusters: the counts of the first are 0, 1 or 2.
    memberships = sf.FuzzyPartition([[0.25, 0.75], [0.25, 0.75], [1.0, 0.0]])
    model = question(memberships, [0, 0, 0], "jaccard").joint.focal_model
    counted = count_controls(model, FocalSampler(model, 100))
    slopes = np.zeros(counted.size)
    slopes[0] = 1.0
    low, high, _ = counted.limits(slopes)
    drawn = counted.of(FocalSampler(model, 100).draw(100, np.random.SeedSequence(0)), None)
    assert (low, high) == pytest.approx((drawn[:, 0].min(), drawn[:, 0].max()))


def test_the_limits_of_many_objects_grow_with_the_root_of_their_number():
    sides = RNG.dirichlet(np.ones(2), size=4000), np.zeros(4000, dtype=int)
    model = question(*sides, "jaccard").joint.focal_model
    counted = count_controls(model, FocalSampler(model, 100))
    slopes = np.eye(counted.size)[0]
    low, high, rest = counted.limits(slopes)
    assert (low, high) == pytest.approx((-4 * np.sqrt(4000), 4 * np.sqrt(4000)))
    assert rest <= 1e-12
