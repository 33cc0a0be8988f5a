r"""Tokenize with ``intl``: the rules of mteval-v14.

A unit is stripped on the right, and not padded::

    1.  (\P{N})(\p{P})   ->  '\1 \2 '     punctuation, unless a number stands before it
    2.  (\p{P})(\P{N})   ->  ' \1 \2'     punctuation, unless a number stands after it
    3.  (\p{S})          ->  ' \1 '       symbols stand alone

Without padding, the period of "in 2023." stays joined. Classes are those of Python's
`unicodedata`. sacreBLEU uses the `regex` package, which may have another version of Unicode. Then
the two differ in characters that the later version added.
"""

from __future__ import annotations

import numpy as np

from vecbleu.kernel.arrays import Bytes, Int64, Mask
from vecbleu.text.rules import boundaries, compiled, neighbors
from vecbleu.text.text import (
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
from vecbleu.text.tokenizer import ByteTokenizer


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
    after_number, before_number = neighbors(classes == ord("N"))
    after_number[first] = True
    before_number[last] = True
    return boundaries(classes == ord("S"), classes == ord("P"), after_number, before_number)


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
        classes = compiled(pattern).sub(marked, classes)
    tokens: list[str] = []
    start = 0
    for part in classes.split("|"):
        stop = start + len(part)
        tokens += line[start:stop].split()
        start = stop
    return tokens


TOKENIZER = ByteTokenizer("intl", tokenize_intl, split_intl, characters_a_token=2.4)
