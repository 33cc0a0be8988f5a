"""How much makes a block, and how work is estimated before it is counted."""

from __future__ import annotations

# Characters or tokens, both sides together, that make a block. Within a factor of 2 around these
# the time does not change; smaller blocks pay NumPy's overhead, larger ones leave the cache.
BLOCK_CHARACTERS = 1 << 20
BLOCK_TOKENS = 1 << 17

# Bytes read from each file at a time: of two files, as much as a block of strings.
FILE_BLOCK_BYTES = 1 << 19

# Segments that are looked at before it is known how long they are.
FIRST_SEGMENTS = 1 << 10

# Hypotheses whose lengths tell about those of all.
SAMPLE = 100

CHARACTERS_A_TOKEN = 6

# Of one process, about.
SECONDS_A_TOKEN = 1e-7
