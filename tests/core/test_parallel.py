"""Worker processes: when they start, what they do, and that none is left behind."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from unittest import mock

import pytest
import sacrebleu
from corpora import random_lines, write_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import same_digits
from processes import needs_signals, output_of, start_program
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu
from vecbleu.core.options import RunOptions
from vecbleu.core.parallel import mapping, pool
from vecbleu.core.parallel.mapping import map_blocks

pytestmark = pytest.mark.usefixtures("no_workers")

HYPOTHESES, REFERENCES = (random_lines(seed, 300) for seed in (1, 2))


def mapped(function, blocks, workers, seconds=0.0):
    """What `map_blocks` gives on so many processes of this machine."""
    return map_blocks(function, blocks, seconds, RunOptions(workers), size=lambda _: 1)


def processes():
    """Worker processes that run."""
    return {process for one in pool._POOLS for process in one._processes}


def square(number, fails=(), seconds=0.0):
    time.sleep(seconds)
    if number in fails:
        raise ValueError(f"block {number}")
    return number**2


def numbers(count, broken=None):
    for number in range(count):
        if number == broken:
            raise OSError("reading")
        yield number


def results_and_error(results):
    found = []
    try:
        found.extend(results)
    except Exception as error:
        return found, repr(error)
    return found, None


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize(
    ("fails", "broken"), [((), None), ((7, 9), None), ((7,), 8), ((12,), 5), ((0,), 0), ((), 3)]
)
def test_results_and_the_first_error_come_in_order(workers, fails, broken):
    function = partial(square, fails=fails, seconds=0.002)
    found = results_and_error(mapped(function, numbers(20, broken), workers))
    assert found == results_and_error(map(function, numbers(20, broken)))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_reading_ahead_is_bounded(workers):
    drawn = []
    blocks = (drawn.append(number) or number for number in range(1000))
    for result in mapped(square, blocks, workers):
        time.sleep(0.001 * (result < 50**2))  # a slow reader of the first results
        assert len(drawn) <= result**0.5 + 1 + 20 * (workers - 1)
    assert len(drawn) == 1000


def in_workers(action, caller, number):
    time.sleep(0.02)
    return action() if os.getpid() != caller else None


def raise_error():
    raise ValueError("of a worker")


def test_what_fails_in_a_worker_is_an_error_here():
    with pytest.raises(ValueError, match="of a worker"):
        [*mapped(partial(in_workers, raise_error, os.getpid()), range(40), 2)]
    assert not processes()


def end_now():
    os._exit(3)


class OddResult:
    """Can't be made again in another process than the one that it comes from."""

    def __reduce__(self):
        return refuse_elsewhere, (os.getpid(),)


def refuse_elsewhere(pid):
    if pid != os.getpid():
        raise ValueError("only in the worker")


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("action", [end_now, OddResult])
def test_blocks_of_workers_that_are_lost_are_counted_here(workers, action):
    function = partial(in_workers, action, os.getpid())
    with pytest.warns(RuntimeWarning, match=f"workers is {workers}, but "):
        assert [*mapped(function, range(40), workers)] == [None] * 40
    assert not processes()
    assert len(workers_of_a_call()) == 1


@needs_signals
def test_abandoned_work_leaves_no_process():
    results = mapped(process_of_worker, range(1000), 3)
    pids = {next(results) for _ in range(100)} - {os.getpid()}
    assert pids
    results.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def process_of_worker(number):
    time.sleep(0.005)
    return os.getpid()


def workers_of_a_call(workers=2, blocks=100):
    return {*mapped(process_of_worker, range(blocks), workers)} - {os.getpid()}


def is_running(pid):
    if not os.path.exists("/proc/self/stat"):
        pytest.skip("this system has no /proc to look for processes in")
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def comes_true(condition):
    """Within some seconds."""
    return any(condition() or time.sleep(0.01) for _ in range(500))


def test_a_worker_waits_for_the_next_call():
    (pid,) = workers_of_a_call()
    assert workers_of_a_call() == {pid}
    assert [*mapped(square, range(100), 2)] == [n**2 for n in range(100)]
    assert workers_of_a_call() == {pid}


def test_a_worker_that_nobody_needs_ends(monkeypatch):
    monkeypatch.setattr(pool, "_IDLE_SECONDS", 0.1)
    threads = threading.active_count()
    (pid,) = workers_of_a_call()
    assert comes_true(lambda: not is_running(pid))
    assert comes_true(lambda: threading.active_count() == threads)
    assert not processes()
    assert workers_of_a_call() != {pid}


def test_work_that_takes_long_is_no_idleness(monkeypatch):
    monkeypatch.setattr(pool, "_IDLE_SECONDS", 0.01)
    assert [*mapped(partial(square, seconds=0.1), range(9), 2)] == [n**2 for n in range(9)]


@needs_signals
def test_a_worker_that_has_died_meanwhile_is_not_used_again():
    (pid,) = workers_of_a_call()
    (process,) = processes()
    os.kill(pid, signal.SIGKILL)
    assert comes_true(lambda: process.poll() is not None)
    (other,) = workers_of_a_call()
    assert other != pid


def test_a_worker_serves_one_call_at_a_time():
    workers_of_a_call()
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(workers_of_a_call, (2, 2))
    assert len(one) == len(other) == 1
    assert one != other


@needs_signals
def test_a_fork_starts_workers_of_its_own():
    code = """
        import os
        from test_parallel import workers_of_a_call
        (first,) = workers_of_a_call()
        child = os.fork()
        if child == 0:
            os._exit(workers_of_a_call() == {first})
        assert os.waitpid(child, 0)[1] == 0
        assert workers_of_a_call() == {first}
        print(first)
    """
    assert not is_running(int(output_of(code)))  # nor does one wait when the program has ended


@needs_signals
@pytest.mark.parametrize(
    ("end", "last_line"), [("SIGINT", "KeyboardInterrupt"), ("SIGKILL", ""), ("", "ValueError: ")]
)
def test_workers_end_with_a_program_that_is_counting(end, last_line):
    code = """
        import os, sys
        from test_parallel import mapped, process_of_worker
        for pid in mapped(process_of_worker, range(10**6), 2):
            if pid != os.getpid():
                print(pid, flush=True)
                if sys.argv[1] == "":
                    raise ValueError(pid)
    """
    with start_program(code, end) as program:
        pid = int(program.stdout.readline())
        if end:
            program.send_signal(signal.Signals[end])
        _, errors = program.communicate()
    assert errors.rstrip().rpartition("\n")[2].startswith(last_line)
    assert comes_true(lambda: not is_running(pid)) if end == "SIGKILL" else not is_running(pid)


@settings(max_examples=10)
@given(st.lists(ugly_text, min_size=20, max_size=60))
def test_ugly_strings_on_several_processes(blocks_of, strings):
    with blocks_of(20):
        for tokenize in ("13a", "intl", "none"):
            found = vecbleu.statistics(strings, strings[::-1], tokenize=tokenize, workers=2)
            assert found == vecbleu.statistics(strings, strings[::-1], tokenize=tokenize)


@pytest.mark.usefixtures("small_blocks")
def test_descriptors_of_files_are_read_by_workers_too(tmp_path):
    path = write_lines(tmp_path / "hyp", HYPOTHESES)
    with open(path) as file:
        name = f"/dev/fd/{file.fileno()}"
        if not os.path.exists(name):
            pytest.skip("this system has no /dev/fd")
        found = vecbleu.file_statistics(name, path, workers=2)
    assert found == vecbleu.file_statistics(path, path)


@pytest.mark.usefixtures("small_blocks")
def test_kept_references_fit_what_other_processes_hash(monkeypatch):
    monkeypatch.setattr(mapping, "_WORTH_SHARING", 1e-7)
    monkeypatch.setattr(mapping, "available_cores", lambda: 3)
    kept = vecbleu.sacrebleu.BLEU(references=[REFERENCES], force=True)
    expected = sacrebleu.BLEU(force=True).corpus_score(HYPOTHESES, [REFERENCES]).score
    for _ in range(3):
        assert same_digits(kept.corpus_score(HYPOTHESES, None).score, expected)
    code = """
        import pickle, sys
        from test_parallel import HYPOTHESES
        print(pickle.loads(bytes.fromhex(sys.argv[1])).corpus_score(HYPOTHESES, None).score)
    """
    assert same_digits(float(output_of(code, pickle.dumps(kept).hex())), expected)


def test_what_is_printed_at_the_start_is_no_reply(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('hello', flush=True)")
    code = "from test_parallel import workers_of_a_call; print(len(workers_of_a_call()))"
    assert output_of(code, PYTHONPATH=tmp_path).split() == ["hello", "1"]


def test_workers_find_this_package_whatever_the_path(tmp_path):
    code = """
        import os, pathlib, sys
        sys.path.insert(0, sys.argv[1])
        import vecbleu
        from test_parallel import workers_of_a_call
        sys.path.remove(sys.argv[1])
        sys.path.append(pathlib.Path("/"))
        os.chdir("/")
        print(len(workers_of_a_call()), vecbleu.__file__)
    """
    shutil.copytree(os.path.dirname(vecbleu.__file__), tmp_path / "vecbleu")
    expected = ["1", str(tmp_path / "vecbleu" / "__init__.py")]
    assert output_of(code, str(tmp_path)).split() == expected


def test_workers_import_nothing_from_where_the_program_runs(tmp_path, monkeypatch):
    for name in ("types", "contextlib", "warnings", "importlib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert len(workers_of_a_call()) == 1


@needs_signals
def test_interrupts_at_any_moment_leave_nothing_behind():
    code = """
        import os, random, signal, threading
        from test_parallel import HYPOTHESES, comes_true
        import vecbleu
        from vecbleu.core import corpus
        from vecbleu.core.parallel import pool
        pool._IDLE_SECONDS = 0.1
        corpus.BLOCK_CHARACTERS = 2000
        # Before Python 3.12, an interrupt while a class is made, at an import, is a RuntimeError.
        vecbleu.statistics(HYPOTHESES, HYPOTHESES, workers=3)
        for number in range(40):
            try:
                signal.signal(signal.SIGALRM, signal.default_int_handler)
                signal.setitimer(signal.ITIMER_REAL, random.Random(number).uniform(1e-4, 0.03))
                vecbleu.statistics(HYPOTHESES * 9, HYPOTHESES * 9, workers=3)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        comes_true(lambda: threading.active_count() == 1)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("no child,", threading.active_count(), "thread")
    """
    assert output_of(code) == "no child, 1 thread\n"


@pytest.mark.parametrize(
    ("blocks", "workers", "seconds", "starts"),
    [
        (0, 100, 0.0, range(1)),
        (1, 100, 0.0, range(1)),
        (4, 100, 0.0, range(1, 4)),
        (100, None, 0.1, range(1)),
        (100, None, 100.0, range(2, 3)),
    ],
)
def test_processes_are_as_many_as_blocks_or_pay(monkeypatch, blocks, workers, seconds, starts):
    start = mock.Mock(side_effect=subprocess.Popen)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(mapping, "available_cores", lambda: 3)
    found = mapped(partial(square, seconds=0.005), range(blocks), workers, seconds)
    assert [*found] == [number**2 for number in range(blocks)]
    assert start.call_count in starts
    vecbleu.statistics(HYPOTHESES, REFERENCES)
    assert start.call_count in starts


@pytest.mark.parametrize(
    ("name", "value", "reason"), [("executable", "", "Error: "), ("frozen", True, "is frozen")]
)
def test_without_an_interpreter_all_is_done_here(monkeypatch, name, value, reason):
    monkeypatch.setattr(sys, name, value, raising=False)
    assert {*mapped(process_of_worker, range(20), None, 100.0)} == {os.getpid()}
    with pytest.warns(RuntimeWarning, match=f"workers is 2, but no more .* started: .*{reason}"):
        assert workers_of_a_call() == set()
