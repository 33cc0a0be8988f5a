"""Hash 64-bit values one to one."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import UInt64

# Digits of pi; ROLL and FOLD are odd. They are fixed: ids of different processes are compared.
# ROLL seeds the multipliers of n-grams, FOLD those of the 8-byte words of a long token.
_OFFSET = np.uint64(0x243F6A8885A308D3)
ROLL = np.uint64(0xA4093822299F31D1)
FOLD = np.uint64(0x082EFA98EC4E6C89)

# murmur3's 64-bit finalizer: every input bit changes every output bit with probability 1/2.
_SHIFT = np.uint64(33)
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)


def mix(values: UInt64) -> UInt64:
    """Hash 64-bit values: different values get different hashes."""
    mixed = values ^ _OFFSET
    shifted = mixed >> _SHIFT
    mixed ^= shifted
    for multiplier in (_FIRST, _SECOND):
        mixed *= multiplier
        np.right_shift(mixed, _SHIFT, out=shifted)
        mixed ^= shifted
    return mixed
