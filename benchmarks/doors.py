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
from vecbleu.files import read_blocks
from vecbleu.inputs import align
from vecbleu.pipeline import Counting
from vecbleu.sources import Source

SIZE = 200_000
ROUNDS = 7
FILE_BLOCK = 1 << 18  # as much as vecbleu reads at a time

# A call after other work finds its code and memory out of the cache, and takes half as long again.
IN_A_ROW = 20

Doors = dict[str, Callable[[], Any]]


def in_turns(doors: Doors, rounds: int) -> dict[str, float]:
    """Median seconds of each, after one round that does not count."""
    times: dict[str, list[float]] = {name: [] for name in doors}
    for _ in range(rounds + 1):
        for name, function in doors.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(some[1:]) for name, some in times.items()}


def columns(title: str, of_units: Callable[[Any, Any], Any], of_files: Callable[[], Any]) -> None:
    """Columns of Arrow against lists and files of the same text."""
    lists = works.strings(SIZE)
    arrays = [pa.array(side) for side in lists]
    own = [np.array(side, np.dtypes.StringDType()) for side in lists]
    doors: Doors = {
        "list of strings": lambda: of_units(*lists),
        "column made into a list": lambda: of_units(*(side.to_pylist() for side in arrays)),
        "files": of_files,
        "NumPy's StringDType": lambda: of_units(*own),
        "Arrow": lambda: of_units(*arrays),
    }
    assert len({function() for function in doors.values()}) == 1
    times = in_turns(doors, ROUNDS)
    print(f"{SIZE:,} segments, {title}, one process")
    for name, seconds in times.items():
        print(f"  {name:<24}{1000 * seconds:8.0f} ms {seconds / times['Arrow']:6.2f} times Arrow's")


def scoring(tokenize: str) -> None:
    """The whole way to the score."""
    asked: dict[str, Any] = {"tokenize": tokenize, "workers": 1}
    paths = works.files(SIZE)

    def score(hypotheses: Any, references: Any) -> float:
        return float(vecbleu.corpus_bleu(hypotheses, references, **asked))

    def score_files() -> float:
        return float(vecbleu.bleu(vecbleu.file_statistics(*paths, **asked).sum()))

    columns(tokenize, score, score_files)


def reading() -> None:
    """The part of it that differs: until the text lies in memory end to end, checked."""
    sources = [*map(Source, works.files(SIZE))]
    pack = Counting().pack

    def read(hypotheses: Any, references: Any) -> int:
        blocks = align(hypotheses, references).blocks()
        texts = (block.text if hasattr(block, "text") else pack(block)[0] for block in blocks)
        return sum(len(text.used) for text in texts)

    def read_files() -> int:
        return sum(len(block.text().used) for block in read_blocks(sources, FILE_BLOCK))

    columns("read only", read, read_files)


def id_batch(title: str, hypotheses: Any, references: Any, pad_id: int | None = None) -> None:
    """Scores of a batch of ids, of which 0 is only padding, against NLTK's loop on the same ids."""
    lists = [[row[row != 0].tolist() for row in side] for side in (hypotheses, references)]
    pairs = [([reference], hypothesis) for hypothesis, reference in zip(*lists, strict=True)]

    def score() -> Any:
        return vecbleu.sentence_bleu(hypotheses, references, pad_id=pad_id)

    doors: Doors = {
        "NLTK": lambda: [nltk_bleu.sentence_bleu(*pair) for pair in pairs],
        "vecbleu": score,
        "vecbleu, the same again": lambda: [score() for _ in range(IN_A_ROW)],
    }
    assert np.allclose(doors["NLTK"](), score(), rtol=1e-12)
    times = in_turns(doors, 5 * ROUNDS)
    times["vecbleu, the same again"] /= IN_A_ROW
    print(f"{len(hypotheses)} x {hypotheses.shape[1]} ids, {title}, a score each")
    for name, seconds in times.items():
        ratio = times["NLTK"] / seconds
        print(f"  {name:<24}{1000 * seconds:8.2f} ms {ratio:6.1f} times NLTK's speed")


if __name__ == "__main__":
    reading()
    scoring("13a")
    scoring("none")
    padded = works.padded_ids(256)
    words = padded[1][padded[1] != 0]
    rng = np.random.default_rng(0)
    hypotheses, others = rng.choice(words, (2, 256, 64))
    references = np.where(rng.random(hypotheses.shape) < 0.7, hypotheses, others)
    id_batch("no padding", hypotheses, references)
    id_batch("three fifths padding", *padded, pad_id=0)
