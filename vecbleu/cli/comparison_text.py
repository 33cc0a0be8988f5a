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
        yield from _segments(pair, [letters[name] for name in own], titles, found["rank"], options)
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
    rank: str,
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
            yield _scores(segment, rank, options.width)
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
    # Groups of each system's own have different segments, whose scores can't be subtracted.
    has_difference = len(letters) == 2 and isinstance(groups[-1]["segments"], int)
    difference = f"{letters[1 - base]} - {letters[base]}" if has_difference else ""
    header = "".join(f"{title:>{cell}}" for title in [*letters, *filter(None, [difference])])
    sizes = [_sizes(group["segments"]) for group in groups]
    is_each = any("/" in size for size in sizes)  # system has segments of its own
    segments = f"segments {'/'.join(letters)}" if is_each else "segments"
    right = max(10, *(len(size) + 2 for size in [segments, *sizes]))
    yield f"{aligned(found['by'], left)}{header}{segments:>{right}}"
    for label, group, size in zip(labels, groups, sizes, strict=True):
        scores = group["scores"]
        cells = "".join(_score(score, cell, width) for score in scores)
        if has_difference:
            # Rounded first, and no zero below zero.
            gain = round(scores[1 - base] - scores[base], width) + 0.0
            cells += f"{gain:+{cell}.{width}f}"
        yield f"{aligned(label, left)}{cells}{size:>{right}}"


def _score(score: float | None, cell: int, width: int) -> str:
    """A score in its column; nothing for a system without segments of the group."""
    return f"{'' if score is None else f'{score:.{width}f}':>{cell}}"


def _sizes(segments: int | list[int]) -> str:
    """The number of segments of a group, or that of each system."""
    return "/".join(map(str, segments)) if isinstance(segments, list) else str(segments)


def _scores(segment: dict[str, Any], rank: str, width: int) -> str:
    """A line number with what the segment does to the corpus score, and both sentence scores."""
    one, other = segment["scores"]
    # Of a long test set, a segment changes the score by less than any number of places shows.
    corpus = f"corpus {segment['change']:+.{width + 1}g}"
    sentence = f"sentence {one:.{width}f} -> {other:.{width}f} ({other - one:+.{width}f})"
    order = (corpus, sentence) if rank == "corpus" else (sentence, corpus)
    return f"line {segment['line']}: {', '.join(order)}"


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
