"""Edit text before it is tokenized: normalize it, then put it into lower case."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from vecbleu.arguments.checks import checked_name
from vecbleu.arguments.options import OptionGroup, option
from vecbleu.text.text import Text, is_ascii

Normalize = Literal["NFC", "NFD", "NFKC", "NFKD"]


def _checked_form(form: object) -> Normalize | None:
    return None if form is None else checked_name(form, get_args(Normalize))


@dataclass(frozen=True, kw_only=True)
class TextOptions(OptionGroup):
    """Options of counting text that all metrics have: the base of theirs."""

    normalize: Normalize | None = option(
        None,
        _checked_form,
        "--normalize",
        f"Unicode normal form of text: {', '.join(get_args(Normalize))}",
    )

    @property
    def lowercase(self) -> bool:
        """Whether text is put into lower case."""
        raise NotImplementedError

    @property
    def edits(self) -> bool:
        """Whether text is changed before it is tokenized."""
        return self.lowercase or self.normalize is not None

    def edit(self, string: str) -> str:
        """Return a string as it is tokenized."""
        if self.normalize is not None:
            string = unicodedata.normalize(self.normalize, string)
        return string.lower() if self.lowercase else string

    def edit_text(self, text: Text) -> Text:
        """Return units as they are tokenized."""
        if not self.edits:
            return text
        if not is_ascii(text.used):
            edit = self.edit if self.normalize else str.lower  # which takes less time
            return Text.from_strings(list(map(edit, text.strings())))
        if not self.lowercase:  # normal forms leave ASCII as it is
            return text
        return Text(np.frombuffer(text.data.tobytes().lower(), np.uint8), text.offsets)
