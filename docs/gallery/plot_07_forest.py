"""
Many candidates against one truth
=================================

A row for each candidate, a panel for each measure, sorted by the worse end, so that vagueness buys
no place. What does not reach the dashed line is worse in expectation than the first. A bold name
surely is the best by the first measure: its worse end beats the better ends of all others.
"""

from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, RoughKMeans

iris = load_iris()
truth = iris.target_names[iris.target]
data = iris.data
fuzzy = FuzzyCMeans(3, random_state=0).fit(data).partition_
candidates = {
    "k-means": KMeans(3, n_init=5, random_state=0).fit_predict(data),
    "Gaussian mixture": GaussianMixture(3, random_state=0).fit(data).predict_proba(data),
    "fuzzy c-means": fuzzy,
    "rough k-means": RoughKMeans(3, threshold=1.25, random_state=0).fit(data).partition_,
    "evidential c-means": EvidentialCMeans(3, random_state=0).fit(data).partition_,
    "as possibilities": sf.PossibilisticPartition(fuzzy.memberships, t_norm="min"),
}
report = sf.evaluate(
    candidates,
    truth,
    measures=["adjusted_rand", "partition_distance"],
    engine=sf.Auto(tolerance=0.03),
    rng=0,
)
report.plot()

# %%
# In one column of a journal (85 mm) the values are left to a table.

report.plot(width="one")

# %%

print(report.to_latex(caption="Six clusterings against the species."))
