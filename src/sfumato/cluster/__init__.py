"""Soft clustering algorithms as scikit-learn estimators; each result carries a partition."""

from sfumato.cluster.evidential_c_means import EvidentialCMeans
from sfumato.cluster.fuzzy_c_means import FuzzyCMeans
from sfumato.cluster.possibilistic_c_means import PossibilisticCMeans
from sfumato.cluster.rough_k_means import RoughKMeans

__all__ = ["EvidentialCMeans", "FuzzyCMeans", "PossibilisticCMeans", "RoughKMeans"]
