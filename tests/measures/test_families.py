"""The structure that a measure declares gives the value that it computes."""

import numpy as np
import pytest

from sfumato.algorithms.tables.expected_information import expected_mutual_information
from sfumato.measures import Adjusted, Majority, Matching, Ratio, Separable, measures
from variants import VARIANTS


def sum_of(psi, counts):
    x = np.ravel(counts).astype(float)
    return float((x**2).sum() if psi == "square" else (x * np.log(np.where(x > 0, x, 1))).sum())


def value_by_family(family, table):
    if isinstance(family, Matching):
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(table, maximize=True)
        return family.offset + family.slope * int(table[rows, columns].sum())
    if isinstance(family, Majority):
        return family.slope * int(table.max(axis=1).sum())
    if isinstance(family, Adjusted):
        return adjusted_by_family(family, table)
    parts = (table.sum(axis=1), table.sum(axis=0), table)
    sums = [sum_of(family.psi, part) for part in parts]
    if isinstance(family, Separable):
        return family.value.of_sums(*sums)
    numerator, denominator = family.parts(sums[1])
    return numerator.of_sums(*sums) / denominator.of_sums(*sums) ** family.power


def adjusted_by_family(family, table):
    n, margins = table.sum(), (table.sum(axis=1), table.sum(axis=0))
    entropies = [np.log(n) - sum_of("xlogx", part) / n for part in margins]
    average = float(family.average(*map(np.asarray, entropies)))
    share = value_by_family(family.share, table)
    assert share == pytest.approx(float(family.shares(table)), rel=0, abs=1e-12)
    share *= sum(entropies) / 2 / average
    chance = float(expected_mutual_information(*margins)) / average
    return (share - chance) / (1 - chance)


def random_tables():
    rng = np.random.default_rng(11)
    for _ in range(60):
        table = rng.integers(0, 6, size=rng.integers(2, 5, size=2))
        table[0, 0] += 2  # a joined pair and two clusters on each side: no denominator is zero
        table[1, 1] += 1
        yield table


WITHOUT = [measure for measure in VARIANTS if measure.family(10) is None]


def test_only_other_averages_have_no_family():
    averages = {(measure.name, measure.average) for measure in WITHOUT}
    name = "normalized_mutual_information"
    assert averages == {(name, average) for average in ("geometric", "min", "max")}


@pytest.mark.parametrize("measure", [m for m in VARIANTS if m not in WITHOUT], ids=repr)
def test_the_family_gives_the_value_of_the_measure(measure):
    for table in random_tables():
        family = measure.family(int(table.sum()))
        expected = float(measure.of_tables(table))
        assert value_by_family(family, table) == pytest.approx(expected, rel=0, abs=1e-10)


def test_each_measure_has_its_family():
    kinds = {name: type(measure.family(10)) for name, measure in measures().items()}
    ratios = "adjusted_rand jaccard dice fowlkes_mallows normalized_mutual_information v_measure "
    information = "mutual_information variation_of_information normalized_variation_of_information"
    assert kinds == {
        **dict.fromkeys(f"rand {information}".split(), Separable),
        **dict.fromkeys(f"{ratios} homogeneity completeness".split(), Ratio),
        "partition_distance": Matching,
        "purity": Majority,
        "adjusted_mutual_information": Adjusted,
    }


def test_only_ratios_of_products_need_fixed_columns():
    ratios = {name: m.family(10) for name, m in measures().items()}
    needy = {n for n, f in ratios.items() if isinstance(f, Ratio) and f.needs_fixed_columns}
    assert needy == {"adjusted_rand", "fowlkes_mallows"}


@pytest.mark.parametrize("name", measures())
def test_one_object_has_no_structure_to_exploit(name):
    assert measures()[name].family(1) is None
