"""
A mean with its spread, its error and the hardened value
========================================================

A fuzzy clustering is a law of hard ones. Its mean value has a spread (pale band, partial
assignment) and, if it was drawn, an error (ink whisker, Monte Carlo). They are different things:
more draws narrow the whisker, never the band. The pin with a hollow head is the value of the
hardened clustering, which answers another question.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
found = sf.compare(fuzzy, truth, measure="adjusted_rand", engine=sf.Sampled(n_samples=2000), rng=0)
found.plot(name="fuzzy c-means")

# %%
# The same in a sentence for a paper.

print(found.sentence("fuzzy c-means"))
