"""Define the options of chrF: their types, defaults and checks."""

from __future__ import annotations

from typing import Any, NamedTuple

from vecbleu.core.checks import checked_bool, checked_integer
from vecbleu.core.options import MOST_ORDERS, checked_number
from vecbleu.core.signature import Signature

# The names of the options of chrF, as users pass them.
NAMES = "char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"


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
    def checked(
        cls,
        char_order: Any = 6,
        word_order: Any = 0,
        beta: Any = 2,
        lowercase: Any = False,
        whitespace: Any = False,
        eps_smoothing: Any = False,
    ) -> ChrfOptions:
        """Check options as the user passed them."""
        return cls(
            checked_integer(char_order, "char_order", 1, MOST_ORDERS),
            checked_integer(word_order, "word_order", 0, MOST_ORDERS),
            checked_number(beta, "beta"),
            checked_bool(lowercase, "lowercase"),
            checked_bool(whitespace, "whitespace"),
            not checked_bool(eps_smoothing, "eps_smoothing"),
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
