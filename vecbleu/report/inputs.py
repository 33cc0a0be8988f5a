"""Check what a report is about: systems, references, source and labels of the same segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from vecbleu.api import aligned, signed_rows
from vecbleu.core.inputs.columns import complete_values, is_column, reference_rows
from vecbleu.core.inputs.values import are_strings, is_sequence
from vecbleu.core.options import NO_SPECIAL_IDS, CountOptions, RunOptions
from vecbleu.core.statistics import Statistics
from vecbleu.significance.systems import checked_systems

MOST_SYSTEMS = 100
MOST_SEGMENTS = 100_000

# Of all texts together: a browser holds a page of twice as many bytes with difficulty.
MOST_CHARACTERS = 250_000_000


class Inputs(NamedTuple):
    """Systems by name, and the text of the segments, as far as it is known."""

    systems: dict[str, Statistics]
    outputs: dict[str, list[str]]  # of the systems that are text
    references: list[tuple[str, ...]] | None
    source: list[str] | None
    labels: list[str] | None


def checked_inputs(
    systems: Any, references: Any, source: Any, labels: Any, counting: CountOptions, run: RunOptions
) -> Inputs:
    """Check what the user passed, and count the systems that are text."""
    if not isinstance(systems, Mapping):
        kind = type(systems).__name__
        raise TypeError(f"systems is {kind}, expected a dict of names to outputs")
    if not 2 <= len(systems) <= MOST_SYSTEMS:
        raise ValueError(f"systems has {len(systems)}, expected 2 to {MOST_SYSTEMS}")
    listed = None if references is None else _listed_references(references)
    tables = {str(name): given for name, given in systems.items()}
    texts = {name: one for name, one in tables.items() if not isinstance(one, Statistics)}
    outputs = {name: _strings(one, f"systems[{name!r}]") for name, one in texts.items()}
    if sum(bool(name.strip()) for name in tables) < len(systems):
        raise ValueError("systems has names that are blank, or equal as text")
    if outputs and listed is None:
        name = next(iter(outputs))
        raise ValueError(f"systems[{name!r}] is text and there are no references; pass them")
    own_source = None if source is None else _strings(source, "source")
    own_labels = None if labels is None else [*map(str, _rows(labels, "labels"))]
    inputs = Inputs(tables, outputs, listed, own_source, own_labels)
    _check_sizes(inputs)
    for name, own in outputs.items():
        corpus = aligned(own, listed, counting, NO_SPECIAL_IDS)
        tables[name] = signed_rows(corpus, counting, run)
    return inputs._replace(systems=checked_systems(tables))


def _check_sizes(inputs: Inputs) -> None:
    """ValueError for texts of unequal length, and for more than a browser opens."""
    size = len(next(iter(inputs.systems.values())))
    if size > MOST_SEGMENTS:
        most = f"expected at most {MOST_SEGMENTS}; pass a part of them"
        raise ValueError(f"systems have {size} segments, {most}")
    texts = {f"systems[{name!r}]": own for name, own in inputs.outputs.items()}
    others = {"references": inputs.references, "source": inputs.source, "labels": inputs.labels}
    for argument, rows in (texts | others).items():
        if rows is not None and len(rows) != size:
            raise ValueError(f"{argument} has {len(rows)} but systems have {size} segments")
    characters = sum(sum(map(len, one)) for one in [*texts.values(), inputs.source or []])
    characters += sum(sum(map(len, entry)) for entry in inputs.references or [])
    if characters > MOST_CHARACTERS:
        most = f"expected at most {MOST_CHARACTERS}: pass fewer systems or segments, or Statistics"
        raise ValueError(f"the texts have {characters} characters, {most}")


def _rows(values: Any, name: str) -> list[Any]:
    """Return a column or sequence as a list."""
    if is_column(values):
        return complete_values(values, name, alone=True)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {type(values).__name__}, expected a list of strings")
    return [*values]


def _strings(values: Any, name: str) -> list[str]:
    """Return strings, one a segment."""
    rows = _rows(values, name)
    if not are_strings(rows):
        place, one = next((at, one) for at, one in enumerate(rows) if not isinstance(one, str))
        advice = "; join tokens by spaces, and pass tokenize='none'" if is_sequence(one) else ""
        kind = type(one).__name__
        raise TypeError(f"{name}[{place}] is {kind}, expected a string to show as text{advice}")
    return rows


def _listed_references(references: Any) -> list[tuple[str, ...]]:
    """Return the references of each segment."""
    is_text = is_column(references)
    rows = reference_rows(references, of_text=True) if is_text else _rows(references, "references")
    listed = []
    for segment, entry in enumerate(rows):
        own = (entry,) if isinstance(entry, str) else entry
        if not isinstance(own, (list, tuple)):
            kind = type(entry).__name__
            raise TypeError(f"references[{segment}] is {kind}, expected a string or a list of them")
        if not own:
            raise ValueError(f"references[{segment}] is empty: segment {segment} has 0 references")
        listed.append(tuple(_strings(own, f"references[{segment}]")))
    return listed
