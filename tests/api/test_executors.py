"""The same bits on any executor, and what is left after a failure."""

import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

import sfumato as sf
from loaders import (
    bad_chunk,
    chunks,
    fuzzy_chunk,
    hard_chunk,
    killing_chunk,
    seen_chunk,
)
from sfumato.api.chunks.chunk_tree import Load, Tree, reduce_chunks

COUNT = 13


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def client():
    pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("load", [fuzzy_chunk, hard_chunk])
def test_threads_and_processes_have_the_bits_of_one_thread(load, processes):
    expected = sf.summarize(chunks(load, COUNT))
    with ThreadPoolExecutor(3) as threads:
        assert sf.summarize(chunks(load, COUNT), executor=threads) == expected
    assert sf.summarize(chunks(load, COUNT), executor=processes) == expected


def test_pairs_in_memory_and_generators_of_them_are_chunks_too(processes):
    pairs = [load() for load in chunks(fuzzy_chunk, 3)]
    expected = sf.summarize(chunks(fuzzy_chunk, 3))
    assert sf.summarize(pairs) == expected
    assert sf.summarize(iter(pairs)) == expected
    assert sf.summarize(pairs, executor=processes) == expected


def test_chunks_may_come_in_any_order():
    expected = Tree(lambda left, right: f"({left}+{right})")
    for index in range(COUNT):
        expected.put(index, str(index))
    for seed in range(5):
        tree = Tree(lambda left, right: f"({left}+{right})")
        for index in random.Random(seed).sample(range(COUNT), COUNT):
            tree.put(index, str(index))
        assert tree.total() == expected.total()


def test_a_cluster_of_two_processes_has_the_same_bits_also_when_one_is_killed(client, tmp_path):
    expected = sf.summarize(chunks(fuzzy_chunk, COUNT))
    assert sf.summarize(chunks(fuzzy_chunk, COUNT), executor=client.get_executor()) == expected
    loads = chunks(fuzzy_chunk, COUNT)
    marker = tmp_path / "killed"
    loads[7] = partial(killing_chunk, 7, str(marker))
    assert sf.summarize(loads, executor=client) == expected
    assert marker.exists()


def test_a_cluster_keeps_what_is_done_when_a_chunk_is_bad(client):
    loads = chunks(fuzzy_chunk, COUNT)
    loads[5] = partial(bad_chunk, 5)
    with pytest.raises(sf.ChunkError, match=r"^chunk 5: .*row 12") as raised:
        sf.summarize(loads, executor=client)
    check_resumed(raised.value.finished)


def check_resumed(finished):
    """What is finished and what was missing make the whole."""
    done = {index for span in finished for index in span}
    assert 5 not in done
    missing = [index for index in range(COUNT) if index not in done]
    rest = sf.summarize(partial(fuzzy_chunk, index) for index in missing)
    whole = sum([*finished.values(), rest])
    expected = sf.summarize(chunks(fuzzy_chunk, COUNT))
    assert whole.n_objects == expected.n_objects
    found, wanted = (each.compare(measure="adjusted_rand") for each in (whole, expected))
    assert found.mean == pytest.approx(wanted.mean, abs=1e-14)


@pytest.fixture
def loky():
    """The executor of joblib: one for all tests, and a new one where it is broken."""
    return pytest.importorskip("joblib.externals.loky").get_reusable_executor(2)


def test_loky_has_the_bits_of_one_thread_and_takes_local_functions(loky):
    loads = chunks(fuzzy_chunk, COUNT)
    expected = sf.summarize(loads)
    assert sf.summarize(loads, executor=loky) == expected
    assert sf.summarize([lambda load=load: load() for load in loads], executor=loky) == expected


def test_loky_keeps_what_is_done_when_a_process_is_killed(loky, tmp_path):
    loads = chunks(fuzzy_chunk, COUNT)
    loads[5] = partial(killing_chunk, 5, str(tmp_path / "killed"))
    with pytest.raises(sf.ChunkError, match="was lost, as a worker ended abruptly") as raised:
        sf.summarize(loads, executor=loky)
    check_resumed(raised.value.finished)


@pytest.mark.parametrize("kind", ["here", "threads", "processes", "loky"])
def test_a_bad_chunk_is_named_and_the_others_are_kept(kind, processes, request):
    loads = chunks(fuzzy_chunk, COUNT)
    loads[5] = partial(bad_chunk, 5)
    with ThreadPoolExecutor(2) as threads:
        executor = {"here": None, "threads": threads, "processes": processes}.get(kind)
        if kind == "loky":
            executor = request.getfixturevalue("loky")
        with pytest.raises(sf.ChunkError, match=r"^chunk 5: .*row 12.* finished") as raised:
            sf.summarize(loads, executor=executor)
    assert "\n" not in str(raised.value)
    check_resumed(raised.value.finished)
    if kind == "here":
        assert list(raised.value.finished) == [range(0, 4), range(4, 5)]
        assert "chunks 0 to 4 are finished" in str(raised.value)


def test_a_killed_process_of_a_pool_is_said_and_what_is_done_is_kept(tmp_path):
    loads = chunks(fuzzy_chunk, 8)
    loads[7] = partial(killing_chunk, 7, str(tmp_path / "killed"))
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(sf.ChunkError, match="was lost, as a worker ended abruptly") as raised,
    ):
        sf.summarize(loads, executor=pool)
    done = {index for span in raised.value.finished for index in span}
    assert 7 not in done


def test_a_chunk_that_is_no_pair_is_named():
    with pytest.raises(sf.ChunkError, match=r"chunk 1: a chunk is a pair \(a, b\), got int") as bad:
        sf.summarize([hard_chunk(0), 5])
    assert "chunk 0 is finished" in str(bad.value)
    assert list(bad.value.finished) == [range(0, 1)]


def test_no_chunks_and_no_executor():
    with pytest.raises(sf.InputError, match="There are no chunks"):
        sf.summarize([])
    with pytest.raises(sf.InputError, match="iterable of pairs"):
        sf.summarize(5)
    with pytest.raises(sf.InputError, match="executor must be"):
        sf.summarize([], executor="threads")


def test_streamed_chunks_are_given_to_a_cluster_a_few_at_a_time(client, tmp_path):
    seen = []

    def loads():
        for index in range(12):
            seen.append((index, len(list(tmp_path.iterdir()))))
            yield Load(partial(seen_chunk, tmp_path / str(index)), f"chunk {index}")

    assert reduce_chunks(loads(), client, in_flight=1).n_objects == 24
    assert len(seen) == 12
    # Two workers of one thread: four chunks may wait, and one more is on its way.
    assert all(n_done >= index - 4 for index, n_done in seen)
