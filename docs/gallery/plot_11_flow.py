"""
Where objects go from one clustering to another
===============================================

Bands are as thick as the expected number of objects. Blue bands join matched clusters, orange ones
are disagreement; the more opaque a band, the surer its objects are to be in it.
"""

from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

iris = load_iris()
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
mixture = GaussianMixture(3, random_state=0).fit(iris.data).predict_proba(iris.data)
table = sf.compare(fuzzy, mixture).expected_table()
table.plot_flow(row_title="fuzzy c-means", column_title="Gaussian mixture")
