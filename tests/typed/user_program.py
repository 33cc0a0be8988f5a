"""A user's program with calls of every kind: `mypy --strict` has nothing to say about it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import vecbleu
from vecbleu import analysis, plots, significance
from vecbleu.sacrebleu import CHRF, DATASETS, BLEUSignature
from vecbleu.sacrebleu.metrics import BLEU, TER, BLEUScore

Floats = npt.NDArray[np.float64]

hypotheses = ["the cat sat", "a dog"]
references = [["the cat sat down", "a cat sat"], ["the dog"]]
tokens = [line.split() for line in hypotheses]
token_references = [[line.split() for line in lines] for lines in references]
ids = np.array([[3, 4, 0], [5, 0, 0]])

# What counts and scores: text, tokens, ids; lists, iterators, arrays, shared references.
score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", tokenize="13a")
assert_type(score, vecbleu.BleuScore)
assert_type(score.precisions, tuple[float, ...])
assert_type(score + 1, float)
assert_type(score.signature.format(short=True), str)
vecbleu.corpus_bleu(tokens, token_references, ref_length="shortest", max_order=2)
vecbleu.corpus_bleu(("a", "b"), (line for line in hypotheses), tokenize=str.split, lowercase=True)
with ThreadPoolExecutor() as executor:
    vecbleu.corpus_bleu(ids, ids[:, None], eos_id=2, ignore_ids=[0, 1], workers=executor)
shared = vecbleu.SharedReferences(hypotheses, tokenize="none", max_order=2)
vecbleu.corpus_bleu(hypotheses, shared, tokenize="none", max_order=2)
assert_type(vecbleu.sentence_bleu(hypotheses, references, weights=[0.5, 0.5]), Floats)
ragged = vecbleu.Ragged.from_padded(ids, ignore_ids=0)
stats = vecbleu.statistics(ragged, [[row] for row in ids], workers=1, progress=None)
assert_type(stats[0].sum().hyp_len, npt.NDArray[np.int64])
assert_type(sum(stats, stats[0]), vecbleu.Statistics)
assert_type(stats.score(smoothing="exp", weights=[0.5, 0.5]), vecbleu.BleuScore)
assert_type(vecbleu.bleu.scores(stats, smoothing="floor", smoothing_value=0.1), Floats)
accumulator = vecbleu.Accumulator(weights=(0.5, 0.5), smoothing="add-k")
accumulator.update(hypotheses, references)
state: npt.NDArray[np.int64] | Floats = accumulator.state
accumulator.state = state
found = vecbleu.explain(tokens[0], token_references[0], smoothing="exp", weights=(0.5, 0.5))
assert_type(found.orders[0].ngrams[0].positions, tuple[int, ...])
assert_type(vecbleu.file_statistics("h", ["r"], tokenize="intl"), vecbleu.Statistics)

# Which system is better, and why.
systems = {"one": stats, "two": stats}
assert_type(significance.bootstrap(stats, smoothing="exp"), significance.Interval)
assert_type(significance.paired_bootstrap(systems, baseline="one"), significance.Comparison)
significance.paired_randomization([stats, stats], n_resamples=99, rng=np.random.default_rng(0))
pairs = significance.rank(systems, test="randomization", weights=[0.5, 0.5])
significance.rank(systems, level=0.01, adjust="holm").pairs().to_latex()
assert_type(pairs.clusters(), npt.NDArray[np.int64])
assert_type(pairs.table().to_latex(), str)
significance.clusters([0.3, 0.2], pairs.p_values, level=0.01)
assert_type(analysis.segment_differences(systems, baseline="a"), analysis.Differences)
assert_type(analysis.word_changes(["a b", "a c"]), list[list[tuple[str, bool]]])
assert_type(analysis.score_buckets(systems, edges=[10, 20]).to_dict(), dict[str, Any])
axes = plots.plot_bars({name: one.score(smoothing="exp") for name, one in systems.items()})
plots.plot_scores(significance.paired_bootstrap(systems), ax=axes)
plots.plot_pairs(pairs).set_title("tests of all pairs")

# The peers' calls.
nltk_score: float = vecbleu.nltk.sentence_bleu(token_references[0], tokens[0])
smooth = vecbleu.nltk.SmoothingFunction().method1
batch = vecbleu.nltk.sentence_bleu_batch(token_references, tokens, smoothing_function=smooth)
assert_type(batch, Floats)
metric = BLEU(lowercase=True, smooth_method="floor", smooth_value=0.5, references=shared)
assert_type(metric.sentence_scores(hypotheses, [hypotheses]), Floats)
assert_type(metric.get_signature(), BLEUSignature)
metric.tokenizer = str.upper


class BestBLEU(BLEU):
    def best(self, hypotheses: list[str], streams: list[list[str]]) -> float:
        return float(self.sentence_scores(hypotheses, streams).max())


def chrf(one: CHRF, line: str) -> float:
    score: BLEUScore = BestBLEU(trg_lang=None).sentence_score(line, [line])
    ter = TER().sentence_score(line, [line]).score
    return score.score + float(one.sentence_score(line, [line]).score) + float(ter) + len(DATASETS)


metrics = vecbleu.huggingface.sacrebleu(predictions=hypotheses, references=[np.array(hypotheses)])
assert_type(metrics, dict[str, Any])
