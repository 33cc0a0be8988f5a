"""What to pass instead, for errors: looked for only once something is known to be wrong.

Each piece of advice begins with "; " and ends with the values to pass, as they are written in a
program in which the arguments are variables of their own names.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.core.corpus.shared import PreparedReferences
from vecbleu.core.kernel.ragged import Ragged

# Tokens of one segment are few and short; longer ones are segments in a script without spaces.
_MOST_TOKENS = 200
_LONGEST_TOKEN = 30

_SIDES = "hypotheses", "references"
SWAP = "; if references came first, as in NLTK, swap the two arguments"
_CALL_FOR_FILES = "; for files call vecbleu.file_statistics(hypotheses, references)"


def for_columns(error: Exception, arguments: Mapping[str, Any]) -> None:
    """Raise an error again where its advice goes through Arrow's columns, which hold no str."""
    message = str(error)
    for name, argument in arguments.items():
        if hasattr(argument, "to_pylist"):
            message = re.sub(rf"( in |\*){name}(?=[\])])", rf"\1{name}.to_pylist()", message)
    if message != str(error):
        raise type(error)(message) from None


def for_rows_of_text(name: str, has_tokens: bool) -> str:
    """Rows of a database, each a tuple of one string; or tokens with white space in them."""
    text = _for_each("one[0].split()" if has_tokens else "one[0]", name)
    tokens = _for_each("list(one)", name).removeprefix("; pass ")
    return f"{text}; for segments of one token each, {tokens}"


def for_single(value: Any, name: str) -> str:
    """What stands for a list of segments in place of a single value."""
    if "[" in name:  # of several lists, such as systems: which one was meant is not known
        return ""
    if isinstance(value, str):
        return f"; pass [{name}]"
    if isinstance(value, (bytes, bytearray)):
        return f"; pass [{name}.decode()]"
    if isinstance(value, os.PathLike):
        return _CALL_FOR_FILES
    if isinstance(value, Mapping):
        key = next((key for key, one in value.items() if _is_list(one)), None)
        return f"; pass [*{name}.values()]" if key is None else f"; pass {name}[{key!r}]"
    if isinstance(value, AbstractSet):
        return "; a set has no order"
    if isinstance(value, PreparedReferences):
        return "; pass the references that it was made of"
    return ""


def for_one_segment(hypothesis: str, references: Any) -> str:
    """The two sides where hypotheses is a single string."""
    for_files = _CALL_FOR_FILES if os.path.isfile(hypothesis) else ""
    return f"; pass {_of_one_segment(references, 0) or '[hypotheses]'}{for_files}"


def for_one_row(name: str) -> str:
    """The ids of one segment in place of several segments'."""
    if "['" in name:  # of a dict of arrays
        return ""
    return _for_each("[one]", name) if "[" in name else f"; pass [{name}]"


def for_entry(value: Any, name: str) -> str:
    """What stands for a list one of whose entries can be no unit."""
    argument = name.partition("[")[0]
    if "['" in name:  # of a dict of lists
        return ""
    if isinstance(value, (bytes, bytearray)):
        return _for_each("one.decode()", name)
    if isinstance(value, Mapping):
        key = next((key for key, one in value.items() if isinstance(one, (str, list))), None)
        return "" if key is None else _for_each(f"one[{key!r}]", name)
    if isinstance(value, (Iterator, AbstractSet)):
        return _for_each("[*one]", name)
    if isinstance(value, os.PathLike):
        return _CALL_FOR_FILES
    if _is_integer(value) and name.count("[") == 1:
        return f"; if {argument} is one segment, pass [{argument}]"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return _for_missing(value, name)
    return ""


def for_scores_of_tokens(array: npt.NDArray[Any], name: str) -> str:
    """The best token of each place, where an array holds scores of all of them."""
    return f"; pass {name}.argmax(-1)" if array.ndim == 3 and array.dtype.kind == "f" else ""


def for_text_against_tokens(hypotheses: Sequence[Any], references: Sequence[Any]) -> str:
    """Strings as references where hypotheses holds token sequences, or what looks like these."""
    if not all(isinstance(entry, str) for entry in references):
        return ""
    tokens = [token for token in hypotheses[0] if isinstance(token, str)]
    if any(len(token.split()) > 1 for token in tokens):
        return SWAP
    return "; pass [one.split() for one in references]" if tokens else ""


def for_nested_hypotheses(hypotheses: Sequence[Any], references: Any) -> str:
    """Hypotheses that hold lists of token sequences, as references do."""
    if _depth(references) == 2:
        return SWAP
    if all(len(entry) == 1 for entry in hypotheses):
        return "; pass [tokens for [tokens] in hypotheses]"
    return "; hypotheses[0] is the tokens of one segment"


def for_lengths(hypotheses: Any, references: Any, rows: Any, others: Any) -> str:
    """Two sides of different lengths; the arguments, and what was read from them."""
    for name, argument, read in zip(_SIDES, (hypotheses, references), (rows, others), strict=True):
        if isinstance(argument, Iterator) and not len(read):
            kind = type(argument).__name__
            return f"; nothing was left in the {kind} {name}, which is read once: make a list first"
    if not len(rows) or not len(others):
        return ""
    of_one = _of_one_segment(references, 1)
    if all(map(_is_integer, rows)):
        return f"; if hypotheses is the ids of one segment, pass {of_one}" if of_one else ""
    unit = _depth(rows[0])
    if _are_streams(rows, others):
        found = (
            "; references looks transposed ([reference][segment], sacreBLEU's streams): "
            "pass list(zip(*references))"
        )
    elif isinstance(others, Ragged) or _depth(others[0]) != unit:
        found = _for_other_units(rows, others, unit)
    else:
        found = _for_flat(len(rows), references, len(others))
    if of_one and _are_tokens_of_one(rows) and _are_words(others):
        found += f"; if hypotheses is the tokens of one segment, pass {of_one}"
    return found


def _are_streams(hypotheses: Any, references: Any) -> bool:
    """Whether each entry of references holds something like each of the hypotheses."""
    unit = _depth(hypotheses[0])
    return all(
        isinstance(entry, (list, tuple))
        and len(entry) == len(hypotheses)
        and _depth(entry[0]) == unit
        and isinstance(entry[0], str) == isinstance(hypotheses[0], str)
        for entry in references
    )


def _for_other_units(hypotheses: Any, references: Any, unit: int) -> str:
    """Entries of references that are no single references."""
    if unit == 1 and len(hypotheses) == 1 and all(map(_is_integer, references)):
        return "; pass [references]"
    if unit == 1 and all(isinstance(entry, str) for entry in references) and _are_words(references):
        own = "; pass [references]" if len(hypotheses) == 1 else ""
        return f"{own}{SWAP} and put each in a list"
    return ""


def _for_flat(segments: int, argument: Any, references: int) -> str:
    """A list of single references, of another length than hypotheses."""
    if segments == 1:
        return f"; if all are references of this segment, pass {_in_list(argument)}"
    several, left = divmod(references, segments)
    if several > 1 and not left and _is_list(argument):
        parts = f"[references[i:i + {several}] for i in range(0, {references}, {several})]"
        return f"; if {several} in a row belong to each segment, pass {parts}"
    several, left = divmod(segments, references)
    if several > 1 and not left and _is_list(argument):
        parts = f"[one for one in references for _ in range({several})]"
        return (
            f"; if each belongs to {several} segments in a row, pass {parts}; if all belong to "
            "every segment, pass vecbleu.SharedReferences(references)"
        )
    return ""


def _of_one_segment(references: Any, unit: int) -> str:
    """Both sides of one segment in lists; units are nested so deep. Nothing for several's lists."""
    if _depth(references) < unit + 2:
        return f"[hypotheses], {_in_list(references)}"
    if len(references) == 1:
        return "[hypotheses], references"
    if all(_is_list(entry) and len(entry) == 1 for entry in references):  # streams
        return "[hypotheses], list(zip(*references))"
    return ""


def _in_list(references: Any) -> str:
    """References as those of one segment; columns are lists of references, not references."""
    methods = [one for one in ("to_list", "to_pylist") if hasattr(references, one)]
    return f"[references.{methods[0]}()]" if methods else "[references]"


def _are_tokens_of_one(hypotheses: Any) -> bool:
    """Whether hypotheses might be the tokens of one segment."""
    return (
        1 < len(hypotheses) <= _MOST_TOKENS
        and all(isinstance(one, str) and len(one) <= _LONGEST_TOKEN for one in hypotheses)
        and _are_words(hypotheses)
    )


def _are_words(values: Any, most: int = 4) -> bool:
    """Whether no string in lists, nested up to a depth, holds white space."""
    if isinstance(values, str):
        return len(values.split()) < 2
    if not most or not isinstance(values, (list, tuple)):
        return True
    return all(_are_words(value, most - 1) for value in values)


def _depth(value: Any, most: int = 4) -> int:
    """How deep the first elements of lists are nested, up to a depth; strings and numbers are 0."""
    if isinstance(value, np.ndarray):
        return value.ndim
    if not most or not _is_list(value):
        return 0
    return 1 + (_depth(value[0], most - 1) if len(value) else 0)


def _is_list(value: Any) -> bool:
    """Whether a value is a list or array of segments, references or tokens."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _for_each(expression: str, name: str) -> str:
    """The same for each entry, or for each reference of each."""
    argument = name.partition("[")[0]
    if name.count("[") == 1:
        return f"; pass [{expression} for one in {argument}]"
    return f"; pass [[{expression} for one in entry] for entry in {argument}]"


def _for_missing(value: Any, name: str) -> str:
    """A value that is missing, which is not for this package to replace."""
    if name.count("[") == 1:
        return '; a segment without one is left out on both sides, or has ""'
    condition = "one is not None" if value is None else "one == one"
    return f"; pass [[one for one in entry if {condition}] for entry in references]"


def _is_integer(value: Any) -> bool:
    """Whether a value is an integer, which an id would be."""
    return isinstance(value, (int, np.integer))
