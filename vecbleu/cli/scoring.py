"""The command line: ``vecbleu REF [REF ...] -i HYP [HYP ...]``, with sacreBLEU's options."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vecbleu.arguments import parse
from vecbleu.files import STANDARD_INPUT, FileBlock, Source
from vecbleu.parallel import checked_workers
from vecbleu.pipeline import Counting, count_files
from vecbleu.reports import entry, paired_table, table
from vecbleu.results import BleuScore, score_rows
from vecbleu.sacrebleu.options import (
    added_by,
    choose_tokenizer,
    environment_seed,
    logger,
    warn_of_tokenized,
)
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature, smoothing_field
from vecbleu.scores import Formula, resolve_formula
from vecbleu.statistics import Statistics
from vecbleu.text import Text
from vecbleu.tokenizers import tokenizer_signature
from vecbleu.tokenizers.spans import line_edges, white_space

if TYPE_CHECKING:
    from vecbleu.significance.scoring import ScoreOptions


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0, or 2 after an error."""
    if sys.stdout is None:
        return _fail("standard output is closed")
    options = parse(arguments)
    logging.basicConfig(format="vecbleu: %(message)s")
    logger.setLevel(logging.ERROR if options.quiet else logging.WARNING)
    if hasattr(sys.stdout, "reconfigure"):  # as sacreBLEU, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        for line in _Report(options).lines():
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, TypeError, ImportError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    return 0


def _fail(message: str) -> int:
    """One line on standard error, if there is one."""
    if sys.stderr is not None:
        line = message.replace("\n", "\\n")
        print(f"vecbleu: error: {line}", file=sys.stderr)
    return 2


class _Report:
    """One run: its checked options, and the lines that it prints."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.tokenize = choose_tokenizer(options.tokenize, options.language)
        self.counting = Counting(self.tokenize, options.lowercase, options.max_order)
        self.workers = checked_workers(options.workers)
        self.formula: Formula = resolve_formula(
            options.max_order,
            None,
            options.smoothing,
            options.smoothing_value,
            options.sentence_level,
        )
        self.names = options.input or ["System 1"]
        self.ends_tokenized = np.zeros(1, np.int64)  # (systems,), segments that end in " ."

    def lines(self) -> Iterator[str]:
        """Score, and yield the lines to print."""
        options = self.options
        asked = self._signature().format(options.short)
        # sacreBLEU's JSON has the full one, as does ours where both are asked for.
        signature = self._signature().format() if options.format == "json" else asked
        if options.sentence_level:
            for rows in self._blocks():
                for score in score_rows(rows[0], self.formula):
                    yield self._sentence(score, signature if options.json else asked)
            return
        if options.is_paired:
            yield self._paired(self._tables())
            return
        if options.confidence:
            yield self._confidence(self._tables())
            return
        scores = self._corpus_scores()
        if options.json:
            entries = [
                entry(name, options.references, score, signature)
                for name, score in zip(self.names, scores, strict=True)
            ]
            yield json.dumps(entries if len(entries) > 1 else entries[0], indent=1)
        elif len(scores) == 1:
            is_json = options.format == "json"
            yield self._format(scores[0], options.score_only, signature, is_json)
        else:
            texts = [self._format(score, True, "", False) for score in scores]
            yield table(self.names, texts, options.format, asked)

    def _sentence(self, score: BleuScore, signature: str) -> str:
        """The line of a segment; sacreBLEU knows no JSON of these."""
        options = self.options
        if options.json:
            return json.dumps(entry(self.names[0], options.references, score, signature))
        return self._format(score, options.score_only, signature, False)

    def _corpus_scores(self) -> list[BleuScore]:
        """One score for each system; memory does not grow with the files."""
        totals: list[Statistics] = []
        for systems in self._blocks():
            sums = [rows.sum() for rows in systems]
            pairs = zip(totals, sums, strict=True)
            totals = [total + more for total, more in pairs] if totals else sums
        totals = totals or [self.counting.nothing().sum()] * len(self.names)
        self._all_are_read(len(totals))
        return [score for total in totals for score in score_rows(total[None], self.formula)]

    def _tables(self) -> list[Statistics]:
        """The statistics of each system, a row a segment, for tests."""
        tables = [Statistics.concatenate(rows) for rows in zip(*self._blocks(), strict=True)]
        if not tables:
            raise ValueError("there are no segments to test")
        self._all_are_read(len(tables))
        return tables

    def _all_are_read(self, systems: int) -> None:
        """Name the columns of standard input, and warn of what has been seen."""
        if not self.options.input:
            self.names = [f"System {number}" for number in range(1, systems + 1)]
        if not self.options.force:
            for periods in self.ends_tokenized.tolist():
                warn_of_tokenized(periods)

    def _confidence(self, tables: list[Statistics]) -> str:
        """One system's score with its interval."""
        options = self.options
        if len(tables) > 1:
            raise ValueError(
                f"--confidence is for one system, not {len(tables)}; use --paired-bs or --paired-ar"
            )
        from vecbleu.significance import bootstrap  # 8 ms, which scores need not wait for

        seed_field, seed = environment_seed()
        signature = self._signature(bs=options.confidence_n, seed=seed_field)
        result = next(score_rows(tables[0].sum()[None], self.formula))
        interval = bootstrap(
            tables[0], resamples=options.confidence_n, rng=seed, **self._score_options()
        )
        if options.json:
            added = {"mean": 100 * interval.mean, "ci": 100 * interval.half_width}
            one = entry(self.names[0], options.references, result, signature.format())
            return json.dumps(one | added, indent=1)
        is_json = options.format == "json"
        text = signature.format(options.short and not is_json)
        percents = (100 * interval.resampled).tolist()
        return self._format(result, options.score_only, text, is_json, percents)

    def _paired(self, tables: list[Statistics]) -> str:
        """All systems against the first."""
        from vecbleu.significance import paired_bootstrap, paired_randomization

        options = self.options
        if len(tables) < 2:
            raise ValueError("paired tests need several systems")
        if options.input:
            names = [f"Baseline: {self.names[0]}", *self.names[1:]]
        else:
            names = ["Baseline", *(f"System {number}" for number in range(1, len(tables)))]
        seed_field, seed = environment_seed()
        asked = self._score_options()
        if options.paired_bs:
            count, kind = options.paired_bs_n, "bs"
            found = paired_bootstrap(tables, resamples=count, rng=seed, **asked)
        else:
            count, kind = options.paired_ar_n, "ar"
            found = paired_randomization(tables, trials=count, rng=seed, **asked)
        is_json = options.json or options.format == "json"
        signature = self._signature(**{kind: count}, seed=seed_field)
        text = signature.format(options.short and not is_json)
        if options.json:
            return json.dumps(found.to_dict() | {"names": names, "signature": text}, indent=1)
        return paired_table(names, found, options.format, options.width, count, text)

    def _score_options(self) -> ScoreOptions:
        """The formula in the words of `significance`."""
        options = self.options
        return {"smoothing": options.smoothing, "smoothing_value": options.smoothing_value}

    def _blocks(self) -> Iterator[list[Statistics]]:
        """Statistics of all systems, block by block of the files."""
        options = self.options
        encoding = options.encoding
        hypotheses = [Source(path, 1, encoding) for path in options.input]
        references = [Source(path, options.num_refs, encoding) for path in options.references]
        if not hypotheses:  # as many systems as the first line has fields
            hypotheses = [Source(STANDARD_INPUT, 0, encoding)]
        observe = None
        if not (options.force or options.sentence_level):
            observe = partial(_ends_tokenized, len(options.references) * options.num_refs)
        with closing(
            count_files(hypotheses, references, self.counting, self.workers, observe)
        ) as blocks:
            for systems, ends_tokenized in blocks:
                if observe is not None:
                    self.ends_tokenized = self.ends_tokenized + ends_tokenized
                if options.sentence_level and len(systems) > 1:
                    raise ValueError("only one system can be scored at sentence level")
                yield systems

    def _format(
        self,
        score: BleuScore,
        alone: bool,
        signature: str,
        is_json: bool,
        resampled: Sequence[float] = (),
    ) -> str:
        """A score in sacreBLEU's words."""
        added = added_by(self.options.smoothing, self.options.smoothing_value)
        result = BLEUScore.from_result(score, added)
        if resampled:
            result.set_interval(resampled)
        return result.format(self.options.width, alone, signature, is_json)

    def _signature(self, **tested: Any) -> BLEUSignature:
        """What was computed, and drawn."""
        options = self.options
        return BLEUSignature(
            {
                "nrefs": len(options.references) * options.num_refs,
                "case": "lc" if options.lowercase else "mixed",
                "eff": "yes" if self.formula.effective_order else "no",
                "tok": tokenizer_signature(self.tokenize),
                "smooth": smoothing_field(options.smoothing, self.formula.smoothing.value),
                "max_order": None if options.max_order == 4 else options.max_order,
                **tested,
            }
        )


def _ends_tokenized(streams: int, block: FileBlock, text: Text) -> npt.NDArray[np.int64]:
    """Number of segments of each system that look tokenized (systems,)."""
    systems = len(block.columns) - streams
    data = text.data
    last = line_edges(text, white_space(text.used))[1][: systems * block.lines]
    ends = (data[last] == ord(".")) & (data[last - 1] == ord(" "))
    ends &= last > text.offsets[: len(last)]
    counts: npt.NDArray[np.int64] = ends.reshape(systems, -1).sum(axis=1)
    return counts
