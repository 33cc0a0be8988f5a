"""Executors of users, and the number of cores that affinity and control groups leave."""

from __future__ import annotations

import os
import re
import signal
import threading
from concurrent.futures import Executor, Future
from unittest import mock

import pytest
from corpora import random_lines, write_lines
from processes import needs_signals, process_pool, two_processes

import vecbleu
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source
from vecbleu.core.parallel import mapping, pool

pytestmark = pytest.mark.usefixtures("many_blocks")

HYPOTHESES, REFERENCES = (random_lines(seed, 4000) for seed in (1, 2))


@pytest.fixture
def files(tmp_path):
    return write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)


class Failing(Executor):
    """Runs so many tasks; does something to each of the next ones, and the last to all others."""

    def __init__(self, good, *actions):
        self.good, self.actions, self.futures = good, actions, []

    def submit(self, function, /, *arguments):
        future, number = Future(), len(self.futures) - self.good
        if number < 0:
            future.set_result(function(*arguments))
        elif self.actions:
            self.actions[min(number, len(self.actions) - 1)](future)
        self.futures.append(future)
        return future


def cancel(future):
    future.cancel()
    future.set_running_or_notify_cancel()


close = mock.Mock(side_effect=RuntimeError("cannot schedule new futures after shutdown"))


def fail(error):
    return lambda future: future.set_exception(error)


def interrupt(future):
    future.done = mock.Mock(side_effect=KeyboardInterrupt)


@pytest.mark.parametrize(
    ("executor", "reason"),
    [
        (Failing(3, cancel), "CancelledError: "),
        (Failing(3, close), "RuntimeError: cannot schedule new futures after shutdown"),
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
        vecbleu.file_statistics(*files, workers=executor)
    assert all(future.done() for future in executor.futures)
    failing = Failing(0, *executor.actions)
    with pytest.raises(ChildProcessError, match=r"lost the block that begins with hypotheses\[0\]"):
        vecbleu.statistics(HYPOTHESES, REFERENCES, workers=failing)


@pytest.mark.parametrize("good", [0, 5])
def test_an_interrupt_cancels_the_few_blocks_that_are_pending(files, good):
    executor = Failing(good, interrupt)
    with pytest.raises(KeyboardInterrupt):
        vecbleu.file_statistics(*files, workers=executor)
    assert len(executor.futures) > good
    assert all(future.cancelled() for future in executor.futures[good:])


# Clusters that end while their parts still talk warn of it.
@pytest.mark.filterwarnings("ignore")
@needs_signals
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
                assert vecbleu.file_statistics(*files, workers=executor) == expected
        except ChildProcessError as lost:
            error = str(lost)
        assert error is None or "lost the block that begins with" in error
        if goes_on:
            assert vecbleu.file_statistics(*files, workers=executor) == expected
        else:
            assert "BrokenProcessPool" in error


CORES = 8


@pytest.fixture
def control_groups(tmp_path, monkeypatch):
    """A machine of 8 cores whose control groups are made of files and their contents."""

    def make(own, files):
        monkeypatch.setattr(mapping, "_CONTROL_GROUPS", tmp_path / "cgroup")
        monkeypatch.setattr(mapping, "_OWN_GROUP", tmp_path / "own")
        monkeypatch.setattr(os, "cpu_count", lambda: CORES)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {*range(CORES)}, raising=False)
        if own is not None:
            (tmp_path / "own").write_text(own)
        for name, content in files.items():
            path = tmp_path / "cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return make


# Groups of version 1, which are not looked at.
V1 = "4:memory:/docker/a\n3:cpu,cpuacct:/docker/a\n"


@pytest.mark.parametrize(
    ("own", "files", "expected"),
    [
        ("0::/a\n", {"a/cpu.max": "300000 100000\n"}, 3),
        ("0::/a\n", {"a/cpu.max": "max 100000\n"}, CORES),
        ("0::/a\n", {"a/cpu.max": "1600000 100000\n"}, CORES),
        ("0::/a\n", {"a/cpu.max": "250000 100000\n"}, 2),
        ("0::/a\n", {"a/cpu.max": "50000 100000\n"}, 1),
        ("0::/a\n", {"a/cpu.max": "100000 50000\n"}, 2),
        ("0::/a/b/c\n", {"a/cpu.max": "200000 100000\n", "a/b/c/cpu.max": "max 100000\n"}, 2),
        ("0::/a/b\n", {"a/cpu.max": "500000 100000\n", "a/b/cpu.max": "400000 100000\n"}, 4),
        ("0::/a\n", {"a/cpu.max": "max 100000\n", "other/cpu.max": "100000 100000\n"}, CORES),
        ("0::/\n", {"cpu.max": "300000 100000\n"}, 3),
        # In a container the own group is outside of what is mounted.
        ("0::/../../docker/a\n", {"cpu.max": "300000 100000\n"}, 3),
        ("0::/docker/a\n", {"cpu.max": "300000 100000\n"}, 3),
        (V1 + "0::/a\n", {"a/cpu.max": "200000 100000\n"}, 2),
        # Nothing is there, or nothing that can be read.
        (None, {}, CORES),
        (None, {"cpu.max": "300000 100000\n"}, CORES),
        ("0::/a\n", {}, CORES),
        (V1, {}, CORES),
        ("0::/a\n", {"a/cpu.max": "nonsense\n"}, CORES),
    ],
)
def test_quotas(control_groups, own, files, expected):
    control_groups(own, files)
    assert mapping.available_cores() == expected


def test_affinity_counts_where_there_is_one(control_groups, monkeypatch):
    control_groups("0::/a\n", {"a/cpu.max": "500000 100000\n"})
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3}, raising=False)
    assert mapping.available_cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert mapping.available_cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert mapping.available_cores() == 1


def test_the_estimate_of_work_knows_references_and_slow_tokenizers(monkeypatch):
    found = []

    def number_of_processes(workers, seconds):
        found.append(seconds)
        return 1

    monkeypatch.setattr(mapping, "number_of_processes", number_of_processes)
    lines = ["a b c d"] * 50
    for references, options in (
        (lines, {}),
        ([[one] * 9 for one in lines], {}),
        ([*zip(*[lines] * 9, strict=True)], {}),
    ):
        vecbleu.statistics(lines, references, **options)
    one, lists, tuples = found
    assert lists == tuples == pytest.approx(5 * one)
    pytest.importorskip("MeCab")
    vecbleu.statistics(lines, lines, tokenize="ja-mecab")
    assert found[-1] > 2 * one


def test_an_executor_that_gives_no_future_is_named():
    class Nothing:
        def submit(self, function, /, *arguments):
            return None

    with pytest.raises(ChildProcessError, match=r"submit\(\) of workers returned NoneType"):
        vecbleu.statistics(HYPOTHESES, REFERENCES, workers=Nothing())


def test_threads_of_a_library_that_has_replaced_them_end_in_results(monkeypatch):
    """Whatever fails in a thread that talks to a worker, its blocks are counted here."""
    expected = vecbleu.statistics(HYPOTHESES * 4, REFERENCES * 4, workers=1)
    pool.close_pools()
    monkeypatch.setattr(pool.pickle, "load", lambda stream: 1 / 0)
    with pytest.warns(RuntimeWarning, match="ZeroDivisionError"):
        assert vecbleu.statistics(HYPOTHESES * 4, REFERENCES * 4, workers=2) == expected
    monkeypatch.undo()
    assert vecbleu.statistics(HYPOTHESES * 4, REFERENCES * 4, workers=2) == expected
