"""Files of statistics: rows, how they were counted, and the version of their format."""

from __future__ import annotations

import errno
import json
import math
import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from vecbleu.core.arrays import Counts
from vecbleu.core.statistics.columns import Columns, possible_columns
from vecbleu.core.statistics.signature import UNKNOWN, Signature, read_signature

if TYPE_CHECKING:
    from zipfile import ZipFile

# NumPy 2.2 and older have no types for it.
_npy: Any = np.lib.format

# What is written; 1 had no signature.
_FORMAT = 2

_BLOCK_BYTES = 1 << 20  # of rows that are read at a time

# Limits of what a member may claim: zlib's best ratio, a header of few numbers, a short text.
_MOST_RATIO = 1032
_MOST_HEADER = 1000
_MOST_TEXT = 1 << 20


def write_archive(
    file: BinaryIO,
    blocks: Iterable[Counts],
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    signature: Signature,
) -> None:
    """Write statistics (..., 2 + 2N), which come in blocks in C order, to an open .npz file."""
    from zipfile import ZIP_DEFLATED, ZipFile  # 6 ms, which scores need not wait for

    values = {"format": np.int64(_FORMAT), "signature": json.dumps(signature.to_dict())}
    header = {"descr": dtype.str, "fortran_order": False, "shape": shape}
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, value in values.items():
            with archive.open(f"{name}.npy", "w") as member:
                _npy.write_array(member, np.asarray(value), allow_pickle=False)
        with archive.open("statistics.npy", "w", force_zip64=True) as member:
            _npy.write_array_header_1_0(member, header)
            for block in blocks:
                member.write(np.ascontiguousarray(block, dtype).data)


def read_archive(path: str | os.PathLike[str] | BinaryIO) -> tuple[Columns, Signature]:
    """Read what any version has written, block by block; every error has the path."""
    from zipfile import ZipFile

    kind = "not a file of statistics: "
    try:
        with _opened(path) as file, ZipFile(file) as archive:
            version = _read_small(archive, "format")
            if version.shape or version.dtype.kind not in "iu" or version < 1:
                raise ValueError(f"its format is {version!r}")
            kind = ""
            if version > _FORMAT:
                raise ValueError(f"format {version}, this version reads up to {_FORMAT}")
            kind = "damaged statistics: "
            _check_members(archive)
            signature = _read_signature(archive, int(version))
            return _read_columns(archive), signature
    except MemoryError as error:
        raise MemoryError(f"{path}: too little memory for its statistics ({error})") from error
    except Exception as error:  # zipfile, zlib, numpy and json, as the damage may be
        # zipfile hides some errors of the disk. Damage sends it to places before the file: EINVAL.
        real = error if isinstance(error, OSError) else error.__context__
        if isinstance(real, OSError) and real.errno not in (None, errno.EINVAL):
            raise OSError(real.errno, real.strerror, path) from error
        raise ValueError(f"{path}: {kind}{error}") from error


def _opened(path: str | os.PathLike[str] | BinaryIO) -> AbstractContextManager[BinaryIO]:
    """A file that is closed behind the block, unless it came open."""
    return open(path, "rb") if isinstance(path, (str, os.PathLike)) else nullcontext(path)


def _check_members(archive: ZipFile) -> None:
    """ValueError for members that no version has written."""
    names = archive.namelist()
    for place, name in enumerate(names):
        if name not in ("format.npy", "statistics.npy", "signature.npy"):
            raise ValueError(f"the member {name!r} is none of statistics")
        if name in names[:place]:
            raise ValueError(f"the member {name!r} is there twice")


def _read_signature(archive: ZipFile, version: int) -> Signature:
    """How the statistics were counted."""
    if "signature.npy" in archive.namelist():
        return read_signature(json.loads(_read_small(archive, "signature").item()))
    if version > 1:
        raise ValueError("the signature is missing")
    return UNKNOWN


def _read_columns(archive: ZipFile) -> Columns:
    """The statistics, if a text can have them."""
    with _open_member(archive, "statistics") as (member, shape, is_fortran, dtype):
        if len(shape) > 2:
            raise ValueError(f"they have {len(shape)} dimensions")
        blocks = _read_blocks(member, shape, is_fortran, dtype)
        return possible_columns(blocks, shape, dtype)


def _read_blocks(
    member: Any, shape: tuple[int, ...], is_fortran: bool, dtype: np.dtype[Any]
) -> Iterator[Counts]:
    """Statistics (..., 2 + 2N) in blocks of rows, at least one."""
    if len(shape) < 2 or is_fortran:
        yield _read(member, shape, dtype, "F" if is_fortran else "C")
        return
    rows, width = shape
    step = max(1, _BLOCK_BYTES // (width * dtype.itemsize))
    for start in range(0, max(rows, 1), step):
        yield _read(member, (min(step, rows - start), width), dtype)


def _read_small(archive: ZipFile, name: str) -> Counts:
    """A member that is a number or a text."""
    with _open_member(archive, name) as (member, shape, _, dtype):
        if math.prod(shape) * dtype.itemsize > _MOST_TEXT:
            raise ValueError(f"{name} has the shape {shape} of {dtype}")
        return _read(member, shape, dtype)


def _read(member: Any, shape: tuple[int, ...], dtype: np.dtype[Any], order: Any = "C") -> Counts:
    """The next numbers of a member."""
    size = math.prod(shape) * dtype.itemsize
    data = member.read(size)
    if len(data) < size:
        raise ValueError(f"{size - len(data)} bytes are missing")
    return np.ndarray(shape, dtype, data, order=order)


@contextmanager
def _open_member(
    archive: ZipFile, name: str
) -> Iterator[tuple[Any, tuple[int, ...], bool, np.dtype[Any]]]:
    """A member behind its header, and what that says: shape, order and type.

    They say how much memory is taken, so they have to fit the bytes that are there.
    """
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    if f"{name}.npy" not in archive.namelist():
        raise ValueError(f"the member '{name}.npy' is missing")
    info = archive.getinfo(f"{name}.npy")
    most = _MOST_RATIO * min(info.compress_size, archive.start_dir)  # where the members end
    if info.compress_type not in (ZIP_DEFLATED, ZIP_STORED) or info.file_size > most:
        raise ValueError(f"{name} claims {info.file_size} bytes, more than the file can hold")
    with archive.open(info) as member:
        if _npy.read_magic(member) != (1, 0):
            raise ValueError(f"{name} is of another version of .npy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of names of types that NumPy gives up
            shape, is_fortran, dtype = _npy.read_array_header_1_0(member, _MOST_HEADER)
        there, claimed = info.file_size - member.tell(), math.prod(shape) * dtype.itemsize
        if dtype.hasobject or min(shape, default=0) < 0 or claimed != there:
            raise ValueError(f"{name} has the shape {shape} of {dtype}, but {there} bytes")
        yield member, shape, is_fortran, dtype
