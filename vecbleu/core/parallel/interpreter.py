"""What a worker process is started as: this interpreter, with its flags, paths and packages."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping

from vecbleu.core.records import dataclass

# The packages that every worker imports. They are loaded from where this process has them.
_PACKAGES = ("numpy", "vecbleu")

# What `marshal` reads comes through the pipe: a command line has a limit, which a long `sys.path`
# exceeds. Nothing that Python has not built in is imported before the path is set.
_PROGRAM = f"""
import marshal, sys
sys.path[:], origins = marshal.load(sys.stdin.buffer)
import importlib.machinery, importlib.util
for name, origin, folder in origins:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin != origin:
        spec = importlib.machinery.PathFinder.find_spec(name, [folder])
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
from {__package__}.messages import serve
serve(sys.stdin.buffer)
"""

# Python would wait for input where a worker fails.
_NOT_FOR_WORKERS = {"PYTHONINSPECT"}


def _current_folder() -> str:
    """The current directory; an empty string if it has been deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


_FIRST_FOLDER = _current_folder()


@dataclass(frozen=True, slots=True)
class Start:
    """What a worker is started with; one that was started with something else is another one."""

    command: list[str]
    imports: bytes  # what it reads first
    environment: dict[str, str]
    folder: str  # paths of models may be relative


def no_interpreter() -> str | None:
    """Why there is no program for workers to run; None if there is."""
    if getattr(sys, "frozen", False):  # it would start the user's program again
        return "the program is frozen"
    return None if sys.executable else "sys.executable is not set"


def describe_start(environment: Mapping[str, str]) -> Start:
    """What a worker is started with now; `environment` is added to this process' own."""
    own = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_WORKERS}
    if "PYTHONPATH" in own:  # of which a start imports `sitecustomize`
        paths = own["PYTHONPATH"].split(os.pathsep)
        own["PYTHONPATH"] = os.pathsep.join(filter(os.path.isabs, paths))
    command = [sys.executable, *_interpreter_flags(), "-c", _PROGRAM]
    imports = marshal.dumps((_import_paths(), [*map(_origin, _PACKAGES)]))
    return Start(command, imports, {**own, **environment}, _current_folder())


def _interpreter_flags() -> list[str]:
    """The options that this interpreter was started with."""
    # Private, but what multiprocessing calls in all versions: an own list of flags would lack what
    # the next version brings. It leaves out most of -X.
    from subprocess import _args_from_interpreter_flags  # type: ignore[attr-defined]

    options = [
        part
        for name, value in sys._xoptions.items()
        for part in ("-X", name if value is True else f"{name}={value}")
    ]
    return [*_args_from_interpreter_flags(), *options]


def _import_paths() -> list[str]:
    """Where a worker imports from: nowhere that this process would not have.

    A relative entry ("" in a prompt, a notebook or behind -c) means another directory after every
    `os.chdir`: this process imports what it needs from the one, and a worker, which starts later,
    would from the other. So it is the first directory that counts, and behind all others: modules
    in it replace none.
    """
    paths = [path for path in sys.path if isinstance(path, str)]
    absolute = [path for path in paths if os.path.isabs(path)]
    relative = [path for path in paths if not os.path.isabs(path)] if _FIRST_FOLDER else []
    return [os.path.abspath(os.path.join(_FIRST_FOLDER, path)) for path in absolute + relative]


def _origin(package: str) -> tuple[str, str, str]:
    """A package, its file, and the directory (or archive) that it is in."""
    module = sys.modules[package]
    (folder, *_) = module.__path__
    return package, str(module.__spec__ and module.__spec__.origin), os.path.dirname(folder)
