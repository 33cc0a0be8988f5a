"""Read integer ids from arrays and lists, and remove special ids and string tokens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, pairwise, takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import is_of_integers
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.arguments.options import SpecialIds
from vecbleu.core.corpus import BLOCK_TOKENS, Corpus, IdCorpus, TokenCorpus
from vecbleu.inputs.mistakes import are_strings, as_array, check_array, is_foreign
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import (
    Ragged,
    as_index,
    cuts,
    int64_ids,
    offsets_of,
    row_offsets,
)

_AS_IN_OPTIONS = ", as in ignore_ids and eos_id"


class Arrays(NamedTuple):
    """One side as arrays: its units, and the offsets of each segment's units."""

    kind: type[Corpus]
    units: Any  # strings, or ids as a `Ragged`
    offsets: Int64  # (segments + 1,)

    def entries(self) -> list[Any]:
        """Return an entry for each segment: its unit, or a list of its units."""
        if len(self.units) == len(self.offsets) - 1 and (np.diff(self.offsets) == 1).all():
            return list(self.units)
        return [self.units[low:high] for low, high in pairwise(self.offsets.tolist())]


def accepts(value: object) -> bool:
    """Return whether a value is an array, of any library, or a `Ragged`."""
    return isinstance(value, (np.ndarray, Ragged)) or is_foreign(value)


def read(side: Any, alone: bool) -> Arrays | None:
    """Return arrays of ids as rows; None for others. `alone`: each row is one unit."""
    if isinstance(side, Ragged):
        _check_ragged(side)
        return Arrays(IdCorpus, side, np.arange(len(side) + 1))
    return _array_rows(as_array(side) if is_foreign(side) else side, alone)


def _array_rows(array: npt.NDArray[Any], alone: bool) -> Arrays | None:
    """Return the rows of an integer array (segments, [references,] width), else None."""
    check_array(array, alone)
    array = np.asarray(array)  # rows of `np.matrix` would be matrices
    if array.ndim > 2 and alone:
        raise ArgumentError(f"is an array of {array.ndim} dimensions", "2 (segments, width)")
    if array.dtype.kind not in "iu":
        return None
    if array.ndim == 1 and alone:
        found = "is one 1-D integer array, which is one segment"
        raise ArgumentTypeError(found, "a list of arrays or a 2-D array")
    if array.ndim not in (2, 3):
        return None
    each = array.shape[1] if array.ndim == 3 else 1
    rows = int64_ids(array.reshape(len(array) * each, array.shape[-1]))
    offsets = np.arange(len(array) + 1) * each
    return Arrays(IdCorpus, Ragged.from_padded(rows), offsets)


def _check_ragged(ragged: Ragged) -> None:
    """Raise an error unless offsets rise from 0 to the end; the kernel relies on it."""
    values, offsets = ragged.values, ragged.offsets
    for array in (values, offsets):
        if not isinstance(array, np.ndarray) or array.dtype != np.int64 or array.ndim != 1:
            raise ArgumentTypeError("is a Ragged", "1-D int64 values and offsets in it")
    is_whole = len(offsets) and offsets[0] == 0 and offsets[-1] == len(values)
    if not is_whole or (np.diff(offsets) < 0).any():
        raise ArgumentError(f"is a Ragged whose offsets do not rise from 0 to {len(values)}")


def sequence_corpus(corpus: Corpus) -> Corpus:
    """Turn a corpus of token sequences into one of ids if all of them are integer arrays."""
    units = chain(corpus.hypotheses, corpus.references)
    if not len(corpus) or not all(map(_is_id_row, units)):
        return corpus
    hyps = Ragged.from_arrays(corpus.hypotheses)
    refs = Ragged.from_arrays(corpus.references)
    return IdCorpus(hyps, refs, corpus.offsets, corpus.place_of)


def _is_id_row(value: object) -> bool:
    """Return whether a value is a 1-D array of ids; integers beyond int64 are hashable tokens."""
    if not isinstance(value, np.ndarray) or value.ndim != 1 or value.dtype.kind not in "iu":
        return False
    return value.dtype != np.uint64 or bool(value.max(initial=0) < 2**63)


def without_special_ids(corpus: Corpus, special_ids: SpecialIds) -> Corpus:
    """Remove special ids, or string tokens; TypeError for text, or tokens of another type."""
    if not len(corpus):
        return corpus
    if corpus.is_text:
        advice = "ignore_ids and eos_id are for tokens, such as those of text.split()"
        raise ArgumentTypeError("holds strings", advice=advice)
    kinds = set(map(type, special_ids.ignore_ids + special_ids.eos_id))
    if len(kinds) > 1:
        found = "and eos_id hold integers and strings"
        raise ArgumentTypeError(found, "one of them", argument="ignore_ids")
    hyps, refs = corpus.hypotheses, corpus.references
    size = len(hyps)
    try:
        if str in kinds:
            tokens = _kept_strings([*hyps, *refs], special_ids)
            return TokenCorpus(tokens[:size], tokens[size:], corpus.offsets, corpus.place_of)
        if isinstance(corpus, TokenCorpus):
            ids = _listed_ids([*hyps, *refs])
            hyps, refs = ids[:size], ids[size:]
    except (ArgumentError, ArgumentTypeError) as error:
        error.name_unit(corpus.locate)
        raise
    hyps, refs = _kept(hyps, special_ids), _kept(refs, special_ids)
    return IdCorpus(hyps, refs, corpus.offsets, corpus.place_of)


def _kept_strings(units: Sequence[Any], special_ids: SpecialIds) -> list[list[str]]:
    """Remove special tokens from sequences of strings; an error names the first other token."""
    kept = []
    for number, unit in enumerate(units):
        if not are_strings(unit):
            index = [isinstance(token, str) for token in unit].index(False)
            found = f"has {unit[index]!r} as token {index}"
            raise ArgumentTypeError(found, f"a string{_AS_IN_OPTIONS}", index=(number,))
        begin = takewhile(lambda token: token not in special_ids.eos_id, unit)
        kept.append([token for token in begin if token not in special_ids.ignore_ids])
    return kept


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
            ends = offsets_of(np.isin(values, special_ids.eos_id))  # (ids + 1,), before each id
            ends_before = np.repeat(ends[offsets[:-1]], as_index(piece.lengths))
            keep &= ends[1:] == ends_before
        pieces.append(Ragged(values[keep], offsets_of(keep)[offsets]))
    return Ragged.concatenate(pieces)


def _listed_ids(units: Sequence[Any]) -> Ragged:
    """Return sequences of integers as rows of ids; an error names the first bad token."""
    units = [unit.tolist() if isinstance(unit, np.ndarray) else unit for unit in units]
    offsets = row_offsets(units)
    if all(map(is_of_integers, set(map(type, chain.from_iterable(units))))):
        with suppress(OverflowError):
            return Ragged(np.fromiter(chain.from_iterable(units), np.int64, offsets[-1]), offsets)
    for number, unit in enumerate(units):
        for index, token in enumerate(unit):
            found = f"has {token!r} as token {index}"
            if not is_of_integers(type(token)):
                raise ArgumentTypeError(found, f"an integer{_AS_IN_OPTIONS}", index=(number,))
            if not -(2**63) <= token < 2**63:
                expected = f"-2**63 to 2**63 - 1{_AS_IN_OPTIONS}"
                raise ArgumentError(found, expected, index=(number,))
    raise AssertionError("every token is an id")
