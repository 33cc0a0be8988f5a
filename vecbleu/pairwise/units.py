"""Turn hypotheses and references, called units, into token ids; equal tokens get equal ids."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import chain, pairwise
from typing import Any

import numpy as np

from vecbleu.core.corpus import HYPOTHESIS, TOKENS, Block, Corpus
from vecbleu.core.inputs.alignment import align_units, check_kinds, check_text
from vecbleu.core.kernel.ragged import Ragged, row_offsets, row_with
from vecbleu.core.options import CountOptions, Options, RunOptions
from vecbleu.core.pipeline import map_corpus
from vecbleu.core.text.text import UnitError
from vecbleu.core.text.tokens import token_ids


def side_ids(settings: Options, hypotheses: Any, references: Any = None) -> tuple[Ragged, Ragged]:
    """Check the units of both sides; return their token ids, without references the same twice."""
    sides = {"hypotheses": align_units(hypotheses, "hypotheses", settings.special_ids)}
    if references is not None:
        sides["references"] = align_units(references, "references", settings.special_ids)
    ids = corpus_ids(settings, **sides)
    return ids[0], ids[-1]


def corpus_ids(settings: Options, **corpora: Corpus) -> list[Ragged]:
    """Return the token ids of each side; raise an error if kinds of units differ."""
    first, *_ = corpora
    for name, corpus in corpora.items():
        check_kinds(corpora[first], first, corpus, name)
        if settings.counting.lowercase:
            check_text(corpus, name)
    return unit_ids([*corpora.values()], settings.counting, settings.run)


def unit_ids(corpora: Sequence[Corpus], options: CountOptions, run: RunOptions) -> list[Ragged]:
    """Return the token ids of each corpus; all hold text, or all hold tokens."""
    if any(corpus.kind == TOKENS and len(corpus) for corpus in corpora):
        return _token_ids(corpora)
    return [_hashed_ids(corpus, options, run) for corpus in corpora]


def _hashed_ids(corpus: Corpus, options: CountOptions, run: RunOptions) -> Ragged:
    """Hash the tokens of a corpus, block by block."""
    nothing = Ragged(np.empty(0, np.int64), np.zeros(1, np.int64))
    with closing(map_corpus(Block.encoded, corpus, options.encoder(), run)) as blocks:
        return Ragged.concatenate([nothing, *blocks])


def _token_ids(corpora: Sequence[Corpus]) -> list[Ragged]:
    """Encode all sides together, since tokens other than strings are numbered."""
    ends = row_offsets(corpora)

    def locate(unit: int) -> str:
        side = row_with(ends, unit)
        return corpora[side].name_unit(unit - int(ends[side]), HYPOTHESIS)

    try:
        ids = token_ids([*chain.from_iterable(corpus.hypotheses for corpus in corpora)])
    except UnitError as error:
        raise error.named(locate) from None
    return [ids[start:stop] for start, stop in pairwise(ends.tolist())]
