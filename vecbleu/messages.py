"""Python objects through a pipe; their arrays go as they are, without a copy in between."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

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
    """The error itself if other processes can have it, else its words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # errors that want other arguments than their message
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def send(stream: IO[bytes], messages: Sequence[Message]) -> None:
    """Write messages: of each the number of its parts, their sizes, and the parts."""
    for message in messages:
        sizes = [memoryview(part).nbytes for part in message]
        stream.write(np.array([len(sizes), *sizes], _NUMBER).tobytes())
        for part in message:
            stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> Message:
    """Read a message; EOFError if there is none, or no whole one."""
    (number,) = np.frombuffer(_read(stream, _NUMBER.itemsize), _NUMBER)
    sizes = np.frombuffer(_read(stream, number * _NUMBER.itemsize), _NUMBER)
    return [_read(stream, size) for size in sizes.tolist()]


def _read(stream: IO[bytes], size: int) -> Any:
    """So many bytes; EOFError if there are not as many."""
    data = np.empty(size, np.uint8)
    if stream.readinto(data) < size:  # type: ignore[attr-defined]
        raise EOFError
    return data


def skip_to(mark: bytes, stream: IO[bytes]) -> None:
    """Read until behind the mark; EOFError if it does not come."""
    seen = b""
    while not seen.endswith(mark):
        byte = stream.read(1)
        if not byte:
            raise EOFError
        seen = seen[-len(mark) :] + byte
