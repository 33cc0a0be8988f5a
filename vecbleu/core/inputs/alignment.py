"""Both sides, checked and aligned: text, token sequences, ids or columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import TextCorpus, TokenCorpus
from vecbleu.core.corpus.references import ReferenceLists
from vecbleu.core.inputs.advice import raise_with_advice
from vecbleu.core.inputs.columns import align_columns, is_column, reference_rows
from vecbleu.core.inputs.frames import refuse_frame, refuse_tables
from vecbleu.core.inputs.nested import string_columns, string_references
from vecbleu.core.inputs.sequences import align_sequences
from vecbleu.core.inputs.types import AlignedCorpus, PreparedReferences, UnitCorpus
from vecbleu.core.inputs.units import align_units, listed_rows, unit_rows, with_special_ids
from vecbleu.core.inputs.values import are_strings, check_some, describe, is_sequence
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import NO_SPECIAL_IDS, SpecialIds


def align(
    hypotheses: Any, references: Any, special_ids: SpecialIds = NO_SPECIAL_IDS
) -> AlignedCorpus:
    """Check and align the two sides; the kind follows from what the hypotheses are."""
    try:
        return _align_sides(hypotheses, references, special_ids)
    except (TypeError, ValueError) as error:
        raise_with_advice(error, hypotheses=hypotheses, references=references)


def _align_sides(hypotheses: Any, references: Any, special_ids: SpecialIds) -> AlignedCorpus:
    """Check and align the two sides."""
    refuse_frame(hypotheses, "hypotheses")
    refuse_frame(references, "references")
    if isinstance(references, PreparedReferences):
        return references.with_hypotheses(align_units(hypotheses, "hypotheses", special_ids))
    corpus: UnitCorpus | None = None
    if is_column(hypotheses) and is_column(references):
        corpus = align_columns(hypotheses, references)
    if corpus is None:
        corpus = _align_rows(hypotheses, references)
    return with_special_ids(corpus, special_ids, "hypotheses")


def _align_rows(hypotheses: Any, references: Any) -> TextCorpus | TokenCorpus | IdCorpus:
    """Check and align lists or ids."""
    if isinstance(hypotheses, str):
        raise TypeError("hypotheses is a single str; expected a list, one entry a segment")
    rows = unit_rows(hypotheses, "hypotheses")
    text: list[str] = rows if isinstance(rows, list) and are_strings(rows) else []
    if text and (columns := string_columns(references, len(text))):
        return TextCorpus(text, columns)
    if is_column(references):
        others = reference_rows(references, of_text=bool(text))
    else:
        others = listed_rows(references, "references")
    if len(rows) != len(others):
        for name, side in (("hypotheses", rows), ("references", others)):
            if len(side):
                refuse_tables(side[0], f"{name}[0]")
        raise ValueError(f"hypotheses has {len(rows)} segments but references has {len(others)}")
    if text:
        return _align_text(text, others)
    return align_sequences(rows, others)


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
        refuse_tables(entry, f"references[{index}]")
        raise TypeError(
            f"references[{index}] is {describe(entry)}; "
            "hypotheses holds strings, expected a string or a list of strings"
        )
    check_some(entry, index)
    for place, reference in enumerate(entry):
        if not isinstance(reference, str):
            name = f"references[{index}][{place}]"
            raise TypeError(f"{name} is {describe(reference)}, expected a string as in hypotheses")
    return list(entry)
