"""Check and align both sides: text, token sequences, ids or columns.

References are flattened without a loop over segments, and without a container for each: many new
containers make the garbage collector scan all objects of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import warn_caller
from vecbleu.arguments.errors import (
    ArgumentError,
    ArgumentTypeError,
    Place,
    argument,
    place_text,
)
from vecbleu.arguments.options import NO_SPECIAL_IDS, SpecialIds
from vecbleu.core.corpus import Corpus, Countable, TextCorpus, TokenCorpus
from vecbleu.core.count_table import CountTable
from vecbleu.inputs import columns, ids, mistakes
from vecbleu.inputs.doubts import Tell, warn_of_corpus
from vecbleu.inputs.mistakes import are_rows, are_strings, describe, is_foreign, is_sequence
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged, row_offsets, row_with


class SupportsArray(Protocol):
    """An array or a column of another library: torch, JAX, pandas, Polars."""

    def __array__(self) -> npt.NDArray[Any]:
        """Return a NumPy array."""


class SupportsDLPack(Protocol):
    """An array of another library that shares its memory through DLPack."""

    def __dlpack__(self) -> object:
        """Return a DLPack capsule."""


class SupportsArrowStream(Protocol):
    """A column of another library that shares its memory through Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream."""


Array = npt.NDArray[np.integer[Any]] | SupportsArray | SupportsDLPack
Column = SupportsArray | SupportsArrowStream


class Aligned(Countable, Protocol):
    """Input in memory, with a known number of segments."""

    def __len__(self) -> int:
        """Return the number of segments."""


class PreparedReferences:
    """References that are prepared in advance: the base of `SharedReferences`."""

    # Aligns hypotheses, whose special ids are removed already, with the references.
    with_hypotheses: Callable[..., Aligned]


# A hypothesis or a reference, which core calls a unit: text, tokens or ids.
Segment = str | Sequence[Hashable] | Array

Hypotheses = Iterable[Segment] | Array | Column | Ragged
References = Iterable[Segment | Sequence[Segment]] | Array | Column | Ragged | PreparedReferences


# Types whose values are always tokens; types of plain sequences; types whose values are always
# sequences.
_TOKENS = {str, bytes, int, float, bool, np.str_, np.int64}
_LISTS = {list, tuple}
_SEQUENCES = {*_LISTS, np.ndarray}

# Entries flattened at a time: their references stay in the cache.
_PIECE = 1 << 10

# References end to end, and their offsets (segments + 1,).
Flat = tuple[list[Any], Int64]

# Returns the index of a unit in its argument, given its number among all.
IndexOf = Callable[[int], tuple[int, ...]]


def own_index(unit: int) -> tuple[int, ...]:
    """Return the index of a unit in an argument that lists the units."""
    return (unit,)


def align(
    hypotheses: object,
    references: object,
    special_ids: SpecialIds = NO_SPECIAL_IDS,
    tokenize: str = "",
    tell: Tell = warn_caller,
    normalize: str | None = None,
) -> Aligned:
    """Check and align both sides; the hypotheses decide whether all units are text or tokens.

    `tokenize` names the tokenizer, if the metric has one. `tell` is told of doubts; `normalize`
    names the normal form that text is put into, if any.
    """
    try:
        corpus = align_quietly(hypotheses, references, special_ids, tokenize)
    except (TypeError, ValueError) as error:
        mistakes.raise_with_advice(error, {"hypotheses": hypotheses, "references": references})
    if isinstance(corpus, Corpus):
        warn_of_corpus(corpus, "hypotheses", tokenize, (hypotheses, references), tell, normalize)
    return corpus


def align_text(
    hypotheses: object,
    references: object,
    metric: str,
    normalize: str | None = None,
    tokenize: str = "",
    tell: Tell = warn_caller,
) -> Corpus:
    """Align segments as `align` does; raise TypeError unless they hold text."""
    if isinstance(hypotheses, list) and hypotheses and isinstance(hypotheses[0], list):
        references = hypotheses  # they are what is wrong, whatever the references hold
    corpus = align(hypotheses, references, tokenize=tokenize, tell=tell, normalize=normalize)
    if not isinstance(corpus, Corpus):
        found = f"is {type(references).__name__}"
        advice = f"{metric} takes lists of strings: pass [references] * len(hypotheses)"
        raise ArgumentTypeError(found, advice=advice, argument="references")
    if len(corpus) and not corpus.is_text:
        advice = f"{metric} takes text, so pass strings on both sides"
        raise ArgumentTypeError("holds tokens", advice=advice, argument="hypotheses")
    return corpus


def align_units(
    side: object,
    where: Place,
    special_ids: SpecialIds = NO_SPECIAL_IDS,
    index_of: IndexOf = own_index,
    tokenize: str = "",
) -> Corpus:
    """Check one side by itself, as `align` checks hypotheses.

    Return a corpus of its units without references. `where` is where the user passed the side, and
    `index_of` returns the index of a unit in it.
    """
    with argument(*where):
        try:
            corpus = _aligned_units(side, index_of)
            corpus.place_of = partial(_place, where, index_of)
            if special_ids != NO_SPECIAL_IDS:
                corpus = ids.without_special_ids(corpus, special_ids)
        except (TypeError, ValueError) as error:
            mistakes.raise_with_advice(error, {"": side})
    warn_of_corpus(corpus, place_text(where), tokenize)
    return corpus


def _aligned_units(side: object, index_of: IndexOf) -> Corpus:
    """Return a corpus of the units of one side."""
    arrays = _read_arrays(side, alone=True)
    if arrays is not None:
        return arrays.kind.alone(arrays.units)
    rows = unit_rows(side)
    if rows and are_strings(rows):
        return TextCorpus.alone(rows)
    return ids.sequence_corpus(TokenCorpus.alone(_checked_rows(rows, index_of)))


def _place(where: Place, index_of: IndexOf, unit: int, _reference: int) -> Place:
    return (*where, *index_of(unit))


def check_kinds(first: Corpus, second: Corpus, other: str) -> None:
    """Raise TypeError if one side holds text and the other does not; an empty side fits any."""
    if len(first) and len(second) and first.is_text != second.is_text:
        kinds = {True: "strings", False: "token sequences"}
        found = f"holds {kinds[first.is_text]} but {other} holds {kinds[second.is_text]}"
        raise ArgumentTypeError(found, "strings in both, or token sequences")


def align_quietly(
    hypotheses: object,
    references: object,
    special_ids: SpecialIds,
    tokenize: str = "",
) -> Aligned:
    """Align like `align`, without advice in errors, and without warnings."""
    if isinstance(references, PreparedReferences):
        side = align_units(hypotheses, ("hypotheses",), special_ids, tokenize=tokenize)
        return references.with_hypotheses(side, special_ids)
    if type(hypotheses) is list and type(references) is list:  # as usual
        corpus = _align_rows(hypotheses, references)
    else:
        corpus = _align_sides(hypotheses, references)
    if special_ids == NO_SPECIAL_IDS:
        return corpus
    with argument("hypotheses"):
        return ids.without_special_ids(corpus, special_ids)


def _align_sides(hypotheses: object, references: object) -> Corpus:
    """Align sides of which one is no list, in arrays if both can be."""
    with argument("hypotheses"):
        first = _read_arrays(hypotheses, alone=True)
    with argument("references"):
        second = _read_arrays(references)
    if first and second and first.kind is second.kind and len(first.offsets) == len(second.offsets):
        empty = np.flatnonzero(np.diff(second.offsets) == 0)
        if empty.size:
            raise mistakes.no_reference(int(empty[0]), "empty")
        return first.kind(first.units, second.units, second.offsets)
    with argument("hypotheses"):
        rows = first.units if first and first.kind is TextCorpus else unit_rows(hypotheses)
    if second and second.kind is TextCorpus and rows and are_strings(rows):
        references = second.entries()
    return _align_rows(rows, references)


class Reader(Protocol):
    """A module that reads a format of sides."""

    def accepts(self, value: object) -> bool:
        """Return whether a value has this format."""

    def read(self, side: object, alone: bool) -> ids.Arrays | None:
        """Return a side as arrays; None if its rows have to be checked one by one."""


READERS: tuple[Reader, ...] = (columns, ids)  # the first that accepts a side reads it


def _read_arrays(side: object, alone: bool = False) -> ids.Arrays | None:
    """Return a side as arrays, or None if it can't be. `alone`: each row is one unit."""
    if type(side) in _LISTS:
        return None
    mistakes.refuse_frame(side)
    for reader in READERS:
        if reader.accepts(side):
            return reader.read(side, alone)
    return None


def unit_rows(side: object) -> list[object]:
    """Return one side as a list of units."""
    return columns.listed_units(side) if columns.accepts(side) else listed_rows(side)


def listed_rows(side: Any) -> list[object]:
    """Return one side as a list with one entry a segment: a unit or several."""
    if isinstance(side, list):
        return side
    if is_foreign(side):
        side = mistakes.as_array(side)
    if isinstance(side, np.ndarray) and side.ndim and side.dtype.kind not in "iu":
        side = side.tolist()
    if not isinstance(side, (str, bytes, bytearray, Mapping, AbstractSet, CountTable)):
        with suppress(TypeError, NotImplementedError):  # the latter for 2-D memoryviews
            return list(side)
    raise ArgumentTypeError(f"is {describe(side)}", "a list of texts")


def listed_values(values: object) -> list[object]:
    """Return a column or an ordered iterable as a list."""
    if isinstance(values, (list, tuple)):  # the usual types, in less time
        return list(values)
    arrays = None if ids.accepts(values) else _read_arrays(values, alone=True)
    if arrays is not None and arrays.kind is TextCorpus:
        return list(arrays.units)
    mistakes.refuse_frame(values)
    if columns.accepts(values):
        return columns.complete_values(values, alone=True)
    return listed_rows(values)


def listed_strings(values: object, or_none: bool = False) -> list[Any]:
    """Return strings as a list, or strings and None; an error names the first other value."""
    rows = listed_values(values)
    kinds = (str, type(None)) if or_none else (str,)
    if all(issubclass(kind, kinds) for kind in set(map(type, rows))):
        return rows
    index = [isinstance(row, kinds) for row in rows].index(False)
    advice = ""
    if is_sequence(rows[index]):
        advice = 'join tokens by spaces, and use the tokenizer "none"'
    raise ArgumentTypeError(f"is {describe(rows[index])}", "a string", advice, index=(index,))


def _align_rows(rows: list[Any], references: object) -> Corpus:
    """Align a list of hypotheses with their references."""
    is_text = bool(rows) and are_strings(rows)
    entries = references if type(references) is list else _reference_rows(references, is_text)
    if len(rows) != len(entries):
        found = f"has {len(rows)} segments but references has {len(entries)}"
        raise ArgumentError(found, argument="hypotheses")
    flat = _plain_strings(entries) if is_text else None
    if flat is not None:
        return TextCorpus(rows, *flat)
    with argument("references"):
        if is_text:
            return TextCorpus(rows, *_checked_references(None, entries))
        with argument("hypotheses"):
            rows = _checked_rows(rows)
            if rows and len(rows[0]) and isinstance(rows[0][0], list):  # nested like references
                raise ArgumentTypeError(f"is {describe(rows[0][0])}", "a token", index=(0, 0))
        flat = _plain_tokens(rows, entries) or _checked_references(rows, entries)
        return ids.sequence_corpus(TokenCorpus(rows, *flat))


def _reference_rows(references: object, is_text: bool) -> list[Any]:
    """Return references as a list with one entry a segment."""
    with argument("references"):
        if columns.accepts(references):
            return columns.reference_rows(references, is_text)
        return listed_rows(references)


def _end_to_end(entries: Sequence[Any]) -> tuple[list[object], Int64, set[type]]:
    """Flatten entries: return units, offsets (entries + 1,), and the types of the units."""
    units: list[object] = []
    kinds: set[type] = set()
    for start in range(0, len(entries), _PIECE):
        first = len(units)
        units.extend(chain.from_iterable(entries[start : start + _PIECE]))
        kinds.update(map(type, units[first:]))
    return units, row_offsets(entries), kinds


def _plain_strings(entries: list[object]) -> Flat | None:
    """Flatten references that are all strings or all lists of strings; else return None."""
    if isinstance(entries[0], str) and are_strings(entries):
        return entries, np.arange(len(entries) + 1)
    if not are_rows(entries):
        return None
    units, offsets, kinds = _end_to_end(entries)
    if not all(issubclass(kind, str) for kind in kinds):
        return None
    is_complete = (offsets[1:] > offsets[:-1]).all()
    return (units, offsets) if is_complete else None


def _plain_tokens(hypotheses: list[object], entries: list[Any]) -> Flat | None:
    """Flatten tokenized references if their types alone show the layout; else return None."""
    if not are_rows(entries):
        return None
    if isinstance(entries[0] if entries else (), np.ndarray):
        is_flat = all(entry.dtype.kind in "iu" for entry in entries)
        return (entries, np.arange(len(entries) + 1)) if is_flat else None
    first = set(map(type, map(itemgetter(0), filter(None, entries))))
    if first <= _TOKENS:
        return entries, np.arange(len(entries) + 1)
    if not first <= _SEQUENCES or not all(entries):
        return None
    if tuple in first and _nest(hypotheses):
        return None
    units, offsets, kinds = _end_to_end(entries)
    return (units, offsets) if kinds <= {list, tuple} else None


def _nest(rows: Sequence[Any]) -> bool:
    """Return whether any token of the rows is itself a sequence."""
    kinds = set(map(type, chain.from_iterable(rows)))
    if kinds <= _TOKENS:
        return False
    return any(map(is_sequence, chain.from_iterable(rows)))


def _checked_references(hypotheses: list[object] | None, entries: list[Any]) -> Flat:
    """Check each entry, and flatten the references; `hypotheses` is None for text."""
    if hypotheses is None:
        nests = [not isinstance(entry, str) for entry in entries]
    else:
        entries = _checked_units(entries, most_dimensions=np.inf)
        nests = _nesting(hypotheses, entries)
    for index in np.flatnonzero(nests).tolist():
        if not is_sequence(entries[index]):
            expected = "a string or a list of strings, as hypotheses holds strings"
            raise ArgumentTypeError(f"is {describe(entries[index])}", expected, index=(index,))
        if not len(entries[index]):
            raise mistakes.no_reference(index, "empty")
    lists = [entry if nest else (entry,) for entry, nest in zip(entries, nests, strict=True)]
    units, offsets, _ = _end_to_end(lists)

    def index_of(number: int) -> tuple[int, ...]:
        index = row_with(offsets, number)
        return (index, number - int(offsets[index])) if nests[index] else (index,)

    if hypotheses is not None:
        return _checked_units(units, index_of), offsets
    for number, unit in enumerate(units):
        if not isinstance(unit, str):
            expected = "a string as in hypotheses"
            raise ArgumentTypeError(f"is {describe(unit)}", expected, index=index_of(number))
    return units, offsets


def _nesting(hypotheses: list[object], entries: list[Any]) -> list[bool]:
    """Return for each entry whether it is a sequence of references, not of tokens.

    An entry is a sequence of references if its first element is a list or an array. If the first
    element is a tuple (or another hashable sequence), it could be a reference or a token. Take it
    for a reference if all elements of the entry are sequences and no token of the hypotheses is
    one. An empty entry is an empty reference, unless another entry is a sequence of references.
    """
    tokens_nest: bool | None = None
    nests = []
    for index, entry in enumerate(entries):
        first: Any = entry[0] if len(entry) else None
        if isinstance(entry, np.ndarray):
            nests.append(entry.ndim > 1)
        elif is_sequence(first) and isinstance(first, Hashable):
            if tokens_nest is None:
                tokens_nest = _nest(hypotheses)
            nests.append(not tokens_nest and all(map(is_sequence, entry)))
        else:
            is_array = is_foreign(first) and first.ndim > 0
            nests.append(is_array or is_sequence(first))
            if isinstance(first, (Iterator, Ragged)):
                found = f"is {type(first).__name__}"
                raise ArgumentTypeError(found, "a token or a list", index=(index, 0))
    if any(nests):
        return [nest or not len(entry) for nest, entry in zip(nests, entries, strict=True)]
    return nests


def _checked_rows(rows: list[object], index_of: IndexOf = own_index) -> list[Any]:
    """Return the token sequences of a side; TypeError if there are strings among them."""
    if are_rows(rows):
        return rows
    is_string = [isinstance(row, str) for row in rows]
    if any(is_string):
        string = is_string.index(True)
        other = is_string.index(False)
        beside = place_text(("{argument}", *index_of(string)))
        found = f"is {describe(rows[other])} but {beside} is a string"
        expected = "all strings or all token sequences"
        raise ArgumentTypeError(found, expected, index=index_of(other))
    return _checked_units(rows, index_of)


def _checked_units(
    rows: list[object], index_of: IndexOf = own_index, most_dimensions: float = 1
) -> list[object]:
    """Return rows as sequences of tokens; an error names the first bad row."""
    if are_rows(rows):
        return rows
    checked: list[object] = []
    for number, row in enumerate(rows):
        with argument("", *index_of(number)):
            unit = mistakes.as_array(row) if is_foreign(row) else row
            if not is_sequence(unit):
                raise ArgumentTypeError(f"is {describe(unit)}", "a string or a sequence of tokens")
            mistakes.check_array(unit)
            if isinstance(unit, np.ndarray) and unit.ndim > most_dimensions:
                raise ArgumentError(f"is an array of {unit.ndim} dimensions", "1")
            checked.append(unit)
    return checked
