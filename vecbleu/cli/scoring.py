"""``vecbleu REF [REF ...] -i HYP [HYP ...]``: scores, with sacreBLEU's options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from vecbleu.cli.reports import (
    Column,
    comparison_entries,
    comparison_rows,
    format_comparison,
    format_scores,
    format_table,
    json_lines,
)
from vecbleu.cli.sacrebleu_options import BLEU
from vecbleu.cli.scoring_options import parse
from vecbleu.cli.systems import Systems
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics.table import Statistics
from vecbleu.sacrebleu.options import environment_seed
from vecbleu.sacrebleu.score import BLEUScore

if TYPE_CHECKING:
    from vecbleu.cli.other_metrics import OtherMetrics

_NAME = "BLEU"


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score the systems that the arguments name, and yield the lines to print."""
    options = parse(arguments)
    if options.is_passed_on:
        from vecbleu.cli import datasets

        return datasets.run(options)
    command = _ScoreCommand(options)
    if options.sentence_level:
        return command.sentences()
    if options.is_paired:
        return iter(command.ranking() if options.clusters else command.comparison())
    return iter(command.interval() if options.confidence else command.scores())


class _ScoreCommand:
    """One run of the command: its options, its systems, and what it prints."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.has_bleu = BLEU in options.metrics
        if not options.is_bleu:
            from vecbleu.cli.other_metrics import load_metrics

            load_metrics()  # raises before the work is done
        self.systems = Systems(options, keeps_lines=not options.is_bleu)
        self.score_options = self.systems.score_options()
        self.is_json = self.options.format == "json"

    def sentences(self) -> Iterator[str]:
        """A line for each segment; sacreBLEU has no JSON of these."""
        if not self.has_bleu:
            for _ in self.systems.blocks():
                pass
            yield from self._others(1).sentences()
            return
        self.systems.check_lengths()  # before a line is printed
        signature = self._signature(self.options.json and self.is_json)
        for rows in self.systems.blocks():
            for row in rows.array.tolist():
                score = BleuScore.of(row, self.score_options, rows.signature)
                if self.options.json:
                    entry = self._entry(self.systems.names[0], score, signature)
                    yield "".join(json_lines(entry, indent=None))
                else:
                    yield self._format(BLEUScore.from_result(score), signature)

    def scores(self) -> list[str]:
        """The score of each system."""
        options, signature = self.options, self._signature(self.is_json)
        scores = [self._score(total) for total in self.systems.totals()]
        names = self.systems.names  # those of columns are known now
        if options.json:
            entries = [self._entry(*pair, signature) for pair in zip(names, scores, strict=True)]
            return json_lines(entries if len(entries) > 1 else entries[0])
        if len(scores) == 1:
            return self._results(BLEUScore.from_result(scores[0]), signature)
        texts = [f"{score.percent:.{options.width}f}" for score in scores]
        columns = [Column(_NAME, texts, signature)] if self.has_bleu else []
        if not options.is_bleu:
            columns += self._others(len(scores)).columns()
        return format_table(names, columns, options.format, options.width)

    def interval(self) -> list[str]:
        """The score of a single system, and its interval by bootstrap."""
        tables, options = self.systems.tables("test"), self.options
        if len(tables) > 1:
            raise ValueError(
                f"--confidence is for one system, not {len(tables)}; use --paired-bs or --paired-ar"
            )
        from vecbleu.significance import bootstrap  # 8 ms, which scores need not wait for

        signature, keywords = self._test_of("bs", options.confidence_n)
        interval = bootstrap(tables[0], n_resamples=options.confidence_n, **keywords)
        score = self._score(tables[0].sum())
        if options.json:
            entry = self._entry(self.systems.names[0], score, signature)
            ends = {"mean": 100 * interval.mean, "ci": 100 * interval.half_width}
            return json_lines(entry | ends)
        result = BLEUScore.from_result(score)
        result.set_interval((100 * interval.resampled).tolist())
        return self._results(result, signature, options.confidence_n)

    def comparison(self) -> list[str]:
        """All systems, and paired tests of each against the first."""
        tables, options = self.systems.tables("test"), self.options
        if len(tables) < 2:
            raise ValueError("paired tests need several systems")
        from vecbleu.significance import paired_bootstrap, paired_randomization

        if options.paired_bs:
            count = options.paired_bs_n
            # One side is sacreBLEU's test, and has its signature.
            sides: Any = options.paired_bs_sides or 1
            signature, keywords = self._test_of("bs", count, **{"sides": 2} if sides == 2 else {})
            found = paired_bootstrap(tables, sides=sides, n_resamples=count, **keywords)
        else:
            count = options.paired_ar_n
            signature, keywords = self._test_of("ar", count)
            found = paired_randomization(tables, n_resamples=count, **keywords)
        percents = [self._score(one.sum()).percent for one in tables]
        if options.json:
            return json_lines(comparison_entries(self._names(), percents, found, signature))
        columns = {BLEU: Column(_NAME, [*comparison_rows(percents, found)], signature)}
        if not options.is_bleu:
            test = "bs" if options.paired_bs else "ar"
            columns |= self._others(len(tables)).comparison(self._names(), test, count)
        in_order = [columns[metric] for metric in options.metrics]
        return format_comparison(self._names(), in_order, options, count)

    def ranking(self) -> list[str]:
        """All systems in clusters, by paired tests of each against each."""
        from vecbleu.cli.ranking import ranking_lines
        from vecbleu.significance import rank

        tables, options = self.systems.tables("test"), self.options
        if len(tables) < 2:
            raise ValueError("paired tests need several systems")
        is_bootstrap = options.paired_bs
        sides: Any = options.paired_bs_sides or 2
        count = options.paired_bs_n if is_bootstrap else options.paired_ar_n
        more = {"sides": 2} if is_bootstrap and sides == 2 else {}
        signature, keywords = self._test_of("bs" if is_bootstrap else "ar", count, **more)
        found = rank(
            dict(zip(self.systems.names, tables, strict=True)),
            test="bootstrap" if is_bootstrap else "randomization",
            sides=sides,
            n_resamples=count,
            **keywords,
        )
        percents = [self._score(one.sum()).percent for one in tables]
        return ranking_lines(found, percents, options, signature)

    def _results(self, score: BLEUScore, signature: str, resamples: int = 1) -> list[str]:
        """The lines of one system's score, and of those that sacreBLEU computes."""
        results = [self._format(score, signature, self.is_json)] if self.has_bleu else []
        if not self.options.is_bleu:
            results += self._others(1).results(resamples)
        return format_scores(results, self.options.format)

    def _others(self, systems: int) -> OtherMetrics:
        """Metrics of sacreBLEU on the lines that have been counted."""
        from vecbleu.cli.other_metrics import OtherMetrics

        return OtherMetrics(self.options, self.systems.columns, systems)

    def _names(self) -> list[str]:
        """What sacreBLEU calls systems that are compared."""
        first, *others = self.systems.names
        if self.options.input or self.options.names:
            return [f"Baseline: {first}", *others]
        # It does not count the baseline among the columns of standard input.
        return ["Baseline", *(f"System {number}" for number, _ in enumerate(others, 1))]

    def _test_of(self, kind: str, count: int, **more: int) -> tuple[str, dict[str, Any]]:
        """The signature of a test, and keywords of its function; a bar is for terminals."""
        field, seed = environment_seed()
        if self.options.is_paired and seed is not None:
            field = str(seed)  # without zeros in front, which sacreBLEU shows of intervals only
        is_any_json = self.options.json or self.is_json
        signature = self._signature(is_any_json, **{kind: count}, **more, seed=field)
        return signature, self.systems.smoothing_options | {"rng": seed, "progress": None}

    def _score(self, total: Statistics) -> BleuScore:
        """The score of summed statistics."""
        return BleuScore.of(total.array.tolist(), self.score_options, total.signature)

    def _entry(self, system: str, score: BleuScore, signature: str) -> dict[str, Any]:
        """A score with every digit, for JSON."""
        return {
            "name": _NAME,
            "score": score.percent,
            "signature": signature,
            "hypothesis": system,
            "references": self.options.references,
            "precisions": score.percent_precisions,
            "brevity_penalty": score.brevity_penalty,
            "matches": score.matches,
            "totals": score.totals,
            "hyp_len": score.hyp_len,
            "ref_len": score.ref_len,
        }

    def _format(self, result: BLEUScore, signature: str, is_json: bool = False) -> str:
        """A score as sacreBLEU formats it."""
        return result.format(self.options.width, self.options.score_only, signature, is_json)

    def _signature(self, is_full: bool = False, **resampling: int | str) -> str:
        """What was computed and resampled; sacreBLEU's JSON has it in full, whatever is asked."""
        return self.systems.describe(**resampling).format(self.options.short and not is_full)
