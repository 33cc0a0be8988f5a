r"""Cut text into words as Tercom does, in sacreBLEU's port.

A unit is edited by `vecbleu.text.edits`, and stripped on the right. With `normalized`, these rules
follow::

    1.  \n-  ->  nothing           another newline becomes a space
    2.  &quot; &amp; &lt; &gt;     become characters, in this order
    3.  's(end)  ->  ' 's\1'       end: a space, the end of the unit, or a sign that stands alone
    4.  the rules of mteval        signs that stand alone, stops, dashes after digits
    5.  (Asian)  ->  ' \1 '        with `asian_support`

Last, `no_punct` deletes signs. White space separates words.

sacreBLEU's rules for kana, and its rule for 's without a space after it, need the edge of a line,
which is a space by then. They never match. The end of its range of enclosed characters, U+3F22 for
U+32FF, changes nothing, since the characters between are cut as ideographs, too.

**References pass twice.** That changes nothing but two kinds of words, and only with `normalized`:

- ``x's``, which ended at a stop, an Asian character, white space other than a space, or another
  ``'s``: the first pass put a space after it, so that rule 3 applies;
- ``.5``: mteval joins some stops to the digit after them (see `vecbleu.text.rules`). A space
  stands before such a stop after the first pass, so that it is cut off.

All else stays: lower case; signs, dashes after digits and Asian characters, which have spaces
around them; hence entities, too: every ``&`` stands alone. `no_punct` closes only gaps in numbers
such as ``2.5``.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from vecbleu.kernel.arrays import Int64, Mask
from vecbleu.kernel.ragged import Ragged
from vecbleu.ter.options import TerOptions
from vecbleu.text.mteval import (
    bytes_without_entities,
    mteval_boundaries,
    split_mteval,
    without_entities,
)
from vecbleu.text.rules import compiled
from vecbleu.text.text import (
    NEWLINE,
    CodePoints,
    Text,
    character_class,
    cut_tokens,
    line_edges,
    three_byte_characters,
    white_space,
)
from vecbleu.text.tokens import span_ids, token_ids

# What may follow 's: a space, and the signs that stand alone by mteval's first rule.
_ENDS = ' !"#$%&()*+/:;<=>?@[\\]^_`{|}~'

_PUNCTUATION = '.,?:;!"()'

_ASIAN_PUNCTUATION: CodePoints = (
    (0x3001, 0x3002),
    (0x3008, 0x3011),
    (0x3014, 0x301F),
    (0x30FB, 0x30FB),
    (0xFF01, 0xFF02),  # full width, to U+FF1F
    (0xFF08, 0xFF09),
    (0xFF0C, 0xFF0C),
    (0xFF0E, 0xFF0E),
    (0xFF1A, 0xFF1B),
    (0xFF1F, 0xFF1F),
    (0xFF61, 0xFF65),  # half width
)
_ASIAN: CodePoints = (
    (0x2E80, 0x2EFF),  # radicals
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x4DBF),  # enclosed, compatibility, extension A
    (0x4E00, 0x9FFF),  # unified ideographs
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFE30, 0xFE4F),  # compatibility forms
    *_ASIAN_PUNCTUATION,
)


# Made once, since a call with one string would take as long for it as for the string.
_POSSESSIVE = f"'s(?=[{re.escape(_ENDS)}])"
_CUT = f"({character_class(_ASIAN)})"
_DELETED = f"[{_PUNCTUATION}]"
_DELETED_ASIAN = character_class(_ASIAN_PUNCTUATION)


def split_tercom(string: str, options: TerOptions) -> list[str]:
    """Return the words of a hypothesis."""
    return _cut(options.edit(string), options)


def _cut(string: str, options: TerOptions) -> list[str]:
    """Return the words of a string in its normal form and case."""
    line = string.rstrip()
    if options.normalized:
        line = " ".join(_split_normalized(line, options.asian_support))
    if options.no_punct:
        line = compiled(_DELETED).sub("", line)
        if options.asian_support:
            line = compiled(_DELETED_ASIAN).sub("", line)
    return line.split()


def split_reference(string: str, options: TerOptions) -> list[str]:
    """Return the words of a reference, which sacreBLEU tokenizes twice."""
    words = split_tercom(string, options)
    return _cut(" ".join(words), options) if options.normalized else words


def _split_normalized(line: str, asian_support: bool) -> list[str]:
    """Apply the rules of `normalized`."""
    line = line.replace("\n-", "").replace("\n", " ")
    line = without_entities(line)
    line = compiled(_POSSESSIVE).sub(" 's", f" {line} ")
    if asian_support:
        line = " ".join(compiled(_CUT).split(line))
    return split_mteval(line)


def tercom_ids(text: Text, is_reference: Mask, options: TerOptions) -> Ragged:
    """Return the ids of each unit's words; `is_reference` (units,) marks those cut twice."""
    if options.normalized and np.count_nonzero(text.used == NEWLINE) > len(text):
        return token_ids(_split(text.strings(), is_reference, options))
    text = options.edit_text(text)
    if options.normalized:
        text = _edit(text, options.no_punct)
        space = white_space(text.used)
        boundary = _boundaries(text, space, is_reference, options.asian_support)
        if options.no_punct:  # all of it stands alone, so that white space can take its place
            space |= _punctuation(text, options.asian_support)
        return span_ids(cut_tokens(text, space, boundary))
    if options.no_punct:
        text = _without(text, _punctuation(text, options.asian_support))
    return span_ids(cut_tokens(text, white_space(text.used)))


def _split(strings: list[str], is_reference: Mask, options: TerOptions) -> list[list[str]]:
    """Return the words of each unit."""
    return [
        split_reference(string, options) if twice else split_tercom(string, options)
        for string, twice in zip(strings, is_reference.tolist(), strict=True)
    ]


def _edit(text: Text, no_punct: bool) -> Text:
    """Replace entities by characters; with `no_punct`, delete stops between digits."""
    buffer = bytes_without_entities(text.used.tobytes())
    if no_punct:
        buffer = re.sub(rb"[.,](?<=[0-9].)(?=[0-9])", b"", buffer)
    return text.edited(buffer)


def _boundaries(text: Text, space: Mask, is_reference: Mask, asian_support: bool) -> Mask:
    """Mark the bytes to cut before, in text whose lines are its units."""
    used = text.used
    boundary = mteval_boundaries(used)
    if asian_support:
        asian = three_byte_characters(text, _ASIAN)
        boundary[asian] = True
        boundary[asian + 3] = True
    quotes = np.flatnonzero((used[:-1] == ord("'")) & (used[1:] == ord("s")))
    after = quotes + 2
    unit = _units(text, quotes)
    _, last = line_edges(text, space)
    is_end = _bytes_in(_ENDS)[used[after]] | (after > last[unit])
    boundary[quotes[is_end]] = True
    # The second pass.
    is_end = boundary[after] | space[after]
    boundary[quotes[is_end & is_reference[unit]]] = True
    stop, digit = _bytes_in(".,")[used], _bytes_in("0123456789")[used]
    stops = np.flatnonzero(stop[:-1] & digit[1:])
    stops = stops[~digit[stops - 1]]  # before the first byte comes the last one, a newline
    stops = stops[is_reference[_units(text, stops)]]
    boundary[stops + 1] = True
    return boundary


def _units(text: Text, places: Int64) -> Int64:
    """Return the unit of each byte."""
    return np.searchsorted(text.offsets, places, side="right") - 1


def _punctuation(text: Text, asian_support: bool) -> Mask:
    """Mark the bytes that `no_punct` deletes."""
    marked = _bytes_in(_PUNCTUATION)[text.used]
    if asian_support:
        asian = three_byte_characters(text, _ASIAN_PUNCTUATION)
        marked[asian] = marked[asian + 1] = marked[asian + 2] = True
    return marked


def _without(text: Text, marked: Mask) -> Text:
    """Delete the marked bytes."""
    places = np.flatnonzero(marked)
    offsets = text.offsets - np.searchsorted(places, text.offsets)
    return Text(np.delete(text.data, places), offsets)


@cache
def _bytes_in(characters: str) -> Mask:
    """Mark the bytes of ASCII characters (256,)."""
    marked = np.zeros(1 << 8, bool)
    marked[list(characters.encode())] = True
    return marked
