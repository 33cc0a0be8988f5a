"""A user's program with every public call: `mypy --strict` has nothing to say about it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import vecbleu
from vecbleu import analysis, plots, significance
from vecbleu.sacrebleu import BLEU, CHRF, DATASETS, BLEUScore, BLEUSignature

Floats = npt.NDArray[np.float64]

hypotheses = ["the cat sat", "a dog"]
references = [["the cat sat down", "a cat sat"], ["the dog"]]
tokens = [line.split() for line in hypotheses]
token_references = [[line.split() for line in lines] for lines in references]
ids = np.array([[3, 4, 0], [5, 0, 0]])

# Scores
score = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", tokenize="13a")
assert_type(score, vecbleu.BleuScore)
assert_type(score.precisions, tuple[float, ...])
number: float = score
assert_type(score + 1, float)
assert_type(score.signature.format(short=True), str)
vecbleu.corpus_bleu(tokens, token_references, ref_length="shortest", max_order=2)
vecbleu.corpus_bleu(("a", "b"), (line for line in hypotheses), tokenize=str.split, lowercase=True)
with ThreadPoolExecutor() as executor:
    vecbleu.corpus_bleu(ids, ids[:, None], eos_id=2, ignore_ids=[0, 1], workers=executor)
shared = vecbleu.SharedReferences(hypotheses, tokenize="none", max_order=2)
vecbleu.corpus_bleu(hypotheses, shared, tokenize="none", max_order=2)
sentences = vecbleu.sentence_bleu(hypotheses, references, weights=[0.5, 0.5], effective_order=True)
assert_type(sentences, Floats)

# Statistics
stats = vecbleu.statistics(list(ids), [[row] for row in ids], workers=1, progress=None)
assert_type(stats, vecbleu.Statistics)
assert_type(stats[0].sum().hyp_len, npt.NDArray[np.int64])
assert_type(sum(stats, stats[0]), vecbleu.Statistics)
assert_type(stats.score(smoothing="exp", weights=[0.5, 0.5]), vecbleu.BleuScore)
assert_type(stats.scores(smoothing="add-k", smoothing_value=2), Floats)
assert_type(vecbleu.bleu(stats, smoothing="floor", smoothing_value=0.1), Floats)
ragged = vecbleu.Ragged.from_padded(ids, ignore_ids=0)
vecbleu.statistics(ragged, ragged)


def count_files(hypothesis: str, reference: str) -> vecbleu.Statistics:
    return vecbleu.file_statistics(hypothesis, [reference], tokenize="intl")


accumulator = vecbleu.Accumulator(weights=(0.5, 0.5), smoothing="add-k")
accumulator.update(hypotheses, references)
accumulator.merge(accumulator)
assert_type(accumulator.compute(), vecbleu.BleuScore)
state: npt.NDArray[np.int64] | Floats = accumulator.state
accumulator.state = state

# Which system is better
systems = {"one": stats, "two": stats}
assert_type(significance.bootstrap(stats, smoothing="exp"), significance.Interval)
assert_type(significance.paired_bootstrap(systems, baseline="one"), significance.Comparison)
significance.paired_randomization([stats, stats], n_resamples=99, rng=np.random.default_rng(0))
pairs = significance.rank(systems, test="randomization", weights=[0.5, 0.5])
assert_type(pairs.clusters(), npt.NDArray[np.int64])
assert_type(pairs.table().to_latex(), str)
assert_type(significance.holm([0.1, 0.2]), Floats)
significance.clusters([0.3, 0.2], pairs.p_values, level=0.01)
assert_type(analysis.segment_differences(systems, baseline="a"), analysis.Differences)
assert_type(analysis.word_changes(["a b", "a c"]), list[list[tuple[str, bool]]])
assert_type(analysis.score_buckets(systems, edges=[10, 20]).to_dict(), dict[str, Any])


def draw() -> None:
    axes = plots.plot_bars({name: one.score(smoothing="exp") for name, one in systems.items()})
    plots.plot_scores(significance.paired_bootstrap(systems), ax=axes)
    plots.plot_scores({name: significance.bootstrap(one) for name, one in systems.items()})
    plots.plot_bars(analysis.score_buckets(systems, edges=[10]))
    plots.plot_pairs(pairs).set_title("tests of all pairs")


# Why a score is what it is
found = vecbleu.explain(hypotheses[0], references[0], smoothing="exp", weights=(0.5, 0.5))
assert_type(found, vecbleu.Explanation)
assert_type(found.orders[0].ngrams[0].positions, tuple[int, ...])
vecbleu.explain(tokens[0], token_references[0])
vecbleu.explain(ids[0], ids, ignore_ids=0)

# The peers' calls
assert_type(vecbleu.nltk.sentence_bleu(token_references[0], tokens[0]), float)
vecbleu.nltk.corpus_bleu(vecbleu.SharedReferences(tokens), tokens, weights=(0.5, 0.5))
smooth = vecbleu.nltk.SmoothingFunction().method1
batch = vecbleu.nltk.sentence_bleu_batch(token_references, tokens, smoothing_function=smooth)
assert_type(batch, Floats)
metric = vecbleu.sacrebleu.BLEU(lowercase=True, smooth_method="floor", smooth_value=0.5)
assert_type(metric.corpus_score(hypotheses, [hypotheses]), vecbleu.sacrebleu.BLEUScore)
assert_type(metric.sentence_scores(hypotheses, [hypotheses]), Floats)
assert_type(vecbleu.sacrebleu.corpus_bleu(hypotheses, [hypotheses]).score, float)
vecbleu.sacrebleu.BLEU(references=shared, tokenize="none", max_ngram_order=2)
metric.tokenizer = str.upper
assert_type(metric.get_signature(), BLEUSignature)
totals: list[int] = BLEU.compute_bleu([1], [1], 1, 1, max_ngram_order=1).totals


class BestBLEU(BLEU):
    def best(self, hypotheses: list[str], streams: list[list[str]]) -> float:
        return float(self.sentence_scores(hypotheses, streams).max())


def chrf(one: CHRF, line: str) -> float:
    score: BLEUScore = BestBLEU(trg_lang=None).sentence_score(line, [line])
    return score.score + float(one.sentence_score(line, [line]).score) + len(DATASETS)


vecbleu.huggingface.bleu(predictions=hypotheses, references=references, max_order=2)
vecbleu.huggingface.google_bleu(predictions=hypotheses, references=references, tokenizer="zh")
assert_type(
    vecbleu.huggingface.sacrebleu(predictions=hypotheses, references=hypotheses), dict[str, Any]
)
