"""Find the longest match that covers each token, and the place of tokens in their text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from vecbleu.core.options import CountOptions
from vecbleu.core.small import most_in_one, ngrams_of


def matched_orders(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], max_order: int = 4
) -> list[int]:
    """Find the order of the longest match that covers each token.

    As in BLEU, an n-gram matches at most as often as it occurs in one reference. Its occurrences
    in the hypothesis match from the left.

    Parameters
    ----------
    hypothesis : sequence of hashables (tokens,)
        Tokens of the hypothesis.
    references : sequence of sequences of hashables
        Tokens of each reference.
    max_order : int
        Length of the longest n-grams.

    Returns
    -------
    list of int (tokens,)
        Orders, from 1 to `max_order`; 0 for a token that no match covers.

    Examples
    --------
    >>> matched_orders("the the cat sat".split(), ["the cat lay".split()])
    [1, 2, 2, 0]
    """
    orders = [0] * len(hypothesis)
    for order in range(1, max_order + 1):
        left = most_in_one(ngrams_of(one, order) for one in references)
        end = 0  # of the covered tokens
        for place, ngram in enumerate(ngrams_of(hypothesis, order)):
            number = left.get(ngram)
            if number:
                left[ngram] = number - 1
                start, end = max(place, end), place + order
                orders[start:end] = [order] * (end - start)
        if not end:
            break  # longer n-grams can't match either
    return orders


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
    searched = text.lower() if lowercase else text
    if len(searched) != len(text):
        return _joined(tokens)
    pieces: list[tuple[str, int | None]] = []
    end = 0
    for index, token in enumerate(tokens):
        start = searched.find(token, end)
        if start < 0:
            return _joined(tokens)
        pieces += [(text[end:start], None), (text[start : start + len(token)], index)]
        end = start + len(token)
    pieces.append((text[end:], None))
    return [piece for piece in pieces if piece[0]]


def _joined(tokens: Sequence[str]) -> list[tuple[str, int | None]]:
    """Return the tokens, with a space between neighbors."""
    pieces: list[tuple[str, int | None]] = []
    for index, token in enumerate(tokens):
        pieces += [(token, index), (" ", None)]
    return [piece for piece in pieces[:-1] if piece[0]]


def text_tokens(texts: Sequence[str], counting: CountOptions) -> list[Sequence[str]]:
    """Tokenize texts as they are tokenized for scores."""
    return counting.tokenize.split([*map(str.lower, texts)] if counting.lowercase else texts)
