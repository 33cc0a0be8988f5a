"""Worker processes that are forked: for a program in which nothing else runs.

A fork has loaded what it needs. It counts at once, where a new process imports NumPy for 0.1 to
0.2 s, and processes that are started together slow each other down in that. But it inherits the
locks that other threads hold: so only the command line forks, before it starts any thread.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import sys
import threading
from typing import IO, NoReturn

from vecbleu.core.parallel.messages import serve

# Files that are left to what runs beside forks.
_SPARE_FILES = 32


def can_fork() -> bool:
    """Whether no other thread runs, be it one of a library in C; only Linux tells."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def most_forks() -> int:
    """Forks whose pipes leave files enough to the work, which opens them afterwards."""
    import resource  # not on Windows

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = len(os.listdir("/proc/self/fd"))
    return (most - opened - _SPARE_FILES) // 2 if most != resource.RLIM_INFINITY else sys.maxsize


class ForkedProcess:
    """A fork of this process that serves, with what is used of `subprocess.Popen`."""

    def __init__(self) -> None:
        task_source, tasks = os.pipe()
        results, result_target = os.pipe()
        try:
            self.pid = _fork_quietly()
        except OSError:
            for end in (task_source, tasks, results, result_target):
                os.close(end)
            raise
        if not self.pid:
            os.close(tasks)
            os.close(results)
            _serve_and_end(task_source, result_target)
        os.close(task_source)
        os.close(result_target)
        self.stdin: IO[bytes] = os.fdopen(tasks, "wb")
        self.stdout: IO[bytes] = os.fdopen(results, "rb")
        self._status: int | None = None
        self._lock = threading.Lock()  # between its end and that of another with its number

    def poll(self) -> int | None:
        """Its exit status, or minus the signal that ended it; None while it runs."""
        with self._lock:
            if self._status is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # SIGCHLD is ignored; 0, as `subprocess` has it
                    pid, status = self.pid, 0
                self._status = os.waitstatus_to_exitcode(status) if pid else None
            return self._status

    def wait(self) -> int:
        """Wait for its end; returns as `poll`."""
        with contextlib.suppress(ChildProcessError):  # another thread has just polled
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        return self.poll() or 0

    def kill(self) -> None:
        """End it."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def __enter__(self) -> ForkedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        try:
            self.stdin.close()  # writes what is left
        finally:
            if self.poll() is None:
                self.wait()


def _fork_quietly() -> int:
    """Fork; Ctrl-C is for the caller, and the fork in another session before it can come."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pid = os.fork()
        if not pid:
            os.setsid()
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve_and_end(tasks: int, results: int) -> NoReturn:
    """What a worker process does; nothing of the caller's is done or written at its end."""
    try:
        for descriptor, standard in ((tasks, 0), (results, 1)):
            os.dup2(descriptor, standard)
            os.close(descriptor)
        stream = open(0, "rb")  # noqa: SIM115
        marshal.load(stream)  # what to import, which it has
        serve(stream)
    finally:
        os._exit(1)
