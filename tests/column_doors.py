"""The same rows as columns of every library that is installed."""

from __future__ import annotations

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

HYPOTHESES = ["the cat sat", "ünï 😀 codé", "", "two\nlines here", "a b c d e"] * 3
REFERENCES = ["the cat sat down", "ünï 😁 codé", "x", "two\nlines there", "a b c d"] * 3
LISTS = [[one] if place % 2 else [one, f"{one} z"] for place, one in enumerate(REFERENCES)]


def in_pieces(values):
    whole = pa.array(values)
    return pa.chunked_array([whole[:4], whole[4:4], whole[4:]], whole.type)


def sliced(values):
    return pa.array([values[-1], *values, values[0]])[1:-1]


def pandas(**options):
    return lambda values: pytest.importorskip("pandas").Series(values, **options)


def pandas_arrow(values):
    return pandas(dtype=pytest.importorskip("pandas").ArrowDtype(pa.array(values).type))(values)


def polars(values):
    return pytest.importorskip("polars").Series(values)


def dataset(values):
    return pytest.importorskip("datasets").Dataset.from_dict({"own": values})["own"]


def dataset_in_another_order(values):
    made = pytest.importorskip("datasets").Dataset.from_dict({"own": values[::-1]})
    return made.select(range(len(values))[::-1])["own"]


DOORS = {
    "array": pa.array,
    "pieces": in_pieces,
    "slice": sliced,
    "pandas": pandas(),
    "pandas of objects": pandas(dtype=object),
    "pandas of Arrow": pandas_arrow,
    "Polars": polars,
    "dataset": dataset,
    "dataset in another order": dataset_in_another_order,
}
STRING_DOORS = DOORS | {
    "large strings": lambda values: pa.array(values, pa.large_string()),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "NumPy": lambda values: np.array(values, np.dtypes.StringDType()),
}
LIST_DOORS = DOORS | {
    "large lists": lambda values: pa.array(values, pa.large_list(pa.large_string())),
}
if hasattr(pa, "string_view"):
    STRING_DOORS["views"] = lambda values: pa.array(values, pa.string_view())
