"""Prepare references that all hypotheses share."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.arguments.options import DEFAULT_RUN, NO_SPECIAL_IDS, Ids, RunOptions, SpecialIds
from vecbleu.bleu.columns import joined_columns
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions, Tokenize
from vecbleu.core.block import Block, WorkEstimate
from vecbleu.core.corpus import Corpus, IdCorpus, TokenCorpus
from vecbleu.core.metric import AnyMetric
from vecbleu.inputs.alignment import Hypotheses, PreparedReferences, align_units, check_kinds
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged, row_offsets
from vecbleu.sets.keys import KeySet, key_sets, matches_in_sets
from vecbleu.sets.units import hashed_units
from vecbleu.text.edits import Normalize
from vecbleu.text.tokens import (
    JoinedTokens,
    UnitKind,
    joined_tokens,
    number_tokens,
)


def unit_ids(corpora: Sequence[Corpus], options: CountOptions, run: RunOptions) -> list[Ragged]:
    """Return the token ids of each corpus; all hold text, or all hold tokens."""
    return [ids for (ids,) in hashed_units(corpora, Bleu(options), run)]


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
    tokenize, lowercase, normalize, max_order, ignore_ids, eos_id
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
        normalize: Normalize | None = None,
        max_order: int = 4,
        ignore_ids: Ids = (),
        eos_id: Ids | None = None,
    ) -> None:
        options = CountOptions.checked(
            tokenize=tokenize, lowercase=lowercase, normalize=normalize, max_order=max_order
        )
        special_ids = SpecialIds.checked(ignore_ids=ignore_ids, eos_id=eos_id)
        tokenizer = options.tokenize.name
        side = align_units(references, ("references",), special_ids, tokenize=tokenizer)
        if not len(side):
            raise ArgumentError("is empty", "at least one reference", argument="references")
        Bleu(options).check_units(side.is_text, "references")
        self._prepare(_copied(side), options, special_ids)

    @classmethod
    def of(cls, side: Corpus, options: CountOptions) -> SharedReferences:
        """Prepare references that are checked already."""
        references = cls.__new__(cls)
        references._prepare(side, options, NO_SPECIAL_IDS)
        return references

    def _prepare(self, side: Corpus, options: CountOptions, special_ids: SpecialIds) -> None:
        """Tokenize and hash the references; tokens other than strings are numbered."""
        if side.is_text:
            options = replace(options, tokenize=options.tokenize.pinned())
        self.side = side
        self.options = options
        self.special_ids = special_ids
        is_tokens = isinstance(side, TokenCorpus)
        joined = joined_tokens(side.hypotheses, row_offsets(side.hypotheses)) if is_tokens else None
        self._has_strings = joined is not None
        (ids,) = [joined.ids()] if joined else unit_ids([side], options, DEFAULT_RUN)
        self._ids = ids
        self.sets = key_sets(ids, options.max_order)
        self.lengths: Int64 = np.unique(ids.lengths)
        self.tokens = len(ids.values)

    def __getstate__(self) -> tuple[Corpus, CountOptions, SpecialIds]:
        """Leave out keys, which take several times the memory of the references."""
        return self.side, self.options, self.special_ids

    def __setstate__(self, state: tuple[Corpus, CountOptions, SpecialIds]) -> None:
        self._prepare(*state)

    @cached_property
    def side_hash(self) -> int:
        """The hash that a segment with these references has."""
        side = self.side
        units = side.hypotheses
        segment = type(side)(units[:1], units, np.array([0, len(side)], np.int64))
        return int(segment.reference_hashes()[0])

    def __len__(self) -> int:
        return len(self.side)

    def __repr__(self) -> str:
        return f"SharedReferences(references={len(self)}, tokens={self.tokens})"

    def with_hypotheses(
        self, hypotheses: Corpus, special_ids: SpecialIds = NO_SPECIAL_IDS
    ) -> SharedCorpus:
        """Align hypotheses with these references."""
        with argument("hypotheses"):
            check_kinds(hypotheses, self.side, "references")
        if len(hypotheses):
            self._check_ids(special_ids)
        return SharedCorpus(hypotheses, self)

    def units(self, options: CountOptions, special_ids: SpecialIds) -> list[Any]:
        """Return the references as they were passed; raise ValueError if the options differ."""
        self.check(options)
        self._check_ids(special_ids)
        return list(self.side.hypotheses)

    def _check_ids(self, given: SpecialIds) -> None:
        prepared = self.special_ids
        _check_option("ignore_ids", given.ignore_ids, prepared.ignore_ids)
        _check_option("eos_id", given.eos_id, prepared.eos_id)

    def check(self, options: CountOptions) -> None:
        """Raise ValueError if the options of a call differ from those of the references."""
        prepared = self.options
        if self.side.is_text:
            if options.tokenize.pinned() != prepared.tokenize:
                _check_option("tokenize", options.tokenize, prepared.tokenize)
            _check_option("lowercase", options.lowercase, prepared.lowercase)
            _check_option("normalize", options.normalize, prepared.normalize)
        if options.max_order > prepared.max_order:
            _check_option("max_order", options.max_order, prepared.max_order)

    def encode(self, hypotheses: Sequence[Sequence[Any]]) -> JoinedTokens | Ragged:
        """Encode token sequences, with the ids of equal tokens in the references."""
        offsets = row_offsets(hypotheses)
        joined = joined_tokens(hypotheses, offsets) if self._has_strings else None
        return number_tokens(hypotheses, offsets, self._known) if joined is None else joined

    @cached_property
    def _known(self) -> dict[Hashable, int]:
        """The ids of all tokens."""
        tokens: Any = self.side.hypotheses
        if isinstance(self.side, IdCorpus):
            tokens = [self.side.hypotheses.values.tolist()]
        ids = self._ids.values.tolist()
        return dict(zip(chain.from_iterable(tokens), ids, strict=True))


def _check_option(name: str, value: Any, prepared: Any) -> None:
    """Raise ValueError if an option of a call differs from that of its references."""
    if value != prepared:
        raise ArgumentError(
            f"is {value!r} but references were prepared with {prepared!r}",
            advice=f"pass {{argument}}={prepared!r}, or SharedReferences(..., "
            f"{{argument}}={value!r})",
            argument=name,
        )


def _copied(side: Corpus) -> Corpus:
    """Copy references, in case the user's list changes later."""
    units = side.hypotheses
    if isinstance(side, IdCorpus):
        copy: Any = Ragged(units.values.copy(), units.offsets.copy())
    else:
        copy = list(units) if side.is_text else list(map(tuple, units))
    return type(side).alone(copy, side.place_of)


class SharedCorpus:
    """Hypotheses with shared references."""

    def __init__(self, hypotheses: Corpus, references: SharedReferences) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.is_text = hypotheses.is_text

    def __len__(self) -> int:
        return len(self.hypotheses)

    def references_each(self) -> int:
        """Return the number of references per segment."""
        return len(self.references)

    def estimate(self) -> WorkEstimate:
        """Estimate the work of counting."""
        is_small = sum(keys.nbytes for keys in self.references.sets) <= _MOST_TO_SEND
        return self.hypotheses.estimate()._replace(can_be_sent=is_small)

    def blocks(self) -> Generator[Block]:
        """Yield blocks of hypotheses."""
        hypotheses, references = self.hypotheses, self.references
        sides = hypotheses, references.side
        if any(isinstance(side, TokenCorpus) for side in sides):
            hypotheses = _KnownTokens(hypotheses, references)
        for block in hypotheses.blocks():
            hashes = np.full(len(block.segments) - 1, references.side_hash)
            yield block._replace(reference_hashes=hashes)

    def metric_for(self, metric: AnyMetric) -> SharedBleu:
        """Return BLEU with these references; TypeError for other metrics."""
        if not isinstance(metric, Bleu):
            raise TypeError(f"references are of BLEU, not of {metric.table.metric}")
        self.references.check(metric.options)
        sets = self.references.sets[: metric.options.max_order]
        return SharedBleu(metric.options, sets, self.references.lengths)


class _KnownTokens(TokenCorpus):
    """Hypotheses whose tokens get the ids of equal tokens in prepared references."""

    def __init__(self, hypotheses: Corpus, references: SharedReferences) -> None:
        rows = [
            row.tolist() if isinstance(row, np.ndarray) else row for row in hypotheses.hypotheses
        ]
        super().__init__(rows, [], hypotheses.offsets, hypotheses.place_of)
        self._prepared = references

    def _encoded(self, units: Any) -> tuple[Any, UnitKind]:
        return self._prepared.encode(units), UnitKind.NUMBERED


@dataclass(frozen=True)
class SharedBleu(Bleu):
    """BLEU with prepared references: their sets of n-grams, and their lengths in order."""

    sets: Sequence[KeySet]
    lengths: Int64

    def count(self, block: Block) -> Int64:
        """Count a block of hypotheses (S, 2 + 2N)."""
        ids = self.encode(block.units)
        ref_len = _reference_lengths(ids.lengths, self.lengths, self.options.ref_length)
        return joined_columns(ids.lengths, ref_len, matches_in_sets(ids, self.sets))


def _reference_lengths(hyp_len: Int64, lengths: Int64, ref_length: str) -> Int64:
    """Choose a reference length for each hypothesis (S,); `lengths` are sorted."""
    if ref_length != "closest":
        return np.full(len(hyp_len), lengths[{"shortest": 0, "longest": -1}[ref_length]])
    middles = (lengths[:-1] + lengths[1:]) // 2  # up to here, the shorter one is chosen
    return lengths[np.searchsorted(middles, hyp_len)]
