"""Every measure, and the measures that have options with other values of them."""

import sfumato as sf

AVERAGES = ("arithmetic", "geometric", "min", "max")
RATIOS_OF_PAIRS = ("adjusted_rand", "jaccard", "dice", "fowlkes_mallows")
RATIOS_OF_INFORMATION = (
    "normalized_mutual_information",
    "homogeneity",
    "completeness",
    "v_measure",
)
VARIANTS = [
    *sf.measures().values(),
    sf.Rand(pairs="all"),
    sf.PartitionDistance(normalizer="n"),
    sf.NormalizedVariationOfInformation(by="joint_entropy"),
    *(sf.NormalizedMutualInformation(average) for average in AVERAGES[1:]),
    *(sf.AdjustedMutualInformation(average) for average in AVERAGES[1:]),
]
