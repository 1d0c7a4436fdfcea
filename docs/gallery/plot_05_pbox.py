"""
Belief and plausibility of every threshold
==========================================

An evidential comparison says of "the value is at most t" how far it is believed and how far it is
plausible. Between the two curves lies the ambiguity.
"""

from dataclasses import replace

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
evidential = EvidentialCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(
    evidential,
    truth,
    measure="adjusted_rand",
    quantity="distribution",
    engine=sf.Auto(tolerance=0.02),
    rng=0,
)
replace(found.display("evidential c-means"), at=0.55).plot()
