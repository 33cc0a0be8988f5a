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

from vecbleu import analysis
from vecbleu._version import __version__
from vecbleu.analysis import Buckets, Differences, NgramDifference
from vecbleu.core.options import CountArgs, Options, ReportArgs, takes
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.statistics import Statistics
from vecbleu.report.chart import score_chart
from vecbleu.report.inputs import Inputs, checked_inputs
from vecbleu.report.segments import segment_blocks
from vecbleu.sacrebleu.signature import signature_of
from vecbleu.show.output import check_writable, replaced_file
from vecbleu.show.signature import common
from vecbleu.show.table import Column, Table, p_value, safe_html
from vecbleu.significance import Ranking, rank
from vecbleu.significance.inference import Sides
from vecbleu.significance.resampling import SEED, Rng

_LEVEL = 0.05

# Groups with fewer segments say little about where two systems differ.
_FEWEST_SEGMENTS = 20
_MOST_GROUPS = 200

# Upper bounds: linked segments in the summary, systems whose n-grams are compared with those of the
# best one, and rows of each list of n-grams.
_LINKS, _COMPARED, _NGRAMS = 8, 11, 12

_KINDS: Any = {"match": "gets right more often", "over": "overuses", "under": "misses more often"}


class _Found(NamedTuple):
    """Results shown on the page; all but `ranking` have the systems in ranked order."""

    names: list[str]
    ranking: Ranking
    scores: list[BleuScore]
    buckets: list[Buckets]
    differences: Differences
    ngrams: tuple[NgramDifference, ...]


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
    >>> references = ["the cat sat on the mat", "it rained all day"]
    >>> systems = {
    ...     "one": ["the cat sat on a mat", "it rained the whole day"],
    ...     "two": ["a cat was on the mat", "it rained all day"],
    ... }
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "report.html")
    ...     write(path, systems, references, n_resamples=100)
    ...     with open(path, encoding="utf-8") as file:
    ...         print(file.readline().strip())
    <!DOCTYPE html>
    """
    checked = Options.checked({**options, "workers": workers, "progress": progress})
    counting, scoring = checked.counting, checked.scoring
    if not isinstance(title, str):
        raise TypeError(f"title is {type(title).__name__}, expected a string")
    check_writable(os.fsdecode(path))
    inputs = checked_inputs(systems, references, source, labels, counting, checked.run)
    score: Any = {"smoothing": scoring.smoothing, "smoothing_value": scoring.smoothing_value}
    draws: Any = {"n_resamples": n_resamples, "confidence_level": confidence_level, "rng": rng}
    ranking = rank(inputs.systems, sides=sides, progress=progress, **draws, **score)
    tables = {ranking.names[place]: inputs.systems[ranking.names[place]] for place in ranking.order}
    inputs = inputs._replace(systems=tables)
    buckets = [analysis.score_buckets(tables, **score)]
    if inputs.labels is not None and len({*inputs.labels}) <= _MOST_GROUPS:
        buckets.insert(0, analysis.score_buckets(tables, inputs.labels, **score))
    kinds = CountArgs.__annotations__
    counted: Any = {name: value for name, value in options.items() if name in kinds}
    ngrams = _compared(inputs, counted | {"workers": workers, "progress": progress})
    scores = [one.score(**score) for one in tables.values()]
    differences = analysis.segment_differences(tables)
    found = _Found([*tables], ranking, scores, buckets, differences, ngrams)
    signature = common((name, one.signature) for name, one in tables.items())
    seed = rng if isinstance(rng, int) else None
    quoted = f"BLEU|{signature_of(signature, scoring, bs=n_resamples, sides=sides, seed=seed)}"
    head, tail = _page(title, quoted, found)
    blocks = segment_blocks(inputs, ranking, differences, counting)
    with replaced_file(path) as file:
        file.writelines(piece.encode() for piece in chain([head], blocks, [tail]))


def _compared(inputs: Inputs, counted: Any) -> tuple[NgramDifference, ...]:
    """Compare the n-grams of the best system with those of the next ones, if there are texts."""
    shown = [name for name in inputs.systems if name in inputs.outputs][: 1 + _COMPARED]
    if inputs.references is None or len(shown) < 2 or shown[0] != next(iter(inputs.systems)):
        return ()
    texts = {name: inputs.outputs[name] for name in shown}
    counted |= {"kinds": _KINDS, "top": _NGRAMS}
    return analysis.ngram_differences(texts, inputs.references, **counted).rows


def _page(title: str, signature: str, found: _Found) -> tuple[str, str]:
    """Fill in the template; return the parts before and after the data of segments."""
    style, script = _read("page.css"), _read("page.js")
    level = found.ranking.confidence_level or 0
    page = Template(_read("page.html")).substitute(
        policy=f"default-src 'none'; script-src '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'",
        version=__version__,
        title=safe_html(title),
        about=f"{len(found.names)} systems, {found.differences.scores.shape[1]:,} segments",
        verdict=_verdict(found),
        findings="".join(f"<li>{one}</li>\n" for one in _findings(found)),
        chart=score_chart(found.ranking, _LEVEL),
        confidence=f"{100 * level:g}%",
        ranking=_shown(found.ranking.table()._replace(notes=())),
        signature=safe_html(signature),
        precisions=_shown(_precisions(found)),
        groups="".join(_shown(one.table()) for one in found.buckets),
        ngrams="".join(_ngrams(found)) or "<p>There are no texts to compare.</p>",
        style=style,
        script=script,
    )
    head, _, tail = page.partition("<!-- data -->")
    return head, tail


def _read(name: str) -> str:
    return (files("vecbleu.report") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash that allows an element with this text in the page's security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _name(name: Any) -> str:
    return f'<bdi class="name">{safe_html(str(name))}</bdi>'


def _points(value: float, sign: str = "+") -> str:
    """Format a difference with enough digits to differ from 0.0."""
    value = 100 * value
    digits = 1 if abs(value) >= 0.095 or not value else 2 if abs(value) >= 0.0095 else 4
    return f"{value:{sign}.{digits}f}".replace("-", "−") if value else "0.0"


def _shown(table: Table) -> str:
    """Return a table in a box that scrolls if it is too wide."""
    return f'<div class="scroll" tabindex="0">{table.to_html(css_class="numbers")}</div>'


def _verdict(found: _Found) -> str:
    """Return a sentence on which system is best, by how much, and how significantly."""
    ranking, (best, second) = found.ranking, [*map(_name, found.names[:2])]
    one, other = ranking.order[:2]
    score, less = (f"{100 * ranking.scores[place]:.1f}" for place in (one, other))
    gain, p = float(ranking.differences[one, other]), float(ranking.p_values[one, other])
    if not gain:
        return f"{best} and {second} have the same score: <strong>{score} BLEU</strong>."
    low, high = 100 * np.array([ranking.lower, ranking.upper], float)[:, one]
    interval = f"{100 * (ranking.confidence_level or 0):g}% interval {low:.1f} to {high:.1f}"
    kind = "significant" if p < _LEVEL else "<strong>not significant</strong>"
    return (
        f"{best} scores highest: <strong>{score} BLEU</strong> ({interval}). It is "
        f"<strong>{_points(gain, '')} points</strong> ahead of {second} ({less}), which is {kind}: "
        f"p {'' if p < 0.001 else '= '}{safe_html(p_value(p))}."
    )


def _findings(found: _Found) -> Iterator[str]:
    """Yield sentences on the best systems, as HTML."""
    ranking, (best, second) = found.ranking, [*map(_name, found.names[:2])]
    first, *others = ranking.order.tolist()
    tied = [_name(ranking.names[one]) for one in others if ranking.p_values[first, one] >= _LEVEL]
    more = f" and {len(tied) - 5} more" if len(tied) > 5 else ""
    if len(tied) == len(others) > 1:
        yield f"No system is significantly worse than {best}."
    elif others[1:]:
        if tied:
            yield f"Not significantly worse than {best}: {', '.join(tied[:5])}{more}."
        yield f"All others are significantly worse than {best}."
    for buckets in found.buckets:
        yield from _where(buckets, best, second)
    for name, score in zip((best, second), found.scores, strict=False):
        taken = f"the brevity penalty takes {100 * (1 - score.brevity_penalty):.2g}% of its score"
        penalty = taken if score.brevity_penalty < 1 else "no brevity penalty"
        yield f"{name} is {100 * score.ratio:.1f}% as long as the references: {penalty}."
    for pair in (found.names[:2], found.names[1::-1]):
        rows = [row for row in found.ngrams if row[:3] == ("match", *pair)][:4]
        against = "<q>{}</q> ({} against {})".format
        phrases = [against(safe_html(_phrase(row)), *row.counts) for row in rows]
        if rows:
            more, less = map(_name, pair)
            yield f"N-grams that {more} gets right more often than {less}: {', '.join(phrases)}."
    segments = {"ahead of": found.differences.losses(1), "behind": found.differences.gains(1)}
    for direction, places in segments.items():
        link = '<a href="#segment-{0}/0/1">segment {0}</a>'.format
        lines = [link(place + 1) for place in places[:_LINKS]]
        if lines:
            yield f"{best} is farthest {direction} {second} at {', '.join(lines)}."


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


def _precisions(found: _Found) -> Table:
    """Return a table of the precisions and lengths of each system."""
    scores = found.scores
    orders = zip(*(one.precisions for one in scores), strict=True)
    columns = [Column("system", found.names)]
    columns += [Column(f"{n}-gram", values, "score") for n, values in enumerate(orders, 1)]
    columns.append(Column("brevity penalty", [one.brevity_penalty for one in scores], "number"))
    columns.append(Column("tokens", [f"{one.hyp_len:,}" for one in scores], "count"))
    columns.append(Column("reference tokens", [f"{one.ref_len:,}" for one in scores], "count"))
    return Table([*columns, Column("ratio", [one.ratio for one in scores], "number")])


def _phrase(row: NgramDifference) -> str:
    return " ".join(map(str, row.ngram))


def _ngrams(found: _Found) -> Iterator[str]:
    """Yield lists of n-grams in which the best system differs from each other one."""
    best = found.names[0]
    others = dict.fromkeys(name for row in found.ngrams for name in row[1:3] if name != best)
    for other in others:
        lists = []
        for kind, (more, less) in product(_KINDS, ((best, other), (other, best))):
            rows = [row for row in found.ngrams if row[:3] == (kind, more, less)]
            segments = [", ".join(str(one + 1) for one in row.examples) for row in rows]
            counts = [Column(str(more), [row.counts[0] for row in rows], "count")]
            counts += [Column(str(less), [row.counts[1] for row in rows], "count")]
            phrases = Column("n-gram", [*map(_phrase, rows)])
            table = _shown(Table([phrases, *counts, Column("segments", segments)]))
            lists.append(f"<div><h3>{_name(more)} {_KINDS[kind]}</h3>{table}</div>")
        is_open = " open" if other == found.names[1] else ""
        pair = f'data-pair="0/{found.names.index(str(other))}"'
        yield f"<details {pair}{is_open}><summary>{_name(best)} and {_name(other)}</summary>"
        yield f'<div class="lists">{"".join(lists)}</div></details>\n'
