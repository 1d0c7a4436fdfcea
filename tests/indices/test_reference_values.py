"""Values of R packages: fclust, evclust and FARI."""

import numpy as np
import pytest

from indices.variants import recorded
from sfumato import indices
from sfumato.indices.campello import blocked_sums, swept_sums
from sfumato.indices.formulas.pair_blocks import types_of

FCLUST = {"ri": "rand", "ari": "adjusted_rand", "jaccard": "jaccard"}
T_NORMS = {"minimum": "min", "product": "product"}


def sides(inputs):
    if "first" in inputs:
        return np.array(inputs["first"]), np.array(inputs["second"])
    labels = np.array(inputs["labels"])
    return np.eye(labels.max() + 1)[labels], np.array(inputs["memberships"])


@pytest.mark.parametrize(
    ("inputs", "expected"),
    recorded("campello2007_fuzzy_vs_fuzzy") + recorded("fclust_hard_vs_fuzzy"),
)
def test_campello_counts_as_fclust_does(inputs, expected):
    first, second = sides(inputs)
    types = types_of(first, second)
    counts = {
        "minimum": [blocked_sums(types, "min"), swept_sums(first, second)],
        "product": [blocked_sums(types, "product")],
    }
    is_fuzzy = np.allclose(second.sum(axis=1), 1.0)  # else the door refuses it
    for norm, ways in counts.items():
        for name, index in FCLUST.items():
            found = [getattr(sums, index)() for sums in ways]
            if is_fuzzy:
                found.append(indices.campello(first, second, index=index, t_norm=T_NORMS[norm]))
            value = expected[f"{name}_{norm}"]
            # fclust divides 0 by 0 where both sides have one cluster; there equality scores 1.
            wanted = 1.0 if value == "NaN" else value
            assert found == pytest.approx([wanted] * len(found), abs=1e-12)


@pytest.mark.parametrize(("inputs", "expected"), recorded("frigui2007_product_sum"))
def test_frigui_equals_the_pair_masses_of_evclust(inputs, expected):
    first, second = sides(inputs)
    for index in ("rand", "jaccard", "fowlkes_mallows"):
        assert indices.frigui(first, second, index=index) == pytest.approx(
            expected[index], abs=1e-12
        )


@pytest.mark.parametrize(("inputs", "expected"), recorded("fari_ndc_aci"))
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
