"""The house: imports point one way, and rooms stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import vecbleu

PACKAGE = Path(vecbleu.__file__).parent

# From the bottom up: a module imports only from levels before its own, or from its own family.
LEVELS = [
    ["hashing", "messages", "replies", "progress", "places", "ragged", "columns", "signatures"],
    ["server"],
    ["helper"],
    ["parallel"],
    ["text", "specials", "archive", "sources"],
    ["files", "tokenizers"],
    ["tokens", "corpus"],
    ["strings"],
    ["inputs"],
    ["ngrams", "lengths"],
    ["statistics"],
    ["smoothing"],
    ["scores"],
    ["results", "pipeline", "significance"],
    ["streams"],
    ["nltk", "sacrebleu", "huggingface", "api", "analysis"],
    ["accumulator", "plots"],
    ["cli"],
    ["__main__"],
]
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
            if node.module == "vecbleu":
                names = [f"vecbleu.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "vecbleu" and rest:
                yield rest.partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    for imported in imported_rooms(path):
        assert imported == room or LEVEL[imported] < LEVEL[room], f"{room} imports {imported}"


def test_every_room_has_a_level():
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    assert rooms - {"__init__"} == set(LEVEL)


def test_numpy_is_the_only_dependency():
    """What an extra brings is imported inside functions."""
    import sys

    extras = {"matplotlib", "sentencepiece", "tqdm", "typing_extensions"}
    always = {*sys.stdlib_module_names, "numpy", "vecbleu"}
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            allowed = always if node in tree.body else always | extras
            assert {name.partition(".")[0] for name in names} <= allowed, path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_functions_fit_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                length = (body[-1].end_lineno or 0) - body[0].lineno + 1
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"
