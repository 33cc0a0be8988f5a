"""Group segments by label, such as documents or domains."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.inputs.documents import listed_labels
from vecbleu.kernel.arrays import Int64
from vecbleu.kernel.ragged import starts_of

# One label for all NaN labels, since NaN does not equal itself.
_NO_LABEL = float("nan")
_NUMBERS = float, np.datetime64, np.timedelta64
_SCALARS = np.number, np.str_, np.bool_


def label_groups(
    labels: Iterable[Hashable], segments: int, name: str = "labels"
) -> tuple[Int64, tuple[Hashable, ...]]:
    """Group by label; return groups (segments,), and labels in the order of first occurrence."""
    listed = listed_labels(labels, name)
    if len(listed) != segments:
        found = f"has {len(listed)} entries but systems have {segments} segments"
        raise ArgumentError(found, argument=name)
    numbers: dict[Hashable, int] = {}
    groups = np.empty(segments, np.int64)
    for segment, label in enumerate(listed):
        key = label.item() if isinstance(label, _SCALARS) else label
        if isinstance(key, _NUMBERS) and key != key:
            key = _NO_LABEL
        try:
            groups[segment] = numbers.setdefault(key, len(numbers))
        except TypeError as error:
            raise TypeError(f"{name}[{segment}] can't be a label: {error}") from None
    return groups, tuple(numbers)


def group_sums(array: Int64, groups: Int64) -> Int64:
    """Add up the rows of each group (groups, columns), given the group of each row (segments,)."""
    members = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups)
    sums: Int64 = np.add.reduceat(array[members], starts_of(sizes))
    return sums
