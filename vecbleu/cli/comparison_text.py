"""How a comparison is printed: a legend, a table of groups, and segments with their texts."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vecbleu.cli.colors import Marked
from vecbleu.cli.compare_ngrams import ngram_lines
from vecbleu.core.terminal import aligned, display_width, escaped_name


def comparison_lines(found: dict[str, Any], options: Namespace) -> Iterator[str]:
    """The lines that say the same as the JSON, with as many digits as are asked for."""
    names = found["systems"]
    letters = dict(zip(names, _letters(len(names)), strict=True))
    for name, letter in letters.items():
        baseline = " (baseline)" if name == found["baseline"] and len(names) > 2 else ""
        yield f"{letter}: {name}{baseline}"
    yield from (found["signature"], "")
    yield from _table(found, [*letters.values()], options.width)
    # Two systems stand right above; of many, the names spare looking them up.
    titles = {
        name: letter if len(names) == 2 else f"{letter} ({name})"
        for name, letter in letters.items()
    }
    for pair in found["pairs"]:
        own = pair["baseline"], pair["system"]
        yield from _segments(pair, [letters[name] for name in own], titles, options)
        for part, (winner, loser) in (("gains", own[::-1]), ("losses", own)):
            if rows := pair.get(f"ngram_{part}"):
                title = f"{titles[winner]} has more often than {titles[loser]}"
                yield from ("", f"n-grams of the references that {title}")
                yield from ngram_lines(rows, letters[winner], letters[loser])
    if "note" in found:
        yield from ("", found["note"])


def _segments(
    pair: dict[str, Any],
    letters: Sequence[str],
    titles: Mapping[str, str],
    options: Namespace,
) -> Iterator[str]:
    """The segments on which either system of a pair gains most; the letters are the pair's."""
    own = pair["baseline"], pair["system"]
    baseline, system = (titles[name] for name in own)
    parts = (
        ("gains", f"{system} gains most over {baseline}", ("worse", "better")),
        ("losses", f"{system} loses most to {baseline}", ("better", "worse")),
    )
    for part, title, marks in parts:
        if pair[part]:
            yield from ("", title)
        for segment in pair[part]:
            yield _scores(segment, options.width)
            yield from _texts(segment, letters, marks, options.no_color)


def _letters(count: int) -> list[str]:
    """A, B, ..., Z, AA, AB, ... for so many systems."""
    letters = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    names = ["", *letters]
    while len(names) <= count:
        names = ["", *letters, *(first + last for first in names[1:] for last in letters)]
    return names[1 : count + 1]


def _table(found: dict[str, Any], letters: Sequence[str], width: int) -> Iterator[str]:
    """Scores of the systems on all segments and on each group; of two, their difference, too."""
    groups = found["groups"]
    labels = [escaped_name(str(group["label"])) for group in groups]
    left = max(map(display_width, [found["by"], *labels]))
    cell = max(8, width + 6)
    base = found["systems"].index(found["baseline"])
    difference = [f"{letters[1 - base]} - {letters[base]}"] if len(letters) == 2 else []
    header = "".join(f"{title:>{cell}}" for title in [*letters, *difference])
    yield f"{aligned(found['by'], left)}{header}{'segments':>10}"
    for label, group in zip(labels, groups, strict=True):
        scores = group["scores"]
        cells = "".join(f"{score:>{cell}.{width}f}" for score in scores)
        if difference:
            # Rounded first, and no zero below zero.
            gain = round(scores[1 - base] - scores[base], width) + 0.0
            cells += f"{gain:+{cell}.{width}f}"
        yield f"{aligned(label, left)}{cells}{group['segments']:>10}"


def _scores(segment: dict[str, Any], width: int) -> str:
    """A line number with both sentence scores."""
    one, other = segment["scores"]
    gain = f"{other - one:+.{width}f}"
    return f"line {segment['line']}: {one:.{width}f} -> {other:.{width}f} ({gain})"


def _texts(
    segment: dict[str, Any], letters: Sequence[str], marks: Sequence[str], is_plain: bool
) -> Iterator[str]:
    """The texts of a segment, with the words marked in which the two systems differ."""
    if "source" in segment:
        yield f"  src: {segment['source']}"
    for text in segment.get("references", []):
        yield f"  ref: {text}"
    for letter, pieces, mark in zip(letters, segment.get("outputs", []), marks, strict=False):
        if pieces is not None:
            marked = [(text, mark if changed and not is_plain else "") for text, changed in pieces]
            yield Marked([(f"  {letter:>3}: ", ""), *marked])
