"""
A mean with its spread and error
================================

The dot is the mean, the band one standard deviation from partial assignment, the hollow
pin the value after hardening. An exact answer has no whisker.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

flowers, species = load_iris(return_X_y=True)
fuzzy = FuzzyCMeans(3, random_state=0).fit(flowers).partition_
sf.compare(fuzzy, species, measure="adjusted_rand").plot(name="fuzzy c-means")
