"""Record what evclust for Python returns, for the tests of sfumato.interop.

evclust 0.2.1 needs pandas below 3, which the tests do not have: so it is installed into an
environment of its own in a temporary folder. Run ``python tools/record_evclust.py`` from anywhere;
it takes a minute or two and writes tests/reference/evclust_python.json.
"""

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET = Path(__file__).parents[1] / "tests" / "reference" / "evclust_python.json"
NEEDS = ("evclust==0.2.1", "pandas<3")

PROGRAM = """
import json, sys
import numpy as np, pandas as pd
from evclust.ecm import ecm
from evclust.utils import extractMass
from sklearn.datasets import load_iris

def plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value

def record(found):
    return {key: plain(value) for key, value in found.items() if key not in ("param", "trace")}

rng = np.random.default_rng(0)
objects = pd.DataFrame(load_iris().data[::12, 2:])
cases = []
for kind in ("full", "simple", "pairs"):
    np.random.seed(1)
    start = objects.to_numpy()[[1, 6, 11]]
    found = ecm(x=objects, c=3, g0=start, type=kind, disp=False)
    cases.append({"id": f"ecm {kind}", "result": record(found)})
sets = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=float)
masses = rng.dirichlet(np.ones(4), 6)
found = extractMass(masses, sets, method="given")
cases.append({"id": "masses with conflict", "result": record(found)})
found = extractMass(rng.dirichlet(np.ones(3), 6), sets[1:], method="given")
cases.append({"id": "masses without the empty set", "result": record(found)})
with open(sys.argv[1], "w") as file:
    about = {"package": "evclust (Python)", "version": "0.2.1"}
    json.dump({"provenance": about, "objects": plain(objects.to_numpy()), "cases": cases}, file)
"""


def main() -> None:
    """Make the environment, run evclust in it and write the record."""
    with TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        binaries = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        python = str(binaries / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDS], check=True)
        subprocess.run([python, "-W", "ignore", "-c", PROGRAM, str(TARGET)], check=True)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
