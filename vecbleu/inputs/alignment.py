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

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Corpus, Countable, IdCorpus, TextCorpus, TokenCorpus
from vecbleu.core.count_table import CountTable
from vecbleu.core.options import NO_SPECIAL_IDS, SpecialIds
from vecbleu.inputs import columns, ids, mistakes
from vecbleu.inputs.columns import is_column
from vecbleu.inputs.mistakes import are_rows, are_strings, describe, is_foreign, is_sequence
from vecbleu.kernel.ragged import Ragged, row_offsets, row_with


class SupportsArray(Protocol):
    """An array or a column of another library: torch, JAX, pandas, Polars."""

    def __array__(self) -> npt.NDArray[Any]:
        """Return a NumPy array."""


class SupportsDLPack(Protocol):
    """An array of another library that shares its memory through DLPack."""

    def __dlpack__(self) -> Any:
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

    def sample(self) -> Sequence[str]:
        """Return text whose script is to be checked: the hypotheses, or nothing for tokens."""


class PreparedReferences:
    """References that are prepared in advance: the base of `SharedReferences`."""

    # Aligns hypotheses, whose special ids are removed already, with the references.
    with_hypotheses: Callable[..., Aligned]


# A hypothesis or a reference, which core calls a unit: text, tokens or ids.
Segment = str | Sequence[Hashable] | Array

Hypotheses = Iterable[Segment] | Array | Column | Ragged
References = Iterable[Segment | Sequence[Segment]] | Array | Column | Ragged | PreparedReferences


# Types whose values are always tokens; types whose values are always sequences.
_TOKENS = {str, bytes, int, float, bool, np.str_, np.int64}
_SEQUENCES = {list, tuple, np.ndarray}

# Entries flattened at a time: their references stay in the cache.
_PIECE = 1 << 10

# References end to end, and their offsets (segments + 1,).
Flat = tuple[list[Any], Int64]


def align(hypotheses: Any, references: Any, special_ids: SpecialIds = NO_SPECIAL_IDS) -> Aligned:
    """Check and align both sides; the hypotheses decide whether all units are text or tokens."""
    try:
        corpus = align_quietly(hypotheses, references, special_ids)
    except (TypeError, ValueError) as error:
        mistakes.raise_with_advice(error, hypotheses=hypotheses, references=references)
    if isinstance(corpus, Corpus):
        mistakes.warn_of_sides(corpus, "hypotheses", hypotheses, references)
    return corpus


def align_units(
    argument: Any,
    name: str,
    special_ids: SpecialIds = NO_SPECIAL_IDS,
    name_row: Callable[[int, int], str] | None = None,
) -> Corpus:
    """Check one side by itself, as `align` checks hypotheses.

    Return a corpus of its units without references. Errors name a unit as `name_row` does, by
    default ``name[index]``.
    """
    name_row = name_row or partial(_name_row, name)
    try:
        arrays = _read_arrays(argument, name, alone=True)
        if arrays is not None:
            corpus = arrays.kind.alone(arrays.units, name_row)
        elif (rows := unit_rows(argument, name)) and are_strings(rows):
            corpus = TextCorpus.alone(rows, name_row)
        else:
            rows = _checked_rows(rows, lambda row: name_row(row, -1))
            corpus = ids.sequence_corpus(TokenCorpus.alone(rows, name_row))
    except (TypeError, ValueError) as error:
        mistakes.raise_with_advice(error, **{name: argument})
    corpus = ids.without_special_ids(corpus, special_ids, name) if special_ids else corpus
    mistakes.warn_of_sides(corpus, name)
    return corpus


def _name_row(name: str, unit: int, _reference: int) -> str:
    return f"{name}[{unit}]"


def check_kinds(first: Corpus, name: str, second: Corpus, other: str) -> None:
    """Raise TypeError if one side holds text and the other does not; an empty side fits any."""
    if len(first) and len(second) and first.is_text != second.is_text:
        kinds = "token sequences", "strings"
        raise TypeError(
            f"{name} holds {kinds[first.is_text]} but {other} holds {kinds[second.is_text]}; "
            "expected strings in both, or token sequences"
        )


def align_quietly(hypotheses: Any, references: Any, special_ids: SpecialIds) -> Aligned:
    """Align like `align`, without advice in errors, and without warnings."""
    if isinstance(references, PreparedReferences):
        side = align_units(hypotheses, "hypotheses", special_ids)
        return references.with_hypotheses(side, special_ids)
    first = _read_arrays(hypotheses, "hypotheses", alone=True)
    second = _read_arrays(references, "references")
    if first and second and first.kind is second.kind and len(first.offsets) == len(second.offsets):
        empty = np.flatnonzero(np.diff(second.offsets) == 0)
        if empty.size:
            raise mistakes.no_reference(int(empty[0]), "empty")
        corpus = first.kind(first.units, second.units, second.offsets)
    else:  # rows have to be checked one by one
        rows = (
            first.units
            if first and first.kind is TextCorpus
            else unit_rows(hypotheses, "hypotheses")
        )
        corpus = _align_rows(rows, references)
    return ids.without_special_ids(corpus, special_ids, "hypotheses") if special_ids else corpus


def _read_arrays(argument: Any, name: str, alone: bool = False) -> ids.Arrays | None:
    """Return a side as arrays, or None if it can't be. `alone`: each row is one unit."""
    if type(argument) in (list, tuple):
        return None
    mistakes.refuse_frame(argument, name)
    if is_column(argument):
        return columns.read_column(argument, name, alone)
    if isinstance(argument, Ragged):
        ids.check_ragged(argument, name)
        return ids.Arrays(IdCorpus, argument, np.arange(len(argument) + 1))
    if is_foreign(argument):
        argument = mistakes.as_array(argument, name)
    return ids.array_rows(argument, name, alone) if isinstance(argument, np.ndarray) else None


def unit_rows(argument: Any, name: str) -> list[Any]:
    """Return one side as a list of units."""
    listed = columns.listed_units if is_column(argument) else listed_rows
    return listed(argument, name)


def listed_rows(argument: Any, name: str) -> list[Any]:
    """Return one side as a list with one entry a segment: a unit or several."""
    if isinstance(argument, list):
        return argument
    if is_foreign(argument):
        argument = mistakes.as_array(argument, name)
    if isinstance(argument, np.ndarray) and argument.ndim and argument.dtype.kind not in "iu":
        argument = argument.tolist()
    if not isinstance(argument, (str, bytes, bytearray, Mapping, AbstractSet, CountTable)):
        with suppress(TypeError, NotImplementedError):  # the latter for 2-D memoryviews
            return list(argument)
    raise TypeError(f"{name} is {describe(argument)}, expected a list of texts")


def listed_values(values: Any, name: str) -> list[Any]:
    """Return a column or an ordered iterable as a list."""
    if isinstance(values, (list, tuple)):  # the usual types, in less time
        return list(values)
    mistakes.refuse_frame(values, name)
    if is_column(values):
        return list(columns.complete_values(values, name, alone=True))
    return list(listed_rows(values, name))


def listed_strings(values: Any, name: str, or_none: bool = False) -> list[Any]:
    """Return strings as a list, or strings and None; an error names the first other value."""
    rows = listed_values(values, name)
    kinds = (str, type(None)) if or_none else (str,)
    if all(issubclass(kind, kinds) for kind in set(map(type, rows))):
        return rows
    index = [isinstance(row, kinds) for row in rows].index(False)
    advice = (
        '; join tokens by spaces, and use the tokenizer "none"' if is_sequence(rows[index]) else ""
    )
    raise TypeError(f"{name}[{index}] is {describe(rows[index])}, expected a string{advice}")


def _align_rows(rows: list[Any], references: Any) -> Corpus:
    """Align a list of hypotheses with their references."""
    is_text = bool(rows) and are_strings(rows)
    if is_column(references):
        entries = columns.reference_rows(references, is_text)
    else:
        entries = listed_rows(references, "references")
    if len(rows) != len(entries):
        raise ValueError(f"hypotheses has {len(rows)} segments but references has {len(entries)}")
    if is_text:
        flat = _plain_strings(entries) or _checked_references(None, entries)
        return TextCorpus(rows, *flat)
    rows = _checked_rows(rows, "hypotheses[{}]".format)
    if rows and len(rows[0]) and isinstance(rows[0][0], list):  # nested like references
        raise TypeError(f"hypotheses[0][0] is {describe(rows[0][0])}, expected a token")
    flat = _plain_tokens(rows, entries) or _checked_references(rows, entries)
    return ids.sequence_corpus(TokenCorpus(rows, *flat))


def _end_to_end(entries: Sequence[Any]) -> tuple[list[Any], Int64, set[type]]:
    """Flatten entries: return units, offsets (entries + 1,), and the types of the units."""
    units: list[Any] = []
    kinds: set[type] = set()
    for start in range(0, len(entries), _PIECE):
        first = len(units)
        units.extend(chain.from_iterable(entries[start : start + _PIECE]))
        kinds.update(map(type, units[first:]))
    return units, row_offsets(entries), kinds


def _plain_strings(entries: list[Any]) -> Flat | None:
    """Flatten references that are all strings or all lists of strings; else return None."""
    if isinstance(entries[0], str) and are_strings(entries):
        return entries, np.arange(len(entries) + 1)
    if not are_rows(entries):
        return None
    units, offsets, kinds = _end_to_end(entries)
    are_strings_alone = all(issubclass(kind, str) for kind in kinds)
    is_complete = (offsets[1:] > offsets[:-1]).all()
    return (units, offsets) if is_complete and are_strings_alone else None


def _plain_tokens(hypotheses: list[Any], entries: list[Any]) -> Flat | None:
    """Flatten tokenized references if their types alone show the layout; else return None."""
    if not are_rows(entries):
        return None
    if isinstance(entries[0] if entries else (), np.ndarray):
        is_flat = all(entry.dtype.kind in "iu" for entry in entries)
        return (entries, np.arange(len(entries) + 1)) if is_flat else None
    first = set(map(type, map(itemgetter(0), filter(None, entries))))
    if first <= _TOKENS:
        return entries, np.arange(len(entries) + 1)
    if not first <= _SEQUENCES or not all(entries) or (tuple in first and _nest(hypotheses)):
        return None
    units, offsets, kinds = _end_to_end(entries)
    return (units, offsets) if kinds <= {list, tuple} else None


def _nest(rows: Sequence[Any]) -> bool:
    """Return whether any token of the rows is itself a sequence."""
    kinds = set(map(type, chain.from_iterable(rows)))
    return not kinds <= _TOKENS and any(map(is_sequence, chain.from_iterable(rows)))


def _checked_references(hypotheses: list[Any] | None, entries: list[Any]) -> Flat:
    """Check each entry, and flatten the references; `hypotheses` is None for text."""
    if hypotheses is None:
        nests = [not isinstance(entry, str) for entry in entries]
    else:
        entries = _checked_units(entries, "references[{}]".format, most_dimensions=np.inf)
        nests = _nesting(hypotheses, entries)
    for index in np.flatnonzero(nests).tolist():
        if not is_sequence(entries[index]):
            raise TypeError(
                f"references[{index}] is {describe(entries[index])}; "
                "hypotheses holds strings, expected a string or a list of strings"
            )
        if not len(entries[index]):
            raise mistakes.no_reference(index, "empty")
    lists = [entry if nest else (entry,) for entry, nest in zip(entries, nests, strict=True)]
    units, offsets, _ = _end_to_end(lists)

    def name(number: int) -> str:
        index = row_with(offsets, number)
        place = f"[{number - offsets[index]}]" if nests[index] else ""
        return f"references[{index}]{place}"

    if hypotheses is not None:
        return _checked_units(units, name), offsets
    for number, unit in enumerate(units):
        if not isinstance(unit, str):
            kind = f"{name(number)} is {describe(unit)}"
            raise TypeError(f"{kind}, expected a string as in hypotheses")
    return units, offsets


def _nesting(hypotheses: list[Any], entries: list[Any]) -> list[bool]:
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
            nests.append(is_sequence(first) or (is_foreign(first) and first.ndim > 0))
            if isinstance(first, (Iterator, Ragged)):
                kind = type(first).__name__
                raise TypeError(f"references[{index}][0] is {kind}, expected a token or a list")
    if any(nests):
        return [nest or not len(entry) for nest, entry in zip(nests, entries, strict=True)]
    return nests


def _checked_rows(rows: list[Any], name: Callable[[int], str]) -> list[Any]:
    """Return the token sequences of a side; TypeError if there are strings among them."""
    if are_rows(rows):
        return rows
    is_string = [isinstance(row, str) for row in rows]
    if any(is_string):
        string, other = is_string.index(True), is_string.index(False)
        raise TypeError(
            f"{name(other)} is {describe(rows[other])} but {name(string)} is a string; "
            "expected all strings or all token sequences"
        )
    return _checked_units(rows, name)


def _checked_units(
    rows: list[Any], name: Callable[[int], str], most_dimensions: float = 1
) -> list[Any]:
    """Return rows as sequences of tokens; an error names the first bad row."""
    if are_rows(rows):
        return rows
    rows = [
        mistakes.as_array(row, name(k)) if is_foreign(row) else row for k, row in enumerate(rows)
    ]
    for number, row in enumerate(rows):
        if not is_sequence(row):
            found = f"{name(number)} is {describe(row)}"
            raise TypeError(f"{found}, expected a string or a sequence of tokens")
        mistakes.check_array(row, name(number))
        if isinstance(row, np.ndarray) and row.ndim > most_dimensions:
            raise ValueError(f"{name(number)} is an array of {row.ndim} dimensions, expected 1")
    return rows
