"""Partitions that users pass by name."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import cast

from sfumato._typing import Ints, PartitionLike
from sfumato.errors import InputError, SfumatoError
from sfumato.partitions import Partition
from sfumato.partitions.reading.alignment import check_indexes, share_objects
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.reading_options import Reading

__all__ = ["naming", "partitions_of", "shared_objects"]


@contextmanager
def naming(name: str) -> Generator[None]:
    """Say which partition an error is about."""
    try:
        yield
    except SfumatoError as error:
        raise type(error)(f"{name}: {error}") from error


def shared_objects(
    partitions: tuple[Partition, ...],
) -> tuple[tuple[Partition, ...], tuple[str, ...], Ints | None]:
    """All partitions on the objects that none drops, a note of how many, and their rows."""
    if all(partition.given is None for partition in partitions):
        return partitions, (), None
    check_indexes(partitions)
    return share_objects(partitions)


def partitions_of(named: object, reading: Reading) -> dict[str, Partition]:
    """Partitions by their names, read one by one; an error says which is at fault."""
    if not isinstance(named, Mapping):
        raise InputError(
            f"Partitions are passed by name, as {{'fcm': memberships}}; got {type(named).__name__}."
        )
    if not named:
        raise InputError("There is no partition to compare: the mapping is empty.")
    partitions: dict[str, Partition] = {}
    for name, partition in cast("Mapping[str, PartitionLike]", named).items():
        if str(name) in partitions:
            raise InputError(f"Two partitions are called {str(name)!r}; give each its own name.")
        with naming(name):
            partitions[str(name)] = read_as(partition, None, reading)
    return partitions
