"""The command ``mbr``: choose or rank candidates by minimum Bayes risk."""

from __future__ import annotations

import math
import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np

from vecbleu.arguments.options import NO_SPECIAL_IDS, RunOptions
from vecbleu.cli.arguments import Parser
from vecbleu.cli.metrics import metrics_of
from vecbleu.cli.program import option_of
from vecbleu.cli.systems import json_lines, read_columns, source_of
from vecbleu.files.sources import check_reads, label_of
from vecbleu.sets.matrices import expected_scores
from vecbleu.sets.units import Settings
from vecbleu.show.terminal import Verbatim

# A line of an n-best list: the number of its source, its text; scores may follow.
_ENTRY = re.compile(r"\s*(\d{1,18})\s*\|\|\|(.*?)(?:\|\|\||$)")


def run_mbr(arguments: Sequence[str]) -> Iterator[str]:
    """Choose a line for each source by minimum Bayes risk, and yield it; or rank all lines."""
    options = Parser("mbr", "mbr [REF [-p N]] -i FILE [-n N]").parse(arguments)
    if len(options.references) > 1 or (options.p and not options.references):
        raise ValueError(
            "expected one REF, an n-best list or with -p (its lines per source), or none"
        )
    beside = filter(None, [options.log_probs])
    check_reads([options.input, *options.references, *beside])
    sources = _read_sources(options, options.input, options.n, "-n")
    references = None
    for path in options.references:
        references = _read_sources(options, path, options.p, "-p")
    # Let errors name the files.
    option_of.update(candidates=label_of(options.input), log_probs=options.log_probs)
    log_probs = None
    if options.log_probs:
        log_probs = _read_numbers(options, references or sources)
    options.effective_order = True
    (metric,) = metrics_of(options, is_text=True)
    metric.signature = metric.signature._replace(references=1)  # of each pair
    signature = metric.describe()
    run = RunOptions.checked(workers=options.workers, progress=None)
    settings = Settings(metric.metric, metric.scoring, NO_SPECIAL_IDS, run)
    expected = expected_scores(settings, sources, references, log_probs, options.leave_one_out)
    name = os.path.basename(options.input)
    first = 0 if options.n is None else 1  # number of a source
    for number, (texts, scores) in enumerate(zip(sources, expected, strict=True), first):
        shown = np.argsort(-scores, kind="stable").tolist()
        if not options.ranked:
            shown = shown[:1]
        for candidate in shown:
            text = texts[candidate]
            percent = 100 * float(scores[candidate])
            if options.json:
                chosen = {"source": number, "candidate": candidate + 1, metric.name: percent}
                record = {"system": name, **chosen, "text": text, "signature": signature}
                yield json_lines(record, indent=None)[0]
                continue
            line = text
            if options.scores or options.ranked:
                line = f"{percent:.2f}\t{text}"
            if options.ranked:
                line = f"{number}\t{line}"
            yield line if sys.stdout.isatty() else Verbatim(line)


def _read_sources(options: Namespace, path: str, size: int | None, option: str) -> list[list[str]]:
    """Return the lines of each source, `size` of them; `option` has this number.

    Without it, the file is an n-best list.
    """
    (lines,) = read_columns([source_of(options, path)])
    label = label_of(path)
    if not lines:
        raise ValueError(f"{label} has 0 lines, expected at least one source")
    if size is None:
        return _read_list(lines, label, option)
    if _ENTRY.match(lines[0]):
        raise ValueError(f"{label}: line 1 is of an n-best list; leave out {option}")
    if len(lines) % size:
        raise ValueError(f"{label} has {len(lines)} lines, not a multiple of {size} ({option})")
    return [lines[start : start + size] for start in range(0, len(lines), size)]


def _read_list(lines: Sequence[str], label: str, option: str) -> list[list[str]]:
    """Return the texts of each source in an n-best list."""
    sources: list[list[str]] = []
    for line, entry in enumerate(lines, 1):
        fields = _ENTRY.match(entry)
        if not fields:
            raise ValueError(
                f"{label}: line {line} is not of an n-best list, 'NUMBER ||| TEXT ||| ...'; "
                f"if all sources have the same number of lines, write {option}"
            )
        number, text = fields.groups()
        if int(number) == len(sources):
            sources.append([])
        elif int(number) != len(sources) - 1:
            found = f"{label}: line {line} is of source {number}, but the next is {len(sources)}"
            raise ValueError(f"{found}; number sources from 0, and sort them")
        sources[-1].append(text.strip())
    return sources


def _read_numbers(options: Namespace, sources: Sequence[Sequence[str]]) -> list[list[float]]:
    """Return the log-probability of each pseudo-reference, one a line."""
    (lines,) = read_columns([source_of(options, options.log_probs)])
    label = label_of(options.log_probs)
    size = sum(map(len, sources))
    if len(lines) != size:
        raise ValueError(f"{label} has {len(lines)} lines, but there are {size} pseudo-references")
    numbers = []
    for line, text in enumerate(lines, 1):
        number = math.nan
        with suppress(ValueError):
            number = float(text)
        if not math.isfinite(number):
            raise ValueError(f"{label}: line {line} is {text!r}, expected a finite number")
        numbers.append(number)
    rest = iter(numbers)
    return [list(islice(rest, len(texts))) for texts in sources]
