"""How a comparison is printed: a legend, a table of groups, and segments with their texts."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from vecbleu.cli.colors import Marked
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
    for pair in found["pairs"]:
        baseline, system = letters[pair["baseline"]], letters[pair["system"]]
        for winner, loser, part in ((system, baseline, "gains"), (baseline, system, "losses")):
            if pair[part]:
                yield from ("", f"{winner} gains most over {loser}")
            for segment in pair[part]:
                marks = ("worse", "better") if part == "gains" else ("better", "worse")
                yield _scores(segment, found["rank"], options.width)
                yield from _texts(segment, (baseline, system), marks, options.no_color)


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
    has_difference = len(letters) == 2
    difference = f"{letters[1 - base]} - {letters[base]}" if has_difference else ""
    header = "".join(f"{title:>{cell}}" for title in [*letters, *filter(None, [difference])])
    yield f"{aligned(found['by'], left)}{header}{'segments':>10}"
    for label, group in zip(labels, groups, strict=True):
        scores = group["scores"]
        cells = "".join(f"{score:{cell}.{width}f}" for score in scores)
        if has_difference:
            # Rounded first, and no zero below zero.
            gain = round(scores[1 - base] - scores[base], width) + 0.0
            cells += f"{gain:+{cell}.{width}f}"
        yield f"{aligned(label, left)}{cells}{group['segments']:10d}"


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
