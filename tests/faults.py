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

    path: str  # below vecbleu/
    what: str
    before: str
    after: str


FAULTS = r"""
core/kernel/matches.py: the eighth copy of an n-gram is not clipped
- for k in range(2, _COUNTED + 1):
+ for k in range(2, _COUNTED):

core/kernel/matches.py: the closest length is as far off on the other side
- | (lengths > own)
+ | (lengths < own)

core/kernel/matches.py: the longer of two close lengths
- nearest >> 1, -(nearest >> 1))
+ nearest >> 1, nearest >> 1)

core/kernel/ngrams.py: n-grams go on behind their unit
- for back in range(order):
+ for back in range(order - 1):

core/text/rules.py: 13a: a dash behind a digit stays joined
- alone |= (data == ord("-")) & after_digit
+ pass

core/inputs/ids.py: ids beyond int64 become negative
- bool(value.max(initial=0) < 2**63)
+ True

core/inputs/columns.py: columns: a slice begins where its buffer does
- [ends[0] : ends[-1]]
+ [: ends[-1] - ends[0]]

core/files/reader.py: files: the last field of a line ends at a tab
- most = -1 if self._guessed else self._columns - 1
+ most = -1

core/parallel/pool.py: a block that is lost with its worker stays lost
- except ChildProcessError:
+ except BrokenPipeError:

core/parallel/mapping.py: blocks come in another order
- pending.popleft()
+ pending.pop()

pairwise/shared.py: shared references: the longer of two
- hyp_len - shorter <= longer - hyp_len
+ hyp_len - shorter < longer - hyp_len

pairwise/expected.py: expected BLEU: copies count once
- part.counts[np.arange(len(scores)) + first]
+ 1

analysis/explain.py: explain: references clip together
- len(starts), max(reference_counts)
+ len(starts), sum(reference_counts)

analysis/ngram_counts.py: n-grams: parts of phrases are listed
- elif (more, less, order, key) not in parts:
+ else:

analysis/word_changes.py: words that a text lacks are not marked
- if kind != "equal"
+ if kind == "replace"

significance/multiple_testing.py: Holm: a factor that is one too small
- (len(order) + 1 - ranks)
+ (len(order) - ranks)

significance/multiple_testing.py: clusters: a p-value at the level differs
- tests[np.ix_(order, order)] < level
+ tests[np.ix_(order, order)] <= level

significance/resampling.py: intervals: one too few at the upper end
- ranked[len(ranked) - n_trimmed - 1]
+ ranked[len(ranked) - n_trimmed - 2]

significance/inference.py: randomization: ties count
- abs(ones - others) > real
+ abs(ones - others) >= real

significance/inference.py: bootstrap: not shifted to the null hypothesis
- abs(drawn - drawn.mean()) >= real
+ abs(drawn) >= real

nltk/smoothing.py: NLTK: method2 smooths unigrams
- p.denominator + 1) if i else p for
+ p.denominator + 1) for

nltk/smoothing.py: NLTK: method4 of a batch forgets totals
- own.k / logs) / totals
+ own.k / logs)

sacrebleu/score.py: sacreBLEU: add-k goes on behind an empty order
- if totals[order - 1] == 0:
+ if False:

huggingface.py: Hugging Face: the worst reference counts
- np.lexsort((-scores, segments))
+ np.lexsort((scores, segments))

cli/systems.py: any period at the end looks tokenized
- r" \.[^\S\n]*\n"
+ r"\.[^\S\n]*\n"

analysis/overview.py: gains and losses are swapped
- differences.gains(system), differences.losses(system)
+ differences.losses(system), differences.gains(system)

cli/program.py: colored text is not escaped
- m{escaped(text)}\x1b[0m
+ m{text}\x1b[0m

report/segments.py: data can end their element
- re.compile("[<>&
+ re.compile("[>&

report/templates/page.js: words of a report match too often
- left.set(ngram, count - 1);
+ left.set(ngram, count);

plots/rankings.py: borders a row too high
- axhline(place + 0.5
+ axhline(place - 0.5
"""


def faults() -> list[Fault]:
    """Read the list, in which a fault is three lines."""
    blocks = [block.split("\n") for block in FAULTS.strip().split("\n\n")]
    return [
        Fault(*head.split(": ", 1), before.removeprefix("- "), after.removeprefix("+ "))
        for head, before, after in blocks
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
        left_out = shutil.ignore_patterns(".git", ".hypothesis", "__pycache__", ".*cache")
        shutil.copytree(ROOT, copy, ignore=left_out)
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
    known = faults()
    chosen = [(number, known[number]) for number in numbers or range(len(known))]
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
