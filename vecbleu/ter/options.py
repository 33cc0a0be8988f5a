"""Define the options of TER: their types, defaults and checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from vecbleu.arguments.checks import checked_bool
from vecbleu.arguments.options import option
from vecbleu.core.signature import Signature
from vecbleu.text.edits import TextOptions


@dataclass(frozen=True)
class TerOptions(TextOptions):
    """Options of TER. All of them change the words that are compared."""

    normalized: bool = option(
        False, checked_bool, "--ter-normalized", "cut punctuation from words, replace entities"
    )
    no_punct: bool = option(False, checked_bool, "--ter-no-punct", "remove punctuation")
    asian_support: bool = option(
        False,
        checked_bool,
        "--ter-asian-support",
        "cut or remove Chinese and Japanese characters, too",
    )
    case_sensitive: bool = option(
        False, checked_bool, "--ter-case-sensitive", "tell upper from lower case"
    )

    @property
    def lowercase(self) -> bool:
        """Whether text is put into lower case."""
        return not self.case_sensitive

    @classmethod
    @cache
    def of_signature(cls, signature: Signature) -> TerOptions:
        """Return the options that a signature names, and defaults for the others."""
        known = signature.to_dict()
        known["case_sensitive"] = not known.get("lowercase", True)
        return cls(**{name: known[name] for name in cls.declared if name in known})

    def signature(self, references: int | str | None) -> Signature:
        """Return the signature; `references` is the number of references a segment."""
        return Signature(
            tokenize="tercom",
            lowercase=self.lowercase,
            references=references,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            normalize=self.normalize,
        )
