"""The systems of a command line: text that is counted, or files of statistics."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from operator import add
from typing import Any, TextIO

import numpy as np

from vecbleu.cli.arguments import can_be_read_twice, check_names
from vecbleu.cli.grammar import is_statistics_file, system_names, usage
from vecbleu.cli.lines import KeptLines, count_lines, reference_sources, source_of
from vecbleu.cli.messages import warn
from vecbleu.core.arrays import Int64
from vecbleu.core.corpus.blocks import PackedSegments
from vecbleu.core.corpus.layouts import ColumnByColumn
from vecbleu.core.corpus.lines import FileCorpus, LineUnits
from vecbleu.core.files.reader import UnequalLinesError
from vecbleu.core.files.sources import STANDARD_INPUT
from vecbleu.core.options import CountOptions, RefLength, RunOptions, ScoreOptions
from vecbleu.core.pipeline import map_packed, no_rows
from vecbleu.core.records import replace
from vecbleu.core.signature import Signature, check_alike, common
from vecbleu.core.statistics.columns import sum_counts
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.text.scripts import warn_of_script
from vecbleu.core.text.spans import line_edges, white_space
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers import find_tokenizer
from vecbleu.sacrebleu.options import choose_tokenizer, warn_of_tokenized
from vecbleu.sacrebleu.signature import BLEUSignature, signature_of

_DEFAULT_ORDER = 4

# The statistics of each system in a block, its lines, and how many of each end in " .".
_Counted = tuple[list[Int64], int, Int64]


class Systems:
    """The systems that the options name, and how they are counted and scored.

    Files of statistics say how they were counted: they have to agree with each other, with the
    text beside them and with the options. If lines are kept, `columns` has them once they are
    counted: those of each system, then those of references.
    """

    def __init__(self, options: argparse.Namespace, keeps_lines: bool = False) -> None:
        self._keeps_lines = keeps_lines
        self.columns: list[list[str]] = []
        self._paths: list[str] = options.input or [STANDARD_INPUT]
        self.names = system_names(options) if options.input else ["System 1"]
        self._options = options
        self._loaded = load_alike(path for path in options.input if is_statistics_file(path))
        self._text = [path for path in self._paths if path not in self._loaded]
        self._lines = 0  # of text that are counted
        self._ends_tokenized: Int64 = np.zeros(1, np.int64)  # (systems,), lines that end in " ."
        self._tokenize = tokenizer_name(options) if self._text else None
        self._count_options = _count_options(options, self._tokenize) if self._text else None
        requested = "the command line", _requested_signature(options, self._count_options)
        named = [(path, table.signature) for path, table in self._loaded.items()]
        check_alike([requested, *named])
        self.signature = common([requested, *named] if self._text else named)
        if options.references and not self._text:
            self._check_references()

    @property
    def count_options(self) -> CountOptions | None:
        """How text is counted; None where there is none."""
        return self._count_options

    @property
    def smoothing_options(self) -> dict[str, Any]:
        """The smoothing, by the keywords of vecbleu's functions."""
        options = self._options
        return {"smoothing": options.smoothing, "smoothing_value": options.smoothing_value}

    @property
    def counting_options(self) -> dict[str, Any]:
        """How text is counted, by the keywords of vecbleu's functions."""
        return {
            "tokenize": self._tokenize,
            "lowercase": self._options.lowercase,
            "max_order": self.signature.max_order or _DEFAULT_ORDER,
            "workers": self._options.workers,
        }

    def score_options(self) -> ScoreOptions:
        """How the statistics are scored."""
        max_order = self.signature.max_order or _DEFAULT_ORDER  # it is known of all tables
        return ScoreOptions.checked(
            max_order, **self.smoothing_options, effective_order=self._options.sentence_level
        )

    def describe(self, **resampling: int | str) -> BLEUSignature:
        """The signature of what is counted, scored and resampled."""
        return signature_of(self.signature, self.score_options(), **resampling)

    def blocks(self) -> Iterator[Statistics]:
        """The statistics of a single system, block by block of its file."""
        yield from checked_rows(self._loaded).values()
        for systems in self._count():
            if len(systems) > 1:
                raise ValueError("only one system can be scored at sentence level")
            yield Statistics.of(systems[0], self.signature)

    def totals(self) -> list[Statistics]:
        """The sum of each system; memory does not grow with the files of text."""
        totals: list[Int64] = []
        for sums in self._count(summed=True):
            totals = [*map(add, totals, sums)] if totals else sums
        counted = [Statistics.of(total, self.signature) for total in totals]
        return [table.sum() for table in self._in_order(self._loaded, counted)]

    def tables(self, purpose: str = "") -> list[Statistics]:
        """The statistics of each system, a row a segment; a purpose needs some of them."""
        tables = [
            Statistics.of(np.concatenate(rows), self.signature)
            for rows in zip(*self._count(), strict=True)
        ]
        tables = self._in_order(checked_rows(self._loaded), tables)
        if purpose and not len(tables[0]):
            raise ValueError(f"there are no segments to {purpose}")
        return tables

    def check_lengths(self) -> None:
        """ValueError unless text has equally many lines, if it can be read twice to find out."""
        if self._text and all(map(can_be_read_twice, [*self._text, *self._options.references])):
            systems = [source_of(self._options, path) for path in self._text]
            count_lines([*systems, *reference_sources(self._options)])

    def warn_of_tokenized(self) -> None:
        """Warn of text that has been counted and looks tokenized."""
        for periods in self._ends_tokenized.tolist():
            warn_of_tokenized(periods, warn)

    def _check_references(self) -> None:
        """ValueError if references beside nothing but statistics have other numbers of lines."""
        loaded = {path: len(table) for path, table in checked_rows(self._loaded).items()}
        lines = count_lines(reference_sources(self._options))
        _check_sizes({self._options.references[0]: lines} | loaded)

    def _in_order(
        self, loaded: dict[str, Statistics], counted: list[Statistics]
    ) -> list[Statistics]:
        """Counted text and loaded statistics in the order of the options; checks their sizes.

        Columns of standard input get their names, and there is a warning of tokenized text.
        """
        if not self._options.input:
            self._paths = [STANDARD_INPUT] * len(counted)
            numbers = range(1, len(counted) + 1)
            self.names = self._options.names or [f"System {number}" for number in numbers]
            check_names(self.names, len(counted))
        self.warn_of_tokenized()
        rows = {path: len(table) for path, table in loaded.items() if not table.is_sum}
        _check_sizes(dict.fromkeys(self._text[:1], self._lines) | rows)
        tables = iter(counted)
        return [loaded[path] if path in loaded else next(tables) for path in self._paths]

    def _count(self, summed: bool = False) -> Generator[list[Int64]]:
        """Counts of all systems that are text, block by block of the files; or their sums."""
        if self._count_options is None:
            return
        if self._options.input:
            hypotheses = [source_of(self._options, path) for path in self._text]
        else:  # as many systems as the first line has fields
            if _is_terminal(sys.stdin):
                warn("systems are read from standard input; to score a file, write -i FILE")
            hypotheses = [source_of(self._options, STANDARD_INPUT, columns=0)]
        files = FileCorpus(hypotheses, reference_sources(self._options))
        if not self._options.force:
            warn_of_script(files.sample(), self._count_options.tokenize.signature(), warn)
        kept = KeptLines(files)
        corpus = kept if self._keeps_lines else files
        # A progress bar on a terminal would stand between the lines that are printed meanwhile.
        prints_lines = self._options.sentence_level and sys.stdout.isatty()
        progress = False if prints_lines else None
        run = RunOptions(self._options.workers, progress)
        count = partial(_count_block, summed, not self._options.force)
        counted = map_packed(count, corpus, self._count_options, run)
        with closing(_without_empty_input(self._options, counted)) as blocks:
            for systems, lines, ends_tokenized in blocks:
                self._lines += lines
                self._ends_tokenized = self._ends_tokenized + ends_tokenized
                yield systems
        self.columns = kept.columns
        if not self._lines:
            empty = no_rows(self._count_options)
            yield [empty.sum(axis=0) if summed else empty] * len(self._text)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody types what is read; a stream that is closed is None."""
    return stream is not None and stream.isatty()


def _without_empty_input(
    options: argparse.Namespace, blocks: Generator[_Counted]
) -> Generator[_Counted]:
    """The same blocks; ValueError with the call to write, where standard input is empty."""
    with closing(blocks):
        try:
            yield from blocks
        except UnequalLinesError as error:
            if not options.input and not error.counts[STANDARD_INPUT]:
                raise ValueError(
                    f"standard input, which is read without -i, is empty: {usage(options)}"
                ) from None
            raise


def load_alike(paths: Iterable[str]) -> dict[str, Statistics]:
    """Load statistics that were counted in the same way; their signatures have the order."""
    loaded = {}
    for path in paths:
        table = Statistics.load(path)
        signature = table.signature._replace(max_order=table.max_order)
        loaded[path] = Statistics.of(table.array, signature)
    check_alike((path, table.signature) for path, table in loaded.items())
    return loaded


def checked_rows(loaded: dict[str, Statistics]) -> dict[str, Statistics]:
    """The same; ValueError where the statistics of all segments have been added up."""
    for path, table in loaded.items():
        if table.is_sum:
            raise ValueError(f"{path} is the sum of all segments, expected a row for each of them")
    return loaded


def _check_sizes(segments: dict[str, int]) -> None:
    """ValueError with both numbers where files are about different numbers of segments."""
    for path, size in segments.items():
        first = next(iter(segments))
        if size != segments[first]:
            raise ValueError(f"{path} has {size} segments but {first} has {segments[first]}")


def tokenizer_name(options: argparse.Namespace) -> str:
    """The tokenizer that is asked for, or the target language's."""
    *_, language = (options.language_pair or "").split("-")[:2]
    return choose_tokenizer(options.tokenize, language, warn)


def _count_options(options: argparse.Namespace, tokenize: str | None) -> CountOptions:
    """How text is counted."""
    order = _DEFAULT_ORDER if options.max_order is None else options.max_order
    return CountOptions.checked(tokenize, options.lowercase, order)


def _requested_signature(options: argparse.Namespace, count: CountOptions | None) -> Signature:
    """How text is counted; without text, what the options say explicitly."""
    references = len(options.references) * options.num_refs
    if count is not None:
        return count.signature(references=references)
    tokenize = None
    if options.tokenize is not None or options.language_pair:
        tokenize = find_tokenizer(tokenizer_name(options)).signature()
    order = options.max_order
    return Signature(tokenize, options.lowercase or None, order, None, references or None)


def _count_block(
    summed: bool,
    finds_tokenized: bool,
    max_order: int,
    ref_length: RefLength,
    packed: PackedSegments,
) -> _Counted:
    """Count the lines of every system; where sums are enough, only they leave the process.

    Returns the statistics of each system, the number of lines, and how many of each system's end
    in a space and a period (systems,).
    """
    layout, units = packed.layout, packed.units
    assert isinstance(layout, ColumnByColumn)
    lines = layout.lines
    ends_tokenized: Int64 = np.zeros(layout.systems, np.int64)
    if finds_tokenized:
        assert isinstance(units, LineUnits)  # tokenizers that have names can go to any process
        as_text = units.as_text()
        ends_tokenized = _tokenized_ends(as_text.text, layout)
        packed = replace(packed, units=as_text)
    rows = packed.rows(max_order, ref_length)
    systems = [rows[k * lines : (k + 1) * lines] for k in range(layout.systems)]
    return [*map(sum_counts, systems)] if summed else systems, lines, ends_tokenized


def _tokenized_ends(text: Text, layout: ColumnByColumn) -> Int64:
    """Number of lines of each system (systems,) that end in a space and a period."""
    data, size = text.data, layout.systems * layout.lines
    last = line_edges(text, white_space(text.used))[1][:size]
    ends = (data[last] == ord(".")) & (data[last - 1] == ord(" "))
    ends &= last > text.offsets[:size]
    counts: Int64 = ends.reshape(layout.systems, -1).sum(axis=1)
    return counts
