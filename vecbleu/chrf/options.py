"""Define the options of chrF: their types, defaults and checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from vecbleu.core.checks import checked_bool, checked_integer
from vecbleu.core.options import MOST_ORDERS, RunArgs, checked_number
from vecbleu.show.signature import Signature


class ChrfOptions(NamedTuple):
    """Options of chrF. With several references, all of them change what is counted."""

    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> ChrfOptions:
        """Check options as the user passed them; missing ones get their defaults."""
        options = cls()._replace(**{name: given[name] for name in cls._fields if name in given})
        return cls(
            checked_integer(options.char_order, "char_order", 1, MOST_ORDERS),
            checked_integer(options.word_order, "word_order", 0, MOST_ORDERS),
            checked_number(options.beta, "beta"),
            *(checked_bool(getattr(options, name), name) for name in cls._fields[3:]),
        )

    @property
    def orders(self) -> int:
        """Number of orders of characters and words together, K."""
        return self.char_order + self.word_order

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"

    def signature(self, references: int | str | None = None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return Signature(
            lowercase=self.lowercase,
            references=references,
            effective_order=not self.eps_smoothing,
            char_order=self.char_order,
            word_order=self.word_order,
            whitespace=self.whitespace,
            beta=self.beta,
        )

    @classmethod
    def of_signature(cls, signature: Signature) -> ChrfOptions:
        """Return the options that a signature names, and defaults for the others."""
        known = signature.to_dict()
        if "effective_order" in known:
            known["eps_smoothing"] = not known["effective_order"]
        return cls()._replace(**{name: known[name] for name in cls._fields if name in known})


class ChrfArgs(RunArgs, total=False):
    """Arguments of the functions of chrF."""

    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool
