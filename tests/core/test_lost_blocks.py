"""Blocks that are lost with their worker, and files that change while workers read them."""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from unittest import mock

import numpy as np
import pytest
from corpora import random_lines, write_lines
from processes import needs_signals, output_of, process_pool, start_program
from test_parallel import in_workers

import vecbleu
from vecbleu.core.files import positions
from vecbleu.core.files.positions import find_position
from vecbleu.core.parallel import executors, futures
from vecbleu.core.parallel.executors import open_executor
from vecbleu.core.parallel.futures import LostBlockError, map_blocks

HYPOTHESES, REFERENCES = (random_lines(seed, 4000) for seed in (1, 2))

pytestmark = pytest.mark.usefixtures("no_workers", "many_blocks")


@pytest.fixture
def files(tmp_path):
    return write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)


def die(folder, times):
    """Kill this process, the first times."""
    for number in range(times):
        try:
            os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)


def deadly(action, caller, fatal, number):
    """The number; some number does something to a worker that gets it."""
    if number in fatal:
        in_workers(action, caller, number)
    return number


def mapped(function, blocks, workers, retries):
    with open_executor(None, workers, 0.0, {}) as executor:
        # The calling process does what is left when all workers have enough: let that be little.
        yield from map_blocks(function, blocks, executor, retries)


@needs_signals
@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize(("times", "retries"), [(1, 1), (2, 2), (1, 0), (3, 2)])
def test_blocks_of_workers_that_die_are_done_by_others(tmp_path, workers, times, retries):
    """Block 1 goes to the first worker."""
    function = partial(deadly, partial(die, tmp_path, times), os.getpid(), {1})
    results = mapped(function, range(100), workers, retries)
    if times <= retries:
        assert [*results] == [*range(100)]
    else:
        message = rf"\(ChildProcessError: .* status -9\), tries: {retries + 1}"
        with pytest.raises(LostBlockError, match=message):
            assert [*results]
    assert len(os.listdir(tmp_path)) == min(times, retries + 1)


@needs_signals
def test_blocks_that_were_lost_with_another_are_not_to_blame(tmp_path):
    """Two blocks, one behind the other in the same worker, kill it twice each."""
    folders = [tmp_path / "1", tmp_path / "2"]
    for folder in folders:
        folder.mkdir()
    one, other = (partial(die, folder, 2) for folder in folders)
    function = partial(both, one, other, os.getpid())
    assert [*mapped(function, range(50), 2, 2)] == [*range(50)]
    assert all(len(os.listdir(folder)) == 2 for folder in folders)


def both(one, other, caller, number):
    deadly(one, caller, {1}, number)
    return deadly(other, caller, {2}, number)


@needs_signals
def test_a_death_is_the_workers_own_where_broken_pipes_end_programs():
    """The block is more than a pipe holds, so that it is being written when the worker dies."""
    code = """
        import os, signal
        from test_lost_blocks import mapped, read_slowly
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        blocks = (bytes([number]) * (number and 1 << 23) for number in range(3))
        try:
            print([*mapped(read_slowly, blocks, 2, 0)])
        except Exception as error:
            print(error)
    """
    assert "ended with status -9" in output_of(code)


def read_slowly(block):
    return deadly(partial(os.kill, os.getpid(), signal.SIGKILL), -1, {1}, len(block[:1]))


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
        assert call(workers=Unreliable(2)) == expected
        lost = r"lost the block that begins with .*: node gone\), tries: 3$"
        with pytest.raises(ChildProcessError, match=lost):
            call(workers=Unreliable(3))
    score = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES, workers=Unreliable(2))
    assert score.to_dict() == vecbleu.corpus_bleu(HYPOTHESES, REFERENCES).to_dict()
    scores = vecbleu.sentence_bleu(HYPOTHESES, REFERENCES, workers=Unreliable(2))
    assert np.array_equal(scores, vecbleu.sentence_bleu(HYPOTHESES, REFERENCES))


def test_no_task_that_is_submitted_again_is_the_same_as_before():
    """Dask would not run it."""
    executor = Unreliable(2)
    vecbleu.statistics(HYPOTHESES, REFERENCES, workers=executor)
    assert len({*executor.tasks}) == len(executor.tasks)
    assert len({task for task, _ in executor.tasks}) == len(executor.tasks) - 2


def test_what_is_wrong_with_the_text_is_not_tried_again(files):
    with open(files[0], "ab") as file:
        file.write(b"one more line\n")
    for call in (
        partial(vecbleu.file_statistics, *files),
        partial(vecbleu.statistics, [*HYPOTHESES, 3], [*REFERENCES, "c"]),
    ):
        executor = Unreliable(0)
        with pytest.raises((ValueError, TypeError), match=r"no partner|hypotheses\[4000\]"):
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


def test_interrupts_reach_what_waits_for_an_executor(monkeypatch):
    """On Windows, they do not reach what waits without end."""
    monkeypatch.setattr(futures, "_MOST_SECONDS", 0.02)

    class Slow(Future):
        def result(self, timeout=None):
            assert self.done() or timeout is not None
            return super().result(timeout)

    class Later(Executor):
        def submit(self, function, /, *arguments):
            future = Slow()
            threading.Timer(0.05, lambda: future.set_result(function(*arguments))).start()
            return future

    found = vecbleu.statistics(HYPOTHESES[:9], REFERENCES[:9], workers=Later())
    assert found == vecbleu.statistics(HYPOTHESES[:9], REFERENCES[:9])


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


def append(path):
    with open(path, "a") as file:
        file.write("more\n")


def replace_file(path):
    (path.parent / "other").write_text("other\n" * len(HYPOTHESES))
    os.replace(path.parent / "other", path)


CHANGES = {
    "replaced": replace_file,
    "removed": os.unlink,
    "appended": append,
    "truncated": lambda path: os.truncate(path, 100),
    "touched": lambda path: os.utime(path, ns=(1, 1)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="open files can't be replaced")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", [0, 1, 6, 20])
def test_files_that_change_while_they_are_read_are_no_matter_of_workers(
    tmp_path, monkeypatch, change, place
):
    """The change comes just before some block is submitted."""

    def outcome(**run):
        files = [write_lines(tmp_path / "h", HYPOTHESES), write_lines(tmp_path / "r", REFERENCES)]
        number = 0

        def submit_block(submit, *arguments):
            nonlocal number
            if number == place:
                CHANGES[change](files[0])
            number += 1
            return submit(*arguments)

        with monkeypatch.context() as patch:
            for kind in (executors.WorkerPool, executors.UserExecutor):
                submit = partial(submit_block, kind.submit)
                patch.setattr(kind, "submit", lambda *given, submit=submit: submit(*given))
            try:
                return vecbleu.file_statistics(*files, **run)
            except Exception as error:
                return repr(error)

    alone = outcome(workers=1)
    if change in ("replaced", "removed"):
        assert alone == vecbleu.statistics(HYPOTHESES, REFERENCES)
    elif place == 0:
        assert alone == f"ValueError('{tmp_path / 'h'}: the file has changed while it was read')"
    assert outcome(workers=2) == alone
    assert outcome(workers=4) == alone
    with ThreadPoolExecutor(2) as executor:
        assert outcome(workers=executor) == alone


@pytest.fixture
def position(tmp_path):
    path = write_lines(tmp_path / "h", ["one", "two", "three"])
    with open(path, "rb") as file:
        found = find_position(str(path), file.fileno())
    assert found.host == positions._host()
    return found


@pytest.mark.parametrize("change", [replace_file, append, os.unlink], ids=lambda one: one.__name__)
def test_a_machine_that_finds_another_file_is_named(tmp_path, position, change):
    elsewhere = pickle.loads(pickle.dumps(replace(position, host="node1")))
    assert elsewhere.read(14) == position.read(14) == b"one\ntwo\nthree\n"
    change(tmp_path / "h")
    own = positions._host()
    message = f"{tmp_path / 'h'}: the machine {own} does not find the file that node1 reads"
    with pytest.raises(ValueError, match=re.escape(message)):
        elsewhere.read(14)


def test_a_machine_of_an_executor_that_finds_another_file_is_named(files):
    class Elsewhere(Executor):
        path = files[0]

        def submit(self, function, /, *arguments):
            future = Future()
            with mock.patch.object(positions, "_host", return_value="node7"):
                os.rename(files[0], self.path)
                future.set_result(function(*arguments))
                os.rename(self.path, files[0])
            return future

    executor = Elsewhere()
    assert vecbleu.file_statistics(*files, workers=executor) == vecbleu.file_statistics(*files)
    executor.path = files[0].with_name("elsewhere")
    with pytest.raises(ValueError, match="h: the machine node7 does not find the file that"):
        vecbleu.file_statistics(*files, workers=executor)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path):
    code = """
        import os, sys
        from vecbleu.core.files.positions import find_position
        from vecbleu.core.parallel.futures import MovedBlockError
        path = sys.argv[1]
        with open(path, "w+b") as file:
            found = find_position(path, file.fileno())
        os.unlink(path)
        os.mkfifo(path)
        try:
            found.read(3)
        except MovedBlockError:
            print("moved")
    """
    with start_program(code, str(tmp_path / "lines")) as program:
        try:
            assert program.communicate(timeout=10)[0] == "moved\n"
        finally:
            program.kill()
