"""Write the page: verdict, chart, tables and segments, in a template."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import chain, repeat
from string import Template
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np

from vecbleu._version import __version__
from vecbleu.analysis import LENGTH_EDGES, Buckets, Differences, score_buckets, segment_differences
from vecbleu.analysis.ngrams import NgramDifference, ngram_differences, ngrams_between
from vecbleu.analysis.segments import length_groups, score_groups
from vecbleu.arguments.checks import checked_name
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import (
    CountOptions,
    Options,
    RefLength,
    Smoothing,
    Tokenize,
)
from vecbleu.bleu.results import BleuScore, Statistics
from vecbleu.core.count_table import CountTable
from vecbleu.core.metric import METRICS, Metric, metric_named
from vecbleu.core.signature import common
from vecbleu.files.replace import check_writable, replaced_file
from vecbleu.kernel.arrays import Int64
from vecbleu.report.segments import checked_inputs, segment_blocks
from vecbleu.sacrebleu.score import MetricSignature
from vecbleu.show.table import Column, Table, direction_notes, p_phrase, plain, points, safe_html
from vecbleu.show.terminal import escaped_name, shortened_name
from vecbleu.significance import Ranking, paired_bootstrap, rank
from vecbleu.significance.inference import Sides
from vecbleu.significance.resampling import SEED, Rng
from vecbleu.significance.results import gains, p_texts, verdict
from vecbleu.text.edits import Normalize

# Groups with fewer segments say little about where two systems differ.
_FEWEST_SEGMENTS = 20

# Upper bounds of the summary: links to segments, and n-grams of each of the best two systems.
_LINKS, _NGRAMS = 8, 4

# Of the chart: right end of names, left and right end of the plot, width, and height of a row.
_NAMES, _LEFT, _RIGHT, _WIDTH, _ROW = 160, 172, 440, 480, 22
_MOST_COLUMNS = 19  # of a name


class _Results(NamedTuple):
    """Results shown on the page; all but `rankings` have the systems in ranked order."""

    names: list[str]
    rankings: list[Ranking]  # by each metric
    scores: list[BleuScore]
    buckets: list[Buckets]
    differences: Differences
    ngrams: Sequence[NgramDifference]  # of the best two systems
    drawn: str  # what the tests draw


def write(
    path: str | os.PathLike[str],
    systems: Mapping[str, Sequence[str] | Statistics],
    references: Sequence[str | Sequence[str]] | None = None,
    *,
    source: Sequence[str] | None = None,
    labels: Iterable[Any] | Mapping[str, Iterable[Any]] | None = None,
    metrics: Sequence[str] = ("bleu",),
    title: str = "Report",
    language_pair: str | None = None,
    sides: Sides = 2,
    n_resamples: int | None = None,
    confidence_level: float = 0.95,
    documents: Iterable[Any] | None = None,
    rng: Rng = SEED,
    workers: int | None = None,
    progress: bool | None = False,
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    normalize: Normalize | None = None,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    **of_metrics: Mapping[str, Any],
) -> None:
    """Write an HTML report: which of several systems is best, by how much and where.

    The report is a single file that needs no network. It shows scores with intervals and clusters,
    precisions and lengths, groups of segments, n-grams in which systems differ, and every segment
    with all outputs. Segments can be searched, sorted, exported, and filtered by clicks on n-grams,
    groups, wins and losses. The address of the page keeps what is shown.

    Parameters
    ----------
    path : str or path
        File to write. An existing file is replaced only when the new one is complete.
    systems : dict of str to sequence of str (segments,), or to Statistics
        At least 2 systems by name, with at most 500,000 outputs together. Pass their outputs, or
        their statistics if the text is not available.
    references : sequence (segments,) of str or sequences of str, optional
        As for `vecbleu.corpus_bleu`. Not needed if all systems are statistics.
    source : sequence of str (segments,), optional
        Source text, shown beside the references.
    labels : iterable (segments,), or dict of str to iterable, optional
        Group of each segment, such as a domain; or a dict of several such groupings by name.
    metrics : sequence of {"bleu", "chrf", "ter"}
        The first one orders the systems; all are tested. BLEU is always shown, since precisions and
        n-grams are its own. Other metrics need text.
    title : str
        Heading, such as the name of the test set.
    language_pair : str, optional
        Languages of source and outputs, such as "en-zh", for fonts, hyphenation and screen readers.
    sides, n_resamples, confidence_level, rng
        Options of the paired bootstrap, as for `vecbleu.significance.rank`.
    documents : iterable (segments,), optional
        Document of each segment: whole documents are drawn, as `groups` of `rank`.
    workers, progress
        As for `vecbleu.corpus_bleu`.
    tokenize, lowercase, normalize, max_order, ref_length, smoothing, smoothing_value
        As for `vecbleu.corpus_bleu`: tokenize, lowercase, normalize, max_order, ref_length,
        smoothing, smoothing_value. Sentence scores always use smoothing "exp" and effective order.
    **of_metrics : dict
        Options of other metrics by their names: ``chrf={"word_order": 2}`` for chrF++; see
        `vecbleu.chrf.corpus_chrf`.

    Raises
    ------
    TypeError, ValueError
        An argument has the wrong type, sizes differ, or there are more outputs than allowed.
    OSError
        The file can't be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from vecbleu.report import write
    >>> references = ["the cat sat on the mat", "it rained all day"] * 20
    >>> systems = {
    ...     "one": ["the cat sat on a mat", "it rained the whole day"] * 20,
    ...     "two": ["a cat was on the mat", "it rained all day"] * 20,
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "report.html")
    ...     write(path, systems, references, n_resamples=100)
    ...     with open(path, encoding="utf-8") as file:
    ...         print(file.readline().strip())
    <!DOCTYPE html>
    """
    counting, scoring, _, run = Options.checked(
        tokenize=tokenize,
        lowercase=lowercase,
        normalize=normalize,
        max_order=max_order,
        ref_length=ref_length,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        workers=workers,
        progress=progress,
    )
    _check_page(path, title, language_pair)
    if isinstance(metrics, str) or not metrics:
        found = f"is {metrics!r}"
        raise ArgumentError(found, "a list such as ['bleu', 'chrf']", argument="metrics")
    score: Any = {"smoothing": scoring.smoothing, "smoothing_value": scoring.smoothing_value}
    chosen = _others(metrics, of_metrics) | {"bleu": (Bleu(counting), score)}
    asked = {name: chosen[name] for name in (*metrics, "bleu")}
    check_writable(os.fsdecode(path))
    counters = {name: metric for name, (metric, _) in asked.items()}
    inputs = checked_inputs(systems, references, source, counters, run)
    is_default = counting.signature() == CountOptions.checked().signature()
    if not inputs.outputs and not (is_default and workers is None):
        raise ValueError("all systems are statistics; leave out options that count text")
    drawn: dict[str, Any] = {"sides": sides, "n_resamples": n_resamples, "rng": rng}
    drawn["confidence_level"] = confidence_level
    rankings, signatures = [], []
    for name, tables in inputs.tables.items():
        _, options = asked[name]
        ranking = rank(
            tables,
            groups=documents,
            progress=progress,
            **drawn,
            **options,
        )
        rankings.append(ranking)
        seed = rng if type(rng) is int else None
        signature = _signature(tables, options, bs=n_resamples or 1000, sides=sides, seed=seed)
        signatures.append(f"{ranking.metric}|{signature}")
    names = [rankings[0].names[index] for index in rankings[0].order]
    ranked_by, *_ = asked
    pair = inputs.tables[ranked_by], inputs.tables["bleu"]
    first, bleu = ({name: tables[name] for name in names} for tables in pair)
    tested = {**asked[ranked_by][1], "baseline": names[0], "documents": documents}
    tested["compare"] = partial(paired_bootstrap, **drawn)
    if labels is not None and not isinstance(labels, Mapping):
        labels = {"label": labels}
    buckets = [
        replace(score_buckets(first, column, **tested), by=by)
        for by, column in (labels or {}).items()
    ]
    lengths = length_groups(bleu[names[0]].ref_len, LENGTH_EDGES)
    buckets.append(score_groups(first, *lengths, "ref_len", **tested))
    ngrams: Sequence[NgramDifference] = ()
    if set(names[:2]) <= set(inputs.outputs):
        texts = {name: inputs.outputs[name] for name in names[:2]}
        ngrams = ngram_differences(
            texts,
            inputs.references or [],
            top=_NGRAMS,
            tokenize=tokenize,
            lowercase=lowercase,
            normalize=normalize,
            max_order=max_order,
            workers=workers,
            progress=progress,
        ).rows
    scores = [table.score(**score) for table in bleu.values()]
    resampled = "segments" if documents is None else "documents"
    differences = segment_differences(first)
    results = _Results(names, rankings, scores, buckets, differences, ngrams, resampled)
    head, tail = _page(title, signatures, language_pair or "", results)
    numbers = plain(_numbers(results, bleu[names[0]], counting.lowercase))
    with replaced_file(path) as file:
        blocks = segment_blocks(inputs, names, numbers, counting)
        file.writelines(piece.encode() for piece in chain([head], blocks, [tail]))


def _check_page(path: object, title: object, language_pair: str | None) -> None:
    """Raise an error if no page of this title and these languages can be written to this path."""
    if not isinstance(path, (str, os.PathLike)):
        found = f"is {type(path).__name__}"
        raise ArgumentTypeError(found, "the path of the file to write", argument="path")
    if not isinstance(title, str):
        raise ArgumentTypeError(f"is {type(title).__name__}", "a string", argument="title")
    if language_pair is not None and not re.fullmatch(r"[A-Za-z]+(-\w+)+", language_pair):
        found = f"is {language_pair!r}"
        raise ArgumentError(found, "two, such as 'en-zh'", argument="language_pair")


def _others(
    metrics: Sequence[str], of_metrics: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[Metric[Any], dict[str, Any]]]:
    """Return the metrics but BLEU, with the options of the methods of their tables."""
    known = list(map(str.lower, METRICS))
    for name, options in of_metrics.items():
        if name not in known or name == "bleu":
            raise TypeError(f"write() got an unexpected keyword argument {name!r}")
        declared = list(chain.from_iterable(group.declared for group in metric_named(name).groups))
        for option in options or ():
            with argument(f"a key of {name}"):
                checked_name(option, declared)
        if options and name not in metrics:
            found = f"is {options}, but metrics is {metrics}"
            raise ArgumentError(found, advice=f"add {name!r}", argument=name)
    others = {}
    for index, name in enumerate(metrics):
        with argument("metrics", index):
            checked_name(name, known)
        if name != "bleu":
            others[name] = metric_named(name).of_options(**(of_metrics.get(name) or {}))
    return others


def _signature(
    tables: Mapping[str, CountTable], options: Mapping[str, Any], **drawn: int | str | None
) -> MetricSignature:
    """Return the signature of scores and their test."""
    known = common(((name,), table.signature) for name, table in tables.items())
    table = next(iter(tables.values()))
    score = table.of(table.sum().array, known).score(**options)
    return MetricSignature(score.signature, **drawn)


def _page(title: str, signatures: list[str], languages: str, results: _Results) -> list[str]:
    """Fill in the template; return the parts before and after the data of segments."""
    ranking = results.rankings[0]
    segments = results.differences.scores.shape[1]
    style, script = _template("page.css"), _template("page.js")
    lower = [direction_notes(each.metric, each.higher_is_better) for each in results.rankings]
    page = Template(_template("page.html")).substitute(
        policy=f"default-src 'none'; script-src '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'",
        version=__version__,
        title=safe_html(title),
        languages=languages,
        metric=ranking.metric,
        about=f"{len(results.names)} systems, {segments:,} segment{'' if segments == 1 else 's'}",
        verdict=_verdict(results),
        findings="".join(f"<li>{sentence}</li>\n" for sentence in _findings(results)),
        chart=_score_chart(ranking),
        borderline=_borderline(ranking),
        drawn=results.drawn,
        confidence=_confidence(ranking),
        level=f"{ranking.level:g}",
        lower="".join(f"{note}. " for note in chain.from_iterable(lower)),
        ranking="".join(map(_scores, results.rankings, repeat(ranking.order))),
        signatures=" ".join(f"<code>{safe_html(signature)}</code>" for signature in signatures),
        precisions=_boxed(_precisions(results), "Precisions and lengths"),
        groups="".join(map(_groups, results.buckets)),
        style=style,
        script=script,
    )
    return page.split("<!-- data -->")


def _score_chart(ranking: Ranking) -> str:
    """Draw scores as SVG, one row per system, best at the top; the style sheet sets the colors.

    Empty dots are significantly worse than the best system; dashed lines separate clusters.
    """
    systems = ranking.order.tolist()
    clusters = ranking.clusters()
    is_worse = ranking.significant[:, systems[0]]
    ends = np.array([ranking.lower, ranking.scores, ranking.upper], float)  # (3, systems)
    step = _step(float(ends.max() - ends.min()))
    first, last = np.floor(ends.min() / step), np.ceil(ends.max() / step)
    ticks = step * np.arange(first, last + 1)
    left = ticks[0]
    width = max(float(ticks[-1] - left), step)
    scale = (_RIGHT - _LEFT) / width
    ends_x = _LEFT + scale * (ends - left)
    ticks_x = _LEFT + scale * (ticks - left)
    bottom = _ROW * len(systems) + 4
    parts = []
    for tick, x in zip(ticks.tolist(), ticks_x.tolist(), strict=True):
        parts.append(f'<path class="grid" d="M{x:.1f} 0V{bottom}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 15}">{100 * tick:g}</text>')
    for row, system in enumerate(systems):
        y = _ROW * row + 13
        name = str(ranking.names[system])
        shown = safe_html(shortened_name(name, _MOST_COLUMNS))
        kind = "worse" if is_worse[system] else "dot"
        low, x, high = ends_x[:, system].tolist()
        title = safe_html(escaped_name(name))
        score = f"{100 * ranking.scores[system]:.1f}"
        if row and clusters[system] != clusters[systems[row - 1]]:
            parts.append(f'<path class="border" d="M0 {y - 11}H{_WIDTH}"/>')
        parts += [
            f'<text class="system" x="{_NAMES}" y="{y + 4}">{shown}<title>{title}</title></text>',
            f'<path class="interval" d="M{low:.1f} {y}H{high:.1f}"/>',
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y}" r="5"/>',
            f'<text class="number" x="{_WIDTH}" y="{y + 4}">{score}</text>',
        ]
    box = f'viewBox="0 0 {_WIDTH} {bottom + 20}"'
    label = f'role="img" aria-label="{ranking.metric} of each system with its interval"'
    return f'<svg class="chart" {box} {label}>{"".join(parts)}</svg>'


def _step(width: float) -> float:
    """Return the distance of about five ticks: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(max(width, 1e-4) / 5))
    times = next(times for times in (1, 2, 5, 10) if width <= 5 * power * times)
    return float(power * times)


def _template(name: str) -> str:
    return (files("vecbleu.report") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash that allows an element with this text in the page's security policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _name(name: object) -> str:
    return f'<bdi class="name">{safe_html(str(name))}</bdi>'


def _confidence(ranking: Ranking) -> str:
    return f"{100 * (ranking.confidence_level or 0):g}%"


def _boxed(table: Table, title: str, **options: Any) -> str:
    """Return a table in a box that scrolls if it is too wide."""
    name = f'role="region" aria-label="{safe_html(title)}" tabindex="0"'
    shown = table._replace(title=title, notes=()).to_html(css_class="numbers", **options)
    return f'<div class="scroll" {name}>{shown}</div>'


def _tests(rankings: Sequence[Ranking], system: int, other: int) -> str:
    """Return the differences of two systems with their intervals and p-values."""
    tests = []
    for ranking in rankings:
        matrices = ranking.differences, ranking.difference_lower, ranking.difference_upper
        gain, least, most = map(points, np.array(matrices, float)[:, system, other].tolist())
        (text,) = p_texts(ranking, ([system], [other]))
        interval = f"{_confidence(ranking)} interval {least} to {most}"
        tests.append(f"{gain} {ranking.metric} ({interval}, {p_phrase(text)})")
    return "; ".join(tests)


def _verdict(results: _Results) -> str:
    """Return a sentence on the best two systems, as HTML."""
    ranking = results.rankings[0]
    said = verdict(results.rankings, list(map(_name, ranking.names)), *ranking.order[:2].tolist())
    # The names are markup.
    return f"{said.replace('(p <', '(p &lt;')}."


def _borderline(ranking: Ranking) -> str:
    """Name the systems that may be worse than the best, as HTML; nothing if there is none."""
    best, *others = ranking.order.tolist()
    is_borderline = ranking.borderline[best]
    names = [_name(ranking.names[system]) for system in others if is_borderline[system]]
    return f" Borderline, so not significantly worse: {', '.join(names)}." if names else ""


def _findings(results: _Results) -> Iterator[str]:
    """Yield sentences on the best systems, as HTML."""
    ranking = results.rankings[0]
    differences = results.differences
    best, second = map(_name, results.names[:2])
    first, *worse = ranking.order.tolist()
    is_tied = ~ranking.significant[first]
    tied = [ranking.names[system] for system in worse if is_tied[system]]
    more = f" and {len(tied) - 5} more" if len(tied) > 5 else ""
    by = f" by {ranking.metric}" if len(results.rankings) > 1 else ""
    if len(tied) == len(worse) > 1:
        yield f"No system is significantly worse than {best}{by}."
    elif worse[1:]:
        if tied:
            names = ", ".join(map(_name, tied[:5]))
            yield f"Not significantly worse than {best}{by}: {names}{more}."
        yield f"All others are significantly worse than {best}{by}."
    for buckets in results.buckets:
        yield from _where(buckets, ranking.higher_is_better, best, second)
    for name, score in zip((best, second), results.scores, strict=False):
        taken = f"the brevity penalty takes {100 * (1 - score.brevity_penalty):.2g}% of its BLEU"
        penalty = taken if score.brevity_penalty < 1 else "its BLEU has no brevity penalty"
        yield f"{name} is {100 * score.ratio:.1f}% as long as the references: {penalty}."
    for number, (system, other) in enumerate((results.names[:2], results.names[1::-1]), 1):
        listed = ngrams_between(results.ngrams, "match", system, other)
        if phrases := ", ".join(_phrase(row, number) for row in listed):
            yield f"N-grams that {_name(system)} matches more often than {_name(other)}: {phrases}."
    segments = {"ahead of": differences.losses(1), "behind": differences.gains(1)}
    for direction, largest in segments.items():
        rows = (largest[:_LINKS] + 1).tolist()
        if links := ", ".join(_link(f"segment {segment}", segment=segment) for segment in rows):
            yield f"{best} is farthest {direction} {second} at {links}."


def _link(text: str, **shown: object) -> str:
    """Return a link that shows something of the best two systems, to be read by the script."""
    address = urlencode({"first": 1, "second": 2, **shown}, errors="replace")
    return f'<a href="#{safe_html(address)}">{safe_html(text)}</a>'


def _phrase(row: NgramDifference, number: int) -> str:
    """Return an n-gram with its counts, linked to the segments in which this system has more."""
    phrase = " ".join(map(str, row.ngram))
    counts = "{} against {}".format(*row.counts)
    return f"<q>{_link(phrase, ngram=f'match/{number}/{phrase}')}</q> ({counts})"


def _where(buckets: Buckets, higher_is_better: bool, best: str, second: str) -> Iterator[str]:
    """Yield a sentence on the groups in which the best system gains most and least."""
    gained = gains(buckets.scores[0] - buckets.scores[1], higher_is_better)
    sizes = buckets.sizes.tolist()
    unit = " tokens" if buckets.by == "ref_len" else ""
    large = [group for group, size in enumerate(sizes) if size >= _FEWEST_SEGMENTS]
    large.sort(key=lambda group: -gained[group])
    ends = large[:1] + large[-1:]
    if len(large) < 2 or gained[ends[0]] == gained[ends[1]]:
        return
    most, least = (
        f"<bdi>{_link(str(buckets.labels[group]), **{f'by {buckets.by}': group})}</bdi>{unit} "
        f"({points(gained[group])} points, {sizes[group]} segments)"
        for group in ends
    )
    by = "length" if unit else safe_html(buckets.by)
    yield f"By {by}, {best} gains most over {second} on {most}, and least on {least}."


def _scores(ranking: Ranking, rows: Int64) -> str:
    """Return the table of a metric, as HTML; what decides is first, for narrow windows.

    Lines separate clusters, where every system above is better than every system below.
    """
    _, system, score, low, high, cluster, *tests = ranking.table(rows).columns
    clusters = ranking.clusters()[rows]
    ends = [row for row in range(1, len(rows)) if max(clusters[:row]) < min(clusters[row:])]
    bounds = [column._replace(title=f"score {column.title}") for column in (low, high)]
    table = Table([system, score, *tests, cluster, *bounds])
    boxed = _boxed(table, f"{ranking.metric} of each system", rules=ends)
    # On one line, such a p-value would push columns out of view.
    return boxed.replace(", borderline</td>", ", <br><small>borderline</small></td>")


def _groups(buckets: Buckets) -> str:
    """Return the table of groups, as HTML, and what a reader must know."""
    table = buckets.table()
    notes = "; ".join(table.notes)
    shown = _boxed(table, f"{buckets.metric} by {buckets.by}")
    return f'{shown}<p class="soft">{safe_html(notes)}.</p>'


def _precisions(results: _Results) -> Table:
    """Return a table of the precisions and lengths of each system."""
    scores = results.scores
    orders = zip(*(score.precisions for score in scores), strict=True)
    columns = [
        Column("system", results.names),
        *(Column(f"{n}-gram", values, "score") for n, values in enumerate(orders, 1)),
        Column("brevity penalty", [score.brevity_penalty for score in scores], "number"),
        Column("tokens", [f"{score.hyp_len:,}" for score in scores], "count"),
        Column("reference tokens", [f"{score.ref_len:,}" for score in scores], "count"),
        Column("ratio", [score.ratio for score in scores], "number"),
    ]
    return Table(columns)


def _numbers(results: _Results, best: Statistics, lowercase: bool) -> dict[str, object]:
    """Return names, tests, and numbers to sort and filter by, for the script."""
    ranking = results.rankings[0]
    order = ranking.order.tolist()
    return {
        "metric": ranking.metric,
        "higherIsBetter": ranking.higher_is_better,
        "names": list(map(escaped_name, results.names)),
        "tests": [[_tests(results.rankings, row, other) for other in order] for row in order],
        "maxOrder": best.max_order,
        "lowercase": lowercase,
        "lengths": best.ref_len.tolist(),
        "groupings": [
            (
                buckets.by,
                [escaped_name(str(label)) for label in buckets.labels],
                buckets.groups,
                buckets.largest,
            )
            for buckets in results.buckets
        ],
        "scores": np.round(100 * results.differences.scores, 3),
    }
