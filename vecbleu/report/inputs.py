"""Check the inputs of a report: systems, references and source of the same segments."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from vecbleu import chrf
from vecbleu.api import statistics
from vecbleu.core.count_table import CountTable
from vecbleu.core.inputs.alignment import align, listed_strings
from vecbleu.core.statistics import Statistics
from vecbleu.significance.inference import checked_systems, named_systems

# Systems times segments; a page with so many outputs takes about 100 MB.
MOST_OUTPUTS = 500_000


class Inputs(NamedTuple):
    """Counts by metric and system, and the texts of the segments, if known."""

    tables: dict[str, dict[str, Any]]
    outputs: dict[str, list[str]]  # of systems passed as text
    references: list[tuple[str, ...]] | None
    source: list[str] | None


def checked_inputs(systems: Any, references: Any, source: Any, metrics: dict[str, Any]) -> Inputs:
    """Check what the user passed, and count systems passed as text, with each metric's options."""
    named = named_systems(systems, "outputs")
    given = {str(name): system for name, system in named.items()}
    if len(given) < len(named):
        raise ValueError("systems has two names of the same text, such as 1 and '1'")
    outputs = {}
    for name, system in given.items():
        label = f"systems[{name!r}]"
        if not isinstance(system, CountTable):
            outputs[name] = listed_strings(system, label)
            if references is None:
                raise ValueError(f"{label} is text, which needs references; pass them")
        elif not isinstance(system, Statistics) or len(metrics) > 1:
            kind = type(system).__name__
            raise TypeError(f"{label} is {kind}, but the report has {[*metrics]}; pass its text")
    source = None if source is None else listed_strings(source, "source")
    size = len(next(iter((given | outputs).values())))
    if size * len(given) > MOST_OUTPUTS:
        raise ValueError(
            f"{len(given)} systems of {size} segments are {size * len(given)} outputs, "
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
    tables = {}
    for metric, options in metrics.items():
        count: Any = chrf.statistics if metric == "chrf" else statistics
        counted = {name: count(texts, listed or [], **options) for name, texts in outputs.items()}
        tables[metric] = checked_systems(given | counted)
    return Inputs(tables, outputs, listed, source)
