"""Tokenizer ``13a``: mteval-v13a.pl's, as sacreBLEU runs it.

sacreBLEU strips the segment on the right, edits it, and applies the rules of `mteval` to the line
with a space on either side.
"""

from __future__ import annotations

import numpy as np

from vecbleu.core.text.spans import Spans, cut, white_space
from vecbleu.core.text.text import NEWLINE, Text
from vecbleu.core.text.tokenizers.base import ByteTokenizer
from vecbleu.core.text.tokenizers.mteval import mteval_boundaries, split_mteval

# In this order: '&amp;lt;' becomes '<', but '&amp;quot;' becomes '&quot;'.
_ENTITIES = ((b"&quot;", b'"'), (b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"))


def tokenize_13a(text: Text, strips: bool = True) -> Spans:
    """Tokenize as mteval-v13a does."""
    edited = _edit(text, strips)
    return cut(edited, white_space(edited.used), mteval_boundaries(edited.used))


def tokenize_unstripped_13a(text: Text) -> Spans:
    """The same but for a hyphen and newlines that end a segment: as Hugging Face's `evaluate`."""
    return tokenize_13a(text, strips=False)


def split_13a(string: str) -> list[str]:
    """The same for one string as `tokenize_13a`."""
    return split_unstripped_13a(string.rstrip())


def split_unstripped_13a(line: str) -> list[str]:
    """The same for one string as `tokenize_unstripped_13a`."""
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in line:
        for entity, character in _ENTITIES:
            line = line.replace(entity.decode(), character.decode())
    return split_mteval(f" {line} ")


def _edit(text: Text, strips: bool) -> Text:
    """Delete ``<skipped>`` and hyphenation, undo the entities."""
    has_newlines = np.count_nonzero(text.used == NEWLINE) > len(text)
    if has_newlines and strips:
        text = _blank_trailing_newlines(text)
    # Most text has none of these; asking the bytes for one of them is a hundred times as fast as
    # looking for places, and ten times as fast as asking for several.
    buffer = text.used.tobytes()
    if b"<" in buffer and b"<skipped>" in buffer:
        text = _replace(text, b"<skipped>", b"")
    if has_newlines:
        text = _replace(text, b"-\n", b"")
    if b"&" in buffer:
        for entity, character in _ENTITIES:
            text = _replace(text, entity, character)
    return text


def _blank_trailing_newlines(text: Text) -> Text:
    """Make spaces of the newlines that sacreBLEU strips, so that no hyphen is taken with them."""
    data = text.data.copy()
    newlines = np.flatnonzero(text.used == NEWLINE)
    newlines = np.setdiff1d(newlines, text.offsets[1:] - 1, assume_unique=True)
    words = np.append(np.flatnonzero(~white_space(text.used)), len(text.used))
    segments = np.searchsorted(text.offsets, newlines, side="right")
    following = words[np.searchsorted(words, newlines)]
    data[newlines[following >= text.offsets[segments]]] = ord(" ")
    return Text(data, text.offsets)


def _replace(text: Text, pattern: bytes, character: bytes) -> Text:
    """Put one character, or nothing, where `pattern` stands inside a segment.

    Several passes in a row see each other's results, as calls of `str.replace` do. No pattern
    overlaps with itself.
    """
    used = text.used
    at = np.flatnonzero(used == pattern[0])
    for place, byte in enumerate(pattern[1:], 1):
        at = at[text.data[at + place] == byte]
    if pattern[-1] == NEWLINE:  # the newline that closes a segment is not part of it
        at = np.setdiff1d(at, text.offsets[1:] - len(pattern), assume_unique=True)
    if not at.size:
        return text
    data = text.data.copy()
    keep = np.ones(len(data), bool)
    for place in range(len(pattern)):
        if place < len(character):
            data[at + place] = character[place]
        else:
            keep[at + place] = False
    removed = len(pattern) - len(character)
    offsets = text.offsets - removed * np.searchsorted(at, text.offsets)
    return Text(data[keep], offsets)


TOKENIZERS = {"13a": ByteTokenizer("13a", tokenize_13a, split_13a)}
