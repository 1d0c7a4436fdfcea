"""
The objects that make a comparison uncertain
============================================

The share of an object in the variance (fuzzy) is what would go away if its cluster were known.
These shares add up, so the second panel shows how many objects make half of the variance.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
labels = [f"{name} {at}" for at, name in enumerate(truth)]
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(fuzzy, truth, measure="adjusted_rand", rng=0)
found.plot_contributions(labels=labels)

# %%
# Shares of a width (rough, evidential, possibilistic) do not add up: each is what knowing the
# object would take off the interval, at least or in lower expectation.

evidential = EvidentialCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(
    evidential, truth, measure="adjusted_rand", engine=sf.Auto(tolerance=0.03), rng=0
)
found.plot_contributions(labels=labels, most=12)
