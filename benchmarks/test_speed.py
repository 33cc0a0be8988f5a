"""vecbleu against its peers, on the inputs that the peers' users have: ``pytest benchmarks``.

``pytest benchmarks -k nltk`` is the benchmark against NLTK. Every round has new segments, which no
cache knows, and the last round's result has to be the peer's. vecbleu counts in one process, and
200,000 segments also in two; a test that is said to have one may use one core, all others two.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import nltk.translate.bleu_score as nltk_bleu
import pytest
import sacrebleu
import works
from sacrebleu import significance
from works import (
    KEPT_WORK,
    LISTS_WORK,
    PAIRED_WORK,
    PAIRS_WORK,
    POOL,
    SHARED_WORK,
    TER_TESTS_WORK,
    TESTS_WORK,
    WORKS,
    Lines,
    Make,
)

SMALL, LARGE = [1, 10, 1_000], [20_000, 200_000]
PROCESSES = {1: 0, 2: LARGE[-1]}  # of vecbleu, and the segments from which on it has them
SCORER = sacrebleu.BLEU(effective_order=True, force=True)
SECONDS = 10  # of rounds, about; what takes longer has one
THREADED = ("bleuscore", "fast_bleu")  # peers that use all cores, and need not be installed
bleuscore, fast_bleu = (import_module(name) if find_spec(name) else None for name in THREADED)

CORES = sorted(os.sched_getaffinity(0))
RESULTS: dict[tuple[str, str, int], Any] = {}  # of peers, by work and size


class Pair(NamedTuple):
    """A peer, its call for one of vecbleu's works, and what they are compared on."""

    peer: str
    work: str
    call: Callable[..., Any]
    sizes: list[int]
    make: Make | None = None  # the peer's inputs, if they aren't vecbleu's
    tolerance: float | None = 0.0  # relative; None if results can't be compared


def sacrebleu_score(hypotheses: Lines, references: Lines, tokenize: str = "13a") -> float:
    """Score a corpus by the function that most programs call."""
    return float(sacrebleu.corpus_bleu(hypotheses, [references], tokenize=tokenize).score)


def sacrebleu_chrf(hypotheses: Lines, references: Lines, word_order: int = 0) -> float:
    return float(sacrebleu.corpus_chrf(hypotheses, [references], word_order=word_order).score)


def sacrebleu_chrf_streams(hypotheses: Lines, streams: list[Lines]) -> float:
    return float(sacrebleu.corpus_chrf(hypotheses, streams).score)


def sacrebleu_ter(hypotheses: Lines, references: Lines, **options: bool) -> float:
    return float(sacrebleu.corpus_ter(hypotheses, [references], **options).score)


def sacrebleu_ter_streams(hypotheses: Lines, streams: list[Lines]) -> float:
    return float(sacrebleu.corpus_ter(hypotheses, streams).score)


def sacrebleu_streams(hypotheses: Lines, streams: list[Lines]) -> float:
    return float(sacrebleu.corpus_bleu(hypotheses, streams).score)


def sacrebleu_sentences(hypotheses: Lines, references: Lines) -> list[float]:
    score = SCORER.sentence_score
    pairs = zip(hypotheses, references, strict=True)
    return [score(hypothesis, [reference]).score for hypothesis, reference in pairs]


def sacrebleu_matrix(hypotheses: Lines, references: Lines) -> list[float]:
    score = SCORER.sentence_score
    return [score(one, [other]).score / 100 for one in hypotheses for other in references]


def sacrebleu_command(hypothesis: str, reference: str) -> float:
    command = ["-m", "sacrebleu", reference, "-i", hypothesis, "-b", "-w", "14", "--force"]
    return float(works.run(sys.executable, *command))


def nltk_loop(references: Any, hypotheses: Any) -> list[float]:
    smooth = nltk_bleu.SmoothingFunction().method1
    score = partial(nltk_bleu.sentence_bleu, smoothing_function=smooth)
    return [*map(score, references, hypotheses)]


def bleuscore_score(hypotheses: Lines, references: list[Lines]) -> float:
    """Score a corpus; bleuscore has a tokenizer of its own, which is about 13a."""
    return float(100 * bleuscore.compute(references, hypotheses, 4, False)["bleu"])


def fast_bleu_shared(references: Any, hypotheses: Any) -> Any:
    return fast_bleu.BLEU(references[0]).get_score(hypotheses)[4]


def fast_bleu_set(_: Any, units: Any) -> Any:
    return fast_bleu.SelfBLEU(units).get_score()[4]


class Counted(sacrebleu.BLEU):  # type: ignore[misc]
    """sacreBLEU's metric, given rows that are counted already in place of text."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses


def counted(size: int, number: int) -> tuple[Counted, list[tuple[str, Any]]]:
    """Make a metric, and the rows of all systems by name."""
    (tables,) = works.systems(size, number)
    rows = [(str(place), table.array.tolist()) for place, table in enumerate(tables)]
    return Counted(force=True, references=[["x"] * size]), rows


def sacrebleu_interval(metric: Counted, systems: Any) -> Any:
    """Score 1,000 resamples of one system: their mean."""
    scores = significance._bootstrap_resample(systems[0][1], metric, 1_000)[1]
    return significance.estimate_ci([one.score for one in scores])[0]


def sacrebleu_paired(metric: Counted, systems: Any) -> list[float | None]:
    """Test all systems against the first one: p-values."""
    test = significance.PairedTest(systems, {"BLEU": metric}, None, "bs")
    return [one.p_value for one in test()[1]["BLEU"][1:]]


word_count = partial(works.run, "wc", "-w")
sacrebleu_tests = partial(works.command_tests, module="sacrebleu")
sacrebleu_ter_tests = partial(sacrebleu_tests, metrics="bleu chrf ter")
sacrebleu_ter_chinese = partial(sacrebleu_ter, normalized=True, asian_support=True)
sacrebleu_kept = partial(works.kept_references, module=sacrebleu)

PAIRS = [
    Pair("nltk", "corpus, token lists", nltk_bleu.corpus_bleu, SMALL + LARGE),
    Pair("nltk", "corpus, 64 ids a row", nltk_bleu.corpus_bleu, LARGE[:1], works.id_lists),
    Pair("nltk", "sentences, token lists", nltk_loop, [1, 1_000, *LARGE[:1]]),
    Pair("nltk", SHARED_WORK, nltk_loop, [1_000]),
    Pair("nltk", "one sentence, tokens", lambda r, h: nltk_bleu.sentence_bleu(r[0], h[0]), [1]),
    Pair("sacrebleu", "corpus, 13a", sacrebleu_score, SMALL + LARGE),
    *(
        Pair("sacrebleu", f"corpus, {name}", partial(sacrebleu_score, tokenize=name), LARGE[:1])
        for name in ("none", "intl", "char", "zh")
    ),
    Pair("sacrebleu", "corpus, chrF", sacrebleu_chrf, [1_000, *LARGE]),
    Pair("sacrebleu", "corpus, chrF++", partial(sacrebleu_chrf, word_order=2), LARGE[:1]),
    Pair("sacrebleu", "corpus, chrF, Chinese", sacrebleu_chrf, LARGE[:1]),
    Pair("sacrebleu", "corpus, chrF, 2 references", sacrebleu_chrf_streams, LARGE[:1]),
    Pair("sacrebleu", "one sentence, chrF", sacrebleu_chrf, [1]),
    Pair("sacrebleu", "corpus, TER", sacrebleu_ter, [100, 2_000]),
    Pair("sacrebleu", "corpus, TER, 2 references", sacrebleu_ter_streams, [2_000]),
    Pair("sacrebleu", "corpus, TER, far from the references", sacrebleu_ter, [2_000]),
    Pair("sacrebleu", "corpus, TER, paragraphs", sacrebleu_ter, [500]),
    Pair(
        "sacrebleu",
        "corpus, TER, Chinese, normalized, asian_support",
        sacrebleu_ter_chinese,
        [2_000],
    ),
    Pair("sacrebleu", "one sentence, TER", sacrebleu_ter, [1]),
    Pair("sacrebleu", "corpus, 4 references", sacrebleu_streams, LARGE[:1]),
    Pair("sacrebleu", KEPT_WORK, WORKS[KEPT_WORK].call, LARGE[:1], sacrebleu_kept),
    Pair("sacrebleu", "sentences, 13a", sacrebleu_sentences, [1_000, *LARGE[:1]]),
    Pair("sacrebleu", "one sentence, 13a", lambda h, r: SCORER.sentence_score(h[0], r).score, [1]),
    Pair("sacrebleu", "command line, 13a", sacrebleu_command, [5, 1_000, *LARGE], tolerance=1e-13),
    Pair("sacrebleu", TESTS_WORK, sacrebleu_tests, [2_000], tolerance=None),
    Pair("sacrebleu", TER_TESTS_WORK, sacrebleu_ter_tests, [2_000], tolerance=None),
    Pair("sacrebleu", PAIRS_WORK, sacrebleu_matrix, [300], tolerance=1e-13),
    Pair("sacrebleu", "bootstrap interval", sacrebleu_interval, [3_000], counted, 1e-8),
    Pair("sacrebleu", PAIRED_WORK, sacrebleu_paired, [3_000], counted),
    Pair("bleuscore", LISTS_WORK, bleuscore_score, SMALL + LARGE, None, 1e-3),
    Pair("fast_bleu", SHARED_WORK, fast_bleu_shared, [1_000, 10_000], None, 1e-9),
    Pair("fast_bleu", "Self-BLEU", fast_bleu_set, [3_000], None, 1e-9),
    Pair("wc", "command line, none", word_count, LARGE, tolerance=None),
    *(
        Pair("numpy", program, works.run_python, [0], lambda *_: ("import numpy",))
        for program in works.IMPORTS
    ),
]


def pytest_generate_tests(metafunc: Any) -> None:
    """Make tests of each pair and size: the peer's first, then vecbleu's."""
    most = metafunc.config.getoption("segments")
    cases = {}
    for pair in PAIRS:
        for size in sorted({size if most is None else min(size, most) for size in pair.sizes}):
            name = f"{pair.peer}-{pair.work}-{size}"
            cases[f"{name}-{pair.peer}"] = pair, size, 0
            for processes, least in PROCESSES.items():
                if size >= least and processes <= len(CORES):
                    cases[f"{name}-vecbleu, processes: {processes}"] = pair, size, processes
    metafunc.parametrize(("pair", "size", "processes"), cases.values(), ids=cases)


def time_rounds(benchmark: Any, call: Callable[..., Any], make: Make, size: int) -> Any:
    """Time a call on new segments in every round; return the result of the last."""
    few = size // 10 if size > 1_000 else size
    call(*make(few, 1_000))  # imports, and memory
    arguments = make(few, 1_001)
    start = time.perf_counter()
    call(*arguments)
    seconds = (time.perf_counter() - start) * (size / few if few else 1)
    most = 101 if size <= 100 else 15 if size <= POOL else 7
    rounds = 1 if seconds > SECONDS else min(most, max(3, int(SECONDS / seconds)))
    numbers = iter(range(1 if benchmark.disabled else rounds)[::-1])  # 0 is the last of all sides
    return benchmark.pedantic(call, setup=lambda: (make(size, next(numbers)), {}), rounds=rounds)


def test_speed(benchmark: Any, request: Any, pair: Pair, size: int, processes: int) -> None:
    """Time one side of a pair; processes are 0 for the peer's."""
    if pair.peer in THREADED:
        pytest.importorskip(pair.peer)
    cores = CORES[: processes or max(PROCESSES)]  # vecbleu starts no more processes than these
    os.sched_setaffinity(0, cores)
    request.addfinalizer(lambda: os.sched_setaffinity(0, CORES))
    threads = f"{len(cores)} threads" if pair.peer in THREADED else "1"
    benchmark.group = f"{pair.work}, {size:,} segments, {pair.peer}"
    benchmark.extra_info |= {
        "work": pair.work,
        "size": size,
        "peer": pair.peer,
        "side": "vecbleu" if processes else pair.peer,
        "processes": str(processes or threads),
    }
    work, key = WORKS[pair.work], (pair.peer, pair.work, size)
    peers_make = pair.make or work.make
    if not processes:
        RESULTS[key] = time_rounds(benchmark, pair.call, peers_make, size)
        return
    result = time_rounds(benchmark, work.call, work.make, size)
    expected = RESULTS[key] if key in RESULTS else pair.call(*peers_make(size, 0))
    if pair.tolerance:
        expected = pytest.approx(expected, rel=pair.tolerance, abs=0)
    assert result == expected or pair.tolerance is None
