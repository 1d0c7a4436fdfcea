"""The six kinds of partition, and how to make and look at them."""

from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.credible_ball import CredibleBall
from sfumato.partitions.description import Description
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.coerce import as_partition
from sfumato.partitions.relational import PairMasses, Relational, relational
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.statements import Statements

__all__ = [
    "CredibleBall",
    "Description",
    "DrawnPartition",
    "EvidentialPartition",
    "FuzzyPartition",
    "HardPartition",
    "IndependentPartition",
    "PairMasses",
    "Partition",
    "PossibilisticPartition",
    "Relational",
    "RoughPartition",
    "Statements",
    "as_partition",
    "relational",
]
