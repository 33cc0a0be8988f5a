"""Tokens to 64-bit ids: equal tokens, equal ids; and the base of all tokenizers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain, compress, repeat
from typing import Any, ClassVar, NamedTuple

import numpy as np

from vecbleu.core.arrays import Bytes, Int64, UInt64
from vecbleu.core.kernel.hashing import FOLD, mix
from vecbleu.core.kernel.ragged import Ragged, as_index, ranges, row_offsets
from vecbleu.core.text.text import NEWLINE, Spans, Text, UnitError, padded_lines

_WORD = 8  # bytes

# Tokens whose first words are taken at a time.
_TAKEN = 1 << 14

# What the bytes behind a token's end are replaced with. 0xFF stands nowhere in UTF-8, so that
# "a" and "a\0" differ.
_FILL = np.array([0xFFFFFFFFFFFFFFFF ^ ((1 << 8 * size) - 1) for size in range(9)], np.uint64)


def hashed(ids: Int64) -> Int64:
    """Hash numbers to ids, one to one."""
    return mix(ids.view(np.uint64)).view(np.int64)


def span_ids(spans: Spans) -> Ragged:
    """Hash the bytes of each token.

    Exact (one id, one token) up to 8 bytes; longer tokens fold in their further words with
    powers of a multiplier and collide with a probability of about 2**-63 a pair (more, but
    below 2**-50, if they are the same words of 8 bytes in another order).
    """
    starts, lengths = spans.starts, spans.ends - spans.starts
    # The 8 bytes at each byte, as integers (bytes - 7,); a view.
    words: UInt64 = np.ndarray(len(spans.data) - _WORD + 1, "<u8", spans.data, strides=(1,))
    ids = mix(_words_at(words, starts) | _FILL.take(lengths, mode="clip"))
    long = np.flatnonzero(lengths > _WORD)
    if long.size:
        ids[long] += _fold_further_words(words, starts[long], lengths[long])
    return Ragged(ids.view(np.int64), spans.offsets)


def _words_at(words: UInt64, starts: Int64) -> UInt64:
    """Return the words at the given places (tokens,), which ascend.

    `take` copies all words first and still takes two thirds of the time of indexing, which is slow
    on a view that is not aligned; but the copy is 8 times the text, so only if tokens are short,
    and a part at a time: a sixth less than the copy of a whole block, which no cache holds.
    """
    if len(words) >= 12 * len(starts):
        return words[starts]
    found = np.empty(len(starts), np.uint64)
    for at in range(0, len(starts), _TAKEN):
        part = starts[at : at + _TAKEN]
        own = words[part[0] : part[-1] + 1]
        own.take(part - part[0], out=found[at : at + _TAKEN], mode="clip")  # "raise" would copy
    return found


def _fold_further_words(words: UInt64, starts: Int64, lengths: Int64) -> UInt64:
    """Hash what follows the first 8 bytes of each token: sum of mix(word_j) * FOLD**j, j >= 1."""
    counts = as_index((lengths - 1) // _WORD)  # (long tokens,)
    place = ranges(np.ones(len(counts), np.int64), counts)  # (words,) of each token from 1 on
    step = _WORD * place
    at = np.repeat(starts, counts) + step
    left = np.repeat(lengths, counts) - step
    folded = mix(words[at] | _FILL.take(left, mode="clip"))
    powers = np.multiply.accumulate(np.full(counts.max(), FOLD))  # FOLD**1, FOLD**2, ...
    folded *= powers[place - 1]
    return np.add.reduceat(folded, np.cumsum(counts) - counts)


class JoinedTokens(NamedTuple):
    """Tokens that are strings, each as a line, and the units' offsets into them."""

    data: Bytes  # (bytes + padding,)
    offsets: Int64  # (units + 1,) into the tokens

    def ids(self) -> Ragged:
        """Hash the tokens."""
        return _unit_ids(Text.from_padded(self.data), self.offsets)


def _unit_ids(tokens: Text, offsets: Int64) -> Ragged:
    """Hash tokens that are the units of a text."""
    return span_ids(Spans(tokens.data, tokens.offsets[:-1], tokens.offsets[1:] - 1, offsets))


def joined_tokens(units: Sequence[Sequence[Any]], offsets: Int64) -> JoinedTokens | None:
    """Encode token sequences; None unless all tokens are strings without a newline.

    Strings are hashed as bytes, at less than half of what a dictionary costs a token. Each unit is
    joined by itself, while its strings are in the cache. `offsets` (units + 1,) are given since
    every look at a list fetches its header from memory.
    """
    try:
        joined = [*map("\n".join, units)]
    except TypeError:
        return None
    filled = np.diff(offsets) > 0
    data = padded_lines(joined if filled.all() else [*compress(joined, filled.tolist())])
    return JoinedTokens(data, offsets) if np.count_nonzero(data == NEWLINE) == offsets[-1] else None


def token_ids(units: Sequence[Sequence[Any]], offsets: Int64) -> Ragged:
    """Return the ids of token sequences: equal where a `Counter` finds tokens equal.

    Ids of strings fit those of other calls, numbers of other tokens do not.
    """
    joined = joined_tokens(units, offsets)
    if joined is not None:
        return joined.ids()
    try:
        strings = Text.from_strings([*chain.from_iterable(units)])
    except TypeError:
        return number_tokens(units, offsets)
    return _unit_ids(strings, offsets)


def number_tokens(
    units: Sequence[Sequence[Hashable]],
    offsets: Int64,
    known: Mapping[Hashable, int] | None = None,
) -> Ragged:
    """Number hashable tokens in the order of their first occurrence, and hash the numbers.

    Where ids of known tokens are given, tokens get those, and all unknown ones get -1.
    """
    numbers: defaultdict[Hashable, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    tokens = chain.from_iterable(units)
    if known is None:
        found = map(numbers.__getitem__, tokens)
    else:
        found = map(known.get, tokens, repeat(-1))
    try:
        ids = np.fromiter(found, np.int64, offsets[-1])
    except (TypeError, ValueError):  # the latter by memoryviews that can be written to
        _refuse_token(units)
        raise
    types = map(type, numbers if known is None else chain.from_iterable(units))
    if any(map(_is_compared_by_identity, set(types))):
        _refuse_token(units)
    return Ragged(hashed(ids) if known is None else ids, offsets)


def _is_compared_by_identity(kind: type) -> bool:
    """Return whether a type is of another library's arrays, which compare by identity."""
    return hasattr(kind, "__array__") and not issubclass(kind, np.generic)


def _refuse_token(units: Sequence[Sequence[Hashable]]) -> None:
    """Name the first token that has no hash, can't be compared, or is an array, and its unit."""
    known: dict[Hashable, None] = {}
    for number, unit in enumerate(units):
        for token in unit:
            try:
                known.setdefault(token)  # compared with tokens of the same hash
            except (TypeError, ValueError) as error:
                raise UnitError(number, f"token {token!r} can't be used: {error}") from None
            if _is_compared_by_identity(type(token)):
                raise UnitError(number, f"token {token!r} is an array; pass rows as arrays")


class Tokenizer(ABC):
    """Makes tokens of strings, and ids of the tokens, by a function for one string.

    Tokenizers of one class are equal if their keys are; the first part of a key is what the user
    calls the tokenizer.
    """

    is_portable: ClassVar[bool] = True  # to other processes, pickled
    cost: ClassVar[float] = 1.0  # of a token, counting included, as a multiple of 13a's

    def __init__(self, *key: Hashable) -> None:
        self._key = key

    @abstractmethod
    def function(self) -> Callable[[str], Sequence[str]]:
        """Load what is needed, and return a function from a string to its tokens."""

    @abstractmethod
    def signature(self) -> str | None:
        """Return the name in sacreBLEU's signature; raise if what is needed is missing."""

    def pinned(self) -> Tokenizer:
        """Return the tokenizer for other processes: bound to the model that it reads here."""
        return self

    def ids(self, text: Text) -> Ragged:
        """Return the ids of each unit's tokens."""
        units = self.split(text.strings())
        return token_ids(units, row_offsets(units))

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        tokens_of = self.function()
        units = []
        for unit, string in enumerate(strings):
            try:
                units.append(tokens_of(string))
            except UnitError as error:
                error.unit = unit
                raise
        return units

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self._key[0])
