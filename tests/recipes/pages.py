"""The scripts of the guide's recipes: each page has one, and what it prints."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "docs/guide/recipes"
WARNING_OF_SPARK = "PySpark does not yet fully support pandas"  # of which no recipe makes use
NAMES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


def text_of(name):
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def blocks_of(name):
    """Languages of a page's code blocks, and what they hold."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text_of(name), flags=re.M | re.S)


def script_of(name):
    return blocks_of(name)[0][1]


def packages_of(name):
    """What a script imports beside Python's own modules and vecbleu."""
    statements = [*ast.walk(ast.parse(script_of(name)))]
    names = [one.name for node in statements if isinstance(node, ast.Import) for one in node.names]
    names += [node.module for node in statements if isinstance(node, ast.ImportFrom)]
    packages = {one.partition(".")[0] for one in names}
    return sorted(packages - {"vecbleu"} - {*sys.stdlib_module_names})


def environment():
    """Variables with which programs import this checkout, and Spark is for this machine only."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH")]
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def has_java():
    """Whether Spark's engine can start."""
    return bool(os.environ.get("JAVA_HOME") or shutil.which("java"))


def skip_if_missing(name):
    """Skip a test where a recipe's packages are not installed, or Java for Spark's engine."""
    missing = [one for one in packages_of(name) if find_spec(one) is None]
    if "pyspark" in packages_of(name) and not has_java():
        missing.append("Java (Debian's openjdk-17-jre-headless)")
    if missing:
        pytest.skip(f"no {', '.join(missing)}")


def recipe(name):
    """What the script of a page defines, as a module that no other process can import."""
    skip_if_missing(name)
    module = ModuleType(f"recipe_{name}")
    exec(compile(script_of(name), f"{name}.md", "exec"), module.__dict__)
    return module
