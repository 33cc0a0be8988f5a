"""Replacement for sacreBLEU's metrics: reference streams, scores times 100, signatures.

To switch a program, write ``import vecbleu.sacrebleu as sacrebleu``, or call `install` before its
imports. All other names, such as those of test sets, come from the installed sacreBLEU.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from vecbleu.arguments.checks import import_extra

if TYPE_CHECKING:
    from vecbleu.sacrebleu import compat as compat
    from vecbleu.sacrebleu import metrics as metrics
    from vecbleu.sacrebleu.metrics import *  # noqa: F403
if TYPE_CHECKING:  # afterwards, since the first import of a name counts
    from sacrebleu import *  # type: ignore[assignment]  # noqa: F403

__version__ = "2.6.0"  # sacreBLEU with the same numbers; vecbleu's own: `vecbleu.__version__`


def install() -> None:
    """Make the installed sacreBLEU use vecbleu's metrics.

    Call it before other imports: names imported from sacreBLEU afterwards are vecbleu's; names
    imported before stay sacreBLEU's.

    Raises
    ------
    ImportError
        sacreBLEU is not installed.

    Examples
    --------
    >>> import vecbleu.sacrebleu
    >>> vecbleu.sacrebleu.install()  # doctest: +SKIP
    >>> from sacrebleu.metrics import BLEU, CHRF  # doctest: +SKIP
    """
    ours = import_module(f"{__name__}.metrics")
    names = ["", ".compat", ".metrics", *(f".metrics.{name.lower()}" for name in ours.OURS)]
    modules = import_extra("install needs", "sacrebleu", *(f"sacrebleu{name}" for name in names))
    for module in modules:
        for name in ours.__all__:
            if hasattr(module, name):
                setattr(module, name, getattr(ours, name))
    import_module("sacrebleu.metrics").METRICS.update(ours.OURS)


def from_sacrebleu(module: str, name: str) -> object:
    """Return a name of a module of the installed sacreBLEU."""
    if name.startswith("__"):  # such as `__path__`, for which many programs ask any module
        raise AttributeError(f"module 'vecbleu.{module}' has no attribute {name!r}")
    (installed,) = import_extra(f"vecbleu.{module}.{name} needs", "sacrebleu", module)
    return getattr(installed, name)


if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> object:
        """Import vecbleu's names and modules on first use; all others are sacreBLEU's."""
        if find_spec(f"{__name__}.{name}"):
            return import_module(f"{__name__}.{name}")
        if name.startswith("__") and name != "__all__":
            return from_sacrebleu("sacrebleu", name)
        ours = import_module(f"{__name__}.metrics")
        if name == "__all__":
            return sorted([*ours.__all__, "__version__", "install"])
        if name not in ours.__all__:
            return from_sacrebleu("sacrebleu", name)
        value = globals()[name] = getattr(ours, name)
        return value
