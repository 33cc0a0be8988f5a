"""A helper: another Python process that applies one function to blocks.

Helpers are started with `subprocess`, not `multiprocessing`: they neither import the user's main
module again nor inherit locks that another thread holds. They end with the pipe, however the
caller ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import IO, Any

from vecbleu.hashing import SEED, SEED_VARIABLE
from vecbleu.messages import Message, pack, receive, send, skip_to, unpack

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What Linux allows everybody.
_PIPE_BYTES = 1 << 20

# What a helper says first; whatever comes before has been printed by others (`sitecustomize`).
_READY = b"\nvecbleu helper: ready\n"


class Helper:
    """Another process, and the two threads here that talk to it.

    One writes and one reads, so that a block is on its way while the one before is being done. The
    one that writes also starts the process and ends it: the main thread can be interrupted at any
    moment, after which nobody would know of a process that it has just started.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.owner = os.getpid()
        self._function = pack(function)
        self._process: subprocess.Popen[bytes] | None = None
        self._blocks: SimpleQueue[tuple[Any, Future[Any]] | None] = SimpleQueue()
        self._sent: SimpleQueue[tuple[Future[Any], Exception | None] | None] = SimpleQueue()
        self._submitted = self._finished = 0
        self._is_ending = False
        self._thread = threading.Thread(target=self._live, daemon=True)

    def start(self) -> None:
        """Start it."""
        _RUNNING.add(self)
        self._thread.start()

    def unfinished(self) -> int:
        """Number of blocks that it has been given and not finished."""
        return self._submitted - self._finished

    def submit(self, block: Any) -> Future[Any]:
        """Have a block done."""
        future: Future[Any] = Future()
        self._submitted += 1
        self._blocks.put((block, future))
        return future

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._is_ending = True
        self._blocks.put(None)
        if self._process is not None:
            self._process.kill()

    def leave(self) -> None:
        """Wait for its end."""
        if self._thread.ident is not None:  # it has been started
            self._thread.join()
        _RUNNING.discard(self)

    def _live(self) -> None:
        """All that happens to the process."""
        reader = threading.Thread(target=self._read, daemon=True)
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-c", _program()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {SEED_VARIABLE: SEED},
                start_new_session=True,  # Ctrl-C is for the caller, who then stops the helpers
            )
            with process:
                try:
                    for pipe in self._pipes():
                        _widen(pipe)
                    reader.start()
                    self._write()
                finally:
                    process.kill()
                    self._sent.put(None)
                    if reader.ident is not None:
                        reader.join()
        except BaseException as error:
            self._refuse(error)

    def _refuse(self, error: BaseException) -> None:
        """Have all blocks fail."""
        while not self._is_ending and (entry := self._blocks.get()) is not None:
            self._finished += 1
            entry[1].set_exception(error)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """The one that is written to, and the one that is read."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _write(self) -> None:
        """Send the function, then blocks."""
        stream = self._pipes()[0]
        head = [self._function]
        while not self._is_ending and (entry := self._blocks.get()) is not None:
            block, future = entry
            try:
                messages = [*head, pack(block)]
            except Exception as error:
                self._sent.put((future, error))
                continue
            self._sent.put((future, None))
            with contextlib.suppress(OSError):  # it has died, which `_read` finds as well
                send(stream, messages)
            head = []

    def _read(self) -> None:
        """Take the results in the order of the blocks."""
        assert self._process is not None
        stream = self._pipes()[1]
        is_ready = False
        while (entry := self._sent.get()) is not None:
            future, error = entry
            value = None
            try:
                if not is_ready and error is None:
                    skip_to(_READY, stream)
                    is_ready = True
                if error is None:
                    value, error = unpack(receive(stream))
            except EOFError:
                status = self._process.wait()
                text = f"a worker process ended with status {status} at its work"
                error = ChildProcessError(text)
            except Exception as found:
                error = found
            self._finished += 1
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)


# Those that run, for the end of the program: an error's traceback may keep an abandoned `_share`.
_RUNNING: set[Helper] = set()


def stop(helpers: Iterable[Helper]) -> None:
    """End all of them, and only then be interrupted; a fork leaves its parent's alone."""
    own = [helper for helper in helpers if helper.owner == os.getpid()]
    steps = [*(helper.end for helper in own), *(helper.leave for helper in own)]
    interrupt = None
    while steps:
        try:
            steps[0]()
            del steps[0]
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


@atexit.register
def _stop_all() -> None:
    """Threads that wait for a helper abort the interpreter's end."""
    stop([*_RUNNING])


def _widen(pipe: IO[bytes]) -> None:
    """Have a pipe hold a block, where the system can, so that neither side waits for the other."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _program() -> str:
    """What a helper runs: this very package, wherever it was found."""
    package = os.path.dirname(os.path.realpath(__file__))
    name = os.path.basename(package)
    paths = [os.path.abspath(path) for path in sys.path if isinstance(path, str)]
    return (
        "import sys\n"
        f"sys.path[:] = {paths!r}\n"  # before anything is imported from where we are
        "import importlib.util\n"
        f"found = importlib.util.find_spec({name!r})\n"
        f"if found is None or found.origin != {os.path.join(package, '__init__.py')!r}:\n"
        f"    sys.path.insert(0, {os.path.dirname(package)!r})\n"
        f"from {name}.helper import serve\n"
        "serve()\n"
    )


def serve() -> None:
    """Be a helper: apply the function that comes first to the blocks that follow."""
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints does not get among the replies
    try:
        replies.write(_READY)
        function = unpack(receive(requests))
        while True:
            send(replies, [_reply(function, receive(requests))])
    except (EOFError, BrokenPipeError):  # there is no more work
        os._exit(0)


def _reply(function: Callable[[Any], Any], request: Message) -> Message:
    """A packed result and no error, or the other way round."""
    try:
        return pack((function(unpack(request)), None))
    except Exception as error:
        try:
            reply = pack((None, error))
            unpack(reply)
        except Exception:  # errors that want other arguments than their message
            return pack((None, RuntimeError(f"{type(error).__name__}: {error}")))
        return reply
