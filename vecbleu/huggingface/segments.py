"""What the user passed, made into checked segments of text or of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.corpus import Corpus, ReferenceLists
from vecbleu.inputs import are_strings, complete_values, is_column, reference_rows
from vecbleu.ragged import Int64

Tokenizer = Callable[[str], Sequence[Any]]


def align(predictions: Any, references: Any, tokenizer: Tokenizer | None) -> tuple[Corpus, Int64]:
    """Checked segments as text or as tokens, and how many references each has (segments,)."""
    if tokenizer is not None and not callable(tokenizer):
        raise TypeError(
            f"tokenizer is {tokenizer!r}, expected a callable from a string to a list of tokens"
        )
    hypotheses = _as_list(predictions, "predictions")
    listed = _as_list(references, "references")
    if len(hypotheses) != len(listed):
        raise ValueError(
            f"predictions has {len(hypotheses)} segments but references has {len(listed)}"
        )
    _check_predictions(hypotheses)
    lists = _reference_lists(listed)
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    if tokenizer is None:
        strings, *lists = _unstripped([hypotheses, *lists])
        return Corpus("text", strings, ReferenceLists(lists), _name), counts
    # References first, as `evaluate` does, should the tokenizer learn from what it sees.
    tokens = [
        [_tokens(tokenizer, string, _name(index, place)) for place, string in enumerate(entry)]
        for index, entry in enumerate(lists)
    ]
    units = [_tokens(tokenizer, string, _name(i, -1)) for i, string in enumerate(hypotheses)]
    return Corpus("tokens", units, ReferenceLists(tokens), _name), counts


def _name(segment: int, reference: int) -> str:
    """Name a unit as the user knows it."""
    return f"predictions[{segment}]" if reference < 0 else f"references[{segment}][{reference}]"


def _as_list(argument: Any, name: str) -> list[Any]:
    """One side as a list, an entry a segment."""
    if is_column(argument):
        if name == "references":
            return list(reference_rows(argument, of_text=True))
        return complete_values(argument, name)
    if isinstance(argument, (str, bytes, bytearray, Mapping, AbstractSet)):
        raise TypeError(f"{name} is a single {type(argument).__name__}; expected a list of strings")
    try:
        return argument if isinstance(argument, list) else list(argument)
    except TypeError:
        raise TypeError(
            f"{name} is {type(argument).__name__}; expected a list of strings"
        ) from None


def _check_predictions(predictions: list[Any]) -> None:
    """Strings, or an error that names the first that is none."""
    if not are_strings(predictions):
        at = next(i for i, entry in enumerate(predictions) if not isinstance(entry, str))
        found = type(predictions[at]).__name__
        raise TypeError(f"predictions[{at}] is {found}, expected a string")


def _reference_lists(references: list[Any]) -> list[Sequence[str]]:
    """The references of every segment, at least one, as strings."""
    if are_strings(references):
        return [[reference] for reference in references]
    lists = [[entry] if isinstance(entry, str) else entry for entry in references]
    for index, entry in enumerate(lists):
        if isinstance(entry, bytes) or not isinstance(entry, (Sequence, np.ndarray)):
            raise TypeError(
                f"references[{index}] is {type(entry).__name__}, "
                "expected a string or a list of strings"
            )
        if not len(entry):
            raise ValueError(f"references[{index}] is empty: prediction {index} has 0 references")
    if not are_strings(chain.from_iterable(lists)):
        for index, entry in enumerate(lists):
            for place, reference in enumerate(entry):
                if not isinstance(reference, str):
                    found = type(reference).__name__
                    raise TypeError(f"references[{index}][{place}] is {found}, expected a string")
    return lists


def _unstripped(lists: list[Sequence[str]]) -> list[Sequence[str]]:
    """Keep newlines at the end, with the hyphen before, from being stripped as sacreBLEU does.

    What 13a deletes is put behind them; nothing else changes by that.
    """
    if not any(map(_has_hyphenation, chain.from_iterable(lists))):
        return lists
    return [
        [string + "<skipped>" if _has_hyphenation(string) else string for string in strings]
        for strings in lists
    ]


def _has_hyphenation(string: str) -> bool:
    """Whether 13a joins lines in a string."""
    return "-\n" in string.replace("<skipped>", "")


def _tokens(tokenizer: Tokenizer, string: str, name: str) -> Sequence[Any]:
    """What the user's tokenizer makes of a string."""
    tokens = tokenizer(string)
    if not isinstance(tokens, (Sequence, np.ndarray)):
        raise TypeError(
            f"{name}: tokenizer returned {type(tokens).__name__}, expected a list of tokens"
        )
    return tokens
