"""``vecbleu explain``: explain the score of one segment, n-gram by n-gram."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu.analysis.explain import explain
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.metrics import score_fields
from vecbleu.cli.systems import json_lines, read_segments
from vecbleu.core.files.sources import label_of
from vecbleu.show.table import plain

_USAGE = """\
vecbleu explain --hyp TEXT --ref TEXT [--ref TEXT ...] [options]
       vecbleu explain REF [REF ...] -i SYS [SYS ...] --line N"""

# Fields of an explanation in JSON.
_TEXTS = "hypothesis", "references", "tokens", "reference_tokens"


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Explain a segment of each system, and yield the lines to print."""
    options = _parse(arguments)
    texts = {"": (options.hyp, options.ref)} if options.line is None else _read_line(options)
    scoring = (
        shared.counting_options(options)
        | shared.smoothing_options(options)
        | {"effective_order": True}
    )
    explained = {
        system: explain(hypothesis, references, **scoring)
        for system, (hypothesis, references) in texts.items()
    }
    signature = f"BLEU|{next(iter(explained.values())).score.signature}"
    if options.json:
        records = []
        for system, explanation in explained.items():
            record = {"system": system or None, "line": options.line}
            record |= score_fields(explanation.score)
            record |= {"corpus_BLEU": explanation.corpus_score.percent}
            record |= {name: getattr(explanation, name) for name in _TEXTS}
            record |= {"ngrams": [order.ngrams for order in explanation.orders]}
            records.append(plain(record | {"signature": signature}))
        yield from json_lines(records)
        return
    for system, explanation in explained.items():
        if system:
            yield f"{system}, line {options.line}"
        yield from (*str(explanation).split("\n"), "")
    yield signature


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        _USAGE,
        "Explain the score of one segment: counts and matches of every n-gram,\n"
        "precisions, brevity penalty. The score is the same as with vecbleu -sl.",
    )
    parser.add_files(required=False)
    parser.add_text(effective_order=False)
    parser.add_json()
    add = parser.add_argument_group("segment").add_argument
    add("--hyp", metavar="TEXT",
        help='hypothesis, instead of files (if it begins with a dash: --hyp="- a")')  # fmt: skip
    add("--ref", action="append", metavar="TEXT", help="its reference; can be repeated")
    add("--line", type=int, metavar="N", help="line of the files, from 1")
    options = parser.parse(arguments)
    text, files = (options.hyp, options.ref), (options.input, options.line)
    if None not in text and not any([*files, options.references, options.names]):
        shared.refuse_reading(options)
        return options
    if None in files or any(text):
        raise ValueError(
            "expected --hyp TEXT and --ref TEXT, or REF -i SYS --line N; see vecbleu explain --help"
        )
    options.usage = _USAGE.split("\n")[1].strip()
    shared.check_files(options)
    for path in filter(shared.is_statistics_file, options.input):
        raise ValueError(f"{path} is a file of statistics, which has no text to explain")
    return options


def _read_line(options: Namespace) -> dict[str, tuple[str, list[str]]]:
    """Return the chosen line of each system, with its references."""
    segments, lines = read_segments(options, [options.line - 1])
    if not segments:
        label = label_of(options.references[0])
        raise ValueError(f"--line is {options.line} but {label} has {lines} lines")
    ((_, references, outputs),) = segments.values()
    names = shared.system_names(options)
    return {name: (text or "", references) for name, text in zip(names, outputs, strict=True)}
