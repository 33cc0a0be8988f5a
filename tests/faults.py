"""Plant faults in a copy of the project, one after the other: each has to be found by a test.

``python -m tests.faults [NUMBER ...]`` runs the first suite, then the slow one, on every fault.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Fault(NamedTuple):
    """A text of a file, which stands there once, and what to put in its place."""

    what: str
    path: str  # below vecbleu/
    before: str
    after: str


FAULTS: list[Fault] = [
    # Counting.
    Fault(
        "the eighth copy of an n-gram is not clipped",
        "core/kernel/matches.py",
        "for k in range(2, _COUNTED + 1):",
        "for k in range(2, _COUNTED):",
    ),
    Fault(
        "the closest length is as far off on the other side",
        "core/kernel/matches.py",
        "| (lengths > own)",
        "| (lengths < own)",
    ),
    Fault(
        "the longer of two close lengths",
        "core/kernel/matches.py",
        "nearest >> 1, -(nearest >> 1))",
        "nearest >> 1, nearest >> 1)",
    ),
    Fault(
        "n-grams go on behind their unit",
        "core/kernel/ngrams.py",
        "for back in range(order):",
        "for back in range(order - 1):",
    ),
    Fault(
        "13a: a dash behind a digit stays joined",
        "core/text/rules.py",
        'alone |= (data == ord("-")) & behind_digit',
        "pass",
    ),
    Fault(
        "ids beyond int64 become negative",
        "core/inputs/ids.py",
        "bool(value.max(initial=0) < 2**63)",
        "True",
    ),
    Fault(
        "columns: a slice begins where its buffer does",
        "core/inputs/columns.py",
        "[ends[0] : ends[-1]]",
        "[: ends[-1] - ends[0]]",
    ),
    Fault(
        "files: the last field of a line ends at a tab",
        "core/files/reader.py",
        "most = -1 if self._guessed else self._columns - 1",
        "most = -1",
    ),
    Fault(
        "a block that is lost with its worker stays lost",
        "core/parallel/pool.py",
        "except ChildProcessError:",
        "except BrokenPipeError:",
    ),
    Fault(
        "blocks come in another order",
        "core/parallel/mapping.py",
        "pending.popleft()",
        "pending.pop()",
    ),
    # Sets, explanations and differences.
    Fault(
        "shared references: the longer of two",
        "pairwise/shared.py",
        "hyp_len - shorter <= longer - hyp_len",
        "hyp_len - shorter < longer - hyp_len",
    ),
    Fault(
        "expected BLEU: copies count once",
        "pairwise/expected.py",
        "part.counts[np.arange(len(scores)) + first]",
        "1",
    ),
    Fault(
        "explain: references clip together",
        "analysis/explain.py",
        "clipped = min(count, max(each))",
        "clipped = min(count, sum(each))",
    ),
    Fault(
        "n-grams: parts of phrases are listed",
        "analysis/ngram_counts.py",
        "elif (more, less, order, key) not in parts:",
        "else:",
    ),
    Fault(
        "words that a text lacks are not marked",
        "analysis/word_changes.py",
        'if kind != "equal"',
        'if kind == "replace"',
    ),
    # Significance.
    Fault(
        "Holm: a factor that is one too small",
        "significance/multiple_testing.py",
        "(len(order) + 1 - ranks)",
        "(len(order) - ranks)",
    ),
    Fault(
        "clusters: a p-value at the level differs",
        "significance/multiple_testing.py",
        "tests[np.ix_(order, order)] < level",
        "tests[np.ix_(order, order)] <= level",
    ),
    Fault(
        "intervals: one too few at the upper end",
        "significance/resampling.py",
        "ranked[len(ranked) - n_trimmed - 1]",
        "ranked[len(ranked) - n_trimmed - 2]",
    ),
    Fault(
        "randomization: ties count",
        "significance/inference.py",
        "abs(ones - others) > real",
        "abs(ones - others) >= real",
    ),
    Fault(
        "bootstrap: not shifted to the null hypothesis",
        "significance/inference.py",
        "abs(drawn - drawn.mean()) >= real",
        "abs(drawn) >= real",
    ),
    # The layers.
    Fault(
        "NLTK: method2 smooths unigrams",
        "nltk/smoothing.py",
        "p.denominator + 1) if i else p for",
        "p.denominator + 1) for",
    ),
    Fault(
        "NLTK: method4 of a batch forgets totals",
        "nltk/smoothing.py",
        "own.k / logs) / totals",
        "own.k / logs)",
    ),
    Fault(
        "sacreBLEU: add-k goes on behind an empty order",
        "sacrebleu/score.py",
        "if totals[order - 1] == 0:",
        "if False:",
    ),
    Fault(
        "Hugging Face: the worst reference counts",
        "huggingface.py",
        "np.lexsort((-scores, segments))",
        "np.lexsort((scores, segments))",
    ),
    # Programs and pages.
    Fault(
        "any period at the end looks tokenized",
        "cli/systems.py",
        'r" \\.[^\\S\\n]*\\n"',
        'r"\\.[^\\S\\n]*\\n"',
    ),
    Fault(
        "gains and losses are swapped",
        "cli/compare.py",
        "differences.gains(name), differences.losses(name)",
        "differences.losses(name), differences.gains(name)",
    ),
    Fault(
        "colored text is not escaped",
        "cli/program.py",
        "m{escaped(text)}\\x1b[0m",
        "m{text}\\x1b[0m",
    ),
    Fault(
        "data can end their element",
        "report/segments.py",
        're.compile("[<>&',
        're.compile("[>&',
    ),
    Fault(
        "words of a report match too often",
        "report/templates/page.js",
        "left.set(ngram, count - 1);",
        "left.set(ngram, count);",
    ),
    Fault(
        "borders a row too high",
        "plots/rankings.py",
        "axhline(place + 0.5",
        "axhline(place - 0.5",
    ),
]


def plant(fault: Fault, copy: Path) -> None:
    """Write the fault into a copy of the project."""
    path = copy / "vecbleu" / fault.path
    text = path.read_text(encoding="utf-8")
    if text.count(fault.before) != 1:
        raise ValueError(f"{fault.path} has {text.count(fault.before)} times {fault.before!r}")
    path.write_text(text.replace(fault.before, fault.after), encoding="utf-8")


def found_by(fault: Fault) -> str:
    """Return the first test that fails, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*cache"))
        plant(fault, copy)
        for suite in ("not slow", "slow"):
            options = ["-x", "-p", "no:cacheprovider", "-m", suite]
            command = [sys.executable, "-m", "pytest", *options]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            if done.returncode != 0:  # without such a line, no test has run
                return re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, flags=re.M)[1]
    return ""


def main(numbers: list[int]) -> int:
    """Run the faults of these numbers, by default all, two at a time."""
    chosen = [(number, FAULTS[number]) for number in numbers or range(len(FAULTS))]
    missed = 0
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(found_by, [fault for _, fault in chosen])
        for (number, fault), test in zip(chosen, found, strict=True):
            missed += not test
            print(f"{number:2}  {fault.what:50}  {test or 'NOT FOUND'}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))
