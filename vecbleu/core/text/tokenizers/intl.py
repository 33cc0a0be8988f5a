r"""Tokenizer ``intl``: mteval-v14.pl's international tokenization, as sacreBLEU runs it.

sacreBLEU strips the segment on the right and applies three regular expressions to the line, without
padding it::

    1.  (\P{N})(\p{P})   ->  '\1 \2 '     punctuation, unless a number stands before it
    2.  (\p{P})(\P{N})   ->  ' \1 \2'     punctuation, unless a number stands after it
    3.  (\p{S})          ->  ' \1 '       symbols stand alone

The first two are those of `stops`; without padding, the point in "in 2023." stays joined. Classes
are those of the `unicodedata` that Python comes with. The `regex` package, which sacreBLEU uses,
may know another version of Unicode: the two differ in characters assigned in between.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np

from vecbleu.core.arrays import Bytes, Int64, Mask
from vecbleu.core.text.characters import ascii_classes, begins_character, classes_of, code_points
from vecbleu.core.text.spans import Spans, cut, line_edges, white_space
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers.base import ByteTokenizer
from vecbleu.core.text.tokenizers.stops import boundaries, neighbors


def tokenize_intl(text: Text) -> Spans:
    """Tokenize as mteval-v14 does."""
    used = text.used
    space = white_space(used)
    first, last = text.offsets[:-1], line_edges(text, space)[1]
    classes = ascii_classes()[used]
    if not used.size or used.max() < 0x80:
        return cut(text, space, _boundaries(classes, first, last))
    leads = np.flatnonzero(used >= 0xC2)
    classes[leads] = classes_of(code_points(text.data, leads))
    begins = begins_character(used)
    places = np.flatnonzero(begins)  # (characters,)
    first = np.searchsorted(places, first)
    last = np.searchsorted(places, last, side="right") - 1
    boundary = np.zeros(len(used), bool)
    boundary[places] = _boundaries(classes[places], first, last)
    return cut(text, space, boundary)


def _boundaries(classes: Bytes, first: Int64, last: Int64) -> Mask:
    """Mark the characters that a token is cut before."""
    behind_number, before_number = neighbors(classes == ord("N"))
    behind_number[first] = before_number[last] = True
    return boundaries(classes == ord("S"), classes == ord("P"), behind_number, before_number)


class _Classes(dict[int, str]):
    """What `str.translate` makes of characters: N, P, S, or a space for any other."""

    def __missing__(self, point: int) -> str:
        """Ask once for each character."""
        found = unicodedata.category(chr(point))[0]
        self[point] = found if found in "NPS" else " "
        return self[point]


_CLASS_LETTERS = _Classes()


@cache
def _rules() -> list[tuple[re.Pattern[str], str]]:
    """The regular expressions on the classes of characters; a bar marks where a token is cut."""
    rules = [("([^N])P", r"\1|P|"), ("P([^N])", r"|P|\1"), ("S", "|S|")]
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


def split_intl(string: str) -> list[str]:
    """The same for one string."""
    return split_unstripped_intl(string.rstrip())


def split_unstripped_intl(line: str) -> list[str]:
    """The tokens of a line as it is: a space behind its last point separates that point.

    The rules are applied to the classes: `re` has none of Unicode's, and sets of all their
    characters would take a tenth of a second to make.
    """
    classes = line.translate(_CLASS_LETTERS)
    for pattern, replacement in _rules():
        classes = pattern.sub(replacement, classes)
    tokens: list[str] = []
    start = 0
    for part in classes.split("|"):
        tokens += line[start : start + len(part)].split()
        start += len(part)
    return tokens


TOKENIZERS = {"intl": ByteTokenizer("intl", tokenize_intl, split_intl)}
