r"""Tokenize ASCII as mteval-v13a does, which 13a and zh share.

Four regular expressions, one after the other::

    1.  ([{-~[-` -&(-+:-@/])   ->  ' \1 '     punctuation stands alone
    2.  ([^0-9])([.,])         ->  '\1 \2 '   a stop, unless a digit stands before it
    3.  ([.,])([^0-9])         ->  ' \1 \2'   a stop, unless a digit stands after it
    4.  ([0-9])(-)             ->  '\1 \2 '   a dash after a digit
"""

from __future__ import annotations

import numpy as np

from vecbleu.kernel.arrays import Bytes, Int64, Mask
from vecbleu.text.rules import boundaries, compiled, neighbors

# XML's entities, which 13a replaces first. The order matters: '&amp;lt;' becomes '<', but
# '&amp;quot;' becomes '&quot;'.
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

_NONE = np.empty(0, np.int64)

# Signs that rule 1 leaves out: the apostrophe, and comma to period (first byte, number of bytes).
_JOINED = ((ord("'"), 1), (ord(","), 3))

# First bytes of ranges; differences of bytes wrap around, so that one comparison tests a range.
_ZERO = ord("0")
_LOWER_A = ord("a")
_AFTER_SPACE = 0x21
_PRINTED = 0x7F - 0x21
_LETTERS = 26
_BIT_OF_LOWER = 0x20


def without_entities(line: str) -> str:
    """Replace entities by characters."""
    for entity, character in _ENTITIES:
        line = line.replace(entity, character)
    return line


def bytes_without_entities(buffer: bytes) -> bytes:
    """Replace entities by characters, in UTF-8."""
    for entity, character in _ENTITIES:
        buffer = buffer.replace(entity.encode(), character.encode())
    return buffer


def mteval_boundaries(data: Bytes, first: Int64 = _NONE, last: Int64 = _NONE) -> Mask:
    """Mark the bytes to cut before.

    `first` and `last` are the first and last bytes of lines that are not padded.
    """
    digit: Mask = (data - _ZERO) < 10
    after_digit, before_digit = neighbors(digit)
    # Rule 1 has six ranges. Testing for ASCII less digits, letters and _JOINED takes fewer steps.
    alone: Mask = (data - _AFTER_SPACE) < _PRINTED
    alone &= ~digit
    alone &= ((data | _BIT_OF_LOWER) - _LOWER_A) >= _LETTERS
    for start, size in _JOINED:
        alone &= (data - start) >= size
    alone |= (data == ord("-")) & after_digit
    after_digit[first] = True
    before_digit[last] = True
    stop = (data == ord(".")) | (data == ord(","))
    return boundaries(alone, stop, after_digit, before_digit)


# The four rules at once: a sign of punctuation that one of them separates.
_SEPARATED = (
    r"([!-/:-@[-`{-~](?:"
    "(?<=[{-~[-`!-&(-+:-@/])"  # 1
    "|(?<=[^0-9][.,])"  # 2
    "|(?<=[.,])(?=[^0-9])"  # 3
    "|(?<=[0-9]-)))"  # 4
)


def split_mteval(line: str) -> list[str]:
    """Return the tokens of one line, padded or not.

    Splitting at captured characters and joining by spaces is faster than `re.sub`. Only of stops
    right before a digit, rule 2 takes every second one; then the rules are applied in turn.
    """
    if not compiled("[.,][.,][0-9]").search(line):
        return " ".join(compiled(_SEPARATED).split(line)).split()
    line = compiled("([{-~[-` -&(-+:-@/])").sub(r" \1 ", line)
    line = compiled("([^0-9])([.,])").sub(r"\1 \2 ", line)
    line = compiled("([.,])([^0-9])").sub(r" \1 \2", line)
    return compiled("([0-9])(-)").sub(r"\1 \2 ", line).split()
