"""Belief and plausibility of any event, against the definitions."""

import numpy as np
import pytest

import sfumato as sf


def test_sets_known_by_their_ends_answer_thresholds_only():
    masses = np.random.default_rng(0).dirichlet(np.ones(3), size=200)
    a = sf.EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]])
    engine, truth = sf.Sampled(n_samples=50), np.arange(200) % 2
    found = sf.compare(a, truth, quantity="distribution", engine=engine, rng=0).distribution
    assert found.belief(at_most=1.0) == found.plausibility(at_least=0.0) == 1.0
    with pytest.raises(sf.UnsupportedError, match="Only the ends of the sets of values are known"):
        found.belief(where=lambda values: values > 0.5)


def test_an_event_is_asked_for_alone_and_says_yes_or_no():
    found = sf.ValueMass(([0.5], [0.5, 1.0]), [0.25, 0.75])
    assert found.belief(where=lambda values: values < 0.7) == 0.25
    assert found.plausibility(where=lambda values: values > 0.7) == 0.75
    with pytest.raises(sf.InputError, match="exactly one of at_most=t, at_least=t and where"):
        found.belief(at_most=0.5, where=lambda values: values < 0.7)
    with pytest.raises(sf.InputError, match="one truth value for each of 1 values"):
        found.belief(where=lambda values: 3)
