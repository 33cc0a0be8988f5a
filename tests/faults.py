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
    # The command line.
    Fault(
        "no asterisk for a p-value on the level",
        "cli/grids.py",
        'row["p_value"] <= _LEVEL',
        'row["p_value"] < _LEVEL',
    ),
    Fault("names of a grid at the left", "cli/grids.py", "{name:>{left}} │", "{name:<{left}} │"),
    Fault(
        "sacreBLEU's tests are of two sides",
        "cli/score.py",
        "options.sides = options.sides or 1",
        "options.sides = options.sides or 2",
    ),
    Fault(
        "JSON has matches as totals",
        "cli/score.py",
        '"totals": score.totals',
        '"totals": score.matches',
    ),
    Fault(
        "randomization of 1000 trials",
        "cli/arguments.py",
        "options.resamples or 10000",
        "options.resamples or 1000",
    ),
    Fault(
        "the language pair's first language",
        "cli/arguments.py",
        "_, dash, language = (options",
        "language, dash, _ = (options",
    ),
    Fault(
        "gains and losses are swapped",
        "cli/compare.py",
        "differences.gains(name), differences.losses(name)",
        "differences.losses(name), differences.gains(name)",
    ),
    Fault(
        "lines of n-grams are counted from 0",
        "cli/compare.py",
        "[[one + 1 for one in row.examples]",
        "[[one for one in row.examples]",
    ),
    Fault(
        "long texts are cut at their start",
        "cli/compare.py",
        "first = max(0, min(start - _BEFORE, size - width))",
        "first = 0",
    ),
    Fault(
        "explained without effective order",
        "cli/explain.py",
        '{"effective_order": True}',
        '{"effective_order": False}',
    ),
    Fault(
        "the last of equal candidates",
        "cli/mbr.py",
        "best = int(scores.argmax())",
        "best = len(scores) - 1 - int(scores[::-1].argmax())",
    ),
    Fault(
        "differences of a ranking with the wrong sign",
        "cli/rank.py",
        "found.differences[better, worse]",
        "found.differences[worse, better]",
    ),
    Fault(
        "parts are joined in reverse",
        "cli/stats.py",
        "Statistics.concatenate(parts.values())",
        "Statistics.concatenate([*parts.values()][::-1])",
    ),
    Fault(
        "labels of a report are its source",
        "cli/report.py",
        "labels=own.get(options.labels)",
        "labels=own.get(options.source)",
    ),
    Fault(
        "colored text is not escaped",
        "cli/program.py",
        "m{escaped(text)}\\x1b[0m",
        "m{text}\\x1b[0m",
    ),
    Fault("TER is not handed over", "cli/program.py", '{"chrf", "ter"}', '{"chrf"}'),
    Fault(
        "the status of a closed pipe", "cli/program.py", "_CLOSED_PIPE = 141", "_CLOSED_PIPE = 1"
    ),
    # Reports.
    Fault("a title is markup", "report/page.py", "title=safe_html(title)", "title=title"),
    Fault("names of a chart are markup", "report/chart.py", "{safe_html(shown)}", "{shown}"),
    Fault(
        "data can end their element", "report/segments.py", 're.compile("[<>&', 're.compile("[>&'
    ),
    Fault(
        "the verdict is reversed",
        "report/page.py",
        '"significant" if p < _LEVEL',
        '"significant" if p >= _LEVEL',
    ),
    Fault(
        "worse systems are not hollow",
        "report/chart.py",
        "[system, order[0]] < level",
        "[system, order[0]] > level",
    ),
    Fault(
        "a report's segments without a tie rule",
        "report/templates/page.js",
        "key(one) - key(other) || one - other",
        "key(one) - key(other) || other - one",
    ),
    Fault(
        "words of a report match too often",
        "report/templates/page.js",
        "left.set(ngram, count - 1);",
        "left.set(ngram, count);",
    ),
    Fault(
        "a report searches in capitals only",
        "report/templates/page.js",
        "text.normalize('NFC').toLowerCase()",
        "text.normalize('NFC')",
    ),
    # Pictures.
    Fault(
        "the sign of all pairs",
        "plots/rankings.py",
        "{differences[row, column]:+.1f}",
        "{differences[column, row]:+.1f}",
    ),
    Fault(
        "borders a row too high", "plots/rankings.py", "axhline(place + 0.5", "axhline(place - 0.5"
    ),
    Fault(
        "better than the baseline is worse",
        "plots/rankings.py",
        "is_significant & (differences < 0), is_significant & (differences > 0)",
        "is_significant & (differences > 0), is_significant & (differences < 0)",
    ),
    Fault(
        "names of a legend are mathematics",
        "plots/bars.py",
        "text.set(text=name, parse_math=False)",
        "text.set(text=name)",
    ),
    Fault(
        "names of pictures are not escaped",
        "plots/drawing.py",
        "_shortened(escaped_name(str(name)))",
        "_shortened(str(name))",
    ),
    Fault(
        "matplotlib is always needed",
        "plots/drawing.py",
        "import numpy as np\n",
        "import matplotlib\nimport numpy as np\n",
    ),
    # Words.
    Fault(
        "marks of orders one too low",
        "analysis/marks.py",
        "[order] * (end - start)",
        "[order - 1] * (end - start)",
    ),
    Fault(
        "words that a text lacks are not marked",
        "analysis/word_changes.py",
        'if kind != "equal"',
        'if kind == "replace"',
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
        for marked in ([], ["-m", "slow"]):
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-x",
                "-p",
                "no:cacheprovider",
                *marked,
            ]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            if done.returncode == 1:
                return re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, flags=re.M)[1]
            if done.returncode != 0:
                return f"exit status {done.returncode}: {done.stdout[-200:]}"
    return ""


def main(numbers: list[int]) -> int:
    """Run the faults of these numbers, by default all, two at a time."""
    chosen = [(number, FAULTS[number]) for number in numbers or range(len(FAULTS))]
    missed = 0
    with ThreadPoolExecutor(2) as pool:
        for (number, fault), test in zip(
            chosen, pool.map(lambda one: found_by(one[1]), chosen), strict=True
        ):
            missed += not test
            print(f"{number:2}  {fault.what:50}  {test or 'NOT FOUND'}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))
