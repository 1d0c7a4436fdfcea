"""
Where objects go
================

From the clusters of the candidate to those of the reference; paler bands are less sure.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

flowers, species = load_iris(return_X_y=True)
fuzzy = FuzzyCMeans(3, random_state=0).fit(flowers).partition_
table = sf.compare(fuzzy, species).expected_table()
table.plot_flow(row_title="fuzzy c-means", column_title="species")
