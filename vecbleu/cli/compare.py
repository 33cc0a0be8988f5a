"""``vecbleu compare REF [REF ...] -i SYS SYS [SYS ...]``: where systems differ from a baseline."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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
    json_lines,
    read_beside,
    read_columns,
    read_references,
    read_segments,
    source_of,
)
from vecbleu.core.table import plain
from vecbleu.core.terminal import aligned, display_width, escaped_name
from vecbleu.significance import Comparison, paired_bootstrap, paired_randomization

# N-grams that are listed by default, and the outputs up to which they are: of more, counting them
# takes longer than everything else.
_NGRAMS = 5
_MOST_OUTPUTS = 100_000

# Characters that stand before the first difference of a long text.
_BEFORE = 20

Pieces = Sequence[tuple[str, bool]]


def run(arguments: Sequence[str]) -> Iterator[str]:
    """Compare the systems with their baseline, and yield the lines to print."""
    options = _parse(arguments)
    systems = Systems(options)
    names = systems.names
    base = _baseline(options, names)
    keywords, fields = shared.draw_options(options)
    tables = systems.tables("compare")
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
    texts = read_segments(
        options, {one for both in ranked.values() for part in both for one in part}
    )
    ngrams, note = _ngrams(options, names, base, size)
    signature = f"BLEU|{systems.describe(**fields)}"
    pairs = [
        _Pair(differences, place, ranked[name], texts, ngrams, options.full)
        for place, name in enumerate(names)
        if place != base
    ]
    if options.json:
        found = {"signature": signature, **_entries(tested, buckets)}
        yield from json_lines(found | {"pairs": [pair.entry() for pair in pairs]})
        return
    yield from (signature, "", *tested.table().to_text().split("\n"), "")
    yield from buckets.table().to_text().split("\n")
    width = 10**9 if options.full else shutil.get_terminal_size((100, 24)).columns
    for pair in pairs:
        yield from pair.lines(width, options.no_color)
    if note:
        yield from ("", note)


def _parse(arguments: Sequence[str]) -> Namespace:
    """Parse and check the options."""
    parser = Parser(
        prog="vecbleu compare",
        usage="vecbleu compare REF [REF ...] -i SYS SYS [SYS ...] [options]",
        description="Show where systems differ from a baseline: scores with p-values, groups of "
        "segments, and the segments and n-grams that make the difference.",
        parents=[
            shared.files(source=True),
            *shared.text(),
            shared.groups(),
            shared.significance_tests(),
            shared.json_output(),
        ],
    )
    parser.add_argument("--baseline", metavar="NAME", help="name or file (default: the first)")
    add = parser.add_argument_group("segments and n-grams").add_argument
    add("--segments", type=shared.integer(0), default=2, metavar="N",
        help="segments listed per direction (default: 2)")  # fmt: skip
    add("--min-length", type=shared.integer(0), default=0, metavar="N",
        help="show only segments with at least N reference tokens")  # fmt: skip
    add("--ngrams", type=shared.integer(0), metavar="N",
        help=f"n-grams listed per direction (default: {_NGRAMS}; none above "
        f"{_MOST_OUTPUTS:,} outputs)")  # fmt: skip
    add("--full", action="store_true", help="do not cut long texts around the difference")
    add("-nc", "--no-color", action="store_true", help="no colors, as with NO_COLOR set")
    options = parser.parse(arguments)
    shared.check_several(options)
    shared.check_files(options)
    if options.segments or options.ngrams != 0:
        shared.check_readable_twice(options)
    return options


def _baseline(options: Namespace, names: Sequence[str]) -> int:
    """Return the index of the baseline, by its name or its file."""
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
    """Return the n-grams in which systems that are text differ, or why there are none."""
    paths = dict(zip(names, options.input, strict=True))
    text = [name for name, path in paths.items() if not shared.is_statistics_file(path)]
    if not options.references or names[base] not in text or len(text) < 2 or options.ngrams == 0:
        return (), ""
    if options.ngrams is None and size * len(text) > _MOST_OUTPUTS:
        note = f"n-grams of {size * len(text):,} outputs are not compared; --ngrams {_NGRAMS} does"
        return (), note
    columns = read_columns([source_of(options, paths[name]) for name in text])
    found = ngram_differences(
        dict(zip(text, columns, strict=True)),
        read_references(options),
        baseline=names[base],
        top=options.ngrams or _NGRAMS,
        workers=options.workers,
        progress=None,
        **shared.counting_options(options),
    )
    return found.rows, ""


class _Pair:
    """A system and the baseline: segments and n-grams in which they differ most."""

    def __init__(
        self,
        found: Differences,
        place: int,
        ranked: Sequence[Sequence[int]],
        texts: dict[int, SegmentTexts],
        ngrams: Iterable[NgramDifference],
        is_full: bool,
    ) -> None:
        self._is_full = is_full
        self._found, self._places = found, (found.baseline, place)
        self._baseline, self._system = (found.names[one] for one in self._places)
        self._ranked = dict(zip(("gains", "losses"), ranked, strict=True))
        self._texts = texts
        own = (self._system, self._baseline)
        rows = [*ngrams]
        self._ngrams = {
            part: [row for row in rows if (row.more, row.less) == names]
            for part, names in (("gains", own), ("losses", own[::-1]))
        }

    def entry(self) -> dict[str, Any]:
        """Return the pair for JSON, scores on 0 to 100."""
        found: dict[str, Any] = {"baseline": self._baseline, "system": self._system}
        for part, segments in self._ranked.items():
            found[part] = [*map(self._segment_entry, segments)]
        for part, rows in self._ngrams.items():
            found[f"ngram_{part}"] = [
                {
                    "ngram": [*row.ngram],
                    "counts": [*row.counts],
                    "score": row.score,
                    "lines": [one + 1 for one in row.examples],
                }
                for row in rows
            ]
        return found

    def _segment_entry(self, segment: int) -> dict[str, Any]:
        """Return a segment's line, both sentence scores, and its texts."""
        entry: dict[str, Any] = {"line": segment + 1, "scores": self._scores(segment)}
        if (texts := self._texts.get(segment)) is not None:
            if texts.source is not None:
                entry["source"] = texts.source
            entry |= {"references": texts.references, "outputs": self._outputs(texts)}
        return entry

    def _scores(self, segment: int) -> list[float]:
        """Return the sentence scores of the baseline and the system."""
        scores: list[float] = (100 * self._found.scores[[*self._places], segment]).tolist()
        return scores

    def _outputs(self, texts: SegmentTexts) -> list[Pieces | None]:
        """Return both outputs in pieces, and whether they differ; None where there is no text."""
        outputs = [texts.outputs[place] for place in self._places]
        known = [text for text in outputs if text is not None]
        pieces: Iterator[Pieces] = iter(
            word_changes(known) if len(known) == 2 else [[(text, False)] for text in known]
        )
        return [None if text is None else next(pieces) for text in outputs]

    def lines(self, width: int, is_plain: bool) -> Iterator[str]:
        """Yield segments, then n-grams, in both directions."""
        titles = {
            "gains": f"{self._system} is better than {self._baseline}",
            "losses": f"{self._system} is worse than {self._baseline}",
        }
        for part, title in titles.items():
            marks = ("worse", "better") if part == "gains" else ("better", "worse")
            if self._ranked[part]:
                yield from ("", title)
            for segment in self._ranked[part]:
                one, other = self._scores(segment)
                yield f"line {segment + 1}: {one:.1f} -> {other:.1f} ({other - one:+.1f})"
                if segment in self._texts:
                    yield from self._text_lines(self._texts[segment], marks, width, is_plain)
        if any(self._ngrams.values()):
            yield ""
        own = self._system, self._baseline
        for part, (more, less) in {"gains": own, "losses": own[::-1]}.items():
            if rows := self._ngrams[part]:
                shown = (
                    f'"{" ".join(map(str, row.ngram))}" {row.counts[0]}:{row.counts[1]}'
                    for row in rows
                )
                line = f"n-grams right more often in {more} than in {less}: {', '.join(shown)}"
                yield "".join(text for text, _ in _cut([(escaped_name(line), False)], 0, width - 1))

    def _text_lines(
        self, texts: SegmentTexts, marks: Sequence[str], width: int, is_plain: bool
    ) -> Iterator[str]:
        """Yield the texts of a segment, the words marked in which the outputs differ."""
        outputs = self._outputs(texts)
        start = min(map(_first_change, filter(None, outputs)), default=0)
        names = [self._baseline, self._system]
        left = min(max(map(display_width, [*map(escaped_name, names), "ref"])), 20)
        room = max(20, width - left - 6)  # of the indent, the colon and two ellipses
        rows: list[tuple[str, Pieces | None, str]] = []
        if texts.source is not None:
            rows.append(("src", [(texts.source, False)], ""))
        more = 0 if self._is_full else len(texts.references[1:])
        title = f"ref +{more}" if more else "ref"
        shown = texts.references[: len(texts.references) - more]
        rows += [(title, [(reference, False)], "") for reference in shown]
        rows += zip(names, outputs, marks, strict=True)
        for name, pieces, mark in rows:
            if pieces is not None:
                cut = _cut(pieces, start, room)
                colored = [(text, "" if is_plain or not changed else mark) for text, changed in cut]
                title = aligned(escaped_name(name), left, "right")
                yield Marked([(f"  {title}: ", ""), *colored])


def _first_change(pieces: Pieces) -> int:
    """Return the place of the first piece that differs."""
    place = 0
    for text, changed in pieces:
        if changed:
            break
        place += len(text)
    return place


def _cut(pieces: Pieces, start: int, width: int) -> list[tuple[str, bool]]:
    """Cut a text that is wider than the line around the place of a difference."""
    whole = "".join(text for text, _ in pieces)
    size, columns = len(whole), display_width(whole)
    if columns <= width:
        return [*pieces]
    width = max(1, width * size // columns)  # letters of two columns are cut earlier
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
    """Return systems with their tests, and groups, for JSON: scores on 0 to 100."""
    values = {
        "score": 100 * tested.scores,
        "difference": 100 * tested.differences,
        "p_value": tested.p_values,
        "holm": tested.holm,
        "lower": None if tested.lower is None else 100 * tested.lower,
        "upper": None if tested.upper is None else 100 * tested.upper,
    }
    systems = [
        {"system": name}
        | {key: plain(row[place]) for key, row in values.items() if row is not None}
        for place, name in enumerate(tested.names)
    ]
    rows = zip(
        buckets.labels, (100 * buckets.scores).T.tolist(), buckets.sizes.tolist(), strict=True
    )
    by = [{"label": label, "scores": scores, "segments": size} for label, scores, size in rows]
    baseline = tested.names[tested.baseline]
    return {"baseline": baseline, "systems": systems, "by": buckets.by, "groups": by}
