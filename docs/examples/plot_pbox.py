"""
Belief and plausibility of an evidential comparison
===================================================

The area between the two curves is ambiguity, their slope partial assignment.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans

flowers, species = load_iris(return_X_y=True)
evidential = EvidentialCMeans(3, random_state=0).fit(flowers).partition_
found = sf.compare(evidential, species, measure="adjusted_rand", quantity="distribution", rng=0)
found.plot(name="evidential c-means")
