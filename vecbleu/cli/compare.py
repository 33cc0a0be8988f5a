"""``vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]``: compare systems with a baseline."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vecbleu.analysis import Differences, score_buckets, segment_differences, word_changes
from vecbleu.analysis.ngrams import NgramDifference, ngram_differences, ngrams_between
from vecbleu.analysis.word_changes import joined_pieces
from vecbleu.arguments.errors import argument
from vecbleu.bleu.options import CountOptions
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.options import MOST_OUTPUTS, NGRAMS
from vecbleu.cli.program import colored
from vecbleu.cli.systems import SegmentTexts, Systems, read_labels, read_segments, result_lines
from vecbleu.files.sources import check_reads
from vecbleu.show.table import Table
from vecbleu.show.terminal import Verbatim, display_width, escaped_name, padded
from vecbleu.significance import paired_bootstrap, paired_randomization
from vecbleu.significance.inference import baseline_index

# Characters shown before the first difference of a long text.
_BEFORE = 20

Pieces = Sequence[tuple[str, bool]]


def run_compare(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the systems with their baseline, and yield the lines to print."""
    parser = Parser("compare", "compare REF [REF ...] -i SYS SYS [SYS ...]")
    options = parser.parse(arguments, systems=2)
    # Segments are chosen by their scores: texts are read again after counting.
    reads = 2 if options.segments or options.ngrams != 0 else 1
    check_reads([*options.references, *options.input] * reads)
    systems = Systems(options)
    is_file = options.baseline in options.input and options.baseline not in systems.names
    named = options.input if is_file else systems.names
    with argument("baseline"):
        base = baseline_index(named, options.baseline)
    compared = _with_ngrams(options, systems.names, base)
    keywords, fields = shared.draw_options(options)
    (metric,) = systems.metrics
    (tables,) = systems.tables()
    baseline = systems.names[base]
    size = len(tables[baseline])
    lengths = tables[baseline].ref_len
    if lengths is None:
        reason = f"{metric.name} has no reference lengths; leave it out, or choose another -m"
        shared.refuse(options, "edges min_length", reason)
    test = paired_randomization if options.test == "randomization" else paired_bootstrap
    tested = test(tables, baseline=base, **keywords, **metric.scoring)
    labels = read_labels(options, size)
    grouped = None
    if labels is not None or lengths is not None:
        buckets = score_buckets(tables, labels, edges=options.edges, **metric.scoring)
        grouped = buckets.table()
    table = tested.table()
    signature = metric.describe(**fields)
    if options.latex is not None:
        yield from result_lines(options, [(table, signature, ())])
        if grouped is not None:
            yield from ("", *grouped.to_latex().split("\n"))
        return
    note = ""
    outputs = size * len(compared)
    if options.ngrams is None and outputs > MOST_OUTPUTS:
        note = f"n-grams of {outputs:,} outputs are only compared with --ngrams N"
        compared = {}
    texts = read_segments(options, range(size))[0] if compared else {}
    ngrams = _ngram_rows(options, compared, baseline, texts) if compared else ()
    differences = segment_differences(tables, baseline, **metric.scoring)
    is_long = lengths is None or lengths >= options.min_length
    of_long = replace(differences, differences=differences.differences * is_long)
    limit = options.segments
    listed = {
        name: (of_long.gains(name)[:limit].tolist(), of_long.losses(name)[:limit].tolist())
        for name in systems.names
    }
    if not compared:
        chosen = {segment for gains, losses in listed.values() for segment in gains + losses}
        texts, _ = read_segments(options, chosen)
    pairs = [
        _pair(differences, name, gains, losses, ngrams, texts)
        for name, (gains, losses) in listed.items()
    ]
    groups: list[list[dict[str, Any]]] = [[] for _ in pairs]
    if grouped is not None:
        first, *columns, sizes = grouped.columns
        columns = [column._replace(title=tested.metric) for column in columns]
        groups = [Table([first, column, sizes]).records() for column in columns]
    rows = zip(tested.holm, groups, pairs, strict=True)
    more = ({"holm": holm, "groups": group, **pair} for holm, group, pair in rows)
    yield from result_lines(options, [(table, signature, more)])
    if options.json:
        return
    if grouped is not None:
        yield ""
        yield from str(grouped).split("\n")  # `str` limits the number of rows
    for pair in pairs:
        yield from _pair_lines(options, pair, differences.metric)
    if note:
        yield from ("", note)


def _with_ngrams(options: Namespace, names: Sequence[str], base: int) -> dict[str, int]:
    """Return the systems whose n-grams are compared, with their indices; none if not asked for."""
    numbered = enumerate(zip(names, options.input, strict=True))
    text = {name: index for index, (name, path) in numbered if not shared.is_statistics_file(path)}
    has_pair = options.references and names[base] in text and len(text) > 1
    if options.ngrams and not has_pair:
        raise ValueError("--ngrams needs text of the baseline and of another system")
    return text if has_pair and options.ngrams != 0 else {}


def _ngram_rows(
    options: Namespace, compared: dict[str, int], baseline: str, texts: dict[int, SegmentTexts]
) -> Sequence[NgramDifference]:
    """Compare the n-grams of systems, given their indices and the texts of all segments."""
    rows = [texts[segment] for segment in sorted(texts)]
    outputs = {name: [row.outputs[index] or "" for row in rows] for name, index in compared.items()}
    counting = shared.given_of(options, CountOptions)
    return ngram_differences(
        outputs,
        [row.references for row in rows],
        baseline=baseline,
        top=options.ngrams or NGRAMS,
        workers=options.workers,
        progress=None,
        **counting,
    ).rows


def _pair(
    differences: Differences,
    system: str,
    gains: Sequence[int],
    losses: Sequence[int],
    ngrams: Sequence[NgramDifference],
    texts: Mapping[int, SegmentTexts],
) -> dict[str, object]:
    """Return where a system and the baseline differ, for JSON, with scores and texts."""
    baseline = differences.names[differences.baseline]
    indices = [differences.names.index(name) for name in (baseline, system)]
    unknown = SegmentTexts(None, [], [None] * len(differences.names))

    def segment_of(segment: int) -> dict[str, object]:
        text = texts.get(segment, unknown)
        outputs = [text.outputs[index] for index in indices]
        pieces = iter(word_changes([output for output in outputs if output is not None]))
        return {
            "line": segment + 1,
            "scores": (100 * differences.scores[indices, segment]).tolist(),
            "source": text.source,
            "references": text.references,
            "outputs": [None if output is None else next(pieces) for output in outputs],
        }

    return {
        "baseline": baseline,
        "system": system,
        "wins": list(map(segment_of, gains)),
        "losses": list(map(segment_of, losses)),
        "ngram_wins": _ngram_entries(ngrams_between(ngrams, "match", system, baseline)),
        "ngram_losses": _ngram_entries(ngrams_between(ngrams, "match", baseline, system)),
    }


def _ngram_entries(rows: Sequence[NgramDifference]) -> list[dict[str, object]]:
    """Return n-grams for JSON, with the lines that have them."""
    return [
        {
            "ngram": list(map(str, row.ngram)),
            "counts": row.counts,
            "score": row.score,
            "lines": [segment + 1 for segment in row.examples],
        }
        for row in rows
    ]


def _pair_lines(options: Namespace, pair: dict[str, Any], metric: str) -> Iterator[str]:
    """Yield lines on segments, then on n-grams, in both directions."""
    names = baseline, system = pair["baseline"], pair["system"]
    for part, kind, marks in (
        ("wins", "wins against", ("worse", "better")),
        ("losses", "loses to", ("better", "worse")),
    ):
        segments = pair[part]
        if segments:
            yield from ("", f"lines where {system} {kind} {baseline}, sentence {metric}:")
        for segment in segments:
            before, after = segment["scores"]
            yield f"line {segment['line']}: {before:.1f} -> {after:.1f} ({after - before:+.1f})"
            colors = ("", "") if options.no_color else marks
            outputs = zip(names, segment["outputs"], colors, strict=True)
            yield from _text_lines(segment, outputs, options.full)
    if pair["ngram_wins"] or pair["ngram_losses"]:
        yield ""
    for part, (less, more) in (("ngram_wins", names), ("ngram_losses", names[::-1])):
        if rows := pair[part]:
            phrase = '"{}" ({} against {})'.format
            phrases = (phrase(" ".join(row["ngram"]), *row["counts"]) for row in rows)
            yield f"n-grams that {more} matches more often than {less}: {', '.join(phrases)}"


def _text_lines(segment: dict[str, Any], outputs: Iterable[Any], is_full: bool) -> Iterator[str]:
    """Yield the texts of a segment, with differing words of the outputs marked."""
    references = segment["references"]
    shown = references if is_full else references[:1]
    label = "ref" if shown == references else f"ref 1 of {len(references)}"
    texts = [(label, text) for text in shown]
    if segment["source"] is not None:
        texts.insert(0, ("src", segment["source"]))
    known = [row for row in outputs if row[1] is not None]
    rows: list[tuple[str, Pieces, str]] = [(name, [(text, False)], "") for name, text in texts]
    rows += known
    left = max((display_width(escaped_name(name)) for name, *_ in rows), default=0)
    width = shutil.get_terminal_size((100, 24)).columns - 6  # without indent, colon, two ellipses
    room = sys.maxsize if is_full else max(20, width - left)
    # Outputs are cut around their first difference, and the other texts at the same letter.
    firsts = (pieces[0] for _, pieces, _ in known if pieces)
    begins = [0 if changed else len(text) for text, changed in firsts]
    start = min(begins, default=0)
    for name, pieces, mark in rows:
        title = padded(escaped_name(name), left, "right")
        cut = _shortened(pieces, start, room)
        shown = (colored(text, mark if changed else "") for text, changed in cut)
        yield Verbatim(f"  {title}: {''.join(shown)}")


def _shortened(pieces: Pieces, start: int, width: int) -> Pieces:
    """Cut a text to the width of the line, around the first difference."""
    letters = [(letter, changed) for text, changed in pieces for letter in text]
    size = len(letters)
    columns = display_width("".join(text for text, _ in pieces))
    if columns <= width:
        return pieces
    width = max(1, width * size // columns)  # fewer letters if they take two columns
    first = max(0, min(start - _BEFORE, size - width))
    shown = joined_pieces(letters[first : first + width])
    if first > 0:
        shown.insert(0, ("…", False))
    if first + width < size:
        shown.append(("…", False))
    return shown
