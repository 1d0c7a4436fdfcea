"""
Many candidates against one reference
=====================================

Sorted by the worse end, so that vagueness buys no place. The axis is never
turned round: an arrow says which way is better.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans

flowers, species = load_iris(return_X_y=True)
candidates = {
    "fuzzy c-means": FuzzyCMeans(3, random_state=0).fit(flowers).partition_,
    "rough k-means": RoughKMeans(3, random_state=0).fit(flowers).partition_,
    "evidential c-means": EvidentialCMeans(3, random_state=0).fit(flowers).partition_,
}
report = sf.evaluate(candidates, species, measures=["adjusted_rand", "partition_distance"], rng=0)
report.plot()
