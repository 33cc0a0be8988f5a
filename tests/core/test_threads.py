"""Worker threads, which take the place of processes where Python has no lock."""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import partial

import pytest
from corpora import random_lines, write_lines
from hypothesis import given
from hypothesis import strategies as st
from processes import needs_signals
from strategies import ugly_text
from test_parallel import mapped, numbers, processes, results_and_error, square

import vecbleu
from vecbleu.core.parallel import pool
from vecbleu.core.text.tokenizers import NAMES

_decide = pool.threads_run_at_once

BYTE_TOKENIZERS = ["13a", "none", "intl", "zh", "char"]


@pytest.fixture(autouse=True, scope="module")
def without_lock():
    """Threads share the blocks; here they only take turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "threads_run_at_once", lambda: True)
        yield


@pytest.fixture(autouse=True)
def nothing_stays():
    """A call leaves no thread behind, and starts no process."""
    pool.close_pools()
    before = {*threading.enumerate()}
    yield
    assert not processes()
    pool.close_pools()
    assert {*threading.enumerate()} <= before


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize(
    ("fails", "broken"), [((), None), ((7, 9), None), ((7,), 8), ((12,), 5), ((0,), 0), ((), 3)]
)
def test_results_and_the_first_error_come_in_order(workers, fails, broken):
    function = partial(square, fails=fails, seconds=0.002)
    found = results_and_error(mapped(function, numbers(20, broken), workers))
    assert found == results_and_error(map(function, numbers(20, broken)))


def test_blocks_are_done_at_the_same_time():
    meeting = threading.Barrier(2)  # where two blocks meet, or one waits in vain

    def meet(number):
        if number:  # the first one is done before any worker is started
            meeting.wait(10)
        return number

    assert [*mapped(meet, range(3), 3)] == [0, 1, 2]


def test_nothing_is_pickled():
    blocks = [threading.Lock() for _ in range(9)]
    assert [*mapped(id, blocks, 2)] == [*map(id, blocks)]


def test_an_abandoned_call_ends_its_threads():
    results = mapped(partial(square, seconds=0.002), numbers(50), 3)
    assert next(results) == 0
    results.close()


@needs_signals
def test_ctrl_c_ends_the_threads():
    def interrupt(number):
        if number == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return square(number, seconds=0.01)

    with pytest.raises(KeyboardInterrupt):
        [*mapped(interrupt, range(50), 3)]


def test_where_no_thread_can_be_started_all_is_done_here(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.warns(RuntimeWarning, match="can't start new thread"):
        assert [*mapped(square, range(9), 3)] == [number**2 for number in range(9)]


@pytest.mark.parametrize("tokenize", BYTE_TOKENIZERS)
@given(st.lists(ugly_text, min_size=1, max_size=30))
def test_ugly_strings(blocks_of, tokenize, strings):
    assert tokenize in NAMES
    references = [[one, other] for one, other in zip(strings[::-1], strings, strict=True)]
    count = partial(vecbleu.statistics, strings, references, tokenize=tokenize)
    with blocks_of(40):
        assert count(workers=3) == count(workers=1)


def test_files(tmp_path, blocks_of):
    paths = [tmp_path / name for name in ("hyp", "ref")]
    for seed, path in enumerate(paths):
        write_lines(path, random_lines(seed, 2000))
    with blocks_of(8000):
        counted = vecbleu.file_statistics(*paths, workers=3)
        assert counted == vecbleu.file_statistics(*paths, workers=1)
        paths[0].write_bytes(paths[0].read_bytes()[:-1] + b"\xff\n")
        with pytest.raises(ValueError, match=r"hyp.*line 2000"):
            vecbleu.file_statistics(*paths, workers=3)


def test_an_error_names_the_unit(blocks_of):
    def tokenize(text):
        return None if text == "bad" else text.split()

    strings = ["a b c"] * 500
    with blocks_of(1000), pytest.raises(TypeError, match=r"hypotheses\[500\]: tokenize returned"):
        vecbleu.statistics([*strings, "bad"], [*strings, "a"], tokenize=tokenize, workers=3)


@pytest.mark.parametrize("has_lock", [True, False])
def test_the_decision_is_the_interpreter_s(monkeypatch, has_lock):
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: has_lock, raising=False)
    assert _decide() is not has_lock
