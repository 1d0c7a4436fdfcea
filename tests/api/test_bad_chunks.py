"""Chunks that do not fit together, or are wrong: one line that names the chunk, nothing lost."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf

N = 9
QUESTIONS = {
    "sums": {},
    "draws": {"measures": ["partition_distance"]},
    "range": {"quantity": "range"},
}


def labels(seed, n=N):
    return np.random.default_rng(seed).integers(3, size=n)


def fuzzy(k=3, dtype=float, names=None):
    p = np.random.default_rng(k).dirichlet(np.ones(k), N).astype(dtype)
    return p if names is None else pd.DataFrame(p, columns=list(names))


def possibilistic(k=3):
    p = np.random.default_rng(k).random((N, k))
    return sf.PossibilisticPartition(p / p.max(axis=1, keepdims=True))


def evidential(k=3, names=None):
    sets = np.vstack([np.eye(k, dtype=bool), np.ones((1, k), dtype=bool)])
    masses = np.random.default_rng(k).dirichlet(np.ones(k + 1), N)
    return sf.EvidentialPartition(masses, sets, names=names and list(names))


SAME_COLUMNS = "clusters .* here and .* elsewhere: give all chunks the same columns"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kept", QUESTIONS)
@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        (fuzzy(3), fuzzy(4), SAME_COLUMNS),
        (fuzzy(names="xyz"), fuzzy(names="xzy"), SAME_COLUMNS),
        (fuzzy(names="xyz"), fuzzy(names="xyw"), SAME_COLUMNS),
        (possibilistic(3), possibilistic(4), SAME_COLUMNS),
        (evidential(3), evidential(4), SAME_COLUMNS),
        (evidential(names="xyz"), evidential(names="zyx"), SAME_COLUMNS),
        (fuzzy(), evidential(), "is evidential here and fuzzy elsewhere: give all chunks one kind"),
        (labels(0), fuzzy(), "is fuzzy here and hard elsewhere: give all chunks one kind"),
        (fuzzy(dtype=np.float32), fuzzy(), "of float64 here and of float32 elsewhere"),
        (
            fuzzy(names="xyz"),
            fuzzy(names="xyz", dtype=np.float32),
            "of float32 here and of float64 elsewhere",
        ),
        (labels(0), labels(1).astype(str), "labels that are text, such as '0', where others are n"),
        (labels(0), labels(1) > 0, "labels that are truth values, such as False, where others"),
        (labels(0), pd.Series(pd.to_datetime(["2020-01-01"] * N)), "labels that are of type "),
        (fuzzy(), fuzzy() * np.where(np.arange(N) == 4, np.nan, 1)[:, None], "row 4.* is nan"),
        (labels(0), labels(0, 8), "9 and 8 objects|8 and 9 objects"),
    ],
)
def test_the_third_chunk_is_named(good, bad, words, kept, turned):
    chunks = [(side, labels(5)) for side in (good, good, bad)]
    if turned:
        chunks = [(b, a) for a, b in chunks]
    with pytest.raises(sf.ChunkError, match=f"^chunk 2: .*{words}") as raised:
        sf.summarize(chunks, **QUESTIONS[kept], rng=0)
    assert "chunks 0 to 1 are finished: see this error's .finished" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert [summary.n_objects for summary in raised.value.finished.values()] == [2 * N]


@pytest.mark.parametrize("kept", QUESTIONS)
@pytest.mark.parametrize("empty", [np.zeros(0, int), np.zeros((0, 3))])
def test_an_empty_chunk_is_named(empty, kept):
    good = labels(0) if empty.ndim == 1 else fuzzy()
    with pytest.raises(sf.ChunkError, match=r"^chunk 1: .*at least one row.*chunk 0 is finished"):
        sf.summarize([(good, labels(1)), (empty, labels(1, 0))], **QUESTIONS[kept])


def test_the_odd_chunk_is_named_also_if_it_is_ready_first():
    def slow():
        time.sleep(0.2)
        return labels(0), labels(1)

    chunks = [slow, slow, lambda: (fuzzy(), labels(1)), slow]
    with (
        ThreadPoolExecutor(4) as threads,
        pytest.raises(sf.ChunkError, match=r"^chunk 2: side a is fuzzy here and hard elsewhere"),
    ):
        sf.summarize(chunks, executor=threads)


def lists(values):
    return pa.array(values.tolist(), pa.list_(pa.from_numpy_dtype(values.dtype)))


def fixed_lists(values):
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


@pytest.mark.parametrize("kept", QUESTIONS)
@pytest.mark.parametrize("make", [lists, fixed_lists])
@pytest.mark.parametrize("values", [fuzzy, lambda k: np.ones((N, k), dtype=bool)])
def test_lists_of_another_length_in_a_late_file(tmp_path, make, values, kept):
    for at, k in enumerate((3, 3, 4)):
        table = pa.table({"m": make(values(k)), "label": labels(at)})
        pq.write_table(table, tmp_path / f"{at}.parquet")
    with pytest.raises(sf.ChunkError, match=f"^chunk 2: .*2.parquet.*{SAME_COLUMNS}"):
        sf.scan(tmp_path, a="m", b="label").summarize(**QUESTIONS[kept], rng=0)


@pytest.mark.parametrize("kept", QUESTIONS)
@pytest.mark.parametrize("b", ["m", "label"])
def test_another_dtype_in_a_late_file(tmp_path, b, kept):
    for at, dtype in enumerate((np.float32, np.float64)):
        p = fuzzy(dtype=dtype)
        others = {"m": lists(fuzzy(2)), "label": labels(at)}
        table = pa.table({f"p{i}": p[:, i] for i in range(3)} | others)
        pq.write_table(table, tmp_path / f"{at}.parquet")
    with pytest.raises(sf.ChunkError, match=r"^chunk 1: .*of float64 here and of float32 else"):
        sf.scan(tmp_path, a=["p0", "p1", "p2"], b=b).summarize(**QUESTIONS[kept], rng=0)


def test_names_of_sets_and_labels_that_come_late_are_fine():
    chunks = [
        (sf.RoughPartition.from_sets([{0}, {0, 1}]), ["x", "y"]),
        (sf.RoughPartition.from_sets([{0, 2}, {2}]), ["w", "x"]),
    ]
    assert sf.summarize(chunks).counts.names == ((0, 1, 2), ("w", "x", "y"))


@pytest.mark.parametrize("where", ["on all cores", "in one thread"])
def test_a_bad_chunk_in_the_middle_leaves_nothing_half_written(tmp_path, where):
    folder, names = tmp_path / "data", ["p0", "p1", "p2"]
    folder.mkdir()
    tables = [dict(zip(names, fuzzy().T.copy(), strict=True)) for _ in range(7)]
    tables[3]["p1"][4] = np.nan
    for at, columns in enumerate(tables):
        pq.write_table(pa.table(columns | {"label": labels(at)}), folder / f"{at}.parquet")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")}
    scan = sf.scan(folder, a=names, b="label")
    with ThreadPoolExecutor(1) as thread:
        executor = thread if where == "in one thread" else None
        with pytest.raises(sf.ChunkError, match=r"^chunk 3: .*3\.parquet: .*row 4.* is nan") as bad:
            scan.summarize(executor=executor)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    # What is finished is whole: chunks before the bad one, and perhaps some after it.
    spans = bad.value.finished
    done = {at for span in spans for at in span}
    assert {0, 1, 2} <= done <= {0, 1, 2, 4, 5, 6}
    for span, summary in spans.items():
        parts = [sf.scan(folder / f"{at}.parquet", a=names, b="label").summarize() for at in span]
        assert summary.n_objects == N * len(span)
        assert summary.sums.sums.rows == pytest.approx(sum(parts).sums.sums.rows, abs=1e-12)


def test_summaries_that_were_finished_are_resumed_from():
    good = [(fuzzy(), labels(at)) for at in range(6)]
    chunks = [*good[:3], partial(np.load, "no such file"), *good[3:]]
    with pytest.raises(sf.ChunkError, match=r"^chunk 3: FileNotFoundError") as raised:
        sf.summarize(chunks)
    assert sum(raised.value.finished.values()) + sf.summarize(good[3:]) == sum(
        [sf.summarize(good[:2]), sf.summarize(good[2:3]), sf.summarize(good[3:])]
    )


def test_an_executor_that_was_shut_down_is_one_line():
    threads = ThreadPoolExecutor(1)
    threads.shutdown()
    with pytest.raises(sf.ChunkError, match=r"^chunk 0 was not begun: .*shutdown; no chunk is fin"):
        sf.summarize([(labels(0), labels(1))], executor=threads)
