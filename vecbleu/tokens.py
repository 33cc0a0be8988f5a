"""Tokens to 64-bit ids: equal tokens, equal ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.hashing import FOLD, mix
from vecbleu.ragged import CodePoints, Int64, Ragged, offsets_of
from vecbleu.text import Bytes, Text, join_tokens
from vecbleu.tokenizers import Spans, UnitError
from vecbleu.tokenizers.characters import code_points

_WORD = 8  # bytes

_TYPES_ASKED = 100  # units

# What the bytes behind a token's end are replaced with. 0xFF stands nowhere in UTF-8, so that
# "a" and "a\0" differ.
_FILL = np.array([-1 << (8 * length) & (1 << 64) - 1 for length in range(9)], np.uint64)


def hashed(ids: Int64) -> Int64:
    """Turn numbers that mean something into ids that look random, one to one."""
    return mix(ids.view(np.uint64)).view(np.int64)


def span_ids(spans: Spans) -> Ragged:
    """Hash the bytes of each token.

    Exact (one id, one token) up to 8 bytes; longer tokens fold in their further words with
    powers of a secret multiplier and collide with a probability of about 2**-63 a pair (more, but
    below 2**-50, if they are the same words of 8 bytes in another order).
    """
    if spans.characters:
        return CodePoints(_code_points(spans), spans.offsets)
    words = _words_anywhere(spans.data)
    lengths = spans.ends - spans.starts
    ids = mix(_words_at(words, spans.starts) | _FILL.take(lengths, mode="clip"))
    long = np.flatnonzero(lengths > _WORD)
    if long.size:
        ids[long] += _fold_further_words(words, spans.starts[long], lengths[long])
    return Ragged(ids.view(np.int64), spans.offsets)


def _code_points(spans: Spans) -> Int64:
    """The characters that tokens consist of (tokens,)."""
    points = spans.data.take(spans.starts).astype(np.int64)
    beyond_ascii = np.flatnonzero(points >= 0x80)
    if beyond_ascii.size:
        points[beyond_ascii] = code_points(spans.data, spans.starts[beyond_ascii])
    return points


def _words_anywhere(data: Bytes) -> npt.NDArray[np.uint64]:
    """The 8 bytes at each byte, as integers (bytes - 7,); a view."""
    return np.ndarray((len(data) - _WORD + 1,), "<u8", data, strides=(1,))


def _words_at(words: npt.NDArray[np.uint64], starts: Int64) -> npt.NDArray[np.uint64]:
    """The words at the given bytes.

    `take` copies all words first and still takes two thirds of the time of indexing, which is slow
    on a view that is not aligned; but the copy is 8 times the text, so only if tokens are short.
    """
    return words.take(starts) if len(words) < 12 * len(starts) else words[starts]


def _fold_further_words(
    words: npt.NDArray[np.uint64], starts: Int64, lengths: Int64
) -> npt.NDArray[np.uint64]:
    """Hash what follows the first 8 bytes of each token: sum of mix(word_j) * FOLD**j, j >= 1."""
    counts = (lengths - 1) // _WORD  # (long tokens,)
    offsets = offsets_of(counts)
    place = np.arange(1, offsets[-1] + 1) - np.repeat(offsets[:-1], counts)  # (words,) from 1
    at = np.repeat(starts, counts) + _WORD * place
    left = np.repeat(lengths, counts) - _WORD * place
    folded = mix(words[at] | _FILL.take(left, mode="clip"))
    powers = np.multiply.accumulate(np.full(counts.max(), FOLD))  # FOLD**1, FOLD**2, ...
    folded *= powers[place - 1]
    return np.add.reduceat(folded, offsets[:-1])


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Tokens that are strings, each as a line, and where the units of them begin."""

    data: Bytes  # (bytes + padding,)
    offsets: Int64  # (units + 1,) into the tokens

    def ids(self) -> Ragged:
        """Hash the tokens."""
        return _line_ids(Text.from_padded(self.data), self.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class Numbered:
    """Units of numbers that mean something."""

    numbers: Ragged

    def ids(self) -> Ragged:
        """Hash the numbers."""
        values = np.ascontiguousarray(self.numbers.values)
        return Ragged(hashed(values), self.numbers.offsets)


def _line_ids(text: Text, offsets: Int64) -> Ragged:
    """Hash tokens that are the segments of a text."""
    return span_ids(Spans(text.data, text.offsets[:-1], text.offsets[1:] - 1, offsets))


def pack_sequences(units: Sequence[Sequence[Any]], offsets: Int64 | None = None) -> Joined | Ragged:
    """Make arrays of token sequences: their ids, or what `Joined.ids` makes ids of.

    Ids are equal where a `Counter` finds tokens equal. `offsets` of the units into the tokens may
    be given, where lengths have been asked for before, since every look at a list fetches its
    header from memory.

    Strings are hashed as bytes, at less than half of what a dictionary costs a token. Subclasses of
    str, which may compare in their own way, are recognized by the first tokens of the first units;
    looking at the types of all tokens costs 28 ns a token, and of all first tokens 7% of the whole.
    """
    if offsets is None:
        offsets = offsets_of(np.fromiter(map(len, units), np.int64, len(units)))
    some = compress(units, np.diff(offsets))
    first_tokens = map(next, map(iter, islice(some, _TYPES_ASKED)))
    if not set(map(type, first_tokens)) <= {str, np.str_}:
        return Ragged(_numbers(units, offsets), offsets)
    try:
        data = join_tokens(units, offsets)
        if data is not None:
            return Joined(data, offsets)
        return _line_ids(Text.from_strings([*chain.from_iterable(units)]), offsets)
    except TypeError:  # other tokens follow
        return Ragged(_numbers(units, offsets), offsets)


def sequence_ids(units: Sequence[Sequence[Any]]) -> Ragged:
    """The ids of token sequences."""
    packed = pack_sequences(units)
    return packed.ids() if isinstance(packed, Joined) else packed


def _numbers(units: Sequence[Sequence[Hashable]], offsets: Int64) -> Int64:
    """Number hashables in the order of their first occurrence."""
    numbers: defaultdict[Hashable, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    tokens = chain.from_iterable(units)
    try:
        found = np.fromiter(map(numbers.__getitem__, tokens), np.int64, offsets[-1])
    except TypeError:
        _raise_unhashable(units)
        raise
    if any(map(_is_compared_by_identity, set(map(type, numbers)))):
        _raise_array(units)
    return hashed(found)


def _is_compared_by_identity(kind: type) -> bool:
    """Whether values of a type are arrays of another library, of which no two are equal."""
    return hasattr(kind, "__array__") and not issubclass(kind, np.generic)


def _raise_array(units: Sequence[Sequence[Hashable]]) -> None:
    """Name the first token that is an array, and its unit."""
    for number, unit in enumerate(units):
        for token in unit:
            if _is_compared_by_identity(type(token)):
                raise UnitError(number, f"token {token!r} is an array; pass rows as arrays")


def _raise_unhashable(units: Sequence[Sequence[Hashable]]) -> None:
    """Name the first token that has no hash, and its unit."""
    for number, unit in enumerate(units):
        for token in unit:
            try:
                hash(token)
            except TypeError as error:
                raise UnitError(number, f"token {token!r} can't be used: {error}") from None
