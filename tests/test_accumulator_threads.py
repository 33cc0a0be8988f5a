"""Accumulators under threads and forks: no update is lost, and nothing waits for ever."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracle import counted_parts

import vecbleu
from vecbleu import Accumulator

HYPOTHESES, REFERENCES = ["a b c d e", "the"], ["a b c d f", "the cat"]
ROWS = vecbleu.statistics(HYPOTHESES, REFERENCES)


@pytest.fixture
def many_switches():
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(*actions):
    """Do all of them at the same time; an error of one is raised."""
    with ThreadPoolExecutor(len(actions)) as executor:
        for future in [*map(executor.submit, actions)]:
            future.result()


def check(accumulator, updates):
    expected = [2 * updates, *(updates * ROWS.sum().array).tolist()]
    assert accumulator.state.tolist() == expected
    whole = vecbleu.corpus_bleu(HYPOTHESES * updates, REFERENCES * updates)
    assert counted_parts(accumulator.compute()) == counted_parts(whole)


@pytest.mark.usefixtures("many_switches")
def test_no_update_is_lost():
    accumulator = Accumulator()
    torn = []

    def update():
        for _ in range(100):
            accumulator.update(HYPOTHESES, REFERENCES)

    def read():
        for _ in range(200):
            state = pickle.loads(pickle.dumps(accumulator)).state, accumulator.state
            torn.extend(one for one in state if one[0] * 3 != one[1])  # three tokens a segment

    in_threads(*[update] * 6, *[read] * 2)
    check(accumulator, 600)
    assert not torn


@pytest.mark.usefixtures("many_switches")
def test_merges_lose_nothing_and_end():
    parts = [Accumulator() for _ in range(8)]
    whole = Accumulator()
    for part in parts:
        part.update(HYPOTHESES, REFERENCES)
    in_threads(*(lambda part=part: [whole.merge(part) for _ in range(300)] for part in parts))
    check(whole, 2400)
    # What two add to each other depends on their turns, but they come to an end.
    one, other = parts[:2]
    crossed = [(one, other), (other, one)] * 2
    in_threads(*(lambda pair=pair: [pair[0].merge(pair[1]) for _ in range(9)] for pair in crossed))
    assert one.state[0] * 3 == one.state[1]


def test_copies_have_counts_of_their_own():
    one = Accumulator()
    one.update(HYPOTHESES, REFERENCES)
    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        other.update(HYPOTHESES, REFERENCES)
        check(other, 2)
    one.merge(one)
    check(one, 2)


@pytest.mark.parametrize(
    "state", [[1, 2**62, 0, 0, 2**62], [1, 0, 2**62, 0, 0], [2**62, 0, 0, 0, 0]]
)
def test_sums_beyond_int64_are_errors(state):
    accumulator = Accumulator(max_order=1)
    accumulator.state = state
    most = np.iinfo(np.int64).max
    with pytest.raises(OverflowError, match=f"more than {most}.*, the most of int64"):
        accumulator.merge(accumulator)
    assert accumulator.state.tolist() == state
