"""What threads may share: references, metrics, tokenizers, statistics, accumulators, workers."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from corpora import random_lines
from peers import MECAB, TOKENIZE, tokenizer_of

import vecbleu
from vecbleu import Accumulator, sacrebleu, significance

pytestmark = pytest.mark.slow

LINES, OTHERS = random_lines(1, 60), random_lines(2, 60)
ROWS = vecbleu.statistics(LINES, OTHERS)


@pytest.fixture(autouse=True)
def many_switches():
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(actions):
    """Results of all, which are called at the same time."""
    with ThreadPoolExecutor(len(actions)) as executor:
        return [future.result() for future in [*map(executor.submit, actions)]]


def check_in_threads(call, times=8):
    """Every thread gets what one thread alone gets; the first calls come at the same time."""
    found = in_threads([lambda: [call() for _ in range(times)]] * 6)
    assert found == [[call()] * times] * 6


KINDS = {
    "text": lambda line: line,
    "tokens": str.split,
    "numbered tokens": lambda line: [(word,) for word in line.split()],
    "ids": lambda line: np.array([*map(len, line.split())], np.int64),
}


@pytest.mark.parametrize("kind", KINDS)
def test_threads_can_share_references(kind):
    hypotheses, references = ([*map(KINDS[kind], lines)] for lines in (LINES, OTHERS))
    if kind == "tokens":  # which are numbered when others are first asked for
        hypotheses[0] = [1, 2.5, None]
    shared = vecbleu.SharedReferences(references)
    check_in_threads(lambda: vecbleu.statistics(hypotheses, shared).array.tolist())


@pytest.mark.parametrize("tokenize", [*TOKENIZE, *MECAB])
def test_threads_can_share_tokenizers(tokenize):
    tokenizer_of(tokenize)  # skips where its packages are missing
    lines = [f"{line} 我们 3.5 l'été. 猫が" for line in LINES]
    check_in_threads(lambda: vecbleu.statistics(lines, OTHERS, tokenize=tokenize).array.tolist())


def test_threads_can_share_metrics_statistics_and_workers():
    metric = sacrebleu.BLEU(references=[OTHERS], force=True)
    check_in_threads(lambda: [str(metric.corpus_score(some, None)) for some in (LINES, OTHERS)])
    check_in_threads(lambda: ROWS.score(smoothing="exp").to_dict())
    check_in_threads(lambda: significance.bootstrap(ROWS, n_resamples=50).to_dict(), times=2)
    lines = LINES * 40
    check_in_threads(lambda: vecbleu.statistics(lines, lines, workers=2).sum().to_dict(), times=2)


def test_accumulators_lose_no_update_and_merge_both_ways():
    accumulator, part, torn = Accumulator(), Accumulator(), []
    part.update(["a b c"], ["a b d"])

    def update():
        for _ in range(100):
            accumulator.update(["a b c"], ["a b d"])
            accumulator.merge(part)

    def read():
        for _ in range(200):
            state = pickle.loads(pickle.dumps(accumulator)).state, accumulator.state
            torn.extend(one for one in state if one[0] * 3 != one[1])  # three tokens a segment

    in_threads([*[update] * 6, *[read] * 2])
    assert accumulator.state.tolist() == (1200 * part.state).tolist()
    assert not torn
    crossed = [(accumulator, part), (part, accumulator)] * 2  # which come to an end all the same
    in_threads([lambda pair=pair: [pair[0].merge(pair[1]) for _ in range(9)] for pair in crossed])
    assert accumulator.state[0] * 3 == accumulator.state[1]
