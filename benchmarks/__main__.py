"""Print benchmarks: ratios measured in one run, against the naive way, a peer or the limit.

``python -m benchmarks`` prints all of them, ``python -m benchmarks rough rank`` some.
"""

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main() -> None:
    every = sorted(info.name for info in iter_modules(benchmarks.__path__))
    asked = [f"bench_{name}" for name in sys.argv[1:]]
    for module_name in asked or [name for name in every if name.startswith("bench_")]:
        module = import_module(f"benchmarks.{module_name}")
        print(f"\n{module.__doc__.splitlines()[0]}")
        for name, ratio, remark in module.run():
            print(f"  {name:<60} {ratio:>10.3g}   {remark}", flush=True)


if __name__ == "__main__":
    main()
