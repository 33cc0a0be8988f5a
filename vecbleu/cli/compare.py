"""``vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]``: compare systems with a baseline."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from vecbleu.analysis import Buckets, Differences, segment_differences, word_changes
from vecbleu.analysis.ngrams import NgramDifference, ngram_differences, ngrams_between
from vecbleu.analysis.word_changes import joined_pieces
from vecbleu.arguments.errors import argument
from vecbleu.bleu.options import CountOptions
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.groups import (
    group_lines,
    group_records,
    read_column,
    read_labels,
    score_groups,
    test_of,
)
from vecbleu.cli.metrics import AskedMetric
from vecbleu.cli.options import MOST_OUTPUTS, NGRAMS
from vecbleu.cli.program import colored
from vecbleu.cli.systems import (
    Result,
    SegmentTexts,
    Systems,
    read_segments,
    result_lines,
)
from vecbleu.files.sources import check_reads, files_read
from vecbleu.show.table import points
from vecbleu.show.terminal import Verbatim, display_width, escaped, escaped_name, padded
from vecbleu.significance import Comparison
from vecbleu.significance.inference import baseline_index
from vecbleu.significance.results import gains, verdict

# Characters shown before the first difference of a long text.
_BEFORE = 20

Pieces = Sequence[tuple[str, bool]]


class _Compared(NamedTuple):
    """Tests of the systems by a metric, and the groups and segments in which they differ."""

    tested: Comparison
    signature: str
    groups: list[Buckets]
    differences: Differences
    listed: list[tuple[list[int], list[int]]]  # segments that each system wins, and loses


def run_compare(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the systems with their baseline, and yield the lines to print."""
    parser = Parser("compare", "compare REF [REF ...] -i SYS SYS [SYS ...]")
    options = parser.parse(arguments, systems=2)
    # Segments are chosen by their scores: texts are read again after counting.
    reads = 2 if options.segments or options.ngrams != 0 else 1
    check_reads(files_read([*options.references, *options.input]) * reads)
    systems = Systems(options)
    names = systems.names
    is_file = options.baseline in options.input and options.baseline not in names
    with argument("baseline"):
        base = baseline_index(options.input if is_file else names, options.baseline)
    compared = _with_ngrams(options, names, base)
    tables = systems.tables()
    rows = tables[0][names[0]]
    labels = read_labels(options, options.labels, rows)
    documents = read_column(options, options.documents, rows)
    found = [
        _compare(options, metric, own, names[base], labels, documents)
        for metric, own in zip(systems.metrics, tables, strict=True)
    ]
    tested = [each.tested for each in found]
    every = range(len(names))
    verdicts = [verdict(tested, names, index, base) for index in every if index != base]
    groups = [buckets for each in found for buckets in each.groups]
    if options.latex is not None:
        results: list[Result] = [(each.tested.table(), each.signature, ()) for each in found]
        yield from result_lines(options, results, verdicts)
        yield from group_lines(options, groups)
        _stop_if_worse(options, tested, names)
        return
    note = ""
    outputs = len(rows) * len(compared)
    if options.ngrams is None and outputs > MOST_OUTPUTS:
        note = f"n-grams of {outputs:,} outputs are only compared with --ngrams N"
        compared = {}
    listed: Iterable[int] = range(len(rows))
    if not compared:
        lists = (segments for each in found for pair in each.listed for segments in pair)
        listed = chain.from_iterable(lists)
    texts, _ = read_segments(options, listed)
    ngrams = _ngram_rows(options, compared, names[base], texts) if compared else ()
    pairs = [[_pair(each, system, ngrams, texts) for system in every] for each in found]
    results = [
        (each.tested.table(), each.signature, own) for each, own in zip(found, pairs, strict=True)
    ]
    yield from result_lines(options, results, verdicts)
    if options.json:
        _stop_if_worse(options, tested, names)
        return
    yield from group_lines(options, groups)
    for of_system in zip(*pairs, strict=True):
        for pair, each in zip(of_system, found, strict=True):
            yield from _segment_lines(options, pair, each.differences.metric)
        yield from _ngram_lines(of_system[0])
    if note:
        yield from ("", note)
    _stop_if_worse(options, tested, names)


def _stop_if_worse(options: Namespace, tested: Sequence[Comparison], names: Sequence[str]) -> None:
    """With --fail-if-worse, end with status 1 if a system is significantly worse, and say which."""
    if not options.fail_if_worse:
        return
    worse = []
    for each in tested:
        base = names[each.baseline]
        is_behind = gains(each.differences, each.higher_is_better) < 0
        for index in np.flatnonzero(is_behind & each.significant).tolist():
            size = points(abs(each.differences[index]), sign="")
            worse.append(
                f"{names[index]} is significantly worse than {base} by {size} {each.metric}"
            )
    if worse:
        print(f"vecbleu compare: {escaped('; '.join(worse))}", file=sys.stderr)
        raise SystemExit(1)


def _compare(
    options: Namespace,
    metric: AskedMetric,
    tables: dict[str, Any],
    baseline: str,
    labels: Mapping[str, Sequence[str] | None],
    documents: Sequence[str] | None,
) -> _Compared:
    """Test the systems by a metric, and list segments and groups in which they differ."""
    keywords, fields = shared.draw_options(options)
    if documents is not None:
        fields["docs"] = len(set(documents))
    lengths = tables[baseline].ref_len
    if lengths is None:
        reason = f"{metric.name} has no reference lengths; leave it out, or choose another -m"
        shared.refuse(options, "edges min_length", reason)
    if not labels and lengths is not None:
        labels = {"ref_len": None}
    groups = score_groups(options, metric, tables, labels, baseline=baseline, documents=documents)
    differences = segment_differences(tables, baseline, **metric.scoring)
    is_long = lengths is None or lengths >= options.min_length
    of_long = replace(differences, differences=differences.differences * is_long)
    limit = options.segments
    listed = [
        (of_long.gains(name)[:limit].tolist(), of_long.losses(name)[:limit].tolist())
        for name in tables
    ]
    tested = test_of(options)(
        tables, baseline=baseline, groups=documents, **keywords, **metric.scoring
    )
    return _Compared(tested, metric.describe(**fields), groups, differences, listed)


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
    compared: _Compared,
    index: int,
    ngrams: Sequence[NgramDifference],
    texts: Mapping[int, SegmentTexts],
) -> dict[str, object]:
    """Return where a system and the baseline differ, for JSON, with scores and texts."""
    differences = compared.differences
    names = differences.names
    wins, losses = compared.listed[index]
    indices = [differences.baseline, index]
    baseline, system = names[differences.baseline], names[index]
    unknown = SegmentTexts(None, [], [None] * len(names))

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

    tested = compared.tested
    people = tested.human_agreement
    return {
        "holm": tested.holm[index],
        "significant": tested.significant[index],
        "borderline": tested.borderline[index],
        "n_resamples": tested.n_resamples[index],
        "human_agreement": None if people is None else people[index],
        "groups": group_records(compared.groups, system),
        "baseline": baseline,
        "system": system,
        "wins": list(map(segment_of, wins)),
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


def _segment_lines(options: Namespace, pair: dict[str, Any], metric: str) -> Iterator[str]:
    """Yield lines on segments, in both directions."""
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


def _ngram_lines(pair: dict[str, Any]) -> Iterator[str]:
    """Yield lines on n-grams, in both directions."""
    names = pair["baseline"], pair["system"]
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
