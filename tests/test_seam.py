"""The core counts any metric: chrF of order 2 in plain form, against plain Python."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from vecbleu import Statistics, significance
from vecbleu.core.corpus import TEXT, Corpus
from vecbleu.core.count_table import CountTable
from vecbleu.core.options import RunOptions
from vecbleu.core.pipeline import map_corpus, sum_of

HYPS = ["the cat", "a dog barked", "", "it rains"] * 40
REFS = ["the cat sat", "the dog", "a b", "it rains"] * 40


class Characters:  # the encoder
    is_portable, cost = True, 1.0
    __call__ = staticmethod(lambda text: text.strings())
    pinned = lambda self: self  # noqa: E731


class ChrfTable(CountTable):
    metric = "chrF2"

    def percents(self, counts):
        hyp, ref, match = np.split(np.asarray(counts, float), 3, axis=-1)
        return 100 * (5 * match / np.maximum(4 * ref + hyp, 1)).mean(axis=-1)

    def score(self):
        return self.percents(self.sum().array) / 100


def segment_row(*units):
    hyp, ref = ([Counter(unit), Counter(pairwise(unit))] for unit in units)
    return [ngrams.total() for ngrams in (*hyp, *ref, *map(Counter.__and__, hyp, ref))]


def chrf_rows(block):
    strings = block.encoded()  # in order, since all segments have as many references
    return np.array([segment_row(*strings[start : start + 2]) for start in block.segments[:-1]])


@pytest.mark.parametrize("workers", [1, 2])
def test_another_metric_goes_through_the_core(small_blocks, tmp_path, workers):
    corpus = Corpus(TEXT, HYPS, REFS, np.arange(len(HYPS) + 1))
    run = partial(map_corpus, corpus=corpus, encode=Characters(), run=RunOptions(workers))
    table = ChrfTable.concatenate(ChrfTable(rows) for rows in run(chrf_rows))
    assert table.array.tolist() == [*map(segment_row, HYPS, REFS)]
    assert sum(run(partial(sum_of, chrf_rows))).tolist() == table.sum().array.tolist()
    table.save(tmp_path / "chrf.npz")
    assert ChrfTable.load(tmp_path / "chrf.npz") == table
    with pytest.raises(ValueError, match="counts of chrF2, not of BLEU"):
        Statistics.load(tmp_path / "chrf.npz")
    ranking = significance.rank({"some": table, "perfect": table[[3] * len(table)]})
    assert ranking.scores.tolist() == [table.score(), 1]
    assert "chrF2" in str(ranking)
