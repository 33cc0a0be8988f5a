"""The call to write instead, for the mistakes that people make most.

It is looked for once something is known to be wrong, and stands behind the error's own message.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np

# Tokens of one segment are few and short; longer ones are segments in a script without spaces.
_MOST_TOKENS, _LONGEST_TOKEN = 200, 30

Side = Callable[[Any], bool]
Pair = Callable[[Any, Any], bool]


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _all(value: Any, holds: Side) -> bool:
    """Whether a value is a list that is not empty, all of whose entries are of a kind."""
    return _is_list(value) and len(value) > 0 and all(map(holds, value))


def _any(value: Any, holds: Side) -> bool:
    return _is_list(value) and any(map(holds, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_path(value: Any) -> bool:
    return isinstance(value, os.PathLike) or (_is_text(value) and os.path.isfile(value))


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _is_word(value: Any) -> bool:
    return _is_text(value) and len(value) <= _LONGEST_TOKEN and len(value.split()) < 2


def _is_id(value: Any) -> bool:
    return isinstance(value, (int, np.integer))


def _is_segment(value: Any) -> bool:
    """Whether a value looks like the tokens, or the ids, of one segment."""
    return _all(value, _is_id) or (len(value) <= _MOST_TOKENS and _all(value, _is_word))


def _is_row(value: Any) -> bool:
    """Whether a value looks like a row of a database: a tuple, or its like, of one text."""
    is_row = not isinstance(value, (list, str)) and hasattr(value, "__len__")
    return is_row and len(value) == 1 and _is_text(value[0]) and len(value[0].split()) > 1


def _depth(value: Any) -> int:
    return 1 + (_depth(value[0]) if len(value) else 0) if _is_list(value) else 0


def _are_words(value: Any) -> bool:
    """Whether lists, however deep, hold words or ids."""
    return all(map(_are_words, value)) if _is_list(value) else _is_word(value) or _is_id(value)


def _are_lines(value: Any) -> bool:
    return _all(value, _is_text) and not _are_words(value)


def _are_streams(hypotheses: Any, references: Any) -> bool:
    def is_stream(entry: Any) -> bool:
        return _is_list(entry) and len(entry) == len(hypotheses)

    same_units = _is_list(hypotheses) and _depth(references) == 1 + _depth(hypotheses)
    return same_units and len(references) != len(hypotheses) and _all(references, is_stream)


def _are_end_to_end(hypotheses: Any, references: Any) -> bool:
    """Whether the same number of references might belong to each hypothesis in turn."""
    several, left = divmod(len(references), len(hypotheses))
    return _is_list(references) and several > 1 and not left and _all(references, _is_text)


def _is_nltks_order(hypotheses: Any, references: Any) -> bool:
    """Whether references came first: lists of token sequences, or several against one."""
    if _all(hypotheses, _is_list) and _all(references, _is_text):
        return not _any(hypotheses, _is_row)
    return (
        _is_list(references)
        and _depth(hypotheses) == 1 + _depth(references)
        and (_all(references, _is_list) or len(references) != len(hypotheses))
    )


_ONE_SEGMENT = "if hypotheses is one segment, pass [hypotheses], [references]"
_TRANSPOSED = (
    "references looks transposed ([reference][segment], sacreBLEU's streams): "
    "pass list(zip(*references))"
)

# Of both sides; the first that applies is told.
PAIRS: list[tuple[Pair, str]] = [
    (
        lambda h, r: _is_path(h) or _any(h, _is_path) or _is_path(r),
        "for files call vecbleu.file_statistics(hypotheses, references)",
    ),
    (lambda h, r: getattr(h, "ndim", 0) == 3, "of scores of tokens, pass hypotheses.argmax(-1)"),
    (
        lambda h, r: isinstance(h, Iterator) or isinstance(r, Iterator),
        "an iterator is read once: make a list first",
    ),
    (
        lambda h, r: _is_text(h) and _all(r, lambda one: _is_list(one) and len(one) == 1),
        "pass [hypotheses], list(zip(*references))",
    ),
    (lambda h, r: _is_text(h) and _depth(r) < 2, "pass [hypotheses], [references]"),
    (lambda h, r: _is_text(h), "pass [hypotheses], references"),
    (
        lambda h, r: _is_segment(h) and _are_words(r) and _are_streams(h, r),
        f"{_ONE_SEGMENT}; {_TRANSPOSED}",
    ),
    (
        lambda h, r: len(h) != len(r) and _is_segment(h) and _depth(r) < 3 and _are_words(r),
        _ONE_SEGMENT,
    ),
    (_are_streams, _TRANSPOSED),
    (
        lambda h, r: _all(h, _is_list) and _are_words(h) and _are_lines(r) and not _any(h, _is_row),
        "pass [one.split() for one in references]",
    ),
    (
        _is_nltks_order,
        "if references came first, as in NLTK, swap the two arguments",
    ),
    (
        lambda h, r: _is_list(h) and len(h) == 1 and _is_list(r) and len(r) > 1,
        "if all are references of this segment, pass [references]",
    ),
    (
        lambda h, r: _is_list(h) and _is_list(r) and 0 < len(r) < len(h),
        "if all references belong to every segment, pass vecbleu.SharedReferences(references)",
    ),
    (
        _are_end_to_end,
        "if several in a row belong to each segment, pass [references[i:i + n] for i in "
        "range(0, len(references), n)]",
    ),
]

# Of one side, whose name is put in.
SIDES: list[tuple[Side, str]] = [
    (_is_text, "pass [{0}]"),
    (
        lambda side: isinstance(side, Mapping),
        "pass one of its values, or [*{0}.values()]",
    ),
    (lambda side: isinstance(side, AbstractSet), "a set has no order"),
    (lambda side: _any(side, _is_missing), 'leave such a segment out on both sides, or pass ""'),
    (
        lambda side: _any(side, lambda one: isinstance(one, (bytes, bytearray))),
        "pass [one.decode() for one in {0}]",
    ),
    (
        lambda side: _any(side, lambda one: isinstance(one, Mapping)),
        "pass the text of each, such as [one['text'] for one in {0}]",
    ),
    (
        lambda side: _any(side, lambda one: isinstance(one, (Iterator, AbstractSet))),
        "pass [[*one] for one in {0}]",
    ),
    (lambda side: _any(side, _is_row), "pass [one[0] for one in {0}]"),
    (
        lambda side: _all(side, _is_id),
        "if it is one segment, pass [{0}]",
    ),
]


def _listed(side: Any) -> Any:
    """A column or an array of another library as a list."""
    for method in ("to_pylist", "to_list", "tolist"):
        if not isinstance(side, np.ndarray) and callable(getattr(side, method, None)):
            with suppress(Exception):  # advice hides no error
                return getattr(side, method)()
    return side


def _holds(is_so: Callable[..., bool], *sides: Any) -> bool:
    """Whether a mistake was made; what can't even be asked hides no error."""
    try:
        return bool(is_so(*sides))  # of Spark's columns it is a column, which has no truth value
    except Exception:
        return False


def raise_with_advice(error: Exception, **sides: Any) -> NoReturn:
    """Raise an error again, with the call to write instead if its mistake is a common one."""
    message = str(error)
    if type(error) not in (TypeError, ValueError) or "; pass " in message:
        raise error
    found: list[str] = []
    sides = {name: _listed(side) for name, side in sides.items()}
    if len(sides) == 2:
        found = [text for is_so, text in PAIRS if _holds(is_so, *sides.values())][:1]
    for name, side in [] if found else sides.items():
        found += [text.format(name) for is_so, text in SIDES if _holds(is_so, side)][:1]
    if not found:
        raise error
    raise type(error)(f"{message}; {'; '.join(found)}") from None
