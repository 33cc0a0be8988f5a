"""Tables, and what is still to be computed: neither is read; errors say what to pass instead.

They are recognized by what their classes can do; no library is imported for that. Iterating over
them gives the names of columns, or computes the whole unasked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# What computes a lazy frame, the first that it has: Spark's, Ibis', DuckDB's, Polars'.
_METHODS = ["toPandas", "to_pandas", "df", "collect"]


def refuse_frame(argument: Any, name: str) -> None:
    """TypeError for a table, or a lazy frame, column, bag or array."""
    if isinstance(argument, (list, tuple, np.ndarray, Sequence)):  # the common ones in less time
        return  # whatever else a sequence can do, it has a length and holds its items
    kind = type(argument)
    has_columns = any(_has_property(kind, one) for one in ("columns", "column_names"))
    is_table = has_columns and getattr(argument, "ndim", 2) != 1  # Dask's series has both
    call = _call_to_compute(argument, '["column"]' if is_table else "")
    if call:
        library = kind.__module__.partition(".")[0]
        raise TypeError(
            f"{name} is {library}'s {kind.__name__}, which is still to be computed; "
            f"pass {name}{call}"
        )
    if is_table:
        raise TypeError(f"{name} is a table ({kind.__name__}); pass one of its columns")


def _has_property(kind: type, name: str) -> bool:
    """Whether values of a type have an attribute that is no method."""
    return hasattr(kind, name) and not callable(getattr(kind, name))


def _call_to_compute(value: Any, column: str) -> str:
    """What computes a column of a lazy frame, or else the whole; nothing if it is not lazy."""
    kind = type(value)
    # Dask's protocol; other libraries have it for what can be lazy, and then there is no graph.
    if hasattr(kind, "__dask_graph__") and value.__dask_graph__() is not None:
        return f"{column}.compute()"
    methods = [one for one in _METHODS if hasattr(kind, one)]
    is_lazy = hasattr(kind, "collect") or (methods and hasattr(kind, "execute"))
    return f".{methods[0]}(){column}" if is_lazy else ""
