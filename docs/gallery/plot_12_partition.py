"""
How large the clusters are
==========================

A partition by itself: the number of objects of each cluster, as far as it says. In a notebook a
partition shows this picture by itself.
"""

from sklearn.datasets import load_iris

from sfumato.cluster import EvidentialCMeans

iris = load_iris()
evidential = EvidentialCMeans(3, random_state=0).fit(iris.data).partition_
evidential.describe().plot()
