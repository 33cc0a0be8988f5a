"""Executors of users: what fails on them, and what their processes do."""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
from concurrent.futures import Executor, Future
from unittest import mock

import pytest
from corpora import random_lines, write_lines
from processes import process_pool, two_processes

import vecbleu
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source
from vecbleu.core.parallel.executors import run_pickled

HYPOTHESES, REFERENCES = (random_lines(seed, 4000) for seed in (1, 2))


@pytest.fixture(autouse=True)
def many_blocks(blocks_of):
    with blocks_of(8000):
        yield


@pytest.fixture
def files(tmp_path):
    return write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)


class Failing(Executor):
    """Runs so many tasks; does something to each of the next ones; never runs those after them."""

    def __init__(self, good, *actions):
        self.good, self.actions, self.futures = good, actions, []

    def submit(self, function, /, *arguments):
        future, number = Future(), len(self.futures) - self.good
        if number < 0:
            future.set_result(function(*arguments))
        elif number < len(self.actions):
            self.actions[number](future)
        self.futures.append(future)
        return future


def cancel(future):
    future.cancel()
    future.set_running_or_notify_cancel()


def wait(future):
    """It stays pending."""


def close(future):
    raise RuntimeError("cannot schedule new futures after shutdown")


def fail(error):
    return lambda future: future.set_exception(error)


def interrupt(future):
    future.result = mock.Mock(side_effect=KeyboardInterrupt)


@pytest.mark.parametrize(
    ("executor", "reason"),
    [
        (Failing(3, cancel), "CancelledError: "),
        (Failing(3, close), "RuntimeError: cannot schedule new futures after shutdown"),
        (Failing(3, wait, close), "RuntimeError: cannot schedule new futures after shutdown"),
        (Failing(3, fail(OSError("node gone"))), "OSError: node gone"),
        (Failing(3, fail(TimeoutError())), "TimeoutError: "),
        (Failing(3, fail(ValueError("of the executor"))), "ValueError: of the executor"),
    ],
)
def test_a_block_is_lost_whatever_fails_but_its_counting(files, executor, reason):
    """The first lost block is named; what is pending is cancelled, and not waited for."""
    first_lines = [block.first for block in read_blocks([*map(Source, files)], 8000)]
    lost = f"block that begins with {files[0]}: line {first_lines[3]} ({reason})"
    with pytest.raises(ChildProcessError, match=re.escape(lost)):
        vecbleu.file_statistics(*files, executor=executor)
    assert all(future.done() for future in executor.futures)
    with pytest.raises(ChildProcessError, match=r"lost the block that begins with hypotheses\[0\]"):
        vecbleu.statistics(HYPOTHESES, REFERENCES, executor=Failing(0, *executor.actions))


@pytest.mark.parametrize("good", [0, 5])
def test_an_interrupt_cancels_the_few_blocks_that_are_pending(files, good):
    executor = Failing(good, interrupt)
    with pytest.raises(KeyboardInterrupt):
        vecbleu.file_statistics(*files, executor=executor, workers=2)
    assert len(executor.futures) == good + 6
    assert all(future.cancelled() for future in executor.futures[good:])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda path: os.utime(path, ns=(1, 1)), ValueError, "h: the file has changed while it"),
        (os.unlink, FileNotFoundError, r"No such file or directory: '.*h'"),
    ],
)
def test_errors_of_the_counting_are_its_own(files, change, error, message):
    class Late(Failing):
        def submit(self, function, /, *arguments):
            if not self.futures:
                change(files[0])
            return super().submit(function, *arguments)

    with pytest.raises(error, match=message):
        vecbleu.file_statistics(*files, executor=Late(sys.maxsize))


# Clusters that end while their parts still talk warn of it.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals here")
@pytest.mark.parametrize(("start", "goes_on"), [(process_pool, False), (two_processes, True)])
def test_a_killed_process_is_an_error_or_its_blocks_are_counted_again(files, start, goes_on):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES)
    error = None
    with start() as executor:
        pid = executor.submit(os.getpid).result()
        killer = threading.Timer(0.1, os.kill, (pid, signal.SIGKILL))
        killer.start()
        try:
            while not goes_on or killer.is_alive():
                assert vecbleu.file_statistics(*files, executor=executor) == expected
        except ChildProcessError as lost:
            error = str(lost)
        assert error is None or "lost the block that begins with" in error
        if goes_on:
            assert vecbleu.file_statistics(*files, executor=executor) == expected
        else:
            assert "BrokenProcessPool" in error


def fails_with_a_function(block):
    error = LookupError("no such thing")
    error.look = lambda: block  # which no other process can have
    raise error


def test_errors_that_can_not_travel_are_told_in_words():
    value, error = run_pickled(pickle.dumps((fails_with_a_function, None)))
    assert value is None
    assert repr(pickle.loads(pickle.dumps(error))) == "RuntimeError('LookupError: no such thing')"
