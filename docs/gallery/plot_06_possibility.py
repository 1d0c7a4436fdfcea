"""
The possibility of every value, with its level cuts
===================================================

Memberships read as possibilities, with the t-norm min, give every value a possibility. Each line is
a cut: the values that are at least so possible. The bar below is the interval of expectations over
all levels.
"""

from sklearn.datasets import load_iris

import sfumato as sf
from sfumato.cluster import FuzzyCMeans

iris = load_iris()
truth = iris.target_names[iris.target]
fuzzy = FuzzyCMeans(3, random_state=0).fit(iris.data).partition_
possible = sf.PossibilisticPartition(fuzzy.memberships, t_norm="min")
found = sf.compare(possible, truth, measure="adjusted_rand", quantity="distribution")
found.plot(name="as possibilities")
