"""Estimators of every kind and variant."""

from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans


def estimators(n_clusters, **options):
    return [
        *(RoughKMeans(n_clusters, variant=v, **options) for v in ("pi", "lingras", "peters")),
        *(each(n_clusters, **options) for each in (FuzzyCMeans, PossibilisticCMeans)),
        EvidentialCMeans(n_clusters, **options),
        EvidentialCMeans(n_clusters, focal="pairs", **options),
        EvidentialCMeans(n_clusters, focal="singletons", omega=False, **options),
    ]
