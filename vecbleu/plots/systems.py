"""What pictures show: systems by name, their scores and intervals."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from vecbleu.results import BleuScore, score_rows
from vecbleu.significance import Comparison, Interval, bootstrap, paired_bootstrap
from vecbleu.significance.scoring import (
    Floats,
    ScoreOptions,
    Systems,
    formula_of,
    table_of,
    tables_of,
)
from vecbleu.statistics import Statistics

# What no font shows: control characters, surrogates, ends of lines; and what XML can't hold.
_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_NO_XML = "\ufffe\uffff"


def titles(names: Iterable[Any]) -> list[str]:
    """What a picture calls systems, all of which differ."""
    words = [*map(str, names)]
    for place, word in enumerate(words):
        if word in words[:place]:
            raise ValueError(f"two systems are called {word!r}")
    return [*map(visible, words)]


def visible(word: str) -> str:
    """A word on one line, with the replacement character for what can't be drawn."""
    return "".join(
        "\ufffd" if unicodedata.category(letter) in _UNSEEN or letter in _NO_XML else letter
        for letter in word
    )


def by_name(systems: Systems | Statistics) -> dict[str, Statistics]:
    """Checked systems by name; a single one has none."""
    if isinstance(systems, Statistics):
        table_of(systems)
        return {"": systems}
    names, _ = tables_of(systems, least=1)
    each = systems.values() if isinstance(systems, Mapping) else systems
    return dict(zip(names, each, strict=True))


def scores_of(
    systems: Systems | Statistics, options: ScoreOptions
) -> tuple[list[str], list[BleuScore]]:
    """Names of systems, and their scores."""
    named = by_name(systems)
    (max_order,) = {one.max_order for one in named.values()}
    formula = formula_of(max_order, options)
    scores = [next(score_rows(one.sum()[None], formula)) for one in named.values()]
    return titles(named), scores


def tested(
    systems: Any, asked: dict[str, Any], score: ScoreOptions
) -> Comparison | Mapping[str, Interval]:
    """Intervals, computed unless they are there."""
    if isinstance(systems, Interval):
        systems = {"": systems}
    intervals = isinstance(systems, Mapping) and any(
        isinstance(one, Interval) for one in systems.values()
    )
    if not intervals and not isinstance(systems, Comparison):
        named = by_name(systems)
        if len(named) > 1:  # which draws once for all of them
            return paired_bootstrap(named, **asked, **score)
        return {name: bootstrap(one, **asked, **score) for name, one in named.items()}
    refuse(score, **dict.fromkeys(asked, True))
    for name, one in systems.items() if intervals else ():
        if not isinstance(one, Interval):
            raise TypeError(f"systems[{name!r}] is {type(one).__name__}, expected Interval")
    found: Comparison | Mapping[str, Interval] = systems
    return found


def intervals_of(found: Comparison | Mapping[str, Interval]) -> tuple[list[str], Floats, float]:
    """Names; scores, lower and upper ends (3, systems) on 0 to 1; the level of all."""
    if isinstance(found, Comparison):
        if found.lower is None or found.upper is None:
            raise ValueError("the comparison has no intervals; paired_bootstrap's has")
        ends = np.stack([found.scores, found.lower, found.upper])
        return titles(found.names), ends, 0.95
    levels = sorted({one.level for one in found.values()})
    if len(levels) > 1:
        raise ValueError(f"intervals have the levels {levels}, expected one level")
    ends = np.array([[one.score, one.lower, one.upper] for one in found.values()]).T
    return titles(found), ends, levels[0]


def refuse(score: ScoreOptions, **given: bool) -> None:
    """TypeError where something is asked for that has been decided already."""
    names = [*score, *(name for name, is_given in given.items() if is_given)]
    if names:
        raise TypeError(f"{names[0]} is for statistics, and these are results")
