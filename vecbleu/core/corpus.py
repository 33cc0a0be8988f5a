"""Aligned segments of any kind, cut into blocks of arrays that any process can count."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.matches import clipped_matches, reference_lengths
from vecbleu.core.kernel.ragged import Ragged, cuts, offsets_of, row_offsets
from vecbleu.core.memory import keep_freed_memory
from vecbleu.core.options import CountOptions, RefLength
from vecbleu.core.text.text import NEWLINE, PADDING, Text, UnitError
from vecbleu.core.text.tokens import Tokenizer, hashed, joined_tokens, token_ids

# Characters or tokens, both sides together, that make a block. Within a factor of 2 around these
# the time does not change; smaller blocks pay NumPy's overhead, larger ones leave the cache.
BLOCK_CHARACTERS = 1 << 20
BLOCK_TOKENS = 1 << 17

# Segments in the first look at how long segments are.
FIRST_SEGMENTS = 1 << 12

CHARACTERS_A_TOKEN = 6

# Units whose lengths tell about those of all.
_SAMPLE = 100

# Tokens of a block from which on its arrays are worth keeping: those of 16 KB and more.
_MANY_TOKENS = 1 << 11

# Names a unit as the user knows it: by its segment and its place among the references, -1 the
# hypothesis.
NameUnit = Callable[[int, int], str]

# The units of a block, and what makes ids of them.
Encode = Callable[[Any], Ragged]
Encoded = tuple[Any, Encode]


class Block:
    """Some segments as arrays, which any process can count.

    Parameters
    ----------
    units : object of arrays
        Hypotheses and references, as `encode` takes them.
    encode : callable
        Makes the ids (units,) of the units' tokens.
    order : int64 array (units,), optional
        Places of the units in an order in which each hypothesis precedes its references; None
        where they are in that order.
    segments : int64 array (segments + 1,)
        Where each segment begins in that order.
    systems : int
        How many systems the segments belong to: first all of one, then as many of the next.
    """

    def __init__(
        self, units: Any, encode: Encode, order: Int64 | None, segments: Int64, systems: int = 1
    ) -> None:
        self.units, self.encode = units, encode
        self.order, self.segments, self.systems = order, segments, systems

    def ids(self) -> Ragged:
        """Return the ids of the units, in the order of encoding."""
        return self.encode(self.units)

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count the segments (S, 2 + 2N)."""
        ids = self.ids()
        if self.order is not None:
            ids = ids.take(self.order)
        return count_units(ids, self.segments, max_order, ref_length)


class Place(NamedTuple):
    """Where a block comes from; it stays in the process that made the block."""

    size: int  # how far a progress bar moves
    locate: Callable[[int], str]  # names a unit, in the order of encoding


class WorkEstimate(NamedTuple):
    """An estimate of the work, for the number of processes and the progress bar."""

    tokens: float
    total: int  # of the sizes of all blocks; 0 if that is not known
    unit: str
    is_portable: bool = True  # False of blocks that hold too much for other processes


class Countable(Protocol):
    """A corpus, files, or hypotheses against prepared references, to be counted."""

    @property
    def is_text(self) -> bool:
        """Whether it is tokenized here."""

    def estimate(self) -> WorkEstimate:
        """Estimate how much there is to count."""

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Yield all segments, in order."""


def name_unit(segment: int, reference: int) -> str:
    """Name a unit where references are given segment by segment."""
    if reference < 0:
        return f"hypotheses[{segment}]"
    return f"references[{segment}], reference {reference}"


class Corpus:
    """Hypotheses, and the references of all of them one after the other.

    The references of segment ``i`` are ``references[offsets[i]:offsets[i + 1]]``. Each kind of
    units has a subclass. Units are a list here; others have them as a `Ragged`.
    """

    is_text: ClassVar[bool]

    def __init__(
        self, hypotheses: Any, references: Any, offsets: Int64, name: NameUnit = name_unit
    ) -> None:
        self.hypotheses, self.references = hypotheses, references
        self.offsets, self.name = offsets, name

    @classmethod
    def alone(cls, units: Any, name: NameUnit = name_unit) -> Self:
        """Make a corpus of hypotheses without references: one side by itself."""
        return cls(units, units[:0], np.zeros(len(units) + 1, np.int64), name)

    @classmethod
    def of_lists(
        cls, hypotheses: Any, lists: Sequence[Sequence[Any]], name: NameUnit = name_unit
    ) -> Self:
        """Make a corpus of hypotheses and a sequence of references for each."""
        return cls(hypotheses, [*chain.from_iterable(lists)], row_offsets(lists), name)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def references_each(self) -> int | str | None:
        """Return the number of references of every segment, "var" if it differs, None if empty."""
        if not len(self):
            return None
        counts = self.offsets[1:] - self.offsets[:-1]  # `np.diff` takes 5 us more
        each = int(counts[0])
        return each if (counts == each).all() else "var"

    def sample(self) -> Sequence[str]:
        """Return the text of the first hypotheses; nothing of tokens."""
        return self.hypotheses[:100] if self.is_text else ()

    def name_reference(self, place: int) -> str:
        """Name one of all references."""
        segment = int(np.searchsorted(self.offsets, place, side="right")) - 1
        return self.name(segment, place - int(self.offsets[segment]))

    def estimate(self) -> WorkEstimate:
        """Estimate how much there is to count."""
        size = self._size(self.hypotheses) + self._size(self.references)
        tokens = size / CHARACTERS_A_TOKEN if self.is_text else size
        return WorkEstimate(tokens, len(self), "segments")

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Encode the hypotheses of some segments, and behind them their references.

        The units of a block are looked at and encoded while they are in the cache, which takes
        three fifths of the time of passes over the whole corpus.
        """
        start, count, size = 0, FIRST_SEGMENTS, len(self)
        most = BLOCK_CHARACTERS if self.is_text else BLOCK_TOKENS
        while start < size:
            stop = min(start + count, size)
            own, others, bounds = self._units(start, stop)
            ends = offsets_of(self._lengths(own)) + offsets_of(self._lengths(others))[bounds]
            for first, last in cuts(ends, most):
                yield self._block(start + first, start + last, options)
            fitting = count * most // max(int(ends[-1]), 1)
            start, count = stop, max(1, min(fitting, 4 * count))

    def _block(self, start: int, stop: int, options: CountOptions) -> tuple[Block, Place]:
        """Encode some segments."""
        own, others, bounds = self._units(start, stop)
        order, segments = hypotheses_first(bounds)
        units, is_ordered = self._joined(own, others, segments)
        locate = partial(self._locate, start, stop, order if is_ordered else None)
        try:
            encoded, encode = self._encode(units, options)
        except UnitError as error:
            raise TypeError(f"{locate(error.unit)}: {error}") from None
        block = Block(encoded, encode, None if is_ordered else order, segments)
        return block, Place(stop - start, locate)

    def _units(self, start: int, stop: int) -> tuple[Any, Any, Int64]:
        """Return the units of some segments, and where the references of each begin."""
        bounds = self.offsets[start : stop + 1]
        own, others = self.hypotheses[start:stop], self.references[bounds[0] : bounds[-1]]
        return own, others, bounds - bounds[0]

    def _locate(self, start: int, stop: int, order: Int64 | None, unit: int) -> str:
        """Name a unit of the block of some segments, whose units have been put in order or not."""
        place = unit if order is None else int(order[unit])
        reference = place - (stop - start)
        if reference < 0:
            return self.name(start + place, -1)
        return self.name_reference(int(self.offsets[start]) + reference)

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Return the tokens of a corpus of at most so many characters or tokens, else nothing.

        Those of all references follow those of the hypotheses. Nothing as well where dictionaries
        might not compare tokens as arrays do.
        """
        return []

    def _is_small(self, most: int) -> bool:
        """Whether the units have at most so many characters or tokens."""
        if len(self.hypotheses) + len(self.references) > most:
            return False
        return sum(map(len, self.hypotheses)) + sum(map(len, self.references)) <= most

    def _lengths(self, units: Any) -> Int64:
        """Return the number of characters or tokens of each unit (units,)."""
        return np.fromiter(map(len, units), np.int64, len(units))

    def _size(self, units: Any) -> float:
        """Estimate the number of characters or tokens, by some of the units."""
        lengths = self._lengths(units[:: max(1, len(units) // _SAMPLE)])
        return len(units) * float(lengths.sum()) / max(1, len(lengths))

    def _joined(self, own: Any, others: Any, segments: Int64) -> tuple[Any, bool]:
        """Join hypotheses and references; return also whether they are in the order of segments.

        They are where all segments have as many references: ids need no copy then, which takes 6%.
        """
        size = 1 + len(others) // len(own)
        if (segments != np.arange(len(segments)) * size).any():
            return [*own, *others], False
        units: list[Any] = [None] * int(segments[-1])
        units[::size] = own
        for place in range(1, size):
            units[place::size] = others[place - 1 :: size - 1]
        return units, True

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        """Make arrays of some units."""
        raise NotImplementedError


class TextCorpus(Corpus):
    """Strings."""

    is_text = True

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Tokenize strings; arrays take those of other classes."""
        strings = [*self.hypotheses, *self.references] if self._is_small(most) else []
        if set(map(type, strings)) != {str}:
            return []
        try:
            lowered = [*map(str.lower, strings)] if options.lowercase else strings
            return options.tokenize.split(lowered)
        except UnitError as error:
            place = self._locate(0, len(self), None, error.unit)
            raise TypeError(f"{place}: {error}") from None

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        return encoded_text(Text.from_strings(units), options)


class TokenCorpus(Corpus):
    """Sequences of hashable tokens."""

    is_text = False

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Return the tokens if they are strings and integers."""
        if not self._is_small(most):
            return []
        units: list[Sequence[Any]] = [*map(list, chain(self.hypotheses, self.references))]
        kinds = {*map(type, chain.from_iterable(units))}
        return units if kinds <= {str, int} else []

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        offsets = row_offsets(units)
        joined = joined_tokens(units, offsets)  # hashed by any process
        if joined is None:
            return token_ids(units, offsets), unchanged
        return joined, type(joined).ids


class IdCorpus(Corpus):
    """Rows of integer ids."""

    is_text = False

    def _lengths(self, units: Any) -> Int64:
        lengths: Int64 = units.lengths
        return lengths

    def _joined(self, own: Any, others: Any, segments: Int64) -> tuple[Any, bool]:
        return Ragged.concatenate([own, others]), False

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        return units, _hash_rows


class ColumnCorpus(IdCorpus):
    """Columns of strings: rows of UTF-8 bytes."""

    is_text = True

    def sample(self) -> Sequence[str]:
        """Return the text of the first hypotheses."""
        return [self.hypotheses[:100].values.tobytes().decode()]

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        data = np.concatenate([units.values, np.frombuffer(PADDING, np.uint8)])
        offsets = units.offsets + np.arange(len(units) + 1)
        return encoded_text(Text(np.insert(data, units.offsets[1:], NEWLINE), offsets), options)


def unchanged(made: Any) -> Any:
    """Return text or ids that have been made before."""
    return made


def encoded_text(
    units: Any, options: CountOptions, text_of: Callable[[Any], Text] = unchanged
) -> Encoded:
    """Return units and what makes ids of them; ids, if the tokenizer can't go to other processes.

    `text_of` makes text of the units.
    """
    encode = partial(_text_ids, options.tokenize, options.lowercase, text_of)
    return (units, encode) if options.tokenize.is_portable else (encode(units), unchanged)


def _text_ids(
    tokenize: Tokenizer, lowercase: bool, text_of: Callable[[Any], Text], units: Any
) -> Ragged:
    """Tokenize text, and hash the tokens."""
    text = text_of(units)
    return tokenize.ids(text.lower() if lowercase else text)


def _hash_rows(rows: Ragged) -> Ragged:
    """Hash the user's ids."""
    return Ragged(hashed(np.ascontiguousarray(rows.values)), rows.offsets)


def hypotheses_first(bounds: Int64) -> tuple[Int64, Int64]:
    """Return `order` and `segments` of a block whose hypotheses precede all references.

    Segment i has the references ``bounds[i]:bounds[i + 1]``: bounds [0, 2, 3] are units h h r r r,
    which have the order [0, 2, 3, 1, 4] and the segments [0, 3, 5].
    """
    size = len(bounds) - 1
    segments = bounds + np.arange(size + 1)
    is_reference = np.ones(segments[-1], bool)
    is_reference[segments[:-1]] = False
    order = np.empty(segments[-1], np.int64)  # `np.insert` takes four times as long for few
    order[segments[:-1]] = np.arange(size)
    order[is_reference] = np.arange(size, segments[-1])
    return order, segments


def count_units(units: Ragged, segments: Int64, max_order: int, ref_length: RefLength) -> Int64:
    """Count segments (S, 2 + 2N) whose units are each a hypothesis and its references."""
    if len(units.values) >= _MANY_TOKENS:
        keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)  # `np.delete` takes 20 us more
    is_hypothesis[segments[:-1]] = True
    hyp_len, others = lengths[is_hypothesis], lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, others, np.diff(segments) - 1, ref_length)
    matches = clipped_matches(units, segments, max_order)
    return joined_columns(hyp_len, ref_len, matches)


def joined_columns(hyp_len: Int64, ref_len: Int64, matches: Int64) -> Int64:
    """Put lengths (S,) and matches (S, N) into one array, with the totals (S, 2 + 2N)."""
    max_order = matches.shape[1]
    rows = np.empty((len(hyp_len), 2 + 2 * max_order), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2 : 2 + max_order] = hyp_len, ref_len, matches
    np.maximum(hyp_len[:, None] - np.arange(max_order), 0, out=rows[:, 2 + max_order :])
    return rows
