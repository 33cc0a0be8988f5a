"""What tests say of the systems in a picture."""

from __future__ import annotations

from collections.abc import Sequence

from vecbleu.core.arrays import Int64, Mask
from vecbleu.core.records import dataclass
from vecbleu.core.terminal import escaped_name
from vecbleu.significance import Ranking


@dataclass(frozen=True, slots=True)
class Marks:
    """What tests of all pairs say of systems, in their order."""

    is_close: Mask  # to the best, or the best itself
    clusters: Int64  # from 1
    level: float


def marks_of(pairs: Ranking, names: Sequence[str], level: float) -> Marks:
    """Tests as the user passed them, of the systems that are drawn."""
    if not isinstance(pairs, Ranking):
        raise TypeError(f"pairs is {type(pairs).__name__}, expected Ranking")
    if [*map(escaped_name, pairs.names)] != [*names]:
        raise ValueError(f"pairs is of the systems {pairs.names}, expected {(*names,)}")
    to_best = pairs.p_values[:, pairs.order[0]]  # NaN: of the best with itself
    return Marks(~(to_best < level), pairs.clusters(level), level)
