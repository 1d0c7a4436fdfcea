"""Classical soft indices: one number for two partitions, each by its author's name."""

from sfumato.indices.base import Estimate, Index
from sfumato.indices.frigui import frigui
from sfumato.indices.listing import available, index

__all__ = ["Estimate", "Index", "available", "frigui", "index"]
