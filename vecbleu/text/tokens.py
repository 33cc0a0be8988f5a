"""Turn tokens into 64-bit ids: equal tokens have equal ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from itertools import chain, compress, repeat
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.checks import is_of_integers
from vecbleu.arguments.errors import ArgumentTypeError
from vecbleu.kernel.arrays import Bytes, Int64, UInt64
from vecbleu.kernel.ngrams import FOLD, mix
from vecbleu.kernel.packed import END, FIRST_SYMBOL, Ids, Symbols
from vecbleu.kernel.ragged import (
    Integers,
    Ragged,
    as_index,
    offsets_of,
    places_in_rows,
    row_offsets,
    row_sums,
    starts_of,
)
from vecbleu.text.text import NEWLINE, Spans, Text, begins_character, code_points, padded_lines

_WORD = 8  # bytes
_AT_ONCE = 1 << 14  # tokens, whose bytes stay in the cache

# Replaces the bytes after the end of a token of 0 to 8 bytes by 0xFF. UTF-8 never has this byte,
# so "a" and "a\0" differ.
_FILL = np.array([0xFFFFFFFFFFFFFFFF ^ ((1 << 8 * size) - 1) for size in range(9)], np.uint64)


def hashed(ids: Int64) -> Int64:
    """Hash numbers one to one."""
    return mix(ids.view(np.uint64)).view(np.int64)


def span_ids(spans: Spans) -> Ragged:
    """Hash the bytes of each token to an id.

    Different tokens of up to 8 bytes have different ids. The hash of a longer token is the sum of
    the hashes of its 8-byte words, each times a multiplier of its place. Two such tokens get equal
    ids with a probability of about 2**-64, or 2**-58 if their words differ in order alone.
    """
    starts, lengths = spans.starts, spans.ends - spans.starts
    # The 8 bytes that begin at each byte, as integers (bytes - 7,); a view.
    words: UInt64 = np.ndarray(len(spans.data) - _WORD + 1, "<u8", spans.data, strides=(1,))
    ids = mix(_words_at(words, starts) | _FILL.take(lengths, mode="clip"))
    long = np.flatnonzero(lengths > _WORD)
    if long.size:
        ids[long] += _fold_further_words(words, starts[long], lengths[long])
    return Ragged(ids.view(np.int64), spans.offsets)


def _words_at(words: UInt64, starts: Int64) -> UInt64:
    """Return the words at places in ascending order (tokens,)."""
    if len(words) > 12 * len(starts):  # as measured: few tokens in much text
        return words[starts]
    # Indexing a view that is not aligned is slow. `take` copies it first, in parts to the cache.
    taken = np.empty(len(starts), np.uint64)
    for first in range(0, len(starts), _AT_ONCE):
        part = starts[first : first + _AT_ONCE]
        near = words[part[0] : part[-1] + 1]
        near.take(part - part[0], out=taken[first : first + _AT_ONCE], mode="clip")
    return taken


def _fold_further_words(words: UInt64, starts: Int64, lengths: Int64) -> UInt64:
    """Hash the further words of each token: the sum of mix(word_j) * m_j for j >= 1.

    Powers of one number as m_j would collide: Thue and Morse's sequence and its opposite.
    """
    counts = as_index((lengths - 1) // _WORD)  # (long tokens,)
    word = 1 + places_in_rows(counts)  # (words,), j = 1, 2, ... for each token
    step = _WORD * word
    at = np.repeat(starts, counts) + step
    left = np.repeat(lengths, counts) - step
    folded = mix(words[at] | _FILL.take(left, mode="clip"))
    multipliers = mix(FOLD + np.arange(counts.max(), dtype=np.uint64)) | np.uint64(1)
    folded *= multipliers[word - 1]
    return np.add.reduceat(folded, starts_of(counts))


_SPACE = [point for point in range(0x3001) if chr(point).isspace()]  # as for `str.split`

# Stands for what is left out; no symbol has this id.
_DROPPED = 1

# Ids of symbols of which some are beyond ASCII: those of ASCII stand below and above.
_BEYOND_ASCII = range(0x61, 0xDF)
_ALL = range(FIRST_SYMBOL, 0x110000)


def characters(text: Text, keeps_space: bool = False) -> Symbols:
    """Number the characters of each unit; leave out white space unless `keeps_space`.

    Those of ASCII are numbered by a table, others by code points. If many are beyond ASCII, all are
    numbered by code points, which is faster then.
    """
    used, offsets = text.used, text.offsets
    is_lead = used >= 0xC0  # first byte of a character beyond ASCII
    if 5 * np.count_nonzero(is_lead) > len(used):
        string = used.tobytes().decode("utf-8", "surrogatepass")
        points = np.frombuffer(string.encode("utf-32-le", "surrogatepass"), "<u4")
        ids = _numbered(points, _ALL, keeps_space)
        offsets = offsets_of(row_sums(begins_character(used), offsets))
    else:
        ids = np.frombuffer(bytearray(used).translate(_ascii_ids(keeps_space)), np.uint8)
        leads = np.flatnonzero(is_lead)
        if leads.size:
            beyond = _numbered(code_points(text.data, leads), _BEYOND_ASCII, keeps_space)
            ids = ids.astype(beyond.dtype, copy=False)
            ids[leads] = beyond
    ids[offsets[1:] - 1] = END  # in place of a newline
    is_kept = ids != _DROPPED
    kept = np.compress(is_kept, ids)  # faster than a mask as an index
    rows = Ragged(kept, offsets_of(row_sums(is_kept, offsets)))  # type: ignore[arg-type]
    return Symbols(rows, int(kept.max(initial=1)).bit_length())


def _numbered(points: Integers, ids: range, keeps_space: bool) -> Ids:
    """Give each code point an id, from 256 on if these are too few; drop space unless kept."""
    places = points.astype(np.intp)
    is_used = np.zeros(max(int(places.max()), _SPACE[-1]) + 1, bool)
    is_used[places] = True
    if not keeps_space:
        is_used[_SPACE] = False
    symbols = np.flatnonzero(is_used)
    first = ids.start if len(symbols) <= len(ids) else 0x100
    stop = first + len(symbols)
    id_of_point = np.full(len(is_used), _DROPPED, np.min_scalar_type(stop))
    id_of_point[symbols] = np.arange(first, stop)
    return id_of_point.take(places)


@cache
def _ascii_ids(keeps_space: bool) -> bytes:
    """Return the ids of all bytes (256,)."""
    ids = bytearray([_DROPPED]) * 0x100
    for point in range(0x80):
        if keeps_space or point not in _SPACE:
            ids[point] = FIRST_SYMBOL + point - 0x21 if point > 0x20 else 0xFF - point
    return bytes(ids)


class JoinedTokens(NamedTuple):
    """Tokens as lines of bytes, and the offsets of the units in them."""

    data: Bytes  # (bytes + padding,)
    offsets: Int64  # (units + 1,) into the tokens

    def ids(self) -> Ragged:
        """Hash the tokens."""
        return _line_ids(Text.from_padded(self.data), self.offsets)


def _line_ids(tokens: Text, offsets: Int64) -> Ragged:
    """Hash tokens that are given as the lines of a text; `offsets` (units + 1,) are in tokens."""
    return span_ids(Spans(tokens.data, tokens.offsets[:-1], tokens.offsets[1:] - 1, offsets))


def joined_tokens(units: Sequence[Sequence[Any]], offsets: Int64) -> JoinedTokens | None:
    """Encode token sequences as lines; None unless all tokens are strings without a newline.

    Hashing bytes takes 0.4 of the time of a dictionary. Each unit is joined by itself,
    while its strings are in the cache. `offsets` (units + 1,) save reading all lengths again.
    """
    try:
        joined = list(map("\n".join, units))
    except TypeError:
        return None
    filled = np.diff(offsets) > 0
    data = padded_lines(joined if filled.all() else list(compress(joined, filled.tolist())))
    return JoinedTokens(data, offsets) if np.count_nonzero(data == NEWLINE) == offsets[-1] else None


class UnitKind(IntEnum):
    """Name the kind of units, which hashes of references have in their lowest two bits."""

    NUMBERED = 0  # tokens of any types, whose ids hold in one call alone
    TEXT = 1
    STRINGS = 2  # tokens
    INTEGERS = 3  # tokens


def encode_tokens(units: Sequence[Sequence[Any]]) -> tuple[JoinedTokens | Ragged, UnitKind]:
    """Turn token sequences into lines or ids, and return what they are.

    Tokens have equal ids if a `Counter` finds them equal. If all tokens are strings, or all are
    integers, their ids are the same in every call; else they are numbered.
    """
    offsets = row_offsets(units)
    joined = joined_tokens(units, offsets)
    if joined is not None:
        return joined, UnitKind.STRINGS
    try:
        strings = Text.from_strings(list(chain.from_iterable(units)))
    except TypeError:
        integers = _integer_ids(units, offsets)
        if integers is None:
            return number_tokens(units, offsets), UnitKind.NUMBERED
        return integers, UnitKind.INTEGERS
    return _line_ids(strings, offsets), UnitKind.STRINGS


def _integer_ids(units: Sequence[Sequence[Any]], offsets: Int64) -> Ragged | None:
    """Hash integers; None if there are other tokens, or integers that do not fit into int64."""
    if not all(map(is_of_integers, set(map(type, chain.from_iterable(units))))):
        return None
    try:
        ids = np.fromiter(chain.from_iterable(units), np.int64, offsets[-1])
    except OverflowError:
        return None
    return Ragged(hashed(ids), offsets)


def token_ids(units: Sequence[Sequence[Any]]) -> Ragged:
    """Return the ids of token sequences, as `encode_tokens` does."""
    encoded, _ = encode_tokens(units)
    return encoded.ids() if isinstance(encoded, JoinedTokens) else encoded


def number_tokens(
    units: Sequence[Sequence[Hashable]],
    offsets: Int64,
    known: Mapping[Hashable, int] | None = None,
) -> Ragged:
    """Number hashable tokens by their first occurrence, and hash the numbers.

    If `known` is given, return the ids that it has, and -1 for other tokens.
    """
    numbers: defaultdict[Hashable, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    tokens = chain.from_iterable(units)
    if known is None:
        values = map(numbers.__getitem__, tokens)
    else:
        values = map(known.get, tokens, repeat(-1))
    try:
        ids = np.fromiter(values, np.int64, offsets[-1])
    except (TypeError, ValueError):  # ValueError: a memoryview that can be written
        _refuse_token(units)
        raise
    types = map(type, numbers if known is None else chain.from_iterable(units))
    if any(map(_is_compared_by_identity, set(types))):
        _refuse_token(units)
    return Ragged(hashed(ids) if known is None else ids, offsets)


def _is_compared_by_identity(kind: type) -> bool:
    """Return whether a type is an array of another library, which compares by identity."""
    return hasattr(kind, "__array__") and not issubclass(kind, np.generic)


def _refuse_token(units: Sequence[Sequence[Hashable]]) -> None:
    """Raise TypeError for the first token that can't be hashed or compared, or is an array."""
    known: dict[Hashable, None] = {}
    for number, unit in enumerate(units):
        for token in unit:
            try:
                known.setdefault(token)  # compared with tokens of the same hash
            except (TypeError, ValueError) as error:
                found = f"has the token {token!r}, which can't be used: {error}"
                raise ArgumentTypeError(found, index=(number,)) from None
            if _is_compared_by_identity(type(token)):
                found, advice = f"has the token {token!r}, which is an array", "pass rows as arrays"
                raise ArgumentTypeError(found, advice=advice, index=(number,))
