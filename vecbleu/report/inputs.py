"""Check the inputs of a report: systems, references, source and labels of the same segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from vecbleu.api import aligned, signed_rows
from vecbleu.core.inputs.alignment import align
from vecbleu.core.inputs.columns import complete_values, is_column
from vecbleu.core.inputs.values import are_strings, is_sequence
from vecbleu.core.options import NO_SPECIAL_IDS, CountOptions, RunOptions
from vecbleu.core.statistics import Statistics
from vecbleu.significance.systems import checked_systems

MOST_SYSTEMS = 100
MOST_SEGMENTS = 100_000


class Inputs(NamedTuple):
    """Systems by name, and the texts of the segments, if known."""

    systems: dict[str, Statistics]
    outputs: dict[str, list[str]]  # of systems passed as text
    references: list[tuple[str, ...]] | None
    source: list[str] | None
    labels: list[str] | None


def checked_inputs(
    systems: Any, references: Any, source: Any, labels: Any, counting: CountOptions, run: RunOptions
) -> Inputs:
    """Check what the user passed, and count systems passed as text."""
    if not isinstance(systems, Mapping):
        kind = type(systems).__name__
        raise TypeError(f"systems is {kind}, expected a dict of names to outputs")
    if not 2 <= len(systems) <= MOST_SYSTEMS:
        raise ValueError(f"systems has {len(systems)}, expected 2 to {MOST_SYSTEMS}")
    tables = {str(name): given for name, given in systems.items()}
    texts = {name: one for name, one in tables.items() if not isinstance(one, Statistics)}
    outputs = {name: _strings(one, f"systems[{name!r}]") for name, one in texts.items()}
    if sum(bool(name.strip()) for name in tables) < len(systems):
        raise ValueError("systems has names that are blank or equal as text")
    if outputs and references is None:
        name = next(iter(outputs))
        raise ValueError(f"systems[{name!r}] is text, which needs references; pass them")
    own_source = None if source is None else _strings(source, "source")
    own_labels = None if labels is None else [*map(str, _rows(labels, "labels"))]
    size = len(next(iter((tables | outputs).values())))
    sides = {f"systems[{name!r}]": own for name, own in outputs.items()}
    _check_sizes(size, **sides, references=references, source=own_source, labels=own_labels)
    listed = None if references is None else _listed_references(references, size)
    for name, own in outputs.items():
        corpus = aligned(own, listed, counting, NO_SPECIAL_IDS)
        tables[name] = signed_rows(corpus, counting, run)
    return Inputs(checked_systems(tables), outputs, listed, own_source, own_labels)


def _check_sizes(size: int, **texts: Any) -> None:
    """Raise ValueError for unequal sizes, and for more segments than a browser can show."""
    if size > MOST_SEGMENTS:
        most = f"expected at most {MOST_SEGMENTS}; pass a part of them"
        raise ValueError(f"systems have {size} segments, {most}")
    for argument, rows in texts.items():
        if hasattr(rows, "__len__") and len(rows) != size:
            raise ValueError(f"{argument} has {len(rows)} but systems have {size} segments")


def _rows(values: Any, name: str) -> list[Any]:
    """Return a column or sequence as a list."""
    if is_column(values):
        return complete_values(values, name, alone=True)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {type(values).__name__}, expected a list of strings")
    return [*values]


def _strings(values: Any, name: str) -> list[str]:
    """Return strings, one per segment."""
    rows = _rows(values, name)
    if not are_strings(rows):
        place, one = next((at, one) for at, one in enumerate(rows) if not isinstance(one, str))
        advice = "; join tokens by spaces, and pass tokenize='none'" if is_sequence(one) else ""
        kind = type(one).__name__
        raise TypeError(f"{name}[{place}] is {kind}, expected a string to show as text{advice}")
    return rows


def _listed_references(references: Any, size: int) -> list[tuple[str, ...]]:
    """Return the references of each segment."""
    flat: Any = align([""] * size, references)
    bounds = pairwise(flat.offsets.tolist())
    return [tuple(flat.references[low:high]) for low, high in bounds]
