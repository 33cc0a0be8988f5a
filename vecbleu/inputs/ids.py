"""Read integer ids from arrays and lists, and remove special ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64
from vecbleu.core.checks import checked_integer, int64_ids
from vecbleu.core.corpus import BLOCK_TOKENS, HYPOTHESIS, Corpus, IdCorpus, TokenCorpus
from vecbleu.core.errors import argument
from vecbleu.core.options import SpecialIds
from vecbleu.inputs.mistakes import check_array
from vecbleu.kernel.ragged import Ragged, as_index, cuts, offsets_of, row_offsets

FOR_IDS = "ignore_ids and eos_id are for integer ids"


class Arrays(NamedTuple):
    """One side as arrays: its units, and the offsets of each segment's units."""

    kind: type[Corpus]
    units: Any  # strings, or ids as a `Ragged`
    offsets: Int64  # (segments + 1,)


def array_rows(array: npt.NDArray[Any], name: str, alone: bool) -> Arrays | None:
    """Return the rows of an integer array (segments, [references,] width), else None."""
    check_array(array, name)
    array = np.asarray(array)  # rows of `np.matrix` would be matrices
    if array.ndim > 2 and alone:
        raise ValueError(
            f"{name} is an array of {array.ndim} dimensions, expected 2 (segments, width)"
        )
    if array.dtype.kind not in "iu":
        return None
    if array.ndim == 1 and alone:
        raise TypeError(
            f"{name} is one 1-D integer array, which is one segment; "
            "expected a list of arrays or a 2-D array"
        )
    if array.ndim not in (2, 3):
        return None
    each, width = array.shape[1:] if array.ndim == 3 else (1, array.shape[1])
    with argument(name):
        rows = int64_ids(array.reshape(len(array) * each, width))
    return Arrays(IdCorpus, Ragged.from_padded(rows), np.arange(len(array) + 1) * each)


def check_ragged(ragged: Ragged, name: str) -> None:
    """Raise an error unless offsets rise from 0 to the end; the kernel relies on it."""
    values, offsets = ragged.values, ragged.offsets
    for array in (values, offsets):
        if not isinstance(array, np.ndarray) or array.dtype != np.int64 or array.ndim != 1:
            raise TypeError(f"{name} is a Ragged, expected 1-D int64 values and offsets in it")
    if [*offsets[:1], *offsets[-1:]] != [0, len(values)] or (np.diff(offsets) < 0).any():
        raise ValueError(f"{name} is a Ragged whose offsets do not rise from 0 to {len(values)}")


def sequence_corpus(corpus: Corpus) -> Corpus:
    """Turn a corpus of token sequences into one of ids if all of them are integer arrays."""
    hyps, refs = corpus.hypotheses, corpus.references
    if not len(corpus) or not all(map(_is_id_row, chain(hyps, refs))):
        return corpus
    hyps, refs = map(Ragged.from_arrays, (hyps, refs))
    return IdCorpus(hyps, refs, corpus.offsets, corpus.name_unit)


def _is_id_row(value: Any) -> bool:
    """Return whether a value is a 1-D array of ids; integers beyond int64 are hashable tokens."""
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
        return False
    return value.dtype != np.uint64 or bool(value.max(initial=0) < 2**63)


def without_special_ids(corpus: Corpus, special_ids: SpecialIds, name: str) -> Corpus:
    """Remove special ids from a corpus of ids or of lists of integers; TypeError for text."""
    if not len(corpus):
        return corpus
    if corpus.is_text:
        raise TypeError(f"{FOR_IDS}; {name} holds strings")
    hyps, refs = corpus.hypotheses, corpus.references
    if isinstance(corpus, TokenCorpus):
        hyps = _listed_ids(hyps, lambda unit: corpus.name_unit(unit, HYPOTHESIS))
        refs = _listed_ids(refs, corpus.name_reference)
    hyps, refs = _kept(hyps, special_ids), _kept(refs, special_ids)
    return IdCorpus(hyps, refs, corpus.offsets, corpus.name_unit)


def _kept(units: Ragged, special_ids: SpecialIds) -> Ragged:
    """Remove special ids, from as many units at a time as the cache holds."""
    pieces = [units[:0]]
    for low, high in cuts(units.offsets, BLOCK_TOKENS):
        piece = units[low:high]
        values, offsets = piece.values, piece.offsets
        keep = np.ones(len(values), bool)
        for ignored in special_ids.ignore_ids:  # few ids: `np.isin` takes twice as long
            keep &= values != ignored
        if special_ids.eos_id:
            before = offsets_of(np.isin(values, special_ids.eos_id))  # (ids + 1,), of end ids
            keep &= before[1:] == np.repeat(before[offsets[:-1]], as_index(piece.lengths))
        pieces.append(Ragged(values[keep], offsets_of(keep)[offsets]))
    return Ragged.concatenate(pieces)


def _listed_ids(units: Sequence[Any], name_of: Callable[[int], str]) -> Ragged:
    """Return sequences of integers as rows of ids; an error names the first bad token."""
    units = [unit.tolist() if isinstance(unit, np.ndarray) else unit for unit in units]
    offsets = row_offsets(units)
    if all(map(_is_of_ids, set(map(type, chain.from_iterable(units))))):
        with suppress(OverflowError):
            return Ragged(np.fromiter(chain.from_iterable(units), np.int64, offsets[-1]), offsets)
    for number, unit in enumerate(units):
        for index, token in enumerate(unit):
            with argument(f"{name_of(number)}: token {index}"):
                checked_integer(token, -(2**63), 2**63 - 1, f"; {FOR_IDS}")
    raise AssertionError("every token is an id")


def _is_of_ids(kind: type) -> bool:
    """Return whether a type is one of integers; bool and timedelta64 are not."""
    return issubclass(kind, (int, np.integer)) and not issubclass(kind, (bool, np.timedelta64))
