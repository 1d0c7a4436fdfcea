"""How much a file of Arrow messages (feather) unpacks to, before any of it is unpacked.

pyarrow does not say, so the place of each buffer is looked up in the metadata of its message, which
is a flatbuffer: a table begins with the way back to its list of fields, and that list says how far
behind the beginning of the table each field stands.
"""

import struct
from typing import Any

__all__ = ["unpacked_bytes"]

_HEADER, _DATA, _BUFFERS, _COMPRESSION = 2, 1, 2, 3  # places of fields in Arrow's schema


def unpacked_bytes(message: Any) -> int:
    """Bytes that the body of a message of pyarrow takes: compressed buffers tell their sizes first.

    Raises
    ------
    ValueError
        If the metadata is damaged.

    Examples
    --------
    >>> import pyarrow
    >>> batch = pyarrow.record_batch({"a": [0.0] * 1000})
    >>> unpacked_bytes(pyarrow.ipc.read_message(batch.serialize()))
    8000
    """
    metadata, body = memoryview(message.metadata), message.body
    if body is None or message.type == "schema":
        return 0
    try:
        batch = _pointed(metadata, _field(metadata, _pointed(metadata, 0), _HEADER))
        if message.type == "dictionary":
            batch = _pointed(metadata, _field(metadata, batch, _DATA))
        if not _field(metadata, batch, _COMPRESSION):
            return body.size
        return _compressed(metadata, _pointed(metadata, _field(metadata, batch, _BUFFERS)), body)
    except struct.error as error:
        raise ValueError(f"damaged metadata: {error}") from None


def _compressed(metadata: memoryview, buffers: int, body: Any) -> int:
    total = 0
    content = memoryview(body)
    (count,) = struct.unpack_from("<I", metadata, buffers)
    for at in range(buffers + 4, buffers + 4 + 16 * count, 16):
        start, length = struct.unpack_from("<qq", metadata, at)
        if length > 0:
            total += max(length, *struct.unpack_from("<q", content, start))  # -1: as it is
    return total


def _field(metadata: memoryview, table: int, number: int) -> int:
    """Where a field of a table stands, or 0 if it was left out."""
    fields = table - struct.unpack_from("<i", metadata, table)[0]
    (size,) = struct.unpack_from("<H", metadata, fields)
    if 4 + 2 * number >= size:
        return 0
    (offset,) = struct.unpack_from("<H", metadata, fields + 4 + 2 * number)
    return table + offset if offset else 0


def _pointed(metadata: memoryview, at: int) -> int:
    return at + struct.unpack_from("<I", metadata, at)[0]
