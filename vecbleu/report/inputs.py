"""Check the inputs of a report: systems, references, source and labels of the same segments."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from vecbleu.api import statistics
from vecbleu.core.inputs.alignment import align
from vecbleu.core.inputs.listing import listed_strings
from vecbleu.core.statistics import Statistics
from vecbleu.significance.systems import checked_systems

# Systems times segments; a page with so many outputs takes about 100 MB.
MOST_OUTPUTS = 500_000


class Inputs(NamedTuple):
    """Systems by name, and the texts of the segments, if known."""

    systems: dict[str, Statistics]
    outputs: dict[str, list[str]]  # of systems passed as text
    references: list[tuple[str, ...]] | None
    source: list[str] | None


def checked_inputs(systems: Any, references: Any, source: Any, counted: Any) -> Inputs:
    """Check what the user passed, and count systems passed as text, with the options `counted`."""
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems is {type(systems).__name__}, expected a dict of names to outputs")
    if len(systems) < 2:
        raise ValueError(f"systems has {len(systems)}, expected at least 2 to compare")
    tables = {str(name): given for name, given in systems.items()}
    if len(tables) < len(systems):
        raise ValueError("systems has two names of the same text, such as 1 and '1'")
    outputs = {
        name: listed_strings(texts, f"systems[{name!r}]")
        for name, texts in tables.items()
        if not isinstance(texts, Statistics)
    }
    if outputs and references is None:
        name = next(iter(outputs))
        raise ValueError(f"systems[{name!r}] is text, which needs references; pass them")
    source = None if source is None else listed_strings(source, "source")
    size = len(next(iter((tables | outputs).values())))
    if size * len(systems) > MOST_OUTPUTS:
        raise ValueError(
            f"{len(systems)} systems of {size} segments are {size * len(systems)} outputs, "
            f"expected at most {MOST_OUTPUTS}; pass fewer systems, or a part of the segments"
        )
    columns = {f"systems[{name!r}]": texts for name, texts in outputs.items()}
    for argument, values in {**columns, "references": references, "source": source}.items():
        if hasattr(values, "__len__") and len(values) != size:
            raise ValueError(f"{argument} has {len(values)} segments but systems have {size}")
    listed = None
    if references is not None:
        flat: Any = align([""] * size, references)
        bounds = pairwise(flat.offsets.tolist())
        listed = [tuple(flat.references[low:high]) for low, high in bounds]
    for name, texts in outputs.items():
        tables[name] = statistics(texts, listed or [], **counted)
    return Inputs(checked_systems(tables), outputs, listed, source)
