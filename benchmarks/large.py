"""More objects than memory: scans of large parquet files beside a pure pass, and their memory.

``make bench-large`` (some minutes; 3 GB in build/large). Every line is a process of its own: CPU
seconds of all its threads, wall time, and its peak memory. Runs are repeated, and the best counts.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

DATA = Path(__file__).parents[1] / "build" / "large"
K, GROUP = 20, 1 << 20
P = [f"p{i}" for i in range(K)]
FUZZY = ["rand", "adjusted_rand", "normalized_mutual_information"]
HARD, FUZZY_SIZES = (10**5, 10**6, 10**7, 10**8), (2 * 10**6, 2 * 10**7)
REPEATS = 2


def hard_file(n: int) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = DATA / f"hard_{n:.0e}.parquet"
    if not path.exists():
        rng = np.random.default_rng(0)
        schema = pa.schema([("a", pa.int32()), ("b", pa.int32())])
        with pq.ParquetWriter(path, schema) as writer:
            for first in range(0, n, GROUP):
                size = min(GROUP, n - first)
                a = rng.integers(K, size=size, dtype=np.int32)
                b = np.where(rng.random(size) < 0.6, a, rng.integers(K, size=size, dtype=np.int32))
                writer.write_table(pa.table({"a": a, "b": b}, schema=schema))
    return path


def fuzzy_file(n: int) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = DATA / f"fuzzy_{n:.0e}.parquet"
    if not path.exists():
        rng = np.random.default_rng(1)
        schema = pa.schema([*((name, pa.float32()) for name in P), ("label", pa.int32())])
        with pq.ParquetWriter(path, schema, use_dictionary=["label"], compression="none") as writer:
            for first in range(0, n, GROUP):
                size = min(GROUP, n - first)
                label = rng.integers(K, size=size, dtype=np.int32)
                p = rng.standard_exponential((size, K), dtype=np.float32)
                p[np.arange(size), label] += 20
                p /= p.sum(axis=1, keepdims=True)
                columns = {name: p[:, i] for i, name in enumerate(P)} | {"label": label}
                writer.write_table(pa.table(columns, schema=schema))
    return path


def evidential_chunk(index: int, size: int) -> tuple[object, np.ndarray]:
    """Three focal sets an object: a cluster, the next one, and both."""
    import sfumato as sf

    rng = np.random.default_rng(index)
    label = rng.integers(10, size=size)
    single = np.eye(10, dtype=bool)
    sets = np.concatenate([single, single | np.roll(single, 1, axis=1)])
    masses = np.zeros((size, 20))
    some = rng.dirichlet([6.0, 3.0, 1.0], size)
    rows = np.arange(size)
    guess = np.where(rng.random(size) < 0.8, label, rng.integers(10, size=size))
    masses[rows, guess], masses[rows, 10 + guess], masses[rows, (guess + 1) % 10] = some.T
    return sf.EvidentialPartition(masses, sets), label


# What is measured, each in a process of its own.


def duckdb_counts(n: int) -> object:
    import duckdb

    query = f"select a, b, count(*) from '{hard_file(n)}' group by a, b"
    return len(duckdb.connect(config={"threads": 2}).sql(query).fetchall())


def scan_counts(n: int) -> object:
    import sfumato as sf

    return sf.scan(hard_file(n), a="a", b="b").compare(measure="adjusted_rand").mean


def scan_counts_in_duckdb(n: int) -> object:
    import duckdb

    import sfumato as sf

    relation = duckdb.connect(config={"threads": 2}).read_parquet(str(hard_file(n)))
    return sf.scan(relation, a="a", b="b").compare(measure="adjusted_rand").mean


def arrow_pass(n: int) -> object:
    from concurrent.futures import ThreadPoolExecutor

    import pyarrow.parquet as pq

    path = fuzzy_file(n)

    def read(group: int) -> int:
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            batches = file.iter_batches(1 << 17, row_groups=[group], use_threads=False)
            return sum(batch.num_rows for batch in batches)

    groups = pq.read_metadata(path).num_row_groups
    with ThreadPoolExecutor(2) as threads:
        return sum(threads.map(read, range(groups)))


def scan_fuzzy(n: int) -> object:
    import sfumato as sf

    report = sf.scan(fuzzy_file(n), a=P, b="label").evaluate(FUZZY)
    return {row["measure"]: [row["mean"], row["error"], row["guarantee"]] for row in report.rows}


def scan_evidential(n: int) -> object:
    from functools import partial

    import sfumato as sf

    chunks = [partial(evidential_chunk, index, GROUP) for index in range(n // GROUP)]
    found = sf.scan(chunks).compare(engine=sf.Sampled(n_samples=25), rng=0)
    return [found.lower, found.upper, found.error, *found.notes]


def in_memory(n: int) -> object:
    import sfumato as sf

    rng = np.random.default_rng(0)
    p = rng.standard_exponential((n, K), dtype=np.float32)
    p /= p.sum(axis=1, keepdims=True)
    label = rng.integers(K, size=n, dtype=np.int32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = sf.compare(p, label)
    extra = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return [found.mean, f"{extra * 1024 / (p.nbytes + label.nbytes):.2f} times the input beyond it"]


TASKS: dict[str, Callable[[int], object]] = {
    task.__name__: task
    for task in (
        duckdb_counts,
        scan_counts,
        scan_counts_in_duckdb,
        arrow_pass,
        scan_fuzzy,
        scan_evidential,
        in_memory,
    )
}


def make_files(n: int) -> None:
    """All files up to a number of objects; in a process of its own, as it takes memory."""
    DATA.mkdir(parents=True, exist_ok=True)
    for size in (GROUP, *HARD):
        if size <= n:
            hard_file(size)
    for size in (GROUP, *FUZZY_SIZES):
        if size <= n:
            fuzzy_file(size)


def one(name: str, n: int) -> None:
    """Run a task twice in this process: the first run, a small one, loads what it needs."""
    if name == "make_files":
        make_files(n)
        return
    TASKS[name](min(n, GROUP))
    cpu, wall = time.process_time(), time.perf_counter()
    found = TASKS[name](n)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "wall": wall, "peak": peak, "found": found}))


def measured(name: str, n: int) -> dict[str, object]:
    runs = []
    for _ in range(REPEATS):
        command = [sys.executable, "-m", "benchmarks.large", name, str(n)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        runs.append(json.loads(printed.splitlines()[-1]))
    best = min(runs, key=lambda run: run["cpu"])
    best["wall"] = min(run["wall"] for run in runs)
    print(
        f"  {name:<22} n={n:<7.0e}{best['cpu'] / n * 1e9:8.1f} ns CPU an object "
        f"{best['cpu']:7.2f} s CPU {best['wall']:7.2f} s {best['peak']:6.0f} MB  {best['found']}",
        flush=True,
    )
    return best


def main() -> None:
    subprocess.run([sys.executable, "-m", "benchmarks.large", "make_files", str(10**9)], check=True)
    print("hard pairs of 20 clusters, parquet")
    own = [measured("scan_counts", n) for n in HARD]
    peer = measured("duckdb_counts", HARD[-1])
    measured("scan_counts_in_duckdb", HARD[-1])
    print(f"  speed against DuckDB's group by: {peer['cpu'] / own[-1]['cpu']:.2f} (CPU)")
    print(f"fuzzy against hard, {K} columns of float32, parquet: {', '.join(FUZZY)}")
    for n in FUZZY_SIZES:
        base = measured("arrow_pass", n)
        found = measured("scan_fuzzy", n)
        print(f"  times a pure pass of pyarrow: {found['cpu'] / base['cpu']:.2f} (CPU)")
    print("evidential, three focal sets an object, ten clusters: Rand")
    measured("scan_evidential", 10 * GROUP)
    print("in memory, 20 columns of float32: Rand")
    measured("in_memory", 5 * 10**6)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        one(sys.argv[1], int(sys.argv[2]))
    else:
        main()
