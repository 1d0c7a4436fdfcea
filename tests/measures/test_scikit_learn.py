"""On hard input the scores are scikit-learn's: recorded values, and the installed version."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from sfumato.measures import (
    AdjustedMutualInformation,
    AdjustedRand,
    Completeness,
    FowlkesMallows,
    Homogeneity,
    Measure,
    MutualInformation,
    NormalizedMutualInformation,
    Rand,
    VMeasure,
)
from sfumato.measures.normalized_mutual_information import AVERAGES

RECORDED = Path(__file__).parents[1] / "reference" / "sklearn_hard_pairs.json"
CASES = json.loads(RECORDED.read_text())["cases"]

SCORES: dict[str, Measure] = {
    "rand_score": Rand(),
    "adjusted_rand_score": AdjustedRand(),
    "mutual_info_score": MutualInformation(),
    "homogeneity_score": Homogeneity(),
    "completeness_score": Completeness(),
    "v_measure_score": VMeasure(),
    "fowlkes_mallows_score": FowlkesMallows(),
}
for average in AVERAGES:
    SCORES[f"normalized_mutual_info_score_{average}"] = NormalizedMutualInformation(average)
    SCORES[f"adjusted_mutual_info_score_{average}"] = AdjustedMutualInformation(average)


def table_of(a, b):
    rows, row_codes = np.unique(a, return_inverse=True)
    columns, column_codes = np.unique(b, return_inverse=True)
    table = np.zeros((len(rows), len(columns)), dtype=np.int64)
    np.add.at(table, (row_codes, column_codes), 1)
    return table


def is_noise_in_scikit_learn(score, table):
    # With average="min" the normaliser equals the expectation: a quotient of two rounding errors.
    is_singletons = 1 in (table.sum(axis=0).max(), table.sum(axis=1).max())
    return score == "adjusted_mutual_info_score_min" and is_singletons


def test_every_recorded_score_has_a_measure():
    assert set(CASES[0]["expected"]) - {"pair_confusion_matrix"} == set(SCORES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.parametrize("score", SCORES)
def test_recorded_values_are_met(score, case):
    table = table_of(case["inputs"]["labels_pred"], case["inputs"]["labels_true"])
    value = float(SCORES[score].of_tables(table))
    if is_noise_in_scikit_learn(score, table):
        is_equivalent = case["expected"]["rand_score"] == 1.0
        assert value == (1.0 if is_equivalent else 0.0)
    else:
        assert value == pytest.approx(case["expected"][score], rel=0, abs=1e-12)


def test_random_labels_score_as_in_scikit_learn():
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, k1, k2 = rng.integers(2, 120), rng.integers(1, 8), rng.integers(1, 8)
        a, b = rng.integers(k1, size=n), rng.integers(k2, size=n)
        if rng.random() < 0.5:  # correlated clusterings
            b = np.where(rng.random(n) < 0.7, a, b)
        table = table_of(a, b)
        for score, measure in SCORES.items():
            if is_noise_in_scikit_learn(score, table):
                continue
            name, _, average = score.partition("_score_")
            options = {"average_method": average} if average else {}
            name = name if name.endswith("_score") else name + "_score"
            expected = getattr(metrics, name)(b, a, **options)
            assert float(measure.of_tables(table)) == pytest.approx(expected, rel=0, abs=1e-12), (
                score,
                table,
            )


def test_columns_are_the_reference():
    finer = np.array([[2, 0], [1, 0], [0, 3]])  # every row lies within one column
    assert float(Homogeneity().of_tables(finer)) == 1.0
    assert float(Completeness().of_tables(finer)) == pytest.approx(
        metrics.completeness_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]), rel=1e-14
    )
