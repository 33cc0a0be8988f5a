"""The works that are timed: inputs of any size, and vecbleu's functions that score them.

Only public functions are used, so that `compare` can run this file against other commits: as a
program it times the works that are named on standard input.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus import chinese_corpus, id_corpus, zipf_corpus

import vecbleu
import vecbleu.huggingface
import vecbleu.nltk
import vecbleu.sacrebleu
from vecbleu.significance import bootstrap, paired_bootstrap

Strings = tuple[list[str], list[str]]
TokenLists = tuple[list[list[list[Any]]], list[list[Any]]]

SHARED = 100  # references that all segments have, for self-BLEU
SHARED_WORK = f"sentence scores, {SHARED} shared references"
INTERVAL = "bootstrap interval, 1,000 resamples"
PAIRED_TESTS = "paired bootstrap, 4 systems, 1,000 resamples"
MOST_SEGMENTS = {SHARED_WORK: 1_000, INTERVAL: 3_000, PAIRED_TESTS: 3_000}
ONE_SENTENCE = "one sentence_bleu call, 25 tokens"
ONE_SENTENCE_SCORE = "one BLEU.sentence_score call, 13a"

BATCH = 256  # rows of ids that are scored at a time while a model trains
FEW = 3  # segments of a call whose time is mostly that of the call itself


@functools.cache
def strings(size: int, chinese: bool = False) -> Strings:
    """The corpus, hypotheses and references, of which no line occurs twice."""
    hypotheses, references = chinese_corpus(size) if chinese else zipf_corpus(size)
    assert len({*hypotheses, *references}) == 2 * size
    return hypotheses, references


@functools.cache
def tokens(size: int) -> TokenLists:
    """The corpus split at white space, as NLTK takes it: references, then hypotheses."""
    hypotheses, references = strings(size)
    return [[line.split()] for line in references], [line.split() for line in hypotheses]


@functools.cache
def padded_ids(size: int) -> tuple[Any, Any]:
    """Hypotheses and references as arrays 64 tokens wide; 0 is padding."""
    return id_corpus(size)


@functools.cache
def id_lists(size: int) -> TokenLists:
    """The same ids as NLTK takes them."""
    hypotheses, references = (
        [row[row != 0].tolist() for row in array] for array in padded_ids(size)
    )
    return [[reference] for reference in references], hypotheses


@functools.cache
def streams(size: int) -> list[list[str]]:
    """Four references for each segment, in sacreBLEU's layout; three are other segments' own."""
    references = strings(size)[1]
    return [references[shift:] + references[:shift] for shift in range(4)]


@functools.cache
def four_references(size: int) -> list[tuple[str, ...]]:
    """The same in vecbleu's layout."""
    return [*zip(*streams(size), strict=True)]


@functools.cache
def shared_references(size: int) -> TokenLists:
    """All segments against the same references, as for self-BLEU."""
    references, hypotheses = tokens(size)
    shared = [reference for (reference,) in references[:SHARED]]
    return [shared] * size, hypotheses


@functools.cache
def arrow_columns(size: int) -> tuple[Any, Any]:
    """The corpus as two columns of Arrow."""
    import pyarrow

    hypotheses, references = strings(size)
    return pyarrow.array(hypotheses), pyarrow.array(references)


@functools.cache
def nested_references(size: int) -> list[list[str]]:
    """References of the corpus, each in a list of its own."""
    return [[reference] for reference in strings(size)[1]]


@functools.cache
def system_statistics(size: int) -> list[vecbleu.Statistics]:
    """Statistics of four systems, each of which drops other words of the hypotheses."""
    hypotheses, references = strings(size)
    systems = []
    for system in range(4):
        lines = [line.split() for line in hypotheses]
        for line in lines:
            del line[system :: 7 - system]
        systems.append(vecbleu.statistics(lines, [line.split() for line in references]))
    return systems


@functools.cache
def files(size: int) -> tuple[str, str]:
    """The corpus in two files."""
    folder = Path(_folder().name)
    paths = folder / f"{size}.hyp", folder / f"{size}.ref"
    for path, lines in zip(paths, strings(size), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(paths[0]), str(paths[1])


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for files that is removed when this process ends."""
    return tempfile.TemporaryDirectory()


# Inputs that are made once for each size, before anything is timed.
INPUTS: list[Callable[[int], Any]] = [strings, tokens, padded_ids, id_lists, four_references, files]


def run(*command: str) -> str:
    """Return what a command prints; it imports the vecbleu that this process has imported."""
    package = str(Path(vecbleu.__file__).parent.parent)
    return subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_folder().name,  # `python -m` looks for packages there first
        env=os.environ | {"PYTHONPATH": package},
    ).stdout


def corpus_score(size: int, tokenize: str, **options: Any) -> float:
    corpus = strings(size, tokenize == "zh")
    return vecbleu.corpus_bleu(*corpus, tokenize=tokenize, smoothing="exp", **options).percent


def id_score(size: int, **options: Any) -> float:
    nltks: dict[str, Any] = {"weights": (0.25,) * 4, "smoothing": "none"}
    return vecbleu.corpus_bleu(*padded_ids(size), ignore_ids=0, **nltks, **options).score


def four_score(size: int, **options: Any) -> float:
    hypotheses, references = strings(size)[0], four_references(size)
    return vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options).percent


def command_score(size: int, tokenize: str, workers: int | None = None) -> float:
    hypothesis, reference = files(size)
    command = [sys.executable, "-m", "vecbleu", reference, "-i", hypothesis, "--json", "--force"]
    command += ["--tokenize", tokenize, *(["--workers", str(workers)] if workers else [])]
    return float(json.loads(run(*command))["score"])


def sentence_scores(size: int) -> list[float]:
    hypotheses, references = strings(size)
    scorer = vecbleu.sacrebleu.BLEU(effective_order=True, force=True)
    return scorer.sentence_scores(hypotheses, [references]).tolist()


def sentence_batch(size: int) -> list[float]:
    return vecbleu.nltk.sentence_bleu_batch(*tokens(size)).tolist()


def smoothed_batch(size: int, corpus: Callable[[int], TokenLists]) -> list[float]:
    smooth = vecbleu.nltk.SmoothingFunction().method1
    scores = vecbleu.nltk.sentence_bleu_batch(*corpus(size), smoothing_function=smooth)
    return scores.tolist()


@functools.cache
def scorer_with_references(module: Any, size: int) -> Any:
    """A scorer that has tokenized its references already."""
    return module.BLEU(force=True, references=[strings(size)[1]])


def second_system(size: int, module: Any = vecbleu.sacrebleu) -> float:
    scorer = scorer_with_references(module, size)
    return float(scorer.corpus_score(strings(size)[0], None).score)


@functools.cache
def pair_of_25() -> tuple[list[list[str]], list[str]]:
    """The first segment with 25 tokens on either side and a match of every order."""
    return next(
        (references, hypothesis)
        for references, hypothesis in zip(*tokens(1_000), strict=True)
        if len(hypothesis) == len(references[0]) == 25
        and vecbleu.nltk.modified_precision(references, hypothesis, 4)
    )


def sentence_score() -> float:
    """Score one pair of strings by sacreBLEU's class, all of whose options are checked already."""
    hypotheses, references = strings(1_000)
    return float(_sentence_scorer().sentence_score(hypotheses[0], references[:1]).score)


@functools.cache
def _sentence_scorer() -> vecbleu.sacrebleu.BLEU:
    return vecbleu.sacrebleu.BLEU(effective_order=True)


def few_segments(function: Callable[..., Any], segments: int) -> Any:
    """Call a function of vecbleu on so many pairs of strings."""
    hypotheses, references = strings(1_000)
    return function(hypotheses[:segments], references[:segments], smoothing="exp")


def column_score(size: int) -> float:
    return vecbleu.corpus_bleu(*arrow_columns(size), smoothing="exp").percent


def nested_score(size: int) -> float:
    hypotheses = strings(size)[0]
    return vecbleu.corpus_bleu(hypotheses, nested_references(size), smoothing="exp").percent


def rows(size: int) -> vecbleu.Statistics:
    return vecbleu.statistics(*strings(size))


def file_rows(size: int, workers: int) -> vecbleu.Statistics:
    return vecbleu.file_statistics(*files(size), workers=workers)


def batch_updates(size: int) -> list[int]:
    """Add up batches of padded ids, as a validation loop does."""
    hypotheses, references = padded_ids(size)
    total = vecbleu.Accumulator(ignore_ids=0)
    for start in range(0, size, BATCH):
        batch = slice(start, start + BATCH)
        total.update(hypotheses[batch], references[batch])
    return [int(count) for count in total.state]


def metric_of_evaluate(size: int) -> dict[str, Any]:
    hypotheses, references = strings(size)
    return vecbleu.huggingface.bleu(predictions=hypotheses, references=references)


def first_score() -> float:
    """Import vecbleu and score one segment in a new process."""
    program = "import vecbleu; print(vecbleu.corpus_bleu(['a b c d e'], ['a b c d f']).percent)"
    return float(run(sys.executable, "-c", program))


# Name -> what is timed, for so many segments; the works of one call ignore the number.
WORKS: dict[str, Callable[[int], Any]] = {
    "corpus, token lists": lambda size: vecbleu.nltk.corpus_bleu(*tokens(size)),
    "corpus, 64 ids a row": id_score,
    **{
        f"corpus, strings, {name}": functools.partial(corpus_score, tokenize=name)
        for name in ("13a", "none", "intl", "char", "zh")
    },
    "corpus, Arrow columns": column_score,
    "corpus, nested one-reference lists": nested_score,
    "corpus, 13a, four references": four_score,
    "corpus, 13a, a second system": second_system,
    "sentence scores, strings, 13a": sentence_scores,
    "sentence scores, token lists": sentence_batch,
    "sentence scores, method1": functools.partial(smoothed_batch, corpus=tokens),
    SHARED_WORK: functools.partial(smoothed_batch, corpus=shared_references),
    "statistics, strings, 13a": rows,
    "file_statistics, 1 worker": functools.partial(file_rows, workers=1),
    "file_statistics, 2 workers": functools.partial(file_rows, workers=2),
    INTERVAL: lambda size: bootstrap(system_statistics(size)[0]).to_dict(),
    PAIRED_TESTS: lambda size: paired_bootstrap(system_statistics(size)).to_dict(),
    f"Accumulator, batches of {BATCH} x 64 ids": batch_updates,
    "huggingface.bleu": metric_of_evaluate,
    "command line, none": functools.partial(command_score, tokenize="none"),
    "command line, 13a": functools.partial(command_score, tokenize="13a"),
    "import and first corpus_bleu": lambda _: first_score(),
    ONE_SENTENCE: lambda _: float(vecbleu.nltk.sentence_bleu(*pair_of_25())),
    ONE_SENTENCE_SCORE: lambda _: sentence_score(),
    "one vecbleu.sentence_bleu call, 13a": lambda _: few_segments(
        vecbleu.sentence_bleu, 1
    ).tolist(),
    f"one corpus_bleu call, {FEW} segments": lambda _: (
        few_segments(vecbleu.corpus_bleu, FEW).percent
    ),
}


def serve() -> None:
    """Answer each ``[work, size]`` with its seconds a call and a digest of its result."""
    warnings.simplefilter("ignore")  # sentences without a 4-gram in common
    print(json.dumps(os.path.dirname(vecbleu.__file__)), flush=True)
    for line in sys.stdin:
        work, size = json.loads(line)
        function = WORKS[work]
        digest = _digest(function(size))  # warm from here on
        calls = max(1, int(0.1 / _seconds(function, size, 1)))
        print(json.dumps([_seconds(function, size, calls), digest]), flush=True)


def _digest(result: Any) -> str:
    """A digest that differs where any bit of the result does."""
    if isinstance(result, vecbleu.Statistics):  # its repr has sums only
        result = result.array.tolist()
    return hashlib.sha256(repr(result).encode()).hexdigest()


def _seconds(function: Callable[[int], Any], size: int, calls: int) -> float:
    """Seconds a call."""
    start = time.perf_counter()
    for _ in range(calls):
        function(size)
    return (time.perf_counter() - start) / calls


if __name__ == "__main__":
    serve()
