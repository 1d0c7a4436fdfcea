"""Beyond Iris: every algorithm answers, and the table says with what guarantee."""

import json

import pytest

import sfumato as sf
from sfumato.experiments import extended
from sfumato.experiments.extended import text
from sfumato.io import json_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extended, "DATASETS", {"wine": extended.DATASETS["wine"]})
        patch.setattr(extended.sf, "measures", lambda: ["rand", "partition_distance"])
        return extended.run()


def test_every_algorithm_is_compared_by_every_measure(found):
    assert list(found.comparisons) == [
        ("wine", algorithm, measure)
        for algorithm in ("KM", "RKM", "FCM", "PCM", "ECM")
        for measure in ("rand", "partition_distance")
    ]


def test_hard_rough_and_fuzzy_are_exact_and_the_rest_are_estimates_with_an_error(found):
    for (_, algorithm, _), one in found.comparisons.items():
        if algorithm in ("KM", "RKM", "FCM"):
            assert one.guarantee == "exact"
        else:
            assert one.error < 0.02


def test_standardised_wine_is_clustered_well(found):
    assert found.comparisons["wine", "KM", "rand"].mean == pytest.approx(0.95429, abs=1e-5)
    rough = found.comparisons["wine", "RKM", "rand"]
    assert rough.lower < found.comparisons["wine", "KM", "rand"].mean < rough.upper


def test_text_and_json_hold_every_cell(found):
    words = text(found)
    assert "178 wines, 13 features, standardised" in words
    assert words.count("partition_distance") == 5
    read = json.loads(json_text(found.to_dict()))
    assert [cell["lower"] for cell in read["cells"]] == [
        one.lower for one in found.comparisons.values()
    ]
    assert read["versions"]["sfumato"] == sf.__version__
