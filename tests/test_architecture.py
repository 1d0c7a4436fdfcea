"""Imports point one way, and every class is abstract or final."""

import ast
import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import sfumato

ROOT = Path(sfumato.__file__).parent

# From the ground up: a module may import from its own layer and from those before it.
LAYERS = [
    ["errors"],
    ["_core", "_typing", "_optional", "_arguments"],
    ["algorithms", "display"],
    ["partitions"],
    ["joint"],
    ["measures"],
    ["results"],
    ["query"],
    ["methods"],
    ["planner"],
    ["engines"],
    ["contributions", "indices"],
    ["answering"],
    ["api"],
    ["cluster"],
    ["io"],
    ["experiments"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_layers(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            parts = (node.module or "").split(".")
            if parts == ["sfumato"]:
                names |= {alias.name for alias in node.names}
            elif parts[0] == "sfumato":
                names.add(parts[1])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                if parts[0] == "sfumato" and len(parts) > 1:
                    names.add(parts[1])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    own = HEIGHT[layer_of(path)]
    above = {name for name in imported_layers(path) if HEIGHT[name] > own}
    assert not above


def test_only_algorithms_touch_the_compiled_core():
    users = {layer_of(path) for path in MODULES if "_core" in imported_layers(path)}
    assert users == {"algorithms"}


def test_methods_do_not_call_methods():
    shared = {
        "answers",
        "base",
        "batches",
        "blocks",
        "by_distance",
        "bracketed_ends",
        "control_variates",
        "conventions",
        "draw_brackets",
        "cut_off",
        "estimate",
        "extremes",
        "hard_truth",
        "law_answers",
        "level_ends",
        "moves",
        "outer_bounds",
        "probability_rows",
        "ratio_bounds",
        "profile_sides",
        "ratio_ends",
        "sampling",
        "search_nodes",
        "set_pairs",
        "weighted",
        "witness",
    }
    for path in (ROOT / "methods").glob("*.py"):
        if path.stem in ("__init__", "registry"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "sfumato.methods."
            ):
                assert node.module.split(".")[2] in shared, path


def test_methods_know_no_concrete_measure():
    allowed = {"base", "contingency", "families"}
    for path in (ROOT / "methods").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "sfumato.measures"
            ):
                assert node.module.split(".")[-1] in allowed, path


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
