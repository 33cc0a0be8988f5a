"""Systems and their references as the analysis of words takes them: texts, not statistics."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.columns import ColumnCorpus, StringColumn
from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import ListCorpus
from vecbleu.core.corpus.references import NoReferences
from vecbleu.core.inputs import align, align_units, check_kinds
from vecbleu.core.inputs.types import AlignedCorpus, Hypotheses, UnitCorpus
from vecbleu.core.kernel.numbering import Words, word_numbers
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import CountOptions, RunOptions, SpecialIds, Tokenize
from vecbleu.core.records import replace
from vecbleu.pairwise.shared import SharedCorpus
from vecbleu.pairwise.units import unit_ids

# A system, or None for a reference; the segment; which of its references.
Unit = tuple[int | None, int, int]

Texts = Mapping[str, Hypotheses] | Sequence[Hypotheses]

_NO_TEXT = StringColumn([], np.zeros(1, np.int64))


class Options(NamedTuple):
    """The options of a call, checked."""

    counting: CountOptions
    special_ids: SpecialIds
    run: RunOptions

    @classmethod
    def checked(
        cls,
        tokenize: Tokenize,
        lowercase: bool,
        max_order: int,
        pad_id: int | None,
        eos_id: int | None,
        ignore_ids: Iterable[int],
        workers: int | None,
        progress: bool | None,
    ) -> Options:
        """Options as the user passed them."""
        counting = CountOptions.checked(tokenize, lowercase, max_order)
        special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
        return cls(counting, special_ids, RunOptions(workers, progress))


class AlignedTexts(NamedTuple):
    """Texts of some systems, and the references of each segment."""

    names: tuple[str, ...]
    systems: list[UnitCorpus]
    references: UnitCorpus
    rows: Int64 | None  # of the references, those of one segment after the other; None: all
    offsets: Int64  # (segments + 1,), into the rows
    options: Options

    @classmethod
    def checked(cls, systems: Any, references: Any, options: Options, least: int) -> AlignedTexts:
        """Texts as the user passed them; those of a sequence are called "0", "1", ..."""
        given = _named(systems, least)
        sides = [align_units(text, name, options.special_ids) for name, text in given.values()]
        (first_name, text), *_ = given.values()
        for side, (name, _) in zip(sides, given.values(), strict=True):
            check_side(sides[0], first_name, side, name, options)
            if len(side) != len(sides[0]):
                sizes = f"{len(side)} segments but {first_name} has {len(sides[0])}"
                raise ValueError(f"{name} has {sizes}")
        try:
            found = _references(align(text, references, options.special_ids), options.counting)
        except (TypeError, ValueError) as error:
            message = re.sub(r"\bhypotheses\b", lambda _: first_name, str(error))
            raise type(error)(message) from None
        return cls(tuple(given), sides, *found, options)

    @property
    def size(self) -> int:
        """Number of segments."""
        return len(self.systems[0])

    def words(self, *others: UnitCorpus) -> list[Words]:
        """The words of further sides, of each system, and of the references of all segments."""
        sides = [*others, *self.systems, self.references]
        words = word_numbers(unit_ids(sides, self.options.counting, self.options.run))
        if self.rows is not None:
            words[-1] = words[-1].take(self.rows)
        return words

    def tokens(self, units: Iterable[Unit]) -> dict[Unit, Sequence[Hashable]]:
        """The tokens of some units."""
        wanted = [*dict.fromkeys(units)]
        rows = [self._row(*unit) for unit in wanted]
        if wanted and self.systems[0].is_text:
            options = self.options.counting
            strings = [row.lower() for row in rows] if options.lowercase else rows
            rows = options.tokenize.split(strings)
        return dict(zip(wanted, rows, strict=True))

    def _row(self, system: int | None, segment: int, reference: int) -> Any:
        """A unit as a string, or a sequence of tokens."""
        if system is not None:
            return _row(self.systems[system], segment)
        row = int(self.offsets[segment]) + reference
        return _row(self.references, row if self.rows is None else int(self.rows[row]))


def check_side(
    first: UnitCorpus, first_name: str, side: UnitCorpus, name: str, options: Options
) -> None:
    """Refuse a side of another kind than the first one, and lower-casing of what is no text."""
    check_kinds(first, first_name, side, name)
    if options.counting.lowercase and not side.is_text and len(side):
        raise ValueError(f"lowercase is for strings; {name} holds token sequences or ids")


def _named(systems: Any, least: int) -> dict[str, tuple[str, Any]]:
    """Each system by its name: what errors call it, and its text, which can be read again."""
    is_mapping = isinstance(systems, Mapping)
    if not is_mapping and (isinstance(systems, (str, bytes)) or not isinstance(systems, Sequence)):
        kind = type(systems).__name__
        raise TypeError(f"systems is {kind}, expected a dict of names or a list, of texts")
    pairs = systems.items() if is_mapping else ((str(i), text) for i, text in enumerate(systems))
    named = {}
    for name, text in pairs:
        if not isinstance(name, str):
            raise TypeError(f"systems has the name {name!r}, expected str")
        called = f"systems[{name!r}]" if is_mapping else f"systems[{name}]"
        named[name] = called, [*text] if hasattr(text, "__next__") else text
    if len(named) < least:
        expected = f"at least {least}" + (" to compare" if least > 1 else "")
        raise ValueError(f"systems has {len(named)}, expected {expected}")
    return named


def _references(
    corpus: AlignedCorpus, options: CountOptions
) -> tuple[UnitCorpus, Int64 | None, Int64]:
    """The references of a corpus by themselves, their rows, and with which each segment begins."""
    if isinstance(corpus, SharedCorpus):
        corpus.references.check(options)
        shared = corpus.references.side
        number, size = len(corpus), len(shared)
        return shared, np.tile(np.arange(size), number), np.arange(number + 1) * size
    assert isinstance(corpus, UnitCorpus)
    side, offsets = _side(corpus)

    def name(unit: int, _: int) -> str:
        segment = int(np.searchsorted(offsets, unit, "right")) - 1
        return corpus.name(segment, unit - int(offsets[segment]))

    return replace(side, name=name), None, offsets


def _side(corpus: UnitCorpus) -> tuple[UnitCorpus, Int64]:
    """References as a corpus without references, and with which one each segment begins."""
    if isinstance(corpus, ListCorpus):
        rows = corpus.references.end_to_end()
        return replace(corpus, hypotheses=rows, references=NoReferences(len(rows))), (
            corpus.references.offsets()
        )
    none = np.zeros(len(corpus.references) + 1, np.int64)
    if isinstance(corpus, IdCorpus):
        nothing = Ragged.from_arrays([])
        side = IdCorpus(corpus.references, nothing, none, corpus.special_ids)
        return side, corpus.reference_offsets
    return ColumnCorpus(corpus.references, _NO_TEXT, none), corpus.reference_offsets


def _row(corpus: UnitCorpus, row: int) -> Any:
    """A string, or a sequence of tokens."""
    if isinstance(corpus, ListCorpus):
        return corpus.hypotheses[row]
    if isinstance(corpus, ColumnCorpus):
        return corpus.hypotheses.between(row, row + 1).tobytes().decode()
    none = np.zeros(2, np.int64)
    (block,) = replace(
        corpus, hypotheses=corpus.hypotheses[row : row + 1], reference_offsets=none
    ).blocks()
    return block.numbers.values.tolist()
