"""Hold aligned segments, and cut them into blocks of arrays that any process can count."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.block import Block, Encoder, WorkEstimate, hash_rows, kind_of_tokens
from vecbleu.core.metric import AnyMetric
from vecbleu.core.references import OF_TEXT, UNKNOWN_REFERENCES, reference_hashes
from vecbleu.kernel.ragged import Ragged, cuts, lengths_of, offsets_of, row_offsets, row_with
from vecbleu.text.text import Text, UnitError
from vecbleu.text.tokens import Encoded, encode_tokens, numbered

# Size of a block, both sides together. Half or twice the size takes the same time; much smaller
# blocks pay NumPy's overhead, much larger ones do not fit in the cache.
BLOCK_CHARACTERS = 1 << 20
BLOCK_TOKENS = 1 << 17

# Segments measured in the first step of `Corpus.blocks`; later steps adapt to their lengths.
FIRST_SEGMENTS = 1 << 12

CHARACTERS_A_TOKEN = 6

# Units measured to estimate the size of a side.
_MEASURED = 100

# Names a unit for the user, by its segment and its reference, or HYPOTHESIS.
NameUnit = Callable[[int, int], str]
HYPOTHESIS = -1


def name_unit(segment: int, reference: int) -> str:
    """Name a unit by its segment and its reference."""
    if reference == HYPOTHESIS:
        return f"hypotheses[{segment}]"
    return f"references[{segment}], reference {reference}"


class Countable(Protocol):
    """Input that can be counted: a corpus, files, or hypotheses with prepared references."""

    @property
    def shared_hash(self) -> int | None:
        """The hash of references that all segments share; None if blocks have the references."""

    @property
    def is_text(self) -> bool:
        """Whether the units are text, which has to be encoded."""

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment; "var" if it differs, None if empty."""

    def counter(self, metric: AnyMetric) -> tuple[Callable[[Block], Int64], Encoder]:
        """Return the function that counts a block for a metric, and the encoder of its text."""

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""

    def blocks(self, encode: Encoder) -> Generator[Block]:
        """Yield all segments in blocks, in order."""


class Kind(NamedTuple):
    """How units of one kind are measured and encoded."""

    is_text: bool
    lengths: Callable[[Any], Int64]  # characters or tokens of each unit (units,)
    # Turns hypotheses and references into arrays, and returns a function that encodes these.
    encode: Callable[[Any, Any, Encoder], Encoded]
    # Whether dictionaries compare these units as arrays do; None if they never do.
    are_plain: Callable[[list[Any]], bool] | None = None


class Corpus:
    """Hypotheses, and the references of all segments end to end.

    The references of segment ``i`` are ``references[offsets[i]:offsets[i + 1]]``. Text and tokens
    are lists, ids are a `Ragged`.
    """

    shared_hash = None

    def __init__(
        self,
        kind: Kind,
        hypotheses: Any,
        references: Any,
        offsets: Int64,
        name_unit: NameUnit = name_unit,
    ) -> None:
        self.kind = kind
        self.is_text = kind.is_text
        self.hypotheses = hypotheses
        self.references = references
        self.offsets = offsets
        self.name_unit = name_unit

    @classmethod
    def alone(cls, kind: Kind, units: Any, name_unit: NameUnit = name_unit) -> Corpus:
        """Make a corpus of one side: its units are hypotheses without references."""
        return cls(kind, units, units[:0], np.zeros(len(units) + 1, np.int64), name_unit)

    @classmethod
    def of_lists(
        cls, kind: Kind, hypotheses: Any, lists: Sequence[Any], name_unit: NameUnit = name_unit
    ) -> Corpus:
        """Make a corpus of hypotheses and, for each, a sequence of references."""
        references = list(chain.from_iterable(lists))
        return cls(kind, hypotheses, references, row_offsets(lists), name_unit)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def references_each(self) -> int | str | None:
        """Return the number of references of each segment; "var" if it differs, None if empty."""
        counts = self.offsets[1:] - self.offsets[:-1]
        if not counts.size:
            return None
        return int(counts[0]) if (counts == counts[0]).all() else "var"

    def counter(self, metric: AnyMetric) -> tuple[Callable[[Block], Int64], Encoder]:
        """Return the function that counts a block for a metric, and the encoder of its text."""
        return metric.counter(), metric.encoder()

    def plain_units(self, most: int) -> list[Any] | None:
        """Return all units, hypotheses first, if they are plain and have at most so many parts."""
        are_plain = self.kind.are_plain
        if are_plain is None or len(self.hypotheses) + len(self.references) > most:
            return None
        units = [*self.hypotheses, *self.references]
        is_small = sum(map(len, units)) <= most
        return units if units and is_small and are_plain(units) else None

    def sample(self) -> Sequence[str]:
        """Return the hypotheses if they are text, else nothing."""
        return self.hypotheses if self.is_text else ()

    def reference_hashes(self) -> Int64:
        """Hash the references of each segment; for few segments."""
        count = len(self.references)
        if self.is_text:
            units: Text | Ragged = Text.from_strings(self.references)
        else:
            no_text: Any = None
            arrays, encode = self.kind.encode(self.references[:0], self.references, no_text)
            if encode is numbered:
                return np.full(len(self), UNKNOWN_REFERENCES)
            units = encode(arrays)
        kind = OF_TEXT if self.is_text else kind_of_tokens(encode)
        return reference_hashes(units, np.arange(count), lengths_of(self.offsets), kind)

    def name_reference(self, index: int) -> str:
        """Name a reference by its index in `references`."""
        segment = row_with(self.offsets, index)
        return self.name_unit(segment, index - int(self.offsets[segment]))

    def locate(self, start: int, stop: int, unit: int) -> str:
        """Name a unit of the segments from `start` to `stop`, hypotheses first."""
        reference = unit - (stop - start)
        if reference < 0:
            return self.name_unit(start + unit, HYPOTHESIS)
        return self.name_reference(int(self.offsets[start]) + reference)

    def _locate_in_order(self, start: int, units_each: int, unit: int) -> str:
        """Name a unit of the segments from `start`, whose units are in order."""
        segment, index = divmod(unit, units_each)  # index 0 is the hypothesis
        return self.name_unit(start + segment, HYPOTHESIS + index)

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""
        size = self._size(self.hypotheses) + self._size(self.references)
        tokens = size / CHARACTERS_A_TOKEN if self.is_text else size
        return WorkEstimate(tokens, len(self), "segments")

    def blocks(self, encode: Encoder) -> Generator[Block]:
        """Yield blocks of text, tokens or ids; text becomes ids later, in any process.

        Each block is measured and made while its units are in the cache.
        """
        start, count, size = 0, FIRST_SEGMENTS, len(self)
        limit = BLOCK_CHARACTERS if self.is_text else BLOCK_TOKENS
        while start < size:
            stop = min(start + count, size)
            hyps, refs, reference_offsets = self._units(start, stop)
            size_before = offsets_of(self.kind.lengths(hyps))  # (segments + 1,)
            size_before += offsets_of(self.kind.lengths(refs))[reference_offsets]
            for first, last in cuts(size_before, limit):
                yield self.block(start + first, start + last, encode)
            fitting = count * limit // max(int(size_before[-1]), 1)
            start, count = stop, max(1, min(fitting, 4 * count))

    def block(self, start: int, stop: int, encode: Encoder) -> Block:
        """Make a block of the segments from `start` to `stop`."""
        hyps, refs, reference_offsets = self._units(start, stop)
        numbers, references_each = np.arange(len(hyps) + 1), len(refs) // len(hyps)
        if self.kind is TEXT and (reference_offsets == numbers * references_each).all():
            # Ordering strings takes less time than ordering their characters, for chrF and "char".
            rows = zip(hyps, *[iter(refs)] * references_each, strict=True)
            text = Text.from_strings(list(chain.from_iterable(rows)))
            units_each = 1 + references_each
            locate = partial(self._locate_in_order, start, units_each)
            segments = numbers * units_each
            return Block(text, encode, None, segments, stop - start, locate=locate)
        unit_order, segments = hypotheses_first(reference_offsets)
        locate = partial(self.locate, start, stop)
        try:
            arrays, encode_arrays = self.kind.encode(hyps, refs, encode)
        except UnitError as error:
            raise error.named(locate) from None
        size = stop - start
        return Block(arrays, encode_arrays, unit_order, segments, size, locate=locate)

    def _units(self, start: int, stop: int) -> tuple[Any, Any, Int64]:
        """Return hypotheses, references and reference offsets of segments `start` to `stop`."""
        offsets = self.offsets[start : stop + 1]
        refs = self.references[offsets[0] : offsets[-1]]
        return self.hypotheses[start:stop], refs, offsets - offsets[0]

    def _size(self, units: Any) -> float:
        """Estimate the number of characters or tokens from a sample of the units."""
        lengths = self.kind.lengths(units[:: max(1, len(units) // _MEASURED)])
        return len(units) * float(lengths.sum()) / max(1, len(lengths))


def _lengths(units: Sequence[Any]) -> Int64:
    return np.fromiter(map(len, units), np.int64, len(units))


def _encode_text(hyps: Sequence[str], refs: Sequence[str], encode: Encoder) -> Encoded:
    return Text.from_strings([*hyps, *refs]), encode


def _encode_token_lists(hyps: Sequence[Any], refs: Sequence[Any], _: Encoder) -> Encoded:
    return encode_tokens([*hyps, *refs])


def _encode_ids(hyps: Ragged, refs: Ragged, _: Encoder) -> Encoded:
    return Ragged.concatenate([hyps, refs]), hash_rows


def _are_strings(units: list[Any]) -> bool:
    """Return whether all units are strings, not of a subclass."""
    return set(map(type, units)) == {str}


def _have_plain_tokens(units: list[Any]) -> bool:
    """Return whether all tokens are strings or integers."""
    return set(map(type, chain.from_iterable(units))) <= {str, int}


TEXT = Kind(True, _lengths, _encode_text, _are_strings)
TOKENS = Kind(False, _lengths, _encode_token_lists, _have_plain_tokens)
IDS = Kind(False, attrgetter("lengths"), _encode_ids)


def hypotheses_first(reference_offsets: Int64) -> tuple[Int64, Int64]:
    """Return `unit_order` and `segments` of a block whose hypotheses precede all references.

    Segment i has the references ``reference_offsets[i]`` to ``reference_offsets[i + 1]``. Example:
    offsets [0, 2, 3] belong to the units h0 h1 r0 r1 r2; their order is [0, 2, 3, 1, 4], the
    segments are [0, 3, 5].
    """
    size = len(reference_offsets) - 1
    segments = reference_offsets + np.arange(size + 1)
    is_reference = np.ones(segments[-1], bool)
    is_reference[segments[:-1]] = False
    unit_order = np.empty(segments[-1], np.int64)
    unit_order[segments[:-1]] = np.arange(size)
    unit_order[is_reference] = np.arange(size, segments[-1])
    return unit_order, segments
