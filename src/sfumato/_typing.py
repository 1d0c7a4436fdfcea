"""Array aliases, named by what they hold; shapes stand in the comments."""

from collections.abc import Hashable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bools",
    "Codes",
    "Floats",
    "Guarantee",
    "Ints",
    "Kind",
    "Name",
    "PartitionLike",
    "Quantity",
    "RandomSource",
    "TNorm",
    "Tables",
    "Values",
]

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int64]  # (n,): one integer per object
Tables: TypeAlias = NDArray[np.int64]  # (..., k1, k2): rows are a's clusters, columns b's
Values: TypeAlias = NDArray[np.float64]  # (...): one value per table

Name: TypeAlias = Hashable  # of a cluster: a string, an integer, ...
PartitionLike: TypeAlias = object  # a partition, or anything as_partition makes one of
Kind: TypeAlias = Literal["hard", "rough", "fuzzy", "possibilistic", "evidential", "drawn"]
TNorm: TypeAlias = Literal["min", "product", "lukasiewicz"]
Quantity: TypeAlias = Literal["expectation", "range", "distribution"]
Guarantee: TypeAlias = Literal["exact", "certified", "confidence", "inner"]
RandomSource: TypeAlias = np.random.Generator | int | None
