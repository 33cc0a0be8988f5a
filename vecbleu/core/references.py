"""Add and compare hashes of references; only those of one kind can be compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vecbleu.arguments.errors import ArgumentError, Line, Place, argument, place_text
from vecbleu.kernel.arrays import Int64
from vecbleu.text.references import KIND_MASK, UNKNOWN_REFERENCES
from vecbleu.text.tokens import UnitKind


def added_hashes(one: Int64, other: Int64) -> Int64:
    """Add the hashes of rows that are added; unknown unless both are known, and of one kind."""
    kind = one & KIND_MASK
    total = np.add(one & ~KIND_MASK, other & ~KIND_MASK) | kind  # of scalars, + would warn
    return np.where((kind == other & KIND_MASK) & (kind != 0), total, UNKNOWN_REFERENCES)


def summed_hash(hashes: Int64) -> Int64:
    """Return the hash of the sum of rows (S,), an array (); unknown unless all are of one kind."""
    kinds = np.unique(hashes & KIND_MASK)
    if len(kinds) != 1 or not kinds[0]:
        return np.array(UNKNOWN_REFERENCES)
    return np.array((hashes & ~KIND_MASK).sum() | kinds[0])


def check_references(hashes: Mapping[Place, Int64], of_lines: bool = False) -> None:
    """Raise ValueError if segments of systems have different references, as far as known.

    `hashes` (S,), or () for sums, are those of each system, by its place. `of_lines`: rows are
    called lines.
    """
    known: dict[int, Int64] = {}  # of each kind (S,)
    for where, own in hashes.items():
        for kind in (UnitKind.TEXT, UnitKind.STRINGS, UnitKind.INTEGERS):
            ours = np.atleast_1d(np.where(own & KIND_MASK == kind, own, UNKNOWN_REFERENCES))
            before = known.setdefault(kind, ours)
            are_known = (ours != UNKNOWN_REFERENCES) & (before != UNKNOWN_REFERENCES)
            rows = np.flatnonzero(are_known & (ours != before)).tolist()
            if not rows:
                known[kind] = np.where(before == UNKNOWN_REFERENCES, ours, before)
                continue
            at = rows[0]
            other = next(place for place, one in hashes.items() if one.flat[at] == before[at])
            index: list[int] = []
            share = ""
            if own.ndim:
                index = [Line(at + 1) if of_lines else at]
                share = f" ({len(rows)} of {len(own)} rows differ)"
            found = f"has other references than {place_text((*other, *index))}{share}"
            advice = "count all systems with the same references, in the same order"
            advice += " of segments and of references"
            with argument(*where, *index):
                raise ArgumentError(found, advice=advice)
