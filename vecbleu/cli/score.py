"""``vecbleu REF [REF ...] -i SYS [SYS ...]``: score with sacreBLEU's options and output."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Any

import vecbleu
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.grids import FORMATS, format_comparison, format_table
from vecbleu.cli.program import OVERVIEW
from vecbleu.cli.systems import Systems, json_lines
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.sacrebleu.score import BLEUScore

_ONE_SYSTEM = "--confidence is for one system; use --paired-bs or --paired-ar for several"

_NOTE = """
\
Files ending in .gz are decompressed; - is standard input. -m chrf ter, -t wmt20
and other options of chrF, TER and test sets are handed to sacreBLEU, if it is
installed: see sacrebleu --help.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score the systems, and yield the lines to print."""
    options = _parse(arguments)
    command = _ScoreCommand(options)
    if options.sentence_level:
        return command.sentences()
    if options.test:
        return iter(command.comparison())
    return iter(command.interval() if options.confidence else command.scores())


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu REF [REF ...] -i SYS [SYS ...]",
        OVERVIEW + _NOTE,
        shared.files(
            required=False, default=" (default: stdin; tab-separated columns are systems)"
        ),
        *shared.text(),
        _tests(),
        shared.significance_tests(sides=1),
    )
    add = parser.add_argument_group("output").add_argument
    add("-m", "--metrics", nargs="+", choices=["bleu"], metavar="NAME",
        help="bleu; chrf and ter are handed to sacreBLEU")  # fmt: skip
    add("-sl", "--sentence-level", action="store_true",
        help="score each line (effective order, like sacreBLEU)")  # fmt: skip
    add("-f", "--format", choices=FORMATS, default="text", metavar="NAME",
        help="text, json or latex (default: text); SACREBLEU_FORMAT overrides -f")  # fmt: skip
    add("--json", action="store_true", help="JSON with all digits")
    add("-w", "--width", type=shared.integer(0, 1000), default=1, metavar="N",
        help="decimal places (default: 1)")  # fmt: skip
    add("-b", "--score-only", action="store_true", help="print only the score")
    add("-sh", "--short", action="store_true", help="short signature")
    add("-nc", "--no-color", action="store_true", help="ignored: scores have no colors")
    add("--force", action="store_true", help="do not warn of text that looks tokenized")
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")
    options = parser.parse(arguments)
    _settle(options)
    shared.check_files(options)
    return options


def _tests() -> ArgumentParser:
    """Return sacreBLEU's options for tests."""
    parser, add = shared.parent("tests, as sacreBLEU names them")
    count: Any = {"type": shared.integer(1), "metavar": "N"}
    add("-ci", "--confidence", action="store_true", help="95%% interval of one system")
    add("-cin", "--confidence-n", **count, help="resamples (default: 1000)")
    add("-pbs", "--paired-bs", action="store_true", help="test against the first by bootstrap")
    add("-pbsn", "--paired-bs-n", **count, help="resamples (default: 1000)")
    add("-par", "--paired-ar", action="store_true", help="test against the first by randomization")
    add("-parn", "--paired-ar-n", **count, help="trials (default: 10000)")
    add("-j", "--paired-jobs", type=int, metavar="N",
        help="ignored: sacreBLEU uses it for chrF and TER")  # fmt: skip
    return parser


def _settle(options: Namespace) -> None:
    """Determine format and test; raise ValueError for options that contradict each other."""
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    options.format = form if form in FORMATS else options.format
    own = {"bootstrap": options.paired_bs, "randomization": options.paired_ar}
    asked = {*filter(own.get, own), *filter(None, [options.test])}
    if len(asked) > 1:
        raise ValueError("bootstrap and randomization are both given, expected one")
    options.test = next(iter(asked), None)
    options.input = options.input or []
    if options.test and options.input:  # sacreBLEU leaves out a repeated baseline
        first, *others = options.input
        options.input = [first, *(one for one in others if one != first)]
    if options.sentence_level and len(options.input) > 1:
        raise ValueError("only one system can be scored at sentence level")
    if options.sentence_level and (options.confidence or options.test):
        raise ValueError("there are no tests at sentence level")
    if options.confidence and (options.test or len(options.input) > 1):
        raise ValueError(_ONE_SYSTEM)
    if not options.confidence and not options.test:
        tests = dict.fromkeys(("resamples", "seed", "confidence_level"), "-ci or -pbs")
        for name, test in (tests | {"sides": "-pbs"}).items():
            if getattr(options, name) is not None:
                raise ValueError(f"--{name.replace('_', '-')} is for tests; add {test}")
    if options.confidence and options.sides:
        raise ValueError("--sides is for paired tests; add -pbs")
    counts = {"bootstrap": options.paired_bs_n, "randomization": options.paired_ar_n}
    count = counts[options.test] if options.test else options.confidence_n
    if options.resamples and count:
        raise ValueError("--resamples and -cin, -pbsn or -parn are both given, expected one")
    options.resamples = options.resamples or count
    if options.test != "randomization":
        options.sides = options.sides or 1


class _ScoreCommand:
    """One run of the command, with its options and systems."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.systems = Systems(options, options.names or options.input)
        self.is_json = options.format == "json"

    def sentences(self) -> Iterator[str]:
        """Yield one line per segment; sacreBLEU has no JSON for this."""
        signature = self._signature(self.options.json and self.is_json)
        for rows in self.systems.blocks():
            for row in rows.array.tolist():
                score = BleuScore.of(row, self.systems.score_options, rows.signature)
                if self.options.json:
                    entry = self._entry(self.systems.names[0], score, signature)
                    yield json_lines(entry, indent=None)[0]
                else:
                    result = BLEUScore.from_result(score)
                    yield result.format(self.options.width, self.options.score_only, signature)

    def scores(self) -> list[str]:
        """Return lines with the score of each system."""
        options, signature = self.options, self._signature(self.is_json)
        scores = [self._score(total) for total in self.systems.totals()]
        names = self.systems.names  # columns of standard input have names only now
        if options.json:
            entries = [self._entry(*pair, signature) for pair in zip(names, scores, strict=True)]
            return json_lines(entries if len(entries) > 1 else entries[0])
        if len(scores) == 1:
            return self._result(BLEUScore.from_result(scores[0]), signature)
        texts = [f"{score.percent:.{options.width}f}" for score in scores]
        return format_table(names, texts, signature, options)

    def interval(self) -> list[str]:
        """Return lines with the score of a single system and its bootstrap interval."""
        from vecbleu.significance import bootstrap  # takes 8 ms; scores do not need it

        names, tables = zip(*self.systems.tables("test").items(), strict=True)
        if len(tables) > 1:
            raise ValueError(_ONE_SYSTEM)
        keywords, fields = shared.draw_options(self.options)
        del keywords["sides"]
        signature = self._signature(self.options.json or self.is_json, **fields)
        interval = bootstrap(tables[0], **keywords, **shared.smoothing_options(self.options))
        score = self._score(tables[0].sum())
        if self.options.json:
            ends = {"mean": 100 * interval.mean, "ci": 100 * interval.half_width}
            return json_lines(self._entry(names[0], score, signature) | ends)
        result = BLEUScore.from_result(score)
        result.set_interval((100 * interval.resampled).tolist(), interval.confidence_level)
        return self._result(result, signature)

    def comparison(self) -> list[str]:
        """Return lines with all systems, and paired tests of each against the first."""
        from vecbleu.significance import paired_bootstrap, paired_randomization

        options, tables = self.options, [*self.systems.tables("test").values()]
        if len(tables) < 2:
            raise ValueError("paired tests need several systems")
        keywords, fields = shared.draw_options(options)
        if keywords["rng"] is not None:  # tests print it without leading zeros, intervals with them
            fields["seed"] = str(keywords["rng"])
        signature = self._signature(options.json or self.is_json, **fields)
        run_test = paired_bootstrap if options.test == "bootstrap" else paired_randomization
        found = run_test(tables, **keywords, **shared.smoothing_options(options))
        percents = [self._score(one.sum()).percent for one in tables]
        return format_comparison(
            self._names(), percents, found, signature, options, keywords["n_resamples"]
        )

    def _names(self) -> list[str]:
        """Return sacreBLEU's names for compared systems."""
        first, *others = self.systems.names
        if self.options.input or self.options.names:
            return [f"Baseline: {first}", *others]
        # In columns of standard input, sacreBLEU does not number the baseline.
        return ["Baseline", *(f"System {number}" for number, _ in enumerate(others, 1))]

    def _score(self, total: Statistics) -> BleuScore:
        """Return the score of summed statistics."""
        return BleuScore.of(total.array.tolist(), self.systems.score_options, total.signature)

    def _entry(self, system: str, score: BleuScore, signature: str) -> dict[str, Any]:
        """Return a score with all digits, for JSON."""
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

    def _result(self, score: BLEUScore, signature: str) -> list[str]:
        """Return the lines of one system's score."""
        width, score_only = self.options.width, self.options.score_only
        return str(score.format(width, score_only, signature, self.is_json)).split("\n")

    def _signature(self, is_full: bool = False, **resampling: int | str) -> str:
        """Return the signature of scoring and resampling; `is_full` ignores --short."""
        return self.systems.describe(**resampling).format(self.options.short and not is_full)
