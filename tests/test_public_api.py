"""The public list, and a copy of it that a reviewer must edit."""

import inspect

import pytest

import sfumato as sf
from fresh import printed

PUBLIC = [
    "AdjustedMutualInformation",
    "AdjustedRand",
    "Auto",
    "Bounds",
    "ChunkError",
    "ClosedForm",
    "Comparison",
    "Completeness",
    "CostError",
    "CredibleBall",
    "Dice",
    "DrawnPartition",
    "EvidentialPartition",
    "Exact",
    "FowlkesMallows",
    "FuzzyPartition",
    "HardPartition",
    "Homogeneity",
    "InputError",
    "Jaccard",
    "Measure",
    "MissingExtraError",
    "MutualInformation",
    "NormalizedMutualInformation",
    "NormalizedVariationOfInformation",
    "Pairwise",
    "Partition",
    "PartitionDistance",
    "Plan",
    "PossibilisticPartition",
    "Purity",
    "Rand",
    "Ranking",
    "Report",
    "RoughPartition",
    "Sampled",
    "Scan",
    "SfumatoError",
    "Summary",
    "UnsupportedError",
    "VMeasure",
    "ValueDistribution",
    "ValueMass",
    "ValuePossibility",
    "ValueSet",
    "VariationOfInformation",
    "as_partition",
    "compare",
    "difference",
    "evaluate",
    "explain",
    "measures",
    "pairwise",
    "rank",
    "read_partition",
    "register_measure",
    "relational",
    "scan",
    "summarize",
    "write_partition",
]


SUBPACKAGES = {
    "cluster": ["EvidentialCMeans", "FuzzyCMeans", "PossibilisticCMeans", "RoughKMeans"],
    "indices": [
        "Estimate",
        "Index",
        "ScoreInterval",
        "adjusted_concordance",
        "anderson",
        "available",
        "brouwer",
        "campello",
        "denoeux",
        "depaolini",
        "estimate_adjusted_concordance",
        "estimate_pair_log",
        "frigui",
        "frobenius_rand",
        "fuzzy_adjusted_rand",
        "huellermeier",
        "index",
        "pair_brier",
        "pair_brier_interval",
        "pair_log",
        "pair_log_interval",
        "soft_mutual_information",
        "transport_pairs",
        "zhou",
    ],
    "interop": [
        "SoftScorer",
        "from_arviz",
        "from_credpart",
        "from_evclust",
        "from_hdbscan",
        "from_skfuzzy",
        "from_sklearn",
        "from_soft_clustering",
        "from_topics",
        "from_votes",
        "make_soft_scorer",
        "to_evclust",
    ],
}


READING = ["noise", "noise_label", "missing"]
BUDGET = ["max_tables", "max_nodes"]


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("compare", ["a", "b", "measure", "quantity", "engine", "rng", "paired", *READING]),
        (
            "evaluate",
            ["candidates", "truth", "measures", "quantity", "engine", "rng", *READING, "executor"],
        ),
        ("pairwise", ["partitions", "measure", "engine", "rng", *READING, "executor"]),
        ("explain", ["a", "b", "measure", "quantity", "engine", "paired", *READING]),
        ("as_partition", ["x", "kind", *READING, "new_class", "normalize"]),
        ("Auto", ["tolerance", "confidence", "max_seconds", *BUDGET, "threads", "max_lost_mass"]),
        ("Exact", BUDGET),
        ("Sampled", ["n_samples", "tolerance", "confidence", "nested", "n_inner", "bound"]),
    ],
)
def test_signatures_stay_as_they_are(function, parameters):
    assert list(inspect.signature(getattr(sf, function)).parameters) == parameters


@pytest.mark.parametrize("name", ["", *SUBPACKAGES])
def test_public_names_are_those_reviewed_here_and_are_documented(name):
    package, names = (getattr(sf, name), SUBPACKAGES[name]) if name else (sf, PUBLIC)
    assert package.__all__ == names == sorted(names)
    assert not [each for each in names if not inspect.getdoc(getattr(package, each))]


@pytest.mark.parametrize(
    ("function", "options"),
    [
        ("adjusted_concordance", ["index", "chance", "random", "rng", "tolerance"]),
        ("anderson", ["index"]),
        ("brouwer", ["index"]),
        ("campello", ["index", "t_norm"]),
        ("frigui", ["index"]),
        ("frobenius_rand", []),
        ("fuzzy_adjusted_rand", []),
        ("huellermeier", ["index"]),
        ("denoeux", ["distance"]),
        ("depaolini", []),
        ("pair_brier", []),
        ("pair_log", ["tolerance", "rng"]),
        ("soft_mutual_information", ["kind", "normalized"]),
        ("transport_pairs", ["alpha", "index"]),
        ("zhou", ["p", "weights", "normalized"]),
    ],
)
def test_signatures_of_indices_stay_as_they_are(function, options):
    names = list(inspect.signature(getattr(sf.indices, function)).parameters)
    assert names == ["a", "b", *options]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'clusters'"):
        sf.clusters  # noqa: B018


def test_heavy_libraries_and_subpackages_load_when_they_are_asked_for():
    program = (
        "import sys, sfumato as sf; names = ('cluster', 'indices', 'interop', 'io');"
        "late = {'scipy', 'sklearn', 'matplotlib', 'pandas', 'polars', 'narwhals', 'typer'};"
        "late |= {f'sfumato.{name}' for name in names[:3]};"
        "print(sorted(late & set(sys.modules)), [getattr(sf, name).__name__ for name in names])"
    )
    loaded = ["sfumato.cluster", "sfumato.indices", "sfumato.interop", "sfumato.io"]
    assert printed(program) == f"[] {loaded}"
