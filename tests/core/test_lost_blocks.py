"""Blocks that are lost with their worker or by the user's executor."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from concurrent.futures import Executor, Future
from functools import partial

import numpy as np
import pytest
from corpora import random_lines, write_lines
from processes import needs_signals, process_pool
from test_parallel import processes

import vecbleu

HYPOTHESES, REFERENCES = (random_lines(seed, 4000) for seed in (1, 2))

pytestmark = pytest.mark.usefixtures("no_workers", "many_blocks")


@pytest.fixture
def files(tmp_path):
    return write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)


@needs_signals
@pytest.mark.parametrize("workers", [2, 4])
def test_blocks_of_workers_that_are_killed_are_counted_here(files, workers):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES, workers=1)
    for number in range(10):
        killer = threading.Timer(0.02 * number, kill_workers)
        killer.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert vecbleu.statistics(HYPOTHESES, REFERENCES, workers=workers) == expected
            assert vecbleu.file_statistics(*files, workers=workers) == expected
        killer.join()


def kill_workers():
    for process in processes():
        os.kill(process.pid, signal.SIGKILL)


class Unreliable(Executor):
    """Runs tasks at once, and loses some as often as it is told."""

    def __init__(self, losses, error=None):
        self.losses, self.error = losses, error or OSError("node gone")
        self.tasks = []

    def submit(self, function, /, *arguments):
        future, place = Future(), len({task for task, *_ in self.tasks} | {arguments[0]}) - 1
        self.tasks.append(arguments)
        if place == 2 and self.losses:
            self.losses -= 1
            future.set_exception(self.error)
        else:
            future.set_result(function(*arguments))
        return future


def test_what_an_executor_loses_is_submitted_again(files):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES)
    for call in (
        partial(vecbleu.statistics, HYPOTHESES, REFERENCES),
        partial(vecbleu.file_statistics, *files),
    ):
        assert call(workers=Unreliable(1)) == expected
        lost = r"lost the block that begins with .*: node gone\), tries: 2$"
        with pytest.raises(ChildProcessError, match=lost):
            call(workers=Unreliable(2))
    score = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES, workers=Unreliable(1))
    assert score.to_dict() == vecbleu.corpus_bleu(HYPOTHESES, REFERENCES).to_dict()
    scores = vecbleu.sentence_bleu(HYPOTHESES, REFERENCES, workers=Unreliable(1))
    assert np.array_equal(scores, vecbleu.sentence_bleu(HYPOTHESES, REFERENCES))


def test_no_task_that_is_submitted_again_is_the_same_as_before():
    """Dask would not run it."""
    executor = Unreliable(1)
    vecbleu.statistics(HYPOTHESES, REFERENCES, workers=executor)
    assert len({*executor.tasks}) == len(executor.tasks)
    assert len({task for task, _ in executor.tasks}) == len(executor.tasks) - 1


def test_what_is_wrong_with_the_text_is_not_tried_again(files):
    with open(files[0], "ab") as file:
        file.write(b"one more line\n")
    for call in (
        partial(vecbleu.file_statistics, *files),
        partial(vecbleu.statistics, [*HYPOTHESES, 3], [*REFERENCES, "c"]),
    ):
        executor = Unreliable(0)
        with pytest.raises((ValueError, TypeError), match=r"numbers of lines|hypotheses\[4000\]"):
            call(workers=executor)
        assert len({*executor.tasks}) == len(executor.tasks)


def die_now():
    os.kill(os.getpid(), signal.SIGKILL)


@needs_signals
def test_a_pool_that_is_broken_for_good_is_named():
    with process_pool(1) as pool:
        pool.submit(die_now)
        message = "BrokenProcessPool: .*, and the executor takes no more tasks: call again with a"
        with pytest.raises(ChildProcessError, match=message):
            vecbleu.statistics(HYPOTHESES, REFERENCES, workers=pool)


@needs_signals
@pytest.mark.parametrize("error", [TimeoutError, RuntimeError])
def test_what_a_handler_raises_is_no_error_of_an_executor(error):
    def ring(*_):
        raise error("too slow")

    stuck = Future()

    class Stuck(Executor):
        def submit(self, function, /, *arguments):
            return stuck

    # Where the error is lost, the wait ends all the same.
    timer = threading.Timer(3, stuck.set_exception, [OSError("stuck")])
    timer.start()
    handler = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(error, match=r"^too slow$"):
            vecbleu.statistics(HYPOTHESES[:9], REFERENCES[:9], workers=Stuck())
    finally:
        timer.cancel()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
