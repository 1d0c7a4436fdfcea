"""Imports point one way, and every class is abstract or final."""

import ast
import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import sfumato
from sfumato.indices.registry import INDICES
from sfumato.planner import METHODS

ROOT = Path(sfumato.__file__).parent

# From the ground up: a module may import from its own layer and from those before it.
LAYERS = [
    ["errors"],
    ["_core", "_interrupts", "_typing", "_optional", "_arguments", "_files", "_wording"],
    ["families"],
    ["algorithms", "display"],
    ["partitions"],
    ["measures"],
    ["results"],
    ["question"],
    ["methods"],
    ["planner", "engines"],
    ["contributions", "indices"],
    ["api"],
    ["cluster", "io"],
    ["interop"],
    ["experiments"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """Full names of what a module imports of sfumato."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            from_top = node.module == "sfumato"
            names |= {f"sfumato.{alias.name}" if from_top else node.module for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.startswith("sfumato.")}


def imported_layers(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports_of(path)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    own = HEIGHT[layer_of(path)]
    above = {name for name in imported_layers(path) if HEIGHT[name] > own}
    assert not above


def test_only_algorithms_touch_the_compiled_core():
    users = {layer_of(path) for path in MODULES if "_core" in imported_layers(path)}
    assert users == {"algorithms"}


def test_the_compiled_core_has_the_rooms_of_the_algorithms():
    core = Path(__file__).parents[1] / "src" / "core"
    rooms = {path.name for path in core.iterdir() if path.is_dir()}
    algorithms = {path.name for path in (ROOT / "algorithms").iterdir() if path.is_dir()}
    assert rooms - algorithms <= {"bind", "psi"}


FILES_OF_METHODS = sorted(
    path
    for path in (ROOT / "methods").glob("*.py")
    if path.stem not in ("__init__", "base", "registry")
)


@pytest.mark.parametrize("path", FILES_OF_METHODS, ids=lambda path: path.stem)
def test_every_file_in_methods_is_a_registered_method(path):
    module = import_module(f"sfumato.methods.{path.stem}")
    own = [method for method in METHODS if type(method).__module__ == module.__name__]
    assert [type(method).__name__ for method in own] == module.__all__
    assert own[0].name == path.stem


def test_the_register_names_every_method_once():
    assert len({method.name for method in METHODS}) == len(METHODS) == len(FILES_OF_METHODS)


@pytest.mark.parametrize("path", FILES_OF_METHODS, ids=lambda path: path.stem)
def test_methods_know_neither_methods_nor_concrete_measures(path):
    allowed = {f"sfumato.measures.{name}" for name in ("base", "contingency", "conventions")}
    known = {name for name in imports_of(path) if name.split(".")[1] in ("methods", "measures")}
    assert known <= allowed | {"sfumato.methods.base"}


@pytest.mark.parametrize("path", sorted((ROOT / "indices").glob("*.py")), ids=lambda p: p.stem)
def test_every_file_in_indices_is_an_index_by_its_name(path):
    if path.stem not in ("__init__", "base", "listing", "registry"):
        assert path.stem in {index.name for index in INDICES}


def test_no_algorithm_takes_a_question():
    for path in (ROOT / "algorithms").rglob("*.py"):
        assert "Query" not in path.read_text(), path


def test_one_name_stands_for_one_module():
    names = [path.stem for path in MODULES if path.stem not in ("__init__", "base", "registry")]
    assert sorted(names) == sorted(set(names))


def test_every_class_is_abstract_or_final():
    for info in walk_packages(sfumato.__path__, "sfumato."):
        if info.name.endswith("_core"):
            continue
        module = import_module(info.name)
        for name, value in vars(module).items():
            if not inspect.isclass(value) or value.__module__ != info.name:
                continue
            is_error = issubclass(value, BaseException)
            is_record = issubclass(value, tuple) or getattr(value, "_is_protocol", False)
            assert (
                inspect.isabstract(value)
                or getattr(value, "__final__", False)
                or is_error
                or is_record
            ), f"{info.name}.{name} is neither abstract nor final"
