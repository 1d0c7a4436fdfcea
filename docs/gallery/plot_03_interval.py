"""
An interval with its brackets
=============================

An evidential clustering leaves an interval of expected values: its width (bar) is ambiguity, the
pale band the spread of both ends. Here the ends were bracketed: square brackets hold them for
certain.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import EvidentialCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
evidential = EvidentialCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(evidential, truth, measure="partition_distance", engine="bounds")
found.plot(name="evidential c-means")

# %%

print(found.sentence("evidential c-means"))
