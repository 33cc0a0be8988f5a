"""Files of statistics: rows, how they were counted, and the version of their format."""

from __future__ import annotations

import json
import os
from typing import BinaryIO

import numpy as np

from vecbleu.core.arrays import Counts
from vecbleu.core.statistics.signature import UNKNOWN, Signature

# What is written; 1 had no signature.
_FORMAT = 2


def write_archive(file: BinaryIO, array: Counts, signature: Signature) -> None:
    """Write statistics to an open .npz file."""
    np.savez_compressed(
        file,
        format=np.int64(_FORMAT),
        statistics=array,
        signature=np.array(json.dumps(signature.to_dict())),
    )


def read_archive(path: str | os.PathLike[str] | BinaryIO) -> tuple[Counts, Signature]:
    """Read what any version has written; ValueError with the path for anything else."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            version, array = archive["format"], archive["statistics"]
            text = archive.get("signature")
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib, numpy and KeyError, as the damage may be
        raise ValueError(f"{path}: not a file of statistics ({error})") from error
    if version.shape or version.dtype.kind not in "iu" or version < 1:
        raise ValueError(f"{path}: not a file of statistics (its format is {version!r})")
    if version > _FORMAT:
        raise ValueError(f"{path}: format {version}, this version reads up to {_FORMAT}")
    try:
        if array.ndim > 2:
            raise ValueError(f"they have {array.ndim} dimensions")
        if text is None and version > 1:
            raise ValueError("the signature is missing")
        return array, UNKNOWN if text is None else Signature(**json.loads(text.item()))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: damaged statistics: {error}") from error
