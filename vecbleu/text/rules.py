r"""Separate stops as mteval does: what ``13a``, ``zh`` and ``intl`` have in common.

Two of its regular expressions put spaces around stops (``[.,]``,
or any punctuation), depending on the digits (or any numbers) beside them::

    ([^digit])(stop)  ->  '\1 \2 '     a stop, unless a digit stands before it
    (stop)([^digit])  ->  ' \1 \2'     a stop, unless a digit stands after it

For bytes, these rules become places where text is cut. Take a run of k stops, with d = 1 if a digit
stands before it, else d = 0. A match of the first rule is two characters wide, and matches do not
overlap. So this rule separates every second stop: from the first one on if d = 0, from the second
one on if d = 1. After that, no two stops touch. The second rule separates every stop that no digit
follows. Two cases remain joined:

- one stop between two digits (k = 1, d = 1): ``2.5``;
- the last stop of a longer run and a digit after it, if k + d is even: ``a..5`` is ``a . .5``
  while ``a...5`` is ``a . . . 5``; ``1...5`` is ``1 . . .5``.

The parity is an accident of the regular expressions, but published scores depend on it. Each rule
needs a character beside the stop. If a line is not padded with spaces, its beginning and its end
therefore act like digits.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from vecbleu.kernel.arrays import Mask


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression when it is first used."""
    return re.compile(pattern)


def boundaries(alone: Mask, stop: Mask, after_number: Mask, before_number: Mask) -> Mask:
    """Mark the places to cut before, to separate stops and characters that stand alone.

    `stop` and `alone` mark these characters. `after_number` and `before_number` mark the places
    after and before a digit (for intl, any number), and the edges of an unpadded line.
    """
    cuts = alone | (stop & ~(after_number & before_number))
    boundary = cuts.copy()
    boundary[1:] |= cuts[:-1]
    last_of_run = np.flatnonzero(before_number[1:] & stop[1:] & stop[:-1]) + 1
    if last_of_run.size:
        after_stop, _ = neighbors(stop)
        run_starts = np.flatnonzero(stop & ~after_stop)
        run = np.searchsorted(run_starts, last_of_run, side="right") - 1
        starts = run_starts[run]
        size = last_of_run - starts + 1
        is_joined = (size + after_number[starts]) % 2 == 0
        joined = last_of_run[is_joined]
        boundary[joined + 1] = False
    return boundary


def neighbors(places: Mask) -> tuple[Mask, Mask]:
    """Return two masks: of the places after the given ones, and of the places before them."""
    after, before = np.zeros((2, len(places)), bool)
    after[1:] = places[:-1]
    before[:-1] = places[1:]
    return after, before
