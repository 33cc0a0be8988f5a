"""Find the longest match that covers each token, and where tokens stand in their text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from vecbleu.core.small import most_in_one, ngrams_of


def matched_orders(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], max_order: int = 4
) -> list[int]:
    """Find the longest n-gram that matched and covers a token, for each token.

    An n-gram matches as often as the one reference has it that has it most often, its copies in
    the hypothesis from the left, as BLEU counts them.

    Parameters
    ----------
    hypothesis : sequence of hashables (tokens,)
        Tokens.
    references : sequence of sequences of hashables
        One or several references' tokens.
    max_order : int
        The longest n-gram.

    Returns
    -------
    list of int (tokens,)
        Orders, from 1 to `max_order`; 0 for a token that no matched n-gram covers.

    Examples
    --------
    >>> matched_orders("the the cat sat".split(), ["the cat lay".split()])
    [1, 2, 2, 0]
    """
    orders = [0] * len(hypothesis)
    for order in range(1, max_order + 1):
        left = most_in_one(ngrams_of(one, order) for one in references)
        end = 0  # of the tokens that are covered
        for place, ngram in enumerate(ngrams_of(hypothesis, order)):
            number = left.get(ngram)
            if number:
                left[ngram] = number - 1
                start, end = max(place, end), place + order
                orders[start:end] = [order] * (end - start)
        if not end:
            break  # what contains an unmatched n-gram does not match
    return orders


def text_pieces(
    text: str, tokens: Sequence[str], lowercase: bool = False
) -> list[tuple[str, int | None]]:
    """Cut a text into pieces that each show a token, or none.

    Parameters
    ----------
    text : str
        The text as it was before it was tokenized.
    tokens : sequence of str
        Its tokens, in order.
    lowercase : bool
        Whether it was made lower case before.

    Returns
    -------
    list of tuple of str and (int or None)
        Pieces that together are the text, none of them empty, each with the index of the token
        that it shows; None for white space and for what became no token. Where a token does not
        stand in the text behind the one before it (a tokenizer has replaced an entity, or lower
        case has another length), the tokens joined by spaces.

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
    """The tokens with a space between each two."""
    pieces: list[tuple[str, int | None]] = []
    for index, token in enumerate(tokens):
        pieces += [(token, index), (" ", None)]
    return [piece for piece in pieces[:-1] if piece[0]]
