"""A helper: another Python process that applies functions to blocks.

Helpers are started with `subprocess`, not `multiprocessing`: they neither import the user's main
module again nor inherit locks that another thread holds. Between calls they rest for some seconds.
They end with the pipe, however the caller ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import IO, Any

from vecbleu.hashing import SEED, SEED_VARIABLE
from vecbleu.messages import Message, pack, receive, send, skip_to, unpack
from vecbleu.replies import Reply
from vecbleu.server import READY

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# What Linux allows everybody.
_PIPE_BYTES = 1 << 20

# A start takes 0.15 s, as long as counting 2 million tokens, so a helper waits for the next call.
_IDLE_SECONDS = 10.0


class Helper:
    """Another process, and the two threads here that talk to it.

    One writes and one reads, so that a block is on its way while the one before is being done. The
    one that writes also starts the process and ends it: the main thread can be interrupted at any
    moment, after which nobody would know of a process that it has just started.
    """

    def __init__(self, team: list[Helper]) -> None:
        self.owner = os.getpid()
        self.team: list[Helper] | None = team  # that it works for; None while it rests
        self._claim = threading.Lock()
        self._start = _circumstances()
        self._function: Message | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._blocks: SimpleQueue[tuple[Any, Reply[Any]] | None] = SimpleQueue()
        self._sent: SimpleQueue[tuple[Reply[Any], Exception | None] | None] = SimpleQueue()
        self._submitted = self._finished = 0
        self._is_ending = False
        self._thread = threading.Thread(target=self._live, daemon=True)

    def begin(self, function: Callable[[Any], Any]) -> None:
        """Have it apply a function to the blocks that follow."""
        self._function = pack(function)
        if self._thread.ident is None:
            _RUNNING.add(self)
            self._thread.start()

    def rest(self) -> None:
        """Have it wait for the next call; all its blocks are finished."""
        self.team = None

    def claim(self, team: list[Helper]) -> bool:
        """Whether it rested until now; only one of those who ask hears so."""
        with self._claim:
            if self.team is not None:
                return False
            self.team = team
            return True

    def is_like_new(self) -> bool:
        """Whether it lives, and one that is started now would be no different."""
        lives = self._process is not None and self._process.poll() is None
        return lives and self._start == _circumstances()

    def let_go(self) -> None:
        """In a fork: keep the process' pipes open no longer than its owner does."""
        nothing = os.open(os.devnull, os.O_RDWR)
        for pipe in self._pipes() if self._process is not None else ():
            with contextlib.suppress(ValueError):  # it is closed
                os.dup2(nothing, pipe.fileno(), inheritable=False)
        os.close(nothing)

    def unfinished(self) -> int:
        """Number of blocks that it has been given and not finished."""
        return self._submitted - self._finished

    def submit(self, block: Any) -> Reply[Any]:
        """Have a block done."""
        reply: Reply[Any] = Reply()
        self._submitted += 1
        self._blocks.put((block, reply))
        return reply

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
        program, environment, _ = self._start
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
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
        _RUNNING.discard(self)

    def _entries(self) -> Iterator[tuple[Any, Reply[Any]]]:
        """The blocks that it is given, until it is to end or has rested for long."""
        while not self._is_ending:
            try:
                entry = self._blocks.get(timeout=_IDLE_SECONDS)
            except Empty:
                if self.claim([]):
                    return
                continue
            if entry is None:
                return
            yield entry
            del entry  # a block need not live until the next one

    def _refuse(self, error: BaseException) -> None:
        """Have all blocks fail."""
        for _, reply in self._entries():
            self._finished += 1
            reply.fail(error)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """The one that is written to, and the one that is read."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _write(self) -> None:
        """Send blocks, each behind the function."""
        stream = self._pipes()[0]
        for entry in self._entries():
            self._send(stream, *entry)
            del entry

    def _send(self, stream: IO[bytes], block: Any, reply: Reply[Any]) -> None:
        """Send one, and have its reply waited for."""
        assert self._function is not None
        try:
            messages = [self._function, pack(block)]
        except Exception as error:
            self._sent.put((reply, error))
            return
        self._sent.put((reply, None))
        with contextlib.suppress(OSError):  # it has died, which `_read` finds as well
            send(stream, messages)

    def _read(self) -> None:
        """Take the results in the order of the blocks."""
        assert self._process is not None
        stream = self._pipes()[1]
        is_ready = False
        while (entry := self._sent.get()) is not None:
            reply, error = entry
            value = None
            try:
                if not is_ready and error is None:
                    skip_to(READY, stream)
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
                reply.give(value)
            else:
                reply.fail(error)


# Those that run, for the end of the program: an error's traceback may keep an abandoned `_share`.
_RUNNING: set[Helper] = set()


def hire(team: list[Helper]) -> Helper:
    """Add one that rests, or a new one, to a team; it is there from the first, to be stopped."""
    for helper in [*_RUNNING]:
        if helper.team is not None or helper.owner != os.getpid():
            continue
        team.append(helper)
        if helper.claim(team):
            if helper.is_like_new():
                return helper
            stop([helper])
        team.pop()
    team.append(Helper(team))
    return team[-1]


def stop_team(team: list[Helper]) -> None:
    """End those of a team that do not rest, or work for others meanwhile."""
    stop(helper for helper in team if helper.team is team)


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


def _let_all_go() -> None:
    """A fork has no helpers yet."""
    for helper in [*_RUNNING]:
        helper.let_go()
    _RUNNING.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_all_go)


def _widen(pipe: IO[bytes]) -> None:
    """Have a pipe hold a block, where the system can, so that neither side waits for the other."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _circumstances() -> tuple[str, dict[str, str], str]:
    """What a helper runs, its environment, and where: paths of models may be relative."""
    try:
        place = os.getcwd()
    except FileNotFoundError:  # it has been deleted
        place = ""
    return _program(), os.environ | {SEED_VARIABLE: SEED}, place


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
        f"from {name}.server import serve\n"
        "serve()\n"
    )
