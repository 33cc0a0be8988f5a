"""Turn the units of sets into hashed ids, as a metric counts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentTypeError, Place, argument, checked_each
from vecbleu.arguments.options import RunOptions, SpecialIds
from vecbleu.core.block import Block
from vecbleu.core.corpus import Corpus, TokenCorpus
from vecbleu.core.count import map_metric
from vecbleu.core.metric import AnyMetric, ngram_metric
from vecbleu.inputs.alignment import Hypotheses, align_units, check_kinds, listed_values, unit_rows
from vecbleu.inputs.mistakes import describe, refuse_frame
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import Ragged, row_offsets, row_with
from vecbleu.sets.pairs import Scoring, Units
from vecbleu.text.tokens import token_ids


class Settings(NamedTuple):
    """How a call scores sets: a metric, its options of scoring, and how the work is done."""

    metric: AnyMetric
    options: dict[str, Any]
    special_ids: SpecialIds
    run: RunOptions

    def scoring(self) -> Scoring:
        """Return what scores pairs; TypeError if the metric can't."""
        return Scoring(ngram_metric(self.metric), self.options)

    def sides(self, hypotheses: Any, references: Any = None) -> tuple[Units, Units]:
        """Check the units of both sides; return their ids, without references the same twice."""
        sides = {"hypotheses": align_units(hypotheses, ("hypotheses",), self.special_ids)}
        if references is not None:
            sides["references"] = align_units(references, ("references",), self.special_ids)
        ids = self.ids(**sides)
        return ids[0], ids[-1]

    def sources(self, sources: Iterable[Hypotheses], name: str) -> tuple[Corpus, Int64]:
        """Concatenate the units of all sources; return them and their offsets (sources + 1,)."""
        # Each entry of a column is a list of units, even if it could be one unit of ids.
        with argument(name):
            lists = checked_each(_listed, listed_values(sources))
        offsets = row_offsets(lists)

        def index(number: int) -> tuple[int, int]:
            source = row_with(offsets, number)
            return source, number - int(offsets[source])

        units = list(chain.from_iterable(lists))
        return align_units(units, (name,), self.special_ids, index), offsets

    def ids(self, **corpora: Corpus) -> list[Units]:
        """Return the ids of each side; raise an error if kinds of units differ."""
        first, *_ = corpora
        metric = ngram_metric(self.metric)
        for name, corpus in corpora.items():
            with argument(first):
                check_kinds(corpora[first], corpus, name)
            if len(corpus):
                metric.check_units(corpus.is_text, name)
        return hashed_units(list(corpora.values()), self.metric, self.run)


def _listed(units: Hypotheses) -> list[Any]:
    """Return the units of one source as a list."""
    if isinstance(units, str):
        advice = "if there is only one source, pass a list of it"
        raise ArgumentTypeError(f"is {describe(units)}", "a list for each source", advice)
    refuse_frame(units)
    return list(unit_rows(units))


def hashed_units(corpora: Sequence[Corpus], metric: AnyMetric, run: RunOptions) -> list[Units]:
    """Return the ids of each corpus; all hold text, or all hold tokens."""
    if any(isinstance(corpus, TokenCorpus) and len(corpus) for corpus in corpora):
        return [[ids] for ids in _token_ids(corpora)]
    return [_hashed_ids(corpus, metric, run) for corpus in corpora]


def _hashed_ids(corpus: Corpus, metric: AnyMetric, run: RunOptions) -> Units:
    """Hash the tokens of a corpus, block by block."""
    nothing = Ragged(np.empty(0, np.int64), np.zeros(1, np.int64))
    kinds = len(ngram_metric(metric).max_orders)
    with closing(map_metric(_ids_of, corpus, metric, run)) as blocks:
        parts = zip([nothing] * kinds, *blocks, strict=True)
        return [Ragged.concatenate(part) for part in parts]


def _ids_of(metric: AnyMetric, block: Block) -> Units:
    """Return the ids of a block."""
    return ngram_metric(metric).ngram_units(block.units)


def _token_ids(corpora: Sequence[Corpus]) -> list[Ragged]:
    """Encode all sides together, since tokens other than strings are numbered."""
    ends = row_offsets(corpora)

    def locate(unit: int) -> Place:
        side = row_with(ends, unit)
        return corpora[side].locate(unit - int(ends[side]))

    try:
        ids = token_ids(list(chain.from_iterable(corpus.hypotheses for corpus in corpora)))
    except ArgumentTypeError as error:
        error.name_unit(locate)
        raise
    return [ids[start:stop] for start, stop in pairwise(ends.tolist())]
