"""What the doors of data frames and training loops cost: ``python benchmarks/doors.py``.

Times are medians of rounds in turns on one process, results are compared before they are timed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import numpy as np
import pyarrow as pa
import works

import vecbleu

SIZE = 200_000
ROUNDS = 7

# A call after other work finds its code and memory out of the cache, and takes half as long again.
IN_A_ROW = 20


def in_turns(doors: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median seconds of each, after one round that does not count."""
    times: dict[str, list[float]] = {name: [] for name in doors}
    for _ in range(rounds + 1):
        for name, function in doors.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(some[1:]) for name, some in times.items()}


def columns(tokenize: str) -> None:
    """Columns of Arrow against lists and files of the same text."""
    lists, paths = works.strings(SIZE), works.files(SIZE)
    arrays = [pa.array(side) for side in lists]

    def score(hypotheses: Any, references: Any) -> float:
        asked = {"tokenize": tokenize, "workers": 1}
        return float(vecbleu.corpus_bleu(hypotheses, references, **asked))

    def score_files() -> float:
        total = vecbleu.file_statistics(*paths, tokenize=tokenize, workers=1).sum()
        return float(vecbleu.bleu(total))

    doors = {
        "list of strings": lambda: score(*lists),
        "column made into a list": lambda: score(*(side.to_pylist() for side in arrays)),
        "files": score_files,
        "Arrow": lambda: score(*arrays),
    }
    assert len({function() for function in doors.values()}) == 1
    times = in_turns(doors, ROUNDS)
    print(f"{SIZE:,} segments, {tokenize}, one process")
    for name, seconds in times.items():
        print(f"  {name:<24}{1000 * seconds:8.0f} ms {seconds / times['Arrow']:6.2f} times Arrow's")


def id_batch(rows: int, width: int) -> None:
    """Scores of a batch of ids against NLTK's loop on the same ids."""
    rng = np.random.default_rng(0)
    hypotheses, others = rng.zipf(1.3, (2, rows, width)) % 50_000 + 1
    references = np.where(rng.random(hypotheses.shape) < 0.7, hypotheses, others)
    lists = [[row] for row in references.tolist()], hypotheses.tolist()

    def score() -> Any:
        return vecbleu.sentence_bleu(hypotheses, references)

    doors = {
        "NLTK": lambda: [*map(nltk_bleu.sentence_bleu, *lists)],
        "vecbleu": score,
        "vecbleu, the same again": lambda: [score() for _ in range(IN_A_ROW)],
    }
    assert np.allclose(doors["NLTK"](), score(), rtol=1e-12)
    times = in_turns(doors, 5 * ROUNDS)
    times["vecbleu, the same again"] /= IN_A_ROW
    print(f"{rows} x {width} ids, a score each")
    for name, seconds in times.items():
        ratio = times["NLTK"] / seconds
        print(f"  {name:<24}{1000 * seconds:8.2f} ms {ratio:6.1f} times NLTK's speed")


if __name__ == "__main__":
    columns("13a")
    columns("none")
    id_batch(256, 64)
