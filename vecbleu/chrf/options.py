"""Define the options of chrF: their types, defaults and checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from vecbleu.arguments.checks import checked_bool, checked_integer, checked_number
from vecbleu.arguments.options import MOST_ORDERS, option
from vecbleu.core.signature import Signature
from vecbleu.text.edits import TextOptions


@dataclass(frozen=True)
class ChrfOptions(TextOptions):
    """Options of chrF. With several references, all of them change what is counted."""

    char_order: int = option(
        6,
        partial(checked_integer, least=1, most=MOST_ORDERS),
        "-cc --chrf-char-order",
        "longest n-gram of characters",
    )
    word_order: int = option(
        0,
        partial(checked_integer, least=0, most=MOST_ORDERS),
        "-cw --chrf-word-order",
        "longest n-gram of words: 2 for chrF++",
        (2, 1),
    )
    beta: float = option(
        2, checked_number, "--chrf-beta", "recall counts X*X times as much as precision", (1, 3)
    )
    lowercase: bool = option(False, checked_bool, "--chrf-lowercase", "ignore case")
    whitespace: bool = option(False, checked_bool, "--chrf-whitespace", "count white space, too")
    eps_smoothing: bool = option(
        False,
        checked_bool,
        "--chrf-eps-smoothing",
        "average the scores of all orders, as chrF++.py does",
    )

    @classmethod
    @cache
    def of_signature(cls, signature: Signature) -> ChrfOptions:
        """Return the options that a signature names, and defaults for the others."""
        known = signature.to_dict()
        known["eps_smoothing"] = not known.get("effective_order", True)
        return cls(**{name: known[name] for name in cls.declared if name in known})

    def signature(self, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return Signature(
            references=references,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            effective_order=self.effective_order,
            normalize=self.normalize,
        )

    @property
    def effective_order(self) -> bool:
        """Whether orders without n-grams are left out, as signatures call it."""
        return not self.eps_smoothing

    @property
    def orders(self) -> int:
        """Number of orders of characters and words together, K."""
        return self.char_order + self.word_order

    @property
    def name(self) -> str:
        """The name that sacreBLEU prints, such as chrF2++."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"
