"""Where a report comes from: its inputs, its engine and its seed."""

from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from sfumato.engines import Engine
from sfumato.partitions import DrawnPartition, Partition, PossibilisticPartition
from sfumato.partitions.base import independent

__all__ = ["fingerprint", "provenance", "seed_of"]

_AS_THEY_STAND = (
    "taken as they stand, since not all inputs have ids: another order could not be seen"
)


def provenance(
    candidates: Mapping[str, Partition], truth: Partition, engine: Engine, seed: str
) -> dict[str, str]:
    """What is known of the inputs of a report, in words."""
    sides = {"reference": truth} | {f"candidate {name}": side for name, side in candidates.items()}
    has_ids = all(side.index is not None for side in sides.values())
    return {
        "objects": f"{truth.n_objects:,}",
        "rows": "aligned by ids" if has_ids else _AS_THEY_STAND,
        **{name: f"{side!r}, sha256 {fingerprint(side)}" for name, side in sides.items()},
        "engine": repr(engine),
        "seed": seed,
    }


def fingerprint(partition: Partition) -> str:
    """A hash of all that a partition says of its objects, whatever it was read from.

    Examples
    --------
    >>> import sfumato as sf
    >>> fingerprint(sf.HardPartition([0, 1])) == fingerprint(sf.HardPartition([0, 1]))
    True
    >>> fingerprint(sf.HardPartition([0, 1])) == fingerprint(sf.HardPartition([0, 0]))
    False
    """
    t_norm = partition.t_norm if isinstance(partition, PossibilisticPartition) else None
    index = None if partition.index is None else partition.index.tolist()
    found = sha256(repr((partition.kind, partition.names, t_norm, index)).encode())
    if isinstance(partition, DrawnPartition):
        arrays = partition.codes, partition.weights
    else:
        said = independent(partition, "A fingerprint").statements()
        arrays = said.codes, said.starts, said.sets, said.weights, said.set_starts, said.set_members
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def seed_of(rng: np.random.Generator) -> str:
    """The seed that a generator was made of, also where none was given."""
    seeds = rng.bit_generator.seed_seq
    entropy = seeds.entropy if isinstance(seeds, np.random.SeedSequence) else None
    return "not known" if entropy is None else str(entropy)
