"""Tokenize with ``13a``: mteval-v13a, the rules of WMT.

A unit is stripped on the right, edited, and padded with spaces for mteval's rules.
"""

from __future__ import annotations

import re

import numpy as np

from vecbleu.text.mteval import ENTITIES, mteval_boundaries, split_mteval
from vecbleu.text.text import NEWLINE, PADDING, Spans, Text, cut_tokens, white_space
from vecbleu.text.tokenizer import ByteTokenizer


def tokenize_13a(text: Text, strips: bool = True) -> Spans:
    """Tokenize as mteval-v13a does; without stripping, keep a hyphen and newlines at the end."""
    edited = _edit(text, strips)
    used = edited.used
    return cut_tokens(edited, white_space(used), mteval_boundaries(used))


def split_13a(string: str, strips: bool = True) -> list[str]:
    """Split one string as `tokenize_13a` does."""
    line = string.rstrip() if strips else string
    if "<" in line or "&" in line or "\n" in line:
        line = _edit_line(line)
    return split_mteval(f" {line} ")


def _edit_line(line: str) -> str:
    """Delete ``<skipped>`` and hyphenation, and replace entities by characters."""
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in line:
        for entity, character in ENTITIES:
            line = line.replace(entity, character)
    return line


def _edit(text: Text, strips: bool) -> Text:
    """Edit all units, together if none of them holds a newline."""
    used = text.used
    if np.count_nonzero(used == NEWLINE) > len(text):
        lines = [string.rstrip() if strips else string for string in text.strings()]
        return Text.from_strings(list(map(_edit_line, lines)))
    buffer = used.tobytes()
    if b"<" in buffer:  # then search for more bytes
        buffer = buffer.replace(b"<skipped>", b"")
    if b"&" in buffer and re.search(b"&(?:quot|amp|lt|gt);", buffer):
        for entity, character in ENTITIES:
            buffer = buffer.replace(entity.encode(), character.encode())
    if len(buffer) == len(used):  # every edit shortens the text
        return text
    return Text.from_padded(np.frombuffer(buffer + PADDING, np.uint8))


TOKENIZER = ByteTokenizer("13a", tokenize_13a, split_13a)
