"""Tables, cursors, and what is still to be computed: none is read; errors say what to pass instead.

They are recognized by what their classes can do; no library is imported for that. Iterating over
them gives the names of columns, or computes the whole unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

# What computes a lazy frame, the first that it has: Spark's, Ibis', DuckDB's, Polars', Arrow's.
_METHODS = ["toPandas", "to_pandas", "to_arrow_table", "fetch_arrow_table", "df", "collect"]
_METHODS += ["read_all", "to_table"]
# What only frames have that are still to be computed.
_OF_LAZY_FRAMES = ["collect", "execute", "fetchall"]


def refuse_frame(argument: Any, name: str) -> None:
    """TypeError for a table, or a lazy frame, column, bag or array."""
    if isinstance(argument, (list, tuple, np.ndarray, Sequence)):  # the common ones in less time
        return  # whatever else a sequence can do, it has a length and holds its items
    kind = type(argument)
    has_columns = any(_has_property(kind, one) for one in ("columns", "column_names"))
    is_table = has_columns and getattr(argument, "ndim", 2) != 1  # Dask's series has both
    is_table = is_table or hasattr(kind, "fetchall") or _is_reader(kind)
    column = f"[{_column_of(argument)}]" if is_table else ""
    call = _call_to_compute(argument, column)
    library = kind.__module__.partition(".")[0].lstrip("_")
    if call:
        raise TypeError(
            f"{name} is {library}'s {kind.__name__}, which is still to be computed; "
            f"pass {name}{call}"
        )
    if hasattr(kind, "fetchall"):
        raise TypeError(
            f"{name} is {library}'s {kind.__name__}, whose rows are tuples; "
            f"pass [row[0] for row in {name}]"
        )
    if library == "polars" and kind.__name__ == "Expr":
        raise TypeError(
            f"{name} is polars's Expr, which holds no rows; pass frame.select({name}).to_series()"
        )
    if is_table:
        is_several = name == "references" and library == "pandas" and argument.shape[1] > 1
        rows = f", or for a column each reference {name}.values.tolist()" if is_several else ""
        raise TypeError(
            f"{name} is a table ({kind.__name__}); pass one of its columns: {name}{column}{rows}"
        )


def refuse_tables(value: Any, name: str) -> None:
    """TypeError for a table in a list, as the batches of one that is read by parts are."""
    kind = type(value)
    if not any(_has_property(kind, one) for one in ("columns", "column_names")):
        return
    argument, several, _ = name.partition("[")
    column = f"table[{_column_of(value)}]" + (".to_pylist()" if hasattr(kind, "to_pylist") else "")
    advice = f"[one for table in {argument} for one in {column}]" if several else column
    raise TypeError(f"{name} is a table ({kind.__name__}); pass {advice}")


def _column_of(table: Any) -> str:
    """The name of a table's only column, if that is known without a computation."""
    is_lazy = any(hasattr(type(table), one) for one in ("collect", "execute", "__dask_graph__"))
    names = getattr(table, "column_names", getattr(table, "columns", None)) if not is_lazy else None
    known = [*names] if isinstance(names, Iterable) else []
    if len(known) != 1:
        return '"column"'
    return f'"{known[0]}"' if repr(known[0]) == f"'{known[0]}'" else repr(known[0])


def _is_reader(kind: type) -> bool:
    """Whether values of a type are Arrow's tables or datasets that are still to be read."""
    is_stream = hasattr(kind, "read_all") and hasattr(kind, "__arrow_c_stream__")
    return is_stream or (hasattr(kind, "to_table") and hasattr(kind, "to_batches"))


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
    is_lazy = any(hasattr(kind, one) for one in _OF_LAZY_FRAMES) or _is_reader(kind)
    return f".{methods[0]}(){column}" if methods and is_lazy else ""
