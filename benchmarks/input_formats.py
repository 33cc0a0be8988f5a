"""Time of columns and id arrays as inputs: ``python benchmarks/input_formats.py``.

Columns of Arrow are compared with lists and files of the same text, batches of ids with NLTK. All
run in turns on one process; times are medians, and results are compared first.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import numpy as np
import works

import vecbleu
from vecbleu.core.corpus.sizes import FILE_BLOCK_BYTES
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source
from vecbleu.core.inputs import align
from vecbleu.core.options import CountOptions

SIZE = 200_000
ROUNDS = 7

# Calls in a row: a call after other work finds its code and data out of the cache, and takes half
# as long again.
IN_A_ROW = 20

Functions = dict[str, Callable[[], Any]]


def in_turns(functions: Functions, rounds: int) -> dict[str, float]:
    """Median seconds of each function, after one round that does not count."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds + 1):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(some[1:]) for name, some in times.items()}


def compare_columns(
    title: str, of_objects: Callable[[Any, Any], Any], of_files: Callable[[], Any]
) -> None:
    """Time a function of hypotheses and references on each format of the same text."""
    lists = works.strings(SIZE)
    arrays = works.arrow_columns(SIZE)
    numpy_arrays = [np.array(side, np.dtypes.StringDType()) for side in lists]
    functions: Functions = {
        "list of strings": lambda: of_objects(*lists),
        "column made into a list": lambda: of_objects(*(side.to_pylist() for side in arrays)),
        "files": of_files,
        "NumPy's StringDType": lambda: of_objects(*numpy_arrays),
        "Arrow": lambda: of_objects(*arrays),
    }
    assert len({function() for function in functions.values()}) == 1
    times = in_turns(functions, ROUNDS)
    print(f"{SIZE:,} segments, {title}, one process")
    for name, seconds in times.items():
        print(f"  {name:<24}{1000 * seconds:8.0f} ms {seconds / times['Arrow']:6.2f} times Arrow's")


def scoring(tokenize: str) -> None:
    """Corpus scores."""
    options: dict[str, Any] = {"tokenize": tokenize, "workers": 1}
    paths = works.files(SIZE)

    def score(hypotheses: Any, references: Any) -> float:
        return float(vecbleu.corpus_bleu(hypotheses, references, **options))

    def score_files() -> float:
        return float(vecbleu.bleu(vecbleu.file_statistics(*paths, **options).sum()))

    compare_columns(tokenize, score, score_files)


def reading() -> None:
    """The step that differs between formats: text into UTF-8 in one array a block, checked."""
    sources = [*map(Source, works.files(SIZE))]
    options = CountOptions.checked()

    def read(hypotheses: Any, references: Any) -> int:
        packed = (block.pack(options) for block in align(hypotheses, references).blocks())
        return sum(len(block.units.text.used) for block in packed)

    def read_files() -> int:
        return sum(len(block.text().used) for block in read_blocks(sources, FILE_BLOCK_BYTES))

    compare_columns("read only", read, read_files)


def id_batch(title: str, hypotheses: Any, references: Any, pad_id: int | None = None) -> None:
    """Time sentence scores of a batch of ids, and NLTK's loop on the same ids without padding."""
    lists = [[row[row != 0].tolist() for row in side] for side in (hypotheses, references)]
    pairs = [([reference], hypothesis) for hypothesis, reference in zip(*lists, strict=True)]

    def score() -> Any:
        return vecbleu.sentence_bleu(hypotheses, references, pad_id=pad_id)

    functions: Functions = {
        "NLTK": lambda: [nltk_bleu.sentence_bleu(*pair) for pair in pairs],
        "vecbleu": score,
        "vecbleu, calls in a row": lambda: [score() for _ in range(IN_A_ROW)],
    }
    assert np.allclose(functions["NLTK"](), score(), rtol=1e-12)
    times = in_turns(functions, 5 * ROUNDS)
    times["vecbleu, calls in a row"] /= IN_A_ROW
    print(f"{len(hypotheses)} x {hypotheses.shape[1]} ids, {title}, a score each")
    for name, seconds in times.items():
        ratio = times["NLTK"] / seconds
        print(f"  {name:<24}{1000 * seconds:8.2f} ms {ratio:6.1f} times NLTK's speed")


def main() -> None:
    """Print all comparisons."""
    reading()
    scoring("13a")
    scoring("none")
    padded = works.padded_ids(works.BATCH)
    words = padded[1][padded[1] != 0]
    rng = np.random.default_rng(0)
    hypotheses, others = rng.choice(words, (2, works.BATCH, 64))
    references = np.where(rng.random(hypotheses.shape) < 0.7, hypotheses, others)
    id_batch("no padding", hypotheses, references)
    id_batch("three fifths padding", *padded, pad_id=0)


if __name__ == "__main__":
    main()
