"""
Objects that make a comparison uncertain
========================================

Shares of the variance add up, so the curve shows how many objects explain most of it.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

flowers, species = load_iris(return_X_y=True)
fuzzy = FuzzyCMeans(3, random_state=0).fit(flowers).partition_
sf.compare(fuzzy, species, measure="rand").plot_contributions()
