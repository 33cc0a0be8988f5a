"""Count the systems of a command line, or load their statistics."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from operator import add
from typing import Any, NamedTuple

import numpy as np

from vecbleu.cli.arguments import (
    counting_options,
    is_statistics_file,
    smoothing_options,
    system_names,
    tokenizer_name,
)
from vecbleu.cli.program import BEHIND, warn
from vecbleu.core.arrays import Int64
from vecbleu.core.corpus import Block
from vecbleu.core.counts import sum_counts
from vecbleu.core.file_corpus import FileCorpus
from vecbleu.core.files.reader import LineBlock, read_lines
from vecbleu.core.files.sources import STANDARD_INPUT, Source, label_of, stream_of
from vecbleu.core.options import CountOptions, RunOptions, ScoreOptions
from vecbleu.core.pipeline import bleu_rows, map_corpus, no_rows
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.core.text.tokenizers import resolve_tokenizer, warn_of_script
from vecbleu.sacrebleu.options import warn_of_tokenized
from vecbleu.sacrebleu.signature import BLEUSignature, signature_of
from vecbleu.show.signature import Signature, common
from vecbleu.show.table import Table, plain

# Parts of a score in JSON.
_PARTS = "brevity_penalty", "matches", "totals", "hyp_len", "ref_len"


class Systems:
    """Systems of a command line, with options of counting and scoring.

    Files of statistics have signatures, which must agree with each other, with the text and with
    the options.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.names = system_names(options) if options.input else ["System 1"]
        self._paths: list[str] = options.input or [STANDARD_INPUT]
        self._loaded: dict[str, Statistics] = {}
        for path in filter(is_statistics_file, self._paths):
            table = Statistics.load(path)
            signature = table.signature._replace(max_order=table.max_order)
            self._loaded[path] = Statistics.of(table.array, signature)
        self._text = [path for path in self._paths if path not in self._loaded]
        self._lines = 0
        self._first = LineBlock([], 0, 1, 0)
        self._counting = CountOptions.checked(**counting_options(options)) if self._text else None
        asked = ("the command line", _asked_signature(options, self._counting))
        loaded = [(path, table.signature) for path, table in self._loaded.items()]
        agreed = common([asked, *loaded])
        self.signature = agreed if self._text else common(loaded)
        order = self.signature.max_order or 4
        self.score_options = ScoreOptions.checked(order, **smoothing_options(options))

    def describe(self, **resampling: int | str) -> BLEUSignature:
        """Return the signature of counting, scoring and resampling."""
        return signature_of(self.signature, self.score_options, **resampling)

    def blocks(self) -> Iterator[Statistics]:
        """Yield the rows of a single system, block by block."""
        # Compare the numbers of lines before the first is scored, unless a stream is read.
        if self._text and not any(map(stream_of, [*self._text, *self._options.references])):
            count_lines(sources_of(self._options, self._text))
        for systems in self._count():
            if len(systems) > 1:
                raise ValueError("only one system can be scored at sentence level")
            yield Statistics.of(systems[0], self.signature)
        yield from self.loaded_rows().values()

    def totals(self) -> list[Statistics]:
        """Return the sum of each system; text takes constant memory."""
        totals: list[Int64] = []
        for sums in self._count(summed=True):
            totals = [*map(add, totals, sums)] if totals else sums
        return [table.sum() for table in self._in_order(totals)]

    def tables(self) -> dict[str, Statistics]:
        """Return the rows of each system by name."""
        self.loaded_rows()
        counted = [np.concatenate(rows) for rows in zip(*self._count(), strict=True)]
        tables = self._in_order(counted)
        return dict(zip(self.names, tables, strict=True))

    def loaded_rows(self) -> dict[str, Statistics]:
        """Return the loaded statistics; raise ValueError for sums."""
        for path, table in self._loaded.items():
            if table.is_sum:
                raise ValueError(f"{path} is the sum of all segments, expected a row for each")
        return self._loaded

    def _in_order(self, counted: Sequence[Int64]) -> list[Statistics]:
        """Return counted text and loaded statistics in the order of the options."""
        if not self._options.input:
            self._paths = [STANDARD_INPUT] * len(counted)
            self.names = system_names(self._options, len(counted))
        is_forced = getattr(self._options, "force", False)
        for column in () if is_forced else self._first.columns[: len(counted)]:
            periods = re.findall(r" \.[^\S\n]*\n", column.lines.decode())
            warn_of_tokenized(len(periods), self._first.lines, warn)
        rows = {path: table for path, table in self._loaded.items() if not table.is_sum}
        check_sizes(dict.fromkeys(self._text[:1], self._lines), rows)
        texts = (Statistics.of(counts, self.signature) for counts in counted)
        loaded = self._loaded
        return [loaded[path] if path in loaded else next(texts) for path in self._paths]

    def _count(self, summed: bool = False) -> Generator[list[Int64]]:
        """Yield the rows of all text systems, or their sums, block by block."""
        options, counting = self._options, self._counting
        if counting is None:
            if options.references:
                path, rows = options.references[0], self.loaded_rows()
                check_sizes({path: count_lines(sources_of(options))}, rows)
            return
        # The first line of standard input determines the number of systems.
        columns = 1 if options.input else 0
        if not options.input and sys.stdin is not None and sys.stdin.isatty():
            warn(f"systems are read from standard input; {BEHIND}")
        hypotheses = [source_of(options, path, columns) for path in self._text]
        corpus = FileCorpus(hypotheses, sources_of(options))
        if not getattr(options, "force", False):
            warn_of_script(corpus.sample(), counting.tokenize.signature(), warn)
        # On a terminal, a progress bar would mix with the printed lines.
        prints_lines = getattr(options, "sentence_level", False) and sys.stdout.isatty()
        run = RunOptions(options.workers, False if prints_lines else None)
        references = sum(source.columns for source in corpus.references)
        count = partial(_count_block, summed, references, counting)
        with closing(map_corpus(count, corpus, counting.block_encoder(), run)) as blocks:
            for systems, lines in blocks:
                self._first, self._lines = corpus.first, self._lines + lines
                yield systems
        if not self._lines:
            empty = no_rows(counting)
            yield [empty.sum(axis=0) if summed else empty] * len(self._text)


def check_sizes(lines: dict[str, int], loaded: dict[str, Statistics]) -> None:
    """Raise ValueError if files of text and of statistics differ in their number of segments."""
    segments = lines | {path: len(table) for path, table in loaded.items()}
    first = next(iter(segments), "")
    for path, size in segments.items():
        if size != segments[first]:
            found = f"{label_of(path)} has {size} segments"
            raise ValueError(f"{found} but {label_of(first)} has {segments[first]}")


def _asked_signature(options: argparse.Namespace, counting: CountOptions | None) -> Signature:
    """Return the signature of text; without text, that of explicit options only."""
    references = len(options.references) * options.num_refs
    if counting is not None:
        return counting.signature(references=references)
    tokenize = None
    if options.tokenize is not None or options.language_pair:
        tokenize = resolve_tokenizer(tokenizer_name(options)).signature()
    order = options.max_order
    return Signature(tokenize, options.lowercase or None, order, None, references or None)


def _count_block(
    summed: bool, references: int, counting: CountOptions, block: Block
) -> tuple[list[Int64], int]:
    """Count the lines of each system; return their rows, or sums, and the number of lines."""
    rows = bleu_rows(counting.max_order, counting.ref_length, block)
    systems = np.split(rows, len(block.units) - references)
    return [*map(sum_counts, systems)] if summed else systems, len(systems[0])


class SegmentTexts(NamedTuple):
    """Texts of one segment. Outputs are None for files of statistics."""

    source: str | None
    references: list[str]
    outputs: list[str | None]


def read_segments(
    options: argparse.Namespace, segments: Iterable[int]
) -> tuple[dict[int, SegmentTexts], int]:
    """Read the texts of these segments, stripped; also return how many lines were read."""
    source = getattr(options, "source", None)
    files = [path for path in options.input if not is_statistics_file(path)]
    files += [source] if source else []
    wanted, texts, lines = {*segments}, {}, 0
    for block in read_lines(sources_of(options, files)) if wanted else ():
        first, lines = lines, lines + block.lines
        inside = wanted.intersection(range(first, lines))
        columns = _columns_of(block) if inside else []
        for segment in inside:
            row = [column[segment - first].strip() for column in columns]
            by_file = dict(zip(files, row, strict=False))
            outputs = [by_file.get(path) for path in options.input]
            texts[segment] = SegmentTexts(by_file.get(source), row[len(files) :], outputs)
        if len(texts) == len(wanted):
            break
    return texts, lines


def source_of(options: argparse.Namespace, path: str, columns: int = 1) -> Source:
    """Return the source of a file with this number of columns, in the given encoding."""
    return Source(path, columns, options.encoding)


def sources_of(options: argparse.Namespace, files: Iterable[str] = ()) -> list[Source]:
    """Return the sources of files, then of the references."""
    references = [source_of(options, path, options.num_refs) for path in options.references]
    return [*(source_of(options, path) for path in files), *references]


def count_lines(sources: Sequence[Source]) -> int:
    """Return the number of lines; raise ValueError if files differ."""
    return sum(block.lines for block in read_lines(sources))


def _columns_of(block: LineBlock) -> list[list[str]]:
    r"""Return the lines of each column; only \n ends a line."""
    return [column.lines.decode().split("\n")[:-1] for column in block.columns]  # all end in \n


def read_columns(sources: Sequence[Source]) -> list[list[str]]:
    """Return all lines of each column, file after file."""
    columns: list[list[str]] = [[] for source in sources for _ in range(source.columns)]
    for block in read_lines(sources):
        for column, lines in zip(columns, _columns_of(block), strict=True):
            column += lines
    return columns


def read_labels(options: argparse.Namespace, size: int) -> list[str] | None:
    """Return the group of each segment, without white space around it; None without a file."""
    if not options.labels:
        return None
    (lines,) = read_columns([source_of(options, options.labels)])
    check_sizes({options.input[0]: size, options.labels: len(lines)}, {})
    return [*map(str.strip, lines)]


def json_lines(value: Any, indent: int | None = 1) -> list[str]:
    """Format a value as lines of JSON, with all digits."""
    import json  # text does not need it

    return json.dumps(value, indent=indent).split("\n")


def score_fields(score: BleuScore) -> dict[str, Any]:
    """Return a score and its parts for JSON."""
    parts = {name: getattr(score, name) for name in _PARTS}
    return {"BLEU": score.percent, "precisions": score.percent_precisions, **parts}


def result_lines(
    options: argparse.Namespace, table: Table, signature: str, more: Iterable[dict[str, Any]] = ()
) -> list[str]:
    """Return a table and its signature: as records, which have more fields, as LaTeX or text."""
    if options.json:
        rows = zip(table.records(), more, strict=True)
        return json_lines(plain([row | fields | {"signature": signature} for row, fields in rows]))
    if options.latex is None:
        return [signature, "", *table.to_text().split("\n")]
    return [f"% {signature}", *_chosen(table, options.latex).to_latex().split("\n")]


def _chosen(table: Table, names: Sequence[str]) -> Table:
    """Keep the systems and the columns of these names; without names, all."""
    columns, title, titles = [], "", set()
    for column in table.columns:
        is_bound = column.title in ("lower", "upper", "mean")  # of the column on the left
        title = title if is_bound else column.title.partition(" ")[0]
        titles.add("interval" if is_bound else title)
        if title in ("rank", "system", *names) and (not is_bound or "interval" in names):
            columns.append(column)
    if missing := {*names} - titles:
        raise ValueError(f"latex is {min(missing)}, but the table has no such column")
    return table._replace(columns=columns) if names else table
