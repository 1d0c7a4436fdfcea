"""
What is known of the contingency table
======================================

Expected counts with their spread, and the smallest and largest that are possible.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

flowers, species = load_iris(return_X_y=True)
fuzzy = FuzzyCMeans(3, random_state=0).fit(flowers).partition_
table = sf.compare(fuzzy, species).expected_table()
table.plot(row_title="fuzzy c-means", column_title="species")
