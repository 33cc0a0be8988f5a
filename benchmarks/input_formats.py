"""Time of layouts, columns and id arrays as inputs: ``python benchmarks/input_formats.py``.

Layouts of references are compared with one flat list, and lists of one reference with bleuscore;
columns of Arrow with lists and files of the same text, batches of ids with NLTK. All run in turns
on one process; times are medians, and results are compared first. ``python
benchmarks/input_formats.py layouts`` is the first part alone.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import numpy as np
import works

import vecbleu
import vecbleu.huggingface
from vecbleu.core.file_corpus import FILE_BLOCK_BYTES
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source
from vecbleu.core.inputs.alignment import align
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
        blocks = align(hypotheses, references).blocks(options)
        return sum(len(block.units.used) for block, _ in blocks)

    def read_files() -> int:
        return sum(len(block.text().used) for block in read_blocks(sources, FILE_BLOCK_BYTES))

    compare_columns("read only", read, read_files)


def objects(values: list[Any]) -> Any:
    """A NumPy array of objects."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


# What makes a layout of one reference a segment.
Layouts = dict[str, Callable[[list[Any]], Any]]
TOKEN_LAYOUTS: Layouts = {
    "flat": list,
    "lists of one": lambda units: [[unit] for unit in units],
    "tuples of one": lambda units: [(unit,) for unit in units],
}
LAYOUTS: Layouts = TOKEN_LAYOUTS | {
    "strings and lists": lambda units: [[unit] if n % 2 else unit for n, unit in enumerate(units)],
    "objects, lists": lambda units: objects([[unit] for unit in units]),
    "objects, 2-D": lambda units: objects(units)[:, None],
    "lists of one array": lambda units: [objects([unit]) for unit in units],
}
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "corpus_bleu": lambda hypotheses, references: (
        vecbleu.corpus_bleu(hypotheses, references, tokenize="none", workers=1).score
    ),
    "corpus_bleu, 13a": lambda hypotheses, references: (
        vecbleu.corpus_bleu(hypotheses, references, workers=1).score
    ),
    "huggingface.bleu": lambda hypotheses, references: vecbleu.huggingface.bleu(
        predictions=hypotheses, references=references
    )["bleu"],
}


def compare_layouts(
    title: str, function: Callable[[Any, Any], Any], sides: Any, layouts: Layouts
) -> None:
    """CPU time of a function on each layout of the same references, made anew for each call."""
    hypotheses, references = sides
    times: dict[str, list[float]] = {name: [] for name in layouts}
    scores = set()
    for _ in range(ROUNDS):
        for name, lay_out in layouts.items():
            made = lay_out(references)
            start = time.process_time()
            scores.add(function(hypotheses, made))
            times[name].append(time.process_time() - start)
            del made
    assert len(scores) == 1
    print(f"{len(hypotheses):,} segments, {title}, one process")
    flat = statistics.median(times["flat"])
    for name, some in times.items():
        seconds = statistics.median(some)
        print(f"  {name:<24}{1000 * seconds:8.0f} ms {flat / seconds:6.2f} of flat's speed")


def layouts() -> None:
    """Layouts of one reference a segment."""
    for size in (SIZE // 10, SIZE):
        for title, function in FUNCTIONS.items():
            compare_layouts(title, function, works.strings(size), LAYOUTS)
        nested, hypotheses = works.tokens(size)
        sides = hypotheses, [unit for (unit,) in nested]
        compare_layouts("token lists", FUNCTIONS["corpus_bleu"], sides, TOKEN_LAYOUTS)


def collector() -> None:
    """What Python's garbage collector takes of a call, while it has millions of lists to follow."""
    hypotheses = [f"the cat sat on mat {number}" for number in range(5 * SIZE)]
    alive = [[number] for number in range(10 * SIZE)]
    score = FUNCTIONS["corpus_bleu"]
    for name in ("flat", "lists of one", "strings and lists", "objects, 2-D"):
        functions = {"on": gc.enable, "off": gc.disable}
        times: dict[str, list[float]] = {switch: [] for switch in functions}
        for _ in range(ROUNDS):
            for switch, change in functions.items():
                made = LAYOUTS[name](hypotheses)
                change()
                start = time.process_time()
                score(hypotheses, made)
                times[switch].append(time.process_time() - start)
                gc.enable()
        ratio = statistics.median(times["on"]) / statistics.median(times["off"])
        print(f"{len(hypotheses):,} segments, {name:<20}{ratio:6.2f} times without the collector")
    assert alive


def against_bleuscore() -> None:
    """Scores of lists of one reference, as bleuscore takes them; its tokens are about 13a's."""
    import bleuscore

    for size in (1_000, SIZE):
        hypotheses, references = works.strings(size)
        nested = [[reference] for reference in references]
        functions: Functions = {
            "bleuscore": partial(bleuscore.compute, nested, hypotheses, 4, False),
            "vecbleu": partial(vecbleu.corpus_bleu, hypotheses, nested, smoothing="none"),
        }
        times = in_turns(functions, ROUNDS if size < SIZE else 2)
        print(f"{size:,} segments, lists of one reference, 13a, all processes")
        for name, seconds in times.items():
            ratio = times["bleuscore"] / seconds
            print(f"  {name:<24}{1000 * seconds:8.1f} ms {ratio:6.1f} times bleuscore's speed")


def id_batch(title: str, hypotheses: Any, references: Any, **options: Any) -> None:
    """Time sentence scores of a batch of ids, and NLTK's loop on the same ids without padding."""
    lists = [[row[row != 0].tolist() for row in side] for side in (hypotheses, references)]
    pairs = [([reference], hypothesis) for hypothesis, reference in zip(*lists, strict=True)]

    def score() -> Any:
        plain: dict[str, Any] = {"smoothing": "none", "effective_order": False}  # as NLTK scores
        return vecbleu.sentence_bleu(hypotheses, references, **plain, **options)

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
    layouts()
    collector()
    against_bleuscore()
    if sys.argv[1:] == ["layouts"]:
        return
    reading()
    scoring("13a")
    scoring("none")
    padded = works.padded_ids(works.BATCH)
    words = padded[1][padded[1] != 0]
    rng = np.random.default_rng(0)
    hypotheses, others = rng.choice(words, (2, works.BATCH, 64))
    references = np.where(rng.random(hypotheses.shape) < 0.7, hypotheses, others)
    id_batch("no padding", hypotheses, references)
    id_batch("three fifths padding", *padded, ignore_ids=0)


if __name__ == "__main__":
    main()
