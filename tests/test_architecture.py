"""The layout: every family of modules has a layer, and NumPy is the only dependency.

That imports go from layer to layer is checked by import-linter, among the linters.
"""

from __future__ import annotations

import pkgutil
import tomllib
from pathlib import Path

from processes import output_of

import vecbleu

MODULES = [module.name for module in pkgutil.walk_packages(vecbleu.__path__, "vecbleu.")]


def test_every_family_has_a_layer():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    (contract,) = project["tool"]["importlinter"]["contracts"]
    families = {name for layer in contract["layers"] for name in layer.split(" | ")}
    parts = [name.split(".") for name in MODULES if name != "vecbleu.core"]
    assert families == {".".join(one[: 3 if one[1] == "core" else 2]) for one in parts}


def test_modules_are_imported_with_numpy_alone():
    code = """
        import sys
        from importlib import import_module
        class NumPyAlone:
            def find_spec(name, *_):
                if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "vecbleu"}:
                    raise ImportError(name)
        sys.meta_path.insert(0, NumPyAlone)
        print(*(import_module(name).__name__ for name in sys.argv[1:]))
    """
    names = [name for name in MODULES if name != "vecbleu.__main__"]
    assert output_of(code, *names).split() == names
