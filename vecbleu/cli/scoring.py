"""``vecbleu REF [REF ...] -i HYP [HYP ...]``: scores, with sacreBLEU's options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.cli.reports import comparison_entries, format_comparison, format_table, json_lines
from vecbleu.cli.scoring_options import parse
from vecbleu.cli.systems import Systems
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics.scores import row_scores, score_rows
from vecbleu.core.statistics.table import Statistics
from vecbleu.sacrebleu.options import environment_seed
from vecbleu.sacrebleu.score import BLEUScore


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score the systems that the arguments name, and yield the lines to print."""
    command = _ScoreCommand(arguments)
    options = command.options
    if options.sentence_level:
        return command.sentences()
    if options.is_paired:
        return iter(command.comparison())
    return iter(command.interval() if options.confidence else command.scores())


class _ScoreCommand:
    """One run of the command: its options, its systems, and what it prints."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.options = parse(arguments)
        self.systems = Systems(self.options)
        self.score_options = self.systems.score_options()
        self.is_json = self.options.format == "json"

    def sentences(self) -> Iterator[str]:
        """A line for each segment; sacreBLEU has no JSON of these."""
        signature = self._signature(self.options.json and self.is_json)
        for rows in self.systems.blocks():
            for score in score_rows(rows, self.score_options):
                if self.options.json:
                    entry = self._entry(self.systems.names[0], score, signature)
                    yield "".join(json_lines(entry, indent=None))
                else:
                    yield from self._format(BLEUScore.from_result(score), signature)

    def scores(self) -> list[str]:
        """The score of each system."""
        options, signature = self.options, self._signature(self.is_json)
        scores = [self._score(total) for total in self.systems.totals()]
        names = self.systems.names  # those of columns are known now
        if options.json:
            entries = [self._entry(*pair, signature) for pair in zip(names, scores, strict=True)]
            return json_lines(entries if len(entries) > 1 else entries[0])
        if len(scores) == 1:
            return self._format(BLEUScore.from_result(scores[0]), signature, self.is_json)
        texts = [f"{score.percent:.{options.width}f}" for score in scores]
        return format_table(names, texts, options.format, signature)

    def interval(self) -> list[str]:
        """The score of a single system, and its interval by bootstrap."""
        tables, options = self.systems.tables("test"), self.options
        if len(tables) > 1:
            raise ValueError(
                f"--confidence is for one system, not {len(tables)}; use --paired-bs or --paired-ar"
            )
        from vecbleu.significance import bootstrap  # 8 ms, which scores need not wait for

        signature, keywords = self._test_of("bs", options.confidence_n)
        interval = bootstrap(tables[0], resamples=options.confidence_n, **keywords)
        score = self._score(tables[0].sum())
        if options.json:
            entry = self._entry(self.systems.names[0], score, signature)
            ends = {"mean": 100 * interval.mean, "ci": 100 * interval.half_width}
            return json_lines(entry | ends)
        result = BLEUScore.from_result(score)
        result.set_interval((100 * interval.resampled).tolist())
        return self._format(result, signature, self.is_json)

    def comparison(self) -> list[str]:
        """All systems, and paired tests of each against the first."""
        tables, options = self.systems.tables("test"), self.options
        if len(tables) < 2:
            raise ValueError("paired tests need several systems")
        from vecbleu.significance import paired_bootstrap, paired_randomization

        if options.paired_bs:
            count = options.paired_bs_n
            sides = options.paired_bs_sides
            # One side is sacreBLEU's test, and has its signature.
            signature, keywords = self._test_of("bs", count, **{"sides": 2} if sides == 2 else {})
            found = paired_bootstrap(tables, sides=sides, resamples=count, **keywords)
        else:
            count = options.paired_ar_n
            signature, keywords = self._test_of("ar", count)
            found = paired_randomization(tables, trials=count, **keywords)
        if options.json:
            return json_lines(comparison_entries(self._names(), found, signature))
        return format_comparison(self._names(), found, options, count, signature)

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
        is_any_json = self.options.json or self.is_json
        signature = self._signature(is_any_json, **{kind: count}, **more, seed=field)
        return signature, self.systems.smoothing_options | {"rng": seed, "progress": None}

    def _score(self, total: Statistics) -> BleuScore:
        """The score of summed statistics."""
        return row_scores(total, self.score_options)[0]

    def _entry(self, system: str, score: BleuScore, signature: str) -> dict[str, Any]:
        """A score with every digit, for JSON."""
        return {
            "name": "BLEU",
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

    def _format(self, result: BLEUScore, signature: str, is_json: bool = False) -> list[str]:
        """A score as sacreBLEU formats it."""
        text = result.format(self.options.width, self.options.score_only, signature, is_json)
        # A line end in text is one of the signature, which nobody may take for ours.
        return text.split("\n") if is_json else [text]

    def _signature(self, is_full: bool = False, **resampling: int | str) -> str:
        """What was computed and resampled; sacreBLEU's JSON has it in full, whatever is asked."""
        return self.systems.describe(**resampling).format(self.options.short and not is_full)
