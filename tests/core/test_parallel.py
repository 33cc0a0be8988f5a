"""Worker processes: when they start, what they do, and that none is left behind."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
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
from vecbleu.core.files.reader import read_blocks
from vecbleu.core.files.sources import Source
from vecbleu.core.parallel import cores, worker
from vecbleu.core.parallel.executors import WorkerPool, open_executor
from vecbleu.core.parallel.futures import LostBlockError, map_blocks

pytestmark = pytest.mark.usefixtures("no_workers")

HYPOTHESES, REFERENCES = (random_lines(seed, 300) for seed in (1, 2))


def mapped(function, blocks, workers, seconds=0.0):
    """What `map_blocks` gives on so many processes of this machine."""
    with open_executor(None, workers, seconds, {}) as executor:
        yield from map_blocks(function, blocks, executor)


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
    result = action() if os.getpid() != caller else None
    if isinstance(result, Exception):
        raise result
    return result


class OddError(Exception):
    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


class OddResult:
    def __reduce__(self):
        return refuse_elsewhere, (os.getpid(),)


def refuse_elsewhere(pid):
    if pid != os.getpid():
        raise ValueError("only in the worker")


@needs_signals
@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (partial(signal.raise_signal, 9), LostBlockError, "worker process ended with status -9"),
        (partial(OddError, 3, 4), RuntimeError, "OddError: 3 and 4"),
        (OddResult, ValueError, "only in the worker"),
    ],
)
def test_what_fails_in_a_worker_is_an_error_here(action, error, message):
    with pytest.raises(error, match=message):
        [*mapped(partial(in_workers, action, os.getpid()), range(40), 2)]
    assert not worker._RUNNING


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
    monkeypatch.setattr(worker, "_IDLE_SECONDS", 0.1)
    threads = threading.active_count()
    (pid,) = workers_of_a_call()
    assert comes_true(lambda: not is_running(pid))
    assert comes_true(lambda: threading.active_count() == threads)
    assert not worker._RUNNING
    assert workers_of_a_call() != {pid}


def test_work_that_takes_long_is_no_idleness(monkeypatch):
    monkeypatch.setattr(worker, "_IDLE_SECONDS", 0.01)
    assert [*mapped(partial(square, seconds=0.1), range(9), 2)] == [n**2 for n in range(9)]


@needs_signals
@pytest.mark.parametrize("change", ["path", "environment", "folder", "death"])
def test_a_worker_that_would_be_another_now_is_not_used_again(monkeypatch, tmp_path, change):
    (pid,) = workers_of_a_call()
    if change == "path":
        monkeypatch.syspath_prepend(tmp_path)
    elif change == "environment":
        monkeypatch.setenv("VECBLEU_TEST", "new")
    elif change == "folder":
        monkeypatch.chdir(tmp_path)
    else:
        os.kill(pid, signal.SIGKILL)
        (process,) = (one._process for one in worker._RUNNING)
        assert comes_true(lambda: process.poll() is not None)
    (other,) = workers_of_a_call()
    assert other != pid
    assert not is_running(pid)


def test_a_worker_serves_one_call_at_a_time():
    workers_of_a_call()
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(workers_of_a_call, (2, 2))
    assert len(one) == len(other) == 1
    assert one != other


def test_a_worker_that_another_call_has_leased_is_not_stopped():
    """An interrupt may come when a worker is free already and its old call still has it."""
    workers_of_a_call()
    (one,) = worker._RUNNING
    old, new = WorkerPool(1, {}), WorkerPool(1, {})
    assert worker.lease_worker(new._workers, {}) is one
    old._workers.append(one)
    old.stop()
    assert one.is_up_to_date({})
    new.stop()
    assert not one.is_up_to_date({})


@needs_signals
def test_a_worker_ends_with_its_caller_though_a_fork_lives():
    code = """
        import os, signal, sys, time
        from test_parallel import workers_of_a_call
        (pid,) = workers_of_a_call()
        child = os.fork()
        if child == 0:
            time.sleep(3)
            os._exit(0)
        print(pid, child, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    with start_program(code) as program:
        pid, child = map(int, program.stdout.readline().split())
        program.wait()
        assert comes_true(lambda: not is_running(pid))
        assert is_running(child)


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


def test_a_result_for_which_there_is_no_memory_is_an_error(monkeypatch):
    monkeypatch.setattr(worker, "receive", mock.Mock(side_effect=MemoryError("none left")))
    with pytest.raises(MemoryError, match="none left"):
        [*mapped(square, range(100), 2)]


@needs_signals
def test_ctrl_c_while_the_program_ends_is_quiet():
    code = """
        from test_parallel import worker, workers_of_a_call
        (pid,) = workers_of_a_call()
        kill, interrupts = worker.WorkerProcess.kill, [KeyboardInterrupt()]

        def interrupted_kill(one):
            if interrupts:
                raise interrupts.pop()
            kill(one)

        worker.WorkerProcess.kill = interrupted_kill
        print(pid)
    """
    with start_program(code) as program:
        output, errors = program.communicate()
    assert (program.returncode, errors) == (0, "")
    assert not is_running(int(output))


@settings(max_examples=10)
@given(st.lists(ugly_text, min_size=20, max_size=60))
def test_ugly_strings_on_several_processes(blocks_of, strings):
    with blocks_of(20):
        for tokenize in ("13a", "intl", "none"):
            found = vecbleu.statistics(strings, strings[::-1], tokenize=tokenize, workers=2)
            assert found == vecbleu.statistics(strings, strings[::-1], tokenize=tokenize)


def test_blocks_of_files_travel_as_positions(tmp_path):
    path = write_lines(tmp_path / "hyp", HYPOTHESES, last_newline=False)
    blocks = [*read_blocks([Source(path), Source(path)], 1000)]
    assert len(blocks) > 5
    for block in blocks:
        sent = pickle.dumps(block)
        assert b"cat" not in sent
        assert pickle.loads(sent) == block
    os.replace(shutil.copy(path, tmp_path / "copy"), path)
    with pytest.raises(ValueError, match="hyp: the file has changed while it was read"):
        pickle.loads(sent)


@pytest.mark.usefixtures("small_blocks")
def test_descriptors_of_files_are_read_by_workers_too(tmp_path):
    path = write_lines(tmp_path / "hyp", HYPOTHESES)
    with open(path) as file:
        name = f"/dev/fd/{file.fileno()}"
        if not os.path.exists(name):
            pytest.skip("this system has no /dev/fd")
        found = vecbleu.file_statistics(name, path, workers=2)
    assert found == vecbleu.file_statistics(path, path)


def test_what_can_not_be_read_again_travels_itself(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("a\tb\nc\td\n", encoding="utf-16")
    (block,) = read_blocks([Source(path, 2, "utf-16")], 1000)
    path.unlink()
    assert pickle.loads(pickle.dumps(block)) == block


@pytest.mark.usefixtures("small_blocks")
def test_kept_references_fit_what_other_processes_hash(monkeypatch):
    monkeypatch.setattr(cores, "_WORTH_SHARING", 1e-7)
    monkeypatch.setattr(cores, "available_cores", lambda: 3)
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


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", ["hypotheses", "references"])
def test_lists_that_shrink_meanwhile_are_an_error(name):
    sides = {"hypotheses": HYPOTHESES * 20, "references": REFERENCES * 20}

    def shrink(line):
        del sides[name][2000:]
        return line.split()

    with pytest.raises(ValueError, match=f"{name} has shrunk to 2000 segments while it was"):
        vecbleu.statistics(*sides.values(), tokenize=shrink)


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
        from vecbleu.core.corpus import sizes
        from vecbleu.core.parallel import worker
        worker._IDLE_SECONDS = 0.1
        sizes.BLOCK_CHARACTERS = 2000
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
    lease = mock.Mock(side_effect=worker.lease_worker)
    monkeypatch.setattr(worker, "lease_worker", lease)
    monkeypatch.setattr(cores, "available_cores", lambda: 3)
    found = mapped(partial(square, seconds=0.005), range(blocks), workers, seconds)
    assert [*found] == [number**2 for number in range(blocks)]
    assert lease.call_count in starts
    vecbleu.statistics(HYPOTHESES, REFERENCES)
    assert lease.call_count in starts


@pytest.mark.parametrize(("name", "value"), [("executable", ""), ("frozen", True)])
def test_without_an_interpreter_all_is_done_here(monkeypatch, name, value):
    monkeypatch.setattr(sys, name, value, raising=False)
    assert {*mapped(process_of_worker, range(20), None, 100.0)} == {os.getpid()}
    with pytest.warns(RuntimeWarning, match=f"workers is 2, but no more .* started: .*{name}"):
        assert workers_of_a_call() == set()
