"""Time of all libraries on corpora of several sizes: ``pytest benchmarks``.

Every benchmark checks that its result is the one that all libraries agree on.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import pytest
import sacrebleu
import works
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

import vecbleu.nltk
import vecbleu.sacrebleu

try:
    import bleuscore
except ImportError:
    bleuscore = None
try:
    import fast_bleu
except ImportError:
    fast_bleu = None

# NLTK and vecbleu warn of sentences without a 4-gram in common.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SIZES = [100, 1_000, 20_000]
LARGE = 200_000

# Works that are also timed with the largest corpus, where a peer takes up to some minutes. vecbleu
# counts on all cores there, and once more on one.
ALSO_LARGE = (
    "corpus, token lists",
    "corpus, 64 ids a row",
    "corpus, strings, 13a",
    "corpus, 13a, four references",
    "sentence scores, token lists",
)
ONE_PROCESS = "vecbleu, 1 process"

RESULTS: dict[tuple[str, int], Any] = {}  # the first peer's, by work and size


def clear_caches() -> None:
    """Empty sacreBLEU's caches of tokenized lines, which speed up all rounds but the first."""
    peers = (Tokenizer13a, TokenizerChar, TokenizerRegexp, TokenizerV14International, TokenizerZh)
    for peer in peers:
        peer.__call__.cache_clear()


def sacrebleu_score(size: int, tokenize: str) -> float:
    hypotheses, references = works.strings(size, tokenize == "zh")
    scorer = sacrebleu.BLEU(tokenize=tokenize, force=True)
    return float(scorer.corpus_score(hypotheses, [references]).score)


def sacrebleu_four(size: int) -> float:
    scorer = sacrebleu.BLEU(force=True)
    return float(scorer.corpus_score(works.strings(size)[0], works.streams(size)).score)


def sacrebleu_loop(size: int) -> list[float]:
    hypotheses, references = works.strings(size)
    scorer = sacrebleu.BLEU(effective_order=True, force=True)
    pairs = zip(hypotheses, references, strict=True)
    return [scorer.sentence_score(hypothesis, [one]).score for hypothesis, one in pairs]


def bleuscore_score(size: int) -> float:
    if bleuscore is None:
        pytest.skip("bleuscore is not installed")
    hypotheses, references = works.strings(size)
    scored = bleuscore.compute([[line] for line in references], hypotheses, 4, False)
    return 100 * float(scored["bleu"])


def nltk_loop(size: int, **options: Any) -> list[float]:
    score = functools.partial(nltk_bleu.sentence_bleu, **options)
    return [*map(score, *works.tokens(size))]


def nltk_smoothed(size: int, corpus: Callable[[int], works.TokenLists]) -> list[float]:
    smooth = nltk_bleu.SmoothingFunction().method1
    score = functools.partial(nltk_bleu.sentence_bleu, smoothing_function=smooth)
    return [*map(score, *corpus(size))]


def fast_bleu_loop(size: int) -> list[float]:
    """One object for each segment: fast-bleu's objects hold one set of references each."""
    if fast_bleu is None:
        pytest.skip("fast-bleu is not installed")
    references, hypotheses = works.tokens(size)
    pairs = zip(references, hypotheses, strict=True)
    return [fast_bleu.BLEU(own).get_score([hypothesis])[4][0] for own, hypothesis in pairs]


def fast_bleu_shared(size: int) -> list[float]:
    if fast_bleu is None:
        pytest.skip("fast-bleu is not installed")
    references, hypotheses = works.shared_references(size)
    scores: list[float] = fast_bleu.BLEU(references[0]).get_score(hypotheses)[4]
    return scores


def word_count(size: int) -> int:
    """Words in both files, by ``wc``."""
    return int(works.run("wc", "-w", *works.files(size)).split()[-2])


def sacrebleu_command(size: int, tokenize: str) -> float:
    hypothesis, reference = works.files(size)
    options = ("-b", "-w", "14", "--force", "-tok", tokenize)
    command = ("-m", "sacrebleu", reference, "-i", hypothesis, *options)
    return float(works.run(sys.executable, *command))


# Work -> peer -> what is timed; all results are compared with those of the first peer.
PEERS: dict[str, dict[str, Callable[[int], Any]]] = {
    "corpus, token lists": {"nltk": lambda size: nltk_bleu.corpus_bleu(*works.tokens(size))},
    "corpus, 64 ids a row": {"nltk": lambda size: nltk_bleu.corpus_bleu(*works.id_lists(size))},
    "corpus, strings, 13a": {
        "sacrebleu": functools.partial(sacrebleu_score, tokenize="13a"),
        "bleuscore": bleuscore_score,
    },
    **{
        f"corpus, strings, {name}": {"sacrebleu": functools.partial(sacrebleu_score, tokenize=name)}
        for name in ("none", "intl", "char", "zh")
    },
    "corpus, 13a, four references": {"sacrebleu": sacrebleu_four},
    "corpus, 13a, a second system": {
        "sacrebleu": functools.partial(works.second_system, module=sacrebleu)
    },
    "sentence scores, strings, 13a": {"sacrebleu": sacrebleu_loop},
    "sentence scores, token lists": {"nltk": nltk_loop},
    "sentence scores, method1": {
        "nltk": functools.partial(nltk_smoothed, corpus=works.tokens),
        "fast-bleu": fast_bleu_loop,
    },
    works.SHARED_WORK: {
        "nltk": functools.partial(nltk_smoothed, corpus=works.shared_references),
        "fast-bleu": fast_bleu_shared,
    },
}
SINGLE_PROCESS_WORKS: dict[str, Callable[[int], Any]] = {
    "corpus, 64 ids a row": functools.partial(works.id_score, workers=1),
    "corpus, strings, 13a": functools.partial(works.corpus_score, tokenize="13a", workers=1),
    "corpus, 13a, four references": functools.partial(works.four_score, workers=1),
}


def cases() -> Iterator[tuple[str, int, str]]:
    """Combinations of work, size and library; peers come before vecbleu."""
    for work, peers in PEERS.items():
        sizes = [*SIZES, LARGE] if work in ALSO_LARGE else SIZES
        for size in (size for size in sizes if size <= works.MOST_SEGMENTS.get(work, LARGE)):
            also = [ONE_PROCESS] if size == LARGE and work in SINGLE_PROCESS_WORKS else []
            for library in [*peers, "vecbleu", *also]:
                yield work, size, library


def time_rounds(benchmark: Any, function: Callable[[int], Any], size: int, is_slow: bool) -> Any:
    """Time a function on its inputs; return its result. Slow functions have fewer rounds."""
    for make in works.INPUTS:
        make(size)
    rounds = (1 if size == LARGE else 3) if is_slow else 15
    return benchmark.pedantic(
        function, args=(size,), setup=clear_caches, rounds=rounds, warmup_rounds=int(rounds > 1)
    )


@pytest.mark.parametrize(("work", "size", "library"), [*cases()])
def test_work(benchmark, work, size, library):
    benchmark.group = f"{work}, {size} segments"
    benchmark.extra_info.update(work=work, library=library, size=size)
    peers = PEERS[work]
    first = next(iter(peers))
    ours = {"vecbleu": works.WORKS[work], ONE_PROCESS: SINGLE_PROCESS_WORKS.get(work)}
    is_slow = library in peers and size >= works.MOST_SEGMENTS.get(work, SIZES[-1])
    result = time_rounds(benchmark, (peers | ours)[library], size, is_slow)
    if library == first:
        RESULTS[work, size] = result
    expected = RESULTS.get((work, size)) or peers[first](size)
    if library == "bleuscore":  # its own tokenizer and arithmetic
        expected = pytest.approx(expected, rel=1e-3)
    elif library == "fast-bleu":
        expected = pytest.approx(expected, rel=1e-9)
    assert result == expected


@pytest.mark.parametrize("library", ["wc -w", "sacrebleu", "vecbleu", ONE_PROCESS])
@pytest.mark.parametrize("size", [*SIZES, LARGE])
@pytest.mark.parametrize("tokenize", ["none", "13a"])
def test_command_line(benchmark, tokenize, size, library):
    """Whole processes on two files, including the start of Python."""
    if size == LARGE and library == "sacrebleu":
        pytest.skip("takes minutes")
    if size < LARGE and library == ONE_PROCESS:
        pytest.skip("it is the default")
    work = f"command line, {tokenize}"
    benchmark.group = f"{work}, {size} segments"
    benchmark.extra_info.update(work=work, library=library, size=size)
    function = {
        "wc -w": word_count,
        "sacrebleu": functools.partial(sacrebleu_command, tokenize=tokenize),
        "vecbleu": works.WORKS[work],
        ONE_PROCESS: functools.partial(works.command_score, tokenize=tokenize, workers=1),
    }[library]
    result = time_rounds(benchmark, function, size, library == "sacrebleu" and size >= SIZES[-1])
    if library == "wc -w":
        assert result == sum(len(line.split()) for side in works.strings(size) for line in side)
    else:
        assert result == pytest.approx(works.corpus_score(size, tokenize), rel=1e-14)


@pytest.mark.parametrize("library", ["nltk", "vecbleu"])
def test_one_sentence(benchmark, library):
    """One call on one pair of token lists, 25 tokens each."""
    work = works.ONE_SENTENCE
    benchmark.group = work
    benchmark.extra_info.update(work=work, library=library, size=1)
    function = {"nltk": nltk_bleu, "vecbleu": vecbleu.nltk}[library].sentence_bleu
    pair = works.pair_of_25()
    assert benchmark(function, *pair) == nltk_bleu.sentence_bleu(*pair)


@pytest.mark.parametrize("library", ["sacrebleu", "vecbleu"])
def test_one_sentence_score(benchmark, library):
    """One call of the class on strings; vecbleu is slower, by the overhead of NumPy's calls."""
    hypotheses, references = works.strings(1_000)
    work = works.ONE_SENTENCE_SCORE
    benchmark.group = work
    benchmark.extra_info.update(work=work, library=library, size=1)
    module = {"sacrebleu": sacrebleu, "vecbleu": vecbleu.sacrebleu}[library]
    scorer = module.BLEU(effective_order=True)
    pair = hypotheses[0], references[:1]
    result = benchmark.pedantic(
        scorer.sentence_score, args=pair, setup=clear_caches, rounds=500, warmup_rounds=5
    )
    assert result.score == sacrebleu.BLEU(effective_order=True).sentence_score(*pair).score
