"""What the user passed, made into checked and aligned segments.

Every TypeError and ValueError about hypotheses and references is raised here, naming the
argument and the segment.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.arrays import as_array, is_foreign, refuse_mask, with_arrays
from vecbleu.corpus import (
    Corpus,
    IdCorpus,
    ParallelReferences,
    ReferenceLists,
    is_id_row,
    segments_of,
)
from vecbleu.frames import align_columns, hypothesis_rows, is_column, reference_rows
from vecbleu.ragged import Ragged, int64_ids
from vecbleu.specials import NO_SPECIALS, Specials
from vecbleu.strings import StringCorpus

AnyCorpus = Corpus | IdCorpus | StringCorpus


def align(hypotheses: Any, references: Any, specials: Specials = NO_SPECIALS) -> AnyCorpus:
    """Check and align the two sides; the kind follows from what the hypotheses are."""
    corpus: AnyCorpus | None = None
    if is_column(hypotheses) and is_column(references):
        corpus = align_columns(hypotheses, references)
    if corpus is None:
        corpus = _align_rows(hypotheses, references)
    if not specials or not len(corpus):
        return corpus
    if not isinstance(corpus, IdCorpus):
        raise TypeError(
            "pad_id, eos_id and ignore_ids are for integer arrays; "
            f"{_side_without_ids(corpus)} holds others"
        )
    return replace(corpus, specials=specials)


def _side_without_ids(corpus: Corpus | StringCorpus) -> str:
    """Which of the arguments is to blame."""
    has_ids = isinstance(corpus, Corpus) and all(map(is_id_row, corpus.hypotheses))
    return "references" if has_ids else "hypotheses"


def _align_rows(hypotheses: Any, references: Any) -> Corpus | IdCorpus:
    """Check and align lists or ids."""
    rows = hypothesis_rows(hypotheses) if is_column(hypotheses) else _rows(hypotheses, "hypotheses")
    is_text = isinstance(rows, list) and bool(rows) and are_strings(rows)
    if is_column(references):
        others = reference_rows(references, is_text)
    else:
        others = _rows(references, "references")
    _check_lengths(rows, others)
    if isinstance(rows, list) and is_text:
        return _align_text(rows, others)
    return _align_sequences(rows, others)


def _rows(argument: Any, name: str) -> list[Any] | Ragged:
    """One side as a list with an entry a segment, or as ids."""
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
        return _array_rows(argument, name)
    try:
        return argument if isinstance(argument, list) else list(argument)
    except (TypeError, NotImplementedError):  # the latter by a memoryview of two dimensions
        raise TypeError(
            f"{name} is {_describe(argument)}; expected a list, one entry a segment"
        ) from None


def _array_rows(array: npt.NDArray[Any], name: str) -> list[Any] | Ragged:
    """The rows of an array."""
    refuse_mask(array, name)
    array = np.asarray(array)  # rows of a matrix are matrices
    if array.ndim == 0:
        raise TypeError(f"{name} is an array without dimensions; expected one entry a segment")
    if array.dtype.kind not in "iu":
        return list(array.tolist())
    if array.ndim == 1 and name == "hypotheses":
        raise TypeError(
            "hypotheses is one 1-D integer array, which is one segment; "
            "expected a list of arrays or a 2-D array"
        )
    return Ragged.from_padded(int64_ids(array, name)) if array.ndim == 2 else list(array)


def _check_ragged(ragged: Ragged, name: str) -> None:
    """Offsets that run from 0 to the end and never back; the kernel relies on it."""
    values, offsets = ragged.values, ragged.offsets
    if not isinstance(values, np.ndarray) or not isinstance(offsets, np.ndarray):
        raise TypeError(f"{name} is a Ragged of other than two 1-D int64 arrays")
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
    if references and all(_is_stream(entry, hypotheses) for entry in references):
        message += (
            "; references looks transposed ([reference][segment], sacreBLEU's streams): "
            "pass list(zip(*references))"
        )
    raise ValueError(message)


def _is_stream(entry: Any, hypotheses: list[Any] | Ragged) -> bool:
    """Whether an entry of references holds something like each of the hypotheses."""
    return (
        isinstance(entry, (list, tuple))
        and len(entry) == len(hypotheses) > 0
        and _is_sequence(entry[0]) == _is_sequence(hypotheses[0])
        and isinstance(entry[0], str) == isinstance(hypotheses[0], str)
    )


def _align_text(hypotheses: list[str], references: list[Any] | Ragged) -> Corpus:
    """Strings against strings: references[i] is one, or a sequence of them."""
    if isinstance(references, list) and are_strings(references):
        return Corpus("text", hypotheses, ParallelReferences([references]))
    lists = [_strings(entry, index) for index, entry in enumerate(references)]
    return Corpus("text", hypotheses, ReferenceLists(lists))


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


def _align_sequences(
    hypotheses: list[Any] | Ragged, references: list[Any] | Ragged
) -> Corpus | IdCorpus:
    """Token sequences or ids against the same."""
    if isinstance(hypotheses, Ragged) and isinstance(references, Ragged):
        return IdCorpus(hypotheses, references, np.arange(len(hypotheses) + 1))
    hypotheses = _rows_with_arrays(hypotheses, "hypotheses")
    references = _rows_with_arrays(references, "references")
    _check_hypotheses(hypotheses)
    lists = _reference_lists(hypotheses, references)
    if not _are_plain(chain.from_iterable(lists)) or not all(lists):
        for index, entry in enumerate(lists):
            _check_some(entry, index)
            for place, reference in enumerate(entry):
                _check_sequence(reference, f"references[{index}][{place}]")
    return segments_of(hypotheses, lists)


def _rows_with_arrays(rows: list[Any] | Ragged, name: str) -> list[Any]:
    """A list whose arrays of other libraries are NumPy's."""
    listed = list(rows)
    first = [type(row[0]) for row in listed[:1] if _are_plain(listed) and row]
    # Elements of what begins with strings are tokens.
    if first == [str] or (first == [list] and _are_plain(chain.from_iterable(listed))):
        return listed
    return [with_arrays(row, f"{name}[{place}]") for place, row in enumerate(listed)]


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
            _check_elements(entry, f"references[{index}]")
    sequences_are_tokens = any(map(_starts_ambiguously, references)) and any(
        map(_is_sequence, chain.from_iterable(hypotheses))
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
    refuse_mask(unit, name)
    if isinstance(unit, np.ndarray) and unit.ndim != 1:
        raise ValueError(f"{name} is an array of {unit.ndim} dimensions, expected 1")


def are_strings(values: Iterable[Any]) -> bool:
    """Whether all are str; asking for the set of types costs a third of asking every value."""
    return all(issubclass(kind, str) for kind in set(map(type, values)))


def _are_plain(values: Iterable[Any]) -> bool:
    """Whether all are lists or tuples, which need no further check."""
    return set(map(type, values)) <= {list, tuple}


def _is_sequence(value: Any) -> bool:
    """Whether a value can be a sequence of tokens or references; strings and bytes are not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(
        value, (str, bytes, bytearray, memoryview)
    )


def _describe(value: Any) -> str:
    """A value's type, and its content if that is short."""
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 30 else type(value).__name__
