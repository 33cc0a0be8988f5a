"""Lists of references, looked at by passes that run no Python code for a segment.

Nothing that the garbage collector follows is allocated for a segment: a million new lists would
have it go through all that the program holds.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core.corpus.references import ParallelReferences, ReferenceLists, References
from vecbleu.core.inputs.values import are_rows, are_string_types, are_strings

# Entries that stay in the cache from one pass to the next: passes over 200,000 of them take half as
# long again.
_PIECE = 1 << 10


class Nested(NamedTuple):
    """The references of all segments, and the types that they have."""

    references: References
    kinds: set[type]


def nested(entries: list[Any]) -> Nested | None:
    """Read entries that are all lists, tuples or 1-D arrays, none of them empty; else None.

    Where each has one reference, these are put into one list: otherwise every block would look at
    the entries again, which takes as long as this.
    """
    single: list[Any] = []
    kinds: set[type] = set()
    for start in range(0, len(entries), _PIECE):
        piece = entries[start : start + _PIECE]
        if not are_rows(piece) or not all(map(len, piece)):
            return None
        units = [*chain.from_iterable(piece)]
        kinds.update(map(type, units))
        if len(units) == len(piece):
            single += units
    if len(single) == len(entries):
        return Nested(ParallelReferences([single]), kinds)
    return Nested(ReferenceLists(entries), kinds)


def string_references(entries: list[Any]) -> References | None:
    """References whose entries are strings, or such rows of strings; None if one is not."""
    found = nested(entries)  # first: it ends at once where entries are strings
    if found is None:
        if are_strings(entries):
            return ParallelReferences([entries])
        found = nested([(entry,) if isinstance(entry, str) else entry for entry in entries])
    return found.references if found and are_string_types(found.kinds) else None


def string_columns(array: Any, segments: int) -> ParallelReferences | None:
    """Streams of an array of strings (segments, references); None if it is something else."""
    if type(array) is not np.ndarray or array.ndim != 2 or len(array) != segments:
        return None
    if array.dtype.kind not in "OU":
        return None
    columns = array.T.tolist()
    is_text = bool(columns) and are_strings(chain.from_iterable(columns))
    return ParallelReferences(columns) if is_text else None
