"""What systems are called: their files, without the parts that all of them share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

# Both separators of Windows; a backslash is a letter elsewhere.
_SEPARATORS = re.escape(os.sep + (os.altsep or ""))


def display_names(paths: Sequence[str]) -> list[str]:
    """Names of files without common folders and suffixes, as long as they differ.

    - Leading folders and trailing parts that all paths have are left out: `runs/a/out.txt` and
      `runs/b/out.txt` are `a` and `b`.
    - Of what remains, so are parts between dots that all have: `test.en-de.one.txt` and
      `test.en-de.two.txt` are `one` and `two`. Digits after a dot stay with what is before it.
    - A single file is called by its name. A step after which a name would be empty, or two names
      the same, is left out.
    """
    if len(paths) == 1:
        return [os.path.basename(paths[0]) or paths[0]]
    names = [*paths]
    for shorten in (_without_folders, _without_suffixes, _without_prefixes):
        shorter = shorten(names)
        if all(shorter) and len({*shorter}) == len({*paths}):
            names = shorter
    return names


def _without_folders(paths: Sequence[str]) -> list[str]:
    """The parts of paths between those that all begin with and those that all end with."""
    pattern = f"[{_SEPARATORS}]"
    parts = [
        [part for part in re.split(pattern, path) if part not in ("", os.curdir)] for path in paths
    ]
    first = _common(parts)
    parts = [one[first:] for one in parts]
    last = _common([one[::-1] for one in parts])
    # A root is no part, and absolute paths need it.
    if first == 0 and any(path[:1] in (os.sep, os.altsep) for path in paths):
        return [*paths]
    return [os.sep.join(one[: len(one) - last]) for one in parts]


def _without_suffixes(names: Sequence[str]) -> list[str]:
    """Names without the last parts that all have, such as .txt.gz; numbers are no suffixes."""
    return _last_parts_changed(names, _cut_suffixes)


def _cut_suffixes(parts: list[list[str]]) -> list[list[str]]:
    last = _common([one[:0:-1] for one in parts])
    while last and parts[0][-last].isdigit():
        last -= 1
    return [one[: len(one) - last] for one in parts]


def _without_prefixes(names: Sequence[str]) -> list[str]:
    """Names without the first parts that all have, unless digits would come first."""
    return _last_parts_changed(names, _cut_prefixes)


def _cut_prefixes(parts: list[list[str]]) -> list[list[str]]:
    first = _common([one[:-1] for one in parts])
    shorter = [one[first:] for one in parts]
    return parts if any(one[0][:1].isdigit() for one in shorter) else shorter


def _last_parts_changed(
    names: Sequence[str], change: Callable[[list[list[str]]], list[list[str]]]
) -> list[str]:
    """Change the parts between dots of the files' names."""
    pairs = [os.path.split(name) for name in names]
    changed = change([name.split(".") for _, name in pairs])
    return [
        os.path.join(folder, ".".join(one)) if all(one) else ""
        for (folder, _), one in zip(pairs, changed, strict=True)
    ]


def _common(rows: Sequence[Sequence[str]]) -> int:
    """How many first parts all rows have in common."""
    count = 0
    for column in zip(*rows, strict=False):
        if len({*column}) > 1:
            break
        count += 1
    return count
