r"""Rules about runs of stops, which mteval's tokenizers share.

Each has a pair of regular expressions for stops (``[.,]``, or all punctuation) and digits (or all
numbers), whose matches do not overlap::

    ([^digit])(stop)  ->  '\1 \2 '     a stop, unless a digit stands before it
    (stop)([^digit])  ->  ' \1 \2'     a stop, unless a digit stands after it

Here they are said as the places where a token is cut. The rules see a run of k stops, and d = 1 if
a digit stands before the run, else 0. A match of the first rule is two characters wide, so it takes
every second stop, beginning with the first one if d = 0 and with the second one if d = 1; behind it
no two stops touch. The second rule then cuts on both sides of every stop that no digit touches from
the right. What remains joined:

- one stop between two digits (k = 1, d = 1): ``2.5``;
- the last stop of a longer run and a digit behind it, if k + d is even: ``a..5`` is ``a . .5``
  while ``a...5`` is ``a . . . 5``; ``1...5`` is ``1 . . .5``.

The parity is an accident of the regular expressions, but published scores depend on it. Either rule
needs a character beside the stop: where a line is not padded with spaces, its beginning and its end
act like digits.
"""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Mask


def boundaries(alone: Mask, stop: Mask, before: Mask, after: Mask) -> Mask:
    """Mark the places that a token is cut before: both sides of what stands alone, and the stops'.

    `before` and `after` say of each place whether a digit, or the edge of an unpadded line, stands
    before and behind it.
    """
    cut = alone | (stop & ~(before & after))
    boundary = cut.copy()
    boundary[1:] |= cut[:-1]
    last_of_run = np.flatnonzero(after[1:] & stop[1:] & stop[:-1]) + 1
    if last_of_run.size:
        run_starts = np.flatnonzero(stop & ~np.concatenate([[False], stop[:-1]]))
        starts = run_starts[np.searchsorted(run_starts, last_of_run, side="right") - 1]
        joined = (last_of_run - starts + 1 + before[starts]) % 2 == 0
        boundary[last_of_run[joined] + 1] = False
    return boundary


def neighbors(places: Mask) -> tuple[Mask, Mask]:
    """Mark the places behind, and those before, the given ones."""
    behind, ahead = np.zeros_like(places), np.zeros_like(places)
    behind[1:], ahead[:-1] = places[:-1], places[1:]
    return behind, ahead
