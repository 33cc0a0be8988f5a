"""Define blocks: segments as arrays, which any process can count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.references import (
    OF_INTEGERS,
    OF_STRINGS,
    OF_TEXT,
    UNKNOWN_REFERENCES,
    reference_hashes,
)
from vecbleu.kernel.ragged import Ragged, lengths_of
from vecbleu.text.text import Text, UnitError
from vecbleu.text.tokens import hashed, hashed_integers, numbered, unchanged


class Encoder(Protocol):
    """Turns text into what a metric counts, such as token ids; see `TokenEncoder`."""

    is_portable: bool = True  # whether other processes can unpickle it
    cost: float = 1.0  # time to encode and count, as a multiple of that of words by 13a

    def __call__(self, text: Text) -> Any:
        """Encode the units of a text."""

    def pinned(self) -> Encoder:
        """Return an encoder for other processes, bound to the model that it reads here."""
        return self


class WorkEstimate(NamedTuple):
    """Estimated work, to choose the number of processes and to scale the progress bar."""

    tokens: float
    total: int  # sum of `Block.size` over all blocks; 0 if unknown
    unit: str
    is_portable: bool = True  # False if what they are compared with is too large to be sent


class Block(NamedTuple):
    """Segments as arrays, which any process can count.

    Units are hypotheses and references; a reference may belong to several hypotheses.
    """

    raw: Any  # what `read` takes: text, columns of files, or arrays
    encode: Callable[[Any], Any]  # returns what is counted, such as token ids, a `Ragged` (units,)
    # Indices of units, each hypothesis right before its references; None if they are in that order.
    unit_order: Int64 | None
    segments: Int64  # (segments + 1,), offsets into the ordered units
    size: int  # what the block adds to a progress bar
    read: Callable[[Any], Any] = unchanged  # returns the argument of `encode`
    references: Int64 | None = None  # hashes of the references (segments,), if `raw` lacks the text
    # Names a unit, given its index. It stays in the process that made the block.
    locate: Callable[[int], str] = str

    def encoded(self) -> Any:
        """Return what is counted, before `unit_order` is applied."""
        return self.encode(self.read(self.raw))

    def with_hashes(self) -> tuple[Block, Int64]:
        """Return the block with its units encoded, and the hash of each segment's references."""
        units = self.read(self.raw)
        hashes = self.references
        if hashes is None and isinstance(units, Text):
            hashes = self._reference_hashes(units)  # while the text is in the cache
        encoded = self.encode(units)
        if hashes is None:
            hashes = self._reference_hashes(None if self.encode is numbered else encoded)
        return self._replace(raw=encoded, encode=unchanged, read=unchanged), hashes

    def _reference_hashes(self, units: Text | Ragged | None) -> Int64:
        """Hash the references of each segment; without units, or without references, unknown."""
        counts = lengths_of(self.segments) - 1
        if units is None or not counts.all():
            return np.full(len(counts), UNKNOWN_REFERENCES)
        references = self.segments[:-1] + 1
        if len(counts) < counts.sum():  # some segments have several
            references = np.delete(np.arange(self.segments[-1]), self.segments[:-1])
        if self.unit_order is not None:
            references = self.unit_order[references]
        kind = OF_TEXT if isinstance(units, Text) else kind_of_tokens(self.encode)
        return reference_hashes(units, references, counts, kind)

    def encoded_here(self) -> Block:
        """Return the block with its units encoded, if other processes can't do that."""
        try:
            block, hashes = self.with_hashes()
        except UnitError as error:
            raise error.named(self.locate) from None
        return block._replace(references=hashes)

    def __reduce__(self) -> tuple[Any, ...]:
        return Block, self[:-1]


def hash_rows(rows: Ragged) -> Ragged:
    """Hash the user's ids."""
    return Ragged(hashed(np.ascontiguousarray(rows.values)), rows.offsets)


def kind_of_tokens(encode: Callable[[Any], Any]) -> int:
    """Return what hashes of references are of, by the function that encodes the tokens."""
    return OF_INTEGERS if encode in (hashed_integers, hash_rows) else OF_STRINGS
