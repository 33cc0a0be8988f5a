"""The page: data and templates made into one HTML file."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import vecbleu
from vecbleu.core.extras import import_extra
from vecbleu.core.options import (
    CountOptions,
    RefLength,
    RunOptions,
    ScoreOptions,
    Smoothing,
    Tokenize,
)
from vecbleu.core.output import check_writable, replaced_file
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.table import p_value
from vecbleu.core.terminal import escaped_name
from vecbleu.report.data import LEVEL, report_data
from vecbleu.report.inputs import Inputs
from vecbleu.report.ngrams import report_ngrams
from vecbleu.report.segments import json_text, segment_blocks
from vecbleu.significance.resampling import SEED, DrawOptions, Rng

_SCRIPTS = ("texts.js", "list.js", "segments.js", "rows.js", "controls.js", "page.js")


def write(
    path: str | os.PathLike[str],
    systems: Mapping[str, Sequence[str] | Statistics],
    references: Sequence[str | Sequence[str]] | None,
    *,
    source: Sequence[str] | None = None,
    labels: Iterable[Any] | None = None,
    title: str = "BLEU report",
    tokenize: Tokenize = "13a",
    lowercase: bool = False,
    max_order: int = 4,
    ref_length: RefLength = "closest",
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    n_resamples: int = 1000,
    rng: Rng = SEED,
    workers: int | None = None,
    progress: bool | None = False,
) -> None:
    """Write a report: which of several systems is best, by how much and where, in one HTML file.

    The file needs no network and nothing beside it. It has scores with intervals, clusters of
    systems, the tests of all pairs, precisions and lengths, groups of segments, and every segment
    with all outputs side by side, to be searched, filtered and sorted.

    Parameters
    ----------
    path : str or path
        The file to write; one that is there is replaced when the new one is complete.
    systems : dict of str to sequence of str (segments,), or to Statistics
        From 2 to 100 systems by name, with at most 100,000 segments: their outputs, or a row of
        statistics for each segment, of systems whose text is not there to be shown.
    references : sequence (segments,) of str or sequences of str, or None
        As for `vecbleu.corpus_bleu`; None if all systems are statistics.
    source : sequence of str (segments,), optional
        What was translated, to be shown beside.
    labels : iterable (segments,), optional
        The group of each segment, such as a domain.
    title : str
        The heading.
    tokenize, lowercase, max_order, ref_length, smoothing, smoothing_value
        As for `vecbleu.corpus_bleu`. Sentences have smoothing "exp" and effective order.
    n_resamples : int
        Number of resampled corpora, for intervals and tests.
    rng : numpy.random.Generator, int or None
        Generator or seed of the draws, as for `vecbleu.significance.bootstrap`.
    workers, progress
        As for `vecbleu.corpus_bleu`.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, sizes differ, or there is more than a browser can show.
    OSError
        The file can't be written.
    ImportError
        Jinja is not installed.

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
    counting = CountOptions.checked(tokenize, lowercase, max_order, ref_length)
    run = RunOptions(workers, progress)
    draws = DrawOptions("bootstrap", n_resamples, rng, progress)
    if not isinstance(title, str):
        raise TypeError(f"title is {type(title).__name__}, expected a string")
    load_extra()
    check_writable(os.fsdecode(path))
    inputs = Inputs.checked(systems, references, source, labels, counting, run)
    order = next(iter(inputs.systems.values())).max_order
    options = ScoreOptions.checked(order, None, smoothing, smoothing_value)
    write_page(path, inputs, counting, options, draws, run, title)


def load_extra() -> Any:
    """Import what makes pages; an error says what to install."""
    return import_extra("reports need", "report", "jinja2")[0]


def write_page(
    path: str | os.PathLike[str],
    inputs: Inputs,
    counting: CountOptions,
    options: ScoreOptions,
    draws: DrawOptions,
    run: RunOptions,
    title: str,
) -> None:
    """Write the report of checked inputs."""
    data = report_data(inputs, options, draws)
    blocks = segment_blocks(inputs, data, counting, run)
    parts = {
        "data": data,
        "ngrams": report_ngrams(inputs, data.ranking, counting, run),
    }
    with replaced_file(path) as file:
        for piece in _pieces(title, parts, blocks):
            file.write(piece.encode())


def _pieces(
    title: str, parts: Mapping[str, Any], blocks: Iterable[tuple[str, Any]]
) -> Iterable[str]:
    """The parts of the page, one after the other: JSON of one side at a time is in memory."""
    from markupsafe import Markup

    jinja2 = load_extra()

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("vecbleu.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["escaped_name"] = escaped_name
    environment.filters["p_text"] = p_value
    style = _read("page.css")
    script = "\n".join(["'use strict';", *map(_read, _SCRIPTS)])
    pieces: Iterable[str] = environment.get_template("page.html").generate(
        parts,
        title=escaped_name(title),
        version=vecbleu.__version__,
        policy=_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        level=LEVEL,
        blocks=((name, Markup(json_text(value))) for name, value in blocks),
    )
    return pieces


def _read(name: str) -> str:
    """A file of the package."""
    return (files("vecbleu.report") / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What a browser may run and load: this style and this script, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    """The hash of an element's text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
