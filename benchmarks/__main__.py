"""Print every benchmark: ratios measured in one run, against the naive way, a peer or the limit."""

from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main() -> None:
    for info in sorted(iter_modules(benchmarks.__path__), key=lambda info: info.name):
        if not info.name.startswith("bench_"):
            continue
        module = import_module(f"benchmarks.{info.name}")
        print(f"\n{module.__doc__.splitlines()[0]}")
        for name, ratio, remark in module.run():
            print(f"  {name:<48} {ratio:>10.3g}   {remark}", flush=True)


if __name__ == "__main__":
    main()
