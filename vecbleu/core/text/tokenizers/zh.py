r"""Tokenizer ``zh``: Chinese characters stand alone, other text is cut by mteval's rules.

sacreBLEU strips the segment on both sides, puts spaces around every character of a table of ranges,
and applies the rules of `mteval` without padding the line.

The published quirk: the table writes two of its ranges with code points above U+FFFF as
``'\u20000'``, which Python reads as U+2000 and a ``0``. Compared as strings with one character,
``'\u20000'..'\u2a6d6'`` is U+2001 to U+2A6D, and ``'\u2f800'..'\u2fa1d'`` is U+2F81 to U+2FA1.
So dashes, curly quotes, the euro sign and arrows stand alone, and the characters of Extension B,
which were meant, do not. Published scores depend on it.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from vecbleu.core.arrays import Bytes, Int64, Mask
from vecbleu.core.text.characters import code_points
from vecbleu.core.text.pieces import behind_space
from vecbleu.core.text.spans import Spans, cut, line_edges, white_space
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers.base import ByteTokenizer
from vecbleu.core.text.tokenizers.mteval import mteval_boundaries, split_mteval

_RANGES = (
    (0x2001, 0x2A6D),  # written as Extension B, see above; this contains five of the others
    (0x2E80, 0x2EFF),  # radicals supplement
    (0x2F00, 0x2FDF),  # Kangxi radicals; this contains what is written as U+2F800-2FA1D
    (0x2FF0, 0x303F),  # description characters, punctuation
    (0x3100, 0x312F),  # phonetic symbols
    (0x31A0, 0x31BF),  # phonetic symbols
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x33FF),  # enclosed, compatibility
    (0x3400, 0x4DB5),  # extension A
    (0x4E00, 0x9FBB),  # unified ideographs
    (0xF900, 0xFA2D),  # compatibility ideographs
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),  # vertical forms
    (0xFE30, 0xFE4F),  # compatibility forms
    (0xFF00, 0xFFEF),  # full and half width
)
_CHINESE = np.zeros(1 << 16, bool)
for _first, _last in _RANGES:
    _CHINESE[_first : _last + 1] = True


def tokenize_zh(text: Text) -> Spans:
    """Tokenize as sacreBLEU does for Chinese."""
    space = white_space(text.used)
    boundary = mteval_boundaries(text.used, *line_edges(text, space))
    chinese = _chinese(text.data, text.used)
    boundary[chinese] = boundary[chinese + 3] = True
    return cut(text, space, boundary)


@cache
def _any_chinese() -> re.Pattern[str]:
    """One Chinese character."""
    ranges = "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES)
    return re.compile(f"([{ranges}])")


def split_zh(string: str) -> list[str]:
    """The same for one string."""
    return split_mteval(_any_chinese().sub(r" \1 ", string.strip()))


def is_chinese(character: str) -> bool:
    """Whether a character stands alone."""
    return _any_chinese().fullmatch(character) is not None


def between_chinese(data: Bytes) -> Mask:
    """Cuts for this tokenizer, also between two characters from U+5000 to U+8FFF."""
    places = behind_space(data)
    leads = (data - np.uint8(0xE5)) <= 0xE8 - 0xE5
    places[3:] |= leads[:-3] & leads[3:]
    return places


def _chinese(data: Bytes, used: Bytes) -> Int64:
    """Where Chinese characters begin; all of them have three bytes."""
    leads = np.flatnonzero((used - np.uint8(0xE2)) <= 0xEF - 0xE2)
    places: Int64 = leads[_CHINESE[code_points(data, leads)]]
    return places


TOKENIZERS = {"zh": ByteTokenizer("zh", tokenize_zh, split_zh, between_chinese)}
