"""
The whole law of a value
========================

With ``quantity="distribution"`` a fuzzy comparison has a probability for every value. Dashed lines
are quantiles; the mean with its standard deviation stands below.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(fuzzy, truth, measure="adjusted_rand", quantity="distribution")
found.plot(name="fuzzy c-means")
