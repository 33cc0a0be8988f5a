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
        "_, _, language = (options",
        "language, _, _ = (options",
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
    Fault(
        "TER is not handed over", "cli/program.py", 'word in ("chrf", "ter")', 'word in ("chrf",)'
    ),
    Fault(
        "the status of a closed pipe", "cli/program.py", "_CLOSED_PIPE = 141", "_CLOSED_PIPE = 1"
    ),
    Fault(
        "any period at the end looks tokenized",
        "cli/systems.py",
        r'r" \.[^\S\n]*\n"',
        r'r"\.[^\S\n]*\n"',
    ),
    Fault(
        "a line that explain is asked for is the next one",
        "cli/explain.py",
        "[options.line - 1]",
        "[options.line]",
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
    # The layers.
    Fault(
        "NLTK: the longer of two close references",
        "nltk/smoothing.py",
        "(abs(ref_len - hyp_len), ref_len)",
        "(abs(ref_len - hyp_len), -ref_len)",
    ),
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
        "NLTK: short hypotheses keep their weights",
        "nltk/scores.py",
        "if auto_reweigh and hyp_len < 4 and",
        "if auto_reweigh and hyp_len < 3 and",
    ),
    Fault(
        "Hugging Face: the worst reference counts",
        "huggingface.py",
        "np.lexsort((-scores, segments))",
        "np.lexsort((scores, segments))",
    ),
    Fault(
        "Hugging Face: the closest length counts",
        "huggingface.py",
        '_counting(tokenizer, max_order, "shortest")',
        '_counting(tokenizer, max_order, "closest")',
    ),
    Fault(
        "Hugging Face: an empty list is a reference",
        "huggingface.py",
        "empty = [*map(len, lists)].index(0)",
        "empty = [*map(len, lists)].index(0) + 1",
    ),
    Fault(
        "sacreBLEU: sentences lack effective order",
        "sacrebleu/bleu.py",
        "use_effective_order: bool = True",
        "use_effective_order: bool = False",
    ),
    Fault(
        "sacreBLEU: raw scores add one",
        "sacrebleu/bleu.py",
        '= SMOOTH_DEFAULTS["floor"],',
        '= SMOOTH_DEFAULTS["add-k"],',
    ),
    Fault(
        "sacreBLEU: a user's tokenizer sees capitals",
        "sacrebleu/bleu.py",
        "sent.lower() if self.lowercase else sent",
        "sent",
    ),
    Fault(
        "sacreBLEU: None is the name of a reference",
        "sacrebleu/streams.py",
        "if stream[segment] is not None]",
        "]",
    ),
    Fault(
        "sacreBLEU: add-k goes on behind an empty order",
        "sacrebleu/score.py",
        "if totals[order - 1] == 0:",
        "if False:",
    ),
    Fault(
        "sacreBLEU: a hundred periods are too few",
        "sacrebleu/options.py",
        "_TOKENIZED_PERIODS = 100",
        "_TOKENIZED_PERIODS = 101",
    ),
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
    Fault(
        "significance: a number comes before a name",
        "significance/systems.py",
        "if isinstance(baseline, Hashable) and baseline in listed:",
        "if isinstance(baseline, str) and baseline in listed:",
    ),
    Fault(
        "Self-BLEU: the longer of two close lengths",
        "pairwise/diversity.py",
        "distinct - below <= above - distinct",
        "distinct - below < above - distinct",
    ),
    Fault(
        "nearest: the higher index of equal scores",
        "pairwise/neighbors.py",
        "np.lexsort((self.references, -self.scores",
        "np.lexsort((-self.references, -self.scores",
    ),
    Fault(
        "expected BLEU: copies count once",
        "pairwise/expected.py",
        "part.counts[np.arange(len(scores)) + first]",
        "1",
    ),
    Fault(
        "shared references: the longer of two",
        "pairwise/shared.py",
        "hyp_len - shorter <= longer - hyp_len",
        "hyp_len - shorter < longer - hyp_len",
    ),
    Fault(
        "shared references: lower case is not compared",
        "pairwise/shared.py",
        '_check_option("lowercase", options.lowercase, own.lowercase)',
        "pass",
    ),
    Fault(
        "explain: references clip together",
        "analysis/explain.py",
        "clipped = min(count, max(each))",
        "clipped = min(count, sum(each))",
    ),
    Fault(
        "explain: weights of orders left out",
        "analysis/explain.py",
        "weights[:reached] if options.effective_order else weights",
        "weights",
    ),
    Fault(
        "buckets: a length belongs to the group below",
        "analysis/buckets.py",
        'np.searchsorted(bounds, lengths, "right")',
        'np.searchsorted(bounds, lengths, "left")',
    ),
    Fault(
        "segments: a gain of nothing",
        "analysis/segments.py",
        "gains[order] > 0",
        "gains[order] >= 0",
    ),
    Fault(
        "n-grams: equal ones by the shorter",
        "analysis/ngram_counts.py",
        "np.lexsort((firsts, -orders,",
        "np.lexsort((firsts, orders,",
    ),
    Fault(
        "n-grams: parts of phrases are listed",
        "analysis/ngram_counts.py",
        "elif (more, less, order, key) not in parts:",
        "else:",
    ),
    Fault(
        "accumulator: merges forget segments",
        "accumulator.py",
        "self._add(other._segments,",
        "self._add(0,",
    ),
    Fault("accumulator: sums wrap around", "accumulator.py", "added.min() < 0 or", ""),
    Fault(
        "statistics: newer formats are read",
        "core/statistics.py",
        "1 <= version <= _FORMAT",
        "1 <= version",
    ),
    Fault(
        "statistics: sums wrap around", "core/statistics.py", "total.min(initial=0) < 0", "False"
    ),
    Fault(
        "signature: cases are swapped",
        "core/signature.py",
        'True: "lc", False: "mixed"',
        'True: "mixed", False: "lc"',
    ),
    Fault(
        "no warning of Japanese",
        "core/text/tokenizers.py",
        "if kana > han / 9 else",
        "if kana < han / 9 else",
    ),
    # The core.
    Fault(
        "several references clip by the larger count",
        "core/kernel/matches.py",
        "np.minimum(own, most)",
        "np.maximum(own, most)",
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
        "ids beyond int64 become negative",
        "core/inputs/ids.py",
        "bool(value.max(initial=0) < 2**63)",
        "True",
    ),
    Fault(
        "13a: a dash behind a digit stays joined",
        "core/text/rules.py",
        'alone |= (data == ord("-")) & behind_digit',
        "pass",
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
