"""Other packages' results as partitions, and partitions as theirs; scores for scikit-learn."""

from sfumato.interop.arviz import from_arviz
from sfumato.interop.evclust import from_credpart, from_evclust, to_evclust
from sfumato.interop.hdbscan import from_hdbscan
from sfumato.interop.skfuzzy import from_skfuzzy
from sfumato.interop.sklearn import from_sklearn
from sfumato.interop.soft_clustering import from_soft_clustering
from sfumato.interop.soft_scorer import SoftScorer, make_soft_scorer
from sfumato.interop.topics import from_topics
from sfumato.interop.votes import from_votes

__all__ = [
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
]
