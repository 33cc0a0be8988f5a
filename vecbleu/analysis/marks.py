"""Find tokens in their text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np


def token_starts(
    text: str, tokens: Sequence[str], lowercase: bool = False
) -> tuple[str, list[int]]:
    """Return a text, and where each of its tokens starts.

    If a token can't be found in the text (a tokenizer replaced an entity, or lowercasing changed
    the length), the text that is returned is the tokens, joined by spaces.

    >>> token_starts("Hello, world", ["Hello", ",", "world"])
    ('Hello, world', [0, 5, 7])
    >>> token_starts("&lt;b&gt;", ["<", "b", ">"])
    ('< b >', [0, 2, 4])
    """
    searched, starts, end = text.lower() if lowercase else text, [], 0
    for token in tokens:
        start = searched.find(token, end)
        starts.append(start)
        end = start + len(token)
    if -1 in starts or len(searched) != len(text):
        return token_starts(" ".join(tokens), tokens)
    return text, starts


def plain_tokens(unit: Iterable[Any]) -> tuple[Hashable, ...]:
    """Return tokens as a tuple, NumPy's scalars as Python's."""
    return tuple(token.item() if isinstance(token, np.generic) else token for token in unit)
