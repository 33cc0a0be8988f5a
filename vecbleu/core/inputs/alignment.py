"""Both sides, checked and aligned: text, token sequences, ids or columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus.columns import ColumnCorpus
from vecbleu.core.corpus.ids import IdCorpus, is_id_row
from vecbleu.core.corpus.lists import ListCorpus, TextCorpus, TokenCorpus
from vecbleu.core.corpus.references import ReferenceLists
from vecbleu.core.inputs.arrays import as_array, is_foreign, refuse_mask
from vecbleu.core.inputs.columns import align_columns, hypothesis_rows, is_column, reference_rows
from vecbleu.core.inputs.frames import refuse_frame
from vecbleu.core.inputs.nested import string_columns, string_references
from vecbleu.core.inputs.sequences import align_sequences
from vecbleu.core.inputs.values import are_strings, check_some, describe, is_sequence
from vecbleu.core.kernel.ragged import Ragged, int64_ids
from vecbleu.core.options import NO_SPECIAL_IDS, SpecialIds
from vecbleu.core.records import replace

AlignedCorpus = TextCorpus | TokenCorpus | IdCorpus | ColumnCorpus


def align(
    hypotheses: Any, references: Any, special_ids: SpecialIds = NO_SPECIAL_IDS
) -> AlignedCorpus:
    """Check and align the two sides; the kind follows from what the hypotheses are."""
    refuse_frame(hypotheses, "hypotheses")
    refuse_frame(references, "references")
    corpus: AlignedCorpus | None = None
    if is_column(hypotheses) and is_column(references):
        corpus = align_columns(hypotheses, references)
    if corpus is None:
        corpus = _align_rows(hypotheses, references)
    if not special_ids or not len(corpus):
        return corpus
    if not isinstance(corpus, IdCorpus):
        raise TypeError(
            "pad_id, eos_id and ignore_ids are for integer arrays; "
            f"{_side_without_ids(corpus)} holds others"
        )
    return replace(corpus, special_ids=special_ids)


def _side_without_ids(corpus: ListCorpus | ColumnCorpus) -> str:
    """Which of the arguments is to blame."""
    has_ids = isinstance(corpus, ListCorpus) and all(map(is_id_row, corpus.hypotheses))
    return "references" if has_ids else "hypotheses"


def _align_rows(hypotheses: Any, references: Any) -> TextCorpus | TokenCorpus | IdCorpus:
    """Check and align lists or ids."""
    rows = hypothesis_rows(hypotheses) if is_column(hypotheses) else _rows(hypotheses, "hypotheses")
    text: list[str] = rows if isinstance(rows, list) and are_strings(rows) else []
    if text and (columns := string_columns(references, len(text))):
        return TextCorpus(text, columns)
    if is_column(references):
        others = reference_rows(references, of_text=bool(text))
    else:
        others = _rows(references, "references")
    _check_lengths(rows, others)
    if text:
        return _align_text(text, others)
    return align_sequences(rows, others)


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
            f"{name} is {describe(argument)}; expected a list, one entry a segment"
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
    for array in (values, offsets):
        if not isinstance(array, np.ndarray) or array.dtype != np.int64 or array.ndim != 1:
            raise TypeError(f"{name} is a Ragged of other than two 1-D int64 arrays")
    ends = offsets[[0, -1]].tolist() if len(offsets) else []
    if ends != [0, len(values)] or (np.diff(offsets) < 0).any():
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
        and is_sequence(entry[0]) == is_sequence(hypotheses[0])
        and isinstance(entry[0], str) == isinstance(hypotheses[0], str)
    )


def _align_text(hypotheses: list[str], references: list[Any] | Ragged) -> TextCorpus:
    """Strings against strings: references[i] is one, or a sequence of them."""
    found = string_references(references) if isinstance(references, list) else None
    if found is None:
        found = ReferenceLists([_strings(entry, index) for index, entry in enumerate(references)])
    return TextCorpus(hypotheses, found)


def _strings(entry: Any, index: int) -> Sequence[str]:
    """The references of one segment of strings."""
    if isinstance(entry, str):
        return (entry,)
    if not is_sequence(entry):
        raise TypeError(
            f"references[{index}] is {describe(entry)}; "
            "hypotheses holds strings, expected a string or a list of strings"
        )
    check_some(entry, index)
    for place, reference in enumerate(entry):
        if not isinstance(reference, str):
            raise TypeError(
                f"references[{index}][{place}] is {describe(reference)}, expected a string "
                "as in hypotheses"
            )
    return list(entry)
