"""List what commands count and how they score it; count text, and score it in these ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from itertools import combinations, product
from operator import attrgetter
from typing import Any, NamedTuple

from vecbleu.analysis.settings.files import File, words_of
from vecbleu.arguments.errors import ArgumentTypeError
from vecbleu.arguments.options import RunOptions
from vecbleu.core.corpus import Corpus, TextCorpus
from vecbleu.core.count import count_table
from vecbleu.core.count_table import CountTable
from vecbleu.core.metric import METRICS, AnyMetric, metric_named
from vecbleu.parallel.mapping import map_blocks

# Lines that all metrics count in about a second.
_LINES_A_SECOND = 500

# Prints the mean of the scores that are printed with these options, one a line.
_MEAN = "-sl -b -w 9 | awk '{ sum += $1 } END { print sum / NR }'"


class Way(NamedTuple):
    """A metric with its options, and the words that ask a command for it."""

    changes: int  # of the defaults
    metric: AnyMetric
    scoring: dict[str, Any]
    words: str


class Scored(NamedTuple):
    """A score, the command that prints it, and its name and signature."""

    score: float
    command: str
    signature: str


def ways_of_commands(most_cost: Mapping[int, float]) -> list[Way]:
    """Return metrics with some options changed, by their number; those with fewest come first.

    Tokenizers whose packages or models are missing are left out, and ways that cost more.
    """
    ways = []
    for name, size in product(map(str.lower, METRICS), most_cost):
        metric_class = metric_named(name)
        tried = [
            (keyword, value, f" {declared.flags.split()[0]} {value}".removesuffix(" True"))
            for group in metric_class.groups
            for keyword, declared in group.declared.items()
            for value in declared.tried
        ]
        for chosen in combinations(tried, size):  # of two values of an option, the last one counts
            options = {}
            words = f" -m {name}"
            for keyword, value, of_option in chosen:
                options[keyword] = value
                words += of_option
            words = words.removeprefix(" -m bleu")
            metric, scoring = metric_class.of_options(**options)
            with suppress(ImportError, OSError, ValueError):
                metric.signature(True, None)
                if metric.cost <= most_cost[size]:
                    ways.append(Way(size, metric, scoring, words))
    return sorted(ways, key=attrgetter("changes", "metric.cost"))


def count_files(
    files: list[File], ways: Iterable[Way], run: RunOptions
) -> dict[AnyMetric, CountTable]:
    """Count the lines once for each metric with its options of counting."""
    metrics = {way.metric for way in ways}
    # Commands strip lines, which matters where white space is counted.
    system, *references = [list(map(str.rstrip, file.lines)) for file in files]
    corpus = TextCorpus.of_lists(system, list(zip(*references, strict=True)))
    count = partial(_counted, corpus)
    seconds = len(system) / _LINES_A_SECOND
    with closing(map_blocks(count, metrics, seconds, run, size=lambda _: 1)) as counted:
        return {metric: table for metric, table in counted if table}


def _counted(corpus: Corpus, metric: AnyMetric) -> tuple[AnyMetric, CountTable | None]:
    """Return the metric and its counts; None if there is text that MeCab can't read."""
    table = None
    with suppress(ArgumentTypeError):
        table = count_table(corpus, metric, RunOptions(1))
    return metric, table


def scored_by_commands(
    files: list[File], ways: Iterable[Way], tables: dict[AnyMetric, CountTable], most: int
) -> Iterator[Scored]:
    """Score the lines together; and score each of them, if the mean is not one change too many."""
    for way in ways:
        table = tables.get(way.metric)
        if not table:
            continue
        score = table.score(**way.scoring)
        command = f"vecbleu {words_of(files)}{way.words}"
        # The name has beta.
        signature = score.signature._replace(beta=None, normalize=files[0].normalize)
        yield Scored(score, command, f"{score.name}|{signature}")
        if way.changes < most:
            mean = table.scores(**way.scoring).mean()
            signature = signature._replace(effective_order=None)  # lines always have it
            yield Scored(mean, f"{command} {_MEAN}", f"mean of lines|{score.name}|{signature}")
