"""References that all hypotheses share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vecbleu.core.corpus.ids import IdCorpus
from vecbleu.core.corpus.lists import ListCorpus
from vecbleu.core.corpus.shared import PreparedReferences, UnitCorpus
from vecbleu.core.inputs import align_units
from vecbleu.core.inputs.types import Hypotheses
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.options import CountOptions, SpecialIds, Tokenize
from vecbleu.core.public import public
from vecbleu.core.records import replace


@public("vecbleu")
class SharedReferences(PreparedReferences):
    """References that all hypotheses share, prepared once for any number of calls.

    They are taken wherever hypotheses have lists of references, and stand for all of these with
    every hypothesis; not where each reference counts by itself, as in `pairwise_bleu`. The time of
    a call does not depend on how many there are.

    Parameters
    ----------
    references : sequence (references,)
        Strings, sequences of hashable tokens, integer arrays, one 2-D integer array, a `Ragged`,
        or a column: what hypotheses are in `corpus_bleu`.
    tokenize, lowercase, max_order, pad_id, eos_id, ignore_ids
        As for `corpus_bleu`. Calls must have the same, except that `max_order` may be less.

    Raises
    ------
    TypeError
        Something is not a string, a sequence of hashable tokens, or an integer array.
    ValueError
        There are no references, or an option is unknown.

    Notes
    -----
    Statistics are what they are with ``references=[[*references]] * len(hypotheses)``. That is
    counted in the same way if it is one list that stands for many segments, but the references
    are then prepared in every call.

    Pickles hold the references, which are prepared again where they are loaded. Worker processes
    count where the set of n-grams is small (4 MB); otherwise, and in place of an executor, the
    calling process does.

    Examples
    --------
    >>> import vecbleu
    >>> references = vecbleu.SharedReferences(["the cat sat", "a dog sat down"], max_order=2)
    >>> references
    SharedReferences(references=2, tokens=7)
    >>> hypotheses = ["the dog sat", "a cat sat down"]
    >>> vecbleu.sentence_bleu(hypotheses, references, max_order=2).round(4).tolist()
    [0.7071, 0.8165]
    """

    def __init__(
        self,
        references: Hypotheses,
        *,
        tokenize: Tokenize = "13a",
        lowercase: bool = False,
        max_order: int = 4,
        pad_id: int | None = None,
        eos_id: int | None = None,
        ignore_ids: Iterable[int] = (),
    ) -> None:
        options = CountOptions.checked(tokenize, lowercase, max_order)
        special_ids = SpecialIds.checked(pad_id, eos_id, ignore_ids)
        side = align_units(references, "references", special_ids)
        if not len(side):
            raise ValueError("references is empty; expected at least one reference")
        if options.lowercase and not side.is_text:
            raise ValueError("lowercase is for strings; references holds token sequences or ids")
        super().__init__(_copied(side), options)

    def __repr__(self) -> str:
        return f"SharedReferences(references={len(self)}, tokens={self.tokens})"


def _copied(side: UnitCorpus) -> UnitCorpus:
    """References that stay as they are when the user's list is changed."""
    if isinstance(side, IdCorpus):
        ids = side.hypotheses
        return replace(side, hypotheses=Ragged(ids.values.copy(), ids.offsets.copy()))
    if isinstance(side, ListCorpus):
        rows: list[Any] = [*side.hypotheses] if side.is_text else [*map(tuple, side.hypotheses)]
        return replace(side, hypotheses=rows)
    return side
