"""Read a file of text in chunks of whole lines, as UTF-8, whatever its encoding."""

from __future__ import annotations

import zlib
from collections.abc import Generator
from typing import BinaryIO

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK
from vecbleu.files.sources import NotUtf8Error, Source, decoder_of
from vecbleu.text.text import NEWLINE

# Files that are not text, by their first three bytes.
_FORMATS = {b"PAR": "Parquet", b"\xfd7z": "xz", b"(\xb5/": "zstd", b"BZh": "bzip2"}
_FORMATS |= {b"\x1f\x8b\x08": "gzip", b"PK\x03": "zip"}

# Bytes read from each file at a time; two files make a block as large as one of strings.
FILE_BLOCK_BYTES = 1 << 19


def read_text(stream: BinaryIO, source: Source) -> Generator[tuple[int, list[bytes]]]:
    """Yield whole lines, as many as are in the next bytes of the file, behind their number.

    The last line of the file may lack its newline; it is added.
    """
    file = _TextFile(stream, source)
    chunks = []  # only the last one has newlines
    has_ended = False
    while not has_ended:
        chunk, has_ended = file.next_chunk()
        chunks.append(chunk)
        if not has_ended and b"\n" not in chunk:
            continue
        data = b"".join(chunks)
        if has_ended:
            file.check_end(data)
            # A decoder may return a newline at the very end.
            if data and not data.endswith(b"\n"):
                data += b"\n"
        end = data.rfind(b"\n") + 1
        chunks = [data[end:]]
        lines = data[:end]
        # Five times as fast as `bytes.count`.
        count = int(np.count_nonzero(np.frombuffer(lines, np.uint8) == NEWLINE))
        if count:
            yield count, [lines]
        file.lines += count


def read_unmarked(stream: BinaryIO, source: Source) -> Generator[str]:
    """Yield whole lines as strings, without a byte order mark at the beginning of the file."""
    mark = BYTE_ORDER_MARK
    before = 0
    for count, (lines,) in read_text(stream, source):
        yield decoded(lines, source.file, before).removeprefix(mark)
        mark = ""
        before += count


def decoded(lines: bytes, file: str, before: int) -> str:
    """Decode lines; ValueError with path and line unless they are UTF-8."""
    try:
        return lines.decode()
    except UnicodeDecodeError as error:
        kind = "" if before else _FORMATS.get(lines[:3], "")
        if kind:
            advice = "expected text, or gzip in a file ending in .gz"
            raise ValueError(f"{file}: looks like {kind}; {advice}") from error
        line = before + lines.count(b"\n", 0, error.start) + 1
        column = error.start - lines.rfind(b"\n", 0, error.start)
        raise NotUtf8Error(
            f"{file}: line {line} is not UTF-8 (0x{lines[error.start]:02x} at byte {column} of "
            "the line); convert the file to UTF-8"
        ) from error


class _TextFile:
    """A file of text; its errors name it, and the line."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        self._stream = stream
        self._name = source.file
        self._encoding = source.encoding
        self._decoder = decoder_of(source.encoding)
        self.lines = 0  # that have been read

    def next_chunk(self) -> tuple[bytes, bool]:
        """Read the next bytes; return them in UTF-8, and whether the file has ended."""
        encoded = self._read()
        return self._recode(encoded), not encoded

    def _read(self) -> bytes:
        try:
            return self._stream.read(FILE_BLOCK_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise OSError(error.errno, error.strerror, self._name) from error
            raise ValueError(
                f"{self._name}: damaged gzip data at or after line {self.lines + 1}: {error}"
            ) from error

    def _recode(self, data: bytes) -> bytes:
        """Convert bytes from the file's encoding to UTF-8; no bytes mean the end of the file."""
        if self._decoder is None:
            return data
        try:
            decoded = self._decoder.decode(data, final=not data)
        except UnicodeError as error:
            start, reason = getattr(error, "start", 0), getattr(error, "reason", error)
            decoded_data = getattr(error, "object", data)  # without a BOM
            line = self.lines + decoded_data.count(b"\n", 0, start) + 1
            raise ValueError(
                f"{self._name}: not {self._encoding} at or before line {line}: {reason}"
            ) from error
        return decoded.encode("utf-8", "surrogatepass")

    def check_end(self, last: bytes) -> None:
        r"""Raise ValueError for a file whose lines end with \r alone: it would be a single line.

        A single \r may be part of a line. In a file with a newline, only newlines end lines.
        """
        returns = last.count(b"\r")
        has_newline = self.lines or b"\n" in last
        if returns > 1 and not has_newline:
            raise ValueError(
                f"{self._name}: {returns} carriage returns but no newline, so the file is one "
                "line; end its lines with newlines, such as by: tr '\\r' '\\n'"
            )
