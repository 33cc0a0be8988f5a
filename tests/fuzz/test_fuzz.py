"""Each part finds nothing in a few cases, and finds that a call returns something else."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from peers import TOKENIZE

from fuzz.runner import PARTS, run_batch
from vecbleu.cli.options import DEFAULTS

pytestmark = pytest.mark.slow


def as_many_as_there_are(units, segments, max_order):
    """Matches of hypotheses that match all over."""
    return np.repeat(units.lengths[segments[:-1], None], max_order, axis=1)


# What a part calls that then returns something else, and how many batches are run.
FAULTS = {
    "tokenizers": ("fuzz.counts.TOKENIZE", TOKENIZE | {"char": str.split}, 1),
    "kernel": ("vecbleu.bleu.arrays.clipped_matches", as_many_as_there_are, 3),
    "characters": ("vecbleu.chrf.arrays.packed_matches", as_many_as_there_are, 10),
    "edits": ("vecbleu.ter.arrays.MOST_SHIFTS", 10, 1),
    "commands": ("vecbleu.cli.arguments.DEFAULTS", DEFAULTS | {"smoothing": "none"}, 5),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_finds_a_fault_and_else_nothing(part, monkeypatch):
    name, fault, batches = FAULTS[part]
    assert [*map(partial(run_batch, part, 1), range(batches))] == [[]] * batches
    monkeypatch.setattr(name, fault)
    assert any(run_batch(part, 1, batch) for batch in range(batches))
