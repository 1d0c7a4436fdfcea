"""Information measures of fuzzy partitions: means and standard deviations by formula."""

from itertools import chain, islice
from math import isnan

import numpy as np
import pytest

import oracle
import sfumato as sf
from sfumato.families import Affine, Separable
from sfumato.measures.base import Measure
from strategies import build, random_pairs

MEASURES = (
    "mutual_information",
    "variation_of_information",
    "normalized_variation_of_information",
)
INSTANCES = 150  # for each measure
MAX_PAIRS = 700


def is_soft(side):
    return side[0] == "fuzzy" and any(w not in (0, 1) for row in side[1] for w in row)


def instances(seed):
    """Endless random pairs, one of them fuzzy and not hard, small enough to enumerate."""
    kinds = (("fuzzy", "fuzzy"), ("fuzzy", "hard"), ("hard", "fuzzy"))
    streams = (random_pairs(seed, *both, most_pairs=MAX_PAIRS) for both in kinds)
    every = chain.from_iterable(zip(*streams, strict=True))
    return (pair for pair in every if any(map(is_soft, pair)))


def random_fuzzy(rng, n, k):
    return sf.FuzzyPartition(rng.dirichlet(np.full(k, 0.4), n), normalize=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_mean_and_variance_equal_the_definition(measure):
    for a, b in islice(instances(MEASURES.index(measure)), INSTANCES):
        expected = oracle.compare_literally(a, b, measure)
        found = sf.compare(build(a), build(b), measure=measure)
        assert found.method == "moments"
        assert found.guarantee == "exact"
        assert found.mean == pytest.approx(expected.lower, abs=1e-12, rel=0)
        assert found.std**2 == pytest.approx(expected.lower_std**2, abs=1e-12, rel=0)


@pytest.mark.parametrize("engine", ["auto", "exact", "closed_form"])
@pytest.mark.parametrize("measure", MEASURES)
def test_every_engine_that_wants_exact_answers_takes_the_formula(measure, engine):
    rng = np.random.default_rng(0)
    a, b = random_fuzzy(rng, 400, 3), random_fuzzy(rng, 400, 4)
    for other in (b, rng.integers(4, size=400)):
        found = sf.compare(a, other, measure=measure, engine=engine)
        assert (found.method, found.guarantee, found.error) == ("moments", "exact", 0.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_other_quantities_and_theories_are_left_to_others(measure):
    fuzzy = np.array([[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]])
    assert sf.explain(fuzzy, [0, 0, 1], measure=measure).method == "moments"
    for quantity in ("range", "distribution"):
        plan = sf.explain(fuzzy, [0, 0, 1], measure=measure, quantity=quantity)
        assert plan.method != "moments"
    rough = sf.RoughPartition(fuzzy > 0)
    assert sf.explain(rough, [0, 0, 1], measure=measure).method != "moments"
    assert sf.explain(fuzzy, [0, 0, 1], measure="v_measure").method != "moments"


def test_a_single_object_and_a_single_cluster():
    one = sf.compare([[0.5, 0.5]], [0], measure="mutual_information")
    assert one.mean == 0.0
    rng = np.random.default_rng(2)
    fuzzy = random_fuzzy(rng, 90, 3)
    for pair in ((fuzzy, np.zeros(90, dtype=int)), (np.zeros(90, dtype=int), fuzzy)):
        assert sf.compare(*pair, measure="mutual_information").mean == pytest.approx(0, abs=1e-13)
        assert sf.compare(*pair, measure="mutual_information").std == pytest.approx(0, abs=1e-6)


def test_the_standard_deviation_is_found_when_asked_for():
    sides = [[0.5, 0.5], [0.2, 0.8]], [0, 1]
    found = sf.compare(*sides, measure="mutual_information")
    assert found.find_std is not None  # not known before
    listed = sf.compare(*sides, measure="mutual_information", quantity="distribution")
    assert found.std == found.lower_std == found.upper_std == pytest.approx(listed.std, rel=1e-9)


def test_a_standard_deviation_that_is_too_dear_is_left_out_and_the_notes_say_so():
    rng = np.random.default_rng(11)
    a, b = (random_fuzzy(rng, 200, 60) for _ in range(2))
    found = sf.compare(a, b, measure="mutual_information")
    assert found.method == "moments"
    assert isnan(found.std)
    assert any("standard deviation is left out" in note for note in found.notes)


class Steep(Measure):
    """A million bits of entropy: too steep for the fits to be exact."""

    name, better, bounds = "steep", "lower", (-np.inf, np.inf)
    symmetric, is_metric = False, False
    formula = cost = reference = ""
    scale = 1e6

    def of_tables(self, tables):
        rows = tables.sum(axis=-1)
        return self.scale * (rows * np.log(np.maximum(rows, 1))).sum(axis=-1)

    def family(self, n_objects):
        return Separable("xlogx", Affine(rows=self.scale))


def test_a_mean_that_is_not_exact_comes_with_a_certified_bracket():
    rng = np.random.default_rng(7)
    p = rng.random(200)
    fuzzy = np.stack([p, 1 - p], axis=1)
    truth = np.arange(200) // 5  # too many tables to list
    found = sf.compare(fuzzy, truth, measure=Steep())
    law = np.ones(1, dtype=np.longdouble)
    for q in p.astype(np.longdouble):
        law = np.append(law * (1 - q), 0) + np.append(0, law * q)
    m = np.arange(201)
    values = m * np.log(np.maximum(m, 1)) + (200 - m) * np.log(np.maximum(200 - m, 1))
    assert found.guarantee == "certified"
    assert found.lower_bracket[0] < float(1e6 * law @ values) < found.lower_bracket[1]
    assert found.mean == pytest.approx(sum(found.lower_bracket) / 2, rel=1e-15)
    assert found.error < 1e-2
    with pytest.raises(sf.CostError):
        sf.compare(fuzzy, truth, measure=Steep(), engine="exact")
