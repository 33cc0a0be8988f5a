"""What pictures show: checked systems or results, and names that can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped_name
from vecbleu.significance import Comparison, Interval
from vecbleu.significance.resampling import (
    DrawOptions,
    Rng,
    central_interval,
    draw_sums,
    generator,
)
from vecbleu.significance.systems import check_rows, checked_systems


def display_names(names: Iterable[Any]) -> list[str]:
    """Names of systems as a picture shows them; all have to differ."""
    words = [*map(str, names)]
    for place, word in enumerate(words):
        if word in words[:place]:
            raise ValueError(f"two systems are called {word!r}")
    return [*map(escaped_name, words)]


def named_systems(systems: Any) -> dict[str, Statistics]:
    """Systems as the user passed them, by name; a single one needs no name."""
    if isinstance(systems, Statistics):
        check_rows(systems)  # an error is about "statistics", not about one of several
        systems = {"": systems}
    return checked_systems(systems, least=1)


def score_options(systems: Mapping[Any, Statistics], *given: Any) -> ScoreOptions:
    """Options of one score for each system, as the user passed them."""
    return ScoreOptions.checked(next(iter(systems.values())).max_order, *given)


def sum_systems(systems: Mapping[Any, Statistics]) -> Statistics:
    """The sum of each system's segments: a row for each."""
    return Statistics.concatenate(one.sum() for one in systems.values())


def best_first(systems: Mapping[str, Statistics], options: ScoreOptions) -> Int64:
    """Indices of systems, the highest corpus score first; of equal ones, the first given."""
    scores, _ = bleu_and_percent(sum_systems(systems).array, options)
    return np.argsort(-scores, kind="stable")


def is_interval_result(systems: Any) -> bool:
    """Whether these are intervals that have been computed, and no statistics."""
    values = systems.values() if isinstance(systems, Mapping) else [systems]
    return any(isinstance(one, (Comparison, Interval)) for one in values)


def interval_ends(
    results: Comparison | Interval | Mapping[str, Interval],
) -> tuple[list[str], Float64, float]:
    """Names; scores, lower and upper bounds (3, systems) on 0 to 1; the level of all intervals."""
    if isinstance(results, Comparison):
        if results.lower is None or results.upper is None:
            raise ValueError("the comparison has no intervals; paired_bootstrap's has")
        ends = np.stack([results.scores, results.lower, results.upper])
        return display_names(results.names), ends, results.confidence_level or 0.95
    named = {"": results} if isinstance(results, Interval) else results
    for name, one in named.items():
        if not isinstance(one, Interval):
            raise TypeError(f"systems[{name!r}] is {type(one).__name__}, expected Interval")
    levels = sorted({one.confidence_level for one in named.values()})
    if len(levels) > 1:
        raise ValueError(f"intervals have the levels {levels}, expected one level")
    ends = np.array([[one.score, one.lower, one.upper] for one in named.values()]).T
    return display_names(named), ends, levels[0]


def bootstrap_draws(n_resamples: int | None, rng: Rng, progress: bool | None) -> DrawOptions:
    """The draws of a bootstrap, as the user passed them."""
    return DrawOptions("bootstrap", 1000 if n_resamples is None else n_resamples, rng, progress)


def group_ends(
    systems: Mapping[str, Statistics], groups: Int64, options: ScoreOptions, draws: DrawOptions
) -> Float64:
    """Ends of 95% intervals (2, systems, groups) on 0 to 100: segments are drawn within groups.

    The groups are numbers (segments,).
    """
    draws = draws._replace(rng=generator(draws.rng))
    return _ends([*systems.values()], groups, int(groups.max()) + 1, options, draws)


def _ends(
    systems: Sequence[Statistics],
    groups: Int64,
    size: int,
    options: ScoreOptions,
    draws: DrawOptions,
) -> Float64:
    """Ends of systems that have the same groups (segments,)."""
    ends = np.full((2, len(systems), size), np.nan)
    for group in np.unique(groups).tolist():
        sums = draw_sums([one.array[groups == group] for one in systems], draws)
        ends[:, :, group] = central_interval(bleu_and_percent(sums, options)[1], 0.95)
    return ends


def refuse_options(function: Callable[..., Any], **given: Any) -> None:
    """TypeError for an option that is not at its default: results have been computed already."""
    parameters = signature(function).parameters
    for name, value in given.items():
        default = parameters[name].default
        if type(value) is not type(default) or value != default:
            raise TypeError(f"{name} is for statistics, and these are results")
