"""Token sequences and ids of the user's, made into checked and aligned segments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, MutableSequence, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from vecbleu.core.corpus.blocks import name_unit
from vecbleu.core.corpus.ids import IdCorpus, sequence_corpus
from vecbleu.core.corpus.lists import TokenCorpus
from vecbleu.core.corpus.references import ParallelReferences, ReferenceLists, References
from vecbleu.core.inputs.arrays import refuse_mask, with_arrays
from vecbleu.core.inputs.nested import Nested, nested
from vecbleu.core.inputs.values import are_plain, are_rows, check_some, describe, is_sequence
from vecbleu.core.kernel.ragged import Ragged

# Types whose values are tokens, and never sequences of tokens.
_TOKENS = {str, bytes, int, float, bool, np.str_, np.int64}


def align_sequences(
    hypotheses: list[Any] | Ragged, references: list[Any] | Ragged
) -> TokenCorpus | IdCorpus:
    """Token sequences or ids against the same."""
    if isinstance(hypotheses, Ragged) and isinstance(references, Ragged):
        return IdCorpus(hypotheses, references, np.arange(len(hypotheses) + 1))
    hypotheses, references = list(hypotheses), list(references)
    hypotheses = checked_units(hypotheses, name_unit)
    _refuse_nested(hypotheses)
    _refuse_rows_of_text(references, "references[0]")
    found = _plain_references(hypotheses, references)
    if found is None:
        found = ReferenceLists(_checked_references(hypotheses, references))
    return sequence_corpus(hypotheses, found)


def _refuse_nested(hypotheses: Sequence[Any]) -> None:
    """TypeError for a list in place of the first token, as in lists of references."""
    if hypotheses and len(hypotheses[0]) and isinstance(hypotheses[0][0], list):
        raise TypeError(f"hypotheses[0][0] is {describe(hypotheses[0][0])}, expected a token")


def _plain_references(hypotheses: list[Any], references: list[Any]) -> References | None:
    """References whose layout the types of entries tell; None where each has to be looked at.

    The layout is the one that `_reference_lists` finds. Of entries that begin with a string nothing
    else is looked at: the types of all tokens take a fifth of the time of counting them.
    """
    if not are_rows(references):
        return None
    if set(map(type, references)) == {np.ndarray}:
        is_flat = set(map(attrgetter("dtype.kind"), references)) <= {"i", "u"}
        return ParallelReferences([references]) if is_flat else None
    first = set(map(type, map(itemgetter(0), filter(None, references))))
    if (first == {str} and all(references)) or (first <= _TOKENS and _are_tokens(references)):
        return ParallelReferences([references])
    is_nested = first == {list} or (first <= {list, tuple} and _are_tokens(hypotheses))
    found = nested(references) if is_nested or first == {np.ndarray} else None
    if found is None or (not found.kinds <= {list, tuple} and not _are_arrays(found)):
        return None
    return found.references


def _are_arrays(found: Nested) -> bool:
    """Whether all references are NumPy's arrays of one dimension."""
    return found.kinds == {np.ndarray} and are_rows(found.references.end_to_end())


def _are_tokens(rows: list[Any]) -> bool:
    """Whether all elements of some rows can be nothing else than tokens."""
    return set(map(type, chain.from_iterable(rows))) <= _TOKENS


def _checked_references(hypotheses: list[Any], references: list[Any]) -> list[Sequence[Any]]:
    """Each segment's references; an error names the first that can't be one."""
    lists = _with_arrays(_reference_lists(hypotheses, references))
    for index, entry in enumerate(lists):
        check_some(entry, index)
        for place, reference in enumerate(entry):
            _check_sequence(reference, f"references[{index}][{place}]")
    return lists


def _with_arrays(references: Sequence[Any]) -> list[Any]:
    """Entries whose arrays of other libraries are NumPy's."""
    return [with_arrays(entry, f"references[{place}]") for place, entry in enumerate(references)]


def checked_units(rows: list[Any], name_row: Callable[[int, int], str]) -> list[Any]:
    """Rows that are all sequences of tokens; strings among others are named as the mixture.

    A row is named by its number, and by -1 as that of a reference: it is no segment's.
    """
    _refuse_rows_of_text(rows, name_row(0, -1))
    if are_rows(rows):
        return rows
    rows = [with_arrays(row, name_row(index, -1)) for index, row in enumerate(rows)]
    for index, row in enumerate(rows):
        if isinstance(row, str):
            other = next(i for i, entry in enumerate(rows) if not isinstance(entry, str))
            raise TypeError(
                f"{name_row(other, -1)} is {describe(rows[other])} but {name_row(index, -1)} is "
                "a string; expected all strings or all token sequences"
            )
        _check_sequence(row, name_row(index, -1))
    return rows


def _refuse_rows_of_text(rows: list[Any], name: str) -> None:
    """TypeError where all rows are a database's, against other rows or against tokens."""
    if rows and _is_row_of_text(rows[0]) and all(map(_is_row_of_text, rows)):
        kind, others = type(rows[0]).__name__, ", and so are all others" if len(rows) > 1 else ""
        raise TypeError(f"{name} is a {kind} of one string with white space in it{others}")


def _is_row_of_text(row: Any) -> bool:
    """Whether a row is one of a database: a tuple, or its like, of one string of several words."""
    if type(row) is list or not isinstance(row, Sequence) or isinstance(row, MutableSequence):
        return False
    return len(row) == 1 and isinstance(row[0], str) and len(row[0].split()) > 1


def _reference_lists(hypotheses: list[Any], references: list[Any]) -> list[Sequence[Any]]:
    """Each segment's references, where an entry may be one reference or a sequence of them.

    An entry holds several references if its first element is itself a list or an array. A tuple
    (or another hashable sequence) could be a reference or a token: it is a reference if all
    elements of the entry are sequences and no hypothesis has a sequence for a token. An empty
    entry is an empty reference, unless some other entry holds a sequence of references.
    """
    if are_plain(references) and all(references):
        first = {type(entry[0]) for entry in references}
        if first == {list}:
            return references
    references = _with_arrays(references)
    for index, entry in enumerate(references):
        if not (isinstance(entry, np.ndarray) and entry.ndim > 1):
            if isinstance(entry, str):
                raise TypeError(
                    f"references[{index}] is {describe(entry)}, expected a sequence of tokens as "
                    "in hypotheses"
                )
            _check_sequence(entry, f"references[{index}]")
            _check_elements(entry, f"references[{index}]")
    sequences_are_tokens = any(map(_starts_ambiguously, references)) and any(
        map(is_sequence, chain.from_iterable(hypotheses))
    )
    nested = [_nests(entry, sequences_are_tokens) for entry in references]
    empty_means_none = any(nested)
    return [
        list(entry) if nests or (empty_means_none and not len(entry)) else [entry]
        for entry, nests in zip(references, nested, strict=True)
    ]


def _check_elements(entry: Sequence[Any], name: str) -> None:
    """Refuse what has a hash, and would pass for a token, but holds tokens itself."""
    for place, element in enumerate(entry):
        if isinstance(element, (Iterator, Ragged)) or (
            hasattr(element, "__array__") and not isinstance(element, (np.ndarray, np.generic))
        ):
            raise TypeError(
                f"{name}[{place}] is {type(element).__name__}; expected a token, or a list or an "
                "integer array of tokens"
            )


def _starts_ambiguously(entry: Any) -> bool:
    """Whether the first element of references[i] could be both a reference and a token."""
    return len(entry) > 0 and is_sequence(entry[0]) and isinstance(entry[0], Hashable)


def _nests(entry: Any, sequences_are_tokens: bool) -> bool:
    """Whether references[i] is a sequence of references, not of tokens."""
    if isinstance(entry, np.ndarray):
        return entry.ndim > 1
    if _starts_ambiguously(entry):
        return not sequences_are_tokens and all(map(is_sequence, entry))
    return len(entry) > 0 and is_sequence(entry[0])


def _check_sequence(unit: Any, name: str) -> None:
    """A sequence of tokens, or an error that names it."""
    if not is_sequence(unit):
        raise TypeError(f"{name} is {describe(unit)}, expected a sequence of tokens")
    refuse_mask(unit, name)
    if isinstance(unit, np.ndarray) and unit.ndim != 1:
        raise ValueError(f"{name} is an array of {unit.ndim} dimensions, expected 1")
