"""``vecbleu mbr -i CANDIDATES -n N``: choose a candidate per source by minimum Bayes risk."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.systems import json_lines, read_columns, source_of
from vecbleu.core.files.sources import check_reads
from vecbleu.pairwise.expected import expected_bleu
from vecbleu.show.terminal import Verbatim


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Choose a line for each source, and yield it."""
    options = _parse(arguments)
    candidates = _read_sources(options, options.input, options.n, "-n")
    references = None
    if options.references:
        references = _read_sources(options, options.references, options.p, "-p")
        if len(references) != len(candidates):
            raise ValueError(
                f"{options.references} has {len(references)} sources of {options.p} lines but "
                f"{options.input} has {len(candidates)} of {options.n}"
            )
    expected = expected_bleu(
        candidates,
        references,
        **shared.counting_options(options),
        **shared.smoothing_options(options),
        effective_order=True,
        workers=options.workers,
        progress=None,
    )
    for number, (lines, scores) in enumerate(zip(candidates, expected, strict=True), 1):
        best = int(scores.argmax())
        percent = 100 * float(scores[best])
        if options.json:
            entry = {"source": number, "candidate": best + 1, "BLEU": percent, "text": lines[best]}
            yield json_lines(entry, indent=None)[0]
        else:
            score = f"{percent:.2f}\t" if options.scores else ""
            line = score + lines[best]
            yield line if sys.stdout.isatty() else Verbatim(line)


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu mbr [REF] -i FILE -n N",
        "Choose among candidates by minimum Bayes risk: for each source, print the\n"
        "candidate with the highest mean sentence BLEU against the pseudo-references\n"
        "(default: all candidates of the source). Lines are printed unchanged.",
    )
    parser.add_reading(references=False)
    parser.add_counting()
    parser.add_smoothing()
    parser.add_json()
    add = parser.add_argument
    add("references", nargs="?", metavar="REF", help="pseudo-references (default: the candidates)")
    add("-i", "--input", required=True, metavar="FILE",
        help="candidates, N consecutive lines per source")  # fmt: skip
    add("-n", type=int, required=True, metavar="N", help="candidates per source")
    add("-p", type=int, metavar="N", help="pseudo-references per source, with REF")
    add("--scores", action="store_true", help="print the mean score and a tab before each line")
    options = parser.parse(arguments)
    if (options.references is None) != (options.p is None):
        raise ValueError("REF and -p (its lines per source) must both be given")
    check_reads(filter(None, [options.references, options.input]))
    return options


def _read_sources(options: Namespace, path: str, size: int, option: str) -> list[list[str]]:
    """Read the lines of a file, with `size` lines per source."""
    (lines,) = read_columns([source_of(options, path)])
    if len(lines) % size:
        raise ValueError(f"{path} has {len(lines)} lines, not a multiple of {size} ({option})")
    return [lines[start : start + size] for start in range(0, len(lines), size)]
