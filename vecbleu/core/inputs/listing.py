"""List a column or an iterable whose order counts, for functions that take plain strings."""

from __future__ import annotations

from typing import Any

from vecbleu.core.inputs.alignment import listed_rows
from vecbleu.core.inputs.columns import complete_values, is_column
from vecbleu.core.inputs.mistakes import refuse_frame
from vecbleu.core.inputs.values import describe, is_sequence


def listed_values(values: Any, name: str) -> list[Any]:
    """Return a column or an ordered iterable as a list."""
    if isinstance(values, (list, tuple)):  # the usual types, in less time
        return [*values]
    refuse_frame(values, name)
    if is_column(values):
        return [*complete_values(values, name, alone=True)]
    return [*listed_rows(values, name)]


def listed_strings(values: Any, name: str, or_none: bool = False) -> list[Any]:
    """Return strings as a list, or strings and None; an error names the first other value."""
    rows = listed_values(values, name)
    kinds = (str, type(None)) if or_none else (str,)
    types = {*map(type, rows)}
    if not (types <= {*kinds} or all(issubclass(kind, kinds) for kind in types)):
        index, value = next(
            (at, value) for at, value in enumerate(rows) if not isinstance(value, kinds)
        )
        advice = "; join tokens by spaces, and pass tokenize='none'" if is_sequence(value) else ""
        raise TypeError(f"{name}[{index}] is {describe(value)}, expected a string{advice}")
    return rows
