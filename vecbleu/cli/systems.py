"""The systems of a command line: text that is counted, or statistics that have been kept."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.cli.arguments import is_kept
from vecbleu.files import FileBlock, read_blocks
from vecbleu.parallel import Labor
from vecbleu.pipeline import Counting, count_files
from vecbleu.sacrebleu.options import choose_tokenizer, logger, warn_of_tokenized
from vecbleu.scores import Formula, resolve_formula
from vecbleu.signatures import Signature, check_alike, common
from vecbleu.sources import STANDARD_INPUT, Source
from vecbleu.statistics import Statistics
from vecbleu.text import Text
from vecbleu.tokenizers import find_tokenizer, tokenizer_signature
from vecbleu.tokenizers.spans import line_edges, white_space

_DEFAULT_ORDER = 4

# Bytes read from each file at a time, where nothing is counted.
FILE_BLOCK = 1 << 18

# What messages call the options, and the text that is counted by them.
_HERE = "the command line"


class Systems:
    """What the options name: how it is counted, and its statistics.

    Statistics that have been kept say how they were counted, and have to agree with each other,
    with the text beside them and with what is asked for.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        logger.setLevel(logging.ERROR if options.quiet else logging.WARNING)
        self.names: list[str] = options.input or ["System 1"]
        self._options = options
        self._kept = load_alike([path for path in options.input if is_kept(path)])
        self._text = [path for path in self.names if path not in self._kept]
        # A bar is for terminals, where it would stand between lines that are printed meanwhile.
        prints_lines = getattr(options, "sentence_level", False) and sys.stdout.isatty()
        self._labor = Labor(options.workers, False if prints_lines else None)
        self._ends_tokenized = np.zeros(1, np.int64)  # (systems,), segments that end in " ."
        self._counting: Counting | None = None
        kept = [(path, table.signature) for path, table in self._kept.items()]
        if self._text:
            tokenize = choose_tokenizer(options.tokenize, options.language)
            order = _DEFAULT_ORDER if options.max_order is None else options.max_order
            self._counting = Counting(tokenize, options.lowercase, order)
            asked = self._counting.signature(len(options.references) * options.num_refs)
            self.signature = common([(_HERE, asked), *kept])
        else:
            check_alike([(_HERE, _asked(options)), *kept])
            self.signature = common(kept)
            self._check_references()

    @property
    def score_options(self) -> dict[str, Any]:
        """The smoothing, in the words of `vecbleu.bleu`."""
        options = self._options
        return {"smoothing": options.smoothing, "smoothing_value": options.smoothing_value}

    def formula(self, effective_order: bool = False) -> Formula:
        """The score that the options ask for."""
        assert self.signature.max_order is not None  # of the text, and of everything kept
        options = *self.score_options.values(), effective_order
        return resolve_formula(self.signature.max_order, None, *options)

    def blocks(self) -> Iterator[Statistics]:
        """Statistics of a single system, block by block of its file."""
        yield from self._rows().values()
        for systems in self._blocks() if self._text else ():
            if len(systems) > 1:
                raise ValueError("only one system can be scored at sentence level")
            yield systems[0]

    def totals(self) -> list[Statistics]:
        """The sum of each system; memory does not grow with the files of text."""
        totals: list[Statistics] = []
        lines = 0
        for systems in self._blocks() if self._text else ():
            sums = [rows.sum() for rows in systems]
            pairs = zip(totals, sums, strict=True)
            totals = [total + more for total, more in pairs] if totals else sums
            lines += len(systems[0])
        if self._counting is not None and not totals:
            totals = [self._counting.nothing().sum()] * len(self._text)
        return [table.sum() for table in self._with_kept(self._kept, totals, lines)]

    def tables(self) -> list[Statistics]:
        """The statistics of each system, a row a segment."""
        tables: list[Statistics] = []
        if self._counting is not None:
            tables = [Statistics.concatenate(rows) for rows in zip(*self._blocks(), strict=True)]
            tables = tables or [self._counting.nothing()] * len(self._text)
            tables = [replace(table, signature=self.signature) for table in tables]
        return self._with_kept(self._rows(), tables, len(tables[0]) if tables else 0)

    def _rows(self) -> dict[str, Statistics]:
        """What is kept, if it has a row for each segment."""
        for path, table in self._kept.items():
            refuse_sum(path, table)
        return self._kept

    def _check_references(self) -> None:
        """References that stand beside nothing but statistics have their lines at least."""
        if not self._options.references:
            return
        sizes = {path: len(table) for path, table in self._rows().items()}
        lines = sum(block.lines for block in read_blocks(self.reference_sources(), FILE_BLOCK))
        _check_sizes({self._options.references[0]: lines} | sizes)

    def reference_sources(self) -> list[Source]:
        """The files of references."""
        options = self._options
        return [Source(path, options.num_refs, options.encoding) for path in options.references]

    def _with_kept(
        self, kept: dict[str, Statistics], counted: list[Statistics], lines: int
    ) -> list[Statistics]:
        """What has been counted and what is kept, in the order of the options; sizes are checked.

        Columns of standard input get their names, and there is a warning of what has been seen.
        """
        if not self._options.input:
            self.names = [f"System {number}" for number in range(1, len(counted) + 1)]
        if not self._options.force:
            for periods in self._ends_tokenized.tolist():
                warn_of_tokenized(periods)
        sizes = {path: len(table) for path, table in kept.items() if table.matches.ndim > 1}
        _check_sizes({self._text[0]: lines} | sizes if self._text else sizes)
        rest = iter(counted)
        return [kept[name] if name in kept else next(rest) for name in self.names]

    def _blocks(self) -> Iterator[list[Statistics]]:
        """Statistics of all systems that are text, block by block of the files."""
        assert self._counting is not None
        options = self._options
        if options.input:
            hypotheses = [Source(path, 1, options.encoding) for path in self._text]
        else:  # as many systems as the first line has fields
            hypotheses = [Source(STANDARD_INPUT, 0, options.encoding)]
        references = self.reference_sources()
        observe = None
        if not options.force:
            observe = partial(_ends_tokenized, len(references) * options.num_refs)
        with closing(
            count_files(hypotheses, references, self._counting, self._labor, observe)
        ) as blocks:
            for systems, ends_tokenized in blocks:
                if observe is not None:
                    self._ends_tokenized = self._ends_tokenized + ends_tokenized
                yield systems


def load_alike(paths: Sequence[str]) -> dict[str, Statistics]:
    """Statistics that were counted in the same way; they know their order at least."""
    kept = {}
    for path in paths:
        table = Statistics.load(path)
        signature = replace(table.signature, max_order=table.max_order)
        kept[path] = replace(table, signature=signature)
    check_alike((path, table.signature) for path, table in kept.items())
    return kept


def refuse_sum(path: str, table: Statistics) -> None:
    """ValueError where the statistics of all segments have been added up."""
    if table.matches.ndim == 1:
        raise ValueError(f"{path} is the sum of all segments, expected a row for each of them")


def _check_sizes(sizes: dict[str, int]) -> None:
    """ValueError with both numbers where files are about different numbers of segments."""
    for path, size in sizes.items():
        first = next(iter(sizes))
        if size != sizes[first]:
            raise ValueError(f"{path} has {size} segments but {first} has {sizes[first]}")


def read_labels(options: argparse.Namespace, size: int) -> list[str]:
    """The label of each segment."""
    blocks = read_blocks([Source(options.labels, 1, options.encoding)], FILE_BLOCK)
    labels = [label.strip() for block in blocks for label in block.text().strings()]
    if len(labels) != size:
        raise ValueError(
            f"{options.labels} has {len(labels)} lines but {options.input[0]} has {size} segments"
        )
    return labels


def _asked(options: argparse.Namespace) -> Signature:
    """What the options say about statistics that have been kept; by default anything goes."""
    tokenize = None
    if options.tokenize is not None or options.language_pair:
        name = choose_tokenizer(options.tokenize, options.language)
        find_tokenizer(name)
        tokenize = tokenizer_signature(name)
    references = len(options.references) * options.num_refs or None
    return Signature(tokenize, options.lowercase or None, options.max_order, None, references)


def _ends_tokenized(streams: int, block: FileBlock, text: Text) -> npt.NDArray[np.int64]:
    """Number of segments of each system that look tokenized (systems,)."""
    systems = len(block.columns) - streams
    data = text.data
    last = line_edges(text, white_space(text.used))[1][: systems * block.lines]
    ends = (data[last] == ord(".")) & (data[last - 1] == ord(" "))
    ends &= last > text.offsets[: len(last)]
    counts: npt.NDArray[np.int64] = ends.reshape(systems, -1).sum(axis=1)
    return counts
