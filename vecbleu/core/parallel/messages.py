"""Python objects through a pipe, and what a worker process does with those that it gets.

They are pickled, but for their arrays, which are not copied.
"""

from __future__ import annotations

import os
import pickle
from typing import IO, Any

import numpy as np

# What a worker writes first; whatever comes before has been printed by others (`sitecustomize`).
READY = b"vecbleu worker: ready\n"

_NUMBER = np.dtype("<i8")

# The pickled object, and then the bytes of its arrays.
Message = list[Any]


def pack(value: Any) -> Message:
    """Pickle an object."""
    arrays: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
    return [data, *(array.raw() for array in arrays)]


def unpack(message: Message) -> Any:
    """Make the object again."""
    return pickle.loads(message[0], buffers=message[1:])


def portable(error: Exception) -> Exception:
    """The error itself if it can be pickled, else a RuntimeError with its message."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # errors that want other arguments than their message
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def send(stream: IO[bytes], message: Message) -> None:
    """Write the number of a message's parts, their sizes, and the parts."""
    sizes = [memoryview(part).nbytes for part in message]
    stream.write(np.array([len(sizes), *sizes], _NUMBER).tobytes())
    for part in message:
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> Message:
    """Read a message; EOFError if there is none, or no whole one."""
    (number,) = np.frombuffer(_read(stream, _NUMBER.itemsize), _NUMBER)
    sizes = np.frombuffer(_read(stream, int(number) * _NUMBER.itemsize), _NUMBER)
    return [_read(stream, size) for size in sizes.tolist()]


def _read(stream: IO[bytes], size: int) -> Any:
    """Read exactly `size` bytes; EOFError if there are fewer."""
    data = np.empty(size, np.uint8)
    if stream.readinto(data) < size:  # type: ignore[attr-defined]
        raise EOFError
    return data


def serve(tasks: IO[bytes]) -> None:
    """Apply functions to the blocks that they come with, until there are no more."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints of imported modules do not get among the results
    try:
        results.write(b"\n" + READY)
        results.flush()  # before a block that may end this process
        while True:
            send(results, _outcome(receive(tasks)))
    except (EOFError, OSError):  # the caller has ended, or is done with this worker
        os._exit(0)


def _outcome(task: Message) -> Message:
    """A packed result and no error, or the other way round."""
    try:
        function, block = unpack(task)
        return pack((function(block), None))
    except Exception as error:
        return pack((None, portable(error)))
