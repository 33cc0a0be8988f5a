"""What threads may share: references, metrics, tokenizers, statistics, worker processes."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from corpora import random_lines
from peers import MECAB, tokenizer_of

import vecbleu
from vecbleu import sacrebleu, significance

THREADS, TIMES = 6, 8
LINES, OTHERS = random_lines(1, 60), random_lines(2, 60)


@pytest.fixture(autouse=True)
def many_switches():
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def check_in_threads(call, *, times=TIMES):
    """Every thread gets what one thread alone gets; the first calls come at the same time."""
    with ThreadPoolExecutor(THREADS) as executor:
        futures = [executor.submit(lambda: [call() for _ in range(times)]) for _ in range(THREADS)]
        found = [result for future in futures for result in future.result()]
    expected = call()
    assert len(found) == THREADS * times
    assert all(result == expected for result in found)


def tokens_of(lines):
    return [line.split() for line in lines]


KINDS = {
    "text": lambda lines: lines,
    "tokens": tokens_of,
    "numbered tokens": lambda lines: [[(word,) for word in line.split()] for line in lines],
    "ids": lambda lines: [np.array([*map(len, line.split())], np.int64) for line in lines],
    "other tokens than the references": tokens_of,
}


@pytest.mark.parametrize("kind", KINDS)
def test_shared_references(kind):
    hypotheses = KINDS[kind](LINES)
    references = KINDS[kind](OTHERS)
    if kind.startswith("other"):  # which are numbered when they are first asked for
        hypotheses[0] = [1, 2.5, None]
    shared = vecbleu.SharedReferences(references)
    check_in_threads(lambda: vecbleu.statistics(hypotheses, shared).array.tolist())


def test_references_of_a_sacrebleu_metric():
    metric = sacrebleu.BLEU(references=[OTHERS], force=True)
    scores = [str(metric.corpus_score(lines, None)) for lines in (LINES, OTHERS)]

    def call():
        return [str(metric.corpus_score(lines, None)) for lines in (LINES, OTHERS)] == scores

    check_in_threads(call)
    assert call()


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh", "char", "none", *MECAB])
def test_tokenizers(tokenize):
    tokenizer_of(tokenize)  # skips where its packages are missing
    lines = [f"{line} 我们 3.5 l'été. 猫が" for line in LINES]
    check_in_threads(lambda: vecbleu.statistics(lines, OTHERS, tokenize=tokenize).array.tolist())


def test_statistics_and_what_is_computed_of_them():
    rows = vecbleu.statistics(LINES, OTHERS)
    check_in_threads(lambda: rows.score(smoothing="exp").to_dict())
    check_in_threads(lambda: rows.sum().array.tolist())
    check_in_threads(lambda: significance.bootstrap(rows, n_resamples=50).to_dict(), times=2)


def test_worker_processes():
    lines = LINES * 40
    check_in_threads(
        lambda: vecbleu.statistics(lines, lines, workers=2).sum().array.tolist(), times=2
    )


def test_results_of_a_read_only_table():
    """No thread can change what another one computes of it."""
    rows = vecbleu.statistics(LINES, OTHERS)
    with pytest.raises(ValueError, match="read-only"):
        np.add(rows.matches, 1, out=rows.matches)
