"""Hold aligned segments, and cut them into blocks of arrays that any process can count."""

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

# Size of a block, both sides together. Half or twice the size takes the same time; much smaller
# blocks pay NumPy's overhead, much larger ones do not fit in the cache.
BLOCK_CHARACTERS = 1 << 20
BLOCK_TOKENS = 1 << 17

# Segments measured in the first step of `Corpus.blocks`; later steps adapt to their lengths.
FIRST_SEGMENTS = 1 << 12

CHARACTERS_A_TOKEN = 6

# Units measured to estimate the size of a side.
_SAMPLE = 100

# Blocks with at least this many tokens have arrays of 16 KB, whose memory is worth keeping.
_MANY_TOKENS = 1 << 11

# Names a unit for the user, by its segment and its reference (-1 for the hypothesis).
NameUnit = Callable[[int, int], str]

# The units of a block, and the function that turns them into ids.
Encode = Callable[[Any], Ragged]
Encoded = tuple[Any, Encode]


class Block:
    """Segments as arrays, which any process can count.

    Parameters
    ----------
    units : object
        Hypotheses and references in arrays: the argument of `encode`.
    encode : callable
        Returns the token ids of the units, a `Ragged` (units,).
    order : int64 array (units,), optional
        Permutation of the units that puts each hypothesis right before its references. None if
        they are already in that order.
    segments : int64 array (segments + 1,)
        Offsets of the segments in that order.
    systems : int
        Number of systems. All segments of a system precede those of the next one.
    """

    def __init__(
        self, units: Any, encode: Encode, order: Int64 | None, segments: Int64, systems: int = 1
    ) -> None:
        self.units, self.encode = units, encode
        self.order, self.segments, self.systems = order, segments, systems

    def ids(self) -> Ragged:
        """Return the token ids of the units, before `order` is applied."""
        return self.encode(self.units)

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count the segments; return rows (S, 2 + 2N)."""
        ids = self.ids()
        if self.order is not None:
            ids = ids.take(self.order)
        return count_units(ids, self.segments, max_order, ref_length)


class Place(NamedTuple):
    """Where a block comes from. It stays in the process that made the block."""

    size: int  # what the block adds to a progress bar
    locate: Callable[[int], str]  # names a unit, given its index before `order` is applied


class WorkEstimate(NamedTuple):
    """Estimated work, to choose the number of processes and to scale the progress bar."""

    tokens: float
    total: int  # sum of `Place.size` over all blocks; 0 if unknown
    unit: str
    is_portable: bool = True  # False if blocks are too large for other processes


class Countable(Protocol):
    """Input that can be counted: a corpus, files, or hypotheses with prepared references."""

    @property
    def is_text(self) -> bool:
        """Whether the units are text, which has to be tokenized."""

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Yield all segments in blocks, in order."""


def name_unit(segment: int, reference: int) -> str:
    """Name a unit by its segment and its reference."""
    if reference < 0:
        return f"hypotheses[{segment}]"
    return f"references[{segment}], reference {reference}"


class Corpus:
    """Hypotheses, and the references of all segments end to end.

    The references of segment ``i`` are ``references[offsets[i]:offsets[i + 1]]``. Each kind of
    unit has a subclass. Text and tokens are lists; ids and columns are a `Ragged`.
    """

    is_text: ClassVar[bool]

    def __init__(
        self, hypotheses: Any, references: Any, offsets: Int64, name: NameUnit = name_unit
    ) -> None:
        self.hypotheses, self.references = hypotheses, references
        self.offsets, self.name = offsets, name

    @classmethod
    def alone(cls, units: Any, name: NameUnit = name_unit) -> Self:
        """Make a corpus of one side: its units are hypotheses without references."""
        return cls(units, units[:0], np.zeros(len(units) + 1, np.int64), name)

    @classmethod
    def of_lists(
        cls, hypotheses: Any, lists: Sequence[Sequence[Any]], name: NameUnit = name_unit
    ) -> Self:
        """Make a corpus of hypotheses and, for each, a sequence of references."""
        return cls(hypotheses, [*chain.from_iterable(lists)], row_offsets(lists), name)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment; "var" if it differs, None if empty."""
        if not len(self):
            return None
        counts = self.offsets[1:] - self.offsets[:-1]  # 5 us less than `np.diff`
        each = int(counts[0])
        return each if (counts == each).all() else "var"

    def sample(self) -> Sequence[str]:
        """Return the first hypotheses if they are text, else nothing."""
        return self.hypotheses[:100] if self.is_text else ()

    def name_reference(self, place: int) -> str:
        """Name a reference by its place in `references`."""
        segment = int(np.searchsorted(self.offsets, place, side="right")) - 1
        return self.name(segment, place - int(self.offsets[segment]))

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""
        size = self._size(self.hypotheses) + self._size(self.references)
        tokens = size / CHARACTERS_A_TOKEN if self.is_text else size
        return WorkEstimate(tokens, len(self), "segments")

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Yield blocks of encoded units.

        Each block is measured and encoded while its units are in the cache. Passes over the whole
        corpus would take 1.7 times as long.
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
        """Encode the segments from `start` to `stop`."""
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
        """Return hypotheses, references and reference offsets of segments `start` to `stop`."""
        bounds = self.offsets[start : stop + 1]
        own, others = self.hypotheses[start:stop], self.references[bounds[0] : bounds[-1]]
        return own, others, bounds - bounds[0]

    def _locate(self, start: int, stop: int, order: Int64 | None, unit: int) -> str:
        """Name a unit of a block; `order` is None if all hypotheses precede the references."""
        place = unit if order is None else int(order[unit])
        reference = place - (stop - start)
        if reference < 0:
            return self.name(start + place, -1)
        return self.name_reference(int(self.offsets[start]) + reference)

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Return the tokens of each unit of a small corpus, hypotheses first; else nothing.

        Return nothing if the units have more than `most` characters or tokens, or if a dictionary
        may compare tokens in another way than arrays do.
        """
        return []

    def _is_small(self, most: int) -> bool:
        """Return whether the units have at most `most` characters or tokens."""
        if len(self.hypotheses) + len(self.references) > most:
            return False
        return sum(map(len, self.hypotheses)) + sum(map(len, self.references)) <= most

    def _lengths(self, units: Any) -> Int64:
        """Return the number of characters or tokens of each unit (units,)."""
        return np.fromiter(map(len, units), np.int64, len(units))

    def _size(self, units: Any) -> float:
        """Estimate the number of characters or tokens from a sample of the units."""
        lengths = self._lengths(units[:: max(1, len(units) // _SAMPLE)])
        return len(units) * float(lengths.sum()) / max(1, len(lengths))

    def _joined(self, own: Any, others: Any, segments: Int64) -> tuple[Any, bool]:
        """Join hypotheses and references; also return whether they are ordered by segment.

        If all segments have the same number of references, order the units here. Otherwise their
        ids are copied into order later, which takes 6% of the time.
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
        """Turn units into arrays; also return the function that turns these into ids."""
        raise NotImplementedError


class TextCorpus(Corpus):
    """A corpus of strings."""

    is_text = True

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Tokenize a small corpus; return nothing if a string is of a subclass of str."""
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
    """A corpus of sequences of hashable tokens."""

    is_text = False

    def split(self, options: CountOptions, most: int) -> list[Sequence[Any]]:
        """Return the tokens of a small corpus if all are strings or integers."""
        if not self._is_small(most):
            return []
        units: list[Sequence[Any]] = [*map(list, chain(self.hypotheses, self.references))]
        kinds = {*map(type, chain.from_iterable(units))}
        return units if kinds <= {str, int} else []

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        offsets = row_offsets(units)
        joined = joined_tokens(units, offsets)  # any process can hash these
        if joined is None:
            return token_ids(units, offsets), unchanged
        return joined, type(joined).ids


class IdCorpus(Corpus):
    """A corpus of rows of integer ids."""

    is_text = False

    def _lengths(self, units: Any) -> Int64:
        lengths: Int64 = units.lengths
        return lengths

    def _joined(self, own: Any, others: Any, segments: Int64) -> tuple[Any, bool]:
        return Ragged.concatenate([own, others]), False

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        return units, _hash_rows


class ColumnCorpus(IdCorpus):
    """A corpus of columns of strings: rows of UTF-8 bytes."""

    is_text = True

    def sample(self) -> Sequence[str]:
        """Return the first hypotheses as one string."""
        return [self.hypotheses[:100].values.tobytes().decode()]

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        data = np.concatenate([units.values, np.frombuffer(PADDING, np.uint8)])
        offsets = units.offsets + np.arange(len(units) + 1)
        return encoded_text(Text(np.insert(data, units.offsets[1:], NEWLINE), offsets), options)


def unchanged(made: Any) -> Any:
    """Return the argument: text or ids that need no work."""
    return made


def encoded_text(
    units: Any, options: CountOptions, text_of: Callable[[Any], Text] = unchanged
) -> Encoded:
    """Return units, and the function that turns them into ids.

    `text_of` turns units into `Text`. If the tokenizer can't be sent to other processes, the ids
    are made here and returned as units.
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

    Segment i has the references ``bounds[i]:bounds[i + 1]``. Example: bounds [0, 2, 3] belong to
    the units h0 h1 r0 r1 r2; their order is [0, 2, 3, 1, 4], the segments are [0, 3, 5].
    """
    size = len(bounds) - 1
    segments = bounds + np.arange(size + 1)
    is_reference = np.ones(segments[-1], bool)
    is_reference[segments[:-1]] = False
    order = np.empty(segments[-1], np.int64)  # `np.insert` takes four times as long
    order[segments[:-1]] = np.arange(size)
    order[is_reference] = np.arange(size, segments[-1])
    return order, segments


def count_units(units: Ragged, segments: Int64, max_order: int, ref_length: RefLength) -> Int64:
    """Count segments (S, 2 + 2N); the first unit of each is its hypothesis."""
    if len(units.values) >= _MANY_TOKENS:
        keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)  # 20 us less than `np.delete`
    is_hypothesis[segments[:-1]] = True
    hyp_len, others = lengths[is_hypothesis], lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, others, np.diff(segments) - 1, ref_length)
    matches = clipped_matches(units, segments, max_order)
    return joined_columns(hyp_len, ref_len, matches)


def joined_columns(hyp_len: Int64, ref_len: Int64, matches: Int64) -> Int64:
    """Return rows (S, 2 + 2N) of lengths (S,), matches (S, N), and totals computed from hyp_len."""
    max_order = matches.shape[1]
    rows = np.empty((len(hyp_len), 2 + 2 * max_order), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2 : 2 + max_order] = hyp_len, ref_len, matches
    np.maximum(hyp_len[:, None] - np.arange(max_order), 0, out=rows[:, 2 + max_order :])
    return rows
