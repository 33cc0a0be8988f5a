"""What is timed, without any peer: inputs of any size, and vecbleu's way to their result.

As a program it is one side of `compare`: it times works that are named on standard input.
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
import vecbleu.nltk
import vecbleu.sacrebleu

Strings = tuple[list[str], list[str]]
TokenLists = tuple[list[list[list[Any]]], list[list[Any]]]

SHARED = 100  # references that all segments have, for self-BLEU
SHARED_WORK = f"sentence scores, {SHARED} shared references"
MOST_SEGMENTS = {SHARED_WORK: 1_000}
ONE_SENTENCE = "one sentence_bleu call, 25 tokens"


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
    """Four references of each segment, as sacreBLEU takes them: further ones are of others."""
    references = strings(size)[1]
    return [references[shift:] + references[:shift] for shift in range(4)]


@functools.cache
def four_references(size: int) -> list[tuple[str, ...]]:
    """The same as vecbleu takes them."""
    return [*zip(*streams(size), strict=True)]


@functools.cache
def shared_references(size: int) -> TokenLists:
    """All segments against the same references, as for self-BLEU."""
    references, hypotheses = tokens(size)
    shared = [reference for (reference,) in references[:SHARED]]
    return [shared] * size, hypotheses


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
    """Where files lie until this process ends."""
    return tempfile.TemporaryDirectory()


# What is made once for each size, and is no part of anybody's time.
INPUTS: list[Callable[[int], Any]] = [strings, tokens, padded_ids, id_lists, four_references, files]


def run(*command: str) -> str:
    """What a command prints; it imports the vecbleu that this process has imported."""
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
    return vecbleu.corpus_bleu(*padded_ids(size), pad_id=0, weights=(0.25,) * 4, **options).score


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
    """A scorer of the references, as it is when a second system comes."""
    return module.BLEU(force=True, references=[strings(size)[1]])


def second_system(size: int, module: Any = vecbleu.sacrebleu) -> float:
    scorer = scorer_with_references(module, size)
    return float(scorer.corpus_score(strings(size)[0], None).score)


@functools.cache
def pair_of_25() -> tuple[list[list[str]], list[str]]:
    """The first segment with 25 tokens on either side, and something to score in it."""
    return next(
        (references, hypothesis)
        for references, hypothesis in zip(*tokens(1_000), strict=True)
        if len(hypothesis) == len(references[0]) == 25
        and vecbleu.nltk.modified_precision(references, hypothesis, 4)
    )


OURS: dict[str, Callable[[int], Any]] = {
    "corpus, token lists": lambda size: vecbleu.nltk.corpus_bleu(*tokens(size)),
    "corpus, 64 ids a row": id_score,
    **{
        f"corpus, strings, {name}": functools.partial(corpus_score, tokenize=name)
        for name in ("13a", "none", "intl", "char", "zh")
    },
    "corpus, 13a, four references": four_score,
    "corpus, 13a, a second system": second_system,
    "sentence scores, strings, 13a": sentence_scores,
    "sentence scores, token lists": sentence_batch,
    "sentence scores, method1": functools.partial(smoothed_batch, corpus=tokens),
    SHARED_WORK: functools.partial(smoothed_batch, corpus=shared_references),
    "command line, none": functools.partial(command_score, tokenize="none"),
    "command line, 13a": functools.partial(command_score, tokenize="13a"),
    ONE_SENTENCE: lambda _: float(vecbleu.nltk.sentence_bleu(*pair_of_25())),
}


def serve() -> None:
    """Answer each ``[work, size]`` with its seconds a call and a digest of its result."""
    warnings.simplefilter("ignore")  # sentences without a 4-gram in common
    print(json.dumps(os.path.dirname(vecbleu.__file__)), flush=True)
    for line in sys.stdin:
        work, size = json.loads(line)
        function = OURS[work]
        digest = hashlib.sha256(repr(function(size)).encode()).hexdigest()  # warm from here on
        calls = max(1, int(0.1 / _seconds(function, size, 1)))
        print(json.dumps([_seconds(function, size, calls), digest]), flush=True)


def _seconds(function: Callable[[int], Any], size: int, calls: int) -> float:
    """Seconds a call."""
    start = time.perf_counter()
    for _ in range(calls):
        function(size)
    return (time.perf_counter() - start) / calls


if __name__ == "__main__":
    serve()
