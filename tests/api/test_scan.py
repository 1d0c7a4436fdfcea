"""Scans of files and frames answer as the partitions in memory do, and say what is wrong."""

import gzip
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import sfumato as sf

N, K = 500, 4
P = [f"p{i}" for i in range(K)]


def data(seed=0, n=N):
    """Memberships, labels and sets of the same objects, as columns."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(K), n).astype(np.float32)
    mask = rng.random((n, 3)) < 0.4
    mask[np.arange(n), rng.integers(3, size=n)] = True
    columns = {f"p{i}": p[:, i] for i in range(K)}
    columns |= {
        "label": rng.integers(-1, 3, n),
        "word": rng.choice(["u", "v", "w"], n),
        "cluster": rng.integers(5, size=n, dtype=np.int16),
    }
    columns |= {f"m{i}": mask[:, i] for i in range(3)}
    table = pa.table(columns)
    fixed = pa.FixedSizeListArray.from_arrays(pa.array(p.ravel()), K)
    sets = pa.array([[f"c{i}" for i in np.flatnonzero(row)] for row in mask])
    table = table.append_column("fixed", fixed)
    table = table.append_column("list", pa.array(p.tolist(), pa.list_(pa.float32())))
    return table.append_column("sets", sets)


def memberships(table):
    return np.stack([table[name].to_numpy() for name in P], axis=1)


@pytest.fixture(scope="module")
def table():
    return data()


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    """Two files of several row groups each."""
    path = tmp_path_factory.mktemp("parts")
    pq.write_table(table.slice(0, 300), path / "part-0.parquet", row_group_size=90)
    pq.write_table(table.slice(300), path / "part-1.parquet", row_group_size=90)
    return path


@pytest.mark.parametrize("a", [P, "fixed", "list"])
@pytest.mark.parametrize("b", ["label", "word"])
def test_parquet_of_memberships(folder, table, a, b):
    found = sf.scan(folder, a=a, b=b).evaluate(
        ["rand", "adjusted_rand", "normalized_mutual_information"]
    )
    for measure in ("rand", "adjusted_rand", "normalized_mutual_information"):
        expected = sf.compare(memberships(table), table[b].to_pylist(), measure=measure)
        row = found["a", measure]
        assert row.mean == pytest.approx(expected.mean, abs=max(1e-12, row.error))
        assert row.error < 1e-3
    assert found["a", "rand"].guarantee == "exact"
    turned = sf.scan(folder, a=b, b=a).compare()
    assert turned.kinds == ("hard", "fuzzy")
    assert turned.mean == pytest.approx(found["a", "rand"].mean, abs=1e-12)


@pytest.mark.parametrize("pair", [("label", "cluster"), ("word", "cluster"), ("word", "word")])
def test_parquet_of_labels_is_counted(folder, table, pair):
    a, b = pair
    scan = sf.scan([folder / "part-0.parquet", folder / "part-1.parquet"], a=a, b=b)
    summary = scan.summarize()
    expected = sf.summarize([(table[a].to_pylist(), table[b].to_pylist())])
    assert summary == expected
    assert summary.n_objects == N


@pytest.mark.parametrize("a", ["sets", ["m0", "m1", "m2"]])
def test_parquet_of_sets_is_rough(folder, table, a):
    found = sf.scan(str(folder / "*.parquet"), a=a, b="label").compare()
    mask = np.stack([table[f"m{i}"].to_numpy(zero_copy_only=False) for i in range(3)], axis=1)
    expected = sf.compare(sf.RoughPartition(mask), table["label"].to_numpy())
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert found.kinds == ("rough", "hard")


def test_csv(table, tmp_path):
    path = tmp_path / "data.csv"
    pa.csv.write_csv(table.select([*P, "label", "word"]), path)
    found = sf.scan(path, a=P, b="word").compare()
    expected = sf.compare(memberships(table), table["word"].to_pylist())
    assert found.mean == pytest.approx(expected.mean, abs=1e-8)
    assert sf.scan(path, a="label", b="word").compare().is_exact


def frames(table):
    """The same table for each library."""
    dask = pytest.importorskip("dask.dataframe")
    plain = table.select([*P, "label", "word", "cluster", "m0", "m1", "m2"])
    return {
        "polars": pl.from_arrow(plain).lazy(),
        "duckdb": CONNECTION.from_arrow(plain),
        "dask": dask.from_pandas(plain.to_pandas(), npartitions=3),
        "pandas": plain.to_pandas(),
        "pyarrow": plain,
    }


CONNECTION = duckdb.connect()
LIBRARIES = ["polars", "duckdb", "dask", "pandas", "pyarrow"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_count_labels_themselves(table, library, monkeypatch):
    counted = []
    length = nw.len
    monkeypatch.setattr(nw, "len", lambda: counted.append(1) or length())
    frame = frames(table)[library]
    expected = sf.summarize([(table["word"].to_pylist(), table["label"].to_numpy())])
    assert sf.scan(frame, a="word", b="label").summarize() == expected
    rough = sf.scan(frame, a=["m0", "m1", "m2"], b="label").summarize()
    assert rough.compare().lower == sf.scan(table, a=["m0", "m1", "m2"], b="label").compare().lower
    assert rough.kinds == ("rough", "hard")
    assert len(counted) >= 2  # one group_by(...).len() each


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_of_memberships_are_read_in_chunks(table, library):
    found = sf.scan(frames(table)[library], a=P, b="word").compare()
    expected = sf.compare(memberships(table), table["word"].to_pylist())
    assert found.mean == pytest.approx(expected.mean, abs=1e-12)


def test_labels_that_look_like_noise_are_noted_once(folder, table):
    expected = sf.compare(memberships(table), table["label"].to_numpy()).notes
    noise = [note for note in expected if "taken for a cluster" in note]
    for found in (
        sf.scan(folder, a=P, b="label").compare(),
        sf.scan(folder, a="label", b="word").compare(),
        sf.scan(table, a="word", b="label").compare(),
    ):
        assert [note for note in found.notes if "taken for a cluster" in note] == noise


def test_columns_of_one_name_as_the_count_and_of_both_sides(table):
    frame = pl.DataFrame({"objects": [0, 0, 1], "n": [1, 1, 1]}).lazy()
    found = sf.scan(frame, a="objects", b="objects").compare()
    assert found.mean == 1.0
    assert sf.scan(frame, a="objects", b="n").compare().mean == pytest.approx(1 / 3)


def test_lists_of_pairs_and_loaders(table, tmp_path):
    pairs = [(memberships(table)[:100], table["label"].to_numpy()[:100])] * 2
    expected = sf.summarize(pairs)
    assert sf.scan(pairs).summarize() == expected
    assert sf.scan([partial(tuple, pair) for pair in pairs]).summarize() == expected
    loads = [partial(table.slice, at, 100) for at in (0, 100)]
    assert sf.scan(loads, a=P, b="label").summarize().n_objects == 200


def test_nothing_is_read_before_it_is_asked_for(tmp_path, folder):
    path = tmp_path / "late.parquet"
    pq.write_table(data(1), path)
    scan = sf.scan(path, a=P, b="label")
    pq.write_table(data(2), path)
    expected = sf.compare(memberships(data(2)), data(2)["label"].to_numpy())
    assert scan.compare().mean == pytest.approx(expected.mean, abs=1e-13)
    plan = sf.scan(folder, a=P, b="label").explain(["rand"])
    assert plan.second_round.startswith("for standard deviations (rounds=2), about ")
    entropies = sf.scan(folder, a=P, b="label").explain(["mutual_information"], rounds=2)
    assert "second   for standard deviations and exact means of entropies" in repr(entropies)
    assert "second" not in repr(sf.scan(folder, a=P, b="label").explain(["purity"]))
    assert (plan.passes, plan.n_objects, plan.n_chunks) == (1, N, 7)
    assert plan.bytes > 4 * K * N
    assert "sums of memberships" in str(plan)
    assert "passes   1" in str(plan)


def written(tmp_path, *tables):
    for at, each in enumerate(tables):
        pq.write_table(each, tmp_path / f"part-{at:03}.parquet")
    return tmp_path


def test_a_column_missing_in_a_late_file(tmp_path):
    path = written(tmp_path, *[data(at, 20) for at in range(9)], data(9, 20).drop_columns(["p2"]))
    with pytest.raises(
        sf.ChunkError, match=r"^chunk 9: .*part-009.parquet: column 'p2' is missing; it has 'p0'"
    ) as raised:
        sf.scan(path, a=P, b="label").compare()
    assert sum(raised.value.finished.values()).n_objects == 180
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("column", ["p1", "label", "word"])
def test_a_gap_in_a_late_chunk_is_named_with_its_row(tmp_path, column):
    bad = data(3, 20)
    at = bad.schema.get_field_index(column)
    values = bad[column].to_pylist()
    values[13] = None
    bad = bad.set_column(at, column, pa.array(values, bad.schema.field(column).type))
    path = written(tmp_path, *[data(each, 20) for each in range(3)], bad)
    b = "word" if column == "p1" else column
    with pytest.raises(sf.ChunkError, match=r"^chunk 3: .*13.*chunks 0 to 2 are finished"):
        sf.scan(path, a=P, b=b).compare()


def test_nan_in_a_late_block_of_a_chunk_is_named_with_its_row(tmp_path):
    n, row = 300_000, 280_123
    p = np.full((n, 2), 0.5, dtype=np.float32)
    p[row, 1] = np.nan
    table = pa.table({"p": p[:, 0], "q": p[:, 1], "label": np.zeros(n, dtype=np.int32)})
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(sf.ChunkError, match=f"^chunk 0: .*row {row}"):
        sf.scan(tmp_path / "x.parquet", a=["p", "q"], b="label").compare()


def test_sums_in_blocks_are_those_of_the_whole(tmp_path):
    rng, n = np.random.default_rng(4), 300_000
    p = rng.dirichlet(np.ones(K), n).astype(np.float32)
    table = pa.table({**dict(zip(P, p.T, strict=True)), "label": rng.integers(-1, 3, n)})
    pq.write_table(table, tmp_path / "x.parquet")
    found = sf.scan(tmp_path / "x.parquet", a=P, b="label").compare(measure="adjusted_rand")
    expected = sf.compare(memberships(table), table["label"].to_numpy(), measure="adjusted_rand")
    assert found.mean == pytest.approx(expected.mean, abs=1e-9)
    assert found.error < 1e-9


@pytest.mark.parametrize("library", ["polars", "duckdb", "dask"])
def test_missing_labels_of_a_frame_are_counted_and_can_be_found(library):
    """What the error says is run as it stands."""
    rows = pa.table({"a b": ["x", None, None, "y"], "label": pa.array([0, 1, 0, None], pa.int64())})
    frame = {
        "polars": lambda: pl.from_arrow(rows).lazy(),
        "duckdb": lambda: CONNECTION.from_arrow(rows),
        "dask": lambda: pytest.importorskip("dask.dataframe").from_pandas(
            rows.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get), npartitions=2
        ),
    }[library]()
    for column, n_missing in (("a b", 2), ("label", 1)):
        sides = {"a": column, "b": column}
        message = f"^column '{column}' has {n_missing} missing labels in 4 rows: frame"
        with pytest.raises(sf.InputError, match=message) as raised:
            sf.scan(frame, **sides).compare()
        seen, dropped = re.search(
            r"rows: (frame.*) shows them, and (frame.*) drops them, or fill them in\.$",
            str(raised.value),
        ).groups()
        names = {"frame": frame, "pl": pl}
        assert n_rows(eval(seen, names)) == n_missing
        assert sf.scan(eval(dropped, names), **sides).summarize().n_objects == 4 - n_missing
    with pytest.raises(sf.InputError, match="column 'a b' has 2 missing labels") as raised:
        sf.scan(frame, a="a b", b="label").compare()
    dropped = re.search(r"and (frame.*) drops", str(raised.value))[1]
    left = sf.scan(eval(dropped, {"frame": frame}), a="a b", b="label").summarize()
    assert left.n_objects == 1


def n_rows(frame):
    return len(nw.from_native(frame).lazy().collect())


@pytest.mark.parametrize("make", [pl.from_arrow, pa.table, lambda table: table.to_pandas()])
def test_missing_labels_of_a_frame_in_memory_have_a_row(make):
    rows = pa.table({"a": ["x", None, None, "y"], "b": [0, 1, 0, 1]})
    with pytest.raises(sf.InputError, match="2 missing labels in 4 rows: the first is in row 1;"):
        sf.scan(make(rows), a="a", b="b").compare()


X = pd.DataFrame({"x": [0]})


@pytest.mark.parametrize(
    ("source", "a", "b", "words"),
    [
        ("none.parquet", "a", "b", "There is no file none.parquet"),
        (5, "a", "b", "scan takes files, frames"),
        (5, None, None, "scan takes files, frames"),
        (X, "x", "y", "column 'y' is missing; it has 'x'"),
        (X, "x", None, "columns of both sides"),
        (X, ["x", "x"], "x", "names the column 'x' twice"),
        (X, 5, "x", "a must be the name of a column"),
        (X, None, None, r"frames need a=\.\.\. and b="),
    ],
)
def test_what_cannot_be_scanned(source, a, b, words):
    with pytest.raises(sf.InputError, match=words):
        sf.scan(source, a=a, b=b)


def test_other_files_and_broken_ones(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(sf.InputError, match="reads parquet and csv"):
        sf.scan(tmp_path / "notes.txt", a="a", b="b")
    (tmp_path / "notes.parquet").write_text("x" * 100)
    with pytest.raises(sf.ChunkError, match=r"chunk 0: .*notes.parquet: .*magic"):
        sf.scan(tmp_path / "notes.parquet", a="a", b="b").compare()
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(sf.InputError, match="no parquet or csv file"):
        sf.scan(empty, a="a", b="b")
    pq.write_table(data(0).slice(0, 0), tmp_path / "norows.parquet")
    with pytest.raises(sf.ChunkError, match=r"chunk 0: .*no rows"):
        sf.scan(tmp_path / "norows.parquet", a=P, b="label").compare()


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([[0.5, 0.5], [1.0], [1.0]], "column 'a': row 1 has 1 entries, and the first has 2"),
        (pa.array([[]] * 3, pa.list_(pa.float64())), "column 'a' has lists without entries"),
        (pa.array([[]] * 3, pa.list_(pa.float32(), 0)), "column 'a' has lists without entries"),
        ([["x"], None, ["x", None]], "column 'a': the set in row 2 has a missing name"),
        ([{"x": 1}] * 3, "column 'a' must hold labels or lists, got struct"),
    ],
)
def test_what_a_column_cannot_hold(column, words):
    with pytest.raises(sf.ChunkError, match=words):
        sf.scan(pa.table({"a": column, "b": [0, 1, 1]}), a="a", b="b").compare()


def test_evidential_columns_by_their_names():
    n = 300
    rng = np.random.default_rng(0)
    names = ["{x}", "{y}", "{x,y}"]
    frame = pd.DataFrame(rng.dirichlet(np.ones(3), n), columns=names)
    frame["label"] = rng.integers(2, size=n)
    scan = sf.scan(frame, a=names, b="label", kinds=("evidential", None))
    found = scan.compare(engine=sf.Sampled(n_samples=200), rng=0)
    expected = sf.compare(sf.as_partition(frame[names], "evidential"), frame["label"])
    assert found.kinds == ("evidential", "hard")
    assert found.lower == pytest.approx(expected.lower, abs=found.error)
    assert found.upper == pytest.approx(expected.upper, abs=found.error)


@pytest.mark.parametrize("name", [" ", float("nan"), 0.5])
def test_names_that_are_no_labels_are_refused_in_categories_too(tmp_path, name):
    other = "x" if isinstance(name, str) else 1.0
    words = pa.DictionaryArray.from_arrays([0, 0, 1, 0], pa.array([other, name]))
    frame = pa.table({"a": words, "b": [0, 1, 1, 0]})
    pq.write_table(frame, tmp_path / "x.parquet")
    for source in (frame, tmp_path / "x.parquet"):
        with pytest.raises(sf.ChunkError, match=r"^chunk 0: (.*x.parquet: )?Label 2 is"):
            sf.scan(source, a="a", b="b").compare()


def test_columns_of_one_name_are_refused():
    twice = pd.DataFrame([[1, 2, 3], [1, 2, 4]], columns=["a", "a", "b"])
    with pytest.raises(sf.InputError, match="several columns of one name"):
        sf.scan(twice, a="a", b="b")


def test_explaining_a_file_that_cannot_be_read_says_why(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1, or not")
    with pytest.raises(sf.InputError, match=r"x\.parquet: .*not a parquet file\.$"):
        sf.scan(tmp_path / "x.parquet", a="a", b="b").explain()


@pytest.mark.parametrize("is_old", [False, True])
def test_a_query_without_an_order_of_rows_is_run_once(monkeypatch, is_old):
    monkeypatch.setattr("sfumato.api.chunks.scan_sources._ROWS_OF_CHUNK", 5000)
    if is_old:
        monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    n = 40_000
    p = np.arange(n) / n
    rows = pl.DataFrame({"id": np.arange(n), "p": p, "q": 1 - p, "label": np.arange(n) % 3})
    query = rows.lazy().group_by("id").agg(pl.all().first())
    summary = sf.scan(query, a=["p", "q"], b="label").summarize()
    assert summary.n_objects == n
    assert summary.sums.sums.rows[0] == pytest.approx([p.sum(), n - p.sum()], abs=1e-6)
    assert summary.compare().mean == pytest.approx(
        sf.compare(np.stack([p, 1 - p], axis=1), np.arange(n) % 3).mean, abs=1e-12
    )


def test_a_query_that_fails_or_is_empty_says_so():
    rows = pl.DataFrame({"p": ["0.5", "x"], "label": ["u", "v"]}).lazy()
    numbers = rows.with_columns(pl.col("p").cast(pl.Float64)).with_columns(q=1 - pl.col("p"))
    with pytest.raises(sf.InputError, match="the frame could not be read: InvalidOperationError"):
        sf.scan(numbers, a=["p", "q"], b="label").compare()
    empty = pl.DataFrame({"p": [1.0], "q": [0.0], "label": [0]}).lazy().filter(pl.col("p") < 0)
    with pytest.raises(sf.InputError, match="The frame has no rows"):
        sf.scan(empty, a=["p", "q"], b="label").compare()


@pytest.mark.parametrize(
    ("kinds", "words"), [("fuzzy", "must be a pair"), (("fuzy", None), "did you mean 'fuzzy'")]
)
def test_kinds_that_are_none_are_refused_before_reading(table, kinds, words):
    with pytest.raises(sf.InputError, match=words):
        sf.scan(table, a=P, b="label", kinds=kinds)


def test_categories_may_differ_from_piece_to_piece():
    pieces = [
        pa.table({"a": pa.array(list(words)).dictionary_encode(), "b": labels})
        for words, labels in (("xyx", [0, 1, 1]), ("zyx", [0, 1, 0]))
    ]
    found = sf.scan(pa.concat_tables(pieces), a="a", b="b").compare()
    assert found.mean == sf.compare(list("xyxzyx"), [0, 1, 1, 0, 1, 0]).mean


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_labels_that_cannot_be_computed_are_one_line(library):
    frame = pl.DataFrame({"a": ["1", "x"], "b": [0, 1]})
    query = frame.lazy().with_columns(pl.col("a").cast(pl.Int64))
    if library == "duckdb":
        query = duckdb.sql("select cast(a as int) as a, b from frame")
    with pytest.raises(sf.InputError, match="the frame could not be read"):
        sf.scan(query, a="a", b="b").compare()


def test_a_query_of_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(sf.InputError, match=r"the frame could not be read: .*none.parquet"):
        sf.scan(pl.scan_parquet(tmp_path / "none.parquet"), a="a", b="b")


def test_few_streamed_chunks_wait_for_an_executor():
    ready, most = [], []

    class Waiting(ThreadPoolExecutor):
        def submit(self, *arguments):
            ready.append(super().submit(*arguments))
            most.append(sum(not future.done() for future in ready))
            return ready[-1]

    n = 7 << 20  # seven chunks
    half = np.full(n, 0.5, dtype=np.float32)
    frame = pl.LazyFrame({"p": half, "q": half, "b": np.zeros(n, dtype=np.int8)})
    with Waiting(1) as threads:
        found = sf.scan(frame, a=["p", "q"], b="b").summarize(measures=["rand"], executor=threads)
    assert (found.n_objects, len(ready)) == (n, 7)
    assert max(most) <= 4


# A csv file in several blocks.


@pytest.fixture
def blocks(monkeypatch):
    """Blocks of some hundred bytes, so that small files have many."""
    monkeypatch.setattr("sfumato.api.chunks.csv_parts.BYTES_OF_PART", 300)


def long_csv(path, first, rest, header="label,word", n=200):
    """A file whose first lines differ from the last ones; 'first' fills more than a block."""
    lines = [first] * n + list(rest)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", newline="") as file:
        file.write("\n".join([header, *lines]) + "\n")
    return path


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.tsv", "x.TSV.GZ"])
def test_blocks_of_a_csv_are_the_chunks(table, tmp_path, blocks, name):
    plain = table.select([*P, "label", "word"]).to_pandas()
    tab = "\t" if "tsv" in name.lower() else ","
    packed = "gzip" if name.lower().endswith("gz") else None
    plain.to_csv(tmp_path / name, index=False, sep=tab, compression=packed)
    scan = sf.scan(tmp_path / name, a=P, b="word")
    chunks = list(scan.source.chunks())
    assert len(chunks) > 20
    assert scan.source.is_streamed == (packed is not None)
    frames = [pa.Table.from_batches(b.to_batches()[0] for b in chunk.read()) for chunk in chunks]
    assert pa.concat_tables(frames)["word"].to_pylist() == plain["word"].to_list()
    expected = sf.compare(memberships(table), table["word"].to_pylist())
    for executor in (None, ThreadPoolExecutor(2)):
        found = scan.compare(executor=executor)
        assert found.mean == pytest.approx(expected.mean, abs=1e-8)
    assert scan.summarize().n_objects == len(table)
    assert scan.compare(rounds=2).std == pytest.approx(expected.std, rel=1e-6)
    assert sf.scan(tmp_path / name, a="label", b="word").compare(measure="adjusted_rand").mean == (
        sf.compare(plain["label"], plain["word"], measure="adjusted_rand").mean
    )


def test_parts_of_a_csv_travel_and_are_small(tmp_path, blocks):
    path = long_csv(tmp_path / "x.csv", "1,u", ["2,v"] * 500)
    chunks = list(sf.scan(path, a="label", b="word").source.chunks())
    assert all(len(pickle.dumps(chunk)) < 1000 for chunk in chunks)
    sizes = [sum(len(block) for block in pickle.loads(pickle.dumps(c)).read()) for c in chunks]
    assert sum(sizes) == 700
    assert max(sizes) <= 76


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize(
    ("first", "late", "words"),
    [
        ("1,u", "x,u", r"column 'label': row \d+ has 'x', and the first block .* has int64: give"),
        ("1,u", "1.5,u", r"column 'label': row \d+ has '1.5', and the first block .* has int64"),
        ("1,u", "1,u,v", r"row \d+: Expected 2 columns, got 3"),
        ("1,u", ",u", r"Label \d+ is missing"),
    ],
)
def test_errors_of_a_late_block_name_the_row_of_the_file(
    tmp_path, blocks, first, late, words, packed
):
    rest = [first] * 40 + ["", late] + [first] * 90
    path = long_csv(tmp_path / f"x.csv{packed}", first, rest)
    message = rf"^chunk 3: .*x\.csv{packed}, block 3: .*{words}.* \(in the file that is row 240, "
    with pytest.raises(sf.ChunkError, match=message) as raised:
        sf.scan(path, a="label", b="word").compare()
    assert "\n" not in str(raised.value)
    assert "chunks 0 to 2" in str(raised.value)


def test_memberships_that_begin_with_whole_numbers_are_numbers(tmp_path, blocks):
    path = long_csv(tmp_path / "x.csv", "1,0,u", ["0.5,0.5,v"] * 100, "p,q,word")
    p = np.array([[1, 0]] * 200 + [[0.5, 0.5]] * 100)
    words = ["u"] * 200 + ["v"] * 100
    found = sf.scan(path, a=["p", "q"], b="word").compare()
    assert found.mean == pytest.approx(sf.compare(p, words).mean, abs=1e-12)


def test_text_that_looks_like_numbers_in_late_blocks_stays_text(tmp_path, blocks):
    path = long_csv(tmp_path / "x.csv", "a,u", ["5,v"] * 200)
    summary = sf.scan(path, a="label", b="word").summarize()
    assert summary.counts.names == (("5", "a"), ("u", "v"))


@pytest.mark.parametrize("n", [1, 200])  # one block, and many
@pytest.mark.parametrize(
    "texts",
    [
        ("1", "01", "2"),
        (str(2**63), str(2**63 + 1), "1"),
        (str(10**25), str(10**25 + 1), "x"),
        ("true", "True", "TRUE"),
        ("1.0", "2.0", "3.0"),
    ],
)
def test_labels_that_differ_as_text_stay_apart(tmp_path, blocks, texts, n):
    lines = [f"{text},{text}" for text in texts]
    path = long_csv(tmp_path / "x.csv", lines[0], lines * n, n=1)
    summary = sf.scan(path, a="label", b="word").summarize()
    assert summary.counts.names == (tuple(sorted(texts)),) * 2
    (tmp_path / "y.csv").write_text("\n".join(["label", *texts]))
    assert sf.read_partition(tmp_path / "y.csv").names == tuple(sorted(texts))


def test_spaces_around_labels_are_no_part_of_them(tmp_path):
    (tmp_path / "x.csv").write_text("label,word\n1, u\n 2,u\n2,v \n")
    names = sf.scan(tmp_path / "x.csv", a="label", b="word").summarize().counts.names
    assert names == ((1, 2), ("u", "v"))


def test_a_folder_named_like_a_tsv_file(tmp_path):
    (tmp_path / "a.tsv.d").mkdir()
    (tmp_path / "a.tsv.d" / "x.csv").write_text("label,word\n1,u\n2,v\n")
    assert sf.scan(tmp_path / "a.tsv.d" / "x.csv", a="label", b="word").compare().mean == 1.0


def test_labels_that_are_durations():
    found = sf.scan([(np.array([1, 2, 1], "m8[s]"), [0, 1, 0])]).compare()
    assert found.is_exact
    assert found.mean == 1.0


def test_a_missing_label_in_a_file_is_not_sent_to_an_option_that_no_scan_has(tmp_path):
    pq.write_table(pa.table({"x": ["a", None], "y": [0, 1]}), tmp_path / "x.parquet")
    words = r"Label 1 is missing .* to as_partition, in a function that loads the chunk"
    with pytest.raises(sf.ChunkError, match=words):
        sf.scan(tmp_path / "x.parquet", a="x", b="y").compare()


def test_explain_counts_the_blocks_of_csv_files(tmp_path):
    path = tmp_path / "x.csv"
    line = b"1,2" + b" " * 996 + b"\n"
    path.write_bytes(b"x,y\n" + line * 34_000)  # 34 MB in blocks of 16 MiB
    scan = sf.scan(path, a="x", b="y")
    assert scan.explain().n_chunks == len(list(scan.source.chunks())) == 3
    with gzip.open(tmp_path / "x.csv.gz", "wb") as file:
        file.write(b"x,y\n1,2\n")
    assert sf.scan(tmp_path / "x.csv.gz", a="x", b="y").explain().n_chunks is None


def test_measures_that_are_none(table):
    scan = sf.scan(table, a="label", b="word")
    for wrong in (3, None):
        with pytest.raises(sf.InputError):
            scan.evaluate(wrong)
    assert len(scan.evaluate(iter(["rand", "purity"])).rows) == 2


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_empty_lines_between_blocks_and_at_the_end(tmp_path, blocks, packed):
    rest = [""] * 700 + ["2,v"] * 99 + ["\r"] * 700
    path = long_csv(tmp_path / f"x.csv{packed}", "1,u", rest)
    assert sf.scan(path, a="label", b="word").summarize().n_objects == 299


def test_line_breaks_within_quotes(tmp_path, blocks):
    path = long_csv(tmp_path / "x.csv", "1,u", ["2,v"] * 20 + ['2,"v\nw"'] + ["3,v"] * 200)
    summary = sf.scan(path, a="label", b="word").summarize()
    assert summary.n_objects == 421
    assert summary.counts.names == ((1, 2, 3), ("u", "v", "v\nw"))
    long = '2,"' + "v\n" * 400 + '"'
    path = long_csv(tmp_path / "y.csv", "1,u", [long] + ["3,v"] * 20)
    with pytest.raises(
        sf.ChunkError, match=r"y\.csv, block 2: a quoted entry has a line break just"
    ):
        sf.scan(path, a="label", b="word").summarize()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file has no rows"),
        ("a,b\n", "the chunk has no rows"),
        ("a,c\n1,2\n", "column 'b' is missing; it has 'a', 'c'"),
        ("a,a,b\n1,2,0\n2,2,1\n", "there are 2 columns 'a'"),
        ("a,b\n0.5,u\n1,u\n", "column 'a' has '0.5': labels must not be fractions"),
        ("a,b\n1,u\n1.0,u\n", "column 'a' has '1' and '1.0': write each label in one way"),
        ("a,b\na,u\nNA,u\n", "Label 1 is missing"),
        ("a,b\na,u\n ,u\n", "Label 1 is missing"),
    ],
)
def test_what_a_csv_cannot_hold(tmp_path, text, words):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(sf.ChunkError, match=rf"chunk 0: .*x\.csv: {words}"):
        sf.scan(tmp_path / "x.csv", a="a", b="b").compare()


def test_a_compressed_csv_that_breaks_off(tmp_path, blocks):
    path = long_csv(tmp_path / "x.csv.gz", "1,u", [f"{at},v" for at in range(900)])
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(sf.ChunkError, match=r"x\.csv\.gz, block \d+: .*ended before.*chunks 0 to"):
        sf.scan(path, a="label", b="word").compare()
