"""Worker processes and executors: the same numbers whatever fails, and nothing is left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from conftest import ON_ARRAYS, blocks_of
from corpora import random_lines, write_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import needs_signals, output_of, process_pool, start_program, two_processes
from strategies import ugly_text

import vecbleu
from vecbleu.parallel import mapping, pool

pytestmark = [pytest.mark.slow, ON_ARRAYS]

HYPOTHESES, REFERENCES = (random_lines(seed, 4000) for seed in (1, 2))
EXPECTED = vecbleu.statistics(HYPOTHESES, REFERENCES, workers=1)


def count(workers=2):
    """Count for as long as a worker takes to start; all is as one process counts it."""
    with blocks_of(8000):
        counted = vecbleu.statistics(HYPOTHESES * 8, REFERENCES * 8, workers=workers)
    if not np.array_equal(counted.array, np.tile(EXPECTED.array, (8, 1))):  # -O drops assertions
        raise ValueError("counted in another way")


def parent_of(pid):
    """The parent of a worker process that runs; 0 of any other."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
        command = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return 0
    return int(parent) if state != "Z" and "vecbleu" in command and "serve" in command else 0


def workers_of():
    """The worker processes of this one that run."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system has no /proc to look for processes in")
    pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return {pid for pid in pids if parent_of(pid) == os.getpid()}


def comes_true(condition):
    """Within some seconds."""
    return any(condition() or time.sleep(0.01) for _ in range(1000))


@pytest.fixture(autouse=True)
def many_blocks_and_no_workers():
    """Some ten blocks of the files below; no worker processes before or after a test."""
    pool.close_pools()
    with blocks_of(8000):
        yield
    pool.close_pools()


@pytest.fixture
def files(tmp_path):
    return write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)


@pytest.fixture(params=["processes", "threads"])
def kind(request, monkeypatch):
    """Workers are threads where Python has no lock; here these only take turns."""
    if request.param == "threads":
        monkeypatch.setattr(pool, "threads_run_at_once", lambda: True)
    before = {*threading.enumerate()}
    yield request.param
    if request.param == "threads":
        assert not workers_of()
    pool.close_pools()
    assert {*threading.enumerate()} <= before


# What is counted, and in which order it comes.


@pytest.mark.parametrize("tokenize", ["13a", "char"])
def test_ugly_strings_reach_workers_as_they_are(kind, tokenize):
    @settings(max_examples=10)
    @given(st.lists(ugly_text, min_size=20, max_size=60))
    def check(strings):
        counted = partial(vecbleu.statistics, strings, strings[::-1], tokenize=tokenize)
        with blocks_of(20):
            assert counted(workers=3) == counted(workers=1)

    check()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_first_error_is_the_one_that_is_raised(kind, files, workers):
    for places in ((4000,), (1, 4000), (3500, 3501)):
        lines = [*map(str.encode, HYPOTHESES)]
        for place in places:
            lines[place - 1] = b"\xff"
        files[0].write_bytes(b"\n".join(lines))
        with pytest.raises(ValueError, match=rf"h: line {places[0]} "):
            vecbleu.file_statistics(*files, workers=workers)
        assert not workers_of()


# When workers start and end.


def test_processes_are_as_many_as_are_asked_for_or_pay(monkeypatch):
    vecbleu.statistics(HYPOTHESES, REFERENCES)  # too little work
    with blocks_of(10**7):
        vecbleu.statistics(HYPOTHESES, REFERENCES, workers=9)  # a single block
    assert not workers_of()
    for workers in (1, 2, 4, 3, 2):
        count(workers)
        assert min(1, workers - 1) <= len(workers_of()) < workers
    pool.close_pools()
    monkeypatch.setattr(mapping, "available_cores", lambda: 2)
    monkeypatch.setattr(mapping, "_WORTH_SHARING", 0.001)
    count(None)
    assert len(workers_of()) == 1
    with process_pool(1) as executor:  # whose process starts none
        assert executor.submit(mapping.number_of_processes, None, 1e9).result() == 1


@needs_signals
def test_a_worker_serves_one_call_after_the_other():
    count()
    (first,) = workers_of()
    count()
    assert workers_of() == {first}
    with ThreadPoolExecutor(2) as threads:  # one call at a time
        [*threads.map(count, (2, 2))]
    assert len(workers_of()) == 2
    for pid in workers_of():
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # for its last thread, which /proc hides
    count()
    (other,) = workers_of()
    assert other != first


def test_a_worker_that_is_idle_ends_and_another_call_starts_one(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(pool, "_IDLE_SECONDS", 0.1)
        count()
        assert comes_true(lambda: not workers_of())
    count()
    assert len(workers_of()) == 1
    # A program that ends waits for no other thread.
    kept = {thread for thread in threading.enumerate() if not thread.daemon}
    assert kept == {threading.main_thread()}


@needs_signals
def test_a_fork_starts_workers_of_its_own():
    code = """
        import os
        from test_processes import count, workers_of
        count()
        first = workers_of()
        child = os.fork()
        if child == 0:
            count()
            os._exit(not workers_of() or not first.isdisjoint(workers_of()))
        assert os.waitpid(child, 0)[1] == 0
        count()
        assert workers_of() == first
        print(*first)
    """
    pid = output_of(code).strip()
    assert parent_of(pid) == 0  # nor does one wait when the program has ended


@needs_signals
@pytest.mark.parametrize(
    ("end", "last_line"), [("SIGINT", "KeyboardInterrupt"), ("SIGKILL", ""), ("", "ValueError: ")]
)
def test_workers_end_with_a_program_that_is_counting(end, last_line):
    code = """
        import sys
        from test_processes import count, workers_of
        while True:
            count()
            print(*workers_of(), flush=True)
            if sys.argv[1] == "":
                raise ValueError("enough")
    """
    with start_program(code, end) as program:
        pid = int(program.stdout.readline())
        if end:
            program.send_signal(signal.Signals[end])
        _, errors = program.communicate()
    assert errors.rstrip().rpartition("\n")[2].startswith(last_line)
    assert comes_true(lambda: parent_of(pid) == 0)


@needs_signals
def test_interrupts_at_any_moment_leave_nothing_behind():
    code = """
        import random, signal, threading
        from test_processes import comes_true, count, workers_of
        from vecbleu.parallel import pool
        pool._IDLE_SECONDS = 0.1
        # Before Python 3.12, an interrupt while a class is made, at an import, is a RuntimeError.
        count(3)
        for number in range(25):
            try:
                signal.signal(signal.SIGALRM, signal.default_int_handler)
                signal.setitimer(signal.ITIMER_REAL, random.Random(number).uniform(1e-4, 0.03))
                count(3)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        comes_true(lambda: threading.active_count() == 1)
        print(len(workers_of()), threading.active_count())
    """
    assert output_of(code) == "0 1\n"


# What a worker is started as.


@pytest.mark.parametrize("entry", ["", ".", "below"])
def test_nothing_is_imported_from_a_directory_that_is_entered_later(tmp_path, entry):
    (tmp_path / "below").mkdir()
    for name in ("numpy", "vecbleu", "types", "importlib", "pickle", "warnings", "sitecustomize"):
        for folder in (tmp_path, tmp_path / "below"):
            (folder / f"{name}.py").write_text("open(__file__ + '.executed', 'w').close()")
    code = """
        import os, sys, warnings
        from test_processes import count, workers_of
        sys.path[0] = sys.argv[1]
        os.environ["PYTHONPATH"] = sys.argv[1]
        os.chdir(sys.argv[2])
        warnings.simplefilter("error")
        count()
        print(len(workers_of()))
    """
    assert output_of(code, entry, str(tmp_path)) == "1\n"
    assert [*tmp_path.rglob("*.executed")] == []


def test_workers_find_this_package_whatever_is_printed_and_on_the_path(tmp_path):
    shutil.copytree(Path(vecbleu.__file__).parent, tmp_path / "vecbleu")
    (tmp_path / "sitecustomize.py").write_text("print('hello', flush=True)")
    code = """
        import os, pathlib, sys, warnings
        sys.path[0] = sys.argv[1]
        from test_processes import count, vecbleu, workers_of
        sys.path[:] = [*filter(sys.argv[1].__ne__, sys.path), pathlib.Path("/")]
        os.chdir("/")
        warnings.simplefilter("error")
        count()
        print(len(workers_of()), vecbleu.__file__)
    """
    expected = ["hello", "1", str(tmp_path / "vecbleu" / "__init__.py")]
    assert output_of(code, str(tmp_path), PYTHONPATH=tmp_path).split() == expected


CAUSES = {  # by what the warning says of each
    "can't start": (
        threading.Thread,
        "start",
        lambda: mock.Mock(side_effect=RuntimeError("can't start")),
    ),
    "/nowhere/python": (sys, "executable", lambda: "/nowhere/python"),
    "": (sys, "executable", lambda: ""),
    "frozen": (sys, "frozen", lambda: True),
    "status 1": (sys, "executable", lambda: shutil.which("false") or pytest.skip("no `false`")),
}


@pytest.mark.parametrize("reason", CAUSES)
@pytest.mark.parametrize("workers", [None, 4])
def test_where_workers_can_not_be_started_all_is_done_here(monkeypatch, reason, workers):
    monkeypatch.setattr(mapping, "available_cores", lambda: 4)
    monkeypatch.setattr(mapping, "_WORTH_SHARING", 1e-6)
    threads = threading.active_count()
    place, name, value = CAUSES[reason]
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        patch.setattr(place, name, value(), raising=False)
        count(workers)
    assert not workers_of()
    assert threading.active_count() == threads
    assert len(warned) == (0 if workers is None else 1)
    assert all(issubclass(one.category, RuntimeWarning) for one in warned)
    messages = [str(one.message) for one in warned]
    assert all("workers is 4" in text and reason in text for text in messages)


# What is lost.


@needs_signals
def test_blocks_of_workers_that_are_killed_are_counted_here(files):
    def kill_workers():
        for pid in workers_of():
            os.kill(pid, signal.SIGKILL)

    for number in range(4):
        killer = threading.Timer(0.06 * number, kill_workers)
        killer.start()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            count(3)
            assert vecbleu.file_statistics(*files, workers=3) == EXPECTED
        killer.join()


class Failing(Executor):
    """Runs so many tasks, and does something to the future of each of the next ones."""

    def __init__(self, good, action=None):
        self.good, self.action, self.futures, self.tasks = good, action, [], []

    def submit(self, function, /, *arguments):
        future, number = Future(), len(self.futures) - self.good
        if number < 0:
            future.set_result(function(*arguments))
        elif self.action:
            self.action(future)
        self.futures.append(future)
        self.tasks.append(arguments)
        return future


def cancel(future):
    future.cancel()
    future.set_running_or_notify_cancel()


def fail(future):
    future.set_exception(OSError("node gone"))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (cancel, "CancelledError"),
        (mock.Mock(side_effect=RuntimeError("shut down")), "RuntimeError: shut down"),
        (fail, "OSError: node gone"),
        (lambda future: future.set_result([1, 2, 3]), "TypeError: a future returned list"),
    ],
)
def test_what_an_executor_loses_twice_is_named(files, action, reason):
    with pytest.raises(ChildProcessError, match=rf"hypotheses\[0\].*{reason}"):
        vecbleu.statistics(HYPOTHESES, REFERENCES, workers=Failing(0, action))
    executor = Failing(3, action)
    with pytest.raises(ChildProcessError, match=rf"{files[0]}: line \d+.*{reason}") as lost:
        vecbleu.file_statistics(*files, workers=executor)
    first = int(re.search(r"line (\d+)", str(lost.value))[1])
    counted = [future.result()[0][0] for future in executor.futures[:3]]
    assert first == 1 + sum(map(len, counted))
    assert all(future.done() for future in executor.futures)


def test_what_an_executor_loses_once_is_submitted_again_but_not_wrong_text(files):
    def lose(future):
        fail(future)
        executor.good = 10**9

    for call in (
        partial(vecbleu.file_statistics, *files),
        partial(vecbleu.sentence_bleu, HYPOTHESES, REFERENCES),
    ):
        executor = Failing(2, lose)
        assert np.array_equal(call(workers=executor), call())
        assert len({*executor.tasks}) == len(executor.tasks)  # Dask would not run the same twice
        assert len({task for task, _ in executor.tasks}) == len(executor.tasks) - 1
    executor = Failing(10**9)
    with pytest.raises(TypeError, match=r"\[4000\]"):
        vecbleu.statistics([*HYPOTHESES, 3], [*REFERENCES, "c"], workers=executor)
    assert len({task for task, _ in executor.tasks}) == len(executor.tasks)


# Clusters that end while their parts still talk warn of it.
@pytest.mark.filterwarnings("ignore")
@needs_signals
@pytest.mark.parametrize(("start", "goes_on"), [(process_pool, False), (two_processes, True)])
def test_a_killed_process_is_an_error_or_its_blocks_are_counted_again(files, start, goes_on):
    with start() as executor:
        pid = executor.submit(os.getpid).result()
        killer = threading.Timer(0.1, os.kill, (pid, signal.SIGKILL))
        killer.start()
        outcome = nullcontext() if goes_on else pytest.raises(ChildProcessError, match="Broken")
        with outcome:
            while not goes_on or killer.is_alive():
                assert vecbleu.file_statistics(*files, workers=executor) == EXPECTED
            assert vecbleu.file_statistics(*files, workers=executor) == EXPECTED


@pytest.mark.parametrize("good", [0, 5])
def test_an_interrupt_cancels_the_few_blocks_that_are_pending(files, good):
    def interrupt(future):
        future.done = mock.Mock(side_effect=[False] * 65 + [KeyboardInterrupt])

    executor = Failing(good, interrupt)
    with blocks_of(1000), pytest.raises(KeyboardInterrupt):  # more than 200 blocks
        vecbleu.file_statistics(*files, workers=executor)
    assert 1 < len(executor.futures) - good <= 64
    assert all(future.cancelled() for future in executor.futures[good:])


ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.parametrize(
    ("quotas", "cores"),
    [
        ({}, ALL),  # no such file: not Linux, or version 1
        ({"a/b": "max 100000", "a": "100000 100000"}, 1),
        ({"a/b": "150000 100000", "a": "900000 100000"}, 1),
        ({"a/b": "20000 100000"}, 1),
        ({"a/b": "99999900000 100000", "": "max 100000"}, ALL),
        ({"a/b/c": "100000 100000", "x": "100000 100000"}, ALL),  # of other processes
    ],
)
def test_cores_are_limited_by_the_quotas_of_the_control_groups_above(tmp_path, quotas, cores):
    for group, quota in quotas.items():
        file = tmp_path / "sys/fs/cgroup" / group / "cpu.max"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(quota + "\n")
    own_group = tmp_path / "proc/self/cgroup"
    assert mapping.available_cores(tmp_path) == ALL  # no such file
    own_group.parent.mkdir(parents=True)
    own_group.write_text("4:cpu:/x\n0::/a/b\n")
    assert mapping.available_cores(tmp_path) == cores
