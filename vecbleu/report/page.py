"""Write the page: verdict, chart, tables and segments, in a template."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain, product
from string import Template
from typing import Any, NamedTuple, Unpack

import numpy as np

from vecbleu._version import __version__
from vecbleu.analysis import Buckets, Differences, score_buckets, segment_differences
from vecbleu.analysis.ngrams import NgramDifference, ngram_differences, ngrams_between
from vecbleu.core.options import Options, ReportArgs, takes
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.report.chart import score_chart
from vecbleu.report.inputs import checked_inputs
from vecbleu.report.segments import segment_blocks
from vecbleu.sacrebleu.signature import signature_of
from vecbleu.show.output import check_writable, replaced_file
from vecbleu.show.signature import common
from vecbleu.show.table import Column, Table, p_phrase, safe_html
from vecbleu.significance import Ranking, rank
from vecbleu.significance.inference import Sides
from vecbleu.significance.resampling import SEED, Rng

# Groups with fewer segments say little about where two systems differ.
_FEWEST_SEGMENTS = 20
_MOST_GROUPS = 200

# Upper bounds: linked segments in the summary, systems whose n-grams are compared with those of the
# best one, and rows of each list of n-grams.
_LINKS, _COMPARED, _NGRAMS = 8, 11, 12

_KINDS: Any = {"match": "matches more often", "over": "overuses", "under": "misses more often"}


class _Results(NamedTuple):
    """Results shown on the page; all but `ranking` have the systems in ranked order."""

    names: list[str]
    ranking: Ranking
    scores: list[BleuScore]
    buckets: list[Buckets]
    differences: Differences
    ngrams: Sequence[NgramDifference]


@takes(ReportArgs)
def write(
    path: str | os.PathLike[str],
    systems: Mapping[str, Sequence[str] | Statistics],
    references: Sequence[str | Sequence[str]] | None = None,
    *,
    source: Sequence[str] | None = None,
    labels: Iterable[Any] | None = None,
    title: str = "BLEU report",
    sides: Sides = 2,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng = SEED,
    workers: int | None = None,
    progress: bool | None = False,
    **options: Unpack[ReportArgs],
) -> None:
    """Write an HTML report: which of several systems is best, by how much and where.

    The report is a single file that needs no network. It shows scores with intervals and clusters,
    precisions and lengths, groups of segments, n-grams in which systems differ, and every segment
    with all outputs. Segments can be searched, filtered and sorted.

    Parameters
    ----------
    path : str or path
        File to write. An existing file is replaced only when the new one is complete.
    systems : dict of str to sequence of str (segments,), or to Statistics
        From 2 to 100 systems by name, with at most 100,000 segments. Pass their outputs, or their
        statistics if the text is not available.
    references : sequence (segments,) of str or sequences of str, optional
        As for `vecbleu.corpus_bleu`. Not needed if all systems are statistics.
    source : sequence of str (segments,), optional
        Source text, shown beside the references.
    labels : iterable (segments,), optional
        Group of each segment, such as a domain.
    title : str
        Heading.
    sides, n_resamples, confidence_level, rng
        Options of the paired bootstrap, as for `vecbleu.significance.rank`.
    workers, progress
        As for `vecbleu.corpus_bleu`.
    **options
        As for `vecbleu.corpus_bleu`: tokenize, lowercase, max_order, ref_length, smoothing,
        smoothing_value. Sentence scores always use smoothing "exp" and effective order.

    Raises
    ------
    TypeError, ValueError
        An argument has the wrong type, sizes differ, or there are more systems or segments than
        allowed.
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
    given: Any = {**options, "workers": workers, "progress": progress}
    counting, scoring, *_ = Options.checked(given)
    if not isinstance(title, str):
        raise TypeError(f"title is {type(title).__name__}, expected a string")
    check_writable(os.fsdecode(path))
    score: Any = {"smoothing": scoring.smoothing, "smoothing_value": scoring.smoothing_value}
    counted = {name: given[name] for name in given if name not in score}
    inputs = checked_inputs(systems, references, source, labels, counted)
    sampling: Any = {"n_resamples": n_resamples, "confidence_level": confidence_level, "rng": rng}
    ranking = rank(inputs.systems, sides=sides, progress=progress, **sampling, **score)
    names = [ranking.names[index] for index in ranking.order]
    tables = {name: inputs.systems[name] for name in names}
    inputs = inputs._replace(systems=tables)
    buckets = [score_buckets(tables, **score)]
    if inputs.labels:
        labels = [inputs.labels[group] for group in inputs.groups.tolist()]
        buckets.insert(0, score_buckets(tables, labels, **score))
    counted.pop("ref_length", None)  # which counts of n-grams do not depend on
    compared = [name for name in names if name in inputs.outputs][: 1 + _COMPARED]
    ngrams: Sequence[NgramDifference] = ()
    if names[0] in compared and len(compared) > 1:
        texts: Any = {name: inputs.outputs[name] for name in compared}
        limits: Any = {"kinds": [*_KINDS], "top": _NGRAMS}
        ngrams = ngram_differences(texts, inputs.references or [], **limits, **counted).rows
    differences = segment_differences(tables)
    scores = [table.score(**score) for table in tables.values()]
    signature = common((name, table.signature) for name, table in tables.items())
    seed = rng if isinstance(rng, int) else None
    fields = signature_of(signature, scoring, bs=n_resamples, sides=sides, seed=seed)
    quoted = f"{ranking.metric}|{fields}"
    results = _Results(names, ranking, scores, buckets, differences, ngrams)
    head, tail = _page(title, quoted, results)
    blocks = segment_blocks(inputs, ranking, differences, counting)
    with replaced_file(path) as file:
        file.writelines(piece.encode() for piece in chain([head], blocks, [tail]))


def _page(title: str, signature: str, results: _Results) -> tuple[str, str]:
    """Fill in the template; return the parts before and after the data of segments."""
    style, script = _template("page.css"), _template("page.js")
    page = Template(_template("page.html")).substitute(
        policy=f"default-src 'none'; script-src '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'",
        version=__version__,
        title=safe_html(title),
        metric=results.ranking.metric,
        about=f"{len(results.names)} systems, {results.differences.scores.shape[1]:,} segments",
        verdict=_verdict(results),
        findings="".join(f"<li>{sentence}</li>\n" for sentence in _findings(results)),
        chart=score_chart(results.ranking),
        confidence=_confidence(results.ranking),
        level=f"{results.ranking.level:g}",
        ranking=_boxed(results.ranking.table()._replace(notes=())),
        signature=safe_html(signature),
        precisions=_boxed(_precisions(results)),
        groups="".join(_boxed(buckets.table(), _MOST_GROUPS) for buckets in results.buckets),
        ngrams="".join(_ngram_lists(results)) or "<p>There are no texts to compare.</p>",
        style=style,
        script=script,
    )
    head, _, tail = page.partition("<!-- data -->")
    return head, tail


def _template(name: str) -> str:
    return (files("vecbleu.report") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash that allows an element with this text in the page's security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _name(name: Any) -> str:
    return f'<bdi class="name">{safe_html(str(name))}</bdi>'


def _confidence(ranking: Ranking) -> str:
    return f"{100 * (ranking.confidence_level or 0):g}%"


def _points(value: float, sign: str = "+") -> str:
    """Format a difference with enough digits to differ from 0.0."""
    value = 100 * value
    digits = 1 if abs(value) >= 0.095 or not value else 2 if abs(value) >= 0.0095 else 4
    return f"{value:{sign}.{digits}f}".replace("-", "−") if value else "0.0"


def _boxed(table: Table, max_rows: int | None = None) -> str:
    """Return a table in a box that scrolls if it is too wide."""
    return f'<div class="scroll" tabindex="0">{table.to_html(max_rows, css_class="numbers")}</div>'


def _verdict(results: _Results) -> str:
    """Return a sentence on which system is best, by how much, and how significantly."""
    ranking, (best, second) = results.ranking, map(_name, results.names[:2])
    first, other = ranking.order[:2].tolist()
    score, less = (f"{100 * ranking.scores[system]:.1f}" for system in (first, other))
    total = f"<strong>{score} {ranking.metric}</strong>"
    gain, p = float(ranking.differences[first, other]), float(ranking.adjusted[first, other])
    if not gain:
        return f"{best} and {second} have the same score: {total}."
    interval = f"{_confidence(ranking)} interval"
    low, high = 100 * np.array([ranking.lower, ranking.upper], float)[:, first]
    bounds = np.array([ranking.difference_lower, ranking.difference_upper], float)[:, first, other]
    least, most = (_points(bound, "") for bound in bounds.tolist())
    kind = "significant" if p < ranking.level else "<strong>not significant</strong>"
    return (
        f"{best} scores highest: {total} ({interval} {low:.1f} to {high:.1f}). It is "
        f"<strong>{_points(gain, '')} points</strong> ahead of {second} ({less}), which is {kind}: "
        f"{safe_html(p_phrase(p, ranking.level))} ({interval} of the difference {least} to {most})."
    )


def _findings(results: _Results) -> Iterator[str]:
    """Yield sentences on the best systems, as HTML."""
    ranking, differences = results.ranking, results.differences
    best, second = map(_name, results.names[:2])
    first, *worse = ranking.order.tolist()
    is_tied = ranking.adjusted[first] >= ranking.level
    tied = [ranking.names[system] for system in worse if is_tied[system]]
    more = f" and {len(tied) - 5} more" if len(tied) > 5 else ""
    if len(tied) == len(worse) > 1:
        yield f"No system is significantly worse than {best}."
    elif worse[1:]:
        if tied:
            listed = ", ".join(map(_name, tied[:5])) + more
            yield f"Not significantly worse than {best}: {listed}."
        yield f"All others are significantly worse than {best}."
    for buckets in results.buckets:
        yield from _where(buckets, best, second)
    for name, score in zip((best, second), results.scores, strict=False):
        taken = f"the brevity penalty takes {100 * (1 - score.brevity_penalty):.2g}% of its score"
        penalty = taken if score.brevity_penalty < 1 else "no brevity penalty"
        length = f"{100 * score.ratio:.1f}% as long as the references"
        yield f"{name} is {length}: {penalty}."
    against = "<q>{}</q> ({} against {})".format
    for system, other in (results.names[:2], results.names[1::-1]):
        rows = ngrams_between(results.ngrams, "match", system, other)[:4]
        if phrases := ", ".join(against(safe_html(_phrase(row)), *row.counts) for row in rows):
            yield f"N-grams that {_name(system)} matches more often than {_name(other)}: {phrases}."
    link = '<a href="#segment-{0}/0/1">segment {0}</a>'.format
    segments = {"ahead of": differences.losses(1), "behind": differences.gains(1)}
    for direction, largest in segments.items():
        if links := ", ".join(link(segment + 1) for segment in largest[:_LINKS].tolist()):
            yield f"{best} is farthest {direction} {second} at {links}."


def _where(buckets: Buckets, best: str, second: str) -> Iterator[str]:
    """Yield a sentence on the groups in which the best system gains most and least."""
    gains = buckets.scores[0] - buckets.scores[1]
    rows = zip(gains.tolist(), buckets.labels, buckets.sizes.tolist(), strict=True)
    large = sorted((row for row in rows if row[2] >= _FEWEST_SEGMENTS), key=lambda row: -row[0])
    unit, by = (" tokens", "length") if buckets.by == "ref_len" else ("", "label")
    if len(large) < 2 or large[0][0] == large[-1][0]:
        return
    most, least = (
        f"<bdi>{safe_html(str(label))}</bdi>{unit} ({_points(gain)} points, {size} segments)"
        for gain, label, size in (large[0], large[-1])
    )
    yield f"By {by}, {best} gains most over {second} on {most}, and least on {least}."


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


def _phrase(row: NgramDifference) -> str:
    return " ".join(map(str, row.ngram))


def _ngram_lists(results: _Results) -> Iterator[str]:
    """Yield lists of n-grams in which the best system differs from each other one."""
    best, *systems = results.names
    for number, system in enumerate(systems, 1):
        if not any(system in (row.more, row.less) for row in results.ngrams):
            continue
        names, lists = (best, system), []
        for kind, (more, less) in product(_KINDS, (names, names[::-1])):
            rows = ngrams_between(results.ngrams, kind, more, less)
            columns = [
                Column("n-gram", [*map(_phrase, rows)]),
                Column(more, [row.counts[0] for row in rows], "count"),
                Column(less, [row.counts[1] for row in rows], "count"),
                Column("segments", [", ".join(str(k + 1) for k in row.examples) for row in rows]),
            ]
            heading = f"<h3>{_name(more)} {_KINDS[kind]}</h3>"
            lists.append(f"<div>{heading}{_boxed(Table(columns))}</div>")
        is_open = " open" if number == 1 else ""
        yield f'<details data-pair="0/{number}"{is_open}>'
        yield f"<summary>{' and '.join(map(_name, names))}</summary>"
        yield f'<div class="lists">{"".join(lists)}</div></details>\n'
