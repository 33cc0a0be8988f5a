"""Plant faults in a copy of the project, one after the other: each has to be found by a test.

``python -m tests.faults [NUMBER ...]`` runs the tests of its family on every fault, then all; but
all without a fault first, since a test that fails anyway finds none.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "vecbleu"
LIMITS = ["prlimit", "--cpu=900:990", "timeout", "3600"]  # seconds, of a run that would never end


class Change(NamedTuple):
    """A module with another text."""

    path: str  # below vecbleu/
    what: str
    text: bytes


# Tests of a family, beside those that begin with its name.
MORE = {
    "analysis": "test_explain test_word_changes test_ngram_differences",
    "bleu": "core/* test_statistics test_errors test_keywords test_accumulator test_second_look",
    "core": "core/* test_statistics test_errors test_shared_* test_mistakes test_input_* test_chrf "
    "test_normalize",
    "files": "core/* test_cli* test_tables",
    "inputs": "core/* test_errors test_mistakes test_doubts test_input_*",
    "kernel": "core/* test_statistics test_chrf",
    "parallel": "core/*",
    "sets": "test_pairwise test_mbr test_shared_references test_errors",
    "show": "test_*output test_cli",
    "significance": "test_public test_cli_commands",
    "ter": "ter/* test_accumulator test_state",
    "text": "core/* test_input_* test_cli test_normalize",
}

FAULTS = r"""
text/tokens.py: tokens: "a" is the same as "a" and a zero byte
- mix(words[starts] | _FILL.take(lengths, mode="clip"))
+ mix(words[starts] & ~_FILL.take(lengths, mode="clip"))
text/tokens.py: tokens: opposite sequences of words are one
- multipliers = mix(FOLD + np.arange(counts.max(), dtype=np.uint64)) | np.uint64(1)
+ multipliers = np.multiply.accumulate(np.full(counts.max(), FOLD))
text/tokenize_13a.py: 13a: of entities, &gt; alone stays
- re.search(b"&(?:quot|amp|lt|gt);", buffer)
+ re.search(b"&(?:quot|amp|lt);", buffer)
inputs/columns.py: columns: NaN in a list of a series is no missing reference
- [None if is_missing(token) is True else token for token in row]
+ row
files/cells.py: tables: blank rows of one column are left out
- if row or size == 1
+ if row
files/cells.py: tables: rows are counted from the beginning of a block
- first += rows
+ first = 1
files/cells.py: tables: line breaks in a cell end lines
- cell.replace("\n", " ")
+ cell
files/tables/xml.py: tables: XML can declare entities
- if "<!DOCTYPE" in text:
+ if "<!ENTITY" in text[:0]:
files/sources.py: tables: a column of a file is read whatever a file is called
- if not os.path.exists(name):
+ if True:
files/text.py: files: each block ends an encoding
- decode(data, final=not data)
+ decode(data, final=True)
files/lines.py: files: a tab at the end of a line begins a field
- line.rstrip().split("\t", most)
+ line.split("\t", most)
inputs/doubts.py: warnings: any series with another index is in another order
- return bool(first.isin(second).all())
+ return True
inputs/doubts.py: doubts: what pads may stand elsewhere in a row, too
- if copies == sum(runs) >= padded + 3
+ if sum(runs) >= padded + 3
inputs/doubts.py: doubts: segmented text has no spaces
- ((_SYLLABLES, 4), (_LETTERS, 8))
+ ((_SYLLABLES, 1), (_LETTERS, 1))
bleu/second_look.py: second look: lines beside may be as much alike
- elif likeness >= _MORE_ALIKE * beside:
+ else:
bleu/second_look.py: second look: a score may be as low as others
- if after >= _EXPECTED * most:
+ if True:
analysis/explain.py: explanations: characters without a width are seen
- if unicodedata.category(char) != "Cf"
+ if True
inputs/doubts.py: doubts: any letter that NFC changes is doubted
- composed.difference(text).intersection(other)
+ True
accumulator.py: doubts: each batch tells them
- self._told.add(kind)
+ self._told.clear()
files/lines.py: files: each block begins with a mark
- if not self._taken and lines.startswith
+ if lines.startswith
cli/systems.py: pipes are read twice
- if self._text and not any(map(stream_of, read)):
+ if self._text:
significance/resampling.py: draws: sums of many rows are rounded
- segments * max(table.max() for table in tables)
+ max(table.max() for table in tables)
significance/pairs.py: verdicts: the interval of a significant difference can hold 0
- max(upper for _, upper in self.bounds)
+ self.bounds[0][1]
significance/pairs.py: verdicts: p-values are not adjusted before they are called decided
- adjusted_p_values(upper, adjust) >= level
+ upper >= level
significance/pairs.py: draws: the second look replaces the first
- np.concatenate([self.drawn, drawn])
+ drawn
significance/draws.py: verdicts: one standard error decides
- _MANY_LOOKS = 4.0, 2.5
+ _MANY_LOOKS = 1.0, 1.0
significance/groups.py: groups: sums are in the order of the labels
- np.argsort(groups, kind="stable")
+ np.arange(len(groups))
significance/resampling.py: own scores are drawn in float32
- if is_small and is_whole else
+ if is_small else
core/agreement.py: people: a curve holds for any number of digits of its signature
- re.fullmatch(self.settings, text)
+ re.match(self.settings, text)
significance/resampling.py: intervals: one too few left out at 90%
- 1 - Decimal(repr(confidence_level))
+ 1 - confidence_level
kernel/ngrams.py: widths of segments wrap
- np.min_scalar_type(widest)
+ np.uint16
bleu/libm.py: many scores: numbers get the logarithms of others
- results[lost] = _mapped(function, flat[lost])
+ pass
sets/neighbors.py: neighbors: bounds are too low
- lower = lengths.min(axis=0) - below
+ lower = lengths.min(axis=0) - below - 1
sets/matrices.py: expected BLEU: words have no order
- mix(ids.values.view(np.uint64) + mix(positions.view(np.uint64)))
+ mix(ids.values.view(np.uint64))
sets/matrices.py: expected scores: a left out candidate of a large source is another one
- weights[numbers, part.start + numbers] = 0
+ weights[numbers, numbers - 1] = 0
sets/pairs.py: pairs: frequent keys are counted twice
- sizes[is_frequent[rows.keys]] = 0
+ pass
sets/pairs.py: pairs: rare keys are looked up in the rows of other groups
- places = units - self.columns[self.groups[units]]
+ places = units
sets/neighbors.py: neighbors: one with the least score is left out
- queries, references = np.nonzero(scores >= least[:, None])
+ queries, references = np.nonzero(scores > least[:, None])
chrf/arrays.py: sets: words have as few n-grams as characters of higher orders
- np.concatenate(list(map(np.arange, orders)))[:, None]
+ np.arange(sum(orders))[:, None]
parallel/pool.py: more workers than are asked for stay
- is_alive and len(self._threads) <= most_workers
+ is_alive
parallel/mapping.py: each process of a pool starts workers
- if is_in_a_pool or seconds < _WORTH_SHARING:
+ if seconds < _WORTH_SHARING:
bleu/options.py: a smoothing without a rule
- "skip-zero": None,
+ "skip-zero": None, "half": None,
cli/compare.py: segments of exactly the least length are lost
- lengths >= options.min_length
+ lengths > options.min_length
cli/systems.py: sizes of files and of statistics are not compared
- if size != segments[first]:
+ if False:
sacrebleu/metrics/bleu.py: an assigned tokenizer does not see leading spaces
- .rstrip()
+ .strip()
significance/groups.py: every NaT label is a group of its own
- _NUMBERS = float, np.datetime64, np.timedelta64
+ _NUMBERS = float
analysis/word_changes.py: other white space is a word that differs
- for word in pieces if not word.isspace()]
+ for word in pieces if word != " "]
report/segments.py: text that lowercase lengthens is cut into wrong pieces
- if not has_tokens or starts[-1] != len(text):
+ if not has_tokens:
report/page.py: rows of the chart are reversed
- systems = ranking.order.tolist()
+ systems = ranking.order.tolist()[::-1]
report/page.py: "ahead of" and "behind" are swapped
- {"ahead of": differences.losses(1), "behind": differences.gains(1)}
+ {"ahead of": differences.gains(1), "behind": differences.losses(1)}
report/page.py: systems that are borderline are not named below the chart
- if is_borderline[system]]
+ if not is_borderline[system]]
significance/results.py: the verdict of a difference that one of two metrics finds is that of both
- if len(metrics) == len(tests) else only
+ if metrics else only
significance/results.py: verdicts: what is borderline by one of two metrics is too close to call
- all(are_borderline)
+ any(are_borderline)
report/page.py: n-grams of the wrong system
- ngrams_between(results.ngrams, "match", system, other)
+ ngrams_between(results.ngrams, "match", other, system)
ter/plain.py: TER: of equal shifts, the one to the last place is the best
- rank = length, -start, -target
+ rank = length, -start, target
ter/arrays.py: TER: of equal shifts, the shortest is the best
- (-target, -start, length, gain, pair)
+ (-target, -start, -length, gain, pair)
ter/arrays.py: TER: shifts are counted anew in each round
- tried[number] += np.bincount
+ tried[number] = np.bincount
ter/plain.py: TER: the beam has a column more
- BEAM = 25
+ BEAM = 26
ter/columns.py: TER: the mean of three lengths is rounded
- PARTS = math.lcm(*range(1, 17))
+ PARTS = 1 << 20
text/edits.py: text is put into lower case before its normal form
- string = unicodedata.normalize(self.normalize, string)
+ string = unicodedata.normalize(self.normalize, string.lower())
core/signature.py: text that is not normalized fits text that is
- return is_of_text or getattr(signature, field) is not None
+ return getattr(signature, field) is not None
inputs/ids.py: a special token ends no sequence of strings
- begin = takewhile(lambda token: token not in special_ids.eos_id, unit)
+ begin = unit
ter/tokenizer.py: TER: references are cut once
- _cut(" ".join(words), options) if options.normalized else words
+ words
ter/plain.py: TER: the last bit of a score is another
- return 100 * (row[0] / length)
+ return 100 * row[0] / length
show/table.py: a p-value of 0.001 is shown as below it
- if value < floor:
+ if value <= floor:
plots.py: bars: gaps between groups take no room
- columns * (systems + 1) > _MOST_BARS
+ columns * systems > _MOST_BARS
cli/mbr.py: mbr: probabilities are those of candidates, not of references
- references or sources
+ sources
huggingface.py: combine: only later keys that clash have a prefix
- counts[key] == 1
+ key not in merged
huggingface.py: google_bleu: a reference without n-grams counts
- matches / np.maximum(ngrams, 1), -1.0)
+ matches / np.maximum(ngrams, 1), 0.0)
"""


def faults() -> Iterator[Change]:
    """Read the list, in which a fault is three lines."""
    lines = FAULTS.strip().split("\n")
    for head, *sides in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        (path, what), (before, after) = head.split(": ", 1), (side[2:] for side in sides)
        text = (PACKAGE / path).read_text(encoding="utf-8")
        if text.count(before) != 1:
            raise ValueError(f"{path} has {text.count(before)} times {before!r}")
        yield Change(path, what, text.replace(before, after).encode())


def runs_of(change: Change) -> list[list[str]]:
    """Return which tests to run: the family's, its slow ones, then all."""
    family = re.split(r"\W", change.path)[0]  # the folder or module right below vecbleu/
    patterns = [f"test_{family}*", *MORE.get(family, "test_public").split()]
    paths = [path for pattern in patterns for path in (ROOT / "tests").glob(f"{pattern}.py")]
    paths.append(PACKAGE / change.path)  # the examples of docstrings
    suite = [str(path.relative_to(ROOT)) for path in paths]
    return [suite, ["-m", "slow", *suite], [], ["-m", "slow"]]


def first_failure(change: Change) -> str:
    """Run pytest on a copy of the project with a change; return the first test that fails."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        left_out = shutil.ignore_patterns(".git", ".venv", ".hypothesis", ".*cache")
        shutil.copytree(ROOT, copy, ignore=left_out)
        (copy / "vecbleu" / change.path).write_bytes(change.text)
        given = os.environ | {"PYTHONPATH": str(copy)}  # of the programs that tests run, too
        given["PYTEST_ADDOPTS"] = "-x --hypothesis-profile=first"
        for options in runs_of(change):
            command = [*LIMITS, sys.executable, "-m", "pytest", *options]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True, env=given)
            assert done.returncode != 3, done.stdout  # pytest itself fails
            if done.returncode in (124, -signal.SIGXCPU):
                return "the time limit"
            if done.returncode not in (0, 5):  # 5: no test is of this kind
                failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, flags=re.M)
                return failed[1] if failed else f"no test can run, exit status {done.returncode}"
    return ""


def missed(changes: Sequence[Change]) -> int:
    """Test changes, two at a time; print by which test each is found; return how many are not."""
    if test := first_failure(Change("__init__.py", "", (PACKAGE / "__init__.py").read_bytes())):
        sys.exit(f"{test} fails without a change")
    survivors = 0
    with ThreadPoolExecutor(2) as pool:
        tests = pool.map(first_failure, changes)
        for number, (change, test) in enumerate(zip(changes, tests, strict=True)):
            survivors += not test
            print(f"{number:3}  {change.what:50}  {test or 'NOT FOUND'}", flush=True)
    print(f"{len(changes) - survivors} of {len(changes)} found")
    return survivors


if __name__ == "__main__":
    listed = [*faults()]
    sys.exit(missed([listed[int(number)] for number in sys.argv[1:]] or listed))
