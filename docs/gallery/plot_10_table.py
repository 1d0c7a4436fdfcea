"""
An expected contingency table
=============================

How many objects are in each pair of clusters: a mean with its standard deviation, or an interval
of expectations. The thin line goes from the smallest to the largest possible count.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans

iris = load_iris()
truth = iris.target_names[iris.target]
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
sf.compare(fuzzy, truth).expected_table().plot(row_title="fuzzy c-means", column_title="species")

# %%
# Of a rough clustering, [min, max] is all that is known.

rough = RoughKMeans(3, threshold=1.25, random_state=0).fit(iris.data).partition_
sf.compare(rough, truth).expected_table().plot(row_title="rough k-means", column_title="species")

# %%

evidential = EvidentialCMeans(3, random_state=0).fit(iris.data).partition_
table = sf.compare(evidential, truth, engine="bounds").expected_table()
table.plot(row_title="evidential c-means", column_title="species")
