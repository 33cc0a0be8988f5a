"""Turn hypotheses and references, called units, into token ids; equal tokens get equal ids."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import chain, pairwise
from typing import Any

import numpy as np

from vecbleu.core.corpus import Block, Corpus, TokenCorpus
from vecbleu.core.inputs.alignment import align_units, check_kinds
from vecbleu.core.kernel.ragged import Ragged, offsets_of, row_offsets
from vecbleu.core.options import CountOptions, Options, RunOptions
from vecbleu.core.pipeline import map_corpus
from vecbleu.core.text.text import UnitError
from vecbleu.core.text.tokens import token_ids


def side_ids(settings: Options, **sides: Any) -> list[Ragged]:
    """Check the units of each side, passed by its name; return their token ids."""
    special_ids = settings.special_ids
    return corpus_ids(
        settings, **{name: align_units(units, name, special_ids) for name, units in sides.items()}
    )


def corpus_ids(settings: Options, **corpora: Corpus) -> list[Ragged]:
    """Return the token ids of each side; raise an error if kinds of units differ."""
    first, *_ = corpora
    for name, corpus in corpora.items():
        check_kinds(corpora[first], first, corpus, name)
        if settings.counting.lowercase and not corpus.is_text and len(corpus):
            raise ValueError(f"lowercase is for strings; {name} holds token sequences or ids")
    return unit_ids([*corpora.values()], settings.counting, settings.run)


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
