"""Count the systems of a command line, or load their statistics."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import closing
from functools import partial
from operator import add
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.arguments.options import RunOptions
from vecbleu.bleu.second_look import look_again
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import is_statistics_file, system_names
from vecbleu.cli.metrics import counts_white_space, metrics_of
from vecbleu.cli.program import BEHIND, warn
from vecbleu.core.block import Block
from vecbleu.core.count import map_blocks_of
from vecbleu.core.counts import sum_counts
from vecbleu.core.metric import METRICS, AnyMetric
from vecbleu.core.references import check_references, summed_hash
from vecbleu.core.signature import common
from vecbleu.files.lines import LineBlock, read_lines
from vecbleu.files.segments import FileCorpus, hashes_of_files
from vecbleu.files.sources import STANDARD_INPUT, Source, label_of, stream_of
from vecbleu.files.store import OtherMetricError, SavedTable
from vecbleu.inputs.doubts import tokenizer_to_check
from vecbleu.kernel.arrays import Int64
from vecbleu.show.table import Table, plain
from vecbleu.show.terminal import escaped_name

Result = tuple[Table, str, Iterable[dict[str, object]]]


class Systems:
    """Systems of a command line, with options of counting and scoring.

    Files of statistics have signatures, which must agree with each other, with the text and with
    the options.
    """

    def __init__(self, options: argparse.Namespace, documents: str | None = None) -> None:
        self._options = options
        self._documents = documents  # a file with the document of each line, which joins them
        self.names = system_names(options) if options.input else ["System 1"]
        self._paths: list[str] = options.input or [STANDARD_INPUT]
        self._text = [path for path in self._paths if not is_statistics_file(path)]
        self._lines = 0
        self.metrics = metrics_of(options, bool(self._text))
        self._loaded: dict[str, SavedTable] = {}
        for path in filter(is_statistics_file, self._paths):
            if len(self.metrics) > 1:
                raise ValueError(f"{path} has counts of one metric; write it after -m")
            table = _loaded(options, path, self.metrics[0].metric.table)
            if not table:
                raise ValueError(f"{path} has 0 segments, expected at least one")
            # Old files do not name the order of BLEU.
            known = table.signature._replace(max_order=getattr(table, "max_order", None))
            self._loaded[path] = table.of(table.array, known, table.reference_hashes)
            self.metrics[0].columns = table.array.shape[-1]
        loaded = [((path,), table.signature) for path, table in self._loaded.items()]
        for asked in self.metrics:
            agreed = common([(("the command line",), asked.signature), *loaded])
            asked.signature = agreed if self._text else common(loaded)
        # To warn of text that the tokenizer of a metric does not fit.
        names = [asked.metric.tokenizer for asked in self.metrics if not options.force]
        self._tokenizer = tokenizer_to_check(names)

    def blocks(self) -> Iterator[SavedTable]:
        """Yield the rows of a single system and metric, block by block."""
        # Compare the numbers of lines before the first is scored, unless a stream is read.
        read = [*self._text, *self._options.references]
        if self._text and not any(map(stream_of, read)):
            for _ in read_lines(sources_of(self._options, self._text)):
                pass
        (asked,) = self.metrics
        for block in self._count():
            (systems,) = block.rows
            if len(systems) > 1:
                raise ValueError("only one system can be scored at sentence level")
            yield asked.metric.table.of(systems[0], asked.signature)
        yield from self.loaded_rows().values()

    def totals(self) -> list[dict[str, SavedTable]]:
        """Return the sum of each system by name, for each metric; text takes constant memory."""
        if self._text and self._loaded:  # rows, to compare what they were counted against
            counted = self._counted_rows()
            return [{name: table.sum() for name, table in tables.items()} for tables in counted]
        totals: list[Int64] = []
        for block in self._count(summed=True):
            totals = list(map(add, totals, block.rows)) if totals else block.rows
        return self._in_order(totals)

    def tables(self) -> list[dict[str, Any]]:
        """Return the rows of each system by name, for each metric."""
        self.loaded_rows()
        return self._counted_rows()

    def _counted_rows(self) -> list[dict[str, SavedTable]]:
        """Return the rows of text, and what was loaded, by name, for each metric."""
        blocks = list(self._count())
        if not blocks:
            return self._in_order([])
        of_metrics = zip(*(block.rows for block in blocks), strict=True)
        rows = [np.concatenate(parts, axis=1) for parts in of_metrics]
        return self._in_order(rows, np.concatenate([block.reference_hashes for block in blocks]))

    def loaded_rows(self) -> dict[str, SavedTable]:
        """Return the loaded statistics; raise ValueError for sums."""
        for path, table in self._loaded.items():
            if table.is_sum:
                raise ValueError(f"{path} is the sum of all segments, expected a row for each")
        return self._loaded

    def check_references(self, hashes: Int64 | None = None) -> None:
        """Raise ValueError if the files of systems have different references, as far as known.

        `hashes` (lines,) are those of the files of references.
        """
        found = {} if hashes is None else {(label_of(self._options.references[0]),): hashes}
        found |= {(path,): table.reference_hashes for path, table in self._loaded.items()}
        if any(table.is_sum for table in self._loaded.values()):
            found = {where: summed_hash(np.atleast_1d(own)) for where, own in found.items()}
        check_references(found, of_lines=True)

    def _in_order(
        self, counted: Sequence[Int64], hashes: Int64 | None = None
    ) -> list[dict[str, SavedTable]]:
        """Return counted text and loaded statistics of each metric, in the order of the options.

        `hashes` (lines,) are those of the references of the text.
        """
        counted = counted or [np.zeros(0, np.int64)]  # of no text: statistics are of one metric
        size = len(counted[0])
        if not self._options.input:
            self._paths = [STANDARD_INPUT] * size
            self.names = system_names(self._options, size)
        rows = {path: table for path, table in self._loaded.items() if not table.is_sum}
        check_sizes(dict.fromkeys(self._text[:1], self._lines), rows)
        self.check_references(hashes)
        loaded = self._loaded
        tables = []
        for asked, systems in zip(self.metrics, counted, strict=True):
            table = asked.metric.table
            signature = asked.signature
            texts = (table.of(counts, signature, hashes) for counts in systems)
            ordered = [loaded[path] if path in loaded else next(texts) for path in self._paths]
            tables.append(dict(zip(self.names, ordered, strict=True)))
        return tables

    def _count(self, summed: bool = False) -> Generator[BlockCounts]:
        """Count all text systems, block by block."""
        options = self._options
        if not self._text:
            if options.references:
                hashes = hashes_of_files(sources_of(options))
                check_sizes({options.references[0]: len(hashes)}, self.loaded_rows())
                self.check_references(hashes)
            return
        # The first line of standard input determines the number of systems.
        columns = 1 if options.input else 0
        if not options.input and sys.stdin is not None and sys.stdin.isatty():
            warn(f"systems are read from standard input; {BEHIND}")
        hypotheses = [source_of(options, path, columns) for path in self._text]
        documents = self._documents and shared.source_of(options, self._documents)
        corpus = FileCorpus(
            hypotheses,
            sources_of(options),
            self._tokenizer,
            options.normalize,
            documents or None,
        )
        # On a terminal, a progress bar would mix with the printed lines.
        prints_lines = options.sentence_level and sys.stdout.isatty()
        run = RunOptions(options.workers, False if prints_lines else None)
        references = corpus.references_each()
        metrics = [asked.metric.pinned() for asked in self.metrics]
        count = partial(_count_block, summed, references, metrics)
        cost = sum(metric.cost for metric in metrics)
        with closing(map_blocks_of(count, corpus, corpus.blocks(), cost, run)) as blocks:
            for block in blocks:
                if not self._options.force and not self._lines:
                    self._look_again(corpus, block)
                self._lines += block.lines
                yield block
        if not self._lines:
            raise ValueError(f"{label_of(self._text[0])} has 0 lines, expected at least one")

    def _look_again(self, corpus: FileCorpus, first: BlockCounts) -> None:
        """Warn of what only low scores show, given the counts of the first block."""
        for asked, rows in zip(self.metrics, first.rows, strict=True):
            for (name, sample), counts in zip(corpus.samples, rows, strict=True):
                look_again(sample, asked.metric, sum_counts(np.atleast_2d(counts)).tolist(), name)


def _loaded(options: argparse.Namespace, path: str, table: type[SavedTable]) -> SavedTable:
    """Load statistics; if they are of another metric, say what to write for that."""
    try:
        return table.load(path)
    except OtherMetricError as error:
        advice = f"vecbleu rank takes them with -m {error.metric.lower()}"
        if options.has_metrics:
            advice = f"write -m {error.metric.lower()}"
        if options.output is not None and options.output.endswith(".html"):
            advice = f"a report of {error.metric} takes text"
        raise ValueError(f"{error}; {advice}") from error


def check_sizes(lines: Mapping[str, int], loaded: Mapping[str, Sized]) -> None:
    """Raise ValueError if files of text and of statistics differ in their number of segments."""
    segments = {**lines, **{path: len(table) for path, table in loaded.items()}}
    first = next(iter(segments), "")
    for path, size in segments.items():
        if size != segments[first]:
            found = f"{label_of(path)} has {size} segments"
            raise ValueError(f"{found} but {label_of(first)} has {segments[first]}")


class BlockCounts(NamedTuple):
    """Counts of the lines of a block, for all systems."""

    rows: list[Int64]  # of each metric (systems, lines, columns), or their sums (systems, columns)
    reference_hashes: Int64  # (lines,); with sums none
    lines: int


def _count_block(
    summed: bool, references: int, metrics: Sequence[AnyMetric], block: Block
) -> BlockCounts:
    """Count the lines of each system for each metric."""
    segments = len(block.segments) - 1
    lines = (len(block.units) - segments) // references
    systems = segments // lines
    hashes = np.zeros(0, np.int64)
    if not summed:
        block, hashes = block.with_hashes()
    rows = []
    for metric in metrics:
        table = metric.count(block).reshape(systems, lines, -1)
        rows.append(np.stack([sum_counts(part) for part in table]) if summed else table)
    return BlockCounts(rows, hashes[:lines], lines)


class SegmentTexts(NamedTuple):
    """Texts of one segment. Outputs are None for files of statistics."""

    source: str | None
    references: list[str]
    outputs: list[str | None]


def read_segments(
    options: argparse.Namespace, segments: Iterable[int]
) -> tuple[dict[int, SegmentTexts], int]:
    """Read the texts of these segments, stripped; also return how many lines were read."""
    files = [path for path in options.input if not is_statistics_file(path)]
    files += filter(None, [options.source])
    texts: dict[int, SegmentTexts] = {}
    wanted = set(segments)
    lines = 0
    if not wanted:
        return texts, lines
    for block in read_lines(sources_of(options, files)):
        first = lines
        lines += block.lines
        inside = wanted.intersection(range(first, lines))
        columns = _columns_of(block) if inside else []
        for segment in inside:
            row = [column[segment - first].strip() for column in columns]
            by_file = dict(zip(files, row, strict=False))
            outputs = [by_file.get(path) for path in options.input]
            texts[segment] = SegmentTexts(by_file.get(options.source), row[len(files) :], outputs)
        if len(texts) == len(wanted):
            break
    return texts, lines


def source_of(options: argparse.Namespace, path: str, columns: int = 1) -> Source:
    """Return the source of a text file.

    A metric may count white space, but sacreBLEU's command strips lines.
    """
    source = shared.source_of(options, path, columns)
    return source._replace(is_stripped=counts_white_space(options))


def sources_of(options: argparse.Namespace, files: Iterable[str] = ()) -> list[Source]:
    """Return the sources of files, then of the references."""
    references = [source_of(options, path, options.num_refs) for path in options.references]
    return [*(source_of(options, path) for path in files), *references]


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


def json_lines(value: object, indent: int | None = 1) -> list[str]:
    """Format a value as lines of JSON, with all digits."""
    import json  # text does not need it

    return json.dumps(value, indent=indent).split("\n")


def result_lines(
    options: argparse.Namespace, results: Sequence[Result], verdicts: Sequence[str] = ()
) -> list[str]:
    """Return results of each metric as records, or as tables below their signatures.

    A result is a table of the systems, its signature, and more fields of each record. Tables stand
    one below the other. Side by side stand those of LaTeX, and those that have only scores.
    Verdicts stand below.
    """
    if options.json:
        records = [
            row | fields | {"signature": signature}
            for table, signature, more in results
            for row, fields in zip(table.records(), more, strict=True)
        ]
        return json_lines(plain(records))
    signatures = [signature for _, signature, _ in results]
    tables = [table for table, *_ in results]
    notes = list(dict.fromkeys(note for table in tables for note in table.notes))
    if options.latex is not None:
        table = _chosen(_joined(tables)._replace(notes=notes), options.latex)
        latex = table._replace(notes=[*table.notes, *verdicts]).to_latex()
        return [*(f"% {signature}" for signature in signatures), *latex.split("\n")]
    if len(tables[0].columns) == 2:
        tables = [_joined(tables)]
    lines = signatures
    for table in tables:
        lines += ["", *table._replace(notes=()).to_text().split("\n")]
    return [*lines, *map(escaped_name, [*notes, *verdicts])]


def _joined(tables: Sequence[Table]) -> Table:
    """Return a table with the columns of all, but the names of the systems only once."""
    first, *others = tables
    columns = list(first.columns)
    for table in others:
        columns += [column for column in table.columns if column.title not in ("rank", "system")]
    return Table(columns)


def _base_title(title: str) -> str:
    """Return the name of a metric without its options, or the first word of the title."""
    metrics = (metric for metric in METRICS if title.startswith(metric))
    return next(metrics, title.partition(" ")[0])


def _chosen(table: Table, names: Sequence[str]) -> Table:
    """Keep the systems and the columns of these names; without names, all."""
    if not names:
        return table
    columns = []
    title = ""
    metric = ""
    metrics = set(names).intersection(METRICS)
    titles = set()
    for column in table.columns:
        is_bound = column.title in ("lower", "upper", "mean")  # of the column on the left
        title = title if is_bound else _base_title(column.title)
        metric = title if title in METRICS else metric
        titles.add("interval" if is_bound else title)
        is_shown = not metrics or metric in metrics  # of a metric that is not named, nothing is
        is_always = title in ("rank", "system", "people")
        is_named = is_always or (title in names and is_shown)
        if is_named and (not is_bound or "interval" in names):
            columns.append(column)
    if missing := set(names) - titles:
        known = ", ".join(sorted(titles - {"rank", "system"}))
        found = f"is {min(missing)}, but the columns of the table are {known}"
        raise ArgumentError(found, argument="latex")
    if "interval" in names and set(names) <= {"interval", "cluster", "p"}:
        advice = f"Add {', '.join(METRICS)} or difference"
        found = f"is interval, but of which column? {advice}"
        raise ArgumentError(found, argument="latex")
    shown = {column.title.partition(" ")[0] for column in columns}
    notes = [note for note in table.notes if shown & set(note.partition(":")[0].split(", "))]
    return table._replace(columns=columns, notes=notes)
