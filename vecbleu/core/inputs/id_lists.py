"""Lists of integers as ids, where some ids are no tokens; otherwise they are tokens like others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import TokenCorpus
from vecbleu.core.inputs.values import are_plain, describe
from vecbleu.core.kernel.ragged import Ragged, row_offsets

FOR_IDS = "ignore_ids and eos_id are for integer ids"


def id_corpus(corpus: TokenCorpus) -> IdCorpus:
    """Token sequences as ids; an error names the first token that is no integer of 64 bits."""
    offsets = corpus.references.offsets()

    def name_reference(unit: int) -> str:
        segment = int(np.searchsorted(offsets, unit, side="right")) - 1
        return corpus.name(segment, unit - int(offsets[segment]))

    hypotheses = _rows(corpus.hypotheses, lambda unit: corpus.name(unit, -1))
    references = _rows(corpus.references.end_to_end(), name_reference)
    return IdCorpus(hypotheses, references, offsets, name=corpus.name)


def _rows(units: Sequence[Any], name_unit: Callable[[int], str]) -> Ragged:
    """Sequences of integers as rows of ids."""
    if not are_plain(units):
        units = [unit.tolist() if isinstance(unit, np.ndarray) else unit for unit in units]
    offsets = row_offsets(units)
    if all(map(_is_of_ids, set(map(type, chain.from_iterable(units))))):
        with suppress(OverflowError):
            return Ragged(np.fromiter(chain.from_iterable(units), np.int64, offsets[-1]), offsets)
    for number, unit in enumerate(units):
        for place, token in enumerate(unit):
            _check_id(token, f"{name_unit(number)}: token {place}")
    raise AssertionError("each of them is an id")


def _is_of_ids(kind: type) -> bool:
    """Whether values of a type are integers; bools, and NumPy's lengths of time, are none here."""
    return issubclass(kind, (int, np.integer)) and not issubclass(kind, (bool, np.timedelta64))


def _check_id(token: Any, name: str) -> None:
    """An integer of 64 bits, or an error that names it."""
    if not _is_of_ids(type(token)):
        raise TypeError(f"{name} is {describe(token)}, expected an integer; {FOR_IDS}")
    if not -(2**63) <= int(token) < 2**63:
        raise ValueError(f"{name} is {token}, which is no 64-bit integer; {FOR_IDS}")
