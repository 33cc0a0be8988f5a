"""One side by itself: hypotheses, or references that are no segment's; text, tokens, or ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus.columns import ColumnCorpus, StringColumn
from vecbleu.core.corpus.ids import IdCorpus, sequence_corpus
from vecbleu.core.corpus.lists import TextCorpus, TokenCorpus
from vecbleu.core.corpus.references import NoReferences
from vecbleu.core.inputs import columns
from vecbleu.core.inputs.advice import raise_with_advice
from vecbleu.core.inputs.arrays import as_array, is_foreign, refuse_mask
from vecbleu.core.inputs.frames import refuse_frame
from vecbleu.core.inputs.id_lists import FOR_IDS, id_corpus
from vecbleu.core.inputs.sequences import checked_units
from vecbleu.core.inputs.types import UnitCorpus
from vecbleu.core.inputs.values import are_strings, describe
from vecbleu.core.kernel.ragged import Ragged, int64_ids
from vecbleu.core.options import NO_SPECIAL_IDS, SpecialIds
from vecbleu.core.records import replace


def align_units(
    argument: Any,
    name: str,
    special_ids: SpecialIds = NO_SPECIAL_IDS,
    name_row: Callable[[int, int], str] | None = None,
) -> UnitCorpus:
    """Check one side by itself, as `align` checks hypotheses; errors call it by its name.

    Its units are the hypotheses of a corpus without references. They are named by their places,
    unless there is another way to.
    """
    refuse_frame(argument, name)
    name_row = name_row or partial(_name_row, name)
    try:
        corpus = replace(_corpus_of(argument, name, name_row), name=name_row)
    except (TypeError, ValueError) as error:
        raise_with_advice(error, **{name: argument})
    return with_special_ids(corpus, special_ids, name)


def _corpus_of(argument: Any, name: str, name_row: Callable[[int, int], str]) -> UnitCorpus:
    """The units of one side, of the kind that they are."""
    found = columns.column_units(argument, name) if columns.is_column(argument) else None
    if isinstance(found, StringColumn):
        nothing = StringColumn([], np.zeros(1, np.int64))
        return ColumnCorpus(found, nothing, NoReferences(len(found)).offsets())
    rows = unit_rows(argument, name) if found is None else found
    references = NoReferences(len(rows))
    if isinstance(rows, Ragged):
        return IdCorpus(rows, Ragged.from_arrays([]), references.offsets())
    if rows and are_strings(rows):
        return TextCorpus(rows, references)
    return sequence_corpus(checked_units(rows, name_row), references)


def check_kinds(first: UnitCorpus, name: str, second: UnitCorpus, other: str) -> None:
    """TypeError unless both sides hold text, or neither does; one without units fits all."""
    if len(first) and len(second) and first.is_text != second.is_text:
        raise TypeError(
            f"{name} holds {_kind(first)} but {other} holds {_kind(second)}; "
            "expected strings in both, or token sequences"
        )


def _kind(corpus: UnitCorpus) -> str:
    """What a side holds."""
    if corpus.is_text:
        return "strings"
    return "integer arrays" if isinstance(corpus, IdCorpus) else "token sequences"


def _name_row(name: str, unit: int, _reference: int) -> str:
    """What the user calls a unit."""
    return f"{name}[{unit}]"


def with_special_ids(corpus: UnitCorpus, special_ids: SpecialIds, name: str) -> UnitCorpus:
    """A corpus less the ids that are no tokens; TypeError that calls it by its name if it is text.

    Lists of integers are ids then.
    """
    if not special_ids or not len(corpus):
        return corpus
    if isinstance(corpus, (TextCorpus, ColumnCorpus)):
        raise TypeError(f"{FOR_IDS}; {name} holds strings")
    ids = id_corpus(corpus) if isinstance(corpus, TokenCorpus) else corpus
    return replace(ids, special_ids=special_ids)


def unit_rows(argument: Any, name: str) -> list[Any] | Ragged:
    """One side as a list with an entry a unit, or as ids."""
    if columns.is_column(argument):
        return columns.unit_rows(argument, name)
    return listed_rows(argument, name, of_units=True)


def listed_rows(argument: Any, name: str, of_units: bool = False) -> list[Any] | Ragged:
    """One side as a list with an entry a segment, each of which is a unit or holds several."""
    if is_foreign(argument):
        argument = as_array(argument, name)
    if isinstance(argument, Ragged):
        _check_ragged(argument, name)
        return argument
    if isinstance(argument, (str, bytes, bytearray, Mapping, AbstractSet)):
        raise TypeError(
            f"{name} is a single {type(argument).__name__}; expected a list, one entry a segment"
        )
    if isinstance(argument, np.ndarray):
        return _array_rows(argument, name, of_units)
    try:
        return argument if isinstance(argument, list) else list(argument)
    except (TypeError, NotImplementedError):  # the latter by a memoryview of two dimensions
        raise TypeError(
            f"{name} is {describe(argument)}; expected a list, one entry a segment"
        ) from None


def _array_rows(array: npt.NDArray[Any], name: str, of_units: bool) -> list[Any] | Ragged:
    """The rows of an array."""
    refuse_mask(array, name)
    array = np.asarray(array)  # rows of a matrix are matrices
    if array.ndim == 0:
        raise TypeError(f"{name} is an array without dimensions; expected one entry a segment")
    if array.ndim > 2 and of_units:
        raise ValueError(
            f"{name} is an array of {array.ndim} dimensions, expected 2 (segments, width)"
        )
    if array.dtype.kind not in "iu":
        return list(array.tolist())
    if array.ndim == 1 and of_units:
        raise TypeError(
            f"{name} is one 1-D integer array, which is one segment; "
            "expected a list of arrays or a 2-D array"
        )
    return Ragged.from_padded(int64_ids(array, name)) if array.ndim == 2 else list(array)


def _check_ragged(ragged: Ragged, name: str) -> None:
    """Offsets that run from 0 to the end and never back; the kernel relies on it."""
    values, offsets = ragged.values, ragged.offsets
    for array in (values, offsets):
        if not isinstance(array, np.ndarray) or array.dtype != np.int64 or array.ndim != 1:
            raise TypeError(f"{name} is a Ragged of other than two 1-D int64 arrays")
    ends = offsets[[0, -1]].tolist() if len(offsets) else []
    if ends != [0, len(values)] or (np.diff(offsets) < 0).any():
        raise ValueError(f"{name} is a Ragged whose offsets do not rise from 0 to {len(values)}")
