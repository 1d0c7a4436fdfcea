"""
Which candidate is better, and how sure
=======================================

The lead D of each candidate over the best, with a line at 0: what reaches it is not decided, and
its name is bold. Below, whether the row beats the column: solid is believed, pale is open. An arrow
of the order goes from the better to the worse.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans, RoughKMeans

iris = load_iris()
truth = iris.target_names[iris.target]
data = iris.data
candidates = {
    "fuzzy c-means": FuzzyCMeans(3, random_state=0).fit(data).partition_,
    "sharper": FuzzyCMeans(3, fuzzifier=1.5, random_state=0).fit(data).partition_,
    "rough k-means": RoughKMeans(3, threshold=1.25, random_state=0).fit(data).partition_,
    "two clusters": FuzzyCMeans(2, random_state=0).fit(data).labels_,
}
ranking = sf.rank(candidates, truth, measure="rand", rng=0)
ranking.plot()

# %%

print(ranking.verdict)
