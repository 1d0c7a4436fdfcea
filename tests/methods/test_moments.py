"""Rand and information measures of fuzzy partitions by formula: right, chosen, at what price."""

from itertools import chain, islice
from math import isnan
from typing import final

import numpy as np
import pytest

import oracle
import sfumato as sf
from memory import peak_of
from sfumato.families import Affine, Separable
from sfumato.measures.base import Measure
from strategies import build, random_pairs

INFORMATION = (
    "mutual_information",
    "variation_of_information",
    "normalized_variation_of_information",
)
every_measure = pytest.mark.parametrize("measure", ["rand", *INFORMATION])
ROWS = np.array([[0.9, 0.1], [0.8, 0.2], [0.5, 0.5], [0.1, 0.9], [0.0, 1.0]])
TRUTH = ["cat", "cat", "dog", "dog", "dog"]


def close(expected):
    return pytest.approx(expected, abs=1e-12, rel=0)


def is_soft(side):
    return side[0] == "fuzzy" and any(w not in (0, 1) for row in side[1] for w in row)


def instances(seed):
    """Endless random pairs, one of them fuzzy and not hard, small enough to enumerate."""
    kinds = (("fuzzy", "fuzzy"), ("fuzzy", "hard"), ("hard", "fuzzy"))
    streams = (random_pairs(seed, *both, most_pairs=700) for both in kinds)
    every = chain.from_iterable(zip(*streams, strict=True))
    return (pair for pair in every if any(map(is_soft, pair)))


def random_fuzzy(rng, n, k):
    return sf.FuzzyPartition(rng.dirichlet(np.full(k, 0.4), n), normalize=True)


@pytest.mark.parametrize("name", [("rand", "distinct"), ("rand", "all"), *INFORMATION])
def test_mean_and_variance_equal_the_definition(name):
    measure = name if isinstance(name, str) else sf.Rand(pairs=name[1])
    for a, b in islice(instances(len(str(name))), 240 if "rand" in name else 150):
        expected = oracle.compare_literally(a, b, name)
        found = sf.compare(build(a), build(b), measure=measure)
        assert (found.method, found.guarantee) == ("moments", "exact")
        assert found.mean == close(expected.lower)
        assert found.std**2 == close(expected.lower_std**2)


@every_measure
@pytest.mark.parametrize("engine", ["auto", "exact", "closed_form"])
def test_the_formula_is_chosen_wherever_an_exact_expectation_is_wanted(measure, engine):
    rng = np.random.default_rng(0)
    a, b = random_fuzzy(rng, 400, 3), random_fuzzy(rng, 400, 4)
    for other in (b, rng.integers(4, size=400)):
        plan = sf.explain(a, other, measure=measure, engine=engine)
        assert (plan.method, plan.guarantee, plan.tables) == ("moments", "exact", 1)
        found = sf.compare(a, other, measure=measure, engine=engine)
        assert (found.method, found.guarantee, found.error) == ("moments", "exact", 0.0)


@every_measure
def test_other_quantities_and_theories_are_left_to_others(measure):
    asked = {"measure": measure}
    assert sf.explain(ROWS, TRUTH, **asked).method == "moments"
    assert sf.explain(ROWS, TRUTH, **asked, engine="sampled").method == "sample"
    for quantity in ("range", "distribution"):
        assert sf.explain(ROWS, TRUTH, **asked, quantity=quantity).method != "moments"
    assert sf.explain(sf.RoughPartition(ROWS > 0), TRUTH, **asked).method != "moments"
    for other in ("jaccard", "v_measure"):
        assert sf.explain(ROWS, TRUTH, measure=other).method != "moments"


def test_objects_are_not_collapsed_for_the_mean():
    n = 50_000
    a, b = map(sf.FuzzyPartition, np.random.default_rng(3).dirichlet([1, 1], size=(2, n)))
    sf.compare(ROWS, TRUTH)  # what is loaded first is not counted
    found, peak = peak_of(lambda: sf.compare(a, b))
    assert found.method == "moments"
    assert peak < 8 * n  # one number an object


def test_a_single_object_and_a_single_cluster():
    one = sf.compare([[0.5, 0.5]], [0], measure="mutual_information")
    assert one.mean == 0.0
    rng = np.random.default_rng(2)
    fuzzy = random_fuzzy(rng, 90, 3)
    for pair in ((fuzzy, np.zeros(90, dtype=int)), (np.zeros(90, dtype=int), fuzzy)):
        found = sf.compare(*pair, measure="mutual_information")
        assert found.mean == pytest.approx(0, abs=1e-13)
        assert found.std == pytest.approx(0, abs=1e-6)


@every_measure
def test_the_spread_is_found_only_when_asked_for(measure):
    found = sf.compare(ROWS, TRUTH, measure=measure)
    assert found.find_std is not None  # not known before
    listed = sf.compare(ROWS, TRUTH, measure=measure, quantity="distribution")
    assert found.std == found.lower_std == found.upper_std == close(listed.std)
    assert found.to_dict()["lower_std"] == found.std


@pytest.mark.parametrize(
    ("measure", "n", "k", "words"),
    [
        ("rand", 25_000, 70, "The standard deviation is not given"),
        ("mutual_information", 200, 60, "standard deviation is left out"),
    ],
)
def test_a_spread_out_of_reach_is_not_a_number_and_a_note_says_so(measure, n, k, words):
    a, b = np.random.default_rng(2).dirichlet(np.ones(k), size=(2, n))
    found = sf.compare(a, b, measure=measure)
    assert isnan(found.std)
    assert any(words in note for note in found.notes)
    assert (found.method, found.guarantee) == ("moments", "exact")


class OfOnesOwn(Measure):
    """What a measure without a place in the register has to say."""

    formula = cost = reference = ""


@final
class Mirkin(OfOnesOwn):
    """Ordered pairs together in one clustering only: any measure of the family will do."""

    name, better, bounds, symmetric, is_metric = "mirkin", "lower", (0.0, np.inf), True, True

    def of_tables(self, tables):
        squares = [(tables.sum(axis=axis) ** 2).sum(axis=-1) for axis in (-1, -2)]
        return (sum(squares) - 2 * (tables**2).sum(axis=(-1, -2))).astype(float)

    def family(self, n_objects):
        return Separable("square", Affine(0.0, 1.0, 1.0, -2.0))


def test_every_measure_of_the_family_is_answered():
    n = len(ROWS)
    found = sf.compare(ROWS, TRUTH, measure=Mirkin())
    rand = sf.compare(ROWS, TRUTH)
    assert found.method == "moments"
    assert rand.mean == close(0.69)
    assert found.mean == close((1 - rand.mean) * n * (n - 1))
    assert found.std == close(rand.std * n * (n - 1))


class Steep(OfOnesOwn):
    """A million bits of entropy: too steep for the fits to be exact."""

    name, better, bounds = "steep", "lower", (-np.inf, np.inf)
    symmetric, is_metric = False, False
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
