"""What is timed: inputs of any size, and vecbleu's functions that score them.

Only public functions are used, so that `compare` can time other commits with this file: as a
program, it times the works that are named on standard input.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from timeit import Timer
from typing import Any, NamedTuple

from corpus import chinese_corpus, id_corpus, zipf_corpus

import vecbleu
import vecbleu.huggingface
import vecbleu.nltk
import vecbleu.sacrebleu
from vecbleu.significance import bootstrap, paired_bootstrap

Lines = list[str]
# Makes the arguments of a call: so many segments, and other ones for each number.
Make = Callable[[int, int], tuple[Any, ...]]

POOL = 20_000  # segments from which fewer ones are drawn
SHARED = 100  # references that all segments have
SYSTEMS = 16  # of significance tests
SHARED_WORK = f"sentences, {SHARED} shared references"
PAIRED_WORK = f"paired bootstrap, {SYSTEMS} systems"
LISTS_WORK = "corpus, 13a, lists of one reference"
KEPT_WORK = "corpus, 13a, cached references"
PAIRS_WORK = "all pairs of two sets, 13a"
TESTS_WORK = "command line, -m bleu chrf -pbs, 3 systems"
TER_TESTS_WORK = "command line, -m bleu chrf ter -pbs, 3 systems"
IMPORTS = (
    "import vecbleu; vecbleu.corpus_bleu",
    "import vecbleu.nltk",
    "from vecbleu.sacrebleu import BLEU",
)
FOLDER = tempfile.TemporaryDirectory()  # for files of this process
SCORER = vecbleu.sacrebleu.BLEU(effective_order=True, force=True)


class Work(NamedTuple):
    """Inputs, vecbleu's function of them, and the most segments that it is for."""

    make: Make
    call: Callable[..., Any]
    most: int = 10_000_000


@cache
def _pool(corpus: Callable[[int], tuple[Lines, Lines]], size: int) -> tuple[Lines, Lines]:
    """Make a corpus once."""
    return corpus(size)


def strings(size: int, number: int, corpus: Any = zipf_corpus) -> tuple[Lines, ...]:
    """Make hypotheses and references, of which no line occurs with another number."""
    sides = _pool(corpus, max(size, POOL))
    start = number * size % (len(sides[0]) - size + 1)
    return tuple([f"{line} {number}" for line in side[start : start + size]] for side in sides)


chinese = partial(strings, corpus=chinese_corpus)

# For TER, some blocks of words stand elsewhere; scores and times are about those of WMT's text.
sentences = partial(strings, corpus=partial(zipf_corpus, mean_tokens=20, moved=0.02))
far_sentences = partial(
    strings, corpus=partial(zipf_corpus, mean_tokens=24, replaced=0.45, moved=0.05)
)
paragraphs = partial(strings, corpus=partial(zipf_corpus, mean_tokens=70, moved=0.01))
chinese_sentences = partial(strings, corpus=partial(chinese_corpus, mean_tokens=15, moved=0.02))


def nested(size: int, number: int) -> tuple[Lines, list[Lines]]:
    """Make references in a list of their own each, as bleuscore and evaluate take them."""
    hypotheses, references = strings(size, number)
    return hypotheses, [[line] for line in references]


def streams(size: int, number: int, count: int = 4) -> tuple[Lines, list[Lines]]:
    """Make references in sacreBLEU's layout; all but one of a segment belong to others."""
    hypotheses, references = strings(size, number)
    return hypotheses, [references[shift:] + references[:shift] for shift in range(count)]


def two_references(size: int, number: int) -> tuple[Lines, list[Lines]]:
    """Make a second reference of all words but the first, for TER in sacreBLEU's layout."""
    hypotheses, references = sentences(size, number)
    return hypotheses, [references, [line.partition(" ")[2] for line in references]]


def tokens(size: int, number: int) -> tuple[Any, Any]:
    """Make token lists as NLTK takes them: references, then hypotheses."""
    hypotheses, references = strings(size, number)
    return [[line.split()] for line in references], [line.split() for line in hypotheses]


def shared(size: int, number: int) -> tuple[Any, Any]:
    """Make references that all hypotheses have in common, in NLTK's layout."""
    references, hypotheses = tokens(max(size, SHARED), number)
    return [[own for (own,) in references[:SHARED]]] * size, hypotheses[:size]


def id_lists(size: int, number: int) -> tuple[Any, Any]:
    """Make ids as NLTK takes them: references, then hypotheses, without padding."""
    sides = ([row[row != 0].tolist() for row in side] for side in id_corpus(size, number))
    hypotheses, references = sides
    return [[reference] for reference in references], hypotheses


def columns(size: int, number: int) -> tuple[Any, ...]:
    """Make two columns of Arrow."""
    import pyarrow

    return tuple(map(pyarrow.array, strings(size, number)))


def kept_references(size: int, number: int, module: Any = vecbleu.sacrebleu) -> tuple[Any, Lines]:
    """Make a scorer that has tokenized its references, and the hypotheses of a system."""
    hypotheses, references = strings(size, number)
    return module.BLEU(force=True, references=[references]), hypotheses


def systems(size: int, number: int) -> tuple[list[vecbleu.Statistics]]:
    """Make statistics of systems, each of which lacks another word of the hypotheses."""
    references, hypotheses = tokens(size, number)
    made = []
    for place in range(SYSTEMS):
        lines = [line[:place] + line[place + 1 :] for line in hypotheses]
        made.append(vecbleu.statistics(lines, references))
    return (made,)


def files(size: int, number: int) -> tuple[str, str]:
    """Write hypotheses and references to two files, in the place of earlier ones."""
    paths = Path(FOLDER.name, "hypotheses"), Path(FOLDER.name, "references")
    for path, lines in zip(paths, strings(size, number), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def three_systems(size: int, number: int) -> tuple[str, ...]:
    """Write a file of references, and files of three systems, of which two lack a word."""
    hypotheses, references = files(size, number)
    lines = Path(hypotheses).read_text(encoding="utf-8").splitlines()
    for place in (1, 2):
        words = (line.split() for line in lines)
        text = "".join(f"{' '.join(line[:place] + line[place + 1 :])}\n" for line in words)
        Path(f"{hypotheses}{place}").write_text(text, encoding="utf-8")
    return references, hypotheses, f"{hypotheses}1", f"{hypotheses}2"


def run(*command: str) -> str:
    """Return what a command prints; it imports the vecbleu that this process has imported."""
    environment = os.environ | {"PYTHONPATH": str(Path(vecbleu.__file__).parents[1])}
    # With it, every new process would compile the package, which takes longer than what is timed.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # `python -m` looks for packages in the current directory first.
    return subprocess.check_output(command, text=True, cwd=FOLDER.name, env=environment)


run_python = partial(run, sys.executable, "-c")


def corpus_score(hypotheses: Any, references: Any, **options: Any) -> float:
    """Score a corpus as sacreBLEU does."""
    return vecbleu.corpus_bleu(hypotheses, references, **options).percent


def corpus_chrf(hypotheses: Any, references: Any, **options: Any) -> float:
    """Score a corpus by chrF as sacreBLEU does."""
    return vecbleu.chrf.corpus_chrf(hypotheses, references, **options).percent


def corpus_ter(hypotheses: Any, references: Any, **options: Any) -> float:
    """Score a corpus by TER as sacreBLEU does."""
    return vecbleu.ter.corpus_ter(hypotheses, references, **options).percent


def smoothed_scores(references: Any, hypotheses: Any) -> list[float]:
    """Score sentences with the smoothing that most callers of NLTK choose."""
    smooth = vecbleu.nltk.SmoothingFunction().method1
    batch = vecbleu.nltk.sentence_bleu_batch
    return batch(references, hypotheses, smoothing_function=smooth).tolist()


def accumulated(hypotheses: Any, references: Any) -> list[int]:
    """Add up a batch of padded ids, as a validation loop does."""
    total = vecbleu.Accumulator(ignore_ids=0)
    total.update(hypotheses, references)
    return [int(count) for count in total.state]


def command_score(hypothesis: str, reference: str, tokenize: str = "13a") -> float:
    """Score two files by the command line."""
    command = ["-m", "vecbleu", reference, "-i", hypothesis, "-f", "json", "-w", "14", "--force"]
    return float(json.loads(run(sys.executable, *command, "--tokenize", tokenize))["score"])


def command_tests(
    reference: str, *systems: str, module: str = "vecbleu", metrics: str = "bleu chrf"
) -> str:
    """Test systems against the first one, by several metrics; return the text that is printed."""
    options = ["-m", *metrics.split(), "-pbs", "-f", "text", "--force"]
    return run(sys.executable, "-m", module, reference, "-i", *systems, *options)


LIKE_NLTK: dict[str, Any] = {"smoothing": "none", "weights": (0.25,) * 4}
LIKE_FAST_BLEU: dict[str, Any] = {"smoothing": "floor", "effective_order": False}

WORKS: dict[str, Work] = {
    "corpus, token lists": Work(tokens, vecbleu.nltk.corpus_bleu),
    "corpus, 64 ids a row": Work(
        id_corpus, lambda h, r: float(vecbleu.corpus_bleu(h, r, ignore_ids=0, **LIKE_NLTK))
    ),
    **{
        f"corpus, {name}": Work(strings, partial(corpus_score, tokenize=name))
        for name in ("13a", "none", "intl", "char")
    },
    "corpus, chrF": Work(strings, corpus_chrf),
    "corpus, chrF++": Work(strings, partial(corpus_chrf, word_order=2)),
    "corpus, chrF, Chinese": Work(chinese, corpus_chrf),
    "corpus, chrF, 2 references": Work(
        partial(streams, count=2), lambda h, r: vecbleu.sacrebleu.corpus_chrf(h, r).score
    ),
    "one sentence, chrF": Work(strings, corpus_chrf, 1),
    "corpus, TER": Work(sentences, corpus_ter),
    "corpus, TER, far from the references": Work(far_sentences, corpus_ter),
    "corpus, TER, paragraphs": Work(paragraphs, corpus_ter, 1_000),
    "corpus, TER, Chinese, normalized, asian_support": Work(
        chinese_sentences, partial(corpus_ter, normalized=True, asian_support=True)
    ),
    "corpus, TER, 2 references": Work(
        two_references, lambda h, r: corpus_ter(h, [*zip(*r, strict=True)])
    ),
    "one sentence, TER": Work(sentences, corpus_ter, 1),
    "corpus, zh": Work(chinese, partial(corpus_score, tokenize="zh")),
    LISTS_WORK: Work(nested, partial(corpus_score, smoothing="none")),
    "corpus, Arrow columns": Work(columns, corpus_score),
    "corpus, 4 references": Work(streams, lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, r).score),
    KEPT_WORK: Work(kept_references, lambda scorer, h: scorer.corpus_score(h, None).score),
    "corpus, 3 segments": Work(strings, corpus_score, 3),
    "sentences, 13a": Work(strings, lambda h, r: SCORER.sentence_scores(h, [r]).tolist()),
    "sentences, token lists": Work(tokens, smoothed_scores),
    SHARED_WORK: Work(shared, smoothed_scores, 10_000),
    "one sentence, tokens": Work(tokens, lambda r, h: vecbleu.nltk.sentence_bleu(r[0], h[0]), 1),
    "one sentence, 13a": Work(strings, lambda h, r: SCORER.sentence_score(h[0], r).score, 1),
    "Self-BLEU": Work(
        tokens, lambda _, units: vecbleu.self_bleu(units, **LIKE_FAST_BLEU).tolist(), 3_000
    ),
    PAIRS_WORK: Work(strings, lambda h, r: vecbleu.pairwise_bleu(h, r).ravel().tolist(), 300),
    "bootstrap interval": Work(systems, lambda rows: 100 * bootstrap(rows[0]).mean, 3_000),
    PAIRED_WORK: Work(
        systems, lambda rows: paired_bootstrap(rows, sides=1).p_values[1:].tolist(), 3_000
    ),
    "statistics": Work(strings, vecbleu.statistics),
    "file_statistics": Work(files, vecbleu.file_statistics),
    "file_statistics, 2 processes": Work(files, partial(vecbleu.file_statistics, workers=2)),
    "Accumulator, 256 x 64 ids": Work(id_corpus, accumulated, 256),
    "huggingface.bleu": Work(
        nested, lambda h, r: vecbleu.huggingface.bleu(predictions=h, references=r)
    ),
    "command line, none": Work(files, partial(command_score, tokenize="none")),
    "command line, 13a": Work(files, command_score),
    TESTS_WORK: Work(three_systems, command_tests),
    TER_TESTS_WORK: Work(three_systems, partial(command_tests, metrics="bleu chrf ter")),
    **{program: Work(lambda *_, program=program: (program,), run_python, 0) for program in IMPORTS},
}


def serve() -> None:
    """Answer each ``[work, size, number]`` with its seconds a call and a digest of its result."""
    warnings.simplefilter("ignore")  # sentences without a 4-gram in common
    print(json.dumps(os.path.dirname(vecbleu.__file__)), flush=True)
    for line in sys.stdin:
        name, size, number = json.loads(line)
        work = WORKS[name]
        arguments = work.make(min(size, work.most), number)
        try:
            result = work.call(*arguments)  # warm from here on
        except AttributeError:  # a commit that lacks the function
            print(json.dumps([None, ""]), flush=True)
            continue
        # The repr of statistics has sums only.
        values = result.array.tolist() if isinstance(result, vecbleu.Statistics) else result
        digest = hashlib.sha256(repr(values).encode()).hexdigest()
        seconds = Timer(lambda: work.call(*arguments), "import gc; gc.enable()").timeit  # noqa: B023
        calls = max(1, int(0.1 / seconds(1)))
        print(json.dumps([seconds(calls) / calls, digest]), flush=True)


if __name__ == "__main__":
    serve()
