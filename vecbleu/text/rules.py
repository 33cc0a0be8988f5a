r"""Tokenize by rules, as sacreBLEU does: ``none``, ``char``, ``13a``, ``zh`` and ``intl``.

Each tokenizer is written twice: ``tokenize_...`` works on the bytes of many units at once, and
``split_...`` on one string, which is faster for few units.

The last three come from mteval. Two of its regular expressions put spaces around stops (``[.,]``,
or any punctuation), depending on the digits (or any numbers) beside them::

    ([^digit])(stop)  ->  '\1 \2 '     a stop, unless a digit stands before it
    (stop)([^digit])  ->  ' \1 \2'     a stop, unless a digit stands after it

For bytes, these rules become places where text is cut. Take a run of k stops, with d = 1 if a digit
stands before it, else d = 0. A match of the first rule is two characters wide, and matches do not
overlap. So this rule separates every second stop: from the first one on if d = 0, from the second
one on if d = 1. After that, no two stops touch. The second rule separates every stop that no digit
follows. Two cases remain joined:

- one stop between two digits (k = 1, d = 1): ``2.5``;
- the last stop of a longer run and a digit after it, if k + d is even: ``a..5`` is ``a . .5``
  while ``a...5`` is ``a . . . 5``; ``1...5`` is ``1 . . .5``.

The parity is an accident of the regular expressions, but published scores depend on it. Each rule
needs a character beside the stop. If a line is not padded with spaces, its beginning and its end
therefore act like digits.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from vecbleu.core.arrays import Bytes, Int64, Mask
from vecbleu.text.text import (
    NEWLINE,
    PADDING,
    Spans,
    Text,
    ascii_classes,
    begins_character,
    classes_of,
    code_points,
    cut_tokens,
    is_ascii,
    line_edges,
    white_space,
)

_NONE = np.empty(0, np.int64)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression when it is first used."""
    return re.compile(pattern)


# none: white space separates tokens.


def tokenize_none(text: Text) -> Spans:
    """Split as `str.split` does, at every Unicode white space."""
    return cut_tokens(text, white_space(text.used))


# char: every character but white space is a token.


def tokenize_char(text: Text) -> Spans:
    """Cut before every character."""
    return cut_tokens(text, white_space(text.used), begins_character(text.used))


def split_char(string: str) -> list[str]:
    """Split one string as `tokenize_char` does."""
    return list("".join(string.split()))


# Stops: shared by 13a, zh and intl, see the top of this module.


def _boundaries(alone: Mask, stop: Mask, after_number: Mask, before_number: Mask) -> Mask:
    """Mark the places to cut before, to separate stops and characters that stand alone.

    `stop` and `alone` mark these characters. `after_number` and `before_number` mark the places
    after and before a digit (for intl, any number), and the edges of an unpadded line.
    """
    cuts = alone | (stop & ~(after_number & before_number))
    boundary = cuts.copy()
    boundary[1:] |= cuts[:-1]
    last_of_run = np.flatnonzero(before_number[1:] & stop[1:] & stop[:-1]) + 1
    if last_of_run.size:
        after_stop = np.concatenate([[False], stop[:-1]])
        run_starts = np.flatnonzero(stop & ~after_stop)
        run = np.searchsorted(run_starts, last_of_run, side="right") - 1
        starts = run_starts[run]
        size = last_of_run - starts + 1
        is_joined = (size + after_number[starts]) % 2 == 0
        joined = last_of_run[is_joined]
        boundary[joined + 1] = False
    return boundary


def _neighbors(places: Mask) -> tuple[Mask, Mask]:
    """Return two masks: of the places after the given ones, and of the places before them."""
    after, before = np.zeros((2, len(places)), bool)
    after[1:] = places[:-1]
    before[:-1] = places[1:]
    return after, before


# mteval-v13a: what 13a and zh do with ASCII. Four regular expressions, one after the other:
#
#     1.  ([{-~[-` -&(-+:-@/])   ->  ' \1 '     punctuation stands alone
#     2.  ([^0-9])([.,])         ->  '\1 \2 '   a stop, unless a digit stands before it
#     3.  ([.,])([^0-9])         ->  ' \1 \2'   a stop, unless a digit stands after it
#     4.  ([0-9])(-)             ->  '\1 \2 '   a dash after a digit

# Signs that rule 1 leaves out: the apostrophe, and comma to period (first byte, number of bytes).
_JOINED = ((np.uint8(ord("'")), 1), (np.uint8(ord(",")), 3))

# First bytes of ranges; differences of bytes wrap around, so that one comparison tests a range.
_ZERO = np.uint8(ord("0"))
_LOWER_A = np.uint8(ord("a"))
_AFTER_SPACE = np.uint8(0x21)
_PRINTED = 0x7F - 0x21
_LETTERS = 26
_BIT_OF_LOWER = 0x20


def _mteval_boundaries(data: Bytes, first: Int64 = _NONE, last: Int64 = _NONE) -> Mask:
    """Mark the bytes to cut before.

    `first` and `last` are the first and last bytes of lines that are not padded.
    """
    digit: Mask = (data - _ZERO) < 10
    after_digit, before_digit = _neighbors(digit)
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
    return _boundaries(alone, stop, after_digit, before_digit)


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
    if not _compiled("[.,][.,][0-9]").search(line):
        return " ".join(_compiled(_SEPARATED).split(line)).split()
    line = _compiled("([{-~[-` -&(-+:-@/])").sub(r" \1 ", line)
    line = _compiled("([^0-9])([.,])").sub(r"\1 \2 ", line)
    line = _compiled("([.,])([^0-9])").sub(r" \1 \2", line)
    return _compiled("([0-9])(-)").sub(r"\1 \2 ", line).split()


# 13a: the unit is stripped on the right, edited, and padded with spaces for mteval's rules.

# The order matters: '&amp;lt;' becomes '<', but '&amp;quot;' becomes '&quot;'.
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokenize_13a(text: Text, strips: bool = True) -> Spans:
    """Tokenize as mteval-v13a does; without stripping, keep a hyphen and newlines at the end."""
    edited = _edit(text, strips)
    used = edited.used
    return cut_tokens(edited, white_space(used), _mteval_boundaries(used))


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
        for entity, character in _ENTITIES:
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
        for entity, character in _ENTITIES:
            buffer = buffer.replace(entity.encode(), character.encode())
    if len(buffer) == len(used):  # every edit shortens the text
        return text
    return Text.from_padded(np.frombuffer(buffer + PADDING, np.uint8))


# zh: Chinese characters stand alone; mteval's rules cut other text, and the line is not padded.
#
# sacreBLEU has a mistake that published scores depend on. It writes code points above U+FFFF such
# as '\u20000', which Python reads as U+2000 and a 0, and compares these strings with characters. So
# '\u20000'..'\u2a6d6' is U+2001 to U+2A6D, and '\u2f800'..'\u2fa1d' is U+2F81 to U+2FA1: dashes,
# curly quotes, the euro sign and arrows stand alone; Extension B, which was meant, does not.
CHINESE_RANGES = (
    (0x2001, 0x2A6D),  # meant to be Extension B
    (0x2E80, 0x2FDF),  # radicals; contains what is written as U+2F800-2FA1D
    (0x2FF0, 0x303F),  # description characters, punctuation
    (0x3100, 0x312F),  # phonetic symbols
    (0x31A0, 0x31EF),  # phonetic symbols, strokes
    (0x3200, 0x4DB5),  # enclosed, compatibility, extension A
    (0x4E00, 0x9FBB),  # unified ideographs
    (0xF900, 0xFA2D),  # compatibility ideographs
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),  # vertical forms
    (0xFE30, 0xFE4F),  # compatibility forms
    (0xFF00, 0xFFEF),  # full and half width
)
_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in CHINESE_RANGES)
_CHINESE = f"([{_RANGES}])"


@cache
def _is_chinese() -> Mask:
    """Mark the code points that stand alone (2**16,)."""
    marked = np.zeros(1 << 16, bool)
    for first, last in CHINESE_RANGES:
        marked[first : last + 1] = True
    return marked


def tokenize_zh(text: Text) -> Spans:
    """Tokenize as sacreBLEU does for Chinese."""
    used = text.used
    space = white_space(used)
    boundary = _mteval_boundaries(used, *line_edges(text, space))
    is_lead = (used - np.uint8(0xE2)) <= 0xEF - 0xE2  # of three-byte characters
    leads = np.flatnonzero(is_lead)
    is_chinese = _is_chinese()[code_points(text.data, leads)]
    chinese = leads[is_chinese]
    boundary[chinese] = True
    boundary[chinese + 3] = True
    return cut_tokens(text, space, boundary)


def split_zh(string: str) -> list[str]:
    """Split one string as `tokenize_zh` does."""
    line = _compiled(_CHINESE).sub(r" \1 ", string.strip())
    return split_mteval(line)


# intl: the rules of mteval-v14. The unit is stripped on the right, and not padded:
#
#     1.  (\P{N})(\p{P})   ->  '\1 \2 '     punctuation, unless a number stands before it
#     2.  (\p{P})(\P{N})   ->  ' \1 \2'     punctuation, unless a number stands after it
#     3.  (\p{S})          ->  ' \1 '       symbols stand alone
#
# Without padding, the period of "in 2023." stays joined. Classes are those of Python's
# `unicodedata`. sacreBLEU uses the `regex` package, which may have another version of Unicode. Then
# the two differ in characters that the later version added.


def tokenize_intl(text: Text) -> Spans:
    """Tokenize as mteval-v14 does."""
    used = text.used
    space = white_space(used)
    first = text.offsets[:-1]
    _, last = line_edges(text, space)
    classes = ascii_classes()[used]
    if is_ascii(used):
        return cut_tokens(text, space, _class_boundaries(classes, first, last))
    leads = np.flatnonzero(used >= 0xC2)
    classes[leads] = classes_of(code_points(text.data, leads))
    places = np.flatnonzero(begins_character(used))  # (characters,)
    first = np.searchsorted(places, first)
    last = np.searchsorted(places, last, side="right") - 1
    boundary = np.zeros(len(used), bool)
    boundary[places] = _class_boundaries(classes[places], first, last)
    return cut_tokens(text, space, boundary)


def _class_boundaries(classes: Bytes, first: Int64, last: Int64) -> Mask:
    """Mark the characters to cut before."""
    after_number, before_number = _neighbors(classes == ord("N"))
    after_number[first] = True
    before_number[last] = True
    return _boundaries(classes == ord("S"), classes == ord("P"), after_number, before_number)


class _Classes(dict[int, str]):
    """Classes of characters for `str.translate`: N, P, S, or a space for any other."""

    def __missing__(self, point: int) -> str:
        from unicodedata import category

        letter = category(chr(point))[0]
        self[point] = letter if letter in "NPS" else " "
        return self[point]


_CLASS_LETTERS = _Classes()


def split_intl(string: str) -> list[str]:
    """Split one string as `tokenize_intl` does."""
    return split_unstripped_intl(string.rstrip())


def split_unstripped_intl(line: str) -> list[str]:
    """Return the tokens of a line; white space after a final period cuts the period off.

    Replace each character by the letter of its class, and mark cuts in these letters by bars. `re`
    has no Unicode classes, and sets of all their characters would take long to make.
    """
    classes = line.translate(_CLASS_LETTERS)
    for pattern, marked in (("([^N])P", r"\1|P|"), ("P([^N])", r"|P|\1"), ("S", "|S|")):
        classes = _compiled(pattern).sub(marked, classes)
    tokens: list[str] = []
    start = 0
    for part in classes.split("|"):
        stop = start + len(part)
        tokens += line[start:stop].split()
        start = stop
    return tokens
