"""``vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]``: compare systems with a baseline."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from textwrap import TextWrapper
from typing import Any, NamedTuple

from vecbleu.analysis import (
    Buckets,
    Differences,
    NgramDifference,
    ngram_differences,
    score_buckets,
    segment_differences,
    word_changes,
)
from vecbleu.cli import arguments as shared
from vecbleu.cli.arguments import Parser
from vecbleu.cli.program import Marked
from vecbleu.cli.systems import (
    SegmentTexts,
    Systems,
    entries,
    json_lines,
    percent,
    read_beside,
    read_columns,
    read_segments,
    reference_sources,
    source_of,
)
from vecbleu.core.arrays import Float64
from vecbleu.core.files.sources import check_reads
from vecbleu.show.table import plain
from vecbleu.show.terminal import aligned, display_width, escaped_name
from vecbleu.significance import Comparison, paired_bootstrap, paired_randomization

# N-grams listed by default; and the number of outputs above which none are listed, because they
# would take longer than everything else.
_NGRAMS = 5
_MOST_OUTPUTS = 100_000

# Characters shown before the first difference of a long text.
_BEFORE = 20

_WRAPPER = TextWrapper(subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)

Pieces = Sequence[tuple[str, bool]]


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the systems with their baseline, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    names = systems.names
    base = _baseline(options, names)
    keywords, fields = shared.draw_options(options)
    tables = systems.tables()
    size, smoothed = len(next(iter(tables.values()))), shared.smoothing_options(options)
    test = paired_randomization if options.test == "randomization" else paired_bootstrap
    tested = test(tables, baseline=base, **keywords, **smoothed)
    labels = read_beside(options, options.labels, size) if options.labels else None
    buckets = score_buckets(tables, labels, edges=options.edges, **smoothed)
    differences = segment_differences(tables, base, **smoothed)
    is_long = tables[names[base]].ref_len >= options.min_length
    ranked = {}
    for name in names:
        both = differences.gains(name), differences.losses(name)
        ranked[name] = [some[is_long[some]][: options.segments].tolist() for some in both]
    texts, _ = read_segments(
        options, {one for both in ranked.values() for part in both for one in part}
    )
    ngrams, note = _ngrams(options, names, base, size)
    signature = f"BLEU|{systems.describe(**fields)}"
    pairs = [
        _pair_of(differences, place, ranked[name], texts, ngrams)
        for place, name in enumerate(names)
        if place != base
    ]
    if options.json:
        found = {"signature": signature, **_entries(tested, buckets)}
        yield from json_lines(found | {"pairs": plain(pairs)})
        return
    yield from (signature, "", *tested.table().to_text().split("\n"), "")
    yield from str(buckets.table()).split("\n")  # `str` limits the number of rows
    width = 10**9 if options.full else shutil.get_terminal_size((100, 24)).columns
    for pair in pairs:
        yield from pair.lines(width, options.full, options.no_color)
    if note:
        yield from ("", note)


def _parse(arguments: Sequence[str]) -> Namespace:
    parser = Parser(
        "vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]",
        "Show where systems differ from a baseline: scores with p-values, groups of\n"
        "segments, and the segments and n-grams in which they differ most.",
        shared.file_parser(source=True),
        *shared.text_parsers(),
        shared.group_parser(),
        shared.resampling_parser(),
        shared.json_parser(),
    )
    parser.add_argument("--baseline", metavar="NAME", help="name or file (default: the first)")
    add = parser.add_argument_group("segments and n-grams").add_argument
    add("--segments", type=int, default=2, metavar="N",
        help="segments listed per direction (default: 2)")  # fmt: skip
    add("--min-length", type=int, default=0, metavar="N",
        help="show only segments with at least N reference tokens")  # fmt: skip
    add("--ngrams", type=int, metavar="N",
        help=f"n-grams listed per direction (default: {_NGRAMS}; none above "
        f"{_MOST_OUTPUTS:,} outputs)")  # fmt: skip
    add("--full", action="store_true", help="show whole texts; by default, long ones are cut")
    add("-nc", "--no-color", action="store_true", help="no colors, as with NO_COLOR set")
    options = parser.parse(arguments)
    shared.check_several(options)
    shared.check_files(options)
    # Segments are chosen by their scores: their texts, and n-grams, are read after counting.
    reads = 1 + bool(options.segments) + (options.ngrams != 0)
    check_reads([*options.references, *options.input] * reads)
    return options


def _baseline(options: Namespace, names: Sequence[str]) -> int:
    """Return the index of the baseline, given as a name or a file."""
    given = options.baseline
    for known in (names, options.input):
        if given in known:
            return known.index(given)
    if given is not None:
        raise ValueError(f"--baseline is {given!r}, expected one of {', '.join(names)}")
    return 0


def _ngrams(
    options: Namespace, names: Sequence[str], base: int, size: int
) -> tuple[Sequence[NgramDifference], str]:
    """Return the n-grams in which text systems differ, or a note if they are not compared."""
    paths = dict(zip(names, options.input, strict=True))
    text = [name for name, path in paths.items() if not shared.is_statistics_file(path)]
    if not options.references or names[base] not in text or len(text) < 2 or options.ngrams == 0:
        if options.ngrams:
            raise ValueError("--ngrams needs text of the baseline and of another system")
        return (), ""
    if options.ngrams is None and size * len(text) > _MOST_OUTPUTS:
        note = f"n-grams of {size * len(text):,} outputs are only compared with --ngrams N"
        return (), note
    columns = read_columns([source_of(options, paths[name]) for name in text])
    found = ngram_differences(
        dict(zip(text, columns, strict=True)),
        [*zip(*read_columns(reference_sources(options)), strict=True)],
        baseline=names[base],
        top=options.ngrams or _NGRAMS,
        workers=options.workers,
        progress=None,
        **shared.counting_options(options),
    )
    return found.rows, ""


class _Segment(NamedTuple):
    """Segment with two different outputs."""

    line: int
    scores: list[float]  # of the baseline and the system, from 0 to 100
    source: str | None
    references: list[str]
    outputs: list[Pieces | None]  # None without text


class _Pair(NamedTuple):
    """Segments and n-grams in which a system and the baseline differ most."""

    baseline: str
    system: str
    gains: list[_Segment]
    losses: list[_Segment]
    ngram_gains: list[dict[str, Any]]
    ngram_losses: list[dict[str, Any]]

    def lines(self, width: int, is_full: bool, is_plain: bool) -> Iterator[str]:
        """Yield lines on segments, then on n-grams, in both directions."""
        for segments, kind, marks in (
            (self.gains, "beats", ("worse", "better")),
            (self.losses, "loses to", ("better", "worse")),
        ):
            if segments:
                title = f"lines where {self.system} {kind} {self.baseline}, sentence BLEU:"
                yield from ("", title)
            for one in segments:
                before, after = one.scores
                yield f"line {one.line}: {before:.1f} -> {after:.1f} ({after - before:+.1f})"
                yield from self._text_lines(one, is_full, width, ("", "") if is_plain else marks)
        if self.ngram_gains or self.ngram_losses:
            yield ""
        own = self.system, self.baseline
        for rows, (more, less) in ((self.ngram_gains, own), (self.ngram_losses, own[::-1])):
            if rows:
                shown = '"{}"\xa0({}\xa0against\xa0{})'.format  # non-breaking
                listed = [shown("\xa0".join(row["ngram"]), *row["counts"]) for row in rows]
                line = f"n-grams that {more} gets right more often than {less}: {', '.join(listed)}"
                _WRAPPER.width = max(20, width - 1)
                yield from (one.replace("\xa0", " ") for one in _WRAPPER.wrap(escaped_name(line)))

    def _text_lines(
        self, segment: _Segment, is_full: bool, width: int, marks: Sequence[str]
    ) -> Iterator[str]:
        """Yield the texts of a segment, with differing words of the outputs marked."""
        shown = segment.references if is_full else segment.references[:1]
        label = "ref" if shown == segment.references else f"ref 1 of {len(segment.references)}"
        rows: list[tuple[str, Pieces | None, str]] = []
        if segment.source is not None:
            rows.append(("src", [(segment.source, False)], ""))
        rows += [(label, [(text, False)], "") for text in shown]
        rows += zip((self.baseline, self.system), segment.outputs, marks, strict=True)
        left = max(display_width(escaped_name(name)) for name, *_ in rows)
        room = max(20, width - left - 6)  # without indent, colon and two ellipses
        start = min(map(_first_change, filter(None, segment.outputs)), default=0)
        for name, pieces, mark in rows:
            if pieces is not None:
                title = aligned(escaped_name(name), left, "right")
                cut = _cut(pieces, start, room)
                colored = [(text, mark if changed else "") for text, changed in cut]
                yield Marked([(f"  {title}: ", ""), *colored])


def _pair_of(
    found: Differences,
    place: int,
    segments: Iterable[Sequence[int]],
    texts: dict[int, SegmentTexts],
    ngrams: Sequence[NgramDifference],
) -> _Pair:
    """Collect the segments and n-grams of a system and the baseline."""
    places = [found.baseline, place]
    baseline, system = (found.names[one] for one in places)
    gains, losses = (
        [_segment(one, 100 * found.scores[places, one], places, texts) for one in part]
        for part in segments
    )
    more, less = (
        [row for row in ngrams if (row.more, row.less) == names]
        for names in ((system, baseline), (baseline, system))
    )
    return _Pair(baseline, system, gains, losses, _ngram_entries(more), _ngram_entries(less))


def _segment(
    segment: int, scores: Float64, places: Sequence[int], texts: dict[int, SegmentTexts]
) -> _Segment:
    """Return the scores and texts of a segment; outputs are cut where they differ."""
    source, references, outputs = texts.get(segment) or (None, [], [None] * (max(places) + 1))
    known = [text for place in places if (text := outputs[place]) is not None]
    pieces: Iterator[Pieces] = iter(
        word_changes(known) if len(known) == 2 else [[(text, False)] for text in known]
    )
    shown = [None if outputs[place] is None else next(pieces) for place in places]
    return _Segment(segment + 1, scores.tolist(), source, references, shown)


def _ngram_entries(rows: Sequence[NgramDifference]) -> list[dict[str, Any]]:
    """Return n-grams for JSON, with the lines that have them."""
    return entries(
        ngram=[[*map(str, row.ngram)] for row in rows],
        counts=[row.counts for row in rows],
        score=[row.score for row in rows],
        lines=[[one + 1 for one in row.examples] for row in rows],
    )


def _first_change(pieces: Pieces) -> int:
    """Return the place of the first differing piece in the text."""
    place = 0
    for text, changed in pieces:
        if changed:
            break
        place += len(text)
    return place


def _cut(pieces: Pieces, start: int, width: int) -> list[tuple[str, bool]]:
    """Cut a text to the width of the line, around the first difference."""
    whole = "".join(text for text, _ in pieces)
    size, columns = len(whole), display_width(whole)
    if columns <= width:
        return [*pieces]
    width = max(1, width * size // columns)  # fewer letters if they take two columns
    first = max(0, min(start - _BEFORE, size - width))
    last = first + width
    cut, place = [], 0
    for text, changed in pieces:
        inside = text[max(0, first - place) : max(0, last - place)]
        if inside:
            cut.append((inside, changed))
        place += len(text)
    before = [("…", False)] if first else []
    return [*before, *cut, *([("…", False)] if last < size else [])]


def _entries(tested: Comparison, buckets: Buckets) -> dict[str, Any]:
    """Return systems with their tests, and groups, for JSON."""
    return {
        "baseline": tested.names[tested.baseline],
        "systems": entries(
            system=tested.names,
            score=percent(tested.scores),
            difference=percent(tested.differences),
            p_value=tested.p_values,
            holm=tested.holm,
            lower=percent(tested.lower),
            upper=percent(tested.upper),
        ),
        "by": buckets.by,
        "groups": entries(
            label=buckets.labels, scores=percent(buckets.scores).T, segments=buckets.sizes
        ),
    }
