"""Define the options of chrF: their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from vecbleu.core.checks import checked_bool, checked_integer
from vecbleu.core.options import MOST_ORDERS, RunArgs, checked_number, takes
from vecbleu.show.signature import Signature


class ChrfArgs(RunArgs, total=False):
    """Arguments of the functions of chrF."""

    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool


_DEFAULTS: dict[str, Any] = {
    "char_order": 6,
    "word_order": 0,
    "beta": 2,
    "lowercase": False,
    "whitespace": False,
    "eps_smoothing": False,
    "workers": None,
    "progress": False,
}

Function = TypeVar("Function", bound=Callable[..., Any])


def takes_options(function: Function) -> Function:
    """Show the options of chrF in a signature, and fill in their defaults."""
    return takes(ChrfArgs, _DEFAULTS)(function)


class ChrfOptions(NamedTuple):
    """Options of chrF, as signatures have them.

    With several references, all of them change what is counted.
    """

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    effective_order: bool = True

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> ChrfOptions:
        """Check options as the user passed them."""
        return cls(
            checked_integer(given["char_order"], "char_order", 1, MOST_ORDERS),
            checked_integer(given["word_order"], "word_order", 0, MOST_ORDERS),
            checked_number(given["beta"], "beta"),
            checked_bool(given["lowercase"], "lowercase"),
            checked_bool(given["whitespace"], "whitespace"),
            not checked_bool(given["eps_smoothing"], "eps_smoothing"),
        )

    @classmethod
    def of_signature(cls, signature: Signature) -> ChrfOptions:
        """Return the options that a signature names, and defaults for the others."""
        known = signature.to_dict()
        return cls(**{name: known[name] for name in cls._fields if name in known})

    def signature(self, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return Signature(references=references, **self._asdict())

    @property
    def orders(self) -> int:
        """Number of orders of characters and words together, K."""
        return self.char_order + self.word_order

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"
