"""``vecbleu REF [REF ...] -i SYS [SYS ...]``: score with sacreBLEU's options and output."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any

import vecbleu
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.program import OVERVIEW, option_of
from vecbleu.cli.systems import Systems, json_lines, result_lines, score_fields
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.show.table import Column, Table

FORMATS = "json", "text", "latex"

# Test and sides, by the option.
_TESTS = {"paired_bs": ("bootstrap", 1), "paired_ar": ("randomization", None)}

# How sacreBLEU's p-values differ from those of `vecbleu rank` and `compare`, by the option.
_NOTES = {
    "paired_bs": "p: one-sided, as in sacreBLEU; vecbleu rank and compare test both sides",
    "paired_ar": "p: of larger differences, as in sacreBLEU; vecbleu rank counts equal ones",
}

_NOTE = """
Files ending in .gz are decompressed; - is standard input. What is not listed here,
such as -m chrf ter or -t wmt20, is handed to sacreBLEU, if it is installed.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Score the systems, and yield the lines to print."""
    options, foreign = _parse(arguments)
    if foreign:
        _run_sacrebleu(arguments, foreign)
        return
    _check(options)
    show = _sentences if options.sentence_level else _scores
    yield from show(options, Systems(options))


def _parse(arguments: Sequence[str]) -> tuple[Namespace, list[str]]:
    """Return the options, and what is for sacreBLEU."""
    parser = Parser("vecbleu REF [REF ...] -i SYS [SYS ...]", OVERVIEW + _NOTE)
    parser.add_files(required=False, default=" (default: stdin; tab-separated columns are systems)")
    parser.add_text()
    add = parser.add_argument_group("output").add_argument
    add("-m", "--metrics", nargs="+", default=["bleu"], metavar="NAME",
        help="bleu; chrf and ter are handed to sacreBLEU")  # fmt: skip
    add("-sl", "--sentence-level", action="store_true",
        help="score each line (effective order, like sacreBLEU)")  # fmt: skip
    add("-f", "--format", choices=FORMATS, default="text", metavar="NAME",
        help="text, json or latex (default: text); SACREBLEU_FORMAT overrides -f")  # fmt: skip
    add("-w", "--width", type=int, default=1, metavar="N", help="decimal places (default: 1)")
    add("-b", "--score-only", action="store_true", help="print only the score")
    add("-sh", "--short", action="store_true", help="short signature")
    add("-nc", "--no-color", action="store_true", help="ignored: scores have no colors")
    add("--force", action="store_true", help="do not warn of text that looks tokenized")
    add("-V", "--version", action="version", version=f"vecbleu {vecbleu.__version__}")
    add("-t", "--test-set", metavar="NAME", help="test set, which is handed to sacreBLEU")
    parser.add_json(latex=True)
    group = parser.add_argument_group("tests, as sacreBLEU has them; the seed is SACREBLEU_SEED")
    add, either = group.add_argument, group.add_mutually_exclusive_group().add_argument
    asked: Any = {"action": "store_const", "dest": "asked"}
    count: Any = {"type": int, "metavar": "N"}
    either("-ci", "--confidence", const="confidence", **asked, help="95%% interval of one system")
    add("-cin", "--confidence-n", **count, help="resamples (default: 1000)")
    either("-pbs", "--paired-bs", const="paired_bs", **asked,
        help="test against the first by bootstrap")  # fmt: skip
    add("-pbsn", "--paired-bs-n", **count, help="resamples (default: 1000)")
    either("-par", "--paired-ar", const="paired_ar", **asked,
        help="test against the first by randomization")  # fmt: skip
    add("-parn", "--paired-ar-n", **count, help="trials (default: 10000)")
    add("-j", "--paired-jobs", **count, help="ignored: sacreBLEU uses it for chrF and TER")
    options, unknown = parser.parse_known(arguments)
    foreign = [f"-m {name}" for name in options.metrics if name != "bleu"]
    foreign += [] if options.test_set is None else [f"-t {options.test_set}"]
    return options, foreign + [word for word in unknown if word.startswith("-")]


def _run_sacrebleu(arguments: Sequence[str], foreign: Sequence[str]) -> None:
    """Run sacreBLEU's own command, as ``python -m sacrebleu`` does."""
    words = " ".join(foreign)
    if find_spec("sacrebleu") is None:
        raise ImportError(
            f"vecbleu has no {words}; chrF, TER and test sets need sacreBLEU: "
            'pip install "vecbleu[sacrebleu]"'
        )
    from runpy import run_module

    sys.argv = ["sacrebleu", *arguments]
    with redirect_stderr(StringIO()) as printed:  # its usage, which would hide the error
        try:
            import_module("sacrebleu.sacrebleu").parse_args()
        except SystemExit:
            message = printed.getvalue().rstrip().rpartition("error: ")[2]
            raise ValueError(f"vecbleu has no {words}; sacreBLEU says: {message}") from None
    run_module("sacrebleu", run_name="__main__", alter_sys=True)


def _check(options: Namespace) -> None:
    """Determine format and test; raise ValueError for options that contradict each other."""
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    options.format = form if form in FORMATS else options.format
    options.short &= not options.json and options.format != "json"
    options.input = options.input or []
    if options.sentence_level and len(options.input) > 1:
        raise ValueError("only one system can be scored at sentence level")
    if options.sentence_level and (options.asked or options.latex is not None):
        raise ValueError("there are no tests and tables at sentence level")
    options.effective_order |= options.sentence_level
    for test in ("confidence", "paired_bs", "paired_ar"):
        count = getattr(options, f"{test}_n")
        if test == options.asked:
            options.n_resamples, option_of["n_resamples"] = count, option_of[f"{test}_n"]
        elif count is not None:
            raise ValueError(f"{test}_n is {count}, which needs --{test.replace('_', '-')}")
    if options.asked in _TESTS:
        options.test, options.sides = _TESTS[options.asked]
        # sacreBLEU leaves out a repeated baseline.
        options.input[1:] = [path for path in options.input[1:] if path != options.input[0]]
    shared.check_files(options)


def _sentences(options: Namespace, systems: Systems) -> Iterator[str]:
    """Yield one line per segment."""
    signature = systems.describe().format(options.short)
    for rows in systems.blocks():
        for row in rows.array.tolist():
            score = BleuScore(row, systems.score_options, rows.signature)
            if options.json:
                record = {"system": systems.names[0], **score_fields(score)}
                yield json_lines(record | {"signature": f"BLEU|{signature}"}, indent=None)[0]
            else:
                result = BLEUScore.from_result(score)
                yield result.format(options.width, options.score_only, signature)


def _scores(options: Namespace, systems: Systems) -> Iterator[str]:
    """Yield the score of one system, or a table of several, with their tests."""
    fields: dict[str, int | str] = {}
    tested: Any = None
    if options.asked:
        tables = systems.tables()
        keywords, fields = shared.draw_options(options)
        tested = _test(options, tables, keywords | shared.smoothing_options(options))
        totals = [table.sum() for table in tables.values()]
    else:
        totals = systems.totals()
    names = systems.names  # columns of standard input have names only now
    scores = [
        BleuScore(total.array.tolist(), systems.score_options, total.signature) for total in totals
    ]
    table = tested.table() if tested else Table([Column("BLEU", scores, "score")])
    if options.asked not in _TESTS:
        table = table._replace(columns=[Column("system", names), *table.columns])
    signature = systems.describe(**fields).format(options.short)
    if len(scores) == 1 and not options.json and options.latex is None:
        line = BLEUScore.from_result(scores[0])
        if tested:
            line.set_interval(100 * tested.resampled)
        text = line.format(options.width, options.score_only, signature, options.format == "json")
        yield from text.split("\n")
    elif options.format == "json" and not options.json and options.latex is None:
        yield from json_lines(_sacrebleu_records(options, names, scores, tested), indent=4)
    else:
        columns = [column._replace(digits=options.width) for column in table.columns]
        notes = [*table.notes, *filter(None, [_NOTES.get(options.asked)])]
        table = table._replace(columns=columns, notes=notes)
        if options.format == "latex":
            options.latex = options.latex or []
        yield from result_lines(options, table, f"BLEU|{signature}", map(score_fields, scores))


def _test(options: Namespace, tables: dict[str, Statistics], keywords: dict[str, Any]) -> Any:
    """Return the `Interval` of one system, or the `Comparison` of several with the first."""
    from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization

    if options.asked in _TESTS:
        if options.asked == "paired_bs":
            return paired_bootstrap(tables, **keywords)
        return paired_randomization(tables, count_equal=False, **keywords)
    if len(tables) > 1:
        raise ValueError(
            "--confidence is for one system; vecbleu rank has intervals of several, and "
            "--paired-bs and --paired-ar test them"
        )
    return bootstrap(*tables.values(), **keywords)


def _sacrebleu_records(
    options: Namespace, names: Sequence[str], scores: Sequence[BleuScore], tested: Any
) -> list[dict[str, Any]]:
    """Return what sacreBLEU prints as JSON for several systems."""
    names = options.names or options.input or names
    if tested is None:
        texts = [f"{score.percent:.{options.width}f}" for score in scores]
        return [{"system": name, "BLEU": text} for name, text in zip(names, texts, strict=True)]
    # In columns of standard input, it does not number the baseline.
    is_named = options.input or options.names
    names = [f"Baseline: {names[0]}", *names[1:]] if is_named else ["Baseline", *names[:-1]]
    means = [None] * len(names) if tested.means is None else (100 * tested.means).tolist()
    records = []
    for name, score, row, mean in zip(names, scores, tested.table().records(), means, strict=True):
        numbers = {"score": score.percent, "p_value": row["p"], "mean": mean}
        numbers["ci"] = None if mean is None else (row["upper"] - row["lower"]) / 2
        records.append({"system": name, "BLEU": numbers})
    return records
