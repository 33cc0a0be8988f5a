"""What the user passed, made into checked and aligned segments.

Every TypeError and ValueError about hypotheses and references is raised here, naming the
argument and the segment.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Literal

import numpy as np

from vecbleu.ragged import Int64, Ragged, int64_ids, offsets_of

Kind = Literal["text", "tokens", "ids"]

# Characters or tokens (both sides together) that make a block. Within a factor of 2 around these
# the time does not change; smaller blocks pay NumPy's overhead, larger ones leave the cache.
_BLOCK_SIZES: dict[Kind, int] = {"text": 1 << 19, "tokens": 1 << 17, "ids": 1 << 17}


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segments as units: each hypothesis followed by its references.

    Units are strings (kind "text"), token sequences ("tokens") or a `Ragged` ("ids").
    """

    kind: Kind
    units: Sequence[Any] | Ragged
    segments: Int64  # (segments + 1,), offsets into the units
    first: int = 0  # number of the first segment, where this is a block of a corpus

    def __len__(self) -> int:
        return len(self.segments) - 1

    def blocks(self) -> Iterator[Corpus]:
        """Cut at segment boundaries into parts of about the size of a block."""
        sizes = (
            self.units.lengths
            if isinstance(self.units, Ragged)
            else np.fromiter(map(len, self.units), np.int64, len(self.units))
        )
        size = offsets_of(sizes)[self.segments]  # (segments + 1,), up to each segment
        steps = np.arange(_BLOCK_SIZES[self.kind], size[-1], _BLOCK_SIZES[self.kind])
        cuts = np.unique([0, *np.searchsorted(size[:-1], steps), len(self)])
        for start, stop in pairwise(cuts):
            segments = self.segments[start : stop + 1]
            units = self.units[segments[0] : segments[-1]]
            yield Corpus(self.kind, units, segments - segments[0], self.first + int(start))

    def locate(self, unit: int) -> str:
        """Name a unit as the user knows it, for an error."""
        segment = int(np.searchsorted(self.segments, unit, side="right")) - 1
        reference = unit - int(self.segments[segment]) - 1
        if reference < 0:
            return f"hypotheses[{self.first + segment}]"
        return f"references[{self.first + segment}], reference {reference}"


def align(hypotheses: Any, references: Any, *, pad_id: int | None = None) -> Corpus:
    """Check and align the two sides; the kind follows from what the hypotheses are."""
    hypotheses = _rows(hypotheses, "hypotheses")
    references = _rows(references, "references")
    _check_lengths(hypotheses, references)
    if isinstance(hypotheses, list) and hypotheses and _are_strings(hypotheses):
        corpus = _align_text(hypotheses, references)
    else:
        corpus = _align_sequences(hypotheses, references)
    if pad_id is None or not len(corpus):
        return corpus
    if not isinstance(corpus.units, Ragged):
        raise TypeError("pad_id is for integer arrays; hypotheses or references holds others")
    return Corpus("ids", _without(corpus.units, pad_id), corpus.segments)


def segments_of(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> Corpus:
    """Put token sequences (of which integer arrays are one kind) in the order of segments."""
    counts = np.fromiter(map(len, references), np.int64, len(references))
    if (counts == 1).all():
        units: list[Any] = [None] * (2 * len(hypotheses))
        units[0::2] = hypotheses
        units[1::2] = chain.from_iterable(references)
    else:
        units = list(chain.from_iterable(map(_join, hypotheses, references)))
    segments = offsets_of(counts + 1)
    if units and all(map(_is_id_array, units)):
        return Corpus("ids", Ragged.from_arrays(units), segments)
    return Corpus("tokens", units, segments)


def _join(hypothesis: Any, references: Sequence[Any]) -> Sequence[Any]:
    return (hypothesis, *references)


def _rows(argument: Any, name: str) -> list[Any] | Ragged:
    """One side as a list with an entry a segment, or as ids."""
    if isinstance(argument, Ragged):
        _check_ragged(argument, name)
        return argument
    if isinstance(argument, (str, bytes, bytearray, Mapping, AbstractSet)):
        raise TypeError(
            f"{name} is a single {type(argument).__name__}; expected a list, one entry a segment"
        )
    if isinstance(argument, np.ndarray):
        if argument.ndim == 0:
            raise TypeError(f"{name} is an array without dimensions; expected one entry a segment")
        if argument.dtype.kind in "iu" and argument.ndim == 1 and name == "hypotheses":
            raise TypeError(
                "hypotheses is one 1-D integer array, which is one segment; "
                "expected a list of arrays or a 2-D array"
            )
        if argument.dtype.kind in "iu" and argument.ndim == 2:
            return Ragged.from_padded(int64_ids(argument, name))
        return list(argument) if argument.dtype.kind in "iu" else argument.tolist()
    try:
        return argument if isinstance(argument, list) else list(argument)
    except TypeError:
        raise TypeError(
            f"{name} is {_describe(argument)}; expected a list, one entry a segment"
        ) from None


def _check_ragged(ragged: Ragged, name: str) -> None:
    """Offsets that run from 0 to the end and never back; the kernel relies on it."""
    values, offsets = ragged.values, ragged.offsets
    if values.dtype != np.int64 or offsets.dtype != np.int64 or values.ndim + offsets.ndim != 2:
        raise TypeError(f"{name} is a Ragged of other than two 1-D int64 arrays")
    if (
        not len(offsets)
        or offsets[0] != 0
        or offsets[-1] != len(values)
        or (np.diff(offsets) < 0).any()
    ):
        raise ValueError(f"{name} is a Ragged whose offsets do not rise from 0 to {len(values)}")


def _check_lengths(hypotheses: list[Any] | Ragged, references: list[Any] | Ragged) -> None:
    """One entry of references a hypothesis; name the layout where it looks like streams."""
    if len(hypotheses) == len(references):
        return
    message = f"hypotheses has {len(hypotheses)} segments but references has {len(references)}"
    if isinstance(references, list) and all(
        isinstance(stream, (list, tuple)) and len(stream) == len(hypotheses)
        for stream in references
    ):
        message += (
            "; references looks transposed ([reference][segment], sacreBLEU's streams): "
            "pass list(zip(*references))"
        )
    raise ValueError(message)


def _align_text(hypotheses: list[str], references: list[Any] | Ragged) -> Corpus:
    """Strings against strings: references[i] is one, or a sequence of them."""
    if isinstance(references, list) and _are_strings(references):
        units = [""] * (2 * len(hypotheses))
        units[0::2], units[1::2] = hypotheses, references
        return Corpus("text", units, np.arange(0, 2 * len(hypotheses) + 1, 2))
    lists = [_strings(entry, index) for index, entry in enumerate(references)]
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    units = list(chain.from_iterable(map(_join, hypotheses, lists)))
    return Corpus("text", units, offsets_of(counts + 1))


def _strings(entry: Any, index: int) -> Sequence[str]:
    """The references of one segment of strings."""
    if isinstance(entry, str):
        return (entry,)
    if not _is_sequence(entry):
        raise TypeError(
            f"references[{index}] is {_describe(entry)}; "
            "hypotheses holds strings, expected a string or a list of strings"
        )
    _check_some(entry, index)
    for place, reference in enumerate(entry):
        if not isinstance(reference, str):
            raise TypeError(
                f"references[{index}][{place}] is {_describe(reference)}, expected a string "
                "as in hypotheses"
            )
    return list(entry)


def _check_some(entry: Sequence[Any], index: int) -> None:
    """At least one reference."""
    if not len(entry):
        raise ValueError(f"references[{index}] is empty: segment {index} has 0 references")


def _align_sequences(hypotheses: list[Any] | Ragged, references: list[Any] | Ragged) -> Corpus:
    """Token sequences or ids against the same."""
    if isinstance(hypotheses, Ragged) and isinstance(references, Ragged):
        size = len(hypotheses)
        units = Ragged.concatenate([hypotheses, references])
        alternating = np.arange(2 * size).reshape(2, size).T.reshape(-1)
        return Corpus("ids", units.take(alternating), np.arange(0, 2 * size + 1, 2))
    hypotheses, references = list(hypotheses), list(references)
    _check_hypotheses(hypotheses)
    lists = _reference_lists(hypotheses, references)
    if not _are_plain(chain.from_iterable(lists)) or not all(lists):
        for index, entry in enumerate(lists):
            _check_some(entry, index)
            for place, reference in enumerate(entry):
                _check_sequence(reference, f"references[{index}][{place}]")
    return segments_of(hypotheses, lists)


def _check_hypotheses(hypotheses: list[Any]) -> None:
    """Every one a sequence of tokens; strings among other things are named as the mixture."""
    if _are_plain(hypotheses):
        return
    for index, hypothesis in enumerate(hypotheses):
        if isinstance(hypothesis, str):
            other = next(i for i, entry in enumerate(hypotheses) if not isinstance(entry, str))
            raise TypeError(
                f"hypotheses[{other}] is {_describe(hypotheses[other])} but hypotheses[{index}] is "
                "a string; expected all strings or all token sequences"
            )
        _check_sequence(hypothesis, f"hypotheses[{index}]")


def _without(units: Ragged, pad_id: int) -> Ragged:
    """The units less their padding."""
    keep = units.values != pad_id
    return Ragged(units.values[keep], offsets_of(keep)[units.offsets])


def _reference_lists(hypotheses: list[Any], references: list[Any]) -> list[Sequence[Any]]:
    """Each segment's references, where an entry may be one reference or a sequence of them.

    An entry holds several references if its first element is itself a list or an array. A tuple
    (or another hashable sequence) could be a reference or a token: it is a reference if all
    elements of the entry are sequences and no hypothesis has a sequence for a token. An empty
    entry is an empty reference, unless some other entry holds a sequence of references.
    """
    if _are_plain(references) and all(references):
        first = {type(entry[0]) for entry in references}
        if first == {list}:
            return references
        if first == {str}:
            return [[entry] for entry in references]
    for index, entry in enumerate(references):
        if not (isinstance(entry, np.ndarray) and entry.ndim > 1):
            _check_sequence(entry, f"references[{index}]")
    sequences_are_tokens = any(map(_starts_ambiguously, references)) and any(
        map(_is_sequence, chain.from_iterable(hypotheses))
    )
    nested = [_nests(entry, sequences_are_tokens) for entry in references]
    empty_means_none = any(nested)
    return [
        list(entry) if nests or (empty_means_none and not len(entry)) else [entry]
        for entry, nests in zip(references, nested, strict=True)
    ]


def _starts_ambiguously(entry: Any) -> bool:
    """Whether the first element of references[i] could be both a reference and a token."""
    return len(entry) > 0 and _is_sequence(entry[0]) and isinstance(entry[0], Hashable)


def _nests(entry: Any, sequences_are_tokens: bool) -> bool:
    """Whether references[i] is a sequence of references, not of tokens."""
    if isinstance(entry, np.ndarray):
        return entry.ndim > 1
    if _starts_ambiguously(entry):
        return not sequences_are_tokens and all(map(_is_sequence, entry))
    return len(entry) > 0 and _is_sequence(entry[0])


def _check_sequence(unit: Any, name: str) -> None:
    """A sequence of tokens, or an error that names it."""
    if not _is_sequence(unit):
        raise TypeError(f"{name} is {_describe(unit)}, expected a sequence of tokens")
    if isinstance(unit, np.ndarray) and unit.ndim != 1:
        raise ValueError(f"{name} is an array of {unit.ndim} dimensions, expected 1")


def _are_strings(values: Iterable[Any]) -> bool:
    """Whether all are str; asking for the set of types costs a third of asking every value."""
    return all(issubclass(kind, str) for kind in set(map(type, values)))


def _are_plain(values: Iterable[Any]) -> bool:
    """Whether all are lists or tuples, which need no further check."""
    return set(map(type, values)) <= {list, tuple}


def _is_sequence(value: Any) -> bool:
    """Whether a value can be a sequence of tokens or references; strings and bytes are not."""
    return isinstance(value, (list, tuple)) or (
        isinstance(value, (Sequence, np.ndarray))
        and not isinstance(value, (str, bytes, bytearray, memoryview))
    )


def _is_id_array(value: Any) -> bool:
    """Whether a value is a row of ids; what int64 may not hold is interned token by token."""
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 1
        and value.dtype.kind in "iu"
        and value.dtype != np.uint64
    )


def _describe(value: Any) -> str:
    """A value's type, and its content if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__
