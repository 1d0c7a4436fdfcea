"""Compare and evaluate soft clusterings, and say how sure the comparison is."""

from typing import TYPE_CHECKING

from sfumato._interrupts import leave_to_python as _leave_to_python  # first of all
from sfumato.api.compare import compare, explain
from sfumato.api.evaluate import evaluate, pairwise
from sfumato.api.ranking.rank import rank
from sfumato.api.ranking.two_candidates import difference
from sfumato.engines import Auto, Bounds, ClosedForm, Exact, Sampled
from sfumato.errors import (
    ChunkError,
    CostError,
    InputError,
    MissingExtraError,
    SfumatoError,
    UnsupportedError,
)
from sfumato.measures import (
    AdjustedMutualInformation,
    AdjustedRand,
    Completeness,
    Dice,
    FowlkesMallows,
    Homogeneity,
    Jaccard,
    Measure,
    MutualInformation,
    NormalizedMutualInformation,
    NormalizedVariationOfInformation,
    PartitionDistance,
    Purity,
    Rand,
    VariationOfInformation,
    VMeasure,
    measures,
    register_measure,
)
from sfumato.partitions import (
    CredibleBall,
    DrawnPartition,
    EvidentialPartition,
    FuzzyPartition,
    HardPartition,
    Partition,
    PossibilisticPartition,
    RoughPartition,
    as_partition,
    relational,
)
from sfumato.question.plan import Plan
from sfumato.results.comparison import Comparison
from sfumato.results.pairwise import Pairwise
from sfumato.results.ranking import Ranking
from sfumato.results.report import Report
from sfumato.results.values import ValueDistribution, ValueMass, ValuePossibility, ValueSet

if TYPE_CHECKING:
    from sfumato import cluster as cluster
    from sfumato import indices as indices
    from sfumato import interop as interop
    from sfumato import io as io
    from sfumato.api.chunks.scan import Scan as Scan
    from sfumato.api.chunks.scan import scan as scan
    from sfumato.api.chunks.summarize import summarize as summarize
    from sfumato.api.chunks.summary import Summary as Summary
    from sfumato.io import read_partition as read_partition
    from sfumato.io import write_partition as write_partition

__version__ = "0.1.0"

_leave_to_python()

__all__ = [
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

_ELSEWHERE = {
    "Scan": "api.chunks.scan",
    "Summary": "api.chunks.summary",
    "read_partition": "io",
    "scan": "api.chunks.scan",
    "summarize": "api.chunks.summarize",
    "write_partition": "io",
}

if not TYPE_CHECKING:  # a type checker would take every name for known

    def __getattr__(name: str) -> object:
        """Import a subpackage when it is first asked for, so that ``import sfumato`` stays fast."""
        from importlib import import_module

        if name in ("cluster", "indices", "interop", "io"):
            return import_module(f"sfumato.{name}")
        if name in _ELSEWHERE:
            return getattr(import_module(f"sfumato.{_ELSEWHERE[name]}"), name)
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
