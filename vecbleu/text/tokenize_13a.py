"""Tokenize with ``13a``: mteval-v13a, the rules of WMT.

A unit is stripped on the right, edited, and padded with spaces for mteval's rules.
"""

from __future__ import annotations

import re

import numpy as np

from vecbleu.text.mteval import (
    bytes_without_entities,
    mteval_boundaries,
    split_mteval,
    without_entities,
)
from vecbleu.text.text import NEWLINE, Spans, Text, cut_tokens, white_space
from vecbleu.text.tokenizer import ByteTokenizer


def tokenize_13a(text: Text, strips: bool = True) -> Spans:
    """Tokenize as mteval-v13a does; without stripping, keep a hyphen and newlines at the end."""
    edited = _edit(text, strips)
    used = edited.used
    return cut_tokens(edited, white_space(used), mteval_boundaries(used))


def split_13a(string: str, strips: bool = True) -> list[str]:
    """Split one string as `tokenize_13a` does."""
    line = string
    if "<" in line or "&" in line or "\n" in line:
        line = _edit_line(string, strips)
    return split_mteval(f" {line} ")


def _edit_line(string: str, strips: bool) -> str:
    """Delete ``<skipped>`` and hyphenation, and replace entities by characters.

    Stripping matters to a hyphen and newlines at the end.
    """
    line = string.rstrip() if strips else string
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    return without_entities(line)


def _edit(text: Text, strips: bool) -> Text:
    """Edit all units, together if none of them holds a newline."""
    used = text.used
    if np.count_nonzero(used == NEWLINE) > len(text):
        return Text.from_strings([_edit_line(string, strips) for string in text.strings()])
    buffer = used.tobytes()
    if b"<" in buffer:  # then search for more bytes
        buffer = buffer.replace(b"<skipped>", b"")
    if b"&" in buffer and re.search(b"&(?:quot|amp|lt|gt);", buffer):
        buffer = bytes_without_entities(buffer)
    return text.edited(buffer)


TOKENIZER = ByteTokenizer("13a", tokenize_13a, split_13a)
