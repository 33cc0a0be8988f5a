"""Replacement for sacreBLEU's BLEU: reference streams, scores from 0 to 100, signatures.

To switch a program, write ``import vecbleu.sacrebleu as sacrebleu``, or call `install` before its
imports. All other names, such as `CHRF`, `TER` and those of test sets, come from the installed
sacreBLEU.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from vecbleu.core.extras import import_extra

if TYPE_CHECKING:
    from vecbleu.sacrebleu import compat as compat
    from vecbleu.sacrebleu import metrics as metrics
    from vecbleu.sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
    from vecbleu.sacrebleu.metrics.bleu import BLEU, BLEUScore, BLEUSignature
if TYPE_CHECKING:  # afterwards, since the first import of a name counts
    from sacrebleu import *  # type: ignore[assignment]  # noqa: F403

__version__ = "2.6.0"  # sacreBLEU with the same numbers; vecbleu's own: `vecbleu.__version__`

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "__version__",
    "corpus_bleu",
    "install",
    "raw_corpus_bleu",
    "sentence_bleu",
]


def install() -> None:
    """Make the installed sacreBLEU use vecbleu's BLEU.

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
    modules = "sacrebleu", "sacrebleu.compat", "sacrebleu.metrics", "sacrebleu.metrics.bleu"
    compat = import_module(f"{__name__}.compat")
    for module in import_extra("install needs", "sacrebleu", *modules):
        for name in compat.__all__:
            if hasattr(module, name):
                setattr(module, name, getattr(compat, name))
    import_module("sacrebleu.metrics").METRICS["BLEU"] = compat.BLEU


def from_sacrebleu(module: str, name: str) -> Any:
    """Return a name of a module of the installed sacreBLEU."""
    if name.startswith("__"):  # such as `__path__`, for which many programs ask any module
        raise AttributeError(f"module 'vecbleu.{module}' has no attribute {name!r}")
    (installed,) = import_extra(f"vecbleu.{module}.{name} needs", "sacrebleu", module)
    return getattr(installed, name)


if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> Any:
        """Import vecbleu's names and modules on first use; all others are sacreBLEU's."""
        if name in __all__:
            value = globals()[name] = getattr(import_module(f"{__name__}.compat"), name)
            return value
        if find_spec(f"{__name__}.{name}"):
            return import_module(f"{__name__}.{name}")
        return from_sacrebleu("sacrebleu", name)
