"""References that all hypotheses share: prepared ones, or one list that stands for all segments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import is_
from typing import Any

import numpy as np

from vecbleu.core.corpus.blocks import name_unit
from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.shared import PreparedReferences, SharedCorpus, other_option
from vecbleu.core.inputs.columns import is_column
from vecbleu.core.inputs.id_lists import FOR_IDS
from vecbleu.core.inputs.units import align_units, check_kinds
from vecbleu.core.inputs.values import are_rows, are_strings
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import SpecialIds
from vecbleu.core.records import replace

# Segments, and characters or tokens of all their references, from which on one list of references
# is counted as a set: below, it costs as much to make the sets.
FEWEST_SEGMENTS = 16
FEWEST_CHARACTERS = 1 << 15
FEWEST_TOKENS = 1 << 13


def align_shared(
    hypotheses: Any, references: PreparedReferences, special_ids: SpecialIds
) -> SharedCorpus:
    """Check hypotheses, and whether prepared references are of their kind."""
    corpus, side = align_units(hypotheses, "hypotheses", special_ids), references.side
    check_kinds(corpus, "hypotheses", side, "references")
    if not isinstance(side, IdCorpus):
        if special_ids:
            raise TypeError(
                f"{FOR_IDS}; references was prepared without, pass them to SharedReferences as well"
            )
    elif len(corpus):
        _check_special_ids(special_ids, side.special_ids)
    return SharedCorpus(corpus, references)


def _check_special_ids(given: SpecialIds, own: SpecialIds) -> None:
    """ValueError unless ids are no tokens in a call where they are none in its references."""
    for name, value, expected in (
        ("eos_id", given.eos_ids, own.eos_ids),
        ("ignore_ids", given.ignore_ids, own.ignore_ids),
    ):
        if value != expected:
            raise other_option(name, value, expected)


def align_repeated(
    hypotheses: Any, references: Any, special_ids: SpecialIds
) -> SharedCorpus | None:
    """One list of references that stands for each of many segments; None of anything else.

    What might be an error, or be understood in another way, is something else.
    """
    entry = repeated_entry(references)
    if entry is None or not _pays(entry, len(references)):
        return None
    if not _is_read_again(hypotheses) or len(hypotheses) != len(references):
        return None
    corpus = align_units(hypotheses, "hypotheses")
    if corpus.is_text != are_strings(entry):
        return None
    if isinstance(entry, np.ndarray) and not isinstance(corpus, IdCorpus):
        return None
    side = replace(align_units(entry, "references"), name=name_reference)
    if not special_ids:
        return SharedCorpus(corpus, side)
    if not isinstance(corpus, IdCorpus) or not isinstance(side, IdCorpus):
        return None
    both = [replace(one, special_ids=special_ids) for one in (corpus, side)]
    return SharedCorpus(*both)


def repeated_entry(references: Any) -> Any:
    """The one list that is every entry of many; None if entries differ."""
    if not isinstance(references, (list, tuple)) or not references:
        return None
    entry = references[0]
    if isinstance(entry, PreparedReferences):
        raise TypeError(
            "references[0] is a SharedReferences, which holds the references of all segments; "
            "pass references[0] alone"
        )
    if len(references) < FEWEST_SEGMENTS:
        return None
    if references[-1] is not entry or references[len(references) // 2] is not entry:
        return None
    is_array = isinstance(entry, np.ndarray) and entry.ndim > 0
    if not (is_array or isinstance(entry, (list, tuple))) or not len(entry):
        return None
    return entry if all(map(is_, references, repeat(entry))) else None


def _is_read_again(hypotheses: Any) -> bool:
    """Whether hypotheses have a length, and can be read twice."""
    if is_column(hypotheses):
        return hasattr(hypotheses, "__len__")
    return isinstance(hypotheses, (list, tuple, Ragged)) or (
        isinstance(hypotheses, np.ndarray) and hypotheses.ndim > 0
    )


def _pays(entry: Any, segments: int) -> bool:
    """Whether an entry is several references in any case, and large enough to be made a set."""
    if isinstance(entry, np.ndarray):
        is_matrix = type(entry) is np.ndarray and entry.ndim == 2
        holds_ids = entry.dtype.kind in "iu" and entry.dtype != np.uint64
        return is_matrix and holds_ids and segments * entry.size >= FEWEST_TOKENS
    is_text = are_strings(entry)
    fewest = FEWEST_CHARACTERS if is_text else FEWEST_TOKENS
    return (is_text or _are_sequences(entry)) and segments * sum(map(len, entry)) >= fewest


def _are_sequences(entry: Sequence[Any]) -> bool:
    """Whether an entry is several references in any case: the first is no token."""
    return isinstance(entry[0], (list, np.ndarray)) and are_rows(entry)


def name_reference(unit: int, _: int) -> str:
    """What the user calls a reference."""
    return name_unit(0, unit)
