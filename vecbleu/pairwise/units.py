"""Turn hypotheses and references, called units, into token ids; equal tokens get equal ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core.corpus import Block, Corpus, TokenCorpus
from vecbleu.core.inputs.alignment import align_units, check_kinds
from vecbleu.core.kernel.ragged import Ragged, offsets_of, row_offsets
from vecbleu.core.options import CountOptions, Options, RunOptions
from vecbleu.core.pipeline import map_corpus
from vecbleu.core.text.text import UnitError
from vecbleu.core.text.tokens import token_ids


class Side(NamedTuple):
    """An argument that holds units, with its name in error messages."""

    name: str
    units: Any
    name_unit: Callable[[int, int], str] | None = None


def side_ids(settings: Options, *sides: Side) -> list[Ragged]:
    """Check the units of each side, and return their token ids."""
    corpora = [
        align_units(side.units, side.name, settings.special_ids, side.name_unit) for side in sides
    ]
    for corpus, side in zip(corpora, sides, strict=True):
        check_kinds(corpora[0], sides[0].name, corpus, side.name)
        if settings.counting.lowercase and not corpus.is_text and len(corpus):
            raise ValueError(f"lowercase is for strings; {side.name} holds token sequences or ids")
    return unit_ids(corpora, settings.counting, settings.run)


def unit_ids(corpora: Sequence[Corpus], options: CountOptions, run: RunOptions) -> list[Ragged]:
    """Return the token ids of each corpus; all hold text, or all hold tokens."""
    if any(isinstance(corpus, TokenCorpus) and len(corpus) for corpus in corpora):
        return _token_ids(corpora)
    return [_hashed_ids(corpus, options, run) for corpus in corpora]


def _hashed_ids(corpus: Corpus, options: CountOptions, run: RunOptions) -> Ragged:
    """Hash the tokens of a corpus, block by block."""
    nothing = Ragged(np.empty(0, np.int64), np.zeros(1, np.int64))
    with closing(map_corpus(_ids_of, corpus, options, run)) as blocks:
        return Ragged.concatenate([nothing, *blocks])


def _ids_of(max_order: int, ref_length: str, block: Block) -> Ragged:
    return block.ids()


def _token_ids(corpora: Sequence[Any]) -> list[Ragged]:
    """Encode all sides together, since tokens other than strings are numbered."""
    sides = [[*corpus.hypotheses] for corpus in corpora]
    ends = offsets_of(np.array([*map(len, sides)]))
    units = [*chain.from_iterable(sides)]
    try:
        ids = token_ids(units, row_offsets(units))
    except UnitError as error:
        side = int(np.searchsorted(ends, error.unit, side="right")) - 1
        name = corpora[side].name(error.unit - int(ends[side]), -1)
        raise TypeError(f"{name}: {error}") from None
    return [ids[start:stop] for start, stop in pairwise(ends.tolist())]
