"""Tables that are written while they are counted, and never whole in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

import numpy as np

from vecbleu.core.output import errors_name, is_stream, replaced_file
from vecbleu.core.statistics.archive import write_archive
from vecbleu.core.statistics.signature import Signature
from vecbleu.core.statistics.table import Statistics

_READ_BYTES = 1 << 22


def save_blocks(
    blocks: Iterable[Statistics], path: str, signature: Signature
) -> tuple[int, Statistics]:
    """Save blocks of rows as one table; returns the number of rows, and their sum.

    There is one block at least, and all are of one type. An archive says first how many rows it
    has, so they wait in a file without a name, beside the one to write: the system's folder of
    temporary files may be in memory.
    """
    from tempfile import TemporaryFile  # 10 ms, which scores need not wait for

    segments, total = 0, None
    folder = None if is_stream(path) else os.path.dirname(os.path.realpath(path))
    with errors_name(path):
        waiting = TemporaryFile(dir=folder)  # noqa: SIM115
    with waiting:
        for block in blocks:
            rows = np.ascontiguousarray(block.to_array())
            with errors_name(path):
                waiting.write(rows.data)
            segments += len(rows)
            total = block.sum() if total is None else total + block.sum()
        assert total is not None
        with replaced_file(path) as file:
            waiting.seek(0)
            read = iter(partial(waiting.read, _READ_BYTES), b"")
            flat = (np.frombuffer(data, rows.dtype) for data in read)
            write_archive(file, flat, (segments, rows.shape[1]), rows.dtype, signature)
    return segments, total
