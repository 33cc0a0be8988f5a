"""Time and memory as the input grows: ``python benchmarks/growth.py [--most SEGMENTS]``.

``--neighbors`` measures `nearest` instead.

Writes a table into docs/speed.md. Every line is measured in a process of its own, whose calls
take a second at least: the median call, and the most memory of it and its workers together. The
temporary folder needs 4 GB, or less with ``--most``. Linux only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from corpus import zipf_corpus
from table import ROOT, replace_between

import vecbleu
from vecbleu.cli import main as run_command
from vecbleu.significance import bootstrap

DISTINCT = 100_000  # segments; larger files repeat them


def count_files(hypothesis: str, reference: str, tokenize: str, workers: str) -> int:
    """Score two files by the command line; return their tokens, as all these functions do."""
    command = [reference, "-i", hypothesis, "--json", "--force", "--tokenize", tokenize]
    with redirect_stdout(StringIO()) as printed:
        run_command([*command, "--workers", workers])
    (result,) = json.loads(printed.getvalue())
    return int(result["hyp_len"] + result["ref_len"])


def count_rows(hypothesis: str, reference: str) -> int:
    """Count two files with a row for each line, and compute an interval."""
    rows = vecbleu.file_statistics(hypothesis, reference, workers=1)
    bootstrap(rows, n_resamples=10)
    return int(rows.array[:, :2].sum())


@cache
def units(segments: str, words: str, references: str, form: str) -> tuple[list[Any], list[Any]]:
    """Make segments of so many words each, and their references."""
    width, sides = int(words), 1 + int(references)
    text = " ".join(zipf_corpus(DISTINCT)[0]).split()
    text *= 1 + int(segments) * width * sides // len(text)
    starts = range(0, int(segments) * width * sides, width)
    made = [text[start : start + width] for start in starts]
    if form != "token lists":
        made = [" ".join(words) for words in made]
    hypotheses, *others = (made[side::sides] for side in range(sides))
    return hypotheses, [*zip(*others, strict=True)]


def count_strings(segments: str, words: str, references: str, form: str) -> int:
    """Count segments of so many words, with so many references each, in one process."""
    options: dict[str, Any] = {"tokenize": form} if form != "token lists" else {}
    vecbleu.statistics(*units(segments, words, references, form), workers=1, **options)
    return int(segments) * int(words) * (1 + int(references))


def count_set(size: str) -> int:
    """Score sentences against all others of their set."""
    vecbleu.self_bleu(units(size, "28", "0", "none")[0], tokenize="none", workers=1)
    return 28 * int(size)


@cache
def noisy_copies(size: str) -> tuple[list[str], list[str]]:
    """Make sentences, and a noisy copy of each."""
    return zipf_corpus(int(size))


def count_neighbors(number: str, size: str, k: str) -> int:
    """Look up noisy copies of some sentences among all, with the default options."""
    hypotheses, references = noisy_copies(size)
    vecbleu.nearest(hypotheses[: int(number)], references, k=int(k), tokenize="none", workers=1)
    return 28 * int(size)


def count_near_duplicates(size: str, least: str) -> int:
    """Look up the neighbor of each sentence of a set; half of them are copies of the others."""
    hypotheses, references = noisy_copies(str(int(size) // 2))
    sentences = hypotheses + references
    vecbleu.nearest(sentences, min_score=float(least), tokenize="none", workers=1)
    return 28 * int(size)


COUNTS = {
    "neighbors": count_neighbors,
    "duplicates": count_near_duplicates,
    "files": count_files,
    "rows": count_rows,
    "set": count_set,
    "strings": count_strings,
}


def write_corpus(folder: str, segments: int, end: str = "\n") -> tuple[str, str]:
    """Write hypotheses and references of so many segments, each followed by `end`."""
    paths = Path(folder, "hypotheses"), Path(folder, "references")
    for path, lines in zip(paths, zipf_corpus(min(segments, DISTINCT)), strict=True):
        text = "".join(f"{line}{end}" for line in lines)
        with path.open("w", encoding="utf-8") as file:
            for _ in range(max(1, segments // DISTINCT)):
                file.write(text)
    return str(paths[0]), str(paths[1])


def cases(folder: str, most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield titles of lines, and what to count."""
    for size in (10**power for power in range(3, 8, 2) if 10**power <= most):
        paths = write_corpus(folder, size)
        for workers in ("1", "2"):
            title = f"files, {size:,} segments, processes: {workers}"
            yield title, ["files", *paths, "13a", workers]
    size = min(most, 10**6)
    yield f"an interval from files, {size:,} segments", ["rows", *write_corpus(folder, size)]
    paths = write_corpus(folder, size, end=" ")
    for tokenize in ("13a", "char"):
        title = f"files of one line, {28 * size:,} words, {tokenize}"
        yield title, ["files", *paths, tokenize, "1"]
    size = min(most, 1_000)
    for form in ("13a", "token lists"):
        for number in ("1", "50"):
            title = f"{form}, {size:,} segments, references: {number}"
            yield title, ["strings", str(size), "28", number, form]
        for width in (10**3, 10**6):
            segments = str(max(1, size * 1_000 // width))
            yield f"{form}, {width:,} words a segment", ["strings", segments, str(width), "1", form]
    for size in (10**power for power in range(3, 7, 2) if 10**power <= most):
        yield f"Self-BLEU of {size:,} sentences", ["set", str(size)]


def neighbor_cases() -> Iterator[tuple[str, list[str]]]:
    """Yield titles of lines of the table of neighbors, and what to count."""
    for k in ("1", "5"):
        yield f"2,000 hypotheses, 200,000 references, k = {k}", ["neighbors", "2000", "200000", k]
    for size in (20_000, 200_000):
        yield f"{size:,} sentences of one set, k = 1", ["duplicates", str(size), "0"]
    title = f"{size:,} sentences of one set, k = 1, min_score = 0.6"
    yield title, ["duplicates", str(size), "0.6"]


def measure(arguments: list[str]) -> tuple[float, float, float]:
    """Count in a new process: seconds a call, tokens, and the most memory of all processes."""
    command = [sys.executable, __file__, "measure", *arguments]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()  # inputs are made
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            time.sleep(0.02)
        seconds, tokens = json.loads(process.stdout.read())
    return seconds, tokens, peak


def memory(pid: int) -> int:
    """Return the kilobytes of a process and of all that it has started; shared ones count once."""
    try:
        own = Path(f"/proc/{pid}/smaps_rollup").read_text().partition("\nPss:")[2]
        paths = Path(f"/proc/{pid}/task").glob("*/children")
        children = [int(child) for path in paths for child in path.read_text().split()]
    except OSError:  # it has ended
        return 0
    return int(own.partition("kB")[0] or 0) + sum(map(memory, children))


def repeat(kind: str, *arguments: str) -> tuple[float, int]:
    """Count for a second at least: the median seconds of a call, and its tokens."""
    count = COUNTS[kind]
    count(*arguments)
    print("ready", flush=True)
    times: list[float] = []
    while sum(times) < 1:
        start = time.perf_counter()
        tokens = count(*arguments)
        times.append(time.perf_counter() - start)
    return statistics.median(times), tokens


def main() -> None:
    """Print the table, and write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=10**7, help="segments (10,000,000)")
    parser.add_argument("--neighbors", action="store_true", help="measure nearest instead")
    options = parser.parse_args()
    lines = ["| input | seconds | ns a token | peak, MB |", "|---|--:|--:|--:|"]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        chosen = neighbor_cases() if options.neighbors else cases(folder, options.most)
        for title, arguments in chosen:
            seconds, tokens, peak = measure(arguments)
            each = 1e9 * seconds / tokens
            lines.append(f"| {title} | {seconds:.3f} | {each:.0f} | {peak * 1.024e-3:.0f} |")
            print(lines[-1], flush=True)
    table = "neighbors" if options.neighbors else "growth"
    replace_between(ROOT / "docs" / "speed.md", table, "\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(repeat(*sys.argv[2:])))
    else:
        main()
