"""Values of R packages: fclust, evclust and FARI."""

import json
from pathlib import Path

import numpy as np
import pytest

from sfumato import indices
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.pair_blocks import types_of

REFERENCE = Path(__file__).parents[1] / "reference"
FCLUST = {"ri": "rand", "ari": "adjusted_rand", "jaccard": "jaccard"}
T_NORMS = {"minimum": "min", "product": "product"}


def cases(family):
    loaded = json.loads((REFERENCE / f"{family}.json").read_text())["cases"]
    return [pytest.param(case["inputs"], case["expected"], id=case["id"]) for case in loaded]


def of_fuzzy_partitions(family):
    """Without rows that sum to less than 1: these are no fuzzy partitions."""
    return [
        case for case in cases(family) if np.allclose(sides(case.values[0])[1].sum(axis=1), 1.0)
    ]


def sides(inputs):
    if "first" in inputs:
        return np.array(inputs["first"]), np.array(inputs["second"])
    labels = np.array(inputs["labels"])
    return np.eye(labels.max() + 1)[labels], np.array(inputs["memberships"])


@pytest.mark.parametrize(
    ("inputs", "expected"), cases("campello2007_fuzzy_vs_fuzzy") + cases("fclust_hard_vs_fuzzy")
)
def test_campello_counts_as_fclust_does(inputs, expected):
    first, second = sides(inputs)
    types = types_of(first, second)
    found = {
        "minimum": [blocked_sums(types, "min"), swept_sums(first, second)],
        "product": [blocked_sums(types, "product")],
    }
    for norm, ways in found.items():
        for name, index in FCLUST.items():
            value = expected[f"{name}_{norm}"]
            # fclust divides 0 by 0 where both sides have one cluster; there equality scores 1.
            wanted = 1.0 if value == "NaN" else value
            for sums in ways:
                assert getattr(sums, index)() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    of_fuzzy_partitions("campello2007_fuzzy_vs_fuzzy")
    + of_fuzzy_partitions("fclust_hard_vs_fuzzy"),
)
def test_campello_equals_fclust_through_the_door(inputs, expected):
    first, second = sides(inputs)
    for norm, t_norm in T_NORMS.items():
        for name, index in FCLUST.items():
            value = expected[f"{name}_{norm}"]
            found = indices.campello(first, second, index=index, t_norm=t_norm)
            assert found == pytest.approx(1.0 if value == "NaN" else value, abs=1e-12)


@pytest.mark.parametrize(("inputs", "expected"), cases("frigui2007_product_sum"))
def test_frigui_equals_the_pair_masses_of_evclust(inputs, expected):
    first, second = sides(inputs)
    for index in ("rand", "jaccard", "fowlkes_mallows"):
        assert indices.frigui(first, second, index=index) == pytest.approx(
            expected[index], abs=1e-12
        )


@pytest.mark.parametrize(("inputs", "expected"), cases("fari_ndc_aci"))
def test_concordance_and_frobenius_equal_the_package_of_their_authors(inputs, expected):
    first, second = sides(inputs)
    found = {
        "fri": indices.frobenius_rand(first, second),
        "fari": indices.fuzzy_adjusted_rand(first, second),
        "ndc": indices.huellermeier(first, second),
        "aci": indices.adjusted_concordance(first, second),
    }
    for name, value in found.items():
        # None: 0/0 there, for two uniform sides; equality scores 1.
        wanted = 1.0 if expected[name] is None else expected[name]
        assert value == pytest.approx(wanted, abs=1e-10)
