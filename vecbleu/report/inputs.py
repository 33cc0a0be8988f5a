"""What a report is about, checked: systems, references, source and labels of the same segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vecbleu.api import aligned, signed_rows
from vecbleu.core.inputs import are_strings, complete_values, is_column, reference_rows
from vecbleu.core.inputs.values import is_sequence
from vecbleu.core.options import NO_SPECIAL_IDS, CountOptions, RunOptions
from vecbleu.core.records import dataclass
from vecbleu.core.statistics.table import Statistics
from vecbleu.significance.systems import checked_systems

MOST_SYSTEMS = 100
MOST_SEGMENTS = 100_000

# Of all texts together: a browser holds a page of twice as many bytes with difficulty.
MOST_CHARACTERS = 250_000_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inputs:
    """Systems by name, and the text of the segments, as far as it is known."""

    systems: dict[str, Statistics]
    outputs: dict[str, list[str]]  # of the systems that are text
    references: list[tuple[str, ...]] | None
    source: list[str] | None
    labels: list[str] | None

    @classmethod
    def checked(
        cls,
        systems: Any,
        references: Any,
        source: Any,
        labels: Any,
        counting: CountOptions,
        run: RunOptions,
    ) -> Inputs:
        """Systems and texts as the user passed them; systems that are text are counted."""
        if not isinstance(systems, Mapping):
            kind = type(systems).__name__
            raise TypeError(f"systems is {kind}, expected a dict of names to outputs")
        _check_number(systems)
        listed = None if references is None else _listed_references(references)
        outputs, tables = {}, {}
        for name, given in systems.items():
            if isinstance(given, Statistics):
                tables[str(name)] = given
                continue
            outputs[str(name)] = own = _strings(given, f"systems[{name!r}]")
            tables[str(name)] = _count(own, listed, f"systems[{name!r}]", counting, run)
        if not all(name.strip() for name in tables):
            raise ValueError("systems has a blank name, which nobody could see")
        if len(tables) < len(systems):
            raise ValueError("systems has names that are equal as text")
        own_source = None if source is None else _strings(source, "source")
        own_labels = None if labels is None else _labels(labels)
        return cls(checked_systems(tables), outputs, listed, own_source, own_labels)

    def __post_init__(self) -> None:
        _check_number(self.systems)
        size = len(next(iter(self.systems.values())))
        if size > MOST_SEGMENTS:
            raise ValueError(
                f"systems have {size} segments, expected at most {MOST_SEGMENTS}; pass a part of "
                f"them, such as outputs[:{MOST_SEGMENTS}] with references[:{MOST_SEGMENTS}]"
            )
        texts = {"references": self.references, "source": self.source, "labels": self.labels}
        for argument, rows in texts.items():
            if rows is not None and len(rows) != size:
                raise ValueError(f"{argument} has {len(rows)} but systems have {size} segments")
        self._check_characters()

    def _check_characters(self) -> None:
        """ValueError for more text than a browser opens."""
        texts = [*self.outputs.values(), *([self.source] if self.source else [])]
        characters = sum(sum(map(len, one)) for one in texts)
        characters += sum(sum(map(len, entry)) for entry in self.references or [])
        if characters > MOST_CHARACTERS:
            raise ValueError(
                f"the texts have {characters} characters, expected at most {MOST_CHARACTERS}: "
                "pass fewer systems, a part of the segments, or Statistics for systems whose "
                "outputs need not be shown"
            )


def _check_number(systems: Mapping[Any, Any]) -> None:
    """ValueError for more systems, or fewer, than a report can compare."""
    if not 2 <= len(systems) <= MOST_SYSTEMS:
        raise ValueError(f"systems has {len(systems)}, expected 2 to {MOST_SYSTEMS}")


def _count(
    outputs: list[str], references: Any, name: str, counting: CountOptions, run: RunOptions
) -> Statistics:
    """Statistics of a system that is text."""
    if references is None:
        raise ValueError(f"{name} is text and there are no references; pass them, or Statistics")
    if len(outputs) != len(references):
        raise ValueError(f"{name} has {len(outputs)} segments but references has {len(references)}")
    corpus = aligned(outputs, references, counting, NO_SPECIAL_IDS)
    return signed_rows(corpus, counting, run)


def _rows(values: Any, name: str) -> list[Any]:
    """A column or sequence as a list."""
    if is_column(values):
        return complete_values(values, name, alone=True)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {type(values).__name__}, expected a list of strings")
    return [*values]


def _strings(values: Any, name: str) -> list[str]:
    """Strings, one a segment."""
    rows = _rows(values, name)
    if not are_strings(rows):
        place = next(place for place, one in enumerate(rows) if not isinstance(one, str))
        advice = "; join tokens by spaces, and pass tokenize='none'"
        raise TypeError(
            f"{name}[{place}] is {type(rows[place]).__name__}, expected a string: a report shows "
            f"text{advice if is_sequence(rows[place]) else ''}"
        )
    return rows


def _listed_references(references: Any) -> list[tuple[str, ...]]:
    """The references of each segment."""
    if is_column(references):
        rows: Sequence[Any] = list(reference_rows(references, of_text=True))
    else:
        rows = _rows(references, "references")
    listed = []
    for segment, entry in enumerate(rows):
        own = (entry,) if isinstance(entry, str) else entry
        if not isinstance(own, (list, tuple)):
            kind = type(entry).__name__
            raise TypeError(f"references[{segment}] is {kind}, expected a string or a list of them")
        _strings(own, f"references[{segment}]")
        if not own:
            raise ValueError(f"references[{segment}] is empty: segment {segment} has 0 references")
        listed.append(tuple(own))
    return listed


def _labels(labels: Any) -> list[str]:
    """The label of each segment, as text."""
    return [*map(str, _rows(labels, "labels"))]
