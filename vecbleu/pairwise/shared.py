"""Prepare references that all hypotheses share, as sets of n-grams."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import (
    Block,
    ColumnCorpus,
    Corpus,
    Encoded,
    IdCorpus,
    Place,
    TokenCorpus,
    WorkEstimate,
    joined_columns,
    unchanged,
)
from vecbleu.core.inputs.alignment import align_units, check_kinds
from vecbleu.core.inputs.types import Hypotheses, PreparedReferences
from vecbleu.core.kernel.ragged import Ragged, row_offsets
from vecbleu.core.options import (
    DEFAULT_RUN,
    NO_SPECIAL_IDS,
    CountOptions,
    Ids,
    RefLength,
    SpecialIds,
    Tokenize,
)
from vecbleu.core.text.tokens import joined_tokens, number_tokens
from vecbleu.pairwise.keys import key_sets, matches_in_sets
from vecbleu.pairwise.units import unit_ids

# Largest size of sets to send to workers with each block, in bytes; sending takes a few ms.
_MOST_TO_SEND = 1 << 22


class SharedReferences(PreparedReferences):
    """References that all hypotheses share, prepared once for any number of calls.

    Pass it as `references` if all hypotheses have the same references. The time of a call does not
    depend on the number of references. (Functions that score each reference by itself, such as
    `pairwise_bleu`, do not take it.)

    Parameters
    ----------
    references : sequence (references,)
        Strings, sequences of hashable tokens, integer arrays, one 2-D integer array, a `Ragged`,
        or a column, like the hypotheses of `corpus_bleu`.
    tokenize, lowercase, max_order, ignore_ids, eos_id
        As for `corpus_bleu`. Calls must use the same options; only `max_order` may be lower.

    Raises
    ------
    TypeError
        A reference is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        There are no references, or an option is unknown.

    Notes
    -----
    Statistics equal those with ``references=[[*references]] * len(hypotheses)``.

    A pickle holds the references only; loading prepares them again. If the sets of n-grams are
    larger than 4 MB, all work is done in this process, without workers or an executor.

    Examples
    --------
    >>> import vecbleu
    >>> references = vecbleu.SharedReferences(["the cat sat", "a dog sat down"])
    >>> references
    SharedReferences(references=2, tokens=7)
    >>> hypotheses = ["the dog sat", "a cat sat down"]
    >>> vecbleu.sentence_bleu(hypotheses, references).round(4).tolist()
    [0.63, 0.4518]
    """

    __module__ = "vecbleu"

    def __init__(
        self,
        references: Hypotheses,
        *,
        tokenize: Tokenize = "13a",
        lowercase: bool = False,
        max_order: int = 4,
        ignore_ids: Ids = (),
        eos_id: Ids | None = None,
    ) -> None:
        options = CountOptions.checked(tokenize, lowercase, max_order)
        special_ids = SpecialIds.checked(ignore_ids, eos_id)
        side = align_units(references, "references", special_ids)
        if not len(side):
            raise ValueError("references is empty; expected at least one reference")
        if options.lowercase and not side.is_text:
            raise ValueError("lowercase is for strings; references holds token sequences or ids")
        self._prepare(_copied(side), options, special_ids)

    @classmethod
    def of(cls, side: Corpus, options: CountOptions) -> SharedReferences:
        """Prepare references that are checked already."""
        references = cls.__new__(cls)
        references._prepare(side, options, NO_SPECIAL_IDS)
        return references

    def _prepare(self, side: Corpus, options: CountOptions, special_ids: SpecialIds) -> None:
        """Tokenize and hash the references; tokens other than strings are numbered."""
        self.side, self.options = side, options.pinned() if side.is_text else options
        self.special_ids = special_ids
        strings = None
        if isinstance(side, TokenCorpus):
            strings = joined_tokens(side.hypotheses, row_offsets(side.hypotheses))
        self._has_strings = strings is not None
        (ids,) = [strings.ids()] if strings else unit_ids([side], self.options, DEFAULT_RUN)
        self._ids = ids
        self._known: dict[Hashable, int] | None = None
        self.sets = key_sets(ids, options.max_order)
        self.lengths: Int64 = np.unique(ids.lengths)
        self.tokens = len(ids.values)

    def __getstate__(self) -> tuple[Corpus, CountOptions, SpecialIds]:
        """Leave out keys, which take several times the memory of the references."""
        return self.side, self.options, self.special_ids

    def __setstate__(self, state: tuple[Corpus, CountOptions, SpecialIds]) -> None:
        self._prepare(*state)

    def __len__(self) -> int:
        return len(self.side)

    def __repr__(self) -> str:
        return f"SharedReferences(references={len(self)}, tokens={self.tokens})"

    def with_hypotheses(
        self, hypotheses: Corpus, special_ids: SpecialIds = NO_SPECIAL_IDS
    ) -> SharedCorpus:
        """Align hypotheses with these references."""
        check_kinds(hypotheses, "hypotheses", self.side, "references")
        if len(hypotheses):
            self._check_ids(special_ids)
        return SharedCorpus(hypotheses, self)

    def units(self, options: CountOptions, special_ids: SpecialIds) -> list[Any]:
        """Return the references as they were passed; raise ValueError if the options differ."""
        self.check(options)
        self._check_ids(special_ids)
        if isinstance(self.side, ColumnCorpus):
            return [row.tobytes().decode() for row in self.side.hypotheses]
        return [*self.side.hypotheses]

    def _check_ids(self, given: SpecialIds) -> None:
        prepared = self.special_ids
        _check_option("ignore_ids", given.ignore_ids, prepared.ignore_ids)
        _check_option("eos_id", given.eos_ids, prepared.eos_ids)

    def check(self, options: CountOptions) -> None:
        """Raise ValueError if the options of a call differ from those of the references."""
        prepared = self.options
        if self.side.is_text:
            if options.tokenize.pinned() != prepared.tokenize:
                _check_option("tokenize", options.tokenize, prepared.tokenize)
            _check_option("lowercase", options.lowercase, prepared.lowercase)
        if options.max_order > prepared.max_order:
            _check_option("max_order", options.max_order, prepared.max_order)

    def encode(self, rows: Sequence[Sequence[Any]]) -> Encoded:
        """Encode token sequences, with the ids of equal tokens in the references."""
        offsets = row_offsets(rows)
        joined = joined_tokens(rows, offsets) if self._has_strings else None
        if joined is None:
            return self._look_up(rows, offsets), unchanged
        return joined, type(joined).ids

    def _look_up(self, rows: Sequence[Sequence[Any]], offsets: Int64) -> Ragged:
        if self._known is None:
            tokens: Any = self.side.hypotheses
            if isinstance(self.side, IdCorpus):
                tokens = [self.side.hypotheses.values.tolist()]
            ids = self._ids.values.tolist()
            self._known = dict(zip(chain.from_iterable(tokens), ids, strict=True))
        return number_tokens(rows, offsets, self._known)


def _check_option(name: str, value: Any, prepared: Any) -> None:
    """Raise ValueError if an option of a call differs from that of its references."""
    if value != prepared:
        raise ValueError(
            f"{name} is {value!r} but references were prepared with {prepared!r}; pass "
            f"{name}={prepared!r}, or SharedReferences(..., {name}={value!r})"
        )


def _copied(side: Corpus) -> Corpus:
    """Copy references, in case the user's list changes later."""
    units = side.hypotheses
    if isinstance(side, IdCorpus):
        copy: Any = Ragged(units.values.copy(), units.offsets.copy())
    else:
        copy = [*units] if side.is_text else [*map(tuple, units)]
    return type(side).alone(copy, side.name)


class _KnownTokens(TokenCorpus):
    """Hypotheses whose tokens get the ids of equal tokens in the references."""

    __slots__ = ("shared",)
    shared: SharedReferences

    def _encode(self, units: Any, options: CountOptions) -> Encoded:
        return self.shared.encode(units)


class SharedCorpus:
    """Hypotheses with shared references."""

    def __init__(self, hypotheses: Corpus, references: SharedReferences) -> None:
        self.hypotheses, self.references = hypotheses, references
        self.is_text = hypotheses.is_text

    def __len__(self) -> int:
        return len(self.hypotheses)

    def references_each(self) -> int:
        """Return the number of references per segment."""
        return len(self.references)

    def sample(self) -> Sequence[str]:
        """Return the text of the first hypotheses."""
        return self.hypotheses.sample()

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""
        is_small = sum(one.nbytes for one in self.references.sets) <= _MOST_TO_SEND
        return self.hypotheses.estimate()._replace(is_portable=is_small)

    def blocks(self, options: CountOptions) -> Generator[tuple[Block, Place]]:
        """Yield blocks of hypotheses."""
        self.references.check(options)
        own = self.hypotheses
        numbers_tokens = isinstance(self.references.side, TokenCorpus)
        if isinstance(own, TokenCorpus) or (numbers_tokens and isinstance(own, IdCorpus)):
            rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in own.hypotheses]
            own = _KnownTokens.alone(rows, own.name)
            own.shared = self.references
        for block, place in own.blocks(options):
            yield _SharedBlock(block, self.references), place


class _SharedBlock(Block):
    """Block of hypotheses, with the n-grams and lengths of their shared references."""

    __slots__ = ("lengths", "sets")

    def __init__(self, own: Block, references: SharedReferences) -> None:
        super().__init__(own.units, own.encode, own.order, own.segments)
        self.sets, self.lengths = references.sets, references.lengths

    def rows(self, max_order: int, ref_length: RefLength) -> Int64:
        """Count lengths, matches and totals of each hypothesis."""
        ids = self.ids()
        hyp_len = ids.lengths
        matches = matches_in_sets(ids, self.sets[:max_order])
        return joined_columns(hyp_len, self._ref_len(hyp_len, ref_length), matches)

    def _ref_len(self, hyp_len: Int64, ref_length: RefLength) -> Int64:
        """Choose a reference length for each hypothesis, as `reference_lengths` does."""
        if ref_length != "closest":
            return np.full(len(hyp_len), self.lengths[{"shortest": 0, "longest": -1}[ref_length]])
        place, last = np.searchsorted(self.lengths, hyp_len), len(self.lengths) - 1
        shorter = self.lengths[np.maximum(place - 1, 0)]
        longer = self.lengths[np.minimum(place, last)]
        return np.where(hyp_len - shorter <= longer - hyp_len, shorter, longer)
