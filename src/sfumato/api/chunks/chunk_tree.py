"""Add up summaries of chunks along one fixed tree, wherever they are made.

Node (level, i) covers the chunks from i 2^level to before (i + 1) 2^level. So the number of chunks
need not be known, they may come in any order, and the sums have the same bits whoever makes them.
"""

import operator
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar, final

from sfumato._optional import require
from sfumato.api.chunks.summary import Summary
from sfumato.api.spread import is_client
from sfumato.errors import (
    ChunkError,
    CostError,
    InputError,
    MissingExtraError,
    SfumatoError,
    UnsupportedError,
)

__all__ = ["Load", "reduce_chunks"]

Node = TypeVar("Node")

_IN_FLIGHT = 64


class Load(NamedTuple):
    """What makes the summary of a chunk, where it runs, and the name of the chunk in errors.

    Of a second round it is another thing that adds up.
    """

    make: Callable[[], Any]
    name: str


@final
class Tree(Generic[Node]):
    """Nodes that are done, of chunks that come in any order.

    Examples
    --------
    >>> tree = Tree(lambda left, right: left + right)
    >>> for index in (2, 0, 1):
    ...     tree.put(index, str(index))
    >>> tree.total()
    '012'
    """

    def __init__(self, add: Callable[[Node, Node], Node]) -> None:
        self._add = add
        self.nodes: dict[tuple[int, int], Node] = {}

    def put(self, index: int, node: Node) -> None:
        """Take the node of one chunk, and add it to its siblings as far as they are there."""
        level = 0
        while (level, index ^ 1) in self.nodes:
            sibling = self.nodes[level, index ^ 1]
            left, right = (sibling, node) if index & 1 else (node, sibling)
            node = self._add(left, right)
            del self.nodes[level, index ^ 1]
            level, index = level + 1, index >> 1
        self.nodes[level, index] = node

    def total(self) -> Node:
        """The sum of all chunks, when none is missing: small nodes are added first."""
        if not self.nodes:
            raise InputError("There are no chunks: give at least one pair (a, b).")
        left = [node for _, node in sorted(self.nodes.items(), reverse=True)]
        node = left.pop()
        while left:
            node = self._add(left.pop(), node)
        return node


def reduce_chunks(
    loads: Iterable[Load], executor: object = None, *, in_flight: int | None = None
) -> Any:
    """The sum of the summaries of all chunks; without an executor they are made in this thread.

    ``in_flight`` is how many chunks are given to an executor at once, where they are in memory
    already; a cluster takes two for each thread if that is more, and any number of those that it
    loads itself. A `ChunkError` holds the summaries of what is done.
    """
    if is_client(executor):
        return _on_client(loads, executor, in_flight)
    return _on_executor(loads, executor, in_flight or _IN_FLIGHT)


def _on_executor(loads: Iterable[Load], executor: Any, in_flight: int) -> Summary:
    tree, firsts, numbered = Tree[Summary](operator.add), list[Summary](), enumerate(loads)
    waiting: dict[Future[Summary], tuple[int, str]] = {}
    try:
        if executor is None:
            for index, load in numbered:
                _put(tree, firsts, index, load.name, partial(_summary_of, load))
            return tree.total()
        while True:
            for index, load in islice(numbered, in_flight - len(waiting)):
                waiting[_submitted(executor, load)] = index, load.name
            if not waiting:
                return tree.total()
            done = wait(waiting, return_when=FIRST_COMPLETED).done
            if not firsts:  # others are held against chunk 0, whichever is done first
                done = {next(iter(waiting))}
            for future in sorted(done, key=waiting.__getitem__):
                _put(tree, firsts, *waiting.pop(future), future.result)
    except ChunkError as error:
        for future in [future for future in waiting if not future.cancel()]:  # done, or running
            with suppress(Exception):
                tree.put(waiting[future][0], future.result())
        raise _with_finished(error, tree.nodes) from error.__cause__
    finally:
        for future in waiting:
            future.cancel()


def _submitted(executor: Any, load: Load) -> "Future[Summary]":
    try:
        return executor.submit(_summary_of, load)
    except BrokenExecutor as error:
        raise _lost(load.name, error) from error
    except RuntimeError as error:  # shut down, before or while it is at work
        raise ChunkError(f"{load.name} was not begun: {_line(error)}") from error


def _put(
    tree: Tree[Any], firsts: list[Any], index: int, name: str, result: Callable[[], object]
) -> None:
    """Take what was found of a chunk, or say what is wrong with it."""
    with _naming(name, ChunkError):  # which has a name already
        found: object = result()
        if not firsts:
            firsts.append(found)
        elif isinstance(found, Summary) and not found.is_like(firsts[0]):
            _ = firsts[0] + found  # says why, if they do not fit
        tree.put(index, found)


def _lost(name: str, error: BrokenExecutor) -> ChunkError:
    return ChunkError(f"{name} was lost, as a worker ended abruptly ({_line(error)})")


def _with_finished(error: ChunkError, nodes: Mapping[tuple[int, int], Summary]) -> ChunkError:
    finished = {range(at << level, (at + 1) << level): node for (level, at), node in nodes.items()}
    finished = dict(sorted(finished.items(), key=lambda item: item[0].start))
    found = ChunkError(f"{str(error).rstrip('.')}; {_finished_in_words(finished)}.")
    found.finished = finished
    return found


def _summary_of(load: Load) -> Summary:
    """The summary of a chunk, or an error that says which."""
    with _naming(load.name):
        return load.make()


@contextmanager
def _naming(name: str, *passed_on: type[Exception]) -> Generator[None]:
    """Say which chunk an error is about, but for errors of the question, and others if told so."""
    try:
        yield
    except (CostError, MissingExtraError, UnsupportedError, *passed_on):
        raise
    except BrokenExecutor as error:
        raise _lost(name, error) from error
    except SfumatoError as error:
        raise ChunkError(f"{name}: {error}") from error
    except Exception as error:  # also what cannot be sent to another process
        raise ChunkError(f"{name}: {type(error).__name__}: {_line(error)}") from error


def _finished_in_words(finished: Iterable[range]) -> str:
    spans: list[range] = []  # those that follow each other are joined
    for span in finished:
        first = spans.pop().start if spans and spans[-1].stop == span.start else span.start
        spans.append(range(first, span.stop))
    if not spans:
        return "no chunk is finished"
    words = ", ".join(f"{s[0]}" if len(s) == 1 else f"{s[0]} to {s[-1]}" for s in spans)
    chunks = "chunks {} are" if sum(map(len, spans)) > 1 else "chunk {} is"
    return f"{chunks.format(words)} finished: see this error's .finished"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


# On a Dask cluster sums stay on the workers, and one summary comes back.


class _Remote(NamedTuple):
    """A node of the tree that is made on the cluster; the level of an incomplete one is -1."""

    level: int
    at: int
    future: Any

    @property
    def first(self) -> str:
        """Where its chunks begin, in words."""
        return "the last chunks" if self.level < 0 else f"chunk {self.at << self.level}"


def _on_client(loads: Iterable[Load], client: Any, in_flight: int | None) -> Summary:
    made: list[_Remote] = []  # every node, so that none is lost

    def submit(level: int, at: int, function: Callable[..., Summary], *given: object) -> _Remote:
        made.append(_Remote(level, at, client.submit(function, *given, pure=False)))
        return made[-1]

    def add(left: _Remote, right: _Remote) -> _Remote:
        level = left.level + 1 if left.level == right.level else -1
        at = left.at >> 1 if level >= 0 else left.at
        return submit(level, at, _add_named, left.future, right.future, left.first, right.first)

    tree, waiting = Tree(add), list[Any]()
    most = inf if in_flight is None else max(in_flight, 2 * sum(client.nthreads().values()))
    for index, load in enumerate(loads):
        if len(waiting) >= most:
            distributed: Any = require("distributed", extra="dask", needed_by="a Dask Client")
            waiting = list(distributed.wait(waiting, return_when=FIRST_COMPLETED).not_done)
        node = submit(0, index, _summary_of, load)
        waiting.append(node.future)
        tree.put(index, node)
    total = tree.total()
    try:
        return total.future.result()
    except Exception as error:
        done = {
            (node.level, node.at): node.future
            for node in made
            if node.future.status == "finished" and node.level >= 0
        }
        top = {
            (level, at): future
            for (level, at), future in done.items()
            if not any((level + up, at >> up) in done for up in range(1, 64))
        }
        nodes = dict(zip(top, client.gather(list(top.values())), strict=True))
        message = f"a chunk was lost on the cluster: {type(error).__name__}: {_line(error)}"
        message = str(error) if isinstance(error, SfumatoError) else message
        raise _with_finished(ChunkError(message), nodes) from error


def _add_named(left: Summary, right: Summary, first: str, second: str) -> Summary:
    try:
        return left + right
    except InputError as error:
        raise ChunkError(f"from {second} on (against those from {first} on): {error}") from error
