"""References that all hypotheses share: sets of n-grams, in which those of hypotheses are found."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.blocks import IdUnits, Reach, Units, WorkEstimate
from vecbleu.core.corpus.columns import ColumnBlock, ColumnCorpus
from vecbleu.core.corpus.counting import joined_columns
from vecbleu.core.corpus.ids import IdBlock, IdCorpus
from vecbleu.core.corpus.lists import ListBlock, TextCorpus, TokenCorpus
from vecbleu.core.kernel.lengths import SharedLengths
from vecbleu.core.kernel.ragged import Ragged, row_offsets
from vecbleu.core.kernel.sets import KeySet, key_sets, matches_in_sets
from vecbleu.core.options import CountOptions, RefLength
from vecbleu.core.records import dataclass, replace
from vecbleu.core.text.spans import UnitError
from vecbleu.core.text.tokenizers.base import CallableTokenizer
from vecbleu.core.text.tokens import joined_tokens, known_ids, string_ids, token_numbers

# One side: hypotheses without references, or references in their place.
UnitCorpus = TextCorpus | TokenCorpus | IdCorpus | ColumnCorpus
SideBlock = ListBlock | IdBlock | ColumnBlock
TokenRows = Sequence[Sequence[Any]]

# Bytes of sets that go to worker processes with each block: what takes them a few milliseconds.
_MOST_TO_SEND = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class PackedHypotheses:
    """Hypotheses, and the n-grams of the references that they share."""

    units: Units
    sets: Sequence[KeySet]
    lengths: SharedLengths

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count what each has in common with the references."""
        ids = self.units.ids()
        hyp_len = ids.lengths
        matches = matches_in_sets(ids, self.sets[:max_order])
        return joined_columns(hyp_len, self.lengths.choose(hyp_len, ref_length), matches)


class PreparedReferences:
    """References that are tokenized and hashed once, for any number of calls.

    Tokens that are no strings have no ids of their own: they are numbered, and those of hypotheses
    are looked up. So are strings, should hypotheses hold others.
    """

    def __init__(self, side: UnitCorpus, options: CountOptions) -> None:
        self._side, self._options = side, options.pinned() if side.is_text else options
        self._prepare()

    def _prepare(self) -> None:
        """Tokenize and hash the references."""
        self._others: dict[CountOptions, PreparedReferences] = {}
        self._rows: list[Sequence[Any]] = []  # of tokens
        self._numbered: tuple[Mapping[Hashable, int], list[KeySet]] | None = None
        parts: list[Ragged | None] = [*map(self._read, self._side.blocks())]
        found = [part for part in parts if part is not None]
        self._hashed: list[KeySet] | None = None
        if len(found) == len(parts):
            self._hashed = key_sets(found, self._options.max_order)
            lengths = np.concatenate([part.lengths for part in found])
        else:
            self._numbered_sets()
            lengths = np.diff(row_offsets(self._rows))
        self.lengths = SharedLengths.of(lengths)
        self.tokens = int(lengths.sum())

    def _read(self, block: SideBlock) -> Ragged | None:
        """The ids of some references; None if they have to be numbered."""
        try:
            tokens = _token_rows(block, self._options)
            if tokens is None:
                return block.units(self._options).ids()
        except UnitError as error:
            raise TypeError(f"{block.locate(error.unit)}: {error}") from None
        self._rows += tokens
        return string_ids(tokens, row_offsets(tokens))

    def _numbered_sets(self) -> tuple[Mapping[Hashable, int], list[KeySet]]:
        """Numbers of all tokens, and sets of n-grams of such; they are made when first needed."""
        if self._numbered is None:
            rows = self._rows
            if isinstance(self._side, IdCorpus):
                blocks = self._side.blocks()
                rows = [*chain.from_iterable(_rows_of_ids(block.numbers) for block in blocks)]
            try:
                numbers = token_numbers(rows)
            except UnitError as error:
                raise TypeError(f"{self._side.name(error.unit, -1)}: {error}") from None
            ids = known_ids(rows, row_offsets(rows), numbers)
            self._numbered = numbers, key_sets([ids], self._options.max_order)
        return self._numbered

    def __getstate__(self) -> tuple[UnitCorpus, CountOptions]:
        """What they are prepared from: ids and keys are hashed with each program's own seed."""
        return self._side, self._options

    def __setstate__(self, state: tuple[UnitCorpus, CountOptions]) -> None:
        self._side, self._options = state
        self._prepare()

    def __len__(self) -> int:
        return len(self._side)

    @property
    def side(self) -> UnitCorpus:
        """The references as they are."""
        return self._side

    @property
    def nbytes(self) -> int:
        """Memory that the sets take."""
        sets = self._hashed if self._hashed is not None else self._numbered_sets()[1]
        return sum(one.nbytes for one in sets)

    def check(self, options: CountOptions) -> None:
        """ValueError unless the options of a call are those of the references."""
        names = ["tokenize", "lowercase"] if self._side.is_text else []
        for name in names:
            value, own = getattr(options, name), getattr(self._options, name)
            if value != own and (name != "tokenize" or value.pinned() != own):
                raise other_option(name, value, own)
        if options.max_order > self._options.max_order:
            raise other_option("max_order", options.max_order, self._options.max_order)

    def with_options(self, options: CountOptions) -> PreparedReferences:
        """The same prepared in another way, which is kept for further calls."""
        if options not in self._others:
            self._others[options] = PreparedReferences(self._side, options)
        return self._others[options]

    @property
    def options(self) -> CountOptions:
        """How they were prepared."""
        return self._options

    def pack(self, block: SideBlock, options: CountOptions) -> PackedHypotheses:
        """Hypotheses with the sets in which their n-grams are to be found."""
        tokens = _token_rows(block, options)
        if tokens is None and isinstance(block, IdBlock) and not isinstance(self._side, IdCorpus):
            tokens = _rows_of_ids(block.numbers)
        if tokens is None:
            assert self._hashed is not None
            return PackedHypotheses(block.units(options), self._hashed, self.lengths)
        offsets = row_offsets(tokens)
        if self._hashed is not None and not isinstance(self._side, IdCorpus):
            strings = joined_tokens(tokens, offsets) or _as_units(string_ids(tokens, offsets))
            if strings is not None:
                return PackedHypotheses(strings, self._hashed, self.lengths)
        numbers, sets = self._numbered_sets()
        return PackedHypotheses(IdUnits(known_ids(tokens, offsets, numbers)), sets, self.lengths)


def _as_units(ids: Ragged | None) -> Units | None:
    """Ids as units."""
    return None if ids is None else IdUnits(ids)


def _token_rows(block: SideBlock, options: CountOptions) -> TokenRows | None:
    """The tokens of a block; None of text that is tokenized here, and of ids.

    A function of the user's is called once for each string. It may return subclasses of str that
    compare in their own way, and are numbered.
    """
    if isinstance(block, ListBlock) and isinstance(block.corpus, TokenCorpus):
        return block.objects
    if isinstance(block, IdBlock) or not isinstance(options.tokenize, CallableTokenizer):
        return None
    function, kept = options.tokenize.function, list[Sequence[str]]()

    def keep(string: str) -> Sequence[str]:
        tokens = function(string)
        kept.append(tokens)
        return tokens

    block.units(options._replace(tokenize=CallableTokenizer(keep)))
    return kept


def _rows_of_ids(ids: Ragged) -> list[list[int]]:
    """Ids as sequences of tokens."""
    return [row.tolist() for row in ids]


def other_option(name: str, value: Any, own: Any) -> ValueError:
    """The error of a call whose option is not that of its references."""
    return ValueError(
        f"{name} is {value!r} but references was prepared with {own!r}; pass {name}={own!r}, "
        f"or SharedReferences(..., {name}={value!r})"
    )


@dataclass(frozen=True, slots=True, eq=False)
class SharedBlock:
    """Some hypotheses."""

    own: SideBlock
    references: PreparedReferences

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.own.size

    def locate(self, unit: int) -> str:
        """Name a hypothesis as the user knows it."""
        return self.own.locate(unit)

    def pack(self, options: CountOptions) -> PackedHypotheses:
        """Encode the hypotheses."""
        return self.references.pack(self.own, options)


@dataclass(frozen=True, slots=True, eq=False)
class SharedCorpus:
    """Hypotheses, and references that they share."""

    hypotheses: UnitCorpus
    references: PreparedReferences | UnitCorpus

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def is_text(self) -> bool:
        """Whether it is tokenized here."""
        return self.hypotheses.is_text

    def prepared(self, options: CountOptions) -> SharedCorpus:
        """The same with prepared references; ValueError if they were with other options."""
        if isinstance(self.references, PreparedReferences):
            self.references.check(options)
            return self
        return replace(self, references=PreparedReferences(self.references, options))

    def estimate(self) -> WorkEstimate:
        """How many hypotheses there are to count."""
        assert isinstance(self.references, PreparedReferences)
        is_small = self.references.nbytes <= _MOST_TO_SEND
        reach: Reach = "workers" if is_small else "this process"
        return replace(self.hypotheses.estimate(), reach=reach)

    def blocks(self) -> Generator[SharedBlock]:
        """Some hypotheses at a time."""
        assert isinstance(self.references, PreparedReferences)
        for block in self.hypotheses.blocks():
            yield SharedBlock(block, self.references)
