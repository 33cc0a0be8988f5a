"""``vecbleu REF [REF ...] -i HYP [HYP ...]``: scores, with sacreBLEU's options."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.cli.reports import entry, paired_entries, paired_table, signature_of, table
from vecbleu.cli.scoring_options import parse
from vecbleu.cli.systems import Systems
from vecbleu.results import BleuScore, score_rows
from vecbleu.sacrebleu.options import added_by, environment_seed
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature
from vecbleu.statistics import Statistics


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score what the arguments name, and yield the lines to print."""
    return _Report(parse(arguments)).lines()


class _Report:
    """One run: its checked options, and the lines that it prints."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.systems = Systems(options)
        self.formula = self.systems.formula(options.sentence_level)

    def lines(self) -> Iterator[str]:
        """Score, and yield the lines to print."""
        options = self.options
        asked = self._signature().format(options.short)
        # sacreBLEU's JSON has the full one, as does ours where both are asked for.
        signature = self._signature().format() if options.format == "json" else asked
        if options.sentence_level:
            for rows in self.systems.blocks():
                for score in score_rows(rows, self.formula):
                    yield self._sentence(score, signature if options.json else asked)
            return
        if options.is_paired:
            yield self._paired(self._tables())
            return
        if options.confidence:
            yield self._confidence(self._tables())
            return
        totals = self.systems.totals()
        scores = [score for total in totals for score in score_rows(total[None], self.formula)]
        names = self.systems.names
        if options.json:
            entries = [
                entry(name, options.references, score, signature)
                for name, score in zip(names, scores, strict=True)
            ]
            yield json.dumps(entries if len(entries) > 1 else entries[0], indent=1)
        elif len(scores) == 1:
            is_json = options.format == "json"
            yield self._format(scores[0], options.score_only, signature, is_json)
        else:
            texts = [self._format(score, True, "", False) for score in scores]
            yield table(names, texts, options.format, asked)

    def _sentence(self, score: BleuScore, signature: str) -> str:
        """The line of a segment; sacreBLEU knows no JSON of these."""
        options = self.options
        if options.json:
            name = self.systems.names[0]
            return json.dumps(entry(name, options.references, score, signature))
        return self._format(score, options.score_only, signature, False)

    def _tables(self) -> list[Statistics]:
        """The statistics of each system, a row a segment, for tests."""
        tables = self.systems.tables()
        if not len(tables[0]):
            raise ValueError("there are no segments to test")
        return tables

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
        asked = self._test_options()
        interval = bootstrap(tables[0], resamples=options.confidence_n, rng=seed, **asked)
        if options.json:
            added = {"mean": 100 * interval.mean, "ci": 100 * interval.half_width}
            one = entry(self.systems.names[0], options.references, result, signature.format())
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
        first, *others = self.systems.names
        names = [f"Baseline: {first}" if options.input else "Baseline"]
        # sacreBLEU does not count the baseline among the columns of standard input.
        names += (
            others if options.input else [f"System {number}" for number in range(1, len(tables))]
        )
        seed_field, seed = environment_seed()
        asked = self._test_options()
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
            return json.dumps(paired_entries(names, found, text), indent=1)
        return paired_table(names, found, options.format, options.width, count, text)

    def _test_options(self) -> dict[str, Any]:
        """The formula in the words of `significance`; a bar is for terminals."""
        return self.systems.score_options | {"progress": None}

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

    def _signature(self, **tested: int | str) -> BLEUSignature:
        """What was computed, and drawn."""
        return signature_of(self.systems.signature, self.options.smoothing, self.formula, **tested)
