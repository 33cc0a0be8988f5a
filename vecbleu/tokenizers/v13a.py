r"""Tokenizer ``13a``: mteval-v13a.pl's, as sacreBLEU runs it.

sacreBLEU strips the segment on the right, edits it, and applies four regular expressions, whose
matches do not overlap, to the line with a space on either side::

    1.  ([{-~[-` -&(-+:-@/])   ->  ' \1 '     punctuation stands alone
    2.  ([^0-9])([.,])         ->  '\1 \2 '   a stop, unless a digit stands before it
    3.  ([.,])([^0-9])         ->  ' \1 \2'   a stop, unless a digit stands after it
    4.  ([0-9])(-)             ->  '\1 \2 '   a dash behind a digit

Here the rules are said as the places where a token is cut. Rules 1 and 4 look at one and two
characters. Rules 2 and 3 see a run of k stops, and d = 1 if a digit stands before the run, else 0.
A match of rule 2 is two characters wide, so rule 2 takes every second stop, beginning with the
first one if d = 0 and with the second one if d = 1; behind rule 2 no two stops touch. Rule 3 then
cuts on both sides of every stop that no digit touches from the right. What remains joined:

- one stop between two digits (k = 1, d = 1): ``2.5``;
- the last stop of a longer run and a digit behind it, if k + d is even: ``a..5`` is ``a . .5``
  while ``a...5`` is ``a . . . 5``; ``1...5`` is ``1 . . .5``.

The parity is an accident of the regular expressions, but published scores depend on it.
"""

from __future__ import annotations

import numpy as np

from vecbleu.ragged import Int64
from vecbleu.text import NEWLINE, Bytes, Text
from vecbleu.tokenizers.spans import Mask, Spans, cut, white_space

_DASH = ord("-")

# In this order: '&amp;lt;' becomes '<', but '&amp;quot;' becomes '&quot;'.
_ENTITIES = ((b"&quot;", b'"'), (b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"))


def tokenize_13a(text: Text) -> Spans:
    """Tokenize as mteval-v13a does."""
    text = _edit(text)
    return cut(text, white_space(text.used), _boundaries(text.used))


def _edit(text: Text) -> Text:
    """Delete ``<skipped>`` and hyphenation, undo the entities."""
    if np.count_nonzero(text.used == NEWLINE) > len(text):
        text = _blank_trailing_newlines(text)
    text = _replace(text, b"<skipped>", b"")
    text = _replace(text, b"-\n", b"")
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


def _boundaries(data: Bytes) -> Mask:
    """Mark the bytes that a token is cut before."""
    digit: Mask = (data - np.uint8(0x30)) < 10
    stop = (data == ord(".")) | (data == ord(","))
    digit_before, digit_after = np.zeros_like(digit), np.zeros_like(digit)
    digit_before[1:], digit_after[:-1] = digit[:-1], digit[1:]

    alone = stop & ~(digit_before & digit_after)  # (bytes,) rules 2 and 3
    alone |= (data == _DASH) & digit_before  # rule 4
    for first, size in ((0x7B, 4), (0x5B, 6), (0x20, 7), (0x28, 4), (0x3A, 7), (0x2F, 1)):
        alone |= (data - np.uint8(first)) < size  # rule 1
    boundary: Mask = alone.copy()
    boundary[1:] |= alone[:-1]

    behind_run = np.flatnonzero(digit[2:] & stop[1:-1] & stop[:-2]) + 2
    if behind_run.size:
        boundary[behind_run[_is_joined(behind_run, stop, digit)]] = False
    return boundary


def _is_joined(behind_run: Int64, stop: Mask, digit: Mask) -> Mask:
    """Whether the digit behind a run of two or more stops stays joined to the last of them."""
    run_starts = np.flatnonzero(stop & ~np.concatenate([[False], stop[:-1]]))
    starts = run_starts[np.searchsorted(run_starts, behind_run) - 1]
    after_digit = (starts > 0) & digit[starts - 1]
    joined: Mask = (behind_run - starts + after_digit) % 2 == 0
    return joined
