"""``vecbleu explain``: how the score of one segment comes about, n-gram by n-gram."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.analysis.explain import explain
from vecbleu.analysis.explanation import Explanation, shown_token
from vecbleu.cli.arguments import Parser, check_inputs
from vecbleu.cli.colors import Marked
from vecbleu.cli.grammar import is_statistics_file, system_names
from vecbleu.cli.lines import read_line, reference_sources, source_of
from vecbleu.cli.reports import json_lines
from vecbleu.cli.systems import tokenizer_name
from vecbleu.core.checks import checked_integer

_DEFAULT_ORDER = 4

_CALLS = (
    'vecbleu explain --hyp "..." --ref "...", or with files: vecbleu explain REF -i SYS --line N'
)

_EPILOG = """\
The score is that of "vecbleu ... -sl": over the orders that the segment is long enough for.
Positions are numbers of tokens, from 0. The JSON is what to_dict() of vecbleu.explain's result
gives: score between 0 and 1, percent between 0 and 100.
"""


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Explain a segment of each system, and yield the lines to print."""
    options = _parse(arguments)
    scoring = _scoring(options)
    texts = _given(options) if options.line is None else _read(options)
    found = {
        system: explain(hypothesis, references, **scoring)
        for system, (hypothesis, references) in texts.items()
    }
    signature = f"BLEU|{next(iter(found.values())).score.signature}"
    if options.json:
        entries = [_entry(system, one, signature, options.line) for system, one in found.items()]
        yield from json_lines(entries if len(entries) > 1 else entries[0])
        return
    for system, one in found.items():
        if system:
            yield f"{system}, line {options.line}"
        hypothesis, *others = str(one).split("\n")
        yield _marked(hypothesis, one)
        yield from others
        yield ""
    yield signature


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu explain",
        usage='vecbleu explain --hyp "..." --ref "..." [--ref "..."] [options]\n'
        "       vecbleu explain REF [REF ...] -i SYS [SYS ...] --line N [options]",
        description="Show how the score of one segment comes about: every n-gram's counts and "
        "clipped count, precisions, brevity penalty.",
        epilog=_EPILOG,
    )
    add = parser.group("text")
    add("--hyp", action="append", metavar="TEXT", help="a hypothesis, in place of files")
    add("--ref", dest="texts", action="append", metavar="TEXT",
        help="its reference; again for each further one")  # fmt: skip
    add = parser.add_systems()
    add("--line", type=int, metavar="N", help="the line of the files to explain, from 1 on")
    parser.add_text()
    parser.add_smoothing()
    parser.group("output")("--json", action="store_true", help="JSON with every digit")
    return parser.parse_checked(arguments, inputs=_check)


def _check(options: argparse.Namespace) -> None:
    """ValueError unless there is a hypothesis with references, or a line of files."""
    if options.workers is not None:
        checked_integer(options.workers, "workers", 1)
    if options.hyp is None and options.texts is None:
        _check_files(options)
        return
    if options.hyp is None or options.texts is None:
        raise ValueError(f"--hyp and --ref are text and belong together; write: {_CALLS}")
    if len(options.hyp) > 1:
        raise ValueError(f"--hyp is given {len(options.hyp)} times; each takes a call of its own")
    given = {f"the file {path}": True for path in [*options.references, *(options.input or [])]}
    given |= {"--line": options.line is not None, "--names": options.names}
    given |= {"--num-refs": options.num_refs != 1}
    for what in filter(given.get, given):
        raise ValueError(f"--hyp and --ref are text in place of files; {what} does not go with it")


def _check_files(options: argparse.Namespace) -> None:
    """ValueError unless files are given of which a line can be read."""
    if not options.references and not options.input:
        raise ValueError(f"nothing to explain; write: {_CALLS}")
    if not options.input and not any(map(os.path.exists, options.references)):
        import shlex  # 5 ms, which only errors wait for

        hypothesis, *references = options.references
        words = [word for one in references or ["..."] for word in ("--ref", one)]
        call = shlex.join(["vecbleu", "explain", "--hyp", hypothesis, *words])
        raise ValueError(f"there is no file {hypothesis!r}; text has options, write: {call}")
    check_inputs(options)
    for path in filter(is_statistics_file, options.input):
        raise ValueError(f"{path} is a file of statistics, which has no text to explain")
    if options.line is None:
        raise ValueError("which line of the files? pass --line N")
    checked_integer(options.line, "line", 1)


def _scoring(options: argparse.Namespace) -> dict[str, Any]:
    """Counting and scoring, by the keywords of vecbleu's functions."""
    return {
        "tokenize": tokenizer_name(options),
        "lowercase": options.lowercase,
        "max_order": _DEFAULT_ORDER if options.max_order is None else options.max_order,
        "smoothing": options.smoothing,
        "smoothing_value": options.smoothing_value,
        "effective_order": True,
    }


def _given(options: argparse.Namespace) -> dict[str, tuple[str, list[str]]]:
    """The hypothesis and references of the command line, under no name."""
    return {"": (options.hyp[0], options.texts)}


def _read(options: argparse.Namespace) -> dict[str, tuple[str, list[str]]]:
    """A line of each system with its references."""
    systems = [source_of(options, path) for path in options.input]
    texts = read_line([*reference_sources(options), *systems], options.line)
    references, own = texts[: -len(systems)], texts[-len(systems) :]
    names = system_names(options)
    return {name: (text, references) for name, text in zip(names, own, strict=True)}


def _marked(line: str, found: Explanation) -> str:
    """The line of the hypothesis, in which a terminal shows the tokens that match in a color."""
    shown = [*map(shown_token, found.tokens)]
    pieces = [(line[: len(line) - len(" ".join(shown))], "")]
    for token, order in zip(shown, found.matched_orders, strict=True):
        pieces += [(token, "better" if order else ""), (" ", "")]
    return Marked(pieces[:-1]) if shown else line


def _entry(system: str, found: Explanation, signature: str, line: int | None) -> dict[str, Any]:
    """An explanation for JSON, with the system's name and the line of its files."""
    place = {"system": system, "line": line} if system else {}
    return {**place, **found.to_dict(), "signature": signature}
