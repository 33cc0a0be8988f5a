"""Tokenize texts as for scores, and find the tokens in their text."""

from __future__ import annotations

from collections.abc import Sequence

from vecbleu.core.options import CountOptions


def text_pieces(
    text: str, tokens: Sequence[str], lowercase: bool = False
) -> list[tuple[str, int | None]]:
    """Cut a text into tokens and the text between them.

    Parameters
    ----------
    text : str
        Text before it was tokenized.
    tokens : sequence of str
        Its tokens, in order.
    lowercase : bool
        Whether the text was lowercased before it was tokenized.

    Returns
    -------
    list of tuple of str and (int or None)
        Pieces with the index of their token, None for text between tokens. No piece is empty. All
        pieces joined give the text. If a token can't be found in the text (a tokenizer replaced an
        entity, or lowercasing changed the length), the pieces are the tokens and spaces.

    Examples
    --------
    >>> text_pieces("Hello, world", ["Hello", ",", "world"])
    [('Hello', 0), (',', 1), (' ', None), ('world', 2)]
    >>> text_pieces("&lt;b&gt;", ["<", "b", ">"])
    [('<', 0), (' ', None), ('b', 1), (' ', None), ('>', 2)]
    """
    pieces: list[tuple[str, int | None]] = []
    searched, end = text.lower() if lowercase else text, 0
    for index, token in enumerate(tokens):
        start = searched.find(token, end)
        if start < 0 or len(searched) != len(text):
            return text_pieces(" ".join(tokens), tokens)
        pieces += [(text[end:start], None), (text[start : start + len(token)], index)]
        end = start + len(token)
    pieces.append((text[end:], None))
    return [piece for piece in pieces if piece[0]]


def text_tokens(texts: Sequence[str], counting: CountOptions) -> list[Sequence[str]]:
    """Tokenize texts as they are tokenized for scores."""
    return counting.tokenize.split([*map(str.lower, texts)] if counting.lowercase else texts)
