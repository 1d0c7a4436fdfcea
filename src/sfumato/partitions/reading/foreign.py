"""Results of other packages, and the adapter that reads them."""

from collections.abc import Mapping
from typing import TypeGuard, cast

import numpy as np

from sfumato.errors import InputError
from sfumato.partitions.reading.tabular import is_sparse

__all__ = ["is_credal", "is_named", "refuse_foreign"]

_ADAPTERS = {
    "hdbscan": "from_hdbscan(clusterer)",
    "soft_clustering": "from_soft_clustering(model)",
    "gensim": "from_topics(weights)",
}
_RESULT_OF_CMEANS = 7


def refuse_foreign(x: object) -> None:
    """Refuse what is the result of another package, naming the adapter in `sfumato.interop`."""
    adapter = _adapter(x)
    if adapter:
        what = f"a {type(x).__name__}" if not isinstance(x, Mapping) else "a dictionary"
        raise InputError(f"The input is {what}, not data: use sfumato.interop.{adapter}.")


def _adapter(x: object) -> str:
    if isinstance(x, np.ndarray | list):
        return ""
    if isinstance(x, tuple):
        parts = cast("tuple[object, ...]", x)
        matrices = [isinstance(part, np.ndarray) and part.ndim == 2 for part in parts]
        is_cmeans = len(parts) == _RESULT_OF_CMEANS and all(matrices[:4]) and not matrices[-1]
        return "from_skfuzzy(result)" if is_cmeans else ""
    if isinstance(x, Mapping):
        return "from_evclust(result)" if "mass" in x or "mass_n" in x else ""
    package = type(x).__module__.partition(".")[0]
    if package in _ADAPTERS:
        return _ADAPTERS[package]
    if is_named(x, "HDBSCAN"):
        return "from_hdbscan(clusterer)"
    names = ("predict_proba", "predict", "labels_", "transform")
    if hasattr(x, "fit") and any(hasattr(x, name) for name in names):
        return "from_sklearn(estimator, X)"
    return ""


def is_named(x: object, *names: str) -> bool:
    """Whether the class of x, or one that it derives from, has one of these names."""
    return any(base.__name__ in names for base in type(x).__mro__)


def is_credal(x: object) -> TypeGuard[Mapping[str, object]]:
    """Whether x is what evclust returns: a mapping with masses and focal sets, as 0 and 1."""
    if is_sparse(x) or not isinstance(x, Mapping):  # a matrix of the kind dok is a mapping too
        return False
    return {"mass", "F"} <= set(cast("Mapping[str, object]", x))
