"""Say how many draws a test takes, and what they decide.

The p-value of a test is estimated: `extreme` of `draws` are at least as extreme as the real
difference. More draws bring it closer to the p-value of all possible draws. A test goes on until
it is decided on which side of the significance level that one lies::

    draws   extreme      p   bounds             level 0.05
    1,000        37  0.038   0.018 to 0.069     undecided
    2,000        70  0.035   0.021 to 0.055     undecided
    5,000       176  0.035   0.026 to 0.047     below: the difference is significant

A p-value so close to the level that the last look does not decide it is borderline. Gandy (2009),
"Sequential implementation of Monte Carlo tests with uniformly bounded resampling risk", bounds the
same chance of a wrong decision, by a boundary that is computed draw by draw.
"""

from __future__ import annotations

import math
from typing import Literal

# Numbers of draws after which tests are looked at. The last ones take seconds.
_LOOKS = 1_000, 2_000, 5_000, *range(10_000, 100_001, 10_000)

# The first look of each test.
_FIRST = {"bootstrap": 1_000, "randomization": 10_000}

# Draws times segments at which tests stop, but not before the first look.
_MOST_SEGMENTS_DRAWN = 250_000_000

# Bounds are that many standard errors away from a p-value, and from the share of draws beyond 0, of
# which a single look takes what it sees. A p-value is outside of them once in 22 times; of any of
# 13 looks, once in 1,200. The share counts twice: without a draw, 2.5 errors are as far as 4.
_ONE_LOOK = 2.0, 0.0
_MANY_LOOKS = 4.0, 2.5

# Draws that a lower bound leaves out. Small numbers are skewed: if these draws counted, levels
# below 0.01 would be decided wrongly six times as often as others.
_SKEWED = 1.5


def looks(test: Literal["bootstrap", "randomization"], segments: int) -> list[int]:
    """Return the numbers of draws at which to look, if the user chose none."""
    first = _FIRST[test]
    most = max(min(_MOST_SEGMENTS_DRAWN // segments, _LOOKS[-1]), first)
    between = (count for count in _LOOKS if first < count < most)
    return [*dict.fromkeys([first, *between, most])]


def standard_errors(looks: int) -> tuple[float, float]:
    """Return how far away bounds are, in standard errors, by the number of looks."""
    return _ONE_LOOK if looks == 1 else _MANY_LOOKS


def p_bounds(extreme: int, draws: int, errors: float) -> tuple[float, float]:
    """Return bounds of a p-value, so many standard errors away: the interval of Wilson (1927)."""
    skewed = _SKEWED if errors else 0.0
    lower = _bound(max(extreme - skewed, 0.0), draws, -errors)
    upper = _bound(extreme, draws, errors)
    if not extreme:  # the exact bound is lower
        chance = math.erfc(errors / math.sqrt(2)) / 2
        upper = min(upper, -math.expm1(math.log(chance) / draws))
    return max(lower, 0.0), upper


def _bound(extreme: float, draws: int, errors: float) -> float:
    """Return Wilson's bound above a share, or below it if `errors` is negative."""
    square = errors**2
    margin = errors * math.sqrt(extreme * (draws - extreme) / draws + square / 4)
    return (extreme + square / 2 + margin) / (draws + square)
