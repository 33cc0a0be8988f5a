"""Time and memory as the input grows: ``python benchmarks/growth.py [rows | ratios | sets]``.

Writes nanoseconds per token and peak memory (all processes together) into docs/performance.md: for
files of 10**3 to 10**7 segments (4 GB in the temporary folder), for 1 to 50 references, and for
segments of 10**3 to 10**6 tokens. Every line is the median of three processes. With "rows", only
the second table: what is done with statistics of all segments, each line by one process. With
"ratios", only the third one: how much more a token of wide and of many units takes, in each form
that tokens come in. With "sets", only the last one: Self-BLEU. Linux only.
"""

from __future__ import annotations

import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from corpus import zipf_corpus
from pages import replace_between

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import vecbleu
from vecbleu.cli import main
from vecbleu.core.parallel.pool import close_pools
from vecbleu.significance import bootstrap

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"

_DISTINCT = 100_000  # segments; larger files repeat them

ROUNDS = 3
ROUNDS_OF_RATIOS = 8
SEGMENTS = [10**3, 10**4, 10**5, 10**6, 10**7]
REFERENCES = [1, 2, 5, 10, 20, 50]
WIDTHS = [10**3, 10**4, 10**5, 10**6]
SETS = [10**3, 10**4, 10**5, 10**6]


def write_corpus(folder: Path, segments: int) -> tuple[str, str]:
    """Write hypotheses and references of so many segments to two files."""
    paths = folder / f"{segments}.hyp", folder / f"{segments}.ref"
    for path, lines in zip(paths, zipf_corpus(min(segments, _DISTINCT)), strict=True):
        text = "".join(f"{line}\n" for line in lines)
        with path.open("w", encoding="utf-8") as file:
            for _ in range(max(1, segments // _DISTINCT)):
                file.write(text)
    return str(paths[0]), str(paths[1])


def cases(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Title of each line of the table, and the arguments of the process that measures it."""
    for segments in SEGMENTS:
        paths = write_corpus(folder, segments)
        for workers in ("1", "2"):
            yield f"{segments:,} segments, workers={workers}", ["files", *paths, workers]
        for path in paths:
            Path(path).unlink()
    for references in REFERENCES:
        yield f"1,000 segments, {references} references", ["references", str(references)]
    for width in WIDTHS:
        yield f"{10**6 // width:,} segments of {width:,} tokens", ["width", str(width)]


def count_files(hypothesis: str, reference: str, workers: str) -> int:
    """Score files by the command line; return the number of tokens."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        main([reference, "-i", hypothesis, "--json", "--force", "--workers", workers])
    result = json.loads(printed.getvalue())
    return int(result["hyp_len"] + result["ref_len"])


def _ids(lines: list[str]) -> list[Any]:
    """An array of ids for each line."""
    return [np.array([crc32(word.encode()) for word in line.split()]) for line in lines]


# What users pass for lines whose words are the tokens.
FORMS: dict[str, Callable[[list[str]], list[Any]]] = {
    "`none`": list,
    "`13a`": list,
    "token lists": lambda lines: [line.split() for line in lines],
    "ids": _ids,
}


def _count(form: str, hypotheses: Any, references: Any) -> bool:
    """Count in one process; whether there was anything."""
    options = {"tokenize": form.strip("`")} if FORMS[form] is list else {}
    return bool(len(vecbleu.statistics(hypotheses, references, workers=1, **options)))


def references_of(number: str, form: str = "`none`") -> Callable[[], int]:
    """A function that counts 1,000 segments against many references each."""
    hypotheses, references = zipf_corpus(1_000)
    shifted = [references[shift:] + references[:shift] for shift in range(int(number))]
    tokens = sum(len(line.split()) for side in (hypotheses, *shifted) for line in side)
    own, *others = map(FORMS[form], (hypotheses, *shifted))
    lists = [*zip(*others, strict=True)]
    return lambda: tokens * _count(form, own, lists)


def segments_of(width: str, form: str = "`none`") -> Callable[[], int]:
    """A function that counts a million tokens against a million, in segments of one width."""
    words = " ".join(line for side in zipf_corpus(50_000) for line in side).split()
    size = int(width)
    sides: list[Any] = [
        FORMS[form]([" ".join(words[at : at + size]) for at in range(begin, begin + 10**6, size)])
        for begin in (0, 10**6)
    ]
    if form == "ids":  # not as many small arrays as segments, which take longer than all else
        sides = [*map(vecbleu.Ragged.from_arrays, sides)]
    return lambda: 2 * 10**6 * _count(form, *sides)


def write_rows(hypothesis: str, reference: str, path: str) -> None:
    """Count files into a file of statistics, in one process."""
    with redirect_stdout(io.StringIO()):
        main(["stats", reference, "-i", hypothesis, "-o", path, "--force", "--workers", "1"])


def self_bleu_of(size: str) -> Callable[[], int]:
    """A function that scores sentences against all others of their set."""
    lines, _ = zipf_corpus(int(size))
    tokens = sum(len(line.split()) for line in lines)
    return lambda: tokens * bool(len(vecbleu.self_bleu(lines, tokenize="none", workers=1)))


# What is done with statistics of all segments, given the paths of two texts and the statistics.
ROW_WORKS: dict[str, Callable[[str, str, str], object]] = {
    "`vecbleu stats`": write_rows,
    "`Statistics.load`": lambda _, __, path: vecbleu.Statistics.load(path),
    "`load` and `bootstrap`, 10 resamples": lambda _, __, path: bootstrap(
        vecbleu.Statistics.load(path), n_resamples=10
    ),
}


def measure(kind: str, *arguments: str) -> tuple[float, float]:
    """Count for a second at least: nanoseconds per token, and peak memory in MB.

    What is done with rows is done once: seconds, and peak memory in MB.
    """
    if kind in ROW_WORKS:
        start = time.perf_counter()
        ROW_WORKS[kind](*arguments)
        return time.perf_counter() - start, _peak() / 1024
    makers = {"references": references_of, "width": segments_of, "sets": self_bleu_of}
    if kind == "files":
        work, workers = partial(count_files, *arguments), int(arguments[-1])
    else:
        work, workers = makers[kind](*arguments), 1
    times = []
    while sum(times) < 1:
        start = time.perf_counter()
        tokens = work()
        times.append(time.perf_counter() - start)
    close_pools()  # getrusage knows the peaks only of children that have ended
    children = (workers - 1) * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return 1e9 * statistics.median(times) / tokens, (_peak() + children) / 1024


def _peak() -> int:
    """Peak memory of this process in kilobytes.

    Not by `getrusage`, whose figure for a new process begins at that of the process that forked it.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def table() -> Iterator[str]:
    """Lines of a Markdown table; each case is measured in processes of its own."""
    yield "| input | ns a token | peak, MB |\n|---|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments in cases(Path(folder)):
            command = [sys.executable, __file__, *arguments]
            runs = [
                json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
                for _ in range(ROUNDS)
            ]
            nanoseconds, peak = map(statistics.median, zip(*runs, strict=True))
            yield f"| {title} | {nanoseconds:.0f} | {peak:.0f} |"


def rows_table() -> Iterator[str]:
    """Lines of a Markdown table of what is done with rows."""
    yield "| work | segments | seconds | peak, MB |\n|---|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        for segments in SEGMENTS[2:4]:
            paths = *write_corpus(Path(folder), segments), f"{folder}/rows.npz"
            for title in ROW_WORKS:
                command = [sys.executable, __file__, title, *paths]
                run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
                seconds, peak = json.loads(run.stdout)
                yield f"| {title} | {segments:,} | {seconds:.1f} | {peak:.0f} |"


def sets_table() -> Iterator[str]:
    """Lines of a Markdown table of Self-BLEU; each size is measured in a process of its own."""
    yield "| Self-BLEU of | ns a token | peak, MB |\n|---|--:|--:|"
    for size in SETS:
        command = [sys.executable, __file__, "sets", str(size)]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        nanoseconds, peak = json.loads(run.stdout)
        yield f"| {size:,} sentences | {nanoseconds:.0f} | {peak:.0f} |"


def ratio(few: Callable[[], int], many: Callable[[], int]) -> float:
    """How much longer a token takes in one work than in another, in the median of turns.

    By the time of this process alone: other programs take turns on the machine, too.
    """
    ratios = []
    for _ in range(ROUNDS_OF_RATIOS):
        times = []
        for work in (few, many):
            start = time.process_time()
            tokens = work()
            times.append((time.process_time() - start) / tokens)
        ratios.append(times[1] / times[0])
    return statistics.median(ratios[1:])


def ratios_table() -> Iterator[str]:
    """Lines of a Markdown table of what a token takes, against that of ordinary segments."""
    yield "| input | a segment of 10⁶ tokens against 28 | 50 references against one |"
    yield "|---|--:|--:|"
    for form in FORMS:
        wide = ratio(segments_of("28", form), segments_of("1000000", form))
        many = ratio(references_of("1", form), references_of("50", form))
        yield f"| {form} | {wide:.2f} | {many:.2f} |"


def write_table(name: str, lines: Iterator[str]) -> None:
    """Print the lines of a table as they come, and write them into the page."""
    written = []
    for line in lines:
        print(line, flush=True)
        written.append(line)
    replace_between(PAGE, name, "\n".join(written))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(measure(*sys.argv[1:])))
    else:
        tables = {"growth": table, "rows": rows_table, "ratios": ratios_table, "sets": sets_table}
        for name in sys.argv[1:] or tables:
            write_table(name, tables[name]())
