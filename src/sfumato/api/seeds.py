"""One random source, and the generators that a comparison makes of it."""

from functools import cached_property
from typing import final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import RandomSource

__all__ = ["Seeds"]


@final
class Seeds:
    """Generators made of one random source, the same for the same number whenever they are made.

    A generator is spawned from at once, so that the next comparison with it draws other numbers.
    A seed waits until something is drawn: most comparisons draw nothing.
    """

    def __init__(self, source: RandomSource) -> None:
        self._source = source
        is_seed = isinstance(source, int) and not isinstance(source, bool) and source >= 0
        if source is not None and not is_seed:
            _ = self._root

    @cached_property
    def _root(self) -> tuple[type[np.random.BitGenerator], np.random.SeedSequence]:
        bits = generator_of(self._source).bit_generator
        seeds = bits.seed_seq
        assert isinstance(seeds, np.random.SeedSequence)
        return type(bits), seeds.spawn(1)[0]

    def child(self, at: int) -> np.random.Generator:
        """Generator number ``at``, of the same make as the source."""
        make, root = self._root
        child = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, at))
        return np.random.Generator(make(child))
