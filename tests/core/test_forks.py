"""Workers of the command line, which are forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from processes import output_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells its threads")

START = """
import os, sys, threading, time
from vecbleu.core.parallel import map_blocks, worker
from vecbleu.core.parallel.executors import WorkerPool

def count(function, blocks, **options):
    pool = WorkerPool(2, {})
    try:
        return [*map_blocks(function, blocks, pool, **options)]
    finally:
        pool.stop()

def pid_of(block):
    time.sleep(0.05)
    return os.getpid()

def forks():
    return {one._process.pid for one in worker._RUNNING if one._process}
"""


# Another thread would be NumPy's.
ALONE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


def printed_by(code):
    """What a program prints that has the functions above."""
    return output_of(START + textwrap.dedent(code), **ALONE)


def test_forks_do_blocks_in_order():
    output = printed_by(
        """
        worker.fork_workers(2, {})
        pids = forks()
        print(len(pids), {*count(pid_of, range(12))} == pids | {os.getpid()})
        worker.fork_workers(1, {})
        print(count(abs, range(-50, 0)) == [*range(1, 51)][::-1])
        """
    )
    assert output.split() == ["2", "True", "True"]


def test_nothing_is_forked_beside_a_thread():
    output = printed_by(
        """
        event = threading.Event()
        thread = threading.Thread(target=event.wait)
        thread.start()
        worker.fork_workers(2, {})
        print(len(worker._RUNNING))
        event.set()
        """,
    )
    assert output.split() == ["0"]


def test_a_block_of_a_fork_that_dies_is_done_again():
    output = printed_by(
        """
        worker.fork_workers(1, {})
        (fork,) = forks()
        block = f"__import__('os').getpid() == {fork} and __import__('os')._exit(3)"
        print(count(eval, [block] * 4, retries=2))
        """,
    )
    assert output.split("\n")[0] == str([False] * 4)


@pytest.mark.parametrize("how", ["DFL", "IGN"])
def test_a_fork_that_is_killed_is_replaced_whatever_becomes_of_ended_processes(how):
    output = printed_by(
        f"""
        import signal
        signal.signal(signal.SIGCHLD, signal.SIG_{how})
        worker.fork_workers(1, {{}})
        (fork,) = forks()
        block = f"__import__('os').getpid() == {{fork}} and __import__('os').kill({{fork}}, 9)"
        print(count(eval, [block] * 4, retries=2))
        """,
    )
    assert output.split("\n")[0] == str([False] * 4)


def test_an_end_that_another_thread_has_seen_is_no_error():
    output = printed_by(
        """
        worker.fork_workers(1, {})
        (process,) = [one._process for one in worker._RUNNING]
        polled = process.poll
        process.kill()
        waitid = os.waitid

        def waitid_later(*arguments):
            while polled() is None:
                pass
            return waitid(*arguments)

        os.waitid = waitid_later
        print(process.wait())
        """
    )
    assert output.split() == ["-9"]


def test_forks_leave_files_to_the_work():
    output = printed_by(
        """
        import resource
        opened = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 40, opened + 40))
        worker.fork_workers(50, {})
        print(0 < len(worker._RUNNING) < 10)
        files = [open(os.devnull) for _ in range(16)]
        print(count(abs, [-1, 2]))
        """
    )
    assert output.split("\n")[:2] == ["True", "[1, 2]"]


def test_forks_without_threads_to_talk_to_them_are_ended():
    output = printed_by(
        """
        def refuse(thread):
            raise RuntimeError("can't start new thread")

        start, threading.Thread.start = threading.Thread.start, refuse
        worker.fork_workers(2, {})
        threading.Thread.start = start
        print(len(worker._RUNNING))
        print(count(abs, [-1, 2]))
        """
    )
    assert output.split("\n")[:2] == ["0", "[1, 2]"]


def test_a_result_for_which_there_is_no_memory_is_an_error():
    output = printed_by(
        """
        def receive(stream):
            raise MemoryError("none left")

        worker.fork_workers(1, {})
        worker.receive = receive
        try:
            count(abs, range(9))
        except MemoryError as error:
            print(error)
        """
    )
    assert output.strip() == "none left"


def test_ctrl_c_while_the_program_ends_is_quiet():
    program = """
        worker.fork_workers(2, {})
        kill, interrupts = worker.WorkerProcess.kill, [KeyboardInterrupt()]

        def interrupted_kill(one):
            if interrupts:
                raise interrupts.pop()
            kill(one)

        worker.WorkerProcess.kill = interrupted_kill
        print(*forks())
    """
    done = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(program)],
        capture_output=True, text=True, env=os.environ | ALONE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert all(has_ended(int(pid)) for pid in done.stdout.split())


def test_forks_write_nothing_of_the_callers_and_print_to_standard_error():
    done = subprocess.run(
        [sys.executable, "-c", START + "print('once'); worker.fork_workers(2, {}); "
         "print(count(print, ['noise'] * 6))"],
        capture_output=True, text=True, env=os.environ | ALONE,
    )  # fmt: skip
    assert (done.returncode, done.stdout.count("once"), done.stdout.count("None")) == (0, 1, 6)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_forks_end_with_the_program(number):
    program = START + "worker.fork_workers(2, {}); print(*forks(), flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=os.environ | ALONE
    ) as process:
        pids = [*map(int, process.stdout.readline().split())]
        process.send_signal(number)
    assert len(pids) == 2
    assert all(has_ended(pid) for pid in pids)


def has_ended(pid):
    """Whether a process ends within some seconds."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    for name, word in (("h", "sat"), ("r", "lay")):
        (folder / name).write_text(f"the cat {word} on the mat , and a dog saw it\n" * 150_000)
    return folder


def test_the_command_line_forks(files):
    program = """
        import sys, vecbleu.cli as cli
        from vecbleu.core.parallel import forks
        made, fork = [], forks._fork_quietly
        forks._fork_quietly = lambda: made.append(fork()) or made[-1]
        sys.argv[1:] = ["r", "-i", "h", "-b", "--workers", "3"]
        print(cli.main(), len(made))
    """
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(map(str.strip, program.splitlines()))],
        cwd=files, capture_output=True, text=True, env=os.environ | ALONE,
    )  # fmt: skip
    assert (done.stdout.split()[1:], done.stderr) == (["0", "2"], "")
    alone = subprocess.run(
        [sys.executable, "-m", "vecbleu", "r", "-i", "h", "-b", "--workers", "1"],
        cwd=files, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split()[0] == alone.stdout.strip()


def test_ctrl_c_ends_forks(files):
    command = [sys.executable, "-m", "vecbleu", "r", "-i", "h", "--workers", "2"]
    with subprocess.Popen(command, cwd=files, stderr=subprocess.PIPE) as process:
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        pids = []
        while not pids and process.poll() is None:
            with open(children) as file:
                pids = [*map(int, file.read().split())]
        process.send_signal(signal.SIGINT)
        error = process.stderr.read()
    assert (process.returncode, error) == (130, b"")
    assert pids
    assert all(has_ended(pid) for pid in pids)
