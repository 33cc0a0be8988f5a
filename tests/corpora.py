"""Small corpora, and the same rows as files and as columns of every library that is installed."""

from __future__ import annotations

import csv
import functools
import gzip

import numpy as np
import pytest

HYPOTHESES = ["the cat sat", "ünï 😀 codé", "", "two\nlines here", "a b c d e"] * 3
REFERENCES = ["the cat sat down", "ünï 😁 codé", "x", "two\nlines there", "a b c d"] * 3
LISTS = [[one] if place % 2 else [one, f"{one} z"] for place, one in enumerate(REFERENCES)]

WORDS = np.array(["the", "a", "cat", "dog", "sat", "on", "mat,", "of.", "3.5", "Ünï", "😀"])


def random_lines(seed, size, longest=25):
    """Lines of words, some of them empty."""
    rng = np.random.default_rng(seed)
    rows = [WORDS[rng.integers(0, len(WORDS), length)] for length in rng.integers(0, longest, size)]
    return [" ".join(row) for row in rows]


def noisy_systems(size, shares, seed=3):
    """References, and systems that get a share of their words wrong or leave them out."""
    rng = np.random.default_rng(seed)
    lines = [rng.choice(WORDS, length) for length in rng.integers(1, 25, size)]
    systems = []
    for share in shares:
        drawn = [(line, rng.random(len(line))) for line in lines]
        systems.append([np.where(d < share / 2, "", np.where(d < share, "x", w)) for w, d in drawn])
    return [*map(" ".join, lines)], [[*map(" ".join, system)] for system in systems]


def write_lines(path, strings, last_newline=True, compress=False):
    """A text file of lines; its path."""
    data = "\n".join(strings).encode() + (b"\n" if last_newline and strings else b"")
    path.write_bytes(gzip.compress(data) if compress else data)
    return path


def read_lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def read_table(path):
    """The rows of a table of tab-separated values, by the names in its first line."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def transposed(streams):
    """What belongs to each segment, of streams of all segments."""
    return [list(segment) for segment in zip(*streams, strict=True)]


def arrow(values, *kind):
    return pytest.importorskip("pyarrow").array(values, *kind)


def arrow_of(*names):
    """An Arrow array of a type: lists of lists of a type of values, from the outside in."""

    def made(values):
        pa = pytest.importorskip("pyarrow")
        for name in names:
            if not hasattr(pa, name):
                pytest.skip(f"this pyarrow has no {name}")
        *lists, inner = (getattr(pa, name) for name in names)
        return pa.array(values, functools.reduce(lambda kind, of: of(kind), lists[::-1], inner()))

    return made


def in_pieces(values):
    whole = arrow(values)
    pieces = [whole[:4], whole[4:4], whole[4:]]
    return pytest.importorskip("pyarrow").chunked_array(pieces, whole.type)


def pandas(**options):
    return lambda values: pytest.importorskip("pandas").Series(values, **options)


def polars(values):
    return pytest.importorskip("polars").Series(values)


def dataset(values):
    return pytest.importorskip("datasets").Dataset.from_dict({"own": values})


# Rows to columns.
COLUMNS = {
    "array": arrow,
    "pieces": in_pieces,
    "slice": lambda values: arrow([values[-1], *values, values[0]])[1:-1],
    "pandas": pandas(),
    "pandas of objects": pandas(dtype=object),
    "pandas of Arrow": lambda values: arrow(values).to_pandas(
        types_mapper=pytest.importorskip("pandas").ArrowDtype
    ),
    "Polars": polars,
    "dataset": lambda values: dataset(values)["own"],
    "dataset in another order": lambda values: dataset(values[::-1]).select(
        range(len(values))[::-1]
    )["own"],
}
STRING_COLUMNS = COLUMNS | {
    "large strings": arrow_of("large_string"),
    "dictionary": lambda values: arrow(values).dictionary_encode(),
    "NumPy": lambda values: np.array(values, np.dtypes.StringDType()),
    "views": arrow_of("string_view"),
}
LIST_COLUMNS = COLUMNS | {"large lists": arrow_of("large_list", "large_string")}
