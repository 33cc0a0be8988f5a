"""Checks what the user passed and aligns it, as text or as tokens of the user's tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.lists import TextCorpus, TokenCorpus
from vecbleu.core.corpus.references import NoReferences, ReferenceLists
from vecbleu.core.inputs import (
    are_strings,
    complete_values,
    is_column,
    reference_rows,
    refuse_frame,
)
from vecbleu.core.inputs.nested import string_references
from vecbleu.core.inputs.types import Column
from vecbleu.core.inputs.values import check_some, describe, is_sequence
from vecbleu.core.options import CountOptions, RefLength
from vecbleu.core.records import replace
from vecbleu.core.text.tokenizers import ByteTokenizer
from vecbleu.core.text.tokenizers.v13a import split_unstripped_13a, tokenize_unstripped_13a
from vecbleu.pairwise.shared import SharedCorpus, SharedReferences

Predictions = Iterable[str] | Column
PredictionReferences = (
    Iterable[str | Sequence[str] | npt.NDArray[np.str_]] | Column | SharedReferences
)
Tokens = Sequence[Hashable] | npt.NDArray[Any]
TokenizerFunction = Callable[[str], Tokens]

_DEFAULT = (None, "13a")  # `evaluate`'s copy of sacreBLEU's tokenizer


def evaluate_options(
    max_order: int, ref_length: RefLength = "closest", tokenizer: Any = None
) -> CountOptions:
    """How segments are counted; text is tokenized by its name, or by `evaluate`'s copy of 13a."""
    if isinstance(tokenizer, str) and tokenizer not in _DEFAULT:
        try:
            return CountOptions.checked(tokenizer, max_order=max_order, ref_length=ref_length)
        except ValueError as error:
            raise ValueError(f"tokenizer: {error}") from None
    options = CountOptions.checked(max_order=max_order, ref_length=ref_length)
    return replace(
        options, tokenize=ByteTokenizer("13a", tokenize_unstripped_13a, split_unstripped_13a)
    )


def align_predictions(
    predictions: Predictions,
    references: PredictionReferences,
    tokenizer: TokenizerFunction | str | None,
    may_lack: bool = False,
) -> tuple[TextCorpus | TokenCorpus, Int64]:
    """Checked segments as text or as tokens, and how many references each has (segments,).

    There is one at least, unless segments `may_lack` them.
    """
    if tokenizer is not None and not callable(tokenizer) and not isinstance(tokenizer, str):
        raise TypeError(
            f"tokenizer is {tokenizer!r}, expected a callable from a string to a list of tokens, "
            "or the name of a tokenizer"
        )
    hypotheses, entries = _aligned(predictions, references)
    strings = string_references(entries) or ReferenceLists(_checked_lists(entries, may_lack))
    counts = np.diff(strings.offsets())
    if tokenizer is None or isinstance(tokenizer, str):
        return TextCorpus(hypotheses, strings, _name_unit), counts
    # References first, as `evaluate` does, should the tokenizer learn from what it sees.
    tokens = [
        [_tokens(tokenizer, string, index, place) for place, string in enumerate(entry)]
        for index, entry in enumerate(_lists(entries))
    ]
    units = [_tokens(tokenizer, string, index, -1) for index, string in enumerate(hypotheses)]
    return TokenCorpus(units, ReferenceLists(tokens), _name_unit), counts


def _aligned(
    predictions: Predictions, references: PredictionReferences
) -> tuple[list[str], list[Any]]:
    """Checked predictions, and an entry of references for each."""
    hypotheses, entries = checked_predictions(predictions), _entries(references, "references")
    if len(hypotheses) != len(entries):
        raise ValueError(
            f"predictions has {len(hypotheses)} segments but references has {len(entries)}"
        )
    return hypotheses, entries


def checked_predictions(predictions: Predictions) -> list[str]:
    """Predictions as a list of strings."""
    strings = _entries(predictions, "predictions")
    _check_strings(strings, "predictions")
    return strings


def aligned_streams(
    predictions: Predictions, references: PredictionReferences
) -> tuple[list[str], list[Sequence[str]]]:
    """Checked predictions, and as many streams as each of them has references."""
    hypotheses, entries = _aligned(predictions, references)
    lists = _checked_lists(entries)
    for index, entry in enumerate(lists):
        if len(entry) != len(lists[0]):
            raise ValueError(
                f"references[{index}] has {len(entry)} references but references[0] has "
                f"{len(lists[0])}: sacrebleu takes as many for each prediction; "
                "vecbleu.corpus_bleu(predictions, references, smoothing='exp') takes any number"
            )
    return hypotheses, [*zip(*lists, strict=True)] if lists else [[]]


def align_shared(
    predictions: Predictions,
    references: SharedReferences,
    tokenizer: TokenizerFunction | str | None,
    options: CountOptions,
) -> tuple[SharedCorpus, CountOptions]:
    """Checked predictions with references that all of them share, and the options of both."""
    if not references.side.is_text:
        raise TypeError("references holds no strings; predictions are strings")
    hypotheses = checked_predictions(predictions)
    side = TextCorpus(hypotheses, NoReferences(len(hypotheses)), _name_unit)
    asked = CountOptions.checked(
        "13a" if tokenizer is None else tokenizer, max_order=options.max_order
    )
    references.check(asked)
    if tokenizer in _DEFAULT:  # `evaluate`'s copy of 13a is another in a detail
        return SharedReferences.of(references.side, options).with_hypotheses(side), options
    return references.with_hypotheses(side), replace(options, tokenize=asked.tokenize)


def _name_unit(segment: int, reference: int) -> str:
    """Name a unit as the user knows it; reference -1 is the prediction."""
    return f"predictions[{segment}]" if reference < 0 else f"references[{segment}][{reference}]"


def _entries(argument: Any, name: str) -> list[Any]:
    """One side as a list, an entry a segment."""
    refuse_frame(argument, name)
    if is_column(argument):
        if name == "references":
            return list(reference_rows(argument, of_text=True))
        return complete_values(argument, name)
    with suppress(TypeError, NotImplementedError):  # the latter by a memoryview of two dimensions
        if not isinstance(argument, (str, bytes, bytearray, Mapping, AbstractSet)):
            return argument if isinstance(argument, list) else list(argument)
    raise TypeError(f"{name} is {describe(argument)}; expected a list of strings")


def _lists(entries: list[Any]) -> list[Sequence[str]]:
    """The references of every segment, of which one may stand by itself."""
    return [[entry] if isinstance(entry, str) else entry for entry in entries]


def _checked_lists(entries: list[Any], may_lack: bool = False) -> list[Sequence[str]]:
    """The references of every segment, at least one unless they `may_lack` them, as strings."""
    lists = _lists(entries)
    for index, entry in enumerate(lists):
        name = f"references[{index}]"
        if not is_sequence(entry):
            raise TypeError(f"{name} is {describe(entry)}, expected a string or a list of strings")
        if not may_lack:
            check_some(entry, index)
        _check_strings(entry, name)
    return lists


def _check_strings(strings: Sequence[Any], name: str) -> None:
    """Strings, or an error that names the first that is none."""
    if not are_strings(strings):
        place = next(i for i, value in enumerate(strings) if not isinstance(value, str))
        raise TypeError(f"{name}[{place}] is {describe(strings[place])}, expected a string")


def _tokens(tokenizer: TokenizerFunction, string: str, segment: int, reference: int) -> Tokens:
    """What the user's tokenizer makes of a string."""
    tokens = tokenizer(string)
    if not isinstance(tokens, (Sequence, np.ndarray)):
        unit, found = _name_unit(segment, reference), type(tokens).__name__
        raise TypeError(f"{unit}: tokenizer returned {found}, expected a list of tokens")
    return tokens
