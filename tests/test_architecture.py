"""The layout: imports point one way, modules stay small, and words are those of the field."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import vecbleu

PACKAGE = Path(vecbleu.__file__).parent

# From the bottom up: a module imports from its own family, or from families in rows before its own.
ROWS = [
    ["_version"],
    [
        "core.arrays",
        "core.checks",
        "core.extras",
        "core.memory",
        "core.output",
        "core.public",
        "core.records",
        "core.terminal",
    ],
    ["core.kernel", "core.parallel", "core.signature", "core.table"],
    ["core.counts", "core.text"],
    ["core.files", "core.options"],
    ["core.scoring"],
    ["core.statistics"],
    ["core.corpus"],
    ["core.inputs", "core.objects"],
    ["core.pipeline"],
    ["core.tasks", "typing"],
    ["pairwise"],
    ["api", "nltk", "significance"],
    ["accumulator", "analysis", "sacrebleu"],
    ["huggingface", "plots"],
    ["report"],
    ["cli"],
]
ROW = {family: row for row, families in enumerate(ROWS) for family in families}
MODULES = sorted(PACKAGE.rglob("*.py"))


def modules(test):
    return pytest.mark.parametrize(
        "path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE))
    )(test)


def family_of(name):
    """The family of a module's dotted name below the package; None of the package itself."""
    first, *others = name.split(".")
    if first != "core" or not others:
        return None if first == "core" else first
    module = ".".join(["core", *others[:2]])  # some modules have a row of their own
    return module if module in ROW else f"core.{others[0]}"


def imported(tree):
    """Dotted names that are imported, with whether they are at the top of the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            yield node.module, node in tree.body
            for alias in node.names:
                if node.module in ("vecbleu", "vecbleu.core"):
                    yield f"{node.module}.{alias.name}", node in tree.body
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node in tree.body) for alias in node.names)


@modules
def test_imports_point_one_way(path):
    own = family_of(".".join(path.relative_to(PACKAGE).with_suffix("").parts))
    if own in (None, "__init__", "__main__"):  # which names are public, and where they are
        return
    for name, _ in imported(ast.parse(path.read_text(encoding="utf-8"))):
        package, _, below = name.partition(".")
        if package == "vecbleu" and below:
            family = family_of(below)
            if family is not None and family in ROW:
                assert family == own or ROW[family] < ROW[own], f"{own} imports {family}"


def test_every_family_has_a_row():
    families = {
        family_of(".".join(path.relative_to(PACKAGE).with_suffix("").parts)) for path in MODULES
    }
    assert families - {None, "__init__", "__main__", "core.__init__"} == set(ROW)


def test_the_top_level_is_what_users_import():
    entries = {path.name for path in PACKAGE.iterdir()} - {"__pycache__"}
    assert len(entries) <= 17
    public = {path.removesuffix(".py") for path in entries} - {"core", "py.typed"}
    assert public <= {*vecbleu._PACKAGES, "__init__", "__main__", "_version", "accumulator", "api"}


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
