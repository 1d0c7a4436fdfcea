"""More objects than memory: scans of large parquet files beside a pure pass, and their memory.

``make bench-large`` (some minutes; 3 GB in build/large). Every line is a process of its own: CPU
seconds of all its threads, wall time, and its peak memory. Runs are repeated while there is time,
and the best counts. Each aim is printed beside what was measured. To try it:
``python -m benchmarks.large --shrink 100``, all sizes divided by 100.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parents[1] / "build" / "large"
K, GROUP = 20, 1 << 20
P = [f"p{i}" for i in range(K)]
FUZZY = ["rand", "adjusted_rand", "normalized_mutual_information"]
HARD, SOFT = (10**5, 10**6, 10**7, 10**8), (2 * 10**6, 2 * 10**7)
EVIDENTIAL, IN_MEMORY = 10**7, 5 * 10**6
REPEATS = 2
REPEATED_UNTIL, LONGEST = 400.0, 300.0  # seconds: of the whole run, and of one task
Chunk = Callable[[np.random.Generator, int], dict[str, np.ndarray]]  # columns of some objects
FLAT = 1.2  # times the cost of an object that still count as the same


def written(path: Path, n: int, seed: int, chunk: Chunk, **options: Any) -> Path:
    """A parquet file of n objects, made group by group if there is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.exists():
        rng = np.random.default_rng(seed)
        tables = (pa.table(chunk(rng, min(GROUP, n - at))) for at in range(0, n, GROUP))
        first = next(tables)
        with pq.ParquetWriter(path, first.schema, **options) as writer:
            writer.write_table(first)
            for table in tables:
                writer.write_table(table)
    return path


def hard_file(n: int) -> Path:
    def chunk(rng: np.random.Generator, size: int) -> dict[str, np.ndarray]:
        a = rng.integers(K, size=size, dtype=np.int32)
        b = np.where(rng.random(size) < 0.6, a, rng.integers(K, size=size, dtype=np.int32))
        return {"a": a, "b": b}

    return written(DATA / f"hard_{n:.0e}.parquet", n, 0, chunk)


def fuzzy_file(n: int) -> Path:
    def chunk(rng: np.random.Generator, size: int) -> dict[str, np.ndarray]:
        label = rng.integers(K, size=size, dtype=np.int32)
        p = rng.standard_exponential((size, K), dtype=np.float32)
        p[np.arange(size), label] += 20
        p /= p.sum(axis=1, keepdims=True)
        return {name: p[:, i] for i, name in enumerate(P)} | {"label": label}

    options = {"use_dictionary": ["label"], "compression": "none"}
    return written(DATA / f"fuzzy_{n:.0e}.parquet", n, 1, chunk, **options)


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

    sizes = [min(GROUP, n - first) for first in range(0, n, GROUP)]
    chunks = [partial(evidential_chunk, index, size) for index, size in enumerate(sizes)]
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
    return [found.mean, extra * 1024 / (p.nbytes + label.nbytes)]


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


def make_files(shrink: int) -> None:
    """All files; in a process of its own, as it takes memory."""
    DATA.mkdir(parents=True, exist_ok=True)
    for make, sizes in ((hard_file, HARD), (fuzzy_file, SOFT)):
        for n in (max(size // shrink, 1) for size in sizes):
            make(n)
            make(min(n, GROUP))


def one(name: str, n: int) -> None:
    """Run a task twice in this process: the first run, a small one, loads what it needs."""
    TASKS[name](min(n, GROUP))
    cpu, wall = time.process_time(), time.perf_counter()
    found = TASKS[name](n)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "wall": wall, "peak": peak, "found": found}))


class Bench:
    """Measures tasks one after the other; one that fails is said, and the others go on."""

    def __init__(self, shrink: int) -> None:
        self.shrink = shrink
        self.began = time.perf_counter()
        self.verdicts: list[str] = []

    def measured(self, name: str, size: int) -> dict[str, Any] | None:
        """The best of some runs of a task; None if it failed."""
        n = max(size // self.shrink, 1)
        runs: list[dict[str, Any]] = []
        while not runs or (
            len(runs) < REPEATS and time.perf_counter() - self.began < REPEATED_UNTIL
        ):
            try:
                runs.append(json.loads(_output(name, n).splitlines()[-1]))
            except subprocess.TimeoutExpired:
                print(f"  {name:<22} n={n:<7.0e} takes more than {LONGEST:.0f} s", flush=True)
                return None
            except subprocess.CalledProcessError as error:
                line = ([*error.stderr.strip().splitlines(), ""])[-1][:200]
                print(f"  {name:<22} n={n:<7.0e} failed: {line}", flush=True)
                return None
        best = min(runs, key=lambda run: run["cpu"])
        best |= {"wall": min(run["wall"] for run in runs), "each": best["cpu"] / n * 1e9}
        print(
            f"  {name:<22} n={n:<7.0e}{best['each']:8.1f} ns CPU an object {best['cpu']:7.2f} s "
            f"CPU {best['wall']:7.2f} s {best['peak']:6.0f} MB  {best['found']}",
            flush=True,
        )
        return best

    def aim(self, words: str, found: float | None, most: float) -> None:
        """Say whether what was found is at most what was aimed at."""
        if found is None:
            verdict = "not measured"
        elif found <= most:
            verdict = f"met ({found:.3g})"
        else:
            verdict = f"missed by {found / most - 1:.0%} ({found:.3g})"
        self.verdicts.append(f"aim {words}, at most {most:g}: {verdict}")
        print(f"  {self.verdicts[-1]}", flush=True)

    def run(self) -> None:
        """Everything, and all aims once more at the end."""
        print("hard pairs of 20 clusters, parquet")
        curve = [self.measured("scan_counts", n) for n in HARD]
        peer = self.measured("duckdb_counts", HARD[-1])
        self.measured("scan_counts_in_duckdb", HARD[-1])
        times = _ratio(curve[-1], peer, "cpu")
        self.aim("CPU against DuckDB's own group by (.8 of its speed), 1e8", times, 1.25)
        flat = _ratio(curve[-1], curve[-2], "each")
        self.aim("cost of an object, 1e8 labels against 1e7", flat, FLAT)

        print(f"fuzzy against hard, {K} columns of float32, parquet: {', '.join(FUZZY)}")
        fuzzy = [(self.measured("arrow_pass", n), self.measured("scan_fuzzy", n)) for n in SOFT]
        base, found = fuzzy[-1]
        self.aim("CPU against a pure pass of pyarrow, 2e7", _ratio(found, base, "cpu"), 2.5)
        self.aim("peak MB, 2e7", None if found is None else found["peak"], 500)
        for measure, most in zip(FUZZY, (0.0, 1e-6, 1e-6), strict=True):
            error = None if found is None else found["found"][measure][1]
            self.aim(f"error of {measure}", error, most)

        print("evidential, three focal sets an object, ten clusters: Rand")
        found = self.measured("scan_evidential", EVIDENTIAL)
        chance = None if found is None else found["found"][2] - _gap(found["found"][3:])
        self.aim("error of Rand, 1e7, beside the stated gap of the search", chance, 2.5e-4)

        print("in memory, 20 columns of float32: Rand")
        found = self.measured("in_memory", IN_MEMORY)
        times = None if found is None else found["found"][1]
        self.aim("peak memory beyond the input, as a multiple of it, 5e6", times, 1)

        print(f"\nall aims, {time.perf_counter() - self.began:.0f} s after the start")
        if self.shrink > 1:
            print(f"(sizes divided by {self.shrink}: the aims are for whole ones)")
        print("\n".join(self.verdicts))


def _output(*arguments: object) -> str:
    command = [sys.executable, "-m", "benchmarks.large", *map(str, arguments)]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=LONGEST
    ).stdout


def _ratio(one: dict[str, Any] | None, other: dict[str, Any] | None, what: str) -> float | None:
    return None if one is None or other is None else one[what] / other[what]


def _gap(notes: list[str]) -> float:
    """The wider gap of the two ends, as notes say it."""
    return max(
        (float(gap) for note in notes for gap in re.findall(r"within (\S+)", note)), default=0.0
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("task", nargs="?", choices=[*TASKS, "make_files"])
    options.add_argument("n", nargs="?", type=int, default=1)
    options.add_argument("--shrink", type=int, default=1, help="divide all sizes by it")
    asked = options.parse_args()
    if asked.task == "make_files":
        make_files(asked.n)
    elif asked.task is not None:
        one(asked.task, asked.n)
    else:
        _output("make_files", asked.shrink)
        Bench(asked.shrink).run()


if __name__ == "__main__":
    main()
