"""Ids that are no tokens: padding, the end of a sequence, and whatever else is to be ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vecbleu.ragged import Ragged, checked_id, offsets_of


@dataclass(frozen=True, slots=True)
class Specials:
    """Ids that are no tokens, and one behind which nothing is."""

    ignored: tuple[int, ...] = ()  # in order, none of them twice
    eos_id: int | None = None

    def __bool__(self) -> bool:
        return bool(self.ignored) or self.eos_id is not None

    def is_token(self, units: Ragged) -> npt.NDArray[np.bool_]:
        """Which of the ids count (ids,)."""
        keep = np.ones(len(units.values), bool)
        for ignored in self.ignored:
            keep &= units.values != ignored
        if self.eos_id is not None:
            ends = units.values == self.eos_id
            before = offsets_of(ends)  # (ids + 1,), ends before each id, in all units
            keep &= before[1:] == np.repeat(before[units.offsets[:-1]], units.lengths)
        return keep

    def without(self, units: Ragged) -> Ragged:
        """The units less every id that does not count."""
        keep = self.is_token(units)
        return Ragged(units.values[keep], offsets_of(keep)[units.offsets])


NO_SPECIALS = Specials()


def checked_specials(pad_id: Any, eos_id: Any, ignore_ids: Any) -> Specials:
    """Ids that are no tokens; those that are given at all are integers."""
    several = isinstance(ignore_ids, Iterable) and getattr(ignore_ids, "ndim", 1) > 0
    if isinstance(ignore_ids, (str, bytes, Mapping)) or not several:
        found = f"{type(ignore_ids).__name__} {ignore_ids!r}"
        raise TypeError(f"ignore_ids is {found}, expected a sequence of integers")
    ignored = [checked_id(one, f"ignore_ids[{place}]") for place, one in enumerate(ignore_ids)]
    if pad_id is not None:
        ignored.append(checked_id(pad_id, "pad_id"))
    end = None if eos_id is None else checked_id(eos_id, "eos_id")
    return Specials(tuple(sorted({*ignored})), end)
