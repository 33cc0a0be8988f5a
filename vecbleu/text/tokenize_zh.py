r"""Tokenize with ``zh``: Chinese characters stand alone; mteval's rules cut other text.

The line is not padded.

sacreBLEU has a mistake that published scores depend on. It writes code points above U+FFFF such
as '\u20000', which Python reads as U+2000 and a 0, and compares these strings with characters. So
'\u20000'..'\u2a6d6' is U+2001 to U+2A6D, and '\u2f800'..'\u2fa1d' is U+2F81 to U+2FA1: dashes,
curly quotes, the euro sign and arrows stand alone; Extension B, which was meant, does not.
"""

from __future__ import annotations

from vecbleu.text.mteval import mteval_boundaries, split_mteval
from vecbleu.text.rules import compiled
from vecbleu.text.text import (
    CodePoints,
    Spans,
    Text,
    character_class,
    cut_tokens,
    line_edges,
    three_byte_characters,
    white_space,
)
from vecbleu.text.tokenizer import ByteTokenizer

CHINESE_RANGES: CodePoints = (
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
_CHINESE = f"({character_class(CHINESE_RANGES)})"


def tokenize_zh(text: Text) -> Spans:
    """Tokenize as sacreBLEU does for Chinese."""
    used = text.used
    space = white_space(used)
    boundary = mteval_boundaries(used, *line_edges(text, space))
    chinese = three_byte_characters(text, CHINESE_RANGES)
    boundary[chinese] = True
    boundary[chinese + 3] = True
    return cut_tokens(text, space, boundary)


def split_zh(string: str) -> list[str]:
    """Split one string as `tokenize_zh` does."""
    line = compiled(_CHINESE).sub(r" \1 ", string.strip())
    return split_mteval(line)


TOKENIZER = ByteTokenizer("zh", tokenize_zh, split_zh, characters_a_token=0.6)
