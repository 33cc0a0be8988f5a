"""Names that are loaded when they are used: vecbleu's own, and those of the installed sacreBLEU.

What has nothing to do with BLEU is passed on, name by name, to sacreBLEU where it is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any

_OWN = "vecbleu.sacrebleu"
_PEER = "sacrebleu"
_INSTALL = 'pip install "vecbleu[sacrebleu]"'


def pass_on(
    module: str,
    path: str,
    names: Collection[str] = (),
    own: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module that stands for one of sacreBLEU's.

    Parameters
    ----------
    module : str
        The module's name.
    path : str
        The name of sacreBLEU's module below its package.
    names : collection of str
        What is passed on; any name, if there are none.
    own : dict of str to str, optional
        Where vecbleu's own names are defined, below this package; a module is in itself.
    """
    mine = own or {}

    def get(name: str) -> Any:
        if name in mine:
            found = import_module(f"{_OWN}.{mine[name]}")
            return found if mine[name].rpartition(".")[2] == name else getattr(found, name)
        is_special = name.startswith("__") and name.endswith("__")
        if is_special or (names and name not in names):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            return getattr(installed_module(path), name)
        except ImportError as error:
            message = f"{module}.{name} is sacreBLEU's, {error}"
            if _is_import(sys._getframe(1)):
                raise ImportError(message, name=module) from None
            raise AttributeError(message) from None  # so that `hasattr` is False

    def list_names() -> list[str]:
        listed = {*vars(sys.modules[module]), *mine}
        if is_installed():
            listed |= {*(names or dir(installed_module(path)))}
        return sorted(listed)

    return get, list_names


def installed_module(path: str = "") -> ModuleType:
    """A module of the installed sacreBLEU; the message of an ImportError says what to install."""
    package = sys.modules.get(_PEER)
    if package is not None and package.__name__ != _PEER:
        raise ImportError(f"which {package.__name__} hides: sys.modules[{_PEER!r}] is that module")
    try:
        found = import_module(f"{_PEER}.{path}" if path else _PEER)
    except ImportError as error:
        raise ImportError(f"which can't be imported ({error}): {_INSTALL}") from None
    _register_base_classes()
    return found


def is_installed() -> bool:
    """Whether there is a sacreBLEU to pass names on to, which is not loaded for that."""
    from importlib.util import find_spec

    package = sys.modules.get(_PEER)
    return find_spec(_PEER) is not None if package is None else package.__name__ == _PEER


def _is_import(frame: FrameType) -> bool:
    """Whether a frame is at ``from module import name``, which shows an ImportError's message.

    In place of an AttributeError, it raises an error that does not say what to install.
    """
    from opcode import opmap

    return frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


@cache
def _register_base_classes() -> None:
    """Have the installed sacreBLEU's metrics and scores be instances of the base classes here."""
    theirs, ours = (import_module(f"{name}.metrics.base") for name in (_PEER, _OWN))
    for name in ("Metric", "Score", "Signature"):
        getattr(ours, name).register(getattr(theirs, name))
