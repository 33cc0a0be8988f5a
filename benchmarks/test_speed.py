"""Library x size on the same corpora, single thread: ``pytest benchmarks``.

Every benchmark checks that its result is the one all libraries agree on.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import pytest
import sacrebleu
from corpus import chinese_corpus, zipf_corpus
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

import vecbleu
import vecbleu.nltk
import vecbleu.sacrebleu

try:
    import bleuscore
except ImportError:
    bleuscore = None

SIZES = [100, 1_000, 20_000]


@functools.cache
def strings(size: int, chinese: bool = False) -> tuple[list[str], list[str]]:
    """The corpus, of which no line occurs twice."""
    hypotheses, references = chinese_corpus(size) if chinese else zipf_corpus(size)
    assert len({*hypotheses, *references}) == 2 * size
    return hypotheses, references


@functools.cache
def tokens(size: int) -> tuple[list[list[list[str]]], list[list[str]]]:
    """The corpus split at white space, as NLTK takes it."""
    hypotheses, references = strings(size)
    return [[line.split()] for line in references], [line.split() for line in hypotheses]


def forget() -> None:
    """Empty sacreBLEU's caches of tokenized lines: no round may profit from the one before."""
    peers = (Tokenizer13a, TokenizerChar, TokenizerRegexp, TokenizerV14International, TokenizerZh)
    for peer in peers:
        peer.__call__.cache_clear()


def sacrebleu_score(size: int, tokenize: str) -> float:
    hypotheses, references = strings(size, tokenize == "zh")
    scorer = sacrebleu.BLEU(tokenize=tokenize, force=True)
    return float(scorer.corpus_score(hypotheses, [references]).score)


def vecbleu_score(size: int, tokenize: str) -> float:
    corpus = strings(size, tokenize == "zh")
    return vecbleu.corpus_bleu(*corpus, tokenize=tokenize, smoothing="exp").percent


def sacrebleu_loop(size: int) -> list[float]:
    hypotheses, references = strings(size)
    scorer = sacrebleu.BLEU(effective_order=True, force=True)
    pairs = zip(hypotheses, references, strict=True)
    return [scorer.sentence_score(hypothesis, [one]).score for hypothesis, one in pairs]


def vecbleu_sentences(size: int) -> list[float]:
    hypotheses, references = strings(size)
    scorer = vecbleu.sacrebleu.BLEU(effective_order=True, force=True)
    return scorer.sentence_scores(hypotheses, [references]).tolist()


@functools.cache
def with_kept_references(library: str, size: int) -> Any:
    """A scorer that has seen the references, as it is when a second system comes."""
    module = {"sacrebleu": sacrebleu, "vecbleu": vecbleu.sacrebleu}[library]
    return module.BLEU(force=True, references=[strings(size)[1]])


def second_system(library: str, size: int) -> float:
    hypotheses, _ = strings(size)
    return float(with_kept_references(library, size).corpus_score(hypotheses, None).score)


def bleuscore_score(size: int) -> float:
    if bleuscore is None:
        pytest.skip("bleuscore is not installed")
    hypotheses, references = strings(size)
    scored = bleuscore.compute([[line] for line in references], hypotheses, 4, False)
    return 100 * float(scored["bleu"])


def nltk_loop(size: int) -> list[float]:
    references, hypotheses = tokens(size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [*map(nltk_bleu.sentence_bleu, references, hypotheses)]


def vecbleu_batch(size: int) -> list[float]:
    references, hypotheses = tokens(size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return vecbleu.nltk.sentence_bleu_batch(references, hypotheses).tolist()


# work -> library -> what is timed; the first library is the one compared with.
WORKS: dict[str, dict[str, Callable[[int], Any]]] = {
    "corpus, token lists": {
        "nltk": lambda size: nltk_bleu.corpus_bleu(*tokens(size)),
        "vecbleu": lambda size: vecbleu.nltk.corpus_bleu(*tokens(size)),
    },
    "corpus, strings, 13a": {
        "sacrebleu": lambda size: sacrebleu_score(size, "13a"),
        "bleuscore": bleuscore_score,
        "vecbleu": lambda size: vecbleu_score(size, "13a"),
    },
    **{
        f"corpus, strings, {name}": {
            "sacrebleu": functools.partial(sacrebleu_score, tokenize=name),
            "vecbleu": functools.partial(vecbleu_score, tokenize=name),
        }
        for name in ("none", "intl", "char", "zh")
    },
    "corpus, 13a, a second system": {
        library: functools.partial(second_system, library) for library in ("sacrebleu", "vecbleu")
    },
    "sentence scores, strings, 13a": {"sacrebleu": sacrebleu_loop, "vecbleu": vecbleu_sentences},
    "sentence scores, token lists": {"nltk": nltk_loop, "vecbleu": vecbleu_batch},
}
CASES = [(work, library) for work, libraries in WORKS.items() for library in libraries]


@functools.cache
def expected(work: str, size: int) -> Any:
    return next(iter(WORKS[work].values()))(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("work", "library"), CASES)
def test_work(benchmark, work, library, size):
    benchmark.group = f"{work}, {size} segments"
    benchmark.extra_info.update(work=work, library=library, size=size)
    function = WORKS[work][library]
    expected(work, size)
    # About as much time for all libraries, on a machine whose speed drifts.
    rounds = 3 if size > 1_000 and library in ("nltk", "sacrebleu") else 15
    result = benchmark.pedantic(
        function, args=(size,), setup=forget, rounds=rounds, warmup_rounds=1
    )
    if library == "bleuscore":  # its own tokenizer and arithmetic
        assert result == pytest.approx(expected(work, size), rel=1e-3)
    else:
        assert result == expected(work, size)


@pytest.mark.parametrize("library", ["nltk", "vecbleu"])
def test_one_sentence(benchmark, library):
    """One call on one pair of 25 tokens each."""
    references, hypotheses = tokens(1_000)
    pair = next(
        (refs, hypothesis)
        for refs, hypothesis in zip(references, hypotheses, strict=True)
        if len(hypothesis) == len(refs[0]) == 25
        and nltk_bleu.modified_precision(refs, hypothesis, 4)
    )
    benchmark.group = "one sentence_bleu call"
    benchmark.extra_info.update(work="one sentence_bleu call, 25 tokens", library=library, size=1)
    function = {"nltk": nltk_bleu, "vecbleu": vecbleu.nltk}[library].sentence_bleu
    assert benchmark(function, *pair) == nltk_bleu.sentence_bleu(*pair)


@pytest.mark.parametrize("library", ["sacrebleu", "vecbleu"])
def test_one_sentence_score(benchmark, library):
    """One call of the class on strings, where vecbleu loses: its time is NumPy's overhead."""
    hypotheses, references = strings(1_000)
    work = "one BLEU.sentence_score call, 13a"
    benchmark.group = work
    benchmark.extra_info.update(work=work, library=library, size=1)
    module = {"sacrebleu": sacrebleu, "vecbleu": vecbleu.sacrebleu}[library]
    scorer = module.BLEU(effective_order=True)
    pair = hypotheses[0], references[:1]
    result = benchmark.pedantic(
        scorer.sentence_score, args=pair, setup=forget, rounds=500, warmup_rounds=5
    )
    assert result.score == sacrebleu.BLEU(effective_order=True).sentence_score(*pair).score
