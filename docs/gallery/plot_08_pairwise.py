"""
Every clustering against every other
====================================

Similar clusterings stand side by side. The darker, the more alike, for indices and distances: the
colour is that of the middle of each interval, the area of the white hole its width. A rough
clustering leaves a hole wherever it is compared.
"""

from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import sfumato as sf
from sfumato.cluster import FuzzyCMeans, RoughKMeans

wine = load_wine()
data = StandardScaler().fit_transform(wine.data)
clusterings = {
    "truth": wine.target_names[wine.target],
    "k-means": KMeans(3, n_init=5, random_state=0).fit_predict(data),
    "Ward": AgglomerativeClustering(3).fit_predict(data),
    "average linkage": AgglomerativeClustering(3, linkage="average").fit_predict(data),
    "FCM 1.2": FuzzyCMeans(3, fuzzifier=1.2, random_state=0).fit(data).partition_,
    "FCM 1.5": FuzzyCMeans(3, fuzzifier=1.5, random_state=0).fit(data).partition_,
    "RKM 1.05": RoughKMeans(3, threshold=1.05, random_state=0).fit(data).partition_,
    "RKM 1.25": RoughKMeans(3, threshold=1.25, random_state=0).fit(data).partition_,
}
found = sf.pairwise(clusterings, measure="rand", rng=0)
found.plot()

# %%
# Where there is room, the numbers stand above the diagonal.

found.plot(width="two")
