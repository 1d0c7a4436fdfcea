"""
The whole law of a fuzzy comparison
===================================

A probability for every value, with mean and quantiles.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

flowers, species = load_iris(return_X_y=True)
fuzzy = FuzzyCMeans(3, random_state=0).fit(flowers).partition_
found = sf.compare(fuzzy, species, measure="adjusted_rand", quantity="distribution")
found.plot(name="fuzzy c-means")
