"""The layout: imports point one way, and functions stay small."""

from __future__ import annotations

import ast
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import vecbleu

PACKAGE = Path(vecbleu.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

NAMES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in MODULES
}

# The contract of import-linter, which this file checks without it: families from the top down.
PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
(CONTRACT,) = PROJECT["tool"]["importlinter"]["contracts"]
LAYER = {
    family: layer
    for layer, families in enumerate(CONTRACT["layers"])
    for family in families.split(" | ")
}


def modules(test):
    return pytest.mark.parametrize(
        "path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE))
    )(test)


def family_of(name):
    """The family of a module: itself, or the package that it is in."""
    parts = name.split(".")
    return ".".join(parts[: 3 if parts[1] == "core" else 2])


def imported(tree):
    """Dotted names that are imported, with whether they are at the top of the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in NAMES else node.module, node in tree.body
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node in tree.body) for alias in node.names)


IMPORTS = {
    name: {found for found, _ in imported(ast.parse(path.read_text(encoding="utf-8")))}
    for name, path in NAMES.items()
    if name not in ("vecbleu", "vecbleu.core")  # which says what is public, and where it is
}


@pytest.mark.parametrize("name", IMPORTS)
def test_imports_go_one_way(name):
    own = family_of(name)
    for other in map(family_of, IMPORTS[name] & {*IMPORTS}):
        assert other == own or LAYER[other] > LAYER[own], f"{own} imports {other}"


def test_every_family_has_a_layer():
    assert {*map(family_of, IMPORTS)} == {*LAYER}


def test_modules_import_without_cycles():
    graph = {name: found & {*IMPORTS} - {name} for name, found in IMPORTS.items()}
    TopologicalSorter(graph).prepare()


@modules
def test_numpy_is_the_only_dependency(path):
    """What an extra brings is imported inside functions."""
    extras = {"matplotlib", "sacrebleu", "sentencepiece", "tqdm"}
    always = {*sys.stdlib_module_names, "numpy", "vecbleu"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, is_at_top in imported(tree):
        assert name.partition(".")[0] in (always if is_at_top else always | extras)


@modules
def test_functions_fit_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                length = (body[-1].end_lineno or 0) - body[0].lineno + 1
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"
