"""Partitions from files and to files, and results to files."""

from sfumato._files import write_text
from sfumato.io.json_file import json_text
from sfumato.io.read import read_partition
from sfumato.io.write import write_partition

__all__ = ["json_text", "read_partition", "write_partition", "write_text"]
