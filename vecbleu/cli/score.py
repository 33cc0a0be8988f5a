"""``vecbleu REF [REF ...] -i SYS [SYS ...]``: score with sacreBLEU's options and output."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from vecbleu.arguments.errors import ArgumentError
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.groups import group_lines, group_records, read_labels, score_groups
from vecbleu.cli.metrics import AskedMetric, score_fields
from vecbleu.cli.options import FORMATS
from vecbleu.cli.program import OVERVIEW, option_of
from vecbleu.cli.systems import Result, Systems, json_lines, result_lines
from vecbleu.core.score import Score
from vecbleu.sacrebleu import score as sacrebleu
from vecbleu.show.table import Column, Table, direction_notes

if TYPE_CHECKING:
    from vecbleu.analysis import Buckets

# Test and sides, by the option.
_TESTS = {"paired_bs": ("bootstrap", 1), "paired_ar": ("randomization", None)}

# How sacreBLEU's p-values differ from those of `vecbleu rank` and `compare`, by the option.
_NOTES = {
    "paired_bs": "p: one-sided, as in sacreBLEU; vecbleu rank and compare test both sides",
    "paired_ar": "p: of larger differences, as in sacreBLEU; vecbleu rank counts equal ones",
}

_NOTE = """
Files ending in .gz are decompressed; - is standard input. What is not listed here,
such as -t wmt20, is handed to sacreBLEU, if it is installed.
"""


def run_score(arguments: Sequence[str]) -> Iterator[str]:
    """Score the systems, and yield the lines to print."""
    parser = Parser("scoring", "REF [REF ...] -i SYS [SYS ...]", OVERVIEW + _NOTE)
    options, unknown = parser.parse_known(arguments)
    foreign = []
    if options.test_set is not None:
        foreign.append(f"-t {options.test_set}")
    foreign += [word for word in unknown if word.startswith("-")]
    if foreign:
        _run_sacrebleu(arguments, foreign, options.input or [])
        return
    _check(options)
    show = _sentences if options.sentence_level else _scores
    yield from show(options, Systems(options, options.documents))


def _run_sacrebleu(
    arguments: Sequence[str], foreign: Sequence[str], systems: Sequence[str]
) -> None:
    """Run sacreBLEU's own command, as ``python -m sacrebleu`` does."""
    words = " ".join(foreign)
    if find_spec("sacrebleu") is None:
        raise ImportError(
            f'vecbleu has no {words}; test sets need sacreBLEU: pip install "vecbleu[sacrebleu]"'
        )
    from runpy import run_module

    sys.argv = ["sacrebleu", *arguments]
    with redirect_stderr(StringIO()) as printed:  # its usage, which would hide the error
        try:
            import_module("sacrebleu.sacrebleu").parse_args()
        except SystemExit:
            message = printed.getvalue().rstrip().rpartition("error: ")[2]
            raise ValueError(f"vecbleu has no {words}; sacreBLEU says: {message}") from None
    saved = list(filter(shared.is_statistics_file, systems))
    if saved:
        raise ValueError(f"{saved[0]} is a file of statistics; {words} takes text")
    run_module("sacrebleu", run_name="__main__", alter_sys=True)


def _check(options: Namespace) -> None:
    """Determine format and test; raise ValueError for options that contradict each other."""
    shared.refuse_without_effect(options)
    if options.format == "json":
        shared.refuse(options, "short", "-f json has whole signatures, as in sacreBLEU")
    if options.latex is not None and options.format != "latex":
        shared.refuse(options, "format", "--latex is a format, too")
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if form in FORMATS:
        options.format = form
    options.input = options.input or []
    saved = next(filter(shared.is_statistics_file, options.input), "")
    if saved:
        found = f"{saved} is a file of statistics, whose segments can't be joined"
        shared.refuse(options, "documents", found)
    if options.documents:
        shared.refuse(options, "labels", "--documents joins lines, which may have several labels")
    is_single = len(options.input) <= 1 and len(set(options.metrics)) <= 1
    if options.sentence_level and not is_single:
        raise ValueError("only one system and one metric can be scored at sentence level")
    if options.sentence_level and (options.asked or options.latex is not None):
        raise ValueError("there are no tests and tables at sentence level")
    if options.asked not in _TESTS:
        options.metrics = sorted(options.metrics)  # as sacreBLEU does
    options.effective_order |= options.sentence_level
    for test in ("confidence", "paired_bs", "paired_ar"):
        count = getattr(options, f"{test}_n")
        if test == options.asked:
            options.n_resamples = count
            option_of["n_resamples"] = option_of[f"{test}_n"]
        elif count is not None:
            found = f"is {count}, which needs --{test.replace('_', '-')}"
            raise ArgumentError(found, argument=f"{test}_n")
    if options.asked in _TESTS:
        test, sides = _TESTS[options.asked]
        options.test = test
        options.sides = sides
        # sacreBLEU leaves out a repeated baseline.
        options.input[1:] = [path for path in options.input[1:] if path != options.input[0]]
    shared.check_files(options)


def _joins(options: Namespace) -> dict[str, str]:
    """Return the field of signatures that says that lines are joined."""
    return {"docs": "joined"} if options.documents else {}


def _refuse_of_systems(options: Namespace, count: int) -> None:
    """Raise ValueError for options that have no effect on so many systems."""
    if options.json or options.latex is not None:
        return
    if count == 1:
        shared.refuse(options, "names", "one system is printed without a name; write --json")
        if options.format == "latex" and "SACREBLEU_FORMAT" not in os.environ:
            shared.refuse(options, "format", "one system is printed as text; write --latex")
    else:
        shared.refuse(options, "score_only", f"there are {count} systems")
        if options.format == "json" and options.asked:
            shared.refuse(options, "width", "-f json has all digits of tests, as in sacreBLEU")


def _sentences(options: Namespace, systems: Systems) -> Iterator[str]:
    """Yield one line per segment."""
    _refuse_of_systems(options, 1)
    (metric,) = systems.metrics
    signature = metric.describe(options.short, **_joins(options))
    described = signature.partition("|")[2]  # sacreBLEU's has no name
    for rows in systems.blocks():
        for score in rows.row_scores(**metric.scoring):
            if options.json:
                record = {"system": systems.names[0], **score_fields(score)}
                record["signature"] = signature
                yield json_lines(record, indent=None)[0]
            else:
                yield sacrebleu.Score.of(score).format(options.width, options.score_only, described)


class _Scored(NamedTuple):
    """Scores of all systems in a metric, and their test."""

    metric: AskedMetric
    scores: Sequence[Score]
    tested: Any
    signature: str
    groups: Sequence[Buckets]

    def line(self, options: Namespace) -> str:
        """Return what sacreBLEU prints of a single system."""
        line = sacrebleu.Score.of(self.scores[0])
        if self.tested:
            resampled = 100 * self.tested.resampled
            line.set_interval(resampled.astype(self.metric.resampled_type))
        signature = self.signature.partition("|")[2]
        is_json = options.format == "json"
        return line.format(options.width, options.score_only, signature, is_json)

    def result(self, options: Namespace, names: Sequence[str]) -> Result:
        """Return the table of the systems."""
        notes = direction_notes(self.metric.name, self.metric.metric.table.higher_is_better)
        plain = Table([Column(self.metric.name, self.scores, "score")], notes=notes)
        table = self.tested.table() if self.tested else plain
        if options.asked not in _TESTS:
            table = table._replace(columns=[Column("system", names), *table.columns])
        columns = [column._replace(digits=options.width, texts=()) for column in table.columns]
        notes = [*table.notes, *filter(None, [_NOTES.get(options.asked)])]
        table = table._replace(columns=columns, notes=notes)
        fields = list(map(score_fields, self.scores))
        if self.groups:
            for own, name in zip(fields, names, strict=True):
                own["groups"] = group_records(self.groups, name)
        return table, self.signature, fields


def _scores(options: Namespace, systems: Systems) -> Iterator[str]:
    """Yield the scores of one system, or a table of several, with their tests."""
    keywords, fields = shared.draw_options(options) if options.asked else ({}, {})
    fields |= _joins(options)
    tables = systems.tables() if options.asked or options.labels else systems.totals()
    _refuse_of_systems(options, len(systems.names))
    names = systems.names  # columns of standard input have names only now
    labels = read_labels(options, options.labels, tables[0][names[0]])
    scored = []
    for metric, rows in zip(systems.metrics, tables, strict=True):
        tested = _test(options, metric, rows, keywords) if options.asked else None
        scores = [table.score(**metric.scoring) for table in rows.values()]
        signature = metric.describe(options.short, **fields)
        groups = score_groups(options, metric, rows, labels)
        scored.append(_Scored(metric, scores, tested, signature, groups))
    is_sacrebleu = not options.json and options.latex is None
    is_json = is_sacrebleu and options.format == "json"
    if is_json:
        shared.refuse(options, "labels", "-f json is sacreBLEU's; write --json")
    if len(names) == 1 and is_sacrebleu:
        yield from _joined([each.line(options) for each in scored], is_json)
    elif is_json:
        yield from json_lines(_sacrebleu_records(options, names, scored), indent=4)
    else:
        if options.format == "latex":
            options.latex = options.latex or []
        yield from result_lines(options, [each.result(options, names) for each in scored])
    yield from group_lines(options, [own for each in scored for own in each.groups], options.width)


def _joined(texts: Sequence[str], is_json: bool) -> list[str]:
    """Join the scores of a system as sacreBLEU does: as a list, or aligned at equals signs."""
    if is_json:
        text = ",\n".join(texts)
        return (f"[\n{text}\n]" if len(texts) > 1 else text).split("\n")
    places = [text.find("=") for text in texts]
    width = max(places)
    return [" " * (width - place) + text for place, text in zip(places, texts, strict=True)]


def _test(
    options: Namespace, metric: AskedMetric, tables: dict[str, Any], keywords: dict[str, Any]
) -> object:
    """Return the `Interval` of one system, or the `Comparison` of several with the first."""
    from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization

    if (len(tables) > 1) != (options.asked in _TESTS):
        raise ValueError("-ci is for one system, -pbs and -par for several; see vecbleu rank, too")
    for name, table in tables.items():
        tables[name] = table.resampled_as_sacrebleu()
    keywords = keywords | metric.scoring
    if options.asked == "confidence":
        return bootstrap(*tables.values(), **keywords)
    if options.asked == "paired_bs":
        found = paired_bootstrap(tables, **keywords)
    else:
        found = paired_randomization(tables, count_equal=False, **keywords)
    # sacreBLEU calls nothing borderline.
    return replace(found, p_lower=found.p_values, p_upper=found.p_values)


def _sacrebleu_records(
    options: Namespace, names: Sequence[str], scored: Sequence[_Scored]
) -> list[dict[str, object]]:
    """Return what sacreBLEU prints as JSON for several systems."""
    is_named = options.input or options.names
    names = options.names or options.input or names
    if options.asked:  # in columns of standard input, it does not number the baseline
        first, *others = names
        names = [f"Baseline: {first}", *others] if is_named else ["Baseline", *names[:-1]]
    records: list[dict[str, object]] = [{"system": name} for name in names]
    for metric, scores, tested, *_ in scored:
        if tested is None:
            for record, score in zip(records, scores, strict=True):
                record[metric.name] = f"{score.percent:.{options.width}f}"
            continue
        means = [None] * len(names)
        if tested.means is not None:
            means = (100 * tested.means).tolist()
        rows = zip(records, scores, tested.table().records(), means, strict=True)
        for record, score, row, mean in rows:
            width = None if mean is None else (row["upper"] - row["lower"]) / 2
            numbers = {"score": score.percent, "p_value": row["p"], "mean": mean, "ci": width}
            record[metric.name] = numbers
    return records
