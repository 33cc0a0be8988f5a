"""Peaks of memory: ``python benchmarks/memory.py``.

Writes two tables into docs/performance.md. The first is of one segment of 200 MB a side, read from
files or given as strings: its peak, less what the process had before. The second is of all
processes together while files of ordinary lines are scored. It takes ten minutes, 4 GB of memory
and 2 GB in the temporary folder. Linux only.

python benchmarks/memory.py segment [MB]   prints the first table, for so many MB a side
python benchmarks/memory.py tree [MB ...]  prints the second one, for files of so many MB together
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corpus import zipf_corpus
from pages import replace_between

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"

TOKENIZERS = ["13a", "none", "intl", "char"]
SEGMENT_MB = 200
TREE_MB = [200, 1_000, 2_000]

_LINES = 100_000  # made at a time
_SECONDS_BETWEEN_LOOKS = 0.05

_SCORE_FILES = """
import sys, vecbleu
print(vecbleu.file_statistics(*sys.argv[1:]).sum())
"""


def write_files(folder: Path, megabytes: float, end: str, distinct: bool) -> list[str]:
    """Write hypotheses and references of so many MB each, every line followed by `end`."""
    size = round(megabytes * 1e6)
    paths = [folder / "hypotheses", folder / "references"]
    with paths[0].open("wb") as hypotheses, paths[1].open("wb") as references:
        seed, texts = 0, []
        while references.tell() < size:
            if distinct or not texts:
                sides = zipf_corpus(_LINES, seed)
                texts = ["".join(f"{line}{end}" for line in lines).encode() for lines in sides]
            for file, text in zip((hypotheses, references), texts, strict=True):
                file.write(text)
            seed += 1
        if distinct:  # one segment, cut to its size
            for file in (hypotheses, references):
                file.truncate(size)
    return [str(path) for path in paths]


def measure_segment(form: str, tokenize: str, *paths: str) -> int:
    """Count one segment in this process: its peak in bytes, less what the process had before."""
    import vecbleu

    vecbleu.corpus_bleu(["a b"], ["a b"], tokenize=tokenize)  # loads what it needs
    strings = [[Path(path).read_text()] for path in paths] if form == "strings" else []
    Path("/proc/self/clear_refs").write_text("5")  # the peak from here on
    # Not by `getrusage`, whose figure for a new process begins at that of the one that forked it.
    before = _kilobytes("self/status", "VmRSS:")
    if strings:
        vecbleu.statistics(*strings, tokenize=tokenize)
    else:
        vecbleu.file_statistics(*paths, tokenize=tokenize)
    return 1024 * (_kilobytes("self/status", "VmHWM:") - before)


def _kilobytes(file: str, field: str) -> int:
    """A figure of a process; 0 if it has ended."""
    try:
        text = Path("/proc", file).read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(text.partition(field)[2].partition("kB")[0] or 0)


def segment_table(megabytes: float = SEGMENT_MB) -> Iterator[str]:
    """Lines of a Markdown table; each case is measured in a process of its own."""
    yield "| one segment | tokenizer | peak, MB | per byte of one side | per byte of both |"
    yield "|---|---|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder), megabytes, " ", distinct=True)
        for form in ("files", "strings"):
            for tokenize in TOKENIZERS:
                command = [sys.executable, __file__, "measure", form, tokenize, *paths]
                printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
                peak = float(printed)
                each = peak / Path(paths[0]).stat().st_size
                yield f"| {form} | `{tokenize}` | {peak / 1e6:,.0f} | {each:.1f} | {each / 2:.1f} |"


def measure_tree(*command: str) -> tuple[int, int, int]:
    """Run a command: processes, and peaks of the sums of their PSS and RSS, in kilobytes."""
    most = processes = most_resident = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
        while program.poll() is None:
            tree = [*_tree(program.pid)]
            most = max(most, sum(_kilobytes(f"{pid}/smaps_rollup", "\nPss:") for pid in tree))
            resident = sum(_kilobytes(f"{pid}/smaps_rollup", "\nRss:") for pid in tree)
            most_resident, processes = max(most_resident, resident), max(processes, len(tree))
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    if program.returncode:
        raise SystemExit(f"{command} ended with {program.returncode}")
    return processes, most, most_resident


def _tree(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in found:
            yield from _tree(int(child))


def tree_table(*megabytes: float) -> Iterator[str]:
    """Lines of a Markdown table: default workers, so as many processes as there are cores."""
    yield "| files | program | processes | peak of PSS, MB | peak of RSS, MB |"
    yield "|---|---|--:|--:|--:|"
    for size in megabytes or TREE_MB:
        with tempfile.TemporaryDirectory() as folder:
            hypothesis, reference = write_files(Path(folder), size / 2, "\n", distinct=False)
            programs = {
                "`vecbleu REF -i HYP`": ["-m", "vecbleu", reference, "-i", hypothesis, "--force"],
                "`file_statistics(HYP, REF).sum()`": ["-c", _SCORE_FILES, hypothesis, reference],
            }
            for title, arguments in programs.items():
                processes, pss, rss = measure_tree(sys.executable, *arguments)
                yield (
                    f"| {size:,.0f} MB | {title} | {processes} | {pss * 1.024e-3:.0f} | "
                    f"{rss * 1.024e-3:.0f} |"
                )


def main() -> None:
    """Print what is asked for, or write both tables into the page."""
    os.environ["PYTHONPATH"] = str(ROOT)  # for all programs that are measured
    kind, *sizes = sys.argv[1:] or ["all"]
    tables = {"segment": segment_table, "tree": tree_table}
    for name in tables if kind == "all" else [kind]:
        lines = []
        for line in tables[name](*map(float, sizes)):
            print(line, flush=True)
            lines.append(line)
        if kind == "all":
            replace_between(PAGE, f"memory of a {name}", "\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(measure_segment(*sys.argv[2:]))
    else:
        main()
